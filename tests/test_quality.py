"""The habits of the house, checked: style, types, the direction of imports, locks that fit what they lock."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tools import bootstrap, frontend, lock

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def check(*command: str) -> None:
    """Run one of the environment's tools in the project's folder; its output is the failure's message."""
    done = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    if done.returncode:
        pytest.fail(done.stdout, pytrace=False)


def test_style() -> None:
    check("-m", "ruff", "check", "--quiet")


def test_types() -> None:
    check("-m", "mypy", "--no-error-summary")


def test_imports_point_one_way() -> None:
    check("-c", "from importlinter.cli import lint_imports_command; lint_imports_command()")


def test_types_of_the_browsers_files() -> None:
    frontend.install_modules()
    try:
        frontend.npm("Checking the browser's files", "run", "--silent", "check")
    except bootstrap.Problem as problem:
        pytest.fail(str(problem), pytrace=False)


def pins(name: str) -> dict[str, str]:
    text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    return dict(re.findall(r"^([a-z0-9._-]+)==([^\s;]+)", text, re.MULTILINE))


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        (
            "run",
            PROJECT["dependencies"] + [one for name in lock.PLAYED for one in PROJECT["optional-dependencies"][name]],
        ),
        (
            "test",
            PROJECT["dependencies"] + [one for name in lock.TESTED for one in PROJECT["optional-dependencies"][name]],
        ),
    ],
)
def test_locks_fit_the_project(name: str, wanted: list[str]) -> None:
    locked = pins(name)
    for requirement in map(Requirement, wanted):
        assert requirement.specifier.contains(locked[requirement.name]), f"{requirement}: run tools/lock.py"


def test_the_lock_for_tests_contains_the_lock_for_players() -> None:
    assert pins("run").items() <= pins("test").items()


@pytest.mark.parametrize("name", ["run", "test", "node"])
def test_every_pin_has_a_hash(name: str) -> None:
    text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    blocks = re.split(r"^(?=[a-z])", text, flags=re.MULTILINE)[1:]
    assert blocks
    assert [block for block in blocks if "--hash=sha256:" not in block] == []


def test_locks_name_no_place_to_download_from() -> None:
    for file in (ROOT / "requirements").iterdir():
        assert "://" not in file.read_text(encoding="utf-8"), file
    assert '"resolved"' not in (ROOT / "frontend" / "package-lock.json").read_text(encoding="utf-8")


def test_playing_needs_no_names_for_types() -> None:
    """What the sources import for type checking alone is not needed to play."""
    check(
        "-c",
        "import sys; sys.modules['mypy_extensions'] = None\n"
        "from shopfloor.games import REGISTRY\n"
        "from shopfloor.bots import search\n"
        "from shopfloor.engine import playout\n"
        "assert REGISTRY.all()",
    )
