"""What can happen in Zahltag: every kind of event with the names of its facts.

Seats are ints, types are ints (WorkerType), jobs are ints (places in `Cards.job_ids`), `workers`, `needs` and the
like are four counts by type, money is in millions.
"""

from typing import Final

from shopfloor.engine.events import EventTable

EVENTS: Final[EventTable] = {
    "game_began": ("players", "first_player"),
    "hand_dealt": ("seat", "workers"),
    "stacks_opened": ("stacks",),
    "worker_added": ("seat", "type"),
    "worker_discarded": ("seat", "type"),
    "workers_exchanged": ("seat", "given", "taken"),
    "adjustment_ended": ("seat", "operations"),
    "turn_began": ("seat", "turn"),
    "jobs_finished": ("seat", "returned", "moved"),
    "passed": ("seat",),
    "excess_paid": ("seat", "excess", "each", "total"),
    "payday_rejected": ("seat",),
    "job_revealed": ("seat", "job", "name", "needs", "number"),
    "offer_chosen": ("seat", "bid"),
    "offer_sealed": ("seat",),
    "offers_opened": ("seats", "bids"),
    "job_won": ("seat", "job", "name", "bid", "payout", "tied"),
    "workers_laid_out": ("seat", "workers"),
    "job_unwon": ("job", "name"),
    "payday_revealed": ("seat", "number", "forced"),
    "wages_free": ("seats", "cards"),
    "wages_paid": ("seat", "cards", "minimum", "amount"),
    "wages_equal": ("cards",),
    "eliminated": ("seat", "reason", "debt", "money"),
    "game_ended": ("reason", "winners"),
}
