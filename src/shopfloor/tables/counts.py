"""How often somebody has asked for something rare, of all servers that share a database.

What is kept is a number, a time, and who it was as a code that only these servers can make; and that for an hour.
"""

from __future__ import annotations

import hashlib
import hmac
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

from shopfloor.tables.schema import SHARED
from shopfloor.tables.store import Store

# The longest time for which any of it counts.
KEPT_SECONDS: Final = 3600.0
CLEARED_EVERY: Final = 300.0
PREFIX: Final = "count "


class Counts:
    """Safe from any thread."""

    def __init__(self, store: Store, secret: str, now: Callable[[], float] = time.time) -> None:
        """secret: what the servers know and nobody else, so that nobody learns from the database who has asked."""
        self._store = store
        self._secret = secret.encode()
        self._now = now
        self._cleared = 0.0

    def take(self, who: str, most: int, seconds: float) -> float:
        """Count a request: `most` of them may be saved up, and come again in `seconds`.

        0 if it may go on, else the seconds after which one may. A PostgreSQL alone can tell.
        """
        now = self._now()
        name = PREFIX + hmac.digest(self._secret, who.encode(), hashlib.sha256).hex()[:26]
        full = postgresql.insert(SHARED).values(name=name, value=_text(now, most)).on_conflict_do_nothing()
        row = SHARED.c.name == name
        with self._store.writing() as connection:
            connection.execute(full)
            value = connection.execute(sa.select(SHARED.c.value).where(row).with_for_update()).scalar_one()
            at, left = (float(part) for part in value.split())
            left = min(most, left + max(0.0, now - at) * most / seconds)
            wait = 0.0 if left >= 1 else (1 - left) * seconds / most
            text = _text(max(now, at), left if wait else left - 1)
            connection.execute(SHARED.update().where(row).values(value=text))
        if now - self._cleared > CLEARED_EVERY:
            self._cleared = now
            with suppress(sa.exc.SQLAlchemyError):  # another time, or by another server
                self._clear(now)
        return wait

    def _clear(self, now: float) -> None:
        old = sa.and_(SHARED.c.name.startswith(PREFIX), SHARED.c.value < _text(now - KEPT_SECONDS, 0))
        with self._store.writing() as connection:
            connection.execute(SHARED.delete().where(old))


def _text(at: float, left: float) -> str:
    """Later ones come after earlier ones in the alphabet."""
    return f"{at:017.3f} {left:.6f}"
