"""Drives live tables over HTTP: everybody who sits at one follows it; moves are made at a pace, or without pause."""

from __future__ import annotations

import asyncio
import itertools
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

import msgspec

from bench.load.tables import Live
from bench.wire import Answer, Connection, Cut

NUMBER: Final = re.compile(rb"\bid: (\d+)\n")
SEEN_SECONDS: Final = 60.0


class Viewer(asyncio.Protocol):
    """One who follows a table by its event stream. number: of the newest message; arrived: when it came."""

    def __init__(self, path: str, token: str, last: int | None, told: Callable[[Viewer], None]) -> None:
        more = "" if last is None else f"Last-Event-ID: {last}\r\n"
        self._request = f"GET {path}/events HTTP/1.1\r\nHost: load\r\nAuthorization: Bearer {token}\r\n{more}\r\n"
        self._told = told
        self._kept = b""
        self._transport: asyncio.Transport | None = None
        self.number = last or 0
        self.arrived = 0.0
        self.opened = 0.0
        self.lost = False
        self.bytes = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(self._request.encode("ascii"))

    def data_received(self, data: bytes) -> None:
        if not self.opened:
            self.opened = time.perf_counter()
        self.bytes += len(data)
        *whole, self._kept = (self._kept + data).split(b"\n\n")
        for message in whole:
            found = NUMBER.search(message)
            if found is not None:
                self.number, self.arrived = int(found[1]), time.perf_counter()
                self._told(self)

    def connection_lost(self, _error: Exception | None) -> None:
        self.lost = True

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()


@dataclass
class Driven:
    """A live table with its viewers."""

    live: Live
    viewers: list[Viewer] = field(default_factory=list)
    deciders: list[int] = field(default_factory=list)
    over: bool = False
    moved: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def path(self) -> str:
        return f"/api/tables/{self.live.table}"

    def told(self, _viewer: Viewer) -> None:
        self.moved.set()

    async def seen(self, number: int) -> float:
        """When the last of the viewers had learned of this number. Raises TimeoutError."""
        async with asyncio.timeout(SEEN_SECONDS):
            while any(viewer.number < number for viewer in self.viewers):
                self.moved.clear()
                await self.moved.wait()
        return max(viewer.arrived for viewer in self.viewers)


@dataclass
class Measured:
    """seen: seconds from sending a move until all have it; answered: until its sender has the answer.

    failed: what came instead of an answer.
    """

    seen: list[float] = field(default_factory=list)
    answered: list[float] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def rate(self) -> float:
        """Moves a second."""
        return len(self.seen) / self.seconds if self.seconds else 0.0


class Drive:
    """Tables at several servers: everybody asks and follows at a server of their own."""

    def __init__(self, ports: Sequence[int], tables: Sequence[Live], at_once: int, rng: Random) -> None:
        self.ports = ports
        self.tables = [Driven(live) for live in tables]
        self._rng = rng
        self._keys = itertools.count()
        self._idle: list[dict[int, Connection]] = [
            {port: Connection("127.0.0.1", port) for port in ports} for _ in range(at_once)
        ]
        self.at_once = at_once

    async def follow(self) -> list[float]:
        """Let everybody who sits anywhere follow; the seconds that each took to be let in."""
        loop = asyncio.get_running_loop()
        gate = asyncio.Semaphore(64)
        took = []

        async def one(driven: Driven, token: str, last: int | None) -> Viewer:
            async with gate:
                viewer = Viewer(driven.path, token, last, driven.told)
                began = time.perf_counter()
                await loop.create_connection(lambda: viewer, "127.0.0.1", self._rng.choice(self.ports))
                while not viewer.opened and not viewer.lost:
                    await asyncio.sleep(0.002)
                took.append(viewer.opened - began)
                return viewer

        async def table(driven: Driven) -> None:
            last: list[int | None] = [viewer.number for viewer in driven.viewers]
            last = last or [None] * len(driven.live.tokens)
            pairs = zip(driven.live.tokens, last, strict=True)
            driven.viewers = list(await asyncio.gather(*(one(driven, *pair) for pair in pairs)))

        await asyncio.gather(*(table(driven) for driven in self.tables))
        return took

    def let_go(self) -> None:
        for driven in self.tables:
            for viewer in driven.viewers:
                viewer.close()

    async def _ask(self, lines: dict[int, Connection], method: str, path: str, token: str, body: Any = None) -> Answer:
        port = self._rng.choice(self.ports)
        raw = b"" if body is None else msgspec.json.encode(body)
        return await lines[port].ask(method, path, raw, headers=f"Authorization: Bearer {token}\r\n")

    async def move(self, driven: Driven, measured: Measured) -> None:
        """One move at a table, measured until everybody there has it."""
        lines = self._idle.pop()
        try:
            for token in driven.live.tokens:
                legal = msgspec.json.decode((await self._ask(lines, "GET", f"{driven.path}/legal", token)).body)
                if legal["actions"]:
                    break
            else:
                driven.over = True
                return
            body = {
                "action": self._rng.choice(legal["actions"])["id"],
                "based_on": legal["number"],
                "key": f"load-{next(self._keys)}",
            }
            began = time.perf_counter()
            answer = await self._ask(lines, "POST", f"{driven.path}/actions", token, body)
            answered = time.perf_counter()
            if answer.status != 200:
                measured.failed.append(f"{answer.status} {answer.body[:200]!r}")
                return
            seen = await driven.seen(legal["number"] + 1)
            measured.answered.append(answered - began)
            measured.seen.append(seen - began)
        except (Cut, TimeoutError) as error:
            measured.failed.append(repr(error))
        finally:
            self._idle.append(lines)

    async def paced(self, rate: float, seconds: float) -> Measured:
        """So many moves a second, whether the server keeps up or not, each at another table."""
        return await self._drive(seconds, rate)

    async def unpaced(self, seconds: float) -> Measured:
        """As many moves as there is room for."""
        return await self._drive(seconds, None)

    async def _drive(self, seconds: float, rate: float | None) -> Measured:
        measured = Measured()
        under_way: set[asyncio.Task[None]] = set()
        busy: set[int] = set()
        began = time.perf_counter()
        due = began
        order = itertools.cycle(range(len(self.tables)))
        while time.perf_counter() - began < seconds:
            while len(under_way) >= self.at_once:
                await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
            i = next(order)
            if i in busy or self.tables[i].over:
                await asyncio.sleep(0)
                if all(driven.over for driven in self.tables):
                    break
                continue
            busy.add(i)
            task = asyncio.create_task(self.move(self.tables[i], measured))
            under_way.add(task)

            def done(task: asyncio.Task[None], i: int = i) -> None:
                under_way.discard(task)
                busy.discard(i)

            task.add_done_callback(done)
            if rate is not None:
                due += 1 / rate
                await asyncio.sleep(max(0.0, due - time.perf_counter()))
        if under_way:
            await asyncio.wait(under_way)
        measured.seconds = time.perf_counter() - began
        return measured
