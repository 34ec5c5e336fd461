"""The invariants WP-I1 to WP-I12 over random play, with every player count and combinations of all options."""

from random import Random
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shopfloor.engine.dice import FastDice
from shopfloor.engine.refusals import IllegalAction
from shopfloor.games.worker_placement import GAME, cards, rules
from shopfloor.games.worker_placement.position import DRAFT_CHOOSE, HAND_LIMIT, LIFE_COACH, PLACE, RECALLING
from tests.games.worker_placement.leaning import LEANS
from tests.games.worker_placement.ledger import Ledger
from tests.games.worker_placement.table import check_conservation
from tests.playing import decisions

GAMES: Final = {
    "players": st.integers(2, 5),
    "seed": st.integers(0, 2**40),
    "lean": st.sampled_from(sorted(LEANS)),
    "chosen": st.fixed_dictionaries({option.id: st.sampled_from(option.values) for option in GAME.options}),
}
SMALL: Final = LIFE_COACH, RECALLING


def begin(players: int, seed: int, chosen: dict[str, str]) -> rules.WorkerPlacement:
    defaults = {option.id: option.default for option in GAME.options}
    return rules.start(players, FastDice(seed), defaults | chosen, cards.load(), report=True)


@pytest.mark.rule("WP-I1", "WP-I2", "WP-I3", "WP-I4", "WP-I5", "WP-I6", "WP-I7", "WP-I8", "WP-3.2", "WP-3.3", "WP-A23")
@settings(max_examples=60)
@given(**GAMES)
def test_books_kept_from_public_events_agree_with_the_state(
    players: int, seed: int, lean: str, chosen: dict[str, str]
) -> None:
    s = begin(players, seed, chosen)
    ledger = Ledger(players)
    for event in s.drain():
        ledger.note(event)
    ledger.agrees_with(s)
    changes = 0
    for _ in decisions(s, Random(seed), LEANS[lean]):
        before = (s.round_no, s.place_of[:], len(s.jobs))
        money = (s.cash[:], s.thumbs[:])
        events = s.drain()
        for event in events:
            if event.audience is None:
                ledger.note(event)
        ledger.agrees_with(s)
        check_conservation(s)
        assert sorted(s.order_cards) == list(range(1, players + 1))
        assert len(s.winners) <= 3
        if before[0] == s.round_no:
            assert (before[1], money) == (s.place_of, (s.cash, s.thumbs))
        if any(event.kind == "round_began" for event in events):
            assert all(len(hand) <= 5 for hand in s.hand)
            assert max(s.here) == 0
    changes = ledger.changes
    assert s.over()
    assert changes > 0


@pytest.mark.rule("WP-I6")
@settings(max_examples=30)
@given(**GAMES)
def test_jobs_only_become_more_in_action_two(players: int, seed: int, lean: str, chosen: dict[str, str]) -> None:
    s = begin(players, seed, chosen)
    jobs, round_no = len(s.jobs), 1
    for _ in decisions(s, Random(seed), LEANS[lean]):
        assert len(s.jobs) <= (jobs if s.round_no == round_no else max(4, players))
        jobs, round_no = len(s.jobs), s.round_no


@pytest.mark.rule("WP-I11", "WP-A13", "WP-8.1", "WP-A38")
@settings(max_examples=60)
@given(**GAMES)
def test_games_end_within_the_bounds(players: int, seed: int, lean: str, chosen: dict[str, str]) -> None:
    s = begin(players, seed, chosen)
    whole = 0
    placements = [0] * (s.rounds + 1)
    recalls = 0
    staged: int | None = None
    rng = Random(seed)
    while s.deciders():
        phase, round_no = s.phase, s.round_no
        seat, _ = next(decisions(s, rng, LEANS[lean], 1))
        recalls += sum(event.kind == "meeple_recalled" for event in s.drain())
        if phase == HAND_LIMIT:
            whole += seat not in s.deciders() or s.phase != HAND_LIMIT
        elif SMALL[0] <= phase <= SMALL[1]:
            assert staged == seat  # the same seat goes on until its placement is complete
        else:
            whole += 1
        if phase == PLACE:
            placements[round_no] += 1
        staged = seat if SMALL[0] <= s.phase <= SMALL[1] else None
    assert whole <= s.rounds * (8 * players + 5)
    assert sum(placements) == 3 * players * s.rounds + recalls
    assert all(3 * players <= n <= 5 * players for n in placements[1:])


@pytest.mark.rule("WP-I10")
@settings(max_examples=25)
@given(**GAMES)
def test_everybody_who_must_decide_can(players: int, seed: int, lean: str, chosen: dict[str, str]) -> None:
    s = begin(players, seed, chosen)
    for n, _ in enumerate(decisions(s, Random(seed), LEANS[lean])):
        for seat in range(players):
            legal = s.legal(seat)
            assert bool(legal) == (seat in s.deciders())
            assert list(legal) == sorted(set(legal))
            for action in legal if n % 5 == 0 else ():
                s.clone().play(seat, action)


@pytest.mark.rule("WP-I10")
@settings(max_examples=20)
@given(**GAMES, stop=st.integers(0, 400))
def test_refused_actions_change_nothing(players: int, seed: int, lean: str, chosen: dict[str, str], stop: int) -> None:
    s = begin(players, seed, chosen)
    for _ in decisions(s, Random(seed), LEANS[lean], stop):
        pass
    s.drain()
    before = s.encode()
    for seat in range(-1, players + 1):
        legal = s.legal(seat)
        for action in range(-2, s.space.size + 3):
            refusal = s.refusal(seat, action)
            assert (refusal is None) == (action in legal)
            if refusal is not None:
                with pytest.raises(IllegalAction) as caught:
                    s.play(seat, action)
                assert caught.value.refusal == refusal
    assert (s.encode(), s.drain()) == (before, [])


@pytest.mark.rule("WP-I12")
@settings(max_examples=20)
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
    assert len(s.standing().winners()) == 1
    assert [rank.place for rank in s.standing().ranks] == list(range(1, players + 1))


@pytest.mark.rule("WP-I8")
@settings(max_examples=25)
@given(**GAMES)
def test_hands_grow_by_two_in_the_draft(players: int, seed: int, lean: str, chosen: dict[str, str]) -> None:
    s = begin(players, seed, chosen)
    held = [len(hand) for hand in s.hand]
    drafting = True
    for _ in decisions(s, Random(seed), LEANS[lean]):
        if drafting and s.phase != DRAFT_CHOOSE:
            assert [len(hand) for hand in s.hand] == [n + 2 for n in held]
        drafting = s.phase == DRAFT_CHOOSE
        if drafting:
            held = [len(hand) for hand in s.hand]


def test_random_play_reaches_every_corner() -> None:
    """The properties above are worth what the games they look at are worth."""
    reached: set[str] = set()
    for seed in range(120):
        rng = Random(seed)
        chosen = {option.id: rng.choice(option.values) for option in GAME.options}
        s = begin(rng.randint(2, 5), seed, chosen)
        for _ in decisions(s, rng, LEANS[rng.choice(sorted(LEANS))]):
            reached.add(f"phase {s.phase}")
            if min(s.supply) == 0:
                reached.add("empty supply")
            if s.jobs_in_deck() == 0:
                reached.add("empty Job deck")
        for event in s.drain():
            reached.add(event.kind)
            if "reason" in event.facts:
                reached.add(f"{event.kind} {event.facts['reason']}")
            if event.kind == "card_played":
                reached.add(f"played {event.facts['name']}")
    own = cards.load()
    playable = {f"played {own.business_names[c]}" for c in range(47, 63) if not own.at_end[c]}
    wanted = {f"phase {phase}" for phase in range(16)} | playable | set(GAME.events)
    assert wanted - reached <= {"placement_skipped"}  # too rare; see WP-T43
    assert {"empty supply", "cash_changed hand", "cash_changed cubes"} <= reached
