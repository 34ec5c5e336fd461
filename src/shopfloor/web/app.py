"""The server as an ASGI application."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from litestar import Litestar, MediaType, Response, get
from litestar.config.compression import CompressionConfig
from litestar.config.csrf import CSRFConfig
from litestar.datastructures import CacheControlHeader
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme, Tag
from litestar.static_files import create_static_files_router
from litestar.types import Message, Scope

from shopfloor import __version__
from shopfloor.tables.clockwork import Clockwork
from shopfloor.tables.service import Tables
from shopfloor.tables.sessions import Sessions
from shopfloor.tables.thinkers import Thinkers
from shopfloor.web import (
    api,
    api_notices,
    api_people,
    api_together,
    live_site,
    schemas,
    site,
    site_account,
    site_admin,
    site_notices,
    site_together,
)
from shopfloor.web.advisers import Advisers
from shopfloor.web.analyses import TIMES, Analyses
from shopfloor.web.head import head_as_get
from shopfloor.web.identity import CSRF_COOKIE, AnyRequest, instance, secret
from shopfloor.web.limits import Limit, Limits
from shopfloor.web.live import Live
from shopfloor.web.metrics import REQUESTS, metrics
from shopfloor.web.news import News
from shopfloor.web.notices.desk import Desk
from shopfloor.web.problems import Problem
from shopfloor.web.services import Services, services
from shopfloor.web.settings import Settings

STATIC: Final = Path(__file__).parent / "static"
MOST_BYTES: Final = 64 * 1024

DESCRIPTION: Final = """
Play at Shopfloor's tables from a program. Open a table or take a seat, keep the token that you get, and send it as
`Authorization: Bearer TOKEN`. Then `wait` (or follow `events`), ask for `legal`, and `act`.

What goes wrong is answered as `application/problem+json` with a `code` for programs and a `sentence` for people;
nothing was changed by it.
"""

# Pages bring their own styles in attributes; scripts and everything else come from this server alone.
HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # A link to a seat holds its token: other sites must not be told where a visitor comes from.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    # Pages and answers are made for one person at one moment; what may be kept says so itself.
    "Cache-Control": "private, no-cache",
}
ENCODED: Final = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in HEADERS.items()]


async def _secured(message: Message, scope: Scope) -> None:
    """Add the headers that every answer carries."""
    if message["type"] == "http.response.start":
        headers = list(message["headers"])
        there = {name.lower() for name, _ in headers}
        message["headers"] = headers + [pair for pair in ENCODED if pair[0] not in there]


@get("/healthz", include_in_schema=False, sync_to_thread=False)
def healthz(request: AnyRequest) -> dict[str, str]:
    """Is the server there, and which one is it?"""
    return {"status": "ok", "version": __version__, "instance": services(request).instance}


@get("/readyz", include_in_schema=False, sync_to_thread=True)
def readyz(request: AnyRequest) -> dict[str, str]:
    """Can the server do its work: does its database answer?"""
    services(request).tables.count_by_status()
    return {"status": "ok"}


@get("/api/openapi.json", include_in_schema=False, sync_to_thread=False)
def openapi_json(request: AnyRequest) -> Response[dict[str, Any]]:
    """The API's description."""
    return Response(request.app.openapi_schema.to_schema(), media_type=MediaType.JSON)


def open_tables(settings: Settings) -> Tables:
    """The tables in the settings' database, brought up to date. Raises StorageError or OSError."""
    if settings.file is not None:
        settings.file.parent.mkdir(parents=True, exist_ok=True)
    return Tables(settings.url)


def thinkers_for(settings: Settings, tables: Tables, sessions: Sessions | None = None) -> Thinkers:
    """The computer players, as the settings want them; watched where there are sessions.

    Where others think (no workers), the server still does what people look on at: nobody else could show it.
    """
    few = max(1, settings.workers)
    return Thinkers(
        tables,
        few,
        settings.pace,
        settings.budget,
        sessions,
        only_watched=not settings.workers,
        processes=settings.thinking_processes,
    )


def create_app(settings: Settings, tables: Tables | None = None) -> Litestar:
    """The application. Its lifespan opens the tables, unless they come with it, and lets the computer players think.

    Once it has started, `app.state.services` holds its parts; when it stops, the tables are closed.
    """
    if tables is None and settings.file is None:  # what servers share is in the database
        tables = open_tables(settings)
    signing = secret(settings, tables)
    counts = None if tables is None else tables.counts(signing)

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        opened = tables or open_tables(settings)
        news = News(opened)
        sessions = Sessions(opened, settings.sites)
        advisers = Advisers()
        analyses = Analyses(opened, TIMES * settings.budget)
        thinkers = thinkers_for(settings, opened, sessions)
        clockwork = Clockwork(opened) if settings.workers else None
        desk = Desk(settings, opened)
        try:
            name = instance(settings, opened)
            names = Limit(settings.sign_ins_a_minute, minutes=10, counts=counts, what="names")
            helpers = (sessions, thinkers, advisers, analyses, desk, names)
            app.state.services = Services(settings, opened, news, Live(), name, *helpers)
            thinkers.start()
            if clockwork is not None:
                clockwork.start()
            desk.start()
            yield
        finally:
            news.close()
            desk.stop()
            if clockwork is not None:
                clockwork.stop()
            thinkers.stop()
            advisers.close()
            analyses.close()
            sessions.close()
            opened.close()

    app = Litestar(
        route_handlers=[
            api.router(),
            api_together.router(),
            api_notices.router(),
            api_people.router(),
            site.router(),
            site_together.router(),
            site_notices.router(),
            site_account.router(),
            site_admin.router(),
            live_site.router(),
            healthz,
            readyz,
            metrics,
            openapi_json,
            create_static_files_router(
                "/static/build/assets",
                directories=[STATIC / "build" / "assets"],
                # Their names change with their contents.
                cache_control=CacheControlHeader(public=True, max_age=31_536_000, immutable=True),
                name="assets",
            ),
            create_static_files_router(
                "/static", directories=[STATIC], cache_control=CacheControlHeader(public=True, max_age=3600)
            ),
        ],
        lifespan=[lifespan],
        exception_handlers={Exception: site.told},
        before_send=[_secured],
        middleware=[*([REQUESTS.middleware] if settings.metrics else []), Limits(settings, counts)],
        request_max_body_size=MOST_BYTES,
        compression_config=CompressionConfig(
            backend="gzip",
            gzip_compress_level=4,
            exclude=[r"\.(woff2|png|jpg|webp)$"],
            exclude_opt_key="no_compression",
        ),
        csrf_config=CSRFConfig(
            secret=signing,
            cookie_name=CSRF_COOKIE,
            cookie_httponly=True,
            cookie_secure=settings.secure,
            # Whoever knows the secret in a mail's link may stop the mails, a mailbox's own button as well.
            exclude=["^/api", "^/static", "^/healthz", "^/readyz", "^/metrics", "^/notices/[^/]+/stop$"],
        ),
        openapi_config=OpenAPIConfig(
            title="Shopfloor",
            version=__version__,
            description=DESCRIPTION.strip(),
            path="/api/schema",
            render_plugins=[JsonRenderPlugin()],
            use_handler_docstrings=False,
            components=Components(
                security_schemes={
                    "seat": SecurityScheme(
                        type="http",
                        scheme="bearer",
                        description="The token of a seat, or of a table's maker; or that of an account, which its "
                        "owner makes on the page of the account.",
                    )
                }
            ),
            tags=[
                Tag("Games", "What can be played."),
                Tag("Tables", "Opening a table and gathering round it."),
                Tag("Playing", "Deciding, once the game has started."),
                Tag("People", "Accounts, results and ratings; and what the administrator may do."),
                Tag("Following", "What has happened, now and before."),
            ],
        ),
        logging_config=None,
        debug=False,
    )
    # Which handler answers is chosen before any middleware: this has to stand before that.
    app.asgi_handler = head_as_get(app.asgi_handler)
    _describe(app)
    return app


def _describe(app: Litestar) -> None:
    """The API's description says of every shape what its docstring says."""
    for name, schema in app.openapi_schema.components.schemas.items():
        shape = Problem if name == Problem.__name__ else getattr(schemas, name, None)
        if shape is not None:
            schema.description = inspect.getdoc(shape)
