"""Plays a whole game against computer players: `python play_over_http.py http://127.0.0.1:8000 journeyman zahltag`."""

import json
import sys
import uuid
from typing import Any
from urllib.request import Request, urlopen


def call(method: str, url: str, token: str = "", body: object = None) -> Any:
    """One request to the JSON API. A refusal raises HTTPError; its body says in a sentence what was wrong."""
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    data = json.dumps(body).encode() if body is not None else None
    with urlopen(Request(url, data, headers, method=method), timeout=90) as answer:
        return json.load(answer)


def choose(actions: list[dict[str, Any]]) -> Any:
    """Our whole strategy: the middle of what is allowed. Here goes yours."""
    return actions[len(actions) // 2]["id"]


def main(server: str, level: str, game: str = "", players: int = 3) -> None:
    game = game or call("GET", f"{server}/api/games")[0]["id"]
    made = call("POST", f"{server}/api/tables", body={"game": game, "players": players, "name": "A program's table"})
    token, table = made["token"], f"{server}/api/tables/{made['table']['id']}"
    seat = call("POST", f"{table}/seats", token, {"name": "Program"})["seat"]
    for _ in range(players - 1):
        call("POST", f"{table}/computers", token, {"level": level})
    print("Watch at", call("POST", f"{table}/start", token)["link"])

    news: dict[str, Any] = {"number": 0, "status": "playing", "your_decision": False}
    while news["status"] == "playing":
        if news["your_decision"]:
            legal = call("GET", f"{table}/legal", token)
            decision = {"action": choose(legal["actions"]), "based_on": legal["number"], "key": uuid.uuid4().hex}
            call("POST", f"{table}/actions", token, decision)
        news = call("GET", f"{table}/wait?number={news['number']}&timeout=60", token)
        for line in news["lines"]:
            for event in line["events"]:
                print(event["sentence"])

    place = next(rank["place"] for rank in call("GET", f"{table}/view", token)["ranks"] if rank["seat"] == seat)
    print(f"The game is over; the program came in at place {place} of {players}.")


if __name__ == "__main__":
    main(*sys.argv[1:4])
