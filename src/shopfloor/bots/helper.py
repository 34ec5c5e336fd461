"""What runs in a process that helps another one with a decision: a search of its own, told of world by world.

It drops no candidates by itself. The one that decides does that, from the worlds of all, and says which ones are left.
"""

from __future__ import annotations

import faulthandler
import math
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Final

from shopfloor.bots.nets import Nets
from shopfloor.bots.processes import serve_another
from shopfloor.bots.search import Search
from shopfloor.bots.seat import decode_seat
from shopfloor.engine.dice import FastDice
from shopfloor.engine.game import Edition
from shopfloor.games import REGISTRY

REPORT: Final = 0.01
"""Seconds between reports, about: what is not told when the time is up is lost."""
HANGING: Final = 10.0
"""Seconds without a sign of life after which a process that thinks counts as hanging."""
NEVER: Final = 1 << 60


@dataclass(frozen=True)
class Job:
    """A decision to help with.

    number: names the decision. seat: as `Seat.encode` writes it, in a game with `edition` (None: its own). seed: of the
    helper's own dice. odds: of all legal actions; running: the indices of those that are candidates. nets: what judges
    positions, where there is one for the game. seconds: of thinking, by `clock`, or None where every world is asked
    for.
    """

    number: int
    game: str
    edition: Edition | None
    seat: str
    seed: int
    odds: list[float]
    nets: Nets
    running: tuple[int, ...]
    clock: Callable[[], float]
    seconds: float | None


@dataclass(frozen=True)
class Word:
    """A word in between. running: the candidates that are left; none ends it. worlds: how many are asked for now."""

    number: int
    running: tuple[int, ...]
    worlds: int = 0


@dataclass(frozen=True)
class Report:
    """What came of some more worlds. results: by candidate, world by world.

    weights, steps: of the mix so far (`search.Mixer`). last: is nothing more to come?
    """

    number: int
    worlds: int
    results: dict[int, list[float]]
    weights: list[float]
    steps: int
    last: bool


@dataclass(frozen=True)
class Failure:
    """Something has gone wrong; the process ends with this."""

    why: str


READY: Final = "ready"


def serve(connection: Connection) -> None:
    """Think about one job after the other until nobody sends any more. What a process that helps begins with."""
    serve_another()
    try:
        connection.send(READY)
        while True:
            asked = connection.recv()
            if isinstance(asked, Job):  # else a word that came too late
                _Helper(connection, asked).work()
    except (EOFError, OSError):
        return  # nobody is left to tell
    except Exception as error:  # a fault, or no memory left: a fresh process goes on
        connection.send(Failure(f"{type(error).__name__}: {error}"))


class _Helper:
    """Helps with one decision."""

    def __init__(self, connection: Connection, job: Job) -> None:
        self.connection = connection
        self.job = job
        self.told = 0
        self.asked = 0
        self.watched = -HANGING
        self.alive()
        end = math.inf if job.seconds is None else job.clock() + job.seconds
        seat = decode_seat(REGISTRY.get(job.game), job.seat, job.edition)
        judgement = job.nets.judgement(seat.game, seat.players)
        self.search = Search(seat, FastDice(job.seed), job.clock, end, judgement=judgement, odds=job.odds)
        self.search.running = list(job.running)
        self.search.next_check = NEVER

    def work(self) -> None:
        """Think until it is enough."""
        if self.job.seconds is None:
            self.by_word()
        else:
            self.by_time()
        self.rest()
        self.report(last=True)

    def by_word(self) -> None:
        """As many worlds as are asked for, time and again: the same words bring the same worlds."""
        while True:
            self.rest()
            if not self.heed(self.connection.recv()):
                return
            for _ in range(self.asked):
                self.alive()
                self.search.think()
            self.report(last=False)

    def by_time(self) -> None:
        """World after world until the time is up, telling of them and heeding words in between."""
        told = self.alive()
        while not self.search.late:
            self.search.think()
            now = self.alive()
            if now - told > REPORT:
                told = now
                self.report(last=False)
                while self.connection.poll():
                    if not self.heed(self.connection.recv()):
                        return

    def heed(self, word: Job | Word) -> bool:
        """Go on with the candidates that are left. False: it is enough."""
        if isinstance(word, Word) and word.number == self.job.number:
            self.search.running = list(word.running)
            self.asked = word.worlds
        return bool(self.search.running)

    def alive(self) -> float:
        """Say to the watch that this process goes on; the time. A world that does not end, ends the process."""
        now = time.monotonic()
        if now - self.watched > HANGING / 10:
            self.watched = now
            with suppress(RuntimeError, ValueError, AttributeError):  # it needs somewhere to write to
                faulthandler.dump_traceback_later(HANGING, exit=True)
        return now

    def rest(self) -> None:
        """To wait is not to hang."""
        self.watched = -HANGING
        faulthandler.cancel_dump_traceback_later()

    def report(self, last: bool) -> None:
        """Tell what the worlds since the last report have brought to those candidates that are left."""
        search = self.search
        results = {i: search.results[i][self.told :] for i in search.running}
        worlds = search.worlds - self.told
        self.told = search.worlds
        mixer = search.mixer
        self.connection.send(Report(self.job.number, worlds, results, list(mixer.weights), mixer.steps, last))
