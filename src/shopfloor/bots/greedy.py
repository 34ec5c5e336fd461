"""The computer player that takes what looks best now, without thinking ahead."""

from __future__ import annotations

from shopfloor.bots.base import legal_or_complain
from shopfloor.bots.seat import Seat
from shopfloor.engine.dice import FastDice


def averaged(seat: Seat, dice: FastDice, imagined: int) -> list[float]:
    """How good each legal action seems to the game's judgement, on average over so many imagined positions."""
    total = [0.0] * len(seat.legal())
    judgement = seat.game.judgement
    for _ in range(imagined):
        for i, rating in enumerate(judgement.rate(seat.imagine(dice), seat.seat)):
            total[i] += rating
    return [rating / imagined for rating in total]


class GreedyBot:
    """The decision that the game's judgement rates highest, averaged over a few imagined positions."""

    def __init__(self, seed: int, imagined: int = 12) -> None:
        """imagined: how many positions to average over, since one alone would be mistaken for the truth."""
        self.dice = FastDice(seed)
        self.imagined = imagined

    def choose(self, seat: Seat) -> int:
        legal = legal_or_complain(seat)
        if len(legal) == 1:
            return legal[0]
        total = averaged(seat, self.dice, self.imagined)
        best = max(total)
        equal = [action for action, rating in zip(legal, total, strict=True) if rating >= best]
        return equal[self.dice.below(len(equal))]
