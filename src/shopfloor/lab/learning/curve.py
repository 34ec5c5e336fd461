"""The learning curve: how the nets that a training kept on its way foresee and play, as tables and a picture.

`python -m shopfloor.lab.learning.curve FOLDER GAME PLAYERS` sits search down, with each net in turn, with a table full
of another level. All thinking is through the same number of worlds, whatever they cost, so the curve shows what was
learned; whether that is worth its time is what `shopfloor ladder GAME --nets FOLDER` measures. With no worlds at all,
it takes what the ratings and the policy say.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from shopfloor.bots import Bot, Seat, make_bot
from shopfloor.bots.nets import Learned, load_net
from shopfloor.bots.search import Search
from shopfloor.engine.dice import FastDice
from shopfloor.engine.game import Game
from shopfloor.games import REGISTRY
from shopfloor.lab.intervals import mean_interval, share_interval
from shopfloor.lab.learning.picture import Mark, Panel, draw
from shopfloor.lab.learning.training import HISTORY, SNAPSHOTS, Round
from shopfloor.lab.processes import Crew
from shopfloor.lab.results import read_lines

WORLDS: Final = 8


@dataclass(frozen=True)
class Point:
    """How a net plays. trained: games; games: played to measure it; share: of the victory; low, high: 95 %."""

    trained: int
    against: str
    games: int
    share: float
    low: float
    high: float


@dataclass(frozen=True)
class Foresight:
    """How well some games' winners were foreseen by a net that had not learned from them.

    trained: games until the last of them. rounds: of games. judgement, value: mean cross-entropies, by hand and by the
    net. gain: by how much the net's is smaller; low, high: its 95 % interval, by the spread between rounds.
    """

    trained: int
    rounds: int
    judgement: float
    value: float
    gain: float
    low: float
    high: float


@dataclass(frozen=True)
class _Job:
    game: str
    players: int
    net: Path | None
    against: str
    deals: tuple[int, ...]
    worlds: int


class _Thinker:
    """Search through a number of worlds, with a judgement."""

    def __init__(self, seed: int, judgement: Any, worlds: int) -> None:
        self.dice = FastDice(seed)
        self.judgement = judgement
        self.worlds = worlds

    def choose(self, seat: Seat) -> int:
        search = Search(seat, self.dice, judgement=self.judgement)
        while not search.settled() and search.worlds < self.worlds:
            search.think()
        return search.actions[search.decide()]


def _play(job: _Job) -> list[float]:
    """The thinker's share of the victory in each game: every deal from every seat."""
    game = REGISTRY.get(job.game)
    judgement = None if job.net is None else Learned(game, load_net(job.net, game, job.players))
    found = []
    for deal in job.deals:
        for mine in range(job.players):
            state = game.start(job.players, FastDice(deal))
            dice = FastDice((deal << 20) + (mine << 3) + 0xC04E)
            bots: list[Bot] = [make_bot(job.against, dice.below(2**31)) for _ in range(job.players)]
            bots[mine] = _Thinker(dice.below(2**31), judgement, job.worlds)
            while True:
                deciders = state.deciders()
                if not deciders:
                    break
                for seat in deciders:
                    legal = state.legal(seat)
                    one = legal[0] if len(legal) == 1 else bots[seat].choose(Seat(game, state, seat, dice))
                    state.play(seat, one)
            found.append(state.returns()[mine])
    return found


def measure(
    folder: Path,
    game: Game,
    players: int,
    games: int,
    against: Sequence[str] = ("greedy",),
    worlds: int = WORLDS,
    processes: int = 1,
    on_point: Callable[[Point], None] | None = None,
) -> list[Point]:
    """The points of the curve, from no training on. Raises NetError for a file that is no net of the game."""
    nets: list[tuple[int, Path | None]] = [(0, None)]
    for file in (folder / SNAPSHOTS).glob(f"{players}-*.json"):
        nets.append((load_net(file, game, players).games, file))
    nets.sort(key=lambda found: found[0])
    deals = range(10**6, 10**6 + -(-games // players))  # not those of the training
    points = []
    with Crew(processes) as crew:
        for level in against:
            for trained, path in nets:
                parts = [tuple(deals[i :: 4 * processes]) for i in range(min(len(deals), 4 * processes))]
                jobs = [_Job(game.id, players, path, level, part, worlds) for part in parts]
                shares = [share for _, played in crew.spread(_play, jobs) for share in played]
                share = sum(shares) / len(shares)
                point = Point(trained, level, len(shares), share, *share_interval(share, len(shares)))
                points.append(point)
                if on_point is not None:
                    on_point(point)
    return points


def foresight(folder: Path) -> list[Foresight]:
    """How foresight grew in a training, by its history: over rounds 3 and 4, 5 to 8, 9 to 16, and so on."""
    rounds = read_lines(folder / HISTORY, Round, "round of a training")
    found = []
    start = 2
    while start < len(rounds):
        part = rounds[start : 2 * start]
        gain, low, high = mean_interval([one.judgement - one.value for one in part])
        judgement = sum(one.judgement for one in part) / len(part)
        value = sum(one.value for one in part) / len(part)
        found.append(Foresight(part[-1].games, len(part), judgement, value, gain, low, high))
        start *= 2
    return found


def foresight_table(found: Sequence[Foresight]) -> str:
    """The same in Markdown."""
    lines = ["| games trained | rounds | judgement | net | gain (95 %) |", "| ---: | ---: | ---: | ---: | --- |"]
    for f in found:
        gain = f"{f.gain:+.4f} ({f.low:+.4f} to {f.high:+.4f})"
        lines.append(f"| {f.trained:,} | {f.rounds} | {f.judgement:.4f} | {f.value:.4f} | {gain} |")
    return "\n".join(lines) + "\n"


def table(points: Sequence[Point]) -> str:
    """The curve as a table in Markdown."""
    lines = ["| games trained | against | games | share of victories (95 %) |", "| ---: | --- | ---: | --- |"]
    for p in points:
        lines.append(f"| {p.trained:,} | {p.against} | {p.games} | {p.share:.1%} ({p.low:.1%} to {p.high:.1%}) |")
    return "\n".join(lines) + "\n"


def picture(points: Sequence[Point], seen: Sequence[Foresight], title: str, even: float) -> str:
    """The curves as a picture in SVG. even: the share that equals would win."""
    strength = [
        (f"against {level}", [Mark(p.trained, p.share, p.low, p.high) for p in points if p.against == level])
        for level in dict.fromkeys(p.against for p in points)
    ]
    foreseen = [("", [Mark(f.trained, f.gain, max(f.low, -1.0), min(f.high, 1.0)) for f in seen])] if seen else []
    return draw(
        title,
        [
            Panel("Share of victories", strength, even, percent=True, low=0.0, high=1.0),
            Panel("Foresight gained over the judgement", foreseen, 0.0, percent=False),
        ],
        "Lines up and down: 95 % intervals; dashes: no better and no worse.",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures the nets that a training kept on its way.")
    parser.add_argument("folder", type=Path, help="the folder of the training")
    parser.add_argument("game")
    parser.add_argument("players", type=int)
    parser.add_argument("--games", type=int, default=200, help="for each net, rounded up to whole rotations")
    parser.add_argument("--against", default="greedy", help="levels, separated by commas")
    parser.add_argument("--worlds", type=int, default=WORLDS, help="how many worlds are thought through")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--picture", type=Path, help="write a picture (SVG) to this file")
    told = parser.parse_args()
    game = REGISTRY.get(told.game)
    points = measure(
        told.folder,
        game,
        told.players,
        told.games,
        told.against.split(","),
        told.worlds,
        told.processes,
        lambda p: print(f"{p.trained:>8,} {p.against}: {p.share:.1%} ({p.low:.1%} to {p.high:.1%})", flush=True),
    )
    seen = foresight(told.folder)
    print(table(points))
    print(foresight_table(seen))
    if told.picture is not None:
        thinking = f"search through {told.worlds} worlds" if told.worlds else "ratings and policy alone"
        title = f"{game.title}, {told.players} players: {thinking}"
        told.picture.parent.mkdir(parents=True, exist_ok=True)
        told.picture.write_text(picture(points, seen, title, 1 / told.players), encoding="utf-8")


if __name__ == "__main__":
    main()
