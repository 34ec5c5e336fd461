"""Runs computer players alone, for servers on the same database, until told to stop."""

from __future__ import annotations

import signal
import threading

from shopfloor.tables.clockwork import Clockwork
from shopfloor.tables.errors import StorageError
from shopfloor.web.app import open_tables, thinkers_for
from shopfloor.web.serve import CannotServe, quiet_logs
from shopfloor.web.settings import Settings


def run(settings: Settings) -> None:
    """Think until interrupted or told to end. Raises CannotServe."""
    quiet_logs()
    if not settings.shared:
        raise CannotServe(
            "Computers think alone only where servers share a PostgreSQL: give --database postgresql://...\n"
            "A server whose tables are in a file lets them think by itself."
        )
    if not settings.workers:
        raise CannotServe("workers: at least 1, for nothing else happens here")
    try:
        tables = open_tables(settings)
    except StorageError as error:
        raise CannotServe(str(error)) from None
    stopped = threading.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda _number, _frame: stopped.set())
    thinkers = thinkers_for(settings, tables)
    clockwork = Clockwork(tables)
    try:
        thinkers.start()
        clockwork.start()
        print(f"Computers think in {settings.workers} process(es)  (stop with Ctrl+C)", flush=True)
        while not stopped.wait(1):  # in steps, since Windows does not interrupt a wait
            pass
    finally:
        clockwork.stop()
        thinkers.stop()
        tables.close()
