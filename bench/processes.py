"""Processes of a site: servers and workers as their users start them, which can be killed and started again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Final

CLI: Final = ("-c", "from shopfloor.cli import main; main()")
UNLIMITED: Final = {
    "SHOPFLOOR_TABLES_A_MINUTE": "0",
    "SHOPFLOOR_TRIES_A_MINUTE": "0",
    "SHOPFLOOR_CHANGES_A_MINUTE": "0",
    "SHOPFLOOR_PACE": "0",
}
START_SECONDS: Final = 600.0
ANSWER_SECONDS: Final = 20.0


class Process:
    """A process that can be killed and is then started again, until it answers."""

    def __init__(
        self, name: str, command: list[str], ready: Callable[[], bool], environment: Mapping[str, str] = {}
    ) -> None:
        """ready: does it do its work? Asked until it does."""
        self.name = name
        self.starts = 0
        self.gone = 0  # it ended although nobody had killed it
        self.log: list[str] = []
        self._command = [sys.executable, *CLI, *command]
        self._ready = ready
        self._environment = {**os.environ, **UNLIMITED, **environment}
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
                env=self._environment,
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


def answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=ANSWER_SECONDS) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False
