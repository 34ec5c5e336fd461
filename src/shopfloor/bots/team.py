"""Processes that help this one to think about a decision: started when they are needed, started anew when they die."""

from __future__ import annotations

import logging
import multiprocessing
import os
import threading
import time
from collections.abc import Mapping, Sequence
from functools import lru_cache
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Final

from shopfloor.bots.helper import HANGING, READY, Failure, Job, Report, Word, serve

log = logging.getLogger(__name__)

STARTING: Final = 60.0
"""Seconds that a process may take to start."""
FIRST_PAUSE: Final = 0.1
LONGEST_PAUSE: Final = 60.0


class Member:
    """One process of a team.

    job: what it is to do for the decision under way. busy: is it at work, on that or on what went before? heard: when
    it was last heard of (`time.monotonic`). failures: how often it has died since it last finished something.
    """

    def __init__(self) -> None:
        self.process: BaseProcess | None = None
        self.connection: Connection | None = None
        self.ready = False
        self.busy = False
        self.job: Job | None = None
        self.heard = 0.0
        self.failures = 0
        self.again_at = 0.0

    def start(self) -> None:
        # spawn: a copy of a process with threads and open files would be no clean start.
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=serve, args=(theirs,), name="helper", daemon=True)
        process.start()
        theirs.close()  # so that its end is seen
        self.process, self.connection = process, ours
        self.ready = self.busy = False
        self.heard = time.monotonic()

    @property
    def awaited(self) -> bool:
        """Has it still to say something?"""
        return self.connection is not None and (self.busy or not self.ready)

    def send(self, message: Job | Word) -> None:
        assert self.connection is not None
        self.connection.send(message)

    def end(self) -> None:
        """End it, whatever it does."""
        process, connection = self.process, self.connection
        self.process = self.connection = None
        self.ready = self.busy = False
        if connection is not None:
            connection.close()
        if process is not None:
            process.kill()
            process.join(5)


class Team:
    """The processes that help this one. For one decision at a time: who begins one holds `lock`."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.number = 0
        self._members: list[Member] = []

    def start(self, helpers: int) -> None:
        """See to it that so many are there, or will soon be."""
        while len(self._members) < helpers:
            self._members.append(Member())
        now = time.monotonic()
        for member in self._members[:helpers]:
            if member.process is None and now >= member.again_at:
                member.start()

    def begin(self, jobs: Sequence[Job], patient: bool) -> None:
        """Give each a job; those that are not ready get it as soon as they are, and `patient` waits for them."""
        self.start(len(jobs))
        asked = self._members[: len(jobs)]
        self.hear(0.0)
        while patient and any(member.awaited for member in asked):
            self.hear(0.1)
        for member, job in zip(asked, jobs, strict=True):
            member.job = job
            self._give(member)

    def hear(self, seconds: float) -> list[tuple[int, Report]]:
        """Reports on the decision under way, and from whom, as far as there are any; waits so long for the first."""
        awaited = {member.connection: i for i, member in enumerate(self._members) if member.connection is not None}
        reports = []
        for connection in wait(list(awaited), seconds) if awaited else ():
            i = awaited[connection]  # type: ignore[index]
            reports += [(i, report) for report in self._listen(self._members[i])]
        now = time.monotonic()
        for member in self._members:
            if member.awaited and now - member.heard > (HANGING if member.ready else STARTING):
                self._lost(member, "it hangs")
        return reports

    def tell(self, running: Sequence[int], worlds: Mapping[int, int] | None = None) -> None:
        """Say which candidates are left, and to each how many worlds are asked for, where they are asked for."""
        for i in self.working():
            try:
                self._members[i].send(Word(self.number, tuple(running), (worlds or {}).get(i, 0)))
            except OSError:
                self._lost(self._members[i], "it has ended")

    def working(self) -> list[int]:
        """Those that are at work on the decision under way."""
        return [i for i, member in enumerate(self._members) if member.busy and member.job is not None]

    def rest(self) -> None:
        """The decision is made: nobody needs to go on."""
        self.tell(())
        for member in self._members:
            member.job = None

    def pids(self) -> list[int]:
        """The processes there are."""
        return [member.process.pid or 0 for member in self._members if member.process is not None]

    def close(self) -> None:
        """End all of them."""
        for member in self._members:
            member.end()

    def _give(self, member: Member) -> None:
        job = member.job
        if job is None or not member.ready or member.busy:
            return
        try:
            member.send(job)
        except OSError:
            self._lost(member, "it has ended")
            return
        member.busy = True
        member.heard = time.monotonic()

    def _listen(self, member: Member) -> list[Report]:
        found: list[Report] = []
        try:
            while member.connection is not None and member.connection.poll():
                said = member.connection.recv()
                member.heard = time.monotonic()
                if said == READY:
                    member.ready = True
                    self._give(member)
                elif isinstance(said, Failure):
                    self._lost(member, said.why)
                elif isinstance(said, Report):
                    if said.last:
                        member.busy = False
                        member.failures = 0
                    if said.number == self.number and member.job is not None:
                        found.append(said)
                        if said.last:
                            member.job = None
                    else:
                        self._give(member)  # late from the decision before: now it has time for this one
        except (EOFError, OSError):
            self._lost(member, "it has ended")
        return found

    def _lost(self, member: Member, why: str) -> None:
        """Go on without one; a new one is started for the next decision, after a pause that grows."""
        pid = member.process.pid if member.process is not None else None
        log.warning("a process that helped to think is replaced (%s): %s", pid, why)
        member.end()
        member.job = None
        member.failures += 1
        pause = 0.0 if member.failures == 1 else min(FIRST_PAUSE * 2**member.failures, LONGEST_PAUSE)
        member.again_at = time.monotonic() + pause


def team() -> Team:
    """This process's team. Its processes end with this one, however it ends."""
    return _team_of(os.getpid())


@lru_cache
def _team_of(_pid: int) -> Team:
    return Team()  # a forked process has no share in its parent's
