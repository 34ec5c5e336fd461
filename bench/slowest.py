"""Which decisions are the slowest, and why: `python bench/slowest.py [GAME ...] [--page FILE]`.

Games are played at random, each several times over, so that the least time a decision took is its own and not that of
whatever else the machine did. The slowest tenth of a game's decisions is then told apart by phase and kind of action:
how much of it they are, how long they take against the usual decision, and with what. The reasons below each table are
written by hand; a page that is written again keeps them.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median, quantiles
from time import perf_counter_ns
from typing import Any, Final

ROOT = Path(__file__).resolve().parent.parent
M: Final = 2147483647
A: Final = 48271
BY_HAND: Final = "<!-- by hand -->"
ROWS: Final = 8  # of a table


@dataclass
class Decision:
    """One decision of a game: where it was taken and what, and what it took at least, in nanoseconds.

    asked: for who decides and what is legal. played: for playing it. choices: how many there were.
    revealed: something hidden was turned over.
    """

    phase: str
    kind: str
    choices: int
    revealed: bool
    asked: int
    played: int

    @property
    def time(self) -> int:
        return self.asked + self.played


def phase_names(state: Any) -> tuple[str, ...]:
    """The names of the game's phases, which stand beside the class that has them."""
    for kind in type(state).__mro__:
        names = getattr(sys.modules[kind.__module__], "PHASE_NAMES", None)
        if names:
            return tuple(names)
    return ()


def play(game_id: str, players: int, deal: int) -> list[Decision]:
    """A random game by the usual rules; the same deal is the same game every time."""
    from shopfloor.engine.dice import FastDice
    from shopfloor.engine.options import resolve_options
    from shopfloor.games import REGISTRY

    game = REGISTRY.get(game_id)
    s = game.rules.start(players, FastDice(deal), resolve_options(game.options, {}, players), game.edition(), False)
    names = phase_names(s)
    x = deal * 104729 % M + 12345
    decisions: list[Decision] = []
    while True:
        phase, before = getattr(s, "phase", 0), s.revelations
        start = perf_counter_ns()
        deciders = s.deciders()
        if not deciders:
            return decisions
        seat = deciders[0]
        legal = s.legal(seat)
        asked = perf_counter_ns()
        x = x * A % M
        action = legal[x % len(legal)]
        begun = perf_counter_ns()
        s.play(seat, action)
        done = perf_counter_ns()
        kind = type(s.space.decode(action)).__name__
        name = names[phase] if phase < len(names) else str(phase)
        decisions.append(Decision(name, kind, len(legal), s.revelations != before, asked - start, done - begun))


def measured(game_id: str, players: int, games: int, times: int) -> list[Decision]:
    """All decisions of some games, each with the least times of several plays of its game."""
    found = []
    for deal in range(games):
        plays = [play(game_id, players, deal) for _ in range(times)]
        for same in zip(*plays, strict=True):
            least = same[0]
            least.asked = min(d.asked for d in same)
            least.played = min(d.played for d in same)
            found.append(least)
    return found


def table(decisions: list[Decision]) -> list[str]:
    """The slowest tenth by phase and kind, the largest part first, as rows of a table."""
    usual = median(d.time for d in decisions)
    limit = quantiles([d.time for d in decisions], n=10)[-1]
    groups: dict[tuple[str, str], list[Decision]] = defaultdict(list)
    for d in decisions:
        groups[d.phase, d.kind].append(d)
    slow = {key: [d for d in group if d.time >= limit] for key, group in groups.items()}
    count = sum(map(len, slow.values()))
    whole = sum(d.time for d in decisions)
    lines = [
        f"The usual decision takes {usual / 1000:.2f} us (median), one of the slowest tenth {limit / 1000:.2f} us or "
        f"more; these are {sum(d.time for group in slow.values() for d in group) / whole:.0%} of all the time.",
        "",
        "| phase | decision | of the slowest tenth | of all decisions | of its kind are slow | median, us | "
        "asking, us | playing, us | choices | reveals |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for key in sorted(slow, key=lambda key: -len(slow[key]))[:ROWS]:
        some, group = slow[key], groups[key]
        if not some:
            break
        times = zip(*((d.time, d.asked, d.played) for d in some), strict=True)
        cells = [
            f"{len(some) / count:.0%}",
            f"{len(group) / len(decisions):.0%}",
            f"{len(some) / len(group):.0%}",
            *(f"{median(values) / 1000:.2f}" for values in times),
            f"{fmean(d.choices for d in some):.0f}",
            f"{fmean(d.revealed for d in some):.0%}",
        ]
        lines.append(f"| {key[0]} | {key[1]} | {' | '.join(cells)} |")
    return lines


def work(request: dict[str, Any]) -> list[str]:
    return table(measured(request["game"], request["players"], request["games"], request["times"]))


def asked_of(paths: list[Path], request: dict[str, Any]) -> list[str]:
    """The table that another process makes with the build on these paths."""
    done = subprocess.run(
        [sys.executable, "-P", str(Path(__file__).resolve()), "--work", json.dumps(request)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(map(str, paths))},
        stdout=subprocess.PIPE,
        encoding="utf-8",
        check=True,
    )
    lines: list[str] = json.loads(done.stdout)
    return lines


def kept(page: Path | None) -> dict[str, list[str]]:
    """What is written by hand on a page, by the heading that it stands under."""
    found: dict[str, list[str]] = {}
    heading, by_hand = "", False
    for line in page.read_text(encoding="utf-8").splitlines() if page is not None and page.exists() else []:
        if line.startswith("## "):
            heading, by_hand = line[3:], False
        elif line == BY_HAND:
            by_hand = True
        elif by_hand:
            found.setdefault(heading, []).append(line)
    return {heading: "\n".join(lines).strip().splitlines() for heading, lines in found.items()}


def sections(page: Path | None) -> dict[str, str]:
    """The whole sections of a page, by heading."""
    text = page.read_text(encoding="utf-8") if page is not None and page.exists() else ""
    return {part.partition("\n")[0]: part.partition("\n")[2].strip() for part in text.split("\n## ")[1:]}


INTRO: Final = """# The slowest decisions

Which decisions take longest, and why. Games with the most players are played at random, {games} of each, {times} times
over; a decision's time is the least that it took, asking who decides and what is legal and playing it. The slowest
tenth of all decisions of a game is told apart by phase and kind of decision. *Of its kind are slow* says how many of
such decisions are among the slowest tenth; times and choices are those of the slow ones. Made by
`python bench/slowest.py --page {page}`; what stands below the tables is written by hand and kept.
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("games", nargs="*", help="which games; all of them if none is named")
    parser.add_argument("--deals", type=int, default=12, help="how many games of each are played")
    parser.add_argument("--times", type=int, default=7, help="how often each")
    parser.add_argument("--compiled", type=Path, help="a compiled build's folder; without it, one is made")
    parser.add_argument("--no-compiled", action="store_true", help="the sources as they are")
    parser.add_argument("--page", type=Path, help="write the sections of these games into this file")
    parser.add_argument("--work", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.work:
        print(json.dumps(work(json.loads(arguments.work))))
        return
    from bench.compiled import build, can_compile
    from shopfloor.games import REGISTRY

    chosen = [REGISTRY.get(name) for name in arguments.games] or list(REGISTRY.all())
    notes, old = kept(arguments.page), sections(arguments.page)
    made: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        paths = [ROOT / "src"]
        if arguments.compiled:
            paths = [arguments.compiled]
        elif not arguments.no_compiled and can_compile():
            print("compiling ...", file=sys.stderr, flush=True)
            paths = [build(Path(folder))]
        for game in chosen:
            request = {
                "game": game.id,
                "players": max(game.player_counts),
                "games": arguments.deals,
                "times": arguments.times,
            }
            lines = [f"{max(game.player_counts)} players. " + (found := asked_of(paths, request))[0], *found[1:]]
            lines += ["", BY_HAND, "", *notes.get(game.title, [])]
            made[game.title] = "\n".join(lines).strip()
            print(f"## {game.title}\n\n{made[game.title]}\n", flush=True)
    if arguments.page is not None:
        titles = [game.title for game in REGISTRY.all() if game.title in made or game.title in old]
        intro = INTRO.format(games=arguments.deals, times=arguments.times, page=arguments.page.as_posix())
        parts = [f"## {title}\n\n{made.get(title, old.get(title, ''))}\n" for title in titles]
        arguments.page.write_text("\n".join([intro, *parts]), encoding="utf-8")


if __name__ == "__main__":
    sys.path += [str(ROOT), str(ROOT / "src")]
    main()
