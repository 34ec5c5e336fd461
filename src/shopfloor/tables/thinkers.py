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
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field

import structlog

from shopfloor.engine.dice import FastDice
from shopfloor.tables.errors import TableError
from shopfloor.tables.model import Table
from shopfloor.tables.pool import Pool
from shopfloor.tables.service import Tables
from shopfloor.tables.worker import think

log = structlog.get_logger(__name__)

# A level that fails so often in a row on one decision is replaced for it by `LAST_RESORT`: the table must go on.
FAILURES_BORNE = 3
LAST_RESORT = "random"
GIVE_UP = 8
FIRST_PAUSE = 0.1
LOOK_AGAIN = 1.0


@dataclass(eq=False)
class Thought:
    """A decision that a computer is thinking about. number: the table's `decision_number` for the seat.

    failures: how often it has come to nothing.
    """

    table_id: str
    seat: int
    number: int
    level: str
    failures: int = 0
    future: Future[int] | None = field(default=None, repr=False)


class Thinkers:
    """Lets the computers at all tables play. A table goes on wherever it is found, after a restart too."""

    def __init__(self, tables: Tables, workers: int = 1, pace: float = 0.8, budget: float = 1.0) -> None:
        """workers: processes to think in. pace: seconds between moves that can be seen. budget: seconds a thought."""
        self._tables = tables
        self._pace = pace
        self._budget = budget
        self._pool = Pool(workers)
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._later: list[tuple[float, int, Callable[[], None]]] = []
        self._order = itertools.count()
        self._thoughts: dict[tuple[str, int], Thought] = {}
        self._thread: threading.Thread | None = None
        self._unsubscribe: Callable[[], None] = lambda: None

    def start(self) -> None:
        """Begin, with all tables at which a computer has to decide."""
        if self._thread is not None:
            return
        self._unsubscribe = self._tables.subscribe(self._news)
        self._pool.warm_up()
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
        self._later.clear()
        self._pool.close()

    # -- the thread -----------------------------------------------------------------------------------------------

    def _news(self, table_id: str, _number: int) -> None:
        self._jobs.put(lambda: self._look(table_id))

    def _pick_up(self) -> None:
        for table_id in self._tables.with_computers():
            self._news(table_id, 0)

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

    def _look(self, table_id: str) -> None:
        """Let those computers think that have to decide at this table and do not yet."""
        try:
            table = self._tables.table(table_id)
        except TableError as error:
            log.warning("table_not_played", table=table_id, reason=error.sentence)
            return
        except Exception:  # the database may be busy or its disk full: that passes
            log.exception("table_not_read", table=table_id)
            self._in(LOOK_AGAIN, lambda: self._look(table_id))
            return
        for seat in table.deciders():
            level = table.seats[seat].played_by
            known = self._thoughts.get((table_id, seat))
            number = table.decision_number(seat)
            if known is not None and (known.number != number or known.level != level):
                self._drop(known)
                known = None
            if level is not None and known is None:
                thought = Thought(table_id, seat, number, level)
                self._thoughts[table_id, seat] = thought
                self._go_on(thought, lambda t=thought: self._think(t, table))  # type: ignore[misc]

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
        except Exception as error:
            self._failed(thought, error)

    def _think(self, thought: Thought, table: Table) -> None:
        # What leaves for the worker is imagined, with dice of its own: neither the seed nor anybody's hand goes along.
        seat = table.bot_seat(thought.seat, FastDice(secrets.randbits(63))).encode()
        level = thought.level if thought.failures < FAILURES_BORNE else LAST_RESORT
        future = self._pool.submit(think, table.game.id, seat, level, self._budget, secrets.randbits(63))
        thought.future = future
        future.add_done_callback(
            lambda done: self._jobs.put(lambda: self._go_on(thought, lambda: self._thought(thought, done)))
        )

    def _thought(self, thought: Thought, done: Future[int]) -> None:
        action = done.result()
        table = self._tables.table(thought.table_id)
        # A sealed choice while others still think shows nothing, so nobody has to be given time to follow it.
        hidden = len(table.deciders()) > 1
        wait = 0.0 if hidden else self._pace - max(0.0, time.time() - table.changed_at)
        if wait > 0:
            self._in(wait, lambda: self._go_on(thought, lambda: self._act(thought, action)))
        else:
            self._act(thought, action)

    def _act(self, thought: Thought, action: int) -> None:
        answer = self._tables.act_for_bot(thought.table_id, thought.seat, action, thought.number)
        self._drop(thought)
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
            exc_info=error,
        )
        thought.future = None
        if thought.failures >= GIVE_UP:
            log.critical("table_waits", table=thought.table_id, seat=thought.seat)
            return
        pause = FIRST_PAUSE * 2 ** (thought.failures - 1)
        self._in(pause, lambda: self._go_on(thought, lambda: self._again(thought)))

    def _again(self, thought: Thought) -> None:
        table = self._tables.table(thought.table_id)
        if thought.seat in table.deciders() and table.decision_number(thought.seat) == thought.number:
            self._think(thought, table)
        else:
            self._drop(thought)
            self._look(thought.table_id)
