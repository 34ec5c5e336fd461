"""Games of released versions play as they did; and what has changed is found where it begins."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from shopfloor import cli
from shopfloor.engine import corpus
from shopfloor.engine.records import Record, RecordError, load, replay
from shopfloor.games import REGISTRY

FOLDER = Path(__file__).parent
FILES = sorted(FOLDER.rglob("*.jsonl"))


def kept(file: Path) -> tuple[Record, corpus.Trace]:
    return load(file.read_text(encoding="utf-8")), corpus.read(corpus.beside(file).read_text(encoding="utf-8"))


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli.console, "width", 300)
    monkeypatch.setattr(cli.errors, "width", 300)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli.app, ["corpus", *arguments])


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_a_released_game_plays_as_it_did_or_is_refused_with_the_reason(file: Path) -> None:
    record, trace = kept(file)
    game = REGISTRY.get(record.game)
    if record.rules_version == game.rules_version:
        assert corpus.difference(record, game, trace) is None
    else:
        with pytest.raises(RecordError, match="rules version"):
            list(replay(record, game))


def test_every_game_and_number_of_players_is_kept() -> None:
    found = {(record.game, record.players) for record, _ in map(kept, FILES)}
    assert found == {(game.id, players) for game in REGISTRY.all() for players in game.player_counts}
    assert any(record.outcomes for record, _ in map(kept, FILES)), "and one that was built by hand"


@pytest.mark.parametrize(("column", "why"), [(0, "something else happens"), (1, "other choices follow")])
def test_the_first_difference_is_found(column: int, why: str) -> None:
    record, trace = kept(FOLDER / "0.1.0" / "zahltag-3.jsonl")
    changed = list(trace)
    for n in (7, 9):
        events, choices = trace[n]
        changed[n] = ("00000000", choices) if column == 0 else (events, "00000000")
    assert corpus.difference(record, REGISTRY.get("zahltag"), changed) == corpus.Difference(7, why)


def test_a_decision_that_is_not_allowed_any_more_is_a_difference() -> None:
    record, trace = kept(FOLDER / "0.1.0" / "zahltag-3.jsonl")
    seat, _ = record.decisions[11]
    others = (*record.decisions[:11], (seat, 999_999), *record.decisions[12:])
    found = corpus.difference(replace(record, decisions=others), REGISTRY.get("zahltag"), trace)
    assert found is not None
    assert found.decision == 12
    assert "not allowed" in found.why


def test_another_rules_version_is_compared_all_the_same() -> None:
    record, trace = kept(FOLDER / "0.1.0" / "zahltag-2.jsonl")
    game = REGISTRY.get("zahltag")
    older = replace(record, rules_version="0", edition="0123456789abcdef")
    with pytest.raises(RecordError, match="rules version"):
        list(replay(older, game))
    assert corpus.difference(older, game, trace) is None


@pytest.mark.parametrize("text", ["0 aaaa\n", "1 aaaa bbbb\n", "0 aaaa bbbb\n0 aaaa bbbb\n"])
def test_what_is_no_trace_is_refused_with_its_line(text: str) -> None:
    with pytest.raises(corpus.TraceError, match="line"):
        corpus.read(text)


def test_a_trace_of_another_game_is_refused() -> None:
    record, trace = kept(FOLDER / "0.1.0" / "zahltag-2.jsonl")
    with pytest.raises(corpus.TraceError, match="decisions"):
        corpus.difference(record, REGISTRY.get("zahltag"), trace[:-1])


def test_the_command_says_which_games_another_edition_changes_and_where(tmp_path: Path) -> None:
    for name in ("zahltag-2", "zahltag-4"):
        for ending in (".jsonl", ".trace"):
            shutil.copy(FOLDER / "0.1.0" / f"{name}{ending}", tmp_path)
    same = run(str(tmp_path))
    assert same.exit_code == 0, same.output
    assert "2 records, of which 0 go another way" in same.output

    edition = tmp_path / "cards"
    copied = CliRunner().invoke(cli.app, ["editions", "copy", "zahltag", str(edition)])
    assert copied.exit_code == 0, copied.output
    jobs = edition / "jobs.csv"
    lines = jobs.read_text(encoding="utf-8").splitlines()
    jobs.write_text("\n".join([lines[0], *reversed(lines[1:])]) + "\n", encoding="utf-8")
    changed = run(str(tmp_path), "--edition", str(edition))
    assert changed.exit_code == 1
    assert "2 records, of which 2 go another way" in changed.output
    assert "zahltag-2.jsonl: from " in changed.output


def test_the_command_says_what_is_missing(tmp_path: Path) -> None:
    nothing = run(str(tmp_path))
    assert nothing.exit_code == 2
    assert "no record" in nothing.output
    shutil.copy(FOLDER / "0.1.0" / "zahltag-2.jsonl", tmp_path)
    bare = run(str(tmp_path))
    assert bare.exit_code == 2
    assert "--keep" in bare.output
    assert run(str(tmp_path), "--keep").exit_code == 0
    assert run(str(tmp_path)).exit_code == 0
    (tmp_path / "zahltag-2.jsonl").write_text("{}\n", encoding="utf-8")
    assert "no record that can be played" in run(str(tmp_path)).output
