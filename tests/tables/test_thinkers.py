"""Computers at tables: they think elsewhere, see no more than their seat, play at a pace, and always go on."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from shopfloor.bots import LEVELS, decode_seat
from shopfloor.engine.views import canonical
from shopfloor.tables import thinkers as module
from shopfloor.tables import worker
from shopfloor.tables.model import Table
from shopfloor.tables.pool import Pool
from shopfloor.tables.service import Tables
from shopfloor.tables.thinkers import Thinkers
from tests.tables import faulty
from tests.tables.conftest import Open
from tests.tables.helpers import NO_BID, PASS, Party, hands, phase_of, replayed

Think = Callable[..., Thinkers]


@pytest.fixture
def thinking() -> Iterator[Think]:
    """Starts thinkers, and stops them when the test is over."""
    started: list[Thinkers] = []

    def start(tables: Tables, **settings: Any) -> Thinkers:
        started.append(Thinkers(tables, **{"pace": 0.0, "budget": 0.2, **settings}))
        started[-1].start()
        return started[-1]

    yield start
    for thinkers in started:
        thinkers.stop()


class Heard:
    """Takes the place of a logger."""

    def __init__(self) -> None:
        self.said: list[tuple[str, str, dict[str, Any]]] = []

    def __getattr__(self, level: str) -> Callable[..., None]:
        return lambda event, **facts: self.said.append((level, event, facts))

    def count(self, event: str) -> int:
        return sum(e == event for _, e, _ in self.said)


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> Heard:
    heard = Heard()
    monkeypatch.setattr(module, "log", heard)
    return heard


def wait_for(condition: Callable[[], bool], seconds: float = 60) -> None:
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "it did not happen in time"
        time.sleep(0.01)


def plays(table: Table) -> list[Any]:
    return [line for line in table.log(None) if line.kind == "play"]


def let_computers(party: Party, reached: Callable[[Table], bool]) -> Table:
    """Decide for the computers by hand, and for people too, until the table is as wanted."""

    def move() -> None:
        table = party.table
        seat = table.deciders()[0]
        action = table.view(seat).legal[0]  # type: ignore[union-attr]
        if table.seats[seat].played_by is None:
            party.act(seat, action)
        else:
            party.tables.act_for_bot(party.id, seat, action, table.decision_number(seat))

    return party.until(reached, move)


def test_four_computers_play_to_the_end(tables: Tables, thinking: Think) -> None:
    party = Party(tables, 0, ["random", "greedy", "random", "greedy"], start=False)
    thinking(tables, workers=2)
    tables.start(party.id, party.creator)
    wait_for(lambda: party.table.status == "over", 120)
    table = party.table
    assert table._fold.state is not None
    assert replayed(table) == table._fold.state.encode()
    assert all(line.by_computer and not line.undone for line in plays(table))
    assert {line.seat for line in plays(table)} == {0, 1, 2, 3}


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_plays(tables: Tables, thinking: Think, level: str) -> None:
    party = Party(tables, 0, [level, level])
    thinking(tables, budget=0.02)
    wait_for(lambda: len(plays(party.table)) >= 8 or party.table.status == "over")


def test_tables_are_picked_up_after_a_restart(opened: Open, thinking: Think) -> None:
    first = opened()
    parties = [Party(first, 0, ["random", "random"]) for _ in range(3)]
    idle = Party(first, 2)
    thinkers = thinking(first)
    wait_for(lambda: all(len(plays(party.table)) >= 3 for party in parties))
    thinkers.stop()
    numbers = [party.table.number for party in parties]
    time.sleep(0.3)
    assert [party.table.number for party in parties] == numbers, "stopped is stopped"
    second = opened()
    thinking(second)
    wait_for(lambda: all(second.table(party.id).status == "over" for party in parties), 120)
    assert second.table(idle.id).number == idle.table.number


def test_the_same_thinkers_can_start_again(tables: Tables, thinking: Think) -> None:
    party = Party(tables, 0, ["random", "random"])
    thinkers = thinking(tables, pace=0.05)
    wait_for(lambda: len(plays(party.table)) >= 2)
    thinkers.stop()
    before = len(plays(party.table))
    thinkers.start()
    wait_for(lambda: len(plays(party.table)) >= before + 2)


def test_a_stand_in_plays_until_one_is_back(tables: Tables, thinking: Think) -> None:
    party = Party(tables, 2)
    thinking(tables)
    tables.leave(party.id, party.tokens[0], "random")
    wait_for(lambda: party.table.deciders() == (1,))
    assert all(line.by_computer for line in plays(party.table))
    tables.back(party.id, party.tokens[0])
    party.until(lambda table: table.deciders() == (0,), lambda: party.act(1, party.view(1).legal[0]))
    number = party.table.number
    time.sleep(0.5)
    assert party.table.number == number, "nobody decides for who is back"
    tables.leave(party.id, party.tokens[0], "random")
    wait_for(lambda: party.table.number > number + 1)


def test_sealed_choices_come_at_once_and_visible_ones_at_a_pace(tables: Tables, thinking: Think) -> None:
    party = Party(tables, 1, ["random", "random", "random"])
    table = let_computers(party, lambda table: phase_of(table) == "BIDDING")
    thinking(tables, pace=60.0)
    wait_for(lambda: party.table.deciders() == (0,), 20)
    assert party.table.number == table.number + 3
    party.act(0, NO_BID)
    number = party.table.number
    time.sleep(1.0)
    assert party.table.number == number, "the next one waits until people have seen what happened"


def test_people_can_follow(tables: Tables, thinking: Think) -> None:
    party = Party(tables, 0, ["random", "random"])
    thinking(tables, pace=0.25)
    wait_for(lambda: len(plays(party.table)) >= 5)
    times = [line.at for line in party.table.log(None) if line.kind in ("start", "play")][:6]
    assert min(b - a for a, b in pairwise(times)) >= 0.24


def test_an_undo_while_a_computer_thinks(
    tables: Tables, thinking: Think, heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "think", faulty.slow)
    party = Party(tables, 1, ["random"])
    thinkers = thinking(tables, budget=4.0, workers=2)
    party.act(0, PASS)
    wait_for(lambda: bool(thinkers._thoughts))
    party.undo(0)
    number = party.table.number
    time.sleep(4.5)
    assert party.table.number == number, "an answer to a question that is no longer asked is dropped"
    party.act(0, PASS)
    wait_for(lambda: bool(thinkers._thoughts))
    party.undo(0)
    answer = party.act(0, PASS)
    thoughts = thinkers._thoughts
    wait_for(  # at once, not after the old one
        lambda: (party.id, 1) in thoughts and thoughts[party.id, 1].number == answer.number, 3.0
    )
    wait_for(lambda: any(line.by_computer for line in plays(party.table)))
    assert heard.count("thinking_failed") == 0


def test_a_killed_worker_is_replaced_and_the_move_thought_again(
    tables: Tables, thinking: Think, heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "think", faulty.slow)
    party = Party(tables, 0, ["random", "random"])
    thinkers = thinking(tables, budget=3.0)
    wait_for(lambda: bool(thinkers._thoughts) and bool(thinkers._pool.pids()))
    time.sleep(0.5)
    [pid] = thinkers._pool.pids()
    os.kill(pid, signal.SIGKILL)
    wait_for(lambda: len(plays(party.table)) >= 2)
    assert heard.count("thinking_failed") >= 1
    assert thinkers._pool.pids() != [pid]


def test_a_computer_with_a_fault_is_reported_and_does_not_stop_the_table(
    tables: Tables, thinking: Think, heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "FIRST_PAUSE", 0.001)
    for fault in (faulty.raising, faulty.wrong, faulty.greedy_eater):
        monkeypatch.setattr(module, "think", fault)
        party = Party(tables, 0, ["greedy", "random"])
        thinkers = thinking(tables)
        wait_for(lambda party=party: len(plays(party.table)) >= 4)  # type: ignore[misc]
        thinkers.stop()
        reported = [facts for _, event, facts in heard.said if event == "thinking_failed"]
        failures = [facts for facts in reported if facts["table"] == party.id]
        assert {(facts["seat"], facts["level"]) for facts in failures} == {(0, "greedy")}
        assert {facts["failures"] for facts in failures} == {1}, "the level below plays at once"
        assert all(facts["exc_info"] is not None for facts in failures)
        replaced = [facts for _, event, facts in heard.said if event == "level_replaced"]
        assert {(facts["level"], facts["by"]) for facts in replaced if facts["table"] == party.id} == {
            ("greedy", "random")
        }


def test_a_computer_that_does_not_end_is_replaced_for_that_move(
    tables: Tables, thinking: Think, heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "FIRST_PAUSE", 0.001)
    monkeypatch.setattr(module, "OVERRUN", 2.0)
    monkeypatch.setattr(module, "think", faulty.endless)
    party = Party(tables, 0, ["greedy", "random"])
    thinking(tables, budget=0.05)
    wait_for(lambda: sum(line.seat == 0 for line in plays(party.table)) >= 1)
    replaced = [(facts["level"], facts["by"]) for _, event, facts in heard.said if event == "level_replaced"]
    assert replaced[0] == ("greedy", "random")


def test_levels_fall_one_by_one(tables: Tables, thinking: Think, heard: Heard, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FIRST_PAUSE", 0.001)
    monkeypatch.setattr(module, "think", faulty.only_random)
    party = Party(tables, 0, ["foreman", "random"])
    thinking(tables)
    wait_for(lambda: sum(line.seat == 0 for line in plays(party.table)) >= 1)
    fell = [facts["by"] for _, event, facts in heard.said if event == "level_replaced"]
    assert fell[:4] == ["master", "journeyman", "apprentice", "random"]
    assert party.table.seats[0].level == "foreman", "for that move alone"


def test_a_table_is_never_given_up(
    tables: Tables, thinking: Think, heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody can think for long; once somebody can again, the table goes on without a restart."""
    monkeypatch.setattr(module, "FIRST_PAUSE", 0.001)
    monkeypatch.setattr(module, "LONGEST_PAUSE", 0.01)
    monkeypatch.setattr(module, "think", faulty.raising_at_every_level)
    party = Party(tables, 0, ["greedy", "random"])
    thinking(tables)
    wait_for(lambda: heard.count("table_waits") >= 2)
    assert plays(party.table) == []
    monkeypatch.setattr(module, "think", worker.think)
    wait_for(lambda: len(plays(party.table)) >= 2)


def test_a_moment_without_the_database_is_survived(
    tables: Tables, thinking: Think, heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LOOK_AGAIN", 0.05)
    party = Party(tables, 0, ["random", "random"])
    store, failing = tables._store, [True] * 4
    for name in ("append", "entries"):
        sound = getattr(store, name)

        def call(*args: Any, sound: Callable[..., Any] = sound) -> Any:
            if failing:
                failing.pop()
                raise OSError("the disk is full")
            return sound(*args)

        monkeypatch.setattr(store, name, call)
    thinking(tables)
    wait_for(lambda: not failing and len(plays(party.table)) >= 4)
    assert heard.count("table_not_read") + heard.count("thinking_failed") >= 1


def test_a_start_while_the_database_is_away_is_made_up_for(
    tables: Tables, thinking: Think, heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also when tables are picked up after news may have been missed."""
    monkeypatch.setattr(module, "LOOK_AGAIN", 0.05)
    party = Party(tables, 0, ["random", "random"])
    sound, failing = tables.with_computers, [True] * 3

    def away() -> list[str]:
        if failing:
            failing.pop()
            raise OperationalError("SELECT", {}, Exception("the database system is starting up"))
        return sound()

    monkeypatch.setattr(tables, "with_computers", away)
    thinking(tables)
    wait_for(lambda: len(plays(party.table)) >= 4)
    assert heard.count("database_away") == 3


def test_what_was_taken_over_without_an_answer_is_looked_at(
    tables: Tables, thinking: Think, heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The claims of a dead worker are this one's, but the database did not get to say so."""
    monkeypatch.setattr(module, "LOOK_AGAIN", 0.05)
    thinkers = thinking(tables)
    party = Party(tables, 0, ["random", "random"], start=False)
    wait_for(lambda: not thinkers._thoughts)
    thinkers._unsubscribe()  # no news: whoever was to hear of it is dead
    tables.start(party.id, party.creator)

    class Lost:
        """Claims that are made; the answer is lost."""

        def beat(self) -> None:
            pass

        def take_over(self) -> list[str]:
            raise OperationalError("UPDATE", {}, Exception("server closed the connection unexpectedly"))

        def take(self, *_: object) -> bool:
            return True

        def release(self, _table: str) -> None:
            pass

        end = beat

    thinkers._claims = Lost()  # type: ignore[assignment]
    thinkers._jobs.put(thinkers._beat)
    wait_for(lambda: len(plays(party.table)) >= 1)
    assert heard.count("database_away") >= 1


def test_a_worker_is_told_what_its_seat_may_know_and_nothing_else(
    tables: Tables, thinking: Think, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[tuple[Any, ...]] = []
    submit = Pool.submit

    def spy(self: Any, function: Any, *args: Any) -> Any:
        if function is worker.think:
            sent.append((*args, party.table))
        return submit(self, function, *args)

    monkeypatch.setattr(Pool, "submit", spy)
    party = Party(tables, 0, ["random", "random", "random", "random"], start=False)
    thinking(tables, pace=0.02)
    tables.start(party.id, party.creator)
    wait_for(lambda: party.table.status == "over", 120)
    seed = party.table.seed
    assert seed is not None
    assert len(sent) >= len(plays(party.table))
    different = 0
    for game, text, _level, _budget, _dice, _processes, table in sent:
        assert seed not in text
        assert seed[:16] not in text
        assert "sealed:" not in text
        seat = decode_seat(table.game, text)
        if table.number == party.table.number or not table.view(seat.seat).legal:
            continue
        assert canonical(seat.view()) == canonical(table.view(seat.seat))
        different += hands(text.partition("\n")[2]) != hands(table._fold.state.encode())
        assert game == "zahltag"
    assert different > 10


def test_nothing_to_do_takes_no_time(tables: Tables, thinking: Think) -> None:
    Party(tables, 2)
    thinking(tables, pace=60.0)
    Party(tables, 0, ["random", "random"])  # its first move is not due for a minute
    time.sleep(1.0)
    began = time.process_time()
    time.sleep(1.0)
    assert time.process_time() - began < 0.5


def test_stopping_does_not_wait_for_thoughts(tables: Tables, thinking: Think, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "think", faulty.slow)
    Party(tables, 0, ["random", "random"])
    thinkers = thinking(tables, budget=60.0)
    wait_for(lambda: bool(thinkers._pool.pids()) and bool(thinkers._thoughts))
    time.sleep(0.5)
    pids = thinkers._pool.pids()
    began = time.monotonic()
    thinkers.stop()
    assert time.monotonic() - began < 40, "the thought would take a minute"
    assert not any(alive(pid) for pid in pids)


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


SERVER = """
import sys, time
from shopfloor.tables.pool import Pool
from shopfloor.tables.service import Tables
from shopfloor.tables.thinkers import Thinkers

if __name__ == "__main__":
    thinkers = Thinkers(Tables(sys.argv[1]), workers=2, budget=60.0)
    thinkers.start()
    while not thinkers._pool.pids():
        time.sleep(0.01)
    print(*thinkers._pool.pids(), flush=True)
    time.sleep(60)
"""


def test_workers_go_with_a_server_that_is_killed(opened: Open, url: str, tmp_path: Any) -> None:
    Party(opened(), 0, ["search", "search"])
    script = tmp_path / "server.py"
    script.write_text(SERVER)
    environment = {**os.environ, "PYTHONPATH": os.path.abspath("src")}
    command = [sys.executable, str(script), url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as server:
        assert server.stdout is not None
        pids = [int(pid) for pid in server.stdout.readline().split()]
        assert pids
        time.sleep(1.0)
        server.kill()
    wait_for(lambda: not any(alive(pid) for pid in pids), 20)


def children(pid: int) -> list[int]:
    """The processes that a process has started, and those that these have."""
    try:
        found = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:  # it has ended
        return []
    return [each for child in found for each in (child, *children(child))]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="nobody says here who has started whom")
def test_those_that_help_a_worker_go_with_a_server_that_is_killed(opened: Open, url: str, tmp_path: Any) -> None:
    Party(opened(), 0, ["foreman", "foreman"])
    script = tmp_path / "server.py"
    script.write_text(SERVER.replace("workers=2", "workers=1, processes=3"))
    environment = {**os.environ, "PYTHONPATH": os.path.abspath("src")}
    command = [sys.executable, str(script), url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as server:
        assert server.stdout is not None
        (worker_pid,) = (int(pid) for pid in server.stdout.readline().split())
        helpers: list[int] = []

        def started() -> bool:
            helpers[:] = [pid for pid in children(worker_pid) if b"spawn_main" in command_of(pid)]
            return len(helpers) == 2

        wait_for(started)
        server.kill()
    wait_for(lambda: not any(alive(pid) for pid in (worker_pid, *helpers)), 30)


def command_of(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def test_a_foreman_plays_in_several_processes(tables: Tables, thinking: Think, heard: Heard) -> None:
    party = Party(tables, 0, ["foreman", "foreman"])
    thinking(tables, processes=2, budget=0.05)
    wait_for(lambda: len(plays(party.table)) >= 12)
    assert heard.count("thinking_failed") == 0
