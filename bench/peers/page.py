"""The page: what was measured, as Markdown."""

from __future__ import annotations

import os
import platform
import sys
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Final

from bench.peers.comparing import LIKE, Range, akin, like, rates, ratio, spread
from bench.peers.measuring import CLONES, DECISIONS, INSIDE, OBSERVED, PLAYOUTS
from bench.peers.running import Row, Worker

OURS: Final = "Shopfloor"
CHANCE: Final = f"{DECISIONS}, chance"
NONE: Final = "–"


def _load() -> float | None:
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else None


@dataclass
class Run:
    """One run of the command: its workers, and under what conditions they worked."""

    workers: list[Worker]
    rounds: int
    seconds: float
    began: datetime = field(default_factory=lambda: datetime.now(UTC))
    load: list[float | None] = field(default_factory=lambda: [_load()])
    minutes: float = 0.0

    def ended(self) -> None:
        self.minutes = (datetime.now(UTC) - self.began).total_seconds() / 60
        self.load.append(_load())

    def ours(self) -> list[Worker]:
        """One for each build, the interpreted one first."""
        return [worker for worker in self.workers if worker.maker.startswith(OURS)]

    def peers(self) -> list[Worker]:
        return [worker for worker in self.workers if not worker.maker.startswith(OURS)]

    def games(self) -> list[list[Row]]:
        """Our rows, those of the same game and number of players together, by build."""
        builds = [worker.rows for worker in self.ours() if worker.rows]
        return [list(rows) for rows in zip(*builds, strict=True)]

    def others(self) -> list[Row]:
        return [row for worker in self.peers() for row in worker.rows]


def number(value: float) -> str:
    """With three digits that count."""
    if value >= 100:
        return f"{float(f'{value:.3g}'):,.0f}"
    return f"{value:.3g}"


def cell(found: list[float] | None) -> str:
    if not found:
        return NONE
    middle, low, high = spread(found)
    return f"{number(middle)} ({number(low)} to {number(high)})"


def times(found: Range | None) -> str:
    if found is None:
        return NONE
    middle, low, high = (f"{float(f'{value:.2g}'):,.0f}" if value >= 10 else f"{value:.2g}" for value in found)
    return f"{middle} ({low} to {high})"


def build(row: Row) -> str:
    return row.maker.partition(", ")[2]


def table(heads: list[str], right: int, lines: list[list[str]]) -> list[str]:
    """A table whose columns from number `right` on are figures."""
    rule = ["---" if i < right else "---:" for i in range(len(heads))]
    return [f"| {' | '.join(line)} |" for line in (heads, rule, *lines)] + [""]


def conditions(run: Run) -> list[str]:
    loads = " and ".join("unknown" if load is None else f"{load:.1f}" for load in run.load)
    cores = os.cpu_count() or 1
    versions = [f"{worker.maker} {worker.version}".strip() for worker in run.peers() if worker.version]
    return [
        f"{run.began:%d %B %Y}, {platform.system()} on {platform.machine()} with {cores} cores, Python "
        f"{sys.version.split()[0]}; {', '.join(versions) or 'no peer'}. {run.rounds} rounds of {run.seconds:g} s of "
        f"processor time for each figure, {run.minutes:.0f} minutes in all. The load average was {loads} at the start "
        f"and the end: other work shared the machine. It falls on all alike, since in every round everything is "
        f"measured once and the makers take turns, and times are processor time; but caches and clocks are shared, so "
        f"figures of other runs are not to be set beside these. A figure is the median of the rounds, with the lowest "
        f"and the highest.",
        "",
    ]


def aim(run: Run) -> list[str]:
    """Our games beside the fastest games of like size."""
    page = ["## Games of like size", ""]
    page += [
        f"Of like size is a game with at least half and at most {LIKE:g} times as many decisions, played at random. "
        "The rate is what a Python program gets: who decides, what is legal, play. Peers are taken at their best: "
        "OpenSpiel's chance nodes count as decisions here, which ours, drawn within `play`, do not; and what cannot be "
        "had without observations stands with them.",
        "",
        "Beside the fastest that is also played with some of the same things (cards, a board, an auction):",
        "",
        *_nearest(run, True),
        "Beside the fastest, whatever it is played with:",
        "",
        *_nearest(run, False),
    ]
    return page


def _nearest(run: Run, kind: bool) -> list[str]:
    """A table and what it comes to. kind: only games of like kind count."""
    builds = [build(row) for row in run.games()[0]]
    heads = ["game", "kind", "players", "decisions a game", *builds, "fastest peer", "its rate"]
    heads += [f"{name}, times as fast" for name in builds]
    lines = []
    behind: dict[str, list[str]] = {name: [] for name in builds}
    batches: dict[str, list[str]] = {name: [] for name in builds}
    compared = 0
    for rows in run.games():
        first = rows[0]
        near = [peer for peer in like(first, run.others()) if not kind or akin(first, peer)]
        alone = [peer for peer in near if not peer.batch]
        compared += bool(alone)
        line = [first.game, first.kind, str(first.players), number(first.length), *(cell(rates(row)) for row in rows)]
        if alone:
            best = alone[0]
            about = f"{best.maker}, {best.name}: {best.kind}, {best.players} players, {number(best.length)} decisions"
            line += [about, cell(rates(best)), *(times(ratio(rates(row), rates(best))) for row in rows)]
        else:
            line += ["none was measured", NONE, *(NONE for _ in rows)]
        lines.append(line)
        for row in rows:
            for group, peers in ((behind, alone), (batches, [peer for peer in near if peer.batch])):
                slower = [peer for peer in peers if not _ahead(row, peer)]
                if slower:
                    group[build(row)].append(f"{row.game} with {row.players}: {_names(slower)}")
    page = table(heads, 2, lines)
    for name in builds:
        page.append(
            f"- {name.capitalize()}, {compared - len(behind[name])} of {compared} are faster than every peer's, in the "
            "median" + (f". Not faster: {'; '.join(behind[name])}." if behind[name] else ".")
        )
        if batches[name]:
            page.append(
                f"- {name.capitalize()}, slower than many games side by side in one compiled program: "
                f"{'; '.join(batches[name])}."
            )
    return [*page, ""]


def _names(rows: list[Row]) -> str:
    """The games by maker."""
    found: dict[str, list[str]] = {}
    for row in rows:
        found.setdefault(row.maker, []).append(row.game)
    return ", ".join(f"{maker} ({', '.join(games)})" for maker, games in found.items())


def _ahead(row: Row, peer: Row) -> bool:
    found = ratio(rates(row), rates(peer))
    return found is not None and found[0] > 1


def observed(run: Run) -> list[str]:
    """With observations on both sides."""
    builds = [build(rows) for rows in (run.games() or [[]])[0]]
    watched = [row for row in run.others() if row.rates.get(OBSERVED)]
    lines = []
    for rows in run.games():
        near = [peer for peer in like(rows[0], watched) if not peer.batch]
        for peer in near:
            lines.append(
                [
                    rows[0].game,
                    f"{peer.maker}, {peer.game}, {peer.kind}",
                    f"{rows[0].players}, {peer.players}",
                    f"{number(rows[0].length)}, {number(peer.length)}",
                    *(cell(row.rates.get(OBSERVED)) for row in rows),
                    cell(peer.rates[OBSERVED]),
                    *(times(ratio(row.rates.get(OBSERVED, []), peer.rates[OBSERVED])) for row in rows),
                ]
            )
    heads = ["game", "peer", "players", "decisions a game", *builds, "peer"]
    heads += [f"{name}, times as fast" for name in builds]
    return [
        "## With observations on both sides",
        "",
        "PettingZoo, RLCard and pgx make an observation for every decision. Beside them stand our games in "
        "`shopfloor.lab.pettingzoo`, which fills a tensor of all that a seat may know, and a mask; the tensors' sizes "
        "are told under [Observations](lab/observations.md). Games of like size, one at a time.",
        "",
        *table(heads, 2, lines),
    ]


def everything(run: Run) -> list[str]:
    """What was measured of whom."""
    heads = ["game", "kind", "players", "decisions a game", "legal actions", "decisions/s", "with chance nodes/s"]
    heads += ["decisions with observations/s", "clones/s", "playouts/s", "playouts inside/s"]
    page = ["## All figures", ""]
    for worker in run.workers:
        page += [f"### {worker.maker}", ""]
        if worker.missing:
            page += [f"Not measured: {worker.missing}.", ""]
            continue
        lines = []
        for row in worker.rows:
            line = [row.name, row.kind, str(row.players), number(row.length), number(row.choices)]
            for measure in (DECISIONS, CHANCE, OBSERVED, CLONES, PLAYOUTS, INSIDE):
                line.append("failed" if measure in row.failed else cell(row.rates.get(measure)))
            lines.append(line)
        page += table(heads, 2, lines)
    return page


def searches(run: Run) -> list[str]:
    lines = []
    for worker in run.workers:
        for row in worker.rows:
            for measure in row.measures:
                if measure.startswith("search") and measure not in row.failed:
                    kind = measure.partition(", ")[2]
                    lines.append([row.maker, row.game, str(row.players), kind, cell(row.rates.get(measure))])
    return ["## Searches", "", *SEARCHES, "", *table(["maker", "game", "players", "search", "iterations/s"], 2, lines)]


def failures(run: Run) -> list[str]:
    """What could not be measured, and why."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for worker in run.workers:
        if worker.missing:
            found[worker.maker, "everything", worker.missing] = []
        for row in worker.rows:
            for measure, why in row.failed.items():
                games = found.setdefault((row.maker, measure, why), [])
                if row.name not in games:
                    games.append(row.name)
    if not found:
        return []
    page = ["## What could not be measured", ""]
    for (maker, measure, why), games in found.items():
        whose = f" ({', '.join(games)})" if games else ""
        page.append(f"- {maker}, {measure}{whose}: {why}")
    return [*page, ""]


HOW: Final = """\
## What is compared

- *Decisions*: whole games from the set-up to the end, each decision drawn at random from the legal ones by the same
  few lines. Ours: `deciders`, `legal`, `play`. OpenSpiel: `is_chance_node`, `legal_actions`, `apply_action`; its chance
  nodes (dealt cards, dice) are drawn with `random.choices` and counted apart, while our chance is part of `play`.
  Catanatron: its own `Game.play` with its random players. None of these makes observations.
- *Decisions with observations*: PettingZoo's loop (`agent_iter`, `last`, a draw from the mask, `step`), for our
  environments and theirs, with the usual checks around both; RLCard's own `env.run` with its random agents; pgx as
  one compiled program of 1024 steps of one game, and one of 64 steps of 256 games side by side, with the draw from
  the mask and new games for those that are over. pgx computes observations with every step and leaves the choice of
  actions inside the compiled program: a player written in Python would have to stop it at each step.
- *Clones* of a position in the middle of a random game: `clone`, OpenSpiel's `clone`, Catanatron's `copy`. RLCard has
  none: `deepcopy` of its game object. PettingZoo's environments cannot be copied under way (`deepcopy` makes a new one
  with no game in it). pgx's states never change, so nothing is copied.
- *Playouts*: from such a position, a clone is played to the end at random, through the Python interface. *Playouts
  inside* are one call: ours `engine.playout.play_out` on a clone, pgx's a compiled loop until the last game of the
  batch is over. OpenSpiel's C++ rollouts cannot be called from Python on their own; its searches below contain them.
- *Decisions a game* and *legal actions* a decision are means over random games. Forced moves count where a program asks
  for them, as in all of these.
- Time is processor time of the thread that plays; for pgx, whose JAX computes in threads of its own, of its process,
  held to one core and one thread.""".splitlines()

SEARCHES: Final = """\
An iteration is not the same everywhere:

- *judged*: ours as it plays (`shopfloor.bots.search`): one candidate tried in one imagined world, a few decisions deep,
  then judged by the game's own evaluation. Each search is of 8 worlds, the first look at the candidates included.
- *rollouts*: the same search with `rollouts`, which asks no evaluation: each candidate in each imagined world is played
  on at random to the very end, as in the iterations of OpenSpiel and Catanatron. The candidates of a world share it,
  while OpenSpiel's search imagines one for each iteration.
- *C++*: OpenSpiel's `MCTSBot` where nothing is hidden, else its `ISMCTSBot`, with one random rollout an iteration, 100
  iterations a decision; game, tree and rollout without a step through Python. *Python*: its `mcts` and `ismcts`.
- Catanatron: its `MCTSPlayer`, where the installed version has one; that of the package index has only players
  that do not search.""".splitlines()


def details(run: Run) -> list[str]:
    """Each of our games beside all of like size."""
    builds = [build(rows) for rows in (run.games() or [[]])[0]]
    heads = ["game", "peer", "kind", "players", "decisions a game", "legal actions", "peer's rate"]
    heads += [f"{name}, times as fast" for name in builds]
    lines = []
    for rows in run.games():
        first = rows[0]
        for peer in like(first, run.others()):
            line = [f"{first.game}, {first.players}", f"{peer.maker}, {peer.name}", peer.kind, str(peer.players)]
            line += [
                f"{number(first.length)}, {number(peer.length)}",
                f"{number(first.choices)}, {number(peer.choices)}",
            ]
            lines.append([*line, number(median(rates(peer))), *(times(ratio(rates(row), rates(peer))) for row in rows)])
    return ["## Every game of like size", "", "Ours first where there are two numbers.", "", *table(heads, 3, lines)]


def markdown(run: Run, command: str, page: Path | None) -> str:
    """The page; draws its picture beside it if `page` is given."""
    lines = ["# Beside other programs", ""]
    lines += ["How fast our games run beside those of programs that one might take instead, measured in one run.", ""]
    lines += conditions(run)
    if page is not None:
        lines += _picture(run, page)
    if run.games():
        lines += [*aim(run), *observed(run)]
    lines += [*HOW, "", *searches(run), *everything(run)]
    if run.games():
        lines += details(run)
    lines += [*failures(run), "Made by:", "", "```", command, "```", ""]
    return "\n".join(lines)


def _picture(run: Run, page: Path) -> list[str]:
    try:
        from bench.peers.picture import draw
    except ImportError as error:
        return [f"(No picture: {error}.)", ""]
    file = page.parent / "pictures" / f"{page.stem}.svg"
    file.parent.mkdir(exist_ok=True)
    file.write_text(draw([row for worker in run.workers for row in worker.rows]), encoding="utf-8")
    about = "Decisions a second over decisions a game, both on logarithmic scales, a mark for each game and maker"
    return [f"![{about}](pictures/{file.name})", "", f"*{about}; the tables have the figures.*", ""]
