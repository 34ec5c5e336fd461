"""Files of results: a JSON line for each, on disk before the next one counts, so that what breaks off can go on."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

One = TypeVar("One")


class ResultsError(Exception):
    """A results file cannot be gone on with: which line, and why."""


def read_lines(path: Path, kind: Callable[..., One], what: str) -> list[One]:
    """The results of a file, each made by `kind` from a line; none if there is no file.

    A last line cut short by a crash does not count. Raises ResultsError for any other line that does not fit; `what`
    says what it should have been.
    """
    if not path.exists():
        return []
    text = path.read_text(encoding="utf-8")
    found = []
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        try:
            found.append(kind(**json.loads(line)))
        except (ValueError, TypeError):
            if number == len(lines) and not text.endswith("\n"):
                break
            raise ResultsError(f"{path}, line {number}: this is no {what}") from None
    return found


class Results:
    """A results file that is being added to; with no path, nothing is kept."""

    def __init__(self, path: Path | None) -> None:
        self.path = path

    def __enter__(self) -> Results:
        if self.path is not None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._mend(self.path)
            self.file = self.path.open("a", encoding="utf-8")
        return self

    @staticmethod
    def _mend(path: Path) -> None:
        """Drop a last line that a crash has cut short, so that nothing is added to it."""
        if path.exists():
            data = path.read_bytes()
            if data and not data.endswith(b"\n"):
                path.write_bytes(data[: data.rfind(b"\n") + 1])

    def add(self, result: Any) -> None:
        """Add a dataclass of plain values."""
        if self.path is not None:
            self.file.write(json.dumps(asdict(result)) + "\n")
            self.file.flush()

    def __exit__(self, *_: object) -> None:
        if self.path is not None:
            self.file.close()
