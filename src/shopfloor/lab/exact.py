"""Games of two cut down to a size at which they can be solved, and what a player loses there to one who knows it.

For positions in which nothing is hidden but sealed choices and what chance will bring: then every position that can
follow has a value, found backwards from the end. Where both decide at once it is that of a matrix game, solved by
linear programming (needs `scipy`: the extra `exact`); all that chance can bring is gone through. Knows no game.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from shopfloor.engine.dice import Dice
from shopfloor.engine.state import State

MOST_POSITIONS: Final = 30_000
NOBODY: Final = (-1,)
"""Stands for the actions of a seat that does not decide."""

Mix = Sequence[float]
"""The chances of a seat's actions, in their order; they add up to 1."""


class TooLarge(Exception):
    """There are more positions than can be gone through."""


class NotSolvable(ValueError):
    """This is no position whose value could be found: not of two players, or it can come back."""


class ScriptedDice(Dice):
    """Gives the draws that are written down, then zeros; keeps each draw with how many there were to draw from."""

    __slots__ = ("drawn", "script")

    def __init__(self, script: Sequence[int] = ()) -> None:
        self.script: list[int] = list(script)
        self.drawn: list[tuple[int, int]] = []

    def below(self, n: int) -> int:
        at = len(self.drawn)
        value = self.script[at] if at < len(self.script) else 0
        self.drawn.append((value, n))
        return value

    def clone(self) -> ScriptedDice:
        copy = ScriptedDice(self.script)
        copy.drawn = list(self.drawn)
        return copy

    def encode(self) -> str:
        return "fast:1:1"  # positions are told apart without their dice


def outcomes(state: State, moves: Sequence[tuple[int, int]]) -> Iterator[tuple[float, State]]:
    """All that moves (seat, action) can lead to, with their chances, which add up to 1. The same may come up twice."""
    script: list[int] = []
    while True:
        after = state.clone()
        dice = ScriptedDice(script)
        after.dice = dice
        for seat, action in moves:
            after.play(seat, action)
        chance = 1.0
        for _, n in dice.drawn:
            chance /= n
        yield chance, after
        last = len(dice.drawn) - 1
        while last >= 0 and dice.drawn[last][0] + 1 >= dice.drawn[last][1]:
            last -= 1
        if last < 0:
            return
        script = [value for value, _ in dice.drawn[:last]] + [dice.drawn[last][0] + 1]


def alike(state: State) -> Hashable:
    """What tells positions apart where the game says nothing better: all of it but the dice."""
    if state.over():
        return tuple(state.returns())
    bare = state.clone()
    bare.dice = ScriptedDice()
    return bare.encode()


@dataclass
class Node:
    """A position with all that can follow.

    actions: of both seats; `NOBODY` where one does not decide; both empty once the game is over. after: by both
    actions: the chances of the positions that follow, by their place in the tree. value: what seat 0 can make sure of
    (a share of the victory). mixes: a strategy of each seat that makes sure of its part.
    """

    state: State
    actions: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    after: list[list[list[tuple[float, int]]]] = field(default_factory=list)
    value: float = 0.0
    mixes: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))

    @property
    def over(self) -> bool:
        return not self.actions[0]

    @property
    def sealed(self) -> bool:
        """Do both have a choice, without knowing the other's?"""
        return len(self.actions[0]) > 1 and len(self.actions[1]) > 1


def solve_matrix(values: Sequence[Sequence[float]]) -> tuple[float, list[float], list[float]]:
    """The value of a matrix game for who chooses the row and wants much, and a best mix of rows and of columns."""
    rows, columns = len(values), len(values[0])
    worst = [min(row) for row in values]
    most = [max(row[j] for row in values) for j in range(columns)]
    sure, asked = max(worst), min(most)
    if sure >= asked:  # a saddle point: nobody needs to be unpredictable
        return sure, _pure(worst.index(sure), rows), _pure(most.index(asked), columns)
    mine = _row_mix(values)
    others = _row_mix([[-row[j] for row in values] for j in range(columns)])
    return mine[0], mine[1], others[1]


def _pure(at: int, size: int) -> list[float]:
    return [1.0 if i == at else 0.0 for i in range(size)]


def _row_mix(values: Sequence[Sequence[float]]) -> tuple[float, list[float]]:
    from scipy.optimize import linprog

    rows, columns = len(values), len(values[0])
    # The most v that is no more than the sum over the rows of chance times value, for each column.
    found: Any = linprog(
        c=[0.0] * rows + [-1.0],
        A_ub=[[-values[i][j] for i in range(rows)] + [1.0] for j in range(columns)],
        b_ub=[0.0] * columns,
        A_eq=[[1.0] * rows + [0.0]],
        b_eq=[1.0],
        bounds=[(0.0, 1.0)] * rows + [(None, None)],
        method="highs",
    )
    if not found.success:
        raise ArithmeticError(f"no solution was found: {found.message}")
    mix = [max(0.0, float(p)) for p in found.x[:rows]]
    total = sum(mix)
    return float(found.x[-1]), [p / total for p in mix]


class Tree:
    """All positions that can follow one, each once, solved.

    nodes: what follows a node stands before it; the last one is the root.
    A seat's strategy is the same wherever `key` is, so `key` must hold all that matters from there on.
    """

    def __init__(
        self, root: State, key: Callable[[Any], Hashable] = alike, most: int = MOST_POSITIONS, solve: bool = True
    ) -> None:
        """Raises NotSolvable; TooLarge if more than `most` positions can follow. solve: find the values at once."""
        if root.players != 2:
            raise NotSolvable(f"only games of two have such a value, not of {root.players}")
        self.nodes: list[Node] = []
        self._grow(root, key, most)
        if solve:
            for node in self.nodes:
                self._solve(node)

    @property
    def root(self) -> Node:
        return self.nodes[-1]

    def _grow(self, root: State, key: Callable[[Any], Hashable], most: int) -> None:
        known: dict[Hashable, int] = {}  # -1: still open
        stack = [_Open(root, key(root))]
        while stack:
            top = stack[-1]
            for chance, after in top.following:
                found = key(after)
                at = known.get(found)
                if at is None:
                    if len(known) >= most:
                        raise TooLarge(f"more than {most} positions can follow")
                    known[found] = -1
                    top.waiting = chance, found
                    stack.append(_Open(after, found))
                    break
                if at < 0:
                    raise NotSolvable("a position can come back, so that the game need not end")
                top.note(chance, at)
            else:
                stack.pop()
                at = known[top.key] = len(self.nodes)
                self.nodes.append(top.node)
                if stack:
                    below = stack[-1]
                    assert below.waiting is not None
                    below.note(below.waiting[0], at)

    def matrix(self, node: Node) -> list[list[float]]:
        """What seat 0 can make sure of, by the actions of both."""
        return [[self._worth(after) for after in row] for row in node.after]

    def _worth(self, after: Sequence[tuple[float, int]]) -> float:
        return sum(chance * self.nodes[at].value for chance, at in after)

    def _solve(self, node: Node) -> None:
        if node.over:
            node.value = node.state.returns()[0]
            return
        node.value, *mixes = solve_matrix(self.matrix(node))
        node.mixes = mixes[0], mixes[1]

    def answer(self, seat: int, strategy: dict[int, Mix]) -> tuple[float, dict[int, int]]:
        """What a seat with a known strategy gets from the best answer to it, and that answer.

        strategy: the seat's chances by the place of the node, wherever it may come with the seat to choose. The
        answer: the other's action by the place of the node, as a place in its list.
        """
        places = self.reach(seat, strategy)
        values: dict[int, float] = {}
        chosen: dict[int, int] = {}
        for at in reversed(places):
            node = self.nodes[at]
            if node.over:
                values[at] = node.state.returns()[seat]
                continue
            expected = self._expected(at, seat, strategy, values)
            chosen[at] = expected.index(min(expected))
            values[at] = expected[chosen[at]]
        return values[len(self.nodes) - 1], chosen

    def against(self, seat: int, strategy: dict[int, Mix], chosen: dict[int, int]) -> float:
        """What a seat with a strategy gets if the other plays as `answer` says; where that is silent, as solved."""
        values: dict[int, float] = {}
        for at in reversed(self.reach(seat, strategy)):
            node = self.nodes[at]
            if node.over:
                values[at] = node.state.returns()[seat]
            else:
                mix = node.mixes[1 - seat]
                values[at] = self._expected(at, seat, strategy, values)[chosen.get(at, mix.index(max(mix)))]
        return values[len(self.nodes) - 1]

    def _expected(self, at: int, seat: int, strategy: dict[int, Mix], values: dict[int, float]) -> list[float]:
        """By the other's actions, what the seat gets."""
        node = self.nodes[at]
        mix = self._mix(at, seat, strategy)
        expected = []
        for j in range(len(node.actions[1 - seat])):
            total = 0.0
            for i, p in enumerate(mix):
                if p > 0.0:
                    after = node.after[i][j] if seat == 0 else node.after[j][i]
                    total += p * sum(chance * values[following] for chance, following in after)
            expected.append(total)
        return expected

    def _mix(self, at: int, seat: int, strategy: dict[int, Mix]) -> Mix:
        return strategy[at] if len(self.nodes[at].actions[seat]) > 1 else (1.0,)

    def reach(self, seat: int, strategy: dict[int, Mix], learn: Callable[[int, float], Mix] | None = None) -> list[int]:
        """The places of all nodes that a seat with a strategy can come to, whatever the other does; first the root.

        learn: called where the strategy says nothing yet, with the place and about how likely the seat gets there if
        the other wants it to; what it returns is added to the strategy.
        """
        likely = [0.0] * len(self.nodes)
        likely[-1] = 1.0
        found = []
        for at in range(len(self.nodes) - 1, -1, -1):
            if likely[at] <= 0.0:
                continue
            found.append(at)
            node = self.nodes[at]
            if learn is not None and len(node.actions[seat]) > 1 and at not in strategy:
                strategy[at] = learn(at, likely[at])
            if node.over:
                continue
            for i, p in enumerate(self._mix(at, seat, strategy)):
                if p <= 0.0:
                    continue
                for after in node.after[i] if seat == 0 else [row[i] for row in node.after]:
                    for chance, following in after:
                        likely[following] = max(likely[following], likely[at] * p * chance)
        return found

    def gap(self) -> float:
        """How far the solution is from an exact one: what both gain by best answers to each other's strategies."""
        kept = []
        for seat in (0, 1):
            strategy: dict[int, Mix] = {
                at: node.mixes[seat] for at, node in enumerate(self.nodes) if len(node.actions[seat]) > 1
            }
            kept.append(self.answer(seat, strategy)[0])
        return 1.0 - sum(kept)


class _Open:
    """A position whose following ones are being gone through."""

    def __init__(self, state: State, key: Hashable) -> None:
        deciders = state.deciders()
        lists = [state.legal(seat) if seat in deciders else NOBODY for seat in (0, 1)] if deciders else [(), ()]
        self.key = key
        self.node = Node(state, (lists[0], lists[1]), [[[] for _ in lists[1]] for _ in lists[0]])
        self.at: tuple[int, int] = (0, 0)
        self.waiting: tuple[float, Hashable] | None = None
        self.following: Iterator[tuple[float, State]] = self._following()

    def _following(self) -> Iterator[tuple[float, State]]:
        for i, mine in enumerate(self.node.actions[0]):
            for j, other in enumerate(self.node.actions[1]):
                self.at = (i, j)
                moves = [(seat, action) for seat, action in ((0, mine), (1, other)) if action != NOBODY[0]]
                yield from outcomes(self.node.state, moves)

    def note(self, chance: float, at: int) -> None:
        """A position follows with this chance; those that are the same are counted together."""
        after = self.node.after[self.at[0]][self.at[1]]
        for n, (known, place) in enumerate(after):
            if place == at:
                after[n] = (known + chance, at)
                return
        after.append((chance, at))


@dataclass(frozen=True)
class Loss:
    """What a seat loses of the victory to an opponent who knows its strategy, against what it could make sure of.

    fair: the share that it could make sure of. sure: the loss to an answer found with half of its sampled decisions, by
    the other half: on average no more than the truth. seems: the loss to the best answer to all of them: no less.
    decisions: nodes at which it was asked.
    """

    fair: float
    sure: float
    seems: float
    decisions: int


def loss(tree: Tree, seat: int, choose: Callable[[State, int], int], samples: int, least: int = 4) -> Loss:
    """How much a player who decides by `choose(position, number of the sample)` loses in a seat.

    samples: decisions at the root; elsewhere as many of them as it is likely to come there, but `least`, and an even
    number. The samples must be independent of each other.
    """
    halves: tuple[dict[int, Mix], dict[int, Mix]] = ({}, {})

    def learn(at: int, likely: float) -> Mix:
        node = tree.nodes[at]
        actions = node.actions[seat]
        each = max(least + 1, round(samples * likely)) // 2
        for part, half in enumerate(halves):
            counts = [0] * len(actions)
            for n in range(each):
                counts[actions.index(choose(node.state, part * each + n))] += 1
            half[at] = [count / each for count in counts]
        return [(a + b) / 2 for a, b in zip(halves[0][at], halves[1][at], strict=True)]

    pooled: dict[int, Mix] = {}
    tree.reach(seat, pooled, learn)
    fair = tree.root.value if seat == 0 else 1.0 - tree.root.value
    kept, _ = tree.answer(seat, pooled)
    _, chosen = tree.answer(seat, halves[0])
    _, back = tree.answer(seat, halves[1])
    crossed = (tree.against(seat, halves[1], chosen) + tree.against(seat, halves[0], back)) / 2
    return Loss(fair, fair - crossed, fair - kept, len(pooled))
