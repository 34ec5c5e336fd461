"""Is everything there that was acknowledged, once, and is it what everybody saw?"""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec

from bench.faults.ledger import Ledger, digest, line_digest
from shopfloor.engine.records import RecordError, dump, load, replay
from shopfloor.engine.views import plain
from shopfloor.games import REGISTRY
from shopfloor.tables.fold import Fold
from shopfloor.tables.rows import Entry
from shopfloor.tables.store import Store
from shopfloor.web import told


@dataclass
class Findings:
    """faults: what was wrong, in words. acknowledged: answers of which each must be in the log, in its place."""

    acknowledged: int = 0
    repeated: int = 0
    unanswered: int = 0
    lost: int = 0
    doubled: int = 0
    lines: int = 0
    views: int = 0
    records: int = 0
    faults: list[str] = field(default_factory=list)

    def wrong(self, ledger: Ledger, what: str) -> None:
        self.faults.append(f"{ledger.game} {ledger.table}: {what}")


def audit(store: Store, ledger: Ledger, found: Findings) -> None:
    """Compare what programs were told of a table with what is in the database."""
    header = store.header(ledger.table)
    if header is None:
        found.wrong(ledger, "the table is gone")
        found.lost += len(ledger.heard)
        return
    entries = store.entries(ledger.table)
    game = REGISTRY.get(header.game)
    if [entry.number for entry in entries] != list(range(1, len(entries) + 1)):
        found.wrong(ledger, "the log has gaps")
    _moves(ledger, entries, found)
    fold = Fold(header, game)
    at: dict[int, list[tuple[int | None, bytes]]] = {}
    for number, seat, seen in ledger.views:
        at.setdefault(number, []).append((seat, seen))
    for entry in entries:
        fold.accept(entry)
        for seat, seen in at.pop(entry.number, ()):
            found.views += 1
            view = fold.table().view(seat)
            if digest(plain(view)) != seen:
                found.wrong(ledger, f"seat {seat} saw another position than the log holds at {entry.number}")
    if at:
        found.wrong(ledger, f"positions were shown that are not in the log: {sorted(at)}")
    _lines(ledger, fold, found)
    _record(ledger, fold, found)


def _moves(ledger: Ledger, entries: list[Entry], found: Findings) -> None:
    """Every acknowledged decision is in the log once, where it was said to be; and nothing that nobody wanted."""
    by_key: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.kind in ("play", "undo") and not entry.computer:
            by_key.setdefault((entry.key or "").partition(":")[2], []).append(entry)
    for key, twice in by_key.items():
        wanted = ledger.sent.get(key)
        if len(twice) > 1:
            found.doubled += len(twice) - 1
            found.wrong(ledger, f"{key} is in the log {len(twice)} times")
        for entry in twice:
            what = entry.action if entry.kind == "play" else entry.target
            if wanted is None or (wanted.seat, wanted.kind, wanted.what) != (entry.seat, entry.kind, what):
                found.wrong(ledger, f"nobody wanted entry {entry.number}")
    heard = set()
    for answer in ledger.heard:
        found.acknowledged += 1
        found.repeated += answer.repeated
        heard.add(answer.key)
        if answer.number not in [entry.number for entry in by_key.get(answer.key, ())]:
            found.lost += 1
            found.wrong(ledger, f"{answer.key} was acknowledged as {answer.number} and is not there")
    found.unanswered += len(by_key.keys() - heard)


def _lines(ledger: Ledger, fold: Fold, found: Findings) -> None:
    """What each one was told, in the order in which it came, is the log as that one may know it."""
    table = fold.table()
    final = {}
    for seat in (None, *range(table.players)):
        lines = [msgspec.to_builtins(line) for line in told.log(table, seat, 0)]
        final[seat] = [(line["number"], line_digest(line)) for line in lines]
    for seen in ledger.seen:
        since = seen.since if seen.since is not None else table.number
        due = [line for line in final[seen.seat] if line[0] > since]
        if not seen.ended:  # the game is not over
            due = due[: len(seen.lines)]
        found.lines += len(seen.lines)
        if seen.lines != due:
            numbers = [number for number, _ in seen.lines]
            gaps = [n for n, _ in due if n not in numbers]
            twice = sorted({n for n in numbers if numbers.count(n) > 1})
            other = [a[0] for a, b in zip(seen.lines, due, strict=False) if a != b][:3]
            found.wrong(ledger, f"{seen.who}: was told of a different game: gaps {gaps}, twice {twice}, other {other}")
    for number, seat, line in ledger.answers_told:
        found.lines += 1
        if (number, line) not in final[seat]:
            found.wrong(ledger, f"seat {seat} was told of a line {number} that is not in the log")


def _record(ledger: Ledger, fold: Fold, found: Findings) -> None:
    """The exported record replays to the very position, and says the same when it is written again."""
    if not ledger.finished:
        return
    found.records += 1
    try:
        record = load(ledger.record)
        *_, last = replay(record, fold.game)
    except (RecordError, ValueError) as error:
        found.wrong(ledger, f"the record does not replay: {error}")
        return
    if fold.state is None or last.state.encode() != fold.state.encode():
        found.wrong(ledger, "the record replays to another position")
    if dump(record, last.state.space.name) != ledger.record:
        found.wrong(ledger, "the record reads differently when it is written again")
    if list(record.decisions) != [(d.seat, d.action) for d in fold.decisions]:
        found.wrong(ledger, "the record holds other decisions than the log")
