"""Event streams over real connections: the site's pages and the API's news."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from tests.web.programs import Program, people_at_table
from tests.web.servers import ServerProcess


@dataclass
class Message:
    id: str
    event: str
    data: str


class Stream:
    """An open event stream; `next` waits for its next message."""

    def __init__(self, response: httpx.Response) -> None:
        self.response = response
        self.pings = 0
        self._lines = response.iter_lines()

    def next(self) -> Message:
        fields: dict[str, list[str]] = {}
        for line in self._lines:
            if line.startswith(":"):
                self.pings += 1
            elif line:
                name, _, value = line.partition(": ")
                fields.setdefault(name, []).append(value)
            elif "data" in fields:
                event = "".join(fields.get("event", []))
                return Message("".join(fields.get("id", [])), event, "\n".join(fields["data"]))
            else:
                fields.clear()
        raise EOFError


@pytest.fixture
def http(server: ServerProcess) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url, timeout=20) as client:
        yield client


@contextmanager
def stream(http: httpx.Client, path: str, token: str | None = None, **headers: str) -> Iterator[Stream]:
    cookies = {"Cookie": f"sf_player={token}"} if token else {}
    with http.stream("GET", path, headers=headers | cookies) as response:
        assert response.status_code == 200
        yield Stream(response)


def one_move(people: list[Program]) -> int:
    """Somebody plays something; the table's number after it."""
    info = people[0].info()
    person = people[info["deciders"][0]]
    legal = person.legal()
    return int(person.act(legal["actions"][0]["id"], legal["number"]).json()["table"]["number"])


def test_the_page_is_sent_at_once_and_after_every_move(http: httpx.Client) -> None:
    people = people_at_table(http, 2)
    path = f"/t/{people[0].table}/stream"
    with stream(http, path, people[0].token) as own, stream(http, path) as watching:
        for opened in (own, watching):
            assert opened.response.headers["content-type"].startswith("text/event-stream")
            assert opened.response.headers["cache-control"] == "no-store"
            assert "content-encoding" not in opened.response.headers
        number = people[0].info()["number"]
        for _ in range(4):
            mine, theirs = own.next(), watching.next()
            assert mine.id == theirs.id == str(number)
            assert mine.event == theirs.event == "", "htmx swaps messages without a name"
            for message in (mine, theirs):
                assert message.data.lstrip().startswith('<div id="live"')
                assert f'data-number="{number}"' in message.data
                assert "mark-" not in message.data, "every mark was filled in"
            assert "/seat/" in mine.data
            assert "/seat/" not in theirs.data
            assert str(people[0].token) not in theirs.data
            number = one_move(people)


def test_forms_in_the_stream_have_the_viewers_own_mark(http: httpx.Client) -> None:
    people = people_at_table(http, 2)
    seat = people[0].info()["deciders"][0]
    page = http.get(f"/t/{people[0].table}", headers={"Cookie": f"sf_player={people[seat].token}"})
    mark = page.cookies["sf_csrf"]
    cookie = f"sf_player={people[seat].token}; sf_csrf={mark}"
    with stream(http, f"/t/{people[0].table}/stream", Cookie=cookie) as opened:
        assert f'name="_csrf_token" value="{mark}"' in opened.next().data


def test_who_has_seen_the_newest_is_sent_only_what_follows(http: httpx.Client) -> None:
    people = people_at_table(http, 2)
    number = people[0].info()["number"]
    path = f"/t/{people[0].table}/stream"
    with (
        stream(http, path, **{"Last-Event-ID": str(number)}) as resumed,
        stream(http, f"{path}?since={number}") as fresh,
        stream(http, f"{path}?since={number - 1}") as behind,
        stream(http, f"{path}?since={number}", **{"Last-Event-ID": str(number - 1)}) as reconnected,
    ):
        assert behind.next().id == str(number)
        assert reconnected.next().id == str(number), "what the stream told last counts more than the page"
        after = one_move(people)
        assert resumed.next().id == str(after)
        assert fresh.next().id == str(after)


def test_an_address_in_capitals_is_the_same_table(http: httpx.Client) -> None:
    """Some keyboards and messengers change the case of what is typed."""
    people = people_at_table(http, 2)
    shouted = people[0].table.upper()
    number = people[0].info()["number"]
    with (
        stream(http, f"/t/{shouted}/stream?since={number}") as page,
        stream(http, f"/api/tables/{shouted}/events?since={number}") as news,
    ):
        timer = threading.Timer(0.3, one_move, [people])
        timer.start()
        assert http.get(f"/api/tables/{shouted}/wait?number={number}&timeout=15").json()["number"] == number + 1
        assert page.next().id == news.next().id == str(number + 1)
        timer.join()


def test_who_sits_down_is_seen_by_all(http: httpx.Client) -> None:
    made = http.post("/api/tables", json={"game": "zahltag", "players": 2}).json()
    maker = Program(http, made["table"]["id"], made["token"])
    with stream(http, f"/t/{maker.table}/stream") as watching:
        assert "Newcomer" not in watching.next().data
        maker.sit("Newcomer")
        assert "Newcomer" in watching.next().data


def test_a_visitor_who_sits_down_gets_the_seat_in_the_open_stream(http: httpx.Client) -> None:
    """Their cookie is older than their seat, and the stream was opened before it."""
    made = http.post("/api/tables", json={"game": "zahltag", "players": 2}).json()
    visitor = http.get(f"/t/{made['table']['id']}")
    token = visitor.cookies["sf_player"]
    http.cookies.clear()
    with stream(http, f"/t/{made['table']['id']}/stream", token) as opened:
        assert "/seat/" not in opened.next().data
        Program(http, made["table"]["id"], token).sit("Me")
        assert "/seat/" in opened.next().data


def test_news_for_programs(http: httpx.Client) -> None:
    people = people_at_table(http, 2)
    path = f"/api/tables/{people[0].table}/events"
    number = people[0].info()["number"]
    with (
        stream(http, path, Authorization=f"Bearer {people[0].token}") as own,
        stream(http, f"{path}?since={number}") as watching,
    ):
        first: dict[str, Any] = json.loads(own.next().data)
        assert [line["number"] for line in first["lines"]] == list(range(1, number + 1))
        assert first["your_decision"] is (0 in first["deciders"])
        after = one_move(people)
        message = watching.next()
        assert message.id == str(after)
        assert [line["number"] for line in json.loads(message.data)["lines"]] == list(range(number + 1, after + 1))
    with stream(http, path, **{"Last-Event-ID": str(number)}) as resumed:
        assert json.loads(resumed.next().data)["lines"][0]["number"] == number + 1


def test_what_the_blocked_say_does_not_come_with_what_they_do(http: httpx.Client) -> None:
    """Moves are told from what is at hand; where somebody has talked, it is looked up who wants to hear it."""
    people = people_at_table(http, 2)
    reader, talker = people
    path = f"/api/tables/{reader.table}/events?since={reader.info()['number']}"
    with stream(http, path, **reader.headers) as deaf, stream(http, path, **talker.headers) as own:
        heard: dict[str, list[str]] = {"deaf": [], "own": []}
        for i, blocked in enumerate((False, True, False)):
            assert reader.post("/seats/1/block", {"blocked": blocked}).status_code == 200
            assert talker.post("/messages", {"text": f"{blocked} {i}", "key": f"say-{i}"}).status_code == 200
            last = one_move(people)
            for name, opened in (("deaf", deaf), ("own", own)):
                number = 0
                while number < last:
                    news = json.loads(opened.next().data)
                    number = news["number"]
                    heard[name] += [line["text"] for line in news["lines"] if line["kind"] == "say"]
    assert heard == {"own": ["False 0", "True 1", "False 2"], "deaf": ["False 0", "False 2"]}


def test_whose_seat_is_taken_is_told_no_more_than_anybody(http: httpx.Client) -> None:
    """A stream that was opened before the seat was given away tells nothing of what its new owner does."""
    people = people_at_table(http, 2, options={"first_player": "1"})
    former, table = people[1], people[1].table
    number = former.info()["number"]
    with stream(http, f"/api/tables/{table}/events?since={number}", **former.headers) as opened:
        assert former.post("/seats/1/offer").status_code == 200
        heir = Program(http, table)
        heir.token = heir.post("/seats/1/take", {"name": "Eva"}).json()["token"]
        legal = heir.legal()
        last = heir.act(legal["actions"][0]["id"], legal["number"]).json()["number"]
        lines: list[dict[str, Any]] = []
        while not lines or lines[-1]["number"] < last:
            news = json.loads(opened.next().data)
            lines += news["lines"]
        assert lines[-1]["kind"] == "play"
        assert lines[-1]["action"] is None
        assert not news["your_decision"]
    assert heir.get("/log", since=last - 1).json()[0]["action"] is not None


def test_whoever_is_slow_gets_the_newest(http: httpx.Client) -> None:
    people = people_at_table(http, 2)
    with stream(http, f"/api/tables/{people[0].table}/events?since=0") as slow:
        seen = json.loads(slow.next().data)["number"]
        last = seen
        for _ in range(10):
            last = one_move(people)
        lines: list[int] = []
        while seen < last:
            news = json.loads(slow.next().data)
            lines += [line["number"] for line in news["lines"]]
            seen = news["number"]
    assert lines == list(range(lines[0], last + 1)), "nothing is lost, nothing comes twice"


def test_waiting_ends_when_something_happens(http: httpx.Client) -> None:
    people = people_at_table(http, 2)
    number = people[0].info()["number"]
    timer = threading.Timer(0.3, one_move, [people])
    timer.start()
    began = time.monotonic()
    news = people[1].get("/wait", number=number, timeout=15).json()
    assert news["number"] == number + 1
    assert time.monotonic() - began > 0.2, "nothing had happened yet"
    timer.join()


def test_streams_that_cannot_be(http: httpx.Client) -> None:
    people = people_at_table(http, 2)
    assert http.get("/t/23456789ab/stream").status_code == 404
    assert http.get("/api/tables/23456789ab/events").status_code == 404
    headers = {"Authorization": "Bearer " + "x" * 32}
    assert http.get(f"/api/tables/{people[0].table}/events", headers=headers).status_code == 403
