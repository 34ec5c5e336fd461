"""What a network that judges positions of Workshop of the World is told of them; see docs/lab/learning.md."""

from __future__ import annotations

from shopfloor.games.workshop_of_the_world.cards import TYPES
from shopfloor.games.workshop_of_the_world.foresight import Outlook
from shopfloor.games.workshop_of_the_world.judgement import leads, parts, scale
from shopfloor.games.workshop_of_the_world.rules.network import networks, sizes
from shopfloor.games.workshop_of_the_world.rules.position import (
    AUCTION_BID,
    AUCTION_SELECT,
    CANAL,
    DEMAND_1,
    DEMAND_2,
    DEMAND_3,
    DEMAND_4,
    PICK_CARD,
)
from shopfloor.games.workshop_of_the_world.rules.workshop import Workshop


def names(players: int) -> list[str]:
    """What the numbers of a row are, in order."""
    common = ["judgement", "canal", "rounds", "face_up", "bidding", "picking", "placing_counters", "turn", "mine"]
    common += [f"demand_{t.lower()}" for t in TYPES]
    block = ["holdings", "counters_worth", "under_way", "to_come", "cash", "revenue", "links", "longest", "networks"]
    block += ["turns_taken", "towns", "industries_left", "links_left"]
    for kind in ("lead", "counter", "industries"):
        block += [f"{kind}_{t.lower()}" for t in TYPES]
    return common + [f"{name}_{n}" for n in range(players) for name in block]


def features(state: Workshop) -> list[list[float]]:
    """A row for each seat, of the position as it lies from there: `names` says what its numbers are.

    The first is the judgement's opinion, as a logarithm of the odds. Blocks go clockwise from the seat.
    """
    s = state
    outlook = Outlook(s, -1)
    spread = scale(s)
    found = parts(outlook)
    ahead = leads(s)
    players = s.players
    mate = s.mate
    phase = s.phase
    rounds = outlook.rounds + outlook.later
    common = [
        1.0 if s.era == CANAL else 0.0,
        0.1 * rounds,
        0.2 * len(s.face_up),
        1.0 if phase in (AUCTION_SELECT, AUCTION_BID) else 0.0,
        1.0 if phase == PICK_CARD else 0.0,
        1.0 if phase in (DEMAND_1, DEMAND_2, DEMAND_3, DEMAND_4) else 0.0,
        1.0 if s.active >= 0 else 0.0,
    ]
    demand = [0.2 * outlook.now[t] for t in range(5)]
    types = s.box.town_types
    taken = s.taken[1::3]
    mean = sum([sum(part) for part in found]) / players
    blocks: list[list[float]] = []
    for seat in range(players):
        holdings, counters, under_way, coming = found[seat]
        links = 0
        longest = 0
        count = 0
        industries = [0] * 5
        towns = 0
        turns = 0
        left_industries = 0
        left_links = 0
        for colour in range(seat * mate, (seat + 1) * mate):
            if not s.merged or colour % 2 == 0:
                counted = sizes(s.box, networks(s.box, s.owner, [colour, colour + 1] if s.merged else [colour]))
                if counted:
                    links += sum(counted)
                    longest += max(counted)
                    count += len(counted)
            for town in range(len(types)):
                here = s.industries[town * s.sets + colour]
                if here:
                    industries[types[town]] += here
                    towns += 1
            if colour in taken:
                turns += 1
            left_industries += s.supply_industry[colour]
            left_links += s.supply_link[colour]
        block = [
            (holdings - mean) / (10.0 * spread),
            counters / spread,
            under_way / spread,
            coming / spread,
            0.02 * s.wealth(seat),
            0.05 * s.revenue[seat],
            0.1 * links,
            0.1 * longest,
            0.2 * count,
            1.0 * turns,
            0.1 * towns,
            0.1 * left_industries,
            0.1 * left_links,
        ]
        for t in range(5):
            block.append(0.3 * ahead[seat][t])
        for t in range(5):
            block.append(0.5 * s.counters[5 * seat + t])
        for t in range(5):
            block.append(0.3 * industries[t])
        blocks.append(block)
    rows: list[list[float]] = []
    for seat in range(players):
        row = [(sum(found[seat]) - mean) / spread]
        row += common
        row.append(1.0 if s.active >= 0 and s.active // mate == seat else 0.0)
        row += demand
        for step in range(players):
            row += blocks[(seat + step) % players]
        rows.append(row)
    return rows
