"""Computer players. They know no game: they see what a player in their seat sees, and nothing else."""

from __future__ import annotations

from shopfloor.bots.base import Bot, UnknownLevel
from shopfloor.bots.levels import (
    KNOWN,
    LEVELS,
    RESEARCH,
    STAND_IN,
    THINKING,
    TOGETHER,
    level_below,
    level_words,
    make_bot,
    thinking_time,
)
from shopfloor.bots.seat import Seat, decode_seat

__all__ = [
    "KNOWN",
    "LEVELS",
    "RESEARCH",
    "STAND_IN",
    "THINKING",
    "TOGETHER",
    "Bot",
    "Seat",
    "UnknownLevel",
    "decode_seat",
    "level_below",
    "level_words",
    "make_bot",
    "thinking_time",
]
