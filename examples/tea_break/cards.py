"""Tea Break's plates as data: an edition is a folder with plates.csv."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from shopfloor.engine.edition import PROVENANCES, EditionError, Problem, Sheet, edition_hash

PLATES: Final = 6  # TB-1
CARDS: Final = 6  # TB-1
MOST: Final = 99  # biscuits on a plate
OWN: Final = Path(__file__).parent / "data"


@dataclass(frozen=True)
class Plates:
    """What is on the plates. names, biscuits: one entry a plate."""

    hash: str
    names: tuple[str, ...]
    biscuits: tuple[int, ...]


def load(folder: Path | None = None) -> Plates:
    """The edition in a folder, or our own. Raises EditionError with every fault."""
    problems: list[Problem] = []
    sheet = Sheet(folder or OWN, "plates.csv", ("plate", "biscuits", "provenance"), problems)
    names, biscuits = [], []
    for row in sheet.rows:
        names.append(row.text("plate"))
        biscuits.append(row.integer("biscuits", 1, MOST))
        row.choice("provenance", PROVENANCES)
    if sheet.rows and len(names) != PLATES:
        problems.append(Problem(sheet.name, 0, f"{len(names)} plates", f"the game has exactly {PLATES}"))
    if problems:
        raise EditionError(problems)
    return Plates(edition_hash([sheet]), tuple(names), tuple(biscuits))
