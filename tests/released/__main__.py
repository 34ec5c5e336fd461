"""Keeps games of this version for good: `python -m tests.released`, once for each version that is released.

The games are those of the golden playthroughs, and the beginning of one of Men at Work on a simulated site. What is
kept of a released version is never written again (of one that is not, delete its folder first); `shopfloor corpus
tests/released` says which games have changed since, and where.
"""

from __future__ import annotations

import importlib.metadata
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

from shopfloor.engine import corpus
from shopfloor.engine.dice import FastDice
from shopfloor.engine.records import Record, dump, record_of
from shopfloor.games import REGISTRY
from tests.golden.traces import TRACES, Trace
from tests.playing import to_the_end

FOLDER: Final = Path(__file__).parent
BY_HAND: Final = 24  # decisions of the game on a simulated site: a measured site is long


def games() -> Iterator[tuple[str, Record]]:
    for trace in TRACES:
        yield trace.name, played(trace)
    yield "men_at_work-2-by-hand", built()


def played(trace: Trace) -> Record:
    game = REGISTRY.get(trace.game)
    state = game.start(trace.players, FastDice(trace.seed), trace.options)
    made = to_the_end(state, Random(trace.seed), trace.lean)
    return record_of(game, game.edition(), trace.seed, trace.players, trace.options, made, state)


def built() -> Record:
    from shopfloor.games.men_at_work import GAME
    from shopfloor.games.men_at_work import actions as a
    from shopfloor.games.men_at_work.builder import Builder
    from shopfloor.games.men_at_work.carrier import carry
    from shopfloor.games.men_at_work.levels import level
    from shopfloor.games.men_at_work.rules import MenAtWork
    from shopfloor.games.men_at_work.works import Works

    state = GAME.start(2, FastDice(12))
    assert isinstance(state, MenAtWork)
    works = Works(state)
    builders = [Builder(level("journeyman"), seat) for seat in range(2)]
    made: list[tuple[int, int]] = []
    outcomes: list[tuple[int, str]] = []

    def act(action: int) -> None:
        made.append((state.hook, action))
        outcome = works.act(action)
        if outcome is not None:
            outcomes.append((len(made), outcome.encode()))

    while len(made) < BY_HAND:
        plan = builders[state.hook].plan(state.imagine(state.hook, FastDice(len(made))), site=works.site)
        act(a.DESIGN if plan.design is not None else plan.action)
        if plan.route is not None:
            carry(works.site, plan.route)
            act(a.RELEASE)
    return record_of(GAME, GAME.edition(), 12, 2, dict(state.options), made, state, outcomes=outcomes)


def main() -> None:
    folder = FOLDER / importlib.metadata.version("shopfloor")
    if folder.exists():
        sys.exit(f"{folder} is there already: what was released does not change.")
    folder.mkdir()
    for name, record in games():
        game = REGISTRY.get(record.game)
        file = folder / f"{name}.jsonl"
        file.write_text(dump(record, game.space(game.edition()).name), encoding="utf-8")
        corpus.beside(file).write_text(corpus.write(corpus.trace(record, game)), encoding="utf-8")
        print(file)


if __name__ == "__main__":
    main()
