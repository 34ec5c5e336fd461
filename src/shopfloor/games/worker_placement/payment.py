"""Filling a Job (WP section 9): what a payment offers, whether one is possible, and the cheapest one.

A payment is one Worker card, Skill cards and cubes. Counts are by skill, the wild one last (WP-1.8): a wild skill
offered fills any gap, a wild requirement is met by any skill to spare.
"""

from __future__ import annotations

from typing import Final

from shopfloor.engine.native import i64
from shopfloor.games.worker_placement.actions import CARD, CUBE, DONE, FIRST_MANAGEMENT, FIRST_SKILL, PAY, WILD
from shopfloor.games.worker_placement.cards import Cards
from shopfloor.games.worker_placement.position import NONE, PAYMENT, WORKER, Position

# What paying with a thing is taken to cost when the cheapest payment is looked for: a Skill card a little less than a
# cube, because hands are limited and cubes are worth Cash at the end; what is wild is the dearest.
CARD_COST: Final = 10
CUBE_COST: Final = 11
WILD_COST: Final = 16
NEVER: Final = 1 << 20


def missing(needs: tuple[int, ...], job: int, have: list[int]) -> int:
    """How many skills `have` (5 counts) lacks for a Job; not more than 0 if it is enough."""
    return lacking(needs, job, have[0], have[1], have[2], have[3], have[4])


def lacking(needs: tuple[int, ...], job: int, a: i64, b: i64, c: i64, d: i64, wild: i64) -> i64:
    """The same, of counts skill by skill: every Job at the Job Centre is asked about before every placement."""
    j: i64 = 5 * job
    a = needs[j] - a
    b = needs[j + 1] - b
    c = needs[j + 2] - c
    d = needs[j + 3] - d
    short: i64 = (a if a > 0 else 0) + (b if b > 0 else 0) + (c if c > 0 else 0) + (d if d > 0 else 0)
    anything: i64 = needs[j + 4]
    if anything:
        # What is to spare meets it, and that is what is short less what is lacking in sum.
        anything -= short - (a + b + c + d)
        if anything > 0:
            short += anything
    return short - wild


def offered(s: Position, seat: int) -> list[int]:
    """What all Skill cards in hand and all cubes of a seat offer together."""
    at = 4 * seat
    cubes = s.cubes
    a = cubes[at]
    b = cubes[at + 1]
    c = cubes[at + 2]
    d = cubes[at + 3]
    wild = 0
    skills = s.cards.skills
    for card in s.hand[seat]:
        if FIRST_SKILL <= card < FIRST_MANAGEMENT:
            k = 5 * card
            a += skills[k]
            b += skills[k + 1]
            c += skills[k + 2]
            d += skills[k + 3]
            wild += skills[k + 4]
    return [a, b, c, d, wild]


def with_card(cards: Cards, have: list[int], card: int) -> list[int]:
    k = 5 * card
    skills = cards.skills
    return [
        have[0] + skills[k],
        have[1] + skills[k + 1],
        have[2] + skills[k + 2],
        have[3] + skills[k + 3],
        have[4] + skills[k + 4],
    ]


def workers(s: Position, seat: int) -> list[int]:
    """The Worker cards in a hand."""
    return [card for card in s.hand[seat] if card < FIRST_SKILL]


def rewarded(s: Position, seat: int, job: int) -> bool:
    """Would Cash and Thumbs stay at 0 or more after the award (WP-A32)?"""
    return s.cash[seat] + s.cards.job_cash[job] >= 0 and s.thumbs[seat] + s.cards.job_thumbs[job] >= 0


def fillable(s: Position, seat: int, jobs: list[int]) -> list[int]:
    """Those of the Jobs that the seat could pay for, with any of its Worker cards and all that it has."""
    hired = workers(s, seat)
    if not hired or not jobs:
        return []
    have = offered(s, seat)
    needs = s.cards.needs
    skills = s.cards.skills
    payable = [False] * len(jobs)
    for worker in hired:
        k = 5 * worker
        a: i64 = have[0] + skills[k]
        b: i64 = have[1] + skills[k + 1]
        c: i64 = have[2] + skills[k + 2]
        d: i64 = have[3] + skills[k + 3]
        wild: i64 = have[4] + skills[k + 4]
        for i in range(len(jobs)):
            if not payable[i] and lacking(needs, jobs[i], a, b, c, d, wild) <= 0:
                payable[i] = True
    return [jobs[i] for i in range(len(jobs)) if payable[i] and rewarded(s, seat, jobs[i])]


def able_workers(s: Position, seat: int, job: int) -> list[int]:
    """The Worker cards in hand with which the seat could fill a Job."""
    have = offered(s, seat)
    needs = s.cards.needs
    return [worker for worker in workers(s, seat) if missing(needs, job, with_card(s.cards, have, worker)) <= 0]


def committed(s: Position) -> list[int]:
    """What the payment chosen so far offers."""
    have = [*s.plan_cubes, 0]
    for card in s.plan_cards:
        have = with_card(s.cards, have, card)
    return with_card(s.cards, have, s.plan_worker) if s.plan_worker != NONE else have


# -- the cheapest payment -----------------------------------------------------------------------------------------


def _units(s: Position, seat: int, chosen: list[int], chosen_cubes: list[int]) -> list[tuple[int, int, int, int]]:
    """All that could still be added, cheapest first: (cost, order, card or NONE, skill); only single skills."""
    cards = s.cards
    units = []
    for card in s.hand[seat]:
        if FIRST_SKILL <= card < FIRST_MANAGEMENT and card not in chosen:
            skill = cards.card_skills(card).index(1)
            units.append((WILD_COST if skill == WILD else CARD_COST, card, card, skill))
    for skill in range(4):
        owned = s.cubes[4 * seat + skill] - chosen_cubes[skill]
        for i in range(owned):
            # Of several colours the one that there is most of goes first.
            units.append((CUBE_COST, 100 - (owned - i), NONE, skill))
    units.sort()
    return units


def _complete_singly(
    s: Position, seat: int, job: int, have: list[int], chosen: list[int], chosen_cubes: list[int]
) -> tuple[int, list[int], list[int]]:
    """`complete` where every Skill card shows one skill: cheapest first is best, since the gaps form a matroid."""
    j = 5 * job
    needs = s.cards.needs
    gaps = [max(0, needs[j + skill] - have[skill]) for skill in range(4)]
    spare = sum([max(0, have[skill] - needs[j + skill]) for skill in range(4)])
    anything = max(0, needs[j + WILD] - spare)
    to_add = sum(gaps) + anything - have[WILD]
    cost = 0
    cards: list[int] = []
    cubes = [0, 0, 0, 0]
    if to_add > 0:
        for price, _, card, skill in _units(s, seat, chosen, chosen_cubes):
            if skill != WILD:
                if gaps[skill] > 0:
                    gaps[skill] = gaps[skill] - 1
                elif anything > 0:
                    anything -= 1
                else:
                    continue
            cost += price
            if card == NONE:
                cubes[skill] = cubes[skill] + 1
            else:
                cards.append(card)
            to_add -= 1
            if to_add == 0:
                break
    return (NEVER if to_add > 0 else cost), sorted(cards), cubes


def _card_cost(cards: Cards, card: int) -> int:
    k = 5 * card
    return CARD_COST * sum(cards.skills[k : k + 4]) + WILD_COST * cards.skills[k + WILD]


def complete(
    s: Position, seat: int, job: int, have: list[int], chosen: list[int], chosen_cubes: list[int]
) -> tuple[int, list[int], list[int]]:
    """The cheapest way to make `have` enough for a Job: its cost (NEVER: there is none), Skill cards and cubes to add.

    chosen, chosen_cubes: what is in `have` already and cannot be added again.
    """
    cards = s.cards
    several = [
        card
        for card in s.hand[seat]
        if FIRST_SKILL <= card < FIRST_MANAGEMENT and card not in chosen and sum(cards.card_skills(card)) > 1
    ]
    if not several:
        return _complete_singly(s, seat, job, have, chosen, chosen_cubes)
    # Cards with more than one skill: with and without the first of them, the rest in the same way.
    first = several[0]
    without = complete(s, seat, job, have, [*chosen, first], chosen_cubes)
    if missing(cards.needs, job, have) <= 0:
        return without
    cost, more, cubes = complete(s, seat, job, with_card(cards, have, first), [*chosen, first], chosen_cubes)
    cost += _card_cost(cards, first)
    return (cost, sorted([first, *more]), cubes) if cost < without[0] else without


def proposal(s: Position, seat: int, job: int) -> tuple[int, list[int], list[int]]:
    """The cheapest legal payment for a Job: Worker card (NONE: there is no payment), Skill cards, cubes by skill."""
    best = NEVER
    found: tuple[int, list[int], list[int]] = (NONE, [], [0, 0, 0, 0])
    nothing = [0, 0, 0, 0, 0]
    for worker in workers(s, seat):
        have = with_card(s.cards, nothing, worker)
        cost, cards, cubes = complete(s, seat, job, have, [], nothing)
        if cost < NEVER and cost + _card_cost(s.cards, worker) < best:
            best = cost + _card_cost(s.cards, worker)
            found = (worker, cards, cubes)
    return found


def completion(s: Position, seat: int) -> tuple[list[int], list[int]]:
    """What to add to the payment chosen so far, at the least cost: Skill cards, cubes by skill."""
    _, cards, cubes = complete(s, seat, s.plan_job, committed(s), s.plan_cards, s.plan_cubes)
    return cards, cubes


# -- deciding -----------------------------------------------------------------------------------------------------


def begin(s: Position, job: int) -> None:
    """A Job has been chosen: next comes the Worker."""
    s.plan_job = job
    s.phase = WORKER


def legal_workers(s: Position, seat: int) -> tuple[int, ...]:
    return tuple([CARD + worker for worker in able_workers(s, seat, s.plan_job)])


def legal_payment(s: Position, seat: int) -> tuple[int, ...]:
    """Commit, or let the table add what is missing; add any own cube or Skill card (WP-A24)."""
    enough = missing(s.cards.needs, s.plan_job, committed(s)) <= 0
    actions = [DONE if enough else PAY]
    actions += [CUBE + skill for skill in range(4) if s.cubes[4 * seat + skill] > s.plan_cubes[skill]]
    actions += [
        CARD + card for card in s.hand[seat] if FIRST_SKILL <= card < FIRST_MANAGEMENT and card not in s.plan_cards
    ]
    return tuple(actions)


def choose(s: Position, seat: int, action: int) -> bool:
    """A decision in WORKER or PAYMENT. True: the payment is committed."""
    if s.phase == WORKER:
        s.plan_worker = action - CARD
        s.phase = PAYMENT
        return False
    if action == DONE:
        return True
    if action == PAY:
        cards, cubes = completion(s, seat)
        s.plan_cards += cards
        for skill in range(4):
            s.plan_cubes[skill] = s.plan_cubes[skill] + cubes[skill]
        return True
    if action < CARD:
        s.plan_cubes[action - CUBE] = s.plan_cubes[action - CUBE] + 1
    else:
        s.plan_cards.append(action - CARD)
    return False


def fill(s: Position, seat: int) -> None:
    """Pay what has been chosen, claim the Job and its rewards (WP-9.5, WP-9.6)."""
    job = s.plan_job
    worker = s.plan_worker
    skill_cards = sorted(s.plan_cards)
    paid = [worker, *skill_cards]
    for card in paid:
        s.hand[seat].remove(card)
        s.discard(card)
    cubes = s.plan_cubes
    for skill in range(4):
        s.cubes[4 * seat + skill] = s.cubes[4 * seat + skill] - cubes[skill]
        s.supply[skill] = s.supply[skill] + cubes[skill]
    from_deck = job == s.preview
    if from_deck:
        s.preview = NONE
    else:
        s.jobs.remove(job)
    s.filled[seat].append(job)
    cash = s.cards.job_cash[job]
    thumbs = s.cards.job_thumbs[job]
    clause = "WP-A40" if from_deck else "WP-9.6"
    if s.events is not None:
        facts: dict[str, object] = {
            "seat": seat,
            "job": job,
            "job_name": s.cards.job_names[job],
            "worker": worker,
            "worker_name": s.cards.business_names[worker],
            "cards": skill_cards,
            "names": s.card_names(skill_cards),
            "cubes": cubes[:],
            "cash": cash,
            "thumbs": thumbs,
        }
        s.report("job_filled", clause, facts)
    s.add_cash(seat, cash, "job", clause)
    s.add_thumbs(seat, thumbs, "job", clause)
    s.drop_plan()
    if from_deck:
        s.turn_preview("WP-A40")
