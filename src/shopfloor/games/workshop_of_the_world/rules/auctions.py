"""Rounds of Play: the once-round auctions, and with two players the clenched fists (WW-5, WW-11, WW-21)."""

from __future__ import annotations

from shopfloor.games.workshop_of_the_world.actions import BIDS, FIST, FIST_B
from shopfloor.games.workshop_of_the_world.rules.position import (
    AUCTION_BID,
    AUCTION_SELECT,
    CANAL,
    DEMAND_2,
    DEMAND_4,
    FIST_1,
    FIST_2,
    MINIMUM,
    NONE,
    PAY_BOTH,
    PAY_WINNER_ONLY,
    PICK_CARD,
    TIE_LAST_LOSER,
    TIE_REBID,
)
from shopfloor.games.workshop_of_the_world.rules.turns import Turns


class Auctions(Turns):
    __slots__ = ()

    # -- rounds --------------------------------------------------------------------------------------------------

    def begin_round(self) -> None:
        """Turn up a card for each player, with two players for each set (WW-5.1, WW-A.50)."""
        self.round_no += 1
        self.next_order = []
        self.taken = []
        if self.mate == 2:
            self.order = []  # WW-S.23
            self.last_loser = self.last_loser if self.fist_tie == TIE_LAST_LOSER else NONE
            self._turn_up(2 if self.two_faces else 4)
            self._begin_fists()
        else:
            self._turn_up(self.players)
            self._next_auction()

    def _turn_up(self, number: int) -> None:
        self.revelations += 1
        for _ in range(number):
            setup = self.setup_left
            if setup:
                card = setup[self.dice.below(len(setup))]
                setup.remove(card)
            else:
                card = self.draw_unseen()
            self.face_up.append(card)
        self.deck_size -= number
        if self.events is not None:
            names = [self.card_facts(card)["name"] for card in self.face_up]
            values = [self.card_values[card] for card in self.face_up]
            facts: dict[str, object] = {"era": self.era, "round": self.round_no, "more": bool(self.taken)}
            facts |= {"cards": self.face_up[:], "names": names, "values": values}
            self.report("cards_turned_up", "WW-5.1", facts)

    def after_turn(self) -> None:
        """WW-5.15 to WW-5.18; WW-21.10 to WW-21.12."""
        if self.mate == 2:
            done = len(self.taken) // 3
            if done == 4:
                self._end_round()
            elif done == 2:
                if self.two_faces:
                    self._turn_up(2)
                self._begin_fists()
            else:
                self._next_pick()
        elif not self.face_up:
            self.order = self.next_order  # WW-11.2, WW-A.14
            self.next_order = []
            self._end_round()
        elif len(self.face_up) == 1:
            self._last_card()
        else:
            self._next_auction()

    def _end_round(self) -> None:
        if self.events is not None:
            self.report("round_ended", "WW-11.1", {"round": self.round_no, "order": self.order[:]})
        if self.deck_size:
            self.begin_round()
        else:
            self.begin_demand(DEMAND_2 if self.era == CANAL else DEMAND_4)  # WW-11.3

    def _take(self, colour: int, card: int, price: int) -> None:
        self.face_up.remove(card)
        self.taken += [card, colour, price]

    # -- 5. The once-round auction -------------------------------------------------------------------------------

    def _next_auction(self) -> None:
        """The earliest on the chart without a card is the initiator (WW-5.4, WW-5.15)."""
        for seat in self.order:
            if seat not in self.next_order:
                self.initiator = seat
                self.decide(AUCTION_SELECT, seat)
                return

    def select(self, card: int) -> None:
        """He selects a card, and bidding starts on his left (WW-5.4 to WW-5.7); who has a card sits out (WW-A.3)."""
        seat = self.initiator
        self.lot = card
        self.high = 0
        self.high_bidder = NONE
        self.bids = [0] * self.players
        queue = []
        for step in range(1, self.players + 1):
            other = (seat + step) % self.players
            if other not in self.next_order:
                queue.append(other)
        self.queue = queue
        if self.events is not None:
            self.report("card_selected", "WW-5.4", {"seat": seat, **self.card_facts(card)})
        self.decide(AUCTION_BID, queue[0])

    def pass_bid(self) -> None:
        seat = self.queue.pop(0)
        self.bids[seat] = -1
        if self.events is not None:
            self.report("bid_passed", "WW-5.6", {"seat": seat})
        self._next_bidder()

    def bid(self, pounds: int) -> None:
        seat = self.queue.pop(0)
        self.bids[seat] = pounds
        self.high = pounds
        self.high_bidder = seat
        if self.events is not None:
            self.report("bid_made", "WW-5.6", {"seat": seat, "bid": pounds})
        self._next_bidder()

    def _next_bidder(self) -> None:
        if self.queue:
            self.pending = 1 << self.queue[0]
            return
        # The last and highest bid is paid; the others cost nothing (WW-5.11).
        winner = self.high_bidder
        card = self.lot
        price = self.high
        if self.events is not None:
            self.report("auction_won", "WW-5.12", {"seat": winner, **self.card_facts(card), "price": price})
        self.pay(winner, price)
        self.lot = NONE
        self.high = 0
        self.high_bidder = NONE
        self.initiator = NONE
        self.bids = [0] * self.players
        self._take(winner, card, price)
        self.next_order.append(winner)  # WW-5.13
        self.begin_turn(winner, card)

    def _last_card(self) -> None:
        """To the one player without a card, for the minimum bid (WW-5.17, WW-A.13)."""
        for seat in self.order:
            if seat not in self.next_order:
                card = self.face_up[0]
                if self.events is not None:
                    facts = {"seat": seat, **self.card_facts(card), "price": MINIMUM}
                    self.report("last_card_taken", "WW-5.17", facts)
                self.pay(seat, MINIMUM)
                self._take(seat, card, MINIMUM)
                self.next_order.append(seat)
                self.begin_turn(seat, card)
                return

    # -- 21. Clenched fists --------------------------------------------------------------------------------------

    def _begin_fists(self) -> None:
        self.phase = FIST_2 if self.order else FIST_1
        self.pending = 3
        self.rebid = False

    def fist_choices(self, seat: int) -> tuple[bool, bool]:
        """Which of a seat's two sets may be in the fist: each set plays once a round (WW-A.55)."""
        first = 2 * seat
        return first not in self.order, first + 1 not in self.order

    def hold_out(self, seat: int, action: int) -> None:
        """Coins and an Industry in a fist, unseen until both are out (WW-21.7)."""
        self.sealed[seat] = action
        self.pending &= ~(1 << seat)
        if self.events is not None:
            which = 0 if action < FIST_B else 1
            facts = {"seat": seat, "bid": (action - FIST) % BIDS, "set": 2 * seat + which}
            self.report("fist_chosen", "WW-21.7", facts, (seat,))
            self.report("fist_sealed", "WW-21.7", {"seat": seat})
        if self.pending == 0:
            self._open_fists()

    def _open_fists(self) -> None:
        self.revelations += 1
        bids = [(action - FIST) % BIDS for action in self.sealed]
        colours = [2 * seat + (0 if self.sealed[seat] < FIST_B else 1) for seat in (0, 1)]
        self.sealed = [NONE, NONE]
        if self.events is not None:
            self.report("fists_opened", "WW-21.7", {"bids": bids, "sets": colours})
        if bids[0] == bids[1]:
            if self.fist_tie == TIE_REBID and not self.rebid:
                self.rebid = True
                self.pending = 3
                if self.events is not None:
                    self.report("fists_again", "WW-A.53", {"bid": bids[0]})
                return
            if self.fist_tie == TIE_LAST_LOSER and self.last_loser >= 0:
                winner = self.last_loser
            else:
                winner = self.dice.below(2)  # WW-A.53: a fair draw between the two Industries held out
            if self.events is not None:
                self.report("fists_tied", "WW-A.53", {"seat": winner, "bid": bids[0]})
        else:
            winner = 0 if bids[0] > bids[1] else 1
        loser = 1 - winner
        self.last_loser = loser
        self.rebid = False
        self.order += [colours[winner], colours[loser]]  # WW-21.8, WW-21.9
        # WW-A.52; WW-A.12: a bid of nothing is recorded as the minimum.
        prices = [0, 0]
        prices[winner] = max(MINIMUM, bids[winner])
        if self.fist_payment == PAY_BOTH:
            prices[loser] = max(MINIMUM, bids[loser])
        elif self.fist_payment != PAY_WINNER_ONLY:
            prices[loser] = MINIMUM
        for seat in (winner, loser):
            if self.events is not None:
                boxed = {"seat": seat, "set": colours[seat], "price": prices[seat]}
                place = len(self.order) - (1 if seat == winner else 0)
                self.report("fist_placed", "WW-21.8" if seat == winner else "WW-21.9", {**boxed, "place": place})
            if prices[seat]:
                self.pay(seat, prices[seat])
        self._next_pick()

    def _next_pick(self) -> None:
        """The set in the next box takes a card (WW-21.10, WW-A.51); the last one needs no choosing."""
        colour = self.order[len(self.taken) // 3]
        self.active = colour
        if len(self.face_up) == 1:
            self.take_card(self.face_up[0])
        else:
            self.decide(PICK_CARD, colour // 2)

    def take_card(self, card: int) -> None:
        colour = self.active
        self._take(colour, card, 0)
        if self.events is not None:
            facts = {"seat": colour // 2, "set": colour, **self.card_facts(card)}
            self.report("card_taken", "WW-A.51", facts)
        self.begin_turn(colour, card)
