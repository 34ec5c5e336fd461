"""Every predicate of the judge on a site where it just holds and on one where it just fails, lying and leaning.

Sites are poses here, measured exactly: a gap of 0.28 mm is a contact, one of 0.32 mm is none (MW-J.1).
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import pytest

from shopfloor.games.men_at_work import cards, geometry
from shopfloor.games.men_at_work.cards import GIRDER_HOW, WORKER_HOW
from shopfloor.games.men_at_work.geometry import LYING, UPRIGHT, Pose, multiply, pitched, yaw
from shopfloor.games.men_at_work.judge import Task, judge, lacking, tolerances
from shopfloor.games.men_at_work.pieces import HAT, KIND
from tests.games.men_at_work.table import beam, brick, g, hat, s, w

SHAPES = cards.load().shapes
LIMITS = tolerances(SHAPES)
NEW = g("O", 7)
MARGIN = [(0.28, True), (0.32, False)]
LEANS = [0.0, 9.0]

Poses = dict[int, Pose]


def gap(poses: Mapping[int, Pose], a: int, b: int) -> float:
    """The smallest distance of two pieces; negative where they overlap."""
    those = geometry.solids(SHAPES, b, poses[b])
    found = [geometry.gap(x, y, 500.0) for x in geometry.solids(SHAPES, a, poses[a]) for y in those]
    return min(f[0] for f in found if f is not None)


def drop(poses: Poses, piece: int, on: int, wanted: float) -> Poses:
    """The poses with a piece let down, its turn unchanged, until it is so far from another one, mm."""
    (x, y, _), turn = poses[piece]
    low, high = poses[on][0][2], poses[on][0][2] + 150.0
    for _ in range(60):
        z = (low + high) / 2
        low, high = (low, z) if gap({**poses, piece: ((x, y, z), turn)}, piece, on) > wanted else (z, high)
    return {**poses, piece: ((x, y, high), turn)}


def sink(poses: Poses, piece: int, below: int, wanted: float) -> Poses:
    """The poses with a piece raised from far below until it is so far from another one, mm."""
    (x, y, _), turn = poses[piece]
    low, high = poses[below][0][2] - 150.0, poses[below][0][2]
    for _ in range(60):
        z = (low + high) / 2
        low, high = (z, high) if gap({**poses, piece: ((x, y, z), turn)}, piece, below) > wanted else (low, z)
    return {**poses, piece: ((x, y, low), turn)}


def said(poses: Poses, how: str, *steps: tuple[int, ...], colours: tuple[int, ...] = (0, 1, 2, 3)) -> tuple[str, ...]:
    """What the judge misses in what these pieces were added to."""
    outcome = geometry.measure(SHAPES, poses, geometry.fixed_solids(SHAPES, False, ""))
    mine = {p for step in steps for p in step}
    worker = how in WORKER_HOW
    names = WORKER_HOW if worker else GIRDER_HOW
    task = Task(
        worker=worker,
        how=names.index(how),
        colours=colours,
        steps=steps,
        before=frozenset(poses) - mine,
        tops={p: top for p, top in outcome.tops if p not in mine},
        placed=frozenset(mine),
    )
    return lacking(judge(task, outcome, LIMITS))


def lean(degrees: float, heading: float = 90.0) -> geometry.Quaternion:
    return pitched(math.radians(heading), math.radians(degrees))


def ground(letter: str = "K", y: float = 0.0, z: float = 55.0) -> Poses:
    """A girder along x, far above the table."""
    return {g(letter): ((0.0, y, z), UPRIGHT)}


def over(poses: Poses, on: int, degrees: float, y: float = 40.0) -> Poses:
    """The new girder across another one, leaning by so much."""
    return drop({**poses, NEW: ((0.0, y, 0.0), lean(degrees))}, NEW, on, 0.05)


# -- girders ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("MW-JG.2", "MW-JG.3", "MW-J.1")
@pytest.mark.parametrize(("away", "holds"), MARGIN)
@pytest.mark.parametrize("degrees", LEANS)
def test_other_girders_are_touched_or_not(degrees: float, away: float, holds: bool) -> None:
    poses = over(ground(), g("K"), degrees)
    far = sink({**poses, g("O"): ((0.0, 80.0, 0.0), UPRIGHT)}, g("O"), NEW, away)
    assert said(far, "SAME_COLOUR", (NEW,)) == (() if holds else ("same_colour_not_touched",))
    second = sink({**poses, g("P"): ((0.0, 80.0, 0.0), UPRIGHT)}, g("P"), NEW, away)
    assert said(second, "TWO_OTHER_COLOURS", (NEW,)) == (() if holds else ("two_colours_not_touched",))


@pytest.mark.rule("MW-JG.4")
@pytest.mark.parametrize(("away", "holds"), MARGIN)
@pytest.mark.parametrize("degrees", LEANS)
def test_the_highest_is_touched_or_not(degrees: float, away: float, holds: bool) -> None:
    poses = {**ground(), **ground("P", 80.0, 55.0 + 30.0)}
    poses = drop({**poses, NEW: ((0.0, 80.0, 0.0), lean(degrees))}, NEW, g("P"), away)
    assert said(poses, "TOUCH_HIGHEST", (NEW,)) == (() if holds else ("highest_not_touched",))


@pytest.mark.rule("MW-JG.4", "MW-J.5")
@pytest.mark.parametrize(("lower", "holds"), [(0.95, True), (1.05, False)])
def test_what_is_level_with_the_highest_is_as_high(lower: float, holds: bool) -> None:
    poses = {**ground(), **ground("P", 80.0, 55.0 + lower)}
    poses = drop({**poses, NEW: ((0.0, -40.0, 0.0), lean(0.0))}, NEW, g("K"), 0.1)
    assert said(poses, "TOUCH_HIGHEST", (NEW,)) == (() if holds else ("highest_not_touched",))


@pytest.mark.rule("MW-JG.1", "MW-J.3", "MW-J.6")
@pytest.mark.parametrize("degrees", LEANS)
def test_balance_on_one_girder_and_no_more(degrees: float) -> None:
    poses = over(ground(), g("K"), degrees, 2.0)
    assert said(poses, "BALANCE", (NEW,)) == ()
    for away, touched in MARGIN:
        two = sink({**poses, g("P"): ((0.0, 45.0, 0.0), UPRIGHT)}, g("P"), NEW, away)
        assert said(two, "BALANCE", (NEW,)) == (("balance_supporters",) if touched else ())
    # The end zone is 18 mm long: something hangs beside it, at its edge.
    for end, touched in ((90.0 - 18.0 - 1.0, False), (90.0 - 18.0 + 1.0, True)):
        y = end * math.cos(math.radians(degrees)) + 2.0
        hung = {**poses, brick(1): ((9.2, y - 4.0, 0.0), UPRIGHT)}
        hung[brick(1)] = ((13.1, y - 4.0, poses[NEW][0][2] + (y - 6.0) * math.tan(math.radians(degrees))), UPRIGHT)
        assert said(hung, "BALANCE", (NEW,)) == (("balance_end_touched",) if touched else ())


@pytest.mark.rule("MW-JG.12")
@pytest.mark.parametrize("degrees", LEANS)
@pytest.mark.parametrize(("higher", "holds"), [(1.05, True), (0.95, False)])
def test_the_highest_girder_by_more_than_the_tolerance(degrees: float, higher: float, holds: bool) -> None:
    poses = over(ground(), g("K"), degrees, 2.0)
    top = max(s.high[2] for s in geometry.solids(SHAPES, NEW, poses[NEW]))
    poses |= {g("P"): ((0.0, 200.0, top - higher - 5.0), UPRIGHT)}
    assert said(poses, "HIGHEST_GIRDER", (NEW,)) == (() if holds else ("not_highest_girder",))


@pytest.mark.rule("MW-JG.6", "MW-J.15")
@pytest.mark.parametrize(("away", "holds"), MARGIN)
@pytest.mark.parametrize("degrees", LEANS)
def test_on_an_arm_or_just_over_it(degrees: float, away: float, holds: bool) -> None:
    poses = {**ground(), w(1): ((0.0, 0.0, 83.0), UPRIGHT)}
    arm = {**poses, NEW: ((14.0, 40.0 if degrees else 0.0, 0.0), lean(degrees))}
    down = drop(arm, NEW, w(1), away)
    assert said(down, "STRONG_WORKER", (NEW,)) == (() if holds else ("not_on_arm",))
    hatted = {**ground(), w(1): ((0.0, 0.0, 83.0), UPRIGHT)}
    hatted[hat(1)] = geometry.hat_pose(SHAPES, hatted[w(1)])
    hatted = drop({**hatted, NEW: ((0.0, 0.0, 0.0), lean(degrees))}, NEW, hat(1), away)
    assert ("on_hardhat" in said(hatted, "STRONG_WORKER", (NEW,))) == holds


@pytest.mark.rule("MW-JG.7", "MW-JG.8", "MW-JG.9", "MW-JG.10", "MW-J.18")
@pytest.mark.parametrize(("away", "holds"), MARGIN)
@pytest.mark.parametrize("degrees", LEANS)
def test_supports_are_touched_or_not(degrees: float, away: float, holds: bool) -> None:
    poses: Poses = {s(1): ((0.0, -60.0, 25.0), UPRIGHT)}
    poses = drop({**poses, NEW: ((0.0, 0.0, 0.0), lean(degrees))}, NEW, s(1), away)
    other = sink({**poses, g("P"): ((0.0, 70.0, 0.0), UPRIGHT)}, g("P"), NEW, 0.05)
    same = sink({**poses, g("O"): ((0.0, 70.0, 0.0), UPRIGHT)}, g("O"), NEW, 0.05)
    missing = () if holds else ("support_not_touched",)
    assert said(other, "NEW_SUPPORT_DIFFERENT", (s(1),), (NEW,)) == missing
    assert said(same, "NEW_SUPPORT_SAME", (s(1),), (NEW,)) == missing
    assert said(poses, "TOUCH_SUPPORT", (NEW,)) == missing
    # And the girder that has to be touched besides.
    near = drop({**poses, NEW: ((0.0, 0.0, 0.0), lean(degrees))}, NEW, s(1), 0.05)
    other = sink({**near, g("P"): ((0.0, 70.0, 0.0), UPRIGHT)}, g("P"), NEW, away)
    same = sink({**near, g("O"): ((0.0, 70.0, 0.0), UPRIGHT)}, g("O"), NEW, away)
    wanted = () if holds else ("other_colour_not_touched",)
    assert said(other, "NEW_SUPPORT_DIFFERENT", (s(1),), (NEW,)) == wanted
    assert said(same, "NEW_SUPPORT_SAME", (s(1),), (NEW,)) == (() if holds else ("same_colour_not_touched",))


@pytest.mark.rule("MW-JG.9", "MW-J.18")
@pytest.mark.parametrize(("away", "holds"), MARGIN)
@pytest.mark.parametrize("degrees", LEANS)
def test_a_new_support_on_a_girder(degrees: float, away: float, holds: bool) -> None:
    poses = drop({**ground(), s(1): ((0.0, 0.0, 0.0), multiply(lean(degrees, 0.0), LYING))}, s(1), g("K"), away)
    poses = drop({**poses, NEW: ((0.0, 40.0, 0.0), lean(0.0))}, NEW, s(1), 0.05)
    poses = sink({**poses, g("P"): ((0.0, 80.0, 0.0), UPRIGHT)}, g("P"), NEW, 0.05)
    missing: tuple[str, ...] = () if holds else ("support_place_illegal", "support_not_on_girder")
    assert said(poses, "NEW_SUPPORT_ON_GIRDER", (s(1),), (NEW,)) == missing
    stands = drop({**poses, s(1): poses[s(1)]}, s(1), g("K"), 0.05)
    stands = drop({**stands, NEW: ((0.0, 40.0, 0.0), lean(degrees))}, NEW, s(1), 0.05)
    stands = sink({**stands, g("P"): ((0.0, 80.0, 0.0), UPRIGHT)}, g("P"), NEW, away)
    missing = () if holds else ("other_girder_not_touched",)
    assert said(stands, "NEW_SUPPORT_ON_GIRDER", (s(1),), (NEW,)) == missing


@pytest.mark.rule("MW-JG.5", "MW-JG.11")
@pytest.mark.parametrize(("away", "holds"), MARGIN)
@pytest.mark.parametrize("degrees", LEANS)
def test_what_stands_or_lies_on_the_new_girder(degrees: float, away: float, holds: bool) -> None:
    poses = over(ground(), g("K"), degrees, 2.0)
    worker = drop({**poses, w(1): ((0.0, 20.0, 0.0), lean(degrees))}, w(1), NEW, away)
    missing = () if holds else ("worker_not_on_this_girder",)
    assert said(worker, "WITH_WORKER", (NEW,), (w(1),)) == missing
    loaded = drop({**poses, brick(1): ((0.0, 20.0, 0.0), lean(degrees))}, brick(1), NEW, away)
    assert said(loaded, "TRANSPORT_BRICK", (NEW, brick(1))) == (() if holds else ("brick_not_on_girder",))


@pytest.mark.rule("MW-J.15", "MW-7.6")
@pytest.mark.parametrize(("shift", "holds"), [(9.6, True), (8.4, False)])
def test_covering_a_girder_or_nearly(shift: float, holds: bool) -> None:
    poses = {**ground(), g("O"): ((0.0, 0.0, 45.0), yaw(90)), NEW: ((shift, 0.0, 65.0), UPRIGHT)}
    found = said(poses, "HIGHEST_GIRDER", (NEW,))
    assert found == (() if holds else ("covers_girder",))


@pytest.mark.rule("MW-J.15", "MW-J.7", "MW-7.3")
@pytest.mark.parametrize(("away", "touches"), MARGIN)
def test_a_leaning_girder_touches_the_table_or_not(away: float, touches: bool) -> None:
    poses = over(ground(z=15.0), g("K"), 9.0, 30.0)
    low = min(s.low[2] for s in geometry.solids(SHAPES, NEW, poses[NEW]))
    raised = {p: ((x, y, z - low + away), turn) for p, ((x, y, z), turn) in poses.items()}
    found = said(raised, "HIGHEST_GIRDER", (NEW,))
    assert ("touches_surface" in found) == touches


# -- workers ----------------------------------------------------------------------------------------------------------


def on_girder(degrees: float = 0.0, x: float = 0.0, away: float = 0.05, letter: str = "K") -> Poses:
    """A worker on a girder that leans by so much, along it."""
    poses: Poses = {g(letter): ((0.0, 0.0, 80.0), lean(degrees, 0.0))}
    return drop({**poses, w(1): ((x, 0.0, 0.0), lean(degrees, 0.0))}, w(1), g(letter), away)


ONE: tuple[int, ...] = (w(1),)


@pytest.mark.rule("MW-J.16")
@pytest.mark.parametrize(("away", "holds"), MARGIN)
def test_both_legs_or_one(away: float, holds: bool) -> None:
    """He leans to one side: one leg touches, the other one almost."""
    poses = on_girder(x=85.0 - 6.0)
    (x, y, z), _ = poses[w(1)]
    # The left leg's outer edge is 24 mm from the right one's, the inner one 15 mm: there it is nearest.
    tilt = math.degrees(math.asin((away - 0.05) / 15.0)) if not holds else math.degrees(math.asin(0.2 / 24.0))
    tilted = drop({**poses, w(1): ((x - 79.0, y, z), lean(tilt, 0.0))}, w(1), g("K"), 0.05)
    assert said(tilted, "NEAR_EDGE", ONE)[:1] == (("not_at_edge",) if holds else ("feet_not_on_girder",))


@pytest.mark.rule("MW-J.16", "MW-8.2")
def test_the_colour_under_him() -> None:
    poses = on_girder(x=75.0)
    assert said(poses, "NEAR_EDGE", ONE, colours=(0, 1)) == ()
    assert said(poses, "NEAR_EDGE", ONE, colours=(1, 2)) == ("wrong_girder_colour", "not_at_edge")


@pytest.mark.rule("MW-JW.6", "MW-A.46")
@pytest.mark.parametrize("degrees", LEANS)
@pytest.mark.parametrize(("from_end", "holds"), [(10.2, True), (11.6, False)])
def test_near_the_edge(degrees: float, from_end: float, holds: bool) -> None:
    along = 90.0 - from_end - 12.0  # his outer foot ends 12 mm beside his middle
    tilt = math.radians(degrees)
    x = along * math.cos(tilt) - 28.0 * math.sin(tilt)
    assert said(on_girder(degrees, x), "NEAR_EDGE", ONE) == (() if holds else ("not_at_edge",))


@pytest.mark.rule("MW-J.17", "MW-JW.1", "MW-JW.2", "MW-JW.3", "MW-JW.4", "MW-JW.5", "MW-JW.7")
@pytest.mark.parametrize(("away", "holds"), MARGIN)
@pytest.mark.parametrize("degrees", LEANS)
def test_loads_on_his_arms_or_just_over_them(degrees: float, away: float, holds: bool) -> None:
    poses = on_girder(degrees)
    turn = lean(degrees, 0.0)
    arm = geometry.add(poses[w(1)][0], geometry.rotate(turn, (15.5, 0.0, 12.0)))
    other = geometry.add(poses[w(1)][0], geometry.rotate(turn, (-15.5, 0.0, 12.0)))
    across = multiply(turn, yaw(90))

    def load(first: int, on: int, at: geometry.Vector, gap_: float, base: Poses) -> Poses:
        return drop({**base, first: (at, across if KIND[first] == HAT + 1 else turn)}, first, on, gap_)

    missing = () if holds else ("load_not_on_arm",)
    for how, piece in (("ONE_BRICK", brick(1)), ("ONE_BEAM", beam(1))):
        assert said(load(piece, w(1), arm, away, poses), how, ONE, (piece,)) == missing
    shoulder = load(beam(1), w(1), arm, away, poses)
    assert said(shoulder, "TRANSPORT_BEAM", (w(1), beam(1))) == (() if holds else ("beam_not_on_shoulder",))
    for how, low, high in (
        ("TWO_BRICKS", brick(1), brick(2)),
        ("TWO_BEAMS", beam(1), beam(2)),
        ("BRICK_AND_BEAM", beam(1), brick(1)),
    ):
        first = load(low, w(1), arm, 0.05, poses)
        assert said(load(high, low, arm, away, first), how, ONE, (low, high)) == missing  # on the other load
        assert said(load(high, w(1), other, away, first), how, ONE, (low, high)) == missing  # on the other arm


@pytest.mark.rule("MW-JW.8", "MW-A.43")
@pytest.mark.parametrize(("away", "holds"), MARGIN)
@pytest.mark.parametrize("degrees", LEANS)
def test_a_beam_from_arm_to_arm_or_nearly(degrees: float, away: float, holds: bool) -> None:
    poses = on_girder(degrees, -42.0)
    turn = lean(degrees, 0.0)
    tilt = math.radians(degrees)
    poses = {**poses, w(2): ((42.0, 0.0, 0.0), turn)}
    poses = drop(poses, w(2), g("K"), 0.05)
    middle = (-3.0 * math.sin(tilt), 0.0, 0.0)
    poses = drop({**poses, beam(1): (middle, turn)}, beam(1), w(1), 0.05)
    # The other worker stands a little lower, so that the beam is so far from his arm.
    (x, y, _), _ = poses[w(2)]
    lower = sink({**poses, w(2): ((x, y, 0.0), turn)}, w(2), beam(1), away)
    assert said(lower, "CONNECT", ONE, (beam(1),)) == (() if holds else ("workers_not_connected",))


@pytest.mark.rule("MW-JW.9")
@pytest.mark.parametrize(("away", "holds"), MARGIN)
@pytest.mark.parametrize("degrees", LEANS)
def test_a_second_worker_on_the_girder_or_just_over_it(degrees: float, away: float, holds: bool) -> None:
    poses = {**on_girder(degrees, -40.0), w(2): ((40.0, 0.0, 0.0), lean(degrees, 0.0))}
    near = drop(poses, w(2), g("K"), away)
    missing = () if holds else ("feet_not_on_girder",)
    assert said(near, "ADDITIONAL_WORKER", ONE, (w(2),)) == missing


@pytest.mark.rule("MW-JW.9")
def test_a_second_worker_on_the_next_girder() -> None:
    poses = {**on_girder(x=-40.0), g("O"): ((0.0, 10.2, 80.0), UPRIGHT), w(2): ((40.0, 0.0, 0.0), UPRIGHT)}
    (x, _, z), turn = poses[w(1)]
    poses[w(1)] = ((x, -1.0, z), turn)
    for y, found in ((5.0, ()), (10.6, ("second_worker_elsewhere",))):
        there = drop({**poses, w(2): ((40.0, y, 0.0), UPRIGHT)}, w(2), g("O"), 0.05)
        assert said(there, "ADDITIONAL_WORKER", ONE, (w(2),)) == found
