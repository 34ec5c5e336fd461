"""Our games, as their users write it; which build it is, PYTHONPATH decides."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as version_of
from typing import Any, Final

from bench.peers.measuring import CLONES, DECISIONS, INSIDE, OBSERVED, PLAYOUTS, Done, Program, Turns, copies, picker
from shopfloor.bots.search import Search
from shopfloor.bots.seat import Seat
from shopfloor.engine.dice import FastDice
from shopfloor.engine.game import Game
from shopfloor.engine.playout import play_out
from shopfloor.engine.state import State
from shopfloor.games import REGISTRY

JUDGED: Final = "search, judged"
ROLLOUTS: Final = "search, rollouts"
WORLDS: Final = 8  # of a search, from the first look on
LOOKED_AT: Final = 5  # games in which legal actions are counted

# What the games are played with, to be found beside the peers' games of the same kind.
KINDS: Final = {
    "men_at_work": "dexterity",
    "temp_worker_assassins": "cards",
    "worker_placement": "cards, auction",
    "workshop_of_the_world": "board, cards",
    "zahltag": "cards, auction",
}


def version() -> str:
    try:
        return version_of("shopfloor")
    except PackageNotFoundError:
        return ""


def compiled() -> bool:
    """Are all games' positions compiled?"""
    kinds = [type(game.start(min(game.player_counts), FastDice(0))) for game in REGISTRY.all()]
    return all(not str(sys.modules[kind.__module__].__file__).endswith(".py") for kind in kinds)


class Played:
    """One game at one number of players."""

    def __init__(self, game: Game, players: int) -> None:
        self.game = game
        self.players = players
        self.edition = game.edition()
        self.pick = picker(1)
        self.deal = 0
        self.dice = FastDice(1)
        self.positions = Turns(self.middle)
        self.env: Any = None

    def start(self, deal: int) -> State:
        return self.game.start(self.players, FastDice(deal), None, self.edition)

    def decisions(self) -> Done:
        """A game from the set-up to the end."""
        self.deal += 1
        done = self.play_on(self.start(self.deal))
        return done, 1, 0

    def play_on(self, s: State) -> int:
        """Play at random to the end. Returns the number of decisions."""
        pick = self.pick
        done = 0
        while deciders := s.deciders():
            seat = deciders[0]
            s.play(seat, pick(s.legal(seat)))
            done += 1
        return done

    def observed(self) -> Done:
        """A game in the PettingZoo environment, observations and masks included."""
        import numpy as np

        if self.env is None:
            from shopfloor.lab import pettingzoo

            self.env = pettingzoo.env(self.game, self.players)
        env = self.env
        pick = self.pick
        done = 0
        self.deal += 1
        env.reset(seed=self.deal)
        for _ in env.agent_iter():
            observation, _, termination, truncation, _ = env.last()
            if termination or truncation:
                env.step(None)
            else:
                env.step(int(pick(np.flatnonzero(observation["action_mask"]))))
                done += 1
        return done, 1, 0

    def middle(self, deal: int) -> State:
        """A position with a choice in the middle of a random game."""
        pick = picker(deal)
        s = self.start(deal)
        half = self.play_on(s) // 2
        s = self.start(deal)
        done = 0
        while True:
            seat = s.deciders()[0]
            legal = s.legal(seat)
            if done >= half and len(legal) > 1:
                return s
            s.play(seat, pick(legal))
            done += 1
            if s.over():  # no choice came: from the start then
                s = self.start(deal)
                half = 0

    def playouts(self) -> Done:
        self.play_on(self.positions.next().clone())
        return 1, 1, 0

    def inside(self) -> Done:
        play_out(self.positions.next().clone(), self.dice)
        return 1, 1, 0

    def seat(self) -> Seat:
        s = self.positions.next()
        return Seat(self.game, s, s.deciders()[0], self.dice)

    def judged(self) -> Done:
        """A decision's thinking over a few worlds: an iteration is a candidate tried in an imagined world."""
        return self.thought(Search(self.seat(), self.dice))

    def rollouts(self) -> Done:
        """The same, but that every imagined world is played at random to the end."""
        return self.thought(Search(self.seat(), self.dice, rollouts=True))

    def thought(self, search: Search) -> Done:
        for _ in range(WORLDS):
            search.think()
        return search.tried, 0, 0

    def look(self) -> tuple[float, float]:
        decisions = actions = 0
        for deal in range(LOOKED_AT):
            s = self.start(deal)
            while deciders := s.deciders():
                legal = s.legal(deciders[0])
                decisions += 1
                actions += len(legal)
                s.play(deciders[0], self.pick(legal))
        return decisions / LOOKED_AT, actions / decisions

    def program(self) -> Program:
        measures: dict[str, Callable[[], Done]] = {
            DECISIONS: self.decisions,
            OBSERVED: self.observed,
            CLONES: copies(self.positions, _clone),
            PLAYOUTS: self.playouts,
            INSIDE: self.inside,
            JUDGED: self.judged,
            ROLLOUTS: self.rollouts,
        }
        return Program(self.game.title, self.players, KINDS.get(self.game.id, ""), measures, self.look)


def _clone(s: State) -> State:
    return s.clone()


def programs() -> list[Program]:
    made = []
    for game in REGISTRY.all():
        for players in sorted({min(game.player_counts), max(game.player_counts)}):
            made.append(Played(game, players).program())
    return made
