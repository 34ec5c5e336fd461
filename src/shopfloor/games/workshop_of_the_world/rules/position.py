"""A position of Workshop of the World: what lies where, and what every phase does with money and towns.

Nobody ever knows more of the face-down cards than which have not been seen, so the Town deck and the Set-aside cards
are one multiset and two sizes: a card is drawn from it at random when it is turned over. Only the six set-up cards on
top of the first deck are kept apart (WW-3.11). The pool of Demand counters is counted by type.

The phases build on one another: `Position`, `Collecting`, `Demand`, `Turns`, `Auctions`, `Workshop`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from shopfloor.engine.dice import Dice
from shopfloor.engine.events import Event
from shopfloor.engine.native import i64
from shopfloor.engine.state import State
from shopfloor.games.workshop_of_the_world.actions import make_space
from shopfloor.games.workshop_of_the_world.cards import Box

# Phases in which somebody decides (section 2 of the specification); the others pass by themselves.
DEMAND_1: Final = 0
AUCTION_SELECT: Final = 1
AUCTION_BID: Final = 2
FIST_1: Final = 3
FIST_2: Final = 4
PICK_CARD: Final = 5
TURN_CARD: Final = 6
TURN_RELOCATE: Final = 7
TURN_PLACE: Final = 8
TURN_REMOVE: Final = 9
TURN_LINK_1: Final = 10
TURN_LINK_2: Final = 11
DEMAND_2: Final = 12
DEMAND_3: Final = 13
DEMAND_4: Final = 14
GAME_OVER: Final = 15

PHASE_NAMES: Final = (
    "DEMAND_1",
    "AUCTION_SELECT",
    "AUCTION_BID",
    "FIST_1",
    "FIST_2",
    "PICK_CARD",
    "TURN_CARD",
    "TURN_RELOCATE",
    "TURN_PLACE",
    "TURN_REMOVE",
    "TURN_LINK_1",
    "TURN_LINK_2",
    "DEMAND_2",
    "DEMAND_3",
    "DEMAND_4",
    "GAME_OVER",
)

CANAL: Final = 0
RAILWAY: Final = 1

START_CASH: Final = 50
START_CASH_TWO: Final = 100
LINK_PRICE: Final[tuple[int, ...]] = (3, 2)  # WW-8.9, WW-8.10: by Era
SET_ASIDE: Final[tuple[int, ...]] = (0, 0, 11, 12, 11, 9)  # WW-3.6 to WW-3.8, WW-21.5: by players
MINIMUM: Final = 1  # WW-5.9
RETURNED: Final = 50  # WW-18.2
FREE: Final = -1
NONE: Final = -1

# The seats of a bit mask of those who must decide.
SEATS: Final = tuple(tuple(seat for seat in range(5) if mask >> seat & 1) for mask in range(32))

# two_player_sets, fist_tie, fist_payment, two_player_faceup and the like as small integers or flags.
PAY_WINNER_PLUS_MINIMUM: Final = 0
PAY_BOTH: Final = 1
PAY_WINNER_ONLY: Final = 2
FIST_PAYMENTS: Final = ("winner_plus_min", "both", "winner_only")
TIE_DRAW: Final = 0
TIE_REBID: Final = 1
TIE_LAST_LOSER: Final = 2
FIST_TIES: Final = ("draw", "rebid_then_draw", "last_loser")


class Position(State):
    """A complete position. A set is one of the coloured sets in play, 0 to `sets` - 1; `mate` is how many a player has.

    With three to five players set and seat are the same; with two, sets 0 and 1 belong to seat 0, 2 and 3 to seat 1.
    era, round_no (within the Era), turns (in the game). order: the Turn order chart; next_order: the markers as placed
    this round. queue: who bids or places counters next, first to last.
    deck_size, aside_size: face-down cards; setup_left: set-up cards still on top; unseen: all others face down.
    face_up: Town cards not yet taken, in the order dealt; taken: card, set and price of each one taken this round.
    lot, high, high_bidder, initiator, bids: the auction: card, highest bid, whose, who began; by seat 0 (has not
    spoken), -1 (passed) or the bid. active: whose set's turn it is; held: its card; town, first, second: where it
    placed and which connections it built on. gambled, lifted: this turn.
    industries: by town and set, flat; load: by town. owner: by connection, the set or FREE.
    cash, revenue, counters (flat, by seat and type): by seat. demand, pool: counters by type on the chart, undrawn.
    sealed: by seat, an action not yet revealed or NONE. bank: the cash supply (counted from 0 if it is unlimited);
    returned, owed: by seat (WW-A.47).
    """

    __slots__ = (
        "active",
        "aside_each",
        "aside_size",
        "auto_raise",
        "bank",
        "banned",
        "bids",
        "box",
        "build_base",
        "capacity",
        "card_towns",
        "card_values",
        "cash",
        "connections_of",
        "counters",
        "crossing",
        "debt",
        "deck_size",
        "demand",
        "discard",
        "double_base",
        "ends_a",
        "ends_b",
        "era",
        "face_up",
        "finite",
        "first",
        "fist_payment",
        "fist_tie",
        "gambled",
        "hand_raise",
        "held",
        "high",
        "high_bidder",
        "industries",
        "initiator",
        "last_loser",
        "lifted",
        "load",
        "lot",
        "mate",
        "merged",
        "next_order",
        "open_cash",
        "opponents_first",
        "order",
        "owed",
        "owner",
        "pending",
        "per_link",
        "phase",
        "place_base",
        "pool",
        "queue",
        "random_demand",
        "rebid",
        "regamble",
        "relocate",
        "relocate_base",
        "returned",
        "revenue",
        "round_no",
        "sealed",
        "second",
        "sets",
        "setup_left",
        "supply_industry",
        "supply_link",
        "take_base",
        "taken",
        "town",
        "town_values",
        "towns_of_value",
        "turns",
        "two_faces",
        "unseen",
    )

    game: ClassVar[str] = "workshop_of_the_world"

    def __init__(self, players: int, box: Box, dice: Dice, source: Position | None = None) -> None:
        """A bare table (`start` prepares it), or a copy of `source`."""
        if source is not None:
            State.__init__(self, players, source.space, dice)
            self._copy(source)
            return
        space = make_space(box)
        State.__init__(self, players, space, dice)
        layout = space.layout
        self.box: Box = box
        self.take_base: int = layout.take
        self.place_base: int = layout.place
        self.relocate_base: int = layout.relocate
        self.build_base: int = layout.build
        self.double_base: int = layout.double
        self.ends_a: tuple[int, ...] = box.ends_a
        self.ends_b: tuple[int, ...] = box.ends_b
        self.capacity: tuple[int, ...] = box.capacity
        self.banned: tuple[int, ...] = box.banned
        self.town_values: tuple[int, ...] = box.town_values
        self.towns_of_value: tuple[tuple[int, ...], ...] = box.towns_of_value
        self.connections_of: tuple[tuple[int, ...], ...] = box.town_connections
        self.card_towns: tuple[int, ...] = box.card_towns
        self.card_values: tuple[int, ...] = box.card_values
        self.sets: i64 = 4 if players == 2 else players
        self.mate: i64 = 2 if players == 2 else 1
        self.aside_each: i64 = SET_ASIDE[players]
        # options
        self.auto_raise: bool = True
        self.hand_raise: bool = True
        self.debt: bool = False
        self.opponents_first: bool = False
        self.relocate: bool = True
        self.regamble: bool = False
        self.per_link: bool = False
        self.crossing: bool = True
        self.open_cash: bool = False
        self.finite: bool = False
        self.two_faces: bool = False
        self.merged: bool = False
        self.random_demand: bool = False
        self.fist_payment: i64 = PAY_WINNER_PLUS_MINIMUM
        self.fist_tie: i64 = TIE_DRAW
        # where the game stands
        self.phase: i64 = DEMAND_1
        self.pending: i64 = 0
        self.era: i64 = CANAL
        self.round_no: i64 = 0
        self.turns: i64 = 0
        self.deck_size: i64 = 0
        self.aside_size: i64 = 0
        self.lot: i64 = NONE
        self.high: i64 = 0
        self.high_bidder: i64 = NONE
        self.initiator: i64 = NONE
        self.active: i64 = NONE
        self.held: i64 = NONE
        self.town: i64 = NONE
        self.first: i64 = NONE
        self.second: i64 = NONE
        self.gambled: bool = False
        self.lifted: bool = False
        self.rebid: bool = False
        self.last_loser: i64 = NONE
        self.bank: i64 = 0
        # what lies where
        self.order: list[int] = []
        self.next_order: list[int] = []
        self.queue: list[int] = []
        self.setup_left: list[int] = []
        self.unseen: list[int] = []
        self.face_up: list[int] = []
        self.taken: list[int] = []
        self.discard: list[int] = []
        self.bids: list[int] = [0] * players
        self.sealed: list[int] = [NONE] * players
        self.cash: list[int] = [START_CASH_TWO if players == 2 else START_CASH] * players
        self.revenue: list[int] = [0] * players
        self.returned: list[int] = [0] * players
        self.owed: list[int] = [0] * players
        self.counters: list[int] = [0] * (5 * players)
        self.demand: list[int] = [0] * 5
        self.pool: list[int] = list(box.demand)
        self.industries: list[int] = [0] * (len(box.town_ids) * self.sets)
        self.load: list[int] = [0] * len(box.town_ids)
        self.owner: list[int] = [FREE] * len(box.connection_ids)
        self.supply_industry: list[int] = []
        self.supply_link: list[int] = [box.links] * self.sets

    def _copy(self, source: Position) -> None:
        self.revelations = source.revelations
        self.box = source.box
        self.take_base = source.take_base
        self.place_base = source.place_base
        self.relocate_base = source.relocate_base
        self.build_base = source.build_base
        self.double_base = source.double_base
        self.ends_a = source.ends_a
        self.ends_b = source.ends_b
        self.capacity = source.capacity
        self.banned = source.banned
        self.town_values = source.town_values
        self.towns_of_value = source.towns_of_value
        self.connections_of = source.connections_of
        self.card_towns = source.card_towns
        self.card_values = source.card_values
        self.sets = source.sets
        self.mate = source.mate
        self.aside_each = source.aside_each
        self.auto_raise = source.auto_raise
        self.hand_raise = source.hand_raise
        self.debt = source.debt
        self.opponents_first = source.opponents_first
        self.relocate = source.relocate
        self.regamble = source.regamble
        self.per_link = source.per_link
        self.crossing = source.crossing
        self.open_cash = source.open_cash
        self.finite = source.finite
        self.two_faces = source.two_faces
        self.merged = source.merged
        self.random_demand = source.random_demand
        self.fist_payment = source.fist_payment
        self.fist_tie = source.fist_tie
        self.phase = source.phase
        self.pending = source.pending
        self.era = source.era
        self.round_no = source.round_no
        self.turns = source.turns
        self.deck_size = source.deck_size
        self.aside_size = source.aside_size
        self.lot = source.lot
        self.high = source.high
        self.high_bidder = source.high_bidder
        self.initiator = source.initiator
        self.active = source.active
        self.held = source.held
        self.town = source.town
        self.first = source.first
        self.second = source.second
        self.gambled = source.gambled
        self.lifted = source.lifted
        self.rebid = source.rebid
        self.last_loser = source.last_loser
        self.bank = source.bank
        self.order = source.order[:]
        self.next_order = source.next_order[:]
        self.queue = source.queue[:]
        self.setup_left = source.setup_left[:]
        self.unseen = source.unseen[:]
        self.face_up = source.face_up[:]
        self.taken = source.taken[:]
        self.discard = source.discard[:]
        self.bids = source.bids[:]
        self.sealed = source.sealed[:]
        self.cash = source.cash[:]
        self.revenue = source.revenue[:]
        self.returned = source.returned[:]
        self.owed = source.owed[:]
        self.counters = source.counters[:]
        self.demand = source.demand[:]
        self.pool = source.pool[:]
        self.industries = source.industries[:]
        self.load = source.load[:]
        self.owner = source.owner[:]
        self.supply_industry = source.supply_industry[:]
        self.supply_link = source.supply_link[:]

    # -- players and sets ---------------------------------------------------------------------------------------

    def owner_of(self, colour: int) -> int:
        """The seat to which a set belongs (WW-21.1)."""
        return colour // self.mate

    def in_order(self) -> list[int]:
        """The seats in turn order: as their sets stand on the chart, each once (WW-A.45, WW-A.59)."""
        if self.mate == 1:
            return self.order[:]
        first = self.order[0] // 2
        return [first, 1 - first]

    def decide(self, phase: int, seat: int) -> None:
        """One seat is to decide now."""
        self.phase = phase
        self.pending = 1 << seat

    # -- money --------------------------------------------------------------------------------------------------

    def spendable(self, seat: int) -> int:
        """What a seat can pay now: its cash, and what its Revenue can raise (WW-A.7)."""
        if self.auto_raise:
            return self.cash[seat] + self.revenue[seat] // 2
        return self.cash[seat]

    def broke(self, seat: int) -> bool:
        """Nothing to pay even the minimum with, not even by raising cash (WW-A.12)."""
        return self.cash[seat] + self.revenue[seat] // 2 < MINIMUM

    def raise_cash(self, seat: int, pounds: int, clause: str) -> None:
        """The Revenue marker goes back by two spaces for each pound (WW-10.1, WW-10.2)."""
        self.cash[seat] = self.cash[seat] + pounds
        self.revenue[seat] = self.revenue[seat] - 2 * pounds
        self.bank -= pounds
        if self.events is not None:
            facts = {"seat": seat, "pounds": pounds, "revenue": self.revenue[seat]}
            self.report("cash_raised", clause, facts)

    def pay(self, seat: int, price: int) -> int:
        """Pay to the supply, raising as little as is needed (WW-A.8). What was paid.

        Who cannot pay all pays what there is, and the rest is forgiven, or owed with `broke_rule` debt (WW-A.12).
        """
        short = price - self.cash[seat]
        if short > 0:
            raised = self.revenue[seat] // 2
            if raised > short:
                raised = short
            if raised > 0:
                self.raise_cash(seat, raised, "WW-A.8")
                short -= raised
            if short > 0:
                if self.debt:
                    if self.events is not None:
                        self.report("debt_made", "WW-A.12", {"seat": seat, "amount": short})
                else:
                    price -= short
                    if self.events is not None:
                        self.report("shortfall_waived", "WW-A.12", {"seat": seat, "amount": short})
        self.cash[seat] = self.cash[seat] - price
        self.bank += price
        return price

    # -- towns and cards ----------------------------------------------------------------------------------------

    def is_blocked(self, town: int) -> bool:
        """Does every connection of the town carry Links (WW-7.1, WW-A.22)?"""
        owner = self.owner
        return all(owner[c] >= 0 for c in self.connections_of[town])

    def card_blocked(self, card: int) -> bool:
        """Is a card's town blocked; of a wild card, every town of its value (WW-7.5)?"""
        town = self.card_towns[card]
        if town >= 0:
            return self.is_blocked(town)
        return all(self.is_blocked(place) for place in self.towns_of_value[self.card_values[card]])

    def draw_unseen(self) -> int:
        """The top card of a pile whose order nobody knows."""
        unseen = self.unseen
        r = self.dice.below(len(unseen))
        card = unseen[r]
        last = unseen.pop()
        if r < len(unseen):
            unseen[r] = last
        return card

    def owns(self, colour: int, other: int) -> bool:
        """Do another set's pieces count as a set's own (WW-A.56)?"""
        return colour == other or (self.merged and colour // 2 == other // 2)

    def stands_in(self, colour: int, town: int) -> bool:
        """Has a set at least one Industry in a town (WW-9.1, WW-9.4)?"""
        i = town * self.sets + colour
        if self.industries[i]:
            return True
        return self.merged and self.industries[i ^ 1] > 0

    # -- reporting ----------------------------------------------------------------------------------------------

    def report(self, kind: str, clause: str, facts: Mapping[str, object], to: tuple[int, ...] | None = None) -> None:
        if self.events is not None:
            self.events.append(Event(kind, clause, dict(facts), to))

    def card_facts(self, card: int) -> dict[str, object]:
        """A card for an event: `name` is empty for a wild one."""
        town = self.card_towns[card]
        name = self.box.town_names[town] if town >= 0 else ""
        return {"card": card, "name": name, "value": self.card_values[card]}

    # -- what later phases add ----------------------------------------------------------------------------------

    def begin_round(self) -> None:
        raise NotImplementedError

    def after_turn(self) -> None:
        raise NotImplementedError

    def begin_demand(self, phase: int) -> None:
        raise NotImplementedError
