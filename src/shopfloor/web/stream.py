"""Event streams: each viewer of a table is sent what has changed, at once, and hears that the server is still there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import aclosing
from typing import Final

from litestar import Litestar
from litestar.concurrency import sync_to_thread
from litestar.datastructures import Cookie
from litestar.response import Stream
from litestar.response.base import ASGIResponse
from litestar.response.streaming import ASGIStreamingResponse
from litestar.types import Receive, Send

from shopfloor.tables.model import Table
from shopfloor.tables.service import Tables
from shopfloor.web.identity import AnyRequest
from shopfloor.web.news import News, Watch
from shopfloor.web.problems import DATABASE_AWAY

# Streams are not compressed: a compressor would hold back what should arrive now.
UNCOMPRESSED: Final = {"no_compression": True}

HEADERS: Final = {
    "Cache-Control": "no-store",
    "Connection": "keep-alive",
    "X-Accel-Buffering": "no",
}
PING: Final = b":\n\n"
OPENING: Final = b"retry: 1000\n\n"
LOOK_AGAIN: Final = 1.0

Make = Callable[[Table, int | None], bytes]
Quick = Callable[[Table, int | None], bytes | None]


def last_seen(request: AnyRequest) -> int | None:
    """The number that the viewer already has: what its stream told it last, or what its page was made from."""
    text = request.headers.get("last-event-id") or request.query_params.get("since") or ""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else None


class Messages:
    """What one viewer of a table is sent, for as long as they follow."""

    def __init__(
        self,
        tables: Tables,
        news: News,
        table_id: str,
        seen: int | None,
        keep_alive: float,
        make: Make,
        quick: Quick | None,
    ) -> None:
        self._tables = tables
        self._news = news
        self._table_id = table_id
        self._seen = seen
        self._keep_alive = keep_alive
        self._make = make
        self._quick = quick
        self._watch: Watch | None = None
        self._left = False

    def leave(self) -> None:
        """The viewer has gone: there are no more messages."""
        self._left = True
        if self._watch is not None:
            self._watch.wake()

    async def __aiter__(self) -> AsyncGenerator[bytes]:
        with self._news.watch(self._table_id) as watch:
            self._watch = watch
            yield OPENING
            while not (self._left or self._news.closed):
                found = self._at_once(watch.told)
                if found is None:
                    try:
                        found = await sync_to_thread(self._fresh, watch.told)
                    except DATABASE_AWAY:  # it comes back, and the stream goes on from where it was
                        yield PING
                        await watch.news(LOOK_AGAIN)
                        continue
                self._seen, message = found
                if message:
                    yield message
                while not await watch.news(self._keep_alive):
                    yield PING

    def _at_once(self, told: int | None) -> tuple[int, bytes] | None:
        """The table's number and the message, where neither takes any waiting; None otherwise."""
        if self._quick is None or told is None or told == self._seen:
            return None
        table = self._tables.at_hand(self._table_id, told)
        message = None if table is None else self._quick(table, self._seen)
        return None if message is None else (told, message)

    def _fresh(self, told: int | None) -> tuple[int, bytes]:
        """The table's number and the message, which is empty where the viewer has seen that already."""
        table = self._tables.table(self._table_id, told)
        return table.number, b"" if table.number == self._seen else self._make(table, self._seen)


class _Following(ASGIStreamingResponse):
    """Sends in the task of the request itself; another one only waits for the viewer to go.

    Litestar's own takes three tasks and a group of them for every viewer, and most of a server's memory with many.
    """

    async def send_body(self, send: Send, receive: Receive) -> None:
        messages = self.iterator
        assert isinstance(messages, Messages)

        async def gone() -> None:
            while (await receive())["type"] != "http.disconnect":
                pass
            messages.leave()

        waiting = asyncio.create_task(gone())
        try:
            async with aclosing(aiter(messages)) as told:
                async for message in told:
                    await send({"type": "http.response.body", "body": message, "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            waiting.cancel()


class EventStream(Stream):
    """The response of `event_stream`."""

    def __init__(self, messages: Messages) -> None:
        super().__init__(messages, media_type="text/event-stream", headers=HEADERS)
        self.messages = messages

    def to_asgi_response(
        self,
        app: Litestar | None,
        request: AnyRequest,
        *,
        cookies: Iterable[Cookie] | None = None,
        headers: dict[str, str] | None = None,
        status_code: int | None = None,
        **_others: object,
    ) -> ASGIResponse:
        """As Litestar asks for it; HEAD is answered elsewhere."""
        return _Following(
            iterator=self.messages,
            cookies=[*self.cookies, *(cookies or ())],
            headers={**(headers or {}), **self.headers},
            media_type=self.media_type,
            status_code=self.status_code or status_code,
        )


def event_stream(
    tables: Tables,
    news: News,
    table_id: str,
    seen: int | None,
    keep_alive: float,
    make: Make,
    quick: Quick | None = None,
) -> Stream:
    """A response that sends `make(table, seen)` now, unless the viewer has seen the table's number, and after all news.

    `make` runs in a worker thread; `seen` is the number that the viewer was sent before, or None. quick: the same where
    it takes next to no time and asks nobody; None where it would.
    """
    return EventStream(Messages(tables, news, table_id, seen, keep_alive, make, quick))
