"""A finished game is looked at once, whatever happens to the servers: what was found is in the database."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from shopfloor.bots.analysis import Analysis
from shopfloor.tables.findings import Findings
from shopfloor.tables.pool import Pool
from shopfloor.tables.service import Tables
from shopfloor.web import analyses as module
from shopfloor.web.analyses import Analyses
from shopfloor.web.problems import ProblemError
from tests.tables.helpers import Party


@pytest.fixture
def servers(url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[Tables, Analyses]]]:
    """Two servers on one database; where one waits for the other, it looks often."""
    monkeypatch.setattr(module, "LOOK_AGAIN", 0.05)
    tables = [Tables(url) for _ in "ab"]
    made = [Analyses(one, 0.5) for one in tables]
    yield list(zip(tables, made, strict=True))
    for one in made:
        one.close()
    for each in tables:
        each.close()


class Works:
    """What is given to the processes; nothing comes of it before `finish`."""

    def __init__(self) -> None:
        self.begun: list[Future[Analysis]] = []

    def submit(self, _job: Any, *_of: Any) -> Future[Analysis]:
        self.begun.append(Future())
        return self.begun[-1]


@pytest.fixture
def works(monkeypatch: pytest.MonkeyPatch) -> Works:
    works = Works()
    monkeypatch.setattr(Pool, "submit", works.submit)
    return works


def finding(tables: Tables, table_id: str) -> Analysis:
    return Analysis(len(tables.table(table_id).decision_numbers()), (), (), (), (), 1.0)


def test_a_restart_computes_nothing_again(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = Tables(url)
    party = Party(tables, 2)
    party.to_the_end()
    first = Analyses(tables, 0.5)
    found = first.of(tables.table(party.id), 120.0)
    assert found is not None
    assert found.accounts
    first.close()
    tables.close()
    tables = Tables(url)
    again = Analyses(tables, 0.5)
    monkeypatch.setattr(Pool, "submit", None)
    assert again.of(tables.table(party.id), 120.0) == found
    again.close()
    tables.close()


def test_of_two_servers_one_works_it_out(servers: list[tuple[Tables, Analyses]], works: Works) -> None:
    (tables, here), (others, there) = servers
    party = Party(tables, 2)
    party.to_the_end()
    assert here.of(tables.table(party.id), 0.5) is None
    assert there.of(others.table(party.id), 0.5) is None
    assert len(works.begun) == 1
    found = finding(tables, party.id)
    works.begun[0].set_result(found)
    assert there.of(others.table(party.id), 60.0) == here.of(tables.table(party.id), 60.0) == found
    assert len(works.begun) == 1


def test_when_one_fails_the_other_tries(servers: list[tuple[Tables, Analyses]], works: Works) -> None:
    (tables, here), (others, there) = servers
    party = Party(tables, 2)
    party.to_the_end()
    assert here.of(tables.table(party.id), 0.2) is None
    assert there.of(others.table(party.id), 0.2) is None
    works.begun[0].set_exception(RuntimeError("no memory left"))
    with pytest.raises(ProblemError) as told:
        here.of(tables.table(party.id), 60.0)
    assert told.value.problem.code == "ANALYSIS_FAILED"
    for _ in range(600):
        if there.of(others.table(party.id), 0.1) is None and len(works.begun) == 2:
            break
    works.begun[1].set_result(finding(tables, party.id))
    assert there.of(others.table(party.id), 60.0) == finding(tables, party.id)
    assert here.of(tables.table(party.id), 60.0) == finding(tables, party.id)


def test_a_server_that_stops_leaves_it_to_the_other(servers: list[tuple[Tables, Analyses]], works: Works) -> None:
    (tables, here), (others, there) = servers
    party = Party(tables, 2)
    party.to_the_end()
    assert here.of(tables.table(party.id), 0.2) is None
    here.close()
    for _ in range(600):
        if there.of(others.table(party.id), 0.1) is None and len(works.begun) == 2:
            break
    assert len(works.begun) == 2
    works.begun[1].set_result(finding(tables, party.id))
    assert there.of(others.table(party.id), 60.0) is not None


def test_without_the_database_it_is_worked_out_all_the_same(
    servers: list[tuple[Tables, Analyses]], works: Works, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tables, here), _ = servers
    party = Party(tables, 2)
    party.to_the_end()

    def away(*_: Any) -> Any:
        raise OperationalError("", {}, Exception("it is away"))

    for name in ("find", "claim", "keep"):
        monkeypatch.setattr(Findings, name, away)
    assert here.of(tables.table(party.id), 0.5) is None
    works.begun[0].set_result(finding(tables, party.id))
    assert here.of(tables.table(party.id), 60.0) == finding(tables, party.id)
