"""Observations: made from Views alone, complete, within their ranges, of constant shape, described field by field."""

from __future__ import annotations

import types
from array import array
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from random import Random
from typing import Any, Union, get_args, get_origin, get_type_hints

import numpy
import pytest

from shopfloor.bots import Seat
from shopfloor.bots.greedy import GreedyBot
from shopfloor.engine.dice import FastDice
from shopfloor.engine.game import Game
from shopfloor.engine.state import State
from shopfloor.engine.views import View, plain
from shopfloor.games import REGISTRY
from shopfloor.lab.fields import Declaration
from shopfloor.lab.observations import ObservationError, Observer
from tests.conformance.cases import Case
from tests.lab.observed import GAMES, every_case, every_count, every_count_but_slow_ones, every_game
from tests.playing import decisions

OBSERVERS: dict[tuple[str, int], Observer] = {}


def observer(game: Game, players: int) -> Observer:
    if (game.id, players) not in OBSERVERS:
        OBSERVERS[game.id, players] = Observer(game, players, strict=True)
    return OBSERVERS[game.id, players]


def positions(case: Case, seed: int, most: int = 80) -> Iterator[State]:
    """Positions of a game that is played at random, or with sense: both get to places where the other does not."""
    s = case.start(seed, report=False)
    rng = Random(seed)
    bot = GreedyBot(seed)
    dice = FastDice(seed)
    yield s
    if seed % 2:
        for _ in decisions(s, rng):
            if rng.random() < 0.08:
                yield s
    else:
        for _ in range(most):
            if s.over():
                return
            seat = rng.choice(s.deciders())
            s.play(seat, bot.choose(Seat(case.game, s, seat, dice)))
            if rng.random() < 0.15:
                yield s


@every_case
def test_within_range_and_of_constant_shape(case: Case) -> None:
    watch = observer(case.game, case.players)
    buffer = numpy.empty(watch.size, numpy.float32)
    for seed in (1, 2):
        for s in positions(case, seed):
            for seat in case.seats:
                buffer.fill(numpy.nan)
                watch.fill(case.game.view(s, seat), buffer)
                assert numpy.isfinite(buffer).all()
                assert buffer.min() >= 0
                assert buffer.max() <= 1


@every_count_but_slow_ones
def test_equal_for_positions_that_a_seat_cannot_tell_apart(case: Case) -> None:
    watch = observer(case.game, case.players)
    dice = FastDice(8)
    for s in positions(case, 3):
        for seat in case.seats:
            seen = watch.observe(case.game.view(s, seat))
            imagined = s.imagine(seat, dice)
            assert watch.observe(case.game.view(imagined, seat)) == seen


def _normal(value: object, path: str, covered: frozenset[str]) -> object:
    """A view as plain data, without the order of lists whose order is not written."""
    if isinstance(value, dict):
        return {k: _normal(v, f"{path}.{k}" if path else k, covered) for k, v in value.items()}
    if isinstance(value, list):
        inner = [_normal(v, f"{path}[]", covered) for v in value]
        unordered = f"{path}.*" in covered or path in ("cards", "jobs", "departments")
        return sorted(inner, key=repr) if unordered else inner
    return value


@every_count_but_slow_ones
def test_nothing_is_lost(case: Case) -> None:
    # What a seat sees while the game is on follows from the tensor: equal tensors come from equal views.
    watch = observer(case.game, case.players)
    seen: dict[tuple[int, bytes], object] = {}
    views = 0
    for seed in (4, 5):
        for s in positions(case, seed):
            if s.over():
                continue
            for seat in case.seats:
                view = case.game.view(s, seat)
                key = (seat, watch.observe(view).tobytes())
                normal = _normal(plain(view), "", watch.covered)
                assert seen.setdefault(key, normal) == normal
                views += 1
    assert len(seen) > views / 3


def _leaves(kind: Any, path: str) -> Iterator[str]:
    """The paths of all fields of a View's type; `[]` stands behind lists of parts."""
    if get_origin(kind) in (Union, types.UnionType):
        inner = [one for one in get_args(kind) if one is not types.NoneType]
        assert len(inner) == 1
        yield from _leaves(inner[0], path)
    elif get_origin(kind) is tuple:
        element = get_args(kind)[0]
        parts = [one for one in (element, *get_args(element)) if is_dataclass(one)]
        if parts:
            yield from _leaves(parts[0], f"{path}[]")
        else:
            yield path
    elif is_dataclass(kind):
        hints = get_type_hints(kind)
        for field in fields(kind):
            yield from _leaves(hints[field.name], f"{path}.{field.name}" if path else field.name)
    else:
        yield path


def _said(leaf: str, paths: frozenset[str]) -> bool:
    whole = {path.removesuffix(".*") for path in paths if path.endswith(".*")}
    return (
        leaf in paths or f"{leaf}[]" in paths or any(leaf == p or leaf.startswith((f"{p}.", f"{p}[]")) for p in whole)
    )


@every_game
def test_no_part_of_the_view_is_forgotten(game) -> None:
    watch = observer(game, max(game.player_counts))
    view = game.view(game.start(max(game.player_counts), FastDice(1)), 0)
    leaves = set(_leaves(type(view), ""))
    left = frozenset(path for one in watch.left_out for path in (one.path, f"{one.path}.*"))
    written = {leaf for leaf in leaves if _said(leaf, watch.covered)}
    excused = {leaf for leaf in leaves if _said(leaf, left)}
    assert leaves - written - excused == set()
    assert written & excused == set()
    paths = {path.removesuffix(".*").removesuffix("[]") for path in watch.covered}
    assert [path for path in paths if not any(leaf == path or leaf.startswith(path) for leaf in leaves)] == []
    assert all(one.why for one in watch.left_out)


@every_count
def test_fields_tile_the_tensor(case: Case) -> None:
    watch = Observer(case.game, case.players)
    at = 0
    for field in watch.fields:
        assert field.start == at < field.stop
        assert field.meaning
        assert field.values
        at = field.stop
    assert at == watch.size
    assert len({field.name for field in watch.fields}) == len(watch.fields) - len(_twice(watch))
    assert watch.size == Observer(case.game, case.players, case.edition(), strict=True).size
    text = watch.describe()
    for left in watch.left_out:
        assert f"`{left.path}`" in text


def _twice(watch: Observer) -> list[str]:
    """Lists that are written in two ways: what is in them, and in which order."""
    names = [field.name for field in watch.fields]
    return [name for i, name in enumerate(names) if name in names[:i]]


@every_count
def test_seats_are_counted_from_the_viewer_on(case: Case) -> None:
    watch = observer(case.game, case.players)
    s = case.start(6)
    for _ in decisions(s, Random(6), most=25):
        pass
    assert s.deciders()
    for seat in s.deciders():
        found = watch.split(watch.observe(case.game.view(s, seat)))
        assert found["deciders"][0] == 1.0
        assert sum(found["deciders"]) == len(s.deciders())


def test_a_position_of_zahltag_number_by_number() -> None:
    game = REGISTRY.get("zahltag")
    s = game.start(3, FastDice(5), {"first_player": "1"})
    watch = Observer("zahltag", 3)
    found = watch.split(watch.observe(game.view(s, 1)))
    assert found["current_player"] == [1.0, 0.0, 0.0]
    assert found["first_player"] == [1.0, 0.0, 0.0]
    assert found["turn"] == [0.0]
    assert found["seats[0].money"] == pytest.approx([0.2])
    assert found["seats[0].operations"] == [1.0]
    assert found["seats[0].hand_count"] == pytest.approx([7 / 52])
    hand = found["seats[0].hand"]
    assert hand[0] == 1.0
    assert sum(round(x * n) for x, n in zip(hand[1:], (14, 16, 10, 12), strict=True)) == 7
    assert found["seats[1].hand"] == [0.0] * 5
    assert found["job"] == [0.0]
    assert found["jobs_left"] == [1.0] * 32


def test_the_games_of_the_shelf_declare_theirs() -> None:
    assert {game.id for game in REGISTRY.all()} == {game.id for game in GAMES}


@every_count
def test_what_is_no_observation(case: Case) -> None:
    watch = Observer(case.game, case.players)
    view = case.game.view(case.start(1), 0)
    for buffer in (numpy.zeros(watch.size), numpy.zeros(watch.size + 1, numpy.float32), array("i", [0] * watch.size)):
        with pytest.raises(ObservationError, match=f"a writable buffer of {watch.size} contiguous 32-bit floats"):
            watch.fill(view, buffer)
    with pytest.raises(ObservationError, match="spectator"):
        watch.fill(case.game.view(case.start(1), None), numpy.zeros(watch.size, numpy.float32))

    class Other(View):
        seat = 0

    with pytest.raises(ObservationError, match="is not one of"):
        watch.fill(Other(), numpy.zeros(watch.size, numpy.float32))
    with pytest.raises(ValueError, match="players"):
        Observer(case.game, 99)


class Thing(View):
    seat = 0

    def __init__(self, n: int) -> None:
        self.n = n


def test_beyond_the_range() -> None:
    for strict in (False, True):
        o = Declaration(2)
        o.number("n", 0, 10, "a number")
        filler = o.filler(strict)
        out = array("f", [0.0])
        filler.fill(Thing(5), memoryview(out), 0, 0)
        assert out[0] == 0.5
        if strict:
            with pytest.raises(ValueError, match="'n' is 11, declared as 0 to 10"):
                filler.fill(Thing(11), memoryview(out), 0, 0)
        else:
            filler.fill(Thing(11), memoryview(out), 0, 0)
            assert out[0] == 1.0
