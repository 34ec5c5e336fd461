"""A server in this process for all tests of the web that do not need a process of their own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from shopfloor.web.app import create_app
from shopfloor.web.settings import Settings
from tests.web.servers import ServerProcess, server_process


@pytest.fixture(scope="session")
def app_client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient[Litestar]]:
    """An application under way, with fast computer players."""
    database = str(tmp_path_factory.mktemp("web") / "tables.db")
    settings = Settings(
        database=database,
        pace=0.0,
        budget=0.05,
        tables_a_minute=0,
        tries_a_minute=0,
        changes_a_minute=0,
        sign_ins_a_minute=0,
    )
    with TestClient(create_app(settings), raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def client(app_client: TestClient[Litestar]) -> Iterator[TestClient[Litestar]]:
    """The application, asked by somebody who was never here before."""
    app_client.cookies.clear()
    yield app_client
    app_client.cookies.clear()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server process, for what only a real connection shows."""
    folder: Path = tmp_path_factory.mktemp("server")
    with server_process(folder) as process:
        yield process
