"""How much one address may ask for in a minute: of what makes something, of what tries a secret, and of changes in all.

What is rare is counted in the database where servers share one, so that several allow no more than one does; of
changes every process counts its own. Behind a proxy, addresses are those that it tells (see docs/deployment.md).
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable
from time import monotonic
from typing import Final

from litestar.concurrency import sync_to_thread
from litestar.enums import ScopeType
from litestar.exceptions import TooManyRequestsException
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Receive, Scope, Send

from shopfloor.tables.counts import Counts
from shopfloor.web.problems import DATABASE_AWAY
from shopfloor.web.settings import Settings

ADDRESSES_KEPT: Final = 20_000
CHANGES: Final = ("POST", "PUT", "PATCH", "DELETE")
OPENS: Final = re.compile(r"/(?:api/)?tables")
# A link to a seat holds a secret, and so do requests for numbers; a message that comes in is something new as well.
TRIES: Final = re.compile(r"/t/[^/]+/seat/[^/]+|/metrics|/(?:api/tables|t)/[^/]+/seats/[0-9]+/take")
# What makes the server send something elsewhere.
NOTICES: Final = re.compile(r"/(?:api/tables|t)/[^/]+/notices/.+|/notices/.+")


# What makes an account, or tries to get into one.
SIGNS: Final = re.compile(r"/account/(?:sign-in|sign-up|password|delete|passkeys/(?:options|sign-in|sign-up))")


class Limit:
    """So many requests an address (or a name) in so many minutes, saved up for as long. 0: as many as it likes."""

    def __init__(
        self,
        most: int,
        now: Callable[[], float] = monotonic,
        minutes: float = 1.0,
        counts: Counts | None = None,
        what: str = "",
    ) -> None:
        """counts: where all servers count together, under the name `what`."""
        self._counts = counts if most else None
        self._what = what
        self._room = float(most)
        self._now = now
        self._seconds = 60 * minutes
        self._seen: OrderedDict[str, tuple[float, float]] = OrderedDict()

    @property
    def shared(self) -> bool:
        """Is the database asked? Then it takes a moment."""
        return self._counts is not None

    def take(self, address: str) -> float:
        """Count a request. 0 if it may go on, else the seconds after which one may."""
        wait = self._take(address)
        if wait or self._counts is None:  # what is too much for one server need not be asked for
            return wait
        try:
            return self._counts.take(f"{self._what} {address}", int(self._room), self._seconds)
        except DATABASE_AWAY:
            return 0.0

    def _take(self, address: str) -> float:
        if not self._room:
            return 0.0
        now = self._now()
        left, at = self._seen.get(address, (self._room, now))
        left = min(self._room, left + (now - at) * self._room / self._seconds)
        wait = 0.0 if left >= 1 else (1 - left) * self._seconds / self._room
        self._seen[address] = (left if wait else left - 1, now)
        self._seen.move_to_end(address)
        while len(self._seen) > ADDRESSES_KEPT:
            self._seen.popitem(last=False)
        return wait


class Limits(ASGIMiddleware):
    """Refuses (429) what is too much, before anything else is done for it."""

    def __init__(self, settings: Settings, counts: Counts | None = None) -> None:
        """counts: of the servers that share a database."""
        self._opens = Limit(settings.tables_a_minute, counts=counts, what="opens")
        self._tries = Limit(settings.tries_a_minute, counts=counts, what="tries")
        self._changes = Limit(settings.changes_a_minute)
        self._signs = Limit(settings.sign_ins_a_minute, counts=counts, what="signs")

    scopes = (ScopeType.HTTP,)

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Let a request through, or not."""
        if scope["type"] == ScopeType.HTTP:
            for limit in self._of(scope["method"], scope["path"].rstrip("/")):
                client = scope.get("client")
                address = client[0] if client else ""
                wait = await sync_to_thread(limit.take, address) if limit.shared else limit.take(address)
                if wait:
                    raise TooManyRequestsException(headers={"Retry-After": str(int(wait) + 1)})
        await next_app(scope, receive, send)

    def _of(self, method: str, path: str) -> list[Limit]:
        found = [self._changes] if method in CHANGES else []
        if method == "POST" and OPENS.fullmatch(path):
            found.append(self._opens)
        if method == "POST" and SIGNS.fullmatch(path):
            found.append(self._signs)
        if TRIES.fullmatch(path) or (method in CHANGES and NOTICES.fullmatch(path)):
            found.append(self._tries)
        return found
