"""Step 4.1, Bid for a Job (ZT-8), and the Offer cards (ZT-3)."""

import pytest

from shopfloor.engine.refusals import IllegalAction
from shopfloor.engine.views import canonical
from shopfloor.games.zahltag import cards, rules
from tests.games.zahltag.table import (
    CARDS,
    J1,
    J2,
    J3,
    PAYDAY,
    A,
    B,
    C,
    D,
    accepted,
    bids,
    check_conservation,
    hand,
    kinds,
    left,
    legal,
    on_offer,
    one,
    play,
    refused,
    seen,
    table,
    turn_up,
)

ABLE = "F2 W3"  # to do J1


@pytest.mark.rule("ZT-T16", "ZT-8.4", "ZT-8.5", "ZT-8.3", "ZT-3.1")
def test_the_lowest_bid_wins() -> None:
    s = on_offer(J1, ABLE, ABLE, ABLE, ABLE, turn_of=D)
    events = bids(s, "5", "3", "00", "7")
    assert s.money == [20, 23, 20, 20]
    assert s.bank_delta == 3
    assert [left(s, p) for p in (A, B, C, D)] == ["", "F1 W1", "", ""]
    assert hand(s, B) == "F1 W2"
    assert one(events, "offers_opened").facts == {"seats": [A, B, C, D], "bids": [5, 3, None, 7]}
    won = one(events, "job_won")
    assert won.clause == "ZT-8.4"
    assert won.facts == {"seat": B, "job": J1, "name": "Job One", "bid": 3, "payout": 3, "tied": False}
    assert one(events, "workers_laid_out").facts == {"seat": B, "workers": [1, 1, 0, 0]}


@pytest.mark.rule("ZT-8.5", "ZT-3.4")
def test_the_winner_lays_out_exactly_the_necessary_workers() -> None:
    s = on_offer(J2, "F1 W3 C1 E2", ABLE, ABLE)
    bids(s, "8", "00", "00")
    assert (hand(s, A), left(s, A)) == ("F1 W1 C1 E1", "W2 E1")
    assert s.money == [28, 20, 20]


@pytest.mark.rule("ZT-T17", "ZT-8.6", "ZT-A7")
def test_a_tie_gives_each_the_job_for_two_less() -> None:
    s = on_offer(J1, ABLE, ABLE, ABLE, ABLE, turn_of=D)
    before = len(s.job_row)
    events = bids(s, "4", "4", "6", "00")
    assert s.money == [22, 22, 20, 20]
    assert [s.right[4 * A : 4 * A + 4], s.left[4 * B : 4 * B + 4]] == [[1, 1, 0, 0]] * 2  # A's turn has begun
    assert not any(s.left[8:])
    assert before == len(s.job_row) == 1
    won = [event for event in events if event.kind == "job_won"]
    assert [(e.facts["seat"], e.facts["payout"], e.facts["tied"], e.clause) for e in won] == [
        (A, 2, True, "ZT-8.6"),
        (B, 2, True, "ZT-8.6"),
    ]


@pytest.mark.rule("ZT-T18", "ZT-8.7")
def test_a_tie_on_one_costs_one() -> None:
    s = on_offer(J1, ABLE, ABLE, ABLE, turn_of=B)
    events = bids(s, "1", "1", "00")
    assert s.money == [19, 19, 20]
    assert (left(s, A), left(s, B)) == ("F1 W1", "F1 W1")
    assert s.bank_delta == -2
    assert {e.clause for e in events if e.kind == "job_won"} == {"ZT-8.7"}


@pytest.mark.rule("ZT-T19", "ZT-A8", "ZT-8.6", "ZT-8.7", "ZT-8.4")
@pytest.mark.parametrize(
    ("names", "money"),
    [
        (("1", "1", "1"), [19, 19, 19]),
        (("2", "2", "00"), [20, 20, 20]),
        (("8", "8", "00"), [26, 26, 20]),
        (("1", "00", "00"), [21, 20, 20]),
        (("3", "3", "3"), [21, 21, 21]),
        (("2", "1", "1"), [20, 19, 19]),
    ],
)
def test_payouts(names: tuple[str, ...], money: list[int]) -> None:
    s = on_offer(J1, ABLE, ABLE, ABLE)
    bids(s, *names)
    assert s.money == money
    assert s.bank_delta == sum(money) - 60


@pytest.mark.rule("ZT-T20", "ZT-8.8", "ZT-A14", "ZT-8.10")
def test_nobody_bids() -> None:
    s = on_offer(J1, ABLE, ABLE, ABLE, row=2)
    hands = s.hand[:]
    events = bids(s, "00", "00", "00")
    assert (s.money, s.hand, s.left) == ([20, 20, 20], hands, [0] * 12)
    assert s.job_row == [31, 30, J1]
    assert kinds(events)[-3:] == ["offers_opened", "job_unwon", "turn_began"]
    assert one(events, "job_unwon").clause == "ZT-8.8"


@pytest.mark.rule("ZT-T21", "ZT-8.1", "ZT-8.2", "ZT-A10")
def test_a_bid_needs_all_workers_in_hand() -> None:
    s = on_offer(J3, "E1", "E2", "W1", left=["E1"])
    facts = {"needs": [0, 0, 0, 2], "hand": [0, 0, 0, 1], "missing": [0, 0, 0, 1]}
    refused(s, A, "bid 3", "BID_WITHOUT_WORKERS", "ZT-8.1", **facts)
    assert accepted(s, A, "00")
    assert accepted(s, B, "bid 3")
    play(s, A, "00")


@pytest.mark.rule("ZT-T22", "ZT-A11", "ZT-3.2")
def test_the_00_is_always_allowed() -> None:
    s = on_offer(J3, "E2", "E2", "W1")
    assert legal(s, A) == ["00", *(f"bid {value}" for value in range(1, 9))]
    bids(s, "00", "4", "00")
    assert (s.money, left(s, A)) == ([20, 24, 20], "")


@pytest.mark.rule("ZT-T23", "ZT-A5", "ZT-A6")
@pytest.mark.parametrize("value", [0, 9, 100])
def test_values_that_no_offer_card_has(value: int) -> None:
    s = on_offer(J1, ABLE, ABLE, ABLE)
    before = s.encode()
    with pytest.raises(IllegalAction) as caught:
        s.space.parse(f"bid {value}")
    refusal = caught.value.refusal
    assert (refusal.code, refusal.clause) == ("UNKNOWN_OFFER", "ZT-A5")
    assert refusal.facts == {"value": value, "offers": [1, 2, 3, 4, 5, 6, 7, 8]}
    action = s.space.size
    refused(s, A, action, "MALFORMED", "", action=action, size=action)
    assert s.encode() == before


@pytest.mark.rule("ZT-T24", "ZT-8.9", "ZT-I9")
def test_a_played_card_returns_to_hand() -> None:
    s = on_offer(J1, "F1 W1 E2", ABLE, ABLE, deck=[J1, J3, 6, 7])
    bids(s, "5", "00", "00")
    assert s.sealed == [rules.NOT_CHOSEN] * 3
    turn_up(s, J3)
    play(s, B, "pass")
    assert legal(s, A) == ["00", *(f"bid {value}" for value in range(1, 9))]
    bids(s, "5", "00", "00")
    assert s.money == [30, 20, 20]


@pytest.mark.rule("ZT-T25", "ZT-8.3", "ZT-8.1")
def test_what_lies_face_down_stays_hidden_until_all_lie() -> None:
    s = on_offer(J1, ABLE, ABLE, ABLE)
    money, hands, learned = s.money[:], s.hand[:], s.revelations
    events = play(s, A, "bid 2") + play(s, C, "bid 7")
    assert (s.money, s.hand, s.revelations) == (money, hands, learned)
    view = seen(s, B)
    assert [seat.committed for seat in view.seats] == [True, False, True]
    assert view.chosen is None
    other = on_offer(J1, ABLE, ABLE, ABLE)
    play(other, A, "00")
    play(other, C, "bid 1")
    for viewer in (B, None):
        assert canonical(seen(other, viewer)) == canonical(seen(s, viewer))
    assert [e.facts for e in events if e.concerns(B)] == [{"seat": A}, {"seat": C}]
    assert [e.facts for e in events if e.concerns(A)] == [{"seat": A, "bid": 2}, {"seat": A}, {"seat": C}]
    assert seen(s, A).chosen == s.space.parse("bid 2")
    refused(s, A, "bid 3", "NOT_YOUR_DECISION", "ZT-4.1", seat=A, deciders=[B])
    refused(s, D, "00", "NOT_YOUR_DECISION", "ZT-4.1", seat=D, deciders=[B])
    play(s, B, "00")
    assert s.money == [22, 20, 20]


@pytest.mark.rule("ZT-8.3")
def test_the_order_of_committing_does_not_matter() -> None:
    results = set()
    for order in ((A, B, C), (C, B, A), (B, A, C)):
        s = on_offer(J1, ABLE, ABLE, ABLE)
        for seat in order:
            play(s, seat, ("bid 4", "bid 2", "bid 2")[seat])
        results.add(s.encode())
    assert len(results) == 1


@pytest.mark.rule("ZT-T26", "ZT-8.1")
def test_who_can_only_play_00_is_asked_all_the_same() -> None:
    s = on_offer(J1, "F3", ABLE, ABLE)
    assert legal(s, A) == ["00"]
    play(s, B, "bid 4")
    play(s, C, "bid 5")
    assert s.deciders() == (A,)
    assert s.money == [20, 20, 20]
    play(s, A, "00")
    assert s.money == [20, 24, 20]


@pytest.mark.rule("ZT-T27", "ZT-A9", "ZT-A26")
def test_a_tie_on_one_without_money_eliminates() -> None:
    s = on_offer(J1, ABLE, ABLE, ABLE, left=["C1"], right=["E1"], money=[0, 5, 20], turn_of=B)
    events = bids(s, "1", "1", "00")
    assert s.active == 0b110
    assert s.money == [0, 4, 20]
    assert (hand(s, A), left(s, A), left(s, B)) == ("", "", "F1 W1")
    assert s.stacks == [10, 10, 10, 12]
    out = one(events, "eliminated")
    assert (out.clause, out.facts) == ("ZT-A9", {"seat": A, "reason": "tie", "debt": 1, "money": 0})
    assert [e.facts["seat"] for e in events if e.kind == "job_won"] == [B]
    check_conservation(s)


@pytest.mark.rule("ZT-T27", "ZT-A9")
def test_tie_debt_floor_lets_one_stay() -> None:
    s = on_offer(J1, ABLE, ABLE, ABLE, money=[0, 5, 20], turn_of=B, tie_debt="floor")
    events = bids(s, "1", "1", "00")
    assert s.active == 0b111
    assert s.money == [0, 4, 20]
    assert (left(s, A), left(s, B)) == ("F1 W1", "F1 W1")
    assert [e.facts["payout"] for e in events if e.kind == "job_won"] == [0, -1]
    check_conservation(s)


WITH_ZERO = cards.fixture(
    job_ids=CARDS.job_ids, job_names=CARDS.job_names, needs=CARDS.needs, offer_values=(0, 1, 2, 3, 4, 5, 6, 7)
)


@pytest.mark.rule("ZT-T28", "ZT-A6", "ZT-3.2")
def test_a_bid_of_zero_is_a_bid() -> None:
    alone = on_offer(J1, ABLE, ABLE, ABLE, edition=WITH_ZERO)
    bids(alone, "0", "3", "00")
    assert (alone.money, left(alone, A)) == ([20, 20, 20], "F1 W1")
    tied = on_offer(J1, ABLE, ABLE, ABLE, edition=WITH_ZERO)
    bids(tied, "0", "0", "00")
    assert tied.money == [18, 18, 20]
    assert tied.space.parse("00") != tied.space.parse("bid 0")


@pytest.mark.rule("ZT-A6", "ZT-A9")
@pytest.mark.parametrize(("tie_debt", "active"), [("eliminate", 0b110), ("floor", 0b111)])
def test_a_tie_on_zero_costs_two(tie_debt: str, active: int) -> None:
    s = on_offer(J1, ABLE, ABLE, ABLE, edition=WITH_ZERO, money=[1, 2, 20], tie_debt=tie_debt)
    bids(s, "0", "0", "00")
    assert (s.active, s.money) == (active, [0, 0, 20])
    check_conservation(s)


PAIRED = cards.fixture(
    job_ids=CARDS.job_ids,
    job_names=CARDS.job_names,
    needs=CARDS.needs,
    offer_values=(1, 2, 3, 4, 5, 6, 7, 8),
    offer_pairs=((2, 7), (1, 8), (3, 6), (4, 5)),
)


@pytest.mark.rule("ZT-T49", "ZT-3.1", "ZT-A5")
def test_a_card_offers_both_of_its_numbers() -> None:
    s = on_offer(J3, "E4", "E4", "W4", edition=PAIRED, deck=[J3, 5, 6], turn_of=C)
    assert (2, 7) in seen(s, A).offer_pairs
    bids(s, "2", "7", "00")
    assert s.money == [22, 20, 20]
    s = on_offer(J3, "E2", "E4", "W4", edition=PAIRED, deck=[J3, 5, 6], row=[J1], money=s.money)
    bids(s, "7", "00", "00")
    assert s.money[A] == 29


@pytest.mark.rule("ZT-T54", "ZT-A10")
def test_a_refused_bid_leaves_no_trace() -> None:
    s = on_offer(J3, "E1", "E2", "E2")
    before = [canonical(seen(s, viewer)) for viewer in (A, B, C, None)]
    facts = {"needs": [0, 0, 0, 2], "hand": [0, 0, 0, 1], "missing": [0, 0, 0, 1]}
    refused(s, A, "bid 1", "BID_WITHOUT_WORKERS", "ZT-8.1", **facts)
    assert [canonical(seen(s, viewer)) for viewer in (A, B, C, None)] == before
    assert s.drain() == []


@pytest.mark.rule("ZT-T60", "ZT-A27", "ZT-A26")
def test_all_eliminated_by_one_tie() -> None:
    s = on_offer(J1, "F1 W4", "F1 W2", money=[0, 0])
    bids(s, "1", "1")
    assert s.over()
    assert s.active == 0
    standing = s.standing()
    assert [(rank.seat, rank.place) for rank in standing.ranks] == [(B, 1), (A, 2)]
    assert standing.decided_by(0) == "workers"
    assert s.returns() == [0.0, 1.0]
    check_conservation(s)
    same = on_offer(J1, "F1 W2", "F1 W2", money=[0, 0])
    bids(same, "1", "1")
    assert same.standing().winners() == (A, B)


@pytest.mark.rule("ZT-T61", "ZT-8.5", "ZT-9.1")
def test_workers_at_work_cost_nothing_on_the_next_payday() -> None:
    s = table("F3 W4", "W3", "W3", edition=cards.fixture(needs=(2, 1, 0, 0, *CARDS.needs[4:])))
    turn_up(s, J1, PAYDAY)
    play(s, A, "pass")
    bids(s, "5", "00", "00")
    assert s.hand_count(A) == 4
    play(s, B, "pass")
    assert s.money == [25 - 1, 20, 20]


@pytest.mark.rule("ZT-A7", "ZT-8.6")
def test_a_tie_counts_as_one_job() -> None:
    s = on_offer(J1, ABLE, ABLE, ABLE, row=3)
    bids(s, "4", "4", "4")
    assert len(s.job_row) == 4


@pytest.mark.rule("ZT-8.1", "ZT-A26")
def test_eliminated_players_are_not_asked() -> None:
    s = on_offer(J1, ABLE, "", ABLE, ABLE, out=[B])
    assert s.deciders() == (A, C, D)
    refused(s, B, "00", "NOT_YOUR_DECISION", "ZT-4.1", seat=B, deciders=[A, C, D])
    events = bids(s, "2", "3", "00")
    assert one(events, "offers_opened").facts == {"seats": [A, C, D], "bids": [2, 3, None]}
