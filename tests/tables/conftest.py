from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from shopfloor.engine.registry import Registry
from shopfloor.games import REGISTRY
from shopfloor.tables.service import Tables
from tests.postgres import Postgres
from tests.tables.helpers import database

Open = Callable[..., Tables]


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database of this test's own, in SQLite and then in PostgreSQL."""
    if request.param == "sqlite":
        return database(tmp_path)
    server: Postgres = request.getfixturevalue("pg")
    return server.fresh()


@pytest.fixture
def opened(url: str) -> Iterator[Open]:
    """Opens the one database of this test, as often as wanted: as other processes would."""
    all_of_them: list[Tables] = []

    def another(registry: Registry = REGISTRY) -> Tables:
        all_of_them.append(Tables(url, registry))
        return all_of_them[-1]

    yield another
    for tables in all_of_them:
        tables.close()


@pytest.fixture
def tables(opened: Open) -> Tables:
    return opened()
