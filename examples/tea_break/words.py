"""Sentences for Tea Break. Each is whole in the catalogue, so that another language is another catalogue."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from examples.tea_break.view import TeaBreakView
from shopfloor.engine.events import Event
from shopfloor.engine.refusals import Refusal
from shopfloor.engine.views import View

MESSAGES: Final = {
    "plate": "A plate with biscuits: {biscuits}. On the table now: {table}.",
    "hidden": "{seat} puts the {card} face down.",
    "shown": "The cards are shown: {cards}.",
    "taken": "{seat} takes all biscuits with the {card}: {biscuits}.",
    "left.True": "No card is alone. The biscuits stay: {biscuits}.",
    "left.False": "No card is alone. Biscuits that go back into the tin: {biscuits}.",
    "over": "The break is over. Most biscuits, {biscuits}: {winners}.",
    "GAME_OVER": "The break is over.",
    "NOT_YOUR_TURN": "You have nothing to decide now.",
    "ALREADY_HIDDEN": "You have put a card face down already.",
    "CARD_IS_OUT": "Your {card} is out of the game.",
    "MALFORMED": "There is no such action.",
    "BAD_PLAYER_COUNT": "Tea Break is for two to five.",
    "BAD_OPTION": "There is no such option, or no such value of it.",
    "action": "Card {card}",
    "question.over": "The break is over.",
    "question.wait": "Waiting for {seats}.",
    "question.choose": "Which card do you put face down?",
}


def _names(numbers: Sequence[int], seats: Sequence[str]) -> str:
    return ", ".join(seats[number] for number in numbers)


def event(event: Event, seats: Sequence[str], viewer: int | None) -> str:
    facts: dict[str, Any] = dict(event.facts)
    if "seat" in facts:
        facts["seat"] = seats[facts["seat"]]
    if event.kind == "shown":
        facts["cards"] = ", ".join(f"{name} {card}" for name, card in zip(seats, facts["cards"], strict=True))
    if event.kind == "over":
        facts["winners"] = _names(facts["winners"], seats)
    return MESSAGES[f"left.{facts['stay']}" if event.kind == "left" else event.kind].format(**facts)


def refusal(refusal: Refusal, seats: Sequence[str]) -> str:
    return MESSAGES[refusal.code].format(**refusal.facts)


def action(action: int, state_view: View) -> str:
    return MESSAGES["action"].format(card=action + 1)


def question(view: View, seats: Sequence[str]) -> str:
    assert isinstance(view, TeaBreakView)
    if view.over:
        return MESSAGES["question.over"]
    if view.seat in view.deciders:
        return MESSAGES["question.choose"]
    return MESSAGES["question.wait"].format(seats=_names(view.deciders, seats))


def option(option: str) -> tuple[str, str]:
    return "Leftovers", "What becomes of biscuits that nobody takes?"


def option_value(option: str, value: str) -> str:
    return {"stay": "They stay on the table", "tin": "They go back into the tin"}[value]


def criterion(criterion: str) -> tuple[str, str]:
    return "Biscuits", "has more biscuits"


def criterion_value(criterion: str, value: int) -> str:
    return str(value)
