"""Figures of load as tables of a page."""

from __future__ import annotations

import os
import platform
import re
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.load.drive import Measured

TOP = """# How much a server bears

Zahltag with two players, each of whom follows the table by an event stream. A move is asked for (`legal`), sent
(`actions`), and has been seen when the streams of all viewers have brought it; the time counts from the moment at which
it is sent. Moves come at a rate that does not wait for the server, each at another table; then as many as it takes,
32 at a time ("at most").

The programs that play, the database and the servers share one machine. What else went on there meanwhile is told by the
load average (of the last minute, at the end of each measurement); above the number of processors it means that all of
them waited for one another, and that the figures are worse than the server is. "nice" is how far the servers had to
stand back for that other work (0: not at all; 19: as far as possible). The processor time that the servers take for a
move (the question what is legal, the answer, and the news to both viewers) depends less on all this, and says how many
moves a second one processor would bear if it had nothing else to do. Requests are read by `httptools`, which saves a
few hundredths of it.
"""


@dataclass(frozen=True)
class Row:
    """Live tables. Memory in MB: of the idle servers, with all tables followed, and after the moves.

    worked: seconds of processor time that the servers took for the paced moves.
    """

    database: str
    processes: int
    tables: int
    rate: float
    paced: Measured
    unpaced: Measured
    idle: float
    followed: float
    loaded: float
    worked: float
    load: float
    nice: int


@dataclass(frozen=True)
class Dormant:
    """Tables at which nobody plays. Sizes in MB, times in seconds; worked: processor time of the server."""

    tables: int
    size: float
    idle: float
    visited: float
    loads: Sequence[float]
    start: float
    start_worked: float
    restart: float
    restart_worked: float
    back: Sequence[float]
    all_back: float
    back_worked: float
    load: float
    nice: int


def ms(seconds: Sequence[float], share: float) -> str:
    """A quantile in milliseconds."""
    if not seconds:
        return "-"
    if share == 0.5:
        return f"{1000 * statistics.median(seconds):,.1f}"
    return f"{1000 * sorted(seconds)[min(len(seconds) - 1, int(share * len(seconds)))]:,.1f}"


def rows_table(rows: Sequence[Row]) -> str:
    columns = (
        "database", "processes", "tables live", "viewers", "moves a second", "seen by all: p50 ms", "p99 ms",
        "answered: p50 ms", "p99 ms", "at most, moves a second",
        "processor ms a move", "memory a table, kB", "servers in all, MB", "failed",
        "load average", "nice",
    )  # fmt: skip
    lines = [f"| {' | '.join(columns)} |", "| --- |" + " ---: |" * (len(columns) - 1)]
    for row in rows:
        kilobytes = 1000 * (row.loaded - row.idle) / row.tables
        lines.append(
            f"| {row.database} | {row.processes} | {row.tables:,} | {2 * row.tables:,} | {row.paced.rate:.1f} "
            f"of {row.rate:g} | {ms(row.paced.seen, 0.5)} | {ms(row.paced.seen, 0.99)} | "
            f"{ms(row.paced.answered, 0.5)} | {ms(row.paced.answered, 0.99)} | {row.unpaced.rate:.1f} | "
            f"{1000 * row.worked / max(1, len(row.paced.seen)):.1f} | "
            f"{kilobytes:.0f} | {row.loaded:.0f} | {len(row.paced.failed) + len(row.unpaced.failed)} | "
            f"{row.load:.1f} | {row.nice} |"
        )
    return "\n".join(lines)


def dormant_table(found: Dormant) -> str:
    rows: list[tuple[str, str]] = [
        (f"{found.tables:,} dormant tables (20 to 50 decisions each): the file", f"{found.size:,.0f} MB"),
        ("the server's memory beside them", f"{found.idle:,.0f} MB"),
        (f"after {len(found.loads):,} of them were looked at", f"{found.visited:,.0f} MB"),
        (
            "a cold table loads, request to answer: p50; p99",
            f"{ms(found.loads, 0.5)} ms; {ms(found.loads, 0.99)} ms",
        ),
        ("start to serving; processor time for it", f"{found.start:.1f} s; {found.start_worked:.1f} s"),
        (
            "killed (-9) with 2,000 viewers: to serving again; processor time for it",
            f"{found.restart:.1f} s; {found.restart_worked:.1f} s",
        ),
        (
            "reconnect with `Last-Event-ID`, 64 viewers at a time: p50; p99",
            f"{ms(found.back, 0.5)} ms; {ms(found.back, 0.99)} ms",
        ),
        (
            "until all 2,000 viewers follow again; processor time of the server for it",
            f"{found.all_back:.1f} s; {found.back_worked:.1f} s",
        ),
        ("load average; nice", f"{found.load:.1f}; {found.nice}"),
    ]
    return "\n".join(["| one process, SQLite | |", "| --- | ---: |", *[f"| {a} | {b} |" for a, b in rows]])


def machine() -> str:
    """What it was measured on."""
    info = Path("/proc/cpuinfo")
    models = re.findall(r"model name\s*: (.*)", info.read_text(encoding="utf-8")) if info.exists() else []
    model = models[0] if models else platform.machine()
    return f"{os.cpu_count()} processors ({model}), Python {platform.python_version()}"


def write(page: Path, rows: Sequence[Row], found: Dormant | None, given: Sequence[str]) -> None:
    """Put the figures in the page; what was not measured this time stays as it was."""
    old = page.read_text(encoding="utf-8") if page.exists() else ""
    kept = {part.split("\n", 1)[0]: part for part in re.split(r"^(?=## )", old, flags=re.MULTILINE)[1:]}
    command = "\n".join(["", "", "```", " ".join(["python -m bench.load", *given]), "```", ""])
    parts = {"SQLite": "## Live tables, SQLite", "PostgreSQL": "## Live tables, PostgreSQL"}
    for database, title in parts.items():
        own = [row for row in rows if row.database == database]
        if own:
            kept[title] = f"{title}\n\n{rows_table(own)}\n\n{machine()}.{command}"
    if found is not None:
        title = "## Dormant tables, restart, reconnect"
        kept[title] = f"{title}\n\n{dormant_table(found)}\n\n{machine()}.{command}"
    order = [*parts.values(), "## Dormant tables, restart, reconnect"]
    found_parts = [kept[title].rstrip("\n") + "\n" for title in order if title in kept]
    rest = [part.rstrip("\n") + "\n" for title, part in kept.items() if title not in order]
    page.write_text("\n".join([TOP, *found_parts, *rest]), encoding="utf-8")
