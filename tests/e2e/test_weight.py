"""What a page weighs on its first visit, compressed and without fonts."""

from __future__ import annotations

import gzip
import re

import httpx
import pytest

from tests.e2e.stage import Stage
from tests.web.servers import ServerProcess

PAGE = 100_000
SCRIPT_AND_STYLE = 60_000


@pytest.mark.parametrize("which", ["home", "set-up", "rules", "bidding", "game over"])
def test_first_page_is_light(which: str, server: ServerProcess, stage: Stage) -> None:
    path, cookies = {"home": "/", "set-up": "/games/zahltag", "rules": "/rules/zahltag"}.get(which, ""), {}
    if which == "bidding":
        staged = stage.game(lambda v: v.phase == "BIDDING" and v.turn > 15)
        path, cookies = staged.path, {"sf_player": staged.tokens[0]}
    elif which == "game over":
        staged = stage.game(lambda v: v.phase == "GAME_OVER")
        path, cookies = staged.path, {"sf_player": staged.tokens[0]}
    page = httpx.get(server.url + path, cookies=cookies).text
    assert "<main" in page
    files = re.findall(r'<(?:link|script)[^>]+(?:href|src)="(/static/build/[^"]+\.(?:css|js))"', page)
    assert {name.rsplit(".", 1)[1] for name in files} == {"js", "css"}
    extra = sum(compressed(httpx.get(server.url + name).content) for name in files)
    whole = compressed(page.encode()) + extra
    print(f"{which}: {whole:,} bytes, {extra:,} of them script and style")
    assert extra < SCRIPT_AND_STYLE
    assert whole < PAGE


def compressed(content: bytes) -> int:
    return len(gzip.compress(content, 6))
