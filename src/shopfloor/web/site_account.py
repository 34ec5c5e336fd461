"""The forms of accounts: signing up, in and out, ways in, programs, blocks, the end. All of them work without script.

The forms, all with `_csrf_token`:

    POST /account/sign-up, /sign-in     name, password, keep (yes: the seats of this browser go along), going
    POST /account/passkeys/options      purpose (sign-in, sign-up, add), name: answers with JSON for the browser
    POST /account/passkeys/sign-up      name, credential (JSON), keep, going     POST /account/passkeys/sign-in
    POST /account/passkeys/add          credential, label                        POST /account/passkeys/{id}/remove
    POST /account/password              old, new         POST /account/sign-out  POST /account/keep
    POST /account/sign-ins/{id}/end     POST /account/programs      label        POST /account/unblock     whom
    POST /account/delete                password, name
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from litestar import Response, Router, get, post
from litestar.di import Provide
from litestar.params import FromPath

from shopfloor.games import REGISTRY
from shopfloor.tables import checks
from shopfloor.tables.accounts import Account, SignIn
from shopfloor.tables.errors import AccountError, TableError
from shopfloor.web import passkeys, people, problems
from shopfloor.web.identity import seat_tokens, session_cookie
from shopfloor.web.problems import ProblemError
from shopfloor.web.site import Form, Visitor, Who, form, visitor

# Where one may be led after signing in: nowhere outside.
GOING: Final = re.compile(r"/t/[a-z0-9]{10}|/account")
SYSTEMS: Final = (
    ("Android", "Android"),
    ("iPhone", "an iPhone"),
    ("iPad", "an iPad"),
    ("Windows", "Windows"),
    ("Mac OS", "a Mac"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)
BROWSERS: Final = (
    ("Edg/", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)


def device(agent: str) -> str:
    """What a browser is called in the list of sign-ins: no more than its owner needs to know it again."""
    browser = next((name for mark, name in BROWSERS if mark in agent), "A browser")
    system = next((name for mark, name in SYSTEMS if mark in agent), "")
    return f"{browser} on {system}" if system else browser


def _site(who: Visitor) -> passkeys.Site:
    return passkeys.Site(who.base_url)


def _guest_seats(who: Visitor) -> int:
    return who.tables.holds(seat_tokens(who.request))


def _sign_in_page(who: Visitor, filled: dict[str, str], problem: str | None = None) -> str:
    going = filled.get("going", "")
    return people.sign_in(
        who.ctx("/account"),
        _guest_seats(who),
        who.tables.blocks.of([checks.token_hash(token) for token in seat_tokens(who.request)]),
        _site(who).possible,
        going if GOING.fullmatch(going) else "/account",
        filled.get("name", ""),
        problem,
    )


def _account_page(who: Visitor, own: Account, session: SignIn, **more: Any) -> str:
    own = who.tables.accounts.get(own.id) or own
    return people.account(
        who.ctx("/account"),
        own,
        session.id,
        who.tables.accounts.sign_ins(own),
        who.tables.accounts.passkeys(own),
        who.tables.blocks.of([own.player]),
        who.tables.ratings.results(own.player, 50),
        who.tables.ratings.of(own.player),
        _guest_seats(who),
        _site(who).possible,
        **more,
    )


def _owner(who: Visitor) -> tuple[Account, SignIn]:
    """Raises NOT_SIGNED_IN."""
    if who.signed_in is None:
        raise AccountError("NOT_SIGNED_IN")
    return who.signed_in


def _enter(who: Visitor, account: Account, filled: dict[str, str]) -> Response[Any]:
    """Sign the visitor in; the guest's seats go along if they want them to."""
    if filled.get("keep"):
        who.tables.keep(account, seat_tokens(who.request))
    token = who.tables.accounts.sign_in(account, device(who.request.headers.get("user-agent", "")))
    who.cookies.append(session_cookie(who.server.settings, token))
    going = filled.get("going", "")
    return who.go(going if GOING.fullmatch(going) else "/account")


def _getting_in(who: Visitor, filled: dict[str, str], do: Callable[[], Account]) -> Response[Any]:
    """Do what leads to an account, and go in; or say on the same page what is wrong."""
    try:
        return _enter(who, do(), filled)
    except (TableError, ProblemError) as error:
        problem = problems.of_error(error)
        assert problem is not None
        return who.answer(_sign_in_page(who, filled, problem.sentence), problem.status)


def _change(who: Visitor, do: Callable[[Account, SignIn], str]) -> Response[Any]:
    """Change something about one's account; `do` says what was done."""
    own, session = _owner(who)
    try:
        done = do(own, session)
    except (TableError, ProblemError) as error:
        problem = problems.of_error(error)
        assert problem is not None
        return who.answer(_account_page(who, own, session, problem=problem.sentence), problem.status)
    return who.answer(_account_page(who, own, session, done=done))


def _slowly(who: Visitor, name: str) -> None:
    """Not too often for one name, whoever tries and whether or not anybody has it. Raises ProblemError."""
    wait = who.server.names.take(checks.name_key(name)[:100])
    if wait:
        minutes = int(wait / 60) + 1
        sentence = f"That was tried too often for this name. Wait {minutes} minute{'s' if minutes > 1 else ''}."
        raise ProblemError(429, "TOO_MANY_REQUESTS", sentence)


def _free_name(who: Visitor, name: str) -> None:
    """A name in the operator's settings is not to be had by whoever comes first."""
    if checks.name_key(name) in who.server.settings.admin_names:
        raise AccountError("ACCOUNT_NAME_TAKEN", name=name[:40])


# -- getting in and out -------------------------------------------------------------------------------------------


@get("/account", sync_to_thread=True)
def account_page(who: Who) -> Response[str]:
    if who.signed_in is None:
        filled = {name: str(value) for name, value in who.request.query_params.items()}
        return who.answer(_sign_in_page(who, filled))
    return who.answer(_account_page(who, *who.signed_in))


@post("/account/sign-up", sync_to_thread=True)
def sign_up(form: Form, who: Who) -> Response[Any]:
    def do() -> Account:
        name = form.get("name", "")
        _slowly(who, name)
        _free_name(who, name)
        return who.tables.accounts.sign_up(name, form.get("password", ""))

    return _getting_in(who, form, do)


@post("/account/sign-in", sync_to_thread=True)
def sign_in(form: Form, who: Who) -> Response[Any]:
    def do() -> Account:
        _slowly(who, form.get("name", ""))
        return who.tables.accounts.check(form.get("name", ""), form.get("password", ""))

    return _getting_in(who, form, do)


@post("/account/sign-out", sync_to_thread=True)
def sign_out(who: Who) -> Response[Any]:
    if who.signed_in is not None:
        own, session = who.signed_in
        who.tables.accounts.sign_out(own, session.id)
    who.cookies.append(session_cookie(who.server.settings, None))
    return who.go("/")


# -- passkeys -----------------------------------------------------------------------------------------------------


@post("/account/passkeys/options", status_code=200, sync_to_thread=True)
def passkey_options(form: Form, who: Who) -> Response[Any]:
    """What the browser is to be asked for; the page's script sends the answer by one of the forms below."""
    name = form.get("name", "")
    try:
        if form.get("purpose") == passkeys.SIGN_UP:
            _slowly(who, name)
            _free_name(who, name)
        asked = passkeys.asked(who.tables.accounts, _site(who), form.get("purpose", ""), who.account, name)
    except (TableError, ProblemError) as error:
        problem = problems.of_error(error)
        assert problem is not None
        return Response({"problem": problem.sentence}, status_code=problem.status, cookies=who.cookies)
    return Response({"options": asked}, status_code=200, cookies=who.cookies)


@post("/account/passkeys/sign-up", sync_to_thread=True)
def passkey_sign_up(form: Form, who: Who) -> Response[Any]:
    def do() -> Account:
        accounts, credential = who.tables.accounts, form.get("credential", "")
        label = device(who.request.headers.get("user-agent", ""))[:24]
        asked, key = passkeys.made(accounts, _site(who), passkeys.SIGN_UP, credential, label)
        return accounts.sign_up_by_passkey(asked.name or "", asked.account_id or "", key)

    return _getting_in(who, form, do)


@post("/account/passkeys/sign-in", sync_to_thread=True)
def passkey_sign_in(form: Form, who: Who) -> Response[Any]:
    return _getting_in(who, form, lambda: passkeys.signed(who.tables.accounts, _site(who), form.get("credential", "")))


@post("/account/passkeys/add", sync_to_thread=True)
def passkey_add(form: Form, who: Who) -> Response[Any]:
    def do(own: Account, session: SignIn) -> str:
        accounts, credential = who.tables.accounts, form.get("credential", "")
        asked, key = passkeys.made(accounts, _site(who), passkeys.ADD, credential, form.get("label", ""))
        if asked.account_id != own.id:
            raise AccountError("PASSKEY_FAILED", why="it was made for another account")
        accounts.add_passkey(own, key)
        return f"The passkey “{key.label}” leads in from now on."

    return _change(who, do)


@post("/account/passkeys/{key:str}/remove", sync_to_thread=True)
def passkey_remove(key: FromPath[str], who: Who) -> Response[Any]:
    def do(own: Account, session: SignIn) -> str:
        who.tables.accounts.remove_passkey(own, key)
        return "The passkey leads nowhere any more."

    return _change(who, do)


# -- the account --------------------------------------------------------------------------------------------------


@post("/account/password", sync_to_thread=True)
def password(form: Form, who: Who) -> Response[Any]:
    def do(own: Account, session: SignIn) -> str:
        _slowly(who, own.name)
        who.tables.accounts.set_password(own, form.get("old", ""), form.get("new", ""), session.id)
        return "The password is changed. All other browsers are signed out."

    return _change(who, do)


@post("/account/keep", sync_to_thread=True)
def keep(who: Who) -> Response[Any]:
    def do(own: Account, session: SignIn) -> str:
        seats = who.tables.keep(own, seat_tokens(who.request))
        return f"{seats} seat{'' if seats == 1 else 's'} belong{'s' if seats == 1 else ''} to your account now."

    return _change(who, do)


@post("/account/sign-ins/{one:str}/end", sync_to_thread=True)
def end_sign_in(one: FromPath[str], who: Who) -> Response[Any]:
    def do(own: Account, session: SignIn) -> str:
        who.tables.accounts.sign_out(own, one)
        return "That is over: it can do nothing for your account any more."

    return _change(who, do)


@post("/account/programs", sync_to_thread=True)
def new_program(form: Form, who: Who) -> Response[Any]:
    own, session = _owner(who)
    try:
        token = who.tables.accounts.new_program(own, form.get("label", ""))
    except TableError as error:
        problem = problems.of_error(error)
        assert problem is not None
        return who.answer(_account_page(who, own, session, problem=problem.sentence), problem.status)
    headers = {"Cache-Control": "no-store"}  # it is shown once, and kept nowhere
    return who.answer(_account_page(who, own, session, token=token), 200, headers)


@post("/account/unblock", sync_to_thread=True)
def unblock(form: Form, who: Who) -> Response[Any]:
    own = [checks.token_hash(token) for token in who.tokens()]
    who.tables.blocks.unblock(own, form.get("whom", ""))
    return who.go("/account")


@post("/account/delete", sync_to_thread=True)
def delete(form: Form, who: Who) -> Response[Any]:
    own, session = _owner(who)
    try:
        _slowly(who, own.name)
        if own.has_password:
            who.tables.accounts.prove(own, form.get("password", ""))
        elif not checks.same_name(form.get("name", "").strip(), own.name):
            raise AccountError("NO_SUCH_PERSON", name=form.get("name", "")[:40])
    except (TableError, ProblemError) as error:
        problem = problems.of_error(error)
        assert problem is not None
        return who.answer(_account_page(who, own, session, problem=problem.sentence), problem.status)
    who.tables.forget(own)
    who.cookies.append(session_cookie(who.server.settings, None))
    return who.go("/")


# -- what everybody may know --------------------------------------------------------------------------------------


@get("/people", sync_to_thread=True)
def everybody(who: Who) -> Response[str]:
    boards = []
    for game in REGISTRY.ids():
        found = who.tables.ratings.leaderboard(game)
        names = who.tables.accounts.names([rating.player for rating in found])
        rows = [(names[rating.player], rating) for rating in found if rating.player in names]
        boards.append((game, rows))
    return who.answer(people.everybody(who.ctx("/people"), boards))


@get("/people/{name:str}", sync_to_thread=True)
def person(name: FromPath[str], who: Who) -> Response[str]:
    found = who.tables.accounts.by_name(name)
    if found is None:
        raise AccountError("NO_SUCH_PERSON", name=name[:40])
    results = who.tables.ratings.results(found.player, 100, only_rated=True)
    return who.answer(people.person(who.ctx("/people"), found, results, who.tables.ratings.of(found.player)))


def router() -> Router:
    """The pages and forms above."""
    return Router(
        "/",
        route_handlers=[
            account_page,
            sign_up,
            sign_in,
            sign_out,
            passkey_options,
            passkey_sign_up,
            passkey_sign_in,
            passkey_add,
            passkey_remove,
            password,
            keep,
            end_sign_in,
            new_program,
            unblock,
            delete,
            everybody,
            person,
        ],
        dependencies={"who": Provide(visitor, sync_to_thread=False), "form": Provide(form)},
        include_in_schema=False,
    )
