"""Workshop of the World's map, cards and pieces as data: an edition is a folder with towns.csv, connections.csv,
cards.csv, demand.csv and pieces.csv.

The rulebook names a few towns and connections and prints no lists; the edition that comes with Shopfloor is marked as
reconstructed where it is. An owner of the game can type the real map into the same files.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from functools import lru_cache
from pathlib import Path
from typing import Final

from shopfloor.engine.edition import PROVENANCES, EditionError, Problem, Row, Sheet, edition_hash
from shopfloor.engine.native import remade

TYPES: Final = ("textile", "light", "heavy", "port", "crafts")
VALUES: Final = (4, 3, 3, 2, 2)  # WW-1.4

GENERAL: Final = 0
WILD: Final = 1
SETUP: Final = 2
KINDS: Final = ("general", "wild", "setup")

SETUP_CARDS: Final = 6  # WW-3.5
CARDS: Final = 39  # WW-D.1: also 99 or 159, and so on, if anybody had so many
CARDS_STEP: Final = 60
COLOURS: Final = 5
WIDTH: Final = 870
HEIGHT: Final = 1000

# Where pieces could run out in a game (WW-D.3, WW-D.4); with fewer the rules still say what happens.
ENOUGH_INDUSTRIES: Final = 20
ENOUGH_LINKS: Final = 18
ENOUGH_COUNTERS: Final = 20

LABELS: Final = ("N", "E", "S", "W", "NE", "N2", "E2", "W3")
OWN: Final = Path(__file__).parent / "data"


@dataclass(frozen=True)
class Box:
    """What is in the box: the map, the Town cards and the pieces.

    town_*: one entry a town: ids, names, types (places in `TYPES`), coordinates in board units (0 to 870 and 0 to
    1000, y down), the side on which the name stands. ends_a, ends_b: the towns of each connection; capacity: its
    Links, 1 or 2; crosses: the connection that it crosses on the map, or -1; via: its bend points.
    card_towns: the town of each Town card, -1 for wild ones. demand: counters by type. industries, links: a colour.
    warnings: what an owner should know of an edition that can be played with nevertheless.

    Made from these: town_values, town_connections (ascending), banned (by town, a bit for each connection that
    WW-20.3 and WW-20.4 forbid to who placed there), towns_of_value, setup_cards, other_cards.
    """

    hash: str
    town_ids: tuple[str, ...]
    town_names: tuple[str, ...]
    town_types: tuple[int, ...]
    town_x: tuple[float, ...]
    town_y: tuple[float, ...]
    town_labels: tuple[str, ...]
    connection_ids: tuple[str, ...]
    ends_a: tuple[int, ...]
    ends_b: tuple[int, ...]
    capacity: tuple[int, ...]
    crosses: tuple[int, ...]
    via: tuple[tuple[tuple[float, float], ...], ...]
    card_ids: tuple[str, ...]
    card_kinds: tuple[int, ...]
    card_towns: tuple[int, ...]
    card_values: tuple[int, ...]
    demand: tuple[int, ...]
    industries: int
    links: int
    warnings: tuple[Problem, ...] = ()
    town_values: tuple[int, ...] = field(init=False, compare=False)
    town_connections: tuple[tuple[int, ...], ...] = field(init=False, compare=False)
    banned: tuple[int, ...] = field(init=False, compare=False)
    towns_of_value: tuple[tuple[int, ...], ...] = field(init=False, compare=False)
    setup_cards: tuple[int, ...] = field(init=False, compare=False)
    other_cards: tuple[int, ...] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        towns = range(len(self.town_ids))
        values = tuple(VALUES[t] for t in self.town_types)
        leading: list[list[int]] = [[] for _ in towns]
        for c, (a, b) in enumerate(zip(self.ends_a, self.ends_b, strict=True)):
            leading[a].append(c)
            leading[b].append(c)
        banned = [sum({1 << self.crosses[c] for c in leading[t] if self.crosses[c] >= 0}) for t in towns]
        cards = range(len(self.card_ids))
        made = {
            "town_values": values,
            "town_connections": tuple(tuple(found) for found in leading),
            "banned": tuple(banned),
            "towns_of_value": tuple(tuple(t for t in towns if values[t] == v) for v in range(5)),
            "setup_cards": tuple(card for card in cards if self.card_kinds[card] == SETUP),
            "other_cards": tuple(card for card in cards if self.card_kinds[card] != SETUP),
        }
        for name, value in made.items():
            object.__setattr__(self, name, value)

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return remade(self)

    def card_places(self, card: int) -> tuple[int, ...]:
        """The towns in which a Town card allows to place (WW-6.3, WW-6.4)."""
        town = self.card_towns[card]
        return (town,) if town >= 0 else self.towns_of_value[self.card_values[card]]

    def far_end(self, connection: int, town: int) -> int:
        """The other town of a connection."""
        return self.ends_a[connection] + self.ends_b[connection] - town


def plain_name(text: str) -> str:
    """A name as commands know it: letters and digits only."""
    return " ".join(re.findall(r"[a-z0-9]+", text.lower()))


# -- reading ------------------------------------------------------------------------------------------------------


class _Ids:
    """Names of one kind, which must differ, also as people type them."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.lines: dict[str, int] = {}
        self.places: dict[str, int] = {}

    def read(self, row: Row, column: str) -> str:
        name = row.text(column)
        plain = plain_name(name)
        if name and not plain:
            row.problem(f"the {column} '{name[:40]}' has neither letters nor digits", "it is typed in commands")
        elif plain in self.lines:
            why = f"every {self.what} has a{'n' if column == 'id' else ''} {column} of its own"
            row.problem(f"the {column} '{name[:40]}' is already in line {self.lines[plain]}", why)
        else:
            self.lines[plain] = row.line
            self.places[name] = len(self.places)
        return name


def _provenance(row: Row, column: str) -> None:
    """Free text, as long as it says in one of the known words where a fact comes from."""
    known = (*PROVENANCES, "deduced")
    text = row.text(column)
    if text and not any(word in text for word in known):
        row.problem(f"column '{column}' is '{text[:40]}'", f"it must say one of: {', '.join(known)}")


def _number(row: Row, column: str, text: str, high: int) -> float:
    """A coordinate in board units."""
    text = text.strip()
    if re.fullmatch(r"\d{1,4}(\.\d{1,3})?", text, re.ASCII):
        value = float(text)
        if math.isfinite(value) and value <= high:
            return value
    row.problem(f"column '{column}' is '{text[:40]}'", f"it must be a number from 0 to {high}")
    return 0.0


def _points(row: Row, column: str) -> tuple[tuple[float, float], ...]:
    """Bend points such as `271:123 308:180`; may be empty."""
    if row.blank(column):
        return ()
    points = []
    for part in row.text(column).split():
        x, colon, y = part.partition(":")
        if not colon:
            row.problem(f"column '{column}' has '{part[:40]}'", "a bend point is written x:y")
            return ()
        points.append((_number(row, column, x, WIDTH), _number(row, column, y, HEIGHT)))
    return tuple(points)


@dataclass
class _Towns:
    ids: list[str]
    names: list[str]
    types: list[int]
    x: list[float]
    y: list[float]
    labels: list[str]
    places: dict[str, int]


def _read_towns(sheet: Sheet) -> _Towns:
    ids, names = _Ids("town"), _Ids("town")
    towns = _Towns([], [], [], [], [], [], names.places)
    for row in sheet.rows:
        towns.ids.append(ids.read(row, "id"))
        towns.names.append(names.read(row, "name"))
        kind = TYPES.index(row.choice("type", TYPES))
        towns.types.append(kind)
        value = row.integer("value", 1, 9)
        if value != VALUES[kind]:
            row.problem(f"the value is {value}", f"a {TYPES[kind]} town has the value {VALUES[kind]}")
        towns.x.append(_number(row, "x", row.text("x"), WIDTH))
        towns.y.append(_number(row, "y", row.text("y"), HEIGHT))
        towns.labels.append(row.choice("label", LABELS))
        _provenance(row, "name_provenance")
        _provenance(row, "type_provenance")
    return towns


@dataclass
class _Connections:
    ids: list[str]
    a: list[int]
    b: list[int]
    capacity: list[int]
    crosses: list[int]
    via: list[tuple[tuple[float, float], ...]]


def _town(row: Row, column: str, towns: _Towns) -> int:
    """The town named in a column; -1, and a problem noted, if there is none."""
    name = row.text(column)
    if name and name not in towns.places:
        row.problem(f"column '{column}' is '{name[:40]}'", "there is no such town in towns.csv")
    return towns.places.get(name, -1)


def _read_connections(sheet: Sheet, towns: _Towns) -> _Connections:
    ids = _Ids("connection")
    found = _Connections([], [], [], [], [], [])
    seen: dict[tuple[int, int], int] = {}
    typed: dict[str, int] = {}
    crossing: list[tuple[Row, int, str]] = []
    for row in sheet.rows:
        found.ids.append(ids.read(row, "id"))
        a, b = _town(row, "a", towns), _town(row, "b", towns)
        pair = (min(a, b), max(a, b))
        known = a >= 0 and b >= 0
        if known and a == b:
            row.problem(f"it joins {towns.names[a]} with itself", "a connection joins two towns")
        elif known and pair in seen:
            row.problem(f"the same towns as line {seen[pair]}", "two towns have one connection, single or double")
        elif known:
            seen[pair] = row.line
            name = plain_name(f"{towns.names[a]} {towns.names[b]}")
            back = plain_name(f"{towns.names[b]} {towns.names[a]}")
            if name in typed or back in typed:
                what = f"'{name}' is also what line {typed.get(name, typed.get(back, 0))} is called"
                row.problem(what, "names of connections are typed in commands and must differ")
            typed[name] = typed[back] = row.line
        found.a.append(a)
        found.b.append(b)
        found.capacity.append(row.integer("links", 1, 2))
        found.crosses.append(-1)
        if not row.blank("crosses"):
            crossing.append((row, len(found.ids) - 1, row.text("crosses")))
        found.via.append(_points(row, "via_xy"))
        _provenance(row, "provenance")
    for row, c, other in crossing:
        if other not in found.ids:
            row.problem(f"it crosses '{other[:40]}'", "there is no such connection in this file")
        else:
            found.crosses[c] = found.ids.index(other)
    for row, c, other in crossing:
        d = found.crosses[c]
        if d >= 0 and found.crosses[d] != c:
            row.problem(f"it crosses '{other}', which does not cross it", "both lines of a crossing name the other")
        elif d >= 0 and {found.a[c], found.b[c]} & {found.a[d], found.b[d]}:
            row.problem(f"it crosses '{other}', with which it shares a town", "connections that cross have four towns")
    for t, name in enumerate(towns.names):
        if sheet.rows and t not in found.a and t not in found.b:
            what = f"no connection leads to {name}"
            sheet.problems.append(Problem(sheet.name, 0, what, "every town has at least one"))
    return found


@dataclass
class _Deck:
    ids: list[str]
    kinds: list[int]
    towns: list[int]
    values: list[int]


def _read_cards(sheet: Sheet, towns: _Towns) -> _Deck:
    ids = _Ids("Town card")
    deck = _Deck([], [], [], [])
    for row in sheet.rows:
        deck.ids.append(ids.read(row, "id"))
        kind = KINDS.index(row.choice("kind", KINDS))
        value = row.integer("value", 2, 4)
        _provenance(row, "provenance")
        town = -1
        if kind == WILD:
            if not row.blank("town"):
                row.problem("a wild card names a town", "leave the town empty, or change the kind")
            elif not any(VALUES[t] == value for t in towns.types):
                row.problem(f"a wild card of the value {value}", "there is no town of this value")
        elif row.blank("town"):
            row.problem("no town is named", "only a wild card does without")
        else:
            town = _town(row, "town", towns)
            if town >= 0 and value != VALUES[towns.types[town]]:
                row.problem(f"the value is {value}", f"{towns.names[town]} has {VALUES[towns.types[town]]}")
        deck.kinds.append(kind)
        deck.towns.append(town)
        deck.values.append(value)
    if sheet.rows:
        _check_deck(sheet, deck)
    return deck


def _check_deck(sheet: Sheet, deck: _Deck) -> None:
    setup = deck.kinds.count(SETUP)
    if setup != SETUP_CARDS:
        why = f"the rulebook counts {SETUP_CARDS}"
        sheet.problems.append(Problem(sheet.name, 0, f"{setup} set-up cards", why))
    if len(deck.ids) < CARDS or len(deck.ids) % CARDS_STEP != CARDS:  # WW-D.1
        what = f"bad_card_count: {len(deck.ids)} Town cards"
        why = f"rounds come out even only with {CARDS}, {CARDS + CARDS_STEP}, {CARDS + 2 * CARDS_STEP} and so on"
        sheet.problems.append(Problem(sheet.name, 0, what, why))


def _read_demand(sheet: Sheet) -> tuple[int, ...]:
    counts: Counter[str] = Counter()
    seen: dict[str, int] = {}
    for row in sheet.rows:
        kind = row.choice("type", TYPES)
        if kind in seen:
            row.problem(f"the type '{kind}' is already in line {seen[kind]}", "one line for each type")
        seen[kind] = row.line
        counts[kind] += row.integer("counters", 0, 99)
        _provenance(row, "provenance")
    missing = [kind for kind in TYPES if kind not in seen]
    if sheet.rows and missing:
        sheet.problems.append(Problem(sheet.name, 0, f"no line for {', '.join(missing)}", "one line for each type"))
    return tuple(counts[kind] for kind in TYPES)


def _read_pieces(sheet: Sheet) -> tuple[int, int]:
    """Industries and Links of a colour; other lines are for people only."""
    counts = {"industry": 0, "link": 0}
    found: set[str] = set()
    for row in sheet.rows:
        piece = plain_name(row.text("piece")).split(" ")[0]
        if piece not in counts:
            continue
        if row.text("per") != "colour":
            row.problem(f"column 'per' is '{row.text('per')[:40]}'", f"each colour has its own: {piece} per colour")
        if piece in found:
            row.problem(f"a second line for {piece}", "one line for each piece")
        found.add(piece)
        # WW-A.58: the marker on the Turn order chart and the one on the Revenue track are Industries too.
        counts[piece] = row.integer("count", 3 if piece == "industry" else 1, 99)
        _provenance(row, "provenance")
    missing = [piece for piece in counts if piece not in found]
    if sheet.rows and missing:
        sheet.problems.append(Problem(sheet.name, 0, f"no line for {', '.join(missing)}", "each colour has its pieces"))
    return counts["industry"], counts["link"]


def _warnings(demand: Sequence[int], industries: int, links: int) -> tuple[Problem, ...]:
    found = []
    if industries < ENOUGH_INDUSTRIES:
        why = f"from {ENOUGH_INDUSTRIES} on they cannot run out; with fewer they are moved on the map (WW-A.21)"
        found.append(Problem("pieces.csv", 0, f"{industries} Industries a colour", why))
    if links < ENOUGH_LINKS:
        why = f"from {ENOUGH_LINKS} on they cannot run out"
        found.append(Problem("pieces.csv", 0, f"{links} Links a colour", why))
    if sum(demand) < ENOUGH_COUNTERS:
        why = f"from {ENOUGH_COUNTERS} on they cannot run out; with fewer somebody draws none (WW-A.43)"
        found.append(Problem("demand.csv", 0, f"{sum(demand)} Demand counters", why))
    return tuple(found)


def load(folder: Path | None = None) -> Box:
    """The edition in a folder (None: the one that comes with Shopfloor). Raises EditionError with every fault."""
    return _own() if folder is None else _load(folder)


@lru_cache(maxsize=1)
def _own() -> Box:
    return _load(OWN)


def _load(folder: Path) -> Box:
    problems: list[Problem] = []
    town_columns = ("id", "name", "type", "value", "x", "y", "label", "name_provenance", "type_provenance")
    towns_sheet = Sheet(folder, "towns.csv", town_columns, problems)
    connection_columns = ("id", "a", "b", "links", "crosses", "via_xy", "provenance")
    connections_sheet = Sheet(folder, "connections.csv", connection_columns, problems)
    cards_sheet = Sheet(folder, "cards.csv", ("id", "kind", "town", "value", "provenance"), problems)
    demand_sheet = Sheet(folder, "demand.csv", ("type", "counters", "provenance"), problems)
    pieces_sheet = Sheet(folder, "pieces.csv", ("piece", "count", "per", "provenance"), problems)
    sheets = (towns_sheet, connections_sheet, cards_sheet, demand_sheet, pieces_sheet)
    if not problems:
        for sheet in sheets:
            if not sheet.rows:
                problems.append(Problem(sheet.name, 0, "there are no lines after the first", "its things are missing"))
    if any(not sheet.rows for sheet in sheets):
        raise EditionError(problems)
    towns = _read_towns(towns_sheet)
    connections = _read_connections(connections_sheet, towns)
    deck = _read_cards(cards_sheet, towns)
    demand = _read_demand(demand_sheet)
    industries, links = _read_pieces(pieces_sheet)
    if problems:
        places = [sheet.name for sheet in sheets]
        raise EditionError(sorted(problems, key=lambda p: (places.index(p.file), p.line == 0, p.line)))
    return Box(
        hash=edition_hash(sheets),
        town_ids=tuple(towns.ids),
        town_names=tuple(towns.names),
        town_types=tuple(towns.types),
        town_x=tuple(towns.x),
        town_y=tuple(towns.y),
        town_labels=tuple(towns.labels),
        connection_ids=tuple(connections.ids),
        ends_a=tuple(connections.a),
        ends_b=tuple(connections.b),
        capacity=tuple(connections.capacity),
        crosses=tuple(connections.crosses),
        via=tuple(connections.via),
        card_ids=tuple(deck.ids),
        card_kinds=tuple(deck.kinds),
        card_towns=tuple(deck.towns),
        card_values=tuple(deck.values),
        demand=demand,
        industries=industries,
        links=links,
        warnings=_warnings(demand, industries, links),
    )


def fixture(**changes: object) -> Box:
    """The edition that comes with Shopfloor with some fields replaced: for tests and experiments."""
    own = _own()
    values: dict[str, object] = {f.name: getattr(own, f.name) for f in fields(own) if f.init}
    values.update(changes)
    return Box(**values)  # type: ignore[arg-type]
