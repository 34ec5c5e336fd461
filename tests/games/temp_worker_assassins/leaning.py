"""Ways to play at random that lead into corners which even chances seldom reach."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from shopfloor.engine.state import State
from tests.playing import Lean, anything


def _prefer(*verbs: str, otherwise: Lean = anything, firmly: float = 0.85) -> Lean:
    """Mostly an action that begins with one of these words, if there is one."""

    def choose(state: State, seat: int, legal: Sequence[int], rng: Random) -> int:
        wanted = [action for action in legal if state.space.name(action).startswith(verbs)]
        return rng.choice(wanted) if wanted and rng.random() < firmly else otherwise(state, seat, legal, rng)

    return choose


LEANS: Final[dict[str, Lean]] = {
    "anything": anything,
    "hunt": _prefer("attempt"),  # the Target Deck runs down, full Security
    "zombies": _prefer("attempt Typing"),
    "work": _prefer("occupy"),  # all spaces taken, big hands
    "shop": _prefer(
        "occupy Malevolent", "occupy Forbidden", "occupy Grim", "occupy Screaming", "gain", "keep", "accept"
    ),
    "trash": _prefer("trash", "occupy Really", "decline"),  # small decks
    "tricks": _prefer("occupy Scary", "occupy Phantom", "occupy Unholy", "occupy Nightmarish", "swap", "accept"),
}
