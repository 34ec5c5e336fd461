"""Collect Cash, the re-set between the Eras, and the end (WW-13, WW-14, WW-18, WW-19)."""

from __future__ import annotations

from typing import Final

from shopfloor.engine.state import Rank, Standing
from shopfloor.games.workshop_of_the_world.rules.network import networks, sizes
from shopfloor.games.workshop_of_the_world.rules.position import (
    DEMAND_3,
    FREE,
    GAME_OVER,
    NONE,
    RAILWAY,
    RETURNED,
    Position,
)

CRITERIA: Final = ("cash", "order")


class Collecting(Position):
    __slots__ = ()

    def collect(self) -> None:
        """The three ways in which cash is collected, each for all players in turn order (WW-A.48)."""
        for seat in self.in_order():
            self._collect_revenue(seat)
        for seat in self.in_order():
            self._collect_links(seat)
        for seat in self.in_order():
            self._collect_industries(seat)
        if self.era == RAILWAY:
            self._end()
        else:
            self._reset()

    def _collect_revenue(self, seat: int) -> None:
        amount = self.revenue[seat]
        self.revenue[seat] = 0  # WW-13.2
        self._receive(seat, amount)
        if self.events is not None:
            self.report("revenue_collected", "WW-13.1", {"seat": seat, "amount": amount})

    def _collect_links(self, seat: int) -> None:
        """One network at 2 pounds a Link, a set's or with `merged` a player's, the others at 1; all come home."""
        mate = self.mate
        colours = list(range(seat * mate, (seat + 1) * mate))
        for group in [colours] if self.merged else [[colour] for colour in colours]:
            found = networks(self.box, self.owner, group)
            counted = sizes(self.box, found)
            most = max(counted) if counted else 0
            others = sum(counted) - most
            self._receive(seat, 2 * most + others)
            for network in found:
                for c in network:
                    colour = self.owner[c]
                    self.supply_link[colour] = self.supply_link[colour] + self.capacity[c]
                    self.owner[c] = FREE
            if self.events is not None:
                longest = found[counted.index(most)] if counted else []
                apart = mate > len(group)
                facts = {"seat": seat, "set": group[0], "apart": apart, "network": most, "others": others}
                self.report("links_collected", "WW-13.4", {**facts, "amount": 2 * most + others, "longest": longest})

    def _collect_industries(self, seat: int) -> None:
        """Each Industry pays its type's Demand (WW-13.9); several in one town pay each (WW-13.11)."""
        mate = self.mate
        sets = self.sets
        types = self.box.town_types
        pieces = [0] * 5
        for town in range(len(types)):
            i = town * sets + seat * mate
            own = self.industries[i] if mate == 1 else self.industries[i] + self.industries[i + 1]
            pieces[types[town]] = pieces[types[town]] + own
        amount = 0
        for t in range(5):
            amount += pieces[t] * self.demand[t]
        self._receive(seat, amount)
        if self.events is not None:
            facts = {"seat": seat, "industries": pieces, "demand": self.demand[:], "amount": amount}
            self.report("industries_collected", "WW-13.9", facts)

    def _receive(self, seat: int, amount: int) -> None:
        """A payout. In the last collection a finite supply calls for everybody's 50 pounds first (WW-A.47)."""
        if self.finite and self.era == RAILWAY:
            while self.bank < amount and any(cash > 0 for cash in self.cash):
                for other in range(self.players):
                    # WW-A.47: what somebody does not have of the 50 is owed. A debt is no cash to return.
                    given = max(0, min(RETURNED, self.cash[other]))
                    self.cash[other] = self.cash[other] - given
                    self.bank += given
                    self.returned[other] = self.returned[other] + RETURNED
                    self.owed[other] = self.owed[other] + RETURNED - given
                if self.events is not None:
                    self.report("supply_depleted", "WW-18.2", {"each": RETURNED, "bank": self.bank})
        # Beyond that the supply pays in promises: below 0 it has signed for the difference.
        self.bank -= amount
        self.cash[seat] = self.cash[seat] + amount

    # -- 14. Re-set ---------------------------------------------------------------------------------------------

    def shuffle_all(self) -> None:
        """All Town cards together, some set aside unseen (WW-14.3 to WW-14.5)."""
        cards = len(self.box.card_ids)
        self.unseen = list(range(cards))
        self.setup_left = []
        self.aside_size = self.aside_each
        self.deck_size = cards - self.aside_size

    def _reset(self) -> None:
        """Industries, Demand and the Turn order chart stay (WW-14.1, WW-14.2)."""
        self.era = RAILWAY
        self.round_no = 0
        self.shuffle_all()
        self.discard = []
        self.taken = []
        if self.events is not None:
            facts = {"era": self.era, "deck": self.deck_size, "aside": self.aside_size}
            self.report("era_began", "WW-14.3", facts)
        self.begin_demand(DEMAND_3)

    # -- 19. End ------------------------------------------------------------------------------------------------

    def _end(self) -> None:
        self.phase = GAME_OVER
        self.pending = 0
        self.active = NONE
        self.revelations += 1  # cash and kept counters are shown
        if self.events is not None:
            wealth = [self.wealth(seat) for seat in range(self.players)]
            winners = list(self.standing().winners())
            facts = {"winners": winners, "wealth": wealth, "tied": wealth.count(max(wealth)) > 1}
            self.report("game_ended", "WW-19.2", facts)

    def wealth(self, seat: int) -> int:
        """What counts at the end: cash, and with a finite supply what was returned but not owed (WW-A.47)."""
        return self.cash[seat] + self.returned[seat] - self.owed[seat]

    def over(self) -> bool:
        return self.phase == GAME_OVER

    def standing(self) -> Standing:
        """Most cash, then the earlier place on the Turn order chart (WW-19.2, WW-19.3, WW-A.60)."""
        if self.phase != GAME_OVER:
            raise ValueError("the game is still under way")
        places = self.in_order()
        order = sorted(range(self.players), key=lambda seat: (-self.wealth(seat), places.index(seat)))
        ranks = tuple(
            Rank(seat, place, (self.wealth(seat), places.index(seat) + 1)) for place, seat in enumerate(order, 1)
        )
        return Standing(CRITERIA, ranks)

    def returns(self) -> list[float]:
        shares = [0.0] * self.players
        if self.phase == GAME_OVER:
            shares[self.standing().ranks[0].seat] = 1.0
        return shares
