"""A seat gives nothing away: what a bot holds is imagined, from what the seat knows and from nothing else."""

from __future__ import annotations

import gc
import math
from collections import Counter
from collections.abc import Iterator
from random import Random
from types import ModuleType
from typing import Any

import pytest

from shopfloor.bots import KNOWN, THINKING, Seat, decode_seat, make_bot
from shopfloor.bots.search import SearchBot
from shopfloor.engine.dice import FastDice, SealedDice
from shopfloor.engine.state import State
from tests.conformance.cases import Case, every_count, every_usual_case
from tests.playing import decisions

DRAWS = 40
APART = 6.0


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


@every_usual_case
def test_what_is_imagined_depends_on_what_the_seat_knows_only(case: Case) -> None:
    """Whichever of the positions that a seat cannot tell apart is the true one, it imagines the same with like chances.

    All that any seat would see in the imagined positions is counted; two counts of draws from like chances that lie
    `APART` standard errors apart do not occur among so few.
    """
    rng = Random(7)
    differing = 0
    for s in positions(case, 7):
        if rng.random() > 0.25:
            continue
        number = rng.randrange(case.players)
        truths = [s, s.imagine(number, FastDice(1)), s.imagine(number, FastDice(2))]
        differing += truths[1].encode() != truths[2].encode()
        seen: list[Counter[str]] = []
        for k, true in enumerate(truths):
            true.dice = SealedDice(bytes([k] * 32))
            seats = [Seat(case.game, true, number, FastDice(100 * k + n)) for n in range(DRAWS)]
            seen.append(Counter(fact for seat in seats for fact in facts(case, seat)))
            assert len({seat.legal() for seat in seats}) == 1
        for fact in set().union(*seen):
            counts = [count[fact] for count in seen]
            share = sum(counts) / (3 * DRAWS)
            spread = math.sqrt(2 * DRAWS * share * (1 - share)) if share < 1 else 1.0
            assert max(counts) - min(counts) < APART * spread, fact
    assert differing


def facts(case: Case, seat: Seat) -> Iterator[str]:
    """All that the seats would see in the position that a seat imagines, each with the place where it would stand."""
    imagined = seat.imagine(FastDice(5))
    for number in case.seats:
        heap: list[tuple[str, Any]] = [(str(number), case.game.view(imagined, number))]
        while heap:
            place, item = heap.pop()
            if isinstance(item, dict):
                heap += [(f"{place}.{key}", value) for key, value in item.items()]
            elif isinstance(item, list | tuple):
                heap += [(f"{place}.{n}", value) for n, value in enumerate(item)]
            else:
                yield f"{place}={item}"


@every_count
@pytest.mark.parametrize("level", KNOWN)
def test_a_choice_is_made_of_the_seat_and_the_seed_alone(case: Case, level: str) -> None:
    for n, s in enumerate(positions(case, 8)):
        for number in s.deciders():
            seat = Seat(case.game, s, number, FastDice(n))
            chosen = set()
            for _ in "ab":
                bot = SearchBot(n, iterations=10) if level in THINKING else make_bot(level, n)
                chosen.add(bot.choose(decode_seat(case.game, seat.encode())))
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
