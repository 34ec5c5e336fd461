"""Set-up, the flow of the cards, Boss Rita, and instructions that cannot be followed."""

from __future__ import annotations

from collections import Counter

import pytest

from shopfloor.engine.dice import FastDice
from shopfloor.engine.refusals import BadSetup
from shopfloor.games.men_at_work import GAME
from shopfloor.games.men_at_work.cards import CARDS, GIRDER_HOW, RITA, WORKER_HOW
from shopfloor.games.men_at_work.pieces import (
    BEAM,
    BRICK,
    COLOURS,
    GIRDER,
    HAT,
    KIND,
    OF_COLOUR,
    SUPPORT,
    SURFACE,
    WORKER,
)
from shopfloor.games.men_at_work.position import CHOOSE, GAME_OVER, HALT, SITE, SITE_DESIGN, SUPPLY
from shopfloor.games.men_at_work.rules import MenAtWork
from tests.games.men_at_work.table import (
    OWN,
    A,
    B,
    arrange,
    begun,
    card_with,
    code,
    g,
    kinds,
    legal,
    new_game,
    play,
    put,
    rest,
    s,
    seen,
    site,
    standing,
    touch,
    w,
)

BARE = [rest(g("P"), s(1)), rest(g("W"), s(1)), *standing(w(1), g("P"))]


def supply(state: MenAtWork) -> tuple[int, ...]:
    return tuple(state.supply(kind) for kind in (SUPPORT, GIRDER, WORKER, HAT, BEAM, BRICK))


@pytest.mark.rule("MW-T.7", "MW-3.9", "MW-3.15", "MW-3.17", "MW-1.6", "MW-1.7", "MW-D.2", "MW-3.2", "MW-3.3", "MW-3.4")
def test_four_players() -> None:
    state = begun(4)
    assert supply(state) == (5, 24, 15, 15, 12, 12)
    assert [state.girder_supply(colour) for colour in range(4)] == [6] * 4
    assert state.certificates == [3, 3, 3, 3]
    view = seen(state, None)
    assert (view.awards_left, 15 - sum(state.certificates)) == (13, 3)
    assert Counter(p.kind for p in view.site) == {"support": 3, "girder": 4, "worker": 1, "hat": 1}


@pytest.mark.rule("MW-T.8", "MW-3.16", "MW-A.1")
def test_experts_take_two() -> None:
    assert new_game(3, expert="2").certificates == [3, 3, 2]
    assert new_game(3, expert="0+2").certificates == [2, 3, 2]
    assert new_game(2, expert="all").certificates == [2, 2]


@pytest.mark.rule("MW-T.11", "MW-A.2")
def test_two_to_five_players() -> None:
    for players in (1, 6):
        with pytest.raises(BadSetup) as caught:
            GAME.start(players, FastDice(1))
        assert caught.value.refusal.code == "BAD_PLAYER_COUNT"
    state = new_game(4, youngest="2")
    assert state.deciders() == (2,)
    play(state, 2, "design expert")
    assert state.hook == 2


@pytest.mark.rule("MW-3.1", "MW-3.8", "MW-S.2", "MW-4.2", "MW-S.1", "MW-2.1")
def test_the_youngest_lays_out_the_site_and_starts() -> None:
    state = new_game(3, youngest="1")
    assert state.phase == SITE_DESIGN
    assert legal(state) == ["design beginner", "design advanced", "design expert", "design free"]
    assert code(state, A, "design beginner") == "NOT_YOUR_DECISION"
    assert code(state, B, "grip support 1") == "WRONG_PHASE"
    play(state, B, "design advanced")
    assert (state.phase, state.hook, state.turn) == (CHOOSE, B, 1)


def starting(**changes):
    """A starting site that keeps the rules; `changes` put other contacts in the place of a piece's."""
    contacts = {
        "supports": [rest(s(n), SURFACE) for n in (1, 2, 3)],
        "girders": [rest(g(letter), s(1)) for letter in "KOPW"],
        "worker": standing(w(1), g("K")),
    }
    contacts |= changes
    return site([c for part in contacts.values() for c in part])


@pytest.mark.rule("MW-T.9", "MW-3.5", "MW-3.6", "MW-3.7", "MW-A.3", "MW-A.4", "MW-S.2")
def test_a_design_of_ones_own() -> None:
    state = new_game()
    girders = [rest(g(letter), s(1)) for letter in "KOPW"]
    assert code(state, A, "design free", starting(girders=[*girders, touch(g("W"), SURFACE)])) == "TOUCHES_SURFACE"
    assert code(state, A, "design free", starting(worker=standing(w(1), g("K"))[:1])) == "FEET_NOT_ON_GIRDER"
    two = [rest(p, s(1)) for p in (g("K"), g("K", 2), g("P"), g("W"))]
    assert code(state, A, "design free", starting(girders=two)) == "BAD_SETUP_PIECES"
    assert code(state, A, "design free", starting(girders=girders[:3])) == "BAD_SETUP_PIECES"
    more = starting(supports=[rest(s(n), SURFACE) for n in (1, 2, 3, 4)])
    assert code(state, A, "design free", more) == "BAD_SETUP_PIECES"
    stacked = starting(supports=[rest(s(1), SURFACE), rest(s(2), SURFACE), rest(s(3), s(2))])
    assert code(state, A, "design free", stacked) == "SUPPORT_PLACE_ILLEGAL"
    moving = site(starting().contacts, settled=False)
    assert code(state, A, "design free", moving) == "NOT_SETTLED"
    leaning = [rest(g("K"), s(1)), *(rest(g(letter), g("K")) for letter in "OPW")]
    play(state, A, "design free", starting(girders=leaning))
    assert supply(state) == (5, 24, 15, 16, 12, 12)
    assert state.phase == CHOOSE


@pytest.mark.rule("MW-T.6", "MW-3.10")
@pytest.mark.parametrize("plan", range(3))
@pytest.mark.parametrize("variant", [{}, {"crane": "on"}, {"skyscraper": "on"}])
def test_sample_sites_keep_the_rules(plan: int, variant) -> None:
    state = new_game(3, **variant)
    state.play(A, plan)
    there = [p for p in range(92) if state.place[p] == SITE]
    supports = 0 if "skyscraper" in variant else 3
    assert Counter(KIND[p] for p in there) == Counter({SUPPORT: supports, GIRDER: 4, WORKER: 1, HAT: 1})
    assert len({colour.start for colour in OF_COLOUR for p in there if p in colour}) == 4


def above_rita(state: MenAtWork) -> int:
    """Instruction cards above her, the visible top among them."""
    return state.rita_above + len(state.stack)


@pytest.mark.rule("MW-T.10", "MW-3.12", "MW-A.5", "MW-3.11")
def test_boss_ritas_place() -> None:
    state = new_game(4)
    assert (above_rita(state), state.deck_size(), state.discard) == (9, 37, [])
    assert [above_rita(new_game(n, foreman="on")) for n in (2, 3, 4, 5)] == [8, 7, 7, 6]
    assert new_game(5, foreman="on").deck_size() == 27
    places = {above_rita(new_game(4, seed, rita_jitter="3")) for seed in range(60)}
    assert places == set(range(6, 13))
    assert len({new_game(4, seed).stack[-1] for seed in range(40)}) > 10


@pytest.mark.rule("MW-3.13", "MW-3.14")
def test_the_deck_shows_its_what_and_the_discard_pile_is_beside_it() -> None:
    """While the site is laid out there is a deck with a What on top, and an empty place; one card lies there after."""
    state = new_game(4)
    before = seen(state, None)
    top = state.stack[-1]
    assert (before.what, before.what_colours) == (
        ("girder", "helmet")[OWN.whats[top]],
        tuple(COLOURS[colour] for colour in OWN.colours[top]),
    )
    assert (before.discard, before.girder_how, before.worker_how, before.how) == (0, "", "", "")
    state.play(state.hook, 0)
    after = seen(state, None)
    assert after.discard == 1
    assert (state.discard, after.deck) == ([top], before.deck - 1)
    assert after.girder_how == GIRDER_HOW[OWN.girder_how[top]]
    assert after.worker_how == WORKER_HOW[OWN.worker_how[top]]


@pytest.mark.rule("MW-1.11")
def test_foreman_needs_nothing_but_what_is_in_the_box() -> None:
    """The hands are dealt from the 36 cards, and there is not a piece more."""
    for players in (2, 3, 4, 5):
        base, state = new_game(players), new_game(players, foreman="on")
        dealt = [card for hand in state.hands for card in hand]
        assert len(dealt) == 2 * players
        assert sorted([*dealt, *state.stack, *state.rest]) == list(range(CARDS))
        assert state.place == base.place
        assert [state.supply(kind) for kind in range(6)] == [base.supply(kind) for kind in range(6)]
        assert state.certificates == base.certificates


def flip_cards(state: MenAtWork, order: list[int]) -> None:
    """The next cards of the deck, the first of them visible; Rita is out of it."""
    state.stack, state.stack_owner = order[::-1], [-1] * len(order)
    state.rest = [c for c in range(CARDS) if c not in order and c not in state.discard]
    state.rita_above = -1


@pytest.mark.rule("MW-T.12", "MW-4.5", "MW-4.6", "MW-4.7", "MW-D.4", "MW-I.7", "MW-S.3")
def test_each_card_works_twice() -> None:
    state = begun()
    order = [card_with("G O/P", "BALANCE"), card_with("G O/K"), card_with("W O/W")]
    flip_cards(state, order)
    state._reveal()
    assert state.instruction() == "BALANCE"
    assert (state.what(), state.discard[-1]) == ((0, *OWN.colours[order[1]]), order[0])
    state._reveal()
    assert state.discard[-1] == order[1]
    assert state.what()[0] == 1


@pytest.mark.rule("MW-T.13", "MW-16.6", "MW-D.5")
def test_the_next_card_is_revealed() -> None:
    state = begun()
    put(state, site([rest(g("K"), g("O")), rest(g("O"), g("K"))]))
    order = [card_with(how="TOUCH_SUPPORT")]
    order += [card_with("G O/K", "BALANCE", order), card_with("G O/P", other_than=order)]
    state.discard = []
    flip_cards(state, order)
    state.listen()
    state._reveal()
    assert state.discard == order[:2]
    assert (state.instruction(), state.what()) == ("BALANCE", (0, *OWN.colours[order[2]]))
    assert kinds(state) == ["card_revealed", "cannot_comply", "card_revealed"]


@pytest.mark.rule("MW-T.14", "MW-4.8", "MW-A.8", "MW-A.7", "MW-I.2")
def test_the_last_card() -> None:
    state = begun()
    last = 35
    others = [c for c in range(CARDS) if c != last]
    state.discard, state.stack, state.stack_owner, state.rest, state.rita_above = others, [last], [-1], [], -1
    state.rita_active = True
    state.hands = [[], [], []]
    state._flip()
    assert state.discard == [last]
    assert sorted([*state.stack, *state.rest]) == others
    assert state.deck_size() == 35
    assert RITA not in state.rest


@pytest.mark.rule("MW-T.15", "MW-11.1", "MW-11.2", "MW-A.6", "MW-A.7", "MW-S.4", "MW-I.5")
def test_boss_rita_with_a_deck_side() -> None:
    state = begun(4, seed=3)
    seen = []
    for _ in range(12):
        before = len(state.discard)
        top = state.stack[-1]
        state._flip()
        seen.append((top == RITA, state.stack[-1] == RITA, state.rita_active, len(state.discard) - before))
    shown = [k for k, (_, visible, _, _) in enumerate(seen) if visible]
    assert len(shown) == 1
    k = shown[0]
    assert not seen[k][2]
    assert seen[k + 1] == (True, False, True, 1)
    assert state.discard.count(RITA) == 0
    assert state.deck_size() + len(state.discard) == 36


@pytest.mark.rule("MW-T.15")
def test_she_is_the_tenth() -> None:
    state = new_game(4)
    flips = 0
    while not state.rita_active:
        state._flip()
        flips += 1
    assert flips == 10
    assert len(state.discard) == 10


@pytest.mark.rule("MW-T.16", "MW-A.6")
def test_boss_rita_with_a_blank_back() -> None:
    state = new_game(4, rita_back="blank")
    flips = 0
    while not state.rita_active:
        state._flip()
        flips += 1
    assert flips == 9
    assert state.stack[-1] != RITA
    assert len(state.discard) == 9


@pytest.mark.rule("MW-T.17", "MW-7.1", "MW-7.2", "MW-A.13", "MW-S.6")
def test_a_colour_that_has_run_out() -> None:
    state = arrange("G K/O", "HIGHEST_GIRDER", site(BARE))
    for piece in OF_COLOUR[0]:
        state.place[piece] = 2
    assert code(state, A, "girder black") == "COLOUR_RUN_OUT"
    assert legal(state) == ["girder orange"]
    for piece in OF_COLOUR[1]:
        state.place[piece] = 2
    assert code(state, A, "girder orange") == "COLOUR_RUN_OUT"
    assert legal(state) == ["go on"]  # nothing to choose: the reveal would have turned over the next card
    assert state._impossible()


@pytest.mark.rule("MW-T.18", "MW-A.10")
def test_a_colour_that_cannot_comply() -> None:
    state = arrange("G K/O", "SAME_COLOUR", site([*BARE, rest(g("O"), s(1))]))
    assert code(state, A, "girder black") == "COLOUR_CANNOT_COMPLY"
    assert legal(state) == ["girder orange"]


@pytest.mark.rule("MW-T.4")
def test_a_colour_that_is_not_on_the_card() -> None:
    state = arrange("G K/O", "TWO_OTHER_COLOURS", site(BARE))
    assert code(state, A, "girder purple") == "COLOUR_NOT_ON_CARD"
    assert code(state, A, "glove black") == "COLOUR_NOT_ON_CARD"
    assert legal(state) == ["girder black", "girder orange"]


SITE_OF_TWO = site([rest(g("P"), s(1)), rest(g("W"), s(1))])


@pytest.mark.rule("MW-T.19", "MW-T.20", "MW-A.9")
@pytest.mark.parametrize(
    ("what", "how", "outcome", "left"),
    [
        ("G K/O", "STRONG_WORKER", SITE_OF_TWO, {}),
        ("G K/O", "TRANSPORT_BRICK", SITE_OF_TWO, {BRICK: 0}),
        ("W O/W", "ADDITIONAL_WORKER", SITE_OF_TWO, {WORKER: 1}),
        ("W O/W", "TWO_BEAMS", SITE_OF_TWO, {BEAM: 1}),
        ("W O/K", "ONE_BRICK", SITE_OF_TWO, {}),
        ("G K/O", "NEW_SUPPORT_SAME", site([rest(g("K"), s(1))]), {SUPPORT: 0}),
        ("G K/O", "NEW_SUPPORT_SAME", SITE_OF_TWO, {}),
        ("G K/O", "NEW_SUPPORT_DIFFERENT", SITE_OF_TWO, {SUPPORT: 0}),
        ("G K/O", "NEW_SUPPORT_ON_GIRDER", SITE_OF_TWO, {SUPPORT: 0}),
        ("G K/O", "NEW_SUPPORT_ON_GIRDER", site(pieces=[s(1)]), {}),
        ("G K/O", "TOUCH_SUPPORT", site(pieces=[g("P"), g("W")]), {}),
        ("G K/O", "TOUCH_HIGHEST", site(pieces=[s(1)]), {}),
        ("G K/O", "BALANCE", site(pieces=[s(1)]), {}),
        ("G K/O", "WITH_WORKER", SITE_OF_TWO, {WORKER: 0}),
        ("G K/O", "TWO_OTHER_COLOURS", site(pieces=[g("P"), g("P", 2)]), {}),
        ("W O/W", "BRICK_AND_BEAM", SITE_OF_TWO, {BRICK: 0}),
        ("W O/W", "CONNECT", SITE_OF_TWO, {}),
        ("W O/W", "TRANSPORT_BEAM", SITE_OF_TWO, {BEAM: 0}),
        ("W O/W", "NEAR_EDGE", SITE_OF_TWO, {WORKER: 0}),
    ],
)
def test_what_cannot_be_followed(what, how, outcome, left) -> None:
    state = arrange(what, how, outcome, supply=left)
    assert legal(state) == ["go on"]  # nothing to choose: the reveal would have turned over the next card
    assert state._impossible()


@pytest.mark.rule("MW-A.9", "MW-T.22")
@pytest.mark.parametrize(
    ("what", "how", "outcome", "left"),
    [
        ("G K/O", "HIGHEST_GIRDER", site(pieces=[s(1)]), {}),
        ("G K/O", "STRONG_WORKER", site(pieces=[s(1), w(1)]), {}),
        ("G K/O", "TRANSPORT_BRICK", SITE_OF_TWO, {BRICK: 1}),
        ("W O/W", "ADDITIONAL_WORKER", SITE_OF_TWO, {WORKER: 2}),
        ("W O/W", "TWO_BEAMS", SITE_OF_TWO, {BEAM: 2}),
        ("G K/O", "NEW_SUPPORT_DIFFERENT", SITE_OF_TWO, {SUPPORT: 1}),
        ("G K/O", "TWO_OTHER_COLOURS", SITE_OF_TWO, {}),
    ],
)
def test_what_can_be_followed(what, how, outcome, left) -> None:
    state = arrange(what, how, outcome, supply=left)
    assert not state._impossible()
    assert legal(state)[0].split()[0] in ("girder", "glove")


@pytest.mark.rule("MW-T.22")
def test_supports_running_out_is_no_end() -> None:
    state = arrange("G K/O", "NEW_SUPPORT_SAME", site([rest(g("K"), s(1))]), supply={SUPPORT: 0})
    state._reveal()
    assert state.phase == CHOOSE
    assert not state.instruction().startswith("NEW_SUPPORT")


@pytest.mark.rule("MW-T.21", "MW-A.12", "MW-S.12", "MW-I.9")
def test_no_card_can_be_followed() -> None:
    state = arrange("G K/O", "BALANCE", site(BARE))
    for piece in range(92):
        if state.place[piece] == SUPPLY and KIND[piece] in (GIRDER, WORKER):
            state.place[piece] = 2
    state._reveal()
    assert (state.phase, state.cause, state.flips) == (GAME_OVER, HALT, 36)


def at(piece: int, x: float, outcome):
    """A measurement with a piece moved along x."""
    from dataclasses import replace

    poses = tuple((p[0], round(1000 * x), *p[2:]) if p[0] == piece else p for p in outcome.poses)
    return replace(outcome, poses=poses)


@pytest.mark.rule("MW-A.11")
def test_workers_out_of_reach() -> None:
    near = at(w(1), 90 + 104, site([rest(g("O"), s(1)), rest(w(1), g("P"))]))
    far = at(w(1), 90 + 105, near)
    assert legal(arrange("W O/W", "CONNECT", near)) == ["glove orange"]
    assert legal(arrange("W O/W", "CONNECT", far)) == ["go on"]
    assert legal(arrange("W O/W", "CONNECT", far, geometry_escape="none")) == ["glove orange"]


@pytest.mark.rule("MW-A.9")
def test_a_shortage_in_the_supply_may_halt_construction() -> None:
    state = arrange("G K/O", "TRANSPORT_BRICK", site(BARE), supply={BRICK: 0}, supply_shortage="halt")
    assert state._impossible()
    assert state.phase == GAME_OVER
    state = arrange("G K/O", "STRONG_WORKER", SITE_OF_TWO, supply_shortage="halt")
    assert state._impossible()
    assert state.phase == CHOOSE


@pytest.mark.rule("MW-D.6", "MW-A.6")
def test_the_other_split_of_deck_sides() -> None:
    even = new_game(deck_split="18_18")
    assert Counter(even.whats[:CARDS]) == {0: 18, 1: 18}
