"""A run's figures as tables of a page."""

from __future__ import annotations

import re
from pathlib import Path

from bench.faults.run import Result

TOP = """# Never lost, never doubled

Games are played by programs over HTTP, through a line that drops requests before and after they have reached a
server, delays, doubles and reorders them, cuts answers and event streams short; meanwhile servers, workers and the
database are killed (`kill -9`) or stopped at random moments, its file is locked, its disk is full. A program sends
what it wants again, with the same key, until it has an answer. Some follow by event stream, with `Last-Event-ID`
after each cut, some by `wait`; some have three windows open on one seat, which decide against each other; some
sleep for a while. When all games are over, everything is compared with the log in the database:

- every acknowledged decision is there once, at the number that was acknowledged, and nothing that nobody wanted;
- every line that each seat and each spectator was told came once and in order, and is what the log holds;
- every position that anybody was shown is the one that the log gives at that number;
- the exported record of every game replays to the same position and is written again byte for byte;
- no table stands still.

Seeds fix the games, the faults and their order; when exactly they strike, the machine decides.
"""


def table(result: Result) -> str:
    """The figures of a run."""
    setting, found = result.setting, result.found
    servers = "PostgreSQL, 2 servers, 1 worker" if setting.postgresql else "SQLite, 1 server"
    rows: list[tuple[str, object]] = [
        ("games played to the end", f"{result.finished:,} of {result.begun:,}"),
        *[(f"of {name}", f"{count:,}") for name, count in sorted(result.played.items())],
        ("windows (connections of seats and spectators)", f"{result.windows:,}"),
        ("requests, of which repeats", f"{result.requests:,}, {result.repeats:,}"),
        ("windows asleep for a while", f"{result.naps:,}"),
        ("faults injected", f"{sum(result.injected.values()):,}"),
        *[(what, f"{count:,}") for what, count in sorted(result.injected.items())],
        ("decisions acknowledged, of which to a repeat", f"{found.acknowledged:,}, {found.repeated:,}"),
        ("decisions stored and never acknowledged", f"{found.unanswered:,}"),
        ("**decisions lost**", f"**{found.lost}**"),
        ("**decisions doubled**", f"**{found.doubled}**"),
        ("lines of the log told, compared", f"{found.lines:,}"),
        ("positions shown, compared", f"{found.views:,}"),
        ("records replayed", f"{found.records:,}"),
        ("**differences**", f"**{len(found.faults)}**"),
        ("**tables that stood still**", f"**{len(result.stuck)}**"),
        ("answers of 500, crashes, traces in logs", len(result.unexpected) + result.gone + len(result.complaints)),
        ("minutes; load average of the machine at the end", f"{result.seconds / 60:.1f}; {result.load:.1f}"),
    ]
    lines = [f"## {servers}", "", "| | |", "| --- | ---: |", *[f"| {name} | {value} |" for name, value in rows]]
    database = "postgresql" if setting.postgresql else "sqlite"
    limit = "" if setting.minutes == float("inf") else f" --minutes {setting.minutes:g}"
    command = (
        f"python -m bench.faults --games {setting.games} --database {database} --seed {setting.seed}{limit} "
        f"--at-once {setting.at_once} --rate {setting.rate:g} --every {setting.every:g} --page docs/reliability.md"
    )
    return "\n".join([*lines, "", "Made by:", "", "```", command, "```", ""])


def write(page: Path, result: Result) -> None:
    """Put the figures in the page, in place of those of the same kind of database."""
    old = page.read_text(encoding="utf-8") if page.exists() else ""
    kept = {part.split("\n", 1)[0]: part for part in re.split(r"^(?=## )", old, flags=re.MULTILINE)[1:]}
    new = table(result)
    kept[new.split("\n", 1)[0]] = new
    parts = [kept[title].rstrip("\n") + "\n" for title in sorted(kept, key=lambda title: "SQLite" not in title)]
    page.write_text("\n".join([TOP, *parts]), encoding="utf-8")
