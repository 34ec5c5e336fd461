"""Copies of a database file, taken and put back while servers use it."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from shopfloor.tables.errors import StorageError
from shopfloor.tables.store import BUSY_SECONDS, Store, sqlite_url

# Pages copied before others get their turn: 4 MB.
STEP: Final = 1000


def back_up(file: Path, target: Path) -> int:
    """Copy a database as it is at one moment; servers go on meanwhile. The number of tables in the copy.

    `target` appears whole or not at all; one that is there is replaced. Raises StorageError.
    """
    if not file.exists():
        raise StorageError(f"there is no database at {file}")
    with _told(f"the backup to {target} failed"), _aside(target) as copy:
        with _opened(file) as source, _opened(copy) as destination:
            source.backup(destination, pages=STEP, sleep=0.01)
            destination.execute("PRAGMA journal_mode = DELETE")  # one file, without companions
        tables = check(copy)
        os.replace(copy, target)
    return tables


def restore(backup: Path, file: Path) -> tuple[int, Path | None]:
    """Put a copy back in place of a database; servers that use it go on with what it holds.

    What was there is kept beside it. The number of tables restored, and the path of what was there (None: nothing).
    Raises StorageError; then the database is as it was.
    """
    if not backup.exists():
        raise StorageError(f"there is no backup at {backup}")
    check(backup)
    before: Path | None = None
    with _told(f"{backup} could not be restored"):
        file.parent.mkdir(parents=True, exist_ok=True)
        if file.exists():
            before = file.with_name(f"{file.stem}-before-{time.strftime('%Y%m%d-%H%M%S')}{file.suffix}")
            back_up(file, before)
        with _aside(file) as copy:
            with _opened(backup) as source, _opened(copy) as destination:
                source.backup(destination)
            Store(sqlite_url(copy)).close()  # a copy of an older version is brought up to date
            tables = check(copy)
            with _opened(copy) as source, _opened(file) as destination:
                source.backup(destination)  # in one transaction
    return tables, before


def check(file: Path) -> int:
    """The number of tables in a database that is whole. Raises StorageError."""
    try:
        with _opened(file) as connection:
            found = connection.execute("PRAGMA integrity_check").fetchone()[0]
            if found != "ok":
                raise StorageError(f"{file} is damaged: {found}")
            tables: int = connection.execute("SELECT count(*) FROM tables").fetchone()[0]
            connection.execute("SELECT count(*) FROM log").fetchone()
    except sqlite3.Error as error:
        raise StorageError(f"{file} is no database of Shopfloor: {error}") from None
    return tables


@contextlib.contextmanager
def _opened(file: Path) -> Iterator[sqlite3.Connection]:
    with contextlib.closing(sqlite3.connect(file, timeout=BUSY_SECONDS)) as connection:
        yield connection


@contextlib.contextmanager
def _aside(target: Path) -> Iterator[Path]:
    """A path beside `target`, for what is put in its place when it is whole."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".shopfloor-", dir=target.parent) as folder:
        yield Path(folder) / target.name


@contextlib.contextmanager
def _told(what: str) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise StorageError(f"{what}: {error}") from None
