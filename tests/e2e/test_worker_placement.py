"""Worker Placement in a real browser: a whole game clicked, compound choices by keyboard, every phase looked over."""

from __future__ import annotations

import re
import time
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Opens
from tests.e2e.deciding import answered, asks, in_phase, phase
from tests.e2e.stage import Moment, Stage, Wanted
from tests.e2e.test_accessible import findings, looks, too_high, too_wide

GAME = "worker_placement"
DONE, PAY, FIRST_COACH, FIRST_CONSULT = 0, 3, 20, 112


def at(stage: Stage, wanted: Wanted, players: int = 4, options: dict[str, str] | None = None) -> Moment:
    """Play by chance, with a liking for Jobs and cards, until somebody's view is as wanted."""
    return stage.moment(GAME, wanted, _lean, players, options or {"rounds": "5"})


def _lean(view: Any, rng: Random) -> int:
    legal = list(view.legal)
    if view.phase == "PAYMENT":
        return DONE if DONE in legal else PAY
    liked = [a for a in legal if a >= FIRST_CONSULT or FIRST_COACH <= a < FIRST_COACH + 4]
    return rng.choice(liked if liked and rng.random() < 0.7 else legal)


def crowded(v: Any, s: int) -> bool:
    return v.round > 2 and sum(sum(b.meeples) for b in v.buildings) > 6


def has_workers(v: Any, s: int) -> bool:
    """Several Workers could go, and something has to be brought along."""
    return sum(128 > a >= 49 for a in v.legal) > 1 and sum(v.plan.job.needs) > 2


def decide(page: Page, turn: int) -> None:
    """One decision as a hasty person makes it."""
    now = phase(page)
    if now == "draft_choose":
        page.locator(".roles label:has(.k1)").click()
        page.locator(".roles label:has(.q2)").click()
        page.locator(".split-btn:visible").click()
    elif now in ("bid_first", "bid_second"):
        spaces = page.locator(".sp.legal label")
        if spaces.count() and now == "bid_first":
            spaces.first.click()
            page.locator(".pair .primary").click()
        else:
            page.locator("[id^=pass-]").click()
    elif now == "auction_pick":
        page.locator(".lots button").first.click()
    elif now == "place":
        jobs, consult = page.locator("button.job.legal"), page.locator("#dock .slot button.legal")
        houses = page.locator("button.bld")
        if jobs.count():
            jobs.last.click()
        elif consult.count():
            consult.first.click()
        elif houses.count():
            house = houses.nth(turn % houses.count())
            menu = house.get_attribute("popovertarget")
            house.click()
            if menu:
                page.locator(f"#{menu} .btn").first.click()
        else:
            page.locator("[id^=skip-]").click()
    elif now == "target":
        page.locator(".target").first.click()
    else:
        pick_and_confirm(page, now)


def pick_and_confirm(page: Page, now: str) -> None:
    """Several things are picked and confirmed once."""
    button = page.locator("[data-commit]")
    if now not in ("worker", "payment"):
        picks = page.locator("[data-pick]")
        wanted = max(int(button.get_attribute("data-least") or 0), 1)
        for i in range(wanted):
            picks.nth(i).click()
    expect(button).to_have_attribute("aria-disabled", "false")
    button.click()


@pytest.mark.timeout(900)
def test_a_whole_game_clicked_against_computers(opens: Opens) -> None:
    page = opens("/games/worker_placement")
    page.get_by_label("Your name").fill("Ada")
    page.locator("input[name=players][value='3']").check(force=True)
    page.locator("input[name='option.rounds'][value='5']").check(force=True)
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/t/*")
    page.locator("#act, #start").first.wait_for(state="attached")
    if page.locator("#start").count():
        page.locator("#start").click()
    page.evaluate("window.same = true")
    moves, seen = 0, set[str]()
    end = time.monotonic() + 840
    while (based_on := asks(page)) != "over":
        assert time.monotonic() < end, "the game does not come to its end"
        seen.add(phase(page))
        decide(page, moves)
        answered(page, based_on)
        moves += 1
    assert moves > 25
    assert {"draft_choose", "bid_first", "place"} <= seen  # what else is asked depends on the cards
    expect(page.get_by_role("table")).to_contain_text("Cash")
    expect(page.locator(".ties")).to_contain_text("before")
    assert page.evaluate("window.same"), "the page was loaded anew in between"
    page.get_by_role("link", name="Check the shuffle").click()
    expect(page.locator(".checks").first).to_contain_text("All decisions were allowed")


def tab_to(page: Page, there: str) -> None:
    """Press Tab until the focused element matches."""
    for _ in range(120):
        page.keyboard.press("Tab")
        if page.evaluate("s => document.activeElement.matches(s)", there):
            return
    raise AssertionError(f"Tab does not get to {there}")


@pytest.mark.rule("WP-9.2", "WP-A24")
def test_a_job_is_paid_by_keyboard(opens: Opens, stage: Stage) -> None:
    moment = at(stage, in_phase("WORKER", has_workers))
    page = opens(moment.staged.path, moment.token)
    button = page.locator("[data-commit]")
    expect(button).to_have_attribute("aria-disabled", "false")
    proposed = page.locator("[data-pick][aria-pressed=true]").count()
    assert proposed >= 1
    # Another Worker brings a proposal of its own, and may be changed.
    tab_to(page, "[data-group=worker][aria-pressed=false]")
    page.keyboard.press("Enter")
    expect(page.locator("[data-group=worker][aria-pressed=true]")).to_have_count(1)
    expect(button).to_have_attribute("aria-disabled", "false")
    given = page.locator("[data-pick]:not([data-group])[aria-pressed=true]")
    if given.count():
        first = given.first
        name = first.get_attribute("id")
        first.focus()
        page.keyboard.press("Space")
        expect(page.locator(f"[id='{name}']")).to_have_attribute("aria-pressed", "false")
        expect(button).to_have_attribute("aria-disabled", "true")
        expect(button).to_contain_text("short")
        page.keyboard.press("Space")
    expect(button).to_have_attribute("aria-disabled", "false")
    cash = stage.view(moment.staged, moment.seat).seats[moment.seat].cash
    reward = stage.view(moment.staged, moment.seat).plan.job.cash
    based_on = asks(page)
    page.keyboard.press("s")
    answered(page, based_on)
    expect(page.locator(".story")).to_contain_text("You fill a Job")
    assert stage.view(moment.staged, moment.seat).seats[moment.seat].cash == cash + reward


def test_stepping_back_from_a_job(opens: Opens, stage: Stage) -> None:
    moment = at(stage, in_phase("PLACE", lambda v, s: any(a >= 128 for a in v.legal)))
    page = opens(moment.staged.path, moment.token)
    based_on = asks(page)
    page.locator("button.job.legal").first.click()
    answered(page, based_on)
    based_on = asks(page)
    page.get_by_role("button", name="Another place").click()
    answered(page, based_on)
    expect(page.locator("button.job.legal").first).to_be_visible()
    assert stage.view(moment.staged, moment.seat).phase == "PLACE"


@pytest.mark.rule("WP-11.4")
def test_cards_are_swapped_by_keyboard(opens: Opens, stage: Stage) -> None:
    moment = at(stage, in_phase("CASINO", lambda v, s: len(v.seats[s].hand) > 2 and not v.plan.cards))
    page = opens(moment.staged.path, moment.token)
    expect(page.locator("[data-commit]")).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("1")
    page.keyboard.press("2")
    expect(page.locator("[data-commit]")).to_contain_text("Swap 2 cards")
    page.keyboard.press("1")
    expect(page.locator("[data-commit]")).to_contain_text("Swap 1 card")
    before = stage.view(moment.staged, moment.seat).seats[moment.seat]
    based_on = asks(page)
    page.keyboard.press("s")
    answered(page, based_on)
    after = stage.view(moment.staged, moment.seat).seats[moment.seat]
    assert after.hand_count == before.hand_count
    kept = {c.card for c in after.hand} & {c.card for c in before.hand}
    assert len(kept) == len(before.hand) - 1


@pytest.mark.rule("WP-10.5")
def test_the_life_coach_gives_what_was_picked(opens: Opens, stage: Stage) -> None:
    moment = at(stage, in_phase("LIFE_COACH", lambda v, s: v.left == 2 and min(v.supply) > 1))
    page = opens(moment.staged.path, moment.token)
    before = stage.view(moment.staged, moment.seat).seats[moment.seat].cubes
    tab_to(page, "[data-pick][data-name=Tech]")
    page.keyboard.press("Enter")
    expect(page.locator("[data-commit]")).to_contain_text("1 of 2")
    page.locator("[data-pick][data-name=Life]").first.press("Enter")
    expect(page.locator("[data-commit]")).to_have_text(re.compile("Take 1 Tech and 1 Life"))
    based_on = asks(page)
    page.locator("[data-commit]").press("Enter")
    answered(page, based_on)
    after = stage.view(moment.staged, moment.seat).seats[moment.seat].cubes
    assert after == (before[0], before[1], before[2] + 1, before[3] + 1)


@pytest.mark.rule("WP-6.2")
def test_a_draft_is_split_by_keyboard_and_taken_back(opens: Opens, stage: Stage) -> None:
    moment = at(stage, in_phase("DRAFT_CHOOSE", lambda v, s: len(v.deciders) > 1 and len(v.draft) == 3))
    page = opens(moment.staged.path, moment.token)
    page.keyboard.press("2")
    page.keyboard.press("5")  # the same card cannot be passed on as well: the newer wish counts
    expect(page.locator(".split-btn:visible")).to_have_count(0)
    page.keyboard.press("3")
    expect(page.locator(".split-btn:visible")).to_have_count(1)
    page.keyboard.press("s")
    expect(page.locator(".sealed")).to_be_visible()
    draft = stage.view(moment.staged, moment.seat)
    assert draft.chosen == 28 + 5  # keep 3, pass 2, network 1
    page.locator("#undo-last").click()
    expect(page.locator(".split-none")).to_be_visible()


def test_what_cannot_be_done_says_why(opens: Opens, stage: Stage) -> None:
    moment = at(stage, in_phase("PLACE"))
    page = opens(moment.staged.path, moment.token)
    page.locator("#bld-10 .ask").click()
    tip = page.locator("#why-bld-10")
    expect(tip).to_contain_text("only hosts the auction")
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    page.locator("#bld-10 .ask").click()
    tip.locator("a").click()
    expect(page).to_have_url(re.compile(r"/rules/worker_placement#WP-"))
    assert page.locator(f"[id='{page.url.rsplit('#', 1)[1]}']").count() == 1


def test_without_script_every_step_is_a_click(opens: Opens, stage: Stage) -> None:
    moment = at(stage, in_phase("WORKER", has_workers))
    page = opens(moment.staged.path, moment.token, java_script_enabled=False)
    page.locator("button.worker").first.click()
    expect(page.locator("#prompt")).to_contain_text("becomes")
    page.locator("[id^=pay-]").click()
    expect(page.locator(".story")).to_contain_text("You fill a Job")


def test_whoever_came_by_the_lobby_can_pick_too(opens: Opens, stage: Stage) -> None:
    staged = stage.lobby(2, 2, game=GAME)
    page = opens(staged.path, staged.tokens[1])
    expect(page.locator(".lobby")).to_be_visible()
    page.evaluate("window.same = true")
    host = opens(staged.path, staged.tokens[0])
    host.locator("#start").click()
    page.locator(".board").wait_for()
    assert page.evaluate("window.same"), "the page was loaded anew"
    page.locator("html.wp").wait_for(state="attached", timeout=5000)
    # What others do meanwhile does not unmake a choice.
    page.locator(".roles label:has(.k2)").click()
    page.locator(".roles label:has(.q3)").click()
    decide(host, 0)
    expect(page.locator(".story")).to_contain_text("Ada has chosen")
    expect(page.locator(".split-btn:visible")).to_have_count(1)
    assert page.locator(".k2").is_checked()


def test_meeples_and_cards_have_names_of_their_own(opens: Opens, stage: Stage) -> None:
    for wanted in (in_phase("PLACE", crowded), in_phase("BID_FIRST", lambda v, s: any(x >= 0 for x in v.spaces))):
        moment = at(stage, wanted, players=5)
        page = opens(moment.staged.path, moment.token)
        names = page.evaluate(
            "[...document.querySelectorAll('#live *')].map(e => getComputedStyle(e).viewTransitionName)"
            ".filter(name => name && name !== 'none')"
        )
        assert len(names) > 20
        assert len(names) == len(set(names)), "two things of one name cannot travel"


PAGES: dict[str, tuple[Wanted, int, str]] = {
    "draft": (in_phase("DRAFT_CHOOSE", lambda v, s: v.round > 1), 4, "me"),
    "draft, sealed": (in_phase("DRAFT_CHOOSE", lambda v, s: len(v.deciders) < 4), 4, "other"),
    "bidding": (in_phase("BID_FIRST", lambda v, s: any(x >= 0 for x in v.spaces)), 5, "me"),
    "winning": (in_phase("AUCTION_PICK"), 4, "me"),
    "placing": (in_phase("PLACE", crowded), 5, "me"),
    "placing, two": (in_phase("PLACE"), 2, "me"),
    "waiting": (in_phase("PLACE", crowded), 3, "other"),
    "watching": (in_phase("PLACE", crowded), 4, "nobody"),
    "paying": (in_phase("WORKER", has_workers), 4, "me"),
    "paying on": (in_phase("PAYMENT"), 4, "me"),
    "casino": (in_phase("CASINO"), 4, "me"),
    "coach": (in_phase("LIFE_COACH"), 4, "me"),
    "taking cubes": (in_phase("GAIN_CUBES"), 4, "me"),
    "target": (in_phase("TARGET"), 4, "me"),
    "discarding": (in_phase("HAND_LIMIT"), 4, "me"),
    "over": (lambda v, s: v.phase == "GAME_OVER", 4, "me"),
    "rules": (lambda v, s: True, 2, "rules"),
}


def squeezed(page: Page) -> list[str]:
    """What lies over what on smaller and lower screens: the board over the dock, a card out of its row."""
    problems = []
    for width, height in ((1440, 900), (1366, 768), (1280, 720)):
        page.set_viewport_size({"width": width, "height": height})
        over = page.evaluate(
            """() => {
                const rect = e => e.getBoundingClientRect();
                const board = rect(document.querySelector(".board")), dock = rect(document.querySelector(".dock"));
                const found = [];
                if (board.bottom > dock.top) found.push(`board ${board.bottom - dock.top} px over the dock`);
                if (dock.bottom > innerHeight) found.push(`dock ${dock.bottom - innerHeight} px below the screen`);
                for (const e of document.querySelectorAll(".board > *"))
                    if (rect(e).bottom > board.bottom + 1) found.push(`${e.className} out of the board`);
                for (const e of document.querySelectorAll(".bld, .card, .sp"))
                    if (e.scrollHeight > e.clientHeight + 4 && !e.matches(".finish"))
                        found.push(`${e.id || e.className} is ${e.scrollHeight - e.clientHeight} px too full`);
                return found;
            }"""
        )
        problems += [f"{width} x {height}: {text}" for text in over]
    return problems


@pytest.mark.parametrize("name", PAGES)
def test_nothing_to_find_and_nothing_wider_than_the_screen(name: str, opens: Opens, stage: Stage) -> None:
    wanted, players, who = PAGES[name]
    moment = at(stage, wanted, players)
    path = "/rules/worker_placement" if who == "rules" else moment.staged.path
    tokens = {"me": moment.token, "other": moment.staged.tokens[(moment.seat + 1) % players]}
    if name == "draft, sealed":
        deciders = stage.view(moment.staged).deciders
        tokens["other"] = moment.staged.tokens[next(s for s in range(players) if s not in deciders)]
    page = opens(path, tokens.get(who), bypass_csp=True)
    problems: list[str] = []
    for look in looks(page):
        problems += [f"{look}: {text}" for text in (*findings(page), *too_wide(page))]
        if look.startswith("1440") and who != "rules":
            problems += [f"{look}: {text}" for text in (*too_high(page), *squeezed(page))]
    assert not problems, "\n".join(problems)
