"""The site that is tried: its servers, its workers and its database, killed at random moments and started again."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import sqlite3
import time
from collections import Counter
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from typing import Final

from bench.processes import Process, answers
from tests.postgres import Postgres
from tests.web.servers import free_port

ENVIRONMENT: Final = {"SHOPFLOOR_KEEP_ALIVE": "2", "SHOPFLOOR_BUDGET": "0.02"}


class Site:
    """Everything that runs. `ports` are the servers'; `url` is the database's."""

    def __init__(self, folder: Path, postgresql: bool, servers: int) -> None:
        self.injected: Counter[str] = Counter()
        self.postgres: Postgres | None = None
        self.file: Path | None = None
        self.servers: list[Process] = []
        self.bots: Process | None = None
        if postgresql:
            self.postgres = Postgres(fsync=True)
            self.postgres.start()
            self.url = self.postgres.fresh()
        else:
            self.file = folder / "tables.db"
            self.url = f"sqlite:///{self.file}"
        self.ports = [free_port() for _ in range(servers)]
        workers = "0" if postgresql else "1"
        for port in self.ports:
            command = ["serve", "--port", str(port), "--database", self.url, "--workers", workers]
            self.servers.append(Process(f"server {port}", command, lambda p=port: answers(p), ENVIRONMENT))  # type: ignore[misc]
        if postgresql:
            command = ["bots", "--database", self.url]
            self.bots = Process(
                "bots", command, lambda: self.bots is not None and self.bots.said("Computers think"), ENVIRONMENT
            )

    @property
    def processes(self) -> list[Process]:
        return [*self.servers, *([self.bots] if self.bots else [])]

    def start(self) -> None:
        for process in self.processes:
            process.start()

    def stop(self) -> None:
        for process in self.processes:
            process.kill()
        if self.postgres is not None:
            self.postgres.stop()

    def log(self) -> list[str]:
        return [line for process in self.processes for line in process.log]

    # -- what happens to it --------------------------------------------------------------------------------------

    async def trouble(self, rng: Random, every: float) -> None:
        """Until cancelled: something happens every so many seconds, on the average."""
        kinds = ["server", "server", "frozen", "thinker"]
        if self.postgres is not None:
            kinds += ["bots", "postgres", "bots frozen"]
        else:
            kinds += ["locked", "full"]
        while True:
            await asyncio.sleep(rng.expovariate(1 / every))
            kind, server, seconds = rng.choice(kinds), rng.choice(self.servers), rng.uniform(0.2, 3.0)
            happening = asyncio.ensure_future(asyncio.to_thread(self._happen, kind, server, seconds))
            try:
                await asyncio.shield(happening)
            except asyncio.CancelledError:
                # It is put right again before everything ends: else it would start what has just been stopped.
                await happening
                raise

    def _happen(self, kind: str, server: Process, seconds: float) -> None:
        match kind:
            case "server":
                self._killed("server killed (-9)", server)
            case "bots" if self.bots is not None:
                self._killed("worker killed (-9)", self.bots)
            case "postgres":
                self._postgres(seconds)
            case "frozen":
                self._frozen("server stopped for a while", server, seconds)
            case "bots frozen" if self.bots is not None:
                self._frozen("worker stopped for a while", self.bots, 4 * seconds)
            case "thinker":
                self._thinker(self.bots or server)
            case "locked":
                self._locked(seconds)
            case "full":
                self._full(server, seconds)
        for process in self.processes:
            if not process.running():
                process.gone += 1
                process.start()

    def _killed(self, what: str, process: Process) -> None:
        self.injected[what] += 1
        process.kill()
        process.start()

    def _postgres(self, seconds: float) -> None:
        assert self.postgres is not None
        self.injected["PostgreSQL killed (-9)"] += 1
        self.postgres.kill_hard()
        time.sleep(seconds / 2)
        self.postgres.start()

    def _frozen(self, what: str, process: Process, seconds: float) -> None:
        self.injected[what] += 1
        process.send(signal.SIGSTOP)
        time.sleep(seconds)
        process.send(signal.SIGCONT)

    def _thinker(self, process: Process) -> None:
        for pid in process.thinkers():
            self.injected["thinking process killed (-9)"] += 1
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def _locked(self, seconds: float) -> None:
        assert self.file is not None
        self.injected["database locked by another"] += 1
        with closing(sqlite3.connect(self.file, timeout=10, isolation_level=None)) as other, suppress(sqlite3.Error):
            other.execute("BEGIN IMMEDIATE")
            time.sleep(seconds)
            other.execute("ROLLBACK")

    def _full(self, process: Process, seconds: float) -> None:
        """No file of the server may grow: to SQLite, that is a disk on which nothing can be written any more."""
        self.injected["disk full"] += 1
        unlimited = resource.RLIM_INFINITY
        with suppress(ProcessLookupError):
            resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (1024, unlimited))
            time.sleep(seconds)
            resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (unlimited, unlimited))
