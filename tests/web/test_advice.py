"""Advice at the site and in the API: for one's own decision, from one's own knowledge, unless a table does without."""

from __future__ import annotations

import re

import httpx
import pytest
from litestar import Litestar
from litestar.testing import TestClient

from tests.web.programs import Program, new_table, people_at_table
from tests.web.test_site import Browser


def deciding(people: list[Program]) -> Program:
    return people[people[0].info()["deciders"][0]]


def refused(answer: httpx.Response, status: int, code: str) -> None:
    assert answer.status_code == status
    assert answer.json()["code"] == code
    assert answer.json()["sentence"].endswith(".")


def test_a_seat_is_advised_and_nothing_happens(client: httpx.Client) -> None:
    people = people_at_table(client, 2)
    person = deciding(people)
    legal = person.legal()
    before = person.info()
    assert before["hints"] is True
    found = person.get("/advice").json()
    assert person.info() == before
    assert (found["number"], found["seat"], found["choices"]) == (before["number"], person.seat, len(legal["actions"]))
    words = {action["id"]: (action["name"], action["words"]) for action in legal["actions"]}
    assert 1 < len(found["hints"]) <= 3
    for hint in found["hints"]:
        assert words[hint["action"]] == (hint["name"], hint["words"])
        assert 0 <= hint["low"] <= hint["value"] <= hint["high"] <= 1
        assert f"{100 * hint['value']:.0f} %" in hint["sentences"][0]
        assert all(reason["words"] != reason["measure"] for reason in hint["reasons"])
        assert len(hint["sentences"]) >= 2
    # The same question gets the same answer; the advice can be followed as it is.
    assert person.get("/advice").json() == found
    assert person.act(found["hints"][0]["action"], found["number"]).status_code == 200


def test_who_is_not_asked_is_not_advised(client: httpx.Client) -> None:
    people = people_at_table(client, 2)
    person = deciding(people)
    waiting = [other for other in people if other.seat not in person.info()["deciders"]]
    if waiting:
        refused(waiting[0].get("/advice"), 409, "NOTHING_TO_ADVISE")
    refused(Program(client, person.table).get("/advice"), 401, "TOKEN_MISSING")
    refused(new_table(client, 2).sit("Ann").get("/advice"), 409, "NOT_STARTED")


def test_a_table_can_do_without(client: httpx.Client) -> None:
    made = client.post("/api/tables", json={"game": "zahltag", "players": 2, "hints": False}).json()
    person = Program(client, made["table"]["id"], made["token"])
    assert made["table"]["hints"] is False
    person.post("/seats", {"name": "Ann"})
    person.post("/computers", {"level": "random"})
    person.post("/start")
    for _ in range(50):
        if person.get("/legal").json()["actions"]:
            break
        person.get("/wait", number=person.info()["number"], timeout=5)
    refused(person.get("/advice"), 409, "NO_HINTS")
    assert person.info()["hints"] is False


@pytest.mark.parametrize("htmx", [False, True])
def test_the_page_has_a_way_to_ask(client: TestClient[Litestar], htmx: bool) -> None:
    ann = Browser(client)
    path = ann.open_table(2, seat_1="random", **{"option.first_player": "0"})
    page = ann.get(path).text
    assert re.search(r'<form class="hinting" method="get" action="/t/\w+/advice"', page)
    assert 'id="advice"' in page
    with ann._jar():
        headers = {"HX-Request": "true"} if htmx else {}
        answer = client.get(f"{path}/advice", headers=headers)
    assert answer.status_code == 200
    assert answer.text.count("An expected ") in (2, 3)
    assert "you decide" in answer.text
    assert ("<html" in answer.text) is not htmx


def test_the_page_of_a_table_that_does_without_has_none(client: TestClient[Litestar]) -> None:
    ann = Browser(client)
    path = ann.open_table(2, seat_1="random", no_hints="yes", **{"option.first_player": "0"})
    page = ann.get(path).text
    assert "/advice" not in page
    refused_page = ann.get(f"{path}/advice")
    assert refused_page.status_code == 409
    lobby = Browser(client)
    waiting = lobby.open_table(2, no_hints="yes")
    assert "Nobody asks the foreman." in lobby.get(waiting).text


def test_a_stranger_is_not_advised(client: TestClient[Litestar]) -> None:
    ann = Browser(client)
    path = ann.open_table(2, seat_1="random")
    with Browser(client)._jar():
        answer = client.get(f"{path}/advice", headers={"HX-Request": "true"})
    assert "you can watch but not decide" in answer.text
    assert "An expected" not in answer.text
