"""Decisions that the world has a say in: measured here, stored beside the decision, never asked of anybody."""

from __future__ import annotations

import itertools
import json
import threading
from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa

pytest.importorskip("shopfloor.games.men_at_work.world")

from shopfloor.engine.records import load, replay
from shopfloor.engine.refusals import IllegalAction
from shopfloor.engine.registry import Registry
from shopfloor.engine.world import Batch, HandRefused, World, find_world
from shopfloor.games.men_at_work import GAME, wire
from shopfloor.games.men_at_work import actions as a
from shopfloor.tables.errors import TableError
from shopfloor.tables.model import Answer
from shopfloor.tables.service import Tables
from shopfloor.tables.sessions import Sessions, world_state
from tests.tables.conftest import Open
from tests.tables.helpers import Party, dealt, everything, is_a_sentence, rows

GAMES = Registry(["shopfloor.games.men_at_work", "shopfloor.games.zahltag"])
WORLD: World = find_world(GAME)
FREE = [150.0, -150.0, 5.0]
"""A place on the table where nothing stands."""
GIRDER_FIRST = 9
"""A seed by which the first player takes a single girder, which has to touch the highest one."""


class Site(Party):
    """A table of two at which the beginners' site stands and the first seat builds."""

    def __init__(self, tables: Tables, people: int = 2, computers: tuple[str, ...] = (), **options: str) -> None:
        with dealt(GIRDER_FIRST):
            super().__init__(tables, people, computers, True, "men_at_work", **{"youngest": "0", **options})
        self.act(0, a.DESIGN)
        self.choose()

    @property
    def hook(self) -> int:
        return self.table.deciders()[0]

    def choose(self) -> None:
        """Take the first colour that the card allows."""
        seat = self.hook
        self.act(seat, next(x for x in self.table.legal(seat) if a.CHOOSE_GIRDER <= x < a.PLAY_ON_DECK))

    def errand(self, *pose: float) -> Any:
        """Put the first piece of the turn somewhere."""
        seat = self.hook
        piece = next(x for x in self.table.legal(seat) if a.GRIP <= x < a.RELEASE) - a.GRIP
        return WORLD.errand(world_state(self.table), seat, piece, list(pose or FREE), [])

    def batch(self, *pose: float) -> Batch:
        return WORLD.carry(world_state(self.table), self.errand(*pose))

    def carried(self, batch: Batch, key: str | None = None, based_on: int | None = None) -> Answer:
        seat = self.hook
        number = self.table.decision_number(seat) if based_on is None else based_on
        return self.tables.carry_out(self.id, seat, batch, number, key or f"k{next(self.keys)}")


@pytest.fixture
def site(opened: Open) -> Site:
    return Site(opened(GAMES))


def test_an_administrator_takes_back_what_hands_have_done(site: Site, opened: Open) -> None:
    def position() -> str:
        state = site.table._fold.state
        assert state is not None
        return state.encode()

    line, before = site.table.number, position()
    site.carried(site.batch())
    assert position() != before
    site.tables.rewind(site.id, line)
    assert position() == before
    assert everything(opened(GAMES).table(site.id)) == everything(site.table)
    site.carried(site.batch())


def refuses(code: str, call: Any, *args: Any) -> TableError:
    with pytest.raises(TableError) as caught:
        call(*args)
    assert caught.value.code == code
    is_a_sentence(caught.value)
    return caught.value


# -- measured by the server -----------------------------------------------------------------------------------------


def test_ordinary_decisions_are_stored_with_what_was_measured(site: Site, url: str) -> None:
    stored = rows(url, "SELECT action, outcome FROM log WHERE kind = 'play' ORDER BY number")
    assert stored[0][0] == a.DESIGN
    assert len(json.loads(stored[0][1])["poses"]) == 9
    assert stored[1][1] is None  # choosing a colour is nobody's business but the rules'
    view: Any = site.view(0)
    assert len(view.site) == 9


def test_what_was_measured_and_not_another_measurement_is_what_the_table_goes_on_with(site: Site, opened: Open) -> None:
    site.carried(site.batch())
    before = everything(site.table)
    again = opened(GAMES)
    assert everything(again.table(site.id)) == before
    view: Any = again.table(site.id).view(None)
    assert len(view.site) > 9


def test_the_dice_say_it_where_the_world_is_not_installed(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    bare = replace(GAME, world="shopfloor.games.men_at_work.not_installed")

    class Bare(Registry):
        def get(self, game: str) -> Any:
            return bare if game == "men_at_work" else super().get(game)

    tables = opened(Bare(["shopfloor.games.men_at_work"]))
    site = Site(tables)
    grip = next(x for x in site.table.legal(0) if a.GRIP <= x < a.RELEASE)
    site.act(0, grip)
    site.act(0, a.RELEASE)
    assert [d.outcome for d in site.table._fold.decisions] == [None] * 4
    sessions = Sessions(tables)
    error = refuses("NO_WORLD", sessions.enter, site.id, 0, lambda _: None)
    assert "not_installed" in error.sentence
    sessions.close()
    # With the world back, what the dice have put in a hand is taken out of it by them as well.
    tables = opened(GAMES)
    site.tables = tables
    if site.table.deciders() == (0,) and any(a.GRIP <= x < a.RELEASE for x in site.table.legal(0)):
        refuses("BY_HAND", site.act, 0, grip)


def test_nobody_takes_or_lets_go_by_form(site: Site) -> None:
    before = everything(site.table)
    piece = next(x for x in site.table.legal(0) if a.GRIP <= x < a.RELEASE)
    refuses("BY_HAND", site.act, 0, piece)
    with pytest.raises(IllegalAction):  # the rules speak first
        site.act(0, a.RELEASE)
    with pytest.raises(IllegalAction):
        site.act(1, piece)
    assert everything(site.table) == before


# -- what a hand has done, in one piece -----------------------------------------------------------------------------


def test_a_batch_is_one_change(site: Site, url: str) -> None:
    told: list[int] = []
    site.tables.subscribe(lambda _, number: told.append(number))
    number = site.table.number
    batch = site.batch()
    answer = site.carried(batch)
    assert (answer.number, site.table.number) == (number + 2, number + 2)
    assert told == [number + 2]
    stored = rows(url, "SELECT action, outcome, seat FROM log WHERE kind = 'play' ORDER BY number")
    assert stored[-2:] == [(action, outcome, 0) for action, outcome in batch.decisions]
    view: Any = site.view(None)
    assert view.held == ()


def test_of_a_batch_with_something_wrong_nothing_is_stored(site: Site, url: str) -> None:
    grip, release = site.batch().decisions
    before = everything(site.table), rows(url, "SELECT * FROM log"), rows(url, "SELECT * FROM motions")
    outcome = json.loads(release[1] or "")
    outcome["poses"] = outcome["poses"][1:]
    for broken in ((grip, (a.RELEASE, json.dumps(outcome))), (grip, (a.FINISH, "{}")), (grip, release, (999, None))):
        with pytest.raises(IllegalAction):
            site.carried(Batch(broken, b"film"))
    refuses("STALE", site.carried, Batch(()))
    assert before == (everything(site.table), rows(url, "SELECT * FROM log"), rows(url, "SELECT * FROM motions"))


def test_a_batch_is_told_once_and_stored_once(site: Site) -> None:
    batch = site.batch()
    first = site.carried(batch, "one")
    again = site.carried(batch, "one")
    assert (again.number, again.repeated) == (first.number, True)
    number = site.table.number
    known = site.tables.carried_out(site.id, 0, "one")
    assert known is not None
    assert known.number == first.number
    refuses("STALE", site.carried, batch, "two", first.number - 2)
    assert site.table.number == number


def test_of_two_hands_at_once_one_is_too_late(site: Site, opened: Open) -> None:
    """Two processes, as it were: both carry the same piece, and one of them is told that it was too slow."""
    other = Site.__new__(Site)
    other.__dict__.update(site.__dict__)
    other.tables = opened(GAMES)
    batch, number = site.batch(), site.table.decision_number(0)
    results: list[object] = []
    gate = threading.Barrier(2)

    def carry(tables: Tables, key: str) -> None:
        gate.wait()
        try:
            results.append(tables.carry_out(site.id, 0, batch, number, key))
        except TableError as error:
            results.append(error.code)

    threads = [
        threading.Thread(target=carry, args=(tables, key))
        for tables, key in ((site.tables, "one"), (other.tables, "two"))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(type(r).__name__ for r in results) == ["Answer", "str"]
    assert "STALE" in results


def test_how_it_was_done_is_kept_beside_the_log(site: Site) -> None:
    batch = site.batch()
    number = site.carried(batch).number
    assert site.tables.motions(site.id) == [number]
    film = site.tables.motion(site.id, number)
    assert film == batch.motion
    head, frames = wire.read_film(film)
    assert head["seat"] == 0
    assert len(frames) > 20
    refuses("NO_MOTION", site.tables.motion, site.id, number - 1)
    refuses("NO_MOTION", site.tables.motion, site.id, 10**6)


def test_what_hands_have_done_is_not_undone_but_a_choice_before_is(site: Site) -> None:
    assert site.table.undo_refusal(0) is None
    site.undo(0)
    site.choose()
    site.carried(site.batch())
    error = refuses("UNDO_REFUSED", site.undo, 0)
    assert error.facts["reason"] == "UNDO_BY_HAND"
    assert "hands" in error.sentence
    nexts = [x for x in site.table.legal(0) if x == a.NEXT_PIECE]
    for action in nexts:
        site.act(0, action)
        site.undo(0)


def test_undo_of_what_came_after_replays_with_the_outcomes(site: Site) -> None:
    """An undo that reaches beyond the positions that are kept plays the whole log again, outcomes and all."""
    site.carried(site.batch())
    fold = site.table._fold.copy()
    fold.before.clear()
    assert fold.state is not None
    again = fold._replay(fold.decisions)
    assert again.encode() == fold.state.clone().encode()


# -- a whole game, its record and its story -------------------------------------------------------------------------


def played_out(site: Site) -> None:
    """Everybody lays a piece aside and fails, until one is out."""
    for _ in range(60):
        if site.table.status == "over":
            return
        seat = site.hook
        legal = site.table.legal(seat)
        if a.CLEAN_DONE in legal:
            site.act(seat, a.CLEAN_DONE)
        elif any(a.RETRIEVE <= x < a.CLEAN_DONE for x in legal):
            site.act(seat, next(x for x in legal if a.RETRIEVE <= x < a.CLEAN_DONE))
        elif a.FINISH in legal:
            site.act(seat, a.FINISH)
        elif any(a.GRIP <= x < a.RELEASE for x in legal):
            site.carried(site.batch())
        else:
            site.choose()
    raise AssertionError("it never ended")


def test_a_game_to_its_end_with_record_and_replay(opened: Open) -> None:
    site = Site(opened(GAMES), attempt_limit="3")
    played_out(site)
    text = site.tables.record(site.id)
    record = load(text)
    assert record.finished
    measured = [d.outcome for d in site.table._fold.decisions if d.outcome is not None]
    assert [json.loads(outcome) for _, outcome in record.outcomes] == [json.loads(m) for m in measured]
    assert any("RETRIEVE" in site.table.space().name(action).upper() for _, action in record.decisions)
    *_, last = replay(record, GAME)
    assert last.state.over()
    state = site.table._fold.state
    assert state is not None
    assert last.state.encode() == state.clone().encode()
    edited = text.replace('"poses": [[', '"poses": [[1,', 1)
    assert edited != text


def test_a_table_opened_cold_tells_the_same_story(opened: Open) -> None:
    site = Site(opened(GAMES), attempt_limit="3")
    site.carried(site.batch())
    site.act(0, a.FINISH)
    lines = site.table.log(0)
    assert opened(GAMES).table(site.id).log(0) == lines
    kinds = [event.kind for line in lines for event in line.events]
    assert "piece_gripped" in kinds
    assert kinds[-1] == "try_failed"


# -- sessions -------------------------------------------------------------------------------------------------------


one_database = pytest.mark.parametrize("url", ["sqlite"], indirect=True)


class Heard:
    """What a window was told, in order."""

    def __init__(self) -> None:
        self.all: list[Any] = []
        self._new = threading.Condition()

    def __call__(self, message: Any) -> None:
        with self._new:
            self.all.append(message)
            self._new.notify_all()

    def until(self, kind: str, timeout: float = 20.0) -> dict[str, Any]:
        """The newest object of this kind, as soon as there is one that was not asked for before."""

        def found() -> Any:
            return next((m for m in self.all if isinstance(m, dict) and m["t"] == kind and not m.get("seen")), None)

        with self._new:
            assert self._new.wait_for(found, timeout), f"{kind} was never told"
            message: dict[str, Any] = found()
            message["seen"] = True
            return message


@pytest.fixture
def sessions(site: Site) -> Any:
    opened = Sessions(site.tables, most=1)
    yield opened
    opened.close()


@one_database
def test_what_is_told_is_stored_already(site: Site, sessions: Sessions, url: str) -> None:
    stored: list[int] = []
    heard = Heard()

    def hear(message: Any) -> None:
        if isinstance(message, dict) and message["t"] == "rest":
            stored.append(rows(url, "SELECT max(number) FROM log")[0][0])
        heard(message)

    window = sessions.enter(site.id, 0, hear)
    turn = heard.until("hello")["turn"]
    window.send({"t": "place", "piece": turn["grips"][0], "pose": FREE})
    assert heard.until("rest")["number"] == stored[0] == site.table.number
    assert site.tables.motions(site.id) == [site.table.number]


@one_database
def test_what_cannot_be_stored_is_not_told_but_tried_again(
    site: Site, sessions: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    faults = itertools.count()
    real = site.tables._store.append

    def broken(*args: Any, **kwargs: Any) -> None:
        if next(faults) < 2:
            raise sa.exc.OperationalError("INSERT", {}, Exception("disk I/O error"))
        real(*args, **kwargs)

    heard = Heard()
    window = sessions.enter(site.id, 0, heard)
    turn = heard.until("hello")["turn"]
    monkeypatch.setattr(site.tables._store, "append", broken)
    window.send({"t": "place", "piece": turn["grips"][0], "pose": FREE})
    heard.until("rest")
    assert next(faults) == 3


@one_database
@pytest.mark.slow
def test_a_database_that_stays_away_loses_what_was_in_the_hand_and_nothing_else(
    site: Site, sessions: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise sa.exc.OperationalError("INSERT", {}, Exception("disk full"))

    before = everything(site.table)
    heard = Heard()
    window = sessions.enter(site.id, 0, heard)
    turn = heard.until("hello")["turn"]
    with monkeypatch.context() as patch:
        patch.setattr(site.tables._store, "append", broken)
        window.send({"t": "place", "piece": turn["grips"][0], "pose": FREE})
        again = heard.until("hello")
    assert not [m for m in heard.all if isinstance(m, dict) and m["t"] == "rest"]
    assert again["turn"]["grips"] == turn["grips"]
    assert everything(site.table) == before
    window.send({"t": "place", "piece": turn["grips"][0], "pose": FREE})
    heard.until("rest")


@one_database
def test_while_something_is_in_the_hand_no_other_decision_is_taken(site: Site, sessions: Sessions) -> None:
    heard = Heard()
    window = sessions.enter(site.id, 0, heard)
    piece = heard.until("hello")["turn"]["grips"][0]
    site.carried(site.batch())
    heard.until("hello")
    window.send({"t": "grip", "piece": piece})
    heard.until("grip")
    refuses("HANDS_FULL", site.act, 0, a.FINISH)
    refuses("HANDS_FULL", site.undo, 0, site.table.number)
    window.send({"t": "cancel"})
    heard.until("put")
    site.act(0, a.FINISH)


@one_database
def test_motion_is_bounded(site: Site, sessions: Sessions) -> None:
    other = Site(site.tables)
    heard = Heard()
    window = sessions.enter(site.id, None, heard)
    heard.until("hello")
    error = refuses("WORLD_BUSY", sessions.enter, other.id, None, heard)
    assert "1" in error.sentence
    assert sessions.in_motion() == 1
    window.close()
    refuses("NOT_STARTED", sessions.enter, Party(site.tables, 2, start=False, game="men_at_work").id, None, heard)
    refuses("NO_WORLD", sessions.enter, Party(site.tables).id, None, heard)


@one_database
def test_an_errand_in_nobodys_sight_is_done_at_once_and_before_eyes_in_its_own_time(
    site: Site, sessions: Sessions
) -> None:
    number = site.table.decision_number(0)
    at_once = sessions.carry(site.id, 0, site.errand(), number, "one")
    assert at_once.done()
    assert at_once.result().number == number + 2
    heard = Heard()
    sessions.enter(site.id, None, heard)
    heard.until("hello")
    errand = site.errand(150.0, 150.0, 5.0)
    slow = sessions.carry(site.id, 0, errand, site.table.decision_number(0), "two")
    heard.until("grip")
    late = sessions.carry(site.id, 0, errand, site.table.decision_number(0), "three")
    refuses("HANDS_FULL", late.result, 5)
    assert slow.result(20).number == number + 4
    frames = [m for m in heard.all if isinstance(m, bytes)]
    assert len(frames) > 60
    stale = sessions.carry(site.id, 0, errand, number, "four")
    refuses("STALE", stale.result, 5)


@one_database
def test_a_hand_is_asked_for_by_token_and_key(site: Site, sessions: Sessions) -> None:
    piece = next(x for x in site.table.legal(0) if a.GRIP <= x < a.RELEASE) - a.GRIP

    def make(world: World, state: Any, seat: int) -> object:
        return world.errand(state, seat, piece, FREE, [])

    refuses("NOT_SEATED", sessions.place, site.id, "x" * 20, make, site.table.number, "k")
    refuses("BAD_KEY", sessions.place, site.id, site.tokens[0], make, site.table.number, "")
    refuses("STALE", sessions.place, site.id, site.tokens[0], make, 2, "k")
    with pytest.raises(IllegalAction):
        sessions.place(site.id, site.tokens[1], make, site.table.number, "k")
    answer = sessions.place(site.id, site.tokens[0], make, site.table.number, "k")
    again = sessions.place(site.id, site.tokens[0], make, 0, "k")
    assert (again.number, again.repeated) == (answer.number, True)
    with pytest.raises(HandRefused):
        sessions.place(site.id, site.tokens[0], lambda w, s, n: w.errand(s, n, 12, [1.0], []), answer.number, "l")
