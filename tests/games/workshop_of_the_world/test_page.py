"""The page as text: every legal decision is in a form, no name is given twice, the sheet is the coastline's."""

from __future__ import annotations

import math
import re
import secrets
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from shopfloor.engine.dice import FastDice
from shopfloor.games import REGISTRY
from shopfloor.games.workshop_of_the_world.page import atlas, geometry
from shopfloor.games.workshop_of_the_world.page.travel import Travel
from shopfloor.tables.service import Tables
from shopfloor.web import pages
from tests.games.workshop_of_the_world.leaning import LEANS
from tests.playing import decisions
from tests.web.test_pages import CTX, NASTY, looked_through

GAME = "workshop_of_the_world"
SPECIFICATION = Path(__file__).parents[3] / "docs" / "rules" / f"{GAME}.md"

CASES: dict[str, tuple[int, dict[str, str]]] = {
    "two": (2, {}),
    "two, other rules": (2, {"two_player_faceup": "2", "two_player_sets": "merged", "demand1_two": "random_order"}),
    "three": (3, {"cash_visible": "on", "revenue_timing": "per_link"}),
    "four": (4, {"auto_raise": "off", "broke_rule": "debt", "finite_bank": "300"}),
    "five": (5, {}),
}


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tables]:
    opened = Tables(f"sqlite:///{(tmp_path_factory.mktemp('pages') / 'tables.db').as_posix()}")
    yield opened
    opened.close()


def offered(html: str) -> set[int]:
    """The decisions that the page's forms can send."""
    found = re.findall(r'name="action"[^>]*? value="(\d+)"', html)
    for box in re.findall(r'<select[^>]* name="action".*?</select>', html, re.DOTALL):
        found += re.findall(r'<option value="(\d+)"', box)
    return {int(action) for action in found}


@pytest.mark.parametrize("name", CASES)
def test_every_legal_decision_is_in_a_form(name: str, tables: Tables) -> None:
    players, options = CASES[name]
    tokens = [secrets.token_urlsafe(32) for _ in range(players)]
    made = tables.create(GAME, players, options, "Mill <i>town</i>", tokens[0])
    for seat in range(players):
        tables.sit(made.table_id, [NASTY, "Bela", "Cleo", "Dino", "Edda"][seat], tokens[seat], seat)
    tables.start(made.table_id, tokens[0])
    rng, dice = Random(name), FastDice(len(name))
    phases: Counter[str] = Counter()
    count = 0
    while True:
        table = tables.table(made.table_id)
        view: Any = table.view(None)
        phases[view.phase] += 1
        if phases[view.phase] < 4 or count % 23 == 0:
            looked_through(pages.table(CTX, table, None))
            for seat in range(players):
                html = pages.table(CTX, table, seat)
                looked_through(html)
                assert offered(html) == set(table.legal(seat)), f"{view.phase}: not what can be decided"
        if table.status == "over":
            break
        seat = rng.choice(table.deciders())
        legal = table.legal(seat)
        # Mostly sensible, so that towns fill up and Links grow; now and then anything, raised cash as well.
        rates = table.bot_seat(seat, dice).rate() if rng.random() < 0.8 and len(legal) > 1 else None
        action = rng.choice(legal) if rates is None else legal[max(range(len(legal)), key=rates.__getitem__)]
        count += 1
        tables.act(made.table_id, tokens[seat], action, table.decision_number(seat), f"k{count}")
    assert {"DEMAND_1", "TURN_PLACE", "TURN_LINK_1", "DEMAND_4", "GAME_OVER"} <= phases.keys()


@pytest.mark.parametrize("lean", LEANS)
@pytest.mark.parametrize("players", [2, 4, 5])
def test_named_pieces_stand_where_the_view_says(players: int, lean: str) -> None:
    game = REGISTRY.get(GAME)
    s = game.start(players, FastDice(players), {}, report=True)
    events = s.drain()
    for n, _ in enumerate(decisions(s, Random(f"{players}{lean}"), LEANS[lean])):
        events += s.drain()
        if n % 7:
            continue
        view: Any = game.view(s, None)
        travel = Travel(view, events)
        for there, counts in zip(travel.towns, view.industries, strict=True):
            assert Counter(colour for colour, _ in there) == Counter({c: k for c, k in enumerate(counts) if k})
        assert [len(names) for names in travel.supply] == [colour.industries_left for colour in view.colours]
        standing = [piece for there in travel.towns for _, piece in there]
        names = [*standing, *(name for supply in travel.supply for name in supply)]
        assert len(names) == len(set(names))
        # Nothing was made up: every piece has been followed from the supply on.
        assert not [name for name in standing if name.startswith("x")]
        assert [len(names) for names in travel.counters] == list(view.demand)


@pytest.mark.rule("WW-13.3", "WW-A.56")
@pytest.mark.parametrize("sets", ["separate", "merged"])
def test_a_link_makes_the_network_that_was_announced(sets: str) -> None:
    game = REGISTRY.get(GAME)
    s = game.start(2, FastDice(7), {"two_player_sets": sets})
    grown = 0
    for _ in decisions(s, Random(7), LEANS["builder"]):
        for seat in s.deciders():
            view: Any = game.view(s, seat)
            for build in view.builds:
                then = s.clone()
                then.play(seat, build.action)
                after: Any = game.view(then, seat)
                if after.owners[build.connection] != view.active:
                    continue  # that was the last turn of the Era: all Links have come home
                assert after.colours[view.active].networks[0] == build.longest
                grown += build.longest > max(view.colours[view.active].networks, default=0) > 0
    assert grown > 10


# -- the drawing ------------------------------------------------------------------------------------------------------


def test_the_sheet_is_drawn_from_the_coastline() -> None:
    assert atlas.FILE.read_text(encoding="utf-8") == atlas.symbols(), f"run python -m {atlas.__name__}"


def test_the_revenue_track_goes_round_the_map() -> None:
    spaces = atlas.track()
    assert len(spaces) == 100
    assert spaces[0][:2] == (-geometry.FRAME, -geometry.FRAME)
    middles = [(x + w / 2, y + h / 2) for x, y, w, h in spaces]
    for a, b in zip(middles, [*middles[1:], middles[0]], strict=True):
        assert math.dist(a, b) < 45, "the next space is beside it"
    area = sum(w * h for _, _, w, h in spaces)
    whole = (geometry.WIDTH + 2 * geometry.FRAME) * (geometry.HEIGHT + 2 * geometry.FRAME)
    assert area == pytest.approx(whole - geometry.WIDTH * geometry.HEIGHT)


def test_nothing_on_the_map_hides_a_place_for_a_link() -> None:
    game = REGISTRY.get(GAME)
    view: Any = game.view(game.start(4, FastDice(1), {}), None)
    printed = view.map
    drawn = geometry.drawn(printed)
    blocks = {}
    for town, spots in enumerate(drawn.places):
        assert len(spots) == printed.town_values[town]
        left, top = min(x for x, _ in spots), min(y for _, y in spots)
        right, bottom = max(x for x, _ in spots) + geometry.PIECE, max(y for _, y in spots) + geometry.PIECE
        blocks[town] = (left, top, right, bottom)
        assert left > 0 and top > 0 and right < geometry.WIDTH and bottom < geometry.HEIGHT  # noqa: PT018
        # It touches its own town, so that nobody takes it for another's.
        x, y = printed.town_x[town], printed.town_y[town]
        near = (min(max(x, left), right), min(max(y, top), bottom))
        assert geometry.TOWN <= math.dist(near, (x, y)) < geometry.TOWN + 6
    for c, group in enumerate(drawn.slots):
        assert len(group) == printed.capacity[c]
        for slot in group:
            assert slot.length > 10
            for left, top, right, bottom in blocks.values():
                assert not (left < slot.x < right and top < slot.y < bottom), printed.connection_ids[c]
            for x, y in zip(printed.town_x, printed.town_y, strict=True):
                assert math.dist((x, y), (slot.x, slot.y)) > geometry.TOWN


@pytest.mark.rule("WW-21.1")
def test_a_seat_has_the_same_colour_before_the_game_and_in_its_log(tables: Tables) -> None:
    tokens = [secrets.token_urlsafe(32) for _ in range(2)]
    made = tables.create(GAME, 2, {}, "", tokens[0])
    for seat in range(2):
        tables.sit(made.table_id, ["Ada", "Bela"][seat], tokens[seat], seat)
    lobby = pages.table(CTX, tables.table(made.table_id), 0)
    assert re.findall(r'class="peg p(\d)', lobby) == ["1", "3"]
    table = tables.start(made.table_id, tokens[0])
    view: Any = table.view(None)
    lead = [seat.sets[0] + 1 for seat in view.seats]
    while (deciders := table.deciders()) != (1,):
        seat = deciders[0]
        answer = tables.act(made.table_id, tokens[seat], table.legal(seat)[0], table.number, secrets.token_hex(8))
        table = answer.table
    table = tables.act(made.table_id, tokens[1], table.legal(1)[0], table.number, secrets.token_hex(8)).table
    story = pages.table(CTX, table, None).split('id="story-h"')[1]
    assert re.findall(r"#meeple-(\d)\"/></svg><span><b>Bela", story)[0] == str(lead[1])
