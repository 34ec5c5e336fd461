"""Computer players of every level play every game to its end, from a seat and by the rules."""

from random import Random

import pytest

from shopfloor.bots import KNOWN, THINKING, Seat, decode_seat, make_bot
from shopfloor.engine.dice import FastDice
from shopfloor.engine.views import canonical
from tests.conformance.cases import Case, every_case, every_count
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
