"""The JSON API, continued: what people at a table ask of each other, and seats that change hands."""

from __future__ import annotations

from typing import Annotated, Final

from litestar import Response, Router, post
from litestar.di import Provide
from litestar.params import FromPath, PathParameter

from shopfloor.web import schemas
from shopfloor.web.api import ANYBODY, SEAT, TableId, Who, answers, asker, sent

AskUndoBody = Annotated[schemas.Undo, sent(number=8, key="c0ffee-5")]
AskPauseBody = Annotated[schemas.AskPause, sent(key="c0ffee-6")]
AnswerBody = Annotated[schemas.AnswerRequest, sent(agree=True)]
SayBody = Annotated[schemas.Say, sent(text="Well played!", key="c0ffee-7")]
MuteBody = Annotated[schemas.Mute, sent(muted=True)]
SilenceBody = Annotated[schemas.Silence, sent(silenced=True)]
TakeBody = Annotated[schemas.TakeSeat, sent(name="Eva")]
RequestNumber = Annotated[int, PathParameter(ge=1, le=schemas.MOST, description="The request's number in the log.")]

CONFLICTS: Final = (400, 401, 403, 404, 409, 413, 429)


@post(
    "/tables/{table_id:str}/requests/undo",
    operation_id="askToUndo",
    summary="Ask the others to take back one's last decision, and everything since",
    description="Where it is no longer free. Computers, and people who are away, agree. With the last one who has to "
    "agree it is done; it lapses with the next decision.",
    tags=["Playing"],
    security=SEAT,
    status_code=200,
    responses=answers(*CONFLICTS),
    sync_to_thread=True,
)
def ask_undo(table_id: TableId, data: AskUndoBody, who: Who) -> schemas.Answer:
    token = who.needed()
    who.server.table(table_id)
    answer = who.tables.ask_undo(table_id, token, data.number, data.key)
    return schemas.Answer(answer.number, answer.repeated, who.told(answer.table))


@post(
    "/tables/{table_id:str}/requests/pause",
    operation_id="askToPause",
    summary="Ask the others to pause the game",
    description="While it is paused, clocks stand and nobody decides; anybody at the table can `resume`.",
    tags=["Playing"],
    security=SEAT,
    status_code=200,
    responses=answers(*CONFLICTS),
    sync_to_thread=True,
)
def ask_pause(table_id: TableId, data: AskPauseBody, who: Who) -> schemas.Answer:
    token = who.needed()
    who.server.table(table_id)
    answer = who.tables.ask_pause(table_id, token, data.key)
    return schemas.Answer(answer.number, answer.repeated, who.told(answer.table))


@post(
    "/tables/{table_id:str}/requests/{number:int}/answer",
    operation_id="answerRequest",
    summary="Agree to a request, or not; one's own is withdrawn by the latter",
    tags=["Playing"],
    security=SEAT,
    status_code=200,
    responses=answers(*CONFLICTS),
    sync_to_thread=True,
)
def answer_request(table_id: TableId, number: RequestNumber, data: AnswerBody, who: Who) -> schemas.TableInfo:
    token = who.needed()
    who.server.table(table_id)
    who.tables.answer_request(table_id, token, number, data.agree)
    return who.told(table_id)


@post(
    "/tables/{table_id:str}/messages",
    operation_id="say",
    summary="Say something to all at the table",
    description="It is a line of the log, of the kind `say`. At most ten in a minute.",
    tags=["Tables"],
    security=SEAT,
    status_code=200,
    responses=answers(*CONFLICTS),
    sync_to_thread=True,
)
def say(table_id: TableId, data: SayBody, who: Who) -> schemas.Answer:
    token = who.needed()
    who.server.table(table_id)
    answer = who.tables.say(table_id, token, data.text, data.key)
    return schemas.Answer(answer.number, answer.repeated, who.told(answer.table))


@post(
    "/tables/{table_id:str}/seats/{seat:int}/mute",
    operation_id="muteSeat",
    summary="Hear no more what a seat says, or hear it again",
    description="Nobody else learns of it.",
    tags=["Tables"],
    security=SEAT,
    status_code=200,
    responses=answers(*CONFLICTS),
    sync_to_thread=True,
)
def mute(table_id: TableId, seat: FromPath[int], data: MuteBody, who: Who) -> schemas.TableInfo:
    token = who.needed()
    who.server.table(table_id)
    who.tables.mute(table_id, token, seat, data.muted)
    return who.told(table_id)


@post(
    "/tables/{table_id:str}/seats/{seat:int}/silence",
    operation_id="silenceSeat",
    summary="Let a seat say nothing more at the table, or again; for who made it",
    tags=["Tables"],
    security=SEAT,
    status_code=200,
    responses=answers(*CONFLICTS),
    sync_to_thread=True,
)
def silence(table_id: TableId, seat: FromPath[int], data: SilenceBody, who: Who) -> schemas.TableInfo:
    token = who.needed()
    who.server.table(table_id)
    who.tables.silence(table_id, token, seat, data.silenced)
    return who.told(table_id)


@post(
    "/tables/{table_id:str}/resume",
    operation_id="resume",
    summary="Go on after a pause",
    tags=["Playing"],
    security=SEAT,
    status_code=200,
    responses=answers(401, 403, 404, 409, 429),
    sync_to_thread=True,
)
def resume(table_id: TableId, who: Who) -> schemas.TableInfo:
    token = who.needed()
    who.server.table(table_id)
    who.tables.resume(table_id, token)
    return who.told(table_id)


@post(
    "/tables/{table_id:str}/seats/{seat:int}/offer",
    operation_id="offerSeat",
    summary="Let somebody else take one's seat, or that of somebody who is away",
    description="A computer plays until somebody takes it; its owner keeps it by coming back before that.",
    tags=["Tables"],
    security=SEAT,
    status_code=200,
    responses=answers(401, 403, 404, 409, 429),
    sync_to_thread=True,
)
def offer_seat(table_id: TableId, seat: FromPath[int], who: Who) -> schemas.TableInfo:
    token = who.needed()
    who.server.table(table_id)
    who.tables.offer(table_id, token, seat)
    return who.told(table_id)


@post(
    "/tables/{table_id:str}/seats/{seat:int}/take",
    operation_id="takeSeat",
    summary="Take an offered seat of a game under way",
    tags=["Tables"],
    security=ANYBODY,
    responses=answers(400, 401, 403, 404, 409, 413, 429),
    sync_to_thread=True,
)
def take_seat(table_id: TableId, seat: FromPath[int], data: TakeBody, who: Who) -> Response[schemas.Seated]:
    who.server.table(table_id)
    seated = who.tables.take(table_id, data.name, seat, who.token)
    body = schemas.Seated(seated.seat, seated.token or str(who.sent), who.told(table_id, seated.token))
    return Response(body, status_code=201)


@post(
    "/tables/{table_id:str}/revive",
    operation_id="reviveTable",
    summary="Bring back a table that was put away",
    description="Nothing is deleted: a table at which nothing happened for a month before the start, or for three "
    "months after it, is put away until somebody who sits there brings it back.",
    tags=["Tables"],
    security=SEAT,
    status_code=200,
    responses=answers(401, 403, 404, 409, 429),
    sync_to_thread=True,
)
def revive(table_id: TableId, who: Who) -> schemas.TableInfo:
    token = who.needed()
    who.server.table(table_id)
    who.tables.revive(table_id, token)
    return who.told(table_id)


def router() -> Router:
    """The operations above."""
    return Router(
        "/api",
        route_handlers=[ask_undo, ask_pause, answer_request, say, mute, silence, resume, offer_seat, take_seat, revive],
        dependencies={"who": Provide(asker, sync_to_thread=False)},
    )
