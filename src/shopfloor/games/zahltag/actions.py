"""What a player can decide in Zahltag, and the table that numbers it.

0        pass (at set-up: done)
1 - 4    add a Worker card of type 0 - 3 from its stack
5 - 8    discard one to its stack
9 - 20   exchange one for one of another stack
21       play the "00" card
22 - 29  bid the offer values of the edition, ascending
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import Final

from shopfloor.engine.actions import Action, ActionSpace
from shopfloor.engine.refusals import IllegalAction, Refusal


class WorkerType(IntEnum):
    """The four types of Worker cards, in the order used everywhere (ZT-1.2)."""

    FOREMAN = 0
    WORKER = 1
    CRANE = 2
    EXCAVATOR = 3


TYPES: Final = 4
PASS: Final = 0
ADD: Final = 1
DISCARD: Final = 5
EXCHANGE: Final = 9
NO_BID: Final = 21
BID: Final = 22

# The twelve exchanges in order: given type, taken type (ZT-6.1: of another stack).
EXCHANGES: Final = [(a, b) for a in range(TYPES) for b in range(TYPES) if a != b]
GIVEN: Final = [a for a, _ in EXCHANGES]
TAKEN: Final = [b for _, b in EXCHANGES]


@dataclass(frozen=True)
class Pass(Action):
    """Do nothing in step 2; at set-up: no further operation."""

    def __str__(self) -> str:
        return "pass"


@dataclass(frozen=True)
class Add(Action):
    type: WorkerType

    def __str__(self) -> str:
        return f"add {self.type.name.lower()}"


@dataclass(frozen=True)
class Discard(Action):
    type: WorkerType

    def __str__(self) -> str:
        return f"discard {self.type.name.lower()}"


@dataclass(frozen=True)
class Exchange(Action):
    given: WorkerType
    taken: WorkerType

    def __str__(self) -> str:
        return f"exchange {self.given.name.lower()} {self.taken.name.lower()}"


@dataclass(frozen=True)
class NoBid(Action):
    """The "00" card (ZT-3.2): no bid."""

    def __str__(self) -> str:
        return "00"


@dataclass(frozen=True)
class Bid(Action):
    """An Offer card; `value` in millions is the number turned to the centre."""

    value: int

    def __str__(self) -> str:
        return f"bid {self.value}"


class OfferSpace(ActionSpace):
    """The table, which knows a bid of a value that no Offer card has from a word that is no action (ZT-A5)."""

    def __init__(self, actions: list[Action], aliases: dict[str, int], offer_values: tuple[int, ...]) -> None:
        ActionSpace.__init__(self, actions, aliases)
        self.offer_values = offer_values

    def encode(self, action: Action) -> int:
        if isinstance(action, Bid) and action.value not in self.offer_values:
            facts: dict[str, object] = {"value": action.value, "offers": list(self.offer_values)}
            raise IllegalAction(Refusal("UNKNOWN_OFFER", "ZT-A5", facts))
        return ActionSpace.encode(self, action)

    def parse(self, text: str) -> int:
        bid = re.fullmatch(r"\W*bid\W*(?:value\W*)?(\d{1,6})\W*", text, re.IGNORECASE | re.ASCII)
        return self.encode(Bid(int(bid[1]))) if bid else ActionSpace.parse(self, text)


@lru_cache(maxsize=64)
def make_space(offer_values: tuple[int, ...]) -> OfferSpace:
    """The table for an edition with these offer values (ascending)."""
    actions: list[Action] = [Pass()]
    actions += [Add(t) for t in WorkerType]
    actions += [Discard(t) for t in WorkerType]
    actions += [Exchange(WorkerType(a), WorkerType(b)) for a, b in EXCHANGES]
    actions += [NoBid()]
    actions += [Bid(value) for value in offer_values]
    return OfferSpace(actions, {"done": PASS, "no bid": NO_BID, "nobid": NO_BID}, offer_values)
