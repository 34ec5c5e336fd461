"""Which clauses of the specifications in docs/rules no test checks: `python -m tools.clauses`.

A specification defines a clause where its id stands at the start of a list item or of a table row, in bold or not;
a test names the clauses that it checks with `pytest.mark.rule("ZT-8.6", "ZT-A7")`. The tests are only read.
"""

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SPECIFICATIONS = ROOT / "docs" / "rules"
TESTS = ROOT / "tests"

_DEFINITION = re.compile(r"^(?:- |\| )(?:\*\*)?([A-Z]{2,3}-(?:\d+\.\d+|[A-Z]+\.?\d+))(?:\*\*)?(?= )", re.MULTILINE)


@dataclass(frozen=True)
class Citation:
    """One id in one marker, and where it stands."""

    clause: str
    file: Path
    line: int


class BadMarker(Exception):
    """A marker that cannot be read without running the tests."""


def clauses(specification: Path) -> list[str]:
    """The ids that a specification defines, in its order. Raises ValueError if one is defined twice."""
    found = _DEFINITION.findall(specification.read_text(encoding="utf-8"))
    twice = sorted({clause for clause in found if found.count(clause) > 1})
    if twice:
        raise ValueError(f"{specification.name} defines {', '.join(twice)} more than once")
    return found


def citations(tests: Path = TESTS) -> Iterator[Citation]:
    """All ids in the `rule` markers of a folder of tests. Raises BadMarker."""
    for file in sorted(tests.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"), str(file))):
            if not (isinstance(node, ast.Call) and _is_rule_marker(node.func)):
                continue
            if not node.args or node.keywords:
                raise BadMarker(f"{file}:{node.lineno}: rule() takes the ids of clauses, at least one")
            for argument in node.args:
                if not (isinstance(argument, ast.Constant) and isinstance(argument.value, str)):
                    raise BadMarker(f"{file}:{argument.lineno}: rule() takes ids written out as strings")
                yield Citation(argument.value, file, argument.lineno)


def _is_rule_marker(function: ast.expr) -> bool:
    return (
        isinstance(function, ast.Attribute)
        and function.attr == "rule"
        and isinstance(function.value, ast.Attribute)
        and function.value.attr == "mark"
    )


def missing(specification: Path, cited: set[str]) -> list[str]:
    """The clauses of a specification that are not among the cited ones, in its order."""
    return [clause for clause in clauses(specification) if clause not in cited]


def unknown(found: list[Citation], specifications: list[Path]) -> list[Citation]:
    """The citations of clauses that no specification defines."""
    known = {clause for specification in specifications for clause in clauses(specification)}
    return [citation for citation in found if citation.clause not in known]


def main() -> int:
    """Print the report; 1 if something is missing or unknown."""
    specifications = sorted(SPECIFICATIONS.glob("*.md"))
    try:
        found = list(citations())
        cited = {citation.clause for citation in found}
        complete = True
        for specification in specifications:
            total = len(clauses(specification))
            lacking = missing(specification, cited)
            print(f"{specification.stem}: {total - len(lacking)} of {total} clauses have a test")
            for clause in lacking:
                print(f"  {clause} has none")
            complete = complete and not lacking
        for citation in unknown(found, specifications):
            where = citation.file.relative_to(ROOT)
            print(f"{where}:{citation.line} names {citation.clause}, which no specification defines")
            complete = False
    except (BadMarker, ValueError) as error:
        print(error)
        return 1
    return 0 if complete else 1


if __name__ == "__main__":
    sys.exit(main())
