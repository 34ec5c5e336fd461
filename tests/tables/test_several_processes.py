"""Several servers and workers on one database: news travel, nothing is thought twice, the dead are replaced."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from shopfloor.engine.refusals import IllegalAction
from shopfloor.games.men_at_work import wire
from shopfloor.tables import thinkers as module
from shopfloor.tables.claims import Claims
from shopfloor.tables.errors import StorageError
from shopfloor.tables.service import Tables
from shopfloor.tables.sessions import Sessions
from shopfloor.tables.store import Store
from shopfloor.tables.thinkers import Thinkers
from tests.postgres import Postgres, postgres
from tests.tables.helpers import PASS, Party, dealt


def wait_for(condition: Any, seconds: float = 30) -> None:
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "it did not happen in time"
        time.sleep(0.01)


@contextmanager
def two(url: str) -> Iterator[tuple[Tables, Tables]]:
    """Two servers on one database."""
    first, second = Tables(url), Tables(url)
    try:
        yield first, second
    finally:
        first.close()
        second.close()


# -- news ---------------------------------------------------------------------------------------------------------


def test_news_reach_the_other_server_once_and_unasked(pg: Postgres) -> None:
    with two(pg.fresh()) as (first, second):
        heard: list[tuple[str, int]] = []
        own: list[tuple[str, int]] = []
        second.subscribe(lambda table, number: heard.append((table, number)))
        first.subscribe(lambda table, number: own.append((table, number)))
        party = Party(first, 2)
        wait_for(lambda: (party.id, party.table.number) in heard)
        heard.clear()
        sent = []
        for _ in range(10):
            sent.append((party.id, party.random_move().number))
            wait_for(lambda: len(heard) == len(sent))
        assert heard == sent
        assert Counter(own).most_common(1)[0][1] == 1, "one's own news come back once only"


def test_what_is_told_is_not_read_again_unless_it_is_new_here(pg: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    with two(pg.fresh()) as (first, second):
        party = Party(first, 2)
        second.table(party.id)
        number = party.random_move().number
        reads: list[str] = []
        for name, tables in (("first", first), ("second", second)):
            sound = tables._store.entries

            def entries(table_id: str, after: int = 0, name: str = name, sound: Any = sound) -> Any:
                reads.append(name)
                return sound(table_id, after)

            monkeypatch.setattr(tables._store, "entries", entries)
        assert first.table(party.id, number).number == number
        assert reads == []
        assert second.table(party.id, number).number == number
        assert second.table(party.id, number).number == number
        assert reads == ["second"]
        assert first.table(party.id).number == number
        assert reads == ["second", "first"], "whoever was told nothing looks"


def test_a_rematch_is_told_too(pg: Postgres) -> None:
    with two(pg.fresh()) as (first, second):
        party = Party(first, 2)
        party.to_the_end()
        heard: list[str] = []
        second.subscribe(lambda table, _: heard.append(table))
        follower = first.rematch(party.id, party.creator)
        wait_for(lambda: {party.id, follower} <= set(heard))


def test_what_is_refused_is_not_told(pg: Postgres) -> None:
    with two(pg.fresh()) as (first, second):
        party = Party(first, 2)
        heard: list[int] = []
        second.subscribe(lambda _, number: heard.append(number))
        with pytest.raises(IllegalAction):
            party.act(1, PASS)
        number = party.act(0, PASS).number
        wait_for(lambda: heard)
        assert heard == [number]


def test_a_secret_is_the_same_for_all(url: str) -> None:
    with two(url) as (first, second):
        given = threading.Barrier(2)
        found: list[str] = []

        def ask(tables: Tables, own: str) -> None:
            given.wait()
            found.append(tables.shared("secret", own))

        threads = [threading.Thread(target=ask, args=pair) for pair in ((first, "one"), (second, "two"))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(found) == 2
        assert len(set(found)) == 1


# -- claims -------------------------------------------------------------------------------------------------------


@contextmanager
def claimants(url: str) -> Iterator[tuple[Claims, Claims, str]]:
    tables = Tables(url)
    party = Party(tables, 2)
    store = Store(url)
    try:
        yield Claims(store, silent=0.4), Claims(store, silent=0.4), party.id
    finally:
        store.close()
        tables.close()


def test_a_decision_is_one_workers(url: str) -> None:
    with claimants(url) as (one, other, table):
        one.beat()
        other.beat()
        assert one.take(table, 0, 5)
        assert one.take(table, 0, 5), "what one has one keeps"
        assert not other.take(table, 0, 5)
        assert other.take(table, 1, 5), "another seat is another decision"
        assert not other.take(table, 0, 4), "an older question is no longer asked"
        assert other.take(table, 0, 6), "a newer one is free"
        assert not one.take(table, 0, 6)
        assert one.take_over() == []


def test_what_a_silent_worker_had_is_taken_over_once(url: str) -> None:
    with claimants(url) as (one, other, table):
        one.beat()
        assert one.take(table, 0, 5)
        time.sleep(0.5)
        other.beat()
        assert other.take_over() == [table]
        assert other.take_over() == []
        one.beat()
        assert not one.take(table, 0, 5), "who was thought dead has lost it"


def test_who_ends_frees_what_he_had(url: str) -> None:
    with claimants(url) as (one, other, table):
        one.beat()
        other.beat()
        assert one.take(table, 0, 5)
        one.end()
        assert other.take_over() == [table]


def test_many_claim_at_once_and_one_gets_it(url: str) -> None:
    with claimants(url) as (one, _, table):
        workers = [Claims(one._store, silent=60) for _ in range(6)]
        for worker in workers:
            worker.beat()
        for number in range(1, 11):
            gate = threading.Barrier(len(workers))
            won: list[bool] = []

            def take(worker: Claims, number: int = number, gate: Any = gate, won: list[bool] = won) -> None:
                gate.wait()
                won.append(worker.take(table, 0, number))

            threads = [threading.Thread(target=take, args=(worker,)) for worker in workers]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert sum(won) == 1, number


# -- workers ------------------------------------------------------------------------------------------------------


def test_two_workers_think_about_every_move_once(pg: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    thought: list[tuple[str, int, int]] = []
    original = Thinkers._think

    def counted(self: Thinkers, thought_: Any, table: Any) -> None:
        thought.append((thought_.table_id, thought_.seat, thought_.number))
        original(self, thought_, table)

    monkeypatch.setattr(Thinkers, "_think", counted)
    with two(pg.fresh()) as pair:
        both = [Thinkers(tables, pace=0.0, budget=0.1) for tables in pair]
        for thinkers in both:
            assert thinkers._claims is not None
            thinkers._claims._silent = 120  # on a busy machine nobody is dead for being slow
            thinkers.start()
        try:
            parties = [Party(pair[i % 2], 0, ["greedy", "random"], card_cap="penalty") for i in range(3)]
            wait_for(lambda: all(party.table.status == "over" for party in parties), 60)
        finally:
            for thinkers in both:
                thinkers.stop()
        moves = sum(line.kind == "play" for party in parties for line in party.table.log(None))
        assert max(Counter(thought).values()) == 1
        assert len(thought) == moves


WORKER = """
import sys, time
from shopfloor.tables import thinkers as module
from shopfloor.tables.service import Tables
from shopfloor.tables.sessions import Sessions
from tests.tables import faulty

module.think = faulty.slow
module.BEAT_SECONDS = 0.1
if __name__ == "__main__":
    thinkers = module.Thinkers(Tables(sys.argv[1]), pace=0.0, budget=600.0)
    thinkers.start()
    while not thinkers._busy:
        time.sleep(0.01)
    print("thinking", flush=True)
    time.sleep(60)
"""


def test_a_dead_workers_job_is_taken_over(pg: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = pg.fresh()
    monkeypatch.setattr(module, "BEAT_SECONDS", 0.1)
    with two(url) as (first, second):
        party = Party(first, 1, ["greedy"])
        party.act(0, PASS)
        script = tmp_path / "worker.py"
        script.write_text(WORKER)
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([os.path.abspath("src"), os.path.abspath(".")])}
        thinkers = Thinkers(second, pace=0.0, budget=0.1)
        assert thinkers._claims is not None
        thinkers._claims._silent = 4.0
        with subprocess.Popen([sys.executable, str(script), url], stdout=subprocess.PIPE, env=environment) as worker:
            assert worker.stdout is not None
            assert worker.stdout.readline() == b"thinking\n"
            number = party.table.number
            thinkers.start()
            time.sleep(1.5)
            assert party.table.number == number, "while the other lives, it is the other's"
            worker.kill()
        try:
            wait_for(lambda: party.table.number > number, 40)
        finally:
            thinkers.stop()


# -- what is done by hand --------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_where_somebody_looks_on_that_server_does_what_computers_do_by_hand(pg: Postgres) -> None:
    """Others on the same database leave it to a server that thinks about nothing else, and go on when all have gone."""
    pytest.importorskip("rapier3d")
    with two(pg.fresh()) as (first, second), dealt(9):
        party = Party(first, 0, ["apprentice"] * 2, game="men_at_work", attempt_limit="3", youngest="0")
        started = party.table.number
        sessions = Sessions(first)
        heard: list[Any] = []
        here = Thinkers(first, pace=0.0, budget=0.1, sessions=sessions, only_watched=True)
        there = Thinkers(second, pace=0.0, budget=0.1)
        here.start()
        try:
            time.sleep(1.0)
            assert party.table.number == started, "nobody looks on, and so it is not this one's"
            window = sessions.enter(party.id, None, heard.append)
            wait_for(lambda: bool(heard))
            there.start()
            wait_for(lambda: any(isinstance(m, dict) and m["t"] == "rest" for m in list(heard)), 120)
            frames = [wire.read_frame(m)[0] for m in list(heard) if isinstance(m, bytes)]
            assert sum(bool(look.flags & wire.CARRIED) for look in frames) > 60, "a second of carrying, at least"
            window.close()
            number = party.table.number
            wait_for(lambda: party.table.number > number + 8, 120)
        finally:
            here.stop()
            there.stop()
            sessions.close()


# -- the database goes away ----------------------------------------------------------------------------------------


def test_everything_goes_on_when_the_database_was_killed() -> None:
    with postgres() as server, two(server.fresh()) as (first, second):
        heard: list[int] = []
        again = threading.Event()
        second.subscribe(lambda _, number: heard.append(number), again.set)
        party = Party(first, 2, ["greedy"])
        thinkers = Thinkers(first, pace=0.0, budget=0.1)
        thinkers.start()
        try:
            wait_for(lambda: heard)
            number = party.table.number
            server.kill_hard()
            with pytest.raises(Exception, match=r"connection|server"):
                party.table  # noqa: B018
            server.start()
            assert party.table.number >= number
            assert again.wait(15), "who listens is told that something may have been missed"
            heard.clear()

            def play() -> bool:
                with suppress(Exception):
                    for seat in (0, 1):
                        if seat in party.table.deciders():
                            party.act(seat, party.table.legal(seat)[0])
                return party.table.number > number + 6

            wait_for(play)
            wait_for(lambda: party.table.number in heard)
        finally:
            thinkers.stop()


def test_a_url_of_another_database_is_refused() -> None:
    with pytest.raises(StorageError, match="PostgreSQL"):
        Store("mysql://somewhere/tables")


def test_a_server_that_is_not_there_is_named_without_its_password() -> None:
    with pytest.raises(StorageError, match="cannot be used") as caught:
        Store("postgresql://me:hidden@127.0.0.1:9/tables")
    assert "hidden" not in str(caught.value)
