"""The site: pages, and forms that work without script. With script, htmx posts them and gets the table's live part."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

from litestar import MediaType, Response, Router, get, post
from litestar.concurrency import sync_to_thread
from litestar.datastructures import Cookie
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, SkipValidation
from litestar.response import Redirect, Stream
from litestar.utils.empty import value_or_default
from litestar.utils.scope.state import ScopeState

from shopfloor.bots import STAND_IN
from shopfloor.engine.options import JOIN
from shopfloor.engine.refusals import Refused
from shopfloor.engine.state import State
from shopfloor.engine.world import World
from shopfloor.games import REGISTRY
from shopfloor.tables import checks
from shopfloor.tables.accounts import Account, SignIn
from shopfloor.tables.checks import Member, Token
from shopfloor.tables.errors import TableError
from shopfloor.tables.model import Place, Table
from shopfloor.tables.service import Tables, known_level
from shopfloor.web import afterwards as as_told
from shopfloor.web import pages, problems
from shopfloor.web import told as told_as_data
from shopfloor.web.api import PROBLEM_JSON, record_response
from shopfloor.web.identity import (
    CSRF_COOKIE,
    PLAYER,
    SEAT,
    AnyRequest,
    cookie,
    new_token,
    seat_secret,
    seat_tokens,
    session_token,
    table_tokens,
    well_formed,
)
from shopfloor.web.live import Viewer
from shopfloor.web.pages import PICK, Ctx
from shopfloor.web.problems import Problem, ProblemError
from shopfloor.web.schemas import AdviceInfo
from shopfloor.web.services import Services, in_words_of, services
from shopfloor.web.stream import UNCOMPRESSED, event_stream, last_seen

THEMES: Final = ("light", "dark")
FRIEND: Final = "friend"
MOST_SEATS: Final = 16
SHOWN: Final = 40
PATIENCE: Final = 0.5
"""Seconds that a page waits for a game to be looked at again, before it says that this takes longer."""
# As for all pages, but pages of ours may hold it.
HEADERS_WITHIN: Final = (
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)
WITHIN: Final = {"Content-Security-Policy": HEADERS_WITHIN, "X-Frame-Options": "SAMEORIGIN"}


@dataclass
class Visitor:
    """The browser behind a request. cookies: what it is to keep; `answer` sends them along."""

    server: Services
    request: AnyRequest
    base_url: str
    csrf: str
    htmx: bool
    cookies: list[Cookie] = field(default_factory=list)

    @property
    def tables(self) -> Tables:
        return self.server.tables

    @cached_property
    def signed_in(self) -> tuple[Account, SignIn] | None:
        """The visitor's account, and how they are signed in to it. Looks into the database, once."""
        return self.tables.accounts.signed_in(session_token(self.request))

    @property
    def account(self) -> Account | None:
        """The visitor's account."""
        return self.signed_in[0] if self.signed_in else None

    @property
    def admin(self) -> bool:
        """Is the visitor the site's administrator?"""
        return self.account is not None and self.server.is_admin(self.account)

    def ctx(self, path: str) -> Ctx:
        """What pages want to know of the visitor."""
        account = self.account
        return replace(self.stranger(path), account=account.name if account else "", admin=self.admin)

    def stranger(self, path: str) -> Ctx:
        """The same without looking into the database."""
        theme = self.request.cookies.get("sf_theme")
        return Ctx(csrf=self.csrf, theme=theme if theme in THEMES else None, base_url=self.base_url, path=path)

    def place(self, table: Table) -> Place:
        """The visitor at a table, by the token that counts there; a new visitor gets one that stays.

        A token that nobody sits with (yet) is the one to sit down with.
        """
        tokens = table_tokens(self.request, self.tables, table, self.account, self._kept(PLAYER))
        fresh = self._kept(SEAT + table.id)
        found = self.tables.place(table.id, tokens if fresh is None else [fresh, *tokens])
        if found.token is not None:
            return found
        member = None if self.account is None else self.account.member
        root = table.id if table.rematch_of is None else self.tables.root(table.id)
        return Place(member or seat_secret(self.browser(), root), None, False)

    def token_at(self, table: Table) -> Token:
        """The visitor's token at a table."""
        token = self.place(table).token
        assert token is not None
        return token

    def token_to_sit(self, table_id: str, root: str | None = None) -> Token:
        """The token to sit down with at a table, or to make it. root: as for `seat_secret`, if it is another's."""
        if self.account is not None:
            return self.account.member
        token = seat_secret(self.browser(), root or table_id)
        self.tables.blocks.know(checks.token_hash(self.browser()), checks.token_hash(token))
        return token

    def sitting(self, table: Table) -> Token:
        """The visitor's token at a table where they sit down, which is found again by their browser."""
        token = self.token_at(table)
        if token == seat_secret(self.browser(), self.tables.root(table.id)):
            self.tables.blocks.know(checks.token_hash(self.browser()), checks.token_hash(token))
        return token

    def tokens(self) -> list[Token]:
        """All that the visitor has: the account, the browser's own token, those of seats that came by link."""
        member: list[Token] = [] if self.account is None else [self.account.member]
        return [*member, *seat_tokens(self.request)]

    def person(self) -> Token:
        """Who the visitor is at all tables: the account, or the browser."""
        return self.account.member if self.account is not None else self.browser()

    def browser(self) -> str:
        """The browser's own token; a new one gets it."""
        own = self._kept(PLAYER)
        if own is None:
            own = new_token()
            self.cookies.append(cookie(self.server.settings, own))
        return own

    def _kept(self, name: str) -> str | None:
        """A token that the browser keeps, or will once it has the answer."""
        found = next((kept.value for kept in self.cookies if kept.key == name), None)
        return found or well_formed(self.request.cookies.get(name))

    def viewer(self, table: Table) -> Viewer:
        """The visitor at a table."""
        place = self.place(table)
        # As in this snapshot, of which all of the page tells.
        seat = table.seat_of(place.token)
        known = self.account is not None or self._kept(PLAYER) is not None
        return Viewer(
            replace(
                self.ctx(f"/t/{table.id}"),
                token=place.token if isinstance(place.token, str) else None,
                manages=table.managed_by(place.token),
                kept=isinstance(place.token, Member) and seat is not None,
                deaf=self.tables.deaf(table.id, [self.person()]) if known else frozenset(),
            ),
            seat,
        )

    def answer(self, html: str, status: int = 200, headers: dict[str, str] | None = None) -> Response[str]:
        """A page, or a part of one."""
        return Response(html, status_code=status, media_type=MediaType.HTML, headers=headers, cookies=self.cookies)

    def go(self, path: str) -> Response[Any]:
        """Lead the visitor to another page."""
        if self.htmx:
            return Response(None, status_code=204, headers={"HX-Redirect": path}, cookies=self.cookies)
        return Redirect(path, status_code=303, cookies=self.cookies)


def visitor(request: AnyRequest) -> Visitor:
    """The browser that sent this request."""
    server = services(request)
    csrf = str(value_or_default(ScopeState.from_scope(request.scope).csrf_token, ""))
    return Visitor(server, request, server.base_url(request), csrf, "hx-request" in request.headers)


async def form(request: AnyRequest) -> dict[str, str]:
    """The fields of the form that was sent; files are none of ours. What is ticked under one name is joined."""
    fields: dict[str, str] = {}
    for name, value in (await request.form()).multi_items():
        if isinstance(value, str):
            ticked = name.startswith(PICK) and name in fields
            fields[name] = f"{fields[name]}{JOIN}{value}" if ticked else value
    return fields


Who = NamedDependency[SkipValidation[Visitor]]
Form = NamedDependency[SkipValidation[dict[str, str]]]
TableId = FromPath[str]


# -- pages ------------------------------------------------------------------------------------------------------


@get("/", sync_to_thread=True)
def home(who: Who) -> Response[str]:
    tokens = who.tokens()
    listing: dict[str, Table] = {}
    seats: dict[str, int | None] = {}
    for table in who.tables.listing(None, SHOWN):
        listing[table.id] = table
    for table, seat in who.tables.mine(tokens, SHOWN) if tokens else ():
        listing[table.id] = table
        seats[table.id] = seat
    newest = sorted(listing.values(), key=lambda table: table.created_at, reverse=True)
    return who.answer(pages.home(who.ctx("/"), newest, seats, who.request.query_params.get("game", "")))


@get("/games/{game:str}", sync_to_thread=True)
def setup(game: FromPath[str], who: Who) -> Response[str]:
    found = REGISTRY.get(game)
    filled = {name: value for name, value in who.request.query_params.items() if isinstance(value, str)}
    return who.answer(pages.setup(who.ctx(f"/games/{found.id}"), found, filled))


@get("/rules/{game:str}", sync_to_thread=True)
def rules(game: FromPath[str], who: Who) -> Response[str]:
    found = REGISTRY.get(game)
    return who.answer(pages.rules(who.ctx(f"/rules/{found.id}"), found))


@get("/api/docs", sync_to_thread=True)
def programs(who: Who) -> Response[str]:
    return who.answer(pages.programs(who.ctx("/api/docs"), who.request.app.openapi_schema.to_schema()))


@get("/t/{table_id:str}", sync_to_thread=True)
def table(table_id: TableId, who: Who) -> Response[str]:
    found = who.server.table(table_id)
    viewer = who.viewer(found)
    return who.answer(pages.table(viewer.ctx, found, viewer.seat))


@get("/t/{table_id:str}/advice", sync_to_thread=True)
def advice(table_id: TableId, who: Who) -> Response[str]:
    """What the visitor might do: the part under the dock, or without script the whole page with it."""
    found = who.server.table(table_id)
    viewer = who.viewer(found)
    told_: AdviceInfo | None = None
    problem: Problem | None = None
    try:
        if viewer.seat is None:
            raise TableError("NOT_SEATED")
        told_ = told_as_data.advice(found, who.server.advisers.advice(found, viewer.seat))
    except (TableError, ProblemError) as error:
        problem = problems.of_error(error, found)
    part = pages.advice(viewer.ctx, found, told_, problem.sentence if problem else "")
    if who.htmx:  # a refusal is what there is to read in its place
        return who.answer(part)
    status = problem.status if problem else 200
    return who.answer(pages.table(viewer.ctx, found, viewer.seat, advised=part), status)


@get("/t/{table_id:str}/verify", sync_to_thread=True)
def verify(table_id: TableId, who: Who) -> Response[str]:
    found = who.server.table(table_id)
    told = who.tables.record(found.id) if found.status == "over" and not found.rules_gone else None
    return who.answer(pages.verify(who.ctx(f"/t/{found.id}/verify"), found, told))


@get("/t/{table_id:str}/analysis", sync_to_thread=True)
def analysis(table_id: TableId, who: Who) -> Response[str]:
    """A finished game looked at again. Who comes first sees that it is being worked out."""
    found = who.server.table(table_id)
    seen = who.server.analyses.of(found, PATIENCE)
    told_ = None if seen is None else as_told.info(found, seen, who.tables.record(found.id))
    return who.answer(pages.afterwards(who.ctx(f"/t/{found.id}/analysis"), found, told_, _step(who)))


@get("/t/{table_id:str}/at/{number:int}", sync_to_thread=True)
def moment(table_id: TableId, number: FromPath[int], who: Who) -> Response[str]:
    """The table of a finished game as it was; it may stand in a page of ours."""
    then = who.tables.at(table_id, number)
    return who.answer(pages.moment(who.ctx(f"/t/{then.id}"), then), 200, WITHIN)


@get("/t/{table_id:str}/since", sync_to_thread=True)
def since(table_id: TableId, who: Who) -> Response[str]:
    """What has happened since the visitor's last turn."""
    found = who.server.table(table_id)
    viewer = who.viewer(found)
    if viewer.seat is None:
        raise TableError("NOT_SEATED")
    return who.answer(pages.since(who.ctx(f"/t/{found.id}/since"), found, viewer.seat, _step(who)))


@get("/t/{table_id:str}/then/{number:int}", sync_to_thread=True)
def then(table_id: TableId, number: FromPath[int], who: Who) -> Response[str]:
    """The table as the visitor saw it, or could have, at a moment since their last turn."""
    found = who.server.table(table_id)
    token = who.token_at(found)
    earlier = who.tables.earlier(found.id, token, number)
    seat = who.tables.seat_of(found.id, token)
    return who.answer(pages.moment(who.ctx(f"/t/{found.id}"), earlier, seat), 200, WITHIN)


def _step(who: Visitor) -> int:
    """Which step of a game is asked for."""
    asked = who.request.query_params.get("at", "")
    return int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 9 else 0


@get("/t/{table_id:str}/record", sync_to_thread=True)
def record(table_id: TableId, who: Who) -> Response[str]:
    return record_response(who.tables, who.server.table(table_id))


@get("/t/{table_id:str}/seat/{token:str}", sync_to_thread=True)
def take_over(table_id: TableId, token: FromPath[str], who: Who) -> Response[Any]:
    """Come back to a seat on another device. Other seats of that device stay its own."""
    found = who.server.table(table_id)
    if well_formed(token) is None or found.seat_of(token) is None:
        raise ProblemError(
            404,
            "NOT_SEATED",
            "This link leads to no seat at this table. Copy it again from the table's menu.",
        )
    if who.place(found).token != token:
        who.cookies.append(cookie(who.server.settings, token, found.id))
    return who.go(f"/t/{found.id}")


@get("/t/{table_id:str}/stream", opt=UNCOMPRESSED)
async def stream(table_id: TableId, who: Who) -> Stream:
    server = who.server
    found = await sync_to_thread(server.table, table_id)

    def make(table: Table, seen: int | None) -> bytes:
        # Who has signed out meanwhile, or lost the seat, sees what strangers see.
        return server.live.message(table, replace(who).viewer(table))

    return event_stream(server.tables, server.news, found.id, last_seen(who.request), server.settings.keep_alive, make)


# -- forms ------------------------------------------------------------------------------------------------------


@post("/tables", status_code=303, sync_to_thread=True)
def create(form: Form, who: Who) -> Response[Any]:
    """Open a table, sit down, and fill seats with computer players. All or nothing."""
    game = REGISTRY.get(form.get("game", ""))
    options = {name[7:]: value for name, value in form.items() if name.startswith("option.") and value}
    for option in game.options:
        if option.picks and options.get(option.id) == JOIN:  # people choose for themselves
            options[option.id] = form.get(PICK + option.id, "")
    try:
        players = number(form, "players")
        # All is looked at before anything is made: a table that nobody sits at is of no use to anybody.
        your_name = checks.name(form.get("your_name", ""))
        bots = _bots(form, players)
        new_id = checks.new_table_id()
        token = who.token_to_sit(new_id)
        hints, rated = not form.get("no_hints"), bool(form.get("rated"))
        called, clock = form.get("name", ""), _clock(form)
        made = who.tables.create(game.id, players, options, called, token, clock, hints, rated, new_id)
        who.tables.sit(made.table_id, your_name, token, 0)
        for seat, level in bots.items():
            who.tables.add_bot(made.table_id, token, level, seat)
        if len(bots) == players - 1:  # nobody is to be waited for
            who.tables.start(made.table_id, token)
    except (Refused, TableError, ProblemError) as error:
        problem = problems.of_set_up(error.refusal, game) if isinstance(error, Refused) else problems.of_error(error)
        assert problem is not None
        page = pages.setup(who.ctx(f"/games/{game.id}"), game, form, problem.sentence)
        return who.answer(page, problem.status)
    return who.go(f"/t/{made.table_id}")


def _clock(form: dict[str, str]) -> str:
    """The clock that the form asks for."""
    clock = form.get("clock") or "none"
    return clock if clock == "none" or form.get("time_up") != "show" else f"{clock}{':0' * (2 - clock.count(':'))}:-"


def _bots(form: dict[str, str], players: int) -> dict[int, str]:
    """The computer players that the form asks for, by seat. Raises TableError (UNKNOWN_LEVEL)."""
    others = form.get("others", FRIEND)
    wanted = {seat: form.get(f"seat_{seat}", others) for seat in range(1, min(players, MOST_SEATS))}
    return {seat: known_level(level) for seat, level in wanted.items() if level not in ("", FRIEND)}


def number(form: dict[str, str], name: str) -> int:
    """A field that holds a number. Raises ProblemError (MISSING_FIELD)."""
    text = form.get(name, "")
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        raise ProblemError(
            400,
            "MISSING_FIELD",
            f"The field '{name}' holds a whole number, not '{text[:40]}'.",
            "",
            {"field": name},
        )
    return int(text)


def _seat(form: dict[str, str]) -> int | None:
    return number(form, "seat") if form.get("seat") else None


CLICKED_TWICE: Final = "You had clicked already, and the first click counts. This is the table as it is now."


def after(who: Visitor, table_id: str, do: Callable[[Table], object]) -> Response[Any]:
    """Do something at a table, then show it as it is, with what went wrong if something did."""
    before = who.server.table(table_id)
    problem: Problem | None = None
    try:
        with in_words_of(before):
            do(before)
    except Exception as error:
        problem = problems.of_error(error, before) or problems.unexpected(error, "POST", _route(who.request))
    if problem is None and not who.htmx:
        return who.go(f"/t/{before.id}")
    now = who.server.table(before.id)
    viewer = who.viewer(now)
    if problem is None:
        return who.answer(who.server.live.html(now, viewer))
    make = pages.table_live if who.htmx else pages.table
    # The form's key is ours, and no word for people: they clicked two buttons before the page had changed.
    sentence = CLICKED_TWICE if problem.code == "KEY_REUSED" else problem.sentence
    return who.answer(make(viewer.ctx, now, viewer.seat, sentence), problem.status)


@post("/t/{table_id:str}/sit", sync_to_thread=True)
def sit(table_id: TableId, form: Form, who: Who) -> Response[Any]:
    def do(table: Table) -> None:
        who.tables.sit(table.id, form.get("name", ""), who.sitting(table), _seat(form))

    return after(who, table_id, do)


@post("/t/{table_id:str}/stand-up", sync_to_thread=True)
def stand_up(table_id: TableId, who: Who) -> Response[Any]:
    return after(who, table_id, lambda table: who.tables.stand_up(table.id, who.token_at(table)))


@post("/t/{table_id:str}/bots", sync_to_thread=True)
def add_bot(table_id: TableId, form: Form, who: Who) -> Response[Any]:
    def do(table: Table) -> None:
        who.tables.add_bot(table.id, who.token_at(table), form.get("level", ""), _seat(form))

    return after(who, table_id, do)


@post("/t/{table_id:str}/bots/{seat:int}/remove", sync_to_thread=True)
def remove_bot(table_id: TableId, seat: FromPath[int], who: Who) -> Response[Any]:
    return after(who, table_id, lambda table: who.tables.remove_bot(table.id, who.token_at(table), seat))


@post("/t/{table_id:str}/start", sync_to_thread=True)
def start(table_id: TableId, who: Who) -> Response[Any]:
    return after(who, table_id, lambda table: who.tables.start(table.id, who.token_at(table)))


@post("/t/{table_id:str}/act", sync_to_thread=True)
def act(table_id: TableId, form: Form, who: Who) -> Response[Any]:
    def do(table: Table) -> None:
        action, based_on = number(form, "action"), number(form, "based_on")
        who.tables.act(table.id, who.token_at(table), action, based_on, form.get("key", ""))

    return after(who, table_id, do)


@post("/t/{table_id:str}/place", sync_to_thread=True)
def place(table_id: TableId, form: Form, who: Who) -> Response[Any]:
    """The server's hand does something by the fields of the game's form: without a pointer, without a script."""

    def do(table: Table) -> None:
        def errand(world: World, state: State, seat: int) -> object:
            return world.form(state, seat, form)

        token, based_on = who.token_at(table), number(form, "based_on")
        who.server.sessions.place(table.id, token, errand, based_on, form.get("key", ""))

    return after(who, table_id, do)


@post("/t/{table_id:str}/undo", sync_to_thread=True)
def undo(table_id: TableId, form: Form, who: Who) -> Response[Any]:
    def do(table: Table) -> None:
        who.tables.undo(table.id, who.token_at(table), number(form, "number"), form.get("key", ""))

    return after(who, table_id, do)


@post("/t/{table_id:str}/leave", sync_to_thread=True)
def leave(table_id: TableId, form: Form, who: Who) -> Response[Any]:
    def do(table: Table) -> None:
        who.tables.leave(table.id, who.token_at(table), form.get("level") or STAND_IN)

    return after(who, table_id, do)


@post("/t/{table_id:str}/back", sync_to_thread=True)
def back(table_id: TableId, who: Who) -> Response[Any]:
    return after(who, table_id, lambda table: who.tables.back(table.id, who.token_at(table)))


@post("/t/{table_id:str}/rematch", sync_to_thread=True)
def rematch(table_id: TableId, who: Who) -> Response[Any]:
    following: list[str] = []

    def do(table: Table) -> None:
        token = who.token_at(table)
        following.append(who.tables.rematch(table.id, token))
        if token in seat_tokens(who.request)[1:]:  # a seat taken over by link goes along
            who.cookies.append(cookie(who.server.settings, str(token), following[0]))

    shown = after(who, table_id, do)
    return who.go(f"/t/{following[0]}") if following else shown


# -- what goes wrong --------------------------------------------------------------------------------------------


def told(request: AnyRequest, error: Exception) -> Response[Any]:
    """The answer to a request that ended in an error: for programs as JSON, for people as a page."""
    problem = problems.of_error(error) or problems.unexpected(error, str(request.method), _route(request))
    headers = dict(getattr(error, "headers", None) or {})
    cookies: list[Cookie] = []
    if problem.code == "FORM_TOO_OLD" and CSRF_COOKIE in request.cookies:
        # Signed with another secret, perhaps: without it, the next page gets a good one.
        cookies.append(Cookie(key=CSRF_COOKIE, value="", max_age=0, path="/", httponly=True))
    if request.url.path.startswith("/api"):
        return Response(problem, status_code=problem.status, media_type=PROBLEM_JSON, headers=headers)
    if "hx-request" in request.headers:
        # The part of the page that asked has no place for this: let the browser load the page anew.
        headers["HX-Refresh"] = "true"
        return Response("", status_code=problem.status, media_type=MediaType.HTML, headers=headers, cookies=cookies)
    who = visitor(request)
    page = pages.message(who.stranger(request.url.path), problem.status, _title(problem), problem.sentence)
    return Response(page, status_code=problem.status, media_type=MediaType.HTML, headers=headers, cookies=cookies)


def _title(problem: Problem) -> str:
    return {
        403: "Not from here",
        404: "Nothing here",
        405: "Not like this",
        413: "Too large",
        429: "One moment",
        500: "Something went wrong",
    }.get(problem.status, "Not now" if problem.status == 409 else "That did not work")


def _route(request: AnyRequest) -> str:
    """The pattern of a request's address, which names no table and holds no token."""
    return str(request.scope.get("path_template", "?"))


def router() -> Router:
    """All pages and forms of the site."""
    return Router(
        "/",
        route_handlers=[
            home,
            setup,
            rules,
            programs,
            table,
            advice,
            analysis,
            moment,
            since,
            then,
            verify,
            record,
            take_over,
            stream,
            create,
            sit,
            stand_up,
            add_bot,
            remove_bot,
            start,
            act,
            place,
            undo,
            leave,
            back,
            rematch,
        ],
        dependencies={
            "who": Provide(visitor, sync_to_thread=False),
            "form": Provide(form),
        },
        include_in_schema=False,
    )
