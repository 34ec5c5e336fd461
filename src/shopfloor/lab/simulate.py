"""Many games between computer players, added up by seat."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from shopfloor.bots import KNOWN, UnknownLevel
from shopfloor.engine.dice import FastDice
from shopfloor.engine.game import Edition, Game
from shopfloor.games import REGISTRY
from shopfloor.lab.match import Log, Outcome, play_game
from shopfloor.lab.observations import Observer
from shopfloor.lab.processes import spread

CHUNK_SECONDS: Final = 0.5


@dataclass(frozen=True)
class SeatResult:
    """What came of one seat over all games.

    places[k]: how often it came in on place k + 1. share: its mean share of the victory. place: its mean place.
    values: the mean of each ranking criterion, in the order of `Result.criteria`.
    """

    seat: int
    level: str
    places: tuple[int, ...]
    share: float
    place: float
    values: tuple[float, ...]


@dataclass(frozen=True)
class Result:
    """What came of a simulation. decisions: mean, fewest and most a game. seconds: by the clock on the wall."""

    game: str
    players: int
    games: int
    seed: int
    criteria: tuple[str, ...]
    seats: tuple[SeatResult, ...]
    decisions: tuple[float, int, int]
    seconds: float

    @property
    def games_per_second(self) -> float:
        return self.games / self.seconds if self.seconds > 0 else 0.0

    @property
    def decisions_per_second(self) -> float:
        return self.decisions[0] * self.games_per_second


@dataclass(frozen=True)
class Played:
    """One game of a simulation. levels: by seat. log: None if nobody wanted it."""

    seed: int
    levels: tuple[str, ...]
    outcome: Outcome
    log: Log | None


class Sink(Protocol):
    """Keeps the games of a simulation, e.g. in a file. observations: whether it wants what the seats knew."""

    @property
    def observations(self) -> bool: ...

    def add(self, played: Sequence[Played]) -> None:
        """Called with the games in the order of their seeds, some at a time."""
        ...


@dataclass(frozen=True)
class _Chunk:
    game: str
    levels: tuple[str, ...]
    seeds: tuple[int, ...]
    budget: float | None
    options: dict[str, str]
    edition: str | None
    logs: bool
    observations: bool


def _play(chunk: _Chunk) -> list[Played]:
    game = REGISTRY.get(chunk.game)
    return _play_here(game, game.edition(chunk.edition), chunk)


def _play_here(game: Game, edition: Edition, chunk: _Chunk) -> list[Played]:
    observer = Observer(game, len(chunk.levels), edition) if chunk.observations else None
    done = []
    for seed in chunk.seeds:
        log = Log(observer) if chunk.logs else None
        outcome = play_game(game, edition, chunk.levels, seed, chunk.budget, chunk.options, log=log)
        if log is not None:
            log.observer = None  # it is the same for all, and need not travel between processes
        done.append(Played(seed, chunk.levels, outcome, log))
    return done


def seat_levels(players: int, bots: Sequence[str] | str) -> tuple[str, ...]:
    """A level for each seat, from one for all or one each. Raises UnknownLevel; ValueError for another number."""
    levels = (bots,) * players if isinstance(bots, str) else tuple(bots)
    if len(levels) == 1:
        levels *= players
    if len(levels) != players:
        raise ValueError(f"{len(levels)} levels for {players} seats; give one for all, or one for each seat")
    for level in levels:
        if level not in KNOWN:
            raise UnknownLevel(level, KNOWN)
    return levels


def simulate(
    game: str,
    players: int,
    games: int,
    seed: int = 0,
    bots: Sequence[str] | str = "random",
    options: Mapping[str, str] | None = None,
    edition: str | Path | None = None,
    on_progress: Callable[[int, int], None] | None = None,
    processes: int = 1,
    budget: float | None = None,
    sinks: Sequence[Sink] = (),
) -> Result:
    """Play `games` games and add them up.

    game: an id of the registry. bots: a level for all seats, or one for each. seed: the first game's; the others
    follow it, so the same call gives the same games, where no player thinks by the clock. options: table options.
    edition: a folder, or None. on_progress: called with (games done, games in all). budget: seconds a decision for
    levels that think. sinks: what keeps the games, each by itself; for the sums nothing needs to.

    Raises UnknownGame, UnknownLevel, BadSetup, EditionError; ValueError for other numbers that make no sense.
    """
    if games < 1:
        raise ValueError(f"at least 1 game is needed, not {games}")
    if seed < 0:
        raise ValueError(f"a seed is not negative, this one is {seed}")
    if processes < 1:
        raise ValueError(f"at least 1 process is needed, not {processes}")
    found = REGISTRY.get(game)
    cards = found.edition(edition)
    levels = seat_levels(players, bots)
    play_options = dict(options or {})
    folder = None if edition is None else str(edition)
    observations = any(sink.observations for sink in sinks)

    def chunk(seeds: range) -> _Chunk:
        return _Chunk(game, levels, tuple(seeds), budget, play_options, folder, bool(sinks), observations)

    if players not in found.player_counts:
        found.start(players, FastDice(seed), play_options, cards)  # says what is wrong
    started = time.perf_counter()
    # The first game is played here: it tells a wrong set-up at once, and how long a game takes.
    first = _play_here(found, cards, chunk(range(seed, seed + 1)))
    outcomes = [one.outcome for one in first]
    for sink in sinks:
        sink.add(first)
    took = time.perf_counter() - started
    # Chunks long enough to be worth sending, short enough to show progress and to share out evenly.
    size = max(1, min(200, int(CHUNK_SECONDS / max(took, 1e-6)), -(-(games - 1) // (4 * processes))))
    chunks = [chunk(range(seed + i, seed + min(i + size, games))) for i in range(1, games, size)]
    if on_progress is not None:
        on_progress(1, games)
    waiting: dict[int, list[Played]] = {}
    following = seed + 1
    for _, played in spread(_play, chunks, processes):
        outcomes += [one.outcome for one in played]
        if sinks:
            # Processes finish in any order; what is written must not depend on it.
            waiting[played[0].seed] = played
            while following in waiting:
                ready = waiting.pop(following)
                following += len(ready)
                for sink in sinks:
                    sink.add(ready)
        if on_progress is not None:
            on_progress(len(outcomes), games)
    return _add_up(game, levels, seed, outcomes, time.perf_counter() - started)


def _add_up(game: str, levels: tuple[str, ...], seed: int, outcomes: list[Outcome], seconds: float) -> Result:
    count = len(outcomes)
    players = len(levels)
    criteria = outcomes[0].criteria
    seats = []
    for seat, level in enumerate(levels):
        places = [0] * players
        for outcome in outcomes:
            places[outcome.places[seat] - 1] += 1
        seats.append(
            SeatResult(
                seat=seat,
                level=level,
                places=tuple(places),
                share=sum(outcome.shares[seat] for outcome in outcomes) / count,
                place=sum(k * n for k, n in enumerate(places, 1)) / count,
                values=tuple(sum(o.values[seat][i] for o in outcomes) / count for i in range(len(criteria))),
            )
        )
    lengths = [outcome.decisions for outcome in outcomes]
    return Result(
        game=game,
        players=players,
        games=count,
        seed=seed,
        criteria=criteria,
        seats=tuple(seats),
        decisions=(sum(lengths) / count, min(lengths), max(lengths)),
        seconds=seconds,
    )
