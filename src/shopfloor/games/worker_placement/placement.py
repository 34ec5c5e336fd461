"""Action 5: meeples on buildings (WP sections 8, 10 and 11), but for Jobs and Management cards."""

from __future__ import annotations

from typing import Final

from shopfloor.games.worker_placement import consultants, payment
from shopfloor.games.worker_placement.actions import (
    CARD,
    COACH,
    CONSULT,
    CUBE,
    DONE,
    FIRST_MANAGEMENT,
    GO,
    GO_CASINO,
    JOB,
    SKIP,
)
from shopfloor.games.worker_placement.city import (
    BUILDING_OF,
    CAREER_CONSULTANTS,
    CASINO_HOUSE,
    CUBE_CLAUSES,
    CUBE_OF,
    HEALTH_SPA,
    JOB_CENTRE,
    LIFE_COACH_HOUSE,
    REASONS,
    cost,
    discard_from_hand,
    put_down,
)
from shopfloor.games.worker_placement.position import CASINO, LIFE_COACH, NONE, PLACE, Position

SPA_THUMBS: Final = 2
CALL_CASH: Final = 2
CALL_THUMBS: Final = -1
COACH_CUBES: Final = 2


def legal(s: Position, seat: int) -> tuple[int, ...]:
    """The first decisions of a placement. Skipping is for those who can do nothing else (WP-A13)."""
    actions: list[int] = []
    here = s.here
    supply = s.supply
    cubes = s.cubes
    # A place costs as much Cash as there are meeples (WP-8.4).
    most = 3 * s.players if s.free >> seat & 1 else s.cash[seat]
    for building in range(4):
        if here[building] <= most and (supply[CUBE_OF[building]] > 0 or s.unlimited):
            actions.append(GO + building)
    if here[HEALTH_SPA] <= most and not (s.thumbs_cap and s.thumbs[seat] >= s.thumbs_cap):
        actions.append(GO + 4)
    if s.thumbs[seat] >= 1:
        actions.append(GO + 5)
    if s.hand[seat] or s.casino_min == 0:
        actions.append(GO_CASINO)
    if here[LIFE_COACH_HOUSE] <= most and two_to_take(s):
        for skill in range(4):
            if cubes[4 * seat + skill]:
                actions.append(COACH + skill)
    hand = s.hand[seat]
    if hand and hand[-1] >= FIRST_MANAGEMENT and here[CAREER_CONSULTANTS] <= most:
        cash = s.cash[seat] - cost(s, seat, CAREER_CONSULTANTS)
        for card in hand:
            if card >= FIRST_MANAGEMENT and consultants.playable(s, seat, card, cash):
                actions.append(CONSULT + card - FIRST_MANAGEMENT)
    if s.jobs:
        jobs = payment.fillable(s, seat, s.jobs)
        jobs.sort()
        for job in jobs:
            actions.append(JOB + job)
    return tuple(actions) if actions else (SKIP,)


def can_coach(s: Position, seat: int, skill: int) -> bool:
    """Is there such a cube to return, and two to take then (WP-A19)?"""
    return s.cubes[4 * seat + skill] > 0 and two_to_take(s)


def two_to_take(s: Position) -> bool:
    """Are there as many cubes as the Life Coach gives, once one has been returned (WP-A19)?"""
    supply = s.supply
    return s.unlimited or supply[0] + supply[1] + supply[2] + supply[3] + 1 >= COACH_CUBES


def place(s: Position, seat: int, action: int) -> bool:
    """The first decision of a placement. True: the placement is complete."""
    if action >= JOB:
        payment.begin(s, action - JOB)
        return False
    if action >= CONSULT:
        return consultants.begin(s, seat, action - CONSULT + FIRST_MANAGEMENT)
    if action == SKIP:
        s.take_meeple(seat)
        s.idle[seat] = s.idle[seat] + 1
        if s.events is not None:
            s.report("placement_skipped", "WP-A13", {"seat": seat})
        return True
    if action == GO_CASINO:
        s.phase = CASINO
        return False
    if action >= COACH:
        put_down(s, seat, LIFE_COACH_HOUSE)
        skill = action - COACH
        s.cubes[4 * seat + skill] = s.cubes[4 * seat + skill] - 1
        s.supply[skill] = s.supply[skill] + 1
        if s.events is not None:
            s.report("cube_returned", "WP-10.5", {"seat": seat, "skill": skill})
        s.phase = LIFE_COACH
        s.left = COACH_CUBES
        return False
    building = BUILDING_OF[action - GO]
    put_down(s, seat, building)
    if building < 4:
        s.take_cube(seat, CUBE_OF[building], REASONS[building], CUBE_CLAUSES[building])
    elif building == HEALTH_SPA:
        s.add_thumbs(seat, SPA_THUMBS, "health_spa", "WP-10.6")
    else:
        s.add_cash(seat, CALL_CASH, "call_centre", "WP-11.2")
        s.add_thumbs(seat, CALL_THUMBS, "call_centre", "WP-11.2")
    return True


# -- Life Coach -----------------------------------------------------------------------------------------------------


def coach(s: Position, seat: int, action: int) -> bool:
    """One of the two cubes (WP-10.5). True: it was the second."""
    s.take_cube(seat, action - CUBE, "life_coach", "WP-10.5")
    s.left -= 1
    return s.left == 0


# -- Casino ---------------------------------------------------------------------------------------------------------


def legal_swaps(s: Position, seat: int) -> tuple[int, ...]:
    actions = [DONE] if len(s.plan_cards) >= s.casino_min else []
    actions += [CARD + card for card in s.hand[seat] if card not in s.plan_cards]
    return tuple(actions)


def casino(s: Position, seat: int, action: int) -> bool:
    """Choose a card to discard, or be done. True: as many have been drawn (WP-11.4)."""
    if action != DONE:
        s.plan_cards.append(action - CARD)
        return False
    put_down(s, seat, CASINO_HOUSE)
    swapped = sorted(s.plan_cards)
    s.drop_plan()
    discard_from_hand(s, seat, swapped, "WP-11.4")
    s.draw_to_hand(seat, len(swapped), "WP-11.4")
    return True


def commit_job(s: Position, seat: int) -> bool:
    """A Job's payment is committed. True: the placement is complete; a Management card may go on."""
    if s.playing != NONE or s.plan_card != NONE:
        return consultants.fill_preview(s, seat)
    put_down(s, seat, JOB_CENTRE)
    payment.fill(s, seat)
    s.phase = PLACE
    return True
