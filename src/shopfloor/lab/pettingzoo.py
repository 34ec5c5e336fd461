"""Every game as a PettingZoo environment; needs `pip install 'shopfloor[lab]'`.

>>> from shopfloor.lab import pettingzoo
>>> env = pettingzoo.env("zahltag", players=3)
>>> env.reset(seed=7)
>>> for agent in env.agent_iter():
...     observation, reward, termination, truncation, info = env.last()
...     mask = observation["action_mask"]
...     env.step(None if termination or truncation else env.action_space(agent).sample(mask))

Agents are `seat_0` to `seat_<players - 1>`. An observation is a dict: "observation" is what the seat may know, as
32-bit floats in [0, 1] (`shopfloor.lab.observations` says which is which); "action_mask" has a 1 for each legal action.
The reward comes at the end: a seat's share of the victory; shares add up to 1.

The games are mostly played in turns, so `env` (agent by agent) is the natural form: who has nothing to decide is not
asked, and sealed choices are asked for one seat after another, which sees nothing of those before it. In
`parallel_env` everybody acts in every step; who has nothing to decide can only wait, by an action of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Any, Final, TypedDict, Unpack

from shopfloor.engine.dice import FastDice
from shopfloor.engine.game import Edition, Game
from shopfloor.engine.state import State
from shopfloor.games import REGISTRY
from shopfloor.lab.boards import board_text
from shopfloor.lab.observations import Observer

try:
    import numpy
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils import wrappers
except ImportError as error:
    raise ImportError(f"{error}; the environments need: pip install 'shopfloor[lab]'") from error

ILLEGAL: Final = ("raise", "lose", "replace")

Observation = dict[str, Any]


class Setup(TypedDict, total=False):
    """What an environment takes besides game and players, by name; each may be left out.

    options: table options. edition: None for the one that comes with the game. max_cycles: None for a game that is
    never cut off. render_mode: "ansi", "human" or None. illegal: "raise" unless given; see `env`.
    """

    options: Mapping[str, str] | None
    edition: Edition | None
    max_cycles: int | None
    render_mode: str | None
    illegal: str


class _Table:
    """What both forms of environment share: a game under way, what its seats see, and its end."""

    def __init__(
        self,
        game: Game | str,
        players: int | None,
        waiting: bool,
        options: Mapping[str, str] | None = None,
        edition: Edition | None = None,
        max_cycles: int | None = None,
        render_mode: str | None = None,
        illegal: str = "raise",
    ) -> None:
        self.game: Game = REGISTRY.get(game) if isinstance(game, str) else game
        self.players: int = max(self.game.player_counts) if players is None else players
        self.options: dict[str, str] = dict(options or {})
        self.edition: Edition = edition if edition is not None else self.game.edition()
        if illegal not in ILLEGAL:
            raise ValueError(f"what becomes of illegal actions is one of {', '.join(ILLEGAL)}, not '{illegal}'")
        if render_mode not in (None, "ansi", "human"):
            raise ValueError(f"render modes are ansi and human, not '{render_mode}'")
        if max_cycles is not None and max_cycles < 1:
            raise ValueError(f"at least 1 cycle is needed, not {max_cycles}")
        self.state: State = self.game.start(self.players, FastDice(0), self.options, self.edition)
        self.observer: Observer = Observer(self.game, self.players, self.edition)
        self.agents: list[str] = [f"seat_{seat}" for seat in range(self.players)]
        self.seats: dict[str, int] = {agent: seat for seat, agent in enumerate(self.agents)}
        self.actions: int = self.state.space.size + waiting
        self.wait: int | None = self.state.space.size if waiting else None
        self.max_cycles: int | None = max_cycles
        self.render_mode: str | None = render_mode
        self.illegal: str = illegal
        self.seeds: Random = Random()
        self.decisions: int = 0
        self.observation_space = cache(self._observation_space)
        self.action_space = cache(self._action_space)

    def _observation_space(self, _agent: str) -> spaces.Dict:
        return spaces.Dict(
            {
                "observation": spaces.Box(0.0, 1.0, (self.observer.size,), numpy.float32),
                "action_mask": spaces.Box(0, 1, (self.actions,), numpy.int8),
            }
        )

    def _action_space(self, _agent: str) -> spaces.Discrete:
        return spaces.Discrete(self.actions)

    def reset(self, seed: int | None) -> None:
        """A new game: of this seed, or of one drawn from the last seed given."""
        if seed is None:
            seed = self.seeds.randrange(2**53)
        else:
            self.seeds = Random(seed)
        self.state = self.game.start(self.players, FastDice(seed), self.options, self.edition)
        self.decisions = 0

    def observe(self, agent: str) -> Observation:
        seat = self.seats[agent]
        tensor = numpy.empty(self.observer.size, numpy.float32)
        self.observer.fill(self.game.view(self.state, seat), tensor)
        mask = numpy.zeros(self.actions, numpy.int8)
        legal = self.state.legal(seat)
        if legal:
            mask[list(legal)] = 1
        elif self.wait is not None:
            mask[self.wait] = 1
        return {"observation": tensor, "action_mask": mask}

    def play(self, agent: str, action: int) -> None:
        """Play an action. Raises IllegalAction, unless illegal ones are replaced by one drawn from the legal."""
        seat = self.seats[agent]
        action = int(action)
        if self.illegal == "replace" and self.state.refusal(seat, action) is not None:
            action = self.seeds.choice(self.state.legal(seat))
        self.state.play(seat, action)
        self.decisions += 1

    def render(self) -> str | None:
        if self.render_mode is None:
            return None
        text = board_text(self.game, self.game.view(self.state, None))
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def metadata(self, parallel: bool) -> dict[str, Any]:
        return {
            "name": f"{self.game.id}_v{self.game.rules_version}",
            "render_modes": ["ansi", "human"],
            "render_fps": 1,
            "is_parallelizable": parallel,
        }


class _OfTable:
    """What both forms answer alike."""

    def __init__(self, table: _Table, parallel: bool) -> None:
        self.table = table
        self.metadata = table.metadata(parallel)
        self.render_mode = table.render_mode
        self.possible_agents = list(table.agents)
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.table.observation_space(agent)

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.table.action_space(agent)

    def render(self) -> str | None:
        """The open table: as text for "ansi", printed for "human"."""
        return self.table.render()

    def close(self) -> None:
        """Nothing is held open."""


class ShopfloorEnv(_OfTable, AECEnv):
    """A game, agent by agent. Made by `env`, which puts PettingZoo's usual checks around it.

    table: the game under way; `table.state` is the complete position, `table.observer` explains the observations.
    """

    def __init__(self, table: _Table) -> None:
        super().__init__(table, parallel=False)

    def observe(self, agent: str) -> Observation:
        """What this agent may know; its mask is all zeros while it has nothing to decide."""
        return self.table.observe(agent)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game. The same seed deals the same game; without one, it follows from the last seed given."""
        self.table.reset(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._next()

    def _next(self) -> str:
        return self.possible_agents[self.table.state.deciders()[0]]

    def step(self, action: int | None) -> None:
        """Play for `agent_selection`. Raises IllegalAction, which says why, and then nothing has changed."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        table = self.table
        table.play(agent, action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if table.state.over():
            self.rewards = dict(zip(self.possible_agents, table.state.returns(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        elif table.max_cycles is not None and table.decisions >= table.max_cycles * table.players:
            self.truncations = dict.fromkeys(self.agents, True)
        if table.state.deciders():
            self.agent_selection = self._next()
        self._accumulate_rewards()
        self._deads_step_first()
        if self.render_mode == "human":
            self.render()


class ShopfloorParallelEnv(_OfTable, ParallelEnv):
    """A game in which everybody acts in every step; see the module. The last action is to wait."""

    def __init__(self, table: _Table) -> None:
        super().__init__(table, parallel=True)
        self.cycles = 0

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """A new game. The same seed deals the same game; without one, it follows from the last seed given."""
        self.table.reset(seed)
        self.agents = list(self.possible_agents)
        self.cycles = 0
        return self._seen(), {agent: {} for agent in self.agents}

    def _seen(self) -> dict[str, Observation]:
        return {agent: self.table.observe(agent) for agent in self.agents}

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Play the actions of those who have something to decide; what the others wish does not count.

        Raises IllegalAction, which says why; what seats before it have sealed in this step then stays.
        """
        table = self.table
        agents = self.agents
        for seat in table.state.deciders():
            table.play(self.possible_agents[seat], actions[self.possible_agents[seat]])
        self.cycles += 1
        over = table.state.over()
        cut = not over and table.max_cycles is not None and self.cycles >= table.max_cycles
        seen = self._seen()
        rewards = dict(zip(agents, table.state.returns(), strict=True))
        if over or cut:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return seen, rewards, dict.fromkeys(agents, over), dict.fromkeys(agents, cut), {agent: {} for agent in agents}


def raw_env(game: Game | str, players: int | None = None, **setup: Unpack[Setup]) -> ShopfloorEnv:
    """The environment without PettingZoo's checks around it, which cost time; as `env` otherwise."""
    return ShopfloorEnv(_Table(game, players, waiting=False, **setup))


def env(game: Game | str, players: int | None = None, **setup: Unpack[Setup]) -> AECEnv:
    """A game, agent by agent (PettingZoo's AEC).

    game: an id of the registry, or the game. players: how many (None: the most). options: table options. edition:
    None for the one that comes with the game. max_cycles: the game is cut off after so many decisions a seat, on the
    average (None: never). render_mode: "ansi", "human" or None. illegal: what becomes of an action that the mask
    forbids: "raise" (IllegalAction, nothing changes), "lose" (the agent gets -1, all others 0, and the game is over)
    or "replace" (one of the legal actions is played, drawn by the environment).

    Raises UnknownGame, BadSetup; ValueError for other values that make no sense.
    """
    made: AECEnv = raw_env(game, players, **setup)
    if setup.get("illegal") == "lose":
        made = wrappers.TerminateIllegalWrapper(made, illegal_reward=-1)
    made = wrappers.AssertOutOfBoundsWrapper(made)
    return wrappers.OrderEnforcingWrapper(made)


def parallel_env(game: Game | str, players: int | None = None, **setup: Unpack[Setup]) -> ShopfloorParallelEnv:
    """A game in which everybody acts in every step; arguments as in `env`, but for two.

    max_cycles: the game is cut off after so many steps. illegal: "raise" or "replace".
    """
    if setup.get("illegal") == "lose":
        raise ValueError("in the parallel form illegal actions are raised or replaced")
    return ShopfloorParallelEnv(_Table(game, players, waiting=True, **setup))
