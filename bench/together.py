"""What a second process brings to a decision: `python bench/together.py [--game zahltag] [--processes 2]`.

Worlds a second, one process against several in turn at the same decisions, on the wall; and (`--minutes`) games of one
against several with the same time for a decision, rotated seats. By the clock of the thread (`--thread`) each process
has all of that time as computing of its own, as if it had a core to itself: for machines with other work to do.
Give it a compiled build's folder in PYTHONPATH to measure that.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parent.parent


def speeds(game_id: str, players: int, budget: float, processes: int, wanted: int) -> None:
    """Print worlds a second of one process and of several, and how well the time was kept."""
    from shopfloor.bots import Seat, make_bot
    from shopfloor.bots.together import TogetherBot
    from shopfloor.engine.dice import FastDice
    from shopfloor.games import REGISTRY

    game = REGISTRY.get(game_id)
    rng = Random(1)
    found: dict[int, list[float]] = {1: [], processes: []}
    parts: dict[int, list[float]] = {1: [], processes: []}
    TogetherBot(0, processes, iterations=20).choose(_first(game, players))  # so that the helpers are there
    deal = 0
    while len(found[1]) < wanted:
        deal += 1
        s = game.start(players, FastDice(deal))
        quick = make_bot("greedy", deal)
        while not s.over():
            for number in s.deciders():
                seat = Seat(game, s, number, FastDice(deal))
                if len(s.legal(number)) > 1 and rng.random() < 0.05:
                    row = {}
                    for count in rng.sample([1, processes], 2):
                        bot = TogetherBot(deal, count, budget)
                        began = time.perf_counter()
                        bot.choose(seat)
                        row[count] = (bot.worlds, time.perf_counter() - began)
                    if all(seconds > 0.8 * budget for _, seconds in row.values()):  # settled by neither before the end
                        for count, (worlds, seconds) in row.items():
                            found[count].append(worlds / seconds)
                            parts[count].append(seconds / budget)
                s.play(number, quick.choose(seat))
    for count in (1, processes):
        late = sum(part > 1.1 for part in parts[count])
        print(
            f"{game_id}, {players} players, {budget:g} s, {count} process(es): {median(found[count]):.0f} worlds/s; "
            f"of the time: median {median(parts[count]):.2f}, longest {max(parts[count]):.2f}, {late} over 1.1"
        )
    ratios = [several / one for one, several in zip(found[1], found[processes], strict=True)]
    print(f"ratio, median of {len(ratios)} decisions: {median(ratios):.2f}", flush=True)


def _first(game: Any, players: int) -> Any:
    from shopfloor.bots import Seat
    from shopfloor.engine.dice import FastDice

    s = game.start(players, FastDice(0))
    return Seat(game, s, s.deciders()[0], FastDice(0))


def games(
    game_id: str, players: int, budget: float, processes: int, minutes: float, thread: bool, own: int, deal: int
) -> None:
    """Print the share of victories of several processes against one. own: how many the others have."""
    from shopfloor.bots import Bot, Seat
    from shopfloor.bots.together import TogetherBot
    from shopfloor.engine.dice import FastDice
    from shopfloor.games import REGISTRY
    from shopfloor.lab.intervals import share_interval

    game = REGISTRY.get(game_id)
    clock = time.thread_time if thread else time.perf_counter
    end = time.monotonic() + 60.0 * minutes
    share, played = 0.0, 0
    while time.monotonic() < end:
        for me in range(players):
            s = game.start(players, FastDice(deal))
            dice = FastDice(7 * deal + me + 1)
            bots: list[Bot] = [
                TogetherBot(dice.below(2**31), processes if seat == me else own, budget, clock=clock)
                for seat in range(players)
            ]
            while not s.over():
                for seat in s.deciders():
                    s.play(seat, bots[seat].choose(Seat(game, s, seat, dice)))
            share += s.returns()[me]
            played += 1
        deal += 1
    low, high = share_interval(share / played, played)
    print(
        f"{game_id}, {players} players, {budget:g} s {'of each process' if thread else 'on the wall'}: {processes} "
        f"against {own}: {share / played:.1%} ({low:.1%} to {high:.1%}) of {played} games; even: {1 / players:.1%}"
    )


def main() -> None:
    from shopfloor.bots import search

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--game", default="zahltag")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--budget", type=float, default=0.5)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--decisions", type=int, default=20)
    parser.add_argument("--minutes", type=float, default=0.0)
    parser.add_argument("--thread", action="store_true")
    parser.add_argument("--against", type=int, default=1)
    parser.add_argument("--deal", type=int, default=0, help="the first one, to go on where another run ended")
    one = parser.parse_args()
    print(f"search from {search.__file__}", flush=True)
    if one.decisions:
        speeds(one.game, one.players, one.budget, one.processes, one.decisions)
    if one.minutes:
        games(one.game, one.players, one.budget, one.processes, one.minutes, one.thread, one.against, one.deal)


if __name__ == "__main__":
    sys.path.append(str(ROOT / "src"))  # at the end: PYTHONPATH goes first
    main()
