"""The cards of Temp Worker Assassins as data: an edition is a folder with five CSV files.

The rulebook prints few cards; the edition that comes with Shopfloor is marked as reconstructed where it is (TA
section 7). An owner of the game can type the real cards into the same files.

Cards that a player can own are numbered by kind, i.e. by line: the Stationery Supply first, then the Starting Deck,
then the Turn Markers. Action spaces are numbered through all Departments.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Final

from shopfloor.engine.edition import PROVENANCES, EditionError, Problem, Row, Sheet, edition_hash
from shopfloor.engine.native import remade
from shopfloor.games.temp_worker_assassins.effects import (
    BONUS,
    CARD,
    END_BONUS,
    FLAT,
    SPACE,
    Code,
    Step,
    card_term,
    parse,
)

SUPPLY_CARDS: Final = 60  # TA-1.1
STARTING_CARDS: Final = 10  # TA-1.1
TARGETS: Final = 45  # TA-1.2
ZOMBIES: Final = 5  # TA-1.2
DAYS: Final = 5  # TA-1.2
DEPARTMENTS: Final = 40  # TA-1.2
SPACES: Final = 3
MAX_TAGS: Final = 60

GROUPS: Final = ("starting", "hard", "four_player", "first_game", "other")
GROUP_SIZES: Final = {"starting": 5, "hard": 3, "four_player": 1, "first_game": 4}
SECURITY: Final = "Security"
RECYCLING: Final = "Really Spooky Recycling Area"
HARD: Final = " (Hard Mode)"
OWN: Final = Path(__file__).parent / "data"

# End bonuses, four integers each: for each target so called; for so many different names, an amount, at most.
PER_NAME: Final = 0
PER_DISTINCT: Final = 1


@dataclass(frozen=True, repr=False, eq=False)
class Cards:
    """What is printed on the cards, and what becomes of it.

    ids, names, card_tags, effects, copies, provenance: of each kind of card (see above).
    supply: how many kinds belong to the Stationery Supply; markers: the number of Monday's kind; what lies between
    are the kinds of the Starting Deck. supply_deck, starting_deck: the kinds of the cards, one entry a card.
    tags: all tags. tag_masks: by kind, a bit for each of its tags.
    flat: by kind, the attack that it always adds. terms: by kind, four integers each for what else it adds.
    programs: by kind, where in `code` its instructions begin, -1 if there is nothing to do.
    end_bounty: by kind (TA-A44).
    departments...: ids, names, groups. first_space: the number of a Department's first space, one entry more than
    Departments. space_department, space_number (from 1), space_effects, space_programs: by space.
    target...: by kind of Target. zombie: its number. target_deck: one entry a card, without the Zombies.
    new_hand: 0 or the size of the new hand. bonus_programs: -1 or where the keywords begin. release_self: by Target.
    end_terms: by kind of Target, four integers each (PER_NAME, PER_DISTINCT).
    code, code_texts: instructions, and for each the text of its step. lasting: terms of `here_...` steps;
    lasting_texts: as they are written.
    """

    hash: str
    ids: tuple[str, ...]
    names: tuple[str, ...]
    card_tags: tuple[tuple[str, ...], ...]
    effects: tuple[str, ...]
    copies: tuple[int, ...]
    provenance: tuple[str, ...]
    supply: int
    markers: int
    supply_deck: tuple[int, ...]
    starting_deck: tuple[int, ...]
    tags: tuple[str, ...]
    tag_masks: tuple[int, ...]
    flat: tuple[int, ...]
    terms: tuple[tuple[int, ...], ...]
    programs: tuple[int, ...]
    end_bounty: tuple[int, ...]
    department_ids: tuple[str, ...]
    department_names: tuple[str, ...]
    department_groups: tuple[str, ...]
    first_space: tuple[int, ...]
    space_department: tuple[int, ...]
    space_number: tuple[int, ...]
    space_effects: tuple[str, ...]
    space_programs: tuple[int, ...]
    target_ids: tuple[str, ...]
    target_names: tuple[str, ...]
    target_copies: tuple[int, ...]
    zombie: int
    target_deck: tuple[int, ...]
    defence: tuple[int, ...]
    bounty: tuple[int, ...]
    bonuses: tuple[str, ...]
    end_bonuses: tuple[str, ...]
    new_hand: tuple[int, ...]
    bonus_programs: tuple[int, ...]
    release_self: tuple[bool, ...]
    end_terms: tuple[tuple[int, ...], ...]
    code: tuple[int, ...]
    code_texts: tuple[str, ...]
    lasting: tuple[tuple[int, int, int, int], ...]
    lasting_texts: tuple[str, ...]

    def __repr__(self) -> str:
        return f"Cards({self.hash})"

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return remade(self)

    def spaces_of(self, department: int) -> range:
        """The numbers of a Department's spaces."""
        return range(self.first_space[department], self.first_space[department + 1])


_LOADED: Final[dict[str, Cards]] = {}


def loaded(hash_: str) -> Cards:
    """An edition that has been loaded in this process, by its hash. Raises KeyError."""
    return _LOADED[hash_]


def load(folder: Path | None = None) -> Cards:
    """The edition in a folder (None: the one that comes with Shopfloor). Raises EditionError with every fault."""
    return own() if folder is None else _load(folder)


@lru_cache(maxsize=1)
def own() -> Cards:
    """The edition that comes with Shopfloor."""
    return _load(OWN)


# -- reading -----------------------------------------------------------------------------------------------------


@dataclass
class _Card:
    """A line that is a card for players."""

    id: str
    name: str
    tags: tuple[str, ...]
    effect: str
    copies: int
    provenance: str
    row: Row


def _unique(row: Row, column: str, seen: dict[str, int]) -> str:
    value = row.text(column)
    if value in seen:
        row.problem(f"the {column} '{value}' is already in line {seen[value]}", f"every line has {column} of its own")
    seen[value] = row.line
    return value


def _optional(row: Row, column: str) -> str:
    return "" if row.blank(column) else row.text(column)


def _read_cards(sheet: Sheet, total: int, what: str) -> list[_Card]:
    cards = []
    ids: dict[str, int] = {}
    names: dict[str, int] = {}
    for row in sheet.rows:
        cards.append(
            _Card(
                _unique(row, "id", ids),
                _unique(row, "name", names),
                tuple(_optional(row, "tags").split()),
                row.text("effect"),
                row.integer("copies", 1, total),
                row.choice("provenance", PROVENANCES),
                row,
            )
        )
        if "identical" in cards[-1].tags:
            row.problem("a tag is 'identical'", "this word has a meaning of its own in 'discard N identical'")
    count = sum(card.copies for card in cards)
    if sheet.rows and count != total:
        sheet.problems.append(Problem(sheet.name, 0, f"{count} {what}", f"the game has exactly {total}"))
    return cards


def _read_departments(sheet: Sheet, tags: tuple[str, ...]) -> list[_Department]:
    departments = []
    ids: dict[str, int] = {}
    names: dict[str, int] = {}
    for row in sheet.rows:
        name = _unique(row, "name", names)
        row.choice("provenance", PROVENANCES)
        row.integer("copies", 1, 1)
        effects = [row.text(f"space_{i}") for i in range(1, SPACES + 1) if not row.blank(f"space_{i}")]
        if row.integer("spaces", 0, SPACES) != len(effects):
            row.problem(f"'spaces' is not {len(effects)}", "it counts the columns space_1 to space_3 that are filled")
        steps = [parse(effect, SPACE, tags, row.problem) for effect in effects]
        departments.append((_unique(row, "id", ids), name, row.choice("group", GROUPS), steps, effects))
    if sheet.rows:
        _check_departments(sheet, [(name, group, len(effects)) for _, name, group, _, effects in departments])
        relocating = sum(any(step.name == "relocate" for step in steps) for d in departments for steps in d[3])
        if relocating > 2:
            what = f"{relocating} spaces with 'relocate'"
            sheet.problems.append(Problem(sheet.name, 0, what, "at most two, or assassins could be moved for ever"))
    return departments


def _check_departments(sheet: Sheet, departments: list[tuple[str, str, int]]) -> None:
    """Counts and the Departments that the rules name (TA section 7)."""
    if len(departments) != DEPARTMENTS:
        what = f"{len(departments)} Departments"
        sheet.problems.append(Problem(sheet.name, 0, what, f"the game has exactly {DEPARTMENTS}"))
    for group, size in GROUP_SIZES.items():
        count = sum(1 for _, g, _ in departments if g == group)
        if count != size:
            what = f"{count} Departments of the group '{group}'"
            sheet.problems.append(Problem(sheet.name, 0, what, f"the game has exactly {size}"))
    spaces = {name: count for name, _, count in departments}
    groups = {name: group for name, group, _ in departments}
    for needed in (SECURITY, RECYCLING):
        if groups.get(needed) != "starting":
            what = f"no Department '{needed}' in the group 'starting'"
            sheet.problems.append(Problem(sheet.name, 0, what, "the rules name it"))
    for name, group, count in departments:
        if group == "hard" and spaces.get(name.removesuffix(HARD)) != count + 1:
            what = f"'{name}' has {count} spaces"
            why = f"it is named like a starting Department with '{HARD.strip()}' behind, and has one space fewer"
            sheet.problems.append(Problem(sheet.name, 0, what, why))
        if group == "four_player" and count < 2:
            sheet.problems.append(Problem(sheet.name, 0, f"'{name}' has {count} spaces", "it has at least 2"))


_Department = tuple[str, str, str, list[tuple[Step, ...]], list[str]]
"""Id, name, group, the steps of each space, and as they are written."""


@dataclass
class _Target:
    id: str
    name: str
    defence: int
    bounty: int
    bonus: str
    end_bonus: str
    zombie: bool
    copies: int
    bonus_steps: tuple[Step, ...]
    end_steps: tuple[Step, ...]


def _read_targets(sheet: Sheet, tags: tuple[str, ...]) -> list[_Target]:
    targets = []
    ids: dict[str, int] = {}
    names: dict[str, int] = {}
    for row in sheet.rows:
        row.choice("provenance", PROVENANCES)
        bonus = _optional(row, "bonus")
        end = _optional(row, "end_bonus")
        targets.append(
            _Target(
                _unique(row, "id", ids),
                _unique(row, "name", names),
                row.integer("defence", 0, 99),
                row.integer("bounty", 0, 99),
                bonus,
                end,
                row.choice("stack", ("target", "zombie")) == "zombie",
                row.integer("copies", 1, TARGETS),
                parse(bonus, BONUS, tags, row.problem) if bonus else (),
                parse(end, END_BONUS, tags, row.problem) if end else (),
            )
        )
    for row, target in zip(sheet.rows, targets, strict=True):
        for step in target.end_steps:
            if step.name == "end_per_name" and step.word not in names:
                row.problem(f"there is no target '{step.word}'", "the end bonus counts a target of this edition")
    if sheet.rows:
        total = sum(target.copies for target in targets)
        if total != TARGETS:
            sheet.problems.append(Problem(sheet.name, 0, f"{total} Targets", f"the game has exactly {TARGETS}"))
        zombies = [target.copies for target in targets if target.zombie]
        if zombies != [ZOMBIES]:
            what = f"{len(zombies)} lines of the stack 'zombie' with {sum(zombies)} cards"
            sheet.problems.append(Problem(sheet.name, 0, what, f"the Zombies are one line with {ZOMBIES} copies"))
    return targets


CARD_COLUMNS: Final = ("id", "name", "tags", "effect", "copies", "provenance")
DEPARTMENT_COLUMNS: Final = ("id", "name", "group", "spaces", "space_1", "space_2", "space_3", "copies", "provenance")
TARGET_COLUMNS: Final = ("id", "name", "defence", "bounty", "bonus", "end_bonus", "stack", "copies", "provenance")


def _load(folder: Path) -> Cards:
    problems: list[Problem] = []
    supply_sheet = Sheet(folder, "stationery.csv", CARD_COLUMNS, problems)
    starting_sheet = Sheet(folder, "starting_deck.csv", CARD_COLUMNS, problems)
    marker_sheet = Sheet(folder, "turn_markers.csv", CARD_COLUMNS, problems)
    department_sheet = Sheet(folder, "departments.csv", DEPARTMENT_COLUMNS, problems)
    target_sheet = Sheet(folder, "targets.csv", TARGET_COLUMNS, problems)
    sheets = (supply_sheet, starting_sheet, marker_sheet, department_sheet, target_sheet)
    for sheet in sheets:
        if sheet.bytes and not sheet.rows and not problems:
            problems.append(Problem(sheet.name, 0, "there are no lines after the first", "the cards are missing"))
    supply = _read_cards(supply_sheet, SUPPLY_CARDS, "Stationery Supply cards")
    starting = _read_cards(starting_sheet, STARTING_CARDS, "Starting Deck cards")
    markers = _read_cards(marker_sheet, DAYS, "Turn Marker cards")
    if marker_sheet.rows and any(marker.copies != 1 for marker in markers):
        problems.append(Problem(marker_sheet.name, 0, "a Turn Marker has several copies", "each day has one line"))
    kinds = supply + starting + markers
    lines: dict[str, str] = {}
    for card, sheet_ in [(c, c.row.sheet) for c in kinds]:
        if lines.setdefault(card.name, sheet_.name) != sheet_.name:
            card.row.problem(f"the name '{card.name}' is also in {lines[card.name]}", "names tell cards apart")
    tags = tuple(sorted({tag for card in kinds for tag in card.tags}))
    if len(tags) > MAX_TAGS:
        problems.append(Problem(supply_sheet.name, 0, f"{len(tags)} different tags", f"at most {MAX_TAGS}"))
    steps = [parse(card.effect, CARD, tags, card.row.problem) for card in kinds]
    departments = _read_departments(department_sheet, tags)
    targets = _read_targets(target_sheet, tags)
    if problems:
        raise EditionError(problems)

    numbers = {tag: i for i, tag in enumerate(tags)}
    code = Code(numbers)
    acting = [tuple(s for s in card if card_term(s, numbers) is None and s.name != "end_bounty") for card in steps]
    terms = [[t for s in card if (t := card_term(s, numbers)) is not None] for card in steps]
    first_space = [0]
    for _, _, _, spaces, _ in departments:
        first_space.append(first_space[-1] + len(spaces))
    keywords = [tuple(s for s in t.bonus_steps if s.name not in ("new_hand", "release_self")) for t in targets]
    programs = tuple(code.add(s) if s else -1 for s in acting)
    space_programs = tuple(code.add(s) for d in departments for s in d[3])
    bonus_programs = tuple(code.add(s, optional=True) if s else -1 for s in keywords)
    target_numbers = {target.name: i for i, target in enumerate(targets)}
    cards = Cards(
        hash=edition_hash(sheets),
        ids=tuple(card.id for card in kinds),
        names=tuple(card.name for card in kinds),
        card_tags=tuple(card.tags for card in kinds),
        effects=tuple(card.effect for card in kinds),
        copies=tuple(card.copies for card in kinds),
        provenance=tuple(card.provenance for card in kinds),
        supply=len(supply),
        markers=len(supply) + len(starting),
        supply_deck=tuple(i for i, card in enumerate(supply) for _ in range(card.copies)),
        starting_deck=tuple(i for i, card in enumerate(starting, len(supply)) for _ in range(card.copies)),
        tags=tags,
        tag_masks=tuple(sum(1 << numbers[tag] for tag in set(card.tags)) for card in kinds),
        flat=tuple(sum(t[1] for t in card if t[0] == FLAT) for card in terms),
        terms=tuple(tuple(n for t in card if t[0] != FLAT for n in t) for card in terms),
        programs=programs,
        end_bounty=tuple(sum(s.numbers[0] for s in card if s.name == "end_bounty") for card in steps),
        department_ids=tuple(d[0] for d in departments),
        department_names=tuple(d[1] for d in departments),
        department_groups=tuple(d[2] for d in departments),
        first_space=tuple(first_space),
        space_department=tuple(i for i, d in enumerate(departments) for _ in d[4]),
        space_number=tuple(n for d in departments for n in range(1, len(d[4]) + 1)),
        space_effects=tuple(effect for d in departments for effect in d[4]),
        space_programs=space_programs,
        target_ids=tuple(t.id for t in targets),
        target_names=tuple(t.name for t in targets),
        target_copies=tuple(t.copies for t in targets),
        zombie=next(i for i, t in enumerate(targets) if t.zombie),
        target_deck=tuple(i for i, t in enumerate(targets) if not t.zombie for _ in range(t.copies)),
        defence=tuple(t.defence for t in targets),
        bounty=tuple(t.bounty for t in targets),
        bonuses=tuple(t.bonus for t in targets),
        end_bonuses=tuple(t.end_bonus for t in targets),
        new_hand=tuple(max((s.numbers[0] for s in t.bonus_steps if s.name == "new_hand"), default=0) for t in targets),
        bonus_programs=bonus_programs,
        release_self=tuple(any(s.name == "release_self" for s in t.bonus_steps) for t in targets),
        end_terms=tuple(_end_terms(t.end_steps, target_numbers) for t in targets),
        code=tuple(code.instructions),
        code_texts=tuple(code.texts),
        lasting=tuple(code.lasting),
        lasting_texts=tuple(code.lasting_texts),
    )
    _LOADED[cards.hash] = cards
    return cards


def _end_terms(steps: tuple[Step, ...], targets: dict[str, int]) -> tuple[int, ...]:
    terms: list[int] = []
    for step in steps:
        if step.name == "end_per_name":
            terms += [PER_NAME, targets[step.word], step.numbers[0], 0]
        else:
            terms += [PER_DISTINCT, *step.numbers]
    return tuple(terms)


def fixture(**changes: object) -> Cards:
    """Our own edition with some fields replaced: for tests and experiments."""
    cards = replace(own(), hash=f"{own().hash}+{len(_LOADED)}", **changes)  # type: ignore[arg-type]
    _LOADED[cards.hash] = cards
    return cards
