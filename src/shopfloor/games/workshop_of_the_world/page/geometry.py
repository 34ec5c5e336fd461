"""Where everything stands on the drawn map: lines, places for Links, names and Industries. Board units, 870 x 1000."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from shopfloor.games.workshop_of_the_world.view import MapView

Point = tuple[float, float]

WIDTH: Final = 870
HEIGHT: Final = 1000
FRAME: Final = 28
"""The Revenue track runs round the map, this wide."""

TOWN: Final = 19
"""The radius of a town's sign."""

SLOT: Final = 27

PIECE: Final = 22
STEP: Final = 16
LOWER: Final = 18
"""Industries stand side by side, each a little before the one on its left; in crowded places in two rows."""

NAME_HEIGHT: Final = 17
_WIDE: Final = {"m": 14.2, "w": 12.6, "M": 13.0, "W": 15.0, "i": 4.6, "l": 4.6, "j": 4.8, "f": 5.8, "t": 6.2, "r": 6.4}

Box = tuple[float, float, float, float]
"""left, top, right, bottom"""

# What is printed on the sea: title, demand, turn order. Names and Industries keep away from it.
TITLE: Final[Box] = (548, 16, 852, 124)
DEMAND: Final[Box] = (640, 134, 858, 326)
CHART: Final[Box] = (330, 906, 712, 990)


@dataclass(frozen=True)
class Slot:
    """A place for one Link piece: its middle, its slant in degrees (-90 to 90), its length."""

    x: float
    y: float
    slant: float
    length: float


@dataclass(frozen=True)
class Drawn:
    """The map of an edition. lines: an SVG path for each connection; slots: its places for Links; middles: of those.

    names: for each town where its name begins, left and baseline; places: left and top of each place for an Industry.
    """

    lines: tuple[str, ...]
    slots: tuple[tuple[Slot, ...], ...]
    middles: tuple[Point, ...]
    names: tuple[Point, ...]
    places: tuple[tuple[Point, ...], ...]


_DRAWN: dict[str, Drawn] = {}


def drawn(printed: MapView) -> Drawn:
    """The map of an edition, worked out once."""
    found = _DRAWN.get(printed.edition)
    if found is None:
        if len(_DRAWN) >= 16:
            _DRAWN.clear()
        found = _DRAWN[printed.edition] = _draw(printed)
    return found


def text_width(text: str) -> float:
    """About how wide a town's name is."""
    return sum(_WIDE.get(letter, 10.4 if letter.isupper() else 8.9) for letter in text)


def _block(places: int, rows: int) -> Point:
    """Width and height of a town's places for Industries, in one row or two."""
    across = -(-places // rows)
    return STEP * (across - 1) + PIECE, LOWER * (rows - 1) + PIECE


def _places(box: Box, count: int) -> tuple[Point, ...]:
    """Left and top of each place in a block."""
    across = count if box[3] - box[1] < PIECE + 1 else -(-count // 2)
    spots = [(box[0] + STEP * (i % across), box[1] + LOWER * (i // across)) for i in range(count)]
    return tuple((round(x, 1), round(y, 1)) for x, y in spots)


# -- lines ------------------------------------------------------------------------------------------------------------


def _bends(printed: MapView, c: int) -> list[Point]:
    a, b = printed.ends[c]
    x, y = printed.town_x, printed.town_y
    return [(x[a], y[a]), *printed.via[c], (x[b], y[b])]


def _curve(points: Sequence[Point]) -> list[tuple[Point, Point, Point, Point]]:
    """Bezier pieces of a smooth line through the points."""
    first, last = points[0], points[-1]
    before = (2 * first[0] - points[1][0], 2 * first[1] - points[1][1])
    after = (2 * last[0] - points[-2][0], 2 * last[1] - points[-2][1])
    p = [before, *points, after]
    pieces = []
    for i in range(1, len(p) - 2):
        one = (p[i][0] + (p[i + 1][0] - p[i - 1][0]) / 6, p[i][1] + (p[i + 1][1] - p[i - 1][1]) / 6)
        two = (p[i + 1][0] - (p[i + 2][0] - p[i][0]) / 6, p[i + 1][1] - (p[i + 2][1] - p[i][1]) / 6)
        pieces.append((p[i], one, two, p[i + 1]))
    return pieces


def _path(points: Sequence[Point]) -> str:
    start = f"M{points[0][0]:.0f} {points[0][1]:.0f}"
    if len(points) == 2:
        return f"{start}L{points[1][0]:.0f} {points[1][1]:.0f}"
    return start + "".join(
        f"C{a[0]:.0f} {a[1]:.0f} {b[0]:.0f} {b[1]:.0f} {e[0]:.0f} {e[1]:.0f}" for _, a, b, e in _curve(points)
    )


def _trace(points: Sequence[Point], steps: int = 14) -> list[Point]:
    """Points along the line."""
    if len(points) == 2:
        (x, y), (u, v) = points
        return [(x + (u - x) * k / steps, y + (v - y) * k / steps) for k in range(steps + 1)]
    out: list[Point] = []
    for a, b, c, d in _curve(points):
        for k in range(steps):
            t = k / steps
            w = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
            out.append(
                (
                    w[0] * a[0] + w[1] * b[0] + w[2] * c[0] + w[3] * d[0],
                    w[0] * a[1] + w[1] * b[1] + w[2] * c[1] + w[3] * d[1],
                )
            )
    return [*out, points[-1]]


def _length(trace: Sequence[Point]) -> float:
    return sum(math.dist(a, b) for a, b in pairwise(trace))


def _at(trace: Sequence[Point], along: float) -> tuple[float, float, float]:
    """The point at a distance along the line, and the slant there."""
    for a, b in pairwise(trace):
        step = math.dist(a, b)
        if along <= step or b is trace[-1]:
            t = along / step if step else 0.0
            slant = math.degrees(math.atan2(b[1] - a[1], b[0] - a[0]))
            slant = slant - 180 if slant > 90 else slant + 180 if slant < -90 else slant
            return a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), slant
        along -= step
    raise AssertionError("a line has two points")


def _slots(printed: MapView, c: int, traces: Sequence[Sequence[Point]]) -> tuple[Slot, ...]:
    trace = traces[c]
    whole = _length(trace)
    n = printed.capacity[c]
    size = min(SLOT, (whole - 2 * TOWN - 4 - 3 * (n - 1)) / n)
    gap = 4.0
    middle = whole / 2
    other = printed.crosses[c]
    if other >= 0:
        # The two lines cross: Links of the one stand on both sides of it, that of the other well away from it.
        spots = [(i / 200 * whole, _at(trace, i / 200 * whole)) for i in range(201)]
        along = min(spots, key=lambda s: min(math.dist(s[1][:2], p) for p in traces[other]))[0]
        if n == 2:
            gap, middle = 24.0, along
        else:
            middle = along + 36 if along < whole / 2 else along - 36
    places = [middle] if n == 1 else [middle - (size + gap) / 2, middle + (size + gap) / 2]
    return tuple(Slot(*_at(trace, place), size) for place in places)


# -- names and Industries ---------------------------------------------------------------------------------------------


@dataclass
class _Label:
    """A name or a block of Industries of a town, and where it may stand: the spots with what each hides for good."""

    town: int
    name: bool
    spots: list[Box]
    fixed: list[float]
    at: int = 0

    @property
    def box(self) -> Box:
        return self.spots[self.at]


def _overlap(a: Box, b: Box) -> float:
    wide = min(a[2], b[2]) - max(a[0], b[0])
    high = min(a[3], b[3]) - max(a[1], b[1])
    return wide * high if wide > 0 and high > 0 else 0.0


def _around(x: float, y: float, width: float, height: float) -> Iterator[tuple[float, Box]]:
    """Boxes that touch a town's sign, by the direction in which they lie (0: right, clockwise)."""
    for step in range(24):
        angle = step * math.pi / 12
        dx, dy = math.cos(angle), math.sin(angle)
        far = TOWN - 2.0
        # Slide out until the nearest point of the box is clear of the sign.
        while True:
            left, top = x + dx * far - width / 2 + dx * width / 2, y + dy * far - height / 2 + dy * height / 2
            near = (min(max(x, left), left + width), min(max(y, top), top + height))
            if math.dist(near, (x, y)) >= TOWN + 1.5:
                break
            far += 2
        yield angle, (left, top, left + width, top + height)


_SIDES: Final = {"E": 0, "SE": 45, "S": 90, "SW": 135, "W": 180, "NW": 225, "N": 270, "NE": 315}


def _draw(printed: MapView) -> Drawn:
    connections = range(len(printed.ends))
    bends = [_bends(printed, c) for c in connections]
    traces = [_trace(points) for points in bends]
    slots = [_slots(printed, c, traces) for c in connections]
    labels = _settle(printed, _labels(printed, traces, slots))
    names = [label.box for label in labels if label.name]
    blocks = [label.box for label in labels if not label.name]
    return Drawn(
        lines=tuple(_path(points) for points in bends),
        slots=tuple(slots),
        middles=tuple((sum(s.x for s in g) / len(g), sum(s.y for s in g) / len(g)) for g in slots),
        names=tuple((round(box[0], 1), round(box[3] - 3.0, 1)) for box in names),
        places=tuple(_places(box, printed.town_values[t]) for t, box in enumerate(blocks)),
    )


def _labels(printed: MapView, traces: Sequence[Sequence[Point]], slots: Sequence[Sequence[Slot]]) -> list[_Label]:
    """For each town its name and its block of Industries, with all their spots."""
    pieces = [
        (s.x + k * s.length * math.cos(math.radians(s.slant)), s.y + k * s.length * math.sin(math.radians(s.slant)))
        for group in slots
        for s in group
        for k in (-0.4, 0, 0.4)
    ]
    dots = [p for trace in traces for p in trace]
    labels = []
    for town, text in enumerate(printed.town_names):
        x, y, value = printed.town_x[town], printed.town_y[town], printed.town_values[town]
        near = [[p for p in some if abs(p[0] - x) < 150 and abs(p[1] - y) < 80] for some in (pieces, dots)]
        side = math.radians(_SIDES.get(printed.town_labels[town].rstrip("0123456789"), 0))
        for name in (True, False):
            label = _Label(town, name, [], [])
            shapes = [(text_width(text), float(NAME_HEIGHT))] if name else [_block(value, 1)]
            if not name and value > 2:
                shapes.append(_block(value, 2))
            for i, (width, height) in enumerate(shapes):
                for angle, box in _around(x, y, width, height):
                    cost = 14 * (1 - math.cos(angle - side)) if name else 20.0 * i
                    cost += 6 * abs(math.sin(2 * angle))
                    label.spots.append(box)
                    label.fixed.append(cost + _hidden(box, printed, near[0], near[1]))
            label.at = min(range(len(label.spots)), key=label.fixed.__getitem__)
            labels.append(label)
    return labels


def _settle(printed: MapView, labels: list[_Label]) -> list[_Label]:
    """Each in turn takes the spot where it hides least, until nothing moves."""
    x, y = printed.town_x, printed.town_y
    near = [
        [o for o in labels if o is not a and abs(y[o.town] - y[a.town]) < 90 and abs(x[o.town] - x[a.town]) < 220]
        for a in labels
    ]

    def cost(i: int, spot: int) -> float:
        label = labels[i]
        box = label.spots[spot]
        total = label.fixed[spot]
        for other in near[i]:
            total += 2.0 * _overlap(box, other.box)
            if other.town == label.town:
                total += 0.12 * _apart(box, other.box)
        return total

    for _ in range(8):
        moved = False
        for i, label in enumerate(labels):
            best = min(range(len(label.spots)), key=lambda spot, i=i: cost(i, spot))  # type: ignore[misc]
            if best != label.at and cost(i, best) < cost(i, label.at) - 1e-9:
                label.at, moved = best, True
        if not moved:
            break
    return labels


def _apart(a: Box, b: Box) -> float:
    return math.dist(((a[0] + a[2]) / 2, (a[1] + a[3]) / 2), ((b[0] + b[2]) / 2, (b[1] + b[3]) / 2))


def _hidden(box: Box, printed: MapView, pieces: Sequence[Point], dots: Sequence[Point]) -> float:
    """What a label would hide that never moves."""
    left, top, right, bottom = box
    cost = 0.0
    for x, y in pieces:
        if left - 7 < x < right + 7 and top - 7 < y < bottom + 7:
            cost += 80
    for x, y in dots:
        if left < x < right and top < y < bottom:
            cost += 5
    for x, y in zip(printed.town_x, printed.town_y, strict=True):
        if abs(x - left) < 200 and abs(y - top) < 60:
            near = (min(max(x, left), right), min(max(y, top), bottom))
            if math.dist(near, (x, y)) < TOWN + 1:
                cost += 300
    for other in (TITLE, DEMAND, CHART):
        cost += 3 * _overlap(box, other)
    return cost + 900 * (left < 4 or top < 4 or right > WIDTH - 4 or bottom > HEIGHT - 4)
