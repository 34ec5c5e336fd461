"""A finished game looked at again: how the chances went, what the decisions cost, and what was luck.

The chances are the game's own judgement of the true positions, all hands open. A decision is judged by what its seat
could know: it is compared with the best of the others in imagined worlds, the same for both. The first half of these
chooses what to compare with, the second half measures: otherwise every decision would seem to cost something, since the
luckiest of many looks better than it is.

What is done by hand cannot be imagined: such a decision is not compared with anything. What came of it, as the record
has it, is told by how the chances were before and after.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from shopfloor.bots.search import Search
from shopfloor.bots.seat import Seat
from shopfloor.engine.dice import FastDice
from shopfloor.engine.game import Game
from shopfloor.engine.records import Record, replay
from shopfloor.engine.state import State

VERSION: Final = "1"
"""Of what an analysis says and how it is found: a new one makes those that are kept out of date."""
BUDGET: Final = 20.0
"""Seconds of computing for a game, at most."""
FIRST_LOOK: Final = 0.6
"""The part of the time in which every decision is judged; in the rest, those that seem to have cost most once more."""
GOLDEN: Final = (math.sqrt(5.0) - 1.0) / 2.0
LOOKED_AT_AGAIN: Final = 10
MOST_WORLDS: Final = 200
FEWEST: Final = 8
"""Worlds without which a decision is not judged."""
SURE: Final = 1.96
WIDTH: Final = 4
"""How many of the moves that the game's judgement rates best a decision is compared with."""
TURNS: Final = 6
"""Turning points, at most."""
COSTLY: Final = 6
"""Costly decisions, at most."""
NOTABLE: Final = 0.04
"""The least change of a chance that is a turning point."""


@dataclass(frozen=True)
class Moment:
    """The chances after so many decisions (0: at the start). chances: by seat, they add up to 1."""

    decisions: int
    chances: tuple[float, ...]


@dataclass(frozen=True)
class Judged:
    """A decision: the number of it from 1, whose, what, and what would have been better.

    cost: the share of the victory that it gave away against `better`, on average over `worlds` imagined worlds; low,
    high: its 95 % interval. Below 0: `better` was not.
    """

    decision: int
    seat: int
    action: int
    better: int
    cost: float
    low: float
    high: float
    worlds: int


@dataclass(frozen=True)
class Slip:
    """A decision that was carried out by hand, and took much of its own seat's chance: what it was before and after."""

    decision: int
    seat: int
    action: int
    before: float
    after: float


@dataclass(frozen=True)
class Account:
    """Where a seat's result came from, in shares of the victory: start + own + hand + others + luck = result.

    own: what its own decisions gave away, as a loss; hand: what its hand gained and lost, where the game has such
    decisions; others: what the others' decisions gave away, divided evenly among those who gain by it, and what their
    hands gained and lost; luck: all the rest, that is what cards, dice and hidden things gave or took.
    own_low, own_high: the 95 % interval of `own`. judged: how many decisions could be judged.
    """

    seat: int
    start: float
    own: float
    own_low: float
    own_high: float
    others: float
    luck: float
    result: float
    judged: int
    hand: float = 0.0


@dataclass(frozen=True)
class Analysis:
    """All that is told of a game. decisions: how many there were. turning: the numbers of decisions, in order.

    costly: those that surely cost something (95 %), the most first. seconds: of computing. by_hand: how many decisions
    were carried out by hand; slips: those of them that took most of their own seat's chance, the most first.
    """

    decisions: int
    moments: tuple[Moment, ...]
    turning: tuple[int, ...]
    costly: tuple[Judged, ...]
    accounts: tuple[Account, ...]
    seconds: float
    by_hand: int = 0
    slips: tuple[Slip, ...] = ()


def analyse(
    game: Game,
    record: Record,
    seed: int = 0,
    budget: float = BUDGET,
    worlds: int = MOST_WORLDS,
    clock: Callable[[], float] = time.thread_time,
) -> Analysis:
    """Look at a finished game again, for `budget` seconds by `clock` and with so many worlds a decision at most.

    Raises RecordError if the record does not fit; ValueError if the game was not finished.
    """
    started = clock()
    steps = list(replay(record, game))
    states = [step.state for step in steps]
    if not states[-1].over():
        raise ValueError("only a finished game can be looked at again")
    moments = _moments(game, states)
    dice = FastDice(seed)
    judgement: Any = game.judgement
    asked: Callable[[Any, int, Any], bool] = getattr(judgement, "by_hand", _nobody)
    by_hand = {n for n, (_, action) in enumerate(record.decisions, 1) if asked(states[n - 1], action, states[n])}
    by_hand |= {number for number, _ in record.outcomes}
    open_ones = [
        (n, seat, action)
        for n, (seat, action) in enumerate(record.decisions, 1)
        if n not in by_hand and not asked(states[n - 1], action, None) and len(states[n - 1].legal(seat)) > 1
    ]
    judged: dict[int, Judged] = {}
    end = started + FIRST_LOOK * budget
    # In an order that is spread over the whole game: if the time is too short for all, it is for none more than others.
    order = sorted(range(len(open_ones)), key=lambda i: i * GOLDEN % 1.0)
    for i, (n, seat, action) in enumerate(open_ones[at] for at in order):
        now = clock()
        if now >= end:
            break
        # What one decision leaves of its time goes to those after it.
        until = now + (end - now) / (len(open_ones) - i)
        found = _judge(game, states[n - 1], n, seat, action, dice, clock, until, end, worlds)
        if found is not None:
            judged[n] = found
    again = sorted(judged.values(), key=lambda one: -one.cost)[:LOOKED_AT_AGAIN]
    sure = []
    end = started + budget
    for i, one in enumerate(again):
        now = clock()
        until = now + max(0.0, end - now) / (len(again) - i)
        # Looked at with fresh worlds: chosen for their cost, the first look makes them dearer than they were.
        found = _judge(
            game, states[one.decision - 1], one.decision, one.seat, one.action, dice, clock, until, end, worlds
        )
        if found is not None and found.low > 0.0:
            sure.append(found)
    sure.sort(key=lambda one: -one.cost)
    slips = _slips(record, moments, by_hand)
    return Analysis(
        len(record.decisions),
        moments,
        _turning(moments),
        tuple(sure[:COSTLY]),
        _accounts(moments, list(judged.values()), slips),
        clock() - started,
        len(by_hand),
        tuple(sorted((s for s in slips if s.before - s.after >= NOTABLE), key=lambda s: s.after - s.before)[:COSTLY]),
    )


def _nobody(_state: State, _action: int, _after: State | None) -> bool:
    return False


def _slips(record: Record, moments: tuple[Moment, ...], by_hand: set[int]) -> list[Slip]:
    """What came of the decisions by hand, good or bad, in order: where the chances are known before and after."""
    chances = {moment.decisions: moment.chances for moment in moments}
    return [
        Slip(n, seat, action, chances[n - 1][seat], chances[n][seat])
        for n, (seat, action) in enumerate(record.decisions, 1)
        if n in by_hand and n in chances and n - 1 in chances
    ]


def _moments(game: Game, states: list[State]) -> tuple[Moment, ...]:
    """The chances, wherever nothing sealed lies on the table; at the end, who has won."""
    players = states[0].players
    found = [Moment(0, (1.0 / players,) * players)]
    judgement: Any = game.judgement
    judged = getattr(judgement, "chances", judgement.value)
    for n, state in enumerate(states):
        if state.over():
            found.append(Moment(n, tuple(state.returns())))
        elif len(state.deciders()) == 1:
            chances = tuple(judged(state.clone()))
            if n == 0:
                found[0] = Moment(0, chances)
            else:
                found.append(Moment(n, chances))
    return tuple(found)


def _turning(moments: tuple[Moment, ...]) -> tuple[int, ...]:
    """The decisions after which the chances had changed most."""
    changes = [
        (max(abs(a - b) for a, b in zip(before.chances, after.chances, strict=True)), after.decisions)
        for before, after in pairwise(moments)
    ]
    largest = sorted(changes, key=lambda change: (-change[0], change[1]))[:TURNS]
    return tuple(sorted(number for change, number in largest if change >= NOTABLE))


def _judge(
    game: Game,
    state: State,
    number: int,
    seat: int,
    action: int,
    dice: FastDice,
    clock: Callable[[], float],
    until: float,
    end: float,
    worlds: int,
) -> Judged | None:
    """What a decision cost, or None if the time was too short to say.

    until: when to stop, once the fewest worlds have been through; end: when to stop in any case.
    """
    search = Search(Seat(game, state, seat, dice), dice, clock, end, keep=2, also=action, width=WIDTH)
    while not search.late and search.worlds < worlds and (search.worlds < FEWEST or clock() < until):
        search.think()
    half = search.worlds // 2
    if search.worlds < FEWEST:
        return None
    chosen = search.actions.index(action)
    others = [i for i in search.running if i != chosen]
    better = max(others, key=lambda i: sum(search.results[i][:half]))
    if sum(search.results[better][:half]) <= sum(search.results[chosen][:half]):
        # Nothing looked better: what was chosen cost nothing.
        return Judged(number, seat, action, action, 0.0, 0.0, 0.0, search.worlds)
    differences = [b - c for b, c in zip(search.results[better][half:], search.results[chosen][half:], strict=False)]
    count = len(differences)
    mean = sum(differences) / count
    variance = sum((d - mean) ** 2 for d in differences) / (count - 1)
    wide = SURE * math.sqrt(variance / count)
    return Judged(number, seat, action, search.actions[better], mean, mean - wide, mean + wide, count)


def _accounts(moments: tuple[Moment, ...], judged: list[Judged], by_hand: list[Slip]) -> tuple[Account, ...]:
    chances = {moment.decisions: moment.chances for moment in moments}
    start, result = moments[0].chances, moments[-1].chances
    players = len(start)
    costs = [sum(one.cost for one in judged if one.seat == seat) for seat in range(players)]
    found = []
    for seat in range(players):
        mine = [one for one in judged if one.seat == seat]
        wide = math.sqrt(sum(((one.high - one.low) / 2) ** 2 for one in mine))
        own = -costs[seat]
        others = sum(cost / (players - 1) for other, cost in enumerate(costs) if other != seat)
        hand = sum(s.after - s.before for s in by_hand if s.seat == seat)
        others += sum(chances[s.decision][seat] - chances[s.decision - 1][seat] for s in by_hand if s.seat != seat)
        luck = result[seat] - start[seat] - own - hand - others
        found.append(
            Account(seat, start[seat], own, own - wide, own + wide, others, luck, result[seat], len(mine), hand)
        )
    return tuple(found)
