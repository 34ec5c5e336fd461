"""RLCard: whole games by its own `env.run`, which makes an observation for every decision."""

from __future__ import annotations

from copy import deepcopy
from importlib.metadata import version as version_of
from typing import Any, Final

import rlcard
from rlcard.agents import RandomAgent

from bench.peers.measuring import CLONES, OBSERVED, PLAYOUTS, Done, Program, Turns, copies

LOOKED_AT: Final = 2

GAMES: Final[list[tuple[str, str]]] = [
    ("uno", "cards"),
    ("gin-rummy", "cards"),
    ("mahjong", "cards"),
    ("doudizhu", "cards"),
    ("bridge", "cards, auction"),
    ("leduc-holdem", "cards"),
    ("limit-holdem", "cards"),
    ("no-limit-holdem", "cards"),
]


def version() -> str:
    return version_of("rlcard")


class Played:
    def __init__(self, name: str) -> None:
        self.env = rlcard.make(name, config={"seed": 1})
        self.agents = [RandomAgent(num_actions=self.env.num_actions) for _ in range(self.env.num_players)]
        self.env.set_agents(self.agents)
        self.positions = Turns(self.middle)
        self.half = 0

    def observed(self) -> Done:
        steps = self.env.timestep
        self.env.run(is_training=False)
        return self.env.timestep - steps, 1, 0

    def middle(self, deal: int) -> Any:
        """Its game object, as it stands in the middle of a random game."""
        half = self.observed()[0] // 2
        while True:
            state, player = self.env.reset()
            for _ in range(half):
                if self.env.is_over():
                    break
                state, player = self.env.step(self.agents[player].step(state), self.agents[player].use_raw)
            if not self.env.is_over():
                return deepcopy(self.env.game)

    def playouts(self) -> Done:
        env = self.env
        env.game = deepcopy(self.positions.next())
        player = env.get_player_id()
        state = env.get_state(player)
        while not env.is_over():
            state, player = env.step(self.agents[player].step(state), self.agents[player].use_raw)
        return 1, 1, 0

    def look(self) -> tuple[float, float]:
        decisions = actions = 0
        for _ in range(LOOKED_AT):
            state, player = self.env.reset()
            while not self.env.is_over():
                decisions += 1
                actions += len(state["legal_actions"])
                state, player = self.env.step(self.agents[player].step(state), self.agents[player].use_raw)
        return decisions / LOOKED_AT, actions / decisions


def programs() -> list[Program]:
    made = []
    for name, kind in GAMES:
        played = Played(name)
        measures = {OBSERVED: played.observed, CLONES: copies(played.positions, deepcopy, 5), PLAYOUTS: played.playouts}
        made.append(Program(name, played.env.num_players, kind, measures, played.look))
    return made
