"""The building site: rigid bodies on a table, and a hand that moves one of them (physics by Rapier).

This is the one module of the games that needs a library; it is imported where a site is simulated and nowhere else.
Lengths outside are in millimetres, one unit of the engine is a centimetre, at which it is at its best. The settings
come from measurements: softer contacts sink and creep, stiffer ones need shorter steps.
"""

from __future__ import annotations

import copy
import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from shopfloor.games.men_at_work import geometry
from shopfloor.games.men_at_work.cards import Box, Shapes
from shopfloor.games.men_at_work.geometry import Pose, Quaternion, Solid, Vector
from shopfloor.games.men_at_work.hand import Grasp, Hand, rotation_vector
from shopfloor.games.men_at_work.outcome import Accident, Outcome
from shopfloor.games.men_at_work.pieces import ARM_R, BEAM, CRANE, GIRDER, HAT, KIND, PLATFORM, SURFACE, WORKER
from shopfloor.games.men_at_work.watch import Sight, Watch, WatchRules

# Read by the engine when it is loaded. A step is too short to be handed to other threads: with one thread it runs in
# the caller's, several times as fast, and on a busy machine without waiting for its turn.
os.environ.setdefault("RAYON_NUM_THREADS", "1")
import rapier3d as rapier

RATE: Final = 240  # steps a second
DT: Final = 1 / RATE
FRICTION: Final = {"wood": 0.5, "hat": 0.45, "table": 0.55, "cardboard": 0.45}
# The engine's velocities of light pieces at rest are noisy: a beam on an arm "turns" with 0.3 rad/s and goes nowhere.
# So sleep is easy, and whether something was at rest is seen from how far it went in the last half second.
SLEEP_LINEAR: Final = 0.5  # cm/s
SLEEP_ANGULAR: Final = 0.4  # rad/s
SLEEP_TIME: Final = 0.5  # s: t_rest
REST_MOVE: Final = 2.5  # mm in t_rest: v_rest
REST_TURN: Final = 0.025  # rad in t_rest: w_rest
STIRRING: Final = 3.0  # mm/s: what is slower than that falls from nowhere
REACH: Final = 340.0  # mm: the hand stays over the table
CEILING: Final = 700.0
LEAP: Final = 250.0  # mm between two wanted poses: more is no hand
SETTLE: Final = 10.0  # s: t_settle_max
TOUCH_TIME: Final = 0.2  # s: t_touch, over which contacts must last and forces are averaged
TOUCH_LOOKS: Final = 6  # so often it is looked in that time


class SiteError(Exception):
    """The hand was told to do something that it cannot do; the site is as it was. `code` says what, `facts` the rest.

    Codes: NOTHING_HELD, ONE_HAND_ONLY, NOT_ON_SITE, ALREADY_ON_SITE, NOT_FINITE, OUT_OF_REACH, TELEPORT, NO_TURN;
    `words.hand` says them to people.
    """

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(f"{code} {facts}" if facts else code)
        self.code = code
        self.facts = facts


@dataclass(frozen=True)
class Window:
    """The last t_touch of a site at rest (MW-J.1, MW-J.2).

    tick: when it ended. forces: their means, as `Site.forces` has them. stirring: pieces that are not asleep.
    touching: the contacts of those that were there at every look, as geometry.touching has them.
    """

    tick: int
    forces: dict[tuple[int, int, int, int], float]
    stirring: frozenset[int]
    touching: frozenset[tuple[int, int, int, int]]


@dataclass(frozen=True)
class Snapshot:
    """A site at one moment: restored as often as one likes, in any process on a machine of the same kind."""

    world: bytes
    pieces: tuple[tuple[int, int], ...]
    tick: int
    calm: bool
    watch: Watch | None


def _rotation(q: Quaternion) -> rapier.Rotation3:
    v = rotation_vector(q)
    n = math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    if n < 1e-9:
        return rapier.Rotation3.identity()
    return rapier.Rotation3.from_axis_angle(rapier.Vec3(v[0] / n, v[1] / n, v[2] / n), n)


def _isometry(pose: Pose) -> rapier.Isometry3:
    (x, y, z), q = pose
    return rapier.Isometry3(rapier.Vec3(x / 10, y / 10, z / 10), _rotation(q))


def inertia(shapes: Shapes, kind: int) -> Vector:
    """A piece's moments of inertia about its own axes, kg cm2."""
    boxes = shapes.boxes[kind]
    volume = sum(b[0] * b[1] * b[2] for b in boxes)
    found = [0.0, 0.0, 0.0]
    for b in boxes:
        mass = shapes.masses[kind] / 1000 * b[0] * b[1] * b[2] / volume
        size, centre = [v / 10 for v in b[:3]], [v / 10 for v in b[3:]]
        for axis in range(3):
            u, v = (axis + 1) % 3, (axis + 2) % 3
            found[axis] += mass * ((size[u] ** 2 + size[v] ** 2) / 12 + centre[u] ** 2 + centre[v] ** 2)
    return (found[0], found[1], found[2])


class Site:
    """Pieces on a table, in a box, around a crane."""

    def __init__(
        self,
        shapes: Shapes,
        skyscraper: bool = False,
        crane: str = "",
        crane_dynamic: bool = False,
        friction: Mapping[str, float] = FRICTION,
        sleeping: bool = True,
    ) -> None:
        """An empty site. crane: where it stands, or empty. sleeping off: nothing ever sleeps, for measurements."""
        self.shapes = shapes
        self.skyscraper = skyscraper
        self.crane = crane
        self.crane_dynamic = crane_dynamic and bool(crane)
        self.friction = dict(friction)
        self.sleeping = sleeping
        self.tick = 0
        self._calm = -1  # the tick at which the site was found at rest though pieces are not asleep
        self._window: Window | None = None
        self.hand: Hand | None = None
        self.watch: Watch | None = None
        self.bodies: dict[int, Any] = {}
        self._handles: dict[int, Any] = {}
        self._owners: dict[tuple[int, int], tuple[int, int]] = {}
        # The energy below which not even a girder's end goes faster than STIRRING.
        self._still = tuple(mass / 1000 * (STIRRING / 10) ** 2 / 24 for mass in shapes.masses)
        self._inertia = tuple(inertia(shapes, kind) for kind in range(len(shapes.boxes)))
        self.world = rapier.PhysicsWorld(gravity=(0, 0, -981))
        self._set_up()
        fixed = geometry.fixed_solids(shapes, skyscraper, "" if self.crane_dynamic else crane)
        for solid in fixed:
            self._add_fixed(solid)
        self.fixed = fixed
        if self.crane_dynamic:
            self._add_crane(geometry.crane_pose(shapes, crane))

    def _set_up(self) -> None:
        settings = self.world.integration_parameters
        settings.dt = DT
        settings.length_unit = 1.0
        settings.num_solver_iterations = 8
        # The default of 30 and 10 lets stacks sink and creep by centimetres.
        settings.contact_softness = rapier.SpringCoefficients(natural_frequency=120.0, damping_ratio=2.0)

    # -- bodies ---------------------------------------------------------------------------------------------------

    def _material(self, body: int) -> float:
        if body == SURFACE:
            return self.friction["table"]
        if body < 0:
            return self.friction["cardboard"]
        return self.friction["hat" if KIND[body] == HAT else "wood"]

    @staticmethod
    def _tag(body: int, part: int) -> int:
        return (body + 10) * 8 + part

    def _add_fixed(self, solid: Solid) -> None:
        centre = solid.centre
        q = geometry.UPRIGHT
        if abs(solid.axes[0][0] - 1) > 1e-9:
            q = geometry.yaw(math.degrees(math.atan2(solid.axes[0][1], solid.axes[0][0])))
        collider = rapier.Collider.cuboid(*(h / 10 for h in solid.half)).position(_isometry((centre, q)))
        collider = collider.friction(self._material(solid.body)).restitution(0.0)
        self.world.add_collider(collider.user_data(self._tag(solid.body, 0)))

    def _collider(self, body: int, part: int, box: Box, mass: float) -> Any:
        collider = rapier.Collider.cuboid(box[0] / 20, box[1] / 20, box[2] / 20)
        collider = collider.translation((box[3] / 10, box[4] / 10, box[5] / 10)).mass(mass)
        return collider.friction(self._material(body)).restitution(0.0).user_data(self._tag(body, part))

    def _add_body(self, number: int, pose: Pose, colliders: list[Any]) -> None:
        body = rapier.RigidBody.dynamic().position(_isometry(pose)).ccd_enabled(False)
        handle = self.world.add_body(body, colliders=colliders)
        found: Any = self.world.rigid_bodies.get(handle)
        rest = found.activation
        rest.linear_threshold = SLEEP_LINEAR if self.sleeping else -1.0
        rest.angular_threshold = SLEEP_ANGULAR if self.sleeping else -1.0
        rest.time_until_sleep = SLEEP_TIME
        found.activation = rest
        self._handles[number] = handle
        self.bodies[number] = found
        self._calm = -1
        self._window = None

    def put(self, piece: int, pose: Pose) -> None:
        """Put a piece on the site, at rest."""
        if piece in self.bodies:
            raise SiteError("ALREADY_ON_SITE", piece=piece)
        kind = KIND[piece]
        boxes = self.shapes.boxes[kind]
        volume = sum(b[0] * b[1] * b[2] for b in boxes)
        whole = self.shapes.masses[kind] / 1000
        parts = [
            self._collider(piece, k if kind == WORKER else 0, box, whole * box[0] * box[1] * box[2] / volume)
            for k, box in enumerate(boxes)
        ]
        self._add_body(piece, pose, parts)

    def _add_crane(self, pose: Pose) -> None:
        raw = self.shapes.raw["pieces"]
        boxes = [(PLATFORM, b) for b in self.shapes.platform] + [(CRANE, b) for b in self.shapes.crane]
        volume = sum(b[0] * b[1] * b[2] for _, b in boxes)
        whole = (raw["crane"]["mass_g"] + raw["platform"]["mass_g"]) / 1000
        parts = [self._collider(body, 0, b, whole * b[0] * b[1] * b[2] / volume) for body, b in boxes]
        self._add_body(CRANE, pose, parts)

    def take(self, pieces: Iterable[int]) -> None:
        """Take pieces off the site; what lay on them is left without."""
        for piece in pieces:
            body = self.bodies.pop(piece, None)
            if body is None:
                continue
            self._calm = -1
            self._window = None
            for other in self._neighbours(body):
                if other in self.bodies:
                    self.bodies[other].wake_up(True)
            self.world.remove_body(self._handles.pop(piece))

    def _neighbours(self, body: Any) -> set[int]:
        found = set()
        for collider in body.colliders:
            for pair in self.world.narrow_phase.contact_pairs_with(collider):
                found |= {self._owner(pair.collider1)[0], self._owner(pair.collider2)[0]}
        return found

    def _owner(self, collider: Any) -> tuple[int, int]:
        """The body and part that a collider belongs to."""
        key = (collider.index, collider.generation)
        known = self._owners.get(key)
        if known is None:
            found: Any = self.world.colliders.get(collider)
            tag = found.user_data
            known = self._owners[key] = (tag // 8 - 10, tag % 8)
        return known

    def pose(self, piece: int) -> Pose:
        body = self.bodies[piece]
        t, q = body.translation, body.rotation
        return (t.x * 10, t.y * 10, t.z * 10), (q.w, q.i, q.j, q.k)

    def poses(self) -> dict[int, Pose]:
        """Of all pieces, without the crane."""
        return {piece: self.pose(piece) for piece in sorted(self.bodies) if piece >= 0}

    def place(self, piece: int, pose: Pose) -> None:
        """Set a piece somewhere else at rest, as no hand could: for trials and for laying loads on what is gripped."""
        body = self.bodies[piece]
        body.position = _isometry(pose)
        body.linvel = rapier.Vec3(0, 0, 0)
        body.angvel = rapier.Vec3(0, 0, 0)
        body.wake_up(True)
        self._calm = -1
        self._window = None

    def height(self, piece: int) -> float:
        """Of a piece's centre of mass, mm."""
        return float(self.bodies[piece].center_of_mass.z) * 10

    def top(self, besides: Iterable[int] = ()) -> float:
        """The highest point of all pieces but these, mm."""
        away = set(besides)
        tops = [
            s.high[2]
            for piece in self.bodies
            if piece >= 0 and piece not in away
            for s in geometry.solids(self.shapes, piece, self.pose(piece))
        ]
        return max(tops, default=0.0)

    def quiet(self) -> bool:
        """Is everything at rest, with nothing in the hand?"""
        return self.hand is None and (self._calm == self.tick or not self.awake())

    def awake(self) -> list[int]:
        return [piece for piece, body in self.bodies.items() if not body.is_sleeping]

    # -- turns ----------------------------------------------------------------------------------------------------

    def begin(self, rules: WatchRules, wearers: Mapping[int, int] | None = None) -> None:
        """A turn or clean-up begins: from here on the site is watched."""
        found = self.measure()
        start = set()
        for c in found.contacts:
            start.add((c.a, c.b, c.part_b))
            if c.b >= 0:
                start.add((c.b, c.a, c.part_a))
        heights = {piece: self.height(piece) for piece in self.bodies if piece >= 0}
        self.watch = Watch(rules, start, heights, dict(found.worn) | dict(wearers or {}))

    @property
    def accident(self) -> Accident | None:
        return None if self.watch is None else self.watch.accident

    # -- the hand -------------------------------------------------------------------------------------------------

    def grip(self, unit: Iterable[int], at: Pose | None = None, grasp: Grasp | None = None) -> None:
        """Take pieces in hand: the first one is held, hats and loads are on it.

        What is not on the site yet comes from the supply and is held at `at`. Raises SiteError.
        """
        pieces = tuple(unit)
        main = pieces[0]
        if self.hand is not None:
            raise SiteError("ONE_HAND_ONLY", held=self.hand.unit[0])
        if main not in self.bodies:
            if at is None:
                raise SiteError("NOT_ON_SITE", piece=main)
            self.check_pose(at)
            self.put(main, at)
        for load in pieces[1:]:
            self._load(main, load)
        masses = [self.shapes.masses[KIND[piece]] / 1000 for piece in pieces]
        self.hand = Hand(
            pieces, self.pose(main), masses[0], sum(masses[1:]), self._inertia[KIND[main]], grasp or Grasp()
        )
        self.bodies[main].wake_up(True)
        if self.watch is not None:
            self.watch.grip(pieces)

    def _load(self, main: int, load: int) -> None:
        """A hat on its head, or a load on what is gripped, unless it lies there already."""
        pose = load_pose(self.shapes, main, load, self.pose(main))
        if load not in self.bodies:
            self.put(load, pose)
        elif KIND[load] != HAT and main not in self._neighbours(self.bodies[load]):
            self.place(load, pose)

    @staticmethod
    def check_pose(pose: Pose) -> None:
        """Is this a pose that a hand can have? Raises SiteError."""
        position, turn = pose
        if not all(math.isfinite(v) for v in (*position, *turn)):
            raise SiteError("NOT_FINITE")
        if abs(sum(v * v for v in turn) - 1) > 0.02:
            raise SiteError("NO_TURN", turn=turn)
        x, y, z = position
        if abs(x) > REACH or abs(y) > REACH or not -20.0 <= z <= CEILING:
            raise SiteError("OUT_OF_REACH", position=position, reach=REACH, ceiling=CEILING)

    def aim(self, pose: Pose) -> None:
        """Where the held piece is to go, slowly or quickly as the hand can. Raises SiteError."""
        if self.hand is None or self.hand.fading is not None:
            raise SiteError("NOTHING_HELD")
        self.check_pose(pose)
        leap = math.dist(pose[0], self.hand.want[0])
        if leap > LEAP:
            raise SiteError("TELEPORT", leap=round(leap), most=LEAP)
        self.hand.want = (pose[0], geometry.normalised(pose[1]))

    def release(self) -> None:
        """Begin to let go; the hand fades out while the site is stepped. Raises SiteError."""
        if self.hand is None:
            raise SiteError("NOTHING_HELD")
        if self.hand.fading is None:
            self.hand.fading = self.hand.grasp.fade

    def _let_go(self) -> None:
        assert self.hand is not None
        unit = self.hand.unit
        body = self.bodies[unit[0]]
        body.reset_forces(True)
        body.reset_torques(True)
        self.hand = None
        if self.watch is not None:
            self.watch.release({piece: self.height(piece) for piece in unit})

    def withdraw(self) -> tuple[int, ...]:
        """Take what is in the hand off the site (MW-A.22); the pieces."""
        if self.hand is None:
            return ()
        unit = self.hand.unit
        self.bodies[unit[0]].reset_forces(True)
        self.hand = None
        self.take(unit)
        return unit

    # -- time -----------------------------------------------------------------------------------------------------

    def step(self, steps: int = 1) -> None:
        """Go on by so many steps of 1/240 s."""
        for _ in range(steps):
            if self.hand is not None:
                self._push()
            self.world.step()
            self.tick += 1
            if self.watch is not None:
                self._look()
            hand = self.hand
            if hand is not None and hand.fading is not None and hand.fading <= 0:
                self._let_go()

    def _push(self) -> None:
        hand = self.hand
        assert hand is not None
        body = self.bodies[hand.unit[0]]
        v, w = body.linvel, body.angvel
        force, torque = hand.push(self.pose(hand.unit[0]), (v.x * 10, v.y * 10, v.z * 10), (w.x, w.y, w.z), DT)
        body.reset_forces(True)
        body.reset_torques(True)
        body.add_force(force, True)
        body.add_torque(torque, True)

    def _look(self) -> None:
        """Tell the watch what stirs."""
        watch = self.watch
        assert watch is not None
        with_hand = set(self.hand.unit) if self.hand is not None else set()
        sights = []
        for piece, body in self.bodies.items():
            if piece < 0 or body.is_sleeping:
                continue
            if (
                piece not in with_hand
                and piece not in watch.flying
                and body.kinetic_energy() < self._still[KIND[piece]]
            ):
                continue
            sights.append(Sight(piece, float(body.center_of_mass.z) * 10, self._touches(piece, body)))
        if self.skyscraper:
            self._note_outside(sights)
        if sights:
            watch.step(sights)
        if self.crane_dynamic and watch.accident is None:
            self._watch_crane()

    def _note_outside(self, sights: list[Sight]) -> None:
        assert self.watch is not None
        half = self.shapes.raw["skyscraper"]["outer"][0] / 2
        for sight in sights:
            x, y = self.pose(sight.piece)[0][:2]
            if max(abs(x), abs(y)) > half:
                self.watch.outside.add(sight.piece)

    def _watch_crane(self) -> None:
        assert self.watch is not None
        q = self.bodies[CRANE].rotation
        if 1 - 2 * (q.i * q.i + q.j * q.j) < math.sqrt(0.5):  # MW-A.52
            self.watch.accident = Accident("crane", CRANE, SURFACE)

    def _touches(self, piece: int, body: Any) -> frozenset[tuple[int, int]]:
        """What a piece really touches in this step: contacts with an impulse."""
        found = set()
        for collider in body.colliders:
            for pair in self.world.narrow_phase.contact_pairs_with(collider):
                if not pair.has_any_active_contact or pair.total_impulse_magnitude() <= 0:
                    continue
                for end in (self._owner(pair.collider1), self._owner(pair.collider2)):
                    if end[0] != piece:
                        found.add(end)
        return frozenset(found)

    def settle(self, seconds: float = SETTLE, look_on: bool = True) -> bool:
        """Go on until everything is at rest (MW-J.8); False if it is not by then.

        look_on: and then as long as it takes to see which contacts last, if it is to be measured.
        """
        window = round(SLEEP_TIME * RATE / 8)
        past: list[dict[int, Pose]] = []
        for _ in range(round(seconds * RATE / 8)):
            if self.quiet() and not past:
                return True
            if len(past) >= window and self.hand is None:
                if not self._restless(past[-window]):
                    if look_on:
                        self._look_on()
                    self._calm = self.tick
                    return True
                if self.quiet():  # slow, but on its way
                    for piece in self._restless(past[-window]):
                        self.bodies[piece].wake_up(True)
            past.append({piece: self.pose(piece) for piece in self.bodies})
            self.step(8)
        return False

    def _look_on(self) -> None:
        """What moves a little though it is at rest is looked at for t_touch; what sleeps touches what it touched."""
        stirring = frozenset(self.awake())
        if not stirring:
            return
        total: dict[tuple[int, int, int, int], float] = {}
        lasting: frozenset[tuple[int, int, int, int]] | None = None
        for _ in range(TOUCH_LOOKS):
            self.step(round(TOUCH_TIME * RATE) // TOUCH_LOOKS)
            for key, force in self.forces().items():
                total[key] = total.get(key, 0.0) + force / TOUCH_LOOKS
            now = geometry.touching(self.shapes, self.poses(), self._fixed_now(), stirring)
            lasting = now if lasting is None else lasting & now
        self._window = Window(self.tick, total, stirring, lasting or frozenset())

    def _restless(self, before: dict[int, Pose]) -> list[int]:
        """Pieces that have moved since then more than rest allows."""
        found = []
        for piece, (position, turn) in before.items():
            if piece not in self.bodies:
                continue
            now, q = self.pose(piece)
            alike = min(1.0, abs(sum(a * b for a, b in zip(turn, q, strict=True))))
            if math.dist(now, position) > REST_MOVE or 2 * math.acos(alike) > REST_TURN:
                found.append(piece)
        return found

    # -- measuring ------------------------------------------------------------------------------------------------

    def forces(self) -> dict[tuple[int, int, int, int], float]:
        """The upward force in newtons that b exerts on a, by (a, part of a, b, part of b); valid asleep, too."""
        found: dict[tuple[int, int, int, int], float] = {}
        for pair in self.world.narrow_phase.contact_pairs():
            if not pair.has_any_active_contact:
                continue
            a, b = self._owner(pair.collider1), self._owner(pair.collider2)
            up = 0.0
            for manifold in pair.manifolds:
                up += manifold.data.normal.z * sum(point.impulse for point in manifold.points)
            up *= RATE / 100  # kg cm/s2 into newtons
            for end, other, value in ((b, a, up), (a, b, -up)):
                key = (end[0], end[1], other[0], other[1])
                found[key] = found.get(key, 0.0) + value
        return found

    def measure(self, only: frozenset[int] | None = None) -> Outcome:
        """The site as it is now, with the accident and the falls that were seen.

        only: pieces whose contacts are wanted, where those of the others do not matter.
        """
        watch = self.watch
        poses = self.poses()
        settled = self.quiet()
        fell: set[int] = set()
        accident = None
        if watch is not None:
            accident = watch.accident
            away = set(self.hand.unit) if self.hand is not None else set()
            fell = watch.fell & set(poses)
            fell |= {p for p in poses if p not in away and watch.has_fallen(p, self.height(p))}
        # Heights and contacts count as written down: what is kept is what was judged.
        exact = {piece: geometry.loaded(geometry.stored(piece, pose)) for piece, pose in poses.items()}
        fixed = self._fixed_now()
        seen = self._window
        if seen is None or seen.tick != self.tick or not seen.stirring <= set(self.bodies):
            return geometry.measure(self.shapes, exact, fixed, self.forces(), settled, accident, fell, only)
        found = geometry.measure(self.shapes, exact, fixed, seen.forces, settled, accident, fell, only)
        lasting = tuple(
            c
            for c in found.contacts
            if not {c.a, c.b} & seen.stirring or (c.a, c.part_a, c.b, c.part_b) in seen.touching
        )
        return replace(found, contacts=lasting)

    def _fixed_now(self) -> list[Solid]:
        if not self.crane_dynamic:
            return self.fixed
        pose = self.pose(CRANE)
        crane = [geometry.solid(PLATFORM, 0, b, pose) for b in self.shapes.platform]
        crane += [geometry.solid(CRANE, 0, b, pose) for b in self.shapes.crane]
        return [*self.fixed, *crane]

    def stand_crane(self) -> None:
        """Set an overturned crane upright where it stood (MW-A.52)."""
        if self.crane_dynamic:
            self.place(CRANE, geometry.crane_pose(self.shapes, self.crane))

    def gap(self) -> float:
        """The free space straight below what is held, mm, up to 600; at each corner of its boxes. For helper lines."""
        if self.hand is None:
            return 0.0
        unit = set(self.hand.unit)
        mine = [s for p in unit for s in geometry.solids(self.shapes, p, self.pose(p)) if p in self.bodies]
        best = 600.0
        cast = rapier.ShapeCastOptions(max_time_of_impact=60.0)
        tags = {self._tag(p, part) for p in unit for part in range(8)}
        predicate = rapier.QueryFilter(predicate=lambda _, collider: collider.user_data not in tags)
        self.world.update_query_pipeline()
        for s in mine:
            shape = rapier.SharedShape.cuboid(*(h / 10 for h in s.half))
            turn = self.pose(s.body)[1]
            start = _isometry((s.centre, turn))
            hit = self.world.query_pipeline.cast_shape(start, rapier.Vec3(0, 0, -1), shape, cast, predicate)
            if hit is not None:
                best = min(best, hit[1].time_of_impact * 10)
        return best

    def below(self) -> tuple[float, Vector | None]:
        """How far what is held can fall, mm, up to 600, and where it would touch first; None if nowhere by then."""
        if self.hand is None:
            return 0.0, None
        unit = set(self.hand.unit)
        tags = {self._tag(p, part) for p in unit for part in range(8)}
        ours = rapier.QueryFilter(predicate=lambda _, collider: collider.user_data not in tags)
        cast = rapier.ShapeCastOptions(max_time_of_impact=60.0)
        down = rapier.Vec3(0, 0, -1)
        best, where = 600.0, None
        self.world.update_query_pipeline()
        for piece in unit:
            for handle in self.bodies[piece].colliders:
                collider: Any = self.world.colliders.get(handle)
                hit = self.world.query_pipeline.cast_shape(collider.position, down, collider.shape, cast, ours)
                if hit is not None and hit[1].time_of_impact * 10 < best:
                    best, at = hit[1].time_of_impact * 10, hit[1].witness1
                    where = (at.x * 10, at.y * 10, at.z * 10)
        return best, where

    def touching(self, pieces: Iterable[int]) -> set[int]:
        """What these pieces touch besides each other."""
        unit = set(pieces)
        return {other for p in unit if p in self.bodies for other, _ in self._touches(p, self.bodies[p])} - unit

    # -- copies ---------------------------------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """The site with nothing in the hand. Raises SiteError."""
        if self.hand is not None:
            raise SiteError("ONE_HAND_ONLY", held=self.hand.unit[0])
        handles = tuple((n, _packed(handle)) for n, handle in self._handles.items())
        watch = None if self.watch is None else self.watch.copy()
        return Snapshot(self.world.snapshot(), handles, self.tick, self.quiet(), watch)

    def restore(self, snapshot: Snapshot) -> None:
        """Back to a snapshot of this site or of one that is furnished alike."""
        self.world = rapier.PhysicsWorld.restore(snapshot.world)
        self.tick = snapshot.tick
        self._calm = snapshot.tick if snapshot.calm else -1
        self._window = None
        self.hand = None
        self.watch = None if snapshot.watch is None else snapshot.watch.copy()
        self._owners = {}
        self._handles = {}
        self.bodies = {}
        by_key = {_packed(handle): handle for handle in _handles_of(self.world)}
        for number, key in snapshot.pieces:
            self._handles[number] = by_key[key]
            self.bodies[number] = self.world.rigid_bodies.get(by_key[key])

    def freeze(self) -> None:
        """Nothing moves any more but what is put here from now on: for first trials, at a tenth of the cost."""
        for body in self.bodies.values():
            body.body_type = rapier.RigidBodyType.FIXED

    def fork(self, snapshot: Snapshot) -> Site:
        """Another site at a snapshot of this one: for trials."""
        other = copy.copy(self)
        other.restore(snapshot)
        return other


def _packed(handle: Any) -> int:
    return int(handle.index) << 32 | int(handle.generation)


def _handles_of(world: Any) -> Iterable[Any]:
    for item in world.rigid_bodies:
        yield item[0] if isinstance(item, tuple) else item


def load_pose(shapes: Shapes, main: int, load: int, pose: Pose) -> Pose:
    """Where a hat, or a load that is placed together with a girder or a worker, is on it."""
    kind = KIND[load]
    position, turn = pose
    if kind == HAT:
        return geometry.hat_pose(shapes, pose)
    half = shapes.boxes[kind][0][2] / 2
    if KIND[main] == GIRDER:
        rise = shapes.girder_height / 2 + half + 0.05
        return geometry.add(position, geometry.rotate(turn, (0.0, 0.0, rise))), turn
    arm = shapes.boxes[WORKER][ARM_R]
    local = (13.0, 0.0, arm[5] + arm[2] / 2 + half + 0.05)
    across = geometry.multiply(turn, geometry.yaw(90.0)) if kind == BEAM else turn
    return geometry.add(position, geometry.rotate(turn, local)), across
