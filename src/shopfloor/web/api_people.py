"""The JSON API, continued: accounts, results and ratings, blocks, and what the administrator may do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from litestar import Router, delete, get, post
from litestar.di import Provide
from litestar.params import FromPath, PathParameter

from shopfloor.games import REGISTRY
from shopfloor.tables.accounts import PROGRAM_KIND, Account
from shopfloor.tables.checks import Member
from shopfloor.tables.errors import AccountError
from shopfloor.tables.model import Table
from shopfloor.tables.ratings import Rating
from shopfloor.web import schemas
from shopfloor.web.api import SEAT, Asker, TableId, Who, answers, asker, sent

BlockBody = Annotated[schemas.Block, sent(blocked=True)]
RewindBody = Annotated[schemas.Rewind, sent(line=12)]
ReplaceBody = Annotated[schemas.Replace, sent(level="greedy")]
SilenceBody = Annotated[schemas.Silence, sent(silenced=True)]
PersonName = Annotated[str, PathParameter(description="The name of somebody's account.")]
GameId = Annotated[str, PathParameter(description="The game's id.")]


def _account(who: Asker) -> Account:
    """Whose token was sent. Raises TOKEN_MISSING, NOT_SIGNED_IN."""
    token = who.needed()
    found = who.tables.accounts.get(token.id) if isinstance(token, Member) else None
    if found is None:
        raise AccountError("NOT_SIGNED_IN")
    return found


def _person(who: Asker, found: Account, only_rated: bool) -> schemas.PersonInfo:
    results = who.tables.ratings.results(found.player, 100, only_rated)
    return schemas.PersonInfo(
        found.name,
        [_rating(rating) for rating in who.tables.ratings.of(found.player)],
        [schemas.ResultInfo(r.table_id, r.game, r.at, r.place, r.players, r.mu, r.sigma) for r in results],
    )


def _rating(rating: Rating) -> schemas.RatingInfo:
    return schemas.RatingInfo(rating.game, rating.mu, rating.sigma, rating.games)


@get(
    "/account",
    operation_id="getAccount",
    summary="Whose token this is, with ratings and results",
    description="Tokens of an account are made on its page. At tables they stand for the account: `mine` lists its "
    "tables, and whoever sits down with one sits there on every device.",
    tags=["People"],
    security=SEAT,
    responses=answers(401),
    sync_to_thread=True,
)
def get_account(who: Who) -> schemas.PersonInfo:
    return _person(who, _account(who), False)


@delete(
    "/account/token",
    operation_id="revokeToken",
    summary="Make the account's token void with which this is sent",
    tags=["People"],
    security=SEAT,
    status_code=204,
    responses=answers(401, 429),
    sync_to_thread=True,
)
def revoke_token(who: Who) -> None:
    own = _account(who)
    found = who.tables.accounts.signed_in(who.sent, PROGRAM_KIND)
    if found is not None:
        who.tables.accounts.sign_out(own, found[1].id)


@get(
    "/people/{name:str}",
    operation_id="getPerson",
    summary="Somebody's ratings and rated games",
    tags=["People"],
    responses=answers(404),
    sync_to_thread=True,
)
def get_person(name: PersonName, who: Who) -> schemas.PersonInfo:
    found = who.tables.accounts.by_name(name)
    if found is None:
        raise AccountError("NO_SUCH_PERSON", name=name[:40])
    return _person(who, found, True)


@get(
    "/games/{game:str}/leaderboard",
    operation_id="getLeaderboard",
    summary="Who is surely how strong at a game; empty while only few people have a rating",
    tags=["People"],
    responses=answers(404),
    sync_to_thread=True,
)
def get_leaderboard(game: GameId, who: Who) -> list[schemas.BoardLine]:
    found = who.tables.ratings.leaderboard(REGISTRY.get(game).id)
    names = who.tables.accounts.names([rating.player for rating in found])
    return [schemas.BoardLine(names[r.player], _rating(r)) for r in found if r.player in names]


@post(
    "/tables/{table_id:str}/token",
    operation_id="renewToken",
    summary="Another token for one's seat; the one before is void",
    description="Also for a seat that an account holds, if a program is to play for that seat alone: it is no longer "
    "the account's then.",
    tags=["Tables"],
    security=SEAT,
    status_code=200,
    responses=answers(401, 403, 404, 429),
    sync_to_thread=True,
)
def renew_token(table_id: TableId, who: Who) -> schemas.NewToken:
    token = who.needed()
    who.server.table(table_id)
    return schemas.NewToken(who.tables.renew(table_id, token))


@post(
    "/tables/{table_id:str}/seats/{seat:int}/block",
    operation_id="blockPerson",
    summary="Read no more what the person in a seat says, at this table and all others",
    description="Nobody else learns of it.",
    tags=["People"],
    security=SEAT,
    status_code=200,
    responses=answers(400, 401, 403, 404, 409, 413, 429),
    sync_to_thread=True,
)
def block_person(table_id: TableId, seat: FromPath[int], data: BlockBody, who: Who) -> schemas.TableInfo:
    token = who.needed()
    who.at(table_id)
    who.tables.block(table_id, token, seat, data.blocked)
    return who.told(table_id)


# -- by the administrator -------------------------------------------------------------------------------------------


def _do(who: Asker, table_id: str, do: Callable[[Table], object]) -> schemas.TableInfo:
    """Raises NOT_ADMIN."""
    own = _account(who)
    if not who.server.is_admin(own):
        raise AccountError("NOT_ADMIN")
    do(who.server.table(table_id))
    return who.told(table_id)


@post(
    "/tables/{table_id:str}/admin/end",
    operation_id="endTable",
    summary="End a table: nobody decides there any more",
    description="All that the administrator does stands in the table's log. Nothing is deleted.",
    tags=["People"],
    security=SEAT,
    status_code=200,
    responses=answers(401, 403, 404, 409, 429),
    sync_to_thread=True,
)
def end_table(table_id: TableId, who: Who) -> schemas.TableInfo:
    return _do(who, table_id, lambda table: who.tables.end(table.id))


@post(
    "/tables/{table_id:str}/admin/reopen",
    operation_id="reopenTable",
    summary="Open a table again that was ended",
    tags=["People"],
    security=SEAT,
    status_code=200,
    responses=answers(401, 403, 404, 409, 429),
    sync_to_thread=True,
)
def reopen_table(table_id: TableId, who: Who) -> schemas.TableInfo:
    return _do(who, table_id, lambda table: who.tables.reopen(table.id))


@post(
    "/tables/{table_id:str}/admin/rewind",
    operation_id="rewindTable",
    summary="Take back all decisions after a line of the log",
    tags=["People"],
    security=SEAT,
    status_code=200,
    responses=answers(401, 403, 404, 409, 413, 429),
    sync_to_thread=True,
)
def rewind_table(table_id: TableId, data: RewindBody, who: Who) -> schemas.TableInfo:
    return _do(who, table_id, lambda table: who.tables.rewind(table.id, data.line))


@post(
    "/tables/{table_id:str}/admin/seats/{seat:int}/replace",
    operation_id="replacePerson",
    summary="Let a computer play in a person's place, for good",
    tags=["People"],
    security=SEAT,
    status_code=200,
    responses=answers(401, 403, 404, 409, 413, 429),
    sync_to_thread=True,
)
def replace_person(table_id: TableId, seat: FromPath[int], data: ReplaceBody, who: Who) -> schemas.TableInfo:
    return _do(who, table_id, lambda table: who.tables.replace_seat(table.id, seat, data.level))


@post(
    "/tables/{table_id:str}/admin/seats/{seat:int}/free",
    operation_id="freePersonsSeat",
    summary="Let somebody else have a person's seat",
    tags=["People"],
    security=SEAT,
    status_code=200,
    responses=answers(401, 403, 404, 409, 429),
    sync_to_thread=True,
)
def free_persons_seat(table_id: TableId, seat: FromPath[int], who: Who) -> schemas.TableInfo:
    return _do(who, table_id, lambda table: who.tables.free_seat(table.id, seat))


@post(
    "/tables/{table_id:str}/admin/seats/{seat:int}/silence",
    operation_id="silencePerson",
    summary="Let a person say nothing more at a table, or again",
    tags=["People"],
    security=SEAT,
    status_code=200,
    responses=answers(401, 403, 404, 409, 413, 429),
    sync_to_thread=True,
)
def silence_person(table_id: TableId, seat: FromPath[int], data: SilenceBody, who: Who) -> schemas.TableInfo:
    return _do(who, table_id, lambda table: who.tables.silence_seat(table.id, seat, data.silenced))


def router() -> Router:
    """The operations above."""
    return Router(
        "/api",
        route_handlers=[
            get_account,
            revoke_token,
            get_person,
            get_leaderboard,
            renew_token,
            block_person,
            end_table,
            reopen_table,
            rewind_table,
            replace_person,
            free_persons_seat,
            silence_person,
        ],
        dependencies={"who": Provide(asker, sync_to_thread=False)},
    )
