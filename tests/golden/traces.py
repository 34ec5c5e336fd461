"""Golden playthroughs: games that a person can read, kept so that a change in behaviour shows as a difference.

The decisions are drawn at random from the legal ones, leaning as the trace says, and nothing depends on how good
they are: only changed rules, dice, events or words change a trace.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from shopfloor.engine.dice import FastDice
from shopfloor.engine.state import State
from shopfloor.games import REGISTRY
from tests.playing import Lean, anything

FOLDER: Final = Path(__file__).parent
NAMES: Final = ("Ada", "Bo", "Cy", "Dee", "Eve")


def lively(state: State, _seat: int, legal: Sequence[int], rng: Random) -> int:
    """Mostly not the first of the possible actions, which in most games is to do nothing."""
    return rng.choice(legal[1:]) if len(legal) > 1 and rng.random() < 0.75 else legal[0]


def reckless(state: State, seat: int, legal: Sequence[int], rng: Random) -> int:
    """Takes on everybody and undercuts everybody, right into the penalties."""
    names = [state.space.name(action) for action in legal]
    wanted = [a for a, name in zip(legal, names, strict=True) if name.startswith(("add", "bid 1", "bid 2"))]
    return rng.choice(wanted) if wanted and rng.random() < 0.8 else lively(state, seat, legal, rng)


@dataclass(frozen=True)
class Trace:
    name: str
    game: str
    players: int
    seed: int
    options: dict[str, str] = field(default_factory=dict)
    lean: Lean = anything


TRACES: Final = (
    Trace("zahltag-2", "zahltag", 2, 2, {"first_player": "1"}, lively),
    Trace("zahltag-3", "zahltag", 3, 3, {}, lively),
    Trace("zahltag-4", "zahltag", 4, 4, {}, lively),
    Trace(
        "zahltag-4-other-rules",
        "zahltag",
        4,
        271,
        {"setup_adjust": "round_robin", "card_cap": "penalty", "tie_debt": "floor"},
        reckless,
    ),
)


def write(trace: Trace) -> str:
    return "\n".join(_lines(trace)) + "\n"


def _lines(trace: Trace) -> Iterator[str]:
    game = REGISTRY.get(trace.game)
    names = NAMES[: trace.players]
    s = game.start(trace.players, FastDice(trace.seed), trace.options, report=True)
    rng = Random(trace.seed)
    chosen = ", ".join(f"{option}={value}" for option, value in trace.options.items()) or "the usual options"
    yield f"{game.title}: {', '.join(names)}; {chosen}; seed {trace.seed}"
    yield ""
    yield from _told(s, game, names)
    while s.deciders():
        seat = rng.choice(s.deciders())
        legal = s.legal(seat)
        action = trace.lean(s, seat, legal, rng)
        yield f"> {names[seat]}: {s.space.name(action)}    (of {len(legal)})"
        turn_before = repr(s).splitlines()[0]
        s.play(seat, action)
        yield from _told(s, game, names)
        if repr(s).splitlines()[0] != turn_before:
            yield textwrap.indent(repr(s), "    ")
    yield ""
    standing = s.standing()
    for i, rank in enumerate(standing.ranks):
        values = (game.words.criterion_value(c, v) for c, v in zip(standing.criteria, rank.values, strict=True))
        decided = standing.decided_by(i) if i + 1 < len(standing.ranks) else ""
        before_next = f", before the next {game.words.criterion(decided)[1]}" if decided else ""
        yield f"{rank.place}. {names[rank.seat]}: {', '.join(values)}{before_next}"


def _told(s: State, game, names: Sequence[str]) -> Iterator[str]:
    for event in s.drain():
        to = f" [to {', '.join(names[seat] for seat in event.audience)}]" if event.audience is not None else ""
        viewer = event.audience[0] if event.audience else None
        yield f"  {event.clause:8} {game.words.event(event, names, viewer)}{to}"
