"""The judgement prefers what a sensible player would, and its values are shares."""

from __future__ import annotations

from random import Random

import pytest

from shopfloor.engine.dice import FastDice
from shopfloor.games.workshop_of_the_world import judgement
from shopfloor.games.workshop_of_the_world.actions import BID
from shopfloor.games.workshop_of_the_world.foresight import Outlook
from shopfloor.games.workshop_of_the_world.rules import Workshop
from shopfloor.games.workshop_of_the_world.rules import position as at
from tests.games.workshop_of_the_world.leaning import LEANS
from tests.games.workshop_of_the_world.table import (
    FX,
    OWN,
    A,
    B,
    C,
    D,
    lay,
    phase,
    placed,
    play,
    stand,
    table,
    turn,
)
from tests.games.workshop_of_the_world.test_collecting import collect
from tests.games.workshop_of_the_world.test_properties import SMALL, begin
from tests.playing import decisions


def rating(s: Workshop, seat: int, action: str) -> float:
    return judgement.rate(s, seat)[s.legal(seat).index(s.space.parse(action))]


def best(s: Workshop, seat: int) -> str:
    """The name of the best rated action."""
    ratings = judgement.rate(s, seat)
    return s.space.name(s.legal(seat)[max(range(len(ratings)), key=ratings.__getitem__)])


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("lean", ["builder", "spender"])
def test_values_are_shares_and_ratings_fit_the_legal_actions(players: int, lean: str) -> None:
    for box, chosen in (
        (OWN, {}),
        (FX, {"two_player_sets": "merged", "broke_rule": "debt"}),
        (SMALL, {"regamble": "on"}),
    ):
        s = begin(players, 2, chosen, box)
        for _ in decisions(s, Random(2), LEANS[lean]):
            before = s.encode()
            values = judgement.value(s)
            assert sum(values) == pytest.approx(1.0)
            assert min(values) >= 0.0
            for seat in range(players):
                assert len(judgement.rate(s, seat)) == len(s.legal(seat))
            assert s.encode() == before
        assert judgement.value(s) == s.returns()


def test_values_know_who_is_ahead() -> None:
    even = judgement.value(table(3, cash=50))
    assert even == pytest.approx([1 / 3] * 3, abs=0.15)
    ahead = judgement.value(table(3, cash=[60, 50, 50]))
    assert ahead[A] > even[A] + 0.1
    late = table(3, cash=[60, 50, 50], era=at.RAILWAY)
    late.round_no = 9
    assert judgement.value(late)[A] > ahead[A]  # the same lead means more the closer the end


def test_it_does_not_raise_cash_without_need() -> None:
    s = table(4, revenue=20)
    turn(s, C, "Reading")
    play(s, C, "place Reading")
    assert not best(s, C).startswith("raise")
    play(s, C, "end turn")
    assert not best(s, A).startswith("raise")


def test_it_builds_where_its_industries_are() -> None:
    s = table()
    stand(s, "Southampton", C)
    placed(s, C, "Reading")
    assert best(s, C) == "build Reading-Southampton"
    assert rating(s, C, "end turn") < rating(s, C, "build c1")


def test_it_does_not_build_at_a_loss() -> None:
    s = table(4)
    placed(s, C, "Reading")
    play(s, C, "build c1")
    assert best(s, C) == "end turn"  # another Link would cost more than it ever brings


def test_it_sends_a_rival_home() -> None:
    s = table(demand=[0, 0, 0, 0, 2])
    stand(s, "Reading", A, C)
    turn(s, C, "Reading")
    play(s, C, "place Reading")
    assert best(s, C) == "remove red"


def test_it_creates_demand_for_what_it_has() -> None:
    s = table(3)
    stand(s, "Bristol", A, A)
    stand(s, "Leeds", B)
    s.counters[5 * A : 5 * A + 5] = [1, 0, 0, 1, 0]
    s.begin_demand(at.DEMAND_2)
    assert best(s, A) == "counter port"
    assert rating(s, A, "counter textile") < rating(s, A, "keep")


def test_it_bids_for_what_it_can_use_and_no_more_than_it_is_worth() -> None:
    s = table(3, faces=["Ashby", "Guildford", "Oxford"], demand=[3, 0, 0, 0, 0])
    for town in ("Oxford", "Borrow"):
        stand(s, town, B)
    play(s, A, "auction k12")
    assert best(s, B).startswith("bid")
    ratings = judgement.rate(s, B)
    high = [r for r, a in zip(ratings, s.legal(B), strict=True) if a >= BID + 40]
    assert max(high) < max(ratings) - 3
    lay(s, C, "c5", "c6", "c8")
    s.demand = [0] * 5
    assert best(s, B) in ("pass", "bid 1", "bid 2")  # what is left of it is little


def test_the_last_word_is_a_pound_more_or_nothing() -> None:
    s = table(3, faces=["Ashby", "Guildford", "Oxford"], demand=[3, 0, 0, 0, 0])
    play(s, A, "auction k12")
    play(s, B, "bid 2")
    play(s, C, "pass")
    assert best(s, A) == "bid 3"
    s = table(3, faces=["Ashby", "Guildford", "Oxford"])
    play(s, A, "auction k12")
    play(s, B, "bid 40")
    play(s, C, "pass")
    assert best(s, A) == "pass"


def test_hopeless_choices_are_rated_alike() -> None:
    s = table(3)
    play(s, A, "auction k01")
    ratings = judgement.rate(s, B)
    assert min(ratings) == pytest.approx(max(ratings) - judgement.FLOOR)


def test_a_fist_is_not_all_there_is() -> None:
    s = table(2, cash=100)
    choice = best(s, 0)
    assert choice.startswith("fist")
    assert int(choice.split()[1]) < 25


def test_it_gambles_away_what_is_worth_nothing() -> None:
    s = table(demand=[2, 2, 2, 2, 0])
    lay(s, D, "c4")
    turn(s, C, "Guildford")
    assert phase(s) == "TURN_CARD"
    assert best(s, C) == "gamble"


def test_it_beats_those_who_play_at_random() -> None:
    """Without imagining anything but once; each seat in turn, against builders who know what is good for them."""
    won = 0
    for game in range(12):
        seat = game % 3
        s = begin(3, 70 + game, {})
        rng = Random(game)
        while s.deciders():
            turn_of = s.deciders()[0]
            legal = s.legal(turn_of)
            if turn_of == seat:
                ratings = judgement.rate(s.imagine(seat, FastDice(rng.getrandbits(30))), seat)
                s.play(seat, legal[max(range(len(ratings)), key=ratings.__getitem__)])
            else:
                s.play(turn_of, LEANS["builder"](s, turn_of, legal, rng))
        won += s.standing().winners() == (seat,)
    assert won >= 10


def test_everything_is_collected_in_the_worth() -> None:
    """At the very end what was expected is what there is."""
    s = table(3, cash=[30, 20, 25], revenue=[4, 9, 0], era=at.RAILWAY, demand=[2, 0, 0, 0, 0])
    s.round_no = 9
    s.deck_size = 0
    s.face_up = []
    stand(s, "Leeds", A, C)
    lay(s, B, "c1", "c2", "c4")
    s.counters = [0] * 15
    worths = judgement.worths(Outlook(s, -1))
    collect(s)
    assert [round(worth) for worth in worths] == pytest.approx([s.wealth(seat) for seat in range(3)], abs=4)
