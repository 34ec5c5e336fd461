"""Temp Worker Assassins in a real browser: a whole game clicked, attempts step by step, every moment looked over."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Locator, expect

from shopfloor.games.temp_worker_assassins import cards
from tests.e2e.conftest import Opens
from tests.e2e.deciding import answered, asks
from tests.e2e.stage import Moment, Stage, Wanted
from tests.e2e.test_accessible import findings, looks, too_high, too_wide
from tests.test_quality import ROOT
from tests.web.servers import ServerProcess

GAME = "temp_worker_assassins"
CLICKABLE = ".board button[name=action], #dock button[name=action]"


def at(stage: Stage, wanted: Wanted, players: int = 4, options: dict[str, str] | None = None) -> Moment:
    """Play by chance until somebody's view is as wanted."""
    return stage.moment(GAME, wanted, lambda view, rng: rng.choice(view.legal), players, options)


def asked(ask: str, also: Wanted = lambda v, s: True) -> Wanted:
    return lambda v, s: v.ask == ask and s in v.deciders and also(v, s)


def test_every_legal_action_is_a_button_of_its_own(opens: Opens, stage: Stage) -> None:
    for ask in ("place", "play", "gain", "discard", "trash", "may", "keep"):
        moment = at(stage, asked(ask))
        page = opens(moment.staged.path, moment.token)
        shown = page.locator(CLICKABLE).evaluate_all("all => all.map(button => Number(button.value))")
        legal = stage.view(moment.staged, moment.seat).legal
        assert set(shown) == set(legal), ask
        page.close()


@pytest.mark.timeout(900)
def test_a_whole_game_clicked_against_computers(opens: Opens) -> None:
    page = opens(f"/games/{GAME}")
    page.get_by_label("Your name").fill("Ada")
    page.locator("input[name=players][value='2']").check(force=True)
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/t/*")
    page.locator("#act, #start").first.wait_for(state="attached")
    if page.locator("#start").count():
        page.locator("#start").click()
    page.evaluate("window.same = true")
    rng = Random(3)
    moves, seen = 0, set[str]()
    end = time.monotonic() + 840
    while (decision := asks(page)) != "over":
        assert time.monotonic() < end, "the game does not come to its end"
        classes = page.locator(".board").get_attribute("class") or ""
        seen |= {name for name in classes.split() if name.startswith("ask-")}
        buttons = page.locator(CLICKABLE)
        buttons.nth(rng.randrange(buttons.count())).click()
        answered(page, decision)
        moves += 1
    assert moves > 30
    assert {"ask-place", "ask-play"} <= seen  # what else is asked depends on the cards
    expect(page.get_by_role("table")).to_contain_text("Bounty")
    assert page.evaluate("window.same"), "the page was loaded anew in between"
    page.get_by_role("link", name="Check the shuffle").click()
    expect(page.locator(".checks").first).to_contain_text("All decisions were allowed")


@pytest.mark.rule("TA-6.1", "TA-6.5")
def test_an_attempt_counts_and_its_cards_pile_up_at_the_target(opens: Opens, stage: Stage) -> None:
    moment = at(stage, asked("play", lambda v, s: v.attempt.defence > 8 and len(v.legal) > 1))
    page = opens(moment.staged.path, moment.token)
    before = stage.view(moment.staged, moment.seat).attempt
    expect(page.locator(".aim .hit")).to_contain_text(f"{before.total}of {before.defence}")
    decision = asks(page)
    page.locator("#dock button.sc.legal").first.click()
    answered(page, decision)
    after = stage.view(moment.staged, moment.seat).attempt
    assert after is not None
    expect(page.locator(".aim .heap li")).to_have_count(len(before.played) + 1)
    expect(page.locator(".aim .hit")).to_contain_text(f"{after.total}of {after.defence}")


@pytest.mark.rule("TA-6.4")
def test_a_card_that_cannot_be_played_says_why(opens: Opens, stage: Stage) -> None:
    moment = at(stage, asked("play", lambda v, s: len({c.card for c in v.seats[s].hand}) > len(v.legal)))
    page = opens(moment.staged.path, moment.token)
    page.locator(".cant summary").first.click()
    expect(page.locator(".cant .tip").first).to_be_visible()
    expect(page.locator(".cant .tip").first).to_contain_text("TA-")


def test_a_step_back_by_keyboard(opens: Opens, stage: Stage) -> None:
    plain = asked("place", lambda v, s: any(c.id == "D1" for c in v.seats[s].hand) and v.targets[3] is not None)
    moment = at(stage, plain)
    page = opens(moment.staged.path, moment.token)
    # The Zombie of defence 3: one pencil does not reveal anything.
    decision = asks(page)
    page.locator(".tgs li:last-child button").click()
    answered(page, decision)
    decision = asks(page)
    pencil = page.get_by_role("button", name="Play Fairly Sharp Pencil")
    pencil.press("Enter")
    answered(page, decision)
    expect(page.locator(".heap li")).to_have_count(1)
    page.keyboard.press("u")
    expect(page.locator(".heap li")).to_have_count(0)


# A server whose games of two begin where the rulebook's example does.
PETE = """
import sys

sys.path.insert(0, {root!r})

from shopfloor.games.temp_worker_assassins import rules
from shopfloor.web.serve import run
from shopfloor.web.settings import Settings
from tests.games.temp_worker_assassins.table import A, office, on_top

begin = rules.start


def start(players, dice, options, edition, report=False):
    rules.start = begin
    hand = "Shuriken Ruler Stapler Pencil Letter"
    s = office(hand, "5*Pencil", deck="3*Pencil Letter Blunt", targets="Halfling Wraith Imp")
    on_top(s, A, "Pencil")
    rules.start = start
    return s


rules.start = start
if __name__ == "__main__":
    port, file, pace = sys.argv[1:4]
    run(Settings(port=int(port), database=file, pace=float(pace), tables_a_minute=0, changes_a_minute=0))
"""


@pytest.fixture
def pete(tmp_path: Path) -> Iterator[str]:
    """The address of that server."""
    process = ServerProcess(tmp_path)
    (tmp_path / "serve.py").write_text(PETE.format(root=str(ROOT)), encoding="utf-8")
    process.start()
    yield process.url
    process.kill_hard()


@pytest.mark.rule("TA-6.11", "TA-6.12", "TA-6.4", "TA-7.1", "TA-7.3")
def test_the_rulebooks_example_plays_through_the_site(pete: str, opens: Opens) -> None:
    page = opens(f"{pete}/games/{GAME}")
    page.get_by_label("Your name").fill("Pete")
    page.locator("input[name=players][value='2']").check(force=True)
    page.locator(".chair").nth(1).get_by_text("A friend").click()
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/t/*")
    sarah = opens(page.url)
    sarah.get_by_label("Your name").fill("Sarah")
    sarah.get_by_role("button", name="Sit down here").click()
    page.get_by_role("button", name="Start the game").click()

    halfling = page.get_by_role("button", name="Attempt Health & Safety Halfling, defence 7, bounty 2")
    expect(halfling).to_have_accessible_name(re.compile("Your hand surely reaches 4"))
    expect(page.locator(".tg").first.locator(".then")).to_have_text("sure 4")

    def click(button: Locator, total: str) -> None:
        button.click()
        expect(page.locator(".aim .hit")).to_contain_text(total)

    click(halfling, "0of 7")
    stapler = page.locator(".cant", has_text="Fully Loaded Stapler")
    stapler.locator("summary").click()
    expect(stapler.locator(".tip")).to_contain_text("2 identical cards")
    expect(page.locator(".meter p").first).to_contain_text("4 sure in hand, 3 short")
    click(page.get_by_role("button", name="Play Shatterable Ruler"), "1of 7")
    expect(page.locator(f"#h-{pencil()} .cnt")).to_have_text("×2")
    click(page.get_by_role("button", name="Play Fully Loaded Stapler"), "5of 7")
    expect(page.locator("#prompt .step")).to_contain_text("Fully Loaded Stapler")
    page.get_by_role("button", name="Discard Fairly Sharp Pencil").click()
    expect(page.locator(".aim .heap li")).to_have_count(2)
    expect(sarah.locator(".aim .hit")).to_contain_text("5of 7")
    page.get_by_role("button", name="Play Compact Disk Shuriken").click()

    expect(page.locator(".felled")).to_contain_text("Health & Safety Halfling fell, 7 of 7")
    expect(sarah.locator(".felled")).to_contain_text("Health & Safety Halfling fell, 7 of 7")
    expect(page.locator(".pl.me")).to_contain_text("1 in Security. Bounty 2")
    expect(page.locator("#hand-h")).to_have_text("Your hand, 5")
    expect(page.locator("#day-1")).to_contain_text("won by You")
    expect(page.locator(".story use[href='#assassin-1']").first).to_be_attached()
    expect(page.locator(".story use[href^='#meeple']")).to_have_count(0)
    expect(sarah.locator("#act")).to_be_attached()


def pencil() -> int:
    return cards.own().names.index("Fairly Sharp Pencil")


def test_people_pick_their_own_departments(opens: Opens) -> None:
    page = opens(f"/games/{GAME}", bypass_csp=True)
    page.get_by_label("Your name").fill("Ada")
    tally = page.locator(".tally")
    expect(tally).to_be_hidden()
    page.get_by_role("radio", name="Our own choice").check()
    expect(tally).to_have_text("0 of 4 picked. 4 to go.")
    expect(page.get_by_role("checkbox", name="Haunted Helpdesk")).to_be_disabled()
    page.locator("input[name=players][value='2']").check(force=True)
    expect(page.get_by_role("checkbox", name="Haunted Helpdesk")).to_be_enabled()
    for name in ("Appalling Admin", "Creepy Canteen", "Eerie Elevator", "Toxic Tea Point", "Grim Goods-In"):
        page.get_by_role("checkbox", name=name).focus()
        page.keyboard.press("Space")
    expect(tally).to_have_text("5 of 5 picked. That is right.")
    page.locator("input[name='option.no_trashing'][value=yes]").check()
    expect(tally).to_have_text("5 of 6 picked. 1 to go.")
    problems = [f"{look}: {text}" for look in looks(page) for text in (*findings(page), *too_wide(page))]
    assert not problems, "\n".join(problems)

    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_role("alert")).to_contain_text("Departments picked: 5. This table wants exactly 6.")
    expect(page.get_by_role("checkbox", name="Creepy Canteen")).to_be_checked()
    expect(page.get_by_role("radio", name="Our own choice")).to_be_checked()
    page.get_by_role("checkbox", name="Screaming Server Room").check()
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/t/*")
    expect(page.locator(".rooms")).to_contain_text("Screaming Server Room")
    expect(page.locator(".rooms")).not_to_contain_text("Really Spooky Recycling Area")


MOMENTS: dict[str, Callable[[Stage], Moment]] = {
    "place": lambda stage: at(stage, asked("place", lambda v, s: v.day == 3 and v.seats[s].unplaced == 2)),
    "place, two, random": lambda stage: at(
        stage, asked("place", lambda v, s: v.day == 2), 2, {"departments": "random", "hard_mode": "yes"}
    ),
    "play": lambda stage: at(stage, asked("play", lambda v, s: len(v.attempt.played) > 2)),
    "gain": lambda stage: at(stage, asked("gain"), 3),
    "trash": lambda stage: at(stage, asked("trash"), 3, {"quick_mode": "yes"}),
    "keep": lambda stage: at(stage, asked("keep"), 2),
    "recover": lambda stage: at(stage, asked("recover")),
    "may": lambda stage: at(stage, asked("may")),
    "swap": lambda stage: at(stage, asked("swap")),
    "evict": lambda stage: at(stage, asked("evict")),
    "over": lambda stage: at(stage, lambda v, s: v.phase == "GAME_OVER", 3),
}


# Those who wait see the same everywhere but where something is played, looked at in secret, or over.
SEEN = [(name, "seated") for name in MOMENTS]
SEEN += [(name, who) for name in ("play", "keep", "over") for who in ("other", "spectator")]


@pytest.mark.parametrize(("name", "who"), SEEN)
def test_nothing_to_find_and_nothing_wider_than_the_screen(name: str, who: str, opens: Opens, stage: Stage) -> None:
    moment = MOMENTS[name](stage)
    other = moment.staged.tokens[moment.seat - 1]
    page = opens(moment.staged.path, {"seated": moment.token, "other": other}.get(who), bypass_csp=True)
    problems = []
    for look in looks(page):
        problems += [f"{look}: {text}" for text in (*findings(page), *too_wide(page))]
        if look.startswith("1440"):
            problems += [f"{look}: {text}" for text in too_high(page)]
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("name", ["place", "play", "over"])
def test_on_a_tablet_the_office_and_the_hand_share_the_screen(name: str, opens: Opens, stage: Stage) -> None:
    moment = MOMENTS[name](stage)
    for width, height in ((800, 1100), (900, 900), (1024, 768), (1100, 800)):
        page = opens(moment.staged.path, moment.token, viewport={"width": width, "height": height})
        assert not too_wide(page), width
        top = page.locator("#prompt").evaluate("bar => bar.getBoundingClientRect().bottom")
        assert top < height, f"{width}: what is asked stands below the screen"
        cut = page.locator(".rn").evaluate_all("all => all.filter(e => e.scrollWidth > e.clientWidth).length")
        assert cut == 0, f"{width}: {cut} names of departments are cut off"
        page.close()


def test_the_rules_and_the_set_up(opens: Opens, stage: Stage) -> None:
    for path in (f"/rules/{GAME}", f"/games/{GAME}"):
        page = opens(path, bypass_csp=True)
        problems = [f"{look}: {text}" for look in looks(page) for text in (*findings(page), *too_wide(page))]
        assert not problems, "\n".join(problems)
