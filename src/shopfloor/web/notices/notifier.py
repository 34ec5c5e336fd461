"""The one who tells: hears that tables change, waits a moment, and sends what is still news by then.

All that it knows is in the database. Several processes may do so at once: who is to be told is claimed first.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Final, Protocol

import structlog

from shopfloor.tables.errors import TableError
from shopfloor.tables.model import Table
from shopfloor.tables.service import Tables
from shopfloor.tables.turns import Item, to_tell, warned_at
from shopfloor.tables.wishes import Recipient, Told
from shopfloor.web.notices import mail, words
from shopfloor.web.notices.guard import Unreachable
from shopfloor.web.notices.notice import Notice

log = structlog.get_logger(__name__)

SENDERS: Final = 4
# Seconds after which it looks whether another process has left something to be told, or new wishes.
LOOK_AGAIN: Final = 5.0
SWEEP_EVERY: Final = 6 * 3600.0
# Seconds for which wishes at a finished table are kept, for the table that may follow it.
OVER_KEPT: Final = 7 * 24 * 3600.0


class Channel(Protocol):
    """A way to tell somebody."""

    def send(self, recipient: Recipient, notice: Notice) -> None:
        """Raises Unreachable."""


class Notifier:
    """A thread that finds out who is to be told, and a few that tell them."""

    def __init__(
        self, tables: Tables, channels: Mapping[str, Channel], delay: float = 3.0, look_again: float = LOOK_AGAIN
    ) -> None:
        """channels: by kind of recipient. delay: seconds in which a decision may still be taken back or made."""
        self._tables = tables
        self._wishes = tables.wishes()
        self._channels = channels
        self._delay = delay
        self._look_again = look_again
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._watched: set[str] = set()
        # When somebody's time begins to run out, by table: nothing happens then that one could hear of.
        self._later: dict[str, float] = {}
        self._sweep = 0.0
        self._busy = 0
        self._thread: threading.Thread | None = None
        self._senders: ThreadPoolExecutor | None = None
        self._unsubscribe: Callable[[], None] = lambda: None

    def start(self) -> None:
        """Begin, with all tables of which somebody wants to be told."""
        if self._thread is not None:
            return
        self._senders = ThreadPoolExecutor(SENDERS, thread_name_prefix="notices")
        self._unsubscribe = self._tables.subscribe(self._news, lambda: self._jobs.put(self._look_at_all))
        self._jobs.put(self._look_at_all)
        self._thread = threading.Thread(target=self._run, name="notifier", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End, when what is being sent is sent. What is due is told by whoever starts next."""
        if self._thread is None or self._senders is None:
            return
        self._unsubscribe()
        self._jobs.put(None)
        self._thread.join()
        self._senders.shutdown()
        self._thread = None

    def wanted(self, table_id: str) -> None:
        """Somebody has just said that they want to be told of a table, or to try whether they are."""
        self._watched.add(table_id)
        self._jobs.put(lambda: self._look(table_id))

    # -- the thread -----------------------------------------------------------------------------------------------

    def _news(self, table_id: str, _number: int) -> None:
        if table_id in self._watched:  # the others cost nothing
            self._jobs.put(lambda: self._look(table_id))

    def _run(self) -> None:
        ending = False
        while not ending:
            job: Callable[[], None] | None = self._send_due
            with suppress(queue.Empty):
                job = self._jobs.get(timeout=self._pause())
            ending = job is None
            if job is not None:
                self._guarded(job)

    def _pause(self) -> float:
        if self._busy >= SENDERS:
            return self._look_again
        found: list[float | None] = [None]
        self._guarded(lambda: found.append(self._wishes.next_due()))
        due = [self._look_again, *(at - time.time() for at in self._later.values())]
        if found[-1] is not None:
            due.append(found[-1])
        return max(0.0, min(due))

    def _guarded(self, job: Callable[[], None]) -> None:
        try:
            job()
        except Exception as error:  # one table's trouble, or the database's, must not silence the others
            # Without its text and trace: they may hold somebody's address.
            log.error("notifier_stumbled", error=type(error).__name__)
            time.sleep(min(1.0, self._look_again))

    def _look_at_all(self) -> None:
        self._watched = self._wishes.tables()
        for table_id in self._watched.copy():
            self._guarded(lambda found=table_id: self._look(found))  # type: ignore[misc]

    def _look(self, table_id: str) -> None:
        """Note who is to be told of a table; forget those who no longer sit there."""
        self._later.pop(table_id, None)
        now = time.time()
        wishes = self._wishes.at(table_id)
        if not wishes:
            self._watched.discard(table_id)
            return
        for recipient, told in wishes:
            table, seat = self._seat(table_id, recipient)
            if table is None or seat is None or table.archived:
                self._wishes.drop(table_id, recipient.id)
            elif table.status == "over" and table.rematch is not None:
                self._wishes.move(table_id, recipient.id, table.rematch)
                self.wanted(table.rematch)
            elif table.status == "over" and table.changed_at < now - OVER_KEPT:
                self._wishes.drop(table_id, recipient.id)
            elif to_tell(table, seat, told, now)[0]:
                self._wishes.set_due(recipient.id, self._delay)
            elif (at := warned_at(table, seat, told)) is not None and at > now:
                # If not, the time is up and nobody stands in: then it is too late for a warning.
                self._later[table_id] = min(at, self._later.get(table_id, at))

    def _seat(self, table_id: str, recipient: Recipient) -> tuple[Table | None, int | None]:
        try:
            return self._tables.table(table_id), self._tables.seat_of_hash(table_id, recipient.owner)
        except TableError:  # a game that is not here any more
            return None, None

    def _send_due(self) -> None:
        if self._sweep <= time.monotonic():
            self._sweep = time.monotonic() + SWEEP_EVERY
            self._wishes.sweep()
            self._look_at_all()
        for table_id in [table_id for table_id, at in self._later.items() if at <= time.time()]:
            self._look(table_id)
        for table_id in self._wishes.tables() - self._watched:  # wished for elsewhere
            self._watched.add(table_id)
            self._look(table_id)
        free = SENDERS - self._busy
        due = self._wishes.next_due()
        for recipient in self._wishes.claim(free) if free and due is not None and due <= 0 else ():
            self._busy += 1
            assert self._senders is not None
            self._senders.submit(self._guarded, lambda found=recipient: self._tell(found))  # type: ignore[misc]

    # -- a sender -------------------------------------------------------------------------------------------------

    def _tell(self, recipient: Recipient) -> None:
        try:
            self._told(recipient)
        finally:
            self._jobs.put(self._freed)

    def _freed(self) -> None:
        self._busy -= 1

    def _told(self, recipient: Recipient) -> None:
        """Send a claimed recipient what is news now, and note it."""
        channel = self._channels.get(recipient.kind)
        known: dict[str, Told] = {}
        notice: Notice | None = None
        try:
            if channel is None:  # it is not offered any more
                raise Unreachable("not_offered", final=True)
            notice = self._composed(recipient, known)
            if notice is not None:
                channel.send(recipient, notice)
        except Unreachable as error:
            given_up = self._wishes.failed(recipient, error.code, error.final)
            log.warning("notice_failed", kind=recipient.kind, reason=error.code, given_up=given_up)
            return
        except Exception as error:
            self._wishes.failed(recipient, "not_understood")
            log.error("notice_failed", kind=recipient.kind, reason=type(error).__name__)
            return
        self._wishes.done(recipient.id, known, sent=notice is not None)
        for table_id in known:  # what has changed while it was sent
            self._jobs.put(lambda found=table_id: self._look(found))  # type: ignore[misc]

    def _composed(self, recipient: Recipient, known: dict[str, Told]) -> Notice | None:
        """What to send: all that is news at all tables. known: filled with what its owner knows after it."""
        if not recipient.confirmed:
            return mail.question(recipient)
        items: list[Item] = []
        tables: list[Table] = []
        for table_id, told in self._wishes.tables_of(recipient.id).items():
            table, seat = self._seat(table_id, recipient)
            if table is None or seat is None:
                continue
            tables.append(table)
            found, known[table_id] = to_tell(table, seat, told, time.time())
            items += found
        if items:
            return words.notice(recipient.id, recipient.base_url, items)
        if recipient.trial and tables:
            return words.trial(recipient.id, recipient.base_url, tables)
        return None
