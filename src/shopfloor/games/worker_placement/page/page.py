"""What the template of Worker Placement's table needs, made from a View, the players' names and the events so far.

Pure functions: nothing here knows a server, a table or HTML.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from shopfloor.engine.events import Event
from shopfloor.games.worker_placement import effects, words
from shopfloor.games.worker_placement.actions import (
    BID,
    CARD,
    COACH,
    CONSULT,
    CUBE,
    DONE,
    DRAFT,
    FIRST_MANAGEMENT,
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
from shopfloor.games.worker_placement.page import payments
from shopfloor.games.worker_placement.page.travel import IDLE, RESERVE, TRACK, Meeple, Travel, house, space
from shopfloor.games.worker_placement.view import (
    CASH_SPACES,
    BuildingView,
    CardView,
    JobView,
    PaymentView,
    SeatView,
    WorkerPlacementView,
)

HOUSE: Final = "teal"
"""The ink of the box."""

STREET: Final = (0, 1, 2, 3, 5, 4, 7, 8, 9)
"""The houses along the street; the Job Centre is the counter above, the Peer Networking Group stands at the end."""
LIFE_COACH, JOB_CENTRE, CONSULTANTS, CASINO = 4, 6, 8, 9
GAINS: Final = {0: 0, 1: 3, 2: 1, 3: 2}
"""The skill of the cubes at a building."""

WORKER_PHASES: Final = ("WORKER", "PAYMENT")
AUCTION_PHASES: Final = ("DRAFT_CHOOSE", "BID_FIRST", "BID_SECOND", "AUCTION_PICK")
PLACING: Final = ("PLACE", "LIFE_COACH", "CASINO", "WORKER", "PAYMENT", "TARGET", "GAIN_CUBES", "STEAL_CUBES")
PLACING_TOO: Final = ("REFRESH_JOBS", "RECALL")
OVER: Final = "GAME_OVER"
STEPS: Final = ("Order", "Jobs", "Draft", "Auction", "Place workers", "Reset")
ORDINALS: Final = ("", "1st", "2nd", "3rd", "4th", "5th")
THUMB_SPACES: Final = 30

Why = Callable[[int], dict[str, str] | None]
"""Why the viewer may not choose an action now: `text` and `clause`; None if they may, or only watch."""

SUPERSEDED: Final = {"draft_sealed": "draft_opened", "discards_sealed": "round_began"}
"""Lines of the log that say nothing any more once another kind has followed."""


@dataclass
class News:
    """What happened in this round, and what the last turn brought."""

    filled: list[dict[str, Any]] = field(default_factory=list)
    cash: dict[int, int] = field(default_factory=dict)
    thumbs: dict[int, int] = field(default_factory=dict)
    bids: int = 0
    passed: set[int] = field(default_factory=set)
    won: list[dict[str, Any]] = field(default_factory=list)


def context(view: WorkerPlacementView, names: Sequence[str], events: Sequence[Event], why: Why) -> dict[str, Any]:
    """Everything that `table.html` shows. `names`: the seats' names, the viewer's own being "You"."""
    news = _news(events)
    travel = Travel(view, events)
    me = view.seats[view.seat] if view.seat is not None else None
    mine = view.seat is not None and view.seat in view.deciders
    dialog = _payment(view, me) if mine else None
    picks = _picks(view, me, mine, names, dialog)
    return {
        "phases": _phases(view),
        "stage": "over" if view.phase == OVER else "hall" if view.phase in AUCTION_PHASES else "street",
        "jobs": _jobs(view, mine, why),
        "gone": news.filled,
        "preview": _preview(view),
        "queue": travel.at(house(JOB_CENTRE)),
        "houses": [_house(view, b, me, mine, travel, why) for b in STREET],
        "hall": _hall(view, names, mine, travel, news, why),
        "tracks": _tracks(view, travel),
        "piles": _piles(view),
        "rail": [_rail(view, view.seats[s], names, travel, news) for s in view.order],
        "hand": _hand(view, me, mine, picks, why),
        "cubes": _cubes(view, me, mine),
        "coach": _coach(view, me, mine),
        "consult": _consult(view, me, mine),
        "draft": _draft(view, names, mine),
        "bids": _bids(view, me, mine),
        "picks": picks,
        "dialog": dialog,
        "targets": _targets(view, names, mine),
        "left": me.reserve + me.on_track if me is not None else 0,
        "may_skip": mine and SKIP in view.legal,
        "skip_text": words.action(SKIP, view),
        "wait_why": _one(why(PASS)) if me is not None and not mine and view.phase != OVER else [],
        "title": _prompt_title(view, mine, me),
        "ranking": _ranking(view, names),
        "sentences": _tie_sentences(view, names),
        "winners": [names[r.seat] for r in view.ranks if r.place == 1],
        "winner_seats": [r.seat for r in view.ranks if r.place == 1],
        "me": me,
        "PASS": PASS,
        "SKIP": SKIP,
    }


def summary(view: WorkerPlacementView) -> str:
    """Where the game stands, for lists of tables."""
    return f"Round {view.round} of {view.rounds}"


def chapter(event: Event, names: Sequence[str]) -> str:
    """The heading of the log that begins with this event, or nothing."""
    if event.kind == "round_began":
        return f"Round {event.facts['round']}"
    if event.kind == "draft_opened":
        return "Auction"
    if event.kind == "auction_closed" and not event.facts["names"]:
        return "Placing workers"
    return "Reset" if event.kind == "meeples_returned" else ""


# -- what the events tell ---------------------------------------------------------------------------------------------


def _news(events: Sequence[Event]) -> News:
    news = News()
    for event in events:
        facts: dict[str, Any] = event.facts
        kind = event.kind
        if kind == "round_began":
            news = News()
        elif kind == "job_filled":
            if event.clause != "WP-A40":
                news.filled.append({"seat": facts["seat"], "name": facts["job_name"], "job": facts["job"]})
        elif kind in ("meeple_placed", "card_won", "placement_skipped", "meeples_returned"):
            news.cash = {}
            news.thumbs = {}
        if kind == "card_won":
            news.won.append({"seat": facts["seat"], "name": facts["name"], "price": facts["price"]})
        elif kind == "bid_passed":
            news.passed.add(facts["seat"])
        elif kind == "cash_changed":
            seat = facts["seat"]
            news.cash[seat] = news.cash.get(seat, 0) + facts["amount"]
        elif kind == "thumbs_changed":
            seat = facts["seat"]
            news.thumbs[seat] = news.thumbs.get(seat, 0) + facts["amount"]
    return news


def _signed(amount: int) -> str:
    return f"+{amount}" if amount > 0 else f"−{-amount}" if amount < 0 else ""


def _one(reason: dict[str, str] | None) -> list[dict[str, str]]:
    return [reason] if reason is not None else []


# -- the board --------------------------------------------------------------------------------------------------------


def _phases(view: WorkerPlacementView) -> list[tuple[str, str]]:
    if view.phase == OVER:
        return []
    now = 2 if view.phase == "DRAFT_CHOOSE" else 3 if view.phase in AUCTION_PHASES else 4
    now = 5 if view.phase == "HAND_LIMIT" else now
    return [(step, "now" if i == now else "done" if i < now else "") for i, step in enumerate(STEPS)]


def _icons(counts: Sequence[int]) -> list[int]:
    """One entry, its skill, for every skill of a card."""
    return [skill for skill, n in enumerate(counts) for _ in range(n)]


def _job(job: JobView) -> dict[str, Any]:
    return {
        "job": job.job,
        "id": job.id,
        "name": job.name,
        "icons": _icons(job.needs),
        "needs": words.skills(job.needs),
        "cash": job.cash,
        "thumbs": job.thumbs,
        "missing": job.missing,
        "able": job.proposal is not None,
    }


def _jobs(view: WorkerPlacementView, mine: bool, why: Why) -> list[dict[str, Any]]:
    """The Jobs at the Job Centre: what a click on each would do, or why not."""
    plan = view.plan.job.job if view.plan is not None and view.plan.job is not None else None
    chosen = [job.job for job in view.playing.jobs] if view.playing is not None else []
    found = []
    for job in view.jobs:
        entry = _job(job)
        action = JOB + job.job
        entry["action"] = action if mine and action in view.legal and view.phase in ("PLACE", "REFRESH_JOBS") else None
        entry["pick"] = view.phase == "REFRESH_JOBS" and mine
        entry["text"] = words.action(action, view) if entry["action"] is not None else ""
        entry["chosen"] = job.job == plan or (mine and job.job in chosen)
        entry["why"] = _one(why(action)) if mine and view.phase == "PLACE" and entry["action"] is None else []
        found.append(entry)
    return found


def _preview(view: WorkerPlacementView) -> dict[str, Any] | None:
    if view.preview is None:
        return None
    plan = view.plan.job.job if view.plan is not None and view.plan.job is not None else None
    return {**_job(view.preview), "chosen": view.preview.job == plan}


def _house(
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


def _hall(
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
                "why": _one(why(BID + i)) if bidding and not legal else [],
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
            {**_card(c), "action": CARD + c.card if picking and CARD + c.card in view.legal else None}
            for c in view.auction
        ],
        "price": view.prices[0] if view.prices else None,
        "backs": view.network,
        "spaces": spaces,
        "winning": winning,
        "next_space": next_space,
        "queue": _bid_queue(view, names, news),
        "name": view.network_name,
        "shut_why": _one(why(GO_NETWORK)) if mine and view.phase == "PLACE" else [],
        "won": news.won,
        "drafting": view.phase == "DRAFT_CHOOSE",
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


# -- tracks and piles -------------------------------------------------------------------------------------------------


def _tracks(view: WorkerPlacementView, travel: Travel) -> dict[str, Any]:
    cash: list[list[dict[str, Any]]] = [[] for _ in range(CASH_SPACES + 1)]
    for seat in view.order:
        s = view.seats[seat]
        cash[s.cash_space].append({"seat": seat, "laps": s.laps})
    most = max(s.thumbs for s in view.seats)
    first = max(0, most - THUMB_SPACES + 1)
    thumbs: list[list[dict[str, Any]]] = [[] for _ in range(THUMB_SPACES)]
    for seat in view.order:
        s = view.seats[seat]
        thumbs[max(0, s.thumbs - first)].append({"seat": seat, "low": s.thumbs < first, "thumbs": s.thumbs})
    places = []
    for position, seat in enumerate(view.order, 1):
        standing = travel.of(seat, TRACK)
        places.append({"n": position, "seat": seat, "meeple": standing[0] if standing else None})
    return {"cash": cash, "thumbs": thumbs, "first_thumb": first, "places": places, "laps": any(s.laps for s in view.seats)}


def _piles(view: WorkerPlacementView) -> dict[str, Any]:
    discards = None
    if view.discards is not None:
        discards = [_card(c) for c in reversed(view.discards)]
    return {
        "deck": view.deck,
        "count": view.discard_count,
        "discards": discards,
        "jobs": view.jobs_in_deck,
        "unseen": [_job(j) for j in view.jobs_unseen],
        "under": [_job(j) for j in view.jobs_under],
    }


# -- the players ------------------------------------------------------------------------------------------------------


def _rail(view: WorkerPlacementView, s: SeatView, names: Sequence[str], travel: Travel, news: News) -> dict[str, Any]:
    return {
        "seat": s.seat,
        "name": names[s.seat],
        "me": s.seat == view.seat,
        "now": s.seat in view.deciders and len(view.deciders) == 1,
        "waits": s.seat in view.deciders,
        "cash": s.cash,
        "thumbs": s.thumbs,
        "cards": s.hand_count,
        "cubes": _icons(s.cubes),
        "counts": [(k, n) for k, n in enumerate(s.cubes) if n],
        "meeples": [m for _, m in travel.of(s.seat, RESERVE)],
        "away": 3 - s.reserve,
        "delta": _signed(news.cash.get(s.seat, 0)),
        "status": _status(view, s),
        "known": [c.name for c in s.known],
        "filled": [{"name": j.name, "cash": j.cash, "thumbs": j.thumbs} for j in s.filled],
        "jobs": len(s.filled),
    }


def _status(view: WorkerPlacementView, s: SeatView) -> str:
    if view.phase == OVER:
        place = next(r.place for r in view.ranks if r.seat == s.seat)
        return "Won" if place == 1 else f"{ORDINALS[place]} place"
    parts = [ORDINALS[s.position]]
    deciding = s.seat in view.deciders
    if view.phase == "DRAFT_CHOOSE":
        parts.append("chooses cards" if deciding else "has chosen")
    elif view.phase == "HAND_LIMIT":
        parts.append("discards" if deciding else "has discarded" if s.committed else "waits")
    elif view.phase in ("BID_FIRST", "BID_SECOND"):
        parts.append("bids" if deciding else "has a bid" if s.bidding else "to bid" if s.seat in view.bidders else "no bid")
    elif view.phase == "AUCTION_PICK":
        parts.append("takes a card" if deciding else "")
    elif deciding:
        parts.append("placing")
    elif not s.reserve + s.on_track:
        parts.append("all placed")
    if s.free:
        parts.append("places free")
    if s.claim:
        parts.append(f"{ORDINALS[s.claim]} next round")
    return ", ".join(part for part in parts if part)


# -- cards ------------------------------------------------------------------------------------------------------------


def glyphs(script: Sequence[int]) -> list[tuple[str, str]]:
    """What a card does in signs: pairs of a symbol (or nothing) and a few words."""
    found: list[tuple[str, str]] = []
    for i in range(0, len(script), 4):
        kind, n, g, k = script[i : i + 4]
        found += {
            effects.GAIN_CASH: [("coin", f"+{n}")],
            effects.GAIN_THUMBS: [("thumb", f"+{n}")],
            effects.STEAL_CASH: [("coin", f"{n}"), ("", "from a rival")],
            effects.LOSE_THUMBS: [("thumb", f"−{n}"), ("", "for a rival")],
            effects.GAIN_CUBES: [("cube", f"+{n}")],
            effects.STEAL_CUBES: [("cube", f"{n}"), ("", "from each")],
            effects.DRAW: [("deck", f"+{n}")],
            effects.STEAL_CARD: [("deck", f"{n}"), ("", "from a rival")],
            effects.REFRESH_JOBS: [("turn", f"{n}"), ("", "Jobs")],
            effects.FILL_PREVIEW: [("", "fills the next Job")],
            effects.FREE_PLACEMENT: [("", "then places free")],
            effects.RECALL_MEEPLE: [("meeple-ghost", f"{n}"), ("", "again")],
            effects.CLAIM_ORDER: [("", f"{ORDINALS[n] if n < 6 else n} next round")],
            effects.CASH_PER_JOB: [("coin", f"{g}"), ("", "a Job" if n == 1 else f"for {n} Jobs")],
            effects.END_CASH: [("coin", f"+{n}"), ("", "at the end")],
            effects.END_CASH_PER_THUMBS: [("coin", f"{g}"), ("thumb", f"for {n}")],
            effects.PAY_CASH: [("coin", f"−{n}")],
            effects.PAY_THUMBS: [("thumb", f"−{n}")],
        }[kind]
    return found


def _card(card: CardView) -> dict[str, Any]:
    return {
        "card": card.card,
        "id": card.id,
        "name": card.name,
        "kind": card.kind,
        "icons": _icons(card.skills),
        "glyphs": glyphs(card.script),
        "effect": words.effect(card.script),
        "skills": words.skills(card.skills) if any(card.skills) else "",
        "at_end": card.at_end,
    }


def _hand(
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
        entry = _card(card)
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
        entry["why"] = _one(reason)
        entry["offer"] = ",".join(str(n) for n in card.skills)
        found.append(entry)
    return found


def _cubes(view: WorkerPlacementView, me: SeatView | None, mine: bool) -> list[dict[str, Any]]:
    """The viewer's cubes, with what a click on one does."""
    if me is None:
        return []
    found = []
    for k, n in enumerate(me.cubes):
        action = COACH + k if mine and COACH + k in view.legal else None
        found.append({"skill": k, "n": n, "action": action, "text": words.action(action, view) if action else ""})
    return [cube for cube in found if cube["n"]]


def _coach(view: WorkerPlacementView, me: SeatView | None, mine: bool) -> list[dict[str, Any]]:
    """The cubes that can be given to the Life Coach."""
    if not mine or me is None or view.phase != "PLACE":
        return []
    return [
        {"skill": k, "n": me.cubes[k], "action": COACH + k, "name": words.skill_name(k)}
        for k in range(4)
        if COACH + k in view.legal
    ]


def _consult(view: WorkerPlacementView, me: SeatView | None, mine: bool) -> list[dict[str, Any]]:
    """The Management cards that can be played."""
    if not mine or me is None or me.hand is None or view.phase != "PLACE":
        return []
    return [
        {**_card(c), "action": CONSULT + c.card - FIRST_MANAGEMENT}
        for c in me.hand
        if c.kind == "management" and CONSULT + c.card - FIRST_MANAGEMENT in view.legal
    ]


# -- draft and auction ------------------------------------------------------------------------------------------------


def _draft(view: WorkerPlacementView, names: Sequence[str], mine: bool) -> dict[str, Any] | None:
    """The three cards to split, with the words for each split; or the split that is sealed."""
    if not view.draft or view.seat is None:
        return None
    roles = ["", "", ""]
    if view.chosen is not None:
        for i, role in zip(SPLITS[view.chosen - DRAFT], ("keep", "pass", "network"), strict=True):
            roles[i] = role
    to = names[view.passes_to] if view.passes_to is not None else ""
    return {
        "cards": [{**_card(c), "n": i + 1, "role": roles[i]} for i, c in enumerate(view.draft)],
        "to": to,
        "splits": [
            {"keep": a + 1, "pass": b + 1, "action": DRAFT + i, "text": words.action(DRAFT + i, view)}
            for i, (a, b, _) in enumerate(SPLITS)
            if mine and DRAFT + i in view.legal
        ],
        "whole": len(view.draft) == 3,
    }


def _bids(view: WorkerPlacementView, me: SeatView | None, mine: bool) -> list[dict[str, Any]]:
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


# -- picking several things -------------------------------------------------------------------------------------------


def _picks(
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
        picks |= {"none": f"Choose {words.counted('cards', wanted)}", "one": "Discard 1 card", "many": "Discard {n} cards"}
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
        picks |= {"least": left, "most": left, "done": None, "real": False, "cubes": cubes, "stock": stock}
        picks |= {"none": f"Choose {left} cubes" if left > 1 else "Choose a cube", "list": "Take {list}"}
        picks |= {"short": "{n} of " + str(left) + " chosen", "unlimited": view.unlimited_cubes}
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


def _payment(view: WorkerPlacementView, me: SeatView | None) -> dict[str, Any] | None:
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
            fixed.append((plan.worker.name.split()[0], plan.worker.skills))
        fixed += [("card", c.skills) for c in plan.cards]
        fixed += [("cube", [int(j == k) for j in range(5)]) for k, n in enumerate(plan.cubes) for _ in range(n)]
    offers = list(fixed)
    by_card = {c.card: c for c in me.hand}
    for value in proposed:
        if value >= CARD:
            card = by_card[value - CARD]
            offers.append((card.name.split()[0] if card.kind == "worker" else "card", card.skills))
        else:
            offers.append(("cube", [int(j == value - CUBE) for j in range(5)]))
    slots, spare = payments.met(job.needs, offers)
    return {
        "job": _job(job),
        "needs": ",".join(str(n) for n in job.needs),
        "slots": payments.slots(slots),
        "spare": words.skills(spare) if any(spare) else "",
        "proposals": {value: " ".join(str(v) for v in found) for value, found in proposals.items()},
        "proposed": proposed,
        "cubes": [[owned[k], k, CUBE + k] for k in range(4)],
        "fixed": [{"by": by, "offer": ",".join(str(n) for n in skills)} for by, skills in fixed],
        "fixed_cubes": list(plan.cubes) if view.phase == "PAYMENT" else [0] * 4,
        "worker": plan.worker.name if plan.worker is not None else "",
        "preview": view.preview is not None and view.preview.job == job.job,
    }


def _targets(view: WorkerPlacementView, names: Sequence[str], mine: bool) -> list[dict[str, Any]]:
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


def _prompt_title(view: WorkerPlacementView, mine: bool, me: SeatView | None) -> str:
    if view.phase == OVER:
        return "Game over"
    if not mine:
        if view.seat is None:
            return "You watch"
        return "Sealed" if me is not None and me.committed else "Waiting"
    titles = {"DRAFT_CHOOSE": "Draft", "BID_FIRST": "Auction", "BID_SECOND": "Second bid", "AUCTION_PICK": "Auction"}
    titles |= {"PLACE": "Place", "LIFE_COACH": view.buildings[4].name, "CASINO": view.buildings[9].name}
    titles |= {"WORKER": "Fill a Job", "PAYMENT": "Fill a Job", "HAND_LIMIT": "Five cards"}
    return titles.get(view.phase, view.buildings[CONSULTANTS].name)


# -- the end ----------------------------------------------------------------------------------------------------------


def _ranking(view: WorkerPlacementView, names: Sequence[str]) -> list[dict[str, Any]]:
    """Best first, with what was added at the end and every value that was compared."""
    found = []
    for r in view.ranks:
        s = view.seats[r.seat]
        before = s.cash - sum(s.bonus)
        found.append(
            {
                "seat": r.seat,
                "name": names[r.seat],
                "place": r.place,
                "me": r.seat == view.seat,
                "before": before,
                "bonus": [_signed(n) or "0" for n in s.bonus],
                "jobs": len(s.filled),
                "values": [
                    {
                        "head": words.criterion(c)[0],
                        "text": words.criterion_value(c, r.values[i]),
                        "decided": r.decided_by == c,
                    }
                    for i, c in enumerate(view.criteria)
                ],
            }
        )
    return found


def _tie_sentences(view: WorkerPlacementView, names: Sequence[str]) -> list[str]:
    """How each place was decided against the next."""
    sentences = []
    for better, worse in zip(view.ranks, view.ranks[1:], strict=False):
        one = names[better.seat]
        other = "you" if names[worse.seat] == "You" else names[worse.seat]
        if better.decided_by:
            verb = "are" if one == "You" else "is"
            sentences.append(f"{one} {verb} before {other} {words.criterion(better.decided_by)[1]}.")
    return sentences


__all__ = ["HOUSE", "IDLE", "SUPERSEDED", "BuildingView", "Meeple", "chapter", "context", "glyphs", "summary"]
