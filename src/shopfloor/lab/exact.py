"""Games cut down to a size at which they can be solved exactly, and what a player loses there to one who knows it.

For games of two in which nothing is hidden but sealed choices and what chance will bring: then every position has a
value, found backwards from the end. Where both decide at once it is that of a matrix game, solved by linear programming
(`scipy`); where chance has a say, all that it can bring is gone through.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from shopfloor.engine.dice import Dice
from shopfloor.engine.state import State

MOST_POSITIONS: Final = 200_000


class TooLarge(Exception):
    """There are more positions than can be gone through."""


class ScriptedDice(Dice):
    """Gives the draws that are written down, then zeros, and keeps what was drawn from how many."""

    def __init__(self, script: Sequence[int] = ()) -> None:
        self.script = list(script)
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
        return "fast:1:1"  # positions are compared without their dice


def outcomes(state: State, moves: Sequence[tuple[int, int]]) -> list[tuple[float, State]]:
    """All that (seat, action) moves can lead to, with their chances, which add up to 1."""
    found = []
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
        found.append((chance, after))
        last = len(dice.drawn) - 1
        while last >= 0 and dice.drawn[last][0] + 1 >= dice.drawn[last][1]:
            last -= 1
        if last < 0:
            return found
        script = [value for value, _ in dice.drawn[:last]] + [dice.drawn[last][0] + 1]


@dataclass
class Matrix:
    """A decision of both at once. values: what seat 0 gets of the victory, by its action and by that of seat 1."""

    actions: tuple[tuple[int, ...], tuple[int, ...]]
    values: list[list[float]]

    def solve(self) -> tuple[float, tuple[list[float], list[float]]]:
        """What seat 0 can make sure of, and a strategy of each seat that makes sure of its part."""
        from scipy.optimize import linprog

        mine = _row_strategy(linprog, self.values)
        others = _row_strategy(linprog, [[-row[j] for row in self.values] for j in range(len(self.actions[1]))])
        return mine[0], (mine[1], others[1])

    def sure(self, seat: int, strategy: Sequence[float]) -> float:
        """What a seat gets with a strategy (chances by its actions) from an opponent who knows it."""
        if seat == 0:
            return min(
                sum(p * row[j] for p, row in zip(strategy, self.values, strict=True))
                for j in range(len(self.actions[1]))
            )
        return min(sum(p * (1.0 - v) for p, v in zip(strategy, row, strict=True)) for row in self.values)


def _row_strategy(linprog: Any, values: list[list[float]]) -> tuple[float, list[float]]:
    """The maximin value of a matrix for who chooses the row, and the chances of the rows."""
    rows, columns = len(values), len(values[0])
    # Maximise v with v <= the sum over rows of chance times value, for each column.
    found = linprog(
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
    return float(found.x[-1]), [float(p) for p in found.x[:rows]]


@dataclass
class Solver:
    """Finds values backwards from the end. most: positions that are gone through at most."""

    most: int = MOST_POSITIONS
    known: dict[str, float] = field(default_factory=dict)

    def value(self, state: State) -> float:
        """What seat 0 can make sure of. Raises TooLarge; ValueError unless two play."""
        if state.players != 2:
            raise ValueError(f"only games of two have such a value, not of {state.players}")
        if state.over():
            return state.returns()[0]
        bare = state.clone()
        bare.dice = ScriptedDice()
        key = bare.encode()
        if key not in self.known:
            if len(self.known) >= self.most:
                raise TooLarge(f"more than {self.most} positions")
            deciders = state.deciders()
            if len(deciders) == 2:
                self.known[key] = self.matrix(state).solve()[0]
            else:
                seat = deciders[0]
                found = [self._after(state, [(seat, action)]) for action in state.legal(seat)]
                self.known[key] = max(found) if seat == 0 else min(found)
        return self.known[key]

    def matrix(self, state: State) -> Matrix:
        """The decision of both, if each plays on as well as can be. Raises TooLarge."""
        mine, others = state.legal(0), state.legal(1)
        values = [[self._after(state, [(0, a), (1, b)]) for b in others] for a in mine]
        return Matrix((mine, others), values)

    def _after(self, state: State, moves: Sequence[tuple[int, int]]) -> float:
        return sum(chance * self.value(after) for chance, after in outcomes(state, moves))
