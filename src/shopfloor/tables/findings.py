"""What was found out about finished games, kept in the database: no server works it out a second time.

A finding belongs to a table, a version of its rules and a version of the analysis. Who wants to work one out claims it
first, and renews the claim meanwhile; the claim of one that has died runs out. Only so many are kept, the newest.
"""

from __future__ import annotations

import secrets
import zlib
from typing import Any, Final

import msgspec
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from shopfloor.bots.analysis import VERSION, Analysis
from shopfloor.tables.claims import POSTGRESQL_CLOCK, SQLITE_CLOCK
from shopfloor.tables.schema import ANALYSES
from shopfloor.tables.store import Store

CLAIM_SECONDS: Final = 30.0
MOST_KEPT: Final = 10_000
LARGEST: Final = 64 * 1024
"""Bytes of a finding, compressed, that is kept; a long game takes 12,000. So a database grows by 640 MB at most, and
with games as they are by less than 120 MB."""


class Findings:
    """The findings of all servers on a database, and the claims of this one."""

    def __init__(
        self, store: Store, version: str = VERSION, most: int = MOST_KEPT, claim: float = CLAIM_SECONDS
    ) -> None:
        """version: of the analysis. most: how many are kept. claim: seconds after which a claim runs out."""
        self._store = store
        self._version = version
        self._most = most
        self._claim = claim
        self._worker = secrets.token_hex(8)
        self._insert: Any = sqlite.insert if store.is_sqlite else postgresql.insert
        # One clock for all: the database's. Those of machines differ.
        self._now = sa.literal_column(SQLITE_CLOCK if store.is_sqlite else POSTGRESQL_CLOCK, sa.Double)

    def find(self, table_id: str, rules: str, decisions: int) -> Analysis | None:
        """What is kept of a table's game of so many decisions, played by this version of its rules."""
        query = sa.select(ANALYSES.c.data).where(self._this(table_id, rules))
        with self._store.reading() as connection:
            data = connection.execute(query).scalar()
        return _decoded(data, decisions)

    def claim(self, table_id: str, rules: str, decisions: int) -> bool:
        """Claim a finding, or renew the claim. Is it this one's to work out now?

        One that cannot be read, or is about a game of other decisions, is free to be worked out anew.
        """
        values = {"worker": self._worker, "claimed_until": self._now + self._claim, "data": None}
        keys = {"table_id": table_id, "rules_version": rules, "version": self._version}
        insert = self._insert(ANALYSES).values(**keys, **values, made_at=self._now)
        with self._store.writing() as connection:
            query = sa.select(ANALYSES.c.data).where(self._this(table_id, rules))
            data = connection.execute(query).scalar()
            if _decoded(data, decisions) is not None:
                return False  # somebody has worked it out meanwhile
            free = sa.and_(
                # Or somebody has between these two statements.
                ANALYSES.c.data.is_(None) if data is None else ANALYSES.c.data == data,
                sa.or_(
                    ANALYSES.c.worker == self._worker,
                    ANALYSES.c.claimed_until.is_(None),
                    ANALYSES.c.claimed_until < self._now,
                ),
            )
            taken = insert.on_conflict_do_update(index_elements=list(keys), set_=values, where=free)
            return connection.execute(taken.returning(ANALYSES.c.table_id)).first() is not None

    def keep(self, table_id: str, rules: str, found: Analysis) -> bool:
        """Keep a finding, instead of those of other versions. False: it is too large to be kept."""
        data = zlib.compress(msgspec.json.encode(found))
        if len(data) > LARGEST:
            self.give_up(table_id, rules)
            return False
        values = {"data": data, "made_at": self._now, "worker": None, "claimed_until": None}
        keys = {"table_id": table_id, "rules_version": rules, "version": self._version}
        insert = self._insert(ANALYSES).values(**keys, **values)
        others = sa.and_(ANALYSES.c.table_id == table_id, ~self._this(table_id, rules))
        oldest = (
            sa.select(ANALYSES.c.made_at).order_by(ANALYSES.c.made_at.desc()).offset(self._most).limit(1)
        ).scalar_subquery()
        with self._store.writing() as connection:
            connection.execute(insert.on_conflict_do_update(index_elements=list(keys), set_=values))
            connection.execute(sa.delete(ANALYSES).where(others))
            connection.execute(sa.delete(ANALYSES).where(ANALYSES.c.made_at <= oldest))
        return True

    def give_up(self, table_id: str, rules: str) -> None:
        """Let go of a claim: others may try."""
        mine = sa.and_(self._this(table_id, rules), ANALYSES.c.worker == self._worker)
        with self._store.writing() as connection:
            connection.execute(sa.delete(ANALYSES).where(mine))

    def _this(self, table_id: str, rules: str) -> sa.ColumnElement[bool]:
        return sa.and_(
            ANALYSES.c.table_id == table_id, ANALYSES.c.rules_version == rules, ANALYSES.c.version == self._version
        )


def _decoded(data: bytes | None, decisions: int) -> Analysis | None:
    """None for what another program has written, a disk has spoiled, or is about a game whose end was taken back."""
    if data is None:
        return None
    try:
        found = msgspec.json.decode(zlib.decompress(bytes(data)), type=Analysis)
    except (zlib.error, msgspec.DecodeError):
        return None
    return found if found.decisions == decisions else None
