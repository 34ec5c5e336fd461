"""What is no longer free is taken back if the others agree; pauses; seats that change hands."""

from __future__ import annotations

import random

import pytest

from shopfloor.tables.errors import TableError
from shopfloor.tables.service import Tables
from tests.tables.conftest import Open
from tests.tables.helpers import PASS, Party, everything, replayed
from tests.tables.test_seating import refused


def acted_over(tables: Tables, people: int = 3) -> tuple[Party, int, object]:
    """A table at which seat 0 has decided and another has acted since; the number, and the state before it."""
    party = Party(tables, people)
    before = party.table._fold.state
    assert before is not None
    encoded = before.encode()
    number = party.act(0, PASS).number
    party.act(party.table.deciders()[0], PASS)
    return party, number, encoded


def ask(party: Party, seat: int, number: int, key: str = "ask") -> int:
    return party.tables.ask_undo(party.id, party.tokens[seat], number, key).number


def test_all_others_agree_and_it_is_as_before(tables: Tables) -> None:
    party, number, before = acted_over(tables)
    assert party.table.undo_by_request(0)
    with refused("UNDO_REFUSED"):
        party.undo(0)
    request = ask(party, 0, number)
    assert party.table.request is not None
    assert party.table.awaited() == (1, 2)
    tables.answer_request(party.id, party.tokens[1], request, True)
    assert party.table.awaited() == (2,)
    tables.answer_request(party.id, party.tokens[2], request, True)
    table = party.table
    assert table.request is None
    assert table._fold.state is not None
    assert table._fold.state.encode() == before
    undone = [line.number for line in table.log(None) if line.undone]
    assert undone == [number, number + 1], "everything since is taken back, and stays to be read"
    assert table.deciders() == (0,)
    party.act(0, PASS)


def test_what_came_to_light_can_be_taken_back_by_agreement(tables: Tables) -> None:
    party = Party(tables, 2)
    random.seed(1)
    while True:
        before = party.table
        seat = before.deciders()[0]
        number = party.random_move().number
        refusal = party.table.undo_refusal(seat)
        if refusal is not None and refusal.code == "UNDO_REVEALED" and party.table.undo_number(seat) == number:
            break
    request = ask(party, seat, number)
    tables.answer_request(party.id, party.tokens[1 - seat], request, True)
    assert party.table._fold.state is not None
    assert before._fold.state is not None
    assert party.table._fold.state.encode() == before._fold.state.encode()
    assert party.table._fold.state.encode() == replayed(party.table)


def test_one_who_declines_ends_it(tables: Tables) -> None:
    party, number, _ = acted_over(tables)
    request = ask(party, 0, number)
    tables.answer_request(party.id, party.tokens[2], request, False)
    assert party.table.request is None
    assert not any(line.undone for line in party.table.log(None))
    with refused("NO_REQUEST"):
        tables.answer_request(party.id, party.tokens[1], request, True)


def test_it_can_be_withdrawn_and_lapses_with_the_next_decision(tables: Tables) -> None:
    party, number, _ = acted_over(tables)
    tables.answer_request(party.id, party.tokens[0], ask(party, 0, number), False)
    assert party.table.request is None
    request = ask(party, 0, number, "again")
    party.random_move()
    assert party.table.request is None
    with refused("NO_REQUEST"):
        tables.answer_request(party.id, party.tokens[1], request, True)


def test_computers_and_those_who_are_away_agree(tables: Tables) -> None:
    party = Party(tables, 2, ["random"])
    number = party.act(0, PASS).number
    other = party.table.deciders()[0]
    if other == 1:
        party.act(1, PASS)
    else:
        tables.act_for_bot(party.id, other, party.table.legal(other)[0], party.table.decision_number(other))
    tables.leave(party.id, party.tokens[1])
    ask(party, 0, number)
    assert party.table.log(None)[-1].kind == "rewind", "nobody is left to be asked"


def test_who_leaves_is_no_longer_waited_for(tables: Tables) -> None:
    party, number, _ = acted_over(tables, 2)
    ask(party, 0, number)
    tables.leave(party.id, party.tokens[1])
    assert party.table.log(None)[-1].kind == "rewind"


def test_what_is_free_or_not_ones_last_is_not_asked_for(tables: Tables) -> None:
    party = Party(tables, 2)
    with refused("UNDO_REFUSED"):
        ask(party, 0, 3)
    number = party.act(0, PASS).number
    assert not party.table.undo_by_request(0), "it is free"
    party.act(party.table.deciders()[0], PASS)
    with refused("UNDO_REFUSED"):
        ask(party, 0, number - 1)
    with refused("NOT_SEATED"):
        tables.ask_undo(party.id, None, number, "k")
    over = Party(tables, 2)
    over.to_the_end()
    with refused("UNDO_REFUSED"):
        ask(over, 0, over.table.undo_number(0) or 0)


def test_a_request_sent_twice_is_one(tables: Tables) -> None:
    party, number, _ = acted_over(tables)
    first = tables.ask_undo(party.id, party.tokens[0], number, "same")
    again = tables.ask_undo(party.id, party.tokens[0], number, "same")
    assert (again.number, again.repeated) == (first.number, True)
    assert tables.ask_undo(party.id, party.tokens[0], number, "another").number == first.number
    tables.answer_request(party.id, party.tokens[1], first.number, True)
    at = party.table.number
    tables.answer_request(party.id, party.tokens[1], first.number, True)
    assert party.table.number == at


@pytest.mark.parametrize("seed", range(3))
def test_play_with_requests_is_as_if_they_had_never_been(opened: Open, seed: int) -> None:
    """After any mix of moves, undos and agreed rewinds: the state is that of the decisions that stand."""
    tables = opened()
    chance = random.Random(seed)
    party = Party(tables, 3)
    rewinds = 0
    for i in range(120):
        if party.table.status == "over":
            break
        seat = chance.randrange(3)
        last = party.table.undo_number(seat)
        if chance.random() < 0.25 and last is not None and party.table.undo_by_request(seat):
            request = ask(party, seat, last, f"ask{i}")
            for other in party.table.awaited():
                tables.answer_request(party.id, party.tokens[other], request, True)
            rewinds += 1
        elif chance.random() < 0.2 and last is not None and party.table.undo_refusal(seat) is None:
            party.undo(seat)
        else:
            party.random_move()
        assert party.table._fold.state is not None
        assert party.table._fold.state.encode() == replayed(party.table)
    assert rewinds > 5
    assert everything(opened().table(party.id)) == everything(party.table)


# -- pauses ---------------------------------------------------------------------------------------------------------


def test_a_pause_stops_everybody_until_one_goes_on(tables: Tables) -> None:
    party = Party(tables, 2, ["random"])
    request = tables.ask_pause(party.id, party.tokens[0], "p").number
    assert not party.table.paused
    tables.answer_request(party.id, party.tokens[1], request, True)
    assert party.table.paused
    for attempt in (
        lambda: party.act(0, PASS),
        lambda: tables.act_for_bot(party.id, 2, PASS, 1),
        lambda: party.undo(0, 3),
    ):
        with refused("PAUSED"):
            attempt()
    with refused("NOT_SEATED"):
        tables.resume(party.id, None)
    tables.resume(party.id, party.tokens[0])
    party.act(0, PASS)


# -- seats that change hands ----------------------------------------------------------------------------------------


def test_an_offered_seat_is_taken_by_somebody_else(tables: Tables) -> None:
    party = Party(tables, 2)
    hand = party.view(1)
    tables.offer(party.id, party.tokens[1], 1)
    assert party.table.seats[1].offered
    assert party.table.seats[1].away, "a computer plays until then"
    taken = tables.take(party.id, "Eva", 1)
    info = party.table.seats[1]
    assert (info.name, info.away, info.offered) == ("Eva", False, False)
    assert tables.seat_of(party.id, taken.token) == 1
    assert tables.seat_of(party.id, party.tokens[1]) is None, "the old token is void"
    assert party.view(1) == hand
    with refused("SEAT_TAKEN"):
        tables.take(party.id, "Fay", 1)


def test_others_may_offer_the_seat_of_one_who_is_away_only(tables: Tables) -> None:
    party = Party(tables, 2)
    with refused("NOT_TO_OFFER"):
        tables.offer(party.id, party.tokens[0], 1)
    tables.leave(party.id, party.tokens[1])
    with refused("NOT_MANAGER"):
        tables.offer(party.id, None, 1)
    tables.offer(party.id, party.tokens[0], 1)
    tables.back(party.id, party.tokens[1])
    assert not party.table.seats[1].offered, "who comes back keeps the seat"
    with refused("SEAT_TAKEN"):
        tables.take(party.id, "Eva", 1)


def test_who_sits_there_takes_no_second_seat_nor_a_taken_name(tables: Tables) -> None:
    party = Party(tables, 2)
    tables.offer(party.id, party.tokens[1], 1)
    with refused("SEATED_ALREADY"):
        tables.take(party.id, "Eva", 1, party.tokens[0])
    with refused("NAME_TAKEN"):
        tables.take(party.id, "ann", 1)
    with pytest.raises(TableError):
        tables.take(party.id, "", 1)
    assert party.table.seats[1].offered
