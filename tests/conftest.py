"""What all tests share."""

import os
import random
import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from shopfloor.tables import builders, seating, sessions, thinkers
from tests.postgres import Postgres, postgres
from tests.tables.helpers import database

TOGETHER = ("tests/e2e/", "tests/test_compiled.py")
"""What one process runs, when several share the tests: a browser and its server, a compiled build."""

# A busy machine is no fault of the code: no deadlines.
settings.register_profile("shopfloor", deadline=None)
settings.load_profile("shopfloor")


class Drawn(random.Random):
    """Stands where tables look for `secrets`."""

    token_bytes = random.Random.randbytes
    randbits = random.Random.getrandbits
    token_hex = staticmethod(secrets.token_hex)


@pytest.fixture(autouse=True)
def drawn_by_name(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables that a test opens draw cards by the test's name: what passed once does not fail for its luck.

    With SHOPFLOOR_TESTS_DRAW=anew they draw anew each time, which looks further.
    """
    if os.environ.get("SHOPFLOOR_TESTS_DRAW") != "anew":
        drawn = Drawn(request.node.nodeid)
        for module in (seating, sessions, thinkers, builders):
            monkeypatch.setattr(module, "secrets", drawn)


@pytest.fixture(scope="session")
def pg() -> Iterator[Postgres]:
    """One PostgreSQL for all tests, each with a database of its own."""
    with postgres() as server:
        yield server


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database of this test's own, in SQLite and then in PostgreSQL."""
    if request.param == "sqlite":
        return database(tmp_path)
    server: Postgres = request.getfixturevalue("pg")
    return server.fresh()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests come last: while a browser is open, its event loop counts as running in this thread."""
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling:
    """How several processes share the tests: what has one thing in common that is dear to make is run by one."""

    class Shared(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return next((place for place in TOGETHER if nodeid.startswith(place)), nodeid)

    return Shared(config, log)
