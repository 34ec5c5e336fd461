"""Watches: woken by news from any thread, forgotten when their request ends, pinged while nothing happens."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any, cast

import pytest
from sqlalchemy.exc import OperationalError

from shopfloor.tables.service import Tables
from shopfloor.web import stream as streams
from shopfloor.web.news import News
from shopfloor.web.stream import PING, event_stream


class FakeTables:
    """Tables of which only the news are real."""

    def __init__(self) -> None:
        self.callback: Callable[[str, int], None] | None = None
        self.number = 1
        self.asked: list[int | None] = []

    def subscribe(self, callback: Callable[[str, int], None], anew: Callable[[], None]) -> Callable[[], None]:
        self.callback = callback
        self.anew = anew
        return lambda: setattr(self, "callback", None)

    def table(self, _table_id: str, told: int | None = None) -> Any:
        self.asked.append(told)
        return self

    def happens(self, table_id: str) -> None:
        """As it comes: from another thread."""
        self.number += 1
        assert self.callback
        thread = threading.Thread(target=self.callback, args=(table_id, self.number))
        thread.start()
        thread.join()


def news_of(tables: FakeTables) -> News:
    return News(cast(Tables, tables))


def test_news_wake_those_who_watch_the_table() -> None:
    async def main() -> None:
        tables = FakeTables()
        news = news_of(tables)
        with news.watch("a") as first, news.watch("a") as second, news.watch("b") as other:
            tables.happens("a")
            assert await first.news(5)
            assert await second.news(5)
            assert not await other.news(0.05)
            assert not await first.news(0.05), "told once"
            for _ in range(3):
                tables.happens("a")
            assert await first.news(5)
            assert not await first.news(0.05), "several at once are one"
            assert news.watching("a") == 2
        assert news.watching("a") == news.watching("b") == 0

    asyncio.run(main())


def test_whoever_may_have_missed_something_is_woken() -> None:
    async def main() -> None:
        tables = FakeTables()
        news = news_of(tables)
        with news.watch("a") as first, news.watch("b") as other:
            assert (news.watches(), news.watched()) == (2, 2)
            thread = threading.Thread(target=tables.anew)
            thread.start()
            thread.join()
            assert await first.news(5)
            assert await other.news(5)

    asyncio.run(main())


def test_closing_wakes_everybody() -> None:
    async def main() -> None:
        tables = FakeTables()
        news = news_of(tables)
        with news.watch("a") as watch:
            waiting = asyncio.create_task(watch.news(5))
            await asyncio.sleep(0)
            news.close()
            assert await waiting
        assert tables.callback is None
        assert news.closed

    asyncio.run(main())


@pytest.mark.parametrize("ends", ["closed", "cancelled"])
def test_a_stream_pings_and_cleans_up(ends: str) -> None:
    async def main() -> None:
        tables = FakeTables()
        news = news_of(tables)
        stream = event_stream(cast(Tables, tables), news, "a", None, 0.05, lambda table, _: b"%d" % table.number)
        iterator = cast(Any, stream.iterator).__aiter__()
        assert (await anext(iterator)).startswith(b"retry:")
        assert await anext(iterator) == b"1"
        assert await anext(iterator) == PING
        assert await anext(iterator) == PING
        tables.happens("a")
        tables.happens("a")
        assert await anext(iterator) == b"3", "the newest"
        assert tables.asked == [None, 3], "what is at hand by the number that was told need not be read"
        assert news.watching("a") == 1
        if ends == "closed":
            news.close()
            with pytest.raises(StopAsyncIteration):
                await anext(iterator)
        else:
            task = asyncio.ensure_future(anext(iterator))
            await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        assert news.watching("a") == 0

    asyncio.run(main())


def test_a_stream_outlives_a_database_that_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "LOOK_AGAIN", 0.01)

    class Away(FakeTables):
        away = 0

        def table(self, table_id: str, told: int | None = None) -> Any:
            if self.away:
                self.away -= 1
                raise OperationalError("SELECT", {}, Exception("the database system is starting up"))
            return super().table(table_id, told)

    async def main() -> None:
        tables = Away()
        news = news_of(tables)
        stream = event_stream(cast(Tables, tables), news, "a", None, 5, lambda table, _: b"%d" % table.number)
        iterator = cast(Any, stream.iterator).__aiter__()
        assert (await anext(iterator)).startswith(b"retry:")
        assert await anext(iterator) == b"1"
        tables.away = 3
        tables.happens("a")
        assert [await anext(iterator) for _ in range(4)] == [PING, PING, PING, b"2"], "told once it is back"
        news.close()

    asyncio.run(main())
