"""Where a piece might go: poses that a builder thinks of for an instruction, before it tries any of them.

They come from the pieces' upper faces alone. Most are no good (something is in the way, or it would not stay): the
trials on a simulated site tell.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from shopfloor.games.men_at_work import geometry
from shopfloor.games.men_at_work.geometry import Pose, Vector, add, multiply, rotate, scale, sub, yaw
from shopfloor.games.men_at_work.judge import H_TOL, Task
from shopfloor.games.men_at_work.pieces import ARM_R, BEAM, BRICK, COLOUR, GIRDER, HAT, HEAD, KIND, SUPPORT, WORKER
from shopfloor.games.men_at_work.site import Site
from shopfloor.games.men_at_work.ways import over_each_other

STEEP = 0.42  # sine of the steepest slope on which wood stays
ROLLED = 0.982  # cosine of the farthest that a girder may be rolled for a worker to stand on it
FREE = ("WITH_WORKER", "TRANSPORT_BRICK")  # girders that may lie anywhere
CARRIED = 5.0  # mm beyond where a girder is carried that something light may still be put
SPARE = 30.0  # mm of a girder beyond the two points that it is laid over, together


@dataclass
class Scene:
    """The site as a builder looks at it.

    seen: poses; task: what is to be built; skyscraper: nothing on the table; high: high places are wanted. borne: from
    where to where a girder is carried, mm from its middle: what is put beyond may tip it.
    """

    site: Site
    task: Task
    rng: Random
    skyscraper: bool
    high: bool = False
    borne: dict[int, tuple[float, float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.seen = self.site.poses()
        boxes = {piece: geometry.solids(self.site.shapes, piece, pose) for piece, pose in self.seen.items()}
        self.tops = {piece: max(s.high[2] for s in found) for piece, found in boxes.items()}
        self.standing = [s for found in boxes.values() for s in found] + list(self.site.fixed)

    def of(self, kind: int) -> list[int]:
        return [p for p in self.seen if KIND[p] == kind and p not in self.task.dead]

    # -- points to lay something on ------------------------------------------------------------------------------

    def level(self, girder: int) -> bool:
        return abs(rotate(self.seen[girder][1], (1.0, 0.0, 0.0))[2]) < STEEP

    def flat(self, girder: int) -> bool:
        """Does its upper face lie so that somebody could stand on it?"""
        axes = [rotate(self.seen[girder][1], axis) for axis in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))]
        level = math.sqrt(max(1e-6, 1 - axes[0][2] * axes[0][2]))
        return max(abs(axes[1][2]), abs(axes[2][2])) / level > ROLLED

    def on_girder(self, girder: int, along: float | None = None) -> Vector:
        """A point on a girder's upper face, so far from its middle."""
        position, turn = self.seen[girder]
        u = self.along(girder, 0.9) if along is None else along
        p = add(position, rotate(turn, (u, 0.0, 0.0)))
        return (p[0], p[1], p[2] + self.site.shapes.girder_height / 2 / max(0.3, self._upright(turn)))

    def along(self, girder: int, most: float) -> float:
        """Somewhere along a girder, at most that part of its half from its middle; mostly where it is carried."""
        half = most * self.site.shapes.girder_length / 2
        low, high = self.borne.get(girder, (-half, half))
        if self.rng.random() < 0.7:
            return max(-half, min(half, self.rng.uniform(low - CARRIED, high + CARRIED)))
        return self.rng.uniform(-half, half)

    @staticmethod
    def _upright(turn: geometry.Quaternion) -> float:
        along = rotate(turn, (1.0, 0.0, 0.0))
        return math.sqrt(max(0.0, 1 - along[2] * along[2]))

    def on_top(self, piece: int) -> Vector:
        """A point on a support's upper face."""
        (box,) = geometry.solids(self.site.shapes, piece, self.seen[piece])
        up = max(range(3), key=lambda k: abs(box.axes[k][2]))
        flat = [scale(box.axes[k], self.rng.uniform(-0.9, 0.9) * box.half[k]) for k in range(3) if k != up]
        p = add(box.centre, add(flat[0], flat[1]))
        return (p[0], p[1], self.tops[piece])

    def astride(self, support: int) -> Pose:
        """A girder that lies over a support's upper face and on nothing else, in any direction."""
        (box,) = geometry.solids(self.site.shapes, support, self.seen[support])
        up = max(range(3), key=lambda k: abs(box.axes[k][2]))
        flat = [scale(box.axes[k], self.rng.uniform(-0.8, 0.8) * box.half[k]) for k in range(3) if k != up]
        p = add(box.centre, add(flat[0], flat[1]))
        turn = yaw(self.rng.uniform(0, 360))
        # Its middle may be a little beside the support, as long as that bears it.
        q = add(p, rotate(turn, (self.rng.uniform(-8, 8), 0.0, 0.0)))
        return (q[0], q[1], self.tops[support] + self.site.shapes.girder_height / 2), turn

    def wanted(self, piece: int) -> list[set[int]]:
        """Of each of these sets a piece has to touch one, or its place is none."""
        name, kind = self.task.name(), KIND[piece]
        girders = [o for o in self.of(GIRDER) if o != piece]
        if kind == GIRDER:
            if name in ("BALANCE", "WITH_WORKER", "TRANSPORT_BRICK", "HIGHEST_GIRDER"):
                return []
            if name == "STRONG_WORKER":
                return [set(self.of(WORKER))]
            first, second = self._two(name, piece, girders)
            return [set(first), set(second)] if name.startswith("NEW_SUPPORT") else [set(first)]
        if kind == BEAM and name == "CONNECT":
            return [{self.task.steps[0][0]}, set(self.of(WORKER)) & self.task.before]
        return []

    def arm(self) -> tuple[float, float, float]:
        """A worker's arm: from and to how far beside his middle, and how high its upper face is."""
        box = self.site.shapes.boxes[WORKER][ARM_R]
        return box[3] - box[0] / 2, box[3] + box[0] / 2, box[5] + box[2] / 2

    def hat_reach(self) -> float:
        return max(abs(b[3]) + b[0] / 2 for b in self.site.shapes.boxes[HAT])

    def feet(self) -> float:
        """How high a worker's middle is above his feet."""
        return -min(b[5] - b[2] / 2 for b in self.site.shapes.boxes[WORKER])

    def on_arm(self, worker: int) -> Vector:
        position, turn = self.seen[worker]
        side = self.rng.choice((-1.0, 1.0))
        inner, outer, high = self.arm()
        return add(position, rotate(turn, (side * self.rng.uniform(inner + 2, (inner + outer) / 2), 0.0, high)))

    def pick(self, among: list[int]) -> int:
        """One of these pieces; where height counts, mostly one of the highest."""
        if self.high and len(among) > 3 and self.rng.random() < 0.7:
            among = sorted(among, key=lambda p: (-self.tops[p], p))[:4]
        return self.rng.choice(among)

    def bearing(self) -> list[int]:
        return [*self.of(GIRDER), *self.of(SUPPORT)]

    def on(self, piece: int) -> Vector:
        return self.on_girder(piece) if KIND[piece] == GIRDER else self.on_top(piece)

    # -- girders ---------------------------------------------------------------------------------------------------

    def across(self, p: Vector, base: float) -> Pose:
        """A girder whose middle lies on a point, level, in some direction about `base` degrees."""
        height = self.site.shapes.girder_height / 2
        return (p[0], p[1], p[2] + height), yaw(base + self.rng.uniform(-25, 25))

    def over(self, p: Vector, q: Vector) -> Pose | None:
        """A girder over two points; None if they are too near, too far apart, or one is too high."""
        d = sub(q, p)
        far = math.sqrt(geometry.dot(d, d))
        if not 30.0 <= far <= self.site.shapes.girder_length - SPARE or abs(d[2]) / far > STEEP:
            return None
        spare = (self.site.shapes.girder_length - far) / 2 - 6
        shift = self.rng.uniform(-0.4, 0.4) * max(0.0, min(spare, far / 2))
        if self.high and abs(d[2]) > 3.0:  # what leans reaches higher, the farther it is pushed up
            shift = math.copysign(self.rng.uniform(0.0, 0.75) * max(0.0, min(spare, far / 2)), d[2])
        middle = add(scale(add(p, q), 0.5), scale(d, shift / far))
        flat = math.hypot(d[0], d[1])
        pitch = math.atan2(d[2], flat)
        turn = geometry.pitched(math.atan2(d[1], d[0]), pitch)
        rise = self.site.shapes.girder_height / 2 / math.cos(pitch)
        return (middle[0], middle[1], middle[2] + rise), turn

    def beside(self, girder: int, most: float) -> Pose:
        """Beside another girder, so near at most, on whatever carries that one."""
        position, turn = self.seen[girder]
        side = self.rng.choice((-1.0, 1.0)) * (self.site.shapes.girder_height + self.rng.uniform(0.1, most))
        return add(position, rotate(turn, (self.rng.uniform(-50, 50), side, 0.0))), turn

    def lies_on(self, girder: int, support: int) -> bool:
        shapes = self.site.shapes
        (bar,) = geometry.solids(shapes, girder, self.seen[girder])
        (box,) = geometry.solids(shapes, support, self.seen[support])
        return geometry.gap(bar, box, 1.0) is not None

    def heading(self, girder: int) -> float:
        axis = rotate(self.seen[girder][1], (1.0, 0.0, 0.0))
        return math.degrees(math.atan2(axis[1], axis[0]))

    def girder(self, g: int) -> Pose | None:
        """A pose for this turn's girder."""
        name, rng = self.task.name(), self.rng
        girders = [o for o in self.of(GIRDER) if o != g]
        if not girders and name != "HIGHEST_GIRDER":
            return None
        if name == "BALANCE":
            o = self.pick(girders)
            return self.across(self.on_girder(o), self.heading(o) + 90)
        if name == "STRONG_WORKER":
            workers = self.of(WORKER)
            if not workers:
                return None
            return self._borne_by(rng.choice(workers), g)
        first, second = self._two(name, g, girders)
        if not first:
            return None
        workers = self.of(WORKER)
        if workers and (name == "HIGHEST_GIRDER" or (self.high and name in FREE)) and rng.random() < 0.3:
            return self._borne_by(self.pick(workers), g)  # nothing is higher than what lies on their arms
        o = self.pick(first)
        if KIND[o] == SUPPORT and rng.random() < 0.35:  # beside what lies on it already
            there = [r for r in girders if self.lies_on(r, o)]
            if there:
                return self.beside(rng.choice(there), 6.0)
        if KIND[o] == GIRDER and rng.random() < 0.2:
            return self.beside(o, 1.0)
        if KIND[o] == SUPPORT and rng.random() < 0.35:
            return self.astride(o)
        p = self.on(o)
        rivals = [piece for piece in second if piece != o]
        alone = name in ("SAME_COLOUR", "TOUCH_HIGHEST", "WITH_WORKER", "TRANSPORT_BRICK", "HIGHEST_GIRDER")
        if alone and KIND[o] == GIRDER and (not rivals or rng.random() < 0.25):
            return self.across(self.on_girder(o, rng.uniform(-30, 30)), self.heading(o) + 90)
        if name == "TWO_OTHER_COLOURS":
            rivals = [r for r in rivals if KIND[r] == GIRDER and COLOUR[r] not in (COLOUR[o], COLOUR[g])]
        # The likeliest partner is one of the same height.
        lift = 15.0 if self.high else 0.0
        rivals.sort(key=lambda r: abs(self.tops[r] - self.tops[o] - lift) + rng.uniform(0, 25))
        return self._to_one_of(p, rivals[:6])

    def _borne_by(self, w: int, g: int) -> Pose | None:
        """A girder on a worker's arm, past his hat: across it, or with its end on it."""
        rng = self.rng
        position, turn = self.seen[w]
        side = rng.choice((-1.0, 1.0))
        _, outer, high = self.arm()
        height = self.site.shapes.girder_height
        nearest = self.hat_reach() + height / 2 + 1.4
        p = add(position, rotate(turn, (side * rng.uniform(nearest, outer - 0.5), 0.0, high)))
        arms = rotate(turn, (1.0, 0.0, 0.0))
        heading = math.degrees(math.atan2(arms[1], arms[0]))
        if rng.random() < 0.3:
            return (p[0], p[1], p[2] + height / 2), yaw(heading + 90 + rng.uniform(-10, 10))
        end = rng.random() < 0.6
        p = add(position, rotate(turn, (side * rng.uniform(nearest - height / 2 + 1.0, outer - 1.0), 0.0, high)))
        others = [o for o in (*self.bearing(), *self.of(WORKER)) if o not in (g, w)]
        rng.shuffle(others)
        for o in others[:6]:
            for _ in range(3):
                q = self.on_arm(o) if KIND[o] == WORKER else self.on(o)
                found = self._ending(p, q) if end else self.over(p, q)
                if found is not None:
                    return found
        return None

    def _ending(self, p: Vector, q: Vector) -> Pose | None:
        """A girder that ends on a point and lies over another, beyond its middle."""
        length = self.site.shapes.girder_length
        d = sub(q, p)
        far = math.sqrt(geometry.dot(d, d))
        if not 0.55 * length <= far <= length - 4 or abs(d[2]) / far > STEEP:
            return None
        middle = add(p, scale(d, (length / 2 - self.rng.uniform(2.0, 6.0)) / far))
        pitch = math.atan2(d[2], math.hypot(d[0], d[1]))
        rise = self.site.shapes.girder_height / 2 / math.cos(pitch)
        return (middle[0], middle[1], middle[2] + rise), geometry.pitched(math.atan2(d[1], d[0]), pitch)

    def _to_one_of(self, p: Vector, others: list[int]) -> Pose | None:
        """A girder from a point to one of these pieces."""
        for r in others:
            for _ in range(3):
                found = self.over(p, self.on_arm(r) if KIND[r] == WORKER else self.on(r))
                if found is not None:
                    return found
        return None

    def _two(self, name: str, g: int, girders: list[int]) -> tuple[list[int], list[int]]:
        """What one end must lie on, and what the other may."""
        new = [p for p in self.task.of_kind(SUPPORT, 9) if p in self.seen]
        same = [o for o in girders if COLOUR[o] == COLOUR[g]]
        other = [o for o in girders if COLOUR[o] != COLOUR[g]]
        everything = [o for o in self.bearing() if o != g]
        if name == "SAME_COLOUR":
            return same, everything
        if name == "TWO_OTHER_COLOURS":
            return other, other
        if name in ("TOUCH_HIGHEST", "HIGHEST_GIRDER"):
            best = max((self.tops[o] for o in girders), default=0.0)
            high = [o for o in girders if self.tops[o] > best - 1.0]
            return (high, everything) if girders else (self.of(SUPPORT), self.of(SUPPORT))
        if name == "NEW_SUPPORT_SAME":
            return new, same
        if name == "NEW_SUPPORT_DIFFERENT":
            return new, other
        if name == "NEW_SUPPORT_ON_GIRDER":
            return new, girders
        if name == "TOUCH_SUPPORT":
            return [s for s in self.of(SUPPORT) if s in self.task.before], everything
        return girders, everything

    # -- supports --------------------------------------------------------------------------------------------------

    def support(self) -> Pose | None:
        rng = self.rng
        lying = rng.random() < (0.25 if self.high else 0.5)
        turn = yaw(rng.uniform(0, 360))
        box = self.site.shapes.boxes[SUPPORT][0]
        height = (box[0] if lying else box[2]) / 2
        pose_turn = multiply(turn, geometry.LYING) if lying else turn
        name = self.task.name()
        girders = [o for o in self.of(GIRDER) if self.level(o) and self.flat(o)]
        if not girders:
            return None
        if name == "NEW_SUPPORT_ON_GIRDER" or self.skyscraper or (self.high and rng.random() < 0.5):
            p = self.on_girder(self.pick(girders))
            return (p[0], p[1], p[2] + height), pose_turn
        # On the table, within a girder's reach of one that can be touched from there.
        colours = self.task.colours
        wanted = [o for o in girders if (COLOUR[o] in colours) == (name == "NEW_SUPPORT_SAME")] or girders
        wanted = [o for o in wanted if abs(self.tops[o] - 2 * height) < 55] or wanted
        p = self.on_girder(rng.choice(wanted))
        length = self.site.shapes.girder_length
        angle, far = rng.uniform(0, 2 * math.pi), rng.uniform(0.3, 0.72) * length
        x, y = p[0] + far * math.cos(angle), p[1] + far * math.sin(angle)
        return ((x, y, height), pose_turn) if max(abs(x), abs(y)) < 300 else None

    # -- workers and loads -----------------------------------------------------------------------------------------

    def worker(self, w: int) -> Pose | None:
        task = self.task
        name = task.name()
        mates = [v for v in task.of_kind(WORKER, 9) if v != w and v in self.seen]
        if name == "WITH_WORKER":
            girders = [g for g in task.of_kind(GIRDER, 9) if g in self.seen]
        else:
            girders = [g for g in self.of(GIRDER) if COLOUR[g] in task.colours]
            if task.foreman:
                girders = [g for g in girders if g in task.highest_of_colour(COLOUR[g], H_TOL)]
        girders = [g for g in girders if self.level(g) and self.flat(g)]
        if mates:
            girders = [g for g in girders if self._under(mates[0], g)] or girders
        if not girders:
            return None
        for _ in range(8):
            pose = self._stand(self.pick(girders), name)
            if pose is not None and not self._overhung(pose):
                return pose
        return None

    def _stand(self, g: int, name: str) -> Pose | None:
        """A worker somewhere on a girder."""
        rng = self.rng
        half = self.site.shapes.girder_length / 2
        if name == "NEAR_EDGE":
            stride = max(abs(b[3]) + b[0] / 2 for b in self.site.shapes.boxes[WORKER][:2])
            u = rng.choice((-1, 1)) * (half - stride - rng.uniform(0.5, 9.0))
        elif name == "CONNECT":
            u = self._near_a_worker(g)
        else:
            u = self.along(g, 0.85)
        pose = self._upright_on(g, u, rng.random() < 0.5)
        return None if name == "CONNECT" and not self._reaches(pose) else pose

    def _overhung(self, pose: Pose) -> bool:
        """Is there something where his head would be?"""
        head = geometry.solid(-1, 0, self.site.shapes.boxes[WORKER][HEAD], pose)
        return any(
            o.low[2] < head.high[2] and head.low[2] < o.high[2] and over_each_other(head, o) for o in self.standing
        )

    def _reaches(self, pose: Pose) -> bool:
        """Would a beam go from an arm of a worker who stands like that to somebody else's?"""
        inner, outer, high = self.arm()
        mine = [add(pose[0], rotate(pose[1], (side * (inner + outer) / 2, 0.0, high))) for side in (-1, 1)]
        others = [self._arm(v, side) for v in self.of(WORKER) if v in self.task.before for side in (-1, 1)]
        near = [math.dist(p, q) for p in mine for q in others if abs(p[2] - q[2]) < 12]
        length = self.site.shapes.boxes[BEAM][0][0]
        return any(0.7 * length < far < length + 2 for far in near)

    def _upright_on(self, g: int, along: float, back: bool) -> Pose:
        """Both feet flat on a girder's upper face, whichever that is, so far from its middle; leaning as it does."""
        position, turn = self.seen[g]
        for quarter in (90.0, 180.0, 270.0):  # about its long axis, until its z axis points up
            if rotate(turn, (0.0, 0.0, 1.0))[2] > math.sqrt(0.5) * self._upright(turn):
                break
            half = math.radians(quarter) / 2
            turn = multiply(self.seen[g][1], (math.cos(half), math.sin(half), 0.0, 0.0))
        rise = self.site.shapes.girder_height / 2 + self.feet()
        return add(position, rotate(turn, (along, 0.0, rise))), multiply(turn, yaw(180)) if back else turn

    def _under(self, worker: int, g: int) -> bool:
        position, turn = self.seen[g]
        local = rotate(geometry.conjugate(turn), sub(self.seen[worker][0], position))
        half = self.site.shapes.girder_length / 2
        return abs(local[0]) < half + 2 and abs(local[1]) < 10 and 0 < math.hypot(local[1], local[2]) < 2 * self.feet()

    def _near_a_worker(self, g: int) -> float:
        """A place on a girder from which a beam reaches somebody else."""
        others = [v for v in self.of(WORKER) if v in self.task.before]
        position, turn = self.seen[g]
        if not others:
            return 0.0
        v = self.rng.choice(others)
        local = rotate(geometry.conjugate(turn), sub(self.seen[v][0], position))
        length = self.site.shapes.boxes[BEAM][0][0]
        reach = length * self.rng.uniform(1.3, 1.62)  # the beam and two arms
        off = math.sqrt(max(0.0, reach * reach - local[1] * local[1]))
        half = self.site.shapes.girder_length / 2 - 10
        return max(-half, min(half, local[0] + self.rng.choice((-off, off))))

    def load(self, load: int) -> Pose | None:
        rng, task = self.rng, self.task
        carrier = task.steps[0][0]
        if carrier not in self.seen:
            return None
        position, turn = self.seen[carrier]
        half = self.site.shapes.boxes[KIND[load]][0][2] / 2
        if task.name() == "CONNECT":
            return self._joining(carrier, half)
        done = [p for p in task.placed if KIND[p] in (BEAM, BRICK) and p in self.seen]
        if done and rng.random() < 0.4:  # on top of another load
            return self._stacked(load, rng.choice(done))
        # On an arm, past the hat that it is lowered beside.
        side = rng.choice((-1.0, 1.0))
        length, width, _ = self.site.shapes.boxes[KIND[load]][0][:3]
        across = KIND[load] == BEAM or rng.random() < 0.5
        reach = (width if across else length) / 2
        inner, outer, _ = self.arm()
        nearest = max(inner + 1.0, self.hat_reach() + reach + 1.4)
        x = rng.uniform(nearest, max(nearest, outer - min(reach, 3.0)))
        # The farther out, the more a beam may be turned before it meets the hat.
        slant = 6.0 + 3.0 * (x - nearest) if rng.random() < 0.5 else 6.0
        turned = multiply(turn, yaw(90 + rng.uniform(-slant, slant))) if across else turn
        return add(position, rotate(turn, (side * x, rng.uniform(-1.0, 1.0), self.arm()[2] + half))), turned

    def _stacked(self, load: int, lower: int) -> Pose:
        """On another load, along it or across, or a little beside its middle."""
        rng = self.rng
        position, turn = self.seen[lower]
        up = max(((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0)), key=lambda axis: abs(rotate(turn, axis)[2]))
        sizes = self.site.shapes.boxes[KIND[lower]][0]
        rise = sum(s * u for s, u in zip(sizes, up, strict=False)) / 2 + self.site.shapes.boxes[KIND[load]][0][2] / 2
        if up[2]:
            turn = multiply(turn, yaw(rng.choice((0.0, 0.0, 90.0)) + rng.uniform(-8, 8)))
        else:  # it stands, or lies on another side: what lies on it lies level
            turn = yaw(rng.uniform(0, 360))
        off = rotate(turn, (rng.uniform(-3.0, 3.0), rng.uniform(-0.8, 0.8), 0.0))
        return (position[0] + off[0], position[1] + off[1], position[2] + rise), turn

    def _joining(self, carrier: int, half: float) -> Pose | None:
        """A beam from one worker's arm to another's."""
        rng = self.rng
        length = self.site.shapes.boxes[BEAM][0][0]
        mates = [v for v in self.of(WORKER) if v != carrier and v in self.task.before]
        pairs = [
            (self._arm(carrier, mine, rng.uniform(-3.5, 3.5)), self._arm(v, side, rng.uniform(-3.5, 3.5)))
            for v in mates
            for mine in (-1, 1)
            for side in (-1, 1)
        ]
        pairs = [(p, q) for p, q in pairs if 0.45 * length < math.dist(p, q) < length and abs(p[2] - q[2]) < 16]
        if not pairs:
            return None
        p, q = rng.choice(pairs)
        d = sub(q, p)
        flat = math.hypot(d[0], d[1])
        pitch = math.atan2(d[2], flat)
        turn = geometry.pitched(math.atan2(d[1], d[0]), pitch)
        spare = (length - math.dist(p, q)) / 2
        middle = add(scale(add(p, q), 0.5), scale(d, rng.uniform(-spare, spare) / max(1.0, flat)))
        return (middle[0], middle[1], middle[2] + half / math.cos(pitch)), turn

    def _arm(self, worker: int, side: float, off: float = 0.0) -> Vector:
        """A point on an arm, so far beside its middle."""
        position, turn = self.seen[worker]
        inner, outer, high = self.arm()
        return add(position, rotate(turn, (side * ((inner + outer) / 2 + off), 0.0, high)))

    # -- all together ----------------------------------------------------------------------------------------------

    def spots(self, piece: int, most: int) -> Iterator[Pose]:
        """Up to so many poses for a piece."""
        kind = KIND[piece]
        for _ in range(most):
            if kind == GIRDER:
                found = self.girder(piece)
            elif kind == SUPPORT:
                found = self.support()
            elif kind == WORKER:
                found = self.worker(piece)
            elif kind == HAT:
                found = self._head(piece)
            else:
                found = self.load(piece)
            if found is not None and max(abs(found[0][0]), abs(found[0][1])) < 320:
                yield found

    def loose(self, piece: int, most: int) -> Iterator[Pose]:
        """Poses in which a piece might lie somewhere on the site, whatever the card says."""
        shapes = self.site.shapes
        kind = KIND[piece]
        half = -min(b[5] - b[2] / 2 for b in shapes.boxes[kind])
        bearing = [o for o in self.bearing() if o != piece and (KIND[o] == SUPPORT or self.level(o))]
        for _ in range(most if bearing else 0):
            p = self.on(self.rng.choice(bearing))
            if kind == GIRDER:
                found = self.over(p, self.on(self.rng.choice(bearing)))
            elif kind == WORKER:
                girders = [o for o in bearing if KIND[o] == GIRDER and self.flat(o)]
                if not girders:
                    return
                g = self.rng.choice(girders)
                found = self._upright_on(g, self.along(g, 0.85), self.rng.random() < 0.5)
            else:
                found = ((p[0], p[1], p[2] + half), yaw(self.rng.uniform(0, 360)))
            if found is not None and max(abs(found[0][0]), abs(found[0][1])) < 320:
                yield found

    def _head(self, hat: int) -> Pose | None:
        for step in self.task.steps:
            if hat in step:
                wearer = step[step.index(hat) - 1]
                if wearer in self.seen:
                    return geometry.hat_pose(self.site.shapes, self.seen[wearer])
        return None
