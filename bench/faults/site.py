"""The site that is tried: its servers, its workers and its database, killed at random moments and started again."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.request
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from typing import IO, Final

from tests.postgres import Postgres
from tests.web.servers import free_port

CLI: Final = ("-c", "from shopfloor.cli import main; main()")
ENVIRONMENT: Final = {
    "SHOPFLOOR_TABLES_A_MINUTE": "0",
    "SHOPFLOOR_TRIES_A_MINUTE": "0",
    "SHOPFLOOR_CHANGES_A_MINUTE": "0",
    "SHOPFLOOR_KEEP_ALIVE": "2",
    "SHOPFLOOR_PACE": "0",
    "SHOPFLOOR_BUDGET": "0.02",
}
START_SECONDS: Final = 120.0


class Process:
    """A process that can be killed and is then started again, until it answers."""

    def __init__(self, name: str, command: list[str], ready: Callable[[], bool]) -> None:
        """ready: does it do its work? Asked until it does."""
        self.name = name
        self.starts = 0
        self.gone = 0  # it ended although nobody had killed it
        self.log: list[str] = []
        self._command = [sys.executable, *CLI, *command]
        self._ready = ready
        self._process: subprocess.Popen[str] | None = None
        self._said = 0

    def start(self) -> None:
        """Start it until it runs: one that ends, for its database is away, is tried again."""
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            self.starts += 1
            self._said = len(self.log)
            self._process = subprocess.Popen(
                self._command,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                start_new_session=True,
                env={**os.environ, **ENVIRONMENT},
            )
            assert self._process.stdout is not None
            threading.Thread(target=self._hear, args=(self._process.stdout,), daemon=True).start()
            while self._process.poll() is None and time.monotonic() < end:
                if self._ready():
                    return
                time.sleep(0.05)
            time.sleep(0.2)
        raise AssertionError(f"{self.name} did not start:\n" + "".join(self.log[-50:]))

    def _hear(self, output: IO[str]) -> None:
        for line in output:
            self.log.append(line)

    def said(self, text: str) -> bool:
        """Has it said this since its last start?"""
        return any(text in line for line in self.log[self._said :])

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def kill(self) -> None:
        """As a power cut would: it and the processes in which it thinks."""
        if self._process is None:
            return
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def send(self, number: int) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.pid, number)

    def thinkers(self) -> list[int]:
        """The processes in which it lets computers think."""
        try:
            children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text(encoding="ascii").split()
        except OSError:
            return []
        return [int(child) for child in children if b"spawn_main" in _command_of(int(child))]


def _command_of(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


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
            self.servers.append(Process(f"server {port}", command, lambda p=port: _answers(p)))  # type: ignore[misc]
        if postgresql:
            command = ["bots", "--database", self.url]
            self.bots = Process("bots", command, lambda: self.bots is not None and self.bots.said("Computers think"))

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
            # Whatever happens is put right again, even if everything ends meanwhile.
            await asyncio.shield(asyncio.to_thread(self._happen, kind, server, seconds))

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
        for _ in range(50):
            # Those who worked for the killed one may take a moment to notice; until then it does not start.
            try:
                self.postgres.start()
                return
            except AssertionError:
                time.sleep(0.2)
        raise AssertionError("PostgreSQL did not start again")

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


def _answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=2) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False
