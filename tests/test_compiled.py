"""The hot modules compile with mypyc from unchanged sources, and then play the same games as before."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from bench import compiled as builds
from bench.compiled import cached, obstacle
from shopfloor.engine.dice import Seed, make_dice
from shopfloor.engine.records import dump, record_of
from shopfloor.games import REGISTRY
from shopfloor.lab import ladder
from tests.conformance.cases import Case, all_cases
from tests.playing import to_the_end
from tests.test_quality import ROOT
from tools import bootstrap

WHY_NOT = obstacle()
needs_a_compiler = pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)
runs = ladder.build(REGISTRY.ids()[0])
only_interpreted = pytest.mark.skipif(runs == "compiled", reason="all tests run compiled already")
ENGINE = ("dice", "playout", "refusals", "state")
pytestmark = [pytest.mark.slow, pytest.mark.timeout(1500)]


@pytest.fixture(scope="module")
def compiled() -> Path:
    """The folder of a compiled build of the sources as they are."""
    return cached()


def python(build_folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(build_folder), str(ROOT)])},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:]
    return done.stdout


def write_record(case: Case, seed: Seed, folder: Path, name: str) -> None:
    s = case.start(make_dice(seed))
    played = to_the_end(s, Random(str(seed)))
    record = record_of(case.game, case.edition(), seed, case.players, case.options, played, s)
    (folder / name).write_text(dump(record, s.space.name), encoding="utf-8")


@needs_a_compiler
def test_records_replay_alike_on_both_builds(compiled: Path, tmp_path: Path) -> None:
    for n, case in enumerate(case for case in all_cases() if case.often):
        write_record(case, n + 2**40 * (n % 2), tmp_path, f"{n:03}-fast")
        if n % 5 == 0:
            write_record(case, bytes([n % 256]) * 32, tmp_path, f"{n:03}-sealed")
    script = str(ROOT / "tests" / "fingerprint.py")
    first, *plain = python(ROOT / "src", script, str(tmp_path)).splitlines()
    assert first == "compiled:"
    first, *fast = python(compiled, script, str(tmp_path)).splitlines()
    games = [f"shopfloor.games.{game}.rules" for game in REGISTRY.ids()]
    wanted = ["shopfloor.bots.search", *(f"shopfloor.engine.{name}" for name in ENGINE), *games]
    assert set(wanted) <= set(first.split())
    assert len(plain) == len(list(tmp_path.iterdir()))
    assert fast == plain


BOTS = [f"tests/bots/test_{name}.py" for name in ("nets", "search", "together")]


@needs_a_compiler
@only_interpreted
@pytest.mark.parametrize("tests", [["tests/conformance"], ["tests/engine"], BOTS], ids=" ".join)
def test_the_quick_tests_pass_on_the_compiled_build(compiled: Path, tests: list[str]) -> None:
    """What the rules, the engine and the players promise holds for the compiled build too.

    These say the most in a short time; `check.py --compiled` runs all tests on it.
    """
    quick = ["-m", "not slow and not browser"]
    said = python(compiled, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *quick, *tests)
    assert " passed" in said.splitlines()[-1]


@needs_a_compiler
def test_the_program_says_which_build_runs(compiled: Path) -> None:
    for folder, name in ((compiled, "compiled"), (ROOT / "src", "interpreted")):
        assert f"rules {name}" in python(folder, "-c", "from shopfloor.cli import app; app(['--version'])")


@needs_a_compiler
def test_the_browsers_files_are_part_of_the_compiled_build(compiled: Path) -> None:
    here, there = (folder / "shopfloor" / "web" / "static" for folder in (ROOT / "src", compiled))
    assert [path.name for path in sorted(there.rglob("*"))] == [path.name for path in sorted(here.rglob("*"))] != []


def test_a_build_is_made_anew_when_the_sources_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = tmp_path / "src" / "shopfloor"
    for name in ("engine/dice.py", "web/static/build/page.js", "engine/__pycache__/dice.pyc"):
        (sources / name).parent.mkdir(parents=True, exist_ok=True)
        (sources / name).write_text("1", encoding="utf-8")
    for name in ("setup.py", "pyproject.toml"):
        (tmp_path / name).write_text("", encoding="utf-8")
    monkeypatch.setattr(builds, "ROOT", tmp_path)
    monkeypatch.setattr(builds, "SOURCES", sources)
    monkeypatch.setattr(bootstrap, "ROOT", tmp_path)
    before = builds.key()
    for name in ("web/static/build/page.js", "engine/__pycache__/dice.pyc"):
        (sources / name).write_text("2", encoding="utf-8")
        assert builds.key() == before
    (sources / "engine" / "dice.py").write_text("2", encoding="utf-8")
    assert builds.key() != before


def test_only_the_builds_used_last_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def build(folder: Path, level: str) -> Path:
        made.append(folder.name)
        (folder / "src").mkdir(parents=True)
        return folder / "src"

    monkeypatch.setattr(builds, "CACHE", tmp_path)
    monkeypatch.setattr(builds, "build", build)
    monkeypatch.setattr(builds, "obstacle", lambda: "")
    (tmp_path / "broken").mkdir()
    for n, name in enumerate(("a", "b", "b", "c")):
        monkeypatch.setattr(builds, "key", lambda name=name: name)
        assert cached() == tmp_path / name / "src"
        os.utime(tmp_path / name / "done", (n, n))
    assert made == ["a", "b", "c"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b", "c"]


def test_where_nothing_can_be_compiled_the_reason_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builds, "CACHE", tmp_path)
    monkeypatch.setattr(builds, "obstacle", lambda: "there is no C compiler here (cc)")
    with pytest.raises(builds.CannotCompile, match="no C compiler here"):
        cached()
