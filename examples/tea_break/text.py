"""Tea Break's table as text."""

from __future__ import annotations

from collections.abc import Sequence

from examples.tea_break.view import TeaBreakView
from examples.tea_break.words import question
from shopfloor.engine.text import TextBoard, TextTable
from shopfloor.engine.views import View


def board(view: View, seats: Sequence[str]) -> TextBoard:
    """The plate, and what everybody has."""
    assert isinstance(view, TeaBreakView)
    rows = tuple(
        (seats[one.seat], str(one.biscuits), " ".join(map(str, one.hand)), "face down" if one.committed else "")
        for one in view.seats
    )
    table = TextTable("Seats", ("Seat", "Biscuits", "Cards", ""), rows, view.deciders)
    return TextBoard(f"Round {view.round}: {view.table} on the table", (question(view, seats),), (table,))
