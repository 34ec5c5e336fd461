"""Event streams: each viewer of a table is sent what has changed, at once, and hears that the server is still there."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Final

from litestar.concurrency import sync_to_thread
from litestar.response import Stream

from shopfloor.tables.model import Table
from shopfloor.tables.service import Tables
from shopfloor.web.identity import AnyRequest
from shopfloor.web.news import News
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


def last_seen(request: AnyRequest) -> int | None:
    """The number that the viewer already has: what its stream told it last, or what its page was made from."""
    text = request.headers.get("last-event-id") or request.query_params.get("since") or ""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else None


async def _messages(
    tables: Tables,
    news: News,
    table_id: str,
    seen: int | None,
    keep_alive: float,
    make: Callable[[Table, int | None], bytes],
) -> AsyncIterator[bytes]:
    def fresh(seen: int | None, told: int | None) -> tuple[int, bytes] | None:
        table = tables.table(table_id, told)
        return None if table.number == seen else (table.number, make(table, seen))

    with news.watch(table_id) as watch:
        yield OPENING
        while not news.closed:
            try:
                found = await sync_to_thread(fresh, seen, watch.told)
            except DATABASE_AWAY:  # it comes back, and the stream goes on from where it was
                yield PING
                await watch.news(LOOK_AGAIN)
                continue
            if found is not None:
                seen, message = found
                yield message
            while not await watch.news(keep_alive):
                yield PING


def event_stream(
    tables: Tables,
    news: News,
    table_id: str,
    seen: int | None,
    keep_alive: float,
    make: Callable[[Table, int | None], bytes],
) -> Stream:
    """A response that sends `make(table, seen)` now, unless the viewer has seen the table's number, and after all news.

    `make` runs in a worker thread; `seen` is the number that the viewer was sent before, or None.
    """
    messages = _messages(tables, news, table_id, seen, keep_alive, make)
    return Stream(messages, media_type="text/event-stream", headers=HEADERS)
