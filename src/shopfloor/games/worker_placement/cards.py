"""Worker Placement's cards as data: an edition is a folder with workers.csv, skills.csv, management.csv, jobs.csv,
player_order.csv and buildings.csv.

The rulebook prints totals and a few examples; the edition that comes with Shopfloor is marked as reconstructed where
it is (WP section 7). An owner of the game can type the real cards into the same files.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from shopfloor.engine.edition import PROVENANCES, EditionError, Problem, Row, Sheet, edition_hash
from shopfloor.engine.native import remade
from shopfloor.games.worker_placement.effects import AT_END, BUILDINGS, EFFECTS, parse_effect, wording

WORKERS: Final = 24  # WP-1.6
SKILLS: Final = 23
MANAGEMENT: Final = 16
JOBS: Final = 42
MAX_PLAYERS: Final = 5
CUBES: Final = 12  # WP-1.7: of each skill

WORKER: Final = 0
SKILL: Final = 1
MANAGER: Final = 2
KINDS: Final = ("worker", "skill", "management")

COLUMNS: Final = ("clerical", "labour", "tech", "life", "wild")
OWN: Final = Path(__file__).parent / "data"


@dataclass(frozen=True, eq=False)
class Cards:
    """What is printed on the cards and on the board. An edition is loaded once and compared by `hash`.

    business_ids, business_names, provenance, kinds: one entry a Business card: 24 Workers, 23 Skills, 16 Management.
    skills: 5 counts a Business card, flat, by skill, the wild one last. scripts: a card's effect as steps of four
    integers (see `effects`). at_end: cards that only count at the end of the game, while in hand.
    job_ids, job_names, job_cash, job_thumbs: one entry a Job. needs: 5 counts a Job. building_names: 11.
    """

    hash: str
    business_ids: tuple[str, ...]
    business_names: tuple[str, ...]
    provenance: tuple[str, ...]
    kinds: tuple[int, ...]
    skills: tuple[int, ...]
    scripts: tuple[tuple[int, ...], ...]
    at_end: tuple[bool, ...]
    job_ids: tuple[str, ...]
    job_names: tuple[str, ...]
    needs: tuple[int, ...]
    job_cash: tuple[int, ...]
    job_thumbs: tuple[int, ...]
    building_names: tuple[str, ...]

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return remade(self)

    def card_skills(self, card: int) -> tuple[int, ...]:
        """What a Worker or Skill card offers, by skill."""
        return self.skills[5 * card : 5 * card + 5]

    def job_needs(self, job: int) -> tuple[int, ...]:
        """What a Job needs, by skill."""
        return self.needs[5 * job : 5 * job + 5]


@dataclass
class _Card:
    id: str
    name: str
    provenance: str
    kind: int
    skills: tuple[int, ...]
    script: tuple[int, ...] = ()
    at_end: bool = False


def _plain(text: str) -> str:
    return " ".join(re.findall(r"[a-z0-9]+", text.lower()))


class _Names:
    """Ids of a kind of card, which must differ also as people type them."""

    def __init__(self) -> None:
        self.lines: dict[str, tuple[str, int]] = {}

    def read(self, row: Row) -> str:
        name = row.text("id")
        plain = _plain(name)
        if name and not plain:
            row.problem(f"the id '{name}' has neither letters nor digits", "an id is typed in commands")
        elif plain in self.lines:
            file, line = self.lines[plain]
            row.problem(f"the id '{name}' is already in {file}, line {line}", "every card has an id of its own")
        self.lines[plain] = (row.sheet.name, row.line)
        return name


def _effect(row: Row, column: str, end_only: bool) -> tuple[int, ...]:
    """The steps of an effect, `;` between them. What is not known is noted with the list of what is."""
    script: list[int] = []
    for part in row.text(column).split(";"):
        step = parse_effect(part)
        if step is None:
            row.problem(f"the effect '{part.strip()[:60]}' is not known", f"known are: {', '.join(EFFECTS)}")
        elif (step[0] in AT_END) != end_only:
            when = "hand_at_end" if step[0] in AT_END else "play"
            row.problem(f"'{wording(step)}' does not fit the timing", f"it needs the timing '{when}'")
        else:
            script += step
    return tuple(script)


def _has(row: Row, column: str) -> bool:
    """Is there such a column, and does it say something here?"""
    try:
        return not row.blank(column)
    except KeyError:
        return False


def _read_skilled(sheet: Sheet, kind: int, names: _Names) -> list[_Card]:
    """Worker and Skill cards. They may have a column `effect` with what they bring at the end, while in hand."""
    cards: list[_Card] = []
    for row in sheet.rows:
        name = names.read(row)
        skills = tuple(row.integer(column, 0, 9) for column in COLUMNS)
        if not sum(skills):
            row.problem("the card has no skill", "Worker and Skill cards have one at least")
        script = _effect(row, "effect", True) if _has(row, "effect") else ()
        card = _Card(name, row.text("name"), row.choice("provenance", PROVENANCES), kind, skills, script)
        cards += [card] * row.integer("copies", 1, 99)
    return cards


def _read_management(sheet: Sheet, names: _Names) -> list[_Card]:
    cards: list[_Card] = []
    for row in sheet.rows:
        name = names.read(row)
        at_end = row.choice("timing", ("play", "hand_at_end")) == "hand_at_end"
        script = _effect(row, "effect", at_end)
        title = row.text("name")
        card = _Card(name, title, row.choice("provenance", PROVENANCES), MANAGER, (0,) * 5, script, at_end)
        cards += [card] * row.integer("copies", 1, 99)
    return cards


def _signed(row: Row, column: str) -> int:
    """A reward; a negative one is a price (WP-A32)."""
    value = row.text(column)
    if re.fullmatch(r"[-−][0-9]{1,2}", value):
        return -int(value[1:])
    return row.integer(column, 0, 99)


def _read_jobs(sheet: Sheet) -> list[tuple[str, str, tuple[int, ...], int, int]]:
    jobs: list[tuple[str, str, tuple[int, ...], int, int]] = []
    names = _Names()
    for row in sheet.rows:
        name = names.read(row)
        needs = tuple(row.integer(column, 0, CUBES) for column in COLUMNS)
        if not sum(needs):
            row.problem("the Job needs no skill", "a Job needs one at least")
        row.choice("provenance", PROVENANCES)
        job = (name, row.text("name"), needs, _signed(row, "cash"), _signed(row, "thumbs"))
        jobs += [job] * row.integer("copies", 1, 99)
    return jobs


def _count(sheet: Sheet, found: int, wanted: int, what: str) -> None:
    if sheet.rows and found != wanted:
        sheet.problems.append(Problem(sheet.name, 0, f"{found} {what}", f"the game has exactly {wanted}"))


def _check_order(sheet: Sheet) -> None:
    """The Player Order cards 1 to 5, each once (WP-1.6)."""
    lines: dict[int, int] = {}
    for row in sheet.rows:
        value = row.integer("value", 1, MAX_PLAYERS)
        row.integer("copies", 1, 1)
        if value in lines:
            row.problem(f"the value {value} is already in line {lines[value]}", "each value is on one card")
        lines[value] = row.line
    _count(sheet, len(sheet.rows), MAX_PLAYERS, "Player Order cards")


def _read_buildings(sheet: Sheet) -> tuple[str, ...]:
    """The names of the buildings. Which is which is told by its effect; what it does is in the rules."""
    names = [""] * len(BUILDINGS)
    for row in sheet.rows:
        effect = "; ".join(part.strip() for part in row.text("effect").split(";"))
        if effect not in BUILDINGS:
            row.problem(f"the effect '{effect[:60]}' is not known", f"known are: {', '.join(BUILDINGS)}")
            continue
        i = BUILDINGS.index(effect)
        if names[i]:
            row.problem(f"the effect '{effect}' is already that of {names[i]}", "every building has one of its own")
        names[i] = row.text("name")
    for name, effect in zip(names, BUILDINGS, strict=True):
        if sheet.rows and not name:
            sheet.problems.append(Problem(sheet.name, 0, f"no building has the effect '{effect}'", "the City has one"))
    return tuple(names)


def load(folder: Path | None = None) -> Cards:
    """The edition in a folder (None: the one that comes with Shopfloor). Raises EditionError with every fault."""
    return _own() if folder is None else _load(folder)


@lru_cache(maxsize=1)
def _own() -> Cards:
    return _load(OWN)


def _load(folder: Path) -> Cards:
    problems: list[Problem] = []
    rest = ("copies", "provenance")
    workers = Sheet(folder, "workers.csv", ("id", "name", *COLUMNS, *rest), problems)
    skills = Sheet(folder, "skills.csv", ("id", "name", *COLUMNS, *rest), problems)
    management = Sheet(folder, "management.csv", ("id", "name", "effect", "timing", *rest), problems)
    jobs_sheet = Sheet(folder, "jobs.csv", ("id", "name", *COLUMNS, "cash", "thumbs", *rest), problems)
    order = Sheet(folder, "player_order.csv", ("id", "value", "copies"), problems)
    buildings = Sheet(folder, "buildings.csv", ("name", "effect"), problems)
    sheets = (workers, skills, management, jobs_sheet, order, buildings)
    for sheet in sheets:
        if sheet.bytes and not sheet.rows and not any(problem.file == sheet.name for problem in problems):
            problems.append(Problem(sheet.name, 0, "there are no lines after the first", "the cards are missing"))
    names = _Names()
    business = []
    for sheet, kind, wanted, what in (
        (workers, WORKER, WORKERS, "Worker cards"),
        (skills, SKILL, SKILLS, "Skill cards"),
    ):
        cards = _read_skilled(sheet, kind, names)
        _count(sheet, len(cards), wanted, what)
        business += cards
    cards = _read_management(management, names)
    _count(management, len(cards), MANAGEMENT, "Management cards")
    business += cards
    jobs = _read_jobs(jobs_sheet)
    _count(jobs_sheet, len(jobs), JOBS, "Job cards")
    _check_order(order)
    building_names = _read_buildings(buildings)
    if problems:
        raise EditionError(problems)
    return Cards(
        hash=edition_hash(sheets),
        business_ids=tuple(card.id for card in business),
        business_names=tuple(card.name for card in business),
        provenance=tuple(card.provenance for card in business),
        kinds=tuple(card.kind for card in business),
        skills=tuple(n for card in business for n in card.skills),
        scripts=tuple(card.script for card in business),
        at_end=tuple(card.at_end for card in business),
        job_ids=tuple(job[0] for job in jobs),
        job_names=tuple(job[1] for job in jobs),
        needs=tuple(n for job in jobs for n in job[2]),
        job_cash=tuple(job[3] for job in jobs),
        job_thumbs=tuple(job[4] for job in jobs),
        building_names=building_names,
    )


def fixture(**changes: object) -> Cards:
    """The edition that comes with Shopfloor with some fields replaced: for tests and experiments."""
    own = _own()
    values: dict[str, object] = {name: getattr(own, name) for name in own.__dataclass_fields__}
    values.update(changes)
    return Cards(**values)  # type: ignore[arg-type]
