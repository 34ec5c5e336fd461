"""Databases full of tables, written as fast as the database takes them: what a site looks like after a while."""

from __future__ import annotations

import secrets
import time
from dataclasses import asdict, dataclass
from random import Random
from typing import Final

import sqlalchemy as sa

from shopfloor.games import REGISTRY
from shopfloor.tables import checks, seating
from shopfloor.tables.rows import Entry, Header
from shopfloor.tables.schema import LOG, TABLES
from shopfloor.tables.service import Tables
from shopfloor.tables.store import Store

GAME: Final = "zahltag"
PLAYERS: Final = 2
AT_ONCE: Final = 2000
PATTERNS: Final = 20


@dataclass(frozen=True)
class Live:
    """A table at which a game has begun; the tokens of its seats, in order."""

    table: str
    tokens: tuple[str, ...]


def begun(store: Store, count: int) -> list[Live]:
    """New tables with a person in every seat, whose games have begun."""
    game = REGISTRY.get(GAME)
    edition, options = game.edition().hash, {option.id: option.default for option in game.options}
    found, headers, logs = [], [], []
    for i in range(count):
        now = time.time()
        tokens = tuple(secrets.token_urlsafe(24) for _ in range(PLAYERS))
        header = seating.header(game, edition, PLAYERS, options, f"Table {i + 1}", now)
        entries = [Entry(1, now, "create", token=checks.token_hash(tokens[0]))]
        for seat, token in enumerate(tokens):
            hashed = checks.token_hash(token)
            entries.append(Entry(len(entries) + 1, now, "sit", seat=seat, name=f"Player {seat + 1}", token=hashed))
        entries.append(Entry(len(entries) + 1, now, "start"))
        headers.append(Header(**{**asdict(header), "status": "playing"}))
        logs.append(entries)
        found.append(Live(header.id, tokens))
    _write(store, headers, logs)
    return found


def dormant(store: Store, tables: Tables, count: int, rng: Random) -> list[str]:
    """Tables in the middle of their games, at which nobody plays now; their ids. They repeat a few real games."""
    patterns = [_played(store, tables, rng) for _ in range(PATTERNS)]
    others = [column for column in LOG.c if column.name != "table_id"]
    copied = LOG.insert().from_select(
        ["table_id", *(column.name for column in others)],
        sa.select(sa.bindparam("new", type_=sa.String), *others).where(LOG.c.table_id == sa.bindparam("old")),
    )
    # In their order: what the database has to put in its middle takes it far longer.
    ids = sorted(checks.new_table_id() for _ in range(count))
    for start in range(0, count, AT_ONCE):
        with store.writing() as connection:
            for table_id in ids[start : start + AT_ONCE]:
                header = rng.choice(patterns)
                connection.execute(TABLES.insert(), {**asdict(header), "id": table_id})
                connection.execute(copied, {"new": table_id, "old": header.id})
    return ids


def _played(store: Store, tables: Tables, rng: Random) -> Header:
    """A real game, up to some moment in its middle."""
    made = tables.create(GAME, PLAYERS)
    tokens = [tables.sit(made.table_id, f"Player {seat + 1}", seat=seat).token for seat in range(PLAYERS)]
    tables.start(made.table_id, made.token)
    most = rng.randint(20, 50)
    for key in range(most):
        table = tables.table(made.table_id)
        if not table.deciders():
            break
        seat = table.deciders()[0]
        tables.act(table.id, tokens[seat], rng.choice(table.legal(seat)), table.number, str(key))
    header = store.header(made.table_id)
    assert header is not None
    return header


def _write(store: Store, headers: list[Header], logs: list[list[Entry]]) -> None:
    with store.writing() as connection:
        connection.execute(TABLES.insert(), [asdict(header) for header in headers])
        rows = [
            {"table_id": header.id, **asdict(entry)} for header, log in zip(headers, logs, strict=True) for entry in log
        ]
        connection.execute(LOG.insert(), rows)
