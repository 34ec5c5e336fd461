"""What the page of a table shows of its clock, of requests, and of seats to be had: words and facts for templates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from shopfloor.tables.clock import DAY, Clock
from shopfloor.tables.model import Table
from shopfloor.web.rendering import enumerate_words

# What can be agreed when a table is set up. Programs may choose any other.
CHOICES: Final = ("none", "move:60", "move:300", "bank:600:10", "bank:1800:30", f"day:{DAY}", f"day:{3 * DAY}")


def span(seconds: float) -> str:
    """A length of time in words."""
    whole = round(seconds)
    for size, one in ((DAY, "day"), (3600, "hour"), (60, "minute"), (1, "second")):
        if whole >= size and whole % size == 0:
            count = whole // size
            return f"{count} {one}{'' if count == 1 else 's'}"
    return f"{whole} seconds"


def clock_words(clock: Clock) -> str:
    """How a table's time is counted, for people."""
    if not clock.on:
        return "No clock"
    if clock.kind == "bank":
        more = f", plus {span(clock.increment)} a turn" if clock.increment else ""
        return f"{span(clock.seconds)} for the game{more}"
    return f"{span(clock.seconds)} a move"


def then_words(clock: Clock) -> str:
    """What happens when the time is up, for people."""
    if clock.stand_in is None:
        return "When the time is up, nothing happens but that all can see it."
    return "When the time is up, a computer stands in until one is back."


def left_words(seconds: float) -> str:
    """Time left as on a clock's face; the script of the page writes the same."""
    whole = max(0, int(seconds))
    if whole >= DAY:
        return f"{whole // DAY} d {whole % DAY // 3600} h"
    if whole >= 3600:
        return f"{whole // 3600}:{whole % 3600 // 60:02} h"
    return f"{whole // 60}:{whole % 60:02}"


def facts(table: Table, seat: int | None, names: Sequence[str], now: float) -> dict[str, Any]:
    """For the templates: clocks, what is asked for, and whose seats can be had."""
    request = table.request
    asked: dict[str, Any] | None = None
    if request is not None:
        awaited = table.awaited()
        who = "You ask" if request.seat == seat else f"{names[request.seat]} asks"
        what = "to pause the game" if request.kind == "pause" else "to take back a decision, and all that came after it"
        asked = {
            "number": request.number,
            "text": f"{who} {what}.",
            "mine": request.seat == seat,
            "answer": seat in awaited,
            "waits": enumerate_words([names[s] for s in awaited if s != seat]),
        }
    playing = table.status == "playing" and not table.rules_gone
    clocks = []
    for info in table.seats if playing and table.clock.on else ():
        if info.kind != "person":
            continue
        until, left = table.until(info.seat), table.left(info.seat)
        shown = until - now if until is not None else left
        if shown is not None:
            running = until is not None
            clocks.append({"seat": info.seat, "until": until, "words": left_words(shown), "running": running})
    return {
        "asked": asked if playing else None,
        "clocks": clocks,
        "low": table.clock.low(),
        "offered": [s for s in table.seats if s.offered] if playing else [],
        "to_offer": [s for s in table.seats if s.away and not s.offered and s.seat != seat] if playing else [],
        "may_talk": seat is not None and not table.rules_gone and not table.seats[seat].silenced,
        "made": seat is not None and table.maker_seat() == seat,
        "muted": table.muted(seat) if seat is not None else (),
        "talkers": [s for s in table.seats if s.kind == "person" and s.seat != seat] if seat is not None else [],
        "watched": [s for s in table.seats if s.kind == "person"] if seat is None else [],
        "ask_undo": bool(playing and seat is not None and request is None and table.undo_by_request(seat)),
        "others": any(s.kind == "person" and not s.away and s.seat != seat for s in table.seats),
    }
