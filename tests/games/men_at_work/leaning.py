"""Ways to play at random that build more, or worse, than even chances do."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from shopfloor.engine.state import State
from shopfloor.games.men_at_work.actions import (
    CHOOSE_GIRDER,
    CLEAN_DONE,
    FINISH,
    GIVE_UP,
    GRIP,
    LEAVE_SUPPORT,
    NEXT_PIECE,
    PLAY_ON_DECK,
    PUSH_BACK,
    RELEASE,
    RETRIEVE,
    RETURN_SUPPORT,
)
from shopfloor.games.men_at_work.judge import lacking
from shopfloor.games.men_at_work.position import BUILD
from shopfloor.games.men_at_work.rules import MenAtWork
from tests.playing import Lean, anything


def steady(state: State, seat: int, legal: Sequence[int], rng: Random) -> int:
    """Builds as one should: puts pieces where they belong, and finishes when all is well."""
    assert isinstance(state, MenAtWork)
    if state.phase != BUILD:
        return anything(state, seat, legal, rng)
    if RELEASE in legal:
        return RELEASE
    if NEXT_PIECE in legal:
        return NEXT_PIECE
    if FINISH in legal and not lacking(state.verdict()):
        return FINISH
    fresh = [action for action in legal if GRIP <= action < RELEASE and action - GRIP not in state.placed]
    again = [action for action in legal if GRIP <= action < RELEASE]
    return rng.choice(fresh or again or list(legal))


def mostly(lean: Lean, share: float) -> Lean:
    """Like another, but now and then anything."""

    def choose(state: State, seat: int, legal: Sequence[int], rng: Random) -> int:
        return (lean if rng.random() < share else anything)(state, seat, legal, rng)

    return choose


def _prefer(low: int, high: int, otherwise: Lean) -> Lean:
    """Mostly an action with an id in [low, high), if there is one."""

    def choose(state: State, seat: int, legal: Sequence[int], rng: Random) -> int:
        wanted = [action for action in legal if low <= action < high]
        return rng.choice(wanted) if wanted and rng.random() < 0.8 else otherwise(state, seat, legal, rng)

    return choose


LEANS: Final[dict[str, Lean]] = {
    "anything": anything,
    "steady": steady,
    "careless": mostly(steady, 0.8),
    "foremen": _prefer(PLAY_ON_DECK, GRIP, steady),  # plays all its cards, or goes on
    "pushers": _prefer(PUSH_BACK, RETURN_SUPPORT, mostly(steady, 0.9)),
    "heaps": _prefer(LEAVE_SUPPORT, CLEAN_DONE, _prefer(RETRIEVE, PUSH_BACK, mostly(steady, 0.7))),
    "quitters": _prefer(GIVE_UP, RETRIEVE, _prefer(FINISH, GIVE_UP, _prefer(CHOOSE_GIRDER, PLAY_ON_DECK, anything))),
}
