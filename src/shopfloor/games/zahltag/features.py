"""What a network that judges positions of Zahltag is told of them; see docs/lab/learning.md."""

from __future__ import annotations

from shopfloor.games.zahltag.cards import SUPPLY
from shopfloor.games.zahltag.judgement import WEIGHTS, Outlook, Stake, prospects, scale
from shopfloor.games.zahltag.rules import ADJUST_START, EXCESS, SEATS, Zahltag


def names(players: int) -> list[str]:
    """What the numbers of a row are, in order."""
    common = ["judgement", "jobs", "paydays", "soon", "later", "start", "excess", "deciding", "wait", "rivals"]
    block = ["active", "money", "hand", "right", "left"]
    block += [f"hand_{t}" for t in range(len(SUPPLY))]
    block += ["now", "back", "all", "alone_now", "alone_all", "hand_worth", "short"]
    return common + [f"{name}_{n}" for n in range(players) for name in block]


def features(state: Zahltag) -> list[list[float]]:
    """A row for each seat, of the position as it lies from there: `names` says what its numbers are.

    The first is the judgement's opinion, as a logarithm of the odds. Blocks go clockwise from the seat. A seat that is
    out of the game has an empty row.
    """
    outlook = Outlook(state)
    weights = WEIGHTS[state.players]
    players = state.players
    spread = scale(outlook)
    seats = SEATS[state.active]
    phase = state.phase
    common = [
        0.05 * outlook.jobs,
        0.2 * outlook.paydays,
        outlook.soon,
        outlook.later,
        1.0 if phase == ADJUST_START else 0.0,
        1.0 if phase == EXCESS else 0.0,
    ]
    deck = 1.0 / (outlook.size or 1)
    blocks: list[list[float]] = []
    for seat in range(players):
        if not state.active >> seat & 1:
            blocks.append([0.0] * 16)
            continue
        b = 4 * seat
        hand = state.hand[b : b + 4]
        number = sum(hand)
        rivals_now = 0
        rivals_all = 0
        for other in seats:
            if other != seat:
                rivals_now |= outlook.reach[other][0]
                rivals_all |= outlook.reach[other][2]
        now, back, late = outlook.reach[seat]
        block = [
            1.0,
            0.05 * state.money[seat],
            0.1 * number,
            0.1 * sum(state.right[b : b + 4]),
            0.1 * sum(state.left[b : b + 4]),
        ]
        for t in range(4):
            block.append(0.25 * hand[t])
        block.append(deck * now.bit_count())
        block.append(deck * back.bit_count())
        block.append(deck * late.bit_count())
        block.append(deck * (now & ~rivals_now).bit_count())
        block.append(deck * (late & ~rivals_all).bit_count())
        block.append(0.5 * Stake(outlook, seat, weights).hand)
        block.append(1.0 if number > state.money[seat] else 0.0)
        blocks.append(block)
    rows: list[list[float]] = []
    for seat in range(players):
        if not state.active >> seat & 1:
            rows.append([])
            continue
        row = [prospects(outlook, seat, weights) / spread]
        row += common
        row.append(1.0 if state.current_player == seat else 0.0)
        row.append(0.25 * outlook.wait(seat))
        row.append(0.5 * (len(seats) - 1))
        for step in range(players):
            row += blocks[(seat + step) % players]
        rows.append(row)
    return rows
