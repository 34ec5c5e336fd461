"""What positions and decisions in Workshop of the World are worth to a sensible player.

Everything is counted in pounds at the end of the game. A pound of Revenue is a pound at the next Collect Cash, a Link
one or two, an Industry what its type's Demand will pay then, and again at the end. Who bids asks what the card is
worth beyond what could be had instead, and what those who speak later would pay.
"""

from __future__ import annotations

import math
from typing import Final

from shopfloor.games.workshop_of_the_world.actions import (
    BID,
    BIDS,
    COUNTER,
    FIST,
    FIST_B,
    KEEP,
    PASS,
    RAISE,
    REMOVE,
    SELECT,
    USE_CARD,
    counters_of,
)
from shopfloor.games.workshop_of_the_world.foresight import ENVY, STAYS, Outlook
from shopfloor.games.workshop_of_the_world.rules.network import networks, sizes
from shopfloor.games.workshop_of_the_world.rules.position import (
    AUCTION_BID,
    AUCTION_SELECT,
    CANAL,
    DEMAND_1,
    DEMAND_2,
    DEMAND_3,
    DEMAND_4,
    FIST_1,
    FIST_2,
    GAME_OVER,
    PICK_CARD,
    TURN_CARD,
    TURN_LINK_1,
    TURN_LINK_2,
    TURN_PLACE,
    TURN_RELOCATE,
    TURN_REMOVE,
)
from shopfloor.games.workshop_of_the_world.rules.workshop import Workshop

# What a fist costs on the whole, and what a turn brings with a card that nobody has seen yet.
FIST_PRICE: Final = 2.0
UNSEEN: Final = 6.0
# How far off a guess at what another would pay usually is, in pounds.
DOUBT: Final = 1.6
# Of several cards left, how far from the worst towards the average one ends up with.
REST: Final = 0.8
# What it is worth to take a connection from others, per value of a town in which they stand.
BLOCK: Final = 0.1
# What a counter is worth that is kept for the Railway Era.
KEPT: Final = 0.8
# How much of another's gain counts against a card left to it.
DENY: Final = 0.5
# How many pounds tip the balance at the end, and how fast that grows with the turns to go.
SCALE: Final = 2.0
SPREAD: Final = 0.5
FLOOR: Final = 4.0
"""Ratings this much below the best are all the same: hopeless."""

_STEPS: Final = 64
_CHANCE: Final = [1.0 / (1.0 + math.exp(-(d - _STEPS) / (4.0 * DOUBT))) for d in range(2 * _STEPS + 1)]


def _chance(difference: float) -> float:
    """The chance that a guess at a rival's limit is not above a bid that exceeds it by `difference` pounds."""
    step = int(4.0 * difference) + _STEPS
    return _CHANCE[0 if step < 0 else 2 * _STEPS if step > 2 * _STEPS else step]


# -- auctions -------------------------------------------------------------------------------------------------------


def _instead(worths: list[float]) -> float:
    """What somebody can expect who does not get the card on auction, from what the other cards are worth to him.

    Of two cards the other one comes for a pound; with more there are further auctions, and not the best card of them.
    """
    if not worths:
        return 0.0
    ranked = sorted(worths)
    if len(ranked) == 1:
        return ranked[0] - 1.0
    low = ranked[0] - 1.0
    return low + REST * (sum(ranked) / len(ranked) - ranked[0])


def _limits(outlook: Outlook, lot: int, seats: list[int]) -> dict[int, tuple[float, float]]:
    """By seat: what it would pay for the card on auction, and what it can expect instead."""
    s = outlook.state
    found = {}
    others = [card for card in s.face_up if card != lot]
    for seat in seats:
        instead = _instead([outlook.card(seat, card) for card in others])
        limit = min(outlook.card(seat, lot) - instead, float(s.spendable(seat)))
        found[seat] = (limit, instead)
    return found


def _rate_bids(s: Workshop, seat: int, legal: tuple[int, ...]) -> list[float]:
    outlook = Outlook(s, seat)
    limits = _limits(outlook, s.lot, s.queue)
    worth = outlook.card(seat, s.lot)
    instead = limits[seat][1]
    later = [limits[other][0] for other in s.queue if other != seat]
    envy = ENVY / outlook.rivals
    # If I do not get it, the one who does gains what it is worth beyond the price, which costs me a share.
    rivals = max(later, default=0.0)
    ratings = []
    for action in legal:
        if action == PASS:
            gain = max(0.0, rivals - max(float(s.high + 1), 1.0)) if later else 0.0
            ratings.append(instead - DENY * envy * gain)
        else:
            bid = action - BID
            wins = 1.0
            for limit in later:
                wins *= _chance(bid + 0.5 - limit)
                if wins < 0.001:
                    break
            loss = DENY * envy * max(0.0, rivals - bid - 1.0)
            ratings.append(wins * (worth - bid) + (1.0 - wins) * (instead - loss))
    return ratings


def _rate_selection(s: Workshop, seat: int, legal: tuple[int, ...]) -> list[float]:
    """Put up what I can have cheaply and would miss most; who speaks last pays a pound more than the others would."""
    outlook = Outlook(s, seat)
    seats = [other for other in s.order if other not in s.next_order]
    worths = {other: [outlook.card(other, card) for card in s.face_up] for other in seats}
    ratings = []
    for action in legal:
        i = s.face_up.index(action - SELECT)
        instead = {other: _instead(worths[other][:i] + worths[other][i + 1 :]) for other in seats}
        price = 1.0
        for other in seats:
            if other != seat:
                price = max(price, min(worths[other][i] - instead[other], float(s.spendable(other))) + 0.5)
        mine = worths[seat][i] - instead[seat]
        surplus = mine - price if price < mine and price <= s.spendable(seat) else 0.0
        ratings.append(surplus + 0.15 * min(price, 10.0))
    return ratings


def _first_pick(outlook: Outlook, seat: int, colours: list[int], rival_colours: list[int]) -> dict[int, float]:
    """By set: what it is worth to pick before the rival instead of after."""
    s = outlook.state
    found = {}
    cards = s.face_up
    theirs = [max([outlook.card(colour, card) for colour in rival_colours]) for card in cards]
    for colour in colours:
        mine = [outlook.card(colour, card) for card in cards]
        best = max(range(len(cards)), key=lambda i: mine[i])
        gone = max(range(len(cards)), key=lambda i: theirs[i])
        rest = [mine[i] for i in range(len(cards)) if i != gone]
        found[colour] = mine[best] - (max(rest) if rest else 0.0)
        if best == gone and len(cards) > 1:  # what the rival cannot have then
            found[colour] += 0.5 * (theirs[gone] - max([theirs[i] for i in range(len(cards)) if i != gone]))
    return found


def _rate_fists(s: Workshop, seat: int, legal: tuple[int, ...]) -> list[float]:
    outlook = Outlook(s, seat)
    free = [[2 * other + which for which in (0, 1) if s.fist_choices(other)[which]] for other in (0, 1)]
    rival = 1 - seat
    own = _first_pick(outlook, seat, free[seat], free[rival])
    theirs = max(_first_pick(outlook, rival, free[rival], free[seat]).values())
    best = {colour: max([outlook.card(colour, card) for card in s.face_up]) for colour in free[seat]}
    ratings = []
    # A sensible rival holds anything up to what coming first is worth to it.
    top = max(1.0, min(theirs, float(s.spendable(rival))))
    for action in legal:
        bid = (action - FIST) % BIDS
        colour = 2 * seat + (0 if action < FIST_B else 1)
        wins = min(1.0, max(0.0, (bid - 0.5) / (0.75 * top)))
        ratings.append(wins * (own[colour] - max(bid, 1)) - (1.0 - wins) + 0.3 * best[colour])
    return ratings


# -- a turn ---------------------------------------------------------------------------------------------------------


def _rate_links(s: Workshop, seat: int, legal: tuple[int, ...]) -> list[float]:
    outlook = Outlook(s, seat)
    colour = s.active
    here = outlook.here[colour]
    price = outlook.price
    values = s.town_values
    money = s.spendable(seat)
    ratings = []
    for action in legal:
        if action < s.build_base:
            ratings.append(0.0)
            continue
        double = action >= s.double_base
        c = action - (s.double_base if double else s.build_base)
        a, b = s.ends_a[c], s.ends_b[c]
        towns = s.newly_linked(c) if s.first >= 0 else [a, b]
        links = 2 if double else 1
        worth = links * (outlook.link(colour, a, b) - price)
        worth += sum([values[t] for t in towns if here[t]])
        worth += BLOCK * _blocks(s, seat, (a, b))
        if s.first < 0 and not double and money >= 2 * price and s.supply_link[colour] > 1:
            worth += _second(outlook, colour, c)
        ratings.append(worth)
    return ratings


def _blocks(s: Workshop, seat: int, towns: tuple[int, int]) -> float:
    """How much others would have liked to build here: the values of towns where they stand."""
    found = 0.0
    mate = s.mate
    for town in towns:
        b = town * s.sets
        for colour in range(s.sets):
            if s.industries[b + colour] and colour // mate != seat:
                found += s.town_values[town]
    return found


def _second(outlook: Outlook, colour: int, first: int) -> float:
    """What the best second Link adds after this first one; at least nothing."""
    s = outlook.state
    town = s.town
    far = s.ends_a[first] + s.ends_b[first] - town
    here = outlook.here[colour]
    banned = s.banned[town] if s.crossing else 0
    best = 0.0
    for start in (town, far):
        for d in s.connections_of[start]:
            if d != first and s.owner[d] < 0 and s.capacity[d] == 1 and not banned >> d & 1:
                other = s.ends_a[d] + s.ends_b[d] - start
                worth = outlook.link(colour, start, other) - outlook.price
                if here[other] and other not in (town, far):
                    worth += s.town_values[other]
                if worth > best:
                    best = worth
    return best


def _rate_turn(s: Workshop, seat: int, legal: tuple[int, ...]) -> list[float]:
    """Which card or town, use or gamble, which Industry goes."""
    outlook = Outlook(s, seat)
    colour = s.active
    phase = s.phase
    ratings = []
    for action in legal:
        if phase == PICK_CARD:
            card = action - s.take_base
            others = [outlook.card(other, card) for other in range(s.sets) if other // s.mate != seat]
            ratings.append(outlook.card(colour, card) + 0.3 * max(others))
        elif phase == TURN_PLACE:
            ratings.append(outlook.placing(colour, action - s.place_base))
        elif phase == TURN_RELOCATE:
            ratings.append(-outlook.presence(action - s.relocate_base))
        elif phase == TURN_REMOVE:
            other = action - REMOVE
            loss = outlook.presence(s.town)
            if s.industries[s.town * s.sets + other] > 1:
                loss = outlook.pays(s.box.town_types[s.town])
            ratings.append(-loss if other // s.mate == seat else loss / outlook.rivals)
        elif action == USE_CARD:
            ratings.append(outlook.card(colour, s.held))
        else:
            ratings.append(_gamble(outlook))
    return ratings


def _gamble(outlook: Outlook) -> float:
    """What a card that nobody has seen is worth to the set whose turn it is."""
    s = outlook.state
    worths = [outlook.card(s.active, card) for card in s.unseen]
    return sum(worths) / len(worths) if worths else 0.0


# -- counters -------------------------------------------------------------------------------------------------------


def leads(s: Workshop) -> list[list[float]]:
    """By seat and type: how many more Industries it has than the others on average."""
    standing = [[0.0] * 5 for _ in range(s.players)]
    for town, t in enumerate(s.box.town_types):
        for colour in range(s.sets):
            standing[colour // s.mate][t] += s.industries[town * s.sets + colour]
    total = [sum([standing[seat][t] for seat in range(s.players)]) for t in range(5)]
    rivals = s.players - 1
    return [[mine[t] - (total[t] - mine[t]) / rivals for t in range(5)] for mine in standing]


def _rate_counters(s: Workshop, seat: int, legal: tuple[int, ...]) -> list[float]:
    """What counters bring me more than the others."""
    twice = 2.0 if s.era == CANAL else 1.0
    worth = [twice * lead for lead in leads(s)[seat]]
    ratings = []
    for action in legal:
        if action == KEEP:
            # Kept in the Canal Era, a counter can still be placed in the Railway Era.
            ratings.append(KEPT if s.phase == DEMAND_2 else 0.0)
        else:
            ratings.append(sum([worth[t] for t in counters_of(action - COUNTER)]))
    return ratings


def rate(state: Workshop, seat: int) -> list[float]:
    """How good each legal decision seems, in the order of `state.legal(seat)`, in pounds."""
    legal = state.legal(seat)
    if len(legal) < 2:
        return [0.0] * len(legal)
    phase = state.phase
    # Raising cash by hand never pays (WW-A.9), unless nothing is paid otherwise.
    others = tuple([action for action in legal if not RAISE <= action < BID])
    if not others:
        return [-float(action) for action in legal]
    if phase == AUCTION_BID:
        ratings = _rate_bids(state, seat, others)
    elif phase in (TURN_LINK_1, TURN_LINK_2):
        ratings = _rate_links(state, seat, others)
    elif phase == AUCTION_SELECT:
        ratings = _rate_selection(state, seat, others)
    elif phase in (FIST_1, FIST_2):
        ratings = _rate_fists(state, seat, others)
    elif phase in (DEMAND_1, DEMAND_2, DEMAND_3, DEMAND_4):
        ratings = _rate_counters(state, seat, others)
    else:
        ratings = _rate_turn(state, seat, others)
    floor = max(ratings) - FLOOR
    ratings = [r if r > floor else floor for r in ratings]
    if len(others) == len(legal):
        return ratings
    lowest = min(ratings) - 1.0
    start = next(i for i, action in enumerate(legal) if action >= RAISE)
    return ratings[:start] + [lowest] * (len(legal) - len(others)) + ratings[start:]


# -- positions ------------------------------------------------------------------------------------------------------


def _turns_to_come(outlook: Outlook) -> list[float]:
    """By set: what its turn of this round will bring beyond its price, while it is still to come."""
    s = outlook.state
    found = [0.0] * s.sets
    taken = s.taken[1::3]
    waiting = [colour for colour in range(s.sets) if colour not in taken]
    if not s.face_up or not waiting:
        return found
    worths = {colour: [outlook.card(colour, card) for card in s.face_up] for colour in waiting}
    if s.mate == 1:
        _clear_auctions(s, worths, found)
        return found
    known = [colour for colour in s.order if colour in waiting]
    rest = [colour for colour in waiting if colour not in known]
    if not rest:
        _pick(worths, known, found)
        return found
    # The fists are not open yet: either seat may come first, and then they take turns.
    sides = [[colour for colour in rest if colour // 2 == seat] for seat in (0, 1)]
    for first in (0, 1):
        order = [colour for pair in zip(sides[first], sides[1 - first], strict=False) for colour in pair]
        way = [0.0] * s.sets
        _pick(worths, known + order, way)
        for colour in waiting:
            found[colour] += 0.5 * (way[colour] - (FIST_PRICE if colour in rest else 0.0))
    return found


def _pick(worths: dict[int, list[float]], order: list[int], found: list[float]) -> None:
    """Each in turn takes the card that it likes best of those left."""
    left = list(range(len(next(iter(worths.values())))))
    for colour in order:
        if not left:
            found[colour] = UNSEEN
            continue
        mine = worths[colour]
        best = max(left, key=lambda i: mine[i])
        found[colour] = mine[best]
        left.remove(best)


def _clear_auctions(s: Workshop, worths: dict[int, list[float]], found: list[float]) -> None:
    """The auctions to come, as if all knew what the cards are worth to all: the one who wants one most gets it.

    The price is what the second one would have paid; the last card goes for a pound.
    """
    left = list(range(len(s.face_up)))
    seats = list(worths)

    def limit(seat: int, i: int) -> float:
        mine = worths[seat]
        return min(mine[i] - _instead([mine[j] for j in left if j != i]), float(s.spendable(seat)))

    if s.phase == AUCTION_BID:
        i = s.face_up.index(s.lot)
        limits = sorted([(limit(seat, i), seat) for seat in s.queue])
        best, winner = limits[-1]
        second = limits[-2][0] if len(limits) > 1 else 0.0
        price = max(float(s.high + 1), min(second + 0.5, best))
        if price > best and s.high_bidder >= 0:
            winner, price = s.high_bidder, float(s.high)
        elif price > best:
            winner = s.initiator
        found[winner] = worths[winner][i] - price
        left.remove(i)
        seats.remove(winner)
    while len(seats) > 1:
        # The card that somebody wants most comes up first.
        offers = []
        for i in left:
            limits = sorted([(limit(seat, i), seat) for seat in seats])
            offers.append((limits[-1][0], limits[-1][1], max(1.0, limits[-2][0] + 0.5), i))
        best, winner, price, i = max(offers)
        found[winner] = worths[winner][i] - min(price, max(best, 1.0))
        left.remove(i)
        seats.remove(winner)
    for seat in seats:
        found[seat] = worths[seat][left[0]] - 1.0


def parts(outlook: Outlook) -> list[tuple[float, float, float, float]]:
    """By seat, in pounds at the end: holdings, counters, the turn under way, the turns to come."""
    s = outlook.state
    coming = _turns_to_come(outlook)
    ahead = leads(s)
    found = []
    for seat in range(s.players):
        turns = sum(coming[seat * s.mate : (seat + 1) * s.mate])
        under_way = _under_way(outlook, seat)
        found.append((_holdings(outlook, seat), _counters(outlook, seat, ahead[seat]), under_way, turns))
    return found


def worths(outlook: Outlook) -> list[float]:
    """What each seat has and may hope for, in pounds at the end."""
    return [holdings + counters + under_way + turns for holdings, counters, under_way, turns in parts(outlook)]


def _counters(outlook: Outlook, seat: int, ahead: list[float]) -> float:
    """What the counters that a seat still holds can bring it: it will place those that serve it best."""
    s = outlook.state
    placed = s.phase in (DEMAND_2, DEMAND_4) and seat not in s.queue
    now = STAYS * max(0.0, outlook.sure_now)
    last = STAYS * STAYS * max(0.0, outlook.sure_last)
    pays = [] if placed else [now + last if s.era == CANAL else now] * s.mate
    if s.era == CANAL:
        pays += [last] * s.mate
    held = sorted([lead for t, lead in enumerate(ahead) for _ in range(s.counters[5 * seat + t])], reverse=True)
    return sum([pay * lead for pay, lead in zip(pays, held, strict=False) if lead > 0.0])


def _holdings(outlook: Outlook, seat: int) -> float:
    """Cash, Revenue, Links and Industries."""
    s = outlook.state
    worth = float(s.wealth(seat) + s.revenue[seat])
    mate = s.mate
    types = s.box.town_types
    for colour in range(seat * mate, (seat + 1) * mate):
        if not s.merged or colour % 2 == 0:
            group = [colour, colour + 1] if s.merged else [colour]
            counted = sizes(s.box, networks(s.box, s.owner, group))
            if counted:
                worth += sum(counted) + max(counted)
        for town in range(len(types)):
            count = s.industries[town * s.sets + colour]
            if count:
                worth += outlook.presence(town) + (count - 1) * outlook.pays(types[town])
    return worth


def _under_way(outlook: Outlook, seat: int) -> float:
    """What is still to come of the turn that a seat is in the middle of."""
    s = outlook.state
    if s.active < 0 or s.active // s.mate != seat or s.phase == PICK_CARD:
        return 0.0
    if s.phase in (TURN_LINK_1, TURN_LINK_2):
        if s.first >= 0:
            ends = s.newly_linked(s.first)
            due = 0 if s.per_link else sum([s.town_values[t] for t in ends if s.stands_in(s.active, t)])
            return due + _second(outlook, s.active, s.first)
        return outlook.building(s.active, s.town) if s.town >= 0 else 0.0
    if s.phase == TURN_REMOVE:
        return outlook.placing(s.active, s.town)
    if s.phase == TURN_CARD:
        return max(outlook.card(s.active, s.held), _gamble(outlook))
    return outlook.card(s.active, s.held)


def measures(state: Workshop, seat: int) -> list[tuple[str, float]]:
    """What a player counts of a seat: id and number."""
    sets = range(seat * state.mate, (seat + 1) * state.mate)
    return [
        ("cash", float(state.wealth(seat))),
        ("revenue", float(state.revenue[seat])),
        ("industries", float(sum(sum(state.industries[own :: state.sets]) for own in sets))),
        ("links", float(sum(1 for owner in state.owner if owner in sets))),
    ]


def scale(state: Workshop) -> float:
    """How many pounds tip the balance of the victory."""
    each = (len(state.box.card_ids) - state.aside_each) // state.sets
    left: int = (each - state.round_no) + (each if state.era == CANAL else 0)
    mate: int = state.mate
    return SCALE * math.sqrt(1.0 + SPREAD * left * mate)


def value(state: Workshop) -> list[float]:
    """Each seat's expected share of the victory."""
    if state.phase == GAME_OVER:
        return state.returns()
    found = worths(Outlook(state, -1))
    spread = scale(state)
    best = max(found)
    odds = [math.exp((worth - best) / spread) for worth in found]
    total = sum(odds)
    return [share / total for share in odds]
