"""The example client plays a whole game against a real server."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.web.servers import server_process

EXAMPLE = Path(__file__).parents[2] / "examples" / "play_over_http.py"


@pytest.mark.parametrize("level", ["random", "greedy"])
def test_example_plays_a_whole_game(tmp_path: Path, level: str) -> None:
    with server_process(tmp_path) as server:
        done = subprocess.run(
            [sys.executable, str(EXAMPLE), server.url, level], capture_output=True, text=True, timeout=120, check=False
        )
        log = server.log()
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith(f"Watch at {server.url}/t/")
    assert any("Payday 1" in line for line in lines)
    assert lines[-1].startswith("The game is over; the program came in at place ")
    assert "rror" not in log


def test_example_is_short() -> None:
    code = [line for line in EXAMPLE.read_text(encoding="utf-8").splitlines() if line.strip()]
    assert len(code) <= 45
