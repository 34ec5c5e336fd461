"""A Player Turn: the blocked card and the gamble, Place Industry, Build Links, Revenue (WW-6 to WW-9)."""

from __future__ import annotations

from shopfloor.games.workshop_of_the_world.rules.demand import Demand
from shopfloor.games.workshop_of_the_world.rules.position import (
    FREE,
    LINK_PRICE,
    NONE,
    TURN_CARD,
    TURN_LINK_1,
    TURN_LINK_2,
    TURN_PLACE,
    TURN_RELOCATE,
    TURN_REMOVE,
)


class Turns(Demand):
    __slots__ = ()

    def begin_turn(self, colour: int, card: int) -> None:
        """A set has received its card, and its turn begins at once (WW-5.14, WW-6.1)."""
        self.turns += 1
        self.active = colour
        self.held = card
        self.town = NONE
        self.first = NONE
        self.second = NONE
        self.gambled = False
        self.lifted = False
        self._look_at_card()

    # -- 7. The blocked card and the gamble ----------------------------------------------------------------------

    def _look_at_card(self) -> None:
        """The choice is the first thing in the turn, on the board as it then is (WW-A.23)."""
        if self.aside_size and (self.regamble or not self.gambled) and self.card_blocked(self.held):
            self.decide(TURN_CARD, self.active // self.mate)
        else:
            self.begin_placing()

    def gamble(self) -> None:
        """Discard the card for the top Set-aside card, which must be used (WW-7.3, WW-7.4)."""
        self.revelations += 1
        self.gambled = True
        discarded = self.held
        self.discard.append(discarded)
        self.held = self.draw_unseen()
        self.aside_size -= 1
        if self.events is not None:
            facts = {"seat": self.active // self.mate, "discarded": discarded, **self.card_facts(self.held)}
            self.report("card_gambled", "WW-7.3", facts)
        self._look_at_card()

    def use_card(self) -> None:
        """WW-7.2."""
        if self.events is not None:
            self.report("card_used", "WW-7.2", {"seat": self.active // self.mate, **self.card_facts(self.held)})
        self.begin_placing()

    # -- 6. Place Industry ---------------------------------------------------------------------------------------

    def begin_placing(self) -> None:
        colour = self.active
        seat = colour // self.mate
        if self.supply_industry[colour]:
            self.decide(TURN_PLACE, seat)
            return
        # WW-A.21: none left, so one from the map must do, if there is one.
        if self.relocate:
            for town in range(len(self.load)):
                if self.industries[town * self.sets + colour]:
                    self.decide(TURN_RELOCATE, seat)
                    return
        if self.events is not None:
            self.report("placement_skipped", "WW-A.21", {"seat": seat, "set": colour})
        self.decide(TURN_LINK_1, seat)

    def lift(self, town: int) -> None:
        """An Industry back from the map, to be placed anew (WW-A.21)."""
        colour = self.active
        self.industries[town * self.sets + colour] = self.industries[town * self.sets + colour] - 1
        self.load[town] = self.load[town] - 1
        self.supply_industry[colour] = self.supply_industry[colour] + 1
        self.lifted = True
        if self.events is not None:
            facts = {"seat": colour // self.mate, "set": colour, "town": town, "name": self.box.town_names[town]}
            self.report("industry_lifted", "WW-A.21", facts)
        self.phase = TURN_PLACE

    def place(self, town: int) -> None:
        """WW-6.3; in a full town one must go first, so that the limit is never exceeded (WW-6.5, WW-A.19)."""
        self.town = town
        if self.load[town] >= self.town_values[town]:
            self.phase = TURN_REMOVE
        else:
            self._put(town)

    def removable(self, town: int) -> list[int]:
        """The sets of which an Industry may be taken out of a full town (WW-6.6, WW-A.18)."""
        b = town * self.sets
        present = [colour for colour in range(self.sets) if self.industries[b + colour]]
        if self.opponents_first:
            seat = self.active // self.mate
            others = [colour for colour in present if colour // self.mate != seat]
            if others:
                return others
        return present

    def remove(self, colour: int) -> None:
        """One goes back to its owner's supply (WW-6.7), and the new one is placed."""
        town = self.town
        self.industries[town * self.sets + colour] = self.industries[town * self.sets + colour] - 1
        self.load[town] = self.load[town] - 1
        self.supply_industry[colour] = self.supply_industry[colour] + 1
        if self.events is not None:
            facts = {"seat": self.active // self.mate, "set": colour, "owner": colour // self.mate}
            self.report("industry_removed", "WW-6.6", {**facts, "town": town, "name": self.box.town_names[town]})
        self._put(town)

    def _put(self, town: int) -> None:
        colour = self.active
        self.industries[town * self.sets + colour] = self.industries[town * self.sets + colour] + 1
        self.load[town] = self.load[town] + 1
        self.supply_industry[colour] = self.supply_industry[colour] - 1
        if self.events is not None:
            facts = {"seat": colour // self.mate, "set": colour, "town": town, "name": self.box.town_names[town]}
            self.report("industry_placed", "WW-6.3", facts)
        self.phase = TURN_LINK_1

    # -- 8. Build Links ------------------------------------------------------------------------------------------

    def buildable(self) -> list[int]:
        """The connections on which the turn player may build now, ascending; double ones are built whole."""
        town = self.town
        colour = self.active
        if town < 0 or self.supply_link[colour] == 0:
            return []
        price = LINK_PRICE[self.era]
        money = self.spendable(colour // self.mate)
        if money < price:
            return []
        owner = self.owner
        banned = self.banned[town] if self.crossing else 0
        if self.phase == TURN_LINK_1:
            both = self.supply_link[colour] > 1 and money >= 2 * price  # WW-A.29
            capacity = self.capacity
            return [
                c
                for c in self.connections_of[town]
                if owner[c] < 0 and (capacity[c] == 1 or both) and not banned >> c & 1
            ]
        far = self.ends_a[self.first] + self.ends_b[self.first] - town
        found = []
        for c in self.connections_of[town]:
            if owner[c] < 0 and self.capacity[c] == 1 and not banned >> c & 1:
                found.append(c)
        for c in self.connections_of[far]:  # WW-8.6
            if owner[c] < 0 and self.capacity[c] == 1 and not banned >> c & 1:
                found.append(c)
        found.sort()
        return found

    def build(self, connection: int) -> None:
        """Lay Links on a connection and pay for them at once (WW-8.1, WW-8.11)."""
        colour = self.active
        seat = colour // self.mate
        links = self.capacity[connection]
        price = self.pay(seat, links * LINK_PRICE[self.era])
        self.owner[connection] = colour
        self.supply_link[colour] = self.supply_link[colour] - links
        if self.events is not None:
            names = self.box.town_names
            clause = "WW-8.7" if links == 2 else "WW-8.4" if self.first < 0 else "WW-8.5"
            if self.first >= 0 and self.town not in (self.ends_a[connection], self.ends_b[connection]):
                clause = "WW-8.6"
            facts = {"seat": seat, "set": colour, "connection": connection, "links": links, "price": price}
            a, b = self.ends_a[connection], self.ends_b[connection]
            # Told from where it starts: the town of the turn, or the one that the first Link has led to.
            if b == self.town or (a != self.town and b in (self.ends_a[self.first], self.ends_b[self.first])):
                a, b = b, a
            towns = {"a": names[a], "b": names[b]}
            self.report("link_built", clause, {**facts, **towns, "era": self.era})
        if self.first < 0:
            self.first = connection
        else:
            self.second = connection
        if self.per_link:  # WW-A.32
            self._gain(self.newly_linked(connection))
        if links == 2 or self.second >= 0:
            self.end_turn()
        else:
            self.phase = TURN_LINK_2

    def newly_linked(self, connection: int) -> list[int]:
        """The end towns of a connection just built that no other Link of this turn has."""
        ends = [self.ends_a[connection], self.ends_b[connection]]
        if connection != self.first:
            before = (self.ends_a[self.first], self.ends_b[self.first])
            ends = [town for town in ends if town not in before]
        return ends

    # -- 9. Revenue ----------------------------------------------------------------------------------------------

    def end_turn(self) -> None:
        """Revenue is added once (WW-9), and the card is discarded (WW-A.28)."""
        if self.first >= 0 and not self.per_link:
            towns = [self.ends_a[self.first], self.ends_b[self.first]]
            if self.second >= 0:
                towns += self.newly_linked(self.second)
            self._gain(towns)
        if self.events is not None and self.first < 0:
            self.report("no_link_built", "WW-8.3", {"seat": self.active // self.mate})
        self.discard.append(self.held)
        self.held = NONE
        self.active = NONE
        self.town = NONE
        self.first = NONE
        self.second = NONE
        self.gambled = False
        self.lifted = False
        self.after_turn()

    def _gain(self, towns: list[int]) -> None:
        """The value of each town in which one's Industry stands, once (WW-9.1 to WW-9.4, WW-A.35)."""
        colour = self.active
        seat = colour // self.mate
        gain = 0
        for town in towns:
            if self.stands_in(colour, town):
                gain += self.town_values[town]
        self.revenue[seat] = self.revenue[seat] + gain
        if self.events is not None:
            towns.sort(key=lambda town: town != self.town)
            own = [self.box.town_names[town] for town in towns if self.stands_in(colour, town)]
            facts = {"seat": seat, "gain": gain, "revenue": self.revenue[seat], "towns": own}
            self.report("revenue_gained", "WW-9.2", facts)

    def free_connections(self, town: int) -> int:
        """How many connections of a town are unoccupied."""
        return sum([1 for c in self.connections_of[town] if self.owner[c] == FREE])
