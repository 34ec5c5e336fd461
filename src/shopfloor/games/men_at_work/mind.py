"""What a builder imagines about one piece: a site without it, places for it, and what would come of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from random import Random
from typing import Final

from shopfloor.games.men_at_work import actions as a
from shopfloor.games.men_at_work import geometry
from shopfloor.games.men_at_work.carrier import Route, carry
from shopfloor.games.men_at_work.geometry import Pose, Solid, Vector, multiply
from shopfloor.games.men_at_work.hand import from_vector
from shopfloor.games.men_at_work.judge import judge
from shopfloor.games.men_at_work.levels import Level
from shopfloor.games.men_at_work.outcome import Outcome
from shopfloor.games.men_at_work.pieces import BEAM, BRICK, GIRDER, KIND, LENGTH, SUPPORT, WORKER
from shopfloor.games.men_at_work.position import AWARD_GOAL, BUILD
from shopfloor.games.men_at_work.rules import MenAtWork
from shopfloor.games.men_at_work.site import RATE, Site, Snapshot, load_pose
from shopfloor.games.men_at_work.spots import Scene
from shopfloor.games.men_at_work.turn import task
from shopfloor.games.men_at_work.ways import Ways, moved, near
from shopfloor.games.men_at_work.works import Works

DROP: Final = 0.4  # mm: a trial starts so far above the place
RAISED: Final = 12.0  # mm: a girder that has to be laid so much higher is at another place
HARDLY: Final = 2.0  # mm: so it is with all else
SLANTING: Final = 6.0  # mm: a beam from one arm to a higher one lies on their edges
STAYED: Final = 9.0  # mm: farther than that from where it was put, it has not stayed
WOBBLE: Final = 1.5  # mm that anything else moves in a rehearsal: then it is looked at for longer
SWAY: Final = 8.0  # mm that anything else moves at which a place is worth nothing
STIRRED: Final = 3.0  # mm: no other piece may move farther in a trial
NEARLY: Final = 1.5  # mm: so near a piece must come to what it has to touch, for the place to be tried
ROUGH: Final = 4  # iterations of the solver in a quick trial: half of what the site takes
TRIAL: Final = 1.2  # s
LOOK: Final = 14  # steps of the physics between two looks at a trial
TOPPLING: Final = 0.9  # mm between two looks: what goes farther, and ever faster, falls
CREEP: Final = 0.15  # mm between two looks: slower is at rest for a trial
QUIET: Final = 0.06  # mm: so it is for a rehearsal
STILL: Final = 4  # looks in a row in which it must be so at the end of a rehearsal
UPWARDS: Final = 0.5  # what a place is worth more that is as high as anything
TIGHT: Final = 0.3  # by what a place is worth less to which the way is narrow
BESIDE: Final = 1.0  # mm beside the way, and as much more as the hand misses: less room is narrow
ASIDE: Final = 0.7  # by what a place is worth less that is reached from the side
TIDY: Final = 0.5  # what a level girder is worth beside one that leans: others have to stand on it
LEANING: Final = 16.0  # how much of that is lost with one less the cosine of how far it leans
HARDER: Final = 500  # more places that anybody thinks of where there seems to be none
LEFT_OUT: Final = 1.5  # by what a place is worth less after which the next piece seems to have none
FAR: Final = 240.0  # mm from the middle: there a piece is laid on the table for which there is no place
HEIGHT: Final = 45.0  # mm: the least by which what is carried clears all that stands


def calm_down(site: Site, seconds: float = TRIAL) -> None:
    """Go on until everything is at rest or almost, or there has been an accident, for so long at most."""
    still = 0
    for _ in range(round(seconds * RATE / LOOK)):
        seen = {p: site.pose(p)[0] for p in site.awake()}
        site.step(LOOK)
        if site.accident is not None:
            return
        # What topples begins slowly: one quiet look is not enough.
        calm = all(math.dist(position, site.pose(p)[0]) < QUIET for p, position in seen.items())
        still = still + 1 if calm else 0
        if still >= STILL or not seen:
            return


def carried(state: MenAtWork) -> dict[int, tuple[float, float]]:
    """From where to where each girder is carried, mm from its middle."""
    half = state.cards.shapes.girder_length / 2
    found: dict[int, tuple[float, float]] = {}
    for c in state.measure.contacts:
        for piece, up, (low, high) in ((c.a, c.up_a, c.span_a), (c.b, c.up_b, c.span_b)):
            if up > 0 and piece >= 0 and KIND[piece] == GIRDER:
                begin, end = found.get(piece, (half, -half))
                found[piece] = (min(begin, low / LENGTH - half), max(end, high / LENGTH - half))
    return found


@dataclass(eq=False)
class Place:
    """A place under consideration.

    side: from where it is reached, mm beside it, and lift: by how much higher. gain: what it is worth if it holds.
    stir: mm that anything else moves.
    tidy: 1 if what lies there lies level, less the more it leans. tight: something is close beside the way there.
    site: a copy with it. marks: what each
    rehearsal came to, of which held were good.
    """

    pose: Pose
    top: float = 0.0
    side: Vector = (0.0, 0.0, 0.0)
    lift: float = 0.0
    gain: float = 0.0
    tidy: float = 1.0
    tight: bool = False
    stir: float = 0.0
    site: Site | None = None
    marks: list[float] = field(default_factory=list)
    held: int = 0
    score: float = 0.0


class Mind:
    """What a builder imagines about one piece: a site without it, and places for it.

    Quick trials set the pieces down on a copy and see whether all stays; rehearsals lower them with the hand.
    """

    def __init__(
        self, skill: Level, rng: Random, state: MenAtWork, piece: int, site: Site | None = None, depth: int = 0
    ) -> None:
        """site: a copy of the real one, if there is one. depth: 1 for the piece after the one in question."""
        self.skill, self.rng, self.depth = skill, rng, depth
        self.trials = 0
        self.state, self.piece = state, piece
        self.unit = state.unit(piece)
        self.works = Works(state.clone(), site)
        self.base = self.works.site
        self.here = self.base.pose(piece) if piece in self.base.bodies else None
        self.alone = [p for p in self.unit if p in self.base.bodies]
        self.base.take(self.alone)
        self.base.settle(1.0, look_on=False)
        self.snapshot = self.base.snapshot()
        # Rehearsing the next piece, one is content if there is a place at all.
        self.eager = state.rita_active and not depth and rng.random() < skill.eager
        self.scene = Scene(self.base, task(state), self.rng, state.on("skyscraper"), self.eager, carried(state))
        self.ways = Ways(self.scene.standing)
        self.wanted = self.scene.wanted(piece)
        connecting = KIND[piece] == BEAM and self.scene.task.name() == "CONNECT"
        self.lifts = RAISED if KIND[piece] == GIRDER else SLANTING if connecting else HARDLY
        self.ceiling = self.base.top()
        self.before = self.base.poses()
        self.task = replace(task(state), placed=frozenset(state.placed) | set(self.unit), in_hand=())
        self.mine = frozenset(p for step in self.task.steps for p in step)
        self.stirred = STIRRED
        # What is nailed down presses on nothing, so that loads on loads cannot be judged then.
        self.stacks = KIND[piece] in (BEAM, BRICK) and any(KIND[p] in (BEAM, BRICK) for p in state.placed)
        self._fixed: Snapshot | None = None
        rest = [unit[0] for _, unit in state.units if unit[0] not in state.placed and unit[0] not in self.unit]
        self.more = bool(rest) and not depth and skill.ahead > 0

    # -- searching ------------------------------------------------------------------------------------------------

    def search(self, trials: int, ease: int = 0, rough: bool = False) -> Place | None:
        """The best place found.

        ease: how much more may move, where nothing better is to be had. rough: without rehearsals, for a first idea.
        """
        if self.base.accident is not None:
            return None
        self.stirred = STIRRED * (1 + ease / 2)
        thoughts = (self._landed(t) for t in self.scene.spots(self.piece, self.skill.thoughts + HARDER * ease))
        places: Iterable[Place] = (place for place in thoughts if place is not None)
        if self.eager:
            places = self._high_first(list(places))
        tried: list[Place] = []
        wanted = 1 if rough else self.skill.finalists * 2 if self.eager else self.skill.finalists + 1
        for place in islice(places, trials):
            if self._trial(place):
                tried.append(place)
            if len(tried) >= wanted:
                break
        return self._best(tried, rough, bool(ease)) if tried else None

    def _high_first(self, places: list[Place]) -> list[Place]:
        """High places, and in between some as they come: high ones are often hard."""
        high = iter(sorted(places, key=lambda place: -self._high(place.pose)))
        mixed = [place for pair in zip(high, places, strict=True) for place in pair]
        return list(dict.fromkeys(mixed))

    def _high(self, pose: Pose) -> float:
        return max(s.high[2] for s in self._solids(pose))

    def _gain(self, top: float) -> float:
        """What a place is worth beyond holding: its height, and an award, the more so if it is the last one needed."""
        state = self.state
        lead = top - self.ceiling
        if not state.rita_active or lead < 1.2:
            # High sites make high places, for oneself too: more so once there is something to be had for it.
            return (UPWARDS if state.rita_active else UPWARDS / 2) * min(1.0, top / max(1.0, self.ceiling))
        near = state.awards[state.hook] + 1 >= AWARD_GOAL[state.players]
        return 2.0 if near else 0.7

    def _best(self, tried: list[Place], rough: bool, anyhow: bool = False) -> Place | None:
        """The best of the finalists by rehearsals; what an accident costs depends on the certificates left.

        anyhow: if none leaves room for the next piece, as far as can be seen, one that does not.
        """
        fear = 2.5 if self.state.certificates[self.state.hook] == 1 else 1.5
        tried.sort(key=lambda place: -self._promise(place))
        best: Place | None = None
        finalists = 0
        alone: list[Place] = []
        for place in tried:
            if not rough and self.skill.ahead and not self.followed(place):
                alone.append(place)
                continue
            finalists += 1
            if rough:
                place.score = 1.0 + place.gain + TIDY * place.tidy
                return place
            self._practise(place, fear)
            if best is None or place.score > best.score:
                best = place
            sure = place.held == len(place.marks)  # what comes after it is worth no more
            if sure or finalists >= self.skill.finalists:
                break
        if best is None and anyhow and alone:
            best = alone[0]
            self._practise(best, fear)
            best.score -= LEFT_OUT
        return best

    @staticmethod
    def _promise(place: Place) -> float:
        """What a place seems to be worth before it is rehearsed."""
        return place.gain + place.tidy - ASIDE * any(place.side) - TIGHT * place.tight - place.stir / SWAY

    def _practise(self, place: Place, fear: float) -> None:
        """Rehearse a place, and say what it is worth."""
        narrow = place.tight or any(place.side)
        for _ in range(self.skill.rehearsals * (2 if narrow else 1)):
            mark = self._rehearse(place)
            place.held += mark > 0
            place.marks.append(mark + place.gain if mark > 0 else -fear if mark < 0 else -0.1)
            if mark < 0:
                break  # once is enough
        place.score = sum(place.marks) / len(place.marks) + TIDY * place.tidy - TIGHT * place.tight

    def followed(self, place: Place) -> bool:
        """Where more pieces are to come: would there be a place for the next one?"""
        if place.site is None:
            return True
        state = self.state.clone()
        state.play(state.hook, a.GRIP + self.piece)
        state.play(state.hook, a.RELEASE, replace(place.site.measure(), settled=True))
        if state.phase != BUILD:
            return False
        if a.NEXT_PIECE in state.legal(state.hook):
            state.play(state.hook, a.NEXT_PIECE)
        grips = [action - a.GRIP for action in state.legal(state.hook) if a.GRIP <= action < a.RELEASE]
        fresh = [piece for piece in grips if piece not in state.placed]
        if not fresh:
            return False
        next_one = Mind(self.skill, self.rng, state, fresh[0], place.site, 1)
        found = next_one.possible(self.skill.ahead)
        self.trials += next_one.trials
        return found

    def places(self, ease: int = 0) -> Iterator[Place | None]:
        """Places thought of, one after the other: those that hold in a quick trial, and None for those that do not.

        ease: how many more there are, and how much more may move.
        """
        self.stirred = STIRRED * (1 + ease / 2)
        for pose in self.scene.spots(self.piece, self.skill.thoughts + HARDER * ease):
            place = self._landed(pose)
            yield place if place is not None and self._trial(place) else None

    def rehearse(self, place: Place) -> tuple[int, Outcome]:
        """Lower the piece there with the hand: 1 if it holds, 0 if it has to be tried again, -1 for an accident.

        And the site as it is then, taken to be at rest.
        """
        mark = self._rehearse(place)
        return (mark > 0) - (mark < 0), replace(self.works.site.measure(), settled=True)

    def possible(self, trials: int) -> bool:
        """Is there any place, as far as a few trials tell?"""
        if self.base.accident is not None:
            return False
        thoughts = (self._landed(t) for t in self.scene.spots(self.piece, self.skill.thoughts))
        return any(self._trial(place) for place in islice((p for p in thoughts if p is not None), trials))

    def anywhere(self) -> Place:
        """Somewhere to lay a piece down for which no place was found: that is a try, and a harmless one."""
        half = self._high(((0.0, 0.0, 0.0), geometry.UPRIGHT))
        laden = any(KIND[p] in (BEAM, BRICK) for p in self.unit[1:])
        if laden:
            # Whoever has to take it from the table would drop its load.
            for thought in self.scene.loose(self.piece, 100):
                place = self._landed(thought)
                if place is not None and self._trial(place, judged=False):
                    return place
        if not self.state.on("skyscraper"):
            for angle in range(0, 360, 15):
                x, y = FAR * math.cos(math.radians(angle)), FAR * math.sin(math.radians(angle))
                pose = ((x, y, half + 0.2), geometry.yaw(angle + 90.0))
                if self.ways.clear(self._solids(((x, y, half + 2.0), pose[1]))):
                    return Place(pose)
        best = ((0.0, 0.0, self.ceiling + half), geometry.UPRIGHT)
        for thought in self.scene.loose(self.piece, 40):
            place = self._landed(thought)
            if place is not None and self._trial(place, judged=False):
                return place
        return Place(best)

    # -- ways -----------------------------------------------------------------------------------------------------

    def route(self, place: Place) -> Route:
        """The way to a place, as this hand hits it."""
        skill = self.skill
        start = self.here or self.works.start_pose(self.piece)
        low = 32.0 if KIND[self.piece] in (WORKER, SUPPORT) else 14.0
        over = max(self.ceiling + low + HEIGHT, place.pose[0][2] + HEIGHT)
        speed = skill.speed if len(self.unit) == 1 else min(skill.speed, 170.0)
        goal = self.aimed(place.pose)
        return Route(start, goal, over, speed, skill.tremor, self.rng.getrandbits(32), place.side, place.lift)

    def aimed(self, pose: Pose) -> Pose:
        """A place as this hand hits it."""
        skill, gauss = self.skill, self.rng.gauss
        (x, y, z), turn = pose
        off = (gauss(0, skill.aim), gauss(0, skill.aim))
        lean = from_vector((gauss(0, skill.tilt), gauss(0, skill.tilt), gauss(0, 2 * skill.tilt)))
        return (x + off[0], y + off[1], z), multiply(lean, turn)

    def _whole(self, pose: Pose) -> dict[int, Pose]:
        """The poses of the unit: a worker with his hat, a girder with its brick."""
        found = {self.piece: pose}
        for load in self.unit[1:]:
            found[load] = load_pose(self.base.shapes, self.piece, load, pose)
        return found

    def _solids(self, pose: Pose) -> list[Solid]:
        shapes = self.base.shapes
        return [s for p, at in self._whole(pose).items() for s in geometry.solids(shapes, p, at)]

    def _landed(self, pose: Pose) -> Place | None:
        """The place as it is reached: no deeper than something is in the way.

        None if that is far off, if what has to be touched is not, or if no way leads there.
        """
        mine = self._solids(pose)
        ways = self.ways.around(mine)
        up = ways.raised(mine, self.lifts)
        if up is None:
            return None
        mine = [geometry.lifted(s, up) for s in mine]
        if not self._touches(mine):
            return None
        (x, y, z), turn = pose
        found = Place(((x, y, z + up), turn))
        if ways.down(mine):
            return found
        way = self.ways.sideways(mine) if KIND[self.piece] in (GIRDER, WORKER) else None
        return None if way is None else replace(found, side=way[0], lift=way[1])

    def _touches(self, mine: list[Solid]) -> bool:
        """Are all kinds of pieces touched, nearly, that have to be?"""
        for wanted in self.wanted:
            those = [o for o in self.ways.obstacles if o.body in wanted]
            if not any(geometry.gap(s, o, NEARLY) for s in mine for o in those if near(s, o, NEARLY)):
                return False
        return True

    # -- trials ---------------------------------------------------------------------------------------------------

    def _trial(self, place: Place, judged: bool = True) -> bool:
        """Set the pieces down there on a copy: does it hold? What comes of it is noted with the place."""
        self.trials += 1
        # First with all else as if nailed down: most places are no good even so.
        nailed = self._set_down(self._nailed(), place.pose)
        if nailed is None or (not self.stacks and self._judged(nailed, judged, self.unit) is None):
            return False
        site = self._set_down(self.base.fork(self.snapshot), place.pose)
        if site is None:
            return False
        place.stir = self._stirred(site)
        if place.stir > self.stirred:
            return False
        found = self._judged(site, judged)
        if found is None:
            return False
        place.top, place.gain, place.tidy = found, self._gain(found), self._tidy(site)
        place.site = site if self.more else None
        entry = [moved(s, place.side) for s in self._solids(place.pose)]
        place.tight = not self.ways.around(entry).down(entry, BESIDE + self.skill.aim)
        return True

    def _nailed(self) -> Site:
        if self._fixed is None:
            site = self.base.fork(self.snapshot)
            site.watch = None
            site.freeze()
            self._fixed = site.snapshot()
        return self.base.fork(self._fixed)

    def _set_down(self, site: Site, pose: Pose) -> Site | None:
        """The pieces a little above their place, let go: the site when they rest, or None if they do not stay."""
        site.watch = None
        site.world.integration_parameters.num_solver_iterations = ROUGH
        (x, y, z), turn = pose
        whole = self._whole(((x, y, z + DROP), turn))
        for p, where in whole.items():
            site.put(p, where)
        return site if self._comes_to_rest(site, whole[self.piece][0]) else None

    def _tidy(self, site: Site) -> float:
        """1 for a girder that lies flat and level."""
        if KIND[self.piece] != GIRDER:
            return 1.0
        turn = site.pose(self.piece)[1]
        up = max(abs(geometry.rotate(turn, axis)[2]) for axis in ((0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))
        return max(0.0, 1.0 - LEANING * (1.0 - up))

    def _judged(self, site: Site, judged: bool = True, about: Sequence[int] = ()) -> float | None:
        """The height of what stands, if all of it is as the card asks; or what is said about some of it."""
        outcome = replace(site.measure(self.mine), settled=True)
        here = set(outcome.pieces())
        state = self.state
        for finding in judge(self.task, outcome, state.limits, state.step_of(self.piece)) if judged else ():
            # What another piece of this step still lacks is no fault of this one.
            waiting = bool(finding.pieces) and finding.pieces[0] not in here
            beside_it = bool(about) and bool(finding.pieces) and finding.pieces[0] not in about
            if not finding.met and not waiting and not beside_it:
                return None
        return max(top for p, top in outcome.tops if p in self.mine) / 1000

    def _stirred(self, site: Site) -> float:
        """How far anything else has moved at most, mm."""
        return max(
            (math.dist(at, site.pose(p)[0]) for p, (at, _) in self.before.items() if p in site.bodies), default=0.0
        )

    def _comes_to_rest(self, site: Site, place: Vector) -> bool:
        """Does a trial end with the piece about where it was put, and everything slow? It need not sleep for that."""
        site.step(LOOK)
        last = math.inf
        for _ in range(round(TRIAL * RATE / LOOK)):
            seen = {p: site.pose(p)[0] for p in site.awake()}
            before = site.pose(self.piece)[0]
            site.step(LOOK)
            now = site.pose(self.piece)[0]
            went = math.dist(now, before)
            if math.dist(now, place) > STAYED or (went > max(TOPPLING, last)):
                return False  # it is somewhere else, or on its way there, faster and faster
            last = went
            if all(math.dist(position, site.pose(p)[0]) < CREEP for p, position in seen.items()):
                return True
        return False

    def _rehearse(self, place: Place) -> float:
        """The last part of the way with the hand: 1 if it holds, 0 if it has to be tried again, -1 for an accident.

        Less than 1 the more everything else sways: it will come down soon.
        Where the way is narrow it is rehearsed from high above.
        """
        self.trials += 1
        works = self.works
        site = works.site = self.base.fork(self.snapshot)
        whole = self.route(place)
        route = replace(whole, lowered=not place.tight and not any(place.side))
        (x, y, z), turn = route.entry()
        works.state.held = self.unit
        works.take(self.piece, ((x, y, z if route.lowered else whole.over), turn))
        carry(site, route)
        if self._let_go(site):
            return -1.0
        return max(0.1, 1.0 - self._stirred(site) / SWAY) if self._judged(site) is not None else 0.0

    def _let_go(self, site: Site) -> bool:
        """The hand opens, and everything comes to rest or almost: was there an accident?"""
        if site.accident is None:
            site.release()
        while site.hand is not None and site.hand.fading is not None:
            site.step(4)
        calm_down(site)
        if site.accident is None and self._stirred(site) > WOBBLE:
            # It may have stopped only because what is slow falls asleep.
            for p, (at, _) in self.before.items():
                if p in site.bodies and math.dist(at, site.pose(p)[0]) > HARDLY / 4:
                    site.bodies[p].wake_up(True)
            calm_down(site, 2 * TRIAL)
        return site.accident is not None
