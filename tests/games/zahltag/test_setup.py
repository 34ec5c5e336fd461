"""Contents and preparation (ZT-1, ZT-2), and who may decide what before the first turn."""

import pytest

from shopfloor.engine.dice import FastDice
from shopfloor.engine.refusals import BadSetup, IllegalAction
from shopfloor.games.zahltag import GAME, cards, rules
from shopfloor.games.zahltag.actions import NO_BID
from tests.games.zahltag.table import (
    A,
    B,
    C,
    D,
    accepted,
    check_conservation,
    hand,
    kinds,
    legal,
    new_game,
    one,
    play,
    put_down,
    refill_stacks,
    refused,
    seen,
)


@pytest.mark.rule("ZT-T1", "ZT-2.1", "ZT-2.2", "ZT-2.3", "ZT-2.4", "ZT-2.7", "ZT-A2", "ZT-1.6")
@pytest.mark.parametrize(("players", "stacks"), [(2, 38), (3, 31), (4, 24)])
def test_the_table_is_laid(players: int, stacks: int) -> None:
    s = new_game(players)
    assert [s.hand_count(seat) for seat in range(players)] == [7] * players
    assert sum(s.stacks) == stacks
    for t, supply in enumerate((14, 16, 10, 12)):
        assert sum(s.hand[t::4]) + s.stacks[t] == supply
    assert s.money == [20] * players
    assert sorted(s.job_deck) == list(range(32))
    assert len(s.job_deck) + s.deck_paydays == 38
    assert not any(s.left + s.right)
    check_conservation(s)


@pytest.mark.rule("ZT-2.3")
def test_hands_are_dealt_at_random_from_all_workers() -> None:
    dealt = [sum(new_game(4, seed).hand[t::4]) for seed in range(300) for t in range(4)]
    for t, supply in enumerate((14, 16, 10, 12)):
        # 28 of 52 cards are dealt; the mean over 300 deals is known to a few hundredths of a card.
        assert sum(dealt[t::4]) / 300 == pytest.approx(28 * supply / 52, abs=0.35)
    first, last = ([new_game(4, seed).hand[4 * seat] for seed in range(300)] for seat in (0, 3))
    assert sum(first) / 300 == pytest.approx(sum(last) / 300, abs=0.3)


@pytest.mark.rule("ZT-2.1", "ZT-2.3")
def test_what_is_dealt_is_told_to_its_owner_alone() -> None:
    s = new_game(3)
    events = s.drain()
    assert kinds(events) == ["game_began", "hand_dealt", "hand_dealt", "hand_dealt", "stacks_opened"]
    for seat, event in enumerate(events[1:4]):
        assert event.facts == {"seat": seat, "workers": s.hand[4 * seat : 4 * seat + 4]}
        assert [event.concerns(viewer) for viewer in (A, B, C, None)] == [v == seat for v in (A, B, C, None)]
    assert events[-1].facts == {"stacks": s.stacks}


@pytest.mark.rule("ZT-T2", "ZT-1.6", "ZT-A2")
@pytest.mark.parametrize("players", [-1, 0, 1, 5, 100])
def test_player_counts_that_do_not_exist(players: int) -> None:
    with pytest.raises(BadSetup) as caught:
        GAME.start(players, FastDice(1))
    assert caught.value.refusal.code == "BAD_PLAYER_COUNT"
    assert caught.value.refusal.facts == {"players": players, "allowed": [2, 3, 4]}


@pytest.mark.parametrize(
    ("option", "value", "clause"),
    [
        ("setup_adjust", "", "ZT-A1"),
        ("first_player", "3", "ZT-A3"),
        ("first_player", "-1", "ZT-A3"),
        ("card_cap", "PREVENT", "ZT-A12"),
        ("tie_debt", "no", "ZT-A9"),
    ],
)
@pytest.mark.rule("ZT-A1", "ZT-A3", "ZT-A9", "ZT-A12")
def test_option_values_that_do_not_exist(option: str, value: str, clause: str) -> None:
    with pytest.raises(BadSetup) as caught:
        GAME.start(3, FastDice(1), {option: value})
    refusal = caught.value.refusal
    assert (refusal.code, refusal.clause) == ("BAD_OPTION", clause)
    assert (refusal.facts["option"], refusal.facts["value"]) == (option, value)
    assert value not in refusal.facts["allowed"]  # type: ignore[operator]


def test_an_option_that_does_not_exist() -> None:
    with pytest.raises(BadSetup) as caught:
        GAME.start(3, FastDice(1), {"jokers": "2"})
    assert caught.value.refusal.code == "BAD_OPTION"
    assert caught.value.refusal.facts["option"] == "jokers"


@pytest.mark.rule("ZT-T3", "ZT-2.5", "ZT-2.6", "ZT-A1")
@pytest.mark.parametrize(
    ("operations", "count"),
    [
        (("add worker", "add worker", "add crane"), 10),
        (("discard foreman", "discard foreman", "discard worker"), 4),
        (("add crane", "discard foreman", "exchange worker crane"), 7),
    ],
)
def test_three_operations(operations: tuple[str, ...], count: int) -> None:
    s = new_game(3)
    put_down(s, A, "F3 W3 E1")
    for i, operation in enumerate(operations):
        assert s.deciders() == (A,)
        assert s.operations[A] == 3 - i
        play(s, A, operation)
    assert s.hand_count(A) == count
    assert s.workers[A] == count
    assert s.deciders() == (B,)
    check_conservation(s)


@pytest.mark.rule("ZT-2.5", "ZT-A1")
def test_operations_may_be_repeated_and_use_different_stacks() -> None:
    s = new_game(3)
    put_down(s, A, "F7")
    stacks = s.stacks[:]
    s.drain()
    events = play(s, A, "exchange foreman worker", "exchange worker crane", "exchange foreman worker")
    assert hand(s, A) == "F5 W1 C1"
    assert s.stacks == [stacks[0] + 2, stacks[1] - 1, stacks[2] - 1, stacks[3]]
    assert kinds(events) == ["workers_exchanged"] * 3 + ["adjustment_ended"]
    assert {event.clause for event in events} == {"ZT-2.5"}


@pytest.mark.rule("ZT-T4", "ZT-2.5", "ZT-A1")
def test_done_at_once_and_no_fourth_operation() -> None:
    s = new_game(3)
    play(s, A, "done")
    assert s.hand_count(A) == 7
    assert s.deciders() == (B,)
    put_down(s, B, "F3 W4")
    play(s, B, "add foreman", "add foreman", "add foreman")
    refused(s, B, "add foreman", "NOT_YOUR_DECISION", "ZT-4.1", seat=B, deciders=[C])
    refused(s, A, "add foreman", "NOT_YOUR_DECISION", "ZT-4.1", seat=A, deciders=[C])
    play(s, C, "add crane", "done")  # stopping early
    assert s.hand_count(C) == 8
    assert rules.PHASE_NAMES[s.phase] == "ADJUST_WORKERS"
    assert s.deciders() == (A,)


@pytest.mark.rule("ZT-T5", "ZT-A4")
def test_an_exchange_is_for_another_type_held_from_a_stack_that_has_it() -> None:
    s = new_game(3)
    put_down(s, A, "W4 E3")
    for text in ("exchange foreman foreman", "exchange(F,F)"):
        with pytest.raises(IllegalAction) as caught:
            s.space.parse(text)
        assert caught.value.refusal.code == "MALFORMED"
    refused(s, A, "exchange foreman crane", "CARD_NOT_IN_HAND", "ZT-2.5", type=0)
    put_down(s, B, "C7")
    put_down(s, C, "C3 F4")
    assert s.stacks[2] == 0
    refused(s, A, "exchange worker crane", "STACK_EMPTY", "ZT-6.6", type=2)
    refused(s, A, "exchange foreman crane", "STACK_EMPTY", "ZT-6.6", type=2)  # the stack is looked at first
    refused(s, A, "add crane", "STACK_EMPTY", "ZT-6.6", type=2)
    assert accepted(s, A, "exchange worker excavator")
    for action in (s.space.size, s.space.size + 70, -1):
        refused(s, A, action, "MALFORMED", "", action=action, size=s.space.size)
    refused(s, A, "00", "WRONG_PHASE", "ZT-2.5", phase="ADJUST_START")
    refused(s, A, "bid 3", "WRONG_PHASE", "ZT-2.5", phase="ADJUST_START")


@pytest.mark.rule("ZT-T6", "ZT-A1")
def test_round_robin_asks_once_a_round() -> None:
    s = new_game(3, setup_adjust="round_robin")
    for seat in (A, B, C):
        put_down(s, seat, "F2 W2 C2 E1")
    for seat in (A, B, C, A, B, C, A, B, C):
        assert s.deciders() == (seat,)
        play(s, seat, "exchange foreman worker" if s.hand[4 * seat] else "exchange worker foreman")
    assert rules.PHASE_NAMES[s.phase] == "ADJUST_WORKERS"
    assert s.deciders() == (A,)


@pytest.mark.rule("ZT-T6", "ZT-A1")
def test_round_robin_does_not_ask_again_who_is_done() -> None:
    s = new_game(3, setup_adjust="round_robin")
    for seat in (A, B, C):
        put_down(s, seat, "F2 W2 C2 E1")
    order: list[int] = []
    for action in ("add foreman", "done", "add foreman", "add worker", "done", "add crane"):
        order += s.deciders()
        play(s, s.deciders()[0], action)
    assert order == [A, B, C, A, C, A]
    assert s.turn == 1
    assert [s.hand_count(seat) for seat in (A, B, C)] == [10, 7, 8]


@pytest.mark.rule("ZT-T47", "ZT-1.2", "ZT-1.3", "ZT-1.4", "ZT-2.1", "ZT-A5", "ZT-3.2")
def test_the_contents_of_the_box() -> None:
    assert cards.SUPPLY == (14, 16, 10, 12)
    assert sum(cards.SUPPLY) == 52
    own = cards.load()
    assert len(own.job_ids) == len(own.job_names) == len(own.provenance) == len(own.needs) // 4 == 32
    assert cards.PAYDAYS == 6
    assert len(own.offer_pairs) == 4  # in one colour; the loader compares all four
    assert own.offer_values == (1, 2, 3, 4, 5, 6, 7, 8)
    assert sorted(value for pair in own.offer_pairs for value in pair) == list(own.offer_values)
    s = new_game(4)
    choices = [s.space.name(action) for action in range(NO_BID, s.space.size)]
    assert choices == ["00", "bid 1", "bid 2", "bid 3", "bid 4", "bid 5", "bid 6", "bid 7", "bid 8"]


@pytest.mark.rule("ZT-1.3")
def test_every_job_names_workers_that_exist() -> None:
    own = cards.load()
    for job in range(32):
        needs = own.job_needs(job)
        assert 1 <= sum(needs) <= 12
        assert all(0 <= need <= supply for need, supply in zip(needs, cards.SUPPLY, strict=True))
    assert len({own.job_needs(job) for job in range(32)}) > 1


@pytest.mark.rule("ZT-T48", "ZT-A3", "ZT-2.5", "ZT-4.1", "ZT-A2")
def test_the_first_player_begins_the_adjustment_and_the_turns() -> None:
    s = new_game(3, first_player="1")
    began = one(s.drain(), "game_began")
    assert began.facts == {"players": 3, "first_player": B}
    order: list[int] = []
    while s.turn == 0:
        order += s.deciders()
        play(s, s.deciders()[0], "done")
    assert order == [B, C, A]
    turns = []
    for _ in range(4):
        turns.append(s.current_player)
        assert s.deciders() == (s.current_player,)
        play(s, s.current_player, "pass")
        while s.phase == rules.BIDDING:
            s.play(s.deciders()[0], NO_BID)
    assert turns == [B, C, A, B]


@pytest.mark.rule("ZT-T48", "ZT-A3")
def test_who_begins_is_random_by_seed() -> None:
    firsts = [new_game(4, seed, first_player="random").first_player for seed in range(200)]
    assert firsts == [new_game(4, seed, first_player="random").first_player for seed in range(200)]
    assert all(30 <= firsts.count(seat) <= 70 for seat in (A, B, C, D))


@pytest.mark.rule("ZT-2.6")
def test_set_up_cannot_leave_four_to_ten() -> None:
    for operation, count in (("add", 10), ("discard", 4)):
        s = new_game(2)
        for seat in (A, B):
            for _ in range(3):
                names = [name for name in legal(s, seat) if name.startswith(operation)]
                play(s, seat, names[0])
        assert [s.hand_count(seat) for seat in (A, B)] == [count, count]


@pytest.mark.rule("ZT-2.4", "ZT-A18")
def test_stacks_are_open_and_hands_are_not() -> None:
    s = new_game(3)
    put_down(s, B, "F7")
    refill_stacks(s)
    for viewer in (A, C, None):
        assert seen(s, viewer).stacks == tuple(s.stacks)
        assert seen(s, viewer).seats[B].hand is None
        assert seen(s, viewer).seats[B].hand_count == 7
    assert seen(s, B).seats[B].hand == (7, 0, 0, 0)
    # What a player may do shows the hand: the list is for its player.
    assert seen(s, A).legal == s.legal(A)
    assert seen(s, B).legal == seen(s, C).legal == seen(s, None).legal == ()
