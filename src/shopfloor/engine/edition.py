"""Editions: what is printed on cards and boards, read from CSV files with errors that say where and why."""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

PROVENANCES = ("rulebook", "published", "reconstructed", "owner")


@dataclass(frozen=True)
class Problem:
    """One fault of an edition: where (line 0: the whole file) and what was wrong, and what would be right."""

    file: str
    line: int
    what: str
    why: str

    def __str__(self) -> str:
        where = f"{self.file}, line {self.line}" if self.line else self.file
        return f"{where}: {self.what}; {self.why}"


class EditionError(Exception):
    """An edition cannot be used. `problems` lists every fault found, in the order of files and lines."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = tuple(problems)


class Row:
    """One line of a sheet. Reading a wrong value notes a problem in the sheet and gives a harmless one."""

    def __init__(self, sheet: Sheet, line: int, values: dict[str, str]) -> None:
        self.sheet = sheet
        self.line = line
        self._values = values

    def problem(self, what: str, why: str) -> None:
        self.sheet.problems.append(Problem(self.sheet.name, self.line, what, why))

    def text(self, column: str) -> str:
        value = self._values[column].strip()
        if not value:
            self.problem(f"column '{column}' is empty", "it needs a value")
        return value

    def blank(self, column: str) -> bool:
        return not self._values[column].strip()

    def integer(self, column: str, low: int, high: int) -> int:
        value = self._values[column].strip()
        # isdecimal alone would let other scripts' digits through, which people do not see as digits here.
        if value.isascii() and value.isdecimal() and len(value) < 10 and low <= int(value) <= high:
            return int(value)
        self.problem(f"column '{column}' is '{value[:40]}'", f"it must be a whole number from {low} to {high}")
        return low

    def choice(self, column: str, known: Sequence[str]) -> str:
        value = self._values[column].strip()
        if value in known:
            return value
        self.problem(f"column '{column}' is '{value[:40]}'", f"known are: {', '.join(known)}")
        return known[0]


class Sheet:
    """A CSV file of an edition: a header line, then one thing a line."""

    def __init__(self, folder: Path, name: str, columns: Sequence[str], problems: list[Problem]) -> None:
        """Reads the file; what is wrong with it goes to `problems`, and then `rows` may be short."""
        self.name = name
        self.problems = problems
        self.rows: list[Row] = []
        self.bytes = b""
        try:
            self.bytes = (folder / name).read_bytes()
            text = self.bytes.decode("utf-8-sig")
        except FileNotFoundError:
            problems.append(Problem(name, 0, f"the file is not in {folder}", "an edition needs it"))
            return
        except (OSError, UnicodeDecodeError) as error:
            problems.append(Problem(name, 0, f"the file cannot be read ({error})", "it must be a text file in UTF-8"))
            return
        reader = csv.reader(io.StringIO(text, newline=None))
        try:
            header = next(reader, [])
            missing = [column for column in columns if column not in header]
            if missing:
                what = f"column{'s' if len(missing) > 1 else ''} {', '.join(missing)} missing"
                problems.append(Problem(name, 1, what, f"the first line must name: {', '.join(columns)}"))
                return
            for cells in reader:
                if not any(cell.strip() for cell in cells):
                    continue
                if len(cells) != len(header):
                    why = f"the first line names {len(header)} (a text with a comma needs quotation marks)"
                    problems.append(Problem(name, reader.line_num, f"{len(cells)} columns", why))
                    continue
                self.rows.append(Row(self, reader.line_num, dict(zip(header, cells, strict=True))))
        except csv.Error as error:
            problems.append(Problem(name, reader.line_num, f"not readable as CSV ({error})", "mend this line"))


def edition_hash(sheets: Sequence[Sheet]) -> str:
    """Names an edition by its contents (16 hex digits). Line ends and byte order marks do not count."""
    digest = hashlib.sha256()
    for sheet in sorted(sheets, key=lambda s: s.name):
        text = sheet.bytes.decode("utf-8-sig").replace("\r\n", "\n").rstrip("\n")
        digest.update(f"{sheet.name}\0{text}\0".encode())
    return digest.hexdigest()[:16]
