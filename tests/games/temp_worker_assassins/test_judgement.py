"""What a sensible player does: sure attack, planning an attempt, worth of positions, and strength against chance."""

from random import Random

import pytest

from shopfloor.bots import Seat, make_bot
from shopfloor.engine.dice import FastDice
from shopfloor.games.temp_worker_assassins import GAME, judgement
from shopfloor.games.temp_worker_assassins.outlook import sure_attack
from shopfloor.games.temp_worker_assassins.rules import TempWorkerAssassins
from tests.games.temp_worker_assassins.table import A, B, ask, legal, new_game, office, on_top, play, stand, target
from tests.playing import decisions


def best(s: TempWorkerAssassins) -> str:
    """What the judgement rates highest."""
    seat = s.current_player
    ratings = judgement.rate(s, seat)
    return legal(s, seat)[ratings.index(max(ratings))]


@pytest.mark.rule("TA-6.12", "TA-6.5")
@pytest.mark.parametrize(
    ("cards", "defence", "sure"),
    [
        ("", 5, 0),
        ("4*Pencil", 5, 4),
        ("Shuriken Ruler Stapler Pencil Letter", 7, 4),
        ("Stapler 3*Pencil", 7, 5),  # two Pencils eaten, one played
        ("Stapler 2*Pencil Sharpener", 7, 4),  # eaten or sharpened: four either way
        ("Calculator Letter", 7, 4),
        ("Calculator Shuriken", 7, 4),
        ("2*Calculator Pencil", 7, 5),  # one is discarded for the other
        ("Calculator Ruler", 7, 5),  # what the Ruler draws can be discarded
        ("Guillotine Pencil Letter", 7, 5),
        ("Thesaurus", 9, 2),
        ("Thesaurus", 10, 3),
        ("Note Pencil", 9, 4),
        ("Blunt", 9, 0),
        ("2*Blunt", 9, 2),
        ("Band Letter", 9, 0),
        ("Band Pencil", 9, 3),
    ],
)
def test_what_a_hand_surely_reaches(cards: str, defence: int, sure: int) -> None:
    s = office(cards, deck="9*Blunt")
    assert sure_attack(s, A, defence) == sure


def test_what_is_sure_is_reached() -> None:
    """Whatever is drawn: a bound that no play from these cards reaches would promise too much."""
    for seed in range(60):
        rng = Random(seed)
        s = new_game(2, seed, departments="random")
        for _ in decisions(s, rng, most=rng.randint(0, 90)):
            pass
        if not s.deciders() or ask(s)[2:] != "place" or not s.hand[s.current_player]:
            continue
        seat = s.current_player
        s.may_stop = False
        s.face_up[0] = target("Chairman")
        s.choices = ()
        sure = sure_attack(s, seat, 19)
        reached = 0
        for trial in range(60):
            t = s.clone()
            t.dice = FastDice(trial)
            play(t, seat, "attempt Chairman")
            total = t.attack_total() if t.target >= 0 else sure
            while t.target >= 0:
                ratings = judgement.rate(t, seat)
                options = t.legal(seat)
                order = rng.random() < 0.5
                t.play(seat, options[ratings.index(max(ratings))] if order else rng.choice(options))
                total = max(total, t.attack_total()) if t.target >= 0 else total
            reached = max(reached, total)
            if t.trophies[seat] != s.trophies[seat]:
                reached = 19
        assert reached >= min(sure, 19) - 2  # the last card's total is not seen here


@pytest.mark.rule("TA-T1")
def test_greedy_plays_petes_attempt_as_pete_does() -> None:
    s = office("Shuriken Ruler Stapler Pencil Letter", deck="3*Pencil Letter Blunt", targets="Halfling Wraith Chairman")
    on_top(s, A, "Pencil")
    play(s, A, "attempt Halfling")
    assert best(s) == "play Ruler"
    while ask(s).startswith("A"):
        play(s, A, best(s))
    assert s.trophies[A] == (target("Halfling"),)


def test_a_sure_big_target_comes_before_a_small_one() -> None:
    s = office("6*Shuriken", deck="9*Pencil", targets="Reaper Imp Pixie", day=5, unplaced=[1, 1])
    assert best(s) == "attempt Redundancy Reaper"


def test_nobody_stops_or_skips_who_need_not() -> None:
    s = office("Pencil Shuriken", deck="9*Pencil", targets="Wraith", may_stop_early="yes")
    play(s, A, "attempt Wraith")
    assert best(s) != "stop"


def test_the_best_is_kept_and_the_worst_given_away() -> None:
    s = office("Pencil Blunt Thursday", deck="9*Pencil", row="Stapler Idea Binder Calculator")
    play(s, A, "occupy Spooky")
    assert best(s) in ("trash Blunt", "trash Pencil")
    s = office("Pencil Thursday", deck="9*Pencil", row="Idea Idea Calculator Idea")
    play(s, A, "occupy Cupboard")
    assert best(s) == "gain Calculator"
    s = office("Pencil Thursday", deck="9*Pencil", discard="Pencil Thursday Letter")
    play(s, A, "occupy Aid")
    assert best(s) == "recover Thursday"


def test_a_rival_with_a_lasting_bonus_is_evicted_first() -> None:
    s = office("Pencil", "Pencil", deck="9*Pencil")
    training = stand(s, B, "Training")
    stand(s, B, "Helpdesk")
    s.lasting = (B, training, s.cards.lasting_texts.index("here_attack 1"))
    play(s, A, "occupy Secondment")
    assert best(s) == "evict Tainted Training Dept 1"


def test_more_is_worth_more() -> None:
    s = office("3*Pencil", "3*Pencil", deck=["9*Pencil", "9*Pencil"])
    even = judgement.value(s)
    assert sum(even) == pytest.approx(1)
    assert even[A] == pytest.approx(0.5, abs=0.05)
    s.trophies = ((target("Kraken"),), ())
    richer = judgement.value(s)
    assert richer[A] > even[A] + 0.1
    s.trophies = ((), ())
    s.hand[A] = s.hand[A][:1]
    assert judgement.value(s)[A] < even[A]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_greedy_beats_chance_from_every_seat(players: int) -> None:
    for seat in range(players):
        s = GAME.start(players, FastDice(seat), {"departments": "random" if seat % 2 else "recommended"})
        bots = [make_bot("greedy" if i == seat else "random", i) for i in range(players)]
        dice = FastDice(99)
        while s.deciders():
            decider = s.deciders()[0]
            s.play(decider, bots[decider].choose(Seat(GAME, s, decider, dice)))
        assert s.standing().winners() == (seat,)
        assert isinstance(s, TempWorkerAssassins)
        assert s.bounty(seat) >= 14
