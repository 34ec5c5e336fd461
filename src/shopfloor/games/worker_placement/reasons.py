"""Why an action is not allowed: the first reason that applies, in the order of the specification's section 3."""

from __future__ import annotations

from typing import Final

from shopfloor.engine.refusals import Refusal
from shopfloor.games.worker_placement import auction, city, consultants, payment, placement
from shopfloor.games.worker_placement.actions import (
    BID,
    CARD,
    COACH,
    CONSULT,
    CUBE,
    DONE,
    DRAFT,
    FIRST_MANAGEMENT,
    FIRST_SKILL,
    GO,
    GO_CASINO,
    GO_NETWORK,
    JOB,
    PASS,
    PAY,
    PLAIN,
    RECALL,
    SKIP,
    SPLITS,
    TARGET,
)
from shopfloor.games.worker_placement.draft import size
from shopfloor.games.worker_placement.position import (
    AUCTION_PICK,
    BID_FIRST,
    BID_SECOND,
    BID_VALUES,
    CASINO,
    DRAFT_CHOOSE,
    GAIN_CUBE,
    HAND_LIMIT,
    LIFE_COACH,
    MAX_HAND,
    NONE,
    PAYMENT,
    PHASE_NAMES,
    PLACE,
    RECALLING,
    REFRESH,
    STEAL_CUBE,
    WORKER,
    Position,
)
from shopfloor.games.worker_placement.position import TARGET as TARGET_PHASE

# What a phase is about: its clause, and the actions (as spans of ids) that belong to it.
CLAUSES: Final = (
    "WP-6.2",
    "WP-7.3",
    "WP-7.5",
    "WP-7.7",
    "WP-8.1",
    "WP-10.5",
    "WP-11.4",
    "WP-9.1",
    "WP-9.2",
    "WP-A36",
    "WP-A41",
    "WP-A41",
    "WP-A39",
    "WP-A38",
    "WP-12.3",
    "WP-12.2",
)
SPANS: Final[dict[int, tuple[tuple[int, int], ...]]] = {
    DRAFT_CHOOSE: ((DRAFT, TARGET),),
    BID_FIRST: ((PASS, SKIP), (BID, GO)),
    BID_SECOND: ((PASS, SKIP), (BID, GO)),
    AUCTION_PICK: ((CARD, CONSULT),),
    PLACE: ((SKIP, PAY), (GO, CUBE), (CONSULT, JOB + 42)),
    LIFE_COACH: ((CUBE, DRAFT),),
    CASINO: ((DONE, PASS), (CARD, CONSULT)),
    WORKER: ((CARD, CONSULT),),
    PAYMENT: ((DONE, PASS), (PAY, BID), (CUBE, DRAFT), (CARD, CONSULT)),
    TARGET_PHASE: ((TARGET, RECALL),),
    GAIN_CUBE: ((CUBE, DRAFT),),
    STEAL_CUBE: ((CUBE, DRAFT),),
    REFRESH: ((DONE, PASS), (JOB, JOB + 42)),
    RECALLING: ((DONE, PASS), (RECALL, CARD)),
    HAND_LIMIT: ((DONE, PASS), (CARD, CONSULT)),
}


def why(s: Position, seat: int, action: int) -> Refusal:
    """The reason against an action that is not among the legal ones of a seat that is to decide."""
    phase = s.phase
    if not 0 <= action < s.space.size:
        return Refusal("MALFORMED", "", {"action": action, "size": s.space.size})
    if not any(low <= action < high for low, high in SPANS[phase]):
        # A choice without its contents (WP-T30, WP-T62) is no such choice; anything else is one of another phase.
        if phase >= AUCTION_PICK and phase != HAND_LIMIT and action in (DONE, PASS):
            return _malformed(s, action, CLAUSES[phase])
        return Refusal("WRONG_PHASE", CLAUSES[phase], {"phase": PHASE_NAMES[phase]})
    if phase == DRAFT_CHOOSE:
        return _split(s, seat, action)
    if phase in (BID_FIRST, BID_SECOND):
        return _bid(s, seat, action - BID)
    if phase == AUCTION_PICK:
        return Refusal("CARD_NOT_IN_AUCTION", "WP-7.7", _card(s, action - CARD))
    if phase == PLACE:
        return _place(s, seat, action)
    if phase in (WORKER, PAYMENT):
        return _payment(s, seat, action)
    if phase in (CASINO, HAND_LIMIT):
        return _discards(s, seat, action)
    return _step(s, seat, action)


def _malformed(s: Position, action: int, clause: str) -> Refusal:
    return Refusal("MALFORMED", clause, {"action": s.space.name(action)})


def _card(s: Position, card: int) -> dict[str, object]:
    return {"card": card, "name": s.cards.business_names[card]}


def _job(s: Position, job: int) -> dict[str, object]:
    return {"job": job, "name": s.cards.job_names[job]}


def _split(s: Position, seat: int, action: int) -> Refusal:
    dealt = size(s, seat)
    if max(SPLITS[action - DRAFT][:dealt]) >= dealt:
        return Refusal("CARD_NOT_IN_HAND", "WP-6.2", {"dealt": dealt})
    return _malformed(s, action, "WP-6.2")


def _bid(s: Position, seat: int, space: int) -> Refusal:
    if s.spaces[space] != NONE:
        return Refusal("SPACE_OCCUPIED", "WP-7.4", {"space": space, "by": s.spaces[space]})
    owed = auction.owed(s, seat)
    clause = "WP-A6" if owed else "WP-7.6"
    facts: dict[str, object] = {"value": BID_VALUES[space], "owed": owed, "cash": s.cash[seat]}
    return Refusal("CANNOT_AFFORD_BID", clause, facts)


# -- Action 5: building allowed, what the building needs, its cost, what is paid with ---------------------------------


def _place(s: Position, seat: int, action: int) -> Refusal:
    if action == SKIP:
        return Refusal("SKIP_NOT_ALLOWED", "WP-A13", {})
    if action == GO_NETWORK:
        return Refusal("BUILDING_FORBIDDEN", "WP-8.3", {"building": 10, "name": s.cards.building_names[10]})
    if action >= JOB:
        return _job_centre(s, seat, action - JOB)
    if action >= CONSULT:
        return _consult(s, seat, action - CONSULT + FIRST_MANAGEMENT)
    if action == GO_CASINO:
        return Refusal("CASINO_NEEDS_A_CARD", "WP-A12", {})
    if action >= COACH:
        return _coach(s, seat, action - COACH)
    building = PLAIN[action - GO]
    if building == city.CALL_CENTRE:
        return Refusal("THUMBS_BELOW_ZERO", "WP-3.2", {"thumbs": s.thumbs[seat], "needs": -placement.CALL_THUMBS})
    if building < 4:
        skill = city.CUBE_OF[building]
        if not s.has_supply(skill):
            return Refusal("SUPPLY_EMPTY", "WP-A18", {"skill": skill})
    elif s.thumbs_cap and s.thumbs[seat] >= s.thumbs_cap:
        return Refusal("THUMBS_AT_CAP", "WP-A17", {"thumbs": s.thumbs[seat]})
    return _too_dear(s, seat, building)


def _too_dear(s: Position, seat: int, building: int) -> Refusal:
    facts: dict[str, object] = {
        "building": building,
        "name": s.cards.building_names[building],
        "meeples": s.here[building],
        "cost": city.cost(s, seat, building),
        "cash": s.cash[seat],
    }
    return Refusal("CANNOT_AFFORD_PLACEMENT", "WP-8.4", facts)


def _no_cube(s: Position, seat: int, skill: int, clause: str) -> Refusal:
    own = sum(s.cubes[4 * seat : 4 * seat + 4])
    return Refusal("NO_CUBE_TO_RETURN", clause, {"skill": skill, "cubes": own})


def _coach(s: Position, seat: int, skill: int) -> Refusal:
    if not s.cubes[4 * seat + skill]:
        return _no_cube(s, seat, skill, "WP-A19")
    if not placement.can_coach(s, seat, skill):
        return Refusal("SUPPLY_EMPTY", "WP-A19", {"skill": None})
    return _too_dear(s, seat, city.LIFE_COACH_HOUSE)


def _consult(s: Position, seat: int, card: int) -> Refusal:
    hand = s.hand[seat]
    if not hand or hand[-1] < FIRST_MANAGEMENT:
        return Refusal("NO_MANAGEMENT_CARD", "WP-11.3", {})
    if card not in hand:
        return Refusal("CARD_NOT_IN_HAND", "WP-11.3", _card(s, card))
    facts = _card(s, card)
    if s.cards.at_end[card]:
        return Refusal("CARD_NOT_PLAYABLE", "WP-A36", {**facts, "why": "at_end"})
    if not consultants.effective(s, seat, card):
        return Refusal("CARD_NOT_PLAYABLE", "WP-A36", {**facts, "why": "no_effect"})
    price = city.cost(s, seat, city.CAREER_CONSULTANTS)
    if price > s.cash[seat]:
        return _too_dear(s, seat, city.CAREER_CONSULTANTS)
    cash, thumbs = consultants.self_costs(s.cards.scripts[card])
    facts = {**facts, "why": "costs", "cash": cash + price, "thumbs": thumbs}
    return Refusal("CARD_NOT_PLAYABLE", "WP-A22", facts)


def _job_centre(s: Position, seat: int, job: int) -> Refusal:
    if not s.jobs:
        return Refusal("NO_JOBS", "WP-9.8", {})
    if job not in s.jobs:
        clause = "WP-5.3" if job == s.preview else "WP-9.1"
        return Refusal("JOB_NOT_FACE_UP", clause, {**_job(s, job), "preview": job == s.preview})
    if not payment.workers(s, seat):
        return Refusal("NO_WORKER_CARD", "WP-9.1", _job(s, job))
    if payment.able_workers(s, seat, job):
        return _reward(s, seat, job)
    return _short(s, seat, job, payment.workers(s, seat), payment.offered(s, seat))


def _reward(s: Position, seat: int, job: int) -> Refusal:
    """A Job that costs more than there is (WP-A32)."""
    thumbs = -s.cards.job_thumbs[job]
    if thumbs > s.thumbs[seat]:
        return Refusal("THUMBS_BELOW_ZERO", "WP-A32", {**_job(s, job), "thumbs": s.thumbs[seat], "needs": thumbs})
    facts: dict[str, object] = {
        "building": city.JOB_CENTRE,
        "name": s.cards.building_names[city.JOB_CENTRE],
        "meeples": 0,
        "cost": -s.cards.job_cash[job],
        "cash": s.cash[seat],
    }
    return Refusal("CANNOT_AFFORD_PLACEMENT", "WP-A32", facts)


def _short(s: Position, seat: int, job: int, workers: list[int], have: list[int]) -> Refusal:
    """What is lacking with the best of these Workers (none: with what is in `have` alone)."""
    cards = s.cards
    pools = [payment.with_card(cards, have, worker) for worker in workers] or [have]
    best = min(pools, key=lambda pool: payment.missing(cards.needs, job, pool))
    facts: dict[str, object] = {
        **_job(s, job),
        "needs": list(cards.job_needs(job)),
        "have": best,
        "missing": payment.missing(cards.needs, job, best),
    }
    return Refusal("SKILLS_SHORT", "WP-9.2", facts)


# -- the small decisions ----------------------------------------------------------------------------------------------


def _payment(s: Position, seat: int, action: int) -> Refusal:
    if action == DONE:
        return _short(s, seat, s.plan_job, [], payment.committed(s))
    if action == PAY:  # it is enough already
        return _malformed(s, action, "WP-9.2")
    if action < CARD:
        return _no_cube(s, seat, action - CUBE, "WP-9.2")
    card = action - CARD
    if card not in s.hand[seat]:
        return Refusal("CARD_NOT_IN_HAND", "WP-9.2", _card(s, card))
    if s.phase == WORKER:
        if card < FIRST_SKILL:
            return _short(s, seat, s.plan_job, [card], payment.offered(s, seat))
        return _malformed(s, action, "WP-9.1")
    if card < FIRST_SKILL and card != s.plan_worker:
        return Refusal("TOO_MANY_WORKERS", "WP-9.3", _card(s, card))
    return _malformed(s, action, "WP-9.2")


def _discards(s: Position, seat: int, action: int) -> Refusal:
    chosen = s.plan_cards if s.phase == CASINO else s.drops[seat]
    if action >= CARD:
        card = action - CARD
        if card not in s.hand[seat]:
            return Refusal("CARD_NOT_IN_HAND", CLAUSES[s.phase], _card(s, card))
        if card in chosen:
            return _malformed(s, action, CLAUSES[s.phase])
    if s.phase == CASINO:
        return Refusal("CASINO_NEEDS_A_CARD", "WP-A12", {})
    facts: dict[str, object] = {"chosen": len(chosen) + (action >= CARD), "wanted": len(s.hand[seat]) - MAX_HAND}
    return Refusal("WRONG_DISCARD_COUNT", "WP-12.3", facts)


def _step(s: Position, seat: int, action: int) -> Refusal:
    clause = CLAUSES[s.phase]
    if s.phase in (LIFE_COACH, GAIN_CUBE):
        return Refusal("SUPPLY_EMPTY", "WP-A19" if s.phase == LIFE_COACH else clause, {"skill": action - CUBE})
    if s.phase == REFRESH and action >= JOB and action - JOB not in s.jobs:
        job = action - JOB
        return Refusal("JOB_NOT_FACE_UP", clause, {**_job(s, job), "preview": job == s.preview})
    # A target without effect, a skill the victim lacks, a building without an own meeple, one Job too many.
    return _malformed(s, action, clause)
