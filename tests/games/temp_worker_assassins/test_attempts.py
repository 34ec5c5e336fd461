"""Attempts (sections 6 and 7): the rulebook's example, what can be played, totals, and what follows."""

from itertools import permutations

import pytest

from shopfloor.games.temp_worker_assassins.outlook import sure_attack
from shopfloor.games.temp_worker_assassins.position import NONE
from tests.games.temp_worker_assassins.table import (
    A,
    B,
    ask,
    check_conservation,
    counts,
    discards,
    event_kinds,
    hand,
    kinds,
    legal,
    new_game,
    next_targets,
    office,
    on_top,
    one,
    phase,
    play,
    refused,
    seen,
    show_targets,
    space,
    stand,
    target,
)

PETE = "Shuriken Ruler Stapler Pencil Letter"


def pete():
    s = office(PETE, "5*Pencil", deck="3*Pencil Letter Blunt", targets="Halfling Wraith Imp")
    on_top(s, A, "Pencil")
    return s


@pytest.mark.rule("TA-T1", "TA-6.1", "TA-6.2", "TA-6.6", "TA-6.7", "TA-6.8", "TA-6.9", "TA-6.11", "TA-6.13", "TA-A14")
def test_pete_and_the_health_and_safety_halfling() -> None:
    s = pete()
    play(s, A, "attempt Halfling")
    assert (phase(s), ask(s), s.attack_total()) == ("ATTEMPT_PLAY", "A play", 0)
    events = play(s, A, "play Ruler")
    assert one(events, "card_played").facts["total"] == 1
    assert one(events, "drew_cards").facts["names"] == ["Fairly Sharp Pencil"]
    play(s, A, "play Stapler")
    assert legal(s, A) == ["discard Pencil"]
    play(s, A, "discard Pencil")
    assert s.attack_total() == 5
    assert hand(s, A) == "Letter Shuriken"
    events = play(s, A, "play Shuriken")
    fallen = one(events, "attempt_succeeded")
    assert (fallen.facts["total"], fallen.facts["defence"], fallen.facts["bounty"]) == (7, 7, 2)
    assert one(events, "markers_won").facts["names"] == ["Monday"]
    assert one(events, "deck_shuffled").facts["count"] == 7
    assert s.trophies[A] == (target("Halfling"),)
    assert s.face_up[0] not in (NONE, target("Zombie"))
    assert s.markers_top == ()
    assert (s.unplaced[A], s.security[A]) == (4, 1)
    assert counts(s, A) == (5, 6, 0)
    assert s.bounty(A) == 2
    assert ask(s) == "B place"
    # The order of the rules: rewards, then the assassin, then the cards (TA-A14).
    order = ["card_played", "attempt_succeeded", "target_revealed", "markers_won", "sent_to_security", "hand_discarded"]
    assert event_kinds(events)[:6] == order


@pytest.mark.rule("TA-T2", "TA-6.12", "TA-6.4", "TA-A28")
def test_pete_before_he_plays() -> None:
    s = pete()
    assert sure_attack(s, A, 7) == 4
    assert seen(s, A).sure_against == (4, 4, 4, 4)
    assert seen(s, B).sure_against == seen(s, None).sure_against == (None,) * 4
    play(s, A, "attempt Halfling")
    refused(s, A, "play Stapler", "CARD_NOT_PLAYABLE", "TA-6.4", why="identical", count=2)
    attempt = seen(s, A).attempt
    assert attempt is not None
    assert (attempt.sure, attempt.total, attempt.defence) == (4, 0, 7)
    watcher = seen(s, B).attempt
    assert watcher is not None
    assert watcher.sure is None


@pytest.mark.rule("TA-T3", "TA-6.4", "TA-6.13")
def test_the_covering_letter_needs_a_card_to_discard() -> None:
    s = office("Letter", "Pencil", deck="2*Pencil", targets="Wraith")
    play(s, A, "attempt Wraith")  # nothing can be played: the attempt is over at once
    assert ask(s) == "B place"
    s = office("Letter Pencil", deck="2*Blunt", targets="Wraith")
    play(s, A, "attempt Wraith", "play Letter")
    assert legal(s, A) == ["discard Pencil"]
    play(s, A, "discard Pencil")
    assert (discards(s, A), hand(s, A), s.attack_total()) == ("Pencil", "Blunt", 0)


@pytest.mark.rule("TA-T4", "TA-6.5", "TA-I6")
def test_the_sharpener_counts_pencils_before_and_after_it() -> None:
    for order in set(permutations(["Pencil", "Pencil", "Sharpener"])):
        s = office("2*Pencil Sharpener", targets="Chairman", deck="9*Letter")
        play(s, A, "attempt Chairman")
        totals = []
        for card in order:
            totals.append(s.attack_total())
            events = play(s, A, f"play {card}")
        assert one(events, "attempt_failed").facts["total"] == 4
        if order[0] == "Sharpener":
            assert totals == [0, 0, 2]
    s = office("4*Pencil Sharpener", targets="Chairman", deck="9*Letter")
    play(s, A, "attempt Chairman", "play Pencil", "play Sharpener", "play Pencil", "play Pencil")
    assert s.attack_total() == 6
    assert one(play(s, A, "play Pencil"), "attempt_failed").facts["total"] == 7


@pytest.mark.rule("TA-T7", "TA-7.4")
def test_the_media_giants_bonus_is_for_that_attempt_only() -> None:
    s = office("6*Calculator 6*Pencil", "", deck="9*Pencil", targets="Giant Imp")
    play(s, A, "attempt Giant", *["play Calculator", "discard Pencil"] * 4)
    assert s.trophies[A] == (target("Giant"),)
    assert counts(s, A)[0] == 7
    play(s, B, "occupy Statistics")
    show_targets(s, "Chairman")
    play(s, A, "attempt Chairman")
    while ask(s).startswith("A"):
        s.play(A, s.legal(A)[0])
    assert len(s.hand[A]) == 5
    failed = office("Pencil", deck="9*Pencil", targets="Giant")
    play(failed, A, "attempt Giant", "play Pencil")
    assert failed.trophies[A] == ()
    assert len(failed.hand[A]) == 5


@pytest.mark.rule("TA-T29", "TA-6.1")
def test_only_face_up_targets() -> None:
    s = office("Shuriken 2*Pencil", targets="Imp Wraith Halfling", deck="9*Pencil")
    refused(s, A, "attempt Chairman", "TARGET_NOT_FACE_UP", "TA-6.1", name="Chairman of the Hoard")
    s.target_deck.remove(target("Imp"))
    s.target_deck.append(target("Giant"))
    next_targets(s, "Giant")
    play(s, A, "attempt Imp", "play Shuriken", "play Pencil", "play Pencil")
    assert s.trophies[A] == (target("Imp"),)
    refused(s, B, "attempt Imp", "TARGET_NOT_FACE_UP", "TA-6.1")


@pytest.mark.rule("TA-T30", "TA-6.10", "TA-7.1", "TA-7.2", "TA-7.3", "TA-6.2")
def test_a_failed_attempt_costs_nothing_but_the_cards() -> None:
    s = office("Shuriken 2*Pencil", deck="9*Letter", targets="Wraith Imp")
    markers, targets = s.markers_top, s.face_up[:]
    play(s, A, "attempt Wraith", "play Pencil", "play Shuriken")
    events = play(s, A, "play Pencil")
    assert one(events, "attempt_failed").facts["total"] == 4
    assert one(events, "attempt_failed").clause == "TA-6.10"
    assert (s.markers_top, s.face_up) == (markers, targets)
    assert (s.security[A], s.trophies[A]) == (1, ())
    assert counts(s, A) == (5, 4, 3)
    assert hand(s, A) == "Letter Letter Letter Letter Letter"


@pytest.mark.rule("TA-T31", "TA-A11", "TA-6.2")
def test_an_attempt_without_cards() -> None:
    s = office("", deck="9*Pencil")
    assert accepted_targets(s) == 4
    play(s, A, "attempt Zombie")
    assert (ask(s), len(s.hand[A]), s.security[A]) == ("B place", 5, 1)


def accepted_targets(s) -> int:
    return sum(1 for name in legal(s, s.current_player) if name.startswith("attempt"))


@pytest.mark.rule("TA-T32", "TA-A27", "TA-7.1")
def test_the_same_target_can_be_tried_again_at_once() -> None:
    s = office("Pencil", "Shuriken Pencil", deck=["9*Pencil", "9*Pencil"], targets="Wraith")
    play(s, A, "attempt Wraith", "play Pencil")
    play(s, B, "attempt Wraith")
    assert ask(s) == "B play"
    assert s.target == 0


@pytest.mark.rule("TA-T33", "TA-A10")
def test_the_attempt_ends_as_soon_as_the_defence_is_reached() -> None:
    s = office("Shuriken 2*Pencil", targets="Imp", deck="9*Letter")
    play(s, A, "attempt Imp", "play Pencil", "play Pencil")
    assert s.attack_total() == 2
    play(s, A, "play Shuriken")  # 4 against 4
    assert s.trophies[A] == (target("Imp"),)
    s = office("2*Shuriken Pencil", targets="Imp", deck="9*Letter")
    play(s, A, "attempt Imp", "play Shuriken", "play Shuriken")
    refused(s, A, "play Pencil", "NOT_YOUR_DECISION", "TA-4.3", deciders=[B])
    assert discards(s, A) == "Monday Pencil Shuriken Shuriken"


@pytest.mark.rule("TA-T34", "TA-A9")
def test_stopping_early() -> None:
    s = office("2*Pencil", targets="Wraith", deck="9*Letter")
    refused(s, A, "stop", "WRONG_PHASE")
    play(s, A, "attempt Wraith", "play Pencil")
    refused(s, A, "stop", "MUST_KEEP_PLAYING", "TA-A9")
    s = office("2*Pencil", targets="Wraith", deck="9*Letter", may_stop_early="yes")
    play(s, A, "attempt Wraith", "play Pencil")
    assert legal(s, A) == ["stop", "play Pencil"]
    events = play(s, A, "stop")
    assert event_kinds(events)[:2] == ["stopped", "attempt_failed"]
    assert one(events, "attempt_failed").facts["total"] == 1
    s = office("Letter", targets="Wraith", deck="9*Letter", may_stop_early="yes")
    play(s, A, "attempt Wraith")  # nothing to play: there is nothing to stop
    assert ask(s) == "B place"


@pytest.mark.rule("TA-T35", "TA-6.3")
@pytest.mark.parametrize(("cards", "total", "success"), [("4*Shuriken", 8, True), ("3*Shuriken", 6, False)])
def test_eight_or_six_against_seven(cards: str, total: int, success: bool) -> None:
    s = office(cards, targets="Halfling", deck="9*Pencil")
    events = play(s, A, "attempt Halfling", *["play Shuriken"] * (total // 2))
    assert one(events, "attempt_succeeded" if success else "attempt_failed").facts["total"] == total
    assert (s.trophies[A] != ()) == success


@pytest.mark.rule("TA-T36", "TA-6.6", "TA-A28")
def test_what_the_stapler_eats() -> None:
    s = office("Stapler 2*Pencil Ruler", targets="Wraith", deck="9*Letter")
    play(s, A, "attempt Wraith", "play Stapler")
    refused(s, A, "discard Ruler", "NOT_IDENTICAL", "TA-6.6", count=2)
    refused(s, A, "discard Stapler", "CARD_NOT_IN_HAND", "TA-6.6", pile="hand")
    refused(s, A, "decline", "WRONG_DISCARD_COUNT", "TA-A3", done=0, needed=2)
    events = play(s, A, "discard Pencil")
    assert one(events, "discarded").facts["names"] == ["Fairly Sharp Pencil"] * 2
    assert s.attack_total() == 4
    assert discards(s, A) == "Pencil Pencil"
    # Two Staplers: one of them cannot be eaten by itself.
    s = office("2*Stapler", targets="Wraith", deck="9*Letter")
    play(s, A, "attempt Wraith")
    assert ask(s) == "B place"
    s = office("3*Stapler", targets="Wraith", deck="9*Letter")
    play(s, A, "attempt Wraith", "play Stapler")
    assert legal(s, A) == ["discard Stapler"]


@pytest.mark.rule("TA-T37", "TA-A12", "TA-6.4", "TA-A13")
def test_drawing_when_there_is_nothing_to_draw() -> None:
    s = office("Ruler Letter Pencil", targets="Wraith")
    play(s, A, "attempt Wraith")
    refused(s, A, "play Ruler", "CARD_NOT_PLAYABLE", "TA-A12", why="draw", count=1)
    play(s, A, "play Letter", "discard Pencil")
    assert hand(s, A) == "Pencil Ruler"  # the Pencil came back
    s = office("Ruler", targets="Wraith", strict_draw="no")
    events = play(s, A, "attempt Wraith", "play Ruler")
    assert one(events, "attempt_failed").facts["total"] == 1


@pytest.mark.rule("TA-T38", "TA-A13")
def test_played_cards_cannot_be_drawn_again() -> None:
    s = office("Shuriken Ruler", targets="Wraith")
    play(s, A, "attempt Wraith")
    refused(s, A, "play Ruler", "CARD_NOT_PLAYABLE", why="draw")
    play(s, A, "play Shuriken")
    assert ask(s) == "B place"  # the Ruler still could not be played


@pytest.mark.rule("TA-T39", "TA-A14", "TA-6.9", "TA-A16")
def test_a_marker_may_be_drawn_at_once() -> None:
    s = office("2*Shuriken Calculator Pencil", targets="Imp")
    play(s, A, "attempt Imp", "play Shuriken", "play Shuriken")
    assert counts(s, A) == (5, 0, 0)
    assert hand(s, A) == "Calculator Monday Pencil Shuriken Shuriken"


@pytest.mark.rule("TA-T40", "TA-A31", "TA-I5")
def test_a_new_hand_from_four_cards() -> None:
    s = office("Pencil Letter", deck="Pencil", discard="Blunt", targets="Wraith")
    play(s, A, "attempt Wraith")
    while ask(s).startswith("A"):
        s.play(A, s.legal(A)[-1])
    assert counts(s, A) == (4, 0, 0)


@pytest.mark.rule("TA-T41", "TA-A29", "TA-6.4")
def test_a_gained_card_can_be_played_next() -> None:
    s = office("Catalogue Pencil", row="4*Idea", supply="2*Shuriken 6*Note", targets="Wraith", deck="9*Letter")
    play(s, A, "attempt Wraith")
    events = play(s, A, "play Catalogue")
    assert event_kinds(events)[:3] == ["card_played", "cleared", "row_filled"]
    s.supply_row = kinds("2*Shuriken 2*Note")
    s.choices = ()
    play(s, A, "gain Shuriken", "play Shuriken")
    assert s.played == kinds("Catalogue Shuriken")


@pytest.mark.rule("TA-T42", "TA-A5", "TA-3.2")
def test_zombies_come_from_their_own_stack() -> None:
    s = office("3*Pencil", deck="30*Pencil", targets="Imp Wraith Halfling")
    others, deck = s.face_up[:3], s.target_deck[:]
    for left in (3, 2, 1, 0, 0):
        s.current_player, s.choices = A, ()
        s.unplaced[A] = 5
        s.security[A] = 0
        assert s.face_up[3] == target("Zombie")
        play(s, A, "attempt Zombie", "play Pencil", "play Pencil", "play Pencil")
        assert s.zombie_stack == left
        assert (s.face_up[:3], s.target_deck) == (others, deck)
    assert s.face_up[3] == NONE
    assert s.trophies[A] == (target("Zombie"),) * 5
    s.current_player, s.choices = A, ()
    refused(s, A, "attempt Zombie", "TARGET_NOT_FACE_UP")


@pytest.mark.rule("TA-A5")
def test_zombies_replaced_from_the_target_deck() -> None:
    s = office("3*Pencil", deck="30*Pencil", targets="Imp Wraith Halfling", zombie_refill="target_deck")
    next_targets(s, "Chairman")
    play(s, A, "attempt Zombie", "play Pencil", "play Pencil", "play Pencil")
    assert s.face_up[3] == target("Chairman")
    assert s.zombie_stack == 4


@pytest.mark.rule("TA-T43", "TA-6.8", "TA-A6")
def test_the_target_deck_runs_out() -> None:
    s = office("2*Shuriken", "2*Shuriken", deck=["9*Shuriken", "9*Shuriken"], targets="Imp Wraith Halfling")
    s.target_deck = [target("Imp")]
    play(s, A, "attempt Imp", "play Shuriken", "play Shuriken")
    assert s.target_deck == []
    assert s.face_up[0] == target("Imp")
    play(s, B, "attempt Imp", "play Shuriken", "play Shuriken")
    assert s.face_up[0] == NONE
    assert accepted_targets(s) == 3


@pytest.mark.rule("TA-T54", "TA-5.1", "TA-6.2", "TA-6.6")
def test_a_stapler_alone_and_a_stapler_as_a_price() -> None:
    s = office("Stapler", targets="Wraith", deck="9*Pencil")
    assert "failed" in event_kinds(play(s, A, "attempt Wraith"))[1]
    s = office("Stapler Letter", targets="Wraith", deck="9*Pencil")
    play(s, A, "attempt Wraith", "play Letter", "discard Stapler")
    assert hand(s, A) == "Pencil"


@pytest.mark.rule("TA-T56", "TA-A16", "TA-5.5", "TA-6.9")
def test_a_claimed_marker_is_a_card_like_others() -> None:
    s = office("Monday Tuesday", deck="3*Pencil", targets="Wraith")
    refused(s, A, "play Monday", "WRONG_PHASE", "TA-5.5")
    play(s, A, "occupy Spooky", "trash Monday")
    assert s.trashed == tuple(kinds("Monday"))
    s = office("Monday Tuesday", deck="3*Pencil", targets="Wraith")
    play(s, A, "attempt Wraith", "play Monday")
    assert (s.attack_total(), hand(s, A)) == (1, "Pencil Tuesday")


@pytest.mark.rule("TA-T60", "TA-A30")
def test_a_sharpener_without_pencils() -> None:
    s = office("Sharpener", targets="Wraith", deck="9*Letter")
    events = play(s, A, "attempt Wraith", "play Sharpener")
    assert one(events, "attempt_failed").facts["total"] == 0


@pytest.mark.rule("TA-T64", "TA-A36", "TA-A37", "TA-7.2")
def test_lasting_attack_adds_up_and_may_be_enough() -> None:
    picks = "DP10+DP19+DP12+DP13+DP09"  # Training twice +1, Boardroom +2
    s = office("Shuriken Letter", deck="9*Pencil", targets="Halfling Imp Wraith", picks=picks, unplaced=9)
    for where in ("occupy Training 1", "occupy Training 2", "occupy Boardroom"):
        s.current_player, s.choices = A, ()
        play(s, A, where)
    assert s.lasting_attack(A, 3) == 4
    s.current_player, s.choices = A, ()
    events = play(s, A, "attempt Imp")
    assert one(events, "attempt_succeeded").clause == "TA-A37"
    assert one(events, "attempt_succeeded").facts["total"] == 4
    assert one(events, "hand_discarded").facts["played"] == 0
    assert (len(s.hand[A]), discards(s, A)) == (5, "Letter Monday Shuriken")
    s.hand[A] = sorted(kinds("Shuriken Letter"))
    show_targets(s, "Mimic")  # defence 6: one Shuriken more
    s.current_player, s.choices = A, ()
    play(s, A, "attempt Mimic", "play Shuriken")
    assert len(s.trophies[A]) == 2
    s.unplaced = [0, 0]
    s._place_next(A)
    assert s.day == 2
    assert s.lasting == ()
    assert s.lasting_attack(A, 3) == 0


@pytest.mark.rule("TA-T65", "TA-A38", "TA-I5")
def test_target_bonuses() -> None:
    s = office("3*Shuriken", deck="9*Pencil", row="Ruler Note Badge Stamp", targets="Gremlin")
    play(s, A, "attempt Gremlin", "play Shuriken", "play Shuriken", "play Shuriken")
    assert (phase(s), ask(s), len(s.hand[A])) == ("TARGET_BONUS", "A gain", 5)
    declined = s.clone()
    play(s, A, "gain Ruler")
    assert (len(s.hand[A]), ask(s)) == (6, "B place")
    declined.listen()
    assert event_kinds(play(declined, A, "decline"))[0] == "declined"
    assert (len(declined.hand[A]), ask(declined)) == (5, "B place")

    for choice, cards in (("trash Pencil", 4), ("decline", 5)):
        s = office("4*Shuriken", deck="9*Pencil", targets="Cyclops")
        play(s, A, "attempt Cyclops", *["play Shuriken"] * 4)
        assert ask(s) == "A trash"
        play(s, A, choice)
        assert (len(s.hand[A]), len(s.trashed)) == (cards, 5 - cards)

    s = office("6*Shuriken", deck="9*Pencil", targets="Reaper")
    events = play(s, A, "attempt Reaper", *["play Shuriken"] * 6)
    assert "assassin_returned" in event_kinds(events)
    assert (s.unplaced[A], s.security[A], ask(s)) == (5, 0, "B place")
    s = office("5*Shuriken", deck="9*Pencil", targets="Reaper")
    play(s, A, "attempt Reaper", *["play Shuriken"] * 5)
    assert (s.unplaced[A], s.security[A]) == (4, 1)
    s = office("2*Shuriken", deck="9*Pencil", targets="Gremlin")
    play(s, A, "attempt Gremlin", "play Shuriken", "play Shuriken")
    assert ask(s) == "B place"  # failed: no bonus


@pytest.mark.rule("TA-T65", "TA-A38", "TA-A8")
@pytest.mark.parametrize(("word", "cards", "count"), [("Pixie", 2, 2), ("Lich", 5, 3)])
def test_a_research_bonus(word: str, cards: int, count: int) -> None:
    s = office(f"{cards}*Shuriken", deck="9*Pencil", targets=word)
    play(s, A, f"attempt {word}", *["play Shuriken"] * cards)
    assert (ask(s), legal(s, A)) == ("A may", ["accept", "decline"])
    play(s, A, "accept")
    assert (ask(s), len(s.looked)) == ("A keep", count)
    s.play(A, s.legal(A)[0])
    assert (len(s.hand[A]), len(s.supply_discard), ask(s)) == (6, count - 1, "B place")


@pytest.mark.rule("TA-T66", "TA-A39")
def test_new_hands_of_another_size() -> None:
    picks = "DP31+DP11+DP12+DP13+DP09"
    for targets, cards, expected in (("Chairman", 1, 6), ("Giant", 7, 7), ("Hobgoblin", 4, 6), ("Mimic", 3, 6)):
        s = office("Pencil " + f"{cards}*Shuriken", deck="20*Pencil", targets=targets, picks=picks)
        stand(s, A, "Operations")
        s.lasting = (A, space("Operations"), s.cards.lasting_texts.index("here_hand 6"))
        play(s, A, f"attempt {targets}")
        while ask(s) == "A play":
            play(s, A, "play Shuriken" if "play Shuriken" in legal(s, A) else legal(s, A)[0])
        assert len(s.hand[A]) == expected
    s = office("Pencil", deck="20*Pencil", targets="Chairman", picks=picks, quick_mode="yes", unplaced=1)
    play(s, A, "occupy Operations")
    assert len(s.hand[A]) == 5


@pytest.mark.rule("TA-T70", "TA-A43", "TA-6.4")
def test_keywords_on_cards_need_their_cards() -> None:
    s = office("Catalogue Pencil", targets="Wraith", deck="9*Pencil", row="-", supply="")
    play(s, A, "attempt Wraith")
    refused(s, A, "play Catalogue", "CARD_NOT_PLAYABLE", "TA-6.4", why="row")
    s = office("Marker Pencil", targets="Wraith", deck="9*Pencil")
    play(s, A, "attempt Wraith")
    refused(s, A, "play Marker", "CARD_NOT_PLAYABLE", "TA-6.4", why="recover")
    s = office("Idea Pencil", targets="Wraith", deck="9*Pencil", row="4*Note", supply="Stamp")
    play(s, A, "attempt Wraith", "play Idea")
    assert (ask(s), legal(s, A)) == ("A keep", ["keep Stamp"])
    play(s, A, "keep Stamp")
    assert hand(s, A) == "Pencil Stamp"
    s = office("Idea Pencil", targets="Wraith", deck="9*Pencil", row="4*Note", supply="")
    play(s, A, "attempt Wraith")
    refused(s, A, "play Idea", "CARD_NOT_PLAYABLE", why="supply")
    s = office("Punch", targets="Wraith", deck="9*Pencil")
    assert "attempt_failed" in event_kinds(play(s, A, "attempt Wraith"))
    s = office("Punch Stapler Band", targets="Wraith", deck="9*Pencil")
    play(s, A, "attempt Wraith")
    refused(s, A, "play Band", "CARD_NOT_PLAYABLE", why="tag", tag="pencil", count=1)
    play(s, A, "play Punch")
    assert legal(s, A) == ["trash Stapler", "trash Band"]


@pytest.mark.rule("TA-T73", "TA-6.5", "TA-I6")
def test_the_sticky_note_likes_an_empty_hand() -> None:
    s = office("Note Pencil", targets="Wraith", deck="9*Letter")
    play(s, A, "attempt Wraith", "play Pencil")
    assert one(play(s, A, "play Note"), "attempt_failed").facts["total"] == 1 + 3
    s = office("Note Pencil", targets="Wraith", deck="9*Letter")
    play(s, A, "attempt Wraith", "play Note")
    assert s.attack_total() == 1
    assert one(play(s, A, "play Pencil"), "attempt_failed").facts["total"] == 1 + 3


@pytest.mark.rule("TA-6.1", "TA-6.4")
def test_only_cards_in_hand_are_played() -> None:
    s = office("2*Pencil", targets="Wraith", deck="9*Letter")
    play(s, A, "attempt Wraith")
    refused(s, A, "play Shuriken", "CARD_NOT_IN_HAND", "TA-6.1", pile="hand")
    refused(s, A, "occupy Statistics", "WRONG_PHASE")
    refused(s, A, "discard Pencil", "WRONG_PHASE")
    refused(s, A, "attempt Wraith", "WRONG_PHASE")
    refused(s, A, "skip", "WRONG_PHASE")


@pytest.mark.rule("TA-6.7", "TA-A24", "TA-T45", "TA-I8")
def test_gained_targets_lie_face_down() -> None:
    s = office("2*Shuriken", deck="9*Pencil", targets="Imp")
    play(s, A, "attempt Imp", "play Shuriken", "play Shuriken")
    mine, theirs, watching = (seen(s, seat).seats[A] for seat in (A, B, None))
    assert mine.trophies is not None
    assert [t.name for t in mine.trophies] == ["Intern Imp"]
    assert mine.target_bounty == 1
    for other in (theirs, watching):
        assert (other.trophies, other.trophy_count) == (None, 1)
        assert (other.target_bounty, other.set_bounty, other.card_bounty) == (None, None, None)
    s = office("2*Shuriken", deck="9*Pencil", targets="Imp", open_trophies="yes")
    play(s, A, "attempt Imp", "play Shuriken", "play Shuriken")
    theirs = seen(s, B).seats[A]
    assert theirs.trophies is not None
    assert (theirs.target_bounty, theirs.card_bounty) == (1, None)


def test_a_game_of_attempts_keeps_all_cards() -> None:
    s = new_game(3, 7)
    while s.deciders():
        choices = s.legal(s.current_player)
        s.play(s.current_player, choices[-1])
        check_conservation(s)
