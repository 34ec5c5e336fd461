"""The site, continued: how people want to be told of their turn, and the links in mails."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from litestar import Response, Router, get, post
from litestar.di import Provide
from litestar.params import FromPath

from shopfloor.tables.checks import Token
from shopfloor.tables.errors import TableError
from shopfloor.tables.model import Table
from shopfloor.web import pages_notices, problems
from shopfloor.web.identity import well_formed
from shopfloor.web.problems import Problem, ProblemError
from shopfloor.web.site import Form, TableId, Visitor, Who, form, number, visitor

WORKER: Final = Path(__file__).parent / "static" / "notices-worker.js"


def _seated(who: Visitor, table_id: str) -> tuple[Table, Token]:
    """The table and the visitor's token there. Raises NOT_SEATED."""
    table = who.server.table(table_id)
    token = who.token_at(table)
    if who.tables.seat_of(table.id, token) is None:
        raise TableError("NOT_SEATED")
    return table, token


def _shown(who: Visitor, table: Table, token: Token, problem: Problem | None = None) -> Response[str]:
    """The panel, or without script the page that holds it."""
    desk = who.server.desk
    ctx = who.ctx(f"/t/{table.id}/notices")
    facts = (desk.kinds, desk.push_key, desk.targets(table, token), problem.sentence if problem else "")
    make = pages_notices.panel if who.htmx else pages_notices.page
    return who.answer(make(ctx, table, *facts), problem.status if problem else 200)


def _change(who: Visitor, table_id: str, do: Callable[[Table, Token], object]) -> Response[Any]:
    table, token = _seated(who, table_id)
    try:
        do(table, token)
    except (ProblemError, TableError) as error:
        return _shown(who, table, token, problems.of_error(error, table))
    return _shown(who, table, token) if who.htmx else who.go(f"/t/{table.id}/notices")


def _every(fields: dict[str, str]) -> int | None:
    return number(fields, "every") if fields.get("every") else None


@get("/t/{table_id:str}/notices", sync_to_thread=True)
def notices(table_id: TableId, who: Who) -> Response[str]:
    table, token = _seated(who, table_id)
    return _shown(who, table, token)


@post("/t/{table_id:str}/notices/mail", sync_to_thread=True)
def by_mail(table_id: TableId, form: Form, who: Who) -> Response[Any]:
    def do(table: Table, token: Token) -> None:
        who.server.desk.by_mail(table, token, form.get("address", ""), _every(form))

    return _change(who, table_id, do)


@post("/t/{table_id:str}/notices/webhook", sync_to_thread=True)
def by_webhook(table_id: TableId, form: Form, who: Who) -> Response[Any]:
    def do(table: Table, token: Token) -> None:
        url, shape = form.get("url", ""), form.get("shape", "json")
        who.server.desk.by_webhook(table, token, url, shape, who.base_url, _every(form))

    return _change(who, table_id, do)


@post("/t/{table_id:str}/notices/push", sync_to_thread=True)
def by_push(table_id: TableId, form: Form, who: Who) -> Response[Any]:
    def do(table: Table, token: Token) -> None:
        keys = (form.get("endpoint", ""), form.get("p256dh", ""), form.get("auth", ""))
        who.server.desk.by_push(table, token, *keys, who.base_url, _every(form))

    return _change(who, table_id, do)


@post("/t/{table_id:str}/notices/{target:str}/remove", sync_to_thread=True)
def remove(table_id: TableId, target: FromPath[str], who: Who) -> Response[Any]:
    return _change(who, table_id, lambda table, token: who.server.desk.drop(table, token, target))


@post("/t/{table_id:str}/notices/{target:str}/try", sync_to_thread=True)
def try_out(table_id: TableId, target: FromPath[str], who: Who) -> Response[Any]:
    return _change(who, table_id, lambda table, token: who.server.desk.try_out(table, token, target))


# -- the links in mails: opening them changes nothing, since programs that look after mailboxes open them, too ---------


@get("/notices/{secret:str}/confirm", sync_to_thread=True)
def may_confirm(secret: FromPath[str], who: Who) -> Response[str]:
    found = who.server.desk.mailbox(secret) if well_formed(secret) else None
    kind = "gone" if found is None or not found.owner else "done" if found.confirmed else "confirm"
    return who.answer(pages_notices.letter(who.ctx("/"), kind, secret), 404 if kind == "gone" else 200)


@post("/notices/{secret:str}/confirm", status_code=200, sync_to_thread=True)
def confirm(secret: FromPath[str], who: Who) -> Response[str]:
    kind = "done" if well_formed(secret) and who.server.desk.confirm(secret) else "gone"
    return who.answer(pages_notices.letter(who.ctx("/"), kind, secret), 404 if kind == "gone" else 200)


@get("/notices/{secret:str}/stop", sync_to_thread=True)
def may_stop(secret: FromPath[str], who: Who) -> Response[str]:
    found = who.server.desk.mailbox(secret) if well_formed(secret) else None
    return who.answer(pages_notices.letter(who.ctx("/"), "stopped" if found is None else "stop", secret))


@post("/notices/{secret:str}/stop", status_code=200, sync_to_thread=True)
def stop(secret: FromPath[str], who: Who) -> Response[str]:
    """One click: a person's on our page, or the button that mailboxes have for it."""
    if well_formed(secret):
        who.server.desk.end(secret)
    return who.answer(pages_notices.letter(who.ctx("/"), "stopped", secret))


@get("/notices-worker.js", sync_to_thread=False)
def worker() -> Response[bytes]:
    """What a browser runs when a push arrives. At the top, since it speaks for the pages below its own address."""
    return Response(WORKER.read_bytes(), media_type="text/javascript")


def router() -> Router:
    """The pages and forms above."""
    return Router(
        "/",
        route_handlers=[
            notices,
            by_mail,
            by_webhook,
            by_push,
            remove,
            try_out,
            may_confirm,
            confirm,
            may_stop,
            stop,
            worker,
        ],
        dependencies={"who": Provide(visitor, sync_to_thread=False), "form": Provide(form)},
        include_in_schema=False,
    )
