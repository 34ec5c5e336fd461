"""The judgement: a sensible player knows what is good, and beats chance."""

from random import Random

from shopfloor.bots.greedy import GreedyBot
from shopfloor.bots.seat import Seat
from shopfloor.engine.dice import FastDice
from shopfloor.games.worker_placement import GAME
from shopfloor.games.worker_placement.judgement import rate, value
from shopfloor.games.worker_placement.rules import WorkerPlacement
from tests.games.worker_placement.table import A, at_auction, new_game, play, table


def favourite(s: WorkerPlacement, seat: int) -> str:
    ratings = rate(s, seat)
    assert len(ratings) == len(s.legal(seat))
    return s.space.name(s.legal(seat)[ratings.index(max(ratings))])


def test_a_good_job_is_filled_at_once_and_cheaply() -> None:
    s = table("W01 W02 S06", "", cubes=["T2 F1"], jobs="J15 J21", round_no=8)
    assert favourite(s, A) == "job J15"
    play(s, A, "job J15")
    assert favourite(s, A) == "card W01"
    play(s, A, "use W01")
    assert favourite(s, A) == "pay"


def test_the_missing_cube_is_fetched() -> None:
    s = table("W01 S06", "", cubes=["T1"], jobs="J15", round_no=8)
    assert favourite(s, A) == "go hackers_club"
    s = table("W01 S06", "", cubes=["T1"], jobs="J15", cash=9, at={"hackers_club": "BBB"}, turn=A, round_no=8)
    assert favourite(s, A) != "go hackers_club"  # too dear


def test_cards_that_end_up_unused_are_not_bid_for() -> None:
    s = at_auction("", "", up="M15 S10 S11", cash=9, round_no=8)
    ratings = dict(zip(s.legal(A), rate(s, A), strict=True))
    assert max(ratings.values()) > 0 == ratings[s.space.parse("pass")]
    assert ratings[s.space.parse("bid 7")] < max(ratings.values())


def test_who_has_more_is_more_likely_to_win() -> None:
    s = table("W01", "W05", cash=[20, 5], round_no=7)
    shares = value(s)
    assert shares[A] > 0.8
    assert abs(sum(shares) - 1.0) < 1e-9
    late, early = table("", "", cash=[9, 5], round_no=8), table("", "", cash=[9, 5], round_no=1)
    assert value(late)[A] > value(early)[A] > 0.5
    s = table("W01 S06", "", cubes=["T2"], jobs="J15", round_no=8)
    before = value(s)[A]
    play(s, A, "job J15")  # on the way to a filled Job
    assert value(s)[A] > before - 0.02
    s._end()
    assert value(s) == s.returns()


def test_greedy_beats_chance_from_every_seat() -> None:
    won = 0
    games = 16
    for g in range(games):
        players = 2 + g % 4
        s = new_game(players, g, rounds="5", edition=GAME.edition())  # type: ignore[arg-type]
        seat, rng, dice = (g // 4) % players, Random(g), FastDice(g + 50)
        bot = GreedyBot(g, imagined=2)
        while s.deciders():
            decider = s.deciders()[0]
            if decider == seat:
                s.play(seat, bot.choose(Seat(GAME, s, seat, dice)))
            else:
                s.play(decider, rng.choice(s.legal(decider)))
        won += s.standing().winners() == (seat,)
    assert won >= games - 1
