"""Every clause of every game's specification has a test, and the report that says so can be trusted."""

from pathlib import Path

import pytest

from shopfloor.games import REGISTRY
from shopfloor.games.announced import ANNOUNCED
from tools import clauses

SPECIFICATIONS = sorted(clauses.SPECIFICATIONS.glob("*.md"))


@pytest.mark.parametrize("game", REGISTRY.ids())
def test_every_clause_has_a_test(game: str) -> None:
    specification = clauses.SPECIFICATIONS / f"{game}.md"
    assert clauses.clauses(specification)
    cited = {citation.clause for citation in clauses.citations()}
    lacking = clauses.missing(specification, cited)
    assert not lacking, f"no test for {', '.join(lacking)}"


def test_every_cited_clause_exists() -> None:
    assert clauses.unknown(list(clauses.citations()), SPECIFICATIONS) == []


def test_every_specification_belongs_to_a_game_on_the_shelf_or_the_workbench() -> None:
    specified = {specification.stem for specification in SPECIFICATIONS}
    assert set(REGISTRY.ids()) <= specified
    assert specified <= {*REGISTRY.ids(), *(game.id for game in ANNOUNCED)}


def test_the_report_finds_what_is_missing_and_what_is_unknown(tmp_path: Path) -> None:
    specification = tmp_path / "game.md"
    specification.write_text(
        "- **XX-1.1** [Goal] Win. See **XX-9.9**.\n- **XX-1.2** Lose.\n| **XX-A1** | Ties | no | - | no |\n"
        "- **XX-T1** (1.1) A wins.\n- **XX-I1** Money.\n",
        encoding="utf-8",
    )
    (tmp_path / "test_game.py").write_text(
        "import pytest\npytestmark = pytest.mark.rule('XX-1.2')\n"
        "@pytest.mark.rule('XX-1.1', 'XX-T1')\ndef test_a(): ...\n"
        "CASES = [pytest.param(1, marks=pytest.mark.rule('XX-7.7'))]\n# pytest.mark.rule('XX-I1')\n",
        encoding="utf-8",
    )
    found = list(clauses.citations(tmp_path))
    assert clauses.clauses(specification) == ["XX-1.1", "XX-1.2", "XX-A1", "XX-T1", "XX-I1"]
    assert clauses.missing(specification, {citation.clause for citation in found}) == ["XX-A1", "XX-I1"]
    assert [(c.clause, c.line) for c in clauses.unknown(found, [specification])] == [("XX-7.7", 5)]


def test_a_clause_defined_twice_is_an_error(tmp_path: Path) -> None:
    specification = tmp_path / "game.md"
    specification.write_text("- **XX-1.1** Win.\n- **XX-1.1** Win.\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"XX-1\.1 more than once"):
        clauses.clauses(specification)


@pytest.mark.parametrize("marker", ["rule()", "rule(*IDS)", "rule('XX-1.1', clause='XX-1.2')"])
def test_a_marker_that_cannot_be_read_is_an_error(tmp_path: Path, marker: str) -> None:
    (tmp_path / "test_game.py").write_text(f"import pytest\nX = pytest.mark.{marker}\n", encoding="utf-8")
    with pytest.raises(clauses.BadMarker, match=r"test_game\.py:2"):
        list(clauses.citations(tmp_path))
