"""Editions of Zahltag: the one that comes with us, and what is said about an owner's with faults."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from shopfloor.engine.dice import FastDice
from shopfloor.engine.edition import EditionError
from shopfloor.games.zahltag import GAME, cards

FILES = ("jobs.csv", "offers.csv", "workers.csv", "payday.csv")


@pytest.fixture
def edition(tmp_path: Path) -> Path:
    for name in FILES:
        shutil.copy(cards.OWN / name, tmp_path / name)
    return tmp_path


def edit(folder: Path, name: str, line: int, change: Callable[[list[str]], list[str] | None]) -> None:
    """Change the columns of a line (the first line is 1); None takes it out."""
    lines = (folder / name).read_text(encoding="utf-8").splitlines()
    columns = change(lines[line - 1].split(","))
    lines[line - 1 : line] = [] if columns is None else [",".join(columns)]
    (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


def put(at: int, value: str) -> Callable[[list[str]], list[str]]:
    return lambda columns: [*columns[:at], value, *columns[at + 1 :]]


def faults(folder: Path) -> list[str]:
    with pytest.raises(EditionError) as caught:
        cards.load(folder)
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.rule("ZT-1.2", "ZT-1.3", "ZT-1.4", "ZT-A5")
def test_our_edition_says_what_is_known_and_what_is_not() -> None:
    own = cards.load()
    assert own.offer_pairs == ((1, 8), (2, 7), (3, 6), (4, 5))
    assert set(own.provenance) == {"published", "reconstructed"}
    assert own.job_ids[0] == "Z01"
    assert len(set(own.job_names)) == 32


def test_a_copy_is_the_same_edition(edition: Path) -> None:
    assert cards.load(edition) == cards.load()
    assert GAME.edition(str(edition)).hash == cards.load().hash


def test_an_owners_cards_are_played_with(edition: Path) -> None:
    edit(edition, "jobs.csv", 2, lambda c: [*c[:1], "My Shed", "3", *c[3:6], "1", "owner", *c[8:]])
    mine = cards.load(edition)
    assert mine.hash != cards.load().hash
    assert (mine.job_names[0], mine.job_needs(0), mine.provenance[0]) == ("My Shed", (3, 1, 0, 0), "owner")
    s = GAME.start(2, FastDice(1), edition=mine)
    assert s.cards is mine  # type: ignore[attr-defined]


def test_other_offer_values(edition: Path) -> None:
    for line in (2, 7, 12, 17):
        edit(edition, "offers.csv", line, put(3, "20"))
    mine = cards.load(edition)
    assert mine.offer_values == (1, 2, 3, 4, 5, 6, 7, 20)
    space = GAME.space(mine)
    assert space.name(space.size - 1) == "bid 20"


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file(edition: Path, name: str) -> None:
    (edition / name).unlink()
    assert faults(edition) == [f"{name}: the file is not in {edition}; an edition needs it"]


def test_an_empty_folder(tmp_path: Path) -> None:
    assert [fault.split(":")[0] for fault in faults(tmp_path)] == list(FILES)


@pytest.mark.parametrize("name", FILES)
def test_a_file_with_nothing_but_its_first_line(edition: Path, name: str) -> None:
    first = (edition / name).read_text(encoding="utf-8").splitlines()[0]
    (edition / name).write_text(first + "\n", encoding="utf-8")
    assert faults(edition) == [f"{name}: there are no lines after the first; the cards are missing"]


@pytest.mark.parametrize(
    ("name", "line", "change", "expected"),
    [
        ("jobs.csv", 5, lambda c: None, ["jobs.csv: 31 Job cards; the game has exactly 32"]),
        ("jobs.csv", 5, put(6, "2"), ["jobs.csv: 33 Job cards; the game has exactly 32"]),
        (
            "jobs.csv",
            5,
            put(0, "Z01"),
            ["jobs.csv, line 5: the id 'Z01' is already in line 2; every Job has an id of its own"],
        ),
        ("jobs.csv", 6, put(1, ""), ["jobs.csv, line 6: column 'name' is empty; it needs a value"]),
        (
            "jobs.csv",
            6,
            put(4, "11"),
            ["jobs.csv, line 6: column 'cranes' is '11'; it must be a whole number from 0 to 10"],
        ),
        (
            "jobs.csv",
            6,
            put(4, "ten"),
            ["jobs.csv, line 6: column 'cranes' is 'ten'; it must be a whole number from 0 to 10"],
        ),
        (
            "jobs.csv",
            6,
            lambda c: [*c[:2], "0", "0", "0", "0", *c[6:]],
            ["jobs.csv, line 6: the Job needs 0 Worker cards; a Job needs 1 to 12"],
        ),
        (
            "jobs.csv",
            6,
            lambda c: [*c[:2], "5", "4", "2", "2", *c[6:]],
            ["jobs.csv, line 6: the Job needs 13 Worker cards; a Job needs 1 to 12"],
        ),
        (
            "jobs.csv",
            7,
            put(7, "guessed"),
            [
                "jobs.csv, line 7: column 'provenance' is 'guessed'; "
                "known are: rulebook, published, reconstructed, owner"
            ],
        ),
        ("workers.csv", 2, put(2, "13"), ["workers.csv: 13 cards of the type foreman; the rulebook counts 14"]),
        (
            "workers.csv",
            3,
            put(0, "foreman"),
            [
                "workers.csv: 30 cards of the type foreman; the rulebook counts 14",
                "workers.csv: 0 cards of the type worker; the rulebook counts 16",
            ],
        ),
        ("payday.csv", 2, put(1, "5"), ["payday.csv: 5 Payday cards; the rulebook counts 6"]),
        (
            "offers.csv",
            3,
            put(2, "1"),
            [
                "offers.csv, line 3: the value 1 is on two red cards; each value is on one card of a colour",
                *(
                    f"offers.csv: the {colour} values are not the red ones; all colours hold the same values"
                    for colour in ("blue", "green", "yellow")
                ),
            ],
        ),
        (
            "offers.csv",
            8,
            put(3, "9"),
            ["offers.csv: the blue values are not the red ones; all colours hold the same values"],
        ),
        (
            "offers.csv",
            8,
            lambda c: None,
            [
                "offers.csv: 3 blue Offer cards; each colour has exactly 4",
                "offers.csv: the blue values are not the red ones; all colours hold the same values",
            ],
        ),
        (
            "offers.csv",
            6,
            lambda c: None,
            ['offers.csv: 0 red "00" cards; each colour has exactly 1 (a line without value_b)'],
        ),
        ("offers.csv", 8, put(2, "-2"), None),
    ],
)
def test_faults_are_named_with_file_line_what_and_why(
    edition: Path, name: str, line: int, change: Callable[[list[str]], list[str]], expected: list[str] | None
) -> None:
    edit(edition, name, line, change)
    found = faults(edition)
    if expected is not None:
        assert found == expected
    else:
        assert found[0] == f"{name}, line {line}: column 'value_a' is '-2'; it must be a whole number from 0 to 99"


def test_every_fault_is_named_at_once(edition: Path) -> None:
    edit(edition, "jobs.csv", 4, put(2, "x"))
    edit(edition, "jobs.csv", 9, put(6, "0"))
    edit(edition, "workers.csv", 2, put(2, "1"))
    edit(edition, "payday.csv", 2, put(1, "7"))
    places = [fault.split(":")[0] for fault in faults(edition)]
    assert places[:2] == ["jobs.csv, line 4", "jobs.csv, line 9"]
    assert places[-2:] == ["workers.csv", "payday.csv"]


@pytest.mark.parametrize("name", FILES)
def test_a_copy_kept_by_a_spreadsheet(edition: Path, name: str) -> None:
    path = edition / name
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))
    assert cards.load(edition) == cards.load()


@pytest.mark.parametrize("name", FILES)
def test_a_missing_column(edition: Path, name: str) -> None:
    lines = (edition / name).read_text(encoding="utf-8").splitlines()
    (edition / name).write_text("\n".join(line.replace("copies", "number") for line in lines), encoding="utf-8")
    found = faults(edition)
    assert found[0].startswith(f"{name}, line 1: column copies missing; the first line must name: ")
