"""Plays at many tables over HTTP and measures what it takes.

python -m bench.load [--page docs/load.md] [--only sqlite,postgresql,dormant]
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import os
import resource
import signal
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Final

from bench.load.drive import Drive
from bench.load.page import Dormant, Row, dormant_table, rows_table, write
from bench.load.tables import begun, dormant
from bench.processes import Process, answers
from bench.wire import Connection
from shopfloor.tables.service import Tables
from shopfloor.tables.store import Store
from tests.postgres import postgres
from tests.web.servers import free_port

AT_ONCE: Final = 32
FOLLOWED: Final = 1000
KINDS: Final = ("sqlite", "postgresql", "dormant")


def memory(processes: list[Process]) -> float:
    """Of the servers, without the processes in which computers think, in MB."""
    pages = [int(Path(f"/proc/{p.pid}/statm").read_text(encoding="ascii").split()[1]) for p in processes]
    return sum(pages) * os.sysconf("SC_PAGE_SIZE") / 1e6


def computing(processes: list[Process]) -> float:
    """Seconds of processor time that the servers have taken, without the processes in which computers think."""
    fields = [Path(f"/proc/{p.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split() for p in processes]
    return sum(int(found[11]) + int(found[12]) for found in fields) / os.sysconf("SC_CLK_TCK")


def priority(process: Process) -> int:
    """How far a process stands back for others: 0 for usual, up to 19."""
    return os.getpriority(os.PRIO_PROCESS, process.pid)


def servers(url: str, count: int) -> list[Process]:
    """Servers on a database; where there are several, computers think elsewhere."""
    ports = [free_port() for _ in range(count)]
    workers = "1" if url.startswith("sqlite") else "0"
    return [
        Process(
            str(port),
            ["serve", "--port", str(port), "--database", url, "--workers", workers],
            lambda port=port: answers(port),  # type: ignore[misc]
        )
        for port in ports
    ]


async def live(url: str, count: int, processes: int, seconds: float, rate: float) -> Row:
    """Play at `count` tables, all of them followed by those who sit there."""
    store = Store(url)
    tables = begun(store, count)
    store.close()
    running = servers(url, processes)
    try:
        for process in running:
            await asyncio.to_thread(process.start)
        before = memory(running)
        drive = Drive([int(process.name) for process in running], tables, AT_ONCE, Random(1))
        await drive.follow()
        first = memory(running)
        worked = computing(running)
        paced = await drive.paced(rate, seconds)
        worked = computing(running) - worked
        loaded = memory(running)
        unpaced = await drive.unpaced(seconds / 2)
        drive.let_go()
        kind = "SQLite" if url.startswith("sqlite") else "PostgreSQL"
        return Row(
            kind,
            processes,
            count,
            rate,
            paced,
            unpaced,
            before,
            first,
            loaded,
            worked,
            os.getloadavg()[0],
            priority(running[0]),
        )
    finally:
        for process in running:
            process.kill()


async def sleeping(folder: Path, count: int) -> Dormant:
    """A site with many tables at which nobody plays: what they take, and how soon one of them is there again."""
    url = f"sqlite:///{folder / 'dormant.db'}"
    store, tables = Store(url), Tables(url)
    rng = Random(2)
    ids = dormant(store, tables, count, rng)
    followed = begun(store, FOLLOWED)
    tables.close()
    store.close()
    [server] = servers(url, 1)
    try:
        began = time.perf_counter()
        await asyncio.to_thread(server.start)
        start = time.perf_counter() - began
        start_worked = computing([server])
        port = int(server.name)
        idle = memory([server])
        line = Connection("127.0.0.1", port)
        await line.ask("GET", "/api/games")
        loads = []
        for table in rng.sample(ids, min(2000, count)):
            began = time.perf_counter()
            answer = await line.ask("GET", f"/api/tables/{table}")
            loads.append(time.perf_counter() - began)
            assert answer.status == 200
        visited = memory([server])
        drive = Drive([port], followed, AT_ONCE, Random(3))
        await drive.follow()
        await asyncio.to_thread(server.kill)
        killed = time.perf_counter()
        await asyncio.to_thread(server.start)
        back = time.perf_counter()
        restart_worked = computing([server])
        took = await drive.follow()
        again = time.perf_counter()
        back_worked = computing([server]) - restart_worked
        drive.let_go()
        size = (folder / "dormant.db").stat().st_size / 1e6
        return Dormant(
            tables=count,
            size=size,
            idle=idle,
            visited=visited,
            loads=loads,
            start=start,
            start_worked=start_worked,
            restart=back - killed,
            restart_worked=restart_worked,
            back=took,
            all_back=again - back,
            back_worked=back_worked,
            load=os.getloadavg()[0],
            nice=priority(server),
        )
    finally:
        server.kill()


async def measure(given: argparse.Namespace) -> tuple[list[Row], Dormant | None]:
    rows: list[Row] = []
    found = None
    kinds = given.only.split(",")

    def say(row: Row) -> None:
        rows.append(row)
        if given.page is not None:
            write(given.page, rows, None, sys.argv[1:])
        print(rows_table([row]), flush=True)
        for what in [*row.paced.failed, *row.unpaced.failed]:
            print(f"! {what}", flush=True)

    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        if "sqlite" in kinds:
            for count in given.tables:
                for rate in sorted({min(rate, count / 5) for rate in given.rates}):
                    file = folder / f"live-{count}-{rate:g}.db"
                    say(await live(f"sqlite:///{file}", count, 1, given.seconds, rate))
        if "postgresql" in kinds:
            with postgres(fsync=True) as server:
                for processes, rate in itertools.product(given.processes, given.rates):
                    say(await live(server.fresh(), 1000, processes, given.seconds, rate))
        if "dormant" in kinds:
            found = await sleeping(folder, given.dormant)
            print(dormant_table(found), flush=True)
    return rows, found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(KINDS), help="which figures: some of " + ",".join(KINDS))
    parser.add_argument("--tables", type=int, nargs="+", default=[100, 1000, 5000], help="live tables, one process")
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2, 4], help="with PostgreSQL, 1,000 tables")
    parser.add_argument("--dormant", type=int, default=50_000, help="tables at which nobody plays")
    parser.add_argument(
        "--rates", type=float, nargs="+", default=[50.0, 200.0], help="moves a second, at most one each 5 s a table"
    )
    parser.add_argument("--seconds", type=float, default=30.0, help="how long moves are made at this rate")
    parser.add_argument("--page", type=Path, help="the page that the figures are written to")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # what was started is ended in any case
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    rows, found = asyncio.run(measure(given))
    if given.page is not None:
        write(given.page, rows, found, sys.argv[1:])
    return 0


if __name__ == "__main__":
    sys.exit(main())
