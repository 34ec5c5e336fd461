"""When a server looks for garbage among all that it holds: seldom, and while it has little else to do.

Python looks through everything again and again as there comes to be more of it, and everything else waits meanwhile:
a third of a second with a thousand tables. Nearly all garbage goes without that; what is left are rings of objects that
hold one another, a few for a thousand moves.
"""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Callable
from typing import Final

LOOK_SECONDS: Final = 1.0
# Of one processor: with less than that to do, a server has time.
IDLE: Final = 0.1
# So many objects more than there were, and it is worth while; so many, and it is done whatever else there is to do.
WORTH: Final = 200_000
MOST: Final = 2_000_000
NEVER: Final = 1 << 30


class Sweeper:
    """Looks for garbage from time to time, in a thread of its own, for as long as the process lives."""

    def __init__(self, changes: Callable[[], int], spent: Callable[[], float] = time.process_time) -> None:
        """changes: how many people have made by now. spent: seconds of processor time that this process has taken."""
        self._changes = changes
        self._spent = spent
        self._before = changes(), spent()
        self._held = 0

    def start(self) -> None:
        """Begin. What is there by now stays, and need not be looked through."""
        gc.collect()
        gc.freeze()
        young, middle, _ = gc.get_threshold()
        gc.set_threshold(young, middle, NEVER)  # the youngest are looked through as ever: they are few
        self._before = self._changes(), self._spent()
        threading.Thread(target=self._run, name="sweeper", daemon=True).start()

    def _run(self) -> None:
        while True:
            time.sleep(LOOK_SECONDS)
            if self.due(grown()):
                gc.collect()
                self._held = len(gc.get_objects())

    def due(self, more: int) -> bool:
        """Is it time to look through everything? Asked once in `LOOK_SECONDS`. more: objects that have come since."""
        (changes, spent), self._before = self._before, (self._changes(), self._spent())
        # Both: where other programs take the processor, little of it is spent while much waits to be done.
        idle = self._before[0] == changes and self._before[1] - spent < IDLE * LOOK_SECONDS
        return more >= max(MOST, self._held) or (idle and more >= max(WORTH, self._held // 4))


def grown() -> int:
    """How many more objects there are than when everything was looked through last, as far as Python counts them."""
    young, middle, _ = gc.get_threshold()
    return gc.get_count()[2] * young * middle
