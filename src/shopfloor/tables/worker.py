"""What runs in a worker process: a computer player thinks about one decision. It is told nothing but its seat."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from contextlib import suppress
from typing import Final

from shopfloor.bots import decode_seat, make_bot
from shopfloor.bots.advice import Advice
from shopfloor.bots.advice import advise as advise_seat
from shopfloor.bots.analysis import Analysis
from shopfloor.bots.analysis import analyse as analyse_record
from shopfloor.engine.records import load
from shopfloor.games import REGISTRY

MEMORY: Final = 2 << 30
"""Bytes of data that a process may hold."""


def begin() -> None:
    """Make the process a quiet one: the server comes first, stops it, and takes it along when it dies."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(5)
    _bound_memory()
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _bound_memory() -> None:
    """Who wants more memory than this fails, rather than the whole machine. Where the system can do that."""
    if sys.platform != "win32":
        import resource

        with suppress(ValueError, OSError):  # a limit that is lower already stays
            resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


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


def analyse(record: str, budget: float) -> Analysis:
    """A finished game, as its record's text, looked at again. budget: seconds of computing."""
    told = load(record)
    return analyse_record(REGISTRY.get(told.game), told, budget=budget)
