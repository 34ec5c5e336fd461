"""Accounts on the site: by password, without script. Nobody needs one; nobody learns from the answers who has one."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
import structlog
from litestar import Litestar
from litestar.testing import TestClient

from shopfloor.web.app import create_app
from shopfloor.web.settings import Settings
from tests.web.test_site import SEAT_LINK, Browser, two_at_a_table

PASSWORD = "a long enough password"
ME = "This is you"


def somebody(client: TestClient[Litestar], **more: Any) -> tuple[Browser, str]:
    """A browser that has just made an account, and the account's name."""
    browser, name = Browser(client), f"P {secrets.token_hex(6)}"
    sign_up(browser, name, **more)
    return browser, name


def sign_up(browser: Browser, name: str, **more: Any) -> None:
    browser.get("/account")
    answer = browser.post("/account/sign-up", name=name, password=PASSWORD, **more)
    assert answer.status_code == 303, answer.text


def sign_in(browser: Browser, name: str, password: str = PASSWORD, **more: Any) -> int:
    browser.get("/account")
    return browser.post("/account/sign-in", name=name, password=password, **more).status_code


def token_of(browser: Browser) -> str:
    browser.get("/account")
    page = browser.post("/account/programs", label="My bot").text
    found = re.search(r"sf_account_[\w-]+", page)
    assert found, "shown once"
    assert found[0] not in browser.get("/account").text
    return found[0]


def test_tables_are_there_on_another_device(client: TestClient[Litestar]) -> None:
    home, name = somebody(client)
    path = home.open_table()
    assert "Your account keeps this seat" in home.get(path).text
    assert not SEAT_LINK.search(home.get(path).text)
    phone = Browser(client)
    assert ME not in phone.get(path).text
    assert sign_in(phone, name) == 303
    assert ME in phone.get(path).text
    assert f'href="{path}"' in phone.get("/").text
    assert phone.post(f"{path}/bots", level="greedy", seat=1).status_code == 303
    assert phone.post(f"{path}/start").status_code == 303
    assert "Come back" not in home.get(path).text


def test_seats_of_a_guest_go_along(client: TestClient[Litestar]) -> None:
    ann, ben, path = two_at_a_table(client, htmx=False)
    other = ann.open_table()
    link = SEAT_LINK.search(ann.get(path).text)
    assert link
    assert "the 2 seats of this browser" in ann.get("/account").text
    name = f"P {secrets.token_hex(6)}"
    sign_up(ann, name, keep="yes")
    for each in (path, other):
        assert "Your account keeps this seat" in ann.get(each).text
    assert Browser(client).get(link[0]).status_code == 404, "the guest's link is void"
    phone = Browser(client)
    assert sign_in(phone, name) == 303
    assert "Your account keeps this seat" in phone.get(path).text
    assert SEAT_LINK.search(ben.get(path).text), "nobody else's seat has changed"


def test_seats_of_a_guest_stay_with_the_browser_if_wanted(client: TestClient[Litestar]) -> None:
    ann, _, path = two_at_a_table(client, htmx=False)
    sign_up(ann, f"P {secrets.token_hex(6)}")
    assert SEAT_LINK.search(ann.get(path).text), "still the guest's, and still there"
    page = ann.get("/account").text
    assert "You have 1 seat here" in page
    assert ann.post("/account/keep").status_code == 200
    assert "Your account keeps this seat" in ann.get(path).text
    assert "Seats of this browser" not in ann.get("/account").text


def test_signing_out(client: TestClient[Litestar]) -> None:
    ann, name = somebody(client)
    path = ann.open_table()
    phone = Browser(client)
    assert sign_in(phone, name) == 303
    session = phone.cookies["sf_session"]
    answer = phone.post("/account/sign-out")
    assert answer.status_code == 303
    [gone] = [c for c in answer.headers.get_list("set-cookie") if c.startswith("sf_session")]
    assert "Max-Age=0" in gone
    phone.cookies["sf_session"] = session
    assert ME not in phone.get(path).text, "it is not the cookie alone that is gone"
    assert ME in ann.get(path).text, "the other browser stays"


def test_a_lost_device_is_signed_out_from_another(client: TestClient[Litestar]) -> None:
    ann, name = somebody(client)
    path = ann.open_table()
    lost = Browser(client)
    assert sign_in(lost, name) == 303
    page = ann.get("/account").text
    assert "testclient" not in page, "no more of the browser than its kind"
    ends = re.findall(r'action="(/account/sign-ins/\w+/end)"', page)
    assert len(ends) == 1
    assert ann.post(ends[0]).status_code == 200
    assert ME not in lost.get(path).text
    stranger, _ = somebody(client)
    [own] = re.findall(r'action="(/account/sign-ins/\w+/end)"', _second(client, ann, name))
    assert stranger.post(own).status_code == 200
    assert own in ann.get("/account").text, "nobody ends another's"


def _second(client: TestClient[Litestar], ann: Browser, name: str) -> str:
    assert sign_in(Browser(client), name) == 303
    return ann.get("/account").text


def test_changing_the_password(client: TestClient[Litestar]) -> None:
    ann, name = somebody(client)
    other = Browser(client)
    assert sign_in(other, name) == 303
    ann.get("/account")
    assert ann.post("/account/password", old="wrong password", new="another password").status_code == 403
    assert ann.post("/account/password", old=PASSWORD, new="short").status_code == 400
    assert ann.post("/account/password", old=PASSWORD, new="another password").status_code == 200
    assert name in ann.get("/account").text
    assert "I have an account" in other.get("/account").text, "all others are out"
    assert sign_in(Browser(client), name) == 403
    assert sign_in(Browser(client), name, "another password") == 303


@pytest.mark.parametrize("name", ["", " ", "x" * 25, "a/b", "a%2fb", "Administrator", "former  player", "a\u202eb"])
def test_names_that_cannot_be(client: TestClient[Litestar], name: str) -> None:
    browser = Browser(client)
    browser.get("/account")
    answer = browser.post("/account/sign-up", name=name, password=PASSWORD)
    assert answer.status_code in (400, 409)
    assert "sf_session" not in browser.cookies


@pytest.mark.parametrize("password", ["", "short", "x" * 201])
def test_passwords_that_cannot_be(client: TestClient[Litestar], password: str) -> None:
    browser = Browser(client)
    browser.get("/account")
    assert browser.post("/account/sign-up", name="Somebody new", password=password).status_code == 400
    assert browser.post("/account/sign-up", name="long name 12", password="LONG NAME 12").status_code == 400


def test_a_name_is_had_once(client: TestClient[Litestar]) -> None:
    _, name = somebody(client)
    again = Browser(client)
    again.get("/account")
    assert again.post("/account/sign-up", name=name.upper(), password=PASSWORD).status_code == 409


def test_answers_do_not_tell_who_has_an_account(client: TestClient[Litestar]) -> None:
    _, name = somebody(client)
    nobody = name[:-1] + ("0" if name[-1] != "0" else "1")
    pages = []
    for tried in (name, nobody):
        browser = Browser(client)
        browser.get("/account")
        answer = browser.post("/account/sign-in", name=tried, password="a wrong password")
        assert answer.status_code == 403
        pages.append(re.sub(r'value="[^"]*"', "", answer.text))
    assert pages[0] == pages[1]


def test_as_long_for_a_name_that_nobody_has(client: TestClient[Litestar], monkeypatch: pytest.MonkeyPatch) -> None:
    """Each try costs one password's worth of work, whoever is asked for."""
    _, name = somebody(client)
    accounts = client.app.state.services.tables.accounts
    tried: list[str] = []
    verify = type(accounts)._fits

    def counted(self: Any, stored: str, password: str) -> bool:
        tried.append(stored[:30])
        return verify(self, stored, password)

    monkeypatch.setattr(type(accounts), "_fits", counted)
    for each in (name, "Nobody at all", "\x00", "x" * 300):
        assert sign_in(Browser(client), each, "a wrong password") == 403
    assert len(tried) == 4
    assert len(set(tried)) == 1, "by the same parameters"


def test_cookies_of_a_session(client: TestClient[Litestar]) -> None:
    browser = Browser(client)
    browser.get("/account")
    answer = browser.post("/account/sign-up", name=f"P {secrets.token_hex(6)}", password=PASSWORD)
    [cookie] = [c for c in answer.headers.get_list("set-cookie") if c.startswith("sf_session")]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie


def test_forms_from_elsewhere_are_refused(client: TestClient[Litestar]) -> None:
    ann, name = somebody(client)
    ann.csrf = "x"
    for form in ("sign-in", "sign-up", "sign-out", "password", "programs", "delete", "keep", "unblock"):
        assert ann.post(f"/account/{form}", name=name, password=PASSWORD, label="x").status_code == 403, form
    assert name in ann.get("/account").text


def test_one_is_led_nowhere_else(client: TestClient[Litestar]) -> None:
    for going in ("https://elsewhere.example", "//elsewhere.example", "/t/../..", "javascript:alert(1)", "/t/abc\n"):
        ann, name = somebody(client, going=going)
        assert ann.get("/account").status_code == 200
        again = Browser(client)
        again.get("/account")
        answer = again.post("/account/sign-in", name=name, password=PASSWORD, going=going)
        assert answer.headers["location"] == "/account"


def test_programs(client: TestClient[Litestar]) -> None:
    ann, name = somebody(client)
    token = token_of(ann)
    bot = {"Authorization": f"Bearer {token}"}
    client.cookies.clear()
    assert client.get("/api/account", headers=bot).json()["name"] == name
    made = client.post("/api/tables", json={"game": "zahltag", "players": 2}, headers=bot)
    assert made.json()["token"] == token
    table = made.json()["table"]["id"]
    seated = client.post(f"/api/tables/{table}/seats", json={"name": "Ann"}, headers=bot)
    assert seated.status_code == 201
    assert seated.json()["table"]["seat"] == 0
    client.cookies.clear()
    assert ME in ann.get(f"/t/{table}").text, "the same person sits there, by whatever way"
    client.cookies.clear()
    mine = client.get("/api/tables?mine=true", headers=bot).json()
    assert [one["id"] for one in mine] == [table]
    [revoke] = re.findall(r'action="(/account/sign-ins/\w+/end)"', ann.get("/account").text)
    assert ann.post(revoke).status_code == 200
    client.cookies.clear()
    assert client.get("/api/account", headers=bot).status_code == 401
    assert client.get(f"/api/tables/{table}", headers=bot).status_code == 401
    assert (
        client.get("/api/account", headers={"Authorization": f"Bearer {ann.cookies['sf_session']}"}).status_code == 401
    )
    again = {"Authorization": f"Bearer {token_of(ann)}"}
    client.cookies.clear()
    assert client.delete("/api/account/token", headers=again).status_code == 204
    assert client.get("/api/account", headers=again).status_code == 401


def test_a_seats_token_is_no_accounts(client: TestClient[Litestar]) -> None:
    made = client.post("/api/tables", json={"game": "zahltag", "players": 2}).json()["token"]
    assert client.get("/api/account", headers={"Authorization": f"Bearer {made}"}).status_code == 401
    assert client.get("/api/account").status_code == 401


def test_deleting_an_account(client: TestClient[Litestar]) -> None:
    ann, name = somebody(client)
    ben, _, path = Browser(client), None, ann.open_table()
    ben.get(path)
    assert ann.post(f"{path}/sit", name=name, seat=0).status_code == 303
    assert ben.post(f"{path}/sit", name="Ben", seat=1).status_code == 303
    assert ann.post(f"{path}/start").status_code == 303
    ann.get(path)
    assert ann.post(f"{path}/say", text="My secret plan", key="k").status_code == 303
    assert name in ben.get(path).text
    assert "My secret plan" in ben.get(path).text
    token = token_of(ann)
    ann.get("/account")
    assert ann.post("/account/delete", password="a wrong password").status_code == 403
    assert ann.post("/account/delete", password=PASSWORD).status_code == 303
    page = ben.get(path).text
    assert name not in page
    assert "My secret plan" not in page
    assert "Former player" in page
    assert "seat can be had" in page
    assert "Sign in" in ann.get("/").text
    assert client.get(f"/people/{name}").status_code == 404
    assert client.get("/api/account", headers={"Authorization": f"Bearer {token}"}).status_code == 401
    assert sign_in(Browser(client), name) == 403
    assert name not in _whole(client)
    assert "My secret plan" not in _whole(client)


def _whole(client: TestClient[Litestar]) -> str:
    """Everything in the database."""
    store = client.app.state.services.tables._store
    with store.reading() as connection:
        tables = sa.inspect(connection).get_table_names()
        return "".join(str(connection.execute(sa.text(f'SELECT * FROM "{table}"')).all()) for table in tables)


def test_secrets_are_stored_nowhere_and_logged_nowhere(client: TestClient[Litestar]) -> None:
    with structlog.testing.capture_logs() as logged:
        ann, name = somebody(client)
        token = token_of(ann)
        sign_in(Browser(client), name, "a wrong password")
    stored = _whole(client)
    for secret in (PASSWORD, token, ann.cookies["sf_session"], "testclient"):
        assert secret not in stored
        assert secret not in str(logged)
    assert name in stored
    assert name not in str(logged)


# -- links to seats -------------------------------------------------------------------------------------------------


def test_a_link_to_a_seat_gives_that_seat_and_no_other(client: TestClient[Litestar]) -> None:
    ann, _, path = two_at_a_table(client, htmx=False)
    other = ann.open_table()
    link = SEAT_LINK.search(ann.get(path).text)
    assert link
    friend = Browser(client)
    friend.get(link[0])
    assert SEAT_LINK.search(friend.get(path).text)
    assert ME not in friend.get(other).text
    assert friend.post(f"{other}/start").status_code == 403
    client.cookies.clear()
    token = link[0].split("/")[-1]
    answer = client.get(other.replace("/t/", "/api/tables/"), headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 403


@pytest.mark.parametrize("htmx", [False, True])
def test_a_lost_cookie_is_recovered_and_a_leaked_link_revoked(client: TestClient[Litestar], htmx: bool) -> None:
    ann, _, path = two_at_a_table(client, htmx)
    link = SEAT_LINK.search(ann.get(path).text)
    assert link
    ann.cookies.clear()
    assert not SEAT_LINK.search(ann.get(path).text), "lost"
    ann.get(link[0])
    assert SEAT_LINK.search(ann.get(path).text), "and found"
    friend = Browser(client)
    friend.get(link[0])
    answer = ann.post(f"{path}/new-link")
    assert answer.status_code == (200 if htmx else 303)
    new = SEAT_LINK.search(ann.get(path).text)
    assert new
    assert new[0] != link[0]
    assert not SEAT_LINK.search(friend.get(path).text), "who came by the old link is out"
    assert Browser(client).get(link[0]).status_code == 404
    phone = Browser(client)
    phone.get(new[0])
    assert SEAT_LINK.search(phone.get(path).text)
    assert path in phone.get("/").text
    assert path in ann.get("/").text


def test_the_rematch_belongs_to_the_same_people(client: TestClient[Litestar]) -> None:
    from random import Random

    from tests.web.programs import Program, play_on

    ann, name = somebody(client)
    path = ann.open_table()
    ben = Browser(client)
    ben.get(path)
    assert ben.post(f"{path}/sit", name="Ben", seat=1).status_code == 303
    assert ann.post(f"{path}/start").status_code == 303
    link = SEAT_LINK.search(ben.get(path).text)
    assert link
    tokens = [token_of(ann), link[0].split("/")[-1]]
    client.cookies.clear()
    play_on([Program(client, path.removeprefix("/t/"), token) for token in tokens], Random(1))
    client.cookies.clear()
    ann.get(path)
    following = ann.post(f"{path}/rematch").headers["location"]
    assert "Your account keeps this seat" in ann.get(following).text
    assert SEAT_LINK.search(ben.get(following).text)
    assert following in ben.get("/").text
    phone = Browser(client)
    assert sign_in(phone, name) == 303
    assert following in phone.get("/").text
    assert path in phone.get("/").text, "what is over is there as well"


# -- limits -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def strict(tmp_path: Path) -> Iterator[TestClient[Litestar]]:
    settings = Settings(database=str(tmp_path / "t.db"), sign_ins_a_minute=3, admins="Boss, Somebody Else")
    with TestClient(create_app(settings), raise_server_exceptions=False) as client:
        yield client


def test_tries_are_counted_by_client(strict: TestClient[Litestar]) -> None:
    found = [sign_in(Browser(strict), f"Name {i}") for i in range(5)]
    assert found[:3] == [403] * 3
    assert found[4] == 429


def test_tries_are_counted_by_name(client: TestClient[Litestar], monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where they come from everywhere; whether anybody has the name does not show."""
    from shopfloor.web.limits import Limit

    services = client.app.state.services
    _, name = somebody(client)
    monkeypatch.setattr(services.names, "_room", 3.0)
    services.names._seen.clear()
    assert isinstance(services.names, Limit)
    for tried in (name, "Nobody at all"):
        found = [sign_in(Browser(client), tried, "a wrong password") for _ in range(4)]
        assert found == [403, 403, 403, 429]
        assert sign_in(Browser(client), tried.upper()) == 429, "the right password does not show either"


def test_an_administrators_name_is_not_to_be_had(strict: TestClient[Litestar]) -> None:
    browser = Browser(strict)
    browser.get("/account")
    assert browser.post("/account/sign-up", name="BOSS", password=PASSWORD).status_code == 409
