"""Clocks, requests, pauses and seats that change hands, on the site and in the API."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from shopfloor.tables.clock import parse
from shopfloor.web import together
from tests.web.programs import Program, new_key, new_table, people_at_table

Client = TestClient[Litestar]


def clocked(client: Client, clock: str, players: int = 2) -> list[Program]:
    return people_at_table(client, players, clock=clock, options={"first_player": "0"})


def page(client: Client, program: Program) -> str:
    """The table as the program's person sees it in a browser."""
    client.cookies.clear()
    if program.token:
        client.cookies.set("sf_player", program.token)
    answer = client.get(f"/t/{program.table}")
    assert answer.status_code == 200
    return answer.text


def push(client: Client, program: Program, path: str, **fields: str) -> Any:
    """A form of the table's page, sent by the program's person."""
    html = page(client, program)
    csrf = re.search(r'name="_csrf_token" value="([^"]+)"', html)
    assert csrf is not None
    answer = client.post(f"/t/{program.table}{path}", data={"_csrf_token": csrf[1], **fields})
    client.cookies.clear()
    return answer


def test_a_clock_is_agreed_and_shown(client: Client) -> None:
    people = clocked(client, "bank:600:10")
    info = people[0].info()
    assert info["clock"].startswith("bank:600:10:")
    runs = info["seats"][info["deciders"][0]]
    assert runs["until"] == pytest.approx(time.time() + 600, abs=10)
    assert [seat["until"] is None for seat in info["seats"]].count(True) == 1
    html = page(client, people[0])
    assert html.count('id="clock-') == 2
    assert f'data-until="{runs["until"]}"' in html
    assert 'name="now"' in html


@pytest.mark.parametrize("clock", ["sand", "move:1", "bank:60:99999", "x" * 41])
def test_what_is_no_clock_is_refused(client: Client, clock: str) -> None:
    answer = client.post("/api/tables", json={"game": "zahltag", "players": 2, "clock": clock})
    assert answer.status_code == 400
    assert answer.json()["code"] in ("BAD_CLOCK", "BAD_REQUEST")


@pytest.mark.parametrize("then", ["stand_in", "show"])
def test_a_clock_is_chosen_in_the_form(client: Client, then: str) -> None:
    html = client.get("/games/zahltag").text
    choices = re.findall(r'name="clock" value="([^"]+)"', html)
    assert choices == list(together.CHOICES)
    csrf = re.search(r'name="_csrf_token" value="([^"]+)"', html)
    assert csrf is not None
    for choice in choices:
        form = {"game": "zahltag", "players": "2", "your_name": "Ann", "clock": choice, "time_up": then}
        answer = client.post("/tables", data={**form, "_csrf_token": csrf[1]}, follow_redirects=False)
        assert answer.status_code == 303, answer.text
        made = client.get(f"/api/tables/{answer.headers['location'].rsplit('/', 1)[1]}").json()
        wanted = parse(choice)
        found = parse(made["clock"])
        assert (found.kind, found.seconds, found.increment) == (wanted.kind, wanted.seconds, wanted.increment)
        assert found.stand_in == (None if then == "show" and wanted.on else wanted.stand_in)
        lobby = client.get(answer.headers["location"]).text
        assert together.clock_words(found) in lobby


def test_the_faces_of_clocks() -> None:
    spans = {5: "0:05", 65: "1:05", 3599.9: "59:59", 3600: "1:00 h", 90_000: "1 d 1 h", -3: "0:00"}
    assert {seconds: together.left_words(seconds) for seconds in spans} == spans
    assert together.clock_words(parse("move:60")) == "1 minute a move"
    assert together.clock_words(parse("day:86400")) == "1 day a move"
    assert together.clock_words(parse("bank:600:10")) == "10 minutes for the game, plus 10 seconds a turn"


def undoable(client: Client) -> tuple[list[Program], int]:
    """A game in which seat 0's last decision can be taken back by request only."""
    people = people_at_table(client, 2, options={"first_player": "0"})
    people[0].act(people[0].legal()["actions"][0]["id"])
    number = people[0].info()["number"]
    people[1].act(people[1].legal()["actions"][0]["id"])
    assert people[0].info()["undo_by_request"] == number
    return people, number


def test_a_request_to_undo_by_programs(client: Client) -> None:
    people, number = undoable(client)
    assert people[0].post("/undo", {"number": number, "key": new_key()}).status_code == 409
    answer = people[0].post("/requests/undo", {"number": number, "key": new_key()})
    assert answer.status_code == 200, answer.text
    request = people[1].info()["request"]
    assert request == {"number": answer.json()["number"], "kind": "undo", "seat": 0, "target": number, "awaited": [1]}
    assert people[1].post(f"/requests/{request['number']}/answer", {"agree": True}).json()["request"] is None
    log = people[1].get("/log").json()
    undone = [line["number"] for line in (log["entries"] if isinstance(log, dict) else log) if line["undone"]]
    assert number in undone
    assert len(undone) == 2
    assert people[0].info()["deciders"] == [0]
    assert people[1].post(f"/requests/{request['number']}/answer", {"agree": True}).json()["code"] == "NO_REQUEST"


def test_a_request_to_undo_on_the_page(client: Client) -> None:
    people, number = undoable(client)
    assert 'id="undo-ask"' in page(client, people[0])
    assert 'id="undo-ask"' not in page(client, people[1])
    assert push(client, people[0], "/ask-undo", number=str(number), key="k1").status_code in (200, 303)
    seen = page(client, people[1])
    assert "Player 1 asks to take back a decision" in seen
    assert 'id="agree"' in seen
    assert "You ask to take back" in page(client, people[0])
    spectator = Program(client, people[0].table)
    assert 'id="agree"' not in page(client, spectator)
    request = re.search(r'name="request" value="(\d+)"', seen)
    assert request is not None
    push(client, people[1], "/answer", request=request[1], agree="yes")
    after = page(client, people[1])
    assert 'id="agree"' not in after
    assert "took a decision back" in after
    assert 'class="undone' in after or "undone" in after


def test_a_request_that_is_declined_on_the_page(client: Client) -> None:
    people, number = undoable(client)
    push(client, people[0], "/ask-undo", number=str(number), key="k1")
    request = people[0].info()["request"]["number"]
    push(client, people[1], "/answer", request=str(request), agree="no")
    assert people[0].info()["request"] is None
    assert "declines" in page(client, people[0])


def test_a_pause_on_the_page(client: Client) -> None:
    people = clocked(client, "move:60")
    push(client, people[1], "/ask-pause", key="k1")
    request = people[0].info()["request"]
    assert request["kind"] == "pause"
    people[0].post(f"/requests/{request['number']}/answer", {"agree": True})
    info = people[0].info()
    assert info["paused"]
    assert all(seat["until"] is None for seat in info["seats"])
    assert "The game is paused, and all clocks stand" in page(client, people[0])
    refused = people[0].act(people[0].legal()["actions"][0]["id"])
    assert refused.json()["code"] == "PAUSED"
    push(client, people[0], "/resume")
    assert not people[0].info()["paused"]


def test_a_seat_is_offered_and_taken(client: Client) -> None:
    people = people_at_table(client, 2)
    assert people[0].post("/seats/1/offer").json()["code"] == "NOT_TO_OFFER"
    assert 'id="offer-own"' in page(client, people[1])
    push(client, people[1], "/seats/1/offer")
    stranger = Program(client, people[0].table)
    assert "Player 2's seat can be had" in page(client, stranger)
    assert "can be had by whoever opens" in page(client, people[0])
    answer = stranger.post("/seats/1/take", {"name": "Eva"})
    assert answer.status_code == 201, answer.text
    stranger.token = answer.json()["token"]
    assert stranger.info()["seat"] == 1
    assert stranger.info()["seats"][1]["name"] == "Eva"
    assert people[1].get("/legal").status_code == 403, "the seat is somebody else's now"
    assert "<b>Eva</b> has taken over the seat" in page(client, people[0])


def test_a_seat_is_taken_on_the_page(client: Client) -> None:
    people = people_at_table(client, 2)
    people[1].post("/seats/1/offer")
    stranger = Program(client, people[0].table)
    answer = push(client, stranger, "/seats/1/take", name="Eva")
    assert answer.status_code in (200, 303)
    assert people[0].info()["seats"][1]["name"] == "Eva"


def test_a_table_that_was_put_away_is_brought_back(client: Client) -> None:
    people = people_at_table(client, 2, options={"first_player": "0"})
    tables = client.app.state.services.tables
    tables.archive(people[0].table, time.time() + 1)
    assert people[0].info()["archived"]
    assert people[0].info()["status"] == "playing"
    html = page(client, people[0])
    assert "was put away" in html
    assert 'id="revive"' in html
    assert people[0].act(people[0].info()["view"]["legal"][0]).json()["code"] == "ARCHIVED"
    waiting = new_table(client, 2).sit("Ann")
    tables.archive(waiting.table, time.time() + 1)
    assert 'id="revive"' in page(client, waiting)
    push(client, people[1], "/revive")
    assert not people[0].info()["archived"]
    assert waiting.post("/revive").json()["archived"] is False


def test_people_talk(client: Client) -> None:
    people = people_at_table(client, 2)
    assert people[0].post("/messages", {"text": "Good luck", "key": new_key()}).status_code == 200
    push(client, people[1], "/say", text="<script>alert(1)</script> & more", key="k1")
    html = page(client, people[0])
    assert "<b>Player 2</b>: &lt;script&gt;alert(1)&lt;/script&gt; &amp; more" in html
    assert "<script>alert" not in html
    assert '<input class="field" type="text" id="say"' in html
    spectator = Program(client, people[0].table)
    assert 'id="say"' not in page(client, spectator)
    lines = [line for line in people[0].get("/log").json() if line["kind"] == "say"]
    assert [line["text"] for line in lines] == ["Good luck", "<script>alert(1)</script> & more"]


def test_people_mute_and_are_silenced(client: Client) -> None:
    people = people_at_table(client, 2)
    people[1].post("/messages", {"text": "Nonsense", "key": new_key()})
    assert 'id="mute-1"' in page(client, people[0])
    push(client, people[0], "/seats/1/mute", on="yes")
    assert "Nonsense" not in page(client, people[0])
    assert "Nonsense" in page(client, people[1])
    assert people[0].info()["muted"] == [1]
    assert people[1].info()["muted"] == []
    assert 'id="silence-1"' in page(client, people[0]), "who made the table"
    assert 'id="silence-0"' not in page(client, people[1])
    people[0].post("/seats/1/silence", {"silenced": True})
    assert people[1].post("/messages", {"text": "But", "key": new_key()}).json()["code"] == "SILENCED"
    assert 'id="say"' not in page(client, people[1])
    assert people[1].post("/seats/0/silence", {}).json()["code"] == "NOT_MAKER"
