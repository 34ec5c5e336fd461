"""Simulated games as an Arrow or Parquet table, one row a decision; needs `pip install 'shopfloor[lab]'`.

>>> with ParquetSink("games.parquet", "zahltag", players=4) as sink:
...     simulate("zahltag", 4, 1000, sinks=[sink])

Read it with pandas, Polars, DuckDB or pyarrow. `COLUMNS` says what each column means; the file says so too, in the
metadata of its fields, and in its own which game, rules, edition and options were played.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from shopfloor.engine.dice import FastDice
from shopfloor.engine.game import Edition, Game
from shopfloor.engine.options import resolve_options
from shopfloor.games import REGISTRY
from shopfloor.lab.observations import Observer
from shopfloor.lab.simulate import Played

try:
    import pyarrow
    from pyarrow import parquet
except ImportError as error:
    raise ImportError(f"{error}; tables of games need: pip install 'shopfloor[lab]'") from error

COLUMNS: Final = {
    "game": "the game's seed: the same seed, players, options and edition deal the same game",
    "number": "the decision's number in its game, from 1",
    "seat": "who decided, from 0, clockwise",
    "level": "which computer player sits there",
    "action": "the action's id",
    "name": "the action's name, as in commands and records",
    "legal": "the ids that the seat could choose from, ascending",
    "seconds": "computing time that the choice took; 0 where there was nothing to think about",
    "decisions": "how many decisions the game had in all",
    "place": "the seat's final place, from 1; shared places are equal",
    "share": "the seat's share of the victory; the shares of a game add up to 1",
    "values": "the seat's final values for the ranking criteria, which the file's metadata names",
}
"""The columns of a table and what they mean."""

OBSERVATION: Final = "what the seat knew before the decision, as numbers in [0, 1]; docs/lab/observations.md has them"


class ParquetSink:
    """Writes the games of a simulation to a Parquet file. Close it at the end, or use it in a `with`."""

    def __init__(
        self,
        path: str | Path,
        game: Game | str,
        players: int,
        options: Mapping[str, str] | None = None,
        edition: Edition | None = None,
        observations: bool = False,
    ) -> None:
        """`observations`: also a column `observation`, a list of fixed length, which makes the file much larger.

        Raises UnknownGame, BadSetup, OSError.
        """
        self.game: Game = REGISTRY.get(game) if isinstance(game, str) else game
        self._edition: Edition = edition if edition is not None else self.game.edition()
        self.game.start(players, FastDice(0), options, self._edition)  # says what is wrong, before a file is made
        self._space = self.game.space(self._edition)
        self._observer = Observer(self.game, players, self._edition) if observations else None
        self._options = resolve_options(self.game.options, options or {}, players)
        self._players = players
        self._path = str(path)
        self._writer: Any = None
        # The file is opened here, so that a wrong path is told before hours of games, and filled when the first
        # game has told what the criteria are called.
        self._file = open(path, "wb")  # noqa: SIM115

    @property
    def observations(self) -> bool:
        return self._observer is not None

    def _schema(self, criteria: Sequence[str]) -> Any:
        kinds = {
            "game": pyarrow.int64(),
            "number": pyarrow.int32(),
            "seat": pyarrow.int8(),
            "level": pyarrow.string(),
            "action": pyarrow.int32(),
            "name": pyarrow.string(),
            "legal": pyarrow.list_(pyarrow.int32()),
            "seconds": pyarrow.float32(),
            "decisions": pyarrow.int32(),
            "place": pyarrow.int8(),
            "share": pyarrow.float64(),
            "values": pyarrow.list_(pyarrow.int32()),
        }
        fields = [
            pyarrow.field(name, kind, nullable=False, metadata={"meaning": COLUMNS[name]})
            for name, kind in kinds.items()
        ]
        if self._observer is not None:
            kind = pyarrow.list_(pyarrow.float32(), self._observer.size)
            fields.append(pyarrow.field("observation", kind, nullable=False, metadata={"meaning": OBSERVATION}))
        about = {
            "game": self.game.id,
            "rules": self.game.rules_version,
            "edition": self._edition.hash,
            "players": self._players,
            "options": self._options,
            "criteria": list(criteria),
        }
        return pyarrow.schema(fields, metadata={"shopfloor": json.dumps(about)})

    def add(self, played: Sequence[Played]) -> None:
        """Append the rows of these games, which must have logs."""
        if not played:
            return
        if self._writer is None:
            self._writer = parquet.ParquetWriter(
                self._file, self._schema(played[0].outcome.criteria), compression="zstd"
            )
        columns: dict[str, list[Any]] = {name: [] for name in COLUMNS}
        seen = bytearray()
        names = self._space.name
        for one in played:
            log, outcome = one.log, one.outcome
            assert log is not None, "a sink was given a game without a log"
            count = len(log.decisions)
            seats = [seat for seat, _ in log.decisions]
            actions = [action for _, action in log.decisions]
            columns["game"] += [one.seed] * count
            columns["number"] += range(1, count + 1)
            columns["seat"] += seats
            columns["level"] += [one.levels[seat] for seat in seats]
            columns["action"] += actions
            columns["name"] += [names(action) for action in actions]
            columns["legal"] += log.legal
            columns["seconds"] += log.seconds
            columns["decisions"] += [count] * count
            columns["place"] += [outcome.places[seat] for seat in seats]
            columns["share"] += [outcome.shares[seat] for seat in seats]
            columns["values"] += [outcome.values[seat] for seat in seats]
            seen += log.observations
        schema = self._writer.schema
        arrays = [pyarrow.array(columns[name], schema.field(name).type) for name in COLUMNS]
        if self._observer is not None:
            numbers = pyarrow.Array.from_buffers(
                pyarrow.float32(), len(seen) // 4, [None, pyarrow.py_buffer(bytes(seen))]
            )
            arrays.append(pyarrow.FixedSizeListArray.from_arrays(numbers, self._observer.size))
        self._writer.write_batch(pyarrow.record_batch(arrays, schema=schema))

    def close(self) -> None:
        """Finish the file. A table without games has no rows, but all its columns."""
        if self._writer is None:
            self._writer = parquet.ParquetWriter(self._file, self._schema(()))
        self._writer.close()
        self._file.close()

    def __enter__(self) -> ParquetSink:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def about(path: str | Path) -> dict[str, Any]:
    """What a file written here says of itself: game, rules, edition, players, options, criteria."""
    found: dict[str, Any] = json.loads(parquet.read_schema(path).metadata[b"shopfloor"])
    return found
