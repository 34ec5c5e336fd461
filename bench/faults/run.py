"""One run: games, faults, and what is left when they are over."""

from __future__ import annotations

import asyncio
import os
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from bench.faults.audit import Findings, audit
from bench.faults.ledger import Ledger
from bench.faults.people import Plan, play
from bench.faults.proxy import Proxy
from bench.faults.site import Site
from shopfloor.bots import KNOWN
from shopfloor.games import REGISTRY
from shopfloor.tables.store import Store

SHORT_GAME: Final = "zahltag"
STUCK_SECONDS: Final = 300.0


@dataclass(frozen=True)
class Setting:
    """What is to be run. rate: the share of requests with a fault. every: seconds between kills, on the average.

    short: the share of games that are of the shortest kind in any case. minutes: after which no game is begun any more.
    """

    games: int
    postgresql: bool
    seed: int
    at_once: int = 8
    rate: float = 0.15
    every: float = 6.0
    short: float = 0.8
    minutes: float = float("inf")


@dataclass
class Result:
    """What came of it. unexpected: answers that nobody foresaw. gone: processes that ended by themselves."""

    setting: Setting
    seconds: float = 0.0
    load: float = 0.0
    begun: int = 0
    finished: int = 0
    played: Counter[str] = field(default_factory=Counter)
    injected: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    requests: int = 0
    repeats: int = 0
    naps: int = 0
    windows: int = 0
    stuck: list[str] = field(default_factory=list)
    unexpected: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    gone: int = 0
    found: Findings = field(default_factory=Findings)

    @property
    def good(self) -> bool:
        return not (self.found.faults or self.stuck or self.unexpected or self.gone or self.complaints)


def plans(setting: Setting) -> list[Plan]:
    """The games to be played: mostly the shortest, with the others in a share; people and computers of all levels."""
    rng = Random(f"{setting.seed} plans")
    playable = [game for game in REGISTRY.all() if not game.world]
    found = []
    for i in range(setting.games):
        game = REGISTRY.get(SHORT_GAME) if rng.random() < setting.short else rng.choice(playable)
        seats: list[str | int] = []
        for _ in range(min(rng.choice(game.player_counts), 4)):
            seats.append(rng.choice((1, 1, 1, 3)) if rng.random() < 0.6 else rng.choice(KNOWN))
        if not any(isinstance(player, int) for player in seats):
            seats[rng.randrange(len(seats))] = 1
        found.append(Plan(game.id, tuple(seats), rng.randrange(3), f"{setting.seed} game {i}"))
    return found


async def run(setting: Setting, folder: Path, say: Callable[[str], None] = lambda _: None) -> Result:
    """Play all the games amid all the faults, then look at what there is."""
    result = Result(setting)
    site = Site(folder, setting.postgresql, 2 if setting.postgresql else 1)
    began = time.monotonic()
    try:
        await asyncio.to_thread(site.start)
        proxy = Proxy(site.ports, setting.rate, Random(f"{setting.seed} line"))
        await proxy.start()
        trouble = asyncio.create_task(site.trouble(Random(f"{setting.seed} trouble"), setting.every))
        ledgers: list[Ledger] = []
        waiting = plans(setting)
        waiting.reverse()

        async def one_after_the_other() -> None:
            while waiting and time.monotonic() - began < 60 * setting.minutes:
                plan = waiting.pop()
                ledger = Ledger()
                ledgers.append(ledger)
                await _watched(plan, proxy.port, ledger, result)
                ended = sum(known.finished for known in ledgers)
                if ended % 10 == 0:
                    say(f"{ended} games played, {sum(len(known.heard) for known in ledgers)} decisions acknowledged")

        async def all_games() -> None:
            async with asyncio.TaskGroup() as group:
                for _ in range(setting.at_once):
                    group.create_task(one_after_the_other())

        playing = asyncio.create_task(all_games())
        await asyncio.wait([trouble, playing], return_when=asyncio.FIRST_COMPLETED)
        if trouble.done():
            playing.cancel()
            trouble.result()  # raises: something could not be put right again
        await playing
        trouble.cancel()
        await asyncio.gather(trouble, return_exceptions=True)
        await asyncio.to_thread(_up, site)
        await proxy.settle()
        await proxy.stop()
        result.injected = proxy.injected + site.injected
        result.gone = sum(process.gone for process in site.processes)
        store = Store(site.url)
        for ledger in ledgers:
            _add(result, ledger)
            audit(store, ledger, result.found)
        store.close()
        lines = site.log()
        result.complaints = [line.strip() for line in lines if "unexpected error" in line or "Traceback" in line]
        (folder / "servers.log").write_text("".join(lines), encoding="utf-8")
    finally:
        await asyncio.to_thread(site.stop)
    result.seconds = time.monotonic() - began
    result.load = os.getloadavg()[1]
    return result


def _up(site: Site) -> None:
    for process in site.processes:
        if not process.running():
            process.start()


async def _watched(plan: Plan, port: int, ledger: Ledger, result: Result) -> None:
    """Play a game, unless it stands still."""
    task = asyncio.create_task(play(plan, port, ledger))
    ledger.last_change = time.monotonic()
    while not task.done():
        await asyncio.wait([task], timeout=1.0)
        quiet = time.monotonic() - ledger.last_change
        if quiet > STUCK_SECONDS and not task.done():
            task.cancel()
            result.stuck.append(f"{plan.game} {ledger.table}: nothing for {quiet:.0f} s; {plan.seats}")
    try:
        await task
    except asyncio.CancelledError:
        pass
    except Exception as error:
        ledger.unexpected.append(f"{plan.game} {ledger.table}: {error!r} {getattr(error, 'exceptions', '')}")


def _add(result: Result, ledger: Ledger) -> None:
    result.begun += 1
    result.finished += ledger.finished
    result.played[ledger.game] += ledger.finished
    result.refused.update(ledger.refused)
    result.requests += ledger.requests
    result.repeats += ledger.repeats
    result.naps += ledger.naps
    result.windows += len(ledger.seen)
    result.unexpected += ledger.unexpected
