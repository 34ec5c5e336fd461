"""Men at Work in a real browser: turns by mouse, by keys and by numbers, watched by others; every phase looked over.

Software draws the scene here, which takes seconds a picture: where the picture is not the point it is not drawn.
"""

from __future__ import annotations

import gzip
import secrets
import time
from collections.abc import Callable
from random import Random
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from shopfloor.engine.dice import FastDice
from shopfloor.engine.world import Batch
from shopfloor.games import REGISTRY
from shopfloor.games.men_at_work import actions as a
from shopfloor.games.men_at_work import chance
from shopfloor.games.men_at_work.rules import MenAtWork
from tests.e2e.conftest import Opens
from tests.e2e.stage import Moment, Stage, Staged, Wanted
from tests.e2e.test_accessible import findings, looks, too_wide
from tests.web.servers import ServerProcess

GAME = "men_at_work"
SCENE = 200_000
"""Bytes that the scene's script may have, compressed."""

if GAME not in REGISTRY.ids():
    pytest.skip("Men at Work is not on the shelf", allow_module_level=True)
pytest.importorskip("rapier3d")


def check(page: Page) -> dict[str, Any]:
    found: dict[str, Any] | None = page.evaluate("window.shopfloorSite ? window.shopfloorSite.check : null")
    return found or {}


def until(page: Page, wanted: Callable[[dict[str, Any]], object], what: str, seconds: float = 60) -> dict[str, Any]:
    """Wait until the scene is as wanted."""
    end = time.monotonic() + seconds
    while True:
        found = check(page)
        if found and wanted(found):
            return found
        assert time.monotonic() < end, f"{what}: {found}"
        page.wait_for_timeout(50)


def fits(view: Any) -> int | None:
    """A colour with which a girder across the two upper girders of the beginners' site is as the card asks."""
    free = [action - a.CHOOSE_GIRDER for action in view.legal if a.CHOOSE_GIRDER <= action < a.CHOOSE_GLOVE]
    if view.how in ("TOUCH_HIGHEST", "HIGHEST_GIRDER"):
        return next(iter(free), None)
    if view.how == "TWO_OTHER_COLOURS":
        return next((colour for colour in free if colour in (1, 2)), None)
    if view.how == "SAME_COLOUR":
        return next((colour for colour in free if colour in (0, 3)), None)
    return None


def begun(stage: Stage, **options: str) -> tuple[Staged, int]:
    """A table of two on the beginners' site, whose first card the girder in the middle will do for; and its colour."""
    for _ in range(60):
        staged = stage.lobby(2, 2, options, GAME, "Night Shift")
        stage.tables.start(staged.id, staged.tokens[0])
        stage.act(staged, 0, a.DESIGN)
        colour = fits(stage.view(staged, 0))
        if colour is not None:
            return staged, colour
    raise AssertionError("no card came that the girder in the middle would do for")


def choose(page: Page, colour: int) -> dict[str, Any]:
    """Take a colour with the mouse; the piece lies ready then."""
    page.locator(f"#dock button[name=action][value='{a.CHOOSE_GIRDER + colour}']").click()
    found = until(page, lambda c: c["open"] and c["grips"], "nothing can be taken")
    piece = found["grips"][0]
    end = time.monotonic() + 20
    while page.evaluate(f"window.shopfloorSite.check.body({piece})[1]") > -150:
        assert time.monotonic() < end, "the piece does not lie ready"
        page.wait_for_timeout(50)
    return found


def on_screen(page: Page, place: list[float]) -> tuple[float, float]:
    x, y = page.evaluate("place => window.shopfloorSite.check.at(...place)", place)
    return x, y


def carry(page: Page, goal: tuple[float, float]) -> None:
    """With the button pressed down, until the hand is over the goal: as a person does, by looking again and again."""
    x, y = on_screen(page, check(page)["hand"])
    for _ in range(14):
        hand = check(page)["hand"]
        if abs(hand[0] - goal[0]) < 1 and abs(hand[1] - goal[1]) < 1:
            return
        now, there = on_screen(page, hand), on_screen(page, [*goal, hand[2]])
        x, y = x + there[0] - now[0], y + there[1] - now[1]
        page.mouse.move(x, y, steps=4)
        page.wait_for_timeout(120)
    raise AssertionError(f"the mouse does not bring it over {goal}: {check(page)['hand']}")


@pytest.mark.slow
@pytest.mark.rule("MW-6.2", "MW-S.7", "MW-S.8")
def test_a_turn_by_mouse_from_card_to_verdict_and_others_watch_the_hand(opens: Opens, stage: Stage) -> None:
    staged, colour = begun(stage)
    page = opens(f"{staged.path}?draw=0", staged.tokens[0])
    other = opens(f"{staged.path}?draw=0", staged.tokens[1])
    piece = choose(page, colour)["grips"][0]
    until(other, lambda c: c["open"], "the watcher has no line to the site")
    assert check(other)["grips"] == []

    x, y = on_screen(page, page.evaluate(f"window.shopfloorSite.check.body({piece})"))
    page.mouse.move(x, y)
    page.mouse.down()
    until(page, lambda c: c["held"] == piece, "it is not in the hand")
    expect(page.locator("#let-go")).to_be_visible()
    page.mouse.move(x, y - 30, steps=3)
    carry(page, (0, 0))
    page.mouse.up()
    # The watcher sees the same piece in the same place, and no button for it.
    until(other, lambda c: c["state"]["held"] == piece, "the watcher sees no hand")
    end = time.monotonic() + 20
    while True:
        seen = other.evaluate(f"window.shopfloorSite.check.body({piece})")
        if all(abs(v - w) < 3 for v, w in zip(seen, check(page)["hand"], strict=True)):
            break
        assert time.monotonic() < end, f"the watcher sees it at {seen}"
        other.wait_for_timeout(100)
    expect(other.locator("#let-go")).to_be_hidden()

    gently = page.get_by_role("button", name="Lower gently").bounding_box()
    assert gently is not None
    page.mouse.move(gently["x"] + 30, gently["y"] + 10)
    page.mouse.down()
    until(page, lambda c: c["state"]["borne"], "it is not lowered on anything")
    page.mouse.up()
    page.locator("#let-go").click()
    until(page, lambda c: piece in (c["turn"] or {}).get("placed", []) and c["held"] is None, "it is not measured")
    expect(page.locator("#judge .unmet")).to_have_count(0)
    expect(page.locator("#judge .met")).not_to_have_count(0)
    page.get_by_role("button", name="Done").click()
    expect(other.locator(".story")).to_contain_text("has built it")
    expect(other.locator("#prompt")).not_to_have_class("prompt wait")

    # What the hand did can be seen again, by whoever looked on too.
    other.get_by_role("button", name="Show turns again").click()
    film = until(other, lambda c: c["film"], "the turn is not shown again")["film"]
    assert piece in film["pieces"]
    assert 1 < film["seconds"] < 300
    expect(other.get_by_label("Turn", exact=True)).to_contain_text("1: Ada")
    other.get_by_role("button", name="Back to the site").click()
    until(other, lambda c: c["film"] is None, "the film does not end")


@pytest.mark.slow
@pytest.mark.rule("MW-S.7")
def test_a_turn_without_any_pointer_tells_where_the_piece_is(opens: Opens, stage: Stage) -> None:
    staged, colour = begun(stage)
    page = opens(f"{staged.path}?draw=0", staged.tokens[0])
    keys = page.locator(f"#dock button[value='{a.CHOOSE_GIRDER + colour}']").get_attribute("data-key")
    page.keyboard.press(keys or "1")
    piece = until(page, lambda c: c["open"] and c["grips"], "nothing can be taken")["grips"][0]
    page.get_by_role("button", name="Move by 5 mm steps").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("t")
    until(page, lambda c: c["held"] == piece, "it is not in the hand")
    for _ in range(30):  # 5 mm each, from 150 mm in front of the middle
        page.keyboard.press("ArrowUp")
    until(page, lambda c: "0 right, 0 away" in c["said"], "it is not told where the piece is")
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("w")
    until(page, lambda c: "1 left, 0 away" in c["said"] and "mm free below" in c["said"], "fine steps are not told")
    page.keyboard.down("Space")
    until(page, lambda c: c["state"]["borne"], "it is not lowered on anything")
    page.keyboard.up("Space")
    assert "rests on" in check(page)["said"]
    page.keyboard.press("Enter")
    until(page, lambda c: piece in (c["turn"] or {}).get("placed", []) and c["held"] is None, "it is not measured")
    expect(page.locator("#judge .unmet")).to_have_count(0)
    page.keyboard.press("s")
    expect(page.locator(".story")).to_contain_text("You have built it")


@pytest.mark.slow
@pytest.mark.rule("MW-3.8")
def test_a_starting_site_of_ones_own(opens: Opens, stage: Stage) -> None:
    staged = stage.lobby(2, 2, {}, GAME, "Night Shift")
    stage.tables.start(staged.id, staged.tokens[0])
    page = opens(f"{staged.path}?draw=0", staged.tokens[0])
    until(page, lambda c: c["open"], "no line to the site")
    page.locator("#design-free").click()
    before = {row[0]: row[1:] for row in until(page, lambda c: c["draft"], "there is no draft")["draft"]}
    worker = next(piece for piece in before if 36 <= piece < 52)
    until(page, lambda c: c["grips"], "nothing can be moved")
    page.locator("canvas").focus()
    page.keyboard.press("p")
    page.keyboard.press("t")
    until(page, lambda c: c["held"] == worker, "the worker is not in the hand")
    for _ in range(4):
        page.keyboard.press("Control+ArrowRight")
    page.keyboard.press("Enter")
    after = {row[0]: row[1:] for row in until(page, lambda c: c["held"] is None, "it is not let go")["draft"]}
    moved = sum((v - w) ** 2 for v, w in zip(after[worker][:3], before[worker][:3], strict=True)) ** 0.5
    assert 3 < moved < 6, "four steps of a millimetre, and back down onto the girder"
    page.get_by_role("button", name="Build it like this").click()
    expect(page.locator(".story")).to_contain_text("You have designed the site", timeout=30_000)
    placed = {p.piece: p.position for p in stage.view(staged, None).site}
    assert placed[worker][0] / 1000 == pytest.approx(after[worker][0], abs=2)


@pytest.mark.slow
@pytest.mark.rule("MW-S.7")
def test_a_turn_by_numbers_without_webgl(opens: Opens, stage: Stage) -> None:
    staged, colour = begun(stage)
    page = opens("/", staged.tokens[0])
    page.add_init_script("HTMLCanvasElement.prototype.getContext = () => null")
    page.goto(staged.path)
    expect(page.locator("#no-site")).to_contain_text("WebGL")
    expect(page.locator("#paperview svg")).to_be_visible()
    page.locator(f"#dock button[name=action][value='{a.CHOOSE_GIRDER + colour}']").click()
    page.get_by_text("Place by numbers").click()
    page.get_by_label("To the right").fill("0")
    page.get_by_label("Away", exact=True).fill("0")
    page.get_by_role("button", name="Place it there").click()
    expect(page.locator(".pcs.placed")).to_have_count(1, timeout=60_000)
    expect(page.locator("#judge .unmet")).to_have_count(0)
    page.get_by_role("button", name="Done").click()
    expect(page.locator(".story")).to_contain_text("You have built it")


@pytest.mark.slow
def test_the_scene_is_loaded_here_alone_and_is_light(opens: Opens, stage: Stage, server: ServerProcess) -> None:
    loaded: list[str] = []

    def visit(path: str, token: str) -> list[str]:
        page = opens("/", token)
        page.on("request", lambda request: loaded.append(request.url))
        loaded.clear()
        page.goto(path)
        if "draw=0" in path:
            until(page, lambda c: True, "the scene is not there")
        page.wait_for_timeout(500)
        return [url for url in loaded if url.endswith(".js")]

    other = stage.game(None, players=2)
    elsewhere = set(visit(other.path, other.tokens[0])) | set(visit(f"/rules/{GAME}", other.tokens[0]))
    staged = stage.lobby(2, 2, {}, GAME)
    stage.tables.start(staged.id, staged.tokens[0])
    here = set(visit(f"{staged.path}?draw=0", staged.tokens[0])) - elsewhere
    sizes = {url.rsplit("/", 1)[1]: len(gzip.compress(httpx.get(url).content, 6)) for url in here}
    scene = {name: size for name, size in sizes.items() if name.startswith("site-")}
    assert len(scene) == 1
    print(sizes)
    assert sum(sizes.values()) < SCENE
    assert not any("/site-" in url for url in elsewhere)


@pytest.mark.slow
def test_the_scene_is_drawn(opens: Opens, stage: Stage) -> None:
    """Not one flat colour: the site's pieces are on the canvas, by day and by night."""
    staged, _ = begun(stage)
    for scheme in ("light", "dark"):
        page = opens(
            f"{staged.path}?q=low", staged.tokens[1], viewport={"width": 900, "height": 700}, color_scheme=scheme
        )
        end = time.monotonic() + 90
        while not page.evaluate("window.shopfloorSite && window.shopfloorSite.drawn > 1"):
            assert time.monotonic() < end, "nothing is drawn"
            page.wait_for_timeout(300)
        inks = page.evaluate(
            """() => { const s = window.shopfloorSite.stage; s.draw(null);
            const gl = s.renderer.getContext(), [w, h] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
            const p = new Uint8Array(w * h * 4); gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, p);
            const found = new Set(); for (let i = 0; i < p.length; i += 4 * 37)
              found.add((p[i] >> 5) * 64 + (p[i + 1] >> 5) * 8 + (p[i + 2] >> 5)); return found.size; }"""
        )
        assert inks > 20


# -- every phase ------------------------------------------------------------------------------------------------------


def by_chance(stage: Stage, wanted: Wanted, **options: str) -> Moment:
    """Play tables of three by chance until somebody's view is as wanted."""
    rng = Random(7)
    for _ in range(12):
        staged = stage.lobby(3, 3, options, GAME, "Night Shift")
        stage.tables.start(staged.id, staged.tokens[0])
        while True:
            table = stage.tables.table(staged.id)
            deciders = table.deciders()
            found = next((seat for seat in deciders or range(3) if wanted(table.view(seat), seat)), None)
            if found is not None:
                return Moment(staged, found)
            if not deciders:
                break
            decide(stage, staged, deciders[0], rng)
    raise AssertionError("it never came to the wanted moment")


def decide(stage: Stage, staged: Staged, seat: int, rng: Random) -> None:
    """Something legal; what hands do is done by the dice."""
    table = stage.tables.table(staged.id)
    view: Any = table.view(seat)
    legal = [action for action in view.legal if action not in (a.GIVE_UP, a.DESIGN_FREE)] or list(view.legal)
    action = a.FINISH if a.FINISH in legal and not any(f for f in view.possible if not f.met) else rng.choice(legal)
    if not a.GRIP <= action < a.RELEASE:
        stage.act(staged, seat, action)
        return
    state = table.bot_seat(seat, FastDice(rng.randrange(1000))).imagine(FastDice(rng.randrange(1000)))
    assert isinstance(state, MenAtWork)
    state.play(seat, action)
    batch = Batch(((action, None), (a.RELEASE, chance.release(state).encode())))
    stage.tables.carry_out(staged.id, seat, batch, table.decision_number(seat), secrets.token_hex(8))


PHASES: dict[str, tuple[Wanted, dict[str, str]]] = {
    "lay out": (lambda v, s: v.phase == "SITE_DESIGN" and s in v.deciders, {}),
    "crane": (lambda v, s: v.phase == "CRANE_STANDING" and s in v.deciders, {"crane": "on", "skyscraper": "on"}),
    "card": (lambda v, s: v.phase == "CHOOSE" and s in v.deciders and v.seats[s].card_count > 0, {"foreman": "on"}),
    "card, watched": (lambda v, s: v.phase == "CHOOSE" and s not in v.deciders, {}),
    "build": (lambda v, s: v.phase == "BUILD" and s in v.deciders and len(v.steps) > 1, {}),
    "clean up": (lambda v, s: v.phase == "CLEANUP" and s in v.deciders and len(v.retrieve) > 0, {}),
    "over": (lambda v, s: v.phase == "GAME_OVER", {"attempt_limit": "3"}),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PHASES)
def test_nothing_to_find_and_nothing_wider_than_the_screen(name: str, opens: Opens, stage: Stage) -> None:
    wanted, options = PHASES[name]
    # Whoever looks on is looked for among all seats.
    moment = by_chance(stage, wanted, **options) if "watched" not in name else None
    if moment is None:
        staged, _ = begun(stage)
        moment = Moment(staged, 1)
    page = opens(f"{moment.staged.path}?draw=0", moment.token, bypass_csp=True)
    until(page, lambda c: True, "the scene is not there")
    problems = [f"{look}: {text}" for look in looks(page) for text in (*findings(page), *too_wide(page))]
    assert not problems, "\n".join(problems)


@pytest.mark.slow
@pytest.mark.parametrize("path", [f"/rules/{GAME}", f"/games/{GAME}"])
def test_rules_and_set_up_are_looked_over_too(path: str, opens: Opens) -> None:
    page = opens(path, None, bypass_csp=True)
    problems = [f"{look}: {text}" for look in looks(page) for text in (*findings(page), *too_wide(page))]
    assert not problems, "\n".join(problems)
