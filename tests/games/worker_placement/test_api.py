"""Bad decisions sent by HTTP: every refusal of the specification comes with clause and facts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, Final

import httpx
import pytest
from litestar.testing import TestClient

from shopfloor.engine.dice import FastDice
from shopfloor.engine.state import State
from shopfloor.games.worker_placement import GAME
from shopfloor.games.worker_placement.actions import GO, SIZE
from shopfloor.tables.service import Tables
from shopfloor.web.app import create_app
from shopfloor.web.settings import Settings
from tests.games.worker_placement.leaning import LEANS
from tests.playing import Lean, anything
from tests.web.programs import Program, people_at_table

SPECIFICATION: Final = Path(__file__).parents[3] / "docs/rules/worker_placement.md"
AT_SET_UP: Final = {"BAD_OPTION", "BAD_PLAYER_COUNT"}


def one_house(state: State, seat: int, legal: Sequence[int], rng: Random) -> int:
    """Everybody into the City College, and to the telephones for the Cash that it takes."""
    return next((action for action in (GO, GO + 5) if action in legal), None) or anything(state, seat, legal, rng)


# Each leads into corners of its own: filled Jobs and cards that cannot be played, an empty supply.
GAMES: Final[tuple[tuple[int, Lean, dict[str, str]], ...]] = (
    (4, LEANS["jobs"], {}),
    (5, one_house, {"rounds": "12"}),
    (4, LEANS["consult"], {"thumbs_cap": "20"}),
    (3, LEANS["spend"], {"discard_public": "false"}),
)


def codes() -> set[str]:
    """The codes that the specification lists, below its table of rulings."""
    text = SPECIFICATION.read_text(encoding="utf-8")
    listed = text[text.index("Error precedence") : text.index("Within Action 5")]
    return set(re.findall(r"\b[A-Z]+(?:_[A-Z]+)+\b", listed)) | {"MALFORMED"}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient[Any]]:
    database = str(tmp_path_factory.mktemp("refused") / "tables.db")
    settings = Settings(database=database, pace=0.0, tables_a_minute=0, tries_a_minute=0, changes_a_minute=0)
    with TestClient(create_app(settings), raise_server_exceptions=False) as found:
        found.database = database  # type: ignore[attr-defined]
        yield found


@pytest.fixture
def tables(client: TestClient[Any], monkeypatch: pytest.MonkeyPatch) -> Iterator[Tables]:
    """A second door to the same tables, for quick play; and shuffles that are the same each time."""
    seeds = Random(3)
    monkeypatch.setattr("shopfloor.tables.seating.secrets", SimpleNamespace(token_bytes=seeds.randbytes))
    opened = Tables(f"sqlite:///{client.database}")  # type: ignore[attr-defined]
    yield opened
    opened.close()


def refused(answer: httpx.Response, status: int) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"].startswith("application/problem+json")
    found: dict[str, Any] = answer.json()
    assert re.fullmatch(r"['A-Z].*[.?]", found["sentence"]), found["sentence"]
    return found


class Offender:
    """Plays games, and at each decision first sends what is not allowed if it was not refused for that before."""

    def __init__(self, client: TestClient[Any], tables: Tables) -> None:
        self.client = client
        self.tables = tables
        self.seen: dict[str, set[str]] = {}

    def play(self, players: int, lean: Lean, options: dict[str, str], rng: Random) -> None:
        people = people_at_table(self.client, players, game=GAME.id, options=options)
        table_id = people[0].table
        while True:
            table = self.tables.table(table_id)
            deciders = table.deciders()
            for seat in range(players):
                self.offend(people[seat], seat, asked=seat in deciders)
            if not deciders:
                return
            seat = rng.choice(deciders)
            legal = table.legal(seat)
            state: Any = SimpleNamespace(space=table.space)
            action = lean(state, seat, legal, rng)
            self.tables.act(table_id, people[seat].token, action, table.decision_number(seat), str(rng.random()))

    def offend(self, person: Program, seat: int, asked: bool) -> None:
        table = self.tables.table(person.table)
        candidates = range(SIZE + 1) if asked else (0,)
        for action in candidates:
            refusal = table.refusal(seat, action)
            if refusal is None or refusal.clause in self.seen.get(refusal.code, ()):
                continue
            self.seen.setdefault(refusal.code, set()).add(refusal.clause)
            based_on = table.decision_number(seat) if asked else table.number
            answer = person.act(action, based_on)
            found = refused(answer, 400 if refusal.code == "MALFORMED" else 409)
            assert (found["code"], found["clause"]) == (refusal.code, refusal.clause)
            assert found["facts"] == dict(refusal.facts)
            assert self.tables.table(person.table).number == table.number, "something has changed"


def test_every_refusal_of_the_specification(client: TestClient[Any], tables: Tables) -> None:
    offender = Offender(client, tables)
    for i, (players, lean, options) in enumerate(GAMES):
        if set(offender.seen) == codes() - AT_SET_UP:
            break
        offender.play(players, lean, {"rounds": "8", **options}, Random(i))
    assert set(offender.seen) == codes() - AT_SET_UP


@pytest.mark.rule("WP-2.7", "WP-T3")
@pytest.mark.parametrize("option", GAME.options, ids=lambda option: option.id)
def test_tables_with_bad_options(client: TestClient[Any], option: Any) -> None:
    body = {"game": GAME.id, "players": 3, "options": {option.id: "7"}}
    found = refused(client.post("/api/tables", json=body), 400)
    assert (found["code"], found["clause"]) == ("BAD_OPTION", option.clause)
    assert found["facts"]["option"] == option.id
    assert all(value in found["sentence"] for value in option.values)
    found = refused(client.post("/api/tables", json={**body, "options": {"colour": "red"}}), 400)
    assert found["code"] == "BAD_OPTION"
    assert option.id in found["sentence"]


@pytest.mark.rule("WP-1.2", "WP-T3")
@pytest.mark.parametrize("players", [1, 6])
def test_tables_of_a_bad_size(client: TestClient[Any], players: int) -> None:
    found = refused(client.post("/api/tables", json={"game": GAME.id, "players": players}), 400)
    assert (found["code"], found["clause"]) == ("BAD_PLAYER_COUNT", "WP-1.2")


@pytest.mark.parametrize("option", GAME.options, ids=lambda option: option.id)
def test_tables_with_every_option(client: TestClient[Any], option: Any) -> None:
    for value in option.values:
        people = people_at_table(client, 2, game=GAME.id, options={option.id: value})
        assert people[0].info()["options"][option.id] == value
        for _ in range(12):
            deciders = people[0].info()["deciders"]
            legal = people[deciders[0]].legal()
            action = legal["actions"][FastDice(legal["number"]).below(len(legal["actions"]))]["id"]
            assert people[deciders[0]].act(action, legal["number"]).status_code == 200
