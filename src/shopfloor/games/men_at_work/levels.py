"""How good computers build: the levels that there are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Level:
    """How good a builder is.

    thoughts: places it thinks of for a piece; trials: how many it tries; finalists: how many of those it rehearses,
    so many times each: rehearsals. efforts: so often a place is looked for, each time harder, before there is none.
    aim: mm, standard deviation of where a piece ends; tilt: radians; tremor: mm; speed: mm/s. eager: how often it looks
    for the highest places first, once there are awards. ahead: trials for the piece after the one in question. site:
    the starting site that it lays out, by its place in PRESETS. own: how often it lays out one of its own.
    """

    name: str
    thoughts: int
    trials: int
    finalists: int
    rehearsals: int
    efforts: int
    aim: float
    tilt: float
    tremor: float
    speed: float
    eager: float
    ahead: int
    site: int
    own: float


LEVELS: Final = (
    Level("apprentice", 60, 6, 1, 1, 2, 3.0, 0.036, 1.2, 320.0, 0.4, 4, 0, 0.0),
    Level("journeyman", 100, 12, 2, 2, 3, 1.8, 0.022, 0.7, 300.0, 0.7, 8, 0, 0.2),
    Level("master", 160, 20, 3, 3, 3, 0.8, 0.010, 0.29, 270.0, 0.9, 14, 1, 0.4),
    Level("foreman", 240, 32, 3, 6, 6, 0.2, 0.002, 0.08, 250.0, 1.0, 20, 1, 0.4),
)


def level(name: str) -> Level:
    """Raises ValueError for a level that there is not."""
    for known in LEVELS:
        if known.name == name:
            return known
    raise ValueError(f"there is no builder '{name[:40]}'; there is {', '.join(known.name for known in LEVELS)}")
