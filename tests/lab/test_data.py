"""Simulations kept as tables and as records: complete, repeatable, readable by the programs that people use."""

from __future__ import annotations

import json
from pathlib import Path

import numpy
import pyarrow
import pytest
from pyarrow import compute, parquet
from typer.testing import CliRunner

from shopfloor.cli import app
from shopfloor.engine.dice import FastDice
from shopfloor.engine.records import load, replay
from shopfloor.engine.refusals import BadSetup
from shopfloor.games import REGISTRY
from shopfloor.lab import simulate
from shopfloor.lab.observations import Observer
from shopfloor.lab.parquet import COLUMNS, ParquetSink, about
from shopfloor.lab.recording import RecordSink
from tests.conformance.cases import Case
from tests.lab.observed import every_count_but_slow_ones, every_game


def _table(path: Path, case: Case, games: int = 3, processes: int = 1, observations: bool = False) -> pyarrow.Table:
    with ParquetSink(path, case.game.id, case.players, observations=observations) as sink:
        simulate(case.game.id, case.players, games, seed=7, sinks=[sink], processes=processes)
    return parquet.read_table(path)


@every_count_but_slow_ones
def test_one_row_a_decision(case: Case, tmp_path: Path) -> None:
    path = tmp_path / "games.parquet"
    with ParquetSink(path, case.game, case.players) as sink:
        result = simulate(
            case.game.id, case.players, 3, seed=7, sinks=[sink], bots=["greedy"] + ["random"] * (case.players - 1)
        )
    table = parquet.read_table(path)
    assert table.column_names == list(COLUMNS)
    assert table.num_rows == round(3 * result.decisions[0])
    said = about(path)
    assert said["game"] == case.game.id
    assert said["players"] == case.players
    assert said["edition"] == case.game.edition().hash
    assert said["options"] == {option.id: option.default for option in case.game.options}
    assert said["criteria"] == list(result.criteria)
    for name, meaning in COLUMNS.items():
        assert table.schema.field(name).metadata == {b"meaning": meaning.encode()}
        assert table[name].null_count == 0
    # The games that the rows tell are the games that were played.
    rows = table.to_pylist()
    for seed in (7, 8, 9):
        mine = [row for row in rows if row["game"] == seed]
        s = case.game.start(case.players, FastDice(seed))
        for number, row in enumerate(mine, 1):
            assert row["number"] == number
            assert row["decisions"] == len(mine)
            assert row["level"] == ("greedy" if row["seat"] == 0 else "random")
            assert row["legal"] == list(s.legal(row["seat"]))
            assert row["name"] == s.space.name(row["action"])
            assert row["seconds"] >= 0
            s.play(row["seat"], row["action"])
        ranks = {rank.seat: rank for rank in s.standing().ranks}
        for row in mine:
            assert row["place"] == ranks[row["seat"]].place
            assert row["values"] == list(ranks[row["seat"]].values)
            assert row["share"] == s.returns()[row["seat"]]
    assert max(row["seconds"] for row in rows if row["seat"] == 0) > 0
    # Sums from the table are those of the simulation.
    last = table.group_by(["game", "seat"]).aggregate([("share", "max")])
    for seat in result.seats:
        mine_ = last.filter(compute.equal(last["seat"], seat.seat))
        assert compute.sum(mine_["share_max"]).as_py() == pytest.approx(3 * seat.share)


@every_game
def test_observations_in_the_table(game, tmp_path: Path) -> None:
    case = Case(game, max(game.player_counts), {})
    table = _table(tmp_path / "games.parquet", case, games=1, observations=True)
    watch = Observer(game, case.players)
    found = numpy.asarray(table["observation"].combine_chunks().flatten()).reshape(-1, watch.size)
    assert len(found) == table.num_rows
    s = game.start(case.players, FastDice(7))
    for row, seen in zip(table.select(["seat", "action"]).to_pylist(), found, strict=True):
        assert seen.tolist() == watch.observe(game.view(s, row["seat"])).tolist()
        s.play(row["seat"], row["action"])


def test_processes_change_nothing(tmp_path: Path) -> None:
    case = Case(REGISTRY.get("zahltag"), 3, {})
    one = _table(tmp_path / "one.parquet", case, games=30)
    two = _table(tmp_path / "two.parquet", case, games=30, processes=2)
    assert one.drop_columns(["seconds"]).to_pylist() == two.drop_columns(["seconds"]).to_pylist()


@every_game
def test_records_replay(game, tmp_path: Path) -> None:
    players = min(game.player_counts)
    option = next(option for option in game.options if not option.seat_values and not option.picks)
    options = {option.id: option.values[-1]}
    result = simulate(game.id, players, 2, seed=3, options=options, sinks=[RecordSink(tmp_path / "deep" / "er", game)])
    files = sorted((tmp_path / "deep" / "er").iterdir())
    assert [file.name for file in files] == [f"{game.id}-3.jsonl", f"{game.id}-4.jsonl"]
    count = 0
    for file in files:
        record = load(file.read_text(encoding="utf-8"))
        assert record.options[option.id] == option.values[-1]
        *_, last = replay(record, game)
        assert last.state.over()
        count += len(record.decisions)
    assert count == round(2 * result.decisions[0])


def test_what_cannot_be_kept(tmp_path: Path) -> None:
    path = tmp_path / "games.parquet"
    with pytest.raises(BadSetup):
        ParquetSink(path, "zahltag", 9)
    with pytest.raises(BadSetup):
        ParquetSink(path, "zahltag", 3, {"no_such_option": "1"})
    assert not path.exists()
    with pytest.raises(OSError, match="nowhere"):
        ParquetSink(tmp_path / "nowhere" / "games.parquet", "zahltag", 3)
    with ParquetSink(path, "zahltag", 3):
        pass
    assert parquet.read_table(path).num_rows == 0
    assert parquet.read_table(path).column_names == list(COLUMNS)


def test_the_command(tmp_path: Path) -> None:
    run = CliRunner(env={"COLUMNS": "160"})
    path, folder = tmp_path / "games.parquet", tmp_path / "records"
    given = ["simulate", "zahltag", "--games", "5", "--players", "3", "--seed", "2"]
    result = run.invoke(app, [*given, "--parquet", str(path), "--observations", "--records", str(folder)])
    assert result.exit_code == 0, result.output
    assert "5 games of Zahltag" in result.output
    table = parquet.read_table(path)
    assert sorted(set(table["game"].to_pylist())) == [2, 3, 4, 5, 6]
    assert len(table["observation"][0]) == Observer("zahltag", 3).size
    for seed in (2, 6):
        record = load((folder / f"zahltag-{seed}.jsonl").read_text(encoding="utf-8"))
        mine = table.filter(compute.equal(table["game"], seed))
        assert [list(pair) for pair in record.decisions] == [
            [row["seat"], row["action"]] for row in mine.select(["seat", "action"]).to_pylist()
        ]
    assert json.loads(table.schema.metadata[b"shopfloor"])["players"] == 3
    result = run.invoke(app, [*given, "--parquet", str(tmp_path / "nowhere" / "games.parquet")])
    assert result.exit_code == 2
    assert "cannot be written: No such file" in " ".join(result.output.split())
    result = run.invoke(app, [*given, "--observations"])
    assert result.exit_code == 2
    assert "--parquet" in result.output
