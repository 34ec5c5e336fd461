"""The ten buildings of the City: what a place costs, putting a meeple down, and what several buildings share."""

from __future__ import annotations

from typing import Final

from shopfloor.games.worker_placement.actions import CUBE, PLAIN
from shopfloor.games.worker_placement.position import Position

# Buildings, as in actions.Building.
LIFE_COACH_HOUSE: Final = 4
HEALTH_SPA: Final = 5
JOB_CENTRE: Final = 6
CALL_CENTRE: Final = 7
CAREER_CONSULTANTS: Final = 8
CASINO_HOUSE: Final = 9

# The buildings of the actions GO and following.
BUILDING_OF: Final[tuple[int, ...]] = tuple(PLAIN)
# WP-8.5: no Cash, any number of meeples.
FREE: Final[tuple[bool, ...]] = (False, False, False, False, False, False, True, True, False, True)
# The skill of the cubes at the first four buildings (WP-10.1 to WP-10.4).
CUBE_OF: Final[tuple[int, ...]] = (0, 3, 1, 2)
CUBE_CLAUSES: Final[tuple[str, ...]] = ("WP-10.1", "WP-10.2", "WP-10.3", "WP-10.4")
REASONS: Final[tuple[str, ...]] = ("city_college", "rec_centre", "trade_school", "hackers_club")


def price(s: Position, building: int) -> int:
    """What the next meeple costs there, for those who place under no special rule."""
    return 0 if FREE[building] else s.here[building]


def cost(s: Position, seat: int, building: int) -> int:
    """What the next meeple of a seat costs there: 1 Cash for each that is there (WP-8.4), or nothing."""
    return 0 if FREE[building] or s.free >> seat & 1 else s.here[building]


def put_down(s: Position, seat: int, building: int) -> None:
    """Place the meeple and pay for it (WP-8.4, WP-A21)."""
    paid = cost(s, seat, building)
    s.take_meeple(seat)
    s.at[5 * building + seat] = s.at[5 * building + seat] + 1
    s.here[building] = s.here[building] + 1
    if s.events is not None:
        facts: dict[str, object] = {
            "seat": seat,
            "building": building,
            "name": s.cards.building_names[building],
            "cost": paid,
        }
        s.report("meeple_placed", "WP-8.5" if FREE[building] else "WP-8.4", facts)
    s.add_cash(seat, -paid, "placement", "WP-8.4")


def legal_takes(s: Position) -> tuple[int, ...]:
    return tuple([CUBE + skill for skill in range(4) if s.has_supply(skill)])


def discard_from_hand(s: Position, seat: int, cards: list[int], clause: str) -> None:
    """Cards from a hand to the discard pile; who sees them depends on the table (WP-A9)."""
    if not cards:
        return
    if s.events is not None:
        facts: dict[str, object] = {"seat": seat, "count": len(cards), "cards": cards[:], "names": s.card_names(cards)}
        if s.hide_discards:
            hidden: dict[str, object] = {"seat": seat, "count": len(cards), "cards": [], "names": []}
            s.report("cards_discarded", clause, hidden)
            s.report("own_discards", clause, facts, (seat,))
        else:
            s.report("cards_discarded", clause, facts)
    for card in cards:
        s.hand[seat].remove(card)
        s.discard_unseen(card)
