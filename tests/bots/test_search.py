"""The thinking player: it keeps to its time, it can be repeated, and it is worth the time."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from shopfloor.bots import Bot, Seat, make_bot
from shopfloor.bots.search import FIRST_LOOK, SAME, Mixer, Search, SearchBot, Table, chances
from shopfloor.engine.dice import FastDice
from shopfloor.engine.state import State
from tests.conformance.cases import Case, every_count, every_count_but_slow_ones, plain_cases
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


@every_count
def test_rounds_decide_the_choice_and_not_the_clock(case: Case) -> None:
    s = case.start(4)
    compared = 0
    for _ in decisions(s, Random(4)):
        if compared == 12:
            break
        for number in s.deciders():
            if len(s.legal(number)) > 1 and compared < 12:
                compared += 1
                chosen = [SearchBot(6, iterations=25).choose(Seat(case.game, s, number, FastDice(5))) for _ in "ab"]
                assert chosen[0] == chosen[1]
                assert chosen[0] in s.legal(number)
    assert compared


class Clock:
    """A clock that is a hundredth of a second further each time it is looked at."""

    def __init__(self) -> None:
        self.time = 5.0

    def __call__(self) -> float:
        self.time += 0.01
        return self.time


@every_count
@pytest.mark.parametrize("budget", [0.05, 0.3])
def test_the_budget_is_kept(case: Case, budget: float) -> None:
    s = choosing(case, 5, False)
    seat = Seat(case.game, s, s.deciders()[0], FastDice(5))
    clock = Clock()
    SearchBot(1, budget, clock=clock).choose(seat)
    assert clock.time - 5.0 <= budget + 0.03
    assert SearchBot(1, budget).choose(seat) in seat.legal(), "by the machine's own clock"


@every_count
@pytest.mark.parametrize("looks", [6, 25, 40])
def test_a_world_for_which_the_time_runs_out_does_not_count(case: Case, looks: int) -> None:
    s = choosing(case, 5, False)
    clock = Clock()
    search = Search(Seat(case.game, s, s.deciders()[0], FastDice(5)), FastDice(8), clock, 5.0 + 0.01 * looks)
    while not search.late and not search.settled():
        search.think()
    assert clock.time - 5.0 <= 0.01 * (looks + 1)
    assert search.worlds < looks
    assert all(len(search.results[i]) == search.worlds for i in search.running)
    assert search.actions[search.best()] in s.legal(s.deciders()[0])


@every_count
def test_no_time_is_spent_where_there_is_no_choice(case: Case) -> None:
    s = case.start(6)
    for _ in decisions(s, Random(6)):
        for number in s.deciders():
            if len(s.legal(number)) == 1:
                clock = Clock()
                bot = SearchBot(1, 60.0, clock=clock)
                assert bot.choose(Seat(case.game, s, number, FastDice(1))) == s.legal(number)[0]
                assert clock.time - 5.0 < 0.05, "it does not think for a minute"
                return
    pytest.skip("this game always has a choice")


def searching(case: Case, seed: int, several: bool, worlds: int) -> Search:
    s = choosing(case, seed, several)
    number = next(seat for seat in s.deciders() if len(s.legal(seat)) > 1)
    search = Search(Seat(case.game, s, number, FastDice(7)), FastDice(8))
    for _ in range(worlds):
        search.think()
    return search


def racing(case: Case) -> Search:
    """A search that has thought about nothing yet and has several candidates."""
    return next(search for seed in range(10, 40) if len((search := searching(case, seed, False, 0)).running) > 1)


@every_count
@pytest.mark.parametrize("several", [False, True])
def test_candidates_in_the_race_have_been_through_the_same_worlds(case: Case, several: bool) -> None:
    search = searching(case, 7, several, 40)
    assert search.worlds == 40
    assert search.running
    assert all(len(search.results[i]) == 40 for i in search.running)
    assert all(len(results) <= 40 for results in search.results)
    assert all(0.0 <= result <= 1.0 for results in search.results for result in results)
    means = {i: sum(search.results[i]) for i in search.running}
    assert means[search.best()] == max(means.values())


@every_count
def test_picks_do_not_depend_on_what_others_hold_or_pick(case: Case) -> None:
    search = searching(case, 8, True, 60)
    # At the root the others have one table for each list of actions they may have, and nothing finer: no other's
    # cards, no other's picks. (The seat itself has no table there; its candidates race.)
    assert {seat for seat, _ in search.root.tables} <= set(range(case.players)) - {search.seat.seat}
    for (_, actions), table in search.root.tables.items():
        assert table.actions == actions
        assert sum(table.visits) == table.count
    # Every candidate in each world taught the others once.
    tried = sum(len(results) for results in search.results)
    assert all(table.count <= tried for table in search.root.tables.values())


@every_count
def test_before_the_first_world_the_best_rated_action_leads(case: Case) -> None:
    s = choosing(case, 9, False)
    seat = Seat(case.game, s, s.deciders()[0], FastDice(7))
    search = Search(seat, FastDice(8))
    dice = FastDice(8)
    total = [0.0] * len(seat.legal())
    for _ in range(FIRST_LOOK):
        for i, rating in enumerate(case.game.judgement.rate(seat.imagine(dice), seat.seat)):
            total[i] += rating
    assert total[search.best()] == max(total)


@every_count
def test_the_hopeless_are_dropped_and_the_last_one_settles_it(case: Case) -> None:
    search = racing(case)
    best = search.running[0]
    search.worlds = 20
    for i in search.running:
        search.results[i] = [0.5 + 0.01 * (n % 2) for n in range(20)]
    search.results[best] = [0.6 - 0.01 * (n % 3) for n in range(20)]
    search._drop()
    assert search.running == [best]
    assert search.settled()


@every_count
def test_those_that_differ_by_luck_only_stay_in_the_race(case: Case) -> None:
    search = racing(case)
    dice = FastDice(1)
    everybody = list(search.running)
    search.worlds = 40
    for n, i in enumerate(everybody):
        search.results[i] = [(dice.below(100) + n % 2) / 101 for _ in range(40)]
    search._drop()
    assert len(search.running) > len(everybody) / 2


@every_count
def test_of_those_that_never_differ_one_is_enough(case: Case) -> None:
    search = racing(case)
    for worlds, left in ((SAME - 1, len(search.running)), (SAME, 1)):
        search.worlds = worlds
        for i in search.running:
            search.results[i] = [0.5] * worlds
        search._drop()
        assert len(search.running) == left


def test_a_table_finds_the_better_action() -> None:
    dice = FastDice(1)
    # The worst rated action is the best one by far.
    table = Table((10, 11, 12), chances([3.0, 2.0, 1.0]))
    for _ in range(600):
        i = table.pick()
        wins = (30, 40, 80)[i] > dice.below(100)
        table.learn(i, 1.0 if wins else 0.0)
    assert max(table.visits) == table.visits[2] > 400
    assert min(table.visits) > 0
    assert sum(table.visits) == table.count == 600


def test_mixers_that_play_each_other_come_close_to_an_equilibrium() -> None:
    dice = FastDice(3)
    pay = [[0.9, 0.2], [0.3, 0.6]]  # the first mixes 3 to 7, the second 4 to 6, and the first gets 0.48
    mine, other = Mixer((10, 11), chances([1.0, 0.0]), dice), Mixer((20, 21), chances([1.0, 0.0]), dice)
    for _ in range(4000):
        j = other.pick()
        mine.regret([pay[0][j], pay[1][j]])  # as the seat that thinks: all its candidates meet the same picks
        other.learn(j, 1.0 - sum(p * pay[k][j] for k, p in enumerate(mine.mix())))  # as the others: what they picked
    first, second = ([weight / sum(mixer.weights) for weight in mixer.weights] for mixer in (mine, other))
    assert min(first[0] * pay[0][j] + first[1] * pay[1][j] for j in (0, 1)) > 0.48 - 0.06
    assert max(second[0] * pay[i][0] + second[1] * pay[i][1] for i in (0, 1)) < 0.48 + 0.06
    assert sum(other.visits) == other.count == 4000
    # What is decided with leaves out what came up less than half as often as the most frequent.
    assert mine.average() == [0.0, 1.0]
    assert other.average() == pytest.approx(second)


def test_a_mixer_begins_with_what_is_rated_best_and_never_picks_what_is_dropped() -> None:
    mixer = Mixer((1, 2, 3), chances([3.0, 0.0, 0.0]), FastDice(1))
    assert mixer.mix().index(max(mixer.mix())) == 0
    assert sum(mixer.mix()) == pytest.approx(1.0)
    mixer.drop(0)
    for _ in range(50):
        assert mixer.pick() != 0
        mixer.regret([1.0, 0.5, 0.5])
    assert mixer.average()[0] == 0.0
    assert sum(mixer.average()) == pytest.approx(1.0)
    # Without any regret left, the ratings decide among those that are still there.
    mixer.regrets = [0.0, 0.0, 0.0]
    assert mixer.mix() == pytest.approx([0.0, 0.5, 0.5])


@every_count
def test_what_is_decided_alone_is_the_best_and_what_several_decide_is_drawn(case: Case) -> None:
    alone = searching(case, 7, False, 20)
    # Where others have sealed their choices already, these are taken back, and it is not alone.
    if alone.mixer.steps == 0:
        assert alone.decide() == alone.best()
    together = searching(case, 7, True, 20)
    if together.mixer.steps == 0:
        pytest.skip("nobody else had a choice")
    assert together.mixer.steps <= together.worlds
    odds = together.mixer.average()
    drawn = {together.decide() for _ in range(100)}
    assert drawn <= set(together.running)
    assert drawn <= {i for i, p in enumerate(odds) if p > 0.0} or drawn == {together.best()}


def test_what_explains_better_what_was_done_is_imagined_more_often() -> None:
    case = next(case for case in plain_cases() if case.game.id == "zahltag" and case.players == 3)
    s = choosing(case, 3, False)
    number = s.deciders()[0]
    search = Search(Seat(case.game, s, number, FastDice(7)), FastDice(8))
    other = (number + 1) % 3

    def first_type(state: Any) -> int:
        return int(state.hand[4 * other])

    plain = [first_type(search.seat.imagine(search.dice)) for _ in range(3000)]
    most = max(set(plain), key=plain.count)
    before = plain.count(most) / len(plain)
    # Thrice as plausible as the rest: of so many drawn, nearly thrice as often against the rest.
    search.plausibility = lambda state, _seat: 3.0 if first_type(state) == most else 1.0
    search.drawn = 12
    chosen = [first_type(search.imagine()) for _ in range(3000)]
    after = chosen.count(most) / len(chosen)
    wanted = 3.0 * before / (3.0 * before + 1.0 - before)
    assert before + 0.5 * (wanted - before) < after < wanted + 0.05
    search.drawn = 1
    chosen = [first_type(search.imagine()) for _ in range(3000)]
    assert abs(chosen.count(most) / len(chosen) - before) < 0.06


@every_count_but_slow_ones
def test_search_beats_random(case: Case) -> None:
    # It wins nearly always; one no better than random would win half at most.
    assert share(case, "random", max(4, case.players), 10) > 0.7


@pytest.mark.slow
@pytest.mark.parametrize("case", [case for case in plain_cases() if case.players < 4], ids=str)
def test_search_is_no_weaker_than_greedy(case: Case) -> None:
    # Equals get 1 / players; one that had lost its mind would get next to nothing. So few games cannot show by how
    # much it is stronger: that is what the ladder in docs is for.
    assert share(case, "greedy", 2 * case.players, 10) > 0.5 / case.players


@every_count_but_slow_ones
def test_reach_is_a_part_of_how_far_the_game_looks_ahead(case: Case) -> None:
    s = choosing(case, 3, False)
    seat = Seat(case.game, s, next(n for n in s.deciders() if len(s.legal(n)) > 1), FastDice(1))
    far = Search(seat, FastDice(2)).look_ahead
    assert [Search(seat, FastDice(2), reach=part).look_ahead for part in (1.0, 0.5, 0.0)] == [far, round(far / 2), 1]


class Silent:
    """Stands where a game's judgement and view are, and says nothing."""

    def __getattr__(self, name: str) -> object:
        if name == "LOOK_AHEAD":
            raise AttributeError(name)
        raise AssertionError(f"{name} was asked for")


@every_count_but_slow_ones
def test_rollouts_ask_neither_judgement_nor_view(case: Case) -> None:
    silent: Any = Silent()
    plain = replace(case.game, judgement=silent, viewer=silent)
    for several in (False, True):
        s = case.start(2)
        for _ in decisions(s, Random(2)):
            deciders = s.deciders()
            if deciders and (len(deciders) > 1) == several and len(s.legal(deciders[0])) > 1:
                bots = [SearchBot(6, iterations=3, rollouts=True) for _ in "ab"]
                chosen = [bot.choose(Seat(plain, s, deciders[0], FastDice(5))) for bot in bots]
                assert chosen[0] == chosen[1]
                assert chosen[0] in s.legal(deciders[0])
                break


@pytest.mark.slow
@pytest.mark.parametrize("case", [case for case in plain_cases() if str(case) == "zahltag-3"], ids=str)
def test_rollouts_are_worth_more_than_chance(case: Case) -> None:
    total = 0.0
    games = 4 * case.players
    for n in range(games):
        me = n % case.players
        bots: list[Bot] = [make_bot("random", 9 * n + seat) for seat in case.seats]
        bots[me] = SearchBot(n, iterations=8, rollouts=True)
        total += play(case, bots, 700 + n // case.players)[me]
    assert total / games > 1.6 / case.players
