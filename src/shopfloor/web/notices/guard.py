"""Requests to addresses that people give. They reach the open internet, and nothing of the server's own network.

The name is resolved once; every address it stands for has to be a public one, and the connection goes to the one that
was looked at. Redirects are not followed, answers are not read beyond their head, and all of it ends in time.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Address = ipaddress.IPv4Address | ipaddress.IPv6Address

LONGEST_URL: Final = 1000
STEP_SECONDS: Final = 5.0
ALL_SECONDS: Final = 15.0
PORTS: Final = {"http": 80, "https": 443}
# Below this, only the web's own ports: mail servers and the like do not expect a stranger who speaks HTTP.
FIRST_FREE_PORT: Final = 1024
# Ways to write an IPv4 address inside an IPv6 one, by which a gateway would reach it.
NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")


class Unfit(Exception):
    """An address to which nothing is sent; `sentence` says why and what would be right."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class Unreachable(Exception):
    """It could not be sent. code: short, without anything of the address. final: it never will be."""

    def __init__(self, code: str, final: bool = False) -> None:
        super().__init__(code)
        self.code = code
        self.final = final


def parsed(url: str, schemes: Sequence[str] = ("https", "http")) -> SplitResult:
    """The parts of a URL that may be sent to, as far as the text tells. Raises Unfit."""
    if len(url) > LONGEST_URL:
        raise Unfit(f"The address is too long; at most {LONGEST_URL} characters.")
    if not url.isascii() or any(c <= " " or c == "\x7f" for c in url):
        raise Unfit("The address holds spaces or letters that an address cannot hold; copy it as it is shown there.")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise Unfit("This is not an address such as https://ntfy.sh/your-topic.") from None
    if parts.scheme not in schemes or not parts.hostname:
        raise Unfit(f"An address begins with {' or '.join(f'{s}://' for s in schemes)} and names a server.")
    if parts.username is not None or parts.password is not None:
        raise Unfit("An address must not hold a name and a password before its server; use a token in its path.")
    if parts.fragment:
        raise Unfit("Leave out what follows the # in the address.")
    if port is not None and port not in PORTS.values() and port < FIRST_FREE_PORT:
        raise Unfit(f"Port {port} is not one of the web: 80, 443, or {FIRST_FREE_PORT} and more.")
    return parts


def public(address: Address) -> bool:
    """Is it an address of the open internet?"""
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if address.teredo is not None:
            return False
        if address in NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return public(inner)
        if address.is_site_local:
            return False
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


def check(url: str, allowed: Sequence[Network] = ()) -> None:
    """Look at an address when somebody gives it, without asking anybody for it. Raises Unfit."""
    host = parsed(url).hostname or ""
    if host == "localhost" or host.endswith((".localhost", ".local", ".internal")):
        found: Address | None = ipaddress.IPv4Address("127.0.0.1")
    else:
        try:
            found = ipaddress.ip_address(host)
        except ValueError:
            found = None
    if found is not None and not _permitted(found, allowed):
        raise Unfit("This address is inside a private network; notices go to public addresses only.")


def networks(text: str) -> tuple[Network, ...]:
    """Networks from their names, separated by commas. Raises ValueError."""
    return tuple(ipaddress.ip_network(part.strip()) for part in text.split(",") if part.strip())


def post(
    url: str,
    body: bytes,
    headers: Mapping[str, str],
    allowed: Sequence[Network] = (),
    step: float = STEP_SECONDS,
    longest: float = ALL_SECONDS,
) -> int:
    """Send a request; the status of the answer, which is 2xx. allowed: networks that may be reached though private.

    step: seconds for each step; longest: for all of it. Raises Unreachable, also for any other status.
    """
    try:
        parts = parsed(url)
    except Unfit:
        raise Unreachable("bad_address", final=True) from None
    host = parts.hostname or ""
    port = parts.port or PORTS[parts.scheme]
    address = _resolved(host, port, allowed)
    connection: http.client.HTTPConnection
    if parts.scheme == "https":
        connection = _Tls(host, port, address, step)
    else:
        connection = _Plain(host, port, address, step)
    # Each step has its limit; one that trickles has this one, too.
    guard = threading.Timer(longest, lambda: _cut(connection))
    guard.daemon = True
    guard.start()
    try:
        target = parts.path or "/"
        if parts.query:
            target += f"?{parts.query}"
        connection.request("POST", target, body, {**headers, "User-Agent": "Shopfloor", "Connection": "close"})
        status = connection.getresponse().status
    except ssl.SSLCertVerificationError:
        raise Unreachable("bad_certificate") from None
    except ssl.SSLError:
        raise Unreachable("no_tls") from None
    except TimeoutError:
        raise Unreachable("too_slow") from None
    except (OSError, http.client.HTTPException, ValueError):
        raise Unreachable("no_connection") from None
    finally:
        guard.cancel()
        connection.close()
    if 200 <= status < 300:
        return status
    if 300 <= status < 400:
        raise Unreachable("redirect", final=True)
    raise Unreachable(f"status_{status}", final=status in (404, 410))


def _resolved(host: str, port: int, allowed: Sequence[Network]) -> tuple[int, tuple[Any, ...]]:
    """The family and socket address that a name stands for. Raises Unreachable, too if one of them is private."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    except (OSError, UnicodeError):
        raise Unreachable("no_such_server") from None
    for _, _, _, _, where in found:
        try:
            address = ipaddress.ip_address(str(where[0]).partition("%")[0])
        except ValueError:
            raise Unreachable("no_such_server") from None
        if not _permitted(address, allowed):
            raise Unreachable("private_address", final=True)
    if not found:
        raise Unreachable("no_such_server")
    family, _, _, _, where = found[0]
    return family, where


def _permitted(address: Address, allowed: Sequence[Network]) -> bool:
    return public(address) or any(address in network for network in allowed)


def _connected(address: tuple[int, tuple[Any, ...]], timeout: float) -> socket.socket:
    family, where = address
    opened = socket.socket(family, socket.SOCK_STREAM)
    try:
        opened.settimeout(timeout)
        opened.connect(where)
    except BaseException:
        opened.close()
        raise
    return opened


def _cut(connection: http.client.HTTPConnection) -> None:
    with suppress(OSError, AttributeError):
        connection.sock.shutdown(socket.SHUT_RDWR)


class _Plain(http.client.HTTPConnection):
    """A connection to the address that was looked at, whatever its name stands for by now."""

    def __init__(self, host: str, port: int, address: tuple[int, tuple[Any, ...]], timeout: float) -> None:
        super().__init__(host, port, timeout=timeout)
        self._address = address
        self._seconds = timeout

    def connect(self) -> None:
        self.sock = _connected(self._address, self._seconds)


class _Tls(http.client.HTTPSConnection):
    """The same with TLS; the certificate has to be the name's."""

    def __init__(self, host: str, port: int, address: tuple[int, tuple[Any, ...]], timeout: float) -> None:
        self._tls = ssl.create_default_context()
        super().__init__(host, port, timeout=timeout, context=self._tls)
        self._address = address
        self._seconds = timeout

    def connect(self) -> None:
        opened = _connected(self._address, self._seconds)
        try:
            self.sock = self._tls.wrap_socket(opened, server_hostname=self.host)
        except BaseException:
            opened.close()
            raise
