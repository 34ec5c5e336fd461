"""Computer players. They know no game: they see what a player in their seat sees, and nothing else."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from shopfloor.bots.base import Bot, UnknownLevel
from shopfloor.bots.greedy import GreedyBot
from shopfloor.bots.random import RandomBot
from shopfloor.bots.search import DEFAULT_BUDGET, SearchBot
from shopfloor.bots.seat import Seat, decode_seat

__all__ = ["LEVELS", "THINKING", "Bot", "Seat", "UnknownLevel", "decode_seat", "level_words", "make_bot"]

# From weak to strong; those that take time to think, as much as their budget allows.
LEVELS: Final[tuple[str, ...]] = ("random", "greedy", "search")
THINKING: Final[tuple[str, ...]] = ("search",)

WORDS: Final = {
    "random": ("Random", "Picks any allowed move; good for trying out the rules."),
    "greedy": ("Greedy", "Takes what looks best right now, and answers at once."),
    "search": ("Search", "Thinks ahead through many imagined games; the strongest, and the slowest."),
}


def make_bot(level: str, seed: int, budget: float | None = None, clock: Callable[[], float] = time.perf_counter) -> Bot:
    """A computer player of a level of `LEVELS`.

    seed: the same seed plays the same, as far as its thinking time does not decide. budget: seconds a decision, for
    the levels in `THINKING` (None: 1 second). clock: what measures them; the time on the wall, or that of the thread
    where other work must not count. Raises UnknownLevel; ValueError for a budget that is not above 0.
    """
    if level not in LEVELS:
        raise UnknownLevel(level, LEVELS)
    if budget is not None and budget <= 0:
        raise ValueError(f"a budget is more than 0 seconds, this one is {budget}")
    if level == "random":
        return RandomBot(seed)
    if level == "greedy":
        return GreedyBot(seed)
    return SearchBot(seed, DEFAULT_BUDGET if budget is None else budget, clock=clock)


def level_words(level: str) -> tuple[str, str]:
    """A level's title and a sentence about it, for people who choose. Raises UnknownLevel."""
    if level not in WORDS:
        raise UnknownLevel(level, LEVELS)
    return WORDS[level]
