"""A game for two or three in which a decision leads to sealed ones without anything coming to light in between.

Seat 0 says how much is at stake (actions 0 to 2); then each seat hides a number of fingers (3 to 5); then all show.
After `ROUNDS` rounds it is over. No real game does so, but tables must carry any that the engine's contract allows.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

from shopfloor.engine.actions import Action, ActionSpace
from shopfloor.engine.dice import Dice, decode_dice
from shopfloor.engine.events import Event
from shopfloor.engine.refusals import IllegalAction, Refusal
from shopfloor.engine.state import Rank, Standing, State
from shopfloor.engine.views import View
from shopfloor.games import REGISTRY

ROUNDS = 2


@dataclass(frozen=True)
class Number(Action):
    n: int

    def __str__(self) -> str:
        return f"say {self.n}"


SPACE = ActionSpace([Number(n) for n in range(6)])


@dataclass(frozen=True)
class ToyView(View):
    legal: tuple[int, ...]
    own: int | None
    stake: int | None


class Toy(State):
    __slots__ = ("fingers", "played", "stake")

    def __init__(self, players: int, dice: Dice) -> None:
        State.__init__(self, players, SPACE, dice)
        self.played = 0
        self.stake: int | None = None
        self.fingers: list[int | None] = [None] * players

    def deciders(self) -> tuple[int, ...]:
        if self.over():
            return ()
        return (0,) if self.stake is None else tuple(s for s, n in enumerate(self.fingers) if n is None)

    def legal(self, seat: int) -> tuple[int, ...]:
        return () if seat not in self.deciders() else (0, 1, 2) if self.stake is None else (3, 4, 5)

    def refusal(self, seat: int, action: int) -> Refusal | None:
        return None if action in self.legal(seat) else Refusal("NOT_NOW")

    def play(self, seat: int, action: int) -> None:
        refusal = self.refusal(seat, action)
        if refusal:
            raise IllegalAction(refusal)
        if self.stake is None:
            self.stake = action
            self._report("stake", {"stake": action}, None)
            return
        self.fingers[seat] = action
        self._report("hidden", {"fingers": action}, (seat,))
        if None not in self.fingers:
            self.revelations += 1
            self._report("shown", {"fingers": self.fingers[:]}, None)
            self.stake = None
            self.fingers = [None] * self.players
            self.played += 1

    def _report(self, kind: str, facts: dict[str, object], audience: tuple[int, ...] | None) -> None:
        if self.events is not None:
            self.events.append(Event(kind, "", facts, audience))

    def over(self) -> bool:
        return self.played == ROUNDS

    def standing(self) -> Standing:
        return Standing((), tuple(Rank(seat, 1, ()) for seat in range(self.players)))

    def returns(self) -> list[float]:
        return [1 / self.players] * self.players

    def clone(self) -> Toy:
        return decode(self.encode())

    def imagine(self, seat: int, dice: Dice) -> Toy:
        imagined = self.clone()
        imagined.dice = dice
        imagined.fingers = [3 if n is not None and s != seat else n for s, n in enumerate(self.fingers)]
        return imagined

    def encode(self) -> str:
        return json.dumps([self.players, self.dice.encode(), self.revelations, self.played, self.stake, self.fingers])


def decode(text: str, edition: object = None) -> Toy:
    players, dice, revelations, played, stake, fingers = json.loads(text)
    state = Toy(players, decode_dice(dice))
    state.revelations, state.played, state.stake, state.fingers = revelations, played, stake, fingers
    return state


def start(players: int, dice: Dice, options: Mapping[str, str], edition: Any, report: bool = False) -> Toy:
    state = Toy(players, dice)
    if report:
        state.listen()
    return state


def view(state: Toy, seat: int | None) -> ToyView:
    own = None if seat is None else state.fingers[seat]
    return ToyView(() if seat is None else state.legal(seat), own, state.stake)


GAME = replace(
    REGISTRY.get("zahltag"),
    id="toy",
    title="Fingers",
    player_counts=(2, 3),
    options=(),
    rules=SimpleNamespace(start=start, decode=decode),
    viewer=SimpleNamespace(view=view),
    load_edition=lambda folder: SimpleNamespace(hash="fingers"),
    make_space=lambda edition: SPACE,
)
