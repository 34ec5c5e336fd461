"""Zahltag's cards as data: an edition is a folder with jobs.csv, offers.csv, workers.csv and payday.csv.

The rulebook prints totals, not the Jobs; the edition that comes with Shopfloor is marked as reconstructed where it
is (ZT section 7). An owner of the game can type the real cards into the same files.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from shopfloor.engine.edition import PROVENANCES, EditionError, Problem, Sheet, edition_hash

SUPPLY: Final = (14, 16, 10, 12)  # ZT-1.2
JOBS: Final = 32  # ZT-1.3
PAYDAYS: Final = 6  # ZT-1.3
OFFER_CARDS: Final = 4  # ZT-1.4: per colour
MAX_VALUE: Final = 99

COLUMNS: Final = ("foremen", "workers", "cranes", "excavators")
TYPE_NAMES: Final = ("foreman", "worker", "crane", "excavator")
OWN: Final = Path(__file__).parent / "data"


@dataclass(frozen=True)
class Cards:
    """What is printed on the cards.

    job_ids, job_names, provenance: one entry a Job. needs: 4 counts a Job, flat, by Worker type.
    offer_values: the distinct bids in millions, ascending. offer_pairs: the two numbers of each Offer card.
    """

    hash: str
    job_ids: tuple[str, ...]
    job_names: tuple[str, ...]
    provenance: tuple[str, ...]
    needs: tuple[int, ...]
    offer_values: tuple[int, ...]
    offer_pairs: tuple[tuple[int, int], ...]

    def job_needs(self, job: int) -> tuple[int, ...]:
        """The Worker cards that a Job needs, by type."""
        return self.needs[4 * job : 4 * job + 4]


def _read_jobs(sheet: Sheet) -> list[tuple[str, str, str, tuple[int, ...]]]:
    jobs = []
    seen: dict[str, int] = {}
    for row in sheet.rows:
        job = row.text("id")
        if job in seen:
            row.problem(f"the id '{job}' is already in line {seen[job]}", "every Job has an id of its own")
        seen[job] = row.line
        needs = tuple(row.integer(column, 0, SUPPLY[t]) for t, column in enumerate(COLUMNS))
        if not 1 <= sum(needs) <= 12:
            row.problem(f"the Job needs {sum(needs)} Worker cards", "a Job needs 1 to 12")
        for _ in range(row.integer("copies", 1, JOBS)):
            jobs.append((job, row.text("name"), row.choice("provenance", PROVENANCES), needs))
    if sheet.rows and len(jobs) != JOBS:
        sheet.problems.append(Problem(sheet.name, 0, f"{len(jobs)} Job cards", f"the game has exactly {JOBS}"))
    return jobs


def _read_offers(sheet: Sheet) -> tuple[tuple[int, int], ...]:
    sets: dict[str, list[tuple[int, int]]] = {}
    passes: dict[str, int] = {}
    for row in sheet.rows:
        colour = row.text("colour")
        sets.setdefault(colour, [])
        row.choice("provenance", PROVENANCES)
        copies = row.integer("copies", 1, OFFER_CARDS)
        first = row.integer("value_a", 0, MAX_VALUE)
        if row.blank("value_b"):  # ZT-A5, section 7: the "00" card, whose 0 is no offer value
            passes[colour] = passes.get(colour, 0) + copies
        else:
            pair = (first, row.integer("value_b", 0, MAX_VALUE))
            for value in pair if pair[0] != pair[1] else pair[:1]:
                if any(value in other for other in sets[colour]):
                    row.problem(f"the value {value} is on two {colour} cards", "each value is on one card of a colour")
            if pair[0] == pair[1]:
                row.problem(f"both numbers are {first}", "the two numbers of an Offer card differ")
            sets[colour] += [pair] * copies
    if not sheet.rows:
        return ()
    if len(sets) != 4:
        sheet.problems.append(Problem(sheet.name, 0, f"{len(sets)} colours", "the game has exactly 4"))
    reference_colour = next(iter(sets))
    reference = sorted(value for pair in sets[reference_colour] for value in pair)
    for colour, pairs in sets.items():
        if len(pairs) != OFFER_CARDS:
            what = f"{len(pairs)} {colour} Offer cards"
            sheet.problems.append(Problem(sheet.name, 0, what, "each colour has exactly 4"))
        if passes.get(colour, 0) != 1:
            what = f'{passes.get(colour, 0)} {colour} "00" cards'
            sheet.problems.append(Problem(sheet.name, 0, what, "each colour has exactly 1 (a line without value_b)"))
        if sorted(value for pair in pairs for value in pair) != reference:
            what = f"the {colour} values are not the {reference_colour} ones"
            sheet.problems.append(Problem(sheet.name, 0, what, "all colours hold the same values"))
    return tuple(sorted(sets[reference_colour]))


def _check_supply(workers: Sheet, payday: Sheet) -> None:
    counts = dict.fromkeys(TYPE_NAMES, 0)
    for row in workers.rows:
        kind = row.choice("type", TYPE_NAMES)
        counts[kind] += row.integer("copies", 0, 52)
    for t, kind in enumerate(TYPE_NAMES):
        if workers.rows and counts[kind] != SUPPLY[t]:
            what = f"{counts[kind]} cards of the type {kind}"
            workers.problems.append(Problem(workers.name, 0, what, f"the rulebook counts {SUPPLY[t]}"))
    paydays = sum(row.integer("copies", 0, 99) for row in payday.rows)
    if payday.rows and paydays != PAYDAYS:
        payday.problems.append(Problem(payday.name, 0, f"{paydays} Payday cards", f"the rulebook counts {PAYDAYS}"))


def load(folder: Path | None = None) -> Cards:
    """The edition in a folder (None: the one that comes with Shopfloor). Raises EditionError with every fault."""
    return _own() if folder is None else _load(folder)


@lru_cache(maxsize=1)
def _own() -> Cards:
    return _load(OWN)


def _load(folder: Path) -> Cards:
    problems: list[Problem] = []
    jobs_sheet = Sheet(folder, "jobs.csv", ("id", "name", *COLUMNS, "copies", "provenance"), problems)
    offers_sheet = Sheet(folder, "offers.csv", ("id", "colour", "value_a", "value_b", "copies", "provenance"), problems)
    workers_sheet = Sheet(folder, "workers.csv", ("type", "copies", "provenance"), problems)
    payday_sheet = Sheet(folder, "payday.csv", ("id", "copies", "provenance"), problems)
    sheets = (jobs_sheet, offers_sheet, workers_sheet, payday_sheet)
    for sheet in sheets:
        if sheet.bytes and not sheet.rows and not problems:
            problems.append(Problem(sheet.name, 0, "there are no lines after the first", "the cards are missing"))
    jobs = _read_jobs(jobs_sheet)
    pairs = _read_offers(offers_sheet)
    _check_supply(workers_sheet, payday_sheet)
    if problems:
        raise EditionError(problems)
    return Cards(
        hash=edition_hash(sheets),
        job_ids=tuple(job[0] for job in jobs),
        job_names=tuple(job[1] for job in jobs),
        provenance=tuple(job[2] for job in jobs),
        needs=tuple(n for job in jobs for n in job[3]),
        offer_values=tuple(sorted(value for pair in pairs for value in pair)),
        offer_pairs=pairs,
    )


def fixture(**changes: object) -> Cards:
    """The edition that comes with Shopfloor with some fields replaced: for tests and experiments."""
    own = _own()
    values: dict[str, object] = {name: getattr(own, name) for name in own.__dataclass_fields__}
    values.update(changes)
    return Cards(**values)  # type: ignore[arg-type]
