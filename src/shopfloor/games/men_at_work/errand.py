"""What the site's own hand can be told to do: carry a piece somewhere, or lay out a whole site.

Computers bring routes; people name a pose, and the way there if it is not simply up, over and down.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from shopfloor.engine.world import TICKS, HandRefused
from shopfloor.games.men_at_work import geometry, words
from shopfloor.games.men_at_work.cards import Shapes
from shopfloor.games.men_at_work.carrier import Route
from shopfloor.games.men_at_work.geometry import Pose, Vector
from shopfloor.games.men_at_work.pieces import NAMES, PIECES
from shopfloor.games.men_at_work.site import Site, SiteError

SPEED: Final = 250.0  # mm/s
GENTLE: Final = 180.0  # mm/s, with loose things on the piece
TURNING: Final = 2.0  # rad/s
OVER: Final = 60.0  # mm above all that stands
APPROACH: Final = 12.0  # mm above the place it slows down
DEPTH: Final = 20.0  # mm below the named place: farther down there is nothing
MOST_POINTS: Final = 64
TIPPED: Final = (math.sqrt(0.5), 0.0, math.sqrt(0.5), 0.0)
"""A quarter of a turn about the piece's own y axis."""


def say(code: str, facts: Mapping[str, object] | None = None, clause: str = "") -> HandRefused:
    """A refusal in the game's words."""
    return HandRefused(code, words.hand(code, facts or {}), clause, facts)


def number_of(value: object) -> int:
    """A piece by its number or its name. Raises HandRefused (UNKNOWN_PIECE)."""
    if isinstance(value, str):
        name = " ".join(re.findall(r"[a-z]+|\d+", value[:60].lower()))
        if name in NAMES:
            return NAMES.index(name)
        if name.isdigit() and len(name) < 4 and int(name) < PIECES:
            return int(name)
    elif isinstance(value, int) and not isinstance(value, bool) and 0 <= value < PIECES:
        return value
    raise say("UNKNOWN_PIECE", {"piece": f"“{str(value)[:40]}”"}, "MW-6.2")


def pose_of(value: object) -> Pose:
    """A pose from x y z, x y z and a turn about the vertical in degrees, or x y z and a quaternion w x y z.

    Raises HandRefused: MALFORMED, or what a hand cannot do.
    """
    if not isinstance(value, Sequence) or isinstance(value, str) or len(value) not in (3, 4, 7):
        raise say("MALFORMED", {"what": "a pose has 3 numbers, 4 with a turn in degrees, or 7 with a quaternion"})
    if not all(isinstance(v, int | float) and not isinstance(v, bool) and abs(v) <= 1e6 for v in value):
        raise say("NOT_FINITE")
    found = [float(v) for v in value]
    turn = geometry.UPRIGHT
    if len(found) == 4:
        turn = geometry.yaw(found[3])
    elif len(found) == 7:
        turn = (found[3], found[4], found[5], found[6])
    pose: Pose = ((found[0], found[1], found[2]), turn)
    try:
        Site.check_pose(pose)
    except SiteError as error:
        raise say(error.code, error.facts) from None
    return pose[0], geometry.normalised(turn)


@dataclass(frozen=True)
class Errand:
    """piece: to be carried, along a computer's route, or to a goal by way of other poses. design: a whole site.

    down: the goal's height is not known: from above, until something bears the piece.
    """

    piece: int = -1
    route: Route | None = None
    goal: Pose | None = None
    down: bool = False
    via: tuple[Pose, ...] = ()
    design: Mapping[int, Pose] | None = None

    @staticmethod
    def of(piece: object, pose: object, via: Sequence[object] = ()) -> Errand:
        """A piece is to be put somewhere. Raises HandRefused."""
        if len(via) > MOST_POINTS:
            raise say("MALFORMED", {"what": f"at most {MOST_POINTS} poses lie on the way"})
        return Errand(number_of(piece), goal=pose_of(pose), via=tuple(pose_of(point) for point in via))

    @staticmethod
    def filled_in(shapes: Shapes, fields: Mapping[str, str]) -> Errand:
        """What a form says: piece, x, y, z of its lowest point (empty: from above), turn in degrees, tip (1: tipped).

        Raises HandRefused.
        """
        piece = number_of(fields.get("piece"))
        x, y = _number(fields, "x"), _number(fields, "y")
        turn = geometry.yaw(_number(fields, "turn", 0.0))
        if fields.get("tip") == "1":
            turn = geometry.multiply(turn, TIPPED)
        low = min(s.low[2] for s in geometry.solids(shapes, piece, ((0.0, 0.0, 0.0), turn)))
        down = not fields.get("z", "").strip()
        z = 0.0 if down else _number(fields, "z")
        return Errand(piece, goal=pose_of([x, y, z - low, *turn]), down=down)

    @staticmethod
    def laid_out(poses: object) -> Errand:
        """A site of one's own: a list of lists, piece and pose. Raises HandRefused."""
        if isinstance(poses, Mapping):
            poses = [[piece, *pose] for piece, pose in poses.items() if isinstance(pose, Sequence)]
        if not isinstance(poses, list) or len(poses) > PIECES or not all(isinstance(row, list) for row in poses):
            raise say("MALFORMED", {"what": "a design is a list of pieces with their poses"})
        return Errand(design={number_of(row[0] if row else None): pose_of(row[1:]) for row in poses})


def _number(fields: Mapping[str, str], name: str, usual: float | None = None) -> float:
    text = fields.get(name, "").strip().replace("\u2212", "-").replace(",", ".")
    if not text and usual is not None:
        return usual
    try:
        return float(text)
    except ValueError:
        raise say("MALFORMED", {"what": f"“{name}” is a number, not “{text[:20]}”"}) from None


class Walk:
    """The way of a hand through some points: a smooth start and end on each leg.

    floor: the height below which it makes no sense to go on lowering, mm.
    """

    def __init__(
        self, start: Pose, via: Sequence[Pose], goal: Pose, top: float, gentle: bool, down: bool = False
    ) -> None:
        """top: of all that stands; without points on the way the piece is carried above that.

        down: the goal's height is not known, and it is lowered from above.
        """
        (x, y, z), turn = start
        (gx, gy, gz), wanted = goal
        points = [start, *via]
        if not via:
            high = max(z, top + OVER, gz + OVER)
            points += [((x, y, high), turn), ((gx, gy, high), wanted)]
        if not down:
            points.append(((gx, gy, gz + APPROACH), wanted))
        speed = GENTLE if gentle else SPEED
        self.floor = -DEPTH if down else gz - DEPTH
        self._way: list[Pose] = []
        for p, q in pairwise(points):
            angle = 2 * math.acos(min(1.0, abs(sum(u * v for u, v in zip(p[1], q[1], strict=True)))))
            seconds = max(math.dist(p[0], q[0]) / speed, angle / TURNING)
            ticks = math.ceil(1.5 * seconds * TICKS)  # the middle of a leg is taken faster than its ends
            for k in range(1, ticks + 1):
                part = k / ticks
                part = part * part * (3 - 2 * part)
                self._way.append((_between(p[0], q[0], part), geometry.between(p[1], q[1], part)))
        self._way.reverse()

    def next(self) -> Pose | None:
        """Where the hand is to be next; None at the end of the way, above the place."""
        return self._way.pop() if self._way else None


def _between(p: Vector, q: Vector, part: float) -> Vector:
    x, y, z = (u + part * (v - u) for u, v in zip(p, q, strict=True))
    return (x, y, z)
