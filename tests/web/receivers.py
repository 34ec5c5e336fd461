"""What stands at the other end of a notice: a mail server, a server that takes requests, a push service."""

from __future__ import annotations

import base64
import json
import os
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import http_ece
from aiosmtpd.controller import Controller
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


class Mailboxes:
    """All mails that a server has handed in. `refused`: the answer to whom nothing can be delivered."""

    def __init__(self) -> None:
        self.mails: list[tuple[list[str], EmailMessage]] = []
        self.refused: dict[str, str] = {}

    async def handle_RCPT(self, _server: Any, _session: Any, envelope: Any, address: str, _options: Any) -> str:  # noqa: N802
        if address in self.refused:
            return self.refused[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802
        mail = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(mail, EmailMessage)
        self.mails.append((list(envelope.rcpt_tos), mail))
        return "250 OK"

    def text(self, i: int = -1) -> str:
        return str(self.mails[i][1].get_content())

    def links(self, what: str, i: int = -1) -> list[str]:
        """The paths of the links of a kind in a mail."""
        return re.findall(rf"https?://[^/\s]+(/notices/\S+/{what})", self.text(i))


@contextmanager
def mail_server() -> Iterator[tuple[Mailboxes, int]]:
    """A mail server on this computer, and its port."""
    boxes = Mailboxes()
    controller = Controller(boxes, hostname="127.0.0.1", port=0)
    # With port 0 the library tries to reach itself at that number; a free one is told to it instead.
    from tests.web.servers import free_port

    controller.port = free_port()
    controller.start()
    try:
        yield boxes, controller.port
    finally:
        controller.stop()


@dataclass(frozen=True)
class Got:
    path: str
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


class Receiver:
    """A web server that keeps what is posted to it, and answers as it is told to."""

    def __init__(self) -> None:
        self.got: list[Got] = []
        self.status = 204
        self.more: dict[str, str] = {}
        self.hold = threading.Event()
        self.hold.set()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                headers = {name.lower(): value for name, value in self.headers.items()}
                receiver.got.append(Got(self.path, headers, body))
                receiver.hold.wait(30)
                self.send_response(receiver.status)
                for name, value in receiver.more.items():
                    self.send_header(name, value)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self.hold.set()
        self._server.shutdown()
        self._server.server_close()


@contextmanager
def receiver() -> Iterator[Receiver]:
    """A web server for as long as the block lasts."""
    found = Receiver()
    try:
        yield found
    finally:
        found.close()


def text_of(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def bytes_of(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class PushBrowser:
    """A browser that has subscribed at a push service: only it can read what is sent to it."""

    def __init__(self, endpoint: str) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._auth = os.urandom(16)
        point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.subscription = {"endpoint": endpoint, "p256dh": text_of(point), "auth": text_of(self._auth)}

    def read(self, body: bytes) -> Any:
        plain = http_ece.decrypt(body, private_key=self._key, auth_secret=self._auth, version="aes128gcm")
        return json.loads(plain)


def vouched(authorization: str, push_key: str) -> dict[str, Any]:
    """What a server says of itself to a push service, if its signature is that of the key (RFC 8292)."""
    found = re.fullmatch(r"vapid t=([^.]+)\.([^.]+)\.([^,]+),\s*k=(.+)", authorization)
    assert found is not None, authorization
    head, claims, signature, key = found.groups()
    assert key == push_key
    assert json.loads(bytes_of(head)) == {"typ": "JWT", "alg": "ES256"}
    raw = bytes_of(signature)
    encoded = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), bytes_of(key))
    public.verify(encoded, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    return dict(json.loads(bytes_of(claims)))
