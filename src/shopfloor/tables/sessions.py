"""Worlds in motion: one session and one thread for each table at which somebody looks on or builds by hand.

A session belongs to this process. What it has finished is stored first and told then; what it has not finished is
lost with the process, and the game goes on from what was stored last.
"""

from __future__ import annotations

import contextlib
import itertools
import queue
import secrets
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Final

import structlog

from shopfloor.engine.dice import FastDice
from shopfloor.engine.refusals import Refused
from shopfloor.engine.state import State
from shopfloor.engine.world import NOBODY, TICKS, HandRefused, Session, Told, World, WorldMissing, find_world
from shopfloor.tables import checks
from shopfloor.tables.checks import Token
from shopfloor.tables.errors import TableError
from shopfloor.tables.model import Answer, Table
from shopfloor.tables.service import Tables

log = structlog.get_logger(__name__)

MOST_ROOMS: Final = 16
MOST_WINDOWS: Final = 100
ASLEEP: Final = 0.5  # seconds between signs of life while nothing moves
LATE: Final = 0.25  # seconds after which time lost is not made up for
LINGER: Final = 5.0  # seconds for which an empty room is kept: pages are reloaded
STORE_TRIES: Final = 5
STORE_PAUSE: Final = 0.2
CRASHES_BORNE: Final = 3
PATIENCE: Final = 300.0  # seconds that the slowest of hands may need

Hear = Callable[[Told | None], None]


def world_state(table: Table) -> State:
    """The position for a session: what is hidden in it is imagined, so that no session can tell it."""
    seat = next(iter(table.deciders()), 0)
    dice = FastDice(secrets.randbits(62))
    return table.bot_seat(seat, dice).imagine(dice)


def people(table: Table) -> frozenset[int]:
    """The seats for which a person decides now; none while the table stands still."""
    if table.paused or table.archived:
        return frozenset()
    return frozenset(info.seat for info in table.seats if info.kind == "person" and info.played_by is None)


def playable_world(table: Table) -> World:
    """The world of a game under way. Raises TableError: NO_WORLD, NOT_STARTED, RULES_GONE."""
    if not table.game.world:
        raise TableError("NO_WORLD", why=f"{table.game.title} is played without hands")
    try:
        world = find_world(table.game)
    except WorldMissing as error:
        raise TableError("NO_WORLD", why=str(error)) from None
    if table.rules_gone:
        raise table.rules_gone
    if table.status == "open":
        raise TableError("NOT_STARTED")
    return world


@dataclass(eq=False)
class Window:
    """Somebody who looks on, and may build if the seat is one that decides. number: its own.

    hear: is told everything, from the room's thread; None: the room is closed.
    """

    room: Room
    number: int
    seat: int | None
    hear: Hear

    def send(self, message: dict[str, object] | bytes) -> None:
        """Hand in a command; what it comes to is heard."""
        self.room.put(lambda: self.room.command(self, message))

    def look_again(self) -> None:
        """Hear where everything is: something was missed."""
        self.room.put(lambda: self.room.show(self))

    def close(self) -> None:
        self.room.put(lambda: self.room.leave(self))


@dataclass
class Carried:
    """An errand under way, to be stored under `key`."""

    seat: int
    key: str
    computer: bool
    future: Future[Answer]


class Room:
    """A table's session, its windows and its thread. Everything but `put` happens in that thread."""

    def __init__(self, sessions: Sessions, table: Table, world: World) -> None:
        self.table_id = table.id
        self._sessions = sessions
        self._tables = sessions.tables
        self._world = world
        self._jobs: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._gate = threading.Lock()
        self._gone = False
        self._windows: dict[int, Window] = {}
        self._numbers = itertools.count(NOBODY + 1)
        self._carried: Carried | None = None
        self._crashes = 0
        self._closed = False
        self._empty_since = time.monotonic()
        self._session = self._begun(table)
        self._thread = threading.Thread(target=self._run, name=f"site-{table.id}", daemon=True)

    def _begun(self, table: Table) -> Session:
        self._table = table
        return self._world.begin(world_state(table), table.number, table.names(), people(table))

    def start(self) -> None:
        self._thread.start()

    def put(self, job: Callable[[], None]) -> bool:
        """Have something done in the room's thread; False if that has ended."""
        with self._gate:
            if not self._gone:
                self._jobs.put(job)
            return not self._gone

    def join_thread(self) -> None:
        self._thread.join(10)

    @property
    def busy(self) -> bool:
        """Is something in a hand, or on its way?"""
        return self._session.busy()

    @property
    def watched(self) -> bool:
        """Does somebody look on, or is about to?"""
        return bool(self._windows) or not self._jobs.empty()

    # -- the thread -----------------------------------------------------------------------------------------------

    def _run(self) -> None:
        due, awake = time.perf_counter(), False
        while not self._closed:
            slept, awake = not awake, self._session.awake()
            now = time.perf_counter()
            if not awake:
                due = now + ASLEEP
            elif slept or now - due > LATE:
                due = now
            try:
                job = self._jobs.get(timeout=max(0.0, due - now))
            except queue.Empty:
                job = self._tick if awake else self._rest
                due += 1 / TICKS
            self._safely(job)
        with self._gate:
            self._gone = True
        while not self._jobs.empty():  # whoever came at the last moment is told
            self._safely(self._jobs.get())
        for window in list(self._windows.values()):
            window.hear(None)
        self._windows.clear()
        self._fail(TableError("HANDS_FULL"))

    def _safely(self, job: Callable[[], None]) -> None:
        """Whatever goes wrong, the table goes on from what is stored."""
        try:
            job()
        except Exception as error:
            self._crashes += 1
            log.exception("site_stumbled", table=self.table_id, crashes=self._crashes)
            self._fail(error)
            if self._closed or self._crashes > CRASHES_BORNE:
                self._close()
                return
            try:
                self._session = self._begun(self._tables.table(self.table_id))
                self._tell([{"t": "hello"}])
            except Exception:
                log.exception("site_closed", table=self.table_id)
                self._close()

    def _close(self) -> None:
        self._closed = True
        self._sessions.forget(self)

    def close(self) -> None:
        """End, from any thread."""
        self.put(self._close)

    def _tick(self) -> None:
        self._tell(self._session.tick())
        self._store()

    def _rest(self) -> None:
        """Nothing moves: a sign of life, and an end when nobody is left."""
        if self._windows:
            self._tell([self._session.frame()])
        elif time.monotonic() - self._empty_since > LINGER:
            self._close()

    def _store(self) -> None:
        """What a hand has done is stored first, and told then."""
        due = self._session.due()
        if due is None:
            return
        seat, batch = due
        carried = self._carried if self._carried is not None and self._carried.seat == seat else None
        key = carried.key if carried is not None else secrets.token_hex(12)
        computer = carried is not None and carried.computer
        for attempt in itertools.count(1):
            try:
                answer = self._tables.carry_out(
                    self.table_id, seat, batch, self._table.decision_number(seat), key, computer
                )
                break
            except (TableError, Refused) as error:
                self._lost(error)
                return
            except Exception:  # the database may be busy or its disk full: that passes
                log.exception("site_not_stored", table=self.table_id, attempt=attempt)
                if attempt >= STORE_TRIES:
                    raise
                time.sleep(STORE_PAUSE * attempt)
        table = answer.table
        self._follow(table, done=True)
        if carried is not None:
            self._carried = None
            carried.future.set_result(answer)

    def _lost(self, error: TableError | Refused) -> None:
        """Somebody was faster, or the rules do not have it: back to what is stored."""
        log.info("hand_lost", table=self.table_id, reason=str(error))
        sentence = error.sentence if isinstance(error, TableError) else str(error)
        code = error.code if isinstance(error, TableError) else error.refusal.code
        self._tell([{"t": "stored_not", "code": code, "sentence": sentence}])
        self._fail(error)
        self._session = self._begun(self._tables.table(self.table_id))
        self._tell([{"t": "hello"}])

    def _fail(self, error: Exception) -> None:
        carried, self._carried = self._carried, None
        if carried is not None:
            carried.future.set_exception(error)

    def _follow(self, table: Table, done: bool = False) -> None:
        self._table = table
        told = self._session.follow(world_state(table), table.number, people(table), done)
        self._tell(told)
        if not done and not self._session.busy():
            self._fail(TableError("STALE"))

    def news(self) -> None:
        """The table has moved on, perhaps."""
        table = self._tables.table(self.table_id)
        if table.rules_gone:
            self._close()
        elif table.number > self._session.number:
            self._follow(table)

    # -- windows --------------------------------------------------------------------------------------------------

    def enter(self, seat: int | None, hear: Hear) -> Window | None:
        """Another window; it is greeted as soon as the thread has time. None: the room has just been closed."""
        window = Window(self, next(self._numbers), seat, hear)
        return window if self.put(lambda: self._greet(window)) else None

    def _greet(self, window: Window) -> None:
        if self._closed or len(self._windows) >= MOST_WINDOWS:
            window.hear(None)
            return
        self._windows[window.number] = window
        window.hear(self._hello(window, True))
        window.hear(self._session.frame(full=True))

    def _hello(self, window: Window, first: bool = False) -> dict[str, object]:
        return {**self._session.hello(window.seat, window.number, first), "table": self.table_id}

    def show(self, window: Window) -> None:
        window.hear(self._session.frame(full=True))

    def leave(self, window: Window) -> None:
        if self._windows.pop(window.number, None) is not None:
            self._session.left(window.number)
            self._empty_since = time.monotonic()

    def command(self, window: Window, message: dict[str, object] | bytes) -> None:
        if window.number not in self._windows:
            return
        if window.seat is None:
            window.hear(_refused("", TableError("NOT_SEATED")))
            return
        try:
            told = self._session.command(window.seat, window.number, message)
        except HandRefused as error:
            window.hear(_refused(error.to, error))
            return
        self._tell(told)
        self._store()

    def _tell(self, messages: list[Told]) -> None:
        for message in messages:
            if isinstance(message, dict) and message == {"t": "hello"}:
                frame = self._session.frame(full=True)
                for window in list(self._windows.values()):
                    window.hear(self._hello(window))
                    window.hear(frame)
                continue
            for window in list(self._windows.values()):
                window.hear(message)

    # -- errands --------------------------------------------------------------------------------------------------

    def carry(self, errand: object, based_on: int, carried: Carried) -> None:
        """Begin with an errand; `carried.future` tells what came of it."""
        if self._closed or self._carried is not None or self._session.busy():
            carried.future.set_exception(TableError("HANDS_FULL"))
            return
        if based_on != self._table.decision_number(carried.seat):
            carried.future.set_exception(TableError("STALE"))
            return
        try:
            told = self._session.errand(carried.seat, errand)
        except (HandRefused, Refused) as error:
            carried.future.set_exception(error)
            return
        self._carried = carried
        self._tell(told)
        self._store()


def _refused(to: str, error: HandRefused | TableError) -> dict[str, object]:
    """What a window is told of a command that was refused."""
    seq = error.facts.pop("seq", None) if isinstance(error, HandRefused) else None
    clause = error.clause if isinstance(error, HandRefused) else ""
    told = {"t": "refused", "code": error.code, "sentence": error.sentence, "clause": clause, "facts": error.facts}
    return {**told, "to": to, "seq": seq}


class Sessions:
    """All worlds in motion of this process. Any thread may call."""

    def __init__(self, tables: Tables, most: int = MOST_ROOMS) -> None:
        """most: how many tables may be in motion at once."""
        self.tables = tables
        self.most = most
        self._lock = threading.Lock()
        self._rooms: dict[str, Room] = {}
        self._closed = False
        self._unsubscribe = tables.subscribe(self._news)
        tables.guard(self.busy)

    def close(self) -> None:
        """End all sessions; what is in a hand is lost."""
        with self._lock:
            self._closed = True
            rooms = list(self._rooms.values())
        self._unsubscribe()
        self.tables.guard(None)
        for room in rooms:
            room.close()
        for room in rooms:
            room.join_thread()

    def forget(self, room: Room) -> None:
        with self._lock:
            if self._rooms.get(room.table_id) is room:
                del self._rooms[room.table_id]

    def busy(self, table_id: str) -> bool:
        """Is something in a hand at this table, or on its way?"""
        room = self._rooms.get(table_id)
        return room is not None and room.busy

    def watched(self, table_id: str) -> bool:
        """Does anybody look on here?"""
        room = self._rooms.get(table_id)
        return room is not None and room.watched

    def in_motion(self) -> int:
        """How many tables have a session."""
        return len(self._rooms)

    def _news(self, table_id: str, _number: int) -> None:
        room = self._rooms.get(table_id)
        if room is not None:
            room.put(room.news)

    def enter(self, table_id: str, seat: int | None, hear: Hear) -> Window:
        """Look on at a table. Raises UnknownTable, NO_WORLD, NOT_STARTED, RULES_GONE, WORLD_BUSY."""
        while True:
            window = self._room(self.tables.table(table_id)).enter(seat, hear)
            if window is not None:
                return window

    def _room(self, table: Table) -> Room:
        world = playable_world(table)
        with self._lock:
            room = self._rooms.get(table.id)
            if room is not None:
                return room
            self._make_way()
            if self._closed or len(self._rooms) >= self.most:
                raise TableError("WORLD_BUSY", most=self.most)
            try:
                room = self._rooms[table.id] = Room(self, table, world)
            except HandRefused as error:
                raise TableError("NO_WORLD", why=error.sentence) from None
        room.start()
        room.put(room.news)  # what has happened since the table was read
        return room

    def place(
        self,
        table_id: str,
        token: Token | None,
        make: Callable[[World, State, int], object],
        based_on: int,
        key: str,
    ) -> Answer:
        """Let the world's own hand do something for who holds a token; waits until all is at rest and stored.

        make: makes the errand of a world, a position and the seat. based_on, key: as for `Tables.act`.
        Raises what that and `carry` raise.
        """
        checks.key(key)
        seat = self.tables.seat_of(table_id, token)
        if seat is None:
            raise TableError("NOT_SEATED")
        own = f"api:{key}"
        known = self.tables.carried_out(table_id, seat, own)
        if known is not None:
            return known
        table = self.tables.table(table_id)
        errand = make(playable_world(table), world_state(table), seat)
        arose = table.decision_number(seat)
        if not arose <= based_on <= table.number:
            raise TableError("STALE", number=table.number, based_on=based_on, since=table.log(seat, based_on))
        return self.carry(table_id, seat, errand, arose, own).result(PATIENCE)

    def _make_way(self) -> None:
        """Rooms that are kept for whoever comes back go first."""
        for room in list(self._rooms.values()):
            if len(self._rooms) < self.most:
                return
            if not room.watched and not room.busy:
                del self._rooms[room.table_id]
                room.close()

    def carry(
        self, table_id: str, seat: int, errand: object, based_on: int, key: str, computer: bool = False
    ) -> Future[Answer]:
        """Let the world's own hand do something for a seat: in everybody's sight if somebody looks on, else at once.

        based_on: the `decision_number` that it was thought about with. The future fails with what the game, its world
        or the table refuses (Refused, HandRefused, TableError).
        """
        future: Future[Answer] = Future()
        room = self._rooms.get(table_id)
        if room is not None and (room.watched or room.busy):
            carried = Carried(seat, key, computer, future)
            if room.put(lambda: room.carry(errand, based_on, carried)):
                return future
        with contextlib.suppress(BaseException):
            future.set_running_or_notify_cancel()
        try:
            table = self.tables.table(table_id)
            batch = playable_world(table).carry(world_state(table), errand)
            future.set_result(self.tables.carry_out(table_id, seat, batch, based_on, key, computer))
        except Exception as error:
            future.set_exception(error)
        return future
