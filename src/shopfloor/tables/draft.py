"""A change to a table that is being judged: the position with it, and the entries to store. Nothing is written yet."""

from __future__ import annotations

from typing import Any

from shopfloor.bots import STAND_IN
from shopfloor.tables import checks
from shopfloor.tables.checks import Token
from shopfloor.tables.errors import TableError
from shopfloor.tables.fold import Fold
from shopfloor.tables.model import Table
from shopfloor.tables.rows import Entry, Header


class Draft:
    """fold: the position with the change. now: the time of the change. entries: what is new.

    following: a table to be made along with it. motions: how entries were carried out by hand, by their numbers.
    edits: what is no longer to be known of older entries, by their numbers.
    """

    def __init__(self, fold: Fold, now: float) -> None:
        self._before = fold
        # Clocks are set back at times; a log does not run backwards.
        self.now = max(now, fold.changed_at)
        self.fold = fold
        self.entries: list[Entry] = []
        self.following: tuple[Header, list[Entry]] | None = None
        self.motions: list[tuple[int, bytes]] = []
        self.edits: list[tuple[int, dict[str, Any]]] = []
        self._table: Table | None = None

    def add(self, kind: str, **fields: Any) -> Entry:
        """The next entry. Raises IllegalAction if the game refuses the decision; then the draft is void."""
        if not self.entries:
            self.fold = self._before.copy()
        entry = Entry(self.fold.number + 1, self.now, kind, **fields)
        self.fold.apply(entry)
        self.entries.append(entry)
        self._table = None
        return entry

    def table(self) -> Table:
        if self._table is None:
            self._table = self.fold.table()
        return self._table

    def new_status(self) -> str | None:
        """The status to store, if this changes it."""
        return self.fold.status if self.fold.status != self._before.status else None

    def settles(self) -> bool:
        """Does this end the game, or begin it anew? Then there are results to be stored, or to be taken back."""
        return self.fold.over != self._before.over

    # -- what is asked of who wants something --------------------------------------------------------------------

    def usable(self) -> None:
        if self.fold.rules_gone:
            raise self.fold.rules_gone

    def not_ended(self) -> None:
        if self.fold.ended:
            raise TableError("ENDED")

    def member(self, token: str) -> None:
        """At a rated table people are signed in. `token` is hashed."""
        if self.fold.rated and not token.startswith("@"):
            raise TableError("RATED_NEEDS_ACCOUNT")

    def open(self) -> None:
        self.usable()
        self.not_ended()
        if self.fold.archived:
            raise TableError("ARCHIVED")
        if self.fold.started:
            raise TableError("ALREADY_STARTED")

    def started(self) -> None:
        self.usable()
        if not self.fold.started:
            raise TableError("NOT_STARTED")

    def going_on(self) -> None:
        """A game that has started and stands still neither by agreement nor by neglect."""
        self.started()
        if self.fold.paused:
            raise TableError("PAUSED")
        self.not_ended()
        if self.fold.archived:
            raise TableError("ARCHIVED")

    def leave_to_computer(self, seat: int, level: str = STAND_IN) -> None:
        """A computer stands in from now on."""
        self.add("away", seat=seat, level=level)

    def manager(self, token: Token | None) -> None:
        if token is None:
            raise TableError("NOT_MANAGER")
        hashed = checks.token_hash(token)
        if hashed != self.fold.creator and self.fold.seat_of(hashed) is None:
            raise TableError("NOT_MANAGER")

    def seat_of(self, token: Token | None) -> int:
        seat = None if token is None else self.fold.seat_of(checks.token_hash(token))
        if seat is None:
            raise TableError("NOT_SEATED")
        return seat

    def existing(self, seat: int) -> int:
        if not 0 <= seat < self.fold.header.players:
            raise TableError("NO_SUCH_SEAT", seat=seat, number=seat + 1, players=self.fold.header.players)
        return seat

    def free_seat(self, seat: int | None) -> int:
        """This seat if it is free, or the first free one."""
        if seat is not None:
            info = self.fold.seats[self.existing(seat)]
            if info.kind != "free":
                raise TableError("SEAT_TAKEN", seat=seat, number=seat + 1, name=info.name)
            return seat
        free = [info.seat for info in self.fold.seats if info.kind == "free"]
        if not free:
            raise TableError("TABLE_FULL", players=self.fold.header.players)
        return free[0]

    def repeated(self, key: str, kind: str, given: str, **same: object) -> Entry | None:
        """The entry that this key has made before, if it was for the same. Raises KEY_REUSED if it was not."""
        entry = self.fold.keys.get(key)
        if entry is None:
            return None
        if entry.kind != kind or any(getattr(entry, name) != value for name, value in same.items()):
            raise TableError("KEY_REUSED", key=given, number=entry.number)
        return entry
