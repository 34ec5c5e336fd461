"""A building site over real WebSockets: a whole turn by wire, and everything that a window may do wrong."""

from __future__ import annotations

import json
import math
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

pytest.importorskip("shopfloor.games.men_at_work.world")

from shopfloor.games.men_at_work import actions as a
from shopfloor.games.men_at_work import wire
from shopfloor.games.men_at_work.geometry import UPRIGHT, Pose
from shopfloor.tables.service import Tables
from shopfloor.tables.store import sqlite_url
from tests.tables.helpers import Party, everything
from tests.web.building import GAMES, Window, Yard, yard
from tests.web.servers import free_port

FREE = [150.0, -150.0, 5.0]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Yard]:
    with yard(tmp_path_factory.mktemp("yard")) as running:
        yield running


def piece_of(hello: dict[str, Any]) -> int:
    found: int = hello["turn"]["grips"][0]
    return found


def take(window: Window, piece: int) -> Pose:
    """Grip a piece; where it is held."""
    told = window.grip(piece)
    assert told["t"] == "grip", told
    x, y, z, *_ = told["pose"]
    return (x, y, z), UPRIGHT


def to_the_ground(window: Window, start: Pose) -> None:
    """Carry a piece to a free place on the table, lower it and let it go."""
    (_, _, z), turn = start
    x, y = FREE[:2]
    window.carry(start, ((x, y, z), turn))
    window.carry(((x, y, z), turn), ((x, y, 40.0), turn))
    window.lower(((x, y, 40.0), turn))
    window.socket.send(bytes([wire.RELEASE]))


# -- a turn ---------------------------------------------------------------------------------------------------------


def test_a_whole_turn_by_wire_with_somebody_looking_on(place: Yard) -> None:
    party = place.party(attempt_limit="3")
    with place.window(party, 0) as builder, place.window(party, 1) as rival, place.window(party) as watcher:
        hello = builder.until("hello")
        assert (hello["seat"], hello["may"], hello["phase"], hello["table"]) == (0, True, "BUILD", party.id)
        assert hello["shapes"]["pieces"]["girder"]
        assert len(hello["pieces"]) == 9
        full = builder.look()
        assert full.flags == wire.QUIET
        assert set(builder.poses) == {row[0] for row in hello["pieces"]}
        assert [w.until("hello")["may"] for w in (rival, watcher)] == [False, False]
        piece = piece_of(hello)
        to_the_ground(builder, take(builder, piece))
        rest = builder.until("rest")
        assert rest["number"] == party.table.number
        assert not rest["accident"]
        assert rest["turn"]["placed"][0] == piece
        assert any(not f["met"] and f["words"] for f in rest["findings"])
        seen = watcher.until("rest")
        assert [m["t"] for m in watcher.said] == ["hello", "grip", "letgo", "rest"]
        assert seen["pieces"] == rest["pieces"]
        assert len(watcher.frames) > 50
        assert math.dist(watcher.poses[piece][0], builder.poses[piece][0]) < 0.1
        last = {row[0]: row[1:4] for row in rest["pieces"]}
        assert math.dist(watcher.poses[piece][0], last[piece]) < 3.0
        view: Any = party.view(None)
        assert view.tries == 0
        party.act(0, a.FINISH)
        again = rival.until("hello")
        assert again["turn"]["tries"] == 1


def test_the_hand_answers_within_a_tick_or_two_and_frames_are_small(place: Yard) -> None:
    with place.window(party := place.party(), 0) as window:
        start = take(window, piece_of(window.until("hello")))
        (x, y, z), turn = start
        window.carry(start, ((x + 100, y, z), turn))
        window.carry(((x + 100, y, z), turn), start)
        delays = sorted(window.delays)
        assert len(delays) > 20
        assert delays[len(delays) // 2] < 0.1, "half of all targets wait longer than six ticks"
        assert max(window.sizes[2:]) <= 25 + 4 + 13 * 4
        assert party.table.number == 6


def test_an_accident_is_seen_by_all(place: Yard) -> None:
    party = place.party()
    with place.window(party, 0) as builder, place.window(party) as watcher:
        piece = piece_of(builder.until("hello"))
        start = take(builder, piece)
        (x, y, _), turn = start
        builder.carry(start, ((x, y, 42.0), turn))
        for k in range(80):
            builder.aim(((x, y + 4.0 * k, 42.0), turn))
            builder.look()
        told = watcher.until("accident")
        assert told["words"].startswith("Accident!")
        rest = watcher.until("rest")
        assert rest["accident"]
        assert piece in rest["back"]
        assert (rest["phase"], rest["hook"]) == ("CLEANUP", 1)
    view: Any = party.view(None)
    assert view.seats[0].certificates == 2
    assert "accident" in [event.kind for line in party.table.log(None) for event in line.events]


def test_a_turn_can_be_looked_at_again(place: Yard) -> None:
    party = place.party()
    with place.window(party, 0) as window:
        to_the_ground(window, take(window, piece_of(window.until("hello"))))
        number = window.until("rest")["number"]
        last = dict(window.poses)
    turns = httpx.get(f"{place.url}/t/{party.id}/site/turns").json()
    assert [(t["number"], t["seat"]) for t in turns] == [(number, 0)]
    answer = httpx.get(f"{place.url}/t/{party.id}/site/turns/{number}")
    assert answer.headers["content-type"] == "application/octet-stream"
    assert "immutable" in answer.headers["cache-control"]
    film = place.tables.motion(party.id, number)
    assert answer.content == wire.developed(film)
    _, frames = wire.read_film(film)
    seen: dict[int, Pose] = {}
    for _, poses in frames:
        seen |= poses
    for piece, (position, _) in seen.items():
        assert math.dist(position, last[piece][0]) < 3.0
    nothing = httpx.get(f"{place.url}/t/{party.id}/site/turns/1", headers={"Accept": "application/json"})
    assert nothing.status_code == 404
    zahltag = Party(place.tables, 2)
    assert httpx.get(f"{place.url}/t/{zahltag.id}/site/turns").status_code == 404


# -- the server's hand ----------------------------------------------------------------------------------------------


def call(place: Yard, party: Party, seat: int | None, path: str, **body: Any) -> httpx.Response:
    headers = {} if seat is None else {"Authorization": f"Bearer {party.tokens[seat]}"}
    return httpx.post(f"{place.url}/api/tables/{party.id}/{path}", json=body, headers=headers, timeout=60)


def test_a_program_tells_the_servers_hand_where_to_put_a_piece(place: Yard) -> None:
    party = place.party()
    number = party.table.number
    name = party.table.space().name(next(x for x in party.table.legal(0) if a.GRIP <= x < a.RELEASE))
    body = {"piece": name.removeprefix("grip "), "pose": FREE, "based_on": number, "key": "one"}
    answer = call(place, party, 0, "hand", **body)
    assert answer.status_code == 200, answer.text
    assert answer.json()["number"] == number + 2
    assert call(place, party, 0, "hand", **body).json()["repeated"]
    stale = call(place, party, 0, "hand", **{**body, "key": "two"})
    assert (stale.status_code, stale.json()["code"]) == (409, "STALE")
    assert stale.json()["facts"]["lines"]
    assert call(place, party, None, "hand", **body).status_code == 401
    now = party.table.number
    for wrong, status, code in (
        ({"piece": "pink girder 9"}, 400, "UNKNOWN_PIECE"),
        ({"piece": 0}, 409, "NOT_THIS_TURNS_PIECE"),
        ({"pose": [1e30, 0, 0]}, 400, "NOT_FINITE"),
        ({"pose": [0, 0, 5000]}, 400, "OUT_OF_REACH"),
        ({"pose": [0, 0]}, 400, "BAD_REQUEST"),
        ({"pose": [0, 0, 50, 1, 2]}, 400, "MALFORMED"),
        ({"pose": ["a", 0, 50]}, 400, "BAD_REQUEST"),
        ({"outcome": {}}, 400, "BAD_REQUEST"),
    ):
        refused = call(place, party, 0, "hand", **{**body, "based_on": now, "key": "new", **wrong})
        assert (refused.status_code, refused.json()["code"]) == (status, code), refused.text
        assert refused.json()["sentence"]
    theirs = call(place, party, 1, "hand", **{**body, "based_on": now, "key": "x"})
    assert (theirs.status_code, theirs.json()["code"]) == (409, "NOT_YOUR_DECISION")
    by_form = call(place, party, 0, "actions", action=name, based_on=now, key="y")
    assert (by_form.status_code, by_form.json()["code"]) == (409, "BY_HAND")
    with_outcome = call(place, party, 0, "actions", action=a.FINISH, based_on=now, key="z", outcome={"poses": []})
    assert with_outcome.status_code == 400
    assert party.table.number == now


def test_a_program_lays_out_a_site(place: Yard) -> None:
    drawn = place.party()
    view: Any = drawn.view(None)
    poses = {p.name: [*(v / 1000 for v in p.position), *(v / 1e7 for v in p.rotation)] for p in view.site}
    party = Party(place.tables, 2, game="men_at_work", youngest="0")
    number = party.table.number
    some = dict(list(poses.items())[:-2])
    refused = call(place, party, 0, "arrangement", poses=some, based_on=number, key="a")
    assert (refused.status_code, refused.json()["code"]) == (409, "BAD_SETUP_PIECES")
    answer = call(place, party, 0, "arrangement", poses=poses, based_on=number, key="a")
    assert answer.status_code == 200, answer.text
    assert len(answer.json()["table"]["view"]["site"]) == 9


def test_the_hand_takes_its_time_where_somebody_looks_on(place: Yard) -> None:
    party = place.party()
    with place.window(party, 0) as window:
        piece = piece_of(window.until("hello"))
        began = time.monotonic()
        answer = call(place, party, 0, "hand", piece=piece, pose=FREE, based_on=party.table.number, key="k")
        assert answer.status_code == 200
        assert time.monotonic() - began > 1.0
        window.until("rest")
        assert any(look.flags & wire.CARRIED for look, _ in window.frames)


# -- windows --------------------------------------------------------------------------------------------------------


def test_two_windows_of_a_seat_and_a_reload(place: Yard) -> None:
    party = place.party()
    first, second = place.window(party, 0), place.window(party, 0)
    piece = piece_of(first.until("hello"))
    second.until("hello")
    start = take(first, piece)
    second.until("grip")
    second.tell("release")
    assert second.until("refused")["code"] == "HAND_ELSEWHERE"
    first.close()
    with place.window(party, 0) as third:
        held = third.until("hello")["held"]
        assert held == {"piece": piece, "unit": held["unit"], "by": 0, "mine": True}
        third.look()
        to_the_ground(third, start)
        assert not third.until("rest")["accident"]
    second.close()


def test_watchers_and_others_cannot_build(place: Yard) -> None:
    party = place.party()
    with place.window(party) as watcher, place.window(party, 1) as rival:
        watcher.until("hello")
        piece = piece_of(rival.until("hello"))
        watcher.tell("grip", piece=piece)
        assert watcher.until("refused")["code"] == "NOT_SEATED"
        assert rival.grip(piece)["code"] == "NOT_YOUR_DECISION"


def test_who_has_given_the_seat_away_builds_no_more(place: Yard) -> None:
    party = place.party()
    with place.window(party, 0) as former, place.window(party, 1) as other:
        piece = piece_of(former.until("hello"))
        other.until("hello")
        place.tables.offer(party.id, party.tokens[0], 0)
        party.tokens[0] = place.tables.take(party.id, "Eva", 0).token
        assert former.to_the_end() == (1012, "Connect again.")
        assert other.grip(piece)["code"] == "NOT_YOUR_DECISION", "nobody else's window is closed"
    with place.window(party, 0) as heir:
        heir.until("hello")
        assert heir.grip(piece)["t"] == "grip"


def test_commands_that_are_none_leave_the_site_alone(place: Yard) -> None:
    party = place.party()
    before = everything(party.table)
    with place.window(party, 0) as window:
        piece = piece_of(window.until("hello"))
        for message, code in (
            ("not json", "MALFORMED"),
            ("[]", "MALFORMED"),
            ('"grip"', "MALFORMED"),
            ("{}", "MALFORMED"),
            ('{"t":"grip","piece":1e400}', "MALFORMED"),
            ('{"t":"grip","piece":NaN}', "MALFORMED"),
            ("[" * 10_000, "MALFORMED"),
            ('{"t":"grip"}', "UNKNOWN_PIECE"),
            ('{"t":"grip","piece":0}', "NOT_THIS_TURNS_PIECE"),
            ('{"t":"release"}', "NOTHING_HELD"),
            ('{"t":"place","piece":' + str(piece) + ',"pose":[0,0,1e9]}', "NOT_FINITE"),
            (json.dumps({"t": "grip", "outcome": "x" * 20_000}), "MALFORMED"),
            (b"", "MALFORMED"),
            (b"\x00" * 50, "MALFORMED"),
            (b"\x01" * 20_000, "MALFORMED"),
            (wire.target(1, ((math.nan, 0, 0), UPRIGHT)), "NOTHING_HELD"),
        ):
            window.socket.send(message)
            refused = window.until("refused")
            assert refused["code"] == code, message
            assert refused["sentence"]
        (x, y, z), turn = take(window, piece)
        for pose, code in (
            (((math.nan, y, z), turn), "NOT_FINITE"),
            (((x, y, math.inf), turn), "NOT_FINITE"),
            (((x + 300, y, z), turn), "TELEPORT"),
            (((x, y - 240, z), turn), "OUT_OF_REACH"),
            (((x, y, z), (0.0, 0.0, 0.0, 0.0)), "NO_TURN"),
        ):
            window.aim(pose)
            refused = window.until("refused")
            assert (refused["code"], refused["to"], refused["seq"]) == (code, "target", window.seq)
        window.socket.send(bytes([wire.CANCEL]))
        put = window.until("put")
        assert len(put["pieces"]) == 9
    assert everything(party.table) == before


@pytest.mark.slow
def test_a_window_that_floods_is_slowed_and_then_cut(place: Yard) -> None:
    party = place.party()
    with place.window(party, 0) as flood, place.window(party, 1) as other:
        other.until("hello")
        flood.until("hello")
        began = time.monotonic()
        assert flood.flood(bytes([wire.RELEASE]), 40)
        assert flood.to_the_end()[0] == 4409
        assert time.monotonic() - began > 2.0, "it was cut before it was slowed"
        assert "TOO_FAST" in [m["code"] for m in flood.said if m["t"] == "refused"]
        other.tell("grip", piece=1)
        assert other.until("refused", timeout=5)["code"] == "NOT_YOUR_DECISION"


def test_pages_of_other_sites_and_tables_without_a_site(place: Yard) -> None:
    party = place.party()

    def code_of(window: Window) -> int:
        code, reason = window.to_the_end()
        assert reason
        assert not window.said
        return code

    assert code_of(place.window(party, 0, Origin="https://elsewhere.example")) == 4401
    with place.window(party, 0, Origin=place.url) as ours:
        ours.until("hello")
    assert code_of(place.window(Party(place.tables, 2), 0)) == 4404
    assert code_of(place.window(Party(place.tables, 2, start=False, game="men_at_work"), 0)) == 4404
    assert code_of(Window(f"ws://127.0.0.1:{place.port}/t/2222222222/site", {})) == 4404


def test_there_is_only_so_much_motion(tmp_path: Path) -> None:
    with yard(tmp_path, sites=1) as small:
        first, second = small.party(), small.party()
        with small.window(first) as window:
            window.until("hello")
            code, reason = small.window(second).to_the_end()
            assert code == 4503
            assert "motion" in reason


# -- the end of a process ---------------------------------------------------------------------------------------------


def test_a_restart_in_mid_turn_goes_on_from_what_is_stored(tmp_path: Path) -> None:
    with yard(tmp_path) as running:
        party = running.party()
        with running.window(party, 0) as window:
            piece = piece_of(window.until("hello"))
            to_the_ground(window, take(window, piece))
            window.until("rest")
            before = everything(party.table)
            start = take(window, piece)
            window.carry(start, ((150.0, -150.0, 60.0), UPRIGHT))
            running.stop()
            window.to_the_end()
        running.start()
        party.tables = running.tables
        assert everything(party.table) == before
        with running.window(party, 0) as window:
            hello = window.until("hello")
            assert hello["held"] is None
            assert piece in {row[0] for row in hello["pieces"]}
            take(window, piece)


KILLED = """
import sys, time
from pathlib import Path
from tests.web.building import Yard

if __name__ == "__main__":
    yard = Yard.__new__(Yard)
    yard.folder, yard.port = Path(sys.argv[1]), int(sys.argv[2])
    from shopfloor.web.settings import Settings
    yard.settings = Settings(database=str(yard.folder / "tables.db"), port=yard.port, pace=0.0)
    yard.start()
    print("up", flush=True)
    time.sleep(600)
"""


@pytest.mark.slow
def test_a_process_that_is_killed_loses_what_was_in_the_hand_and_nothing_else(tmp_path: Path) -> None:
    tables = Tables(sqlite_url(tmp_path / "tables.db"), GAMES)
    party = Party(tables, 2, game="men_at_work", youngest="0")
    party.act(0, a.DESIGN)
    party.act(0, next(x for x in party.table.legal(0) if a.CHOOSE_GIRDER <= x < a.PLAY_ON_DECK))
    before = everything(party.table)
    script, port = tmp_path / "killed.py", free_port()
    script.write_text(KILLED, encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, str(script), str(tmp_path), str(port)],
        stdout=subprocess.PIPE,
        env={"PYTHONPATH": f"{Path.cwd()}:{Path.cwd() / 'src'}"},
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"up\n"
    url = f"ws://127.0.0.1:{port}/t/{party.id}/site"
    with Window(url, {"Authorization": f"Bearer {party.tokens[0]}"}) as window:
        start = take(window, piece_of(window.until("hello")))
        window.carry(start, ((100.0, -150.0, 60.0), UPRIGHT))
        process.kill()
        process.wait()
        assert window.to_the_end() == (1006, "")
    assert everything(party.table) == before
    assert tables.motions(party.id) == []
    tables.close()


# -- without script or pointer ----------------------------------------------------------------------------------------


def test_a_form_puts_a_piece_down(place: Yard) -> None:
    party = place.party()
    piece = next(x for x in party.table.legal(0) if a.GRIP <= x < a.RELEASE) - a.GRIP
    client = httpx.Client(base_url=place.url, cookies={"sf_player": party.tokens[0]}, timeout=60)
    client.get(f"/t/{party.id}/record")  # any page: it brings the cookie that forms are signed with
    fields = {
        "_csrf_token": client.cookies["sf_csrf"],
        "based_on": str(party.table.number),
        "key": "form-1",
        "piece": str(piece),
        "x": "0",
        "y": "20",
        "z": "",
        "turn": "0",
        "tip": "0",
    }
    number = party.table.number
    for wrong in ({"x": "left"}, {"piece": "0"}, {"z": "9999"}, {"turn": "nan"}, {"based_on": ""}):
        client.post(f"/t/{party.id}/place", data={**fields, **wrong, "key": "form-0"})
        assert party.table.number == number
    client.post(f"/t/{party.id}/place", data=fields)
    assert party.table.number == number + 2
    view: Any = party.view(0)
    built = next(p for p in view.site if p.piece == piece)
    assert built.fresh
    assert abs(built.position[2] - 49_800) < 500, "from above, down to what bears it"
    party.act(0, a.FINISH)
    assert party.table.deciders() == (1,)
