"""Finished games looked at again, at the site and in the API."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from shopfloor.engine.dice import FastDice
from shopfloor.tables import play
from shopfloor.tables.pool import Pool
from shopfloor.tables.service import Tables
from tests.web.programs import Program, new_key, people_at_table, play_on


def analysed(person: Program) -> dict[str, object]:
    for _ in range(4):
        answer = person.get("/analysis")
        if answer.status_code != 503:
            break
        assert answer.json()["code"] == "ANALYSIS_NOT_READY"
    assert answer.status_code == 200, answer.text
    found: dict[str, object] = answer.json()
    return found


def test_a_finished_game_is_looked_at_again(client: TestClient[Litestar]) -> None:
    people = people_at_table(client, 2)
    path = f"/t/{people[0].table}"
    early = people[0].get("/analysis")
    assert (early.status_code, early.json()["code"]) == (409, "STILL_RUNNING")
    assert client.get(f"{path}/analysis").status_code == 409
    assert client.get(f"{path}/at/5").status_code == 409
    play_on(people, Random(3))

    waiting = client.get(f"{path}/analysis").text
    assert 'http-equiv="refresh"' in waiting or "<svg" in waiting
    found = analysed(people[0])
    assert analysed(people[1]) == found, "it is kept"
    lines = {line["number"]: line for line in people[0].get("/log").json()}
    numbers = found["numbers"]
    assert isinstance(numbers, list)
    assert len(numbers) == found["decisions"]
    assert all(lines[number]["kind"] == "play" for number in numbers)
    costly = found["costly"]
    assert isinstance(costly, list)
    for one in costly:
        assert lines[one["number"]]["seat"] == one["seat"]
        assert f"{100 * one['cost']:.0f} %" in one["sentence"]
    assert [account["seat"] for account in found["accounts"]] == [0, 1]  # type: ignore[attr-defined]

    page = client.get(f"{path}/analysis?at=4").text
    assert 'http-equiv="refresh"' not in page
    assert page.count('class="line p') == 4, "two lines, and two in the key"
    assert "After decision 4 of" in page
    assert f'src="{path}/at/{numbers[3]}"' in page
    for one in costly:
        assert one["sentence"].split("“")[0] in page
    assert client.get(f"{path}/analysis?at=99999999").status_code == 200
    assert client.get(f"{path}/analysis?at=x").status_code == 200


def test_every_turning_point_says_what_was_decided(client: TestClient[Litestar]) -> None:
    """Also where nobody else at the table heard of it, as of what goes face down in the draft."""
    people = people_at_table(client, 2, game="worker_placement", options={"rounds": "5"})
    play_on(people, Random(4))
    turning: Any = analysed(people[0])["turning"]
    assert turning
    assert all(point["sentences"] for point in turning)


def test_a_moment_of_it_may_stand_in_our_page_and_shows_what_all_could_see(client: TestClient[Litestar]) -> None:
    people = people_at_table(client, 2)
    play_on(people, Random(4))
    path = f"/t/{people[0].table}"
    plays = [line["number"] for line in people[0].get("/log").json() if line["kind"] == "play"]
    early, late = (client.get(f"{path}/at/{number}") for number in (plays[3], plays[-1]))
    for answer in (early, late):
        assert answer.status_code == 200
        assert answer.headers["x-frame-options"] == "SAMEORIGIN"
        assert "frame-ancestors 'self'" in answer.headers["content-security-policy"]
    assert re.search(rf'data-number="{plays[3]}"', early.text)
    assert "Final ranking" not in early.text
    assert "Final ranking" in late.text
    assert "You see what is open to all" in early.text, "as a spectator"
    # Every other page stays out of frames.
    assert client.get(path).headers["x-frame-options"] == "DENY"


def test_many_questions_are_one_computation(client: TestClient[Litestar], monkeypatch: pytest.MonkeyPatch) -> None:
    people = people_at_table(client, 2)
    play_on(people, Random(5))
    begun: list[str] = []
    sound = Pool.submit

    def submit(pool: Pool, job: Any, *of: Any) -> Any:
        begun.append(job.__name__)
        return sound(pool, job, *of)

    monkeypatch.setattr(Pool, "submit", submit)
    found = [analysed(people[0]) for _ in range(6)]
    assert found == [found[0]] * 6
    assert begun == ["analyse"]


def test_what_hands_did_is_told_from_the_record(client: TestClient[Litestar], monkeypatch: pytest.MonkeyPatch) -> None:
    # The dice say what hands do, so that the game is over soon: until somebody has lost all certificates.
    monkeypatch.setattr(play, "world_of", lambda _: None)
    options = {"expert": "all", "youngest": "0"}
    people = people_at_table(client, 2, game="men_at_work", options=options)
    tables: Tables = client.app.state.services.tables
    rng = Random(6)
    for _ in range(5000):
        table = tables.table(people[0].table)
        if table.status == "over":
            break
        seat = table.deciders()[0]
        rates = table.bot_seat(seat, FastDice(rng.getrandbits(30))).rate()
        action = table.legal(seat)[max(range(len(rates)), key=lambda i: (rates[i], i))]
        token = people[seat].token
        assert token is not None
        tables.act(table.id, token, action, table.decision_number(seat), new_key())
    path = f"/t/{people[0].table}"
    assert f'href="{path}/analysis"' in client.get(path).text
    found: dict[str, Any] = analysed(people[0])
    assert found["by_hand"] > 0
    lines = {line["number"]: line for line in people[0].get("/log").json()}
    lost = {n for n, line in lines.items() if any(e["kind"] == "certificate_lost" for e in line["events"])}
    chances = {moment["decisions"]: moment["chances"] for moment in found["moments"]}
    assert lost or not found["slips"]
    for slip in found["slips"]:
        assert lines[slip["number"]]["seat"] == slip["seat"]
        assert slip["number"] in lost
        before, after = (chances[slip["decision"] - 1][slip["seat"]], chances[slip["decision"]][slip["seat"]])
        assert (slip["before"], slip["after"]) == pytest.approx((before, after), abs=1e-5)
        told = f"fell from {100 * slip['before']:.0f} % to {100 * slip['after']:.0f} %."
        assert slip["sentence"].endswith(told)
    for account in found["accounts"]:
        parts = sum(account[part] for part in ("start", "own", "hand", "others", "luck"))
        assert parts == pytest.approx(account["result"])
    page = client.get(f"{path}/analysis").text
    assert "What the hand cost most" in page
    for slip in found["slips"]:
        assert slip["sentence"].split("'")[0] in page
