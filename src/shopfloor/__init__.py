"""Shopfloor: five board games about work, for people, programs and research.

>>> import shopfloor
>>> s = shopfloor.start("zahltag", players=4, seed=7)
>>> seat = s.deciders()[0]
>>> s.play(seat, s.legal(seat)[0])
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from shopfloor.engine.dice import Seed, make_dice
from shopfloor.engine.refusals import BadSetup, IllegalAction, Refusal, Refused
from shopfloor.engine.state import State
from shopfloor.engine.views import View
from shopfloor.games import REGISTRY

__version__ = "0.1.0"

__all__ = ["BadSetup", "IllegalAction", "Refusal", "Refused", "State", "View", "list_games", "start", "view"]


def list_games() -> tuple[str, ...]:
    """The ids of all games that can be played."""
    return REGISTRY.ids()


def start(
    game: str,
    players: int,
    seed: Seed = None,
    options: Mapping[str, str] | None = None,
    edition: str | Path | None = None,
) -> State:
    """Begin a game.

    game: an id of `list_games()`. players: how many seats; they are numbered from 0, clockwise.
    seed: a whole number gives fast dice and the same game every time; 64 hex digits give the sealed dice of live
      tables; None a fresh secret. options: table options by id, e.g. {"first_player": "0"}; the rest take their
      defaults. edition: a folder with the CSV files of an owner's edition, or None for the one that comes with us.

    Returns the complete position, hidden things included (a `State`): `deciders()` gives the seats to decide,
    `legal(seat)` their action ids (ints in [0, space.size)), `space.name(id)` what an id means, `play(seat, id)`
    plays it, `view(state, seat)` is what a seat may know, `standing()` the final order. Money is in the units
    printed on the game's own money.

    Raises UnknownGame, BadSetup (player count, option) or EditionError (file, line, what, why).
    """
    found = REGISTRY.get(game)
    cards = found.edition(edition)
    return found.start(players, make_dice(seed), options, cards)


def view(state: State, seat: int | None) -> View:
    """What `seat` (None: a spectator) may know of a state, as frozen dataclasses."""
    return REGISTRY.get(state.game).view(state, seat)
