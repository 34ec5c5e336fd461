"""Editions of Workshop of the World: the one that comes with us, and what is said about an owner's with faults."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from shopfloor.engine.dice import FastDice
from shopfloor.engine.edition import EditionError
from shopfloor.games.workshop_of_the_world import GAME, cards

FILES = ("towns.csv", "connections.csv", "cards.csv", "demand.csv", "pieces.csv")


@pytest.fixture
def edition(tmp_path: Path) -> Path:
    for name in FILES:
        shutil.copy(cards.OWN / name, tmp_path / name)
    return tmp_path


def edit(folder: Path, name: str, line: int, change: Callable[[list[str]], list[str] | None]) -> None:
    """Change the columns of a line (the first line is 1); None takes it out. Only for lines without quotation marks."""
    lines = (folder / name).read_text(encoding="utf-8").splitlines()
    columns = change(lines[line - 1].split(","))
    lines[line - 1 : line] = [] if columns is None else [",".join(columns)]
    (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


def put(at: int, value: str) -> Callable[[list[str]], list[str]]:
    return lambda columns: [*columns[:at], value, *columns[at + 1 :]]


def gone(_columns: list[str]) -> None:
    return None


def faults(folder: Path) -> list[str]:
    with pytest.raises(EditionError) as caught:
        cards.load(folder)
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.rule("WW-1.3", "WW-1.4", "WW-1.5", "WW-1.6", "WW-A.2")
def test_our_edition() -> None:
    own = cards.load()
    assert own.warnings == ()
    assert sorted({card for card in own.card_towns if card >= 0}) == list(range(33))
    assert [own.town_names[own.card_towns[card]] for card in own.setup_cards] == [
        *("Manchester", "Liverpool", "Stoke", "Birmingham", "Coalbrookdale", "Nottingham"),
    ]
    assert own.via[1] == ((271.0, 123.0), (308.0, 180.0))
    assert own.card_places(38) == own.towns_of_value[4]


def test_a_copy_is_the_same_edition(edition: Path) -> None:
    assert cards.load(edition) == cards.load()
    assert GAME.edition(str(edition)).hash == cards.load().hash


def test_an_owners_map_is_played_with(edition: Path) -> None:
    edit(edition, "towns.csv", 2, put(1, "Paisley"))
    for name in ("connections.csv", "cards.csv"):
        text = (edition / name).read_text(encoding="utf-8")
        (edition / name).write_text(text.replace("Glasgow", "Paisley"), encoding="utf-8")
    mine = cards.load(edition)
    assert mine.hash != cards.load().hash
    s = GAME.start(4, FastDice(1), edition=mine)
    assert s.space.parse("build paisley edinburgh") == s.space.parse("build c01")
    assert s.space.name(s.space.parse("auction paisley")) == "auction k07 Paisley"


@pytest.mark.rule("WW-D.3", "WW-D.4", "WW-A.2")
def test_pieces_that_could_run_out_are_said(edition: Path) -> None:
    edit(edition, "pieces.csv", 3, put(1, "12"))
    edit(edition, "pieces.csv", 4, put(1, "9"))
    for line in range(2, 7):
        edit(edition, "demand.csv", line, put(1, "3"))
    mine = cards.load(edition)
    said = [str(problem) for problem in mine.warnings]
    assert said == [
        "pieces.csv: 12 Industries a colour; "
        "from 20 on they cannot run out; with fewer they are moved on the map (WW-A.21)",
        "pieces.csv: 9 Links a colour; from 18 on they cannot run out",
        "demand.csv: 15 Demand counters; from 20 on they cannot run out; with fewer somebody draws none (WW-A.43)",
    ]


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
    assert faults(edition) == [f"{name}: there are no lines after the first; its things are missing"]


def no_such_town(file: str, line: int, column: str, town: str) -> str:
    return f"{file}, line {line}: column '{column}' is '{town}'; there is no such town in towns.csv"


@pytest.mark.rule("WW-D.1", "WW-T.10")
@pytest.mark.parametrize(
    ("name", "line", "change", "expected"),
    [
        (
            "towns.csv",
            3,
            put(0, "t01"),
            ["towns.csv, line 3: the id 't01' is already in line 2; every town has an id of its own"],
        ),
        (
            "towns.csv",
            34,
            put(1, "exeter"),
            [
                "towns.csv, line 34: the name 'exeter' is already in line 33; every town has a name of its own",
                no_such_town("connections.csv", 53, "b", "Plymouth"),
                no_such_town("connections.csv", 54, "b", "Plymouth"),
                "connections.csv: no connection leads to exeter; every town has at least one",
                no_such_town("cards.csv", 34, "town", "Plymouth"),
            ],
        ),
        (
            "towns.csv",
            5,
            put(2, "steel"),
            [
                "towns.csv, line 5: column 'type' is 'steel'; known are: textile, light, heavy, port, crafts",
                "towns.csv, line 5: the value is 3; a textile town has the value 4",
                "cards.csv, line 11: the value is 3; Newcastle has 4",
            ],
        ),
        ("towns.csv", 5, put(3, "4"), ["towns.csv, line 5: the value is 4; a heavy town has the value 3"]),
        ("towns.csv", 5, put(6, "871"), ["towns.csv, line 5: column 'x' is '871'; it must be a number from 0 to 870"]),
        ("towns.csv", 5, put(7, "-3"), ["towns.csv, line 5: column 'y' is '-3'; it must be a number from 0 to 1000"]),
        (
            "towns.csv",
            5,
            put(8, "up"),
            ["towns.csv, line 5: column 'label' is 'up'; known are: N, E, S, W, NE, N2, E2, W3"],
        ),
        (
            "towns.csv",
            5,
            put(11, "hearsay"),
            [
                "towns.csv, line 5: column 'name_provenance' is 'hearsay'; it must say one of: "
                "rulebook, published, reconstructed, owner, deduced"
            ],
        ),
        (
            "connections.csv",
            2,
            put(1, "Atlantis"),
            [
                no_such_town("connections.csv", 2, "a", "Atlantis"),
            ],
        ),
        (
            "connections.csv",
            2,
            put(1, "Edinburgh"),
            ["connections.csv, line 2: it joins Edinburgh with itself; a connection joins two towns"],
        ),
        ("connections.csv", 7, put(1, "Newcastle"), []),
        (
            "connections.csv",
            7,
            lambda c: [c[0], "Newcastle", "Carlisle", *c[3:]],
            ["connections.csv, line 7: the same towns as line 5; two towns have one connection, single or double"],
        ),
        (
            "connections.csv",
            7,
            put(3, "3"),
            ["connections.csv, line 7: column 'links' is '3'; it must be a whole number from 1 to 2"],
        ),
        (
            "connections.csv",
            13,
            put(5, "c99"),
            [
                "connections.csv, line 12: it crosses 'c12', which does not cross it; "
                "both lines of a crossing name the other",
                "connections.csv, line 13: it crosses 'c99'; there is no such connection in this file",
            ],
        ),
        (
            "connections.csv",
            13,
            put(1, "Leeds"),
            [
                "connections.csv, line 12: it crosses 'c12', with which it shares a town; "
                "connections that cross have four towns",
                "connections.csv, line 13: it crosses 'c11', with which it shares a town; "
                "connections that cross have four towns",
            ],
        ),
        (
            "connections.csv",
            11,
            put(6, "525"),
            ["connections.csv, line 11: column 'via_xy' has '525'; a bend point is written x:y"],
        ),
        (
            "connections.csv",
            11,
            put(6, "525:x"),
            ["connections.csv, line 11: column 'via_xy' is 'x'; it must be a number from 0 to 1000"],
        ),
        (
            "cards.csv",
            40,
            gone,
            ["cards.csv: bad_card_count: 38 Town cards; rounds come out even only with 39, 99, 159 and so on"],
        ),
        ("cards.csv", 2, put(1, "general"), ["cards.csv: 5 set-up cards; the rulebook counts 6"]),
        ("cards.csv", 2, put(4, "3"), ["cards.csv, line 2: the value is 3; Manchester has 4"]),
        ("cards.csv", 9, put(2, ""), ["cards.csv, line 9: no town is named; only a wild card does without"]),
        (
            "cards.csv",
            40,
            put(2, "Leeds"),
            ["cards.csv, line 40: a wild card names a town; leave the town empty, or change the kind"],
        ),
        (
            "cards.csv",
            40,
            put(0, "???"),
            ["cards.csv, line 40: the id '???' has neither letters nor digits; it is typed in commands"],
        ),
        (
            "demand.csv",
            3,
            put(0, "port"),
            [
                "demand.csv, line 5: the type 'port' is already in line 3; one line for each type",
                "demand.csv: no line for light; one line for each type",
            ],
        ),
        (
            "pieces.csv",
            3,
            put(1, "2"),
            ["pieces.csv, line 3: column 'count' is '2'; it must be a whole number from 3 to 99"],
        ),
        (
            "pieces.csv",
            3,
            put(2, "game"),
            ["pieces.csv, line 3: column 'per' is 'game'; each colour has its own: industry per colour"],
        ),
        (
            "pieces.csv",
            4,
            put(0, "industry"),
            [
                "pieces.csv, line 4: a second line for industry; one line for each piece",
                "pieces.csv: no line for link; each colour has its pieces",
            ],
        ),
    ],
)
def test_faults(
    edition: Path, name: str, line: int, change: Callable[[list[str]], list[str] | None], expected: list[str]
) -> None:
    if not expected:
        edit(edition, name, line, change)
        cards.load(edition)
        return
    lines = (edition / name).read_text(encoding="utf-8").splitlines()
    if '"' in lines[line - 1]:  # a text with commas: the columns before it are what is changed here
        head, _, tail = lines[line - 1].partition(',"')
        changed = change(head.split(","))
        assert changed is not None
        lines[line - 1] = ",".join(changed) + ',"' + tail
        (edition / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    else:
        edit(edition, name, line, change)
    assert faults(edition) == expected


def test_a_town_that_nothing_leads_to(edition: Path) -> None:
    edit(edition, "connections.csv", 2, gone)
    edit(edition, "connections.csv", 2, gone)
    assert "connections.csv: no connection leads to Glasgow; every town has at least one" in faults(edition)


def test_a_wild_card_without_a_town(edition: Path) -> None:
    text = (edition / "towns.csv").read_text(encoding="utf-8").replace("textile,4", "light,3")
    (edition / "towns.csv").write_text(text, encoding="utf-8")
    assert "cards.csv, line 39: a wild card of the value 4; there is no town of this value" in faults(edition)


def test_names_of_connections_that_would_be_typed_alike(edition: Path) -> None:
    text = (edition / "towns.csv").read_text(encoding="utf-8")
    text = text.replace(",York,", ",Leeds Hull,").replace(",Lincoln,", ",Hull Leeds,")
    (edition / "towns.csv").write_text(text, encoding="utf-8")
    for name in ("connections.csv", "cards.csv"):
        text = (
            (edition / name).read_text(encoding="utf-8").replace("York", "Leeds Hull").replace("Lincoln", "Hull Leeds")
        )
        (edition / name).write_text(text, encoding="utf-8")
    # Leeds Hull - Leeds and Leeds - Hull Leeds would both be "leeds hull leeds".
    edit(edition, "connections.csv", 24, put(2, "Hull Leeds"))
    edit(edition, "connections.csv", 24, put(1, "Leeds"))
    assert any("names of connections are typed in commands and must differ" in fault for fault in faults(edition))


def test_not_a_table(edition: Path) -> None:
    (edition / "towns.csv").write_bytes(b"\xff\xfe\x00")
    (edition / "cards.csv").write_text("name,colour\nx,y\n", encoding="utf-8")
    found = faults(edition)
    assert found[0].startswith("towns.csv: the file cannot be read")
    assert found[1].startswith("cards.csv, line 1: columns id, kind, town, value, provenance missing")


def test_the_crossing_must_name_both(edition: Path) -> None:
    lines = (edition / "connections.csv").read_text(encoding="utf-8").splitlines()
    lines[12] = lines[12].replace(",c11,", ",,")
    (edition / "connections.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert faults(edition) == [
        "connections.csv, line 12: it crosses 'c12', which does not cross it; both lines of a crossing name the other"
    ]
