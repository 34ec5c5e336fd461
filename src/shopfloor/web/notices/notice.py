"""One message to one recipient, before it gets the shape of a mail, a request or a push."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Notice:
    """Something to tell a recipient, in one message.

    id: the same whenever the same is told again, so that whoever receives it twice can notice. title: a line.
    lines: a sentence for each thing with its table's address. link: where to go. facts: the same for programs.
    since: what has happened since one's last turn, by table's address. kind: notice, trial, or confirm (may we?).
    """

    id: str
    title: str
    lines: tuple[tuple[str, str], ...]
    link: str
    facts: tuple[dict[str, Any], ...]
    since: dict[str, tuple[str, ...]]
    kind: str = "notice"

    @property
    def text(self) -> str:
        """All lines, without addresses."""
        return "\n".join(line for line, _ in self.lines)
