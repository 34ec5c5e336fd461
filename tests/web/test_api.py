"""What programs can do through the JSON API."""

from __future__ import annotations

import hashlib
import json
import secrets
from random import Random

import httpx
import msgspec
import pytest

from shopfloor.engine.records import load, replay
from shopfloor.games import REGISTRY
from tests.web.programs import Program, new_key, new_table, people_at_table, play_on


def test_games_are_described(client: httpx.Client) -> None:
    games = client.get("/api/games").json()
    assert "zahltag" in [game["id"] for game in games]
    game = client.get("/api/games/zahltag").json()
    assert game["player_counts"] == [2, 3, 4]
    assert [option["id"] for option in game["options"]] == ["setup_adjust", "first_player", "card_cap", "tie_debt"]
    for option in game["options"]:
        assert option["explanation"]
        assert option["default"] in [value["value"] for value in option["values"]]
    assert game["actions"][0] == {"id": 0, "name": "pass"}
    assert [level["id"] for level in game["levels"]] == [
        "random",
        "apprentice",
        "journeyman",
        "master",
        "foreman",
    ]
    assert "ZahltagView" in game["view"]["$defs"]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_whole_game(client: httpx.Client, players: int) -> None:
    people = people_at_table(client, players, name="Friday", options={"first_player": "1", "card_cap": "penalty"})
    began = people[0].info()
    assert began["status"] == "playing"
    assert began["seed"] is None
    assert len(began["commitment"]) == 64
    assert began["options"]["first_player"] == "1"
    play_on(people, Random(players))

    over = people[0].info()
    assert over["status"] == "over"
    assert hashlib.sha256(bytes.fromhex(over["seed"])).hexdigest() == began["commitment"]
    assert sorted(rank["seat"] for rank in over["view"]["ranks"]) == list(range(players))

    fairness = people[0].get("/fairness").json()
    assert fairness["matches"] is True

    record = people[0].get("/record")
    assert record.headers["content-type"].startswith("application/x-ndjson")
    assert f"zahltag-{people[0].table}.jsonl" in record.headers["content-disposition"]
    *_, last = replay(load(record.text), REGISTRY.get("zahltag"))
    assert [rank.seat for rank in last.state.standing().ranks] == [rank["seat"] for rank in over["view"]["ranks"]]

    lines = people[0].get("/log").json()
    assert [line["number"] for line in lines] == list(range(1, over["number"] + 1))
    sentences = [event["sentence"] for line in lines for event in line["events"]]
    assert sentences
    assert all(sentences)


def test_seats_see_what_is_theirs(client: httpx.Client) -> None:
    people = people_at_table(client, 3)
    for person in people:
        view = person.get("/view").json()
        assert view["seat"] == person.seat
        assert [seat["hand"] is not None for seat in view["seats"]] == [seat == person.seat for seat in range(3)]
    spectator = Program(client, people[0].table).get("/view").json()
    assert spectator["seat"] is None
    assert all(seat["hand"] is None for seat in spectator["seats"])
    assert spectator["legal"] == []


def test_the_log_tells_each_seat_its_own(client: httpx.Client) -> None:
    people = people_at_table(client, 3)
    spectator = Program(client, people[0].table)
    kinds = [event["kind"] for line in spectator.get("/log").json() for event in line["events"]]
    assert "hand_dealt" not in kinds
    dealt = [
        e["facts"]["seat"] for line in people[1].get("/log").json() for e in line["events"] if e["kind"] == "hand_dealt"
    ]
    assert dealt == [1]


def test_gathering(client: httpx.Client) -> None:
    maker = new_table(client, 3, name="Monday")
    assert maker.info()["manages"] is True
    assert maker.info()["seat"] is None
    guest = Program(client, maker.table).sit("Guest")
    assert guest.seat == 0
    assert guest.sit("Guest", 2).seat == 2  # the same token moves
    assert maker.post("/computers", {"level": "random", "seat": 0}).status_code == 201
    assert maker.delete("/seats/0").json()["seats"][0]["kind"] == "free"
    assert guest.delete("/seats/2").json()["seats"][2]["kind"] == "free"
    maker.sit("Maker")
    for _ in range(2):
        assert maker.post("/computers", {"level": "greedy"}).status_code == 201
    started = maker.post("/start").json()
    assert started["status"] == "playing"
    assert [seat["kind"] for seat in started["seats"]] == ["person", "computer", "computer"]
    assert started["link"].endswith(f"/t/{maker.table}")


def test_listing(client: httpx.Client) -> None:
    mine = new_table(client, 2, name="Mine").sit("Me")
    other = new_table(client, 2, name="Other")
    everything = client.get("/api/tables", params={"limit": 200}, headers=mine.headers).json()
    seats = {table["id"]: table["seat"] for table in everything}
    assert seats[mine.table] == 0
    assert seats[other.table] is None
    own = client.get("/api/tables", params={"mine": True}, headers=mine.headers).json()
    assert [table["id"] for table in own] == [mine.table]
    assert len(client.get("/api/tables", params={"limit": 1}).json()) == 1


def test_actions_go_by_id_and_by_name(client: httpx.Client) -> None:
    people = people_at_table(client, 2)
    seat = people[0].info()["deciders"][0]
    assert people[seat].act("Pass").status_code == 200
    seat = people[0].info()["deciders"][0]
    assert people[seat].act(0).status_code == 200


def test_why_not(client: httpx.Client) -> None:
    people = people_at_table(client, 2)
    seat = people[0].info()["deciders"][0]
    allowed = people[seat].get("/refusal", action="pass").json()
    assert allowed["allowed"] is True
    not_now = people[seat].get("/refusal", action="bid 5").json()
    assert not_now["allowed"] is False
    assert not_now["code"] == "WRONG_PHASE"
    assert not_now["clause"].startswith("ZT-")
    assert not_now["sentence"]
    waiting = people[1 - seat].get("/refusal", action="0").json()
    assert waiting["code"] == "NOT_YOUR_DECISION"
    assert f"Player {seat + 1}" in waiting["sentence"]
    assert people[seat].get("/refusal", action="sing").json()["code"] == "MALFORMED"


def test_a_repeat_gets_the_first_answer(client: httpx.Client) -> None:
    people = people_at_table(client, 2)
    seat = people[0].info()["deciders"][0]
    number = people[0].info()["number"]
    first = people[seat].act("pass", number, "once").json()
    again = people[seat].act("pass", number, "once")
    assert again.status_code == 200
    assert again.json()["repeated"] is True
    assert again.json()["number"] == first["number"]
    assert people[0].info()["number"] == first["number"]
    other = people[seat].act("bid 5", number, "once")
    assert other.status_code == 409
    assert other.json()["code"] == "KEY_REUSED"


def test_a_stale_decision_is_told_what_happened(client: httpx.Client) -> None:
    people = people_at_table(client, 2)
    seat = people[0].info()["deciders"][0]
    number = people[0].info()["number"]
    legal = people[seat].legal()["actions"]
    assert people[seat].act(legal[1]["id"], number).status_code == 200
    stale = people[seat].act(legal[1]["id"], number)
    assert stale.status_code == 409
    problem = stale.json()
    assert problem["code"] == "STALE"
    assert problem["facts"]["number"] == number + 1
    assert [line["number"] for line in problem["facts"]["lines"]] == [number + 1]
    assert problem["facts"]["lines"][0]["events"]
    assert people[0].info()["number"] == number + 1


def test_undo(client: httpx.Client) -> None:
    people = people_at_table(client, 2)
    seat = people[0].info()["deciders"][0]
    before = people[seat].get("/view").json()
    legal = people[seat].legal()
    people[seat].act(legal["actions"][1]["id"], legal["number"])
    number = people[seat].info()["undo"]
    assert number == legal["number"] + 1
    undone = people[seat].post("/undo", {"number": number, "key": new_key()})
    assert undone.status_code == 200
    assert undone.json()["table"]["view"] == before
    lines = people[seat].get("/log", since=legal["number"]).json()
    assert [line["kind"] for line in lines] == ["play", "undo"]
    assert lines[0]["undone"] is True
    refused = people[seat].post("/undo", {"number": number, "key": new_key()})
    assert refused.status_code == 409
    assert refused.json()["code"] == "UNDO_REFUSED"


def test_leaving_and_coming_back(client: httpx.Client) -> None:
    people = people_at_table(client, 2)
    left = people[0].post("/leave", {"level": "random"}).json()
    assert left["seats"][0]["away"] is True
    assert left["seats"][0]["stand_in"] == "random"
    back = people[0].post("/back").json()
    assert back["seats"][0]["away"] is False


def test_rematch(client: httpx.Client) -> None:
    people = people_at_table(client, 2)
    play_on(people, Random(5))
    first = people[0].post("/rematch").json()["table"]
    second = people[1].post("/rematch").json()["table"]
    assert first["id"] == second["id"] != people[0].table
    assert first["rematch_of"] == people[0].table
    assert people[0].info()["rematch"] == first["id"]
    assert (first["seat"], second["seat"]) == (0, 1)  # their tokens hold there too


def test_waiting(client: httpx.Client) -> None:
    people = people_at_table(client, 2)
    number = people[0].info()["number"]
    quiet = people[0].get("/wait", number=number, timeout=0.05).json()
    assert quiet["timed_out"] is True
    assert quiet["lines"] == []
    since = people[0].get("/wait", number=1, timeout=5).json()
    assert since["timed_out"] is False
    assert [line["number"] for line in since["lines"]] == list(range(2, number + 1))
    assert since["your_decision"] is (0 in since["deciders"])


def test_computers_play(client: httpx.Client) -> None:
    maker = new_table(client, 3).sit("Me")
    for level in ("random", "greedy"):
        maker.post("/computers", {"level": level})
    maker.post("/start")
    number, status, played = 0, "playing", 0
    while status == "playing":
        news = maker.get("/wait", number=number, timeout=20).json()
        assert not news["timed_out"], "the computers have stopped playing"
        number, status = news["number"], news["status"]
        if news["your_decision"]:
            legal = maker.legal()
            assert maker.act(legal["actions"][0]["id"], legal["number"]).status_code == 200
            played += 1
    assert played > 3


def test_openapi_says_what_it_should(client: httpx.Client) -> None:
    schema = client.get("/api/openapi.json").json()
    assert schema["info"]["title"] == "Shopfloor"
    operations = {
        (path, method): operation for path, methods in schema["paths"].items() for method, operation in methods.items()
    }
    assert all(path.startswith("/api/") for path, _ in operations)
    ids = [operation["operationId"] for operation in operations.values()]
    assert len(set(ids)) == len(ids) == 54
    for (path, method), operation in operations.items():
        assert operation["summary"], path
        if method == "post" and "requestBody" in operation:
            assert {"400", "413"} <= operation["responses"].keys(), path
            assert operation["requestBody"]["content"]["application/json"]["schema"]["examples"], path
        if "{table_id}" in path:
            assert "404" in operation["responses"], path
        if method != "get":
            assert "429" in operation["responses"], path
        for status, response in operation["responses"].items():
            if status >= "400":
                assert list(response["content"]) == ["application/problem+json"]
                assert response["content"]["application/problem+json"]["examples"]
    for name, shape in schema["components"]["schemas"].items():
        assert shape["description"], name
    assert schema["components"]["securitySchemes"]["seat"]["scheme"] == "bearer"


def test_a_view_fits_its_schema(client: httpx.Client) -> None:
    """The description of views in the game's page is true: it is made from the class that makes them."""
    people = people_at_table(client, 2)
    described = client.get("/api/games/zahltag").json()["view"]
    view = people[0].get("/view").json()
    name = described["$ref"].rsplit("/", 1)[-1]
    assert set(view) == set(described["$defs"][name]["properties"])
    assert msgspec.json.decode(json.dumps(view).encode()) == view


def test_what_is_sent_again_opens_one_table_and_seats_one_computer(client: httpx.Client) -> None:
    body = {"game": "zahltag", "players": 3, "key": "friday"}
    assert client.post("/api/tables", json=body).json()["code"] == "TOKEN_MISSING"
    headers = {"Authorization": f"Bearer {secrets.token_urlsafe(24)}"}
    first, again = (client.post("/api/tables", json=body, headers=headers) for _ in range(2))
    assert first.status_code == again.status_code == 201
    assert first.json() == again.json()
    other = client.post("/api/tables", json={**body, "players": 2}, headers=headers)
    assert (other.status_code, other.json()["code"]) == (409, "KEY_REUSED")
    table = f"/api/tables/{first.json()['table']['id']}"
    for _ in range(2):
        answer = client.post(f"{table}/computers", json={"level": "random", "key": "one"}, headers=headers)
        assert [seat["kind"] for seat in answer.json()["seats"]] == ["computer", "free", "free"]
