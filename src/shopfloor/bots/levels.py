"""The levels of computer players: their names, what they promise, and how each is made.

People choose among `LEVELS`, which mean the same in every game. Those of `RESEARCH` are the plain programs that the
levels are made from, for measuring and learning; tables and records may name them too.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from shopfloor.bots.base import Bot, UnknownLevel
from shopfloor.bots.erring import ErringBot
from shopfloor.bots.greedy import GreedyBot
from shopfloor.bots.master import MasterBot
from shopfloor.bots.nets import SHIPPED, Nets
from shopfloor.bots.random import RandomBot
from shopfloor.bots.search import DEFAULT_BUDGET, SearchBot
from shopfloor.bots.together import TogetherBot
from shopfloor.engine.game import Edition

# Found by measurement, as described with the ladders in docs.
APPRENTICE_CARE: Final = 1.2
JOURNEYMAN_CARE: Final = 3.0


@dataclass(frozen=True)
class Level:
    """A kind of computer player.

    title, promise: for people who choose; the promise is one sentence. below: the level that plays in its place when it
    fails. budget: seconds of thinking a decision, at most; 0 for those that answer at once. limited: may `budget` only
    be lowered?
    """

    name: str
    title: str
    promise: str
    below: str
    budget: float = 0.0
    limited: bool = True


_ALL: Final[tuple[Level, ...]] = (
    Level("random", "Random", "Picks any allowed move; good for trying out the rules.", "random"),
    Level("apprentice", "Apprentice", "Knows what is good and often misses it: for your first games.", "random"),
    Level("journeyman", "Journeyman", "Plays soundly and at once, with a small mistake now and then.", "apprentice"),
    Level("master", "Master", "Makes no careless mistakes and looks ahead, for up to 2 seconds.", "journeyman", 2.0),
    Level("foreman", "Foreman", "Looks ahead in as many imagined games as 5 seconds allow.", "master", 5.0),
    Level("greedy", "Greedy", "Takes what looks best right now, and answers at once.", "random"),
    Level("search", "Search", "Looks ahead for as long as it is given.", "greedy", DEFAULT_BUDGET, limited=False),
)
_BY_NAME: Final = {level.name: level for level in _ALL}

RESEARCH: Final[tuple[str, ...]] = ("greedy", "search")
LEVELS: Final[tuple[str, ...]] = tuple(level.name for level in _ALL if level.name not in RESEARCH)
"""From weak to strong."""
KNOWN: Final[tuple[str, ...]] = (*LEVELS, *RESEARCH)
THINKING: Final[tuple[str, ...]] = tuple(level.name for level in _ALL if level.budget)
"""Those that take time to think."""
TOGETHER: Final[tuple[str, ...]] = ("foreman", "search")
"""Those that can think in several processes: they look at as much as their time allows."""
STAND_IN: Final = "journeyman"
"""Who plays for an absent person, and whom people get who do not choose."""


def level_of(name: str) -> Level:
    """The level of this name. Raises UnknownLevel."""
    if name not in _BY_NAME:
        raise UnknownLevel(name, KNOWN)
    return _BY_NAME[name]


def level_words(name: str) -> tuple[str, str]:
    """A level's title and its promise, for people who choose. Raises UnknownLevel."""
    level = level_of(name)
    return level.title, level.promise


def level_below(name: str) -> str:
    """The level that plays in this one's place when it fails; of the lowest, itself. Raises UnknownLevel."""
    return level_of(name).below


def thinking_time(name: str, most: float | None = None) -> float:
    """The seconds that a level thinks about a decision at most, where it may have `most` (None: what is usual for it).

    0 for levels that answer at once. Raises UnknownLevel.
    """
    level = level_of(name)
    if most is None or not level.budget:
        return level.budget
    return min(most, level.budget) if level.limited else most


def make_bot(
    level: str,
    seed: int,
    budget: float | None = None,
    clock: Callable[[], float] = time.perf_counter,
    nets: Nets = SHIPPED,
    processes: int = 1,
    edition: Edition | None = None,
) -> Bot:
    """A computer player of a level of `KNOWN`.

    seed: the same seed plays the same, as far as its thinking time does not decide. budget: seconds a decision, at
    most, for the levels in `THINKING` (None: what is usual for the level); more than its own does not make a master a
    foreman. clock: what measures them; the time on the wall, or that of the thread where other work must not count.
    nets: trained judgement for those that think: what comes with the games, a folder's, or none (`bots.nets`).
    processes: that think about one decision, for the levels in `TOGETHER`; with more than one, your program's main
    module must be safe to import, and its game is told by `edition` where it is not the one that comes with it.
    Raises UnknownLevel; ValueError for a budget that is not above 0, or no process.
    """
    level_of(level)
    if processes < 1:
        raise ValueError(f"at least one process must think, not {processes}")
    if budget is not None and budget <= 0:
        raise ValueError(f"a budget is more than 0 seconds, this one is {budget}")
    if level == "random":
        return RandomBot(seed)
    if level == "apprentice":
        return ErringBot(seed, APPRENTICE_CARE)
    if level == "journeyman":
        return ErringBot(seed, JOURNEYMAN_CARE)
    if level == "greedy":
        return GreedyBot(seed)
    seconds = thinking_time(level, budget)
    if processes > 1 and level in TOGETHER:
        return TogetherBot(seed, processes, seconds, clock=clock, edition=edition, nets=nets)
    if level == "master":
        return MasterBot(seed, seconds, clock, nets)
    return SearchBot(seed, seconds, clock=clock, nets=nets)
