"""The computer player that thinks ahead: Monte Carlo tree search over imagined positions. Knows no game.

Each round of thinking draws a full position that the seat cannot tell from the real one, walks down a tree that all
these positions share, plays on from there as the game's judgement would, and has the position judged where it stops.
What a seat picks in the tree depends only on what it may know: each seat has statistics of its own for its own legal
actions, and seats that decide at the same time pick without seeing each other's picks. Sealed choices are taken back
in the imagined position and chosen anew, rather than guessed. Branches after a revelation are told apart by what a
spectator sees.
"""

from __future__ import annotations

import math
import time
from typing import Any, Final

from shopfloor.bots.base import legal_or_complain
from shopfloor.bots.seat import Seat
from shopfloor.engine.dice import FastDice
from shopfloor.engine.state import State
from shopfloor.engine.views import View

DEFAULT_BUDGET: Final = 1.0  # seconds

# Found by measurement, as described with the ladders in docs.
EXPLORE: Final = 1.5  # how strongly rarely tried actions are tried, in standard deviations of the results
SHARPNESS: Final = 6.0  # how much likelier a better rated action is
TRUST: Final = 0.9  # the part of the prior that the ratings give; the rest is spread evenly
LOOK_AHEAD: Final = 4  # moments of decision from the root to where the position is judged
GROW: Final = 10  # how often a branch must have been tried before the tree grows along it
FIRST_LOOK: Final = 8  # imagined positions that the root's ratings are averaged over


def chances(ratings: list[float]) -> list[float]:
    """Chances of picking each action, given ratings on any scale: the scale is taken from their own range."""
    count = len(ratings)
    best = max(ratings)
    spread = best - sum(ratings) / count
    if spread <= 0.0:
        return [1.0 / count] * count
    factor = SHARPNESS / spread
    odds = [math.exp(factor * (r - best)) for r in ratings]
    total = sum(odds)
    return [o / total for o in odds]


class Table:
    """What one seat has tried at one node with one list of legal actions: counts, summed results, their squares."""

    __slots__ = ("actions", "count", "prior", "squares", "sums", "total", "visits")

    def __init__(self, actions: tuple[int, ...], ratings: list[float]) -> None:
        size = len(actions)
        self.actions: tuple[int, ...] = actions
        self.prior: list[float] = [TRUST * p + (1.0 - TRUST) / size for p in chances(ratings)]
        self.visits: list[int] = [0] * size
        self.sums: list[float] = [0.0] * size
        self.count: int = 0
        self.total: float = 0.0
        self.squares: float = 0.0

    def pick(self) -> int:
        """The index to try next: good so far, or promising and little tried (PUCT)."""
        count = self.count
        if count == 0:
            return self.prior.index(max(self.prior))
        mean = self.total / count
        variance = self.squares / count - mean * mean
        # With few results their spread says little, so it starts wide.
        deviation = math.sqrt((max(variance, 0.0) * count + 0.01) / (count + 1))
        explore = EXPLORE * deviation * math.sqrt(count)
        visits = self.visits
        sums = self.sums
        prior = self.prior
        best = -1.0e9
        found = 0
        for i in range(len(visits)):
            n = visits[i]
            score = (sums[i] + mean) / (n + 1) + explore * prior[i] / (1 + n)
            if score > best:
                best = score
                found = i
        return found

    def learn(self, i: int, result: float) -> None:
        self.visits[i] += 1
        self.sums[i] += result
        self.count += 1
        self.total += result
        self.squares += result * result

    def favourite(self) -> int:
        """The index tried most; of several the one with the better results."""
        best = 0
        for i in range(1, len(self.visits)):
            n = self.visits[i]
            m = self.visits[best]
            if n > m or (n == m and n and self.sums[i] > self.sums[best]):
                best = i
        return best

    def settled(self, more: float) -> bool:
        """Would so many more tries leave the favourite where it is?"""
        most = sorted(self.visits)
        return most[-1] - most[-2] > more


class Branch:
    """What follows a set of picks. tried: how often. nodes: by what a spectator sees, where something was revealed."""

    __slots__ = ("nodes", "tried")

    def __init__(self) -> None:
        self.tried: int = 0
        self.nodes: dict[View | None, Node] = {}


class Node:
    """A moment of decision. tables: statistics by seat and its legal actions. branches: by what was picked."""

    __slots__ = ("branches", "tables")

    def __init__(self) -> None:
        self.tables: dict[tuple[int, tuple[int, ...]], Table] = {}
        self.branches: dict[tuple[int, ...], Branch] = {}


class Search:
    """One decision's thinking."""

    def __init__(self, seat: Seat, dice: FastDice) -> None:
        self.seat: Seat = seat
        self.dice: FastDice = dice
        self.judgement: Any = seat.game.judgement
        self.viewer: Any = seat.game.viewer
        self.root: Node = Node()
        actions = seat.legal()
        total = [0.0] * len(actions)
        for _ in range(FIRST_LOOK):
            ratings: list[float] = self.judgement.rate(seat.imagine(dice), seat.seat)
            for i in range(len(total)):
                total[i] += ratings[i]
        self.own: Table = Table(actions, total)
        self.root.tables[(seat.seat, actions)] = self.own
        self.path: list[tuple[Table, int, int]] = []

    def think(self) -> None:
        """One round: imagine, walk down the tree, play on, judge, learn."""
        state = self.seat.imagine(self.dice)
        state.reopen()
        path = self.path
        path.clear()
        depth = self._descend(state)
        values = self._play_on(state, depth)
        for table, i, seat in path:
            table.learn(i, values[seat])

    def _descend(self, state: State) -> int:
        """Play down the tree to its edge. How many moments of decision have passed."""
        node: Node | None = self.root
        depth = 0
        while node is not None and depth < LOOK_AHEAD and not state.over():
            node = self._decide(state, node)
            depth += 1
        return depth

    def _table(self, state: State, node: Node, seat: int, actions: tuple[int, ...]) -> Table:
        key = (seat, actions)
        table = node.tables.get(key)
        if table is None:
            ratings: list[float] = self.judgement.rate(state, seat) if len(actions) > 1 else [0.0]
            table = Table(actions, ratings)
            node.tables[key] = table
        return table

    def _decide(self, state: State, node: Node) -> Node | None:
        """Everybody who must decide at a node picks, then all is played. The node that follows, if the tree has it."""
        before = state.revelations
        deciders = state.deciders()
        picks = []
        # First all picks, then all plays: no pick may depend on another's.
        for seat in deciders:
            actions = state.legal(seat)
            if len(actions) == 1:
                picks.append(actions[0])
                continue
            table = self._table(state, node, seat, actions)
            i = table.pick()
            self.path.append((table, i, seat))
            picks.append(actions[i])
        for seat, action in zip(deciders, picks, strict=True):
            state.play(seat, action)
        key = tuple(picks)
        branch = node.branches.get(key)
        if branch is None:
            branch = Branch()
            node.branches[key] = branch
        branch.tried += 1
        if branch.tried <= GROW:
            return None
        seen: View | None = self.viewer.view(state, None) if state.revelations != before else None
        following = branch.nodes.get(seen)
        if following is None:
            following = Node()
            branch.nodes[seen] = following
        return following

    def _play_on(self, state: State, depth: int) -> list[float]:
        """Play as the judgement would until far enough, and in nobody's sealed choice; each seat's share then."""
        rate = self.judgement.rate
        dice = self.dice
        while True:
            deciders = state.deciders()
            if not deciders:
                return state.returns()
            if depth >= LOOK_AHEAD and len(deciders) == 1:
                values: list[float] = self.judgement.value(state)
                return values
            depth += 1
            picks = []
            for seat in deciders:
                actions = state.legal(seat)
                if len(actions) == 1:
                    picks.append(actions[0])
                    continue
                ratings: list[float] = rate(state, seat)
                odds = chances(ratings)
                r = dice.below(1 << 30) / (1 << 30)
                i = 0
                last = len(odds) - 1
                while i < last and r >= odds[i]:
                    r -= odds[i]
                    i += 1
                picks.append(actions[i])
            for seat, action in zip(deciders, picks, strict=True):
                state.play(seat, action)


class SearchBot:
    """Thinks for a time, or for a number of rounds, and takes what it came back to most."""

    def __init__(self, seed: int, budget: float = DEFAULT_BUDGET, iterations: int | None = None) -> None:
        """budget: seconds a decision. iterations: rounds a decision instead; then the same seed plays the same."""
        self.dice = FastDice(seed)
        self.budget = budget
        self.iterations = iterations

    def choose(self, seat: Seat) -> int:
        started = time.perf_counter()
        actions = legal_or_complain(seat)
        if len(actions) == 1:
            return actions[0]
        search = Search(seat, self.dice)
        if self.iterations is not None:
            for _ in range(self.iterations):
                search.think()
        else:
            self._until(search, started)
        return actions[search.own.favourite()]

    def _until(self, search: Search, started: float) -> None:
        """Think until the time is used, or until what is left of it cannot change the choice."""
        budget = self.budget
        rounds = 0
        while True:
            search.think()
            rounds += 1
            used = time.perf_counter() - started
            if used >= budget:
                return
            if rounds % 32 == 0 and search.own.settled((budget - used) * rounds / used):
                return
