"""What positions and decisions in Zahltag are worth to a sensible player.

Everything is counted in millions. A Worker card in hand costs its wage at every Payday to come; it earns when a Job
comes up that its owner can do, and most when nobody else can. Cards on the table cost nothing and earn nothing until
they are back. The weights are fitted to who won in games among these very players.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final

from shopfloor.games.zahltag.actions import ADD, BID, DISCARD, EXCHANGE, GIVEN, NO_BID, PASS, TAKEN
from shopfloor.games.zahltag.cards import SUPPLY
from shopfloor.games.zahltag.rules import (
    ADJUST_START,
    BIDDING,
    GAME_OVER,
    LAST_PAYDAY,
    MAX_WORKERS,
    SEATS,
    TIE_DISCOUNT,
    Zahltag,
)


class Weights:
    """What things are worth in millions, for one number of players.

    near_wage, far_wage: a card in hand at a Payday, until the cards on the table are back and after that.
    near, far: a Job that comes up in that time and that one can do when none, one or more of the others can.
    offered: the same for the Job on offer. spread: how far apart fortunes still drift per Job to come.
    """

    def __init__(
        self,
        near_wage: float,
        far_wage: float,
        near: tuple[float, float, float],
        far: tuple[float, float, float],
        offered: tuple[float, float, float],
        scale: float,
        spread: float,
    ) -> None:
        self.near_wage = near_wage
        self.far_wage = far_wage
        self.near = near
        self.far = far
        self.offered = offered
        self.scale = scale
        self.spread = spread


_FIRST: Final = Weights(0.9, 0.4, (5.0, 1.5, 0.8), (2.0, 0.8, 0.3), (6.0, 1.5, 0.7), 1.2, 1.0)
WEIGHTS: Final = {2: _FIRST, 3: _FIRST, 4: _FIRST}


@lru_cache(maxsize=16)
def _doable(needs: tuple[int, ...]) -> list[list[int]]:
    """By type and count: the Jobs, a bit each, that this many Worker cards of the type are enough for."""
    jobs = range(len(needs) // 4)
    return [[sum(1 << j for j in jobs if needs[4 * j + t] <= n) for n in range(SUPPLY[t] + 1)] for t in range(4)]


class Outlook:
    """What can be foreseen at a table by everybody, and who could do which Jobs.

    soon: chance that the next card is a Payday. paydays_to_come, jobs_to_come: until the end of the game.
    deck: the Jobs in the stack, a bit each. wait: by seat, cards to be turned over before its cards from the right
    are back in hand. one, two: by horizon (hand; with the cards right; with all), the Jobs that at least one, at
    least two active seats could do, a bit each.
    """

    __slots__ = (
        "cycle",
        "deck",
        "doable",
        "jobs",
        "jobs_to_come",
        "later",
        "masks",
        "paydays_to_come",
        "soon",
        "state",
        "until_forced",
        "wait",
        "weights",
    )

    def __init__(self, state: Zahltag) -> None:
        self.state = state
        self.weights: Weights = WEIGHTS[state.players]
        self.doable = _doable(state.cards.needs)
        deck = 0
        for job in state.job_deck:
            deck |= 1 << job
        self.deck: int = deck
        jobs = len(state.job_deck)
        self.jobs: int = jobs
        cards = state.deck_paydays
        limit = 9 if state.players > 2 else 8
        to_come = LAST_PAYDAY - state.paydays_executed
        self.paydays_to_come: int = to_come
        self.until_forced: int = max(0, limit - len(state.job_row))
        self.jobs_to_come: float = to_come * min(jobs / (cards + 1), 0.8 * limit)
        if state.forced_payday_due():
            self.soon: float = 1.0
        elif state.after_payday and jobs:
            self.soon = 0.0
        else:
            self.soon = cards / (jobs + cards)
        self.later: float = to_come / (self.jobs_to_come + to_come)
        seats = SEATS[state.active]
        self.cycle: int = len(seats)
        self.wait: list[int] = [0] * state.players
        bidding = state.phase == BIDDING
        steps = 0
        for step in range(1, state.players + 1):
            seat = (state.current_player + step) % state.players
            if state.active >> seat & 1:
                steps += 1
                self.wait[seat] = steps - 1 if bidding else steps
        self.masks: list[list[int]] = [[0, 0, 0] for _ in range(state.players)]
        for seat in seats:
            b = 4 * seat
            self.masks[seat] = self.reach(state.hand[b : b + 4], state.right[b : b + 4], state.left[b : b + 4])

    def reach(self, hand: list[int], right: list[int], left: list[int]) -> list[int]:
        """The Jobs of the stack that can be done with the hand, with the cards right too, and with all, a bit each."""
        a, b, c, d = self.doable
        f, w, k, e = hand
        deck = self.deck
        now = a[f] & b[w] & c[k] & d[e] & deck
        f += right[0]
        w += right[1]
        k += right[2]
        e += right[3]
        soon = a[f] & b[w] & c[k] & d[e] & deck
        return [now, soon, a[f + left[0]] & b[w + left[1]] & c[k + left[2]] & d[e + left[3]] & deck]

    def paydays_within(self, reveals: int) -> float:
        """How many Paydays to expect while so many cards are turned over."""
        if reveals <= 0:
            return 0.0
        expected = self.soon + (reveals - 1) * self.later
        if expected < 1.0 and reveals > self.until_forced:
            expected = 1.0
        return min(expected, float(self.paydays_to_come))

    def rivals(self, seat: int) -> tuple[list[int], list[int]]:
        """By horizon: the Jobs that at least one and at least two of the other seats could do, a bit each."""
        one = [0, 0, 0]
        two = [0, 0, 0]
        for other in SEATS[self.state.active & ~(1 << seat)]:
            for h, mask in enumerate(self.masks[other]):
                two[h] |= one[h] & mask
                one[h] |= mask
        return one, two

    def wages(self, hand: int, right: int, left: int, wait: int) -> tuple[float, float]:
        """Cards times Paydays to come: until all cards are back in hand, and after that."""
        first = self.paydays_within(wait)
        near = self.paydays_within(wait + self.cycle)
        return hand * near + right * (near - first), (hand + right + left) * (self.paydays_to_come - near)

    def chances(self, reach: list[int], one: list[int], two: list[int], wait: int) -> list[float]:
        """Jobs to come that a seat could do: near when none, one, more of the others can; far likewise."""
        if not self.jobs:
            return [0.0] * 6
        left = self.jobs_to_come
        result = []
        # The time until the right cards are back, until the left ones are, and the rest of the game.
        first = min(left, wait * (1.0 - self.later))
        second = min(left - first, self.cycle * (1.0 - self.later))
        spans = (first, second, left - first - second)
        sums = []
        for h in range(3):
            span = spans[h] / self.jobs
            mask = reach[h]
            alone = (mask & ~one[h]).bit_count()
            more = (mask & two[h]).bit_count()
            sums.append((alone * span, (mask.bit_count() - alone - more) * span, more * span))
        a, b, c = sums
        result = [a[0] + b[0], a[1] + b[1], a[2] + b[2], c[0], c[1], c[2]]
        return result


def features(state: Zahltag) -> list[list[float]]:
    """By active seat: money, near and far wages, near and far chances (3 each), the Job on offer (3)."""
    outlook = Outlook(state)
    rows = []
    for seat in SEATS[state.active]:
        b = 4 * seat
        one, two = outlook.rivals(seat)
        wait = outlook.wait[seat]
        near, far = outlook.wages(
            state.hand_count(seat), sum(state.right[b : b + 4]), sum(state.left[b : b + 4]), wait
        )
        offered = [0.0, 0.0, 0.0]
        if state.phase == BIDDING and state.able >> seat & 1:
            offered[min(2, state.able.bit_count() - 1)] = 1.0
        rows.append([state.money[seat], near, far, *outlook.chances(outlook.masks[seat], one, two, wait), *offered])
    return rows


def bid_values(
    offers: tuple[int, ...], worth: float, rivals: list[tuple[list[float], float]], envy: float, ruin: float
) -> list[float]:
    """What the "00" and each bid bring against rivals, each given by its chances of choices and what winning is worth.

    worth: what winning the Job is worth beyond the bid. envy: what a million for another costs. ruin: what a tie
    costs besides, by bid: nothing unless it cannot be paid; then this much for each million short.
    """
    size = len(offers)
    values = [0.0] * (size + 1)
    # What rivals gain from bids below the one that is looked at, and the chance that none of them is that low.
    lost = 0.0
    none_below = 1.0
    tails = [1.0] * len(rivals)
    for i in range(size):
        bid = offers[i]
        gained = 0.0
        tied_gain = 0.0
        none_to_here = 1.0
        for r, (choices, other_worth) in enumerate(rivals):
            p = choices[i + 1]
            tail = tails[r] - p
            none_to_here *= tail
            if p:
                above = 1.0
                level = 1.0
                for r2, (choices2, _) in enumerate(rivals):
                    if r2 != r:
                        level *= tails[r2]
                        above *= tails[r2] - choices2[i + 1] if r2 > r else tails[r2] if False else tails[r2] - choices2[i + 1]
                gained += p * (level * (bid + other_worth) - TIE_DISCOUNT * (level - above))
                tied_gain += p * level * (bid + other_worth - TIE_DISCOUNT)
        tie = none_below - none_to_here
        values[i + 1] = none_to_here * (bid + worth) + tie * (bid - TIE_DISCOUNT + worth - ruin * max(0, TIE_DISCOUNT - bid))
        values[i + 1] -= envy * (lost + tied_gain)
        lost += gained
        for r, (choices, _) in enumerate(rivals):
            tails[r] -= choices[i + 1]
        none_below = none_to_here
    values[0] = -envy * lost
    return values
