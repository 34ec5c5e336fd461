"""A line to the servers on which everything goes wrong that can: it drops, delays, doubles, reorders and cuts short."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from random import Random
from typing import Final

from bench.wire import MOST, Cut, Head, chunks, read_head, read_raw_head

DROPPED: Final = "request dropped before the server"
HALF: Final = "request cut while it was sent"
UNHEARD: Final = "answer dropped after the server"
SHORT: Final = "answer cut short"
DELAYED: Final = "request delayed"
HELD: Final = "answer delayed"
DOUBLED: Final = "request doubled at once"
AGAIN: Final = "request doubled later"
OVERTAKEN: Final = "request given up, delivered after its repeats"
REORDERED: Final = "request held back until another has passed"
STREAM_CUT: Final = "event stream cut"
STREAM_SHORT: Final = "event stream cut in a message"
STREAM_SLOW: Final = "event stream stalled"

OF_REQUESTS: Final = (DROPPED, HALF, UNHEARD, SHORT, DELAYED, HELD, DOUBLED, AGAIN, OVERTAKEN, REORDERED)
OF_STREAMS: Final = (STREAM_CUT, STREAM_SHORT, STREAM_SLOW)
LOST: Final = (OSError, EOFError, ValueError, Cut, asyncio.LimitOverrunError)
WORST_DELAY: Final = 3.0


class Proxy:
    """Listens at `port` and passes on to one of the servers, chosen anew for each request.

    rate: the share of requests that something happens to. Once `calm`, nothing does any more.
    """

    def __init__(self, servers: Sequence[int], rate: float, rng: Random) -> None:
        self.port = 0
        self.calm = False
        self.injected: Counter[str] = Counter()
        self.passed = 0
        self._servers = servers
        self._rate = rate
        self._rng = rng
        self._passing = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._deliveries: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=MOST)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        assert self._server is not None
        self._server.close()
        tasks = [*self._tasks, *self._deliveries]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def settle(self) -> None:
        """Wait until what was to arrive later has arrived."""
        self.calm = True
        await asyncio.gather(*self._deliveries)

    # -- a client's connection ---------------------------------------------------------------------------------

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            while True:
                raw = await read_raw_head(reader)
                head = read_head(raw)
                await self._pass(head, raw + await reader.readexactly(head.length), writer)
        except (*LOST, asyncio.CancelledError):
            pass
        finally:
            self._tasks.discard(task)
            writer.close()

    async def _pass(self, head: Head, request: bytes, client: asyncio.StreamWriter) -> None:
        """One request, there and back. Raises Cut where the client is to be cut off."""
        self.passed += 1
        fault = "" if self.calm or self._rng.random() > self._rate else self._rng.choice(OF_REQUESTS)
        if fault:
            self.injected[fault] += 1
        ports = list(self._servers)
        self._rng.shuffle(ports)
        passing, self._passing = self._passing, asyncio.Event()
        passing.set()  # whoever waited for another request to pass has been overtaken
        if fault == DROPPED:
            raise Cut
        if fault == HALF:
            await self._half(request, ports[0])
            raise Cut
        if fault == OVERTAKEN:
            self._later(self._unheard(request, ports[0], self._rng.uniform(0.1, WORST_DELAY)))
            raise Cut
        if fault == DELAYED:
            await asyncio.sleep(self._rng.uniform(0.0, 1.0))
        elif fault == REORDERED:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._passing.wait(), 1.0)
        elif fault == DOUBLED:
            self._later(self._unheard(request, ports[-1], 0.0))
        elif fault == AGAIN:
            self._later(self._unheard(request, ports[-1], self._rng.uniform(0.1, WORST_DELAY)))
        await self._forward(request, ports[0], client, fault)

    async def _forward(self, request: bytes, port: int, client: asyncio.StreamWriter, fault: str) -> None:
        reader, writer = await self._reach(port)
        try:
            writer.write(request)
            raw = await read_raw_head(reader)
            head = read_head(raw)
            if head.streams:
                client.write(raw)
                await self._stream(reader, client)
                raise Cut
            if head.chunked:
                body = b"".join([chunk async for chunk, _ in chunks(reader)])
            else:
                body = await reader.readexactly(head.length)
        finally:
            writer.close()
        answer = raw + body
        if fault == UNHEARD:
            raise Cut
        if fault == SHORT:
            client.write(answer[: self._rng.randrange(len(answer))])
            raise Cut
        if fault == HELD:
            await asyncio.sleep(self._rng.uniform(0.0, 1.0))
        client.write(answer)
        await client.drain()

    async def _stream(self, reader: asyncio.StreamReader, client: asyncio.StreamWriter) -> None:
        """Pass a stream on until something happens to it, or the server ends it."""
        fault = self._rng.choice(OF_STREAMS)
        moments = max(1, int(self._rng.expovariate(self._rate / 8)))
        async for chunk, _ in chunks(reader):
            moments -= 1
            if moments > 0 or self.calm:
                client.write(chunk)
                await client.drain()
                continue
            self.injected[fault] += 1
            if fault == STREAM_CUT:
                return
            if fault == STREAM_SHORT:
                client.write(chunk[: self._rng.randrange(len(chunk))])
                return
            moments = max(1, int(self._rng.expovariate(self._rate / 8)))
            await asyncio.sleep(self._rng.uniform(0.5, WORST_DELAY))
            client.write(chunk)

    async def _reach(self, port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", port, limit=MOST)

    async def _half(self, request: bytes, port: int) -> None:
        _, writer = await self._reach(port)
        writer.write(request[: self._rng.randrange(len(request))])
        with suppress(OSError):
            await writer.drain()
        writer.close()

    async def _unheard(self, request: bytes, port: int, seconds: float) -> None:
        """Deliver a request, and let nobody have the answer."""
        await asyncio.sleep(seconds)
        with suppress(*LOST, TimeoutError):
            reader, writer = await self._reach(port)
            try:
                writer.write(request)
                async with asyncio.timeout(10):
                    await read_raw_head(reader)
            finally:
                writer.close()

    def _later(self, job: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(job)
        self._deliveries.add(task)
        task.add_done_callback(self._deliveries.discard)
