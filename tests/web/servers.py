"""Real server processes and an application in this process, for the tests of the web."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import httpx

SERVE = """
import json
import sys
from shopfloor.web.serve import run
from shopfloor.web.settings import Settings

if __name__ == "__main__":
    port, database, pace, workers = int(sys.argv[1]), sys.argv[2], float(sys.argv[3]), int(sys.argv[4])
    free = {"tables_a_minute": 0, "changes_a_minute": 0, "sign_ins_a_minute": 0}
    more = {"budget": 1.0, **free, **json.loads(sys.argv[5])}
    run(Settings(port=port, database=database, pace=pace, workers=workers, **more))
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class ServerProcess:
    """`shopfloor serve` on a database in `folder`. more: other settings, by their names."""

    def __init__(
        self,
        folder: Path,
        pace: float = 0.0,
        database: str | None = None,
        workers: int = 1,
        more: Mapping[str, object] | None = None,
    ) -> None:
        self.folder = folder
        self.pace = pace
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.errors = folder / f"server-{self.port}.log"
        script = folder / "serve.py"
        script.write_text(SERVE, encoding="utf-8")
        database = database or str(folder / "tables.db")
        told = [str(self.port), database, str(pace), str(workers), json.dumps(dict(more or {}))]
        self._command = [sys.executable, str(script), *told]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self.errors.open("ab") as log:
            # A session of its own, so that `kill_hard` reaches the processes that think as well.
            self._process = subprocess.Popen(self._command, stdout=log, stderr=log, start_new_session=True)
        end = time.monotonic() + 30
        while True:
            with contextlib.suppress(httpx.HTTPError):
                if httpx.get(f"{self.url}/healthz", timeout=2).status_code == 200:
                    return
            if self._process.poll() is not None or time.monotonic() > end:
                raise AssertionError(f"the server did not start:\n{self.log()}")
            time.sleep(0.05)

    def log(self) -> str:
        return self.errors.read_text(encoding="utf-8", errors="replace")

    def kill_hard(self) -> None:
        """As a power cut would: nothing in it gets to run again."""
        assert self._process is not None
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def stop(self) -> int:
        """As Ctrl+C would; the exit status."""
        assert self._process is not None
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
            try:
                self._process.wait(15)
            except subprocess.TimeoutExpired:
                self.kill_hard()
                raise AssertionError(f"the server did not stop:\n{self.log()}") from None
        return self._process.returncode


@contextlib.contextmanager
def server_process(
    folder: Path,
    pace: float = 0.0,
    database: str | None = None,
    workers: int = 1,
    more: Mapping[str, object] | None = None,
) -> Iterator[ServerProcess]:
    """A server for as long as the block lasts."""
    server = ServerProcess(folder, pace, database, workers, more)
    server.start()
    try:
        yield server
    finally:
        server.stop()
