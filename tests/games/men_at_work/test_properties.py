"""Invariants of the specification over random games with random outcomes."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shopfloor.engine.dice import FastDice
from shopfloor.engine.refusals import IllegalAction
from shopfloor.engine.views import canonical
from shopfloor.games.men_at_work import GAME
from shopfloor.games.men_at_work import actions as a
from shopfloor.games.men_at_work.cards import CARDS, RITA
from shopfloor.games.men_at_work.judge import Reading, lacking, reading
from shopfloor.games.men_at_work.outcome import check, read
from shopfloor.games.men_at_work.pieces import (
    BEAM,
    BRICK,
    COUNTS,
    CRANE,
    GIRDER,
    HAT,
    KIND,
    OF_COLOUR,
    OF_KIND,
    PER_COLOUR,
    PIECES,
    SUPPORT,
    WORKER,
)
from shopfloor.games.men_at_work.position import (
    AWARD_GOAL,
    BUILD,
    CLEANUP,
    DEAD,
    MOST_FLIPS,
    NOT_IN_DECK,
    SITE,
    SITE_DESIGN,
    SUPPLY,
)
from shopfloor.games.men_at_work.rules import MenAtWork
from shopfloor.games.men_at_work.turn import duties
from tests.conformance.cases import values
from tests.playing import decisions

set_ups = st.builds(
    lambda players, seed, variants, plain: (
        players,
        seed,
        dict(zip(("foreman", "crane", "skyscraper"), variants, strict=True))
        if plain
        else {option: Random(f"{seed} {option}").choice(found) for option, found in values(GAME, players).items()},
    ),
    st.integers(2, 5),
    st.integers(0, 10**6),
    st.tuples(*[st.sampled_from(["off", "on"])] * 3),
    st.booleans(),
)


def conserved(state: MenAtWork) -> None:
    """MW-I.1 to MW-I.4, MW-I.6."""
    for kind in (SUPPORT, GIRDER, WORKER, HAT, BEAM, BRICK):
        places = [state.place[p] for p in OF_KIND[kind]]
        assert sum(places.count(where) for where in (SUPPLY, SITE, DEAD)) == COUNTS[kind]
        if kind in (SUPPORT, GIRDER):
            assert DEAD not in places
    for colour in OF_COLOUR:
        assert len(colour) == PER_COLOUR
    there = {p for p, where in enumerate(state.place) if where != SUPPLY}
    assert set(state.measure.pieces()) | set(state.held) == there
    check(state.measure)
    cards = [*state.stack, *state.rest, *state.discard, *(c for hand in state.hands for c in hand)]
    assert sorted(c for c in cards if c != RITA) == list(range(CARDS))
    assert cards.count(RITA) + (state.rita_above != NOT_IN_DECK) == (not state.rita_active)
    assert state.deck_size() >= 1
    assert sum(state.certificates) <= 15
    assert sum(state.awards) <= min(13, state.players * (AWARD_GOAL[state.players] - 1) + 1)
    assert 0 <= state.flips <= MOST_FLIPS
    if not state.over():
        assert state.in_game(state.hook)


@pytest.mark.rule("MW-I.1", "MW-I.2", "MW-I.3", "MW-I.4", "MW-I.5", "MW-I.6", "MW-I.8", "MW-I.9", "MW-I.10", "MW-I.11")
@pytest.mark.rule("MW-I.12", "MW-I.17", "MW-I.19", "MW-D.3")
@settings(max_examples=8)
@given(set_ups)
def test_what_never_changes(set_up) -> None:
    players, seed, options = set_up
    state = GAME.start(players, FastDice(seed), options)
    assert isinstance(state, MenAtWork)
    rng = Random(seed)
    for _ in range(6000):
        conserved(state)
        if state.over():
            break
        legal = state.legal(state.hook)
        assert legal
        before = state.clone()
        if rng.random() < 0.05:
            wrong = rng.randrange(a.SIZE)
            if wrong not in legal:
                with pytest.raises(IllegalAction):
                    state.play(state.hook, wrong)
                assert state.encode() == before.encode()
        action = rng.choice(legal)
        state.play(state.hook, action)
        changed(before, state, action)
    assert state.over()
    ended(state)


def changed(before: MenAtWork, state: MenAtWork, action: int) -> None:
    lost = [x - y for x, y in zip(before.certificates, state.certificates, strict=True)]
    assert min(lost) >= 0
    assert sum(lost) <= 1
    gained = [y - x for x, y in zip(before.awards, state.awards, strict=True)]
    assert min(gained) >= 0
    assert sum(gained) <= 1
    if sum(gained):
        assert gained[before.hook] == 1
        assert before.rita_active
        assert action == a.FINISH
        assert not sum(lost)
    assert state.rita_active >= before.rita_active
    if state.hook != before.hook and not state.over():
        assert state.hook == before.left_of(before.hook) or before.certificates[before.hook] == 1
    if action == a.FINISH and state.turn > before.turn:
        # A completed turn used up at least one girder or worker, and what was built keeps the rules.
        left = [sum(before.place[p] == SITE for p in OF_KIND[kind]) for kind in (GIRDER, WORKER)]
        was = [sum(p in before.before for p in OF_KIND[kind]) for kind in (GIRDER, WORKER)]
        assert sum(left) > sum(was)
        assert not lacking(before.verdict())
        found = reading(before.measure, before.limits)
        assert not any(found.on_surface(p) for p in before.placed if KIND[p] == GIRDER)
    if state.turn > before.turn and not state.over() and before.phase == CLEANUP:
        assert duties(state) == ([], [])
        assert state.measure.settled


def ended(state: MenAtWork) -> None:
    n = state.players
    winners = state.standing().winners()
    assert winners
    if state.options["stuck_penalty"] == "certificate" and state.options["cleanup_accident_cost"] == "1":
        assert state.accidents <= 3 * n - 1
        assert state.turn <= 38 + 43 * (3 * n - 2) + (3 * n - 1)
    if state.cause == "awards":
        assert [state.awards[w] for w in winners] == [AWARD_GOAL[n]]
    elif state.cause == "certificates":
        assert winners == tuple(s for s in range(n) if state.certificates[s])
    elif state.options["halt_includes_out"] == "off":
        merits = {s: (state.certificates[s] + state.awards[s], state.awards[s]) for s in range(n) if state.in_game(s)}
        assert winners == tuple(s for s in merits if merits[s] == max(merits.values()))


@pytest.mark.rule("MW-I.16", "MW-S.14", "MW-S.5")
@pytest.mark.parametrize("options", [{}, {"foreman": "on"}, {"foreman": "on", "rita_jitter": "3"}])
def test_hidden_cards_show_nowhere(options) -> None:
    """Another deal of what a seat cannot know gives it the same view and the same events."""
    state = GAME.start(3, FastDice(5), options, report=True)
    assert isinstance(state, MenAtWork)
    rng = Random(5)
    deals: set[tuple[int, ...]] = set()
    for _ in decisions(state, rng, most=50):
        state.drain()
        for seat in range(3):
            other = state.imagine(seat, FastDice(rng.randrange(10**6)))
            assert canonical(GAME.view(other, seat)) == canonical(GAME.view(state, seat))
            assert other.hands[seat] == state.hands[seat]
            assert canonical(GAME.view(other, None)) == canonical(GAME.view(state, None))
            deals.add(tuple(other.rest))
        conserved(other)
    assert len(deals) > (100 if options else 3)


@pytest.mark.rule("MW-I.16")
def test_the_other_side_of_the_top_card_is_hidden() -> None:
    state = GAME.start(2, FastDice(3), {})
    assert isinstance(state, MenAtWork)
    tops = {state.imagine(0, FastDice(k)).stack[-1] for k in range(200)}
    face = (state.whats[state.stack[-1]], state.cards.colours[state.stack[-1]])
    assert tops == {c for c in range(CARDS) if (state.whats[c], state.cards.colours[c]) == face}
    assert len(tops) > 1


@pytest.mark.rule("MW-I.13", "MW-I.18", "MW-S.8")
@settings(max_examples=5)
@given(st.integers(0, 10**6))
def test_outcomes_are_written_read_and_judged_alike(seed) -> None:
    state = GAME.start(3, FastDice(seed), {})
    assert isinstance(state, MenAtWork)
    for _ in decisions(state, Random(seed), most=120):
        again = read(state.measure.encode())
        assert again == state.measure
        if state.phase == BUILD:
            twin = state.clone()
            twin.measure = again
            assert twin.verdict() == state.verdict()
            fresh, known = Reading(again, state.limits), state.reading()
            assert all(fresh.of(piece) == known.of(piece) for piece in range(CRANE, PIECES))
    assert state.phase != SITE_DESIGN


@pytest.mark.rule("MW-I.18")
def test_given_outcomes_replay_without_dice_or_physics() -> None:
    """A game is its decisions and outcomes: played again with other luck it comes out the same."""
    state = GAME.start(4, FastDice(11), {})
    assert isinstance(state, MenAtWork)
    rng = Random(11)
    script = []
    for _ in range(120):
        if state.over():
            break
        action = rng.choice(state.legal(state.hook))
        before = state.clone()
        state.play(state.hook, action)
        given_outcome = None
        if action == a.RELEASE:
            twin = before.clone()
            twin.dice = before.dice.clone()
            from shopfloor.games.men_at_work import chance

            given_outcome = chance.release(twin).encode()
        script.append((before.hook, action, given_outcome))
    again = GAME.start(4, FastDice(11), {})
    assert isinstance(again, MenAtWork)
    released = [step for step in script if step[2] is not None]
    assert released
    for seat, action, outcome in script[: script.index(released[0]) + 1]:
        again.play(seat, action, outcome)
    first = GAME.start(4, FastDice(11), {})
    assert isinstance(first, MenAtWork)
    for seat, action, _ in script[: script.index(released[0]) + 1]:
        first.play(seat, action)
    assert again.measure == first.measure
    assert again.placed == first.placed
