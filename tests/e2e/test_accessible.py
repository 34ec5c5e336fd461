"""Every page and every phase of a table: nothing for axe to find, nothing wider than the screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Page

from tests.e2e.conftest import Opens
from tests.e2e.stage import Stage, Staged

AXE = Path(__file__).parents[2] / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
LOOKS: list[tuple[int, int, Literal["light", "dark"]]] = [
    (1440, 900, "light"),
    (1440, 900, "dark"),
    (360, 740, "light"),
    (360, 740, "dark"),
]

Where = Callable[[Stage], tuple[str, str | None]]


def at(seat: int | None, **game: Any) -> Where:
    def stand(stage: Stage) -> tuple[str, str | None]:
        staged = stage.game(**game)
        return staged.path, None if seat is None else staged.tokens[seat]

    return stand


def free_lobby(seat: int | None) -> Where:
    def stand(stage: Stage) -> tuple[str, str | None]:
        staged = stage.lobby(4, 2)
        stage.tables.add_bot(staged.id, staged.tokens[0], "greedy", 2)
        return staged.path, None if seat is None else staged.tokens[seat]

    return stand


def left(stage: Stage) -> tuple[str, str | None]:
    staged = stage.game(lambda v: v.phase == "ADJUST_WORKERS" and v.current_player == 1)
    stage.tables.leave(staged.id, staged.tokens[2])
    return staged.path, staged.tokens[2]


def undone(stage: Stage) -> tuple[str, str | None]:
    staged = stage.game(lambda v: v.phase == "BIDDING" and v.deciders == (0, 1))
    stage.act(staged, 1, 21)
    number = stage.tables.table(staged.id).undo_number(1)
    assert number is not None
    stage.tables.undo(staged.id, staged.tokens[1], number, "undo")
    return staged.path, staged.tokens[1]


def verified(stage: Stage) -> tuple[str, str | None]:
    return over(stage).path + "/verify", None


def over(stage: Stage) -> Staged:
    return stage.game(lambda v: v.phase == "GAME_OVER")


def someone_out(v: Any) -> bool:
    return v.phase != "GAME_OVER" and not all(s.active for s in v.seats)


PAGES: dict[str, Where] = {
    "home": lambda stage: ("/", stage.game().tokens[0]),
    "set-up": lambda stage: ("/games/zahltag", None),
    "rules": lambda stage: ("/rules/zahltag", None),
    "nothing here": lambda stage: ("/t/nothinghere", None),
    "check before the end": lambda stage: (stage.game().path + "/verify", None),
    "check": verified,
    "lobby": free_lobby(0),
    "lobby of a guest": free_lobby(None),
    "crew before the first turn": at(0, until=None),
    "crew before the first turn, waiting": at(1, until=None),
    "hiring": at(0, until=lambda v: v.phase == "ADJUST_WORKERS" and v.current_player == 0 and v.job_row),
    "hiring, waiting": at(1, until=lambda v: v.phase == "ADJUST_WORKERS" and v.current_player == 0),
    "after a payday": at(
        1, until=lambda v: v.phase == "ADJUST_WORKERS" and v.paydays_executed and not v.job_row, players=3
    ),
    "too many": at(
        0, until=lambda v: v.phase == "EXCESS" and v.deciders == (0,), clumsy=0, options={"card_cap": "penalty"}
    ),
    "bidding": at(0, until=lambda v: v.phase == "BIDDING" and v.deciders == (0,) and v.turn > 4),
    "bidding, sealed": at(3, until=lambda v: v.phase == "BIDDING" and v.deciders == (0, 1)),
    "bidding, watched": at(None, until=lambda v: v.phase == "BIDDING" and len(v.deciders) == 2),
    "taken back": undone,
    "two firms": at(0, until=lambda v: v.phase == "BIDDING" and v.turn > 9, players=2),
    "somebody is out": at(0, until=someone_out, clumsy=1),
    "away": left,
    "game over": lambda stage: ((staged := over(stage)).path, staged.tokens[0]),
    "game over, watched": lambda stage: (over(stage).path, None),
}


def findings(page: Page) -> list[str]:
    """What axe finds, each with where."""
    # All that is in order told with its place takes most of the time.
    look = "rules => axe.run(document, {runOnly: rules, resultTypes: ['violations']}).then(found => found.violations)"
    found = page.evaluate(look, RULES)
    return [
        f"{v['id']}: {v['help']}: " + " | ".join(" ".join(map(str, node["target"])) for node in v["nodes"][:6])
        for v in found
    ]


def looks(page: Page) -> Iterator[str]:
    """The page in every size, by day and by night."""
    page.evaluate("document.fonts.ready")
    page.add_script_tag(path=str(AXE))
    for width, height, scheme in LOOKS:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        # What is measured must be laid out anew first.
        page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        yield f"{width} {scheme}"


def too_wide(page: Page) -> list[str]:
    wider = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return [f"{wider} px wider than the screen"] if wider > 0 else []


def too_high(page: Page) -> list[str]:
    higher = page.evaluate("document.documentElement.scrollHeight - innerHeight")
    return [f"{higher} px higher than the screen"] if higher > 0 else []


@pytest.mark.parametrize("name", PAGES)
def test_nothing_to_find_and_nothing_wider_than_the_screen(name: str, opens: Opens, stage: Stage) -> None:
    path, token = PAGES[name](stage)
    page = opens(path, token, bypass_csp=True)
    problems = [f"{look}: {text}" for look in looks(page) for text in (*findings(page), *too_wide(page))]
    assert not problems, "\n".join(problems)


def test_open_menus_and_tips_too(opens: Opens, stage: Stage) -> None:
    path, token = PAGES["bidding"](stage)
    page = opens(path, token, bypass_csp=True)
    problems: list[str] = []
    for look in looks(page):
        for details in page.locator("details:visible").all():
            details.evaluate("element => element.open = true")
            problems += [f"{look}: {text}" for text in (*findings(page), *too_wide(page))]
            details.evaluate("element => element.open = false")
    assert not problems, "\n".join(problems)
