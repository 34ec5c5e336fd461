"""Many at once: on one seat, on one table, on one chair; in one process and in two."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from shopfloor.tables import checks
from shopfloor.tables.errors import TableError
from shopfloor.tables.model import Table
from shopfloor.tables.service import Tables
from shopfloor.tables.store import Conflict
from tests.tables.conftest import Open
from tests.tables.helpers import NO_BID, PASS, Party, everything, replayed


def all_at_once(count: int, job: Callable[[int], object]) -> list[object]:
    """What job(0), job(1), ... gave, or the code of the refusal; they start together. Other errors are raised."""
    gate = threading.Barrier(count)

    def run(i: int) -> object:
        gate.wait()
        try:
            return job(i)
        except TableError as error:
            return error.code

    with ThreadPoolExecutor(count) as threads:
        return list(threads.map(run, range(count)))


@pytest.fixture(params=["one process", "two processes"])
def pair(request: pytest.FixtureRequest, opened: Open) -> tuple[Tables, Tables]:
    """Two ways in; `two processes`: nothing but the database is common to them."""
    first = opened()
    return (first, first if request.param == "one process" else opened())


def test_eight_clicks_on_one_seat_land_once(pair: tuple[Tables, Tables]) -> None:
    party = Party(pair[0], 3)

    def click(table: Table, i: int) -> object:
        seat = table.deciders()[0]
        legal = table.view(seat).legal  # type: ignore[union-attr]
        action = legal[i % len(legal)]
        return pair[i % 2].act(party.id, party.tokens[seat], action, table.number, f"{table.number}-{i}")

    for _ in range(30):
        table = party.table
        results = all_at_once(8, partial(click, table))
        assert Counter(r if isinstance(r, str) else "landed" for r in results) == {"landed": 1, "STALE": 7}
        assert party.table.number == table.number + 1


def test_one_click_sent_eight_times_lands_once(pair: tuple[Tables, Tables]) -> None:
    party = Party(pair[0], 3)
    number = party.table.number
    answers = all_at_once(8, lambda i: pair[i % 2].act(party.id, party.tokens[0], PASS, number, "click"))
    assert {answer.number for answer in answers} == {number + 1}  # type: ignore[attr-defined]
    assert sorted(answer.repeated for answer in answers) == [False] + [True] * 7  # type: ignore[attr-defined]
    assert party.table.number == number + 1


def test_all_sealed_bids_at_the_same_moment_are_kept(pair: tuple[Tables, Tables]) -> None:
    party = Party(pair[0], 4)

    def bid(number: int, seat: int) -> object:
        return pair[seat % 2].act(party.id, party.tokens[seat], NO_BID, number, f"round-{number}")

    for _ in range(5):
        shown = party.until(lambda table: table.deciders() == (0, 1, 2, 3))
        results = all_at_once(4, partial(bid, shown.number))
        assert not [result for result in results if isinstance(result, str)]
        assert party.table.number == shown.number + len(shown.deciders())


def test_a_rush_for_the_seats(pair: tuple[Tables, Tables]) -> None:
    made = pair[0].create("zahltag", 4)
    results = all_at_once(10, lambda i: pair[i % 2].sit(made.table_id, f"Guest {i}"))
    seated = [result for result in results if not isinstance(result, str)]
    assert Counter(r for r in results if isinstance(r, str)) == {"TABLE_FULL": 6}
    assert sorted(s.seat for s in seated) == [0, 1, 2, 3]  # type: ignore[attr-defined]
    for s in seated:
        assert pair[1].seat_of(made.table_id, s.token) == s.seat  # type: ignore[attr-defined]


def test_two_people_with_one_name_and_one_person_twice(pair: tuple[Tables, Tables]) -> None:
    made = pair[0].create("zahltag", 4)
    results = all_at_once(4, lambda i: pair[i % 2].sit(made.table_id, "Ann"))
    assert Counter(r if isinstance(r, str) else "seated" for r in results) == {"seated": 1, "NAME_TAKEN": 3}
    token = checks.new_token()
    results = all_at_once(4, lambda i: pair[i % 2].sit(made.table_id, "Ben", token))
    assert {r.seat for r in results} == {1}  # type: ignore[attr-defined]


def test_starting_and_playing_again_happen_once(pair: tuple[Tables, Tables]) -> None:
    party = Party(pair[0], 2, start=False)
    number = party.table.number
    all_at_once(6, lambda i: pair[i % 2].start(party.id, party.tokens[i % 2]))
    assert party.table.number == number + 1
    party.to_the_end()
    followers = all_at_once(6, lambda i: pair[i % 2].rematch(party.id, party.tokens[i % 2]))
    assert len(set(followers)) == 1
    assert len(pair[0].listing()) == 2


def _call(jobs: Sequence[Callable[[], object]], i: int) -> object:
    return jobs[i]()


def test_an_undo_against_the_next_decision(pair: tuple[Tables, Tables]) -> None:
    """Either it is taken back and the other's page is stale, or the other has acted and it stands; never both."""
    for n in range(8):
        party = Party(pair[0], 3)
        shown = party.act(0, PASS)
        jobs = [
            partial(pair[n % 2].undo, party.id, party.tokens[0], shown.number, "undo"),
            partial(pair[1 - n % 2].act, party.id, party.tokens[1], PASS, shown.number, "act"),
        ]
        undo, act = all_at_once(2, partial(_call, jobs))
        assert [isinstance(undo, str), isinstance(act, str)].count(True) == 1
        assert undo == "UNDO_REFUSED" or act == "STALE"


def test_whole_games_by_many_hands(pair: tuple[Tables, Tables], opened: Open) -> None:
    """Each seat is played by two tabs at once, which know nothing of each other."""
    party = Party(pair[0], 4)
    landed: list[tuple[int, str]] = []
    refusals: set[str] = set()

    def tab(tables: Tables, seat: int, name: str) -> None:
        n = 0
        while (table := tables.table(party.id)).status != "over":
            legal = table.view(seat).legal  # type: ignore[union-attr]
            if not legal:
                time.sleep(0.001)
                continue
            n += 1
            key, action = f"{name}-{n}", legal[(n + table.number) % len(legal)]
            try:
                answer = tables.act(party.id, party.tokens[seat], action, table.number, key)
            except TableError as error:
                refusals.add(error.code)
            else:
                landed.append((answer.number, f"{seat}:{key}"))

    results = all_at_once(8, lambda i: tab(pair[i % 2], i // 2, f"tab{i}"))
    assert results == [None] * 8
    assert refusals == {"STALE"}
    table = opened().table(party.id)
    assert everything(table) == everything(party.table)
    assert table._fold.state is not None
    assert replayed(table) == table._fold.state.encode()
    plays = [(entry.number, key) for key, entry in table._fold.keys.items() if entry.kind == "play"]
    assert sorted(landed) == sorted(plays), "every answered move is there, once, and no other"


def test_who_finds_the_number_taken_judges_again(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both have judged before either writes: the second must see the seat taken, not take it again."""
    one, two = opened(), opened()
    made = one.create("zahltag", 3)
    conflicts: list[str] = []
    both_judged = threading.Barrier(2)
    for tables in (one, two):
        store, append, first = tables._store, tables._store.append, [True]

        def wait(*args, append=append, first=first):
            if first.pop() if first else False:
                both_judged.wait(10)
            try:
                return append(*args)
            except Conflict as conflict:
                conflicts.append(str(conflict))
                raise

        monkeypatch.setattr(store, "append", wait)
    results = all_at_once(2, lambda i: (one, two)[i].sit(made.table_id, "Guest", seat=1))
    assert len(conflicts) == 1
    assert sorted(isinstance(result, str) for result in results) == [False, True]
    assert one.table(made.table_id).number == 2


def test_news_comes_after_the_store_and_bad_listeners_do_no_harm(opened: Open) -> None:
    tables, other = opened(), opened()
    party = Party(tables, 2)
    heard: list[tuple[str, int, int]] = []

    def broken(table_id: str, number: int) -> None:
        raise RuntimeError("a listener's own trouble")

    tables.subscribe(broken)
    end = tables.subscribe(lambda i, n: heard.append((i, n, other.table(i).number)))
    answer = party.act(0, PASS)
    party.act(0, PASS, answer.number - 1, "key-0")
    assert heard == [(party.id, answer.number, answer.number)], "a repeat is no news"
    end()
    party.act(1, PASS)
    assert len(heard) == 1


def test_what_was_stored_without_an_answer_is_told_and_answered_when_asked_again(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection to the database breaks after the move is stored, before that is known."""
    party = Party(tables, 2)
    heard: list[tuple[str, int]] = []
    tables.subscribe(lambda table, number: heard.append((table, number)))
    number = party.table.number
    sound = tables._store.append

    def cut(*args: Any) -> None:
        sound(*args)
        raise OperationalError("COMMIT", {}, Exception("server closed the connection"), connection_invalidated=True)

    with monkeypatch.context() as patched:
        patched.setattr(tables._store, "append", cut)
        with pytest.raises(OperationalError):
            party.act(0, PASS, key="once")
    assert heard == [(party.id, number + 1)], "whoever watches looks, and finds it"
    again = party.act(0, PASS, number, "once")
    assert (again.number, again.repeated) == (number + 1, True)
