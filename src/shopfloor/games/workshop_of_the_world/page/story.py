"""What the events tell: this round's auctions, what the last turn brought, and what was collected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from shopfloor.engine.events import Event


@dataclass
class Income:
    """What a seat collected at the end of an Era, in pounds."""

    revenue: int = 0
    links: int = 0
    industries: int = 0

    @property
    def total(self) -> int:
        return self.revenue + self.links + self.industries


@dataclass
class News:
    """revenue: by seat, what the last turn added. fresh: connections built in it; town: where it placed, or None.

    spent: by seat in the last turn. collected: for each Era that has ended the income of each seat. fists: what each
    held out last, pounds and set. gambled: the town on the card gambled for, "wild" for a wild one, or nothing.
    owners: by connection the set that built there in this Era; at the end they say what the map was like.
    longest: the connections of each set's longest network when Links were last collected.
    """

    revenue: dict[int, int] = field(default_factory=dict)
    spent: dict[int, int] = field(default_factory=dict)
    fresh: list[int] = field(default_factory=list)
    town: int | None = None
    collected: list[dict[int, Income]] = field(default_factory=list)
    fists: dict[int, tuple[int, int]] = field(default_factory=dict)
    gambled: str = ""
    owners: dict[int, int] = field(default_factory=dict)
    longest: dict[int, list[int]] = field(default_factory=dict)


def read(events: Sequence[Event]) -> News:
    news = News()
    collecting = False
    for event in events:
        facts: dict[str, Any] = event.facts
        kind = event.kind
        seat = facts.get("seat", -1)
        if kind in ("auction_won", "last_card_taken", "card_taken"):
            news.revenue, news.spent, news.fresh, news.town, news.gambled = {}, {}, [], None, ""
            if "price" in facts:
                news.spent[seat] = facts["price"]
        elif kind == "industry_placed":
            news.town = facts["town"]
        elif kind == "card_gambled":
            news.gambled = facts["name"] or "wild"
        elif kind == "link_built":
            news.fresh.append(facts["connection"])
            news.owners[facts["connection"]] = facts["set"]
            news.spent[seat] = news.spent.get(seat, 0) + facts["price"]
        elif kind == "revenue_gained":
            news.revenue[seat] = news.revenue.get(seat, 0) + facts["gain"]
        elif kind == "fists_opened":
            news.fists = dict(enumerate(zip(facts["bids"], facts["sets"], strict=True)))
        elif kind == "cards_turned_up":
            news.fists = {}
            collecting = False
        elif kind == "revenue_collected":
            if not collecting:
                news.collected.append({})
                news.fresh, news.town, news.revenue = [], None, {}
            collecting = True
            news.collected[-1].setdefault(seat, Income()).revenue = facts["amount"]
        elif kind == "links_collected":
            news.collected[-1][seat].links += facts["amount"]
            news.longest[facts["set"]] = facts["longest"]
        elif kind == "industries_collected":
            news.collected[-1][seat].industries = facts["amount"]
        elif kind == "era_began":
            collecting = False
            news.owners, news.longest = {}, {}
    return news
