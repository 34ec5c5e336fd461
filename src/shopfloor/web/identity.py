"""Who asks: on the site a cookie, in the API a bearer token. Both hold the same kind of token."""

from __future__ import annotations

import hashlib
import os
import re
import secrets
from typing import Any, Final, Literal

from litestar.connection import ASGIConnection, Request
from litestar.datastructures import Cookie

from shopfloor.tables.service import Tables
from shopfloor.web.problems import ProblemError
from shopfloor.web.settings import Settings

PLAYER: Final = "sf_player"
CSRF_COOKIE: Final = "sf_csrf"
# A seat that was taken over by link keeps a cookie of its own, so that no other seat of this browser is lost.
SEAT: Final = "sf_seat_"
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


def table_token(request: AnyConnection, table_id: str, before: str | None = None) -> str | None:
    """The browser's token at a table: that of a seat taken over by link, there or at the table `before` the rematch."""
    for name in (table_id, before):
        token = well_formed(request.cookies.get(SEAT + name)) if name else None
        if token is not None:
            return token
    return player_token(request)


def seat_tokens(request: AnyConnection) -> list[str]:
    """All tokens of this browser, its own first."""
    found = [player_token(request)]
    found += [well_formed(value) for name, value in request.cookies.items() if name.startswith(SEAT)]
    return list(dict.fromkeys(token for token in found if token is not None))


def cookie(settings: Settings, token: str, table_id: str | None = None) -> Cookie:
    """The cookie that holds a token: the browser's own, or that of one table."""
    samesite: Literal["lax"] = "lax"
    return Cookie(
        key=PLAYER if table_id is None else SEAT + table_id,
        value=token,
        max_age=YEAR,
        path="/",
        httponly=True,
        samesite=samesite,
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
