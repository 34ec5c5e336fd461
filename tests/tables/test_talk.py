"""What people say at a table: kept, in order, heard by whoever wants to."""

from __future__ import annotations

import time

import pytest

from shopfloor.tables import talk
from shopfloor.tables.service import Tables
from tests.tables.conftest import Open
from tests.tables.helpers import PASS, Party, everything
from tests.tables.test_seating import refused


def said(party: Party, viewer: int | None) -> list[tuple[int | None, str]]:
    return [(line.seat, line.text) for line in party.table.log(viewer) if line.kind == "say"]


def say(party: Party, seat: int, text: str) -> int:
    return party.tables.say(party.id, party.tokens[seat], text, f"key-{next(party.keys)}").number


def test_what_is_said_is_heard_by_all_and_kept(opened: Open) -> None:
    party = Party(opened(), 2)
    say(party, 0, "  Good   luck! ")
    say(party, 1, "Likewise – «ça va» 👋")
    expected = [(0, "Good luck!"), (1, "Likewise – «ça va» 👋")]
    assert [said(party, viewer) for viewer in (None, 0, 1)] == [expected] * 3
    assert everything(opened().table(party.id)) == everything(party.table)


def test_talk_disturbs_no_decision(tables: Tables) -> None:
    party = Party(tables, 2)
    number = party.table.number
    say(party, 1, "Hurry up")
    played = party.act(0, PASS, based_on=number).number
    say(party, 1, "At last")
    assert party.table.undo_refusal(0) is None, "words are no decision, and nothing comes to light by them"
    party.undo(0, played)
    assert len(said(party, None)) == 2


def test_before_the_start_and_after_the_end(tables: Tables) -> None:
    party = Party(tables, 2, start=False)
    say(party, 0, "Who is missing?")
    tables.start(party.id, party.creator)
    party.to_the_end()
    say(party, 1, "Well played")
    assert len(said(party, None)) == 2


@pytest.mark.parametrize("text", ["", "   ", "x" * 501, "a\x00b", "a\u202eb", "a\u200bb"])
def test_what_cannot_be_said(tables: Tables, text: str) -> None:
    party = Party(tables, 2)
    with refused("MESSAGE_UNFIT"):
        say(party, 0, text)
    with refused("NOT_SEATED"):
        tables.say(party.id, None, "I only watch", "k")


def test_said_twice_by_mistake_is_said_once(tables: Tables) -> None:
    party = Party(tables, 2)
    first = tables.say(party.id, party.tokens[0], "Hello", "same")
    again = tables.say(party.id, party.tokens[0], "Hello", "same")
    assert (again.number, again.repeated) == (first.number, True)
    with refused("KEY_REUSED"):
        tables.say(party.id, party.tokens[0], "Something else", "same")


def test_whom_one_mutes_one_does_not_hear(tables: Tables) -> None:
    party = Party(tables, 3)
    say(party, 1, "Before")
    tables.mute(party.id, party.tokens[0], 1, True)
    say(party, 1, "After")
    say(party, 2, "Hello")
    assert said(party, 0) == [(2, "Hello")]
    assert said(party, 2) == [(1, "Before"), (1, "After"), (2, "Hello")]
    assert party.table.muted(0) == (1,)
    for viewer in (None, 1, 2):
        assert not [line for line in party.table.log(viewer) if line.kind == "mute"], "it is nobody else's business"
    tables.mute(party.id, party.tokens[0], 1, False)
    assert len(said(party, 0)) == 3


def test_who_made_the_table_can_silence(tables: Tables) -> None:
    party = Party(tables, 3)
    with refused("NOT_MAKER"):
        tables.silence(party.id, party.tokens[0], 1, True)
    tables.silence(party.id, party.creator, 1, True)
    with refused("SILENCED"):
        say(party, 1, "But")
    party.act(0, PASS)
    tables.silence(party.id, party.creator, 1, False)
    say(party, 1, "Thank you")


def test_too_much_is_too_much(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    party = Party(tables, 2)
    for i in range(talk.MESSAGES):
        say(party, 0, f"Message {i}")
    with refused("TOO_MUCH_TALK"):
        say(party, 0, "One more")
    say(party, 1, "I am still heard")
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + talk.SECONDS + 1)
    say(party, 0, "One more")
