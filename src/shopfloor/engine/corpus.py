"""Records with what followed from each decision: a change of the rules shows in which games it matters, and where.

A record says what was decided; its trace, kept beside it, says by two checksums a decision what happened then and who
could do what after it. Records are replayed by the rules as they are now, whatever version they were made with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2s
from pathlib import Path
from typing import Final

from shopfloor.engine.game import Edition, Game
from shopfloor.engine.records import Record, RecordError, Step, replay
from shopfloor.engine.views import canonical

ENDING: Final = ".trace"
SIZE: Final = 4
"""Bytes of a checksum: one in four thousand million changes goes unseen at a decision, and shows at the next."""

Trace = tuple[tuple[str, str], ...]
"""For the start and each decision the checksums of the events that it brought and of the choices after it."""


class TraceError(ValueError):
    """A trace that cannot be read, or does not belong to its record; the message says what is wrong."""


@dataclass(frozen=True)
class Difference:
    """Where a game first goes another way than it went. decision: its number, 0 for the start; why: in words."""

    decision: int
    why: str


def trace(record: Record, game: Game, edition: Edition | None = None) -> Trace:
    """What follows from a record by the present rules. Raises RecordError if it cannot be played by them."""
    return tuple(_marks(step) for step in replay(record, game, edition, strict=False))


def difference(
    record: Record, game: Game, kept: Sequence[tuple[str, str]], edition: Edition | None = None
) -> Difference | None:
    """The first difference between what followed and what follows by the present rules; None if there is none.

    kept: the record's trace. Raises TraceError if it has not as many lines as the record has decisions.
    """
    if len(kept) != len(record.decisions) + 1:
        raise TraceError(f"the trace tells of {len(kept) - 1} decisions, the record of {len(record.decisions)}")
    try:
        for n, step in enumerate(replay(record, game, edition, strict=False)):
            events, choices = _marks(step)
            if events != kept[n][0]:
                return Difference(n, "something else happens")
            if choices != kept[n][1]:
                return Difference(n, "other choices follow")
    except RecordError as error:  # line 1 is the start, line n + 1 decision n, and then comes the end
        return Difference(min(max(0, error.line - 1), len(record.decisions)), error.what)
    return None


def _marks(step: Step) -> tuple[str, str]:
    state = step.state
    name = state.space.name
    choices = [(seat, sorted(name(action) for action in state.legal(seat))) for seat in state.deciders()]
    return _checksum(canonical(step.events)), _checksum(canonical(choices))


def _checksum(data: bytes) -> str:
    return blake2s(data, digest_size=SIZE).hexdigest()


def beside(file: Path) -> Path:
    """Where the trace of a record's file is kept."""
    return file.with_suffix(ENDING)


def write(kept: Trace) -> str:
    return "".join(f"{n} {events} {choices}\n" for n, (events, choices) in enumerate(kept))


def read(text: str) -> Trace:
    """A trace from its text. Raises TraceError."""
    found: list[tuple[str, str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        parts = line.split()
        if len(parts) != 3 or parts[0] != str(number - 1):
            raise TraceError(f"line {number} must have the number {number - 1} and two checksums")
        found.append((parts[1], parts[2]))
    return tuple(found)
