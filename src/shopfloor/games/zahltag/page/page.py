"""What the template of Zahltag's table needs, made from a View, the players' names and the events so far.

Pure functions: nothing here knows a server, a table or HTML.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from shopfloor.engine.events import Event
from shopfloor.engine.ranking import tie_sentences
from shopfloor.games.zahltag import words
from shopfloor.games.zahltag.actions import ADD, BID, DISCARD, EXCHANGE, EXCHANGES, NO_BID, PASS, TYPES
from shopfloor.games.zahltag.page.travel import Travel
from shopfloor.games.zahltag.rules import LAST_PAYDAY, MAX_WORKERS, TIE_DISCOUNT
from shopfloor.games.zahltag.view import JobView, SeatView, ZahltagView

HOUSE: Final = "mustard"
"""The ink of the box."""

SYMBOLS: Final = ("foreman", "worker", "crane", "excavator")
INKS: Final = ("mustard", "teal", "oxide", "leaf")
LETTERS: Final = "fwce"

SETUP, HIRE, EXCESS, BIDDING, OVER = "ADJUST_START", "ADJUST_WORKERS", "EXCESS", "BIDDING", "GAME_OVER"

Why = Callable[[int], dict[str, str] | None]
"""Why the viewer may not choose an action now: `text` and `clause`; None if they may, or only watch."""

SUPERSEDED: Final = {"offer_sealed": "offers_opened", "offer_chosen": "offers_opened"}
"""Lines of the log that say nothing any more once another kind has followed."""


@dataclass
class News:
    """What the last card brought, until the next one is turned over."""

    job: int | None = None
    name: str = ""
    needs: tuple[int, ...] = ()
    bids: dict[int, int | None] | None = None  # by seat, of those still in business
    payouts: dict[int, int] = field(default_factory=dict)
    payday: int | None = None
    forced: bool = False
    wages: dict[int, int] = field(default_factory=dict)
    fewest: int | None = None
    out: dict[int, str] = field(default_factory=dict)
    debts: dict[int, int] = field(default_factory=dict)


def context(view: ZahltagView, names: Sequence[str], events: Sequence[Event], why: Why) -> dict[str, Any]:
    """Everything that `table.html` shows. `names`: the seats' names, the viewer's own being "You"."""
    news, gone = _news(events)
    travel = Travel(view, events)
    me = view.seats[view.seat] if view.seat is not None else None
    mine = view.seat is not None and view.seat in view.deciders
    active = [s for s in view.seats if s.active]
    fewest = min((s.hand_count for s in active), default=0)
    settled = view.phase != BIDDING
    return {
        "phases": _phases(view),
        "paydays": _paydays(view, news),
        "row": _row(view),
        "poster": _poster(view, news, names),
        "stacks": _stacks(view, mine, travel),
        "stack_whys": _stack_whys(view, mine, why),
        "deck": _deck(view, me, fewest),
        "plots": [_plot(view, s, names, news if settled else News(), travel, gone, fewest) for s in _round(view)],
        "rail": [_rail(view, s, names, fewest, gone) for s in _by_turn(view)],
        "hand": _hand(view, me, travel),
        "can": _can(view, me),
        "bids": _bids(view, mine),
        "bid_why": _one(why(BID)) if mine and view.phase == BIDDING and BID not in view.legal else [],
        "wait_why": _one(why(PASS)) if me is not None and not mine and view.phase != OVER else [],
        "changes": _changes(view, mine, me, fewest),
        "pass_text": words.action(PASS, view),
        "ranking": _ranking(view, names),
        "sentences": tie_sentences(view.ranks, names, lambda c: words.criterion(c)[1]),
        "title": _prompt_title(view, mine),
        "chosen": _chosen(view),
        "out": gone.get(view.seat) if view.seat is not None else None,
        "winners": [names[r.seat] for r in view.ranks if r.place == 1],
        "out_any": any(not s.active for s in view.seats),
        "bidding_others": [names[s] for s in view.deciders if s != view.seat],
        "needs_text": words.workers(view.job.needs) if view.job else "",
        "able": _able(view, me),
        "me": me,
    }


def summary(view: ZahltagView) -> str:
    """Where the game stands, for lists of tables."""
    if view.phase == SETUP:
        return "Before the first turn"
    return f"Payday {view.paydays_executed} of {LAST_PAYDAY}"


def chapter(event: Event, names: Sequence[str]) -> str:
    """The heading of the log that begins with this event, or nothing."""
    if event.kind == "turn_began":
        turn, seat = event.facts["turn"], event.facts["seat"]
        return f"Turn {turn}: {names[seat]}" if isinstance(seat, int) else ""
    return ""


# -- what the events tell ---------------------------------------------------------------------------------------------


def _news(events: Sequence[Event]) -> tuple[News, dict[int, int]]:
    """The latest news, and who is out of business since which turn."""
    news = News()
    gone: dict[int, int] = {}
    turn = 0
    for event in events:
        facts: dict[str, Any] = event.facts
        kind = event.kind
        if kind == "turn_began":
            turn = facts["turn"]
        elif kind == "job_revealed":
            news = News(job=facts["job"], name=facts["name"], needs=tuple(facts["needs"]))
        elif kind == "payday_revealed":
            news = News(payday=facts["number"], forced=facts["forced"])
        elif kind == "offers_opened":
            news.bids = dict(zip(facts["seats"], facts["bids"], strict=True))
        elif kind == "job_won":
            news.payouts[facts["seat"]] = facts["payout"]
        elif kind == "wages_paid":
            news.wages[facts["seat"]] = facts["amount"]
            news.fewest = facts["minimum"]
        elif kind in ("wages_free", "wages_equal"):
            news.fewest = facts["cards"]
        elif kind == "eliminated":
            gone[facts["seat"]] = turn
            news.out[facts["seat"]] = facts["reason"]
            news.debts[facts["seat"]] = facts["debt"]
    return news, gone


# -- the board --------------------------------------------------------------------------------------------------------


def _phases(view: ZahltagView) -> list[tuple[str, str]]:
    if view.phase == OVER:
        return []
    if view.phase == SETUP:
        steps, now = ["Deal", "Change crews", "Turn 1"], 1
    else:
        last = "Payday" if view.forced_payday_due and view.phase != BIDDING else "Bid"
        steps, now = ["Finish jobs", "Hire", "Reveal", last], 3 if view.phase == BIDDING else 1
    return [(step, "now" if i == now else "done" if i < now else "") for i, step in enumerate(steps)]


def _paydays(view: ZahltagView, news: News) -> list[dict[str, Any]]:
    done = view.paydays_executed
    fresh = news.payday if news.job is None else None
    return [
        {"n": n, "paid": n <= done, "next": n == done + 1 and view.phase != OVER, "fresh": n == fresh}
        for n in range(1, LAST_PAYDAY + 1)
    ]


def _row(view: ZahltagView) -> list[dict[str, Any]]:
    """The places for Jobs since the last Payday; the last one says what follows."""
    shown = view.job.job if view.job else None
    return [
        {
            "n": i + 1,
            "job": view.job_row[i] if i < len(view.job_row) else None,
            "now": i < len(view.job_row) and view.job_row[i].job == shown,
            "icons": _icons(view.job_row[i].needs) if i < len(view.job_row) else [],
            "last": i + 1 == view.job_limit,
        }
        for i in range(view.job_limit)
    ]


def _icons(counts: Sequence[int]) -> list[int]:
    """One entry, its type, for every card."""
    return [t for t, n in enumerate(counts) for _ in range(n)]


def _poster(view: ZahltagView, news: News, names: Sequence[str]) -> dict[str, Any]:
    """What hangs on the crane."""
    if view.phase == OVER:
        return {"kind": "over"}
    if view.phase == SETUP:
        return {"kind": "start", "starter": names[view.first_player]}
    if view.job is not None:
        return {"kind": "job", "job": view.job, "icons": _icons(view.job.needs), "n": len(view.job_row)}
    if news.payday is not None:
        return {"kind": "payday", "n": news.payday, "forced": news.forced, "lines": _payslip(view, news, names)}
    if news.job is not None:
        built = [names[s] for s in news.payouts]
        job = next((j for j in view.job_row if j.job == news.job), None)
        return {"kind": "built", "job": job, "icons": _icons(news.needs), "text": _built(news, built)}
    return {"kind": "none"}


def _built(news: News, built: list[str]) -> str:
    if not built:
        return "Nobody builds it"
    payout = next(iter(news.payouts.values()))
    who = " and ".join(built) if len(built) < 3 else f"{', '.join(built[:-1])} and {built[-1]}"
    build = "build" if len(built) > 1 or built == ["You"] else "builds"
    each = " each" if len(built) > 1 else ""
    if payout == 0:
        return f"{who} {build} it for nothing"
    if payout < 0:
        return f"{who} {build} it and pay {-payout} M{each}"
    return f"{who} {build} it for {payout} M{each}"


def _payslip(view: ZahltagView, news: News, names: Sequence[str]) -> list[dict[str, Any]]:
    lines = []
    for s in view.seats:
        if s.seat in news.out:
            lines.append({"seat": s.seat, "name": names[s.seat], "pays": news.debts[s.seat], "out": True})
        elif s.active:
            lines.append({"seat": s.seat, "name": names[s.seat], "pays": news.wages.get(s.seat, 0), "out": False})
    return lines


def _stacks(view: ZahltagView, mine: bool, travel: Travel) -> list[dict[str, Any]]:
    """The hiring hall: each stack with what a click on it would do, by the card chosen in hand (None: none)."""
    stacks = []
    for t in range(TYPES):
        takes: list[dict[str, Any]] = []
        if mine and ADD + t in view.legal:
            takes.append({"given": None, "action": ADD + t, "text": words.action(ADD + t, view), "short": "Hire"})
        for i, (given, taken) in enumerate(EXCHANGES):
            if taken == t and mine and EXCHANGE + i in view.legal:
                text = words.action(EXCHANGE + i, view)
                takes.append({"given": given, "action": EXCHANGE + i, "text": text, "short": "Swap"})
        name = words.type_name(t)
        stacks.append({"t": t, "name": name, "count": view.stacks[t], "top": travel.top(t), "takes": takes})
    return stacks


def _stack_whys(view: ZahltagView, mine: bool, why: Why) -> list[dict[str, str]]:
    """Why nothing, or not everything, can be taken from the stacks."""
    if view.seat is None or view.phase == OVER:
        return []
    found: list[dict[str, str]] = []
    for t in range(TYPES):
        reason = why(ADD + t)
        if reason is not None and reason not in found:
            found.append(reason)
    return found


def _deck(view: ZahltagView, me: SeatView | None, fewest: int) -> dict[str, Any]:
    jobs = len(view.jobs_left)
    total = jobs + view.paydays_left
    cost = me.hand_count - fewest if me is not None and me.active else None
    if view.forced_payday_due and view.phase != BIDDING:
        chance = "certain"
    elif view.payday_impossible and view.phase != BIDDING:
        chance = "not now"
    else:
        chance = f"{view.paydays_left} in {total}"
    # While a Job is on offer the next card is turned in the next turn: after nine Jobs it is a Payday.
    if view.phase == BIDDING and len(view.job_row) >= view.job_limit:
        chance = "certain"
    return {
        "total": total,
        "jobs": jobs,
        "paydays": view.paydays_left,
        "chance": chance,
        "cost": cost,
        "left": [{"name": job.name, "icons": _icons(job.needs)} for job in view.jobs_left],
    }


# -- the players ------------------------------------------------------------------------------------------------------


def _round(view: ZahltagView) -> list[SeatView]:
    """The seats clockwise, the viewer's last."""
    start = 0 if view.seat is None else view.seat + 1
    return [view.seats[(start + i) % view.players] for i in range(view.players)]


def _by_turn(view: ZahltagView) -> list[SeatView]:
    """The seats in the order in which they come to turn, from the one whose turn it is."""
    return [view.seats[(view.current_player + i) % view.players] for i in range(view.players)]


def _bay(cards: list[list[str]]) -> list[tuple[int, str]]:
    return [(t, name) for t in range(TYPES) for name in cards[t]]


def _plot(
    view: ZahltagView,
    s: SeatView,
    names: Sequence[str],
    news: News,
    travel: Travel,
    gone: dict[int, int],
    fewest: int,
) -> dict[str, Any]:
    delta = news.payouts.get(s.seat, 0) - news.wages.get(s.seat, 0) if s.active else 0
    return {
        "seat": s.seat,
        "name": names[s.seat],
        "me": s.seat == view.seat,
        "active": s.active,
        "money": s.money,
        "delta": f"+{delta}" if delta > 0 else f"−{-delta}" if delta < 0 else "",
        "hand_count": s.hand_count,
        "left": _bay(travel.left[s.seat]),
        "right": _bay(travel.right[s.seat]),
        "left_text": words.workers(s.left),
        "right_text": words.workers(s.right),
        "slip": _slip(view, s, news, gone),
        "lit": s.seat in view.deciders,
    }


def _slip(view: ZahltagView, s: SeatView, news: News, gone: dict[int, int]) -> dict[str, Any]:
    """What lies between the two bays."""
    if not s.active:
        return {"kind": "out", "text": f"Turn {gone[s.seat]}" if s.seat in gone else ""}
    me = s.seat == view.seat
    if view.phase == OVER:
        return {"kind": "hand", "text": f"{s.hand_count} in hand"}
    if view.phase == BIDDING:
        if s.committed:
            return {"kind": "sealed", "text": f"Sealed: {_chosen(view)}" if me else "Sealed"}
        return {"kind": "you" if me else "think", "text": "You" if me else "Bidding"}
    if s.seat in view.deciders:
        return {"kind": "you" if me else "think", "text": "You" if me else "Hiring"}
    if news.payday is not None:
        pays = news.wages.get(s.seat, 0)
        return {"kind": "wages", "pays": pays, "text": "Wages" if pays else "Free"}
    if news.bids is not None:
        bid = news.bids[s.seat]
        return {"kind": "open", "bid": "00" if bid is None else str(bid), "won": s.seat in news.payouts, "text": ""}
    if view.phase == SETUP and s.operations:
        return {"kind": "idle", "text": "To come"}
    return {"kind": "idle", "text": "Ready" if view.phase == SETUP else ""}


def _rail(view: ZahltagView, s: SeatView, names: Sequence[str], fewest: int, gone: dict[int, int]) -> dict[str, Any]:
    return {
        "seat": s.seat,
        "name": names[s.seat],
        "me": s.seat == view.seat,
        "now": s.seat == view.current_player and view.phase not in (OVER, SETUP),
        "waits": s.seat in view.deciders,
        "active": s.active,
        "money": s.money,
        "hand": s.hand_count,
        "total": s.workers,
        "most": MAX_WORKERS,
        "cost": s.hand_count - fewest,
        "status": _status(view, s, gone),
    }


def _status(view: ZahltagView, s: SeatView, gone: dict[int, int]) -> str:
    if not s.active:
        return f"Out of business since turn {gone[s.seat]}" if s.seat in gone else "Out of business"
    if view.phase == OVER:
        place = next(r.place for r in view.ranks if r.seat == s.seat)
        return "Won" if place == 1 else f"Place {place}"
    deciding = s.seat in view.deciders
    current = s.seat == view.current_player
    if view.phase == SETUP:
        if deciding:
            return f"Changes the crew, {s.operations} left"
        return "Changes the crew later" if s.operations else "Content with the crew"
    if view.phase == BIDDING:
        if current:
            return "Turned the card, sealed" if s.committed else "Turned the card, chooses"
        return "Offer sealed" if s.committed else "Choosing an offer"
    if deciding:
        return "Sends workers back" if view.phase == EXCESS else "May change the crew"
    return "Waits for the next card"


# -- the viewer's own hand --------------------------------------------------------------------------------------------


def _hand(view: ZahltagView, me: SeatView | None, travel: Travel) -> list[dict[str, Any]]:
    """The viewer's cards. lit: needed for the Job on offer. give: can be put back or exchanged now."""
    if me is None or me.hand is None:
        return []
    needs = list(view.job.needs) if view.job else [0] * TYPES
    cards = []
    for t in range(TYPES):
        give = DISCARD + t in view.legal
        for i, name in enumerate(travel.hand[t]):
            # The cards that would go are the last ones of their type.
            lit = me.hand[t] - i <= needs[t]
            cards.append({"t": t, "id": name, "name": words.type_name(t), "lit": lit, "give": give, "n": i + 1})
    return cards


def _can(view: ZahltagView, me: SeatView | None) -> list[dict[str, Any]]:
    """The types that can be put back now, with the words for it."""
    return [
        {"t": t, "action": DISCARD + t, "text": words.action(DISCARD + t, view)}
        for t in range(TYPES)
        if DISCARD + t in view.legal
    ]


def _able(view: ZahltagView, me: SeatView | None) -> dict[str, Any] | None:
    """Has the viewer the crew for the Job on offer?"""
    if me is None or me.hand is None or view.job is None or not me.active:
        return None
    missing = [max(0, need - have) for need, have in zip(view.job.needs, me.hand, strict=True)]
    return {"yes": not any(missing), "missing": words.workers(missing)}


def _bids(view: ZahltagView, mine: bool) -> dict[str, Any]:
    """The Offer cards, two numbers each, with what they would bring; `choices` in the order of their values."""
    if not mine or view.phase != BIDDING:
        return {"cards": [], "choices": []}
    me = view.seats[view.seat] if view.seat is not None else None
    choices = []
    for i, value in enumerate(view.offers):
        tied = value - TIE_DISCOUNT
        choices.append(
            {
                "value": value,
                "action": BID + i,
                "n": i + 1,
                "legal": BID + i in view.legal,
                "alone": _signed(value),
                "tied": _signed(tied),
                "tied_bad": tied < 0,
                "then": _payday_after(view, me),
                "text": words.action(BID + i, view),
            }
        )
    by_value = {c["value"]: c for c in choices}
    pairs = [(a, b) for a, b in view.offer_pairs if a in by_value and b in by_value]
    cards = [(by_value[a], by_value[b] if b != a else None) for a, b in pairs]
    no_bid = {"action": NO_BID, "n": 0, "text": words.action(NO_BID, view), "then": _payday_now(view, me)}
    return {"cards": cards, "choices": choices, "none": no_bid}


def _signed(amount: int) -> str:
    return f"+{amount} M" if amount > 0 else f"−{-amount} M" if amount < 0 else "0 M"


def _cost(view: ZahltagView, seat: int, count: int) -> int:
    """What a Payday would cost a seat with so many cards in hand, the others staying as they are."""
    others = [s.hand_count for s in view.seats if s.active and s.seat != seat]
    return max(0, count - min(others, default=count))


def _payday_after(view: ZahltagView, me: SeatView | None) -> int:
    """The cost of a Payday if the Job is won alone."""
    if me is None or view.job is None:
        return 0
    return _cost(view, me.seat, max(0, me.hand_count - sum(view.job.needs)))


def _payday_now(view: ZahltagView, me: SeatView | None) -> int:
    return _cost(view, me.seat, me.hand_count) if me is not None else 0


def _changes(view: ZahltagView, mine: bool, me: SeatView | None, fewest: int) -> list[dict[str, Any]]:
    """What a Payday would cost after each kind of change."""
    if not mine or me is None or view.phase not in (SETUP, HIRE):
        return []
    return [
        {"text": "Leave or exchange", "cost": _cost(view, me.seat, me.hand_count)},
        {"text": "Hire one", "cost": _cost(view, me.seat, me.hand_count + 1)},
        {"text": "Send one back", "cost": _cost(view, me.seat, max(0, me.hand_count - 1))},
    ]


def _chosen(view: ZahltagView) -> str:
    """What the viewer has face down."""
    if view.chosen is None:
        return ""
    return "00" if view.chosen == NO_BID else str(view.offers[view.chosen - BID])


def _prompt_title(view: ZahltagView, mine: bool) -> str:
    if view.phase == OVER:
        return "Game over"
    if not mine:
        if view.chosen is not None:
            return f"Sealed: {_chosen(view)}"
        return "Waiting" if view.seat is not None else "You watch"
    return {SETUP: "Your crew", HIRE: "Hire", EXCESS: "Too many", BIDDING: "Your offer"}[view.phase]


def _one(reason: dict[str, str] | None) -> list[dict[str, str]]:
    return [reason] if reason is not None else []


# -- the end ----------------------------------------------------------------------------------------------------------


def _ranking(view: ZahltagView, names: Sequence[str]) -> list[dict[str, Any]]:
    """Best first, with every value that was compared."""
    heads = [words.criterion(c)[0] for c in view.criteria]
    # That all lasted to the end need not be said.
    told = [i for i in range(len(heads)) if i or any(r.values[0] != view.ranks[0].values[0] for r in view.ranks)]
    return [
        {
            "seat": r.seat,
            "name": names[r.seat],
            "place": r.place,
            "me": r.seat == view.seat,
            "values": [
                {"head": heads[i], "text": words.criterion_value(c, r.values[i]), "decided": r.decided_by == c}
                for i, c in enumerate(view.criteria)
                if i in told
            ],
        }
        for r in view.ranks
    ]


def job_needs(job: JobView) -> str:
    """A Job's needs in words."""
    return words.workers(job.needs)
