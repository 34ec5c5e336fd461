"""What can happen in Workshop of the World: every kind of event with the names of its facts.

Seats and sets are ints (a set is a `Colour`), cards, towns and connections are ints (places in the edition's lists) and
come with the names to show; a wild card's `name` is empty. Types of counters are ints (TownType), five counts are by
type. Money is in pounds. era: 0 the Canal Era, 1 the Railway Era.
"""

from typing import Final

from shopfloor.engine.events import EventTable

EVENTS: Final[EventTable] = {
    "game_began": ("players", "order", "cash"),
    # Create Demand
    "counters_drawn": ("seat", "counters"),
    "counters_dealt": ("number",),
    "counters_chosen": ("seat", "types"),
    "counters_sealed": ("seat",),
    "counters_placed": ("seat", "types", "demand"),
    "counters_kept": ("seat", "number"),
    # rounds and auctions
    "cards_turned_up": ("era", "round", "more", "cards", "names", "values"),
    "card_selected": ("seat", "card", "name", "value"),
    "bid_passed": ("seat",),
    "bid_made": ("seat", "bid"),
    "auction_won": ("seat", "card", "name", "value", "price"),
    "last_card_taken": ("seat", "card", "name", "value", "price"),
    "fist_chosen": ("seat", "bid", "set"),
    "fist_sealed": ("seat",),
    "fists_opened": ("bids", "sets"),
    "fists_again": ("bid",),
    "fists_tied": ("seat", "bid"),
    "fist_placed": ("seat", "set", "price", "place"),
    "card_taken": ("seat", "set", "card", "name", "value"),
    "round_ended": ("round", "order"),
    # money
    "cash_raised": ("seat", "pounds", "revenue"),
    "shortfall_waived": ("seat", "amount"),
    "debt_made": ("seat", "amount"),
    # a turn
    "card_used": ("seat", "card", "name", "value"),
    "card_gambled": ("seat", "discarded", "card", "name", "value"),
    "placement_skipped": ("seat", "set"),
    "industry_lifted": ("seat", "set", "town", "name"),
    "industry_removed": ("seat", "set", "owner", "town", "name"),
    "industry_placed": ("seat", "set", "town", "name"),
    "link_built": ("seat", "set", "connection", "links", "price", "a", "b", "era"),
    "no_link_built": ("seat",),
    "revenue_gained": ("seat", "gain", "revenue", "towns"),
    # Collect Cash, re-set, end
    "revenue_collected": ("seat", "amount"),
    "links_collected": ("seat", "set", "apart", "network", "others", "amount", "longest"),
    "industries_collected": ("seat", "industries", "demand", "amount"),
    "supply_depleted": ("each", "bank"),
    "era_began": ("era", "deck", "aside"),
    "game_ended": ("winners", "wealth", "tied"),
}
