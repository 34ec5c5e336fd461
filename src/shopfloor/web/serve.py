"""Runs the server in this process until it is told to stop."""

from __future__ import annotations

import json
import logging
import socket
import sys
import threading
import time
import urllib.error
import urllib.request
import webbrowser
from typing import Final

import structlog
import uvicorn
from litestar import Litestar

from shopfloor.tables.errors import StorageError
from shopfloor.web.app import create_app, open_tables
from shopfloor.web.garbage import Sweeper
from shopfloor.web.identity import instance
from shopfloor.web.settings import FIRST_PORT, Settings

PORTS_TRIED: Final = 20
# Longer than proxies and programs keep a connection for their next request (Caddy: 120 s, nginx: 60 s): a request that
# comes just when the server hangs up is lost, and a proxy must not send a move twice.
KEEP_ALIVE: Final = 150
ANY_ADDRESS: Final = ("", "0.0.0.0", "::")


class CannotServe(Exception):
    """The server cannot start; the message says why, and what would help."""


class Server(uvicorn.Server):
    """uvicorn, which ends the event streams when it shuts down instead of waiting for people to close their pages."""

    def __init__(self, config: uvicorn.Config, app: Litestar) -> None:
        super().__init__(config)
        self._app = app

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if "services" in self._app.state:
            self._app.state.services.news.close()
        await super().shutdown(sockets)


def run(settings: Settings, open_browser: bool = False) -> None:
    """Serve until interrupted. Opens a browser at the home page if asked to.

    If a server with the same data runs already, opens a browser there and returns. Raises CannotServe.
    """
    quiet_logs()
    try:
        running = "" if settings.shared else _running(settings)
        if running:
            print(f"Shopfloor is running already at {running}", flush=True)
            if open_browser:
                webbrowser.open(running)
            return
        tables = open_tables(settings)
    except OSError as error:
        raise CannotServe(f"Shopfloor cannot keep its data: {error}") from None
    except StorageError as error:
        raise CannotServe(str(error)) from None
    listener = _listen(settings)
    port = listener.getsockname()[1]
    app = create_app(settings, tables)
    url = settings.base_url or f"http://{_name(settings.host)}:{port}"
    config = uvicorn.Config(
        app,
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        # Frames of a site in motion are small and many: compressing them would cost more than it saves.
        ws_per_message_deflate=False,
        ws_max_size=64 * 1024,
        timeout_graceful_shutdown=5,
        timeout_keep_alive=KEEP_ALIVE,
    )
    server = Server(config, app)
    Sweeper(lambda: sum(tables.stored().values())).start()
    threading.Thread(target=_greet, args=(server, url, open_browser), daemon=True).start()
    try:
        server.run(sockets=[listener])
    except KeyboardInterrupt:  # it has shut down as it should, and says so once more
        pass
    finally:
        listener.close()
    if not server.started:
        raise CannotServe("Shopfloor could not start; the lines above say why.")


def _listen(settings: Settings) -> socket.socket:
    """A socket at the address that was asked for, or at the first free port of ours. Raises CannotServe."""
    if settings.port is not None:
        return _bound(settings.host, [settings.port])
    return _bound(settings.host, [*range(FIRST_PORT, FIRST_PORT + PORTS_TRIED), 0])


def _bound(host: str, ports: list[int]) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for port in ports:
        # The protocol is named because asyncio switches Nagle's algorithm off (40 ms a page) only where it is.
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        if sys.platform != "win32":  # there it would let two servers share a port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
            listener.listen(128)
        except OSError as error:
            listener.close()
            if isinstance(error, socket.gaierror):
                raise CannotServe(f"There is no address '{host}' on this computer.") from None
            if port == ports[-1]:
                why = error.strerror or str(error)
                raise CannotServe(
                    f"Port {port} at {host} cannot be used: {why}.\n"
                    "Another program may have it. Choose another with --port, or leave it out to get a free one."
                ) from None
            continue
        return listener
    raise CannotServe("no port was given")


def _name(host: str) -> str:
    """The address as people type it."""
    if host in ANY_ADDRESS:
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


def _running(settings: Settings) -> str:
    """Where a server with the same data answers already; empty if none does."""
    ports = [settings.port] if settings.port is not None else range(FIRST_PORT, FIRST_PORT + PORTS_TRIED)
    name = instance(settings)
    for port in ports:
        if port and _answers(_name(settings.host), port) == name:
            return f"http://{_name(settings.host)}:{port}"
    return ""


def _answers(host: str, port: int) -> str:
    """The name of the Shopfloor at a port; empty if there is none."""
    try:
        with socket.create_connection((host.strip("[]"), port), timeout=0.2):
            pass
        with urllib.request.urlopen(f"http://{host}:{port}/healthz", timeout=2) as answer:
            found = json.load(answer)
    except (OSError, ValueError, urllib.error.URLError):
        return ""
    return str(found.get("instance", "")) if isinstance(found, dict) else ""


def _greet(server: uvicorn.Server, url: str, open_browser: bool) -> None:
    """Say where the server is once it is there."""
    while not server.started:
        if server.should_exit:
            return
        time.sleep(0.02)
    print(f"Shopfloor is at {url}  (stop with Ctrl+C)", flush=True)
    if open_browser:
        webbrowser.open(url)


def quiet_logs() -> None:
    """Warnings and errors only, without local variables: those may hold tokens."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            structlog.processors.format_exc_info,
            structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
