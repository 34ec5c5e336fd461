"""The environments pass PettingZoo's own tests, and play the games that they say they play."""

from __future__ import annotations

import warnings
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy
import pytest
from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, parallel_seed_test, render_test, seed_test
from pettingzoo.utils import parallel_to_aec

from shopfloor.engine.dice import FastDice
from shopfloor.engine.refusals import IllegalAction
from shopfloor.lab import pettingzoo
from tests.conformance.cases import Case
from tests.lab.observed import every_count_but_slow_ones, every_game

# Masks of seats that have nothing to decide are empty, and a dict with a mask is PettingZoo's own custom.
EXPECTED = ("Observation is not a NumPy array", "Action mask numpy array is all zeros", "probably should be")


@every_count_but_slow_ones
def test_api(case: Case) -> None:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        api_test(pettingzoo.env(case.game.id, case.players), num_cycles=40)
    assert [str(one.message) for one in told if not any(text in str(one.message) for text in EXPECTED)] == []


@every_game
def test_seeds(game) -> None:
    seed_test(partial(pettingzoo.env, game.id), num_cycles=15)


@every_game
def test_max_cycles(game) -> None:
    # It chooses without looking at masks, and asks all agents in turn: the parallel form, one agent after the other.
    made = partial(pettingzoo.parallel_env, game.id, illegal="replace")
    max_cycles_test(SimpleNamespace(parallel_env=made, env=lambda **given: parallel_to_aec(made(**given))))


@every_game
def test_rendering(game, capsys: pytest.CaptureFixture[str]) -> None:
    render_test(partial(pettingzoo.env, game.id, min(game.player_counts)))
    assert "Seat 0" in capsys.readouterr().out


@every_game
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_parallel(game) -> None:
    parallel_api_test(pettingzoo.parallel_env(game.id, illegal="replace"), num_cycles=30)
    parallel_seed_test(partial(pettingzoo.parallel_env, game.id, illegal="replace"), num_cycles=3)


def _play(env: Any, seed: int) -> list[tuple[int, int]]:
    """Plays a game; checks every observation on the way."""
    env.reset(seed=seed)
    rng = numpy.random.default_rng(seed)
    played = []
    for agent in env.agent_iter():
        observation, _, termination, truncation, _ = env.last()
        if termination or truncation:
            env.step(None)
            continue
        assert env.observation_space(agent).contains(observation)
        action = int(rng.choice(numpy.flatnonzero(observation["action_mask"])))
        played.append((env.possible_agents.index(agent), action))
        env.step(action)
    return played


@every_game
def test_it_is_the_game(game) -> None:
    env = pettingzoo.raw_env(game.id, min(game.player_counts))
    played = _play(env, 5)
    s = game.start(min(game.player_counts), FastDice(5))
    for seat, action in played:
        assert seat == s.deciders()[0]
        s.play(seat, action)
    assert s.over()
    assert env.agents == []
    assert env.table.state.encode() == s.encode()
    again = pettingzoo.raw_env(game.id, min(game.player_counts))
    rewards = dict.fromkeys(again.possible_agents, 0.0)
    again.reset(seed=5)
    for (_, action), agent in zip([*played, *[(0, -1)] * len(rewards)], again.agent_iter(), strict=True):
        rewards[agent] += again.last()[1]
        again.step(action if action >= 0 else None)
    assert list(rewards.values()) == s.returns()
    # Without a seed the next game is another one, but the same after the same seed.
    env.reset(seed=5)
    env.reset()
    again.reset(seed=5)
    again.reset()
    assert env.table.state.encode() == again.table.state.encode()
    assert env.table.state.encode() != game.start(min(game.player_counts), FastDice(5)).encode()


@every_game
def test_options_and_cuts(game) -> None:
    option = next(option for option in game.options if not option.seat_values and len(option.values) > 1)
    options = {option.id: option.values[-1]}
    env = pettingzoo.raw_env(game.id, options=options, max_cycles=2)
    played = _play(env, 1)
    assert len(played) == 2 * max(game.player_counts)
    assert not env.table.state.over()
    s = game.start(max(game.player_counts), FastDice(1), options)
    for seat, action in played:
        s.play(seat, action)
    assert env.table.state.encode() == s.encode()


@every_game
def test_illegal_actions(game) -> None:
    env = pettingzoo.env(game.id)
    env.reset(seed=1)
    mask = env.last()[0]["action_mask"]
    wrong = int(numpy.flatnonzero(mask == 0)[0])
    before = env.unwrapped.table.state.encode()
    with pytest.raises(IllegalAction):
        env.step(wrong)
    assert env.unwrapped.table.state.encode() == before
    env = pettingzoo.env(game.id, illegal="lose")
    env.reset(seed=1)
    loser = env.agent_selection
    env.step(wrong)
    assert env.rewards[loser] == -1
    assert all(env.terminations.values())
    env = pettingzoo.env(game.id, illegal="replace")
    env.reset(seed=1)
    env.step(wrong)
    assert env.unwrapped.table.decisions == 1


def test_what_makes_no_sense() -> None:
    with pytest.raises(ValueError, match="illegal actions is one of"):
        pettingzoo.env("zahltag", illegal="ignore")
    with pytest.raises(ValueError, match="raised or replaced"):
        pettingzoo.parallel_env("zahltag", illegal="lose")
    with pytest.raises(ValueError, match="render modes"):
        pettingzoo.env("zahltag", render_mode="rgb_array")
    with pytest.raises(ValueError, match="at least 1 cycle"):
        pettingzoo.env("zahltag", max_cycles=0)
