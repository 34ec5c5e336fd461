"""What a seat may know of a game of Tea Break, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass

from examples.tea_break.cards import CARDS
from examples.tea_break.rules import NOTHING, TeaBreak
from shopfloor.engine.views import View


@dataclass(frozen=True)
class SeatView:
    """A seat. hand: card numbers; all know them, since all shown cards are out. committed: has a card face down."""

    seat: int
    hand: tuple[int, ...]
    biscuits: int
    committed: bool


@dataclass(frozen=True)
class TeaBreakView(View):
    """The table as seen from `seat` (None: a spectator).

    legal: action ids that the viewer may choose now. chosen: the action that the viewer has face down, or None.
    plate: the last one drawn, by its number in the edition. left: those to come, ascending.
    """

    seat: int | None
    players: int
    over: bool
    deciders: tuple[int, ...]
    legal: tuple[int, ...]
    chosen: int | None
    round: int
    plate: int
    table: int
    left: tuple[int, ...]
    stay: bool
    seats: tuple[SeatView, ...]


def view(state: TeaBreak, seat: int | None) -> TeaBreakView:
    """The position as `seat` may see it; None is a spectator."""
    sealed = NOTHING if seat is None else state.sealed[seat]
    return TeaBreakView(
        seat=seat,
        players=state.players,
        over=state.over(),
        deciders=state.deciders(),
        legal=() if seat is None else state.legal(seat),
        chosen=None if sealed == NOTHING else sealed,
        round=state.rounds,
        plate=state.plate,
        table=state.table,
        left=tuple(sorted(state.left)),
        stay=state.stay,
        seats=tuple(
            SeatView(
                seat=other,
                hand=tuple(card + 1 for card in range(CARDS) if state.hands[other] >> card & 1),
                biscuits=state.biscuits[other],
                committed=state.sealed[other] != NOTHING,
            )
            for other in range(state.players)
        ),
    )
