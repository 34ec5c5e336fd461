"""Several processes think about one decision, each in imagined worlds and in a tree of its own.

The race between the candidates is one for all: every process tries the same ones in each of its worlds, what they
brought is put together world by world, and who is hopeless in the worlds of all is dropped everywhere. So those that
are left have been through the same worlds, whoever thought them up, and none is dropped by the bad luck of one process.
Where several decide at the same time, each process finds a mix of its own, and what is done is drawn from their
average, in which each counts by how much it has learned.

A process that dies or hangs costs what it would have found out: the others decide.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Final

from shopfloor.bots.base import legal_or_complain
from shopfloor.bots.helper import Job, Report
from shopfloor.bots.nets import NONE, Nets
from shopfloor.bots.search import DEFAULT_BUDGET, Search
from shopfloor.bots.seat import Seat
from shopfloor.bots.team import Team, team
from shopfloor.engine.dice import FastDice
from shopfloor.engine.game import Edition

MARGIN: Final = 0.01
"""The part of the time after which helpers stop before their end, so that all they have found is heard."""


class TogetherBot:
    """Thinks as `SearchBot` does, in several processes.

    They are the program's own, shared by all such bots in it: where two decide at the same moment, one thinks alone.
    """

    def __init__(
        self,
        seed: int,
        processes: int,
        budget: float = DEFAULT_BUDGET,
        iterations: int | None = None,
        clock: Callable[[], float] = time.perf_counter,
        edition: Edition | None = None,
        nets: Nets = NONE,
    ) -> None:
        """processes: this one included. budget: seconds a decision, at most, by `clock`.

        iterations: worlds a decision in all instead of a time; then the same seed and number of processes play the
        same. clock: the time on the wall; or another one, by which each process has the whole time, and this one waits
        for the others. edition: of the games to be played, where it is not the one that comes with the game.
        nets: what judges positions, where there is one for the game.
        Raises ValueError for no process.
        """
        if processes < 1:
            raise ValueError(f"at least one process must think, not {processes}")
        self.dice = FastDice(seed)
        self.processes = processes
        self.budget = budget
        self.iterations = iterations
        self.clock = clock
        self.edition = edition
        self.nets = nets
        self.worlds = 0
        """Worlds of all processes at the last decision."""

    def choose(self, seat: Seat) -> int:
        started = self.clock()
        actions = legal_or_complain(seat)
        self.worlds = 0
        if len(actions) == 1:
            return actions[0]
        end = started + self.budget if self.iterations is None else math.inf
        judgement = self.nets.judgement(seat.game, seat.players)
        search = Search(seat, self.dice, self.clock, end, judgement=judgement)
        # Drawn in any case, so that what comes later does not depend on what is settled at once.
        seeds = [self.dice.below(2**31) for _ in range(self.processes - 1)]
        helpers = team()
        together = bool(seeds) and not search.settled() and helpers.lock.acquire(blocking=False)
        try:
            thought = _Thought(search, helpers, self.iterations, self.clock, end)
            if together:
                thought.begin(seat, seeds, self.edition, self.nets)
            if self.iterations is None:
                thought.by_time()
            else:
                thought.by_count()
            thought.put_together()
        finally:
            if together:
                helpers.rest()
                helpers.lock.release()
        self.worlds = search.worlds
        return actions[search.decide()]


class _Thought:
    """One decision's thinking, seen from the process that decides."""

    def __init__(
        self, search: Search, helpers: Team, iterations: int | None, clock: Callable[[], float], end: float
    ) -> None:
        self.search = search
        self.helpers = helpers
        self.iterations = iterations
        self.clock = clock
        self.end = end
        self.known = len(search.running)
        self.mixes: dict[int, tuple[list[float], int]] = {}
        self.patient = iterations is not None or clock is not time.perf_counter
        self.together = False

    def begin(self, seat: Seat, seeds: list[int], edition: Edition | None, nets: Nets = NONE) -> None:
        """Let the helpers think as well, each with dice of its own."""
        self.together = True
        self.helpers.number += 1
        search = self.search
        # What the others do in the first worlds of a process is hardly thought through, so each comes to as many
        # before anything is decided by them as one alone would.
        search.next_check *= len(seeds) + 1
        seconds = None
        if self.iterations is None:
            seconds = max(0.0, (self.end - self.clock()) * (1.0 - MARGIN))
        text = seat.encode()
        jobs = [
            Job(
                self.helpers.number,
                seat.game.id,
                edition,
                text,
                seed,
                search.odds,
                nets,
                tuple(search.running),
                self.clock,
                seconds,
            )
            for seed in seeds
        ]
        self.helpers.begin(jobs, self.patient)

    def by_time(self) -> None:
        """Until the time is up; what is found out elsewhere comes in as it is told of."""
        search = self.search
        while not search.settled() and not search.late:
            search.think()
            self.hear(0.0)
        while self.together and not search.settled() and self.helpers.working():
            # By the time on the wall that is what one world more would have taken; else the others may need long.
            left = 1.0 if self.patient else self.end - self.clock()
            if left <= 0.0:
                return
            self.hear(left)

    def by_count(self) -> None:
        """Until there have been so many worlds; in rounds, between which those that are left are the same for all."""
        search = self.search
        assert self.iterations is not None
        while not search.settled() and search.worlds < self.iterations:
            wanted = min(search.next_check, self.iterations) - search.worlds
            working = self.helpers.working() if self.together else []
            each, more = divmod(wanted, len(working) + 1)
            shares = [each + (n < more) for n in range(len(working) + 1)]
            self.helpers.tell(search.running, dict(zip(working, shares[1:], strict=True)))
            for _ in range(shares[0]):
                search.think()
            told: dict[int, Report] = {}
            while not told.keys() >= set(working) & set(self.helpers.working()):
                told.update(self.helpers.hear(1.0))
            for i in sorted(told):  # in an order that does not depend on who was first
                self.take(i, told[i])

    def hear(self, seconds: float) -> None:
        """Count what the helpers have found out, and say which candidates are left; waits so long for the first."""
        if not self.together:
            return
        for i, report in self.helpers.hear(seconds):
            self.take(i, report)
        running = self.search.running
        if len(running) < self.known:
            self.known = len(running)
            self.helpers.tell(running)

    def take(self, helper: int, report: Report) -> None:
        self.search.take(report.results, report.worlds)
        self.mixes[helper] = (report.weights, report.steps)

    def put_together(self) -> None:
        """At the end: the mix of all."""
        for weights, steps in self.mixes.values():
            self.search.mixer.join(weights, steps)
