"""What the template of Worker Placement's table needs, made from a View, the players' names and the events so far.

Pure functions: nothing here knows a server, a table or HTML.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from shopfloor.engine.events import Event
from shopfloor.engine.ranking import tie_sentences
from shopfloor.games.worker_placement import words
from shopfloor.games.worker_placement.actions import PASS, SKIP
from shopfloor.games.worker_placement.page import board, choices, story
from shopfloor.games.worker_placement.page.shown import ORDINALS, Why, icons, one, signed
from shopfloor.games.worker_placement.page.travel import RESERVE, Travel, house
from shopfloor.games.worker_placement.view import SeatView, WorkerPlacementView

HOUSE: Final = "teal"
"""The ink of the box."""

AUCTION_PHASES: Final = ("DRAFT_CHOOSE", "BID_FIRST", "BID_SECOND", "AUCTION_PICK")
OVER: Final = "GAME_OVER"
STEPS: Final = ("Order", "Jobs", "Draft", "Auction", "Place workers", "Reset")

SUPERSEDED: Final = {"draft_sealed": "draft_opened", "discards_sealed": "round_began"}
"""Lines of the log that say nothing any more once another kind has followed."""


def context(view: WorkerPlacementView, names: Sequence[str], events: Sequence[Event], why: Why) -> dict[str, Any]:
    """Everything that `table.html` shows. `names`: the seats' names, the viewer's own being "You"."""
    news = story.read(events)
    travel = Travel(view, events)
    me = view.seats[view.seat] if view.seat is not None else None
    mine = view.seat is not None and view.seat in view.deciders
    dialog = choices.payment(view, me) if mine else None
    picks = choices.picks(view, me, mine, names, dialog)
    return {
        "phases": _phases(view),
        "stage": "over" if view.phase == OVER else "hall" if view.phase in AUCTION_PHASES else "street",
        "jobs": board.jobs(view, mine, why),
        "gone": news.filled,
        "preview": board.preview(view),
        "queue": travel.at(house(board.JOB_CENTRE)),
        "houses": [board.building(view, b, me, mine, travel, why) for b in board.STREET],
        "hall": board.hall(view, names, mine, travel, news, why),
        "tracks": board.tracks(view, travel),
        "piles": board.piles(view),
        "rail": [_rail(view, view.seats[s], names, travel, news) for s in view.order],
        "hand": choices.hand(view, me, mine, picks, why),
        "cubes": choices.cubes(view, me, mine),
        "coach": choices.coach(view, me, mine),
        "consult": choices.consult(view, me, mine),
        "draft": choices.draft(view, names, mine),
        "bids": choices.bids(view, me, mine),
        "picks": picks,
        "dialog": dialog,
        "targets": choices.targets(view, names, mine),
        "left": me.reserve + me.on_track if me is not None else 0,
        "may_skip": mine and SKIP in view.legal,
        "skip_text": words.action(SKIP, view),
        "wait_why": one(why(PASS)) if me is not None and not mine and view.phase != OVER else [],
        "title": _prompt_title(view, mine, me),
        "ranking": _ranking(view, names),
        "sentences": tie_sentences(view.ranks, names, lambda c: words.criterion(c)[1]),
        "winners": [names[r.seat] for r in view.ranks if r.place == 1],
        "me": me,
        "PASS": PASS,
        "SKIP": SKIP,
    }


def summary(view: WorkerPlacementView) -> str:
    """Where the game stands, for lists of tables."""
    return f"Round {view.round} of {view.rounds}"


def chapter(event: Event, names: Sequence[str]) -> str:
    """The heading of the log that begins with this event, or nothing."""
    facts: dict[str, Any] = event.facts
    if event.kind == "round_began":
        return f"Round {facts['round']}"
    if event.kind == "draft_opened":
        return "Auction"
    if event.kind == "meeple_placed":
        return f"{names[facts['seat']]} at the {facts['name']}"
    if event.kind == "auction_closed" and not facts["names"]:
        return "Placing workers"
    return "Reset" if event.kind == "meeples_returned" else ""


def _phases(view: WorkerPlacementView) -> list[tuple[str, str]]:
    if view.phase == OVER:
        return []
    now = 2 if view.phase == "DRAFT_CHOOSE" else 3 if view.phase in AUCTION_PHASES else 4
    now = 5 if view.phase == "HAND_LIMIT" else now
    return [(step, "now" if i == now else "done" if i < now else "") for i, step in enumerate(STEPS)]


# -- the players ------------------------------------------------------------------------------------------------------


def _rail(
    view: WorkerPlacementView, s: SeatView, names: Sequence[str], travel: Travel, news: story.News
) -> dict[str, Any]:
    return {
        "seat": s.seat,
        "name": names[s.seat],
        "me": s.seat == view.seat,
        "now": s.seat in view.deciders and len(view.deciders) == 1,
        "waits": s.seat in view.deciders,
        "cash": s.cash,
        "thumbs": s.thumbs,
        "cards": s.hand_count,
        "cubes": icons(s.cubes),
        "counts": [(k, n) for k, n in enumerate(s.cubes) if n],
        "meeples": [m for _, m in travel.of(s.seat, RESERVE)],
        "away": 3 - s.reserve,
        "delta": signed(news.cash.get(s.seat, 0)),
        "status": _status(view, s),
        "known": [c.name for c in s.known],
        "card": s.known[-1].card if s.known else None,
        "job": s.filled[-1].job if s.filled else None,
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
        parts.append(
            "bids" if deciding else "has a bid" if s.bidding else "to bid" if s.seat in view.bidders else "no bid"
        )
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
    return titles.get(view.phase, view.buildings[board.CONSULTANTS].name)


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
                "bonus": [signed(n) or "0" for n in s.bonus],
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
