"""What the foreman tells a builder: from trials on copies of the site, in sentences that follow from numbers."""

from __future__ import annotations

import re

import pytest

pytest.importorskip("shopfloor.games.men_at_work.site")

from shopfloor.bots import Seat, sayings
from shopfloor.bots.advice import Advice, advise
from shopfloor.engine.dice import FastDice
from shopfloor.games.men_at_work import GAME, world
from shopfloor.games.men_at_work import actions as a
from shopfloor.games.men_at_work.judge import lacking
from shopfloor.games.men_at_work.position import BUILD, CLEANUP
from shopfloor.games.men_at_work.rules import MenAtWork
from shopfloor.games.men_at_work.works import Works
from shopfloor.terminal import hands
from tests.games.men_at_work.table import A, w
from tests.games.men_at_work.test_builder import act, go, works_for


def asked(state: MenAtWork, seed: int = 5, budget: float = 1e9) -> Advice:
    return advise(Seat(GAME, state, state.hook, FastDice(3)), seed, budget)


def building(what: str = "G K/O", how: str = "TOUCH_HIGHEST", colour: str = "girder black") -> MenAtWork:
    works = works_for(what, how)
    act(works, colour)
    return works.state


@pytest.mark.slow
@pytest.mark.parametrize(("what", "how"), [("G K/O", "TOUCH_HIGHEST"), ("G K/O", "SAME_COLOUR")])
def test_a_place_that_is_told_holds_when_the_hand_does_it(what: str, how: str) -> None:
    state = building(what, how)
    before = state.encode()
    found = asked(state)
    assert state.encode() == before, "nothing is played"
    assert 1 <= len(found.hints) <= 3
    spots = [hint.proposal.pose for hint in found.hints if hint.proposal is not None]
    assert len(set(spots)) == len(found.hints)
    best = found.hints[0]
    assert best.proposal is not None
    facts = best.proposal.facts
    assert facts["rehearsed"] == best.worlds == len(best.proposal.counted)
    assert 0 < facts["held"] <= facts["rehearsed"]  # type: ignore[operator]
    # Typed in the terminal, it comes to what was told.
    order = hands.order(best.proposal)
    done = hands.understood(world, state, A, order)
    assert done is not None
    after = state.clone()
    hands.played(after, A, done)
    assert after.phase == BUILD
    assert lacking(after.verdict()) == ()
    piece = best.proposal.facts["piece"]
    assert abs(dict(after.measure.tops)[piece] / 1000 - facts["top"]) < 3.0  # type: ignore[operator,index]
    assert asked(state).hints == found.hints, "a seed tells the same"


def test_every_number_that_is_told_is_one_of_the_advice() -> None:
    state = building()
    found = asked(state)
    view = GAME.view(state, A)
    for number, hint in enumerate(found.hints):
        assert hint.proposal is not None
        facts = hint.proposal.facts
        title, sentences = sayings.title(hint, GAME, view), sayings.sentences(number, found, GAME, view)
        assert f"{abs(int(str(facts['x'])))} mm" in title
        own = " ".join(sentences[: 3 if not facts["aside"] else 4])
        known = {str(abs(value)) for value in facts.values() if isinstance(value, int)}
        assert set(re.findall(r"\d+", own)) <= known
        expected = next(sentence for sentence in sentences if sentence.startswith("An expected"))
        assert expected == (
            f"An expected {100 * hint.value:.0f} % of the victory ({100 * hint.low:.0f} % to {100 * hint.high:.0f} %, "
            f"{hint.worlds} rehearsals)."
        )
        assert hint.low <= hint.value <= hint.high


def test_what_stands_is_finished_and_what_does_not_hold_is_not_hidden() -> None:
    state = building()
    best = asked(state).hints[0].proposal
    assert best is not None
    done = hands.understood(world, state, A, hands.order(best))
    assert done is not None
    hands.played(state, A, done)
    found = asked(state)
    assert found.hints[0].action == a.FINISH
    view = GAME.view(state, A)
    told = sayings.sentences(0, found, GAME, view)
    assert "All that the card asks is met." in told
    assert found.hints[0].low == found.hints[0].value == found.hints[0].high
    # A try too many: where giving up is allowed it is weighed too.
    again = building()
    again.attempts = 3
    assert a.GIVE_UP in again.legal(A)
    values = {hint.action: hint.value for hint in asked(again).hints}
    assert max(values, key=lambda action: values[action]) != a.GIVE_UP


def test_colours_are_compared_by_what_can_be_built_with_them() -> None:
    works = works_for("G K/O", "TOUCH_HIGHEST")
    state = works.state
    found = asked(state)
    assert {hint.action for hint in found.hints} == set(state.legal(A))
    view = GAME.view(state, A)
    for number, hint in enumerate(found.hints):
        assert sayings.title(hint, GAME, view) == GAME.words.action(hint.action, view)
        assert any("rehearsals" in s or "places that were" in s for s in sayings.sentences(number, found, GAME, view))


def fallen_worker() -> MenAtWork:
    """The next player cleans up after a worker has been pushed off."""
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
    assert state.phase == CLEANUP
    return state


def test_clean_up_is_tried_on_a_copy() -> None:
    state = fallen_worker()
    found = asked(state)
    view = GAME.view(state, state.hook)
    assert found.hints
    for number, hint in enumerate(found.hints):
        assert hint.proposal is not None
        assert hint.proposal.exact
        told = sayings.sentences(number, found, GAME, view)
        after = state.clone()
        outcome = Works(state.clone()).outcome(hint.action)
        after.play(state.hook, hint.action, outcome)
        assert outcome is not None
        assert ("nothing falls" in told[0]) == (outcome.accident is None)


def test_without_a_site_the_dice_say_what_hands_do() -> None:
    state = building()
    found = advise(Seat(GAME, state, A, FastDice(3)), 5, 1e9, 8, by_hand=False)
    assert all(hint.proposal is None for hint in found.hints)
    assert found.hints[0].worlds == 8 or found.choices == 1


def test_time_that_is_up_is_up() -> None:
    """With no time at all a place is still rehearsed, and told with how little is known of it."""
    found = asked(building(), budget=1e-9)
    best = found.hints[0]
    assert best.proposal is not None
    assert best.worlds == 2
    assert best.high - best.low > 0.02
