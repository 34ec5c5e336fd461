"""Repeats, stale pages, refusals, leaving and coming back."""

import json

import pytest

from shopfloor.engine.records import load, replay
from shopfloor.engine.refusals import IllegalAction
from shopfloor.tables import checks
from shopfloor.tables.errors import CODES, TableError
from shopfloor.tables.service import Tables
from tests.tables.conftest import Open
from tests.tables.helpers import NO_BID, PASS, Party, everything, is_a_sentence, phase_of, replayed
from tests.tables.test_seating import refused


def test_a_decision_is_stored_and_answered(tables: Tables) -> None:
    party = Party(tables)
    before = party.table
    answer = party.act(0, PASS)
    assert (answer.number, answer.repeated, answer.table.number) == (before.number + 1, False, before.number + 1)
    line = party.table.log(0)[-1]
    assert (line.kind, line.seat, line.action, line.undone) == ("play", 0, PASS, False)
    assert [event.kind for event in line.events] == ["adjustment_ended"]
    assert before.number == answer.number - 1, "a snapshot stays what it was"
    assert phase_of(before) == "ADJUST_START"
    assert before.deciders() == (0,)


def test_the_same_key_gets_the_first_answer(tables: Tables) -> None:
    party = Party(tables)
    based_on = party.table.number
    first = party.act(0, PASS, based_on, "click")
    again = party.act(0, PASS, based_on, "click")
    assert (again.number, again.repeated) == (first.number, True)
    for _ in range(20):
        party.random_move()
    before = everything(party.table)
    late = party.act(0, PASS, based_on, "click")
    assert (late.number, late.repeated) == (first.number, True)
    assert everything(party.table) == before
    assert late.table.number == party.table.number


def test_the_first_answer_comes_even_when_the_game_is_over(tables: Tables) -> None:
    party = Party(tables, 2)
    first = party.act(0, PASS, key="click")
    party.to_the_end()
    assert party.act(0, PASS, first.number - 1, "click").number == first.number


def test_a_key_for_something_else_is_refused(tables: Tables) -> None:
    party = Party(tables)
    answer = party.act(0, PASS, key="click")
    with refused("KEY_REUSED"):
        party.act(0, 5, key="click")
    with refused("KEY_REUSED"):
        party.undo(0, answer.number, key="click")
    party.undo(0, answer.number, key="back")
    with refused("KEY_REUSED"):
        party.act(0, PASS, key="back")
    assert party.table.number == answer.number + 1


def test_keys_are_a_seats_own(tables: Tables) -> None:
    party = Party(tables)
    party.act(0, PASS, key="1")
    answer = party.act(1, PASS, key="1")
    assert not answer.repeated


@pytest.mark.parametrize("key", ["", "x" * 65, "é", "a\nb", " a", "\x7f"])
def test_keys_are_short_and_printable(tables: Tables, key: str) -> None:
    party = Party(tables)
    with refused("BAD_KEY"):
        tables.act(party.id, party.tokens[0], PASS, party.table.number, key)
    with refused("BAD_KEY"):
        tables.undo(party.id, party.tokens[0], 1, key)
    assert not party.act(0, PASS, key="x" * 64).repeated


def test_a_stale_page_is_told_what_has_happened(tables: Tables) -> None:
    party = Party(tables)
    shown = party.table.number
    party.act(0, 5 + next(t for t in range(4) if party.view(0).seats[0].hand[t]))
    party.act(0, PASS)
    number = party.table.number
    with refused("STALE") as caught:
        party.act(0, PASS, shown)
    facts = caught.value.facts
    assert facts["number"] == number
    assert facts["since"] == party.table.log(0, shown)
    assert [line.kind for line in facts["since"]] == ["play", "play"]
    assert party.table.number == number


def test_a_double_click_with_two_keys_lands_once(tables: Tables) -> None:
    party = Party(tables)
    shown = party.until_phase("ADJUST_WORKERS")
    seat = shown.deciders()[0]
    party.act(seat, PASS, shown.number)
    with refused("STALE"):
        party.act(seat, PASS, shown.number)


def test_a_page_from_the_future_is_stale_too(tables: Tables) -> None:
    party = Party(tables)
    with refused("STALE"):
        party.act(0, PASS, party.table.number + 1)
    with refused("STALE"):
        party.act(0, PASS, -1)


def test_sealed_choices_of_others_do_not_make_a_page_stale(tables: Tables) -> None:
    party = Party(tables, 4)
    shown = party.until_phase("BIDDING")
    for seat in range(4):
        assert party.table.decision_number(seat) == shown.number
    party.act(2, NO_BID, shown.number)
    assert party.table.decision_number(2) == shown.number + 1
    party.act(0, NO_BID, shown.number)
    party.act(3, NO_BID, shown.number)
    assert party.table.deciders() == (1,)
    party.act(1, NO_BID, shown.number)
    assert phase_of(party.table) == "ADJUST_WORKERS"
    with refused("STALE"):
        party.act(1, NO_BID, shown.number)


def test_what_happens_beside_the_game_makes_no_page_stale(tables: Tables) -> None:
    party = Party(tables)
    shown = party.table.number
    tables.leave(party.id, party.tokens[1])
    tables.back(party.id, party.tokens[1])
    assert party.act(0, PASS, shown).number == shown + 3


@pytest.mark.parametrize(
    ("seat", "action", "code"),
    [(1, PASS, "NOT_YOUR_DECISION"), (0, NO_BID, "WRONG_PHASE"), (0, 99, "MALFORMED"), (0, -1, "MALFORMED")],
)
def test_what_the_rules_refuse_changes_nothing(opened: Open, seat: int, action: int, code: str) -> None:
    party = Party(opened())
    before = everything(party.table)
    with pytest.raises(IllegalAction, check=lambda error: error.refusal.code == code):
        party.act(seat, action, key="mine")
    assert everything(party.table) == before
    assert everything(opened().table(party.id)) == before
    if seat == 0:
        assert not party.act(0, PASS, key="mine").repeated, "a refused request has not used its key"


def test_a_whole_game_and_its_record(tables: Tables) -> None:
    party = Party(tables, 3)
    with refused("STILL_RUNNING"):
        tables.record(party.id)
    table = party.to_the_end()
    assert table._fold.state is not None
    assert replayed(table) == table._fold.state.encode()
    text = tables.record(party.id)
    head = json.loads(text.splitlines()[0])
    assert head["names"] == ["Ann", "Ben", "Cem"]
    assert head["seed"] == table.seed
    steps = list(replay(load(text), table.game))
    assert steps[-1].state.encode() == table._fold.state.encode()
    told = [event for line in table._fold.lines for event in line.full.events]
    assert [event for step in steps for event in step.events] == told
    with pytest.raises(IllegalAction, check=lambda error: error.refusal.code == "GAME_OVER"):
        party.act(0, PASS)


# -- leaving and coming back --------------------------------------------------------------------------------------


def test_a_computer_stands_in_until_one_is_back(tables: Tables) -> None:
    party = Party(tables)
    table = tables.leave(party.id, party.tokens[0], "random")
    info = table.seats[0]
    assert (info.kind, info.name, info.away) == ("person", "Ann", True)
    assert (info.stand_in, info.played_by) == ("random", "random")
    assert tables.leave(party.id, party.tokens[0], "random").number == table.number
    answer = tables.act_for_bot(party.id, 0, PASS, table.decision_number(0))
    assert party.table.log(None)[-1].by_computer
    table = tables.back(party.id, party.tokens[0])
    assert (table.seats[0].away, table.seats[0].played_by) == (False, None)
    assert tables.back(party.id, party.tokens[0]).number == table.number
    assert [line.kind for line in table.log(None, answer.number - 2)] == ["away", "play", "back"]


def test_who_decides_is_back(tables: Tables) -> None:
    party = Party(tables)
    tables.leave(party.id, party.tokens[0])
    answer = party.act(0, PASS)
    assert not answer.table.seats[0].away
    assert [line.kind for line in answer.table.log(None)[-2:]] == ["back", "play"]
    tables.leave(party.id, party.tokens[0])
    number = party.table.number
    with pytest.raises(IllegalAction):
        party.act(0, PASS)
    assert party.table.number == number
    assert party.table.seats[0].away, "refused: not even the return is stored"


def test_a_computer_does_not_decide_for_a_person(tables: Tables) -> None:
    party = Party(tables)
    number = party.table.decision_number(0)
    with refused("STALE"):
        tables.act_for_bot(party.id, 0, PASS, number)
    tables.leave(party.id, party.tokens[0])
    first = tables.act_for_bot(party.id, 0, PASS, number)
    again = tables.act_for_bot(party.id, 0, 5, number)
    assert (again.number, again.repeated) == (first.number, True)
    with refused("STALE"):
        tables.act_for_bot(party.id, 0, PASS, number - 1)


# -- every code -----------------------------------------------------------------------------------------------------


def _gone(tables: Tables) -> None:
    raise TableError("RULES_GONE", why="tests/tables/test_restart.py makes a real one")


def _undo_refused(tables: Tables) -> None:
    party = Party(tables)
    party.until_phase("ADJUST_WORKERS")
    party.act(party.table.deciders()[0], PASS)
    party.undo(0)


def _reused(tables: Tables) -> None:
    party = Party(tables)
    party.act(0, PASS, key="k")
    party.act(0, 5, key="k")


def _taken(tables: Tables) -> None:
    tables.sit(Party(tables, start=False).id, "Eva", seat=1)


def _same_name(tables: Tables) -> None:
    made = tables.create("zahltag", 3)
    tables.sit(made.table_id, "Ann")
    tables.sit(made.table_id, "ANN")


def _seats_free(tables: Tables) -> None:
    made = tables.create("zahltag", 3)
    tables.start(made.table_id, made.token)


def _nobody(tables: Tables) -> None:
    tables.add_bot(tables.create("zahltag", 3).table_id, None, "random")


def _pending(tables: Tables) -> None:
    party = Party(tables)
    tables.ask_pause(party.id, party.tokens[0], "k")
    tables.ask_pause(party.id, party.tokens[1], "k")


def _paused(tables: Tables) -> None:
    party = Party(tables, 1, ["random"])
    tables.ask_pause(party.id, party.tokens[0], "k")
    party.act(0, PASS)


def _archived(tables: Tables) -> None:
    party = Party(tables)
    tables.archive(party.id, party.table.changed_at)
    party.act(0, PASS)


def _silenced(tables: Tables) -> None:
    party = Party(tables)
    tables.silence(party.id, party.creator, 1, True)
    tables.say(party.id, party.tokens[1], "Hello", "k")


def _chatter(tables: Tables) -> None:
    party = Party(tables)
    for i in range(11):
        tables.say(party.id, party.tokens[1], "Hello", f"k{i}")


def _two_seats(tables: Tables) -> None:
    party = Party(tables)
    tables.offer(party.id, party.tokens[1], 1)
    tables.take(party.id, "Eva", 1, party.tokens[0])


def _ended(tables: Tables) -> None:
    party = Party(tables)
    tables.end(party.id)
    party.act(0, PASS)


def _over(tables: Tables) -> None:
    party = Party(tables, people=2)
    party.to_the_end()
    tables.end(party.id)


PROVOKED = {
    "ENDED": _ended,
    "GAME_OVER": _over,
    "NO_SUCH_MOMENT": lambda t: t.earlier((p := Party(t)).id, p.tokens[0], 900),
    "NO_SUCH_LINE": lambda t: t.rewind(Party(t).id, 900),
    "NOBODY_THERE": lambda t: t.free_seat(t.create("zahltag", 2).table_id, 0),
    "RATED_NEEDS_ACCOUNT": lambda t: t.create("zahltag", 2, rated=True),
    "UNKNOWN_TABLE": lambda t: t.table("2345678923"),
    "NOT_SEATED": lambda t: t.act(Party(t).id, checks.new_token(), PASS, 5, "k"),
    "BAD_TOKEN": lambda t: t.act(Party(t).id, "no token", PASS, 5, "k"),
    "BAD_KEY": lambda t: t.act(Party(t).id, None, PASS, 5, ""),
    "SEAT_TAKEN": _taken,
    "NO_SUCH_SEAT": lambda t: t.sit(t.create("zahltag", 3).table_id, "Ann", seat=3),
    "TABLE_FULL": lambda t: t.sit(Party(t, start=False).id, "Eva"),
    "NAME_MISSING": lambda t: t.sit(t.create("zahltag", 3).table_id, " "),
    "NAME_UNFIT": lambda t: t.create("zahltag", 3, name="x" * 61),
    "NAME_TAKEN": _same_name,
    "ALREADY_STARTED": lambda t: t.sit(Party(t).id, "Eva"),
    "NOT_STARTED": lambda t: Party(t, start=False).act(0, PASS),
    "SEATS_FREE": _seats_free,
    "NOT_MANAGER": _nobody,
    "STALE": lambda t: Party(t).act(0, PASS, 1),
    "UNDO_REFUSED": _undo_refused,
    "KEY_REUSED": _reused,
    "STILL_RUNNING": lambda t: t.record(Party(t).id),
    "RULES_GONE": _gone,
    "UNKNOWN_LEVEL": lambda t: t.leave(Party(t).id, None, "genius"),
    "BAD_CLOCK": lambda t: t.create("zahltag", 2, clock="sand"),
    "REQUEST_PENDING": _pending,
    "MESSAGE_UNFIT": lambda t: t.say((p := Party(t)).id, p.tokens[0], " ", "k"),
    "SILENCED": _silenced,
    "TOO_MUCH_TALK": _chatter,
    "NOT_MAKER": lambda t: t.silence((p := Party(t)).id, p.tokens[0], 1, True),
    "NO_REQUEST": lambda t: t.answer_request((p := Party(t)).id, p.tokens[0], 3, True),
    "PAUSED": _paused,
    "ARCHIVED": _archived,
    "NOT_TO_OFFER": lambda t: t.offer((p := Party(t)).id, p.tokens[0], 1),
    "SEATED_ALREADY": _two_seats,
}


BY_HANDS = {"BY_HAND", "HANDS_FULL", "NO_WORLD", "WORLD_BUSY", "NO_MOTION"}
"""What needs a game with a world: tests/tables/test_outcomes.py provokes and reads these."""


@pytest.mark.parametrize("code", [code for code in CODES if code not in BY_HANDS])
def test_every_refusal_is_a_sentence(tables: Tables, code: str) -> None:
    with refused(code) as caught:
        PROVOKED[code](tables)
    is_a_sentence(caught.value)


@pytest.mark.parametrize("table_id", ["", "x", "2345678923", "../../etc", "\x00", "\ud800" * 10, "a" * 10_000])
def test_no_such_table(tables: Tables, table_id: str) -> None:
    for ask in (tables.table, tables.record, lambda i: tables.seat_of(i, None), lambda i: tables.start(i, None)):
        with refused("UNKNOWN_TABLE"):
            ask(table_id)


def test_another_tables_token_is_a_stranger(tables: Tables) -> None:
    here, there = Party(tables), Party(tables)
    assert tables.seat_of(here.id, there.tokens[0]) is None
    assert not tables.manages(here.id, there.tokens[0])
    assert not tables.manages(here.id, "forged")
    for attempt in (
        lambda: tables.act(here.id, there.tokens[0], PASS, here.table.number, "k"),
        lambda: tables.undo(here.id, there.tokens[0], 5, "k"),
        lambda: tables.leave(here.id, there.tokens[0]),
        lambda: tables.back(here.id, None),
    ):
        with refused("NOT_SEATED"):
            attempt()
    with refused("NOT_MANAGER"):
        tables.start(here.id, there.tokens[0])
