"""What Workshop of the World says where the facts ask for different words."""

import re
from pathlib import Path

import pytest

from shopfloor.engine.events import Event
from shopfloor.engine.refusals import IllegalAction
from shopfloor.games.workshop_of_the_world import text, words
from shopfloor.games.workshop_of_the_world.messages.en import MESSAGES
from shopfloor.games.workshop_of_the_world.rules import Workshop
from shopfloor.games.workshop_of_the_world.rules import position as at
from tests.games.workshop_of_the_world.table import (
    OWN,
    A,
    B,
    C,
    D,
    lay,
    new_game,
    one,
    placed,
    play,
    seen,
    stand,
    table,
    turn,
)

NAMES = ["Ada", "Bo", "Cy", "Dee"]
SPECIFICATION = Path(__file__).parents[3] / "docs" / "rules" / "workshop_of_the_world.md"


def why_not(s: Workshop, seat: int, action: str) -> str:
    try:
        number = s.space.parse(action)
    except IllegalAction as error:
        return words.refusal(error.refusal, NAMES)
    refusal = s.refusal(seat, number)
    assert refusal is not None
    return words.refusal(refusal, NAMES)


def test_every_refusal_of_the_specification_has_words() -> None:
    listed = SPECIFICATION.read_text(encoding="utf-8").split("Errors, checked in this order")[1]
    codes = set(re.findall(r"`?([a-z]+(?:_[a-z]+)+)`?[,;`]", listed.split("Within BuildLink")[0]))
    assert len(codes) > 30
    codes -= {"bad_card_count"}  # said by the loader
    for code in codes:
        found = [
            key for key in MESSAGES if key == f"refusal.{code.upper()}" or key.startswith(f"refusal.{code.upper()}.")
        ]
        assert found, code


def test_the_reader_is_addressed_the_others_are_named() -> None:
    s = table()
    selected = one(play(s, A, "auction k01"), "card_selected")
    assert words.event(selected, NAMES, A) == "You put Reading up for auction."
    assert words.event(selected, NAMES, B) == "Ada puts Reading up for auction."


def test_links_of_both_eras() -> None:
    s = table()
    placed(s, C, "Reading")
    (event, *_) = play(s, C, "double c3")
    assert words.event(event, NAMES, None) == "Cy digs both Links from Reading to Gloucester for £6."
    s = table(era=at.RAILWAY)
    placed(s, C, "Reading")
    (event, *_) = play(s, C, "build c1")
    assert words.event(event, NAMES, C) == "You lay rails from Reading to Oxford for £2."
    (event,) = [e for e in play(s, C, "build c2") if e.kind == "revenue_gained"]
    assert words.event(event, NAMES, None) == "Reading brings Cy 2 Revenue, 2 now."


def test_links_are_told_from_where_they_start() -> None:
    s = table()
    stand(s, "Ashby", C)
    placed(s, C, "Oxford")
    (event, *_) = play(s, C, "build c1")
    assert words.event(event, NAMES, None) == "Cy digs from Oxford to Reading for £3."
    s = table()
    stand(s, "Oxford", C)
    placed(s, C, "Ashby")
    play(s, C, "build c5")
    (built, gained, *_) = play(s, C, "build c1")
    assert words.event(built, NAMES, None) == "Cy digs from Oxford to Reading for £3."
    assert words.event(gained, NAMES, None) == "Ashby and Oxford bring Cy 6 Revenue, 6 now."


def test_a_wild_card() -> None:
    s = table(faces=["wild 4"])
    (event,) = play(s, A, "auction k19")
    assert words.event(event, NAMES, B) == "Ada puts a wild 4 up for auction."
    s = table()
    turn(s, C, "wild 4")
    assert words.question(seen(s, C), NAMES) == "Place an Industry in any town of 4."
    assert words.question(seen(s, A), NAMES) == "Cy to place an Industry in any town of 4."


@pytest.mark.rule("WW-8.8", "WW-20.3", "WW-5.8")
def test_why_not() -> None:
    s = table()
    placed(s, C, "Reading")
    play(s, C, "build c1")
    assert why_not(s, C, "double c3") == "A double connection takes both Links of a turn, and one is spent."
    assert why_not(s, C, "build c4") == "Portsmouth to Guildford does not start from Reading and Oxford."
    assert why_not(s, A, "bid 3") == "Now a second Link is built, or the turn is ended."
    assert why_not(s, A, "build c2") == "It is not this seat's decision now. Awaited: Cy."
    assert why_not(s, C, "build oxfrod ashby").startswith(
        "There is no connection 'oxfrod ashby' on the map. Did you mean: build oxford ashby,"
    )
    assert why_not(s, C, "bid three") == "There is no action 'bid three'. Did you mean: bid 9, bid 8 and bid 7?"
    s = table()
    play(s, A, "auction k01")
    assert why_not(s, B, "bid 60") == "This takes £60; £50 is all that can be paid."
    for seat in (B, C, D):
        play(s, seat, "pass")
    assert why_not(s, A, "pass") == "Nobody has bid, so whoever put the card up must, with at least £1."


def test_two_wild_cards_alike_are_told_apart() -> None:
    s = table(faces=["wild 3"])
    s.face_up[1] = s.face_up[0] + 1
    s.unseen.remove(s.face_up[1])
    view = seen(s, A)
    labels = [words.action(action, view) for action in s.legal(A)]
    assert labels[-2:] == [
        "Put a wild 3 (card k17) up for auction",
        "Put a wild 3 (card k18) up for auction",
    ]


@pytest.mark.rule("WW-5.7", "WW-5.8")
def test_questions_of_an_auction() -> None:
    s = table(3)
    assert words.question(seen(s, A), NAMES) == "Select a Town card for auction. You will speak last."
    play(s, A, "auction k01")
    assert words.question(seen(s, B), NAMES) == "Bid for Reading, or pass. You are asked once. Nobody has bid yet."
    assert words.question(seen(s, None), NAMES) == "Reading is on auction: Bo to bid or pass."
    play(s, B, "pass")
    play(s, C, "bid 2")
    assert words.question(seen(s, A), NAMES) == "The last word on Reading: top £2, or let it go."


def test_fists_and_colours() -> None:
    s = table(2)
    view = seen(s, 1)
    assert words.action(s.space.parse("fist 4 b"), view) == "£4 and green in the fist"
    play(s, 0, "fist 7 b")
    opened = one(play(s, 1, "fist 4 a"), "fists_opened")
    assert words.event(opened, NAMES[:2], None) == "The fists open: Ada £7 blue and Bo £4 yellow."


@pytest.mark.rule("WW-13.8")
def test_collecting_for_links_by_colour_where_there_are_two() -> None:
    facts = {"seat": 0, "set": 1, "network": 3, "others": 1, "amount": 7, "longest": [1, 2]}
    told = [
        words.event(Event("links_collected", "WW-13.4", facts | {"apart": apart}), NAMES, 1) for apart in (True, False)
    ]
    assert told == [
        "Ada collects £7 for blue Links: 3 at £2 in the longest network, 1 at £1.",
        "Ada collects £7 for Links: 3 at £2 in the longest network, 1 at £1.",
    ]
    none = Event("links_collected", "WW-13.4", facts | {"apart": False, "network": 0, "others": 0})
    assert words.event(none, NAMES, 0) == "You have no Links to collect for."


def test_the_table_as_text() -> None:
    s = table(edition=OWN, demand=[1, 0, 0, 2, 0])
    stand(s, "Leeds", A, B, B)
    lay(s, D, "c41")
    turn(s, C, "Reading")
    board = text.board(seen(s, C), NAMES)
    cards, players, towns, links = board.tables
    assert board.headline == "The Canal Era, round 1 of 7"
    assert board.lines[0] == "Demand: Textile 1, Light Industry 0, Heavy Industry 0, Port 2, Crafts 0"
    assert ("Leeds", "Textile", "3 of 4: RBB", "5") in towns.rows
    assert links.rows == (("Gloucester-Reading (double)", "Green"),)
    assert [row[2] for row in players.rows] == ["secret", "secret", "£50", "secret"]
    assert cards.rows[0] == ("k26", "Reading (Crafts 2)", "Cy", "")
    named = {row[0] for row in towns.rows}
    assert {"Leeds", "Reading"} <= named
    assert "Plymouth" not in named, "empty towns that are not in question are left out"
    assert board.lines[-1] == "Your counters: 1 Heavy Industry. You can pay up to £50."
    assert text.board(seen(new_game(2), None), NAMES).headline == "The Canal Era, before the first round"


def test_decisions_say_what_they_bring() -> None:
    s = table(edition=OWN)
    stand(s, "Southampton", C)
    turn(s, C, "Reading")
    (place,) = seen(s, C).places
    most = "Place in Reading, where 1 Link for £3 can bring 4 Revenue at once"
    assert words.action(place.action, seen(s, C)) == most
    play(s, C, "place Reading")
    found = seen(s, C)
    build = {words.action(b.action, found) for b in found.builds}
    assert "Build Reading to Southampton for £3: +4 Revenue" in build
    assert "Build both Links Gloucester to Reading for £6: +2 Revenue" in build
