"""The accident watch: what fell, and what it touched (MW-J.9, MW-J.11 to MW-J.14).

It is told of every physics step where moving pieces are and what they really touch, and latches the first accident:
a brick that bounces off a worker and comes to lie on a girder has been one. It knows no physics engine.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from shopfloor.games.men_at_work.outcome import Accident
from shopfloor.games.men_at_work.pieces import BOX_FLOOR, HAT, INSERT, KIND, PLATFORM, SUPPORT, SURFACE, WORKER

Touch = tuple[int, int]
"""What is touched: a body, and which part of it."""

ANYBODY = -100
"""As an intended carrier: every worker."""


@dataclass(frozen=True)
class WatchRules:
    """d_fall: mm. The rest are variants and table options."""

    d_fall: float = 5.0
    crane: bool = False
    skyscraper: bool = False
    worker_landing: bool = True
    surface_any: bool = False
    own_lenient: bool = False


@dataclass(frozen=True)
class Sight:
    """A piece in one physics step: the height of its middle in mm, and what it touches."""

    piece: int
    z: float
    touches: frozenset[Touch] = frozenset()


class Watch:
    """Watches one turn or clean-up.

    start: the contacts of the settled site at its beginning, from both sides. heights: of all pieces then, mm.
    wearers: who wears each hat. accident: the first one, or None. fell: all pieces that have fallen so far.
    """

    def __init__(
        self,
        rules: WatchRules,
        start: Iterable[tuple[int, int, int]],
        heights: Mapping[int, float],
        wearers: Mapping[int, int],
    ) -> None:
        self.rules = rules
        self.start: set[tuple[int, int, int]] = set(start)
        self.heights: dict[int, float] = dict(heights)
        self.wearers: dict[int, int] = dict(wearers)
        self.own: set[int] = set()
        self.held: set[int] = set()
        self.carriers: dict[int, set[int]] = {}
        self.peak: dict[int, float] = {}
        self.flight: dict[int, float] = {}
        self.flying: set[int] = set()
        self.last_z: dict[int, float] = dict(heights)
        self.outside: set[int] = set()
        self.fell: set[int] = set()
        self.accident: Accident | None = None

    def copy(self) -> Watch:
        """Another watch that has seen the same so far."""
        other = Watch(self.rules, self.start, self.heights, self.wearers)
        other.own, other.held, other.outside = set(self.own), set(self.held), set(self.outside)
        other.carriers = {load: set(meant) for load, meant in self.carriers.items()}
        other.peak, other.flight, other.last_z = dict(self.peak), dict(self.flight), dict(self.last_z)
        other.flying, other.fell = set(self.flying), set(self.fell)
        other.accident = self.accident
        return other

    # -- the hand -------------------------------------------------------------------------------------------------

    def grip(self, pieces: Iterable[int]) -> None:
        """These are taken in hand: the first one is held, the others lie on it or are worn."""
        unit = list(pieces)
        self.own |= set(unit)
        self.held = {unit[0]}
        for piece in unit:
            self.heights.pop(piece, None)
            self.flight.pop(piece, None)
            self.flying.discard(piece)
            self.peak.pop(piece, None)
            self.fell.discard(piece)
            if KIND[piece] == HAT:
                self.wearers[piece] = unit[0]
        for piece in unit[1:]:
            self.peak[piece] = float("-inf")

    def release(self, heights: Mapping[int, float]) -> None:
        """The hand lets go; heights: of what was held and carried, now."""
        self.held = set()
        for piece, z in heights.items():
            self.heights[piece] = z
            self.peak.pop(piece, None)

    def carry(self, load: int, workers: Iterable[int]) -> None:
        """This turn's load (or girder) is meant for these workers: slipping on one of them is no accident (MW-A.16)."""
        self.carriers.setdefault(load, set()).update(workers)

    # -- watching -------------------------------------------------------------------------------------------------

    def has_fallen(self, piece: int, z: float) -> bool:
        """MW-J.9, of a piece that is neither gripped nor carried."""
        references = [self.heights.get(piece), self.peak.get(piece), self.flight.get(piece)]
        return any(ref is not None and ref - z > self.rules.d_fall for ref in references)

    def step(self, sights: Iterable[Sight]) -> None:
        """One physics step; pieces that are not told of have not moved."""
        seen = list(sights)
        carried = self._carried(seen)
        for sight in seen:
            self._track(sight, carried)
        for sight in seen:
            if sight.piece in self.held or sight.piece in carried:
                continue
            fallen = self.has_fallen(sight.piece, sight.z)
            if fallen:
                self.fell.add(sight.piece)
            if self.accident is None:
                self.accident = self._judge(sight, fallen)

    def _carried(self, seen: list[Sight]) -> set[int]:
        """What rests, by whatever chain of pieces above the hand's, on the gripped piece."""
        touching: dict[int, set[int]] = {}
        for sight in seen:
            for other, _ in sight.touches:
                if other >= 0:
                    touching.setdefault(sight.piece, set()).add(other)
                    touching.setdefault(other, set()).add(sight.piece)
        carried: set[int] = set()
        grown = set(self.held)
        heights = {sight.piece: sight.z for sight in seen}
        while grown:
            near = {p for base in grown for p in touching.get(base, ()) if p in heights}
            grown = {p for p in near if p not in carried and p not in self.held and self._borne(p, heights)}
            carried |= grown
        return carried

    def _borne(self, piece: int, heights: dict[int, float]) -> bool:
        """A loose load or hat of the hand's is carried where it touches; others if they are above the gripped piece."""
        if piece in self.peak:
            return True
        return any(heights[piece] > heights.get(held, float("inf")) for held in self.held)

    def _track(self, sight: Sight, carried: set[int]) -> None:
        piece, z = sight.piece, sight.z
        if piece in self.peak:
            self.peak[piece] = max(self.peak[piece], z)
        if piece in self.held or piece in carried:
            self.flying.discard(piece)
        elif not sight.touches and piece not in self.flying:
            self.flying.add(piece)
            self.flight[piece] = max(z, self.last_z.get(piece, z)) if self.last_z.get(piece, z) - z < 2 else z
        elif sight.touches:
            self.flying.discard(piece)
        self.last_z[piece] = z

    def _judge(self, sight: Sight, fallen: bool) -> Accident | None:
        piece = sight.piece
        own = piece in self.own
        if own and self.rules.own_lenient:
            return None
        for other, part in sorted(sight.touches):
            if (piece, other, part) in self.start:
                continue
            kind = self._kind(piece, other, fallen, own)
            if kind:
                return Accident(kind, piece, other)
        if self.rules.skyscraper and fallen and KIND[piece] == SUPPORT and piece in self.outside:
            return Accident("support", piece, SURFACE)
        return None

    def _kind(self, piece: int, other: int, fallen: bool, own: bool) -> str:
        """What kind of accident a new contact is, or empty."""
        rules = self.rules
        worker = other >= 0 and KIND[other] == WORKER
        if KIND[piece] == SUPPORT:  # MW-9.7; MW-15.7
            barred = worker or other in (BOX_FLOOR, SURFACE, INSERT)
            return "support" if rules.skyscraper and fallen and barred else ""
        if rules.skyscraper and other in (SURFACE, BOX_FLOOR):  # MW-J.14
            return "floor" if other == BOX_FLOOR else "surface"
        if other == SURFACE:  # MW-J.11
            return "surface" if not own or fallen or rules.surface_any else ""
        if other == PLATFORM:  # MW-J.13
            return "platform" if rules.crane and fallen else ""
        if worker and fallen and rules.worker_landing:  # MW-J.12
            if KIND[piece] == HAT and self.wearers.get(piece) == other:
                return ""
            meant = self.carriers.get(piece, set())
            return "" if own and (other in meant or ANYBODY in meant) else "worker"
        return ""
