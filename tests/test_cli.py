"""The command `shopfloor`, as somebody at a keyboard uses it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from shopfloor import cli
from shopfloor.cli import app
from shopfloor.games import REGISTRY

RUNNER = CliRunner()


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal in which no table is cut, whatever the tests run in."""
    for console in (cli.console, cli.errors):
        monkeypatch.setattr(console, "width", 160)


def run(*arguments: str, typed: str | None = None) -> Result:
    return RUNNER.invoke(app, list(arguments), input=typed)


def play(tmp_path: Path, typed: str, *more: str) -> tuple[Result, Path]:
    record = tmp_path / "game.jsonl"
    result = run("play", "zahltag", "--seed", "4", "--save", str(record), *more, typed=typed)
    return result, record


def test_games_lists_every_game() -> None:
    result = run("games")
    assert result.exit_code == 0
    for game in REGISTRY.all():
        assert game.title in result.output


def test_version_says_which_build_runs() -> None:
    result = run("--version")
    assert result.exit_code == 0
    assert "interpreted" in result.output or "compiled" in result.output


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_whole_game_against_computers_and_its_replay(tmp_path: Path, players: int) -> None:
    result, record = play(tmp_path, "1\n" * 80, "--players", str(players), "--bots", "greedy")
    assert result.exit_code == 0, result.output
    assert "Final ranking" in result.output
    checked = run("replay", str(record), "--check")
    assert checked.exit_code == 0
    assert "all of them right" in checked.output
    told = run("replay", str(record))
    assert told.exit_code == 0
    assert "Final ranking" in told.output
    assert "ZT-11.1" in told.output or "ZT-A27" in told.output


def test_a_hint_says_what_one_might_do_and_plays_nothing(tmp_path: Path) -> None:
    result, record = play(tmp_path, "hint\nquit\n", "--players", "2", "--option", "first_player=0")
    assert result.exit_code == 0, result.output
    assert 2 <= result.output.count("An expected ") <= 3
    assert "imagined positions" in result.output
    assert '"decisions": 0' in record.read_text(encoding="utf-8")
    refused, _ = play(tmp_path, "hint\nquit\n", "--players", "2", "--no-hints")
    assert "nobody is advised" in refused.output
    assert "An expected" not in refused.output


def test_two_people_at_one_keyboard_do_not_see_each_others_cards(tmp_path: Path) -> None:
    result, _ = play(
        tmp_path, "\n1\n" * 3 + "quit\n", "--players", "2", "--people", "2", "--name", "Ann", "--name", "Bob"
    )
    assert result.exit_code == 0, result.output
    assert "press Enter when only you look" in result.output
    assert "dealt" not in result.output


def test_computers_alone_play_to_the_end(tmp_path: Path) -> None:
    result, _ = play(tmp_path, "", "--people", "0", "--players", "4", "--bots", "random,greedy,random,greedy")
    assert result.exit_code == 0, result.output
    assert "Final ranking" in result.output


def test_undo_takes_back_a_decision_from_which_nobody_has_learned(tmp_path: Path) -> None:
    result, record = play(tmp_path, "discard worker\nundo\nundo\ndone\nquit\n", "-o", "first_player=0")
    assert "Taken back." in result.output
    assert "There is nothing to take back" in result.output
    lines = record.read_text().splitlines()
    assert '"seat": 0, "action": 0' in lines[1], lines[1]


def test_a_wrong_answer_is_explained_and_changes_nothing(tmp_path: Path) -> None:
    typed = "foo\n99\nbid 3\nbid 9\nexchange foreman foreman\nwhy bid 3\nquit\n"
    result, record = play(tmp_path, typed, "-o", "first_player=0")
    assert "There is no action" in result.output
    assert "There is no number 99" in result.output
    assert "No Offer card shows 9" in result.output
    assert result.output.count("Now hands are adjusted") == 2
    assert len(record.read_text().splitlines()) == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["play", "chess"], "There is no game 'chess'"),
        (["play", "zahltag", "--players", "7"], "by 2, 3 and 4 people, not by 7"),
        (["play", "zahltag", "--option", "card_cap=maybe"], "cannot be 'maybe'"),
        (["play", "zahltag", "--option", "speed=1"], "There is no option 'speed'"),
        (["play", "zahltag", "--option", "speed"], "NAME=VALUE"),
        (["play", "zahltag", "--bots", "genius"], "There is no computer player 'genius'"),
        (["play", "zahltag", "--players", "4", "--bots", "greedy,random"], "3 computers play, but 2 levels"),
        (["play", "zahltag", "--people", "9"], "9 people cannot sit"),
        (["replay", "no-such-file"], "cannot be read"),
        (["editions", "check", "no-such-folder"], "is not a folder"),
    ],
)
def test_mistakes_on_the_command_line_are_told_in_a_sentence(arguments: list[str], said: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert said in " ".join(result.output.split())
    assert "Traceback" not in result.output


def test_replay_shows_a_moment_with_the_eyes_of_a_seat(tmp_path: Path) -> None:
    _, record = play(tmp_path, "1\n" * 80)
    spectator = run("replay", str(record), "--at", "12")
    own = run("replay", str(record), "--at", "12", "--seat", "1")
    assert "You are dealt" not in spectator.output
    assert "You are dealt" in own.output
    assert run("replay", str(record), "--seat", "9").exit_code == 2
    assert run("replay", str(record), "--at", "9999").exit_code == 2


def test_a_truncated_or_edited_record_is_refused(tmp_path: Path) -> None:
    _, record = play(tmp_path, "1\n" * 80)
    text = record.read_text()
    record.write_text(text[: len(text) // 2])
    cut = run("replay", str(record))
    assert cut.exit_code == 2
    assert "line" in cut.output
    record.write_text(text.replace('"seed": 4', '"seed": 5'))
    edited = run("replay", str(record), "--check")
    assert edited.exit_code == 2
    assert "edited" in edited.output


def test_an_edition_is_copied_edited_and_checked(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    assert run("editions", "copy", "zahltag", str(folder)).exit_code == 0
    assert run("editions", "check", str(folder)).exit_code == 0
    assert run("editions", "copy", "zahltag", str(folder)).exit_code == 2
    jobs = folder / "jobs.csv"
    lines = jobs.read_text().splitlines()
    lines[3] = lines[3].replace(",1,reconstructed", ",many,reconstructed")
    jobs.write_text("\n".join(lines))
    result = run("editions", "check", str(folder))
    assert result.exit_code == 2
    assert "jobs.csv, line 4: column 'copies' is 'many'" in " ".join(result.output.split())
    refused = run("play", "zahltag", "--edition", str(folder))
    assert refused.exit_code == 2
    assert "jobs.csv, line 4" in refused.output


def test_a_game_with_an_owners_edition_replays_only_with_it(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    shutil.copytree(REGISTRY.get("zahltag").folder / "data", folder)
    jobs = folder / "jobs.csv"
    jobs.write_text(jobs.read_text().replace("Allotment Shed", "Garden Shed"))
    result, record = play(tmp_path, "1\n" * 80, "--edition", str(folder))
    assert result.exit_code == 0, result.output
    assert run("replay", str(record), "--check").exit_code == 2
    assert run("replay", str(record), "--check", "--edition", str(folder)).exit_code == 0


def test_simulate_adds_up_games(tmp_path: Path) -> None:
    result = run("simulate", "zahltag", "--games", "40", "--players", "3", "--bots", "random", "--seed", "3")
    assert result.exit_code == 0, result.output
    assert "40 games of Zahltag" in result.output
    assert "Seat 3, random" in result.output
    again = run("simulate", "zahltag", "--games", "40", "--players", "3", "--bots", "random", "--seed", "3")
    row = next(line for line in result.output.splitlines() if "Money" in line)
    assert row in again.output


def test_ladder_prints_intervals_keeps_results_and_writes_a_page(tmp_path: Path) -> None:
    results, page = tmp_path / "games.jsonl", tmp_path / "zahltag.md"
    arguments = [
        "ladder",
        "zahltag",
        "--players",
        "2",
        "--levels",
        "random,greedy",
        "--games",
        "20",
        "--processes",
        "1",
    ]
    result = run(*arguments, "--results", str(results), "--page", str(page))
    assert result.exit_code == 0, result.output
    assert "greedy against 1 random" in result.output
    assert "stronger" in result.output
    assert "| 2 | greedy |" in page.read_text()
    assert len(results.read_text().splitlines()) == 20
    assert run(*arguments, "--results", str(results)).exit_code == 0
    assert len(results.read_text().splitlines()) == 20, "games in the file are not played again"


def test_ladder_tells_what_levels_lose_and_who_wins_from_where(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    one = ["--levels", "random", "--games", "1", "--processes", "1", "--page", str(page)]
    result = run("ladder", "zahltag", "--exact", *one)
    assert result.exit_code == 0, result.output
    assert "solved to within" in result.output
    assert "# What the computer players of Zahltag lose to who knows them" in page.read_text()
    result = run("ladder", "zahltag", "--balance", "--players", "2", "-o", "setup_adjust=round_robin", *one)
    assert result.exit_code == 0, result.output
    assert "second to move" in result.output
    assert "-o setup_adjust" not in page.read_text()
    assert "--option setup_adjust=round_robin" in page.read_text()
    assert "# Whether Zahltag is fair to its seats" in page.read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["ladder", "zahltag", "--exact", "--balance"], "ask for one at a time"),
        (["ladder", "zahltag", "--edition", "somewhere"], "are about --balance"),
        (["ladder", "zahltag", "--exact", "--players", "3"], "--exact is about games of two"),
        (["ladder", "worker_placement", "--exact"], "no positions cut down until they can be solved; Zahltag has"),
        (["ladder", "zahltag", "--balance", "--levels", "random,greedy"], "name one"),
        (["ladder", "zahltag", "--balance", "-o", "colour=red"], "colour"),
        (["simulate", "zahltag", "--players", "9"], "by 2, 3 and 4 people, not by 9"),
        (["ladder", "zahltag", "--levels", "genius"], "there is no computer player 'genius'"),
        (["ladder", "zahltag", "--players", "7"], "not by 7"),
    ],
)
def test_the_laboratory_tells_mistakes_in_a_sentence(arguments: list[str], said: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert said in " ".join(result.output.split())
