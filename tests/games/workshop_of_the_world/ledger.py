"""Keeps the books of a game from its public events alone: what an attentive spectator knows.

If it agrees with the state after every decision, the events leave nothing out and the state does nothing in secret.
That everybody's cash can be kept account of this way is WW-D.6.
"""

from __future__ import annotations

from typing import Any

from shopfloor.engine.events import Event
from shopfloor.games.workshop_of_the_world.rules import Workshop
from shopfloor.games.workshop_of_the_world.rules import position as at


class Ledger:
    def __init__(self, s: Workshop) -> None:
        self.players = s.players
        self.mate = 2 if s.players == 2 else 1
        self.sets = 4 if s.players == 2 else s.players
        self.box = s.box
        self.debt = s.debt
        self.merged = s.merged
        self.finite = s.finite
        self.cash: list[int] = []
        self.start: list[int] = []
        self.revenue = [0] * self.players
        self.counters = [0] * self.players
        self.demand = [0] * 5
        self.industries: dict[tuple[int, int], int] = {}
        self.owner = [-1] * len(s.box.connection_ids)
        self.seen: list[int] = []
        self.era = 0
        self.round = 0
        self.aside = s.aside_each
        self.taken: list[int] = []
        self.turns = 0
        self.links_this_turn: list[int] = []
        self.paid_this_turn = 0
        self.placed_in = -1
        self.waived = 0
        self.order: list[int] = []
        self.next_order: list[int] = []
        self.paid = 0
        self.raised = 0
        self.collected = 0
        self.bids: list[int] = []
        self.spoken: list[int] = []
        self.gambles = 0

    def note(self, event: Event) -> None:
        facts: dict[str, Any] = event.facts
        handler = getattr(self, f"_{event.kind}", None)
        if handler is not None:
            handler(**facts)

    # -- each kind of event -------------------------------------------------------------------------------------

    def _game_began(self, players: int, order: list[int], cash: int) -> None:
        self.cash = [cash] * players
        self.order = order

    def _counters_dealt(self, number: int) -> None:
        left = sum(self.box.demand) - sum(self.demand) - sum(self.counters)
        assert left >= number * self.players
        self.counters = [held + number for held in self.counters]

    def _counters_placed(self, seat: int, types: list[int], demand: list[int]) -> None:
        for t in types:
            self.demand[t] += 1
        self.counters[seat] -= len(types)
        assert self.demand == demand
        assert 1 <= len(types) <= self.mate

    def _counters_kept(self, seat: int, number: int) -> None:
        assert self.counters[seat] == number

    def _cards_turned_up(
        self,
        era: int,
        round: int,  # noqa: A002
        more: bool,
        cards: list[int],
        names: list[str],
        values: list[int],
    ) -> None:
        assert era == self.era
        assert not set(cards) & set(self.seen)
        self.seen += cards
        if not more:
            self.round += 1
            self.taken = []
            self.next_order = []
            if self.players == 2:
                self.order = []
        assert round == self.round

    def _card_selected(self, seat: int, card: int, name: str, value: int) -> None:
        free = [s for s in self.order if s not in self.next_order]
        assert seat == free[0]
        self.bids, self.spoken = [], []

    def _bid_passed(self, seat: int) -> None:
        self.spoken.append(seat)

    def _bid_made(self, seat: int, bid: int) -> None:
        assert bid > max(self.bids, default=0)
        self.bids.append(bid)
        self.spoken.append(seat)

    def _pay(self, seat: int, price: int) -> None:
        self.cash[seat] -= price
        self.paid += price

    def _auction_won(self, seat: int, card: int, name: str, value: int, price: int) -> None:
        assert price == self.bids[-1]
        assert len(self.spoken) == len(set(self.spoken)) == self.players - len(self.next_order)
        self._pay(seat, price)
        self._take(seat, card)

    def _last_card_taken(self, seat: int, card: int, name: str, value: int, price: int) -> None:
        assert price == 1
        assert len(self.next_order) == self.players - 1
        self._pay(seat, price)
        self._take(seat, card)

    def _take(self, colour: int, card: int) -> None:
        assert colour not in self.next_order
        assert card in self.seen
        assert card not in self.taken
        self.taken.append(card)
        self.next_order.append(colour)
        self.turns += 1
        self.links_this_turn = []
        self.paid_this_turn = 0
        self.placed_in = -1
        self.gambles = 0

    def _card_taken(self, seat: int, set: int, card: int, name: str, value: int) -> None:  # noqa: A002
        assert seat == set // 2
        assert set == self.order[len(self.taken)]
        self._take(set, card)

    def _fists_opened(self, bids: list[int], sets: list[int]) -> None:
        self.bids = bids

    def _fist_placed(self, seat: int, set: int, price: int, place: int) -> None:  # noqa: A002
        assert place == len(self.order) + 1
        self.order.append(set)
        self._pay(seat, price)

    def _cash_raised(self, seat: int, pounds: int, revenue: int) -> None:
        self.cash[seat] += pounds
        self.raised += pounds
        self.revenue[seat] -= 2 * pounds
        assert self.revenue[seat] == revenue >= 0

    def _shortfall_waived(self, seat: int, amount: int) -> None:
        assert not self.debt
        assert amount == 1
        # The price was written down in full; the part forgiven comes back.
        self.cash[seat] += amount
        self.paid -= amount

    def _debt_made(self, seat: int, amount: int) -> None:
        assert self.debt

    def _card_gambled(self, seat: int, discarded: int, card: int, name: str, value: int) -> None:
        assert card not in self.seen
        town = self.box.card_towns[discarded]
        for place in [town] if town >= 0 else self.box.card_places(discarded):
            assert all(self.owner[c] >= 0 for c in self.box.town_connections[place])
        self.seen.append(card)
        self.aside -= 1
        self.gambles += 1

    def _industry_lifted(self, seat: int, set: int, town: int, name: str) -> None:  # noqa: A002
        self.industries[town, set] -= 1

    def _load(self, town: int) -> int:
        return sum(self.industries.get((town, colour), 0) for colour in range(self.sets))

    def _industry_removed(self, seat: int, set: int, owner: int, town: int, name: str) -> None:  # noqa: A002
        assert self._load(town) == self.box.town_values[town]
        self.industries[town, set] -= 1

    def _industry_placed(self, seat: int, set: int, town: int, name: str) -> None:  # noqa: A002
        assert set == self.next_order[-1]
        assert self._load(town) < self.box.town_values[town]
        self.industries[town, set] = self.industries.get((town, set), 0) + 1
        self.placed_in = town

    def _link_built(
        self,
        seat: int,
        set: int,  # noqa: A002
        connection: int,
        links: int,
        price: int,
        a: str,
        b: str,
        era: int,
    ) -> None:
        assert self.owner[connection] == -1
        assert links == self.box.capacity[connection]
        assert price == links * (2 if era else 3)  # WW-I.13
        ends = {self.box.ends_a[connection], self.box.ends_b[connection]}
        if self.links_this_turn:  # WW-I.11
            first = self.links_this_turn[0]
            assert ends & {self.placed_in, self.box.far_end(first, self.placed_in)}
        else:
            assert self.placed_in in ends
        self.owner[connection] = set
        self.links_this_turn.append(connection)
        assert sum(self.box.capacity[c] for c in self.links_this_turn) <= 2
        self._pay(seat, price)

    def _stands(self, colour: int, town: int) -> bool:
        mine = [colour, colour ^ 1] if self.merged else [colour]
        return any(self.industries.get((town, other), 0) for other in mine)

    def _revenue_gained(self, seat: int, gain: int, revenue: int, towns: list[str]) -> None:
        self.revenue[seat] += gain
        assert self.revenue[seat] == revenue
        assert gain <= 12

    def _no_link_built(self, seat: int) -> None:
        assert self.links_this_turn == []

    def _round_ended(self, round: int, order: list[int]) -> None:  # noqa: A002
        if self.players > 2:
            self.order = self.next_order
        assert order == self.order
        assert sorted(order) == list(range(self.sets))  # WW-I.10
        assert len(self.taken) == self.sets

    def _collect(self, seat: int, amount: int) -> None:
        self.cash[seat] += amount
        self.collected += amount

    def _revenue_collected(self, seat: int, amount: int) -> None:
        assert self.revenue[seat] == amount
        self.revenue[seat] = 0
        self._collect(seat, amount)

    def _links_collected(
        self,
        seat: int,
        set: int,  # noqa: A002
        apart: bool,
        network: int,
        others: int,
        amount: int,
        longest: list[int],
    ) -> None:
        group = [set] if apart or self.players > 2 else [set, set + 1]
        mine = [c for c, owner in enumerate(self.owner) if owner in group]
        assert sum(self.box.capacity[c] for c in mine) == network + others
        assert sum(self.box.capacity[c] for c in longest) == network
        assert amount == 2 * network + others
        for c in mine:
            self.owner[c] = -1
        self._collect(seat, amount)

    def _industries_collected(self, seat: int, industries: list[int], demand: list[int], amount: int) -> None:
        assert demand == self.demand
        counted = [0] * 5
        for (town, colour), n in self.industries.items():
            if colour // self.mate == seat:
                counted[self.box.town_types[town]] += n
        assert industries == counted
        assert amount == sum(n * d for n, d in zip(counted, demand, strict=True))
        self._collect(seat, amount)

    def _era_began(self, era: int, deck: int, aside: int) -> None:
        assert self.owner == [-1] * len(self.owner)
        self.era = era
        self.round = 0
        self.seen = []
        self.taken = []
        self.aside = aside

    # -- comparing ------------------------------------------------------------------------------------------------

    def agrees_with(self, s: Workshop) -> None:
        wealth = [s.wealth(seat) for seat in range(s.players)]
        assert wealth == self.cash
        assert s.revenue == self.revenue
        assert [s.held_counters(seat) for seat in range(s.players)] == self.counters
        assert s.demand == self.demand
        assert s.owner == self.owner
        for town in range(len(self.box.town_ids)):
            for colour in range(self.sets):
                assert s.industries[town * self.sets + colour] == self.industries.get((town, colour), 0)
        unseen = sorted(set(range(len(self.box.card_ids))) - set(self.seen))
        assert sorted(s.unseen + s.setup_left) == unseen
        assert (s.era, s.round_no, s.turns, s.aside_size) == (self.era, self.round, self.turns, self.aside)
        assert s.order == self.order
        assert s.taken[0::3] == self.taken or s.phase in (at.DEMAND_3, at.GAME_OVER)
        assert self.gambles <= 1 or s.regamble  # WW-I.21
        # WW-I.7: money is made of what was paid, raised and collected, and of nothing else.
        begun = (100 if self.players == 2 else 50) * self.players
        assert sum(self.cash) == begun - self.paid + self.raised + self.collected
        if not s.finite:
            assert s.bank == self.paid - self.raised - self.collected
