"""People at a table, for the tests of tables."""

from __future__ import annotations

import contextlib
import itertools
import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import sqlalchemy as sa

from shopfloor.engine.dice import SealedDice
from shopfloor.engine.registry import Registry
from shopfloor.engine.views import canonical
from shopfloor.games import REGISTRY
from shopfloor.tables import seating
from shopfloor.tables.errors import TableError
from shopfloor.tables.model import Answer, Table
from shopfloor.tables.rows import Header
from shopfloor.tables.service import Tables
from shopfloor.tables.store import sqlite_url

NAMES = ("Ann", "Ben", "Cem", "Dea", "Eva")
PASS, NO_BID = 0, 21


class Party:
    """A table with people in the first seats and computers in the others. `tokens[seat]` proves who sits there."""

    def __init__(
        self,
        tables: Tables,
        people: int = 3,
        computers: Sequence[str] = (),
        start: bool = True,
        game: str = "zahltag",
        clock: str = "none",
        **options: str,
    ) -> None:
        self.tables = tables
        if game == "zahltag":
            options = {"first_player": "0", **options}
        made = tables.create(game, people + len(computers), options, clock=clock)
        self.id, self.creator = made.table_id, made.token
        self.tokens = [tables.sit(self.id, NAMES[seat], seat=seat).token for seat in range(people)]
        for level in computers:
            tables.add_bot(self.id, self.creator, level)
        self.keys = itertools.count()
        self.random = random.Random(5)
        if start:
            tables.start(self.id, self.creator)

    @property
    def table(self) -> Table:
        return self.tables.table(self.id)

    def view(self, seat: int | None) -> Any:
        return self.table.view(seat)

    def act(self, seat: int, action: int, based_on: int | None = None, key: str | None = None) -> Answer:
        number = self.table.number if based_on is None else based_on
        return self.tables.act(self.id, self.tokens[seat], action, number, key or f"key-{next(self.keys)}")

    def undo(self, seat: int, number: int | None = None, key: str | None = None) -> Answer:
        last = self.table.undo_number(seat) if number is None else number
        assert last is not None
        return self.tables.undo(self.id, self.tokens[seat], last, key or f"key-{next(self.keys)}")

    def random_move(self) -> Answer:
        table = self.table
        seat = self.random.choice(table.deciders())
        view: Any = table.view(seat)
        return self.act(seat, self.random.choice(view.legal))

    def until(self, reached: Callable[[Table], bool], move: Callable[[], object] | None = None) -> Table:
        """Play on until the table is as wanted."""
        for _ in range(3000):
            if reached(self.table):
                return self.table
            (move or self.random_move)()
        raise AssertionError("it never came to that")

    def until_phase(self, phase: str) -> Table:
        return self.until(lambda table: phase_of(table) == phase)

    def to_the_end(self) -> Table:
        return self.until(lambda table: table.status == "over")


def phase_of(table: Table) -> str:
    view: Any = table.view(None)
    return "" if view is None else view.phase


def everything(table: Table) -> list[object]:
    """All that anybody can learn of a table, and its hidden state."""
    viewers = [None, *range(table.players)]
    state = table._fold.state
    return [
        *[(v, canonical(table.view(v)) if table.view(v) else None, table.log(v)) for v in viewers],
        [(table.decision_number(s), table.undo_number(s), table.undo_refusal(s)) for s in range(table.players)],
        (table.status, table.number, table.seats, table.deciders(), table.options, table.edition, table.players),
        (table.commitment, table.seed, table.rematch, table.rematch_of, table.created_at, table.changed_at),
        state.encode() if state is not None else "",
    ]


def hands(encoded: str) -> list[int]:
    """Everybody's hand in an encoded state."""
    found: list[int] = json.loads(encoded)[4][0]
    return found


def replayed(table: Table) -> str:
    """The state that the standing decisions lead to, by the game alone."""
    fold = table._fold
    header = fold.header
    state = table.game.start(header.players, SealedDice(header.seed), header.options)
    for line in table._fold.lines:
        if line.full.kind == "play" and not line.full.undone:
            assert line.full.seat is not None
            assert line.full.action is not None
            state.play(line.full.seat, line.full.action)
    return state.encode()


class OtherGames(Registry):
    """The games, changed."""

    def __init__(self, change: Callable[[Any], Any]) -> None:
        super().__init__(["shopfloor.games.zahltag"])
        self.change = change

    def get(self, game: str) -> Any:
        return self.change(REGISTRY.get(game))


@contextlib.contextmanager
def dealt(seed: int) -> Iterator[None]:
    """Tables that are made in this block deal as this seed does."""
    real = seating.header

    def header(*args: Any, **kwargs: Any) -> Header:
        return replace(real(*args, **kwargs), seed=bytes([seed]) * 32)

    with patch.object(seating, "header", header):
        yield


def database(folder: Path) -> str:
    return sqlite_url(folder / "tables.db")


def rows(where: Path | str, query: str, values: Mapping[str, object] | None = None) -> list[tuple[Any, ...]]:
    """What a query finds in the database of a folder, or of a URL."""
    url = database(where) if isinstance(where, Path) else where.replace("postgresql://", "postgresql+psycopg://")
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        result = connection.execute(sa.text(query), values or {})
        found = [tuple(row) for row in result] if result.returns_rows else []
    engine.dispose()
    return found


def is_a_sentence(error: TableError) -> None:
    """Is this refusal something that one can say to a person?"""
    sentence = error.sentence
    assert sentence == str(error)
    assert sentence[0].isupper()
    assert sentence[-1] in ".?"
    assert "{" not in sentence
    assert len(sentence) < 200
