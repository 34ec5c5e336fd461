"""Advice for the people at the tables: thought up in a worker process, one question after the other."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from concurrent.futures import CancelledError, Future
from typing import Final

import structlog

from shopfloor.bots.advice import LONGEST, Advice
from shopfloor.engine.dice import FastDice
from shopfloor.tables import worker
from shopfloor.tables.errors import TableError
from shopfloor.tables.model import Table
from shopfloor.tables.pool import Pool
from shopfloor.web.problems import ProblemError

log = structlog.get_logger(__name__)

KEPT: Final = 128
"""Answers that are kept: who asks the same again gets the same."""
MOST_WAITING: Final = 6
PATIENCE: Final = 60.0
"""Seconds that an answer may take beyond the thinking of all that wait before it, a fresh process included."""


SAID: Final = {
    "NO_HINTS": (409, "At this table nobody is advised: that was agreed when it was set up."),
    "NOTHING_TO_ADVISE": (409, "You have nothing to decide now, so there is nothing to advise."),
    "ADVICE_BUSY": (503, "Too many ask for advice at once. Try again in a moment."),
    "ADVICE_FAILED": (503, "No advice could be found this time; the game goes on without it."),
}


def _problem(code: str) -> ProblemError:
    status, sentence = SAID[code]
    return ProblemError(status, code, sentence)


class Advisers:
    """Answers what a seat might do now. Safe from any thread."""

    def __init__(self) -> None:
        self._pool = Pool(1)
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, int, int], Future[Advice]] = OrderedDict()

    def advice(self, table: Table, seat: int) -> Advice:
        """What the seat may do now, from what it knows. Waits for it.

        Raises ProblemError: NO_HINTS, NOTHING_TO_ADVISE, ADVICE_BUSY, ADVICE_FAILED; TableError as the table itself
        is: NOT_STARTED, RULES_GONE.
        """
        if table.rules_gone:
            raise table.rules_gone
        if table.status == "open":
            raise TableError("NOT_STARTED")
        if not table.hints:
            raise _problem("NO_HINTS")
        if seat not in table.deciders():
            raise _problem("NOTHING_TO_ADVISE")
        key = (table.id, seat, table.decision_number(seat))
        with self._lock:
            future = self._kept.get(key)
            waiting = sum(not other.done() for other in self._kept.values())
            if future is None:
                if waiting >= MOST_WAITING:
                    raise _problem("ADVICE_BUSY")
                # As for the computer players: what leaves for the worker is imagined from what the seat knows.
                asked = table.bot_seat(seat, FastDice(secrets.randbits(63))).encode()
                future = self._pool.submit(worker.advise, table.game.id, asked, secrets.randbits(63))
                self._kept[key] = future
                while len(self._kept) > KEPT:
                    self._kept.popitem(last=False)
        try:
            return future.result(timeout=PATIENCE + LONGEST * (1 + waiting))
        except (Exception, CancelledError) as error:
            log.error("advice_failed", table=table.id, seat=seat, exc_info=error)
            with self._lock:
                self._kept.pop(key, None)
            raise _problem("ADVICE_FAILED") from None

    def close(self) -> None:
        """End; who waits gets no answer."""
        self._pool.close()
