"""How a browser tells of one's turn: the panel at the table, web push through the page's worker, steps since then."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from shopfloor.tables.service import Tables
from tests.e2e.stage import Stage, Staged
from tests.web.programs import Program
from tests.web.receivers import PushBrowser, Receiver, receiver
from tests.web.servers import ServerProcess, server_process

# No push service can be reached from here: the browser's answer is put in its place. All else is the browser's own.
SUBSCRIBED = """
PushManager.prototype.getSubscription = async () => null;
PushManager.prototype.subscribe = async (options) => {
  window.subscribedWith = Array.from(options.applicationServerKey).length;
  return {toJSON: () => ({endpoint: %s, keys: {p256dh: %s, auth: %s}})};
};
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    offers = {"webhooks": True, "webhook_networks": "127.0.0.0/8", "push": "mailto:a@play.example", "notice_delay": 0.0}
    mail = {"smtp": "smtp://127.0.0.1:9", "mail_from": "play@play.example", "base_url": "http://127.0.0.1"}
    with server_process(tmp_path_factory.mktemp("notices"), more={**offers, **mail}) as running:
        yield running


@pytest.fixture(scope="module")
def stage(server: ServerProcess) -> Iterator[Stage]:
    tables = Tables(f"sqlite:///{(server.folder / 'tables.db').as_posix()}")
    yield Stage(tables)
    tables.close()


@pytest.fixture
def hook() -> Iterator[Receiver]:
    with receiver() as found:
        yield found


@pytest.fixture
def context(browser: Browser, server: ServerProcess) -> Iterator[BrowserContext]:
    found = browser.new_context(base_url=server.url, permissions=["notifications"], reduced_motion="reduce")
    yield found
    found.close()


def wait_for(page: Page, condition: Callable[[], object], seconds: float = 60) -> None:
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "it did not happen in time"
        page.wait_for_timeout(50)


class Notes:
    """The notes that a page's worker has shown, as the browser itself records them: text and tag."""

    def __init__(self, context: BrowserContext, page: Page) -> None:
        self.shown: list[tuple[str, str]] = []
        self.wire = context.new_cdp_session(page)
        self.wire.on("BackgroundService.backgroundServiceEventReceived", self._heard)
        self.wire.send("BackgroundService.startObserving", {"service": "notifications"})
        self.wire.send("BackgroundService.setRecording", {"service": "notifications", "shouldRecord": True})

    def _heard(self, event: dict[str, Any]) -> None:
        told = event["backgroundServiceEvent"]
        facts = {one["key"]: one["value"] for one in told["eventMetadata"]}
        if told["eventName"] == "Notification displayed":
            self.shown.append((facts["Body"], told["instanceId"]))


def visit(context: BrowserContext, server: ServerProcess, staged: Staged, seat: int) -> Page:
    context.add_cookies([{"name": "sf_player", "value": staged.tokens[seat], "url": server.url}])
    page = context.new_page()
    page.goto(staged.path)
    return page


def panel(page: Page) -> None:
    page.locator("#pop-menu > summary").click()
    page.get_by_role("link", name="Tell me when it is my turn").click()
    expect(page.get_by_role("dialog")).to_be_visible()


def not_deciding(stage: Stage, staged: Staged) -> int:
    return next(s for s in range(len(staged.tokens)) if s not in stage.tables.table(staged.id).deciders())


def until_turn(server: ServerProcess, staged: Staged, seat: int) -> None:
    """Others decide at the server until this seat has to."""
    with httpx.Client(base_url=server.url) as client:
        people = [Program(client, staged.id, token) for token in staged.tokens]
        while seat not in (deciders := people[seat].info()["deciders"]):
            assert deciders, "the game ended first"
            people[deciders[0]].act(people[deciders[0]].legal()["actions"][0]["id"])


def test_a_webhook_by_the_panel(context: BrowserContext, server: ServerProcess, stage: Stage, hook: Receiver) -> None:
    staged = stage.game(players=2)
    seat = not_deciding(stage, staged)
    page = visit(context, server, staged, seat)
    panel(page)
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Its address").fill("http://10.0.0.1/x")
    dialog.get_by_role("button", name="Send there").click()
    expect(dialog.get_by_role("alert")).to_contain_text("inside a private network")
    dialog.get_by_label("Its address").fill(f"{hook.url}/topic")
    dialog.get_by_role("button", name="Send there").click()
    expect(dialog.get_by_role("heading", name="You are told")).to_be_visible()
    wait_for(page, lambda: len(hook.got) == 1)
    assert hook.got[0].json()["topic"] == "topic"
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(page.locator("#live")).to_be_visible()


def test_push_from_the_server_to_the_note(
    context: BrowserContext, server: ServerProcess, stage: Stage, hook: Receiver
) -> None:
    told = PushBrowser(f"{hook.url}/send/1")
    keys = told.subscription
    context.add_init_script(SUBSCRIBED % tuple(json.dumps(keys[name]) for name in ("endpoint", "p256dh", "auth")))
    staged = stage.game(players=2)
    seat = not_deciding(stage, staged)
    page = visit(context, server, staged, seat)
    panel(page)
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Tell this browser").click()
    expect(dialog.get_by_role("heading", name="You are told")).to_be_visible()
    assert page.evaluate("window.subscribedWith") == 65
    wait_for(page, lambda: len(hook.got) == 1)
    notes = Notes(context, page)
    wire = notes.wire
    registrations: list[str] = []
    wire.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: registrations.extend(one["registrationId"] for one in event["registrations"]),
    )
    wire.send("ServiceWorker.enable")
    wait_for(page, lambda: registrations)
    wire.send(
        "ServiceWorker.deliverPushMessage",
        {
            "origin": server.url,
            "registrationId": registrations[0],
            "data": json.dumps(told.read(hook.got[0].body)),
        },
    )
    wait_for(page, lambda: notes.shown)
    assert [body for body, _ in notes.shown] == [
        "Here you will be told when it is your turn at “Night Shift” (Zahltag)."
    ]


def test_a_tab_in_the_background_says_so(context: BrowserContext, server: ServerProcess, stage: Stage) -> None:
    staged = stage.game(players=2)
    seat = not_deciding(stage, staged)
    page = visit(context, server, staged, seat)
    panel(page)
    page.get_by_role("button", name="Show notes").click()
    expect(page.get_by_text("Notes are shown.")).to_be_visible()
    page.keyboard.press("Escape")
    notes = Notes(context, page)
    page.evaluate("Object.defineProperty(document, 'hidden', {get: () => true})")
    until_turn(server, staged, seat)
    wait_for(page, lambda: page.title().startswith("Your turn: "))
    wait_for(page, lambda: notes.shown)
    body, tag = notes.shown[0]
    assert body.startswith("It is your turn.")
    assert staged.id in tag, "as in the push of this table, which takes its place"


def test_since_one_s_last_turn(context: BrowserContext, server: ServerProcess, stage: Stage) -> None:
    for _ in range(20):
        staged = stage.game(players=3)
        for _ in range(60):
            table = stage.tables.table(staged.id)
            if not table.deciders() or (len(table.since(0)) > 3 and table.undo_number(0)):
                break
            decider = table.deciders()[0]
            stage.act(staged, decider, table.legal(decider)[0])
        if len(table.since(0)) > 3 and table.undo_number(0):
            break
    page = visit(context, server, staged, 0)
    page.locator("#since").click()
    expect(page.get_by_role("heading", name="Since your last turn", exact=True)).to_be_visible()
    frame = page.frame_locator("iframe")
    expect(frame.locator("#live")).to_have_attribute("data-number", re.compile(r"\d+"))
    first = frame.locator("#live").get_attribute("data-number")
    page.get_by_role("link", name="On", exact=True).click()
    expect(page.get_by_text("After step 1 of")).to_be_visible()
    expect(page.locator("[aria-current=step]")).to_contain_text("Step 1")
    expect(frame.locator("#live")).not_to_have_attribute("data-number", first or "")
    assert frame.locator("form[hx-post]:visible, button[name=action]:visible").count() == 0
    page.get_by_role("link", name="Back to the table").click()
    expect(page.locator("#wire")).to_be_attached()
