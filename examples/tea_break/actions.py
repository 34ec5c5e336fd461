"""What a player can decide in Tea Break: action 0 to 5 puts card 1 to 6 face down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from examples.tea_break.cards import CARDS
from shopfloor.engine.actions import Action, ActionSpace


@dataclass(frozen=True)
class Show(Action):
    """A card with this number."""

    card: int

    def __str__(self) -> str:
        return f"show {self.card}"


SPACE: Final = ActionSpace([Show(card) for card in range(1, CARDS + 1)])
