"""What a decision comes to where no site is simulated: the dice say how steady the hand was.

Simulation, search and play without physics need outcomes too. These are drawn from the state's dice, and are plain
in every sense: a piece ends where its instruction wants it, or a little beside, or something falls. The rules judge
them as they judge any other.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from shopfloor.engine.dice import Dice
from shopfloor.engine.native import remade
from shopfloor.games.men_at_work import geometry
from shopfloor.games.men_at_work.actions import CRANE_PLACES
from shopfloor.games.men_at_work.cards import PRESETS, Cards
from shopfloor.games.men_at_work.judge import Reading
from shopfloor.games.men_at_work.outcome import Accident, Contact, Outcome
from shopfloor.games.men_at_work.pieces import (
    ARM_L,
    ARM_R,
    BEAM,
    BOX_FLOOR,
    BRICK,
    COLOUR,
    GIRDER,
    HAT,
    HEAD,
    INSERT,
    KIND,
    LEG_L,
    LEG_R,
    LENGTH,
    SUPPORT,
    SURFACE,
    TORSO,
    TURN,
    WORKER,
)
from shopfloor.games.men_at_work.position import SITE, Position, with_pieces, without

# In a hundred.
ACCIDENT: Final = 5
SHAKEN: Final = 15  # of what is taken out of the site again, where other things may lean on it
MISPLACED: Final = 22
CLEANING_ACCIDENT: Final = 4
PUSH_WORKS: Final = 55

FLAT: Final = (TURN, 0, 0, 0)
ACROSS: Final = (7071068, 0, 0, 7071068)


@dataclass(frozen=True)
class Sizes:
    """How large the pieces of an edition are, micrometres.

    height: of each kind, as it stands or lies, in whole millimetres. seat: of a hat over its worker's middle; over: by
    how much it rises above his head. shoulder: how far below its top an arm is. stride: from one foot to the other.
    middle: of a girder, where it usually lies on another. insert: how high it is.
    """

    height: tuple[int, ...]
    seat: int
    over: int
    shoulder: int
    stride: int
    girder: int
    length: int
    middle: tuple[int, int]
    insert: int

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return remade(self)


@lru_cache(maxsize=8)
def sizes(cards: Cards) -> Sizes:
    shapes = cards.shapes
    ends = [(min(b[5] - b[2] / 2 for b in boxes), max(b[5] + b[2] / 2 for b in boxes)) for boxes in shapes.boxes]
    worker = shapes.boxes[WORKER]
    head, seat = ends[WORKER][1], shapes.hat_seat[2]
    hatted = seat + ends[HAT][1]
    half, girder = shapes.girder_length / 2, shapes.girder_height
    return Sizes(
        height=tuple(math.ceil(high - low) * LENGTH for low, high in ends),
        seat=round(seat * LENGTH),
        over=round((hatted - head) * LENGTH),
        shoulder=math.ceil(hatted - worker[ARM_R][5] - worker[ARM_R][2] / 2) * LENGTH,
        stride=round((worker[LEG_R][3] - worker[LEG_L][3]) * LENGTH),
        girder=round(girder * LENGTH),
        length=round(2 * half * LENGTH),
        middle=(round((half - 0.6 * girder) * LENGTH), round((half + 0.6 * girder) * LENGTH)),
        insert=round(max(rib["z1"] for rib in shapes.raw["skyscraper"]["ribs"]) * LENGTH),
    )


# -- starting sites -----------------------------------------------------------------------------------------------


def preset_name(state: Position, plan: int) -> str:
    prefix = "skyscraper_" if state.on("skyscraper") else "crane_" if state.on("crane") else ""
    return prefix + PRESETS[plan]


@lru_cache(maxsize=64)
def preset(cards: Cards, name: str, pieces: tuple[int, ...], crane: str) -> Outcome:
    """A starting site as it is measured at rest; `pieces` are those to use, a worker with his hat behind him."""
    shapes = cards.shapes
    skyscraper = name.startswith("skyscraper_")
    left = list(pieces)
    poses: dict[int, geometry.Pose] = {}
    for item in shapes.presets[name]:
        fits = [p for p in left if KIND[p] == item.kind and (item.kind != GIRDER or COLOUR[p] == item.colour)]
        if not fits:
            continue
        piece = fits[0]
        left.remove(piece)
        poses[piece] = geometry.item_pose(item)
        if item.kind == WORKER:
            hats = [p for p in left if KIND[p] == HAT]
            if hats:
                left.remove(hats[0])
                poses[hats[0]] = geometry.hat_pose(shapes, poses[piece])
    return geometry.measure(shapes, poses, geometry.fixed_solids(shapes, skyscraper, crane))


def design(state: Position, plan: int, pieces: tuple[int, ...]) -> Outcome:
    """The outcome of laying out a preset; what lies on the site already stays."""
    crane = CRANE_PLACES[state.crane_place] if state.crane_place >= 0 else ""
    found = preset(state.cards, preset_name(state, plan), pieces, crane)
    if not state.measure.poses:
        return found
    poses = {pose[0]: pose[1:] for pose in found.poses}
    return with_pieces(state.measure, poses, dict(found.tops), found.contacts, found.worn)


# -- building -------------------------------------------------------------------------------------------------------


class _Placing:
    """One unit of pieces put down."""

    def __init__(self, state: Position, ok: bool) -> None:
        self.state = state
        self.sizes = sizes(state.cards)
        self.dice: Dice = state.dice
        self.ok = ok
        self.read = Reading(without(state.measure, state.held), state.limits)
        self.poses: dict[int, tuple[int, ...]] = {}
        self.tops: dict[int, int] = {}
        self.contacts: list[Contact] = []
        self.worn: list[tuple[int, int]] = []

    def pick(self, pieces: list[int]) -> int:
        return pieces[self.dice.below(len(pieces))] if pieces else INSERT if self.state.on("skyscraper") else SURFACE

    def on_site(self, kind: int) -> list[int]:
        return [p for p in self.read.tops if KIND[p] == kind and self.state.place[p] == SITE]

    def top(self, piece: int) -> int:
        if piece in self.tops:
            return self.tops[piece]
        return self.read.top(piece) if piece >= 0 else 0

    def at(self, target: int) -> tuple[int, int]:
        if target in self.poses:
            x, y = self.poses[target][:2]
        elif target in self.read.poses:
            x, y = self.read.poses[target][1:3]
        else:
            x, y = (self.dice.below(200) - 100) * LENGTH, (self.dice.below(200) - 100) * LENGTH
        return x + (self.dice.below(21) - 10) * LENGTH, y + (self.dice.below(21) - 10) * LENGTH

    def set(self, piece: int, target: int, base: int, turned: bool = False) -> None:
        """Stand or lay a piece over a target, its lowest point at height `base`."""
        x, y = self.at(target)
        height = self.sizes.height[KIND[piece]]
        self.poses[piece] = (x, y, base + height // 2, *(ACROSS if turned else FLAT))
        self.tops[piece] = base + height

    def touch(
        self,
        a: int,
        b: int,
        up: int = 0,
        parts: tuple[int, int] = (0, 0),
        span_a: tuple[int, int] | None = None,
        span_b: tuple[int, int] | None = None,
    ) -> None:
        """a touches b, which carries so much of it."""
        sa = (span_a or self.sizes.middle) if KIND[a] == GIRDER else (0, 0)
        sb = (span_b or self.sizes.middle) if b >= 0 and KIND[b] == GIRDER else (0, 0)
        self.contacts.append(Contact(a, b, parts[0], parts[1], up, 0, sa, sb))

    # -- pieces ---------------------------------------------------------------------------------------------------

    def support(self, s: int) -> None:
        on_girder = self.state.instruction() == "NEW_SUPPORT_ON_GIRDER"
        girders = self.on_site(GIRDER)
        if (on_girder or self.dice.below(4) == 0) and girders and self.ok:
            target = self.pick(girders)
            self.set(s, target, self.top(target))
        else:
            target = INSERT if self.state.on("skyscraper") else SURFACE
            self.set(s, target, self.sizes.insert if target == INSERT else 0)
        self.touch(s, target, 1000)

    def girder(self, g: int) -> None:
        carriers, sides = self._carriers(g) if self.ok else ([self.pick(self.on_site(SUPPORT))], [])
        parts = {w: ARM_R for w in carriers if w >= 0 and KIND[w] == WORKER}
        base = max(self.top(c) - (self.sizes.girder if c in parts else 0) for c in carriers)
        self.set(g, carriers[0], base, self.dice.below(2) == 0)
        for c in carriers:
            self.touch(g, c, 1000 // len(carriers), (0, parts.get(c, 0)))
        for c in sides:
            self.touch(g, c)

    def _carriers(self, g: int) -> tuple[list[int], list[int]]:
        """What carries the new girder and what it touches besides, as the instruction wants it."""
        name = self.state.instruction()
        girders = [o for o in self.on_site(GIRDER) if o != g]
        same = [o for o in girders if COLOUR[o] == COLOUR[g]]
        other = [o for o in girders if COLOUR[o] != COLOUR[g]]
        new = [p for p in self.state.placed if KIND[p] == SUPPORT and p in self.read.tops]
        if name == "SAME_COLOUR":
            return [self.pick(same)], []
        if name == "TWO_OTHER_COLOURS":
            first = self.pick(other)
            second = self.pick([o for o in other if first >= 0 and COLOUR[o] != COLOUR[first]])
            return [first], [second]
        if name in ("TOUCH_HIGHEST", "HIGHEST_GIRDER"):
            return [self.pick(self.read.highest(girders))], []
        if name == "STRONG_WORKER":
            return [self.pick(self.on_site(WORKER))], []
        if name == "NEW_SUPPORT_SAME":
            return [*new, self.pick(same)], []
        if name == "NEW_SUPPORT_DIFFERENT":
            return [*new, self.pick(other)], []
        if name == "NEW_SUPPORT_ON_GIRDER":
            return new, [self.pick(girders)]
        if name == "TOUCH_SUPPORT":
            return [self.pick([s for s in self.on_site(SUPPORT) if s in self.state.before])], []
        return [self.pick(girders)], []

    def worker(self, w: int, hats: list[int]) -> None:
        state, read = self.state, self.read
        name = state.instruction()
        first = state.units[0][1][0]
        if name == "WITH_WORKER":
            target = first
        elif name == "ADDITIONAL_WORKER" and w != first:
            under = read.standing_on(first)
            target = self.pick(under or self.on_site(GIRDER))
        else:
            allowed = [g for g in self.on_site(GIRDER) if COLOUR[g] in state.what()[1:]]
            if state.on("foreman"):
                colour = COLOUR[self.pick(allowed)]
                allowed = read.highest([g for g in allowed if COLOUR[g] == colour])
            target = self.pick(allowed)
        self.set(w, target, self.top(target))
        edge = name == "NEAR_EDGE" or self.dice.below(4) == 0
        half = self.sizes.length // 2
        spot = (5000, 14000) if edge else (half - 10000, half - 1000)
        self.touch(w, target, 500, (LEG_L, 0), span_b=spot)
        if self.ok:
            self.touch(w, target, 500, (LEG_R, 0), span_b=(spot[0] + self.sizes.stride, spot[1] + self.sizes.stride))
        for hat in hats:
            x, y, z = self.poses[w][:3]
            self.poses[hat] = (x, y, z + self.sizes.seat, *FLAT)
            self.tops[hat] = self.tops[w] + self.sizes.over
            self.tops[w] += self.sizes.over
            self.contacts.append(Contact(w, hat, HEAD, 0, 0, 1000))
            self.worn.append((hat, w))

    def load(self, load: int) -> None:
        state = self.state
        carrier = state.units[0][1][0]
        name = state.instruction()
        if carrier not in self.read.poses and carrier not in self.poses:
            # MW-A.44, free order: nobody stands there yet who could carry it.
            target = self.pick(self.on_site(GIRDER))
            self.set(load, target, self.top(target))
            self.touch(load, target, 1000)
            return
        if name == "TRANSPORT_BRICK":
            self.set(load, carrier, self.top(carrier))
            self.touch(load, carrier, 1000 if self.ok else 0)
            return
        arm = ARM_L if self.dice.below(2) else ARM_R
        base = self.top(carrier) - self.sizes.shoulder
        self.set(load, carrier, max(0, base))
        if name == "CONNECT":
            mates = [v for v in self.on_site(WORKER) if v in state.before and v != carrier]
            self.touch(load, carrier, 500, (0, arm))
            if mates and self.ok:
                self.touch(load, self.pick(mates), 500, (0, ARM_R))
        else:
            self.touch(load, carrier, 1000 if self.ok else 0, (0, arm if self.ok else TORSO))

    def loose_hat(self, hat: int) -> None:
        wearer = next(unit[0] for _, unit in self.state.units if hat in unit)
        self.poses[hat] = (0, 0, 0, *FLAT)
        if wearer in self.read.poses:
            x, y, z = self.read.poses[wearer][1:4]
            self.poses[hat] = (x, y, z + self.sizes.seat, *FLAT)
        self.tops[hat] = self.read.top(wearer) + self.sizes.over
        self.contacts.append(Contact(wearer, hat, HEAD, 0, 0, 1000))
        self.worn.append((hat, wearer))

    def put(self, unit: list[int]) -> Outcome:
        hats = [p for p in unit if KIND[p] == HAT]
        for piece in unit:
            kind = KIND[piece]
            if kind == SUPPORT:
                self.support(piece)
            elif kind == GIRDER:
                self.girder(piece)
            elif kind == WORKER:
                self.worker(piece, hats)
            elif kind == HAT and len(unit) == 1:
                self.loose_hat(piece)
            elif kind in (BEAM, BRICK):
                self.load(piece)
        return with_pieces(self.read.outcome, self.poses, self.tops, self.contacts, self.worn)


def release(state: Position) -> Outcome:
    """What is in the hand is put down."""
    fate = state.dice.below(100)
    risk = SHAKEN if any(pose[0] == state.held[0] for pose in state.measure.poses) else ACCIDENT
    if fate < risk:
        fallen = accident(state, without(state.measure, state.held))
        if fallen is not None:
            return fallen
    return _Placing(state, fate >= risk + MISPLACED).put(state.held)


def accident(state: Position, site: Outcome) -> Outcome | None:
    """One of the pieces falls on the table, now and then a support with it; None if there is nothing to fall."""
    dice, size = state.dice, sizes(state.cards)
    worn = {hat for hat, _ in site.worn}
    grounded = {c.a for c in site.contacts if c.b in (SURFACE, BOX_FLOOR)}
    loose = [p for p in site.pieces() if KIND[p] != SUPPORT and state.place[p] == SITE and p not in worn]
    loose = [p for p in loose if p not in grounded]
    if not loose:
        return None
    victim = loose[dice.below(len(loose))]
    fell = [victim, *(hat for hat, worker in site.worn if worker == victim)]
    supports = [p for p in site.pieces() if KIND[p] == SUPPORT and state.place[p] == SITE]
    if supports and dice.below(5) == 0:
        fell.append(supports[dice.below(len(supports))])
    girders = [p for p in site.pieces() if KIND[p] == GIRDER and p != victim and p not in grounded]
    poses: dict[int, tuple[int, ...]] = {}
    tops: dict[int, int] = {}
    contacts = []
    for n, piece in enumerate(fell):
        height = size.height[KIND[piece]]
        poses[piece] = ((220 - 20 * n) * LENGTH, (dice.below(400) - 200) * LENGTH, height // 2, *FLAT)
        tops[piece] = height
        if piece == victim and KIND[piece] == GIRDER and girders and dice.below(2):
            contacts.append(Contact(piece, SURFACE, 0, 0, 500, 0, (0, 6000)))  # one end only (MW-10.4)
            contacts.append(
                Contact(piece, girders[0], 0, 0, 500, 0, (5 * size.length // 6, 8 * size.length // 9), size.middle)
            )
        else:
            ground = BOX_FLOOR if state.on("skyscraper") and dice.below(2) else SURFACE
            length = (0, state.limits.length) if KIND[piece] == GIRDER else (0, 0)
            contacts.append(Contact(piece, ground, TORSO if KIND[piece] == WORKER else 0, 0, 1000, 0, length))
    found = with_pieces(site, poses, tops, contacts)
    on = contacts[0].b
    kind = "floor" if on == BOX_FLOOR else "surface"
    return Outcome(
        found.poses,
        found.tops,
        found.contacts,
        found.worn,
        found.covers,
        accident=Accident(kind, victim, on),
        fell=tuple(sorted(fell)),
    )


# -- clean-up ---------------------------------------------------------------------------------------------------------


def cleared(state: Position, gone: list[int]) -> Outcome:
    """Pieces are taken away."""
    left = without(state.measure, gone)
    if state.dice.below(100) < CLEANING_ACCIDENT:
        return accident(state, left) or left
    return left


def pushed(state: Position, girder: int) -> Outcome:
    """A girder that touches the table with one end is pushed back, or not."""
    fate = state.dice.below(100)
    if fate < CLEANING_ACCIDENT:
        found = accident(state, state.measure)
        if found is not None:
            return found
    if fate >= CLEANING_ACCIDENT + PUSH_WORKS:
        return state.measure
    contacts = tuple(c for c in state.measure.contacts if not (c.a == girder and c.b == SURFACE))
    m = state.measure
    return Outcome(m.poses, m.tops, contacts, m.worn, m.covers)
