"""The table of Workshop of the World as text, for terminals and screen readers that prefer it."""

from __future__ import annotations

from collections.abc import Sequence

from shopfloor.engine.text import TextBoard, TextTable
from shopfloor.engine.views import View
from shopfloor.games.workshop_of_the_world.messages.en import MESSAGES
from shopfloor.games.workshop_of_the_world.view import CardView, SetView, WorkshopView
from shopfloor.games.workshop_of_the_world.words import colour_name, counters, listed, started, type_name


def _say(key: str, **facts: object) -> str:
    return MESSAGES[f"text.{key}"].format(**facts)


def _columns(*keys: str) -> tuple[str, ...]:
    return tuple(MESSAGES[f"text.column.{key}"] for key in keys)


def _letters(counts: Sequence[int]) -> str:
    return "".join(MESSAGES[f"text.letter.{colour}"] * n for colour, n in enumerate(counts))


def _set_name(view: WorkshopView, seats: Sequence[str], colour: int) -> str:
    name = seats[view.colours[colour].seat]
    return name if view.players > 2 else f"{name} {colour_name(colour)}"


def _chart(view: WorkshopView, seats: Sequence[str], order: Sequence[int]) -> str:
    return listed([_set_name(view, seats, colour) for colour in order])


def _card_row(view: WorkshopView, seats: Sequence[str], card: CardView) -> tuple[str, ...]:
    if card.town is None:
        shown = _say("card.wild", value=card.value)
    else:
        shown = _say("card.town", name=card.name, type=type_name(card.type), value=card.value)
    if card.taker is not None:
        key = "card.taken" if card.price else "card.taken.free"
        state = _say(key, name=_set_name(view, seats, card.taker), price=card.price)
    elif card.card == view.lot:
        state = MESSAGES["text.card.lot"]
    else:
        state = MESSAGES["text.card.blocked" if card.blocked else "text.card.offered"]
    return (card.id, shown, state, _brings(view, card))


def _brings(view: WorkshopView, card: CardView) -> str:
    """What a card on offer would bring the viewer, by set where they have two."""
    parts = []
    for p in view.prospects:
        if p.card == card.card:
            links = MESSAGES["links.one"] if p.links == 1 else MESSAGES["links"].format(n=p.links)
            gain = _say("card.gain" if p.gain else "card.gain.none", gain=p.gain, links=links, price=p.price)
            parts.append(_say("card.gain.set", colour=colour_name(p.set), gain=gain) if view.players == 2 else gain)
    return "\n".join(parts)


def _bid(view: WorkshopView, seat: int) -> str:
    found = view.seats[seat]
    if found.committed:
        return MESSAGES["text.bid.sealed"]
    if found.out:
        return MESSAGES["text.bid.out"]
    if found.bid is None:
        return ""
    return f"£{found.bid}" if found.bid else MESSAGES["text.bid.passed"]


def _player_row(view: WorkshopView, seats: Sequence[str], colour: SetView) -> tuple[str, ...]:
    seat = view.seats[colour.seat]
    first = colour.set == seat.sets[0]
    cash = MESSAGES["text.secret"] if seat.cash is None else f"£{seat.cash}"
    held = str(seat.counter_count) if seat.counters is None else counters(seat.counters)
    return (
        seats[colour.seat] if first else "",
        colour_name(colour.set),
        cash if first else "",
        str(seat.revenue) if first else "",
        held if first else "",
        str(colour.industries_left),
        str(colour.links_left),
        " + ".join(str(n) for n in colour.networks) or MESSAGES["text.dash"],
        _bid(view, colour.seat) if first else "",
    )


def _lines(view: WorkshopView, seats: Sequence[str]) -> tuple[str, ...]:
    demand = [_say("demand.one", type=type_name(t), n=n) for t, n in enumerate(view.demand)]
    piles = {"deck": view.deck_size, "aside": view.aside_size, "pool": view.pool_size, "price": view.link_price}
    lines = [_say("demand", types=", ".join(demand)), _say("piles", **piles)]
    if view.order:
        lines.append(_say("chart", order=_chart(view, seats, view.order)))
    if view.next_order:
        lines.append(_say("chart.next", order=_chart(view, seats, view.next_order)))
    if view.seat is not None:
        lines.append(_say("own", types=counters(view.seats[view.seat].counters or ()), most=view.most))
    return tuple(lines)


def board(view: View, seats: Sequence[str]) -> TextBoard:
    """What the viewer can see: cards, players, every town with its Industries, and the Links built."""
    assert isinstance(view, WorkshopView)
    printed = view.map
    cards = TextTable(
        MESSAGES["text.cards"],
        tuple(MESSAGES[f"text.{key}"] for key in ("card", "card.kind", "card.state", "card.brings")),
        tuple(_card_row(view, seats, card) for card in view.cards),
        tuple(i for i, card in enumerate(view.cards) if card.card == view.lot),
    )
    names = ("player", "colour", "cash", "revenue", "counters", "industries", "links", "network", "bid")
    players = TextTable(
        MESSAGES["text.players"],
        _columns(*names),
        tuple(_player_row(view, seats, colour) for colour in view.colours),
        tuple(c.set for c in view.colours if c.seat in view.deciders and c.set == view.seats[c.seat].sets[0]),
    )
    free = [0] * len(printed.town_names)
    for owner, ends in zip(view.owners, printed.ends, strict=True):
        if owner < 0:
            for town in ends:
                free[town] += 1
    rows = []
    named = {card.town for card in view.cards if card.taker is None} | {place.town for place in view.places}
    for town, name in enumerate(printed.town_names):
        if not view.load[town] and town not in named and town != view.town:
            continue
        letters = _letters(view.industries[town])
        value = printed.town_values[town]
        pieces = _say("pieces", n=len(letters), value=value, colours=letters) if letters else ""
        pieces = pieces or _say("pieces.none", value=value)
        rows.append((name, type_name(printed.town_types[town]), pieces, str(free[town])))
    here = printed.town_names[view.town] if view.town is not None else ""
    marked = tuple(i for i, row in enumerate(rows) if row[0] == here)
    towns = TextTable(MESSAGES["text.towns"], _columns("town", "type", "pieces", "free"), tuple(rows), marked)
    built = []
    for connection, owner in enumerate(view.owners):
        if owner >= 0:
            a, b = printed.ends[connection]
            line = _say("line", a=printed.town_names[a], b=printed.town_names[b])
            line = _say("double", towns=line) if printed.capacity[connection] == 2 else line
            built.append((line, started(colour_name(owner))))
    links = TextTable(MESSAGES["text.built"], _columns("connection", "owner"), tuple(built))
    era = MESSAGES[f"text.era.{view.era}"]
    key = "headline" if view.round else "headline.before"
    headline = _say(key, era=era, round=view.round, rounds=view.rounds)
    tables = (cards, players, towns, links) if built else (cards, players, towns)
    return TextBoard(headline, _lines(view, seats), tables)
