"""Step 1, Finish Jobs, and step 2, Add, drop or exchange (ZT-5, ZT-6)."""

import pytest

from shopfloor.games.zahltag import rules
from tests.games.zahltag.table import (
    J1,
    J3,
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
    right,
    seen,
    table,
    to_turn_of,
    turn_up,
)

# -- 5. Step 1: Finish Jobs ---------------------------------------------------------------------------------------


def next_turn(s: rules.Zahltag, job: int, *names: str) -> None:
    """The player to move passes, this Job comes up, and these cards are played for it."""
    turn_up(s, job)
    play(s, s.current_player, "pass")
    bids(s, *names)


@pytest.mark.rule("ZT-T7", "ZT-5.1", "ZT-5.2", "ZT-5.3", "ZT-I6")
def test_the_way_of_workers_from_winning_back_to_hand() -> None:
    s = on_offer(J1, "F2 W2", "C3", "E3", deck=[J1, 5, 6, 7, 8, 9, 10, 11, 12])
    bids(s, "5", "00", "00")
    assert (hand(s, A), left(s, A), right(s, A)) == ("F1 W1", "F1 W1", "")
    for seat in (B, C):  # the others' turns move nothing of A's
        assert s.current_player == seat
        next_turn(s, s.job_deck[0], "00", "00", "00")
    assert s.current_player == A
    assert (hand(s, A), left(s, A), right(s, A)) == ("F1 W1", "", "F1 W1")
    for seat in (A, B, C):
        assert s.current_player == seat
        assert right(s, A) == "F1 W1"
        next_turn(s, s.job_deck[0], "00", "00", "00")
    assert rules.PHASE_NAMES[s.phase] == "ADJUST_WORKERS"
    assert s.deciders() == (A,)
    assert (hand(s, A), left(s, A), right(s, A)) == ("F2 W2", "", "")


@pytest.mark.rule("ZT-T8", "ZT-5.1")
def test_right_returns_before_left_moves() -> None:
    s = table("W1", "W3", "W3", turn_of=C, left=["F1"], right=["C1"])
    to_turn_of(s, A)
    event = one(s.drain(), "jobs_finished")
    assert (hand(s, A), left(s, A), right(s, A)) == ("W1 C1", "", "F1")
    assert event.clause == "ZT-5.1"
    assert event.facts == {"seat": A, "returned": [0, 0, 1, 0], "moved": [1, 0, 0, 0]}
    assert event.audience is None


@pytest.mark.rule("ZT-T9", "ZT-5.2", "ZT-A30")
def test_all_jobs_won_between_own_turns_move_together() -> None:
    s = on_offer(J1, "F1 W1 E2", "C3", "C3", turn_of=B, deck=[J1, J3, 5, 6])
    bids(s, "4", "00", "00")
    next_turn(s, J3, "3", "00", "00")
    assert s.current_player == A
    assert (hand(s, A), left(s, A), right(s, A)) == ("", "", "F1 W1 E2")


@pytest.mark.rule("ZT-T10", "ZT-5.3")
def test_only_the_current_players_workers_move() -> None:
    s = table("W1", "W2", "W3", left=["F1", "F2", "F3"], right=["C1", "C2", "C3"])
    to_turn_of(s, B)
    assert [(hand(s, p), left(s, p), right(s, p)) for p in (A, B, C)] == [
        ("W1", "F1", "C1"),
        ("W2 C2", "", "F2"),
        ("W3", "F3", "C3"),
    ]


@pytest.mark.rule("ZT-5.3")
def test_nothing_happens_with_nothing_on_the_table() -> None:
    s = table("W1", "W2", "W3")
    to_turn_of(s, B)
    assert kinds(s.drain()) == ["turn_began"]
    assert hand(s, B) == "W2"


# -- 6. Step 2: Add, drop or exchange -----------------------------------------------------------------------------


@pytest.mark.rule("ZT-T11", "ZT-6.3", "ZT-A12")
def test_twelve_workers_are_the_most_hand_and_table_together() -> None:
    full = table("F3 W3 C3", "E1", "E1", left=["W2"], right=["F1"])
    refused(full, A, "add excavator", "OVER_CARD_CAP", "ZT-6.3", workers=12, most=12)
    assert not any(name.startswith("add") for name in legal(full, A))
    exchanged, fewer = full.clone(), full.clone()
    play(exchanged, A, "exchange foreman excavator")
    assert exchanged.workers[A] == 12
    play(fewer, A, "discard foreman")
    assert fewer.workers[A] == 11
    eleven = table("F4 W4 C3", "E1", "E1")
    play(eleven, A, "add excavator")
    assert eleven.workers[A] == eleven.hand_count(A) == 12


@pytest.mark.rule("ZT-T12", "ZT-6.1")
def test_workers_on_the_table_cannot_be_given_away() -> None:
    s = table("F1", "W3", "W3", left=["C1"], right=["C1"])
    refused(s, A, "discard crane", "CARD_NOT_IN_HAND", "ZT-6.1", type=2)
    refused(s, A, "exchange crane worker", "CARD_NOT_IN_HAND", "ZT-6.1", type=2)
    assert accepted(s, A, "discard foreman")


@pytest.mark.rule("ZT-T13", "ZT-6.6", "ZT-A29")
def test_an_empty_stack_gives_nothing_until_something_is_put_back() -> None:
    s = table("F3", "C5 W1", "C5 W1", "F1")
    assert s.stacks[2] == 0
    refused(s, A, "add crane", "STACK_EMPTY", "ZT-6.6", type=2)
    turn_up(s, 5)
    play(s, A, "pass")
    bids(s, "00", "00", "00", "00")
    turn_up(s, 6)
    play(s, B, "discard crane")
    bids(s, "00", "00", "00", "00")
    assert accepted(s, C, "add crane")
    turn_up(s, 7)
    play(s, C, "add crane")
    assert s.stacks[2] == 0


@pytest.mark.rule("ZT-6.6", "ZT-A29", "ZT-6.1")
@pytest.mark.parametrize("empty", range(4))
@pytest.mark.parametrize("held", range(4))
def test_every_type_has_a_stack_of_its_own(empty: int, held: int) -> None:
    """One stack is empty, and the hand holds one type only: nothing is confused with anything else."""
    if empty == held:
        return
    names = ["foreman", "worker", "crane", "excavator"]
    supply = (14, 16, 10, 12)[empty]
    others = [f"{'FWCE'[empty]}{n}" for n in (supply // 3, supply // 3, supply - 2 * (supply // 3))]
    s = table(f"{'FWCE'[held]}2", *others)
    assert s.stacks[empty] == 0
    expected = ["pass"]
    expected += [f"add {name}" for t, name in enumerate(names) if t != empty]
    expected += [f"discard {names[held]}"]
    expected += [f"exchange {names[held]} {name}" for t, name in enumerate(names) if t not in (empty, held)]
    assert legal(s, A) == expected
    for t, name in enumerate(names):
        assert (s.refusal(A, s.space.parse(f"add {name}")) is None) == (t != empty)


@pytest.mark.rule("ZT-T14", "ZT-A29", "ZT-6.1")
def test_an_exchange_may_refill_an_empty_stack() -> None:
    s = table("C1 W1", "C5", "C4")
    foremen = s.stacks[0]
    assert s.stacks[2] == 0
    turn_up(s, 5)
    play(s, A, "exchange crane foreman")
    assert (s.stacks[2], s.stacks[0]) == (1, foremen - 1)
    assert hand(s, A) == "F1 W1"


@pytest.mark.rule("ZT-T15", "ZT-6.1", "ZT-6.2", "ZT-4.2")
def test_one_operation_a_turn_and_only_in_ones_own() -> None:
    s = table("F2 W2", "F2 W2", "C2 W2")
    refused(s, B, "add foreman", "NOT_YOUR_DECISION", "ZT-4.1", seat=B, deciders=[A])
    turn_up(s, J1)
    play(s, A, "add foreman")
    refused(s, A, "add foreman", "WRONG_PHASE", "ZT-8.1", phase="BIDDING")
    refused(s, A, "pass", "WRONG_PHASE", "ZT-8.1", phase="BIDDING")
    bids(s, "00", "00", "00")
    assert accepted(s, B, "pass")
    refused(s, B, "00", "WRONG_PHASE", "ZT-6.1", phase="ADJUST_WORKERS")
    refused(s, B, "bid 2", "WRONG_PHASE", "ZT-6.1", phase="ADJUST_WORKERS")


@pytest.mark.rule("ZT-T51", "ZT-6.2")
def test_passing_changes_nothing_and_the_reveal_follows() -> None:
    s = table("F2 W2", "F2 W2", "C2 W2")
    turn_up(s, J1)
    hands, stacks = s.hand[:], s.stacks[:]
    assert kinds(play(s, A, "pass")) == ["passed", "job_revealed"]
    assert (s.hand, s.stacks) == (hands, stacks)


@pytest.mark.rule("ZT-6.1", "ZT-3.4")
def test_all_choices_of_step_two() -> None:
    s = table("F1 W1 C1 E1", "F1", "W1")
    names = legal(s, A)
    assert len(names) == 21
    assert names[0] == "pass"
    assert [sum(name.startswith(word) for name in names) for word in ("add", "discard", "exchange")] == [4, 4, 12]
    for action in s.legal(A):
        t = s.clone()
        t.play(A, action)
        check_conservation(t)
        assert abs(t.workers[A] - 4) <= 1


@pytest.mark.rule("ZT-A28", "ZT-6.1")
def test_the_last_card_may_be_discarded_in_play() -> None:
    s = table("F1", "W1", "W1")
    turn_up(s, J1)
    play(s, A, "discard foreman")
    assert s.workers[A] == 0
    bids(s, "00", "00", "00")
    t = table("", "W1", "W1")
    assert legal(t, A) == ["pass", "add foreman", "add worker", "add crane", "add excavator"]


@pytest.mark.rule("ZT-T55", "ZT-A18")
def test_everybody_sees_which_types_change_hands() -> None:
    s = table("F2", "F2", "C2", turn_of=B)
    stacks = s.stacks[:]
    turn_up(s, J1)
    event = one(play(s, B, "exchange foreman crane"), "workers_exchanged")
    assert event.facts == {"seat": B, "given": 0, "taken": 2}
    assert all(event.concerns(viewer) for viewer in (A, B, C, None))
    for viewer in (A, C, None):
        assert seen(s, viewer).stacks == (stacks[0] + 1, stacks[1], stacks[2] - 1, stacks[3])
        assert seen(s, viewer).seats[B].known == (0, 0, 1, 0)


@pytest.mark.rule("ZT-A18")
def test_with_two_players_the_others_hand_follows_but_no_view_contains_it() -> None:
    s = table("F2 W1", "C3 E2")
    assert seen(s, A).seats[B].hand is None
    imagined = {tuple(s.imagine(A, s.dice.clone()).hand[4:]) for _ in range(5)}
    assert imagined == {(0, 0, 3, 2)}


# -- the penalty for more than 12 ---------------------------------------------------------------------------------


@pytest.mark.rule("ZT-T45", "ZT-6.4", "ZT-A13", "ZT-A12")
def test_an_excess_card_is_paid_for_and_discarded() -> None:
    s = table("F3 W3 C3 E1", "E1", "E1", left=["W2"], money=[5, 20, 20], card_cap="penalty")
    assert s.workers[A] == 12
    events = play(s, A, "add excavator")
    assert s.workers[A] == 13
    assert s.money == [3, 21, 21]
    assert s.bank_delta == -15  # the penalty goes to the players
    assert one(events, "excess_paid").facts == {"seat": A, "excess": 1, "each": 1, "total": 2}
    assert rules.PHASE_NAMES[s.phase] == "EXCESS"
    assert s.deciders() == (A,)
    assert legal(s, A) == ["discard foreman", "discard worker", "discard crane", "discard excavator"]
    refused(s, A, "pass", "WRONG_PHASE", "ZT-A13", phase="EXCESS")
    refused(s, A, "add foreman", "WRONG_PHASE", "ZT-A13", phase="EXCESS")
    refused(s, A, "exchange foreman crane", "WRONG_PHASE", "ZT-A13", phase="EXCESS")
    refused(s, A, "00", "WRONG_PHASE", "ZT-A13", phase="EXCESS")
    check_conservation(s)
    turn_up(s, J1)
    events = play(s, A, "discard worker")
    assert kinds(events) == ["worker_discarded", "job_revealed"]
    assert events[0].clause == "ZT-A13"
    assert s.workers[A] == 12


@pytest.mark.rule("ZT-6.4", "ZT-A13")
def test_only_hand_cards_repair_the_excess() -> None:
    s = table("F1", "E1", "E1", left=["W6"], right=["C5"], card_cap="penalty")
    play(s, A, "add foreman")
    assert legal(s, A) == ["discard foreman"]
    refused(s, A, "discard worker", "CARD_NOT_IN_HAND", "ZT-A13", type=1)


@pytest.mark.rule("ZT-T45", "ZT-6.5", "ZT-A13", "ZT-A26")
def test_who_cannot_pay_for_the_excess_is_eliminated() -> None:
    s = table("F3 W3 C3 E1", "E1", "E1", left=["W2"], money=[1, 20, 20], card_cap="penalty")
    deck, paydays, learned = s.job_deck[:], s.deck_paydays, s.revelations
    events = play(s, A, "add excavator")
    assert not s.active & 1
    assert s.money == [0, 20, 20]
    assert s.bank_delta == -20
    assert s.workers[A] == 0
    assert s.stacks == [14, 16, 10, 10]
    assert kinds(events) == ["worker_added", "eliminated", "turn_began"]  # the turn passes without a reveal
    assert events[1].facts == {"seat": A, "reason": "excess", "debt": 2, "money": 1}
    assert events[1].clause == "ZT-6.5"
    assert (s.job_deck, s.deck_paydays) == (deck, paydays)
    assert s.deciders() == (B,)
    assert s.revelations > learned  # A's hand has been laid open
    check_conservation(s)


@pytest.mark.rule("ZT-A13", "ZT-A27")
def test_the_last_but_one_eliminated_by_excess_ends_the_game() -> None:
    s = table("F3 W3 C3 E3", "E1", money=[0, 20], card_cap="penalty")
    play(s, A, "add worker")
    assert s.over()
    assert s.standing().winners() == (B,)


@pytest.mark.rule("ZT-A13", "ZT-A26")
def test_the_penalty_is_owed_to_active_players_only() -> None:
    s = table("F3 W3 C3 E3", "E1", "", "E1", out=[C], money=[2, 3, 0, 4], card_cap="penalty")
    play(s, A, "add worker")
    assert s.money == [0, 4, 0, 5]
    assert s.active == 0b1011
    assert s.active >> D & 1


@pytest.mark.rule("ZT-6.4", "ZT-A12")
def test_the_penalty_does_not_touch_who_stays_at_twelve() -> None:
    s = table("F3 W3 C3 E3", "E1", "E1", card_cap="penalty")
    assert accepted(s, A, "add worker")
    turn_up(s, J1)
    assert "excess_paid" not in kinds(play(s, A, "exchange foreman worker"))
    assert s.money == [20, 20, 20]
