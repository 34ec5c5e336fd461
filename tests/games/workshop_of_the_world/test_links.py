"""Build Links and the Revenue from them (WW-8, WW-9, WW-20, vectors 4.1 and 4.6)."""

import pytest

from shopfloor.games.workshop_of_the_world.rules import Workshop
from shopfloor.games.workshop_of_the_world.rules import position as at
from tests.games.workshop_of_the_world.table import (
    OWN,
    A,
    B,
    C,
    D,
    builds,
    connection_of,
    fixture_map,
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

ROGER = C


def roger() -> Workshop:
    """Roger has just placed in Reading and has Industries in Southampton and Gloucester (WW-8.12)."""
    s = table()
    stand(s, "Southampton", ROGER)
    stand(s, "Gloucester", ROGER)
    placed(s, ROGER, "Reading")
    return s


@pytest.mark.rule("WW-T.1", "WW-9.5", "WW-8.9", "WW-8.11", "WW-9.1", "WW-9.2", "WW-8.1")
def test_reading_to_oxford() -> None:
    s = roger()
    events = play(s, ROGER, "build c1")
    assert one(events, "link_built").facts["price"] == 3
    assert (s.cash[ROGER], s.revenue[ROGER]) == (47, 0)  # paid at once, added after the last Link
    events = play(s, ROGER, "end turn")
    assert one(events, "revenue_gained").facts == {"seat": ROGER, "gain": 2, "revenue": 2, "towns": ["Reading"]}
    assert s.owner[connection_of(s, "c1")] == ROGER


@pytest.mark.rule("WW-T.2", "WW-9.6")
def test_reading_to_southampton() -> None:
    s = roger()
    play(s, ROGER, "build c2", "end turn")
    assert (s.cash[ROGER], s.revenue[ROGER]) == (47, 4)


@pytest.mark.rule("WW-T.3", "WW-9.7", "WW-9.3", "WW-8.5")
def test_both_from_reading() -> None:
    s = roger()
    play(s, ROGER, "build c1", "build c2")
    assert (s.cash[ROGER], s.revenue[ROGER]) == (44, 4)


@pytest.mark.rule("WW-T.4", "WW-9.8", "WW-A.29", "WW-8.7", "WW-8.8")
def test_both_links_to_gloucester() -> None:
    s = roger()
    supply = s.supply_link[ROGER]
    events = play(s, ROGER, "double c3")
    assert one(events, "link_built").facts["links"] == 2
    assert (s.cash[ROGER], s.revenue[ROGER]) == (44, 4)
    assert s.supply_link[ROGER] == supply - 2
    assert s.deciders() != (ROGER,)  # no further build


@pytest.mark.rule("WW-T.5", "WW-8.3", "WW-8.4", "WW-8.5", "WW-8.6", "WW-8.7", "WW-8.12")
def test_what_roger_can_build() -> None:
    s = roger()
    assert builds(s, ROGER) == {"c1", "c2", "both c3", "end"}
    play(s, ROGER, "build c1")
    assert builds(s, ROGER) == {"c2", "c5", "end"}


@pytest.mark.rule("WW-T.5", "WW-9.5", "WW-9.6", "WW-9.7", "WW-9.8")
def test_roger_on_the_full_map() -> None:
    for built, price, gain in (
        (["build Reading-Oxford", "end turn"], 3, 2),
        (["build Reading-Southampton", "end turn"], 3, 4),
        (["build Reading-Oxford", "build Southampton-Reading"], 6, 4),
        (["double Reading-Gloucester"], 6, 4),
        (["build Oxford-Reading", "build Oxford-Birmingham"], 6, 2),
    ):
        s = table(edition=OWN)
        stand(s, "Southampton", ROGER)
        stand(s, "Gloucester", ROGER)
        placed(s, ROGER, "Reading")
        assert builds(s, ROGER) == {"c42", "c43", "c44", "both c41", "end"}
        play(s, ROGER, *built)
        assert (50 - s.cash[ROGER], s.revenue[ROGER]) == (price, gain)


@pytest.mark.rule("WW-T.50", "WW-8.4")
def test_the_first_link_starts_where_the_industry_is() -> None:
    s = roger()
    assert refused(s, ROGER, "build c5", "LINK_NOT_FROM_TOWN", "WW-8.4")["starts"] == ["Reading"]
    unparsed(s, "build c77", "UNKNOWN_CONNECTION")


@pytest.mark.rule("WW-T.51", "WW-8.1")
@pytest.mark.parametrize("owner", [A, ROGER])
def test_an_occupied_connection(owner: int) -> None:
    s = roger()
    lay(s, owner, "c1")
    assert refused(s, ROGER, "build c1", "CONNECTION_OCCUPIED", "WW-8.1")["set"] == owner


@pytest.mark.rule("WW-T.52", "WW-8.3")
def test_two_links_end_the_turn() -> None:
    s = roger()
    play(s, ROGER, "build c1", "build c5")
    assert s.revenue[ROGER] == 2
    assert phase(s) == "AUCTION_SELECT"
    refused(s, ROGER, "build c2", "WRONG_PHASE")


@pytest.mark.rule("WW-T.53", "WW-A.30")
def test_no_double_after_a_single() -> None:
    s = roger()
    play(s, ROGER, "build c1")
    refused(s, ROGER, "double c3", "LINK_LIMIT", "WW-A.30")
    refused(s, ROGER, "double c8", "LINK_LIMIT")  # nor from a town reached by the first Link
    refused(s, ROGER, "build c3", "DOUBLE_MUST_BE_WHOLE")


@pytest.mark.rule("WW-T.54", "WW-8.8", "WW-8.7")
def test_doubles_whole_and_singles_single() -> None:
    s = roger()
    refused(s, ROGER, "build c3", "DOUBLE_MUST_BE_WHOLE", "WW-8.8")
    refused(s, ROGER, "double c1", "NOT_A_DOUBLE")


@pytest.mark.rule("WW-T.55", "WW-8.6", "WW-A.31")
def test_on_from_where_the_first_link_leads() -> None:
    s = table()
    placed(s, C, "Ashby")
    play(s, C, "build c6")
    assert builds(s, C) == {"c7", "c5", "end"}  # no Industry of his in Borrow
    assert refused(s, C, "build c1", "LINK_NOT_FROM_TOWN", "WW-8.6")["starts"] == ["Ashby", "Borrow"]


@pytest.mark.rule("WW-T.56", "WW-T.57", "WW-9.1", "WW-A.35")
@pytest.mark.parametrize(("others", "gain"), [(("Borrow", "Corby"), 10), ((), 4)])
def test_a_chain_of_two(others: tuple[str, ...], gain: int) -> None:
    s = table()
    for town in others:
        stand(s, town, C)
    placed(s, C, "Ashby")
    play(s, C, "build c6", "build c7")
    assert (s.revenue[C], s.cash[C]) == (gain, 44)


@pytest.mark.rule("WW-A.35")
def test_earlier_links_do_not_count_again() -> None:
    s = table()
    stand(s, "Borrow", C)
    lay(s, C, "c6")
    placed(s, C, "Ashby")
    play(s, C, "build c5", "end turn")
    assert s.revenue[C] == 4


@pytest.mark.rule("WW-T.58", "WW-9.4")
def test_several_industries_in_a_town_count_once() -> None:
    s = table()
    stand(s, "Reading", C)
    stand(s, "Southampton", C)
    placed(s, C, "Reading")
    play(s, C, "build c2", "end turn")
    assert s.revenue[C] == 4


@pytest.mark.rule("WW-T.59", "WW-8.9", "WW-8.10", "WW-A.34", "WW-16.1")
@pytest.mark.parametrize("era", [at.CANAL, at.RAILWAY])
def test_a_double_costs_two_links(era: int) -> None:
    s = table(era=era, cash=5, revenue=1)
    placed(s, C, "Reading")
    if era == at.CANAL:
        assert refused(s, C, "double c3", "CANNOT_AFFORD", "WW-A.34") == {"price": 6, "most": 5, "cash": 5}
    else:
        play(s, C, "double c3")
        assert s.cash[C] == 1


@pytest.mark.rule("WW-T.60", "WW-A.32")
def test_a_link_does_not_pay_for_the_next() -> None:
    s = table(cash=3)
    stand(s, "Southampton", C)
    placed(s, C, "Reading")
    play(s, C, "build c2")
    assert s.cash[C] == 0
    refused(s, C, "build c1", "CANNOT_AFFORD")
    play(s, C, "end turn")
    assert s.revenue[C] == 4


@pytest.mark.rule("WW-A.32")
def test_a_link_pays_for_the_next_with_that_option() -> None:
    s = table(cash=5, revenue_timing="per_link")
    stand(s, "Southampton", C)
    placed(s, C, "Reading")
    play(s, C, "build c2")
    assert (s.cash[C], s.revenue[C]) == (2, 4)
    play(s, C, "build c1")  # a pound is raised
    assert (s.cash[C], s.revenue[C]) == (0, 2)  # Reading counts once even so
    s = table(revenue_timing="per_link")
    stand(s, "Borrow", C)
    stand(s, "Corby", C)
    placed(s, C, "Ashby")
    play(s, C, "build c6")
    assert s.revenue[C] == 7
    play(s, C, "build c7")
    assert s.revenue[C] == 10


@pytest.mark.rule("WW-T.61", "WW-A.8")
def test_raising_for_a_link() -> None:
    s = table(cash=2, revenue=5)
    placed(s, C, "Reading")
    events = play(s, C, "build c1")
    assert one(events, "cash_raised").facts["pounds"] == 1
    assert (s.cash[C], s.revenue[C]) == (0, 3)
    play(s, C, "end turn")
    assert s.revenue[C] == 5


@pytest.mark.rule("WW-T.62", "WW-A.33")
def test_the_last_link() -> None:
    s = table()
    placed(s, C, "Reading")
    s.supply_link[C] = 1
    assert refused(s, C, "double c3", "NO_LINKS_LEFT", "WW-A.33")["left"] == 1
    play(s, C, "build c1")
    assert legal(s, C) == ["end turn"]
    refused(s, C, "build c2", "NO_LINKS_LEFT")


@pytest.mark.rule("WW-T.63", "WW-8.3")
def test_no_link_at_all() -> None:
    s = table()
    stand(s, "Southampton", C)
    placed(s, C, "Reading")
    events = play(s, C, "end turn")
    assert "no_link_built" in kinds(events)
    assert (s.cash[C], s.revenue[C]) == (50, 0)


@pytest.mark.rule("WW-T.64", "WW-20.3", "WW-A.39")
@pytest.mark.parametrize("crossing", ["literal", "no_junction"])
def test_from_leeds_over_manchester(crossing: str) -> None:
    s = table(crossing=crossing)
    placed(s, C, "Leeds")
    play(s, C, "build c11")
    if crossing == "literal":
        assert refused(s, C, "build c10", "CROSSING_FORBIDDEN", "WW-20.3")["town"] == "Leeds"
        assert builds(s, C) == {"c9", "c12", "end"}
    else:
        assert builds(s, C) == {"c9", "c10", "c12", "end"}


@pytest.mark.rule("WW-T.65", "WW-20.4")
def test_from_manchester_over_liverpool() -> None:
    s = table()
    placed(s, C, "Manchester")
    play(s, C, "build c12")
    refused(s, C, "build c9", "CROSSING_FORBIDDEN")


@pytest.mark.rule("WW-20.3", "WW-20.4", "WW-A.39")
def test_the_crossing_on_the_full_map() -> None:
    """Leeds to Liverpool is double there, so it is no second Link anyway; elsewhere nothing is forbidden."""
    s = table(edition=OWN)
    placed(s, C, "Leeds")
    assert "both c11" in builds(s, C)
    play(s, C, "build Leeds-Manchester")
    refused(s, C, "build Manchester-Lancaster", "CROSSING_FORBIDDEN")
    s = table(edition=OWN)
    placed(s, C, "Manchester")
    assert "c12" in builds(s, C)
    s = table(edition=OWN)
    placed(s, C, "Sheffield")
    play(s, C, "build Sheffield-Manchester", "build Manchester-Lancaster")


@pytest.mark.rule("WW-T.66", "WW-20.3")
def test_the_town_is_looked_at_before_the_crossing() -> None:
    s = table()
    placed(s, C, "Leeds")
    refused(s, C, "build c10", "LINK_NOT_FROM_TOWN")


@pytest.mark.rule("WW-T.67", "WW-20.2")
def test_both_crossing_connections_can_be_occupied() -> None:
    s = table()
    lay(s, D, "c10")
    placed(s, C, "Leeds")
    play(s, C, "build c9")
    assert s.owner[connection_of(s, "c9")] == C


@pytest.mark.rule("WW-8.2", "WW-T.79", "WW-8.10")
def test_the_railway_side() -> None:
    s = table(era=at.RAILWAY)
    placed(s, C, "Reading")
    events = play(s, C, "build c1")
    assert one(events, "link_built").facts["era"] == at.RAILWAY
    play(s, C, "build c2")
    assert s.cash[C] == 50 - 4
    assert seen(s, None).era == "railway"


@pytest.mark.rule("WW-D.5", "WW-I.12")
def test_the_most_that_a_turn_can_add() -> None:
    towns = OWN.town_values
    ends = list(zip(OWN.ends_a, OWN.ends_b, OWN.capacity, strict=True))
    most = 0
    for a, b, links in ends:
        if links == 1:
            for start, middle in ((a, b), (b, a)):
                for c, d, more in ends:
                    if more == 1 and middle in (c, d) and {c, d} != {a, b}:
                        most = max(most, towns[start] + towns[middle] + towns[c + d - middle])
    assert most == 11


@pytest.mark.rule("WW-S.10", "WW-S.11")
def test_costs_and_gains_before_one_commits() -> None:
    s = roger()
    before = {s.box.connection_ids[b.connection]: b for b in seen(s, ROGER).builds}
    assert {name: (b.price, b.gain, b.total, b.cash, b.links) for name, b in before.items()} == {
        "c1": (3, 2, 2, 47, 1),
        "c2": (3, 4, 4, 47, 1),
        "c3": (6, 4, 4, 44, 2),
    }
    play(s, ROGER, "build c1")
    after = {s.box.connection_ids[b.connection]: (b.gain, b.total) for b in seen(s, ROGER).builds}
    assert after == {"c2": (2, 4), "c5": (0, 2)}
    assert (seen(s, A).builds, seen(s, A).due, seen(s, A).fresh) == ((), 2, (0,))
    for action in s.legal(ROGER):
        if action >= s.build_base:
            t = s.clone()
            t.play(ROGER, action)
            view = next(b for b in seen(s, ROGER).builds if b.action == action)
            assert (t.revenue[ROGER], t.cash[ROGER]) == (view.total, view.cash)


def test_an_edition_with_few_links() -> None:
    s = table(edition=fixture_map(links=1))
    placed(s, C, "Reading")
    assert builds(s, C) == {"c1", "c2", "end"}
    play(s, C, "build c1")
    assert builds(s, C) == {"end"}
    turn(s, B, "Southampton")
    play(s, B, "place Southampton", "build c2")
    assert s.supply_link[B] == 0
