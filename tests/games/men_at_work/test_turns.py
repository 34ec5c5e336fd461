"""Turns on given outcomes: the hand, tries, accidents, clean-up, awards and the end."""

from __future__ import annotations

from typing import Any

import pytest

from shopfloor.games.men_at_work import actions as a
from shopfloor.games.men_at_work.pieces import (
    ARM_L,
    BEAM,
    BRICK,
    GIRDER,
    HAT,
    HEAD,
    OF_COLOUR,
    SUPPORT,
    SURFACE,
    WORKER,
)
from shopfloor.games.men_at_work.position import BUILD, CHOOSE, CLEANUP, DEAD, GAME_OVER, SITE, SITE_DESIGN, SUPPLY
from tests.games.men_at_work.table import (
    LENGTH,
    MM,
    A,
    B,
    C,
    D,
    also,
    arrange,
    beam,
    brick,
    build,
    card_with,
    code,
    g,
    hat,
    legal,
    play,
    refused,
    rest,
    s,
    seen,
    site,
    standing,
    touch,
    verdict,
    w,
)

GROUND = [rest(s(1), SURFACE), rest(g("P"), s(1)), rest(g("K"), s(1)), rest(g("W"), s(1)), *standing(w(1), g("P"))]
SITE_NOW = site(GROUND)
NEW = g("K", 2)  # the girder that the next black one is


def turn(how: str = "SAME_COLOUR", what: str = "G K/O", outcome=SITE_NOW, colour: str = "girder black", **options):
    """A has chosen and is to build."""
    state = arrange(what, how, outcome, **options)
    play(state, A, colour)
    return state


def name(piece: int) -> str:
    from shopfloor.games.men_at_work.pieces import NAMES

    return NAMES[piece]


# -- the hand -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("MW-T.23", "MW-6.2", "MW-4.3", "MW-S.7")
def test_only_this_turns_pieces() -> None:
    state = turn()
    assert code(state, A, f"grip {name(g('K'))}") == "NOT_THIS_TURNS_PIECE"
    assert code(state, A, "grip brick 1") == "NOT_THIS_TURNS_PIECE"
    assert legal(state) == [f"grip {name(NEW)}"]


@pytest.mark.rule("MW-T.24", "MW-6.1")
def test_one_hand() -> None:
    state = turn("WITH_WORKER")
    play(state, A, f"grip {name(NEW)}")
    # The worker is not due before the girder lies, and even then there is only one hand.
    assert code(state, A, "grip worker 2") == "ONE_HAND_ONLY"
    play(state, A, "release", also(SITE_NOW, [rest(NEW, g("P"))]))
    play(state, A, "next piece")
    play(state, A, "grip worker 2")
    assert code(state, A, f"grip {name(NEW)}") == "ONE_HAND_ONLY"
    pair = turn("TRANSPORT_BRICK")
    play(pair, A, f"grip {name(NEW)}")
    assert pair.held == [NEW, brick(1)]
    assert code(turn("TRANSPORT_BRICK"), A, "grip brick 1") == "WRONG_PIECE_ORDER"


@pytest.mark.rule("MW-T.25", "MW-6.2", "MW-6.4")
def test_old_pieces_may_be_moved_by_the_one_in_hand() -> None:
    state = turn()
    play(state, A, f"grip {name(NEW)}")
    moved = also(SITE_NOW, [rest(NEW, g("K"))], tops={g("K"): 58.0})
    play(state, A, "release", moved)
    assert (state.phase, state.certificates) == (BUILD, [3, 3, 3])
    assert verdict(state) == ()


@pytest.mark.rule("MW-T.26", "MW-6.5", "MW-S.8")
def test_a_failed_try() -> None:
    state = turn()
    build(state, rest(NEW, g("P")))
    play(state, A, "finish")
    assert [f.code for f in state.findings if not f.met] == ["same_colour_not_touched"]
    assert (state.hook, state.phase, state.attempts, state.units) == (A, BUILD, 1, ((0, (NEW,)),))
    assert legal(state) == [f"grip {name(NEW)}", "finish"]


@pytest.mark.rule("MW-T.27", "MW-A.19", "MW-A.22", "MW-A.18", "MW-S.10")
def test_the_attempt_limit() -> None:
    state = turn(attempt_limit="10")
    play(state, A, f"grip {name(NEW)}")
    for _ in range(10):
        assert state.hook == A
        play(state, A, "finish")
    assert (state.certificates, state.hook, state.phase) == ([2, 3, 3], B, CLEANUP)
    assert state.place[NEW] == SUPPLY
    assert legal(state) == ["clean done"]
    free = turn(attempt_limit="3", stuck_penalty="none")
    play(free, A, f"grip {name(NEW)}")
    for _ in range(3):
        play(free, A, "finish")
    assert (free.certificates, free.hook) == ([3, 3, 3], B)


@pytest.mark.rule("MW-T.94", "MW-A.60")
def test_giving_up() -> None:
    state = turn()
    play(state, A, f"grip {name(NEW)}")
    for tries in range(3):
        assert refused(state, A, "give up").facts["tries"] == tries
        assert code(state, A, "give up") == "GIVE_UP_TOO_EARLY"
        play(state, A, "finish")
    play(state, A, "give up")
    assert (state.certificates, state.hook, state.phase) == ([2, 3, 3], B, CLEANUP)
    assert state.place[NEW] == SUPPLY
    never = turn(give_up_after="off")
    play(never, A, f"grip {name(NEW)}")
    for _ in range(5):
        play(never, A, "finish")
    assert code(never, A, "give up") == "GIVE_UP_TOO_EARLY"


@pytest.mark.rule("MW-A.22", "MW-A.19")
def test_what_was_let_go_stays_when_one_gives_up() -> None:
    state = turn("WITH_WORKER")
    build(state, rest(NEW, g("P")))
    play(state, A, "next piece")
    play(state, A, "grip worker 2")
    for _ in range(3):
        play(state, A, "finish")
    play(state, A, "give up")
    assert state.place[NEW] == SITE
    assert state.place[w(2)] == state.place[hat(1)] == SUPPLY
    assert NEW in state.measure.pieces()


@pytest.mark.rule("MW-T.28", "MW-A.20")
def test_the_support_comes_first() -> None:
    state = turn("NEW_SUPPORT_SAME")
    assert code(state, A, f"grip {name(NEW)}") == "WRONG_PIECE_ORDER"
    play(state, A, "grip support 2")
    assert code(state, A, "next piece") == "PIECE_NOT_VALID"
    play(state, A, "release", also(SITE_NOW, [rest(s(2), w(1))]))
    assert refused(state, A, "next piece").facts["reasons"] == ["support_place_illegal"]
    play(state, A, "grip support 2")
    play(state, A, "release", also(SITE_NOW, [rest(s(2), SURFACE)]))
    play(state, A, "next piece")
    assert code(state, A, "grip support 2") == "WRONG_PIECE_ORDER"  # it stands well
    play(state, A, f"grip {name(NEW)}")
    fallen = also(SITE_NOW, [rest(s(2), brick(1)), rest(NEW, g("K")), touch(NEW, s(2))], fell=())
    play(state, A, "release", without_brick(fallen))
    assert f"grip {name(s(2))}" in legal(state)  # no longer
    assert code(state, A, "next piece") == "NO_NEXT_PIECE"


def without_brick(outcome):
    from shopfloor.games.men_at_work.position import without

    return without(outcome, [brick(1)])


@pytest.mark.rule("MW-T.29", "MW-4.3", "MW-A.62")
def test_whose_decision_and_which_phase() -> None:
    state = turn()
    assert code(state, B, f"grip {name(NEW)}") == "NOT_YOUR_DECISION"
    assert code(state, A, f"retrieve {name(g('K'))}") == "WRONG_PHASE"
    assert code(state, B, f"retrieve {name(g('K'))}") == "WRONG_PHASE"
    assert code(state, A, "girder black") == "WRONG_PHASE"
    assert code(state, A, "release") == "NOTHING_HELD"
    assert code(state, A, "finish") == "NOTHING_PLACED"


@pytest.mark.rule("MW-T.30", "MW-6.3", "MW-A.21")
def test_trying_out() -> None:
    state = turn()
    build(state, rest(NEW, g("W")))
    play(state, A, f"grip {name(NEW)}")
    play(state, A, "release", also(SITE_NOW, [rest(NEW, g("K"))]))
    before = state.girder_supply(0)
    play(state, A, "finish")
    assert (state.hook, state.turn, state.certificates) == (B, 2, [3, 3, 3])
    assert state.girder_supply(0) == before


@pytest.mark.rule("MW-A.61", "MW-T.95", "MW-T.98")
def test_a_lost_hat_may_be_taken_up() -> None:
    state = turn("NEAR_EDGE", "W O/W", colour="glove white")
    play(state, A, "grip worker 2")
    assert state.held == [w(2), hat(1)]
    end = (0, 5 * MM)
    off = also(SITE_NOW, [*standing(w(2), g("W"), end), rest(hat(1), g("P"))])
    play(state, A, "release", off)
    assert legal(state) == ["grip worker 2", "grip hat 1", "finish"]
    play(state, A, "grip hat 1")
    assert state.held == [hat(1)]
    from dataclasses import replace

    on = also(SITE_NOW, [*standing(w(2), g("W"), end), touch(w(2), hat(1), 0, (HEAD, 0))])
    play(state, A, "release", replace(on, worn=((hat(1), w(2)),)))
    assert code(state, A, "grip hat 1") == "WRONG_PIECE_ORDER"
    play(state, A, "finish")
    assert state.hook == B


@pytest.mark.rule("MW-A.44")
def test_loads_in_any_order_by_table_option() -> None:
    state = turn("ONE_BRICK", "W O/W", colour="glove white")
    assert code(state, A, "grip brick 1") == "WRONG_PIECE_ORDER"
    free = turn("ONE_BRICK", "W O/W", colour="glove white", free_order="on")
    assert legal(free) == ["grip worker 2", "grip brick 1"]


@pytest.mark.rule("MW-J.22")
def test_a_touch_of_the_hand_itself() -> None:
    state = turn()
    play(state, A, f"grip {name(NEW)}")
    play(state, A, "release", also(SITE_NOW, [rest(NEW, g("K"))], touched=(g("P"),)))
    assert state.attempts == 1
    assert verdict(state) == ("direct_touch",)


@pytest.mark.rule("MW-J.22")
def test_a_touch_of_the_hand_is_no_matter_of_the_next_turn() -> None:
    state = turn(attempt_limit="3")
    play(state, A, f"grip {name(NEW)}")
    play(state, A, "release", also(SITE_NOW, [rest(NEW, g("K"))], touched=(g("P"),)))
    play(state, A, "finish")
    play(state, A, "finish")
    assert state.phase == CLEANUP
    play(state, 1, "clean done")
    assert state.measure.touched == ()


@pytest.mark.rule("MW-A.22", "MW-J.9")
def test_what_is_back_in_the_supply_has_not_fallen() -> None:
    state = turn(attempt_limit="3")
    play(state, A, f"grip {name(NEW)}")
    play(state, A, "release", also(SITE_NOW, [rest(NEW, g("P"))], fell=(NEW,)))
    assert state.fallen == [NEW]
    play(state, A, f"grip {name(NEW)}")
    while state.phase == BUILD:
        play(state, A, "finish")
    assert state.place[NEW] == SUPPLY
    assert state.fallen == []


# -- accidents ----------------------------------------------------------------------------------------------------


def dropped(state, *contacts, how: str = "surface", on: int = SURFACE, fell=(), gone=()):
    """Letting go ends in an accident: what was held is gone, the contacts are there."""
    from shopfloor.games.men_at_work.position import without

    lying = {c.a for c in contacts}
    base = without(state.measure, [*state.held, *gone])
    kept = site(
        [c for c in base.contacts if c.a not in lying or (c.b >= 0 and c.a not in lying)],
        pieces=base.pieces(),
        worn=[pair for pair in base.worn if pair[1] not in lying],
    )
    return also(kept, contacts, accident=accident(how, contacts[0].a, on), fell=tuple(sorted(fell or lying)))


def accident(how: str, piece: int, on: int):
    from shopfloor.games.men_at_work.outcome import Accident

    return Accident(how, piece, on)


LOADED = site([*GROUND, rest(brick(3), g("P")), rest(g("W", 2), g("P"))])


@pytest.mark.rule("MW-T.56", "MW-9.1", "MW-9.3", "MW-9.4", "MW-9.5", "MW-2.2", "MW-A.22", "MW-T.64", "MW-A.17")
def test_a_brick_on_the_table() -> None:
    state = turn(outcome=LOADED)
    play(state, A, f"grip {name(NEW)}")
    play(state, A, "release", dropped(state, rest(brick(3), SURFACE)))
    assert (state.certificates, state.hook, state.phase) == ([2, 3, 3], B, CLEANUP)
    assert state.place[NEW] == SUPPLY
    assert legal(state) == ["retrieve brick 3"]


@pytest.mark.rule("MW-T.60", "MW-A.18", "MW-I.3")
def test_one_certificate_an_accident() -> None:
    state = turn(outcome=LOADED)
    play(state, A, f"grip {name(NEW)}")
    many = [rest(brick(3), SURFACE), rest(g("W", 2), SURFACE), rest(w(1), SURFACE)]
    play(state, A, "release", dropped(state, *many))
    assert state.certificates == [2, 3, 3]
    assert legal(state) == ["retrieve white girder 2", "retrieve worker 1", "retrieve brick 3"]


@pytest.mark.rule("MW-T.5", "MW-9.6", "MW-6.5")
def test_a_fall_that_does_no_harm() -> None:
    state = turn("ONE_BRICK", "W O/W", colour="glove white")
    build(state, *standing(w(2), g("W")))
    play(state, A, "next piece")
    play(state, A, "grip brick 1")
    slipped = also(state.measure, [rest(brick(1), g("P"))], fell=(brick(1),))
    play(state, A, "release", slipped)
    assert (state.phase, state.hook, state.certificates, state.attempts) == (BUILD, A, [3, 3, 3], 1)
    assert verdict(state) == ("load_not_on_arm",)
    assert "grip brick 1" in legal(state)


@pytest.mark.rule("MW-A.65")
def test_a_piece_that_fell_where_it_should_lie() -> None:
    state = turn()
    play(state, A, f"grip {name(NEW)}")
    play(state, A, "release", also(SITE_NOW, [rest(NEW, g("K"))], fell=(NEW,)))
    assert (state.attempts, verdict(state)) == (0, ())
    play(state, A, "finish")
    assert state.hook == B


@pytest.mark.rule("MW-T.59", "MW-9.7", "MW-A.17")
def test_a_support_alone_is_no_accident() -> None:
    state = turn()
    play(state, A, f"grip {name(NEW)}")
    toppled = also(SITE_NOW, [rest(NEW, g("K"))], fell=(s(1),))
    play(state, A, "release", toppled)
    play(state, A, "finish")
    assert (state.certificates, state.hook, state.phase) == ([3, 3, 3], B, CHOOSE)


@pytest.mark.rule("MW-T.63", "MW-9.8", "MW-2.3", "MW-2.5", "MW-12.4", "MW-A.31", "MW-4.1", "MW-4.4", "MW-I.6")
def test_out_of_the_game() -> None:
    state = turn(outcome=LOADED)
    state.certificates = [1, 2, 1]
    play(state, A, f"grip {name(NEW)}")
    play(state, A, "release", dropped(state, rest(brick(3), SURFACE)))
    assert (state.certificates, state.hook) == ([0, 2, 1], B)
    assert [state.left_of(seat) for seat in (A, B, C)] == [B, C, B]
    state.hook = C
    state._lose(C, True)
    assert (state.phase, state.cause) == (GAME_OVER, "certificates")
    assert state.standing().winners() == (B,)
    assert code(state, B, "clean done") == "GAME_OVER"


@pytest.mark.rule("MW-T.76", "MW-A.33", "MW-I.4")
def test_no_award_after_an_accident() -> None:
    state = turn(outcome=LOADED)
    state.rita_active = True
    play(state, A, f"grip {name(NEW)}")
    play(state, A, "release", also(LOADED, [rest(NEW, g("K"))], tops={NEW: 200.0}))
    late = also(LOADED, [rest(NEW, g("K")), rest(brick(3), SURFACE)], tops={NEW: 200.0})
    play(state, A, "finish", also(late, accident=accident("surface", brick(3), SURFACE), fell=(brick(3),)))
    assert (state.awards, state.certificates) == ([0, 0, 0], [2, 3, 3])


@pytest.mark.rule("MW-A.14", "MW-7.3")
def test_the_piece_in_play_may_touch_the_table() -> None:
    state = turn()
    play(state, A, f"grip {name(NEW)}")
    play(state, A, "release", also(SITE_NOW, [rest(NEW, SURFACE), touch(NEW, g("K"))]))
    assert (state.phase, verdict(state)) == (BUILD, ("touches_surface",))


# -- clean-up -----------------------------------------------------------------------------------------------------


def cleaning(*contacts, fell=(), players: int = 3, **options):
    """B cleans up after A's accident."""
    outcome = site([*GROUND, *contacts], worn=[])
    state = turn(outcome=site(GROUND, pieces=outcome.pieces()), players=players, **options)
    play(state, A, f"grip {name(NEW)}")
    falls = tuple(sorted(set(fell) | {c.a for c in contacts if c.b == SURFACE}))
    play(state, A, "release", also(outcome, accident=accident("surface", falls[0], SURFACE), fell=falls))
    return state


def clear(state, piece: int, **changes):
    from dataclasses import replace

    from shopfloor.games.men_at_work.position import without

    left = without(state.measure, state.taken_with(piece))
    play(state, state.hook, f"retrieve {name(piece)}", replace(left, **changes))


@pytest.mark.rule("MW-T.66", "MW-10.1", "MW-10.2", "MW-10.6", "MW-A.26", "MW-S.11", "MW-J.10", "MW-I.1")
def test_four_pieces_on_the_table() -> None:
    lying = [rest(p, SURFACE) for p in (w(3), g("O"), brick(1), hat(3))]
    state = cleaning(*lying)
    before = [state.supply(kind) for kind in (WORKER, GIRDER, BRICK, HAT)]
    assert code(state, B, "clean done") == "NOT_TIDY"
    for piece in (w(3), g("O"), brick(1), hat(3)):
        clear(state, piece)
    assert [state.supply(kind) for kind in (WORKER, GIRDER, BRICK, HAT)] == [n + 1 for n in before]
    assert legal(state) == ["clean done"]
    play(state, B, "clean done")
    assert (state.phase, state.hook) == (CHOOSE, B)


ONE_END = [rest(g("O"), SURFACE, span_x=(0, 8 * MM)), rest(g("O"), g("P"))]


@pytest.mark.rule("MW-T.67", "MW-10.4", "MW-A.28")
def test_pushing_a_girder_back() -> None:
    state = cleaning(*ONE_END)
    assert legal(state) == ["retrieve orange girder 1", "push back orange girder 1"]
    for _ in range(3):
        play(state, B, "push back orange girder 1", state.measure)
    assert code(state, B, "push back orange girder 1") == "PUSH_LIMIT_REACHED"
    assert legal(state) == ["retrieve orange girder 1"]
    again = cleaning(*ONE_END)
    up = site([*GROUND, ONE_END[1]])
    play(again, B, "push back orange girder 1", up)
    assert legal(again) == ["clean done"]
    flat = cleaning(rest(g("O"), SURFACE, span_x=(0, LENGTH)), rest(g("O"), g("P")))
    assert code(flat, B, "push back orange girder 1") == "NOT_ONE_END"
    alone = cleaning(rest(g("O"), SURFACE, span_x=(0, 8 * MM)))
    assert code(alone, B, "push back orange girder 1") == "NOT_ONE_END"
    assert code(alone, B, "push back black girder 1") == "NOT_FALLEN_TO_SURFACE"


@pytest.mark.rule("MW-T.68", "MW-10.5")
def test_fallen_supports_are_the_cleaners_choice() -> None:
    def start():
        return cleaning(rest(s(3), SURFACE), rest(brick(1), SURFACE), fell=[s(3)])

    state = start()
    assert legal(state) == ["retrieve brick 1", "support 3 return", "support 3 leave"]
    before = state.supply(SUPPORT)
    play(state, B, "support 3 leave")
    assert (state.place[s(3)], state.supply(SUPPORT)) == (SITE, before)
    other = start()
    from shopfloor.games.men_at_work.position import without

    play(other, B, "support 3 return", without(other.measure, [s(3)]))
    assert (other.place[s(3)], other.supply(SUPPORT)) == (SUPPLY, before + 1)
    assert code(other, B, "support 1 return") == "NOT_FALLEN_TO_SURFACE"


@pytest.mark.rule("MW-T.69", "MW-10.8", "MW-A.29", "MW-I.15")
@pytest.mark.parametrize(("cost", "left"), [("1", [2, 2, 3]), ("0", [2, 3, 3])])
def test_an_accident_while_cleaning_up(cost, left) -> None:
    state = cleaning(rest(g("O"), SURFACE), rest(w(4), g("P")), cleanup_accident_cost=cost)
    turn_number = state.turn
    fallen = site([*GROUND, rest(w(4), SURFACE)])
    play(
        state,
        B,
        "retrieve orange girder 1",
        also(fallen, accident=accident("surface", w(4), SURFACE), fell=(w(4),)),
    )
    assert (state.certificates, state.hook, state.phase, state.turn) == (left, C, CLEANUP, turn_number)
    assert legal(state) == ["retrieve worker 4"]


@pytest.mark.rule("MW-T.70", "MW-10.7", "MW-I.11")
def test_after_cleaning_up_comes_an_ordinary_turn() -> None:
    state = cleaning(rest(brick(1), SURFACE))
    clear(state, brick(1))
    play(state, B, "clean done")
    assert (state.hook, state.phase, state.turn) == (B, CHOOSE, 2)
    assert state.fallen == []


@pytest.mark.rule("MW-T.71", "MW-A.27", "MW-A.59")
def test_what_fell_on_workers_stays() -> None:
    state = cleaning(rest(beam(1), w(1), ARM_L), rest(brick(1), SURFACE), fell=[beam(1)])
    assert code(state, B, "retrieve beam 1") == "NOT_FALLEN_TO_SURFACE"
    assert code(state, B, "retrieve worker 1") == "NOT_FALLEN_TO_SURFACE"
    assert legal(state) == ["retrieve brick 1"]


@pytest.mark.rule("MW-T.93", "MW-A.58")
@pytest.mark.parametrize("rebuild", ["on", "halt"])
def test_total_collapse(rebuild) -> None:
    state = turn(outcome=site([rest(w(1), g("P")), rest(g("P"), s(1))]), collapse_rebuild=rebuild, how="HIGHEST_GIRDER")
    play(state, A, f"grip {name(g('K'))}")
    falls = [rest(w(1), SURFACE), rest(g("P"), SURFACE), rest(s(1), SURFACE)]
    state.place[g("K")] = SITE
    play(state, A, "release", site(falls, accident=("surface", w(1), SURFACE), fell=[w(1), g("P"), s(1)]))
    clear(state, g("P"))
    clear(state, w(1))
    play(state, B, "support 1 return", site())
    certificates = state.certificates[:]
    play(state, B, "clean done")
    if rebuild == "halt":
        assert (state.phase, state.cause) == (GAME_OVER, "halt")
        return
    assert (state.phase, state.rebuilding, state.hook) == (SITE_DESIGN, True, B)
    assert [state.supply(kind) for kind in (SUPPORT, GIRDER, WORKER)] == [8, 28, 16]
    play(state, B, "design advanced")
    assert (state.phase, state.hook, state.certificates) == (CHOOSE, B, certificates)
    assert [state.supply(kind) for kind in (SUPPORT, GIRDER, WORKER)] == [5, 24, 15]


# -- awards and the end -------------------------------------------------------------------------------------------


def finish_with(top: float, rita: bool = True, **options):
    """A finishes a turn with a girder of this height over a site of 84 mm."""
    state = turn(outcome=site(GROUND, tops={g("P"): 84.0}), **options)
    state.rita_active = rita
    play(state, A, f"grip {name(NEW)}")
    play(state, A, "release", also(state.measure, [rest(NEW, g("K"))], tops={NEW: top}))
    return state


@pytest.mark.rule("MW-T.72", "MW-T.74", "MW-11.1", "MW-11.3", "MW-11.4", "MW-S.9", "MW-A.32")
@pytest.mark.parametrize(
    ("top", "rita", "tie", "awards"),
    [(85.5, True, "off", 1), (84.6, True, "off", 0), (84.6, True, "on", 1), (85.5, False, "off", 0)],
)
def test_an_award_for_the_highest(top, rita, tie, awards) -> None:
    state = finish_with(top, rita, award_on_tie=tie)
    play(state, A, "finish")
    assert (state.awards, state.hook) == ([awards, 0, 0], B)


@pytest.mark.rule("MW-T.75", "MW-12.1", "MW-12.2", "MW-12.3", "MW-2.4", "MW-D.3", "MW-I.10", "MW-I.19")
@pytest.mark.parametrize(("players", "goal"), [(2, 5), (3, 4), (4, 4), (5, 3)])
def test_the_last_award_wins_at_once(players, goal) -> None:
    state = finish_with(99.0, players=players)
    state.awards[A] = goal - 2
    play(state, A, "finish")
    assert state.awards[A] == goal - 1
    assert not state.over()
    state = finish_with(99.0, players=players)
    state.awards[A] = goal - 1
    play(state, A, "finish")
    assert (state.over(), state.cause, state.standing().winners()) == (True, "awards", (A,))
    assert state.returns() == [1.0] + [0.0] * (players - 1)
    # One short of the goal for everybody and one more: there are always awards enough.
    assert players * (goal - 1) + 1 <= 13


def halted(certificates, awards, **options):
    """Construction halts after A's turn, which used up the last worker."""
    state = finish_with(60.0, players=len(certificates), **options)
    state.certificates, state.awards = list(certificates), list(awards)
    for piece in range(36, 52):
        if state.place[piece] == SUPPLY:
            state.place[piece] = SITE
            state.measure = also(state.measure, tops={piece: 20.0})
    play(state, A, "finish")
    return state


@pytest.mark.rule("MW-T.77", "MW-T.78", "MW-12.5", "MW-12.6", "MW-12.7", "MW-12.8", "MW-A.36", "MW-S.13", "MW-S.12")
def test_construction_halts() -> None:
    state = halted((2, 3, 1), (2, 1, 2))
    assert (state.cause, state.standing().winners()) == ("halt", (A,))
    assert state.standing().decided_by(0) == "awards"
    shared = halted((2, 2, 1), (1, 1, 1))
    assert shared.standing().winners() == (A, B)
    assert shared.returns() == [0.5, 0.5, 0.0]


@pytest.mark.rule("MW-T.79", "MW-A.30")
def test_what_counts_as_used_up() -> None:
    state = finish_with(60.0)
    for colour in (0, 1, 2):
        for piece in OF_COLOUR[colour]:
            if state.place[piece] == SUPPLY:
                state.place[piece] = 2
    spare = state.spare(OF_COLOUR[3], 9)
    for piece in spare[1:]:
        state.place[piece] = 2
    assert not state._used_up()
    state.place[spare[0]] = 2
    assert state._used_up()
    state = finish_with(60.0)
    for piece in range(80, 92):
        state.place[piece] = 2
    assert not state._used_up()
    assert state.supply(BEAM) == 12
    strict = finish_with(60.0, halt_on="any_kind")
    assert not strict._used_up()
    for piece in range(80, 92):
        strict.place[piece] = 2
    assert strict._used_up()


@pytest.mark.rule("MW-T.80", "MW-A.34")
def test_an_award_win_goes_before_a_halt() -> None:
    state = finish_with(99.0)
    state.awards = [3, 0, 0]
    for piece in range(36, 52):
        if state.place[piece] == SUPPLY:
            state.place[piece] = SITE
            state.measure = also(state.measure, tops={piece: 20.0})
    play(state, A, "finish")
    assert (state.cause, state.standing().winners()) == ("awards", (A,))


@pytest.mark.rule("MW-T.81", "MW-A.35")
def test_who_is_out_is_not_counted() -> None:
    state = halted((1, 2, 1, 0), (1, 1, 0, 3))
    assert state.standing().winners() == (B,)
    assert [rank.seat for rank in state.standing().ranks] == [B, A, C, D]
    counted = halted((1, 2, 1, 0), (1, 1, 0, 3), halt_includes_out="on")
    assert counted.standing().winners() == (D,)


@pytest.mark.rule("MW-A.30", "MW-12.5")
def test_the_halt_is_checked_after_a_clean_up_too() -> None:
    state = cleaning(rest(brick(1), SURFACE))
    clear(state, brick(1))
    for piece in range(8, 36):
        if state.place[piece] == SUPPLY:
            state.place[piece] = 2
    play(state, B, "clean done")
    assert (state.phase, state.cause) == (GAME_OVER, "halt")


# -- variants -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("MW-T.82", "MW-13.1", "MW-A.5")
def test_foreman_hands() -> None:
    from tests.games.men_at_work.table import new_game

    state = new_game(3, foreman="on")
    assert [len(hand) for hand in state.hands] == [2, 2, 2]
    assert state.deck_size() == 31
    view = seen(state, A)
    assert len(view.seats[A].cards or ()) == 2
    assert view.seats[B].cards is None
    assert seen(state, None).seats[A].cards is None


def foreman(hand, what="W K/O", how="ONE_BRICK", outcome=SITE_NOW, **options):
    return arrange(what, how, outcome, hands={A: hand}, foreman="on", **options)


@pytest.mark.rule("MW-T.83", "MW-13.4", "MW-13.5", "MW-A.53", "MW-S.5")
def test_a_card_on_the_discard_pile() -> None:
    edge, other = card_with(how="NEAR_EDGE"), card_with(how="CONNECT")
    state = foreman([edge, other])
    ids = state.cards.ids
    assert code(state, A, f"card {ids[card_with(how='TWO_BEAMS')]} on discard") == "CARD_NOT_IN_HAND"
    play(state, A, f"card {ids[edge]} on discard")
    assert (state.instruction(), state.hands[A]) == ("NEAR_EDGE", [other])
    assert code(state, A, f"card {ids[other]} on discard") == "FOREMAN_LIMIT"
    twice = foreman([edge, other], foreman_per_turn="2")
    play(twice, A, f"card {ids[edge]} on discard")
    play(twice, A, f"card {ids[other]} on deck")
    assert twice.hands[A] == []


@pytest.mark.rule("MW-T.84", "MW-13.2", "MW-13.3", "MW-A.54")
def test_a_card_on_the_deck() -> None:
    card = card_with("G P/W")
    state = foreman([card, 35], how="NEAR_EDGE")
    size = state.deck_size() + len(state.discard) + sum(map(len, state.hands))
    how = state.cards.girder_how[state.discard[-1]]
    play(state, A, f"card {state.cards.ids[card]} on deck")
    assert (state.what()[0], set(state.what()[1:]), state.how()) == (0, {2, 3}, how)
    assert state.deck_size() + len(state.discard) + sum(map(len, state.hands)) == size
    state._flip()
    assert state.discard[-1] == card


@pytest.mark.rule("MW-T.85", "MW-A.53")
def test_cards_are_played_before_the_first_grip() -> None:
    card = card_with(how="NEAR_EDGE")
    state = foreman([card], "W O/W")
    play(state, A, "glove white")
    name_of = state.cards.ids[card]
    assert f"card {name_of} on discard" in legal(state)
    again = state.clone()
    play(again, A, f"card {name_of} on discard")
    assert (again.phase, again.colour) == (CHOOSE, -1)
    play(state, A, "grip worker 2")
    assert code(state, A, f"card {name_of} on discard") == "WRONG_PHASE"


@pytest.mark.rule("MW-A.53", "MW-A.64", "MW-13.2", "MW-16.6")
def test_when_nothing_can_be_done_a_card_may_help() -> None:
    card = card_with(how="NEAR_EDGE")
    state = foreman([card], "W O/W", "CONNECT", site([rest(g("O"), s(1)), rest(g("W"), s(1))]))
    ids = state.cards.ids
    assert not state._impossible()
    assert legal(state) == [f"card {ids[card]} on deck", f"card {ids[card]} on discard", "go on"]
    helped = state.clone()
    play(helped, A, f"card {ids[card]} on discard")
    assert legal(helped) == ["glove orange", "glove white"]
    assert code(helped, A, "go on") == "CAN_COMPLY"
    play(state, A, "go on")
    assert len(state.discard) > 1


@pytest.mark.rule("MW-T.92", "MW-14.5", "MW-A.56", "MW-14.1")
def test_where_the_crane_stands() -> None:
    from tests.games.men_at_work.table import new_game

    state = new_game(3, crane="on", skyscraper="on")
    play(state, A, "design beginner")
    assert refused(state, A, "crane middle").code == "BAD_CRANE_POSITION"
    assert legal(state) == ["crane bottom", "crane edge"]
    for place in ("bottom", "edge"):
        other = state.clone()
        play(other, A, f"crane {place}")
        assert seen(other, A).crane == place
        assert other.phase == CHOOSE
    base = new_game(3, crane="on", foreman="on")
    play(base, A, "design beginner")
    assert seen(base, A).crane == "middle"
    assert code(base, A, "crane middle") == "WRONG_PHASE"


@pytest.mark.rule("MW-T.87", "MW-14.3", "MW-A.51", "MW-J.13")
def test_what_fell_on_the_platform_is_cleaned_up() -> None:
    from shopfloor.games.men_at_work.pieces import PLATFORM

    built = site([*GROUND, rest(g("W", 2), PLATFORM), rest(brick(3), g("P"))])
    state = turn(outcome=built, crane="on")
    play(state, A, f"grip {name(NEW)}")
    fallen = site([*GROUND, rest(g("W", 2), PLATFORM), rest(brick(3), PLATFORM)])
    play(state, A, "release", also(fallen, accident=accident("platform", brick(3), PLATFORM), fell=(brick(3),)))
    assert legal(state) == ["retrieve brick 3"]  # the girder was put there on purpose


@pytest.mark.rule("MW-T.88", "MW-J.21", "MW-A.52", "MW-14.2")
@pytest.mark.parametrize(("counts", "awards"), [("off", 1), ("on", 0)])
def test_the_crane_is_no_rival(counts, awards) -> None:
    state = finish_with(152.0, crane="on", crane_counts=counts)
    play(state, A, "finish")
    assert state.awards[A] == awards


BOX: dict[str, Any] = {"skyscraper": "on"}


@pytest.mark.rule("MW-T.90", "MW-15.8", "MW-15.9", "MW-A.49", "MW-A.50", "MW-15.1")
def test_clean_up_in_the_box() -> None:
    from shopfloor.games.men_at_work.pieces import BOX_FLOOR, INSERT

    ground = [rest(g("P"), INSERT), rest(g("K"), INSERT), *standing(w(1), g("P")), *standing(w(2), g("P"))]
    up = [rest(brick(1), g("P")), rest(g("O"), g("P")), rest(s(1), INSERT), *standing(w(3), g("P"))]
    state = turn(outcome=site([*ground, *up]), **BOX)
    play(state, A, f"grip {name(NEW)}")
    falls = [rest(w(2), INSERT), rest(brick(1), BOX_FLOOR), rest(g("O"), INSERT), rest(s(1), BOX_FLOOR)]
    falls += [rest(w(3), SURFACE)]
    fell = (s(1), g("O"), w(2), w(3), brick(1))
    after = site([*ground[:4], *falls])
    play(state, A, "release", also(after, accident=accident("floor", brick(1), BOX_FLOOR), fell=fell))
    assert legal(state) == ["retrieve orange girder 1", "retrieve worker 3", "support 1 return"]
    assert code(state, B, "support 1 leave") == "SUPPORT_MUST_RETURN"
    assert state.place[w(2)] == state.place[brick(1)] == 2
    view = seen(state, B)
    assert {p.piece for p in view.site if p.dead} == {w(2), brick(1)}
    # They are no site pieces any more.
    assert w(2) not in state.site()
    assert state.supply(WORKER) + sum(p in state.site() for p in range(36, 52)) == 15


@pytest.mark.rule("MW-T.91", "MW-15.4", "MW-A.48")
def test_no_support_on_the_site_in_the_first_round() -> None:
    state = arrange("G K/O", "TOUCH_SUPPORT", players=3, **BOX)
    assert not any(state.place[p] == SITE for p in range(8))
    assert legal(state) == ["go on"]
    assert state._impossible()


@pytest.mark.rule("MW-15.2", "MW-15.3")
def test_starting_girders_in_the_box() -> None:
    from shopfloor.games.men_at_work.pieces import BOX_EDGE, INSERT
    from tests.games.men_at_work.table import new_game

    girders = [rest(g(letter), INSERT) for letter in "KOPW"]
    good = site([*girders, *standing(w(1), g("K"))])
    state = new_game(**BOX)
    edge = also(good, [touch(g("O"), BOX_EDGE)])
    assert code(state, A, "design free", edge) == "TOUCHES_SURFACE"
    assert code(state, A, "design free", also(good, [rest(s(1), INSERT)])) == "BAD_SETUP_PIECES"
    play(state, A, "design free", good)
    assert state.supply(SUPPORT) == 8


VARIANTS = [
    pytest.param("foreman", marks=pytest.mark.rule("MW-13.7")),
    pytest.param("crane", marks=pytest.mark.rule("MW-14.4")),
    pytest.param("skyscraper", marks=pytest.mark.rule("MW-15.10")),
]


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_variant_ends_as_the_base_game_does(variant: str) -> None:
    """By awards, by the last certificate, and by a halt that is counted up: as in the base game, state for state."""
    games: tuple[dict[str, Any], ...] = ({}, {variant: "on"})
    for options in games:
        # Awards: the fourth of three players wins, the third does not.
        for held, over in ((2, False), (3, True)):
            state = finish_with(99.0, **options)
            state.awards[A] = held
            play(state, A, "finish")
            assert (state.over(), state.awards[A]) == (over, held + 1)
            assert (state.cause, state.hook) == (("awards", A) if over else ("", B))
        # Certificates: who loses his last is out; when one is left, that one wins, without a clean-up.
        state = turn(**options)
        state.certificates = [1, 2, 0]
        play(state, A, f"grip {name(NEW)}")
        fallen = site([*GROUND[:-2], rest(w(1), SURFACE)], accident=("surface", w(1), SURFACE), fell=(w(1),))
        play(state, A, "release", fallen)
        assert (state.cause, state.standing().winners()) == ("certificates", (B,))
        # Halt: no worker waits any more; certificates and awards together, then awards.
        state = finish_with(99.0, rita=False, **options)
        for piece in range(36, 52):
            if state.place[piece] == SUPPLY:
                state.place[piece] = DEAD
        state.certificates, state.awards = [2, 3, 1], [2, 1, 2]
        play(state, A, "finish")
        assert (state.cause, state.standing().winners()) == ("halt", (A,))


@pytest.mark.rule("MW-13.7", "MW-14.4", "MW-15.10")
@pytest.mark.parametrize("variant", ["foreman", "crane", "skyscraper"])
def test_turns_in_a_variant_are_turns_of_the_base_game(variant: str) -> None:
    """The same girder, judged alike, and the hook goes on to the left."""
    said = []
    for options in ({}, {variant: "on"}):
        state = turn(**options)
        play(state, A, f"grip {name(NEW)}")
        play(state, A, "release", also(SITE_NOW, [rest(NEW, g("P"))]))
        wrong = verdict(state)
        play(state, A, f"grip {name(NEW)}")
        play(state, A, "release", also(SITE_NOW, [rest(NEW, g("K"))]))
        right = verdict(state)
        play(state, A, "finish")
        said.append((wrong, right, state.hook, state.certificates, state.girder_supply(0)))
    assert said[0] == said[1] == (("same_colour_not_touched",), (), B, [3, 3, 3], 5)


@pytest.mark.rule("MW-I.1", "MW-S.14")
def test_a_piece_in_the_hand_counts_as_site() -> None:
    state = turn()
    before = state.girder_supply(0)
    play(state, A, f"grip {name(NEW)}")
    assert state.girder_supply(0) == before - 1
    assert state.place[NEW] == SITE
    view = seen(state, B)
    assert next(p for p in view.site if p.piece == NEW).position == ()


def test_outcomes_that_cannot_be() -> None:
    state = turn()
    play(state, A, f"grip {name(NEW)}")
    good = also(SITE_NOW, [rest(NEW, g("K"))])
    from dataclasses import replace

    assert code(state, A, "release", SITE_NOW) == "BAD_OUTCOME"
    assert code(state, A, "release", also(good, tops={brick(1): 9.0})) == "BAD_OUTCOME"
    far = replace(good, poses=tuple((p[0], 10**9, *p[2:]) for p in good.poses))
    assert code(state, A, "release", far) == "BAD_OUTCOME"
    spun = replace(good, poses=tuple((*p[:4], 5, 0, 0, 0) for p in good.poses))
    assert code(state, A, "release", spun) == "BAD_OUTCOME"
    assert code(state, A, "release", replace(good, fell=(400,))) == "UNKNOWN_PIECE"
    assert code(state, A, "release", replace(good, tops=good.tops[1:])) == "BAD_OUTCOME"
    for text in (
        "",
        "[]",
        "{",
        '{"poses": [[1]]}',
        '{"poses": 5}',
        '{"settled": 1}',
        '{"odd": 1}',
        '{"tops": [[1e9, 2]]}',
    ):
        with pytest.raises(Exception, match="BAD_OUTCOME"):
            state.play(A, a.RELEASE, text)
    with pytest.raises(Exception, match="BAD_OUTCOME"):
        state.play(A, a.RELEASE, good.encode().replace('"settled":true', '"settled":NaN'))
    state.play(A, a.RELEASE, good.encode())
    assert state.measure == good
    fresh = turn()
    with pytest.raises(Exception, match="BAD_OUTCOME"):
        fresh.play(A, fresh.space.parse(f"grip {name(NEW)}"), SITE_NOW)
