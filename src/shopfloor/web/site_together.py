"""The forms by which people at a table ask each other, go on after a pause, and pass seats on."""

from __future__ import annotations

from typing import Any

from litestar import Response, Router, post
from litestar.di import Provide
from litestar.params import FromPath

from shopfloor.tables.model import Table
from shopfloor.web.site import Form, TableId, Who, after, form, number, visitor


@post("/t/{table_id:str}/ask-undo", sync_to_thread=True)
def ask_undo(table_id: TableId, form: Form, who: Who) -> Response[Any]:
    def do(table: Table) -> None:
        who.tables.ask_undo(table.id, who.token_at(table), number(form, "number"), form.get("key", ""))

    return after(who, table_id, do)


@post("/t/{table_id:str}/ask-pause", sync_to_thread=True)
def ask_pause(table_id: TableId, form: Form, who: Who) -> Response[Any]:
    return after(who, table_id, lambda t: who.tables.ask_pause(t.id, who.token_at(t), form.get("key", "")))


@post("/t/{table_id:str}/answer", sync_to_thread=True)
def answer(table_id: TableId, form: Form, who: Who) -> Response[Any]:
    def do(table: Table) -> None:
        agree = form.get("agree") == "yes"
        who.tables.answer_request(table.id, who.token_at(table), number(form, "request"), agree)

    return after(who, table_id, do)


@post("/t/{table_id:str}/say", sync_to_thread=True)
def say(table_id: TableId, form: Form, who: Who) -> Response[Any]:
    def do(table: Table) -> None:
        who.tables.say(table.id, who.token_at(table), form.get("text", ""), form.get("key", ""))

    return after(who, table_id, do)


@post("/t/{table_id:str}/seats/{seat:int}/mute", sync_to_thread=True)
def mute(table_id: TableId, seat: FromPath[int], form: Form, who: Who) -> Response[Any]:
    return after(who, table_id, lambda t: who.tables.mute(t.id, who.token_at(t), seat, form.get("on") == "yes"))


@post("/t/{table_id:str}/seats/{seat:int}/silence", sync_to_thread=True)
def silence(table_id: TableId, seat: FromPath[int], form: Form, who: Who) -> Response[Any]:
    return after(who, table_id, lambda t: who.tables.silence(t.id, who.token_at(t), seat, form.get("on") == "yes"))


@post("/t/{table_id:str}/resume", sync_to_thread=True)
def resume(table_id: TableId, who: Who) -> Response[Any]:
    return after(who, table_id, lambda table: who.tables.resume(table.id, who.token_at(table)))


@post("/t/{table_id:str}/seats/{seat:int}/offer", sync_to_thread=True)
def offer(table_id: TableId, seat: FromPath[int], who: Who) -> Response[Any]:
    return after(who, table_id, lambda table: who.tables.offer(table.id, who.token_at(table), seat))


@post("/t/{table_id:str}/seats/{seat:int}/take", sync_to_thread=True)
def take(table_id: TableId, seat: FromPath[int], form: Form, who: Who) -> Response[Any]:
    return after(who, table_id, lambda t: who.tables.take(t.id, form.get("name", ""), seat, who.sitting(t)))


@post("/t/{table_id:str}/revive", sync_to_thread=True)
def revive(table_id: TableId, who: Who) -> Response[Any]:
    return after(who, table_id, lambda table: who.tables.revive(table.id, who.token_at(table)))


def router() -> Router:
    """The forms above."""
    return Router(
        "/",
        route_handlers=[ask_undo, ask_pause, answer, say, mute, silence, resume, offer, take, revive],
        dependencies={"who": Provide(visitor, sync_to_thread=False), "form": Provide(form)},
        include_in_schema=False,
    )
