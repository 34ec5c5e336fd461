"""A seat gives nothing away: what a bot holds is imagined, and two positions it cannot tell apart are one to it."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from random import Random
from types import ModuleType

import pytest

from shopfloor.bots import LEVELS, Seat, decode_seat, make_bot
from shopfloor.bots.search import SearchBot
from shopfloor.engine.dice import FastDice, SealedDice
from shopfloor.engine.state import State
from tests.conformance.cases import Case, every_case, every_count
from tests.playing import decisions


def positions(case: Case, seed: int, most: int = 12) -> Iterator[State]:
    """Positions from the start to the end of a random game; not all, but of every phase that comes up."""
    s = case.start(seed)
    rng = Random(seed)
    yield s
    for _ in decisions(s, rng):
        if rng.random() < most / 120 and not s.over():
            yield s


def reachable(start: object, beside: object) -> set[int]:
    """The ids of all that can be reached from an object, but not through modules, types or what `beside` holds."""
    seen = {id(beside)}
    found = set()
    heap = [start]
    while heap:
        item = heap.pop()
        if id(item) in seen or isinstance(item, ModuleType | type):
            continue
        seen.add(id(item))
        found.add(id(item))
        heap += gc.get_referents(item)
    return found


@every_count
def test_the_true_position_cannot_be_reached(case: Case) -> None:
    s = case.start(SealedDice(bytes(range(32))))
    # What the state consists of and may change: lists. (Numbers and tuples are shared by all of Python.)
    parts = [part for part in gc.get_referents(s) if isinstance(part, list)]
    assert parts
    for number in case.seats:
        seat = Seat(case.game, s, number, FastDice(1))
        found = reachable(seat, case.game)
        assert id(s) not in found
        assert id(s.dice) not in found
        assert not [part for part in parts if id(part) in found]


@every_count
def test_what_a_seat_holds_changes_with_nothing(case: Case) -> None:
    s = case.start(3)
    seat = Seat(case.game, s, 0, FastDice(1))
    before = seat.encode()
    for _ in decisions(s, Random(3), most=20):
        pass
    imagined = seat.imagine(FastDice(2))
    for _ in decisions(imagined, Random(3), most=20):
        pass
    seat.rate()
    assert seat.encode() == before


@every_case
def test_positions_a_seat_cannot_tell_apart_are_one_to_it(case: Case) -> None:
    differing = 0
    for s in positions(case, 7):
        for number in case.seats:
            one = s.imagine(number, FastDice(1))
            other = s.imagine(number, FastDice(2))
            one.dice = SealedDice(bytes(32))
            other.dice = SealedDice(bytes([1] * 32))
            differing += one.encode() != other.encode()
            seats = [Seat(case.game, true, number, FastDice(3)) for true in (s, one, other)]
            assert len({seat.encode() for seat in seats}) == 1
            assert len({tuple(seat.rate()) for seat in seats}) == 1
    assert differing


@every_count
@pytest.mark.parametrize("level", LEVELS)
def test_bots_choose_alike_in_positions_a_seat_cannot_tell_apart(case: Case, level: str) -> None:
    for n, s in enumerate(positions(case, 8)):
        for number in s.deciders():
            chosen = set()
            for dice_seed in (1, 2, 3):
                true = s.imagine(number, FastDice(dice_seed))
                bot = SearchBot(n, iterations=20) if level == "search" else make_bot(level, n)
                chosen.add(bot.choose(Seat(case.game, true, number, FastDice(n))))
            assert len(chosen) == 1


@every_count
def test_a_seat_travels_as_text(case: Case) -> None:
    s = case.start(5)
    seat = Seat(case.game, s, s.deciders()[0], FastDice(5))
    there = decode_seat(case.game, seat.encode())
    assert (there.seat, there.players, there.legal(), there.view()) == (
        seat.seat,
        seat.players,
        seat.legal(),
        seat.view(),
    )
    assert [there.name(action) for action in there.legal()] == [s.space.name(a) for a in s.legal(seat.seat)]


@every_count
def test_a_seat_that_is_not_there(case: Case) -> None:
    for number in (-1, case.players):
        with pytest.raises(ValueError, match=f"no seat {number}"):
            Seat(case.game, case.start(1), number, FastDice(1))


@pytest.mark.parametrize("text", ["", "0", "x\n{}", "0\n[]", '0\n["fast:1:1"]'])
@every_count
def test_text_that_is_no_seat(case: Case, text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        decode_seat(case.game, text)
