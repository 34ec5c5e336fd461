"""How fast Zahltag runs, beside a compact prototype of it: `python bench/engine.py [--rounds N] [--no-compiled]`.

Everything is measured in one run, in turns, so that whatever else the machine does falls on all alike; the figures
are medians over the rounds, of processor time. A decision is what a Python program has to do for it: ask who decides,
ask what is legal, play. The compiled build (mypyc, the same sources) is measured too where a C compiler is at hand.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
M = 2147483647
A = 48271

# -- what is measured, in a process of its own for each build -----------------------------------------------------


def prototype_decisions(games: int) -> int:
    from prototype_zahltag import END, Zahltag  # type: ignore[import-not-found]

    decided = 0
    for game in range(games):
        s = Zahltag(game * 7919 + 1, 4)
        x = game * 104729 % M + 12345
        while s.phase != END:
            legal = s.legal_actions()
            x = x * A % M
            s.apply(legal[x % len(legal)])
            decided += 1
    return decided


def decisions(games: int, report: bool = False, sealed: bool = False) -> int:
    from shopfloor.engine.dice import Dice, FastDice, SealedDice
    from shopfloor.games.zahltag import GAME, cards, rules

    edition = cards.load()
    options = {option.id: option.default for option in GAME.options}
    decided = 0
    for game in range(games):
        dice: Dice = SealedDice(game.to_bytes(32, "big")) if sealed else FastDice(game)
        s = rules.start(4, dice, options, edition, report)
        x = game * 104729 % M + 12345
        while deciders := s.deciders():
            seat = deciders[0]
            legal = s.legal(seat)
            x = x * A % M
            s.play(seat, legal[x % len(legal)])
            decided += 1
    return decided


def _middle() -> Any:
    """A position in the middle of a game, with a Job on offer."""
    from shopfloor.engine.dice import FastDice
    from shopfloor.games.zahltag import GAME, cards, rules

    options = {option.id: option.default for option in GAME.options}
    s = rules.start(4, FastDice(1), options, cards.load())
    x = 99
    while s.turn < 12 or s.phase != rules.BIDDING:
        seat = s.deciders()[0]
        x = x * A % M
        s.play(seat, s.legal(seat)[x % len(s.legal(seat))])
    return s


def prototype_clones(times: int) -> int:
    from prototype_zahltag import Zahltag

    s = Zahltag(1, 4)
    for _ in range(times):
        s.clone()
    return times


def clones(times: int) -> int:
    s = _middle()
    for _ in range(times):
        s.clone()
    return times


def imagined(times: int) -> int:
    from shopfloor.engine.dice import FastDice

    s = _middle()
    dice = FastDice(1)
    for i in range(times):
        s.imagine(i & 3, dice)
    return times


TASKS: dict[str, Callable[[], int]] = {
    "prototype, decisions": lambda: prototype_decisions(150),
    "decisions": lambda: decisions(150),
    "decisions, events reported": lambda: decisions(50, report=True),
    "decisions, sealed dice": lambda: decisions(100, sealed=True),
    "prototype, clones": lambda: prototype_clones(10000),
    "clones": lambda: clones(10000),
    "imagined positions": lambda: imagined(4000),
}


def work() -> None:
    """Do the tasks that come in, line by line; answer with what was done and the seconds it took."""
    for line in sys.stdin:
        start = process_time()
        done = TASKS[line.strip()]()
        print(json.dumps([done, process_time() - start]), flush=True)


# -- the measuring ------------------------------------------------------------------------------------------------


class Worker:
    def __init__(self, *paths: Path) -> None:
        path = os.pathsep.join(map(str, paths))
        self.process = subprocess.Popen(
            [sys.executable, "-P", str(Path(__file__).resolve()), "--work"],
            env=os.environ | {"PYTHONPATH": path},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )

    def rate(self, task: str) -> float:
        """Units a second."""
        assert self.process.stdin
        assert self.process.stdout
        print(task, file=self.process.stdin, flush=True)
        done, seconds = json.loads(self.process.stdout.readline())
        return float(done) / float(seconds)

    def close(self) -> None:
        self.process.communicate()


def measure(rounds: int, compiled: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        workers = {"interpreted": Worker(ROOT / "src", ROOT / "bench")}
        if compiled:
            from bench.compiled import build, build_prototype, can_compile

            if can_compile():
                print("compiling ...", file=sys.stderr, flush=True)
                paths = build(Path(folder) / "shopfloor"), build_prototype(Path(folder) / "prototype")
                workers["compiled"] = Worker(*paths)
            else:
                print("there is no C compiler here; interpreted only", file=sys.stderr)
        rates: dict[tuple[str, str], list[float]] = {(task, build): [] for task in TASKS for build in workers}
        for worker in workers.values():
            for task in TASKS:
                worker.rate(task)  # imports, caches
        for done in range(rounds):
            print(f"\rround {done + 1} of {rounds}", end="", file=sys.stderr, flush=True)
            for task in TASKS:
                for build_name, worker in workers.items():
                    rates[task, build_name].append(worker.rate(task))
        print(file=sys.stderr)
        for worker in workers.values():
            worker.close()
    report(rates, list(workers))


def report(rates: dict[tuple[str, str], list[float]], builds: list[str]) -> None:
    print(f"Python {sys.version.split()[0]}; a second of processor time, median (lowest to highest)")
    for build_name in builds:
        print(f"\n{build_name}")
        for task in TASKS:
            found = rates[task, build_name]
            print(f"  {task:28} {median(found):12,.0f}   ({min(found):,.0f} to {max(found):,.0f})")
        for unit in ("decisions", "clones"):
            ours, prototypes = rates[unit, build_name], rates[f"prototype, {unit}", build_name]
            ratios = [a / b for a, b in zip(ours, prototypes, strict=True)]
            print(f"  {unit} against the prototype: {median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})")
    if len(builds) > 1:
        ratios = [a / b for a, b in zip(rates["decisions", builds[1]], rates["decisions", builds[0]], strict=True)]
        print(f"\ndecisions, {builds[1]} against {builds[0]}: {median(ratios):.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--no-compiled", action="store_true")
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.work:
        work()
    else:
        measure(max(1, arguments.rounds), not arguments.no_compiled)


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    main()
