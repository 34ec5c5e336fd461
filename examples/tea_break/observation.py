"""What programs that learn see of a game of Tea Break."""

from __future__ import annotations

from typing import Any

from examples.tea_break.cards import CARDS, MOST, PLATES, Plates


def declare(o: Any, edition: Plates, players: int) -> None:
    """The fields, with a vocabulary `o` that the reader of the declaration brings."""
    o.marks("deciders", "who has still to choose")
    o.one_of("chosen", range(CARDS), "the action that the viewer has face down")
    o.number("round", 0, PLATES, "the round")
    o.one_of("plate", range(PLATES), "the plate drawn last")
    o.number("table", 0, MOST, "biscuits on the table")
    o.tally("left", PLATES, 1, "plates to come")
    o.flag("stay", "option: what nobody takes stays on the table")
    seat = o.around("seats")
    seat.places("hand", range(1, CARDS + 1), "cards in hand")
    seat.number("biscuits", 0, MOST, "biscuits taken")
    seat.flag("committed", "has a card face down")
    seat.leave_out("seat", "blocks are counted from the viewer on")
    o.leave_out("seat", "the viewer is always the first")
    o.leave_out("players", "the observation is made for one number of players")
    o.leave_out("legal", "that is the action mask")
    o.leave_out("over", "`deciders` says it")
