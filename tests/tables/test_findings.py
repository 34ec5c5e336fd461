"""What was found out about finished games is kept, in both databases: for its versions, in bounds, worked out once."""

from __future__ import annotations

import dataclasses
import zlib
from collections.abc import Iterator
from hashlib import sha256

import pytest
import sqlalchemy as sa

from shopfloor.bots import analysis
from shopfloor.bots.analysis import Account, Analysis, Judged, Moment, Slip
from shopfloor.tables import findings as module
from shopfloor.tables.findings import Findings
from shopfloor.tables.schema import ANALYSES
from shopfloor.tables.store import Store
from tests.tables.conftest import Open
from tests.tables.helpers import Party

FOUND = Analysis(
    7,
    (Moment(0, (0.1 + 0.2, 0.7)), Moment(7, (1.0, 0.0))),
    (3,),
    (Judged(3, 1, 12, 4, 0.123456789, 1e-9, 0.25, 40),),
    (Account(0, 0.3, -0.1, -0.2, 0.0, 0.05, 0.75, 1.0, 4, 0.5), Account(1, 0.7, 0.0, 0.0, 0.0, 0.1, -0.8, 0.0, 3)),
    12.5,
    2,
    (Slip(5, 1, 9, 0.5, 0.25),),
)


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    store = Store(url)
    yield store
    store.close()


@pytest.fixture
def table(opened: Open) -> str:
    return Party(opened(), 2).id


def rows(store: Store) -> int:
    return int(store.read(sa.select(sa.func.count()).select_from(ANALYSES))[0][0])


def test_what_is_kept_is_found_by_all_as_it_was(store: Store, table: str) -> None:
    here, there = Findings(store), Findings(store)
    assert here.find(table, "1", 7) is None
    assert here.claim(table, "1", 7)
    assert here.find(table, "1", 7) is None
    assert here.keep(table, "1", FOUND)
    assert here.find(table, "1", 7) == there.find(table, "1", 7) == FOUND
    assert not there.claim(table, "1", 7), "there is nothing to work out"


def test_of_several_one_works_it_out(store: Store, table: str) -> None:
    here, there = Findings(store), Findings(store)
    assert here.claim(table, "1", 7)
    assert here.claim(table, "1", 7), "to renew it"
    assert not there.claim(table, "1", 7)
    there.give_up(table, "1")
    assert not there.claim(table, "1", 7), "nobody gives up what is another's"
    here.give_up(table, "1")
    assert there.claim(table, "1", 7)
    assert not here.claim(table, "1", 7)


def test_the_claim_of_one_that_has_died_runs_out(store: Store, table: str) -> None:
    dead, alive = Findings(store, claim=-1.0), Findings(store)
    assert dead.claim(table, "1", 7)
    assert alive.claim(table, "1", 7)
    assert not dead.claim(table, "1", 7)


def test_another_version_is_another_finding(store: Store, table: str) -> None:
    old, new = Findings(store, version="old"), Findings(store, version="new")
    assert old.keep(table, "1", FOUND)
    assert new.find(table, "1", 7) is None
    assert old.find(table, "2", 7) is None, "another version of the rules"
    assert new.claim(table, "1", 7)
    later = dataclasses.replace(FOUND, seconds=1.0)
    assert new.keep(table, "1", later)
    assert new.find(table, "1", 7) == later
    assert old.find(table, "1", 7) is None
    assert rows(store) == 1, "only one is kept of a table"


def test_a_game_whose_end_was_taken_back_is_worked_out_anew(store: Store, table: str) -> None:
    findings = Findings(store)
    findings.keep(table, "1", FOUND)
    assert findings.find(table, "1", 8) is None
    assert findings.claim(table, "1", 8)


@pytest.mark.parametrize("data", [b"", b"no zlib", zlib.compress(b"no json"), zlib.compress(b'{"decisions": "x"}')])
def test_what_cannot_be_read_is_worked_out_anew(store: Store, table: str, data: bytes) -> None:
    findings = Findings(store)
    findings.keep(table, "1", FOUND)
    with store.writing() as connection:
        connection.execute(ANALYSES.update().values(data=data))
    assert findings.find(table, "1", 7) is None
    assert findings.claim(table, "1", 7)
    assert findings.keep(table, "1", FOUND)
    assert findings.find(table, "1", 7) == FOUND


def test_only_the_newest_are_kept(store: Store, opened: Open) -> None:
    tables = opened()
    ids = [Party(tables, 2, start=False).id for _ in range(5)]
    findings = Findings(store, most=3)
    for at, table in enumerate(ids):
        findings.keep(table, "1", FOUND)
        with store.writing() as connection:
            connection.execute(ANALYSES.update().where(ANALYSES.c.table_id == table).values(made_at=float(at)))
    assert rows(store) == 3
    findings.keep(ids[0], "1", FOUND)
    assert [findings.find(table, "1", 7) is not None for table in ids] == [True, False, False, True, True]


def test_what_is_too_large_is_not_kept(store: Store, table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGEST", 100)
    findings = Findings(store)
    assert findings.claim(table, "1", 7)
    assert not findings.keep(table, "1", FOUND)
    assert rows(store) == 0


def test_who_changes_an_analysis_changes_its_version() -> None:
    """What is kept by one version is read by it alone. (What is said of the fields counts; how they are found, too.)"""
    kinds = (Analysis, Moment, Judged, Slip, Account)
    shape = repr([(kind.__name__, [(f.name, f.type) for f in dataclasses.fields(kind)]) for kind in kinds])
    assert {sha256(shape.encode()).hexdigest()[:12]: analysis.VERSION} == {"0aa672b79324": "1"}
