"""The games that declare observations, in the ways in which the conformance suite gives them."""

from __future__ import annotations

import pytest

from shopfloor.games import REGISTRY
from shopfloor.lab.observations import declared
from tests.conformance import cases

GAMES = [game for game in REGISTRY.all() if declared(game)]

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
every_count = pytest.mark.parametrize("case", [c for c in cases.plain_cases() if declared(c.game)], ids=str)
every_count_but_slow_ones = pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, marks=() if case.players == min(case.game.player_counts) else pytest.mark.slow)
        for case in cases.plain_cases()
        if declared(case.game)
    ],
    ids=str,
)
"""For tests that take their time: only the fewest players are fast."""
every_case = pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, marks=() if case.often else pytest.mark.slow)
        for case in cases.all_cases()
        if declared(case.game)
    ],
    ids=str,
)
