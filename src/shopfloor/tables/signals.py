"""News between the processes that share a PostgreSQL: what one has stored, the others hear of at once."""

from __future__ import annotations

import contextlib
import select
import socket
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import structlog
from sqlalchemy import URL

if TYPE_CHECKING:
    import psycopg

log = structlog.get_logger(__name__)

CHANNEL: Final = "shopfloor"
FIRST_PAUSE: Final = 0.2
LONGEST_PAUSE: Final = 5.0


class Signals:
    """Listens, on a connection and in a thread of its own, until it is closed. A lost connection is made again."""

    def __init__(self, url: URL, own: str, told: Callable[[str, int], None], anew: Callable[[], None]) -> None:
        """own: the name under which this process sends; its own news are not told again."""
        self._url = url
        self._own = own
        self._told = told
        self._anew = anew
        self._closed = threading.Event()
        self._woken, self._wake = socket.socketpair()
        self._listening = threading.Event()
        self._thread = threading.Thread(target=self._run, name="signals", daemon=True)
        self._thread.start()
        self._listening.wait(5)

    def close(self) -> None:
        """End; nothing is told any more when this returns."""
        self._closed.set()
        self._wake.send(b"x")
        self._thread.join()
        self._wake.close()
        self._woken.close()

    def _run(self) -> None:
        import psycopg

        pause = FIRST_PAUSE
        missed = False
        while not self._closed.is_set():
            try:
                with self._connected() as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    self._listening.set()
                    pause = FIRST_PAUSE
                    if missed:
                        self._anew()
                    self._listen(connection)
            except (psycopg.Error, OSError) as error:
                log.warning("signals_lost", error=str(error))
            missed = True
            self._closed.wait(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _connected(self) -> psycopg.Connection[Any]:
        import psycopg

        return psycopg.connect(
            self._url.render_as_string(hide_password=False),
            autocommit=True,
            connect_timeout=10,
            application_name="shopfloor signals",
            client_encoding="utf8",
            # A server that vanished without a word is noticed within half a minute.
            keepalives_idle=10,
            keepalives_interval=5,
            keepalives_count=3,
        )

    def _listen(self, connection: psycopg.Connection[Any]) -> None:
        while not self._closed.is_set():
            for news in connection.notifies(timeout=0):
                with contextlib.suppress(ValueError):
                    sender, table_id, number = news.payload.split(" ")
                    if sender != self._own:
                        self._told(table_id, int(number))
            select.select([connection.fileno(), self._woken.fileno()], [], [])
