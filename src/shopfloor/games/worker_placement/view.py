"""What a seat may know of a game of Worker Placement, and nothing else (section 2, "Who sees what")."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from shopfloor.engine.ranking import RankView, rank_views
from shopfloor.engine.views import View
from shopfloor.games.worker_placement import city, draft, payment
from shopfloor.games.worker_placement.actions import DRAFT
from shopfloor.games.worker_placement.cards import KINDS, Cards
from shopfloor.games.worker_placement.effects import EFFECTS
from shopfloor.games.worker_placement.position import (
    BID_VALUES,
    BUILDINGS,
    CASINO,
    DRAFT_CARDS,
    DRAFT_CHOOSE,
    GAIN_CUBE,
    GAME_OVER,
    HAND_LIMIT,
    LIFE_COACH,
    MAX_HAND,
    NONE,
    PAYMENT,
    PHASE_NAMES,
    PLACE,
    RECALLING,
    REFRESH,
    SPECTATOR,
    STEAL_CUBE,
    WORKER,
)
from shopfloor.games.worker_placement.rules import WorkerPlacement

CASH_SPACES: Final = 60
COUNTED: Final = (LIFE_COACH, GAIN_CUBE, STEAL_CUBE, REFRESH, RECALLING)
"""Phases in which `left` says how many choices there are still."""


@dataclass(frozen=True)
class CardView:
    """A Business card. card: its number in the edition. kind: worker, skill or management.

    skills: 5 counts, the wild one last. script: what it does, four integers a step (see `effects`; `words.effect`
    says it). at_end: it only counts at the end of the game.
    """

    card: int
    id: str
    name: str
    kind: str
    skills: tuple[int, ...]
    script: tuple[int, ...]
    at_end: bool


@dataclass(frozen=True)
class PaymentView:
    """A way to pay for a Job: a Worker card, Skill cards (numbers), cubes by skill."""

    worker: int
    cards: tuple[int, ...]
    cubes: tuple[int, ...]


@dataclass(frozen=True)
class JobView:
    """A Job card. needs: 5 counts by skill, the wild one last.

    For the viewer, while it is at the Job Centre or the preview: reach: what the best of the own Worker cards with all
    Skill cards and cubes offers; missing: how many skills that is short of; proposal: the cheapest payment, or None.
    """

    job: int
    id: str
    name: str
    needs: tuple[int, ...]
    cash: int
    thumbs: int
    reach: tuple[int, ...] | None = None
    missing: int | None = None
    proposal: PaymentView | None = None


@dataclass(frozen=True)
class BuildingView:
    """A building. meeples: 5 counts by seat. cost: in Cash, of the next meeple (the viewer's, who may place freely)."""

    building: int
    name: str
    meeples: tuple[int, ...]
    cost: int
    free: bool


@dataclass(frozen=True)
class PlanView:
    """The viewer's own choices that are not committed yet.

    card: the Management card to be played with them. job, worker, cards, cubes: a payment in the making; have: what it
    offers by skill; missing: how many skills it is short of; completion: what `pay` would add. cards are those to be
    swapped at the Casino or discarded at the hand limit, too; wanted: how many the hand limit asks for.
    """

    card: CardView | None
    job: JobView | None
    worker: CardView | None
    cards: tuple[CardView, ...]
    cubes: tuple[int, ...]
    have: tuple[int, ...] | None
    missing: int | None
    completion: PaymentView | None
    wanted: int | None


@dataclass(frozen=True)
class PlayingView:
    """The Management card being followed. effect: the step's name; left: what is still to choose in it.

    number: the step's number as printed. victim: whose cubes are being taken. jobs: those to go under the deck.
    """

    card: CardView
    effect: str
    number: int
    left: int
    victim: int | None
    jobs: tuple[JobView, ...]


@dataclass(frozen=True)
class SeatView:
    """What can be seen of a seat.

    cash: all of it; cash_space: where the token stands on the track of 60, laps: how often it went round. reserve,
    on_track, idle, bidding: meeples. hand: for its owner and, once the game is over, for all; else None. known: cards
    of a hidden hand that the viewer knows of. position: on the order track. claim: the position claimed for the next
    round, or 0. free: places for nothing this round. committed: has sealed a choice. bonus: final bonuses for Thumbs,
    cubes and cards.
    """

    seat: int
    cash: int
    cash_space: int
    laps: int
    thumbs: int
    reserve: int
    on_track: int
    idle: int
    bidding: int
    hand_count: int
    hand: tuple[CardView, ...] | None
    known: tuple[CardView, ...]
    cubes: tuple[int, ...]
    filled: tuple[JobView, ...]
    position: int
    order_card: int
    claim: int
    free: bool
    recalled: bool
    committed: bool
    bonus: tuple[int, ...]


@dataclass(frozen=True)
class WorkerPlacementView(View):
    """The table as seen from `seat` (None: a spectator).

    phase: what is decided, as far as the viewer may know: another's choices for a Job or at the Casino show as PLACE
    until they are done. left: how many cubes, meeples or Jobs can still be chosen, in the phases for those.
    legal: action ids that the viewer may choose now. order: seats from first to last. bidders: seats still to bid, the
    next first. winners: seats still to pick, the next first, with the values of their bids in `prices`.
    draft: the viewer's three cards, and chosen the split sealed for them (an action id). passes_to: who gets the
    viewer's passed card. network: how many cards lie face down there. spaces: by bid space the seat there, or -1.
    jobs_in_deck: the preview included. jobs_unseen: Jobs that lie in the deck in an order nobody knows; jobs_under:
    those below them, in order. discards: the last one on top; None if the table keeps them face down.
    """

    seat: int | None
    players: int
    phase: str
    round: int
    rounds: int
    deciders: tuple[int, ...]
    legal: tuple[int, ...]
    order: tuple[int, ...]
    draft: tuple[CardView, ...]
    chosen: int | None
    passes_to: int | None
    network: int
    auction: tuple[CardView, ...]
    spaces: tuple[int, ...]
    bid_values: tuple[int, ...]
    bidders: tuple[int, ...]
    winners: tuple[int, ...]
    prices: tuple[int, ...]
    buildings: tuple[BuildingView, ...]
    network_name: str
    jobs: tuple[JobView, ...]
    preview: JobView | None
    jobs_in_deck: int
    jobs_unseen: tuple[JobView, ...]
    jobs_under: tuple[JobView, ...]
    deck: int
    discard_count: int
    discards: tuple[CardView, ...] | None
    supply: tuple[int, ...]
    left: int
    plan: PlanView | None
    playing: PlayingView | None
    alternate_draft: bool
    second_reversed: bool
    casino_min: int
    thumbs_cap: int
    unlimited_cubes: bool
    reshuffle_at_once: bool
    seats: tuple[SeatView, ...]
    criteria: tuple[str, ...]
    ranks: tuple[RankView, ...]


@lru_cache(maxsize=8)
def _card_views(cards: Cards) -> tuple[CardView, ...]:
    """All Business cards of an edition: they look the same wherever they lie."""
    return tuple(
        CardView(
            card=card,
            id=cards.business_ids[card],
            name=cards.business_names[card],
            kind=KINDS[cards.kinds[card]],
            skills=cards.card_skills(card),
            script=cards.scripts[card],
            at_end=cards.at_end[card],
        )
        for card in range(len(cards.business_ids))
    )


@lru_cache(maxsize=8)
def _job_views(cards: Cards) -> tuple[JobView, ...]:
    """All Jobs of an edition as they are printed."""
    return tuple(
        JobView(
            job,
            cards.job_ids[job],
            cards.job_names[job],
            cards.job_needs(job),
            cards.job_cash[job],
            cards.job_thumbs[job],
        )
        for job in range(len(cards.job_ids))
    )


def _card(state: WorkerPlacement, card: int) -> CardView:
    return _card_views(state.cards)[card]


def _cards(state: WorkerPlacement, cards: list[int]) -> tuple[CardView, ...]:
    views = _card_views(state.cards)
    return tuple([views[card] for card in cards])


def _jobs(state: WorkerPlacement, jobs: list[int], seat: int | None = None) -> tuple[JobView, ...]:
    """Jobs; with a seat, what they mean to it."""
    views = _job_views(state.cards)
    if seat is None or not jobs:
        return tuple([views[job] for job in jobs])
    cards = state.cards
    needs = cards.needs
    have = payment.offered(state, seat)
    pools = [payment.with_card(cards, have, worker) for worker in payment.workers(state, seat)] or [have]
    payable = payment.fillable(state, seat, jobs)
    found = []
    for job in jobs:
        lacks = [payment.missing(needs, job, pool) for pool in pools]
        short = min(lacks)
        proposal = None
        if job in payable:
            worker, skill_cards, cubes = payment.proposal(state, seat, job)
            proposal = PaymentView(worker, tuple(skill_cards), tuple(cubes))
        plain = views[job]
        found.append(
            JobView(
                job,
                plain.id,
                plain.name,
                plain.needs,
                plain.cash,
                plain.thumbs,
                reach=tuple(pools[lacks.index(short)]),
                missing=max(0, short),
                proposal=proposal,
            )
        )
    return tuple(found)


def _job(state: WorkerPlacement, job: int, seat: int | None = None) -> JobView:
    return _jobs(state, [job], seat)[0]


def _seat(state: WorkerPlacement, seat: int, viewer: int | None) -> SeatView:
    over = state.phase == GAME_OVER
    mine = seat == viewer
    eye = 1 << (SPECTATOR if viewer is None else viewer)
    hand = state.hand[seat]
    cash = state.cash[seat]
    sealed = state.phase == HAND_LIMIT and not state.pending >> seat & 1
    return SeatView(
        seat=seat,
        cash=cash,
        cash_space=(cash - 1) % CASH_SPACES + 1 if cash else 0,  # WP-3.4
        laps=(cash - 1) // CASH_SPACES if cash else 0,
        thumbs=state.thumbs[seat],
        reserve=state.reserve[seat],
        on_track=state.on_track[seat],
        idle=state.idle[seat],
        bidding=state.spaces.count(seat),
        hand_count=len(hand),
        hand=_cards(state, hand) if mine or over else None,
        known=() if mine or over else _cards(state, [card for card in hand if state.knows[card] & eye]),
        cubes=tuple(state.cubes[4 * seat : 4 * seat + 4]),
        filled=_jobs(state, state.filled[seat]),
        position=state.place_of[seat],
        order_card=state.order_cards[seat],
        claim=state.claims[seat],
        free=bool(state.free >> seat & 1),
        recalled=bool(state.recalled >> seat & 1),
        committed=state.sealed[seat] != NONE or sealed,
        bonus=tuple(state.bonus[3 * seat : 3 * seat + 3]),
    )


def _buildings(state: WorkerPlacement, seat: int | None) -> tuple[BuildingView, ...]:
    names = state.cards.building_names
    at = state.at
    return tuple(
        [
            BuildingView(
                building=building,
                name=names[building],
                meeples=tuple(at[5 * building : 5 * building + 5]),
                cost=city.cost(state, seat, building) if seat is not None else city.price(state, building),
                free=city.FREE[building],
            )
            for building in range(BUILDINGS)
        ]
    )


def _plan(state: WorkerPlacement, seat: int) -> PlanView | None:
    """The viewer's unfinished choices."""
    phase = state.phase
    if phase not in (CASINO, WORKER, PAYMENT, HAND_LIMIT):
        return None
    chosen = state.drops[seat] if phase == HAND_LIMIT else state.plan_cards
    have = None
    missing = None
    completion = None
    if phase == PAYMENT:
        have = payment.committed(state)
        missing = max(0, payment.missing(state.cards.needs, state.plan_job, have))
        cards, cubes = payment.completion(state, seat)
        completion = PaymentView(state.plan_worker, tuple(cards), tuple(cubes))
    return PlanView(
        card=_card(state, state.plan_card) if state.plan_card != NONE else None,
        job=_job(state, state.plan_job, seat) if state.plan_job != NONE else None,
        worker=_card(state, state.plan_worker) if state.plan_worker != NONE else None,
        cards=_cards(state, sorted(chosen)),
        cubes=tuple(state.plan_cubes),
        have=tuple(have) if have is not None else None,
        missing=missing,
        completion=completion,
        wanted=len(state.hand[seat]) - MAX_HAND if phase == HAND_LIMIT else None,
    )


def _playing(state: WorkerPlacement) -> PlayingView | None:
    if state.playing == NONE:
        return None
    script = state.cards.scripts[state.playing]
    return PlayingView(
        card=_card(state, state.playing),
        effect=EFFECTS[script[state.script_at]].split(" ")[0],
        number=script[state.script_at + 1],
        left=state.left if state.phase in COUNTED else 0,
        victim=state.victim if state.victim != NONE else None,
        jobs=_jobs(state, state.plan_jobs),
    )


def _phase(state: WorkerPlacement, deciding: bool) -> int:
    """The phase as the viewer may know it: another's choices for a Job or the Casino show once they are done."""
    phase = state.phase
    if deciding:
        return phase
    if phase in (WORKER, PAYMENT):
        return WORKER if state.playing != NONE else PLACE
    return PLACE if phase == CASINO else phase


def view(state: WorkerPlacement, seat: int | None) -> WorkerPlacementView:
    """The position as `seat` may see it; None is a spectator, who sees what is open to all."""
    over = state.phase == GAME_OVER
    standing = state.standing() if over else None
    deciders = state.deciders()
    deciding = seat is not None and seat in deciders
    dealt: list[int] = []
    sealed = NONE
    passes_to = None
    if seat is not None and state.phase == DRAFT_CHOOSE:
        dealt = [card for card in state.draft[DRAFT_CARDS * seat : DRAFT_CARDS * seat + DRAFT_CARDS] if card != NONE]
        sealed = state.sealed[seat]
        passes_to = draft.neighbour(state, seat)
    waiting = state.winners[state.turn :]
    limited = seat is not None and state.phase == HAND_LIMIT and bool(state.drops[seat])
    return WorkerPlacementView(
        seat=seat,
        players=state.players,
        phase=PHASE_NAMES[_phase(state, deciding)],
        round=state.round_no,
        rounds=state.rounds,
        deciders=deciders,
        legal=state.legal(seat) if seat is not None else (),
        order=tuple(state.order),
        draft=_cards(state, dealt),
        chosen=DRAFT + sealed if sealed != NONE else None,
        passes_to=passes_to,
        network=len(state.network),
        auction=_cards(state, state.auction),
        spaces=tuple(state.spaces),
        bid_values=BID_VALUES,
        bidders=tuple(state.bidders[state.turn :]),
        winners=tuple(state.spaces[space] for space in waiting),
        prices=tuple(BID_VALUES[space] for space in waiting),
        buildings=_buildings(state, seat),
        network_name=state.cards.building_names[BUILDINGS],
        jobs=_jobs(state, state.jobs, None if over else seat),
        preview=_job(state, state.preview, None if over else seat) if state.preview != NONE else None,
        jobs_in_deck=state.jobs_in_deck(),
        jobs_unseen=_jobs(state, sorted(state.job_deck)),
        jobs_under=_jobs(state, state.job_under),
        deck=len(state.deck),
        discard_count=len(state.discards),
        discards=None if state.hide_discards else _cards(state, state.discards),
        supply=tuple(state.supply),
        left=state.left if state.phase in COUNTED else 0,
        plan=_plan(state, seat) if seat is not None and (deciding or limited) else None,
        playing=_playing(state),
        alternate_draft=state.alternate,
        second_reversed=state.second_reversed,
        casino_min=state.casino_min,
        thumbs_cap=state.thumbs_cap,
        unlimited_cubes=state.unlimited,
        reshuffle_at_once=state.at_once,
        seats=tuple(_seat(state, s, seat) for s in range(state.players)),
        criteria=standing.criteria if standing else (),
        ranks=rank_views(standing),
    )
