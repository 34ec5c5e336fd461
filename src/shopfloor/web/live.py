"""The live part of tables' pages, rendered once for each seat and number and shared by all its viewers."""

from __future__ import annotations

import threading
from collections import OrderedDict
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import Final

from litestar.response import ServerSentEventMessage
from markupsafe import escape

from shopfloor.tables.model import Table
from shopfloor.web import pages
from shopfloor.web.pages import Ctx

# What differs between viewers of the same seat stands in the shared text as marks that no page contains otherwise.
CSRF_MARK: Final = "csrf-mark-5f0c1d7a9be24e38"
TOKEN_MARK: Final = "token-mark-9a4be1c36d0f4725"
ACCOUNT_MARK: Final = "account-mark-0b7d91c2e64f4a83"

KEPT: Final = 256


@dataclass(frozen=True)
class Viewer:
    """Who looks at a table. seat: None for a spectator."""

    ctx: Ctx
    seat: int | None


class Live:
    """Renders live parts. Safe from any thread; two that ask for the same at once get one rendering."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        # Two renderings at once would share the interpreter and both be late; one after the other, only one is.
        self._rendering = threading.Lock()
        self._kept: OrderedDict[tuple[object, ...], Future[tuple[str, bytes]]] = OrderedDict()

    def html(self, table: Table, viewer: Viewer) -> str:
        """The live part for a viewer."""
        text, _ = self._rendered(table, viewer)
        for mark, value in _own(viewer.ctx):
            text = text.replace(mark, value)
        return text

    def message(self, table: Table, viewer: Viewer) -> bytes:
        """The live part as a message of an event stream; its id is the table's number."""
        _, message = self._rendered(table, viewer)
        for mark, value in _own(viewer.ctx):
            message = message.replace(mark.encode(), value.encode())
        return message

    def _rendered(self, table: Table, viewer: Viewer) -> tuple[str, bytes]:
        ctx = viewer.ctx
        has_token = ctx.token is not None
        # The time as well: after an older copy of the database was put back, numbers come anew.
        who = (viewer.seat, ctx.manages, has_token, bool(ctx.account), ctx.kept, ctx.deaf, ctx.admin)
        key = (table.id, table.number, table.changed_at, ctx.base_url, ctx.path, *who)
        with self._lock:
            future = self._kept.get(key)
            mine = future is None
            if future is None:
                future = self._kept[key] = Future()
                while len(self._kept) > KEPT:
                    self._kept.popitem(last=False)
            else:
                self._kept.move_to_end(key)
        if mine:
            try:
                token, account = TOKEN_MARK if has_token else None, ACCOUNT_MARK if ctx.account else ""
                shared = replace(ctx, csrf=CSRF_MARK, token=token, account=account, theme=None)
                with self._rendering:
                    text = pages.table_live(shared, table, viewer.seat)
                future.set_result((text, ServerSentEventMessage(data=text, id=table.number, sep="\n").encode()))
            except BaseException as error:
                with self._lock:
                    self._kept.pop(key, None)
                future.set_exception(error)
        return future.result()


def _own(ctx: Ctx) -> list[tuple[str, str]]:
    """The marks, and what stands in their places for one viewer."""
    found = [(CSRF_MARK, ctx.csrf), (TOKEN_MARK, ctx.token or ""), (ACCOUNT_MARK, str(escape(ctx.account)))]
    return [(mark, value) for mark, value in found if value]
