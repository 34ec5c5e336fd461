"""Ways to play at random that lead into corners which even chances seldom reach."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from shopfloor.engine.state import State
from shopfloor.games.worker_placement.actions import BID, CARD, CONSULT, CUBE, GO, GO_CASINO, JOB, PASS, RECALL
from tests.playing import Lean, anything


def _prefer(low: int, high: int, otherwise: Lean = anything) -> Lean:
    """Mostly an action with an id in [low, high), if there is one."""

    def choose(state: State, seat: int, legal: Sequence[int], rng: Random) -> int:
        wanted = [action for action in legal if low <= action < high]
        return rng.choice(wanted) if wanted and rng.random() < 0.85 else otherwise(state, seat, legal, rng)

    return choose


_CUBES = _prefer(CUBE, RECALL)

LEANS: Final[dict[str, Lean]] = {
    "anything": anything,
    "spend": _prefer(BID, GO, _prefer(GO, GO_CASINO)),  # little Cash, dear places
    "cubes": _prefer(GO, GO + 4, _CUBES),  # empty supplies
    "consult": _prefer(CONSULT, JOB, _prefer(RECALL, CARD, anything)),
    "jobs": _prefer(JOB, JOB + 42, _CUBES),
    "swap": _prefer(GO_CASINO, GO_CASINO + 1, _prefer(CARD, CONSULT)),  # shuffles
    "hoard": _prefer(PASS, PASS + 1, _prefer(GO, GO_CASINO)),
}
