"""Which games there are. Filled by `shopfloor.games`; the engine itself knows none."""

from __future__ import annotations

import importlib
from collections.abc import Sequence

from shopfloor.engine.game import Game


class UnknownGame(Exception):
    """There is no game with this id. `known` lists those there are."""

    def __init__(self, game: str, known: Sequence[str]) -> None:
        super().__init__(f"there is no game '{game[:80]}'; there is {', '.join(known)}")
        self.game = game
        self.known = tuple(known)


class Registry:
    """Games by id, in the order of the shelf. A game's package is imported when it is first asked for."""

    def __init__(self, packages: Sequence[str]) -> None:
        """`packages`: names of packages that each hold a `GAME`; the last part of a name is the game's id."""
        self._packages = {name.rsplit(".", 1)[-1]: name for name in packages}

    def ids(self) -> tuple[str, ...]:
        return tuple(self._packages)

    def get(self, game: str) -> Game:
        """The game with this id. Raises UnknownGame."""
        package = self._packages.get(game)
        if package is None:
            raise UnknownGame(game, self.ids())
        found = importlib.import_module(package).GAME
        assert isinstance(found, Game)
        return found

    def all(self) -> tuple[Game, ...]:
        return tuple(self.get(game) for game in self._packages)
