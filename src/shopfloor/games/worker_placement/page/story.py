"""What the events tell: what happened in this round, and what the last turn brought."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from shopfloor.engine.events import Event


@dataclass
class News:
    """What happened in this round, and what the last turn brought."""

    filled: list[dict[str, Any]] = field(default_factory=list)
    cash: dict[int, int] = field(default_factory=dict)
    thumbs: dict[int, int] = field(default_factory=dict)
    bids: int = 0
    passed: set[int] = field(default_factory=set)
    won: list[dict[str, Any]] = field(default_factory=list)


def read(events: Sequence[Event]) -> News:
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
