"""A move is judged by what is at hand first; what others have stored meanwhile, or taken away, counts all the same."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from shopfloor.tables.clockwork import Clockwork
from shopfloor.tables.errors import TableError, UnknownTable
from shopfloor.tables.model import Table
from shopfloor.tables.rows import Entry
from shopfloor.tables.service import Tables
from shopfloor.tables.store import Conflict
from shopfloor.tables.thinkers import Thinkers
from tests.tables.conftest import Open
from tests.tables.helpers import Party, database, everything


def move(tables: Tables, party: Party, table: Table, key: str) -> int:
    """Whoever has to decide does so, by what they know of the table."""
    seat = table.deciders()[0]
    return tables.act(party.id, party.tokens[seat], table.legal(seat)[0], table.number, key).number


def test_what_another_process_has_stored_is_judged_by(opened: Open) -> None:
    here, there = opened(), opened()
    party = Party(here, 2)
    for i in range(30):
        before = here.table(party.id)
        if before.status == "over":
            break
        seat = before.deciders()[0]
        asked, action = before.number, before.legal(seat)[0]
        assert move(there, party, there.table(party.id), f"there {i}") == asked + 1
        with pytest.raises(TableError, match="earlier position") as stale:
            here.act(party.id, party.tokens[seat], action, asked, f"here {i}")
        assert stale.value.code == "STALE"
        # Known here is still a table at which it is the other one's turn.
        after = there.table(party.id)
        if after.status == "over":
            break
        assert move(here, party, after, f"then {i}") == asked + 2
    assert everything(here.table(party.id)) == everything(there.table(party.id))


def test_a_repeated_move_is_one_whoever_stored_it(opened: Open) -> None:
    here, there = opened(), opened()
    party = Party(here, 2)
    table = here.table(party.id)
    seat = table.deciders()[0]
    given = (party.id, party.tokens[seat], table.legal(seat)[0], table.number, "once")
    first = there.act(*given)
    again = here.act(*given)
    assert (first.repeated, again.repeated) == (False, True)
    assert first.number == again.number == here.table(party.id).number == there.table(party.id).number


def test_where_the_log_is_shorter_than_what_is_known_nothing_is_left_out(tmp_path: Path) -> None:
    """An older copy of the database was put back while the server ran."""
    url = database(tmp_path)
    tables = Tables(url)
    party = Party(tables, 2)
    kept = tables.table(party.id).number
    for i in range(4):
        move(tables, party, tables.table(party.id), str(i))
    known = tables.table(party.id)
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)) as other:
        other.execute("DELETE FROM log WHERE table_id = ? AND number > ?", (party.id, kept))
        seat = known.deciders()[0]
        with pytest.raises(TableError) as refused:
            tables.act(party.id, party.tokens[seat], known.legal(seat)[0], known.number, "lost")
        assert refused.value.code == "STALE"
        assert [entry.number for entry in tables._store.entries(party.id)] == list(range(1, kept + 1))
        assert move(tables, party, tables.table(party.id), "again") == kept + 1
        other.execute("DELETE FROM log WHERE table_id = ?", (party.id,))
        other.execute("DELETE FROM tables WHERE id = ?", (party.id,))
        with pytest.raises(UnknownTable):
            tables.act(party.id, party.tokens[seat], 0, kept + 1, "gone")
    tables.close()


def test_entries_are_stored_only_where_the_log_ends_as_it_is_said_to(tables: Tables) -> None:
    party = Party(tables, 2, start=False)
    store = tables._store
    entries = store.entries(party.id)
    new = Entry(len(entries) + 1, 5.0, "say", seat=0, outcome="Hello")
    for wrong in (entries[-2], Entry(**{**vars(entries[-1]), "name": "Somebody else"}), new):
        with pytest.raises(Conflict):
            store.append(party.id, [new], after=wrong)
        assert store.entries(party.id) == entries
    store.append(party.id, [new], after=entries[-1])
    assert store.entries(party.id) == [*entries, new]


def test_a_table_at_hand_is_the_one_that_was_asked_for(tables: Tables) -> None:
    party = Party(tables, 2)
    table = tables.table(party.id)
    assert tables.at_hand(party.id, table.number) is table is tables.known(party.id)
    assert tables.at_hand(party.id, table.number + 1) is None
    move(tables, party, table, "a")
    assert tables.at_hand(party.id, table.number) is None
    after = tables.at_hand(party.id, table.number + 1)
    assert after is not None
    assert after is not table
    assert after.number == table.number + 1


def test_nobody_is_woken_for_a_table_at_which_they_have_nothing_to_do(tables: Tables) -> None:
    clockwork, thinkers = Clockwork(tables), Thinkers(tables)
    people, timed, mixed = Party(tables, 2), Party(tables, 2, clock="move:60"), Party(tables, 1, ["apprentice"])
    for party, clock, computer in ((people, False, False), (timed, True, False), (mixed, False, True)):
        number = tables.table(party.id).number
        clockwork._told(party.id, number)
        thinkers._news(party.id, number)
        assert (not clockwork._news.empty(), not thinkers._jobs.empty()) == (clock, computer)
        while not clockwork._news.empty():
            clockwork._news.get()
        while not thinkers._jobs.empty():
            thinkers._jobs.get()
        clockwork._told(party.id, number + 1)
        thinkers._news(party.id, number + 1)
        assert not clockwork._news.empty(), "what is not at hand is looked at"
        assert not thinkers._jobs.empty()
        clockwork._news.get()
        thinkers._jobs.get()
    tables.leave(people.id, people.tokens[0])
    thinkers._news(people.id, tables.table(people.id).number)
    assert not thinkers._jobs.empty(), "a computer stands in"
