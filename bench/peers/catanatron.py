"""Catanatron: the settlers' game of its name with its own players, by its own `Game.play`."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.metadata import version as version_of
from typing import Any, Final

from catanatron import Color, Game, RandomPlayer
from catanatron.game import TURNS_LIMIT

from bench.peers.measuring import CLONES, DECISIONS, PLAYOUTS, Done, Program, Turns, copies

SEARCH: Final = "search, Python"
SIMULATIONS: Final = 10
COLOURS: Final = [Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE]
LOOKED_AT: Final = 2


def version() -> str:
    return version_of("catanatron")


def taken(game: Any) -> int:
    """The decisions so far."""
    state = game.state
    records = getattr(state, "action_records", None)
    return len(records if records is not None else state.actions)


class Played:
    def __init__(self, players: int, kind: Any) -> None:
        self.players = players
        self.kind = kind
        self.seed = 0
        self.positions = Turns(self.middle)
        self.searcher: Any = None

    def start(self, seed: int) -> Any:
        return Game([self.kind(colour) for colour in COLOURS[: self.players]], seed=seed)

    def decisions(self) -> Done:
        self.seed += 1
        game = self.start(self.seed)
        game.play()
        return taken(game), 1, 0

    def middle(self, deal: int) -> Any:
        game = self.start(deal)
        game.play()
        half = taken(game) // 2
        game = self.start(deal)
        while taken(game) < half or len(playable(game)) < 2:
            game.play_tick()
        return game

    def playouts(self) -> Done:
        self.positions.next().copy().play()
        return 1, 1, 0

    def search(self) -> Done:
        """Simulations of its own tree search, where the installed version has one."""
        try:
            players = import_module("catanatron.players.mcts")
        except ImportError:
            raise LookupError(f"version {version()} has no player that searches") from None
        game = self.positions.next().copy()
        player = players.MCTSPlayer(game.state.current_color(), SIMULATIONS)
        player.decide(game, playable(game))
        return SIMULATIONS, 0, 0

    def look(self) -> tuple[float, float]:
        decisions = actions = 0
        for deal in range(LOOKED_AT):
            game = self.start(deal)
            while game.winning_color() is None and game.state.num_turns < TURNS_LIMIT:
                decisions += 1
                actions += len(playable(game))
                game.play_tick()
        return decisions / LOOKED_AT, actions / decisions


def playable(game: Any) -> Any:
    """The legal actions; the attribute moved from the state to the game between versions."""
    return game.playable_actions if hasattr(game, "playable_actions") else game.state.playable_actions


def programs() -> list[Program]:
    kinds = [(2, RandomPlayer, "random players"), (4, RandomPlayer, "random players")]
    try:
        weighted = import_module("catanatron.players.weighted_random").WeightedRandomPlayer
        kinds.append((4, weighted, "weighted random players"))
    except ImportError:
        pass
    made = []
    for players, kind, note in kinds:
        played = Played(players, kind)
        measures: dict[str, Callable[[], Done]] = {
            DECISIONS: played.decisions,
            CLONES: copies(played.positions, lambda game: game.copy(), 10),
            PLAYOUTS: played.playouts,
            SEARCH: played.search,
        }
        if kind is not RandomPlayer:
            del measures[SEARCH]
        made.append(Program(f"catanatron, {note}", players, "board, cards", measures, played.look))
    return made
