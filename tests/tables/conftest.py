from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from shopfloor.engine.registry import Registry
from shopfloor.games import REGISTRY
from shopfloor.tables.service import Tables
from tests.tables.helpers import database

Open = Callable[..., Tables]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Open]:
    """Opens the one database of this test, as often as wanted: as other processes would."""
    all_of_them: list[Tables] = []

    def another(registry: Registry = REGISTRY) -> Tables:
        all_of_them.append(Tables(database(tmp_path), registry))
        return all_of_them[-1]

    yield another
    for tables in all_of_them:
        tables.close()


@pytest.fixture
def tables(opened: Open) -> Tables:
    return opened()
