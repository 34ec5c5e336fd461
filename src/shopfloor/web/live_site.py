"""A world in motion in the browser: frames to everybody who looks on, a hand for whoever may build.

One WebSocket for each window. What comes in faster than a hand can move is slowed down, and cut off if that does not
help; who is too slow to hear everything misses frames, never words.
"""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
from litestar import Response, Router, WebSocket, get, websocket
from litestar.concurrency import sync_to_thread
from litestar.params import FromPath

from shopfloor.engine.world import Told
from shopfloor.tables.checks import Token
from shopfloor.tables.errors import TableError
from shopfloor.tables.model import Table
from shopfloor.tables.sessions import Window, playable_world
from shopfloor.web.identity import AnyRequest, holder_of, player_token, session_token, table_tokens, well_formed
from shopfloor.web.services import Services, services

AnySocket = WebSocket[Any, Any, Any]

NOT_OURS: Final = 4401
NOT_HERE: Final = 4404
FLOODED: Final = 4409
TOO_MANY: Final = 4503
GOING: Final = 1012

RATE: Final = 130.0  # messages a second
BURST: Final = 260.0
PATIENCE: Final = 400  # messages that may come too fast before a window is cut off, ...
FORGIVEN: Final = 20.0  # ... of which so many a second are forgotten
LONGEST: Final = 16 * 1024  # bytes of a message
BEHIND: Final = 90  # messages in a window's queue from which on it misses frames
FAR_BEHIND: Final = 600  # and from which on it is gone


class Flood(Exception):
    """A window goes on sending too much."""


class Pace:
    """How fast one window sends."""

    def __init__(self) -> None:
        self._room = BURST
        self._guilt = 0.0
        self._at = monotonic()

    def wait(self) -> float:
        """Seconds to wait before the next message is read. Raises Flood."""
        now = monotonic()
        passed, self._at = now - self._at, now
        self._room = min(BURST, self._room + passed * RATE) - 1
        self._guilt = max(0.0, self._guilt - passed * FORGIVEN)
        if self._room >= 0:
            return 0.0
        self._guilt += 1
        if self._guilt > PATIENCE:
            raise Flood
        return -self._room / RATE

    @property
    def warned(self) -> bool:
        """Has this window just begun to be too fast?"""
        return 0 < self._guilt <= 1


class Ear:
    """What one window is to be sent, in order."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._queue: asyncio.Queue[Told | None] = asyncio.Queue()
        self._missed = False
        self.window: Window | None = None

    def hear(self, message: Told | None) -> None:
        """Called from the session's thread."""
        try:
            self._loop.call_soon_threadsafe(self._put, message)
        except RuntimeError:  # the loop is gone, and the window with it
            return

    def _put(self, message: Told | None) -> None:
        behind = self._queue.qsize()
        if isinstance(message, bytes) and behind > BEHIND:
            self._missed = True
            return
        self._queue.put_nowait(message if behind < FAR_BEHIND else None)

    async def next(self) -> Told | None:
        """What comes next; None when there will be nothing more."""
        if self._missed and self._queue.qsize() < BEHIND // 3 and self.window is not None:
            self._missed = False
            self.window.look_again()
        return await self._queue.get()


def _ours(socket: AnySocket, server: Services) -> bool:
    """Does a page of ours ask, or a program? Other sites' pages would come with our cookies."""
    origin = socket.headers.get("origin")
    if origin is None:
        return True
    host = urlsplit(origin).netloc.lower()
    return host in (socket.headers.get("host", "").lower(), urlsplit(server.settings.base_url).netloc.lower())


def _seat(socket: AnySocket, server: Services, table: Table) -> int | None:
    scheme, _, token = socket.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        own = well_formed(token.strip())
        tokens: list[Token] = [] if own is None else [holder_of(server.tables, own)]
    else:
        found = server.tables.accounts.signed_in(session_token(socket))
        tokens = table_tokens(socket, server.tables, table, found[0] if found else None, player_token(socket))
    return server.tables.place(table.id, tokens).seat


@websocket("/t/{table_id:str}/site")
async def site_socket(socket: AnySocket, table_id: FromPath[str]) -> None:
    """The world of a table. Who may build is said by the browser's cookie, or a program's bearer token."""
    server: Services = socket.app.state.services
    await socket.accept()
    if not _ours(socket, server):
        await socket.close(NOT_OURS, "Open the table's page on this site.")
        return
    ear = Ear()

    def enter() -> Window:
        table = server.table(table_id)
        seat = _seat(socket, server, table)
        return server.sessions.enter(table.id, seat, ear.hear)

    try:
        window = await sync_to_thread(enter)
    except TableError as error:
        code = TOO_MANY if error.code == "WORLD_BUSY" else NOT_HERE
        await socket.close(code, error.sentence.encode()[:120].decode(errors="ignore"))
        return
    ear.window = window
    sending = asyncio.create_task(_send(socket, ear))
    receiving = asyncio.create_task(_receive(socket, window, ear))
    try:
        await asyncio.wait((sending, receiving), return_when=asyncio.FIRST_COMPLETED)
    finally:
        window.close()
        for task in (sending, receiving):
            task.cancel()
        await asyncio.gather(sending, receiving, return_exceptions=True)


async def _send(socket: AnySocket, ear: Ear) -> None:
    while True:
        message = await ear.next()
        if message is None:
            await socket.close(GOING, "Connect again.")
            return
        if isinstance(message, bytes):
            await socket.send_bytes(message)
        else:
            await socket.send_text(msgspec.json.encode(message).decode())


async def _receive(socket: AnySocket, window: Window, ear: Ear) -> None:
    pace = Pace()
    while True:
        event: Any = await socket.receive()
        if event["type"] == "websocket.disconnect":
            return
        try:
            wait = pace.wait()
        except Flood:
            await socket.close(FLOODED, "Too many messages.")
            return
        if pace.warned:
            ear.hear(_too_fast())
        if wait > 0:  # what is not read yet waits where it was sent
            await asyncio.sleep(wait)
        message = _read(event.get("bytes"), event.get("text"))
        if message is None:
            ear.hear(_malformed())
        else:
            window.send(message)


def _read(data: bytes | None, text: str | None) -> dict[str, object] | bytes | None:
    """A command, or None for what cannot be one."""
    if data is not None:
        return data if len(data) <= LONGEST else None
    if text is None or len(text) > LONGEST:
        return None
    try:
        found = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _refused(code: str, sentence: str) -> dict[str, object]:
    return {"t": "refused", "code": code, "sentence": sentence, "clause": "", "facts": {}, "to": "", "seq": None}


def _too_fast() -> dict[str, object]:
    return _refused("TOO_FAST", "Your window sends more than a hand can do. It is slowed down; if it goes on, cut off.")


def _malformed() -> dict[str, object]:
    return _refused("MALFORMED", "A command is a JSON object or one of the short binary messages, up to 16 kB.")


@get("/t/{table_id:str}/site/turns", sync_to_thread=True)
def turns(table_id: FromPath[str], request: AnyRequest) -> list[dict[str, object]]:
    """What can be looked at again: log numbers, oldest first."""
    server = services(request)
    table = server.table(table_id)
    playable_world(table)
    lines = {line.number: line for line in table.log(None)}  # not every line is told to everybody
    numbers = server.tables.motions(table.id)
    return [{"number": number, "seat": lines[number].seat, "at": lines[number].at} for number in numbers]


@get("/t/{table_id:str}/site/turns/{number:int}", media_type="application/octet-stream", sync_to_thread=True)
def turn(table_id: FromPath[str], number: FromPath[int], request: AnyRequest) -> Response[bytes]:
    """How a hand moved; it never changes."""
    server = services(request)
    table = server.table(table_id)
    motion = playable_world(table).replay(server.tables.motion(table.id, number))
    headers = {"Cache-Control": "private, max-age=31536000, immutable"}
    return Response(motion, media_type="application/octet-stream", headers=headers)


def router() -> Router:
    """All that a site in motion needs besides the table's page."""
    return Router("/", route_handlers=[site_socket, turns, turn], include_in_schema=False)
