"""What a seat may know, as numbers: a flat tensor of fixed length for programs that learn.

A game declares its fields in `games/<id>/observation.py`; the `Observer` fills them into a buffer, from a View and
nothing else. All numbers lie in [0, 1]. Seats are counted from the viewer on, clockwise: the viewer is always 0.
The standard library is enough; any writable buffer of 32-bit floats will do, numpy's arrays among them.

>>> observer = Observer("zahltag", players=4)
>>> buffer = numpy.zeros(observer.size, numpy.float32)
>>> observer.fill(shopfloor.view(state, seat), buffer)
"""

from __future__ import annotations

import importlib.util
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from shopfloor.engine.game import Edition, Game
from shopfloor.engine.views import View
from shopfloor.games import REGISTRY
from shopfloor.lab.fields import Declaration, Field, Filler

FORMAT: Final = "f"  # 32-bit floats, as `array` and `memoryview` call them


class ObservationError(ValueError):
    """A position does not fit the declaration of its game, or a buffer does not fit the observation."""


@dataclass(frozen=True)
class Left:
    """A part of the View that is in no field, and why."""

    path: str
    why: str


class Observer:
    """Fills observations of one game with one edition at one number of players.

    size: how many numbers an observation has; it depends on nothing else than the three.
    fields: what they are, in order. left_out: what of the View is in none of them, and why.
    """

    def __init__(self, game: Game | str, players: int, edition: Edition | None = None, strict: bool = False) -> None:
        """`game`: an id of the registry, or the game itself. `edition`: None for the one that comes with the game.

        strict: numbers beyond their field's range raise ObservationError; else they are written as its nearest end.
        Raises UnknownGame; ObservationError if the game declares no observation, ValueError for a player count that it
        has not.
        """
        self.game: Game = REGISTRY.get(game) if isinstance(game, str) else game
        if players not in self.game.player_counts:
            raise ValueError(f"{self.game.title} is for {self.game.player_counts} players, not for {players}")
        self.players: int = players
        self.edition: Edition = edition if edition is not None else self.game.edition()
        declaration = Declaration(players)
        if not declared(self.game):
            raise ObservationError(f"{self.game.title} declares no observation yet")
        importlib.import_module(_module(self.game)).declare(declaration, self.edition, players)
        self._filler: Filler = declaration.filler(strict)
        self.size: int = self._filler.size
        self.fields: tuple[Field, ...] = tuple(self._filler.fields("", 0))
        self.left_out: tuple[Left, ...] = tuple(Left(path, why) for path, why in declaration.left_out())
        self.covered: frozenset[str] = frozenset(declaration.covered())
        self._nothing = memoryview(array(FORMAT, bytes(4 * self.size)))

    def fill(self, view: View, buffer: Any) -> None:
        """Write the observation of a seat's View into `buffer`: `size` contiguous 32-bit floats, one dimension.

        Raises ObservationError for another buffer, and for the view of a spectator.
        """
        seat = getattr(view, "seat", None)
        if seat is None:
            raise ObservationError("observations are made for seats; this is the view of a spectator")
        out = memoryview(buffer)
        if out.format != FORMAT or out.shape != (self.size,) or out.readonly:
            wanted = f"a writable buffer of {self.size} contiguous 32-bit floats is needed"
            raise ObservationError(f"{wanted}, not of shape {out.shape} and format '{out.format}'")
        out[:] = self._nothing
        try:
            self._filler.fill(view, out, 0, seat)
        except (IndexError, ValueError, TypeError, AttributeError) as error:
            raise ObservationError(f"this view is not one of {self.game.title} for {self.players}: {error}") from error

    def observe(self, view: View) -> array[float]:
        """The observation in an array of its own."""
        made = array(FORMAT, bytes(4 * self.size))
        self.fill(view, made)
        return made

    def split(self, buffer: Sequence[float]) -> dict[str, list[float]]:
        """An observation field by field, e.g. to look at one: `{"turn": [0.25], ..., "seats[0].money": [0.4], ...}`."""
        return {field.name: [float(n) for n in buffer[field.start : field.stop]] for field in self.fields}

    def describe(self) -> str:
        """The table of fields, in Markdown. Repeated fields stand in one line with the first one's place."""
        lines = ["| field | numbers | at | what | values |", "| --- | ---: | --- | --- | --- |"]
        for name, count, at, meaning, values in self._filler.table("", 0):
            lines.append(f"| `{name or 'there'}` | {count} | {at} | {meaning} | {values} |")
        lines += ["", "Not in the tensor:", ""]
        lines += [f"- `{left.path}`: {left.why}." for left in self.left_out]
        return "\n".join(lines) + "\n"


def _module(game: Game) -> str:
    """The name of the game's observation.py, which lies beside its view.py."""
    package = str(vars(game.viewer)["__name__"]).rpartition(".")[0]
    return f"{package}.observation"


def declared(game: Game) -> bool:
    """Does the game declare an observation?"""
    return importlib.util.find_spec(_module(game)) is not None


if __name__ == "__main__":
    import sys

    if len(sys.argv) != 3:
        sys.exit("python -m shopfloor.lab.observations GAME PLAYERS prints the fields of an observation")
    print(Observer(sys.argv[1], int(sys.argv[2])).describe(), end="")
