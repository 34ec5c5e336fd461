"""What can be foreseen of a game of Workshop of the World: Demand, and what towns and cards are worth to whom."""

from __future__ import annotations

from typing import Final

from shopfloor.games.workshop_of_the_world.outlook import stands
from shopfloor.games.workshop_of_the_world.rules.network import networks, sizes
from shopfloor.games.workshop_of_the_world.rules.position import (
    CANAL,
    DEMAND_1,
    DEMAND_2,
    DEMAND_3,
    DEMAND_4,
    LINK_PRICE,
)
from shopfloor.games.workshop_of_the_world.rules.workshop import Workshop

# What an Industry on the map will be worth for Links still to come, per value of its town and round to go.
FUTURE: Final = 0.03
# How sure an Industry can be of its place until the next era's end.
STAYS: Final = 0.9
# How many of the counters that may be placed or kept are placed.
PLACED: Final = 0.8
# How much a pound that a rival gets costs, shared among the rivals.
ENVY: Final = 1.0
# What a Link pays that does not go on from the longest network, which may still reach it.
LOOSE: Final = 1.3


class Outlook:
    """What can be foreseen at a table by one seat, or from what everybody can see (seat -1).

    now, last: by type, the Demand to expect at the next Collect Cash and at the last one. rounds: to go in this Era
    and after it. here: by set and town, does it count for Revenue? net: by set and town, does its longest network
    reach the town?
    """

    __slots__ = (
        *("_towns", "here", "last", "later", "net", "now", "price", "rivals", "rounds", "state"),
        *("sure_last", "sure_now"),
    )

    def __init__(self, state: Workshop, seat: int) -> None:
        self.state = state
        self.price: int = LINK_PRICE[state.era]
        self.rivals: int = state.players - 1
        each = (len(state.box.card_ids) - state.aside_each) // state.sets
        self.rounds: int = max(0, each - state.round_no)
        self.later: int = each if state.era == CANAL else 0
        self._towns: dict[int, float] = {}
        self._foresee_demand(seat)
        self.here: list[list[bool]] = [stands(state, colour) for colour in range(state.sets)]
        self.net: list[list[bool]] = [self._network(colour) for colour in range(state.sets)]

    def _foresee_demand(self, seat: int) -> None:
        s = self.state
        own = s.counters[5 * seat : 5 * seat + 5] if seat >= 0 else [0] * 5
        unseen = [s.box.demand[t] - s.demand[t] - own[t] for t in range(5)]
        total = sum(unseen) or 1
        mate: int = s.mate
        each = mate * (s.players - 1 if seat >= 0 else s.players)
        canal = s.era == CANAL
        # How many counters others will place before this Era's end and before the last one; of my own, a share.
        soon = 0.0
        if s.phase == DEMAND_1:
            soon += each
        elif s.phase == DEMAND_3:
            soon += len([other for other in s.queue if other != seat]) * mate
        if s.phase not in (DEMAND_2, DEMAND_4):
            soon += PLACED * each
        else:
            soon += PLACED * len([other for other in s.queue if other != seat]) * mate
        after = (1.0 + PLACED) * mate * s.players if canal else 0.0
        held = sum(own) or 1
        mine = min(1.0, s.mate / held)
        self.now: list[float] = [s.demand[t] + soon * unseen[t] / total + 0.7 * mine * own[t] for t in range(5)]
        # A counter counts among those to come already; one that is placed for certain adds what is missing to one.
        self.sure_now: float = 1.0 - soon / total
        self.sure_last: float = 1.0 - (soon + after) / total
        self.last: list[float] = [self.now[t] + after * unseen[t] / total + 0.2 * own[t] for t in range(5)]

    def _network(self, colour: int) -> list[bool]:
        s = self.state
        group = [colour & ~1, colour | 1] if s.merged else [colour]
        found = networks(s.box, s.owner, group)
        reached = [False] * len(s.load)
        if found:
            counted = sizes(s.box, found)
            for c in found[counted.index(max(counted))]:
                reached[s.ends_a[c]] = True
                reached[s.ends_b[c]] = True
        return reached

    def pays(self, t: int) -> float:
        """What an Industry in a town of this type will bring until the end of the game."""
        if self.state.era == CANAL:
            return STAYS * (self.now[t] + STAYS * self.last[t])
        return STAYS * self.now[t]

    def presence(self, town: int) -> float:
        """What it is worth to have an Industry in a town, Links of the same turn apart."""
        found = self._towns.get(town)
        if found is None:
            s = self.state
            value = s.town_values[town]
            free = s.free_connections(town)
            soon = FUTURE * value * min(free, 3) * self.rounds
            late = FUTURE * value * min(len(s.connections_of[town]), 3) * self.later * 0.6
            found = self.pays(s.box.town_types[town]) + soon + late
            self._towns[town] = found
        return found

    def removal(self, colour: int, town: int) -> tuple[float, int]:
        """What taking out an Industry is worth to a set's owner, and of which set it best is."""
        s = self.state
        seat = colour // s.mate
        best = -1.0e9
        which = -1
        worth = self.presence(town)
        b = town * s.sets
        for other in range(s.sets):
            count = s.industries[b + other]
            if count:
                # Only the last one takes away more than the Demand's pay.
                loss = worth if count == 1 else self.pays(s.box.town_types[town])
                gain = -loss if other // s.mate == seat else ENVY * loss / self.rivals
                if gain > best:
                    best = gain
                    which = other
        return best, which

    def link(self, colour: int, a: int, b: int) -> float:
        """What a Link pays at Collect Cash: more if it goes on from the longest network."""
        net = self.net[colour]
        return 2.0 if net[a] or net[b] else LOOSE

    def building(self, colour: int, town: int) -> float:
        """What the best Links from a town bring beyond their price, an own Industry standing there."""
        s = self.state
        money = s.spendable(colour // s.mate)
        most = min(2, s.supply_link[colour], money // self.price if money > 0 else 0)
        if most == 0:
            return 0.0
        owner = s.owner
        capacity = s.capacity
        values = s.town_values
        ends_a = s.ends_a
        ends_b = s.ends_b
        here = self.here[colour]
        price = self.price
        banned = s.banned[town] if s.crossing else 0
        base = values[town]
        best = 0.0
        first = 0.0
        second = 0.0
        for c in s.connections_of[town]:
            if owner[c] >= 0 or banned >> c & 1:
                continue
            far = ends_a[c] + ends_b[c] - town
            worth = self.link(colour, town, far) - price
            more = values[far] if here[far] else 0
            if capacity[c] == 2:
                if most == 2 and base + more + 2 * worth > best:
                    best = base + more + 2 * worth
                continue
            worth += more
            if base + worth > best:
                best = base + worth
            if most < 2:
                continue
            if worth > first:
                second = first
                first = worth
            elif worth > second:
                second = worth
            for d in s.connections_of[far]:
                if d != c and owner[d] < 0 and capacity[d] == 1 and not banned >> d & 1:
                    other = ends_a[d] + ends_b[d] - far
                    total = base + worth + self.link(colour, far, other) - price
                    if here[other] and other != town:
                        total += values[other]
                    if total > best:
                        best = total
        if second > 0.0 and base + first + second > best:
            best = base + first + second
        return best

    def placing(self, colour: int, town: int) -> float:
        """What a turn with an Industry placed in this town is worth."""
        s = self.state
        worth = self.building(colour, town)
        if self.here[colour][town]:
            worth += self.pays(s.box.town_types[town])
        else:
            worth += self.presence(town)
        if s.load[town] >= s.town_values[town]:
            worth += self.removal(colour, town)[0]
        return worth

    def card(self, colour: int, card: int) -> float:
        """What a Town card is worth to a set."""
        s = self.state
        town = s.card_towns[card]
        if town >= 0:
            return self.placing(colour, town)
        return max([self.placing(colour, place) for place in s.towns_of_value[s.card_values[card]]])
