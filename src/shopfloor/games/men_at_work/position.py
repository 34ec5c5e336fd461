"""The position of Men at Work: where every piece and card is, who holds the hook, what is being built.

Pieces are numbers of `pieces.py`, cards places in `Cards.ids`. What the site measured last is kept as it came; the
rules only ask the judge about it. The deck is a multiset below its visible top, since nobody knows its order; Boss
Rita's place in it is the number of cards above her.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import ClassVar, Final

from shopfloor.engine.dice import Dice, decode_dice
from shopfloor.engine.events import Event
from shopfloor.engine.state import State
from shopfloor.games.men_at_work.actions import make_space
from shopfloor.games.men_at_work.cards import BLANK, GIRDER_HOW, HELMET, WORKER_HOW, Cards
from shopfloor.games.men_at_work.judge import Finding, Reading, Tolerances, reading, tolerances
from shopfloor.games.men_at_work.outcome import Contact, Outcome, read
from shopfloor.games.men_at_work.pieces import GIRDER, HAT, KIND, OF_COLOUR, OF_KIND, PIECES

# Phases in which somebody decides (section 2); the others pass by themselves.
SITE_DESIGN: Final = 0
CRANE_STANDING: Final = 1
CHOOSE: Final = 2
BUILD: Final = 3
CLEANUP: Final = 4
GAME_OVER: Final = 5
PHASE_NAMES: Final = ("SITE_DESIGN", "CRANE_STANDING", "CHOOSE", "BUILD", "CLEANUP", "GAME_OVER")

# Where a piece is.
SUPPLY: Final = 0
SITE: Final = 1
DEAD: Final = 2

NOBODY: Final = -1
NOT_IN_DECK: Final = -1

NOT_OVER: Final = ""
AWARDS: Final = "awards"
CERTIFICATES: Final = "certificates"
HALT: Final = "halt"

STOCK: Final = 13  # MW-1.7
MOST_FLIPS: Final = 36  # MW-A.12
AWARD_GOAL: Final = {2: 5, 3: 4, 4: 4, 5: 3}  # MW-12.1 to MW-12.3

EMPTY: Final = Outcome()

Verdicts = dict[tuple[int, tuple[int, ...], tuple[int, ...]], tuple[Finding, ...]]
"""What the judge has said: by the step up to which he was asked, what was in the hand, and what had been placed."""
_INTS: Final = (
    "phase",
    "hook",
    "turn",
    "flips",
    "plays",
    "colour",
    "step",
    "attempts",
    "rita_above",
    "rita_low",
    "rita_high",
    "crane_place",
    "accidents",
)
_LISTS: Final = (
    "place",
    "stack",
    "stack_owner",
    "rest",
    "discard",
    "certificates",
    "awards",
    "held",
    "placed",
    "fallen",
    "pushes",
    "before",
)
_BOOLS: Final = ("rita_active", "rebuilding")


class Position(State):
    """A complete position, hidden cards included. Which way things are counted:

    place: SUPPLY, SITE or DEAD for each piece; what is in a hand counts as site. measure: the site as last measured;
    base: as it was when this turn or clean-up began. before: the pieces that were on the site then. faces: the deck
    side of each card, girder_how, worker_how: the other one, taken over from the edition's cards.
    stack: the deck's cards whose deck side everybody knows, topmost last; stack_owner: who knows a card's other side,
    or NOBODY. rest: all other instruction cards of the deck, ascending. rita_above: how many of `rest` lie above
    Boss Rita, or NOT_IN_DECK; rita_low, rita_high: what everybody can work out about that. discard: topmost last.
    hands: Foreman cards. certificates, awards: by seat.
    hook: who holds it. colour: chosen for this turn.
    units: what is taken in hand together this turn, each with its step, the piece to grip first; step: the present one.
    held: pieces in hand, the gripped one first. placed: those let go. attempts: failed ones.
    findings: the last verdict. verdicts: what the judge has said since the last decision, kept for who asks again.
    fallen: what fell since the last reveal. pushes: pushes of each girder in this clean-up.
    rebuilding: the cleaner sets up a new site (MW-A.58).
    """

    __slots__ = (
        "accidents",
        "attempts",
        "awards",
        "base",
        "before",
        "cards",
        "cause",
        "certificates",
        "colour",
        "crane_place",
        "discard",
        "faces",
        "fallen",
        "findings",
        "flips",
        "girder_how",
        "hands",
        "held",
        "hook",
        "limits",
        "measure",
        "options",
        "phase",
        "place",
        "placed",
        "plays",
        "pushes",
        "rebuilding",
        "rest",
        "rita_above",
        "rita_active",
        "rita_high",
        "rita_low",
        "stack",
        "stack_owner",
        "step",
        "turn",
        "units",
        "verdicts",
        "whats",
        "worker_how",
    )

    game: ClassVar[str] = "men_at_work"

    def __init__(
        self, players: int, cards: Cards, options: Mapping[str, str], dice: Dice, source: Position | None = None
    ) -> None:
        """A bare table (`prepare` sets it up), or a copy of `source`."""
        State.__init__(self, players, make_space(cards.ids) if source is None else source.space, dice)
        self.cards: Cards = cards
        self.options: Mapping[str, str] = options
        if source is not None:
            self._copy(source)
            return
        self.limits: Tolerances = tolerances(cards.shapes)
        self.whats: tuple[int, ...] = cards.whats if options["deck_split"] == "24_12" else cards.whats_even
        self.faces: tuple[tuple[int, int, int], ...] = tuple(
            [(what, *colours) for what, colours in zip(self.whats, cards.colours, strict=True)]
        )
        self.girder_how: tuple[int, ...] = cards.girder_how
        self.worker_how: tuple[int, ...] = cards.worker_how
        self.phase: int = SITE_DESIGN
        self.hook: int = 0
        self.turn: int = 0
        self.flips: int = 0
        self.plays: int = 0
        self.colour: int = BLANK
        self.step: int = 0
        self.attempts: int = 0
        self.rita_above: int = NOT_IN_DECK
        self.rita_low: int = 0
        self.rita_high: int = 0
        self.crane_place: int = NOBODY
        self.accidents: int = 0
        self.place: list[int] = [SUPPLY] * PIECES
        self.stack: list[int] = []
        self.stack_owner: list[int] = []
        self.rest: list[int] = []
        self.discard: list[int] = []
        self.certificates: list[int] = []
        self.awards: list[int] = [0] * players
        self.held: list[int] = []
        self.placed: list[int] = []
        self.fallen: list[int] = []
        self.pushes: list[int] = [0] * len(OF_KIND[GIRDER])
        self.before: list[int] = []
        self.rita_active: bool = False
        self.rebuilding: bool = False
        self.hands: list[list[int]] = [[] for _ in range(players)]
        self.units: tuple[tuple[int, tuple[int, ...]], ...] = ()
        self.findings: tuple[Finding, ...] = ()
        self.measure: Outcome = EMPTY
        self.base: Outcome = EMPTY
        self.cause: str = NOT_OVER
        self.verdicts: Verdicts = {}

    # -- copies -------------------------------------------------------------------------------------------------

    def _copy(self, source: Position) -> None:
        self.limits = source.limits
        self.whats = source.whats
        self.faces = source.faces
        self.girder_how = source.girder_how
        self.worker_how = source.worker_how
        self.phase = source.phase
        self.hook = source.hook
        self.turn = source.turn
        self.flips = source.flips
        self.plays = source.plays
        self.colour = source.colour
        self.step = source.step
        self.attempts = source.attempts
        self.rita_above = source.rita_above
        self.rita_low = source.rita_low
        self.rita_high = source.rita_high
        self.crane_place = source.crane_place
        self.accidents = source.accidents
        self.place = source.place[:]
        self.stack = source.stack[:]
        self.stack_owner = source.stack_owner[:]
        self.rest = source.rest[:]
        self.discard = source.discard[:]
        self.certificates = source.certificates[:]
        self.awards = source.awards[:]
        self.held = source.held[:]
        self.placed = source.placed[:]
        self.fallen = source.fallen[:]
        self.pushes = source.pushes[:]
        self.before = source.before[:]
        self.rita_active = source.rita_active
        self.rebuilding = source.rebuilding
        self.hands = [hand[:] for hand in source.hands]
        self.units = source.units
        self.findings = source.findings
        self.measure = source.measure
        self.base = source.base
        self.cause = source.cause
        self.verdicts = source.verdicts
        self.revelations = source.revelations

    def encode(self) -> str:
        value: dict[str, object] = {name: getattr(self, name) for name in (*_INTS, *_LISTS, *_BOOLS)}
        value |= {
            "players": self.players,
            "options": dict(self.options),
            "hands": self.hands,
            "units": [[step, list(unit)] for step, unit in self.units],
            "findings": [[f.code, f.met, list(f.pieces)] for f in self.findings],
            "measure": self.measure.plain(),
            "base": None if self.base is self.measure or self.base == self.measure else self.base.plain(),
            "cause": self.cause,
            "revelations": self.revelations,
            "dice": self.dice.encode(),
        }
        return json.dumps(value, separators=(",", ":"))

    def restore(self, value: dict[str, object]) -> None:
        """Take over what `encode` wrote. Raises ValueError or TypeError if it is not of that form."""
        for name in _INTS:
            number = value[name]
            if isinstance(number, bool) or not isinstance(number, int):
                raise ValueError(f"'{name}' must be a whole number")
            setattr(self, name, number)
        for name in _LISTS:
            setattr(self, name, _numbers(value[name], name))
        for name in _BOOLS:
            flag = value[name]
            if not isinstance(flag, bool):
                raise ValueError(f"'{name}' must be true or false")
            setattr(self, name, flag)
        hands, units, findings = value["hands"], value["units"], value["findings"]
        if not (isinstance(hands, list) and isinstance(units, list) and isinstance(findings, list)):
            raise ValueError("hands, units and findings must be lists")
        self.hands = [_numbers(hand, "a hand") for hand in hands]
        self.units = tuple((int(unit[0]), tuple(_numbers(unit[1], "a unit"))) for unit in units)
        self.findings = tuple(Finding(str(f[0]), bool(f[1]), tuple(_numbers(f[2], "pieces"))) for f in findings)
        self.measure = read(value["measure"])
        self.base = self.measure if value["base"] is None else read(value["base"])
        self.cause = str(value["cause"])
        revelations = value["revelations"]
        assert isinstance(revelations, int)
        self.revelations = revelations
        self.dice = decode_dice(str(value["dice"]))

    # -- counting -----------------------------------------------------------------------------------------------

    def on(self, option: str) -> bool:
        return self.options[option] == "on"

    @property
    def youngest(self) -> int:
        """The seat that sets up the site and starts (MW-A.2)."""
        return int(self.options["youngest"])

    @property
    def gripped(self) -> bool:
        """Has something been taken in hand this turn?"""
        return bool(self.held or self.placed)

    def supply(self, kind: int) -> int:
        """How many pieces of a kind are in the supply; workers wait there."""
        place = self.place
        return sum(1 for piece in OF_KIND[kind] if place[piece] == SUPPLY)

    def girder_supply(self, colour: int) -> int:
        place = self.place
        return sum(1 for piece in OF_COLOUR[colour] if place[piece] == SUPPLY)

    def spare(self, pieces: Iterable[int], n: int = 1) -> list[int]:
        """The first `n` of these pieces that are in the supply."""
        return [piece for piece in pieces if self.place[piece] == SUPPLY][:n]

    def site(self) -> list[int]:
        """All pieces on the site, ascending, without dead ones; what is in a hand is among them."""
        return [piece for piece in range(PIECES) if self.place[piece] == SITE]

    def standing_pieces(self) -> list[int]:
        """All pieces that are physically there, dead ones too, without those in a hand."""
        return [piece for piece in range(PIECES) if self.place[piece] != SUPPLY and piece not in self.held]

    def girders_of(self, colour: int) -> list[int]:
        """The girders of a colour on the site."""
        return [piece for piece in OF_COLOUR[colour] if self.place[piece] == SITE]

    def in_game(self, seat: int) -> bool:
        return self.certificates[seat] > 0

    def left_of(self, seat: int) -> int:
        """The next player in the game on the left (MW-A.31)."""
        for k in range(1, self.players + 1):
            if self.certificates[(seat + k) % self.players] > 0:
                return (seat + k) % self.players
        return seat

    def deck_size(self) -> int:
        return len(self.stack) + len(self.rest) + (self.rita_above != NOT_IN_DECK)

    def what(self) -> tuple[int, int, int]:
        """The deck's top: 0 girder or 1 helmet, and the two colours; -1 where it shows nothing."""
        if not self.stack:
            return (BLANK, BLANK, BLANK)
        return self.faces[self.stack[-1]]

    def how(self) -> int:
        """The place of the present instruction in GIRDER_HOW or WORKER_HOW, or -1."""
        if not self.discard:
            return BLANK
        card = self.discard[-1]
        return self.worker_how[card] if self.what()[0] == HELMET else self.girder_how[card]

    @property
    def steps(self) -> tuple[tuple[int, ...], ...]:
        """This turn's pieces by step, those of a step together."""
        if not self.units:
            return ()
        last = max([step for step, _ in self.units])
        return tuple([tuple([p for k, unit in self.units if k == step for p in unit]) for step in range(last + 1)])

    def step_of(self, piece: int) -> int:
        """The step that a piece of this turn belongs to, or -1."""
        for step, unit in self.units:
            if piece in unit:
                return step
        return -1

    def unit(self, piece: int) -> list[int]:
        """The pieces that are taken in hand with this one of the present turn; none if it is not taken by itself.

        A hat that has come off lies where it lies and can be taken up alone (MW-A.61).
        """
        worn = {hat for hat, _ in self.measure.worn}
        for _, unit in self.units:
            if piece in unit:
                loose = [p for p in unit if KIND[p] == HAT and p in self.placed and p not in worn]
                if piece == unit[0]:
                    return [p for p in unit if p not in loose]
                return [piece] if piece in loose else []
        return []

    def instruction(self) -> str:
        how = self.how()
        if how == BLANK:
            return ""
        return WORKER_HOW[how] if self.what()[0] == HELMET else GIRDER_HOW[how]

    def verdict(self, step: int | None = None) -> tuple[Finding, ...]:
        """What the judge says to the site as it was measured last; up to a step, or on the whole."""
        raise NotImplementedError

    def reading(self) -> Reading:
        """The last measurement, ready to be asked."""
        return reading(self.measure, self.limits)

    # -- reporting ----------------------------------------------------------------------------------------------

    def report(self, kind: str, clause: str, facts: dict[str, object], audience: tuple[int, ...] | None = None) -> None:
        if self.events is not None:
            self.events.append(Event(kind, clause, facts, audience))


def _numbers(value: object, what: str) -> list[int]:
    if not isinstance(value, list) or not all(isinstance(v, int) and not isinstance(v, bool) for v in value):
        raise ValueError(f"{what} must be a list of whole numbers")
    return list(value)


def settled_site(outcome: Outcome) -> Outcome:
    """The site that an outcome left: what happened on the way is no part of it."""
    if outcome.accident is None and not outcome.fell:
        return outcome
    return replace(outcome, accident=None, fell=())


def standing_site(outcome: Outcome) -> Outcome:
    """The same for the next turn, which has nothing to do with what a hand touched in the last one (MW-J.22)."""
    return replace(outcome, touched=()) if outcome.touched else outcome


def without(outcome: Outcome, gone: Iterable[int]) -> Outcome:
    """A measurement from which pieces have been taken away and nothing else has moved."""
    away = set(gone)
    if not away:
        return outcome
    return Outcome(
        poses=tuple([pose for pose in outcome.poses if pose[0] not in away]),
        tops=tuple([top for top in outcome.tops if top[0] not in away]),
        contacts=tuple([c for c in outcome.contacts if c.a not in away and c.b not in away]),
        worn=tuple([pair for pair in outcome.worn if pair[0] not in away and pair[1] not in away]),
        covers=tuple([c for c in outcome.covers if c[0] not in away and c[1] not in away]),
        settled=outcome.settled,
    )


def with_pieces(
    outcome: Outcome,
    poses: Mapping[int, tuple[int, ...]],
    tops: Mapping[int, int],
    contacts: Iterable[Contact],
    worn: Iterable[tuple[int, int]] = (),
) -> Outcome:
    """A measurement with pieces added, or put elsewhere, and nothing else moved."""
    kept = without(outcome, poses)
    return Outcome(
        poses=tuple(sorted((*kept.poses, *((piece, *pose) for piece, pose in poses.items())))),
        tops=tuple(sorted((*kept.tops, *tops.items()))),
        contacts=(*kept.contacts, *contacts),
        worn=tuple(sorted((*kept.worn, *worn))),
        covers=kept.covers,
    )
