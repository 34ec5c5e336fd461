"""Taking back: free until somebody has learned something or another seat has acted on it; never hidden."""

import pytest

from shopfloor.engine.views import canonical
from shopfloor.tables import fold
from shopfloor.tables.errors import TableError
from shopfloor.tables.model import Table
from shopfloor.tables.service import Tables
from tests.tables.conftest import Open
from tests.tables.helpers import NO_BID, PASS, Party, everything, phase_of, replayed


def undo_refused(reason: str):
    return pytest.raises(TableError, check=lambda e: e.code == "UNDO_REFUSED" and e.facts["reason"] == reason)


def reason(table: Table, seat: int) -> str | None:
    refusal = table.undo_refusal(seat)
    return refusal.code if refusal else None


def discard(party: Party, seat: int) -> int:
    """An action that the seat may take in any adjustment."""
    return 5 + next(t for t in range(4) if party.view(seat).seats[seat].hand[t])


def test_ones_own_decision_can_be_taken_back(tables: Tables) -> None:
    party = Party(tables)
    before = party.table
    answer = party.act(0, discard(party, 0))
    assert party.table.undo_number(0) == answer.number
    assert reason(party.table, 0) is None
    undone = party.undo(0)
    assert undone.number == answer.number + 1
    assert canonical(party.view(0)) == canonical(before.view(0))
    assert undone.table.decision_number(0) == undone.number, "a page from before is stale"
    assert undone.table.undo_number(0) is None
    assert reason(undone.table, 0) == "UNDO_NOTHING"


def test_the_undone_line_stays_and_is_marked(tables: Tables) -> None:
    party = Party(tables)
    answer = party.act(0, discard(party, 0))
    shown = party.table.log(None)[-1]
    party.undo(0)
    marked, undo = party.table.log(None)[-2:]
    assert marked.undone
    assert not shown.undone
    assert marked.events == shown.events
    assert (undo.kind, undo.seat, undo.target) == ("undo", 0, answer.number)


def test_several_in_a_row_the_last_first(tables: Tables) -> None:
    party = Party(tables)
    start = canonical(party.view(0))
    first = party.act(0, discard(party, 0))
    second = party.act(0, discard(party, 0))
    with undo_refused("UNDO_NOT_LAST"):
        party.undo(0, first.number)
    party.undo(0, second.number)
    with undo_refused("UNDO_ALREADY"):
        party.undo(0, second.number)
    party.undo(0, first.number)
    assert canonical(party.view(0)) == start
    with undo_refused("UNDO_NOTHING"):
        party.undo(0, party.table.number)


def test_a_double_click_takes_back_once(tables: Tables) -> None:
    party = Party(tables)
    party.act(0, discard(party, 0))
    answer = party.act(0, discard(party, 0))
    one = party.undo(0, answer.number, "click")
    two = party.undo(0, answer.number, "click")
    assert (two.number, two.repeated) == (one.number, True)
    assert party.table.undo_number(0) == answer.number - 1


def test_not_once_a_card_was_turned_over(tables: Tables) -> None:
    party = Party(tables)
    table = party.until_phase("ADJUST_WORKERS")
    seat = table.deciders()[0]
    number = party.act(seat, PASS).number
    before = everything(party.table)
    assert reason(party.table, seat) == "UNDO_REVEALED"
    with undo_refused("UNDO_REVEALED"):
        party.undo(seat, number)
    assert everything(party.table) == before


def test_not_once_another_seat_has_acted_unless_that_is_taken_back(tables: Tables) -> None:
    party = Party(tables)
    number = party.act(0, PASS).number
    assert party.table.deciders() == (1,)
    assert reason(party.table, 0) is None
    party.act(1, discard(party, 1))
    with undo_refused("UNDO_OTHERS_ACTED"):
        party.undo(0, number)
    party.undo(1)
    party.undo(0, number)
    assert party.table.deciders() == (0,)


def test_not_anothers_decision(tables: Tables) -> None:
    party = Party(tables)
    number = party.act(0, PASS).number
    with undo_refused("UNDO_NOTHING"):
        party.undo(1, number)


def test_taking_back_what_passed_the_turn_on_makes_the_next_ones_page_stale(tables: Tables) -> None:
    party = Party(tables)
    party.act(0, PASS)
    shown = party.table.number
    party.undo(0)
    party.act(0, PASS)
    with pytest.raises(TableError, check=lambda e: e.code == "STALE"):
        party.act(1, PASS, shown)


def test_a_sealed_bid_can_be_changed_and_the_others_keep_theirs(tables: Tables) -> None:
    party = Party(tables, 4)
    shown = party.until_phase("BIDDING")
    party.act(2, party.view(2).legal[-1], shown.number)
    mine = party.act(0, NO_BID, shown.number)
    party.act(3, party.view(3).legal[-1], shown.number)
    chosen = [party.view(seat).chosen for seat in range(4)]
    assert [reason(party.table, seat) for seat in (0, 2, 3)] == [None] * 3
    party.undo(0, mine.number)
    assert [party.view(seat).chosen for seat in range(4)] == [None, None, chosen[2], chosen[3]]
    assert party.table.deciders() == (0, 1)
    assert party.table.decision_number(1) == shown.number, "who still thinks is not disturbed"
    party.act(1, NO_BID, shown.number)
    with pytest.raises(TableError, check=lambda e: e.code == "STALE"):
        party.act(0, NO_BID, shown.number)
    party.act(0, NO_BID)
    bids = next(event for event in party.table.log(None)[-1].events if event.kind == "offers_opened").facts["bids"]
    expected = [None if c in (None, NO_BID) else shown.view(0).offers[c - 22] for c in chosen]  # type: ignore[union-attr]
    assert bids == [None, None, *expected[2:]]
    assert {reason(party.table, seat) for seat in range(4)} == {"UNDO_REVEALED"}


def test_not_when_the_game_is_over(tables: Tables) -> None:
    party = Party(tables, 2)
    table = party.to_the_end()
    assert {reason(table, seat) for seat in range(2)} == {"UNDO_OVER"}
    with undo_refused("UNDO_OVER"):
        party.undo(0)


def test_what_a_computer_decided_stands(tables: Tables) -> None:
    party = Party(tables)
    party.act(0, discard(party, 0))
    tables.leave(party.id, party.tokens[0])
    number = tables.act_for_bot(party.id, 0, PASS, party.table.decision_number(0)).number
    tables.back(party.id, party.tokens[0])
    with undo_refused("UNDO_NOT_OWN"):
        party.undo(0, number)


def test_who_left_is_back_by_taking_back(tables: Tables) -> None:
    party = Party(tables)
    party.act(0, discard(party, 0))
    tables.leave(party.id, party.tokens[0])
    assert not party.undo(0).table.seats[0].away


@pytest.mark.parametrize("kept", [fold.POSITIONS_KEPT, 2, 0])
def test_play_with_many_undos_is_as_if_they_had_never_been(
    opened: Open, monkeypatch: pytest.MonkeyPatch, kept: int
) -> None:
    monkeypatch.setattr(fold, "POSITIONS_KEPT", kept)
    party = Party(opened(), 4, card_cap="penalty", setup_adjust="round_robin")
    undone = 0

    def move() -> None:
        nonlocal undone
        free = [seat for seat in range(4) if reason(party.table, seat) is None]
        if free and party.random.random() < 0.4:
            party.undo(party.random.choice(free))
            undone += 1
        else:
            party.random_move()
        table = party.table
        assert table._fold.state is not None
        assert table._fold.state.encode() == replayed(table)

    over = party.until(lambda table: table.status == "over", move)
    assert undone > 20
    assert sum(line.undone for line in over.log(None)) == undone
    assert everything(opened().table(party.id)) == everything(over)
    text = party.tables.record(party.id)
    assert text.count('"do"') == len([x for x in over.log(None) if x.kind == "play" and not x.undone])


def test_a_refusal_foretold_is_the_refusal_given(tables: Tables) -> None:
    party = Party(tables, 3)
    given = set()
    for _ in range(120):
        if party.table.status == "over":
            break
        party.random_move()
        for seat in range(3):
            foretold, last = reason(party.table, seat), party.table.undo_number(seat)
            if foretold is not None and last is not None:
                given.add(foretold)
                with undo_refused(foretold):
                    party.undo(seat, last)
    assert given >= {"UNDO_REVEALED", "UNDO_OTHERS_ACTED"}
    assert phase_of(party.table)
