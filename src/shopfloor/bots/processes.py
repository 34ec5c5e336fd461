"""What makes a process one that thinks for another: bounded in memory, and gone when the other one is."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from contextlib import suppress
from typing import Final

MEMORY: Final = 2 << 30
"""Bytes of data that a process may hold."""


def serve_another() -> None:
    """Make this process a quiet one: the one that started it comes first, stops it, and takes it along when it dies."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
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
