"""Notices by mail, through the operator's mail server."""

from __future__ import annotations

import ipaddress
import re
import smtplib
import ssl
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate, parseaddr
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urlsplit

from shopfloor.web.notices.guard import Unfit, Unreachable
from shopfloor.web.notices.notice import Notice

if TYPE_CHECKING:
    from shopfloor.tables.wishes import Recipient

STEP_SECONDS: Final = 10.0
LONGEST_ADDRESS: Final = 254
# What people type; the mail server judges the rest.
_MAILBOX: Final = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z0-9-]{2,63}")


def mailbox(text: str) -> str:
    """A mail address as it is stored. Raises Unfit."""
    plain = text.strip()
    local, _, domain = plain.rpartition("@")
    if domain and not domain.isascii():
        try:
            plain = f"{local}@{domain.encode('idna').decode('ascii')}"
        except UnicodeError:
            plain = ""
    if len(plain) > LONGEST_ADDRESS or not _MAILBOX.fullmatch(plain) or ".." in plain or local.startswith("."):
        raise Unfit("This is not a mail address such as ann@example.org.")
    return plain


@dataclass(frozen=True)
class MailServer:
    """Where mails are handed in. tls: from the first byte on; else it is begun if the server can."""

    host: str
    port: int
    tls: bool
    user: str
    password: str

    @classmethod
    def from_url(cls, url: str) -> MailServer:
        """From smtp://user:password@host:port, or smtps:// for TLS from the first byte on. Raises ValueError."""
        parts = urlsplit(url)
        if parts.scheme not in ("smtp", "smtps") or not parts.hostname:
            raise ValueError("smtp://host:587 or smtps://user:password@host:465")
        tls = parts.scheme == "smtps"
        port = parts.port or (465 if tls else 587)
        return cls(parts.hostname, port, tls, unquote(parts.username or ""), unquote(parts.password or ""))

    @property
    def here(self) -> bool:
        """Does it run on this computer?"""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"


class Mailer:
    """Sends notices as mails. sender: what stands in From, such as `Shopfloor <play@example.org>`."""

    def __init__(self, server: MailServer, sender: str, base_url: str) -> None:
        self._server = server
        self._sender = sender
        self._envelope = parseaddr(sender)[1]
        self._base = base_url

    def send(self, recipient: Recipient, notice: Notice) -> None:
        """Hand a mail in. Raises Unreachable."""
        try:
            self._hand_in(recipient.address, self._message(recipient, notice))
        except smtplib.SMTPRecipientsRefused as error:
            codes = [code for code, _ in error.recipients.values()] or [550]
            raise Unreachable(f"mail_{codes[0]}", final=codes[0] >= 500) from None
        except smtplib.SMTPResponseException as error:
            raise Unreachable(f"mail_{error.smtp_code}") from None
        except (smtplib.SMTPException, ssl.SSLError, OSError, ValueError):
            raise Unreachable("no_mail_server") from None

    def _hand_in(self, address: str, message: EmailMessage) -> None:
        where, context = self._server, ssl.create_default_context()
        if where.here:
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        smtp: smtplib.SMTP
        if where.tls:
            smtp = smtplib.SMTP_SSL(where.host, where.port, timeout=STEP_SECONDS, context=context)
        else:
            smtp = smtplib.SMTP(where.host, where.port, timeout=STEP_SECONDS)
        try:
            smtp.ehlo()
            secret = where.tls
            if not where.tls and smtp.has_extn("starttls"):
                smtp.starttls(context=context)
                smtp.ehlo()
                secret = True
            if where.user:
                if not (secret or where.here):
                    raise Unreachable("no_tls_for_password")
                smtp.login(where.user, where.password)
            smtp.send_message(message, self._envelope, [address])
        finally:
            smtp.close()

    def _message(self, recipient: Recipient, notice: Notice) -> EmailMessage:
        stop = f"{self._base}/notices/{recipient.secret}/stop"
        message = EmailMessage(policy=SMTP)
        message["From"] = self._sender
        message["To"] = recipient.address
        message["Subject"] = notice.title
        message["Date"] = formatdate()
        # The same when the same is told again: whoever gets it twice can tell.
        message["Message-ID"] = f"<{notice.id}@{urlsplit(self._base).hostname or 'shopfloor'}>"
        message["Auto-Submitted"] = "auto-generated"
        message["List-Unsubscribe"] = f"<{stop}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        message.set_content(self._text(recipient, notice, stop))
        return message

    def _text(self, recipient: Recipient, notice: Notice, stop: str) -> str:
        if notice.kind == "confirm":
            return (
                f"Somebody at {self._base} wants to be told at this address when it is their turn in a game.\n\n"
                f"If that is you, open this page and say yes:\n{self._base}/notices/{recipient.secret}/confirm\n\n"
                "If not, do nothing: nothing more will come. To be sure that nobody has you asked again soon:\n"
                f"{stop}\n"
            )
        parts: list[str] = []
        for sentence, link in notice.lines:
            parts.append(f"{sentence}\n{link}")
            told = notice.since.get(link, ())
            if told:
                parts.append("Since your last turn:\n" + "\n".join(f"- {one}" for one in told))
        parts.append(f"--\nNo more of these mails: {stop}")
        return "\n\n".join(parts) + "\n"


def question(recipient: Recipient) -> Notice:
    """The mail that asks whether somebody wants mails. It says nothing that a stranger could have written."""
    title = "May Shopfloor tell you when it is your turn?"
    return Notice(f"confirm-{recipient.id}", title, ((title, ""),), "", (), {}, "confirm")
