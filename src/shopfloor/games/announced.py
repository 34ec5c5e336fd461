"""Games that are being made: the shelf shows their boxes, and says honestly that they cannot be played yet."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final


@dataclass(frozen=True)
class Announced:
    """A game on the workbench. house: the ink of its box, one of the six of the printer."""

    id: str
    title: str
    blurb: str
    players: str
    minutes: int
    house: str

    @property
    def folder(self) -> Path:
        return Path(__file__).parent / self.id


ANNOUNCED: Final = (
    Announced(
        "worker_placement",
        "Worker Placement",
        "Run a temp agency. Send your people out, fill the strangest jobs.",
        "2–5",
        60,
        "teal",
    ),
    Announced(
        "workshop_of_the_world",
        "Workshop of the World",
        "Canals, then railways, between the mills and ports of Britain.",
        "2–5",
        75,
        "slate",
    ),
    Announced(
        "men_at_work",
        "Men at Work",
        "Stack girders and workers with a steady hand. Nothing may fall.",
        "2–5",
        30,
        "oxide",
    ),
    Announced(
        "temp_worker_assassins",
        "Temp Worker Assassins",
        "Monsters run the office. You are armed with stationery.",
        "2–4",
        45,
        "plum",
    ),
)
