"""The same site on several servers, with the computers in a process of their own, all on one PostgreSQL."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.postgres import Postgres
from tests.web.programs import Program, new_table, people_at_table
from tests.web.servers import ServerProcess, server_process
from tests.web.test_streams import stream

pytestmark = pytest.mark.slow

CLI = ("-c", "from shopfloor.cli import main; main()")


@pytest.fixture(scope="module")
def database(pg: Postgres) -> str:
    return pg.fresh()


@pytest.fixture(scope="module")
def servers(database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[ServerProcess, ServerProcess]]:
    """Two servers in which nobody thinks."""
    folder = tmp_path_factory.mktemp("several")
    with (
        server_process(folder, database=database, workers=0) as one,
        server_process(folder, database=database, workers=0) as two,
    ):
        yield one, two


@pytest.fixture
def clients(servers: tuple[ServerProcess, ServerProcess]) -> Iterator[tuple[httpx.Client, httpx.Client]]:
    one, two = servers
    with httpx.Client(base_url=one.url, timeout=20) as a, httpx.Client(base_url=two.url, timeout=20) as b:
        yield a, b


@contextlib.contextmanager
def bots(database: str) -> Iterator[subprocess.Popen[bytes]]:
    """`shopfloor bots` on the database."""
    command = [sys.executable, *CLI, "bots", "--database", database, "--pace", "0", "--budget", "0.1"]
    environment = {**os.environ, "PYTHONPATH": os.path.abspath("src")}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
        try:
            assert process.stdout is not None
            assert b"Computers think" in process.stdout.readline()
            yield process
        finally:
            process.send_signal(signal.SIGTERM)


def test_who_plays_at_one_server_is_seen_at_the_other(clients: tuple[httpx.Client, httpx.Client]) -> None:
    here, there = clients
    people = people_at_table(here, 2, options={"first_player": "0"})
    with stream(there, f"/t/{people[0].table}/stream") as watching:
        assert int(watching.next().id) == people[0].info()["number"]
        for _ in range(4):
            table = people[0].info()
            person = people[table["deciders"][0]]
            answer = person.act(person.legal()["actions"][0]["id"])
            assert int(watching.next().id) == answer.json()["number"]


def test_a_seat_taken_at_one_server_plays_at_the_other(clients: tuple[httpx.Client, httpx.Client]) -> None:
    here, there = clients
    people = people_at_table(here, 2, options={"first_player": "0"})
    moved = Program(there, people[0].table, people[0].token)
    assert moved.act(moved.legal()["actions"][0]["id"]).status_code == 200
    assert people[0].info() | {"link": ""} == moved.info() | {"link": ""}


def test_two_servers_judge_one_move_once(clients: tuple[httpx.Client, httpx.Client]) -> None:
    here, there = clients
    people = people_at_table(here, 2, options={"first_player": "0"})
    action = people[0].legal()["actions"][0]["id"]
    both = [people[0], Program(there, people[0].table, people[0].token)]
    number = people[0].info()["number"]
    answers: list[dict[str, object]] = []
    threads = [
        threading.Thread(target=lambda p=p: answers.append(p.act(action, number, "the-same").json())) for p in both
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [a["number"] for a in answers] == [number + 1] * 2
    assert sorted(bool(a["repeated"]) for a in answers) == [False, True]


def test_a_form_of_one_server_is_good_at_the_other(clients: tuple[httpx.Client, httpx.Client]) -> None:
    here, there = clients
    page = here.get("/games/zahltag")
    csrf = re.search(r'name="_csrf_token" value="([^"]+)"', page.text)
    assert csrf is not None
    for name, value in here.cookies.items():
        there.cookies.set(name, value)
    form = {"_csrf_token": csrf[1], "game": "zahltag", "players": "2", "your_name": "Ann"}
    answer = there.post("/tables", data=form)
    assert answer.status_code == 303, answer.text
    assert here.get(answer.headers["location"]).status_code == 200


def test_computers_think_in_a_process_of_their_own(clients: tuple[httpx.Client, httpx.Client], database: str) -> None:
    here, there = clients
    maker = new_table(here, 2).sit("Ann", 0)
    maker.post("/computers", {"level": "greedy"})
    assert maker.post("/start").status_code == 200

    def play_until(number: int, seconds: float) -> int:
        end = time.monotonic() + seconds
        while time.monotonic() < end and maker.info()["number"] < number:
            if 0 in maker.info()["deciders"]:
                legal = maker.legal()
                maker.act(legal["actions"][0]["id"], legal["number"])
            time.sleep(0.02)
        return int(maker.info()["number"])

    stuck = play_until(10_000, 1.0)
    assert play_until(10_000, 0.5) == stuck, "nobody thinks yet"
    with bots(database):
        assert play_until(stuck + 8, 20) >= stuck + 8
    assert Program(there, maker.table).info()["number"] >= stuck + 8


def test_bots_alone_need_a_shared_database(tmp_path: Path) -> None:
    command = [sys.executable, *CLI, "bots", "--database", str(tmp_path / "tables.db")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "postgresql://" in done.stderr
