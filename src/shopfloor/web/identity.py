"""Who asks: on the site by cookies, in the API by a bearer token.

A browser has a secret of its own, from which that of each of its seats follows: a link to a seat gives away that seat
and no other. Who is signed in has the cookie of a session, and a program that acts for an account a token of it.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import re
import secrets
from typing import Any, Final

from litestar.connection import ASGIConnection, Request
from litestar.datastructures import Cookie

from shopfloor.tables.accounts import PROGRAM, PROGRAM_KIND, Account
from shopfloor.tables.checks import Token
from shopfloor.tables.model import Table
from shopfloor.tables.service import Tables
from shopfloor.web.problems import ProblemError
from shopfloor.web.settings import Settings

PLAYER: Final = "sf_player"
CSRF_COOKIE: Final = "sf_csrf"
# A seat that was taken over by link keeps a cookie of its own, so that no other seat of this browser is lost.
SEAT: Final = "sf_seat_"
SESSION: Final = "sf_session"
YEAR: Final = 365 * 24 * 3600
TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{16,128}")

AnyConnection = ASGIConnection[Any, Any, Any, Any]
AnyRequest = Request[Any, Any, Any]


def new_token() -> str:
    """A token that nobody can guess: 256 bits."""
    return secrets.token_urlsafe(32)


def well_formed(token: str | None) -> str | None:
    """The token, if it could be one of ours."""
    return token if token and TOKEN.fullmatch(token) else None


def player_token(request: AnyConnection) -> str | None:
    """The browser's own token."""
    return well_formed(request.cookies.get(PLAYER))


def session_token(request: AnyConnection) -> str | None:
    """The token by which the browser is signed in."""
    return well_formed(request.cookies.get(SESSION))


def seat_secret(browser: str, root: str) -> str:
    """The secret of a browser's seat at a table and its rematches. root: the first of these tables."""
    made = hmac.digest(browser.encode(), f"seat at {root}".encode(), "sha256")
    return base64.urlsafe_b64encode(made).rstrip(b"=").decode()


def table_tokens(
    request: AnyConnection, tables: Tables, table: Table, account: Account | None, own: str | None
) -> list[Token]:
    """All by which the browser could be known at a table, what counts more first.

    That is the seat's secret that came by a link, there or at the table before the rematch; the account; the secret of
    its own seat there; and the browser's own (`own`), which programs and older tables know.
    """
    found: list[Token | None] = [
        well_formed(request.cookies.get(SEAT + name)) for name in (table.id, table.rematch_of) if name
    ]
    found.append(account.member if account is not None else None)
    if own is not None:
        root = table.id if table.rematch_of is None else tables.root(table.id)
        found += [seat_secret(own, root), own]
    return [token for token in found if token is not None]


def seat_tokens(request: AnyConnection) -> list[str]:
    """All tokens of this browser, its own first."""
    found = [player_token(request)]
    found += [well_formed(value) for name, value in request.cookies.items() if name.startswith(SEAT)]
    return list(dict.fromkeys(token for token in found if token is not None))


def cookie(settings: Settings, token: str, table_id: str | None = None) -> Cookie:
    """The cookie that holds a token: the browser's own, or that of one table."""
    return _cookie(settings, PLAYER if table_id is None else SEAT + table_id, token, YEAR)


def session_cookie(settings: Settings, token: str | None) -> Cookie:
    """The cookie of being signed in (None: of being so no more)."""
    return _cookie(settings, SESSION, token or "", YEAR if token else 0)


def _cookie(settings: Settings, name: str, value: str, seconds: int) -> Cookie:
    return Cookie(
        key=name,
        value=value,
        max_age=seconds,
        path="/",
        httponly=True,
        samesite="lax",
        secure=settings.secure,
    )


def bearer(request: AnyRequest) -> str | None:
    """The token in the request's Authorization header. Raises ProblemError (BAD_TOKEN) if it cannot be one."""
    header = request.headers.get("authorization")
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or well_formed(token.strip()) is None:
        raise ProblemError(
            401,
            "BAD_TOKEN",
            "Send the seat's token as it was given, in the header 'Authorization: Bearer TOKEN'.",
        )
    return token.strip()


def of_account(token: str) -> bool:
    """Is it a token of an account, rather than of a seat?"""
    return token.startswith(PROGRAM)


def holder_of(tables: Tables, token: str) -> Token:
    """What a bearer token proves: itself, or an account that it acts for. Raises ProblemError (BAD_TOKEN)."""
    if not of_account(token):
        return token
    found = tables.accounts.signed_in(token, PROGRAM_KIND)
    if found is None:
        raise ProblemError(401, "BAD_TOKEN", "This token of an account is not valid, or no longer.")
    return found[0].member


def secret(settings: Settings, tables: Tables | None = None) -> str:
    """What forms are signed with: the setting, or a file beside the database, made when it is missing.

    Servers that share a database by its URL keep it there; then `tables` is needed.
    """
    if settings.secret:
        return settings.secret
    if settings.file is None:
        assert tables is not None
        return tables.shared("secret", secrets.token_hex(32))
    folder = settings.file.parent
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "shopfloor.secret"
    if not path.exists():
        # Written aside and put in place whole, so that a start that is cut short leaves nothing half done.
        aside = folder / f".shopfloor.secret.{os.getpid()}"
        handle = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(secrets.token_hex(32))
        os.replace(aside, path)
    return path.read_text(encoding="ascii").strip()


def instance(settings: Settings, tables: Tables | None = None) -> str:
    """A name for this server's data, by which a second start finds out that the first still runs."""
    return hashlib.sha256(f"instance {secret(settings, tables)}".encode()).hexdigest()[:16]
