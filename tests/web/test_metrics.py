"""Is the server there, can it work, and what does it measure?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from litestar import Litestar
from litestar.testing import TestClient
from prometheus_client.parser import text_string_to_metric_families

from shopfloor.web.app import create_app
from shopfloor.web.settings import BadSetting, Settings
from tests.web.programs import people_at_table

TOKEN = "a-token-for-metrics"


@pytest.fixture
def measured(tmp_path: Path) -> Iterator[TestClient[Litestar]]:
    settings = Settings(database=str(tmp_path / "tables.db"), metrics=TOKEN, pace=0.0)
    with TestClient(create_app(settings), raise_server_exceptions=False) as client:
        yield client


def numbers(client: TestClient[Litestar]) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    answer = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200, answer.text
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def test_moves_tables_and_requests_are_counted(measured: TestClient[Litestar]) -> None:
    people = people_at_table(measured, 2)
    for _ in range(3):
        seat = people[0].info()["deciders"][0]
        people[seat].act(people[seat].legal()["actions"][0]["id"])
    found = numbers(measured)
    assert found["shopfloor_tables", (("status", "playing"),)] == 1
    assert found["shopfloor_log_entries_total", (("by", "person"), ("kind", "play"))] == 3
    assert found["shopfloor_log_entries_total", (("by", "person"), ("kind", "sit"))] == 2
    assert 0 < found["shopfloor_storing_seconds_total", ()] < 5
    assert found["shopfloor_sessions", ()] == 0
    assert found["shopfloor_thoughts", (("state", "waiting"),)] == 0
    acts = {labels: v for (name, labels), v in found.items() if name == "shopfloor_request_duration_seconds_count"}
    assert sum(v for labels, v in acts.items() if ("path", "/api/tables/{table_id}/actions") in labels) >= 3
    assert not any(people[0].table in str(key) for key in found), "no table is named"


def test_numbers_are_for_those_who_know_the_token(measured: TestClient[Litestar], client: TestClient[Litestar]) -> None:
    assert measured.get("/metrics").status_code == 401
    assert measured.get("/metrics", headers={"Authorization": "Bearer something-else-entirely"}).status_code == 401
    assert client.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404, "closed if not set"
    with pytest.raises(BadSetting, match="metrics"):
        Settings(metrics="short")


def test_ready_is_who_reaches_the_database(measured: TestClient[Litestar], monkeypatch: pytest.MonkeyPatch) -> None:
    from sqlalchemy.exc import OperationalError

    assert measured.get("/readyz").json() == {"status": "ok"}

    def away() -> dict[str, int]:
        raise OperationalError("SELECT", {}, Exception("disk I/O error"))

    monkeypatch.setattr(measured.app.state.services.tables, "count_by_status", away)
    answer = measured.get("/readyz")
    assert answer.status_code == 503
    assert measured.get("/healthz").json()["status"] == "ok", "it lives all the same"


def test_a_database_that_is_away_is_told_as_that(
    measured: TestClient[Litestar], monkeypatch: pytest.MonkeyPatch
) -> None:
    from sqlalchemy.exc import OperationalError

    def away(*_: object) -> None:
        raise OperationalError("SELECT", {}, Exception("database is locked"))

    people = people_at_table(measured, 2)
    seat = people[0].info()["deciders"][0]
    action = people[seat].legal()["actions"][0]["id"]
    number = people[0].info()["number"]
    with monkeypatch.context() as patched:
        patched.setattr(measured.app.state.services.tables._store, "append", away)
        answer = people[seat].act(action, number, "kept")
        assert answer.status_code == 503
        assert answer.json()["code"] == "DATABASE_AWAY"
        assert "try again" in answer.json()["sentence"]
    assert people[seat].act(action, number, "kept").json()["repeated"] is False
