"""What the viewer can choose now, each with its cost and its gain, and the words for the one red button."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from shopfloor.games.workshop_of_the_world import words
from shopfloor.games.workshop_of_the_world.actions import END_TURN, GAMBLE, KEEP, PASS, USE_CARD
from shopfloor.games.workshop_of_the_world.page.board import set_name
from shopfloor.games.workshop_of_the_world.page.geometry import drawn
from shopfloor.games.workshop_of_the_world.page.shown import (
    ORDINALS,
    TYPE_IDS,
    Why,
    connection_name,
    counted,
    kind_name,
    left,
    top,
)
from shopfloor.games.workshop_of_the_world.view import (
    AmountView,
    BuildView,
    CardView,
    MapView,
    ProspectView,
    WorkshopView,
)

CHIPS: Final = 12
FIST_CHIPS: Final = 8
"""So many amounts have a coin of their own; higher ones are in a list."""

LINK_PHASES: Final = ("TURN_LINK_1", "TURN_LINK_2")


@dataclass
class Choice:
    """One thing to choose. n: its number on the page; button: what the red button says; told: all of it in a sentence.

    cost, gain: short, or nothing. notes: lines of consequences. where: a town or a connection by kind `at`, or None.
    place: per cent across and down the map for its lamp. badge: what the lamp says.
    """

    action: int
    title: str
    button: str
    n: int = 0
    sub: str = ""
    cost: str = ""
    gain: str = ""
    notes: list[tuple[str, str]] = field(default_factory=list)
    told: str = ""
    at: str = ""
    where: int | None = None
    place: tuple[str, str] | None = None
    badge: str = ""
    types: tuple[int, ...] = ()
    set: int | None = None
    ring: int | None = None


def choices(view: WorkshopView, names: Sequence[str], mine: bool) -> list[Choice]:
    """What can be chosen, in the order in which it is shown; empty where an amount is asked for, or nothing."""
    if not mine:
        return []
    phase = view.phase
    found: list[Choice] = []
    if phase.startswith("DEMAND"):
        found = _counters(view)
    elif phase in ("AUCTION_SELECT", "PICK_CARD"):
        found = [_card(view, names, c) for c in view.cards if c.action is not None]
    elif phase == "TURN_CARD":
        found = _blocked(view)
    elif phase in ("TURN_PLACE", "TURN_RELOCATE"):
        found = _places(view)
    elif phase == "TURN_REMOVE":
        found = _removals(view, names)
    elif phase in LINK_PHASES:
        found = [_build(view, b) for b in view.builds]
    for n, choice in enumerate(found):
        choice.n = n
        if not choice.told:
            parts = (choice.title, choice.sub, choice.cost, choice.gain, *(f"{a}: {b}" for a, b in choice.notes))
            choice.told = ". ".join(part for part in parts if part)
    return found


def _counters(view: WorkshopView) -> list[Choice]:
    found = []
    for c in view.counters:
        kinds = sorted(set(c.types))
        choice = Choice(c.action, words.started(words.types(c.types)), words.action(c.action, view), types=c.types)
        for t in kinds:
            pays = view.demand[t] + c.types.count(t)
            choice.notes.append((f"{words.type_name(t)} then pays", f"£{pays} an Industry"))
            if len(kinds) == 1:
                choice.notes.append(("You have there", counted(_standing(view, t), "Industry", "Industries")))
        choice.told = choice.button
        found.append(choice)
    return found


def _standing(view: WorkshopView, t: int) -> int:
    """The viewer's Industries in towns of a type."""
    sets = view.seats[view.seat or 0].sets
    kinds = view.map.town_types
    return sum(n[colour] for town, n in enumerate(view.industries) for colour in sets if kinds[town] == TYPE_IDS[t])


def prospects_of(view: WorkshopView, card: int, colour: int | None = None) -> list[ProspectView]:
    return [p for p in view.prospects if p.card == card and (colour is None or p.set == colour)]


def prospect_text(view: WorkshopView, p: ProspectView, name: str = "") -> str:
    """What a card would bring at once."""
    if not p.gain:
        return f"{name}no Revenue at once"
    return f"{name}up to +{p.gain} Revenue, {counted(p.links, 'Link', 'Links')} for £{p.price}"


def _card(view: WorkshopView, names: Sequence[str], c: CardView) -> Choice:
    assert c.action is not None
    title = words.card(c.name, c.value)
    where = view.active if view.phase == "PICK_CARD" else None
    found = prospects_of(view, c.card, where)
    best = max(found, key=lambda p: p.gain, default=None)
    choice = Choice(c.action, words.started(title), words.action(c.action, view), sub=card_kind(view.map, c))
    if view.phase == "AUCTION_SELECT":
        choice.button = "Put it up for auction"
    if best is not None:
        choice.gain = f"+{best.gain}" if best.gain else ""
        most = f"+{best.gain} Revenue, {counted(best.links, 'Link', 'Links')} for £{best.price}"
        choice.notes.append(("At once, at best", most if best.gain else "no Revenue"))
        if c.town is None:
            choice.notes.append(("placed in", view.map.town_names[best.town]))
        choice.ring = best.town
        demand = view.demand[TYPE_IDS.index(view.map.town_types[best.town])]
        choice.notes.append(("Its demand then pays", f"£{demand}"))
    if c.town is not None and view.load[c.town] >= c.value:
        choice.notes.append(("The town is full", "one must go"))
    if c.blocked:
        choice.notes.append(("Blocked", "no Link, or gamble"))
    return choice


def card_kind(printed: MapView, c: CardView) -> str:
    """What kind of card it is."""
    if c.town is None:
        kinds = sorted({kind_name(printed, t) for t, v in enumerate(printed.town_values) if v == c.value})
        return "Wild: " + " or ".join(kinds)
    return words.type_name(c.type)


def _blocked(view: WorkshopView) -> list[Choice]:
    held = view.held
    assert held is not None
    found = []
    if USE_CARD in view.legal:
        use = Choice(USE_CARD, f"Use {words.card(held.name, held.value)}", "Use the card")
        use.sub = "Place there; no Link can be built"
        if held.town is not None:
            use.notes.append(("Its demand pays", f"£{view.demand[TYPE_IDS.index(held.type)]}"))
            use.ring = held.town
        use.notes.append(("Revenue at once", "none"))
        found.append(use)
    if GAMBLE in view.legal:
        gamble = Choice(GAMBLE, "Gamble", "Discard it and gamble", sub="Take the top Set-aside card, and use it")
        gamble.notes.append(("Set aside", counted(view.aside_size, "card", "cards")))
        gamble.notes.append(("Cards not seen this Era", str(len(view.unseen))))
        found.append(gamble)
    return found


def _places(view: WorkshopView) -> list[Choice]:
    printed = view.map
    found = []
    for p in view.places:
        name = printed.town_names[p.town]
        lift = view.phase == "TURN_RELOCATE"
        choice = Choice(p.action, name, f"Move one out of {name}" if lift else f"Place in {name}")
        load, value = view.load[p.town], printed.town_values[p.town]
        choice.sub = f"{kind_name(printed, p.town)}, {load} of {value} places taken"
        choice.at, choice.where, choice.ring = "town", p.town, p.town
        choice.place = (left(printed.town_x[p.town]), top(printed.town_y[p.town]))
        if not lift:
            choice.gain = f"+{p.gain}" if p.gain else "+0"
            choice.badge = f"+{p.gain}"
            if p.gain:
                text = f"+{p.gain} Revenue, {counted(p.links, 'Link', 'Links')} for £{p.price}"
                choice.notes.append(("At once, at best", text))
            else:
                choice.notes.append(("At once", "no Revenue"))
            choice.notes.append(("Its demand pays at collection", f"£{p.demand}"))
            choice.notes.append(("Free connections", str(p.free)))
            if p.full:
                choice.sub = f"{kind_name(printed, p.town)}, full: one must go"
        found.append(choice)
    return found


def _removals(view: WorkshopView, names: Sequence[str]) -> list[Choice]:
    found = []
    town = view.town if view.town is not None else 0
    for r in view.removals:
        owner = set_name(view, names, r.set)
        colour = words.colour_name(r.set)
        title = words.started(owner) if view.players == 2 else f"{owner}, {colour}"
        title = f"One of yours, {colour}" if owner == "You" else title
        choice = Choice(r.action, title, words.action(r.action, view), set=r.set)
        here = view.industries[town][r.set]
        choice.sub = f"{counted(here, 'stands', 'stand')} in {view.map.town_names[town]}"
        pays = view.demand[TYPE_IDS.index(view.map.town_types[town])]
        choice.notes.append(("Takes from them at collection", f"£{pays}"))
        found.append(choice)
    return found


def _build(view: WorkshopView, b: BuildView) -> Choice:
    printed = view.map
    choice = Choice(
        b.action,
        connection_name(printed, b.connection),
        f"Build {'a' if b.links == 1 else 'both'} {'Link' if b.links == 1 else 'Links'} for £{b.price}",
        cost=f"−£{b.price}",
        gain=f"+{b.gain}",
        badge=f"+{b.gain}",
        at="connection",
        where=b.connection,
    )
    parts = [f"{printed.town_names[t]} {printed.town_values[t]}" for t in b.towns]
    choice.sub = " + ".join(parts) if parts else "no new town counts"
    middle = drawn(printed).middles[b.connection]
    networks = view.colours[view.active].networks if view.active is not None else ()
    before = networks[0] if networks else 0
    choice.place = (left(middle[0]), top(middle[1]))
    if b.links == 2:
        choice.notes.append(("Double", "takes the whole turn"))
    if b.raised:
        choice.notes.append(("Raised from Revenue", f"£{b.raised}, −{2 * b.raised} spaces"))
    choice.notes.append(("Revenue for this turn", f"+{b.total}"))
    choice.notes.append(("Longest network", f"{before} → {b.longest}" if b.longest != before else f"stays {before}"))
    choice.notes.append(("Cash left", f"£{b.cash}"))
    return choice


# -- amounts ----------------------------------------------------------------------------------------------------------


def amounts(view: WorkshopView, mine: bool) -> list[dict[str, Any]]:
    """Bids, or coins for a fist: coins to click for the lowest ones, and a list for the others."""
    if not mine or view.seat is None:
        return []
    me = view.seats[view.seat]
    cash = me.cash or 0
    found = []
    n = 0
    for a in view.amounts:
        if a.what == "raise":
            continue
        most = CHIPS if a.what == "bid" else FIST_CHIPS
        whole = range(a.low, a.high + 1)
        chips = []
        for pounds in whole[:most]:
            chips.append(_amount(view, a, pounds, cash, n))
            n += 1
        # One list box takes what is beyond; it is no longer than it has to be.
        more = [_amount(view, a, pounds, cash, 0) for pounds in whole[most:]]
        colour = words.colour_name(a.set) if a.set is not None else ""
        found.append({"what": a.what, "set": a.set, "chips": chips, "more": more, "colour": colour})
    return found


def _amount(view: WorkshopView, a: AmountView, pounds: int, cash: int, n: int) -> dict[str, Any]:
    raised = max(0, pounds - cash) if view.auto_raise else 0
    left_ = max(0, cash + raised - pounds)
    colour = words.colour_name(a.set) if a.set is not None else ""
    button = f"Bid £{pounds}" if a.what == "bid" else f"Hold out £{pounds} for {colour}"
    told = [button, f"£{left_} left"]
    if raised:
        told.append(f"£{raised} raised, Revenue −{2 * raised}")
    return {
        "n": n,
        "pounds": pounds,
        "action": a.action + pounds - a.low,
        "left": left_,
        "raised": raised,
        "button": button,
        "told": ", ".join(told),
    }


def raising(view: WorkshopView, mine: bool) -> list[dict[str, Any]]:
    """What could be raised from the Revenue track now."""
    if not mine or view.seat is None:
        return []
    me = view.seats[view.seat]
    for a in view.amounts:
        if a.what == "raise":
            return [
                {"pounds": k, "action": a.action + k - a.low, "revenue": me.revenue - 2 * k}
                for k in range(a.low, a.high + 1)
            ]
    return []


# -- the other button, and why not -----------------------------------------------------------------------------------


def aside(view: WorkshopView, mine: bool) -> dict[str, Any] | None:
    """What can be done instead of choosing: pass, keep, end the turn."""
    if not mine:
        return None
    for action in (PASS, KEEP, END_TURN):
        if action in view.legal:
            return {"action": action, "text": words.action(action, view)}
    return None


def refused(view: WorkshopView, mine: bool, why: Why) -> list[dict[str, Any]]:
    """Free connections that cannot be built now though they begin at the right place, each with the reason."""
    if not mine or view.phase not in LINK_PHASES or view.town is None:
        return []
    printed = view.map
    starts = {view.town}
    for c in view.fresh:
        starts |= set(printed.ends[c])
    can = {b.connection for b in view.builds}
    layout = words.layout(printed)
    middles = drawn(printed).middles
    found = []
    for c, ends in enumerate(printed.ends):
        if view.owners[c] >= 0 or c in can or not starts & set(ends):
            continue
        reason = why((layout.build if printed.capacity[c] == 1 else layout.double) + c)
        if reason is not None:
            place = {"left": left(middles[c][0]), "top": top(middles[c][1])}
            found.append({"c": c, "name": connection_name(printed, c), **place, **reason})
    return found


def next_place(view: WorkshopView) -> str:
    """The place on the next Turn order chart that the next card brings."""
    n = len(view.next_order) + 1
    return ORDINALS[n] if n < len(ORDINALS) else str(n)
