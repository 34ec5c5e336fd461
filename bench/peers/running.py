"""Workers and the rounds in which they take turns."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]
PATIENCE: Final = 300.0  # seconds until a worker that does not answer is given up


@dataclass
class Row:
    """What was measured of one program.

    maker: whose it is, as the page calls it. length, choices: decisions in a random game and legal actions in a
    decision; chances: chance nodes in a game, where they are explicit. rates: units a second by measure, round by
    round. failed: by measure, why there are no rates.
    """

    maker: str
    game: str
    players: int
    kind: str
    note: str
    index: int
    measures: list[str]
    length: float = 0.0
    choices: float = 0.0
    chances: float = 0.0
    rates: dict[str, list[float]] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    _games: float = 0.0
    _drawn: float = 0.0

    @property
    def batch(self) -> bool:
        """Are many games played side by side?"""
        return self.note.endswith("at once")

    @property
    def name(self) -> str:
        return f"{self.game} ({self.note})" if self.note else self.game

    def learn(self, measure: str, answer: dict[str, Any], counts: bool) -> None:
        """counts: does it count for the table, or was it to warm up?"""
        if "error" in answer:
            self.failed[measure] = answer["error"]
            self.rates.pop(measure, None)
        elif measure == "look":
            self.length = answer["length"]
            self.choices = answer["choices"]
        elif counts:
            self.rates.setdefault(measure, []).append(answer["done"] / max(answer["seconds"], 1e-9))
            if answer["chances"]:
                # Chance nodes counted as if they were decisions, beside the decisions alone.
                steps = answer["done"] + answer["chances"]
                self.rates.setdefault(f"{measure}, chance", []).append(steps / max(answer["seconds"], 1e-9))
                self._games += answer["games"]
                self._drawn += answer["chances"]
                self.chances = self._drawn / self._games


class Ended(Exception):
    """The worker ended, or was given up."""


class Worker:
    """A maker's programs in a process of its own, which is started again when a peer takes it down."""

    def __init__(self, maker: str, module: str, paths: Sequence[Path] = ()) -> None:
        """module: where its programs are. paths: for PYTHONPATH, before the root of the repository."""
        self.maker = maker
        self.module = module
        self.paths = [*paths, ROOT]
        self.version = ""
        self.missing = ""
        """Why nothing of it can be measured; empty if it can."""
        self.rows: list[Row] = []
        self._process: subprocess.Popen[str] | None = None
        self._answers: queue.Queue[str] = queue.Queue()

    def _start(self) -> None:
        self._answers = queue.Queue()
        self._process = subprocess.Popen(
            [sys.executable, "-P", str(Path(__file__).with_name("worker.py")), self.module],
            # One thread each, and the same hashes in every run.
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join(map(str, self.paths)),
                "PYTHONHASHSEED": "0",
                "OMP_NUM_THREADS": "1",
                "OPENBLAS_NUM_THREADS": "1",
                "PYGAME_HIDE_SUPPORT_PROMPT": "1",
                "SDL_VIDEODRIVER": "dummy",
            },
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
        )
        threading.Thread(target=_listen, args=(self._process, self._answers), daemon=True).start()

    def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        """The answer; where there is none, an error that says so."""
        try:
            if self._process is None:
                self._start()
                if question:
                    self._answer({})
            return self._answer(question)
        except Ended as ended:
            return {"error": str(ended)}

    def _answer(self, question: dict[str, Any]) -> dict[str, Any]:
        process = self._process
        assert process is not None
        assert process.stdin is not None
        try:
            print(json.dumps(question), file=process.stdin, flush=True)
            line = self._answers.get(timeout=PATIENCE)
        except queue.Empty:
            self.close()
            raise Ended(f"gave no answer in {PATIENCE:.0f} s") from None
        except OSError:
            line = ""
        if not line:
            status = process.wait()
            self._process = None
            how = f"with signal {-status}" if status < 0 else f"with status {status}"
            raise Ended(f"its process ended {how}")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def prepare(self) -> None:
        """Find out what there is to measure."""
        answer = self.ask({})
        if "error" in answer:
            self.missing = answer["error"]
            return
        self.version = answer["version"]
        self.rows = [Row(maker=self.maker, index=i, **row) for i, row in enumerate(answer["rows"])]

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


def _listen(process: subprocess.Popen[str], answers: queue.Queue[str]) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        answers.put(line)
    answers.put("")


def measure(workers: list[Worker], rounds: int, seconds: float, say: Callable[[str], None]) -> None:
    """Fill the workers' rows.

    In each round everything is measured once, and the makers take turns, so that what else the machine does falls on
    all alike. The round before the first is to warm up: imports, caches, compilers, the sizes of the games.
    """
    for worker in workers:
        say(f"starting {worker.maker}")
        worker.prepare()
    lists = [[(worker, row, name) for row in worker.rows for name in ["look", *row.measures]] for worker in workers]
    tasks = [task for turn in zip_longest(*lists) for task in turn if task is not None]
    for number in range(rounds + 1):
        for at, (worker, row, name) in enumerate(tasks):
            if name in row.failed or (number and name == "look"):
                continue
            what = f"round {number} of {rounds}" if number else "warming up"
            say(f"{what}, {at + 1} of {len(tasks)}: {worker.maker}, {row.game}, {name}")
            asked = {"row": row.index, "measure": name, "seconds": seconds if number else 0.0}
            row.learn(name, worker.ask(asked), number > 0)
    for worker in workers:
        worker.close()
