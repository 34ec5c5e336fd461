"""Advice: from the seat's own information, in time, with numbers that every sentence can be traced to."""

from __future__ import annotations

import re

import pytest

from shopfloor.bots import Seat, make_bot, sayings
from shopfloor.bots.advice import HINTS, Advice, Hint, Reason, advise
from shopfloor.engine.dice import FastDice
from shopfloor.engine.world import has_world
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
    return advise(seat, seed, 1e9, worlds, by_hand=False)


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
    assert found.hints[0].against == 1
    assert all(hint.against == 0 for hint in found.hints[1:])
    for hint in found.hints:
        assert hint.against is not None
        assert hint.lead == pytest.approx(hint.value - found.hints[hint.against].value)
        assert hint.lead_low <= hint.lead <= hint.lead_high


@every_count_but_slow_ones
def test_a_seed_advises_the_same(case: Case) -> None:
    seat = seat_to_advise(case, 6)
    one, two, other = asked(seat), asked(seat), asked(seat, seed=6)
    assert one.hints == two.hints
    assert one.hints != other.hints


@every_count_but_slow_ones
def test_advice_comes_in_time(case: Case) -> None:
    seat = seat_to_advise(case, 6, 3)
    now = 5.0

    def clock() -> float:
        """A hundredth of a second further each time it is looked at, so that no other program has a say."""
        nonlocal now
        now += 0.01
        return now

    found = advise(seat, 1, 0.4, clock=clock, by_hand=False)
    assert 5.2 < now <= 5.0 + 0.4 + 0.05
    assert found.seconds == pytest.approx(now - 5.01)


@every_count_but_slow_ones
def test_sentences_are_traceable_to_numbers(case: Case) -> None:
    """Every number in a sentence is one of the advice, rounded as it is told."""
    told = 0
    for decisions in (2, 9, 20):
        seat = seat_to_advise(case, decisions, 3)
        found = asked(seat)
        view = seat.view()
        for number, hint in enumerate(found.hints):
            expected = sayings.expected(hint, found)
            assert expected == (
                f"An expected {100 * hint.value:.0f} % of the victory ({100 * hint.low:.0f} % to "
                f"{100 * hint.high:.0f} %, {hint.worlds} imagined positions)."
            )
            shown = [reason for reason in hint.reasons if sayings._numbers(reason)[0] != sayings._numbers(reason)[1]]
            sentences = list(sayings.why(number, found, case.game, view))
            if hint.lead_low <= 0 <= hint.lead_high:
                compared(sentences.pop(0), hint, found)
            elif not shown:
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
    # Where hands decide, the dice that stand for them make no difference between moves.
    assert told or has_world(case.game) or not hasattr(case.game.judgement, "measures")


def compared(sentence: str, hint: Hint, found: Advice) -> None:
    """The sentence says of two moves that they are as good as each other, or that nobody can tell, with the numbers."""
    assert hint.against is not None
    other = found.hints[hint.against]
    numbers = [int(number) for number in re.findall(r"(?<![\w£])(−?\d+) %", sentence.replace("−", "-"))]
    if hint.even:
        assert sentence.startswith("As good as “")
        assert {round(100 * hint.value), round(100 * other.value)} == set(numbers)
    else:
        assert sentence.startswith("Perhaps no ")
        assert [round(100 * abs(hint.lead)), *numbers[1:]] == numbers
        assert abs(numbers[-2]) == abs(round(100 * hint.lead_low))


def hint_with(value: float, lead: float, low: float, high: float, against: int | None = 1) -> Hint:
    return Hint(0, 20, value, value - 0.1, value + 0.1, against, (), lead, low, high)


@pytest.mark.parametrize(
    ("lead", "low", "high", "even"),
    [
        (0.0, 0.0, 0.0, True),
        (0.001, -0.05, 0.052, True),
        (0.01, -0.005, 0.018, True),
        (0.01, -0.03, 0.05, False),
        (0.03, 0.01, 0.05, False),
        (0.004, 0.001, 0.007, False),
    ],
)
def test_moves_are_as_good_as_each_other_if_no_difference_can_be_told(
    lead: float, low: float, high: float, even: bool
) -> None:
    assert hint_with(0.4, lead, low, high).even == even
    assert not hint_with(0.4, lead, low, high, None).even


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
    found = advise(Seat(case.game, state, state.deciders()[0], dice), 1, by_hand=False)
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
