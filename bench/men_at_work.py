"""How fast the site of Men at Work is, and how games of computers end: `python -m bench.men_at_work [steps|evening]`.

steps    microseconds a physics step by number of pieces, awake and asleep, a server's tick at 60 Hz with a piece in
         the hand, a snapshot, trials of builders; beside MuJoCo on the same scene where it is installed (the extra
         `bench`)
evening  an evening of games of computers on simulated sites: how they ended, how long they took, how much time they
         simulated, and how the levels of builders fared against each other. Every game is a line of a file, so that an
         evening that was broken off goes on where it was; `evening --file evening.jsonl --games 0` prints its table

Figures are of processor time, so that a busy machine falsifies them less; medians over the rounds.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any, Final

from shopfloor.engine.dice import FastDice
from shopfloor.games.men_at_work import GAME, cards, geometry
from shopfloor.games.men_at_work.builder import LEVELS, Builder, level
from shopfloor.games.men_at_work.cards import Shapes
from shopfloor.games.men_at_work.geometry import UPRIGHT, Pose, multiply, yaw
from shopfloor.games.men_at_work.pieces import BEAM, BRICK, GIRDER, HAT, OF_COLOUR, OF_KIND, SUPPORT, WORKER
from shopfloor.games.men_at_work.position import BUILD
from shopfloor.games.men_at_work.rules import MenAtWork
from shopfloor.games.men_at_work.site import RATE, Site
from shopfloor.games.men_at_work.watch import WatchRules
from shopfloor.games.men_at_work.works import Works


def whole_box(shapes: Shapes) -> dict[int, Pose]:
    """All 92 pieces stacked, from the ground up: any first part of it stands, too."""
    poses: dict[int, Pose] = {}
    spots = [(x, y) for x in (-150, -50, 50, 150) for y in (-50, 50)]
    for piece, (x, y) in zip(OF_KIND[SUPPORT], spots, strict=True):
        poses[piece] = ((x, y, 25.0), UPRIGHT)
    girders = iter([colour[n] for n in range(7) for colour in OF_COLOUR])
    for x in (-150, -50, 50, 150):
        poses[next(girders)] = ((x, 0.0, 55.0), yaw(90))
    for layer in range(6):
        across = [(-150, 0, 90), (-50, 0, 90), (50, 0, 90), (150, 0, 90)]
        places = [(-100, -40, 0), (-100, 40, 0), (100, -40, 0), (100, 40, 0)] if layer % 2 == 0 else across
        for x, y, turn in places:
            poses[next(girders)] = ((float(x), float(y), 65.0 + 10 * layer), yaw(turn))
    n = 0
    for x in (-150, -50, 50, 150):
        for y in (-68, -22, 22, 68):
            worker = ((float(x), float(y), 143.0), yaw(90))
            poses[OF_KIND[WORKER][n]] = worker
            poses[OF_KIND[HAT][n]] = geometry.hat_pose(shapes, worker)
            if n < 12:
                poses[OF_KIND[BRICK][n]] = ((float(x), y - 15.0, 155.05), UPRIGHT)
                poses[OF_KIND[BEAM][n]] = ((float(x), y + 15.0, 154.55), UPRIGHT)
            n += 1
    return poses


def scene(count: int, sleeping: bool) -> Site:
    """The first so many pieces of the whole box."""
    shapes = cards.load().shapes
    site = Site(shapes, sleeping=sleeping)
    for piece, pose in list(whole_box(shapes).items())[:count]:
        site.put(piece, pose)
    return site


def timed(action: Callable[[], object], times: int, rounds: int = 5) -> float:
    """Microseconds of processor time, the median over the rounds."""
    found = []
    for _ in range(rounds):
        start = process_time()
        for _ in range(times):
            action()
        found.append((process_time() - start) / times * 1e6)
    return median(found)


def steps() -> None:
    shapes = cards.load().shapes
    mujoco = MuJoCo(shapes) if importlib.util.find_spec("mujoco") is not None else None
    print("| pieces | Rapier awake, us a step | asleep | simulated s a s of processor, awake |", end="")
    print(" MuJoCo awake, us a step | simulated s a s of processor |" if mujoco else "")
    print("|---|---|---|---|" + ("---|---|" if mujoco else ""))
    for count in (9, 20, 36, 68, 92):
        awake = scene(count, sleeping=False)
        awake.step(RATE)
        asleep = scene(count, sleeping=True)
        asleep.settle()
        asleep.step(RATE)
        fast, still = timed(awake.world.step, 60), timed(asleep.world.step, 60)
        row = f"| {count} | {fast:.0f} | {still:.1f} | {1e6 / RATE / fast:.0f} |"
        if mujoco:
            each = mujoco.step(count)
            row += f" {each:.0f} | {1e3 / each:.1f} |"
        print(row, flush=True)
    print(f"\nA step is 1/{RATE} s with Rapier" + (", 1 ms with MuJoCo." if mujoco else "; MuJoCo is not installed."))
    site = scene(88, sleeping=True)
    site.settle()
    site.begin(WatchRules())
    snapshot = site.snapshot()
    print(f"Snapshot {timed(site.snapshot, 3) / 1000:.1f} ms, {len(snapshot.world) // 1024} kB", end="; ")
    print(f"copy from it {timed(lambda: site.fork(snapshot), 3) / 1000:.1f} ms", end="; ")
    print(f"measurement {timed(site.measure, 3) / 1000:.1f} ms.")
    free = OF_KIND[GIRDER][-1]
    if free in site.bodies:
        site.take([free])
        site.settle()
    idle = timed(lambda: site.step(4), 30)
    site.grip([free], ((0.0, -200.0, 260.0), multiply(yaw(90), UPRIGHT)))
    tick = timed(lambda: site.step(4), 30)
    site.withdraw()
    restless = scene(88, sleeping=False)
    restless.step(RATE)
    restless.begin(WatchRules())
    worst = timed(lambda: restless.step(4), 10)
    print(
        f"A tick of 1/60 s, all steps, the watch and the hand: asleep {idle:.0f} us, with a piece in the hand", end=""
    )
    print(f" {tick:.0f} us, everything awake {worst:.0f} us: {1e6 / 60 / idle:.0f}, {1e6 / 60 / tick:.0f},", end="")
    print(f" {1e6 / 60 / worst:.0f} live tables a core at 60 Hz.")
    trials()


def trials() -> None:
    """How many placements builders try in a second, over the first turns of a game."""
    for skill in LEVELS:
        state = GAME.start(4, FastDice(3), {})
        assert isinstance(state, MenAtWork)
        works = Works(state)
        builders = [Builder(skill, seat) for seat in range(4)]
        start = process_time()
        while not state.over() and state.turn < 9:
            builders[state.hook].move(works)
        spent = process_time() - start
        tried = sum(builder.trials for builder in builders)
        print(f"{skill.name}: {tried / spent:.0f} trials a second, all of its play included; {spent / 8:.2f} s a turn.")


class MuJoCo:
    """The same scene in MuJoCo, with the stiffest contacts at which the hats do not explode."""

    def __init__(self, shapes: Shapes) -> None:
        import mujoco as engine  # type: ignore[import-not-found, unused-ignore]

        self.engine: Any = engine
        self.shapes = shapes

    def _body(self, piece: int, pose: Pose) -> str:
        (x, y, z), (w, i, j, k) = pose
        kind = next(n for n, pieces in enumerate(OF_KIND) if piece in pieces)
        boxes, mass = self.shapes.boxes[kind], self.shapes.masses[kind] / 1000
        volume = sum(b[0] * b[1] * b[2] for b in boxes)
        geoms = "".join(
            f'<geom type="box" size="{b[0] / 2000} {b[1] / 2000} {b[2] / 2000}" '
            f'pos="{b[3] / 1000} {b[4] / 1000} {b[5] / 1000}" mass="{mass * b[0] * b[1] * b[2] / volume}"/>'
            for b in boxes
        )
        place = f'pos="{x / 1000} {y / 1000} {z / 1000}" quat="{w} {i} {j} {k}"'
        return f"<body {place}><freejoint/>{geoms}</body>"

    def step(self, count: int) -> float:
        """Microseconds a step of 1 ms with so many pieces, all awake."""
        bodies = "".join(self._body(piece, pose) for piece, pose in list(whole_box(self.shapes).items())[:count])
        model = self.engine.MjModel.from_xml_string(
            '<mujoco><option timestep="0.001" cone="elliptic" impratio="10"/>'
            '<default><geom friction="0.5 0.001 0.0001" solref="0.01 1" solimp="0.9 0.95 0.001"/></default>'
            f'<worldbody><geom type="plane" size="1 1 .1"/>{bodies}</worldbody></mujoco>'
        )
        data = self.engine.MjData(model)
        for _ in range(200):
            self.engine.mj_step(model, data)
        return timed(lambda: self.engine.mj_step(model, data), 20)


Record = dict[str, Any]
"""A game of an evening, as a line of JSON holds it."""

PLACES: Final[tuple[tuple[int, dict[str, str]], ...]] = (
    (4, {}),
    (4, {}),
    (3, {}),
    (2, {}),
    (5, {}),
    (4, {"foreman": "on"}),
    (4, {"crane": "on"}),
    (4, {"skyscraper": "on"}),
    (3, {"foreman": "on", "crane": "on"}),
    (4, {"skyscraper": "on", "crane": "on", "foreman": "on"}),
)
"""Players and options of the games of a mixed evening, over and over."""


def one_game(seed: int, skills: list[str], options: dict[str, str]) -> Record:
    """A game to its end, and what each seat did in it."""
    state = GAME.start(len(skills), FastDice(seed), options)
    assert isinstance(state, MenAtWork)
    builders = [Builder(level(skill), 1000 * seed + seat) for seat, skill in enumerate(skills)]
    seats: list[Counter[str]] = [Counter() for _ in skills]
    kinds: Counter[str] = Counter()
    spent, wall = process_time(), perf_counter()
    works = Works(state)
    ticks = 0
    while not state.over():
        seat, turn, phase, site = state.hook, state.turn, state.phase, works.site
        mine = seats[seat]
        awards, accidents, left = state.awards[seat], state.accidents, state.certificates[seat]
        rita, tick = state.rita_active, site.tick
        name = state.instruction() if phase == BUILD else "CLEANUP"
        plan = builders[seat].move(works)
        ticks += max(0, site.tick - tick)
        over = state.turn != turn or state.certificates[seat] < left or state.over()
        mine["tries"] += plan.route is not None
        if over and phase == BUILD:
            mine["turns"] += 1
            mine["turns with Boss Rita"] += rita
        mine["awards"] += state.awards[seat] - awards
        if state.accidents > accidents:
            mine["accidents"] += 1
            kinds[name] += 1
        elif state.certificates[seat] < left:
            mine["given up"] += 1
            kinds[f"{name} given up"] += 1
    return {
        "seed": seed,
        "players": len(skills),
        "options": options,
        "skills": skills,
        "cause": state.cause,
        "turns": state.turn,
        "awards": state.awards,
        "certificates": state.certificates,
        "winners": list(state.standing().winners()),
        "places": [rank.place for rank in sorted(state.standing().ranks, key=lambda rank: rank.seat)],
        "seats": [dict(seat) for seat in seats],
        "lost": dict(kinds),
        "trials": sum(builder.trials for builder in builders),
        "simulated": round(ticks / RATE, 1),
        "processor": round(process_time() - spent, 1),
        "wall": round(perf_counter() - wall, 1),
    }


def games_of(seeds: range, mixed: bool, players: int, skills: list[str], options: dict[str, str]) -> Iterator[Any]:
    """What is played on an evening: seed, levels by seat, options."""
    for n in seeds:
        count, extra = PLACES[n % len(PLACES)] if mixed else (players, {})
        # The seats of the levels go round, so that none sits better than another.
        yield n, [skills[(seat + n) % len(skills)] for seat in range(count)], {**options, **extra}


def evening(count: int, seed: int, file: Path, mixed: bool, players: int, skills: list[str], options: Any) -> None:
    done: list[Record] = []
    if file.exists():
        done = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    known = {record["seed"] for record in done}
    for n, seats, extra in games_of(range(seed, seed + count), mixed, players, skills, options):
        if n in known:
            continue
        record = one_game(n, seats, extra)
        done.append(record)
        with file.open("a", encoding="utf-8") as out:
            out.write(json.dumps(record) + "\n")
        print(
            f"game {n}: {record['cause']} after {record['turns']} turns, awards {record['awards']}, "
            f"certificates {record['certificates']}; {record['processor']} s of processor",
            flush=True,
        )
    table(done)


def interval(share: float, n: int) -> tuple[float, float]:
    """The 95 % interval of a share of n games (Wilson)."""
    z = 1.96
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    wide = z * (share * (1 - share) / n + z * z / (4 * n * n)) ** 0.5 / (1 + z * z / n)
    return max(0.0, middle - wide), min(1.0, middle + wide)


def behind(done: list[Record], skill: str | None, below: str | None) -> str:
    """How often a level does better than another one at the same table, in Markdown; a shared place counts half."""
    pairs, better = 0, 0.0
    for record in done:
        places = record["places"]
        for mine, name in zip(places, record["skills"], strict=True):
            if name == skill:
                theirs = [place for place, other in zip(places, record["skills"], strict=True) if other == below]
                pairs += len(theirs)
                better += sum((mine < place) + (mine == place) / 2 for place in theirs)
    if not pairs:
        return ""
    low, high = interval(better / pairs, pairs)
    return f"{better / pairs:.0%} ({low:.0%} to {high:.0%})"


def table(done: list[Record]) -> None:
    """The evening in Markdown."""
    if not done:
        print("no game has been played yet")
        return
    causes = Counter(record["cause"] for record in done)
    print(f"\n{len(done)} games ended\n")
    print("| by | games | share, 95 % interval | turns, median | processor s, median | simulated s, median |")
    print("|---|---|---|---|---|---|")
    for cause, times in causes.most_common():
        those = [record for record in done if record["cause"] == cause]
        middle = [median(r[key] for r in those) for key in ("turns", "processor", "simulated")]
        low, high = interval(times / len(done), len(done))
        share = f"{times / len(done):.0%} ({low:.0%} to {high:.0%})"
        print(f"| {cause} | {times} | {share} | {middle[0]:.0f} | {middle[1]:.1f} | {middle[2]:.0f} |")
    pace = sum(r["simulated"] for r in done) / sum(r["processor"] for r in done)
    print(f"\nA second of processor plays {pace:.1f} seconds of the games themselves.\n")
    print("| level | seats | won | of the level below, left behind | awards a turn with Boss Rita |", end="")
    print(" accidents a turn | given up a turn |")
    print("|---|---|---|---|---|---|---|")
    for below, skill in pairwise([None, *(known.name for known in LEVELS)]):
        total: Counter[str] = Counter()
        seats, won = 0, 0.0
        for record in done:
            for seat, name in enumerate(record["skills"]):
                if name == skill:
                    seats += 1
                    won += (seat in record["winners"]) / len(record["winners"])
                    total.update(record["seats"][seat])
        if seats:
            rita, turns = max(1, total["turns with Boss Rita"]), max(1, total["turns"])
            low, high = interval(won / seats, seats)
            print(
                f"| {skill} | {seats} | {won / seats:.0%} ({low:.0%} to {high:.0%}) | {behind(done, skill, below)} | "
                f"{total['awards'] / rita:.2f} | {total['accidents'] / turns:.3f} | {total['given up'] / turns:.3f} |"
            )
    lost: Counter[str] = Counter()
    for record in done:
        lost.update(record["lost"])
    print("\nCertificates were lost with: " + ", ".join(f"{name} {n}" for name, n in lost.most_common()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("what", choices=("steps", "evening"), nargs="?", default="steps")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--mixed", action="store_true", help="2 to 5 players and all variants, in turn")
    parser.add_argument("--levels", default=",".join(known.name for known in LEVELS), help="by seat, in turn")
    parser.add_argument("--file", type=Path, default=Path("evening.jsonl"), help="where the games are kept")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    given = parser.parse_args()
    if given.what == "steps":
        steps()
        return
    try:
        skills = [level(name).name for name in given.levels.split(",")]
        options = dict(option.split("=", 1) for option in given.option)
    except ValueError as error:
        parser.error(str(error))
    evening(given.games, given.seed, given.file, given.mixed, given.players, skills, options)


if __name__ == "__main__":
    main()
