"""Sentences for Zahltag, made from ids and facts by the catalogues in `messages`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from shopfloor.engine.events import Event
from shopfloor.engine.refusals import Refusal
from shopfloor.engine.views import View
from shopfloor.games.zahltag.actions import Add, Bid, Discard, Exchange, NoBid, make_space
from shopfloor.games.zahltag.messages.en import MESSAGES
from shopfloor.games.zahltag.view import ZahltagView


def _say(key: str, **facts: object) -> str:
    return MESSAGES[key].format(**facts)


def _list(parts: Sequence[str]) -> str:
    """One text of several: a, b and c."""
    if not parts:
        return ""
    text = parts[-1]
    for i, part in enumerate(reversed(parts[:-1])):
        text = _say("list.two" if i == 0 else "list.more", a=part, b=text)
    return text


def type_name(t: int, n: int = 1) -> str:
    """A Worker type's name, for one or for several."""
    return MESSAGES[f"type.{t}" if n == 1 else f"types.{t}"]


def workers(counts: Iterable[int]) -> str:
    """Counts by type in words: 2 Foremen and 1 Crane."""
    parts = [_say("counted", n=n, type=type_name(t, n)) for t, n in enumerate(counts) if n]
    return _list(parts) or MESSAGES["none"]


def _article(t: int) -> str:
    return MESSAGES[f"article.{t}"]


def _cards(n: int) -> str:
    return MESSAGES["cards.one"] if n == 1 else _say("cards", n=n)


def _bid(value: int | None) -> str:
    return MESSAGES["bid.none"] if value is None else str(value)


def _variant(event: Event) -> str:
    """Which wording of an event's kind its facts ask for."""
    facts: dict[str, Any] = event.facts
    kind = event.kind
    if kind == "jobs_finished":
        if any(facts["returned"]):
            return f"{kind}.both" if any(facts["moved"]) else f"{kind}.returned"
        return f"{kind}.moved"
    if kind == "offer_chosen" and facts["bid"] is None:
        return f"{kind}.none"
    if kind == "job_won" and facts["tied"]:
        payout = facts["payout"]
        return f"{kind}.tied" if payout > 0 else f"{kind}.nothing" if payout == 0 else f"{kind}.paid"
    if kind == "payday_revealed" and facts["forced"]:
        return f"{kind}.forced"
    if kind in ("eliminated", "game_ended"):
        return f"{kind}.{facts['reason']}"
    return kind


def event(event: Event, seats: Sequence[str], viewer: int | None) -> str:
    """What happened, told to `viewer` (None: a spectator); `seats` are the players' names."""
    facts: dict[str, Any] = event.facts
    key = _variant(event)
    words: dict[str, object] = dict(facts)
    seat = facts.get("seat", facts.get("first_player"))
    if seat is not None:
        words["name"] = seats[seat]
        if seat == viewer and f"{key}.you" in MESSAGES:
            key = f"{key}.you"
    for name in ("type", "given", "taken"):
        if name in facts:
            words[name] = _article(facts[name])
    for name in ("workers", "needs", "returned", "moved"):
        if name in facts:
            words[name] = workers(facts[name])
    if "stacks" in facts:
        words["workers"] = workers(facts["stacks"])
    if "cards" in facts:
        words["cards"] = _cards(facts["cards"])
    if "name" in facts:
        words["job"] = facts["name"]
    if event.kind in ("job_won", "job_revealed", "job_unwon"):
        words["job"] = facts["name"]
        if seat is not None:
            words["name"] = seats[seat]
    for name in ("seats", "winners"):
        if name in facts:
            words["names"] = _names(facts[name], seats, viewer)
    if "payout" in facts:
        words["loss"] = -facts["payout"]
    if "bid" in facts:
        words["bid"] = _bid(facts["bid"])
    if "bids" in facts:
        pairs = zip(facts["seats"], facts["bids"], strict=True)
        offers = [_say("offer", name=seats[s], bid=_bid(b)) for s, b in pairs]
        words["offers"] = _list(offers)
    return MESSAGES[key].format(**words)


def _names(which: Iterable[int], seats: Sequence[str], viewer: int | None) -> str:
    """Seats at the start of a sentence."""
    names = _list([MESSAGES["you"] if s == viewer else seats[s] for s in which])
    return names[:1].upper() + names[1:]


def refusal(refusal: Refusal, seats: Sequence[str]) -> str:
    """Why something is not allowed, and what would be."""
    facts: dict[str, Any] = refusal.facts
    key = f"refusal.{refusal.code}"
    words: dict[str, object] = dict(facts)
    if refusal.code == "NOT_YOUR_DECISION":
        awaited = facts.get("deciders") or []
        key = key if awaited else f"{key}.nobody"
        words["names"] = _list([seats[s] for s in awaited])
    elif refusal.code == "WRONG_PHASE":
        key = f"{key}.{facts['phase']}"
    elif refusal.code == "MALFORMED" and facts.get("near"):
        key = f"{key}.near"
        words["near"] = _list([str(name) for name in facts["near"]])
    elif refusal.code == "BAD_OPTION" and "known" in facts:
        key = f"{key}.unknown"
        words["known"] = ", ".join(facts["known"])
    if "type" in facts:
        words["type"] = type_name(facts["type"])
        words["types"] = type_name(facts["type"], 2)
    for name in ("needs", "missing"):
        if name in facts:
            words[name] = workers(facts[name])
    for name in ("offers", "allowed"):
        if name in facts:
            words[name] = _list([str(value) for value in facts[name]])
    if key not in MESSAGES:
        key = "refusal"
        words["code"] = refusal.code
    return MESSAGES[key].format(**words)


def action(action: int, state_view: View) -> str:
    """A button's words for an action."""
    assert isinstance(state_view, ZahltagView)
    found = make_space(state_view.offers).decode(action)
    if isinstance(found, Add):
        return _say("action.add", type=_article(found.type))
    if isinstance(found, Discard):
        return _say("action.discard", type=_article(found.type))
    if isinstance(found, Exchange):
        return _say("action.exchange", given=_article(found.given), taken=_article(found.taken))
    if isinstance(found, Bid):
        return _say("action.bid", value=found.value)
    if isinstance(found, NoBid):
        return MESSAGES["action.00"]
    return MESSAGES["action.done" if state_view.phase == "ADJUST_START" else "action.pass"]


def question(view: View, seats: Sequence[str]) -> str:
    """What is asked now: of the viewer if it is their decision, else of whom."""
    assert isinstance(view, ZahltagView)
    key = f"question.{view.phase}"
    job = view.job.name if view.job else ""
    if view.phase == "GAME_OVER":
        return _say(key, names=_names([r.seat for r in view.ranks if r.place == 1], seats, view.seat))
    if view.seat is not None and view.seat in view.deciders:
        n = view.seats[view.seat].operations
        key = f"{key}.you"
        if view.phase == "ADJUST_START" and n == 1:
            key = f"{key}.one"
        elif view.phase == "BIDDING" and len(view.legal) == 1:
            key = f"{key}.cannot"
        return _say(key, n=n, job=job)
    return _say(key, names=_list([seats[s] for s in view.deciders]), job=job)


def option(option: str) -> tuple[str, str]:
    """An option's title and what it is about."""
    return (MESSAGES[f"option.{option}"], MESSAGES[f"option.{option}.why"])


def option_value(option: str, value: str) -> str:
    """What a value of an option means."""
    key = f"option.{option}.{value}"
    return MESSAGES[key] if key in MESSAGES else _say(f"option.{option}.seat", n=int(value) + 1)


def criterion(criterion: str) -> tuple[str, str]:
    """A ranking criterion's heading, and how it breaks a tie."""
    return (MESSAGES[f"criterion.{criterion}"], MESSAGES[f"criterion.{criterion}.why"])


def criterion_value(criterion: str, value: int) -> str:
    """A value of a criterion as people say it."""
    return _say(f"value.{criterion}", n=value)


def measure(measure: str) -> str:
    """What one of the judgement's `measures` counts."""
    return MESSAGES[f"measure.{measure}"]
