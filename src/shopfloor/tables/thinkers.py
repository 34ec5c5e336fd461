"""Computers at the tables: they think in worker processes and play at a pace that people can follow.

One thread does the deciding about who is to think; it sleeps until there is news, a thought is finished, or the time
for a move has come. What it knows can be lost at any moment: all of it follows from the tables.
"""

from __future__ import annotations

import heapq
import itertools
import queue
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass, field

import structlog
from sqlalchemy.exc import SQLAlchemyError

from shopfloor.bots import level_below, thinking_time
from shopfloor.engine.dice import FastDice
from shopfloor.engine.refusals import Refused
from shopfloor.tables.builders import Builders
from shopfloor.tables.claims import BEAT_SECONDS
from shopfloor.tables.errors import TableError
from shopfloor.tables.model import Answer, Table
from shopfloor.tables.pool import Pool
from shopfloor.tables.service import Tables
from shopfloor.tables.sessions import Sessions
from shopfloor.tables.worker import think

log = structlog.get_logger(__name__)

# A level that fails is replaced for that decision by the one below it: the table must go on. What is no fault of the
# level, such as a process that was killed, is borne so often first.
FAILURES_BORNE = 3
# Seconds beyond thrice the level's own time after which a thought has overrun: others may be waiting before it.
OVERRUN = 60.0
ALARMING = 8
FIRST_PAUSE = 0.1
LONGEST_PAUSE = 60.0
LOOK_AGAIN = 1.0
# Seconds that are left to the server at which somebody looks on, where several share a database: what is done by hand
# is seen only there.
HEAD_START = 0.5


class Faulty(Exception):
    """A level that has failed at a decision by itself."""


@dataclass(eq=False)
class Thought:
    """A decision that a computer is thinking about. number: the table's `decision_number` for the seat.

    level: who is to decide; playing: who thinks, where that level has failed at this decision. failures: how often it
    has come to nothing.
    """

    table_id: str
    seat: int
    number: int
    level: str
    playing: str = ""
    failures: int = 0
    future: Future[int] | Future[object] | None = field(default=None, repr=False)


class Thinkers:
    """Lets the computers at all tables play. A table goes on wherever it is found, after a restart too."""

    def __init__(
        self,
        tables: Tables,
        workers: int = 1,
        pace: float = 0.8,
        budget: float = 1.0,
        sessions: Sessions | None = None,
        only_watched: bool = False,
        processes: int = 1,
    ) -> None:
        """workers: processes to think in. pace: seconds between moves that can be seen. budget: seconds a thought.

        processes: that think about one decision of a level that can make use of several; each worker has its own.
        sessions: where what computers do by hand is watched. only_watched: nothing but that; all else is done by others
        on the same database.
        """
        self._tables = tables
        self._builders = Builders(tables, sessions)
        self._only_watched = only_watched
        # What this worker has claimed it decides, also when nobody looks on any more: by seat the decision's number.
        self._claimed: dict[tuple[str, int], int] = {}
        self._pace = pace
        self._budget = budget
        self._processes = processes
        self._pool = Pool(workers, processes)
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._later: list[tuple[float, int, Callable[[], None]]] = []
        self._order = itertools.count()
        self._thoughts: dict[tuple[str, int], Thought] = {}
        # Those that wait for room. More than the processes can soon take are not claimed: others may be idle.
        self._waiting: deque[Thought] = deque()
        self._room = 2 * workers
        self._busy = 0
        self._claims = tables.claims()
        self._thread: threading.Thread | None = None
        self._unsubscribe: Callable[[], None] = lambda: None

    def start(self) -> None:
        """Begin, with all tables at which a computer has to decide."""
        if self._thread is not None:
            return
        self._unsubscribe = self._tables.subscribe(self._news, lambda: self._jobs.put(self._pick_up))
        if not self._only_watched:
            self._pool.warm_up()
        if self._claims is not None:
            self._jobs.put(self._beat)
        self._jobs.put(self._pick_up)
        self._thread = threading.Thread(target=self._run, name="thinkers", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End; thoughts under way are lost, and thought again when somebody starts."""
        if self._thread is None:
            return
        self._unsubscribe()
        self._jobs.put(None)
        self._thread.join()
        self._thread = None
        self._thoughts.clear()
        self._waiting.clear()
        self._later.clear()
        self._pool.close()
        self._busy = 0
        if self._claims is not None:
            with suppress(SQLAlchemyError):  # who cannot say so is missed soon
                self._claims.end()

    def counts(self) -> dict[str, int]:
        """How many decisions are being thought about, and how many wait for that."""
        return {"thinking": self._busy, "waiting": len(self._waiting)}

    # -- the thread -----------------------------------------------------------------------------------------------

    def _news(self, table_id: str, number: int) -> None:
        if self._only_watched and not self._builders.watched(table_id):
            return
        table = self._tables.at_hand(table_id, number)
        # Most tables are people's alone: nobody need be woken for them.
        if table is None or any(
            seat.played_by is not None or (table_id, seat.seat) in self._thoughts for seat in table.seats
        ):
            self._jobs.put(lambda: self._look(table_id, number))

    def _pick_up(self) -> None:
        if self._only_watched:  # of what is watched there is news soon
            return
        try:
            found = self._tables.with_computers()
        except SQLAlchemyError as error:
            log.error("database_away", error=str(error))
            self._in(LOOK_AGAIN, self._pick_up)
            return
        for table_id in found:
            self._jobs.put(lambda found=table_id: self._look(found))  # type: ignore[misc]

    def _beat(self) -> None:
        """Be heard of, and go on for those that are not any more."""
        assert self._claims is not None
        self._in(BEAT_SECONDS, self._beat)
        try:
            self._claims.beat()
            found = [] if self._only_watched else self._claims.take_over()
        except SQLAlchemyError as error:
            log.error("database_away", error=str(error))
            # What was taken over may be this worker's by now, although no answer has come: it looks at everything.
            self._in(LOOK_AGAIN, self._pick_up)
            return
        for table_id in found:
            log.warning("worker_lost", table=table_id)
            self._look(table_id)

    def _run(self) -> None:
        while True:
            wait = max(0.0, self._later[0][0] - time.monotonic()) if self._later else None
            try:
                job = self._jobs.get(timeout=wait)
            except queue.Empty:
                job = heapq.heappop(self._later)[2]
            if job is None:
                return
            try:
                job()
            except Exception:  # one table's trouble must not silence the others
                log.exception("thinkers_stumbled")

    def _in(self, seconds: float, job: Callable[[], None]) -> None:
        heapq.heappush(self._later, (time.monotonic() + seconds, next(self._order), job))

    def _look(self, table_id: str, told: int | None = None) -> None:
        """Let those computers think that have to decide at this table and do not yet.

        told: the number that news of it have brought.
        """
        try:
            table = self._tables.table(table_id, told)
        except TableError as error:
            log.warning("table_not_played", table=table_id, reason=error.sentence)
            return
        except Exception as error:  # the database may be busy or its disk full: that passes
            trace = None if isinstance(error, SQLAlchemyError) else error
            log.error("table_not_read", table=table_id, error=str(error), exc_info=trace)
            self._in(LOOK_AGAIN, lambda: self._look(table_id))
            return
        for seat in () if table.paused or table.archived else table.deciders():
            level = table.seats[seat].played_by
            known = self._thoughts.get((table_id, seat))
            number = table.decision_number(seat)
            if known is not None and (known.number != number or known.level != level):
                self._drop(known)
                known = None
            if level is not None and known is None and self._decides(table, seat, number):
                thought = Thought(table_id, seat, number, level)
                self._thoughts[table_id, seat] = thought
                if self._claims is not None and self._builders.work_at(table) and not self._builders.watched(table_id):
                    self._in(HEAD_START, lambda found=thought: self._queue(found))  # type: ignore[misc]
                else:
                    self._waiting.append(thought)
        self._fill()

    def _decides(self, table: Table, seat: int, number: int) -> bool:
        """Is this decision for this worker, if it can have it?"""
        if not self._only_watched or self._claimed.get((table.id, seat)) == number:
            return True
        return self._builders.work_at(table) and self._builders.watched(table.id)

    def _queue(self, thought: Thought) -> None:
        self._waiting.append(thought)
        self._fill()

    def _fill(self) -> None:
        """Begin with as many thoughts as there is room for."""
        while self._waiting and self._busy < self._room:
            thought = self._waiting.popleft()
            self._go_on(thought, lambda t=thought: self._begin(t))  # type: ignore[misc]

    def _begin(self, thought: Thought) -> None:
        if self._claims is None or self._claims.take(thought.table_id, thought.seat, thought.number):
            if self._only_watched:
                self._claimed[thought.table_id, thought.seat] = thought.number
            self._again(thought)
        else:
            self._drop(thought)  # another worker's

    def _drop(self, thought: Thought) -> None:
        """The question is no longer asked."""
        if self._thoughts.get((thought.table_id, thought.seat)) is thought:
            del self._thoughts[thought.table_id, thought.seat]
        if thought.future is not None:
            thought.future.cancel()

    def _go_on(self, thought: Thought, step: Callable[[], None]) -> None:
        """Take a step with a thought that is still wanted; whatever goes wrong, it is thought again."""
        if self._thoughts.get((thought.table_id, thought.seat)) is not thought:
            return
        try:
            step()
        except TableError as error:  # the table has moved on
            log.info("thought_dropped", table=thought.table_id, seat=thought.seat, code=error.code)
            self._drop(thought)
            self._look(thought.table_id)
        except SQLAlchemyError as error:  # no fault of the thought: a database that is away comes back
            log.error("database_away", table=thought.table_id, error=str(error))
            self._drop(thought)
            self._in(LOOK_AGAIN, lambda: self._look(thought.table_id))
        except Exception as error:
            self._failed(thought, error)

    def _think(self, thought: Thought, table: Table) -> None:
        level = thought.playing or thought.level
        future: Future[int] | Future[object]
        if self._builders.work_at(table):
            future = self._builders.think(self._pool, table, thought.seat, level, self._budget)
        else:
            # What leaves is imagined, with dice of its own: neither the seed nor anybody's hand goes along.
            seat = table.bot_seat(thought.seat, FastDice(secrets.randbits(63))).encode()
            dice = secrets.randbits(63)
            future = self._pool.submit(think, table.game.id, seat, level, self._budget, dice, self._processes)
        thought.future = future
        self._busy += 1
        future.add_done_callback(lambda done: self._jobs.put(lambda: self._done(thought, done)))
        self._in(OVERRUN + 3 * thinking_time(level, self._budget), lambda: self._overdue(thought, future))

    def _overdue(self, thought: Thought, future: Future[int] | Future[object]) -> None:
        """A thought that does not end is ended, and its process with it; the others there are thought again."""
        wanted = self._thoughts.get((thought.table_id, thought.seat)) is thought and thought.future is future
        if wanted and not future.done():
            thought.future = None  # what the ending process says of it is no news
            self._pool.close()
            self._failed(thought, Faulty("it has overrun its time"))

    def _done(self, thought: Thought, done: Future[int] | Future[object]) -> None:
        self._busy -= 1
        if thought.future is done:
            self._go_on(thought, lambda: self._thought(thought, done))
        self._fill()

    def _thought(self, thought: Thought, done: Future[int] | Future[object]) -> None:
        try:
            action = done.result()
        except (BrokenProcessPool, CancelledError):
            raise
        except Exception as error:
            raise Faulty("it has failed") from error
        table = self._tables.table(thought.table_id)
        # A sealed choice while others still think shows nothing, so nobody has to be given time to follow it.
        hidden = len(table.deciders()) > 1
        wait = 0.0 if hidden else self._pace - max(0.0, time.time() - table.changed_at)
        if wait > 0:
            self._in(wait, lambda: self._go_on(thought, lambda: self._act(thought, action)))
        else:
            self._act(thought, action)

    def _act(self, thought: Thought, action: object) -> None:
        if isinstance(action, int):
            self._acted(thought, self._tables.act_for_bot(thought.table_id, thought.seat, action, thought.number))
            return
        # By hand it takes its time; meanwhile the thought is neither done nor thought again.
        carried = self._builders.act(thought.table_id, thought.seat, action, thought.number)
        carried.add_done_callback(
            lambda done: self._jobs.put(lambda: self._go_on(thought, lambda: self._acted(thought, done.result())))
        )

    def _acted(self, thought: Thought, answer: Answer) -> None:
        self._drop(thought)
        self._claimed.pop((thought.table_id, thought.seat), None)
        if self._claims is not None and answer.table.status == "over":
            self._claims.release(thought.table_id)
        if answer.repeated:  # another server's computer was faster, and its news does not come here
            self._look(thought.table_id)

    def _failed(self, thought: Thought, error: BaseException) -> None:
        """Think again, after a pause that grows; say so each time."""
        thought.failures += 1
        log.error(
            "thinking_failed",
            table=thought.table_id,
            seat=thought.seat,
            level=thought.level,
            failures=thought.failures,
            error=str(error),
            # Of a process that is gone there is nothing to trace.
            exc_info=None if isinstance(error, BrokenProcessPool) else error,
        )
        if isinstance(error, Faulty | Refused) or thought.failures >= FAILURES_BORNE:
            failed = thought.playing or thought.level
            thought.playing = level_below(failed)
            log.warning("level_replaced", table=thought.table_id, seat=thought.seat, level=failed, by=thought.playing)
        thought.future = None
        if thought.failures >= ALARMING:
            log.critical("table_waits", table=thought.table_id, seat=thought.seat)
        # Never given up: what the matter was (memory, a process that is killed again and again) may pass.
        pause = min(FIRST_PAUSE * 2 ** (thought.failures - 1), LONGEST_PAUSE)
        self._in(pause, lambda: self._go_on(thought, lambda: self._begin(thought)))

    def _again(self, thought: Thought) -> None:
        table = self._tables.table(thought.table_id)
        if thought.seat in table.deciders() and table.decision_number(thought.seat) == thought.number:
            self._think(thought, table)
        else:
            self._drop(thought)
            self._look(thought.table_id)
