"""Who wants to be told of their turn, as the database keeps it, and who is to be told next.

A recipient is one person's browser, mailbox or program; a wish is a table of which it is told. A recipient is due at a
time; whoever sends claims it first, so that several processes never tell the same twice.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final

import sqlalchemy as sa

from shopfloor.tables.claims import POSTGRESQL_CLOCK, SQLITE_CLOCK
from shopfloor.tables.schema import RECIPIENTS, WISHES
from shopfloor.tables.store import Store

KINDS: Final = ("push", "mail", "webhook")

# Seconds for which a claim holds: longer than anything that is sent may take.
CLAIMED: Final = 300.0
# Seconds after each failure; after the last of them it is given up.
PAUSES: Final = (30.0, 120.0, 600.0, 1800.0, 7200.0, 21600.0, 43200.0)
# Seconds that an address has for being confirmed, and that one which did not want any mail is left alone.
UNCONFIRMED: Final = 48 * 3600.0
# Seconds before the same mailbox is asked again whether it wants mail.
ASK_AGAIN: Final = 3600.0
# Seconds between two trials.
TRY_AGAIN: Final = 30.0
MOST_AT_A_TABLE: Final = 5
MOST_OF_ONE: Final = 20
STOPPED: Final = "stopped"
NOBODY: Final = ""


class TooMany(Exception):
    """One person has asked for more than there may be; `most` says how many."""

    def __init__(self, most: int) -> None:
        super().__init__(most)
        self.most = most


class AskedAlready(Exception):
    """This mailbox was asked a short time ago, or has asked to be left alone."""


@dataclass(frozen=True)
class Recipient:
    """Where somebody is told. owner: who they are, as `Tables.person` tells. kind: push, mail or webhook.

    address: a mailbox, a URL, or a push subscription as JSON. form: in which shape a webhook wants it. secret: signs
    what a webhook gets; is part of the links in mails. base_url: for links. every: seconds between two notices at
    least. made_at, confirmed_at, sent_at: seconds since 1970; a mailbox that is not confirmed gets one question and
    nothing else. trial: its owner wants to see whether it works. failures: in a row. trouble: why it was given up.
    """

    id: str
    owner: str
    kind: str
    address: str
    form: str
    secret: str
    base_url: str
    every: int
    made_at: float
    confirmed_at: float | None
    trial: bool
    sent_at: float | None
    failures: int
    trouble: str | None

    @property
    def confirmed(self) -> bool:
        return self.confirmed_at is not None


@dataclass(frozen=True)
class Told:
    """Of what a recipient has been told at a table: the newest turn and request by their numbers, and the end.

    low: the newest decision for which they were told that their time runs out.
    """

    turn: int = 0
    request: int = 0
    over: bool = False
    low: int = 0


_RECIPIENT: Final = [RECIPIENTS.c[f.name] for f in fields(Recipient)]
_TOLD: Final = [WISHES.c.told_turn, WISHES.c.told_request, WISHES.c.told_over, WISHES.c.told_low]


class Wishes:
    """All recipients and wishes of one database. Any number of threads and processes may use it at once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        # One clock for all: the database's. Those of machines differ.
        self._now = sa.literal_column(SQLITE_CLOCK if store.is_sqlite else POSTGRESQL_CLOCK, sa.Double)

    # -- what people want ---------------------------------------------------------------------------------------

    def add(
        self,
        table_id: str,
        owner: str,
        kind: str,
        address: str,
        *,
        told: Told,
        form: str = "",
        base_url: str = "",
        every: int = 60,
    ) -> Recipient:
        """Have somebody told of a table. What they have already is used again, with what is new of it.

        A mailbox that is not confirmed yet is asked; all others get a trial. told: what they know already.
        Raises TooMany, AskedAlready.
        """
        same = sa.and_(RECIPIENTS.c.owner == owner, RECIPIENTS.c.kind == kind, RECIPIENTS.c.address == address)
        with self._store.writing() as connection:
            row = connection.execute(sa.select(*_RECIPIENT).where(same)).first()
            here = sa.select(WISHES.c.recipient).where(WISHES.c.table_id == table_id)
            others = RECIPIENTS.c.id != (row.id if row else "")
            for most, where in ((MOST_AT_A_TABLE, RECIPIENTS.c.id.in_(here)), (MOST_OF_ONE, sa.true())):
                count = sa.select(sa.func.count()).where(RECIPIENTS.c.owner == owner, others, where)
                if connection.execute(count).scalar_one() >= most:
                    raise TooMany(most)
            if row is None:
                if kind == "mail" and connection.execute(self._asked(address)).first():
                    raise AskedAlready
                id_ = secrets.token_hex(8)
                mail = kind == "mail"
                values: dict[str, Any] = {"id": id_, "owner": owner, "kind": kind, "address": address, "form": form}
                values |= {"secret": secrets.token_urlsafe(32), "base_url": base_url, "every": every, "failures": 0}
                values |= {"made_at": self._now, "confirmed_at": None if mail else self._now}
                values |= {"trial": not mail, "due_at": self._now}
                connection.execute(RECIPIENTS.insert().values(values))
            else:
                id_ = row.id
                again = {"form": form, "every": every, "base_url": base_url}
                connection.execute(RECIPIENTS.update().where(RECIPIENTS.c.id == id_).values(again))
                if row.trouble is not None:
                    self._revive(connection, id_)
            wish = sa.and_(WISHES.c.table_id == table_id, WISHES.c.recipient == id_)
            if connection.execute(sa.select(WISHES.c.recipient).where(wish)).first() is None:
                new = {"table_id": table_id, "recipient": id_, **_columns(told)}
                connection.execute(WISHES.insert().values(new))
            found = connection.execute(sa.select(*_RECIPIENT).where(RECIPIENTS.c.id == id_)).one()
        return Recipient(*found)

    def _asked(self, address: str) -> sa.Select[tuple[str]]:
        recently = RECIPIENTS.c.made_at > self._now - ASK_AGAIN
        silent = RECIPIENTS.c.trouble == STOPPED
        return sa.select(RECIPIENTS.c.id).where(
            RECIPIENTS.c.kind == "mail",
            sa.func.lower(RECIPIENTS.c.address) == address.lower(),
            RECIPIENTS.c.confirmed_at.is_(None),
            sa.or_(recently, silent),
        )

    def of(self, table_id: str, owner: str) -> list[Recipient]:
        """Where somebody is told of a table, oldest first."""
        query = (
            sa.select(*_RECIPIENT)
            .join(WISHES, WISHES.c.recipient == RECIPIENTS.c.id)
            .where(WISHES.c.table_id == table_id, RECIPIENTS.c.owner == owner)
            .order_by(RECIPIENTS.c.made_at, RECIPIENTS.c.id)
        )
        return [Recipient(*row) for row in self._read(query)]

    def found(self, recipient: str) -> Recipient | None:
        """A recipient by its id."""
        rows = self._read(sa.select(*_RECIPIENT).where(RECIPIENTS.c.id == recipient))
        return Recipient(*rows[0]) if rows else None

    def by_secret(self, secret: str) -> Recipient | None:
        """The mailbox whose links hold this secret."""
        query = sa.select(*_RECIPIENT).where(RECIPIENTS.c.secret == secret, RECIPIENTS.c.kind == "mail")
        rows = self._read(query)
        return Recipient(*rows[0]) if rows else None

    def drop(self, table_id: str, recipient: str) -> None:
        """Tell of this table no more; a recipient that is told of nothing any more is forgotten."""
        with self._store.writing() as connection:
            wish = sa.and_(WISHES.c.table_id == table_id, WISHES.c.recipient == recipient)
            connection.execute(WISHES.delete().where(wish))
            self._forget(connection, RECIPIENTS.c.id == recipient)

    def stop(self, recipient: str, for_good: bool = False) -> None:
        """Tell this recipient nothing any more. for_good: and do not ask that mailbox again for two days."""
        with self._store.writing() as connection:
            connection.execute(WISHES.delete().where(WISHES.c.recipient == recipient))
            if for_good:
                # Kept without an owner, so that nobody else has it asked again at once.
                quiet = {"owner": NOBODY, "trouble": STOPPED, "confirmed_at": None, "due_at": None}
                quiet["made_at"] = self._now  # type: ignore[assignment]
                connection.execute(RECIPIENTS.update().where(RECIPIENTS.c.id == recipient).values(quiet))
            else:
                self._forget(connection, RECIPIENTS.c.id == recipient)

    def confirm(self, recipient: str) -> None:
        """Its owner has shown that they read what is sent there."""
        waits = sa.and_(RECIPIENTS.c.confirmed_at.is_(None), RECIPIENTS.c.trouble.is_(None))
        with self._store.writing() as connection:
            values = {"confirmed_at": self._now, "due_at": None, "sent_at": None}
            connection.execute(RECIPIENTS.update().where(RECIPIENTS.c.id == recipient, waits).values(values))

    def try_out(self, recipient: str) -> None:
        """Send something as soon as may be, and begin anew with one that was given up."""
        with self._store.writing() as connection:
            self._revive(connection, recipient)

    def _revive(self, connection: sa.Connection, recipient: str) -> None:
        # Not sooner after the last one than this, however often somebody asks.
        again = sa.func.coalesce(RECIPIENTS.c.sent_at, 0.0) + TRY_AGAIN
        due = sa.case((again > self._now, again), else_=self._now)
        trial = RECIPIENTS.c.confirmed_at.is_not(None)
        fresh = {"trial": trial, "failures": 0, "trouble": None, "due_at": due}
        connection.execute(RECIPIENTS.update().where(RECIPIENTS.c.id == recipient).values(fresh))

    def _forget(self, connection: sa.Connection, where: sa.ColumnElement[bool]) -> None:
        idle = RECIPIENTS.c.id.not_in(sa.select(WISHES.c.recipient))
        asked = sa.and_(
            RECIPIENTS.c.kind == "mail",
            RECIPIENTS.c.confirmed_at.is_(None),
            RECIPIENTS.c.made_at > self._now - ASK_AGAIN,
        )
        # A mailbox that was just asked is not forgotten at once: else it could be asked again and again.
        nobodys = {"owner": NOBODY, "due_at": None}
        connection.execute(RECIPIENTS.update().where(where, idle, asked).values(nobodys))
        connection.execute(RECIPIENTS.delete().where(where, idle, sa.not_(asked)))

    # -- who is to be told --------------------------------------------------------------------------------------

    def tables(self) -> set[str]:
        """Ids of the tables of which somebody wants to be told."""
        return {row[0] for row in self._read(sa.select(WISHES.c.table_id).distinct())}

    def at(self, table_id: str) -> list[tuple[Recipient, Told]]:
        """Who wants to be told of a table, and what they know."""
        query = (
            sa.select(*_RECIPIENT, *_TOLD)
            .join(WISHES, WISHES.c.recipient == RECIPIENTS.c.id)
            .where(WISHES.c.table_id == table_id)
        )
        count = len(_RECIPIENT)
        return [(Recipient(*row[:count]), Told(*row[count:])) for row in self._read(query)]

    def tables_of(self, recipient: str) -> dict[str, Told]:
        """Of which tables a recipient is told, and what it knows of each."""
        query = sa.select(WISHES.c.table_id, *_TOLD).where(WISHES.c.recipient == recipient)
        return {row[0]: Told(*row[1:]) for row in self._read(query.order_by(WISHES.c.table_id))}

    def set_due(self, recipient: str, delay: float) -> None:
        """There is something to tell: in `delay` seconds, or when the quiet time after the last notice is over.

        One that is due already, waits for its next try or was given up stays as it is.
        """
        soon = self._now + delay
        quiet = sa.func.coalesce(RECIPIENTS.c.sent_at, 0.0) + RECIPIENTS.c.every
        due = sa.case((quiet > soon, quiet), else_=soon)
        where = sa.and_(
            RECIPIENTS.c.id == recipient,
            RECIPIENTS.c.due_at.is_(None),
            RECIPIENTS.c.trouble.is_(None),
            RECIPIENTS.c.confirmed_at.is_not(None),
        )
        with self._store.writing() as connection:
            connection.execute(RECIPIENTS.update().where(where).values(due_at=due))

    def next_due(self) -> float | None:
        """Seconds until somebody is to be told; None: nobody is."""
        free = sa.func.coalesce(RECIPIENTS.c.claimed_until, 0.0)
        at = sa.case((free > RECIPIENTS.c.due_at, free), else_=RECIPIENTS.c.due_at)
        found = self._read(sa.select(sa.func.min(at) - self._now).where(RECIPIENTS.c.due_at.is_not(None)))
        return None if found[0][0] is None else float(found[0][0])

    def claim(self, most: int) -> list[Recipient]:
        """Take up to `most` recipients that are due: they are this caller's to be told, for `CLAIMED` seconds."""
        free = sa.and_(
            RECIPIENTS.c.due_at <= self._now,
            sa.or_(RECIPIENTS.c.claimed_until.is_(None), RECIPIENTS.c.claimed_until < self._now),
        )
        due = sa.select(RECIPIENTS.c.id).where(free).order_by(RECIPIENTS.c.due_at).limit(most)
        taken = (
            RECIPIENTS.update()
            .where(RECIPIENTS.c.id.in_(due), free)
            .values(claimed_until=self._now + CLAIMED)
            .returning(*_RECIPIENT)
        )
        with self._store.writing() as connection:
            return [Recipient(*row) for row in connection.execute(taken)]

    def done(self, recipient: str, told: Mapping[str, Told], sent: bool = True) -> None:
        """A claimed recipient knows this now, by table. sent: by a notice; else there was nothing to send."""
        values: dict[str, Any] = {"due_at": None, "claimed_until": None, "failures": 0, "trial": False}
        if sent:
            values["sent_at"] = self._now
        with self._store.writing() as connection:
            for table_id, known in told.items():
                where = sa.and_(WISHES.c.table_id == table_id, WISHES.c.recipient == recipient)
                connection.execute(WISHES.update().where(where).values(_columns(known)))
            connection.execute(RECIPIENTS.update().where(RECIPIENTS.c.id == recipient).values(values))

    def failed(self, recipient: Recipient, trouble: str, final: bool = False) -> bool:
        """A claimed recipient could not be told: again later, or (final, or too often) not any more. Given up?"""
        given_up = final or recipient.failures >= len(PAUSES)
        values: dict[str, Any] = {"claimed_until": None, "failures": recipient.failures + 1}
        if given_up:
            values |= {"due_at": None, "trouble": trouble[:24], "trial": False}
        else:
            values["due_at"] = self._now + PAUSES[recipient.failures]
        with self._store.writing() as connection:
            connection.execute(RECIPIENTS.update().where(RECIPIENTS.c.id == recipient.id).values(values))
        return given_up

    def move(self, table_id: str, recipient: str, following: str) -> None:
        """Tell of the table that follows this one instead."""
        with self._store.writing() as connection:
            there = sa.and_(WISHES.c.table_id == following, WISHES.c.recipient == recipient)
            here = sa.and_(WISHES.c.table_id == table_id, WISHES.c.recipient == recipient)
            if connection.execute(sa.select(WISHES.c.recipient).where(there)).first() is None:
                connection.execute(WISHES.update().where(here).values(table_id=following, **_columns(Told())))
            else:
                connection.execute(WISHES.delete().where(here))

    def sweep(self) -> None:
        """Forget mailboxes that were not confirmed in time, and whom nothing is told any more."""
        with self._store.writing() as connection:
            late = sa.and_(RECIPIENTS.c.confirmed_at.is_(None), RECIPIENTS.c.made_at < self._now - UNCONFIRMED)
            stale = sa.select(RECIPIENTS.c.id).where(late)
            connection.execute(WISHES.delete().where(WISHES.c.recipient.in_(stale)))
            connection.execute(RECIPIENTS.delete().where(late))
            self._forget(connection, RECIPIENTS.c.confirmed_at.is_not(None))

    def _read(self, query: sa.Select[Any]) -> Sequence[Any]:
        return self._store.read(query)


def _columns(told: Told) -> dict[str, Any]:
    return {
        "told_turn": told.turn,
        "told_request": told.request,
        "told_over": told.over,
        "told_low": told.low,
    }
