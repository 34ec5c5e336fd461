"""Men at Work by fingers and by gamepad; what is taken away is seen to go; the ghost of where a piece would rest.

The scene is not drawn here, and nothing is timed: every wait is for something to be so.
"""

from __future__ import annotations

import math
import time
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, expect

from shopfloor.games import REGISTRY
from tests.e2e.conftest import Opens
from tests.e2e.stage import Stage

if "men_at_work" not in REGISTRY.ids():
    pytest.skip("Men at Work is not on the shelf", allow_module_level=True)
pytest.importorskip("rapier3d")

from tests.e2e.test_accessible import AXE, findings
from tests.e2e.test_men_at_work import begun, check, choose, on_screen, until

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 1}
SMALL = """() => [...document.querySelectorAll(".board button, .dock button, .dock summary, .dock input, .dock select")]
    .filter(e => e.checkVisibility({visibilityProperty: true}) && !e.closest("[hidden]") && e.type !== "hidden")
    .map(e => [e.textContent.trim() || e.title, e.getBoundingClientRect()])
    .filter(([, r]) => r.width && (r.width < 44 || r.height < 44))
    .map(([name, r]) => `${name}: ${r.width} x ${r.height}`)"""
"""What is too small for a finger."""

pytestmark = [pytest.mark.slow, pytest.mark.rule("MW-S.7")]


class Fingers:
    """Fingers on a screen, as the browser hears them from the glass."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._cdp: CDPSession = page.context.new_cdp_session(page)

    def _tell(self, kind: str, *points: tuple[float, float]) -> None:
        fingers = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]
        self._cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})

    def draw(self, *paths: tuple[tuple[float, float], tuple[float, float]], steps: int = 10) -> None:
        """One finger after the other comes down, all of them go from where to where, and all are lifted."""
        for down in range(1, len(paths) + 1):
            self._tell("touchStart", *(start for start, _ in paths[:down]))
        for k in range(1, steps + 1):
            self._tell(
                "touchMove",
                *(
                    ((1 - k / steps) * a + k / steps * c, (1 - k / steps) * b + k / steps * d)
                    for (a, b), (c, d) in paths
                ),
            )
            self._page.wait_for_timeout(20)
        self._tell("touchEnd")

    def press(self, at: tuple[float, float]) -> None:
        self._tell("touchStart", at)

    def lift(self) -> None:
        self._tell("touchEnd")


def turned(page: Page) -> float:
    """Degrees about the vertical of what is in the hand."""
    x, y, z, w = check(page)["turned"]
    return math.degrees(math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)))


def asked(page: Page) -> str:
    """What is said of where the piece is now, by key."""
    page.keyboard.press("w")
    page.wait_for_timeout(100)
    return str(check(page)["said"])


def steady(page: Page) -> dict[str, Any]:
    """Wait until the camera stands still."""
    end = time.monotonic() + 60
    before = check(page)
    while True:
        page.wait_for_timeout(150)
        now = check(page)
        if math.dist(now["eye"], before["eye"]) < 0.01:
            return now
        assert time.monotonic() < end, "the camera does not come to rest"
        before = now


def test_fingers_carry_and_turn_the_piece_and_without_one_the_camera(opens: Opens, stage: Stage) -> None:
    staged, colour = begun(stage)
    page = opens(f"{staged.path}?draw=0", staged.tokens[0], **PHONE)
    until(page, lambda c: c["open"], "no line to the site")
    assert page.evaluate(SMALL) == []
    piece = choose(page, colour)["grips"][0]
    assert page.evaluate(SMALL) == []
    fingers = Fingers(page)

    # Nothing in the hand: one finger goes around the site, two come nearer to it.
    x, y = 195.0, 330.0
    before = steady(page)["eye"]
    fingers.draw(((x, y + 60), (x + 80, y + 60)))
    around = steady(page)["eye"]
    assert math.dist(around, before) > 40
    fingers.draw(((x - 25, y), (x - 120, y)), ((x + 25, y), (x + 120, y)))
    near = steady(page)["eye"]
    assert math.hypot(*near) < 0.8 * math.hypot(*around)
    page.get_by_role("button", name="From the corner").tap()
    assert math.dist(steady(page)["eye"], near) > 40

    page.locator(f"#grip-{piece}").tap()
    until(page, lambda c: c["held"] == piece, "it is not in the hand")
    assert page.evaluate(SMALL) == []
    expect(page.locator(".say3")).to_contain_text("One finger carries it")
    eye = steady(page)["eye"]

    # One finger on the piece carries it, and leaves its height and the camera as they are.
    was = check(page)["hand"]
    at = on_screen(page, was)
    fingers.draw((at, (at[0] + 40, at[1] - 60)))
    now = until(page, lambda c: math.dist(c["hand"][:2], was[:2]) > 25, "one finger does not carry it")
    assert now["hand"][2] == pytest.approx(was[2], abs=0.01)
    # Two fingers: their twist turns it, both upwards raise it.
    angle = turned(page)
    at = on_screen(page, now["hand"])
    fingers.draw((at, at), ((at[0] + 70, at[1]), (at[0] + 20, at[1] - 65)), steps=16)
    after = until(page, lambda c: abs(turned(page) - angle) > 20, "two fingers do not turn it")
    was = after["hand"]
    at = on_screen(page, was)
    fingers.draw((at, (at[0], at[1] - 50)), ((at[0] + 70, at[1]), (at[0] + 70, at[1] - 50)))
    raised = until(page, lambda c: c["hand"][2] > was[2] + 10, "two fingers do not raise it")
    assert math.dist(raised["hand"][:2], was[:2]) < 8
    # Beside the piece a finger still moves the camera.
    assert math.dist(steady(page)["eye"], eye) < 0.01
    held = check(page)["hand"]
    fingers.draw(((20, 250), (90, 250)))
    assert math.dist(steady(page)["eye"], eye) > 20
    assert check(page)["hand"] == held

    gently = page.get_by_role("button", name="Lower gently").bounding_box()
    assert gently is not None
    fingers.press((gently["x"] + gently["width"] / 2, gently["y"] + gently["height"] / 2))
    until(page, lambda c: c["state"]["borne"], "it is not lowered on anything")
    fingers.lift()
    page.locator("#let-go").tap()
    until(page, lambda c: c["held"] is None and c["state"]["held"] is None, "it is not let go")


PAD = """() => {
  window.pad = null;
  navigator.getGamepads = () => [null, window.pad];
  const button = on => ({pressed: on, touched: on, value: on ? 1 : 0});
  window.plug = id => {
    const buttons = Array.from({length: 17}, () => button(false));
    window.pad = {id, index: 1, connected: true, mapping: "standard", axes: [0, 0, 0, 0], buttons};
  };
  window.hold = (i, on) => { window.pad.buttons[i] = button(on); };
  window.carry = async (x, y) => {
    for (;;) {
      const site = window.shopfloorSite, {hand, eye} = site.check, aim = site.stage.orbit.target;
      const [dx, dy] = [x - hand[0], y - hand[1]], left = Math.hypot(dx, dy);
      window.pad.axes = [0, 0, 0, 0];
      if (left < 1.5) return;
      const [ex, ey] = [aim.x - eye[0], aim.y - eye[1]], e = Math.hypot(ex, ey) * left;
      const [right, far] = [(dx * ey - dy * ex) / e, (dx * ex + dy * ey) / e];
      const speed = Math.min(1, left / 40);
      const push = part => Math.sign(part) * (0.12 + 0.88 * Math.sqrt(speed * Math.abs(part)));
      window.pad.axes = [push(right), -push(far), 0, 0];
      await new Promise(requestAnimationFrame);
    }
  };
}"""
"""A gamepad of cardboard: what the browser would say of one, with somebody's thumbs."""


def test_a_turn_by_gamepad_and_the_page_says_what_does_what(opens: Opens, stage: Stage) -> None:
    staged, colour = begun(stage)
    page = opens("/", staged.tokens[0], bypass_csp=True)
    page.add_init_script(f"({PAD})()")
    page.goto(f"{staged.path}?draw=0")
    piece = choose(page, colour)["grips"][0]
    hints = page.locator(".hint3")
    expect(hints).to_be_hidden()
    page.evaluate("plug('Wireless Controller (STANDARD GAMEPAD Vendor: 054c Product: 09cc)')")
    expect(hints).to_contain_text("Crosstake the piece")
    page.evaluate("plug('Xbox Wireless Controller (STANDARD GAMEPAD Vendor: 045e Product: 02fd)')")
    expect(hints).to_contain_text("Atake the piece")
    expect(hints).to_contain_text("Right sticklook around")
    page.evaluate("hold(0, true)")
    until(page, lambda c: c["held"] == piece, "A does not take it")
    page.evaluate("hold(0, false)")
    for control, deed in (("Left stick", "carry"), ("Triggers", "lower, raise"), ("A", "let go"), ("Y", "tip over")):
        expect(hints.locator("div", has=page.locator("dt", has_text=control)).filter(has_text=deed)).to_be_visible()

    page.add_script_tag(path=str(AXE))
    assert findings(page) == [], "with a piece in the hand"

    eye = steady(page)["eye"]
    page.evaluate("pad.axes = [0, 0, 0.9, 0]")
    until(page, lambda c: math.dist(c["eye"], eye) > 30, "the right stick does not look around")
    page.evaluate("pad.axes = [0, 0, 0, 0]")
    high = check(page)["hand"][2]
    page.evaluate("hold(7, true)")
    until(page, lambda c: c["hand"][2] > high + 10, "the right trigger does not raise it")
    page.evaluate("hold(7, false)")
    angle = turned(page)
    page.evaluate("hold(4, true)")
    until(page, lambda c: turned(page) > angle + 10, "the left shoulder does not turn it")
    page.evaluate("hold(4, false), hold(5, true)")
    until(page, lambda c: turned(page) < angle + 3, "the right shoulder does not turn it back")
    page.evaluate("hold(5, false)")
    # As if it had been taken up from where it leant: it is put straight before it is tipped over.
    page.evaluate("shopfloorSite.hand.q.set(0.05, 0, 0, 0.99875), shopfloorSite.hand.send()")
    expect(page.locator(".pad3 .tip")).to_have_text("Straighten")
    page.evaluate("hold(3, true)")
    until(page, lambda c: abs(c["turned"][0]) < 1e-6, "Y does not put it straight")
    page.evaluate("hold(3, false)")
    expect(page.locator(".pad3 .tip")).to_have_text("Tip over")
    page.evaluate("carry(0, 0)")
    x, y, _ = check(page)["hand"]
    page.evaluate("hold(15, true)")
    until(page, lambda c: 0.9 < math.dist(c["hand"][:2], (x, y)) < 1.1, "the cross pad is no step of a millimetre")
    page.evaluate("hold(15, false)")

    page.evaluate("hold(2, true)")
    until(page, lambda c: c["state"]["borne"], "X does not lower it")
    page.evaluate("hold(2, false)")
    page.evaluate("hold(0, true)")
    until(page, lambda c: piece in (c["turn"] or {}).get("placed", []) and c["held"] is None, "A does not let go")
    page.evaluate("hold(0, false)")
    page.evaluate("pad = null")
    expect(hints).to_be_hidden()


def test_what_is_cleaned_up_is_seen_to_go(opens: Opens, stage: Stage) -> None:
    staged, colour = begun(stage)
    page = opens(f"{staged.path}?draw=0", staged.tokens[0])
    other = opens(f"{staged.path}?draw=0", staged.tokens[1], reduced_motion="no-preference")
    piece = choose(page, colour)["grips"][0]
    page.keyboard.press("t")
    until(page, lambda c: c["held"] == piece, "it is not in the hand")
    page.keyboard.press("Enter")  # in front of the site, high above the table
    taken = other.locator(f"#way-{piece}-1")
    taken.wait_for(timeout=60_000)
    until(other, lambda c: c["state"]["held"] is None and not c["gliding"], "it does not come to rest")
    until(other, lambda c: piece in c["lit"], "what lies there is not lit")
    start = other.evaluate(f"shopfloorSite.check.body({piece})")
    other.evaluate(
        f"""() => {{ window.way = []; const look = () => {{ window.way.push(window.shopfloorSite.check.body({piece}));
        requestAnimationFrame(look); }}; look(); }}"""
    )
    taken.click()
    expect(other.locator(f"#way-{piece}-1")).to_have_count(0)
    until(other, lambda c: not c["gliding"] and other.evaluate(f"way.at(-1)[1] > {start[1] + 100}"), "it does not go")
    way: list[list[float]] = other.evaluate("way")
    between = [p for p in way if start[1] + 20 < p[1] < way[-1][1] - 20]
    assert between, "it is there at once"
    assert max(p[2] for p in between) > start[2] + 20, "it goes through what stands"
    # Where nothing may move it lies there at once, and is marked.
    found = until(page, lambda c: piece in c["moved"], "it is not marked")
    assert found["gliding"] == []
    assert page.evaluate(f"shopfloorSite.check.body({piece})") == pytest.approx(way[-1], abs=0.01)


@pytest.mark.rule("MW-A.69")
@pytest.mark.parametrize("option", ["on", "off"])
def test_the_ghost_of_where_it_would_rest_is_there_at_tables_that_want_it(
    option: str, opens: Opens, stage: Stage
) -> None:
    staged, colour = begun(stage, rest_preview=option)
    page = opens(f"{staged.path}?draw=0", staged.tokens[0])
    piece = choose(page, colour)["grips"][0]
    page.evaluate(
        """() => { window.asked = 0; const send = WebSocket.prototype.send;
        WebSocket.prototype.send = function (what) {
          if (typeof what === "string" && what.includes("preview")) window.asked++;
          send.call(this, what); }; }"""
    )
    page.keyboard.press("t")
    until(page, lambda c: c["held"] == piece, "it is not in the hand")
    if option == "on":
        shadow = until(page, lambda c: c["shadow"], "there is no ghost")["shadow"]
        assert shadow["pose"]["p"][2] < check(page)["hand"][2] - 100
        until(page, lambda c: "Let go here, it would stay." in asked(page), "the ghost is not told")
        page.keyboard.press("Escape")
        until(page, lambda c: c["held"] is None and c["shadow"] is None, "the ghost stays without a piece")
    else:
        until(page, lambda c: "mm free below" in asked(page), "it is not told where the piece is")
        page.keyboard.press("Escape")
        until(page, lambda c: c["held"] is None, "it is not put back")
        assert page.evaluate("asked") == 0
