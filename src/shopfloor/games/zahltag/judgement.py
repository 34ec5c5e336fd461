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

# What it is worth in millions not to be eliminated, and how much better a bid must be to be clearly preferred.
RUIN: Final = 20.0
CARE: Final = 0.4

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


def _outcome(outlook: Outlook, seat: int, hand: list[int], right: list[int], left: list[int], reach: list[int]) -> float:
    """What a seat's Worker cards are worth from now on."""
    w = outlook.weights
    one, two = outlook.rivals(seat)
    near, far = outlook.wages(sum(hand), sum(right), sum(left), outlook.wait[seat])
    c = outlook.chances(reach, one, two, outlook.wait[seat])
    a = w.near
    b = w.far
    earned = a[0] * c[0] + a[1] * c[1] + a[2] * c[2] + b[0] * c[3] + b[1] * c[4] + b[2] * c[5]
    return earned - w.near_wage * near - w.far_wage * far


def prospects(outlook: Outlook, seat: int) -> float:
    """What a seat has and may hope for, in millions."""
    state = outlook.state
    b = 4 * seat
    hand = state.hand[b : b + 4]
    worth = _outcome(outlook, seat, hand, state.right[b : b + 4], state.left[b : b + 4], outlook.masks[seat])
    if state.phase == BIDDING and state.able >> seat & 1:
        worth += outlook.weights.offered[min(2, state.able.bit_count() - 1)]
    return worth + state.money[seat] - _ruin_ahead(outlook, seat, sum(hand))


def _ruin_ahead(outlook: Outlook, seat: int, hand: int) -> float:
    """What it costs to be unable to pay the next wages (ZT-9.5)."""
    state = outlook.state
    if state.money[seat] >= hand:
        return 0.0
    least = min(state.hand_count(other) for other in SEATS[state.active & ~(1 << seat)])
    return RUIN * outlook.soon if hand - least > state.money[seat] else 0.0


def value(state: Zahltag) -> list[float]:
    """Each seat's expected share of the victory."""
    if state.phase == GAME_OVER:
        return state.returns()
    outlook = Outlook(state)
    w = outlook.weights
    shares = [0.0] * state.players
    seats = SEATS[state.active]
    worth = [prospects(outlook, seat) for seat in seats]
    best = max(worth)
    spread = w.scale * math.sqrt(1.0 + w.spread * outlook.jobs_to_come)
    total = 0.0
    for i, seat in enumerate(seats):
        share = math.exp((worth[i] - best) / spread)
        shares[seat] = share
        total += share
    return [share / total for share in shares]


# -- the hand ---------------------------------------------------------------------------------------------------


def _rate_operations(state: Zahltag, seat: int, legal: tuple[int, ...]) -> list[float]:
    outlook = Outlook(state)
    b = 4 * seat
    right = state.right[b : b + 4]
    left = state.left[b : b + 4]
    # At set-up nobody else has had the chance to settle; what they hold says little, so only the seat's own counts.
    ratings = []
    for action in legal:
        hand = state.hand[b : b + 4]
        price = 0.0
        if action == PASS:
            pass
        elif action < DISCARD:
            hand[action - ADD] += 1
            if state.workers[seat] >= MAX_WORKERS:  # `penalty`: the card is paid for and another discarded (ZT-A13)
                debt = outlook.cycle - 1
                price = 2.0 * debt if debt <= state.money[seat] else RUIN
        elif action < EXCHANGE:
            hand[action - DISCARD] -= 1
        else:
            hand[GIVEN[action - EXCHANGE]] -= 1
            hand[TAKEN[action - EXCHANGE]] += 1
        worth = _outcome(outlook, seat, hand, right, left, outlook.reach(hand, right, left))
        ratings.append(worth - price - _ruin_ahead(outlook, seat, sum(hand)))
    return ratings


# -- the bid ----------------------------------------------------------------------------------------------------


def bid_values(
    offers: tuple[int, ...], worth: float, rivals: list[tuple[tuple[float, ...], float]], envy: float, money: int
) -> list[float]:
    """What the "00" and each bid bring against rivals.

    worth: what winning the Job is worth beyond the bid. rivals: by rival, the chances of the "00" and of each bid,
    and what winning is worth to it. envy: what a million for a rival costs. money: what there is to pay for a tie
    at a loss; without it a tie is ruin (ZT-A9).
    """
    count = len(rivals)
    values = [0.0]
    taken = 0.0  # what rivals gain with lower bids than the one that is looked at
    below = 1.0  # the chance that there are none
    tails = [1.0] * count  # by rival, the chance of this bid, a higher one or none
    for i, bid in enumerate(offers, 1):
        beyond = [tails[r] - rivals[r][0][i] for r in range(count)]
        gained = 0.0
        shared = 0.0
        for r in range(count):
            choices, other_worth = rivals[r]
            if choices[i] > 0.0:
                level = choices[i]
                above = choices[i]
                for r2 in range(count):
                    if r2 != r:
                        level *= tails[r2]
                        above *= beyond[r2]
                gained += level * (bid + other_worth) - TIE_DISCOUNT * (level - above)
                shared += level * (bid + other_worth - TIE_DISCOUNT)
        alone = 1.0
        for tail in beyond:
            alone *= tail
        payout = bid - TIE_DISCOUNT
        tie = payout + worth if money + payout >= 0 else -RUIN
        values.append(alone * (bid + worth) + (below - alone) * tie - envy * (taken + shared))
        taken += gained
        tails = beyond
        below = alone
    values[0] = -envy * taken
    return values


@lru_cache(maxsize=4096)
def _habits(offers: tuple[int, ...], rivals: int, chance: int, worth: int) -> tuple[float, ...]:
    """How sensible players bid: their chances of the "00" and each bid when winning is worth `worth` / 2 millions.

    There are `rivals` others, who are able with a chance of `chance` / 8 and think alike. Found by play against
    itself, each time a little surer: a bid is likelier the more it brings, and none is certain.
    """
    size = len(offers) + 1
    own = [1.0 / size] * size
    q = chance / 8
    for step in range(40):
        mixed = tuple([1.0 - q + q * own[0]] + [q * p for p in own[1:]])
        values = bid_values(offers, worth / 2, [(mixed, worth / 2)] * rivals, 1.0 / rivals, 99)
        best = max(values)
        odds = [math.exp((v - best) / CARE) for v in values]
        total = sum(odds)
        rate = 1.0 / (1.0 + 0.3 * step)
        own = [(1.0 - rate) * p + rate * o / total for p, o in zip(own, odds, strict=True)]
    return tuple(own)


@lru_cache(maxsize=4096)
def _at_least(wanted: int, cards: int, twentieths: int) -> float:
    """The chance of at least `wanted` of a type among so many cards, of which so many in 20 are of the type."""
    p = twentieths / 20
    return sum(math.comb(cards, k) * p**k * (1.0 - p) ** (cards - k) for k in range(wanted, cards + 1))


def able_chances(state: Zahltag) -> list[float]:
    """By seat: the chance that it holds the Workers for the Job on offer, for all that is open to everybody."""
    chances = [0.0] * state.players
    seats = SEATS[state.active]
    if state.players == 2:  # the open stacks give the other's hand away (ZT-A18)
        for seat in seats:
            chances[seat] = float(state.able >> seat & 1)
        return chances
    unseen = [sum(state.hand[4 * s + t] - state.known[4 * s + t] for s in seats) for t in range(4)]
    total = sum(unseen)
    needs = state.cards.needs
    j = 4 * state.job
    for seat in seats:
        cards = state.hand_count(seat) - sum(state.known[4 * seat : 4 * seat + 4])
        chance = 1.0
        short = 0
        for t in range(4):
            missing = needs[j + t] - state.known[4 * seat + t]
            if missing > 0:
                short += missing
                if short > cards or missing > unseen[t]:
                    chance = 0.0
                    break
                chance *= _at_least(missing, cards, (20 * unseen[t] + total // 2) // total)
        chances[seat] = chance
    return chances


def _win_worth(outlook: Outlook, seat: int) -> float:
    """What winning the Job on offer is worth beyond the bid: wages saved, less what the bound Workers cannot earn."""
    state = outlook.state
    b = 4 * seat
    j = 4 * state.job
    needs = state.cards.needs
    hand = state.hand[b : b + 4]
    right = state.right[b : b + 4]
    left = state.left[b : b + 4]
    before = _outcome(outlook, seat, hand, right, left, outlook.masks[seat])
    before -= _ruin_ahead(outlook, seat, sum(hand))
    for t in range(4):
        hand[t] -= needs[j + t]
        left[t] += needs[j + t]
    after = _outcome(outlook, seat, hand, right, left, outlook.reach(hand, right, left))
    return after - _ruin_ahead(outlook, seat, sum(hand)) - before


def _rate_bids(state: Zahltag, seat: int, legal: tuple[int, ...]) -> list[float]:
    outlook = Outlook(state)
    chances = able_chances(state)
    seats = SEATS[state.active]
    others = len(seats) - 1
    expected = sum(chances)
    rivals = []
    for other in seats:
        if other != seat and state.able >> other & 1:
            worth = _win_worth(outlook, other)
            # The others think alike, but know no more of this hand than everybody does.
            q = (expected - chances[other]) / others
            rivals.append((_habits(state.offers, others, round(8 * q), _halves(worth)), worth))
    money = state.money[seat] if not state.floor_debt else 99
    return bid_values(state.offers, _win_worth(outlook, seat), rivals, 1.0 / others, money)


def _halves(worth: float) -> int:
    return max(-16, min(16, round(2 * worth)))


def rate(state: Zahltag, seat: int) -> list[float]:
    """How good each legal decision seems, in the order of `state.legal(seat)`, in millions."""
    legal = state.legal(seat)
    if len(legal) < 2:
        return [0.0] * len(legal)
    if state.phase == BIDDING:
        return _rate_bids(state, seat, legal)
    return _rate_operations(state, seat, legal)
