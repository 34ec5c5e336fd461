"""Two players with two colours each (WW-21, vectors 4.8)."""

import pytest

from shopfloor.engine.views import canonical
from shopfloor.games.workshop_of_the_world.rules import Workshop
from shopfloor.games.workshop_of_the_world.rules import position as at
from tests.games.workshop_of_the_world.table import (
    A0,
    A1,
    B0,
    B1,
    FX,
    OWN,
    Loaded,
    builds,
    can,
    fixture_map,
    kinds,
    lay,
    legal,
    new_game,
    one,
    phase,
    play,
    refused,
    seen,
    stand,
    table,
    turn,
)
from tests.games.workshop_of_the_world.test_collecting import collect
from tests.games.workshop_of_the_world.test_placing import draw


def held(s: Workshop, seat: int, counts: tuple[int, ...]) -> None:
    s.counters[5 * seat : 5 * seat + 5] = list(counts)


@pytest.mark.rule("WW-T.82", "WW-21.1", "WW-21.2", "WW-21.3", "WW-21.4", "WW-21.5", "WW-A.58", "WW-1.10")
def test_two_players_begin() -> None:
    s = new_game(2, edition=OWN)
    assert s.cash == [100, 100]
    assert s.sets == 4
    assert [s.owner_of(colour) for colour in range(4)] == [0, 0, 1, 1]
    assert s.order == []
    assert s.aside_size == 11
    # Of each player one marker lies on the Revenue track, of each set one is for the Turn order chart.
    assert s.supply_industry == [18, 19, 18, 19]
    assert len(seen(s, None).seats) == 2


@pytest.mark.rule("WW-21.6", "WW-A.57", "WW-S.22", "WW-S.34")
def test_demand_1_is_chosen_unseen() -> None:
    s = new_game(2)
    assert s.deciders() == (0, 1)
    assert [s.held_counters(seat) for seat in (0, 1)] == [4, 4]
    held(s, 0, (2, 1, 1, 0, 0))
    held(s, 1, (0, 0, 1, 1, 2))
    refused(s, 0, "counter textile", "MUST_PLACE_TWO", "WW-21.6")
    refused(s, 0, "keep", "MUST_PLACE_TWO")
    refused(s, 0, "counter light light", "COUNTER_NOT_HELD")
    with pytest.raises(Exception, match="TOO_MANY_COUNTERS"):
        s.space.parse("counter textile light heavy")
    before = canonical(seen(s, 1))
    s.drain()
    events = play(s, 0, "counter textile textile")
    assert [event.audience for event in events] == [(0,), None]
    assert s.deciders() == (1,)
    assert s.demand == [0] * 5
    assert canonical(seen(s, 1)) != before  # only that a choice has been made
    assert seen(s, 1).seats[0].committed
    assert seen(s, 0).chosen == s.space.parse("counter textile textile")
    play(s, 1, "counter heavy crafts")
    assert s.demand == [2, 0, 1, 0, 1]
    assert phase(s) == "FIST_1"


@pytest.mark.rule("WW-A.57")
def test_demand_1_in_a_drawn_order() -> None:
    orders = set()
    for seed in range(20):
        s = new_game(2, seed, demand1_two="random_order")
        orders.add(s.deciders())
        first = s.deciders()[0]
        play(s, first, legal(s, first)[0])
        assert sum(s.demand) == 2  # the other one sees it
        assert s.deciders() == (1 - first,)
    assert orders == {(0,), (1,)}


@pytest.mark.rule("WW-T.83", "WW-21.7", "WW-21.8", "WW-21.9", "WW-21.10", "WW-A.52", "WW-A.51", "WW-A.55", "WW-S.24")
def test_the_first_fists() -> None:
    s = table(2, cash=100)
    assert s.deciders() == (0, 1)
    play(s, 0, "fist 7 b")
    assert (s.deciders(), s.order) == ((1,), [])
    events = play(s, 1, "fist 4 a")
    assert one(events, "fists_opened").facts == {"bids": [7, 4], "sets": [A1, B0]}
    assert s.order == [A1, B0]
    assert s.cash == [93, 99]
    assert (phase(s), s.deciders(), s.active) == ("PICK_CARD", (0,), A1)
    refused(s, 0, "take k09", "CARD_NOT_AVAILABLE")
    play(s, 0, "take k01", "place Reading", "end turn")
    assert (s.deciders(), s.active) == ((1,), B0)


@pytest.mark.rule("WW-A.64")
@pytest.mark.rule("WW-T.84", "WW-21.11", "WW-21.12", "WW-S.26", "WW-A.55")
def test_the_second_fists() -> None:
    s = table(2, cash=100)
    play(s, 0, "fist 7 b")
    play(s, 1, "fist 4 a")
    play(s, 0, "take k01", "place Reading", "end turn")
    play(s, 1, "take k02", "place Oxford", "end turn")
    assert (phase(s), s.deciders()) == ("FIST_2", (0, 1))
    assert refused(s, 0, "fist 3 b", "SET_ALREADY_PLAYED", "WW-A.55")["set"] == A1
    play(s, 0, "fist 2 a")
    play(s, 1, "fist 6 b")
    assert s.order == [A1, B0, B1, A0]
    assert s.cash == [93 - 1, 99 - 6]
    play(s, 1, "take k03", "place Southampton", "end turn")
    assert s.held == s.taken[9]  # the fourth turn's card needs no choosing
    assert (phase(s), s.active) == ("TURN_PLACE", A0)
    play(s, 0, "place Ashby", "end turn")
    assert (phase(s), s.order, s.round_no) == ("FIST_1", [], 2)


@pytest.mark.rule("WW-T.85", "WW-A.53", "WW-S.35")
@pytest.mark.parametrize("drawn", [0, 1])
def test_equal_fists(drawn: int) -> None:
    s = table(2, cash=100)
    s.dice = Loaded(drawn)
    play(s, 0, "fist 5 a")
    events = play(s, 1, "fist 5 a")
    assert one(events, "fists_tied").facts == {"seat": drawn, "bid": 5}
    assert s.order == ([A0, B0] if drawn == 0 else [B0, A0])
    assert s.cash == ([95, 99] if drawn == 0 else [99, 95])


@pytest.mark.rule("WW-A.53")
def test_equal_fists_once_more() -> None:
    s = table(2, cash=100, fist_tie="rebid_then_draw")
    play(s, 0, "fist 5 a")
    events = play(s, 1, "fist 5 a")
    assert "fists_again" in kinds(events)
    assert (s.deciders(), s.order, s.cash) == ((0, 1), [], [100, 100])
    assert seen(s, 0).rebid
    s.dice = Loaded(1)
    play(s, 1, "fist 6 b")
    play(s, 0, "fist 6 b")
    assert s.order == [B1, A1]  # then the draw


@pytest.mark.rule("WW-A.53")
def test_equal_fists_for_who_lost_last() -> None:
    s = table(2, cash=100, fist_tie="last_loser")
    s.dice = Loaded(0)
    play(s, 0, "fist 5 a")
    play(s, 1, "fist 5 a")  # a draw at the first
    assert s.order == [A0, B0]
    play(s, 0, "take k01", "place Reading", "end turn")
    play(s, 1, "take k02", "place Oxford", "end turn")
    play(s, 0, "fist 1 b")
    play(s, 1, "fist 1 b")
    assert s.order == [A0, B0, B1, A1]


@pytest.mark.rule("WW-A.52")
@pytest.mark.parametrize(
    ("payment", "cash"), [("winner_plus_min", [93, 99]), ("both", [93, 96]), ("winner_only", [93, 100])]
)
def test_who_pays_for_the_fists(payment: str, cash: list[int]) -> None:
    s = table(2, cash=100, fist_payment=payment)
    play(s, 0, "fist 7 b")
    play(s, 1, "fist 4 a")
    assert s.cash == cash


@pytest.mark.rule("WW-T.86", "WW-S.34")
def test_fists_are_closed() -> None:
    views = []
    for fist in ("fist 7 b", "fist 60 a", "fist 1 a"):
        s = table(2, cash=100)
        play(s, 0, fist)
        views.append([canonical(seen(s, 1)), canonical(seen(s, None))])
        assert seen(s, 0).chosen == s.space.parse(fist)
    assert views[0] == views[1] == views[2]


@pytest.mark.rule("WW-T.87", "WW-A.54")
def test_what_a_fist_can_hold() -> None:
    s = table(2, cash=[3, 100], revenue=[4, 0])
    refused(s, 0, "fist 6 a", "CANNOT_AFFORD", "WW-A.54")
    refused(s, 0, "fist 0 a", "BID_BELOW_MINIMUM", "WW-A.54")
    assert can(s, 0, "fist 5 a")
    assert [(a.what, a.set, a.low, a.high) for a in seen(s, 0).amounts] == [
        ("raise", None, 1, 2),
        ("fist", A0, 1, 5),
        ("fist", A1, 1, 5),
    ]


@pytest.mark.rule("WW-A.54", "WW-A.12", "WW-A.63")
def test_an_empty_fist_when_there_is_nothing() -> None:
    s = table(2, cash=[0, 0], revenue=[1, 0])
    assert legal(s, 0) == ["fist 0 a", "fist 0 b"]
    refused(s, 0, "fist 1 a", "CANNOT_AFFORD")
    s.dice = Loaded(0)
    play(s, 0, "fist 0 a")
    events = play(s, 1, "fist 0 b")
    assert kinds(events).count("shortfall_waived") == 2
    assert s.cash == [0, 0]
    s = table(2, cash=[0, 0], broke_rule="debt")
    s.dice = Loaded(0)
    play(s, 0, "fist 0 a")
    play(s, 1, "fist 0 b")
    assert s.cash == [-1, -1]


@pytest.mark.rule("WW-T.88", "WW-21.13", "WW-A.56")
@pytest.mark.parametrize(("sets", "gain"), [("separate", 2), ("merged", 4)])
def test_whose_industries_count(sets: str, gain: int) -> None:
    s = table(2, two_player_sets=sets)
    stand(s, "Southampton", A1)
    turn(s, A0, "Reading")
    play(s, 0, "place Reading", "build c2", "end turn")
    assert s.revenue == [gain, 0]  # on the single marker
    assert s.supply_link == [17, 18, 18, 18]


@pytest.mark.rule("WW-T.89", "WW-21.15", "WW-A.56")
@pytest.mark.parametrize(
    ("other", "sets", "income"),
    [
        (["c5", "c6"], "separate", 8),
        (["c5", "c6"], "merged", 8),
        (["c7"], "separate", 6),
        (["c7"], "merged", 5),
    ],
)
def test_whose_links_make_networks(other: list[str], sets: str, income: int) -> None:
    s = table(2, cash=0, two_player_sets=sets)
    s.order = [A0, B0, B1, A1]
    lay(s, A0, "c1", "c2")
    lay(s, A1, *other)
    assert sum(seen(s, None).colours[colour].links_income for colour in (A0, A1)) == income
    collect(s)
    assert s.cash == [income, 0]
    assert s.supply_link == [18] * 4  # each Link to its own set


@pytest.mark.rule("WW-T.90", "WW-21.6", "WW-21.14", "WW-21.16", "WW-21.17", "WW-A.61", "WW-A.59", "WW-S.27", "WW-A.45")
def test_counters_of_two_players() -> None:
    s = table(2)
    s.order = [B1, A0, A1, B0]
    held(s, 0, (1, 1, 0, 0, 0))
    held(s, 1, (0, 0, 2, 0, 0))
    s.pool = [20, 0, 0, 0, 0]
    s.face_up, s.deck_size = [], 0
    s.unseen = s.unseen[:11]
    s.discard = [card for card in range(39) if card not in s.unseen]
    s.begin_demand(at.DEMAND_2)
    assert s.deciders() == (1,)  # the owner of box 1 places all his first
    assert legal(s, 1) == ["keep", "counter heavy", "counter heavy heavy"]
    play(s, 1, "keep")
    play(s, 0, "keep")
    assert phase(s) == "DEMAND_3"
    assert [s.held_counters(seat) for seat in (0, 1)] == [6, 6]
    refused(s, 1, "counter heavy", "MUST_PLACE_TWO", "WW-21.16")
    play(s, 1, "counter textile heavy")  # kept ones and new ones
    play(s, 0, "counter textile textile")
    assert [s.held_counters(seat) for seat in (0, 1)] == [4, 4]
    s.order = [A0, B1, A1, B0]
    s.begin_demand(at.DEMAND_4)
    assert s.deciders() == (0,)
    assert "keep" in legal(s, 0)
    assert can(s, 0, "counter textile")
    play(s, 0, "counter textile light")
    assert s.deciders() == (1,)


@pytest.mark.rule("WW-T.91", "WW-A.50", "WW-21.10")
@pytest.mark.parametrize("faces", ["4", "2"])
def test_four_cards_a_round(faces: str) -> None:
    s = new_game(2, edition=OWN, two_player_faceup=faces)
    s.drain()
    shown: list[int] = []
    while phase(s) != "DEMAND_2":
        for seat in s.deciders():
            choices = legal(s, seat)
            events = play(s, seat, choices[-1] if phase(s).startswith("DEMAND") else choices[0])
            shown += [len(seen(s, None).cards) for event in events if event.kind == "cards_turned_up"]
    assert shown == ([4] * 7 if faces == "4" else [2, 4] * 7)  # on offer, and taken in this round
    assert s.turns == 28
    assert (s.deck_size, s.round_no) == (0, 7)


@pytest.mark.rule("WW-A.50", "WW-S.23")
def test_two_cards_before_each_fist() -> None:
    s = new_game(2, edition=FX, two_player_faceup="2")
    for seat in (0, 1):
        play(s, seat, legal(s, seat)[-1])
    assert len(s.face_up) == 2
    play(s, 0, "fist 2 a")
    play(s, 1, "fist 1 a")
    first = next(card.id for card in seen(s, 0).cards)
    events = play(s, 0, f"take {first}")
    while len(s.face_up) == 1 or phase(s) != "FIST_2":
        seat = s.deciders()[0]
        events = play(s, seat, legal(s, seat)[0])
    assert one(events, "cards_turned_up").facts["more"] is True
    assert len(s.face_up) == 2


@pytest.mark.rule("WW-A.66", "WW-A.43")
def test_who_has_one_counter_places_one() -> None:
    s = new_game(2, edition=fixture_map(hash="five counters", demand=(5, 0, 0, 0, 0)))
    first = next(seat for seat in (0, 1) if s.held_counters(seat) == 3)
    assert legal(s, first) == ["counter textile textile"]
    assert legal(s, 1 - first) == ["counter textile textile"]
    s = new_game(2, edition=fixture_map(hash="three counters", demand=(3, 0, 0, 0, 0)))
    assert sorted(s.held_counters(seat) for seat in (0, 1)) == [1, 2]
    for seat in (0, 1):
        play(s, seat, legal(s, seat)[0])
    assert s.demand == [3, 0, 0, 0, 0]


@pytest.mark.rule("WW-A.60", "WW-19.3")
def test_a_tie_goes_to_the_owner_of_box_1() -> None:
    s = table(2, cash=80, era=at.RAILWAY)
    s.order = [B0, A0, A1, B1]
    collect(s)
    assert [rank.seat for rank in s.standing().ranks] == [1, 0]
    assert s.standing().decided_by(0) == "order"


@pytest.mark.rule("WW-A.62", "WW-21.13", "WW-21.18")
def test_a_turn_is_played_with_the_active_set() -> None:
    s = table(2)
    stand(s, "Reading", A1, B0)
    turn(s, A0, "Reading")
    play(s, 0, "place Reading")
    assert legal(s, 0) == ["remove blue", "remove yellow"]  # any colour, one's other one too
    play(s, 0, "remove blue")
    assert s.supply_industry == [17, 19, 17, 19]
    s.supply_link[A0] = 0
    assert builds(s, 0) == {"end"}  # the other set's Links are not for this turn
    s = table(2, removal="opponents_first")
    stand(s, "Reading", A1, B0)
    turn(s, A0, "Reading")
    play(s, 0, "place Reading")
    assert legal(s, 0) == ["remove yellow"]


@pytest.mark.rule("WW-21.18", "WW-S.25")
def test_everything_else_is_unchanged() -> None:
    s = table(2, cash=100)
    lay(s, B1, "c1", "c5")
    turn(s, A0, "Oxford")
    assert (phase(s), legal(s, 0)) == ("TURN_CARD", ["use card", "gamble"])
    draw(s, "Corby")
    play(s, 0, "gamble", "place Corby", "build c7")
    assert s.cash == [97, 100]


@pytest.mark.rule("WW-A.10", "WW-A.8")
def test_raising_before_a_fist() -> None:
    s = table(2, cash=[0, 10], revenue=[9, 0], auto_raise="off")
    assert legal(s, 0, raising=True) == [f"raise {n}" for n in range(1, 5)]
    play(s, 0, "raise 4")
    assert s.deciders() == (0, 1)
    play(s, 0, "fist 4 a")
    play(s, 1, "fist 3 a")
    assert (s.cash, s.revenue) == ([0, 9], [1, 0])


def test_reopening_takes_fists_back() -> None:
    s = table(2)
    play(s, 0, "fist 3 a")
    t = s.clone()
    t.reopen()
    assert (t.deciders(), t.sealed) == ((0, 1), [at.NONE, at.NONE])
    assert s.deciders() == (1,)
    play(s, 1, "fist 2 a")
    before = s.encode()
    s.reopen()
    assert s.encode() == before
