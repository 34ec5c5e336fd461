"""Filling Jobs (WP section 9): payments in all their variety, and the payment that the table proposes."""

from itertools import combinations, product
from random import Random

import pytest

from shopfloor.games.worker_placement import cards, payment
from shopfloor.games.worker_placement.rules import WorkerPlacement
from tests.games.worker_placement.table import (
    CARDS,
    A,
    B,
    accepted,
    at_auction,
    card,
    counts,
    hand,
    ids,
    job,
    job_ids,
    legal,
    new_game,
    one,
    own_cubes,
    play,
    refused,
    seen,
    table,
)


def paul(worker: str, more: str = "", cubes: str = "T2") -> WorkerPlacement:
    """The rulebook's Paul in front of the Board Game Designer."""
    return table(f"{worker} S06 {more}", "", cash=[2, 5], cubes=[cubes], jobs="J15 J21 J22 J23")


@pytest.mark.rule("WP-9.1", "WP-9.2", "WP-9.4", "WP-9.5", "WP-9.6", "WP-11.1", "WP-T44", "WP-8.5")
def test_gunther_becomes_a_board_game_designer() -> None:
    s = paul("W01")
    play(s, A, "job J15", "use W01", "use S06", "cube tech")
    plan = seen(s, A).plan
    assert plan is not None
    assert (plan.missing, plan.have) == (1, (1, 1, 1, 1, 0))
    play(s, A, "cube tech")
    events = play(s, A, "done")
    assert (s.cash[A], s.thumbs[A]) == (7, 3)
    assert ids(s.discards) == "W01 S06"
    assert s.supply[2] == 12
    assert job_ids(s.filled[A]) == "J15"
    assert job_ids(s.jobs) == "J21 J22 J23"
    assert s.deciders() == (B,)
    filled = one(events, "job_filled")
    assert (filled.facts["worker_name"], filled.facts["cubes"]) == ("Gunther Klaus", [0, 0, 2, 0])
    assert one(events, "meeple_placed").facts["cost"] == 0


@pytest.mark.rule("WP-9.2", "WP-9.4", "WP-T45")
def test_jaques_needs_one_more_clerical() -> None:
    s = paul("W02")
    refused(s, A, "job J15", "SKILLS_SHORT", "WP-9.2", missing=1, needs=[1, 1, 2, 0, 0])
    assert seen(s, A).jobs[0].missing == 1
    for more, cubes in (("S01", "T2"), ("", "T2 C1")):
        s = paul("W02", more, cubes)
        play(s, A, "job J15", "use W02", *(["use S01"] if more else ["cube clerical"]), "use S06", "cube tech")
        refused(s, A, "done", "SKILLS_SHORT", "WP-9.2", missing=1)
        play(s, A, "cube tech", "done")
        assert job_ids(s.filled[A]) == "J15"
        assert (s.hand[A], own_cubes(s, A)) == ([], "")


@pytest.mark.rule("WP-9.1", "WP-9.3", "WP-T46")
def test_one_worker_and_what_is_there() -> None:
    s = table("S06 S01", "", cubes=["T2"], jobs="J15")
    refused(s, A, "job J15", "NO_WORKER_CARD", "WP-9.1")
    s = paul("W01", "W02 S01 M03")
    play(s, A, "job J15")
    refused(s, A, "use S06", "MALFORMED", "WP-9.1")
    refused(s, A, "use W05", "CARD_NOT_IN_HAND", "WP-9.2")
    refused(s, A, "done", "MALFORMED", "WP-9.1")
    refused(s, A, "cube tech", "WRONG_PHASE", "WP-9.1")
    play(s, A, "use W01")
    refused(s, A, "use W02", "TOO_MANY_WORKERS", "WP-9.3", name="Jaques Mondieux")
    refused(s, A, "use W01", "MALFORMED", "WP-9.2")
    refused(s, A, "use S07", "CARD_NOT_IN_HAND", "WP-9.2")
    refused(s, A, "use M03", "MALFORMED", "WP-9.2")
    refused(s, A, "cube life", "NO_CUBE_TO_RETURN", "WP-9.2")
    refused(s, A, "health_spa", "WRONG_PHASE", "WP-9.2")
    play(s, A, "use S06")
    refused(s, A, "use S06", "MALFORMED", "WP-9.2")
    play(s, A, "cube tech", "cube tech")
    refused(s, A, "cube tech", "NO_CUBE_TO_RETURN", "WP-9.2")
    refused(s, A, "pay", "MALFORMED", "WP-9.2")
    assert accepted(s, A, "done")


@pytest.mark.rule("WP-9.2")
def test_a_worker_who_cannot_do_it_is_refused() -> None:
    s = table("W01 W02", "", jobs="J01", cubes=["T1"])
    play(s, A, "job J01")
    assert legal(s, A) == ["card W01"]
    refused(s, A, "use W02", "SKILLS_SHORT", "WP-9.2", missing=1, have=[0, 0, 1, 2, 0])


@pytest.mark.rule("WP-9.7", "WP-T47", "WP-8.5")
def test_several_jobs_a_round() -> None:
    s = table("W05 W06", "", cash=0, jobs="J21 J22", at={"job_centre": "B"})
    play(s, A, "job J21", "use W05", "done")
    assert s.deciders() == (B,)
    play(s, B, "call_centre")
    play(s, A, "job J22", "use W06", "done")
    assert job_ids(s.filled[A]) == "J21 J22"
    assert s.cash[A] == 2
    assert s.here[6] == 3


@pytest.mark.rule("WP-9.8", "WP-T48")
def test_no_jobs_left() -> None:
    s = table("W05 W06", "", jobs="J21")
    play(s, A, "job J21", "use W05", "pay") if accepted(s, A, "pay") else play(s, A, "job J21", "use W05", "done")
    play(s, B, "call_centre")
    assert seen(s, A).preview is not None
    refused(s, A, "job J30", "NO_JOBS", "WP-9.8")
    refused(s, A, "job J22", "NO_JOBS", "WP-9.8")


@pytest.mark.rule("WP-5.3", "WP-T11")
def test_the_preview_cannot_be_filled() -> None:
    s = table("W05", "")
    refused(s, A, "job J30", "JOB_NOT_FACE_UP", "WP-5.3", preview=True)
    refused(s, A, "job J31", "JOB_NOT_FACE_UP", "WP-9.1", preview=False)


@pytest.mark.rule("WP-1.8", "WP-A3", "WP-T49")
def test_wild_skills() -> None:
    s = table("W03", "", jobs="J01 J02 J05")
    assert legal(s, A)[-2:] == ["job J01", "job J05"]
    refused(s, A, "job J02", "SKILLS_SHORT", "WP-9.2", missing=1)
    play(s, A, "job J01", "use W03", "done")
    assert job_ids(s.filled[A]) == "J01"
    # A wild requirement takes any skill to spare: of the Worker, a card, a cube, or a wild one.
    for cards_, cubes in (("W01", ""), ("W05 S06", ""), ("W05", "F1"), ("W05", "C1"), ("W05 S21", "")):
        s = table(cards_, "", jobs="J05", cubes=[cubes])
        play(s, A, "job J05", f"use {cards_[:3]}")
        if accepted(s, A, "pay"):
            play(s, A, "pay")
        else:
            play(s, A, "done")
        assert (s.hand[A], own_cubes(s, A)) == ([], "")
    refused(table("W05", "", jobs="J05"), A, "job J05", "SKILLS_SHORT", "WP-9.2", missing=1)


@pytest.mark.rule("WP-A24", "WP-T50")
def test_more_than_is_needed_can_be_paid() -> None:
    s = paul("W01", "", "T2 C1")
    play(s, A, "job J15", "use W01")
    view = seen(s, A)
    assert view.plan is not None
    assert view.plan.completion is not None
    assert view.plan.completion.cubes == (0, 0, 2, 0)  # the proposal has nothing to spare
    play(s, A, "use S06", "cube tech", "cube tech")
    assert accepted(s, A, "cube clerical")
    play(s, A, "cube clerical", "done")
    assert own_cubes(s, A) == ""
    assert s.supply == [12] * 4


@pytest.mark.rule("WP-9.2", "WP-9.4", "WP-T63")
def test_a_card_with_more_than_is_needed() -> None:
    s = table("W04 S03", "", jobs="J03")
    play(s, A, "job J03", "use W04", "use S03", "done")
    assert job_ids(s.filled[A]) == "J03"


@pytest.mark.rule("WP-11.1", "WP-9.7", "WP-T64")
def test_every_job_needs_a_worker_of_its_own() -> None:
    s = table("W05 S01", "", cubes=["C3"])
    play(s, A, "job J21", "use W05", "done")
    play(s, B, "call_centre")
    refused(s, A, "job J22", "NO_WORKER_CARD", "WP-9.1")


@pytest.mark.rule("WP-A32", "WP-T70", "WP-3.2")
def test_jobs_that_cost_something() -> None:
    s = table("W05", "", thumbs=0, jobs="J04")
    refused(s, A, "job J04", "THUMBS_BELOW_ZERO", "WP-A32", needs=1, thumbs=0)
    s = table("W05", "", thumbs=1, jobs="J04")
    play(s, A, "job J04", "use W05", "done")
    assert (s.cash[A], s.thumbs[A]) == (7, 0)
    s = table("W05", "", cash=2, jobs="J14")
    refused(s, A, "job J14", "CANNOT_AFFORD_PLACEMENT", "WP-A32", cost=3, cash=2)
    s = table("W05", "", cash=3, jobs="J14")
    play(s, A, "job J14", "use W05", "done")
    assert s.cash[A] == 0


def test_choices_for_a_job_are_nobody_elses_business() -> None:
    s = paul("W01")
    learned = s.revelations
    before = seen(s, B)
    play(s, A, "job J15", "use W01", "use S06")
    assert seen(s, B) == before
    assert seen(s, None).phase == "PLACE"
    assert s.drain() == []
    assert s.revelations == learned
    imagined = s.imagine(B, s.dice.clone())
    assert seen(imagined, B) == seen(s, B)
    assert seen(s.imagine(A, s.dice.clone()), A) == seen(s, A)


# -- the cheapest payment ---------------------------------------------------------------------------------------------


def all_payments(s: WorkerPlacement, j: int) -> list[tuple[int, int, list[int], tuple[int, ...]]]:
    """Every legal payment for a Job with what it is taken to cost, found by trying everything."""
    own = s.hand[A]
    skill_cards = [c for c in own if 24 <= c < 47]
    found = []
    for worker in (c for c in own if c < 24):
        for size in range(len(skill_cards) + 1):
            for chosen in combinations(skill_cards, size):
                for cubes in product(*(range(n + 1) for n in s.cubes[:4])):
                    have = [*cubes, 0]
                    for c in (worker, *chosen):
                        have = payment.with_card(s.cards, have, c)
                    if payment.missing(s.cards.needs, j, have) <= 0:
                        cost = sum(payment._card_cost(s.cards, c) for c in (worker, *chosen))
                        found.append((cost + payment.CUBE_COST * sum(cubes), worker, list(chosen), cubes))
    return found


@pytest.mark.rule("WP-A24", "WP-9.2")
@pytest.mark.parametrize("several", [False, True])
def test_the_proposal_is_the_cheapest_payment_there_is(several: bool) -> None:
    rng = Random(7)
    possible = 0
    for _ in range(150):
        skills = list(CARDS.skills if several else cards.load().skills)
        if several:
            for c in range(24, 47):
                skills[5 * c : 5 * c + 5] = [rng.choice((0, 0, 1, 2)) for _ in range(4)] + [rng.choice((0, 0, 1))]
                if not any(skills[5 * c : 5 * c + 5]):
                    skills[5 * c] = 1
        edition = cards.fixture(skills=tuple(skills))
        s = new_game(2, edition=edition)
        s.hand[A] = sorted(rng.sample(range(24), 2) + rng.sample(range(24, 47), rng.randint(0, 4)))
        s.cubes[:4] = [rng.choice((0, 0, 1, 2)) for _ in range(4)]
        j = rng.randrange(42)
        found = all_payments(s, j)
        worker, chosen, cubes = payment.proposal(s, A, j)
        assert (worker >= 0) == bool(found)
        assert bool(payment.able_workers(s, A, j)) == bool(found)
        if not found:
            continue
        possible += 1
        cost = sum(payment._card_cost(edition, c) for c in (worker, *chosen)) + payment.CUBE_COST * sum(cubes)
        assert (worker, chosen, tuple(cubes)) in [entry[1:] for entry in found]
        assert cost == min(entry[0] for entry in found)
    assert possible > 40


@pytest.mark.rule("WP-A24")
def test_the_table_completes_a_payment_that_was_begun() -> None:
    s = paul("W02", "S01 S02 S21", "T2")
    view = seen(s, A)
    proposal = view.jobs[0].proposal
    assert proposal is not None
    assert (proposal.worker, proposal.cubes) == (card("W02"), (0, 0, 2, 0))
    assert set(proposal.cards) == {card("S01"), card("S06")}
    play(s, A, "job J15", "use W02", "use S02", "use S21")
    plan = seen(s, A).plan
    assert plan is not None
    assert plan.completion is not None
    assert (plan.completion.cards, plan.completion.cubes) == ((card("S06"),), (0, 0, 1, 0))
    play(s, A, "pay")
    assert hand(s, A) == "S01"
    assert own_cubes(s, A) == "T1"
    assert job_ids(s.filled[A]) == "J15"


def test_views_say_how_far_one_would_get() -> None:
    s = table("W02 S06", "", jobs="J15 J03 J21", cubes=["T1"])
    short = {j.id: (j.missing, j.reach) for j in seen(s, A).jobs}
    assert short["J15"] == (2, (0, 1, 1, 2, 0))
    assert short["J03"] == (1, (0, 1, 1, 2, 0))
    assert seen(s, None).jobs[0].missing is None
    assert seen(at_auction("S06", ""), A).jobs[0].missing == 1  # no Worker, but what the rest would do
    assert counts("T2 C1") == [1, 0, 2, 0, 0]
    assert job("J15") == 14
