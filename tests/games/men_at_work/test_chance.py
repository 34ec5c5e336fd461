"""Outcomes that the dice draw where no site is simulated: such as could have been measured, and fit to be judged."""

from __future__ import annotations

from random import Random

import pytest

from shopfloor.engine.dice import FastDice
from shopfloor.games.men_at_work import GAME, chance, rules
from shopfloor.games.men_at_work import actions as a
from shopfloor.games.men_at_work.outcome import check
from shopfloor.games.men_at_work.pieces import BRICK, KIND, LEG_L, LEG_R
from shopfloor.games.men_at_work.position import BUILD
from shopfloor.games.men_at_work.rules import MenAtWork
from tests.games.men_at_work.leaning import LEANS
from tests.games.men_at_work.table import OWN, A, arrange, g, play, rest, s, site, standing, w
from tests.playing import decisions

SETS: tuple[dict[str, str], ...] = (
    {},
    {"free_order": "on", "hat_required": "on", "surface_contact": "any"},
    {"foreman": "on", "crane": "on", "skyscraper": "on", "free_order": "on"},
)


@pytest.mark.rule("MW-S.15", "MW-I.18")
@pytest.mark.parametrize("lean", sorted(LEANS))
def test_every_site_could_have_been_measured(lean: str) -> None:
    for n, options in enumerate(SETS):
        state = GAME.start(2 + n, FastDice(n), options)
        assert isinstance(state, MenAtWork)
        for _ in decisions(state, Random(n), LEANS[lean], most=250):
            check(state.measure)
            there = {p for p, where in enumerate(state.place) if where and p not in state.held}
            assert there <= set(state.measure.pieces())
        assert rules.decode(state.encode(), OWN).encode() == state.encode()


@pytest.mark.rule("MW-A.44")
def test_a_load_may_come_before_its_worker() -> None:
    ground = site([rest(g("K"), s(1)), rest(s(1), -1)])
    seen = set()
    for seed in range(30):
        state = arrange("W K/O", "ONE_BRICK", ground, free_order="on")
        state.dice = FastDice(seed)
        play(state, A, "glove black")
        play(state, A, "grip brick 1")
        play(state, A, "release")
        if state.phase == BUILD:
            check(state.measure)
            seen |= {c.b for c in state.measure.contacts if KIND[c.a] == BRICK}
            assert rules.decode(state.encode(), OWN).encode() == state.encode()
    assert seen == {g("K")}


def test_what_is_taken_out_of_the_site_again_shakes_it() -> None:
    stands = site([rest(g("K"), s(1)), rest(s(1), -1), *standing(w(1), g("K"))])
    fallen = {"first": 0, "again": 0}
    for seed in range(400):
        for which in fallen:
            state = arrange("W K/O", "NEAR_EDGE", stands)
            state.dice = FastDice(seed)
            play(state, A, "glove black")
            play(state, A, "grip worker 2")
            if which == "again":
                laid = chance.release(state)
                if laid.accident is not None:
                    continue
                state.play(A, a.RELEASE, laid)
                play(state, A, "grip worker 2")
            fallen[which] += chance.release(state).accident is not None
    assert 5 < fallen["first"] < 45
    assert fallen["again"] > 1.5 * fallen["first"]


def test_pieces_end_where_the_instruction_wants_them_or_beside() -> None:
    stands = site([rest(g("K"), s(1)), rest(s(1), -1)])
    good = 0
    for seed in range(100):
        state = arrange("W K/O", "ONE_BRICK", stands)
        state.dice = FastDice(seed)
        for text in ("glove black", "grip worker 1", "release"):
            play(state, A, text)
        if state.phase != BUILD:
            continue
        feet = [c.part_a for c in state.measure.contacts if c.a == w(1) and c.b == g("K")]
        assert feet in ([LEG_L], [LEG_L, LEG_R])
        assert (a.NEXT_PIECE in state.legal(A)) == (len(feet) == 2)
        good += len(feet) == 2
    assert 55 < good < 90
