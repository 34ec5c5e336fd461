"""What positions and decisions in Zahltag are worth to a sensible player.

Everything is counted in millions. A Worker card in hand costs its wage at every Payday to come; it earns when a Job
comes up that its owner can do, and most when nobody else can. Cards on the table cost nothing and earn nothing until
they are back. The weights come from play: those that decide were bred by tournaments between players that differ in
them, those that only forecast (`offered` and the last two) are fitted to who won in the end.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final, NamedTuple

from shopfloor.games.zahltag.actions import ADD, DISCARD, EXCHANGE, GIVEN, TAKEN
from shopfloor.games.zahltag.cards import SUPPLY
from shopfloor.games.zahltag.rules import (
    BIDDING,
    GAME_OVER,
    LAST_PAYDAY,
    MAX_WORKERS,
    SEATS,
    TIE_DISCOUNT,
    Zahltag,
)


class Weights(NamedTuple):
    """What things are worth in millions, for one number of players.

    soon_wage, near_wage: a card in hand at the next reveal's Payday, and at those until all cards are back in hand.
    card, crowd: a Worker card, wherever it is, for each Job to come; and the square of their number, by ten.
    near: a Job to come until all cards are back that one can do when none, one, more of the others can. far: after.
    offered: the same for the Job on offer.
    scale, spread: how many millions tip the balance: scale * sqrt(1 + spread * Jobs to come).
    """

    soon_wage: float
    near_wage: float
    card: float
    crowd: float
    near_alone: float
    near_two: float
    near_more: float
    far_alone: float
    far_two: float
    far_more: float
    offered_alone: float
    offered_two: float
    offered_more: float
    scale: float
    spread: float


# What it is worth in millions not to be eliminated, and how much better a bid must be to be clearly preferred.
RUIN: Final = 20.0
CARE: Final = 0.4

# Measured by ladders: so each level is about as far above the one below it as in the other games.
FORGIVING: Final = 1.75

WEIGHTS: Final = {
    2: Weights(-0.59, -0.28, 0.48, -0.1, 4.49, 2.5, 0.96, 0.15, 2.47, 1.63, 5.5, 0.7, 0.5, 2.0, 1.6),
    3: Weights(-0.75, -0.25, 0.2, -0.06, 2.4, 0.3, 0.4, 0.2, 0.6, 0.5, 6.6, 0.4, 0.2, 1.7, 2.0),
    4: Weights(-0.8, -0.3, 0.12, -0.03, 1.99, 0.04, 0.46, 0.2, 0.59, 0.4, 7.0, 0.6, 0.0, 1.8, 1.2),
}


@lru_cache(maxsize=16)
def _doable(needs: tuple[int, ...]) -> list[list[int]]:
    """By type and count: the Jobs, a bit each, that this many Worker cards of the type are enough for."""
    jobs = range(len(needs) // 4)
    return [[sum(1 << j for j in jobs if needs[4 * j + t] <= n) for n in range(SUPPLY[t] + 1)] for t in range(4)]


class Outlook:
    """What can be foreseen at a table by everybody, and who could do which Jobs.

    soon: chance that the next card is a Payday. later: the same for those after. paydays, jobs: to come until the end.
    deck: the Jobs in the stack, a bit each; size: how many. cycle: how many seats are active.
    reach: by seat, the Jobs of the stack that can be done with the hand, with the cards right too, and with all.
    """

    __slots__ = (
        "cycle",
        "deck",
        "doable",
        "jobs",
        "later",
        "paydays",
        "reach",
        "size",
        "soon",
        "state",
        "until_forced",
    )

    def __init__(self, state: Zahltag) -> None:
        self.state = state
        self.doable = _doable(state.cards.needs)
        deck = 0
        for job in state.job_deck:
            deck |= 1 << job
        self.deck: int = deck
        self.size: int = len(state.job_deck)
        cards: int = state.deck_paydays
        limit = 9 if state.players > 2 else 8
        self.paydays: int = LAST_PAYDAY - state.paydays_executed
        self.until_forced: int = max(0, limit - len(state.job_row))
        # About so many until the next Payday, and so many more before each one after it, forced ones included.
        period = self.size / (cards + 1)
        self.jobs: float = min(period, 0.8 * self.until_forced) + (self.paydays - 1) * min(period, 0.8 * limit)
        if state.forced_payday_due():
            self.soon: float = 1.0
        elif state.after_payday and self.size:
            self.soon = 0.0
        else:
            self.soon = cards / (self.size + cards)
        self.later: float = self.paydays / (self.jobs + self.paydays)
        seats = SEATS[state.active]
        self.cycle: int = len(seats)
        self.reach: list[tuple[int, int, int]] = [(0, 0, 0)] * state.players
        for seat in seats:
            b = 4 * seat
            self.reach[seat] = self.reached(state.hand[b : b + 4], state.right[b : b + 4], state.left[b : b + 4])

    def reached(self, hand: list[int], right: list[int], left: list[int]) -> tuple[int, int, int]:
        a, b, c, d = self.doable
        f, w, k, e = hand
        deck = self.deck
        now = a[f] & b[w] & c[k] & d[e] & deck
        if any(right):
            f += right[0]
            w += right[1]
            k += right[2]
            e += right[3]
            soon = a[f] & b[w] & c[k] & d[e] & deck
        else:
            soon = now
        if any(left):
            return now, soon, a[f + left[0]] & b[w + left[1]] & c[k + left[2]] & d[e + left[3]] & deck
        return now, soon, soon

    def paydays_within(self, reveals: int) -> float:
        """How many Paydays to expect while so many cards are turned over."""
        if reveals <= 0:
            return 0.0
        expected = self.soon + (reveals - 1) * self.later
        if expected < 1.0 and reveals > self.until_forced:
            expected = 1.0
        return min(expected, float(self.paydays))

    def wait(self, seat: int) -> int:
        """How many cards will be turned over before the seat's cards from the right are back in hand."""
        state = self.state
        steps = 0
        at = state.current_player
        while True:
            at = at + 1 if at + 1 < state.players else 0
            if state.active >> at & 1:
                steps += 1
            if at == seat:
                return steps - 1 if state.phase == BIDDING else steps


class Stake:
    """What a seat's Worker cards are worth, as far as it depends on all but the cards themselves."""

    __slots__ = ("crowd", "hand", "jobs", "left", "outlook", "right")

    def __init__(self, outlook: Outlook, seat: int, w: Weights) -> None:
        state = outlook.state
        self.outlook = outlook
        wait = outlook.wait(seat)
        first = outlook.paydays_within(wait)
        soon = outlook.soon if wait > 0 else 0.0
        second = outlook.paydays_within(wait + outlook.cycle) - first
        # What one card is worth: in hand, right, left.
        self.left: float = w.card * outlook.jobs
        self.right: float = self.left + w.near_wage * second
        # The surer the next Payday is, the less there is to judge: 1 million a card.
        wage = w.soon_wage * (1.0 - soon) - soon
        self.hand: float = self.right + wage * soon + w.near_wage * (first - soon)
        self.crowd: float = 0.1 * w.crowd * outlook.jobs
        one = [0, 0, 0]
        two = [0, 0, 0]
        for other in SEATS[state.active & ~(1 << seat)]:
            reach = outlook.reach[other]
            for h in range(3):
                two[h] |= one[h] & reach[h]
                one[h] |= reach[h]
        # The time until the right cards are back, until the left ones are, and the rest of the game, in Jobs.
        size = outlook.size or 1
        pace = 1.0 - outlook.later
        now = min(outlook.jobs, wait * pace)
        then = min(outlook.jobs - now, outlook.cycle * pace)
        rest = outlook.jobs - now - then
        near = (w.near_alone, w.near_two, w.near_more)
        far = (w.far_alone, w.far_two, w.far_more)
        self.jobs: list[tuple[int, int, float, float, float]] = []
        for h, span, (alone, some, more) in ((0, now, near), (1, then, near), (2, rest, far)):
            # Counting what is doable at all as `some`, the rest are differences from it.
            per = span / size
            self.jobs.append((~one[h], two[h], per * (alone - some), per * some, per * (more - some)))

    def worth(self, hand: int, right: int, left: int, reach: tuple[int, int, int]) -> float:
        """The worth of so many cards in hand, right and left that can do these Jobs."""
        number = hand + right + left
        worth = self.hand * hand + self.right * right + self.left * left + self.crowd * number * number
        for mask, (unrivalled, crowded, alone, some, more) in zip(reach, self.jobs, strict=True):
            if mask:
                worth += alone * (mask & unrivalled).bit_count() + some * mask.bit_count()
                if mask & crowded:
                    worth += more * (mask & crowded).bit_count()
        return worth


def prospects(outlook: Outlook, seat: int, w: Weights) -> float:
    """What a seat has and may hope for, in millions."""
    state = outlook.state
    b = 4 * seat
    hand = sum(state.hand[b : b + 4])
    stake = Stake(outlook, seat, w)
    worth = stake.worth(hand, sum(state.right[b : b + 4]), sum(state.left[b : b + 4]), outlook.reach[seat])
    if state.phase == BIDDING and state.able >> seat & 1:
        able: int = state.able
        others = able.bit_count() - 1
        worth += w.offered_alone if others == 0 else w.offered_two if others == 1 else w.offered_more
    return worth + state.money[seat] - _ruin_ahead(outlook, seat, hand)


def _ruin_ahead(outlook: Outlook, seat: int, hand: int) -> float:
    """What it costs to be unable to pay the next wages (ZT-9.5)."""
    state = outlook.state
    if state.money[seat] >= hand:
        return 0.0
    least = min([state.hand_count(other) for other in SEATS[state.active & ~(1 << seat)]])
    return RUIN * outlook.soon if hand - least > state.money[seat] else 0.0


def scale(outlook: Outlook) -> float:
    """How many millions tip the balance of the victory."""
    w = WEIGHTS[outlook.state.players]
    return w.scale * math.sqrt(1.0 + w.spread * outlook.jobs)


def value(state: Zahltag) -> list[float]:
    """Each seat's expected share of the victory."""
    if state.phase == GAME_OVER:
        return state.returns()
    outlook = Outlook(state)
    w = WEIGHTS[state.players]
    shares = [0.0] * state.players
    seats = SEATS[state.active]
    worth = [prospects(outlook, seat, w) for seat in seats]
    best = max(worth)
    spread = scale(outlook)
    total = 0.0
    for i, seat in enumerate(seats):
        share = math.exp((worth[i] - best) / spread)
        shares[seat] = share
        total += share
    return [share / total for share in shares]


def measures(state: Zahltag, seat: int) -> list[tuple[str, float]]:
    """What a player counts of a seat: id and number."""
    b = 4 * seat
    if not state.active >> seat & 1:
        return [("money", 0.0), ("hand", 0.0), ("bound", 0.0), ("doable", 0.0), ("out", 100.0)]
    bound = sum(state.right[b : b + 4]) + sum(state.left[b : b + 4])
    doable = 0 if state.phase == GAME_OVER else Outlook(state).reach[seat][2].bit_count()
    return [
        ("money", float(state.money[seat])),
        ("hand", float(state.hand_count(seat))),
        ("bound", float(bound)),
        ("doable", float(doable)),
        ("out", 0.0),
    ]


# -- the hand ---------------------------------------------------------------------------------------------------


def _rate_operations(state: Zahltag, seat: int, legal: tuple[int, ...]) -> list[float]:
    outlook = Outlook(state)
    stake = Stake(outlook, seat, WEIGHTS[state.players])
    b = 4 * seat
    hand = state.hand[b : b + 4]
    right = state.right[b : b + 4]
    left = state.left[b : b + 4]
    in_hand = sum(hand)
    on_right = sum(right)
    on_left = sum(left)
    # By horizon and type: the Jobs that one card less, all there are, and one card more are enough for.
    reach = []
    for h in range(3):
        row = []
        for t in range(4):
            n = hand[t] + (right[t] if h else 0) + (left[t] if h == 2 else 0)
            enough = outlook.doable[t]
            more = enough[n + 1] if n < SUPPLY[t] else enough[n]
            row.append((enough[n] & outlook.deck, more & outlook.deck, enough[n - 1] & outlook.deck if n else 0))
        reach.append(row)
    now, soon, late = reach
    debt = outlook.cycle - 1
    full = state.workers[seat] >= MAX_WORKERS
    poor = state.money[seat] <= in_hand
    ratings = []
    change = [0, 0, 0, 0]  # by type: 0 as it is, 1 a card more, -1 (the last of three) one less
    for action in legal:
        number = in_hand
        given = -1
        taken = -1
        if action >= EXCHANGE:
            given = GIVEN[action - EXCHANGE]
            taken = TAKEN[action - EXCHANGE]
            change[given] = -1
            change[taken] = 1
        elif action >= DISCARD:
            given = action - DISCARD
            change[given] = -1
            number -= 1
        elif action >= ADD:
            taken = action - ADD
            change[taken] = 1
            number += 1
        i, j, k, m = change
        doable = (
            now[0][i] & now[1][j] & now[2][k] & now[3][m],
            soon[0][i] & soon[1][j] & soon[2][k] & soon[3][m],
            late[0][i] & late[1][j] & late[2][k] & late[3][m],
        )
        worth = stake.worth(number, on_right, on_left, doable)
        if poor:
            worth -= _ruin_ahead(outlook, seat, number)
        if full and number > in_hand:  # `penalty`: the card is paid for and another one discarded (ZT-A13)
            worth -= 2.0 * debt if debt <= state.money[seat] else RUIN
        ratings.append(worth)
        if given >= 0:
            change[given] = 0
        if taken >= 0:
            change[taken] = 0
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
    stake = Stake(outlook, seat, WEIGHTS[state.players])
    b = 4 * seat
    j = 4 * state.job
    needs = state.cards.needs
    hand = state.hand[b : b + 4]
    right = state.right[b : b + 4]
    left = state.left[b : b + 4]
    in_hand = sum(hand)
    on_right = sum(right)
    on_left = sum(left)
    before = stake.worth(in_hand, on_right, on_left, outlook.reach[seat]) - _ruin_ahead(outlook, seat, in_hand)
    bound = 0
    for t in range(4):
        need = needs[j + t]
        hand[t] -= need
        left[t] += need
        bound += need
    after = stake.worth(in_hand - bound, on_right, on_left + bound, outlook.reached(hand, right, left))
    return after - _ruin_ahead(outlook, seat, in_hand - bound) - before


def _rate_bids(state: Zahltag, seat: int) -> list[float]:
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
    money = 99 if state.floor_debt else state.money[seat]
    return bid_values(state.offers, _win_worth(outlook, seat), rivals, 1.0 / others, money)


def _halves(worth: float) -> int:
    return max(-16, min(16, round(2 * worth)))


def rate(state: Zahltag, seat: int) -> list[float]:
    """How good each legal decision seems, in the order of `state.legal(seat)`, in millions."""
    legal = state.legal(seat)
    if len(legal) < 2:
        return [0.0] * len(legal)
    if state.phase == BIDDING:
        return _rate_bids(state, seat)
    return _rate_operations(state, seat, legal)
