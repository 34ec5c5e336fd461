"""How long a move takes through the web: `python bench/web.py [--moves 200]`.

Two people at a table, each in a browser: from the moment at which one begins to send a move until the other's event
stream has brought the whole new table. Also: how long a page takes, and how many bytes go over the line.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import statistics
import sys
import tempfile
import time
import uuid
from pathlib import Path
from typing import Any

import httpx

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.web.servers import server_process

FORM = re.compile(r'name="_csrf_token" value="([^"]*)"')


class Browser:
    """A person with a page open: posts forms, follows the table's stream."""

    def __init__(self, url: str) -> None:
        self.client = httpx.AsyncClient(base_url=url, timeout=30)
        self.csrf = ""
        self.number = 0
        self.size = 0
        self.arrived = 0.0
        self.news = asyncio.Event()

    async def post(self, path: str, **fields: object) -> httpx.Response:
        data = {name: str(value) for name, value in fields.items()} | {"_csrf_token": self.csrf}
        return await self.client.post(path, data=data, headers={"HX-Request": "true"})

    async def follow(self, path: str) -> None:
        async with self.client.stream("GET", f"{path}/stream") as stream:
            size = 0
            async for line in stream.aiter_lines():
                size += len(line) + 1
                if line.startswith("id: "):
                    self.number = int(line[4:])
                elif not line and size > 20:
                    self.arrived = time.perf_counter()
                    self.size, size = size, 0
                    self.news.set()

    async def reached(self, number: int) -> None:
        while self.number < number or not self.news.is_set():
            await asyncio.wait_for(self.news.wait(), 10)
            if self.number < number:
                self.news.clear()


async def table_of_two(people: list[Browser], name: str) -> str:
    """A table at which both sit and the game has begun; its path."""
    page = await people[0].client.get("/games/zahltag")
    people[0].csrf = FORM.findall(page.text)[0]
    made = await people[0].post("/tables", game="zahltag", players=2, name=name, your_name="Ann", seat_1="friend")
    path = made.headers["HX-Redirect"]
    page = await people[1].client.get(path)
    people[1].csrf = FORM.findall(page.text)[0]
    await people[1].post(f"{path}/sit", name="Ben", seat=1)
    await people[0].post(f"{path}/start")
    return str(path)


async def play(people: list[Browser], path: str, took: list[float], answered: list[float], moves: int) -> None:
    """One game, or `moves` moves of it; adds the seconds that each took to arrive and to be answered."""
    streams = [asyncio.create_task(person.follow(path)) for person in people]
    tokens = [person.client.cookies["sf_player"] for person in people]
    try:
        for person in people:
            await person.reached(1)
        while len(took) < moves:
            state: dict[str, Any] = (await people[0].client.get(f"/api{path.replace('/t/', '/tables/')}")).json()
            if state["status"] != "playing":
                return
            seat = state["deciders"][0]
            headers = {"Authorization": f"Bearer {tokens[seat]}"}
            url = f"/api{path.replace('/t/', '/tables/')}/legal"
            legal = (await people[seat].client.get(url, headers=headers)).json()
            action = legal["actions"][len(took) % len(legal["actions"])]["id"]
            other = people[1 - seat]
            other.news.clear()
            began = time.perf_counter()
            answer = await people[seat].post(
                f"{path}/act", action=action, based_on=legal["number"], key=uuid.uuid4().hex
            )
            answered.append(time.perf_counter() - began)
            assert answer.status_code == 200, answer.text[:500]
            await other.reached(legal["number"] + 1)
            took.append(other.arrived - began)
            await asyncio.sleep(0.02)  # people are slower than this
    finally:
        for stream in streams:
            stream.cancel()


async def measure(url: str, moves: int) -> None:
    took: list[float] = []
    answered: list[float] = []
    sizes: list[int] = []
    game = 0
    while len(took) < moves:
        game += 1
        people = [Browser(url), Browser(url)]
        path = await table_of_two(people, f"Bench {game}")
        await play(people, path, took, answered, moves)
        sizes += [person.size for person in people]
        pages: list[float] = []
        for _ in range(10):
            began = time.perf_counter()
            page = await people[0].client.get(path)
            pages.append(time.perf_counter() - began)
        for person in people:
            await person.client.aclose()
    show("A move, until the other's stream has it", took)
    show("A move, until it is answered", answered)
    show("A table's page", pages)
    print(f"{'One message of the stream':42} {max(sizes) / 1000:8.1f} kB at most")
    async with httpx.AsyncClient(base_url=url) as client:
        home = await client.get("/")
        total = sum(
            [await weight(client, "Home page", "/"), await weight(client, "A table's page, compressed", path)][:1]
        )
        assets = 0
        for asset in sorted(set(re.findall(r'(?:href|src)="(/static/[^"]+\.(?:css|js))"', home.text + page.text))):
            assets += await weight(client, asset.rsplit("/", 1)[-1], asset)
    print(f"{'First page with script and style':42} {(total + assets) / 1000:8.1f} kB (target: under 100 kB)")
    print(f"{'Script and style':42} {assets / 1000:8.1f} kB (target: under 60 kB)")


def show(what: str, seconds: list[float]) -> None:
    ms = sorted(1000 * s for s in seconds)
    worst = ms[int(0.95 * (len(ms) - 1))]
    print(f"{what:42} {statistics.median(ms):8.1f} ms median, {worst:6.1f} ms 95 % ({len(ms)} measured)")


async def weight(client: httpx.AsyncClient, what: str, path: str) -> int:
    """The bytes of an answer's body as they go over the line."""
    async with client.stream("GET", path, headers={"Accept-Encoding": "gzip"}) as answer:
        size = sum([len(chunk) async for chunk in answer.aiter_raw()])
    print(f"{what:42} {size / 1000:8.1f} kB")
    return size


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moves", type=int, default=200)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, server_process(Path(folder)) as server:
        asyncio.run(measure(server.url, arguments.moves))


if __name__ == "__main__":
    main()
