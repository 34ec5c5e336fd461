"""Signs for cards: an instruction in two or three words, and what newcomers ask about it."""

from __future__ import annotations

from typing import Final

from shopfloor.games.men_at_work.pieces import KIND_NAMES

HOW: Final = {
    "BALANCE": "Balance",
    "SAME_COLOUR": "Touch its colour",
    "TWO_OTHER_COLOURS": "Touch 2 other colours",
    "TOUCH_HIGHEST": "Touch the highest",
    "WITH_WORKER": "And a worker",
    "STRONG_WORKER": "Strong worker",
    "NEW_SUPPORT_SAME": "New support, its colour",
    "NEW_SUPPORT_DIFFERENT": "New support, another colour",
    "NEW_SUPPORT_ON_GIRDER": "Support on a girder",
    "TOUCH_SUPPORT": "Touch a support",
    "TRANSPORT_BRICK": "Carry a brick",
    "HIGHEST_GIRDER": "Highest of all",
    "ONE_BRICK": "One brick",
    "TWO_BRICKS": "Two bricks",
    "ONE_BEAM": "One beam",
    "TWO_BEAMS": "Two beams",
    "BRICK_AND_BEAM": "Brick and beam",
    "NEAR_EDGE": "At the edge",
    "TRANSPORT_BEAM": "Carry a beam",
    "CONNECT": "Join two workers",
    "ADDITIONAL_WORKER": "Two workers",
}
CLAUSES: Final = {
    "BALANCE": "MW-17.1",
    "SAME_COLOUR": "MW-17.2",
    "TWO_OTHER_COLOURS": "MW-17.3",
    "TOUCH_HIGHEST": "MW-17.4",
    "WITH_WORKER": "MW-17.5",
    "STRONG_WORKER": "MW-17.6",
    "NEW_SUPPORT_SAME": "MW-17.7",
    "NEW_SUPPORT_DIFFERENT": "MW-17.8",
    "NEW_SUPPORT_ON_GIRDER": "MW-17.9",
    "TOUCH_SUPPORT": "MW-17.10",
    "TRANSPORT_BRICK": "MW-17.11",
    "HIGHEST_GIRDER": "MW-17.12",
    "ONE_BRICK": "MW-18.1",
    "TWO_BRICKS": "MW-18.2",
    "ONE_BEAM": "MW-18.3",
    "TWO_BEAMS": "MW-18.4",
    "BRICK_AND_BEAM": "MW-18.5",
    "NEAR_EDGE": "MW-18.6",
    "TRANSPORT_BEAM": "MW-18.7",
    "CONNECT": "MW-18.8",
    "ADDITIONAL_WORKER": "MW-18.9",
}
SIGNS: Final = (
    ("One hand", "Only this turn’s piece is in your hand. It may push and lift others; you may not.", "MW-6.2"),
    ("Try again", "What does not fit yet costs nothing: take the piece up again.", "MW-6.5"),
    ("Accident", "Something fell on the table or on a worker. It costs a certificate and ends the turn.", "MW-9.1"),
    ("No accident", "What falls and stays on a girder, a beam or a brick does no harm.", "MW-9.6"),
    ("Cleaning up", "Whoever gets the hook after an accident takes away what fell, then has a turn.", "MW-10.1"),
    ("Boss Rita", "Once she is here, whoever builds higher than all else wins an award.", "MW-11.4"),
)
"""Newcomers' words: heading, sentence, clause."""

PLURAL: Final = dict(zip(KIND_NAMES, ("supports", "girders", "workers", "hardhats", "beams", "bricks"), strict=True))
