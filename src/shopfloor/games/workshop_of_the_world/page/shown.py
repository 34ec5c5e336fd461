"""Small words and numbers as the template shows them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from shopfloor.games.workshop_of_the_world import words
from shopfloor.games.workshop_of_the_world.cards import TYPES
from shopfloor.games.workshop_of_the_world.page.geometry import FRAME, HEIGHT, WIDTH
from shopfloor.games.workshop_of_the_world.view import MapView

ORDINALS: Final = ("", "1st", "2nd", "3rd", "4th", "5th")
TYPE_IDS: Final = TYPES
OVER: Final = "GAME_OVER"

Why = Callable[[int], dict[str, str] | None]
"""Why the viewer may not choose an action now: `text` and `clause`; None if they may, or only watch."""


def one(reason: dict[str, str] | None) -> list[dict[str, str]]:
    return [reason] if reason is not None else []


def signed(amount: int) -> str:
    return f"+{amount}" if amount > 0 else f"−{-amount}" if amount < 0 else ""


def pounds(amount: int) -> str:
    return f"−£{-amount}" if amount < 0 else f"£{amount}"


def counted(n: int, one_: str, many: str) -> str:
    return f"{n} {one_ if n == 1 else many}"


def left(x: float) -> str:
    """A place across the map in per cent, its frame included."""
    return f"{(x + FRAME) / (WIDTH + 2 * FRAME) * 100:.2f}"


def top(y: float) -> str:
    return f"{(y + FRAME) / (HEIGHT + 2 * FRAME) * 100:.2f}"


def connection_name(printed: MapView, c: int) -> str:
    a, b = printed.ends[c]
    return f"{printed.town_names[a]} to {printed.town_names[b]}"


def kind_name(printed: MapView, town: int) -> str:
    return words.type_name(printed.town_types[town])
