"""Every game of the shelf, with every player count, every value of every option, and some combinations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from random import Random

import pytest

from shopfloor.engine.dice import Dice, FastDice
from shopfloor.engine.game import Edition, Game
from shopfloor.engine.state import State
from shopfloor.games import REGISTRY

MOST_DECISIONS = 5000
"""A game that takes more is taken to go on for ever."""

COMBINATIONS = 3
"""Sampled combinations of options, a player count."""


@dataclass(frozen=True)
class Case:
    """A way to set up a game."""

    game: Game
    players: int
    options: dict[str, str] = field(hash=False)

    def start(self, dice: Dice | int, report: bool = True) -> State:
        dice = FastDice(dice) if isinstance(dice, int) else dice
        return self.game.start(self.players, dice, self.options, report=report)

    def edition(self) -> Edition:
        return self.game.edition()

    @property
    def seats(self) -> range:
        return range(self.players)

    @property
    def names(self) -> list[str]:
        return ["Ada", "Bo", "Cy", "Dee", "Eve", "Flo", "Gus", "Hal"][: self.players]

    def __str__(self) -> str:
        return "-".join([self.game.id, str(self.players), *(f"{k}={v}" for k, v in self.options.items())])


def values(game: Game, players: int) -> dict[str, list[str]]:
    """Each option's values that a game of so many players allows."""
    return {
        option.id: [value for value in option.values if value not in option.seat_values or int(value) < players]
        for option in game.options
    }


def _set_ups(game: Game, players: int) -> Iterator[dict[str, str]]:
    yield {}
    possible = values(game, players)
    for option in game.options:
        yield from ({option.id: value} for value in possible[option.id] if value != option.default)
    rng = Random(f"{game.id} {players}")
    for _ in range(COMBINATIONS):
        yield {option: rng.choice(choices) for option, choices in possible.items()}


@cache
def all_cases() -> tuple[Case, ...]:
    return tuple(
        Case(game, players, options)
        for game in REGISTRY.all()
        for players in game.player_counts
        for options in _set_ups(game, players)
    )


@cache
def plain_cases() -> tuple[Case, ...]:
    """One a game and player count, with the default options."""
    return tuple(case for case in all_cases() if not case.options)


every_case = pytest.mark.parametrize("case", all_cases(), ids=str)
every_count = pytest.mark.parametrize("case", plain_cases(), ids=str)
every_game = pytest.mark.parametrize("game", REGISTRY.all(), ids=lambda game: game.id)
