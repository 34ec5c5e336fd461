"""Collect Cash, the end, and a supply that runs out (WW-13, WW-18, WW-19, vectors 4.1 and 4.7)."""

import pytest

from shopfloor.engine.dice import FastDice
from shopfloor.games.workshop_of_the_world.rules import Workshop
from shopfloor.games.workshop_of_the_world.rules import position as at
from tests.games.workshop_of_the_world.table import (
    A,
    B,
    C,
    D,
    in_town,
    kinds,
    lay,
    one,
    play,
    refused,
    seen,
    stand,
    table,
)


def collect(s: Workshop) -> list:
    """The last round of the Era is over, and nobody has a counter left to place."""
    s.deck_size = 0
    s.face_up = []
    s.unseen = s.unseen[: s.aside_size]
    s.discard = [card for card in range(39) if card not in s.unseen]
    s.pool = [n + sum(s.counters[t::5]) for t, n in enumerate(s.pool)]
    s.counters = [0] * (5 * s.players)
    s.drain()
    s.begin_demand(at.DEMAND_2 if s.era == at.CANAL else at.DEMAND_4)
    return s.drain()


@pytest.mark.rule("WW-T.6", "WW-13.3", "WW-13.4", "WW-13.5", "WW-13.6", "WW-13.7", "WW-13.8")
def test_rogers_networks() -> None:
    s = table(order=[A, B, C, D])
    lay(s, C, "c1", "c2", "c3", "c4")
    supply = s.supply_link[C]
    colour = seen(s, None).colours[C]
    assert (colour.networks, colour.links_income) == ((4, 1), 9)
    assert [s.box.connection_ids[c] for c in colour.longest] == ["c1", "c2", "c3"]
    events = collect(s)
    facts = next(e.facts for e in events if e.kind == "links_collected" and e.facts["seat"] == C)
    assert (facts["network"], facts["others"], facts["amount"]) == (4, 1, 9)
    assert s.cash[C] == 59
    assert s.supply_link[C] == supply + 5
    assert s.owner == [at.FREE] * 13


@pytest.mark.rule("WW-T.7", "WW-13.9", "WW-13.10")
def test_port_demand() -> None:
    s = table(demand=[0, 0, 0, 3, 0])
    stand(s, "Bristol", C)
    stand(s, "Southampton", C)
    assert seen(s, None).colours[C].industries_income == 6
    events = collect(s)
    facts = next(e.facts for e in events if e.kind == "industries_collected" and e.facts["seat"] == C)
    assert facts["amount"] == 6
    assert s.cash[C] == 56


@pytest.mark.rule("WW-T.72", "WW-13.1", "WW-13.2", "WW-13.11", "WW-13.12", "WW-13.13", "WW-I.20")
def test_all_three_ways() -> None:
    s = table(cash=7, revenue=17, demand=[2, 0, 0, 0, 0])
    lay(s, C, "c3", "c1", "c5", "c9", "c11", "c12", "c4")
    assert seen(s, None).colours[C].networks == (4, 3, 1)
    stand(s, "Ashby", C, C)
    stand(s, "Bristol", C)
    supply = s.supply_link[C]
    collect(s)
    assert (s.cash[C], s.revenue[C]) == (40, 0)
    assert s.supply_link[C] == supply + 8
    assert (in_town(s, "Ashby"), in_town(s, "Bristol")) == ([C, C], [C])


@pytest.mark.rule("WW-T.73", "WW-T.74", "WW-T.75", "WW-T.76", "WW-T.77", "WW-A.38", "WW-A.37", "WW-A.36", "WW-20.2")
@pytest.mark.parametrize(
    ("own", "others", "income"),
    [
        (["c1", "c2", "c5", "c9", "c11", "c12"], [], 9),  # 3 and 3: exactly one at two pounds
        (["c3", "c7"], [], 5),  # a double is two Links
        (["c1", "c6"], ["c5"], 3),  # an opponent's Link does not bridge
        (["c9", "c10"], [], 3),  # no junction at the crossing
        ([], [], 0),
        (["c9", "c11", "c12"], [], 6),  # a ring
    ],
)
def test_links_income(own: list[str], others: list[str], income: int) -> None:
    s = table(cash=0)
    lay(s, C, *own)
    lay(s, B, *others)
    collect(s)
    assert s.cash[C] == income


@pytest.mark.rule("WW-A.48", "WW-18.1", "WW-18.3")
def test_step_by_step_in_turn_order() -> None:
    s = table(order=[C, A, D, B], era=at.RAILWAY, revenue=4)
    events = collect(s)
    steps = [(e.kind, e.facts["seat"]) for e in events if e.kind.endswith("_collected")]
    assert steps == [
        (kind, seat)
        for kind in ("revenue_collected", "links_collected", "industries_collected")
        for seat in (C, A, D, B)
    ]
    assert s.over()


@pytest.mark.rule("WW-T.80", "WW-19.1", "WW-19.2", "WW-19.3", "WW-A.45", "WW-A.49", "WW-I.22")
def test_the_winner() -> None:
    s = table(order=[D, C, A, B], cash=[88, 91, 91, 60], era=at.RAILWAY)
    with pytest.raises(ValueError, match="under way"):
        s.standing()
    events = collect(s)
    assert one(events, "game_ended").facts == {"winners": [C], "wealth": [88, 91, 91, 60], "tied": True}
    standing = s.standing()
    assert [rank.seat for rank in standing.ranks] == [C, B, A, D]
    assert [standing.decided_by(i) for i in range(3)] == ["order", "cash", "cash"]
    assert s.returns() == [0, 0, 1, 0]
    refused(s, A, "pass", "GAME_OVER", "WW-19.1")
    assert seen(s, None).seats[D].cash == 60  # shown at the end


@pytest.mark.rule("WW-T.81", "WW-18.2", "WW-A.47")
def test_a_supply_that_runs_out() -> None:
    s = table(order=[C, A, B, D], cash=[120, 60, 20, 70], revenue=[0, 0, 30, 0], era=at.RAILWAY, finite_bank="500")
    s.bank = 10
    before = s.bank + sum(s.cash)
    events = collect(s)
    assert one(events, "supply_depleted").facts == {"each": 50, "bank": 180}
    assert s.cash == [70, 10, 30, 20]
    assert s.returned == [50] * 4
    assert s.owed == [0, 0, 30, 0]
    assert s.bank == 150
    assert s.bank + sum(s.cash) == before
    assert [s.wealth(seat) for seat in range(4)] == [120, 60, 50, 70]


@pytest.mark.rule("WW-A.47")
def test_promises_when_nobody_has_cash_left() -> None:
    s = table(order=[A, B, C, D], cash=[0, 0, 5, 0], revenue=[40, 0, 0, 0], era=at.RAILWAY, finite_bank="300")
    s.bank = 3
    collect(s)
    assert [s.wealth(seat) for seat in range(4)] == [40, 0, 5, 0]
    s = table(cash=[0, 0, 5, 0], revenue=[40, 0, 0, 0], finite_bank="300")  # in the Canal Era nobody returns anything
    s.bank = 3
    collect(s)
    assert (s.cash, s.returned, s.bank) == ([40, 0, 5, 0], [0] * 4, -37)


@pytest.mark.rule("WW-A.47")
def test_an_unlimited_supply_by_default() -> None:
    s = table(revenue=300, era=at.RAILWAY)
    assert seen(s, None).bank is None
    assert "supply_depleted" not in kinds(collect(s))
    s = table(finite_bank="500")
    assert seen(s, None).bank == 500 - 200
    s.dice = FastDice(1)
    play(s, A, "auction k01")
    for seat in (B, C, D):
        play(s, seat, "pass")
    play(s, A, "bid 7")
    assert seen(s, None).bank == 307
