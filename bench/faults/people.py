"""Programs that play and look on as people do: in several windows, asleep at times, and asking again until answered."""

from __future__ import annotations

import asyncio
import itertools
import secrets
import time
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import Any, Final

import msgspec

from bench.faults.ledger import Heard, Ledger, Seen, Sent, line_digest
from bench.wire import Answer, Connection, Cut

IMPATIENCE: Final = 6.0
SILENCE: Final = 20.0
LONGEST_NAP: Final = 4.0
NAP: Final = 0.01
UNDO: Final = 0.03
LOOK: Final = 0.1
WAYS: Final = ("events", "wait")


class Refusal(Exception):
    """The server has answered that it will not."""

    def __init__(self, status: int, code: str) -> None:
        super().__init__(f"{status} {code}")
        self.status = status
        self.code = code


@dataclass(frozen=True)
class Plan:
    """A game to be played. seats: of each, the level of a computer or the number of windows that a program has open."""

    game: str
    seats: tuple[str | int, ...]
    watchers: int
    seed: str


class Window:
    """One program's connections to a table, as a browser window has them: one that asks, one that is told."""

    def __init__(self, port: int, ledger: Ledger, seat: int | None, token: str, way: str, rng: Random) -> None:
        self._ledger = ledger
        self._seat = seat
        self._rng = rng
        self._way = way
        headers = [("Authorization", f"Bearer {token}")] if token else []
        self._asking = Connection("127.0.0.1", port, headers)
        self._told = Connection("127.0.0.1", port, headers)
        self._keys = itertools.count(1)
        self._name = secrets.token_hex(3)
        self._number = 0
        self._status = ""
        self._mine = False
        self._news = asyncio.Event()
        self._one_at_a_time = asyncio.Lock()
        self._wanted: tuple[str, dict[str, Any]] | None = None
        self.seen = Seen(f"{'watcher' if seat is None else f'seat {seat}'}, {way}", seat)
        ledger.seen.append(self.seen)

    @property
    def _path(self) -> str:
        return f"/api/tables/{self._ledger.table}"

    async def until_answered(self, method: str, path: str, body: Any = None) -> Any:
        """The answer, however often it takes to get one. Raises Refusal."""
        raw = b"" if body is None else msgspec.json.encode(body)
        pause, patience = 0.05, IMPATIENCE
        for tries in itertools.count():
            self._ledger.requests += 1
            self._ledger.repeats += tries > 0
            try:
                async with self._one_at_a_time:
                    answer = await self._asking.ask(method, path, raw, patience)
                if answer.status < 500:
                    break
                self._unexpected(method, path, answer)
            except Cut:
                pass
            await asyncio.sleep(self._rng.uniform(0, pause))
            # Who asks a busy server the more often the slower it is makes it slower still.
            pause, patience = min(2 * pause, 2.0), min(1.5 * patience, 60.0)
        if path.endswith("/record") and answer.status == 200:
            return answer.body.decode()
        found = msgspec.json.decode(answer.body)
        if answer.status >= 400:
            code = found["code"]
            self._ledger.refused[code] = self._ledger.refused.get(code, 0) + 1
            if code == "STALE":
                self._lines_told(found["facts"]["lines"])
            raise Refusal(answer.status, code)
        return found

    def _unexpected(self, method: str, path: str, answer: Answer) -> None:
        if answer.status != 503:
            self._ledger.unexpected.append(f"{method} {path}: {answer.status} {answer.body[:300]!r}")

    def _lines_told(self, lines: list[Any]) -> None:
        """What came with a refusal has happened as well."""
        self._ledger.answers_told.update((line["number"], self._seat, line_digest(line)) for line in lines)

    async def post(self, path: str, body: Any = None) -> Any:
        return await self.until_answered("POST", self._path + path, body if body is not None else {})

    async def get(self, path: str = "") -> Any:
        return await self.until_answered("GET", self._path + path)

    def close(self) -> None:
        self._asking.close()
        self._told.close()

    # -- being told ----------------------------------------------------------------------------------------------

    async def follow(self) -> None:
        """Hear everything from here on, until the game is over."""
        if self.seen.since is None:
            info = await self.get()
            self._ledger.shown(info, self._seat)
            self.seen.since = self._number = info["number"]
            self._status = info["status"]
        while self._status != "over":
            try:
                if self._way == "events":
                    path = f"{self._path}/events"
                    async for message in self._told.follow(path, self._number, SILENCE):
                        self._hear(msgspec.json.decode(message.data))
                        if self._status == "over":
                            break
                else:
                    path = f"{self._path}/wait?number={self._number}&timeout=10"
                    answer = await self._told.ask("GET", path, b"", 10 + IMPATIENCE)
                    if answer.status == 200:
                        self._hear(msgspec.json.decode(answer.body))
                    elif answer.status != 503:
                        self._unexpected("GET", path, answer)
            except Cut:
                await asyncio.sleep(self._rng.uniform(0.05, 0.5))
        self.seen.ended = True

    def _hear(self, news: Any) -> None:
        self.seen.lines += [(line["number"], line_digest(line)) for line in news["lines"]]
        if news["number"] > self._number:
            self._ledger.last_change = time.monotonic()
        self._number, self._status, self._mine = news["number"], news["status"], news["your_decision"]
        self._news.set()

    # -- playing -------------------------------------------------------------------------------------------------

    async def take_part(self) -> None:
        """Play, or look on, until the game is over; asleep at times, when nobody hears and is heard."""
        while self._status != "over":
            awake = [asyncio.create_task(self.follow())]
            if self._seat is not None:
                awake.append(asyncio.create_task(self._play()))
            nap = self._rng.expovariate(NAP)
            try:
                done, _ = await asyncio.wait(awake, timeout=nap, return_when=asyncio.FIRST_EXCEPTION)
                for task in done:
                    task.result()
                if len(done) == len(awake):
                    return
            finally:
                for task in awake:
                    task.cancel()
                await asyncio.gather(*awake, return_exceptions=True)
                self.close()
            self._ledger.naps += 1
            await asyncio.sleep(self._rng.uniform(0.5, LONGEST_NAP))

    async def _play(self) -> None:
        asked = -1
        if self._wanted is not None:  # no answer had come before it fell asleep
            with suppress(Refusal):
                await self._until_known()
        while self._status != "over":
            if asked >= self._number > 0:
                await self._news.wait()
            self._news.clear()
            legal = await self.get("/legal")
            asked = legal["number"]
            if legal["actions"]:
                with suppress(Refusal):
                    asked = await self._decide(legal)
            if self._rng.random() < LOOK:
                self._ledger.shown(await self.get(), self._seat)

    async def _decide(self, legal: Any) -> int:
        """Send a decision until it is answered; the number up to which all is known."""
        action = self._rng.choice(legal["actions"])["id"]
        info = await self._want("play", "/actions", action, action=action, based_on=legal["number"])
        if info["undo"] is not None and self._rng.random() < UNDO:
            info = await self._want("undo", "/undo", info["undo"], number=info["undo"])
        # Whose turn it is now may be one's own again.
        return int(info["number"]) - 1 if self._seat in info["deciders"] else int(info["number"])

    async def _want(self, kind: str, path: str, what: int, **body: Any) -> Any:
        assert self._seat is not None
        key = f"{self._name}-{next(self._keys)}"
        self._ledger.sent[key] = Sent(self._seat, kind, what)
        self._wanted = path, {**body, "key": key}
        return await self._until_known()

    async def _until_known(self) -> Any:
        """What became of what was wanted last: the table, or a Refusal."""
        assert self._wanted is not None
        path, body = self._wanted
        try:
            answer = await self.post(path, body)
        except Refusal:
            self._wanted = None
            raise
        self._wanted = None
        self._ledger.heard.append(Heard(body["key"], answer["number"], answer["repeated"]))
        self._ledger.shown(answer["table"], self._seat)
        return answer["table"]


async def play(plan: Plan, port: int, ledger: Ledger) -> None:
    """A whole game: the table is opened, filled, played to the end, and its record asked for."""
    rng = Random(plan.seed)
    ledger.game = plan.game
    ledger.last_change = time.monotonic()
    tokens = [secrets.token_urlsafe(24) for _ in plan.seats]
    first = next(seat for seat, player in enumerate(plan.seats) if isinstance(player, int))
    maker = Window(port, ledger, first, tokens[first], "wait", rng)
    ledger.seen.clear()
    try:
        body: dict[str, Any] = {"game": plan.game, "players": len(plan.seats), "key": "table"}
        ledger.table = (await maker.until_answered("POST", "/api/tables", body))["table"]["id"]
        for seat, player in enumerate(plan.seats):
            if isinstance(player, int):
                sitting = Window(port, ledger, seat, tokens[seat], "wait", rng)
                ledger.seen.pop()
                body = {"name": f"Player {seat + 1}", "seat": seat, "key": f"sit-{seat}"}
                await sitting.post("/seats", body)
                sitting.close()
            else:
                await maker.post("/computers", {"level": player, "seat": seat, "key": f"computer-{seat}"})
        await maker.post("/start")
        windows = []
        for seat, player in enumerate(plan.seats):
            for _ in range(player if isinstance(player, int) else 0):
                own = Random(rng.random())
                windows.append(Window(port, ledger, seat, tokens[seat], rng.choice(WAYS), own))
        for i in range(plan.watchers):
            windows.append(Window(port, ledger, None, "", WAYS[i % 2], Random(rng.random())))
        async with asyncio.TaskGroup() as group:
            for window in windows:
                group.create_task(window.take_part())
        ledger.record = await maker.get("/record")
        ledger.finished = True
    finally:
        maker.close()
