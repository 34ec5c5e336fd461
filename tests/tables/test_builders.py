"""Computers that build by hand at tables: unwatched at once, watched in their own time."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest

pytest.importorskip("shopfloor.games.men_at_work.world")

from shopfloor.engine.records import load, replay
from shopfloor.engine.registry import Registry
from shopfloor.engine.world import Batch
from shopfloor.games.men_at_work import GAME, wire
from shopfloor.games.men_at_work import actions as a
from shopfloor.tables import builders
from shopfloor.tables.builders import Builders
from shopfloor.tables.service import Tables
from shopfloor.tables.sessions import Sessions
from shopfloor.tables.store import sqlite_url
from shopfloor.tables.thinkers import Thinkers
from tests.tables.helpers import Party, dealt

GAMES = Registry(["shopfloor.games.men_at_work", "shopfloor.games.zahltag"])
QUICK = {"attempt_limit": "3", "youngest": "0"}


class Threads:
    """A pool that thinks in this process, so that nothing has to be started for it."""

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(1)

    def submit(self, function: Callable[..., Any], *args: Any) -> Future[Any]:
        return self._executor.submit(function, *args)

    def warm_up(self) -> None:
        """Is always warm."""

    def close(self) -> None:
        self._executor.shutdown(cancel_futures=True)


@pytest.fixture
def tables(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Tables]:
    monkeypatch.setattr(builders, "REGISTRY", GAMES)
    opened = Tables(sqlite_url(tmp_path / "tables.db"), GAMES)
    yield opened
    opened.close()


@pytest.fixture
def sessions(tables: Tables) -> Iterator[Sessions]:
    opened = Sessions(tables)
    yield opened
    opened.close()


def thinking(tables: Tables, sessions: Sessions | None) -> Thinkers:
    thinkers = Thinkers(tables, pace=0.0, budget=0.1, sessions=sessions)
    thinkers._pool.close()
    thinkers._pool = Threads()  # type: ignore[assignment]
    return thinkers


def wait(party: Party, reached: Callable[[], bool], seconds: float) -> None:
    end = time.monotonic() + seconds
    while not reached():
        assert time.monotonic() < end, f"it never came to that: {party.view(None)}"
        time.sleep(0.02)


def test_a_thought_is_an_action_an_errand_or_what_that_came_to(tables: Tables) -> None:
    with dealt(9):
        party = Party(tables, 1, ("apprentice",), True, "men_at_work", **QUICK)
    hands = Builders(tables, None)
    assert hands.work_at(party.table)
    assert not hands.work_at(Party(tables, 2).table)
    pool: Any = Threads()
    first = hands.think(pool, party.table, 0, "apprentice", 1.0).result()
    assert isinstance(first, int)
    assert first < a.STAND_CRANE
    party.act(0, a.DESIGN)
    party.act(0, next(x for x in party.table.legal(0) if a.CHOOSE_GIRDER <= x < a.PLAY_ON_DECK))
    found = hands.think(pool, party.table, 0, "apprentice", 1.0).result()
    assert isinstance(found, Batch)
    assert pickle.loads(pickle.dumps(found)) == found
    assert [action for action, _ in found.decisions][1:] == [a.RELEASE]
    pool.close()


@pytest.mark.slow
def test_four_computers_play_a_game_to_its_end_with_nobody_looking_on(tables: Tables, sessions: Sessions) -> None:
    party = Party(tables, 0, ("apprentice",) * 4, True, "men_at_work", **QUICK, expert="all", halt_on="any_kind")
    thinkers = thinking(tables, sessions)
    thinkers.start()
    try:
        wait(party, lambda: party.table.status == "over", 240)
    finally:
        thinkers.stop()
    assert sessions.in_motion() == 0
    lines = [line for line in party.table.log(None) if line.kind == "play"]
    assert all(line.by_computer for line in lines)
    record = load(tables.record(party.id))
    *_, last = replay(record, GAME)
    assert last.state.over()
    assert len(tables.motions(party.id)) > 3
    print(len(lines), "decisions", len(tables.record(party.id)), "characters")


def test_where_somebody_looks_on_a_computer_takes_its_time(tables: Tables, sessions: Sessions) -> None:
    with dealt(9):
        party = Party(tables, 0, ("apprentice",) * 2, True, "men_at_work", **QUICK)
    heard: list[Any] = []
    sessions.enter(party.id, None, heard.append)
    wait(party, lambda: bool(heard), 5)
    thinkers = thinking(tables, sessions)
    thinkers.start()

    def said(kind: str) -> bool:
        return any(isinstance(m, dict) and m["t"] == kind for m in list(heard))

    try:
        wait(party, lambda: said("rest"), 60)
    finally:
        thinkers.stop()
    frames = [wire.read_frame(m)[0] for m in list(heard) if isinstance(m, bytes)]
    carried = [look for look in frames if look.flags & wire.CARRIED]
    assert len(carried) > 60, "a second of carrying, at least"
    assert tables.motions(party.id)


def test_a_computer_at_work_goes_on_after_a_restart(tables: Tables) -> None:
    with dealt(9):
        party = Party(tables, 0, ("apprentice",) * 2, True, "men_at_work", **QUICK)
    for _ in range(2):
        sessions = Sessions(tables)
        heard: list[Any] = []
        sessions.enter(party.id, None, heard.append)
        thinkers = thinking(tables, sessions)
        thinkers.start()
        wait(party, lambda: sessions.busy(party.id), 60)  # noqa: B023 (asked at once)
        thinkers.stop()
        sessions.close()  # in mid-air
    assert not any(d.action == a.RELEASE for d in party.table._fold.decisions)
    thinkers = thinking(tables, None)
    thinkers.start()
    try:
        wait(party, lambda: any(d.action == a.RELEASE for d in party.table._fold.decisions), 60)
    finally:
        thinkers.stop()


@pytest.mark.slow
def test_in_worker_processes(tables: Tables) -> None:
    with dealt(9):
        party = Party(tables, 0, ("journeyman", "random"), True, "men_at_work", **QUICK)
    thinkers = Thinkers(tables, pace=0.0, budget=0.1)
    thinkers.start()
    try:
        wait(party, lambda: bool(tables.motions(party.id)), 120)
    finally:
        thinkers.stop()
    assert all(line.by_computer for line in party.table.log(None) if line.kind == "play")
