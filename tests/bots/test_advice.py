"""Advice: from the seat's own information, in time, with numbers that every sentence can be traced to."""

from __future__ import annotations

import re
import time

import pytest

from shopfloor.bots import Seat, make_bot, sayings
from shopfloor.bots.advice import HINTS, Advice, Reason, advise
from shopfloor.engine.dice import FastDice
from tests.conformance.cases import Case, every_count, every_count_but_slow_ones


def seat_to_advise(case: Case, decisions: int, least: int = 2) -> Seat:
    """A seat some decisions into a game, with at least so many choices."""
    state = case.start(11)
    dice = FastDice(12)
    bots = [make_bot("greedy", seat) for seat in case.seats]
    while True:
        for number in state.deciders():
            seat = Seat(case.game, state, number, dice)
            if decisions <= 0 and len(seat.legal()) >= least:
                return seat
            state.play(number, bots[number].choose(seat))
            decisions -= 1


def asked(seat: Seat, worlds: int = 24, seed: int = 5) -> Advice:
    return advise(seat, seed, 1e9, worlds)


@every_count
def test_the_best_moves_are_listed_and_nothing_is_played(case: Case) -> None:
    seat = seat_to_advise(case, 6)
    before = seat.encode()
    found = asked(seat)
    assert seat.encode() == before
    assert found.choices == len(seat.legal())
    assert len(found.hints) == min(HINTS, found.choices)
    assert len({hint.action for hint in found.hints}) == len(found.hints)
    values = [hint.value for hint in found.hints]
    assert values == sorted(values, reverse=True)
    for hint in found.hints:
        assert hint.action in seat.legal()
        assert hint.worlds == 24
        assert 0 <= hint.low <= hint.value <= hint.high <= 1
    assert found.hints[0].against == found.hints[1].action
    assert all(hint.against == found.hints[0].action for hint in found.hints[1:])


@every_count_but_slow_ones
def test_a_seed_advises_the_same(case: Case) -> None:
    seat = seat_to_advise(case, 6)
    one, two, other = asked(seat), asked(seat), asked(seat, seed=6)
    assert one.hints == two.hints
    assert one.hints != other.hints


@every_count_but_slow_ones
def test_advice_comes_in_time(case: Case) -> None:
    seat = seat_to_advise(case, 6, 3)
    started = time.thread_time()
    advise(seat, 1, 0.4, clock=time.thread_time)
    assert time.thread_time() - started < 0.4 * 1.25 + 0.05


@every_count_but_slow_ones
def test_sentences_are_traceable_to_numbers(case: Case) -> None:
    """Every number in a sentence is one of the advice, rounded as it is told."""
    told = 0
    for decisions in (2, 9, 20):
        seat = seat_to_advise(case, decisions, 3)
        found = asked(seat)
        view = seat.view()
        for hint in found.hints:
            expected = sayings.expected(hint, found)
            assert expected == (
                f"An expected {100 * hint.value:.0f} % of the victory ({100 * hint.low:.0f} % to "
                f"{100 * hint.high:.0f} %, {hint.worlds} imagined positions)."
            )
            shown = [reason for reason in hint.reasons if sayings._numbers(reason)[0] != sayings._numbers(reason)[1]]
            sentences = sayings.why(hint, case.game, view)
            if not shown:
                assert len(sentences) == 1
                assert "like “" in sentences[0]
                continue
            assert len(sentences) == len(shown)
            for sentence, reason in zip(sentences, shown, strict=True):
                told += 1
                name = sayings.measured(case.game, reason)
                mine, theirs = re.fullmatch(
                    re.escape(name) + r": (-?[\d.]+) on average, against (-?[\d.]+) after “.*”\.", sentence
                ).groups()  # type: ignore[union-attr]
                assert float(mine) == pytest.approx(reason.mean, abs=0.051)
                assert float(theirs) == pytest.approx(reason.other, abs=0.051)
                assert not reason.low <= 0 <= reason.high
    assert told or not hasattr(case.game.judgement, "measures")


@every_count
def test_what_is_counted_has_words_and_is_the_same_for_every_position(case: Case) -> None:
    measures = getattr(case.game.judgement, "measures", None)
    if measures is None:
        pytest.skip("this game counts nothing")
    state = case.start(3)
    dice = FastDice(4)
    names = [name for name, _ in measures(state, 0)]
    assert len(set(names)) == len(names)
    for name in names:
        assert sayings.measured(case.game, Reason(name, 0.0, 0.0, 0.0, 0.0)) not in ("", name)
    while state.deciders():
        for seat in state.deciders():
            legal = state.legal(seat)
            state.play(seat, legal[dice.below(len(legal))])
        for seat in case.seats:
            assert [name for name, _ in measures(state, seat)] == names
    assert all(abs(number) < 1e6 for seat in case.seats for _, number in measures(state, seat))


@every_count_but_slow_ones
def test_one_move_needs_no_thinking(case: Case) -> None:
    state = case.start(11)
    dice = FastDice(12)
    while not (state.deciders() and len(state.legal(state.deciders()[0])) == 1):
        if not state.deciders():
            pytest.skip("no forced decision came up")
        number = state.deciders()[0]
        legal = state.legal(number)
        state.play(number, legal[dice.below(len(legal))])
    found = advise(Seat(case.game, state, state.deciders()[0], dice), 1)
    assert len(found.hints) == 1
    assert found.hints[0].reasons == ()
    assert sayings.expected(found.hints[0], found) == "It is the only thing that you can do now."


@every_count_but_slow_ones
def test_who_has_nothing_to_decide_gets_no_advice(case: Case) -> None:
    state = case.start(1)
    while len(state.deciders()) == case.players:
        state.play(state.deciders()[0], state.legal(state.deciders()[0])[0])
    waiting = next(seat for seat in case.seats if seat not in state.deciders())
    with pytest.raises(ValueError, match="nothing to decide"):
        advise(Seat(case.game, state, waiting, FastDice(1)), 1)
