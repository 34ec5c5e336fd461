"""Ways of playing at random that lead into all corners of the game."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from shopfloor.engine.state import State
from shopfloor.games.workshop_of_the_world.actions import BID, END_TURN, FIST, PASS, RAISE, SELECT
from tests.playing import Lean, anything


def builder(state: State, seat: int, legal: Sequence[int], rng: Random) -> int:
    """Bids little, builds what can be built: the map fills up."""
    if rng.random() < 0.05:
        return rng.choice(legal)
    best = [action for action in legal if action != END_TURN and not RAISE <= action < BID]
    bids = [action for action in best if BID <= action < SELECT]
    if bids:
        few = bids[:3] + [action for action in bids if action > FIST][-2:]
        return PASS if PASS in legal and rng.random() < 0.6 else rng.choice(few[:3])
    return rng.choice(best or legal)


def spender(state: State, seat: int, legal: Sequence[int], rng: Random) -> int:
    """Bids all there is, raises often: the poorhouse."""
    bids = [action for action in legal if BID <= action < SELECT]
    if bids and rng.random() < 0.7:
        return bids[-1]
    return rng.choice(legal)


def passer(state: State, seat: int, legal: Sequence[int], rng: Random) -> int:
    """Takes the first choice nearly always: passes, keeps, builds nothing."""
    return legal[0] if rng.random() < 0.8 else rng.choice(legal)


LEANS: Final[dict[str, Lean]] = {"anything": anything, "builder": builder, "spender": spender, "passer": passer}
