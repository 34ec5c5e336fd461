"""The invariants ZT-I1 to ZT-I12 over random play, with every player count and every combination of options."""

from random import Random
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shopfloor.engine.dice import FastDice
from shopfloor.engine.refusals import IllegalAction
from shopfloor.games.zahltag import cards, rules
from tests.games.zahltag.leaning import LEANS
from tests.games.zahltag.ledger import Ledger
from tests.games.zahltag.table import check_conservation, options
from tests.playing import decisions, to_the_end

GAMES: Final = {
    "players": st.integers(2, 4),
    "seed": st.integers(0, 2**40),
    "lean": st.sampled_from(sorted(LEANS)),
    "chosen": st.fixed_dictionaries(
        {
            "setup_adjust": st.sampled_from(["block", "round_robin"]),
            "first_player": st.sampled_from(["random", "0", "1"]),
            "card_cap": st.sampled_from(["prevent", "penalty"]),
            "tie_debt": st.sampled_from(["eliminate", "floor"]),
        }
    ),
}


def begin(players: int, seed: int, chosen: dict[str, str]) -> rules.Zahltag:
    return rules.start(players, FastDice(seed), options(**chosen), cards.load(), report=True)


@pytest.mark.rule("ZT-I1", "ZT-I2", "ZT-I3", "ZT-I4", "ZT-I5", "ZT-I6", "ZT-I7", "ZT-A23")
@settings(max_examples=150)
@given(**GAMES)
def test_books_kept_from_public_events_agree_with_the_state(
    players: int, seed: int, lean: str, chosen: dict[str, str]
) -> None:
    s = begin(players, seed, chosen)
    ledger = Ledger(players)
    for event in s.drain():
        ledger.note(event)
    ledger.agrees_with(s)
    was_setting_up = True
    for _ in decisions(s, Random(seed), LEANS[lean]):
        for event in s.drain():
            if event.audience is None:
                ledger.note(event)
        ledger.agrees_with(s)
        check_conservation(s)
        if was_setting_up and s.turn:
            was_setting_up = False
            if s.phase == rules.ADJUST_WORKERS:
                assert all(4 <= workers <= 10 for workers in s.workers)
    assert s.over()


@pytest.mark.rule("ZT-I11", "ZT-A20", "ZT-A21")
@settings(max_examples=150)
@given(**GAMES)
def test_games_end_within_the_bounds(players: int, seed: int, lean: str, chosen: dict[str, str]) -> None:
    s = begin(players, seed, chosen)
    played = to_the_end(s, Random(seed), LEANS[lean])
    if chosen["card_cap"] == "prevent":
        assert s.turn <= 37
        assert len(played) <= 35 * players + 37
    else:
        assert s.turn <= 37 + players - 2
        assert len(played) <= 3 * players + 2 * s.turn + 32 * players


@pytest.mark.rule("ZT-I9", "ZT-I10", "ZT-A11", "ZT-8.9")
@settings(max_examples=60)
@given(**GAMES)
def test_everybody_who_must_decide_can(players: int, seed: int, lean: str, chosen: dict[str, str]) -> None:
    s = begin(players, seed, chosen)
    always = {"ADJUST_START": "done", "ADJUST_WORKERS": "pass", "BIDDING": "00"}
    for _ in decisions(s, Random(seed), LEANS[lean]):
        for seat in range(players):
            legal = s.legal(seat)
            assert bool(legal) == (seat in s.deciders())
            assert list(legal) == sorted(set(legal))
            for action in legal:
                s.clone().play(seat, action)
        for seat in s.deciders():
            phase = rules.PHASE_NAMES[s.phase]
            if phase in always:
                assert s.space.parse(always[phase]) in s.legal(seat)
            if phase == "BIDDING":  # all values or none: no bid made earlier takes one away
                assert len(s.legal(seat)) in (1, 9)


@pytest.mark.rule("ZT-I12")
@settings(max_examples=40)
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


@pytest.mark.rule("ZT-I12", "ZT-I10")
@settings(max_examples=25)
@given(**GAMES, stop=st.integers(0, 120))
def test_refused_actions_change_nothing(players: int, seed: int, lean: str, chosen: dict[str, str], stop: int) -> None:
    s = begin(players, seed, chosen)
    for _ in decisions(s, Random(seed), LEANS[lean], stop):
        pass
    s.drain()
    before = s.encode()
    for seat in range(-2, players + 2):
        legal = s.legal(seat)
        for action in range(-3, 41):
            refusal = s.refusal(seat, action)
            assert (refusal is None) == (action in legal)
            if refusal is not None:
                with pytest.raises(IllegalAction) as caught:
                    s.play(seat, action)
                assert caught.value.refusal == refusal
                assert (s.encode(), s.drain()) == (before, [])


PRECEDENCE: Final = (
    "GAME_OVER",
    "NOT_YOUR_DECISION",
    "MALFORMED",
    "WRONG_PHASE",
    "STACK_EMPTY",
    "CARD_NOT_IN_HAND",
    "OVER_CARD_CAP",
    "BID_WITHOUT_WORKERS",
)


def reasons(s: rules.Zahltag, seat: int, action: int) -> set[str]:
    """Every code that fits, worked out from the specification's words rather than from the rules' tests."""
    if s.over():
        return {"GAME_OVER"}
    found = set()
    if seat not in s.deciders():
        found.add("NOT_YOUR_DECISION")
    if not 0 <= action < s.space.size:
        return found | {"MALFORMED"}
    phase = rules.PHASE_NAMES[s.phase]
    word, *types = s.space.name(action).split()
    wanted = {
        "ADJUST_START": ("pass", "add", "discard", "exchange"),
        "ADJUST_WORKERS": ("pass", "add", "discard", "exchange"),
        "EXCESS": ("discard",),
        "BIDDING": ("00", "bid"),
    }
    if word not in wanted[phase]:
        found.add("WRONG_PHASE")
    if not 0 <= seat < s.players:
        return found
    hand = s.hand[4 * seat : 4 * seat + 4]
    names = ("foreman", "worker", "crane", "excavator")
    if word in ("add", "exchange") and s.stacks[names.index(types[-1])] == 0:
        found.add("STACK_EMPTY")
    if word in ("discard", "exchange") and hand[names.index(types[0])] == 0:
        found.add("CARD_NOT_IN_HAND")
    if word == "add" and s.workers[seat] >= 12 and not s.penalty:
        found.add("OVER_CARD_CAP")
    if word == "bid" and s.job >= 0:
        needs = s.cards.job_needs(s.job)
        if any(have < need for have, need in zip(hand, needs, strict=True)):
            found.add("BID_WITHOUT_WORKERS")
    return found


@pytest.mark.rule("ZT-A10", "ZT-A12", "ZT-A29")
@settings(max_examples=40)
@given(**GAMES, stop=st.integers(0, 150))
def test_the_first_of_all_reasons_is_given(
    players: int, seed: int, lean: str, chosen: dict[str, str], stop: int
) -> None:
    s = begin(players, seed, chosen)
    for _ in decisions(s, Random(seed), LEANS[lean], stop):
        pass
    for seat in range(-1, players + 1):
        for action in range(-1, s.space.size + 1):
            refusal = s.refusal(seat, action)
            possible = reasons(s, seat, action)
            expected = next((code for code in PRECEDENCE if code in possible), None)
            assert (refusal.code if refusal else None) == expected


def test_random_play_reaches_every_corner() -> None:
    """The properties above are worth what the games they look at are worth."""
    reached: set[str] = set()
    for seed in range(300):
        rng = Random(seed)
        chosen = {
            "setup_adjust": rng.choice(["block", "round_robin"]),
            "first_player": "random",
            "card_cap": rng.choice(["prevent", "penalty"]),
            "tie_debt": rng.choice(["eliminate", "floor"]),
        }
        s = begin(rng.randint(2, 4), seed, chosen)
        for _ in decisions(s, rng, LEANS[rng.choice(sorted(LEANS))]):
            reached |= {f"empty stack {t}" for t in range(4) if s.stacks[t] == 0}
            reached.add(f"active {int(s.active).bit_count()}")
        for event in s.drain():
            reached.add(event.kind)
            for fact in {"reason", "forced", "tied"} & event.facts.keys():
                reached.add(f"{event.kind} {event.facts[fact]}")
            if event.kind == "job_won":
                reached.add(f"job_won by {event.clause}")
    wanted = {
        *("eliminated wages", "eliminated tie", "eliminated excess", "game_ended fifth_payday", "game_ended one_left"),
        *("payday_rejected", "payday_revealed True", "payday_revealed False", "wages_equal"),
        *("job_unwon", "excess_paid", "job_won True", "job_won False"),
        *("job_won by ZT-8.4", "job_won by ZT-8.6", "job_won by ZT-8.7", "jobs_finished", "passed"),
        *("active 1", "active 2", "active 3", "active 4", "empty stack 0", "empty stack 1", "empty stack 2"),
    }
    assert wanted - reached == set()
