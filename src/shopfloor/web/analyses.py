"""Finished games looked at again, one after the other in a worker process; what was found is kept."""

from __future__ import annotations

import threading
from collections import OrderedDict
from concurrent.futures import CancelledError, Future
from typing import Final

import structlog

from shopfloor.bots.analysis import Analysis
from shopfloor.tables import worker
from shopfloor.tables.model import Table
from shopfloor.tables.pool import Pool
from shopfloor.tables.service import Tables
from shopfloor.web.problems import ProblemError

log = structlog.get_logger(__name__)

KEPT: Final = 200
TIMES: Final = 4.0
"""How much longer a whole game may be looked at than the strongest level thinks about a move."""
MOST_WAITING: Final = 8


class Analyses:
    """What there is to say of finished games. Safe from any thread."""

    def __init__(self, tables: Tables, budget: float) -> None:
        """budget: seconds of computing for a game, at most."""
        self._tables = tables
        self._budget = budget
        self._pool = Pool(1)
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, Future[Analysis]] = OrderedDict()

    def of(self, table: Table, patience: float) -> Analysis | None:
        """The analysis of a table's game; None if it is still being worked out after `patience` seconds.

        Raises TableError (STILL_RUNNING, RULES_GONE), ProblemError (ANALYSIS_BUSY, ANALYSIS_FAILED).
        """
        with self._lock:
            future = self._kept.get(table.id)
        if future is None:
            record = self._tables.record(table.id)
            with self._lock:
                future = self._kept.get(table.id)
                if future is None:
                    if sum(not other.done() for other in self._kept.values()) >= MOST_WAITING:
                        sentence = "Too many games are looked at just now. Try again in a few minutes."
                        raise ProblemError(503, "ANALYSIS_BUSY", sentence)
                    future = self._kept[table.id] = self._pool.submit(worker.analyse, record, self._budget)
                    while len(self._kept) > KEPT:
                        self._kept.popitem(last=False)
        try:
            return future.result(timeout=patience)
        except TimeoutError:
            return None
        except (Exception, CancelledError) as error:
            log.error("analysis_failed", table=table.id, exc_info=error)
            with self._lock:
                self._kept.pop(table.id, None)
            raise ProblemError(503, "ANALYSIS_FAILED", "This game could not be looked at again.") from None

    def close(self) -> None:
        """End; what was being worked out is lost, and begun anew when somebody asks."""
        self._pool.close()
