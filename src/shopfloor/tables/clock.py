"""Clocks: how long people may think, and how long they have left. All of it follows from the times in the log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from shopfloor.bots import KNOWN, STAND_IN
from shopfloor.tables.errors import TableError

KINDS: Final = ("none", "move", "bank", "day")
DAY: Final = 24 * 3600
LEAST: Final = 5
MOST: Final = 30 * DAY
MOST_INCREMENT: Final = 3600
# What is left at least to somebody who comes back after the time was up, in a bank: seconds, and a part of the bank.
GRACE_SECONDS: Final = 30
GRACE_PART: Final = 0.1
# Who has less than this part left is warned.
LOW: Final = 0.25


@dataclass(frozen=True)
class Clock:
    """How a table's time is counted.

    kind: none; move: `seconds` for each decision; bank: `seconds` for the whole game, and `increment` more after each
    turn; day: as move, told in days. stand_in: the level of the computer that goes on when the time is up; None: it is
    only shown.
    """

    kind: str = "none"
    seconds: int = 0
    increment: int = 0
    stand_in: str | None = STAND_IN

    def __str__(self) -> str:
        if self.kind == "none":
            return "none"
        return f"{self.kind}:{self.seconds}:{self.increment}:{self.stand_in or '-'}"

    @property
    def on(self) -> bool:
        """Is time counted at all?"""
        return self.kind != "none"

    def low(self) -> float:
        """Seconds left at which one is warned."""
        return self.seconds * LOW


NONE: Final = Clock()


def parse(text: str) -> Clock:
    """The clock that `str` wrote. Raises TableError (BAD_CLOCK)."""
    parts = text.split(":")
    if text in ("", "none"):
        return NONE
    kind, seconds, increment, stand_in = [*parts, "", "0", STAND_IN][:4] if len(parts) == 1 else _four(parts)
    fits = kind in KINDS[1:] and all(n.isascii() and n.isdigit() and len(n) < 9 for n in (seconds, increment))
    if not fits or (stand_in != "-" and stand_in not in KNOWN):
        raise TableError("BAD_CLOCK", clock=text[:40])
    made = Clock(kind, int(seconds), int(increment), None if stand_in == "-" else stand_in)
    if not LEAST <= made.seconds <= MOST or made.increment > MOST_INCREMENT:
        raise TableError("BAD_CLOCK", clock=text[:40])
    if (made.kind != "bank" and made.increment) or (made.kind == "day" and made.seconds % DAY):
        raise TableError("BAD_CLOCK", clock=text[:40])
    return made


def _four(parts: list[str]) -> list[str]:
    usual = ["", "", "0", STAND_IN]
    return [*parts, *usual[len(parts) :]][:4]


class Clocks:
    """Everybody's time at a table. left: seconds, at the time `since`, if the clock runs (None: it stands)."""

    def __init__(self, clock: Clock, players: int) -> None:
        self.clock = clock
        self.left = [float(clock.seconds)] * players
        self.since: list[float | None] = [None] * players

    def copy(self) -> Clocks:
        """One that may go on by itself."""
        copied = Clocks(self.clock, 0)
        copied.left, copied.since = self.left[:], self.since[:]
        return copied

    def go_on(
        self, at: float, running: Sequence[bool], kept: Sequence[bool], decided: int | None, back: int | None
    ) -> None:
        """Something has happened. running: whose clock runs from now on. kept: whose stands only for a while.

        decided: whose decision it was. back: who has come back to the table.
        """
        clock = self.clock
        if not clock.on:
            return
        for seat, runs in enumerate(running):
            began = self.since[seat]
            if began is not None:
                self.left[seat] -= max(0.0, at - began)
            if clock.kind == "bank":
                if seat == decided and began is not None and not runs:
                    self.left[seat] += clock.increment
                if seat == back:
                    self.left[seat] = max(self.left[seat], GRACE_SECONDS, clock.seconds * GRACE_PART)
            elif seat in (decided, back) or not (runs or kept[seat]):
                self.left[seat] = float(clock.seconds)
            self.since[seat] = at if runs else None

    def until(self, seat: int) -> float | None:
        """When this seat's time is up, in seconds since 1970; None while its clock stands."""
        since = self.since[seat]
        return None if since is None else since + self.left[seat]

    def overdue(self, now: float) -> list[int]:
        """The seats whose time is up."""
        return [seat for seat in range(len(self.left)) if (until := self.until(seat)) is not None and until <= now]
