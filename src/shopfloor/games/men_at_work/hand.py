"""The hand: a bounded force that draws a piece towards where it is wanted (MW-J.22).

It collides with nothing and touches only the piece that it holds; through that piece it can push, lift and topple
whatever is in the way, with no more force than a careful hand has. Inside, lengths are in centimetres and masses in
kilograms, as the physics engine has them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from shopfloor.games.men_at_work.geometry import Pose, Quaternion, Vector, conjugate, multiply, normalised, rotate


@dataclass(frozen=True)
class Grasp:
    """How a hand holds. Millimetres, newtons, seconds, radians.

    stiffness: of the spring, 1/s (critically damped). force, torque (N mm): the most it exerts. leash: how far it runs
    ahead of a piece that is blocked. speed, acceleration: of the wanted pose; loaded: acceleration with loose things
    on the piece, which slide off at half of gravity. follow: how quickly it comes to what is wanted, 1/s.
    fade: seconds in which it lets go.
    """

    stiffness: float = 50.0
    force: float = 0.6
    torque: float = 12.0
    leash: float = 6.0
    speed: float = 800.0
    acceleration: float = 9000.0
    loaded: float = 3500.0
    turning: float = 5.0
    turn_acceleration: float = 150.0
    follow: float = 60.0
    fade: float = 0.25


STILL: Vector = (0.0, 0.0, 0.0)


def _clamped(v: Vector, most: float) -> Vector:
    n = math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    return v if n <= most else (v[0] * most / n, v[1] * most / n, v[2] * most / n)


def rotation_vector(q: Quaternion) -> Vector:
    """A rotation as axis times angle, the shorter way."""
    w, x, y, z = q if q[0] >= 0 else (-q[0], -q[1], -q[2], -q[3])
    n = math.sqrt(x * x + y * y + z * z)
    k = 2.0 if n < 1e-9 else 2 * math.atan2(n, w) / n
    return (k * x, k * y, k * z)


def from_vector(v: Vector) -> Quaternion:
    n = math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    if n < 1e-12:
        return (1.0, 0.0, 0.0, 0.0)
    k = math.sin(n / 2) / n
    return (math.cos(n / 2), k * v[0], k * v[1], k * v[2])


@dataclass
class Hand:
    """A hand that holds `unit[0]`, with what lies on it behind.

    want: where it is to go. mass: of the held piece; burden: of what lies on it, kg. inertia: about the piece's own
    axes, kg cm2. fading: seconds until it has let go, or None while it holds.
    """

    unit: tuple[int, ...]
    want: Pose
    mass: float
    burden: float
    inertia: Vector
    grasp: Grasp = field(default_factory=Grasp)
    command: Pose = field(init=False)
    velocity: Vector = STILL
    spin: Vector = STILL
    fading: float | None = None
    ahead: float = 0.0

    def __post_init__(self) -> None:
        self.command = self.want

    def push(self, pose: Pose, linear: Vector, angular: Vector, dt: float) -> tuple[Vector, Vector]:
        """The force (kg cm/s2) and torque (kg cm2/s2) of the next step of dt seconds.

        pose: of the held piece, mm; linear, angular: its velocities, mm/s and rad/s.
        """
        g = self.grasp
        position, turn = pose
        self._advance(position, dt)
        (cx, cy, cz), wanted = self.command
        om = g.stiffness
        mass = self.mass
        force = (
            mass * (om * om * (cx - position[0]) + 2 * om * (self.velocity[0] - linear[0])) / 10,
            mass * (om * om * (cy - position[1]) + 2 * om * (self.velocity[1] - linear[1])) / 10,
            mass * (om * om * (cz - position[2]) + 2 * om * (self.velocity[2] - linear[2])) / 10,
        )
        force = _clamped(force, g.force * 100)
        back = conjugate(turn)
        error = rotate(back, rotation_vector(multiply(wanted, back)))
        rate = rotate(back, (self.spin[0] - angular[0], self.spin[1] - angular[1], self.spin[2] - angular[2]))
        local = (
            self.inertia[0] * (om * om * error[0] + 2 * om * rate[0]),
            self.inertia[1] * (om * om * error[1] + 2 * om * rate[1]),
            self.inertia[2] * (om * om * error[2] + 2 * om * rate[2]),
        )
        torque = _clamped(rotate(turn, local), g.torque * 10)
        k = 1.0 if self.fading is None else max(0.0, self.fading / g.fade)
        weight = (mass + self.burden) * 981
        if self.fading is not None:
            self.fading -= dt
        return (
            (k * force[0], k * force[1], k * (force[2] + weight)),
            (k * torque[0], k * torque[1], k * torque[2]),
        )

    def _advance(self, position: Vector, dt: float) -> None:
        """The command follows what is wanted under limits of speed and acceleration, and waits for a blocked piece."""
        g = self.grasp
        (cx, cy, cz), turn = self.command
        (wx, wy, wz), wanted = self.want
        v, f = self.velocity, g.follow
        most = g.loaded if len(self.unit) > 1 else g.acceleration
        pull = _clamped(
            (
                f * f * (wx - cx) - 2 * f * v[0],
                f * f * (wy - cy) - 2 * f * v[1],
                f * f * (wz - cz) - 2 * f * v[2],
            ),
            most,
        )
        v = _clamped((v[0] + pull[0] * dt, v[1] + pull[1] * dt, v[2] + pull[2] * dt), g.speed)
        place = (cx + v[0] * dt, cy + v[1] * dt, cz + v[2] * dt)
        self.ahead = math.dist(place, position)
        if self.ahead > g.leash:
            k = g.leash / self.ahead
            place = (
                position[0] + k * (place[0] - position[0]),
                position[1] + k * (place[1] - position[1]),
                position[2] + k * (place[2] - position[2]),
            )
            v = (0.8 * v[0], 0.8 * v[1], 0.8 * v[2])
        self.velocity = v
        e = rotation_vector(multiply(wanted, conjugate(turn)))
        s = self.spin
        twist = _clamped(
            (f * f * e[0] - 2 * f * s[0], f * f * e[1] - 2 * f * s[1], f * f * e[2] - 2 * f * s[2]),
            g.turn_acceleration,
        )
        s = _clamped((s[0] + twist[0] * dt, s[1] + twist[1] * dt, s[2] + twist[2] * dt), g.turning)
        self.spin = s
        turned = normalised(multiply(from_vector((s[0] * dt, s[1] * dt, s[2] * dt)), turn))
        self.command = (place, turned)
