"""PettingZoo's classic environments, agent by agent, with observations and masks.

They cannot be copied while a game is under way (`deepcopy` makes a new environment, with no game in it), so that there
are neither clones nor playouts from a position.
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import version as version_of
from typing import Any, Final

import numpy as np
import pettingzoo  # so that its absence is told once

from bench.peers.measuring import OBSERVED, Done, Program, picker

LOOKED_AT: Final = 2

GAMES: Final[list[tuple[str, str, dict[str, Any]]]] = [
    ("texas_holdem_v4", "cards", {"num_players": 4}),
    ("texas_holdem_no_limit_v6", "cards", {"num_players": 4}),
    ("leduc_holdem_v4", "cards", {}),
    ("hanabi_v5", "cards", {"players": 4}),
    ("connect_four_v3", "board", {}),
    ("tictactoe_v3", "board", {}),
    ("go_v5", "board", {"board_size": 9}),
    ("chess_v6", "board", {}),
]


def version() -> str:
    return version_of("pettingzoo")


class Played:
    def __init__(self, name: str, settings: dict[str, Any]) -> None:
        self.name = name
        self.settings = settings
        self.pick = picker(1)
        self.seed = 0
        self._env: Any = None

    @property
    def env(self) -> Any:
        if self._env is None:
            self._env = import_module(f"pettingzoo.classic.{self.name}").env(**self.settings)
        return self._env

    def observed(self) -> Done:
        """A game from the reset to the end."""
        env = self.env
        pick = self.pick
        done = 0
        self.seed += 1
        env.reset(seed=self.seed)
        for _ in env.agent_iter():
            observation, _, termination, truncation, info = env.last()
            if termination or truncation:
                env.step(None)
            else:
                mask = info["action_mask"] if "action_mask" in info else observation["action_mask"]
                env.step(int(pick(np.flatnonzero(mask))))
                done += 1
        return done, 1, 0

    def look(self) -> tuple[float, float]:
        decisions = actions = 0
        for deal in range(LOOKED_AT):
            self.env.reset(seed=deal)
            for _ in self.env.agent_iter():
                observation, _, termination, truncation, info = self.env.last()
                if termination or truncation:
                    self.env.step(None)
                    continue
                legal = np.flatnonzero(info["action_mask"] if "action_mask" in info else observation["action_mask"])
                decisions += 1
                actions += len(legal)
                self.env.step(int(self.pick(legal)))
        return decisions / LOOKED_AT, actions / decisions


def programs() -> list[Program]:
    assert pettingzoo
    made = []
    for name, kind, settings in GAMES:
        played = Played(name, settings)
        players = settings.get("num_players", settings.get("players", 2))
        made.append(Program(name.rpartition("_")[0], players, kind, {OBSERVED: played.observed}, played.look))
    return made
