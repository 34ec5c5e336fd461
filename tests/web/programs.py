"""Programs that play through the JSON API."""

from __future__ import annotations

import itertools
from random import Random
from typing import Any

import httpx

KEYS = itertools.count(1)


def new_key() -> str:
    return f"key-{next(KEYS)}"


class Program:
    """A client with a token at one table."""

    def __init__(self, client: httpx.Client, table: str, token: str | None = None) -> None:
        self.client = client
        self.table = table
        self.token = token
        self.seat: int | None = None

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    def get(self, path: str = "", **parameters: Any) -> httpx.Response:
        return self.client.get(f"/api/tables/{self.table}{path}", params=parameters or None, headers=self.headers)

    def post(self, path: str, body: Any = None) -> httpx.Response:
        return self.client.post(f"/api/tables/{self.table}{path}", json=body, headers=self.headers)

    def delete(self, path: str) -> httpx.Response:
        return self.client.delete(f"/api/tables/{self.table}{path}", headers=self.headers)

    def sit(self, name: str, seat: int | None = None) -> Program:
        answer = self.post("/seats", {"name": name, "seat": seat})
        assert answer.status_code == 201, answer.text
        self.token = answer.json()["token"]
        self.seat = answer.json()["seat"]
        return self

    def info(self) -> dict[str, Any]:
        found: dict[str, Any] = self.get().json()
        return found

    def legal(self) -> dict[str, Any]:
        found: dict[str, Any] = self.get("/legal").json()
        return found

    def act(self, action: int | str, based_on: int | None = None, key: str | None = None) -> httpx.Response:
        if based_on is None:
            based_on = self.info()["number"]
        return self.post("/actions", {"action": action, "based_on": based_on, "key": key or new_key()})


def new_table(client: httpx.Client, players: int = 3, **more: Any) -> Program:
    """A table, and the program that made it."""
    answer = client.post("/api/tables", json={"game": "zahltag", "players": players, **more})
    assert answer.status_code == 201, answer.text
    return Program(client, answer.json()["table"]["id"], answer.json()["token"])


def people_at_table(client: httpx.Client, players: int = 3, **more: Any) -> list[Program]:
    """A started game with a program in every seat, in the order of the seats."""
    maker = new_table(client, players, **more).sit("Player 1", 0)
    others = [Program(client, maker.table).sit(f"Player {i + 1}", i) for i in range(1, players)]
    assert maker.post("/start").status_code == 200
    return [maker, *others]


def play_on(people: list[Program], rng: Random, most: int = 10_000) -> int:
    """Plays random moves, at most so many; how many were played."""
    for played in range(most):
        deciders = people[0].info()["deciders"]
        if not deciders:
            return played
        person = people[rng.choice(deciders)]
        legal = person.legal()
        answer = person.act(rng.choice(legal["actions"])["id"], legal["number"])
        assert answer.status_code == 200, answer.text
    return most
