"""Starting sites of a computer's own (MW-3.5, MW-3.8): tried on a simulated site before they are laid out."""

from __future__ import annotations

import math
from itertools import pairwise
from random import Random
from typing import Final

from shopfloor.engine.refusals import IllegalAction
from shopfloor.games.men_at_work import chance, geometry
from shopfloor.games.men_at_work.geometry import Pose, add, multiply, rotate, yaw
from shopfloor.games.men_at_work.pieces import GIRDER, KIND, SUPPORT, WORKER
from shopfloor.games.men_at_work.rules import MenAtWork
from shopfloor.games.men_at_work.site import SiteError
from shopfloor.games.men_at_work.works import Works

TRIES: Final = 12
SWAY: Final = 3.0  # mm by which a drawn piece is moved
DRAFTS: Final = 0.3  # how often a draft of one's own, rather than a drawn site that is changed a little
SWING: Final = 6.0  # degrees by which it is turned


def layout(state: MenAtWork, preset: int, rng: Random) -> dict[int, Pose] | None:
    """Poses for `Works.design` that keep the rules, and stand; None if none was found.

    They come from a drawn site, turned, its pieces shifted and turned a little; without box and crane, with supports
    now standing, now lying, from a draft of its own.
    """
    pieces = state.design_pieces()
    for _ in range(TRIES):
        plain = not state.on("skyscraper") and not state.on("crane")
        poses = _draft(state, pieces, rng) if plain and rng.random() < DRAFTS else _varied(state, preset, pieces, rng)
        if poses is not None and _stands(state, poses):
            return poses
    return None


def _stands(state: MenAtWork, poses: dict[int, Pose]) -> bool:
    works = Works(state.clone())
    try:
        works.design(poses)
    except (IllegalAction, SiteError):
        return False
    return True


def _with_hats(state: MenAtWork, pieces: tuple[int, ...], poses: dict[int, Pose]) -> dict[int, Pose]:
    """A worker's hat follows him in the list of pieces."""
    for worker, hat in pairwise(pieces):
        if KIND[worker] == WORKER and worker in poses and hat in pieces and KIND[hat] == WORKER + 1:
            poses[hat] = geometry.hat_pose(state.cards.shapes, poses[worker])
    return poses


def _varied(state: MenAtWork, preset: int, pieces: tuple[int, ...], rng: Random) -> dict[int, Pose]:
    """A drawn site with everything a little elsewhere; where nothing stands in the way, all of it turned."""
    name = chance.preset_name(state, preset)
    drawn = chance.preset(state.cards, name, pieces, "").poses
    free = not state.on("skyscraper") and not state.on("crane")
    swing = yaw(rng.uniform(0, 360)) if free else geometry.UPRIGHT
    poses: dict[int, Pose] = {}
    for numbers in drawn:
        piece = numbers[0]
        if KIND[piece] > WORKER:
            continue
        position, turn = geometry.loaded(numbers)
        little = 0.4 if KIND[piece] == WORKER else 1.0
        off = (rng.uniform(-SWAY, SWAY) * little, rng.uniform(-SWAY, SWAY) * little, 0.4)
        turned = multiply(yaw(rng.uniform(-SWING, SWING) * little), turn)
        poses[piece] = (rotate(swing, add(position, off)), multiply(swing, turned))
    return _with_hats(state, pieces, poses)


def _draft(state: MenAtWork, pieces: tuple[int, ...], rng: Random) -> dict[int, Pose] | None:
    """Three supports in a triangle, a girder over each side, the last girder and the worker on top."""
    shapes = state.cards.shapes
    supports = [p for p in pieces if KIND[p] == SUPPORT]
    girders = [p for p in pieces if KIND[p] == GIRDER]
    workers = [p for p in pieces if KIND[p] == WORKER]
    if len(supports) != 3 or len(girders) != 4 or not workers:
        return None
    rng.shuffle(girders)
    box = shapes.boxes[SUPPORT][0]
    lying = rng.random() < 0.35
    high = box[0] if lying else box[2]
    swing, far = rng.uniform(0, 120), rng.uniform(0.31, 0.43) * shapes.girder_length
    spots = [
        (far * math.cos(math.radians(swing + 120 * k)), far * math.sin(math.radians(swing + 120 * k))) for k in range(3)
    ]
    poses: dict[int, Pose] = {}
    for support, (x, y) in zip(supports, spots, strict=True):
        turn = yaw(rng.uniform(0, 90))
        poses[support] = ((x, y, high / 2), multiply(turn, geometry.LYING) if lying else turn)
    rise = shapes.girder_height
    level = high + rise / 2 + 0.2
    for k, girder in enumerate(girders[:3]):
        # The first two meet beside each other on the support that they share, the third lies over both.
        (x, y), (u, v) = spots[k], spots[(k + 1) % 3]
        heading = math.degrees(math.atan2(v - y, u - x))
        poses[girder] = (((x + u) / 2, (y + v) / 2, level + k * (rise + 0.2)), yaw(heading))
    x, y = spots[0]
    (u, v), (p, q) = spots[1], spots[2]
    middle = ((x + (u + p) / 2) / 2, (y + (v + q) / 2) / 2)
    heading = math.degrees(math.atan2((v + q) / 2 - y, (u + p) / 2 - x))
    poses[girders[3]] = ((*middle, level + 3 * (rise + 0.2)), yaw(heading))
    under = poses[girders[rng.randrange(2, 4)]]
    along = rotate(under[1], (rng.uniform(-40, 40), 0.0, 0.0))
    feet = -min(b[5] - b[2] / 2 for b in shapes.boxes[WORKER])
    poses[workers[0]] = (add(add(under[0], along), (0.0, 0.0, rise / 2 + feet + 0.2)), under[1])
    return _with_hats(state, pieces, poses)
