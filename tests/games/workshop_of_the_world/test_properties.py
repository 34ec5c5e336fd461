"""The invariants WW-I.1 to WW-I.22 over random play, with every player count and every combination of options."""

from random import Random
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shopfloor.engine.dice import FastDice
from shopfloor.engine.refusals import IllegalAction
from shopfloor.games.workshop_of_the_world import GAME, cards, rules
from shopfloor.games.workshop_of_the_world.actions import BID, RAISE
from shopfloor.games.workshop_of_the_world.cards import Box
from shopfloor.games.workshop_of_the_world.rules import PHASE_NAMES, Workshop
from shopfloor.games.workshop_of_the_world.rules import position as at
from tests.games.workshop_of_the_world.leaning import LEANS
from tests.games.workshop_of_the_world.ledger import Ledger
from tests.games.workshop_of_the_world.table import FX, OWN, check_conservation, fixture_map, options
from tests.playing import decisions, to_the_end

OPTIONS: Final = {option.id: st.just(option.default) | st.sampled_from(option.values) for option in GAME.options}
GAMES: Final = {
    "players": st.integers(2, 5),
    "seed": st.integers(0, 2**40),
    "lean": st.sampled_from(sorted(LEANS)),
    "chosen": st.fixed_dictionaries(OPTIONS),
}
SMALL: Final = fixture_map(hash="small", industries=6, links=3)
BOXES: Final = {"own": OWN, "fixture": FX, "small": SMALL}
DECISIONS: Final = {5: 536, 4: 464, 3: 408, 2: 400}
TURNS: Final = {5: 60, 4: 56, 3: 54, 2: 56}


def begin(players: int, seed: int, chosen: dict[str, str], box: Box = OWN) -> Workshop:
    return rules.start(players, FastDice(seed), options(**chosen), box, report=True)


@pytest.mark.rule("WW-I.1", "WW-I.2", "WW-I.3", "WW-I.4", "WW-I.5", "WW-I.6", "WW-I.7", "WW-I.8", "WW-I.9", "WW-I.10")
@pytest.mark.rule("WW-I.11", "WW-I.12", "WW-I.13", "WW-I.19", "WW-I.20", "WW-I.21", "WW-D.5", "WW-D.6", "WW-A.11")
@settings(max_examples=80, deadline=None)
@given(**GAMES, which=st.sampled_from(sorted(BOXES)))
def test_books_kept_from_public_events_agree_with_the_state(
    players: int, seed: int, lean: str, chosen: dict[str, str], which: str
) -> None:
    s = begin(players, seed, chosen, BOXES[which])
    ledger = Ledger(s)
    for event in s.drain():
        ledger.note(event)
    ledger.agrees_with(s)
    supplies = s.bank + sum(s.cash)
    before = s.clone()
    for seat, action in decisions(s, Random(seed), LEANS[lean]):
        events = s.drain()
        for event in events:
            if event.audience is None:
                ledger.note(event)
        ledger.agrees_with(s)
        check_conservation(s)
        assert s.bank + sum(s.cash) == supplies  # with a finite bank nothing comes from outside, nor without one
        assert all(n >= m for n, m in zip(s.demand, before.demand, strict=True))  # WW-I.2
        if RAISE <= action < BID:  # WW-I.8
            pounds = action - RAISE + 1
            assert (s.cash[seat] - before.cash[seat], s.revenue[seat] - before.revenue[seat]) == (pounds, -2 * pounds)
        else:
            for event in events:
                if event.kind == "cash_raised" and not s.debt:  # as little as is needed (WW-A.8)
                    who = event.facts["seat"]
                    assert isinstance(who, int)
                    assert s.cash[who] == 0 or any(e.kind.endswith("collected") for e in events)
        if any(e.kind == "links_collected" for e in events):
            assert s.owner == [at.FREE] * len(s.owner)  # WW-I.4
            assert s.industries == before.industries  # WW-I.20
        before = s.clone()
    assert s.over()


@pytest.mark.rule("WW-I.14", "WW-I.15", "WW-S.13", "WW-S.18", "WW-D.2")
@settings(max_examples=80, deadline=None)
@given(**GAMES)
def test_games_end_within_the_bounds(players: int, seed: int, lean: str, chosen: dict[str, str]) -> None:
    chosen["fist_tie"] = "draw" if chosen["fist_tie"] == "rebid_then_draw" else chosen["fist_tie"]
    chosen["regamble"] = "off"
    s = begin(players, seed, chosen)
    played = to_the_end(s, Random(seed), LEANS[lean])
    raises = sum(RAISE <= action < BID for _, action in played)
    assert len(played) - raises <= DECISIONS[players]
    assert raises <= 6 * s.turns
    assert s.turns == TURNS[players]


@pytest.mark.rule("WW-I.22", "WW-19.2", "WW-19.3")
@settings(max_examples=40, deadline=None)
@given(**GAMES)
def test_who_wins_has_most(players: int, seed: int, lean: str, chosen: dict[str, str]) -> None:
    s = begin(players, seed, chosen)
    to_the_end(s, Random(seed), LEANS[lean])
    wealth = [s.wealth(seat) for seat in range(players)]
    (winner,) = s.standing().winners()
    assert wealth[winner] == max(wealth)
    places = [s.owner_of(colour) for colour in s.order]
    for other in range(players):
        if other != winner and wealth[other] == wealth[winner]:
            assert places.index(winner) < places.index(other)


@pytest.mark.rule("WW-I.18")
@settings(max_examples=25, deadline=None)
@given(**GAMES)
def test_seed_and_actions_give_the_same_states_and_events(
    players: int, seed: int, lean: str, chosen: dict[str, str]
) -> None:
    s = begin(players, seed, chosen)
    first = [(s.encode(), s.drain())]
    played = []
    for decision in decisions(s, Random(seed), LEANS[lean]):
        played.append(decision)
        first.append((s.encode(), s.drain()))
    again = begin(players, seed, chosen)
    second = [(again.encode(), again.drain())]
    for seat, action in played:
        again.play(seat, action)
        second.append((again.encode(), again.drain()))
    assert first == second
    assert rules.decode(s.encode(), OWN).encode() == s.encode()


@pytest.mark.rule("WW-I.17")
@settings(max_examples=30, deadline=None)
@given(**GAMES, stop=st.integers(0, 500), which=st.sampled_from(sorted(BOXES)))
def test_refused_actions_change_nothing(
    players: int, seed: int, lean: str, chosen: dict[str, str], stop: int, which: str
) -> None:
    s = begin(players, seed, chosen, BOXES[which])
    for _ in decisions(s, Random(seed), LEANS[lean], stop):
        pass
    s.drain()
    before = s.encode()
    for seat in range(-1, players + 1):
        legal = s.legal(seat)
        assert bool(legal) == (seat in s.deciders())
        assert list(legal) == sorted(set(legal))
        for action in range(-2, s.space.size + 2):
            refusal = s.refusal(seat, action)
            assert (refusal is None) == (action in legal)
            if refusal is None:
                s.clone().play(seat, action)
            elif (action + seed) % 5 == 0:
                with pytest.raises(IllegalAction) as caught:
                    s.play(seat, action)
                assert caught.value.refusal == refusal
        assert (s.encode(), s.drain()) == (before, [])


def test_random_play_reaches_every_corner() -> None:
    """The properties above are worth what the games they look at are worth."""
    reached: set[str] = set()
    for seed in range(160):
        rng = Random(seed)
        chosen = {option.id: rng.choice((option.default, rng.choice(option.values))) for option in GAME.options}
        box = rng.choice(list(BOXES.values()))
        players, lean = rng.randint(2, 5), rng.choice(sorted(LEANS))
        if seed % 8 == 0:  # little money in the box, and much to collect
            players, lean, box, chosen["finite_bank"] = 5, "builder", OWN, "300"
        s = begin(players, seed, chosen, box)
        for _ in decisions(s, rng, LEANS[lean]):
            reached.add(PHASE_NAMES[s.phase])
        for event in s.drain():
            reached.add(event.kind)
            if event.kind == "link_built":
                reached.add(f"link by {event.clause}")
            if event.kind == "game_ended":
                reached.add(f"tied {event.facts['tied']}")
    wanted = {*GAME.events, *PHASE_NAMES, "link by WW-8.4", "link by WW-8.5", "link by WW-8.6", "link by WW-8.7"}
    assert wanted - reached == set()


def test_the_edition_is_the_default() -> None:
    assert begin(4, 1, {}).box is cards.load()
