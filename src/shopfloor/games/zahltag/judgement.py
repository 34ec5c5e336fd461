"""What positions and decisions in Zahltag are worth."""

from __future__ import annotations

from shopfloor.games.zahltag.rules import Zahltag


def rate(state: Zahltag, seat: int) -> list[float]:
    """How good each legal decision seems, in the order of `state.legal(seat)`."""
    return [0.0 for _ in state.legal(seat)]


def value(state: Zahltag) -> list[float]:
    """Each seat's expected share of the victory."""
    total = sum(state.money) or 1
    return [money / total for money in state.money]
