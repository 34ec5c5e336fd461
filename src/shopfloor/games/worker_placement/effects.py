"""The vocabulary of effects: what Management cards (and bonuses on Business cards) can say.

An effect is a script of steps, `;` between them in the edition's files. A step is four integers: its kind and up to
three numbers.
"""

from __future__ import annotations

import re
from typing import Final

GAIN_CASH: Final = 0
GAIN_THUMBS: Final = 1
STEAL_CASH: Final = 2
LOSE_THUMBS: Final = 3
GAIN_CUBES: Final = 4
STEAL_CUBES: Final = 5
DRAW: Final = 6
STEAL_CARD: Final = 7
REFRESH_JOBS: Final = 8
FILL_PREVIEW: Final = 9
FREE_PLACEMENT: Final = 10
RECALL_MEEPLE: Final = 11
CLAIM_ORDER: Final = 12
CASH_PER_JOB: Final = 13
END_CASH: Final = 14
END_CASH_PER_THUMBS: Final = 15
PAY_CASH: Final = 16
PAY_THUMBS: Final = 17

EFFECTS: Final = (
    "gain_cash N",
    "gain_thumbs N",
    "steal_cash N target",
    "lose_thumbs N target",
    "gain_cubes N any",
    "steal_cubes N each",
    "draw N",
    "steal_card N random target",
    "refresh_jobs N",
    "fill_job preview",
    "free_placement round",
    "recall_meeple N",
    "claim_order N",
    "gain_cash_per jobs_filled D G max K",
    "end_cash N",
    "end_cash_per thumbs D G max K",
    "pay_cash N",
    "pay_thumbs N",
)
"""Every effect by its kind. Capital letters stand for whole numbers from 1 to 99."""

AT_END: Final[tuple[int, ...]] = (END_CASH, END_CASH_PER_THUMBS)
COSTS: Final[tuple[int, ...]] = (PAY_CASH, PAY_THUMBS)
"""What the player of a card pays (WP-3.2), before its other steps."""

BUILDINGS: Final = (
    "gain_cube clerical 1",
    "gain_cube life 1",
    "gain_cube labour 1",
    "gain_cube tech 1",
    "return_cube any 1; gain_cubes 2 any",
    "gain_thumbs 2",
    "fill_job faceup",
    "gain_cash 2; pay_thumbs 1",
    "play_management 1",
    "discard_any; draw_same",
    "auction",
)
"""The labels of the eleven buildings, in the order of `Building`."""

_PATTERNS: Final = [
    re.compile(re.sub(r"\b[A-Z]\b", "([1-9][0-9]?)", effect.replace(" ", r"\s+"))) for effect in EFFECTS
]


def parse_effect(text: str) -> tuple[int, int, int, int] | None:
    """The step that a text names, or None if the vocabulary lacks it."""
    for kind, pattern in enumerate(_PATTERNS):
        found = pattern.fullmatch(text.strip())
        if found:
            numbers = [int(n) for n in found.groups()] + [0, 0, 0]
            return (kind, numbers[0], numbers[1], numbers[2])
    return None


def wording(step: tuple[int, int, int, int]) -> str:
    """The text of a step, as `parse_effect` reads it."""
    numbers = iter(step[1:])
    return re.sub(r"\b[A-Z]\b", lambda _: str(next(numbers)), EFFECTS[step[0]])
