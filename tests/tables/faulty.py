"""Computer players with faults, for worker processes."""

from __future__ import annotations

import time

from shopfloor.tables import worker


def raising(game: str, seat: str, level: str, budget: float, dice_seed: int, processes: int = 1) -> int:
    """A level that always breaks; the others are sound."""
    if level == "greedy":
        raise RuntimeError("this player has a fault")
    return worker.think(game, seat, level, budget, dice_seed, processes)


def wrong(game: str, seat: str, level: str, budget: float, dice_seed: int, processes: int = 1) -> int:
    """A level that answers with what is not allowed."""
    return 999 if level == "greedy" else worker.think(game, seat, level, budget, dice_seed, processes)


def greedy_eater(game: str, seat: str, level: str, budget: float, dice_seed: int, processes: int = 1) -> int:
    """A level that wants more memory than there is for it."""
    if level == "greedy":
        return len(bytearray(3 << 30))
    return worker.think(game, seat, level, budget, dice_seed, processes)


def endless(game: str, seat: str, level: str, budget: float, dice_seed: int, processes: int = 1) -> int:
    """A level that does not come to an end."""
    while level == "greedy":
        time.sleep(0.05)
    return worker.think(game, seat, level, budget, dice_seed, processes)


def only_random(game: str, seat: str, level: str, budget: float, dice_seed: int, processes: int = 1) -> int:
    """All levels break but the lowest."""
    if level != "random":
        raise RuntimeError("this player has a fault")
    return worker.think(game, seat, level, budget, dice_seed, processes)


def slow(game: str, seat: str, level: str, budget: float, dice_seed: int, processes: int = 1) -> int:
    """Takes its time."""
    time.sleep(budget)
    return worker.think(game, seat, "random", budget, dice_seed, processes)


def raising_at_every_level(game: str, seat: str, level: str, budget: float, dice_seed: int, processes: int = 1) -> int:
    """Nothing here can think: not even the lowest level."""
    raise RuntimeError("there is no memory left")
