"""The judge on contact fixtures: every predicate with a site where it just holds and one where it just fails."""

from __future__ import annotations

from dataclasses import replace

import pytest

from shopfloor.games.men_at_work.cards import GIRDER_HOW, WORKER_HOW
from shopfloor.games.men_at_work.judge import REASONS, Task, award, judge, lacking, reading, tolerances
from shopfloor.games.men_at_work.outcome import Contact, Outcome
from shopfloor.games.men_at_work.pieces import (
    ARM_L,
    ARM_R,
    BOX_EDGE,
    BOX_FLOOR,
    CRANE,
    HEAD,
    INSERT,
    SURFACE,
    TORSO,
)
from tests.games.men_at_work.table import LETTERS, MM, OWN, beam, brick, g, hat, rest, s, site, standing, touch, w

LIMITS = tolerances(OWN.shapes)
NEW = {letter: g(letter, 7) for letter in "KOPW"}
G9 = NEW["K"]
W9 = w(9)


def case(name: str, steps, colours: str = "K/O", **more) -> Task:
    worker = name in WORKER_HOW
    placed = frozenset(p for step in steps for p in step)
    return Task(
        worker=worker,
        how=(WORKER_HOW if worker else GIRDER_HOW).index(name),
        colours=tuple(LETTERS[c] for c in colours.split("/")),
        steps=tuple(tuple(step) for step in steps),
        before=more.pop("before", frozenset(p for p in range(92) if p not in placed)),
        tops=more.pop("tops", {}),
        placed=more.pop("placed", placed),
        **more,
    )


def reasons(task: Task, outcome: Outcome, limits=LIMITS) -> tuple[str, ...]:
    return lacking(judge(task, outcome, limits))


def girder(name: str, *contacts, task=None, **more):
    return reasons(task or case(name, [[G9]]), site(contacts, **more))


@pytest.mark.rule("MW-T.1", "MW-T.2", "MW-T.3", "MW-5.4", "MW-17.3", "MW-JG.3", "MW-16.2")
def test_two_other_colours() -> None:
    def two(*contacts):
        return girder("TWO_OTHER_COLOURS", *contacts)

    assert two(rest(G9, g("P")), touch(G9, g("W"))) == ()
    assert two(rest(G9, g("P")), touch(G9, g("P", 3))) == ("two_colours_not_touched",)
    assert two(rest(G9, g("K", 4)), touch(G9, g("W"))) == ("two_colours_not_touched",)
    assert two(rest(G9, g("P")), touch(G9, g("W")), touch(G9, g("K", 4))) == ()


@pytest.mark.rule("MW-T.31", "MW-7.3", "MW-J.7", "MW-J.19")
def test_off_the_surface() -> None:
    leaning = [rest(G9, g("K", 4)), rest(G9, SURFACE, span_x=(0, 5 * MM))]
    assert girder("SAME_COLOUR", *leaning) == ("touches_surface",)
    floor = [rest(G9, g("K", 4)), touch(G9, BOX_FLOOR)]
    assert girder("SAME_COLOUR", *floor) == ()
    assert girder("SAME_COLOUR", *floor, task=case("SAME_COLOUR", [[G9]], skyscraper=True)) == ("touches_surface",)


@pytest.mark.rule("MW-T.32", "MW-7.4", "MW-A.41", "MW-J.15", "MW-J.2")
def test_not_on_a_hardhat() -> None:
    both = [rest(G9, hat(3)), rest(G9, g("K", 4))]
    assert girder("SAME_COLOUR", *both) == ("on_hardhat",)
    assert girder("SAME_COLOUR", touch(G9, hat(3)), rest(G9, g("K", 4))) == ()
    assert girder("SAME_COLOUR", touch(G9, hat(3), 19), rest(G9, g("K", 4))) == ()
    assert girder("SAME_COLOUR", touch(G9, hat(3), 20), rest(G9, g("K", 4))) == ("on_hardhat",)


@pytest.mark.rule("MW-T.33", "MW-7.5")
def test_on_bricks_and_beams() -> None:
    tops = {G9: 90.0, g("P"): 70.0, g("W"): 69.0}
    found = girder("HIGHEST_GIRDER", rest(G9, brick(2)), rest(G9, beam(1)), pieces=tops, tops=tops)
    assert found == ()


@pytest.mark.rule("MW-T.34", "MW-7.6", "MW-A.40")
def test_covering_completely() -> None:
    on = [rest(G9, g("K"))]
    assert girder("SAME_COLOUR", *on, covers=[(G9, g("K"), 970)]) == ("covers_girder",)
    assert girder("SAME_COLOUR", *on, covers=[(G9, g("K"), 950)]) == ("covers_girder",)
    assert girder("SAME_COLOUR", *on, covers=[(G9, g("K"), 949)]) == ()
    assert girder("SAME_COLOUR", *on, covers=[(G9, g("K"), 900)]) == ()
    # Covering one that does not carry it, or being covered, is nothing.
    assert girder("SAME_COLOUR", *on, touch(G9, g("P")), covers=[(G9, g("P"), 970)]) == ()
    assert girder("SAME_COLOUR", *on, covers=[(g("K"), G9, 1000)]) == ()


@pytest.mark.rule("MW-T.35", "MW-T.36", "MW-T.37", "MW-17.1", "MW-JG.1", "MW-A.37", "MW-A.38", "MW-J.3", "MW-J.6")
def test_balance() -> None:
    def balance(*contacts, **more):
        return girder("BALANCE", *contacts, **more)

    assert balance(rest(G9, g("K"))) == ()
    assert balance(rest(G9, g("K")), rest(G9, g("P"))) == ("balance_supporters",)
    assert balance(rest(G9, s(1))) == ("balance_supporters",)
    idle = [rest(G9, g("K")), touch(G9, beam(1), 5)]
    assert balance(*idle) == ()
    strict = case("BALANCE", [[G9]], sole_contact=True)
    assert balance(*idle, task=strict) == ("balance_supporters",)
    assert balance(rest(G9, g("K")), task=strict) == ()
    assert balance(rest(G9, g("K"), span_x=(5 * MM, 15 * MM))) == ("balance_end_touched",)
    assert balance(rest(G9, g("K"), span_x=(18 * MM, 28 * MM))) == ()
    assert balance(rest(G9, g("K"), span_x=(17_999, 28 * MM))) == ("balance_end_touched",)
    assert balance(rest(G9, g("K"), span_x=(150 * MM, 162 * MM))) == ()
    assert balance(rest(G9, g("K"), span_x=(150 * MM, 162_001))) == ("balance_end_touched",)
    assert balance(rest(G9, g("K")), touch(G9, w(1), 0, span_x=(0, 4 * MM))) == ("balance_end_touched",)


@pytest.mark.rule("MW-T.38", "MW-17.2", "MW-JG.2", "MW-16.1", "MW-J.1")
def test_same_colour() -> None:
    assert girder("SAME_COLOUR", touch(G9, g("K", 4)), rest(G9, s(1))) == ()
    assert girder("SAME_COLOUR", rest(G9, g("P"))) == ("same_colour_not_touched",)
    # From below and from the side: whichever of the two is named first.
    assert girder("SAME_COLOUR", rest(g("K", 4), G9), rest(G9, s(1))) == ()


@pytest.mark.rule("MW-T.39", "MW-17.4", "MW-JG.4", "MW-J.5", "MW-A.39")
def test_touch_highest() -> None:
    tops = {g("K"): 84.0, g("O"): 83.4, g("P"): 70.0, G9: 95.0}

    def highest(*contacts, tops=tops):
        return girder("TOUCH_HIGHEST", *contacts, pieces=tops, tops=tops)

    assert highest(rest(G9, g("O"))) == ()
    assert highest(rest(G9, g("P"))) == ("highest_not_touched",)
    assert highest(rest(G9, g("O")), tops=tops | {g("O"): 83.0}) == ()
    assert highest(rest(G9, g("O")), tops=tops | {g("O"): 82.999}) == ("highest_not_touched",)


@pytest.mark.rule("MW-T.40", "MW-17.5", "MW-JG.5", "MW-A.47")
def test_with_worker() -> None:
    task = case("WITH_WORKER", [[G9], [W9, hat(9)]])
    on = [rest(G9, g("P")), *standing(W9, G9)]
    assert reasons(task, site([*on, touch(W9, g("K"), 0, (0, 0))])) == ()
    beside = [rest(G9, g("P")), *standing(W9, g("K"))]
    assert reasons(task, site(beside)) == ("worker_not_on_this_girder",)
    assert reasons(task, site([rest(G9, g("P"))])) == ("piece_missing",)
    unplaced = replace(task, placed=frozenset({G9}))
    assert "piece_missing" in reasons(unplaced, site(on))


@pytest.mark.rule("MW-T.41", "MW-17.6", "MW-JG.6", "MW-A.42")
def test_strong_worker() -> None:
    arm = rest(G9, w(1), ARM_L)
    assert girder("STRONG_WORKER", arm, rest(G9, g("K"))) == ()
    assert girder("STRONG_WORKER", rest(G9, hat(1))) == ("on_hardhat", "not_on_arm")
    assert girder("STRONG_WORKER", rest(G9, w(1), HEAD)) == ("not_on_arm",)
    assert girder("STRONG_WORKER", rest(G9, w(1), TORSO), touch(G9, w(1), 19, (0, ARM_R))) == ("not_on_arm",)
    assert girder("STRONG_WORKER", touch(G9, w(1), 20, (0, ARM_R)), rest(G9, g("K"))) == ()


@pytest.mark.rule("MW-T.42", "MW-17.7", "MW-JG.7", "MW-J.18")
def test_new_support_same() -> None:
    task = case("NEW_SUPPORT_SAME", [[s(6)], [G9]])
    on = rest(s(6), SURFACE)
    assert reasons(task, site([on, rest(G9, s(6)), rest(G9, g("K", 4))])) == ()
    assert reasons(task, site([on, rest(G9, g("K", 4))])) == ("support_not_touched",)
    assert reasons(task, site([on, rest(G9, s(6)), rest(G9, g("P"))])) == ("same_colour_not_touched",)
    hanging = [rest(s(6), w(1)), rest(G9, s(6)), rest(G9, g("K", 4))]
    assert reasons(task, site(hanging)) == ("support_place_illegal",)
    alone = lacking(judge(task, site([on]), LIMITS, 0))
    assert alone == ()
    assert lacking(judge(task, site([rest(s(6), brick(1))]), LIMITS, 0)) == ("support_place_illegal",)


@pytest.mark.rule("MW-T.43", "MW-17.8", "MW-JG.8")
def test_new_support_different() -> None:
    task = case("NEW_SUPPORT_DIFFERENT", [[s(6)], [G9]])
    on = rest(s(6), SURFACE)
    assert reasons(task, site([on, touch(G9, s(6)), rest(G9, g("P"))])) == ()
    assert reasons(task, site([on, touch(G9, s(6)), rest(G9, g("K", 4))])) == ("other_colour_not_touched",)
    assert reasons(task, site([on, rest(G9, g("P"))])) == ("support_not_touched",)


@pytest.mark.rule("MW-T.44", "MW-17.9", "MW-JG.9")
def test_new_support_on_girder() -> None:
    task = case("NEW_SUPPORT_ON_GIRDER", [[s(6)], [G9]])
    assert reasons(task, site([rest(s(6), g("K")), rest(G9, s(6)), touch(G9, g("K"))])) == ()
    leaning = [rest(s(6), SURFACE), touch(s(6), g("K")), rest(G9, s(6)), touch(G9, g("K"))]
    assert reasons(task, site(leaning)) == ("support_not_on_girder",)
    assert reasons(task, site([rest(s(6), g("K")), rest(G9, s(6))])) == ("other_girder_not_touched",)
    assert "support_not_on_girder" in lacking(judge(task, site([rest(s(6), SURFACE)]), LIMITS, 0))


@pytest.mark.rule("MW-A.48", "MW-J.18", "MW-JG.9")
def test_a_support_on_a_girder_does_not_touch_the_floor_of_the_box_besides() -> None:
    well = [rest(s(6), g("K")), rest(G9, s(6)), touch(G9, g("K"))]
    besides = site([*well, touch(s(6), BOX_FLOOR)])
    for steps in (0, 1):
        for skyscraper, wanted in ((False, ()), (True, ("support_place_illegal",))):
            task = case("NEW_SUPPORT_ON_GIRDER", [[s(6)], [G9]], skyscraper=skyscraper)
            assert lacking(judge(task, besides, LIMITS, steps)) == wanted


@pytest.mark.rule("MW-T.45", "MW-17.10", "MW-JG.10", "MW-A.45")
def test_touch_support() -> None:
    assert girder("TOUCH_SUPPORT", touch(G9, s(2)), rest(G9, g("K"))) == ()
    assert girder("TOUCH_SUPPORT", rest(G9, CRANE)) == ("support_not_touched",)
    assert girder("TOUCH_SUPPORT", rest(G9, BOX_EDGE), rest(G9, INSERT)) == ("support_not_touched",)


@pytest.mark.rule("MW-T.46", "MW-17.11", "MW-JG.11")
def test_transport_brick() -> None:
    task = case("TRANSPORT_BRICK", [[G9, brick(1)]])
    assert reasons(task, site([rest(G9, g("P")), rest(brick(1), G9)])) == ()
    assert reasons(task, site([rest(G9, g("P")), rest(brick(1), g("K"))])) == ("brick_not_on_girder",)
    assert reasons(task, site([rest(G9, g("P")), touch(brick(1), G9, 19)])) == ("brick_not_on_girder",)


@pytest.mark.rule("MW-T.47", "MW-17.12", "MW-JG.12", "MW-J.4")
def test_highest_girder() -> None:
    def height(top: float):
        tops = {g("K"): 84.0, W9: 120.0, G9: top}
        return girder("HIGHEST_GIRDER", rest(G9, s(1)), pieces=tops, tops=tops)

    assert height(85.1) == ()
    assert height(84.9) == ("not_highest_girder",)
    assert height(85.0) == ("not_highest_girder",)


# -- workers ------------------------------------------------------------------------------------------------------


def worker(name: str, *contacts, steps=None, task=None, **more):
    return reasons(task or case(name, steps or [[W9, hat(9)]]), site(contacts, **more))


@pytest.mark.rule("MW-T.48", "MW-8.2", "MW-J.16")
def test_glove_colours() -> None:
    edge = (0, 5 * MM)
    assert worker("NEAR_EDGE", *standing(W9, g("P"), edge)) == ("wrong_girder_colour", "not_at_edge")
    assert worker("NEAR_EDGE", *standing(W9, g("K", 4), edge)) == ()
    assert worker("NEAR_EDGE", *standing(W9, g("O", 4), edge)) == ()


@pytest.mark.rule("MW-T.49", "MW-8.3", "MW-A.24", "MW-A.25", "MW-8.1")
def test_both_feet_on_one_girder() -> None:
    edge = (0, 5 * MM)
    one = touch(W9, g("K", 4), 900, (0, 0), span_y=edge)
    other = touch(W9, g("K", 5), 900, (1, 0), span_y=edge)
    assert "feet_not_on_girder" in worker("NEAR_EDGE", one)
    assert "feet_not_on_girder" in worker("NEAR_EDGE", one, other)
    lying = [*standing(W9, g("K", 4), edge), touch(W9, g("K", 4), 100, (HEAD, 0), span_y=edge)]
    assert worker("NEAR_EDGE", *lying) == ()


def turned(outcome: Outcome, piece: int, degrees: float) -> Outcome:
    """A piece tilted about x."""
    import math

    half = math.radians(degrees) / 2
    q = (round(1e7 * math.cos(half)), round(1e7 * math.sin(half)), 0, 0)
    return replace(outcome, poses=tuple((*p[:4], *q) if p[0] == piece else p for p in outcome.poses))


@pytest.mark.rule("MW-A.24")
def test_upright_by_table_option() -> None:
    on = site([*standing(W9, g("K"), (0, 5 * MM))])
    strict = case("NEAR_EDGE", [[W9]], upright_required=True)
    assert reasons(strict, turned(on, W9, 29.9)) == ()
    assert reasons(strict, turned(on, W9, 30.2)) == ("not_upright",)
    assert reasons(case("NEAR_EDGE", [[W9]]), turned(on, W9, 90)) == ()


@pytest.mark.rule("MW-T.50", "MW-16.4", "MW-16.5", "MW-18.1", "MW-18.2", "MW-J.17", "MW-JW.1", "MW-JW.2")
def test_bricks_on_arms() -> None:
    def two(*contacts):
        steps = [[W9, hat(9)], [brick(1), brick(2)]]
        return worker("TWO_BRICKS", *standing(W9, g("K")), *contacts, steps=steps)

    assert two(rest(brick(1), W9, ARM_L), rest(brick(2), W9, ARM_R)) == ()
    assert two(rest(brick(1), W9, ARM_L), rest(brick(2), brick(1))) == ()
    assert two(rest(brick(1), hat(9)), rest(brick(2), W9, ARM_R)) == ("load_not_on_arm",)
    one = [[W9, hat(9)], [brick(1)]]
    on = standing(W9, g("K"))
    assert worker("ONE_BRICK", *on, touch(brick(1), W9, 20, (0, ARM_R)), steps=one) == ()
    assert worker("ONE_BRICK", *on, touch(brick(1), W9, 19, (0, ARM_R)), steps=one) == ("load_not_on_arm",)
    assert worker("ONE_BRICK", *on, rest(brick(1), W9, TORSO), steps=one) == ("load_not_on_arm",)


@pytest.mark.rule("MW-T.51", "MW-18.3", "MW-18.4", "MW-18.5", "MW-JW.3", "MW-JW.4", "MW-JW.5")
def test_beams_on_arms() -> None:
    on = standing(W9, g("K"))
    mixed = [[W9, hat(9)], [brick(1), beam(1)]]
    arms = [rest(beam(1), W9, ARM_L), rest(beam(1), W9, ARM_R)]
    assert worker("BRICK_AND_BEAM", *on, *arms, rest(brick(1), beam(1)), steps=mixed) == ()
    assert worker("BRICK_AND_BEAM", *on, *arms, steps=mixed) == ("load_missing",)
    one = [[W9, hat(9)], [beam(1)]]
    assert worker("ONE_BEAM", *on, rest(beam(1), W9, ARM_R), touch(beam(1), g("P")), steps=one) == ()
    assert worker("ONE_BEAM", *on, rest(beam(1), g("P")), touch(beam(1), W9, 0, (0, ARM_R)), steps=one) == (
        "load_not_on_arm",
    )
    two = [[W9, hat(9)], [beam(1), beam(2)]]
    assert worker("TWO_BEAMS", *on, rest(beam(1), W9, ARM_R), rest(beam(2), beam(1)), steps=two) == ()
    assert worker("TWO_BEAMS", *on, rest(beam(1), w(2), ARM_R), rest(beam(2), beam(1)), steps=two) == (
        "load_not_on_arm",
    )
    assert "touches_surface" in worker("ONE_BEAM", *on, rest(beam(1), W9, ARM_R), touch(beam(1), SURFACE), steps=one)


@pytest.mark.rule("MW-T.52", "MW-18.6", "MW-JW.6", "MW-A.46")
def test_near_edge() -> None:
    def edge(low: float, high: float):
        return worker("NEAR_EDGE", *standing(W9, g("K"), (round(low * MM), round(high * MM))))

    assert edge(10.0, 19.0) == ()
    assert edge(12.0, 21.0) == ("not_at_edge",)
    assert edge(10.8, 20.0) == ()
    assert edge(10.801, 20.0) == ("not_at_edge",)
    assert edge(0, 6) == ()
    assert edge(160, 169.2) == ()
    assert edge(160, 169.1) == ("not_at_edge",)


@pytest.mark.rule("MW-T.53", "MW-18.7", "MW-JW.7", "MW-A.42")
def test_transport_beam() -> None:
    steps = [[W9, hat(9), beam(1)]]
    on = standing(W9, g("K", 4))
    assert worker("TRANSPORT_BEAM", *on, rest(beam(1), W9, ARM_R), steps=steps) == ()
    assert worker("TRANSPORT_BEAM", *on, rest(beam(1), g("K", 4)), steps=steps) == ("beam_not_on_shoulder",)


@pytest.mark.rule("MW-T.54", "MW-18.8", "MW-JW.8", "MW-A.43")
def test_connect() -> None:
    steps = [[W9, hat(9)], [beam(1)]]
    on = standing(W9, g("K"))
    near = touch(beam(1), W9, 0, (0, ARM_R))

    def connect(*contacts):
        return worker("CONNECT", *on, *contacts, steps=steps)

    assert connect(near, rest(beam(1), w(2), ARM_L)) == ()
    assert connect(near) == ("workers_not_connected",)
    assert connect(near, rest(beam(1), w(2), HEAD)) == ("workers_not_connected",)
    assert connect(near, touch(beam(1), w(2), 0, (0, ARM_L)), rest(beam(1), g("P"))) == ("workers_not_connected",)
    assert connect(rest(beam(1), w(2), ARM_L)) == ("workers_not_connected",)


@pytest.mark.rule("MW-T.55", "MW-18.9", "MW-JW.9")
def test_additional_worker() -> None:
    steps = [[W9, hat(9)], [w(10), hat(10)]]
    on = standing(W9, g("K", 4))
    assert worker("ADDITIONAL_WORKER", *on, *standing(w(10), g("K", 4)), steps=steps) == ()
    assert worker("ADDITIONAL_WORKER", *on, *standing(w(10), g("K", 5)), steps=steps) == ("second_worker_elsewhere",)
    assert worker("ADDITIONAL_WORKER", *on, touch(w(10), g("K", 4)), steps=steps) == ("feet_not_on_girder",)


@pytest.mark.rule("MW-T.95", "MW-A.61", "MW-J.23")
def test_bareheaded() -> None:
    on = [*standing(W9, g("K"), (0, 5 * MM)), rest(hat(9), g("O"))]
    tops = {W9: 80.0, hat(9): 40.0}
    outcome = site(on, tops=tops)
    assert worker("NEAR_EDGE", *on) == ()
    assert reading(outcome, LIMITS).top(W9) == 80 * MM
    strict = case("NEAR_EDGE", [[W9, hat(9)]], hat_required=True)
    assert reasons(strict, outcome) == ("hat_missing",)
    assert reasons(strict, replace(outcome, worn=((hat(9), W9),))) == ()
    assert reasons(replace(strict, steps=((W9,),)), outcome) == ()  # the supply had none (MW-A.26)
    pair = case("ADDITIONAL_WORKER", [[W9, hat(9)], [w(10)]], hat_required=True)
    one_hat = site([*standing(W9, g("K")), *standing(w(10), g("K"))], pieces=[hat(9)], worn=[(hat(9), W9)])
    assert reasons(pair, one_hat) == ()  # it had one for two
    assert reasons(replace(pair, steps=((W9, hat(9)), (w(10), hat(10)))), one_hat) == ("hat_missing",)


@pytest.mark.rule("MW-13.6", "MW-J.20", "MW-T.86", "MW-A.55")
def test_highest_of_the_colour() -> None:
    tops = {g("K"): 60 * MM, g("K", 2): 90 * MM, g("K", 3): 89 * MM, g("O"): 100 * MM}
    task = case("NEAR_EDGE", [[W9]], foreman=True, tops=tops)
    edge = (0, 5 * MM)
    assert reasons(task, site(standing(W9, g("K"), edge))) == ("not_highest_of_colour", "not_at_edge")
    assert reasons(task, site(standing(W9, g("K", 2), edge))) == ()
    assert reasons(task, site(standing(W9, g("K", 3), edge))) == ()
    assert reasons(task, site(standing(W9, g("O"), edge))) == ()
    low = replace(task, tops=tops | {g("K", 3): 89 * MM - 1})
    assert reasons(low, site(standing(W9, g("K", 3), edge))) == ("not_highest_of_colour", "not_at_edge")
    with_worker = case("WITH_WORKER", [[G9], [W9]], foreman=True, tops=tops)
    on = site([rest(G9, g("P")), *standing(W9, G9)], tops={G9: 70.0})
    assert reasons(with_worker, on) == ()
    assert reasons(replace(with_worker, foreman_with_worker=True), on) == ("not_highest_of_colour",)
    high = site([rest(G9, g("P")), *standing(W9, G9)], tops={G9: 95.0})
    assert reasons(replace(with_worker, foreman_with_worker=True), high) == ()


@pytest.mark.rule("MW-J.8", "MW-J.22", "MW-16.3")
def test_at_rest_and_out_of_the_hand() -> None:
    assert girder("SAME_COLOUR", rest(G9, g("K")), settled=False) == ("not_settled",)
    held = case("SAME_COLOUR", [[G9]], in_hand=(G9,), placed=frozenset())
    assert reasons(held, site([rest(G9, g("K"))])) == ("not_settled",)
    assert girder("SAME_COLOUR", rest(G9, g("K")), touched=[g("K")]) == ("direct_touch",)


@pytest.mark.rule("MW-J.18", "MW-T.91", "MW-A.48")
def test_a_support_in_the_box() -> None:
    task = case("NEW_SUPPORT_SAME", [[s(6)], [G9]], skyscraper=True)

    def on(ground: int):
        return reasons(task, site([rest(s(6), ground), rest(G9, s(6)), rest(G9, g("K"))]))

    assert on(SURFACE) == ("support_place_illegal",)
    assert on(BOX_FLOOR) == ("support_place_illegal",)
    assert on(BOX_EDGE) == on(INSERT) == on(g("P")) == ()


@pytest.mark.rule("MW-J.21", "MW-T.72", "MW-T.73", "MW-11.3", "MW-A.32", "MW-A.33", "MW-I.20", "MW-11.5")
def test_the_highest_point() -> None:
    def high(tops, new, on_tie=False, worn=(), besides=()):
        return award(new, site(pieces=tops, tops=tops, worn=worn), LIMITS, on_tie, besides)

    old = {g("K"): 212.0, w(1): 100.0}
    assert high(old | {W9: 213.5}, [W9])
    assert not high(old | {W9: 212.6}, [W9])
    assert not high(old | {W9: 213.0}, [W9])
    assert high(old | {W9: 212.6}, [W9], on_tie=True)
    assert high(old | {W9: 211.0}, [W9], on_tie=True)
    assert not high(old | {W9: 210.9}, [W9], on_tie=True)
    assert high(old | {W9: 171.0, beam(1): 213.5}, [W9, beam(1)])
    # A loose hat is a rival, a worn one is part of its worker.
    loose = old | {W9: 213.5, hat(1): 213.0}
    assert not high(loose, [W9])
    assert high(loose, [W9], worn=[(hat(1), w(1))])
    assert high(old | {W9: 213.5, hat(9): 213.5}, [W9], worn=[(hat(9), W9)])
    assert not high(old | {W9: 213.5}, [W9], besides=(212_600,))
    assert not high(old, [])


@pytest.mark.rule("MW-J.23", "MW-J.1")
def test_a_worn_hat_is_no_contact_of_its_wearer() -> None:
    contacts = [Contact(w(1), hat(1), HEAD, 0, 0, 1000), rest(G9, g("K"))]
    worn = reading(site(contacts, worn=[(hat(1), w(1))]), LIMITS)
    assert worn.of(hat(1)) == worn.of(w(1)) == []
    loose = reading(site(contacts), LIMITS)
    assert loose.rests_on(hat(1), w(1))


@pytest.mark.rule("MW-I.13", "MW-I.14")
@pytest.mark.parametrize("name", [*GIRDER_HOW, *WORKER_HOW])
def test_more_contacts_never_hurt_and_names_do_not_matter(name: str) -> None:
    """An idle touch changes no favourable verdict; asking for more weight makes no unfavourable one favourable."""
    steps, contacts = GOOD[name]
    task = case(name, steps, before=frozenset(p for p in range(92) if p not in {q for step in steps for q in step}))
    good = site(contacts, tops={G9: 99.0})
    assert reasons(task, good) == ()
    new = steps[-1][0]
    for other in (g("W", 5), s(8), w(16), beam(12), brick(12), hat(16)):
        assert reasons(task, replace(site([*contacts, touch(new, other)], tops={G9: 99.0}))) == ()
    if name not in ("BALANCE", "HIGHEST_GIRDER"):
        strict = replace(LIMITS, bear_frac=501)
        for mask in range(1 << len(contacts)):
            some = site([c for k, c in enumerate(contacts) if mask >> k & 1], pieces=good.pieces(), tops={G9: 99.0})
            assert not reasons(task, some) or reasons(task, some, strict)
    # Other pieces of the same kind in the same places make the same site.
    other_name = {g("K"): g("K", 2), g("P"): g("P", 3), w(1): w(3), w(2): w(4), s(1): s(2)}
    renamed = [replace(c, a=other_name.get(c.a, c.a), b=other_name.get(c.b, c.b)) for c in contacts]
    assert reasons(task, site(renamed, tops={G9: 99.0})) == ()


ON = standing(W9, g("K"))
GOOD = {
    "BALANCE": ([[G9]], [rest(G9, g("K"))]),
    "SAME_COLOUR": ([[G9]], [rest(G9, g("K"))]),
    "TWO_OTHER_COLOURS": ([[G9]], [rest(G9, g("P")), rest(G9, g("O"))]),
    "TOUCH_HIGHEST": ([[G9]], [rest(G9, g("P"))]),
    "WITH_WORKER": ([[G9], [W9]], [rest(G9, g("P")), *standing(W9, G9)]),
    "STRONG_WORKER": ([[G9]], [rest(G9, w(1), ARM_L)]),
    "NEW_SUPPORT_SAME": ([[s(6)], [G9]], [rest(s(6), SURFACE), rest(G9, s(6)), rest(G9, g("K"))]),
    "NEW_SUPPORT_DIFFERENT": ([[s(6)], [G9]], [rest(s(6), SURFACE), rest(G9, s(6)), rest(G9, g("P"))]),
    "NEW_SUPPORT_ON_GIRDER": ([[s(6)], [G9]], [rest(s(6), g("K")), rest(G9, s(6)), rest(G9, g("K"))]),
    "TOUCH_SUPPORT": ([[G9]], [rest(G9, s(1))]),
    "TRANSPORT_BRICK": ([[G9, brick(1)]], [rest(G9, g("P")), rest(brick(1), G9)]),
    "HIGHEST_GIRDER": ([[G9]], [rest(G9, g("P"))]),
    "ONE_BRICK": ([[W9], [brick(1)]], [*ON, rest(brick(1), W9, ARM_L)]),
    "TWO_BRICKS": ([[W9], [brick(1), brick(2)]], [*ON, rest(brick(1), W9, ARM_L), rest(brick(2), W9, ARM_R)]),
    "ONE_BEAM": ([[W9], [beam(1)]], [*ON, rest(beam(1), W9, ARM_L)]),
    "TWO_BEAMS": ([[W9], [beam(1), beam(2)]], [*ON, rest(beam(1), W9, ARM_L), rest(beam(2), beam(1))]),
    "BRICK_AND_BEAM": ([[W9], [brick(1), beam(1)]], [*ON, rest(beam(1), W9, ARM_L), rest(brick(1), beam(1))]),
    "NEAR_EDGE": ([[W9]], standing(W9, g("K"), (0, 5 * MM))),
    "TRANSPORT_BEAM": ([[W9, beam(1)]], [*ON, rest(beam(1), W9, ARM_L)]),
    "CONNECT": ([[W9], [beam(1)]], [*ON, rest(beam(1), W9, ARM_L), rest(beam(1), w(2), ARM_R)]),
    "ADDITIONAL_WORKER": ([[W9], [w(10)]], [*ON, *standing(w(10), g("K"))]),
}


def test_every_reason_is_known() -> None:
    assert len(set(REASONS)) == len(REASONS)
