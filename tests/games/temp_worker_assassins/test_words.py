"""Words: effects, events, refusals, buttons, questions, options, the table as text."""

import re

import pytest

from shopfloor.engine.dice import FastDice
from shopfloor.engine.events import Event
from shopfloor.engine.refusals import BadSetup, IllegalAction, Refusal
from shopfloor.games.temp_worker_assassins import GAME, text, words
from shopfloor.games.temp_worker_assassins.attempt import OBSTACLES
from shopfloor.games.temp_worker_assassins.effects import BONUS, CARD, END_BONUS, FORMS, SPACE
from shopfloor.games.temp_worker_assassins.messages.en import MESSAGES
from shopfloor.games.temp_worker_assassins.position import ASK_NAMES
from tests.games.temp_worker_assassins.table import (
    OWN,
    A,
    B,
    named,
    new_game,
    office,
    play,
    seen,
    space,
    stand,
)

NAMES = ["Sarah", "Pete", "Ida", "Sam"]


def why(s, seat: int, action: str) -> str:
    refusal = s.refusal(seat, named(s, action))
    assert refusal is not None
    return words.refusal(refusal, NAMES)


@pytest.mark.parametrize(
    ("effect", "place", "said"),
    [
        ("draw 3; discard 1", SPACE, "Draw 3, discard 1"),
        ("may clear; gain 1", SPACE, "May clear, gain 1"),
        ("choose draw 2 / here_attack 1", SPACE, "Draw 2 or +1 attack while here"),
        ("here_attack_per pencil 1 max 3", SPACE, "+1 for each pencil played while here, up to 3"),
        ("here_defence_if 10 2", SPACE, "+2 against defence 10 or more while here"),
        ("evict 1; draw 1", SPACE, "Send a rival to Security, draw 1"),
        ("relocate 2", SPACE, "Move 2 of your assassins"),
        ("discard 2 identical; attack 4", CARD, "Discard 2 identical cards, +4 attack"),
        ("buff pencil 1 max 3", CARD, "+1 for each pencil played, up to 3"),
        ("attack_if tag:pencil>=2 1", CARD, "+1 with 2 pencils played"),
        ("attack_if tag:paper>=1 2", CARD, "+2 with a paper played"),
        ("attack_if hand=0 2", CARD, "+2 with no card left in hand"),
        ("attack_if played>=5 2", CARD, "+2 with 5 cards played"),
        ("discard 1 pencil; attack 3", CARD, "Discard a pencil, +3 attack"),
        ("attack 4; end_bounty 1", CARD, "+4 attack, 1 bounty at the end"),
        ("new_hand 7", BONUS, "New hand of 7"),
        ("release_self", BONUS, "Your assassin comes back"),
        ("end_per name:Typing Pool Zombie 1", END_BONUS, "+1 bounty for each Typing Pool Zombie"),
        ("end_per distinct 3 1 max 3", END_BONUS, "+1 bounty per 3 different targets, at most 3"),
        ("", BONUS, ""),
    ],
)
def test_effects_in_words(effect: str, place: str, said: str) -> None:
    assert words.effect(effect, place) == said


def test_every_form_and_tag_has_words() -> None:
    for name in FORMS:
        assert f"effect.{name}" in MESSAGES
    for tag in OWN.tags:
        assert f"tag.{tag}" in MESSAGES
        assert f"tags.{tag}" in MESSAGES
    assert words.tag("biro") == "card tagged biro"
    assert words.tag("biro", 2) == "cards tagged biro"
    for ask in ASK_NAMES:
        assert f"question.{ask}" in MESSAGES
    for obstacle in OBSTACLES[1:]:
        assert f"refusal.CARD_NOT_PLAYABLE.{obstacle}" in MESSAGES


@pytest.mark.rule("TA-6.4", "TA-A12", "TA-A43")
def test_why_a_card_cannot_be_played() -> None:
    cards = "Stapler Calculator Ruler Marker Idea Catalogue Punch Band Guillotine Binder Shuriken"
    s = office(cards, row="-", supply="")
    play(s, A, "attempt Zombie")
    tried = ("Stapler", "Ruler", "Marker", "Idea", "Catalogue", "Band", "Binder")
    said = {name: why(s, A, f"play {name}") for name in tried}
    assert said == {
        "Stapler": "Fully Loaded Stapler eats 2 identical cards. You hold no such set beside it.",
        "Ruler": "Shatterable Ruler draws a card, and your deck and discard pile are empty.",
        "Marker": "Permanently Permanent Marker recovers a card, and your discard pile is empty.",
        "Idea": "Inkling of an Idea needs a supply card to look at, and none is left.",
        "Catalogue": "Catalogue of Forbidden Toner needs cards in the supply row, and there are too few.",
        "Band": "A pencil must be discarded here.",
        "Binder": "Overstuffed Ring Binder draws 2 cards, and your deck and discard pile hold fewer.",
    }
    assert why(s, A, "play Pencil").startswith("There is no Fairly Sharp Pencil in your hand.")
    s = office("Guillotine Pencil", deck="9*Pencil", targets="Chairman")
    play(s, A, "attempt Chairman")
    assert why(s, A, "play Guillotine").startswith("Guillotine (Mostly for Paper) wants 2 cards discarded")


def test_refusals_name_what_is_in_the_way() -> None:
    s = office("Pencil", "Pencil", deck="9*Pencil")
    play(s, A, "occupy Statistics")
    assert why(s, B, "occupy Statistics") == "Space 1 of Sadistic Statistics Dept is taken by Sarah."
    assert why(s, B, "occupy Boardroom") == "Bloodcurdling Boardroom has no space 1 in this game."
    assert why(s, A, "skip") == "It is not this seat's decision now. Awaited: Pete."
    assert why(s, B, "skip").startswith("There is still a free space or a target")
    play(s, B, "occupy Secondment")
    assert why(s, B, "evict Secondment").startswith("There is no assassin on space 1 of Scary Secondment Dept")
    with pytest.raises(IllegalAction) as caught:
        s.space.parse("occupy security 1")
    assert words.refusal(caught.value.refusal, NAMES) == "Security has no space 1 in this game."
    with pytest.raises(IllegalAction) as caught:
        s.space.parse("attempt Interne Imp")
    assert "Did you mean: attempt intern imp" in words.refusal(caught.value.refusal, NAMES)
    assert words.refusal(Refusal("NEWER_CODE"), NAMES) == "This is not allowed now (NEWER_CODE)."


def test_refused_set_ups_in_words() -> None:
    for options, said in (
        ({"departments": "DP14+DP14+DP20+DP36"}, "Appalling Admin Dept is picked twice"),
        ({"departments": ""}, "No departments are picked."),
        ({"departments": "chess"}, "The option departments cannot be 'chess'. It can be: recommended and random; or"),
        ({"departments": "DP14+DP20+DP36"}, "Departments picked: 3. This table wants exactly 4."),
        ({"departments": "DP14+DP20+DP36+DP01"}, "Really Spooky Recycling Area cannot be picked"),
        ({"departments": "DP14+DP20+DP36+XX"}, "There is no department 'XX' to pick."),
        ({"departments": "DP11+DP12+DP16+DP19", "hard_mode": "yes"}, "Hard Mode with four needs"),
    ):
        with pytest.raises(BadSetup) as caught:
            GAME.start(4, FastDice(1), options)
        assert words.refusal(caught.value.refusal, NAMES).startswith(said)


def test_events_address_the_reader() -> None:
    facts: dict[str, object] = {"seat": B, "target": 0, "name": "Imp", "total": 5, "defence": 4, "bounty": 1}
    event = Event("attempt_succeeded", "TA-6.3", facts)
    assert words.event(event, NAMES, A) == "Imp falls, 5 against 4. Pete stores the body."
    assert words.event(event, NAMES, B).startswith("Imp falls, 5 against 4: bounty 1.")
    event = Event("discarded", "TA-6.6", {"seat": A, "cards": [1, 1, 2], "names": ["Pen", "Pen", "Ruler"]})
    assert words.event(event, NAMES, None) == "Sarah discards 2 × Pen and Ruler."
    event = Event("evicted", "TA-A40", {"seat": A, "other": B, "space": 1, "department": "Helpdesk", "number": 1})
    assert words.event(event, NAMES, B) == "Sarah has you escorted from Helpdesk to Security."
    event = Event("drew", "TA-2.4", {"seat": A, "count": 1})
    assert words.event(event, NAMES, None) == "Sarah draws a card."


def test_questions_and_buttons() -> None:
    s = office("Stapler 2*Pencil", deck="9*Pencil", targets="Halfling")
    assert words.question(seen(s, A), NAMES) == "Place an assassin: in a department, or on a target."
    assert words.question(seen(s, None), NAMES) == "Sarah places an assassin."
    assert words.action(named(s, "occupy Helpdesk 2"), seen(s, A)) == "Haunted Helpdesk, space 2: draw 3, discard 1"
    assert words.action(named(s, "occupy Statistics"), seen(s, A)) == "Sadistic Statistics Dept: draw 2"
    play(s, A, "attempt Halfling")
    assert "until Health & Safety Halfling falls" in words.question(seen(s, A), NAMES)
    assert words.question(seen(s, B), NAMES) == "Sarah attempts Health & Safety Halfling: 0 of 7."
    play(s, A, "play Stapler")
    assert words.question(seen(s, A), NAMES) == "Discard 2 identical cards."
    assert words.action(named(s, "discard Pencil"), seen(s, A)) == "Discard 2 × Fairly Sharp Pencil"
    s = office("Pencil", deck="9*Pencil", picks="DP32+DP11+DP12+DP13+DP09")
    play(s, A, "occupy Elevator")
    assert words.question(seen(s, A), NAMES) == "Choose: draw 2 or +1 attack while here."
    assert words.action(named(s, "choose 2"), seen(s, A)) == "Choose: +1 attack while here"
    s = office("Pencil", deck="9*Pencil")
    play(s, A, "occupy Cupboard 2")
    assert words.question(seen(s, A), NAMES) == "Do you want to: clear?"
    assert words.action(named(s, "accept"), seen(s, A)) == "Yes: clear"
    assert words.action(named(s, "choose 4"), seen(s, A)) == "Option 4"


def test_options_in_words() -> None:
    assert words.option_value("departments", "recommended") == "Recommended for a first game"
    assert words.option_value("departments", "DP14+DP09") == "Appalling Admin Dept and Haunted Helpdesk"
    assert words.option_value("starting_player", "2") == "Seat 3"
    assert words.option_value("hard_mode", "yes") == "Yes"
    for option in GAME.options:
        title, sentence = words.option(option.id)
        assert title
        assert sentence.endswith((".", "?"))


def test_the_table_as_text() -> None:
    s = office("Pencil Stapler", "Pencil", deck="9*Pencil", targets="Halfling Imp Wraith")
    stand(s, B, "Helpdesk", 2)
    s.security[B] = 1
    board = text.board(seen(s, A), NAMES)
    assert board.headline == "Monday, Sarah decides"
    lines = "\n".join(board.lines)
    assert "Your hand: Fully Loaded Stapler (discard 2 identical cards, +4 attack) and Fairly Sharp Pencil" in lines
    assert "In Security: Pete." in lines
    assert "To be won: Monday." in lines
    rows = [row for table in board.tables for row in table.rows]
    assert ("Health & Safety Halfling", "7", "2", "-", "1") in rows
    assert ("Health & Safety Halfling", "7", "2", "-") in text.board(seen(s, B), NAMES).tables[0].rows
    assert ("Haunted Helpdesk", "2", "Draw 3, discard 1", "Pete") in rows
    play(s, A, "attempt Halfling")
    lines = "\n".join(text.board(seen(s, A), NAMES).lines)
    assert "Sarah against Health & Safety Halfling: attack 0 of 7" in lines
    assert "Sure in your hand: 1" in lines
    play(s, A, "play Pencil")
    assert space("Helpdesk", 2) in s.spaces
    board = text.board(seen(new_game(2), None), NAMES)
    assert not any("Your hand" in line for line in board.lines)


def test_no_sentence_is_left_over() -> None:
    """Every event, refusal and question of the catalogue belongs to something that there is."""
    told = re.compile(r"[a-z_]+(\.(you|one|none|one\.you|none\.you))?")
    kinds = {key.split(".")[0] for key in MESSAGES if told.fullmatch(key)}
    others = {"you", "nothing", "counted", "none", "effects", "yes", "no", "bounty", "refusal"}
    assert kinds - others == set(GAME.events)
