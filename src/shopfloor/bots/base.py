"""What every computer player does."""

from __future__ import annotations

from typing import Protocol

from shopfloor.bots.seat import Seat


class Bot(Protocol):
    """A computer player. It may keep dice and statistics of its own between decisions."""

    def choose(self, seat: Seat) -> int:
        """One of `seat.legal()`. Raises ValueError if the seat has nothing to decide."""
        ...


class UnknownLevel(ValueError):
    """There is no computer player of this level. `known` lists those there are."""

    def __init__(self, level: str, known: tuple[str, ...]) -> None:
        super().__init__(f"there is no computer player '{level[:80]}'; there is {', '.join(known)}")
        self.level = level
        self.known = known


def legal_or_complain(seat: Seat) -> tuple[int, ...]:
    """The legal actions. Raises ValueError if the seat has nothing to decide now."""
    legal = seat.legal()
    if not legal:
        raise ValueError(f"seat {seat.seat} has nothing to decide now")
    return legal
