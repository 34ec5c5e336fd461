"""Results and ratings: once a game, by place, and as they follow from the logs."""

from __future__ import annotations

import itertools
import random

import pytest

from shopfloor.tables import ratings
from shopfloor.tables.accounts import Account
from shopfloor.tables.ratings import FEW, Rating, rate
from shopfloor.tables.service import Tables
from tests.tables.conftest import Open
from tests.tables.helpers import Party
from tests.tables.test_accounts import account, seated
from tests.tables.test_seating import refused

KEYS = itertools.count(1)


def play(tables: Tables, table_id: str, people: list[Account], rng: random.Random) -> None:
    """To the end, by chance."""
    while tables.table(table_id).status != "over":
        table = tables.table(table_id)
        for seat in table.deciders():
            own = table.account(seat)
            if own is None:
                tables.act_for_bot(table_id, seat, rng.choice(table.legal(seat)), table.decision_number(seat))
            else:
                member = next(one.member for one in people if one.id == own)
                tables.act(table_id, member, rng.choice(table.legal(seat)), table.number, f"k{next(KEYS)}")
            break


def over(tables: Tables, people: list[Account], rated: bool = True, seed: int = 1) -> str:
    table = seated(tables, people, rated=rated)
    play(tables, table, people, random.Random(seed))
    return table


def stored(tables: Tables, people: list[Account]) -> list[ratings.Result]:
    return [result for one in people for result in tables.ratings.results(one.player)]


def test_a_rated_game_counts_for_all_once(tables: Tables) -> None:
    people = [account(tables) for _ in range(3)]
    table = over(tables, people)
    view = tables.table(table).view(None)
    places = {rank.seat: rank.place for rank in view.ranks}  # type: ignore[union-attr]
    found = stored(tables, people)
    assert [(r.table_id, r.seat, r.place, r.players) for r in found] == [(table, s, places[s], 3) for s in range(3)]
    best, worst = min(found, key=lambda r: r.place), max(found, key=lambda r: r.place)
    assert best.mu is not None
    assert worst.mu is not None
    assert best.mu > worst.mu or best.place == worst.place
    assert all(r.sigma is not None and r.sigma < 25 / 3 for r in found)
    tables.rematch(table, people[0].member)
    assert stored(tables, people) == found, "what follows changes nothing"


def test_other_games_have_results_and_no_ratings(tables: Tables) -> None:
    people = [account(tables) for _ in range(2)]
    over(tables, people, rated=False)
    assert [r.mu for r in stored(tables, people)] == [None, None]
    assert tables.ratings.of(people[0].player) == []


def test_ties_are_ties() -> None:
    (a, _), (b, _), (c, _) = rate([None, None, None], [1, 1, 3])
    assert a == b > c


def test_guests_have_neither(tables: Tables) -> None:
    party = Party(tables, people=2)
    party.to_the_end()
    assert tables.recount() == []


def test_a_rated_table_is_for_accounts(tables: Tables) -> None:
    ann = account(tables)
    with refused("RATED_NEEDS_ACCOUNT"):
        tables.create("zahltag", 2, rated=True)
    made = tables.create("zahltag", 2, token=ann.member, rated=True)
    with refused("RATED_NEEDS_ACCOUNT"):
        tables.sit(made.table_id, "Guest")
    tables.sit(made.table_id, "Any name", ann.member)
    assert tables.table(made.table_id).seats[0].name == ann.name, "people know whom they play"
    assert tables.table(made.table_id).rated
    tables.add_bot(made.table_id, ann.member, "random")
    tables.start(made.table_id, ann.member)
    play(tables, made.table_id, [ann], random.Random(1))
    assert [r.mu for r in stored(tables, [ann])] == [None], "computers are not rated, nor who beats them"


def test_a_seat_that_changed_hands_does_not_count(tables: Tables) -> None:
    ann, ben, cem, dea = (account(tables) for _ in range(4))
    table = seated(tables, [ann, ben, cem], rated=True)
    tables.offer(table, cem.member, 2)
    with refused("RATED_NEEDS_ACCOUNT"):
        tables.take(table, "Guest", 2)
    tables.take(table, "x", 2, dea.member)
    play(tables, table, [ann, ben, dea], random.Random(2))
    assert [len(tables.ratings.results(one.player)) for one in (ann, ben, cem, dea)] == [1, 1, 0, 0]
    assert all(r.mu is not None for r in stored(tables, [ann, ben]))


def test_who_leaves_is_still_the_one_who_played(tables: Tables) -> None:
    ann, ben = account(tables), account(tables)
    table = seated(tables, [ann, ben], rated=True)
    tables.leave(table, ann.member)
    while tables.table(table).status != "over":
        now = tables.table(table)
        seat = now.deciders()[0]
        if seat == 0:
            tables.act_for_bot(table, 0, now.legal(0)[0], now.decision_number(0))
        else:
            tables.act(table, ben.member, now.legal(1)[0], now.number, f"k{next(KEYS)}")
    assert [r.mu is None for r in stored(tables, [ann, ben])] == [False, False]


def test_a_recount_from_the_logs_gives_the_same(tables: Tables, opened: Open) -> None:
    people = [account(tables) for _ in range(4)]
    rng = random.Random(3)
    for i in range(4):
        over(tables, rng.sample(people, 2 + i % 2), rated=i != 2, seed=i)
    for here in (tables, opened()):
        counted = here.recount()
        assert sorted(counted, key=_order) == sorted(stored(here, people), key=_order)
    assert sum(result.mu is not None for result in counted) == 2 + 3 + 3


def _order(result: ratings.Result) -> tuple[str, int]:
    return result.table_id, result.seat


def test_a_rewound_game_counts_anew(tables: Tables) -> None:
    """Also for the games that were played after it."""
    people = [account(tables) for _ in range(2)]
    first = over(tables, people, seed=1)
    second = over(tables, people, seed=2)
    before = stored(tables, people)
    tables.rewind(first, tables.table(first).decision_numbers()[-1] - 1)
    left = stored(tables, people)
    assert {r.table_id for r in left} == {second}
    alone = rate([None, None], [r.place for r in sorted(left, key=lambda r: (r.place, r.seat))])
    assert [(r.mu, r.sigma) for r in sorted(left, key=lambda r: (r.place, r.seat))] == alone
    play(tables, first, people, random.Random(9))
    again = stored(tables, people)
    assert len(again) == len(before)
    assert sorted(again, key=_order) == sorted(tables.recount(), key=_order)


def test_a_deleted_account_leaves_the_others_ratings_as_they_are(tables: Tables) -> None:
    people = [account(tables) for _ in range(3)]
    over(tables, people, seed=1)
    over(tables, people[:2], seed=2)
    before = stored(tables, people[1:])
    tables.forget(people[0])
    assert stored(tables, people[1:]) == before
    assert tables.ratings.results(people[0].player) == []
    counted = tables.recount()
    assert [r for r in sorted(counted, key=_order) if r.player in (people[1].player, people[2].player)] == sorted(
        before, key=_order
    )


def test_a_leaderboard_takes_a_few_people(tables: Tables) -> None:
    people = [account(tables) for _ in range(FEW)]
    over(tables, people[:4], seed=1)
    assert tables.ratings.leaderboard("zahltag") == []
    over(tables, people[3:], seed=8)
    board = tables.ratings.leaderboard("zahltag")
    assert {one.player for one in board} == {one.player for one in people}
    assert [one.surely for one in board] == sorted((one.surely for one in board), reverse=True)
    assert sum(one.games for one in board) == 4 + FEW - 3
    for one in board:
        assert tables.ratings.of(one.player) == [one]
    assert tables.ratings.leaderboard("worker_placement") == []


def test_surely() -> None:
    assert Rating("@a", "zahltag", 25.0, 5.0, 1).surely == pytest.approx(10.0)
