"""What all measured programs share. A program is one game of one maker, with what can be measured of it.

Times are processor time of the thread that plays, so that other work on the machine counts as little as it can.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from time import thread_time
from typing import Any, Final

POSITIONS: Final = 5  # clones, playouts and searches start from so many positions, in turns
COPIES: Final = 50  # clones between two looks at the clock

# What can be measured, by name; the order is that of the tables.
DECISIONS: Final = "decisions"
OBSERVED: Final = "observed"
CLONES: Final = "clones"
PLAYOUTS: Final = "playouts"
INSIDE: Final = "playouts inside"

Done = tuple[int, int, int]
"""What one piece of work came to: units, games among them, chance nodes among them."""


@dataclass(frozen=True)
class Program:
    """One game of one maker.

    kind: what is played with, such as "cards". measures: by name, what does a piece of the work. clock: seconds of
    processor time. look: over some random games, the mean numbers of decisions in a game and of legal actions in a
    decision. note: for the table.
    """

    game: str
    players: int
    kind: str
    measures: dict[str, Callable[[], Done]]
    look: Callable[[], tuple[float, float]]
    clock: Callable[[], float] = thread_time
    note: str = ""

    def measure(self, name: str, seconds: float) -> dict[str, float]:
        """Work for that long, at least one piece. Returns what was done and the seconds it took."""
        work = self.measures[name]
        clock = self.clock
        units = games = chances = 0
        pieces = 1
        start = clock()
        while True:
            for _ in range(pieces):
                done, ended, drawn = work()
                units += done
                games += ended
                chances += drawn
            spent = clock() - start
            if spent >= seconds:
                return {"done": units, "games": games, "chances": chances, "seconds": spent}
            # Small games must not pay for looks at the clock, nor large ones run on far too long.
            left = (seconds - spent) / max(spent, 1e-9)
            pieces = max(1, min(2 * pieces, int(pieces * left)))


def picker(seed: int) -> Callable[[Any], Any]:
    """A function that draws one of a sequence, as cheaply as Python can."""
    random = Random(seed).random
    return lambda items: items[int(random() * len(items))]


@dataclass
class Turns:
    """Positions that take turns; made when the first is asked for."""

    make: Callable[[int], Any]
    _at: int = field(default=0)

    @cached_property
    def all(self) -> list[Any]:
        return [self.make(deal) for deal in range(POSITIONS)]

    def next(self) -> Any:
        self._at = (self._at + 1) % POSITIONS
        return self.all[self._at]


def copies(positions: Turns, copy: Callable[[Any], Any], times: int = COPIES) -> Callable[[], Done]:
    """The work of copying a position `times` times."""

    def work() -> Done:
        position = positions.next()
        for _ in range(times):
            copy(position)
        return times, 0, 0

    return work
