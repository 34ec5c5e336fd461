"""What a player can decide in Worker Placement, and the table that numbers it.

0          done: confirm what has been chosen
1          pass a bid
2          skip a placement (WP-A13)
3          pay: fill the Job with the cheapest payment that the table proposes
4 - 11     bid on the space 0 - 7
12 - 19    go to a building that needs no further choice, the Casino or (never allowed) the Peer Networking Group
20 - 23    Life Coach: give up a cube of skill 0 - 3
24 - 27    a cube of skill 0 - 3: take it, or pay with it
28 - 33    draft: which of the three cards is kept, passed and sent to the network
34 - 38    the seat that an effect concerns
39 - 48    recall a meeple from building 0 - 9
49 - 111   a Business card: pick it, use it or discard it
112 - 127  Career Consultants: play this Management card
128 - 169  a Job: fill it, or put it under the deck
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import Final

from shopfloor.engine.actions import Action, ActionSpace


class Skill(IntEnum):
    """The four skills, in the order used everywhere (WP-1.7). Where a fifth count stands, it is the wild skill."""

    CLERICAL = 0
    LABOUR = 1
    TECH = 2
    LIFE = 3


WILD: Final = 4


class Building(IntEnum):
    """The ten buildings for meeples (WP-1.3), and the network, which only hosts the auction (WP-1.4)."""

    CITY_COLLEGE = 0
    REC_CENTRE = 1
    TRADE_SCHOOL = 2
    HACKERS_CLUB = 3
    LIFE_COACH = 4
    HEALTH_SPA = 5
    JOB_CENTRE = 6
    CALL_CENTRE = 7
    CAREER_CONSULTANTS = 8
    CASINO = 9
    NETWORK = 10


BUSINESS_CARDS: Final = 63
FIRST_SKILL: Final = 24
FIRST_MANAGEMENT: Final = 47
JOBS: Final = 42

DONE: Final = 0
PASS: Final = 1
SKIP: Final = 2
PAY: Final = 3
BID: Final = 4
GO: Final = 12
COACH: Final = 20
CUBE: Final = 24
DRAFT: Final = 28
TARGET: Final = 34
RECALL: Final = 39
CARD: Final = 49
CONSULT: Final = 112
JOB: Final = 128
SIZE: Final = 170

# The buildings of the actions GO and following.
PLAIN: Final = [0, 1, 2, 3, 5, 7, 9, 10]
GO_CASINO: Final = GO + 6
GO_NETWORK: Final = GO + 7

# The six splits of three cards: places of the kept, the passed and the networked one.
SPLITS: Final = [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]


@dataclass(frozen=True)
class Done(Action):
    def __str__(self) -> str:
        return "done"


@dataclass(frozen=True)
class Pass(Action):
    def __str__(self) -> str:
        return "pass"


@dataclass(frozen=True)
class Skip(Action):
    def __str__(self) -> str:
        return "skip"


@dataclass(frozen=True)
class Pay(Action):
    """Fill the chosen Job with the payment that the table proposes (WP-A24: one without anything to spare)."""

    def __str__(self) -> str:
        return "pay"


@dataclass(frozen=True)
class Bid(Action):
    """A meeple on a bid space, counted from the left (WP-7.2)."""

    space: int

    def __str__(self) -> str:
        return f"bid {self.space}"


@dataclass(frozen=True)
class Go(Action):
    building: Building

    def __str__(self) -> str:
        return f"go {self.building.name.lower()}"


@dataclass(frozen=True)
class Coach(Action):
    """To the Life Coach, giving up a cube of this skill."""

    skill: Skill

    def __str__(self) -> str:
        return f"coach {self.skill.name.lower()}"


@dataclass(frozen=True)
class Cube(Action):
    skill: Skill

    def __str__(self) -> str:
        return f"cube {self.skill.name.lower()}"


@dataclass(frozen=True)
class Draft(Action):
    """A split of the three dealt cards, each by its place among them, 1 to 3."""

    keep: int
    pass_on: int
    network: int

    def __str__(self) -> str:
        return f"keep {self.keep} pass {self.pass_on} network {self.network}"


@dataclass(frozen=True)
class Target(Action):
    seat: int

    def __str__(self) -> str:
        return f"target {self.seat}"


@dataclass(frozen=True)
class Recall(Action):
    building: Building

    def __str__(self) -> str:
        return f"recall {self.building.name.lower()}"


@dataclass(frozen=True)
class Card(Action):
    """A Business card by its number in the edition; `id` is what is printed in the edition's file."""

    card: int
    id: str

    def __str__(self) -> str:
        return f"card {self.id}"


@dataclass(frozen=True)
class Consult(Action):
    """To the Career Consultants with this Management card."""

    card: int
    id: str

    def __str__(self) -> str:
        return f"consult {self.id}"


@dataclass(frozen=True)
class Job(Action):
    job: int
    id: str

    def __str__(self) -> str:
        return f"job {self.id}"


def _distinct(ids: tuple[str, ...]) -> list[str]:
    """Ids of single cards: further copies of a card get a number."""
    seen: dict[str, int] = {}
    found = []
    for name in ids:
        seen[name] = seen.get(name, 0) + 1
        found.append(name if seen[name] == 1 else f"{name} copy {seen[name]}")
    return found


@lru_cache(maxsize=64)
def make_space(business_ids: tuple[str, ...], job_ids: tuple[str, ...]) -> ActionSpace:
    """The table for an edition with these 63 Business cards and 42 Jobs."""
    business = _distinct(business_ids)
    actions: list[Action] = [Done(), Pass(), Skip(), Pay()]
    actions += [Bid(space) for space in range(8)]
    actions += [Go(Building(building)) for building in PLAIN]
    actions += [Coach(skill) for skill in Skill]
    actions += [Cube(skill) for skill in Skill]
    actions += [Draft(a + 1, b + 1, c + 1) for a, b, c in SPLITS]
    actions += [Target(seat) for seat in range(5)]
    actions += [Recall(Building(building)) for building in range(10)]
    actions += [Card(card, name) for card, name in enumerate(business)]
    actions += [Consult(card, business[card]) for card in range(FIRST_MANAGEMENT, BUSINESS_CARDS)]
    actions += [Job(job, name) for job, name in enumerate(_distinct(job_ids))]
    aliases = {"commit": DONE}
    for skill in Skill:
        aliases[f"take {skill.name}"] = CUBE + skill
        aliases[f"life_coach {skill.name}"] = COACH + skill
    for i, building in enumerate(PLAIN):
        aliases[Building(building).name] = GO + i
    for i, (a, b, _) in enumerate(SPLITS):
        aliases[f"keep {a + 1} pass {b + 1}"] = DRAFT + i
    for verb in ("pick", "use", "discard"):
        for card, name in enumerate(business):
            aliases[f"{verb} {name}"] = CARD + card
    return ActionSpace(actions, aliases)
