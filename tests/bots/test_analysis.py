"""Finished games looked at again: chances that add up, accounts that balance, costs that are found where they were."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import pytest

from shopfloor.bots.analysis import COSTLY, NOTABLE, Analysis, analyse
from shopfloor.engine.records import Record
from shopfloor.engine.world import has_world
from shopfloor.lab.match import Log, play_game
from tests.conformance.cases import Case, plain_cases


def played(case: Case, *levels: str, seed: int = 5) -> Record:
    log = Log()
    play_game(case.game, case.edition(), levels or ("greedy",) * case.players, seed, log=log)
    assert log.record is not None
    return log.record


def ticking() -> Callable[[], float]:
    """A clock that ticks when it is looked at: what is found must not depend on how quick the machine is."""
    looks = itertools.count()
    return lambda: 0.001 * next(looks)


FEW_AND_MANY = pytest.mark.parametrize(
    "case", [c for c in plain_cases() if c.players in (c.game.player_counts[0], c.game.player_counts[-1])], ids=str
)
SEEN: dict[str, Analysis] = {}


def looked_at(case: Case) -> Analysis:
    if str(case) not in SEEN:
        record = played(case, "apprentice", *["greedy"] * (case.players - 1))
        SEEN[str(case)] = analyse(case.game, record, 1, 4.0, 10, ticking())
    return SEEN[str(case)]


@FEW_AND_MANY
def test_chances_add_up_and_end_with_who_won(case: Case) -> None:
    record = played(case, "apprentice", *["greedy"] * (case.players - 1))
    found = looked_at(case)
    assert found.decisions == len(record.decisions)
    for moment in found.moments:
        assert math.isclose(sum(moment.chances), 1.0, abs_tol=1e-9)
        assert all(0.0 <= chance <= 1.0 for chance in moment.chances)
    numbers = [moment.decisions for moment in found.moments]
    assert numbers == sorted(set(numbers))
    assert (numbers[0], numbers[-1]) == (0, found.decisions)
    first = [seat for seat, place in record.standing if place == 1]
    assert found.moments[-1].chances == tuple(float(seat in first) / len(first) for seat in case.seats)


@FEW_AND_MANY
def test_accounts_balance(case: Case) -> None:
    found = looked_at(case)
    for account in found.accounts:
        total = account.start + account.own + account.hand + account.others + account.luck
        assert math.isclose(total, account.result, abs_tol=1e-9)
        assert account.own_low <= account.own <= account.own_high
    # What one gives away the others get, and luck gives only what it takes elsewhere.
    assert math.isclose(
        sum(account.own + account.hand + account.others for account in found.accounts), 0.0, abs_tol=1e-9
    )
    assert math.isclose(sum(account.luck for account in found.accounts), 0.0, abs_tol=1e-9)


@FEW_AND_MANY
def test_mistakes_are_decisions_of_the_record(case: Case) -> None:
    found = looked_at(case)
    assert found.accounts[0].judged > 5 or found.by_hand > found.decisions / 2
    assert len(found.costly) <= COSTLY
    record = played(case, "apprentice", *["greedy"] * (case.players - 1))
    costs = [one.cost for one in found.costly]
    assert costs == sorted(costs, reverse=True)
    for one in found.costly:
        assert (one.seat, one.action) == record.decisions[one.decision - 1]
        assert one.better != one.action
        assert 0.0 < one.low <= one.cost <= one.high
    assert all(0 < number <= found.decisions for number in found.turning)


@pytest.mark.parametrize("case", [case for case in plain_cases() if case.players == 2], ids=str)
def test_who_plays_at_random_gives_the_most_away(case: Case) -> None:
    game = analyse(case.game, played(case, "random", "greedy", seed=5), 1, 6.0, 10, ticking())
    blind, sensible = (account.own + account.hand for account in game.accounts)
    assert blind < sensible
    costly = [(one.seat, one.cost) for one in game.costly]
    costly += [(one.seat, one.before - one.after) for one in game.slips]
    assert costly
    assert sum(cost for seat, cost in costly if seat == 0) > sum(cost for seat, cost in costly if seat == 1)


@pytest.mark.parametrize("case", [case for case in plain_cases() if has_world(case.game)], ids=str)
def test_what_hands_do_is_told_by_the_chances_before_and_after(case: Case) -> None:
    record = played(case)
    found = analyse(case.game, record, 1, 1.0, 10, ticking())
    assert found.by_hand > 0
    chances = {moment.decisions: moment.chances for moment in found.moments}
    for one in found.slips:
        assert (one.seat, one.action) == record.decisions[one.decision - 1]
        assert (one.before, one.after) == (chances[one.decision - 1][one.seat], chances[one.decision][one.seat])
        assert one.before - one.after >= NOTABLE
        # It is compared with nothing, and nothing is played again.
        assert all(costly.decision != one.decision for costly in found.costly)
    lost = [one.before - one.after for one in found.slips]
    assert lost == sorted(lost, reverse=True)


WITHOUT_HANDS = [
    case for case in plain_cases() if not has_world(case.game) and case.players == case.game.player_counts[0]
]


@pytest.mark.parametrize("case", WITHOUT_HANDS, ids=str)
def test_a_game_without_hands_says_nothing_of_them(case: Case) -> None:
    found = analyse(case.game, played(case), 1, 0.2, 2, ticking())
    assert (found.by_hand, found.slips, [account.hand for account in found.accounts]) == (0, (), [0.0] * case.players)


@FEW_AND_MANY
def test_time_is_kept(case: Case) -> None:
    found = analyse(case.game, played(case), 1, 0.5, clock=ticking())
    # A world that was begun when the time was up is cut off at the next look.
    assert found.seconds <= 0.55


@FEW_AND_MANY
def test_an_unfinished_game_is_not_looked_at(case: Case) -> None:
    record = played(case)
    cut = Record(**{**record.__dict__, "decisions": record.decisions[:3], "finished": False, "standing": ()})
    with pytest.raises(ValueError, match="only a finished game"):
        analyse(case.game, cut)
