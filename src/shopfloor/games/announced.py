"""Games that are being made: the shelf shows their boxes, and says honestly that they cannot be played yet."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final


@dataclass(frozen=True)
class Announced:
    """A game on the workbench.

    house: the ink of its box, one of the six of the printer. before: the game that stands to the right of it.
    """

    id: str
    title: str
    blurb: str
    players: str
    minutes: int
    house: str
    before: str

    @property
    def folder(self) -> Path:
        return Path(__file__).parent / self.id


ANNOUNCED: Final[tuple[Announced, ...]] = ()
