"""What the JSON API refuses: each time a clear problem, and nothing has changed."""

from __future__ import annotations

import asyncio
import json
from random import Random
from typing import Any

import httpx
import pytest
import structlog
from litestar import Litestar
from litestar.testing import TestClient

from shopfloor.games import REGISTRY
from tests.web.programs import Program, new_key, new_table, people_at_table, play_on


def problem(answer: httpx.Response, status: int, code: str) -> dict[str, Any]:
    """The problem that an answer holds, which must be this one."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"].startswith("application/problem+json")
    found: dict[str, Any] = answer.json()
    assert found["code"] == code
    assert found["status"] == status
    assert found["sentence"]
    assert "Traceback" not in answer.text
    return found


@pytest.mark.parametrize(
    ("body", "code", "names"),
    [
        ({"game": "chess", "players": 2}, "UNKNOWN_GAME", "zahltag"),
        ({"game": "zahltag", "players": 5}, "BAD_PLAYER_COUNT", "2, 3 and 4"),
        ({"game": "zahltag", "players": 1}, "BAD_PLAYER_COUNT", "2, 3 and 4"),
        ({"game": "zahltag", "players": 2, "options": {"colour": "red"}}, "BAD_OPTION", "tie_debt"),
        ({"game": "zahltag", "players": 2, "options": {"tie_debt": "maybe"}}, "BAD_OPTION", "floor"),
        ({"game": "zahltag", "players": 2, "options": {"first_player": "2"}}, "BAD_OPTION", "random"),
        ({"game": "zahltag", "players": 2, "name": "x" * 61}, "NAME_UNFIT", "60"),
        ({"game": "zahltag", "players": "two"}, "BAD_REQUEST", "players"),
        ({"game": "zahltag", "players": 2.5}, "BAD_REQUEST", "players"),
        ({"game": "zahltag", "players": 10**30}, "BAD_REQUEST", "players"),
        ({"players": 2}, "BAD_REQUEST", "game"),
        ({"game": "zahltag", "players": 2, "colour": "red"}, "BAD_REQUEST", "colour"),
        ([], "BAD_REQUEST", ""),
        (None, "BAD_REQUEST", ""),
    ],
)
def test_tables_that_cannot_be(client: httpx.Client, body: Any, code: str, names: str) -> None:
    before = len(client.get("/api/tables", params={"limit": 200}).json())
    found = problem(client.post("/api/tables", json=body), 400, code)
    assert names in found["sentence"]
    assert len(client.get("/api/tables", params={"limit": 200}).json()) == before


@pytest.mark.parametrize("game", REGISTRY.ids())
def test_who_can_play_is_a_clause(client: httpx.Client, game: str) -> None:
    found = problem(client.post("/api/tables", json={"game": game, "players": 99}), 400, "BAD_PLAYER_COUNT")
    assert found["clause"]


@pytest.mark.parametrize(
    "content",
    [
        b"{",
        b"",
        b"\xff\xfe",
        b'{"game": "\xff"}',
        b'{"game": "\\ud800", "players": 2}',
        b"[" * 60_000,
        b"NaN",
        b'"text"',
    ],
)
def test_bodies_that_are_no_json(client: httpx.Client, content: bytes) -> None:
    answer = client.post("/api/tables", content=content, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400, answer.text
    assert answer.json()["sentence"]


def test_bodies_that_are_too_large(client: httpx.Client) -> None:
    body = json.dumps({"game": "zahltag", "players": 2, "name": "x" * 70_000})
    problem(client.post("/api/tables", content=body), 413, "TOO_LARGE")

    def chunks() -> Any:
        yield body.encode()[:50_000]
        yield body.encode()[50_000:]

    problem(client.post("/api/tables", content=chunks()), 413, "TOO_LARGE")


@pytest.mark.parametrize("table", ["23456789ab", "x", "..", "%00", "a" * 500, "ä", "23456789ab'--"])
@pytest.mark.parametrize("path", ["", "/view", "/log", "/record", "/fairness", "/wait?number=0", "/events"])
def test_tables_that_are_not_there(client: httpx.Client, table: str, path: str) -> None:
    answer = client.get(f"/api/tables/{table}{path}")
    assert answer.status_code == 404
    assert answer.json()["code"] in ("UNKNOWN_TABLE", "NOT_FOUND")


def test_addresses_that_are_not_there(client: httpx.Client) -> None:
    problem(client.get("/api/nothing"), 404, "NOT_FOUND")
    problem(client.get("/api/games/chess"), 404, "UNKNOWN_GAME")


def test_wrong_methods(client: httpx.Client) -> None:
    answer = client.put("/api/tables")
    problem(answer, 405, "METHOD_NOT_ALLOWED")
    assert "POST" in answer.headers["allow"]
    problem(client.get(f"/api/tables/{new_table(client).table}/actions"), 405, "METHOD_NOT_ALLOWED")


@pytest.mark.parametrize("query", ["since=-1", "since=x", "since=1.5", "since=99999999999999999999999999"])
def test_numbers_that_are_none(client: httpx.Client, query: str) -> None:
    assert (
        "since"
        in problem(client.get(f"/api/tables/{new_table(client).table}/log?{query}"), 400, "BAD_REQUEST")["sentence"]
    )


POSTS = [
    ("/computers", {"level": "random"}),
    ("/start", None),
    ("/actions", {"action": 0, "based_on": 1, "key": "k"}),
    ("/undo", {"number": 1, "key": "k"}),
    ("/leave", {}),
    ("/back", None),
    ("/rematch", None),
]


@pytest.mark.parametrize(("path", "body"), POSTS)
def test_who_says_nothing_of_themselves(client: httpx.Client, path: str, body: Any) -> None:
    people = people_at_table(client, 2)
    number = people[0].info()["number"]
    problem(Program(client, people[0].table).post(path, body), 401, "TOKEN_MISSING")
    assert people[0].info()["number"] == number


@pytest.mark.parametrize(("path", "body"), POSTS)
def test_forged_tokens_and_those_of_other_tables(client: httpx.Client, path: str, body: Any) -> None:
    people = people_at_table(client, 2)
    number = people[0].info()["number"]
    elsewhere = new_table(client, 2).sit("Elsewhere")
    own = str(people[0].token)
    almost = own[:-1] + ("-" if own[-1] != "-" else "_")
    for token in ("x" * 32, str(elsewhere.token), almost):
        answer = Program(client, people[0].table, token).post(path, body)
        assert answer.status_code == 403, answer.text
        assert answer.json()["code"] in ("NOT_SEATED", "NOT_MANAGER")
    for header in ("Bearer", "Bearer ", "Bearer short", "Basic abc", "Bearer " + "x" * 5000, "Bearer ä"):
        answer = client.post(
            f"/api/tables/{people[0].table}{path}", json=body, headers={b"Authorization": header.encode("latin-1")}
        )
        problem(answer, 401, "BAD_TOKEN")
    assert people[0].info()["number"] == number


@pytest.mark.parametrize("path", ["", "/view", "/log", "/wait?number=0", "/events", "/legal"])
def test_tokens_of_other_tables_see_nothing(client: httpx.Client, path: str) -> None:
    people = people_at_table(client, 2)
    stranger = Program(client, people[0].table, new_table(client, 2).sit("Elsewhere").token)
    problem(stranger.get(path), 403, "NOT_SEATED")


def test_cookies_count_for_nothing(client: httpx.Client) -> None:
    people = people_at_table(client, 2)
    seat = people[0].info()["deciders"][0]
    client.cookies.set("sf_player", str(people[seat].token))
    answer = Program(client, people[0].table).act(0)
    problem(answer, 401, "TOKEN_MISSING")
    assert "set-cookie" not in answer.headers
    assert "set-cookie" not in client.get("/api/games").headers


def test_out_of_turn(client: httpx.Client) -> None:
    people = people_at_table(client, 2)
    seat = people[0].info()["deciders"][0]
    found = problem(people[1 - seat].act("pass"), 409, "NOT_YOUR_DECISION")
    assert f"Player {seat + 1}" in found["sentence"]
    assert found["clause"]


def test_against_the_rules(client: httpx.Client) -> None:
    people = people_at_table(client, 2)
    seat = people[0].info()["deciders"][0]
    number = people[0].info()["number"]
    assert problem(people[seat].act("bid 5"), 409, "WRONG_PHASE")["clause"]
    for action in ("sing", "", "bid", "pass; drop", "x" * 200):
        problem(people[seat].act(action), 400, "MALFORMED")
    problem(people[seat].act("bid 4711"), 400, "UNKNOWN_OFFER")
    for number_of in (-1, 30, 10**6, 2**62):
        problem(people[seat].act(number_of), 400, "MALFORMED")
    for broken in (None, True, [0], {"id": 0}, 1.5, 2**70):
        body = {"action": broken, "based_on": number, "key": new_key()}
        assert people[seat].post("/actions", body).status_code == 400
    assert people[0].info()["number"] == number


@pytest.mark.parametrize("key", ["", "x" * 65, "ä", "a\nb", " a"])
def test_keys_that_are_none(client: httpx.Client, key: str) -> None:
    people = people_at_table(client, 2)
    seat = people[0].info()["deciders"][0]
    body = {"action": 0, "based_on": people[0].info()["number"], "key": key}
    found = people[seat].post("/actions", body)
    assert found.status_code == 400
    assert "key" in found.json()["sentence"].lower()


def test_before_the_start(client: httpx.Client) -> None:
    maker = new_table(client, 2).sit("Me")
    problem(maker.get("/view"), 409, "NOT_STARTED")
    problem(maker.get("/refusal", action="pass"), 409, "NOT_STARTED")
    problem(maker.act("pass"), 409, "NOT_STARTED")
    problem(maker.post("/rematch"), 409, "STILL_RUNNING")
    problem(maker.get("/record"), 409, "STILL_RUNNING")
    assert "1 still free" in problem(maker.post("/start"), 409, "SEATS_FREE")["sentence"]
    assert maker.legal()["actions"] == []


def test_seats_that_cannot_be_had(client: httpx.Client) -> None:
    maker = new_table(client, 2).sit("Me", 0)
    guest = Program(client, maker.table)
    problem(guest.post("/seats", {"name": "Guest", "seat": 0}), 409, "SEAT_TAKEN")
    problem(guest.post("/seats", {"name": "Guest", "seat": 2}), 400, "NO_SUCH_SEAT")
    problem(guest.post("/seats", {"name": "me"}), 409, "NAME_TAKEN")
    problem(guest.post("/seats", {"name": "  "}), 400, "NAME_MISSING")
    problem(guest.post("/seats", {"name": "x" * 25}), 400, "NAME_UNFIT")
    problem(guest.post("/seats", {"name": "a\u202eb"}), 400, "NAME_UNFIT")
    problem(guest.delete("/seats/0"), 401, "TOKEN_MISSING")
    guest.sit("Guest")
    problem(Program(client, maker.table).post("/seats", {"name": "Third"}), 409, "TABLE_FULL")
    problem(guest.delete("/seats/0"), 409, "SEAT_TAKEN")
    problem(guest.delete("/seats/7"), 400, "NO_SUCH_SEAT")
    problem(maker.post("/computers", {"level": "genius"}), 400, "UNKNOWN_LEVEL")
    problem(maker.post("/computers", {"level": "random"}), 409, "TABLE_FULL")
    maker.post("/start")
    problem(guest.delete("/seats/1"), 409, "ALREADY_STARTED")


def test_after_the_end(client: httpx.Client) -> None:
    people = people_at_table(client, 2)
    problem(people[0].get("/record"), 409, "STILL_RUNNING")
    play_on(people, Random(3))
    problem(people[0].act("pass"), 409, "GAME_OVER")


def test_too_many_tables_in_a_minute(tmp_path: Any) -> None:
    from litestar.testing import TestClient

    from shopfloor.web.app import create_app
    from shopfloor.web.settings import Settings

    settings = Settings(database=str(tmp_path / "t.db"), tables_a_minute=3)
    with TestClient(create_app(settings)) as client:
        for _ in range(3):
            new_table(client)
        problem(client.post("/api/tables", json={"game": "zahltag", "players": 2}), 429, "TOO_MANY_REQUESTS")
        assert client.get("/api/games").status_code == 200


def test_what_nobody_foresaw(client: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """The person gets a number, the log that number and the trace, and no token."""
    maker = new_table(client)
    monkeypatch.setattr("shopfloor.web.told.fairness", lambda table: 1 / 0)
    with structlog.testing.capture_logs() as lines:
        found = problem(maker.get("/fairness"), 500, "UNEXPECTED")
    assert "ZeroDivisionError" not in json.dumps(found)
    logged = str(lines)
    assert found["facts"]["id"] in logged
    assert "ZeroDivisionError" in logged
    assert str(maker.token) not in logged


def test_who_hangs_up_in_the_middle_is_no_error_of_the_server(client: TestClient[Litestar]) -> None:
    """Nobody can fill the log with traces by hanging up."""
    said: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        said.append(message)

    scope: Any = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": "/api/tables",
        "raw_path": b"/api/tables",
        "query_string": b"",
        "root_path": "",
        "headers": [(b"host", b"localhost"), (b"content-type", b"application/json"), (b"content-length", b"40")],
        "server": ("localhost", 80),
        "client": ("127.0.0.1", 1),
        "state": {},
    }
    with structlog.testing.capture_logs() as lines:
        asyncio.run(client.app(scope, receive, send))
    assert said[0]["status"] == 400
    assert lines == []
