"""Men at Work over a line on which everything takes 50 ms each way: what one holds is shown where one wants it.

Nothing is timed: what is compared are two places of the same piece at the same moment.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Iterator
from statistics import median

import pytest
from playwright.sync_api import Page

from shopfloor.games import REGISTRY
from tests.e2e.conftest import Opens
from tests.e2e.stage import Stage
from tests.web.servers import ServerProcess, free_port

if "men_at_work" not in REGISTRY.ids():
    pytest.skip("Men at Work is not on the shelf", allow_module_level=True)
pytest.importorskip("rapier3d")

from tests.e2e.test_men_at_work import begun, choose, until

EACH_WAY = 0.05
SAMPLE = """async () => {
    const site = window.shopfloorSite, piece = site.check.held, rows = [];
    const far = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
    const end = performance.now() + 1200;  // before the hand is at the edge of what it reaches
    while (performance.now() < end) {
        await new Promise(requestAnimationFrame);
        const hand = site.check.hand, told = site.wire.history.last(piece).p;
        rows.push([far(hand, site.check.body(piece)), far(hand, told), site.wire.state.touch.length]);
    }
    return rows;
}"""
"""How far what is shown, and what the site has told last, are behind the hand, and how much the piece touches."""

pytestmark = [pytest.mark.slow, pytest.mark.rule("MW-S.7")]


@contextlib.contextmanager
def far_from(port: int, seconds: float) -> Iterator[int]:
    """Another port for the same server: whatever goes through it arrives so much later, each way."""

    async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        loop = asyncio.get_running_loop()
        under_way: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

        async def deliver() -> None:
            with contextlib.suppress(OSError):
                while True:
                    at, data = await under_way.get()
                    await asyncio.sleep(at - loop.time())
                    if not data:
                        break
                    writer.write(data)
                    await writer.drain()
            writer.close()

        delivering = loop.create_task(deliver())
        data = b"x"
        while data:
            try:
                data = await reader.read(65536)
            except OSError:
                data = b""
            under_way.put_nowait((loop.time() + seconds, data))
        await delivering

    async def between(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", port)
        await asyncio.gather(pump(reader, back), pump(there, writer))

    async def serve() -> None:
        async with await asyncio.start_server(between, "127.0.0.1", own):
            ready.set()
            while not over.is_set():
                await asyncio.sleep(0.05)

    own, ready, over = free_port(), threading.Event(), threading.Event()
    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    assert ready.wait(20)
    try:
        yield own
    finally:
        over.set()
        thread.join()


def behind(page: Page, key: str) -> tuple[float, float]:
    """Millimetres that what is shown, and what the site has told, are behind the hand while a key moves it."""
    page.keyboard.down(key)
    page.wait_for_timeout(400)  # until it is in full swing
    rows = page.evaluate(SAMPLE)
    page.keyboard.up(key)
    free = [row for row in rows if not row[2]]
    assert len(free) > 5, "it is carried through free air"
    return median(row[0] for row in free), median(row[1] for row in free)


def in_the_air(page: Page, colour: int) -> None:
    """Take the piece, and lift it clear of everything."""
    piece = choose(page, colour)["grips"][0]
    page.keyboard.press("t")
    until(page, lambda c: c["held"] == piece and c["state"]["held"] == piece, "it is not in the hand")
    page.keyboard.down("PageUp")
    page.wait_for_timeout(900)
    page.keyboard.up("PageUp")


def test_far_from_the_server_the_piece_is_shown_where_the_hand_is(
    opens: Opens, stage: Stage, server: ServerProcess
) -> None:
    found = {}
    for seconds in (0.0, EACH_WAY):
        staged, colour = begun(stage)
        with far_from(server.port, seconds) as port:
            page = opens("/", staged.tokens[0])
            page.goto(f"http://127.0.0.1:{port}{staged.path}?draw=0")
            in_the_air(page, colour)
            found[seconds] = shown, told = behind(page, "ArrowUp")
            print(f"\n{1000 * seconds:.0f} ms each way: shown {shown:.1f} mm behind the hand, told {told:.1f} mm")
            page.goto("about:blank")  # before the line is cut
    shown, told = found[EACH_WAY]
    assert told > 4, "the line is slow indeed"
    assert shown < told / 2
