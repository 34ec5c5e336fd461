"""The simulated site: physical truths, the hand, accidents, snapshots, and the judge on real contacts."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

pytest.importorskip("shopfloor.games.men_at_work.site")

from shopfloor.games.men_at_work import cards, geometry, words
from shopfloor.games.men_at_work.cards import GIRDER_HOW, WORKER_HOW
from shopfloor.games.men_at_work.geometry import LYING, UPRIGHT, add, multiply, rotate, yaw
from shopfloor.games.men_at_work.hand import Hand
from shopfloor.games.men_at_work.judge import Reading, Task, judge, lacking, tolerances
from shopfloor.games.men_at_work.pieces import COLOUR, CRANE, GIRDER, HAT, KIND, SURFACE, WORKER
from shopfloor.games.men_at_work.site import FRICTION, RATE, Site, SiteError
from shopfloor.games.men_at_work.watch import Watch, WatchRules
from tests.games.men_at_work.table import beam, brick, g, hat, s, w

SHAPES = cards.load().shapes
LIMITS = tolerances(SHAPES)


def empty(**options) -> Site:
    return Site(SHAPES, **options)


def put(site: Site, piece: int, x: float, y: float, z: float, turn: float = 0.0, lying: bool = False) -> None:
    q = multiply(yaw(turn), LYING) if lying else yaw(turn)
    site.put(piece, ((x, y, z), q))


def put_worker(site: Site, n: int, x: float, y: float, z: float, turn: float = 0.0) -> None:
    put(site, w(n), x, y, z, turn)
    site.put(hat(n), geometry.hat_pose(SHAPES, site.pose(w(n))))


def bridge(site: Site, girder: int = g("K"), turn: float = 0.0) -> float:
    """A girder on two lying supports; the height of its upper face."""
    for n, x in ((1, -60), (2, 60)):
        put(site, s(n), x, 0, 12.5, lying=True)
    put(site, girder, 0, 0, 30, turn)
    return 35.0


def moved(site: Site, before: dict[int, geometry.Pose]) -> float:
    return max(math.dist(before[p][0], site.pose(p)[0]) for p in before)


# -- physical truths ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("offset", "stays"), [(4.0, True), (4.5, True), (5.3, False), (7.0, False)])
def test_a_girder_tips_where_its_middle_leaves_its_support(offset: float, stays: bool) -> None:
    """Across another girder of 10 mm, its middle may be 5 mm off."""
    site = empty()
    z = bridge(site)
    put(site, g("P"), 0, offset, z + 5, 90)
    site.settle(4)
    across = abs(rotate(site.pose(g("P"))[1], (1, 0, 0))[2])
    assert (across < 0.05) == stays


@pytest.mark.parametrize(("overhang", "stays"), [(0.48, True), (0.53, False)])
def test_overhanging_by_more_than_half(overhang: float, stays: bool) -> None:
    """A girder laid along another one, its end beyond that one's end."""
    site = empty()
    put(site, s(1), -60, 0, 12.5, lying=True)
    put(site, s(2), 60, 0, 12.5, lying=True)
    put(site, g("K"), 0, 0, 30)
    put(site, g("P"), overhang * 180, 0, 40)
    site.settle(4)
    assert (site.pose(g("P"))[0][2] > 38) == stays


@pytest.mark.parametrize("mu", [0.3, 0.5])
def test_friction_angles(mu: float) -> None:
    """A support slides on a slope that is steeper than the friction angle, and does not on one that is not."""
    for degrees, slides in ((math.degrees(math.atan(mu)) - 1.5, False), (math.degrees(math.atan(mu)) + 1.5, True)):
        site = empty(friction=dict(FRICTION, wood=mu, table=mu))
        tilt = math.radians(degrees)
        # Gravity leans instead of the table.
        site.world.gravity = type(site.world.gravity)(981 * math.sin(tilt), 0, -981 * math.cos(tilt))
        put(site, s(1), 0, 0, 12.5, lying=True)
        site.step(RATE)
        far = site.pose(s(1))[0][0]
        assert (far > 5) == slides, (degrees, far)


def everything(sleeping: bool = True) -> Site:
    """The whole box, stacked: 92 pieces."""
    site = empty(sleeping=sleeping)
    spots = [(x, y) for x in (-150, -50, 50, 150) for y in (-50, 50)]
    for n, (x, y) in enumerate(spots, 1):
        put(site, s(n), x, y, 25)
    girders = iter([g(c, n) for n in range(1, 8) for c in "KOPW"])
    for x in (-150, -50, 50, 150):
        put(site, next(girders), x, 0, 55, 90)
    for layer in range(6):
        z = 65 + 10 * layer
        if layer % 2 == 0:
            places = [(-100, -40, 0), (-100, 40, 0), (100, -40, 0), (100, 40, 0)]
        else:
            places = [(-150, 0, 90), (-50, 0, 90), (50, 0, 90), (150, 0, 90)]
        for x, y, turn in places:
            put(site, next(girders), x, y, z, turn)
    top = 65 + 60 - 5
    n = 0
    for x in (-150, -50, 50, 150):
        for y in (-68, -22, 22, 68):
            n += 1
            put_worker(site, n, x, y, top + 23, 90)
            for kind, k in ((brick, n), (beam, n)):
                side = -1 if kind is brick else 1
                if k <= 12:
                    lift = 12.05 if kind is brick else 11.55
                    put(site, kind(k), x, y + side * 15, top + 23 + lift, 0)
    return site


def test_a_stack_of_everything_stands() -> None:
    site = everything()
    assert len(site.bodies) == 92
    before = site.poses()
    assert site.settle()
    assert moved(site, before) < 2.5
    before = site.poses()
    site.step(60 * RATE // 10)
    assert moved(site, before) < 0.05
    outcome = site.measure()
    assert len(outcome.worn) == 16
    assert outcome.settled


@pytest.mark.slow
def test_a_stack_of_everything_drifts_by_less_than_half_a_millimetre_in_a_minute() -> None:
    site = everything(sleeping=False)
    site.step(3 * RATE)
    before = site.poses()
    site.step(60 * RATE)
    assert moved(site, before) < 0.5


@pytest.mark.rule("MW-I.18", "MW-S.15")
def test_the_same_inputs_give_the_same_poses() -> None:
    def run() -> dict[int, geometry.Pose]:
        site = empty()
        z = bridge(site)
        put_worker(site, 1, 0, 0, z + 23)
        site.settle()
        site.grip([g("P")], ((-150.0, 0.0, 60.0), UPRIGHT))
        for k in range(120):
            site.aim(((-150.0 + 2.5 * k, 0.0, 60.0), yaw(k)))
            site.step(4)
        site.release()
        site.settle()
        return site.poses()

    assert run() == run()


def test_a_fallen_worker_loses_his_hat_and_a_standing_one_keeps_it() -> None:
    site = empty()
    z = bridge(site)
    put_worker(site, 1, 0, 6, z + 23)  # off the edge
    put_worker(site, 2, 40, 0, z + 23)
    site.settle()
    assert site.measure().worn == ((hat(2), w(2)),)


@pytest.mark.rule("MW-T.6", "MW-3.10", "MW-15.5", "MW-A.66")
@pytest.mark.parametrize("name", list(SHAPES.presets))
def test_sample_sites_stand(name: str) -> None:
    from shopfloor.games.men_at_work import chance

    crane = "middle" if name.startswith("crane") else ""
    pieces = (s(1), s(2), s(3), *(g(c) for c in "KOPW"), w(1), hat(1))
    wanted = chance.preset(cards.load(), name, pieces, crane)
    site = empty(skyscraper=name.startswith("sky"), crane=crane)
    for numbers in wanted.poses:
        site.put(numbers[0], geometry.loaded(numbers))
    before = site.poses()
    assert site.settle()
    assert moved(site, before) < 1.0
    found = Reading(site.measure(), LIMITS)
    for piece in site.bodies:
        if KIND[piece] in (GIRDER, WORKER):
            assert not found.on_surface(piece)
    assert found.standing_on(w(1))
    assert found.wearer == {hat(1): w(1)}


# -- forces, gaps, patches -------------------------------------------------------------------------------------------


@pytest.mark.rule("MW-J.2")
def test_forces_share_a_weight() -> None:
    site = empty()
    z = bridge(site)
    put_worker(site, 1, 30, 0, z + 23)
    site.settle()
    found = Reading(site.measure(), LIMITS)
    girder = g("K")
    shares = {n: found.carried(girder, s(n)) for n in (1, 2)}
    worker = (SHAPES.masses[WORKER] + SHAPES.masses[HAT]) / SHAPES.masses[GIRDER] * 1000
    assert sum(shares.values()) == pytest.approx(1000 + worker, abs=25)
    assert shares[2] > shares[1]
    assert found.carried(s(1), SURFACE) > 1000
    assert found.carried(w(1), girder) == pytest.approx(1203, abs=20)


@pytest.mark.rule("MW-J.1", "MW-J.2")
def test_a_touch_must_last_and_a_force_is_a_mean() -> None:
    """What never sleeps is looked at for a fifth of a second: single looks differ, what is measured does not."""
    site = empty(sleeping=False)
    z = bridge(site)
    across(site, z, y=0.0)
    assert site.settle()
    window = site._window
    assert window is not None
    assert window.stirring == frozenset(site.bodies)
    carried = Reading(site.measure(), LIMITS).carried(NEW, g("K"))
    assert carried == pytest.approx(1000, abs=8)
    # A contact that was not there at every look is none, though it is there at the last one.
    site._window = replace(window, touching=frozenset(c for c in window.touching if c[:3:2] != (g("K"), NEW)))
    assert not Reading(site.measure(), LIMITS).touching(NEW, g("K"))
    # A force that came in one look of six, with more than bear_frac of the weight, is none in the mean.
    site._window = replace(window, forces={(NEW, 0, g("K"), 0): 0.08 / 6 * geometry.weight(SHAPES, NEW)})
    assert not Reading(site.measure(), LIMITS).rests_on(NEW, g("K"))
    site.step(4)  # the window is over: what counts is what is there now
    assert Reading(site.measure(), LIMITS).rests_on(NEW, g("K"))


def test_what_sleeps_needs_no_second_look() -> None:
    site = empty()
    bridge(site)
    site.step(RATE)
    assert not site.awake()
    assert site.settle()
    assert (site._window, site.tick) == (None, RATE)
    assert Reading(site.measure(), LIMITS).supporters(g("K")) == [s(1), s(2)]


@pytest.mark.rule("MW-J.1", "MW-I.13")
@pytest.mark.parametrize("turn", [0.0, 30.0, 77.0, 213.0])
def test_gaps_and_contacts_do_not_depend_on_the_frame(turn: float) -> None:
    def contacts(distance: float) -> bool:
        middle = rotate(yaw(turn), (0.0, 0.0, 0.0))
        above = add(middle, (50.0, -20.0, 10.0 + distance))
        poses = {g("K"): ((50.0, -20.0, 0.0), yaw(turn)), g("P"): (above, yaw(turn + 90))}
        return bool(geometry.measure(SHAPES, poses, []).contacts)

    assert contacts(0.0)
    assert contacts(0.29)
    assert not contacts(0.31)


def test_the_distance_of_corners_is_the_true_one() -> None:
    a = geometry.upright(1, (0, 0, 0), (10, 10, 10))
    for apart, touches in ((0.17, True), (0.18, False)):  # 0.3 over the square root of three is 0.173
        b = geometry.upright(2, (10 + apart,) * 3, (20, 20, 20))
        found = geometry.gap(a, b, geometry.EPS_TOUCH)
        assert (found is not None) == touches
    inside = geometry.gap(a, geometry.upright(2, (4, 4, 8), (6, 6, 20)), 0.3)
    assert inside is not None
    assert inside[0] == pytest.approx(-2)


@pytest.mark.rule("MW-J.6", "MW-A.40")
def test_patches_and_covering() -> None:
    poses = {g("K"): ((0.0, 0.0, 5.0), UPRIGHT), g("P"): ((30.0, 0.0, 15.0), yaw(90))}
    (contact,) = geometry.measure(SHAPES, poses, []).contacts
    assert contact.span_a[0] == pytest.approx(90_000 + 25_000, abs=400)
    assert contact.span_a[1] == pytest.approx(90_000 + 35_000, abs=400)
    assert contact.span_b == pytest.approx((85_000, 95_000), abs=400)
    for shift, share in ((0.0, 1000), (9.0, 950), (18.0, 900)):
        poses[g("P")] = ((shift, 0.0, 15.0), UPRIGHT)
        covers = {c[:2]: c[2] for c in geometry.measure(SHAPES, poses, []).covers}
        assert covers[g("P"), g("K")] == pytest.approx(share, abs=3)


def test_bearing_without_forces() -> None:
    poses = {g("K"): ((0.0, 0.0, 5.0), UPRIGHT), g("P"): ((0.0, 0.0, 15.0), yaw(90))}
    found = Reading(geometry.measure(SHAPES, poses, geometry.fixed_solids(SHAPES, False, "")), LIMITS)
    assert found.rests_on(g("P"), g("K"))
    assert not found.rests_on(g("K"), g("P"))
    assert found.supporters(g("K")) == [SURFACE]


# -- the judge on real sites -----------------------------------------------------------------------------------------


def verdict(site: Site, name: str, new: list[list[int]], colours=(0, 1)) -> tuple[str, ...]:
    assert site.settle()
    outcome = site.measure()
    worker = name in WORKER_HOW
    mine = {p for step in new for p in step}
    task = Task(
        worker=worker,
        how=(WORKER_HOW if worker else GIRDER_HOW).index(name),
        colours=colours,
        steps=tuple(tuple(step) for step in new),
        before=frozenset(site.bodies) - mine,
        tops={p: top for p, top in outcome.tops if p not in mine},
        placed=frozenset(mine),
    )
    return lacking(judge(task, outcome, LIMITS))


def stage() -> tuple[Site, float]:
    """Two bridges side by side: black and purple, in the middle of which something can be put."""
    site = empty()
    z = bridge(site)
    for n, x in ((3, -60), (4, 60)):
        put(site, s(n), x, 60, 12.5, lying=True)
    put(site, g("P"), 0, 60, 30)
    return site, z


NEW = g("O", 7)


def across(site: Site, z: float, piece: int = NEW, y: float = 30.0, x: float = 0.0, turn: float = 90.0) -> None:
    put(site, piece, x, y, z + 5.02, turn)


@pytest.mark.rule("MW-JG.1", "MW-T.35", "MW-T.36")
def test_balance_on_a_real_site() -> None:
    site = empty()
    z = bridge(site)
    across(site, z, y=2.0)
    assert verdict(site, "BALANCE", [[NEW]]) == ()
    two, z = stage()
    across(two, z)
    assert verdict(two, "BALANCE", [[NEW]]) == ("balance_supporters",)
    end = empty()
    z = bridge(end)
    put(end, g("W"), 0, 0, z + 5.02, 90)
    put(end, s(3), 0, 85, (z - 0.1) / 2 + 7.4)  # one end is held up by a support that leans on nothing
    assert "balance_end_touched" in verdict(end, "BALANCE", [[g("W")]])


@pytest.mark.rule("MW-JG.2", "MW-JG.3", "MW-JG.4", "MW-JG.12")
def test_touching_colours_and_heights_on_a_real_site() -> None:
    site, z = stage()
    across(site, z)
    assert verdict(site, "TWO_OTHER_COLOURS", [[NEW]]) == ()
    assert verdict(site, "SAME_COLOUR", [[NEW]]) == ("same_colour_not_touched",)
    assert verdict(site, "HIGHEST_GIRDER", [[NEW]]) == ()
    assert verdict(site, "TOUCH_HIGHEST", [[NEW]]) == ()
    again = g("O", 6)
    put(site, again, 40, 30, z + 5.02, 90)
    assert verdict(site, "HIGHEST_GIRDER", [[again]]) == ("not_highest_girder",)
    assert verdict(site, "TOUCH_HIGHEST", [[again]]) == ("highest_not_touched",)
    side = g("O", 5)
    put(site, side, 50.15, 30, z + 5.02, 90)  # beside it, 0.15 mm away
    assert verdict(site, "SAME_COLOUR", [[side]]) == ()


@pytest.mark.parametrize(("gap", "touches"), [(0.15, True), (0.6, False)])
def test_a_touch_from_the_side_is_within_three_tenths(gap: float, touches: bool) -> None:
    site, z = stage()
    across(site, z, g("O", 6))
    across(site, z, NEW, x=10.0 + gap)
    assert (verdict(site, "SAME_COLOUR", [[NEW]]) == ()) == touches


@pytest.mark.rule("MW-JG.6", "MW-T.41")
def test_a_strong_worker_on_a_real_site() -> None:
    site = empty()
    z = bridge(site)
    put_worker(site, 1, 0, 0, z + 23)
    put(site, NEW, 12, 0, z + 31 + 5.02, 90)
    assert verdict(site, "STRONG_WORKER", [[NEW]]) == ()
    hatted = empty()
    z = bridge(hatted)
    put_worker(hatted, 1, 0, 0, z + 23)
    put(hatted, NEW, 0, 0, z + 48.5 + 5.02, 90)
    assert hatted.settle()
    assert "not_on_arm" in verdict(hatted, "STRONG_WORKER", [[NEW]])


@pytest.mark.rule("MW-JG.7", "MW-JG.8", "MW-JG.9", "MW-JG.10", "MW-J.18")
def test_new_supports_on_a_real_site() -> None:
    site = empty()
    z = bridge(site)
    put(site, s(5), 0, 70, z / 2 + 5, 0)  # standing: 50 high
    site.take([s(5)])
    put(site, s(5), 0, 70, 25, 0)
    tall = s(5)
    # From the black girder's top up to the support's: a girder that leans.
    rise, run = 50.0 - 35.0, 70.0
    angle = math.atan2(rise, run)
    lean = multiply(yaw(90), (math.cos(angle / 2), 0.0, -math.sin(angle / 2), 0.0))
    middle = (0.0, 35.0, 35 + rise / 2 + 5 / math.cos(angle) + 1.0)
    site.put(NEW, (middle, lean))
    assert verdict(site, "NEW_SUPPORT_DIFFERENT", [[tall], [NEW]]) == ()
    assert verdict(site, "NEW_SUPPORT_SAME", [[tall], [NEW]]) == ("same_colour_not_touched",)
    assert "support_not_on_girder" in verdict(site, "NEW_SUPPORT_ON_GIRDER", [[tall], [NEW]])
    assert verdict(site, "TOUCH_SUPPORT", [[NEW]]) == ()
    leaning = abs(rotate(site.pose(NEW)[1], (1, 0, 0))[2])
    assert leaning > 0.1
    on, z = stage()
    put(on, s(5), 0, 0, z + 12.5, lying=True)
    put(on, NEW, 0, 0, z + 30.02, 90)
    assert verdict(on, "NEW_SUPPORT_ON_GIRDER", [[s(5)], [NEW]]) == ("other_girder_not_touched",)


@pytest.mark.rule("MW-JG.5", "MW-JG.11", "MW-T.40", "MW-T.46")
def test_girders_with_something_on_them() -> None:
    site, z = stage()
    across(site, z)
    put_worker(site, 1, 0, 30, z + 10 + 23.02, 90)
    assert verdict(site, "WITH_WORKER", [[NEW], [w(1), hat(1)]]) == ()
    off, z = stage()
    across(off, z)
    put_worker(off, 1, 40, 0, z + 23.02)
    assert verdict(off, "WITH_WORKER", [[NEW], [w(1), hat(1)]]) == ("worker_not_on_this_girder",)
    carry, z = stage()
    across(carry, z)
    put(carry, brick(1), 0, 40, z + 14.05, 90)
    assert verdict(carry, "TRANSPORT_BRICK", [[NEW, brick(1)]]) == ()
    lost, z = stage()
    across(lost, z)
    put(lost, brick(1), 40, 0, z + 4.05)
    assert verdict(lost, "TRANSPORT_BRICK", [[NEW, brick(1)]]) == ("brick_not_on_girder",)


def on_stage(x: float, y: float = 0.0, turn: float = 0.0) -> tuple[Site, float]:
    site, z = stage()
    put_worker(site, 1, x, y, z + 23.02, turn)
    return site, z


@pytest.mark.rule("MW-J.16", "MW-JW.6", "MW-T.52", "MW-T.48")
def test_feet_and_edges_on_a_real_site() -> None:
    new = [[w(1), hat(1)]]
    for x, found in ((70.0, ()), (66.0, ("not_at_edge",)), (0.0, ("not_at_edge",))):
        site, _ = on_stage(x)
        assert verdict(site, "NEAR_EDGE", new) == found, x
    over, _ = on_stage(83.0)  # one foot overhangs by a little
    assert verdict(over, "NEAR_EDGE", new) == ()
    wrong, _ = on_stage(75.0, 60.0)
    assert verdict(wrong, "NEAR_EDGE", new, colours=(0, 3)) == ("wrong_girder_colour", "not_at_edge")
    astride, z = stage()  # one foot on each of two girders
    put(astride, g("K", 2), 0, 11, 30)
    put_worker(astride, 1, 75, 5.5, z + 23.02, 90)
    assert verdict(astride, "NEAR_EDGE", new) == ("feet_not_on_girder", "not_at_edge")


@pytest.mark.rule("MW-A.24")
def test_a_lying_worker_counts_if_both_legs_touch() -> None:
    site, z = stage()
    put(site, g("K", 2), 0, 11, 30)  # broad enough to lie on
    site.put(w(1), ((0.0, 12.0, z + 5.02), multiply((math.sqrt(0.5), -math.sqrt(0.5), 0.0, 0.0), UPRIGHT)))
    assert site.settle()
    found = Reading(site.measure(), LIMITS)
    assert abs(rotate(site.pose(w(1))[1], (0, 0, 1))[2]) < 0.5
    assert all(KIND[p] == GIRDER for p in found.standing_on(w(1)))


@pytest.mark.rule("MW-J.17", "MW-JW.1", "MW-JW.2", "MW-JW.3", "MW-JW.4", "MW-JW.5", "MW-JW.7", "MW-T.50")
def test_loads_on_a_real_site() -> None:
    def load(*pieces: tuple[int, float, float, float]) -> Site:
        site, z = on_stage(0.0)
        for piece, x, up, turn in pieces:
            put(site, piece, x, 0, z + 31 + up, turn)
        return site

    worker = [w(1), hat(1)]
    one = load((brick(1), 14.5, 4.05, 0))
    assert verdict(one, "ONE_BRICK", [worker, [brick(1)]]) == ()
    two = load((brick(1), 14.5, 4.05, 0), (brick(2), 14.5, 12.1, 0))
    assert verdict(two, "TWO_BRICKS", [worker, [brick(1), brick(2)]]) == ()
    beams = load((beam(1), 13, 3.55, 90), (beam(2), 13, 10.6, 90))
    assert verdict(beams, "TWO_BEAMS", [worker, [beam(1), beam(2)]]) == ()
    mixed = load((beam(1), 13, 3.55, 90), (brick(1), 13, 11.1, 90))
    assert verdict(mixed, "BRICK_AND_BEAM", [worker, [brick(1), beam(1)]]) == ()
    shoulder = load((beam(1), 13, 3.55, 90))
    assert verdict(shoulder, "TRANSPORT_BEAM", [[*worker, beam(1)]]) == ()
    assert verdict(shoulder, "ONE_BEAM", [worker, [beam(1)]]) == ()
    beside, z = on_stage(0.0)
    put(beside, brick(1), 45, 0, z + 4.05)
    assert verdict(beside, "ONE_BRICK", [worker, [brick(1)]]) == ("load_not_on_arm",)


@pytest.mark.rule("MW-JW.8", "MW-T.54", "MW-JW.9", "MW-T.55")
def test_two_workers_on_a_real_site() -> None:
    def pair(apart: float) -> Site:
        site, z = stage()
        put_worker(site, 1, -apart / 2, 0, z + 23.02)
        put_worker(site, 2, apart / 2, 0, z + 23.02)
        put(site, beam(1), 0, 0, z + 31 + 3.55)
        return site

    assert verdict(pair(84), "CONNECT", [[w(1), hat(1)], [beam(1)]]) == ()
    near = verdict(pair(106), "CONNECT", [[w(1), hat(1)], [beam(1)]])
    assert "workers_not_connected" in near
    both, z = on_stage(-30.0)
    put_worker(both, 2, 30, 0, z + 23.02)
    assert verdict(both, "ADDITIONAL_WORKER", [[w(1), hat(1)], [w(2), hat(2)]]) == ()
    other, z = on_stage(-30.0)
    put_worker(other, 2, 30, 60, z + 23.02)
    new = [[w(1), hat(1)], [w(2), hat(2)]]
    assert verdict(other, "ADDITIONAL_WORKER", new, colours=(0, 2)) == ("second_worker_elsewhere",)


# -- the hand --------------------------------------------------------------------------------------------------------


def carried_to(site: Site, way: list[tuple[float, float, float]], turn=UPRIGHT, speed: float = 200.0) -> None:
    assert site.hand is not None
    position = site.hand.want[0]
    for goal in way:
        steps = max(1, round(math.dist(position, goal) / speed * 60))
        for k in range(1, steps + 1):
            part = k / steps
            x, y, z = (a + (b - a) * part for a, b in zip(position, goal, strict=True))
            site.aim(((x, y, z), turn))
            site.step(4)
        position = goal


def hand_of(site: Site) -> Hand:
    assert site.hand is not None
    return site.hand


def watch_of(site: Site) -> Watch:
    assert site.watch is not None
    return site.watch


def watched(site: Site, **rules) -> Site:
    assert site.settle()
    site.begin(WatchRules(**rules))
    return site


@pytest.mark.rule("MW-6.2", "MW-J.22", "MW-6.3", "MW-T.30")
def test_a_girder_is_carried_and_put_down() -> None:
    site, z = stage()
    watched(site)
    site.grip([NEW], ((0.0, -120.0, 80.0), yaw(90)))
    carried_to(site, [(0, 30, 90), (0, 30, z + 12)], yaw(90))
    carried_to(site, [(0, 30, z + 3)], yaw(90), 30)
    site.release()
    assert verdict(site, "TWO_OTHER_COLOURS", [[NEW]]) == ()
    assert site.accident is None
    assert math.dist(site.pose(NEW)[0], (0, 30, z + 5)) < 2


@pytest.mark.rule("MW-6.2")
def test_the_hand_pushes_but_not_with_any_force() -> None:
    site, _z = stage()
    watched(site)
    start = site.pose(g("K"))[0]
    site.grip([NEW], ((0.0, -100.0, 30.0), yaw(0)))
    carried_to(site, [(0, -15, 30)])
    carried_to(site, [(0, 10, 30)], speed=40)
    assert site.pose(g("K"))[0][1] > start[1] + 5
    assert hand_of(site).ahead <= hand_of(site).grasp.leash + 1
    # Pressing on the table moves nothing and sinks into nothing.
    press = empty()
    press.grip([g("K")], ((0.0, 0.0, 20.0), UPRIGHT))
    carried_to(press, [(0, 0, -15)], speed=50)
    assert press.pose(g("K"))[0][2] > 4.5


@pytest.mark.rule("MW-T.57", "MW-9.2", "MW-A.18")
def test_a_brick_that_bounces_off_a_worker_counts() -> None:
    site, z = stage()
    put_worker(site, 1, 0, 0, z + 23.02)
    watched(site)
    put(site, brick(1), 14, 0, z + 90)
    watch_of(site).heights[brick(1)] = site.height(brick(1))
    site.settle()
    assert site.accident is not None
    assert (site.accident.piece, site.accident.on) == (brick(1), w(1))


@pytest.mark.rule("MW-9.1", "MW-T.61")
def test_a_sweep_through_the_site_is_an_accident_and_latched() -> None:
    site, z = stage()
    put_worker(site, 1, 0, 0, z + 23.02)
    watched(site)
    site.grip([NEW], ((-130.0, 0.0, z + 30), yaw(90)))
    carried_to(site, [(60, 0, z + 30)], yaw(90), 500)
    site.step(120)
    seen = site.accident
    assert seen is not None
    assert site.withdraw() == (NEW,)
    site.settle()
    outcome = site.measure()
    assert outcome.accident == seen
    assert NEW not in outcome.pieces()
    assert {w(1), hat(1)} & set(outcome.fell)


def test_a_worker_keeps_his_hat_on_a_calm_way() -> None:
    site, z = stage()
    watched(site)
    site.grip([w(1), hat(1)], ((0.0, -120.0, 90.0), UPRIGHT))
    carried_to(site, [(20, 0, 120), (20, 0, z + 32)])
    carried_to(site, [(20, 0, z + 20)], speed=25)
    site.release()
    assert site.settle()
    outcome = site.measure()
    assert outcome.worn == ((hat(1), w(1)),)
    assert Reading(outcome, LIMITS).standing_on(w(1)) == [g("K")]
    assert outcome.accident is None


@pytest.mark.rule("MW-17.11", "MW-18.7", "MW-T.24")
def test_pairs_are_carried_together() -> None:
    site, z = stage()
    watched(site)
    site.grip([NEW, brick(1)], ((0.0, -110.0, 80.0), yaw(90)))
    carried_to(site, [(0, 30, 90), (0, 30, z + 12)], yaw(90), 120)
    carried_to(site, [(0, 30, z + 3)], yaw(90), 25)
    site.release()
    assert verdict(site, "TRANSPORT_BRICK", [[NEW, brick(1)]]) == ()
    other, z = stage()
    watched(other)
    other.grip([w(1), hat(1), beam(1)], ((0.0, -110.0, 90.0), UPRIGHT))
    carried_to(other, [(0, 0, 120), (0, 0, z + 32)], speed=120)
    carried_to(other, [(0, 0, z + 20)], speed=25)
    other.release()
    assert verdict(other, "TRANSPORT_BEAM", [[w(1), hat(1), beam(1)]]) == ()


def test_what_no_hand_can_do_is_refused_and_harms_nothing() -> None:
    site, _z = stage()
    watched(site)
    before = site.poses()

    def refused(call) -> str:
        with pytest.raises(SiteError) as caught:
            call()
        assert words.hand(caught.value.code, caught.value.facts).endswith(".")
        return caught.value.code

    there = ((0.0, 0.0, 100.0), UPRIGHT)
    assert refused(lambda: site.aim(there)) == "NOTHING_HELD"
    assert refused(site.release) == "NOTHING_HELD"
    assert refused(lambda: site.grip([NEW])) == "NOT_ON_SITE"
    assert refused(lambda: site.grip([NEW], ((math.nan, 0, 0), UPRIGHT))) == "NOT_FINITE"
    assert site.poses() == before
    site.grip([NEW], there)
    for wrong, code in (
        (((math.inf, 0.0, 100.0), UPRIGHT), "NOT_FINITE"),
        (((0.0, 0.0, 100.0), (math.nan, 0.0, 0.0, 1.0)), "NOT_FINITE"),
        (((0.0, 0.0, 100.0), (5.0, 0.0, 0.0, 1.0)), "NO_TURN"),
        (((900.0, 0.0, 100.0), UPRIGHT), "OUT_OF_REACH"),
        (((0.0, 0.0, -90.0), UPRIGHT), "OUT_OF_REACH"),
        (((300.0, 0.0, 100.0), UPRIGHT), "TELEPORT"),
    ):
        assert refused(lambda wrong=wrong: site.aim(wrong)) == code
    assert refused(lambda: site.grip([w(1)], there)) == "ONE_HAND_ONLY"
    assert refused(lambda: site.put(NEW, there)) == "ALREADY_ON_SITE"
    assert refused(site.snapshot) == "ONE_HAND_ONLY"
    assert hand_of(site).want == there
    site.step(120)
    assert all(math.dist(before[p][0], site.pose(p)[0]) < 0.1 for p in before)


def test_snapshots_are_undone_and_tried_out() -> None:
    site, z = stage()
    watched(site)
    snapshot = site.snapshot()
    before = site.poses()
    other = site.fork(snapshot)
    put(other, NEW, 0, 30, z + 6, 90)
    other.settle()
    assert NEW not in site.bodies
    assert site.poses() == before
    site.grip([NEW], ((0.0, -100.0, 30.0), UPRIGHT))
    carried_to(site, [(0, 60, 30)], speed=400)
    assert site.accident is not None or moved(site, before) > 1
    site.withdraw()
    site.restore(snapshot)
    assert site.poses() == before
    assert site.accident is None
    first, second = site.fork(snapshot), site.fork(snapshot)
    for fork in (first, second):
        put(fork, NEW, 3, 30, z + 20, 85)
        fork.settle()
    assert first.poses() == second.poses()


@pytest.mark.rule("MW-10.2", "MW-S.11")
def test_taking_a_piece_away_wakes_what_lay_on_it() -> None:
    site, z = stage()
    across(site, z)
    watched(site)
    site.take([s(1), s(2)])
    site.step(1)
    site.settle()
    assert site.pose(g("K"))[0][2] < 20
    assert site.accident is not None
    assert COLOUR[site.accident.piece] in (0, 1)


@pytest.mark.rule("MW-14.2", "MW-14.3", "MW-A.51", "MW-A.52")
def test_the_crane() -> None:
    site = empty(crane="middle")
    put(site, g("K"), 70, 0, 202.52, 90)
    watched(site, crane=True)
    found = Reading(site.measure(), LIMITS)
    assert found.supporters(g("K")) == [CRANE]
    put(site, brick(1), 35, 35, 40)
    watch_of(site).heights[brick(1)] = site.height(brick(1))
    site.settle()
    assert site.accident is not None
    assert site.accident.kind == "platform"
    loose = empty(crane="middle", crane_dynamic=True)
    watched(loose, crane=True)
    for n, x in enumerate((99, 110, 121)):
        put(loose, g("P", n + 1), x, 0, 202.52, 90)
    loose.settle()
    assert loose.accident is not None
    assert loose.accident.kind in ("crane", "surface")
    assert math.dist(loose.pose(CRANE)[0], (0, 0, 0)) > 5
    loose.take([g("P", n) for n in (1, 2, 3)])
    loose.stand_crane()
    loose.settle()
    assert rotate(loose.pose(CRANE)[1], (0, 0, 1))[2] > 0.99


@pytest.mark.rule("MW-15.5", "MW-15.6", "MW-T.89")
def test_the_box() -> None:
    site = empty(skyscraper=True)
    put(site, g("K"), -45, -85, 47.02)
    watched(site, skyscraper=True)
    assert site.accident is None
    put(site, brick(1), -80, -45, 90, 90)  # over a well
    site.settle()
    assert site.accident is not None
    assert site.accident.kind == "floor"


def test_the_free_space_below_the_hand() -> None:
    site, z = stage()
    watched(site)
    site.grip([NEW], ((0.0, 30.0, z + 5 + 40), yaw(90)))
    site.step(1)
    assert site.gap() == pytest.approx(40, abs=0.5)
    site.withdraw()
    site.grip([w(1), hat(1)], ((0.0, 0.0, z + 23 + 25), UPRIGHT))
    site.step(1)
    assert site.gap() == pytest.approx(25, abs=0.5)
