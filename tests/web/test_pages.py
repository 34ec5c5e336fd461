"""Pages as text: from every seat in every phase, with unique names and known symbols; no name is read as HTML."""

from __future__ import annotations

import importlib
import itertools
import re
import secrets
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from shopfloor.engine import world
from shopfloor.engine.dice import FastDice
from shopfloor.engine.events import Event
from shopfloor.games import REGISTRY
from shopfloor.games.announced import ANNOUNCED
from shopfloor.tables.model import Table
from shopfloor.tables.service import Tables
from shopfloor.web import pages
from shopfloor.web.pages import Ctx
from shopfloor.web.rendering import page_of
from tests.conformance.cases import Case, every_case, every_count_but_slow_ones
from tests.playing import decisions

CTX = Ctx(csrf="token", base_url="https://shopfloor.example", token="t" * 32, manages=True)
SPECIFICATIONS = Path(__file__).parents[2] / "docs" / "rules"
CLAUSE = re.compile(r"^(?:- |\| )(?:\*\*)?([A-Z]{2}-(?:A\.?)?\d+(?:\.\d+)?)(?:\*\*)?(?= )", re.MULTILINE)
NASTY = '<b onclick="x">&"\''


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tables]:
    opened = Tables(f"sqlite:///{(tmp_path_factory.mktemp('pages') / 'tables.db').as_posix()}")
    yield opened
    opened.close()


def started(tables: Tables, case: Case, names: list[str]) -> tuple[str, list[str]]:
    tokens = [secrets.token_urlsafe(32) for _ in case.seats]
    made = tables.create(case.game.id, case.players, case.options, "Night <i>Shift</i>", tokens[0])
    for seat in case.seats:
        tables.sit(made.table_id, names[seat], tokens[seat], seat)
    tables.start(made.table_id, tokens[0])
    return made.table_id, tokens


def looked_through(html: str) -> None:
    """No two things of one name; every symbol and every clause that is pointed at is there."""
    ids = Counter(re.findall(r'\bid="([^"]+)"', html))
    assert not [name for name, n in ids.items() if n > 1]
    moving = Counter(re.findall(r"view-transition-name:([\w-]+)", html))
    assert not [name for name, n in moving.items() if n > 1]
    assert not {name for name in re.findall(r'href="#([\w-]+)"', html) if name not in ids}
    assert "None" not in re.sub(r"<[^>]*>", "", html)
    assert " object at 0x" not in html
    assert NASTY not in html
    assert not re.findall(r"style=\"[^\"]*(?:undefined|Undefined)", html)


@every_case
def test_every_viewer_in_every_phase_of_random_games(
    tables: Tables, case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(world, "_load", lambda _module: (None, "not in this test: dice say what hands do"))
    table_id, tokens = started(tables, case, [NASTY, *case.names[1:]])
    dice = FastDice(4)
    seen: set[tuple[str, bool]] = set()
    count = 0
    while True:
        table = tables.table(table_id)
        view: Any = table.view(None)
        for seat in (*case.seats, None):
            kind = (str(view.phase), seat in table.deciders())
            if kind not in seen or (count + (seat or 0)) % 31 == 0:
                seen.add(kind)
                looked_through(pages.table(CTX, table, seat))
        if table.status == "over":
            break
        count += 1
        seat = table.deciders()[dice.below(len(table.deciders()))]
        legal = table.legal(seat)
        action = legal[dice.below(len(legal))]
        tables.act(table_id, tokens[seat], action, table.decision_number(seat), f"k{count}")
    assert len({phase for phase, _ in seen}) > 2
    looked_through(pages.verify(CTX, table, tables.record(table_id)))
    assert "All decisions were allowed" in pages.verify(CTX, table, tables.record(table_id))


@every_count_but_slow_ones
def test_games_that_go_astray_can_be_shown(case: Case) -> None:
    """To one viewer after the other. Some mistakes need, say, a player who is out of the game to be seen.

    All that happens is told; the table itself, which takes far longer, is shown after every third decision.
    """
    page = page_of(case.game)
    hearers, viewers = (itertools.cycle((*case.seats, None)) for _ in range(2))
    leans = importlib.import_module(f"tests.games.{case.game.id}.leaning").LEANS
    for deal, (name, lean) in enumerate([*leans.items()] * 3):
        state = case.start(FastDice(deal))
        events: list[Event] = []
        for number, _ in enumerate(decisions(state, Random(f"{name} {deal}"), lean, 1000)):
            fresh = state.drain()
            events += fresh
            hearer = next(hearers)
            for event in fresh:
                assert case.game.words.event(event, named(case, hearer), hearer)
                assert isinstance(page.chapter(event, named(case, hearer)), str)
            if number % 3:
                continue
            viewer = next(viewers)
            heard = [event for event in events if event.concerns(viewer)]
            view = case.game.view(state, viewer)
            assert page.context(view, named(case, viewer), heard, lambda action: None)
            assert page.summary(view)


def named(case: Case, viewer: int | None) -> list[str]:
    return ["You" if seat == viewer else name for seat, name in enumerate(case.names)]


def test_a_record_that_tells_of_another_game_is_noticed(tables: Tables) -> None:
    finished = []
    for _ in range(2):
        table_id, tokens = started(tables, Case(REGISTRY.get("zahltag"), 2, {}), ["Ada", "Bela"])
        for n in range(400):
            table = tables.table(table_id)
            if table.status == "over":
                break
            seat = table.deciders()[0]
            tables.act(table_id, tokens[seat], table.legal(seat)[0], table.decision_number(seat), f"k{n}")
        finished.append(tables.table(table_id))
    page = pages.verify(CTX, finished[0], tables.record(finished[1].id))
    assert "All decisions were allowed" not in page
    assert "does not come to the ranking" in page


def test_others_hands_stay_with_them(tables: Tables) -> None:
    """A page shows how many cards another holds, and none of them."""
    table_id, _ = started(tables, Case(REGISTRY.get("zahltag"), 4, {}), ["Ada", "Bela", "Cleo", "Dino"])
    table: Table = tables.table(table_id)
    for seat in range(4):
        html = pages.table_live(CTX, table, seat)
        view = table.view(seat)
        shown = len(re.findall(r'id="h-', html))
        assert shown == view.seats[seat].hand_count  # type: ignore[union-attr]
    assert 'id="h-' not in pages.table_live(CTX, table, None)


@pytest.mark.parametrize("game", REGISTRY.ids())
def test_every_clause_has_its_place_in_the_rules(game: str) -> None:
    html = pages.rules(CTX, REGISTRY.get(game))
    clauses = set(CLAUSE.findall((SPECIFICATIONS / f"{game}.md").read_text(encoding="utf-8")))
    assert len(clauses) > 80
    places = re.findall(r'id="([A-Z]{2}-[^"]+)"', html)
    assert set(places) >= {c for c in clauses if c[3] not in "TI"}
    assert len(places) == len(set(places))
    looked_through(html)


def shown(html: str) -> list[str]:
    """The games whose panel can be seen."""
    return re.findall(r'data-start="(\w+)" method', html)


def test_one_box_is_taken_off_the_shelf(tables: Tables) -> None:
    usual = shown(pages.home(CTX, [], {}))
    assert len(usual) == 1
    assert shown(pages.home(CTX, [], {}, "no_such_game")) == usual
    for game in REGISTRY.ids():
        html = pages.home(CTX, [], {}, game)
        assert shown(html) == [game]
        assert re.findall(r'href="/\?game=(\w+)"[^>]*aria-current="true"', html) == [game]
        assert f'href="/games/{game}"' in html
        looked_through(html)
    other = next(game for game in REGISTRY.ids() if game != usual[0])
    made = tables.create(other, 2, {}, "", "t" * 32)
    table = tables.table(made.table_id)
    assert shown(pages.home(CTX, [table], {table.id: None})) == [other], "the one that the person was last at"
    assert shown(pages.home(CTX, [table], {})) == usual


def test_what_is_on_the_workbench_is_not_offered(tables: Tables) -> None:
    html = pages.home(CTX, [], {})
    looked_through(html)
    for game in ANNOUNCED:
        if game.id not in REGISTRY.ids():
            assert f'href="/games/{game.id}"' not in html
            assert f"{game.title}, on the workbench" in html


def test_a_refused_set_up_keeps_what_was_filled_in() -> None:
    form = {"players": "3", "your_name": "Ada", "seat_1": "master", "option.card_cap": "penalty", "name": "Late"}
    html = pages.setup(CTX, REGISTRY.get("zahltag"), form, "Somebody at this table is called that already.")
    looked_through(html)
    assert 'value="Ada"' in html
    assert 'value="Late"' in html
    assert "called that already" in html
    checked = set(re.findall(r'name="([\w.]+)" value="(\w+)"[^>]*checked', html))
    assert checked >= {("players", "3"), ("seat_1", "master"), ("option.card_cap", "penalty")}
