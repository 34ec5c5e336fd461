"""HEAD is answered like GET, without the body: monitors and caches ask so."""

from __future__ import annotations

from typing import Any, cast

from litestar.types import ASGIApp, Message, Receive, Scope, Send


def head_as_get(app: ASGIApp) -> ASGIApp:
    """The application, with HEAD wherever there is GET."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope.get("method") != "HEAD":
            await app(scope, receive, send)
            return
        told = False

        async def no_body(message: Message) -> None:
            nonlocal told
            if message["type"] == "http.response.start":
                await send(message)
                told = True
                await send({"type": "http.response.body", "body": b"", "more_body": False})

        async def gone() -> Any:
            """Who asked hears nothing after the head: a stream need not go on."""
            return {"type": "http.disconnect"} if told else await receive()

        await app(cast("Scope", {**scope, "method": "GET"}), gone, no_body)

    return answer
