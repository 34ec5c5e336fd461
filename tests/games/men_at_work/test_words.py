"""Words: events, refusals, buttons, questions, verdicts, the table as text."""

from __future__ import annotations

import pytest

from shopfloor.engine.events import Event
from shopfloor.engine.refusals import IllegalAction, Refusal
from shopfloor.games.men_at_work import GAME, text, words
from shopfloor.games.men_at_work.cards import GIRDER_HOW, WORKER_HOW
from shopfloor.games.men_at_work.judge import REASONS
from shopfloor.games.men_at_work.messages.en import MESSAGES
from shopfloor.games.men_at_work.outcome import ACCIDENTS
from tests.games.men_at_work.table import A, arrange, g, new_game, play, rest, s, site, standing, w

NAMES = ["Ann", "Bob", "Cy", "Di", "Eve"]


def test_every_reason_and_instruction_has_words() -> None:
    for code in REASONS:
        assert words.finding(code, True, ()).startswith("Yes: ")
        assert words.finding(code, False, (g("K"),)).endswith("(black girder 1).")
        assert words.finding(code, False, ()).endswith(".")
    for name in (*GIRDER_HOW, *WORKER_HOW):
        assert words.instruction(name)
    for how in ACCIDENTS:
        told = words.event(
            Event("accident", "MW-9.1", {"seat": 0, "how": how, "piece": 80, "on": -1, "fell": []}), NAMES, 1
        )
        assert told.startswith("Accident! ")
        assert told.endswith("Ann's turn.")


@pytest.mark.parametrize(
    ("kind", "facts", "viewer", "told"),
    [
        ("certificate_lost", {"seat": 0, "left": 2}, 1, "Ann loses a safety certificate and has 2 left."),
        ("certificate_lost", {"seat": 0, "left": 2}, 0, "You lose a safety certificate and have 2 left."),
        (
            "pushed_back",
            {"seat": 1, "piece": 8, "back": False},
            0,
            "Bob pushes black girder 1, which still touches the table.",
        ),
        (
            "try_failed",
            {"seat": 0, "tries": 1, "reasons": ["on_hardhat"]},
            None,
            "Not yet: the girder lies on a hardhat.",
        ),
        (
            "game_ended",
            {"cause": "halt", "winners": [0, 1]},
            1,
            "Construction halts; certificates and awards are added up. Ann and you won.",
        ),
    ],
)
def test_what_happened_is_told(kind, facts, viewer, told) -> None:
    assert words.event(Event(kind, "MW-9.3", facts), NAMES, viewer) == told


def test_each_refusal_has_words_of_its_own() -> None:
    codes = [
        "GAME_OVER", "UNKNOWN_PIECE", "BAD_OUTCOME", "BAD_SETUP_PIECES", "NOT_SETTLED", "TOUCHES_SURFACE",
        "SUPPORT_PLACE_ILLEGAL", "FEET_NOT_ON_GIRDER", "BAD_CRANE_POSITION", "COLOUR_NOT_ON_CARD", "COLOUR_RUN_OUT",
        "COLOUR_CANNOT_COMPLY", "CAN_COMPLY", "CARD_NOT_IN_HAND", "FOREMAN_LIMIT", "NOT_THIS_TURNS_PIECE",
        "ONE_HAND_ONLY", "WRONG_PIECE_ORDER", "NOTHING_HELD", "NOTHING_PLACED", "NO_NEXT_PIECE", "PIECE_NOT_VALID",
        "GIVE_UP_TOO_EARLY", "NOT_FALLEN_TO_SURFACE", "NOT_ONE_END", "PUSH_LIMIT_REACHED", "SUPPORT_MUST_RETURN",
        "NOT_TIDY",
    ]  # fmt: skip
    said = {MESSAGES[f"refusal.{code}"] for code in codes}
    assert len(said) == len(codes)
    assert words.refusal(Refusal("SOMETHING_ELSE"), NAMES).endswith("(SOMETHING_ELSE).")


def test_names_that_the_box_does_not_know() -> None:
    space = GAME.space(GAME.edition())
    for name in ("grip orange girder 9", "grip brick 13", "retrieve worker 0", "push back black girder 77"):
        with pytest.raises(IllegalAction) as caught:
            space.parse(name)
        assert caught.value.refusal.code == "UNKNOWN_PIECE"
        assert "box holds no piece" in words.refusal(caught.value.refusal, NAMES)
    with pytest.raises(IllegalAction) as caught:
        space.parse("grip cow 1")
    assert caught.value.refusal.code == "MALFORMED"


def test_questions_follow_the_game() -> None:
    state = new_game(3)
    assert words.question(GAME.view(state, A), NAMES) == "You are the youngest: lay out the starting site."
    state = arrange("G K/O", "BALANCE")
    asked = words.question(GAME.view(state, A), NAMES)
    assert asked.startswith("Add an orange or black girder, ")
    assert asked.endswith("girder, balanced on one other girder alone, both ends in the air. Which colour?")
    play(state, A, "girder black")
    play(state, A, "grip black girder 2")
    assert words.question(GAME.view(state, A), NAMES) == "In your hand: black girder 2. Put it in its place and let go."
    assert words.question(GAME.view(state, 1), NAMES).startswith("Ann adds an orange or ")


def test_buttons() -> None:
    card = 4
    state = arrange("W K/O", "ONE_BRICK", hands={A: [card]}, foreman="on")
    view = GAME.view(state, A)
    labels = [words.action(action, view) for action in state.legal(A)]
    assert any(label.startswith("Play m05: ") for label in labels)
    assert len(set(labels)) == len(labels)
    assert words.action(state.space.parse("card m01 on deck"), view) == "Play card 1 on the deck"


def test_the_table_as_text() -> None:
    outcome = site([rest(g("P"), s(1)), *standing(w(1), g("P"))], tops={w(1): 90.0})
    state = arrange("G K/O", "BALANCE", outcome)
    board = text.board(GAME.view(state, A), NAMES)
    assert board.headline == "Turn 1, Ann"
    assert board.lines[0].startswith("To add: an orange or ")
    assert board.tables[0].rows[0] == ("worker 1", "90 mm", "purple girder 1")
    assert board.tables[1].rows[0] == ("Ann", "3", "0 of 4", "-")
    assert any(line.startswith("Supply: girders black 7, orange 7, purple 6 and white 7; ") for line in board.lines)
    before = text.board(GAME.view(new_game(2), None), NAMES)
    assert before.headline == "Before the first turn"


def test_options_are_told_apart() -> None:
    for option in GAME.options:
        said = {words.option_value(option.id, value) for value in option.values}
        assert len(said) == len(option.values)
    assert words.option_value("expert", "0+2") == "Seat 1 and Seat 3"


def test_a_position_is_printed_whole() -> None:
    outcome = site([rest(g("P"), s(1)), *standing(w(1), g("P"))], tops={w(1): 90.0})
    state = arrange("G K/O", "BALANCE", outcome, foreman="on", hands={A: [0]})
    printed = repr(state).splitlines()
    assert printed[0] == "Men at Work, 3 players, turn 1"
    assert printed[1].startswith("  CHOOSE; what girder orange or black; how BALANCE; ")
    assert "    90.0 mm  worker 1 on purple girder 1" in printed
    assert printed[-3] == "* A  certificates 3  awards 0  cards m01"
    state.phase = 5
    state.certificates = [1, 0, 0]
    assert repr(state).splitlines()[-1] == "  won by A"
