"""Who does not want to read what somebody says, at whatever table. Only who blocks learns of it.

A person is an account, or a browser: all of its guests' seats are one person's. Both are told by one text, as in the
log of tables.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from shopfloor.tables.schema import BLOCKS, GUESTS, RECIPIENTS, WISHES
from shopfloor.tables.store import Store

BELIEVED_SECONDS: Final = 5.0
KEPT: Final = 10_000


@dataclass(frozen=True)
class Block:
    """Somebody who is blocked. name: what they were called when they were."""

    whom: str
    name: str
    at: float


class Blocks:
    """All blocks of a database, and which secrets of seats are one browser's."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._known: OrderedDict[str, tuple[float, frozenset[str]]] = OrderedDict()
        self._insert: Any = sqlite.insert if store.is_sqlite else postgresql.insert

    def know(self, browser: str, token: str) -> None:
        """A browser holds a seat by this secret (both hashed)."""
        insert = self._insert(GUESTS).values(token=token, browser=browser).on_conflict_do_nothing()
        with self._store.writing() as connection:
            connection.execute(insert)

    def tokens_of(self, browsers: Collection[str], limit: int = 500) -> list[str]:
        """The secrets of seats that these browsers hold (hashed)."""
        query = sa.select(GUESTS.c.token).where(GUESTS.c.browser.in_(browsers)).limit(limit)
        with self._store.reading() as connection:
            return list(connection.execute(query).scalars())

    def people(self, tokens: Sequence[str | None]) -> list[str | None]:
        """Whose these secrets of seats are (hashed): the browser where it is known, else themselves."""
        asked = [token for token in tokens if token is not None and token[0] not in "@!"]
        known: dict[str, str] = {}
        if asked:
            with self._store.reading() as connection:
                rows = connection.execute(sa.select(GUESTS).where(GUESTS.c.token.in_(asked)))
                known = {row.token: row.browser for row in rows}
        return [None if token is None else known.get(token, token) for token in tokens]

    def blocked(self, who: Sequence[str]) -> frozenset[str]:
        """Whom these have blocked. It is asked for with every page: another process is believed after some seconds."""
        now = time.monotonic()
        with self._lock:
            found = [self._known.get(each, (0.0, frozenset())) for each in who]
        if all(until > now for until, _ in found):
            return frozenset().union(*(whom for _, whom in found))
        query = sa.select(BLOCKS.c.who, BLOCKS.c.whom).where(BLOCKS.c.who.in_(self.people(who)))
        with self._store.reading() as connection:
            whom = frozenset(row.whom for row in connection.execute(query))
        if len(who) == 1:
            with self._lock:
                self._known[who[0]] = (now + BELIEVED_SECONDS, whom)
                while len(self._known) > KEPT:
                    self._known.popitem(last=False)
        return whom

    def _changed(self) -> None:
        with self._lock:
            self._known.clear()

    def block(self, who: str, whom: str, name: str) -> None:
        insert = self._insert(BLOCKS).values(who=who, whom=whom, name=name, at=time.time())
        with self._store.writing() as connection:
            connection.execute(insert.on_conflict_do_nothing())
        self._changed()

    def unblock(self, who: Collection[str], whom: str) -> None:
        with self._store.writing() as connection:
            connection.execute(BLOCKS.delete().where(BLOCKS.c.who.in_(who), BLOCKS.c.whom == whom))
        self._changed()

    def of(self, who: Collection[str]) -> list[Block]:
        """Whom these have blocked."""
        query = sa.select(BLOCKS).where(BLOCKS.c.who.in_(who)).order_by(BLOCKS.c.at)
        with self._store.reading() as connection:
            return [Block(row.whom, row.name, row.at) for row in connection.execute(query)]

    def move(self, browsers: Collection[str], account: str) -> None:
        """A browser's person has an account from now on: blocks by them and of them go along, and their notices."""
        with self._store.writing() as connection:
            own = sa.or_(BLOCKS.c.who.in_(browsers), BLOCKS.c.whom.in_(browsers))
            for row in connection.execute(sa.select(BLOCKS).where(own)).all():
                who = account if row.who in browsers else row.who
                whom = account if row.whom in browsers else row.whom
                values = {"who": who, "whom": whom, "name": row.name, "at": row.at}
                if who != whom:
                    connection.execute(self._insert(BLOCKS).values(values).on_conflict_do_nothing())
            connection.execute(BLOCKS.delete().where(own))
            told = RECIPIENTS.update().where(RECIPIENTS.c.owner.in_(browsers))
            connection.execute(told.values(owner=account))
        self._changed()

    def erase(self, account: str) -> None:
        """An account is deleted: its blocks go, and the addresses at which it wanted to be told."""
        with self._store.writing() as connection:
            connection.execute(BLOCKS.delete().where(sa.or_(BLOCKS.c.who == account, BLOCKS.c.whom == account)))
            own = sa.select(RECIPIENTS.c.id).where(RECIPIENTS.c.owner == account)
            connection.execute(WISHES.delete().where(WISHES.c.recipient.in_(own)))
            connection.execute(RECIPIENTS.delete().where(RECIPIENTS.c.owner == account))
        self._changed()
