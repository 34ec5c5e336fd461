"""The example client plays a whole game against a real server."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from shopfloor.engine.world import has_world
from shopfloor.games import REGISTRY
from tests.web.servers import server_process

EXAMPLE = Path(__file__).parents[2] / "examples" / "play_over_http.py"


# Where things are built by hand, choosing is not enough: tests/web/test_live_site.py has a program that builds.
CHOSEN = [game for game in REGISTRY.ids() if not has_world(REGISTRY.get(game))]


@pytest.mark.parametrize(
    ("level", "game"), [("random", []), ("journeyman", []), *(("random", [game]) for game in CHOSEN[1:])]
)
def test_example_plays_a_whole_game(tmp_path: Path, level: str, game: list[str]) -> None:
    with server_process(tmp_path) as server:
        done = subprocess.run(
            [sys.executable, str(EXAMPLE), server.url, level, *game],
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
        log = server.log()
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith(f"Watch at {server.url}/t/")
    assert len(lines) > 50
    assert lines[-1].startswith("The game is over; the program came in at place ")
    assert "rror" not in log


def test_example_is_short() -> None:
    code = [line for line in EXAMPLE.read_text(encoding="utf-8").splitlines() if line.strip()]
    assert len(code) <= 45
