"""What measures Shopfloor measures the same games each time, and keeps what people have written beside it."""

from pathlib import Path

import pytest

from bench import engine, slowest
from shopfloor.engine.dice import FastDice
from shopfloor.games import REGISTRY


@pytest.mark.parametrize("game", REGISTRY.all(), ids=lambda game: game.id)
def test_the_same_deal_is_the_same_game_every_time(game) -> None:
    players = min(game.player_counts)
    first, second = (slowest.play(game.id, players, 3) for _ in "ab")
    assert [(d.phase, d.kind, d.choices) for d in first] == [(d.phase, d.kind, d.choices) for d in second]
    assert len(first) == engine.decisions(game.id, players, 4) - engine.decisions(game.id, players, 3)
    assert {d.phase for d in first} <= set(slowest.phase_names(game.start(players, FastDice(1))))
    assert min(d.time for d in first) > 0


def test_the_slowest_tenth_is_told_apart() -> None:
    quick = [slowest.Decision("BID", "Bid", 9, False, 50, 50) for _ in range(88)]
    slow = [slowest.Decision("PLAY", "Card", 4, True, 400, 5600) for _ in range(12)]
    rows = slowest.table([*quick, *slow])
    assert rows[0].startswith("The usual decision takes 0.10 us")
    assert rows[-1].startswith("| PLAY | Card | 100% | 12% | 100% | 6.00 | 0.40 | 5.60 | 4 | 100% |")


def test_what_is_written_by_hand_is_kept(tmp_path: Path) -> None:
    page = tmp_path / "slowest.md"
    hand = "Because it is long.\n\n- And wide.\n"
    page.write_text(f"# Title\n\n## One\n\n| a |\n\n{slowest.BY_HAND}\n\n{hand}\n## Two\n\n| b |\n", encoding="utf-8")
    assert slowest.kept(page) == {"One": hand.strip().splitlines()}
    assert slowest.sections(page)["Two"] == "| b |"
    assert slowest.kept(tmp_path / "none.md") == {}


def test_the_prototype_in_c_plays_the_games_of_the_one_in_python(tmp_path: Path, monkeypatch) -> None:
    from bench.compiled import build_prototype_in_c, obstacle

    if why := obstacle():
        pytest.skip(why)
    monkeypatch.syspath_prepend(str(engine.ROOT / "bench"))
    assert engine.in_c(str(build_prototype_in_c(tmp_path)), 100) > 10000
