"""What goes wrong, told to people and to programs: never a stack trace, always what would be right."""

from __future__ import annotations

import secrets
import traceback
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any, Final

import msgspec
import structlog
from litestar.exceptions import HTTPException, InternalServerException, ValidationException
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from shopfloor.bots import UnknownLevel
from shopfloor.engine.game import Game
from shopfloor.engine.refusals import Refusal, Refused
from shopfloor.engine.registry import UnknownGame
from shopfloor.engine.views import plain
from shopfloor.engine.world import HandRefused
from shopfloor.tables.errors import TableError
from shopfloor.tables.model import Table

log: Final = structlog.get_logger("shopfloor.web")

# The statuses of the codes that tables and rules use; those that are not here are conflicts with the table's state.
STATUS: Final = {
    "UNKNOWN_TABLE": 404,
    "UNKNOWN_GAME": 404,
    "BAD_TOKEN": 401,
    "NOT_SEATED": 403,
    "NOT_MANAGER": 403,
    "BAD_KEY": 400,
    "NAME_MISSING": 400,
    "NAME_UNFIT": 400,
    "NO_SUCH_SEAT": 400,
    "UNKNOWN_LEVEL": 400,
    "BAD_CLOCK": 400,
    "MESSAGE_UNFIT": 400,
    "SILENCED": 403,
    "NOT_MAKER": 403,
    "TOO_MUCH_TALK": 429,
    "ENDED": 409,
    "GAME_OVER": 409,
    "NO_SUCH_LINE": 400,
    "RATED_NEEDS_ACCOUNT": 403,
    "ACCOUNT_NAME_UNFIT": 400,
    "PASSWORD_UNFIT": 400,
    "SIGN_IN_FAILED": 403,
    "PASSWORD_WRONG": 403,
    "NOT_SIGNED_IN": 401,
    "NO_SUCH_PERSON": 404,
    "PASSKEY_FAILED": 403,
    "NOT_ADMIN": 403,
    "NO_WORLD": 404,
    "NO_MOTION": 404,
    "NO_SUCH_MOMENT": 404,
    "WORLD_BUSY": 503,
    "UNKNOWN_PIECE": 400,
    "NOT_FINITE": 400,
    "NO_TURN": 400,
    "OUT_OF_REACH": 400,
    "BAD_PLAYER_COUNT": 400,
    "BAD_OPTION": 400,
    "MALFORMED": 400,
    "UNKNOWN_OFFER": 400,
}

PLAIN_CODES: Final = {
    400: "BAD_REQUEST",
    401: "BAD_TOKEN",
    403: "FORBIDDEN",
    404: "NOT_FOUND",
    405: "METHOD_NOT_ALLOWED",
    413: "TOO_LARGE",
    429: "TOO_MANY_REQUESTS",
}

PLAIN_SENTENCES: Final = {
    401: "This needs a seat's token.",
    403: "This is not allowed from here.",
    404: "There is nothing at this address.",
    405: "This address does not know that method.",
    413: "This is more than the 64 kB that a request may carry.",
    429: "That was a lot in a short time. Wait a minute, then try again.",
}

# What the framework says of a client that hung up before its request was whole: no fault of the server's.
HUNG_UP: Final = "client disconnected prematurely"

# The database is locked, full, restarting or overrun. None of it lasts, and a request with a key may be sent again.
DATABASE_AWAY: Final = (OperationalError, InterfaceError, PoolTimeoutError)


class Problem(msgspec.Struct, frozen=True):
    """Why a request was not answered as asked. Nothing was changed by it.

    code: for programs; clause: the rule that says so, where one does; facts: what the sentence is made of.
    """

    status: int
    code: str
    sentence: str
    clause: str = ""
    facts: dict[str, Any] = {}
    title: str = ""
    type: str = "about:blank"


class ProblemError(Exception):
    """Ends a request with a problem."""

    def __init__(
        self, status: int, code: str, sentence: str, clause: str = "", facts: dict[str, Any] | None = None
    ) -> None:
        super().__init__(f"{status} {code}")
        self.problem = make(status, code, sentence, clause, facts)

    @classmethod
    def of(cls, problem: Problem) -> ProblemError:
        """The error that ends a request with this problem."""
        return cls(problem.status, problem.code, problem.sentence, problem.clause, problem.facts)


def make(status: int, code: str, sentence: str, clause: str = "", facts: dict[str, Any] | None = None) -> Problem:
    """A problem with its HTTP title."""
    return Problem(status, code, sentence, clause, facts or {}, HTTPStatus(status).phrase)


def of_refusal(refusal: Refusal, game: Game, seats: Sequence[str], status: int = 409) -> Problem:
    """The problem of something that a game refused, in the game's words. status: of codes that have none here."""
    status = STATUS.get(refusal.code, status)
    facts = {name: _jsonable(value) for name, value in refusal.facts.items()}
    return make(status, refusal.code, game.words.refusal(refusal, seats), refusal.clause, facts)


def of_set_up(refusal: Refusal, game: Game) -> Problem:
    """The problem of a table that a game cannot be set up at: the request is wrong, whatever stands on the table."""
    return of_refusal(refusal, game, (), 400)


def of_error(error: Exception, table: Table | None = None) -> Problem | None:
    """The problem that an expected error stands for; None for one that nobody foresaw.

    With `table`, refusals speak the words of its game and name its players.
    """
    if isinstance(error, ProblemError):
        return error.problem
    if isinstance(error, TableError):
        facts = {name: _jsonable(value) for name, value in error.facts.items()}
        return make(STATUS.get(error.code, 409), error.code, error.sentence, "", facts)
    if isinstance(error, Refused):
        if table is not None:
            return of_refusal(error.refusal, table.game, [seat.name for seat in table.seats])
        facts = {name: _jsonable(value) for name, value in error.refusal.facts.items()}
        return make(STATUS.get(error.refusal.code, 409), error.refusal.code, str(error), error.refusal.clause, facts)
    if isinstance(error, HandRefused):
        facts = {name: _jsonable(value) for name, value in error.facts.items()}
        return make(STATUS.get(error.code, 409), error.code, error.sentence, error.clause, facts)
    if isinstance(error, UnknownGame):
        sentence = f"There is no game '{error.game[:80]}'. There is: {', '.join(error.known)}."
        return make(404, "UNKNOWN_GAME", sentence, "", {"game": error.game[:80], "known": list(error.known)})
    if isinstance(error, UnknownLevel):
        return make(400, "UNKNOWN_LEVEL", str(error))
    if isinstance(error, HTTPException) and error.status_code < 500:
        return _of_http(error)
    if isinstance(error, InternalServerException) and error.detail == HUNG_UP:
        return make(400, "BAD_REQUEST", "The request ends in the middle.")
    if isinstance(error, DATABASE_AWAY):
        log.error("database away", error=str(getattr(error, "orig", error)))
        sentence = "The tables cannot be reached at this moment. Nothing is lost; try again in a few seconds."
        return make(503, "DATABASE_AWAY", sentence)
    if isinstance(error, RecursionError):
        return make(400, "BAD_REQUEST", "The request's JSON is nested too deeply.")
    return None


def unexpected(error: Exception, method: str, route: str) -> Problem:
    """The problem of an error that nobody foresaw: the person gets a number, the log that number and the trace.

    route: the address's pattern, not the address: that may hold a seat's token.
    """
    number = secrets.token_hex(4)
    # Formatted here: whatever the log is set to, it must not print local variables, which may hold tokens.
    trace = "".join(traceback.format_exception(error))
    log.error("unexpected error", id=number, method=method, route=route, exception=trace)
    sentence = (
        "Something went wrong here, and it is not your fault. Nothing was lost: reload, and try again. "
        f"If it comes back, tell whoever runs this server the number {number}."
    )
    return make(500, "UNEXPECTED", sentence, "", {"id": number})


def _of_http(error: HTTPException) -> Problem:
    status = error.status_code
    if isinstance(error, ValidationException):
        return _of_validation(error)
    code = PLAIN_CODES.get(status, HTTPStatus(status).name)
    if status == 403 and "CSRF" in error.detail:
        return make(
            403,
            "FORM_TOO_OLD",
            "This page was too old, or cookies are switched off. Go back, reload it, then try again.",
        )
    if status == 400:
        return make(status, code, f"The request cannot be read: {_first_line(error.detail)}")
    return make(status, code, PLAIN_SENTENCES.get(status, f"{HTTPStatus(status).phrase}."))


def _of_validation(error: ValidationException) -> Problem:
    """Which fields of a request were wrong, and how."""
    extra = error.extra if isinstance(error.extra, list) else []
    wrong = [
        {"field": str(each.get("key", "")), "message": _first_line(str(each.get("message", "")))}
        for each in extra
        if isinstance(each, dict)
    ]
    told = [f"{each['field']}: {each['message']}" if each["field"] else each["message"] for each in wrong]
    detail = "; ".join(told) or _first_line(error.detail)
    return make(400, "BAD_REQUEST", f"The request does not fit: {detail}", "", {"errors": wrong} if wrong else {})


def _first_line(text: str) -> str:
    return text.strip().splitlines()[0][:300] if text.strip() else "no reason was given"


def _jsonable(value: object) -> Any:
    """A fact as JSON can hold it."""
    try:
        return plain(value)
    except TypeError:
        return str(value)
