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
from tests.games.men_at_work.leaning import LEANS as MEN_AT_WORK
from tests.games.worker_placement.leaning import LEANS as WORKER_PLACEMENT
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


def eager(state: State, seat: int, legal: Sequence[int], rng: Random) -> int:
    """Says yes to most of what is offered, and tries an assassination now and then, whatever the hand."""
    names = [state.space.name(action) for action in legal]
    tried = [a for a, name in zip(legal, names, strict=True) if name.startswith("attempt")]
    if tried and rng.random() < 0.3:
        return rng.choice(tried)
    wanted = [a for a, name in zip(legal, names, strict=True) if not name.startswith(("attempt", "decline", "stop"))]
    return rng.choice(wanted or legal)


def merchant(state: State, seat: int, legal: Sequence[int], rng: Random) -> int:
    """Bids little, builds what it can, and hardly ever raises cash by hand."""
    names = [state.space.name(action) for action in legal]
    pairs = list(zip(legal, names, strict=True))
    amounts = [a for a, name in pairs if name.startswith(("bid", "fist"))]
    built = [a for a, name in pairs if name.startswith(("build", "double"))]
    if built and rng.random() < 0.8:
        return rng.choice(built)
    if amounts and rng.random() < 0.6:
        return rng.choice(amounts[:6])
    other = [a for a, name in pairs if not name.startswith(("bid", "fist", "raise"))]
    return rng.choice(other if other and rng.random() < 0.98 else [*(other or amounts[:6]), legal[-1]])


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
    Trace("temp_worker_assassins-2", "temp_worker_assassins", 2, 2, {"starting_player": "1"}, eager),
    Trace("temp_worker_assassins-3", "temp_worker_assassins", 3, 3, {}, eager),
    Trace("temp_worker_assassins-4", "temp_worker_assassins", 4, 4, {}, eager),
    Trace(
        "temp_worker_assassins-4-other-rules",
        "temp_worker_assassins",
        4,
        9,
        {
            "departments": "DP18+DP24+DP25+DP32+DP39",
            "no_trashing": "yes",
            "quick_mode": "yes",
            "hard_mode": "yes",
            "may_stop_early": "yes",
            "open_trophies": "yes",
            "tie_break": "fewest_targets",
        },
        eager,
    ),
    *(Trace(f"workshop_of_the_world-{n}", "workshop_of_the_world", n, n, {}, merchant) for n in (2, 3, 4, 5)),
    Trace(
        "workshop_of_the_world-2-other-rules",
        "workshop_of_the_world",
        2,
        17,
        {
            "two_player_faceup": "2",
            "fist_payment": "both",
            "fist_tie": "rebid_then_draw",
            "two_player_sets": "merged",
            "demand1_two": "random_order",
            "finite_bank": "300",
        },
        merchant,
    ),
    Trace(
        "workshop_of_the_world-4-other-rules",
        "workshop_of_the_world",
        4,
        18,
        {
            "auto_raise": "off",
            "broke_rule": "debt",
            "removal": "opponents_first",
            "regamble": "on",
            "revenue_timing": "per_link",
            "crossing": "no_junction",
            "cash_visible": "on",
            "finite_bank": "300",
        },
        merchant,
    ),
    Trace("worker_placement-2", "worker_placement", 2, 2, {"rounds": "5"}, WORKER_PLACEMENT["jobs"]),
    Trace("worker_placement-3", "worker_placement", 3, 3, {"rounds": "5"}, WORKER_PLACEMENT["consult"]),
    Trace("worker_placement-4", "worker_placement", 4, 4, {"rounds": "5"}, WORKER_PLACEMENT["jobs"]),
    Trace("worker_placement-5", "worker_placement", 5, 5, {"rounds": "5"}, WORKER_PLACEMENT["spend"]),
    Trace(
        "worker_placement-4-other-rules",
        "worker_placement",
        4,
        6,
        {
            "rounds": "5",
            "alternate_draft": "true",
            "second_bid_order": "reverse",
            "discard_public": "false",
            "casino_min": "0",
            "thumbs_cap": "20",
            "unlimited_cubes": "true",
            "reshuffle": "at_once",
        },
        WORKER_PLACEMENT["consult"],
    ),
    *(Trace(f"men_at_work-{n}", "men_at_work", n, n, {}, MEN_AT_WORK["careless"]) for n in (2, 3, 4, 5)),
    Trace(
        "men_at_work-4-other-rules",
        "men_at_work",
        4,
        6,
        {
            "foreman": "on",
            "crane": "on",
            "skyscraper": "on",
            "expert": "0+2",
            "rita_jitter": "2",
            "rita_back": "blank",
            "attempt_limit": "5",
            "award_on_tie": "on",
            "foreman_per_turn": "2",
        },
        MEN_AT_WORK["foremen"],
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
