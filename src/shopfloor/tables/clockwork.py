"""Watches the clocks: whose time is up is stood in for. And puts away tables at which nothing happens any more.

Several processes may do so at once: each judges from the log, and the second finds nothing left to do.
"""

from __future__ import annotations

import heapq
import queue
import threading
import time
from collections.abc import Callable
from typing import Final

import structlog
from sqlalchemy.exc import SQLAlchemyError

from shopfloor.tables.errors import TableError
from shopfloor.tables.service import Tables

log = structlog.get_logger(__name__)

# Nobody's time is up just because the server was away: after a start, everybody gets at least this long.
GRACE: Final = 30.0
AWAY: Final = 0.5  # seconds until a database that is away is asked again
DAY: Final = 24 * 3600.0
# Days without anything happening after which a table that has not started, or has, is put away.
OPEN_DAYS: Final = 30
PLAYING_DAYS: Final = 90
SWEEP_EVERY: Final = 6 * 3600.0


class Clockwork:
    """A thread that sleeps until somebody's time is up."""

    def __init__(self, tables: Tables, grace: float = GRACE) -> None:
        self._tables = tables
        self._grace = grace
        self._news: queue.SimpleQueue[tuple[str, int | None] | None] = queue.SimpleQueue()
        self._due: list[tuple[float, str]] = []
        self._thread: threading.Thread | None = None
        self._unsubscribe: Callable[[], None] = lambda: None
        self._from = 0.0
        self._sweep = 0.0

    def start(self) -> None:
        """Begin, with all tables that have a clock."""
        if self._thread is not None:
            return
        self._from = time.time() + self._grace
        self._sweep = time.time()
        self._unsubscribe = self._tables.subscribe(self._told, self._all)
        self._all()
        self._thread = threading.Thread(target=self._run, name="clockwork", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End. What is due is done by whoever starts next."""
        if self._thread is None:
            return
        self._unsubscribe()
        self._news.put(None)
        self._thread.join()
        self._thread = None
        self._due.clear()

    def _told(self, table_id: str, number: int) -> None:
        table = self._tables.at_hand(table_id, number)
        if table is None or table.clock.on:  # most have none: nobody need be woken for them
            self._news.put((table_id, number))

    def _all(self) -> None:
        self._news.put(("", None))

    def _run(self) -> None:
        while True:
            due = min(self._due[0][0] if self._due else float("inf"), self._sweep)
            try:
                news = self._news.get(timeout=max(0.0, min(due - time.time(), DAY)))
            except queue.Empty:
                self._guarded(self._ring)
                continue
            if news is None:
                return
            self._guarded(lambda found=news: self._look(*found) if found[0] else self._look_at_all())  # type: ignore[misc]

    def _guarded(self, job: Callable[[], object]) -> None:
        try:
            job()
        except SQLAlchemyError as error:  # it comes back
            log.error("database_away", error=str(error))
            time.sleep(AWAY)
            self._all()
        except Exception:  # one table's trouble, or the database's, must not stop all clocks
            log.exception("clockwork_stumbled")
            time.sleep(0.1)
            self._all()

    def _look_at_all(self) -> None:
        for table_id in self._tables.with_clocks():
            self._look(table_id)

    def _look(self, table_id: str, told: int | None = None) -> None:
        """Note when the next of a table's clocks runs out. told: the number that news of it have brought."""
        try:
            table = self._tables.table(table_id, told)
        except TableError:  # a game that is not here any more
            return
        if not table.clock.on or table.clock.stand_in is None or table.status != "playing":
            return
        times = [until for seat in range(table.players) if (until := table.until(seat)) is not None]
        if times:
            heapq.heappush(self._due, (max(min(times), self._from), table_id))

    def _ring(self) -> None:
        now = time.time()
        while self._due and self._due[0][0] <= now:
            _, table_id = heapq.heappop(self._due)
            try:
                self._tables.time_up(table_id)
            except TableError as error:
                log.warning("clock_not_run", table=table_id, reason=error.sentence)
            self._look(table_id)
        if self._sweep <= now:
            self._sweep = now + SWEEP_EVERY
            for table_id in self._tables.quiet(now - OPEN_DAYS * DAY, now - PLAYING_DAYS * DAY):
                self._tables.archive(table_id, now - OPEN_DAYS * DAY)
