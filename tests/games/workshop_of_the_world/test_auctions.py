"""The once-round auction and raising cash (WW-5, WW-10, vectors 4.3)."""

import pytest

from shopfloor.games.workshop_of_the_world.rules import position as at
from tests.games.workshop_of_the_world.table import (
    A,
    B,
    C,
    D,
    E,
    can,
    kinds,
    lay,
    legal,
    one,
    phase,
    play,
    refused,
    seen,
    stand,
    table,
    turn,
    unparsed,
)


@pytest.mark.rule(
    "WW-T.13", "WW-5.3", "WW-5.4", "WW-5.5", "WW-5.6", "WW-5.7", "WW-5.11", "WW-5.12", "WW-5.13", "WW-5.14"
)
@pytest.mark.rule("WW-5.15", "WW-A.4", "WW-6.1", "WW-A.14", "WW-A.3", "WW-A.6")
def test_an_auction() -> None:
    s = table(4, order=[C, A, D, B])
    assert (phase(s), s.deciders()) == ("AUCTION_SELECT", (C,))
    events = play(s, C, "auction k03")  # Southampton; he makes no bid at that moment
    assert kinds(events) == ["card_selected"]
    assert s.queue == [D, A, B, C]
    play(s, D, "bid 2")
    play(s, A, "pass")
    play(s, B, "bid 5")  # bids may jump
    events = play(s, C, "pass")
    won = one(events, "auction_won")
    assert (won.facts["seat"], won.facts["price"], won.facts["name"]) == (B, 5, "Southampton")
    assert s.cash == [50, 45, 50, 50]  # losing bids cost nothing
    assert s.next_order == [B]
    assert (phase(s), s.deciders(), s.held) == ("TURN_PLACE", (B,), s.taken[0])
    play(s, B, "place Southampton", "end turn")
    assert (phase(s), s.deciders()) == ("AUCTION_SELECT", (C,))
    play(s, C, "auction k01")
    assert s.queue == [D, A, C]


@pytest.mark.rule("WW-T.14", "WW-5.8", "WW-A.5")
def test_who_puts_a_card_up_that_nobody_wants_must_bid() -> None:
    s = table(4, order=[C, A, D, B])
    play(s, C, "auction k03")
    for seat in (D, A, B):
        play(s, seat, "pass")
    refused(s, C, "pass", "MUST_BID", "WW-5.8")
    assert legal(s, C) == [f"bid {n}" for n in range(1, 51)]  # any amount, not only 1
    play(s, C, "bid 1")
    assert s.cash[C] == 49
    assert s.next_order == [C]


@pytest.mark.rule("WW-5.8")
def test_the_initiator_may_pass_once_somebody_has_bid() -> None:
    s = table(4, order=[C, A, D, B])
    play(s, C, "auction k03")
    play(s, D, "bid 1")
    play(s, A, "pass")
    play(s, B, "pass")
    assert can(s, C, "pass")
    play(s, C, "pass")
    assert s.next_order == [D]


@pytest.mark.rule("WW-T.15", "WW-5.10")
def test_each_bid_exceeds_the_one_before() -> None:
    s = table(4, order=[A, B, C, D])
    play(s, A, "auction k01")
    play(s, B, "bid 5")
    refused(s, C, "bid 5", "BID_NOT_HIGHER", "WW-5.10")
    refused(s, C, "bid 4", "BID_NOT_HIGHER")
    assert can(s, C, "bid 6")


@pytest.mark.rule("WW-T.16", "WW-5.9", "WW-A.67")
def test_the_smallest_bid() -> None:
    s = table(4, order=[A, B, C, D])
    play(s, A, "auction k01")
    refused(s, B, "bid 0", "BID_BELOW_MINIMUM", "WW-5.9")
    unparsed(s, "bid -1", "BID_BELOW_MINIMUM")
    unparsed(s, "bid 2.5", "BID_NOT_INTEGER")
    unparsed(s, "bid 99999", "CANNOT_AFFORD")
    assert legal(s, B)[:2] == ["pass", "bid 1"]


@pytest.mark.rule("WW-T.17", "WW-5.5", "WW-5.7")
def test_who_selects_speaks_last() -> None:
    s = table(4, order=[C, A, B, D])
    play(s, C, "auction k01")
    refused(s, C, "bid 3", "NOT_YOUR_DECISION")
    assert s.queue[-1] == C


@pytest.mark.rule("WW-T.18", "WW-A.3")
def test_who_has_a_card_sits_out() -> None:
    s = table(4, order=[A, B, C, D])
    turn(s, B, "Oxford")
    play(s, B, "place Oxford", "end turn")
    play(s, A, "auction k01")
    assert s.queue == [C, D, A]
    refused(s, B, "bid 9", "NOT_YOUR_DECISION")
    assert seen(s, B).seats[B].out


@pytest.mark.rule("WW-T.19", "WW-5.3")
def test_everybody_speaks_once() -> None:
    s = table(4, order=[C, A, B, D])
    play(s, C, "auction k01")
    play(s, D, "pass")
    play(s, A, "bid 6")
    refused(s, D, "bid 7", "NOT_YOUR_DECISION")
    assert [seat.bid for seat in seen(s, None).seats] == [6, None, None, 0]


@pytest.mark.rule("WW-T.20", "WW-A.7", "WW-A.8", "WW-10.2", "WW-A.11")
def test_bids_go_as_far_as_revenue_can_raise() -> None:
    s = table(4, order=[D, A, B, C], cash=[5, 50, 50, 50], revenue=[7, 0, 0, 0])
    play(s, D, "auction k01")
    assert refused(s, A, "bid 9", "CANNOT_AFFORD", "WW-A.7") == {"price": 9, "most": 8, "cash": 5}
    play(s, A, "bid 8")
    play(s, B, "pass")
    play(s, C, "pass")
    events = play(s, D, "pass")
    assert one(events, "cash_raised").facts == {"seat": A, "pounds": 3, "revenue": 1}
    assert (s.cash[A], s.revenue[A]) == (0, 1)


@pytest.mark.rule("WW-T.21", "WW-A.8")
@pytest.mark.parametrize("outbid", [False, True])
def test_cash_is_raised_only_when_it_is_paid(outbid: bool) -> None:
    s = table(4, order=[D, A, B, C], cash=[5, 50, 50, 50], revenue=[7, 0, 0, 0])
    play(s, D, "auction k01")
    play(s, A, "bid 6")
    play(s, B, "bid 7" if outbid else "pass")
    play(s, C, "pass")
    play(s, D, "pass")
    assert (s.cash[A], s.revenue[A]) == ((5, 7) if outbid else (0, 5))


@pytest.mark.rule("WW-T.22", "WW-10.1", "WW-10.2", "WW-10.3", "WW-A.9", "WW-A.10", "WW-A.11")
def test_raising_by_hand() -> None:
    s = table(4, order=[D, A, B, C], cash=[4, 50, 50, 50], revenue=[9, 0, 0, 0])
    play(s, D, "auction k01")
    refused(s, A, "raise 5", "RAISE_EXCEEDS_REVENUE", "WW-A.11")
    events = play(s, A, "raise 4")
    assert one(events, "cash_raised").clause == "WW-10.1"
    assert (s.cash[A], s.revenue[A]) == (8, 1)
    assert s.deciders() == (A,)  # still his bid
    refused(s, A, "raise 1", "RAISE_EXCEEDS_REVENUE")
    unparsed(s, "raise 0", "RAISE_NOT_POSITIVE")
    unparsed(s, "raise -2", "RAISE_NOT_POSITIVE")


@pytest.mark.rule("WW-T.23", "WW-A.10")
def test_no_raising_while_another_decides() -> None:
    s = table(4, order=[C, D, A, B], revenue=10)
    play(s, C, "auction k01")
    refused(s, A, "raise 1", "NOT_YOUR_DECISION")
    assert can(s, D, "raise 1")


@pytest.mark.rule("WW-10.3", "WW-A.10")
def test_raising_is_offered_in_every_decision() -> None:
    s = table(4, order=[A, B, C, D], revenue=6)
    assert can(s, A, "raise 3")
    turn(s, A, "Reading")
    assert can(s, A, "raise 3")
    play(s, A, "place Reading")
    assert can(s, A, "raise 3")
    play(s, A, "build c1", "raise 2")
    assert phase(s) == "TURN_LINK_2"
    assert (s.cash[A], s.revenue[A]) == (49, 2)
    s.begin_demand(at.DEMAND_2)
    assert can(s, A, "raise 1")


@pytest.mark.rule("WW-A.9")
def test_raising_by_hand_can_be_left_out() -> None:
    s = table(4, order=[D, A, B, C], cash=[4, 50, 50, 50], revenue=[9, 0, 0, 0], hand_raise="off")
    play(s, D, "auction k01")
    assert legal(s, A, raising=True) == ["pass", *[f"bid {n}" for n in range(1, 9)]]  # no payment is lost by it
    refused(s, A, "raise 1", "WRONG_PHASE")


@pytest.mark.rule("WW-A.8", "WW-A.65")
def test_nothing_is_raised_by_itself_with_that_option() -> None:
    s = table(4, order=[D, A, B, C], cash=[4, 50, 50, 50], revenue=[9, 0, 0, 0], auto_raise="off", hand_raise="off")
    play(s, D, "auction k01")
    refused(s, A, "bid 5", "CANNOT_AFFORD")
    play(s, A, "raise 1")  # by hand it must then be possible
    play(s, A, "bid 5")
    s = table(3, order=[A, B, C], cash=[0, 50, 0], revenue=[4, 0, 3], auto_raise="off")
    play(s, A, "auction k01")
    play(s, B, "pass")
    play(s, C, "pass")
    assert legal(s, A, raising=True) == ["raise 1", "raise 2"]  # forced to bid, he must raise first
    play(s, A, "raise 2", "bid 1")
    turn_ended = play(s, A, "place Reading", "end turn")
    assert "last_card_taken" not in kinds(turn_ended)
    turn(s, B, "Oxford")
    events = play(s, B, "place Oxford", "end turn")
    assert one(events, "cash_raised").facts == {"seat": C, "pounds": 1, "revenue": 1}  # the last card's pound even so


@pytest.mark.rule("WW-T.24", "WW-5.16", "WW-5.17", "WW-5.18", "WW-A.13")
def test_the_last_card_goes_for_a_pound() -> None:
    s = table(3, order=[A, B, C], cash=[50, 50, 12])
    for seat, card in ((B, "Reading"), (A, "Oxford")):
        turn(s, seat, card)
        play(s, seat, f"place {card}")
    events = play(s, A, "end turn")
    assert one(events, "last_card_taken").facts["price"] == 1
    assert s.cash[C] == 11
    assert s.next_order == [B, A, C]
    assert (phase(s), s.deciders()) == ("TURN_PLACE", (C,))


@pytest.mark.rule("WW-T.25", "WW-T.26", "WW-A.12")
@pytest.mark.parametrize(("revenue", "cash", "left", "waived"), [(1, 0, 1, 1), (3, 0, 1, 0)])
def test_the_last_card_without_a_pound(revenue: int, cash: int, left: int, waived: int) -> None:
    s = table(3, order=[A, B, C], cash=[50, 50, 0], revenue=[0, 0, revenue])
    for seat, card in ((B, "Reading"), (A, "Oxford")):
        turn(s, seat, card)
        play(s, seat, f"place {card}")
    events = play(s, A, "end turn")
    assert (s.cash[C], s.revenue[C]) == (cash, left)
    assert s.held >= 0
    assert kinds(events).count("shortfall_waived") == waived
    if waived:
        assert one(events, "shortfall_waived").facts == {"seat": C, "amount": 1}
    else:
        assert one(events, "cash_raised").facts["pounds"] == 1


@pytest.mark.rule("WW-A.12", "WW-A.63")
def test_the_last_card_on_credit() -> None:
    s = table(3, order=[A, B, C], cash=[50, 50, 0], broke_rule="debt")
    for seat, card in ((B, "Reading"), (A, "Oxford")):
        turn(s, seat, card)
        play(s, seat, f"place {card}")
    events = play(s, A, "end turn")
    assert one(events, "debt_made").facts == {"seat": C, "amount": 1}
    assert s.cash[C] == -1
    s.revenue[C] = 5
    assert s.spendable(C) == 1  # raising fills the hole first
    s.pay(C, 1)
    assert (s.cash[C], s.revenue[C]) == (0, 1)


@pytest.mark.rule("WW-T.27", "WW-A.12")
def test_a_forced_bid_without_a_pound() -> None:
    s = table(4, order=[C, D, A, B], cash=[50, 50, 0, 50])
    play(s, C, "auction k01")
    for seat in (D, A, B):
        play(s, seat, "pass")
    assert legal(s, C, raising=True) == ["bid 1"]
    refused(s, C, "pass", "MUST_BID")
    events = play(s, C, "bid 1")
    assert one(events, "auction_won").facts["price"] == 1  # recorded as a pound
    assert s.cash[C] == 0
    assert s.next_order == [C]


@pytest.mark.rule("WW-T.28", "WW-5.15")
def test_the_next_initiator_has_no_card_yet() -> None:
    s = table(4, order=[A, B, C, D])
    play(s, A, "auction k01")
    for seat in (B, C, D):
        play(s, seat, "pass")
    play(s, A, "bid 1", "place Reading", "end turn")
    assert s.deciders() == (B,)


@pytest.mark.rule("WW-T.30", "WW-5.4", "WW-A.15")
def test_only_face_up_cards_are_for_sale() -> None:
    s = table(4, order=[A, B, C, D])
    refused(s, A, "auction k09", "CARD_NOT_AVAILABLE", "WW-5.4")
    refused(s, B, "auction k01", "NOT_YOUR_DECISION")
    lay(s, D, "c1", "c5")
    assert can(s, A, "auction k02")  # Oxford, though blocked
    assert sum(card.action is not None for card in seen(s, A).cards) == 4
    unparsed(s, "auction k77", "UNKNOWN_CARD")


@pytest.mark.rule("WW-T.31", "WW-5.16")
def test_a_round_of_five() -> None:
    s = table(5, order=[E, A, B, C, D])
    bids = auctions = 0
    while s.round_no == 1:
        seat = s.deciders()[0]
        name = phase(s)
        choices = legal(s, seat)
        auctions += name == "AUCTION_SELECT"
        bids += name == "AUCTION_BID"
        play(s, seat, choices[0])
    assert (auctions, bids) == (4, 14)


@pytest.mark.rule("WW-S.5", "WW-S.4", "WW-S.12")
def test_what_a_bidder_sees() -> None:
    s = table(4, order=[A, B, C, D], revenue=3)
    play(s, A, "auction k01")
    play(s, B, "bid 4")
    view = seen(s, C)
    (bids,) = [amount for amount in view.amounts if amount.what == "bid"]
    assert (bids.low, bids.high, s.space.name(bids.action)) == (5, 51, "bid 5")
    assert (view.lot, view.high, view.high_bidder, view.initiator, view.queue) == (0, 4, B, A, (C, D, A))
    assert not view.must_bid
    assert {p.card for p in view.prospects} == set(s.face_up)


@pytest.mark.rule("WW-I.9")
def test_prospects_are_what_building_brings() -> None:
    s = table(4, order=[A, B, C, D])
    stand(s, "Oxford", C)
    stand(s, "Southampton", C)
    (reading,) = [p for p in seen(s, C).prospects if p.card == 0]
    assert (reading.gain, reading.links, reading.price) == (6, 2, 6)
