"""Every game of the shelf: every player count, every value of every option, and some combinations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any

import pytest

from shopfloor.engine.dice import Dice, FastDice
from shopfloor.engine.game import Edition, Game
from shopfloor.engine.state import State
from shopfloor.games import REGISTRY

MOST_DECISIONS = 5000
"""A game that takes more is taken to go on for ever."""

COMBINATIONS = 2
"""Sampled combinations of options, a player count."""


@dataclass(frozen=True)
class Case:
    """A way to set up a game."""

    game: Game
    players: int
    options: dict[str, str] = field(hash=False)
    often: bool = field(default=False, compare=False)
    """Whether the fast tests play it too; the others are for the slow ones."""

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
    """Each option's values that a game of so many players allows, of the options that matter to it."""
    return {
        option.id: [value for value in option.values if value not in option.seat_values or int(value) < players]
        for option in game.options
        if option.matters(players)
    }


def _cases(game: Game) -> Iterator[Case]:
    """Each player count by the usual rules, each value of each option at one of them, sampled combinations at all."""
    possible = {players: values(game, players) for players in game.player_counts}
    singles: dict[int, list[Case]] = {players: [] for players in game.player_counts}
    turn = 0
    for option in game.options:
        for value in option.values:
            counts = [players for players in game.player_counts if value in possible[players].get(option.id, ())]
            if value != option.default:
                players = counts[turn % len(counts)]
                singles[players].append(Case(game, players, {option.id: value}))
                turn += 1
    for players in game.player_counts:
        yield Case(game, players, {}, often=True)
        yield from singles[players]
        rng = Random(f"{game.id} {players}")
        for number in range(COMBINATIONS):
            options = {option: rng.choice(choices) for option, choices in possible[players].items()}
            yield Case(game, players, options, often=number == 0)


@cache
def all_cases() -> tuple[Case, ...]:
    return tuple(case for game in REGISTRY.all() for case in _cases(game))


@cache
def plain_cases() -> tuple[Case, ...]:
    """One a game and player count, with the default options."""
    return tuple(case for case in all_cases() if not case.options)


def _some_of_them_slow(cases: Iterable[Case]) -> list[Any]:
    return [pytest.param(case, marks=() if case.often else pytest.mark.slow) for case in cases]


every_case = pytest.mark.parametrize("case", _some_of_them_slow(all_cases()), ids=str)
"""The usual rules and one combination of options at every player count are fast; the rest belong to the slow tests."""
every_usual_case = pytest.mark.parametrize("case", [case for case in all_cases() if case.often], ids=str)
"""Only those, for tests that would take too long with all."""
every_case_with_options = pytest.mark.parametrize(
    "case", _some_of_them_slow(case for case in all_cases() if case.options), ids=str
)
every_count = pytest.mark.parametrize("case", plain_cases(), ids=str)
every_count_but_slow_ones = pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, marks=() if case.players == min(case.game.player_counts) else pytest.mark.slow)
        for case in plain_cases()
    ],
    ids=str,
)
"""For tests of whole games by players that think: only the fewest players are fast."""
every_game = pytest.mark.parametrize("game", REGISTRY.all(), ids=lambda game: game.id)
