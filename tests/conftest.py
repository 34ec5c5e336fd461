"""What all tests share."""

from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.postgres import Postgres, postgres

# A busy machine is no fault of the code: no deadlines.
settings.register_profile("shopfloor", deadline=None)
settings.load_profile("shopfloor")


@pytest.fixture(scope="session")
def pg() -> Iterator[Postgres]:
    """One PostgreSQL for all tests, each with a database of its own."""
    with postgres() as server:
        yield server


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """In which order tests come, so that two processes share them well, and one alone can run them all.

    One of several processes runs all browser tests, and begins with them; what may take longest comes next. A process
    alone runs them last: while a browser is open, its event loop counts as running in this thread.
    """
    several = hasattr(config, "workerinput")

    def place(item: pytest.Item) -> tuple[bool, float]:
        browser = item.get_closest_marker("browser") is not None
        patience = item.get_closest_marker("timeout")
        return browser != several, -float(patience.args[0]) if several and patience and patience.args else 0.0

    for item in items:
        if item.get_closest_marker("browser") is not None:
            item.add_marker(pytest.mark.xdist_group("browser"))
    items.sort(key=place)
