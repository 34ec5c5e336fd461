"""Starting and stopping the server."""

from __future__ import annotations

import contextlib
import socket
import time
from http.client import HTTPConnection
from pathlib import Path

import httpx
import pytest

from shopfloor.web import serve
from shopfloor.web.serve import CannotServe
from shopfloor.web.settings import Settings
from tests.web.programs import people_at_table
from tests.web.servers import ServerProcess, free_port, server_process


def test_it_says_where_it_is_and_stops_when_told(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path)
    server.start()
    with httpx.Client(base_url=server.url) as client:
        people = people_at_table(client, 2)
        with client.stream("GET", f"/t/{people[0].table}/stream") as opened:
            lines = opened.iter_lines()
            next(lines)
            server.stop()
    log = server.log()
    assert f"Shopfloor is at {server.url}" in log
    assert "Traceback" not in log
    assert "graceful" not in log, "an open page does not hold it back until it is cut off"
    assert str(people[0].token) not in log


def test_a_second_start_finds_the_first(
    server: ServerProcess, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    database = str(server.folder / "tables.db")
    serve.run(Settings(port=server.port, database=database), open_browser=True)
    assert opened == [server.url]
    assert "running already" in capsys.readouterr().out


def test_a_port_that_is_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(CannotServe, match=f"Port {port} .* cannot be used.*\n.*--port"):
            serve.run(Settings(port=port, database=str(tmp_path / "t.db")))


def test_without_a_port_the_next_free_one_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    first = free_port()
    with socket.socket() as other:
        other.bind(("127.0.0.1", first))
        other.listen()
        monkeypatch.setattr(serve, "FIRST_PORT", first)
        with serve._listen(Settings()) as listener:
            assert listener.getsockname()[1] != first


def test_an_address_that_is_not_ours(tmp_path: Path) -> None:
    with pytest.raises(CannotServe, match=r"192\.0\.2\.1"):
        serve.run(Settings(host="192.0.2.1", port=free_port(), database=str(tmp_path / "t.db")))


def test_a_database_that_is_none(tmp_path: Path) -> None:
    broken = tmp_path / "t.db"
    broken.write_bytes(b"this is no database at all, but a text of more than a hundred bytes" * 10)
    with pytest.raises(CannotServe, match=r"t\.db"):
        serve.run(Settings(port=free_port(), database=str(broken)))


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CannotServe):
        serve.run(Settings(port=free_port(), database=str(tmp_path / "file" / "t.db")))


def test_tokens_are_not_in_the_log(tmp_path: Path) -> None:
    with server_process(tmp_path) as server, httpx.Client(base_url=server.url) as client:
        people = people_at_table(client, 2)
        client.get(f"/t/{people[0].table}/seat/{people[0].token}")
        client.get(f"/t/{people[0].table}/seat/{people[0].token}x/y")
        people[0].act("sing")
        assert str(people[0].token) not in server.log()


def test_answers_are_not_held_back() -> None:
    """Without the protocol's name, asyncio leaves Nagle's algorithm on, and every page comes 40 ms late."""
    with serve._listen(Settings(port=0)) as listener:
        assert listener.proto == socket.IPPROTO_TCP


@pytest.mark.slow
def test_a_connection_is_kept_for_the_next_request(server: ServerProcess) -> None:
    """A proxy that keeps one would lose the request that it sends just when the server hangs up."""
    with contextlib.closing(HTTPConnection("127.0.0.1", server.port, timeout=20)) as connection:
        connection.connect()
        connection.auto_open = 0  # a client that connects anew by itself would hide it
        for pause in (0.0, 6.0):
            time.sleep(pause)
            connection.request("GET", "/healthz")
            answer = connection.getresponse()
            answer.read()
            assert answer.status == 200
    assert serve.KEEP_ALIVE > 120
