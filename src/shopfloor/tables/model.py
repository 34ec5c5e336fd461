"""What is known of a table. Everything here is a snapshot: it never changes, and any thread may read it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from shopfloor.bots import Seat
from shopfloor.engine.actions import ActionSpace
from shopfloor.engine.dice import Dice
from shopfloor.engine.events import Event
from shopfloor.engine.game import Game
from shopfloor.engine.refusals import Refusal
from shopfloor.engine.views import View
from shopfloor.engine.world import world_of
from shopfloor.tables import checks
from shopfloor.tables.checks import Token
from shopfloor.tables.clock import Clock
from shopfloor.tables.errors import TableError

if TYPE_CHECKING:
    from shopfloor.tables.fold import Fold


@dataclass(frozen=True)
class SeatInfo:
    """A seat. kind: free, person or computer. level: a computer's level. name: empty if free.

    away: the person has left for now, and `stand_in` is the level of the computer that plays meanwhile. offered:
    whoever wants it may take it. silenced: may say nothing here.
    """

    seat: int
    kind: str
    name: str
    level: str | None = None
    away: bool = False
    stand_in: str | None = None
    offered: bool = False
    silenced: bool = False

    @property
    def played_by(self) -> str | None:
        """The level of the computer that decides for this seat now; None: a person does, or nobody sits there."""
        return self.stand_in if self.away else self.level


@dataclass(frozen=True)
class LogLine:
    """One thing that happened at a table, as one viewer may know it.

    number: 1, 2, 3, ... at: seconds since 1970 (UTC). kind: create, sit, stand_up, bot, remove_bot, start, play,
    undo, away, back, rematch, ask, agree, decline, rewind, pause, resume, offer, take, archive, revive, say,
    mute, unmute (told to the one who did it alone), silence or unsilence. text: what was said.
    seat: whose it is, or None. action: the action id of a `play`, told only to that seat (what others may know of it is
    in the events). events: what the game reports of it, as far as the viewer may know.
    undone: this decision was taken back. by_computer: a computer took it. target: the number an `undo` takes back.
    name, level: who sat down, or which computer.
    """

    number: int
    at: float
    kind: str
    seat: int | None = None
    action: int | None = None
    events: tuple[Event, ...] = ()
    undone: bool = False
    by_computer: bool = False
    target: int | None = None
    name: str = ""
    level: str | None = None
    text: str = ""


@dataclass(frozen=True)
class Request:
    """Something that others are asked to agree to. number: of its log entry. kind: undo or pause. seat: who asks.

    target: the number of the decision to be taken back. agreed: the seats that have agreed.
    """

    number: int
    kind: str
    seat: int
    target: int | None
    agreed: frozenset[int]


@dataclass(frozen=True)
class Table:
    """A table as it was after log entry `number`.

    edition: the hash of the cards. options: every option with its value. status: open, playing or over.
    created_at, changed_at: seconds since 1970 (UTC). commitment: SHA-256 of the seed (hex), once the game has started.
    seed: hex, once it is over. rematch: the table that follows this one; rematch_of: the one before it.
    clock: how time is counted. paused: everybody has agreed to stop for now. archived: put away, since nothing
    happened. ended: by the administrator, who alone can open it again. request: what somebody asks the others for.
    hints: may players ask for advice? rated: does the game count for ratings?
    rules_gone: why this table is read-only, or None.
    """

    id: str
    game: Game
    edition: str
    rules_version: str
    name: str
    players: int
    options: Mapping[str, str]
    status: str
    number: int
    seats: tuple[SeatInfo, ...]
    created_at: float
    changed_at: float
    commitment: str | None
    seed: str | None
    rematch: str | None
    rematch_of: str | None
    rules_gone: TableError | None
    clock: Clock
    paused: bool
    archived: bool
    ended: bool
    rated: bool
    hints: bool
    request: Request | None
    _fold: Fold = field(repr=False, compare=False)

    def view(self, seat: int | None) -> View | None:
        """What this seat (None: a spectator) may know of the game; None before the start and if the rules are gone."""
        state = self._fold.state
        return None if state is None else self.game.view(state, seat)

    def deciders(self) -> tuple[int, ...]:
        """The seats that must decide now; none before the start and when it is over."""
        state = self._fold.state
        return () if state is None else state.deciders()

    def legal(self, seat: int) -> tuple[int, ...]:
        """The action ids that this seat may choose now."""
        state = self._fold.state
        return () if state is None else state.legal(seat)

    def by_hand(self, action: int) -> bool:
        """Is this legal action one that only a hand can carry out (`Tables.carry_out`)?"""
        state, world = self._fold.state, world_of(self.game)
        return state is not None and world is not None and world.by_hand(state, action)

    def refusal(self, seat: int, action: int) -> Refusal | None:
        """None if this seat may choose this action now, else why not. Raises ValueError if no game is under way."""
        state = self._fold.state
        if state is None:
            raise ValueError("no game is under way at this table")
        return state.refusal(seat, action)

    def space(self) -> ActionSpace:
        """The table of actions, by the cards that this table plays with."""
        state = self._fold.state
        return self.game.space(self.game.edition()) if state is None else state.space

    def decision_number(self, seat: int) -> int:
        """The log number at which this seat's present decision arose: an action based on an older one is stale."""
        return self._fold.arose[seat]

    def decision_numbers(self) -> tuple[int, ...]:
        """The log numbers of the decisions that stand, in order."""
        return tuple(decision.number for decision in self._fold.decisions)

    def since(self, seat: int) -> tuple[int, ...]:
        """The log numbers of the decisions since this seat's last turn, in order; since the start before its first.

        During one's turn and right after it: those before it.
        """
        return self._fold.since(seat)

    def log(self, seat: int | None, since: int = 0, deaf: Collection[int] = ()) -> list[LogLine]:
        """The lines after number `since`, oldest first, as this seat (None: a spectator) may know them.

        deaf: the seats whose talk the reader does not want to read.
        """
        return self._fold.lines_for(seat, since, deaf)

    def talked(self, since: int = 0) -> bool:
        """Has anybody said something after number `since`?"""
        return self._fold.talked(since)

    def undo_number(self, seat: int) -> int | None:
        """The log number of this seat's last decision that stands, or None."""
        return self._fold.last_decision(seat)

    def undo_refusal(self, seat: int) -> Refusal | None:
        """None if this seat may take its last decision back now, else why not (codes: `errors.UNDO_REASONS`)."""
        return self._fold.undo_refusal(seat)

    def until(self, seat: int) -> float | None:
        """When this seat's time is up (seconds since 1970, UTC); None while its clock stands, or there is none."""
        return self._fold.clocks.until(seat)

    def left(self, seat: int) -> float | None:
        """Seconds left to this seat when its clock was last looked at; None without a clock."""
        return self._fold.clocks.left[seat] if self.clock.on else None

    def awaited(self) -> tuple[int, ...]:
        """The seats whose agreement the open request needs."""
        return self._fold.awaited()

    def maker_seat(self) -> int | None:
        """Where the one sits who made the table; None if they do not."""
        return self._fold.seat_of(self._fold.creator)

    def account(self, seat: int) -> str | None:
        """The id of the account that holds a seat; None where nobody does, or whoever has its secret."""
        token = self._fold.tokens[seat]
        return token[1:] if token is not None and token[0] == "@" else None

    def muted(self, seat: int) -> tuple[int, ...]:
        """The seats that this one does not want to hear."""
        return tuple(sorted(other for who, other in self._fold.muted if who == seat))

    def undo_by_request(self, seat: int) -> bool:
        """May this seat ask the others to take back its last decision?"""
        return self._fold.undo_by_request(seat)

    def bot_seat(self, seat: int, dice: Dice) -> Seat:
        """What a computer player in this seat gets. Raises ValueError if no game is under way."""
        state = self._fold.state
        if state is None:
            raise ValueError("no game is under way at this table")
        return Seat(self.game, state, seat, dice)

    def seat_of(self, token: Token | None) -> int | None:
        """Where this token sits, or None."""
        return self._fold.seat_of(checks.token_hash(token)) if token and checks.well_formed(token) else None

    def managed_by(self, token: Token | None) -> bool:
        """May this token fill seats and start: who made the table, or sits at it?"""
        if not token or not checks.well_formed(token):
            return False
        hashed = checks.token_hash(token)
        return hashed == self._fold.creator or self._fold.seat_of(hashed) is not None

    def names(self) -> tuple[str, ...]:
        """The seats' names, in order."""
        return tuple(info.name for info in self.seats)


@dataclass(frozen=True)
class Place:
    """What somebody is at a table: their seat, if they have one; may they fill seats and start? token: proves it."""

    token: Token | None
    seat: int | None
    manages: bool


@dataclass(frozen=True)
class Created:
    """A new table, and the token of the one who made it (kept nowhere but with them; empty for an account)."""

    table_id: str
    token: str


@dataclass(frozen=True)
class Seated:
    """A seat taken. token: proves it from now on; empty where an account holds it. number: the log entry."""

    seat: int
    token: str
    number: int


@dataclass(frozen=True)
class Answer:
    """A decision stored as log entry `number`. repeated: it had been before. table: as it is now."""

    number: int
    repeated: bool
    table: Table
