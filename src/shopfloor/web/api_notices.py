"""The JSON API, continued: how people want to be told of their turn."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Final

from litestar import Response, Router, delete, get, post
from litestar.di import Provide
from litestar.params import PathParameter

from shopfloor.web import schemas
from shopfloor.web.api import SEAT, TableId, Who, answers, asker, sent
from shopfloor.web.notices.desk import Target

MailBody = Annotated[schemas.NoticeByMail, sent(address="ann@example.org")]
WebhookBody = Annotated[schemas.NoticeByWebhook, sent(url="https://ntfy.sh/ann-and-her-games", form="ntfy")]
PushBody = Annotated[
    schemas.NoticeByPush, sent(endpoint="https://push.example/abc", p256dh="BNc...", auth="tBHI...", every=600)
]
TargetId = Annotated[str, PathParameter(description="The target's id.")]

ADDS: Final = (400, 401, 403, 404, 409, 413, 429)


def _info(target: Target) -> schemas.NoticeTarget:
    return schemas.NoticeTarget(**asdict(target))


@get(
    "/tables/{table_id:str}/notices",
    operation_id="getNotices",
    summary="How one can be told, and where one is told",
    tags=["Following"],
    security=SEAT,
    responses=answers(401, 403, 404),
    sync_to_thread=True,
)
def notices(table_id: TableId, who: Who) -> schemas.Notices:
    table, _ = who.seated(table_id)
    desk = who.server.desk
    return schemas.Notices(list(desk.kinds), desk.push_key, [_info(t) for t in desk.targets(table, who.needed())])


@post(
    "/tables/{table_id:str}/notices/mail",
    operation_id="tellByMail",
    summary="Be told by mail when it is one's turn",
    description="The mailbox gets one mail that asks whether it wants more, and nothing else before it has said yes. "
    "Every mail holds a link that ends them. Where the server offers no mail: `NOT_OFFERED`.",
    tags=["Following"],
    security=SEAT,
    responses=answers(*ADDS),
    sync_to_thread=True,
)
def by_mail(table_id: TableId, data: MailBody, who: Who) -> Response[schemas.NoticeTarget]:
    table, _ = who.seated(table_id)
    return Response(_info(who.server.desk.by_mail(table, who.needed(), data.address, data.every)), status_code=201)


@post(
    "/tables/{table_id:str}/notices/webhook",
    operation_id="tellByWebhook",
    summary="Be told by a request to an address of one's own",
    description="Requests carry `webhook-id`, `webhook-timestamp` and `webhook-signature`, made with the target's "
    "`secret` as standardwebhooks.com describes. A first request shows whether it works. The body's `notices` are of "
    "the kinds `turn`, `request` (others ask one to agree), `away` (time was up; a computer stands in) and `over`.",
    tags=["Following"],
    security=SEAT,
    responses=answers(*ADDS),
    sync_to_thread=True,
)
def by_webhook(table_id: TableId, data: WebhookBody, who: Who) -> Response[schemas.NoticeTarget]:
    table, _ = who.seated(table_id)
    added = who.server.desk.by_webhook(table, who.needed(), data.url, data.form, who.base_url, data.every)
    return Response(_info(added), status_code=201)


@post(
    "/tables/{table_id:str}/notices/push",
    operation_id="tellByPush",
    summary="Be told by web push",
    tags=["Following"],
    security=SEAT,
    responses=answers(*ADDS),
    sync_to_thread=True,
)
def by_push(table_id: TableId, data: PushBody, who: Who) -> Response[schemas.NoticeTarget]:
    table, _ = who.seated(table_id)
    keys = (data.endpoint, data.p256dh, data.auth)
    added = who.server.desk.by_push(table, who.needed(), *keys, who.base_url, data.every)
    return Response(_info(added), status_code=201)


@post(
    "/tables/{table_id:str}/notices/{target:str}/try",
    operation_id="tryNotice",
    summary="Send something there now, and begin anew where it was given up",
    tags=["Following"],
    security=SEAT,
    status_code=200,
    responses=answers(401, 403, 404, 409, 429),
    sync_to_thread=True,
)
def try_out(table_id: TableId, target: TargetId, who: Who) -> schemas.NoticeTarget:
    table, _ = who.seated(table_id)
    return _info(who.server.desk.try_out(table, who.needed(), target))


@delete(
    "/tables/{table_id:str}/notices/{target:str}",
    operation_id="tellNoMore",
    summary="Be told there no more of this table",
    description="With the last table, all that was kept of the address is deleted.",
    tags=["Following"],
    security=SEAT,
    status_code=204,
    responses=answers(401, 403, 404, 429),
    sync_to_thread=True,
)
def drop(table_id: TableId, target: TargetId, who: Who) -> None:
    table, _ = who.seated(table_id)
    who.server.desk.drop(table, who.needed(), target)


def router() -> Router:
    """The operations above."""
    return Router(
        "/api",
        route_handlers=[notices, by_mail, by_webhook, by_push, try_out, drop],
        dependencies={"who": Provide(asker, sync_to_thread=False)},
    )
