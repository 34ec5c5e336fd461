"""How fast the games run: `python bench/engine.py [--rounds N] [--no-compiled] [--page FILE]`.

Every game on the shelf is measured, and Zahltag beside a compact prototype of it too. Everything is measured in one
run, in turns, so that whatever else the machine does falls on all alike; the figures are medians over the rounds, of
processor time. A decision is what a Python program has to do for it: ask who decides, ask what is legal, play; in a
playout (`engine.playout`) the same is done within the build. The compiled build (mypyc, the same sources) is measured
too where a C compiler is at hand, and so is the prototype in C.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any, Final

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


def decisions(game_id: str, players: int, games: int, report: bool = False, sealed: bool = False) -> int:
    """Play games by the usual rules with random decisions. Returns how many there were."""
    from shopfloor.engine.dice import Dice, FastDice, SealedDice
    from shopfloor.engine.options import resolve_options
    from shopfloor.games import REGISTRY

    game = REGISTRY.get(game_id)
    edition = game.edition()
    options = resolve_options(game.options, {}, players)
    decided = 0
    for deal in range(games):
        dice: Dice = SealedDice(deal.to_bytes(32, "big")) if sealed else FastDice(deal)
        s = game.rules.start(players, dice, options, edition, report)
        x = deal * 104729 % M + 12345
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


def playouts(game_id: str, players: int, games: int) -> int:
    """Play games at random within the build. Returns how many decisions there were."""
    from shopfloor.engine.dice import FastDice
    from shopfloor.engine.options import resolve_options
    from shopfloor.engine.playout import play_out
    from shopfloor.games import REGISTRY

    game = REGISTRY.get(game_id)
    edition = game.edition()
    options = resolve_options(game.options, {}, players)
    decided = 0
    for deal in range(games):
        decided += play_out(game.rules.start(players, FastDice(deal), options, edition, False), FastDice(deal + 1))
    return decided


def searched(worlds: int) -> int:
    """Think from the middle of a game, playing at random to the end. Returns how many games that were."""
    from shopfloor.bots.search import Search
    from shopfloor.bots.seat import Seat
    from shopfloor.engine.dice import FastDice
    from shopfloor.games.zahltag import GAME

    s = _middle()
    seat = max(s.deciders(), key=lambda seat: len(s.legal(seat)))
    search = Search(Seat(GAME, s, seat, FastDice(1)), FastDice(2), keep=len(s.legal(seat)), rollouts=True)
    for _ in range(worlds):
        search.think()
    return search.tried


def in_c(library: str, games: int) -> int:
    """The prototype's games in C; they must be the very games of the prototype in Python."""
    from prototype_zahltag import run

    code = ctypes.CDLL(library)
    code.run.restype = ctypes.c_int64
    code.run.argtypes = [ctypes.c_int64, ctypes.POINTER(ctypes.c_int64)]
    found = ctypes.c_int64()
    if (code.run(10, ctypes.byref(found)), found.value) != run(10):
        sys.exit("the prototype in C plays other games than the one in Python")
    return int(code.run(games, ctypes.byref(found)))


def imagined(times: int) -> int:
    from shopfloor.engine.dice import FastDice

    s = _middle()
    dice = FastDice(1)
    for i in range(times):
        s.imagine(i & 3, dice)
    return times


TASKS: dict[str, Callable[[], int]] = {
    "prototype, decisions": lambda: prototype_decisions(150),
    "decisions": lambda: decisions("zahltag", 4, 150),
    "decisions, events reported": lambda: decisions("zahltag", 4, 50, report=True),
    "decisions, sealed dice": lambda: decisions("zahltag", 4, 100, sealed=True),
    "prototype, clones": lambda: prototype_clones(10000),
    "clones": lambda: clones(10000),
    "imagined positions": lambda: imagined(4000),
    "search, games to the end": lambda: searched(60),
}
CHECK: Final = "compiled games"
GAMES: Final = 12  # a game on the shelf is played so often in each round, or a multiple of it
LEAST: Final = 0.1  # seconds that a task takes in a round at least; it is done again until then
PLAYOUT: Final = " playout"  # after a game's name: within the build
IN_C: Final = "in C "  # before the library's path


def counts() -> list[tuple[str, str, int]]:
    """Each game on the shelf with its title and the fewest and the most players."""
    from shopfloor.games import REGISTRY

    return [
        (game.id, game.title, players)
        for game in REGISTRY.all()
        for players in sorted({min(game.player_counts), max(game.player_counts)})
    ]


def name(game_id: str, players: int) -> str:
    return f"{game_id} {players}"


def compiled_games() -> int:
    """How many of the games' positions are compiled."""
    from shopfloor.engine.dice import FastDice
    from shopfloor.games import REGISTRY

    kinds = [type(game.start(min(game.player_counts), FastDice(0))) for game in REGISTRY.all()]
    return sum(not str(sys.modules[kind.__module__].__file__).endswith(".py") for kind in kinds)


def perform(task: str) -> int:
    if task in TASKS:
        return TASKS[task]()
    if task.startswith(IN_C):
        return in_c(task.removeprefix(IN_C), 20000)
    inside = task.endswith(PLAYOUT)
    game_id, players = task.removesuffix(PLAYOUT).split(" ")
    return (playouts if inside else decisions)(game_id, int(players), GAMES)


def work() -> None:
    """Do the tasks that come in, line by line; answer with what was done and the seconds it took."""
    for line in sys.stdin:
        if line.strip() == CHECK:
            print(json.dumps([compiled_games(), 0.0]), flush=True)
            continue
        done, start = 0, process_time()
        while True:
            done += perform(line.strip())
            took = process_time() - start
            if took >= LEAST:
                break
        print(json.dumps([done, took]), flush=True)


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

    def ask(self, task: str) -> tuple[int, float]:
        """What was done, and the seconds it took."""
        assert self.process.stdin
        assert self.process.stdout
        print(task, file=self.process.stdin, flush=True)
        done, seconds = json.loads(self.process.stdout.readline())
        return int(done), float(seconds)

    def rate(self, task: str) -> float:
        """Units a second."""
        done, seconds = self.ask(task)
        return done / seconds

    def close(self) -> None:
        self.process.communicate()


Rates = dict[tuple[str, str], list[float]]  # a second, by task and build, round by round


def measure(rounds: int, compiled: bool, made: list[Path]) -> tuple[Rates, list[str]]:
    """The rates, and the names of the builds. made: folders of a compiled build that is there already, if any."""
    names = [name(game_id, players) for game_id, _, players in counts()]
    tasks = [*TASKS, *names, *(each + PLAYOUT for each in names)]
    with tempfile.TemporaryDirectory() as folder:
        workers = {"interpreted": Worker(ROOT / "src", ROOT / "bench")}
        if compiled:
            from bench.compiled import build, build_prototype, build_prototype_in_c, can_compile

            if made:
                workers["compiled"] = Worker(*made)
            elif can_compile():
                print("compiling ...", file=sys.stderr, flush=True)
                paths = build(Path(folder) / "shopfloor"), build_prototype(Path(folder) / "prototype")
                workers["compiled"] = Worker(*paths)
            else:
                print("there is no C compiler here; interpreted only", file=sys.stderr)
        library = build_prototype_in_c(Path(folder)) if compiled and can_compile() else None
        games = len({game_id for game_id, _, _ in counts()})
        for build_name, worker in workers.items():
            found = worker.ask(CHECK)[0]
            if found != (games if build_name == "compiled" else 0):
                sys.exit(f"{build_name}: {found} of {games} games are compiled")
        rates: Rates = {(task, build): [] for task in tasks for build in workers}
        rates[IN_C, IN_C] = []
        for worker in workers.values():
            for task in tasks:
                worker.rate(task)  # imports, caches
        for done in range(rounds):
            print(f"\rround {done + 1} of {rounds}", end="", file=sys.stderr, flush=True)
            for task in tasks:
                for build_name, worker in workers.items():
                    rates[task, build_name].append(worker.rate(task))
            if library is not None:
                rates[IN_C, IN_C].append(workers["interpreted"].rate(f"{IN_C}{library}"))
        print(file=sys.stderr)
        for worker in workers.values():
            worker.close()
    return rates, list(workers)


def rates_between(rates: Rates, above: tuple[str, str], below: tuple[str, str]) -> list[float]:
    """One rate against another, round by round."""
    return [a / b for a, b in zip(rates[above], rates[below], strict=True)]


def ratio(rates: Rates, above: tuple[str, str], below: tuple[str, str]) -> tuple[float, float, float]:
    """Median, lowest and highest of one rate against another, round by round."""
    found = rates_between(rates, above, below)
    return median(found), min(found), max(found)


def markdown(rates: Rates, builds: list[str], rounds: int, command: str) -> str:
    """What was measured, as a page."""
    lines = [
        "# How fast the games run",
        "",
        "Decisions a second of processor time, as a Python program gets them: it asks who decides, asks what is legal,",
        "and plays one of it at random, from the set-up to the end of the game. Medians (lowest to highest) of",
        f"{rounds} rounds in one run, in which the builds took turns; Python {sys.version.split()[0]}. Both builds are",
        "made of the same sources; setup.py says how the compiled one is made.",
        "",
        f"| game | players | {' | '.join(builds)} |" + (" gain |" if len(builds) > 1 else ""),
        "| --- | ---: |" + " ---: |" * (len(builds) + (len(builds) > 1)),
    ]
    lines += _games(rates, builds, "")
    lines += [
        "",
        "The same within the build (`shopfloor.engine.playout.play_out`), with nothing interpreted between decisions:",
        "",
        f"| game | players | {' | '.join(builds)} |" + (" gain |" if len(builds) > 1 else ""),
        "| --- | ---: |" + " ---: |" * (len(builds) + (len(builds) > 1)),
        *_games(rates, builds, PLAYOUT),
    ]
    if rates[IN_C, IN_C]:
        playout = name("zahltag", 4) + PLAYOUT
        lines += [
            "",
            f"The prototype of Zahltag, 4 players, written in C makes {_cell(rates[IN_C, IN_C])} decisions a second;",
            "a playout of the real rules takes so many times as long: "
            + ", ".join(f"{_cell(rates_between(rates, (IN_C, IN_C), (playout, build)), 1)} {build}" for build in builds)
            + ".",
        ]
    lines += [
        "",
        "Zahltag with 4 players, beside a compact prototype of it that knows no events, views or refusals:",
        "",
        f"| | {' | '.join(builds)} |",
        "| --- |" + " ---: |" * len(builds),
    ]
    lines += [f"| {task} | {' | '.join(_cell(rates[task, build]) for build in builds)} |" for task in TASKS]
    for unit in ("decisions", "clones"):
        cells = []
        for build in builds:
            middle, low, high = ratio(rates, (unit, build), (f"prototype, {unit}", build))
            cells.append(f"{middle:.2f} ({low:.2f} to {high:.2f})")
        lines.append(f"| {unit}, against the prototype's | {' | '.join(cells)} |")
    return "\n".join([*lines, "", "Made by:", "", "```", command, "```", ""])


def _games(rates: Rates, builds: list[str], how: str) -> list[str]:
    lines = []
    for game_id, title, players in counts():
        task = name(game_id, players) + how
        cells = [_cell(rates[task, build]) for build in builds]
        if len(builds) > 1:
            cells.append(f"{ratio(rates, (task, builds[1]), (task, builds[0]))[0]:.1f}")
        lines.append(f"| {title} | {players} | {' | '.join(cells)} |")
    return lines


def _cell(found: list[float], digits: int = 0) -> str:
    return f"{median(found):,.{digits}f} ({min(found):,.{digits}f} to {max(found):,.{digits}f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--no-compiled", action="store_true")
    parser.add_argument("--compiled", type=Path, nargs="+", default=[], help="folders of a compiled build to measure")
    parser.add_argument("--page", type=Path, help="also write what is printed to this file")
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.work:
        work()
        return
    rounds = max(1, arguments.rounds)
    rates, builds = measure(rounds, not arguments.no_compiled, arguments.compiled)
    parts = ["python bench/engine.py", f"--rounds {rounds}"]
    parts += ["--no-compiled"] * arguments.no_compiled
    parts += [f"--page {arguments.page.as_posix()}"] * (arguments.page is not None)
    page = markdown(rates, builds, rounds, " ".join(parts))
    print(page)
    if arguments.page is not None:
        arguments.page.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    # At the end: a worker gets its build by PYTHONPATH.
    sys.path += [str(ROOT), str(ROOT / "src")]
    main()
