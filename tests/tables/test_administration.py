"""What the administrator does at a table: all of it in the log, for everybody."""

from __future__ import annotations

import pytest

from shopfloor.tables.service import Tables
from tests.tables.conftest import Open
from tests.tables.helpers import PASS, Party, everything
from tests.tables.test_seating import refused


def kinds(party: Party, seat: int | None = None) -> list[str]:
    return [line.kind for line in party.table.log(seat)]


def test_a_table_is_ended_and_opened_again(tables: Tables, opened: Open) -> None:
    party = Party(tables)
    tables.end(party.id)
    assert party.table.ended
    assert kinds(party)[-1] == "end"
    for attempt in (
        lambda: party.act(party.table.deciders()[0], PASS),
        lambda: tables.revive(party.id, party.creator),
        lambda: tables.ask_pause(party.id, party.tokens[0], "k"),
    ):
        with refused("ENDED"):
            attempt()
    assert party.id not in tables.with_computers()
    number = party.table.number
    tables.end(party.id)
    assert party.table.number == number
    assert everything(opened().table(party.id)) == everything(party.table)
    tables.reopen(party.id)
    party.act(party.table.deciders()[0], PASS)


def test_nobody_sits_down_at_an_ended_table(tables: Tables) -> None:
    made = tables.create("zahltag", 2)
    tables.end(made.table_id)
    with refused("ENDED"):
        tables.sit(made.table_id, "Ann")


def test_an_ended_table_is_not_forgotten_by_its_clock(tables: Tables) -> None:
    party = Party(tables, clock="move:5")
    tables.end(party.id)
    assert party.id not in tables.with_clocks()
    tables.time_up(party.id)
    assert kinds(party)[-1] == "end"


def test_rewinding(tables: Tables, opened: Open) -> None:
    party = Party(tables)
    first = party.table.number
    before = [party.view(seat) for seat in (None, 0, 1, 2)]
    for _ in range(12):
        party.random_move()
    tables.rewind(party.id, first)
    assert [party.view(seat) for seat in (None, 0, 1, 2)] == before
    lines = party.table.log(None)
    assert [line.undone for line in lines if line.kind == "play"] == [True] * 12
    assert lines[-1].kind == "rewind"
    assert everything(opened().table(party.id)) == everything(party.table)
    number = party.table.number
    tables.rewind(party.id, number)
    assert party.table.number == number, "nothing was decided since"
    party.random_move()
    for line in (0, -1, party.table.number + 1):
        with refused("NO_SUCH_LINE"):
            tables.rewind(party.id, line)


def test_a_finished_game_is_rewound(tables: Tables) -> None:
    party = Party(tables, people=2)
    party.to_the_end()
    last = party.table.decision_numbers()[-1]
    tables.rewind(party.id, last - 1)
    assert party.table.status == "playing"
    assert party.table.seed is None
    party.to_the_end()


def test_a_person_is_replaced_by_a_computer(tables: Tables, opened: Open) -> None:
    party = Party(tables)
    tables.replace_seat(party.id, 1, "random")
    info = party.table.seats[1]
    assert (info.kind, info.level) == ("computer", "random")
    assert info.name not in ("Ann", "Ben", "Cem")
    assert tables.seat_of(party.id, party.tokens[1]) is None
    assert party.id in tables.with_computers()
    assert kinds(party)[-1] == "replace"
    assert everything(opened().table(party.id)) == everything(party.table)
    with refused("UNKNOWN_LEVEL"):
        tables.replace_seat(party.id, 0, "genius")
    with refused("NO_SUCH_SEAT"):
        tables.replace_seat(party.id, 3, "random")


def test_a_request_does_not_wait_for_who_was_replaced(tables: Tables) -> None:
    party = Party(tables, people=2)
    tables.ask_pause(party.id, party.tokens[0], "k")
    tables.replace_seat(party.id, 1, "random")
    assert party.table.paused


def test_a_seat_is_freed(tables: Tables, opened: Open) -> None:
    party = Party(tables)
    tables.free_seat(party.id, 1)
    info = party.table.seats[1]
    assert (info.away, info.offered) == (True, True)
    assert tables.seat_of(party.id, party.tokens[1]) is None
    assert party.id in tables.with_computers()
    number = party.table.number
    tables.free_seat(party.id, 1)
    assert party.table.number == number
    seated = tables.take(party.id, "Eva", 1)
    assert tables.seat_of(party.id, seated.token) == 1
    assert everything(opened().table(party.id)) == everything(party.table)
    waiting = Party(tables, start=False)
    tables.free_seat(waiting.id, 1)
    assert waiting.table.seats[1].kind == "free"
    with refused("NOBODY_THERE"):
        tables.free_seat(waiting.id, 1)


def test_somebody_is_silenced(tables: Tables) -> None:
    party = Party(tables)
    tables.silence_seat(party.id, 0, True)
    with refused("SILENCED"):
        tables.say(party.id, party.tokens[0], "Hello", "k")
    assert kinds(party)[-1] == "silence"
    tables.silence_seat(party.id, 0, False)
    tables.say(party.id, party.tokens[0], "Hello", "k2")


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_everybody_reads_it(tables: Tables, seat: int | None) -> None:
    party = Party(tables)
    party.random_move()
    tables.silence_seat(party.id, 1, True)
    tables.rewind(party.id, party.table.decision_numbers()[0] - 1)
    tables.free_seat(party.id, 1)
    tables.replace_seat(party.id, 2, "random")
    tables.end(party.id)
    tables.reopen(party.id)
    assert kinds(party, seat)[-6:] == ["silence", "rewind", "free", "replace", "end", "reopen"]


def test_when_the_game_is_over(tables: Tables) -> None:
    party = Party(tables, people=2)
    party.to_the_end()
    for attempt in (
        lambda: tables.end(party.id),
        lambda: tables.replace_seat(party.id, 0),
        lambda: tables.free_seat(party.id, 0),
    ):
        with refused("GAME_OVER"):
            attempt()
