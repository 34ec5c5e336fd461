"""Games that a net plays against itself, and what is to be learned from them.

Most decisions are quick: drawn from the ratings as the policy corrects them, the better ones likelier. At some, taken
by chance, the player searches for a few worlds, plays what the search says, and that is what the policy learns from.
Only these are worth learning from: what was drawn from the policy would teach it nothing but itself.

Values are learned from the true positions of finished games, as by somebody who reads their records, so that they tell
what hidden cards are worth. The players have seats, and know nothing else.
"""

from __future__ import annotations

import math
from array import array
from dataclasses import dataclass
from typing import Any, Final

from shopfloor.bots import Seat
from shopfloor.bots.nets import Learned, Net, decode_net, inputs
from shopfloor.bots.search import Search, chances, draw, leaned
from shopfloor.engine.dice import FastDice
from shopfloor.engine.game import Game
from shopfloor.games import REGISTRY

CARE: Final = 2.0
"""How much likelier the likelier actions are picked than by the policy's chances: their power."""
FEW: Final = 1e-9


@dataclass(frozen=True)
class Job:
    """Some games to play. game: its id; net: its text; seeds: of the games. searched: one in so many decisions."""

    game: str
    players: int
    net: str
    seeds: tuple[int, ...]
    searched: int
    worlds: int


@dataclass(frozen=True)
class Choice:
    """A searched decision. row: what was seen; odds: by the ratings; wanted: by the search; both by action."""

    row: array[float]
    actions: array[int]
    odds: array[float]
    wanted: array[float]


@dataclass(frozen=True)
class Lesson:
    """A game to learn from. positions: the seats' rows, one after the other, zeros for those that are out.

    alive: by position, a bit a seat. shares: of the victory, in the end. decisions: of all seats.
    """

    seed: int
    positions: array[float]
    alive: array[int]
    shares: tuple[float, ...]
    choices: list[Choice]
    decisions: int


def play(job: Job) -> list[Lesson]:
    """Play the games of a job."""
    game = REGISTRY.get(job.game)
    net = decode_net(job.net)
    return [play_one(game, net, seed, job.searched, job.worlds) for seed in job.seeds]


def play_one(game: Game, net: Net, seed: int, searched: int, worlds: int) -> Lesson:
    """Play a game; the same arguments give the same one. searched: 0 for none."""
    judgement = Learned(game, net)
    rows = inputs(game, net.players)[1]
    nothing = [0.0] * len(net.names)
    state: Any = game.start(net.players, FastDice(seed))
    # The players' dice must have nothing in common with the table's.
    dice = FastDice((seed << 20) + 0x1EA4)
    positions = array("f")
    alive = array("i")
    choices: list[Choice] = []
    decisions = 0
    while True:
        deciders = state.deciders()
        if not deciders:
            break
        if len(deciders) == 1:  # where search asks what a position is worth
            found = rows(state)
            alive.append(sum([1 << seat for seat, row in enumerate(found) if row]))
            for row in found:
                positions.extend(row or nothing)
        picks = []
        for seat in deciders:
            legal = state.legal(seat)
            decisions += 1
            if len(legal) == 1:
                picks.append(legal[0])
            elif searched and dice.below(searched) == 0:
                picks.append(_think(Seat(game, state, seat, dice), judgement, worlds, dice, choices))
            else:
                world = state.imagine(seat, dice)
                odds = leaned(chances(judgement.rate(world, seat)), judgement.lean(world, seat, legal))
                odds = [p**CARE for p in odds]
                total = sum(odds)
                picks.append(legal[draw([p / total for p in odds], dice)])
        for seat, action in zip(deciders, picks, strict=True):
            state.play(seat, action)
    return Lesson(seed, positions, alive, tuple(state.returns()), choices, decisions)


def _think(seat: Seat, judgement: Learned, worlds: int, dice: FastDice, choices: list[Choice]) -> int:
    """Search, keep what came of it, and say what to play."""
    search = Search(seat, dice, judgement=judgement)
    if search.settled():
        return search.actions[search.running[0]]
    candidates = list(search.running)
    world = seat.imagine(dice)
    odds = chances(judgement.rate(world, seat.seat))
    row = judgement.rows(world)[seat.seat]
    while not search.settled() and search.worlds < worlds:
        search.think()
    if row:
        kept = [i for i in candidates if odds[i] > FEW]
        wanted = wish(search, kept)
        if len(kept) > 1 and sum(wanted) > 0.0:
            choices.append(
                Choice(
                    array("f", row),
                    array("i", [search.actions[i] for i in kept]),
                    array("f", [math.log(odds[i]) for i in kept]),
                    array("f", wanted),
                )
            )
    return search.actions[search.decide()]


def wish(search: Search, candidates: list[int]) -> list[float]:
    """The chances with which a search would pick each candidate: as likely as it is to be the best, or by the mix.

    A candidate that was dropped early has none; how likely the others are the best is told by their lead in standard
    errors, so that few worlds do not make a rule of what was luck.
    """
    if search.mixer.steps:
        average = search.mixer.average()
        wanted = [average[i] if i in search.running else 0.0 for i in candidates]
    else:
        best = search.results[search.best()]
        wanted = []
        for i in candidates:
            results = search.results[i]
            if i not in search.running or len(results) != len(best):
                wanted.append(0.0)
                continue
            behind = [b - r for b, r in zip(best, results, strict=True)]
            mean = sum(behind) / len(behind)
            variance = sum([(d - mean) ** 2 for d in behind]) / len(behind)
            error = math.sqrt(variance / len(behind)) + 0.002
            wanted.append(math.exp(-mean / error))
    total = sum(wanted)
    return [p / total for p in wanted] if total > 0.0 else wanted
