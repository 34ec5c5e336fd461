"""How fast the site of Men at Work is, and how games of computers end: `python bench/men_at_work.py [steps|games]`.

steps    microseconds a physics step by number of pieces, awake and asleep, a server's tick at 60 Hz with a piece in
         the hand, a snapshot, a trial of a builder; beside MuJoCo on the same scene where it is installed
         (`pip install mujoco`)
games    games of four builders on simulated sites: how each ended, how long it took, how much time it simulated

Figures are of processor time, so that a busy machine falsifies them less; medians over the rounds.
"""

from __future__ import annotations

import argparse
import importlib.util
from collections import Counter
from collections.abc import Callable
from statistics import median
from time import perf_counter, process_time

from shopfloor.engine.dice import FastDice
from shopfloor.games.men_at_work import GAME, cards, geometry
from shopfloor.games.men_at_work.builder import LEVELS, Builder, level, play_out
from shopfloor.games.men_at_work.cards import Shapes
from shopfloor.games.men_at_work.geometry import UPRIGHT, Pose, multiply, yaw
from shopfloor.games.men_at_work.pieces import BEAM, BRICK, GIRDER, HAT, OF_COLOUR, OF_KIND, SUPPORT, WORKER
from shopfloor.games.men_at_work.rules import MenAtWork
from shopfloor.games.men_at_work.site import RATE, Site
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
    print("pieces  awake us/step  asleep us/step")
    for count in (9, 20, 36, 68, 92):
        awake = scene(count, sleeping=False)
        awake.step(RATE)
        asleep = scene(count, sleeping=True)
        asleep.settle()
        fast, still = timed(awake.world.step, 60), timed(asleep.world.step, 60)
        print(f"{count:6d}  {fast:13.0f}  {still:14.1f}", flush=True)
    site = scene(88, sleeping=True)
    site.settle()
    from shopfloor.games.men_at_work.watch import WatchRules

    site.begin(WatchRules())
    snapshot = site.snapshot()
    print(f"snapshot {timed(site.snapshot, 3) / 1000:.1f} ms, {len(snapshot.world) // 1024} kB", end="; ")
    print(f"copy from it {timed(lambda: site.fork(snapshot), 3) / 1000:.1f} ms", end="; ")
    print(f"measurement {timed(site.measure, 3) / 1000:.1f} ms")
    free = OF_KIND[GIRDER][-1]
    if free in site.bodies:
        site.take([free])
        site.settle()
    site.grip([free], ((0.0, -200.0, 260.0), multiply(yaw(90), UPRIGHT)))
    tick = timed(lambda: site.step(4), 30)
    print(f"a tick of 1/60 s with one piece in the hand: {tick:.0f} us, {1e6 / 60 / tick:.0f} tables a core at 60 Hz")
    site.withdraw()
    trials()
    mujoco(cards.load().shapes)


def trials() -> None:
    """How many placements a builder tries in a second, on a site in the middle of a game."""
    state = GAME.start(4, FastDice(3), {})
    assert isinstance(state, MenAtWork)
    works = Works(state)
    builders = [Builder(level("journeyman"), seat) for seat in range(4)]
    start = process_time()
    while not state.over() and state.turn < 9:
        builders[state.hook].move(works)
    spent = process_time() - start
    tried = sum(builder.trials for builder in builders)
    print(f"a builder: {tried / spent:.0f} trials a second, everything else included")


def mujoco(shapes: Shapes) -> None:
    """The same scene in MuJoCo, with the stiffest contacts at which the hats do not explode."""
    if importlib.util.find_spec("mujoco") is None:
        print("MuJoCo is not installed: no comparison")
        return
    import mujoco as engine  # type: ignore[import-not-found, unused-ignore]

    bodies = []
    for piece, ((x, y, z), (w, i, j, k)) in whole_box(shapes).items():
        kind = next(n for n, pieces in enumerate(OF_KIND) if piece in pieces)
        boxes = shapes.boxes[kind]
        volume = sum(b[0] * b[1] * b[2] for b in boxes)
        geoms = "".join(
            f'<geom type="box" size="{b[0] / 2000} {b[1] / 2000} {b[2] / 2000}" '
            f'pos="{b[3] / 1000} {b[4] / 1000} {b[5] / 1000}" '
            f'mass="{shapes.masses[kind] / 1000 * b[0] * b[1] * b[2] / volume}"/>'
            for b in boxes
        )
        place = f'pos="{x / 1000} {y / 1000} {z / 1000}" quat="{w} {i} {j} {k}"'
        bodies.append(f"<body {place}><freejoint/>{geoms}</body>")
    model = engine.MjModel.from_xml_string(
        '<mujoco><option timestep="0.001" cone="elliptic" impratio="10"/>'
        '<default><geom friction="0.5 0.001 0.0001" solref="0.01 1" solimp="0.9 0.95 0.001"/></default>'
        f'<worldbody><geom type="plane" size="1 1 .1"/>{"".join(bodies)}</worldbody></mujoco>'
    )
    data = engine.MjData(model)
    for _ in range(200):
        engine.mj_step(model, data)
    each = timed(lambda: engine.mj_step(model, data), 20)
    ours = scene(92, sleeping=False)
    ours.step(RATE)
    own = timed(ours.world.step, 20)
    print(f"92 pieces awake: MuJoCo {each:.0f} us for 1 ms of time, Rapier {own:.0f} us for 4.2 ms:", end=" ")
    print(f"{each / own * (1000 / RATE):.0f} times as much time simulated a second")


def games(count: int, seed: int, players: int, options: dict[str, str]) -> None:
    names = [skill.name for skill in LEVELS]
    causes: Counter[str] = Counter()
    winners: Counter[str] = Counter()
    for n in range(count):
        state = GAME.start(players, FastDice(seed + n), options)
        assert isinstance(state, MenAtWork)
        # The seats of the levels go round, so that none sits better than another.
        skills = [names[(seat + n) % len(names)] for seat in range(players)]
        builders = [Builder(level(skill), 1000 * n + seat) for seat, skill in enumerate(skills)]
        wall, spent = perf_counter(), process_time()
        works = Works(state)
        play_out(works, builders)
        wall, spent = perf_counter() - wall, process_time() - spent
        causes[state.cause] += 1
        for seat in state.standing().winners():
            winners[skills[seat]] += 1
        print(
            f"game {seed + n}: {state.cause} after {state.turn} turns, {state.accidents} accidents; "
            f"awards {state.awards}, certificates {state.certificates}, won by "
            f"{', '.join(skills[s] for s in state.standing().winners())}; {spent:.1f} s of processor, {wall:.0f} s",
            flush=True,
        )
    print(", ".join(f"{cause} {times}" for cause, times in causes.most_common()))
    print("won: " + ", ".join(f"{name} {times}" for name, times in winners.most_common()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("what", choices=("steps", "games"), nargs="?", default="steps")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    given = parser.parse_args()
    if given.what == "steps":
        steps()
    else:
        games(given.games, given.seed, given.players, dict(option.split("=", 1) for option in given.option))


if __name__ == "__main__":
    main()
