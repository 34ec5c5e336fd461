"""Computer players of every level play every game to its end, from a seat and by the rules."""

import math
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from shopfloor.bots import KNOWN, THINKING, Seat, decode_seat, make_bot
from shopfloor.engine.dice import FastDice
from shopfloor.engine.views import canonical
from tests.conformance.cases import Case, every_case, every_count, plain_cases
from tests.playing import decisions

BUDGET = 0.002
"""Seconds a decision: enough to think at all, too little to wait for."""


@every_case
@pytest.mark.parametrize("level", ["random", "greedy"])
def test_bots_play_to_the_end(case: Case, level: str) -> None:
    play_to_the_end(case, level)


@every_count
@pytest.mark.parametrize("level", [level for level in KNOWN if level not in (*THINKING, "random", "greedy")])
def test_bots_that_err_play_to_the_end_by_the_usual_rules(case: Case, level: str) -> None:
    play_to_the_end(case, level)


@pytest.mark.slow
@every_case
def test_thinking_bots_play_by_all_options(case: Case) -> None:
    """With as little time as here, those that think are the same.

    By the usual rules games end. Some options let players put a game off for ever, and
    who thinks may find that this is the safest: then it is enough that the player always decides.
    """
    play_to_the_end(case, "master", must_end=not case.options)


@every_count
@pytest.mark.parametrize("level", [level for level in THINKING if level != "master"])
def test_thinking_bots_play_to_the_end_by_the_usual_rules(case: Case, level: str) -> None:
    play_to_the_end(case, level)


def play_to_the_end(case: Case, level: str, must_end: bool = True) -> None:
    s = case.start(30)
    bots = [make_bot(level, seed, BUDGET) for seed in case.seats]
    dice = FastDice(30)
    for _ in range(5000):
        if s.over():
            break
        for seat in s.deciders():
            before = s.encode()
            action = bots[seat].choose(Seat(case.game, s, seat, dice))
            assert s.encode() == before
            assert action in s.legal(seat)
            s.play(seat, action)
    assert s.over() or not must_end


@every_case
def test_a_seat_shows_what_its_player_sees(case: Case) -> None:
    s = case.start(31)
    rng = Random(31)
    while True:
        for number in case.seats:
            seat = Seat(case.game, s, number, FastDice(rng.getrandbits(40)))
            for same in (seat, decode_seat(case.game, seat.encode())):
                assert canonical(same.view()) == canonical(case.game.view(s, number))
                assert same.legal() == s.legal(number)
                assert len(same.rate()) == len(same.legal())
        if s.over():
            return
        for _ in decisions(s, rng, most=20):
            pass


@every_count
def test_what_is_plausible_is_a_matter_of_what_has_been_done(case: Case) -> None:
    plausibility: Plausibility | None = getattr(case.game.judgement, "plausibility", None)
    if plausibility is None:
        pytest.skip("in this game all positions that a seat cannot tell apart are as plausible as each other")
    check_plausibility(case, plausibility)


Plausibility = Callable[[Any, int], float]


def check_plausibility(case: Case, plausibility: Plausibility) -> None:
    """Weights of imagined positions: usable, repeatable, and all alike before anybody has decided anything."""
    s = case.start(32)
    rng = Random(32)
    for number in case.seats:
        assert len({plausibility(s.imagine(number, FastDice(n)), number) for n in range(8)}) == 1
    while not s.over():
        for number in case.seats:
            for n in range(4):
                imagined = s.imagine(number, FastDice(n))
                before = imagined.encode()
                weight = plausibility(imagined, number)
                assert 0.0 < weight < math.inf
                assert imagined.encode() == before, "it looks and touches nothing"
                # What is to come is no part of it, nor does it change on the way to another process.
                imagined.dice = FastDice(n + 100)
                assert plausibility(case.game.rules.decode(imagined.encode(), case.edition()), number) == weight
                imagined.reopen()
                assert plausibility(imagined, number) == weight, "nor is what nobody has seen yet"
        for _ in decisions(s, rng, most=15):
            pass


ZAHLTAG = next(case for case in plain_cases() if case.game.id == "zahltag" and case.players == 3)
WRONG: dict[str, Plausibility] = {
    "nothing is impossible": lambda s, seat: float(s.revelations % 2),
    "without a bound": lambda s, seat: math.inf if s.revelations > 3 else 1.0,
    "what is to come": lambda s, seat: 1.0 + len(s.dice.encode()) + s.dice.clone().below(1000),
    "what lies sealed": lambda s, seat: 1.0 + sum(s.sealed),
    "before anything was done": lambda s, seat: 1.0 + s.hand[4 * ((seat + 1) % 3)],
    "it changes something": lambda s, seat: 1.0 + 0.0 * s.dice.below(7),
}


def test_a_plausibility_that_is_one_passes_this_check() -> None:
    check_plausibility(ZAHLTAG, lambda s, seat: 0.5 ** len(s.job_row) + s.paydays_executed)


@pytest.mark.parametrize("wrong", list(WRONG))
def test_a_plausibility_that_is_none_is_found_out(wrong: str) -> None:
    with pytest.raises(AssertionError):
        check_plausibility(ZAHLTAG, WRONG[wrong])
