"""What a foreman would tell a builder: places for a piece, colours and ways to clean up, tried on copies of the site.

Nothing is guessed: a place has held in a quick trial, and then been rehearsed with a hand that is no steadier than most
people's; what is cleared away has been taken away on a copy.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final

from shopfloor.engine.world import Proposal
from shopfloor.games.men_at_work import actions as a
from shopfloor.games.men_at_work import geometry, judgement
from shopfloor.games.men_at_work.carrier import SHORT
from shopfloor.games.men_at_work.judge import lacking, reading
from shopfloor.games.men_at_work.levels import level
from shopfloor.games.men_at_work.mind import ASIDE, HEIGHT, TIDY, UPWARDS, Mind, Place
from shopfloor.games.men_at_work.outcome import Outcome
from shopfloor.games.men_at_work.pieces import GIRDER, KIND, NAMES, SUPPORT
from shopfloor.games.men_at_work.position import BUILD, CHOOSE, CLEANUP
from shopfloor.games.men_at_work.rules import MenAtWork
from shopfloor.games.men_at_work.works import Works

# Of people's hands nothing has been measured; they are taken to be between a journeyman's and a master's.
HAND: Final = replace(level("journeyman"), aim=1.3, tilt=0.016, tremor=0.5)
EYE: Final = replace(level("foreman"), aim=HAND.aim, tilt=HAND.tilt, tremor=HAND.tremor, speed=HAND.speed, ahead=6)
"""Looks for places like a foreman, and lays pieces down like a person."""
POOL: Final = 8  # places that held in a quick trial, after which no more are looked for
LOOKS: Final = 600  # places thought of, after which no more are looked for
PLACES: Final = 3
REHEARSALS: Final = 12  # of each place
APART: Final = 35.0  # mm: places nearer to each other are one place
LOOKING: Final = 0.45  # the part of the time in which places are looked for
SURE: Final = 1.96
TIPPED: Final = 0.7  # of a piece's own long axis: more upright than that it has been tipped over

Counted = tuple[tuple[str, float], ...]
Spent = Callable[[], float]


@dataclass(eq=False)
class Tried:
    """A place for a piece, and what came of each rehearsal: the share of the victory, and what the game counts.

    looked: how many places were thought of until it was found.
    """

    mind: Mind
    place: Place
    looked: int
    held: int = 0
    broke: int = 0
    values: list[float] = field(default_factory=list)
    good: list[float] = field(default_factory=list)
    bad: list[float] = field(default_factory=list)
    counted: list[Counted] = field(default_factory=list)
    on: tuple[int, ...] = ()

    @property
    def value(self) -> float:
        return sum(self.values) / len(self.values)


def propose(state: MenAtWork, seed: int, spent: Spent) -> list[Proposal]:
    """See `engine.world.World.propose`: for who builds, takes a colour or cleans up."""
    legal = state.legal(state.hook)
    if state.over() or state.held or legal == (a.CLEAN_DONE,):
        return []
    rng = Random(seed)
    if state.phase == BUILD:
        found = _building(state, legal, rng, spent)
    elif state.phase == CHOOSE and any(action < a.PLAY_ON_DECK for action in legal):
        found = _choosing(state, legal, rng, spent)
    elif state.phase == CLEANUP:
        found = _clearing(state, legal, spent)
    else:
        found = []
    return sorted(found, key=lambda proposal: -proposal.value)


# -- building -----------------------------------------------------------------------------------------------------


def _building(state: MenAtWork, legal: tuple[int, ...], rng: Random, spent: Spent) -> list[Proposal]:
    grips = [action - a.GRIP for action in legal if a.GRIP <= action < a.RELEASE]
    fresh = [piece for piece in grips if piece not in state.placed]
    stands = a.NEXT_PIECE in legal or (bool(state.placed) and not lacking(state.verdict()))
    found = [_plain(state, action) for action in (a.NEXT_PIECE, a.GIVE_UP) if action in legal]
    if stands:
        if a.FINISH in legal and a.NEXT_PIECE not in legal:
            found.append(_plain(state, a.FINISH))
        if not state.rita_active or not grips:
            return found
        # What stands may be taken up again: for a place so high that there is an award for it.
        tried = [one for one in _places(state, grips[-1], rng, spent, PLACES) if one.place.gain > UPWARDS]
        _rehearse(state, tried, spent)
        return found + [_placing(state, one) for one in tried if one.held]
    if not grips:
        return found
    tried = _places(state, fresh[0] if fresh else _amiss(state, grips), rng, spent, PLACES)
    _rehearse(state, tried, spent)
    found += [_placing(state, one) for one in tried if one.held or len(tried) == 1]
    if not any(one.held for one in tried) and a.FINISH in legal:
        found.append(_plain(state, a.FINISH))
    return found


def _amiss(state: MenAtWork, grips: list[int]) -> int:
    """The piece to take up again: one that the judge is not content with, or the last."""
    blamed = {p for f in state.verdict() if not f.met for p in f.pieces}
    return next((piece for piece in grips if piece in blamed), grips[-1])


def _places(state: MenAtWork, piece: int, rng: Random, spent: Spent, most: int, until: float = LOOKING) -> list[Tried]:
    """The most promising places for a piece, not rehearsed yet; if none holds, one where it does no harm."""
    mind = Mind(EYE, rng, state, piece)
    if mind.base.accident is not None:
        return []
    pool: list[Place] = []
    looked = 0
    for ease in range(2):
        for place in mind.places(ease) if not pool else ():
            looked += 1
            if place is not None:
                pool.append(place)
            if len(pool) >= POOL or looked >= LOOKS or (spent() > until and (pool or spent() > until + 0.3)):
                break
    pool.sort(key=lambda place: -place.gain - TIDY * place.tidy + ASIDE * any(place.side))
    chosen: list[Place] = []
    for place in pool:
        near = any(math.dist(place.pose[0], other.pose[0]) < APART for other in chosen)
        if near or (chosen and spent() > until + 0.2):
            continue
        if mind.followed(place):
            chosen.append(place)
        if len(chosen) == most:
            break
    if not chosen:
        chosen = pool[:1] or [mind.anywhere()]
    return [Tried(mind, place, looked) for place in chosen]


def _rehearse(state: MenAtWork, tried: list[Tried], spent: Spent, until: float = 1.0) -> None:
    """Rehearse all places in turn, each at least twice."""
    for n in range(REHEARSALS):
        if n > 1 and spent() > until:
            break
        for one in tried:
            mark, outcome = one.mind.rehearse(one.place)
            after = _after(state, one.mind.piece, mark, outcome)
            value = judgement.value(after)[state.hook]
            one.values.append(value)
            one.counted.append(tuple(judgement.measures(after, state.hook)))
            one.held += mark > 0
            one.broke += mark < 0
            (one.good if mark > 0 else one.bad).append(value)
            if mark > 0 or not one.on:
                one.on = tuple(reading(outcome, state.limits).supporters(one.mind.piece))


def _after(state: MenAtWork, piece: int, mark: int, outcome: Outcome) -> MenAtWork:
    """The position after a rehearsal, as far as the builder's own part in it goes."""
    after = state.clone()
    after.play(state.hook, a.GRIP + piece)
    after.play(state.hook, a.RELEASE, outcome)
    legal = after.legal(state.hook) if after.phase == BUILD and after.hook == state.hook else ()
    if a.NEXT_PIECE in legal:
        after.play(state.hook, a.NEXT_PIECE)
    elif mark > 0 and a.FINISH in legal and not lacking(after.verdict()):
        after.play(state.hook, a.FINISH)
    elif mark == 0 and legal:
        # It has to be tried again, and that was a try.
        after = state.clone()
        after.attempts += 1
    return after


def _bounds(state: MenAtWork, one: Tried) -> tuple[float, float]:
    """The 95 % interval of a place's value: by that of its chance to hold (Wilson), since few rehearsals say little."""
    n = len(one.values)
    share, z = one.held / n, SURE
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    wide = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    good = sum(one.good) / len(one.good) if one.good else max(one.values)
    bad = sum(one.bad) / len(one.bad) if one.bad else _lost(state)
    ends = [chance * good + (1 - chance) * bad for chance in (middle - wide, middle + wide)]
    return min(one.value, *ends), max(one.value, *ends)


def _lost(state: MenAtWork) -> float:
    """The builder's share of the victory if a certificate is lost."""
    after = state.clone()
    after.certificates[state.hook] -= 1
    return judgement.value(after)[state.hook]


def _placing(state: MenAtWork, one: Tried) -> Proposal:
    low, high = _bounds(state, one)
    piece, (goal, turn) = one.mind.piece, one.place.pose
    via: tuple[tuple[float, ...], ...] = ()
    if any(one.place.side):
        x, y, z = (p + q for p, q in zip(goal, one.place.side, strict=True))
        lift = one.place.lift or SHORT
        over = max(one.mind.ceiling, z) + HEIGHT
        via = tuple(_numbers((x, y, height), turn) for height in (over, z + lift))
        via += (_numbers((goal[0], goal[1], goal[2] + lift), turn),)
    return Proposal(
        a.GRIP + piece,
        one.value,
        low,
        high,
        False,
        tuple(one.counted),
        _facts(one),
        NAMES[piece],
        _numbers(goal, turn),
        via,
    )


def _numbers(at: geometry.Vector, turn: geometry.Quaternion) -> tuple[float, ...]:
    return (*(round(v, 2) for v in at), *(round(v, 5) for v in turn))


def _facts(one: Tried) -> dict[str, object]:
    """Where a piece comes to, in millimetres and degrees as the page's form has them, and how it went."""
    mind, piece = one.mind, one.mind.piece
    (x, y, z), turn = one.place.pose
    solids = geometry.solids(mind.base.shapes, piece, one.place.pose)
    own = geometry.rotate(turn, (1.0, 0.0, 0.0))
    tipped = abs(own[2]) > TIPPED
    across = geometry.rotate(turn, (0.0, 0.0, 1.0)) if tipped else own
    long = KIND[piece] in (GIRDER, SUPPORT)
    angle = math.degrees(math.atan2(across[1], across[0])) % (180.0 if long else 360.0)
    side = one.place.side
    return {
        "kind": "place" if one.held else "nowhere",
        "piece": piece,
        "on": list(one.on),
        "x": round(x),
        "y": round(y),
        "low": round(min(s.low[2] for s in solids)),
        "top": round(one.place.top or max(s.high[2] for s in solids)),
        "middle": round(z),
        "turn": round(angle),
        "tipped": tipped,
        "lean": 0 if tipped else round(math.degrees(math.asin(min(1.0, abs(own[2]))))),
        "aside": round(math.hypot(side[0], side[1])),
        "looked": one.looked,
        "rehearsed": len(one.values),
        "held": one.held,
        "broke": one.broke,
    }


# -- all else -----------------------------------------------------------------------------------------------------


def _plain(state: MenAtWork, action: int) -> Proposal:
    """A decision that moves nothing."""
    after = state.clone()
    after.play(state.hook, action)
    met = bool(state.placed) and not lacking(state.verdict())
    kinds = {a.NEXT_PIECE: "next", a.FINISH: "done" if met else "failed"}
    return _certain(state, action, after, {"kind": kinds.get(action, "plain")})


def _certain(state: MenAtWork, action: int, after: MenAtWork, facts: Mapping[str, object]) -> Proposal:
    value = judgement.value(after)[state.hook]
    return Proposal(action, value, value, value, True, (tuple(judgement.measures(after, state.hook)),), facts)


def _choosing(state: MenAtWork, legal: tuple[int, ...], rng: Random, spent: Spent) -> list[Proposal]:
    """By colour, and for the best card of one's own, what the best place found for the first piece promises."""
    options = [action for action in legal if action < a.PLAY_ON_DECK]
    rates = dict(zip(legal, judgement.rate(state, state.hook), strict=True))
    cards = sorted((action for action in legal if a.PLAY_ON_DECK <= action < a.GO_ON), key=lambda c: -rates[c])
    options += cards[:1]
    found = []
    for n, action in enumerate(options):
        after = state.clone()
        after.play(state.hook, action)
        if after.phase == CHOOSE:
            colours = [colour for colour in after.legal(state.hook) if colour < a.PLAY_ON_DECK]
            if not colours:
                continue
            rated = dict(zip(after.legal(state.hook), judgement.rate(after, state.hook), strict=True))
            after.play(state.hook, max(colours, key=lambda colour: rated[colour]))
        if after.phase != BUILD or after.hook != state.hook or not after.units:
            continue
        begin, end = n / len(options), (n + 1) / len(options)
        tried = _places(after, after.units[0][1][0], rng, spent, 1, begin + 0.6 * (end - begin))
        _rehearse(after, tried, spent, end)
        for one in tried:
            low, high = _bounds(after, one)
            facts = _facts(one) | {"kind": "colour" if one.held else "colourless"}
            found.append(Proposal(action, one.value, low, high, False, tuple(one.counted), facts))
    return found


def _clearing(state: MenAtWork, legal: tuple[int, ...], spent: Spent) -> list[Proposal]:
    """Every way to go on with the clean-up, done on a copy of the site."""
    works = Works(state.clone())
    snapshot = works.site.snapshot()
    found: list[Proposal] = []
    for action in legal:
        if found and spent() > 1.0:
            break
        after = state.clone()
        if action >= a.LEAVE_SUPPORT:
            after.play(state.hook, action)
            facts: dict[str, object] = {"kind": "plain"}
        else:
            works.site.restore(snapshot)
            outcome = works.outcome(action)
            assert outcome is not None
            after.play(state.hook, action, outcome)
            fell = outcome.accident
            facts = {"kind": "clear", "fell": -1 if fell is None else fell.piece}
        found.append(_certain(state, action, after, facts))
    return found
