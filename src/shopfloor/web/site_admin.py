"""The administrator's page of a table and its forms; and what people do about each other from a table's menu."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from litestar import Response, Router, get, post
from litestar.di import Provide
from litestar.params import FromPath

from shopfloor.tables import checks
from shopfloor.tables.errors import AccountError, TableError
from shopfloor.tables.model import Table
from shopfloor.web import people, problems
from shopfloor.web.identity import cookie
from shopfloor.web.problems import ProblemError
from shopfloor.web.site import Form, TableId, Visitor, Who, after, form, number, visitor


def _admin(who: Visitor, table_id: str) -> Table:
    """The table, for the administrator. Raises NOT_ADMIN, UnknownTable."""
    if not who.admin:
        raise AccountError("NOT_ADMIN")
    return who.server.table(table_id)


def _do(who: Visitor, table_id: str, do: Callable[[Table], object]) -> Response[Any]:
    found = _admin(who, table_id)
    try:
        do(found)
    except (TableError, ProblemError) as error:
        problem = problems.of_error(error, found)
        assert problem is not None
        page = people.administration(who.ctx(f"/t/{found.id}/admin"), who.server.table(found.id), problem.sentence)
        return who.answer(page, problem.status)
    return who.go(f"/t/{found.id}/admin")


@get("/t/{table_id:str}/admin", sync_to_thread=True)
def administration(table_id: TableId, who: Who) -> Response[str]:
    found = _admin(who, table_id)
    return who.answer(people.administration(who.ctx(f"/t/{found.id}/admin"), found))


@post("/t/{table_id:str}/admin/end", sync_to_thread=True)
def end(table_id: TableId, who: Who) -> Response[Any]:
    return _do(who, table_id, lambda table: who.tables.end(table.id))


@post("/t/{table_id:str}/admin/reopen", sync_to_thread=True)
def reopen(table_id: TableId, who: Who) -> Response[Any]:
    return _do(who, table_id, lambda table: who.tables.reopen(table.id))


@post("/t/{table_id:str}/admin/rewind", sync_to_thread=True)
def rewind(table_id: TableId, form: Form, who: Who) -> Response[Any]:
    return _do(who, table_id, lambda table: who.tables.rewind(table.id, number(form, "line")))


@post("/t/{table_id:str}/admin/seats/{seat:int}/replace", sync_to_thread=True)
def replace_seat(table_id: TableId, seat: FromPath[int], form: Form, who: Who) -> Response[Any]:
    return _do(who, table_id, lambda table: who.tables.replace_seat(table.id, seat, form.get("level", "")))


@post("/t/{table_id:str}/admin/seats/{seat:int}/free", sync_to_thread=True)
def free_seat(table_id: TableId, seat: FromPath[int], who: Who) -> Response[Any]:
    return _do(who, table_id, lambda table: who.tables.free_seat(table.id, seat))


@post("/t/{table_id:str}/admin/seats/{seat:int}/silence", sync_to_thread=True)
def silence_seat(table_id: TableId, seat: FromPath[int], form: Form, who: Who) -> Response[Any]:
    return _do(who, table_id, lambda table: who.tables.silence_seat(table.id, seat, form.get("on") == "yes"))


# -- people at a table ----------------------------------------------------------------------------------------------


@post("/t/{table_id:str}/new-link", sync_to_thread=True)
def new_link(table_id: TableId, who: Who) -> Response[Any]:
    """The seat gets another link; whoever has the old one has nothing."""

    def do(table: Table) -> None:
        fresh = who.tables.renew(table.id, who.token_at(table))
        who.cookies.append(cookie(who.server.settings, fresh, table.id))
        # The same person as before, to those who have blocked them, and for notices.
        who.tables.blocks.know(checks.token_hash(who.browser()), checks.token_hash(fresh))

    return after(who, table_id, do)


@post("/t/{table_id:str}/seats/{seat:int}/block", sync_to_thread=True)
def block(table_id: TableId, seat: FromPath[int], form: Form, who: Who) -> Response[Any]:
    return after(who, table_id, lambda t: who.tables.block(t.id, who.person(), seat, form.get("on") == "yes"))


def router() -> Router:
    """The forms above."""
    return Router(
        "/",
        route_handlers=[
            administration,
            end,
            reopen,
            rewind,
            replace_seat,
            free_seat,
            silence_seat,
            new_link,
            block,
        ],
        dependencies={"who": Provide(visitor, sync_to_thread=False), "form": Provide(form)},
        include_in_schema=False,
    )
