"""What can happen in Men at Work: every kind of event with the names of its facts.

Seats are ints; pieces are numbers of `pieces.py` (what is fixed has negative ones), colours, cards, instructions and
reasons are the specification's names.
"""

from typing import Final

from shopfloor.engine.events import EventTable

EVENTS: Final[EventTable] = {
    "game_began": ("players", "youngest", "certificates"),
    "cards_dealt": ("seat", "cards", "workers", "colours"),
    "site_designed": ("seat", "plan", "again"),
    "crane_stands": ("seat", "place"),
    "card_revealed": ("seat", "worker", "colours", "girder_how", "worker_how"),
    "cannot_comply": ("seat",),
    "deck_shuffled": ("cards",),
    "rita_revealed": ("seat",),
    "card_played": ("seat", "card", "on_deck"),
    "colour_chosen": ("seat", "colour", "worker", "pieces"),
    "piece_gripped": ("seat", "piece"),
    "piece_released": ("seat", "piece"),
    "piece_dropped": ("seat", "pieces"),
    "touched": ("seat", "pieces"),
    "piece_stands": ("seat", "step"),
    "try_failed": ("seat", "tries", "reasons"),
    "built": ("seat", "instruction", "pieces"),
    "given_up": ("seat", "tries"),
    "accident": ("seat", "how", "piece", "on", "fell"),
    "certificate_lost": ("seat", "left"),
    "eliminated": ("seat",),
    "hook_passed": ("seat",),
    "clean_up_began": ("seat", "pieces"),
    "left_in_box": ("pieces",),
    "retrieved": ("seat", "piece"),
    "pushed_back": ("seat", "piece", "back"),
    "support_decided": ("seat", "piece", "back"),
    "cleaned": ("seat",),
    "collapsed": ("seat",),
    "award_given": ("seat", "awards"),
    "game_ended": ("cause", "winners"),
}
