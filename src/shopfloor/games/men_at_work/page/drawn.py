"""The site as a printed drawing: from a corner, and from above with a measuring grid. It needs no script."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from shopfloor.games.men_at_work import geometry
from shopfloor.games.men_at_work.cards import Shapes, load
from shopfloor.games.men_at_work.geometry import Pose, Solid, Vector
from shopfloor.games.men_at_work.pieces import COLOUR, COLOURS, FIRST, GIRDER, HAT, KIND, KIND_NAMES, SURFACE, WORKER

PITCH: Final = math.radians(34)
YAW: Final = math.radians(-62)
SCALE: Final = 1.5
"""Units of the drawing a millimetre."""
Placed = tuple[tuple[int, tuple[int, ...], bool], ...]
"""Pieces with their pose as the view has it (position and rotation together), and whether they are this turn's."""

_LOOK: Final[Vector] = (math.cos(YAW) * math.cos(PITCH), math.sin(YAW) * math.cos(PITCH), math.sin(PITCH))
"""Towards the eye."""
_RIGHT: Final[Vector] = (-math.sin(YAW), math.cos(YAW), 0.0)
_UP: Final[Vector] = geometry.cross(_LOOK, _RIGHT)


def ink(piece: int) -> str:
    """The class that colours a piece."""
    if piece < 0:
        return "card"
    return f"g-{COLOURS[COLOUR[piece]]}" if KIND[piece] == GIRDER else f"k-{KIND_NAMES[KIND[piece]]}"


def _flat(v: Vector) -> tuple[float, float]:
    return (geometry.dot(v, _RIGHT) * SCALE, -geometry.dot(v, _UP) * SCALE)


def _faces(s: Solid, look: Vector) -> list[tuple[str, list[Vector]]]:
    """The faces that the eye sees, with the side of the light: t (top), l or r."""
    found = []
    for k in range(3):
        axis, half = s.axes[k], s.half[k]
        facing = geometry.dot(axis, look)
        if abs(facing) < 1e-6:
            continue
        normal = geometry.scale(axis, 1.0 if facing > 0 else -1.0)
        middle = geometry.add(s.centre, geometry.scale(normal, half))
        u = geometry.scale(s.axes[(k + 1) % 3], s.half[(k + 1) % 3])
        v = geometry.scale(s.axes[(k + 2) % 3], s.half[(k + 2) % 3])
        corners = [
            geometry.add(middle, geometry.add(geometry.scale(u, a), geometry.scale(v, b)))
            for a, b in ((1, 1), (1, -1), (-1, -1), (-1, 1))
        ]
        side = "t" if normal[2] > 0.6 else "l" if geometry.dot(normal, _RIGHT) < 0 else "r"
        found.append((side, corners))
    return found


def _path(points: Iterable[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + "Z"


def _behind(a: Solid, b: Solid) -> bool:
    """Must a be drawn before b?"""
    if b.low[2] >= a.high[2] - 0.8:
        return True
    if a.low[2] >= b.high[2] - 0.8:
        return False
    for axis in range(2):
        sign = 1 if _LOOK[axis] > 0 else -1
        near, far = (b.low[axis], a.high[axis]) if sign > 0 else (a.low[axis], b.high[axis])
        if near >= far - 0.5:
            return True
        near, far = (a.low[axis], b.high[axis]) if sign > 0 else (b.low[axis], a.high[axis])
        if near >= far - 0.5:
            return False
    return geometry.dot(a.centre, _LOOK) < geometry.dot(b.centre, _LOOK)


def _order(solids: Sequence[Solid]) -> list[int]:
    """Farthest first: what hides something comes after it."""
    bounds = []
    for s in solids:
        spread = [sum(s.half[k] * abs(geometry.dot(s.axes[k], way)) for k in range(3)) for way in (_RIGHT, _UP)]
        u, v = geometry.dot(s.centre, _RIGHT), geometry.dot(s.centre, _UP)
        bounds.append((u - spread[0], u + spread[0], v - spread[1], v + spread[1]))
    after: list[set[int]] = [set() for _ in solids]
    waits = [0] * len(solids)
    for i, a in enumerate(solids):
        for j in range(i):
            p, q = bounds[i], bounds[j]
            if p[1] <= q[0] or q[1] <= p[0] or p[3] <= q[2] or q[3] <= p[2]:
                continue
            first, second = (i, j) if _behind(a, solids[j]) else (j, i)
            after[first].add(second)
            waits[second] += 1
    left = set(range(len(solids)))
    found = []
    while left:
        # A ring of pieces that hide each other has no right order; the farthest begins.
        free = [i for i in left if waits[i] <= 0] or list(left)
        i = min(free, key=lambda k: (geometry.dot(solids[k].centre, _LOOK), k))
        left.remove(i)
        found.append(i)
        for j in after[i]:
            waits[j] -= 1
    return found


def _fixed(shapes: Shapes, skyscraper: bool, crane: str) -> list[Solid]:
    return [s for s in geometry.fixed_solids(shapes, skyscraper, crane) if s.body != SURFACE]


@lru_cache(maxsize=16)
def fixed(skyscraper: bool, crane: str) -> list[list[float]]:
    """What stands there besides the pieces: body, its middle, its half sizes, and degrees about the vertical."""
    return [
        [
            s.body,
            *(round(v, 3) for v in (*s.centre, *s.half)),
            round(math.degrees(math.atan2(s.axes[0][1], s.axes[0][0])), 3),
        ]
        for s in _fixed(load().shapes, skyscraper, crane)
    ]


def _poses(placed: Placed) -> list[tuple[int, Pose, bool]]:
    return [(piece, geometry.loaded((piece, *numbers)), fresh) for piece, numbers, fresh in placed]


def _svg(paths: list[str], frame: tuple[float, float, float, float], cls: str, label: str) -> str:
    x, y, width, height = frame
    return (
        f'<svg class="{cls}" viewBox="{x:.0f} {y:.0f} {width:.0f} {height:.0f}" role="img" aria-label="{label}">'
        + "".join(paths)
        + "</svg>"
    )


@lru_cache(maxsize=64)
def corner(placed: Placed, skyscraper: bool = False, crane: str = "", label: str = "The building site") -> str:
    """The site seen from a corner, as an SVG element. `label` must be plain text of ours."""
    shapes = load().shapes
    solids: list[Solid] = []
    fresh: list[bool] = []
    for s in _fixed(shapes, skyscraper, crane):
        solids.append(s)
        fresh.append(False)
    for piece, pose, new in _poses(placed):
        found = geometry.solids(shapes, piece, pose)
        if KIND[piece] == HAT:
            found = found[:1] if len(found) == 1 else [_whole(shapes, piece, pose)]
        solids += found
        fresh += [new] * len(found)
    paths: list[str] = []
    points: list[tuple[float, float]] = [_flat((x, y, 0.0)) for x in (-110.0, 110.0) for y in (-90.0, 90.0)]
    shadows = []
    for s in solids:
        low = [_flat((v[0], v[1], 0.0)) for side, corners in _faces(s, (0.0, 0.0, 1.0)) if side == "t" for v in corners]
        if low and s.body >= 0:
            shadows.append(_path(low))
    paths.append(f'<path class="shade" d="{"".join(shadows)}"/>')
    for i in _order(solids):
        s = solids[i]
        parts = []
        for side, corners in _faces(s, _LOOK):
            flat = [_flat(v) for v in corners]
            points += flat
            parts.append(f'<path class="{side}" d="{_path(flat)}"/>')
        mark = " new" if fresh[i] else ""
        skin = " skin" if s.body >= 0 and KIND[s.body] == WORKER and s.part > 2 else ""
        paths.append(f'<g class="pc {ink(s.body)}{skin}{mark}">{"".join(parts)}</g>')
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    frame = (min(xs) - 8, min(ys) - 10, max(xs) - min(xs) + 16, max(ys) - min(ys) + 20)
    return _svg(paths, frame, "drawn corner", label)


def _whole(shapes: Shapes, piece: int, pose: Pose) -> Solid:
    """One cuboid around a piece of several."""
    boxes = shapes.boxes[KIND[piece]]
    low = [min(b[3 + k] - b[k] / 2 for b in boxes) for k in range(3)]
    high = [max(b[3 + k] + b[k] / 2 for b in boxes) for k in range(3)]
    size = [h - w for w, h in zip(low, high, strict=True)]
    centre = [(h + w) / 2 for w, h in zip(low, high, strict=True)]
    return geometry.solid(piece, 0, (size[0], size[1], size[2], centre[0], centre[1], centre[2]), pose)


@lru_cache(maxsize=64)
def plan(placed: Placed, skyscraper: bool = False, crane: str = "", label: str = "The site from above") -> str:
    """The site from above with a grid of 50 mm, as an SVG element. Up is away from the builder."""
    shapes = load().shapes
    reach = 200
    paths = []
    for at in range(-reach, reach + 1, 50):
        cls = "axis" if at == 0 else "grid"
        paths.append(f'<path class="{cls}" d="M{at} {-reach}V{reach}M{-reach} {at}H{reach}"/>')
        if at and abs(at) < reach:
            paths.append(f'<text x="{at}" y="{reach + 14}">{at:d}</text>')
            paths.append(f'<text class="up" x="{-reach - 5}" y="{-at + 4}">{at:d}</text>')
    solids = _fixed(shapes, skyscraper, crane)
    marks: list[tuple[float, str]] = []
    for s in solids:
        marks.append((s.high[2], _top(s, ink(s.body))))
    for piece, pose, new in _poses(placed):
        if KIND[piece] == HAT:
            (x, y, z), _ = pose
            marks.append((z, f'<circle class="pc k-hat{" new" if new else ""}" cx="{x:.1f}" cy="{-y:.1f}" r="8.5"/>'))
            continue
        for s in geometry.solids(shapes, piece, pose):
            marks.append((s.high[2], _top(s, ink(piece) + (" new" if new else ""))))
    paths += [text for _, text in sorted(marks)]
    return _svg(paths, (-reach - 34, -reach - 6, 2 * reach + 44, 2 * reach + 28), "drawn plan", label)


def _top(s: Solid, cls: str) -> str:
    faces = [_path((v[0], -v[1]) for v in corners) for _, corners in _faces(s, (0.02, 0.01, 1.0))]
    return f'<path class="pc {cls}" d="{"".join(faces)}"/>'


def preset(name: str) -> Placed:
    """A sample site as the leaflet has it; those of the variants begin with `crane_` and `skyscraper_`."""
    count = [0] * len(FIRST)
    found: list[tuple[int, tuple[int, ...], bool]] = []
    shapes = load().shapes
    origin = geometry.box_origin(shapes) if name.startswith("skyscraper") else (0.0, 0.0, 0.0)
    for item in shapes.presets[name]:
        piece = FIRST[item.kind] + (7 * item.colour if item.kind == GIRDER else count[item.kind])
        count[item.kind] += 1
        pose = geometry.item_pose(item, origin)
        found.append((piece, geometry.stored(piece, pose)[1:], False))
        if item.kind == WORKER:
            found.append((FIRST[HAT], geometry.stored(FIRST[HAT], geometry.hat_pose(shapes, pose))[1:], False))
    return tuple(found)
