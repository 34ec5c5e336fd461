"""Networks, Revenue and what can be built, against networkx, on random positions of both maps and of random ones."""

from random import Random

import networkx as nx  # type: ignore[import-untyped, unused-ignore]
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shopfloor.engine.dice import FastDice
from shopfloor.games.workshop_of_the_world import cards, rules
from shopfloor.games.workshop_of_the_world.cards import Box
from shopfloor.games.workshop_of_the_world.outlook import best_plan, plans
from shopfloor.games.workshop_of_the_world.rules import Workshop
from shopfloor.games.workshop_of_the_world.rules import position as at
from shopfloor.games.workshop_of_the_world.rules.network import links_income, networks, sizes
from tests.games.workshop_of_the_world.table import FX, OWN, options, seen


def random_map(rng: Random) -> Box:
    """Our towns, joined at random."""
    towns = len(OWN.town_ids)
    graph = nx.gnm_random_graph(towns, 53, seed=rng.randrange(10**6))
    for town in range(towns):  # every town has at least one connection
        if graph.degree[town] == 0:
            graph.add_edge(town, (town + 1) % towns)
    edges = sorted(graph.edges)
    return cards.fixture(
        hash=f"random {rng.random()}",
        connection_ids=tuple(f"c{i}" for i in range(len(edges))),
        ends_a=tuple(a for a, _ in edges),
        ends_b=tuple(b for _, b in edges),
        capacity=tuple(rng.choice((1, 1, 1, 2)) for _ in edges),
        crosses=(-1,) * len(edges),
        via=((),) * len(edges),
    )


def graph_of(box: Box, owner: list[int], sets: list[int]) -> nx.Graph:
    """The Links of these sets as a graph, weighted by their pieces."""
    graph = nx.Graph()
    for c, holder in enumerate(owner):
        if holder in sets:
            graph.add_edge(box.ends_a[c], box.ends_b[c], links=box.capacity[c], connection=c)
    return graph


@pytest.mark.rule("WW-13.3", "WW-13.4", "WW-13.6", "WW-A.36", "WW-A.37", "WW-A.29", "WW-I.19")
@settings(max_examples=200, deadline=None)
@given(seed=st.integers(0, 2**32), which=st.sampled_from(["own", "fixture", "random"]), sets=st.integers(1, 5))
def test_networks_are_connected_components(seed: int, which: str, sets: int) -> None:
    rng = Random(seed)
    box = {"own": OWN, "fixture": FX}.get(which) or random_map(rng)
    owner = [rng.randrange(-1, sets) for _ in box.connection_ids]
    for group in [[colour] for colour in range(sets)] + [[0, 1]]:
        found = networks(box, owner, group)
        graph = graph_of(box, owner, group)
        expected = [
            sorted(c for _, _, c in graph.subgraph(towns).edges(data="connection"))
            for towns in nx.connected_components(graph)
        ]
        assert sorted(found) == sorted(expected)
        weights = [graph.subgraph(towns).size(weight="links") for towns in nx.connected_components(graph)]
        assert sorted(sizes(box, found)) == sorted(weights)
        most = max(weights, default=0)
        assert links_income(box, owner, group) == (most, sum(weights) - most)
    # Relabelling towns changes nothing (WW-I.19).
    places = list(range(len(box.town_ids)))
    rng.shuffle(places)
    other = cards.fixture(
        **{
            **{name: getattr(box, name) for name in ("connection_ids", "capacity", "crosses", "via")},
            "ends_a": tuple(places[a] for a in box.ends_a),
            "ends_b": tuple(places[b] for b in box.ends_b),
            **{
                name: getattr(box, name)
                for name in box.__dataclass_fields__
                if name.startswith(("town_", "card_")) and box.__dataclass_fields__[name].init
            },
        }
    )
    assert links_income(other, owner, [0]) == links_income(box, owner, [0])


def random_position(rng: Random, box: Box, players: int, **chosen: str) -> Workshop:
    """A position in which a set has just placed, Links and Industries lying about."""
    s = rules.start(players, FastDice(rng.randrange(2**30)), options(**chosen), box)
    s.era = rng.randrange(2)
    for town, value in enumerate(box.town_values):
        for _ in range(rng.randrange(value + 1)):
            colour = rng.randrange(s.sets)
            if s.supply_industry[colour]:
                s.industries[town * s.sets + colour] += 1
                s.load[town] += 1
                s.supply_industry[colour] -= 1
    for c in range(len(box.connection_ids)):
        colour = rng.randrange(-2, s.sets)
        if colour >= 0 and s.supply_link[colour] >= box.capacity[c]:
            s.owner[c] = colour
            s.supply_link[colour] -= box.capacity[c]
    s.cash = [rng.randrange(12) for _ in range(players)]
    s.revenue = [rng.randrange(9) for _ in range(players)]
    s.active = rng.randrange(s.sets)
    s.held = s.unseen.pop()
    towns = [t for t in range(len(box.town_ids)) if s.industries[t * s.sets + s.active]]
    s.town = rng.choice(towns) if towns else 0
    # Others still have their turns, so that the end of this one ends nothing else.
    s.order = [s.active, *[colour for colour in range(s.sets) if colour != s.active]]
    s.next_order = [s.active]
    s.taken = [s.held, s.active, 0]
    s.face_up = [s.unseen.pop(), s.unseen.pop()]
    s.deck_size, s.queue = 0, []
    s.decide(at.TURN_LINK_1, s.owner_of(s.active))
    return s


@pytest.mark.rule("WW-9.1", "WW-9.2", "WW-9.3", "WW-9.4", "WW-8.3", "WW-8.4", "WW-8.6", "WW-8.8", "WW-I.11", "WW-I.12")
@settings(max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    which=st.sampled_from(["own", "fixture", "random"]),
    players=st.integers(2, 5),
    sets=st.sampled_from(["separate", "merged"]),
)
def test_what_building_brings(seed: int, which: str, players: int, sets: str) -> None:
    """Every way to build from a position: the Revenue is that of the towns which the built edges touch."""
    rng = Random(seed)
    box = {"own": OWN, "fixture": FX}.get(which) or random_map(rng)
    s = random_position(rng, box, players, two_player_sets=sets)
    colour, seat, start = s.active, s.owner_of(s.active), s.town
    own = [colour, colour ^ 1] if s.merged else [colour]
    price = (3, 2)[s.era]
    free = nx.Graph()
    free.add_node(start)
    for c, holder in enumerate(s.owner):
        if holder < 0:
            free.add_edge(box.ends_a[c], box.ends_b[c], connection=c, links=box.capacity[c])
    near = {free.edges[start, town]["connection"]: town for town in free.neighbors(start)}
    assert set(s.buildable()) <= set(near)
    best = 0
    for c in s.buildable():
        t = s.clone()
        t.build(c)
        built = [c]
        ways = [t]
        if box.capacity[c] == 1:
            assert t.phase == at.TURN_LINK_2
            banned = {box.crosses[d] for d in box.town_connections[start]} if s.crossing else set()
            money = t.cash[seat] + t.revenue[seat] // 2
            onward = {
                edge["connection"]
                for town in (start, near[c])
                for _, _, edge in free.edges(town, data=True)
                if edge["connection"] != c and edge["links"] == 1 and edge["connection"] not in banned
            }
            assert set(t.buildable()) == (onward if money >= price and t.supply_link[colour] else set())
            ways = []
            for d in [-1, *t.buildable()]:
                u = t.clone()
                if d < 0:
                    u.end_turn()
                else:
                    u.build(d)
                ways.append(u)
        for way in ways:
            built = [k for k in range(len(box.connection_ids)) if way.owner[k] != s.owner[k]]
            touched = set(graph_of(box, [colour if k in built else -1 for k in range(len(s.owner))], [colour]))
            assert start in touched
            gain = sum(
                box.town_values[town] for town in touched if any(s.industries[town * s.sets + mine] for mine in own)
            )
            links = sum(box.capacity[k] for k in built)
            spent = s.cash[seat] - way.cash[seat]
            raised = 2 * (links * price - spent)
            assert way.revenue[seat] == s.revenue[seat] + gain - raised
            assert links <= 2
            if s.stands_in(colour, start):
                best = max(best, gain)
    if s.stands_in(colour, start):
        found = plans(s, colour, start)
        assert best_plan(s, colour, start).gain == best == max(plan.gain for plan in found)


@pytest.mark.rule("WW-7.1", "WW-A.22")
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), players=st.integers(2, 5))
def test_blocked_is_without_a_free_edge(seed: int, players: int) -> None:
    rng = Random(seed)
    s = random_position(rng, OWN, players)
    free = nx.Graph((OWN.ends_a[c], OWN.ends_b[c]) for c, holder in enumerate(s.owner) if holder < 0)
    view = seen(s, None)
    for town in range(len(OWN.town_ids)):
        assert s.is_blocked(town) == (town not in free) == view.blocked[town]
    for colour in range(s.sets):
        graph = graph_of(OWN, s.owner, [colour])
        weights = sorted((graph.subgraph(p).size(weight="links") for p in nx.connected_components(graph)), reverse=True)
        assert list(view.colours[colour].networks) == weights


def test_our_map_is_as_the_rulebook_says() -> None:
    """Facts of the rulebook, and that the map is one piece."""
    graph = nx.Graph()
    for a, b, links in zip(OWN.ends_a, OWN.ends_b, OWN.capacity, strict=True):
        graph.add_edge(OWN.town_names[a], OWN.town_names[b], links=links)
    assert nx.is_connected(graph)
    assert not list(nx.bridges(graph))
    assert min(dict(graph.degree).values()) >= 2
    for start, end, links in (
        ("Reading", "Oxford", 1),
        ("Reading", "Southampton", 1),
        ("Reading", "Gloucester", 2),
        ("Portsmouth", "Guildford", 1),
        ("Leeds", "Liverpool", 2),
        ("Manchester", "Lancaster", 1),
    ):
        assert graph.edges[start, end]["links"] == links
    crossing = {OWN.connection_ids[c] for c in range(53) if OWN.crosses[c] >= 0}
    assert crossing == {"c11", "c12"}
    assert not nx.check_planarity(graph)[0]  # the crossing is needed
    graph.remove_edge("Leeds", "Liverpool")
    assert nx.check_planarity(graph)[0]
