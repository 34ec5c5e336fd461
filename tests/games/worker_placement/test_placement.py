"""Action 5: placing workers, the resource buildings, the Call Centre and the Casino (WP sections 3, 8, 10 and 11)."""

import pytest

from shopfloor.engine.refusals import IllegalAction
from shopfloor.games.worker_placement.position import HAND_LIMIT
from tests.games.worker_placement.table import (
    A,
    B,
    C,
    accepted,
    card,
    hand,
    ids,
    kinds,
    legal,
    one,
    own_cubes,
    play,
    refused,
    seen,
    table,
)


@pytest.mark.rule("WP-8.4", "WP-8.6", "WP-10.1", "WP-A20", "WP-T31")
def test_each_meeple_makes_a_place_dearer() -> None:
    s = table("", "", cash=5)
    prices = []
    for seat in (A, B, A):
        prices.append(seen(s, seat).buildings[0].cost)
        events = play(s, seat, "city_college")
        assert one(events, "meeple_placed").facts["cost"] == prices[-1]
    assert prices == [0, 1, 2]
    assert s.cash == [3, 4]
    assert (own_cubes(s, A), own_cubes(s, B)) == ("C2", "C1")


@pytest.mark.rule("WP-8.4", "WP-3.2", "WP-T32")
def test_a_place_must_be_payable() -> None:
    s = table("", "", cash=1, at={"health_spa": "AB"})
    refused(s, A, "health_spa", "CANNOT_AFFORD_PLACEMENT", "WP-8.4", cost=2, cash=1, meeples=2)
    assert accepted(table("", "", cash=2, at={"health_spa": "AB"}), A, "health_spa")


@pytest.mark.rule("WP-8.5", "WP-11.2", "WP-T33")
def test_the_call_centre_is_free_for_any_number() -> None:
    s = table("", "", "", cash=0, thumbs=1, at={"call_centre": "AABBCC"})
    events = play(s, A, "call_centre")
    assert (s.cash[A], s.thumbs[A]) == (2, 0)
    assert one(events, "meeple_placed").facts["cost"] == 0
    assert s.here[7] == 7


@pytest.mark.rule("WP-3.2", "WP-11.2", "WP-T34")
def test_no_thumbs_no_calls() -> None:
    s = table("", "", thumbs=0)
    refused(s, A, "call_centre", "THUMBS_BELOW_ZERO", "WP-3.2", thumbs=0)


@pytest.mark.rule("WP-8.3", "WP-11.5", "WP-1.4", "WP-T35")
def test_nobody_is_placed_at_the_network() -> None:
    s = table("", "")
    refused(s, A, "network", "BUILDING_FORBIDDEN", "WP-8.3", name="Peer Networking Group")
    wanted = ["go city_college", "go rec_centre", "go trade_school", "go hackers_club", "go health_spa"]
    assert legal(s, A) == [*wanted, "go call_centre"]
    full = table("W05 M03", "", cubes=["C1"], jobs="J21")
    assert legal(full, A)[5:] == ["go call_centre", "go casino", "coach clerical", "consult M03", "job J21"]


@pytest.mark.rule("WP-8.1", "WP-8.2", "WP-12.1", "WP-T36")
def test_turns_and_which_meeple_goes() -> None:
    s = table("", "", thumbs=9)
    asked = []
    for _ in range(6):
        (seat,) = s.deciders()
        asked.append(seat)
        before = (s.reserve[seat], s.on_track[seat])
        play(s, seat, "call_centre")
        if s.here[7]:
            assert (s.reserve[seat], s.on_track[seat]) == (
                (before[0] - 1, before[1]) if before[0] else (0, before[1] - 1)
            )
    assert asked == [A, B, A, B, A, B]
    assert s.round_no == 2
    assert [s.reserve[seat] + s.on_track[seat] for seat in (A, B)] == [3, 3]


@pytest.mark.rule("WP-8.1", "WP-8.2")
def test_the_order_is_that_of_the_track() -> None:
    s = table("", "", "", order="CAB", thumbs=9)
    for seat in (C, A, B, C, A, B):
        assert s.deciders() == (seat,)
        refused(s, (seat + 1) % 3, "call_centre", "NOT_YOUR_DECISION", "WP-8.1")
        play(s, seat, "call_centre")
    assert s.on_track == [1, 1, 1]
    assert s.reserve == [0, 0, 0]


@pytest.mark.rule("WP-10.5", "WP-A19", "WP-T37")
def test_the_life_coach() -> None:
    s = table("", "", cubes=["T1"])
    play(s, A, "life_coach tech")
    assert seen(s, A).phase == "LIFE_COACH"
    assert seen(s, A).left == 2
    refused(s, A, "health_spa", "WRONG_PHASE", "WP-10.5")
    refused(s, A, "done", "MALFORMED", "WP-10.5")
    play(s, A, "take tech", "take clerical")
    assert own_cubes(s, A) == "C1 T1"
    assert s.deciders() == (B,)
    s = table("", "", cubes=["T1"])
    play(s, A, "coach tech", "cube clerical", "cube clerical")
    assert own_cubes(s, A) == "C2"
    refused(table("", ""), A, "coach tech", "NO_CUBE_TO_RETURN", "WP-A19", cubes=0)
    refused(table("", "", cubes=["C1"]), A, "coach tech", "NO_CUBE_TO_RETURN", "WP-A19", cubes=1)
    s = table("", "", cubes=["T1", "F11"])
    play(s, A, "coach tech", "take life")
    refused(s, A, "take life", "SUPPLY_EMPTY", "WP-A19")
    assert legal(s, A) == ["cube clerical", "cube labour", "cube tech"]
    # The returned cube alone does not make two.
    s = table("", "", cubes=["C12 L12 T12", "F12"])
    refused(s, A, "coach tech", "SUPPLY_EMPTY", "WP-A19", skill=None)
    s = table("", "", cubes=["C12 L12 T12", "F11"])
    play(s, A, "coach tech", "take tech", "take life")
    assert own_cubes(s, A) == "C12 L12 T12 F1"
    s = table("", "", cubes=["C12 L12 T12", "F12"], unlimited_cubes="true")
    play(s, A, "coach tech", "take tech", "take life")
    refused(
        table("", "", cubes=["T1"], cash=0, at={"life_coach": "B"}),
        A,
        "coach tech",
        "CANNOT_AFFORD_PLACEMENT",
        "WP-8.4",
    )


@pytest.mark.rule("WP-A18", "WP-T38")
def test_an_empty_supply() -> None:
    s = table("", "", cubes=["", "L12"])
    refused(s, A, "trade_school", "SUPPLY_EMPTY", "WP-A18", skill=1)
    s = table("", "", cubes=["", "L12"], cash=0, at={"trade_school": "B"})
    refused(s, A, "trade_school", "SUPPLY_EMPTY", "WP-A18")  # before the cost
    s = table("", "", cubes=["", "L12"], unlimited_cubes="true")
    play(s, A, "trade_school")
    assert own_cubes(s, A) == "L1"


@pytest.mark.rule("WP-10.6", "WP-T39")
def test_the_health_spa() -> None:
    s = table("", "")
    play(s, A, "health_spa")
    assert (s.thumbs[A], s.cash[A]) == (4, 5)


@pytest.mark.rule("WP-10.1", "WP-10.2", "WP-10.3", "WP-10.4", "WP-1.7", "WP-T61")
@pytest.mark.parametrize(
    ("building", "skill", "clause"),
    [
        ("city_college", "C1", "WP-10.1"),
        ("rec_centre", "F1", "WP-10.2"),
        ("trade_school", "L1", "WP-10.3"),
        ("hackers_club", "T1", "WP-10.4"),
    ],
)
def test_the_four_cube_buildings(building: str, skill: str, clause: str) -> None:
    s = table("", "")
    events = play(s, A, building)
    assert own_cubes(s, A) == skill
    assert sorted(s.supply) == [11, 12, 12, 12]
    assert one(events, "cube_taken").clause == clause


@pytest.mark.rule("WP-A20", "WP-T69")
def test_own_meeples_count_too() -> None:
    s = table("", "", cash=3, at={"hackers_club": "ABA"})
    assert seen(s, A).buildings[3].meeples[:2] == (2, 1)
    play(s, A, "hackers_club")
    assert s.cash[A] == 0


@pytest.mark.rule("WP-11.4", "WP-A12", "WP-T42", "WP-8.5")
def test_the_casino() -> None:
    s = table("W05 W06 W07 S07 S08 M03", "", at={"casino": "BB"}, discards="W20")
    deck = len(s.deck)
    play(s, A, "casino")
    view = seen(s, A)
    assert view.phase == "CASINO"
    assert seen(s, B).phase == "PLACE"  # what A ponders is not B's business
    refused(s, A, "done", "CASINO_NEEDS_A_CARD", "WP-A12")
    refused(s, A, "discard W01", "CARD_NOT_IN_HAND", "WP-11.4")
    refused(s, A, "pass", "MALFORMED", "WP-11.4")
    play(s, A, "discard W06")
    refused(s, A, "discard W06", "MALFORMED", "WP-11.4")
    learned = s.revelations
    play(s, A, "discard M03")
    assert s.revelations == learned
    plan = seen(s, A).plan
    assert plan is not None
    assert [one_.id for one_ in plan.cards] == ["W06", "M03"]
    events = play(s, A, "done")
    assert len(s.hand[A]) == 6
    assert ids(s.discards) == "W20 W06 M03"
    assert len(s.deck) == deck - 2
    assert s.cash[A] == 5
    assert s.revelations > learned
    assert one(events, "cards_discarded").audience is None
    assert one(events, "cards_drawn").facts["count"] == 2
    assert one(events, "cards_seen").audience == (A,)
    assert s.deciders() == (B,)
    refused(s, B, "casino", "CASINO_NEEDS_A_CARD", "WP-A12")


@pytest.mark.rule("WP-A12", "WP-T42")
def test_the_casino_without_a_card_if_agreed() -> None:
    for cards in ("W05 S07", ""):
        s = table(cards, "", casino_min="0")
        before = (s.hand[A][:], s.deck[:], s.discards[:], s.cash[:])
        play(s, A, "casino", "done")
        assert (s.hand[A], s.deck, s.discards, s.cash) == before
        assert s.here[9] == 1
        assert s.deciders() == (B,)


@pytest.mark.rule("WP-11.4", "WP-6.5", "WP-A25")
def test_swapped_cards_can_come_back_with_a_shuffle() -> None:
    s = table("W05 S07", "", deck="")
    play(s, A, "casino", "discard W05", "discard S07", "done")
    assert hand(s, A) == "W05 S07"
    assert (s.deck, s.discards) == ([], [])


@pytest.mark.rule("WP-A9", "WP-11.4", "WP-12.3")
def test_discards_face_down_if_agreed() -> None:
    s = table("W05 S07", "", discard_public="false")
    events = play(s, A, "casino", "discard W05", "done")
    assert one(events, "cards_discarded").facts == {"seat": A, "count": 1, "cards": [], "names": []}
    assert one(events, "own_discards").audience == (A,)
    assert seen(s, B).discards is None
    assert s.knows[card("W05")] == 1
    assert {s.imagine(A, s.dice.clone()).discards[0]} == {card("W05")}
    seen_by_b = {s.imagine(B, type(s.dice)(seed)).discards[0] for seed in range(50)}  # type: ignore[call-arg]
    assert len(seen_by_b) > 20


@pytest.mark.rule("WP-A13", "WP-T43", "WP-8.7")
def test_skipping_is_for_those_who_can_do_nothing_else() -> None:
    everywhere = dict.fromkeys(
        ("city_college", "rec_centre", "trade_school", "hackers_club", "life_coach", "health_spa"), "B"
    )
    s = table("", "", cash=0, thumbs=0, order="AB")
    for name in everywhere:
        s.here[
            ["city_college", "rec_centre", "trade_school", "hackers_club", "life_coach", "health_spa"].index(name)
        ] = 1
    s.here[8] = 1
    assert legal(s, A) == ["skip"]
    events = play(s, A, "skip")
    assert kinds(events) == ["placement_skipped"]
    assert (s.reserve[A], s.idle[A]) == (1, 1)
    assert s.deciders() == (B,)
    other = table("", "")
    refused(other, A, "skip", "SKIP_NOT_ALLOWED", "WP-A13")


@pytest.mark.rule("WP-8.6", "WP-8.7", "WP-T62")
def test_no_placement_without_its_effect() -> None:
    s = table("W05", "", cubes=["C1"])
    for text in ("go job_centre", "job", "coach", "life coach", "consult"):
        with pytest.raises(IllegalAction) as caught:
            s.space.parse(text)
        assert caught.value.refusal.code == "MALFORMED"
    refused(s, A, "done", "MALFORMED", "WP-8.1")
    refused(s, A, "pass", "MALFORMED", "WP-8.1")
    refused(s, A, "take tech", "WRONG_PHASE", "WP-8.1")
    refused(s, A, "bid 0", "WRONG_PHASE", "WP-8.1")
    assert s.phase != HAND_LIMIT
