"""How well the thinking player keeps to its time: `python bench/thinking.py [--budgets 0.1,0.3,1] [--decisions 20]`.

Decisions come from games between quick players, from the start to the end. Time is the thread's own, so that other
work on the machine does not count. A decision that is settled early takes less than its budget; the figures are parts
of the budget: the median, the one in twenty that took longest, the longest, and how many took more than a tenth over.
Give it a compiled build's folder in PYTHONPATH to measure that.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent


def parts(game_id: str, players: int, budget: float, wanted: int) -> Iterator[float]:
    """The parts of the budget that `wanted` decisions with a choice took, spread over whole games."""
    from shopfloor.bots import Seat, make_bot
    from shopfloor.engine.dice import FastDice
    from shopfloor.games import REGISTRY

    game = REGISTRY.get(game_id)
    rng = Random(f"{game_id} {players} {budget}")
    thinker = make_bot("search", 1, budget, time.thread_time)
    for deal in range(wanted):
        s = game.start(players, FastDice(deal))
        quick = [make_bot("greedy", seat) for seat in range(players)]
        dice = FastDice(deal + 1)
        while not s.over():
            for number in s.deciders():
                legal = s.legal(number)
                if len(legal) == 1:
                    s.play(number, legal[0])
                    continue
                seat = Seat(game, s, number, dice)
                if rng.random() < 0.03:
                    started = time.thread_time()
                    thinker.choose(seat)
                    yield (time.thread_time() - started) / budget
                    wanted -= 1
                    if wanted == 0:
                        return
                s.play(number, quick[number].choose(seat))


def main() -> None:
    from shopfloor.bots import search
    from shopfloor.games import REGISTRY

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--budgets", default="0.1,0.3,1")
    parser.add_argument("--decisions", type=int, default=20, help="for each game, player count and budget")
    arguments = parser.parse_args()
    print(f"search from {search.__file__}")
    print(f"{'game':24} {'players':>7} {'budget':>7} {'median':>7} {'95 %':>7} {'longest':>7} {'over':>5}")
    for game in REGISTRY.all():
        for players in sorted({min(game.player_counts), max(game.player_counts)}):
            for budget in map(float, arguments.budgets.split(",")):
                found = sorted(parts(game.id, players, budget, arguments.decisions))
                count = len(found)
                late = found[min(count - 1, count * 19 // 20)]
                over = sum(part > 1.1 for part in found)
                figures = f"{found[count // 2]:7.2f} {late:7.2f} {found[-1]:7.2f} {over:5}"
                print(f"{game.id:24} {players:7} {budget:7g} {figures}", flush=True)


if __name__ == "__main__":
    sys.path.append(str(ROOT / "src"))  # at the end: PYTHONPATH goes first
    main()
