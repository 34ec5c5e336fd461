"""Every game as an OpenSpiel game; needs `pip install 'shopfloor[openspiel]'`. Importing this registers them.

>>> import pyspiel
>>> from shopfloor.lab import openspiel
>>> game = pyspiel.load_game("shopfloor_zahltag", {"players": 3})

Parameters: `players` (default: the most that the game allows), and `options`, table options such as
`card_cap:penalty/first_player:0`. Chance comes first: four chance nodes of 256 outcomes choose the 32 bits of the
game's seed, and all later cards follow from it. Algorithms that look at the true state therefore know the future, as
they know everybody's cards; those for imperfect information do not, since `resample_from_infostate` draws all that a
seat cannot know anew, the cards to come among it.

What a seat may know is the observation (string and tensor), made from the View, which keeps what a seat could remember
of hidden cards; information states with perfect recall are not provided, so give `use_observation_string=True` to
OpenSpiel's ISMCTS. Sealed choices are decided one seat after another, which sees nothing of those before it. The
return is a seat's share of the victory: in [0, 1], 1 in sum.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

from shopfloor.engine.dice import FastDice
from shopfloor.engine.game import Game
from shopfloor.engine.state import State
from shopfloor.engine.views import canonical
from shopfloor.games import REGISTRY
from shopfloor.lab.boards import board_text
from shopfloor.lab.observations import Observer, declared

try:
    import numpy
    import pyspiel
except ImportError as error:
    raise ImportError(f"{error}; OpenSpiel's games need: pip install 'shopfloor[openspiel]'") from error

PREFIX: Final = "shopfloor_"
CHANCE_NODES: Final = 4
OUTCOMES: Final = 256
LONGEST: Final = 5000  # decisions; no game takes so many


class _Table:
    """What all states of a game share. Copies are the same object, in this process and in others."""

    def __init__(self, game: Game, players: int, options: str) -> None:
        self.game = game
        self.players = players
        self.options = options
        self.edition = game.edition()
        self.space = game.space(self.edition)
        self.start(0)  # says what is wrong

    def start(self, seed: int) -> State:
        return self.game.start(self.players, FastDice(seed), read_options(self.options), self.edition)

    def __deepcopy__(self, _: object) -> _Table:
        return self

    def __reduce__(self) -> tuple[Callable[..., _Table], tuple[str, int, str]]:
        return _table, (self.game.id, self.players, self.options)


def read_options(text: str) -> dict[str, str]:
    """Options written `name:value/name:value`. Raises ValueError for another form."""
    found = {}
    for part in text.split("/") if text else ():
        name, colon, value = part.partition(":")
        if not colon:
            raise ValueError(f"an option is written name:value, not '{part[:40]}'")
        found[name] = value
    return found


@lru_cache(maxsize=64)
def _table(game: str, players: int, options: str) -> _Table:
    return _Table(REGISTRY.get(game), players, options)


class _Held:
    """A position that OpenSpiel's copying and pickling of Python attributes handles as a whole."""

    def __init__(self, state: State | None) -> None:
        self.state = state

    def __deepcopy__(self, _: object) -> _Held:
        return _Held(None if self.state is None else self.state.clone())


class ShopfloorState(pyspiel.State):
    """A position. `position` is ours, complete, or None while the seed is being chosen."""

    def __init__(self, game: Any, table: _Table) -> None:
        super().__init__(game)
        self._table = table
        self._seed = 0
        self._drawn = 0
        self._held = _Held(None)

    @property
    def position(self) -> State | None:
        return self._held.state

    def current_player(self) -> int:
        """The first seat that has to decide, or OpenSpiel's numbers for chance and the end."""
        state = self._held.state
        if state is None:
            return int(pyspiel.PlayerId.CHANCE)
        deciders = state.deciders()
        return deciders[0] if deciders else int(pyspiel.PlayerId.TERMINAL)

    def _legal_actions(self, player: int) -> list[int]:
        assert self._held.state is not None
        return list(self._held.state.legal(player))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Each value of the next byte of the seed, with its probability."""
        return [(outcome, 1 / OUTCOMES) for outcome in range(OUTCOMES)]

    def _apply_action(self, action: int) -> None:
        state = self._held.state
        if state is not None:
            state.play(state.deciders()[0], action)
            return
        self._seed = self._seed * OUTCOMES + action
        self._drawn += 1
        if self._drawn == CHANCE_NODES:
            self._held = _Held(self._table.start(self._seed))

    def _action_to_string(self, player: int, action: int) -> str:
        return f"seed {action}" if player == pyspiel.PlayerId.CHANCE else self._table.space.name(action)

    def is_terminal(self) -> bool:
        return self._held.state is not None and self._held.state.over()

    def returns(self) -> list[float]:
        """Each seat's share of the victory; zeros while the game is under way."""
        state = self._held.state
        return [0.0] * self._table.players if state is None else state.returns()

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> Any:
        """A state drawn from those that `player` cannot tell from this one. `sampler` gives numbers in [0, 1)."""
        other = self.clone()
        if self._held.state is not None:
            dice = FastDice(int(sampler() * 2**31) * 2**31 + int(sampler() * 2**31))
            other._held = _Held(self._held.state.imagine(player, dice))
        return other

    def __str__(self) -> str:
        state = self._held.state
        if state is None:
            return f"seed {self._seed} of {self._drawn} bytes"
        name = hashlib.sha256(state.encode().encode()).hexdigest()[:16]
        return f"{board_text(self._table.game, self._table.game.view(state, None))}position {name}\n"


class ShopfloorObserver:
    """OpenSpiel's observer interface: `tensor`, `dict` with the one entry "observation", `set_from`, `string_from`."""

    def __init__(self, table: _Table) -> None:
        self._table = table
        self._observer = Observer(table.game, table.players, table.edition)
        self.tensor = numpy.zeros(self._observer.size, numpy.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: ShopfloorState, player: int) -> None:
        """Fill `tensor` with what `player` may know; with zeros before the first card."""
        if state.position is None:
            self.tensor.fill(0)
        else:
            self._observer.fill(self._table.game.view(state.position, player), self.tensor)

    def string_from(self, state: ShopfloorState, player: int) -> str:
        """What `player` may know, as the JSON of its View; equal strings are equal knowledge."""
        if state.position is None:
            return ""
        return canonical(self._table.game.view(state.position, player)).decode()


class ShopfloorGame(pyspiel.Game):
    """A game of the registry with its parameters. Each game has a class of its own, with the game as `about`.

    What OpenSpiel keeps until the process ends must be a class: it lets go of it when Python is gone, and a function
    would then be taken apart.
    """

    about: Game

    def __init__(self, params: Mapping[str, Any]) -> None:
        game = self.about
        players = int(params.get("players", max(game.player_counts)))
        self._table = _table(game.id, players, str(params.get("options", "")))
        info = pyspiel.GameInfo(
            num_distinct_actions=self._table.space.size,
            max_chance_outcomes=OUTCOMES,
            num_players=players,
            min_utility=0.0,
            max_utility=1.0,
            utility_sum=1.0,
            max_game_length=LONGEST,
        )
        super().__init__(_game_type(game), info, dict(params))

    def new_initial_state(self) -> ShopfloorState:
        """The state before the first chance node."""
        return ShopfloorState(self, self._table)

    def max_chance_nodes_in_history(self) -> int:
        return CHANCE_NODES

    def make_py_observer(self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None) -> ShopfloorObserver:
        """An observer of what one seat may know. Raises ValueError for other kinds, and for parameters."""
        if params:
            raise ValueError(f"observers take no parameters, not {sorted(params)}")
        kind = iig_obs_type
        if kind is not None and (
            kind.perfect_recall or not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER
        ):
            raise ValueError("observations hold what one seat knows now: public, its own, without perfect recall")
        return ShopfloorObserver(self._table)


def _game_type(game: Game) -> Any:
    return pyspiel.GameType(
        short_name=PREFIX + game.id,
        long_name=game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.CONSTANT_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(game.player_counts),
        min_num_players=min(game.player_counts),
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": max(game.player_counts), "options": ""},
    )


def register() -> tuple[str, ...]:
    """Register the games that are not yet; the names of all of them."""
    known = set(pyspiel.registered_names())
    names = []
    for game in REGISTRY.all():
        if not declared(game):
            continue
        names.append(PREFIX + game.id)
        if names[-1] not in known:
            made = type(names[-1], (ShopfloorGame,), {"about": game})
            globals()[names[-1]] = made  # pickles look for it here
            pyspiel.register_game(_game_type(game), made)
    return tuple(names)


NAMES: Final = register()
"""The names of the games for `pyspiel.load_game`."""
