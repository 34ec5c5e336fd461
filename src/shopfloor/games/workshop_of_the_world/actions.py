"""What a player can decide in Workshop of the World, and the table that numbers it.

0          pass in an auction
1          keep the Demand counters
2          end the turn: no (further) Link
3          use a blocked card
4          gamble: discard it for the top Set-aside card
5 - 9      place one Demand counter, by type
10 - 24    place two, by the types of `PAIRS`
25 - 29    remove an Industry of a colour from the full town
30 - 128   raise 1 to 99 pounds on the Revenue track
129 - 448  bid 0 to 319 pounds
449 - 768  hold out 0 to 319 pounds for one's first colour in a clenched fist; 769 - 1088 for the second
1089 on    a block for each of: select a card for auction; take a card (two players); place in a town; lift an
           Industry from a town to place it anew; build a Link on a single connection; build both on a double one

No player of the edition that comes with Shopfloor can ever have more money than the table of bids goes to.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from shopfloor.engine.actions import Action, ActionSpace
from shopfloor.engine.refusals import IllegalAction, Refusal
from shopfloor.games.workshop_of_the_world.cards import WILD, Box, plain_name


class TownType(IntEnum):
    """The types of towns and of Demand counters, in the order used everywhere (WW-1.4)."""

    TEXTILE = 0
    LIGHT = 1
    HEAVY = 2
    PORT = 3
    CRAFTS = 4


class Colour(IntEnum):
    """The coloured sets; with two players the first two belong to one and the next two to the other (WW-21.1)."""

    RED = 0
    BLUE = 1
    YELLOW = 2
    GREEN = 3
    PLUM = 4


TYPES: Final = 5
MOST_BID: Final = 319
BIDS: Final = 320
MOST_RAISED: Final = 99

PASS: Final = 0
KEEP: Final = 1
END_TURN: Final = 2
USE_CARD: Final = 3
GAMBLE: Final = 4
COUNTER: Final = 5
COUNTERS: Final = 10
REMOVE: Final = 25
RAISE: Final = 30
BID: Final = 129
FIST: Final = 449
FIST_B: Final = 769
SELECT: Final = 1089

PAIRS: Final = [(a, b) for a in range(TYPES) for b in range(a, TYPES)]
PAIR_A: Final = [a for a, _ in PAIRS]
PAIR_B: Final = [b for _, b in PAIRS]

# The blocks of the table in order; kinds of actions for refusals.
K_PASS: Final = 0
K_KEEP: Final = 1
K_END: Final = 2
K_USE: Final = 3
K_GAMBLE: Final = 4
K_COUNTERS: Final = 5
K_REMOVE: Final = 6
K_RAISE: Final = 7
K_BID: Final = 8
K_FIST: Final = 9
K_SELECT: Final = 10
K_TAKE: Final = 11
K_PLACE: Final = 12
K_RELOCATE: Final = 13
K_BUILD: Final = 14
K_DOUBLE: Final = 15


@dataclass(frozen=True)
class PassBid(Action):
    """No bid for the card on auction (WW-5.6)."""

    def __str__(self) -> str:
        return "pass"


@dataclass(frozen=True)
class KeepCounters(Action):
    """Place no Demand counter now (WW-12.3)."""

    def __str__(self) -> str:
        return "keep"


@dataclass(frozen=True)
class EndTurn(Action):
    """Build no (further) Link (WW-8.3)."""

    def __str__(self) -> str:
        return "end turn"


@dataclass(frozen=True)
class UseCard(Action):
    """Use the card of a blocked town (WW-7.2)."""

    def __str__(self) -> str:
        return "use card"


@dataclass(frozen=True)
class Gamble(Action):
    """Discard it and take the top Set-aside card (WW-7.3)."""

    def __str__(self) -> str:
        return "gamble"


@dataclass(frozen=True)
class PlaceCounters(Action):
    """Place one Demand counter or two; `types` ascending."""

    types: tuple[TownType, ...]

    def __str__(self) -> str:
        return "counter " + " ".join(t.name.lower() for t in self.types)


@dataclass(frozen=True)
class RemoveIndustry(Action):
    """Take an Industry of this colour out of the full town (WW-6.6)."""

    colour: Colour

    def __str__(self) -> str:
        return f"remove {self.colour.name.lower()}"


@dataclass(frozen=True)
class RaiseCash(Action):
    """Move the Revenue marker back by two spaces for each pound (WW-10)."""

    pounds: int

    def __str__(self) -> str:
        return f"raise {self.pounds}"


@dataclass(frozen=True)
class Bid(Action):
    pounds: int

    def __str__(self) -> str:
        return f"bid {self.pounds}"


@dataclass(frozen=True)
class FistBid(Action):
    """Coins and an Industry of one's first (0) or second (1) colour in a clenched fist (WW-21.7)."""

    pounds: int
    which: int

    def __str__(self) -> str:
        return f"fist {self.pounds} {'ab'[self.which]}"


@dataclass(frozen=True)
class SelectCard(Action):
    """Put a face-up card up for auction (WW-5.4). `name`: its id and what it shows."""

    name: str

    def __str__(self) -> str:
        return f"auction {self.name}"


@dataclass(frozen=True)
class TakeCard(Action):
    """Take a face-up card (two players, WW-A.51)."""

    name: str

    def __str__(self) -> str:
        return f"take {self.name}"


@dataclass(frozen=True)
class PlaceIndustry(Action):
    town: str

    def __str__(self) -> str:
        return f"place {self.town}"


@dataclass(frozen=True)
class RelocateIndustry(Action):
    """Lift an own Industry to place it anew, the supply being empty (WW-A.21)."""

    town: str

    def __str__(self) -> str:
        return f"lift {self.town}"


@dataclass(frozen=True)
class BuildLink(Action):
    """One Link on a single connection."""

    connection: str

    def __str__(self) -> str:
        return f"build {self.connection}"


@dataclass(frozen=True)
class BuildDouble(Action):
    """Both Links of a double connection (WW-8.8)."""

    connection: str

    def __str__(self) -> str:
        return f"double {self.connection}"


class Layout:
    """Where the blocks of the table begin that depend on how many cards, towns and connections there are."""

    __slots__ = ("build", "cards", "connections", "double", "place", "relocate", "size", "take", "towns")

    def __init__(self, cards: int, towns: int, connections: int) -> None:
        self.cards: int = cards
        self.towns: int = towns
        self.connections: int = connections
        self.take: int = SELECT + cards
        self.place: int = self.take + cards
        self.relocate: int = self.place + towns
        self.build: int = self.relocate + towns
        self.double: int = self.build + connections
        self.size: int = self.double + connections

    def split(self, action: int) -> tuple[int, int]:
        """The kind of an action (K_...) and what it names: pounds, card, town, connection, colour, place of a pair."""
        if action < COUNTER:
            return action, 0
        if action < REMOVE:
            return K_COUNTERS, action - COUNTER
        if action < RAISE:
            return K_REMOVE, action - REMOVE
        if action < BID:
            return K_RAISE, action - RAISE + 1
        if action < FIST:
            return K_BID, action - BID
        if action < SELECT:
            return K_FIST, action - FIST
        if action < self.take:
            return K_SELECT, action - SELECT
        if action < self.place:
            return K_TAKE, action - self.take
        if action < self.relocate:
            return K_PLACE, action - self.place
        if action < self.build:
            return K_RELOCATE, action - self.relocate
        if action < self.double:
            return K_BUILD, action - self.build
        return K_DOUBLE, action - self.double


def counters_of(place: int) -> tuple[int, ...]:
    """The types of the counters of a `K_COUNTERS` action, by its place in the block."""
    return (place,) if place < TYPES else PAIRS[place - TYPES]


_UNKNOWN: Final = {
    "auction": "UNKNOWN_CARD",
    "take": "UNKNOWN_CARD",
    "place": "UNKNOWN_TOWN",
    "lift": "UNKNOWN_TOWN",
    "build": "UNKNOWN_CONNECTION",
    "double": "UNKNOWN_CONNECTION",
}


class WorkshopSpace(ActionSpace):
    """The table, which knows what is wrong with an amount or a name that it does not have."""

    def __init__(self, actions: Sequence[Action], aliases: Mapping[str, int], layout: Layout) -> None:
        ActionSpace.__init__(self, actions, aliases)
        self.layout = layout

    def encode(self, action: Action) -> int:
        if isinstance(action, Bid | FistBid):
            _check_amount(action.pounds)
        elif isinstance(action, RaiseCash):
            _check_raise(action.pounds)
        elif isinstance(action, PlaceCounters):
            if len(action.types) > 2:
                raise IllegalAction(Refusal("TOO_MANY_COUNTERS", "WW-21.14", {"placed": len(action.types), "most": 2}))
            action = PlaceCounters(tuple(sorted(action.types)))
        try:
            return ActionSpace.encode(self, action)
        except IllegalAction as error:
            raise _explained(str(action), error) from None

    def parse(self, text: str) -> int:
        words = text[:200].lower().replace("£", " ").split()
        number = words[1] if len(words) > 1 else ""
        if words and words[0] in ("bid", "fist", "raise") and re.fullmatch(r"[-+]?\d+([.,]\d*)?", number, re.ASCII):
            if not re.fullmatch(r"[-+]?\d{1,6}", number, re.ASCII):
                raise IllegalAction(Refusal("BID_NOT_INTEGER", "WW-A.6", {"bid": number[:20]}))
            (_check_raise if words[0] == "raise" else _check_amount)(int(number))
        elif words[:1] == ["counter"] and len(words) > 3:
            raise IllegalAction(Refusal("TOO_MANY_COUNTERS", "WW-21.14", {"placed": len(words) - 1, "most": 2}))
        try:
            return ActionSpace.parse(self, text)
        except IllegalAction as error:
            raise _explained(text, error) from None


def _check_amount(pounds: object) -> None:
    if not isinstance(pounds, int) or isinstance(pounds, bool):
        raise IllegalAction(Refusal("BID_NOT_INTEGER", "WW-A.6", {"bid": str(pounds)[:20]}))
    if pounds < 0:
        raise IllegalAction(Refusal("BID_BELOW_MINIMUM", "WW-5.9", {"bid": pounds, "least": 1}))
    if pounds > MOST_BID:
        raise IllegalAction(Refusal("CANNOT_AFFORD", "WW-A.7", {"price": pounds, "most": MOST_BID}))


def _check_raise(pounds: object) -> None:
    if not isinstance(pounds, int) or isinstance(pounds, bool):
        raise IllegalAction(Refusal("BID_NOT_INTEGER", "WW-10.2", {"bid": str(pounds)[:20]}))
    if pounds < 1:
        raise IllegalAction(Refusal("RAISE_NOT_POSITIVE", "WW-A.9", {"pounds": pounds}))
    if pounds > MOST_RAISED:
        raise IllegalAction(Refusal("RAISE_EXCEEDS_REVENUE", "WW-A.9", {"pounds": pounds, "most": MOST_RAISED}))


def _explained(text: str, error: IllegalAction) -> IllegalAction:
    """A name that is not in the table, after a word that is."""
    word, _, name = plain_name(text[:200]).partition(" ")
    if word in _UNKNOWN and name:
        facts: dict[str, object] = {"name": name[:40], "near": error.refusal.facts.get("near", [])}
        return IllegalAction(Refusal(_UNKNOWN[word], "", facts))
    return error


def card_name(box: Box, card: int) -> str:
    """A card in commands: its id and its town, or its value if it is wild."""
    town = box.card_towns[card]
    shown = box.town_names[town] if town >= 0 else f"wild {box.card_values[card]}"
    return f"{box.card_ids[card]} {shown}"


def connection_name(box: Box, connection: int) -> str:
    return f"{box.town_names[box.ends_a[connection]]}-{box.town_names[box.ends_b[connection]]}"


_SPACES: Final[dict[str, tuple[Box, WorkshopSpace]]] = {}


def make_space(box: Box) -> WorkshopSpace:
    """The table for an edition."""
    made = _SPACES.get(box.hash)
    if made is None or (made[0] is not box and made[0] != box):
        if len(_SPACES) >= 16:
            _SPACES.clear()
        made = (box, _make_space(box))
        _SPACES[box.hash] = made
    return made[1]


def _make_space(box: Box) -> WorkshopSpace:
    cards = [card_name(box, card) for card in range(len(box.card_ids))]
    connections = [connection_name(box, c) for c in range(len(box.connection_ids))]
    layout = Layout(len(cards), len(box.town_names), len(connections))
    actions: list[Action] = [PassBid(), KeepCounters(), EndTurn(), UseCard(), Gamble()]
    actions += [PlaceCounters(tuple(TownType(t) for t in counters_of(i))) for i in range(TYPES + len(PAIRS))]
    actions += [RemoveIndustry(colour) for colour in Colour]
    actions += [RaiseCash(pounds) for pounds in range(1, MOST_RAISED + 1)]
    actions += [Bid(pounds) for pounds in range(BIDS)]
    actions += [FistBid(pounds, which) for which in range(2) for pounds in range(BIDS)]
    actions += [SelectCard(name) for name in cards]
    actions += [TakeCard(name) for name in cards]
    actions += [PlaceIndustry(name) for name in box.town_names]
    actions += [RelocateIndustry(name) for name in box.town_names]
    actions += [BuildLink(name) for name in connections]
    actions += [BuildDouble(name) for name in connections]
    assert len(actions) == layout.size
    aliases = {"end": END_TURN, "done": END_TURN, "no link": END_TURN, "use": USE_CARD, "keep counters": KEEP}
    for i, (a, b) in enumerate(PAIRS):
        aliases[f"counter {TownType(b).name} {TownType(a).name}"] = COUNTERS + i
    for c in range(layout.connections):
        back = f"{box.town_names[box.ends_b[c]]} {box.town_names[box.ends_a[c]]}"
        for word, start in (("build", layout.build), ("double", layout.double)):
            aliases[f"{word} {back}"] = start + c
            aliases[f"{word} {box.connection_ids[c]}"] = start + c
    towns = list(box.card_towns)
    for card, town in enumerate(towns):
        for word, start in (("auction", SELECT), ("take", layout.take)):
            aliases[f"{word} {box.card_ids[card]}"] = start + card
            if box.card_kinds[card] != WILD and towns.count(town) == 1:
                aliases[f"{word} {box.town_names[town]}"] = start + card
    own = {plain_name(str(action)) for action in actions}
    return WorkshopSpace(actions, {k: v for k, v in aliases.items() if plain_name(k) not in own}, layout)
