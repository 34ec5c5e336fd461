"""The rules of Zahltag (docs/rules/zahltag.md), phase by phase. Clauses are cited where code is not the clause itself.

Worker cards are counted by type: `hand[4 * seat + type]` and so on, types in the order of `WorkerType`. Money is in
millions. The job stack is a multiset, since nobody ever knows its order: a card is drawn from it at random when it is
turned over (ZT-A21).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import ClassVar, Final

from shopfloor.engine.dice import Dice, decode_dice
from shopfloor.engine.events import Event
from shopfloor.engine.native import i64
from shopfloor.engine.refusals import IllegalAction, Refusal
from shopfloor.engine.state import Rank, Standing, State
from shopfloor.games.zahltag.actions import ADD, BID, DISCARD, EXCHANGE, GIVEN, NO_BID, PASS, TAKEN, make_space
from shopfloor.games.zahltag.cards import PAYDAYS, SUPPLY, Cards

# Phases in which somebody decides (section 2 of the specification); the others pass by themselves.
ADJUST_START: Final = 0
ADJUST_WORKERS: Final = 1
EXCESS: Final = 2
BIDDING: Final = 3
GAME_OVER: Final = 4

MOST_SEATS: Final = 4
START_MONEY: Final = 20
START_HAND: Final = 7
START_OPERATIONS: Final = 3
MAX_WORKERS: Final = 12
LAST_PAYDAY: Final = 5
TIE_DISCOUNT: Final = 2
NOT_CHOSEN: Final = -1

# Why the game ended.
FIFTH_PAYDAY: Final = "fifth_payday"
ONE_LEFT: Final = "one_left"

CRITERIA: Final = ("lasted", "money", "workers", "on_table")

# The seats of a bit mask: who must decide, who is active.
SEATS: Final = tuple(tuple(seat for seat in range(MOST_SEATS) if mask >> seat & 1) for mask in range(16))


def _operations(hand: int, stacks: int, may_add: bool, may_pass: bool) -> tuple[int, ...]:
    """The operations on the stacks, given which types the hand and the stacks hold (bit masks)."""
    actions = [PASS] if may_pass else []
    if may_add:
        actions += [ADD + t for t in range(4) if stacks >> t & 1]
    actions += [DISCARD + t for t in range(4) if hand >> t & 1]
    for i in range(12):
        if hand >> GIVEN[i] & 1 and stacks >> TAKEN[i] & 1:  # ZT-A29
            actions.append(EXCHANGE + i)
    return tuple(actions)


# Ready-made lists: by the hand's types + 16 * the stacks' types + 256 if a card may be added.
OPERATIONS: Final = [_operations(k & 15, k >> 4 & 15, k >> 8 == 1, True) for k in range(512)]
DISCARDS: Final = [tuple(DISCARD + t for t in range(4) if hand >> t & 1) for hand in range(16)]
# The exchanges once more: a table of a module that is not compiled is slow to reach.
FROM: Final = list(GIVEN)
INTO: Final = list(TAKEN)
ONLY_NO_BID: Final = (NO_BID,)
NOTHING: Final[tuple[int, ...]] = ()


class Zahltag(State):
    """A complete position. Per-type lists hold 4 counts a seat; masks hold a bit a seat.

    hand, left, right: Worker cards by seat and type. known: how many of a hand's cards everybody can be sure of.
    workers: each seat's total, hand and table. stacks: cards by type. money: millions by seat.
    active, pending, able: masks: in the game; to decide now; holding the Workers for the Job on offer.
    job: the Job on offer or -1. job_deck: Jobs in the stack, in no order; deck_paydays: Paydays in it.
    job_row: Jobs turned over since the last Payday. sealed: committed choices or NOT_CHOSEN.
    fate: for eliminated seats: turn, money before the debt, Workers in all, Workers on the table.
    """

    __slots__ = (
        "able",
        "active",
        "after_payday",
        "bank_delta",
        "cards",
        "current_player",
        "deck_paydays",
        "fate",
        "first_player",
        "floor_debt",
        "hand",
        "job",
        "job_deck",
        "job_row",
        "known",
        "left",
        "money",
        "needs",
        "offers",
        "operations",
        "paydays_executed",
        "penalty",
        "pending",
        "phase",
        "right",
        "round_robin",
        "sealed",
        "stacks",
        "turn",
        "workers",
    )

    game: ClassVar[str] = "zahltag"

    def __init__(self, players: int, cards: Cards, dice: Dice, source: Zahltag | None = None) -> None:
        """A bare table (`start` prepares it), or a copy of `source`."""
        State.__init__(self, players, make_space(cards.offer_values) if source is None else source.space, dice)
        self.cards: Cards = cards
        self.needs: tuple[int, ...] = cards.needs
        self.offers: tuple[int, ...] = cards.offer_values
        if source is not None:
            self._copy(source)
            return
        self.round_robin: bool = False
        self.penalty: bool = False
        self.floor_debt: bool = False
        self.first_player: i64 = 0
        self.phase: i64 = ADJUST_START
        self.current_player: i64 = 0
        self.turn: i64 = 0
        self.active: i64 = (1 << players) - 1
        self.pending: i64 = 0
        self.able: i64 = 0
        self.job: i64 = -1
        self.deck_paydays: i64 = PAYDAYS
        self.paydays_executed: i64 = 0
        self.after_payday: bool = False
        self.bank_delta: i64 = 0
        self.hand: list[int] = []
        self.left: list[int] = []
        self.right: list[int] = []
        self.known: list[int] = []
        self.workers: list[int] = []
        self.stacks: list[int] = []
        self.money: list[int] = []
        self.operations: list[int] = []
        self.sealed: list[int] = []
        self.job_deck: list[int] = []
        self.job_row: list[int] = []
        self.fate: list[int] = []

    # -- 2. Preparation ---------------------------------------------------------------------------------------

    def prepare(self, first_player: int) -> None:
        """Money, hands, stacks and the job stack (ZT-2.1 to ZT-2.4, ZT-2.7)."""
        n = self.players
        self.first_player = first_player
        self.money = [START_MONEY] * n
        self.hand = [0] * (4 * n)
        self.left = [0] * (4 * n)
        self.right = [0] * (4 * n)
        self.known = [0] * (4 * n)
        self.workers = [START_HAND] * n
        self.operations = [START_OPERATIONS] * n
        self.sealed = [NOT_CHOSEN] * n
        self.stacks = list(SUPPLY)
        self.job_deck = list(range(len(self.cards.job_ids)))
        self.fate = [0] * (4 * n)
        left_over = sum(SUPPLY)
        for seat in range(n):
            for _ in range(START_HAND):
                i = 4 * seat + self._draw_worker(self.stacks, left_over)
                self.hand[i] = self.hand[i] + 1
                left_over -= 1
        if self.events is not None:
            self._report("game_began", "ZT-1.6", {"players": n, "first_player": first_player})
            for seat in range(n):
                dealt = {"seat": seat, "workers": self.hand[4 * seat : 4 * seat + 4]}
                self._report("hand_dealt", "ZT-2.3", dealt, (seat,))
            self._report("stacks_opened", "ZT-2.4", {"stacks": self.stacks[:]})
        self.current_player = first_player
        self.pending = 1 << first_player

    def _draw_worker(self, pool: list[int], size: int) -> int:
        """Take a random card out of a pool counted by type; its type."""
        r: i64 = self.dice.below(size)
        t: i64 = 0
        while r >= pool[t]:
            r -= pool[t]
            t += 1
        pool[t] = pool[t] - 1
        return t

    # -- deciding ---------------------------------------------------------------------------------------------

    def deciders(self) -> tuple[int, ...]:
        return SEATS[self.pending]

    def over(self) -> bool:
        return self.phase == GAME_OVER

    def legal(self, seat: int) -> tuple[int, ...]:
        if not 0 <= seat < MOST_SEATS or not self.pending >> seat & 1:
            return NOTHING
        if self.phase == BIDDING:
            # ZT-8.1, ZT-A11: the "00" always; an Offer card with all necessary Workers in hand.
            return ALL_BIDS[len(self.offers)] if self.able >> seat & 1 else ONLY_NO_BID
        h = self.hand
        b: i64 = 4 * seat
        key: i64 = (1 if h[b] else 0) | (2 if h[b + 1] else 0) | (4 if h[b + 2] else 0) | (8 if h[b + 3] else 0)
        if self.phase == EXCESS:
            return DISCARDS[key]
        s = self.stacks
        key |= (16 if s[0] else 0) | (32 if s[1] else 0) | (64 if s[2] else 0) | (128 if s[3] else 0)
        if self.workers[seat] < MAX_WORKERS or self.penalty:
            key |= 256
        return OPERATIONS[key]

    def play(self, seat: int, action: int) -> None:
        if not 0 <= seat < MOST_SEATS or not self.pending >> seat & 1:
            self._refuse(seat, action)
        if self.phase == BIDDING:
            if action != NO_BID and not (self.able >> seat & 1 and BID <= action < BID + len(self.offers)):
                self._refuse(seat, action)
            self._seal(seat, action)
            return
        if not self._operate(seat, action):
            self._refuse(seat, action)
        if self.phase == ADJUST_WORKERS:
            self._after_adjusting(seat)
        elif self.phase == ADJUST_START:
            self._next_adjustment(seat, action)
        elif self.workers[seat] <= MAX_WORKERS:
            self._reveal(seat)

    def _operate(self, seat: int, action: int) -> bool:
        """Do an operation on the stacks (ZT-2.5, ZT-6.1, ZT-A13). False, and nothing done, if it is not allowed."""
        if action >= DISCARD:
            h = self.hand
            stacks = self.stacks
            if action < EXCHANGE:
                t = action - DISCARD
                i = 4 * seat + t
                if h[i] == 0:
                    return False
                h[i] = h[i] - 1
                stacks[t] = stacks[t] + 1
                self.workers[seat] = self.workers[seat] - 1
                if self.known[i]:
                    self.known[i] = self.known[i] - 1
                if self.events is not None:
                    self._report("worker_discarded", self._clause(), {"seat": seat, "type": t})
                return True
            if action >= NO_BID or self.phase == EXCESS:
                return False
            given = FROM[action - EXCHANGE]
            taken = INTO[action - EXCHANGE]
            i = 4 * seat + given
            if h[i] == 0 or stacks[taken] == 0:
                return False
            h[i] = h[i] - 1
            stacks[given] = stacks[given] + 1
            if self.known[i]:
                self.known[i] = self.known[i] - 1
            i = 4 * seat + taken
            h[i] = h[i] + 1
            self.known[i] = self.known[i] + 1
            stacks[taken] = stacks[taken] - 1
            if self.events is not None:
                self._report("workers_exchanged", self._clause(), {"seat": seat, "given": given, "taken": taken})
            return True
        if action < PASS or self.phase == EXCESS:
            return False
        if action == PASS:
            if self.events is not None and self.phase == ADJUST_WORKERS:
                self._report("passed", "ZT-6.2", {"seat": seat})
            return True
        t = action - ADD
        if self.stacks[t] == 0 or (self.workers[seat] >= MAX_WORKERS and not self.penalty):
            return False
        i = 4 * seat + t
        self.hand[i] = self.hand[i] + 1
        self.known[i] = self.known[i] + 1
        self.stacks[t] = self.stacks[t] - 1
        self.workers[seat] = self.workers[seat] + 1
        if self.events is not None:
            self._report("worker_added", self._clause(), {"seat": seat, "type": t})
        return True

    def _clause(self) -> str:
        """The clause by which the stacks are open now."""
        if self.phase == ADJUST_START:
            return "ZT-2.5"
        return "ZT-A13" if self.phase == EXCESS else "ZT-6.1"

    # -- 2.5 Hand adjustment ----------------------------------------------------------------------------------

    def _next_adjustment(self, seat: int, action: int) -> None:
        self.operations[seat] = 0 if action == PASS else self.operations[seat] - 1
        if self.events is not None and self.operations[seat] == 0:
            self._report("adjustment_ended", "ZT-2.5", {"seat": seat, "operations": action != PASS})
        if self.operations[seat] and not self.round_robin:
            return
        # ZT-A1: one visit each, or one operation a visit until nobody has any left.
        for step in range(1, self.players + 1):
            following = (seat + step) % self.players
            if self.operations[following]:
                self.current_player = following
                self.pending = 1 << following
                return
        self._begin_turn(self.first_player)

    # -- 4. Turn frame ----------------------------------------------------------------------------------------

    def _next_turn(self) -> None:
        """The next active player clockwise (ZT-4.3), unless the game is over (ZT-A27)."""
        active = self.active
        if active & (active - 1) == 0:
            self._end(ONE_LEFT)
            return
        seat = self.current_player + 1
        while not active >> seat & 1:
            seat = seat + 1 if seat < self.players else 0
        self._begin_turn(seat)

    def _begin_turn(self, seat: int) -> None:
        self.turn += 1
        self.current_player = seat
        self.phase = ADJUST_WORKERS
        self.pending = 1 << seat
        if self.events is not None:
            self._report("turn_began", "ZT-4.1" if self.turn == 1 else "ZT-4.3", {"seat": seat, "turn": self.turn})
        self._finish_jobs(seat)

    # -- 5. Step 1: Finish Jobs -------------------------------------------------------------------------------

    def _finish_jobs(self, seat: int) -> None:
        """Right to hand, then left to right (ZT-5.1)."""
        b = 4 * seat
        right = self.right
        left = self.left
        if self.events is not None and (any(right[b : b + 4]) or any(left[b : b + 4])):
            facts = {"seat": seat, "returned": right[b : b + 4], "moved": left[b : b + 4]}
            self._report("jobs_finished", "ZT-5.1", facts)
        for i in range(b, b + 4):
            back: i64 = right[i]
            moved: i64 = left[i]
            if back:
                self.hand[i] = self.hand[i] + back
                self.known[i] = self.known[i] + back
            if back or moved:
                right[i] = moved
                left[i] = 0

    # -- 6. Step 2: Add, drop or exchange ---------------------------------------------------------------------

    def _after_adjusting(self, seat: int) -> None:
        excess = self.workers[seat] - MAX_WORKERS
        if excess > 0 and self.penalty:
            self._pay_excess(seat, excess)
        else:
            self._reveal(seat)

    def _pay_excess(self, seat: int, excess: int) -> None:
        """1 to each other player per excess card, then discard (ZT-6.4, ZT-6.5, ZT-A13)."""
        others = SEATS[self.active & ~(1 << seat)]
        debt = excess * len(others)
        if debt > self.money[seat]:
            self._eliminate(seat, debt, self.money[seat], "excess", "ZT-6.5")
            self._next_turn()
            return
        self.money[seat] = self.money[seat] - debt
        for other in others:
            self.money[other] = self.money[other] + excess
        if self.events is not None:
            facts: dict[str, object] = {"seat": seat, "excess": excess, "each": excess, "total": debt}
            self._report("excess_paid", "ZT-6.4", facts)
        self.phase = EXCESS

    # -- 7. Step 3: Reveal ------------------------------------------------------------------------------------

    def forced_payday_due(self) -> bool:
        """Have 9 Jobs (8 with 2 players at the start, ZT-A15) been turned over since the last Payday (ZT-10.2)?"""
        return len(self.job_row) >= (9 if self.players > 2 else 8)

    def _reveal(self, seat: int) -> None:
        """The top card of the job stack, or the Payday that is due."""
        self.revelations += 1
        if self.forced_payday_due():
            self._payday(seat, True)  # ZT-10.3
            return
        jobs = len(self.job_deck)
        r = self.dice.below(jobs + self.deck_paydays)
        if r >= jobs:
            if not self.after_payday or jobs == 0:  # ZT-A20: no Job is left to be revealed instead
                self._payday(seat, False)
                return
            # ZT-10.1, ZT-A21: shuffled back until a Job comes up, which is the same as a random Job.
            if self.events is not None:
                self._report("payday_rejected", "ZT-10.1", {"seat": seat})
            r = self.dice.below(jobs)
        job = self.job_deck[r]
        last = self.job_deck.pop()
        if r < jobs - 1:
            self.job_deck[r] = last
        self._offer_job(seat, job)

    def _offer_job(self, seat: int, job: int) -> None:
        self.job = job
        self.job_row.append(job)  # ZT-8.10, ZT-A14: every Job turned over counts
        self.after_payday = False
        self.phase = BIDDING
        self.pending = self.active
        self._find_able()
        if self.events is not None:
            facts: dict[str, object] = {
                "seat": seat,
                "job": job,
                "name": self.cards.job_names[job],
                "needs": list(self.cards.job_needs(job)),
                "number": len(self.job_row),
            }
            self._report("job_revealed", "ZT-7.1", facts)

    def _find_able(self) -> None:
        """Who holds all necessary Workers in hand (ZT-8.1); those on the table do not count (ZT-8.2)."""
        needs = self.needs
        j = 4 * self.job
        foremen: i64 = needs[j]
        workers: i64 = needs[j + 1]
        cranes: i64 = needs[j + 2]
        excavators: i64 = needs[j + 3]
        h = self.hand
        able: i64 = 0
        for seat in SEATS[self.active]:
            b: i64 = 4 * seat
            if h[b] >= foremen and h[b + 1] >= workers and h[b + 2] >= cranes and h[b + 3] >= excavators:
                able |= 1 << seat
        self.able = able

    # -- 8. Step 4.1: Bid for a Job ---------------------------------------------------------------------------

    def _seal(self, seat: int, action: int) -> None:
        """A card face down (ZT-8.1); all are turned over once the last one lies (ZT-8.3)."""
        self.sealed[seat] = action
        self.pending &= ~(1 << seat)
        if self.events is not None:
            bid = None if action == NO_BID else self.offers[action - BID]
            self._report("offer_chosen", "ZT-8.1", {"seat": seat, "bid": bid}, (seat,))
            self._report("offer_sealed", "ZT-8.1", {"seat": seat})
        if self.pending == 0:
            self._open_offers()

    def _open_offers(self) -> None:
        self.revelations += 1
        sealed = self.sealed
        lowest: i64 = 1000
        winners: i64 = 0
        for seat in SEATS[self.active]:
            action: i64 = sealed[seat]
            if action != NO_BID:
                self._learn_hand(seat)
                if action < lowest:
                    lowest = action
                    winners = 1 << seat
                elif action == lowest:
                    winners |= 1 << seat
        if self.events is not None:
            seats = SEATS[self.active]
            bids = [None if sealed[seat] == NO_BID else self.offers[sealed[seat] - BID] for seat in seats]
            self._report("offers_opened", "ZT-8.3", {"seats": list(seats), "bids": bids})
        for seat in range(self.players):
            sealed[seat] = NOT_CHOSEN  # ZT-8.9
        if winners:
            self._award(winners, self.offers[lowest - BID])
        elif self.events is not None:
            name = self.cards.job_names[self.job]
            self._report("job_unwon", "ZT-8.8", {"job": self.job, "name": name})
        self.job = -1
        self.able = 0
        self._next_turn()

    def _learn_hand(self, seat: int) -> None:
        """An open bid shows everybody that the necessary Workers are in that hand (ZT-A10)."""
        j = 4 * self.job
        needs = self.needs
        known = self.known
        i: i64 = 4 * seat
        for t in range(4):
            count: i64 = needs[j + t]
            if known[i + t] < count:
                known[i + t] = count

    def _award(self, winners: int, bid: int) -> None:
        """The lowest bid wins (ZT-8.4); several get the Job each, at 2 million less (ZT-8.6)."""
        tied = winners & (winners - 1) != 0
        payout = bid - TIE_DISCOUNT if tied else bid
        for seat in SEATS[winners]:
            money = self.money[seat]
            if money + payout < 0 and not self.floor_debt:
                self._eliminate(seat, -payout, money, "tie", "ZT-A9")
                continue
            paid = max(payout, -money)  # ZT-A9 `floor`: what there is
            self.money[seat] = money + paid
            self.bank_delta += paid
            if self.events is not None:
                facts: dict[str, object] = {
                    "seat": seat,
                    "job": self.job,
                    "name": self.cards.job_names[self.job],
                    "bid": bid,
                    "payout": paid,
                    "tied": tied,
                }
                clause = "ZT-8.4" if not tied else "ZT-8.7" if payout < 0 else "ZT-8.6"
                self._report("job_won", clause, facts)
            self._lay_out(seat)

    def _lay_out(self, seat: int) -> None:
        """The necessary Worker cards from hand to the left (ZT-8.5)."""
        j = 4 * self.job
        needs = self.needs
        for t in range(4):
            count: i64 = needs[j + t]
            if count:
                i: i64 = 4 * seat + t
                self.hand[i] = self.hand[i] - count
                self.left[i] = self.left[i] + count
                self.known[i] = self.known[i] - count
        if self.events is not None:
            laid = {"seat": seat, "workers": list(self.cards.job_needs(self.job))}
            self._report("workers_laid_out", "ZT-8.5", laid)

    # -- 9. Step 4.2: Payday ----------------------------------------------------------------------------------

    def hand_count(self, seat: int) -> int:
        """How many Worker cards a seat holds in hand."""
        h = self.hand
        b: i64 = 4 * seat
        return h[b] + h[b + 1] + h[b + 2] + h[b + 3]

    def _payday(self, seat: int, forced: bool) -> None:
        self.deck_paydays -= 1
        self.paydays_executed += 1
        self.after_payday = True
        self.job_row = []  # ZT-9.6
        if self.events is not None:
            facts: dict[str, object] = {"seat": seat, "number": self.paydays_executed, "forced": forced}
            self._report("payday_revealed", "ZT-10.3" if forced else "ZT-7.1", facts)
        self._pay_wages()
        if self.paydays_executed == LAST_PAYDAY:
            self._end(FIFTH_PAYDAY)  # ZT-11.1
        else:
            self._next_turn()

    def _pay_wages(self) -> None:
        """1 million per card above the lowest hand count (ZT-9.2, ZT-9.3); all debts are settled at once (ZT-A25)."""
        seats = SEATS[self.active]
        counts = [self.hand_count(seat) for seat in seats]
        minimum = min(counts)
        if self.events is not None:
            if max(counts) == minimum:
                self._report("wages_equal", "ZT-9.4", {"cards": minimum})
            else:
                free = [seat for seat, count in zip(seats, counts, strict=True) if count == minimum]
                self._report("wages_free", "ZT-9.2", {"seats": free, "cards": minimum})
        for i in range(len(seats)):
            debt = counts[i] - minimum
            if debt == 0:
                continue
            seat = seats[i]
            if debt > self.money[seat]:
                self._eliminate(seat, debt, self.money[seat], "wages", "ZT-9.5")
                continue
            self.money[seat] = self.money[seat] - debt
            self.bank_delta -= debt
            if self.events is not None:
                wages: dict[str, object] = {"seat": seat, "cards": counts[i], "minimum": minimum, "amount": debt}
                self._report("wages_paid", "ZT-9.3", wages)

    # -- elimination and end ----------------------------------------------------------------------------------

    def _eliminate(self, seat: int, debt: int, money: int, reason: str, clause: str) -> None:
        """All Worker cards to the stacks, money to the Bank, out of the game (ZT-A26)."""
        self.revelations += 1  # the hand goes openly to the stacks
        b = 4 * seat
        on_table = self.workers[seat] - self.hand_count(seat)
        self.fate[b : b + 4] = [self.turn, money, self.workers[seat], on_table]
        for t in range(4):
            i = b + t
            self.stacks[t] = self.stacks[t] + self.hand[i] + self.left[i] + self.right[i]
            self.hand[i] = 0
            self.left[i] = 0
            self.right[i] = 0
            self.known[i] = 0
        self.workers[seat] = 0
        self.money[seat] = 0
        self.bank_delta -= money
        self.active &= ~(1 << seat)
        if self.events is not None:
            facts: dict[str, object] = {"seat": seat, "reason": reason, "debt": debt, "money": money}
            self._report("eliminated", clause, facts)

    def _end(self, reason: str) -> None:
        self.phase = GAME_OVER
        self.pending = 0
        if self.events is not None:
            facts: dict[str, object] = {"reason": reason, "winners": list(self.standing().winners())}
            self._report("game_ended", "ZT-11.1" if reason == FIFTH_PAYDAY else "ZT-A27", facts)

    def _merits(self, seat: int) -> tuple[int, int, int, int]:
        """What a seat is ranked by: turns survived, money, Workers in all, Workers on the table (ZT-A26, ZT-11.2)."""
        b = 4 * seat
        if self.active >> seat & 1:
            return (self.turn, self.money[seat], self.workers[seat], self.workers[seat] - self.hand_count(seat))
        # The turn of its elimination is one that it has not survived: who is left ranks above.
        return (self.fate[b] - 1, self.fate[b + 1], self.fate[b + 2], self.fate[b + 3])

    def standing(self) -> Standing:
        """ZT-11.2: more money, then fewer Worker cards in all, then fewer on the table; eliminated seats by ZT-A26."""
        if self.phase != GAME_OVER:
            raise ValueError("the game is still under way")
        merits = [self._merits(seat) for seat in range(self.players)]
        keys = [(-m[0], -m[1], m[2], m[3]) for m in merits]
        order = sorted(range(self.players), key=lambda seat: (keys[seat], seat))
        # Equal in everything is a shared place (ZT-A32).
        ranks = tuple(Rank(seat, 1 + sum(key < keys[seat] for key in keys), merits[seat]) for seat in order)
        return Standing(CRITERIA, ranks)

    def returns(self) -> list[float]:
        if self.phase != GAME_OVER:
            return [0.0] * self.players
        winners = self.standing().winners()
        share = 1.0 / len(winners)
        return [share if seat in winners else 0.0 for seat in range(self.players)]

    # -- refusals ---------------------------------------------------------------------------------------------

    def _refuse(self, seat: int, action: int) -> None:
        refusal = self.refusal(seat, action)
        assert refusal is not None, "a refused action has a reason"
        raise IllegalAction(refusal)

    def refusal(self, seat: int, action: int) -> Refusal | None:
        if self.phase == GAME_OVER:
            return Refusal("GAME_OVER", "ZT-11.1", {})
        if not 0 <= seat < MOST_SEATS or not self.pending >> seat & 1:
            return Refusal("NOT_YOUR_DECISION", "ZT-4.1", {"seat": seat, "deciders": list(self.deciders())})
        if not 0 <= action < self.space.size:
            return Refusal("MALFORMED", "", {"action": action, "size": self.space.size})
        bidding = self.phase == BIDDING
        if bidding != (action >= NO_BID) or (self.phase == EXCESS and not DISCARD <= action < EXCHANGE):
            return Refusal("WRONG_PHASE", self._phase_clause(), {"phase": PHASE_NAMES[self.phase]})
        if bidding:
            return self._bid_refusal(seat, action)
        if action == PASS:
            return None
        if action < DISCARD:
            return self._take_refusal(action - ADD) or self._cap_refusal(seat)
        given = action - DISCARD if action < EXCHANGE else GIVEN[action - EXCHANGE]
        # The stack is looked at first (error precedence of section 3).
        empty = None if action < EXCHANGE else self._take_refusal(TAKEN[action - EXCHANGE])
        if empty is not None:
            return empty
        if self.hand[4 * seat + given] == 0:
            return Refusal("CARD_NOT_IN_HAND", self._clause(), {"type": given})
        return None

    def _phase_clause(self) -> str:
        return ("ZT-2.5", "ZT-6.1", "ZT-A13", "ZT-8.1", "ZT-11.1")[self.phase]

    def _take_refusal(self, t: int) -> Refusal | None:
        return Refusal("STACK_EMPTY", "ZT-6.6", {"type": t}) if self.stacks[t] == 0 else None

    def _cap_refusal(self, seat: int) -> Refusal | None:
        if self.workers[seat] < MAX_WORKERS or self.penalty:
            return None
        return Refusal("OVER_CARD_CAP", "ZT-6.3", {"workers": self.workers[seat], "most": MAX_WORKERS})

    def _bid_refusal(self, seat: int, action: int) -> Refusal | None:
        if action == NO_BID or self.able >> seat & 1:
            return None
        needs = list(self.cards.job_needs(self.job))
        hand = self.hand[4 * seat : 4 * seat + 4]
        missing = [max(0, need - have) for need, have in zip(needs, hand, strict=True)]
        return Refusal("BID_WITHOUT_WORKERS", "ZT-8.1", {"needs": needs, "hand": hand, "missing": missing})

    # -- copies -----------------------------------------------------------------------------------------------

    def clone(self) -> Zahltag:
        return Zahltag(self.players, self.cards, self.dice.clone(), self)

    def _copy(self, source: Zahltag) -> None:
        self.round_robin = source.round_robin
        self.penalty = source.penalty
        self.floor_debt = source.floor_debt
        self.first_player = source.first_player
        self.phase = source.phase
        self.current_player = source.current_player
        self.turn = source.turn
        self.active = source.active
        self.pending = source.pending
        self.able = source.able
        self.job = source.job
        self.deck_paydays = source.deck_paydays
        self.paydays_executed = source.paydays_executed
        self.after_payday = source.after_payday
        self.bank_delta = source.bank_delta
        self.revelations = source.revelations
        self.hand = source.hand[:]
        self.left = source.left[:]
        self.right = source.right[:]
        self.known = source.known[:]
        self.workers = source.workers[:]
        self.stacks = source.stacks[:]
        self.money = source.money[:]
        self.operations = source.operations[:]
        self.sealed = source.sealed[:]
        self.job_deck = source.job_deck[:]
        self.job_row = source.job_row[:]
        self.fate = source.fate[:]

    def imagine(self, seat: int, dice: Dice) -> Zahltag:
        """Deals the cards that the others may hold anew, keeping what everybody knows of each hand (`known`).

        The stacks are open, so the others' cards are known in sum by type; with two players that is the hand itself
        (ZT-A18). Choices that lie sealed are drawn from what the imagined hand allows.
        """
        s = self.clone()
        s.dice = dice
        if s.phase == GAME_OVER:  # all cards are open then
            return s
        pool = [0, 0, 0, 0]
        for other in SEATS[s.active]:
            if other != seat:
                for t in range(4):
                    pool[t] = pool[t] + s.hand[4 * other + t] - s.known[4 * other + t]
        size = sum(pool)
        for other in SEATS[s.active]:
            if other != seat:
                b = 4 * other
                unknown = s.hand_count(other) - sum(s.known[b : b + 4])
                s.hand[b : b + 4] = s.known[b : b + 4]
                for _ in range(unknown):
                    i = b + s._draw_worker(pool, size)
                    s.hand[i] = s.hand[i] + 1
                    size -= 1
        s.job_deck.sort()  # its order carries nothing, not even by how it came about
        if s.phase == BIDDING:
            s._find_able()
            for other in SEATS[s.active & ~s.pending]:
                if other != seat:
                    choices = ALL_BIDS[len(s.offers)] if s.able >> other & 1 else ONLY_NO_BID
                    s.sealed[other] = choices[dice.below(len(choices))]
        return s

    def reopen(self) -> None:
        if self.phase == BIDDING:
            self.pending = self.active
            for seat in range(self.players):
                self.sealed[seat] = NOT_CHOSEN

    def encode(self) -> str:
        return json.dumps(
            [
                self.dice.encode(),
                [self.players, self.first_player, self.phase, self.current_player, self.turn],
                [
                    self.active,
                    self.pending,
                    self.able,
                    self.job,
                    self.deck_paydays,
                    self.paydays_executed,
                    self.bank_delta,
                    self.revelations,
                ],
                [self.round_robin, self.penalty, self.floor_debt, self.after_payday],
                [self.hand, self.left, self.right, self.known, self.workers, self.stacks, self.money],
                [self.operations, self.sealed, self.job_deck, self.job_row, self.fate],
            ]
        )

    def __reduce__(self) -> tuple[object, tuple[str, Cards]]:
        return (decode, (self.encode(), self.cards))

    # -- reporting --------------------------------------------------------------------------------------------

    def _report(self, kind: str, clause: str, facts: Mapping[str, object], to: tuple[int, ...] | None = None) -> None:
        if self.events is not None:
            self.events.append(Event(kind, clause, dict(facts), to))

    def __repr__(self) -> str:
        letters = "ABCD"
        lines = [f"Zahltag, {self.players} players, turn {self.turn}, {PHASE_NAMES[self.phase]}"]
        if self.job >= 0:
            needs = _counts(self.cards.job_needs(self.job))
            lines.append(f"  job on offer: {self.cards.job_names[self.job]} ({needs})")
        lines.append(
            f"  paydays {self.paydays_executed} of {LAST_PAYDAY}, jobs since {len(self.job_row)}, "
            f"stacks {_counts(self.stacks)}, job stack {len(self.job_deck)} + {self.deck_paydays}"
        )
        for seat in range(self.players):
            b = 4 * seat
            marks = "*" if self.pending >> seat & 1 else " " if self.active >> seat & 1 else "x"
            lines.append(
                f"{marks} {letters[seat]}  {self.money[seat]:3d} M  hand {_counts(self.hand[b : b + 4]):12s}"
                f"  left {_counts(self.left[b : b + 4]):12s}  right {_counts(self.right[b : b + 4])}".rstrip()
            )
        if self.phase == GAME_OVER:
            lines.append("  won by " + " and ".join(letters[seat] for seat in self.standing().winners()))
        return "\n".join(lines)


PHASE_NAMES: Final = ("ADJUST_START", "ADJUST_WORKERS", "EXCESS", "BIDDING", "GAME_OVER")
ALL_BIDS: Final = [tuple([NO_BID] + [BID + i for i in range(size)]) for size in range(33)]


def _counts(counts: list[int] | tuple[int, ...]) -> str:
    """Worker cards in short: F2 W1; a dash for none."""
    return " ".join(f"{letter}{n}" for letter, n in zip("FWCE", counts, strict=True) if n) or "-"


def start(players: int, dice: Dice, options: Mapping[str, str], edition: Cards, report: bool = False) -> Zahltag:
    """A new game for 2 to 4 players, up to the first decision of the hand adjustment.

    options: `setup_adjust` (block, round_robin), `first_player` (random or a seat), `card_cap` (prevent, penalty),
    `tie_debt` (eliminate, floor); all must be given. report: report events from the first card on.
    """
    state = Zahltag(players, edition, dice)
    state.round_robin = options["setup_adjust"] == "round_robin"
    state.penalty = options["card_cap"] == "penalty"
    state.floor_debt = options["tie_debt"] == "floor"
    if report:
        state.listen()
    first = options["first_player"]
    state.prepare(dice.below(players) if first == "random" else int(first))  # ZT-A3
    return state


def decode(text: str, edition: Cards) -> Zahltag:
    """The state that `Zahltag.encode` wrote."""
    dice, whole, more, flags, piles, lists = json.loads(text)
    s = Zahltag(int(whole[0]), edition, decode_dice(dice))
    s.first_player, s.phase, s.current_player, s.turn = [int(v) for v in whole[1:]]
    s.active, s.pending, s.able, s.job, s.deck_paydays, s.paydays_executed, s.bank_delta, s.revelations = [
        int(v) for v in more
    ]
    s.round_robin, s.penalty, s.floor_debt, s.after_payday = [bool(v) for v in flags]
    s.hand, s.left, s.right, s.known, s.workers, s.stacks, s.money = [[int(v) for v in pile] for pile in piles]
    s.operations, s.sealed, s.job_deck, s.job_row, s.fate = [[int(v) for v in pile] for pile in lists]
    return s
