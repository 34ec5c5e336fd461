"""A building site in motion: one hand, one piece at a time, in ticks of a sixtieth of a second.

Whoever holds the hook takes a piece, carries it, lets it go, and the site comes to rest; only then there is something
to store. In between nothing is in the log: if the process dies, the turn goes on from the site that was stored last.
A session knows no clock and no socket; whoever drives it ticks it, hands commands in and tells what it tells.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from shopfloor.engine.events import Event
from shopfloor.engine.refusals import IllegalAction
from shopfloor.engine.state import State
from shopfloor.engine.world import NOBODY, TICKS, Batch, HandRefused, Told
from shopfloor.games.men_at_work import actions as a
from shopfloor.games.men_at_work import geometry, wire, words
from shopfloor.games.men_at_work.carrier import Carrier
from shopfloor.games.men_at_work.errand import Errand, Walk, number_of, say
from shopfloor.games.men_at_work.geometry import Pose, Vector
from shopfloor.games.men_at_work.hand import from_vector, rotation_vector
from shopfloor.games.men_at_work.pieces import COLOURS, CRANE, KIND
from shopfloor.games.men_at_work.position import BUILD, CLEANUP, DEAD, PHASE_NAMES, SITE_DESIGN
from shopfloor.games.men_at_work.rules import MenAtWork
from shopfloor.games.men_at_work.site import (
    LEAP,
    RATE,
    REST_MOVE,
    REST_TURN,
    SETTLE,
    SLEEP_TIME,
    Site,
    SiteError,
    Snapshot,
    load_pose,
)
from shopfloor.games.men_at_work.turn import duties
from shopfloor.games.men_at_work.works import Works, watch_rules

STEPS: Final = RATE // TICKS
SAMPLE: Final = 2  # ticks between looks at whether all is at rest
SAMPLES: Final = round(SLEEP_TIME * TICKS / SAMPLE)
LONGEST: Final = round(SETTLE * TICKS)
SILENCE: Final = 10 * TICKS  # after that another window of the seat may go on: the first one may be out of reach
FORSAKEN: Final = 30 * TICKS  # a hand whose window has closed lets go after that
UNSEEN: Final = 1.0  # mm: what has moved no farther has not moved
BORNE: Final = 0.8  # mm that the piece hangs behind the hand when something bears it
CLOSE: Final = 0.4  # mm of free space below it, then
FIRM: Final = 4  # ticks in a row, until the server's hand believes it
PACE: Final = 0.8  # of computers' hands when somebody looks on
PREVIEW_EVERY: Final = 15  # ticks
EDGE: Final = 320.0  # mm from the middle: where pieces are laid aside
SHAKING: Final = {"none": (0.0, 0.0), "light": (0.4, 0.005), "expert": (1.0, 0.014)}  # mm, rad


@dataclass
class Try:
    """From taking a piece in hand until all is at rest again.

    window: whose hand it is, or NOBODY. state, snapshot, poses: before it. want: where the hand is told to go.
    lower: the session minds the height. walk, carrier: the session's own hand is at work. letting: the hand opens, or
    an accident has happened. since: ticks since then. alone: ticks for which nobody has minded the hand;
    silent: for which its window has said nothing.
    overtime: time was up; what stands is judged at once.
    """

    seat: int
    window: int
    action: int
    state: MenAtWork
    snapshot: Snapshot
    poses: dict[int, Pose]
    want: Pose
    film: wire.Film
    lower: bool = False
    firm: int = 0
    walk: Walk | None = None
    carrier: Carrier | None = None
    letting: bool = False
    struck: bool = False
    since: int = 0
    alone: int = 0
    silent: int = 0
    overtime: bool = False
    samples: deque[dict[int, Pose]] = field(default_factory=lambda: deque(maxlen=SAMPLES))


def numbers(pose: Pose) -> list[float]:
    """A pose as it is told."""
    return [*(round(v, 3) for v in pose[0]), *(round(v, 6) for v in pose[1])]


class Session:
    """See `engine.world.Session`."""

    def __init__(self, state: MenAtWork, number: int, names: Sequence[str], people: frozenset[int]) -> None:
        """state: this session's own. Raises HandRefused for one with something in the hand."""
        self.number = number
        self.names = tuple(names)
        self.people = people
        self.shown = True
        self._tick = 0
        self._ack = 0
        self._try: Try | None = None
        self._due: tuple[int, Batch] | None = None
        self._moved: set[int] = set()
        self._told: dict[int, bytes] = {}
        self._gap: float | None = None
        self._land: tuple[float, float] = (0.0, 0.0)
        self._touched: tuple[int, ...] = ()
        self._sway: tuple[Vector, Vector] = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
        self._rng = Random(number)
        self._left: int | None = None
        self._timed: tuple[int, int] | None = None
        self._previewed = -PREVIEW_EVERY
        self._restart(state)

    def _restart(self, state: MenAtWork) -> None:
        try:
            self.works = Works(state)
        except ValueError:
            raise say("ONE_HAND_ONLY") from None
        self._try = None
        self._due = None
        watch = self.site.watch
        if watch is not None and state.phase == BUILD:  # this turn's pieces are known again
            watch.own |= set(state.placed)
        self._moved = set(self.site.bodies)
        self._told = {}
        self._set_clock()

    @property
    def site(self) -> Site:
        return self.works.site

    @property
    def state(self) -> MenAtWork:
        return self.works.state

    # -- asking ---------------------------------------------------------------------------------------------------

    def busy(self) -> bool:
        return self._try is not None or self._due is not None

    def awake(self) -> bool:
        return self.busy() or self._left is not None

    def due(self) -> tuple[int, Batch] | None:
        return self._due

    def hello(self, seat: int | None, owner: int, first: bool = True) -> dict[str, object]:
        state, shapes = self.state, self.state.cards.shapes
        crane: Pose | None = None
        if state.crane_place >= 0:
            dynamic = CRANE in self.site.bodies
            crane = self.site.pose(CRANE) if dynamic else geometry.crane_pose(shapes, a.CRANE_PLACES[state.crane_place])
        attempt = self._try
        told: dict[str, object] = {
            "t": "hello",
            "number": self.number,
            "seat": seat,
            "may": seat is not None and seat == state.hook and seat in self.people and not state.over(),
            "dead": [piece for piece, place in enumerate(state.place) if place == DEAD],
            "crane": None if crane is None else numbers(crane),
            "crane_place": None if crane is None else a.CRANE_PLACES[state.crane_place],
            "skyscraper": state.on("skyscraper"),
            "held": None,
            "tremor": state.options["tremor"],
            "preview": state.on("rest_preview"),
            "seconds": None if self._left is None else math.ceil(self._left / TICKS),
            **self._situation(),
        }
        if attempt is not None:
            mine = seat == attempt.seat and attempt.window in (owner, NOBODY)
            held = attempt.action - a.GRIP
            told["held"] = {"piece": held, "unit": self._unit(), "by": attempt.seat, "mine": mine}
        if first:
            told["shapes"] = shapes.raw
        return told

    def _situation(self) -> dict[str, object]:
        """Where everything is, and what it is about."""
        state = self.state
        found = state.verdict() if state.phase == BUILD and state.placed and self._try is None else ()
        return {
            "phase": PHASE_NAMES[state.phase],
            "hook": state.hook,
            "pieces": [[piece, *numbers(pose)] for piece, pose in self.site.poses().items()],
            "top": round(self.site.top(self._unit()), 2),
            "turn": self._turn(),
            "findings": [
                {
                    "code": f.code,
                    "met": f.met,
                    "pieces": list(f.pieces),
                    "words": words.finding(f.code, f.met, f.pieces),
                }
                for f in found
            ],
        }

    def _turn(self) -> dict[str, object] | None:
        state = self.state
        if state.phase == BUILD:
            legal = () if self._try is not None else state.legal(state.hook)
            return {
                "kind": "build",
                "pieces": [piece for step in state.steps for piece in step],
                "steps": [list(step) for step in state.steps],
                "step": state.step,
                "grips": [action - a.GRIP for action in legal if a.GRIP <= action < a.RELEASE],
                "placed": list(state.placed),
                "how": state.instruction(),
                "colour": COLOURS[state.colour],
                "tries": state.attempts,
            }
        if state.phase == CLEANUP:
            retrieve, supports = duties(state)
            return {"kind": "clean", "retrieve": retrieve, "supports": supports}
        return None

    def _unit(self) -> list[int]:
        hand = self.site.hand
        return list(hand.unit) if hand is not None else []

    # -- commands -------------------------------------------------------------------------------------------------

    def command(self, seat: int, owner: int, message: Mapping[str, object] | bytes) -> list[Told]:
        to = "command"
        seq: int | None = None
        try:
            if isinstance(message, bytes):
                kind = message[0] if message else 0
                to = {wire.AIM: "target", wire.GRIP: "grip", wire.RELEASE: "release", wire.CANCEL: "cancel"}.get(
                    kind, ""
                )
                if kind == wire.AIM:
                    target = self._target(message)
                    seq = target.seq
                    self._aimed(seat, owner, target)
                    return []
                if len(message) != (2 if kind == wire.GRIP else 1) or not to:
                    raise say("MALFORMED", {"what": f"{len(message)} bytes of kind {kind}"})
                given: Mapping[str, object] = {"piece": message[1]} if kind == wire.GRIP else {}
                return self._said(seat, owner, to, given)
            to = str(message.get("t"))[:40]
            return self._said(seat, owner, to, message)
        except SiteError as error:
            refused = say(error.code, error.facts)
        except IllegalAction as error:
            found = error.refusal
            refused = HandRefused(found.code, words.refusal(found, self.names), found.clause, dict(found.facts))
        except HandRefused as error:
            refused = error
        refused.to = to
        if seq is not None:
            refused.facts["seq"] = seq
        raise refused

    def _said(self, seat: int, owner: int, to: str, message: Mapping[str, object]) -> list[Told]:
        match to:
            case "grip":
                return self._grip(seat, owner, number_of(message.get("piece")))
            case "release":
                self._holding(seat, owner)
                return self._open()
            case "cancel":
                self._holding(seat, owner)
                return self._put_back()
            case "place":
                via = message.get("via", [])
                if not isinstance(via, list):
                    raise say("MALFORMED", {"what": "'via' is a list of poses"})
                errand = Errand.of(message.get("piece"), message.get("pose"), via)
                return self._begin(seat, owner, errand, True)
            case "design":
                return self._begin(seat, owner, Errand.laid_out(message.get("poses")), True)
            case "preview":
                self._holding(seat, owner)
                return self._preview()
            case _:
                raise say("MALFORMED", {"what": f"there is no command “{to}”"})

    @staticmethod
    def _target(message: bytes) -> wire.Target:
        try:
            return wire.read_target(message)
        except ValueError as error:
            raise say("MALFORMED", {"what": str(error)}) from None

    def _mine(self, seat: int, phase: int = BUILD) -> None:
        """May this seat do something by hand now?"""
        state = self.state
        if state.over() or state.phase != phase:
            raise say("WRONG_PHASE", {"phase": PHASE_NAMES[state.phase]}, "MW-S.7")
        if seat != state.hook or seat not in self.people:
            raise say("NOT_YOUR_DECISION", {"deciders": [state.hook]}, "MW-4.3")

    def _free(self) -> None:
        """Raises HandRefused if something is in the hand or on its way."""
        if self.site.hand is not None:
            raise say("ONE_HAND_ONLY", {"held": self.site.hand.unit[0]}, "MW-6.1")
        if self.busy():
            raise say("AT_REST_SOON")

    def _holding(self, seat: int, owner: int) -> Try:
        """What this window has in its hand."""
        self._mine(seat)
        attempt = self._try
        if attempt is None:
            raise say("NOTHING_HELD", {}, "MW-6.1")
        if attempt.letting:
            raise say("AT_REST_SOON")
        if attempt.window not in (owner, NOBODY) and attempt.silent < SILENCE:
            raise say("HAND_ELSEWHERE")
        if attempt.window != owner:  # every window counts for itself
            self._ack = 0
        attempt.window = owner
        attempt.alone = attempt.silent = 0
        return attempt

    def left(self, owner: int) -> None:
        if self._try is not None and self._try.window == owner:
            self._try.window = NOBODY

    # -- taking ---------------------------------------------------------------------------------------------------

    def _grip(self, seat: int, owner: int, piece: int) -> list[Told]:
        self._mine(seat)
        self._free()
        attempt = self._take(seat, owner, piece)
        pose = numbers(attempt.want)
        return [{"t": "grip", "piece": piece, "unit": self._unit(), "by": seat, "pose": pose}]

    def _take(self, seat: int, owner: int, piece: int) -> Try:
        """Raises IllegalAction, SiteError; nothing has changed then."""
        before, poses = self.state.clone(), self.site.poses()
        snapshot = self.site.snapshot()
        try:
            self.works.act(a.GRIP + piece)
        except SiteError:
            self.works.state = before
            self.site.restore(snapshot)
            raise
        hand = self.site.hand
        assert hand is not None
        self._ack = 0
        film = wire.Film(poses, hand.unit, seat)
        self._try = Try(seat, owner, a.GRIP + piece, before, snapshot, poses, hand.want, film)
        self._moved |= set(hand.unit)
        self._sway = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
        return self._try

    def _aimed(self, seat: int, owner: int, target: wire.Target) -> None:
        """Raises SiteError, HandRefused; the hand stays where it was told to be before."""
        attempt = self._try
        if attempt is not None and attempt.letting and attempt.seat == seat:
            self._ack = max(self._ack, target.seq)
            return  # it was on its way when the hand opened
        attempt = self._holding(seat, owner)
        self.site.check_pose(target.pose)
        leap = math.dist(target.pose[0], attempt.want[0])
        if leap > LEAP:
            raise SiteError("TELEPORT", leap=round(leap), most=LEAP)
        self._ack = max(self._ack, target.seq)
        if attempt.walk is not None or attempt.carrier is not None:
            return
        (x, y, z), turn = target.pose
        if attempt.lower and target.lower:  # while lowering the height is minded here
            z = attempt.want[0][2]
        attempt.lower = target.lower
        if not target.lower:
            attempt.firm = 0
        attempt.want = ((x, y, z), geometry.normalised(turn))

    # -- letting go -----------------------------------------------------------------------------------------------

    def _open(self) -> list[Told]:
        attempt = self._try
        assert attempt is not None
        attempt.walk = attempt.carrier = None
        attempt.letting = True
        attempt.since = 0
        self.site.release()
        return [{"t": "letgo"}]

    def _put_back(self) -> list[Told]:
        """As if it had never been taken, if that is true of everything else (MW-6.2). Raises HandRefused."""
        attempt = self._try
        assert attempt is not None
        for piece, (position, _) in attempt.poses.items():
            if piece not in self._unit() and math.dist(position, self.site.pose(piece)[0]) > UNSEEN:
                raise say("STIRRED")
        self.works.state = attempt.state
        self.site.restore(attempt.snapshot)
        self._try = None
        self._moved = set(self.site.bodies)
        self._told = {}
        return [{"t": "put", "held": None, **self._situation()}]

    def _forsake(self) -> list[Told]:
        """Nobody minds the hand any more."""
        try:
            return self._put_back()
        except HandRefused:
            return self._open()

    # -- the session's own hand -----------------------------------------------------------------------------------

    def errand(self, seat: int, errand: object, patient: bool = True) -> list[Told]:
        assert isinstance(errand, Errand)
        if seat != self.state.hook:
            raise say("NOT_YOUR_DECISION", {"deciders": [self.state.hook]}, "MW-4.3")
        try:
            return self._begin(seat, NOBODY, errand, patient)
        except SiteError as error:
            raise say(error.code, error.facts) from None
        except IllegalAction as error:
            found = error.refusal
            raise HandRefused(found.code, words.refusal(found, self.names), found.clause, dict(found.facts)) from None

    def _begin(self, seat: int, owner: int, errand: Errand, patient: bool) -> list[Told]:
        """Begin with an errand. Raises HandRefused, SiteError, IllegalAction; nothing has changed then."""
        if owner != NOBODY:
            self._mine(seat, SITE_DESIGN if errand.design is not None else BUILD)
        if errand.design is not None:
            self._free()
            outcome = self.works.design(errand.design)
            self._due = (seat, Batch(((a.DESIGN_FREE, outcome.encode()),)))
            return []
        told: list[Told] = []
        attempt = self._try
        piece = errand.piece
        if attempt is None or attempt.letting or attempt.action != a.GRIP + piece:
            self._free()
            attempt = self._take(seat, owner, piece)
            pose = numbers(attempt.want)
            told.append({"t": "grip", "piece": piece, "unit": self._unit(), "by": seat, "pose": pose})
        elif owner != NOBODY:
            attempt = self._holding(seat, owner)
        if errand.route is not None:
            attempt.carrier = Carrier(self.site, errand.route, PACE if patient else 1.0)
        else:
            assert errand.goal is not None
            unit = self._unit()
            gentle = len(unit) > 1
            attempt.walk = Walk(attempt.want, errand.via, errand.goal, self.site.top(unit), gentle, errand.down)
        return told

    def _preview(self) -> list[Told]:
        """MW-A.69: where the piece would come to rest if it were let go close above what is below it."""
        attempt = self._try
        assert attempt is not None
        if not self.state.on("rest_preview"):
            raise say("NO_PREVIEW", {}, "MW-A.69")
        if self._tick - self._previewed < PREVIEW_EVERY:
            return []
        self._previewed = self._tick
        unit = self._unit()
        (x, y, z), turn = self.site.pose(unit[0])
        down = max(0.0, (self._gap or 0.0) - CLOSE)
        trial = self.site.fork(attempt.snapshot)
        trial.take([piece for piece in unit if piece in trial.bodies])
        pose: Pose = ((x, y, z - down), turn)
        for piece in unit:
            trial.put(piece, pose if piece == unit[0] else load_pose(trial.shapes, unit[0], piece, pose))
        trial.step(RATE // 2)
        falls = any(math.dist(at[0], trial.pose(p)[0]) > 5 for p, at in attempt.poses.items() if p not in unit)
        falls = falls or math.dist(pose[0], trial.pose(unit[0])[0]) > 8
        return [{"t": "preview", "pieces": [[p, *numbers(trial.pose(p))] for p in unit], "falls": falls}]

    # -- time -----------------------------------------------------------------------------------------------------

    def tick(self) -> list[Told]:
        self._tick += 1
        told = self._run_clock()
        attempt = self._try
        if attempt is None or self._due is not None:
            return told
        attempt.silent += 1
        told += self._drive(attempt)
        self.site.step(STEPS)
        told += self._look(attempt)
        if self._tick % wire.EVERY == 0:
            attempt.film.add(self._seen(), self._stirring())
        if self.shown:
            told.append(self.frame())
        if attempt.letting and self._at_rest(attempt):
            self._finish(attempt)
        return told

    def _drive(self, attempt: Try) -> list[Told]:
        """Tell the hand where to go next."""
        hand = self.site.hand
        if attempt.letting or hand is None:
            return []
        if attempt.carrier is not None:
            going = attempt.carrier.tick()
            attempt.want = hand.want
            return [] if going else self._open()
        if attempt.walk is not None:
            pose = attempt.walk.next()
            if pose is not None:
                attempt.want = pose
            elif attempt.firm >= FIRM or attempt.want[0][2] < attempt.walk.floor:
                return self._open()
            else:
                attempt.lower = True
        elif attempt.window == NOBODY:
            attempt.alone += 1
            if attempt.alone > FORSAKEN:
                return self._forsake()
        if attempt.lower:
            self._lower(attempt)
        self._aim(attempt.want)
        return []

    def _lower(self, attempt: Try) -> None:
        """A little on the way down, slower the nearer it comes to what is below; not farther once that bears it."""
        hand = self.site.hand
        assert hand is not None
        (x, y, z), turn = attempt.want
        height = self.site.pose(hand.unit[0])[0][2]
        gap = 600.0 if self._gap is None else self._gap
        if attempt.firm or (height - hand.want[0][2] > BORNE and gap < CLOSE):
            attempt.firm += 1
            return
        speed = min(60.0, 5.0 + 3.0 * max(0.0, gap - 1))
        attempt.want = ((x, y, max(-20.0, min(z, height + 0.5) - speed / TICKS)), turn)

    def _aim(self, pose: Pose) -> None:
        """With the tremor of the table's option; a target that came in two leaps is reached in two ticks."""
        hand = self.site.hand
        assert hand is not None
        at = hand.want[0]
        far = math.dist(at, pose[0])
        if far > LEAP - 10:
            part = (LEAP - 10) / far
            x, y, z = (p + part * (q - p) for p, q in zip(at, pose[0], strict=True))
            pose = ((x, y, z), pose[1])
        try:
            self.site.aim(self._shaken(pose))
        except SiteError:  # a tremor beyond the edge of what the hand reaches
            self.site.aim(pose)

    def _shaken(self, pose: Pose) -> Pose:
        """A hand trembles slowly: what it does next is much like what it did last (MW-A.67)."""
        shift, twist = SHAKING[self.state.options["tremor"]]
        if not shift:
            return pose
        gauss = self._rng.gauss
        (x, y, z), (u, v, w) = self._sway
        x, y, z = (0.85 * c + gauss(0, 0.53 * shift) for c in (x, y, z))
        u, v, w = (0.85 * c + gauss(0, 0.53 * twist) for c in (u, v, w))
        self._sway = ((x, y, z), (u, v, w))
        (px, py, pz), turn = pose
        return (px + x, py + y, pz + z / 2), geometry.multiply(from_vector((u, v, w)), turn)

    def _look(self, attempt: Try) -> list[Told]:
        """What there is to see after a step."""
        site = self.site
        hand = site.hand
        self._gap, self._touched = None, ()
        if hand is not None and (self.shown or attempt.lower):
            gap, where = site.below()
            self._gap = gap if where is not None else None
            position = site.pose(hand.unit[0])[0]
            self._land = (where[0], where[1]) if where is not None else (position[0], position[1])
            self._touched = tuple(sorted(site.touching(hand.unit)))
        if site.accident is None or attempt.struck:
            return []
        attempt.struck = attempt.letting = True
        attempt.since = 0
        attempt.walk = attempt.carrier = None
        if hand is not None and hand.fading is None:
            hand.want = site.pose(hand.unit[0])  # it stays there; once all is at rest the piece is put back (MW-A.22)
        struck = site.accident
        facts: dict[str, object] = {"seat": attempt.seat, "how": struck.kind, "piece": struck.piece, "on": struck.on}
        said = words.event(Event("accident", "", facts), self.names, None)
        return [{"t": "accident", "kind": struck.kind, "piece": struck.piece, "on": struck.on, "words": said}]

    def _at_rest(self, attempt: Try) -> bool:
        site = self.site
        hand = site.hand
        attempt.since += 1
        if hand is not None and (hand.fading is not None or not attempt.struck):
            return False
        awake = [p for p in site.awake() if hand is None or p not in hand.unit]
        if not awake or attempt.since > LONGEST:
            return True
        if attempt.since % SAMPLE:
            return False
        now = {piece: site.pose(piece) for piece in awake}
        past = attempt.samples[0] if len(attempt.samples) == SAMPLES else None
        attempt.samples.append(now)
        return past is not None and not any(piece not in past or _far(past[piece], pose) for piece, pose in now.items())

    def _finish(self, attempt: Try) -> None:
        """All is at rest: measure it."""
        outcome = self.works.act(a.RELEASE)
        assert outcome is not None
        decisions = [(attempt.action, None), (a.RELEASE, outcome.encode())]
        if attempt.overtime:
            decisions += self._judged()
        attempt.film.add(self._seen(), self.site.poses())
        self._due = (attempt.seat, Batch(tuple(decisions), attempt.film.bytes()))

    # -- the table's clock ----------------------------------------------------------------------------------------

    def _set_clock(self) -> None:
        """MW-A.68."""
        state = self.state
        limit = state.options["build_time"]
        if limit == "off" or state.phase != BUILD or state.hook not in self.people:
            self._left = self._timed = None
        elif self._timed != (state.turn, state.attempts):
            self._timed = (state.turn, state.attempts)
            self._left = int(limit) * TICKS

    def _run_clock(self) -> list[Told]:
        if self._left is None or self._due is not None or self._left <= 0:
            return []
        self._left -= 1
        if self._left % TICKS:
            return []
        told: list[Told] = [{"t": "clock", "seconds": self._left // TICKS}]
        if self._left == 0:
            told += [{"t": "time"}, *self._time_up()]
        return told

    def _time_up(self) -> list[Told]:
        attempt = self._try
        if attempt is not None:
            attempt.overtime = True
            return [] if attempt.letting else self._open()
        state = self.state
        seat = state.hook
        decisions = self._judged()
        if not decisions:  # nothing was taken in hand: the first piece is laid aside
            piece = next(action for action in state.legal(seat) if a.GRIP <= action < a.RELEASE) - a.GRIP
            self._take(seat, NOBODY, piece)
            self._lay_aside(piece)
            outcome = self.works.act(a.RELEASE)
            self._try = None
            assert outcome is not None
            decisions = [(a.GRIP + piece, None), (a.RELEASE, outcome.encode()), *self._judged()]
        self._due = (seat, Batch(tuple(decisions)))
        return []

    def _judged(self) -> list[tuple[int, str | None]]:
        """What stands is judged, or given up."""
        state = self.state
        for action in (a.GIVE_UP, a.FINISH):
            if state.phase == BUILD and state.refusal(state.hook, action) is None:
                outcome = self.works.act(action)
                return [(action, None if outcome is None else outcome.encode())]
        return []

    def _lay_aside(self, piece: int) -> None:
        """Put what is in the hand on the table, away from all that stands."""
        hand = self.site.hand
        assert hand is not None
        shapes = self.state.cards.shapes
        rise = -min(box[5] - box[2] / 2 for box in shapes.boxes[KIND[piece]]) + 0.2
        others = [pose[0] for other, pose in self.site.poses().items() if other not in hand.unit]

        def room(angle: int) -> float:
            x, y = EDGE * math.cos(math.radians(angle)), EDGE * math.sin(math.radians(angle))
            return min((math.hypot(x - p[0], y - p[1]) for p in others), default=2 * EDGE)

        best = max(range(0, 360, 10), key=lambda angle: (room(angle), -angle))
        x, y = EDGE * math.cos(math.radians(best)), EDGE * math.sin(math.radians(best))
        pose: Pose = ((x, y, rise), geometry.yaw(best + 90.0))
        for p in hand.unit:
            self.site.place(p, pose if p == piece else load_pose(shapes, piece, p, pose))
        hand.want = hand.command = pose

    # -- following the table --------------------------------------------------------------------------------------

    def follow(self, state: State, number: int, people: frozenset[int], done: bool) -> list[Told]:
        assert isinstance(state, MenAtWork)
        mine, attempt = self.state, self._try
        left = attempt is not None and attempt.seat in self.people and attempt.seat not in people
        self.number = number
        self.people = people
        if done:
            self._due = self._try = None
            if _same_site(mine, state):
                self._adopt(state)
                if attempt is not None:
                    there = set(state.measure.pieces())
                    unit = attempt.state.unit(attempt.action - a.GRIP)
                    back = [piece for piece in unit if piece not in there]
                    rest = {"t": "rest", "number": number, "accident": attempt.struck, "back": back, "held": None}
                    return [rest | self._situation()]
                return [{"t": "hello"}]
        elif attempt is not None and _same_turn(attempt.state, state):
            return self._forsake() if left and not attempt.letting else []  # somebody came or went
        elif attempt is None and self._due is None and _same_site(mine, state):
            moved_on = (mine.turn, mine.phase, mine.accidents) != (state.turn, state.phase, state.accidents)
            self._adopt(state)
            if moved_on and state.phase != BUILD:
                self.site.begin(watch_rules(state), {})
            return [{"t": "hello"}]
        self._restart(state)
        return [{"t": "hello"}]

    def _adopt(self, state: MenAtWork) -> None:
        self.works.state = state
        self._set_clock()

    # -- frames ---------------------------------------------------------------------------------------------------

    def _seen(self) -> wire.Look:
        attempt, hand = self._try, self.site.hand
        if attempt is None or hand is None:
            struck = wire.STRUCK if attempt is not None and attempt.struck else 0
            return wire.Look(self._tick, self._ack, struck | (0 if self.busy() else wire.QUIET))
        flags = wire.HOLDS
        flags |= wire.STRUCK if attempt.struck else 0
        flags |= wire.BORNE if attempt.firm else 0
        flags |= wire.FADING if hand.fading is not None else 0
        flags |= wire.CARRIED if attempt.walk is not None or attempt.carrier is not None else 0
        flags |= wire.LOWERING if attempt.lower else 0
        return wire.Look(
            self._tick, self._ack, flags, hand.unit[0], self._gap, attempt.want[0], self._land, self._touched
        )

    def _stirring(self) -> dict[int, Pose]:
        site = self.site
        return {piece: site.pose(piece) for piece in site.awake()}

    def frame(self, full: bool = False) -> bytes:
        site = self.site
        awake = set(site.awake()) if self._try is not None else set()
        if full:  # for a window that knows nothing; the others are not told, and miss nothing
            return wire.frame(self._seen(), {piece: site.pose(piece) for piece in sorted(site.bodies)})
        which = (awake | self._moved) & set(site.bodies)
        self._moved = awake
        rows = {piece: wire.packed(piece, site.pose(piece)) for piece in sorted(which)}
        told = {piece: row for piece, row in rows.items() if self._told.get(piece) != row}
        self._told.update(told)
        return wire.frame_of(self._seen(), list(told.values()))


def _far(before: Pose, now: Pose) -> bool:
    """Has it gone farther in half a second than what is at rest?"""
    turned = rotation_vector(geometry.multiply(now[1], geometry.conjugate(before[1])))
    return math.dist(before[0], now[0]) > REST_MOVE or math.hypot(*turned) > REST_TURN


def _same_site(one: MenAtWork, other: MenAtWork) -> bool:
    """Is the same built there, so that a session can go on with the site it has?"""
    alike = one.measure.poses == other.measure.poses and one.place == other.place
    return alike and one.crane_place == other.crane_place and not other.held


def _same_turn(one: MenAtWork, other: MenAtWork) -> bool:
    """Does it make no difference to who has a piece in hand?"""
    return _same_site(one, other) and (one.turn, one.phase, one.hook, one.step, one.placed, one.attempts) == (
        other.turn,
        other.phase,
        other.hook,
        other.step,
        other.placed,
        other.attempts,
    )
