"""A real browser before a real server."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from shopfloor.tables.service import Tables
from tests.e2e.stage import Stage
from tests.web.servers import ServerProcess, server_process

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

Opens = Callable[..., Page]

_open = ExitStack()
"""The browser. While it is open its event loop counts as running, so it ends before other tests follow."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> None:
    if nextitem is None or Path(__file__).parent not in nextitem.path.parents:
        _open.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with server_process(tmp_path_factory.mktemp("e2e")) as running:
        yield running


@pytest.fixture(scope="session")
def stage(server: ServerProcess) -> Iterator[Stage]:
    """Puts tables into the server's database, in the position that a test needs."""
    tables = Tables(f"sqlite:///{(server.folder / 'tables.db').as_posix()}")
    yield Stage(tables)
    tables.close()


@pytest.fixture(scope="session")
def browser() -> Browser:
    path = os.environ.get("SHOPFLOOR_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    playwright = _open.enter_context(sync_playwright())
    running = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
    _open.callback(running.close)
    return running


@pytest.fixture
def opens(browser: Browser, server: ServerProcess) -> Iterator[Opens]:
    """Opens pages, each in a browser of its own. What a page's scripts complain of fails the test.

    token: who looks. Anything else is handed to Playwright's `new_context`; motion is reduced unless asked for.
    """
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def open_page(path: str = "/", token: str | None = None, **settings: object) -> Page:
        wanted = {"viewport": {"width": 1440, "height": 900}, "reduced_motion": "reduce", **settings}
        context = browser.new_context(base_url=server.url, **wanted)  # type: ignore[arg-type]
        contexts.append(context)
        if token is not None:
            context.add_cookies([{"name": "sf_player", "value": token, "url": server.url}])
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    # A refused form is answered with its status, which the console mentions; that is no fault of the page.
    faults = [text for text in complaints if "status of 4" not in text]
    assert not faults, faults
