"""Simulated games as records: one file a game, which `shopfloor replay` and the site understand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from shopfloor.engine.game import Edition, Game
from shopfloor.engine.records import dump
from shopfloor.games import REGISTRY
from shopfloor.lab.simulate import Played


class RecordSink:
    """Writes each game of a simulation to a file of its own in a folder: `<game>-<seed>.jsonl`."""

    observations: bool = False

    def __init__(self, folder: str | Path, game: Game | str, edition: Edition | None = None) -> None:
        """The folder is made if needed. Raises UnknownGame, OSError."""
        self.game: Game = REGISTRY.get(game) if isinstance(game, str) else game
        self.folder: Path = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self._space = self.game.space(edition if edition is not None else self.game.edition())

    def add(self, played: Sequence[Played]) -> None:
        """Write the records of these games, which must have logs."""
        for one in played:
            assert one.log is not None, "a sink was given a game without a log"
            assert one.log.record is not None, "a sink was given a game that is not over"
            text = dump(one.log.record, self._space.name)
            (self.folder / f"{self.game.id}-{one.seed}.jsonl").write_text(text, encoding="utf-8")
