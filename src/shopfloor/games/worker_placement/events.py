"""What can happen in Worker Placement: every kind of event with the names of its facts.

Seats, cards (numbers of the edition), jobs, buildings and skills are ints; `cubes` and `needs` are counts by skill.
`name` and `names` are what is printed on the cards or buildings concerned. `reason` is a word of a small list (see
`messages`). Each change of Cash or Thumbs is an event of its own.
"""

from typing import Final

from shopfloor.engine.events import EventTable

EVENTS: Final[EventTable] = {
    "game_began": ("players", "rounds"),
    "hand_dealt": ("seat", "cards", "names"),
    "round_began": ("round", "rounds"),
    "order_dealt": ("seats", "cards"),
    "order_set": ("seats", "scores", "claims"),
    "jobs_revealed": ("jobs", "names"),
    "preview_turned": ("job", "name"),
    "draft_dealt": ("seat", "cards", "names"),
    "network_dealt": (),
    "deck_shuffled": ("count",),
    "draft_chosen": ("seat", "kept", "passed", "network"),
    "draft_sealed": ("seat",),
    "draft_opened": ("right",),
    "card_received": ("seat", "giver", "card", "name"),
    "auction_opened": ("cards", "names"),
    "network_discarded": ("count", "cards", "names"),
    "bid_made": ("seat", "space", "value", "second"),
    "bid_passed": ("seat", "second"),
    "card_won": ("seat", "card", "name", "price"),
    "auction_closed": ("cards", "names"),
    "meeple_placed": ("seat", "building", "name", "cost"),
    "placement_skipped": ("seat",),
    "cash_changed": ("seat", "amount", "cash", "reason"),
    "thumbs_changed": ("seat", "amount", "thumbs", "reason"),
    "cube_taken": ("seat", "skill", "reason"),
    "cube_returned": ("seat", "skill"),
    "cube_stolen": ("seat", "victim", "skill"),
    "cards_discarded": ("seat", "count", "cards", "names"),
    "own_discards": ("seat", "count", "cards", "names"),
    "cards_drawn": ("seat", "count"),
    "cards_seen": ("seat", "cards", "names"),
    "job_filled": (
        "seat",
        "job",
        "job_name",
        "worker",
        "worker_name",
        "cards",
        "names",
        "cubes",
        "cash",
        "thumbs",
    ),
    "card_played": ("seat", "card", "name"),
    "step_skipped": ("seat", "effect"),
    "placement_free": ("seat",),
    "order_claimed": ("seat", "position"),
    "card_stolen": ("seat", "victim"),
    "card_taken": ("seat", "victim", "card", "name"),
    "jobs_put_under": ("seat", "jobs", "names"),
    "meeple_recalled": ("seat", "building", "name"),
    "meeples_returned": (),
    "discards_sealed": ("seat",),
    "hand_shown": ("seat", "cards", "names"),
    "game_ended": ("winners",),
}
