"""What Zahltag says where the facts ask for different words."""

import pytest

from shopfloor.engine.refusals import IllegalAction
from shopfloor.games.zahltag import words
from tests.games.zahltag.table import J1, J3, PAYDAY, A, B, bids, new_game, on_offer, one, play, seen, table, turn_up
from tests.games.zahltag.table import C as CY

NAMES = ["Ada", "Bo", "Cy", "Dee"]
ABLE = "F2 W3"


def why_not(text: str) -> str:
    s = new_game(3)
    with pytest.raises(IllegalAction) as caught:
        s.space.parse(text)
    return words.refusal(caught.value.refusal, NAMES)


@pytest.mark.rule("ZT-A5")
def test_a_value_that_no_card_has() -> None:
    assert why_not("bid 9") == "No Offer card shows 9. There are 1, 2, 3, 4, 5, 6, 7 and 8."


def test_a_slip_of_the_pen() -> None:
    assert "discard crane" in why_not("discrad crane")


def test_the_reader_is_addressed_the_others_are_named() -> None:
    s = on_offer(J1, ABLE, ABLE, "C1", turn_of=CY)
    won = one(bids(s, "5", "00", "00"), "job_won")
    assert words.event(won, NAMES, A).startswith("You build")
    for viewer in (B, None):
        assert words.event(won, NAMES, viewer).startswith("Ada builds")


@pytest.mark.rule("ZT-8.6", "ZT-8.7", "ZT-A8")
@pytest.mark.parametrize(("bid", "told"), [("4", "for 2 million"), ("2", "for nothing"), ("1", "pays 1 million")])
def test_a_tie_says_what_it_brings(bid: str, told: str) -> None:
    s = on_offer(J1, ABLE, ABLE, "C1")
    events = [event for event in bids(s, bid, bid, "00") if event.kind == "job_won"]
    assert all(told in words.event(event, NAMES, None) for event in events)


@pytest.mark.rule("ZT-A26")
def test_who_is_out_of_the_game_has_no_offer() -> None:
    s = on_offer(J1, ABLE, "", ABLE, out=[B])
    told = words.event(one(bids(s, "3", "00"), "offers_opened"), NAMES, None)
    assert "Ada 3" in told
    assert "Cy 00" in told
    assert "Bo" not in told


@pytest.mark.rule("ZT-9.2", "ZT-10.2")
def test_paydays() -> None:
    s = table("F1", "W1", "C3")
    turn_up(s, PAYDAY)
    events = play(s, A, "pass")
    free = words.event(one(events, "wages_free"), NAMES, B)
    assert free.startswith("Ada and you held the fewest cards, 1 card")
    forced = table("F1", "W1", "C3", row=9)
    told = words.event(one(play(forced, A, "pass"), "payday_revealed"), NAMES, None)
    assert told != words.event(one(events, "payday_revealed"), NAMES, None)


@pytest.mark.rule("ZT-8.1")
def test_what_is_asked() -> None:
    s = on_offer(J3, "E2", "W1", "C1")
    able, unable = (words.question(seen(s, seat), NAMES) for seat in (A, B))
    assert "Job Three" in able
    assert "00" in unable
    play(s, A, "00")
    assert "Bo and Cy" in words.question(seen(s, A), NAMES)
    assert "Bo and Cy" in words.question(seen(s, None), NAMES)
