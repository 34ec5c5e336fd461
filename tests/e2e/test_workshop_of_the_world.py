"""Workshop of the World in a real browser: whole games clicked, the map by keys and finger, every phase looked over."""

from __future__ import annotations

import re
import time
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from shopfloor.games.workshop_of_the_world.actions import BID, END_TURN, PASS, RAISE, SELECT
from tests.e2e.conftest import Opens
from tests.e2e.deciding import answered, asks, in_phase, phase
from tests.e2e.stage import Moment, Stage, Wanted
from tests.e2e.test_accessible import findings, looks, too_high, too_wide

GAME = "workshop_of_the_world"


def at(stage: Stage, wanted: Wanted, players: int = 4, options: dict[str, str] | None = None) -> Moment:
    """Play by chance, building what can be built, until somebody's view is as wanted."""
    return stage.moment(GAME, wanted, _builder, players, options)


def _builder(view: Any, rng: Random) -> int:
    """Bids little, builds what can be built, and raises no cash by hand: the map fills up."""
    legal = view.legal
    best = [a for a in legal if a != END_TURN and not RAISE <= a < BID]
    bids = [a for a in best if BID <= a < SELECT]
    if bids:
        return PASS if PASS in legal and rng.random() < 0.6 else rng.choice(bids[:3])
    return rng.choice(best or list(legal))


def decide(page: Page, turn: int) -> None:
    """One decision as a person with a mouse makes it."""
    now = phase(page)
    go = page.locator("[id^=go-]")
    aside = page.locator("[id^=aside-]")
    coins = page.locator(".coin2")
    if now.startswith("fist"):
        coins.nth(turn % min(3, coins.count())).click()
    elif now == "auction_bid":
        # Every third card is worth more than a pound or two. Who can only pass finds that on the red button.
        if aside.count() and turn % 3:
            aside.click()
            return
        if coins.count():
            coins.nth(turn % min(2, coins.count())).click()
    elif now in ("auction_select", "pick_card"):
        page.locator("label.tc").nth(turn % page.locator("label.tc").count()).click()
    elif page.locator(".lamp").count():
        lamps = page.locator(".lamp")
        lamps.nth(turn % lamps.count()).locator("input").check(force=True)
    elif page.locator("#dock .row").count():
        page.locator("#dock .row").first.click()
    go.click()


@pytest.mark.timeout(900)
@pytest.mark.parametrize("players", [2, 3])
def test_a_whole_game_clicked_against_computers(players: int, opens: Opens) -> None:
    page = opens("/games/workshop_of_the_world")
    page.get_by_label("Your name").fill("Ada")
    page.locator(f"input[name=players][value='{players}']").check(force=True)
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
    assert moves > 60
    special = {"fist_1", "fist_2", "pick_card"} if players == 2 else {"auction_select", "auction_bid"}
    assert special | {"demand_1", "demand_3", "turn_place", "turn_link_1"} <= seen
    expect(page.locator("#finish")).to_contain_text("won")
    expect(page.locator(".coll")).to_have_count(2)
    expect(page.locator("#ways use").first).to_be_attached()  # the map as it was before the last Links came home
    assert page.evaluate("window.same"), "the page was loaded anew in between"
    page.get_by_role("link", name="Check the shuffle").click()
    expect(page.locator(".checks").first).to_contain_text("All decisions were allowed")


# -- the map ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("WW-8.4", "WW-9.2")
def test_a_link_is_built_by_keyboard_and_says_before_what_it_brings(opens: Opens, stage: Stage) -> None:
    moment = at(stage, in_phase("TURN_LINK_1", lambda v, s: v.round > 2 and len(v.builds) > 2 and v.seats[s].cash > 9))
    page = opens(moment.staged.path, moment.token)
    view = stage.view(moment.staged, moment.seat)
    radios = page.locator(".lamp input")
    assert radios.count() == len(view.builds)
    for build, label in zip(view.builds, radios.evaluate_all("all => all.map(e => e.ariaLabel)"), strict=True):
        a, b = (view.map.town_names[town] for town in view.map.ends[build.connection])
        assert label.startswith(f"{a} to {b}.")
        assert f"−£{build.price}" in label
        assert f"+{build.gain}" in label
        assert f"Cash left: £{build.cash}" in label
    radios.first.focus()
    page.keyboard.press("ArrowDown")
    expect(radios.nth(1)).to_be_checked()
    chosen = view.builds[1]
    ledger = page.locator("#dock .ledger")
    expect(ledger).to_contain_text(f"Cash left£{chosen.cash}")
    expect(page.locator("[id^=go-]")).to_contain_text(f"for £{chosen.price}", use_inner_text=True)
    based_on = asks(page)
    page.keyboard.press("s")
    answered(page, based_on)
    after = stage.view(moment.staged, moment.seat)
    assert after.owners[chosen.connection] == view.active
    assert after.seats[moment.seat].cash == chosen.cash


def test_every_town_and_connection_is_reached_by_arrows_and_heard(opens: Opens, stage: Stage) -> None:
    moment = at(stage, in_phase("AUCTION_BID", lambda v, s: v.round > 3))
    page = opens(moment.staged.path, moment.token)
    view = stage.view(moment.staged, moment.seat)
    labels = page.locator("#towns > g").evaluate_all("all => all.map(e => e.ariaLabel)")
    assert len(labels) == len(view.map.town_names)
    for name, label in zip(view.map.town_names, labels, strict=True):
        assert label.startswith(f"{name}. ")
        assert " free." in label
    lot = view.map.card_towns[view.lot]
    if lot >= 0:
        assert "Placing here would bring" in labels[lot]
    ways = page.locator("#ways > g").evaluate_all("all => all.map(e => e.ariaLabel)")
    assert len(ways) == len(view.map.ends)
    assert all("to build" in label or " of " in label for label in ways)
    # Whatever one starts from, arrows lead everywhere: a walk over the whole map.
    page.locator("#towns > [tabindex='0']").focus()
    reached = page.evaluate(
        """() => {
        const seen = new Set(), queue = [document.activeElement];
        const press = key => document.activeElement.dispatchEvent(
            new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
        while (queue.length) {
            const from = queue.pop();
            if (seen.has(from.id)) continue;
            seen.add(from.id);
            for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]) {
                from.focus();
                press(key);
                if (!seen.has(document.activeElement.id)) queue.push(document.activeElement);
            }
        }
        return [...seen];
    }"""
    )
    assert len(set(reached)) == len(view.map.town_names) + len(view.map.ends)
    page.locator("#t0").focus()
    expect(page.locator("#look")).to_contain_text(view.map.town_names[0])
    expect(page.locator("#look")).to_contain_text("connections free")


def test_the_map_comes_closer_and_moves(opens: Opens, stage: Stage) -> None:
    moment = at(stage, in_phase("AUCTION_SELECT"))
    page = opens(moment.staged.path, moment.token)

    def wide() -> float:
        return float(page.evaluate("document.getElementById('mapbox').offsetWidth"))

    whole = wide()
    page.get_by_role("button", name="Closer").click()
    assert wide() > whole * 1.3
    page.keyboard.press("+")
    assert wide() > whole * 1.8
    port = page.locator("#mapscroll")
    box = port.bounding_box()
    assert box is not None
    before = port.evaluate("e => [e.scrollLeft, e.scrollTop]")
    page.mouse.move(box["x"] + 300, box["y"] + 500)
    page.mouse.down()
    page.mouse.move(box["x"] + 220, box["y"] + 440, steps=4)
    page.mouse.up()
    after = port.evaluate("e => [e.scrollLeft, e.scrollTop]")
    assert after[0] - before[0] == pytest.approx(80, abs=3)
    assert after[1] - before[1] == pytest.approx(60, abs=3)
    page.keyboard.press("0")
    assert wide() == pytest.approx(whole, abs=2)
    page.mouse.wheel(0, -400)
    page.wait_for_timeout(100)
    assert wide() > whole * 1.5


def test_fingers_on_a_phone(opens: Opens, stage: Stage) -> None:
    moment = at(
        stage, in_phase("TURN_LINK_1", lambda v, s: v.map.town_names[v.town] != "Nottingham" and len(v.builds) > 1)
    )
    phone = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
    page = opens(moment.staged.path, moment.token, **phone)
    # What it is about lies in the window, and can be touched.
    port = page.locator("#mapscroll").bounding_box()
    spot = page.locator(".t.here").bounding_box()
    assert port is not None
    assert spot is not None
    assert port["x"] <= spot["x"] + spot["width"] / 2 <= port["x"] + port["width"]
    assert port["y"] <= spot["y"] + spot["height"] / 2 <= port["y"] + port["height"]
    built = sum(owner >= 0 for owner in stage.view(moment.staged).owners)
    before = page.evaluate("document.getElementById('mapbox').offsetWidth")
    x, y = port["x"] + port["width"] / 2, port["y"] + port["height"] / 2
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *spread: float) -> None:
        points = [{"x": x - spread[0], "y": y, "id": 0}, {"x": x + spread[0], "y": y, "id": 1}] if spread else []
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", 40)
    for spread in (50, 60, 70, 80):
        touch("touchMove", spread)
    touch("touchEnd")
    assert page.evaluate("document.getElementById('mapbox').offsetWidth") == pytest.approx(before * 2, rel=0.1)
    page.locator("[data-zoom=whole]").tap()
    assert page.evaluate("document.getElementById('mapbox').offsetWidth") <= port["width"] + 2
    page.evaluate("document.querySelector('[data-zoom=in]').click()")
    page.locator(".lamp").first.tap()
    expect(page.locator(".lamp input").first).to_be_checked()
    based_on = asks(page)
    page.locator("[id^=go-]").tap()
    answered(page, based_on)
    assert sum(owner >= 0 for owner in stage.view(moment.staged).owners) == built + 1


@pytest.mark.rule("WW-13.4")
def test_each_players_longest_network_can_be_shown(opens: Opens, stage: Stage) -> None:
    moment = at(stage, in_phase("AUCTION_SELECT", lambda v, s: v.round > 4))
    page = opens(moment.staged.path, moment.token)
    view = stage.view(moment.staged, moment.seat)
    for colour in view.colours:
        shown = page.locator(f".nw{colour.set}")
        assert shown.count() == len(colour.longest)
        if colour.longest:
            expect(shown.first).to_be_hidden()
            page.locator(f".net:has(#net-{colour.set})").click()
            expect(shown.first).to_be_visible()
    # It stays while others go on.
    based_on = asks(page)
    page.locator("label.tc").first.click()
    page.locator("[id^=go-]").click()
    answered(page, based_on)
    expect(page.locator("#net-0")).to_be_checked()


# -- decisions --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("WW-5.6", "WW-5.9")
def test_a_bid_by_keyboard_with_what_is_left(opens: Opens, stage: Stage) -> None:
    moment = at(stage, in_phase("AUCTION_BID", lambda v, s: not v.must_bid and v.seats[s].cash > 20 and not v.high))
    page = opens(moment.staged.path, moment.token)
    cash = stage.view(moment.staged, moment.seat).seats[moment.seat].cash
    page.keyboard.press("3")
    expect(page.locator("[id^=go-]")).to_have_text("Bid £3", use_inner_text=True)
    expect(page.locator("#dock .ledger").last).to_contain_text(f"Cash left if it wins£{cash - 3}")
    based_on = asks(page)
    page.keyboard.press("s")
    answered(page, based_on)
    expect(page.locator(".story")).to_contain_text("You bid £3.")


def test_a_high_bid_from_the_list(opens: Opens, stage: Stage) -> None:
    moment = at(stage, in_phase("AUCTION_BID", lambda v, s: v.most > 30 and not v.high))
    page = opens(moment.staged.path, moment.token)
    page.get_by_text("More than £12").click()
    page.locator(".highs select").select_option(label="£17")
    based_on = asks(page)
    page.get_by_role("button", name="Bid it").click()
    answered(page, based_on)
    expect(page.locator(".story")).to_contain_text("You bid £17.")


@pytest.mark.rule("WW-10.2")
def test_cash_is_raised_behind_a_small_control(opens: Opens, stage: Stage) -> None:
    moment = at(stage, in_phase("AUCTION_SELECT", lambda v, s: v.seats[s].revenue > 5))
    page = opens(moment.staged.path, moment.token)
    before = stage.view(moment.staged, moment.seat).seats[moment.seat]
    page.locator("#raise summary").click()
    page.locator("#raise select").select_option(index=1)
    based_on = asks(page)
    page.get_by_role("button", name="Raise it").click()
    answered(page, based_on)
    after = stage.view(moment.staged, moment.seat).seats[moment.seat]
    assert (after.cash, after.revenue) == (before.cash + 2, before.revenue - 4)


@pytest.mark.rule("WW-21.7", "WW-S.34")
def test_two_fists_are_held_out_and_opened(opens: Opens, stage: Stage) -> None:
    moment = at(stage, in_phase("FIST_1"), players=2)
    pages = [opens(moment.staged.path, token) for token in moment.staged.tokens]
    pages[0].locator(".coins[data-set='1'] .coin2").nth(3).click()
    expect(pages[0].locator("[id^=go-]")).to_contain_text("Hold out £4 for blue", use_inner_text=True)
    pages[0].locator("[id^=go-]").click()
    expect(pages[0].locator(".sealed")).to_contain_text("£4 and blue in the fist")
    expect(pages[1].locator("#pl-0")).to_contain_text("fist held out")
    assert "£4" not in pages[1].locator("#pl-0").inner_text()
    # It may be taken back while the other has not opened.
    pages[0].locator("#undo-last").click()
    expect(pages[0].locator(".coin2").first).to_be_visible()
    pages[0].locator(".coins[data-set='0'] .coin2").nth(1).click()
    pages[0].locator("[id^=go-]").click()
    pages[1].locator(".coins[data-set='3'] .coin2").nth(0).click()
    pages[1].locator("[id^=go-]").click()
    for page in pages:
        expect(page.locator(".fisted")).to_contain_text("£2")
        expect(page.locator(".fisted")).to_contain_text("£1")
    assert stage.view(moment.staged).order == (0, 3)


@pytest.mark.rule("WW-A.30")
def test_what_cannot_be_built_says_why(opens: Opens, stage: Stage) -> None:
    def double_in_sight(v: Any, s: int) -> bool:
        starts = {v.town, *(t for c in v.fresh for t in v.map.ends[c])}
        return any(v.map.capacity[c] == 2 and v.owners[c] < 0 and set(e) & starts for c, e in enumerate(v.map.ends))

    moment = at(stage, in_phase("TURN_LINK_2", double_in_sight))
    page = opens(moment.staged.path, moment.token)
    reason = page.locator(".because").first
    expect(reason).to_contain_text("A double connection takes both Links of a turn")
    expect(page.locator(".nope").first).to_be_visible()
    reason.locator("a").click()
    expect(page).to_have_url(re.compile(r"/rules/workshop_of_the_world#WW-"))
    assert page.locator(f"[id='{page.url.rsplit('#', 1)[1]}']").count() == 1


def test_placing_is_taken_back(opens: Opens, stage: Stage) -> None:
    moment = at(stage, in_phase("TURN_PLACE", lambda v, s: len(v.places) > 3))
    page = opens(moment.staged.path, moment.token)
    based_on = asks(page)
    page.locator("#dock .row").nth(1).click()
    expect(page.locator(".lamp input").nth(1)).to_be_checked()
    page.locator("[id^=go-]").click()
    answered(page, based_on)
    based_on = asks(page)
    page.locator("#step-back").click()
    answered(page, based_on)
    expect(page.locator(".lamp")).to_have_count(len(stage.view(moment.staged, moment.seat).places))
    assert stage.view(moment.staged, moment.seat).phase == "TURN_PLACE"


def test_without_script_every_step_is_a_form(opens: Opens, stage: Stage) -> None:
    moment = at(stage, in_phase("AUCTION_SELECT"))
    page = opens(moment.staged.path, moment.token, java_script_enabled=False)
    page.locator("label.tc").first.click()
    page.locator("[id^=go-]").click()
    expect(page.locator(".story")).to_contain_text("for auction")
    moment = at(stage, in_phase("TURN_PLACE"))
    page = opens(moment.staged.path, moment.token, java_script_enabled=False)
    lamps = page.locator(".lamp input")
    if lamps.count() > 1:
        lamps.first.check(force=True)
    page.locator("[id^=go-]").click()
    expect(page.locator(".story")).to_contain_text("You place")
    page.locator(".lamp input").first.check(force=True)
    page.locator("[id^=go-]").click()
    expect(page.locator(".story")).to_contain_text("You dig")


def test_options_for_two_are_shown_to_two(opens: Opens) -> None:
    page = opens("/games/workshop_of_the_world")
    fists = page.locator(".opt", has_text="Who pays for the fists")
    expect(fists).to_be_hidden()
    page.locator("input[name=players][value='2']").check(force=True)
    expect(fists).to_be_visible()
    page.locator("input[name=players][value='4']").check(force=True)
    expect(fists).to_be_hidden()


def test_pieces_and_cards_have_names_of_their_own(opens: Opens, stage: Stage) -> None:
    for players, wanted in ((5, in_phase("TURN_LINK_1", lambda v, s: v.round > 3)), (2, in_phase("PICK_CARD"))):
        moment = at(stage, wanted, players=players)
        page = opens(moment.staged.path, moment.token)
        names = page.evaluate(
            "[...document.querySelectorAll('#live *')].map(e => getComputedStyle(e).viewTransitionName)"
            ".filter(name => name && name !== 'none')"
        )
        assert len(names) > 15
        assert len(names) == len(set(names)), "two things of one name cannot travel"


def test_an_industry_travels_from_the_supply_to_its_town(opens: Opens, stage: Stage) -> None:
    moment = at(stage, in_phase("TURN_PLACE", lambda v, s: len(v.places) == 1 and not v.places[0].full))
    page = opens(moment.staged.path, moment.token)
    name = page.locator(f"#pl-{moment.seat} .nxt").evaluate("e => getComputedStyle(e).viewTransitionName")
    based_on = asks(page)
    page.keyboard.press("s")
    answered(page, based_on)
    piece = page.locator(f".pc[style*='view-transition-name:{name}']")
    expect(piece).to_have_count(1)
    expect(page.locator(f".nxt[style*='view-transition-name:{name}']")).to_have_count(0)


# -- looks ------------------------------------------------------------------------------------------------------------

PAGES: dict[str, tuple[Wanted, int, str]] = {
    "demand": (in_phase("DEMAND_1"), 4, "me"),
    "demand, two": (in_phase("DEMAND_1"), 2, "me"),
    "select": (in_phase("AUCTION_SELECT", lambda v, s: v.round > 2), 5, "me"),
    "bid": (in_phase("AUCTION_BID", lambda v, s: v.round > 2 and v.high), 5, "me"),
    "fist": (in_phase("FIST_1", lambda v, s: v.round > 1), 2, "me"),
    "fist, sealed": (in_phase("FIST_1", lambda v, s: len(v.deciders) == 1), 2, "other"),
    "take": (in_phase("PICK_CARD"), 2, "me"),
    "place": (in_phase("TURN_PLACE", lambda v, s: len(v.places) > 5), 4, "me"),
    "remove": (in_phase("TURN_REMOVE"), 5, "me"),
    "blocked": (in_phase("TURN_CARD"), 5, "me"),
    "links": (in_phase("TURN_LINK_1", lambda v, s: v.round > 3), 4, "me"),
    "second link": (in_phase("TURN_LINK_2", lambda v, s: bool(v.builds)), 3, "me"),
    "railways": (in_phase("TURN_LINK_1", lambda v, s: v.era == "railway" and v.round > 4), 5, "me"),
    "keep or place": (in_phase("DEMAND_2"), 4, "me"),
    "collected": (in_phase("DEMAND_3"), 4, "me"),
    "waiting": (in_phase("AUCTION_BID", lambda v, s: v.round > 2), 4, "other"),
    "watching": (in_phase("AUCTION_BID", lambda v, s: v.round > 2), 5, "nobody"),
    "over": (lambda v, s: v.phase == "GAME_OVER", 4, "me"),
    "over, two": (lambda v, s: v.phase == "GAME_OVER", 2, "nobody"),
    "rules": (lambda v, s: True, 2, "rules"),
    "set-up": (lambda v, s: True, 2, "set-up"),
}


@pytest.mark.parametrize("name", PAGES)
def test_nothing_to_find_and_nothing_wider_than_the_screen(name: str, opens: Opens, stage: Stage) -> None:
    wanted, players, who = PAGES[name]
    moment = at(stage, wanted, players)
    path = {"rules": f"/rules/{GAME}", "set-up": f"/games/{GAME}"}.get(who, moment.staged.path)
    other = next(s for s in range(players) if s != moment.seat)
    tokens = {"me": moment.token, "other": moment.staged.tokens[other]}
    page = opens(path, tokens.get(who), bypass_csp=True)
    problems: list[str] = []
    for look in looks(page):
        problems += [f"{look}: {text}" for text in (*findings(page), *too_wide(page))]
        if look.startswith("1440") and who in ("me", "other", "nobody"):
            problems += [f"{look}: {text}" for text in too_high(page)]
    assert not problems, "\n".join(problems)
