"""The thinking player: it keeps to its time, it can be repeated, and it is worth the time."""

from __future__ import annotations

import time
from random import Random

import pytest

from shopfloor.bots import Bot, Seat, make_bot
from shopfloor.bots.search import Search, SearchBot, Table
from shopfloor.engine.dice import FastDice
from shopfloor.engine.state import State
from tests.conformance.cases import Case, every_case, every_count
from tests.playing import decisions


def choosing(case: Case, seed: int, several: bool) -> State:
    """A position in which somebody has a choice; `several`: and others decide at the same time."""
    s = case.start(seed)
    for _ in decisions(s, Random(seed)):
        deciders = s.deciders()
        if deciders and (len(deciders) > 1) == several and any(len(s.legal(seat)) > 1 for seat in deciders):
            return s
    pytest.skip("this game has no such position")


def play(case: Case, levels: list[Bot], seed: int) -> list[float]:
    s = case.start(seed)
    dice = FastDice(seed + 1)
    while not s.over():
        for seat in s.deciders():
            s.play(seat, levels[seat].choose(Seat(case.game, s, seat, dice)))
    return s.returns()


def share(case: Case, field: str, games: int, iterations: int) -> float:
    """The mean share of a search against a table of `field`, each deal from each seat."""
    total = 0.0
    for n in range(games):
        me = n % case.players
        bots: list[Bot] = [make_bot(field, 9 * n + seat) for seat in case.seats]
        bots[me] = SearchBot(n, iterations=iterations)
        total += play(case, bots, 500 + n // case.players)[me]
    return total / games


@every_case
def test_rounds_decide_the_choice_and_not_the_clock(case: Case) -> None:
    s = case.start(4)
    compared = 0
    for _ in decisions(s, Random(4)):
        for number in s.deciders():
            if len(s.legal(number)) > 1 and compared < 12:
                compared += 1
                chosen = [SearchBot(6, iterations=25).choose(Seat(case.game, s, number, FastDice(5))) for _ in "ab"]
                assert chosen[0] == chosen[1]
                assert chosen[0] in s.legal(number)
    assert compared


@every_count
@pytest.mark.parametrize("budget", [0.05, 0.3])
def test_the_budget_is_kept(case: Case, budget: float) -> None:
    s = choosing(case, 5, False)
    seat = Seat(case.game, s, s.deciders()[0], FastDice(5))
    bot = SearchBot(1, budget)
    started = time.perf_counter()
    bot.choose(seat)
    # Generous, for machines with other things to do; without a limit it would never come back.
    assert time.perf_counter() - started < budget + 1.0


@every_count
def test_no_time_is_spent_where_there_is_no_choice(case: Case) -> None:
    s = case.start(6)
    for _ in decisions(s, Random(6)):
        for number in s.deciders():
            if len(s.legal(number)) == 1:
                started = time.perf_counter()
                assert SearchBot(1, 60.0).choose(Seat(case.game, s, number, FastDice(1))) == s.legal(number)[0]
                assert time.perf_counter() - started < 5.0
                return
    pytest.skip("this game always has a choice")


@every_count
@pytest.mark.parametrize("several", [False, True])
def test_every_round_is_counted_at_the_root(case: Case, several: bool) -> None:
    s = choosing(case, 7, several)
    number = next(seat for seat in s.deciders() if len(s.legal(seat)) > 1)
    search = Search(Seat(case.game, s, number, FastDice(7)), FastDice(8))
    for _ in range(60):
        search.think()
    assert sum(search.own.visits) == 60
    assert min(search.own.sums) >= 0.0
    assert all(total <= visits for total, visits in zip(search.own.sums, search.own.visits, strict=True))


@every_count
def test_picks_do_not_depend_on_what_others_hold_or_pick(case: Case) -> None:
    s = choosing(case, 8, True)
    number = next(seat for seat in s.deciders() if len(s.legal(seat)) > 1)
    search = Search(Seat(case.game, s, number, FastDice(7)), FastDice(8))
    for _ in range(200):
        search.think()
    # At the root there is one table for each seat and each list of actions it may have, and nothing finer.
    keys = list(search.root.tables)
    assert len(keys) == len(set(keys))
    assert [key for key in keys if key[0] == number] == [(number, s.legal(number))]
    assert {seat for seat, _ in keys} <= set(s.deciders())


def test_a_table_finds_the_better_action() -> None:
    dice = FastDice(1)
    # The worst rated action is the best one by far.
    table = Table((10, 11, 12), [3.0, 2.0, 1.0])
    for _ in range(600):
        i = table.pick()
        wins = (30, 40, 80)[i] > dice.below(100)
        table.learn(i, 1.0 if wins else 0.0)
    assert table.actions[table.favourite()] == 12
    assert min(table.visits) > 0
    assert sum(table.visits) == 600


def test_a_table_is_settled_when_the_rest_cannot_change_it() -> None:
    table = Table((1, 2), [0.0, 0.0])
    for _ in range(10):
        table.learn(0, 1.0)
    table.learn(1, 0.0)
    assert table.settled(8)
    assert not table.settled(9)


@every_count
def test_search_beats_random(case: Case) -> None:
    # It wins nearly always; one no better than random would win half at most.
    assert share(case, "random", 12, 25) > 0.7


@pytest.mark.slow
@every_count
def test_search_beats_greedy(case: Case) -> None:
    games = 12 * case.players
    # Equals would get 1 / players; the ladder in docs has its real strength, which is far above this bound.
    assert share(case, "greedy", games, 100) > 1.1 / case.players
