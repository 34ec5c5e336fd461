"""Can the instruction be followed with what is on the site and in the supply (MW-16.6, MW-A.9 to MW-A.11)?"""

from __future__ import annotations

import math

from shopfloor.games.men_at_work import geometry
from shopfloor.games.men_at_work.cards import BLANK, GIRDER_HOW, HELMET, WORKER_HOW
from shopfloor.games.men_at_work.pieces import BEAM, BRICK, COLOUR, GIRDER, KIND, OF_KIND, SUPPORT, WORKER
from shopfloor.games.men_at_work.position import SITE, Position

# What each worker instruction needs besides the worker: bricks, beams.
_LOADS = {
    "ONE_BRICK": (1, 0),
    "TWO_BRICKS": (2, 0),
    "ONE_BEAM": (0, 1),
    "TWO_BEAMS": (0, 2),
    "BRICK_AND_BEAM": (1, 1),
    "TRANSPORT_BEAM": (0, 1),
    "CONNECT": (0, 1),
}


def loads_of(name: str) -> tuple[int, int]:
    """The bricks and beams that a worker instruction asks for."""
    return _LOADS.get(name, (0, 0))


def colours(state: Position) -> tuple[int, ...]:
    """The colours of the deck's top card with which the present instruction can be followed, ascending."""
    kind, first, second = state.what()
    if kind == BLANK or not state.discard:
        return ()
    return tuple([colour for colour in sorted({first, second}) if obstacle(state, colour) == ""])


def obstacle(state: Position, colour: int) -> str:
    """Why the present instruction cannot be followed with a colour of the card: empty, or a refusal's code."""
    if state.what()[0] == HELMET:
        return _worker(state, WORKER_HOW[state.how()], colour)
    if state.girder_supply(colour) == 0:
        return "COLOUR_RUN_OUT"  # MW-7.2
    return _girder(state, GIRDER_HOW[state.how()], colour)


def supply_lacks(state: Position) -> bool:
    """Is it the supply, not the site, that keeps the instruction from being followed (table option supply_shortage)?"""
    kind, first, second = state.what()
    if kind == BLANK:
        return False
    if kind == HELMET:
        name = WORKER_HOW[state.how()]
        bricks, beams = loads_of(name)
        few = state.supply(WORKER) < (2 if name == "ADDITIONAL_WORKER" else 1)
        return few or state.supply(BRICK) < bricks or state.supply(BEAM) < beams
    name = GIRDER_HOW[state.how()]
    if state.girder_supply(first) == 0 and state.girder_supply(second) == 0:
        return True
    kinds = {"WITH_WORKER": WORKER, "TRANSPORT_BRICK": BRICK}
    if name.startswith("NEW_SUPPORT"):
        kinds[name] = SUPPORT
    return name in kinds and state.supply(kinds[name]) == 0


def _girder(state: Position, name: str, colour: int) -> str:
    return "" if _girder_fits(state, name, colour) else "COLOUR_CANNOT_COMPLY"


def _girder_fits(state: Position, name: str, colour: int) -> bool:
    if name == "HIGHEST_GIRDER":
        return True
    if name == "WITH_WORKER":
        return state.supply(WORKER) > 0
    if name == "TRANSPORT_BRICK":
        return state.supply(BRICK) > 0
    if name == "STRONG_WORKER":
        return _stands(state, WORKER)
    if name == "TOUCH_SUPPORT":
        return _stands(state, SUPPORT)
    if name.startswith("NEW_SUPPORT") and state.supply(SUPPORT) == 0:
        return False
    girders = {COLOUR[piece] for piece in state.site() if KIND[piece] == GIRDER and piece not in state.held}
    if name in ("SAME_COLOUR", "NEW_SUPPORT_SAME"):
        return colour in girders
    if name == "TWO_OTHER_COLOURS":
        return len(girders - {colour}) >= 2
    if name == "NEW_SUPPORT_DIFFERENT":
        return bool(girders - {colour})
    assert name in ("BALANCE", "TOUCH_HIGHEST", "NEW_SUPPORT_ON_GIRDER"), name
    return bool(girders)


def _stands(state: Position, kind: int) -> bool:
    """Is there a piece of this kind on the site that nobody holds?"""
    place, held = state.place, state.held
    return any(place[piece] == SITE and piece not in held for piece in OF_KIND[kind])


def _worker(state: Position, name: str, colour: int) -> str:
    bricks, beams = loads_of(name)
    girders = state.girders_of(colour)
    enough = state.supply(WORKER) >= (2 if name == "ADDITIONAL_WORKER" else 1)
    loads = state.supply(BRICK) >= bricks and state.supply(BEAM) >= beams
    if not (girders and enough and loads):
        return "COLOUR_CANNOT_COMPLY"
    if name == "CONNECT":
        workers = [piece for piece in state.site() if KIND[piece] == WORKER]
        if not workers:
            return "COLOUR_CANNOT_COMPLY"
        if state.options["geometry_escape"] == "connect_only" and not _within_reach(state, girders, workers):
            return "COLOUR_CANNOT_COMPLY"
    return ""


def _within_reach(state: Position, girders: list[int], workers: list[int]) -> bool:
    """MW-A.11: does a girder come within a beam and two arms of a worker's middle?"""
    shapes = state.cards.shapes
    reach = shapes.boxes[BEAM][0][0] + 2 * max(abs(box[3]) + box[0] / 2 for box in shapes.boxes[WORKER])
    half = shapes.girder_length / 2
    poses = {pose[0]: pose for pose in state.measure.poses}
    for girder in girders:
        if girder not in poses:
            continue
        centre, turn = geometry.loaded(poses[girder])
        axis = geometry.rotate(turn, (1.0, 0.0, 0.0))
        for worker in workers:
            if worker not in poses:
                continue
            middle, _ = geometry.loaded(poses[worker])
            along = max(-half, min(half, geometry.dot(geometry.sub(middle, centre), axis)))
            nearest = geometry.add(centre, geometry.scale(axis, along))
            if math.dist(nearest, middle) <= reach:
                return True
    return False
