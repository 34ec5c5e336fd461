"""The games pass OpenSpiel's own checks: random simulation, serialisation, resampling; its ISMCTS plays them."""

from __future__ import annotations

import pickle
import subprocess
import sys
from random import Random
from typing import Any

import numpy
import pytest

from shopfloor.engine.dice import FastDice
from shopfloor.lab.observations import Observer
from tests.conformance.cases import Case
from tests.lab.observed import every_count, every_game

pyspiel = pytest.importorskip("pyspiel", reason="the extra `openspiel` is not installed", exc_type=ImportError)
from open_spiel.python.algorithms import ismcts, mcts  # noqa: E402

from shopfloor.lab import openspiel  # noqa: E402

pytestmark = pytest.mark.slow

SAMPLER = pyspiel.UniformProbabilitySampler(0.0, 1.0)


def load(case: Case, **more: str) -> Any:
    return pyspiel.load_game(f"shopfloor_{case.game.id}", {"players": case.players, **more})


def deal(game: Any, seed: int) -> Any:
    state = game.new_initial_state()
    for shift in (24, 16, 8, 0):
        assert state.is_chance_node()
        state.apply_action(seed >> shift & 255)
    return state


@every_game
def test_random_simulation_and_serialisation(game) -> None:
    # It looks at everything a hundred times a decision: the fewest players are enough for a test.
    case = Case(game, min(game.player_counts), {})
    pyspiel.random_sim_test(load(case), num_sims=1, serialize=True, verbose=False)


@every_count
def test_resampling(case: Case) -> None:
    # The steps of OpenSpiel's ResampleInfostateTest, which is not bound to Python, on observations.
    state = deal(load(case), 11)
    rng = Random(11)
    for number in range(5000):
        if state.is_terminal():
            break
        if number % 31 == 0:
            for player in range(state.num_players()):
                other = state.resample_from_infostate(player, SAMPLER)
                assert other.observation_string(player) == state.observation_string(player)
                assert other.observation_tensor(player) == state.observation_tensor(player)
                assert other.current_player() == state.current_player()
                assert other.legal_actions(player) == state.legal_actions(player)
        state.apply_action(rng.choice(state.legal_actions()))
    assert state.is_terminal()


@every_game
def test_resampled_states_differ_and_play_on(game) -> None:
    case = Case(game, min(game.player_counts), {})
    state = deal(load(case), 12)
    rng = Random(12)
    for _ in range(20):
        state.apply_action(rng.choice(state.legal_actions()))
    before = str(state)
    others = {str(state.resample_from_infostate(state.current_player(), SAMPLER)) for _ in range(5)}
    assert len(others) > 1
    other = state.resample_from_infostate(0, SAMPLER)
    text = pyspiel.serialize_game_and_state(other.get_game(), other)
    _, again = pyspiel.deserialize_game_and_state(text)
    assert str(again) == str(other)
    assert again.history() == other.history()
    while not other.is_terminal():
        other.apply_action(rng.choice(other.legal_actions()))
    assert sum(other.returns()) == pytest.approx(1)
    assert str(state) == before


@every_game
def test_it_is_the_game(game) -> None:
    case = Case(game, max(game.player_counts), {})
    option = next(option for option in game.options if not option.seat_values and not option.picks)
    chosen = {option.id: option.values[-1]}
    spiel = load(case, options=f"{option.id}:{option.values[-1]}")
    state = deal(spiel, 123456789)
    s = game.start(case.players, FastDice(123456789), chosen)
    rng = Random(2)
    while not state.is_terminal():
        seat = state.current_player()
        assert seat == s.deciders()[0]
        assert state.legal_actions() == list(s.legal(seat))
        if rng.random() < 0.05:
            seen = Observer(game, case.players).observe(game.view(s, seat))
            assert state.observation_tensor(seat) == seen.tolist()
        action = rng.choice(state.legal_actions())
        assert state.action_to_string(seat, action) == s.space.name(action)
        assert state.string_to_action(state.action_to_string(action)) == action
        state.apply_action(action)
        s.play(seat, action)
    assert state.returns() == s.returns()
    assert pyspiel.load_game(str(spiel)).num_players() == case.players
    assert pickle.loads(pickle.dumps(spiel)).num_distinct_actions() == s.space.size


@every_game
def test_openspiels_own_search_plays(game) -> None:
    case = Case(game, min(game.player_counts), {})
    spiel = load(case)
    state = deal(spiel, 3)
    rng = Random(3)
    for _ in range(30):
        state.apply_action(rng.choice(state.legal_actions()))
    while len(state.legal_actions()) < 2:
        state.apply_action(state.legal_actions()[0])
    random_state = numpy.random.RandomState(1)
    bot = ismcts.ISMCTSBot(
        spiel,
        mcts.RandomRolloutEvaluator(1, random_state),
        2.0,
        5,
        random_state=random_state,
        use_observation_string=True,
        allow_inconsistent_action_sets=True,
    )
    assert bot.step(state) in state.legal_actions()


def test_the_process_ends_well() -> None:
    code = "import pyspiel; from shopfloor.lab import openspiel; pyspiel.load_game('shopfloor_zahltag')"
    assert subprocess.run([sys.executable, "-c", code], check=False, capture_output=True).returncode == 0


def test_what_makes_no_sense() -> None:
    with pytest.raises(ValueError, match="name:value"):
        openspiel.read_options("card_cap")
    kind = pyspiel.IIGObservationType(perfect_recall=True)
    game = pyspiel.load_game("shopfloor_zahltag", {"players": 3})
    with pytest.raises(ValueError, match="perfect recall"):
        game.make_py_observer(kind)
    with pytest.raises(ValueError, match="no parameters"):
        game.make_py_observer(None, {"a": 1})
