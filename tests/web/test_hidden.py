"""Nothing that the web answers depends on what its reader may not know: a short version of `tests.web.hidden`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from shopfloor.games import REGISTRY
from shopfloor.tables.fold import Kept
from tests.web import hidden


@pytest.mark.parametrize(
    ("game", "players"), [(game, players) for game in hidden.GAMES for players in REGISTRY.get(game).player_counts]
)
def test_nothing_is_told_that_may_not_be_known(game: str, players: int, tmp_path: Path) -> None:
    found = hidden.check(game, 8, 7, tmp_path, players)
    assert found.wrong == []
    assert found.readers >= 2
    assert found.answers > 8 * 8


def test_the_check_sees_a_leak(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that told the deck's order, or another's hand, would be noticed."""
    game = REGISTRY.get("zahltag")
    honest = game.words.question

    def telling(view: Any, names: Any) -> str:
        return f"{honest(view, names)} {states[-1].encode()[-200:]}"

    states: list[Any] = []
    from shopfloor.tables.model import Table

    seen = Table.view

    def view(self: Table, seat: int | None) -> Any:
        states.append(self._fold.state)
        return seen(self, seat)

    monkeypatch.setattr(Table, "view", view)
    monkeypatch.setattr(game.words, "question", telling)
    found = hidden.check("zahltag", 4, 7, tmp_path)
    assert found.wrong


def test_the_check_sees_a_log_that_tells_too_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stream or a log that told what only another seat may know would be noticed."""
    monkeypatch.setattr(Kept, "told_to", lambda kept, seat: kept.full)
    found = hidden.check("zahltag", 4, 7, tmp_path)
    assert any(sentence.startswith("a stream") for sentence in found.wrong)
    assert any("/log tells" in sentence for sentence in found.wrong)
