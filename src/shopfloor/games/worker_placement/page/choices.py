"""What the viewer can choose: the hand, cubes, the draft, bids, and choices of several parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from shopfloor.games.worker_placement import words
from shopfloor.games.worker_placement.actions import (
    BID,
    CARD,
    COACH,
    CONSULT,
    CUBE,
    DONE,
    DRAFT,
    FIRST_MANAGEMENT,
    PAY,
    SPLITS,
    TARGET,
)
from shopfloor.games.worker_placement.page import payments
from shopfloor.games.worker_placement.page.shown import ORDINALS, Why, card_shown, job_shown, one
from shopfloor.games.worker_placement.view import PaymentView, SeatView, WorkerPlacementView

WORKER_PHASES: Final = ("WORKER", "PAYMENT")


def hand(
    view: WorkerPlacementView, me: SeatView | None, mine: bool, picks: dict[str, Any] | None, why: Why
) -> list[dict[str, Any]]:
    """The viewer's cards. action: what a click does; pick: it is one thing of several; on: it is picked."""
    if me is None or me.hand is None:
        return []
    plan = view.plan
    fixed = {c.card for c in plan.cards} if plan is not None and mine else set()
    proposed = set(picks["proposed"]) if picks is not None else set()
    found = []
    for card in me.hand:
        entry = card_shown(card)
        consult = CONSULT + card.card - FIRST_MANAGEMENT
        action = None
        if mine and CARD + card.card in view.legal:
            action = CARD + card.card
        elif mine and card.kind == "management" and consult in view.legal and view.phase == "PLACE":
            action = consult
        chosen = card.card in fixed or (plan is not None and plan.worker is not None and plan.worker.card == card.card)
        entry["action"] = action
        entry["pick"] = picks is not None and action is not None
        entry["worker"] = card.kind == "worker" and view.phase == "WORKER"
        entry["fixed"] = chosen and mine
        entry["on"] = entry["pick"] and action in proposed
        entry["later"] = False
        if picks is not None and entry["worker"] is False and view.phase == "WORKER" and card.kind == "skill":
            # In this step the server asks for the Worker only; with script all is chosen together.
            entry["pick"] = True
            entry["later"] = True
            entry["action"] = CARD + card.card
            entry["on"] = entry["action"] in proposed
        entry["text"] = words.action(action, view) if action is not None else card.name
        entry["dim"] = mine and view.phase in (*WORKER_PHASES, "CASINO", "HAND_LIMIT") and not (entry["pick"] or chosen)
        reason = None
        if mine and view.phase == "PLACE" and card.kind == "management" and action is None:
            reason = why(consult)
        entry["why"] = one(reason)
        entry["offer"] = ",".join(str(n) for n in card.skills)
        found.append(entry)
    return found


def cubes(view: WorkerPlacementView, me: SeatView | None, mine: bool) -> list[dict[str, Any]]:
    """The viewer's cubes, with what a click on one does."""
    if me is None:
        return []
    found = []
    for k, n in enumerate(me.cubes):
        action = COACH + k if mine and COACH + k in view.legal else None
        found.append({"skill": k, "n": n, "action": action, "text": words.action(action, view) if action else ""})
    return [cube for cube in found if cube["n"]]


def coach(view: WorkerPlacementView, me: SeatView | None, mine: bool) -> list[dict[str, Any]]:
    """The cubes that can be given to the Life Coach."""
    if not mine or me is None or view.phase != "PLACE":
        return []
    return [
        {"skill": k, "n": me.cubes[k], "action": COACH + k, "name": words.skill_name(k)}
        for k in range(4)
        if COACH + k in view.legal
    ]


def consult(view: WorkerPlacementView, me: SeatView | None, mine: bool) -> list[dict[str, Any]]:
    """The Management cards that can be played."""
    if not mine or me is None or me.hand is None or view.phase != "PLACE":
        return []
    return [
        {**card_shown(c), "action": CONSULT + c.card - FIRST_MANAGEMENT}
        for c in me.hand
        if c.kind == "management" and CONSULT + c.card - FIRST_MANAGEMENT in view.legal
    ]


def draft(view: WorkerPlacementView, names: Sequence[str], mine: bool) -> dict[str, Any] | None:
    """The three cards to split, with the words for each split; or the split that is sealed."""
    if not view.draft or view.seat is None:
        return None
    roles = ["", "", ""]
    if view.chosen is not None:
        for i, role in zip(SPLITS[view.chosen - DRAFT], ("keep", "pass", "network"), strict=True):
            roles[i] = role
    to = names[view.passes_to] if view.passes_to is not None else ""
    return {
        "cards": [{**card_shown(c), "n": i + 1, "role": roles[i]} for i, c in enumerate(view.draft)],
        "to": to,
        "splits": [
            {"keep": a + 1, "pass": b + 1, "action": DRAFT + i, "text": words.action(DRAFT + i, view)}
            for i, (a, b, _) in enumerate(SPLITS)
            if mine and DRAFT + i in view.legal
        ],
        "whole": len(view.draft) == 3,
    }


def bids(view: WorkerPlacementView, me: SeatView | None, mine: bool) -> list[dict[str, Any]]:
    """What a bid on each space would mean."""
    if not mine or me is None or view.phase not in ("BID_FIRST", "BID_SECOND"):
        return []
    own = sum(view.bid_values[i] for i, seat in enumerate(view.spaces) if seat == me.seat)
    found = []
    for i, value in enumerate(view.bid_values):
        if BID + i not in view.legal:
            continue
        ahead = sum(1 for j, seat in enumerate(view.spaces) if seat >= 0 and j > i)
        found.append(
            {
                "i": i,
                "value": value,
                "action": BID + i,
                "left": me.cash - own - value,
                "ahead": ahead,
                "rank": ORDINALS[ahead + 1] if ahead < 5 else str(ahead + 1),
                "wins": ahead < len(view.auction),
                "own": own,
            }
        )
    return found


def picks(
    view: WorkerPlacementView, me: SeatView | None, mine: bool, names: Sequence[str], dialog: dict[str, Any] | None
) -> dict[str, Any] | None:
    """Phases in which several things are picked and confirmed once.

    least, most: how many can be picked more; done: the action that confirms, or None where the last pick does;
    proposed: action ids picked to begin with; cubes: cubes to pick from, by skill, each as often as it could be.
    """
    if not mine or me is None:
        return None
    phase = view.phase
    plan = view.plan
    picks: dict[str, Any] = {"phase": phase, "proposed": [], "cubes": [], "done": DONE, "least": 0, "most": 99}
    picks |= {"none": "", "one": "", "many": "", "had": 0, "auto": False, "real": DONE in view.legal}
    if phase == "CASINO" and plan is not None:
        picks |= {"least": max(0, view.casino_min - len(plan.cards)), "had": len(plan.cards)}
        picks |= {"none": "Swap nothing" if not view.casino_min else "Choose cards to swap"}
        picks |= {"one": "Swap 1 card", "many": "Swap {n} cards"}
    elif phase == "HAND_LIMIT" and plan is not None:
        wanted = plan.wanted or 0
        more = wanted - len(plan.cards)
        picks |= {"least": more, "most": more, "had": len(plan.cards), "wanted": wanted}
        picks |= {
            "none": f"Choose {words.counted('cards', wanted)}",
            "one": "Discard 1 card",
            "many": "Discard {n} cards",
        }
        picks |= {"short": "{n} of " + str(wanted) + " chosen"}
    elif phase in WORKER_PHASES and dialog is not None:
        picks |= {"proposed": dialog["proposed"], "cubes": dialog["cubes"]}
        picks["real"] = phase == "PAYMENT"
        if phase == "PAYMENT":
            picks["done"] = DONE
            picks["plain"] = DONE if DONE in view.legal else PAY
    elif phase in ("LIFE_COACH", "GAIN_CUBES", "STEAL_CUBES"):
        if phase == "STEAL_CUBES" and view.playing is not None and view.playing.victim is not None:
            stock = list(view.seats[view.playing.victim].cubes)
        else:
            stock = [99] * 4 if view.unlimited_cubes else list(view.supply)
        cubes = [[min(stock[k], view.left) if CUBE + k in view.legal else 0, k, CUBE + k] for k in range(4)]
        left = min(view.left, sum(stock))
        picks |= {"least": left, "most": left, "done": None, "real": False, "cubes": cubes}
        picks |= {"none": f"Choose {left} cubes" if left > 1 else "Choose a cube", "list": "Take {list}"}
        picks |= {"short": "{n} of " + str(left) + " chosen"}
    elif phase == "RECALL" and view.playing is not None:
        standing = sum(b.meeples[me.seat] for b in view.buildings)
        most = min(view.left, standing)
        least = 0 if DONE in view.legal else 1
        picks |= {"least": least, "most": most, "auto": True, "none": "Choose meeples" if least else "Leave the rest"}
        picks |= {"one": "Take 1 meeple back", "many": "Take {n} meeples back"}
    elif phase == "REFRESH_JOBS" and view.playing is not None:
        had = len(view.playing.jobs)
        picks |= {"most": view.left - had, "had": had, "none": "Leave the Jobs as they are"}
        picks |= {"one": "Put 1 Job under the deck", "many": "Put {n} Jobs under the deck"}
    else:
        return None
    return picks


def payment(view: WorkerPlacementView, me: SeatView | None) -> dict[str, Any] | None:
    """The Job that is being paid: its slots, the cheapest payment with each Worker, and what is proposed."""
    plan = view.plan
    if me is None or me.hand is None or plan is None or plan.job is None or view.phase not in WORKER_PHASES:
        return None
    job = plan.job
    skill_cards = [c for c in me.hand if c.kind == "skill"]
    proposals: dict[int, list[int]] = {}
    fixed: list[tuple[str, Sequence[int]]] = []
    payment: PaymentView | None
    if view.phase == "WORKER":
        for card in me.hand:
            if card.kind == "worker" and CARD + card.card in view.legal:
                found = payments.cheapest(job.needs, card, skill_cards, me.cubes)
                if found is not None:
                    proposals[CARD + card.card] = payments.values(found, CARD, CUBE)
        payment = job.proposal
        proposed = payments.values(payment, CARD, CUBE) if payment is not None else []
        owned = list(me.cubes)
    else:
        payment = plan.completion
        proposed = payments.values(payment, CARD, CUBE)[1:] if payment is not None else []
        owned = [n - used for n, used in zip(me.cubes, plan.cubes, strict=True)]
        if plan.worker is not None:
            fixed.append(("worker", plan.worker.skills))
        fixed += [("card", c.skills) for c in plan.cards]
        fixed += [("cube", [int(j == k) for j in range(5)]) for k, n in enumerate(plan.cubes) for _ in range(n)]
    offers = list(fixed)
    by_card = {c.card: c for c in me.hand}
    for value in proposed:
        if value >= CARD:
            card = by_card[value - CARD]
            offers.append(("worker" if card.kind == "worker" else "card", card.skills))
        else:
            offers.append(("cube", [int(j == value - CUBE) for j in range(5)]))
    slots, spare = payments.met(job.needs, offers)
    return {
        "job": job_shown(job),
        "needs": ",".join(str(n) for n in job.needs),
        "slots": payments.slots(slots),
        "spare": words.skills(spare) if any(spare) else "",
        "proposals": {value: " ".join(str(v) for v in found) for value, found in proposals.items()},
        "proposed": proposed,
        "cubes": [[owned[k], k, CUBE + k] for k in range(4)],
        "proposed_cubes": [proposed.count(CUBE + k) for k in range(4)],
        "fixed": [{"by": by, "offer": ",".join(str(n) for n in skills)} for by, skills in fixed],
        "worker": plan.worker.name if plan.worker is not None else "",
        "preview": view.preview is not None and view.preview.job == job.job,
    }


def targets(view: WorkerPlacementView, names: Sequence[str], mine: bool) -> list[dict[str, Any]]:
    """Whom a card can concern, and what it would do to them."""
    if not mine or view.phase != "TARGET" or view.playing is None:
        return []
    n = view.playing.number
    found = []
    for seat in view.order:
        if TARGET + seat not in view.legal:
            continue
        s = view.seats[seat]
        if view.playing.effect == "steal_cash":
            text = f"Take {min(n, s.cash)} of {s.cash} Cash"
        elif view.playing.effect == "lose_thumbs":
            text = f"Down to {max(0, s.thumbs - n)} from {s.thumbs} Thumbs"
        else:
            text = f"One of {words.counted('cards', s.hand_count)}"
        found.append({"seat": seat, "name": names[seat], "text": text, "action": TARGET + seat})
    return found
