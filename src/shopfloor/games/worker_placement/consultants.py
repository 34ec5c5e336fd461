"""Management cards: what they do, step by step, and when they may be played (WP-11.3, WP-A36 to WP-A41)."""

from __future__ import annotations

from typing import Final

from shopfloor.games.worker_placement import city, effects, payment
from shopfloor.games.worker_placement.actions import CUBE, DONE, JOB, RECALL
from shopfloor.games.worker_placement.actions import TARGET as TARGET_ACTION
from shopfloor.games.worker_placement.position import (
    BUILDINGS,
    EVERYBODY,
    GAIN_CUBE,
    NONE,
    PLACE,
    RECALLING,
    REFRESH,
    STEAL_CUBE,
    TARGET,
    THEFT,
    Position,
)

ONE_TARGET: Final[tuple[int, ...]] = (effects.STEAL_CASH, effects.LOSE_THUMBS, effects.STEAL_CARD)


# -- what a step can do now -------------------------------------------------------------------------------------------


def targets(s: Position, seat: int, kind: int) -> list[int]:
    """The opponents on whom a step of this kind has an effect, clockwise from the left (WP-A36)."""
    found = []
    for step in range(1, s.players):
        other = (seat + step) % s.players
        if kind == effects.STEAL_CASH:
            hit = s.cash[other] > 0
        elif kind == effects.LOSE_THUMBS:
            hit = s.thumbs[other] > 0
        elif kind == effects.STEAL_CARD:
            hit = len(s.hand[other]) > 0
        else:
            c = 4 * other
            hit = s.cubes[c] + s.cubes[c + 1] + s.cubes[c + 2] + s.cubes[c + 3] > 0
        if hit:
            found.append(other)
    return found


def can_change(s: Position, seat: int, kind: int, number: int, unplaced: int) -> bool:
    """Can a step change something? unplaced: the meeples that the player has left after this placement."""
    if kind == effects.GAIN_CASH:
        return True
    if kind == effects.GAIN_THUMBS:
        return not (s.thumbs_cap and s.thumbs[seat] >= s.thumbs_cap)
    if kind in ONE_TARGET or kind == effects.STEAL_CUBES:
        return len(targets(s, seat, kind)) > 0
    if kind == effects.GAIN_CUBES:
        return s.unlimited or sum(s.supply) > 0
    if kind == effects.DRAW:
        return len(s.deck) + len(s.discards) > 0
    if kind == effects.REFRESH_JOBS:
        return len(s.jobs) > 0 and s.jobs_in_deck() > 0
    if kind == effects.FILL_PREVIEW:
        return s.preview != NONE and len(payment.fillable(s, seat, [s.preview])) > 0
    if kind == effects.FREE_PLACEMENT:
        return unplaced > 0 and not s.free >> seat & 1
    if kind == effects.RECALL_MEEPLE:
        return not s.recalled >> seat & 1
    if kind == effects.CLAIM_ORDER:
        return s.round_no < s.rounds and number <= s.players and s.claims[seat] != number
    return False


def per_job(s: Position, seat: int, jobs: int, cash: int, most: int) -> int:
    """`gain_cash_per jobs_filled`: cash for each so many Jobs, at most `most`."""
    return min(most, len(s.filled[seat]) // jobs * cash)


def self_costs(script: tuple[int, ...]) -> tuple[int, int]:
    """What the player of a card pays: Cash and Thumbs."""
    cash = 0
    thumbs = 0
    for i in range(0, len(script), 4):
        if script[i] == effects.PAY_CASH:
            cash += script[i + 1]
        elif script[i] == effects.PAY_THUMBS:
            thumbs += script[i + 1]
    return cash, thumbs


def payable(s: Position, seat: int, card: int, cash: int) -> bool:
    """Can the card's own costs be paid out of this Cash (what the placement leaves) and the Thumbs (WP-A22)?"""
    cash_cost, thumbs_cost = self_costs(s.cards.scripts[card])
    return cash_cost <= cash and thumbs_cost <= s.thumbs[seat]


def effective(s: Position, seat: int, card: int) -> bool:
    """Could the card be played for what it does: can one of its steps change something (WP-A36)?"""
    if s.cards.at_end[card]:
        return False
    return first_effect(s, seat, card) >= 0


def first_effect(s: Position, seat: int, card: int) -> int:
    """The place of the first step that can change something; -1: there is none."""
    script = s.cards.scripts[card]
    unplaced = s.unplaced(seat) - 1
    for i in range(0, len(script), 4):
        if script[i] == effects.CASH_PER_JOB:
            if per_job(s, seat, script[i + 1], script[i + 2], script[i + 3]) > 0:
                return i
        elif can_change(s, seat, script[i], script[i + 1], unplaced):
            return i
    return -1


def playable(s: Position, seat: int, card: int, cash: int) -> bool:
    return effective(s, seat, card) and payable(s, seat, card, cash)


# -- playing ----------------------------------------------------------------------------------------------------------


def begin(s: Position, seat: int, card: int) -> bool:
    """A Management card has been chosen. True: all is done already.

    A card that begins with filling a Job is not shown before the payment is committed.
    """
    first = first_effect(s, seat, card)
    if s.cards.scripts[card][first] == effects.FILL_PREVIEW:
        s.plan_card = card
        s.script_at = first
        payment.begin(s, s.preview)
        return False
    _open(s, seat, card)
    return run(s, seat)


def _open(s: Position, seat: int, card: int) -> None:
    """Place the meeple, pay, and show the card."""
    city.put_down(s, seat, city.CAREER_CONSULTANTS)
    s.hand[seat].remove(card)
    s.show(card)
    s.playing = card
    s.script_at = 0
    if s.events is not None:
        s.report("card_played", "WP-11.3", {"seat": seat, "card": card, "name": s.cards.business_names[card]})
    cash, thumbs = self_costs(s.cards.scripts[card])
    s.add_cash(seat, -cash, "card", "WP-A22")
    s.add_thumbs(seat, -thumbs, "card", "WP-A22")


def run(s: Position, seat: int) -> bool:
    """Follow the card's steps until one needs a choice. True: it is followed to its end."""
    script = s.cards.scripts[s.playing]
    while s.script_at < len(script):
        i = s.script_at
        kind = script[i]
        number = script[i + 1]
        if kind in effects.COSTS:
            s.script_at += 4
        elif kind == effects.CASH_PER_JOB:
            s.add_cash(seat, per_job(s, seat, number, script[i + 2], script[i + 3]), "card", "WP-A41")
            s.script_at += 4
        elif kind == effects.REFRESH_JOBS and s.jobs:
            # Offered as long as there are Jobs, whatever the deck holds (WP-T81).
            s.phase = REFRESH
            s.left = number
            return False
        elif not can_change(s, seat, kind, number, s.unplaced(seat)):
            s.script_at += 4
            if s.events is not None:
                s.report("step_skipped", "WP-A36", {"seat": seat, "effect": effects.EFFECTS[kind].split(" ")[0]})
        elif _choice(s, seat, kind, number):
            return False
        else:
            s.script_at += 4
    s.discard(s.playing)
    s.playing = NONE
    s.phase = PLACE
    return True


def _choice(s: Position, seat: int, kind: int, number: int) -> bool:
    """Begin a step. True: it needs a choice; else it has been carried out."""
    if kind in ONE_TARGET:
        possible = targets(s, seat, kind)
        if len(possible) > 1:
            s.phase = TARGET
            return True
        _hit(s, seat, possible[0], kind, number)
        return False
    if kind == effects.GAIN_CASH:
        s.add_cash(seat, number, "card", "WP-11.3")
    elif kind == effects.GAIN_THUMBS:
        s.add_thumbs(seat, number, "card", "WP-11.3")
    elif kind == effects.GAIN_CUBES:
        if not s.unlimited and sum(s.supply) <= number:  # WP-A41: all that there is
            for skill in range(4):
                for _ in range(s.supply[skill]):
                    s.take_cube(seat, skill, "card", "WP-A41")
            return False
        s.left = number
        s.phase = GAIN_CUBE
        return True
    elif kind == effects.STEAL_CUBES:
        return not _rob_from(s, seat, 1, number)
    elif kind == effects.DRAW:
        s.draw_to_hand(seat, number, "WP-11.3")
    elif kind == effects.FILL_PREVIEW:
        payment.begin(s, s.preview)
        return True
    elif kind == effects.FREE_PLACEMENT:
        s.free |= 1 << seat
        if s.events is not None:
            s.report("placement_free", "WP-A41", {"seat": seat})
    elif kind == effects.RECALL_MEEPLE:
        s.recalled |= 1 << seat
        s.left = number
        s.phase = RECALLING
        return True
    elif kind == effects.CLAIM_ORDER:
        s.claims[seat] = number
        if s.events is not None:
            s.report("order_claimed", "WP-A37", {"seat": seat, "position": number})
    return False


def _hit(s: Position, seat: int, target: int, kind: int, number: int) -> None:
    """A step on one opponent; what the opponent lacks is not lost (WP-3.3, WP-A23)."""
    if kind == effects.STEAL_CASH:
        amount = min(number, s.cash[target])
        s.add_cash(target, -amount, "stolen", "WP-3.3")
        s.add_cash(seat, amount, "card", "WP-A23")
    elif kind == effects.LOSE_THUMBS:
        s.add_thumbs(target, -min(number, s.thumbs[target]), "card", "WP-3.3")
    else:
        _steal_cards(s, seat, target, number)


def _steal_cards(s: Position, seat: int, target: int, number: int) -> None:
    """Random cards from an opponent's hand; only the two know which (WP-A41)."""
    s.revelations += 1
    hand = s.hand[target]
    for _ in range(min(number, len(hand))):
        before = hand[:]
        card = hand.pop(s.dice.below(len(hand)))
        both = 1 << seat | 1 << target
        others = EVERYBODY & ~both
        # Whoever else knew cards of this hand knows now only that each is in one of two hands.
        for other in before:
            seen = s.knows[other] & others
            s.knows[other] = s.knows[other] & ~others
            s.semi[other] = s.semi[other] | seen
        s.knows[card] = s.knows[card] | both
        s.blind.append([others, THEFT, card, *[other for other in before if other != card]])
        own = s.hand[seat]
        own.append(card)
        own.sort()
        if s.events is not None:
            s.report("card_stolen", "WP-A41", {"seat": seat, "victim": target})
            facts: dict[str, object] = {
                "seat": seat,
                "victim": target,
                "card": card,
                "name": s.cards.business_names[card],
            }
            s.report("card_taken", "WP-A41", facts, (seat, target) if seat < target else (target, seat))


def _rob_from(s: Position, seat: int, step: int, number: int) -> bool:
    """Take cubes of each opponent from this one on, clockwise, until there is a choice. True: all are done."""
    for i in range(step, s.players):
        victim = (seat + i) % s.players
        own = [s.cubes[4 * victim + skill] for skill in range(4)]
        if sum(own) <= number or max(own) == sum(own):
            for skill in range(4):
                for _ in range(min(number, own[skill])):
                    _rob(s, seat, victim, skill)
            continue
        s.victim = victim
        s.left = number
        s.phase = STEAL_CUBE
        return False
    s.victim = NONE
    return True


def _rob(s: Position, seat: int, victim: int, skill: int) -> None:
    s.cubes[4 * victim + skill] = s.cubes[4 * victim + skill] - 1
    s.cubes[4 * seat + skill] = s.cubes[4 * seat + skill] + 1
    if s.events is not None:
        s.report("cube_stolen", "WP-A41", {"seat": seat, "victim": victim, "skill": skill})


# -- choices ----------------------------------------------------------------------------------------------------------


def legal(s: Position, seat: int) -> tuple[int, ...]:
    """The choices of the step that the card has come to."""
    if s.phase == TARGET:
        kind = s.cards.scripts[s.playing][s.script_at]
        return tuple(sorted([TARGET_ACTION + other for other in targets(s, seat, kind)]))
    if s.phase == GAIN_CUBE:
        return city.legal_takes(s)
    if s.phase == STEAL_CUBE:
        return tuple([CUBE + skill for skill in range(4) if s.cubes[4 * s.victim + skill] > 0])
    if s.phase == REFRESH:
        actions = [DONE]
        if len(s.plan_jobs) < s.left:
            actions += sorted([JOB + job for job in s.jobs if job not in s.plan_jobs])
        return tuple(actions)
    actions = [DONE] if s.left < s.cards.scripts[s.playing][s.script_at + 1] else []
    actions += [RECALL + building for building in range(BUILDINGS) if s.at[5 * building + seat]]
    return tuple(actions)


def choose(s: Position, seat: int, action: int) -> bool:
    """A choice of a step. True: the card is followed to its end."""
    script = s.cards.scripts[s.playing]
    number = script[s.script_at + 1]
    if s.phase == TARGET:
        _hit(s, seat, action - TARGET_ACTION, script[s.script_at], number)
    elif s.phase == GAIN_CUBE:
        s.take_cube(seat, action - CUBE, "card", "WP-A41")
        s.left -= 1
        if s.left:
            return False
    elif s.phase == STEAL_CUBE:
        _rob(s, seat, s.victim, action - CUBE)
        s.left -= 1
        if s.left or not _rob_from(s, seat, (s.victim - seat) % s.players + 1, number):
            return False
    elif s.phase == REFRESH:
        if action != DONE:
            s.plan_jobs.append(action - JOB)
            return False
        _refresh(s, seat)
    elif action != DONE:
        _recall(s, seat, action - RECALL)
        s.left -= 1
        if s.left and any(s.at[5 * building + seat] for building in range(BUILDINGS)):
            return False
    s.phase = PLACE
    s.script_at += 4
    return run(s, seat)


def _refresh(s: Position, seat: int) -> None:
    """The chosen Jobs under the deck, as many turned up from its top, and a new preview (WP-A39)."""
    chosen = s.plan_jobs
    s.plan_jobs = []
    if s.events is not None:
        s.report("jobs_put_under", "WP-A39", {"seat": seat, "jobs": chosen[:], "names": s.job_names(chosen)})
    if not chosen:
        return
    for job in chosen:
        s.jobs.remove(job)
    s.job_under = s.job_under + chosen
    dealt = [s.deal_job() for _ in chosen]
    s.jobs += dealt
    if s.events is not None:
        s.report("jobs_revealed", "WP-A39", {"jobs": dealt[:], "names": s.job_names(dealt)})
    s.turn_preview("WP-A39")


def _recall(s: Position, seat: int, building: int) -> None:
    s.at[5 * building + seat] = s.at[5 * building + seat] - 1
    s.here[building] = s.here[building] - 1
    s.reserve[seat] = s.reserve[seat] + 1
    if s.events is not None:
        name = s.cards.building_names[building]
        s.report("meeple_recalled", "WP-A38", {"seat": seat, "building": building, "name": name})


def fill_preview(s: Position, seat: int) -> bool:
    """The payment for the preview is committed. True: the card is followed to its end."""
    if s.playing == NONE:
        at = s.script_at
        card = s.plan_card
        s.plan_card = NONE
        _open(s, seat, card)
        s.script_at = at
    payment.fill(s, seat)
    s.phase = PLACE
    s.script_at += 4
    return run(s, seat)
