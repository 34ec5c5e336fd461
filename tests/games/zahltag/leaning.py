"""Ways to play at random that lead into corners which even chances seldom reach."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from shopfloor.engine.state import State
from shopfloor.games.zahltag.actions import ADD, BID, DISCARD, EXCHANGE, NO_BID
from tests.playing import Lean, anything


def _prefer(low: int, high: int, otherwise: Lean = anything) -> Lean:
    """Mostly an action with an id in [low, high), if there is one."""

    def choose(state: State, seat: int, legal: Sequence[int], rng: Random) -> int:
        wanted = [action for action in legal if low <= action < high]
        return rng.choice(wanted) if wanted and rng.random() < 0.85 else otherwise(state, seat, legal, rng)

    return choose


LEANS: Final[dict[str, Lean]] = {
    "anything": anything,
    "hoard": _prefer(ADD, DISCARD),  # up against the limit of 12 and big wages
    "shed": _prefer(DISCARD, EXCHANGE),
    "one": _prefer(BID, BID + 1, _prefer(ADD, DISCARD)),  # ties on 1, debts
    "nobody": _prefer(NO_BID, BID),  # forced Paydays
    "all_bid": _prefer(BID, BID + 8, _prefer(ADD, DISCARD)),
}
