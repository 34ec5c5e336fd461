"""What is done by hand in a terminal: the world's own hand does it, for people as they type and for computers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from shopfloor.bots import Seat
from shopfloor.engine.dice import Dice
from shopfloor.engine.game import Game
from shopfloor.engine.state import State
from shopfloor.engine.world import HandRefused, Proposal, World, world_of

Done = tuple[tuple[int, str | None], ...]
"""Decisions with what the world measured of them, if it had a say."""

BUDGET: Final = 1.0
ORDER: Final = re.compile(r"(?:place|put)\s+(.+?)\s+(?:at|to|on)\s+(.+)", re.IGNORECASE | re.DOTALL)
NUMBER: Final = re.compile(r"[-+]?\d+(?:\.\d+)?")


def world_in(game: Game) -> World | None:
    """The game's world, if it has one and that is installed."""
    return world_of(game)


def ordinary(world: World | None, state: State, seat: int, action: int) -> Done:
    """A decision that needs no hand, with what the world measures of it. Raises HandRefused if it needs one."""
    if world is None or state.refusal(seat, action) is not None:
        return ((action, None),)
    if world.by_hand(state, action):
        raise HandRefused("BY_HAND", world.help(state) or "Let the dice do it: choose one of the other sites.")
    return ((action, world.measured(state, action)),)


def understood(world: World, state: State, seat: int, text: str) -> Done | None:
    """What an order such as “place black girder 1 at 0 -45 65 90 via 0 0 200” comes to; None if it is none.

    Raises HandRefused, IllegalAction.
    """
    order = ORDER.fullmatch(text.strip())
    if order is None:
        return None
    goal, *via = re.split(r"\bvia\b|;", order[2], flags=re.IGNORECASE)
    points = [[float(number) for number in NUMBER.findall(point)] for point in via]
    pose = [float(number) for number in NUMBER.findall(goal)]
    errand = world.errand(state, seat, order[1], pose, points)
    return world.carry(state, errand).decisions


def order(found: Proposal) -> str:
    """What a person types to have this done by the world's own hand; `understood` understands it."""
    via = "".join(f" via {_numbers(pose)}" for pose in found.via)
    return f"place {found.piece} at {_numbers(found.pose)}{via}"


def _numbers(pose: Sequence[float]) -> str:
    return " ".join(f"{number:.4f}".rstrip("0").rstrip(".") for number in pose)


def thought(world: World, state: State, seat: Seat, level: str, dice: Dice) -> Done:
    """What a computer does, carried out at once."""
    found = world.think(seat.imagine(dice), level, dice.below(2**31), BUDGET)
    if isinstance(found, int):
        return ordinary(world, state, seat.seat, found)
    return world.carry(state, found).decisions


def played(state: State, seat: int, done: Done) -> None:
    """Play decisions with their outcomes."""
    for action, outcome in done:
        if outcome is None:
            state.play(seat, action)
        else:
            state.play_outcome(seat, action, outcome)
