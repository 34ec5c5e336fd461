"""Time at the table: how it is counted, what happens when it is up, and that it survives everything."""

from __future__ import annotations

import time

import pytest

from shopfloor.bots import STAND_IN
from shopfloor.tables import clockwork, service
from shopfloor.tables.clock import DAY, NONE, Clock, Clocks, parse
from shopfloor.tables.clockwork import Clockwork
from shopfloor.tables.errors import TableError
from shopfloor.tables.service import Tables
from tests.tables.conftest import Open
from tests.tables.helpers import PASS, Party, everything
from tests.tables.test_seating import refused


class Watch:
    """A time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def time(self) -> float:
        return self.now

    def perf_counter(self) -> float:
        return self.now


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    watch = Watch()
    monkeypatch.setattr(service, "time", watch)
    return watch


def clocked(tables: Tables, clock: str, people: int = 2, computers: tuple[str, ...] = ()) -> Party:
    """A table with a clock; seat 0 begins and is alone to decide."""
    return Party(tables, people, computers, clock=clock)


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("none", NONE),
        ("", NONE),
        ("move:60", Clock("move", 60, 0, STAND_IN)),
        ("bank:900:20", Clock("bank", 900, 20, STAND_IN)),
        ("bank:900:20:random", Clock("bank", 900, 20, "random")),
        ("day:259200:0:-", Clock("day", 3 * DAY, 0, None)),
    ],
)
def test_clocks_are_read_and_written(text: str, clock: Clock) -> None:
    assert parse(text) == clock
    assert parse(str(parse(text))) == parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "sand",
        "move",
        "move:",
        "move:4",
        "move:-60",
        "move:1e3",
        "move:60:5",
        "bank:900:4000",
        "day:3600",
        "bank:1:2:3:4",
        "move:60:0:genius",
        "none:60",
        "move:99999999",
        "bank:٣٣٣",
    ],
)
def test_what_is_no_clock(text: str) -> None:
    with pytest.raises(TableError, match="A clock is none"):
        parse(text)


def test_without_a_clock_nothing_runs(tables: Tables, watch: Watch) -> None:
    party = clocked(tables, "none")
    watch.now += 10**7
    assert party.table.until(0) is None
    assert party.table.left(0) is None
    assert tables.with_clocks() == []
    assert tables.time_up(party.id).seats[0].away is False


def test_time_for_each_move(tables: Tables, watch: Watch) -> None:
    party = clocked(tables, "move:60")
    assert party.table.until(0) == watch.now + 60
    assert party.table.until(1) is None
    watch.now += 45
    assert party.table.until(0) == watch.now + 15
    party.act(0, PASS)
    for seat in party.table.deciders():
        assert party.table.until(seat) == watch.now + 60, "the next one has all of it"


def test_a_bank_is_for_the_whole_game(tables: Tables, watch: Watch) -> None:
    party = clocked(tables, "bank:300:10")
    watch.now += 40
    party.act(0, PASS)
    assert party.table.deciders() == (1,)
    assert party.table.left(0) == 300 - 40 + 10
    watch.now += 100
    assert party.table.left(0) == 270, "it stands while others think"
    assert party.table.until(1) == watch.now + 200


def test_clocks_stand_while_the_game_is_paused(tables: Tables, watch: Watch) -> None:
    party = clocked(tables, "bank:300:10")
    watch.now += 50
    request = tables.ask_pause(party.id, party.tokens[1], "p").number
    tables.answer_request(party.id, party.tokens[0], request, True)
    watch.now += 1000
    assert party.table.until(0) is None
    with refused("PAUSED"):
        party.act(0, PASS)
    tables.resume(party.id, party.tokens[1])
    assert party.table.until(0) == watch.now + 250


@pytest.mark.parametrize("clock", ["move:60", "bank:60:0"])
def test_when_the_time_is_up_a_computer_stands_in_until_one_is_back(tables: Tables, watch: Watch, clock: str) -> None:
    party = clocked(tables, clock)
    watch.now += 59
    assert tables.time_up(party.id).seats[0].away is False
    watch.now += 2
    table = tables.time_up(party.id)
    assert table.seats[0].away
    assert table.seats[0].stand_in is not None
    assert table.log(None)[-1].by_computer, "the clock did it"
    assert tables.time_up(party.id).number == table.number, "once"
    watch.now += 500
    number = party.act(0, PASS).number
    assert party.table.seats[0].away is False
    assert number == table.number + 2, "who decides is back"
    tables.leave(party.id, party.tokens[0])
    tables.back(party.id, party.tokens[0])
    left = party.table.left(0)
    assert left is not None
    assert left >= 30, "and has a little time"


def test_a_clock_that_only_shows(tables: Tables, watch: Watch) -> None:
    party = clocked(tables, "move:60:0:-")
    watch.now += 100
    assert tables.time_up(party.id).seats[0].away is False
    party.act(0, PASS)


def test_clocks_follow_from_the_log(opened: Open, watch: Watch) -> None:
    tables = opened()
    party = clocked(tables, "bank:300:7", 3)
    for i in range(40):
        watch.now += (i * 7) % 11
        party.random_move()
        if i % 9 == 4:
            seat = party.table.deciders()[0]
            tables.leave(party.id, party.tokens[seat])
            watch.now += 3
            tables.back(party.id, party.tokens[seat])
    again = opened().table(party.id)
    assert [again.until(s) for s in range(3)] == [party.table.until(s) for s in range(3)]
    assert [again.left(s) for s in range(3)] == [party.table.left(s) for s in range(3)]
    assert everything(again) == everything(party.table)


def test_time_is_neither_made_nor_lost() -> None:
    """In a bank: what was there at the start and what was added is what was used and what is left."""
    clocks = Clocks(Clock("bank", 100, 5), 2)
    at, used, turns = 0.0, [0.0, 0.0], [0, 0]
    clocks.go_on(at, [True, False], [False, False], None, None)
    for i in range(30):
        seat = i % 2
        at += 1.0 + i % 3
        used[seat] += 1.0 + i % 3
        turns[seat] += 1
        clocks.go_on(at, [seat == 1, seat == 0], [False, False], seat, None)
    for seat in (0, 1):
        assert clocks.left[seat] == pytest.approx(100 + 5 * turns[seat] - used[seat])


def test_a_rematch_has_the_same_clock(tables: Tables) -> None:
    party = clocked(tables, "move:600")
    party.to_the_end()
    assert tables.table(tables.rematch(party.id, party.creator)).clock == party.table.clock


def test_the_clockwork_rings(tables: Tables) -> None:
    work = Clockwork(tables, grace=0.0)
    work.start()
    try:
        party = clocked(tables, "move:5")
        began = party.table.until(0)
        assert began is not None
        assert began - time.time() == pytest.approx(5, abs=2)
        until = time.monotonic() + 15
        while not party.table.seats[0].away:
            assert time.monotonic() < until
            time.sleep(0.05)
        assert time.time() >= began
        assert not party.table.seats[1].away
    finally:
        work.stop()


def test_after_a_restart_there_is_time_to_come_back(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time that a server was away is nobody's fault."""
    party = clocked(opened(), "move:5")
    work = Clockwork(opened(), grace=600.0)
    work.start()
    try:
        time.sleep(0.3)
        assert all(due >= time.time() + 500 for due, _ in work._due)
        assert len(work._due) == 1
    finally:
        work.stop()
    assert not party.table.seats[0].away


def test_what_is_abandoned_is_put_away_and_can_be_brought_back(tables: Tables, watch: Watch) -> None:
    waiting = tables.create("zahltag", 2)
    playing, over = Party(tables), Party(tables, 2)
    over.to_the_end()
    watch.now += 40 * DAY
    lively = Party(tables)
    month, quarter = watch.now - 30 * DAY, watch.now - 90 * DAY
    assert tables.quiet(month, quarter) == [waiting.table_id]
    watch.now += 60 * DAY
    lively.act(0, PASS)
    month, quarter = watch.now - 30 * DAY, watch.now - 90 * DAY
    assert set(tables.quiet(month, quarter)) == {waiting.table_id, playing.id}
    before = playing.table
    for table_id in (waiting.table_id, playing.id, lively.id, over.id):
        tables.archive(table_id, month)
    assert tables.quiet(month, quarter) == []
    assert playing.table.archived
    assert playing.table.status == "playing", "it is all there"
    assert playing.table.view(0) == before.view(0)
    assert not lively.table.archived
    assert not over.table.archived
    with refused("ARCHIVED"):
        tables.sit(waiting.table_id, "Ann")
    with refused("NOT_MANAGER"):
        tables.revive(playing.id, lively.tokens[0])
    tables.revive(playing.id, playing.tokens[1])
    playing.act(0, PASS)
    assert clockwork.OPEN_DAYS == 30
