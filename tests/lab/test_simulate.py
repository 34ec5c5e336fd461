"""Simulations: complete, repeatable, the same in any number of processes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from shopfloor.bots import UnknownLevel
from shopfloor.engine.refusals import BadSetup
from shopfloor.engine.registry import UnknownGame
from shopfloor.lab import simulate
from tests.conformance.cases import Case, every_count, every_count_but_slow_ones


@every_count
def test_everything_adds_up(case: Case) -> None:
    told: list[tuple[int, int]] = []
    r = simulate(case.game.id, case.players, 50, seed=1, on_progress=lambda done, of: told.append((done, of)))
    assert (r.game, r.players, r.games) == (case.game.id, case.players, 50)
    assert [seat.seat for seat in r.seats] == list(case.seats)
    assert all(sum(seat.places) == 50 for seat in r.seats)
    assert sum(seat.share for seat in r.seats) == pytest.approx(1.0)
    assert all(len(seat.values) == len(r.criteria) for seat in r.seats)
    for seat in r.seats:
        assert seat.place == pytest.approx(sum(k * n for k, n in enumerate(seat.places, 1)) / 50)
    mean, fewest, most = r.decisions
    assert 0 < fewest <= mean <= most
    assert r.games_per_second > 0
    assert r.decisions_per_second > r.games_per_second
    assert told == sorted(told)
    assert told[-1] == (50, 50)


@every_count_but_slow_ones
def test_processes_change_nothing_but_the_time(case: Case) -> None:
    one = simulate(case.game.id, case.players, 12, seed=5, bots=["greedy"] + ["random"] * (case.players - 1))
    two = simulate(case.game.id, case.players, 12, 5, ["greedy"] + ["random"] * (case.players - 1), processes=2)
    assert replace(one, seconds=0) == replace(two, seconds=0)


@every_count
def test_the_first_games_are_the_same_in_a_longer_run(case: Case) -> None:
    short = simulate(case.game.id, case.players, 1, seed=9)
    other = simulate(case.game.id, case.players, 1, seed=10)
    both = simulate(case.game.id, case.players, 2, seed=9)
    for a, b, c in zip(short.seats, other.seats, both.seats, strict=True):
        assert [x + y for x, y in zip(a.places, b.places, strict=True)] == list(c.places)


@every_count
def test_options_and_editions_count(case: Case) -> None:
    for option in case.game.options:
        simulate(
            case.game.id, case.players, 1, options={option.id: option.values[-1]} if not option.seat_values else {}
        )
    with pytest.raises(BadSetup):
        simulate(case.game.id, case.players, 1, options={"no_such_option": "1"})
    own = case.game.folder / "data"
    given = simulate(case.game.id, case.players, 2, edition=own)
    assert given.seats == simulate(case.game.id, case.players, 2).seats


@every_count
def test_what_makes_no_sense(case: Case) -> None:
    game = case.game.id
    with pytest.raises(UnknownGame):
        simulate("solitaire", 2, 1)
    with pytest.raises(BadSetup):
        simulate(game, 99, 1)
    with pytest.raises(UnknownLevel):
        simulate(game, case.players, 1, bots="genius")
    with pytest.raises(ValueError, match="one for all, or one for each seat"):
        simulate(game, case.players, 1, bots=["random"] * (case.players + 1))
    with pytest.raises(ValueError, match="at least 1 game"):
        simulate(game, case.players, 0)
    with pytest.raises(ValueError, match="not negative"):
        simulate(game, case.players, 1, seed=-1)
    with pytest.raises(ValueError, match="at least 1 process"):
        simulate(game, case.players, 5, processes=0)
