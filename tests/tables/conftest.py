from collections.abc import Callable, Iterator

import pytest

from shopfloor.engine.registry import Registry
from shopfloor.games import REGISTRY
from shopfloor.tables.service import Tables

Open = Callable[..., Tables]


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
