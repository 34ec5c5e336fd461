"""The server is killed at any moment: after a restart every table is exactly where it was."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from tests.web.programs import Program, new_table
from tests.web.servers import ServerProcess


def everything(people: list[Program]) -> list[Any]:
    """All that each seat and a spectator can be told of a table."""
    askers = [*people, Program(people[0].client, people[0].table)]
    return [asker.get(path).json() for asker in askers for path in ("", "/log", "/legal") if asker.token or not path]


def begin(client: httpx.Client) -> list[Program]:
    """A game of two programs and a computer."""
    maker = new_table(client, 3).sit("Player 1", 0)
    other = Program(client, maker.table).sit("Player 2", 1)
    maker.post("/computers", {"level": "greedy"})
    maker.post("/start")
    return [maker, other]


def settled(people: list[Program]) -> dict[str, Any]:
    """The table once it waits for a program, or the game is over."""
    number = 0
    for _ in range(200):
        info = people[0].info()
        if info["deciders"] in ([], [0], [1], [0, 1]):
            return info
        number = people[0].get("/wait", number=info["number"], timeout=10).json()["number"]
    raise AssertionError(f"the computer does not play on after {number}")


@pytest.mark.slow
def test_killed_in_the_middle_of_a_game(tmp_path: Path) -> None:
    rng = Random(4)
    server = ServerProcess(tmp_path)
    server.start()
    try:
        with httpx.Client(base_url=server.url, timeout=30) as client:
            people = begin(client)
            killed, moves = 0, 0
            while True:
                info = settled(people)
                if info["status"] == "over":
                    break
                if moves in (1, 4, 9):
                    # Everybody waits: nothing may be different afterwards.
                    before = everything(people)
                    server.kill_hard()
                    server.start()
                    assert everything(people) == before
                    killed += 1
                seat = next(seat for seat in info["deciders"] if seat < 2)
                legal = people[seat].legal()
                action, key = rng.choice(legal["actions"])["id"], f"move-{moves}"
                answer = people[seat].act(action, legal["number"], key)
                assert answer.status_code == 200
                moves += 1
                if moves in (3, 7):
                    # Killed with the answer on its way and the computer at work: what was answered is there.
                    server.kill_hard()
                    server.start()
                    killed += 1
                    again = people[seat].act(action, legal["number"], key)
                    assert again.json()["repeated"] is True
                    assert again.json()["number"] == answer.json()["number"]
            assert killed >= 4
            lines = people[0].get("/log").json()
            assert [line["number"] for line in lines] == list(range(1, len(lines) + 1))
            assert people[0].get("/fairness").json()["matches"] is True
            assert people[0].get("/record").status_code == 200
    finally:
        server.stop()
    assert "Traceback" not in server.log()


def test_forms_of_pages_from_before_still_work(tmp_path: Path) -> None:
    """The secret that signs forms outlives the server; so does who one is."""
    server = ServerProcess(tmp_path)
    server.start()
    try:
        with httpx.Client(base_url=server.url, timeout=30) as browser:
            mark = _csrf(browser.get("/games/zahltag").text)
            form = {"_csrf_token": mark, "game": "zahltag", "players": "2", "your_name": "Ann", "seat_1": "random"}
            path = browser.post("/tables", data=form).headers["location"]
            server.kill_hard()
            server.start()
            assert browser.post(f"{path}/start", data={"_csrf_token": mark}).status_code == 303
            assert browser.get(path.replace("/t/", "/api/tables/")).json()["status"] == "playing"
    finally:
        server.stop()


def _csrf(page: str) -> str:
    return page.split('name="_csrf_token" value="', 1)[1].split('"', 1)[0]
