"""What can happen in Tea Break, with the names of its facts."""

from __future__ import annotations

from typing import Final

from shopfloor.engine.events import EventTable

EVENTS: Final[EventTable] = {
    "plate": ("plate", "biscuits", "table"),
    "hidden": ("seat", "card"),
    "shown": ("cards",),
    "taken": ("seat", "card", "biscuits"),
    "left": ("biscuits", "stay"),
    "over": ("winners", "biscuits"),
}
