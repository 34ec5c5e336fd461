"""Which process thinks about which decision, where several share a database.

A worker claims a decision before it thinks, and says every few seconds that it is alive. What a worker that fell
silent had claimed is free again.
"""

from __future__ import annotations

import secrets
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from shopfloor.tables.schema import THINKING, WORKERS
from shopfloor.tables.store import Store

BEAT_SECONDS: Final = 2.0
SILENT_SECONDS: Final = 10.0

# Seconds since 1970.
SQLITE_CLOCK: Final = "(julianday('now') - 2440587.5) * 86400.0"
POSTGRESQL_CLOCK: Final = "extract(epoch from clock_timestamp())"


class Claims:
    """The claims of one worker."""

    def __init__(self, store: Store, silent: float = SILENT_SECONDS) -> None:
        """silent: seconds without a beat after which a worker counts as dead."""
        self.worker = secrets.token_hex(8)
        self._store = store
        self._silent = silent
        self._insert: Any = sqlite.insert if store.is_sqlite else postgresql.insert
        # One clock for all: the database's. Those of machines differ.
        self._now = sa.literal_column(SQLITE_CLOCK if store.is_sqlite else POSTGRESQL_CLOCK, sa.Double)

    def beat(self) -> None:
        """Say that this worker is alive."""
        insert = self._insert(WORKERS).values(id=self.worker, seen_at=self._now)
        with self._store.writing() as connection:
            connection.execute(insert.on_conflict_do_update(index_elements=["id"], set_={"seen_at": self._now}))

    def take(self, table_id: str, seat: int, number: int) -> bool:
        """Claim a seat's decision. Is it this worker's now? number: the decision's; a newer one is a new question."""
        insert = self._insert(THINKING).values(table_id=table_id, seat=seat, number=number, worker=self.worker)
        new = insert.excluded
        free = sa.or_(
            THINKING.c.number < new.number,
            THINKING.c.worker == new.worker,
            THINKING.c.worker.not_in(self._alive()),
        )
        claim = insert.on_conflict_do_update(
            index_elements=["table_id", "seat"], set_={"number": new.number, "worker": new.worker}, where=free
        )
        with self._store.writing() as connection:
            return connection.execute(claim.returning(THINKING.c.seat)).first() is not None

    def take_over(self) -> list[str]:
        """Claim all that dead workers had claimed. Ids of the tables concerned, to be looked at anew."""
        taken = sa.update(THINKING).where(THINKING.c.worker.not_in(self._alive())).values(worker=self.worker)
        with self._store.writing() as connection:
            found = connection.execute(taken.returning(THINKING.c.table_id)).scalars()
            tables = list(dict.fromkeys(found))
            connection.execute(sa.delete(WORKERS).where(WORKERS.c.seen_at < self._now - 60 * self._silent))
        return tables

    def release(self, table_id: str) -> None:
        """Forget the claims at a table whose game is over."""
        with self._store.writing() as connection:
            connection.execute(sa.delete(THINKING).where(THINKING.c.table_id == table_id))

    def end(self) -> None:
        """This worker stops: what it had claimed is free at once."""
        with self._store.writing() as connection:
            connection.execute(sa.delete(WORKERS).where(WORKERS.c.id == self.worker))

    def _alive(self) -> sa.Select[tuple[str]]:
        return sa.select(WORKERS.c.id).where(WORKERS.c.seen_at >= self._now - self._silent)
