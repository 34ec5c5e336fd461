"""The documentation: it builds without a broken link, its tables are the code's, and its examples run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest

from shopfloor.lab.observations import Observer
from shopfloor.lab.parquet import COLUMNS
from tests.lab.observed import GAMES

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    "index.md",
    "engine.md",
    "bots.md",
    "sixth-game.md",
    *(f"lab/{p}.md" for p in ("observations", "environments", "data")),
]


@pytest.mark.slow
def test_the_site_builds_strictly(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "NO_MKDOCS_2_WARNING": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout
    pages = {
        page: (tmp_path / page / "index.html").read_text(encoding="utf-8")
        for page in ("rules/zahltag", "ladder/zahltag", "lab/data", "reference/engine", "reference/lab", "sixth-game")
    }
    for column in COLUMNS:
        assert f"<code>{column}</code>" in pages["lab/data"]
    for name in ("shopfloor.engine.state.State.imagine", "shopfloor.engine.dice.SealedDice"):
        assert f'id="{name}"' in pages["reference/engine"]
    for name in ("shopfloor.lab.pettingzoo.env", "shopfloor.lab.observations.Observer.fill"):
        assert f'id="{name}"' in pages["reference/lab"]
    for game in GAMES:
        text = unescape((tmp_path / "lab" / "observations" / game.id / "index.html").read_text(encoding="utf-8"))
        observer = Observer(game, max(game.player_counts))
        assert f"an observation has {observer.size} numbers" in text
        for left in observer.left_out:
            assert f"<code>{left.path}</code>" in text
    for html in tmp_path.rglob("*.html"):
        # Nothing is loaded from other hosts.
        assert not re.search(
            r'<(?:script|link|img)[^>]+(?:src|href)="https?://(?!$)[^"]+"[^>]*>', _without_canonical(html)
        )


def _without_canonical(html: Path) -> str:
    return re.sub(r'<link rel="canonical"[^>]*>', "", html.read_text(encoding="utf-8"))


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_examples_run(page: str, tmp_path: Path) -> None:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    blocks = [
        block
        for block in re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
        if not re.search(r"import (duckdb|polars)|^def declare|^--8<--", block, re.MULTILINE)
    ]
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(blocks)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout
