"""OpenSpiel: C++ games through its Python interface, and its searches, C++ and Python."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version as version_of
from random import Random
from typing import Any, Final

import pyspiel

from bench.peers.measuring import CLONES, DECISIONS, PLAYOUTS, Done, Program, Turns, copies, picker

NATIVE: Final = "search, C++"
PYTHON: Final = "search, Python"
SIMULATIONS: Final = 100  # of a search
EXPLORE: Final = 1.4
LOOKED_AT: Final = 5  # games in which legal actions are counted

GAMES: Final = [
    # how it is loaded, what it is played with
    ("gin_rummy", "cards"),
    ("hearts", "cards"),
    ("euchre", "cards"),
    ("spades", "cards, auction"),
    ("skat", "cards, auction"),
    ("bridge(use_double_dummy_result=false)", "cards, auction"),
    ("tarok(players=4)", "cards, auction"),
    ("oh_hell(players=4)", "cards, auction"),
    ("dou_dizhu", "cards, auction"),
    ("crazy_eights(players=4)", "cards"),
    ("cribbage", "cards"),
    ("go_fish(players=4)", "cards"),
    ("hanabi(players=4)", "cards"),
    ("leduc_poker", "cards"),
    ("goofspiel(imp_info=True,num_cards=13,points_order=random,players=4)", "auction"),
    ("liars_dice", "dice, auction"),
    ("bargaining", "auction"),
    ("backgammon", "board, dice"),
    ("maedn(players=4)", "board, dice"),
    ("othello", "board"),
    ("chess", "board"),
    ("go(board_size=9)", "board"),
    ("connect_four", "board"),
    ("tic_tac_toe", "board"),
]
# Its Python searches are measured on a few: they cost the same everywhere.
IN_PYTHON: Final = ("gin_rummy", "euchre", "leduc_poker", "connect_four", "backgammon")


def version() -> str:
    return version_of("open-spiel")


class Played:
    def __init__(self, name: str) -> None:
        self.game = pyspiel.load_game(name)
        self.name = name
        self.players = self.game.num_players()
        self.pick = picker(1)
        self.rng = Random(1)
        self.positions = Turns(self.middle)
        self.seeds = 0
        kind = self.game.get_type()
        self.together = kind.dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
        self.open = kind.information == pyspiel.GameType.Information.PERFECT_INFORMATION
        self.bot: Any = None
        self.python_bot: Any = None

    def step(self, state: Any) -> tuple[int, int]:
        """One step at random. Returns how many decisions it was, and how many chance nodes."""
        if state.is_chance_node():
            outcomes, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(self.rng.choices(outcomes, odds)[0])
            return 0, 1
        if state.is_simultaneous_node():
            state.apply_actions([self.pick(state.legal_actions(player)) for player in range(self.players)])
            return self.players, 0
        state.apply_action(self.pick(state.legal_actions()))
        return 1, 0

    def play_on(self, state: Any) -> tuple[int, int]:
        done = chances = 0
        while not state.is_terminal():
            decided, drawn = self.step(state)
            done += decided
            chances += drawn
        return done, chances

    def decisions(self) -> Done:
        done, chances = self.play_on(self.game.new_initial_state())
        return done, 1, chances

    def middle(self, deal: int) -> Any:
        """A decision in the middle of a random game."""
        while True:
            half = self.play_on(self.game.new_initial_state())[0] // 2
            state = self.game.new_initial_state()
            done = 0
            while not state.is_terminal():
                if done >= half and not state.is_chance_node():
                    return state
                done += self.step(state)[0]

    def playouts(self) -> Done:
        self.play_on(self.positions.next().clone())
        return 1, 1, 0

    def native(self) -> Done:
        """Simulations of its C++ search, each with one random rollout."""
        self.seeds += 1
        rollout = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=self.seeds)
        if self.open:
            bot = pyspiel.MCTSBot(self.game, rollout, EXPLORE, SIMULATIONS, 1000, False, self.seeds, False)
        else:
            final = pyspiel.ISMCTSFinalPolicyType.NORMALIZED_VISIT_COUNT
            bot = pyspiel.ISMCTSBot(self.seeds, rollout, EXPLORE, SIMULATIONS, -1, final, True, False)
        bot.step(self.positions.next())
        return SIMULATIONS, 0, 0

    def python(self) -> Done:
        """Simulations of its search written in Python, each with one random rollout."""
        import numpy as np
        from open_spiel.python.algorithms import ismcts, mcts

        if self.python_bot is None:
            rng = np.random.RandomState(1)
            rollout = mcts.RandomRolloutEvaluator(1, rng)
            if self.open:
                self.python_bot = mcts.MCTSBot(self.game, EXPLORE, SIMULATIONS, rollout, random_state=rng)
            else:
                self.python_bot = ismcts.ISMCTSBot(
                    self.game, rollout, EXPLORE, SIMULATIONS, random_state=rng, allow_inconsistent_action_sets=True
                )
        self.python_bot.step(self.positions.next())
        return SIMULATIONS, 0, 0

    def look(self) -> tuple[float, float]:
        decisions = actions = 0
        for _ in range(LOOKED_AT):
            state = self.game.new_initial_state()
            while not state.is_terminal():
                if not state.is_chance_node():
                    who = range(self.players) if state.is_simultaneous_node() else [state.current_player()]
                    decisions += len(who)
                    actions += sum(len(state.legal_actions(player)) for player in who)
                self.step(state)
        return decisions / LOOKED_AT, actions / decisions

    def program(self, kind: str) -> Program:
        measures: dict[str, Callable[[], Done]] = {
            DECISIONS: self.decisions,
            CLONES: copies(self.positions, _clone),
            PLAYOUTS: self.playouts,
        }
        if not self.together:
            measures[NATIVE] = self.native
        if self.name in IN_PYTHON:
            measures[PYTHON] = self.python
        return Program(self.name.partition("(")[0], self.players, kind, measures, self.look)


def _clone(state: Any) -> Any:
    return state.clone()


def programs() -> list[Program]:
    known = {game.short_name for game in pyspiel.registered_games()}
    return [Played(name).program(kind) for name, kind in GAMES if name.partition("(")[0] in known]
