"""Cash and Thumbs tracks, the hand limit, final bonuses and the ranking (WP sections 3, 12 and 13)."""

import pytest

from shopfloor.games.worker_placement.position import BID_VALUES, HAND_LIMIT
from tests.games.worker_placement.table import (
    A,
    B,
    C,
    D,
    accepted,
    at_auction,
    kinds,
    legal,
    numbers,
    play,
    refused,
    seen,
    table,
)

HELD = "W05 W06 W07 W08 W09 S07"
HELD_BY_C = "S10 S11 S12 S13 S14 S15"


@pytest.mark.rule("WP-3.4", "WP-A16", "WP-T54")
def test_the_cash_track_wraps_at_sixty() -> None:
    s = table("", "", cash=[58, 60])

    def shown(seat: int) -> tuple[int, int, int]:
        view = seen(s, None).seats[seat]
        return view.cash, view.cash_space, view.laps

    assert shown(B) == (60, 60, 0)
    s.add_cash(A, 5, "card", "WP-11.3")
    assert shown(A) == (63, 3, 1)
    s.add_cash(A, -4, "card", "WP-11.3")
    assert shown(A) == (59, 59, 0)
    s.add_cash(A, 62, "card", "WP-11.3")
    assert shown(A) == (121, 1, 2)
    s.add_cash(A, -121, "card", "WP-11.3")
    assert shown(A) == (0, 0, 0)


@pytest.mark.rule("WP-1.5", "WP-7.2")
def test_the_bid_spaces() -> None:
    assert BID_VALUES == (1, 2, 2, 2, 3, 3, 4, 5)
    assert seen(at_auction("", ""), None).bid_values == BID_VALUES


@pytest.mark.rule("WP-12.3", "WP-A27", "WP-T51")
def test_hands_are_cut_down_to_five() -> None:
    s = table("W05 W06 W07 W08 W09 S07 S08", "W10 W11 W12 W13 W14", "S10 S11 S12 S13 S14 S15", round_no=2)
    s.reserve, s.on_track, s.idle = [0] * 3, [0] * 3, [3] * 3
    s._reset()
    assert s.phase == HAND_LIMIT
    assert s.deciders() == (A, C)
    refused(s, A, "done", "WRONG_DISCARD_COUNT", "WP-12.3", chosen=0, wanted=2)
    refused(s, A, "discard M01", "CARD_NOT_IN_HAND", "WP-12.3")
    refused(s, A, "bid 0", "WRONG_PHASE", "WP-12.3")
    refused(s, B, "done", "NOT_YOUR_DECISION", "WP-8.1")
    play(s, A, "discard W06")
    refused(s, A, "discard W06", "MALFORMED", "WP-12.3")
    refused(s, A, "done", "WRONG_DISCARD_COUNT", "WP-12.3", chosen=1, wanted=2)
    play(s, A, "discard S08")
    assert legal(s, A) == ["done"]
    refused(s, A, "discard W09", "WRONG_DISCARD_COUNT", "WP-12.3", chosen=3, wanted=2)
    assert accepted(s, A, "done")
    events = play(s, A, "done")
    assert kinds(events) == ["discards_sealed"]
    assert len(s.hand[A]) == 7  # nothing happens before all have chosen
    events = play(s, C, "discard S12", "done")
    discarded = [event.facts["cards"] for event in events if event.kind == "cards_discarded"]
    assert discarded == [numbers("W06 S08"), numbers("S12")]
    assert [len(hand) for hand in s.hand] == [5, 5, 5]
    assert s.round_no == 3


@pytest.mark.rule("WP-12.3", "WP-A27")
def test_who_discards_at_the_same_time_is_asked_in_any_order() -> None:
    s = table(HELD, "W10 W11 W12 W13 W14", HELD_BY_C, round_no=2)
    s.reserve, s.on_track, s.idle = [0] * 3, [0] * 3, [3] * 3
    s._reset()
    hand = {seat: [f"discard {name}" for name in names.split()] for seat, names in ((A, HELD), (C, HELD_BY_C))}
    for seat in (A, C, A, A, C):
        assert sorted(legal(s, seat)) == sorted(s.space.name(s.space.parse(name)) for name in hand[seat])
    assert legal(s, B) == []
    play(s, C, "discard S12")
    assert legal(s, C) == ["done"]
    assert len(legal(s, A)) == 6
    s.reopen()
    assert len(legal(s, C)) == 6


@pytest.mark.rule("WP-A28", "WP-A27", "WP-T72")
def test_the_limit_holds_at_the_end_of_the_last_round_too_but_not_before() -> None:
    s = table("W05 W06 W07 W08 W09 S07 S08 M15", "", round_no=8, at={"casino": "AABBB"})
    assert s.deciders() == (A,)
    play(s, A, "call_centre")
    assert s.phase == HAND_LIMIT
    cash = s.cash[A]
    play(s, A, "discard S07", "discard S08", "discard M15", "done")
    assert s.over()
    assert s.cash[A] == cash  # M15 would have paid 3, had it been kept


@pytest.mark.rule("WP-1.1", "WP-13.4", "WP-T66", "WP-3.4")
def test_laps_count() -> None:
    s = table("", "", cash=[59, 61], round_no=8, thumbs=[3, 3])
    s.thumbs = [2, 2]
    s._end()
    view = seen(s, None)
    assert [rank.seat for rank in view.ranks] == [B, A]
    assert view.seats[B].cash == 63
    assert s.standing().winners() == (B,)
    assert s.returns() == [0.0, 1.0]


@pytest.mark.rule("WP-13.1", "WP-13.2", "WP-13.5", "WP-T52")
def test_final_bonuses_and_the_tie_break_by_position() -> None:
    s = table(
        *[""] * 4,
        thumbs=[9, 9, 5, 3],
        cubes=["C2 T3", "", "L1 F1", "T1"],
        cash=[20, 22, 25, 10],
        order="CBAD",
        round_no=8,
    )
    s._end()
    assert s.cash == [26, 26, 26, 10]
    assert s.bonus == [4, 2, 0, 4, 0, 0, 0, 1, 0, 0, 0, 0]
    assert [(rank.seat, rank.place) for rank in s.standing().ranks] == [(B, 1), (A, 2), (C, 3), (D, 4)]
    standing = s.standing()
    assert [standing.decided_by(i) for i in range(3)] == ["position", "thumbs", "cash"]


@pytest.mark.rule("WP-13.5", "WP-T53")
def test_thumbs_break_ties_before_positions() -> None:
    s = table("", "", thumbs=[7, 8], cash=[30, 28], round_no=8)
    s._end()
    assert s.cash == [30, 30]
    assert s.standing().winners() == (B,)


@pytest.mark.rule("WP-A15", "WP-13.1", "WP-T68")
def test_every_leader_gets_the_whole_thumbs_bonus() -> None:
    s = table(*[""] * 5, thumbs=[7, 3, 7, 7, 0], cash=10, round_no=8)
    s._end()
    assert s.cash == [15, 10, 15, 15, 10]


@pytest.mark.rule("WP-13.3", "WP-A33", "WP-T56", "WP-T75")
def test_cards_in_hand_pay_at_the_end() -> None:
    s = table("M15", "M16", "", thumbs=[3, 9, 9], cash=[0, 0, 0], cubes=["C1 L1"], round_no=8, discards="")
    s._end()
    # Thumbs bonus 3 for B and C, whatever else is gained; A: 1 for cubes, 3 for the card; B: 1 for every 4 Thumbs.
    assert s.cash == [4, 5, 3]
    s = table("", "", cash=0, thumbs=[1, 0], round_no=8, discards="M15 M16")
    s._end()
    assert s.cash == [2, 0]
    s = table("M16", "", cash=0, thumbs=[40, 0], round_no=8)
    s._end()
    assert s.cash == [7, 0]  # 2 for the most Thumbs, 5 at most for the card


@pytest.mark.rule("WP-13.3")
def test_hands_are_open_at_the_end() -> None:
    s = table("M15", "W05", round_no=8)
    assert seen(s, B).seats[A].hand is None
    s._end()
    shown = seen(s, B).seats[A].hand
    assert shown is not None
    assert [one_.id for one_ in shown] == ["M15"]
    assert [e.facts["names"] for e in s.drain() if e.kind == "hand_shown"] == [["Golden Handshake"], ["Otto Reply-All"]]


@pytest.mark.rule("WP-A17", "WP-T69")
def test_thumbs_have_no_end_unless_agreed() -> None:
    s = table("", "", thumbs=61)
    play(s, A, "health_spa")
    assert s.thumbs[A] == 63
    s = table("", "", thumbs=[20, 19], thumbs_cap="20")
    refused(s, A, "health_spa", "THUMBS_AT_CAP", "WP-A17", thumbs=20)
    play(s, A, "call_centre")
    play(s, B, "health_spa")
    assert s.thumbs == [19, 20]
