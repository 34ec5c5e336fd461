"""People at the table: clicking, typing, without script, in two browsers, with undo and a rematch."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Opens
from tests.e2e.stage import Stage

BIDDING, HIRING = "BIDDING", "ADJUST_WORKERS"


def asks(page: Page, seconds: float = 30) -> str:
    """Wait until the page asks its viewer for something; the number that the decision is based on, or `over`."""
    waited = page.locator("#act input[name=based_on], .ph-game_over")
    waited.first.wait_for(state="attached", timeout=seconds * 1000)
    decision = page.locator("#act input[name=based_on]")
    return decision.input_value() if decision.count() else "over"


def answered(page: Page, based_on: str) -> None:
    """Wait until the decision that was based on this number is behind us."""
    page.locator(f"#act input[name=based_on][value='{based_on}']").wait_for(state="detached", timeout=30_000)


@pytest.mark.timeout(900)
def test_a_whole_game_clicked_against_computers(opens: Opens) -> None:
    page = opens("/")
    for game in ("Worker Placement", "Zahltag"):  # one box after the other is taken off the shelf
        page.get_by_label("The shelf").get_by_role("link", name=game).click()
        expect(page.locator("form.start:visible h2")).to_have_text(game)
    start = page.locator("form.start:visible")
    start.get_by_label("Your name").fill("Ada")
    start.get_by_label("Computers").check()
    page.get_by_role("button", name="Start Zahltag").click()
    page.wait_for_url("**/t/*")
    page.evaluate("window.same = true")
    moves = 0
    end = time.monotonic() + 840
    while (based_on := asks(page)) != "over":
        assert time.monotonic() < end, "the game does not come to its end"
        if page.locator(".board.ph-bidding").count():
            offers = page.locator(".offer label:not(:has(:disabled))")
            offers.nth(moves % offers.count()).click()
            page.locator("#seal-offer").click()
        elif moves % 3 == 1 and page.locator(".plate:visible").count():
            page.locator(".plate:visible").first.click()
        elif moves % 3 == 2 and page.locator(".pick").count():
            page.locator(".pick").last.click()
            page.get_by_role("button", name=re.compile("^Send .* back$")).click()
        else:
            page.locator(".go .btn.primary:visible").click()
        answered(page, based_on)
        moves += 1
    assert moves > 10
    expect(page.get_by_role("table")).to_contain_text("million")
    expect(page.locator(".ties")).to_contain_text(re.compile("before|equal"))
    assert page.evaluate("window.same"), "the page was loaded anew in between"

    page.get_by_role("link", name="Check the shuffle").click()
    expect(page.locator("#own-says")).to_have_text("It is the fingerprint that was shown.")
    expect(page.locator(".checks").first).to_contain_text("All decisions were allowed")
    page.get_by_role("link", name="Back to the table").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the record").first.click()
    assert '"shopfloor": 1' in download.value.path().read_text(encoding="utf-8")
    page.get_by_role("button", name="Play again").click()
    page.locator(".ph-adjust_start, .pegs").first.wait_for()


def test_two_people_see_each_other_at_once(opens: Opens, server: object) -> None:
    ada = opens("/games/zahltag")
    ada.get_by_label("Your name").fill("Ada")
    ada.get_by_role("radiogroup", name="Seats").get_by_text("2").click()
    ada.get_by_role("radiogroup", name="Seat 2").get_by_text("A friend").click()
    ada.get_by_role("radiogroup", name="Who starts").get_by_label("Seat 1", exact=True).check()
    ada.get_by_label(re.compile("^A name for it")).fill("Late Shift")
    ada.get_by_role("button", name="Open the table").click()
    link = ada.locator("#c-join").input_value()
    bela = opens(link)
    expect(bela.locator("h2").first).to_have_text("Late Shift")
    bela.get_by_label("Your name").fill("Bela")
    bela.get_by_role("button", name="Sit down here").click()
    expect(bela.locator("#peg-1")).to_contain_text("This is you")
    expect(ada.locator("#peg-1")).to_contain_text("Bela")
    ada.get_by_role("button", name="Start the game").click()
    expect(bela.locator(".board")).to_be_visible()
    expect(bela.locator("#prompt")).to_contain_text("Ada")

    ada.locator(".plate:visible").first.click()
    expect(bela.locator(".chapter li").filter(has_text=re.compile("Ada hired"))).to_be_visible()
    expect(bela.locator("#news")).to_contain_text("Ada hired")
    ada.get_by_role("button", name="Done: this is my crew").click()
    expect(bela.locator("#prompt")).to_contain_text("Your crew")
    expect(bela).to_have_title(re.compile("^Your turn: "))
    expect(ada).not_to_have_title(re.compile("^Your turn: "))
    expect(bela.locator("#icon")).to_have_attribute("href", re.compile("lamp"))
    # A hand is seen by its owner only.
    assert bela.locator(".pick").count() > 0
    assert "hand" not in ada.locator("#plot-1").inner_text().lower()


def test_a_turn_by_keyboard_alone(opens: Opens, stage: Stage) -> None:
    staged = stage.game(lambda v: v.phase == HIRING and v.current_player == 0 and v.turn > 2)
    page = opens(staged.path, staged.tokens[0])
    # By Tab and Enter: to the first stack that can be hired from.
    tab_to(page, lambda: page.evaluate("document.activeElement.classList.contains('plate')"))
    based_on = asks(page)
    page.keyboard.press("Enter")
    answered(page, based_on)
    expect(page.locator("#prompt"), "the focus goes on where something is asked").to_be_focused()
    asked_to_bid(page, stage, staged.tokens)
    # By arrows within the offers, then the red button.
    tab_to(page, lambda: page.evaluate("document.activeElement.classList.contains('bid')"))
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    tab_to(page, lambda: page.evaluate("document.activeElement.id === 'seal-offer'"))
    page.keyboard.press("Enter")
    expect(page.locator("#slip-0-sealed")).to_be_visible()
    # And taken back by its key.
    page.keyboard.press("u")
    expect(page.locator("#seal-offer")).to_be_visible()


def asked_to_bid(page: Page, stage: Stage, tokens: list[str]) -> None:
    """A card was turned: if it was a payday, it is the next one's turn until a job comes up."""
    table_id = page.url.rsplit("/", 1)[-1]
    for _ in range(8):
        view = stage.tables.table(table_id).view(None)
        if view.phase == BIDDING:  # type: ignore[union-attr]
            break
        table = stage.tables.table(table_id)
        seat = table.deciders()[0]
        stage.tables.act(table_id, tokens[seat], 0, table.decision_number(seat), f"k{table.number}")
        page.reload()
    page.locator("#seal-offer").wait_for()


def tab_to(page: Page, there: Callable[[], bool]) -> None:
    for _ in range(80):
        page.keyboard.press("Tab")
        if there():
            return
    raise AssertionError("Tab does not get there")


def test_keys_choose_and_act(opens: Opens, stage: Stage) -> None:
    staged = stage.game(lambda v: v.phase == BIDDING and v.deciders == (0,) and v.turn > 1)
    page = opens(staged.path, staged.tokens[0])
    page.keyboard.press("?")
    expect(page.locator("#pop-keys .menu")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#pop-keys .menu")).to_be_hidden()
    page.keyboard.press("0")
    expect(page.locator("#seal-offer")).to_contain_text("Seal 00")
    page.locator("#pop-keys summary").click()
    page.locator("[data-keys-on]").uncheck()
    page.keyboard.press("Escape")
    page.locator("body").click(position={"x": 5, "y": 400})
    page.keyboard.press("s")
    expect(page.locator("#seal-offer")).to_be_visible()
    page.locator("#pop-keys summary").click()
    page.locator("[data-keys-on]").check()
    page.keyboard.press("Escape")
    page.keyboard.press("s")
    expect(page.locator("#seal-offer")).to_have_count(0)


def test_a_game_without_script(opens: Opens, stage: Stage) -> None:
    page = opens("/", java_script_enabled=False)
    shelf = page.get_by_label("The shelf")
    shelf.get_by_role("link", name="Temp Worker Assassins").click()
    expect(page.locator("form.start:visible h2")).to_have_text("Temp Worker Assassins")
    shelf.get_by_role("link", name="Zahltag").click()
    start = page.locator("form.start:visible")
    start.get_by_label("Your name").fill("Ada")
    start.get_by_text("Friends, by link").click()
    page.get_by_role("button", name="Start Zahltag").click()
    for seat in (1, 2, 3):
        page.locator(f"#bot-{seat}-random").click()
    page.get_by_role("button", name="Start the game").click()
    done = {"crew": False, "hire": False, "bid": False}
    for _ in range(120):
        if page.locator("#seal-offer").count():
            page.locator(".offer label:not(:has(:disabled))").first.click()
            page.locator("#seal-offer").click()
            done["bid"] = True
        elif page.locator(".plate:visible").count() and not done["hire"]:
            page.locator(".pick").first.click()
            page.get_by_role("button", name=re.compile("^Exchange")).and_(page.locator(":visible")).first.click()
            expect(page.locator(".story")).to_contain_text("You exchanged")
            done["hire"] = True
        elif page.locator(".gvn:visible").count():
            page.locator(".gvn:visible").click()
            done["crew"] = True
        else:
            time.sleep(0.1)
            page.reload()
        if all(done.values()):
            break
    assert all(done.values()), done


def test_what_cannot_be_done_says_why(opens: Opens, stage: Stage) -> None:
    staged = stage.game(lambda v: v.phase == BIDDING and v.deciders == (0, 1, 2, 3))
    page = opens(staged.path, staged.tokens[0])
    page.locator(".yard .why summary").click()
    expect(page.locator(".yard .why .tip")).to_contain_text("A Job is on offer")
    page.locator(".yard .why .tip a").first.click()
    expect(page).to_have_url(re.compile(r"/rules/zahltag#ZT-"))
    clause = page.url.rsplit("#", 1)[1]
    expect(page.locator(f"[id='{clause}']")).to_be_in_viewport()


def test_a_page_that_stood_still_is_told_what_happened(opens: Opens, stage: Stage) -> None:
    staged = stage.game(lambda v: v.phase == HIRING and v.current_player == 0)
    page = opens(staged.path, staged.tokens[0], java_script_enabled=False)
    stage.act(staged, 0, 0)
    page.locator(".gvn:visible").click()
    expect(page.locator(".problem")).to_contain_text("earlier position")
    expect(page.locator(".board")).to_be_visible()


def test_focus_and_choice_survive_what_others_do(opens: Opens, stage: Stage) -> None:
    staged = stage.game(lambda v: v.phase == BIDDING and v.deciders == (0, 1))
    page = opens(staged.path, staged.tokens[0])
    page.locator(".why").first.locator("summary").click()
    choice = page.locator(".bid:not(:disabled)").first
    choice.check(force=True)
    choice.focus()
    chosen = choice.get_attribute("id")
    page.locator(".why").first.evaluate("element => element.open = true")
    other = opens(staged.path, staged.tokens[1])
    other.keyboard.press("0")
    other.keyboard.press("s")
    expect(page.locator("#slip-1-sealed")).to_be_visible()
    assert page.evaluate("document.activeElement.id") == chosen
    assert page.locator(f"[id='{chosen}']").is_checked()
    assert page.locator(".why").first.get_attribute("open") is not None


def test_leaving_and_coming_back(opens: Opens, stage: Stage) -> None:
    staged = stage.game(lambda v: v.phase == HIRING and v.current_player == 1)
    page = opens(staged.path, staged.tokens[0])
    page.locator("#pop-menu > summary").click()
    private = page.locator("#c-seat").input_value()
    page.get_by_role("button", name="Leave for now").click()
    expect(page.locator(".note").first).to_contain_text("a computer player stands in")
    elsewhere = opens(private)
    elsewhere.get_by_role("button", name="Come back").first.click()
    expect(elsewhere.locator(".note")).to_have_count(0)
    expect(page.locator(".note")).to_have_count(0)


def test_night_shift_is_remembered(opens: Opens) -> None:
    page = opens("/")
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.locator("[data-shift]").click()
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert dark != light
    page.goto("/rules/zahltag")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == dark
    by_system = opens("/", color_scheme="dark", java_script_enabled=False)
    by_system.wait_for_load_state()


def test_the_phones_sheet_opens_and_closes(opens: Opens, stage: Stage) -> None:
    staged = stage.game(lambda v: v.phase == BIDDING and v.deciders == (0,) and v.turn > 1)
    page = opens(staged.path, staged.tokens[0], viewport={"width": 390, "height": 844})
    hand = page.locator(".crewhand")
    expect(hand).to_be_hidden()
    handle = page.locator("[data-sheet-handle]")
    handle.click()
    expect(hand).to_be_visible()
    assert handle.get_attribute("aria-expanded") == "true"
    handle.click()
    expect(hand).to_be_hidden()
    expect(page.locator(".ledger")).to_be_hidden()
    expect(page.locator("#seal-offer")).to_be_in_viewport()


def test_cards_travel_and_stand_still_for_those_who_want_it(opens: Opens, stage: Stage) -> None:
    watch = "document.addEventListener('htmx:before:viewTransition', () => (window.moved = (window.moved ?? 0) + 1))"
    staged = stage.game(lambda v: v.phase == HIRING and v.current_player == 0)
    page = opens(staged.path, staged.tokens[0], reduced_motion="no-preference")
    page.evaluate(watch)
    names = page.evaluate(
        "[...document.querySelectorAll('#live *')].map(e => getComputedStyle(e).viewTransitionName)"
        ".filter(name => name && name !== 'none')"
    )
    assert len(names) > 8
    assert len(names) == len(set(names)), "two things of one name cannot travel"
    top = page.locator(".stk.can .crew").first.evaluate("e => getComputedStyle(e).viewTransitionName")
    based_on = asks(page)
    page.locator(".plate:visible").first.click()
    answered(page, based_on)
    assert page.evaluate("window.moved") >= 1
    hand = page.locator(".crewhand .crew").evaluate_all("all => all.map(e => getComputedStyle(e).viewTransitionName)")
    assert top in hand, "the card from the stack is the one in hand now"

    still = opens(staged.path, staged.tokens[1], reduced_motion="reduce")
    lasting = still.evaluate(
        "[...document.querySelectorAll('#live *')]"
        ".filter(e => parseFloat(getComputedStyle(e).animationDuration) > 0).length"
    )
    assert lasting == 0
