"""What a turn and a clean-up consist of: the pieces to place, the judge's task, the pieces to clear away."""

from __future__ import annotations

from shopfloor.games.men_at_work import compliance
from shopfloor.games.men_at_work.cards import GIRDER_HOW, HELMET, WORKER_HOW
from shopfloor.games.men_at_work.judge import Task, lacking
from shopfloor.games.men_at_work.pieces import (
    BEAM,
    BOX_FLOOR,
    BRICK,
    GIRDER,
    HAT,
    INSERT,
    KIND,
    OF_COLOUR,
    OF_KIND,
    PIECES,
    PLATFORM,
    SUPPORT,
    SURFACE,
    WORKER,
)
from shopfloor.games.men_at_work.position import DEAD, SITE, Position

Units = tuple[tuple[int, tuple[int, ...]], ...]


def foreman_limit(state: Position) -> int:
    """How many Foreman cards a turn takes."""
    return int(state.options["foreman_per_turn"]) if state.on("foreman") else 0


def units(state: Position, colour: int) -> Units:
    """The pieces of the turn from the supply, in their order (MW-A.20)."""
    helmet = state.what()[0] == HELMET
    name = WORKER_HOW[state.how()] if helmet else GIRDER_HOW[state.how()]
    hats = state.spare(OF_KIND[HAT], 2)

    def workers(n: int) -> list[tuple[int, ...]]:
        # MW-A.26: a worker takes any hat from the supply; if there is none he goes bareheaded.
        return [(w, *hats[k : k + 1]) for k, w in enumerate(state.spare(OF_KIND[WORKER], n))]

    if helmet:
        first = workers(2 if name == "ADDITIONAL_WORKER" else 1)
        bricks, beams = compliance.loads_of(name)
        loads = [*state.spare(OF_KIND[BRICK], bricks), *state.spare(OF_KIND[BEAM], beams)]
        if name == "TRANSPORT_BEAM":
            return ((0, (*first[0], *loads)),)
        later = 0 if state.on("free_order") else 1
        return (
            (0, first[0]),
            *((1, second) for second in first[1:]),
            *((later, (load,)) for load in loads),
        )
    girder = state.spare(OF_COLOUR[colour])[0]
    if name == "WITH_WORKER":
        return ((0, (girder,)), (1, workers(1)[0]))
    if name.startswith("NEW_SUPPORT"):
        return ((0, (state.spare(OF_KIND[SUPPORT])[0],)), (1, (girder,)))
    if name == "TRANSPORT_BRICK":
        return ((0, (girder, state.spare(OF_KIND[BRICK])[0])),)
    return ((0, (girder,)),)


def task(state: Position) -> Task:
    """What the judge is asked about this turn."""
    helmet = state.what()[0] == HELMET
    first, second = state.what()[1:]
    place = state.place
    return Task(
        worker=helmet,
        how=state.how(),
        colours=(first, second) if helmet else (state.colour,),
        steps=state.steps,
        before=frozenset(state.before),
        tops={piece: top for piece, top in state.base.tops if place[piece] == SITE},
        in_hand=tuple(state.held),
        placed=frozenset(state.placed),
        foreman=state.on("foreman"),
        foreman_with_worker=state.options["foreman_with_worker"] == "applies",
        skyscraper=state.on("skyscraper"),
        sole_contact=state.options["balance"] == "sole_contact",
        hat_required=state.on("hat_required"),
        upright_required=state.on("upright_required"),
        dead=frozenset([piece for piece in range(PIECES) if place[piece] == DEAD]),
    )


def valid(state: Position, step: int) -> bool:
    """Are the pieces of a step placed, settled and as they must be?"""
    return not lacking(state.verdict(step))


def duties(state: Position) -> tuple[list[int], list[int]]:
    """What the cleaner must do yet: pieces to take away (or push back), and fallen supports to decide on.

    MW-J.10, MW-10.2, MW-10.5, MW-14.3, MW-15.9.
    """
    touched: dict[int, set[int]] = {}
    for c in state.measure.contacts:
        if c.b < 0:
            touched.setdefault(c.a, set()).add(c.b)
    fallen = set(state.fallen)
    skyscraper, crane = state.on("skyscraper"), state.on("crane")
    retrieve = []
    for piece, on in touched.items():
        if state.place[piece] != SITE or KIND[piece] == SUPPORT:
            continue
        away = SURFACE in on or (crane and piece in fallen and PLATFORM in on)
        if skyscraper and KIND[piece] == GIRDER:
            away = away or BOX_FLOOR in on or (piece in fallen and INSERT in on)
        if away:
            retrieve.append(piece)
    supports = [piece for piece in state.fallen if KIND[piece] == SUPPORT and state.place[piece] == SITE]
    return sorted(retrieve), sorted(supports)


def lost_in_box(state: Position) -> list[int]:
    """MW-15.8, MW-A.49: workers, hats, bricks and beams that fell into the insert and stay there."""
    fallen = set(state.fallen)
    lost = set()
    for c in state.measure.contacts:
        light = KIND[c.a] in (WORKER, HAT, BEAM, BRICK) and state.place[c.a] == SITE
        if light and (c.b == BOX_FLOOR or (c.b == INSERT and c.a in fallen)):
            lost.add(c.a)
    lost |= {hat for hat, worker in state.measure.worn if worker in lost}
    return sorted(lost)
