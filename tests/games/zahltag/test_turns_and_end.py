"""Turns (ZT-4), reveals (ZT-7), the special cases (ZT-10) and the end (ZT-11)."""

from collections import Counter

import pytest

from shopfloor.engine.dice import FastDice
from shopfloor.games.zahltag import rules
from tests.games.zahltag.table import (
    J1,
    J2,
    J3,
    PAYDAY,
    A,
    B,
    C,
    D,
    Loaded,
    bids,
    check_conservation,
    kinds,
    on_offer,
    one,
    play,
    refused,
    seen,
    table,
    turn_up,
)


def pass_with(s: rules.Zahltag, *cards: int) -> list:
    """The player to move passes, and these cards come up."""
    turn_up(s, *cards)
    return play(s, s.current_player, "pass")


def nobody_bids(s: rules.Zahltag) -> list:
    return bids(s, *["00"] * len(s.deciders()))


# -- 4. Turn frame, 7. Reveal -------------------------------------------------------------------------------------


@pytest.mark.rule("ZT-T50", "ZT-4.1", "ZT-4.2", "ZT-4.3", "ZT-7.1", "ZT-3.3", "ZT-3.4")
def test_the_steps_of_a_turn() -> None:
    s = table("F1", "W1", "C1", turn_of=C, left=["F1"])
    s.listen()
    s._begin_turn(A)
    assert s.deciders() == (A,)  # steps 1 to 3 are the current player's alone
    turn_up(s, J1)
    play_events = play(s, A, "add crane")
    assert kinds(play_events) == ["turn_began", "jobs_finished", "worker_added", "job_revealed"]
    assert s.deciders() == (A, B, C)
    assert kinds(nobody_bids(s))[-3:] == ["offers_opened", "job_unwon", "turn_began"]
    assert s.current_player == B
    events = pass_with(s, PAYDAY)
    assert kinds(events) == ["passed", "payday_revealed", "wages_free", "wages_paid", "turn_began"]
    assert events[-1].facts["seat"] == C
    assert s.deciders() == (C,)


@pytest.mark.rule("ZT-7.1", "ZT-8.10")
def test_the_revealed_job_is_on_offer_to_all() -> None:
    s = table("F1", "W1", "C1")
    deck = len(s.job_deck) + s.deck_paydays
    learned = s.revelations
    event = one(pass_with(s, J2), "job_revealed")
    assert event.facts == {"seat": A, "job": J2, "name": "Job Two", "needs": [0, 2, 0, 1], "number": 1}
    assert len(s.job_deck) + s.deck_paydays == deck - 1
    assert s.revelations == learned + 1
    for viewer in (A, B, C, None):
        job = seen(s, viewer).job
        assert job is not None
        assert (job.id, job.needs) == ("J2", (0, 2, 0, 1))


@pytest.mark.rule("ZT-7.1", "ZT-2.7")
def test_every_card_of_the_stack_is_equally_likely_to_be_on_top() -> None:
    found: Counter[int] = Counter()
    for seed in range(3800):
        s = table("F1", "W1")
        s.dice = FastDice(seed)
        play(s, A, "pass")
        found[s.job if s.phase == rules.BIDDING else PAYDAY] += 1
    assert found[PAYDAY] == pytest.approx(600, abs=5 * 22.5)
    assert all(found[job] == pytest.approx(100, abs=5 * 10) for job in range(32))


# -- 10. Special cases --------------------------------------------------------------------------------------------


@pytest.mark.rule("ZT-T37", "ZT-10.1", "ZT-A21", "ZT-A16")
def test_a_payday_right_after_a_payday_is_shuffled_back() -> None:
    s = table("F1", "W1", "C1")
    pass_with(s, PAYDAY)
    size = len(s.job_deck) + s.deck_paydays
    jobs = len(s.job_deck)
    s.dice = Loaded([jobs, 7])  # a Payday, then a Job instead
    job = s.job_deck[7]
    events = play(s, B, "pass")
    assert kinds(events) == ["passed", "payday_rejected", "job_revealed"]
    assert (events[1].clause, events[1].facts) == ("ZT-10.1", {"seat": B})
    assert s.job == job
    assert s.deciders() == (A, B, C)
    assert s.paydays_executed == 1
    assert s.deck_paydays == 5
    assert len(s.job_deck) + s.deck_paydays == size - 1  # the Job that came up
    assert s.job_row == [job]


@pytest.mark.rule("ZT-10.1", "ZT-A19")
def test_with_a_job_between_a_payday_is_executed() -> None:
    s = table("F1", "W1", "C1")
    pass_with(s, PAYDAY)
    pass_with(s, J1)
    nobody_bids(s)
    pass_with(s, PAYDAY)
    assert s.paydays_executed == 2


@pytest.mark.rule("ZT-T38", "ZT-A17", "ZT-A16")
def test_a_payday_as_the_very_first_card_is_executed() -> None:
    s = table("F7", "W9", "C5")
    pass_with(s, PAYDAY)
    assert s.money == [18, 16, 20]
    assert s.paydays_executed == 1


@pytest.mark.rule("ZT-T39", "ZT-10.2", "ZT-10.3", "ZT-A19", "ZT-A22", "ZT-A14")
def test_a_payday_is_forced_after_nine_jobs() -> None:
    s = on_offer(J1, "F2", "W3", "C4", row=8, turn_of=C, left=["E1"])
    nobody_bids(s)
    assert len(s.job_row) == 9
    assert s.current_player == A
    assert s.right[3] == 1  # step 1 as usual
    assert s.forced_payday_due()
    assert seen(s, None).forced_payday_due
    jobs = s.job_deck[:]
    s.dice = Loaded([])  # nothing is drawn from the stack
    events = play(s, A, "add foreman")  # and step 2
    assert kinds(events)[:2] == ["worker_added", "payday_revealed"]
    assert (events[1].clause, events[1].facts) == ("ZT-10.3", {"seat": A, "number": 1, "forced": True})
    assert s.money == [20, 20, 19]
    assert (s.job_deck, s.deck_paydays, s.job_row) == (jobs, 5, [])
    assert s.current_player == B
    assert seen(s, B).payday_impossible
    s.dice = Loaded([len(jobs), 0])
    assert "payday_rejected" in kinds(play(s, B, "pass"))
    assert s.job == jobs[0]


@pytest.mark.rule("ZT-T40", "ZT-10.2", "ZT-A15", "ZT-I5")
@pytest.mark.parametrize(("hands", "limit"), [(["F1", "W1"], 8), (["F1", "W1", "C1"], 9), (["F1"] * 4, 9)])
def test_when_a_payday_is_forced(hands: list[str], limit: int) -> None:
    s = on_offer(J1, *hands, row=limit - 2)
    nobody_bids(s)
    assert not s.forced_payday_due()
    pass_with(s, J2)
    nobody_bids(s)
    assert s.forced_payday_due()
    assert len(s.job_row) == limit
    s.dice = Loaded([])
    assert one(play(s, s.current_player, "pass"), "payday_revealed").facts["forced"] is True


@pytest.mark.rule("ZT-T41", "ZT-A16", "ZT-10.2")
def test_an_executed_payday_starts_the_count_again() -> None:
    s = table("F1", "W1", "C1", row=8)
    events = pass_with(s, PAYDAY)
    assert one(events, "payday_revealed").facts["forced"] is False
    assert s.job_row == []
    for n in range(1, 10):
        assert not s.forced_payday_due()
        pass_with(s, s.job_deck[0])
        nobody_bids(s)
        assert len(s.job_row) == n
    assert s.forced_payday_due()


@pytest.mark.rule("ZT-A16", "ZT-10.1")
def test_a_payday_shuffled_back_does_not_start_the_count_again() -> None:
    s = table("F1", "W1", "C1", row=0, after_payday=True, executed=1)
    s.dice = Loaded([len(s.job_deck), 0])
    play(s, A, "pass")
    assert len(s.job_row) == 1
    assert s.paydays_executed == 1


@pytest.mark.rule("ZT-T42", "ZT-A20", "ZT-11.1")
def test_without_jobs_in_the_stack_a_second_payday_is_executed() -> None:
    s = table("F1", "W1", "C1", deck=[], executed=4, after_payday=True)
    assert s.deck_paydays == 2
    assert not seen(s, None).payday_impossible
    events = pass_with(s, PAYDAY)
    assert s.paydays_executed == 5
    assert s.over()
    assert "payday_rejected" not in kinds(events)


@pytest.mark.rule("ZT-T58", "ZT-A23")
def test_the_stack_never_runs_out() -> None:
    s = table("F1", "W1", "C1", deck=[5], executed=4)
    pass_with(s, 5)
    nobody_bids(s)
    assert (s.job_deck, s.deck_paydays) == ([], 2)
    pass_with(s, PAYDAY)
    assert s.over()


@pytest.mark.rule("ZT-T46", "ZT-A22", "ZT-10.3")
def test_after_a_forced_payday_the_rest_is_in_new_order() -> None:
    found: Counter[int] = Counter()
    for seed in range(600):
        s = table("F1", "W1", "C1", deck=[3, 4, 5, 6], row=9)
        s.dice = FastDice(seed)
        play(s, A, "pass")
        assert sorted(s.job_deck) == [3, 4, 5, 6]
        assert s.deck_paydays == 5
        play(s, B, "pass")
        found[s.job] += 1
    assert all(found[job] == pytest.approx(150, abs=5 * 10.6) for job in (3, 4, 5, 6))


@pytest.mark.rule("ZT-T56", "ZT-A21")
def test_after_a_rejected_payday_every_job_is_equally_likely() -> None:
    found: Counter[int] = Counter()
    following: Counter[int] = Counter()
    for seed in range(3000):
        s = table("F1", "W1", "C1", deck=[3, 4, 5, 6, 7], executed=4, after_payday=True)
        s.dice = FastDice(seed)
        events = play(s, A, "pass")
        if "payday_rejected" not in kinds(events):
            continue
        found[s.job] += 1
        assert sorted([*s.job_deck, s.job]) == [3, 4, 5, 6, 7]
        assert s.deck_paydays == 2
        nobody_bids(s)
        play(s, B, "pass")
        following[s.job if s.phase == rules.BIDDING else PAYDAY] += 1
    total = sum(found.values())
    assert total == pytest.approx(3000 * 2 / 7, abs=5 * 25)
    assert all(found[job] == pytest.approx(total / 5, abs=5 * 12) for job in (3, 4, 5, 6, 7))
    assert following[PAYDAY] == pytest.approx(total * 2 / 6, abs=5 * 14)


# -- 11. Game end -------------------------------------------------------------------------------------------------


@pytest.mark.rule("ZT-T43", "ZT-11.1", "ZT-1.1")
def test_the_fifth_payday_ends_the_game() -> None:
    s = table("F1", "W1", "C2", "E2", turn_of=C, executed=4)
    events = pass_with(s, PAYDAY)
    assert s.over()
    assert s.deciders() == ()
    assert kinds(events)[-1] == "game_ended"
    assert events[-1].facts == {"reason": "fifth_payday", "winners": [A, B]}
    for seat in (A, B, C, D):
        assert s.legal(seat) == ()
        for action in ("pass", "add foreman", "00", "bid 1"):
            refused(s, seat, action, "GAME_OVER", "ZT-11.1")
    refused(s, 7, 99, "GAME_OVER", "ZT-11.1")


def ended(*hands: str, left: tuple[str, ...] = (), money: tuple[int, ...]) -> rules.Zahltag:
    """A game that ends now with these hands, cards on the left, and money left after the last Payday."""
    s = table(*hands, left=left, executed=4)
    counts = [s.hand_count(seat) for seat in range(s.players)]
    s.money = [m + count - min(counts) for m, count in zip(money, counts, strict=True)]
    s.bank_delta = sum(s.money) - 20 * s.players
    pass_with(s, PAYDAY)
    assert s.money == list(money)
    check_conservation(s)
    return s


@pytest.mark.rule("ZT-T44", "ZT-11.2", "ZT-1.1", "ZT-A32")
def test_most_money_wins() -> None:
    s = ended("F5", "W4", "C3", money=(31, 30, 30))
    assert s.standing().winners() == (A,)
    assert s.returns() == [1.0, 0.0, 0.0]
    assert s.standing().decided_by(0) == "money"


@pytest.mark.rule("ZT-T44", "ZT-11.2")
def test_a_tie_goes_to_fewer_workers_in_all() -> None:
    s = ended("F9", "W5", left=("", "C3"), money=(30, 30))
    assert s.standing().winners() == (B,)
    assert s.standing().decided_by(0) == "workers"


@pytest.mark.rule("ZT-T44", "ZT-11.2")
def test_then_to_fewer_workers_on_the_table() -> None:
    s = ended("F5", "W6", left=("C3", "C2"), money=(30, 30))
    assert s.standing().winners() == (B,)
    assert s.standing().decided_by(0) == "on_table"


@pytest.mark.rule("ZT-T44", "ZT-A32")
def test_equal_in_everything_is_a_shared_victory() -> None:
    s = ended("F5", "W5", "C1", left=("C3", "E3"), money=(30, 30, 29))
    standing = s.standing()
    assert standing.winners() == (A, B)
    assert [rank.place for rank in standing.ranks] == [1, 1, 3]
    assert standing.decided_by(0) == ""
    assert s.returns() == [0.5, 0.5, 0.0]


@pytest.mark.rule("ZT-11.2")
def test_there_is_no_standing_before_the_end() -> None:
    s = table("F1", "W1")
    with pytest.raises(ValueError, match="under way"):
        s.standing()
    assert s.returns() == [0.0, 0.0]


@pytest.mark.rule("ZT-8.5", "ZT-10.2")
def test_the_ninth_job_may_still_be_won() -> None:
    s = on_offer(J3, "E2", "W1", "C1", row=8)
    bids(s, "8", "00", "00")
    assert s.money[A] == 28
    assert s.forced_payday_due()
