"""The computer player that looks ahead a little: better than one that does not, and worse than one that looks on."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from shopfloor.bots.nets import NONE, Nets
from shopfloor.bots.search import SearchBot
from shopfloor.bots.seat import Seat

# Found by measurement, as described with the ladders in docs. Among several, thinking more brings less: a master that
# thought as much there as with two would leave the foreman hardly anything to be better at.
WORLDS: Final = 4
WORLDS_AMONG_SEVERAL: Final = 1
REACH_AMONG_SEVERAL: Final = 0.5


class MasterBot:
    """Thinks like `SearchBot`, in few imagined positions, and with more than two players less far ahead."""

    def __init__(
        self, seed: int, budget: float, clock: Callable[[], float] = time.perf_counter, nets: Nets = NONE
    ) -> None:
        """As for `SearchBot`."""
        self.of_two = SearchBot(seed, budget, clock=clock, most=WORLDS, nets=nets)
        self.of_several = SearchBot(
            seed, budget, clock=clock, most=WORLDS_AMONG_SEVERAL, nets=nets, reach=REACH_AMONG_SEVERAL
        )

    def choose(self, seat: Seat) -> int:
        return (self.of_two if seat.players == 2 else self.of_several).choose(seat)
