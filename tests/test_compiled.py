"""The hot modules compile with mypyc from unchanged sources, and then play the same games as before."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from bench.compiled import build, can_compile
from shopfloor.engine.dice import Seed, make_dice
from shopfloor.engine.records import dump, record_of
from shopfloor.games import REGISTRY
from tests.conformance.cases import Case, all_cases
from tests.playing import to_the_end
from tests.test_quality import ROOT

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(1500),
    pytest.mark.skipif(not can_compile(), reason="there is no C compiler here"),
]


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a compiled build."""
    return build(tmp_path_factory.mktemp("compiled"))


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


def test_records_replay_alike_on_both_builds(compiled: Path, tmp_path: Path) -> None:
    for n, case in enumerate(all_cases()[::2]):
        write_record(case, n + 2**40 * (n % 2), tmp_path, f"{n:03}-fast")
        if n % 4 == 0:
            write_record(case, bytes([n % 256]) * 32, tmp_path, f"{n:03}-sealed")
    script = str(ROOT / "tests" / "fingerprint.py")
    first, *plain = python(ROOT / "src", script, str(tmp_path)).splitlines()
    assert first == "compiled:"
    first, *fast = python(compiled, script, str(tmp_path)).splitlines()
    games = [f"shopfloor.games.{game}.rules" for game in REGISTRY.ids()]
    wanted = ["shopfloor.bots.search", "shopfloor.engine.dice", "shopfloor.engine.state", *games]
    assert set(wanted) <= set(first.split())
    assert len(plain) == len(list(tmp_path.iterdir()))
    assert fast == plain


def test_the_compiled_build_conforms(compiled: Path) -> None:
    """Every promise of the conformance suite holds for the compiled build too."""
    said = python(compiled, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-m", "not slow", "tests/conformance")
    assert " passed" in said.splitlines()[-1]
