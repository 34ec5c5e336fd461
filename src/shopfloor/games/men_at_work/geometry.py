"""Where pieces are and whether they touch, from their poses alone: boxes, gaps, contact patches.

Lengths are in millimetres. A pose is x, y, z and a unit quaternion w, x, y, z. Everything here is exact up to
rounding, and needs no physics: that is what makes a measurement of a site worth keeping.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from shopfloor.games.men_at_work.cards import Box, Item, Shapes
from shopfloor.games.men_at_work.outcome import Accident, Contact, Outcome
from shopfloor.games.men_at_work.pieces import (
    BOX_EDGE,
    BOX_FLOOR,
    CRANE,
    GIRDER,
    HAT,
    HEAD,
    INSERT,
    KIND,
    LENGTH,
    PLATFORM,
    SURFACE,
    TURN,
    WORKER,
)

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]
Pose = tuple[Vector, Quaternion]

EPS_TOUCH: Final = 0.3  # MW-J.1: the largest gap that is a contact, mm
N_UP: Final = 0.35  # MW-J.2: the normal's upward part that makes a contact bearing, where forces are not known
SEAT_TOL: Final = 2.0  # MW-J.23, mm
SEAT_TURN: Final = math.cos(math.radians(10.0))
TABLE: Final = 1500.0  # half the playing surface: what rolls over the edge of a table has fallen all the same

# Not final: mypyc's code never finds a final tuple of floats set.
UPRIGHT: Quaternion = (1.0, 0.0, 0.0, 0.0)
LYING: Quaternion = (math.sqrt(0.5), 0.0, math.sqrt(0.5), 0.0)


def multiply(a: Quaternion, b: Quaternion) -> Quaternion:
    w, x, y, z = a
    W, X, Y, Z = b  # noqa: N806
    return (
        w * W - x * X - y * Y - z * Z,
        w * X + x * W + y * Z - z * Y,
        w * Y - x * Z + y * W + z * X,
        w * Z + x * Y - y * X + z * W,
    )


def conjugate(q: Quaternion) -> Quaternion:
    return (q[0], -q[1], -q[2], -q[3])


def rotate(q: Quaternion, v: Vector) -> Vector:
    w, x, y, z = q
    a, b, c = v
    tx, ty, tz = 2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)
    return (a + w * tx + y * tz - z * ty, b + w * ty + z * tx - x * tz, c + w * tz + x * ty - y * tx)


def yaw(degrees: float) -> Quaternion:
    half = math.radians(degrees) / 2
    return (math.cos(half), 0.0, 0.0, math.sin(half))


def normalised(q: Sequence[float]) -> Quaternion:
    n = math.sqrt(sum(v * v for v in q))
    return (q[0] / n, q[1] / n, q[2] / n, q[3] / n)


def between(p: Quaternion, q: Quaternion, part: float) -> Quaternion:
    """A turn on the shorter way from one to another; part: 0 is the first, 1 the second."""
    sign = 1.0 if sum(x * y for x, y in zip(p, q, strict=True)) >= 0 else -1.0
    return normalised([x + part * (sign * y - x) for x, y in zip(p, q, strict=True)])


def pitched(heading: float, pitch: float) -> Quaternion:
    """The turn of a piece whose x axis heads that way and rises by so much, in radians."""
    return multiply(yaw(math.degrees(heading)), (math.cos(pitch / 2), 0.0, -math.sin(pitch / 2), 0.0))


def add(a: Vector, b: Vector) -> Vector:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def sub(a: Vector, b: Vector) -> Vector:
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def dot(a: Vector, b: Vector) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def scale(a: Vector, k: float) -> Vector:
    return (a[0] * k, a[1] * k, a[2] * k)


def cross(a: Vector, b: Vector) -> Vector:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def stored(piece: int, pose: Pose) -> tuple[int, ...]:
    """A pose as outcomes hold it, the piece in front."""
    (x, y, z), q = pose
    q = normalised(q)
    return (piece, *(round(v * LENGTH) for v in (x, y, z)), *(round(v * TURN) for v in q))


def loaded(numbers: Sequence[int]) -> Pose:
    """The pose that `stored` wrote."""
    x, y, z = (v / LENGTH for v in numbers[1:4])
    return (x, y, z), normalised([v / TURN for v in numbers[4:8]])


# -- boxes --------------------------------------------------------------------------------------------------------


@dataclass(init=False, unsafe_hash=True)
class Solid:
    """A cuboid in space. body: a piece or something fixed; part: of a worker. low, high: its bounds."""

    body: Final[int]
    part: Final[int]
    centre: Final[Vector]
    axes: Final[tuple[Vector, Vector, Vector]]
    half: Final[Vector]
    low: Final[Vector]
    high: Final[Vector]

    # Written out: what `dataclass` makes is never compiled, and many of these are made.
    def __init__(
        self,
        body: int,
        part: int,
        centre: Vector,
        axes: tuple[Vector, Vector, Vector],
        half: Vector,
        low: Vector,
        high: Vector,
    ) -> None:
        self.body = body
        self.part = part
        self.centre = centre
        self.axes = axes
        self.half = half
        self.low = low
        self.high = high


def solid(body: int, part: int, box: Box, pose: Pose) -> Solid:
    position, q = pose
    centre = add(position, rotate(q, (box[3], box[4], box[5])))
    axes = (rotate(q, (1.0, 0.0, 0.0)), rotate(q, (0.0, 1.0, 0.0)), rotate(q, (0.0, 0.0, 1.0)))
    half = (box[0] / 2, box[1] / 2, box[2] / 2)
    reach = [sum(half[k] * abs(axes[k][i]) for k in range(3)) for i in range(3)]
    low = (centre[0] - reach[0], centre[1] - reach[1], centre[2] - reach[2])
    high = (centre[0] + reach[0], centre[1] + reach[1], centre[2] + reach[2])
    return Solid(body, part, centre, axes, half, low, high)


_KEPT: Final = 6000
_SOLIDS: Final[dict[tuple[int, Pose], tuple[Shapes, list[Solid]]]] = {}


def solids(shapes: Shapes, piece: int, pose: Pose) -> list[Solid]:
    """The cuboids of a piece; only a worker's parts are told apart. The list is kept: leave it as it is."""
    # Most pieces lie still most of the time, and are asked about again and again.
    known = _SOLIDS.get((piece, pose))
    if known is not None and known[0] is shapes:
        return known[1]
    kind = KIND[piece]
    boxes = shapes.boxes[kind]
    found = [solid(piece, k if kind == WORKER else 0, box, pose) for k, box in enumerate(boxes)]
    if len(_SOLIDS) >= _KEPT:
        _SOLIDS.clear()
    _SOLIDS[piece, pose] = (shapes, found)
    return found


def lifted(s: Solid, up: float) -> Solid:
    """The same cuboid, higher."""
    rise = (0.0, 0.0, up)
    return Solid(s.body, s.part, add(s.centre, rise), s.axes, s.half, add(s.low, rise), add(s.high, rise))


def upright(body: int, low: Vector, high: Vector) -> Solid:
    """A fixed cuboid along the axes."""
    box = (*sub(high, low), 0.0, 0.0, 0.0)
    return solid(body, 0, box, (scale(add(low, high), 0.5), UPRIGHT))


def fixed_solids(shapes: Shapes, skyscraper: bool, crane: str) -> list[Solid]:
    """The table and, by variant, the box and the crane (`crane`: where it stands, or empty)."""
    found = [upright(SURFACE, (-TABLE, -TABLE, -100.0), (TABLE, TABLE, 0.0))]
    if skyscraper:
        found += box_solids(shapes)
    if crane:
        pose = crane_pose(shapes, crane)
        found += [solid(PLATFORM, 0, box, pose) for box in shapes.platform]
        found += [solid(CRANE, 0, box, pose) for box in shapes.crane]
    return found


def box_origin(shapes: Shapes) -> Vector:
    """Where the inner corner of the box is: its middle stands in the middle of the table."""
    n = shapes.raw["skyscraper"]["inner"]
    return (-n[0] / 2, -n[1] / 2, 0.0)


def box_solids(shapes: Shapes) -> list[Solid]:
    data = shapes.raw["skyscraper"]
    origin = box_origin(shapes)
    (nx, ny), t, h = data["inner"], data["wall_thickness"], data["wall_top"]
    parts: list[tuple[int, Vector, Vector]] = [(BOX_FLOOR, (0.0, 0.0, 0.0), (nx, ny, data["floor_z"]))]
    for r in data["ribs"]:
        parts.append((INSERT, (r["x0"], r["y0"], r["z0"]), (r["x1"], r["y1"], r["z1"])))
    parts += [
        (BOX_EDGE, (-t, -t, 0.0), (0.0, ny + t, h)),
        (BOX_EDGE, (nx, -t, 0.0), (nx + t, ny + t, h)),
        (BOX_EDGE, (0.0, -t, 0.0), (nx, 0.0, h)),
        (BOX_EDGE, (0.0, ny, 0.0), (nx, ny + t, h)),
    ]
    return [upright(body, add(low, origin), add(high, origin)) for body, low, high in parts]


def crane_pose(shapes: Shapes, place: str) -> Pose:
    """Where the crane's platform has its middle (MW-14.1, MW-14.5)."""
    if place == "middle":
        return (0.0, 0.0, 0.0), UPRIGHT
    data = shapes.raw["skyscraper"]
    origin = box_origin(shapes)
    if place == "bottom":  # in the well that it fits, the jib over the box
        x0, y0, x1, y1 = data["wells"]["workers"]
        return add(origin, ((x0 + x1) / 2, (y0 + y1) / 2, data["floor_z"])), yaw(90.0)
    return add(origin, (data["inner"][0] - 45.0, data["inner"][1] - 45.0, data["wall_top"])), yaw(225.0)


# -- gaps ---------------------------------------------------------------------------------------------------------


def _nearest(box: Solid, p: Vector) -> Vector:
    d = sub(p, box.centre)
    out = box.centre
    for k in range(3):
        a = dot(d, box.axes[k])
        h = box.half[k]
        out = add(out, scale(box.axes[k], h if a > h else -h if a < -h else a))
    return out


def _crossings(a: Solid, b: Solid) -> Iterator[Vector]:
    """The directions across an edge of each of two cuboids."""
    for u in a.axes:
        for v in b.axes:
            x, y, z = cross(u, v)
            size = math.sqrt(x * x + y * y + z * z)
            if size >= 1e-6:
                yield x / size, y / size, z / size


def gap(a: Solid, b: Solid, most: float) -> tuple[float, Vector] | None:
    """The distance of two cuboids (negative: how deep they overlap), and the direction from b to a.

    None if they are farther apart than `most`.
    """
    dx, dy, dz = sub(a.centre, b.centre)
    best = -math.inf
    normal: Vector = (0.0, 0.0, 1.0)
    (a0, a1, a2), (b0, b1, b2) = a.axes, b.axes
    (ha0, ha1, ha2), (hb0, hb1, hb2) = a.half, b.half
    # Faces first: edges that are nearly parallel make poor normals, and most that is far apart is so along a face.
    for candidates, clearer in ((a.axes + b.axes, 1e-7), (_crossings(a, b), 1e-4)):
        for x, y, z in candidates:
            along = dx * x + dy * y + dz * z
            s = (
                abs(along)
                - ha0 * abs(x * a0[0] + y * a0[1] + z * a0[2])
                - ha1 * abs(x * a1[0] + y * a1[1] + z * a1[2])
                - ha2 * abs(x * a2[0] + y * a2[1] + z * a2[2])
                - hb0 * abs(x * b0[0] + y * b0[1] + z * b0[2])
                - hb1 * abs(x * b1[0] + y * b1[1] + z * b1[2])
                - hb2 * abs(x * b2[0] + y * b2[1] + z * b2[2])
            )
            if s > most:
                return None
            if s > best + clearer:
                best, normal = s, (x, y, z) if along >= 0 else (-x, -y, -z)
    if best <= 0:
        return best, normal
    # Apart on some axis: the true distance by projecting to and fro, which converges for convex bodies.
    p = _nearest(a, b.centre)
    last = math.inf
    for _ in range(400):
        q = _nearest(b, p)
        p = _nearest(a, q)
        distance = math.dist(p, q)
        if last - distance < 1e-7 or distance - best < 1e-7:  # no nearer than the axis allows
            break
        last = distance
    if distance > most:
        return None
    return (distance, scale(sub(p, q), 1 / distance)) if distance > 1e-3 else (distance, normal)


_FACES: Final = tuple((axis, sign) for axis in range(3) for sign in (-1, 1))


def _face(box: Solid, axis: int, sign: int) -> list[Vector]:
    u, v = (axis + 1) % 3, (axis + 2) % 3
    middle = add(box.centre, scale(box.axes[axis], sign * box.half[axis]))
    du, dv = scale(box.axes[u], box.half[u]), scale(box.axes[v], box.half[v])
    corners = ((1, 1), (-1, 1), (-1, -1), (1, -1))
    return [add(middle, add(scale(du, i), scale(dv, j))) for i, j in corners]


def _clip(polygon: list[Vector], box: Solid, grown: float) -> list[Vector]:
    """The part of a polygon inside a cuboid that has grown by so much on all sides."""
    for axis, sign in _FACES:
        n = scale(box.axes[axis], sign)
        limit = dot(n, box.centre) + box.half[axis] + grown
        inside: list[Vector] = []
        for i, p in enumerate(polygon):
            before = polygon[i - 1]
            dp, db = dot(n, p) - limit, dot(n, before) - limit
            if (dp <= 0) != (db <= 0):
                k = db / (db - dp)
                inside.append(add(before, scale(sub(p, before), k)))
            if dp <= 0:
                inside.append(p)
        polygon = inside
        if not polygon:
            return polygon
    return polygon


def patch(a: Solid, b: Solid, reach: float = EPS_TOUCH) -> list[Vector]:
    """Corner points of the zone where two cuboids are within reach of each other."""
    points: list[Vector] = []
    for axis, sign in _FACES:
        points += _clip(_face(a, axis, sign), b, reach)
        points += _clip(_face(b, axis, sign), a, reach)
    return points


def span(box: Solid, points: Iterable[Vector]) -> tuple[int, int]:
    """Where along a cuboid's first axis points lie, in micrometres from its one end."""
    along = [dot(sub(p, box.centre), box.axes[0]) for p in points]
    if not along:
        return (0, 0)
    h = box.half[0]
    low, high = max(-h, min(along)), min(h, max(along))
    return (round((low + h) * LENGTH), round((high + h) * LENGTH))


def covered(upper: Solid, lower: Solid) -> int:
    """MW-7.6: thousandths of the lower girder's upper face that the upper one covers."""
    axis, sign = max(_FACES, key=lambda face: face[1] * lower.axes[face[0]][2])
    face = _face(lower, axis, sign)
    part = _clip(face, upper, EPS_TOUCH)
    whole = _area(face)
    return round(1000 * _area(part) / whole) if len(part) > 2 else 0


def _area(polygon: list[Vector]) -> float:
    total: Vector = (0.0, 0.0, 0.0)
    for i in range(1, len(polygon) - 1):
        total = add(total, cross(sub(polygon[i], polygon[0]), sub(polygon[i + 1], polygon[0])))
    return math.sqrt(dot(total, total)) / 2


# -- the measurement ------------------------------------------------------------------------------------------------

Forces = Mapping[tuple[int, int, int, int], float]
"""The upward force in newtons that b exerts on a, by (a, part of a, b, part of b)."""


def weight(shapes: Shapes, piece: int) -> float:
    """In newtons."""
    return shapes.masses[KIND[piece]] * 9.81e-3


def measure(
    shapes: Shapes,
    poses: Mapping[int, Pose],
    fixed: Sequence[Solid],
    forces: Forces | None = None,
    settled: bool = True,
    accident: Accident | None = None,
    fell: Iterable[int] = (),
    only: frozenset[int] | None = None,
) -> Outcome:
    """The outcome that poses amount to. Without forces, bearing goes by the normals (MW-J.2, fallback).

    only: pieces whose contacts are wanted, where those of the others do not matter.
    """
    boxes = {piece: solids(shapes, piece, pose) for piece, pose in poses.items()}
    pairs = _touching([s for found in boxes.values() for s in found], fixed, only)
    worn = tuple(sorted(_worn(shapes, poses, pairs)))
    bearing = _bearing(poses, pairs) if forces is None else {}
    seen: set[tuple[int, int, int, int]] = set()
    contacts, covers = [], []
    for a, b, _ in pairs:
        key = (a.body, a.part, b.body, b.part)
        back = (b.body, b.part, a.body, a.part)
        if key in seen:  # another cuboid of the same part: its force is in the first one's
            up_a = up_b = 0
        elif forces is None:
            up_a, up_b = bearing.get(key, 0), bearing.get(back, 0)
        else:
            up_a = _share(forces.get(key, 0.0), shapes, a.body)
            up_b = _share(forces.get(back, 0.0), shapes, b.body)
        seen.add(key)
        span_a = span_b = (0, 0)
        long_a, long_b = KIND[a.body] == GIRDER, b.body >= 0 and KIND[b.body] == GIRDER
        if long_a or long_b:
            points = patch(a, b)
            span_a = span(a, points) if long_a else span_a
            span_b = span(b, points) if long_b else span_b
        if long_a and long_b:
            covers += [(p.body, q.body, share) for p, q in ((a, b), (b, a)) if (share := covered(p, q)) > 0]
        contacts.append(Contact(a.body, b.body, a.part, b.part, up_a, up_b, span_a, span_b))
    heights = {piece: max(s.high[2] for s in found) for piece, found in boxes.items()}
    for hat, worker in worn:  # MW-J.4
        heights[worker] = max(heights[worker], heights[hat])
    pieces = sorted(poses)
    return Outcome(
        poses=tuple(stored(piece, poses[piece]) for piece in pieces),
        tops=tuple((piece, round(heights[piece] * LENGTH)) for piece in pieces),
        contacts=tuple(sorted(set(contacts), key=Contact.numbers)),
        worn=worn,
        covers=tuple(sorted(set(covers))),
        settled=settled,
        accident=accident,
        fell=tuple(sorted(set(fell))),
    )


def touching(
    shapes: Shapes, poses: Mapping[int, Pose], fixed: Sequence[Solid], of: frozenset[int]
) -> frozenset[tuple[int, int, int, int]]:
    """The contacts of some pieces: body, part, other body, its part; the lower number first, what is fixed last."""
    moving = [s for piece, pose in poses.items() for s in solids(shapes, piece, pose)]
    return frozenset((a.body, a.part, b.body, b.part) for a, b, _ in _touching(moving, fixed, of))


def _share(force: float, shapes: Shapes, body: int) -> int:
    return max(0, round(1000 * force / weight(shapes, body))) if body >= 0 and force > 0 else 0


Pair = tuple[Solid, Solid, Vector]


def _touching(moving: list[Solid], fixed: Sequence[Solid], only: frozenset[int] | None = None) -> list[Pair]:
    """All pairs within EPS_TOUCH, the lower number first, with the normal from the second to the first."""
    found: list[Pair] = []
    e = EPS_TOUCH
    if only is not None:
        return _touching_these(moving, fixed, only)
    moving = sorted(moving, key=lambda s: s.low[0])
    active: list[Solid] = []
    for a in moving:
        active = [b for b in active if b.high[0] + e >= a.low[0]]
        for b in active:
            if a.body != b.body and _near(a, b, e):
                first, second = (a, b) if a.body < b.body else (b, a)
                close = gap(first, second, e)
                if close is not None:
                    found.append((first, second, close[1]))
        active.append(a)
        for f in fixed:
            if _near(a, f, e):
                close = gap(a, f, e)
                if close is not None:
                    found.append((a, f, close[1]))
    return found


def _touching_these(moving: Sequence[Solid], fixed: Sequence[Solid], only: frozenset[int]) -> list[Pair]:
    """The pairs that some bodies are in: a few against all, which is quicker than all against all."""
    found: list[Pair] = []
    e = EPS_TOUCH
    mine = [s for s in moving if s.body in only]
    rest = [s for s in moving if s.body not in only]
    for k, a in enumerate(mine):
        for others in (mine[k + 1 :], rest, fixed):
            for b in others:
                if a.body == b.body or not _near(a, b, e):
                    continue
                first, second = (a, b) if b.body < 0 or a.body < b.body else (b, a)
                close = gap(first, second, e)
                if close is not None:
                    found.append((first, second, close[1]))
    return found


def _near(a: Solid, b: Solid, e: float) -> bool:
    low, high, lo, hi = a.low, a.high, b.low, b.high
    return (
        low[0] <= hi[0] + e
        and lo[0] <= high[0] + e
        and low[1] <= hi[1] + e
        and lo[1] <= high[1] + e
        and low[2] <= hi[2] + e
        and lo[2] <= high[2] + e
    )


def _bearing(poses: Mapping[int, Pose], pairs: list[Pair]) -> dict[tuple[int, int, int, int], int]:
    """Without forces: what bears is under a piece's middle with a normal that points up enough; all share alike."""
    carried: dict[int, list[tuple[int, int, int, int]]] = {}
    for a, b, normal in pairs:
        for upper, lower, n in ((a, b, normal[2]), (b, a, -normal[2])):
            if upper.body >= 0 and n >= N_UP and lower.low[2] < poses[upper.body][0][2]:
                carried.setdefault(upper.body, []).append((upper.body, upper.part, lower.body, lower.part))
    return {key: 1000 // len(set(keys)) for keys in carried.values() for key in keys}


def seated(shapes: Shapes, hat: Pose, worker: Pose) -> bool:
    """MW-J.23, without the touch."""
    away = sub(hat[0], worker[0])
    local = rotate(conjugate(worker[1]), away)
    turn = multiply(conjugate(worker[1]), hat[1])
    upright = 1 - 2 * (turn[1] ** 2 + turn[2] ** 2)
    return math.dist(local, shapes.hat_seat) <= SEAT_TOL and upright >= SEAT_TURN


def _worn(shapes: Shapes, poses: Mapping[int, Pose], pairs: list[Pair]) -> set[tuple[int, int]]:
    worn = set()
    for a, b, _ in pairs:
        on_head = b.body >= 0 and KIND[a.body] == WORKER and KIND[b.body] == HAT and a.part == HEAD
        if on_head and seated(shapes, poses[b.body], poses[a.body]):
            worn.add((b.body, a.body))
    return worn


# -- starting sites ---------------------------------------------------------------------------------------------------


def item_pose(item: Item, origin: Vector = (0.0, 0.0, 0.0)) -> Pose:
    turn = yaw(item.yaw)
    return add(item.position, origin), multiply(turn, LYING) if item.lying else turn


def hat_pose(shapes: Shapes, worker: Pose) -> Pose:
    """Where a worn hat is."""
    return add(worker[0], rotate(worker[1], shapes.hat_seat)), worker[1]
