"""Asks an application without a network between: one request after another, in this thread's own event loop.

A test client hands every request to a thread with a loop; where ten thousands are asked, that is most of the time.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Self

from litestar import Litestar

MESSAGES = 2  # what a stream sends by itself: its opening, and where the table stands


class Here(ThreadPoolExecutor):
    """Does at once, in this thread, what it is asked to do in another."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        done: Future[Any] = Future()
        try:
            done.set_result(fn(*args, **kwargs))
        except BaseException as error:
            done.set_exception(error)
        return done


class Asker:
    """The application, started; a context manager that stops it."""

    def __init__(self, app: Litestar) -> None:
        self.app: Any = app
        self._loop = asyncio.new_event_loop()
        self._loop.set_default_executor(Here())
        self._started = asyncio.Event()
        self._ended = asyncio.Event()

    def __enter__(self) -> Self:
        self._life = self._loop.create_task(self._live())
        started = self._loop.create_task(self._started.wait())
        self._loop.run_until_complete(asyncio.wait([self._life, started], return_when=asyncio.FIRST_COMPLETED))
        if self._life.done():
            self._life.result()  # raises what was wrong
        return self

    def __exit__(self, *error: object) -> None:
        self._ended.set()
        self._loop.run_until_complete(self._life)
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.close()

    async def _live(self) -> None:
        # Begun and ended in one task, as its parts ask for.
        async with self.app.lifespan():
            self._started.set()
            await self._ended.wait()

    def ask(
        self, path: str, bearer: str | None = None, player: str | None = None, body: object = None, stream: bool = False
    ) -> str:
        """The status and the text of the answer. body: posted as JSON; else it is a GET. bearer: the token in the
        header; player: in the cookie. stream: only what comes by itself.
        """
        return self._loop.run_until_complete(self._ask(path, bearer, player, body, stream))

    async def _ask(self, path: str, bearer: str | None, player: str | None, body: object, stream: bool) -> str:
        headers = [(b"host", b"testserver.local"), (b"accept", b"*/*")]
        if bearer is not None:
            headers.append((b"authorization", f"Bearer {bearer}".encode()))
        if player is not None:
            headers.append((b"cookie", f"sf_player={player}".encode()))
        content = b"" if body is None else json.dumps(body).encode()
        if body is not None:
            headers += [(b"content-type", b"application/json"), (b"content-length", str(len(content)).encode())]
        where, _, query = path.partition("?")
        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "method": "GET" if body is None else "POST",
            "scheme": "http",
            "path": where,
            "raw_path": where.encode(),
            "root_path": "",
            "query_string": query.encode(),
            "headers": headers,
            "client": ("testclient", 50000),
            "server": ("testserver.local", 80),
        }
        wanted = [{"type": "http.request", "body": content, "more_body": False}]
        enough = asyncio.Event()
        status = 0
        parts: list[bytes] = []

        async def receive() -> dict[str, Any]:
            if wanted:
                return wanted.pop()
            await enough.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            else:
                parts.append(message.get("body", b""))
                if not message.get("more_body") or (stream and len(parts) == MESSAGES):
                    enough.set()

        await self.app(scope, receive, send)
        return f"{status} {b''.join(parts).decode()}"
