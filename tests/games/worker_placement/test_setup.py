"""Components, set-up, the round, player order and Jobs (WP sections 1 to 5)."""

from random import Random

import pytest

from shopfloor.engine.dice import FastDice
from shopfloor.engine.refusals import BadSetup
from shopfloor.games.worker_placement import GAME, cards
from shopfloor.games.worker_placement.actions import Building
from shopfloor.games.worker_placement.position import NONE
from shopfloor.games.worker_placement.rules import WorkerPlacement
from tests.games.worker_placement.table import (
    A,
    Loaded,
    check_conservation,
    job,
    job_ids,
    kinds,
    new_game,
    one,
    options,
    play,
    seen,
    table,
)
from tests.playing import decisions, to_the_end


@pytest.mark.rule(
    "WP-1.2", "WP-1.3", "WP-1.4", "WP-1.6", "WP-1.7", "WP-1.9", "WP-2.1", "WP-2.4", "WP-2.5", "WP-A2", "WP-T57"
)
def test_what_is_in_the_box() -> None:
    own = cards.load()
    assert [own.kinds.count(kind) for kind in range(3)] == [24, 23, 16]
    assert len(set(own.business_ids)) == 63
    assert len(set(own.job_ids)) == 42
    assert GAME.player_counts == (2, 3, 4, 5)
    for players in GAME.player_counts:
        s = new_game(players)
        check_conservation(s)
        assert s.supply == [12] * 4
        assert sum(s.reserve) + sum(s.on_track) == 3 * players
        view = seen(s, None)
        assert (view.round, len(view.buildings)) == (1, 10)
        assert [building.building for building in view.buildings] == [b for b in Building if b != Building.NETWORK]
        assert view.network_name == "Peer Networking Group"


@pytest.mark.rule("WP-2.2", "WP-4.1", "WP-T1")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_order_cards_go_up_to_the_number_of_players(players: int) -> None:
    dealt = {tuple(new_game(players, seed).order_cards) for seed in range(300)}
    assert all(sorted(cards_) == list(range(1, players + 1)) for cards_ in dealt)
    assert len(dealt) > 1  # random


@pytest.mark.rule("WP-2.3", "WP-2.6", "WP-T2")
def test_what_everybody_starts_with() -> None:
    s = new_game(4)
    view = seen(s, A)
    assert [seat.hand_count for seat in view.seats] == [4] * 4
    assert s.deck  # 63 - 16, and 12 that are being drafted
    assert len(s.deck) + 12 == 47
    assert (s.cash, s.thumbs) == ([2] * 4, [2] * 4)
    assert all(not any(seat.cubes) for seat in view.seats)
    assert len(s.job_deck) + len(s.jobs) + 1 == 42
    hands = {tuple(new_game(2, seed).hand[A]) for seed in range(50)}
    assert len(hands) == 50  # shuffled


@pytest.mark.rule("WP-2.7", "WP-T3", "WP-A2")
def test_rounds_and_players() -> None:
    for rounds in ("5", "8", "12"):
        assert new_game(2, rounds=rounds).rounds == int(rounds)
    for wrong in ({"rounds": "7"}, {"rounds": ""}, {"second_bid_order": "up"}, {"unknown": "1"}):
        with pytest.raises(BadSetup) as caught:
            GAME.start(3, FastDice(1), wrong)
        assert caught.value.refusal.code == "BAD_OPTION"
    for players in (1, 6):
        with pytest.raises(BadSetup) as caught:
            GAME.start(players, FastDice(1))
        assert caught.value.refusal.code == "BAD_PLAYER_COUNT"
    assert GAME.start(2, FastDice(1)).encode() == GAME.start(2, FastDice(1), options()).encode()


def ordered(thumbs: list[int], cards_: list[int], claims: list[int] | None = None) -> list[int]:
    """The positions that players with these Thumbs get when they are dealt these order cards."""
    s = table(*[""] * len(thumbs), thumbs=thumbs)
    s.reserve, s.on_track = [3] * s.players, [0] * s.players
    s.claims = claims or [0] * s.players
    left = list(range(1, s.players + 1))
    results = []
    for value in cards_:
        results.append(left.index(value))
        left.remove(value)
    s.dice = Loaded(results)
    s._determine_order()
    assert s.order_cards == cards_
    assert s.reserve == [2] * s.players
    assert s.on_track == [1] * s.players
    return s.place_of


@pytest.mark.rule("WP-4.2", "WP-4.3", "WP-T4", "WP-T6")
def test_the_highest_sum_comes_first() -> None:
    assert ordered([6, 2, 2], [1, 3, 2]) == [1, 2, 3]


@pytest.mark.rule("WP-4.4", "WP-T5")
def test_thumbs_break_ties() -> None:
    assert ordered([2, 4, 3], [3, 1, 2]) == [3, 1, 2]


@pytest.mark.rule("WP-A31", "WP-A37", "WP-T74", "WP-T79")
def test_claimed_positions() -> None:
    # Scores 9, 3, 5.
    assert ordered([7, 2, 2], [2, 1, 3], [0, 1, 0]) == [2, 1, 3]
    assert ordered([7, 2, 2], [2, 1, 3], [0, 1, 1]) == [3, 2, 1]
    assert ordered([7, 2, 2], [2, 1, 3], [3, 0, 0]) == [3, 2, 1]
    assert ordered([7, 2, 2], [2, 1, 3], [3, 3, 3]) == [3, 2, 1]  # two who miss the last one
    assert ordered([7, 2, 2], [2, 1, 3], [2, 2, 0]) == [2, 3, 1]
    s = table("", "", "")
    s.claims = [0, 1, 0]
    s.reserve, s.on_track = [3] * 3, [0] * 3
    s._determine_order()
    assert s.claims == [0, 0, 0]  # for one round
    assert sorted(s.order_cards) == [1, 2, 3]  # dealt all the same


@pytest.mark.rule("WP-5.1", "WP-5.3", "WP-1.5", "WP-T7", "WP-T59", "WP-4.5", "WP-5.5")
@pytest.mark.parametrize(("players", "jobs"), [(2, 4), (3, 4), (4, 4), (5, 5)])
def test_jobs_of_the_first_round(players: int, jobs: int) -> None:
    s = new_game(players)
    for seat in (None, *range(players)):
        view = seen(s, seat)
        assert len(view.jobs) == jobs
        assert view.preview is not None
        assert view.jobs_in_deck == 42 - jobs
        assert len(view.jobs_unseen) == 41 - jobs
        unseen = [j.job for j in view.jobs_unseen]
        assert unseen == sorted(unseen)  # no order
        assert {seat_.position for seat_ in view.seats} == set(range(1, players + 1))
        assert (view.deck, view.discard_count) == (63 - 7 * players - (players == 2), 0)


def between_rounds(*hands: str, **position: object) -> WorkerPlacement:
    s = table(*hands, **position)  # type: ignore[arg-type]
    s.reserve, s.on_track = [3] * s.players, [0] * s.players
    s.round_no += 1
    return s


@pytest.mark.rule("WP-5.2", "WP-T8")
def test_unfilled_jobs_stay_and_the_preview_comes_first() -> None:
    s = between_rounds("", "", "", "", "", jobs="J21 J22", preview="J30")
    s._begin_round()
    assert len(s.jobs) == 5
    assert s.jobs[:3] == [job("J21"), job("J22"), job("J30")]
    assert s.preview not in (*s.jobs, NONE)


@pytest.mark.rule("WP-5.2", "WP-A29", "WP-T9", "WP-A1")
def test_no_new_jobs_are_needed() -> None:
    s = between_rounds("", "", "")
    s._begin_round()
    assert job_ids(s.jobs) == "J21 J22 J23 J24"
    assert s.preview == job("J30")
    assert "jobs_revealed" not in kinds(s.drain())


@pytest.mark.rule("WP-5.4", "WP-A29", "WP-A30", "WP-T10", "WP-T73")
def test_the_job_deck_runs_out() -> None:
    s = between_rounds("W05", "", "", "", jobs="J21", preview="J30", job_deck="J31", rounds="5")
    s._begin_round()
    assert job_ids(s.jobs) == "J21 J30 J31"
    assert (s.preview, s.jobs_in_deck()) == (NONE, 0)
    assert seen(s, A).preview is None
    s = between_rounds("W05", "", "", "", jobs="J21", preview="", job_deck="", rounds="5")
    s._begin_round()
    assert job_ids(s.jobs) == "J21"
    to_the_end(s, Random(1))
    assert s.round_no == 5
    # What is left can be filled in any later round.
    s = table("W05", "", jobs="J21", preview="", job_deck="", round_no=4)
    play(s, A, "job J21", "card W05", "done")
    assert job_ids(s.filled[A]) == "J21"


@pytest.mark.rule("WP-3.1", "WP-4.6", "WP-T58", "WP-A1")
def test_a_round_runs_through_its_actions_in_order() -> None:
    s = new_game(3, seed=5)
    story = kinds(s.drain())
    cards_ = [s.order_cards[:]]
    rng = Random(2)
    while s.round_no == 1:
        for _ in decisions(s, rng, most=1):
            pass
        story += kinds(s.drain())
    steps = [
        "round_began",
        "order_dealt",
        "order_set",
        "jobs_revealed",
        "preview_turned",
        "draft_dealt",
        "draft_opened",
        "auction_opened",
        "auction_closed",
        "meeple_placed",
        "meeples_returned",
        "round_began",
    ]
    at = -1
    for step in steps:
        at = story.index(step, at + 1)
    assert story.count("order_dealt") == 2  # dealt anew for the next round
    cards_.append(s.order_cards[:])
    assert [sorted(dealt) for dealt in cards_] == [[1, 2, 3]] * 2


@pytest.mark.rule("WP-12.1", "WP-12.2", "WP-T65")
def test_the_next_round() -> None:
    s = table("", "", round_no=3, at={"health_spa": "AAB", "casino": "ABB"})
    s.reserve, s.on_track = [0, 0], [0, 0]
    s._reset()
    events = s.drain()
    assert seen(s, A).round == 4
    assert s.here == [0] * 10
    # All three are home; then one goes to the order track again.
    assert s.reserve == [2, 2]
    assert s.on_track == [1, 1]
    assert kinds(events)[:2] == ["meeples_returned", "round_began"]
    assert one(events, "round_began").facts == {"round": 4, "rounds": 8}


@pytest.mark.rule("WP-12.2", "WP-T55")
def test_the_last_round_ends_the_game() -> None:
    s = table("", "", round_no=8)
    s.reserve, s.on_track = [0, 0], [0, 0]
    s.idle = [3, 3]
    s._reset()
    assert s.over()
    assert s.deciders() == ()
    for action in (0, 12, 169):
        refusal = s.refusal(A, action)
        assert refusal is not None
        assert (refusal.code, refusal.clause) == ("GAME_OVER", "WP-12.2")
