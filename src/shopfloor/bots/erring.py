"""The computer player that sees what is good and does not always take it, as people who are new to a game do."""

from __future__ import annotations

import math

from shopfloor.bots.base import legal_or_complain
from shopfloor.bots.greedy import averaged
from shopfloor.bots.seat import Seat
from shopfloor.engine.dice import FastDice

COMPARED = 12
"""How many of the best rated actions tell what a large difference is: the hundreds of poor ones would drown it."""


class ErringBot:
    """Picks by chance, the likelier the better the game's judgement rates it: its mistakes are mostly small ones."""

    def __init__(self, seed: int, care: float, imagined: int = 4) -> None:
        """care: 0 picks blindly; each unit makes what is better by a usual difference e times as likely, and in a game
        that is `FORGIVING` (see `engine.game.Judgement`) as much less as it says.

        imagined: how many imagined positions the ratings are averaged over. Raises ValueError for a negative care.
        """
        if care < 0:
            raise ValueError(f"care is 0 or more, this one is {care}")
        self.dice = FastDice(seed)
        self.care = care
        self.imagined = imagined

    def choose(self, seat: Seat) -> int:
        legal = legal_or_complain(seat)
        if len(legal) == 1:
            return legal[0]
        care = self.care / float(getattr(seat.game.judgement, "FORGIVING", 1.0))
        ratings = averaged(seat, self.dice, self.imagined)
        best = max(ratings)
        compared = sorted(ratings, reverse=True)[:COMPARED]
        usual = best - sum(compared) / len(compared)
        if usual <= 0.0:
            odds = [1.0 if rating >= best else 0.0 for rating in ratings]
        else:
            odds = [math.exp(care * (rating - best) / usual) for rating in ratings]
        left = sum(odds) * (self.dice.below(1 << 30) / (1 << 30))
        for action, chance in zip(legal, odds, strict=True):
            left -= chance
            if left < 0.0:
                return action
        return legal[ratings.index(best)]
