"""A server in this process with a table of Men at Work, and windows that look on and build there."""

from __future__ import annotations

import contextlib
import json
import math
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import uvicorn
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from shopfloor.engine.registry import Registry
from shopfloor.games.men_at_work import actions as a
from shopfloor.games.men_at_work import wire
from shopfloor.games.men_at_work.geometry import Pose
from shopfloor.tables.service import Tables
from shopfloor.tables.store import sqlite_url
from shopfloor.web.app import create_app
from shopfloor.web.settings import Settings
from tests.tables.helpers import Party, dealt
from tests.web.servers import free_port

GAMES = Registry(["shopfloor.games.men_at_work", "shopfloor.games.zahltag"])
GIRDER_FIRST = 9
"""A seed by which the first player takes a single girder, which has to touch the highest one."""


class Yard:
    """A running server. `tables` may be used directly, as its own handlers do."""

    def __init__(self, folder: Path, sites: int = 4) -> None:
        self.folder = folder
        self.port = free_port()
        self.settings = Settings(database=str(folder / "tables.db"), port=self.port, pace=0.0, sites=sites)
        self.start()

    def start(self) -> None:
        self.tables = Tables(sqlite_url(self.folder / "tables.db"), GAMES)
        app = create_app(self.settings, self.tables)
        config = uvicorn.Config(app, host="127.0.0.1", port=self.port, log_config=None, timeout_graceful_shutdown=2)
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()
        end = time.monotonic() + 20
        while not self._server.started:
            assert time.monotonic() < end, "the server did not start"
            time.sleep(0.01)
        self.services = app.state.services

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(15)
        assert not self._thread.is_alive()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def party(self, people: int = 2, computers: tuple[str, ...] = (), **options: str) -> Party:
        """A table with the beginners' site laid out and a colour chosen, so that somebody builds."""
        with dealt(GIRDER_FIRST):
            party = Party(self.tables, people, computers, True, "men_at_work", **{"youngest": "0", **options})
        party.act(0, a.DESIGN)
        party.act(0, next(x for x in party.table.legal(0) if a.CHOOSE_GIRDER <= x < a.PLAY_ON_DECK))
        return party

    def window(self, party: Party, seat: int | None = None, **headers: str) -> Window:
        token = {} if seat is None else {"Authorization": f"Bearer {party.tokens[seat]}"}
        return Window(f"ws://127.0.0.1:{self.port}/t/{party.id}/site", {**token, **headers})


class Window:
    """A page's end of the wire."""

    def __init__(self, url: str, headers: dict[str, str]) -> None:
        self._closing = contextlib.ExitStack()
        opening = connect(url, additional_headers=headers, compression=None, close_timeout=1)
        self.socket: ClientConnection = self._closing.enter_context(opening)
        self.seq = 0
        self.frames: list[tuple[wire.Look, dict[int, Pose]]] = []
        self.sizes: list[int] = []
        self.poses: dict[int, Pose] = {}
        self.said: list[dict[str, Any]] = []
        self.delays: list[float] = []
        self._sent: dict[int, float] = {}

    def hear(self, timeout: float = 10.0) -> dict[str, Any] | wire.Look:
        """The next message, a frame or an object. Raises TimeoutError, ConnectionClosed."""
        message = self.socket.recv(timeout)
        if isinstance(message, bytes):
            look, poses = wire.read_frame(message)
            self.frames.append((look, poses))
            self.sizes.append(len(message))
            self.poses.update(poses)
            for seq in [s for s in self._sent if s <= look.ack]:
                self.delays.append(time.perf_counter() - self._sent.pop(seq))
            return look
        found: dict[str, Any] = json.loads(message)
        self.said.append(found)
        return found

    def until(self, *kinds: str, timeout: float = 15.0) -> dict[str, Any]:
        """Hear until an object of one of these kinds has come."""
        end = time.monotonic() + timeout
        while True:
            found = self.hear(max(0.01, end - time.monotonic()))
            if isinstance(found, dict) and found["t"] in kinds:
                return found

    def look(self, timeout: float = 5.0) -> wire.Look:
        """The next frame."""
        while True:
            found = self.hear(timeout)
            if isinstance(found, wire.Look):
                return found

    def tell(self, t: str, **fields: Any) -> None:
        self.socket.send(json.dumps({"t": t, **fields}))

    def grip(self, piece: int) -> dict[str, Any]:
        self.socket.send(bytes([wire.GRIP, piece]))
        return self.until("grip", "refused")

    def aim(self, pose: Pose, lower: bool = False) -> None:
        self.seq += 1
        self._sent[self.seq] = time.perf_counter()
        self.socket.send(wire.target(self.seq, pose, lower))

    def carry(self, start: Pose, goal: Pose, speed: float = 400.0) -> None:
        """Move the hand at sixty targets a second, hearing what comes."""
        steps = max(1, math.ceil(math.dist(start[0], goal[0]) / speed * 60))
        for k in range(1, steps + 1):
            x, y, z = (p + (q - p) * k / steps for p, q in zip(start[0], goal[0], strict=True))
            self.aim(((x, y, z), goal[1]))
            self.look()

    def lower(self, pose: Pose) -> wire.Look:
        """Let the server lower the piece until it is borne."""
        for _ in range(600):
            self.aim(pose, True)
            look = self.look()
            if look.flags & wire.BORNE:
                return look
        raise AssertionError("nothing ever bore it")

    def to_the_end(self) -> tuple[int, str]:
        """Hear until the server closes; its code and reason."""
        try:
            while True:
                self.hear(10)
        except ConnectionClosed as closed:
            return (closed.rcvd.code, closed.rcvd.reason) if closed.rcvd is not None else (1006, "")

    def flood(self, message: bytes, seconds: float) -> bool:
        """Send as fast as it goes, hearing what comes; was it cut off?"""
        end = time.monotonic() + seconds
        with contextlib.suppress(ConnectionClosed):
            while time.monotonic() < end:
                for _ in range(100):
                    self.socket.send(message)
                with contextlib.suppress(TimeoutError):
                    while True:
                        self.hear(0.0)
            return False
        return True

    def close(self) -> None:
        self._closing.close()

    def __enter__(self) -> Window:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@contextlib.contextmanager
def yard(folder: Path, sites: int = 4) -> Iterator[Yard]:
    """A server for as long as the block lasts."""
    running = Yard(folder, sites)
    try:
        yield running
    finally:
        running.stop()
