"""What programs did and saw at one table, to be compared with the log when all is over."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

import msgspec


def digest(value: object) -> bytes:
    """Equal for equal JSON, in whatever order its fields are."""
    return blake2b(msgspec.json.encode(value, order="sorted"), digest_size=12).digest()


def line_digest(line: Any) -> bytes:
    """Of a line of the log as JSON; that a decision was taken back later is told by a line of its own."""
    return digest({**line, "undone": False})


@dataclass(frozen=True)
class Sent:
    """Something that a program wanted: a decision (action), or to take one back (target)."""

    seat: int
    kind: str
    what: int


@dataclass(frozen=True)
class Heard:
    """An answer that a program got to what it wanted."""

    key: str
    number: int
    repeated: bool


@dataclass
class Seen:
    """What one connection was told. since: the number after which it began to follow. lines: as they came."""

    who: str
    seat: int | None
    since: int | None = None
    lines: list[tuple[int, bytes]] = field(default_factory=list)
    ended: bool = False


@dataclass
class Ledger:
    """One table's. sent: by key. views: (number, seat, digest), as they were shown.

    answers_told: lines that came with refusals, in the same way.
    """

    table: str = ""
    game: str = ""
    sent: dict[str, Sent] = field(default_factory=dict)
    heard: list[Heard] = field(default_factory=list)
    seen: list[Seen] = field(default_factory=list)
    views: set[tuple[int, int | None, bytes]] = field(default_factory=set)
    answers_told: set[tuple[int, int | None, bytes]] = field(default_factory=set)
    requests: int = 0
    naps: int = 0
    repeats: int = 0
    refused: dict[str, int] = field(default_factory=dict)
    unexpected: list[str] = field(default_factory=list)
    record: str = ""
    finished: bool = False
    last_change: float = 0.0

    def shown(self, info: Any, seat: int | None) -> None:
        """A table as somebody was shown it."""
        if info["view"] is not None:
            self.views.add((info["number"], seat, digest(info["view"])))
