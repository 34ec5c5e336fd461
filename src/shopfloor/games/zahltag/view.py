"""What a seat may know of a game of Zahltag, and nothing else (section 2 of the specification, second table)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from shopfloor.engine.ranking import RankView, rank_views
from shopfloor.engine.views import View
from shopfloor.games.zahltag.cards import Cards
from shopfloor.games.zahltag.rules import GAME_OVER, NOT_CHOSEN, PHASE_NAMES, Zahltag


@dataclass(frozen=True)
class JobView:
    """A Job card. job: its number in the edition. needs: Worker cards by type."""

    job: int
    id: str
    name: str
    needs: tuple[int, ...]


@dataclass(frozen=True)
class SeatView:
    """What can be seen of a seat. Counts by Worker type; money in millions.

    hand: the cards by type, for their owner and, once the game is over, for all; else None.
    known: how many of the hidden hand everybody can be sure of, by type.
    operations: operations left at set-up. committed: has a card face down.
    """

    seat: int
    active: bool
    money: int
    hand_count: int
    hand: tuple[int, ...] | None
    known: tuple[int, ...]
    left: tuple[int, ...]
    right: tuple[int, ...]
    workers: int
    operations: int
    committed: bool


@dataclass(frozen=True)
class ZahltagView(View):
    """The table as seen from `seat` (None: a spectator).

    legal: action ids that the viewer may choose now. chosen: the action that the viewer has face down, or None.
    jobs_left: Jobs still in the stack, ascending (all others have been seen). paydays_left: Paydays in the stack.
    job_limit: a Payday is forced after so many Jobs. payday_impossible: the next card cannot bring a Payday.
    """

    seat: int | None
    players: int
    phase: str
    turn: int
    current_player: int
    first_player: int
    deciders: tuple[int, ...]
    legal: tuple[int, ...]
    chosen: int | None
    stacks: tuple[int, ...]
    job: JobView | None
    job_row: tuple[JobView, ...]
    job_limit: int
    forced_payday_due: bool
    paydays_executed: int
    paydays_left: int
    payday_impossible: bool
    jobs_left: tuple[JobView, ...]
    offers: tuple[int, ...]
    offer_pairs: tuple[tuple[int, int], ...]
    round_robin: bool
    penalty: bool
    floor_debt: bool
    seats: tuple[SeatView, ...]
    criteria: tuple[str, ...]
    ranks: tuple[RankView, ...]


@lru_cache(maxsize=8)
def _jobs(cards: Cards) -> tuple[JobView, ...]:
    """All Jobs of an edition: they look the same wherever they lie."""
    return tuple(
        JobView(job, cards.job_ids[job], cards.job_names[job], cards.job_needs(job))
        for job in range(len(cards.job_ids))
    )


def _seat(state: Zahltag, seat: int, open_hand: bool) -> SeatView:
    b = 4 * seat
    count = state.hand_count(seat)
    return SeatView(
        seat=seat,
        active=bool(state.active >> seat & 1),
        money=state.money[seat],
        hand_count=count,
        hand=tuple(state.hand[b : b + 4]) if open_hand else None,
        known=tuple(state.known[b : b + 4]),
        left=tuple(state.left[b : b + 4]),
        right=tuple(state.right[b : b + 4]),
        workers=state.workers[seat],
        operations=state.operations[seat] if state.turn == 0 else 0,
        committed=state.sealed[seat] != NOT_CHOSEN,
    )


def view(state: Zahltag, seat: int | None) -> ZahltagView:
    """The position as `seat` may see it; None is a spectator, who sees what is open to all."""
    over = state.phase == GAME_OVER
    standing = state.standing() if over else None
    chosen = state.sealed[seat] if seat is not None and state.sealed[seat] != NOT_CHOSEN else None
    jobs = _jobs(state.cards)
    return ZahltagView(
        seat=seat,
        players=state.players,
        phase=PHASE_NAMES[state.phase],
        turn=state.turn,
        current_player=state.current_player,
        first_player=state.first_player,
        deciders=state.deciders(),
        legal=state.legal(seat) if seat is not None else (),
        chosen=chosen,
        stacks=tuple(state.stacks),
        job=jobs[state.job] if state.job >= 0 else None,
        job_row=tuple([jobs[job] for job in state.job_row]),
        job_limit=9 if state.players > 2 else 8,
        forced_payday_due=state.forced_payday_due(),
        paydays_executed=state.paydays_executed,
        paydays_left=state.deck_paydays,
        payday_impossible=state.after_payday and bool(state.job_deck),
        jobs_left=tuple([jobs[job] for job in sorted(state.job_deck)]),
        offers=state.offers,
        offer_pairs=state.cards.offer_pairs,
        round_robin=state.round_robin,
        penalty=state.penalty,
        floor_debt=state.floor_debt,
        seats=tuple([_seat(state, s, over or s == seat) for s in range(state.players)]),
        criteria=standing.criteria if standing else (),
        ranks=rank_views(standing),
    )
