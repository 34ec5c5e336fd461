"""Finished games looked at again, one after the other in a worker process; what was found is kept in the database."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from typing import Final

import structlog
from sqlalchemy.exc import SQLAlchemyError

from shopfloor.bots.analysis import Analysis
from shopfloor.tables import worker
from shopfloor.tables.findings import CLAIM_SECONDS
from shopfloor.tables.model import Table
from shopfloor.tables.pool import Pool
from shopfloor.tables.service import Tables
from shopfloor.web.problems import ProblemError

log = structlog.get_logger(__name__)

KEPT: Final = 200
"""How many are kept at hand, beside those in the database."""
TIMES: Final = 4.0
"""How much longer a whole game may be looked at than the strongest level thinks about a move."""
MOST_WAITING: Final = 8
LOOK_AGAIN: Final = 1.0
"""Seconds after which one looks again whether another server is done."""


class Analyses:
    """What there is to say of finished games. Safe from any thread."""

    def __init__(self, tables: Tables, budget: float) -> None:
        """budget: seconds of computing for a game, at most."""
        self._tables = tables
        self._findings = tables.findings()
        self._budget = budget
        self._pool = Pool(1)
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, int], Future[Analysis]] = OrderedDict()
        self._waiting = ThreadPoolExecutor(MOST_WAITING, thread_name_prefix="analyses")
        self._closed = threading.Event()

    def of(self, table: Table, patience: float) -> Analysis | None:
        """The analysis of a table's game; None if it is still being worked out after `patience` seconds.

        Raises TableError (STILL_RUNNING, RULES_GONE), ProblemError (ANALYSIS_BUSY, ANALYSIS_FAILED).
        """
        # A game whose end was taken back is played to another one.
        key = (table.id, len(table.decision_numbers()))
        with self._lock:
            future = self._kept.get(key)
        if future is None:
            record = self._tables.record(table.id)
            found = self._find(table)
            with self._lock:
                future = self._kept.get(key)
                if future is None:
                    future = self._kept[key] = self._begin(table, record, found)
                    while len(self._kept) > KEPT:
                        self._kept.popitem(last=False)
        try:
            return future.result(timeout=patience)
        except TimeoutError:
            return None
        except (Exception, CancelledError) as error:
            log.error("analysis_failed", table=table.id, exc_info=error)
            with self._lock:
                self._kept.pop(key, None)
            raise ProblemError(503, "ANALYSIS_FAILED", "This game could not be looked at again.") from None

    def _begin(self, table: Table, record: str, found: Analysis | None) -> Future[Analysis]:
        if found is not None:
            there: Future[Analysis] = Future()
            there.set_result(found)
            return there
        if sum(not other.done() for other in self._kept.values()) >= MOST_WAITING:
            sentence = "Too many games are looked at just now. Try again in a few minutes."
            raise ProblemError(503, "ANALYSIS_BUSY", sentence)
        return self._waiting.submit(self._work_out, table, record)

    def _work_out(self, table: Table, record: str) -> Analysis:
        """Here, or wait until another server has: the first one to begin does it for all."""
        while not self._claim(table):
            found = self._find(table)
            if found is not None:
                return found
            if self._closed.wait(LOOK_AGAIN):
                raise CancelledError
        try:
            found = self._worked_out(table, record)
        except BaseException:
            self._give_up(table)
            raise
        self._keep(table, found)
        return found

    def _worked_out(self, table: Table, record: str) -> Analysis:
        working = self._pool.submit(worker.analyse, record, self._budget)
        renewed = time.monotonic()
        while True:
            try:
                return working.result(timeout=LOOK_AGAIN)
            except TimeoutError:
                if self._closed.is_set():
                    raise CancelledError from None
            if time.monotonic() - renewed > CLAIM_SECONDS / 3:
                renewed = time.monotonic()
                self._claim(table)

    # What the database cannot do now, is done without it: the analysis is worked out all the same.

    def _find(self, table: Table) -> Analysis | None:
        try:
            return self._findings.find(table.id, table.rules_version, len(table.decision_numbers()))
        except SQLAlchemyError as error:
            log.error("database_away", table=table.id, error=str(error))
            return None

    def _claim(self, table: Table) -> bool:
        try:
            return self._findings.claim(table.id, table.rules_version, len(table.decision_numbers()))
        except SQLAlchemyError as error:
            log.error("database_away", table=table.id, error=str(error))
            return True

    def _keep(self, table: Table, found: Analysis) -> None:
        try:
            if not self._findings.keep(table.id, table.rules_version, found):
                log.warning("analysis_too_large", table=table.id)
        except SQLAlchemyError as error:
            log.error("database_away", table=table.id, error=str(error))

    def _give_up(self, table: Table) -> None:
        try:
            self._findings.give_up(table.id, table.rules_version)
        except SQLAlchemyError as error:
            log.error("database_away", table=table.id, error=str(error))

    def close(self) -> None:
        """End; what was being worked out is lost, and begun anew when somebody asks."""
        self._closed.set()
        self._pool.close()
        self._waiting.shutdown(wait=True, cancel_futures=True)
