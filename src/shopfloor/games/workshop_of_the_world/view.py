"""What a seat may know of a game of Workshop of the World, and nothing else (section 2.3 of the specification)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from shopfloor.engine.ranking import RankView, rank_views
from shopfloor.engine.views import View
from shopfloor.games.workshop_of_the_world.actions import (
    BID,
    COUNTER,
    FIST,
    FIST_B,
    RAISE,
    REMOVE,
    SELECT,
    counters_of,
)
from shopfloor.games.workshop_of_the_world.cards import KINDS, TYPES, Box
from shopfloor.games.workshop_of_the_world.outlook import best_plan, stands
from shopfloor.games.workshop_of_the_world.rules.network import networks, sizes
from shopfloor.games.workshop_of_the_world.rules.position import (
    AUCTION_BID,
    AUCTION_SELECT,
    DEMAND_1,
    DEMAND_3,
    FIST_1,
    FIST_2,
    FIST_PAYMENTS,
    GAME_OVER,
    LINK_PRICE,
    NONE,
    PHASE_NAMES,
    PICK_CARD,
    TURN_LINK_1,
    TURN_LINK_2,
    TURN_PLACE,
    TURN_RELOCATE,
)
from shopfloor.games.workshop_of_the_world.rules.workshop import Workshop


@dataclass(frozen=True)
class MapView:
    """What is printed on the board and on the cards; the same object in all views of an edition.

    Lists have one entry a town, a connection, a Town card. town_types: names from `TYPES`; x, y: board units, 870 wide
    and 1000 high, y down; labels: the side of the town on which its name stands. ends: the two towns of a connection;
    capacity: its Links; crosses: the connection that it crosses or -1; via: bend points of its line.
    card_towns: -1 for a wild card.
    """

    edition: str
    town_names: tuple[str, ...]
    town_types: tuple[str, ...]
    town_values: tuple[int, ...]
    town_x: tuple[float, ...]
    town_y: tuple[float, ...]
    town_labels: tuple[str, ...]
    connection_ids: tuple[str, ...]
    ends: tuple[tuple[int, int], ...]
    capacity: tuple[int, ...]
    crosses: tuple[int, ...]
    via: tuple[tuple[tuple[float, float], ...], ...]
    card_ids: tuple[str, ...]
    card_kinds: tuple[str, ...]
    card_towns: tuple[int, ...]
    card_values: tuple[int, ...]

    def __hash__(self) -> int:
        return hash(self.edition)  # views are hashed often, and a map is large


@dataclass(frozen=True)
class CardView:
    """A face-up Town card. action: what selects or takes it, if the viewer may do that now.

    blocked: no Link can be built from its town, of a wild card from any town of its value. taker: the set that has
    taken it this round, for `price`; None while it is on offer. place: of the taker on the next Turn order chart.
    """

    card: int
    id: str
    kind: str
    town: int | None
    name: str
    value: int
    type: str
    blocked: bool
    taker: int | None
    price: int | None
    place: int | None
    action: int | None


@dataclass(frozen=True)
class SetView:
    """A coloured set. networks: Link pieces in each of its networks, the longest first; longest: its connections.

    links_income, industries_income: what its Links and Industries on the map would bring if cash were collected now
    (with `merged` sets, links_income is both sets' together and stands at the first one).
    place: its place on the Turn order chart, from 1 on, next_place: on the next; None while it has none.
    """

    set: int
    seat: int
    industries_left: int
    industries_on_map: int
    links_left: int
    links_on_map: int
    networks: tuple[int, ...]
    longest: tuple[int, ...]
    links_income: int
    industries_income: int
    place: int | None
    next_place: int | None


@dataclass(frozen=True)
class SeatView:
    """A player. cash and counters (by type) are None where the viewer may not see them.

    bid: in this auction: None has not spoken, 0 passed. out: has a card already or is not asked. committed: has
    chosen unseen. returned, owed: pounds, once a finite cash supply has run out (WW-A.47).
    """

    seat: int
    sets: tuple[int, ...]
    cash: int | None
    revenue: int
    counters: tuple[int, ...] | None
    counter_count: int
    bid: int | None
    out: bool
    committed: bool
    returned: int
    owed: int


@dataclass(frozen=True)
class AmountView:
    """A range of amounts that the viewer may choose from: `action` stands for `low` pounds, the next for one more.

    what: "bid", "fist" or "raise". set: whose fist.
    """

    what: str
    action: int
    low: int
    high: int
    set: int | None


@dataclass(frozen=True)
class CountersView:
    """Demand counters that the viewer may place together, by their types (0 to 4)."""

    action: int
    types: tuple[int, ...]


@dataclass(frozen=True)
class PlaceView:
    """A town in which the viewer may place (or, with the supply empty, from which it may lift) an Industry.

    full: one must go first. free: unoccupied connections. demand: pounds that an Industry here would bring at the
    Collect Cash of this Era, with the Demand chart as it is. gain, links, price: the most Revenue that Links from here
    could bring at once, with how many Links for how much.
    """

    action: int
    town: int
    full: bool
    free: int
    demand: int
    gain: int
    links: int
    price: int


@dataclass(frozen=True)
class BuildView:
    """A connection on which the viewer may build now. gain: Revenue that this Link or double adds; total: of the turn.

    towns: those that it newly joins in which the builder stands. price: in pounds; raised: pounds that would have to
    come from the Revenue track; cash: left after that. longest: Link pieces in the builder's longest network then.
    """

    action: int
    connection: int
    links: int
    price: int
    gain: int
    total: int
    towns: tuple[int, ...]
    raised: int
    cash: int
    longest: int


@dataclass(frozen=True)
class RemovalView:
    """An Industry that the viewer may take out of the full town."""

    action: int
    set: int


@dataclass(frozen=True)
class ProspectView:
    """What a face-up card would bring a set of the viewer at once, at best: placed in `town`, as in `PlaceView`."""

    card: int
    set: int
    town: int
    gain: int
    links: int
    price: int


@dataclass(frozen=True)
class WorkshopView(View):
    """The table as seen from `seat` (None: a spectator).

    legal: action ids that the viewer may choose now. chosen: the action that the viewer has committed unseen, or None.
    era: "canal" or "railway"; round: of it, of `rounds`. order, next_order: sets on the Turn order chart.
    demand: counters on the chart by type; pool_size: undrawn. cards: face up this round, those taken too.
    unseen: all cards that lie face down, in the Town deck or set aside; top: those of them known to be on top.
    industries: by town, a count for each set; load: all in it; blocked: by town. owners: by connection the set whose
    Links it carries, or -1. fresh: connections built this turn.
    lot, high, high_bidder, initiator, queue: the auction (seats). active: the set whose turn it is; held: its card;
    town: where it has placed; due: Revenue that it will get for Links built so far this turn.
    most: what the viewer can pay now, with what the Revenue track can raise. bank: a finite cash supply.
    fist_payment: who pays a clenched fist, as the option has it.
    """

    map: MapView
    seat: int | None
    players: int
    sets: int
    phase: str
    era: str
    round: int
    rounds: int
    turns: int
    deciders: tuple[int, ...]
    legal: tuple[int, ...]
    chosen: int | None
    order: tuple[int, ...]
    next_order: tuple[int, ...]
    demand: tuple[int, ...]
    pool_size: int
    cards: tuple[CardView, ...]
    deck_size: int
    aside_size: int
    unseen: tuple[int, ...]
    top: tuple[int, ...]
    discard: tuple[int, ...]
    industries: tuple[tuple[int, ...], ...]
    load: tuple[int, ...]
    blocked: tuple[bool, ...]
    owners: tuple[int, ...]
    fresh: tuple[int, ...]
    lot: int | None
    high: int
    high_bidder: int | None
    initiator: int | None
    queue: tuple[int, ...]
    active: int | None
    held: CardView | None
    town: int | None
    gambled: bool
    due: int
    link_price: int
    most: int | None
    bank: int | None
    must_bid: bool
    rebid: bool
    must_place: int
    seats: tuple[SeatView, ...]
    colours: tuple[SetView, ...]
    amounts: tuple[AmountView, ...]
    counters: tuple[CountersView, ...]
    places: tuple[PlaceView, ...]
    builds: tuple[BuildView, ...]
    removals: tuple[RemovalView, ...]
    prospects: tuple[ProspectView, ...]
    auto_raise: bool
    hand_raise: bool
    open_cash: bool
    merged: bool
    fist_payment: str
    criteria: tuple[str, ...]
    ranks: tuple[RankView, ...]


_MAPS: Final[dict[str, tuple[Box, MapView]]] = {}


def map_view(box: Box) -> MapView:
    """The map and the cards of an edition."""
    made = _MAPS.get(box.hash)
    if made is None or made[0] is not box:
        if len(_MAPS) >= 16:
            _MAPS.clear()
        printed = MapView(
            edition=box.hash,
            town_names=box.town_names,
            town_types=tuple(TYPES[t] for t in box.town_types),
            town_values=box.town_values,
            town_x=box.town_x,
            town_y=box.town_y,
            town_labels=box.town_labels,
            connection_ids=box.connection_ids,
            ends=tuple(zip(box.ends_a, box.ends_b, strict=True)),
            capacity=box.capacity,
            crosses=box.crosses,
            via=box.via,
            card_ids=box.card_ids,
            card_kinds=tuple(KINDS[kind] for kind in box.card_kinds),
            card_towns=box.card_towns,
            card_values=box.card_values,
        )
        made = (box, printed)
        _MAPS[box.hash] = made
    return made[1]


def _card(s: Workshop, card: int, legal: tuple[int, ...] = ()) -> CardView:
    box = s.box
    town = box.card_towns[card]
    action = SELECT + card if s.phase == AUCTION_SELECT else s.take_base + card
    return CardView(
        card=card,
        id=box.card_ids[card],
        kind=KINDS[box.card_kinds[card]],
        town=town if town >= 0 else None,
        name=box.town_names[town] if town >= 0 else "",
        value=box.card_values[card],
        type=TYPES[box.town_types[town]] if town >= 0 else "",
        blocked=s.card_blocked(card),
        taker=None,
        price=None,
        place=None,
        action=action if action in legal and s.phase in (AUCTION_SELECT, PICK_CARD) else None,
    )


def _cards(s: Workshop, legal: tuple[int, ...]) -> tuple[CardView, ...]:
    """Those taken this round in the order of taking, then those on offer in the order dealt."""
    found = []
    for i in range(0, len(s.taken), 3):
        card, taker, price = s.taken[i : i + 3]
        found.append(replace(_card(s, card), taker=taker, price=price, place=i // 3 + 1))
    return (*found, *[_card(s, card, legal) for card in s.face_up])


def _together(s: Workshop, colour: int) -> list[int]:
    """The sets whose Links form networks with this one's (WW-A.56)."""
    return [colour & ~1, colour | 1] if s.merged else [colour]


def _set(s: Workshop, colour: int) -> SetView:
    box = s.box
    found = networks(box, s.owner, _together(s, colour))
    counted = sizes(box, found)
    ranked = sorted(range(len(found)), key=lambda i: -counted[i])
    total = sum(counted)
    here = s.industries[colour :: s.sets]
    pays = sum(n * s.demand[box.town_types[t]] for t, n in enumerate(here) if n)
    first = not s.merged or colour % 2 == 0
    return SetView(
        set=colour,
        seat=colour // s.mate,
        industries_left=s.supply_industry[colour],
        industries_on_map=sum(here),
        links_left=s.supply_link[colour],
        links_on_map=box.links - s.supply_link[colour],
        networks=tuple(counted[i] for i in ranked),
        longest=tuple(found[ranked[0]]) if ranked else (),
        links_income=total + counted[ranked[0]] if ranked and first else 0,
        industries_income=pays,
        place=s.order.index(colour) + 1 if colour in s.order else None,
        next_place=s.next_order.index(colour) + 1 if colour in s.next_order else None,
    )


def _seat(s: Workshop, seat: int, mine: bool) -> SeatView:
    bid = s.bids[seat]
    colours = tuple(range(seat * s.mate, (seat + 1) * s.mate))
    bidding = s.phase == AUCTION_BID
    return SeatView(
        seat=seat,
        sets=colours,
        cash=s.cash[seat] if mine or s.open_cash else None,
        revenue=s.revenue[seat],
        counters=tuple(s.counters[5 * seat : 5 * seat + 5]) if mine else None,
        counter_count=s.held_counters(seat),
        bid=None if not bidding or bid == 0 else max(bid, 0),
        out=bidding and bid == 0 and seat not in s.queue,
        committed=s.sealed[seat] != NONE,
        returned=s.returned[seat],
        owed=s.owed[seat],
    )


def _amounts(s: Workshop, seat: int, legal: tuple[int, ...]) -> tuple[AmountView, ...]:
    found = []
    blocks = (
        ("raise", RAISE, BID, 1, None),
        ("bid", BID, FIST, 0, None),
        ("fist", FIST, FIST_B, 0, seat * s.mate),
        ("fist", FIST_B, SELECT, 0, seat * s.mate + 1),
    )
    for what, start, end, first, colour in blocks:
        ids = [action for action in legal if start <= action < end]
        if ids:
            found.append(AmountView(what, ids[0], ids[0] - start + first, ids[-1] - start + first, colour))
    return tuple(found)


def _places(s: Workshop, seat: int, legal: tuple[int, ...]) -> tuple[PlaceView, ...]:
    if s.phase not in (TURN_PLACE, TURN_RELOCATE):
        return ()
    base = s.place_base if s.phase == TURN_PLACE else s.relocate_base
    here = stands(s, s.active)
    found = []
    for action in legal:
        town = action - base
        if 0 <= town < len(s.load):
            plan = best_plan(s, s.active, town, here)
            found.append(
                PlaceView(
                    action=action,
                    town=town,
                    full=s.load[town] >= s.town_values[town],
                    free=s.free_connections(town),
                    demand=s.demand[s.box.town_types[town]],
                    gain=plan.gain,
                    links=plan.links,
                    price=plan.links * LINK_PRICE[s.era],
                )
            )
    return tuple(found)


def _due(s: Workshop) -> int:
    """Revenue for the first Link, where it is not added at once (WW-A.32)."""
    if s.first < 0 or s.per_link:
        return 0
    return sum(s.town_values[t] for t in s.newly_linked(s.first) if s.stands_in(s.active, t))


def _builds(s: Workshop, seat: int) -> tuple[BuildView, ...]:
    found = []
    due = _due(s)
    for c in s.buildable():
        links = s.capacity[c]
        price = links * LINK_PRICE[s.era]
        ends = s.newly_linked(c) if s.first >= 0 else [s.ends_a[c], s.ends_b[c]]
        towns = tuple(t for t in ends if s.stands_in(s.active, t))
        gain = sum(s.town_values[t] for t in towns)
        raised = max(0, price - s.cash[seat])
        owner = [*s.owner[:c], s.active, *s.owner[c + 1 :]]
        found.append(
            BuildView(
                action=(s.build_base if links == 1 else s.double_base) + c,
                connection=c,
                links=links,
                price=price,
                gain=gain,
                total=due + gain,
                towns=towns,
                raised=raised,
                cash=s.cash[seat] + raised - price,
                longest=max(sizes(s.box, networks(s.box, owner, _together(s, s.active)))),
            )
        )
    return tuple(found)


def _prospects(s: Workshop, seat: int) -> tuple[ProspectView, ...]:
    """For the cards on offer and each set of the viewer that has none yet this round."""
    if s.phase not in (AUCTION_SELECT, AUCTION_BID, FIST_1, FIST_2, PICK_CARD):
        return ()
    found = []
    played = [s.taken[i] for i in range(1, len(s.taken), 3)]
    for colour in range(seat * s.mate, (seat + 1) * s.mate):
        if colour in played:
            continue
        here = stands(s, colour)
        for card in s.face_up:
            towns = s.box.card_places(card)
            plans = [(best_plan(s, colour, t, here), t) for t in towns]
            plan, town = max(plans, key=lambda p: (p[0].gain, -p[0].links, -p[1]))
            found.append(ProspectView(card, colour, town, plan.gain, plan.links, plan.links * LINK_PRICE[s.era]))
    return tuple(found)


def _some(value: int) -> int | None:
    return value if value != NONE else None


def view(state: Workshop, seat: int | None) -> WorkshopView:
    """The position as `seat` may see it; None is a spectator, who sees what is open to all."""
    s = state
    over = s.phase == GAME_OVER
    legal = s.legal(seat) if seat is not None else ()
    deciding = seat is not None and bool(legal)
    me = seat if seat is not None else 0
    standing = s.standing() if over else None
    towns = range(len(s.load))
    links = (TURN_LINK_1, TURN_LINK_2)
    return WorkshopView(
        map=map_view(s.box),
        seat=seat,
        players=s.players,
        sets=s.sets,
        phase=PHASE_NAMES[s.phase],
        era=("canal", "railway")[s.era],
        round=s.round_no,
        rounds=(len(s.box.card_ids) - s.aside_each) // s.sets,
        turns=s.turns,
        deciders=s.deciders(),
        legal=legal,
        chosen=_some(s.sealed[seat]) if seat is not None else None,
        order=tuple(s.order),
        next_order=tuple(s.next_order),
        demand=tuple(s.demand),
        pool_size=sum(s.pool),
        cards=_cards(s, legal),
        deck_size=s.deck_size,
        aside_size=s.aside_size,
        unseen=tuple(sorted(s.unseen + s.setup_left)),
        top=tuple(sorted(s.setup_left)),
        discard=tuple(s.discard),
        industries=tuple(tuple(s.industries[t * s.sets : (t + 1) * s.sets]) for t in towns),
        load=tuple(s.load),
        blocked=tuple(s.is_blocked(t) for t in towns),
        owners=tuple(s.owner),
        fresh=tuple(c for c in (s.first, s.second) if c >= 0),
        lot=_some(s.lot),
        high=s.high,
        high_bidder=_some(s.high_bidder),
        initiator=_some(s.initiator),
        queue=tuple(s.queue),
        active=_some(s.active),
        held=_card(s, s.held) if s.held >= 0 else None,
        town=_some(s.town),
        gambled=s.gambled,
        due=_due(s),
        link_price=LINK_PRICE[s.era],
        most=s.spendable(seat) if seat is not None else None,
        bank=s.bank if s.finite else None,
        must_bid=deciding and s.phase == AUCTION_BID and s.must_bid(),
        rebid=s.rebid,
        must_place=s.must_place(me) if deciding and s.phase in (DEMAND_1, DEMAND_3) else 0,
        seats=tuple(_seat(s, other, over or other == seat) for other in range(s.players)),
        colours=tuple(_set(s, colour) for colour in range(s.sets)),
        amounts=_amounts(s, me, legal),
        counters=tuple(CountersView(a, counters_of(a - COUNTER)) for a in legal if COUNTER <= a < REMOVE),
        places=_places(s, me, legal) if deciding else (),
        builds=_builds(s, me) if deciding and s.phase in links else (),
        removals=tuple(RemovalView(a, a - REMOVE) for a in legal if REMOVE <= a < RAISE),
        prospects=_prospects(s, seat) if seat is not None else (),
        auto_raise=s.auto_raise,
        hand_raise=s.may_raise(),
        open_cash=s.open_cash,
        merged=s.merged,
        fist_payment=FIST_PAYMENTS[s.fist_payment],
        criteria=standing.criteria if standing else (),
        ranks=rank_views(standing),
    )
