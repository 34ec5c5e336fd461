"""Notices as requests to an address of the player's: a chat's incoming webhook, ntfy, or a program of theirs.

Signed as https://www.standardwebhooks.com says: `webhook-signature` is `v1,` and the Base64 of the HMAC-SHA256, with
the secret's bytes as key, of `id.timestamp.body`.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit

from shopfloor.tables.wishes import Recipient
from shopfloor.web.notices import guard
from shopfloor.web.notices.guard import Network, Unfit
from shopfloor.web.notices.notice import Notice

FORMS: Final = ("json", "ntfy", "discord", "slack")
SECRET: Final = "whsec_"
LONGEST_TEXT: Final = 1800


def address(url: str, form: str, allowed: Sequence[Network] = ()) -> str:
    """The address of a webhook as it is stored. Raises Unfit."""
    plain = url.strip()
    guard.check(plain, allowed)
    if form == "ntfy" and not _topic(plain)[1]:
        raise Unfit("The address of a topic at ntfy ends in its name, such as https://ntfy.sh/your-topic.")
    return plain


def shown_secret(recipient: Recipient) -> str:
    """The secret as receivers are told it."""
    return SECRET + base64.b64encode(recipient.secret.encode()).decode()


class Webhooks:
    """Sends notices as requests. allowed: networks that may be reached though private."""

    def __init__(self, allowed: Sequence[Network] = ()) -> None:
        self._allowed = allowed

    def send(self, recipient: Recipient, notice: Notice) -> None:
        """Raises Unreachable."""
        url = _topic(recipient.address)[0] if recipient.form == "ntfy" else recipient.address
        body = json.dumps(payload(recipient, notice), ensure_ascii=False).encode()
        at = str(int(time.time()))
        headers = {
            "Content-Type": "application/json; charset=utf-8",
            "webhook-id": notice.id,
            "webhook-timestamp": at,
            "webhook-signature": signature(recipient.secret, notice.id, at, body),
        }
        guard.post(url, body, headers, self._allowed)


def signature(secret: str, id_: str, at: str, body: bytes) -> str:
    """What proves that a request is ours, unchanged and new."""
    signed = hmac.new(secret.encode(), f"{id_}.{at}.".encode() + body, hashlib.sha256)
    return f"v1,{base64.b64encode(signed.digest()).decode()}"


def payload(recipient: Recipient, notice: Notice) -> dict[str, Any]:
    """The body, in the shape that the receiver reads."""
    text = "\n".join(f"{line} {link}" for line, link in notice.lines)[:LONGEST_TEXT]
    match recipient.form:
        case "discord":
            # Names are people's own: nobody is to be called by them.
            return {"content": text, "allowed_mentions": {"parse": []}}
        case "slack":
            return {"text": text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")}
        case "ntfy":
            topic = _topic(recipient.address)[1]
            told = {"topic": topic, "title": "Shopfloor", "message": notice.text[:LONGEST_TEXT], "tags": ["bell"]}
            return {**told, "click": notice.link}
    return {
        "type": "shopfloor.trial" if notice.kind == "trial" else "shopfloor.notice",
        "id": notice.id,
        "text": text,
        "link": notice.link,
        "notices": list(notice.facts),
    }


def _topic(url: str) -> tuple[str, str]:
    """The address at which ntfy takes JSON, and the topic."""
    parts = urlsplit(url)
    folder, _, topic = parts.path.rstrip("/").rpartition("/")
    return urlunsplit(parts._replace(path=f"{folder}/")), topic
