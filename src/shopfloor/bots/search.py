"""Search."""

from __future__ import annotations

from typing import Final

from shopfloor.bots.greedy import GreedyBot
from shopfloor.bots.seat import Seat

DEFAULT_BUDGET: Final = 1.0


class SearchBot:
    def __init__(self, seed: int, budget: float = DEFAULT_BUDGET, iterations: int | None = None) -> None:
        self.first = GreedyBot(seed)

    def choose(self, seat: Seat) -> int:
        return self.first.choose(seat)
