"""The instruction cards and the pieces' shapes as data: an edition is a folder with cards.csv and pieces.json.

cards.csv holds both sides of every card: the deck side (a girder or a helmet with two colours) and the discard side
(a girder instruction and a worker instruction). pieces.json holds shapes, masses and the starting sites; a folder
without one goes with the shapes that come with Shopfloor. Lengths are in millimetres, masses in grams.
"""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from shopfloor.engine.edition import PROVENANCES, EditionError, Problem, Row, Sheet, edition_hash
from shopfloor.games.men_at_work.pieces import COLOURS, COUNTS, GIRDER, KIND_NAMES, PART_NAMES

CARDS: Final = 36  # MW-1.4
RITA: Final = CARDS  # her number among the cards
RITA_ID: Final = "rita"
HELMET: Final = 1
KINDS: Final = ("girder", "helmet")
BLANK: Final = -1

GIRDER_HOW: Final = (
    "BALANCE",
    "SAME_COLOUR",
    "TWO_OTHER_COLOURS",
    "TOUCH_HIGHEST",
    "WITH_WORKER",
    "STRONG_WORKER",
    "NEW_SUPPORT_SAME",
    "NEW_SUPPORT_DIFFERENT",
    "NEW_SUPPORT_ON_GIRDER",
    "TOUCH_SUPPORT",
    "TRANSPORT_BRICK",
    "HIGHEST_GIRDER",
)
WORKER_HOW: Final = (
    "ONE_BRICK",
    "TWO_BRICKS",
    "ONE_BEAM",
    "TWO_BEAMS",
    "BRICK_AND_BEAM",
    "NEAR_EDGE",
    "TRANSPORT_BEAM",
    "CONNECT",
    "ADDITIONAL_WORKER",
)
COLUMNS: Final = (
    "id",
    "deck_kind",
    "deck_colour_1",
    "deck_colour_2",
    "girder_instruction",
    "worker_instruction",
    "deck_kind_18_18",
    "provenance",
)
PRESETS: Final = ("beginner", "advanced", "expert")  # MW-3.10
OWN: Final = Path(__file__).parent / "data"

Box = tuple[float, float, float, float, float, float]
"""A cuboid in its piece's frame: its three sizes, then its centre."""


@dataclass(frozen=True)
class Item:
    """One piece of a starting site. kind: one of KIND_NAMES by number; colour: of a girder, else -1.

    position: x, y, z of its middle. lying: a support on its side. yaw: degrees about z.
    """

    kind: int
    colour: int
    position: tuple[float, float, float]
    lying: bool
    yaw: float


@dataclass(frozen=True, eq=False)
class Shapes:
    """What the pieces are made like.

    boxes: the cuboids of each kind, in the order of KIND_NAMES; a worker's in the order of PART_NAMES.
    masses: of a piece of each kind. hat_seat: where a worn hat is in its worker's frame.
    presets: starting sites by name; those of the variants begin with `crane_` and `skyscraper_`.
    raw: the file, for who draws or simulates the pieces.
    """

    boxes: tuple[tuple[Box, ...], ...]
    masses: tuple[float, ...]
    hat_seat: tuple[float, float, float]
    crane: tuple[Box, ...]
    platform: tuple[Box, ...]
    presets: dict[str, tuple[Item, ...]]
    raw: dict[str, Any]

    @property
    def girder_length(self) -> float:
        return self.boxes[GIRDER][0][0]

    @property
    def girder_height(self) -> float:
        return self.boxes[GIRDER][0][2]


@dataclass(frozen=True)
class Cards:
    """The instruction cards by number, 0 to 35; 36 is Boss Rita, whose discard side is empty.

    whats: of the deck side (0 girder, 1 helmet; -1 where Rita has none), with 24 girder and 12 helmet cards.
    whats_even: the same with 18 of each. colours: the two of the deck side, as places in COLOURS.
    girder_how, worker_how: places in GIRDER_HOW and WORKER_HOW.
    """

    hash: str
    ids: tuple[str, ...]
    whats: tuple[int, ...]
    whats_even: tuple[int, ...]
    colours: tuple[tuple[int, int], ...]
    girder_how: tuple[int, ...]
    worker_how: tuple[int, ...]
    provenance: tuple[str, ...]
    shapes: Shapes

    def __hash__(self) -> int:
        """By the edition's own hash: what is worked out once an edition is found by it again and again."""
        return hash(self.hash)


@dataclass(frozen=True)
class _Card:
    id: str
    what: int
    even: int
    colours: tuple[int, int]
    girder: int
    worker: int
    provenance: str


def _read_card(row: Row) -> _Card:
    card = row.text("id")
    rita = card == RITA_ID
    if rita and row.blank("deck_kind"):  # MW-A.6 (b)
        return _Card(card, BLANK, BLANK, (BLANK, BLANK), BLANK, BLANK, row.choice("provenance", PROVENANCES))
    what = KINDS.index(row.choice("deck_kind", KINDS))
    even = KINDS.index(row.choice("deck_kind_18_18", KINDS))
    first = COLOURS.index(row.choice("deck_colour_1", COLOURS))
    second = COLOURS.index(row.choice("deck_colour_2", COLOURS))
    if first == second and row.text("deck_colour_1") == row.text("deck_colour_2"):
        row.problem(f"both colours are {COLOURS[first]}", "a card shows two different colours (MW-A.13)")
    girder = worker = BLANK
    if not rita:
        girder = GIRDER_HOW.index(row.choice("girder_instruction", GIRDER_HOW))
        worker = WORKER_HOW.index(row.choice("worker_instruction", WORKER_HOW))
    elif not (row.blank("girder_instruction") and row.blank("worker_instruction")):
        row.problem("Boss Rita has instructions", "her card has no discard side")
    return _Card(card, what, even, (first, second), girder, worker, row.choice("provenance", PROVENANCES))


def _read_cards(sheet: Sheet) -> list[_Card]:
    found: list[_Card] = []
    seen: dict[str, int] = {}
    for row in sheet.rows:
        card = _read_card(row)
        if card.id in seen:
            row.problem(f"the id '{card.id}' is already in line {seen[card.id]}", "every card has an id of its own")
        seen[card.id] = row.line
        if not card.id.isascii() or not card.id.isalnum():
            row.problem(f"the id is '{card.id[:40]}'", "an id is made of letters and digits")
        found.append(card)
    if not sheet.rows:
        if sheet.bytes and not sheet.problems:
            sheet.problems.append(Problem(sheet.name, 0, "there are no lines after the first", "the cards are missing"))
        return found
    plain = [card for card in found if card.id != RITA_ID]
    if len(plain) != CARDS:
        what = f"{len(plain)} instruction cards"
        sheet.problems.append(Problem(sheet.name, 0, what, f"the rulebook counts {CARDS}"))
    ritas = len(found) - len(plain)
    if ritas != 1:
        what = f"{ritas} cards with the id {RITA_ID}"
        sheet.problems.append(Problem(sheet.name, 0, what, "there is exactly one Boss Rita card"))
    for how, names in (("girder", GIRDER_HOW), ("worker", WORKER_HOW)):
        used = {card.girder if how == "girder" else card.worker for card in plain}
        lacking = [name for i, name in enumerate(names) if i not in used]
        if lacking and len(plain) == CARDS and not sheet.problems:
            what = f"no card has the {how} instruction {', '.join(lacking)}"
            sheet.problems.append(Problem(sheet.name, 0, what, "every instruction of the rulebook is on some card"))
    return plain + [card for card in found if card.id == RITA_ID]


# -- shapes -------------------------------------------------------------------------------------------------------


class _Wrong(Exception):
    """Something in pieces.json is not as it must be."""


def _number(value: Any, what: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise _Wrong(f"{what} is {str(value)[:40]!r}; it must be a number")
    return float(value)


def _boxes(piece: Any, what: str) -> tuple[Box, ...]:
    boxes = []
    for part in piece["parts"]:
        size = [_number(v, f"a size of the {what}") for v in part["size"]]
        centre = [_number(v, f"a centre of the {what}") for v in part["center"]]
        if len(size) != 3 or len(centre) != 3 or min(size) <= 0:
            raise _Wrong(f"a part of the {what} needs three positive sizes and a centre of three numbers")
        boxes.append((size[0], size[1], size[2], centre[0], centre[1], centre[2]))
    return tuple(boxes)


def _items(raw: Any, preset: str) -> tuple[Item, ...]:
    items = []
    for item in raw["items"]:
        kind = item.get("piece")
        if kind not in KIND_NAMES:
            raise _Wrong(f"the site {preset} has a piece {str(kind)[:40]!r}; known are: {', '.join(KIND_NAMES)}")
        colour = item.get("colour")
        if kind == "girder" and colour not in COLOURS:
            raise _Wrong(f"the site {preset} has a girder in {str(colour)[:40]!r}; known are: {', '.join(COLOURS)}")
        x, y, z = (_number(v, f"a position of the site {preset}") for v in item["pose"])
        yaw = _number(item.get("yaw", 0), f"a yaw of the site {preset}")
        number = COLOURS.index(colour) if kind == "girder" else -1
        items.append(Item(KIND_NAMES.index(kind), number, (x, y, z), bool(item.get("lying", False)), yaw))
    return tuple(items)


def _read_shapes(text: str) -> Shapes:
    raw = json.loads(text)
    if not isinstance(raw, dict):
        raise _Wrong("the file must hold one object")
    pieces = raw["pieces"]
    for kind, name in enumerate(KIND_NAMES):
        if pieces[name]["count"] != COUNTS[kind]:
            raise _Wrong(f"{pieces[name]['count']} pieces of the kind {name}; the rulebook counts {COUNTS[kind]}")
    names = [part.get("name") for part in pieces["worker"]["parts"]]
    if names != list(PART_NAMES):
        raise _Wrong(f"the worker's parts are {names}; they must be {list(PART_NAMES)} in this order")
    seat = [_number(v, "the hat seat") for v in pieces["worker"]["hat_seat"]["center"]]
    wanted = [f"{prefix}{preset}" for prefix in ("", "crane_", "skyscraper_") for preset in PRESETS]
    return Shapes(
        boxes=tuple(_boxes(pieces[name], name) for name in KIND_NAMES),
        masses=tuple(_number(pieces[name]["mass_g"], f"the mass of a {name}") for name in KIND_NAMES),
        hat_seat=(seat[0], seat[1], seat[2]),
        crane=_boxes(pieces["crane"], "crane"),
        platform=_boxes(pieces["platform"], "platform"),
        presets={preset: _items(raw["presets"][preset], preset) for preset in wanted},
        raw=raw,
    )


def _shapes(folder: Path, problems: list[Problem]) -> tuple[Shapes | None, str]:
    file = folder / "pieces.json"
    if not file.exists():
        file = OWN / "pieces.json"
    try:
        text = file.read_text(encoding="utf-8")
        return _read_shapes(text), text
    except _Wrong as error:
        problems.append(Problem("pieces.json", 0, str(error), "the file that comes with Shopfloor shows how it is"))
    except KeyError as error:
        problems.append(Problem("pieces.json", 0, f"{error} is missing", "every piece and starting site is needed"))
    except (OSError, ValueError, TypeError, AttributeError) as error:
        problems.append(Problem("pieces.json", 0, f"the file cannot be used ({error})", "it must be JSON in UTF-8"))
    return None, ""


def load(folder: Path | None = None) -> Cards:
    """The edition in a folder (None: the one that comes with Shopfloor). Raises EditionError with every fault."""
    return _own() if folder is None else _load(folder)


@lru_cache(maxsize=1)
def _own() -> Cards:
    return _load(OWN)


def _load(folder: Path) -> Cards:
    problems: list[Problem] = []
    sheet = Sheet(folder, "cards.csv", COLUMNS, problems)
    found = _read_cards(sheet)
    shapes, text = _shapes(folder, problems)
    if problems or shapes is None:
        raise EditionError(problems)
    normal = json.dumps(json.loads(text), sort_keys=True)
    return Cards(
        hash=hashlib.sha256(f"{edition_hash([sheet])}\0{normal}".encode()).hexdigest()[:16],
        ids=tuple(card.id for card in found),
        whats=tuple(card.what for card in found),
        whats_even=tuple(card.even for card in found),
        colours=tuple(card.colours for card in found),
        girder_how=tuple(card.girder for card in found),
        worker_how=tuple(card.worker for card in found),
        provenance=tuple(card.provenance for card in found),
        shapes=shapes,
    )


def fixture(**changes: object) -> Cards:
    """The edition that comes with Shopfloor with some fields replaced: for tests and experiments."""
    own = _own()
    values: dict[str, object] = {name: getattr(own, name) for name in own.__dataclass_fields__}
    values.update(changes)
    return Cards(**values)  # type: ignore[arg-type]
