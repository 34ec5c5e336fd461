"""A computer's hands: it thinks of places, tries them on copies of the site, and builds with a hand like anyone's.

It sees the site, which is open to all, and the instruction; it carries pieces clear of what stands, lowers them until
they are borne, and lets go. Levels differ in steadiness and in how many places they try.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from shopfloor.games.men_at_work import actions as a
from shopfloor.games.men_at_work import geometry, judgement
from shopfloor.games.men_at_work.geometry import Pose, Quaternion, Vector, multiply
from shopfloor.games.men_at_work.hand import from_vector
from shopfloor.games.men_at_work.judge import judge, lacking
from shopfloor.games.men_at_work.pieces import KIND, SUPPORT, WORKER
from shopfloor.games.men_at_work.position import BUILD, CLEANUP
from shopfloor.games.men_at_work.site import Site, Snapshot, load_pose
from shopfloor.games.men_at_work.spots import Scene
from shopfloor.games.men_at_work.turn import task
from shopfloor.games.men_at_work.works import Works

DROP: Final = 0.4  # mm: a trial starts so far above the place
OVERLAP: Final = -0.3  # mm: deeper than that in something else is no place
MOST_RAISED: Final = 12.0  # mm: what has to be laid so much higher is another place
STAYED: Final = 14.0  # mm: farther than that from where it was put, it has not stayed
STIRRED: Final = 4.0  # mm: no other piece may move farther in a trial
TRIAL: Final = 2.0  # s
CREEP: Final = 0.25  # mm in a tenth of a second: slower is at rest for a trial
APPROACH: Final = 14.0  # mm above the place the hand slows down
PATIENCE: Final = 4  # failed tries after which a builder gives up, where that is allowed
BORNE: Final = 0.8  # mm that the piece hangs behind the hand when something bears it


@dataclass(frozen=True)
class Level:
    """How good a builder is.

    thoughts: places it thinks of for a piece; trials: how many it tries; repeats: trials of the best with a trembling
    hand. aim: mm, standard deviation of where a piece ends; tilt: radians; tremor: mm; speed: mm/s.
    site: the starting site that it lays out, by its place in PRESETS.
    """

    name: str
    thoughts: int
    trials: int
    repeats: int
    aim: float
    tilt: float
    tremor: float
    speed: float
    site: int


LEVELS: Final = (
    Level("apprentice", 60, 6, 1, 1.2, 0.02, 0.6, 350.0, 0),
    Level("journeyman", 120, 10, 2, 0.7, 0.01, 0.4, 300.0, 0),
    Level("master", 240, 18, 3, 0.3, 0.004, 0.2, 260.0, 1),
)


def level(name: str) -> Level:
    """Raises ValueError for a level that there is not."""
    for known in LEVELS:
        if known.name == name:
            return known
    raise ValueError(f"there is no builder '{name[:40]}'; there is {', '.join(known.name for known in LEVELS)}")


@dataclass(frozen=True)
class Plan:
    """A place for a piece. chance: how often it held in trials; top: the height of what was built there, mm."""

    pose: Pose
    chance: float
    top: float


class Builder:
    """Decides and builds for whoever holds the hook."""

    def __init__(self, skill: Level, seed: int) -> None:
        self.skill = skill
        self.rng = Random(seed)
        self.trials = 0
        self.stirred = STIRRED

    # -- decisions ------------------------------------------------------------------------------------------------

    def move(self, works: Works) -> None:
        """One decision, carried out."""
        state = works.state
        if state.phase == BUILD:
            self._build(works)
        elif state.phase == CLEANUP:
            self._clean(works)
        else:
            works.act(self._choose(works))

    def _choose(self, works: Works) -> int:
        state = works.state
        legal = [action for action in state.legal(state.hook) if action != a.DESIGN_FREE]
        rates = dict(zip(state.legal(state.hook), judgement.rate(state, state.hook), strict=True))
        if legal[0] < a.DESIGN_FREE:
            return a.DESIGN + self.skill.site
        return max(legal, key=lambda action: (rates[action] + self.rng.uniform(0, 0.05), action))

    def _clean(self, works: Works) -> None:
        """Everything that lies about is taken away; supports stay if anything still leans on them."""
        state = works.state
        legal = state.legal(state.hook)
        takes = [action for action in legal if a.RETRIEVE <= action < a.PUSH_BACK]
        if takes:
            works.act(self._harmless(works, takes))
            return
        returns = [action for action in legal if a.RETURN_SUPPORT <= action < a.LEAVE_SUPPORT]
        for action in returns:
            piece = action - a.RETURN_SUPPORT
            leave = a.LEAVE_SUPPORT + piece
            burdened = self._burdens(works).get(piece, 0) > 0
            works.act(leave if burdened and leave in legal else action)
            return
        works.act(a.CLEAN_DONE)

    def _harmless(self, works: Works, takes: list[int]) -> int:
        """The piece to take away first: one without which all else stays, as far as a trial can tell.

        What carries nothing is tried first. If everything is risky, it is that one all the same.
        """
        loads = self._burdens(works)
        takes = sorted(takes, key=lambda action: (loads.get(action - a.RETRIEVE, 0), action))
        snapshot = works.site.snapshot()
        for action in takes[: max(1, self.skill.trials // 3)]:
            site = works.site.fork(snapshot)
            site.take(works.state.taken_with(action - a.RETRIEVE))
            site.step(1)
            site.settle(2.0)
            self.trials += 1
            if site.accident is None:
                return action
        return takes[0]

    @staticmethod
    def _burdens(works: Works) -> dict[int, int]:
        """How much each piece carries of others."""
        found: dict[int, int] = {}
        for c in works.state.measure.contacts:
            if c.b >= 0:
                found[c.b] = found.get(c.b, 0) + max(0, c.up_a)
            found[c.a] = found.get(c.a, 0) + max(0, c.up_b)
        return found

    # -- building -------------------------------------------------------------------------------------------------

    def _build(self, works: Works) -> None:
        state = works.state
        legal = state.legal(state.hook)
        if state.placed and not lacking(state.verdict()):
            works.act(a.FINISH)
        elif a.NEXT_PIECE in legal:
            works.act(a.NEXT_PIECE)
        elif a.GIVE_UP in legal and state.attempts >= PATIENCE:
            works.act(a.GIVE_UP)
        else:
            fresh = [action - a.GRIP for action in legal if a.GRIP <= action < a.RELEASE]
            fresh = [p for p in fresh if p not in state.placed]
            if not fresh:  # what was placed does not hold: that was a try
                works.act(a.FINISH)
                if state.phase != BUILD:
                    return
            self._place(works, fresh[0] if fresh else self._wrong(works))

    @staticmethod
    def _wrong(works: Works) -> int:
        """The piece to take up again: one that the judge is not content with."""
        state = works.state
        grips = [action - a.GRIP for action in state.legal(state.hook) if a.GRIP <= action < a.RELEASE]
        blamed = {p for f in state.findings if not f.met for p in f.pieces}
        return next((p for p in grips if p in blamed), grips[-1])

    def _place(self, works: Works, piece: int) -> None:
        """Think, take, carry, let go. What finds no place at all is given up as soon as that is allowed."""
        state = works.state
        plan = None
        for ease in range(3):
            plan = plan or self._plan(works, piece, ease)
        works.act(a.GRIP + piece)
        if plan is not None:
            self._carry(works, self._aimed(plan.pose))
            works.act(a.RELEASE)
            return
        for _ in range(PATIENCE):
            if a.GIVE_UP in state.legal(state.hook):
                works.act(a.GIVE_UP)
                return
            works.act(a.FINISH)
            if state.phase != BUILD:
                return
        works.act(a.RELEASE)  # no giving up at this table: down with it, and on with trying

    # -- thinking -------------------------------------------------------------------------------------------------

    def _plan(self, works: Works, piece: int, ease: int = 0) -> Plan | None:
        """The best place found for a piece, which is not in the hand.

        ease: how much harder it is thought about, and how much more may move on that account.
        """
        state = works.state
        unit = state.unit(piece)
        base = works.site.fork(works.site.snapshot())
        base.take([p for p in unit if p in base.bodies])
        base.settle(1.0)
        if base.accident is not None:
            return None
        snapshot = base.snapshot()
        scene = Scene(base, task(state), self.rng, state.on("skyscraper"))
        obstacles = [s for p, pose in scene.seen.items() for s in geometry.solids(base.shapes, p, pose)]
        obstacles += base.fixed
        budget = self.trials + self.skill.trials * (1 + ease)
        self.stirred = STIRRED * (1 + 2 * ease)
        tried: list[Plan] = []
        for thought in scene.spots(piece, self.skill.thoughts * (1 + ease)):
            pose = self._landed(base, unit, thought, obstacles)
            if pose is None:
                continue
            top = self._trial(works, base, snapshot, unit, pose)
            if top is not None:
                tried.append(Plan(pose, 1.0, top))
            if len(tried) >= max(2, self.skill.trials // 3) or self.trials >= budget:
                break
        return self._best(works, base, snapshot, unit, tried) if tried else None

    def _best(self, works: Works, base: Site, snapshot: Snapshot, unit: list[int], tried: list[Plan]) -> Plan:
        """With a trembling hand the best ones are tried again; high ones are worth more once Boss Rita looks."""
        eager = works.state.rita_active
        ceiling = base.top()
        tried.sort(key=lambda plan: -plan.top if eager else self.rng.random())
        best: tuple[float, Plan] | None = None
        for plan in tried[:3]:
            held = 1
            for _ in range(self.skill.repeats):
                held += self._trial(works, base, snapshot, unit, self._aimed(plan.pose)) is not None
            chance = held / (1 + self.skill.repeats)
            gain = 0.35 if eager and plan.top > ceiling + 1.2 else 0.0
            score = chance + gain * chance
            if best is None or score > best[0]:
                best = (score, Plan(plan.pose, chance, plan.top))
        assert best is not None
        return best[1]

    def _aimed(self, pose: Pose) -> Pose:
        """A place as this hand hits it."""
        k = self.skill
        (x, y, z), turn = pose
        off = [self.rng.gauss(0, k.aim) for _ in range(2)]
        lean = from_vector((self.rng.gauss(0, k.tilt), self.rng.gauss(0, k.tilt), self.rng.gauss(0, 2 * k.tilt)))
        return (x + off[0], y + off[1], z), multiply(lean, turn)

    @staticmethod
    def _whole(site: Site, unit: list[int], pose: Pose) -> dict[int, Pose]:
        """The poses of a unit: a worker with his hat, a girder with its brick."""
        found = {unit[0]: pose}
        for load in unit[1:]:
            found[load] = load_pose(site.shapes, unit[0], load, pose)
        return found

    def _landed(self, site: Site, unit: list[int], pose: Pose, obstacles: list[geometry.Solid]) -> Pose | None:
        """The place as it is reached from above: no deeper than something is in the way; None if that is far off."""
        mine = [s for p, at in self._whole(site, unit, pose).items() for s in geometry.solids(site.shapes, p, at)]
        # Only its height changes on the way: what is nowhere below or above it does not matter.
        west, east = min(s.low[0] for s in mine), max(s.high[0] for s in mine)
        south, north = min(s.low[1] for s in mine), max(s.high[1] for s in mine)
        near = [o for o in obstacles if o.low[0] < east and west < o.high[0] and o.low[1] < north and south < o.high[1]]
        (x, y, z), turn = pose
        raised = 0.0
        for _ in range(8):
            deep = self._overlap(mine, near)
            if deep > OVERLAP:
                return ((x, y, z + raised), turn)
            up = max(0.8, -deep)
            raised += up
            if raised > MOST_RAISED:
                return None
            mine = [geometry.lifted(s, up) for s in mine]
        return None

    @staticmethod
    def _overlap(mine: list[geometry.Solid], near: list[geometry.Solid]) -> float:
        """How deep one of some cuboids is in another, negative, mm: the first found that is too deep; else 0."""
        for s in mine:
            for o in near:
                if s.low[2] > o.high[2] or o.low[2] > s.high[2] or s.low[0] > o.high[0] or o.low[0] > s.high[0]:
                    continue
                if s.low[1] > o.high[1] or o.low[1] > s.high[1]:
                    continue
                close = geometry.gap(s, o, 0.0)
                if close is not None and close[0] <= OVERLAP:
                    return close[0]
        return 0.0

    def _trial(self, works: Works, base: Site, snapshot: Snapshot, unit: list[int], pose: Pose) -> float | None:
        """Put the pieces there on a copy: the height of what stands, or None if it does not hold."""
        self.trials += 1
        state = works.state
        site = base.fork(snapshot)
        (x, y, z), turn = pose
        before = site.poses()
        whole = self._whole(site, unit, ((x, y, z + DROP), turn))
        for p, where in whole.items():
            site.put(p, where)
        watch = site.watch
        if watch is not None:
            watch.own |= set(unit)
            watch.release({p: site.height(p) for p in unit})
            for p in unit[1:]:
                watch.wearers[p] = unit[0]
        if not self._comes_to_rest(site, unit[0], whole[unit[0]][0]):
            return None
        if any(math.dist(before[p][0], site.pose(p)[0]) > self.stirred for p in before):
            return None
        now = task(state)
        placed = frozenset(state.placed) | set(unit)
        mine = frozenset(p for step in now.steps for p in step)
        outcome = replace(site.measure(mine), settled=True)
        now = replace(now, placed=placed, in_hand=())
        here = set(outcome.pieces())
        for finding in judge(now, outcome, state.limits, state.step_of(unit[0])):
            # What another piece of this step still lacks is no fault of this one.
            waiting = bool(finding.pieces) and finding.pieces[0] not in here
            if not finding.met and not waiting:
                return None
        return max(top for p, top in outcome.tops if p in mine) / 1000

    @staticmethod
    def _comes_to_rest(site: Site, piece: int, place: Vector) -> bool:
        """Does a trial end with the piece about where it was put, and everything slow? It need not sleep for that."""
        site.step(24)
        for _ in range(round(TRIAL * 240 / 24)):
            seen = {p: site.pose(p) for p in site.awake()}
            site.step(24)
            if site.accident is not None or math.dist(site.pose(piece)[0], place) > STAYED:
                return False
            if all(math.dist(position, site.pose(p)[0]) < CREEP for p, (position, _) in seen.items()):
                return True
        return False

    # -- carrying -------------------------------------------------------------------------------------------------

    def _carry(self, works: Works, goal: Pose) -> None:
        """Up, over, and down until it is borne; with the tremor of this hand."""
        site, skill = works.site, self.skill
        hand = site.hand
        assert hand is not None
        unit = set(hand.unit)
        (gx, gy, gz), turn = goal
        (x, y, z), held = hand.want
        low = 30.0 if KIND[hand.unit[0]] in (WORKER, SUPPORT) else 12.0
        over = max(site.top(unit) + low + 30.0, gz + APPROACH, z)
        gentle = skill.speed if len(hand.unit) == 1 else min(skill.speed, 180.0)
        self._go(works, (x, y, over), held, gentle)
        self._turn(works, (x, y, over), held, turn)
        self._go(works, (gx, gy, over), turn, gentle)
        self._go(works, (gx, gy, gz + APPROACH), turn, gentle)
        for k in range(240):
            if site.accident is not None or site.hand is None:
                return
            down = gz + APPROACH - 0.4 * k
            if site.pose(hand.unit[0])[0][2] - down > BORNE or down < gz - 12:
                return
            site.aim((self._shaken((gx, gy, down)), turn))
            site.step(4)

    def _shaken(self, p: Vector) -> Vector:
        k = 0.4 * self.skill.tremor
        return (p[0] + self.rng.gauss(0, k), p[1] + self.rng.gauss(0, k), p[2] + self.rng.gauss(0, k / 3))

    def _go(self, works: Works, goal: Vector, turn: Quaternion, speed: float) -> None:
        site = works.site
        assert site.hand is not None
        start = site.hand.want[0]
        far = math.dist(start, goal)
        steps = max(1, round(far / speed * 60))
        for k in range(1, steps + 1):
            if site.accident is not None:
                return
            part = k / steps
            part = part * part * (3 - 2 * part)
            here = tuple(p + (q - p) * part for p, q in zip(start, goal, strict=True))
            site.aim((self._shaken((here[0], here[1], here[2])), turn))
            site.step(4)

    def _turn(self, works: Works, place: Vector, start: Quaternion, goal: Quaternion) -> None:
        site = works.site
        angle = 2 * math.acos(min(1.0, abs(sum(p * q for p, q in zip(start, goal, strict=True)))))
        steps = max(1, round(angle / 2.5 * 60))
        for k in range(1, steps + 1):
            if site.accident is not None:
                return
            site.aim((place, geometry.between(start, goal, k / steps)))
            site.step(4)


MOST_MOVES: Final = 3000
"""Decisions after which a game of computers is taken to go on for ever."""


def play_out(works: Works, builders: Sequence[Builder]) -> None:
    """A game to its end, each seat in its builder's hands. Raises RuntimeError if there is none."""
    for _ in range(MOST_MOVES):
        if works.state.over():
            return
        builders[works.state.hook].move(works)
    raise RuntimeError(f"the game is not over after {MOST_MOVES} decisions")
