"""What decisions and positions of Tea Break are worth: all that `greedy` and `search` know of it."""

from __future__ import annotations

from examples.tea_break.cards import CARDS
from examples.tea_break.rules import TeaBreak


def rate(state: TeaBreak, seat: int) -> list[float]:
    """A card about as high as the table is rich, compared with the plates to come."""
    to_come = [state.edition.biscuits[plate] for plate in state.left]
    richer = sum(other > state.table for other in to_come)
    legal = state.legal(seat)
    wanted = legal[max(0, len(legal) - 1 - richer)] if legal else 0
    return [-float(abs(action - wanted)) for action in legal]


def value(state: TeaBreak) -> list[float]:
    """Shares of the victory: biscuits so far, and the strength of the cards in hand for those to come."""
    if state.over():
        return state.returns()
    rest = state.table + sum(state.edition.biscuits[plate] for plate in state.left)
    strength = [1.0 + sum(card for card in range(CARDS) if hand >> card & 1) for hand in state.hands]
    total = sum(strength)
    worth = [(mine + rest * s / total) ** 3 for mine, s in zip(state.biscuits, strength, strict=True)]
    return [one / sum(worth) for one in worth]
