"""What is done by hand in a terminal: orders as people type them, computers, records."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console
from rich.prompt import Prompt

pytest.importorskip("shopfloor.games.men_at_work.world")

from shopfloor.bots import make_bot
from shopfloor.engine.dice import FastDice
from shopfloor.engine.records import load, replay
from shopfloor.games import REGISTRY
from shopfloor.games.men_at_work import GAME
from shopfloor.games.men_at_work import actions as a
from shopfloor.terminal import hands
from shopfloor.terminal.play import Quit, TerminalGame

SEED = bytes([9]) * 32
"""The first player takes a single girder, which has to touch the highest one."""


class Typed:
    """A person at a keyboard."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *answers: str) -> None:
        self.answers = list(answers)
        monkeypatch.setattr(Prompt, "ask", self.ask)

    def ask(self, *_: Any, **__: Any) -> str:
        return self.answers.pop(0) if self.answers else "quit"


def played(monkeypatch: pytest.MonkeyPatch, *answers: str, **options: str) -> tuple[TerminalGame, str]:
    Typed(monkeypatch, *answers)
    screen = io.StringIO()
    bots = {1: make_bot("random", 1)}
    options = {"youngest": "0", **options}
    console = Console(file=screen, width=150)
    game = TerminalGame(console, GAME, ["Ann", "Ben"], bots, SEED, options, GAME.edition(), {1: "apprentice"})
    with pytest.raises(Quit):
        game.run()
    return game, screen.getvalue()


def test_a_turn_from_card_to_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    game, screen = played(
        monkeypatch,
        "design beginner",
        "1",
        "place black girder 2 at 0 20 49.8 0",
        "undo",
        "board",
        "finish",
    )
    assert "place black girder 2 at" in screen
    assert "There is nothing to take back" in screen
    assert [action for seat, action in game.decisions if seat == 0][2:5] == [a.GRIP + 9, a.RELEASE, a.FINISH]
    assert game.decisions[5][0] == 1, "the computer has had its turn, by hand"
    assert [n for n, _ in game.outcomes][:2] == [1, 4]
    record = load(game.record())
    *_, last = replay(record, GAME)
    assert last.state.encode() == game.state.clone().encode()


def test_a_hint_is_an_order_that_can_be_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    game, screen = played(monkeypatch, "design beginner", "1", "hint", "quit")
    assert [action for seat, action in game.decisions] == [0, game.decisions[1][1]], "it has played nothing"
    orders = [line.strip() for line in screen.splitlines() if line.startswith("  place ")]
    assert orders
    assert "rehearsals with a hand of usual steadiness" in screen
    after = game.state.clone()
    done = hands.understood(game.world, after, 0, orders[0])  # type: ignore[arg-type]
    assert done is not None
    hands.played(after, 0, done)
    assert [action for action, _ in done] == [a.GRIP + 9, a.RELEASE]


def test_orders_that_cannot_be(monkeypatch: pytest.MonkeyPatch) -> None:
    game, screen = played(
        monkeypatch,
        "design free",
        "design beginner",
        "1",
        "grip black girder 2",
        "place pink girder at 0 20 50",
        "place white girder 1 at 0 20 50",
        "place black girder 2 at 0 20",
        "put black girder 2 at 0 20 5000",
        "release",
        "put black girder 2 to 150 -150 5 via 100 -150 200 ; 150 -150 150",
    )
    assert "There is no piece" in screen
    assert "is not one of this turn" in screen or "this turn" in screen
    assert "out of reach" in screen
    assert screen.count("Put a piece down with") >= 2
    assert len(game.decisions) == 4
    assert not game.state.over()


def test_games_without_hands_are_as_before() -> None:
    assert hands.world_in(REGISTRY.get("zahltag")) is None
    state = GAME.start(2, FastDice(1), {})
    assert hands.ordinary(None, state, 0, 0) == ((0, None),)
