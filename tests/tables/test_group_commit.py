"""Writes at the same time share a transaction, and each of them stands or falls alone."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa

from shopfloor.tables.group_commit import GroupCommit

LINES = sa.Table("lines", sa.MetaData(), sa.Column("id", sa.Integer, primary_key=True), sa.Column("part", sa.Integer))


class Disk:
    """A database that counts its transactions, and may be held up before the first."""

    def __init__(self, file: Path) -> None:
        self.engine = sa.create_engine(f"sqlite:///{file}")
        sa.event.listen(self.engine, "connect", self._set_up)
        sa.event.listen(self.engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
        LINES.metadata.create_all(self.engine)
        self.transactions = 0
        self.turn = threading.Lock()
        self.group = GroupCommit(self.begin, self.turn)

    @staticmethod
    def _set_up(connection: sa.PoolProxiedConnection, _record: object) -> None:
        connection.isolation_level = None  # type: ignore[attr-defined]

    @contextmanager
    def begin(self) -> Iterator[sa.Connection]:
        self.transactions += 1
        with self.engine.begin() as connection:
            yield connection

    def lines(self) -> list[int]:
        with self.engine.connect() as connection:
            return sorted(connection.execute(sa.select(LINES.c.id)).scalars())

    def at_once(self, *writes: Callable[[sa.Connection], None]) -> list[BaseException | None]:
        """What each came to; all of them wait before the first may write."""
        errors: list[BaseException | None] = [None] * len(writes)

        def store(i: int) -> None:
            try:
                self.group.store(writes[i])
            except Exception as error:
                errors[i] = error

        threads = [threading.Thread(target=store, args=(i,)) for i in range(len(writes))]
        with self.turn:
            for thread in threads:
                thread.start()
            while len(self.group._waiting) < len(writes):
                time.sleep(0.001)
        for thread in threads:
            thread.join()
        return errors


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    made = Disk(tmp_path / "lines.db")
    yield made
    made.engine.dispose()


def line(number: int, *more: int) -> Callable[[sa.Connection], None]:
    def write(connection: sa.Connection) -> None:
        for each in (number, *more):
            connection.execute(LINES.insert(), {"id": each})

    return write


def test_those_who_come_meanwhile_are_taken_along(disk: Disk) -> None:
    assert disk.at_once(*map(line, range(8))) == [None] * 8
    assert disk.lines() == list(range(8))
    assert disk.transactions == 1


def test_who_comes_alone_waits_for_nobody(disk: Disk) -> None:
    for number in range(3):
        disk.group.store(line(number))
    assert disk.lines() == [0, 1, 2]
    assert disk.transactions == 3


def test_whose_number_is_taken_learns_it_and_leaves_nothing_half(disk: Disk) -> None:
    disk.group.store(line(5))
    errors = disk.at_once(line(1), line(7, 5, 8), line(2), line(2))
    assert [type(error) for error in (errors[0], errors[1])] == [type(None), sa.exc.IntegrityError]
    assert sorted(type(error).__name__ for error in errors[2:]) == ["IntegrityError", "NoneType"]
    assert disk.lines() == [1, 2, 5]
    assert disk.transactions == 2


def test_any_other_fault_is_that_of_one_alone(disk: Disk) -> None:
    """SQLite may end a transaction in its middle where the disk is full: then each is stored by itself."""

    def full(connection: sa.Connection) -> None:
        connection.execute(LINES.insert(), {"id": 9})
        connection.exec_driver_sql("ROLLBACK")
        raise sa.exc.OperationalError("INSERT", {}, Exception("database or disk is full"))

    errors = disk.at_once(line(1), full, line(2))
    assert [type(error) for error in errors] == [type(None), sa.exc.OperationalError, type(None)]
    assert disk.lines() == [1, 2]
    disk.group.store(line(3))
    assert disk.lines() == [1, 2, 3]
