"""What the site measured: poses, heights, contacts and what fell, when a decision had had its way.

The rules judge outcomes and records keep them; they never ask how they came about. All numbers are whole: lengths
in micrometres, quaternions in ten-millionths, forces in thousandths of a weight.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from shopfloor.engine.native import remade
from shopfloor.engine.refusals import IllegalAction, Refusal
from shopfloor.games.men_at_work.pieces import CRANE, GIRDER, HAT, KIND, LENGTH, PART_NAMES, PIECES, POSE, TURN, WORKER

FARTHEST: Final = 2000 * LENGTH
"""No piece is farther from the middle of the table."""

# What an accident was (MW-J.11 to MW-J.14, MW-A.52).
ACCIDENTS: Final = ("surface", "worker", "platform", "floor", "support", "crane")


@dataclass(init=False, unsafe_hash=True)
class Contact:
    """Two bodies touch (MW-J.1). `a` is a piece, `b` another one or something fixed.

    part_a, part_b: the part of a worker that is touched, else 0.
    up_a: the force with which b carries a, in thousandths of a's weight; up_b: the same for b on a.
    span_a, span_b: for girders, where along them the contact patch lies: from, to, measured from one end.
    """

    a: Final[int]
    b: Final[int]
    part_a: Final[int]
    part_b: Final[int]
    up_a: Final[int]
    up_b: Final[int]
    span_a: Final[tuple[int, int]]
    span_b: Final[tuple[int, int]]

    # Written out: what `dataclass` makes is never compiled, and many of these are made.
    def __init__(
        self,
        a: int,
        b: int,
        part_a: int = 0,
        part_b: int = 0,
        up_a: int = 0,
        up_b: int = 0,
        span_a: tuple[int, int] = (0, 0),
        span_b: tuple[int, int] = (0, 0),
    ) -> None:
        self.a = a
        self.b = b
        self.part_a = part_a
        self.part_b = part_b
        self.up_a = up_a
        self.up_b = up_b
        self.span_a = span_a
        self.span_b = span_b

    def numbers(self) -> list[int]:
        return [self.a, self.b, self.part_a, self.part_b, self.up_a, self.up_b, *self.span_a, *self.span_b]


@dataclass(frozen=True)
class Accident:
    """kind: one of ACCIDENTS. piece: what fell or touched; on: what it touched."""

    kind: str
    piece: int
    on: int

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return remade(self)


@dataclass(init=False, unsafe_hash=True)
class Outcome:
    """The site after a decision.

    poses: for every piece on the site, ascending: piece, x, y, z, then the quaternion w, x, y, z.
    tops: for the same pieces, the height of the topmost point; a worker's with the hat that he wears.
    contacts: all of them. worn: (hat, worker) for each hat on its head.
    covers: (upper girder, lower girder, thousandths of the lower one's upper face that the upper one covers).
    settled: everything is at rest. accident: the first one that was seen. fell: pieces that fell (MW-J.9).
    touched: pieces that the hand itself touched, where the hand is a body (MW-J.22).
    """

    poses: Final[tuple[tuple[int, ...], ...]]
    tops: Final[tuple[tuple[int, int], ...]]
    contacts: Final[tuple[Contact, ...]]
    worn: Final[tuple[tuple[int, int], ...]]
    covers: Final[tuple[tuple[int, int, int], ...]]
    settled: Final[bool]
    accident: Final[Accident | None]
    fell: Final[tuple[int, ...]]
    touched: Final[tuple[int, ...]]

    def __init__(
        self,
        poses: tuple[tuple[int, ...], ...] = (),
        tops: tuple[tuple[int, int], ...] = (),
        contacts: tuple[Contact, ...] = (),
        worn: tuple[tuple[int, int], ...] = (),
        covers: tuple[tuple[int, int, int], ...] = (),
        settled: bool = True,
        accident: Accident | None = None,
        fell: tuple[int, ...] = (),
        touched: tuple[int, ...] = (),
    ) -> None:
        self.poses = poses
        self.tops = tops
        self.contacts = contacts
        self.worn = worn
        self.covers = covers
        self.settled = settled
        self.accident = accident
        self.fell = fell
        self.touched = touched

    def pieces(self) -> tuple[int, ...]:
        return tuple(pose[0] for pose in self.poses)

    def plain(self) -> dict[str, object]:
        """The outcome as JSON holds it; `read` is the way back."""
        value: dict[str, object] = {
            "poses": [list(pose) for pose in self.poses],
            "tops": [list(top) for top in self.tops],
            "contacts": [contact.numbers() for contact in self.contacts],
            "worn": [list(pair) for pair in self.worn],
            "covers": [list(cover) for cover in self.covers],
            "settled": self.settled,
            "fell": list(self.fell),
        }
        if self.accident is not None:
            value["accident"] = [self.accident.kind, self.accident.piece, self.accident.on]
        if self.touched:
            value["touched"] = list(self.touched)
        return value

    def encode(self) -> str:
        return json.dumps(self.plain(), separators=(",", ":"))


def refuse(what: str) -> IllegalAction:
    return IllegalAction(Refusal("BAD_OUTCOME", "MW-S.7", {"what": what}))


def _ints(value: object, what: str, size: int | None = None) -> tuple[int, ...]:
    if not isinstance(value, list) or (size is not None and len(value) != size):
        raise refuse(f"{what} must be a list of {'whole numbers' if size is None else f'{size} whole numbers'}")
    for number in value:
        if isinstance(number, bool) or not isinstance(number, int) or abs(number) > 10**9:
            raise refuse(f"{what} holds {str(number)[:40]!r}, which is no whole number of that size")
    return tuple(value)


def _piece(number: int, fixed: bool = False) -> int:
    if not (CRANE if fixed else 0) <= number < PIECES:
        raise IllegalAction(Refusal("UNKNOWN_PIECE", "MW-S.7", {"piece": str(number)}))
    return number


def _rows(value: dict[str, object], key: str, size: int) -> Iterable[tuple[int, ...]]:
    rows = value.get(key, [])
    if not isinstance(rows, list) or len(rows) > 4000:
        raise refuse(f"'{key}' must be a list")
    return [_ints(row, f"an entry of '{key}'", size) for row in rows]


def _contact(row: tuple[int, ...]) -> Contact:
    a, b = _piece(row[0]), _piece(row[1], True)
    if a == b:
        raise refuse("a piece cannot touch itself")
    for piece, part in ((a, row[2]), (b, row[3])):
        parts = len(PART_NAMES) if piece >= 0 and KIND[piece] == WORKER else 1
        if not 0 <= part < parts:
            raise refuse(f"a contact names part {part} of a piece with {parts}")
    return Contact(a, b, row[2], row[3], row[4], row[5], (row[6], row[7]), (row[8], row[9]))


def read(value: object) -> Outcome:
    """The outcome that `Outcome.plain` or `Outcome.encode` wrote. Raises IllegalAction (BAD_OUTCOME, UNKNOWN_PIECE)."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            raise refuse("it is no JSON") from None
    if not isinstance(value, dict):
        raise refuse("it must be an object")
    known = set(Outcome.__dataclass_fields__)
    strange = sorted(str(key)[:40] for key in value if key not in known)
    if strange:
        raise refuse(f"there is no field {', '.join(strange)}")
    settled = value.get("settled", True)
    if not isinstance(settled, bool):
        raise refuse("'settled' must be true or false")
    accident = None
    if value.get("accident") is not None:
        found = value["accident"]
        if not isinstance(found, list) or len(found) != 3 or found[0] not in ACCIDENTS:
            raise refuse(f"an accident is one of {', '.join(ACCIDENTS)} with a piece and what it touched")
        piece, on = _ints(found[1:], "an accident", 2)
        accident = Accident(found[0], _piece(piece, True), _piece(on, True))
    outcome = Outcome(
        poses=tuple(_rows(value, "poses", POSE + 1)),
        tops=tuple((row[0], row[1]) for row in _rows(value, "tops", 2)),
        contacts=tuple(_contact(row) for row in _rows(value, "contacts", 10)),
        worn=tuple((row[0], row[1]) for row in _rows(value, "worn", 2)),
        covers=tuple((row[0], row[1], row[2]) for row in _rows(value, "covers", 3)),
        settled=settled,
        accident=accident,
        fell=_ints(value.get("fell", []), "'fell'"),
        touched=_ints(value.get("touched", []), "'touched'"),
    )
    check(outcome)
    return outcome


def check(outcome: Outcome) -> None:
    """Is this the measurement of some site? Raises IllegalAction (BAD_OUTCOME, UNKNOWN_PIECE)."""
    pieces = outcome.pieces()
    for piece in pieces:
        _piece(piece)
    if list(pieces) != sorted(set(pieces)):
        raise refuse("the poses must name each piece once, in ascending order")
    for pose in outcome.poses:
        if max(abs(v) for v in pose[1:4]) > FARTHEST:
            raise refuse("a piece is off the table")
        if abs(sum(v * v for v in pose[4:]) - TURN * TURN) > TURN * TURN // 1000:
            raise refuse("an orientation is no unit quaternion")
    if tuple(piece for piece, _ in outcome.tops) != pieces:
        raise refuse("the heights must be of the same pieces as the poses")
    present = set(pieces)
    for contact in outcome.contacts:
        if contact.a not in present or (contact.b >= 0 and contact.b not in present):
            raise refuse("a contact names a piece that is not on the site")
    for pairs in (outcome.worn, outcome.covers):
        for pair in pairs:
            if pair[0] not in present or pair[1] not in present:
                raise refuse("a hat or a covered girder is not on the site")
    for hat, worker in outcome.worn:
        if KIND[hat] != HAT or KIND[worker] != WORKER:
            raise refuse("only workers wear hats")
    for upper, lower, _ in outcome.covers:
        if KIND[upper] != GIRDER or KIND[lower] != GIRDER:
            raise refuse("only girders cover girders")
    for piece in (*outcome.fell, *outcome.touched):
        _piece(piece)
