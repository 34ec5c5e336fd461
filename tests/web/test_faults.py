"""Games played while the line, the servers and the database fail: nothing is lost, nothing doubled, nobody misled.

A small run of `python -m bench.faults`; and the audit at its end finds what it is there to find.
"""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import msgspec
import pytest

if sys.platform != "linux":
    pytest.skip("processes are stopped and disks filled as Linux allows it", allow_module_level=True)

from bench.faults import proxy as line
from bench.faults.audit import Findings, audit
from bench.faults.ledger import Heard, Ledger, Seen, Sent, digest, line_digest
from bench.faults.page import table, write
from bench.faults.proxy import Proxy
from bench.faults.run import Result, Setting, plans, run
from bench.faults.site import Site
from bench.processes import Process
from bench.wire import Connection, Cut, message
from shopfloor.engine.views import plain
from shopfloor.tables.service import Tables
from shopfloor.tables.store import Store, sqlite_url
from shopfloor.web import told
from tests.tables.helpers import Party


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize(("postgresql", "games"), [(False, 6), (True, 4)], ids=["sqlite", "postgresql"])
def test_nothing_is_lost_and_nothing_doubled_whatever_fails(tmp_path: Path, postgresql: bool, games: int) -> None:
    setting = Setting(games=games, postgresql=postgresql, seed=3, at_once=games, rate=0.15, every=5.0, short=1.0)
    result = asyncio.run(run(setting, tmp_path))
    print(table(result))
    assert result.found.faults == []
    assert result.stuck == []
    assert (result.found.lost, result.found.doubled) == (0, 0)
    assert result.finished == result.found.records == setting.games
    assert result.unexpected == []
    assert result.complaints == []
    assert result.gone == 0
    assert result.found.acknowledged > 100
    assert result.found.views > 100
    assert sum(result.injected.values()) > 100
    assert {line.DROPPED, line.UNHEARD, line.DOUBLED, line.AGAIN, line.OVERTAKEN} <= result.injected.keys()


def test_what_has_just_been_broken_is_put_right_before_all_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else it would be started again when nothing that it needs is there any more, in vain and for minutes."""
    site = Site.__new__(Site)
    site.postgres, site.servers = None, [Process("server", [], lambda: True)]
    broken, right = threading.Event(), threading.Event()

    def happen(*_: object) -> None:
        broken.set()
        time.sleep(0.3)
        right.set()

    monkeypatch.setattr(site, "_happen", happen)

    async def ended_in_the_middle() -> None:
        trouble = asyncio.create_task(site.trouble(Random(1), 0.001))
        await asyncio.to_thread(broken.wait)
        trouble.cancel()
        await asyncio.gather(trouble, return_exceptions=True)
        assert trouble.cancelled()
        assert right.is_set()

    asyncio.run(ended_in_the_middle())


# -- the audit itself ---------------------------------------------------------------------------------------------


@pytest.fixture
def played(tmp_path: Path) -> Iterator[tuple[Store, Ledger]]:
    """A whole game, and what people who were well treated wrote down of it."""
    url = sqlite_url(tmp_path / "tables.db")
    tables, store = Tables(url), Store(url)
    party = Party(tables, 2)
    ledger = Ledger(party.id, "zahltag", finished=True)
    seen = [Seen(f"seat {seat}", seat, party.table.number) for seat in (None, 0, 1)]
    rng = Random(1)
    for i in range(1000):
        now = party.table
        if now.status == "over":
            break
        seat = now.deciders()[0]
        action, key = rng.choice(now.legal(seat)), f"key-{i}"
        ledger.sent[key] = Sent(seat, "play", action)
        answer = party.act(seat, action, now.number, key)
        ledger.heard.append(Heard(key, answer.number, answer.repeated))
        ledger.views.add((answer.number, seat, digest(plain(answer.table.view(seat)))))
        for each in seen:
            news = told.news(answer.table, each.seat, now.number)
            each.lines += [(x.number, line_digest(msgspec.to_builtins(x))) for x in news.lines]
    for each in seen:
        each.ended = True
    ledger.seen = seen
    ledger.record = tables.record(party.id)
    yield store, ledger
    store.close()
    tables.close()


def found(store: Store, ledger: Ledger) -> Findings:
    findings = Findings()
    audit(store, ledger, findings)
    return findings


def test_a_game_in_which_all_went_well_has_no_faults(played: tuple[Store, Ledger]) -> None:
    store, ledger = played
    findings = found(store, ledger)
    assert findings.faults == []
    assert findings.acknowledged == len(ledger.heard) > 10
    assert findings.lines == sum(len(seen.lines) for seen in ledger.seen)
    assert (findings.views, findings.records) == (len(ledger.views), 1)


def _lost(ledger: Ledger) -> None:
    ledger.sent["never"] = Sent(0, "play", 1)
    ledger.heard.append(Heard("never", 9, False))


def _elsewhere(ledger: Ledger) -> None:
    ledger.heard[3] = replace(ledger.heard[3], number=ledger.heard[3].number + 1)


def _unwanted(ledger: Ledger) -> None:
    del ledger.sent[ledger.heard[2].key]


def _other_seat(ledger: Ledger) -> None:
    key = ledger.heard[2].key
    ledger.sent[key] = replace(ledger.sent[key], seat=1 - ledger.sent[key].seat)


def _gap(ledger: Ledger) -> None:
    del ledger.seen[0].lines[4]


def _twice(ledger: Ledger) -> None:
    ledger.seen[1].lines.insert(4, ledger.seen[1].lines[4])


def _out_of_order(ledger: Ledger) -> None:
    lines = ledger.seen[2].lines
    lines[3], lines[4] = lines[4], lines[3]


def _other_line(ledger: Ledger) -> None:
    ledger.seen[0].lines[2] = (ledger.seen[0].lines[2][0], b"another")


def _end_missing(ledger: Ledger) -> None:
    del ledger.seen[0].lines[-1]


def _other_view(ledger: Ledger) -> None:
    ledger.views.add((12, 0, b"another"))


def _view_from_nowhere(ledger: Ledger) -> None:
    ledger.views.add((100_000, 0, b"another"))


def _refusal_with_another_line(ledger: Ledger) -> None:
    ledger.answers_told.add((7, 0, b"another"))


def _cut_record(ledger: Ledger) -> None:
    ledger.record = ledger.record[:-20]


@pytest.mark.parametrize(
    "spoil",
    [
        _lost,
        _elsewhere,
        _unwanted,
        _other_seat,
        _gap,
        _twice,
        _out_of_order,
        _other_line,
        _end_missing,
        _other_view,
        _view_from_nowhere,
        _refusal_with_another_line,
        _cut_record,
    ],
)
def test_whatever_is_wrong_is_found(played: tuple[Store, Ledger], spoil: Callable[[Ledger], None]) -> None:
    store, ledger = played
    spoil(ledger)
    findings = found(store, ledger)
    assert len(findings.faults) == 1
    assert findings.lost == (1 if spoil in (_lost, _elsewhere) else 0)


def test_a_table_that_is_gone_is_found(played: tuple[Store, Ledger]) -> None:
    store, ledger = played
    ledger.table = "2222222222"
    assert found(store, ledger).lost == len(ledger.heard)


# -- its parts ------------------------------------------------------------------------------------------------------


def test_plans_are_the_same_for_the_same_seed() -> None:
    setting = Setting(games=50, postgresql=False, seed=4)
    assert plans(setting) == plans(setting)
    assert plans(setting) != plans(replace(setting, seed=5))
    for plan in plans(setting):
        assert any(isinstance(player, int) for player in plan.seats)


def test_messages_of_a_stream() -> None:
    assert message(b"") is None
    assert message(b":") is None
    assert message(b"retry: 1000") is None
    told = message(b"id: 12\ndata: {}")
    assert told is not None
    assert (told.number, told.data) == (12, b"{}")


@pytest.mark.parametrize("fault", [*line.OF_REQUESTS, ""])
def test_what_the_line_does_to_a_request(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """How often the request comes to the server, and whether an answer comes back."""
    monkeypatch.setattr(line, "OF_REQUESTS", (fault,))
    monkeypatch.setattr(line, "WORST_DELAY", 0.2)

    async def main() -> tuple[int, bool]:
        heard = 0

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            nonlocal heard
            try:
                await reader.readuntil(b"\r\n\r\n")
                if await reader.readexactly(5) == b"hello":
                    heard += 1
                    writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")
                    await writer.drain()
            except EOFError:
                pass
            finally:
                writer.close()

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        proxy = Proxy([server.sockets[0].getsockname()[1]], 1.0 if fault else 0.0, Random(2))
        await proxy.start()
        client = Connection("127.0.0.1", proxy.port)
        try:
            answer = await client.ask("POST", "/", b"hello", 20)
            answered = answer.body == b"ok"
        except Cut:
            answered = False
        client.close()
        await proxy.settle()
        await proxy.stop()
        server.close()
        assert proxy.injected == ({fault: 1} if fault else {})
        return heard, answered

    expected = {
        line.DROPPED: (0, False),
        line.HALF: (0, False),
        line.OVERTAKEN: (1, False),
        line.UNHEARD: (1, False),
        line.SHORT: (1, False),
        line.DOUBLED: (2, True),
        line.AGAIN: (2, True),
    }
    assert asyncio.run(main()) == expected.get(fault, (1, True))


def test_figures_stand_in_the_page_once_for_each_database(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    for games, postgresql in ((1, True), (2, False), (3, True)):
        write(page, Result(Setting(games=games, postgresql=postgresql, seed=1)))
    text = page.read_text(encoding="utf-8")
    assert text.count("\n## ") == 2
    assert "--games 1 " not in text
    assert text.index("--games 2 ") < text.index("--games 3 ")
