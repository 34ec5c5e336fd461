"""Is a place free, and is there a way to it? Questions about cuboids alone; nothing is simulated."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from shopfloor.games.men_at_work import geometry
from shopfloor.games.men_at_work.geometry import Solid, Vector
from shopfloor.games.men_at_work.pieces import KIND, WORKER

OVERLAP: Final = -0.3  # mm: deeper than that in something else is no place
CORRIDOR: Final = 4.0  # mm: in such steps it is seen whether the way is free
ROOM: Final = 1.2  # mm: so far past workers, hats and loads a piece is lowered
# Of any length: mypyc's code never finds a final tuple of so many floats set.
ACROSS: Final[tuple[float, ...]] = (30.0, 60.0, 100.0)  # mm beside its place from where a girder is put in: across it
ALONG: Final[tuple[float, ...]] = (70.0, 130.0, 190.0)  # and along it
LIFTS: Final[tuple[float, ...]] = (2.0, 0.15)  # mm above its place it is put in: the less the tighter


class Ways:
    """The ways between what stands. obstacles: all of it, what is fixed included."""

    def __init__(self, obstacles: Sequence[Solid]) -> None:
        self.obstacles: Final = obstacles

    def around(self, mine: list[Solid]) -> Ways:
        """Only what stands somewhere below, above or close beside."""
        west, east = min(s.low[0] for s in mine) - 3.0, max(s.high[0] for s in mine) + 3.0
        south, north = min(s.low[1] for s in mine) - 3.0, max(s.high[1] for s in mine) + 3.0
        return Ways(
            [
                o
                for o in self.obstacles
                if o.low[0] < east and west < o.high[0] and o.low[1] < north and south < o.high[1]
            ]
        )

    def raised(self, mine: list[Solid], most: float) -> float | None:
        """By how much cuboids have to be lifted so that they are in nothing, mm; None if by more than `most`."""
        # What is below a cuboid is no matter of lifting it, nor is what hangs higher than it may be lifted.
        pairs = [
            (s, o)
            for o in self.obstacles
            for s in mine
            if o.high[2] > s.low[2] + OVERLAP and o.low[2] < s.high[2] + most and over_each_other(s, o)
        ]
        up = 0.0
        for _ in range(8):
            deep = _deep(pairs, up)
            if not deep:
                return up
            up += max(0.8, -deep)
            if up > most:
                return None
        return None

    def clear(self, mine: list[Solid]) -> bool:
        """Is there nothing in the way at a place?"""
        return all(
            (close := geometry.gap(s, o, 0.0)) is None or close[0] > OVERLAP
            for s in mine
            for o in self.obstacles
            if o.low[2] < s.high[2] and s.low[2] < o.high[2] and over_each_other(s, o)
        )

    def down(self, mine: list[Solid], room: float = 0.0) -> bool:
        """Is the way down free, with room beside what is easily upset? room: mm, beside everything else."""
        low = min(s.low[2] for s in mine)
        for o in self.obstacles:
            if o.high[2] < low + 3.0:
                continue
            fragile = o.body >= 0 and KIND[o.body] >= WORKER
            wide = grown(o, max(room, ROOM)) if fragile else grown(o, room) if room else o
            for s in mine:
                if o.high[2] < s.low[2] + 3.0 or not over_each_other(s, wide):
                    continue
                risen = 3.0
                while s.low[2] + risen < wide.high[2]:
                    if s.high[2] + risen > wide.low[2]:
                        close = geometry.gap(geometry.lifted(s, risen), wide, 0.0)
                        if close is not None and close[0] <= OVERLAP:
                            return False
                    risen += CORRIDOR
        return True

    def sideways(self, mine: list[Solid]) -> tuple[Vector, float] | None:
        """Where something hangs over a place: from how far beside it it can be put in, and how much higher."""
        axes = mine[0].axes
        flat = math.hypot(axes[0][0], axes[0][1])
        along = (axes[0][0] / flat, axes[0][1] / flat, 0.0)
        across = (-along[1], along[0], 0.0)
        ways = [(across, far) for far in ACROSS] + [(along, far) for far in ALONG]
        for way, far in ways:
            for sign in (1.0, -1.0):
                shift = geometry.scale(way, sign * far)
                steps = math.ceil(far / CORRIDOR)
                if not self.down([moved(s, shift) for s in mine]):
                    continue
                for lift in LIFTS:
                    ways_in = (
                        geometry.add(geometry.scale(shift, k / steps), (0.0, 0.0, lift)) for k in range(1, steps + 1)
                    )
                    if all(self.clear([moved(s, by) for s in mine]) for by in ways_in):
                        return shift, lift
        return None


def _deep(pairs: list[tuple[Solid, Solid]], up: float) -> float:
    """How deep one of a pair, lifted by so much, is in the other, negative: the first that is too deep; else 0."""
    for s, o in pairs:
        if s.low[2] + up < o.high[2] and o.low[2] < s.high[2] + up:
            close = geometry.gap(geometry.lifted(s, up) if up else s, o, 0.0)
            if close is not None and close[0] <= OVERLAP:
                return close[0]
    return 0.0


def grown(s: Solid, by: float) -> Solid:
    """A cuboid wider to its sides."""
    half = (s.half[0] + by, s.half[1] + by, s.half[2])
    low = (s.low[0] - by, s.low[1] - by, s.low[2])
    high = (s.high[0] + by, s.high[1] + by, s.high[2])
    return Solid(s.body, s.part, s.centre, s.axes, half, low, high)


def near(a: Solid, b: Solid, by: float) -> bool:
    """Do the bounds of two cuboids come as near as that, mm?"""
    return all(a.low[k] < b.high[k] + by and b.low[k] < a.high[k] + by for k in range(3))


def moved(s: Solid, by: Vector) -> Solid:
    """The same cuboid elsewhere."""
    add = geometry.add
    return Solid(s.body, s.part, add(s.centre, by), s.axes, s.half, add(s.low, by), add(s.high, by))


def over_each_other(a: Solid, b: Solid) -> bool:
    """Seen from above, do two cuboids cover each other?"""
    if a.low[0] > b.high[0] or b.low[0] > a.high[0] or a.low[1] > b.high[1] or b.low[1] > a.high[1]:
        return False
    dx, dy = a.centre[0] - b.centre[0], a.centre[1] - b.centre[1]
    edges = [(h * u, h * v) for s in (a, b) for h, (u, v, _) in zip(s.half, s.axes, strict=True)]
    for x, y, _ in a.axes + b.axes:
        # Across each edge as it is seen from above.
        if x * x + y * y < 1e-6:
            continue
        reach = 0.0
        for u, v in edges:
            reach += abs(v * x - u * y)
        if abs(dy * x - dx * y) > reach:
            return False
    return True
