"""Plays games while everything fails that can, and counts what was lost or doubled (nothing may be).

python -m bench.faults --games 1000 --database postgresql [--page docs/reliability.md]
"""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
import tempfile
from pathlib import Path

from bench.faults.page import table, write
from bench.faults.run import Setting, run


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--at-once", type=int, default=8, help="games at the same time")
    parser.add_argument("--rate", type=float, default=0.15, help="the share of requests that something happens to")
    parser.add_argument("--every", type=float, default=6.0, help="seconds between kills, on the average")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="after which no game is begun any more")
    parser.add_argument("--page", type=Path, help="the page that the figures are written to")
    parser.add_argument("--logs", type=Path, help="a folder in which the servers' logs are left")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # what was started is ended in any case
    setting = Setting(
        games=given.games,
        postgresql=given.database == "postgresql",
        seed=given.seed,
        at_once=given.at_once,
        rate=given.rate,
        every=given.every,
        minutes=given.minutes,
    )
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.logs or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        result = asyncio.run(run(setting, folder, lambda line: print(line, flush=True)))
    print(table(result))
    for line in [*result.found.faults, *result.stuck, *result.unexpected, *result.complaints]:
        print(f"! {line}")
    if given.page is not None:
        write(given.page, result)
    return 0 if result.good else 1


if __name__ == "__main__":
    sys.exit(main())
