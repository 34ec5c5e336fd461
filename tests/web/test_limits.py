"""How much one address may ask for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from shopfloor.web import limits
from shopfloor.web.app import create_app
from shopfloor.web.limits import Limit
from shopfloor.web.settings import BadSetting, Settings
from tests.web.programs import new_table

TABLE = {"game": "zahltag", "players": 2}


class Time:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_limit_fills_up_again() -> None:
    time = Time()
    limit = Limit(6, time)
    assert [limit.take("a") for _ in range(6)] == [0.0] * 6
    assert limit.take("a") == pytest.approx(10)
    assert limit.take("b") == 0.0, "each address for itself"
    time.now += 9
    assert limit.take("a") == pytest.approx(1), "who asks in vain does not wait longer for it"
    time.now += 1.1
    assert limit.take("a") == 0.0
    time.now += 10_000
    assert [bool(limit.take("a")) for _ in range(7)] == [False] * 6 + [True], "a minute's worth is saved up at most"


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "ADDRESSES_KEPT", 100)
    limit = Limit(1)
    for i in range(1000):
        limit.take(str(i))
    assert len(limit._seen) == 100
    assert limit.take("999") > 0


@pytest.mark.parametrize(
    ("setting", "method", "path"),
    [
        ("tables_a_minute", "POST", "/api/tables"),
        ("tables_a_minute", "POST", "/api/tables/"),
        ("tries_a_minute", "GET", "/t/{table}/seat/abcdefghijklmnopqrst"),
        ("tries_a_minute", "GET", "/metrics"),
        ("tries_a_minute", "POST", "/api/tables/{table}/seats/0/take"),
        ("changes_a_minute", "POST", "/api/tables/{table}/seats"),
        ("changes_a_minute", "POST", "/t/{table}/act"),
        ("changes_a_minute", "DELETE", "/api/tables/{table}/seats/0"),
    ],
)
def test_what_creates_or_tries_or_changes_is_limited(tmp_path: Path, setting: str, method: str, path: str) -> None:
    free: dict[str, Any] = {"tables_a_minute": 0, "tries_a_minute": 0, "changes_a_minute": 0}
    settings = Settings(database=str(tmp_path / "t.db"), **{**free, setting: 4})
    with TestClient(create_app(settings)) as client:
        table = new_table(client, 2).table  # the first of four changes, or tables
        where = path.format(table=table)
        statuses = [client.request(method, where, json=TABLE if where.startswith("/api") else None) for _ in range(5)]
        refused = statuses[-1]
        assert refused.status_code == 429
        assert int(refused.headers["Retry-After"]) >= 1
        assert [answer.status_code for answer in statuses].count(429) <= 2
        assert client.get(f"/api/tables/{table}").status_code == 200, "looking is free"


def test_settings_that_cannot_be() -> None:
    with pytest.raises(BadSetting, match="tries_a_minute"):
        Settings(tries_a_minute=-1)


def test_a_large_request_is_refused_before_it_is_read(tmp_path: Path) -> None:
    with TestClient(create_app(Settings(database=str(tmp_path / "t.db")))) as client:
        table = new_table(client, 2).table
        body = b'{"name": "' + b"x" * (70 * 1024) + b'"}'
        for path in ("/api/tables", f"/api/tables/{table}/seats"):
            answer = client.post(path, content=body, headers={"Content-Type": "application/json"})
            assert answer.status_code == 413, answer.text
            assert answer.json()["code"] == "TOO_LARGE"
