"""What happened, as data: the log, the animations and the announcements are made from events."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Event:
    """One thing that happened.

    kind: one of the game's event kinds, e.g. `job_won`.
    clause: the clause by which it happened.
    facts: ints, strings, bools and lists of them, by the names that the game's `EVENTS` table gives.
    audience: the seats that may know of it, or None for everybody.
    """

    kind: str
    clause: str
    facts: dict[str, object] = field(default_factory=dict)
    audience: tuple[int, ...] | None = None

    def concerns(self, seat: int | None) -> bool:
        """May this seat (None: a spectator) know of it?"""
        return self.audience is None or (seat is not None and seat in self.audience)


EventTable = dict[str, tuple[str, ...]]
"""A game's event kinds, each with the names of its facts in order."""
