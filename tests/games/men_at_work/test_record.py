"""Records hold outcomes: a game built by hand replays without a site, byte for byte."""

from __future__ import annotations

import json

import pytest

from shopfloor.engine.dice import FastDice
from shopfloor.engine.records import RecordError, dump, load, record_of, replay
from shopfloor.engine.refusals import IllegalAction
from shopfloor.games.men_at_work import GAME
from shopfloor.games.men_at_work import actions as a
from shopfloor.games.men_at_work.rules import MenAtWork
from tests.games.men_at_work.table import also, g, rest

pytestmark = pytest.mark.rule("MW-I.18")


def built() -> tuple[MenAtWork, list[tuple[int, int]], list[tuple[int, str]]]:
    """A first turn: whatever the card asks for, the piece is laid on a girder, and the dice have no part in it."""
    state = GAME.start(3, FastDice(4))
    assert isinstance(state, MenAtWork)
    made: list[tuple[int, int]] = []
    outcomes: list[tuple[int, str]] = []

    def do(action: int, outcome: str | None = None) -> None:
        made.append((state.hook, action))
        if outcome is None:
            state.play(state.hook, action)
        else:
            outcomes.append((len(made), outcome))
            state.play_outcome(state.hook, action, outcome)

    do(0)
    do(state.legal(state.hook)[0])
    do(next(action for action in state.legal(state.hook) if action >= a.GRIP))
    ground = [rest(piece, g("P")) for piece in state.held]
    do(a.RELEASE, also(state.measure, ground, tops=dict.fromkeys(state.held, 61.5)).encode())
    do(a.FINISH)
    return state, made, outcomes


def test_a_record_with_outcomes_replays() -> None:
    state, made, outcomes = built()
    record = record_of(GAME, GAME.edition(), 4, 3, dict(state.options), made, state, outcomes=outcomes)
    text = dump(record, state.space.name)
    again = load(text)
    assert again == record
    *_, last = replay(again, GAME)
    assert isinstance(last.state, MenAtWork)
    assert last.state.encode() == state.encode()
    line = json.loads(text.splitlines()[4])
    assert line["do"] == "release"
    assert line["outcome"]["settled"] is True


def test_an_outcome_that_cannot_be_names_its_line() -> None:
    state, made, outcomes = built()
    wrong = [(n, text.replace('"settled":true', '"settled":"yes"')) for n, text in outcomes]
    record = record_of(GAME, GAME.edition(), 4, 3, dict(state.options), made, state, outcomes=wrong)
    with pytest.raises(RecordError) as caught:
        list(replay(load(dump(record, state.space.name)), GAME))
    assert caught.value.line == 5
    assert "BAD_OUTCOME" in str(caught.value)


def test_other_games_have_no_outcomes() -> None:
    from shopfloor.engine.state import State

    with pytest.raises(IllegalAction):
        State.play_outcome(built()[0], 0, 0, "{}")
