"""What programs that learn see of a game of Worker Placement: the fields of the View, in order.

See docs/lab/observations.md. Business cards, Jobs and skills are numbers of the edition.
"""

from __future__ import annotations

from typing import Any, Final

from shopfloor.games.worker_placement.actions import BUSINESS_CARDS, DRAFT, JOBS
from shopfloor.games.worker_placement.cards import Cards
from shopfloor.games.worker_placement.effects import EFFECTS
from shopfloor.games.worker_placement.position import AUCTION_CARDS, BUILDINGS, PHASE_NAMES

# What exceeds these is rare and reads as this.
MOST_CASH: Final = 180  # three laps of the track
MOST_THUMBS: Final = 60
MOST_CUBES: Final = 40  # of one skill, where the option makes them unlimited
MOST_MEEPLES: Final = 8
MOST_BONUS: Final = 40
MOST_SKILLS: Final = 12
MOST_JOBS: Final = 12

SPLITS: Final = 6
BIDS: Final = 8
ROUNDS: Final = 12


def declare(o: Any, edition: Cards, players: int) -> None:
    """The fields, with a vocabulary `o` that the reader of the declaration brings."""
    cubes = [MOST_CUBES] * 4
    o.one_of("phase", PHASE_NAMES, "what is decided, as far as the viewer may know")
    o.number("round", 0, ROUNDS, "the round")
    o.number("rounds", 0, ROUNDS, "option: how many there are")
    o.marks("deciders", "who has still to decide")
    o.order("order", "the order track, from first to last")
    o.tally("draft", BUSINESS_CARDS, 1, "the viewer's dealt cards", key="card")
    o.places("draft", range(BUSINESS_CARDS), "in which order they lie", key="card")
    o.one_of("chosen", range(DRAFT, DRAFT + SPLITS), "the split that the viewer has sealed: an action id")
    o.who("passes_to", "who gets the card that the viewer passes on")
    o.number("network", 0, BUSINESS_CARDS, "cards face down at the network")
    o.tally("auction", BUSINESS_CARDS, 1, "cards to be won", key="card")
    o.row("spaces", BIDS, "who bids on each space")
    o.row("bidders", players, "who has still to bid, the next one first")
    o.row("winners", AUCTION_CARDS, "who has still to pick, the next one first")
    building = o.each("buildings", BUILDINGS)
    building.around_numbers("meeples", MOST_MEEPLES, "meeples there")
    building.number("cost", 0, MOST_MEEPLES * players, "Cash for the viewer's next meeple")
    job = o.keyed("jobs", JOBS, "job", "at the Job Centre")
    job.number("missing", 0, MOST_SKILLS, "skills that the viewer is short of for it", optional=True)
    preview = o.record("preview", "there is a previewed Job")
    preview.one_of("job", range(JOBS), "which one")
    preview.number("missing", 0, MOST_SKILLS, "skills that the viewer is short of for it", optional=True)
    o.number("jobs_in_deck", 0, JOBS, "Jobs in the deck, the preview included")
    o.tally("jobs_unseen", JOBS, 1, "Jobs in the deck in an order that nobody knows", key="job")
    o.places("jobs_under", range(JOBS), "Jobs below those, in order", key="job")
    o.number("deck", 0, BUSINESS_CARDS, "cards in the deck")
    o.number("discard_count", 0, BUSINESS_CARDS, "cards in the discard pile")
    o.tally("discards", BUSINESS_CARDS, 1, "the discard pile, where it is open", key="card", optional=True)
    o.numbers("supply", cubes, "cubes in the supply, by skill")
    o.number("left", 0, MOST_SKILLS, "what can still be chosen in this phase")
    plan = o.record("plan", "the viewer is in the middle of a choice")
    plan.kind("card", "card", BUSINESS_CARDS, "the Management card to be played")
    plan.kind("job", "job", JOBS, "the Job to be filled")
    plan.kind("worker", "card", BUSINESS_CARDS, "the Worker card that pays")
    plan.tally("cards", BUSINESS_CARDS, 1, "cards chosen", key="card")
    plan.numbers("cubes", cubes, "cubes chosen, by skill")
    plan.number("missing", 0, MOST_SKILLS, "skills still missing", optional=True)
    plan.number("wanted", 0, BUSINESS_CARDS, "cards to be discarded at the hand limit", optional=True)
    playing = o.record("playing", "a Management card is being followed")
    playing.one_of("card.card", range(BUSINESS_CARDS), "which one")
    playing.one_of("effect", [text.split(" ")[0] for text in EFFECTS], "the step")
    playing.number("number", 0, MOST_CASH, "its number as printed")
    playing.number("left", 0, MOST_SKILLS, "what is still to choose in it")
    playing.who("victim", "whose cubes are being taken")
    playing.places("jobs", range(JOBS), "Jobs that go under the deck, in order", key="job")
    o.flag("alternate_draft", "option")
    o.flag("second_reversed", "option: second bids in reverse order")
    o.number("casino_min", 0, 1, "option: fewest cards at the Casino")
    o.number("thumbs_cap", 0, 30, "option: most Thumbs, 0 for no limit")
    o.flag("unlimited_cubes", "option")
    o.flag("reshuffle_at_once", "option")
    seat = o.around("seats")
    seat.number("cash", 0, MOST_CASH, "Cash")
    seat.number("thumbs", 0, MOST_THUMBS, "Thumbs")
    seat.number("reserve", 0, MOST_MEEPLES, "meeples in reserve")
    seat.number("on_track", 0, MOST_MEEPLES, "meeples on the track")
    seat.number("idle", 0, MOST_MEEPLES, "meeples to be placed")
    seat.number("hand_count", 0, BUSINESS_CARDS, "cards in hand")
    seat.tally(
        "hand", BUSINESS_CARDS, 1, "the hand: the viewer's own, and all once it is over", key="card", optional=True
    )
    seat.tally("known", BUSINESS_CARDS, 1, "cards of a hidden hand that the viewer knows of", key="card")
    seat.numbers("cubes", cubes, "cubes by skill")
    seat.tally("filled", JOBS, 1, "Jobs filled", key="job")
    seat.number("order_card", 0, 5, "the order card")
    seat.number("claim", 0, 5, "the position claimed for the next round, 0 for none")
    seat.flag("free", "places for nothing this round")
    seat.flag("recalled", "has recalled a meeple")
    seat.flag("committed", "has sealed a choice")
    seat.numbers("bonus", [MOST_BONUS] * 3, "final bonuses for Thumbs, cubes and cards")
    seat.leave_out("seat", "blocks are counted from the viewer on")
    seat.leave_out("cash_space", "`cash` says it")
    seat.leave_out("laps", "`cash` says it")
    seat.leave_out("bidding", "`spaces` says it")
    seat.leave_out("position", "`order` says it")
    for block in (job, preview):
        for part in ("id", "name", "needs", "cash", "thumbs"):
            block.leave_out(part, "the number says it")
        block.leave_out("reach", "advice, which follows from the hand")
        block.leave_out("proposal", "advice, which follows from the hand")
    building.leave_out("building", "its place says it")
    building.leave_out("name", "its place says it")
    building.leave_out("free", "its place says it")
    plan.leave_out("have", "it follows from what has been chosen")
    plan.leave_out("completion", "advice, which follows from the hand")
    for part in ("id", "name", "kind", "skills", "script", "at_end"):
        playing.leave_out(f"card.{part}", "the number says it")
    o.leave_out("seat", "the viewer is always the first")
    o.leave_out("players", "the observation is made for one number of players")
    o.leave_out("legal", "that is the action mask")
    o.leave_out("prices", "`spaces` says them")
    o.leave_out("bid_values", "they are the same in every game")
    o.leave_out("network_name", "the edition says it")
    o.leave_out("criteria", "only once the game is over")
    o.leave_out("ranks", "only once the game is over")
