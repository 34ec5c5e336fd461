"""Names for Industries and Demand counters, so that on the page each of them moves: supply, town, and home again.

The rules count pieces and do not tell a set's twenty apart; people's eyes do. From the events that the viewer may
know, every Industry gets a name that it keeps wherever it goes. Only those that may move next, or have just moved,
carry it on the page: a page full of names would be slow to move.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from shopfloor.engine.events import Event
from shopfloor.games.workshop_of_the_world.view import WorkshopView

Piece = tuple[int, str]
"""A set, and the Industry's name on the page."""


class Travel:
    """Where the named pieces stand. towns: by town, first come first; supply: by set, the next one last.

    placed: by seat and type, Demand counters placed. moved: the names of pieces that may have just moved.
    """

    def __init__(self, view: WorkshopView, events: Iterable[Event]) -> None:
        self.towns: list[list[Piece]] = [[] for _ in view.industries]
        totals = [c.industries_left + c.industries_on_map for c in view.colours]
        self.supply: list[list[str]] = [[f"i{c}-{k}" for k in range(n)] for c, n in enumerate(totals)]
        self.placed: list[list[int]] = [[0] * len(view.demand) for _ in range(view.players)]
        self.counters: list[list[str]] = [[] for _ in view.demand]
        self._latest: dict[int, str] = {}
        for event in events:
            self._follow(event.kind, event.facts)
        for town, counts in enumerate(view.industries):
            self._fit(town, counts)
        for t, n in enumerate(view.demand):
            self.counters[t] = [*self.counters[t], *(f"d-{t}-{k}" for k in range(len(self.counters[t]), n))][:n]
        self.moved = set(self._latest.values())
        if view.town is not None:
            self.moved |= {name for _, name in self.towns[view.town]}

    def next_of(self, colour: int) -> str:
        """The name of the Industry that a set places next; empty if there is none."""
        return self.supply[colour][-1] if self.supply[colour] else ""

    def held(self, seat: int, kind: int, i: int) -> str:
        """The name of a seat's counter of a type: the `i`-th of those in hand."""
        return f"d{seat}-{kind}-{self.placed[seat][kind] + i}"

    def _follow(self, kind: str, facts: dict[str, Any]) -> None:
        if kind == "industry_placed":
            colour = facts["set"]
            if self.supply[colour]:
                name = self.supply[colour].pop()
                self.towns[facts["town"]].append((colour, name))
                self._latest[colour] = name
        elif kind in ("industry_removed", "industry_lifted"):
            colour = facts["set"]
            there = self.towns[facts["town"]]
            found = next((piece for piece in there if piece[0] == colour), None)
            if found is not None:
                there.remove(found)
                self.supply[colour].append(found[1])
        elif kind == "counters_placed":
            seat = facts["seat"]
            for t in facts["types"]:
                self.counters[t].append(f"d{seat}-{t}-{self.placed[seat][t]}")
                self.placed[seat][t] += 1

    def _fit(self, town: int, counts: tuple[int, ...]) -> None:
        """The view is right about how many stand where; names follow it."""
        there = self.towns[town]
        for colour, n in enumerate(counts):
            own = [piece for piece in there if piece[0] == colour]
            for piece in own[n:]:
                there.remove(piece)
            for k in range(len(own), n):
                there.append((colour, f"x{town}-{colour}-{k}"))
