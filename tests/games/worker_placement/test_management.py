"""Career Consultants and the Management cards (WP-11.3, WP-A21 to WP-A23, WP-A36 to WP-A41)."""

from collections import Counter

import pytest

from shopfloor.engine.dice import FastDice
from shopfloor.games.worker_placement import cards
from shopfloor.games.worker_placement.position import NONE
from shopfloor.games.worker_placement.words import effect
from tests.games.worker_placement.table import (
    CARDS,
    EFFECTS,
    A,
    B,
    C,
    D,
    Loaded,
    accepted,
    card,
    check_conservation,
    hand,
    ids,
    job_ids,
    kinds,
    legal,
    one,
    own_cubes,
    play,
    refused,
    script,
    seen,
    table,
)


def printed(**effects: str) -> cards.Cards:
    """The fixture edition with other effects on Management cards."""
    wanted = EFFECTS | effects
    return cards.fixture(
        skills=CARDS.skills,
        scripts=tuple(script(wanted[name]) if name in wanted else () for name in CARDS.business_ids),
        at_end=CARDS.at_end,
        needs=CARDS.needs,
        job_cash=CARDS.job_cash,
        job_thumbs=CARDS.job_thumbs,
    )


@pytest.mark.rule("WP-11.3", "WP-A21", "WP-A36", "WP-T40")
def test_who_may_consult() -> None:
    s = table("W05", "")
    refused(s, A, "consult M03", "NO_MANAGEMENT_CARD", "WP-11.3")
    s = table("M03", "")
    refused(s, A, "consult M08", "CARD_NOT_IN_HAND", "WP-11.3")
    s = table("M03", "", cash=0, at={"career_consultants": "B"})
    refused(s, A, "consult M03", "CANNOT_AFFORD_PLACEMENT", "WP-8.4", cost=1, cash=0)


@pytest.mark.rule("WP-11.3", "WP-A22", "WP-T70")
def test_a_played_card_is_discarded() -> None:
    s = table("M03", "", cash=1, at={"career_consultants": "B"})
    events = play(s, A, "consult M03")
    assert (s.hand[A], ids(s.discards), s.cash[A]) == ([], "M03", 5)
    assert kinds(events) == ["meeple_placed", "cash_changed", "card_played", "cash_changed"]
    assert s.deciders() == (B,)


@pytest.mark.rule("WP-3.3", "WP-A23", "WP-T41")
def test_who_has_three_loses_three() -> None:
    s = table("M02", "", "", cash=[0, 3, 9])
    events = play(s, A, "consult M02")
    view = seen(s, C)
    assert view.phase == "TARGET"
    assert view.playing is not None
    assert view.playing.card.id == "M02"
    assert kinds(events) == ["meeple_placed", "card_played"]
    refused(s, A, "target 0", "MALFORMED", "WP-A36")
    refused(s, A, "target 4", "MALFORMED", "WP-A36")
    refused(s, A, "done", "MALFORMED", "WP-A36")
    refused(s, A, "health_spa", "WRONG_PHASE", "WP-A36")
    assert legal(s, A) == ["target 1", "target 2"]
    events = play(s, A, "target 1")
    assert s.cash == [3, 0, 9]
    assert [event.clause for event in events] == ["WP-3.3", "WP-A23"]
    s = table("M02", "", cash=[0, 9])  # nobody else: no question
    play(s, A, "consult M02")
    assert s.cash == [4, 5]


@pytest.mark.rule("WP-A36", "WP-A22", "WP-T78")
def test_cards_that_can_change_nothing() -> None:
    s = table("M02", "", "", cash=[5, 0, 0])
    refused(s, A, "consult M02", "CARD_NOT_PLAYABLE", "WP-A36", why="no_effect")
    s = table("M15", "")
    refused(s, A, "consult M15", "CARD_NOT_PLAYABLE", "WP-A36", why="at_end")
    s = table("M05", "", "", thumbs=[2, 0, 0])
    events = play(s, A, "consult M05")
    assert s.thumbs == [3, 0, 0]
    assert one(events, "step_skipped").facts == {"seat": A, "effect": "lose_thumbs"}
    for name, position in (
        ("M06", {"cubes": ["C12 L12", "T12 F12"]}),
        ("M07", {"deck": "", "edition": printed(M07="steal_card 1 random target")}),
        ("M09", {"jobs": ""}),
        ("M09", {"preview": "", "job_deck": ""}),
        ("M13", {}),
        ("M14", {}),
        ("M01", {"round_no": 8}),
        ("M01", {"edition": printed(M01="claim_order 3")}),
    ):
        s = table(name, "", **position)
        refused(s, A, f"consult {name}", "CARD_NOT_PLAYABLE", "WP-A36", why="no_effect")
    s = table("M08", "", deck="")
    refused(s, A, "consult M08", "CARD_NOT_PLAYABLE", "WP-A36")
    s = table("M05", "", thumbs=[20, 0], thumbs_cap="20")
    refused(s, A, "consult M05", "CARD_NOT_PLAYABLE", "WP-A36")


@pytest.mark.rule("WP-A22", "WP-3.2", "WP-A21")
def test_what_a_card_costs_must_be_there() -> None:
    s = table("M04", "", cash=1, thumbs=1)
    play(s, A, "consult M04")  # 1 Thumb and 1 Cash for 3 Cash
    assert (s.cash[A], s.thumbs[A]) == (3, 0)
    for position in ({"cash": 1, "thumbs": 0}, {"cash": 0, "thumbs": 1}):
        refused(table("M04", "", **position), A, "consult M04", "CARD_NOT_PLAYABLE", "WP-A22", why="costs")  # type: ignore[arg-type]
    s = table("M04", "", cash=1, at={"career_consultants": "B"})
    refused(s, A, "consult M04", "CARD_NOT_PLAYABLE", "WP-A22", cash=2, thumbs=1)


@pytest.mark.rule("WP-A31", "WP-A37", "WP-T79")
def test_claiming_a_position() -> None:
    s = table("M01", "", "", thumbs=[0, 9, 9])
    events = play(s, A, "consult M01")
    assert one(events, "order_claimed").facts == {"seat": A, "position": 1}
    assert seen(s, C).seats[A].claim == 1
    s.hand[A] = [card("M01")]
    s.discards = []
    s.turn, s.pending, s.ready = 0, 1, None
    refused(s, A, "consult M01", "CARD_NOT_PLAYABLE", "WP-A36", why="no_effect")  # claimed already


@pytest.mark.rule("WP-A38", "WP-T80", "WP-8.2", "WP-8.1")
def test_recalling_meeples() -> None:
    s = table("M12 W05", "", thumbs=9, cash=9)
    asked = [A, B, A]
    play(s, A, "health_spa")
    play(s, B, "health_spa")
    play(s, A, "consult M12")
    refused(s, A, "done", "MALFORMED", "WP-A38")
    refused(s, A, "recall casino", "MALFORMED", "WP-A38")
    assert legal(s, A) == ["recall health_spa", "recall career_consultants"]
    play(s, A, "recall health_spa")
    assert accepted(s, A, "done")
    assert seen(s, A).buildings[5].cost == 1
    play(s, A, "recall career_consultants")
    assert [s.here[5], s.here[8]] == [1, 0]
    assert (s.reserve[A], s.on_track[A]) == (2, 1)
    s.hand[A] = sorted([*s.hand[A], card("M12")])
    s.discards = []
    s.ready = None
    while s.round_no == 1 and seen(s, None).phase == "PLACE":
        (seat,) = s.deciders()
        asked.append(seat)
        if seat == A:
            refused(s, A, "consult M12", "CARD_NOT_PLAYABLE", "WP-A36", why="no_effect")
            assert s.on_track[A] == 1
        play(s, seat, "call_centre")
    assert asked == [A, B, A, B, A, B, A, A]
    check_conservation(s)


@pytest.mark.rule("WP-A38")
def test_a_single_meeple_may_come_back() -> None:
    s = table("M12", "")
    play(s, A, "consult M12")
    events = play(s, A, "recall career_consultants")  # there is no other
    assert kinds(events) == ["meeple_recalled"]
    assert s.reserve[A] == 2
    assert s.deciders() == (B,)
    s = table("M12", "", at={"casino": "AB"}, turn=A)
    play(s, A, "consult M12", "recall casino", "done")
    assert s.here[8:10] == [1, 1]
    assert (s.reserve[A], s.on_track[A]) == (1, 1)


@pytest.mark.rule("WP-A39", "WP-T81", "WP-I6")
def test_changing_the_jobs() -> None:
    s = table("M09", "", "", "", jobs="J21 J22 J23", preview="J30", job_deck="J31 J32 J33 J34 J35 J36 J37 J38 J39")
    learned = s.revelations
    play(s, A, "consult M09")
    refused(s, A, "job J30", "JOB_NOT_FACE_UP", "WP-A39")
    refused(s, A, "target 1", "WRONG_PHASE", "WP-A39")
    play(s, A, "job J23", "job J21")
    refused(s, A, "job J21", "MALFORMED", "WP-A39")
    assert s.revelations == learned
    assert len(s.jobs) == 3  # until it is confirmed
    view = seen(s, B)
    assert view.playing is not None
    assert [j.id for j in view.playing.jobs] == ["J23", "J21"]
    play(s, A, "done")
    assert s.jobs[0:2] == [CARDS.job_ids.index("J22"), CARDS.job_ids.index("J30")]
    assert len(s.jobs) == 3
    assert s.jobs_in_deck() == 10
    assert s.preview != NONE
    assert job_ids(s.job_under) == "J23 J21"
    assert [j.id for j in seen(s, B).jobs_under] == ["J23", "J21"]
    assert s.revelations > learned
    # The others lie above them; then they come in the order in which they were put there.
    deck = [s.deal_job() for _ in range(10)]
    assert job_ids(deck[8:]) == "J23 J21"


@pytest.mark.rule("WP-A39", "WP-T81")
def test_changing_jobs_without_a_deck() -> None:
    s = table(
        "M09", "", jobs="J21 J22 J23", preview="", job_deck="", edition=printed(M09="refresh_jobs 2; gain_thumbs 2")
    )
    play(s, A, "consult M09", "job J21", "job J22")
    assert legal(s, A) == ["done"]
    play(s, A, "done")
    assert job_ids(s.jobs) == "J23 J21 J22"
    assert s.preview == NONE
    assert s.thumbs[A] == 4
    s = table("M09", "")
    events = play(s, A, "consult M09", "done")
    assert one(events, "jobs_put_under").facts["jobs"] == []
    assert job_ids(s.jobs) == "J21 J22 J23 J24"


@pytest.mark.rule("WP-A40", "WP-T82")
def test_filling_the_preview() -> None:
    s = table("M10 W01 S06", "", cubes=["T2"], preview="J15", jobs="J21 J22")
    deck = s.jobs_in_deck()
    before = seen(s, B)
    play(s, A, "consult M10")
    assert seen(s, A).phase == "WORKER"
    plan = seen(s, A).plan
    assert plan is not None
    assert plan.card is not None
    assert plan.card.id == "M10"
    assert seen(s, B) == before  # nothing is shown before it is paid
    play(s, A, "use W01", "use S06", "cube tech", "cube tech")
    events = play(s, A, "done")
    assert kinds(events) == [
        *("meeple_placed", "card_played", "job_filled", "cash_changed", "thumbs_changed", "preview_turned"),
    ]
    assert job_ids(s.filled[A]) == "J15"
    assert (s.cash[A], s.thumbs[A]) == (10, 3)
    assert s.jobs_in_deck() == deck - 1
    assert s.preview not in (NONE, CARDS.job_ids.index("J15"))
    assert job_ids(s.jobs) == "J21 J22"
    assert sorted(ids(s.discards).split()) == ["M10", "S06", "W01"]
    assert s.here[8] == 1
    for position in ({"preview": ""}, {"preview": "J15"}):
        refused(table("M10 W01", "", **position), A, "consult M10", "CARD_NOT_PLAYABLE", "WP-A36")  # type: ignore[arg-type]
    refused(table("M10 S06", "", cubes=["T2 C1"], preview="J15"), A, "consult M10", "CARD_NOT_PLAYABLE", "WP-A36")


@pytest.mark.rule("WP-A40", "WP-A36", "WP-A39")
def test_filling_the_preview_after_other_steps() -> None:
    """Steps happen in order: here the Job is only turned up by the card itself."""
    edition = printed(M10="refresh_jobs 1; fill_job preview; gain_thumbs 1")
    s = table("M10 W01", "W20 W21", preview="J15", jobs="J23", job_deck="J25 J26", edition=edition)
    play(s, A, "consult M10", "job J23", "done")
    assert seen(s, A).phase == "WORKER"
    assert seen(s, B).phase == "WORKER"
    play(s, A, "use W01")
    assert seen(s, B).phase == "WORKER"  # which Worker is not seen before it is paid
    for seed in range(30):
        t = s.imagine(B, FastDice(seed))
        assert seen(t, B) == seen(s, B)
        assert t.legal(A)
    play(s, A, "done")
    assert s.thumbs[A] == 3
    assert len(s.filled[A]) == 1
    s = table("M10 W02", "", preview="J15", jobs="J23", job_deck="J01 J02", edition=edition)
    events = play(s, A, "consult M10", "job J23", "done")
    assert one(events, "step_skipped").facts["effect"] == "fill_job"
    assert s.thumbs[A] == 3


@pytest.mark.rule("WP-A41", "WP-T83")
def test_cubes_from_a_card() -> None:
    s = table("M06", "")
    play(s, A, "consult M06", "take tech", "take tech")
    assert seen(s, B).left == 1
    refused(s, A, "target 1", "WRONG_PHASE", "WP-A41")
    play(s, A, "take life")
    assert own_cubes(s, A) == "T2 F1"
    s = table("M06", "", cubes=["", "C12 L12 T11 F11"])
    play(s, A, "consult M06")  # two are left in all: no question
    assert own_cubes(s, A) == "T1 F1"
    s = table("M06", "", cubes=["", "C12 L12 T11 F8"])
    play(s, A, "consult M06", "take tech")
    refused(s, A, "take tech", "SUPPLY_EMPTY", "WP-A41")
    s = table("M06", "", cubes=["", "C12 L12 T12 F12"], unlimited_cubes="true")
    play(s, A, "consult M06", "take tech", "take tech", "take tech")
    assert own_cubes(s, A) == "T3"


@pytest.mark.rule("WP-A41", "WP-T83")
def test_a_cube_from_each() -> None:
    s = table("M13", "", "", cubes=["", "", "L1"])
    play(s, A, "consult M13")
    assert own_cubes(s, A) == "L1"
    s = table("M13", "", "", "", cubes=["", "C1 T1", "L3", "C2 F1"])
    play(s, A, "consult M13")
    view = seen(s, A)
    assert view.phase == "STEAL_CUBES"
    assert view.playing is not None
    assert view.playing.victim == B
    assert legal(s, A) == ["cube clerical", "cube tech"]
    refused(s, A, "cube life", "MALFORMED", "WP-A41")
    play(s, A, "cube tech")
    assert own_cubes(s, A) == "L1 T1"  # C has cubes of one skill only: no question
    assert seen(s, A).playing is not None
    assert s.victim == D
    play(s, A, "cube life")
    assert [own_cubes(s, seat) for seat in range(4)] == ["L1 T1 F1", "C1", "L2", "C2"]
    s = table("M13", "", cubes=["", "C2 L1 T1"], edition=printed(M13="steal_cubes 2 each"))
    play(s, A, "consult M13", "cube clerical", "cube clerical")
    assert [own_cubes(s, seat) for seat in (A, B)] == ["C2", "L1 T1"]


@pytest.mark.rule("WP-A41", "WP-T83", "WP-A21")
def test_places_for_nothing() -> None:
    s = table("M11", "", cash=1, at={"career_consultants": "B", "hackers_club": "BA"}, turn=A)
    play(s, A, "consult M11")
    assert s.cash[A] == 0  # the place of the card itself is paid for
    s = table("M11", "", cash=1, at={"hackers_club": "BB"})
    play(s, A, "consult M11")
    play(s, B, "hackers_club") if accepted(s, B, "hackers_club") else play(s, B, "call_centre")
    assert seen(s, A).buildings[3].cost == 0
    cash = s.cash[A]
    play(s, A, "hackers_club")
    assert s.cash[A] == cash
    assert seen(s, B).buildings[3].cost == s.here[3]
    assert seen(s, C if s.players > 2 else None).buildings[3].cost == s.here[3]
    last = table("M11", "", at={"casino": "AAB"}, turn=A)
    refused(last, A, "consult M11", "CARD_NOT_PLAYABLE", "WP-A36", why="no_effect")  # nothing to place later
    s._begin_round()
    assert seen(s, A).buildings[3].cost == s.here[3]


@pytest.mark.rule("WP-A41")
def test_cash_for_jobs_filled() -> None:
    for filled, gained in ((1, None), (2, 1), (3, 1), (4, 2), (9, 2)):
        s = table("M14", "", jobs="J21")
        s.filled[A] = list(range(25, 25 + filled))
        s.job_deck = [j for j in s.job_deck if j not in s.filled[A]]
        if gained is None:
            refused(s, A, "consult M14", "CARD_NOT_PLAYABLE", "WP-A36")
        else:
            play(s, A, "consult M14")
            assert s.cash[A] == 5 + gained


@pytest.mark.rule("WP-A41")
def test_a_random_card_from_an_opponent() -> None:
    taken: Counter[str] = Counter()
    for seed in range(60):
        s = table("M07", "W05 W06 S07", "", deck="M16")
        s.dice = FastDice(seed)
        events = play(s, A, "consult M07")  # C has no cards: no question
        got = [i for i in hand(s, A).split() if i != "M16"]
        taken[got[0]] += 1
        assert len(s.hand[B]) == 2
        assert one(events, "card_stolen").audience is None
        secret = one(events, "card_taken")
        assert secret.audience == (A, B)
        assert secret.facts["card"] == card(got[0])
        assert s.knows[card(got[0])] == 1 << A | 1 << B
        assert [c.id for c in seen(s, B).seats[A].known] == got
    assert set(taken) == {"W05", "W06", "S07"}
    s = table("M07", "W05 W06", "S07 S08", edition=printed(M07="steal_card 3 random target"))
    play(s, A, "consult M07", "target 2")
    assert (hand(s, A), hand(s, C)) == ("S07 S08", "")


@pytest.mark.rule("WP-11.3")
def test_drawing_cards() -> None:
    s = table("M08", "", deck="W05 W06 W07 W08")
    s.dice = Loaded([0, 0, 0])
    play(s, A, "consult M08")
    assert len(s.hand[A]) == 3
    assert len(s.deck) == 1


def test_every_effect_can_be_said() -> None:
    said = [effect(script(text)) for text in EFFECTS.values()]
    assert len(set(said)) == len(said)
    assert all(text.endswith(".") and "{" not in text for text in said)
    own = cards.load()
    assert all(effect(own.scripts[c]) for c in range(47, 63))
    for text in (
        "gain_thumbs 1",
        "lose_thumbs 1 target",
        "draw 1",
        "gain_cubes 1 any",
        "end_cash_per thumbs 1 1 max 2",
    ):
        assert " 1 Thumbs" not in effect(script(text))
