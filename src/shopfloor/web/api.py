"""The JSON API under /api: everything that the site can do, for programs. A seat's token is all that it asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from time import monotonic
from typing import Annotated, Any, Final

import msgspec
from litestar import Response, Router, delete, get, post
from litestar.concurrency import sync_to_thread
from litestar.di import NamedDependency, Provide
from litestar.enums import RequestEncodingType
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import Example
from litestar.params import BodyKwarg, FromPath, PathParameter, QueryParameter, SkipValidation
from litestar.response import Stream

from shopfloor.bots import KNOWN, STAND_IN
from shopfloor.engine.refusals import Refused
from shopfloor.engine.registry import UnknownGame
from shopfloor.engine.state import State
from shopfloor.engine.world import World
from shopfloor.games import REGISTRY
from shopfloor.tables.checks import Token
from shopfloor.tables.errors import TableError
from shopfloor.tables.model import Table
from shopfloor.tables.service import Tables
from shopfloor.web import afterwards, problems, schemas, told
from shopfloor.web.identity import AnyRequest, bearer, holder_of, of_account
from shopfloor.web.problems import Problem, ProblemError
from shopfloor.web.services import Services, in_words_of, services
from shopfloor.web.stream import UNCOMPRESSED, event_stream, last_seen

PROBLEM_JSON: Final = "application/problem+json"
RECORD_TYPE: Final = "application/x-ndjson"
LONGEST_WAIT: Final = 60.0
LONGEST_ANALYSIS: Final = 30.0
FEW: Final = 8

MEANINGS: Final = {
    400: "The request cannot be read, or asks for something that there is not (a player count, an option, an action).",
    401: "A token is needed, or what was sent cannot be one.",
    403: "The token has no seat at this table, or may not do this.",
    404: "There is no such table or game.",
    409: "Not now: not this seat's turn, against the rules, or the table has moved on. `code` says which.",
    413: "More than 64 kB.",
    429: "Too much in a short time from one address.",
    503: "Too many tables are in motion on this server; try again in a moment.",
}


# What such problems look like: code and sentence.
EXAMPLES: Final = {
    400: ("UNKNOWN_LEVEL", "There is no computer player “genius”; there is " + ", ".join(KNOWN) + "."),
    401: ("TOKEN_MISSING", "Say who you are: send the seat's token in the header 'Authorization: Bearer TOKEN'."),
    403: ("NOT_SEATED", "You do not sit at this table, so you can watch but not decide."),
    404: ("UNKNOWN_TABLE", "There is no table “23456789ab”. A link to a table ends in ten letters and digits."),
    409: ("STALE", "Your page showed an earlier position; the table has moved on. Look again and decide anew."),
    413: ("TOO_LARGE", problems.PLAIN_SENTENCES[413]),
    429: ("TOO_MANY_REQUESTS", problems.PLAIN_SENTENCES[429]),
    503: ("WORLD_BUSY", "Too many sites are in motion on this server (16). Try again in a moment."),
}


@dataclass(frozen=True)
class Asker:
    """Who sent a request. sent: the token of a seat or of an account, or none."""

    server: Services
    sent: str | None
    request: AnyRequest

    @cached_property
    def base_url(self) -> str:
        """The address that the asker knows the server by."""
        return self.server.base_url(self.request)

    @cached_property
    def token(self) -> Token | None:
        """What the sender proves by it. Raises ProblemError (BAD_TOKEN)."""
        return None if self.sent is None else holder_of(self.tables, self.sent)

    @property
    def tables(self) -> Tables:
        return self.server.tables

    def needed(self) -> Token:
        """The token. Raises ProblemError (TOKEN_MISSING)."""
        if self.token is None:
            raise ProblemError(
                401,
                "TOKEN_MISSING",
                "Say who you are: send the seat's token in the header 'Authorization: Bearer TOKEN'.",
            )
        return self.token

    def at(self, table_id: str) -> tuple[Table, int | None]:
        """The table and the asker's seat there; None for a spectator. Raises for a token that has no business there."""
        table = self.server.table(table_id)
        seat = table.seat_of(self.token)
        if self.token and seat is None and not table.managed_by(self.token):
            raise TableError("NOT_SEATED")
        return table, seat

    def still(self, table: Table, since: int) -> tuple[int | None, frozenset[int]]:
        """The asker's seat, and whose talk after `since` they do not want to read.

        A token that is void by now is a stranger's.
        """
        try:
            again = replace(self)
            return table.seat_of(again.token), again.deaf(table, since)
        except ProblemError:
            return None, frozenset()

    def at_hand(self, table: Table, since: int) -> bool:
        """Can `still` be told without the database?"""
        return not table.talked(since) and (self.sent is None or not of_account(self.sent))

    def seated(self, table_id: str) -> tuple[Table, int]:
        """The table and the asker's seat there. Raises if there is none."""
        token = self.needed()
        table = self.server.table(table_id)
        seat = table.seat_of(token)
        if seat is None:
            raise TableError("NOT_SEATED")
        return table, seat

    def deaf(self, table: Table, since: int) -> frozenset[int]:
        """The seats whose talk the asker does not want to read; none where nobody has said anything after `since`."""
        if self.token is None or not table.talked(since):
            return frozenset()
        return self.tables.deaf(table.id, [self.token])

    def told(self, table: str | Table, token: Token | None = None) -> schemas.TableInfo:
        """The table (by its id: as it is now) for the asker, or for the holder of `token`."""
        # One snapshot for all of it: whoever has lost the seat meanwhile is not shown what it may know.
        shown = self.server.table(table) if isinstance(table, str) else table
        token = token or self.token
        return told.table_info(shown, shown.seat_of(token), shown.managed_by(token), self.base_url)


def asker(request: AnyRequest) -> Asker:
    """Who sent this request. Raises ProblemError (BAD_TOKEN)."""
    server = services(request)
    return Asker(server, bearer(request), request)


Who = NamedDependency[SkipValidation[Asker]]
TableId = Annotated[str, PathParameter(description="The table's id.")]
Since = Annotated[int, QueryParameter(ge=0, le=schemas.MOST, description="Only what happened after this number.")]


def sent(**fields: object) -> BodyKwarg:
    """A JSON body, documented by an example."""
    return BodyKwarg(media_type=RequestEncodingType.JSON, examples=[Example(value=fields)])


CreateTableBody = Annotated[schemas.CreateTable, sent(game=REGISTRY.ids()[0], players=2, options={}, name="Friday")]
SitBody = Annotated[schemas.Sit, sent(name="Ann", seat=0)]
AddComputerBody = Annotated[schemas.AddComputer, sent(level=STAND_IN)]
ActBody = Annotated[schemas.Act, sent(action=0, based_on=7, key="c0ffee-1")]
PlaceBody = Annotated[schemas.Place, sent(piece=3, pose=[0, -45, 65, 90], based_on=7, key="c0ffee-3", via=[])]
LayOutBody = Annotated[
    schemas.LayOut,
    sent(poses={"3": [60, -45, 25], "8": [0, -45, 55]}, based_on=2, key="c0ffee-4"),
]
UndoBody = Annotated[schemas.Undo, sent(number=8, key="c0ffee-2")]
LeaveBody = Annotated[schemas.Leave, sent(level=STAND_IN)]


def answers(*statuses: int) -> dict[int, ResponseSpec]:
    """The documentation of the problems that an operation may answer with, 400 always among them."""
    return {
        status: ResponseSpec(
            Problem,
            description=MEANINGS[status],
            media_type=PROBLEM_JSON,
            generate_examples=False,
            examples=[Example(value=msgspec.to_builtins(problems.make(status, *EXAMPLES[status])))],
        )
        for status in sorted({400, *statuses})
    }


SEAT: Final[list[dict[str, list[str]]]] = [{"seat": []}]
ANYBODY: Final[list[dict[str, list[str]]]] = [{}, {"seat": []}]


# -- games ------------------------------------------------------------------------------------------------------


@get("/games", operation_id="listGames", summary="The games on the shelf", tags=["Games"], sync_to_thread=True)
def list_games() -> list[schemas.GameSummary]:
    return [told.game_summary(game) for game in REGISTRY.all()]


@get(
    "/games/{game:str}",
    operation_id="getGame",
    summary="All about a game: options, actions, levels of computer players, the shape of its views",
    tags=["Games"],
    responses=answers(404),
    sync_to_thread=True,
)
def get_game(game: Annotated[str, PathParameter(description="The game's id.")]) -> schemas.GameInfo:
    return told.game_info(game)


# -- tables: before the game ------------------------------------------------------------------------------------


@post(
    "/tables",
    operation_id="createTable",
    summary="Open a table",
    description="Answers with a token that manages the table. To play, sit down with it. Bring a token of your own (16 "
    "to 128 letters, digits, dashes, underscores) and a key to be able to send it again: it is one table then.",
    tags=["Tables"],
    security=ANYBODY,
    responses=answers(400, 401, 403, 409, 413, 429),
    sync_to_thread=True,
)
def create_table(data: CreateTableBody, who: Who) -> Response[schemas.Created]:
    try:
        game = REGISTRY.get(data.game)
    except UnknownGame as error:
        problem = problems.of_error(error)
        assert problem is not None
        raise ProblemError(400, problem.code, problem.sentence, "", problem.facts) from None
    if data.key is not None:
        who.needed()
    try:
        agreed = (data.clock, data.hints, data.rated)
        made = who.tables.create(game.id, data.players, data.options, data.name, who.token, *agreed, key=data.key)
    except Refused as error:
        raise ProblemError.of(problems.of_set_up(error.refusal, game)) from None
    body = schemas.Created(made.token or str(who.sent), who.told(made.table_id, made.token))
    return Response(body, status_code=201, headers={"Location": f"/api/tables/{made.table_id}"})


@get(
    "/tables",
    operation_id="listTables",
    summary="Tables, the newest first",
    tags=["Tables"],
    security=ANYBODY,
    responses=answers(400, 401),
    sync_to_thread=True,
)
def list_tables(
    who: Who,
    limit: Annotated[int, QueryParameter(ge=1, le=200, description="How many at most.")] = 50,
    mine: Annotated[bool, QueryParameter(description="Only those that the token made or has sat at.")] = False,
) -> list[schemas.TableSummary]:
    listing = who.tables.listing(who.needed() if mine else None, limit)
    return [told.table_summary(table, table.seat_of(who.token), who.base_url) for table in listing]


@get(
    "/tables/{table_id:str}",
    operation_id="getTable",
    summary="A table, as the asker may see it",
    tags=["Tables"],
    security=ANYBODY,
    responses=answers(401, 403, 404),
    sync_to_thread=True,
)
def get_table(table_id: TableId, who: Who) -> schemas.TableInfo:
    table, _ = who.at(table_id)
    return who.told(table)


@post(
    "/tables/{table_id:str}/seats",
    operation_id="sitDown",
    summary="Take a seat",
    description="With a token, that player sits down (or moves, before the start). Without one, a new one is made.",
    tags=["Tables"],
    security=ANYBODY,
    responses=answers(400, 401, 403, 404, 409, 413, 429),
    sync_to_thread=True,
)
def sit_down(table_id: TableId, data: SitBody, who: Who) -> Response[schemas.Seated]:
    who.server.table(table_id)
    seated = who.tables.sit(table_id, data.name, who.token, data.seat, data.key)
    body = schemas.Seated(seated.seat, seated.token or str(who.sent), who.told(table_id, seated.token))
    return Response(body, status_code=201)


@delete(
    "/tables/{table_id:str}/seats/{seat:int}",
    operation_id="freeSeat",
    summary="Stand up from one's own seat, or send a computer player away",
    description="Before the start.",
    tags=["Tables"],
    security=SEAT,
    status_code=200,
    responses=answers(400, 401, 403, 404, 409, 429),
    sync_to_thread=True,
)
def free_seat(table_id: TableId, seat: FromPath[int], who: Who) -> schemas.TableInfo:
    token = who.needed()
    who.server.table(table_id)
    if who.tables.seat_of(table_id, token) == seat:
        who.tables.stand_up(table_id, token)
    else:
        who.tables.remove_bot(table_id, token, seat)
    return who.told(table_id)


@post(
    "/tables/{table_id:str}/computers",
    operation_id="addComputer",
    summary="Give a seat to a computer player",
    tags=["Tables"],
    security=SEAT,
    responses=answers(400, 401, 403, 404, 409, 413, 429),
    sync_to_thread=True,
)
def add_computer(table_id: TableId, data: AddComputerBody, who: Who) -> schemas.TableInfo:
    token = who.needed()
    who.server.table(table_id)
    who.tables.add_bot(table_id, token, data.level, data.seat, data.key)
    return who.told(table_id)


@post(
    "/tables/{table_id:str}/start",
    operation_id="startGame",
    summary="Start the game",
    tags=["Tables"],
    security=SEAT,
    status_code=200,
    responses=answers(401, 403, 404, 409, 429),
    sync_to_thread=True,
)
def start_game(table_id: TableId, who: Who) -> schemas.TableInfo:
    token = who.needed()
    with in_words_of(who.server.table(table_id)):
        who.tables.start(table_id, token)
    return who.told(table_id)


# -- playing ----------------------------------------------------------------------------------------------------


@get(
    "/tables/{table_id:str}/view",
    operation_id="getView",
    summary="What the asker may know of the position",
    description="Its shape is in the game's `view`. Without a token: what everybody may know.",
    tags=["Playing"],
    security=ANYBODY,
    responses=answers(401, 403, 404, 409),
    sync_to_thread=True,
)
def get_view(table_id: TableId, who: Who) -> dict[str, Any]:
    table, seat = who.at(table_id)
    view = table.view(seat)
    if view is None:
        raise table.rules_gone or TableError("NOT_STARTED")
    return told.data(view)


@get(
    "/tables/{table_id:str}/legal",
    operation_id="getLegal",
    summary="What the asker's seat may decide now",
    tags=["Playing"],
    security=SEAT,
    responses=answers(401, 403, 404),
    sync_to_thread=True,
)
def get_legal(table_id: TableId, who: Who) -> schemas.Legal:
    table, seat = who.seated(table_id)
    return told.legal(table, seat)


@get(
    "/tables/{table_id:str}/advice",
    operation_id="getAdvice",
    summary="What the asker's seat might do now, and why",
    description="Up to three moves, the best first, from what the seat knows. It takes a few seconds and plays "
    "nothing. Tables may have agreed to do without (NO_HINTS).",
    tags=["Playing"],
    security=SEAT,
    responses=answers(401, 403, 404, 409, 503),
    sync_to_thread=True,
)
def get_advice(table_id: TableId, who: Who) -> schemas.AdviceInfo:
    table, seat = who.seated(table_id)
    return told.advice(table, who.server.advisers.advice(table, seat))


@get(
    "/tables/{table_id:str}/refusal",
    operation_id="whyNot",
    summary="May the asker's seat play this now, and if not, why not?",
    tags=["Playing"],
    security=SEAT,
    responses=answers(400, 401, 403, 404, 409),
    sync_to_thread=True,
)
def why_not(
    table_id: TableId,
    action: Annotated[str, QueryParameter(max_length=200, description="An action's id or name.")],
    who: Who,
) -> schemas.WhyNot:
    table, seat = who.seated(table_id)
    if table.view(seat) is None:
        raise table.rules_gone or TableError("NOT_STARTED")
    with in_words_of(table):
        return told.why_not(table, seat, _action(table, action))


@post(
    "/tables/{table_id:str}/actions",
    operation_id="act",
    summary="Decide",
    description="Send it again with the same key if no answer came: it counts once. STALE (409) means that the table "
    "has moved on since `based_on`; its facts hold what has happened.",
    tags=["Playing"],
    security=SEAT,
    status_code=200,
    responses=answers(400, 401, 403, 404, 409, 413, 429),
    sync_to_thread=True,
)
def act(table_id: TableId, data: ActBody, who: Who) -> schemas.Answer:
    token = who.needed()
    table = who.tables.known(table_id)
    with in_words_of(table):
        action = data.action if isinstance(data.action, int) else _action(table, data.action)
        with _stale_told(who, table_id, data.based_on):
            answer = who.tables.act(table_id, token, action, data.based_on, data.key)
    return schemas.Answer(answer.number, answer.repeated, who.told(answer.table))


@post(
    "/tables/{table_id:str}/hand",
    operation_id="place",
    summary="Let the server's hand put a piece somewhere",
    description="In games in which something is done by hand, instead of the decisions to take a piece and to let it "
    "go. The server's physics has its way: what came of it is in the answer's table and in the log. If somebody looks "
    "on, the hand takes its time, and so does the answer. Send it again with the same key if none came.",
    tags=["Playing"],
    security=SEAT,
    status_code=200,
    responses=answers(400, 401, 403, 404, 409, 413, 429, 503),
    sync_to_thread=True,
)
def place(table_id: TableId, data: PlaceBody, who: Who) -> schemas.Answer:
    return _by_hand(
        who,
        table_id,
        lambda world, state, seat: world.errand(state, seat, data.piece, data.pose, data.via),
        data.based_on,
        data.key,
    )


@post(
    "/tables/{table_id:str}/arrangement",
    operation_id="layOut",
    summary="Lay out an arrangement of one's own",
    description="Where a game lets a player arrange pieces to begin with. It has to come to rest and keep the rules.",
    tags=["Playing"],
    security=SEAT,
    status_code=200,
    responses=answers(400, 401, 403, 404, 409, 413, 429, 503),
    sync_to_thread=True,
)
def lay_out(table_id: TableId, data: LayOutBody, who: Who) -> schemas.Answer:
    return _by_hand(
        who,
        table_id,
        lambda world, state, seat: world.arrangement(state, seat, data.poses),
        data.based_on,
        data.key,
    )


def _by_hand(
    who: Asker, table_id: str, make: Callable[[World, State, int], object], based_on: int, key: str
) -> schemas.Answer:
    token = who.needed()
    table = who.server.table(table_id)
    with in_words_of(table), _stale_told(who, table_id, based_on):
        answer = who.server.sessions.place(table.id, token, make, based_on, key)
    return schemas.Answer(answer.number, answer.repeated, who.told(answer.table))


@post(
    "/tables/{table_id:str}/undo",
    operation_id="undo",
    summary="Take back one's last decision",
    description="Free while nobody has learned anything by it and nobody else has acted since.",
    tags=["Playing"],
    security=SEAT,
    status_code=200,
    responses=answers(400, 401, 403, 404, 409, 413, 429),
    sync_to_thread=True,
)
def undo(table_id: TableId, data: UndoBody, who: Who) -> schemas.Answer:
    token = who.needed()
    who.server.table(table_id)
    answer = who.tables.undo(table_id, token, data.number, data.key)
    return schemas.Answer(answer.number, answer.repeated, who.told(answer.table))


@post(
    "/tables/{table_id:str}/leave",
    operation_id="leave",
    summary="Leave for now: a computer player stands in",
    tags=["Playing"],
    security=SEAT,
    status_code=200,
    responses=answers(400, 401, 403, 404, 409, 413, 429),
    sync_to_thread=True,
)
def leave(table_id: TableId, data: LeaveBody, who: Who) -> schemas.TableInfo:
    token = who.needed()
    who.server.table(table_id)
    who.tables.leave(table_id, token, data.level)
    return who.told(table_id)


@post(
    "/tables/{table_id:str}/back",
    operation_id="back",
    summary="Be back",
    tags=["Playing"],
    security=SEAT,
    status_code=200,
    responses=answers(401, 403, 404, 409, 429),
    sync_to_thread=True,
)
def back(table_id: TableId, who: Who) -> schemas.TableInfo:
    token = who.needed()
    who.server.table(table_id)
    who.tables.back(table_id, token)
    return who.told(table_id)


@post(
    "/tables/{table_id:str}/rematch",
    operation_id="rematch",
    summary="The next game with the same people",
    description="Once the game is over. The first who asks opens the table; the others are led to the same one.",
    tags=["Playing"],
    security=SEAT,
    status_code=200,
    responses=answers(401, 403, 404, 409, 429),
    sync_to_thread=True,
)
def rematch(table_id: TableId, who: Who) -> schemas.Rematch:
    token = who.needed()
    with in_words_of(who.server.table(table_id)):
        following = who.tables.rematch(table_id, token)
    return schemas.Rematch(who.told(following))


# -- what has happened ------------------------------------------------------------------------------------------


@get(
    "/tables/{table_id:str}/log",
    operation_id="getLog",
    summary="What has happened",
    tags=["Following"],
    security=ANYBODY,
    responses=answers(400, 401, 403, 404),
    sync_to_thread=True,
)
def get_log(table_id: TableId, who: Who, since: Since = 0) -> list[schemas.LogEntry]:
    table, seat = who.at(table_id)
    return told.log(table, seat, since, who.deaf(table, since))


@get(
    "/tables/{table_id:str}/wait",
    operation_id="wait",
    summary="Wait until something happens",
    description="Answers as soon as the table has gone beyond `number`, or after `timeout` seconds.",
    tags=["Following"],
    security=ANYBODY,
    responses=answers(400, 401, 403, 404),
)
async def wait(
    table_id: TableId,
    who: Who,
    number: Annotated[int, QueryParameter(ge=0, le=schemas.MOST, description="The number known so far.")],
    timeout: Annotated[float, QueryParameter(ge=0, le=LONGEST_WAIT, description="Seconds.")] = 25.0,
) -> schemas.News:
    def now() -> schemas.News:
        table, seat = who.at(table_id)
        return told.news(table, seat, number, who.deaf(table, number))

    end = monotonic() + timeout
    table, _ = await sync_to_thread(who.at, table_id)
    with who.server.news.watch(table.id) as watch:
        while True:
            found = await sync_to_thread(now)
            left = end - monotonic()
            if not found.timed_out or left <= 0 or who.server.news.closed:
                return found
            await watch.news(left)


@get(
    "/tables/{table_id:str}/events",
    operation_id="streamEvents",
    summary="A stream of what happens (server-sent events)",
    description="Each message's data is News as JSON, its id the table's number. Begins after `Last-Event-ID` or "
    "`since`.",
    tags=["Following"],
    security=ANYBODY,
    media_type="text/event-stream",
    responses=answers(401, 403, 404)
    | {200: ResponseSpec(str, description="The stream.", media_type="text/event-stream", generate_examples=False)},
    opt=UNCOMPRESSED,
)
async def stream_events(table_id: TableId, who: Who, request: AnyRequest, since: Since = 0) -> Stream:
    found, _ = await sync_to_thread(who.at, table_id)

    def make(table: Table, seen: int | None) -> bytes:
        # The seat may be somebody else's by now: whoever has lost it looks on like anybody.
        seat, deaf = who.still(table, seen or 0)
        body = msgspec.json.encode(told.news(table, seat, seen or 0, deaf))
        return b"id: %d\ndata: %s\n\n" % (table.number, body)

    def quick(table: Table, seen: int | None) -> bytes | None:
        # One or a few lines are told in less time than it takes to have a thread do it.
        near = seen is not None and table.number - seen <= FEW
        return make(table, seen) if near and who.at_hand(table, seen or 0) else None

    server = who.server
    seen, silence = last_seen(request), server.settings.keep_alive
    return event_stream(server.tables, server.news, found.id, seen, silence, make, quick)


@get(
    "/tables/{table_id:str}/record",
    operation_id="getRecord",
    summary="The whole game as a record that can be replayed",
    description="JSON lines. Once the game is over.",
    tags=["Following"],
    media_type=RECORD_TYPE,
    responses=answers(404, 409)
    | {200: ResponseSpec(str, description="The record.", media_type=RECORD_TYPE, generate_examples=False)},
    sync_to_thread=True,
)
def get_record(table_id: TableId, who: Who) -> Response[str]:
    table = who.server.table(table_id)
    return record_response(who.tables, table)


@get(
    "/tables/{table_id:str}/analysis",
    operation_id="getAnalysis",
    summary="The game looked at again, once it is over",
    description="Chances over time, turning points, luck against skill, and what the costliest decisions gave away. "
    "The first who asks waits for it: ANALYSIS_NOT_READY (503) means to ask again in a moment.",
    tags=["Following"],
    responses=answers(404, 409, 503),
    sync_to_thread=True,
)
def get_analysis(table_id: TableId, who: Who) -> schemas.AnalysisInfo:
    table = who.server.table(table_id)
    found = who.server.analyses.of(table, LONGEST_ANALYSIS)
    if found is None:
        sentence = "The game is still being looked at. Ask again in a moment."
        raise ProblemError(503, "ANALYSIS_NOT_READY", sentence)
    return afterwards.info(table, found, who.tables.record(table.id))


@get(
    "/tables/{table_id:str}/fairness",
    operation_id="getFairness",
    summary="What it takes to check the shuffles",
    tags=["Following"],
    responses=answers(404),
    sync_to_thread=True,
)
def get_fairness(table_id: TableId, who: Who) -> schemas.Fairness:
    return told.fairness(who.server.table(table_id))


def _action(table: Table, text: str) -> int:
    """The id of an action that was given as an id or by its name. Raises IllegalAction (MALFORMED)."""
    space = table.space()
    plain_text = text.strip()
    if plain_text.isascii() and plain_text.isdigit() and len(plain_text) < 10:
        space.decode(int(plain_text))
        return int(plain_text)
    return space.parse(text)


@contextmanager
def _stale_told(who: Asker, table_id: str, since: int) -> Iterator[None]:
    """A stale decision is answered with what has happened since."""
    try:
        yield
    except TableError as error:
        if error.code != "STALE":
            raise
        table, seat = who.at(table_id)
        lines = [msgspec.to_builtins(line) for line in told.log(table, seat, since, who.deaf(table, since))]
        facts = {"number": table.number, "since": since, "lines": lines}
        raise ProblemError(409, error.code, error.sentence, "", facts) from None


def record_response(tables: Tables, table: Table) -> Response[str]:
    """A game's record as a file to keep. Raises TableError (STILL_RUNNING)."""
    return Response(
        tables.record(table.id),
        media_type=RECORD_TYPE,
        headers={"Content-Disposition": f'attachment; filename="{table.game.id}-{table.id}.jsonl"'},
    )


def router() -> Router:
    """All operations of the API."""
    return Router(
        "/api",
        route_handlers=[
            list_games,
            get_game,
            create_table,
            list_tables,
            get_table,
            sit_down,
            free_seat,
            add_computer,
            start_game,
            get_view,
            get_legal,
            get_advice,
            why_not,
            act,
            place,
            lay_out,
            undo,
            leave,
            back,
            rematch,
            get_log,
            wait,
            stream_events,
            get_record,
            get_analysis,
            get_fairness,
        ],
        dependencies={"who": Provide(asker, sync_to_thread=False)},
    )
