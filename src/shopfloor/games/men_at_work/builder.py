"""A computer's hands: what it decides, and how a piece gets to its place.

It sees the site, which is open to all, and the instruction; it tries on copies of the site before it builds
(`mind.py`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from shopfloor.engine.dice import FastDice
from shopfloor.games.men_at_work import actions as a
from shopfloor.games.men_at_work import judgement
from shopfloor.games.men_at_work.carrier import Route, carry
from shopfloor.games.men_at_work.geometry import Pose
from shopfloor.games.men_at_work.judge import lacking
from shopfloor.games.men_at_work.layout import layout
from shopfloor.games.men_at_work.levels import LEVELS, Level, level
from shopfloor.games.men_at_work.mind import FAR, STAYED, Mind, Place, calm_down
from shopfloor.games.men_at_work.outcome import Outcome
from shopfloor.games.men_at_work.pieces import FIRST, GIRDER, LENGTH
from shopfloor.games.men_at_work.position import BUILD, CHOOSE, CLEANUP, SITE_DESIGN
from shopfloor.games.men_at_work.rules import MenAtWork
from shopfloor.games.men_at_work.site import Site, Snapshot
from shopfloor.games.men_at_work.works import Works

__all__ = ["LEVELS", "Builder", "Level", "Plan", "carry_out", "level", "play_out", "think"]

WORTH: Final = 1.5  # of a place that holds, beside what a colour is worth by the look of the site
PATIENCE: Final = 6  # failed tries after which a builder gives up, where that is allowed
UNSURE: Final = 0.7  # a place that holds less often in rehearsals is looked for again with more effort
GOOD: Final = 1.2  # a colour that promises so much is good enough, as long as there are no awards


@dataclass(frozen=True)
class Plan:
    """A decision. It can be sent from one process to another.

    action: what is played. route: if that is to take a piece in hand, the way on which it is carried before it is
    released. design: if a site of one's own is laid out, the poses of its pieces. chance: how often the place held in
    rehearsals; top: the height of what would be built there, mm. trials: how many placements were simulated.
    """

    action: int
    route: Route | None = None
    design: Mapping[int, Pose] | None = None
    chance: float = 1.0
    top: float = 0.0
    trials: int = 0


def think(state: MenAtWork, name: str, seed: int, trials: int | None = None) -> Plan:
    """What a builder of that level does next for the holder of the hook: one decision, with the way of its piece.

    state: with nothing in the hand; of what is hidden only the own hand is looked at, so that an imagined one will
    do. trials: at most about so many placements are simulated; None: as the level has it. The same arguments give the
    same plan. Raises ValueError for a game that is over, a piece in the hand, no such level.
    """
    return Builder(level(name), seed).plan(state, trials)


def carry_out(works: Works, plan: Plan) -> Outcome | None:
    """A plan from beginning to end, at once; what was measured, if the site had a say in it.

    Raises IllegalAction for a plan of another moment.
    """
    if plan.design is not None:
        return works.design(plan.design)
    outcome = works.act(plan.action)
    if plan.route is None:
        return outcome
    carry(works.site, plan.route)
    return works.act(a.RELEASE)


class Builder:
    """Decides and builds for whoever holds the hook."""

    def __init__(self, skill: Level, seed: int) -> None:
        self.skill = skill
        self.rng = Random(seed)
        self.trials = 0
        self._minds: list[Mind] = []
        self._site: tuple[Site, Snapshot] | None = None

    def move(self, works: Works) -> Plan:
        """One decision, carried out."""
        state = works.state
        imagined = state.imagine(state.hook, FastDice(self.rng.getrandbits(31)))
        plan = self.plan(imagined, site=works.site)
        carry_out(works, plan)
        return plan

    def plan(self, state: MenAtWork, trials: int | None = None, site: Site | None = None) -> Plan:
        """See `think`. site: the one of the state, if there is one; it is left as it is."""
        if state.over():
            raise ValueError("the game is over: there is nothing to decide")
        if state.held:
            raise ValueError("there is a piece in the hand: think before it is taken, or when it has been let go")
        before = self.trials
        self._site = None if site is None else (site, site.snapshot())
        if state.phase == BUILD:
            plan = self._build(state, self.skill.trials if trials is None else trials)
        elif state.phase == CLEANUP:
            plan = Plan(self._clean(state))
        else:
            plan = self._choose(state)
        self.trials += sum(mind.trials for mind in self._minds)
        self._minds = []
        return replace(plan, trials=self.trials - before)

    def _copy(self) -> Site | None:
        return None if self._site is None else self._site[0].fork(self._site[1])

    def _mind(self, state: MenAtWork, piece: int) -> Mind:
        self._minds.append(Mind(self.skill, self.rng, state, piece, self._copy()))
        return self._minds[-1]

    # -- decisions ------------------------------------------------------------------------------------------------

    def _choose(self, state: MenAtWork) -> Plan:
        legal = [action for action in state.legal(state.hook) if action != a.DESIGN_FREE]
        if state.phase == SITE_DESIGN:
            preset = a.DESIGN + self.skill.site
            if not state.rebuilding and self.rng.random() < self.skill.own:
                poses = layout(state, self.skill.site, self.rng)
                if poses is not None:
                    return Plan(a.DESIGN_FREE, design=poses)
            return Plan(preset if preset in legal else legal[0])
        rates = dict(zip(state.legal(state.hook), judgement.rate(state, state.hook), strict=True))
        if state.phase == CHOOSE and self.skill.rehearsals > 1:
            legal.sort(key=lambda action: -rates[action])
            for action in legal:
                promise = self._prospect(state, action)
                rates[action] += WORTH * promise
                if promise > GOOD and not state.rita_active:
                    break
        return Plan(max(legal, key=lambda action: (rates[action] + self.rng.uniform(0, 0.05), action)))

    def _prospect(self, state: MenAtWork, action: int) -> float:
        """What a colour, or a card of one's own, promises as far as the first piece goes."""
        if action == a.GO_ON:
            return 0.0
        state = state.clone()
        state.play(state.hook, action)
        if state.phase == CHOOSE:  # a card was played: the better colour counts
            colours = [c for c in state.legal(state.hook) if c < a.PLAY_ON_DECK]
            return max((self._prospect(state, colour) for colour in colours), default=0.0)
        if state.phase != BUILD:
            return 0.0
        place = self._mind(state, state.units[0][1][0]).search(max(8, self.skill.trials // 2), rough=True)
        return 0.0 if place is None else place.score

    # -- clean-up -------------------------------------------------------------------------------------------------

    def _clean(self, state: MenAtWork) -> int:
        """Everything that lies about is taken away, the harmless first; supports stay if anything leans on them."""
        legal = state.legal(state.hook)
        if a.CLEAN_DONE in legal:
            return a.CLEAN_DONE
        loads = self._burdens(state)
        takes = [action for action in legal if a.RETRIEVE <= action < a.PUSH_BACK]
        takes.sort(key=lambda action: (loads.get(action - a.RETRIEVE, 0), action))
        backs = [action for action in legal if a.RETURN_SUPPORT <= action < a.LEAVE_SUPPORT]
        leaves = [action for action in legal if action >= a.LEAVE_SUPPORT]
        pushes = [action for action in legal if a.PUSH_BACK <= action < a.RETURN_SUPPORT]
        free = [action for action in takes if not loads.get(action - a.RETRIEVE, 0)]
        free += [action for action in backs if not loads.get(action - a.RETURN_SUPPORT, 0)]
        if not takes and leaves:
            free += leaves  # a support that carries something stays as it lies
        # What carries nothing, and only then what does; a push where nothing else is harmless.
        order = [*free, *(action for action in (*takes, *pushes, *backs) if action not in free)]
        works = Works(state.clone(), self._copy())
        snapshot = works.site.snapshot()
        # With less patience the first that comes to mind is done.
        for action in order[: self.skill.trials // 2]:
            if self._harmless(works, snapshot, action):
                return action
        return order[0]

    def _harmless(self, works: Works, snapshot: Snapshot, action: int) -> bool:
        """Would nothing fall?"""
        if action >= a.LEAVE_SUPPORT:
            return True
        self.trials += 1
        site = works.site
        site.restore(snapshot)
        if a.PUSH_BACK <= action < a.RETURN_SUPPORT:
            return works.push(action - a.PUSH_BACK + FIRST[GIRDER]).accident is None
        piece = action - (a.RETRIEVE if action < a.PUSH_BACK else a.RETURN_SUPPORT)
        site.take(works.state.taken_with(piece))
        calm_down(site)
        return site.accident is None

    @staticmethod
    def _burdens(state: MenAtWork) -> dict[int, int]:
        """How much each piece carries of others, in thousandths of their weights."""
        worn = dict(state.measure.worn)
        found: dict[int, int] = {}
        for c in state.measure.contacts:
            if c.b >= 0 and worn.get(c.a) != c.b and worn.get(c.b) != c.a:
                found[c.b] = found.get(c.b, 0) + max(0, c.up_a)
                found[c.a] = found.get(c.a, 0) + max(0, c.up_b)
        return found

    # -- building -------------------------------------------------------------------------------------------------

    def _build(self, state: MenAtWork, trials: int) -> Plan:
        legal = state.legal(state.hook)
        if state.placed and not lacking(state.verdict()):
            return Plan(a.FINISH)
        if a.NEXT_PIECE in legal:
            return Plan(a.NEXT_PIECE)
        if a.GIVE_UP in legal and state.attempts >= PATIENCE:
            return Plan(a.GIVE_UP)
        grips = [action - a.GRIP for action in legal if a.GRIP <= action < a.RELEASE]
        fresh = [piece for piece in grips if piece not in state.placed]
        tried = state.findings == state.verdict()
        if not fresh and a.FINISH in legal and not tried:
            return Plan(a.FINISH)  # what was placed does not hold: that was a try
        piece = fresh[0] if fresh else self._wrong(state, grips)
        if tried and state.attempts and a.FINISH in legal and (fresh or self._laid_aside(state, piece)):
            # There was no place for it, however hard one thought, and nothing has changed.
            return Plan(a.GIVE_UP if a.GIVE_UP in legal else a.FINISH)
        return self._place(state, piece, grips, trials)

    @staticmethod
    def _laid_aside(state: MenAtWork, piece: int) -> bool:
        """Does a piece lie on the table where those are laid for which there is no place?"""
        pose = state.reading().poses.get(piece)
        return pose is not None and math.hypot(pose[1], pose[2]) > (FAR - STAYED) * LENGTH

    @staticmethod
    def _wrong(state: MenAtWork, grips: list[int]) -> int:
        """The piece to take up again: one that the judge is not content with."""
        blamed = {p for f in state.verdict() if not f.met for p in f.pieces}
        return next((p for p in grips if p in blamed), grips[-1])

    def _place(self, state: MenAtWork, piece: int, grips: list[int], trials: int) -> Plan:
        """Think, and think harder if nothing good comes of it; what finds no place at all is laid down where it may."""
        mind = self._mind(state, piece)
        place: Place | None = None
        for ease in range(self.skill.efforts):
            found = mind.search(trials * (1 + ease), ease)
            if found is not None and (place is None or found.score > place.score):
                place = found
            if place is not None and place.held >= UNSURE * len(place.marks):
                break
        if place is None:
            # What was put there just before may be in the way (MW-A.21).
            others = [p for p in grips if p in state.placed and p != piece]
            if others and self.rng.random() < 0.6:
                again = self._mind(state, others[-1])
                other = again.search(trials)
                if other is not None:
                    return Plan(a.GRIP + others[-1], again.route(other), top=other.top)
            if state.gripped and a.FINISH in state.legal(state.hook):
                return Plan(a.FINISH)
            place = mind.anywhere()
        chance = place.held / max(1, len(place.marks))
        return Plan(a.GRIP + piece, mind.route(place), chance=chance, top=place.top)


MOST_MOVES: Final = 3000
"""Decisions after which a game of computers is taken to go on for ever."""


def play_out(works: Works, builders: Sequence[Builder]) -> None:
    """A game to its end, each seat in its builder's hands. Raises RuntimeError if there is none."""
    for _ in range(MOST_MOVES):
        if works.state.over():
            return
        builders[works.state.hook].move(works)
    raise RuntimeError(f"the game is not over after {MOST_MOVES} decisions")
