"""A game with its site: decisions go to the rules together with what the site measured.

What the hand does between taking a piece and letting it go is done on `Works.site` directly; everything else goes
through `Works.act`, which keeps the two in step. If the process ends in between, `Works(state)` starts the turn's site
again from the last measured one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from shopfloor.engine.refusals import IllegalAction, Refusal
from shopfloor.games.men_at_work import actions as a
from shopfloor.games.men_at_work import chance, compliance, geometry
from shopfloor.games.men_at_work.geometry import Pose, Vector
from shopfloor.games.men_at_work.outcome import Outcome
from shopfloor.games.men_at_work.pieces import FIRST, GIRDER, HAT, KIND, PIECES, WORKER
from shopfloor.games.men_at_work.position import BUILD, SITE_DESIGN
from shopfloor.games.men_at_work.rules import MenAtWork
from shopfloor.games.men_at_work.site import Site, SiteError
from shopfloor.games.men_at_work.watch import ANYBODY, WatchRules

TAKEN_UP: Final[Vector] = (0.0, -150.0, 0.0)
"""Over which spot of the table pieces from the supply come, mm."""
CLEAR: Final = 45.0
"""How far above everything they come, mm."""
DRAWN_OUT: Final = 240.0
"""How far from the middle a piece has been drawn when it is taken up, mm."""
WAY_OUT: Final = 8.0
"""Seconds that a push may take."""


def watch_rules(state: MenAtWork) -> WatchRules:
    """The accident watch by this game's variants and table options."""
    return WatchRules(
        d_fall=state.limits.d_fall / 1000,
        crane=state.on("crane"),
        skyscraper=state.on("skyscraper"),
        worker_landing=state.on("worker_landing"),
        surface_any=state.options["surface_contact"] == "any",
        own_lenient=state.on("own_piece_lenient"),
    )


def site_of(state: MenAtWork) -> Site:
    """A site with what was measured last, at rest and watched."""
    crane = a.CRANE_PLACES[state.crane_place] if state.crane_place >= 0 else ""
    site = Site(state.cards.shapes, state.on("skyscraper"), crane, state.options["crane_body"] == "dynamic")
    for numbers in state.measure.poses:
        if numbers[0] not in state.held:
            site.put(numbers[0], geometry.loaded(numbers))
    site.settle(look_on=False)
    site.begin(watch_rules(state), {})
    return site


class Works:
    """A game and its site."""

    def __init__(self, state: MenAtWork, site: Site | None = None) -> None:
        """site: one that is as the state has it, if there is one.

        Raises ValueError for a state with something in the hand: let it be put back first.
        """
        if state.held:
            raise ValueError("a site cannot begin with a piece in the hand")
        self.state = state
        self.site = site_of(state) if site is None else site

    # -- decisions ------------------------------------------------------------------------------------------------

    def act(self, action: int) -> Outcome | None:
        """Play a decision of the hook's holder; what was measured, if the site had a say in it.

        Raises IllegalAction before anything has moved.
        """
        state = self.state
        seat = state.hook
        refused = state.refusal(seat, action)
        if refused is not None:
            raise IllegalAction(refused)
        turn = (state.turn, state.phase, state.accidents)
        outcome = self.outcome(action)
        state.play(seat, action, outcome)
        if a.GRIP <= action < a.RELEASE:
            self.take(action - a.GRIP)
        elif action < a.CHOOSE_GIRDER and state.phase != SITE_DESIGN:
            self.site = site_of(state)
        elif turn != (state.turn, state.phase, state.accidents) and state.phase != BUILD:
            self.site.begin(watch_rules(state), {})
        return outcome

    def design(self, poses: Mapping[int, Pose]) -> Outcome:
        """Lay out a starting site of one's own (MW-3.8): its pieces are put there, settle, and are judged.

        Raises IllegalAction for one that does not keep the rules, SiteError for poses that cannot be; nothing is
        left of it then.
        """
        state, site = self.state, self.site
        refused = state.refusal(state.hook, a.DESIGN_FREE)
        if refused is not None:
            raise IllegalAction(refused)
        snapshot = site.snapshot()
        try:
            for piece, pose in sorted(poses.items()):
                if not 0 <= piece < PIECES:
                    raise IllegalAction(Refusal("UNKNOWN_PIECE", "MW-3.2", {"piece": str(piece)}))
                site.check_pose(pose)
                site.put(piece, pose)
            site.settle()
            outcome = site.measure()
            state.play(state.hook, a.DESIGN_FREE, outcome)
        except (IllegalAction, SiteError):
            site.restore(snapshot)
            raise
        if state.phase != SITE_DESIGN:
            self.site = site_of(state)
        return outcome

    def outcome(self, action: int) -> Outcome | None:
        """What the site makes of a legal decision, if it has a say in it; the state stays as it is."""
        state = self.state
        if action < a.DESIGN_FREE:
            return self._design(action)
        if action == a.RELEASE:
            return self.let_go()
        if action in (a.FINISH, a.GIVE_UP) and self.site.hand is not None:
            return self._put_back() if action == a.GIVE_UP or self._last_try() else None
        if a.RETRIEVE <= action < a.PUSH_BACK:
            return self.without(state.taken_with(action - a.RETRIEVE))
        if a.PUSH_BACK <= action < a.RETURN_SUPPORT:
            return self.push(action - a.PUSH_BACK + FIRST[GIRDER])
        if a.RETURN_SUPPORT <= action < a.LEAVE_SUPPORT:
            return self.without([action - a.RETURN_SUPPORT])
        return None

    def _last_try(self) -> bool:
        return self.state.attempts + 1 >= self.state.attempt_limit()

    def _design(self, plan: int) -> Outcome:
        """A starting site, settled by the site's own laws, not only by the drawing's."""
        state = self.state
        drawn = chance.design(state, plan, state.design_pieces())
        there = set(state.measure.pieces())
        for numbers in drawn.poses:
            if numbers[0] not in there:
                self.site.put(numbers[0], geometry.loaded(numbers))
        self.site.settle()
        return self.site.measure()

    # -- the hand -------------------------------------------------------------------------------------------------

    def start_pose(self, piece: int) -> Pose:
        """Where a piece from the supply is taken up: clear of everything that stands."""
        x, y, _ = TAKEN_UP
        return (x, y, self.site.top() + CLEAR + 30.0), geometry.UPRIGHT

    def take(self, piece: int, at: Pose | None = None) -> None:
        """The hand takes what the state holds; at: where, if it comes from the supply (None: at its usual place)."""
        state, site = self.state, self.site
        site.grip(state.held, None if piece in site.bodies else at or self.start_pose(piece))
        watch = site.watch
        if watch is None:
            return
        name = state.instruction()
        own = [unit[0] for _, unit in state.units if KIND[unit[0]] == WORKER]
        for load in state.held:
            if KIND[load] > HAT:  # MW-A.16
                watch.carry(load, [ANYBODY] if name == "CONNECT" else own)
            elif name == "STRONG_WORKER" and KIND[load] == GIRDER:
                watch.carry(load, [ANYBODY])
        bricks, beams = compliance.loads_of(name)
        if bricks + beams and KIND[piece] == HAT:
            watch.carry(piece, own)

    def let_go(self) -> Outcome:
        """The hand opens, the site comes to rest and is measured. After an accident in the hand it is put back."""
        site = self.site
        if site.accident is not None:
            return self._put_back()
        if site.hand is not None:
            site.release()
            while site.hand is not None:
                site.step(4)
        return self._at_rest()

    def _put_back(self) -> Outcome:
        self.site.withdraw()
        return self._at_rest()

    def _at_rest(self) -> Outcome:
        self.site.settle()
        if self.site.accident is not None and self.site.accident.kind == "crane":  # MW-A.52
            self.site.stand_crane()
            self.site.settle()
        return self.site.measure()

    # -- clean-up -------------------------------------------------------------------------------------------------

    def without(self, pieces: list[int]) -> Outcome:
        """MW-A.57: pieces are lifted straight out, or drawn out with the hook, and the rest settles."""
        if self.state.options["cleanup_physics"] == "hook":
            self._draw_out(pieces[0])
        self.site.withdraw()
        self.site.take(pieces)
        self.site.step(1)
        self.site.settle()
        return self.site.measure()

    def _draw_out(self, piece: int) -> None:
        """Along the table, away from the middle, until it is out of everybody's way."""
        site = self.site
        (x, y, z), turn = site.pose(piece)
        far = math.hypot(x, y)
        ux, uy = (x / far, y / far) if far > 1 else (0.0, -1.0)
        site.grip([piece])
        assert site.watch is not None
        site.watch.own.discard(piece)
        for k in range(1, round(max(0.0, DRAWN_OUT - far) / 2) + 1):
            site.aim(((x + 2 * k * ux, y + 2 * k * uy, z + 2.0), turn))
            site.step(4)
            if site.accident is not None:
                return

    def push(self, girder: int) -> Outcome:
        """MW-A.28: the low end is lifted and the girder pushed along its axis, towards the end that lies up."""
        site = self.site
        (x, y, z), turn = site.pose(girder)
        axis = geometry.rotate(turn, (1.0, 0.0, 0.0))
        up = axis if axis[2] > 0 else geometry.scale(axis, -1.0)
        flat = math.degrees(math.atan2(axis[1], axis[0]))
        half = site.shapes.girder_length / 2
        site.grip([girder])
        assert site.watch is not None
        site.watch.own.discard(girder)  # it is no piece of a turn: touching the table again is an accident
        steps = 90
        rise = abs(up[2]) * half + 6.0
        level = geometry.yaw(flat)
        for k in range(1, steps + 1):
            part = k / steps
            place = (x + 25 * part * up[0], y + 25 * part * up[1], z + rise * part)
            site.aim((place, geometry.between(turn, level, part)))
            site.step(4)
            if site.accident is not None:
                break
        site.release()
        while site.hand is not None:
            site.step(4)
        site.settle(WAY_OUT)
        return site.measure()
