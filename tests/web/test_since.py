"""What has happened since one's last turn: told and stepped through, in every game, never more than one saw then."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from shopfloor.engine.views import canonical
from shopfloor.engine.world import find_world
from shopfloor.games import REGISTRY
from shopfloor.games.men_at_work.actions import GRIP, RELEASE
from shopfloor.tables.errors import TableError
from shopfloor.tables.service import Tables
from shopfloor.tables.sessions import world_state
from shopfloor.web.story import steps
from tests.tables.helpers import Party

Client = TestClient[Litestar]
GAMES = [game.id for game in REGISTRY.all()]
MOST = 80


class Player(Party):
    """A table that plays on by itself, also where that takes hands."""

    def move(self) -> None:
        table = self.table
        seat = self.random.choice(table.deciders())
        legal = table.legal(seat)
        said = [action for action in legal if not table.by_hand(action)]
        grips = [action for action in legal if table.by_hand(action) and GRIP <= action < RELEASE]
        if not grips or (said and self.random.random() < 0.5):
            self.act(seat, self.random.choice(said))
            return
        world = find_world(table.game)
        piece = self.random.choice(grips) - GRIP
        where = [self.random.uniform(-180, 180), self.random.uniform(-180, -120), 5.0]
        errand = world.errand(world_state(table), seat, piece, where, [])
        batch = world.carry(world_state(table), errand)
        number = table.decision_number(seat)
        self.tables.carry_out(self.id, seat, batch, number, f"hand-{next(self.keys)}")


def party(client: Client, game: str) -> Player:
    if find_world_name(game):
        pytest.importorskip(find_world_name(game))
    tables: Tables = client.app.state.services.tables
    made = Player(tables, REGISTRY.get(game).player_counts[0], game=game)
    made.random = random.Random(11)
    return made


def find_world_name(game: str) -> str:
    return REGISTRY.get(game).world or ""


def page(client: Client, table: Party, path: str, seat: int | None = 0) -> Any:
    client.cookies.clear()
    if seat is not None:
        client.cookies.set("sf_player", table.tokens[seat])
    answer = client.get(f"/t/{table.id}{path}")
    client.cookies.clear()
    return answer


def under_way(client: Client, game: str) -> tuple[Player, dict[int, bytes]]:
    """A game in which the first seat has decided, and others after it; and what it saw at each number."""
    for _ in range(10):
        table = party(client, game)
        seen: dict[int, bytes] = {}
        for _ in range(MOST):
            now = table.table
            if now.status != "playing":
                break
            seen[now.number] = canonical(now.view(0))
            if len(now.since(0)) > 1 and now.undo_number(0) is not None and len(steps(now, 0)) > 1:
                return table, seen
            table.move()
    raise AssertionError("it never came to that")


@pytest.mark.parametrize("game", GAMES)
def test_one_reads_and_steps_through_it(client: Client, game: str) -> None:
    table, seen = under_way(client, game)
    now, tables, token = table.table, table.tables, table.tokens[0]
    numbers = now.since(0)
    for number in (numbers[0] - 1, *numbers):
        then = tables.earlier(table.id, token, number)
        assert then.number == number
        if number in seen:
            assert canonical(then.view(0)) == seen[number], "neither more nor less than one saw at the time"
    live = page(client, table, "")
    assert 'id="since"' in live.text
    shown = page(client, table, "/since")
    assert shown.status_code == 200
    assert f'src="/t/{table.id}/then/{numbers[0] - 1}"' in shown.text
    count = len(re.findall(r">Step \d", shown.text))
    assert f"{count} thing" in live.text
    last = page(client, table, f"/since?at={count}").text
    frame = re.search(r'src="(/t/\w+/then/\d+)"', last)
    assert frame is not None
    assert int(frame[1].rpartition("/")[2]) in numbers
    assert page(client, table, "/since?at=99999").text.count("aria-current") == 1
    for number in (numbers[0] - 1, numbers[-1]):
        framed = page(client, table, f"/then/{number}")
        assert framed.status_code == 200
        assert framed.headers["x-frame-options"] == "SAMEORIGIN"
        assert 'id="act"' not in framed.text
        assert "/act" not in framed.text.replace("/active", ""), "nothing is to be decided there"


def test_it_is_one_s_own(client: Client) -> None:
    table, _ = under_way(client, "zahltag")
    now = table.table
    assert page(client, table, "/since", None).status_code == 403
    assert page(client, table, f"/then/{now.since(0)[-1]}", None).status_code == 403
    for number in (*range(1, now.since(0)[0] - 1), 0, now.number + 1, 10**6):
        answer = page(client, table, f"/then/{number}")
        assert answer.status_code == 404
    with pytest.raises(TableError, match="not a moment since"):
        table.tables.earlier(table.id, table.tokens[0], now.number + 1)


def test_during_one_s_own_turn_it_stays(client: Client) -> None:
    """What led to it can be read again after the first of several decisions."""
    table = party(client, "zahltag")
    for _ in range(300):
        now = table.table
        if now.status != "playing":
            break
        before = now.since(0)
        mine = now.deciders() == (0,)
        table.move()
        after = table.table
        if mine and before and after.log(0, now.number)[0].seat == 0:
            assert after.since(0)[: len(before)] == before or after.since(0)[0] > now.number
            return
    raise AssertionError("it never came to that")
