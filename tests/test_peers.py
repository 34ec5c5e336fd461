"""The measuring beside other programs: it runs, its page has every row, and what cannot be measured is told."""

import importlib.util
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from bench.peers.comparing import akin, like, rates, ratio
from bench.peers.page import Run, cell, markdown, number, times
from bench.peers.running import Row, Worker, measure
from shopfloor.games import REGISTRY
from tests.test_quality import ROOT

PEERS = ("OpenSpiel", "PettingZoo", "RLCard", "Catanatron", "pgx")


def row(maker: str, game: str, length: float, rates: dict[str, list[float]], kind: str = "cards") -> Row:
    made = Row(maker, game, 2, kind, "", 0, list(rates), length=length, choices=3.0)
    made.rates = rates
    return made


def table_rows(page: str, heading: str) -> list[list[str]]:
    """The cells of the first table below a heading, without its head."""
    below = page.split(f"{heading}\n", 1)[1]
    lines = re.search(r"(?:^\|.*\n)+", below, re.MULTILINE)
    assert lines is not None, heading
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[0].splitlines()[2:]]


def figures(text: str) -> list[float]:
    """The median, the lowest and the highest of a cell."""
    return [float(found) for found in re.findall(r"[\d.]+", text.replace(",", ""))]


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_one_command_measures_us_beside_what_is_installed(tmp_path: Path) -> None:
    file = tmp_path / "peers.md"
    # One that is there, one that may be, and one that the tests do not install.
    options = ["--here", "--no-compiled", "--rounds", "1", "--seconds", "0.001", "--page", str(file)]
    done = subprocess.run(
        [sys.executable, "-m", "bench.peers", *options, "--only", "shopfloor", "openspiel", "catanatron"],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    page = file.read_text(encoding="utf-8")
    assert page in done.stdout
    ours = table_rows(page, "### Shopfloor, interpreted")
    counts = {
        (game.title, str(n)) for game in REGISTRY.all() for n in (min(game.player_counts), max(game.player_counts))
    }
    assert {(cells[0], cells[2]) for cells in ours} == counts
    for cells in ours:
        plain, chance, *others = cells[5:]
        assert chance == "–"  # our chance is part of playing
        for text in (plain, *others):
            middle, low, high = figures(text)
            assert 0 < low <= middle <= high
    assert len(table_rows(page, "fastest, whatever it is played with:\n")) == len(counts)
    searches = {tuple(cells[:4]) for cells in table_rows(page, "## Searches")}
    for title, players in counts:
        for kind in ("judged", "rollouts"):
            assert ("Shopfloor, interpreted", title, players, kind) in searches
    for maker, module in (("OpenSpiel", "pyspiel"), ("Catanatron", "catanatron")):
        if importlib.util.find_spec(module):
            assert all(figures(cells[5])[0] > 0 for cells in table_rows(page, f"### {maker}"))
        else:
            assert f"### {maker}\n\nNot measured: not installed (No module named '{module}')" in page
            assert f"- {maker}, everything: not installed" in page
    picture = ET.parse(tmp_path / "pictures" / "peers.svg")
    drawn = {text.text for text in picture.iter("{http://www.w3.org/2000/svg}text")}
    assert any(text and text.startswith("Zahltag") for text in drawn)


def test_rows_of_like_size_are_found_and_compared_round_by_round() -> None:
    ours = row("Shopfloor, interpreted", "a", 100, {"decisions": [20.0, 30.0, 40.0]}, "board, cards")
    near = row("X", "b", 50, {"decisions": [5.0, 5.0, 5.0], "decisions, chance": [10.0, 10.0, 20.0]}, "cards, auction")
    long = row("X", "c", 200, {"observed": [40.0, 40.0, 40.0]}, "dice")
    others = [near, long, row("X", "d", 201, {"decisions": [1.0]}), row("X", "e", 100, {}), row("X", "f", 49, {})]
    assert like(ours, others) == [long, near]
    assert akin(ours, near)
    assert not akin(ours, long)
    assert rates(near) == [10.0, 10.0, 20.0]  # at its best: chance nodes count
    assert ratio(rates(ours), rates(near)) == (2.0, 2.0, 3.0)
    assert ratio(rates(ours), []) is None


def test_figures_are_short() -> None:
    assert number(1234567.0) == "1,230,000"
    assert number(12.345) == "12.3"
    assert cell([3.0, 1.0, 2.0]) == "2 (1 to 3)"
    assert cell(None) == "–"
    assert times((234.0, 0.123, 1250.0)) == "230 (0.12 to 1,200)"


def fake(folder: Path, name: str, work: str) -> Worker:
    """A worker whose one program's game is played by `work`."""
    (folder / f"{name}.py").write_text(
        "import os\n"
        "from bench.peers.measuring import Program\n"
        "def version(): return '1.0'\n"
        f"def work(): {work}\n"
        "def fine(): return 3, 1, 2\n"
        "def programs():\n"
        "    measures = {'decisions': work, 'observed': fine}\n"
        "    return [Program('chess', 2, 'board', measures, lambda: (3.0, 2.0))]\n",
        encoding="utf-8",
    )
    return Worker("Peer", name, [folder])


def test_a_peer_that_fails_is_told_with_the_reason(tmp_path: Path) -> None:
    workers = [
        fake(tmp_path, "raises", "raise ValueError('no such board')"),
        fake(tmp_path, "dies", "os.abort()"),
        Worker("Absent", "no_such_peer"),
    ]
    run = Run(workers, 2, 0.001)
    measure(workers, run.rounds, run.seconds, lambda _: None)
    raises, dies = (worker.rows[0] for worker in workers[:2])
    assert raises.failed == {"decisions": "no such board"}
    assert dies.failed["decisions"].startswith("its process ended with ")
    for found in (raises, dies):  # what does not fail is measured, in a new process if need be
        assert len(found.rates["observed"]) == len(found.rates["observed, chance"]) == 2
        assert min(found.rates["observed"]) > 0
        assert (found.length, found.choices, found.chances) == (3.0, 2.0, 2.0)
    page = markdown(run, "the command", None)
    assert "### Absent\n\nNot measured: not installed (No module named 'no_such_peer')" in page
    assert "- Peer, decisions (chess): no such board" in page
    assert "- Peer, decisions (chess): its process ended with" in page
    assert "- Absent, everything: not installed" in page


def test_the_page_is_of_a_run_with_all_peers() -> None:
    page = (ROOT / "docs" / "peers.md").read_text(encoding="utf-8")
    for maker in ("Shopfloor, interpreted", "Shopfloor, compiled", *PEERS):
        assert table_rows(page, f"### {maker}")
    assert "python -m bench.peers" in page
    text = (ROOT / "docs" / "pictures" / "peers.svg").read_text(encoding="utf-8")
    assert "prefers-color-scheme: dark" in text
