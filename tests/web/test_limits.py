"""How much one address may ask for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from litestar.testing import TestClient

from shopfloor.tables.counts import CLEARED_EVERY, KEPT_SECONDS, PREFIX, Counts
from shopfloor.tables.schema import SHARED
from shopfloor.tables.service import Tables
from shopfloor.web import limits
from shopfloor.web.app import create_app
from shopfloor.web.limits import Limit
from shopfloor.web.settings import BadSetting, Settings
from tests.postgres import Postgres
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


# -- several servers on one database --------------------------------------------------------------------------------


def counted(tables: Tables) -> dict[str, str]:
    with tables._store.reading() as connection:
        found = connection.execute(sa.select(SHARED.c.name, SHARED.c.value).where(SHARED.c.name.startswith(PREFIX)))
        return {row.name: row.value for row in found}


def test_one_server_counts_by_itself(tmp_path: Path) -> None:
    tables = Tables(f"sqlite:///{tmp_path / 't.db'}")
    assert tables.counts("secret") is None
    tables.close()


@pytest.mark.slow
def test_several_servers_allow_no_more_than_one(pg: Postgres) -> None:
    url = pg.fresh()
    time = Time()
    time.now = 1_000_000.0
    both = Tables(url), Tables(url)
    pair = [Limit(6, time, counts=Counts(tables._store, "secret", time), what="opens") for tables in both]
    tries = Limit(6, time, counts=Counts(both[0]._store, "secret", time), what="tries")
    assert [pair[i % 2].take("192.0.2.7") for i in range(6)] == [0.0] * 6
    assert [limit.take("192.0.2.7") for limit in pair] == [pytest.approx(10), pytest.approx(10)]
    assert pair[0].take("192.0.2.8") == 0.0, "each address for itself"
    assert tries.take("192.0.2.7") == 0.0, "each kind for itself"
    time.now += 10.1
    assert [limit.take("192.0.2.7") > 0 for limit in pair] == [False, True]
    kept = counted(both[0])
    assert len(kept) == 3
    assert "192.0.2" not in str(kept), "nobody learns from it who has asked"
    time.now += max(KEPT_SECONDS, CLEARED_EVERY) + 1
    assert pair[0].take("192.0.2.9") == 0.0
    assert len(counted(both[0])) == 1, "what counts no more is not kept"
    time.now -= 500  # another server's clock is slow
    assert [pair[1].take("192.0.2.9") for _ in range(5)] == [0.0] * 5
    assert pair[1].take("192.0.2.9") > 0
    for tables in both:
        tables.close()


@pytest.mark.slow
def test_tables_opened_at_any_of_them_count(pg: Postgres) -> None:
    url = pg.fresh()
    settings = Settings(database=url, tables_a_minute=3, workers=0)
    with TestClient(create_app(settings)) as first, TestClient(create_app(settings)) as second:
        statuses = [(first, second)[i % 2].post("/api/tables", json=TABLE).status_code for i in range(6)]
    assert statuses == [201] * 3 + [429] * 3


@pytest.mark.slow
def test_a_database_that_is_away_leaves_each_server_its_own_count(pg: Postgres) -> None:
    tables = Tables(pg.fresh())
    limit = Limit(2, counts=tables.counts("secret"), what="opens")
    assert limit.shared
    tables.close()
    stopped = sa.create_engine("postgresql+psycopg://nobody@127.0.0.1:1/none", connect_args={"connect_timeout": 2})
    tables._store._engine = stopped
    tables._store._writing = stopped.execution_options(writing=True)
    assert [limit.take("a") for _ in range(2)] == [0.0, 0.0]
    assert limit.take("a") > 0
