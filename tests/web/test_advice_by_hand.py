"""Advice where something is done by hand: thought in a worker process, and what it tells can be done as it is told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

pytest.importorskip("shopfloor.games.men_at_work.world")

from markupsafe import escape

from shopfloor.games.men_at_work import adviser
from tests.tables.helpers import Party
from tests.web.building import Yard, yard

PATIENCE = 300.0
"""Seconds: a busy machine starts a process slowly."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Yard]:
    with yard(tmp_path_factory.mktemp("yard")) as running:
        yield running


def asked(place: Yard, party: Party, path: str, seat: int = 0) -> httpx.Response:
    """Pages know people by a cookie, the API by what they bear."""
    token = party.tokens[seat]
    headers = {"Authorization": f"Bearer {token}"} if path.startswith("/api") else {"Cookie": f"sf_player={token}"}
    for _ in range(6):
        answer = httpx.get(f"{place.url}{path}", headers=headers, timeout=PATIENCE)
        if answer.status_code != 503:
            break
    return answer


@pytest.mark.slow
def test_where_to_build_is_told_and_can_be_done(place: Yard, monkeypatch: pytest.MonkeyPatch) -> None:
    def here(*_: object) -> list[object]:
        raise AssertionError("nothing is tried out in the process that serves")

    monkeypatch.setattr(adviser, "propose", here)
    party = place.party()
    number, legal = party.table.number, party.table.legal(0)
    answer = asked(place, party, f"/api/tables/{party.id}/advice")
    assert answer.status_code == 200, answer.text
    assert party.table.number == number, "it has played nothing"
    found: dict[str, Any] = answer.json()
    best = found["hints"][0]
    trials = best["trials"]
    facts = trials["facts"]
    assert best["action"] in legal
    assert (trials["exact"], len(trials["pose"])) == (False, 7)
    assert facts["rehearsed"] == best["worlds"] >= 2
    held = next(sentence for sentence in best["sentences"] if "rehearsals with a hand" in sentence)
    assert re.findall(r"\d+", held)[:2] == [str(facts["held"]), str(facts["rehearsed"])]
    assert f"{100 * best['value']:.0f} % of the victory" in " ".join(best["sentences"])
    page = asked(place, party, f"/t/{party.id}/advice")
    for hint in found["hints"]:
        assert escape(hint["words"]) in page.text
        assert all(escape(sentence) in page.text for sentence in hint["sentences"])
    # What is told can be done as it is told.
    body = {key: trials[key] for key in ("piece", "pose", "via")} | {"based_on": found["number"], "key": "as-told"}
    headers = {"Authorization": f"Bearer {party.tokens[0]}"}
    done = httpx.post(f"{place.url}/api/tables/{party.id}/hand", json=body, headers=headers, timeout=PATIENCE)
    assert done.status_code == 200, done.text
    assert party.table.number > number
    if facts["kind"] == "place":
        there = next(piece for piece in party.view(0).site if piece.piece == facts["piece"])
        assert abs(there.position[0] / 1000 - facts["x"]) < 15
        assert abs(there.position[1] / 1000 - facts["y"]) < 15


def test_the_page_has_a_way_to_ask(place: Yard) -> None:
    party = place.party()
    page = asked(place, party, f"/t/{party.id}").text
    assert f'action="/t/{party.id}/advice"' in page
    assert 'id="advice"' in page
    other = asked(place, party, f"/t/{party.id}", 1).text
    assert "/advice" not in other, "who has nothing to decide is not advised"
