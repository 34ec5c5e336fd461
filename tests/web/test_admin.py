"""The administrator, by page, API and command; rated tables, people's pages and blocks by the forms of the site."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from litestar import Litestar
from litestar.testing import TestClient
from typer.testing import CliRunner

from shopfloor.cli import app
from shopfloor.tables.ratings import FEW
from shopfloor.tables.service import Tables
from shopfloor.tables.store import sqlite_url
from shopfloor.web.app import create_app
from shopfloor.web.settings import Settings
from tests.web.programs import Program, people_at_table, play_on
from tests.web.test_accounts import PASSWORD, somebody, token_of
from tests.web.test_site import Browser


def tables_of(client: TestClient[Litestar]) -> Tables:
    found: Tables = client.app.state.services.tables
    return found


def administrator(client: TestClient[Litestar]) -> Browser:
    browser, name = somebody(client)
    tables_of(client).accounts.grant(name)
    return browser


def table_of_three(client: TestClient[Litestar]) -> tuple[str, list[Program]]:
    people = people_at_table(client, 3)
    client.cookies.clear()
    return f"/t/{people[0].table}", people


def test_by_the_pages(client: TestClient[Litestar]) -> None:
    path, people = table_of_three(client)
    play_on(people, Random(1), 4)
    boss = administrator(client)
    assert f'href="{path}/admin"' in boss.get(path).text
    page = boss.get(f"{path}/admin").text
    lines = re.findall(r'<option value="(\d+)">Line', page)
    assert len(lines) == 4
    assert boss.post(f"{path}/admin/rewind", line=lines[-1]).status_code == 303
    assert "Nothing has been decided yet" in boss.get(f"{path}/admin").text
    assert boss.post(f"{path}/admin/seats/1/silence", on="yes").status_code == 303
    assert boss.post(f"{path}/admin/seats/1/replace", level="random").status_code == 303
    assert boss.post(f"{path}/admin/seats/2/free").status_code == 303
    assert boss.post(f"{path}/admin/end").status_code == 303
    page = Browser(client).get(path).text
    for told in ("taken back everything", "has silenced", "given a seat to a computer", "seat free", "has ended"):
        assert told in page, told
    assert page.count("The administrator") >= 5
    client.cookies.clear()
    assert people[0].act(0).json()["code"] == "ENDED"
    assert boss.post(f"{path}/admin/reopen").status_code == 303
    assert boss.post(f"{path}/admin/seats/9/free").status_code == 400
    assert "There is no seat" in boss.post(f"{path}/admin/seats/9/free").text


FORMS = ("end", "reopen", "rewind", "seats/0/replace", "seats/0/free", "seats/0/silence")
BODIES = {"rewind": {"line": 5}, "seats/0/replace": {"level": "random"}, "seats/0/silence": {"silenced": True}}


def test_nobody_else(client: TestClient[Litestar]) -> None:
    path, people = table_of_three(client)
    number = people[0].info()["number"]
    signed_in, _ = somebody(client)
    bot = {"Authorization": f"Bearer {token_of(signed_in)}"}
    for browser in (Browser(client), signed_in):
        assert f'href="{path}/admin"' not in browser.get(path).text
        assert browser.get(f"{path}/admin").status_code == 403
        for form in FORMS:
            answer = browser.post(f"{path}/admin/{form}", line=5, level="random", on="yes")
            assert answer.status_code == 403, form
    client.cookies.clear()
    api = path.replace("/t/", "/api/tables/")
    for form in FORMS:
        for headers, status in ((bot, 403), (people[0].headers, 401), ({}, 401)):
            answer = client.post(f"{api}/admin/{form}", json=BODIES.get(form), headers=headers)
            assert answer.status_code == status, form
    assert people[0].info()["number"] == number


def test_by_the_api(client: TestClient[Litestar]) -> None:
    path, people = table_of_three(client)
    play_on(people, Random(1), 2)
    boss = {"Authorization": f"Bearer {token_of(administrator(client))}"}
    client.cookies.clear()
    api = path.replace("/t/", "/api/tables/")
    for form in FORMS[2:] + FORMS[:2]:
        answer = client.post(f"{api}/admin/{form}", json=BODIES.get(form), headers=boss)
        if form in ("seats/0/free", "seats/0/silence"):  # a computer sits there by now
            assert answer.json()["code"] == "NOBODY_THERE", form
        else:
            assert answer.status_code == 200, answer.text
    lines = client.get(f"{api}/log").json()
    assert [line["kind"] for line in lines if line["by_admin"]] == ["rewind", "replace", "end", "reopen"]


def test_by_the_command(tmp_path: Path) -> None:
    file = tmp_path / "t.db"
    tables = Tables(sqlite_url(file))
    own = tables.accounts.sign_up("Ann", PASSWORD)
    made = tables.create("zahltag", 2)
    for seat in range(2):
        tables.sit(made.table_id, f"P {seat}", seat=seat)
    tables.start(made.table_id, made.token)

    def admin(*words: str) -> str:
        done = CliRunner().invoke(app, ["admin", *words, "--database", str(file)])
        return f"{done.exit_code} {done.output}"

    assert admin("grant", "ann").startswith("0 Ann")
    assert "Ann" in admin("list")
    assert admin("revoke", "Ann").startswith("0 Ann")
    assert tables.accounts.get(own.id) == own
    assert admin("grant", "Nobody").startswith("2 ")
    for words in (("silence", "1"), ("silence", "1", "--off"), ("replace", "1"), ("free", "2")):
        assert admin(words[0], made.table_id, *words[1:]).startswith("0 "), words
    assert admin("rewind", made.table_id, "3").startswith("0 ")
    assert admin("end", made.table_id).startswith("0 ")
    assert tables.table(made.table_id).ended
    assert admin("reopen", made.table_id).startswith("0 ")
    assert admin("end", "2345678923").startswith("2 ")
    kinds = [line.kind for line in tables.table(made.table_id).log(None)]
    assert kinds[-6:] == ["silence", "unsilence", "replace", "free", "end", "reopen"]
    assert "0 results" in admin("recount")
    tables.close()


@pytest.fixture
def named(tmp_path: Path) -> Iterator[TestClient[Litestar]]:
    file = tmp_path / "t.db"
    tables = Tables(sqlite_url(file))
    tables.accounts.sign_up("Boss", PASSWORD)
    tables.close()
    with TestClient(create_app(Settings(database=str(file), admins="boss, Another"))) as client:
        yield client


def test_by_the_settings(named: TestClient[Litestar]) -> None:
    path, _ = table_of_three(named)
    browser = Browser(named)
    browser.get("/account")
    assert browser.post("/account/sign-in", name="Boss", password=PASSWORD).status_code == 303
    assert browser.get(f"{path}/admin").status_code == 200


# -- ratings on the site ----------------------------------------------------------------------------------------------


def test_a_rated_game_from_the_form_to_the_page_of_its_people(client: TestClient[Litestar]) -> None:
    (ann, name), (ben, other) = somebody(client), somebody(client)
    path = ann.open_table(rated="yes")
    guest = Browser(client)
    assert "This table is rated" in guest.get(path).text
    assert guest.post(f"{path}/sit", name="Guest", seat=1).status_code == 403
    assert name in ann.get(path).text, "where it counts, people are called as their accounts are"
    ben.get(path)
    assert ben.post(f"{path}/sit", name="x", seat=1).status_code == 303
    assert ann.post(f"{path}/start").status_code == 303
    table = path.removeprefix("/t/")
    tokens = [token_of(ann), token_of(ben)]
    client.cookies.clear()
    play_on([Program(client, table, token) for token in tokens], Random(1))
    client.cookies.clear()
    told = client.get(f"/api/people/{name}").json()
    assert [result["table"] for result in told["results"]] == [table]
    assert told["ratings"][0]["games"] == 1
    page = Browser(client).get(f"/people/{name.lower()}").text
    assert path in page
    assert f"± {2 * told['ratings'][0]['sigma']:.1f}" in page
    assert client.get("/api/people/Nobody%20at%20all").status_code == 404
    assert other in ben.get("/account").text


def test_a_guest_opens_no_rated_table(client: TestClient[Litestar]) -> None:
    guest = Browser(client)
    guest.get("/games/zahltag")
    answer = guest.post("/tables", game="zahltag", players=2, your_name="Ann", rated="yes")
    assert answer.status_code == 403
    assert "sign in" in answer.text


def test_leaderboards(client: TestClient[Litestar]) -> None:
    tables = tables_of(client)
    people = [tables.accounts.sign_up(f"L {secrets.token_hex(5)}", PASSWORD) for _ in range(FEW)]
    made = tables.create("zahltag", 4, token=people[0].member, rated=True)
    again = tables.create("zahltag", 2, token=people[0].member, rated=True)
    for table, seated in ((made.table_id, people[:4]), (again.table_id, people[3:])):
        for seat, one in enumerate(seated):
            tables.sit(table, one.name, one.member, seat)
        tables.start(table, seated[0].member)
        rng = Random(2)
        while (now := tables.table(table)).status != "over":
            seat = now.deciders()[0]
            tables.act(table, seated[seat].member, rng.choice(now.legal(seat)), now.number, f"k{now.number}")
    page = Browser(client).get("/people").text
    client.cookies.clear()
    board = client.get("/api/games/zahltag/leaderboard").json()
    assert {one.name for one in people} <= {line["name"] for line in board}
    assert all(one.name in page for one in people)
    assert client.get("/api/games/worker_placement/leaderboard").json() == []
    assert client.get("/api/games/chess/leaderboard").status_code == 404


# -- blocks ------------------------------------------------------------------------------------------------------------


def test_a_guest_blocks_and_unblocks(client: TestClient[Litestar]) -> None:
    path, people = table_of_three(client)
    people[1].post("/messages", {"text": "Rude words", "key": "k"})
    guest, other = Browser(client), Browser(client)
    assert "Rude words" in guest.get(path).text
    assert guest.post(f"{path}/seats/1/block", on="yes").status_code == 303
    assert "Rude words" not in guest.get(path).text
    assert "Rude words" in other.get(path).text
    page = guest.get("/account").text
    [whom] = re.findall(r'name="whom" value="(\w+)"', page)
    assert guest.post("/account/unblock", whom=whom).status_code == 303
    assert "Rude words" in guest.get(path).text


def test_by_the_api_too(client: TestClient[Litestar]) -> None:
    _, people = table_of_three(client)
    people[1].post("/messages", {"text": "Rude words", "key": "k"})
    assert "Rude words" in people[0].get("/log").text
    assert people[0].post("/seats/1/block", {}).status_code == 200
    for answer in (people[0].get("/log"), people[0].get("/wait", number=0)):
        assert "Rude words" not in answer.text
    assert "Rude words" in people[2].get("/log").text
    assert people[0].post("/seats/1/block", {"blocked": False}).status_code == 200
    assert "Rude words" in people[0].get("/log").text
    assert people[0].post("/token").status_code == 200
    assert people[0].get("/log").status_code == 403, "the old token is void"
