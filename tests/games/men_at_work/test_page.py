"""What the page makes of views and events: controls for all that is legal, cards, the judge's verdict, drawings."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

import pytest

from shopfloor.engine.events import Event
from shopfloor.games.men_at_work import GAME
from shopfloor.games.men_at_work import actions as a
from shopfloor.games.men_at_work.cards import GIRDER_HOW, PRESETS, WORKER_HOW
from shopfloor.games.men_at_work.page import drawn, page
from shopfloor.games.men_at_work.page.short import CLAUSES, HOW
from shopfloor.games.men_at_work.position import CRANE_STANDING, SITE_DESIGN
from shopfloor.games.men_at_work.rules import MenAtWork
from tests.games.men_at_work.table import (
    A,
    B,
    arrange,
    begun,
    brick,
    build,
    card_with,
    g,
    new_game,
    play,
    rest,
    s,
    seen,
    site,
    standing,
    touch,
    w,
)

NAMES = ("Ada", "Bo", "Cy", "Dee", "Eve")
FOLDER = GAME.folder / "page"


def shows(state: MenAtWork, seat: int | None, events: list[Event] | None = None) -> dict[str, Any]:
    names = ["You" if other == seat else name for other, name in enumerate(NAMES[: state.players])]

    def why(action: int) -> dict[str, str] | None:
        refusal = None if seat is None else state.refusal(seat, action)
        if refusal is None:
            return None
        return {"text": GAME.words.refusal(refusal, names), "clause": refusal.clause}

    return page.context(seen(state, seat), names, events or [], why)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"foreman": "on", "crane": "on"},
        {"skyscraper": "on", "crane": "on"},
        {"free_order": "on", "give_up_after": "3"},
    ],
)
def test_every_legal_action_has_its_control(options: dict[str, Any]) -> None:
    rng = Random(3)
    phases = set()
    for seed in range(3):
        state = new_game(3, seed, **options)
        for _ in range(150):
            if state.over():
                break
            shown = shows(state, state.hook)
            phases.add(state.phase)
            assert shown["choices"].shown == set(state.legal(state.hook))
            assert shown["rest"] == [], "what no part of the page has a place for"
            others = [seat for seat in range(3) if seat != state.hook]
            assert shows(state, others[0])["choices"].shown == set()
            state.play(state.hook, rng.choice(state.legal(state.hook)))
    assert len(phases) > 3


def symbols() -> dict[str, str]:
    text = (FOLDER / "symbols.svg").read_text(encoding="utf-8")
    return dict(re.findall(r'<symbol id="([\w-]+)"[^>]*>(.*?)</symbol>', text, re.DOTALL))


def test_every_instruction_has_a_picture_of_its_own_shape_and_a_sign() -> None:
    found = symbols()
    drawings = [found[f"how-{name}"] for name in (*GIRDER_HOW, *WORKER_HOW)]
    # Not in colour alone: without fills and patterns they still differ.
    shapes = {tuple(re.findall(r' d="([^"]+)"', re.sub(r'<path[^>]*fill="url[^>]*>', "", d))) for d in drawings}
    assert len(shapes) == len(drawings) == 21
    assert set(HOW) == set(CLAUSES) == {*GIRDER_HOW, *WORKER_HOW}
    assert len(set(HOW.values())) == 21


@pytest.mark.rule("MW-5.1", "MW-5.2", "MW-4.6")
def test_both_cards_are_shown_and_the_side_that_applies() -> None:
    state = arrange("G K/O", "BALANCE")
    shown = shows(state, B)
    assert shown["what"] == {"kind": "girder", "colours": ["orange", "black"], "text": shown["what"]["text"]}
    assert shown["how"]["name"] == "BALANCE"
    assert shown["how"]["clause"] == "MW-17.1"
    assert shown["other_how"]["name"] in WORKER_HOW
    state = arrange("W K/O", "CONNECT")
    shown = shows(state, None)
    assert shown["what"]["kind"] == "helmet"
    assert shown["how"]["name"] == "CONNECT"
    assert shown["other_how"]["name"] in GIRDER_HOW


@pytest.mark.rule("MW-A.10")
def test_a_colour_that_cannot_be_chosen_says_why() -> None:
    outcome = site([rest(g("O"), s(1)), touch(s(1), -1, 1000)], pieces=[s(1)])
    shown = shows(arrange("G K/O", "SAME_COLOUR", outcome), A)
    ways = {c["colour"]: c for c in shown["colours"]}
    assert ways["orange"]["action"] == a.CHOOSE_GIRDER + 1
    assert ways["black"]["action"] is None
    assert ways["black"]["why"][0]["clause"] == "MW-A.10"


@pytest.mark.rule("MW-13.2", "MW-S.14")
def test_foreman_cards_are_their_owners_alone() -> None:
    card = card_with(how="BALANCE")
    state = arrange("G K/O", "SAME_COLOUR", hands={A: [card], B: []}, foreman="on")
    shown = shows(state, A)
    assert [c["card"] for c in shown["cards"]] == [card]
    assert shown["cards"][0]["deck"]["action"] == a.PLAY_ON_DECK + card
    assert shown["cards"][0]["discard"]["action"] == a.PLAY_ON_DISCARD + card
    for other in (B, None):
        assert shows(state, other)["cards"] == []
        assert [p["cards"] for p in shows(state, other)["rail"] if p["seat"] == A] == [1]


def balanced() -> MenAtWork:
    """A black girder has been laid across another one, and one of its ends is touched."""
    outcome = site([rest(g("O"), s(1)), touch(s(1), -1, 1000)], pieces=[s(1)])
    state = arrange("G K/O", "BALANCE", outcome)
    play(state, A, "girder black")
    build(state, rest(g("K"), g("O")), rest(g("K"), s(1), span_x=(0, 9000)))
    return state


@pytest.mark.rule("MW-JG.1", "MW-6.5")
def test_the_verdict_says_what_is_not_met_first_with_the_pieces() -> None:
    verdict = shows(balanced(), B)["verdict"]
    assert [line["met"] for line in verdict["lines"]] == sorted(line["met"] for line in verdict["lines"])
    unmet = [line["code"] for line in verdict["lines"] if not line["met"]]
    assert set(unmet) == {"balance_supporters", "balance_end_touched"}
    assert verdict["open"] == 2
    assert all(g("K") in line["pieces"] for line in verdict["lines"] if not line["met"])
    assert verdict["begun"]


@pytest.mark.rule("MW-A.60")
def test_giving_up_too_early_says_when() -> None:
    buttons = shows(balanced(), A)["buttons"]
    assert buttons["finish"]["action"] == a.FINISH
    assert buttons["give_up"]["action"] is None
    assert buttons["give_up"]["why"][0]["clause"] == "MW-A.60"


@pytest.mark.rule("MW-A.20")
def test_pieces_stand_in_their_order_and_hats_with_their_worker() -> None:
    outcome = site([rest(g("K"), s(1)), touch(s(1), -1, 1000)], pieces=[s(1)])
    state = arrange("W K/O", "ONE_BRICK", outcome)
    play(state, A, "glove black")
    steps = shows(state, A)["steps"]
    assert [[p["kind"] for p in step["pieces"]] for step in steps] == [["worker"], ["brick"]]
    assert steps[0]["pieces"][0]["action"] == a.GRIP + w(1)
    assert steps[1]["pieces"][0]["action"] is None
    build(state, *standing(w(1), g("K")))
    assert shows(state, A)["buttons"]["next"]["action"] == a.NEXT_PIECE
    assert shows(state, A)["steps"][0]["pieces"][0]["placed"]
    assert brick(1) in [p["piece"] for p in shows(state, A)["steps"][1]["pieces"]]


@pytest.mark.rule("MW-10.2", "MW-A.28")
def test_what_fell_is_listed_with_all_that_can_be_done_about_it() -> None:
    state = balanced()
    play(state, A, "grip black girder 1")
    fallen = site(
        [rest(g("O"), s(1)), touch(s(1), -1, 1000), touch(g("K"), -1, 900)],
        pieces=[s(1)],
        accident=("surface", g("K"), -1),
        fell=[g("K")],
    )
    play(state, A, "release", fallen)
    assert state.hook == B
    shown = shows(state, B)
    (lying,) = shown["clean"]
    assert lying["piece"] == g("K")
    assert lying["ways"][0]["action"] == a.RETRIEVE + g("K")
    assert lying["ways"][1]["why"][0]["clause"] == "MW-A.28"
    assert shown["buttons"]["clean_done"]["why"][0]["clause"] == "MW-10.6"
    assert shows(state, A)["clean"][0]["ways"][0]["action"] is None


def test_an_accident_is_told_until_the_next_thing_is_built() -> None:
    state = new_game(2, report=True)
    state.play(0, 0)
    events = state.drain()
    fall = Event("accident", "MW-9.1", {"seat": 0, "how": "surface", "piece": g("K"), "on": -1, "fell": [g("K")]})
    assert shows(state, B, events)["accident"] is None
    assert shows(state, B, [*events, fall])["accident"]["piece"] == g("K")
    after = Event("built", "MW-16.3", {"seat": 1, "instruction": "BALANCE", "pieces": [g("O")]})
    assert shows(state, B, [*events, fall, after])["accident"] is None


def test_chapters_of_the_log_begin_with_the_hook() -> None:
    assert page.chapter(Event("hook_passed", "MW-4.4", {"seat": 1}), NAMES) == "Bo has the hook"
    assert page.chapter(Event("hook_passed", "MW-4.4", {"seat": 1}), ("Ada", "You")) == "You have the hook"
    assert page.chapter(Event("built", "MW-16.3", {"seat": 1}), NAMES) == ""


@pytest.mark.rule("MW-4.2")
@pytest.mark.parametrize("options", [{}, {"crane": "on"}, {"skyscraper": "on"}, {"crane": "on", "skyscraper": "on"}])
def test_the_first_turn_has_its_chapter_below_the_design_of_the_site(options: dict[str, Any]) -> None:
    state = new_game(2, report=True, **options)
    while state.phase in (SITE_DESIGN, CRANE_STANDING):
        state.play(A, state.legal(A)[0])
    told = state.drain()
    titles = {event.kind: page.chapter(event, NAMES) for event in told}
    assert titles.pop("hook_passed") == "Ada has the hook"
    assert not any(titles.values())
    kinds = [event.kind for event in told]
    first = kinds.index("hook_passed")
    assert "card_revealed" in kinds[first:]
    assert set(kinds[:first]) <= {"game_began", "cards_dealt", "site_designed", "crane_stands"}


@pytest.mark.rule("MW-3.10")
def test_the_youngest_sees_drawings_of_the_sample_sites() -> None:
    cases: list[tuple[dict[str, Any], str]] = [
        ({}, ""),
        ({"crane": "on"}, "crane_"),
        ({"skyscraper": "on"}, "skyscraper_"),
    ]
    for options, wanted in cases:
        designs = shows(new_game(2, **options), A)["designs"]
        assert [d["plan"] for d in designs] == [*PRESETS, "free"]
        box = wanted == "skyscraper_"
        for design in designs[:3]:
            expected = drawn.corner(drawn.preset(wanted + design["plan"]), box, "", f"The {design['plan']} site")
            assert design["drawing"] == expected
    assert shows(new_game(2), B)["designs"] == []


def test_the_scene_gets_millimetres_and_nothing_hidden() -> None:
    state = begun(3, foreman="on")
    told = json.loads(shows(state, B)["scene"])
    poses = {row[0]: row[1:] for row in told["pieces"]}
    measured = {pose[0]: pose[1:] for pose in state.measure.poses}
    assert set(poses) == set(measured)
    for piece, pose in poses.items():
        assert pose[:3] == pytest.approx([v / 1000 for v in measured[piece][:3]], abs=0.001)
        assert sum(v * v for v in pose[3:]) == pytest.approx(1, abs=1e-5)
    assert told["fixed"] == []
    assert not {"deck", "stack", "rest", "cards", "hands"} & set(told)
    tall = json.loads(shows(begun(2, skyscraper="on", plan=0), A)["scene"])
    assert {row[0] for row in tall["fixed"]} == {-2, -3, -4}


def test_the_end_is_ranked_with_what_decided() -> None:
    rng = Random(1)
    state = new_game(2, 4, attempt_limit="3")
    while not state.over():
        state.play(state.hook, rng.choice(state.legal(state.hook)))
    shown = shows(state, A)
    assert [r["place"] for r in shown["ranking"]] == sorted(r["place"] for r in shown["ranking"])
    assert any(v["decided"] for r in shown["ranking"] for v in r["values"])
    assert shown["winners"]
    assert shown["phases"] == []


# -- drawings ---------------------------------------------------------------------------------------------------------


def order(drawing: str) -> list[str]:
    """The pieces' classes in the order in which they are drawn."""
    return re.findall(r'<g class="pc ([\w-]+)', drawing)


def test_what_lies_above_is_drawn_over_what_is_below() -> None:
    # Flat on each other, and one across the two: from the ground up, whichever is listed first.
    flat = (10_000_000, 0, 0, 0)
    across = (7_071_068, 0, 0, 7_071_068)
    low = (g("K"), (0, 0, 5000, *flat), False)
    middle = (g("O"), (30_000, 20_000, 15_000, *across), False)
    high = (g("W"), (-10_000, 25_000, 25_000, *flat), False)
    for placed in ((low, middle, high), (high, middle, low), (middle, high, low)):
        assert order(drawn.corner(placed)) == ["g-black", "g-orange", "g-white"]


def test_drawings_show_every_piece_and_what_is_new() -> None:
    placed = drawn.preset("expert")
    for drawing in (drawn.corner(placed), drawn.plan(placed)):
        for ink in ("g-black", "g-orange", "g-purple", "g-white", "k-support", "k-worker", "k-hat"):
            assert ink in drawing
        assert " new" not in drawing
    fresh = tuple((piece, pose, piece == g("K")) for piece, pose, _ in placed)
    assert drawn.corner(fresh).count(" new") == 1
    assert drawn.plan(fresh).count(" new") == 1


@pytest.mark.rule("MW-14.1", "MW-15.1")
def test_crane_and_box_are_drawn_too() -> None:
    placed = drawn.preset("crane_beginner")
    assert order(drawn.corner(placed, False, "middle")).count("card") == 5
    assert order(drawn.corner(placed)).count("card") == 0
    assert order(drawn.corner(drawn.preset("skyscraper_beginner"), True)).count("card") > 5


def test_the_plan_is_to_scale_and_away_is_up() -> None:
    plan = drawn.plan(((s(1), (100_000, 50_000, 25_000, 10_000_000, 0, 0, 0), False),))
    (path,) = re.findall(r'class="pc k-support" d="([^"]+)"', plan)
    points = [tuple(map(float, pair.split())) for pair in re.findall(r"-?\d+\.\d -?\d+\.\d", path)]
    assert (min(x for x, _ in points), max(x for x, _ in points)) == (87.5, 112.5)
    assert (min(y for _, y in points), max(y for _, y in points)) == (-62.5, -37.5)


def test_the_drawings_of_the_rules_are_those_of_the_sample_sites() -> None:
    for name in (*PRESETS, "crane_beginner", "skyscraper_beginner"):
        crane = "middle" if name.startswith("crane") else ""
        label = f"The {name.replace('_', ' ')} site"
        text = drawn.corner(drawn.preset(name), name.startswith("skyscraper"), crane, label)
        stored = (FOLDER / "drawings" / f"{name}.svg").read_text(encoding="utf-8")
        assert stored.strip() == text.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
