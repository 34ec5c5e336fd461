"""What programs that learn see of a game of Zahltag: the fields of the View, in order.

See docs/lab/observations.md.
"""

from __future__ import annotations

from typing import Any, Final

from shopfloor.games.zahltag.actions import make_space
from shopfloor.games.zahltag.cards import JOBS, PAYDAYS, SUPPLY, Cards
from shopfloor.games.zahltag.rules import LAST_PAYDAY, MAX_WORKERS, PHASE_NAMES, START_OPERATIONS

MOST_MONEY: Final = 100  # in millions; what exceeds it is rare and reads as this
MOST_TURNS: Final = 64


def declare(o: Any, edition: Cards, players: int) -> None:
    """The fields, with a vocabulary `o` that the reader of the declaration brings."""
    actions = make_space(edition.offer_values).size
    o.one_of("phase", PHASE_NAMES, "what is decided")
    o.number("turn", 0, MOST_TURNS, "turns begun")
    o.who("current_player", "who decides first in this step")
    o.who("first_player", "who has the first-player marker")
    o.marks("deciders", "who has still to decide")
    o.one_of("chosen", range(actions), "what the viewer has face down: an action id")
    o.numbers("stacks", SUPPLY, "Worker cards in the stacks, by type")
    job = o.record("job", "a Job is on offer")
    job.one_of("job", range(JOBS), "its number in the edition")
    job.numbers("needs", SUPPLY, "what it needs, by type")
    o.tally("job_row", JOBS, 1, "Jobs since the last Payday", key="job")
    o.tally("jobs_left", JOBS, 1, "Jobs still in the stack", key="job")
    o.flag("forced_payday_due", "the next card is a Payday by rule")
    o.number("paydays_executed", 0, LAST_PAYDAY, "Paydays so far")
    o.number("paydays_left", 0, PAYDAYS, "Paydays in the stack")
    o.flag("payday_impossible", "the next card cannot be a Payday")
    o.flag("round_robin", "option: set-up in turns")
    o.flag("penalty", "option: what is above the card cap costs money")
    o.flag("floor_debt", "option: debt ends at nothing")
    seat = o.around("seats")
    seat.flag("active", "in the game")
    seat.number("money", 0, MOST_MONEY, "millions")
    seat.number("hand_count", 0, sum(SUPPLY), "Worker cards in hand")
    seat.numbers("hand", SUPPLY, "the hand by type: the viewer's own, and all once the game is over", optional=True)
    seat.numbers("known", SUPPLY, "how many of the hand everybody can be sure of, by type")
    seat.numbers("left", SUPPLY, "Worker cards on the left, by type")
    seat.numbers("right", SUPPLY, "Worker cards on the right, by type")
    seat.number("workers", 0, 2 * MAX_WORKERS, "Worker cards in all")
    seat.number("operations", 0, START_OPERATIONS, "operations left at set-up")
    seat.flag("committed", "has a card face down")
    seat.leave_out("seat", "blocks are counted from the viewer on")
    job.leave_out("id", "the number says it")
    job.leave_out("name", "the number says it")
    o.leave_out("seat", "the viewer is always the first")
    o.leave_out("players", "the observation is made for one number of players")
    o.leave_out("legal", "that is the action mask")
    o.leave_out("job_limit", "the number of players says it")
    o.leave_out("offers", "the edition says it")
    o.leave_out("offer_pairs", "the edition says it")
    o.leave_out("criteria", "only once the game is over")
    o.leave_out("ranks", "only once the game is over")
