"""Tables that never lose or corrupt a move.

Every change is judged on a snapshot, stored with the number that follows, and only then told to anybody. Whoever
finds the number taken by somebody else judges again from what is there now.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Final, TypeVar

import structlog

from shopfloor.bots import LEVELS
from shopfloor.engine.dice import FastDice
from shopfloor.engine.options import resolve_options
from shopfloor.engine.records import dump, record_of
from shopfloor.engine.registry import Registry, UnknownGame
from shopfloor.games import REGISTRY
from shopfloor.tables import checks, play, seating
from shopfloor.tables.draft import Draft
from shopfloor.tables.errors import TableError, UnknownTable
from shopfloor.tables.fold import Fold
from shopfloor.tables.model import Answer, Created, Seated, Table
from shopfloor.tables.rows import Entry
from shopfloor.tables.store import Conflict, Store

log = structlog.get_logger(__name__)

DEFAULT_URL: Final = "sqlite:///shopfloor.db"
TABLES_CACHED: Final = 256
ATTEMPTS: Final = 100

T = TypeVar("T")
News = Callable[[str, int], None]


class Tables:
    """All tables of one database. Every method may be called from any thread.

    Methods that change something raise `TableError` (or `IllegalAction`, `BadSetup` where a game's rules refuse), and
    then nothing has changed. A token is a secret text that `create` and `sit` make, or that the caller brings.
    """

    def __init__(self, url: str = DEFAULT_URL, registry: Registry = REGISTRY) -> None:
        """Opens the database and brings it up to date. Raises StorageError."""
        self._registry = registry
        self._store = Store(url)
        self._cache: OrderedDict[str, Fold] = OrderedDict()
        self._cache_lock = threading.Lock()
        # One judgement at a time for a table, so that threads seldom have to judge again.
        self._table_locks = [threading.Lock() for _ in range(64)]
        self._listeners: dict[object, News] = {}

    def close(self) -> None:
        """Let go of the database. What was answered is stored already."""
        self._listeners.clear()
        self._store.close()

    # -- looking ------------------------------------------------------------------------------------------------

    def table(self, table_id: str) -> Table:
        """The table as it is now. Raises UnknownTable; RULES_GONE if the game itself is not here any more."""
        return self._current(checks.table_id(table_id)).table()

    def seat_of(self, table_id: str, token: str | None) -> int | None:
        """Where this token sits, or None. Raises UnknownTable."""
        fold = self._current(checks.table_id(table_id))
        return fold.seat_of(checks.token_hash(token)) if token and checks.well_formed(token) else None

    def manages(self, table_id: str, token: str | None) -> bool:
        """May this token fill seats and start: who made the table, or sits at it? Raises UnknownTable."""
        fold = self._current(checks.table_id(table_id))
        if not token or not checks.well_formed(token):
            return False
        hashed = checks.token_hash(token)
        return hashed == fold.creator or fold.seat_of(hashed) is not None

    def listing(self, token: str | None = None, limit: int = 50) -> list[Table]:
        """Tables, newest first; with a token those that its owner made or has sat at."""
        if token is not None and not checks.well_formed(token):
            return []
        found = []
        for table_id, number in self._store.newest(limit, checks.token_hash(token) if token else None):
            try:
                found.append(self._current(table_id, number).table())
            except TableError as error:  # a game that is not here any more cannot be shown
                log.warning("table_not_listed", table=table_id, reason=error.sentence)
        return found

    def with_computers(self) -> list[str]:
        """Ids of the tables under way at which a computer may have to decide."""
        return self._store.with_computers()

    def record(self, table_id: str) -> str:
        """The game as a record, with names and seed. Raises STILL_RUNNING before it is over; RULES_GONE."""
        fold = self._current(checks.table_id(table_id))
        if fold.rules_gone:
            raise fold.rules_gone
        if fold.state is None or not fold.over:
            raise TableError("STILL_RUNNING")
        header = fold.header
        decisions = [(d.seat, d.action) for d in fold.decisions]
        names = [info.name for info in fold.seats]
        seed, players, options = header.seed, header.players, header.options
        record = record_of(fold.game, fold.edition, seed, players, options, decisions, fold.state, names)
        return dump(record, fold.state.space.name)

    # -- before the start -----------------------------------------------------------------------------------------

    def create(
        self,
        game: str,
        players: int,
        options: Mapping[str, str] | None = None,
        name: str = "",
        token: str | None = None,
    ) -> Created:
        """A new table with all seats free. Raises UnknownGame, BadSetup, BAD_TOKEN, NAME_UNFIT."""
        found = self._registry.get(game)
        found.start(players, FastDice(0), options)  # the game itself says whether it can be set up like that
        resolved = resolve_options(found.options, options or {}, players)
        token = token or checks.new_token()
        hashed = checks.token_hash(token)
        called = checks.table_name(name)
        now = time.time()
        while True:
            header = seating.header(found, found.edition().hash, players, resolved, called, now)
            try:
                self._store.append(header.id, (), None, (header, [Entry(1, now, "create", token=hashed)]))
            except Conflict:  # an id that is taken: as good as never
                continue
            self._tell(header.id, 1)
            return Created(header.id, token)

    def sit(
        self, table_id: str, name: str, token: str | None = None, seat: int | None = None, key: str | None = None
    ) -> Seated:
        """Take a seat (None: the first free one). The same token again moves there or changes the name, before the
        start; after it, it gets the seat it has.

        Raises NAME_MISSING, NAME_UNFIT, NAME_TAKEN, SEAT_TAKEN, NO_SUCH_SEAT, TABLE_FULL, ALREADY_STARTED, KEY_REUSED.
        """
        if key is not None:
            checks.key(key)
        own = token or checks.new_token()
        hashed = checks.token_hash(own)
        taken, number = self._change(table_id, lambda d: seating.sit(d, name, hashed, seat, key))
        return Seated(taken, own, number)

    def stand_up(self, table_id: str, token: str | None) -> Table:
        """Free one's seat. Raises NOT_SEATED, ALREADY_STARTED."""
        return self._change(table_id, lambda d: seating.stand_up(d, token))

    def add_bot(
        self, table_id: str, token: str | None, level: str, seat: int | None = None, key: str | None = None
    ) -> Table:
        """A computer of this level takes a seat (None: the first free one).

        Raises UNKNOWN_LEVEL, NOT_MANAGER, SEAT_TAKEN, NO_SUCH_SEAT, TABLE_FULL, ALREADY_STARTED, KEY_REUSED.
        """
        known_level(level)
        if key is not None:
            checks.key(key)
        return self._change(table_id, lambda d: seating.add_bot(d, token, level, seat, key))

    def remove_bot(self, table_id: str, token: str | None, seat: int) -> Table:
        """Free a computer's seat. Raises NOT_MANAGER, NO_SUCH_SEAT, SEAT_TAKEN (by a person), ALREADY_STARTED."""
        return self._change(table_id, lambda d: seating.remove_bot(d, token, seat))

    def start(self, table_id: str, token: str | None) -> Table:
        """Begin the game; a game that has begun stays as it is. Raises NOT_MANAGER, SEATS_FREE."""
        return self._change(table_id, lambda d: seating.start(d, token))

    # -- during the game ------------------------------------------------------------------------------------------

    def act(self, table_id: str, token: str | None, action: int, based_on: int, key: str) -> Answer:
        """Decide. based_on: the `Table.number` of the page that the decision was made on. key: of this request.

        The same key again gives the first answer. Who had left is back by this.

        Raises NOT_SEATED, NOT_STARTED, STALE (facts: number, since: the LogLines that `based_on` did not know),
        KEY_REUSED, BAD_KEY, RULES_GONE; IllegalAction.
        """
        checks.key(key)
        return self._change(table_id, lambda d: play.act(d, token, action, based_on, key))

    def act_for_bot(self, table_id: str, seat: int, action: int, based_on: int) -> Answer:
        """A computer decides. based_on: the `decision_number` it thought about; a second answer to it is not needed.

        Raises STALE if that is no longer the question, or no computer plays for the seat; IllegalAction.
        """
        return self._change(table_id, lambda d: play.act_for_bot(d, seat, action, based_on))

    def undo(self, table_id: str, token: str | None, number: int, key: str) -> Answer:
        """Take back one's own last decision, log entry `number`. It stays in the log, marked.

        Raises UNDO_REFUSED, NOT_SEATED, NOT_STARTED, KEY_REUSED, BAD_KEY, RULES_GONE.
        """
        checks.key(key)
        return self._change(table_id, lambda d: play.undo(d, token, number, key))

    def leave(self, table_id: str, token: str | None, level: str = "greedy") -> Table:
        """A computer plays on until one is `back`; before the start this is `stand_up`.

        Raises NOT_SEATED, UNKNOWN_LEVEL.
        """
        known_level(level)
        return self._change(table_id, lambda d: play.leave(d, token, level))

    def back(self, table_id: str, token: str | None) -> Table:
        """Play oneself again. Raises NOT_SEATED, NOT_STARTED."""
        return self._change(table_id, lambda d: play.back(d, token))

    def rematch(self, table_id: str, token: str | None) -> str:
        """The id of the table at which the same people and computers play again; the first who asks makes it.

        Raises NOT_MANAGER, STILL_RUNNING, RULES_GONE.
        """
        return self._change(table_id, lambda d: seating.rematch(d, token))

    # -- news -----------------------------------------------------------------------------------------------------

    def subscribe(self, callback: News) -> Callable[[], None]:
        """Have `callback(table_id, number)` called after every change made here, from the thread that made it.

        Returns what ends it. Numbers of a table may arrive out of order; the highest is the newest.
        """
        mark = object()
        self._listeners[mark] = callback
        return lambda: self._listeners.pop(mark, None) and None

    def _tell(self, table_id: str, number: int) -> None:
        for callback in list(self._listeners.values()):
            try:
                callback(table_id, number)
            except Exception:  # the move is stored; who listens badly must not make it look otherwise
                log.exception("listener_failed", table=table_id, number=number)

    # -- the one way to read and the one way to write ---------------------------------------------------------------

    def _current(self, table_id: str, at_least: int | None = None) -> Fold:
        """The position now; what other processes have written is read in. at_least: a number that is new enough."""
        with self._cache_lock:
            fold = self._cache.get(table_id)
        if fold is not None and at_least is not None and fold.number >= at_least:
            return fold
        if fold is None:
            header = self._store.header(table_id)
            if header is None:
                raise UnknownTable(table_id)
            try:
                game = self._registry.get(header.game)
            except UnknownGame:
                why = f"the game “{header.game}” is not here any more"
                raise TableError("RULES_GONE", why=why, table=table_id) from None
            fold = Fold.load(header, game, self._store.entries(table_id))
        else:
            entries = self._store.entries(table_id, fold.number)
            if not entries:
                return fold
            fold = fold.copy()
            for entry in entries:
                fold.accept(entry)
        self._remember(table_id, fold)
        return fold

    def _remember(self, table_id: str, fold: Fold) -> None:
        with self._cache_lock:
            known = self._cache.get(table_id)
            if known is None or known.number < fold.number:
                self._cache[table_id] = fold
            self._cache.move_to_end(table_id)
            while len(self._cache) > TABLES_CACHED:
                self._cache.popitem(last=False)

    def _change(self, table_id: str, judge: Callable[[Draft], T]) -> T:
        """Judge a change, store it, tell it. What `judge` raises goes through; then nothing was stored."""
        table_id = checks.table_id(table_id)
        with self._table_locks[hash(table_id) % len(self._table_locks)]:
            for _ in range(ATTEMPTS):
                draft = Draft(self._current(table_id), time.time())
                result = judge(draft)
                if not draft.entries:
                    return result
                try:
                    self._store.append(table_id, draft.entries, draft.new_status(), draft.following)
                except Conflict:
                    continue
                self._remember(table_id, draft.fold)
                break
            else:
                raise RuntimeError(f"table {table_id}: overtaken {ATTEMPTS} times in a row")
        self._tell(table_id, draft.fold.number)
        if draft.following is not None:
            self._tell(draft.following[0].id, len(draft.following[1]))
        return result


def known_level(level: str) -> str:
    """Raises UNKNOWN_LEVEL."""
    if level not in LEVELS:
        raise TableError("UNKNOWN_LEVEL", level=level[:40], known=", ".join(LEVELS))
    return level
