"""Random play to the end: the same as deciding from outside, and repeatable."""

from __future__ import annotations

from random import Random

import pytest

from shopfloor.engine.dice import FastDice
from shopfloor.engine.playout import play_out, rollouts
from tests.conformance.cases import Case, every_count
from tests.playing import decisions


@every_count
def test_a_playout_is_a_whole_game(case: Case) -> None:
    """It is what a program does that asks who decides, asks what is legal, and plays one of it."""
    played, expected = case.start(3, report=False), case.start(3, report=False)
    count = play_out(played, FastDice(9))
    dice = FastDice(9)
    decided = 0
    while deciders := expected.deciders():
        for seat in deciders:
            legal = expected.legal(seat)
            expected.play(seat, legal[dice.below(len(legal))])
            decided += 1
    assert played.over()
    assert count == decided > 0
    assert played.encode() == expected.encode()
    assert sum(played.returns()) == pytest.approx(1.0)
    assert play_out(played, FastDice(9)) == 0


@every_count
def test_rollouts_leave_the_position_and_can_be_repeated(case: Case) -> None:
    s = case.start(5, report=False)
    for n, _ in enumerate(decisions(s, Random(5))):
        if n == 20:
            break
    seat = s.deciders()[0]
    before = s.encode()
    shares = rollouts(s, seat, 4, FastDice(1))
    assert s.encode() == before
    assert shares == rollouts(s, seat, 4, FastDice(1))
    assert len(shares) == case.players
    assert sum(shares) == pytest.approx(1.0)
    assert min(shares) >= 0.0
