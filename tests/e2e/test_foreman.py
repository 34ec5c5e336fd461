"""Advice and the look back in a real browser: by keyboard, with nothing for axe to find, in every size."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Opens
from tests.e2e.stage import Stage
from tests.e2e.test_accessible import findings, looks, over, too_wide

WAIT = 150_000
"""Milliseconds: a busy machine starts a process slowly."""


def test_advice_by_keyboard(opens: Opens, stage: Stage) -> None:
    staged = stage.game(lambda v: v.phase == "ADJUST_WORKERS" and v.current_player == 0 and v.job_row)
    number = stage.tables.table(staged.id).number
    page = opens(staged.path, staged.tokens[0], bypass_csp=True)
    advice = page.locator("#advice")
    expect(advice).to_be_empty()
    page.locator("#ask-foreman").focus()
    page.keyboard.press("Enter")
    expect(advice.locator("ol > li")).to_have_count(3, timeout=WAIT)
    expect(advice).to_have_attribute("role", "status")
    expect(advice.locator("li").first).to_contain_text("of the victory")
    expect(advice).to_be_in_viewport()
    assert stage.tables.table(staged.id).number == number, "it has played nothing"
    problems = [f"{look}: {text}" for look in looks(page) for text in (*findings(page), *too_wide(page))]
    assert not problems, "\n".join(problems)
    # The hand stays where it was and can be reached; what was said is put away by keyboard too.
    page.set_viewport_size({"width": 1440, "height": 900})
    advice.locator("[data-shut]").focus()
    page.keyboard.press("Enter")
    expect(advice).to_be_empty()
    expect(page.locator("#ask-foreman")).to_be_focused()
    page.locator("#dock .primary:visible").first.click()
    expect(advice).to_be_empty()


@pytest.mark.parametrize("game", ["zahltag", "worker_placement", "workshop_of_the_world", "temp_worker_assassins"])
def test_advice_opens_where_it_is_read_at_once(opens: Opens, stage: Stage, game: str) -> None:
    moment = stage.moment(game, lambda v, s: s in v.deciders and len(v.legal) > 3, lambda v, rng: rng.choice(v.legal))
    page = opens(moment.staged.path, moment.token)
    advice = page.locator("#advice")
    page.locator("#ask-foreman").click()
    expect(advice.locator("ol > li").first).to_be_visible(timeout=WAIT)
    # Beside what it is about: nothing is scrolled, and neither the board nor the question is covered.
    told = advice.bounding_box()
    assert told is not None
    assert told["y"] >= 0
    assert told["y"] + told["height"] <= 900
    assert page.evaluate("scrollY") == 0
    for other in (".board", "#dock", "#ask-foreman"):
        box = page.locator(other).first.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= told["x"] + 1, other
    page.set_viewport_size({"width": 360, "height": 740})
    page.locator("#advice [data-shut]").click()
    page.locator("#ask-foreman").click()
    expect(advice.locator("ol > li").first).to_be_in_viewport(timeout=WAIT)
    expect(advice.locator("[data-shut]")).to_be_in_viewport()


def test_a_game_is_looked_at_again_and_stepped_through(opens: Opens, stage: Stage) -> None:
    staged = over(stage)
    page = opens(f"{staged.path}/analysis", staged.tokens[0], bypass_csp=True)
    curve = page.locator("svg.curve[role=img]")
    curve.wait_for(timeout=WAIT)
    expect(page.locator("#moment")).to_be_visible()
    page.get_by_role("link", name="On", exact=True).click()
    expect(page.locator(".stepper span")).to_contain_text("After decision 1 of")
    then = page.frame_locator("iframe.frozen-page")
    expect(then.locator("#live")).to_be_visible()
    problems = [f"{look}: {text}" for look in looks(page) for text in (*findings(page), *too_wide(page))]
    assert not problems, "\n".join(problems)
    page.set_viewport_size({"width": 360, "height": 740})
    table = page.get_by_role("table", name="Luck and skill")
    assert table.get_by_role("columnheader").count() == 6
    for cell in table.get_by_role("row").nth(1).get_by_role("cell").all():
        box = cell.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
