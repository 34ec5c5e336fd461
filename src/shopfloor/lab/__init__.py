"""The laboratory: simulations and ladders, which tell how strong the computer players are."""

from __future__ import annotations

from shopfloor.lab.ladder import Ladder, Rung
from shopfloor.lab.simulate import Result, SeatResult, simulate

__all__ = ["Ladder", "Result", "Rung", "SeatResult", "simulate"]
