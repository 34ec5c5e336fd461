"""What a player can decide in Temp Worker Assassins, and the table that numbers it.

The table follows the edition: an action for each action space, kind of card or kind of Target. A choice of several
things is a sequence of single ones: discarding three cards is `discard ...` three times.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from shopfloor.engine.actions import Action, ActionSpace
from shopfloor.engine.refusals import IllegalAction, Refusal
from shopfloor.games.temp_worker_assassins.cards import Cards, loaded
from shopfloor.games.temp_worker_assassins.effects import MAX_OPTIONS
from shopfloor.games.temp_worker_assassins.layout import Layout

SKIP: Final = 0
STOP: Final = 1
ACCEPT: Final = 2
DECLINE: Final = 3
OPTION: Final = 4
FIRST_NAMED: Final = OPTION + MAX_OPTIONS


@dataclass(frozen=True)
class Skip(Action):
    """Place no assassin, where there is no place for one (TA-A26)."""

    def __str__(self) -> str:
        return "skip"


@dataclass(frozen=True)
class Stop(Action):
    """Play no further card in an attempt; only with the option `may_stop_early` (TA-A9)."""

    def __str__(self) -> str:
        return "stop"


@dataclass(frozen=True)
class Accept(Action):
    """Do what an instruction offers (`may ...`)."""

    def __str__(self) -> str:
        return "accept"


@dataclass(frozen=True)
class Decline(Action):
    """Leave out what an instruction offers, or the rest of it."""

    def __str__(self) -> str:
        return "decline"


@dataclass(frozen=True)
class Choose(Action):
    """One of the options of `choose A / B`; the first is number 1."""

    option: int

    def __str__(self) -> str:
        return f"choose {self.option}"


@dataclass(frozen=True)
class _AtSpace(Action):
    """At an action space: a Department's name and the number of the space on its card, from 1."""

    department: str
    space: int

    def __str__(self) -> str:
        return f"{_verb(self)} {self.department} {self.space}"


class Occupy(_AtSpace):
    """Place an assassin there (TA-5.2)."""


class Evict(_AtSpace):
    """Send another player's assassin from there to Security (TA-A40)."""


class MoveFrom(_AtSpace):
    """Relocate the own assassin that stands there (TA-A41)."""


class MoveTo(_AtSpace):
    """Relocate it to there."""


@dataclass(frozen=True)
class _WithCard(Action):
    """With a card, by its name."""

    card: str

    def __str__(self) -> str:
        return f"{_verb(self)} {self.card}"


class Play(_WithCard):
    """Play it in an attempt (TA-6.1)."""


class Discard(_WithCard):
    """From the hand to the own discard pile; with `discard N identical` all N copies at once."""


class Trash(_WithCard):
    """From the hand out of the game (TA-2.1)."""


class Recover(_WithCard):
    """From the own discard pile to the hand."""


class Gain(_WithCard):
    """From the open Supply row to the hand (TA-2.2)."""


class Keep(_WithCard):
    """Of the cards looked at in Research (TA-2.3)."""


@dataclass(frozen=True)
class _AtTarget(Action):
    """At a face-up Target, by its name."""

    target: str

    def __str__(self) -> str:
        return f"{_verb(self)} {self.target}"


class Attempt(_AtTarget):
    """Place an assassin on it and attempt an assassination (TA-6.1)."""


class Swap(_AtTarget):
    """Put it under the Target Deck (TA-A45)."""


VERBS: Final = {
    Occupy: "occupy",
    Evict: "evict",
    MoveFrom: "move from",
    MoveTo: "move to",
    Play: "play",
    Discard: "discard",
    Trash: "trash",
    Recover: "recover",
    Gain: "gain",
    Keep: "keep",
    Attempt: "attempt",
    Swap: "swap",
}


def _verb(action: Action) -> str:
    return VERBS[type(action)]


class OfficeSpace(ActionSpace):
    """The table, which knows a space that no Department has from a word that is no action (TA-T18)."""

    def __init__(self, actions: Sequence[Action], aliases: dict[str, int], cards: Cards) -> None:
        ActionSpace.__init__(self, actions, aliases)
        self._departments = {_plain(name): name for name in cards.department_names}

    def encode(self, action: Action) -> int:
        if isinstance(action, _AtSpace) and action not in self._ids:
            facts: dict[str, object] = {"department": action.department, "number": action.space}
            raise IllegalAction(Refusal("NO_SUCH_SPACE", "TA-5.2", facts))
        return ActionSpace.encode(self, action)

    def parse(self, text: str) -> int:
        plain = _plain(text)
        for kind in (Occupy, Evict, MoveFrom, MoveTo):
            head = VERBS[kind] + " "
            if plain.startswith(head):
                name, _, number = plain[len(head) :].rpartition(" ")
                if name in self._departments and number.isdecimal():
                    return self.encode(kind(self._departments[name], int(number[:6])))
        return ActionSpace.parse(self, text)


def _plain(text: str) -> str:
    return " ".join(re.findall(r"[a-z0-9]+", text.lower()))


@lru_cache(maxsize=64)
def _tables(edition: str) -> tuple[OfficeSpace, Layout]:
    cards = loaded(edition)
    places = [
        (cards.department_names[department], number)
        for department, number in zip(cards.space_department, cards.space_number, strict=True)
    ]
    supply = cards.names[: cards.supply]
    others = [name for i, name in enumerate(cards.target_names) if i != cards.zombie]
    actions: list[Action] = [Skip(), Stop(), Accept(), Decline()]
    actions += [Choose(i + 1) for i in range(MAX_OPTIONS)]
    actions += [Occupy(*place) for place in places]
    actions += [Attempt(name) for name in cards.target_names]
    for with_card in (Play, Discard, Trash, Recover):
        actions += [with_card(name) for name in cards.names]
    for from_supply in (Gain, Keep):
        actions += [from_supply(name) for name in supply]
    for at_space in (Evict, MoveFrom, MoveTo):
        actions += [at_space(*place) for place in places]
    actions += [Swap(name) for name in others]
    layout = Layout(FIRST_NAMED, len(places), len(cards.names), cards.supply, len(cards.target_names))
    assert layout.size == len(actions)
    return OfficeSpace(actions, {"yes": ACCEPT, "no": DECLINE}, cards), layout


def make_space(cards: Cards) -> OfficeSpace:
    """The table of actions with an edition."""
    return _tables(cards.hash)[0]


def layout(cards: Cards) -> Layout:
    """Where the sorts of actions begin with an edition."""
    return _tables(cards.hash)[1]
