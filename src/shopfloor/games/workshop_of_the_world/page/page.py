"""What the template of Workshop of the World's table needs, made from a View, the players' names and the events so far.

Pure functions: nothing here knows a server, a table or HTML.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from shopfloor.engine.events import Event
from shopfloor.engine.ranking import tie_sentences
from shopfloor.games.workshop_of_the_world import words
from shopfloor.games.workshop_of_the_world.actions import PASS
from shopfloor.games.workshop_of_the_world.messages.en import MESSAGES
from shopfloor.games.workshop_of_the_world.page import board, choices, story
from shopfloor.games.workshop_of_the_world.page.shown import (
    ORDINALS,
    OVER,
    TYPE_IDS,
    Why,
    connection_name,
    counted,
    one,
    pounds,
    signed,
)
from shopfloor.games.workshop_of_the_world.page.travel import Travel
from shopfloor.games.workshop_of_the_world.view import CardView, SeatView, WorkshopView

HOUSE: Final = "slate"
"""The ink of the box."""
COLOURS: Final = {2: (0, 2)}
"""Which colour stands for a seat where it is not the seat's number: two players have two each. WW-21.1"""

ROUND: Final = ("AUCTION", "FIST", "PICK", "TURN")
"""How the phases of a round begin."""

TITLES: Final = {
    "AUCTION_SELECT": "Auction",
    "AUCTION_BID": "Auction",
    "FIST_1": "Clenched fist",
    "FIST_2": "Clenched fist",
    "PICK_CARD": "Take a card",
    "TURN_CARD": "Blocked",
    "TURN_RELOCATE": "Move one",
    "TURN_PLACE": "Place",
    "TURN_REMOVE": "Full town",
    "TURN_LINK_1": "Build Links",
    "TURN_LINK_2": "Second Link",
}

SUPERSEDED: Final = {
    # Who bid what is told until the round is over; after that the log says who won, and for how much.
    "bid_passed": "round_ended",
    "bid_made": "round_ended",
    "card_selected": "round_ended",
    # Once Links have come home, what they brought is told by what was collected for them.
    "link_built": "era_began",
    "no_link_built": "era_began",
    "revenue_gained": "era_began",
    "counters_sealed": "counters_placed",
    "counters_chosen": "counters_placed",
    "fist_sealed": "fists_opened",
    "fist_chosen": "fists_opened",
}
"""Lines of the log that say nothing any more once another kind has followed."""


def context(view: WorkshopView, names: Sequence[str], events: Sequence[Event], why: Why) -> dict[str, Any]:
    """Everything that `table.html` shows. `names`: the seats' names, the viewer's own being "You"."""
    news = story.read(events)
    travel = Travel(view, events)
    me = view.seats[view.seat] if view.seat is not None else None
    mine = view.seat is not None and view.seat in view.deciders
    can = choices.choices(view, names, mine)
    lit = {c.where: c.n for c in can if c.at == "connection" and c.where is not None}
    return {
        "phases": _phases(view),
        "towns": board.towns(view, names, news),
        "pieces": board.pieces(view, travel),
        "ways": board.connections(view, names, news, lit),
        "markers": board.revenue(view, names, news, view.due),
        "demand": board.demand(view, travel),
        "chart": board.chart(view),
        "can": can,
        "rings": [(c.n, view.map.town_x[c.ring], view.map.town_y[c.ring]) for c in can if c.ring is not None],
        "refused": choices.refused(view, mine, why),
        "amounts": choices.amounts(view, mine),
        "raising": choices.raising(view, mine),
        "aside": choices.aside(view, mine),
        "lot": _lot(view, names, me),
        "cards": [_card(view, names, c, can) for c in view.cards],
        "piles": _piles(view),
        "own": _own(view, me, travel),
        "rail": [_rail(view, s, names, news, travel) for s in _by_order(view)],
        "built": _built(view),
        "collected": _collected(view, names, news),
        "fists": _fists(view, names, news),
        "era_name": MESSAGES[f"text.era.{view.era}"],
        "title": _prompt_title(view, mine, me),
        "question": _question(view, names, mine),
        "wait_why": one(why(PASS)) if me is not None and not mine and view.phase != OVER else [],
        "chosen": _chosen(view),
        "ranking": _ranking(view, names),
        "sentences": tie_sentences(view.ranks, names, lambda c: words.criterion(c)[1]),
        "winners": [names[r.seat] for r in view.ranks if r.place == 1],
        "home": _home(view, can),
        "me": me,
    }


def summary(view: WorkshopView) -> str:
    """Where the game stands, for lists of tables."""
    era = MESSAGES[f"text.era.{view.era}"]
    return f"{era}, round {view.round} of {view.rounds}" if view.round else f"{era}, before the first round"


def chapter(event: Event, names: Sequence[str]) -> str:
    """The heading of the log that begins with this event, or nothing."""
    if event.kind == "cards_turned_up" and not event.facts["more"]:
        era = "Canal" if event.facts["era"] == 0 else "Railway"
        return f"{era} Era, round {event.facts['round']}"
    if event.kind == "round_ended":
        return f"After round {event.facts['round']}"
    return "Railway Era" if event.kind == "era_began" else ""


def _phases(view: WorkshopView) -> list[tuple[str, str]]:
    if view.phase == OVER:
        return []
    canal = view.era == "canal"
    steps = ("Demand 1", "Canals", "Demand 2", "Cash", "Railways")
    if not canal:
        steps = ("Canals", "Demand 3", "Railways", "Demand 4", "Cash")
    now = {"DEMAND_1": 0, "DEMAND_2": 2, "DEMAND_3": 1, "DEMAND_4": 3}.get(view.phase, 1 if canal else 2)
    return [(step, "now" if i == now else "done" if i < now else "") for i, step in enumerate(steps)]


def _prompt_title(view: WorkshopView, mine: bool, me: SeatView | None) -> str:
    if view.phase == OVER:
        return "Game over"
    if not mine:
        if view.seat is None:
            return "You watch"
        return "Sealed" if me is not None and me.committed else "Waiting"
    if view.phase == "AUCTION_BID" and view.seat == view.initiator:
        return "Last word"
    return TITLES.get(view.phase, "Create demand")


def _question(view: WorkshopView, names: Sequence[str], mine: bool) -> str:
    """What is asked, without what the title has said already."""
    text = words.question(view, names)
    for said in ("Create Demand: ", "Build Links ") if mine else ():
        text = words.started(text.removeprefix(said))
    return text


def _home(view: WorkshopView, can: Sequence[choices.Choice]) -> tuple[float, float] | None:
    """The place on the map that matters now, in board units."""
    printed = view.map
    town = view.town
    if town is None and view.lot is not None and printed.card_towns[view.lot] >= 0:
        town = printed.card_towns[view.lot]
    if town is None:
        rings = [c.ring for c in can if c.ring is not None]
        town = rings[0] if len(rings) == 1 else None
    return (printed.town_x[town], printed.town_y[town]) if town is not None else None


# -- cards, piles, one's own things -----------------------------------------------------------------------------------


def _card(view: WorkshopView, names: Sequence[str], c: CardView, can: Sequence[choices.Choice]) -> dict[str, Any]:
    """A Town card of this round. n: the number of the choice that takes it, or None."""
    n = next((choice.n for choice in can if choice.action == c.action), None) if c.action is not None else None
    held = view.held is not None and view.held.card == c.card
    gains = []
    if c.taker is None:
        for p in choices.prospects_of(view, c.card):
            name = f"{words.started(words.colour_name(p.set))}: " if view.players == 2 else ""
            gains.append({"set": p.set, "gain": p.gain, "told": choices.prospect_text(view, p, name)})
    if c.taker is not None:
        taker = words.started(board.set_name(view, names, c.taker))
        foot = f"{taker}, £{c.price}" if c.price else taker
        state = "taken"
    elif c.card == view.lot:
        foot, state = "On auction", "lot"
    elif view.players > 2 and len([x for x in view.cards if x.taker is None]) == 1 and view.cards[-1].card == c.card:
        foot, state = "Last card: £1", "last"
    else:
        foot, state = "", "free"
    return {
        "card": c.card,
        "id": c.id,
        "name": c.name,
        "value": c.value,
        "kind": c.type or "wild",
        "what": choices.card_kind(view.map, c),
        "town": c.town,
        "blocked": c.blocked and c.taker is None,
        "full": c.taker is None and c.town is not None and view.load[c.town] >= c.value,
        "taker": c.taker,
        "seat": view.colours[c.taker].seat if c.taker is not None else None,
        "foot": foot,
        "state": state,
        "held": held,
        "n": n,
        "gains": gains,
        "pays": view.demand[TYPE_IDS.index(c.type)] if c.type and c.taker is None else None,
    }


def _piles(view: WorkshopView) -> dict[str, Any]:
    printed = view.map

    def listed(cards: Sequence[int]) -> list[tuple[str, str]]:
        shown = []
        for c in cards:
            town = printed.card_towns[c]
            kind = printed.town_types[town] if town >= 0 else "wild"
            shown.append((words.started(words.map_card(printed, c)), kind))
        return sorted(shown)

    return {
        "deck": view.deck_size,
        "aside": view.aside_size,
        "discard": len(view.discard),
        "top": listed(view.top),
        "unseen": listed([c for c in view.unseen if c not in view.top]),
        "used": listed(view.discard),
        "pool": view.pool_size,
    }


def _own(view: WorkshopView, me: SeatView | None, travel: Travel) -> dict[str, Any] | None:
    """What is the viewer's alone to see."""
    if me is None:
        return None
    counters = [
        {"t": t, "kind": TYPE_IDS[t], "name": words.type_name(t), "move": travel.held(me.seat, t, i)}
        for t, n in enumerate(me.counters or ())
        for i in range(n)
    ]
    sets = [
        {
            "set": colour,
            "links": view.colours[colour].links_left,
            "industries": view.colours[colour].industries_left,
            "now": view.active == colour,
        }
        for colour in me.sets
    ]
    return {
        "cash": pounds(me.cash or 0),
        "most": view.most,
        "more": (view.most or 0) - max(me.cash or 0, 0),
        "counters": counters,
        "sets": sets,
        "income": sum(view.colours[c].links_income + view.colours[c].industries_income for c in me.sets) + me.revenue,
        "parts": (
            me.revenue,
            sum(view.colours[c].links_income for c in me.sets),
            sum(view.colours[c].industries_income for c in me.sets),
        ),
    }


def _lot(view: WorkshopView, names: Sequence[str], me: SeatView | None) -> dict[str, Any] | None:
    """The auction: the card, what has been said, who is still to speak."""
    if view.lot is None:
        return None
    card = next(c for c in view.cards if c.card == view.lot)
    spoken = [
        {"seat": s.seat, "name": names[s.seat], "bid": s.bid, "high": s.seat == view.high_bidder}
        for s in view.seats
        if s.bid is not None and s.seat not in view.queue and not s.out
    ]
    waiting = [{"seat": s, "name": names[s], "now": s in view.deciders} for s in view.queue]
    found = choices.prospects_of(view, card.card)
    best = max(found, key=lambda p: p.gain, default=None)
    facts = []
    if best is not None and me is not None:
        most = f"+{best.gain} Revenue, {counted(best.links, 'Link', 'Links')} for £{best.price}"
        facts.append(("At once, at best", most if best.gain else "no Revenue"))
        if card.town is None:
            facts.append(("placed in", view.map.town_names[best.town]))
        demand = view.demand[TYPE_IDS.index(view.map.town_types[best.town])]
        facts.append(("Its demand pays", f"£{demand}"))
        if card.town is not None and view.load[card.town] >= card.value:
            facts.append(("The town is full", "one must go"))
        if card.blocked:
            facts.append(("Blocked", "no Link, or gamble"))
    left = len([c for c in view.cards if c.taker is None])
    return {
        "name": words.started(words.card(card.name, card.value)),
        "kind": card.type or "wild",
        "value": card.value,
        "by": names[view.initiator] if view.initiator is not None else "",
        "spoken": spoken,
        "waiting": waiting,
        "facts": facts,
        "high": view.high,
        "who": names[view.high_bidder] if view.high_bidder is not None else "",
        "next": choices.next_place(view),
        "left": left,
    }


def _built(view: WorkshopView) -> list[dict[str, Any]]:
    """The Links built so far in this turn."""
    printed = view.map
    return [
        {
            "name": connection_name(printed, c),
            "price": view.link_price * printed.capacity[c],
            "gain": view.due,
        }
        for c in view.fresh
    ]


def _fists(view: WorkshopView, names: Sequence[str], news: story.News) -> list[dict[str, Any]]:
    """What the two held out last."""
    return [
        {"seat": seat, "name": names[seat], "bid": bid, "set": colour}
        for seat, (bid, colour) in sorted(news.fists.items())
    ]


def _chosen(view: WorkshopView) -> str:
    """What the viewer has committed unseen."""
    return words.action(view.chosen, view) if view.chosen is not None and view.seat is not None else ""


# -- the players ------------------------------------------------------------------------------------------------------


def _by_order(view: WorkshopView) -> list[SeatView]:
    """The seats in the turn order of this round; before there is one, as they sit."""
    order = [view.colours[colour].seat for colour in view.order]
    seats = [*dict.fromkeys(order), *range(view.players)]
    return [view.seats[seat] for seat in dict.fromkeys(seats)]


def _rail(view: WorkshopView, s: SeatView, names: Sequence[str], news: story.News, travel: Travel) -> dict[str, Any]:
    return {
        "seat": s.seat,
        "lead": s.sets[0],
        "name": names[s.seat],
        "me": s.seat == view.seat,
        "now": s.seat in view.deciders and len(view.deciders) == 1,
        "waits": s.seat in view.deciders,
        "revenue": s.revenue,
        "delta": signed(news.revenue.get(s.seat, 0)),
        "cash": pounds(s.cash) if s.cash is not None else None,
        "counters": s.counter_count,
        "status": _status(view, s, names),
        "sets": [
            {
                "set": c,
                "network": _network(view, c, news),
                "networks": board.network_text(view.colours[c]) if view.phase != OVER else "the longest network",
                "links": view.colours[c].links_left,
                "industries": view.colours[c].industries_left,
                "next": travel.next_of(c),
                "colour": words.colour_name(c),
            }
            for c in s.sets
        ],
    }


def _network(view: WorkshopView, colour: int, news: story.News) -> int:
    """Links in a set's longest network; at the end as it was before they came home."""
    if view.phase == OVER:
        return sum(view.map.capacity[c] for c in news.longest.get(colour, ()))
    networks = view.colours[colour].networks
    return networks[0] if networks else 0


def _status(view: WorkshopView, s: SeatView, names: Sequence[str]) -> str:
    if view.phase == OVER:
        place = next(r.place for r in view.ranks if r.seat == s.seat)
        return "Won" if place == 1 else f"{ORDINALS[place]} place"
    deciding = s.seat in view.deciders
    parts = []
    for c in view.cards:
        if c.taker is not None and view.colours[c.taker].seat == s.seat:
            name = words.card(c.name, c.value) if c.name else f"wild {c.value}"
            price = f" for £{c.price}" if c.price else ""
            then = f", {ORDINALS[c.place]} next round" if c.place is not None and view.players > 2 else ""
            parts.append(f"{name}{price}{then}")
    if view.phase.startswith("DEMAND"):
        parts.append("placing demand" if deciding else "has chosen" if s.committed else "")
    elif view.phase.startswith("FIST"):
        parts.append("clenching a fist" if deciding else "fist held out")
    elif deciding:
        parts.append(
            {
                "AUCTION_SELECT": "selects a card",
                "AUCTION_BID": "to bid or pass",
                "PICK_CARD": "takes a card",
                "TURN_CARD": "use or gamble?",
                "TURN_LINK_1": "building",
                "TURN_LINK_2": "building",
            }.get(view.phase, "placing")
        )
    elif view.phase == "AUCTION_BID" and not s.out:
        if s.seat in view.queue:
            parts.append("speaks last" if s.seat == view.initiator else "still to speak")
        elif s.bid:
            parts.append(f"bids £{s.bid}")
        else:
            parts.append("passes")
    elif view.phase.startswith(ROUND) and view.players > 2 and not parts:
        parts.append(f"{ORDINALS[view.order.index(s.sets[0]) + 1]} this round" if s.sets[0] in view.order else "")
    return ", ".join(part for part in parts if part)


# -- collecting, and the end ------------------------------------------------------------------------------------------


def _collected(view: WorkshopView, names: Sequence[str], news: story.News) -> list[dict[str, Any]]:
    """What came in at the end of the Eras: shown before the railways' first round, and when all is over."""
    if view.phase not in ("DEMAND_3", OVER) and not (view.era == "railway" and view.round == 1):
        return []
    shown = []
    for era, incomes in enumerate(news.collected):
        lines = [
            {
                "seat": seat,
                "lead": view.seats[seat].sets[0],
                "name": names[seat],
                "me": seat == view.seat,
                "revenue": income.revenue,
                "links": income.links,
                "industries": income.industries,
                "total": income.total,
            }
            for seat, income in sorted(incomes.items())
        ]
        shown.append({"era": ("Canal Era", "Railway Era")[era] if era < 2 else "", "lines": lines})
    return shown


def _ranking(view: WorkshopView, names: Sequence[str]) -> list[dict[str, Any]]:
    """Best first, with every value that was compared."""
    return [
        {
            "seat": r.seat,
            "lead": view.seats[r.seat].sets[0],
            "name": names[r.seat],
            "place": r.place,
            "me": r.seat == view.seat,
            "values": [
                {
                    "head": words.criterion(c)[0],
                    "text": words.criterion_value(c, r.values[i]),
                    "decided": r.decided_by == c,
                }
                for i, c in enumerate(view.criteria)
            ],
        }
        for r in view.ranks
    ]
