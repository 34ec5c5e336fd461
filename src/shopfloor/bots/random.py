"""The computer player that anybody should beat."""

from __future__ import annotations

from shopfloor.bots.base import legal_or_complain
from shopfloor.bots.seat import Seat
from shopfloor.engine.dice import FastDice


class RandomBot:
    """Any legal decision, each as likely as the others."""

    def __init__(self, seed: int) -> None:
        self.dice = FastDice(seed)

    def choose(self, seat: Seat) -> int:
        legal = legal_or_complain(seat)
        return legal[self.dice.below(len(legal))]
