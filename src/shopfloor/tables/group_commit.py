"""Writes that come at the same time are stored in one transaction: the disk is waited for once, not once for each.

For databases that let one writer in at a time. Who writes takes along whoever has come meanwhile and waits.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

Write = Callable[[Connection], None]

# A mark replaces the one before it as the place to go back to; the end of the transaction ends them all.
MARK: Final = "SAVEPOINT job"
BACK: Final = "ROLLBACK TO job"


@dataclass(eq=False)
class _Job:
    write: Write
    done: bool = False
    error: BaseException | None = None


class GroupCommit:
    """begin: opens a transaction that is stored when it ends. turn: held by the one who writes."""

    def __init__(
        self, begin: Callable[[], AbstractContextManager[Connection]], turn: AbstractContextManager[Any]
    ) -> None:
        self._begin = begin
        self._turn = turn
        self._lock = threading.Lock()
        self._waiting: list[_Job] = []

    def store(self, write: Write) -> None:
        """Have all that `write` does stored, or nothing of it; it is on disk when this returns.

        Raises what `write` raises: IntegrityError at once; before any other error, it is tried once more, alone.
        """
        job = _Job(write)
        with self._lock:
            self._waiting.append(job)
        with self._turn:
            if not job.done:
                with self._lock:
                    jobs, self._waiting = self._waiting, []
                self._store(jobs)
        if job.error is not None:
            raise job.error

    def _store(self, jobs: list[_Job]) -> None:
        try:
            if len(jobs) == 1 or not self._all_at_once(jobs):
                for job in jobs:
                    self._alone(job)
        finally:
            for job in jobs:
                job.done = True

    def _alone(self, job: _Job) -> None:
        job.error = None
        try:
            with self._begin() as connection:
                job.write(connection)
        except BaseException as error:
            job.error = error

    def _all_at_once(self, jobs: list[_Job]) -> bool:
        """False if nothing was stored, for whatever reason."""
        try:
            with self._begin() as connection:
                for job in jobs:
                    connection.exec_driver_sql(MARK)
                    try:
                        job.write(connection)
                    except IntegrityError as error:  # its own fault, and undone alone
                        connection.exec_driver_sql(BACK)
                        job.error = error
        except BaseException:
            # A full disk may have ended the transaction in its middle: nobody can tell whose fault that was.
            return False
        return True
