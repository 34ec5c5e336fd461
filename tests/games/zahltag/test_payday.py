"""Step 4.2, Payday (ZT-9), and elimination by it."""

import pytest

from shopfloor.games.zahltag import rules
from tests.games.zahltag.table import (
    J1,
    J2,
    PAYDAY,
    A,
    B,
    C,
    D,
    bids,
    check_conservation,
    hand,
    kinds,
    on_offer,
    one,
    play,
    refused,
    right,
    seen,
    table,
    turn_up,
)


def payday(s: rules.Zahltag) -> list:
    """The player to move passes, and a Payday comes up."""
    turn_up(s, PAYDAY)
    return play(s, s.current_player, "pass")


def hands_of(*sizes: int) -> list[str]:
    """One hand a player, each of a single type."""
    return [f"{letter}{size}" for letter, size in zip("FWCE", sizes, strict=False)]


@pytest.mark.rule("ZT-T29", "ZT-9.2", "ZT-9.3", "ZT-3.3")
def test_each_card_above_the_fewest_costs_one() -> None:
    s = table(*hands_of(5, 7, 9, 5))
    events = payday(s)
    assert s.money == [20, 18, 16, 20]
    assert s.bank_delta == -6
    assert one(events, "payday_revealed").facts == {"seat": A, "number": 1, "forced": False}
    assert one(events, "wages_free").facts == {"seats": [A, D], "cards": 5}
    assert [e.facts for e in events if e.kind == "wages_paid"] == [
        {"seat": B, "cards": 7, "minimum": 5, "amount": 2},
        {"seat": C, "cards": 9, "minimum": 5, "amount": 4},
    ]


@pytest.mark.rule("ZT-T30", "ZT-9.4")
def test_equal_hands_pay_nothing() -> None:
    s = table(*hands_of(6, 6, 6))
    events = payday(s)
    assert s.money == [20, 20, 20]
    assert s.paydays_executed == 1
    assert one(events, "wages_equal").facts == {"cards": 6}
    assert "wages_free" not in kinds(events)


@pytest.mark.rule("ZT-T31", "ZT-9.1")
def test_workers_on_the_table_do_not_count() -> None:
    s = table("F4", "W8", left=["C3"], right=["C3"])
    payday(s)
    assert s.money == [20, 16]


@pytest.mark.rule("ZT-T32", "ZT-A28")
def test_no_hand_at_all_is_the_fewest() -> None:
    s = table("", "F6 W6", "F1")
    payday(s)
    assert s.money == [20, 8, 19]


@pytest.mark.rule("ZT-T57", "ZT-A24", "ZT-9.2")
def test_all_with_the_fewest_pay_nothing() -> None:
    s = table(*hands_of(5, 5, 8))
    payday(s)
    assert s.money == [20, 20, 17]


@pytest.mark.rule("ZT-T33", "ZT-9.5", "ZT-A26")
@pytest.mark.parametrize(("money", "stays"), [(3, True), (2, False)])
def test_who_cannot_pay_is_eliminated(money: int, stays: bool) -> None:
    s = table("F2", "W5", "C2", left=["", "E1"], right=["", "E1"], money=[20, money, 20], turn_of=C)
    learned = s.revelations
    events = payday(s)
    assert bool(s.active >> B & 1) is stays
    assert s.money == [20, 0, 20]
    assert s.bank_delta == -20
    assert hand(s, B) == ("W5" if stays else "")
    assert s.stacks == ([12, 11, 8, 10] if stays else [12, 16, 8, 12])
    assert s.revelations > learned
    if not stays:
        out = one(events, "eliminated")
        assert (out.clause, out.facts) == ("ZT-9.5", {"seat": B, "reason": "wages", "debt": 3, "money": 2})
        assert right(s, B) == ""
        assert not seen(s, None).seats[B].active
    check_conservation(s)


@pytest.mark.rule("ZT-T34", "ZT-A25")
def test_debts_are_fixed_before_anybody_is_eliminated() -> None:
    s = table(*hands_of(2, 7, 7), money=[20, 4, 20])
    payday(s)
    assert s.active == 0b101
    assert s.money == [20, 0, 15]
    check_conservation(s)


@pytest.mark.rule("ZT-T35", "ZT-A27")
def test_the_last_one_left_wins_at_once() -> None:
    s = table("F2", "W7", money=[0, 4])
    events = payday(s)
    assert s.paydays_executed == 1
    assert s.over()
    assert s.standing().winners() == (A,)
    assert events[-1].kind == "game_ended"
    assert (events[-1].clause, events[-1].facts) == ("ZT-A27", {"reason": "one_left", "winners": [A]})
    refused(s, A, "pass", "GAME_OVER", "ZT-11.1")


@pytest.mark.rule("ZT-T36", "ZT-A26", "ZT-4.3")
def test_turns_of_the_eliminated_are_skipped() -> None:
    s = table("F2", "W7", "C2", "E2", money=[20, 4, 20, 20], turn_of=D)
    payday(s)
    order = []
    for job in (5, 6, 7, 8):
        order.append(s.current_player)
        turn_up(s, job)
        play(s, s.current_player, "pass")
        bids(s, "00", "00", "00")
    assert order == [A, C, D, A]


@pytest.mark.rule("ZT-T36", "ZT-A15", "ZT-10.2")
def test_the_limit_of_nine_jobs_stays_when_two_of_three_are_left() -> None:
    s = table("F2", "", "C2", out=[B], row=8)
    assert not s.forced_payday_due()
    assert seen(s, A).job_limit == 9
    turn_up(s, J1)
    play(s, A, "pass")
    bids(s, "00", "00")
    assert s.forced_payday_due()


@pytest.mark.rule("ZT-T59", "ZT-A26")
def test_two_eliminated_by_one_payday_are_ranked_by_money_before_the_debt() -> None:
    s = table("F2", "W5", "C5", "E2", money=[20, 1, 2, 19], executed=4)
    payday(s)
    assert s.over()
    ranks = s.standing().ranks
    assert [rank.seat for rank in ranks] == [A, D, C, B]
    assert [rank.place for rank in ranks] == [1, 2, 3, 4]
    assert s.standing().decided_by(1) == "lasted"
    assert s.standing().decided_by(2) == "money"


@pytest.mark.rule("ZT-A26")
def test_a_later_elimination_ranks_higher() -> None:
    s = table("F2", "W6", "C5", "E2", money=[20, 3, 4, 20], executed=3)
    payday(s)  # B owes 4 of 3 and is out; C pays 3 and has 1
    assert (s.active, s.money) == (0b1101, [20, 0, 1, 20])
    turn_up(s, J1)
    play(s, C, "pass")
    bids(s, "00", "00", "00")
    payday(s)  # C owes 3 of 1: less than B had, but later
    assert [rank.seat for rank in s.standing().ranks] == [A, D, C, B]
    assert s.standing().decided_by(2) == "lasted"


@pytest.mark.rule("ZT-A26", "ZT-11.2")
def test_the_same_moment_and_money_go_by_fewer_workers() -> None:
    s = table("F2", "W5", "C5", "E2", left=["", "W1"], money=[20, 1, 1, 20], executed=4)
    payday(s)
    assert [rank.seat for rank in s.standing().ranks] == [A, D, C, B]
    assert s.standing().ranks[0].place == s.standing().ranks[1].place == 1
    assert s.standing().decided_by(2) == "workers"


@pytest.mark.rule("ZT-9.6", "ZT-T52", "ZT-8.10", "ZT-A31")
def test_the_row_goes_under_the_payday() -> None:
    s = table("F2 W2", "F2 W2", "C3")
    turn_up(s, J1, 5, 6, PAYDAY)
    play(s, A, "pass")
    bids(s, "4", "5", "00")
    assert [job.job for job in seen(s, None).job_row] == [J1]  # the card lies in the row, not with its winner
    play(s, B, "pass")
    bids(s, "00", "00", "00")
    play(s, C, "pass")
    bids(s, "00", "00", "00")
    assert [job.job for job in seen(s, None).job_row] == [J1, 5, 6]
    play(s, A, "pass")
    view = seen(s, None)
    assert (view.job_row, view.paydays_executed, view.paydays_left) == ((), 1, 5)
    assert len(view.jobs_left) == 29
    assert not any(field in ("job", "jobs") for field in view.seats[A].__dataclass_fields__)


@pytest.mark.rule("ZT-T53", "ZT-1.1", "ZT-1.5", "ZT-A33")
def test_money_comes_from_and_goes_to_the_bank() -> None:
    s = on_offer(J1, "F2 W2 C4", "W2 C3 E1", "E6")
    bids(s, "5", "00", "00")
    turn_up(s, J2, PAYDAY)
    play(s, B, "pass")
    bids(s, "00", "3", "00")
    play(s, C, "pass")
    assert [s.hand_count(p) for p in (B, C)] == [3, 6]
    assert s.money == [25 - 3, 23, 20 - 3]
    assert sum(s.money) == 60 + 5 + 3 - 6
    assert s.bank_delta == 5 + 3 - 6
    assert all(isinstance(money, int) for money in s.money)


@pytest.mark.rule("ZT-I7", "ZT-9.2", "ZT-9.3")
@pytest.mark.parametrize("sizes", [(0, 0, 0, 0), (1, 5, 2, 9), (12, 0, 6, 6), (3, 3, 4, 3)])
def test_somebody_always_pays_nothing_and_the_total_fits(sizes: tuple[int, ...]) -> None:
    s = table(*hands_of(*sizes), money=40)
    counts = [s.hand_count(p) for p in range(4)]
    events = payday(s)
    amounts = [e.facts["amount"] for e in events if e.kind == "wages_paid"]
    assert sum(amounts) == sum(count - min(counts) for count in counts)
    assert len(amounts) < 4
