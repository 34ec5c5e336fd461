"""What runs in a worker process: a computer player thinks about one decision. It is told nothing but its seat."""

from __future__ import annotations

import logging
import os

from shopfloor.bots import decode_seat, make_bot
from shopfloor.bots.advice import Advice
from shopfloor.bots.advice import advise as advise_seat
from shopfloor.bots.analysis import Analysis
from shopfloor.bots.analysis import analyse as analyse_record
from shopfloor.bots.processes import serve_another
from shopfloor.bots.team import team
from shopfloor.engine.records import load
from shopfloor.games import REGISTRY


def begin() -> None:
    """Make the process one that works for a server: a quiet one, which stands back for it and says what fails."""
    serve_another()
    if hasattr(os, "nice"):
        os.nice(5)
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")


def ready(processes: int = 1) -> None:
    """Have a process and its imports, and those that help it to think, before the first move waits for them."""
    helpers = team()
    with helpers.lock:
        helpers.start(processes - 1)


def think(game: str, seat: str, level: str, budget: float, dice_seed: int, processes: int = 1) -> int:
    """The action chosen. seat: as `Seat.encode` writes it. budget: seconds. dice_seed: of the player's own dice.

    processes: that think about it, this one included, where the level can make use of them.
    """
    return make_bot(level, dice_seed, budget, processes=processes).choose(decode_seat(REGISTRY.get(game), seat))


def advise(game: str, seat: str, dice_seed: int) -> Advice:
    """What the seat, as `Seat.encode` writes it, may do, within a bounded time."""
    return advise_seat(decode_seat(REGISTRY.get(game), seat), dice_seed)


def analyse(record: str, budget: float) -> Analysis:
    """A finished game, as its record's text, looked at again. budget: seconds of computing."""
    told = load(record)
    return analyse_record(REGISTRY.get(told.game), told, budget=budget)
