"""Where people say how they want to be told of their turn, and where the answers of the site and the API come from."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from shopfloor.tables.checks import Token
from shopfloor.tables.errors import TableError
from shopfloor.tables.model import Table
from shopfloor.tables.service import Tables
from shopfloor.tables.turns import known_now
from shopfloor.tables.wishes import AskedAlready, Recipient, TooMany
from shopfloor.web.notices import guard, mail, push, webhook
from shopfloor.web.notices.guard import Network, Unfit
from shopfloor.web.notices.notifier import Channel, Notifier
from shopfloor.web.problems import ProblemError
from shopfloor.web.settings import BadSetting, Settings

EVERY: Final = (60, 600, 3600, 86400)
USUAL: Final[Mapping[str, int]] = {"push": 60, "webhook": 60, "mail": 600}
KEY: Final = "push key"

TROUBLES: Final = {
    "private_address": "the address leads into a private network",
    "bad_address": "the address cannot be used",
    "no_such_server": "there is no such server",
    "no_connection": "the server could not be reached",
    "no_tls": "the server's encryption could not be used",
    "bad_certificate": "the server's certificate is not valid",
    "too_slow": "the server did not answer in time",
    "redirect": "the address leads on to another one; give that",
    "no_mail_server": "our mail server could not be reached",
    "no_tls_for_password": "our mail server is not set up",
    "not_offered": "this server does not offer it any more",
}


@dataclass(frozen=True)
class Target:
    """A recipient as its owner sees it. hint: enough of the address to know it by. secret: a webhook's, else empty.

    trouble: why nothing is sent there any more, as part of a sentence.
    """

    id: str
    kind: str
    hint: str
    form: str
    every: int
    confirmed: bool
    trouble: str
    secret: str


class Desk:
    """What this server offers, and who wants it."""

    def __init__(self, settings: Settings, tables: Tables) -> None:
        """Raises BadSetting."""
        self._tables = tables
        self._wishes = tables.wishes()
        self._base = settings.base_url.rstrip("/")
        self._networks: tuple[Network, ...] = guard.networks(settings.webhook_networks)
        channels: dict[str, Channel] = {}
        self.push_key = ""
        if settings.push:
            try:
                pushes = push.Pushes(tables.shared(KEY, push.new_key()), settings.push, self._networks)
            except push.Missing as error:
                raise BadSetting(f"push: {error}") from None
            channels["push"] = pushes
            self.push_key = pushes.public_key
        if settings.smtp:
            channels["mail"] = mail.Mailer(mail.MailServer.from_url(settings.smtp), settings.mail_from, self._base)
        if settings.webhooks:
            channels["webhook"] = webhook.Webhooks(self._networks)
        self.kinds = tuple(channels)
        self.notifier = Notifier(tables, channels, settings.notice_delay)

    def start(self) -> None:
        """Begin to tell people."""
        if self.kinds:
            self.notifier.start()

    def stop(self) -> None:
        """End."""
        self.notifier.stop()

    # -- what somebody at a table wants ---------------------------------------------------------------------------

    def targets(self, table: Table, token: Token) -> list[Target]:
        """Where the owner of a token is told of a table."""
        return [_target(found) for found in self._wishes.of(table.id, self._tables.person(token))]

    def by_mail(self, table: Table, token: Token, address: str, every: int | None = None) -> Target:
        """Ask a mailbox whether it wants mails, and then send them. Raises ProblemError, TableError."""
        return self._add(table, token, "mail", lambda: mail.mailbox(address), self._base, every)

    def by_webhook(
        self, table: Table, token: Token, url: str, form: str, base_url: str, every: int | None = None
    ) -> Target:
        """Send requests to an address. Raises ProblemError, TableError."""
        if form not in webhook.FORMS:
            known = ", ".join(webhook.FORMS)
            raise _unfit(f"A webhook takes one of these forms: {known}; not “{form[:40]}”.")
        return self._add(
            table, token, "webhook", lambda: webhook.address(url, form, self._networks), base_url, every, form
        )

    def by_push(
        self, table: Table, token: Token, endpoint: str, p256dh: str, auth: str, base_url: str, every: int | None = None
    ) -> Target:
        """Send to a browser that has subscribed. Raises ProblemError, TableError."""
        return self._add(
            table, token, "push", lambda: push.subscription(endpoint, p256dh, auth, self._networks), base_url, every
        )

    def drop(self, table: Table, token: Token, target: str) -> None:
        """Tell of this table there no more. What is not there (any more) is no problem."""
        owner = self._tables.person(token)
        if any(found.id == target for found in self._wishes.of(table.id, owner)):
            self._wishes.drop(table.id, target)

    def try_out(self, table: Table, token: Token, target: str) -> Target:
        """Send something there now. Raises ProblemError (NO_TARGET, NOT_CONFIRMED)."""
        owner = self._tables.person(token)
        found = next((one for one in self._wishes.of(table.id, owner) if one.id == target), None)
        if found is None:
            raise ProblemError(404, "NO_TARGET", "You are not told there (any more).")
        if not found.confirmed and found.trouble is None:
            raise ProblemError(
                409, "NOT_CONFIRMED", "This mailbox was asked whether it wants mails; open the link that lies there."
            )
        self._wishes.try_out(target)
        self.notifier.wanted(table.id)
        return _target(self._wishes.found(target) or found)

    def _add(
        self,
        table: Table,
        token: Token,
        kind: str,
        address: Callable[[], str],
        base_url: str,
        every: int | None,
        form: str = "",
    ) -> Target:
        if kind not in self.kinds:
            raise ProblemError(409, "NOT_OFFERED", _not_offered(kind), "", {"offered": list(self.kinds)})
        seat = self._tables.seat_of(table.id, token)
        if seat is None:
            raise TableError("NOT_SEATED")
        if table.status == "over" or table.archived:
            raise ProblemError(409, "NOTHING_TO_TELL", "Nothing will happen at this table any more.")
        every = USUAL[kind] if every is None else every
        if every not in EVERY:
            raise _unfit(f"One notice in {', '.join(map(str, EVERY))} seconds can be asked for, not in {every}.")
        try:
            where = address()
        except Unfit as error:
            raise _unfit(error.sentence) from None
        owner = self._tables.person(token)
        told = known_now(table, seat)
        try:
            added = self._wishes.add(table.id, owner, kind, where, told=told, form=form, base_url=base_url, every=every)
        except TooMany as error:
            raise ProblemError(
                409, "TOO_MANY_TARGETS", f"You are told at {error.most} places already; remove one first."
            ) from None
        except AskedAlready:
            raise ProblemError(
                409,
                "ASKED_ALREADY",
                "This mailbox was asked a short time ago, or does not want to be asked. Look into it, or wait an hour.",
            ) from None
        self.notifier.wanted(table.id)
        return _target(added)

    # -- the links in mails -----------------------------------------------------------------------------------------

    def mailbox(self, secret: str) -> Recipient | None:
        """Whom a link in a mail belongs to."""
        return self._wishes.by_secret(secret)

    def confirm(self, secret: str) -> bool:
        """The mailbox wants mails. Is there (still) such a one?"""
        found = self._wishes.by_secret(secret)
        if found is None or not found.owner or found.trouble is not None:
            return False
        self._wishes.confirm(found.id)
        for table_id in self._wishes.tables_of(found.id):
            self.notifier.wanted(table_id)
        return True

    def end(self, secret: str) -> None:
        """The mailbox wants no more mails."""
        found = self._wishes.by_secret(secret)
        if found is not None:
            self._wishes.stop(found.id, for_good=True)


def _unfit(sentence: str) -> ProblemError:
    return ProblemError(400, "ADDRESS_UNFIT", sentence)


def _not_offered(kind: str) -> str:
    what = {"push": "web push", "mail": "mail", "webhook": "webhooks"}[kind]
    return f"This server sends no notices by {what}; whoever runs it can switch that on."


def _target(found: Recipient) -> Target:
    return Target(
        id=found.id,
        kind=found.kind,
        hint=_hint(found),
        form=found.form,
        every=found.every,
        confirmed=found.confirmed,
        trouble=_trouble(found.trouble),
        secret=webhook.shown_secret(found) if found.kind == "webhook" and found.form == "json" else "",
    )


def _hint(found: Recipient) -> str:
    """Enough of an address to be known by its owner, and too little to be used by whoever looks over a shoulder."""
    if found.kind == "mail":
        local, _, domain = found.address.rpartition("@")
        return f"{local[:1]}…@{domain}"
    if found.kind == "push":
        return urlsplit(json.loads(found.address)["endpoint"]).hostname or ""
    parts = urlsplit(found.address)
    return f"{parts.scheme}://{parts.netloc}/…"


def _trouble(code: str | None) -> str:
    if code is None:
        return ""
    if code.startswith("status_"):
        return f"the server answered {code.removeprefix('status_')}"
    if code.startswith("mail_"):
        return f"the mail was not taken ({code.removeprefix('mail_')})"
    return TROUBLES.get(code, "it could not be sent")
