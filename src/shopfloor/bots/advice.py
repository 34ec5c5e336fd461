"""Advice for a seat: the moves that promise most, what each is expected to bring, and why. It plays nothing.

What is said comes from the seat's own information: the same imagined worlds for all moves, and in each of them what a
player of the game counts (`measures` in its judgement.py, where it has that) some moments of decision later. Every
number is a mean over those worlds. Where something is done by hand, the game's world tries it out on copies of itself
instead, and the numbers are means over those trials.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from shopfloor.bots.base import legal_or_complain
from shopfloor.bots.nets import SHIPPED
from shopfloor.bots.search import Search
from shopfloor.bots.seat import Seat
from shopfloor.engine.dice import FastDice
from shopfloor.engine.world import Proposal, world_of

BUDGET: Final = 2.0
"""Seconds of thinking about an advice, at most."""
LONGEST: Final = 8.0
"""Seconds that it may take where a world tries things out: `BUDGET` counts computing there, and others compute too."""
HINTS: Final = 3
MOST_WORLDS: Final = 400
SEARCHING: Final = 0.75
"""The part of the time that goes into finding the moves; the rest into what they bring."""
FOLLOWED: Final = 32
"""Worlds in which the moves are followed to see what they bring, at most."""
FEWEST: Final = 6
"""Worlds without which nothing is said about a difference."""
REASONS: Final = 3
ALIKE: Final = 0.02
"""Moves that surely differ by no more than that are as good as each other."""
SURE: Final = 1.96


@dataclass(frozen=True)
class Reason:
    """What a move brings of something that a player of the game counts, compared with another of the hints.

    measure: its id in the game's judgement and messages. mean: after this move; other: after the compared one; both on
    average. low, high: the 95 % interval of the difference, which does not hold 0.
    """

    measure: str
    mean: float
    other: float
    low: float
    high: float


@dataclass(frozen=True)
class Hint:
    """A move. worlds: in how many imagined worlds it was tried.

    value: the share of the victory that it brings on average; low, high: its 95 % interval. against: which of the
    hints the reasons compare it with: the best move with the second, the others with the best; None if there is no
    other. lead: by how much its value is above that one's; lead_low, lead_high: the 95 % interval of that.
    proposal: where it was tried out by hand, what was done; worlds are then trials.
    """

    action: int
    worlds: int
    value: float
    low: float
    high: float
    against: int | None
    reasons: tuple[Reason, ...]
    lead: float = 0.0
    lead_low: float = 0.0
    lead_high: float = 0.0
    proposal: Proposal | None = None

    @property
    def even(self) -> bool:
        """Is it, as far as can be told, as good as the one that it is compared with?"""
        same = round(100 * abs(self.lead)) == 0 or (self.lead_low >= -ALIKE and self.lead_high <= ALIKE)
        return self.against is not None and self.lead_low <= 0.0 <= self.lead_high and same


@dataclass(frozen=True)
class Advice:
    """What a seat may do, the best first, at most `HINTS` of `choices` legal moves. seconds: that it took."""

    seat: int
    choices: int
    hints: tuple[Hint, ...]
    seconds: float


def advise(
    seat: Seat,
    seed: int,
    budget: float = BUDGET,
    worlds: int = MOST_WORLDS,
    clock: Callable[[], float] = time.perf_counter,
    by_hand: bool = True,
) -> Advice:
    """Think about what the seat may do now, for `budget` seconds by `clock` and through so many worlds at most.

    by_hand: try out what is done by hand, where the game's world can be used; if not, the dice say what hands do.
    Raises ValueError if the seat has nothing to decide.
    """
    legal = legal_or_complain(seat)
    world = world_of(seat.game) if by_hand else None
    started = clock()
    dice = FastDice(seed)
    if world is not None:
        computing = time.thread_time()

        def spent() -> float:
            part = (time.thread_time() - computing) / budget
            return max(part, (clock() - started) * BUDGET / (LONGEST * budget))

        found = world.propose(seat.imagine(dice), dice.below(1 << 30), spent)
        if found:
            return Advice(seat.seat, len(legal), _tried_out(found[:HINTS]), clock() - started)
    judgement = SHIPPED.judgement(seat.game, seat.players)
    search = Search(seat, dice, clock, started + SEARCHING * budget, keep=HINTS, judgement=judgement)
    while not search.late and search.worlds < worlds and len(legal) > 1:
        search.think()
    best = search.ranked()[:HINTS]
    followed = _follow(search, best, dice, clock, started + budget)
    hints = []
    for place, i in enumerate(best):
        other = (1 if len(best) > 1 else None) if place == 0 else 0
        value, low, high = _mean(search.results[i]) if search.results[i] else (0.0, 0.0, 1.0)
        lead = (0.0, -math.inf, math.inf)
        if other is not None and search.results[i]:
            lead = _mean([a - b for a, b in zip(search.results[i], search.results[best[other]], strict=True)])
        hints.append(
            Hint(
                legal[i],
                len(search.results[i]),
                value,
                max(0.0, low),
                min(1.0, high),
                other,
                () if other is None else _reasons(followed[place], followed[other]),
                lead[0],
                max(-1.0, lead[1]),
                min(1.0, lead[2]),
            )
        )
    return Advice(seat.seat, len(legal), tuple(hints), clock() - started)


Measures = Sequence[tuple[str, float]]


def _tried_out(found: list[Proposal]) -> tuple[Hint, ...]:
    """Hints from what a world has tried out, the best first. Trials are each one's own: their errors add up."""
    hints = []
    for place, one in enumerate(found):
        against = (1 if len(found) > 1 else None) if place == 0 else 0
        lead = wide = 0.0
        reasons: tuple[Reason, ...] = ()
        if against is not None:
            other = found[against]
            lead = one.value - other.value
            wide = math.hypot(one.high - one.low, other.high - other.low) / 2
            reasons = _reasons(one.counted, other.counted)
        hints.append(
            Hint(
                one.action,
                len(one.counted),
                one.value,
                one.low,
                one.high,
                against,
                reasons,
                lead,
                lead - wide,
                lead + wide,
                one,
            )
        )
    return tuple(hints)


def _follow(
    search: Search, candidates: list[int], dice: FastDice, clock: Callable[[], float], end: float
) -> list[list[Measures]]:
    """For each candidate what is counted some decisions later, world by world; the same worlds for all."""
    seat = search.seat
    measures: Callable[[Any, int], Measures] | None = getattr(seat.game.judgement, "measures", None)
    found: list[list[Measures]] = [[] for _ in candidates]
    if measures is None or len(candidates) < 2:
        return found
    began = clock()
    for n in range(FOLLOWED):
        now = clock()
        if n and now + (now - began) / n > end:
            break
        world = seat.imagine(dice)
        world.reopen()
        luck = dice.below(1 << 30)
        for of, candidate in zip(found, candidates, strict=True):
            of.append(measures(search.follow(candidate, world, luck), seat.seat))
    return found


def _reasons(mine: Sequence[Measures], others: Sequence[Measures]) -> tuple[Reason, ...]:
    """What surely differs, the surest first."""
    both = min(len(mine), len(others))
    if both < FEWEST:
        return ()
    mine, others = mine[:both], others[:both]
    found = []
    for i, (measure, _) in enumerate(mine[0]):
        ours = [row[i][1] for row in mine]
        theirs = [row[i][1] for row in others]
        mean, low, high = _mean([a - b for a, b in zip(ours, theirs, strict=True)])
        if low > 0.0 or high < 0.0:
            reason = Reason(measure, sum(ours) / len(ours), sum(theirs) / len(theirs), low, high)
            width = high - low
            found.append((-abs(mean) / width if width else -math.inf, i, reason))
    return tuple(reason for _, _, reason in sorted(found, key=lambda one: one[:2])[:REASONS])


def _mean(values: list[float]) -> tuple[float, float, float]:
    """The mean and its 95 % interval."""
    count = len(values)
    mean = sum(values) / count
    if count < 2:
        return mean, -math.inf, math.inf
    variance = sum((value - mean) ** 2 for value in values) / (count - 1)
    wide = SURE * math.sqrt(variance / count)
    return mean, mean - wide, mean + wide
