"""Passkeys, with the browser's own virtual authenticator; and passwords without script."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession, Page, expect

from tests.e2e.conftest import Opens
from tests.e2e.stage import Stage
from tests.e2e.test_accessible import findings, looks, too_wide
from tests.web.servers import ServerProcess

AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@contextmanager
def device(browser: Browser, server: ServerProcess) -> Iterator[tuple[Page, CDPSession, str]]:
    """A page with an authenticator. Sites at a bare address have no passkeys, so it goes to localhost."""
    context = browser.new_context(base_url=server.url.replace("127.0.0.1", "localhost"))
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    added: dict[str, Any] = session.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
    yield page, session, added["authenticatorId"]
    context.close()


def name() -> str:
    return f"P {secrets.token_hex(6)}"


def form(page: Page, purpose: str) -> Any:
    return page.locator(f"form[data-passkey={purpose}]")


def sign_up(page: Page, called: str) -> None:
    page.goto("/account")
    form(page, "sign-up").locator("[name=name]").fill(called)
    form(page, "sign-up").locator("button").click()
    expect(page.locator("h1")).to_have_text(called)


def sign_out(page: Page) -> None:
    page.goto("/account")
    page.get_by_role("button", name="Sign out here").click()
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()


def test_an_account_by_passkey_alone(browser: Browser, server: ServerProcess) -> None:
    with device(browser, server) as (page, session, authenticator):
        called = name()
        sign_up(page, called)
        made = session.send("WebAuthn.getCredentials", {"authenticatorId": authenticator})["credentials"]
        assert len(made) == 1
        assert made[0]["isResidentCredential"]
        sign_out(page)
        page.goto("/account")
        form(page, "sign-in").locator("button").click()
        expect(page.locator("h1")).to_have_text(called)
        page.get_by_role("button", name="Remove the passkey").click()
        expect(page.get_by_role("alert").first).to_contain_text("your only way in")


def test_a_name_that_is_taken_is_told_before_anything_is_made(browser: Browser, server: ServerProcess) -> None:
    with device(browser, server) as (page, session, authenticator):
        called = name()
        sign_up(page, called)
        sign_out(page)
        page.goto("/account")
        form(page, "sign-up").locator("[name=name]").fill(called.upper())
        form(page, "sign-up").locator("button").click()
        expect(form(page, "sign-up").get_by_role("alert")).to_contain_text("Choose another")
        found = session.send("WebAuthn.getCredentials", {"authenticatorId": authenticator})
        assert len(found["credentials"]) == 1


def test_a_passkey_is_added_and_removed(browser: Browser, server: ServerProcess) -> None:
    with device(browser, server) as (page, _, _):
        called = name()
        page.goto("/account")
        page.locator("#up-name").fill(called)
        page.locator("#up-password").fill("a long enough password")
        page.get_by_role("button", name="Make an account", exact=True).click()
        expect(page.locator("h1")).to_have_text(called)
        page.locator("#label").fill("My laptop")
        form(page, "add").locator("button").click()
        expect(page.locator("main")).to_contain_text("The passkey “My laptop” leads in from now on.")
        sign_out(page)
        page.goto("/account")
        form(page, "sign-in").locator("button").click()
        expect(page.locator("h1")).to_have_text(called)
        expect(page.locator("main")).to_contain_text("used just now")
        page.get_by_role("button", name="Remove the passkey My laptop").click()
        expect(page.locator("main")).to_contain_text("leads nowhere any more")
        sign_out(page)
        page.goto("/account")
        form(page, "sign-in").locator("button").click()
        expect(page.get_by_role("alert").first).to_contain_text("nobody here has it")


def test_who_is_not_there_does_not_get_in(browser: Browser, server: ServerProcess) -> None:
    """The device has to make sure of its owner."""
    with device(browser, server) as (page, session, authenticator):
        sign_up(page, name())
        sign_out(page)
        session.send("WebAuthn.setUserVerified", {"authenticatorId": authenticator, "isUserVerified": False})
        page.goto("/account")
        form(page, "sign-in").locator("button").click()
        expect(form(page, "sign-in").get_by_role("alert")).to_contain_text("Nothing came of it")
        expect(page.get_by_role("heading", name="I have an account")).to_be_visible()


def test_a_credential_is_good_once(browser: Browser, server: ServerProcess) -> None:
    """What was sent to sign in gets nobody in again."""
    with device(browser, server) as (page, _, _):
        sign_up(page, name())
        sign_out(page)
        page.goto("/account")
        with page.expect_request("**/account/passkeys/sign-in") as caught:
            form(page, "sign-in").locator("button").click()
        sent = caught.value.post_data or ""
        expect(page.locator("h1")).not_to_have_text("Sign in")
        sign_out(page)
        page.goto("/account")
        answer = page.request.post(
            "/account/passkeys/sign-in",
            data=sent,
            headers={"Content-Type": "application/x-www-form-urlencoded"},
            max_redirects=0,
        )
        assert answer.status == 403


def test_without_script(browser: Browser, server: ServerProcess) -> None:
    context = browser.new_context(base_url=server.url, java_script_enabled=False)
    page = context.new_page()
    called = name()
    page.goto("/account")
    expect(form(page, "sign-in")).to_be_hidden()
    page.locator("#up-name").fill(called)
    page.locator("#up-password").fill("a long enough password")
    page.get_by_role("button", name="Make an account", exact=True).click()
    expect(page.locator("h1")).to_have_text(called)
    page.get_by_role("button", name="Sign out here").click()
    page.goto("/account")
    page.locator("#in-name").fill(called)
    page.locator("#in-password").fill("a long enough password")
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.locator("h1")).to_have_text(called)
    context.close()


@pytest.mark.slow
def test_pages_of_people_are_for_everybody(browser: Browser, server: ServerProcess, stage: Stage) -> None:
    """Nothing for axe to find, nothing wider than the screen; of all pages that an administrator sees."""
    context = browser.new_context(
        base_url=server.url.replace("127.0.0.1", "localhost"), bypass_csp=True, reduced_motion="reduce"
    )
    page = context.new_page()
    problems: list[str] = []

    def look(path: str) -> None:
        page.goto(path)
        problems.extend(f"{path} {at}: {found}" for at in looks(page) for found in (*findings(page), *too_wide(page)))

    look("/account")
    called = name()
    page.goto("/account")
    page.locator("#up-name").fill(called)
    page.locator("#up-password").fill("a long enough password")
    page.get_by_role("button", name="Make an account", exact=True).click()
    expect(page.locator("h1")).to_have_text(called)
    page.locator("#program").fill("My bot")
    page.get_by_role("button", name="Make a token").click()
    expect(page.locator("#c-token")).to_be_visible()
    account = stage.tables.accounts.grant(called)
    people = [account, *(stage.tables.accounts.sign_up(name(), "a long enough password") for _ in range(4))]
    for i in range(4):
        played(stage, people[i : i + 2])
    staged = stage.game()
    stage.tables.block(staged.id, account.member, 1)
    for path in ("/account", "/people", f"/people/{called}", f"{staged.path}/admin"):
        look(path)
    context.close()
    assert not problems, "\n".join(problems)


def played(stage: Stage, people: Any) -> None:
    tables = stage.tables
    made = tables.create("zahltag", 2, {"first_player": "0"}, token=people[0].member, rated=True)
    for seat, one in enumerate(people):
        tables.sit(made.table_id, one.name, one.member, seat)
    tables.start(made.table_id, people[0].member)
    while (table := tables.table(made.table_id)).status != "over":
        seat = table.deciders()[0]
        legal = table.legal(seat)
        tables.act(table.id, people[seat].member, secrets.choice(legal), table.number, secrets.token_hex(8))


@pytest.mark.parametrize("width", [360, 1440])
def test_a_rated_table_sends_guests_to_sign_in(opens: Opens, stage: Stage, width: int) -> None:
    own = stage.tables.accounts.sign_up(name(), "a long enough password")
    made = stage.tables.create("zahltag", 2, token=own.member, rated=True)
    page = opens(f"/t/{made.table_id}", viewport={"width": width, "height": 800})
    page.get_by_role("link", name="sign in").first.click()
    page.locator("#in-name").fill(own.name)
    page.locator("#in-password").fill("a long enough password")
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page).to_have_url(re.compile(f"/t/{made.table_id}$"))
    page.get_by_role("button", name="Sit down here").first.click()
    expect(page.locator(".peg.me h3")).to_have_text(own.name)
