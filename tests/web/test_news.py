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


def test_what_is_at_hand_is_told_at_once_and_the_rest_in_a_thread() -> None:
    class AtHand(FakeTables):
        there = True

        def at_hand(self, _table_id: str, number: int) -> Any:
            return self if self.there and number == self.number else None

    async def main() -> None:
        tables = AtHand()
        news = news_of(tables)
        loop = threading.get_ident()
        made: list[bool] = []

        def make(table: Any, _seen: int | None) -> bytes:
            made.append(threading.get_ident() == loop)
            return b"%d" % table.number

        def quick(table: Any, seen: int | None) -> bytes | None:
            return None if table.number == 4 else make(table, seen)

        stream = event_stream(cast(Tables, tables), news, "a", None, 5, make, quick)
        iterator = cast(Any, stream.iterator).__aiter__()
        assert (await anext(iterator)).startswith(b"retry:")
        assert await anext(iterator) == b"1"
        for number in (2, 3, 4, 5, 6):
            tables.there = number != 6
            tables.happens("a")
            assert await anext(iterator) == b"%d" % number
        assert made == [False, True, True, False, True, False]
        assert tables.asked == [None, 4, 6]
        news.close()

    asyncio.run(main())


def test_a_stream_ends_when_its_viewer_goes() -> None:
    async def main() -> None:
        tables = FakeTables()
        news = news_of(tables)
        gone = asyncio.Event()
        sent: list[bytes] = []

        async def receive() -> Any:
            await gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message.get("body", b"head"))

        stream = event_stream(cast(Tables, tables), news, "a", None, 60, lambda table, _: b"%d" % table.number)
        response = stream.to_asgi_response(None, cast(Any, None))
        running = asyncio.create_task(response(cast(Any, {}), receive, cast(Any, send)))
        while len(sent) < 3:
            await asyncio.sleep(0.001)
        assert sent[0] == b"head"
        assert sent[2] == b"1"
        assert news.watching("a") == 1
        tables.happens("a")
        while len(sent) < 4:
            await asyncio.sleep(0.001)
        gone.set()
        await asyncio.wait_for(running, 20)
        assert sent[3:] == [b"2", b""]
        assert news.watching("a") == 0

    asyncio.run(main())
