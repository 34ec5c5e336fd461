"""The City: Jobs, the street, the hall of the auction, tracks and piles, with what a click on each would do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from shopfloor.games.worker_placement import words
from shopfloor.games.worker_placement.actions import (
    BID,
    CARD,
    COACH,
    CONSULT,
    FIRST_MANAGEMENT,
    GO,
    GO_CASINO,
    GO_NETWORK,
    JOB,
    PLAIN,
    RECALL,
)
from shopfloor.games.worker_placement.page.shown import Why, card_shown, job_shown, one
from shopfloor.games.worker_placement.page.story import News
from shopfloor.games.worker_placement.page.travel import TRACK, Travel, house, space
from shopfloor.games.worker_placement.view import CASH_SPACES, SeatView, WorkerPlacementView

STREET: Final = (0, 1, 2, 3, 5, 4, 7, 8, 9)
"""The houses along the street; the Job Centre is the counter above, the Peer Networking Group stands at the end."""
LIFE_COACH, JOB_CENTRE, CONSULTANTS, CASINO = 4, 6, 8, 9
GAINS: Final = {0: 0, 1: 3, 2: 1, 3: 2}
"""The skill of the cubes at a building."""
THUMB_SPACES: Final = 30


def jobs(view: WorkerPlacementView, mine: bool, why: Why) -> list[dict[str, Any]]:
    """The Jobs at the Job Centre: what a click on each would do, or why not."""
    plan = view.plan.job.job if view.plan is not None and view.plan.job is not None else None
    chosen = [job.job for job in view.playing.jobs] if view.playing is not None else []
    found = []
    for job in view.jobs:
        entry = job_shown(job)
        action = JOB + job.job
        entry["action"] = action if mine and action in view.legal and view.phase in ("PLACE", "REFRESH_JOBS") else None
        entry["pick"] = view.phase == "REFRESH_JOBS" and mine
        entry["text"] = words.action(action, view) if entry["action"] is not None else ""
        entry["chosen"] = job.job == plan or (mine and job.job in chosen)
        entry["why"] = one(why(action)) if mine and view.phase == "PLACE" and entry["action"] is None else []
        found.append(entry)
    return found


def preview(view: WorkerPlacementView) -> dict[str, Any] | None:
    if view.preview is None:
        return None
    plan = view.plan.job.job if view.plan is not None and view.plan.job is not None else None
    return {**job_shown(view.preview), "chosen": view.preview.job == plan}


def building(
    view: WorkerPlacementView, b: int, me: SeatView | None, mine: bool, travel: Travel, why: Why
) -> dict[str, Any]:
    """A building of the street. action: what a click does; menu: the list that a click opens; why: why neither."""
    building = view.buildings[b]
    placing = mine and view.phase == "PLACE"
    actions = _house_actions(view, b, me) if placing else []
    legal = [action for action in actions if action in view.legal]
    reasons: list[dict[str, str]] = []
    if placing and not legal:
        for action in actions:
            reason = why(action)
            if reason is not None and reason not in reasons:
                reasons.append(reason)
    recall = RECALL + b if view.phase == "RECALL" and mine and RECALL + b in view.legal else None
    menu = "coach" if b == LIFE_COACH else "consult" if b == CONSULTANTS else ""
    skill = GAINS.get(b)
    return {
        "b": b,
        "name": building.name,
        "meeples": travel.at(house(b)),
        "cost": building.cost,
        "free": building.free,
        "after": me.cash - building.cost if me is not None else None,
        "action": legal[0] if legal and (not menu or len(legal) == 1) else None,
        "menu": menu if menu and len(legal) > 1 else "",
        "text": words.action(legal[0], view) if legal else "",
        "why": reasons[:3],
        "dark": placing and not legal,
        "recall": recall,
        "skill": skill,
        "supply": None if skill is None or view.unlimited_cubes else view.supply[skill],
        "mine": building.meeples[me.seat] if me is not None else 0,
    }


def _house_actions(view: WorkerPlacementView, b: int, me: SeatView | None) -> list[int]:
    """The first decisions that lead to a building, also those that are not legal now."""
    if b == LIFE_COACH:
        own = [k for k in range(4) if me is not None and me.cubes[k]]
        return [COACH + k for k in own or [0]]
    if b == CONSULTANTS:
        hand = me.hand if me is not None and me.hand is not None else ()
        return [CONSULT + c.card - FIRST_MANAGEMENT for c in hand if c.kind == "management"] or [CONSULT]
    return [GO_CASINO if b == CASINO else GO + PLAIN.index(b)]


def hall(
    view: WorkerPlacementView, names: Sequence[str], mine: bool, travel: Travel, news: News, why: Why
) -> dict[str, Any]:
    """The Peer Networking Group: what lies there, the bid spaces, and who is to bid."""
    bidding = mine and view.phase in ("BID_FIRST", "BID_SECOND")
    picking = mine and view.phase == "AUCTION_PICK"
    spaces = []
    for i, seat in enumerate(view.spaces):
        standing = travel.at(space(i))
        legal = bidding and BID + i in view.legal
        spaces.append(
            {
                "i": i,
                "value": view.bid_values[i],
                "meeple": standing[0] if standing else None,
                "who": names[seat] if seat >= 0 else "",
                "legal": legal,
                "action": BID + i,
                "text": words.action(BID + i, view),
                "why": one(why(BID + i)) if bidding and not legal else [],
            }
        )
    occupied = [i for i, seat in enumerate(view.spaces) if seat >= 0]
    winning = occupied[-len(view.auction) :] if view.auction and view.phase != "AUCTION_PICK" else []
    next_space = None
    if view.phase == "AUCTION_PICK" and view.winners:
        standing_spaces = [i for i in occupied if view.spaces[i] == view.winners[0]]
        next_space = max(standing_spaces, key=lambda i: (view.bid_values[i] == view.prices[0], i), default=None)
    return {
        "cards": [
            {**card_shown(c), "action": CARD + c.card if picking and CARD + c.card in view.legal else None}
            for c in view.auction
        ],
        "price": view.prices[0] if view.prices else None,
        "backs": view.network,
        "spaces": spaces,
        "winning": winning,
        "next_space": next_space,
        "queue": _bid_queue(view, names, news),
        "name": view.network_name,
        "shut_why": one(why(GO_NETWORK)) if mine and view.phase == "PLACE" else [],
        "won": news.won,
    }


def _bid_queue(view: WorkerPlacementView, names: Sequence[str], news: News) -> list[dict[str, Any]]:
    """The seats in track order with what they have done in this step."""
    found = []
    for seat in view.order:
        s = view.seats[seat]
        if view.phase == "DRAFT_CHOOSE":
            state = "Chosen" if s.committed else "Chooses"
        elif view.phase == "AUCTION_PICK":
            state = "Picks" if seat in view.deciders else "Has won" if seat in view.winners else ""
        elif seat in view.deciders:
            state = "Bids now"
        elif seat in view.bidders:
            state = "To bid"
        else:
            mine = [view.bid_values[i] for i, other in enumerate(view.spaces) if other == seat]
            state = f"Bid {words.listed([str(v) for v in mine])}" if mine else "Passed"
        found.append({"seat": seat, "name": names[seat], "state": state, "now": seat in view.deciders})
    return found


def tracks(view: WorkerPlacementView, travel: Travel) -> dict[str, Any]:
    cash: list[list[dict[str, Any]]] = [[] for _ in range(CASH_SPACES + 1)]
    for seat in view.order:
        s = view.seats[seat]
        cash[s.cash_space].append({"seat": seat, "laps": s.laps})
    most = max(s.thumbs for s in view.seats)
    # The window moves by five, so that the shaded columns stay where they are.
    first = max(0, -(-(most - THUMB_SPACES + 1) // 5) * 5)
    thumbs: list[list[dict[str, Any]]] = [[] for _ in range(THUMB_SPACES)]
    for seat in view.order:
        s = view.seats[seat]
        thumbs[max(0, s.thumbs - first)].append({"seat": seat, "low": s.thumbs < first, "thumbs": s.thumbs})
    places = []
    for position, seat in enumerate(view.order, 1):
        standing = travel.of(seat, TRACK)
        places.append({"n": position, "seat": seat, "meeple": standing[0] if standing else None})
    return {
        "cash": cash,
        "thumbs": thumbs,
        "first_thumb": first,
        "places": places,
        "laps": any(s.laps for s in view.seats),
    }


def piles(view: WorkerPlacementView) -> dict[str, Any]:
    discards = None
    if view.discards is not None:
        discards = [card_shown(c) for c in reversed(view.discards)]
    return {
        "deck": view.deck,
        "count": view.discard_count,
        "discards": discards,
        "top": [c.card for c in view.discards[-3:]] if view.discards else [],
        "jobs": view.jobs_in_deck,
        "unseen": [job_shown(j) for j in view.jobs_unseen],
        "under": [job_shown(j) for j in view.jobs_under],
    }
