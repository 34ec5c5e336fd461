"""Keeps the books of a game from its public events alone: what an attentive spectator knows.

If it agrees with the state after every decision, the events leave nothing out and the state does nothing in secret.
"""

from __future__ import annotations

from typing import Any

from shopfloor.engine.events import Event
from shopfloor.games.zahltag import rules
from shopfloor.games.zahltag.rules import Zahltag


class Ledger:
    def __init__(self, players: int) -> None:
        self.players = players
        self.money = [20] * players
        self.hand_counts = [7] * players
        self.left = [[0] * 4 for _ in range(players)]
        self.right = [[0] * 4 for _ in range(players)]
        self.known = [[0] * 4 for _ in range(players)]
        self.stacks = [0] * 4
        self.row: list[int] = []
        self.earlier: list[int] = []
        self.paydays = 0
        self.payouts = 0
        self.receipts = 0
        self.out: set[int] = set()
        self.needs = [0] * 4
        self.at_work: list[list[list[int]]] = [[] for _ in range(players)]
        """Jobs won and not yet back, a seat: [workers by type..., own turns since]."""
        self.events: list[Event] = []

    def note(self, event: Event) -> None:
        self.events.append(event)
        facts: dict[str, Any] = event.facts
        handler = getattr(self, f"_{event.kind}", None)
        if handler is not None:
            handler(**facts)

    # -- each kind of event -------------------------------------------------------------------------------------

    def _stacks_opened(self, stacks: list[int]) -> None:
        self.stacks = stacks[:]

    def _take(self, seat: int, t: int) -> None:
        self.stacks[t] -= 1
        self.hand_counts[seat] += 1
        self.known[seat][t] += 1

    def _give(self, seat: int, t: int) -> None:
        self.stacks[t] += 1
        self.hand_counts[seat] -= 1
        self.known[seat][t] = max(0, self.known[seat][t] - 1)

    def _worker_added(self, seat: int, type: int) -> None:  # noqa: A002
        self._take(seat, type)

    def _worker_discarded(self, seat: int, type: int) -> None:  # noqa: A002
        self._give(seat, type)

    def _workers_exchanged(self, seat: int, given: int, taken: int) -> None:
        assert given != taken
        self._give(seat, given)
        self._take(seat, taken)

    def _turn_began(self, seat: int, turn: int) -> None:
        """ZT-I6: what was laid out at the last but one turn comes back, what was laid out since moves."""
        for job in self.at_work[seat]:
            job[4] += 1
        back = [job for job in self.at_work[seat] if job[4] == 2]
        self.at_work[seat] = [job for job in self.at_work[seat] if job[4] == 1]
        for t in range(4):
            returned = sum(job[t] for job in back)
            self.hand_counts[seat] += returned
            self.known[seat][t] += returned
            self.right[seat][t] = sum(job[t] for job in self.at_work[seat])
            self.left[seat][t] = 0
        self.expected = [sum(job[t] for job in back) for t in range(4)], self.right[seat][:]

    def _jobs_finished(self, seat: int, returned: list[int], moved: list[int]) -> None:
        assert (returned, moved) == self.expected

    def _excess_paid(self, seat: int, excess: int, each: int, total: int) -> None:
        others = [other for other in range(self.players) if other != seat and other not in self.out]
        assert each == excess
        assert total == each * len(others)
        self.money[seat] -= total
        for other in others:
            self.money[other] += each

    def _job_revealed(self, seat: int, job: int, name: str, needs: list[int], number: int) -> None:
        self.row.append(job)
        self.needs = needs
        assert number == len(self.row)

    def _offers_opened(self, seats: list[int], bids: list[int | None]) -> None:
        assert set(seats) == set(range(self.players)) - self.out
        made = [bid for bid in bids if bid is not None]
        self.bids = dict(zip(seats, bids, strict=True))
        self.lowest = min(made, default=None)
        for seat, bid in self.bids.items():
            if bid is not None:
                self.known[seat] = [max(k, n) for k, n in zip(self.known[seat], self.needs, strict=True)]

    def _job_won(self, seat: int, job: int, name: str, bid: int, payout: int, tied: bool) -> None:
        assert bid == self.lowest == self.bids[seat]
        assert tied == (list(self.bids.values()).count(bid) > 1)
        assert payout == (max(bid - 2, -self.money[seat]) if tied else bid)
        self.money[seat] += payout
        self.payouts += max(payout, 0)
        self.receipts += max(-payout, 0)

    def _workers_laid_out(self, seat: int, workers: list[int]) -> None:
        assert workers == self.needs
        self.at_work[seat].append([*workers, 0])
        for t in range(4):
            self.left[seat][t] += workers[t]
            self.known[seat][t] -= workers[t]
        self.hand_counts[seat] -= sum(workers)

    def _job_unwon(self, job: int, name: str) -> None:
        assert self.lowest is None

    def _payday_revealed(self, seat: int, number: int, forced: bool) -> None:
        assert forced == (len(self.row) == (8 if self.players == 2 else 9))
        self.earlier += self.row
        self.row = []
        self.paydays += 1
        assert number == self.paydays
        self.counts = {s: self.hand_counts[s] for s in range(self.players) if s not in self.out}
        self.total = 0

    def _wages_paid(self, seat: int, cards: int, minimum: int, amount: int) -> None:
        assert (cards, minimum) == (self.counts[seat], min(self.counts.values()))
        assert amount == cards - minimum > 0
        self.money[seat] -= amount
        self.receipts += amount

    def _wages_free(self, seats: list[int], cards: int) -> None:
        assert seats == [s for s, count in self.counts.items() if count == min(self.counts.values())]
        assert cards == min(self.counts.values())

    def _wages_equal(self, cards: int) -> None:
        assert set(self.counts.values()) == {cards}

    def _eliminated(self, seat: int, reason: str, debt: int, money: int) -> None:
        assert money == self.money[seat] < debt
        if reason == "wages":
            assert debt == self.counts[seat] - min(self.counts.values())
        self.receipts += money
        self.money[seat] = 0
        self.hand_counts[seat] = 0
        self.left[seat], self.right[seat], self.known[seat] = [0] * 4, [0] * 4, [0] * 4
        self.at_work[seat] = []
        self.out.add(seat)
        # Which cards the hand held is seen on the stacks only.
        self.stacks = []

    # -- comparing ------------------------------------------------------------------------------------------------

    def agrees_with(self, s: Zahltag) -> None:
        seats = range(self.players)
        if not self.stacks:
            self.stacks = s.stacks[:]
        assert self.stacks == s.stacks
        assert self.money == s.money
        assert self.hand_counts == [s.hand_count(seat) for seat in seats]
        assert [n for pile in self.left for n in pile] == s.left
        assert [n for pile in self.right for n in pile] == s.right
        assert [n for pile in self.known for n in pile] == s.known
        assert self.row == s.job_row
        assert self.paydays == s.paydays_executed
        assert self.out == {seat for seat in seats if not s.active >> seat & 1}
        assert self.payouts - self.receipts == s.bank_delta
        # ZT-I4: every card of the job stack is somewhere.
        in_stack = len(s.job_deck) + s.deck_paydays
        assert in_stack + len(self.row) + len(self.earlier) + self.paydays == 38
        assert sorted(s.job_deck + self.row + self.earlier) == list(range(32))
        assert self.paydays == 5 or s.phase != rules.GAME_OVER or len(self.out) >= self.players - 1
