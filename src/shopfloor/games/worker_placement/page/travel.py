"""Names for meeples, so that on the page each of them hops: reserve, order track, bid space, building, and home again.

The rules count meeples and do not tell a player's three apart; people's eyes do. From the events that the viewer may
know, every meeple gets a name that it keeps wherever it goes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from shopfloor.engine.events import Event
from shopfloor.games.worker_placement.view import WorkerPlacementView

RESERVE: Final = "reserve"
TRACK: Final = "track"
IDLE: Final = "idle"
EACH: Final = 3

Meeple = tuple[int, str]
"""A seat, and the meeple's name on the page."""


def house(building: int) -> str:
    return f"house-{building}"


def space(index: int) -> str:
    return f"space-{index}"


class Travel:
    """Where the named meeples stand. at(place): those there, first come first; of(seat, place): a seat's."""

    def __init__(self, view: WorkerPlacementView, events: Iterable[Event]) -> None:
        self._at: dict[str, list[Meeple]] = {}
        for seat in range(view.players):
            self._home(seat)
        for event in events:
            self._follow(event.kind, event.facts, view.players)
        for seat in range(view.players):
            self._fit(view, seat)

    def at(self, place: str) -> list[Meeple]:
        return self._at.get(place, [])

    def of(self, seat: int, place: str) -> list[Meeple]:
        return [meeple for meeple in self.at(place) if meeple[0] == seat]

    def _home(self, seat: int) -> None:
        """All of a seat's meeples are in its reserve."""
        for place in self._at.values():
            place[:] = [meeple for meeple in place if meeple[0] != seat]
        self._at.setdefault(RESERVE, []).extend((seat, f"m-{seat}-{i}") for i in range(EACH))

    def _move(self, seat: int, start: tuple[str, ...], end: str, last: bool = False) -> None:
        for place in start:
            found = self.of(seat, place)
            if found:
                meeple = found[-1 if last else 0]
                self._at[place].remove(meeple)
                self._at.setdefault(end, []).append(meeple)
                return

    def _follow(self, kind: str, facts: dict[str, Any], players: int) -> None:
        seat = facts.get("seat", -1)
        if kind == "order_set":
            for other in range(players):
                self._home(other)
                self._move(other, (RESERVE,), TRACK, last=True)
        elif kind == "bid_made":
            self._move(seat, (RESERVE,), space(facts["space"]))
        elif kind == "auction_closed":
            for index in range(8):
                for other, _ in list(self.at(space(index))):
                    self._move(other, (space(index),), RESERVE)
        elif kind == "meeple_placed":
            self._move(seat, (RESERVE, TRACK), house(facts["building"]))
        elif kind == "placement_skipped":
            self._move(seat, (RESERVE, TRACK), IDLE)
        elif kind == "meeple_recalled":
            self._move(seat, (house(facts["building"]),), RESERVE, last=True)
        elif kind == "meeples_returned":
            for other in range(players):
                self._home(other)

    def _fit(self, view: WorkerPlacementView, seat: int) -> None:
        """The view is right about how many stand where; names follow it."""
        s = view.seats[seat]
        wanted = {RESERVE: s.reserve, TRACK: s.on_track, IDLE: s.idle}
        wanted |= {house(b.building): b.meeples[seat] for b in view.buildings}
        wanted |= {space(i): 1 for i, other in enumerate(view.spaces) if other == seat}
        if all(len(self.of(seat, place)) == wanted.get(place, 0) for place in {*wanted, *self._at}):
            return
        for there in self._at.values():
            there[:] = [meeple for meeple in there if meeple[0] != seat]
        n = 0
        for place, count in wanted.items():
            for _ in range(count):
                self._at.setdefault(place, []).append((seat, f"m-{seat}-{n}"))
                n += 1
