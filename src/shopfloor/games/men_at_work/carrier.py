"""How a computer's piece gets to its place: taken up, over everything, down until something bears it.

A route is made by whoever thinks and can be sent from one process to another; the carrier follows it with the site's
hand, tick by tick, so that it can be watched in real time or done at once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Final

from shopfloor.games.men_at_work import geometry
from shopfloor.games.men_at_work.geometry import Pose, Quaternion, Vector, add
from shopfloor.games.men_at_work.site import RATE, Site

TICKS: Final = 60  # a second
STEPS: Final = RATE // TICKS  # of the physics, a tick
TURNING: Final = 2.5  # rad/s
APPROACH: Final = 10.0  # mm above the place from where a piece is lowered
SHORT: Final = 3.0  # mm above it from where lowering is rehearsed
SLIDING: Final = 100.0  # mm/s
LOWERING: Final = 22.0  # mm/s
PRESSED: Final = 0.7  # mm that the hand is ahead of the piece when something bears it
BORNE: Final = 3  # ticks in a row that it must be so
TOO_DEEP: Final = 6.0  # mm below its place: there is nothing
HOLD: Final = 4  # ticks of waiting before it is let go


@dataclass(frozen=True)
class Route:
    """Where a piece is carried.

    start: where it is taken up, if it comes from the supply. goal: its place, as this hand hits it, mm.
    over: the height of its middle on the way, mm. speed: mm/s. tremor: mm, of the lateral standard deviation.
    seed: of the tremor. side: from where it is put in, mm beside its place; zero: from above. lift: mm above its
    place at which it is put in. lowered: only the last part of the way, for rehearsals: it begins above the place.
    """

    start: Pose
    goal: Pose
    over: float
    speed: float
    tremor: float
    seed: int
    side: Vector = (0.0, 0.0, 0.0)
    lift: float = 2.0
    lowered: bool = False

    def entry(self) -> Pose:
        """Where the last part of the way begins."""
        (x, y, z), turn = self.goal
        return (x + self.side[0], y + self.side[1], z + (self.lift if any(self.side) else SHORT)), turn


class Carrier:
    """Follows a route with the hand of a site. It reads the site, and aims; whoever drives the site steps it."""

    def __init__(self, site: Site, route: Route, pace: float = 1.0) -> None:
        """pace: below 1 the way is taken more slowly; lowering is not touched by it. Raises ValueError for no pace."""
        if not 0.05 <= pace <= 5.0:
            raise ValueError(f"a pace of {pace} is none; it must be between 0.05 and 5")
        self.site = site
        self.route = route
        self._rng = Random(route.seed)
        self._sway: Vector = (0.0, 0.0, 0.0)
        self._legs: list[tuple[Pose, Pose, int]] = []
        self._at = 0
        self._down: float | None = None
        self._felt = 0
        self._rest = HOLD
        if site.hand is not None:
            self._lay_out(site.hand.want, pace)

    def _lay_out(self, held: Pose, pace: float) -> None:
        """The legs of the way, each from one pose to another in so many ticks."""
        route = self.route
        (x, y, z), turn = held
        (gx, gy, gz), wanted = route.goal
        high = max(route.over, gz + APPROACH)
        points: list[Pose] = [held]
        if not route.lowered:
            (ex, ey, ez), _ = route.entry()
            down = ez if any(route.side) else gz + APPROACH
            points += [((x, y, max(high, z)), turn), ((ex, ey, high), wanted), ((ex, ey, down), wanted)]
        slide = len(points)
        if any(route.side):
            points.append(((gx, gy, gz + route.lift), wanted))
        for k, (p, q) in enumerate(pairwise(points), 1):
            far = math.dist(p[0], q[0]) / (SLIDING if k == slide else route.speed * pace)
            angle = _angle(p[1], q[1]) / (TURNING * pace)
            ticks = math.ceil(max(far, angle) * 1.5 * TICKS)  # the middle of a leg is taken faster than its ends
            if ticks:
                self._legs.append((p, q, ticks))

    def tick(self) -> bool:
        """The next 1/60 s: aim the hand. False when there is nothing more to do: let go, whatever happened."""
        site = self.site
        hand = site.hand
        if hand is None or hand.fading is not None or site.accident is not None:
            return False
        if self._legs:
            start, goal, ticks = self._legs[0]
            self._at += 1
            part = self._at / ticks
            part = part * part * (3 - 2 * part)
            position = tuple(p + (q - p) * part for p, q in zip(start[0], goal[0], strict=True))
            self._aim((position[0], position[1], position[2]), geometry.between(start[1], goal[1], part))
            if self._at >= ticks:
                self._legs.pop(0)
                self._at = 0
            return True
        return self._lower()

    def _lower(self) -> bool:
        hand = self.site.hand
        assert hand is not None
        (gx, gy, gz), turn = self.route.goal
        if self._down is None:
            self._down = hand.want[0][2]
        borne = self.site.pose(hand.unit[0])[0][2] - hand.command[0][2] > PRESSED
        self._felt = self._felt + 1 if borne else 0
        if self._felt >= BORNE or self._down < gz - TOO_DEEP:
            self._rest -= 1
            return self._rest > 0
        if not borne:
            self._down -= LOWERING / TICKS
        self._aim((gx, gy, self._down), turn)
        return True

    def _aim(self, position: Vector, turn: Quaternion) -> None:
        """A hand trembles slowly: what it does next is much like what it did last."""
        k = self.route.tremor * 0.55
        x, y, z = self._sway
        gauss = self._rng.gauss
        self._sway = (0.85 * x + gauss(0, k), 0.85 * y + gauss(0, k), 0.85 * z + gauss(0, k / 3))
        self.site.aim((add(position, self._sway), turn))


def _angle(p: Quaternion, q: Quaternion) -> float:
    return 2 * math.acos(min(1.0, abs(sum(a * b for a, b in zip(p, q, strict=True)))))


def carry(site: Site, route: Route) -> None:
    """All of a route at once; the piece is in the hand before and after."""
    carrier = Carrier(site, route)
    while carrier.tick():
        site.step(STEPS)
