"""Names for Worker cards, so that on the page a card travels: stack, hand, left, right, hand, stack.

The rules count cards and do not tell two Cranes apart; people's eyes do. From the events that the viewer may know,
every card on the page gets a name that it keeps wherever it goes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from shopfloor.engine.events import Event
from shopfloor.games.zahltag.actions import TYPES
from shopfloor.games.zahltag.view import ZahltagView

Pile = list[list[str]]
"""Card names by Worker type."""


class Travel:
    """Where the named cards lie. hand: the viewer's. left, right: by seat. top(t): the card on top of a stack."""

    def __init__(self, view: ZahltagView, events: Iterable[Event]) -> None:
        self.viewer = view.seat
        self.hand: Pile = _pile()
        self.left: list[Pile] = [_pile() for _ in range(view.players)]
        self.right: list[Pile] = [_pile() for _ in range(view.players)]
        self._returned: Pile = _pile()
        self._taken = [0] * TYPES
        self._fresh = 0
        for event in events:
            self._follow(event.kind, event.facts)
        if self.viewer is not None:
            _fit(self.hand, view.seats[self.viewer].hand or (0,) * TYPES, "h")
        for s in view.seats:
            _fit(self.left[s.seat], s.left, f"l{s.seat}")
            _fit(self.right[s.seat], s.right, f"r{s.seat}")

    def top(self, t: int) -> str:
        """The name of the card that whoever takes from this stack next will get."""
        return self._returned[t][-1] if self._returned[t] else f"{t}s{self._taken[t]}"

    def _take(self, t: int) -> str:
        name = self.top(t)
        if self._returned[t]:
            self._returned[t].pop()
        else:
            self._taken[t] += 1
        return name

    def _new(self, t: int) -> str:
        """A card that comes out of a hand which the viewer does not see."""
        self._fresh += 1
        return f"{t}n{self._fresh}"

    def _out_of_hand(self, seat: int, t: int) -> str:
        return self.hand[t].pop() if seat == self.viewer and self.hand[t] else self._new(t)

    def _follow(self, kind: str, facts: dict[str, Any]) -> None:
        seat = facts.get("seat", -1)
        mine = seat == self.viewer
        if kind == "hand_dealt" and mine:
            for t, n in enumerate(facts["workers"]):
                self.hand[t] = [f"{t}d{i}" for i in range(n)]
        elif kind in ("worker_discarded", "workers_exchanged"):
            t = facts["type"] if kind == "worker_discarded" else facts["given"]
            given = self._out_of_hand(seat, t)
            if kind == "workers_exchanged":
                taken = self._take(facts["taken"])
                if mine:
                    self.hand[facts["taken"]].append(taken)
            self._returned[t].append(given)
        elif kind == "worker_added":
            taken = self._take(facts["type"])
            if mine:
                self.hand[facts["type"]].append(taken)
        elif kind == "jobs_finished":
            for t in range(TYPES):
                if mine:
                    self.hand[t] += self.right[seat][t]
                self.right[seat][t] = self.left[seat][t]
                self.left[seat][t] = []
        elif kind == "workers_laid_out":
            for t, n in enumerate(facts["workers"]):
                self.left[seat][t] += [self._out_of_hand(seat, t) for _ in range(n)]
        elif kind == "eliminated":
            self.left[seat] = _pile()
            self.right[seat] = _pile()
            if mine:
                self.hand = _pile()


def _pile() -> Pile:
    return [[] for _ in range(TYPES)]


def _fit(pile: Pile, counts: Sequence[int], prefix: str) -> None:
    """The view is right about how many there are; names follow it."""
    for t in range(TYPES):
        del pile[t][counts[t] :]
        while len(pile[t]) < counts[t]:
            pile[t].append(f"{t}{prefix}{len(pile[t])}")
