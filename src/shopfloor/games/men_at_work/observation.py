"""What programs that learn see of a game of Men at Work: the fields of the View, in order.

See docs/lab/observations.md. Pieces and cards are numbers of `pieces.py` and of the edition; what is fixed has negative
numbers. Lengths are in micrometres, turns in ten-millionths.
"""

from __future__ import annotations

from typing import Any, Final

from shopfloor.games.men_at_work.actions import CRANE_PLACES
from shopfloor.games.men_at_work.cards import CARDS, GIRDER_HOW, KINDS, WORKER_HOW, Cards
from shopfloor.games.men_at_work.judge import REASONS
from shopfloor.games.men_at_work.pieces import COLOURS, COUNTS, CRANE, LENGTH, PER_COLOUR, PIECES, TURN
from shopfloor.games.men_at_work.position import AWARD_GOAL, PHASE_NAMES, STOCK

# What exceeds these is rare and reads as this.
MOST_TURNS: Final = 200
MOST_TRIES: Final = 60
FARTHEST: Final = 600 * LENGTH  # from the middle of the table
HIGHEST: Final = 1000 * LENGTH

STEPS: Final = 2
FINDINGS: Final = 16
VARIANTS: Final = ("foreman", "crane", "skyscraper")
EVERYTHING: Final = range(CRANE, PIECES)
"""The pieces, and before them what is fixed."""


def declare(o: Any, edition: Cards, players: int) -> None:
    """The fields, with a vocabulary `o` that the reader of the declaration brings."""
    pieces = range(PIECES)
    o.one_of("phase", PHASE_NAMES, "what is decided")
    o.number("turn", 0, MOST_TURNS, "turns begun")
    o.who("hook", "who has the rescue hook")
    o.who("youngest", "who set up the site")
    o.marks("deciders", "who has to decide")
    o.some_of("variants", VARIANTS, "the variants that are played")
    o.one_of("crane", ("", *CRANE_PLACES), "where the crane stands")
    o.number("deck", 0, CARDS + 1, "cards in the deck")
    o.number("discard", 0, CARDS, "cards in the discard pile")
    o.one_of("what", ("", *KINDS), "what the deck's top shows")
    o.some_of("what_colours", COLOURS, "its colours")
    o.one_of("girder_how", ("", *GIRDER_HOW), "the girder instruction on the discard pile")
    o.one_of("worker_how", ("", *WORKER_HOW), "the worker instruction on it")
    o.flag("rita_on_top", "the deck's top is Boss Rita")
    o.flag("rita_active", "awards are given")
    above = o.slots("rita_above", 2, "Boss Rita is somewhere below")
    above.number("", 0, CARDS, "cards above her below the top: at least, at most")
    o.one_of("colour", ("", *COLOURS), "the colour chosen for this turn")
    o.numbers("supply", COUNTS, "pieces in the supply, by kind")
    o.numbers("girders", [PER_COLOUR] * len(COLOURS), "girders in the supply, by colour")
    piece = o.keyed("site", PIECES, "piece", "on the site, or in the hand")
    piece.numbers("position", [FARTHEST] * 3, "x, y, z of its middle; nothing for what is in the hand", low=-FARTHEST)
    piece.numbers("rotation", [TURN] * 4, "its turn as a quaternion w, x, y, z; likewise", low=-TURN)
    piece.number("top", 0, HIGHEST, "its highest point, a worker's with his hat")
    piece.flag("dead", "lost in the box")
    piece.flag("loose", "a hat that nobody wears")
    piece.flag("fresh", "of this turn")
    piece.some_of("carried_by", EVERYTHING, "what it rests on")
    step = o.slots("steps", STEPS, "there is such a step in this turn")
    step.some_of("pieces", pieces, "what is to be placed in it")
    step.some_of("placed", pieces, "what of it has been placed")
    step.some_of("grips", pieces, "what of it can be taken in hand now")
    o.number("step", 0, STEPS - 1, "the step that is due")
    o.some_of("held", pieces, "what is in the hand")
    o.number("tries", 0, MOST_TRIES, "failed tries of this turn")
    o.number("tries_allowed", 0, 10, "option: how many end a turn, 0 for no limit")
    o.number("may_give_up_after", 0, 3, "option: after how many one may give up, 0 for never")
    for path, meaning in (
        ("findings", "the judge's last verdict: there is such a finding"),
        ("possible", "his opinion of the site now: there is such a finding"),
    ):
        finding = o.slots(path, FINDINGS, meaning)
        finding.one_of("code", REASONS, "the condition, as the reason why it would fail")
        finding.flag("met", "it holds")
        finding.some_of("pieces", EVERYTHING, "what it is about")
    o.some_of("retrieve", pieces, "what has yet to be taken away")
    o.some_of("supports", pieces, "fallen supports yet to be decided on")
    o.flag("rebuilding", "a new site is to be set up")
    o.number("foreman_left", 0, 2, "Foreman cards that may still be played this turn")
    seat = o.around("seats")
    seat.number("certificates", 0, 3, "safety certificates")
    seat.number("awards", 0, max(AWARD_GOAL.values()), "Worker of the Month awards")
    seat.number("card_count", 0, 2, "Foreman cards in hand")
    seat.tally(
        "cards", CARDS, 1, "which ones: the viewer's own, and all once the game is over", key="card", optional=True
    )
    _leave_out(o, piece, seat)


def _leave_out(o: Any, piece: Any, seat: Any) -> None:
    for part in ("name", "kind", "colour"):
        piece.leave_out(part, "the number says it")
    seat.leave_out("seat", "blocks are counted from the viewer on")
    seat.leave_out("in_game", "who has a certificate is")
    seat.leave_out("hook", "`hook` above says it")
    o.leave_out("seat", "the viewer is always the first")
    o.leave_out("players", "the observation is made for one number of players")
    o.leave_out("legal", "that is the action mask")
    o.leave_out("how", "the deck's top says which of the two instructions applies")
    o.leave_out("award_goal", "the number of players says it")
    o.leave_out("awards_left", f"{STOCK} less the seats' awards")
    for part in ("cause", "criteria", "ranks"):
        o.leave_out(part, "only once the game is over")
