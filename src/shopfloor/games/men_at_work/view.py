"""What a seat may know of a game of Men at Work, and nothing else (MW-S.14)."""

from __future__ import annotations

from dataclasses import dataclass

from shopfloor.engine.ranking import RankView, rank_views
from shopfloor.engine.views import View
from shopfloor.games.men_at_work.actions import CRANE_PLACES
from shopfloor.games.men_at_work.cards import BLANK, GIRDER_HOW, HELMET, KINDS, RITA, WORKER_HOW
from shopfloor.games.men_at_work.pieces import COLOUR, COLOURS, FIRST, GIRDER, HAT, KIND, KIND_NAMES, NAMES, PIECES
from shopfloor.games.men_at_work.position import (
    AWARD_GOAL,
    BUILD,
    CLEANUP,
    DEAD,
    NOT_IN_DECK,
    PHASE_NAMES,
    STOCK,
    SUPPLY,
)
from shopfloor.games.men_at_work.rules import MenAtWork
from shopfloor.games.men_at_work.turn import duties, foreman_limit


@dataclass(frozen=True)
class PieceView:
    """A piece on the site.

    kind: one of KIND_NAMES; colour: of a girder, else empty. position: micrometres; rotation: w, x, y, z in
    ten-millionths; both empty for what is in a hand. top: its highest point, micrometres. dead: lost in the box.
    loose: a hat that nobody wears. fresh: placed this turn. carried_by: what it rests on, pieces and fixed things.
    """

    piece: int
    name: str
    kind: str
    colour: str
    position: tuple[int, ...]
    rotation: tuple[int, ...]
    top: int
    dead: bool
    loose: bool
    fresh: bool
    carried_by: tuple[int, ...]


@dataclass(frozen=True)
class CardView:
    """A Foreman card in hand, both sides."""

    card: int
    id: str
    worker: bool
    colours: tuple[str, ...]
    girder_how: str
    worker_how: str


@dataclass(frozen=True)
class SeatView:
    """cards: the Foreman cards in hand, for their owner and, once the game is over, for all; else None."""

    seat: int
    certificates: int
    awards: int
    in_game: bool
    hook: bool
    card_count: int
    cards: tuple[CardView, ...] | None


@dataclass(frozen=True)
class StepView:
    """Pieces to be placed together this turn, hats included; grips: those that can be taken in hand now."""

    pieces: tuple[int, ...]
    placed: tuple[int, ...]
    grips: tuple[int, ...]


@dataclass(frozen=True)
class FindingView:
    code: str
    met: bool
    pieces: tuple[int, ...]


@dataclass(frozen=True)
class MenAtWorkView(View):
    """The site and the cards as seen from `seat` (None: a spectator).

    what: girder or helmet on the deck's top, what_colours its two colours. girder_how, worker_how: the two
    instructions on the discard pile; how: the one that applies. supply: pieces by kind, girders: by colour.
    steps: what is to be placed this turn; step: which of them is due. held: pieces in the hand.
    findings: the judge's last verdict. possible: the judge's present opinion of the site, while building.
    retrieve, supports: what the cleaner must do yet. tries: failed ones of this turn; may_give_up_after: 0 if never.
    rita_above: how many cards at least and at most lie above Boss Rita below the top; empty once she is out.
    """

    seat: int | None
    players: int
    phase: str
    turn: int
    hook: int
    youngest: int
    deciders: tuple[int, ...]
    legal: tuple[int, ...]
    variants: tuple[str, ...]
    crane: str
    deck: int
    discard: int
    what: str
    what_colours: tuple[str, ...]
    rita_on_top: bool
    rita_active: bool
    rita_above: tuple[int, ...]
    girder_how: str
    worker_how: str
    how: str
    colour: str
    supply: tuple[int, ...]
    girders: tuple[int, ...]
    site: tuple[PieceView, ...]
    steps: tuple[StepView, ...]
    step: int
    held: tuple[int, ...]
    tries: int
    tries_allowed: int
    may_give_up_after: int
    findings: tuple[FindingView, ...]
    possible: tuple[FindingView, ...]
    retrieve: tuple[int, ...]
    supports: tuple[int, ...]
    rebuilding: bool
    foreman_left: int
    award_goal: int
    awards_left: int
    seats: tuple[SeatView, ...]
    cause: str
    criteria: tuple[str, ...]
    ranks: tuple[RankView, ...]


def _card(state: MenAtWork, card: int) -> CardView:
    cards = state.cards
    return CardView(
        card=card,
        id=cards.ids[card],
        worker=state.whats[card] == HELMET,
        colours=tuple(COLOURS[c] for c in cards.colours[card]),
        girder_how=GIRDER_HOW[cards.girder_how[card]],
        worker_how=WORKER_HOW[cards.worker_how[card]],
    )


def _site(state: MenAtWork) -> tuple[PieceView, ...]:
    read = state.reading()
    worn = dict(state.measure.worn)
    found = []
    for piece in range(PIECES):
        if state.place[piece] == SUPPLY:
            continue
        pose = () if piece in state.held else read.poses.get(piece, ())
        found.append(
            PieceView(
                piece=piece,
                name=NAMES[piece],
                kind=KIND_NAMES[KIND[piece]],
                colour=COLOURS[COLOUR[piece]] if KIND[piece] == GIRDER else "",
                position=tuple(pose[1:4]),
                rotation=tuple(pose[4:8]),
                top=read.top(piece) if pose else 0,
                dead=state.place[piece] == DEAD,
                loose=KIND[piece] == HAT and piece not in worn and bool(pose),
                fresh=state.step_of(piece) >= 0,
                carried_by=tuple(read.supporters(piece)) if pose else (),
            )
        )
    return tuple(found)


def view(state: MenAtWork, seat: int | None) -> MenAtWorkView:
    """The position as `seat` may see it; None is a spectator, who sees what is open to all."""
    over = state.over()
    standing = state.standing() if over else None
    kind, first, second = state.what()
    shown = () if kind == BLANK else (COLOURS[first], COLOURS[second])
    card = state.discard[-1] if state.discard else None
    retrieve, supports = duties(state) if state.phase == CLEANUP else ([], [])
    limit, patience = state.options["attempt_limit"], state.options["give_up_after"]
    variants = tuple(name for name in ("foreman", "crane", "skyscraper") if state.on(name))
    return MenAtWorkView(
        seat=seat,
        players=state.players,
        phase=PHASE_NAMES[state.phase],
        turn=state.turn,
        hook=state.hook,
        youngest=state.youngest,
        deciders=state.deciders(),
        legal=state.legal(seat) if seat is not None else (),
        variants=variants,
        crane=CRANE_PLACES[state.crane_place] if state.crane_place >= 0 else "",
        deck=state.deck_size(),
        discard=len(state.discard),
        what="" if kind == BLANK else KINDS[kind],
        what_colours=shown,
        rita_on_top=bool(state.stack) and state.stack[-1] == RITA,
        rita_active=state.rita_active,
        rita_above=() if state.rita_above == NOT_IN_DECK else (state.rita_low, state.rita_high),
        girder_how="" if card is None else GIRDER_HOW[state.cards.girder_how[card]],
        worker_how="" if card is None else WORKER_HOW[state.cards.worker_how[card]],
        how=state.instruction(),
        colour=COLOURS[state.colour] if state.colour != BLANK else "",
        supply=tuple(state.supply(k) for k in range(len(FIRST))),
        girders=tuple(state.girder_supply(colour) for colour in range(4)),
        site=_site(state),
        steps=tuple(
            StepView(
                pieces=tuple(step),
                placed=tuple(p for p in step if p in state.placed),
                grips=tuple(p for p in step if state.unit(p)) if not state.held and k <= state.step else (),
            )
            for k, step in enumerate(state.steps)
        ),
        step=state.step,
        held=tuple(state.held),
        tries=state.attempts,
        tries_allowed=0 if limit == "off" else int(limit),
        may_give_up_after=0 if patience == "off" else int(patience),
        findings=tuple(FindingView(f.code, f.met, f.pieces) for f in state.findings),
        possible=tuple(FindingView(f.code, f.met, f.pieces) for f in state.verdict()) if state.phase == BUILD else (),
        retrieve=tuple(retrieve),
        supports=tuple(supports),
        rebuilding=state.rebuilding,
        foreman_left=max(0, foreman_limit(state) - state.plays),
        award_goal=AWARD_GOAL[state.players],
        awards_left=STOCK - sum(state.awards),
        seats=tuple(
            SeatView(
                seat=s,
                certificates=state.certificates[s],
                awards=state.awards[s],
                in_game=state.in_game(s),
                hook=s == state.hook,
                card_count=len(state.hands[s]),
                cards=tuple(_card(state, c) for c in state.hands[s]) if over or s == seat else None,
            )
            for s in range(state.players)
        ),
        cause=state.cause,
        criteria=standing.criteria if standing else (),
        ranks=rank_views(standing),
    )
