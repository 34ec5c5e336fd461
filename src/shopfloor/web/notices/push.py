"""Notices by web push: to a browser that has allowed it, even when no page of ours is open (RFC 8030, 8291, 8292)."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Sequence
from typing import Final
from urllib.parse import urlsplit

from shopfloor.tables.wishes import Recipient
from shopfloor.web.notices import guard
from shopfloor.web.notices.guard import Network, Unfit
from shopfloor.web.notices.notice import Notice

# Seconds for which the push service keeps a notice for a device that is off, and for which we vouch for ourselves.
KEPT: Final = 24 * 3600
VOUCHED: Final = 12 * 3600
# A push service takes 4 kB with what encryption adds.
LONGEST_TEXT: Final = 1500


class Missing(Exception):
    """The libraries for web push are not installed."""

    def __init__(self) -> None:
        super().__init__("web push needs its libraries: pip install 'shopfloor[notices]'")


def _bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def new_key() -> str:
    """A server's own key, by which push services know it: 32 bytes in base64url. Raises Missing."""
    try:
        from cryptography.hazmat.primitives.asymmetric import ec
    except ModuleNotFoundError:
        raise Missing from None
    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return _text(number.to_bytes(32, "big"))


def subscription(endpoint: str, p256dh: str, auth: str, allowed: Sequence[Network] = ()) -> str:
    """What a browser has told of itself, as it is stored. Raises Unfit."""
    guard.check(endpoint, allowed)
    if urlsplit(endpoint).scheme != "https" and not allowed:
        raise Unfit("The address of a push service begins with https://.")
    try:
        fits = len(_bytes(p256dh)) == 65 and len(_bytes(auth)) == 16 and _on_curve(p256dh)
    except ValueError:
        fits = False
    if not fits:
        raise Unfit("The browser's keys for web push are not as they should be; reload the page and try again.")
    return json.dumps({"endpoint": endpoint, "p256dh": p256dh, "auth": auth})


def _on_curve(p256dh: str) -> bool:
    from cryptography.hazmat.primitives.asymmetric import ec

    ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _bytes(p256dh))
    return True


class Pushes:
    """Sends notices to browsers. key: as `new_key` makes it. contact: whom a push service can turn to."""

    def __init__(self, key: str, contact: str, allowed: Sequence[Network] = ()) -> None:
        """Raises Missing; ValueError if the key is none."""
        try:
            import http_ece  # noqa: F401
            from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
            from py_vapid import Vapid02
        except ModuleNotFoundError:
            raise Missing from None
        self._vapid = Vapid02.from_raw(key.encode())
        self._contact = contact
        self._allowed = allowed
        point = self._vapid.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.public_key = _text(point)

    def send(self, recipient: Recipient, notice: Notice) -> None:
        """Raises Unreachable; final if the browser has ended its subscription."""
        import http_ece
        from cryptography.hazmat.primitives.asymmetric import ec

        where = json.loads(recipient.address)
        table = notice.facts[0]["table"] if len({fact["table"] for fact in notice.facts}) == 1 else ""
        told = {"title": "Shopfloor", "body": notice.text[:LONGEST_TEXT], "link": notice.link, "tag": table or "all"}
        body = http_ece.encrypt(
            json.dumps(told, ensure_ascii=False).encode(),
            private_key=ec.generate_private_key(ec.SECP256R1()),
            dh=_bytes(where["p256dh"]),
            auth_secret=_bytes(where["auth"]),
            version="aes128gcm",
        )
        parts = urlsplit(where["endpoint"])
        claims = {
            "aud": f"{parts.scheme}://{parts.netloc}",
            "sub": self._contact,
            "exp": int(time.time()) + VOUCHED,
        }
        headers = {
            **self._vapid.sign(claims),
            "Content-Type": "application/octet-stream",
            "Content-Encoding": "aes128gcm",
            "TTL": str(KEPT),
            "Urgency": "high",
            # What waits at the push service is replaced by what is newer.
            "Topic": f"t-{table or 'all'}",
        }
        guard.post(where["endpoint"], body, headers, self._allowed)
