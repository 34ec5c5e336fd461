"""What the administrator of a site may do at a table. All of it stands in the log, for everybody to see."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from shopfloor.bots import STAND_IN
from shopfloor.tables import agreements, checks
from shopfloor.tables.errors import TableError
from shopfloor.tables.model import LogLine, SeatInfo, Table

if TYPE_CHECKING:
    from shopfloor.tables.draft import Draft
    from shopfloor.tables.fold import Fold
    from shopfloor.tables.rows import Entry

BY: Final = "admin"
"""What stands as the `level` of lines that others may write as well."""
KINDS: Final = ("end", "reopen", "replace", "free")


def happen(fold: Fold, entry: Entry) -> bool:
    """Let an entry of these kinds happen. Was it one?"""
    seat = entry.seat if entry.seat is not None else -1
    match entry.kind:
        case "end":
            fold.ended = fold.archived = True
        case "reopen":
            fold.ended = fold.archived = False
        case "replace":
            fold.seats[seat] = SeatInfo(seat, "computer", entry.name or "", entry.level)
            fold.tokens[seat] = None
            fold.starters[seat] = None
        case "free":
            fold.tokens[seat] = None
            fold.starters[seat] = None
            if fold.started:
                kept = fold.seats[seat]
                fold.seats[seat] = replace(kept, away=True, stand_in=entry.level, offered=True)
            else:
                fold.seats[seat] = SeatInfo(seat, "free", "")
        case _:
            return False
    return True


def by_admin(line: LogLine) -> bool:
    """Has the administrator done this?"""
    return line.kind in KINDS or line.level == BY


def end(d: Draft) -> Table:
    """Nobody decides here any more, and nobody brings it back but the administrator. Nothing is deleted."""
    if d.fold.over:
        raise TableError("GAME_OVER")
    if not d.fold.ended:
        d.add("end")
    return d.table()


def reopen(d: Draft) -> Table:
    if d.fold.ended:
        d.add("reopen")
    return d.table()


def rewind(d: Draft, line: int) -> Table:
    """The table as it was after a line of the log: all decisions since are taken back."""
    d.started()
    if not 0 < line <= d.fold.number:
        raise TableError("NO_SUCH_LINE", line=line, last=d.fold.number)
    first = next((decision.number for decision in d.fold.decisions if decision.number > line), None)
    if first is not None:
        d.add("rewind", target=first, level=BY)
    return d.table()


def replace_seat(d: Draft, seat: int, level: str) -> Table:
    """A computer plays for a seat from now on; who held it holds it no more."""
    d.usable()
    info = d.fold.seats[d.existing(seat)]
    if info.kind == "free":
        raise TableError("NOBODY_THERE", number=seat + 1)
    if d.fold.over:
        raise TableError("GAME_OVER")
    if info.kind == "person":
        name = checks.computer_name(other.name for other in d.fold.seats)
        d.add("replace", seat=seat, name=name, level=level)
        agreements.settle(d)
    return d.table()


def free(d: Draft, seat: int) -> Table:
    """A seat for whoever wants it: in a game under way a computer plays until somebody takes it."""
    d.usable()
    info = d.fold.seats[d.existing(seat)]
    if info.kind != "person":
        raise TableError("NOBODY_THERE", number=seat + 1)
    if d.fold.over:
        raise TableError("GAME_OVER")
    if d.fold.tokens[seat] is not None:
        d.add("free", seat=seat, level=STAND_IN if d.fold.started else None)
        agreements.settle(d)
    return d.table()


def silence(d: Draft, seat: int, silenced: bool) -> Table:
    info = d.fold.seats[d.existing(seat)]
    if info.kind != "person":
        raise TableError("NOBODY_THERE", number=seat + 1)
    if info.silenced != silenced:
        d.add("silence" if silenced else "unsilence", target=seat, level=BY)
    return d.table()
