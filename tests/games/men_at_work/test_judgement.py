"""What a sensible player thinks of decisions and positions, where the rules alone decide."""

from __future__ import annotations

import pytest

from shopfloor.games.men_at_work import actions as a
from shopfloor.games.men_at_work import judgement
from shopfloor.games.men_at_work.rules import MenAtWork
from tests.games.men_at_work.table import A, arrange, build, g, play, rest, s, site

GROUND = site([rest(g("K"), s(1)), rest(s(1), -1)])


def best(state: MenAtWork) -> int:
    rates = judgement.rate(state, state.hook)
    return max(zip(rates, state.legal(state.hook), strict=True))[1]


def test_what_stands_well_is_left_alone() -> None:
    state = arrange("G K/O", "SAME_COLOUR", GROUND)
    play(state, A, "girder black")
    assert best(state) == a.GRIP + g("K", 2)
    before = judgement.value(state)[A]
    build(state, rest(g("K", 2), g("K")))
    assert best(state) == a.FINISH
    assert judgement.value(state)[A] > before  # the risk is over


def test_a_failed_try_is_worth_less_than_none() -> None:
    state = arrange("G K/O", "SAME_COLOUR", GROUND)
    play(state, A, "girder black")
    build(state, rest(g("K", 2), s(1)))
    before = judgement.value(state)[A]
    assert best(state) == a.GRIP + g("K", 2)
    play(state, A, "finish")
    assert judgement.value(state)[A] < before


@pytest.mark.rule("MW-A.19", "MW-A.60")
def test_where_giving_up_is_free_who_is_ahead_does_not_build() -> None:
    for penalty, wanted in (("certificate", a.RELEASE), ("none", a.FINISH)):
        state = arrange("G K/O", "SAME_COLOUR", GROUND, stuck_penalty=penalty)
        state.certificates = [3, 2, 3]
        play(state, A, "girder black")
        play(state, A, "grip black girder 2")
        assert best(state) == wanted
        for _ in range(3):
            play(state, A, "finish")
        assert best(state) == (a.GIVE_UP if penalty == "none" else a.RELEASE)
    # Who is ahead of nobody gets on now and then, or a table of such players would never end.
    state.certificates = [2, 2, 2]
    found = set()
    for turn in range(4):
        state.turn = turn
        found.add(best(state))
    assert found == {a.GIVE_UP, a.RELEASE}
