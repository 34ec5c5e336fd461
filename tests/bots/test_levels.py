"""The levels: their names, what they refuse, and that each is as strong as it says."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest

from shopfloor.bots import (
    KNOWN,
    LEVELS,
    RESEARCH,
    STAND_IN,
    THINKING,
    Seat,
    UnknownLevel,
    level_below,
    level_words,
    make_bot,
    thinking_time,
)
from shopfloor.bots.erring import ErringBot
from shopfloor.bots.greedy import averaged
from shopfloor.bots.search import FIRST_LOOK, SearchBot
from shopfloor.engine.dice import Dice, FastDice
from shopfloor.engine.game import Game
from shopfloor.engine.state import State
from shopfloor.lab import simulate
from tests.conformance.cases import Case, every_case_with_options, every_count, every_count_but_slow_ones

GAMES = 30


def test_every_level_has_words() -> None:
    titles = [level_words(level)[0] for level in KNOWN]
    assert len(set(titles)) == len(KNOWN)
    for level in KNOWN:
        promise = level_words(level)[1]
        assert promise.endswith(".")
        assert len(promise) <= 75, "a line"
    assert set(THINKING) < set(KNOWN)


def test_people_choose_among_names_that_mean_the_same_everywhere() -> None:
    assert LEVELS == ("random", "apprentice", "journeyman", "master", "foreman")
    assert (*LEVELS, *RESEARCH) == KNOWN
    assert STAND_IN == "journeyman"


def test_a_level_that_fails_has_one_below_it() -> None:
    for level in KNOWN:
        steps = [level]
        while steps[-1] != "random":
            steps.append(level_below(steps[-1]))
            assert len(steps) <= len(KNOWN)
    assert [level_below(level) for level in LEVELS] == ["random", *LEVELS[:-1]]


def test_thinking_times() -> None:
    assert [thinking_time(level) for level in LEVELS] == [0, 0, 0, 2, 5]
    assert [thinking_time(level, 0.5) for level in ("journeyman", "master", "foreman", "search")] == [0, 0.5, 0.5, 0.5]
    # More time does not make a master a foreman; the plain search takes what it is given.
    assert [thinking_time(level, 9) for level in ("master", "foreman", "search")] == [2, 5, 9]


@every_count_but_slow_ones
def test_mistakes_grow_rarer_with_care(case: Case) -> None:
    """At one and the same decision, what a careful hand picks is rated higher than what a careless one does."""
    state = choosing_alone(case)
    seat_ = Seat(case.game, state, state.deciders()[0], FastDice(2))
    ratings = dict(zip(seat_.legal(), averaged(seat_, FastDice(3), 40), strict=True))
    means = []
    for care in (0.0, 2.0, 1000.0):
        picked = [ErringBot(n, care).choose(seat_) for n in range(60)]
        means.append(sum(ratings[action] for action in picked) / len(picked))
    assert means[0] < means[1] < means[2] or max(ratings.values()) == min(ratings.values())
    with pytest.raises(ValueError, match="0 or more"):
        ErringBot(1, -1.0)


class Judging:
    """A game's judgement that says more, or something else, about itself."""

    def __init__(self, judgement: Any, **said: float) -> None:
        self.__dict__.update(said)
        self._judgement = judgement

    def __getattr__(self, name: str) -> Any:
        return getattr(self._judgement, name)


def choosing_alone(case: Case) -> State:
    """A position in which one seat decides alone, and has three actions or more."""
    state = case.start(5)
    while len(state.deciders()) != 1 or len(state.legal(state.deciders()[0])) < 3:
        seat = state.deciders()[0]
        state.play(seat, state.legal(seat)[0])
    return state


@every_count_but_slow_ones
def test_a_forgiving_game_takes_that_much_less_care(case: Case) -> None:
    state = choosing_alone(case)
    judged = [Judging(case.game.judgement, FORGIVING=f) for f in (1.0, 3.0)]
    usual, forgiving = (replace(case.game, judgement=cast(Any, one)) for one in judged)
    picks = [
        [ErringBot(n, care).choose(Seat(game, state, state.deciders()[0], FastDice(2))) for n in range(40)]
        for game, care in ((usual, 1.0), (forgiving, 3.0), (usual, 3.0))
    ]
    assert picks[0] == picks[1]
    ratings = averaged(Seat(usual, state, state.deciders()[0], FastDice(2)), FastDice(3), 40)
    assert picks[0] != picks[2] or max(ratings) == min(ratings)


class Counting(Seat):
    """Counts the positions that are imagined."""

    imagined = 0

    def imagine(self, dice: Dice) -> State:
        self.imagined += 1
        return super().imagine(dice)


@every_count_but_slow_ones
def test_a_master_looks_in_few_positions_and_among_several_less_far(case: Case) -> None:
    state = choosing_alone(case)
    most, reach = (4, 1.0) if case.players == 2 else (1, 0.5)
    seen = []
    for bot in (make_bot("master", 7), SearchBot(7, 60.0, most=most, reach=reach)):
        seat = Counting(case.game, state, state.deciders()[0], FastDice(1))
        seen.append((bot.choose(seat), seat.imagined))
    assert seen[0] == seen[1]
    assert FIRST_LOOK <= seen[0][1] <= FIRST_LOOK + most


def test_an_unknown_level_names_the_known_ones() -> None:
    for refuse in (lambda: make_bot("genius", 1), lambda: level_words("genius")):
        with pytest.raises(UnknownLevel, match="no computer player 'genius'; there is random, apprentice, journeyman"):
            refuse()


@pytest.mark.parametrize("budget", [0.0, -1.0])
def test_no_time_is_no_budget(budget: float) -> None:
    with pytest.raises(ValueError, match="more than 0 seconds"):
        make_bot("search", 1, budget)


@every_count
@pytest.mark.parametrize("level", KNOWN)
def test_nothing_to_decide(case: Case, level: str) -> None:
    s = case.start(1)
    while len(s.deciders()) == case.players:  # a game that begins with a choice of all
        s.play(s.deciders()[0], s.legal(s.deciders()[0])[0])
    waiting = next(seat for seat in case.seats if seat not in s.deciders())
    with pytest.raises(ValueError, match="nothing to decide"):
        make_bot(level, 1, 0.01).choose(Seat(case.game, s, waiting, FastDice(1)))


@every_count_but_slow_ones
def test_a_seed_plays_the_same(case: Case) -> None:
    for level in KNOWN:
        if level not in THINKING:
            runs = [simulate(case.game.id, case.players, 2, seed=seed, bots=level) for seed in (3, 3, 4)]
            one, same, other = ((run.seats, run.decisions) for run in runs)
            assert one == same
            assert one != other


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
