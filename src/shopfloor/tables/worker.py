"""What runs in a worker process: a computer player thinks about one decision. It is told nothing but its seat."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading

from shopfloor.bots import decode_seat, make_bot
from shopfloor.bots.advice import Advice
from shopfloor.bots.advice import advise as advise_seat
from shopfloor.games import REGISTRY


def begin() -> None:
    """Make the process a quiet one: the server comes first, stops it, and takes it along when it dies."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(5)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)  # nobody is left to tell


def ready() -> None:
    """Does nothing, so that a process and its imports are there before the first move waits for them."""


def think(game: str, seat: str, level: str, budget: float, dice_seed: int) -> int:
    """The action chosen. seat: as `Seat.encode` writes it. budget: seconds. dice_seed: of the player's own dice."""
    return make_bot(level, dice_seed, budget).choose(decode_seat(REGISTRY.get(game), seat))


def advise(game: str, seat: str, dice_seed: int) -> Advice:
    """What the seat, as `Seat.encode` writes it, may do, within a bounded time."""
    return advise_seat(decode_seat(REGISTRY.get(game), seat), dice_seed)
