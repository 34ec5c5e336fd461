"""Every effect that the edition has, each done once; a new text in a CSV file needs a line here."""

from collections.abc import Callable

import pytest

from shopfloor.games.temp_worker_assassins.position import NONE
from shopfloor.games.temp_worker_assassins.rules import TempWorkerAssassins
from tests.games.temp_worker_assassins.table import (
    OWN,
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
    next_targets,
    office,
    on_top,
    one,
    play,
    refused,
    seen,
    short,
    show_targets,
    space,
    stand,
    target,
)

# -- cards: (what is in hand beside the card, actions after playing it, total, hand, discards) --------------------

LAST = "9*Letter"


def attempt(
    card: str, others: str = "", against: str = "Chairman", deck: str = LAST, **more: str
) -> TempWorkerAssassins:
    """A has begun an attempt on a big Target with a card and others, and played the card."""
    s = office(f"{card} {others}", targets=against, deck=deck, may_stop_early="yes", **more)  # type: ignore[arg-type]
    play(s, A, f"attempt {against}", f"play {card}")
    return s


def check(s: TempWorkerAssassins, total: int, in_hand: str, in_discard: str = "") -> None:
    assert s.target != NONE, "the attempt is over"
    assert (s.attack_total(), hand(s, A), discards(s, A)) == (total, in_hand, in_discard)


def attack_1() -> None:
    check(attempt("Pencil", "Pencil"), 1, "Pencil")


def two_pencils() -> None:
    s = attempt("Blunt", "Pencil Shuriken")
    check(s, 0, "Pencil Shuriken")
    play(s, A, "play Pencil")
    check(s, 2, "Shuriken")  # the Blunt Pencil counts itself
    s = attempt("Blunt", "Blunt Shuriken")
    play(s, A, "play Blunt")
    check(s, 2, "Shuriken")


def discard_draw() -> None:
    s = attempt("Letter", "Pencil Shuriken", deck="3*Blunt")
    assert legal(s, A) == ["discard Shuriken", "discard Pencil"]
    play(s, A, "discard Pencil")
    check(s, 0, "Blunt Shuriken", "Pencil")


def attack_2() -> None:
    check(attempt("Shuriken", "Pencil"), 2, "Pencil")
    check(attempt("Tuesday", "Pencil"), 2, "Pencil")


def attack_3() -> None:
    check(attempt("Thursday", "Pencil"), 3, "Pencil")


def attack_draw() -> None:
    for card in ("Ruler", "Lead", "Monday"):
        check(attempt(card, "Pencil"), 1, "Letter Pencil")


def attack_draw_2() -> None:
    check(attempt("Wednesday", "Pencil"), 1, "Letter Letter Pencil")


def friday() -> None:
    s = attempt("Friday", "Pencil")
    check(s, 4, "Pencil")
    play(s, A, "stop")
    assert s.card_bounty(A) == 1


def identical() -> None:
    s = attempt("Stapler", "2*Pencil Shuriken")
    play(s, A, "discard Pencil")
    check(s, 4, "Shuriken", "Pencil Pencil")


def sharpen() -> None:
    s = attempt("Sharpener", "5*Pencil")
    for total in (2, 4, 6, 7):  # the fourth Pencil is not sharpened any more
        play(s, A, "play Pencil")
        assert s.attack_total() == total
    s = attempt("Sharpener", "Sharpener 2*Pencil Shuriken")
    play(s, A, "play Sharpener", "play Pencil")
    check(s, 3, "Pencil Shuriken")  # both Sharpeners count


def heavy() -> None:
    s = attempt("Calculator", "Pencil Letter")
    play(s, A, "discard Letter")
    check(s, 4, "Pencil", "Letter")


def scissors() -> None:
    s = attempt("Scissors", "Note Pencil Shuriken")
    check(s, 1, "Note Pencil Shuriken")
    play(s, A, "play Note")
    check(s, 1 + 2 + 1, "Pencil Shuriken")


def chain() -> None:
    s = attempt("Chain", "Pencil")
    assert len(s.hand[A]) == 3
    play(s, A, "discard Letter")
    check(s, 0, "Letter Pencil", "Letter")


def thesaurus() -> None:
    check(attempt("Thesaurus", "Pencil", "Wraith"), 2, "Pencil")  # defence 9
    check(attempt("Thesaurus", "Pencil", "Vampire"), 3, "Pencil")  # defence 10


def recover_card() -> None:
    s = office("Marker Pencil", targets="Chairman", deck=LAST, discard="Shuriken Blunt")
    play(s, A, "attempt Chairman", "play Marker")
    assert legal(s, A) == ["recover Shuriken", "recover Blunt"]
    refused(s, A, "recover Pencil", "CARD_NOT_IN_HAND", "TA-A46", pile="discard")
    events = play(s, A, "recover Shuriken")
    assert one(events, "recovered").audience is None
    check(s, 0, "Pencil Shuriken", "Blunt")
    assert [card.name for card in seen(s, B).seats[A].known] == ["Compact Disk Shuriken"]


def draw_two() -> None:
    check(attempt("Binder", "Pencil"), 0, "Letter Letter Pencil")


def empty_hand() -> None:
    s = attempt("Note", "Pencil Shuriken")
    check(s, 1, "Pencil Shuriken")
    play(s, A, "play Pencil")
    assert one(play(s, A, "play Shuriken"), "attempt_failed").facts["total"] == 1 + 1 + 2 + 2


def clear_gain() -> None:
    s = attempt("Catalogue", "Pencil", row="4*Note", supply="4*Shuriken 2*Stamp")
    assert short(s.supply_discard) == "Note Note Note Note"
    assert len(s.supply_row) == 4
    s.supply_row = kinds("4*Shuriken")
    s.choices = ()
    play(s, A, "gain Shuriken")
    check(s, 0, "Pencil Shuriken")


def trash_attack() -> None:
    s = attempt("Punch", "Pencil Letter")
    assert legal(s, A) == ["trash Pencil", "trash Letter"]
    play(s, A, "trash Letter")
    check(s, 3, "Pencil")
    assert short(s.trashed) == "Letter"


def elastic() -> None:
    s = attempt("Band", "Pencil Letter Mechanical")
    assert legal(s, A) == ["discard Mechanical", "discard Pencil"]
    refused(s, A, "discard Letter", "CARD_NOT_PLAYABLE", "TA-6.6", why="tag", tag="pencil")
    play(s, A, "discard Pencil")
    check(s, 3, "Letter Mechanical", "Pencil")


def underworld() -> None:
    s = attempt("Underworld", "3*Ruler Pencil")
    check(s, 2, "Pencil Ruler Ruler Ruler")  # it counts itself
    play(s, A, "play Ruler", "play Ruler", "play Ruler")
    assert s.attack_total() == 1 + 3 + 3  # at most three rulers


def research_two() -> None:
    s = attempt("Idea", "Pencil", supply="2*Stamp")
    assert legal(s, A) == ["keep Stamp"]
    play(s, A, "keep Stamp")
    check(s, 0, "Pencil Stamp")


def mechanical() -> None:
    check(attempt("Mechanical", "Pencil", "Halfling"), 1, "Pencil")  # defence 7
    check(attempt("Mechanical", "Pencil", "Cyclops"), 2, "Pencil")  # defence 8


def fluid() -> None:
    s = attempt("Fluid", "Pencil Shuriken")
    assert legal(s, A) == ["decline", "trash Shuriken", "trash Pencil"]
    play(s, A, "decline")
    check(s, 1, "Letter Pencil Shuriken")
    s = attempt("Fluid", "Pencil Shuriken")
    play(s, A, "trash Pencil")
    check(s, 1, "Letter Shuriken")
    s = attempt("Fluid", deck="9*Pencil")  # nothing to trash, which hinders nothing (TA-A30)
    check(s, 1, "Pencil")


def stamp() -> None:
    s = attempt("Stamp", "5*Pencil")
    for total in (2, 3, 4):
        play(s, A, "play Pencil")
        assert s.attack_total() == total
    play(s, A, "play Pencil")
    assert s.attack_total() == 1 + 4 + 2  # the fifth card, the Stamp itself among them


def badge() -> None:
    s = attempt("Badge", "Pencil Shuriken", deck="2*Blunt")
    play(s, A, "discard Pencil")
    check(s, 1, "Blunt Shuriken", "Pencil")


def guillotine() -> None:
    s = attempt("Guillotine", "Pencil Letter Blunt")
    play(s, A, "discard Pencil")
    refused(s, A, "decline", "WRONG_DISCARD_COUNT", "TA-A3", done=1, needed=2)
    play(s, A, "discard Letter")
    check(s, 5, "Blunt", "Letter Pencil")
    s = office("Guillotine Pencil", targets="Chairman", deck=LAST)
    play(s, A, "attempt Chairman")
    refused(s, A, "play Guillotine", "CARD_NOT_PLAYABLE", "TA-6.4", why="discard", count=2)


CARDS: dict[str, Callable[[], None]] = {
    "attack 1": attack_1,
    "attack_if tag:pencil>=2 1": two_pencils,
    "discard 1; draw 1": discard_draw,
    "attack 2": attack_2,
    "attack 3": attack_3,
    "attack 1; draw 1": attack_draw,
    "attack 1; draw 2": attack_draw_2,
    "attack 4; end_bounty 1": friday,
    "discard 2 identical; attack 4": identical,
    "buff pencil 1 max 3": sharpen,
    "discard 1; attack 4": heavy,
    "attack 1; attack_if tag:paper>=1 2": scissors,
    "draw 2; discard 1": chain,
    "attack 2; attack_if defence>=10 1": thesaurus,
    "recover 1": recover_card,
    "draw 2": draw_two,
    "attack 1; attack_if hand=0 2": empty_hand,
    "clear; gain 1": clear_gain,
    "trash 1; attack 3": trash_attack,
    "discard 1 pencil; attack 3": elastic,
    "attack 1; attack_per ruler 1 max 3": underworld,
    "research 2": research_two,
    "attack 1; attack_if defence>=8 1": mechanical,
    "may trash 1; draw 1; attack 1": fluid,
    "attack 1; attack_if played>=5 2": stamp,
    "attack 1; discard 1; draw 1": badge,
    "discard 2; attack 5": guillotine,
}


@pytest.mark.rule("TA-6.4", "TA-6.5", "TA-6.13", "TA-A30", "TA-A43", "TA-A46")
@pytest.mark.parametrize("effect", CARDS)
def test_effect_of_a_card(effect: str) -> None:
    assert effect in OWN.effects
    CARDS[effect]()


# -- spaces -------------------------------------------------------------------------------------------------------


def enter(where: str, hands: str = "Pencil Letter Blunt", deck: str = "9*Ruler", **more: str) -> TempWorkerAssassins:
    """A goes to a space, which is in play."""
    word, _, number = where.partition(" ")
    number = number or "1"
    department = OWN.department_ids[OWN.space_department[space(word, int(number))]]
    picks = more.pop("picks", None) or f"{department}+DP14+DP18+DP26+DP28"
    if department in ("DP01", "DP02", "DP03", "DP04") or department in ("DP14", "DP18", "DP26", "DP28"):
        picks = "DP35+DP14+DP18+DP26+DP28"
    s = office(hands, "2*Pencil", deck=[deck, "9*Pencil"], picks=picks, **more)  # type: ignore[arg-type]
    events = play(s, A, f"occupy {word} {number}")
    assert one(events, "occupied").facts["effect"] == OWN.space_effects[space(word, int(number))]
    return s


def done(s: TempWorkerAssassins) -> None:
    assert ask(s) == "B place"


def trash_space() -> None:
    s = enter("Spooky")
    refused(s, A, "decline", "WRONG_PHASE", "TA-A3")
    refused(s, A, "trash Ruler", "CARD_NOT_IN_HAND", "TA-2.1")
    play(s, A, "trash Blunt")
    done(s)
    assert (hand(s, A), short(s.trashed)) == ("Letter Pencil", "Blunt")


def trash_draw_space() -> None:
    s = enter("Spooky 2")
    play(s, A, "trash Blunt")
    done(s)
    assert (hand(s, A), short(s.trashed)) == ("Letter Pencil Ruler", "Blunt")


def gain_space() -> None:
    s = enter("Cupboard", row="Stamp Note Badge Stapler")
    refused(s, A, "gain Shuriken", "NOT_IN_SUPPLY_ROW", "TA-2.2")
    play(s, A, "gain Badge")
    done(s)
    assert hand(s, A) == "Badge Blunt Letter Pencil"
    assert len(s.supply_row) == 4


def may_clear_space() -> None:
    s = enter("Cupboard 2", row="Stamp Note Badge Stapler")
    assert (ask(s), legal(s, A)) == ("A may", ["accept", "decline"])
    t = s.clone()
    play(s, A, "decline")
    assert legal(s, A) == ["gain Stapler", "gain Note", "gain Stamp", "gain Badge"]
    t.listen()
    assert "cleared" in event_kinds(play(t, A, "accept"))
    assert short(t.supply_discard) == "Badge Note Stamp Stapler"
    assert ask(t) == "A gain"


def research_space(count: int, where: str) -> Callable[[], None]:
    def run() -> None:
        s = enter(where, supply="5*Stamp")
        assert (ask(s), len(s.looked)) == ("A keep", count)
        refused(s, A, "keep Note", "NOT_AMONG_RESEARCHED", "TA-2.3")
        refused(s, A, "decline", "WRONG_PHASE")
        play(s, A, "keep Stamp")
        done(s)
        assert hand(s, A) == "Blunt Letter Pencil Stamp"
        assert len(s.supply_discard) == count - 1

    return run


def recover_draw_space() -> None:
    s = enter("Aid", discard="Shuriken Badge")
    play(s, A, "recover Shuriken")
    done(s)
    assert (hand(s, A), discards(s, A)) == ("Blunt Letter Pencil Ruler Shuriken", "Badge")
    s = enter("Aid")  # nothing to recover: the rest is done (TA-A2)
    done(s)
    assert hand(s, A) == "Blunt Letter Pencil Ruler"


def draw_space(count: int, where: str) -> Callable[[], None]:
    def run() -> None:
        s = enter(where)
        done(s)
        assert len(s.hand[A]) == 3 + count

    return run


def draw_discard_space(drawn: int, given: int, where: str) -> Callable[[], None]:
    def run() -> None:
        s = enter(where)
        assert len(s.hand[A]) == 3 + drawn
        play(s, A, *["discard Ruler"] * given)
        done(s)
        assert (len(s.hand[A]), discards(s, A)) == (3 + drawn - given, " ".join(["Ruler"] * given))

    return run


def here_attack() -> None:
    lasting("Training", "Pencil", 2)
    lasting("Training 2", "Pencil Shuriken", 4)


def lasting(where: str, cards: str, total: int, against: str = "Chairman") -> None:
    """What a lasting effect adds to an attempt with these cards, all of them played."""
    s = enter(where, hands=cards, deck="")
    while ask(s).startswith("A"):
        s.play(A, s.legal(A)[0])
    assert seen(s, B).seats[A].lasting
    show_targets(s, against)
    s.current_player, s.choices = A, ()
    events = play(s, A, f"attempt {against}")
    for card in cards.split():
        events = play(s, A, f"play {card}")
    assert one(events, "attempt_failed").facts["total"] == total


def per_pencil() -> None:
    lasting("Accounts", "Pencil Pencil Mechanical Pencil Shuriken", 3 + 2 + 2 + 3)


def per_ruler() -> None:
    s = enter("Measured", hands="2*Underworld", deck="")
    show_targets(s, "Chairman")
    s.current_player, s.choices = A, ()
    events = play(s, A, "attempt Chairman", "play Underworld", "play Underworld")
    assert one(events, "attempt_failed").facts["total"] == 2 * (1 + 2) + 2


def per_paper() -> None:
    lasting("Printer", "Note Note Thesaurus", 1 + 2 + 1 + 2 + 3 + 3)


def per_disc() -> None:
    lasting("Wicked", "Shuriken Shuriken", 4 + 2)


def against_big() -> None:
    lasting("Legal", "Shuriken", 4, "Vampire")
    lasting("Legal", "Shuriken", 2, "Wraith")


def boardroom() -> None:
    lasting("Boardroom", "Shuriken", 4)


def call_centre() -> None:
    s = enter("Call")
    done(s)
    assert len(s.hand[A]) == 4
    assert s.lasting_attack(A, 5) == 1


def here_hand() -> None:
    s = enter("Operations", hands="Pencil", deck="9*Ruler")
    assert s.new_hand_size(A) == 6
    show_targets(s, "Chairman")
    s.current_player, s.choices = A, ()
    play(s, A, "attempt Chairman", "play Pencil")
    assert len(s.hand[A]) == 6
    assert s.new_hand_size(B) == 5


def evict() -> None:
    s = office("Pencil", "Pencil", "Pencil", deck=["9*Ruler", "", ""])
    training = stand(s, B, "Training", 1)
    helpdesk = stand(s, 2, "Helpdesk", 2)
    own = stand(s, A, "Statistics")
    s.security[B] = 1
    s.unplaced[B] -= 1
    term = s.cards.lasting_texts.index("here_attack 1")
    s.lasting = (B, training, term, A, own, term)
    assert s.lasting_attack(B, 5) == 1
    play(s, A, "occupy Secondment")
    assert ask(s) == "A evict"
    assert legal(s, A) == ["evict Haunted Helpdesk 2", "evict Tainted Training Dept 1"]
    refused(s, A, "evict Statistics", "NO_ASSASSIN_LEFT", "TA-A40", seat=A)
    refused(s, A, "evict Reception", "NO_ASSASSIN_LEFT", "TA-A40", seat=None)
    refused(s, A, "evict Boardroom", "NO_SUCH_SPACE")
    refused(s, A, "decline", "WRONG_PHASE")
    events = play(s, A, "evict Training 1")
    assert one(events, "evicted").facts["other"] == B
    assert (s.occupant[training], s.security[B], s.unplaced[B]) == (NONE, 2, 3 - 1)
    assert list(s.lasting) == [A, own, term]
    assert s.lasting_attack(B, 5) == 0
    assert hand(s, A) == "Pencil Ruler"  # evict 1; draw 1
    assert ask(s) == "B place"
    assert s.occupant[helpdesk] == 2
    play(s, B, "occupy Training 1")  # free at once
    # Only own assassins on spaces: nothing to evict, the rest is done.
    s = office("Pencil", "Pencil", deck="9*Ruler")
    stand(s, A, "Statistics")
    play(s, A, "occupy Secondment")
    assert (ask(s), hand(s, A)) == ("B place", "Pencil Ruler")


def release() -> None:
    s = enter("Unholy")
    done(s)  # nobody in Security: nothing happens
    s = office("Pencil", "Pencil", picks="DP24+DP11+DP12+DP13+DP09")
    s.security[A] = 2
    s.unplaced[A] = 3
    events = play(s, A, "occupy Unholy")
    assert one(events, "released").facts["count"] == 1
    assert (s.security[A], s.unplaced[A], ask(s)) == (1, 3, "B place")


def relocate() -> None:
    s = office("Pencil", "Pencil", deck="9*Ruler", picks="DP25+DP11+DP12+DP13+DP10")
    training = stand(s, A, "Training", 2)
    reception = stand(s, B, "Reception", 1)
    s.lasting = (A, training, s.cards.lasting_texts.index("here_attack 1"))
    play(s, A, "occupy Phantom")
    assert legal(s, A) == ["move from Tainted Training Dept 2"]
    refused(s, A, "move from Reception", "NO_ASSASSIN_LEFT", "TA-A41", seat=B)
    refused(s, A, "move from Phantom", "NO_ASSASSIN_LEFT", "TA-A41", seat=A)
    refused(s, A, "move to Statistics", "WRONG_PHASE")
    before = s.revelations
    play(s, A, "move from Training 2")
    assert s.revelations == before  # it can still be taken back
    assert seen(s, B).moving == training
    refused(s, A, "move to Training 2", "SPACE_OCCUPIED", seat=A)  # not the one that it leaves
    refused(s, A, "move to Reception", "SPACE_OCCUPIED", seat=B)
    refused(s, A, "move to Helpdesk", "NO_SUCH_SPACE")
    assert "move to Phantom Facilities Dept 1" not in legal(s, A)
    events = play(s, A, "move to Statistics")
    assert one(events, "relocated").facts["left"] == "Tainted Training Dept"
    assert hand(s, A) == "Pencil Ruler Ruler"  # Statistics' instruction follows
    assert (s.occupant[training], s.occupant[space("Statistics")]) == (NONE, A)
    assert not s.lasting
    assert s.occupant[reception] == B
    assert (ask(s), s.here, s.returns_to) == ("B place", NONE, ())


def relocate_into_choices() -> None:
    """The space moved to asks in its turn, and lasting effects begin there."""
    s = office("Pencil", "Pencil", deck="9*Ruler", picks="DP25+DP11+DP12+DP13+DP10", targets="Imp Halfling Wraith")
    stand(s, A, "Statistics")
    play(s, A, "occupy Phantom", "move from Statistics", "move to Reception 1")
    assert ask(s) == "A swap"
    assert seen(s, A).here == space("Reception")
    play(s, A, "swap Imp")
    assert s.lasting[:2] == (A, space("Reception"))
    assert ask(s) == "B place"
    # Nobody to move, or nowhere to go: nothing happens.
    s = office("Pencil", "Pencil", picks="DP25+DP11+DP12+DP13+DP10")
    play(s, A, "occupy Phantom")
    assert ask(s) == "B place"


def both_relocations() -> None:
    relocate()
    relocate_into_choices()


def swap(where: str, rest: Callable[[TempWorkerAssassins], bool], optional: bool = True) -> Callable[[], None]:
    def run() -> None:
        for decline in (True, False) if optional else (False,):
            s = enter(where, targets="Imp Halfling Wraith")
            if decline:
                play(s, A, "decline")
                assert s.face_up[:3] == [target(word) for word in ("Imp", "Halfling", "Wraith")]
            else:
                refused(s, A, "swap Chairman", "TARGET_NOT_FACE_UP", "TA-A45")
                deck = len(s.target_deck)
                next_targets(s, "Chairman")
                events = play(s, A, "swap Halfling")
                assert s.face_up[:3] == [target(word) for word in ("Imp", "Chairman", "Wraith")]
                assert one(events, "target_revealed").facts["name"] == "Chairman of the Hoard"
                assert s.target_under == (target("Halfling"),)
                assert len(s.target_deck) + len(s.target_under) == deck
                assert [t.name for t in seen(s, B).target_under] == ["Health & Safety Halfling"]
            assert rest(s)
            done(s)

    return run


def lasts(s: TempWorkerAssassins) -> bool:
    return s.lasting_attack(A, 5) == 1


def drew(count: int) -> Callable[[TempWorkerAssassins], bool]:
    return lambda s: len(s.hand[A]) == 3 + count


def draw_trash() -> None:
    s = enter("Appalling")
    assert len(s.hand[A]) == 4
    play(s, A, "trash Ruler")
    done(s)


def discard_gain() -> None:
    s = enter("Inverted", row="Stamp Note Badge Stapler")
    play(s, A, "discard Blunt", "gain Stamp")
    done(s)
    assert (hand(s, A), discards(s, A)) == ("Letter Pencil Stamp", "Blunt")


def gain_discard() -> None:
    s = enter("Inverted 2", row="Stamp Note Badge Stapler")
    play(s, A, "gain Stamp", "discard Stamp")
    done(s)
    assert (hand(s, A), discards(s, A)) == ("Blunt Letter Pencil", "Stamp")


def cycle(where: str, more: int) -> Callable[[], None]:
    def run() -> None:
        s = enter(where)
        done(s)
        assert (len(s.hand[A]), discards(s, A)) == (3 + more, "Blunt Letter Pencil")
        assert hand(s, A) == " ".join(["Ruler"] * (3 + more))

    return run


def vending() -> None:
    s = enter("Vile", row="Stamp Note Badge Stapler")
    play(s, A, "discard Blunt", "discard Letter", "gain Stamp")
    done(s)
    assert hand(s, A) == "Pencil Ruler Stamp"
    s = enter("Vile", hands="Pencil", row="Stamp Note Badge Stapler")  # as much as possible
    play(s, A, "discard Pencil", "gain Stamp")
    done(s)
    assert hand(s, A) == "Ruler Stamp"


def research_draw() -> None:
    s = enter("Mailroom", supply="5*Stamp")
    play(s, A, "keep Stamp")
    done(s)
    assert hand(s, A) == "Blunt Letter Pencil Ruler Stamp"


def trash_draw_two() -> None:
    s = enter("Disciplinary")
    play(s, A, "trash Blunt")
    done(s)
    assert hand(s, A) == "Letter Pencil Ruler Ruler"


def elevator() -> None:
    s = enter("Elevator")
    assert (ask(s), legal(s, A)) == ("A choose", ["choose 1", "choose 2"])
    assert seen(s, A).options == ("draw 2", "here_attack 1")
    refused(s, A, "choose 3", "MALFORMED", "TA-A46", option=3, options=2)
    refused(s, A, "accept", "WRONG_PHASE")
    t = s.clone()
    play(s, A, "choose 1")
    done(s)
    assert (len(s.hand[A]), s.lasting) == (5, ())
    play(t, A, "choose 2")
    done(t)
    assert (len(t.hand[A]), t.lasting_attack(A, 5)) == (3, 1)


def photocopier() -> None:
    s = enter("Photocopying", row="Stamp Note Badge Stapler")
    t = s.clone()
    play(s, A, "choose 1", "gain Stamp")
    done(s)
    play(t, A, "choose 2")
    done(t)
    assert len(t.hand[A]) == 5
    # An option that can do nothing may be chosen too (TA-A46).
    s = enter("Photocopying", row="-", supply="")
    play(s, A, "choose 1")
    done(s)
    assert len(s.hand[A]) == 3


def recover_two() -> None:
    s = enter("Archive", discard="Shuriken Badge Note")
    play(s, A, "recover Shuriken", "recover Badge")
    done(s)
    assert hand(s, A) == "Badge Blunt Letter Pencil Shuriken"
    s = enter("Archive", discard="Shuriken")
    play(s, A, "recover Shuriken")
    done(s)


def clear_gain_space() -> None:
    s = enter("Goods", row="Stamp Note Badge Stapler", supply="9*Idea")
    assert short(s.supply_discard) == "Badge Note Stamp Stapler"
    play(s, A, "gain Idea")
    done(s)


def recover_space() -> None:
    s = enter("Lost", discard="Shuriken Badge", picks="DP35+DP14+DP18+DP26+DP28")
    play(s, A, "recover Badge")
    done(s)
    assert hand(s, A) == "Badge Blunt Letter Pencil"


def recover_discard_draw() -> None:
    s = enter("Lost 2", discard="Shuriken Badge", picks="DP35+DP14+DP18+DP26+DP28")
    play(s, A, "recover Badge", "discard Blunt")
    done(s)
    assert (hand(s, A), discards(s, A)) == ("Badge Letter Pencil Ruler", "Blunt Shuriken")


def start_marker() -> None:
    s = office("Pencil", "Pencil", "Pencil", deck=["9*Ruler"] * 3, picks="DP39+DP11+DP12+DP13+DP10", turn_of=2)
    events = play(s, 2, "occupy Nap")
    assert one(events, "start_marker_claimed").facts["seat"] == 2
    assert len(s.hand[2]) == 2
    assert s.marker_claim == 2
    assert seen(s, A).marker_claim == 2
    s.unplaced = [0, 0, 0]
    s._place_next(0)
    assert (s.day, s.starting_player, s.current_player, s.marker_claim) == (2, 2, 2, NONE)
    s.unplaced = [0, 0, 0]
    s._place_next(0)
    assert (s.day, s.starting_player) == (3, 0)


SPACES: dict[str, Callable[[], None]] = {
    "trash 1": trash_space,
    "trash 1; draw 1": trash_draw_space,
    "gain 1": gain_space,
    "may clear; gain 1": may_clear_space,
    "research 3": research_space(3, "Malevolent"),
    "research 4": research_space(4, "Malevolent 2"),
    "recover 1; draw 1": recover_draw_space,
    "draw 1": draw_space(1, "Toxic"),
    "draw 2": draw_space(2, "Statistics"),
    "draw 3; discard 1": draw_discard_space(3, 1, "Helpdesk 2"),
    "draw 3; discard 2": draw_discard_space(3, 2, "Graphics"),
    "here_attack 1": here_attack,
    "evict 1; draw 1": evict,
    "may swap_target 1; here_attack 1": swap("Reception", lasts),
    "may swap_target 1; draw 1": swap("Reception 2", drew(1)),
    "draw 1; trash 1": draw_trash,
    "discard 1; gain 1": discard_gain,
    "gain 1; discard 1": gain_discard,
    "here_attack_per pencil 1 max 3": per_pencil,
    "here_attack_per ruler 1 max 3": per_ruler,
    "here_attack_per paper 1 max 3": per_paper,
    "here_attack_per disc 1 max 3": per_disc,
    "cycle": cycle("Canteen", 0),
    "cycle; draw 1": cycle("Canteen 2", 1),
    "here_attack 2": boardroom,
    "draw 1; here_attack 1": call_centre,
    "research 2; draw 1": research_draw,
    "here_defence_if 10 2": against_big,
    "release 1": release,
    "relocate 1": both_relocations,
    "discard 2; gain 1; draw 1": vending,
    "swap_target 1; draw 2": swap("Monstrous", drew(2), optional=False),
    "trash 1; draw 2": trash_draw_two,
    "here_hand 6": here_hand,
    "choose draw 2 / here_attack 1": elevator,
    "recover 2": recover_two,
    "clear; gain 1": clear_gain_space,
    "recover 1": recover_space,
    "recover 1; discard 1; draw 1": recover_discard_draw,
    "choose gain 1 / draw 2": photocopier,
    "start_marker; draw 1": start_marker,
    "here_attack 1; may swap_target 1": swap("Car", lasts),
}


@pytest.mark.rule("TA-5.3", "TA-2.1", "TA-2.2", "TA-2.3", "TA-2.4", "TA-2.5", "TA-A2", "TA-A3", "TA-A36", "TA-A46")
@pytest.mark.rule("TA-A40", "TA-A41", "TA-A42", "TA-A45", "TA-A8", "TA-T67", "TA-T68", "TA-T69", "TA-T72")
@pytest.mark.parametrize("effect", SPACES)
def test_effect_of_a_space(effect: str) -> None:
    assert effect in OWN.space_effects
    SPACES[effect]()


# -- Targets ------------------------------------------------------------------------------------------------------

BONUSES = {
    "research 2": ("Pixie", "may"),
    "new_hand 6": ("Goblin", "6"),
    "gain 1": ("Gremlin", "gain"),
    "trash 1": ("Cyclops", "trash"),
    "research 3": ("Lich", "may"),
    "release_self": ("Reaper", "back"),
    "new_hand 7": ("Giant", "7"),
}


@pytest.mark.rule("TA-A38", "TA-7.4", "TA-A39")
@pytest.mark.parametrize("bonus", BONUSES)
def test_bonus_of_a_target(bonus: str) -> None:
    word, expected = BONUSES[bonus]
    assert bonus == OWN.bonuses[target(word)]
    s = office("9*Shuriken", deck="20*Pencil", targets=word)
    play(s, A, f"attempt {word}")
    while ask(s) == "A play":
        play(s, A, "play Shuriken")
    assert s.trophies[A] == (target(word),)
    if expected.isdecimal():
        assert len(s.hand[A]) == int(expected)
        done(s)
    elif expected == "back":
        assert (s.unplaced[A], s.security[A]) == (5, 0)
    else:
        assert ask(s) == f"A {expected}"
        play(s, A, "decline")
        done(s)


ENDS = {
    "end_per name:Typing Pool Zombie 1": ("Elemental", [([], 0), (["Zombie"], 1), (["Zombie"] * 3 + ["Imp"], 3)]),
    "end_per distinct 3 1 max 3": (
        "Banshee",
        [
            (["Imp"], 0),
            (["Imp", "Pixie"], 1),
            (["Imp", "Imp", "Pixie", "Dryad", "Elf", "Mimic"], 2),
            (["Banshee", "Imp", "Pixie", "Dryad", "Elf", "Mimic", "Cyclops"], 4),  # two Banshees count twice
            (["Imp Pixie Dryad Elf Mimic Cyclops Giant Ogre Kraken Reaper Viking Medusa"], 3),
        ],
    ),
}


@pytest.mark.rule("TA-A35", "TA-T62", "TA-10.1")
@pytest.mark.parametrize("end", ENDS)
def test_end_bonus_of_a_target(end: str) -> None:
    word, cases = ENDS[end]
    assert end == OWN.end_bonuses[target(word)]
    s = office("Pencil")
    for others, expected in cases:
        words = [w for other in others for w in other.split()]
        s.trophies = ((target(word), *(target(w) for w in words)), ())
        assert s.set_bounty(A) == expected
    s.trophies = ((target("Elemental"),), (target("Zombie"),))  # only if one player gained both
    assert (s.set_bounty(A), s.set_bounty(B)) == (0, 0)


# -- all of them --------------------------------------------------------------------------------------------------


def test_every_effect_of_the_edition_has_a_test() -> None:
    assert set(OWN.effects) == set(CARDS)
    assert set(OWN.space_effects) == set(SPACES)
    assert {bonus for bonus in OWN.bonuses if bonus} == set(BONUSES)
    assert {end for end in OWN.end_bonuses if end} == set(ENDS)


@pytest.mark.rule("TA-A46", "TA-I1")
def test_a_position_put_down_by_hand_is_not_what_these_tests_rest_on() -> None:
    """The helper `check_conservation` finds a card too many."""
    s = office("Pencil")
    with pytest.raises(AssertionError):
        check_conservation(s)


@pytest.mark.rule("TA-A45", "TA-A6")
def test_swapped_targets_come_up_in_the_order_in_which_they_went_under() -> None:
    s = office("Pencil", picks="DP29+DP11+DP12+DP13+DP40", targets="Imp Halfling Wraith", unplaced=5)
    s.target_deck = [target("Giant")]
    play(s, A, "occupy Monstrous", "swap Imp")
    assert (s.face_up[0], s.target_deck, s.target_under) == (target("Giant"), [], (target("Imp"),))
    play(s, B, "occupy Car", "swap Halfling")
    assert (s.face_up[1], s.target_under) == (target("Imp"), (target("Halfling"),))
    play(s, A, "occupy Reception", "swap Wraith")
    assert (s.face_up[2], s.target_under) == (target("Halfling"), (target("Wraith"),))
    s.target_under = ()
    s.current_player, s.choices = A, ()
    play(s, A, "occupy Reception 2", "swap Halfling")  # with an empty deck it comes back itself
    assert (s.face_up[2], s.target_under) == (target("Halfling"), ())


@pytest.mark.rule("TA-A12", "TA-8.2")
def test_on_top_is_on_top() -> None:
    s = office("Ruler", deck="3*Pencil Letter", targets="Wraith")
    on_top(s, A, "Letter")
    play(s, A, "attempt Wraith", "play Ruler")
    assert hand(s, A) == "Letter" or counts(s, A)[0] == 5
