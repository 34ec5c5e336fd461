"""Carries the news that a table has changed from the threads where it happens to the requests that wait for it."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from shopfloor.tables.service import Tables


class Watch:
    """One request's interest in one table. told: the number that the last news brought; None if there was none."""

    __slots__ = ("_waiting", "_woken", "told")

    def __init__(self) -> None:
        self._woken = False
        self._waiting: asyncio.Future[None] | None = None
        self.told: int | None = None

    def wake(self, told: int | None = None) -> None:
        self.told = told
        self._woken = True
        _rouse(self._waiting)

    async def news(self, timeout: float) -> bool:
        """Wait for a change since the last call, or for `timeout` seconds. Was there one?

        Several changes that come before anybody asks again are one: who is slow sees the newest.
        """
        if not self._woken:
            # By hand: `asyncio.wait_for` takes a task for every time that somebody waits, and most wait all the time.
            loop = asyncio.get_running_loop()
            self._waiting = loop.create_future()
            timer = loop.call_later(timeout, _rouse, self._waiting)
            try:
                await self._waiting
            finally:
                timer.cancel()
                self._waiting = None
        woken, self._woken = self._woken, False
        return woken


def _rouse(waiting: asyncio.Future[None] | None) -> None:
    if waiting is not None and not waiting.done():
        waiting.set_result(None)


class News:
    """All watches of a server. `closed` once it shuts down: streams then end."""

    def __init__(self, tables: Tables) -> None:
        self._loop = asyncio.get_running_loop()
        self._watches: dict[str, set[Watch]] = defaultdict(set)
        self._unsubscribe = tables.subscribe(self._told, self._all_told)
        self.closed = False

    @contextmanager
    def watch(self, table_id: str) -> Iterator[Watch]:
        """A watch on a table for as long as the block lasts."""
        watch = Watch()
        self._watches[table_id].add(watch)
        try:
            yield watch
        finally:
            self._watches[table_id].discard(watch)
            if not self._watches[table_id]:
                del self._watches[table_id]

    def watching(self, table_id: str) -> int:
        """How many requests watch a table."""
        return len(self._watches.get(table_id, ()))

    def watches(self) -> int:
        """How many requests watch any table."""
        return sum(map(len, list(self._watches.values())))

    def watched(self) -> int:
        """How many tables are watched."""
        return len(self._watches)

    def close(self) -> None:
        """Wake everybody for the last time."""
        if self.closed:
            return
        self.closed = True
        self._unsubscribe()
        self._wake_all()

    def _told(self, table_id: str, number: int) -> None:
        with suppress(RuntimeError):  # the loop is gone: so are those who waited
            self._loop.call_soon_threadsafe(self._wake, table_id, number)

    def _all_told(self) -> None:
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._wake_all)

    def _wake_all(self) -> None:
        for table_id in self._watches:
            self._wake(table_id, None)

    def _wake(self, table_id: str, told: int | None) -> None:
        for watch in self._watches.get(table_id, ()):
            watch.wake(told)
