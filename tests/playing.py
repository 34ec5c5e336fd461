"""Random play, for the tests of all games."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

from shopfloor.engine.state import State

Lean = Callable[[State, int, Sequence[int], Random], int]
"""Chooses one of a seat's legal actions."""


def anything(_state: State, _seat: int, legal: Sequence[int], rng: Random) -> int:
    return rng.choice(legal)


def decisions(state: State, rng: Random, lean: Lean = anything, most: int = 5000) -> Iterator[tuple[int, int]]:
    """Plays to the end, or `most` decisions; yields each (seat, action) after it has been played."""
    for _ in range(most):
        deciders = state.deciders()
        if not deciders:
            return
        seat = rng.choice(deciders)
        action = lean(state, seat, state.legal(seat), rng)
        state.play(seat, action)
        yield seat, action


def to_the_end(state: State, rng: Random, lean: Lean = anything, most: int = 5000) -> list[tuple[int, int]]:
    """Plays a game to its end; its decisions."""
    played = list(decisions(state, rng, lean, most))
    assert state.over(), f"not over after {len(played)} decisions"
    return played
