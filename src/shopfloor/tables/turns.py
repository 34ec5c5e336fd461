"""What somebody who sits at a table is to be told: their turn, that their time for it runs out, what they are asked,
who stands in, and the end.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from shopfloor.tables.model import Table
from shopfloor.tables.wishes import Told

LEAST_LEFT: Final = 600.0
"""Seconds: who has less than that left when the warning is due would read it too late, and is not warned."""


@dataclass(frozen=True)
class Item:
    """One thing to tell of a table.

    kind: turn, low (time runs out), request, away (time was up) or over. number: of the log entry. left: for `low`, the
    seconds that are left.
    """

    table: Table
    seat: int
    kind: str
    number: int
    left: float = 0.0


def known_now(table: Table) -> Told:
    """What somebody knows who looks at the table."""
    return Told(table.number, table.number, table.status == "over")


def warned_at(table: Table, seat: int, told: Told) -> float | None:
    """When this seat is to be warned that its time runs out, in seconds since 1970; None if it is not.

    Once for a decision; where the time is for the whole game, once altogether.
    """
    until = table.until(seat)
    if until is None or table.clock.low() < LEAST_LEFT or not _asked(table, seat):
        return None
    if told.low and (table.clock.kind == "bank" or table.decision_number(seat) <= told.low):
        return None
    return until - table.clock.low()


def to_tell(table: Table, seat: int, told: Told, now: float) -> tuple[list[Item], Told]:
    """What is new for somebody who was told of so much, and what they know when they have heard it.

    now: seconds since 1970. What came about by their own doing is no news to them; nor is a decision that is made
    already.
    """
    if max(told.turn, told.request, told.low) > table.number:  # an older copy of the database was put back
        told = Told()
    items: list[Item] = []
    if table.archived or table.rules_gone is not None:
        return [], told
    if table.status == "over":
        if not told.over:
            told = replace(told, over=True)
            last = table.decision_numbers()[-1:]
            if not (last and _by_themselves(table, seat, last[0])):
                items.append(Item(table, seat, "over", table.number))
        return items, told
    request = table.request
    if request is not None and seat in table.awaited() and request.number > told.request:
        told = replace(told, request=request.number)
        items.append(Item(table, seat, "request", request.number))
    if table.seats[seat].away and (since := _stood_in(table, seat)) > told.turn:
        told = replace(told, turn=since)
        items.append(Item(table, seat, "away", since))
    if _asked(table, seat):
        number = table.decision_number(seat)
        at, until = warned_at(table, seat, told), table.until(seat)
        if at is not None and until is not None and at <= now < until:
            # It says all that the other one would.
            told = replace(told, low=number, turn=number)
            items.append(Item(table, seat, "low", number, until - now))
        elif number > told.turn and not table.paused:
            told = replace(told, turn=number)
            if not _by_themselves(table, seat, number):
                items.append(Item(table, seat, "turn", number))
    return items, told


def _asked(table: Table, seat: int) -> bool:
    return table.status == "playing" and seat in table.deciders() and table.seats[seat].played_by is None


def _by_themselves(table: Table, seat: int, number: int) -> bool:
    """Did the entry with this number come from the seat itself?"""
    line = next(iter(table.log(seat, number - 1)), None)
    return line is not None and line.number == number and line.seat == seat and not line.by_computer


def _stood_in(table: Table, seat: int) -> int:
    """The number of the entry by which the clock let a computer stand in for a seat; 0 if its owner did."""
    for line in reversed(table.log(seat)):
        if line.seat == seat and line.kind == "away":
            return line.number if line.by_computer else 0
    return 0
