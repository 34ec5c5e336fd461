"""The log tells nobody what they may not know, not even once it is taken back."""

import json
from dataclasses import asdict

from shopfloor.engine.dice import FastDice
from shopfloor.engine.views import plain
from shopfloor.tables.model import LogLine
from shopfloor.tables.service import Tables
from tests.tables.helpers import NO_BID, Party, hands


def kinds(lines: list[LogLine]) -> list[str]:
    return [event.kind for line in lines for event in line.events]


def test_a_dealt_hand_is_told_to_its_owner_alone(tables: Tables) -> None:
    table = Party(tables, 4).table
    assert kinds(table.log(None)).count("hand_dealt") == 0
    for seat in range(4):
        dealt = [event for line in table.log(seat) for event in line.events if event.kind == "hand_dealt"]
        assert [event.facts["seat"] for event in dealt] == [seat]


def test_a_sealed_bid_is_told_to_its_owner_alone(tables: Tables) -> None:
    party = Party(tables, 4)
    party.until_phase("BIDDING")
    party.act(2, party.view(2).legal[-1])
    for viewer in (None, 0, 1, 3):
        line = party.table.log(viewer)[-1]
        assert line.action is None
        assert [event.kind for event in line.events] == ["offer_sealed"]
    own = party.table.log(2)[-1]
    assert own.action == party.view(2).chosen
    assert "offer_chosen" in kinds([own])
    party.undo(2)
    party.act(2, NO_BID)
    for viewer in (None, 0, 1, 3):
        undone = party.table.log(viewer)[-3]
        assert undone.undone
        assert undone.action is None
        assert kinds([undone]) == ["offer_sealed"]
        assert kinds(party.table.log(viewer)).count("offer_chosen") == 0


def test_two_choices_look_the_same_to_everybody_else(tables: Tables) -> None:
    """From one position, a bid and its undoing, and another bid: whatever is told to others is byte-equal."""
    party = Party(tables, 3)

    def somebody_can_bid() -> bool:
        return len(party.view(1).legal) > 1

    party.until(lambda table: 1 in table.deciders() and len(table.deciders()) > 1 and somebody_can_bid())

    def told(viewer: int | None) -> str:
        line = {k: v for k, v in asdict(party.table.log(viewer)[-1]).items() if k not in ("number", "at")}
        return json.dumps([plain(party.view(viewer)), line], default=str)

    seen = []
    for action in (NO_BID, party.view(1).legal[-1]):
        party.act(1, action)
        seen.append({viewer: told(viewer) for viewer in (None, 0, 1, 2)})
        party.undo(1)
    for viewer in (None, 0, 2):
        assert seen[0][viewer] == seen[1][viewer]
    assert seen[0][1] != seen[1][1]


def test_whole_games_never_tell_what_concerns_others(tables: Tables) -> None:
    party = Party(tables, 4)
    table = party.to_the_end()
    full = [line.full for line in table._fold.lines]
    assert any(event.audience for line in full for event in line.events)
    for viewer in (None, 0, 1, 2, 3):
        lines = table.log(viewer)
        assert [line.number for line in lines] == list(range(1, table.number + 1))
        for line, whole in zip(lines, full, strict=True):
            assert line.action == (whole.action if whole.seat == viewer else None)
            assert line.events == tuple(event for event in whole.events if event.concerns(viewer))


def test_what_is_handed_out_shows_neither_seed_nor_state_nor_tokens(tables: Tables) -> None:
    party = Party(tables, 3)
    table = party.table
    shown = repr(table)
    seed = table._fold.header.seed
    assert seed.hex() not in shown
    assert repr(seed) not in shown
    assert "_fold" not in shown
    assert not any(str(token) in shown for token in table._fold.tokens)
    assert not any(token in shown for token in party.tokens)


def test_a_computer_gets_no_more_than_its_seat_knows(tables: Tables) -> None:
    party = Party(tables, 4)
    table = party.until_phase("BIDDING")
    imagined = set()
    for n in range(20):
        seat = table.bot_seat(1, FastDice(n))
        assert plain(seat.view()) == plain(table.view(1))
        assert table._fold.header.seed.hex() not in seat.encode()
        imagined.add(str(hands(seat.encode().partition("\n")[2])))
    assert len(imagined) > 1, "the others' hands are imagined, not copied"
