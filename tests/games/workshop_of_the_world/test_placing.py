"""Place Industry, the blocked card and the gamble (WW-6, WW-7, vectors 4.4 and 4.5)."""

import pytest

from shopfloor.games.workshop_of_the_world.rules import Workshop
from shopfloor.games.workshop_of_the_world.rules import position as at
from tests.games.workshop_of_the_world.table import (
    A,
    B,
    C,
    D,
    Loaded,
    builds,
    card_of,
    check_conservation,
    fixture_map,
    in_town,
    kinds,
    lay,
    legal,
    one,
    phase,
    placed,
    play,
    refused,
    seen,
    stand,
    table,
    turn,
    unparsed,
)


def draw(s: Workshop, card: str) -> None:
    """The top Set-aside card is this one."""
    s.dice = Loaded(s.unseen.index(card_of(s.box, card)))


# -- 6. Place Industry ----------------------------------------------------------------------------------------------


@pytest.mark.rule("WW-T.32", "WW-6.5", "WW-6.6", "WW-6.7", "WW-A.19")
def test_a_full_town_makes_room() -> None:
    s = table()
    stand(s, "Reading", A, B)
    turn(s, C, "Reading")
    supply = s.supply_industry[:]
    assert seen(s, C).places[0].full
    play(s, C, "place Reading")
    assert phase(s) == "TURN_REMOVE"
    assert in_town(s, "Reading") == [A, B]  # the limit is not exceeded even for a moment
    assert legal(s, C) == ["remove red", "remove blue"]
    events = play(s, C, "remove blue")
    assert one(events, "industry_removed").facts["owner"] == B
    assert in_town(s, "Reading") == [A, C]
    assert s.supply_industry == [supply[A], supply[B] + 1, supply[C] - 1, supply[D]]


@pytest.mark.rule("WW-T.33", "WW-A.18")
def test_ones_own_industry_may_go() -> None:
    s = table()
    stand(s, "Reading", B, C)
    turn(s, C, "Reading")
    supply = s.supply_industry[C]
    play(s, C, "place Reading", "remove yellow")
    assert in_town(s, "Reading") == [B, C]
    assert s.supply_industry[C] == supply


@pytest.mark.rule("WW-A.18", "WW-A.68")
def test_others_first() -> None:
    s = table(removal="opponents_first")
    stand(s, "Reading", B, C)
    turn(s, C, "Reading")
    play(s, C, "place Reading")
    assert legal(s, C) == ["remove blue"]
    refused(s, C, "remove yellow", "OPPONENTS_FIRST", "WW-A.18")
    s = table(removal="opponents_first")
    stand(s, "Reading", C, C)
    turn(s, C, "Reading")
    play(s, C, "place Reading")
    assert legal(s, C) == ["remove yellow"]


@pytest.mark.rule("WW-T.34", "WW-6.6")
def test_nothing_goes_where_there_is_room() -> None:
    s = table()
    stand(s, "Reading", A)
    turn(s, C, "Reading")
    refused(s, C, "remove red", "TOWN_NOT_FULL", "WW-6.6")
    play(s, C, "place Reading")
    refused(s, C, "remove red", "WRONG_PHASE")
    assert in_town(s, "Reading") == [A, C]


@pytest.mark.rule("WW-T.35", "WW-A.18")
def test_only_what_stands_there_can_go() -> None:
    s = table()
    stand(s, "Reading", A, B)
    turn(s, C, "Reading")
    play(s, C, "place Reading")
    refused(s, C, "remove yellow", "NO_SUCH_INDUSTRY", "WW-A.18")  # never the one just placed
    refused(s, C, "remove plum", "NO_SUCH_INDUSTRY")


@pytest.mark.rule("WW-T.36", "WW-6.5")
def test_a_town_holds_as_many_as_its_value() -> None:
    s = table()
    stand(s, "Ashby", A, A, B)
    turn(s, C, "Ashby")
    play(s, C, "place Ashby")
    assert phase(s) == "TURN_LINK_1"
    play(s, C, "end turn")
    turn(s, D, "Ashby")
    play(s, D, "place Ashby")
    assert phase(s) == "TURN_REMOVE"


@pytest.mark.rule("WW-T.37", "WW-6.3")
def test_the_town_on_the_card() -> None:
    s = table()
    turn(s, C, "Oxford")
    refused(s, C, "place Reading", "TOWN_NOT_ON_CARD", "WW-6.3")
    unparsed(s, "place Nowhere", "UNKNOWN_TOWN")
    assert legal(s, C) == ["place Oxford"]


@pytest.mark.rule("WW-T.38", "WW-6.4", "WW-A.16", "WW-A.17")
def test_a_wild_card_is_for_any_town_of_its_value() -> None:
    s = table()
    turn(s, C, "wild 3")
    assert legal(s, C) == ["place Borrow", "place Corby"]  # Light and Heavy Industry
    refused(s, C, "place Ashby", "WRONG_VALUE", "WW-6.4")
    s = table()
    turn(s, C, "wild 2")
    stand(s, "Oxford", A, A)
    lay(s, D, "c1", "c5")
    assert "place Oxford" in legal(s, C)  # full and blocked, though others are free
    assert "place Bristol" in legal(s, C)  # Port as well as Crafts
    play(s, C, "place Oxford")
    assert phase(s) == "TURN_REMOVE"


@pytest.mark.rule("WW-T.39", "WW-6.2")
def test_placing_is_not_a_matter_of_choice() -> None:
    s = table()
    turn(s, C, "Oxford")
    refused(s, C, "end turn", "MUST_PLACE_INDUSTRY", "WW-6.2")
    refused(s, D, "end turn", "WRONG_PHASE")
    play(s, C, "place Oxford", "end turn")


@pytest.mark.rule("WW-T.40", "WW-A.21")
def test_an_empty_supply_moves_an_industry() -> None:
    s = table()
    stand(s, "Borrow", C)
    stand(s, "Corby", C)
    for town in ("Ashby", "Leeds", "Manchester", "Lancaster"):
        stand(s, town, C, C, C, C)
    for town in ("Ashby", "Leeds", "Manchester", "Lancaster"):
        t = s.box.town_names.index(town)
        s.industries[t * s.sets + C] = s.load[t] = 0  # lost, for the sake of the test: C has two on the map
    assert s.supply_industry[C] == 0
    turn(s, C, "Oxford")
    assert phase(s) == "TURN_RELOCATE"
    assert legal(s, C) == ["lift Borrow", "lift Corby"]
    refused(s, C, "lift Ashby", "NO_SUCH_INDUSTRY", "WW-A.21")
    refused(s, C, "end turn", "MUST_PLACE_INDUSTRY")
    refused(s, C, "gamble", "TOWN_NOT_BLOCKED")
    events = play(s, C, "lift Borrow", "place Oxford")
    assert kinds(events) == ["industry_lifted", "industry_placed"]
    assert in_town(s, "Borrow") == []
    assert in_town(s, "Oxford") == [C]
    assert phase(s) == "TURN_LINK_1"


@pytest.mark.rule("WW-A.21")
@pytest.mark.parametrize("shortage", ["relocate", "skip"])
def test_nothing_to_place_at_all(shortage: str) -> None:
    tiny = fixture_map(industries=3)
    s = table(edition=tiny, industry_shortage=shortage)
    s.supply_industry[C] = 0
    if shortage == "skip":
        stand(s, "Corby", C)
        s.supply_industry[C] = 0
    turn(s, C, "Oxford")
    assert (phase(s), legal(s, C)) == ("TURN_LINK_1", ["end turn"])
    refused(s, C, "build c1", "LINK_NOT_FROM_TOWN")
    assert seen(s, C).builds == ()
    play(s, C, "end turn")


@pytest.mark.rule("WW-A.21")
def test_fullness_is_tested_after_lifting() -> None:
    tiny = fixture_map(industries=3)
    s = table(edition=tiny)
    stand(s, "Oxford", C, A)
    assert s.supply_industry[C] == 0
    turn(s, C, "Oxford")
    play(s, C, "lift Oxford", "place Oxford")
    assert phase(s) == "TURN_LINK_1"
    assert in_town(s, "Oxford") == [A, C]
    check_conservation(s)


# -- 7. The blocked card and the gamble -------------------------------------------------------------------------------


@pytest.mark.rule("WW-T.41", "WW-7.1", "WW-7.3", "WW-A.23")
def test_a_blocked_card_offers_a_gamble() -> None:
    s = table()
    lay(s, A, "c1")
    lay(s, C, "c5")  # whoever owns them, the player included
    assert next(card for card in seen(s, A).cards if card.name == "Oxford").blocked
    turn(s, C, "Oxford")
    assert (phase(s), legal(s, C)) == ("TURN_CARD", ["use card", "gamble"])
    refused(s, C, "place Oxford", "WRONG_PHASE")


@pytest.mark.rule("WW-T.42", "WW-7.2")
def test_a_blocked_card_can_be_used() -> None:
    s = table()
    lay(s, D, "c1", "c5")
    turn(s, C, "Oxford")
    play(s, C, "use card")
    refused(s, C, "gamble", "WRONG_PHASE")
    play(s, C, "place Oxford")
    assert builds(s, C) == {"end"}
    play(s, C, "end turn")
    assert in_town(s, "Oxford") == [C]
    assert s.revenue[C] == 0


@pytest.mark.rule("WW-T.43", "WW-7.3", "WW-7.4", "WW-A.25", "WW-A.28", "WW-A.24")
def test_a_gamble_is_a_gamble() -> None:
    s = table()
    lay(s, D, "c1", "c5", "c4")
    turn(s, C, "Oxford")
    cash = s.cash[C]
    draw(s, "Guildford")
    aside = s.aside_size
    events = play(s, C, "gamble")
    assert one(events, "card_gambled").facts["name"] == "Guildford"
    assert s.aside_size == aside - 1
    assert s.discard == [card_of(s.box, "Oxford")]  # at once; the drawn card follows at the end of the turn
    assert phase(s) == "TURN_PLACE"
    assert refused(s, C, "gamble", "GAMBLE_ALREADY_MADE", "WW-7.4") == {}
    play(s, C, "place Guildford")
    assert builds(s, C) == {"end"}
    play(s, C, "end turn")
    assert s.discard == [card_of(s.box, "Oxford"), card_of(s.box, "Guildford")]
    assert s.cash[C] == cash  # neither refunded nor paid again
    check_conservation(s)


@pytest.mark.rule("WW-A.25")
def test_a_second_gamble_with_that_option() -> None:
    s = table(regamble="on")
    lay(s, D, "c1", "c5", "c4")
    turn(s, C, "Oxford")
    draw(s, "Guildford")
    play(s, C, "gamble")
    assert (phase(s), legal(s, C)) == ("TURN_CARD", ["use card", "gamble"])
    draw(s, "Corby")
    play(s, C, "gamble")
    assert (phase(s), s.held) == ("TURN_PLACE", card_of(s.box, "Corby"))


@pytest.mark.rule("WW-T.44", "WW-A.26")
def test_a_wild_card_drawn() -> None:
    s = table()
    lay(s, D, "c1", "c5")
    turn(s, C, "Oxford")
    draw(s, "wild 2")
    play(s, C, "gamble")
    assert phase(s) == "TURN_PLACE"
    towns = ("Reading", "Oxford", "Southampton", "Gloucester", "Bristol", "Portsmouth", "Guildford", "Liverpool")
    assert legal(s, C) == [f"place {town}" for town in towns]  # blocked or not
    refused(s, C, "gamble", "TOWN_NOT_BLOCKED", "WW-7.5")


@pytest.mark.rule("WW-T.45", "WW-7.1")
def test_one_free_connection_is_enough() -> None:
    s = table()
    lay(s, D, "c1")
    turn(s, C, "Oxford")
    assert phase(s) == "TURN_PLACE"
    refused(s, C, "gamble", "TOWN_NOT_BLOCKED", "WW-7.1")


@pytest.mark.rule("WW-T.46", "WW-7.5")
def test_a_wild_card_is_blocked_with_all_its_towns() -> None:
    s = table()
    lay(s, D, "c9", "c11")
    turn(s, C, "wild 4")
    refused(s, C, "gamble", "TOWN_NOT_BLOCKED", "WW-7.5")
    s = table()
    lay(s, D, "c9", "c10", "c11", "c12", "c5", "c6", "c8")
    turn(s, C, "wild 4")
    assert legal(s, C) == ["use card", "gamble"]


@pytest.mark.rule("WW-T.47", "WW-A.22")
def test_what_one_cannot_afford_does_not_block() -> None:
    s = table(cash=[50, 50, 3, 50])
    lay(s, D, "c1", "c2")
    turn(s, C, "Reading")
    assert phase(s) == "TURN_PLACE"
    play(s, C, "place Reading")
    assert builds(s, C) == {"end"}
    refused(s, C, "double c3", "CANNOT_AFFORD")


@pytest.mark.rule("WW-T.48", "WW-A.27")
def test_no_gamble_without_set_aside_cards() -> None:
    s = table()
    lay(s, D, "c1", "c5")
    s.deck_size += s.aside_size
    s.aside_size = 0
    turn(s, C, "Oxford")
    assert phase(s) == "TURN_PLACE"
    refused(s, C, "gamble", "NO_SET_ASIDE_CARD", "WW-A.27")


@pytest.mark.rule("WW-T.49", "WW-A.24", "WW-A.23")
def test_the_last_card_may_be_gambled_away() -> None:
    s = table(3, order=[A, B, C], faces=["Reading", "Southampton", "Oxford"])
    lay(s, B, "c1", "c5")
    turn(s, B, "Reading")
    play(s, B, "place Reading", "end turn")
    turn(s, A, "Southampton")
    play(s, A, "place Southampton", "end turn")
    assert (phase(s), s.deciders(), s.cash[C]) == ("TURN_CARD", (C,), 49)
    draw(s, "Ashby")
    play(s, C, "gamble")
    assert s.cash[C] == 49
    assert s.held == card_of(s.box, "Ashby")


@pytest.mark.rule("WW-A.40", "WW-A.22")
def test_the_crossing_does_not_block() -> None:
    s = table()
    lay(s, D, "c11", "c12")
    turn(s, C, "Manchester")
    assert phase(s) == "TURN_PLACE"
    assert not s.is_blocked(s.box.town_names.index("Lancaster"))
    assert at.PHASE_NAMES[s.phase] == "TURN_PLACE"


@pytest.mark.rule("WW-A.20", "WW-T.68", "WW-6.7")
def test_what_was_earned_stays_earned() -> None:
    s = table(revenue=[0, 0, 7, 0])
    stand(s, "Southampton", C, B)
    turn(s, A, "Southampton")
    play(s, A, "place Southampton", "remove yellow", "end turn")
    assert s.revenue[C] == 7
    turn(s, C, "Reading")
    play(s, C, "place Reading", "build c2", "end turn")
    assert s.revenue[C] == 7 + 2


@pytest.mark.rule("WW-S.8", "WW-S.9")
def test_what_is_shown_of_places_and_removals() -> None:
    s = table(demand=[0, 0, 2, 0, 0])
    stand(s, "Corby", A, B, D)
    turn(s, C, "wild 3")
    borrow, corby = seen(s, C).places
    assert (borrow.full, corby.full) == (False, True)
    assert (borrow.demand, corby.demand) == (0, 2)
    assert (borrow.free, corby.free) == (2, 2)
    assert seen(s, A).places == ()
    play(s, C, "place Corby")
    assert [(r.set, s.space.name(r.action)) for r in seen(s, C).removals] == [
        (A, "remove red"),
        (B, "remove blue"),
        (D, "remove green"),
    ]


def test_placed_is_what_it_says() -> None:
    s = table()
    placed(s, C, "Reading")
    assert (phase(s), in_town(s, "Reading")) == ("TURN_LINK_1", [C])
