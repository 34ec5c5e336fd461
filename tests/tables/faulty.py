"""Computer players with faults, for worker processes."""

from __future__ import annotations

import time

from shopfloor.tables import worker


def raising(game: str, seat: str, level: str, budget: float, dice_seed: int) -> int:
    """A level that always breaks; the others are sound."""
    if level == "greedy":
        raise RuntimeError("this player has a fault")
    return worker.think(game, seat, level, budget, dice_seed)


def wrong(game: str, seat: str, level: str, budget: float, dice_seed: int) -> int:
    """A level that answers with what is not allowed."""
    return 999 if level == "greedy" else worker.think(game, seat, level, budget, dice_seed)


def slow(game: str, seat: str, level: str, budget: float, dice_seed: int) -> int:
    """Takes its time."""
    time.sleep(budget)
    return worker.think(game, seat, "random", budget, dice_seed)
