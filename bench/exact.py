"""Measures what the levels lose to an opponent who knows them, where Zahltag of two can be solved: its last Job.

    python bench/exact.py --positions 20 --samples 60 --page docs/lab/exact.md

Positions come from games of greedy players, at the sealed bids for the last Job before the fifth Payday; both firms can
do it, and it is not decided. Each level's strategy is how often it chose what, over so many decisions.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator
from pathlib import Path

from shopfloor.bots import KNOWN, Seat, make_bot
from shopfloor.engine.dice import FastDice
from shopfloor.engine.state import State
from shopfloor.games import REGISTRY
from shopfloor.lab.exact import Matrix, Solver
from shopfloor.lab.intervals import mean_interval

GAME = REGISTRY.get("zahltag")
OPEN = 0.03  # the least that each side can make sure of in a position that is not decided


def last_jobs() -> Iterator[State]:
    """Positions in which both seal their bids for the last Job."""
    for seed in range(100_000):
        state = GAME.start(2, FastDice(seed))
        dice = FastDice(seed + 1)
        bots = [make_bot("greedy", seed + 2 + seat) for seat in range(2)]
        while state.deciders():
            bare: object = state
            if len(state.deciders()) == 2 and getattr(bare, "paydays_executed", 0) == 4:
                ahead = state.clone()
                if getattr(ahead, "able", 0) == 3 and len(getattr(ahead, "job_row", ())) >= 8:
                    yield state.clone()
            for seat in state.deciders():
                state.play(seat, bots[seat].choose(Seat(GAME, state, seat, dice)))


def strategy(level: str, state: State, seat: int, actions: tuple[int, ...], samples: int, budget: float) -> list[float]:
    counts = dict.fromkeys(actions, 0)
    for n in range(samples):
        bot = make_bot(level, 1000 + n, budget, time.thread_time)
        counts[bot.choose(Seat(GAME, state, seat, FastDice(77 + n)))] += 1
    return [counts[action] / samples for action in actions]


def positions(wanted: int) -> list[tuple[State, Matrix, float]]:
    found: list[tuple[State, Matrix, float]] = []
    for state in last_jobs():
        matrix = Solver().matrix(state)
        value = matrix.solve()[0]
        if OPEN < value < 1.0 - OPEN:
            found.append((state, matrix, value))
            if len(found) == wanted:
                break
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=20)
    parser.add_argument("--samples", type=int, default=60)
    parser.add_argument("--budget", type=float, default=0.1)
    parser.add_argument("--page", type=Path)
    args = parser.parse_args()
    seen = positions(args.positions)
    lines = [
        "| level | lost on average | 95 % | lost at most |",
        "| --- | ---: | --- | ---: |",
    ]
    for level in KNOWN:
        lost = []
        for state, matrix, value in seen:
            for seat in (0, 1):
                fair = value if seat == 0 else 1.0 - value
                played = strategy(level, state, seat, matrix.actions[seat], args.samples, args.budget)
                lost.append(max(0.0, fair - matrix.sure(seat, played)))
        mean, low, high = mean_interval([(a + b) / 2 for a, b in zip(lost[::2], lost[1::2], strict=True)])
        lines.append(
            f"| {level} | {100 * mean:.1f} % | {100 * max(0.0, low):.1f} to {100 * high:.1f} % | {100 * max(lost):.0f} % |"
        )
        print(lines[-1], flush=True)
    if args.page is not None and math.isfinite(mean):
        command = (
            f"python bench/exact.py --positions {args.positions} --samples {args.samples} --budget {args.budget:g}"
        )
        args.page.write_text(
            PAGE.format(
                count=len(seen), samples=args.samples, budget=args.budget, table="\n".join(lines), command=command
            ),
            encoding="utf-8",
        )


PAGE = """# What the levels lose to who knows them

Zahltag of two, cut down to what can be solved exactly: the sealed bids for the last Job before the fifth Payday, both
firms able to do it, and the victory still open. With two players the open stacks give both hands away, so nothing is
hidden there but the bids. All that can follow is gone through, and the bids are a matrix game, solved by linear
programming. A level's strategy is how often it chose what over {samples} decisions, thinking at most {budget:g} s; what it
loses is the share of the victory that it gives away to an opponent who knows this strategy and plays on as well as can
be. Counted so, a level that chooses by chance seems to lose a little more than it does, and one that always chooses the
same can lose much to who knows it, however well it does against others.

Over {count} positions, each from both seats:

{table}

Made by:

```
{command} --page docs/lab/exact.md
```
"""


if __name__ == "__main__":
    main()
