"""A game with its site: turns carried out by a hand, clean-up, and computers that try before they build."""

from __future__ import annotations

import math
import pickle
from itertools import pairwise
from random import Random
from typing import Any

import pytest

pytest.importorskip("shopfloor.games.men_at_work.site")

from shopfloor.engine.dice import FastDice
from shopfloor.engine.refusals import IllegalAction
from shopfloor.games.men_at_work import GAME, cards, chance, geometry, rules
from shopfloor.games.men_at_work.builder import LEVELS, Builder, carry_out, level, play_out, think
from shopfloor.games.men_at_work.cards import GIRDER_HOW, WORKER_HOW
from shopfloor.games.men_at_work.carrier import Carrier
from shopfloor.games.men_at_work.geometry import UPRIGHT, yaw
from shopfloor.games.men_at_work.judge import lacking
from shopfloor.games.men_at_work.layout import layout
from shopfloor.games.men_at_work.mind import Mind
from shopfloor.games.men_at_work.pieces import BEAM, KIND
from shopfloor.games.men_at_work.position import BUILD, CHOOSE, CLEANUP, SITE, SITE_DESIGN, SUPPLY
from shopfloor.games.men_at_work.rules import MenAtWork
from shopfloor.games.men_at_work.site import SiteError
from shopfloor.games.men_at_work.ways import Ways
from shopfloor.games.men_at_work.works import Works
from tests.games.men_at_work.table import A, B, card_with, code, g, hat, new_game, s, w


def works_for(what: str, how: str, preset: int = 0, players: int = 3, **options: Any) -> Works:
    """A's turn on a preset, with this What and this How, the site simulated."""
    state = new_game(players, **options)
    state.play(A, preset)
    how_card = card_with(how=how)
    what_card = card_with(what, other_than=[how_card])
    state.discard, state.stack, state.stack_owner = [how_card], [what_card], [-1]
    state.rest = [card for card in range(36) if card not in (how_card, what_card)]
    state.rita_above, state.phase, state.flips = -1, CHOOSE, 1
    return Works(state)


def act(works: Works, text: str) -> None:
    works.act(works.state.space.parse(text))


def go(works: Works, x: float, y: float, z: float, turn=UPRIGHT, speed: float = 150.0) -> None:
    site = works.site
    assert site.hand is not None
    start = site.hand.want[0]
    steps = max(1, round(math.dist(start, (x, y, z)) / speed * 60))
    for k in range(1, steps + 1):
        p, q, r = (c + (d - c) * k / steps for c, d in zip(start, (x, y, z), strict=True))
        site.aim(((p, q, r), turn))
        site.step(4)


# -- by hand ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("MW-S.2", "MW-S.7", "MW-S.8", "MW-S.9", "MW-3.2", "MW-I.11")
def test_a_turn_by_hand_from_card_to_verdict() -> None:
    state = new_game(3)
    works = Works(state)
    works.act(0)
    assert state.measure.settled
    works = works_for("G K/O", "TWO_OTHER_COLOURS")
    state = works.state
    act(works, "girder black")
    act(works, "grip black girder 2")
    go(works, 0, 5, 90, speed=250)
    go(works, 0, 5, 34, speed=60)
    act(works, "release")
    assert state.measure.accident is None
    assert lacking(state.verdict()) == ("two_colours_not_touched",)
    again = works_for("G K/O", "TOUCH_HIGHEST")
    act(again, "girder orange")
    act(again, "grip orange girder 2")
    go(again, 0, 0, 100, speed=250)
    go(again, 0, 0, 52, speed=80)
    go(again, 0, 0, 47, speed=15)
    act(again, "release")
    assert lacking(again.state.verdict()) == ()
    act(again, "finish")
    assert (again.state.hook, again.state.certificates) == (B, [3, 3, 3])
    assert again.site.watch is not None
    assert again.site.accident is None


@pytest.mark.rule("MW-9.1", "MW-A.22", "MW-T.64", "MW-S.10", "MW-10.2", "MW-10.6")
def test_an_accident_by_hand_and_its_clean_up() -> None:
    works = works_for("G K/O", "TOUCH_HIGHEST")
    state = works.state
    act(works, "girder black")
    act(works, "grip black girder 2")
    worker = works.site.pose(w(1))[0]
    go(works, worker[0], worker[1] + 60, worker[2] + 90, speed=250)
    go(works, worker[0], worker[1] + 60, worker[2] + 8, speed=250)
    go(works, worker[0], worker[1] - 40, worker[2] + 8, speed=400)
    for _ in range(40):
        if works.site.accident is None:
            works.site.step(12)
    act(works, "release")
    assert (state.phase, state.hook, state.certificates) == (CLEANUP, B, [2, 3, 3])
    assert state.place[g("K", 2)] == SUPPLY
    assert g("K", 2) not in works.site.bodies
    builder = Builder(LEVELS[2], 1)
    for _ in range(30):
        if state.phase != CLEANUP:
            break
        builder.move(works)
    assert state.phase == CHOOSE
    assert state.place[w(1)] == SUPPLY
    assert set(works.site.poses()) == set(state.site())


@pytest.mark.rule("MW-10.4", "MW-A.28", "MW-A.57")
def test_pushing_a_leaning_girder_back() -> None:
    works = works_for("G K/O", "TOUCH_HIGHEST")
    state, site = works.state, works.site
    # A girder that leans on another, one end on the table.
    girder = g("O", 2)
    angle = math.radians(20)
    turn = geometry.multiply(yaw(0), (math.cos(angle / 2), 0.0, math.sin(angle / 2), 0.0))
    site.put(girder, ((64.4, 0.0, 37.0), turn))
    site.settle()
    state.place[girder] = SITE
    state.measure = site.measure()
    state.fallen = [girder]
    state.phase, state.units = CLEANUP, ()
    assert site.watch is not None
    site.begin(site.watch.rules)  # that it was put there was no accident
    found = state.reading()
    assert found.on_surface(girder)
    assert found.one_end(girder)
    before = site.pose(girder)
    act(works, "push back orange girder 2")
    assert (state.hook, state.pushes[girder - 8], state.certificates) == (A, 1, [3, 3, 3])
    assert math.dist(site.pose(girder)[0], before[0]) > 10
    act(works, "push back orange girder 2")
    assert not state.reading().on_surface(girder)
    with pytest.raises(IllegalAction):
        act(works, "push back black girder 1")


@pytest.mark.rule("MW-A.57", "MW-10.3")
def test_fetching_with_the_hook() -> None:
    works = works_for("G K/O", "TOUCH_HIGHEST", cleanup_physics="hook")
    state, site = works.state, works.site
    piece = 80
    site.put(piece, ((0.0, 0.0, 4.2), UPRIGHT))
    site.settle()
    state.place[piece] = SITE
    state.measure = site.measure()
    state.phase, state.units = CLEANUP, ()
    assert site.watch is not None
    site.begin(site.watch.rules)
    assert state.reading().on_surface(piece)
    act(works, "retrieve brick 1")
    assert piece not in site.bodies
    assert (state.place[piece], state.certificates) == (SUPPLY, [3, 3, 3])


@pytest.mark.rule("MW-T.30", "MW-6.5")
def test_a_turn_begins_again_from_what_was_measured() -> None:
    """The process may end between two decisions: the site is the last measured one."""
    works = works_for("G K/O", "BALANCE")
    act(works, "girder orange")
    act(works, "grip orange girder 2")
    with pytest.raises(ValueError, match="in the hand"):
        Works(works.state)
    go(works, 0, 0, 100, speed=250)
    go(works, 0, 0, 46, speed=40)
    act(works, "release")
    again = Works(rules.decode(works.state.encode(), cards.load()))
    assert again.state.encode() == works.state.encode()
    for piece, (position, _) in works.site.poses().items():
        assert math.dist(position, again.site.pose(piece)[0]) < 0.5
    assert again.state.phase == BUILD


def test_what_the_rules_refuse_moves_nothing() -> None:
    works = works_for("G K/O", "BALANCE")
    before = works.site.poses()
    for text in ("grip black girder 2", "release", "finish", "retrieve brick 1"):
        with pytest.raises(IllegalAction):
            act(works, text)
    assert works.site.poses() == before
    assert works.site.hand is None
    assert code(works.state, B, "girder black") == "NOT_YOUR_DECISION"


@pytest.mark.rule("MW-3.5", "MW-3.8", "MW-S.2", "MW-A.4", "MW-T.9")
def test_a_design_of_ones_own_on_the_site() -> None:
    state = new_game(2)
    works = Works(state)
    shapes = cards.load().shapes
    drawn = {
        numbers[0]: geometry.loaded(numbers)
        for numbers in chance.preset(cards.load(), "expert", state.design_pieces(), "").poses
    }
    worker = drawn[w(1)]
    flat = {**drawn, g("W"): ((0.0, 150.0, 5.0), UPRIGHT), w(1): ((0.0, 150.0, 33.0), UPRIGHT)}
    flat[hat(1)] = geometry.hat_pose(shapes, flat[w(1)])
    for wrong, said in (
        (flat, "TOUCHES_SURFACE"),
        ({p: pose for p, pose in drawn.items() if p != s(1)}, "BAD_SETUP_PIECES"),
        ({**drawn, 400: worker}, "UNKNOWN_PIECE"),
    ):
        with pytest.raises(IllegalAction) as caught:
            works.design(wrong)
        assert caught.value.refusal.code == said
        assert (works.site.poses(), state.phase) == ({}, SITE_DESIGN)
    with pytest.raises(SiteError):
        works.design({**drawn, s(1): ((math.nan, 0.0, 0.0), UPRIGHT)})
    assert works.site.poses() == {}
    works.design(drawn)
    assert state.phase == CHOOSE
    assert set(works.site.poses()) == set(drawn)


# -- computers ------------------------------------------------------------------------------------------------------


def test_levels() -> None:
    assert [known.name for known in LEVELS] == ["apprentice", "journeyman", "master", "foreman"]
    for worse, better in pairwise(LEVELS):
        assert better.aim < worse.aim
        assert better.tremor < worse.tremor
        assert better.eager > worse.eager
        assert better.ahead > worse.ahead
        assert (better.trials, better.rehearsals) > (worse.trials, worse.rehearsals)
    with pytest.raises(ValueError, match="there is apprentice, journeyman, master, foreman"):
        level("god")


def build_one(how: str, preset: int = 0, seed: int = 3, skill: str = "master", **options: Any) -> MenAtWork:
    works = works_for("G K/O" if how in GIRDER_HOW else "W K/O", how, preset, **options)
    builder = Builder(level(skill), seed)
    state = works.state
    for _ in range(40):
        if state.turn > 1 or state.phase == CLEANUP or state.over():
            break
        builder.move(works)
    return state


@pytest.mark.parametrize("how", ["SAME_COLOUR", "NEW_SUPPORT_DIFFERENT", "TWO_BRICKS", "TRANSPORT_BEAM", "CONNECT"])
def test_a_master_builds_what_the_card_asks(how: str) -> None:
    state = build_one(how)
    assert (state.hook, state.certificates, state.turn) == (B, [3, 3, 3], 2)


@pytest.mark.slow
def test_a_foreman_builds_nearly_everything() -> None:
    done = [how for how in (*GIRDER_HOW, *WORKER_HOW) if build_one(how, skill="foreman").certificates == [3, 3, 3]]
    assert len(done) >= 20, {*GIRDER_HOW, *WORKER_HOW} - set(done)


def test_a_plan_is_the_same_every_time_and_travels() -> None:
    works = works_for("G K/O", "SAME_COLOUR")
    act(works, "girder black")
    text = works.state.encode()
    plans = [think(rules.decode(text, cards.load()), "journeyman", 5) for _ in range(2)]
    assert plans[0] == plans[1]
    assert works.state.encode() == text
    plan = pickle.loads(pickle.dumps(plans[0]))
    assert plan == plans[0]
    assert plan.route is not None
    assert plan.trials > 0
    assert works.state.space.name(plan.action) == "grip black girder 2"
    assert think(works.state, "journeyman", 6).route != plan.route
    outcome = carry_out(works, plan)
    assert outcome is not None
    assert outcome.accident is None
    assert think(works.state, "journeyman", 5).action == works.state.space.parse("finish")


def test_a_carrier_goes_tick_by_tick_as_it_goes_at_once() -> None:
    works, again = (works_for("G K/O", "SAME_COLOUR") for _ in range(2))
    for one in (works, again):
        act(one, "girder black")
    plan = think(works.state, "master", 5)
    assert plan.route is not None
    carry_out(works, plan)
    again.act(plan.action)
    carrier = Carrier(again.site, plan.route)
    ticks, fastest, last = 0, 0.0, again.site.pose(g("K", 2))[0]
    while carrier.tick():
        again.site.step(4)
        ticks += 1
        here = again.site.pose(g("K", 2))[0]
        fastest = max(fastest, math.dist(here, last) * 60)
        last = here
    act(again, "release")
    assert again.site.poses() == works.site.poses()
    assert 60 < ticks < 1200  # a few seconds, for people to watch
    assert fastest < 1.7 * level("master").speed
    slow = works_for("G K/O", "SAME_COLOUR")
    act(slow, "girder black")
    slow.act(plan.action)
    unhurried = Carrier(slow.site, plan.route, 0.5)
    count = 0
    while unhurried.tick():
        slow.site.step(4)
        count += 1
    assert count > 1.4 * ticks
    assert not unhurried.tick()
    with pytest.raises(ValueError, match="a pace of 0"):
        Carrier(slow.site, plan.route, 0.0)


def test_thinking_is_refused_where_there_is_nothing_to_think_about() -> None:
    works = works_for("G K/O", "SAME_COLOUR")
    act(works, "girder black")
    act(works, "grip black girder 2")
    with pytest.raises(ValueError, match="a piece in the hand"):
        think(works.state, "master", 1)
    over = works_for("G K/O", "SAME_COLOUR").state
    over._end("halt", "MW-12.5")
    with pytest.raises(ValueError, match="the game is over"):
        think(over, "master", 1)
    with pytest.raises(ValueError, match="there is no builder"):
        think(works_for("G K/O", "SAME_COLOUR").state, "nobody", 1)


@pytest.mark.rule("MW-A.19", "MW-A.60")
def test_what_has_no_place_is_laid_down_and_given_up() -> None:
    """A card that cannot be met costs a certificate in the end, and upsets nothing."""
    works = works_for("W K/O", "NEAR_EDGE", 2)  # the expert's tower: whoever steps on an end topples it
    builder = Builder(level("journeyman"), 1)
    state = works.state
    for _ in range(30):
        if state.hook != A:
            break
        builder.move(works)
    assert (state.certificates, state.accidents) == ([2, 3, 3], 0)
    while state.phase == CLEANUP:
        builder.move(works)
    assert state.phase == CHOOSE


@pytest.mark.rule("MW-3.5", "MW-3.8")
@pytest.mark.parametrize("variant", [{}, {"skyscraper": "on"}, {"crane": "on"}])
def test_a_starting_site_of_a_computers_own(variant: dict[str, Any]) -> None:
    state = new_game(3, **variant)
    drawn = [layout(state, 0, Random(seed)) for seed in range(3)]
    for poses in drawn:
        assert poses is not None
        works = Works(new_game(3, **variant))
        works.design(poses)
        assert works.state.phase != SITE_DESIGN
    assert drawn[0] != drawn[1]


def test_a_girder_is_put_in_from_the_side_where_something_hangs_over_its_place() -> None:
    shapes = cards.load().shapes
    over = geometry.solids(shapes, g("K"), ((0.0, 0.0, 60.0), UPRIGHT))
    ways = Ways([*over, *geometry.fixed_solids(shapes, False, "")])
    mine = geometry.solids(shapes, g("O"), ((0.0, 0.0, 30.0), UPRIGHT))
    assert not ways.down(mine)
    way = ways.sideways(mine)
    assert way is not None
    shift, lift = way
    assert abs(shift[1]) == 30.0
    assert lift == 2.0
    beside = geometry.solids(shapes, g("O"), ((0.0, 30.0, 30.0), UPRIGHT))
    assert ways.down(beside)
    deep = geometry.solids(shapes, g("O"), ((0.0, 0.0, 53.0), UPRIGHT))
    assert ways.raised(deep, 5.0) is None
    assert ways.raised(geometry.solids(shapes, g("O"), ((0.0, 0.0, 66.0), yaw(90))), 12.0) == pytest.approx(4, abs=0.8)


def test_a_narrow_way_is_known_as_one() -> None:
    shapes = cards.load().shapes
    beside = geometry.solids(shapes, g("K"), ((0.0, 11.0, 60.0), UPRIGHT))
    ways = Ways([*beside, *geometry.fixed_solids(shapes, False, "")])
    mine = geometry.solids(shapes, g("O"), ((0.0, 0.0, 30.0), UPRIGHT))
    assert ways.down(mine)
    assert not ways.down(mine, 1.5)
    assert ways.down(geometry.solids(shapes, g("O"), ((0.0, -1.0, 30.0), UPRIGHT)), 1.5)


def mind_for(works: Works, piece: int, skill: str = "master") -> Mind:
    return Mind(level(skill), Random(1), works.state.clone(), piece)


@pytest.mark.rule("MW-16.5", "MW-J.17")
def test_a_load_may_be_tried_on_another_load() -> None:
    works = works_for("W K/O", "TWO_BEAMS")
    builder = Builder(level("foreman"), 1)
    state = works.state
    beams = [p for p in range(92) if KIND[p] == BEAM][:2]
    while beams[0] not in state.placed:
        assert state.hook == A
        builder.move(works)
    mind = mind_for(works, beams[1], "foreman")
    stacked = [mind.scene._stacked(beams[1], beams[0]) for _ in range(30)]
    places = [place for pose in stacked if (place := mind._landed(pose)) is not None]
    assert places
    assert any(mind._trial(place) for place in places)


@pytest.mark.parametrize("roll", [0.0, 8.0, 90.0, 98.0, 187.0, 270.0, -94.0])
@pytest.mark.parametrize("slope", [0.0, 12.0])
def test_a_worker_stands_flat_on_whichever_face_is_up(roll: float, slope: float) -> None:
    works = works_for("W K/O", "NEAR_EDGE")
    scene = mind_for(works, w(2)).scene
    half, pitch = math.radians(roll) / 2, math.radians(slope)
    turn = geometry.multiply(geometry.pitched(0.7, pitch), (math.cos(half), math.sin(half), 0.0, 0.0))
    scene.seen[g("K")] = ((10.0, 20.0, 60.0), turn)
    for back in (False, True):
        position, stands = scene._upright_on(g("K"), 40.0, back)
        up = geometry.rotate(stands, (0.0, 0.0, 1.0))
        assert up[2] > math.cos(math.radians(12)) * math.cos(math.radians(9))
        feet = geometry.add(position, geometry.scale(up, -scene.feet()))
        local = geometry.rotate(geometry.conjugate(turn), geometry.sub(feet, (10.0, 20.0, 60.0)))
        assert local[0] == pytest.approx(40.0)
        assert sorted(abs(v) for v in local[1:]) == pytest.approx([0.0, 5.0], abs=1e-6)


def test_contacts_of_a_few_are_those_of_all() -> None:
    site = works_for("G K/O", "SAME_COLOUR").site
    few = frozenset({g("K"), w(1), s(2)})
    whole = [c for c in site.measure().contacts if few & {c.a, c.b}]
    assert whole
    assert [c for c in site.measure(few).contacts if few & {c.a, c.b}] == whole


def test_a_computer_sees_nothing_but_its_own_cards() -> None:
    """Plans come from an imagined position: the deck's order does not matter."""
    works = works_for("G K/O", "SAME_COLOUR", foreman="on")
    state = works.state
    shuffled = state.clone()
    shuffled.rest = shuffled.rest[::-1]
    assert think(state.imagine(A, FastDice(1)), "journeyman", 2) == think(
        shuffled.imagine(A, FastDice(1)), "journeyman", 2
    )


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_the_steadier_builder_has_fewer_accidents() -> None:
    """The same cards on the same sites, by the worst and by the best."""
    lost = {}
    for skill in ("apprentice", "foreman"):
        turns = [build_one(how, preset, seed, skill) for how in HARD for preset in (0, 1) for seed in range(3)]
        lost[skill] = sum(state.certificates != [3, 3, 3] for state in turns)
    assert lost["foreman"] + 3 <= lost["apprentice"], lost


HARD = ("BALANCE", "STRONG_WORKER", "TWO_BEAMS", "CONNECT", "NEW_SUPPORT_ON_GIRDER")


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("players", [2, 4])
def test_builders_play_a_game_with_all_variants_to_its_end(players: int) -> None:
    options = {"skyscraper": "on", "crane": "on", "foreman": "on", "expert": "all"}
    state = GAME.start(players, FastDice(8), options)
    assert isinstance(state, MenAtWork)
    builders = [Builder(LEVELS[0], seat) for seat in range(players)]
    works = Works(state)
    assert state.phase == SITE_DESIGN
    play_out(works, builders)
    assert state.over()
    assert state.standing().winners()
    assert sum(builder.trials for builder in builders) > 10
    assert set(works.site.poses()) <= {p for p in range(92) if state.place[p] != SUPPLY}
