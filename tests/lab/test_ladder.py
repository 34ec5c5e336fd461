"""Ladders: rotated seats, results that can be gone on with, a page that says how it was made."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from shopfloor.bots import UnknownLevel
from shopfloor.bots.random import RandomBot
from shopfloor.engine.refusals import BadSetup
from shopfloor.games import REGISTRY
from shopfloor.lab import ladder
from shopfloor.lab.ratings import rated
from shopfloor.lab.results import ResultsError
from tests.conformance.cases import Case, every_count

LEVELS = ("random", "greedy")


@every_count
def test_every_deal_is_played_from_every_seat(case: Case, tmp_path: Path) -> None:
    results = tmp_path / "deep" / "results.jsonl"
    found = ladder.run(case.game.id, [case.players], LEVELS, 5 * case.players - 1, results_path=results)
    (rung,) = found.rungs
    assert rung.games == 5 * case.players
    assert rung.pairing == ladder.Pairing(case.players, "greedy", "random")
    lines = [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]
    assert sorted((line["deal"], line["seat"]) for line in lines) == [(d, s) for d in range(5) for s in case.seats]
    assert rung.share == pytest.approx(sum(line["share"] for line in lines) / len(lines))
    assert rung.place == pytest.approx(sum(line["place"] for line in lines) / len(lines))
    assert rung.share_interval[0] <= rung.share <= rung.share_interval[1]
    assert rung.place_interval[0] <= rung.place <= rung.place_interval[1]
    assert rung.verdict == "stronger"


@every_count
def test_equals_are_not_told_apart(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "KNOWN", ("random", "other"))
    monkeypatch.setattr(ladder, "thinking_time", lambda _level, _most: 0.0)
    monkeypatch.setattr("shopfloor.lab.match.make_bot", lambda _level, seed, *_: RandomBot(seed))
    (rung,) = ladder.run(case.game.id, [case.players], ("random", "other"), 300).rungs
    # One in twenty intervals at 95 % misses the truth, so some game's may; further away than this, none does.
    assert abs(rung.share - rung.even) < 3.5 * (rung.even * (1 - rung.even) / rung.games) ** 0.5
    low, high = rung.share_interval
    assert (rung.verdict == "open") == (low <= rung.even <= high)


@every_count
def test_an_interrupted_ladder_goes_on(case: Case, tmp_path: Path) -> None:
    whole = ladder.run(case.game.id, [case.players], LEVELS, 20)
    results = tmp_path / "results.jsonl"

    class Stop(Exception):
        pass

    def stop(done: int, _of: int, last: ladder.Played | None) -> None:
        if last is not None and done == 7:
            raise Stop

    with pytest.raises(Stop):
        ladder.run(case.game.id, [case.players], LEVELS, 20, results_path=results, on_progress=stop)
    text = results.read_text(encoding="utf-8")
    assert text.count("\n") == 7
    results.write_text(text[:-30], encoding="utf-8")  # the machine went down while the last line was written
    told: list[tuple[int, ladder.Played | None]] = []
    again = ladder.run(
        case.game.id,
        [case.players],
        LEVELS,
        20,
        results_path=results,
        processes=2,
        on_progress=lambda done, _, last: told.append((done, last)),
    )
    assert told[0] == (6, None)
    assert len(told) == 1 + again.rungs[0].games - 6
    assert (again.rungs[0].share, again.rungs[0].place) == (whole.rungs[0].share, whole.rungs[0].place)
    assert len(ladder.read_results(results)) == again.rungs[0].games
    # Once more, nothing is left to play.
    told.clear()
    ladder.run(
        case.game.id, [case.players], LEVELS, 20, results_path=results, on_progress=lambda d, _, p: told.append((d, p))
    )
    assert told == [(again.rungs[0].games, None)]


@every_count
def test_results_of_other_rules_or_budgets_do_not_count(case: Case, tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    ladder.run(case.game.id, [case.players], LEVELS, case.players, results_path=results)
    for key, value in (
        ("rules", "0"),
        ("edition", "another"),
        ("minds", "?"),
        ("build", "?"),
        ("budget", 7.0),
        ("game", "other"),
    ):
        lines = [json.loads(line) | {key: value} for line in results.read_text(encoding="utf-8").splitlines()]
        foreign = tmp_path / f"{key}.jsonl"
        foreign.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        told: list[int] = []

        def note(done: int, _of: int, _last: ladder.Played | None, told: list[int] = told) -> None:
            told.append(done)

        ladder.run(
            case.game.id,
            [case.players],
            LEVELS,
            case.players,
            results_path=foreign,
            on_progress=note,
        )
        assert told[0] == 0


def test_a_results_file_that_is_none(tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    results.write_text('{"game": 1}\n{"game": 2}\n', encoding="utf-8")
    with pytest.raises(ResultsError, match=r"results.jsonl, line 1: this is no result"):
        ladder.read_results(results)


@every_count
@pytest.mark.parametrize("processes", [1, 2])
def test_a_ladder_that_runs_out_of_time_counts_whole_deals(case: Case, processes: int) -> None:
    last: list[int] = []
    found = ladder.run(
        case.game.id,
        [case.players],
        ("random", "greedy", "search"),
        10_000,
        0.001,
        processes,
        on_progress=lambda done, _of, _last: last.append(done),
        minutes=0.02,
    )
    games = sum(rung.games for rung in found.rungs)
    assert last[-1] - 3 * case.players < games <= last[-1] < 30_000
    assert all(rung.games > 0 and rung.games % case.players == 0 for rung in found.rungs)
    assert found.command.endswith("--games 10000 --budget 0.001 --minutes 0.02")


@every_count
def test_the_page_says_everything(case: Case, tmp_path: Path) -> None:
    page = tmp_path / "ladder" / "page.md"
    found = ladder.run(case.game.id, [case.players], LEVELS, case.players)
    found.write(page)
    text = page.read_text(encoding="utf-8")
    assert text == found.markdown(page)
    assert f"--games {case.players} --page {page.as_posix()}\n" in text
    assert "--page" not in found.markdown()
    assert f"| {case.players} | greedy | {case.players - 1} × random | {case.players} |" in text
    assert "![Shares of victories with their intervals](page.svg)" in text
    drawn = ElementTree.parse(page.with_suffix(".svg"))
    words = [element.text for element in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert {f"{case.players} players", "greedy against random", str(case.players)} <= set(words)
    (players, (first, *_)), *_ = found.ratings
    assert f"| {players} | {first.level} {first.mu:.1f} (" in text
    assert (
        f"shopfloor ladder {case.game.id} --players {case.players} --levels random,greedy --games {case.players}"
        in text
    )
    assert found.edition in text
    assert f"The programs ran {found.build}; " in text
    assert found.build in ("compiled", "interpreted", "partly compiled (the game)")


@every_count
def test_what_makes_no_sense(case: Case) -> None:
    game = case.game.id
    with pytest.raises(BadSetup):
        ladder.run(game, [99])
    with pytest.raises(UnknownLevel):
        ladder.run(game, None, ["random", "genius"])
    for levels in (["random"], ["random", "random"]):
        with pytest.raises(ValueError, match="at least two levels"):
            ladder.run(game, None, levels)
    with pytest.raises(ValueError, match="at least 1 game"):
        ladder.run(game, None, None, 0)
    with pytest.raises(ValueError, match="more than 0 seconds"):
        ladder.run(game, None, None, 1, 0.0)
    with pytest.raises(ValueError, match="more than 0 minutes"):
        ladder.run(game, None, None, 1, minutes=0.0)


@every_count
def test_scores_and_ratings_come_from_the_same_games(case: Case, tmp_path: Path) -> None:
    results = tmp_path / "games.jsonl"
    found = ladder.run(case.game.id, [case.players], LEVELS, 4 * case.players, results_path=results)
    games = ladder.read_results(results)
    (rung,) = found.rungs
    assert rung.score == pytest.approx(sum(game.score for game in games) / len(games))
    assert 0.0 <= rung.ahead_interval[0] <= rung.ahead <= rung.ahead_interval[1] <= 1.0
    if case.players == 2:
        assert rung.ahead == pytest.approx(rung.share), "with one other, who is left behind is who loses"
    assert all(game.places[game.seat] == game.place and len(game.places) == case.players for game in games)
    ((players, ratings),) = found.ratings
    assert players == case.players
    assert {one.level for one in ratings} == set(LEVELS)
    assert all(one.low < one.mu < one.high and one.games == len(games) for one in ratings)
    # In another order of coming in, the same games give the same ratings.
    again = ladder._ratings(games[::-1])
    assert again == found.ratings
    # What one pairing has played on alone does not count: a pairing that stopped early would seem weaker for it.
    first = [game for game in games if game.deal == 0]
    other = [replace(game, challenger="master", field="greedy") for game in first]
    assert ladder._ratings([*games, *other]) == ladder._ratings([*first, *other])


def test_who_is_left_behind_is_counted_at_any_number_of_players() -> None:
    def game(deal: int, seat: int, places: list[int]) -> ladder.Played:
        share = 1.0 / places.count(1) if places[seat] == 1 else 0.0
        blank = ladder.Played(
            "", "", "", "", "", 4, "greedy", "random", 0.0, 0, 0, 1, 0.0, 1, 0.0, 3, 0.0, [], 0.0, 0.0
        )
        return replace(blank, deal=deal, seat=seat, place=places[seat], share=share, places=places)

    # First; second beside another; third; last: it leaves 3, 1 and a half, 1 and none of three others behind.
    found = [game(0, 0, [1, 2, 3, 4]), game(0, 1, [1, 2, 2, 4]), game(0, 2, [1, 2, 3, 4]), game(0, 3, [1, 2, 3, 4])]
    rung = ladder._rung(ladder.Pairing(4, "greedy", "random"), found)
    assert rung is not None
    assert rung.ahead == pytest.approx((3 + 1.5 + 1 + 0) / 3 / 4)
    assert rung.ahead_interval == (0.0, 1.0), "one deal says nothing of how sure that is"


def test_ratings_tell_the_stronger_and_are_surer_of_more_games() -> None:
    few = rated([(("good", "bad"), (1, 2))] * 5)
    many = rated([(("good", "bad"), (1, 2))] * 50)
    assert [one.level for one in few] == [one.level for one in many] == ["good", "bad"]
    assert many[0].low > many[1].high
    assert many[0].high - many[0].low < few[0].high - few[0].low
    # A table full of a level is one opinion of it, not several; among themselves they tell nothing.
    full = rated([(("good", "bad", "bad", "bad"), (1, 2, 3, 4))])
    assert {one.level: one.games for one in full} == {"good": 1, "bad": 1}
    alone = rated([(("good", "good"), (1, 2))])
    assert [(one.mu, one.games) for one in alone] == [(25.0, 1)]


def test_without_names_each_level_challenges_the_one_below() -> None:
    game = REGISTRY.get("zahltag")
    pairs = [(pair.challenger, pair.field) for pair in ladder.pairings(game, [2])]
    assert pairs == [
        ("apprentice", "random"),
        ("journeyman", "apprentice"),
        ("master", "journeyman"),
        ("foreman", "master"),
        ("foreman", "random"),
    ]
