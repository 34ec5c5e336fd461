"""Worlds: where decisions are carried out by hand, and what comes of them is measured instead of computed.

A game in which something is done with the hands names a module (`Game.world`) that keeps the contract of `World`.
It is imported only where hands are at work, since it may need more than rules do. What it measures goes into the
log and into records beside the decisions, so that nothing is ever simulated twice.

Between taking something in hand and the moment when all is at rest again no decision is made: a `Session` lives
through that time, tick by tick, and then hands over the decisions of it in one piece, a `Batch`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Protocol, cast

from shopfloor.engine.game import Game
from shopfloor.engine.refusals import Refused
from shopfloor.engine.state import State

TICKS: Final = 60
"""Ticks of a session in a second."""

Told = dict[str, object] | bytes
"""What a session tells: an object that JSON can hold, or a frame."""

NOBODY: Final = 0
"""As the owner of a command or a hand: no window of anybody's."""


@dataclass(frozen=True)
class Batch:
    """Decisions that belong together, with what the world measured, and how it came about.

    decisions: (action id, outcome as the game writes it; None where the world had no say). motion: what `replay` needs
    to show it again; may be empty.
    """

    decisions: tuple[tuple[int, str | None], ...]
    motion: bytes = b""


@dataclass(frozen=True)
class Proposal:
    """Something that a seat might decide now, as it was tried out on a copy of the world.

    action: the decision; if it is one for the hand, the one that it begins with: then piece, pose and via are what
    `World.errand` takes to do it. value: the seat's share of the victory after it, by the game's own judgement, on
    average over the trials; low, high: its 95 % interval. exact: nothing is left to a hand or to chance, so that one
    trial tells all. counted: for each trial, what the game counts (`measures` in its judgement). facts: what
    `words.proposal` says about it.
    """

    action: int
    value: float
    low: float
    high: float
    exact: bool
    counted: tuple[tuple[tuple[str, float], ...], ...]
    facts: Mapping[str, object]
    piece: str = ""
    pose: tuple[float, ...] = ()
    via: tuple[tuple[float, ...], ...] = ()


class HandRefused(Exception):
    """A hand was told to do what it cannot or must not do; nothing has changed. `sentence` says why to people.

    to: the kind of command that is refused, where it was one of a session.
    """

    def __init__(self, code: str, sentence: str, clause: str = "", facts: Mapping[str, object] | None = None) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.clause = clause
        self.facts = dict(facts or {})
        self.to = ""


class WorldMissing(Exception):
    """The game has a world, but what that needs is not installed; the message says what would help."""


class Session(Protocol):
    """A table's world in motion. It is used by one thread at a time, and knows no clock: a tick is a tick.

    number: that of the table's log which it has followed.
    """

    number: int

    def hello(self, seat: int | None, owner: int, first: bool = True) -> dict[str, object]:
        """All that a window needs to show the world: `owner` is its number, `first`: it knows nothing yet."""
        ...

    def command(self, seat: int, owner: int, message: Mapping[str, object] | bytes) -> list[Told]:
        """A command from a seat's window; what is to be told to all. Raises HandRefused."""
        ...

    def left(self, owner: int) -> None:
        """A window has closed."""
        ...

    def errand(self, seat: int, errand: object, patient: bool = True) -> list[Told]:
        """The world's own hand is to carry this out (`World.think`, `World.errand`); patient: at a pace to look at.

        Raises HandRefused.
        """
        ...

    def busy(self) -> bool:
        """Is something in a hand or on its way, so that no other decision can be made now?"""
        ...

    def awake(self) -> bool:
        """Must it be ticked? While it sleeps nothing moves and no clock runs."""
        ...

    def tick(self) -> list[Told]:
        """Go on by a tick; what is to be told."""
        ...

    def frame(self, full: bool = False) -> bytes:
        """The world as it moves, for windows; full: everything, not only what has moved."""
        ...

    def due(self) -> tuple[int, Batch] | None:
        """Whose decisions are ready to be stored, and which; they stay so until `follow` is called."""
        ...

    def follow(self, state: State, number: int, people: frozenset[int], done: bool) -> list[Told]:
        """The table has come to this position; done: by what was due. What is to be told.

        people: the seats that people play for now. A `{"t": "hello"}` stands for each window's own `hello`.
        """
        ...


class World(Protocol):
    """A game's world: the module that `Game.world` names. States are the game's own, with nothing in a hand."""

    def by_hand(self, state: State, action: int) -> bool:
        """Is this legal decision one that only a hand can carry out, in a batch?"""
        ...

    def measured(self, state: State, action: int) -> str | None:
        """What the world measures when it has had its way with this legal decision of an ordinary kind.

        None where it has no say. `state` stays as it is.
        """
        ...

    def begin(self, state: State, number: int, names: Sequence[str], people: frozenset[int]) -> Session:
        """A session at a stored position. people: the seats that people play for. Raises HandRefused if it cannot be.

        `state` is the session's own from now on; what is hidden in it may be imagined.
        """
        ...

    def carry(self, state: State, errand: object) -> Batch:
        """Carry out an errand at once, with nobody looking. `state` stays as it is. Raises HandRefused."""
        ...

    def replay(self, motion: bytes) -> bytes:
        """A batch's motion as it is sent to those who want to see it again."""
        ...

    def think(self, state: State, level: str, seed: int, budget: float) -> int | object:
        """What a computer decides: an ordinary decision, or an errand for the world's own hand. Picklable.

        state: imagined by the one who has to decide. level: of a computer player. budget: seconds, about.
        """
        ...

    def propose(self, state: State, seed: int, spent: Callable[[], float]) -> list[Proposal]:
        """What whoever has to decide might do, the best first, tried out on copies of the world; `state` stays.

        Empty where trials tell nothing. state: imagined by the one who has to decide. spent: the part of the time
        that is gone; at 1 it ends, soon after. The game's words tell of it: `words.proposal(action, facts, view)`
        gives a title and sentences.
        """
        ...

    def errand(
        self,
        state: State,
        seat: int,
        piece: str | int,
        pose: Sequence[float],
        via: Sequence[Sequence[float]],
    ) -> object:
        """An errand for this seat: take this piece there, by way of other poses.

        A pose is x, y, z; with a turn about the vertical in degrees; or with a quaternion w, x, y, z. Raises
        HandRefused or IllegalAction where it makes no sense.
        """
        ...

    def form(self, state: State, seat: int, fields: Mapping[str, str]) -> object:
        """An errand from the fields of a form of the game's page, for people without a pointer. Raises as `errand`."""
        ...

    def arrangement(self, state: State, seat: int, poses: Mapping[str, Sequence[float]]) -> object:
        """An errand: lay out all these pieces at once, where the game allows it. Raises as `errand` does."""
        ...

    def help(self, state: State) -> str:
        """How a person in a terminal tells the world's hand what to do now; empty if there is nothing to do by hand."""
        ...


def has_world(game: Game) -> bool:
    """Does the game have a world, installed or not?"""
    return bool(game.world)


def find_world(game: Game) -> World:
    """The game's world. Raises WorldMissing; ValueError for a game that has none."""
    if not game.world:
        raise ValueError(f"{game.title} is played without hands")
    found, missing = _load(game.world)
    if missing:
        raise WorldMissing(missing)
    return cast(World, found)


def world_of(game: Game) -> World | None:
    """The game's world, or None if it has none or it cannot be used here: the dice then say what hands do."""
    return cast(World, _load(game.world)[0]) if game.world else None


@lru_cache(maxsize=16)
def _load(module: str) -> tuple[object, str]:
    """The module, or why not."""
    try:
        return importlib.import_module(module), ""
    except ModuleNotFoundError as error:
        return None, f"“{error.name}” is not installed here: pip install 'shopfloor[dexterity]'"


def refused(error: Refused, sentence: str) -> HandRefused:
    """What the rules of the game refuse, as a hand's refusal."""
    found = error.refusal
    return HandRefused(found.code, sentence, found.clause, dict(found.facts))
