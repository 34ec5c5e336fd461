"""The log on disk: SQLite in one file, or PostgreSQL by its URL.

(table, number) is the primary key, so of two writers at once exactly one gets a number; the other learns it by a
`Conflict`. A write is one transaction: all of it is on disk when the call returns, or nothing of it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.util import CommandError

from shopfloor.tables.errors import StorageError
from shopfloor.tables.rows import Entry, Header
from shopfloor.tables.schema import LOG, TABLES

BUSY_SECONDS: Final = 20
ENTRY: Final = [LOG.c[f.name] for f in fields(Entry)]
HEADER: Final = [TABLES.c[f.name] for f in fields(Header)]
ENTRIES: Final = (
    sa.select(*ENTRY)
    .where(LOG.c.table_id == sa.bindparam("table"), LOG.c.number > sa.bindparam("after"))
    .order_by(LOG.c.number)
)
HEADER_OF: Final = sa.select(*HEADER).where(TABLES.c.id == sa.bindparam("table"))


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
        self._sqlite = parsed.get_backend_name() == "sqlite"
        if self._sqlite and parsed.database in (None, "", ":memory:"):
            raise StorageError("tables need a database file, such as sqlite:///shopfloor.db")
        # SQLite lets one writer in at a time, and who waits for another process sleeps: threads queue here instead.
        self._turn: AbstractContextManager[Any] = threading.Lock() if self._sqlite else nullcontext()
        self._engine = sa.create_engine(parsed, **({"connect_args": {"timeout": BUSY_SECONDS}} if self._sqlite else {}))
        if self._sqlite:
            sa.event.listen(self._engine, "connect", _set_up)
            sa.event.listen(self._engine, "begin", _begin)
        self._writing = self._engine.execution_options(writing=True)
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
        with self._turn, self._writing.begin() as connection:
            if connection.dialect.name == "postgresql":
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

    # -- reading ----------------------------------------------------------------------------------------------

    def header(self, table_id: str) -> Header | None:
        with self._engine.connect() as connection:
            row = connection.execute(HEADER_OF, {"table": table_id}).first()
        return Header(*row) if row else None

    def entries(self, table_id: str, after: int = 0) -> list[Entry]:
        """The log of a table from number `after` + 1 on."""
        with self._engine.connect() as connection:
            rows = connection.execute(ENTRIES, {"table": table_id, "after": after}).all()
        return [Entry(*row) for row in rows]

    def newest(self, limit: int, token: str | None = None) -> list[tuple[str, int]]:
        """Ids of tables with their last log number, newest first.

        token: the hash of one; only tables which that person made, or at which they sat.
        """
        last = sa.select(sa.func.max(LOG.c.number)).where(LOG.c.table_id == TABLES.c.id).scalar_subquery()
        query = sa.select(TABLES.c.id, last).order_by(TABLES.c.created_at.desc(), TABLES.c.id).limit(limit)
        if token is not None:
            query = query.where(TABLES.c.id.in_(sa.select(LOG.c.table_id).where(LOG.c.token == token)))
        with self._engine.connect() as connection:
            return [(row[0], row[1]) for row in connection.execute(query)]

    def with_computers(self) -> list[str]:
        """Ids of the tables under way at which a computer may have something to decide."""
        played = sa.select(LOG.c.table_id).where(LOG.c.kind.in_(("bot", "away")))
        query = sa.select(TABLES.c.id).where(TABLES.c.status == "playing", TABLES.c.id.in_(played))
        with self._engine.connect() as connection:
            return list(connection.execute(query.order_by(TABLES.c.created_at)).scalars())

    # -- writing ----------------------------------------------------------------------------------------------

    def append(
        self,
        table_id: str,
        entries: Sequence[Entry],
        status: str | None = None,
        new: tuple[Header, Sequence[Entry]] | None = None,
    ) -> None:
        """Store entries of a table, its status if that has changed, and a new table, all or nothing.

        Raises Conflict if a number or key is taken.
        """
        try:
            with self._turn, self._writing.begin() as connection:
                if new is not None:
                    connection.execute(TABLES.insert(), asdict(new[0]))
                    connection.execute(LOG.insert(), [{"table_id": new[0].id, **asdict(e)} for e in new[1]])
                if entries:
                    connection.execute(LOG.insert(), [{"table_id": table_id, **asdict(e)} for e in entries])
                if status is not None:
                    connection.execute(TABLES.update().where(TABLES.c.id == table_id).values(status=status))
        except sa.exc.IntegrityError as error:
            raise Conflict(str(error.orig)) from error


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
        connection.exec_driver_sql("BEGIN IMMEDIATE")
