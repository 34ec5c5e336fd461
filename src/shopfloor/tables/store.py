"""The log on disk: SQLite in one file, or PostgreSQL by its URL.

(table, number) is the primary key, so of two writers at once exactly one gets a number; the other learns it by a
`Conflict`. A write is one transaction: all of it is on disk when the call returns, or nothing of it.
"""

from __future__ import annotations

import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.util import CommandError

from shopfloor.tables.errors import StorageError
from shopfloor.tables.group_commit import GroupCommit
from shopfloor.tables.rows import Entry, Header
from shopfloor.tables.schema import LOG, MOTIONS, SHARED, TABLES
from shopfloor.tables.signals import CHANNEL, Signals

BUSY_SECONDS: Final = 20
SQLITE: Final[dict[str, Any]] = {"connect_args": {"timeout": BUSY_SECONDS}}
# `pool_pre_ping`: a server that was restarted in the meantime is noticed before something is asked of it.
POSTGRESQL: Final[dict[str, Any]] = {
    "pool_pre_ping": True,
    "pool_size": 10,
    "max_overflow": 10,
    # `client_encoding`: a database without one of its own (SQL_ASCII) would answer in bytes.
    "connect_args": {"connect_timeout": 10, "application_name": "shopfloor", "client_encoding": "utf8"},
}
ENTRY: Final = [LOG.c[f.name] for f in fields(Entry)]
HEADER: Final = [TABLES.c[f.name] for f in fields(Header)]
ENTRIES: Final = (
    sa.select(*ENTRY)
    .where(LOG.c.table_id == sa.bindparam("table"), LOG.c.number > sa.bindparam("after"))
    .order_by(LOG.c.number)
)
HEADER_OF: Final = sa.select(*HEADER).where(TABLES.c.id == sa.bindparam("table"))


class Prepared:
    """A statement in the words of a database's driver: SQLAlchemy takes longer over one than SQLite does.

    names: of what is bound, in the statement's order; the driver wants them in a row or by name.
    """

    def __init__(self, statement: Any, engine: sa.Engine) -> None:
        compiled = statement.compile(engine)
        self.text = str(compiled)
        self._order: list[str] | None = compiled.positiontup

    def bound(self, values: Mapping[str, Any]) -> Any:
        """What is bound, as the driver takes it."""
        return values if self._order is None else tuple([values[name] for name in self._order])


class Conflict(Exception):
    """Somebody else has written this number or key meanwhile; nothing was stored."""


def sqlite_url(path: Path | str) -> str:
    """The URL of a database file."""
    return sa.URL.create("sqlite", database=str(path)).render_as_string()


class Store:
    """The database behind `Tables`. Any number of threads and processes may use it at once."""

    def __init__(self, url: str) -> None:
        """Opens the database, makes it if it is not there, and brings it up to date. Raises StorageError."""
        try:
            parsed = sa.make_url(url)
        except sa.exc.ArgumentError:
            raise StorageError(f"'{url}' is not a database URL, such as sqlite:///shopfloor.db") from None
        backend = parsed.get_backend_name()
        if backend not in ("sqlite", "postgresql"):
            raise StorageError(f"tables are kept in SQLite or PostgreSQL, not in '{backend}'")
        if parsed.drivername == "postgresql":
            parsed = parsed.set(drivername="postgresql+psycopg")
        self._url = parsed
        self._sqlite = backend == "sqlite"
        if self._sqlite and parsed.database in (None, "", ":memory:"):
            raise StorageError("tables need a database file, such as sqlite:///shopfloor.db")
        # SQLite lets one writer in at a time, and who waits for another process sleeps: threads queue here instead.
        self._turn: AbstractContextManager[Any] = threading.Lock() if self._sqlite else nullcontext()
        self._name = secrets.token_hex(8)
        try:
            self._engine = sa.create_engine(parsed, **(SQLITE if self._sqlite else POSTGRESQL))
        except ModuleNotFoundError as error:
            raise StorageError(f"{error.name} is missing: pip install 'shopfloor[postgresql]'") from None
        # A single statement needs no transaction around it, and no journey to the server for one.
        self._reading = self._engine if self._sqlite else self._engine.execution_options(isolation_level="AUTOCOMMIT")
        if self._sqlite:
            sa.event.listen(self._engine, "connect", _set_up)
            sa.event.listen(self._engine, "begin", _begin)
        self._writing = self._engine.execution_options(writing=True)
        self._entries = Prepared(ENTRIES, self._engine)
        self._insert = Prepared(LOG.insert(), self._engine)
        self._group = GroupCommit(self._writing.begin, self._turn) if self._sqlite else None
        try:
            if self._sqlite:
                Path(str(parsed.database)).parent.mkdir(parents=True, exist_ok=True)
                self._use_wal()
            self._upgrade()
        except (sa.exc.DBAPIError, OSError) as error:
            self.close()
            reason = getattr(error, "orig", error)
            raise StorageError(f"the database {parsed.render_as_string()} cannot be used: {reason}") from error

    def _use_wal(self) -> None:
        until = time.monotonic() + BUSY_SECONDS
        with self._engine.connect() as connection:
            while connection.exec_driver_sql("PRAGMA journal_mode").scalar() != "wal":
                # Switching needs the file for itself, and SQLite does not wait for that of its own accord.
                try:
                    connection.exec_driver_sql("PRAGMA journal_mode = WAL")
                except sa.exc.OperationalError:
                    if time.monotonic() > until:
                        raise
                    time.sleep(0.02)

    def _upgrade(self) -> None:
        config = Config()
        config.set_main_option("script_location", "shopfloor.tables:migrations")
        config.set_main_option("path_separator", "os")
        with self.writing() as connection:
            if not self._sqlite:
                connection.exec_driver_sql("SELECT pg_advisory_xact_lock(7402963)")  # one upgrade at a time
            config.attributes["connection"] = connection
            try:
                command.upgrade(config, "head")
            except CommandError as error:
                raise StorageError(
                    f"the database was written by another version of Shopfloor, newer than this one ({error})"
                ) from error

    def close(self) -> None:
        self._engine.dispose()

    @property
    def is_sqlite(self) -> bool:
        """Is it one file, and so one server's?"""
        return self._sqlite

    @contextmanager
    def writing(self) -> Iterator[sa.Connection]:
        """A transaction: all that is written in the block is stored when it ends, or nothing if it raises."""
        with self._turn, self._writing.begin() as connection:
            yield connection

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """A connection for looking: each statement sees what is stored at its moment."""
        with self._reading.connect() as connection:
            yield connection

    def signals(self, told: Callable[[str, int], None], anew: Callable[[], None]) -> Signals | None:
        """Calls `told(table, number)` for what other processes write; None where there are no others.

        `anew()` when some of it may have been missed.
        """
        if self._sqlite:
            return None
        return Signals(self._url.set(drivername="postgresql"), self._name, told, anew)

    def shared(self, name: str, value: str) -> str:
        """What all servers on this database agree on: the first one's `value` holds for all."""
        query = sa.select(SHARED.c.value).where(SHARED.c.name == name)
        with self._reading.connect() as connection:
            found: str | None = connection.execute(query).scalar()
        if found is not None:
            return found
        try:
            with self.writing() as connection:
                connection.execute(SHARED.insert(), {"name": name, "value": value})
        except sa.exc.IntegrityError:  # another server was faster
            return self.shared(name, value)
        return value

    # -- reading ----------------------------------------------------------------------------------------------

    def read(self, query: sa.Select[Any]) -> Sequence[Any]:
        """All rows that a query finds."""
        with self._reading.connect() as connection:
            return connection.execute(query).all()

    def header(self, table_id: str) -> Header | None:
        with self._reading.connect() as connection:
            row = connection.execute(HEADER_OF, {"table": table_id}).first()
        return Header(*row) if row else None

    def entries(self, table_id: str, after: int = 0) -> list[Entry]:
        """The log of a table from number `after` + 1 on."""
        asked = self._entries.bound({"table": table_id, "after": after})
        if not self._sqlite:
            with self._reading.connect() as connection:
                return [_entry(row) for row in connection.exec_driver_sql(self._entries.text, asked)]
        with _as_sqlalchemy_tells(), closing(self._engine.raw_connection()) as pooled:
            return [_entry(row) for row in _execute(pooled, self._entries.text, asked)]

    def newest(self, limit: int, tokens: Collection[str] | None = None) -> list[tuple[str, int]]:
        """Ids of tables with their last log number, newest first.

        tokens: hashes; only tables which the holder of one of them made, or at which they sat.
        """
        last = sa.select(sa.func.max(LOG.c.number)).where(LOG.c.table_id == TABLES.c.id).scalar_subquery()
        query = sa.select(TABLES.c.id, last).order_by(TABLES.c.created_at.desc(), TABLES.c.id).limit(limit)
        if tokens is not None:
            query = query.where(TABLES.c.id.in_(sa.select(LOG.c.table_id).where(LOG.c.token.in_(tokens))))
        with self._reading.connect() as connection:
            return [(row[0], row[1]) for row in connection.execute(query)]

    def with_computers(self) -> list[str]:
        """Ids of the tables under way at which a computer may have something to decide."""
        played = sa.select(LOG.c.table_id).where(LOG.c.kind.in_(("bot", "away", "replace", "free")))
        query = sa.select(TABLES.c.id).where(TABLES.c.status == "playing", TABLES.c.id.in_(played))
        with self._reading.connect() as connection:
            return list(connection.execute(query.order_by(TABLES.c.created_at)).scalars())

    def over(self) -> list[str]:
        """Ids of the tables whose games are over."""
        with self._reading.connect() as connection:
            return list(connection.execute(sa.select(TABLES.c.id).where(TABLES.c.status == "over")).scalars())

    def motions_of(self, table_id: str) -> list[int]:
        """The numbers of a table's entries with a motion, ascending."""
        query = sa.select(MOTIONS.c.number).where(MOTIONS.c.table_id == table_id).order_by(MOTIONS.c.number)
        with self._reading.connect() as connection:
            return list(connection.execute(query).scalars())

    def motion(self, table_id: str, number: int) -> bytes | None:
        """How an entry was carried out by hand."""
        query = sa.select(MOTIONS.c.data).where(MOTIONS.c.table_id == table_id, MOTIONS.c.number == number)
        with self._reading.connect() as connection:
            found = connection.execute(query).scalar()
        return None if found is None else bytes(found)

    def with_clocks(self) -> list[str]:
        """Ids of the tables under way at which time is counted."""
        query = sa.select(TABLES.c.id).where(TABLES.c.status == "playing", TABLES.c.clock != "none")
        with self._reading.connect() as connection:
            return list(connection.execute(query).scalars())

    def quiet(self, open_since: float, playing_since: float) -> list[str]:
        """Ids of the tables that were last changed before these times, while open or while playing."""
        last = sa.select(sa.func.max(LOG.c.at)).where(LOG.c.table_id == TABLES.c.id).scalar_subquery()
        is_open = sa.and_(TABLES.c.status == "open", TABLES.c.created_at < open_since, last < open_since)
        playing = sa.and_(TABLES.c.status == "playing", TABLES.c.created_at < playing_since, last < playing_since)
        with self._reading.connect() as connection:
            return list(connection.execute(sa.select(TABLES.c.id).where(sa.or_(is_open, playing))).scalars())

    def count_by_status(self) -> dict[str, int]:
        query = sa.select(TABLES.c.status, sa.func.count()).group_by(TABLES.c.status)
        with self._reading.connect() as connection:
            return {row[0]: row[1] for row in connection.execute(query)}

    # -- writing ----------------------------------------------------------------------------------------------

    def _add(self, connection: sa.Connection, table_id: str, entries: Sequence[Entry]) -> None:
        for entry in entries:
            self._run(connection, self._insert.text, self._insert.bound({"table_id": table_id, **vars(entry)}))

    def _run(self, connection: sa.Connection, text: str, bound: Any) -> Iterable[Any]:
        if self._sqlite:
            with _as_sqlalchemy_tells():
                return _execute(connection.connection, text, bound)
        return connection.exec_driver_sql(text, bound)

    def append(
        self,
        table_id: str,
        entries: Sequence[Entry],
        status: str | None = None,
        new: tuple[Header, Sequence[Entry]] | None = None,
        motions: Sequence[tuple[int, bytes]] = (),
        edits: Sequence[tuple[int, dict[str, Any]]] = (),
        also: Callable[[sa.Connection], None] | None = None,
        after: Entry | None = None,
    ) -> None:
        """Store entries of a table, with motions by number, its status if changed, and a new table, all or nothing.

        edits: what older entries are to hold from now on, by number. also: does more in the same transaction.
        after: the entry that the log ends with, where that is to be looked at once more before anything is stored.
        Raises Conflict if a number or key is taken, or if the log ends otherwise.
        """

        def write(connection: sa.Connection) -> None:
            if new is not None:
                connection.execute(TABLES.insert(), asdict(new[0]))
                self._add(connection, new[0].id, new[1])
            if after is not None:
                asked = self._entries.bound({"table": table_id, "after": after.number - 1})
                if [_entry(row) for row in self._run(connection, self._entries.text, asked)] != [after]:
                    raise Conflict(f"table {table_id} does not end with entry {after.number}")
            self._add(connection, table_id, entries)
            if motions:
                rows = [{"table_id": table_id, "number": number, "data": data} for number, data in motions]
                connection.execute(MOTIONS.insert(), rows)
            for number, values in edits:
                one = sa.and_(LOG.c.table_id == table_id, LOG.c.number == number)
                connection.execute(LOG.update().where(one).values(values))
            if also is not None:
                also(connection)
            if status is not None:
                connection.execute(TABLES.update().where(TABLES.c.id == table_id).values(status=status))
            if not self._sqlite:
                # Told to the other processes when, and only if, it is stored.
                for table, last in [(table_id, entries[-1:]), *([(new[0].id, new[1][-1:])] if new else [])]:
                    for entry in last:
                        news = f"{self._name} {table} {entry.number}"
                        connection.execute(sa.select(sa.func.pg_notify(CHANNEL, news)))

        try:
            if self._group is not None:
                self._group.store(write)
            else:
                with self.writing() as connection:
                    write(connection)
        except sa.exc.IntegrityError as error:
            raise Conflict(str(error.orig)) from error


def _execute(pooled: sa.PoolProxiedConnection, text: str, bound: Any = ()) -> Iterable[Any]:
    """Have SQLite's driver do it without detours. Raises what the driver raises."""
    driver: Any = pooled.driver_connection
    return driver.execute(text, bound).fetchall()  # type: ignore[no-any-return]


@contextmanager
def _as_sqlalchemy_tells() -> Iterator[None]:
    """What SQLite's driver raises in this block is told as SQLAlchemy would have told it."""
    try:
        yield
    except sqlite3.Error as error:
        raise sa.exc.DBAPIError.instance(None, None, error, sqlite3.Error) from error


def _entry(row: Sequence[Any]) -> Entry:
    number, at, kind, key, seat, action, computer, *others = row
    return Entry(number, at, kind, key, seat, action, bool(computer), *others)


def _set_up(connection: Any, _record: object) -> None:
    # Transactions begin where `_begin` says so, not where the driver guesses.
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000}")
    cursor.execute("PRAGMA synchronous = FULL")  # an answer is given only for what is on disk
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _begin(connection: sa.Connection) -> None:
    if connection.get_execution_options().get("writing"):
        with _as_sqlalchemy_tells():
            _execute(connection.connection, "BEGIN IMMEDIATE")
