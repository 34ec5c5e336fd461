"""What the page makes of views and events: places on tracks, things that travel, proposals, headings of the log."""

from __future__ import annotations

import re
from itertools import chain
from random import Random
from typing import Any

import pytest

from shopfloor.engine.events import Event
from shopfloor.games.worker_placement import GAME, cards, payment, rules
from shopfloor.games.worker_placement.actions import CARD, CUBE
from shopfloor.games.worker_placement.page import board, page, payments, shown
from shopfloor.games.worker_placement.page.travel import Travel
from tests.games.worker_placement.leaning import LEANS
from tests.games.worker_placement.table import A, B, C, at_auction, card, job, new_game, play, seen, table
from tests.playing import decisions

NAMES = ("Ada", "Bo", "Cy", "Dee", "Eve")


def shows(s: rules.WorkerPlacement, seat: int | None, events: list[Event]) -> dict[str, Any]:
    names = ["You" if other == seat else name for other, name in enumerate(NAMES[: s.players])]
    mine = [e for e in events if e.audience is None or (seat is not None and seat in e.audience)]
    return page.context(GAME.view(s, seat), names, mine, lambda action: None)  # type: ignore[arg-type]


def rail(context: dict[str, Any], seat: int) -> dict[str, Any]:
    return next(row for row in context["rail"] if row["seat"] == seat)


@pytest.mark.rule("WP-3.4")
def test_tokens_stand_in_their_spaces() -> None:
    s = table("", "", "", cash=[0, 60, 63], thumbs=[2, 31, 44])
    tracks = board.tracks(seen(s, A), Travel(seen(s, A), []))
    assert len(tracks["cash"]) == 61
    assert tracks["cash"][0] == [{"seat": A, "laps": 0}]
    assert tracks["cash"][60] == [{"seat": B, "laps": 0}]
    assert tracks["cash"][3] == [{"seat": C, "laps": 1}]
    # The window of the Thumbs track begins at a multiple of five; who is behind it is told there.
    assert tracks["first_thumb"] == 15
    assert tracks["thumbs"][0] == [{"seat": A, "low": True, "thumbs": 2}]
    assert tracks["thumbs"][31 - 15] == [{"seat": B, "low": False, "thumbs": 31}]
    assert tracks["thumbs"][44 - 15] == [{"seat": C, "low": False, "thumbs": 44}]


@pytest.mark.parametrize("most", [0, 29, 30, 34, 35, 61])
def test_the_thumbs_window_holds_whoever_leads(most: int) -> None:
    s = table("", "", thumbs=[most, 0])
    tracks = board.tracks(seen(s, A), Travel(seen(s, A), []))
    place = most - tracks["first_thumb"]
    assert 0 <= place < len(tracks["thumbs"])
    assert {"seat": A, "low": False, "thumbs": most} in tracks["thumbs"][place]


def test_a_won_card_goes_to_the_winners_hand() -> None:
    s = at_auction("", "", "")
    events = play(s, A, "bid 7") + play(s, B, "pass") + play(s, C, "pass") + play(s, A, "pass")
    for viewer in (A, B, None):
        assert rail(shows(s, viewer, events), A)["card"] is None
    events += play(s, A, "pick W10")
    assert rail(shows(s, B, events), A)["card"] == card("W10")
    assert rail(shows(s, None, events), A)["card"] == card("W10")
    # The winner sees it in the hand itself.
    context = shows(s, A, events)
    assert rail(context, A)["card"] is None
    assert card("W10") in [c["card"] for c in context["hand"]]


def test_filled_jobs_and_played_cards_are_seen_where_they_went() -> None:
    s = table("W01 S06", "", jobs="J03 J21 J22 J23", cubes=["L1"])
    events = play(s, A, "job J03", "use W01", "pay")
    context = shows(s, B, events)
    assert rail(context, A)["job"] == job("J03")
    assert [g["job"] for g in context["gone"]] == [job("J03")]
    assert context["piles"]["top"][-2:] == [card("W01"), card("S06")]


def test_nothing_has_two_names() -> None:
    """Card names for what travels: each on one thing at a time, in whatever view, in every step of a game."""
    for players, lean in ((2, "consult"), (4, "jobs"), (5, "swap")):
        s = new_game(players, 3, rounds="5")
        events = s.drain()
        for _ in decisions(s, Random(1), LEANS[lean], 80):
            events += s.drain()
            for seat in (A, B, None):
                context = shows(s, seat, events)
                draft = (context["draft"] or {"cards": []})["cards"]
                found = [c["card"] for c in chain(context["hand"], draft, context["hall"]["cards"])]
                found += [row["card"] for row in context["rail"] if row["card"] is not None]
                assert len(found) == len(set(found))
                if not s.over():
                    found += context["piles"]["top"]
                    assert len(found) == len(set(found))
                jobs = [j["job"] for j in context["jobs"]] + [row["job"] for row in context["rail"]]
                jobs += [context["preview"]["job"]] if context["preview"] else []
                jobs = [j for j in jobs if j is not None]
                assert len(jobs) == len(set(jobs))


def test_the_page_proposes_as_cheaply_as_the_table() -> None:
    rng = Random(5)
    possible = 0
    for _ in range(120):
        s = new_game(2, edition=cards.load())
        s.hand[A] = sorted(rng.sample(range(24), 2) + rng.sample(range(24, 47), rng.randint(0, 5)))
        s.cubes[:4] = [rng.choice((0, 0, 1, 2)) for _ in range(4)]
        j = rng.randrange(42)
        view = seen(s, A)
        hand = view.seats[A].hand
        assert hand is not None
        skill_cards = [c for c in hand if c.kind == "skill"]
        needs = s.cards.job_needs(j)
        costs = []
        for worker in hand:
            if worker.kind != "worker":
                continue
            found = payments.cheapest(needs, worker, skill_cards, s.cubes[:4])
            have = payment.with_card(s.cards, [0] * 5, worker.card)
            best, _, _ = payment.complete(s, A, j, have, [], [0] * 5)
            assert (found is None) == (best == payment.NEVER)
            if found is None:
                continue
            cost = sum(payment._card_cost(s.cards, c) for c in found.cards) + payment.CUBE_COST * sum(found.cubes)
            assert cost == best
            costs.append(cost)
            assert payments.values(found, CARD, CUBE)[0] == CARD + worker.card
        possible += bool(costs)
    assert possible > 40


def test_each_placement_heads_the_log() -> None:
    s = table("", "")
    placed, *rest = play(s, A, "go health_spa")
    assert page.chapter(placed, ["You", "Bo"]) == "You at the Health Spa"
    assert [page.chapter(event, ["You", "Bo"]) for event in rest] == [""]


def test_every_job_of_our_edition_has_a_picture() -> None:
    symbols = (GAME.folder / "page" / "symbols.svg").read_text(encoding="utf-8")
    drawn = set(re.findall(r'<symbol id="job-(\w+)"', symbols))
    assert drawn == {*cards.load().job_ids, "any"}
    assert drawn - {"any"} == shown.DRAWN
