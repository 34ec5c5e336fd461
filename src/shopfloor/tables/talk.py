"""What people at a table say to each other. It stands in the log; whom one has muted one does not hear."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from shopfloor.tables import checks
from shopfloor.tables.checks import Token
from shopfloor.tables.errors import TableError
from shopfloor.tables.model import Answer, LogLine, Table

if TYPE_CHECKING:
    from shopfloor.tables.draft import Draft
    from shopfloor.tables.fold import Fold
    from shopfloor.tables.rows import Entry

# What one may say in a row: so many messages in so many seconds.
MESSAGES: Final = 10
SECONDS: Final = 60.0
PRIVATE: Final = ("mute", "unmute", "rekey")


def happen(fold: Fold, entry: Entry) -> bool:
    """Let an entry of these kinds happen. Was it one?"""
    seat = entry.seat if entry.seat is not None else -1
    target = entry.target if entry.target is not None else -1
    match entry.kind:
        case "say":
            pass
        case "mute":
            fold.muted = fold.muted | {(seat, target)}
        case "unmute":
            fold.muted = fold.muted - {(seat, target)}
        case "silence":
            fold.seats[target] = replace(fold.seats[target], silenced=True)
        case "unsilence":
            fold.seats[target] = replace(fold.seats[target], silenced=False)
        case _:
            return False
    return True


def heard(fold: Fold, line: LogLine, seat: int | None, deaf: Collection[int] = ()) -> bool:
    """Is a line of the log one for this seat? Whom one mutes is nobody else's business, nor when one's secret changes.

    deaf: the seats whose talk this reader does not want to read at any table.
    """
    if line.kind in PRIVATE:
        return seat is not None and line.seat == seat
    return line.kind != "say" or not ((seat, line.seat) in fold.muted or line.seat in deaf)


def say(d: Draft, token: Token | None, text: str, key: str) -> Answer:
    seat = d.seat_of(token)
    said = checks.message(text)
    stored = f"{seat}:{key}"
    before = d.repeated(stored, "say", key, outcome=said)
    if before is not None:
        return Answer(before.number, True, d.table())
    if d.fold.seats[seat].silenced:
        raise TableError("SILENCED")
    recent = [line.full for line in d.fold.lines[-200:] if line.full.kind == "say" and line.full.seat == seat]
    if len(recent) >= MESSAGES and recent[-MESSAGES].at > d.now - SECONDS:
        raise TableError("TOO_MUCH_TALK", most=MESSAGES)
    return Answer(d.add("say", key=stored, seat=seat, outcome=said).number, False, d.table())


def mute(d: Draft, token: Token | None, other: int, muted: bool) -> Table:
    """For this seat alone."""
    seat = d.seat_of(token)
    d.existing(other)
    if other != seat and ((seat, other) in d.fold.muted) != muted:
        d.add("mute" if muted else "unmute", seat=seat, target=other)
    return d.table()


def silence(d: Draft, token: Token | None, other: int, silenced: bool) -> Table:
    """For the whole table: by who made it."""
    d.existing(other)
    if token is None or checks.token_hash(token) != d.fold.creator:
        raise TableError("NOT_MAKER")
    own = d.fold.seat_of(checks.token_hash(token))
    if d.fold.seats[other].silenced != silenced and other != own:
        d.add("silence" if silenced else "unsilence", seat=own, target=other)
    return d.table()
