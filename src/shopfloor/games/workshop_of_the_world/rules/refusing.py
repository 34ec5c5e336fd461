"""Why an action is not allowed, in the order of section 6 of the specification: the first reason is given."""

from __future__ import annotations

from typing import Final

from shopfloor.engine.refusals import IllegalAction, Refusal
from shopfloor.games.workshop_of_the_world.actions import (
    BIDS,
    K_BID,
    K_BUILD,
    K_COUNTERS,
    K_DOUBLE,
    K_END,
    K_FIST,
    K_GAMBLE,
    K_KEEP,
    K_PASS,
    K_PLACE,
    K_RAISE,
    K_RELOCATE,
    K_REMOVE,
    K_SELECT,
    K_TAKE,
    K_USE,
    counters_of,
    make_space,
)
from shopfloor.games.workshop_of_the_world.rules.auctions import Auctions
from shopfloor.games.workshop_of_the_world.rules.position import (
    DEMAND_1,
    DEMAND_2,
    DEMAND_3,
    GAME_OVER,
    LINK_PRICE,
    MINIMUM,
    PHASE_NAMES,
    TURN_LINK_2,
    TURN_PLACE,
    TURN_RELOCATE,
    TURN_REMOVE,
)

# The kinds of actions that exist in each phase, and the clause that says so.
_KINDS: Final = (
    (K_COUNTERS,),
    (K_SELECT,),
    (K_PASS, K_BID),
    (K_FIST,),
    (K_FIST,),
    (K_TAKE,),
    (K_USE, K_GAMBLE),
    (K_RELOCATE,),
    (K_PLACE,),
    (K_REMOVE,),
    (K_END, K_BUILD, K_DOUBLE),
    (K_END, K_BUILD),
    (K_KEEP, K_COUNTERS),
    (K_COUNTERS,),
    (K_KEEP, K_COUNTERS),
    (),
)
_CLAUSES: Final = (
    *("WW-4.3", "WW-5.4", "WW-5.6", "WW-21.7", "WW-21.11", "WW-A.51", "WW-7.3", "WW-A.21"),
    *("WW-6.2", "WW-6.6", "WW-8.3", "WW-8.3", "WW-12.2", "WW-15.2", "WW-17.2", "WW-19.1"),
)
_WRONG_PHASE: Final = [
    Refusal("WRONG_PHASE", clause, {"phase": phase}) for clause, phase in zip(_CLAUSES, PHASE_NAMES, strict=True)
]


class Refusing(Auctions):
    __slots__ = ()

    def may_raise(self) -> bool:
        """Is raising cash by hand among the choices (WW-A.9)? Always where it is not done by itself (WW-A.8)."""
        return self.hand_raise or not self.auto_raise

    def must_bid(self) -> bool:
        """Is the initiator to speak, and nobody has bid (WW-5.8, WW-A.5)?"""
        return self.high == 0 and len(self.queue) == 1

    def refuse(self, seat: int, action: int) -> None:
        refusal = self.refusal(seat, action)
        assert refusal is not None, "a refused action has a reason"
        raise IllegalAction(refusal)

    def refusal(self, seat: int, action: int) -> Refusal | None:
        phase = self.phase
        if phase == GAME_OVER:
            return Refusal("GAME_OVER", "WW-19.1", {})
        deciding = 0 <= seat < self.players and bool(self.pending >> seat & 1)
        if not 0 <= action < self.space.size:
            if not deciding:
                return self._not_yours(seat)
            return Refusal("MALFORMED", "", {"action": action, "size": self.space.size})
        kind, what = make_space(self.box).layout.split(action)
        if kind not in _KINDS[phase] and (kind != K_RAISE or not self.may_raise()):
            return (self._out_of_phase(seat, kind) if deciding else None) or _WRONG_PHASE[phase]
        if not deciding:
            return self._not_yours(seat)
        if kind == K_RAISE:
            most = self.revenue[seat] // 2
            if what <= most:
                return None
            facts: dict[str, object] = {"pounds": what, "most": most, "revenue": self.revenue[seat]}
            return Refusal("RAISE_EXCEEDS_REVENUE", "WW-A.11", facts)
        if kind == K_PASS:
            return Refusal("MUST_BID", "WW-5.8", {}) if self.must_bid() else None
        if kind == K_BID:
            return self._bid_refusal(seat, what)
        if kind == K_FIST:
            return self.fist_refusal(seat, what)
        if kind == K_COUNTERS:
            return self._counters_refusal(seat, what)
        if kind in (K_SELECT, K_TAKE):
            if what in self.face_up:
                return None
            return Refusal("CARD_NOT_AVAILABLE", "WW-5.4", self.card_facts(what))
        if kind == K_PLACE:
            return self._place_refusal(what)
        if kind in (K_REMOVE, K_RELOCATE):
            return self._piece_refusal(kind, what)
        if kind in (K_BUILD, K_DOUBLE):
            return self._build_refusal(seat, what, kind == K_DOUBLE)
        return None

    def _not_yours(self, seat: int) -> Refusal:
        return Refusal("NOT_YOUR_DECISION", "WW-A.10", {"seat": seat, "deciders": list(self.deciders())})

    def _out_of_phase(self, seat: int, kind: int) -> Refusal | None:
        """What the decider is told better than that the phase is another one (the end of section 6)."""
        phase = self.phase
        if kind == K_END and phase in (TURN_PLACE, TURN_RELOCATE):
            return Refusal("MUST_PLACE_INDUSTRY", "WW-6.2", {})
        if kind == K_DOUBLE and phase == TURN_LINK_2:
            return Refusal("LINK_LIMIT", "WW-A.30", {"most": 2})
        if kind == K_KEEP and phase in (DEMAND_1, DEMAND_3):
            return self._must_place(seat)
        if kind == K_GAMBLE and phase in (TURN_PLACE, TURN_RELOCATE, TURN_REMOVE):
            if not self.card_blocked(self.held):
                wild = self.card_towns[self.held] < 0
                return Refusal("TOWN_NOT_BLOCKED", "WW-7.5" if wild else "WW-7.1", self.card_facts(self.held))
            if self.gambled and not self.regamble:
                return Refusal("GAMBLE_ALREADY_MADE", "WW-7.4", {})
            if self.aside_size == 0:
                return Refusal("NO_SET_ASIDE_CARD", "WW-A.27", {})
        if kind == K_REMOVE and phase == TURN_PLACE:
            town = self.card_towns[self.held]
            if town >= 0 and self.load[town] < self.town_values[town]:
                return Refusal("TOWN_NOT_FULL", "WW-6.6", self._load_facts(town))
        return None

    def _load_facts(self, town: int) -> dict[str, object]:
        name = self.box.town_names[town]
        return {"town": town, "name": name, "load": self.load[town], "value": self.town_values[town]}

    def _must_place(self, seat: int) -> Refusal:
        if self.must_place(seat) == 2:
            return Refusal("MUST_PLACE_TWO", "WW-21.6" if self.phase == DEMAND_1 else "WW-21.16", {})
        return Refusal("MUST_PLACE_COUNTER", "WW-4.3" if self.phase == DEMAND_1 else "WW-15.2", {})

    # -- auctions ------------------------------------------------------------------------------------------------

    def _money_refusal(self, seat: int, price: int, clause: str) -> Refusal:
        facts: dict[str, object] = {"price": price, "most": self.spendable(seat), "cash": self.cash[seat]}
        return Refusal("CANNOT_AFFORD", clause, facts)

    def _bid_refusal(self, seat: int, pounds: int) -> Refusal | None:
        if pounds < MINIMUM:
            return Refusal("BID_BELOW_MINIMUM", "WW-5.9", {"bid": pounds, "least": MINIMUM})
        if pounds <= self.high:
            return Refusal("BID_NOT_HIGHER", "WW-5.10", {"bid": pounds, "high": self.high})
        if pounds > self.spendable(seat) and not (pounds == MINIMUM and self.must_bid() and self.broke(seat)):
            return self._money_refusal(seat, pounds, "WW-A.7")
        return None

    def fist_refusal(self, seat: int, what: int) -> Refusal | None:
        which = what // BIDS
        pounds = what % BIDS
        if pounds < MINIMUM and not self.broke(seat):
            return Refusal("BID_BELOW_MINIMUM", "WW-A.54", {"bid": pounds, "least": MINIMUM})
        if pounds > self.spendable(seat) and pounds:
            return self._money_refusal(seat, pounds, "WW-A.54")
        first, second = self.fist_choices(seat)
        if not (second if which else first):
            return Refusal("SET_ALREADY_PLAYED", "WW-A.55", {"set": 2 * seat + which})
        return None

    def _counters_refusal(self, seat: int, what: int) -> Refusal | None:
        types = counters_of(what)
        if self.must_place(seat) > len(types):
            return self._must_place(seat)
        if len(types) > self.mate:
            clause = "WW-A.42" if self.mate == 1 else "WW-21.14"
            return Refusal("TOO_MANY_COUNTERS", clause, {"placed": len(types), "most": self.mate})
        held = self.counters[5 * seat : 5 * seat + 5]
        for t in types:
            if held[t] < types.count(t):
                clause = "WW-12.2" if self.phase == DEMAND_2 else "WW-4.3"
                return Refusal("COUNTER_NOT_HELD", clause, {"type": t, "held": held[t], "wanted": types.count(t)})
        return None

    # -- a turn --------------------------------------------------------------------------------------------------

    def _place_refusal(self, town: int) -> Refusal | None:
        card_town = self.card_towns[self.held]
        if card_town >= 0:
            if town == card_town:
                return None
            facts: dict[str, object] = {"town": self.box.town_names[town], **self.card_facts(self.held)}
            return Refusal("TOWN_NOT_ON_CARD", "WW-6.3", facts)
        value = self.card_values[self.held]
        if self.town_values[town] == value:
            return None
        facts = {"town": self.box.town_names[town], "value": self.town_values[town], "wanted": value}
        return Refusal("WRONG_VALUE", "WW-6.4", facts)

    def _piece_refusal(self, kind: int, what: int) -> Refusal | None:
        """An Industry to be removed from the full town, or to be lifted from another."""
        colour = what if kind == K_REMOVE else self.active
        town = self.town if kind == K_REMOVE else what
        if colour >= self.sets or self.industries[town * self.sets + colour] == 0:
            facts: dict[str, object] = {"set": colour, "town": town, "name": self.box.town_names[town]}
            return Refusal("NO_SUCH_INDUSTRY", "WW-A.18" if kind == K_REMOVE else "WW-A.21", facts)
        if kind == K_REMOVE and colour not in self.removable(town):
            return Refusal("OPPONENTS_FIRST", "WW-A.18", {"town": town, "name": self.box.town_names[town]})
        return None

    def _build_refusal(self, seat: int, c: int, double: bool) -> Refusal | None:
        a, b = self.ends_a[c], self.ends_b[c]
        names = self.box.town_names
        facts: dict[str, object] = {"connection": c, "a": names[a], "b": names[b]}
        if self.owner[c] >= 0:
            return Refusal("CONNECTION_OCCUPIED", "WW-8.1", {**facts, "set": self.owner[c]})
        town = self.town
        starts = [town]
        if self.phase == TURN_LINK_2:
            starts.append(self.ends_a[self.first] + self.ends_b[self.first] - town)
        if a not in starts and b not in starts:
            clause = "WW-8.6" if self.phase == TURN_LINK_2 else "WW-8.4"
            return Refusal("LINK_NOT_FROM_TOWN", clause, {**facts, "starts": [names[t] for t in starts if t >= 0]})
        if self.crossing and self.banned[town] >> c & 1:
            return Refusal("CROSSING_FORBIDDEN", "WW-20.3", {**facts, "town": names[town]})
        links = self.capacity[c]
        if links == 2 and not double:
            return Refusal("DOUBLE_MUST_BE_WHOLE", "WW-8.8", facts)
        if links == 1 and double:
            return Refusal("NOT_A_DOUBLE", "WW-8.7", facts)
        left = self.supply_link[self.active]
        if left < links:
            return Refusal("NO_LINKS_LEFT", "WW-A.33", {**facts, "links": links, "left": left})
        price = links * LINK_PRICE[self.era]
        if price > self.spendable(seat):
            return self._money_refusal(seat, price, "WW-A.34")
        return None
