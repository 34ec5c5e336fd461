"""People's own choice of Departments: on the site, by the API, and in the terminal (TA-3.5)."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from litestar import Litestar
from litestar.testing import TestClient
from typer.testing import CliRunner

from shopfloor.cli import app
from shopfloor.engine.options import pick_counts, resolve_options
from shopfloor.engine.refusals import BadSetup
from shopfloor.games.temp_worker_assassins import GAME
from tests.web.test_site import Browser

FIVE = "DP14+DP16+DP21+DP30+DP09"
DEPARTMENTS = GAME.options[0]


def wanted(players: int, **options: str) -> int:
    for found in pick_counts(DEPARTMENTS, GAME.options, GAME.player_counts):
        if found.players == players and dict(found.given).items() <= options.items():
            return found.count
    raise AssertionError(f"no number of picks for {players} players with {options}")


@pytest.mark.rule("TA-3.5", "TA-9.1")
def test_how_many_departments_are_wanted() -> None:
    assert [wanted(n, no_trashing="no") for n in (2, 3, 4)] == [5, 5, 4]
    assert [wanted(n, no_trashing="yes") for n in (2, 3, 4)] == [6, 6, 5]


def test_what_counts_as_an_own_choice() -> None:
    for value in ("DP14", FIVE, "DP14+nonsense"):
        assert resolve_options(GAME.options, {"departments": value}, 3)["departments"] == value
    for value in ("", "chess", "+", "DP14+", "DP14++DP16", "DP14 DP16", "DP14+\u0663"):
        with pytest.raises(BadSetup) as caught:
            resolve_options(GAME.options, {"departments": value}, 3)
        assert caught.value.refusal.code == "BAD_OPTION"


# What people pick, with how many players and which options, and what they are told.
WRONG = [
    (3, {}, "", "No departments are picked."),
    (3, {}, "DP14", "Departments picked: 1. This table wants exactly 5."),
    (3, {}, "DP14+DP16+DP21+DP30", "Departments picked: 4. This table wants exactly 5."),
    (3, {}, FIVE + "+DP11", "Departments picked: 6. This table wants exactly 5."),
    (3, {"no_trashing": "yes"}, FIVE, "Departments picked: 5. This table wants exactly 6."),
    (4, {}, FIVE.replace("DP09", "DP11"), "Departments picked: 5. This table wants exactly 4."),
    (4, {}, "DP14+DP16+DP21+DP09", "Haunted Helpdesk cannot be picked: it is in play already"),
    (3, {}, "DP14+DP14+DP21+DP30+DP09", "Appalling Admin Dept is picked twice"),
    (3, {}, "DP14+DP99+DP21+DP30+DP09", "There is no department"),
    (3, {}, "DP01+DP16+DP21+DP30+DP09", "cannot be picked: it is in play already"),
    (4, {"hard_mode": "yes"}, "DP11+DP12+DP16+DP19", "Hard Mode with four needs a department with two spaces"),
]


@pytest.mark.rule("TA-3.5", "TA-9.1", "TA-9.4", "TA-A23")
@pytest.mark.parametrize(("players", "options", "picks", "says"), WRONG)
def test_wrong_picks_are_told_by_the_api(
    client: httpx.Client, players: int, options: dict[str, str], picks: str, says: str
) -> None:
    sent = {"game": GAME.id, "players": players, "options": {"departments": picks, **options}}
    answer = client.post("/api/tables", json=sent)
    assert answer.status_code == 400
    assert says in answer.json()["sentence"]
    assert answer.json()["code"] == ("BAD_DEPARTMENTS" if picks else "BAD_OPTION")


@pytest.mark.parametrize(("players", "options", "picks", "says"), WRONG)
def test_wrong_picks_are_told_by_the_site(
    client: TestClient[Litestar], players: int, options: dict[str, str], picks: str, says: str
) -> None:
    ann = Browser(client)
    ann.get(f"/games/{GAME.id}")
    answer = ann.post("/tables", **form(players, options, picks))
    assert answer.status_code == 400
    assert says in answer.text
    for pick in picks.split("+"):
        assert not pick or pick not in DEPARTMENTS.picks or f'value="{pick}" checked' in answer.text


@pytest.mark.parametrize(("players", "options", "picks", "says"), WRONG)
def test_wrong_picks_are_told_in_the_terminal(players: int, options: dict[str, str], picks: str, says: str) -> None:
    given = [f"--option={name}={value}" for name, value in {"departments": picks, **options}.items()]
    result = CliRunner(env={"COLUMNS": "200"}).invoke(app, ["play", GAME.id, "--players", str(players), *given])
    assert result.exit_code != 0
    assert says in result.output


def form(players: int, options: dict[str, str], picks: str) -> dict[str, Any]:
    """The form of the set-up page as a browser without script sends it."""
    more = {f"option.{name}": value for name, value in options.items()}
    ticked = {f"pick.{DEPARTMENTS.id}": picks.split("+")} if picks else {}
    names = {"game": GAME.id, "players": str(players), "your_name": "Ann", "others": "friend"}
    return {**names, "option.departments": "+", **more, **ticked}


@pytest.mark.rule("TA-3.5")
def test_the_site_makes_the_table_that_was_ticked(client: TestClient[Litestar]) -> None:
    ann = Browser(client)
    page = ann.get(f"/games/{GAME.id}").text
    for pick in DEPARTMENTS.picks:
        assert f'name="pick.departments" value="{pick}"' in page
        assert GAME.words.option_value("departments", pick) in page
    answer = ann.post("/tables", **form(2, {}, FIVE))
    path = answer.headers["location"]
    made = client.get(path.replace("/t/", "/api/tables/")).json()
    assert made["options"]["departments"] == FIVE
    lobby = ann.get(path).text
    assert "Appalling Admin Dept" in lobby


def test_ticks_count_only_where_people_choose_for_themselves(client: TestClient[Litestar]) -> None:
    ann = Browser(client)
    ann.get(f"/games/{GAME.id}")
    answer = ann.post("/tables", **(form(2, {}, "DP14+DP16") | {"option.departments": "random"}))
    made = client.get(answer.headers["location"].replace("/t/", "/api/tables/")).json()
    assert made["options"]["departments"] == "random"


def test_the_api_says_what_there_is_to_choose_from(client: httpx.Client) -> None:
    found = client.get(f"/api/games/{GAME.id}").json()["options"][0]
    assert [pick["value"] for pick in found["picks"]] == list(DEPARTMENTS.picks)
    admin = next(pick for pick in found["picks"] if pick["value"] == "DP14")
    assert admin == {
        "value": "DP14",
        "words": "Appalling Admin Dept",
        "explanation": "Draw 1, trash 1; Draw 2",
        "closed_with": [],
    }
    assert [pick["value"] for pick in found["picks"] if pick["closed_with"] == [4]] == ["DP09"]
    assert {"players": 4, "options": {"no_trashing": "yes"}, "count": 5} in found["pick_counts"]
    made = client.post(
        "/api/tables", json={"game": GAME.id, "players": 2, "options": {"departments": FIVE, "no_trashing": "no"}}
    )
    assert made.status_code == 201


def test_the_terminal_says_what_there_is_to_choose_from() -> None:
    result = CliRunner(env={"COLUMNS": "160"}).invoke(app, ["games", GAME.id])
    assert result.exit_code == 0
    for pick in DEPARTMENTS.picks:
        assert pick in result.output
        assert GAME.words.option_value("departments", pick) in result.output
    assert "6 picks with 2 players, no_trashing=yes" in result.output


def test_the_terminal_plays_with_own_departments() -> None:
    arguments = ["play", GAME.id, "--players", "2", "--people", "0", "--seed", "3", f"--option=departments={FIVE}"]
    result = CliRunner(env={"COLUMNS": "160"}).invoke(app, arguments)
    assert result.exit_code == 0, result.output
    assert "Appalling Admin Dept" in result.output
