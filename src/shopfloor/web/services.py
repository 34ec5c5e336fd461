"""What the handlers of a server share, and what one request knows of who asks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from shopfloor.engine.refusals import Refused
from shopfloor.tables import checks
from shopfloor.tables.accounts import Account
from shopfloor.tables.model import Table
from shopfloor.tables.service import Tables
from shopfloor.tables.sessions import Sessions
from shopfloor.tables.thinkers import Thinkers
from shopfloor.web.advisers import Advisers
from shopfloor.web.analyses import Analyses
from shopfloor.web.identity import AnyConnection, AnyRequest
from shopfloor.web.limits import Limit
from shopfloor.web.live import Live
from shopfloor.web.news import News
from shopfloor.web.notices.desk import Desk
from shopfloor.web.problems import ProblemError, of_refusal
from shopfloor.web.settings import Settings


@dataclass(frozen=True)
class Services:
    """One server's parts. instance: a name for its data. names: how often anybody may try to get in by a name."""

    settings: Settings
    tables: Tables
    news: News
    live: Live
    instance: str
    sessions: Sessions
    thinkers: Thinkers
    advisers: Advisers
    analyses: Analyses
    desk: Desk
    names: Limit

    def table(self, table_id: str) -> Table:
        """The table as it is now; its `id` is the one to go on with. Raises UnknownTable."""
        return self.tables.table(table_id)

    def is_admin(self, account: Account) -> bool:
        """By the command `shopfloor admin`, or by the server's settings."""
        return account.admin or checks.name_key(account.name) in self.settings.admin_names

    def base_url(self, request: AnyConnection) -> str:
        """The address that people know the server by, without a slash at the end."""
        return (self.settings.base_url or str(request.base_url)).rstrip("/")


def services(request: AnyRequest) -> Services:
    """The services of the server that got this request."""
    found: Services = request.app.state.services
    return found


@contextmanager
def in_words_of(table: Table) -> Iterator[None]:
    """What the table's game refuses in this block is told in its words, with the names of its players."""
    try:
        yield
    except Refused as error:
        problem = of_refusal(error.refusal, table.game, table.names())
        raise ProblemError.of(problem) from None
