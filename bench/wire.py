"""HTTP for programs that measure: little work a request, and every way in which an answer can fail to come is told.

Clients in general use, kind as they are, try again by themselves, and cost more than what is to be measured.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from typing import Final

HEAD_END: Final = b"\r\n\r\n"
MOST: Final = 1 << 24


class Cut(Exception):
    """No whole answer has come: whether the request was heard is not known."""


@dataclass(frozen=True)
class Head:
    """The lines before a body. first: the first one; names of headers are in small letters."""

    first: str
    headers: dict[str, str]

    @property
    def status(self) -> int:
        """An answer's."""
        return int(self.first.split(" ", 2)[1])

    @property
    def length(self) -> int:
        """Of the body, where it was told."""
        return int(self.headers.get("content-length", "0"))

    @property
    def chunked(self) -> bool:
        return self.headers.get("transfer-encoding", "").lower() == "chunked"

    @property
    def streams(self) -> bool:
        return self.headers.get("content-type", "").startswith("text/event-stream")


@dataclass(frozen=True)
class Answer:
    """A whole answer."""

    status: int
    body: bytes


@dataclass(frozen=True)
class Message:
    """One of an event stream. size: in bytes, on the line."""

    number: int
    data: bytes
    size: int


def read_head(raw: bytes) -> Head:
    """What the lines before a body say."""
    first, *lines = raw.decode("latin-1").rstrip("\r\n").split("\r\n")
    headers = {}
    for line in lines:
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip()
    return Head(first, headers)


async def read_raw_head(reader: asyncio.StreamReader) -> bytes:
    """Up to the empty line. Raises asyncio.IncompleteReadError."""
    return await reader.readuntil(HEAD_END)


async def chunks(reader: asyncio.StreamReader) -> AsyncIterator[tuple[bytes, bytes]]:
    """A chunked body: each chunk as it came, and what is in it; the empty one ends it."""
    while True:
        size = await reader.readuntil(b"\r\n")
        length = int(size.split(b";")[0], 16)
        data = await reader.readexactly(length + 2)
        yield size + data, data[:-2]
        if not length:
            return


class Connection:
    """A connection to a server, opened when it is needed and kept for the next request."""

    def __init__(self, host: str, port: int, headers: Iterable[tuple[str, str]] = ()) -> None:
        self._address = host, port
        fixed = "".join(f"{name}: {value}\r\n" for name, value in [("Host", f"{host}:{port}"), *headers])
        self._fixed = fixed
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def ask(self, method: str, path: str, body: bytes = b"", timeout: float = 30.0, headers: str = "") -> Answer:
        """Send a request and hear the whole answer. headers: more of them, each with its line end. Raises Cut."""
        try:
            async with asyncio.timeout(timeout):
                head, reader = await self._send(method, path, body, headers)
                if head.chunked:
                    found = b"".join([data async for _, data in chunks(reader)])
                else:
                    found = await reader.readexactly(head.length)
        except (OSError, EOFError, ValueError, IndexError, asyncio.LimitOverrunError) as error:
            self.close()
            raise Cut(repr(error)) from None
        except asyncio.CancelledError:
            self.close()
            raise
        if head.headers.get("connection", "").lower() == "close":
            self.close()
        return Answer(head.status, found)

    async def follow(self, path: str, last: int | None, silence: float) -> AsyncIterator[Message]:
        """The messages of an event stream, until it is cut (Cut), or nothing has been heard for `silence` seconds.

        last: the number of the last message that was heard.
        """
        more = "" if last is None else f"Last-Event-ID: {last}\r\n"
        try:
            async with asyncio.timeout(silence):
                head, reader = await self._send("GET", path, b"", more)
            if head.status != 200 or not head.streams:
                raise Cut(head.first)
            kept = b""
            body = chunks(reader)
            while True:
                async with asyncio.timeout(silence):
                    _, data = await anext(body)
                kept += data
                *messages, kept = kept.split(b"\n\n")
                for text in messages:
                    found = message(text)
                    if found is not None:
                        yield found
        except StopAsyncIteration:
            raise Cut("the stream has ended") from None
        except (OSError, EOFError, ValueError, IndexError, asyncio.LimitOverrunError) as error:
            raise Cut(repr(error)) from None
        finally:
            self.close()

    async def _send(self, method: str, path: str, body: bytes, more: str) -> tuple[Head, asyncio.StreamReader]:
        if self._reader is None or self._writer is None:
            self._reader, self._writer = await asyncio.open_connection(*self._address, limit=MOST)
        kind = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n" if method != "GET" else ""
        self._writer.write(f"{method} {path} HTTP/1.1\r\n{self._fixed}{more}{kind}\r\n".encode("latin-1") + body)
        await self._writer.drain()
        return read_head(await read_raw_head(self._reader)), self._reader

    def close(self) -> None:
        """Hang up; the next request opens a new connection."""
        if self._writer is not None:
            self._writer.close()
        self._reader = self._writer = None


def message(text: bytes) -> Message | None:
    """What stands between two empty lines of a stream; None for a sign of life."""
    number, data = None, []
    for line in text.split(b"\n"):
        name, _, value = line.partition(b": ")
        if name == b"id":
            number = int(value)
        elif name == b"data":
            data.append(value)
    return None if number is None else Message(number, b"\n".join(data), len(text) + 2)
