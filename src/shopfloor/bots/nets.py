"""Networks that have learned to judge positions of a game at one number of players. Knows no game.

A net is asked about one position at a time, in the middle of a search, so it is small, and plain Python works it out:
one hidden layer, a score for each seat, and the softmax of the scores as shares of the victory. Each seat is looked at
from where it sits, by the same weights. The inputs are the game's own (`features.py` beside its judgement), or what a
player counts (`measures`) where it has none; the first is always what the hand-made judgement thinks, so that a net
that has learned nothing is that judgement. A second head says which actions are better than the ratings think.

A net is only ever asked about positions that a `Seat` has imagined, through `search`, so it knows no more than they do.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from operator import mul
from pathlib import Path
from typing import Any, Final

from shopfloor.engine.dice import FastDice
from shopfloor.engine.game import Game
from shopfloor.engine.native import mypyc_attr, remade
from shopfloor.engine.state import State

FORMAT: Final = 1
FOLDER: Final = "nets"
"""Where nets that come with a game lie, in the game's folder: `nets/PLAYERS.json`."""
SMALLEST: Final = 1e-4
"""The smallest share of which a logarithm is taken."""

Rows = Callable[[Any], list[list[float]]]


_COMPILED: Final = not __file__.endswith(".py")


def product(a: list[float], b: list[float]) -> float:
    """The inner product of two lists that are equally long."""
    if _COMPILED:  # a loop is the quickest there, and the slowest in the interpreter
        total = 0.0
        for i in range(len(a)):
            total += a[i] * b[i]
        return total
    found: float = sum(map(mul, a, b))
    return found


class NetError(ValueError):
    """A file is no net, or none for this game, edition of the inputs or number of players; the message says which."""


def inputs(game: Game, players: int) -> tuple[list[str], Rows]:
    """What nets of a game are told: the numbers' names, and what makes a row of them for each seat of a position.

    The first number is the judgement's opinion, as a logarithm of the odds. A seat without any chance has no numbers.
    """
    module = f"{str(vars(game.viewer)['__name__']).rpartition('.')[0]}.features"
    if importlib.util.find_spec(module) is not None:
        made = importlib.import_module(module)
        return made.names(players), made.features
    return _counted(game, players)


def _counted(game: Game, players: int) -> tuple[list[str], Rows]:
    """What a player counts of each seat, from the one that looks clockwise."""
    value: Any = game.judgement.value
    measures: Any = getattr(game.judgement, "measures", None)
    counted: list[str] = []
    if measures is not None:
        counted = [name for name, _ in measures(game.start(players, FastDice(0)), 0)]

    def rows(state: Any) -> list[list[float]]:
        shares = value(state)
        blocks = [[n for _, n in measures(state, seat)] if counted else [] for seat in range(players)]
        found = []
        for seat in range(players):
            row = [math.log(max(shares[seat], SMALLEST))]
            for step in range(players):
                row += blocks[(seat + step) % players]
            found.append(row if shares[seat] > 0.0 else [])
        return found

    return ["judgement", *(f"{name}_{n}" for n in range(players) for name in counted)], rows


@dataclass(frozen=True)
class Net:
    """A trained net. H hidden units, N inputs, A actions.

    names: of the inputs (N). actions: how many action ids there are (A). games: played to learn this.
    weights: H rows of N; bias: H; out: H; skip: N, from the inputs to the score; policy: A rows of H and a bias each.
    """

    game: str
    rules: str
    players: int
    names: tuple[str, ...]
    games: int
    weights: list[list[float]]
    bias: list[float]
    out: list[float]
    skip: list[float]
    policy: list[list[float]]

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return remade(self)

    def hidden(self, row: list[float]) -> list[float]:
        """The hidden layer for a row of inputs."""
        found = []
        for weights, bias in zip(self.weights, self.bias, strict=True):
            x = bias + product(weights, row)
            found.append(x if x > 0.0 else 0.0)
        return found

    def shares(self, rows: list[list[float]]) -> list[float]:
        """Each seat's share of the victory, from a row of inputs for each; they add up to 1, and empty rows get 0."""
        scores = []
        for row in rows:
            if row:
                scores.append(product(self.skip, row) + product(self.out, self.hidden(row)))
            else:
                scores.append(-math.inf)
        best = max(scores)
        odds = [math.exp(score - best) for score in scores]
        total = sum(odds)
        return [one / total for one in odds]

    def leaning(self, row: list[float], actions: tuple[int, ...]) -> list[float]:
        """For each action, how much likelier it should be than its rating says: logarithms, added to those of odds."""
        if not row:
            return [0.0] * len(actions)
        hidden = self.hidden(row)
        hidden.append(1.0)
        policy = self.policy
        return [product(policy[action], hidden) for action in actions]

    def encode(self) -> str:
        """The text of the net's file; numbers have six digits, and `decode_net` gives the same net back."""
        fields: dict[str, Any] = {"format": FORMAT, "game": self.game, "rules": self.rules, "players": self.players}
        fields |= {"games": self.games, "names": list(self.names)}
        for name in ("bias", "out", "skip"):
            fields[name] = _short(getattr(self, name))
        for name in ("weights", "policy"):
            fields[name] = [_short(row) for row in getattr(self, name)]
        lines = [f"{json.dumps(name)}: {json.dumps(value, separators=(',', ':'))}" for name, value in fields.items()]
        return "{\n" + ",\n".join(lines) + "\n}\n"


def _short(numbers: list[float]) -> list[float]:
    return [float(f"{n:.6g}") for n in numbers]


def _numbers(found: Any) -> list[float]:
    return [float(n) for n in found]


def decode_net(text: str) -> Net:
    """The net that `Net.encode` wrote. Raises NetError."""
    try:
        fields = json.loads(text)
        if fields["format"] != FORMAT:
            raise NetError(f"it has format {fields['format']}, and {FORMAT} can be read here")
        names = tuple(str(name) for name in fields["names"])
        net = Net(
            game=str(fields["game"]),
            rules=str(fields["rules"]),
            players=int(fields["players"]),
            names=names,
            games=int(fields["games"]),
            weights=[_numbers(row) for row in fields["weights"]],
            bias=_numbers(fields["bias"]),
            out=_numbers(fields["out"]),
            skip=_numbers(fields["skip"]),
            policy=[_numbers(row) for row in fields["policy"]],
        )
    except NetError:
        raise
    except (ValueError, KeyError, TypeError) as error:
        raise NetError(f"it cannot be read ({type(error).__name__}: {error})") from None
    units = len(net.bias)
    rows = [len(row) == len(names) for row in net.weights] + [len(row) == units + 1 for row in net.policy]
    if not all(rows) or len(net.weights) != units or len(net.out) != units or len(net.skip) != len(names):
        raise NetError("its layers do not fit together")
    return net


def load_net(path: Path, game: Game, players: int) -> Net:
    """A net for this game and number of players from a file. Raises NetError, OSError."""
    try:
        net = decode_net(path.read_text(encoding="utf-8"))
    except (NetError, UnicodeDecodeError) as error:
        raise NetError(f"{path} is no net: {error}") from None
    wanted = (game.id, game.rules_version, players)
    if (net.game, net.rules, net.players) != wanted:
        made = f"{net.game}, rules version {net.rules}, {net.players} players"
        raise NetError(f"{path} is a net for {made}; needed is one for {wanted[0]}, {wanted[1]}, {wanted[2]}")
    if net.names != tuple(inputs(game, players)[0]):
        raise NetError(f"{path} was trained with other inputs than {game.title} has now: train it again")
    if len(net.policy) != game.space(game.edition()).size:
        raise NetError(f"{path} was trained with other actions than {game.title} has now: train it again")
    return net


@mypyc_attr(allow_interpreted_subclasses=True)
class Learned:
    """A game's judgement with a net's opinion of positions, and of what the ratings overlook."""

    def __init__(self, game: Game, net: Net) -> None:
        self.net = net
        self.rows: Rows = inputs(game, net.players)[1]
        self.rate: Any = game.judgement.rate
        ahead = getattr(game.judgement, "LOOK_AHEAD", None)
        if ahead is not None:
            self.LOOK_AHEAD = int(ahead)

    def value(self, state: State) -> list[float]:
        """Each seat's expected share of the victory; they add up to 1."""
        return self.net.shares(self.rows(state))

    def lean(self, state: State, seat: int, actions: tuple[int, ...]) -> list[float]:
        """How much likelier each action should be than its rating says, as logarithms."""
        if max(actions) >= len(self.net.policy):  # an edition of one's own may have more of them
            return [0.0] * len(actions)
        return self.net.leaning(self.rows(state)[seat], actions)


@dataclass(frozen=True)
class Nets:
    """Where computer players that think find nets: `folder` holds PLAYERS.json; or with the game; or nowhere."""

    folder: Path | None = None
    shipped: bool = False

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return remade(self)

    def judgement(self, game: Game, players: int) -> Any:
        """A judgement with a net, where there is one; else the game's own.

        Raises NetError if a file is there that is no net for this; a folder of one's own must have one.
        """
        if self.folder is None and not self.shipped:
            return game.judgement
        path = (self.folder if self.folder is not None else game.folder / FOLDER) / f"{players}.json"
        # A net in a folder of one's own may be trained on while others play; those that are shipped stay as they are.
        try:
            written = path.stat().st_mtime_ns if self.folder is not None else 0
            key = (game.id, str(path), written)
            if key not in _LOADED:
                there = self.folder is not None or path.exists()
                _LOADED[key] = Learned(game, load_net(path, game, players)) if there else game.judgement
            return _LOADED[key]
        except OSError as error:
            raise NetError(f"{path} cannot be read: {error.strerror}") from None


_LOADED: Final[dict[tuple[str, str, int], Any]] = {}

SHIPPED: Final = Nets(shipped=True)
"""The nets that come with the games. Only such as were stronger in a ladder at equal time are there."""
NONE: Final = Nets()
