"""What can happen in Temp Worker Assassins: every kind of event with the names of its facts.

Seats are ints. card and cards are kinds (places in `Cards.ids`), target a kind of Target, space a number of the
edition's action spaces, always with their names beside them: name or names, department and number (of the space).
effect is a step or several as the edition writes them.
"""

from typing import Final

from shopfloor.engine.events import EventTable

EVENTS: Final[EventTable] = {
    "game_began": ("players", "starting_player", "departments"),
    "day_began": ("day", "card", "name", "seat"),
    "occupied": ("seat", "effect", "space", "department", "number"),
    "skipped": ("seat",),
    "drew": ("seat", "count"),
    "drew_cards": ("seat", "cards", "names"),
    "deck_shuffled": ("seat", "count"),
    "discarded": ("seat", "cards", "names"),
    "trashed": ("seat", "card", "name"),
    "gained": ("seat", "card", "name"),
    "recovered": ("seat", "card", "name"),
    "cycled": ("seat", "cards", "names"),
    "cleared": ("seat", "cards", "names"),
    "row_filled": ("cards", "names"),
    "supply_shuffled": ("count",),
    "researched": ("seat", "count"),
    "research_seen": ("seat", "cards", "names"),
    "research_kept": ("seat", "card", "name"),
    "research_discarded": ("seat", "cards", "names"),
    "option_chosen": ("seat", "effect"),
    "declined": ("seat", "effect"),
    "lasting_began": ("seat", "effect", "space", "department", "number"),
    "evicted": ("seat", "other", "space", "department", "number"),
    "relocated": ("seat", "origin", "left", "space", "department", "number"),
    "released": ("seat", "count"),
    "start_marker_claimed": ("seat",),
    "target_swapped": ("seat", "target", "name"),
    "target_revealed": ("target", "name", "place"),
    "zombie_revealed": ("target", "name", "left"),
    "attempt_began": ("seat", "target", "name", "defence"),
    "card_played": ("seat", "card", "name", "total", "defence"),
    "stopped": ("seat",),
    "attempt_succeeded": ("seat", "target", "name", "total", "defence", "bounty"),
    "attempt_failed": ("seat", "target", "name", "total", "defence", "bounty"),
    "markers_won": ("seat", "cards", "names"),
    "sent_to_security": ("seat",),
    "assassin_returned": ("seat", "name"),
    "hand_discarded": ("seat", "played", "cards", "names"),
    "hand_refreshed": ("seat", "cards", "names"),
    "clocked_off": ("day", "seat"),
    "game_ended": ("bounties", "winners"),
}
