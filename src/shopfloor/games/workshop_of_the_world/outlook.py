"""What placing in a town could bring at once: looked at by views and by the computer players' judgement."""

from __future__ import annotations

from dataclasses import dataclass

from shopfloor.engine.native import remade
from shopfloor.games.workshop_of_the_world.rules.position import LINK_PRICE, Position


@dataclass(frozen=True)
class Plan:
    """A way to build after placing: connections in order, Link pieces, and the Revenue that they bring together."""

    connections: tuple[int, ...]
    links: int
    gain: int

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return remade(self)


def stands(s: Position, colour: int) -> list[bool]:
    """By town: would it count for Revenue (WW-9.1)?"""
    sets = s.sets
    here = [n > 0 for n in s.industries[colour::sets]]
    if s.merged:
        here = [a or n > 0 for a, n in zip(here, s.industries[colour ^ 1 :: sets], strict=True)]
    return here


def plans(s: Position, colour: int, town: int, here: list[bool] | None = None) -> list[Plan]:
    """Everything that could be built from a town after placing there, as far as Links and money allow now."""
    money = s.spendable(colour // s.mate)
    price = LINK_PRICE[s.era]
    most = min(2, s.supply_link[colour], money // price if money > 0 else 0)
    found = [Plan((), 0, 0)]
    if most == 0:
        return found
    here = stands(s, colour) if here is None else here
    owner = s.owner
    capacity = s.capacity
    values = s.town_values
    banned = s.banned[town] if s.crossing else 0
    base = values[town]
    near = [c for c in s.connections_of[town] if owner[c] < 0 and not banned >> c & 1]
    for i, c in enumerate(near):
        far = s.ends_a[c] + s.ends_b[c] - town
        gain = base + (values[far] if here[far] else 0)
        if capacity[c] == 2:
            if most == 2:
                found.append(Plan((c,), 2, gain))
            continue
        found.append(Plan((c,), 1, gain))
        if most < 2:
            continue
        for d in near[i + 1 :]:
            if capacity[d] == 1:
                other = s.ends_a[d] + s.ends_b[d] - town
                more = values[other] if here[other] and other != far else 0
                found.append(Plan((c, d), 2, gain + more))
        for d in s.connections_of[far]:
            if d != c and owner[d] < 0 and capacity[d] == 1 and not banned >> d & 1:
                other = s.ends_a[d] + s.ends_b[d] - far
                more = values[other] if here[other] and other != town else 0
                found.append(Plan((c, d), 2, gain + more))
    return found


def best_plan(s: Position, colour: int, town: int, here: list[bool] | None = None) -> Plan:
    """The plan with the most Revenue, of several the cheapest."""
    return max(plans(s, colour, town, here), key=lambda plan: (plan.gain, -plan.links))
