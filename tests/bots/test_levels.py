"""The levels: their names, what they refuse, and that each is as strong as it says."""

from __future__ import annotations

import pytest

from shopfloor.bots import LEVELS, THINKING, Seat, UnknownLevel, level_words, make_bot
from shopfloor.engine.dice import FastDice
from shopfloor.engine.game import Game
from shopfloor.lab import simulate
from tests.conformance.cases import Case, every_case_with_options, every_count, every_count_but_slow_ones

GAMES = 30


def test_every_level_has_words() -> None:
    titles = [level_words(level)[0] for level in LEVELS]
    assert len(set(titles)) == len(LEVELS)
    assert all(level_words(level)[1].endswith(".") for level in LEVELS)
    assert set(THINKING) <= set(LEVELS)


def test_an_unknown_level_names_the_known_ones() -> None:
    for refuse in (lambda: make_bot("genius", 1), lambda: level_words("genius")):
        with pytest.raises(UnknownLevel, match="no computer player 'genius'; there is random, greedy, search"):
            refuse()


@pytest.mark.parametrize("budget", [0.0, -1.0])
def test_no_time_is_no_budget(budget: float) -> None:
    with pytest.raises(ValueError, match="more than 0 seconds"):
        make_bot("search", 1, budget)


@every_count
@pytest.mark.parametrize("level", LEVELS)
def test_nothing_to_decide(case: Case, level: str) -> None:
    s = case.start(1)
    while len(s.deciders()) == case.players:  # a game that begins with a choice of all
        s.play(s.deciders()[0], s.legal(s.deciders()[0])[0])
    waiting = next(seat for seat in case.seats if seat not in s.deciders())
    with pytest.raises(ValueError, match="nothing to decide"):
        make_bot(level, 1, 0.01).choose(Seat(case.game, s, waiting, FastDice(1)))


@every_count
def test_a_seed_plays_the_same(case: Case) -> None:
    for level in LEVELS:
        if level not in THINKING:
            runs = [simulate(case.game.id, case.players, 2, seed=3, bots=level) for _ in range(2)]
            assert runs[0].seats == runs[1].seats
            assert runs[0].seats != simulate(case.game.id, case.players, 2, seed=4, bots=level).seats


def rotated(game: Game, players: int, level: str, field: str, games: int) -> tuple[float, float]:
    """Mean share and place of one of a level against the rest, over the seats."""
    shares = []
    places = []
    for seat in range(players):
        levels = [level if s == seat else field for s in range(players)]
        result = simulate(game.id, players, games // players, seed=1000 * seat, bots=levels)
        shares.append(result.seats[seat].share)
        places.append(result.seats[seat].place)
    return sum(shares) / players, sum(places) / players


@every_count_but_slow_ones
def test_greedy_beats_random(case: Case) -> None:
    share, place = rotated(case.game, case.players, "greedy", "random", GAMES)
    # It wins about 98 of 100; a player no better than the others would come to half of this at most.
    assert share > 0.85
    assert place < 1.3


@every_case_with_options
def test_greedy_beats_random_by_all_options(case: Case) -> None:
    share = 0.0
    for seat in case.seats:
        levels = ["greedy" if s == seat else "random" for s in case.seats]
        result = simulate(case.game.id, case.players, 4, 50, levels, case.options)
        share += result.seats[seat].share / case.players
    assert share > 0.7
