"""Tables in the position that a test needs, played there by sensible decisions."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from shopfloor.engine.dice import FastDice
from shopfloor.tables.model import Table
from shopfloor.tables.service import Tables

NAMES = ("Ada", "Bela", "Cleo", "Dino", "Edda")
Until = Callable[[Any], bool]
Wanted = Callable[[Any, int], bool]
"""Whether a seat's view is one that a test looks for."""
Choose = Callable[[Any, Random], int]
"""Takes one of a view's legal actions."""


@dataclass
class Staged:
    """A table, and the tokens of those who sit at it, by seat."""

    id: str
    tokens: list[str]

    @property
    def path(self) -> str:
        return f"/t/{self.id}"


@dataclass
class Moment:
    """A table at a wanted moment, and the seat that decides there."""

    staged: Staged
    seat: int

    @property
    def token(self) -> str:
        return self.staged.tokens[self.seat]


class Stage:
    def __init__(self, tables: Tables) -> None:
        self.tables = tables

    def lobby(
        self,
        players: int = 4,
        seated: int = 1,
        options: dict[str, str] | None = None,
        game: str = "zahltag",
        name: str = "Night Shift",
    ) -> Staged:
        """A table that has not started."""
        tokens = [secrets.token_urlsafe(32) for _ in range(players)]
        made = self.tables.create(game, players, options or {}, name, tokens[0])
        for seat in range(seated):
            self.tables.sit(made.table_id, NAMES[seat], tokens[seat], seat)
        return Staged(made.table_id, tokens)

    def game(
        self,
        until: Until | None = None,
        players: int = 4,
        options: dict[str, str] | None = None,
        clumsy: int | None = None,
    ) -> Staged:
        """A game of people, played until the spectator's view is as wanted (None: not at all).

        clumsy: a seat that hires whatever it can and never builds, while the others send their crews back.
        Raises AssertionError if that has not come in 40 games: no two tables draw the same cards.
        """
        for _ in range(40):
            staged = self.lobby(players, players, {"first_player": "0", **(options or {})})
            self.tables.start(staged.id, staged.tokens[0])
            if until is None or self.play(staged, until, clumsy):
                return staged
        raise AssertionError("40 games came to their end, and it never was as wanted")

    def moment(
        self, game: str, wanted: Wanted, choose: Choose, players: int = 4, options: dict[str, str] | None = None
    ) -> Moment:
        """Play games of people by chance until somebody who decides, or anybody at the end, sees what is wanted.

        Raises AssertionError if that has not come in 40 games.
        """
        rng = Random(7)
        for _ in range(40):
            staged = self.lobby(players, players, options, game, "Temp Work")
            self.tables.start(staged.id, staged.tokens[0])
            while True:
                table = self.tables.table(staged.id)
                deciders = table.deciders()
                found = next((seat for seat in deciders or range(players) if wanted(table.view(seat), seat)), None)
                if found is not None:
                    return Moment(staged, found)
                if not deciders:
                    break
                seat = rng.choice(deciders)
                self.act(staged, seat, choose(table.view(seat), rng))
        raise AssertionError("it never came to the wanted moment")

    def play(self, staged: Staged, until: Until, clumsy: int | None = None) -> bool:
        """Go on until the spectator's view is as wanted: was it, before the game was over?"""
        dice = FastDice(5)
        while True:
            table = self.tables.table(staged.id)
            view: Any = table.view(None)
            if until(view):
                return True
            if not table.deciders():
                return False
            seat = table.deciders()[-1]
            self.act(staged, seat, _choose(table, seat, dice, clumsy))

    def act(self, staged: Staged, seat: int, action: int) -> None:
        table = self.tables.table(staged.id)
        based_on = table.decision_number(seat)
        self.tables.act(staged.id, staged.tokens[seat], action, based_on, secrets.token_hex(8))

    def view(self, staged: Staged, seat: int | None = None) -> Any:
        return self.tables.table(staged.id).view(seat)


def _choose(table: Table, seat: int, dice: FastDice, clumsy: int | None) -> int:
    legal = table.legal(seat)
    if clumsy is not None:
        view: Any = table.view(None)
        wanted = (2, 1, 3, 4) if seat == clumsy else (5, 6, 7, 8) if view.seats[seat].hand_count > 3 else ()
        return next((action for action in wanted if action in legal), legal[0])
    rates = table.bot_seat(seat, dice).rate()
    return legal[max(range(len(legal)), key=rates.__getitem__)]
