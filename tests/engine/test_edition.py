"""Sheets of an edition: what is wrong is said with file, line, what and why."""

from pathlib import Path

import pytest

from shopfloor.engine.edition import EditionError, Problem, Sheet, edition_hash

COLUMNS = ("id", "name", "count")
GOOD = "id,name,count\na,Anvil,1\nb,Bellows,22\n"


def read(folder: Path, content: str | bytes, name: str = "things.csv") -> tuple[Sheet, list[Problem]]:
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    problems: list[Problem] = []
    return Sheet(folder, name, COLUMNS, problems), problems


def rows(sheet: Sheet) -> list[tuple[int, str, str, int]]:
    return [(row.line, row.text("id"), row.text("name"), row.integer("count", 0, 99)) for row in sheet.rows]


EXPECTED = [(2, "a", "Anvil", 1), (3, "b", "Bellows", 22)]


@pytest.mark.parametrize(
    "content",
    [
        GOOD,
        GOOD.rstrip("\n"),
        GOOD.replace("\n", "\r\n"),
        GOOD.replace("\n", "\r"),
        b"\xef\xbb\xbf" + GOOD.encode(),
        GOOD.replace("Anvil", '"Anvil"'),
        GOOD.replace("Anvil", "  Anvil "),
        GOOD + "\n\n  \n,,\n",
        "more,id,name,count\n,a,Anvil,1\nx,b,Bellows,22\n",
    ],
    ids=["plain", "no last line end", "CRLF", "CR", "BOM", "quoted", "blanks", "empty lines", "another column"],
)
def test_what_people_and_their_programs_write(tmp_path: Path, content: str | bytes) -> None:
    sheet, problems = read(tmp_path, content)
    assert problems == []
    assert rows(sheet) == EXPECTED
    assert problems == []


def test_commas_quotes_and_line_ends_in_a_text(tmp_path: Path) -> None:
    sheet, problems = read(tmp_path, 'id,name,count\na,"Anvil, ""big""\nand heavy",1\nb,Bell\u2028ows,22\n')
    assert problems == []
    assert rows(sheet) == [(3, "a", 'Anvil, "big"\nand heavy', 1), (4, "b", "Bell\u2028ows", 22)]


def test_a_missing_file(tmp_path: Path) -> None:
    problems: list[Problem] = []
    sheet = Sheet(tmp_path, "things.csv", COLUMNS, problems)
    assert sheet.rows == []
    assert [str(p) for p in problems] == [f"things.csv: the file is not in {tmp_path}; an edition needs it"]


@pytest.mark.parametrize("content", [b"id,name,count\na,Anv\xffil,1\n", "id,name,count\n".encode("utf-16")])
def test_a_file_that_is_not_utf_8(tmp_path: Path, content: bytes) -> None:
    _, problems = read(tmp_path, content)
    assert [(p.file, p.line, p.why) for p in problems] == [("things.csv", 0, "it must be a text file in UTF-8")]


def test_a_folder_where_a_file_should_be(tmp_path: Path) -> None:
    (tmp_path / "things.csv").mkdir()
    problems: list[Problem] = []
    Sheet(tmp_path, "things.csv", COLUMNS, problems)
    assert [(p.file, p.line, p.why) for p in problems] == [("things.csv", 0, "it must be a text file in UTF-8")]


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ("", "columns id, name, count missing"),
        ("id,count\na,1\n", "column name missing"),
        ("ID,Name,Count\na,Anvil,1\n", "columns id, name, count missing"),
        ("id;name;count\na;Anvil;1\n", "columns id, name, count missing"),
    ],
)
def test_missing_columns(tmp_path: Path, content: str, what: str) -> None:
    sheet, problems = read(tmp_path, content)
    assert sheet.rows == []
    assert problems == [Problem("things.csv", 1, what, "the first line must name: id, name, count")]


def test_lines_with_too_many_or_too_few_columns(tmp_path: Path) -> None:
    sheet, problems = read(tmp_path, "id,name,count\na,Anvil, big,1\nb,Bellows,22\nc\n")
    why = "the first line names 3 (a text with a comma needs quotation marks)"
    assert problems == [Problem("things.csv", 2, "4 columns", why), Problem("things.csv", 4, "1 columns", why)]
    assert [row.line for row in sheet.rows] == [3]


def test_what_cannot_be_read_as_csv(tmp_path: Path) -> None:
    _, problems = read(tmp_path, "id,name,count\na," + "x" * 200_000 + ",1\n")
    assert [(p.file, p.line, p.why) for p in problems] == [("things.csv", 2, "mend this line")]


@pytest.mark.parametrize("value", ["", "x", "-1", "100", "1.0", "1,5", "٣", "²", "1e1", "9" * 50, "0x1"])
def test_what_is_no_number(tmp_path: Path, value: str) -> None:
    sheet, problems = read(tmp_path, f'id,name,count\na,Anvil,1\nb,Bellows,"{value}"\n')
    assert [row.integer("count", 0, 99) for row in sheet.rows] == [1, 0]
    what = f"column 'count' is '{value[:40]}'"
    assert problems == [Problem("things.csv", 3, what, "it must be a whole number from 0 to 99")]


def test_empty_texts_and_unknown_choices(tmp_path: Path) -> None:
    sheet, problems = read(tmp_path, "id,name,count\na,  ,1\n")
    row = sheet.rows[0]
    assert (row.text("name"), row.blank("name"), row.blank("id")) == ("", True, False)
    assert row.choice("id", ("a", "b")) == "a"
    assert row.choice("count", ("a", "b")) == "a"
    assert [str(p) for p in problems] == [
        "things.csv, line 2: column 'name' is empty; it needs a value",
        "things.csv, line 2: column 'count' is '1'; known are: a, b",
    ]


def test_the_hash_goes_by_what_is_printed(tmp_path: Path) -> None:
    def name(*contents: str | bytes) -> str:
        return edition_hash([read(tmp_path, content, f"{i}.csv")[0] for i, content in enumerate(contents)])

    reference = name(GOOD, GOOD)
    assert len(reference) == 16
    assert int(reference, 16) >= 0
    for same in (GOOD.replace("\n", "\r\n"), b"\xef\xbb\xbf" + GOOD.encode(), GOOD + "\n"):
        assert name(same, GOOD) == reference
    different = [name(GOOD), name(GOOD, GOOD.replace("22", "23")), name(GOOD.replace("22", "23"), GOOD)]
    assert len({reference, *different}) == 4


def test_an_error_lists_every_problem() -> None:
    problems = [Problem("a.csv", 3, "this", "that"), Problem("b.csv", 0, "here", "there")]
    error = EditionError(problems)
    assert error.problems == tuple(problems)
    assert str(error) == "a.csv, line 3: this; that\nb.csv: here; there"
