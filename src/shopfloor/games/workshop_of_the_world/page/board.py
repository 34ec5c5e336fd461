"""What is shown on the map: towns, connections, tracks and charts, with a sentence for each place.

Most of the map never changes; those parts are kept as pieces of SVG, so that a page is made quickly.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from html import escape
from typing import Any

from shopfloor.games.workshop_of_the_world import words
from shopfloor.games.workshop_of_the_world.page.atlas import track
from shopfloor.games.workshop_of_the_world.page.geometry import CHART, DEMAND, PIECE, drawn
from shopfloor.games.workshop_of_the_world.page.shown import (
    OVER,
    TYPE_IDS,
    connection_name,
    counted,
    kind_name,
    left,
    top,
)
from shopfloor.games.workshop_of_the_world.page.story import News
from shopfloor.games.workshop_of_the_world.page.travel import Travel
from shopfloor.games.workshop_of_the_world.view import MapView, SetView, WorkshopView


def set_name(view: WorkshopView, names: Sequence[str], colour: int) -> str:
    """A set by its owner; with two players its colour tells a player's two apart."""
    name = names[view.colours[colour].seat]
    if view.players > 2:
        return name
    return f"your {words.colour_name(colour)}" if name == "You" else f"{name}'s {words.colour_name(colour)}"


def owners(view: WorkshopView, news: News) -> list[int]:
    """By connection the set that has built there; after the last collection as it was before."""
    if view.phase != OVER:
        return list(view.owners)
    return [news.owners.get(c, -1) for c in range(len(view.owners))]


def _longest(view: WorkshopView, news: News) -> list[list[int]]:
    """By connection the sets whose longest network it belongs to."""
    found: list[list[int]] = [[] for _ in view.owners]
    for colour in view.colours:
        network = news.longest.get(colour.set, []) if view.phase == OVER else colour.longest
        for c in network:
            if colour.set not in found[c]:
                found[c].append(colour.set)
    return found


# -- towns and connections --------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _towns(printed: MapView) -> tuple[dict[str, Any], ...]:
    """What never changes about the towns. sign: the town as drawn; wells: its free places, by how many are taken."""
    places = drawn(printed)
    found = []
    for t, name in enumerate(printed.town_names):
        kind, value = printed.town_types[t], printed.town_values[t]
        x, y = round(printed.town_x[t]), round(printed.town_y[t])
        dark = " dk" if kind == "light" else ""
        sign = (
            f'<use href="#tn-{kind}" x="{x - 24}" y="{y - 24}" width="48" height="48"/>'
            f'<text class="tv{dark}" x="{x}" y="{y + 7}">{value}</text>'
            f'<text class="tn" x="{places.names[t][0]:.0f}" y="{places.names[t][1]:.0f}">{escape(name)}</text>'
        )
        squares = [f"M{u + PIECE / 2 - 5:.0f} {v + 8:.0f}h10v10h-10z" for u, v in places.places[t]]
        wells = [f'<path class="es" d="{"".join(squares[load:])}"/>' for load in range(value)]
        first = f"{name}. {kind_name(printed, t)}, value {value}."
        facts = {"t": t, "name": name, "kind": kind, "value": value, "x": x, "y": y}
        found.append({**facts, "sign": sign, "wells": [*wells, ""], "first": first})
    return tuple(found)


def towns(view: WorkshopView, names: Sequence[str], news: News) -> list[dict[str, Any]]:
    """The towns as drawn, each with a sentence about it. tab: 0 for the one from which the keyboard sets out."""
    printed = view.map
    free = [0] * len(printed.town_names)
    ways = [0] * len(printed.town_names)
    for owner, ends in zip(view.owners, printed.ends, strict=True):
        for town in ends:
            ways[town] += 1
            free[town] += owner < 0
    owned = ["yours" if (name := set_name(view, names, c)) == "You" else name for c in range(view.sets)]
    offered = {c.town for c in view.cards if c.taker is None and c.town is not None}
    lot = printed.card_towns[view.lot] if view.lot is not None else None
    prospects = _prospects(view)
    start = view.town if view.town is not None else lot if lot is not None and lot >= 0 else 0
    shown = []
    for fixed in _towns(printed):
        t, load = fixed["t"], view.load[fixed["t"]]
        inside = [f"{n} of {owned[colour]}" for colour, n in enumerate(view.industries[t]) if n]
        stand = f"{load} of {fixed['value']} Industries{': ' + words.listed(inside) if inside else ''}."
        told = [fixed["first"], stand, f"{free[t]} of {counted(ways[t], 'connection', 'connections')} free."]
        told.append(f"Demand pays £{view.demand[TYPE_IDS.index(fixed['kind'])]} an Industry.")
        if t in offered:
            told.append("Its card is on offer.")
        told += [f"Placing here would bring {brings}." for brings in prospects.get(t, ())]
        state = " here" if view.town == t else " lot" if lot == t else " off" if t in offered else ""
        spot = f'<circle class="spot" cx="{fixed["x"]}" cy="{fixed["y"]}" r="25"/>' if state else ""
        shown.append(
            {
                "t": t,
                "drawn": spot + fixed["sign"] + fixed["wells"][min(load, fixed["value"])],
                "state": state + (" new" if view.town is None and news.town == t else ""),
                "tab": 0 if t == start else -1,
                "told": " ".join(told),
            }
        )
    return shown


def _prospects(view: WorkshopView) -> dict[int, list[str]]:
    """By town, what its card on offer would bring the viewer, at best."""
    found: dict[int, list[str]] = {}
    for p in view.prospects:
        if view.map.card_towns[p.card] == p.town:
            most = f"up to {p.gain} Revenue at once, with {counted(p.links, 'Link', 'Links')} for £{p.price}"
            whose = f"{words.colour_name(p.set)} " if view.players == 2 else ""
            found.setdefault(p.town, []).append(whose + (most if p.gain else "no Revenue at once"))
    return found


def pieces(view: WorkshopView, travel: Travel) -> list[dict[str, Any]]:
    """The Industries on the map; those that may move have a name to move by."""
    places = drawn(view.map).places
    return [
        {
            "set": colour,
            "left": left(places[t][i][0]),
            "top": top(places[t][i][1]),
            "name": name if name in travel.moved else "",
        }
        for t, there in enumerate(travel.towns)
        for i, (colour, name) in enumerate(there)
        if i < len(places[t])
    ]


@lru_cache(maxsize=64)
def _connections(printed: MapView) -> tuple[dict[str, Any], ...]:
    """What never changes about the connections. way: the line; free: its empty places; halo: light behind them.

    links: by side and set, the connection with Links on it.
    """
    places = drawn(printed)
    found = []
    for c, line in enumerate(places.lines):
        outline = "".join(_outline(s.x, s.y, s.slant, s.length) for s in places.slots[c])

        def laid(side: str, colour: int, c: int = c) -> str:
            return "".join(
                f'<use class="p{colour + 1}" href="#lk-{side}-{colour + 1}" x="{-s.length / 2:.1f}" y="-7"'
                f' width="{s.length:.0f}" height="14" transform="translate({s.x:.0f} {s.y:.0f})rotate({s.slant:.0f})"/>'
                for s in places.slots[c]
            )

        found.append(
            {
                "c": c,
                "line": line,
                "way": f'<path class="way" d="{line}"/>',
                "outline": outline,
                "halo": f'<path class="h1" d="{outline}"/><path class="h2" d="{outline}"/>',
                "free": f'<path class="slot" d="{outline}"/>',
                "links": {side: [laid(side, colour) for colour in range(5)] for side in ("canal", "railway")},
                "name": connection_name(printed, c),
                "double": printed.capacity[c] == 2,
            }
        )
    return tuple(found)


def _outline(x: float, y: float, slant: float, length: float) -> str:
    """A place for a Link as a path."""
    a = math.radians(slant)
    u = (length / 2 * math.cos(a), length / 2 * math.sin(a))
    v = (-6.5 * math.sin(a), 6.5 * math.cos(a))
    corners = [(x + i * u[0] + j * v[0], y + i * u[1] + j * v[1]) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    return "M" + "L".join(f"{p:.1f} {q:.1f}" for p, q in corners) + "Z"


def connections(view: WorkshopView, names: Sequence[str], news: News, lit: dict[int, int]) -> list[dict[str, Any]]:
    """The connections with their Links. lit: those that can be built, with the number of the choice."""
    longest = _longest(view, news)
    built = owners(view, news)
    fresh = set(view.fresh or news.fresh)
    shown = []
    for fixed in _connections(view.map):
        c = fixed["c"]
        owner = built[c]
        size = "double connection" if fixed["double"] else "single connection"
        if owner >= 0:
            whose = set_name(view, names, owner)
            state = f"{'Canal' if view.era == 'canal' else 'Railway'} of {'yours' if whose == 'You' else whose}."
            if longest[c]:
                state += " Part of the longest network."
        else:
            state = f"Free, £{view.link_price * (2 if fixed['double'] else 1)} to build."
        n = lit.get(c)
        top_ = fixed["links"][view.era][owner] if owner >= 0 else fixed["free"]
        glow = f'{fixed["halo"]}<path class="hc for f{n}" d="{fixed["outline"]}"/>' if n is not None else ""
        under = "".join(f'<path class="nw nw{s} p{s + 1}" d="{fixed["line"]}"/>' for s in longest[c])
        shown.append(
            {
                "c": c,
                "drawn": under + fixed["way"] + glow + top_,
                "state": (" lit" if n is not None else "") + (" new" if c in fresh and owner >= 0 else ""),
                "told": f"{fixed['name']}, {size}. {state}",
            }
        )
    return shown


# -- tracks and charts ------------------------------------------------------------------------------------------------


def revenue(view: WorkshopView, names: Sequence[str], news: News, due: int) -> list[dict[str, Any]]:
    """The Revenue markers on the frame. ghost: where the viewer's would go, with what is due for this turn's Links."""
    spaces = track()
    standing: dict[int, int] = {}
    shown = []

    def put(seat: int, amount: int, ghost: bool) -> None:
        space = amount % len(spaces)
        x, y, w, h = spaces[space]
        n = standing.get(space, 0)
        standing[space] = n + 1
        # Several on one space stand one before the other.
        along = 7.0 * n
        if w >= h:
            x, y = x + w / 2 - 12 + along, y + h / 2 - 13
        else:
            x, y = x + w / 2 - 12, y + h / 2 - 13 + along
        colour = view.seats[seat].sets[0]
        laps = amount // len(spaces)
        label = f"{names[seat]}: Revenue {amount}"
        place = {"left": left(x), "top": top(y), "laps": laps, "label": label}
        shown.append({"seat": seat, "set": colour, "ghost": ghost, **place})

    for s in view.seats:
        put(s.seat, s.revenue, False)
    if due and view.active is not None:
        seat = view.colours[view.active].seat
        put(seat, view.seats[seat].revenue + due, True)
    return shown


def demand(view: WorkshopView, travel: Travel) -> list[dict[str, Any]]:
    """The Demand chart: for each type its counters from below, and what each Industry gets for it."""
    x0, _, x1, y1 = DEMAND
    wide = (x1 - x0 - 16) / len(view.demand)
    shown = []
    for t, n in enumerate(view.demand):
        x = x0 + 8 + t * wide
        # However many counters there are, the pile stays on the plate.
        step = min(24.0, 108 / max(n, 1))
        shown.append(
            {
                "t": t,
                "kind": TYPE_IDS[t],
                "name": words.type_name(t),
                "n": n,
                "x": f"{x + wide / 2:.0f}",
                "sign": (f"{x + wide / 2 - 16:.0f}", f"{DEMAND[1] + 26:.0f}"),
                "wells": [f"{y1 - 54 - i * 24:.0f}" for i in range(max(n, 0), 5)] if n < 5 else [],
                "counters": [
                    {"left": left(x + wide / 2 - 15), "top": top(y1 - 54 - i * step), "name": travel.counters[t][i]}
                    for i in range(n)
                ],
                "figure": f"{y1 - 12:.0f}",
            }
        )
    return shown


def chart(view: WorkshopView) -> dict[str, Any]:
    """The Turn order chart: the markers that still wait in this round's row, the others in the next one's."""
    x0, y0, x1, _ = CHART
    wide = min(62.0, (x1 - x0 - 88) / view.sets)
    boxes = [{"n": i + 1, "x": f"{x0 + 80 + i * wide:.0f}", "w": f"{wide - 6:.0f}"} for i in range(view.sets)]
    now = [
        {"set": colour, "left": left(x0 + 80 + i * wide + (wide - 6) / 2 - 12), "top": top(y0 + 11)}
        for i, colour in enumerate(view.order)
        if colour not in view.next_order
    ]
    then = [
        {"set": colour, "left": left(x0 + 80 + i * wide + (wide - 6) / 2 - 12), "top": top(y0 + 50)}
        for i, colour in enumerate(view.next_order)
    ]
    rows = (f"{y0 + 8:.0f}", f"{y0 + 46:.0f}")
    return {"boxes": boxes, "now": now, "next": then, "rows": rows, "x": f"{x0 + 14:.0f}"}


def network_text(colour: SetView) -> str:
    """A set's networks in words."""
    if not colour.networks:
        return "no Links"
    text = f"longest network {counted(colour.networks[0], 'Link', 'Links')}"
    rest = sum(colour.networks[1:])
    return f"{text}, {counted(rest, 'other', 'others')}" if rest else text
