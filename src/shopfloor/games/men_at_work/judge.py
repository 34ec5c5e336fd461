"""Is what was built what the card asked for? The predicates of section 3 of docs/rules/men_at_work.md.

The judge reads an outcome and a task, nothing else: it knows no physics and changes nothing. It answers with
findings: every condition that was looked at, whether it holds, and the pieces concerned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from shopfloor.engine.native import remade
from shopfloor.games.men_at_work.cards import GIRDER_HOW, WORKER_HOW, Shapes
from shopfloor.games.men_at_work.outcome import Contact, Outcome
from shopfloor.games.men_at_work.pieces import (
    ARMS,
    BOX_EDGE,
    BOX_FLOOR,
    COLOUR,
    GIRDER,
    HAT,
    INSERT,
    KIND,
    LEG_L,
    LEG_R,
    LENGTH,
    SUPPORT,
    SURFACE,
    TURN,
    WORKER,
)

REASONS: Final = (
    "not_settled",
    "piece_missing",
    "touches_surface",
    "on_hardhat",
    "covers_girder",
    "feet_not_on_girder",
    "wrong_girder_colour",
    "not_highest_of_colour",
    "hat_missing",
    "not_upright",
    "support_place_illegal",
    "balance_supporters",
    "balance_end_touched",
    "same_colour_not_touched",
    "other_colour_not_touched",
    "two_colours_not_touched",
    "highest_not_touched",
    "worker_not_on_this_girder",
    "not_on_arm",
    "support_not_touched",
    "support_not_on_girder",
    "other_girder_not_touched",
    "brick_not_on_girder",
    "not_highest_girder",
    "load_missing",
    "load_not_on_arm",
    "not_at_edge",
    "beam_not_on_shoulder",
    "workers_not_connected",
    "second_worker_elsewhere",
    "direct_touch",
    "bad_setup_pieces",
)


H_TOL: Final = 1 * LENGTH
"""Micrometres: what is no lower than that under the highest counts as highest too."""


@dataclass(frozen=True)
class Tolerances:
    """The judge's numbers (section 3). Lengths in micrometres, shares in thousandths, cosines in ten-thousandths.

    How near is touching is in `geometry`, what is at rest in `site`.
    """

    length: int
    bear_frac: int = 20
    h_tol: int = H_TOL
    d_fall: int = 5 * LENGTH
    end_zone: int = 18 * LENGTH
    edge_zone: int = 10800
    cover_frac: int = 950
    upright: int = 8660

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return remade(self)


def tolerances(shapes: Shapes) -> Tolerances:
    """The defaults for pieces of these sizes."""
    length, height = shapes.girder_length, shapes.girder_height
    return Tolerances(
        length=round(length * LENGTH),
        d_fall=round(max(5.0, height / 2) * LENGTH),
        end_zone=round(0.10 * length * LENGTH),
        edge_zone=round(max(5.0, 0.06 * length) * LENGTH),
    )


@dataclass(init=False, unsafe_hash=True)
class Finding:
    """One condition: the reason why it would fail, whether it holds, and the pieces that it is about."""

    code: Final[str]
    met: Final[bool]
    pieces: Final[tuple[int, ...]]

    # Written out, as in `outcome`: what `dataclass` makes is never compiled.
    def __init__(self, code: str, met: bool, pieces: tuple[int, ...] = ()) -> None:
        self.code = code
        self.met = met
        self.pieces = pieces


@dataclass(init=False)
class Task:
    """What is to be built this turn.

    worker: a worker is added, else a girder. how: place in GIRDER_HOW or WORKER_HOW. colours: those allowed for the
    girder, or for the one under the worker. steps: the pieces in their order, those of a step together.
    before: the pieces that stood on the site before. tops: their heights then. in_hand: pieces held now.
    placed: pieces of the turn that have been let go.
    """

    worker: Final[bool]
    how: Final[int]
    colours: Final[tuple[int, ...]]
    steps: Final[tuple[tuple[int, ...], ...]]
    before: Final[frozenset[int]]
    tops: Final[dict[int, int]]
    in_hand: Final[tuple[int, ...]]
    placed: Final[frozenset[int]]
    foreman: Final[bool]
    foreman_with_worker: Final[bool]
    skyscraper: Final[bool]
    sole_contact: Final[bool]
    hat_required: Final[bool]
    upright_required: Final[bool]
    dead: Final[frozenset[int]]

    def __init__(
        self,
        worker: bool,
        how: int,
        colours: tuple[int, ...],
        steps: tuple[tuple[int, ...], ...],
        before: frozenset[int],
        tops: dict[int, int],
        in_hand: tuple[int, ...] = (),
        placed: frozenset[int] = frozenset(),
        foreman: bool = False,
        foreman_with_worker: bool = False,
        skyscraper: bool = False,
        sole_contact: bool = False,
        hat_required: bool = False,
        upright_required: bool = False,
        dead: frozenset[int] = frozenset(),
    ) -> None:
        self.worker = worker
        self.how = how
        self.colours = colours
        self.steps = steps
        self.before = before
        self.tops = tops
        self.in_hand = in_hand
        self.placed = placed
        self.foreman = foreman
        self.foreman_with_worker = foreman_with_worker
        self.skyscraper = skyscraper
        self.sole_contact = sole_contact
        self.hat_required = hat_required
        self.upright_required = upright_required
        self.dead = dead

    def name(self) -> str:
        return WORKER_HOW[self.how] if self.worker else GIRDER_HOW[self.how]

    def of_kind(self, kind: int, upto: int) -> list[int]:
        return [p for step in self.steps[: upto + 1] for p in step if KIND[p] == kind]

    def highest_of_colour(self, colour: int, h_tol: int) -> list[int]:
        """MW-J.20: a colour's highest girders before the placement, those level within h_tol micrometres included."""
        tops = {g: top for g, top in self.tops.items() if KIND[g] == GIRDER and COLOUR[g] == colour}
        best = max(tops.values(), default=0)
        return [g for g, top in tops.items() if top >= best - h_tol]


@dataclass(init=False)
class Touch:
    """A contact seen from one of its bodies."""

    other: Final[int]
    part: Final[int]
    other_part: Final[int]
    up: Final[int]
    span: Final[tuple[int, int]]
    other_span: Final[tuple[int, int]]

    def __init__(self, contact: Contact, piece: int) -> None:
        first = contact.a == piece
        self.other = contact.b if first else contact.a
        self.part = contact.part_a if first else contact.part_b
        self.other_part = contact.part_b if first else contact.part_a
        self.up = contact.up_a if first else contact.up_b
        self.span = contact.span_a if first else contact.span_b
        self.other_span = contact.span_b if first else contact.span_a


class Reading:
    """An outcome, ready to be asked. MW-J.2 to MW-J.5."""

    __slots__ = ("_known", "limits", "outcome", "poses", "tops", "wearer")

    def __init__(self, outcome: Outcome, limits: Tolerances) -> None:
        self.outcome: Outcome = outcome
        self.limits: Tolerances = limits
        self.tops: dict[int, int] = dict(outcome.tops)
        self.wearer: dict[int, int] = dict(outcome.worn)
        self.poses: dict[int, tuple[int, ...]] = {pose[0]: pose for pose in outcome.poses}
        self._known: dict[int, list[Touch]] = {}

    def of(self, piece: int) -> list[Touch]:
        """What touches a piece. Only few are ever asked about, so each is looked up when it is."""
        known = self._known.get(piece)
        if known is None:
            known = []
            for c in self.outcome.contacts:
                # MW-J.1: a worker's own seated hat is no contact of his.
                if piece in (c.a, c.b) and not self._seated(c.a, c.b):
                    known.append(Touch(c, piece))
            self._known[piece] = known
        return known

    def _seated(self, a: int, b: int) -> bool:
        """Is one of the two the other's hat, on its head?"""
        return self.wearer.get(a) == b or self.wearer.get(b) == a

    def touching(self, piece: int, other: int) -> bool:
        return any(t.other == other for t in self.of(piece))

    def carried(self, piece: int, other: int, parts: Iterable[int] | None = None) -> int:
        """The share of its weight with which `other` (on some of its parts) carries `piece`."""
        return sum(t.up for t in self.of(piece) if t.other == other and (parts is None or t.other_part in parts))

    def rests_on(self, piece: int, other: int, parts: Iterable[int] | None = None) -> bool:
        """MW-J.2."""
        return self.touching(piece, other) and self.carried(piece, other, parts) >= self.limits.bear_frac

    def supporters(self, piece: int) -> list[int]:
        """MW-J.3."""
        return sorted({t.other for t in self.of(piece) if self.rests_on(piece, t.other)})

    def on_surface(self, piece: int) -> bool:
        """MW-J.7, of a piece that nobody holds."""
        return self.touching(piece, SURFACE)

    def girders_touched(self, piece: int, among: Iterable[int]) -> list[int]:
        known = set(among)
        return sorted({t.other for t in self.of(piece) if t.other in known})

    def standing_on(self, worker: int) -> list[int]:
        """The girders that both legs of a worker touch."""
        legs = [{t.other for t in self.of(worker) if t.part == leg} for leg in (LEG_L, LEG_R)]
        return sorted(g for g in legs[0] & legs[1] if g >= 0 and KIND[g] == GIRDER)

    def top(self, piece: int) -> int:
        return self.tops.get(piece, 0)

    def highest(self, girders: Iterable[int]) -> list[int]:
        """MW-J.5."""
        found = [g for g in girders if g in self.tops]
        if not found:
            return []
        best = max([self.top(g) for g in found])
        return [g for g in found if self.top(g) >= best - self.limits.h_tol]

    def one_end(self, girder: int) -> bool:
        """MW-10.4, MW-A.28: it touches the surface on one side of its middle only, and something else carries it."""
        middle = self.limits.length // 2
        spans = [t.span for t in self.of(girder) if t.other == SURFACE]
        one_side = bool(spans) and (max(hi for _, hi in spans) < middle or min(lo for lo, _ in spans) > middle)
        return one_side and any(other != SURFACE for other in self.supporters(girder))


_RECENT: Final[list[Reading]] = []


def reading(outcome: Outcome, limits: Tolerances) -> Reading:
    """The reading of an outcome; those of the last few are kept, since the same site is asked about again and again."""
    for known in _RECENT:
        if known.outcome is outcome and known.limits is limits:
            return known
    fresh = Reading(outcome, limits)
    _RECENT.insert(0, fresh)
    del _RECENT[4:]
    return fresh


def lacking(findings: Iterable[Finding]) -> tuple[str, ...]:
    """The reasons why a verdict is not favourable, in the order of REASONS."""
    failed = {finding.code for finding in findings if not finding.met}
    return tuple([reason for reason in REASONS if reason in failed]) if failed else ()


class _Bench:
    """One sitting of the judge."""

    def __init__(self, task: Task, outcome: Outcome, limits: Tolerances, upto: int) -> None:
        self.task = task
        self.read = reading(outcome, limits)
        self.limits = limits
        self.upto = upto
        self.findings: list[Finding] = []
        self.present = set(self.read.poses)
        self.girders = [g for g in task.before if KIND[g] == GIRDER and g in self.present and g not in task.dead]

    def find(self, code: str, met: bool, *pieces: int) -> bool:
        self.findings.append(Finding(code, met, tuple(pieces)))
        return met

    # -- general conditions (3.3) -------------------------------------------------------------------------------

    def general(self) -> bool:
        """MW-J.8, MW-J.19; True if all pieces are there to be looked at."""
        task, read = self.task, self.read
        self.find("not_settled", read.outcome.settled and not task.in_hand, *task.in_hand)
        wanted = [p for step in task.steps[: self.upto + 1] for p in step if KIND[p] != HAT]
        missing = [p for p in wanted if p not in self.present or (p not in task.placed and p not in task.in_hand)]
        loads = [p for p in missing if KIND[p] > HAT]
        if self.task.worker and self.task.name() != "TRANSPORT_BEAM":
            self.find("piece_missing", len(loads) == len(missing), *(p for p in missing if p not in loads))
            if any(KIND[p] > HAT for p in wanted):
                self.find("load_missing", not loads, *loads)
        else:
            self.find("piece_missing", not missing, *missing)
        grounded = [p for p in wanted if p in self.present and KIND[p] != SUPPORT and self._grounded(p)]
        self.find("touches_surface", not grounded, *grounded)
        if read.outcome.touched:
            self.find("direct_touch", False, *read.outcome.touched)
        return not missing

    def _grounded(self, piece: int) -> bool:
        floor = self.task.skyscraper and self.read.touching(piece, BOX_FLOOR)
        return floor or self.read.on_surface(piece)

    def girder(self, g: int) -> None:
        """MW-J.15, without the surface."""
        read, limits = self.read, self.limits
        hats = [t.other for t in read.of(g) if t.other >= 0 and KIND[t.other] == HAT and read.rests_on(g, t.other)]
        self.find("on_hardhat", not hats, g, *sorted(set(hats)))
        supporters = set(read.supporters(g))
        covered = [
            lower
            for upper, lower, share in read.outcome.covers
            if upper == g and lower in supporters and share >= limits.cover_frac
        ]
        self.find("covers_girder", not covered, g, *covered)

    def worker(self, w: int) -> list[int]:
        """MW-J.16, MW-J.20; the girders that he stands on and may stand on."""
        read, task = self.read, self.task
        under = read.standing_on(w)
        if not self.find("feet_not_on_girder", bool(under), w, *under):
            return []
        right = [g for g in under if COLOUR[g] in task.colours]
        if not self.find("wrong_girder_colour", bool(right), w, *under):
            return []
        if task.foreman:  # MW-13.6
            high = [g for g in right if g in task.highest_of_colour(COLOUR[g], self.limits.h_tol)]
            if not self.find("not_highest_of_colour", bool(high), w, *right):
                return []
            right = high
        return right

    def dress(self, w: int) -> None:
        """The table options on hats and posture (MW-A.24, MW-A.61)."""
        if self.task.hat_required:
            given = any(KIND[p] == HAT for step in self.task.steps if w in step for p in step)
            self.find("hat_missing", not given or w in self.read.wearer.values(), w)
        if self.task.upright_required:
            _, qx, qy = self.read.poses[w][4:7]
            up = 10000 - 20000 * (qx * qx + qy * qy) // (TURN * TURN)
            self.find("not_upright", up >= self.limits.upright, w)

    def support(self, s: int) -> None:
        """MW-J.18."""
        read = self.read
        ground = (INSERT, BOX_EDGE) if self.task.skyscraper else (SURFACE,)
        on = [o for o in read.supporters(s) if o in ground or (o >= 0 and KIND[o] == GIRDER)]
        barred = self.task.skyscraper and self._grounded(s)
        self.find("support_place_illegal", bool(on) and not barred, s)

    # -- girder instructions (3.4) --------------------------------------------------------------------------------

    def same_colour(self, g: int) -> None:
        touched = [o for o in self.read.girders_touched(g, self.girders) if COLOUR[o] == COLOUR[g]]
        self.find("same_colour_not_touched", bool(touched), g, *touched)

    def other_colour(self, g: int) -> None:
        touched = [o for o in self.read.girders_touched(g, self.girders) if COLOUR[o] != COLOUR[g]]
        self.find("other_colour_not_touched", bool(touched), g, *touched)

    def new_support(self, g: int) -> int:
        s = self.task.of_kind(SUPPORT, self.upto)[0]
        self.find("support_not_touched", self.read.touching(g, s), g, s)
        return s

    def judge_balance(self, g: int) -> None:
        """MW-JG.1, MW-A.37, MW-A.38."""
        read = self.read
        if self.task.sole_contact:
            carrying = sorted({t.other for t in read.of(g)})
        else:
            carrying = read.supporters(g)
        alone = len(carrying) == 1 and carrying[0] in self.girders
        self.find("balance_supporters", alone, g, *carrying)
        zone, length = self.limits.end_zone, self.limits.length
        ends = [t.other for t in read.of(g) if t.span[0] < zone or t.span[1] > length - zone]
        self.find("balance_end_touched", not ends, g, *sorted(set(ends)))

    def judge_same_colour(self, g: int) -> None:
        self.same_colour(g)

    def judge_two_other_colours(self, g: int) -> None:
        touched = self.read.girders_touched(g, self.girders)
        others = {COLOUR[o] for o in touched} - {COLOUR[g]}
        self.find("two_colours_not_touched", len(others) >= 2, g, *touched)

    def judge_touch_highest(self, g: int) -> None:
        highest = self.read.highest(self.girders)
        touched = [o for o in highest if self.read.touching(g, o)]
        self.find("highest_not_touched", bool(touched), g, *(touched or highest))

    def judge_with_worker(self, g: int) -> None:
        """MW-JG.5; MW-A.55: the Foreman's rule only by table option."""
        w = self.task.of_kind(WORKER, self.upto)[0]
        self.find("worker_not_on_this_girder", g in self.read.standing_on(w), w, g)
        if self.task.foreman and self.task.foreman_with_worker:
            others = [self.task.tops[o] for o in self.task.tops if KIND[o] == GIRDER and COLOUR[o] == COLOUR[g]]
            best = max([self.read.top(g), *others])
            self.find("not_highest_of_colour", self.read.top(g) >= best - self.limits.h_tol, w, g)
        self.dress(w)

    def judge_strong_worker(self, g: int) -> None:
        arms = [t for t in self.read.of(g) if t.other >= 0 and KIND[t.other] == WORKER and t.other_part in ARMS]
        strong = [t.other for t in arms if self.read.rests_on(g, t.other, ARMS)]
        self.find("not_on_arm", bool(strong), g, *sorted(set(strong)))

    def judge_new_support_same(self, g: int) -> None:
        self.support(self.new_support(g))
        self.same_colour(g)

    def judge_new_support_different(self, g: int) -> None:
        self.support(self.new_support(g))
        self.other_colour(g)

    def judge_new_support_on_girder(self, g: int) -> None:
        s = self.new_support(g)
        self.support(s)  # MW-A.48: nor may it stand on the floor of the box besides
        self.support_on_girder(s)
        touched = self.read.girders_touched(g, self.girders)
        self.find("other_girder_not_touched", bool(touched), g, *touched)

    def support_on_girder(self, s: int) -> None:
        carrying = [o for o in self.girders if self.read.rests_on(s, o)]
        self.find("support_not_on_girder", bool(carrying) and not self.read.on_surface(s), s, *carrying)

    def judge_touch_support(self, g: int) -> None:
        touched = [t.other for t in self.read.of(g) if t.other in self.task.before and KIND[t.other] == SUPPORT]
        self.find("support_not_touched", bool(touched), g, *sorted(set(touched)))

    def judge_transport_brick(self, g: int) -> None:
        brick = next(p for p in self.task.steps[0] if KIND[p] > HAT)
        self.find("brick_not_on_girder", self.read.rests_on(brick, g), brick, g)

    def judge_highest_girder(self, g: int) -> None:
        rivals = [o for o in self.girders if self.read.top(o) + self.limits.h_tol >= self.read.top(g)]
        self.find("not_highest_girder", not rivals, g, *sorted(rivals))

    # -- worker instructions (3.5) --------------------------------------------------------------------------------

    def loads(self, w: int) -> None:
        """MW-J.17."""
        read = self.read
        loads = [p for step in self.task.steps for p in step if KIND[p] > HAT]
        borne = {p for p in loads if read.rests_on(p, w, ARMS)}
        direct = bool(borne)
        grown = True
        while grown:
            more = {p for p in loads if p not in borne and any(read.rests_on(p, b) for b in borne)}
            grown = bool(more)
            borne |= more
        for load in loads:
            self.find("load_not_on_arm", direct and load in borne, load, w)

    def judge_near_edge(self, w: int, under: list[int]) -> None:
        length = self.limits.length
        near = []
        for t in self.read.of(w):
            if t.other in under and t.part in (LEG_L, LEG_R):
                from_end = min(t.other_span[0], length - t.other_span[1])
                near.append(max(0, from_end))
        self.find("not_at_edge", bool(near) and min(near) <= self.limits.edge_zone, w, *under)

    def judge_transport_beam(self, w: int, _under: list[int]) -> None:
        beam = next(p for p in self.task.steps[0] if KIND[p] > HAT)
        self.find("beam_not_on_shoulder", self.read.rests_on(beam, w, ARMS), beam, w)

    def judge_connect(self, w: int, _under: list[int]) -> None:
        read = self.read
        beam = next(p for step in self.task.steps for p in step if KIND[p] > HAT)
        arms = {t.other for t in read.of(beam) if t.other >= 0 and KIND[t.other] == WORKER and t.other_part in ARMS}
        others = [v for v in arms if v in self.task.before]
        joined = [v for v in others if read.rests_on(beam, w, ARMS) or read.rests_on(beam, v, ARMS)]
        self.find("workers_not_connected", w in arms and bool(joined), beam, w, *sorted(others))

    def judge_additional_worker(self, w: int, under: list[int]) -> None:
        second = next(v for v in self.task.of_kind(WORKER, self.upto) if v != w)
        there = self.read.standing_on(second)
        if not self.find("feet_not_on_girder", bool(there), second, *there):
            return
        self.find("second_worker_elsewhere", bool(set(there) & set(under)) or not under, second, *there)
        self.dress(second)

    # -- together -------------------------------------------------------------------------------------------------

    def sit(self) -> tuple[Finding, ...]:
        task = self.task
        whole = self.general()
        last = self.upto >= len(task.steps) - 1
        for s in task.of_kind(SUPPORT, self.upto):
            if s in self.present and not (last and whole and not task.worker):
                self.support(s)
                if task.name() == "NEW_SUPPORT_ON_GIRDER":
                    self.support_on_girder(s)
        if task.worker:
            self._workers(last and whole)
        else:
            girders = task.of_kind(GIRDER, self.upto)
            for g in girders:
                if g in self.present:
                    self.girder(g)
                    if last and whole:
                        judge: Callable[[int], None] = getattr(self, f"judge_{task.name().lower()}")
                        judge(g)
        return tuple(self.findings)

    def _workers(self, final: bool) -> None:
        task = self.task
        w = next(p for p in task.steps[0] if KIND[p] == WORKER)
        if w not in self.present:
            return
        under = self.worker(w)
        self.dress(w)
        if not final:
            return
        name = task.name()
        if name in ("ONE_BRICK", "TWO_BRICKS", "ONE_BEAM", "TWO_BEAMS", "BRICK_AND_BEAM"):
            self.loads(w)
        else:
            judge: Callable[[int, list[int]], None] = getattr(self, f"judge_{name.lower()}")
            judge(w, under)


def judge(task: Task, outcome: Outcome, limits: Tolerances, upto: int | None = None) -> tuple[Finding, ...]:
    """The findings on what has been built; up to a step (MW-A.20) or, without one, on the whole turn."""
    return _Bench(task, outcome, limits, len(task.steps) - 1 if upto is None else upto).sit()


def award(new: Iterable[int], outcome: Outcome, limits: Tolerances, on_tie: bool, besides: tuple[int, ...]) -> bool:
    """MW-J.21: is one of the turn's pieces the highest point of the site?

    besides: heights of other things that count as rivals (the crane, by table option).
    """
    own = set(new)
    tops = dict(outcome.tops)
    worn = {hat for hat, _ in outcome.worn}
    mine = [top for piece, top in tops.items() if piece in own]
    rivals = [top for piece, top in tops.items() if piece not in own and piece not in worn]
    if not mine:
        return False
    best = max([*rivals, *besides], default=0)
    return max(mine) >= best - limits.h_tol if on_tie else max(mine) > best + limits.h_tol


def site_findings(
    outcome: Outcome, limits: Tolerances, new: Iterable[int], counts: tuple[int, int, int], skyscraper: bool
) -> tuple[Finding, ...]:
    """Does a starting site keep MW-3.2 to MW-3.7 (Skyscraper: MW-15.1 to MW-15.3)?

    new: the pieces that it is made of. counts: supports, girders and workers that it must have.
    """
    read = reading(outcome, limits)
    own = set(new)
    supports, girders, workers = ([p for p in own if KIND[p] == kind] for kind in (SUPPORT, GIRDER, WORKER))
    fits = (len(supports), len(girders), len(workers)) == counts and own <= set(outcome.pieces())
    findings = [
        Finding("bad_setup_pieces", fits and len({COLOUR[g] for g in girders}) == len(girders), tuple(sorted(own))),
        Finding("not_settled", outcome.settled),
    ]
    barred = (SURFACE, BOX_FLOOR, BOX_EDGE) if skyscraper else (SURFACE,)
    low = sorted(p for p in (*girders, *workers) if any(t.other in barred for t in read.of(p)))
    findings.append(Finding("touches_surface", not low, tuple(low)))
    if not skyscraper:  # MW-A.3
        wrong = sorted(s for s in supports if read.supporters(s) != [SURFACE])
        findings.append(Finding("support_place_illegal", not wrong, tuple(wrong)))
    findings.extend(Finding("feet_not_on_girder", bool(read.standing_on(w)), (w,)) for w in workers)
    return tuple(findings)
