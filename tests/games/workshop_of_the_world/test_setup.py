"""Set-up, the deck and the structure of a game (WW-1 to WW-4, WW-11, WW-14, WW-21.1 to 21.5, vectors 4.2)."""

from collections import Counter
from random import Random

import pytest

from shopfloor.engine.dice import FastDice
from shopfloor.engine.edition import EditionError
from shopfloor.engine.refusals import BadSetup
from shopfloor.games.workshop_of_the_world import GAME, cards
from shopfloor.games.workshop_of_the_world.cards import GENERAL, SETUP, WILD
from shopfloor.games.workshop_of_the_world.rules import position as at
from tests.games.workshop_of_the_world.table import (
    OWN,
    A,
    B,
    C,
    check_conservation,
    kinds,
    legal,
    new_game,
    one,
    phase,
    play,
    refused,
    seen,
    table,
    turn,
)
from tests.playing import decisions


@pytest.mark.rule("WW-1.1", "WW-1.2", "WW-1.3", "WW-1.4", "WW-1.5", "WW-1.6", "WW-1.7", "WW-1.8", "WW-1.9")
def test_what_is_in_the_box() -> None:
    assert len(OWN.town_names) == 33
    assert len(OWN.connection_ids) == 53
    values = dict(zip(cards.TYPES, cards.VALUES, strict=True))
    assert values == {"textile": 4, "light": 3, "heavy": 3, "port": 2, "crafts": 2}
    assert Counter(OWN.capacity) == {1: 40, 2: 13}
    assert Counter(OWN.card_kinds) == {GENERAL: 27, WILD: 6, SETUP: 6}
    assert OWN.demand == (5, 5, 5, 5, 5)
    assert (OWN.industries, OWN.links) == (20, 18)
    view = seen(new_game(4, edition=OWN), None)
    assert (view.demand, len(view.order), view.cards) == ((0,) * 5, 4, ())
    assert [seat.revenue for seat in view.seats] == [0] * 4


@pytest.mark.rule("WW-1.10", "WW-2.1")
def test_two_to_five_players() -> None:
    for players in (2, 3, 4, 5):
        assert GAME.start(players, FastDice(1)).players == players
    for players in (1, 6):
        with pytest.raises(BadSetup) as caught:
            GAME.start(players, FastDice(1))
        assert caught.value.refusal.code == "BAD_PLAYER_COUNT"


@pytest.mark.rule("WW-T.8", "WW-3.5", "WW-3.6", "WW-3.9", "WW-3.10", "WW-3.11")
def test_five_players_set_nine_aside() -> None:
    s = new_game(5, edition=OWN)
    assert (s.aside_size, s.deck_size, s.face_up) == (9, 30, [])
    assert s.setup_left == [k for k, kind in enumerate(OWN.card_kinds) if kind == SETUP]
    assert len(s.setup_left) == 6
    assert len(s.unseen) == 33
    view = seen(s, 0)
    assert view.top == tuple(s.setup_left)
    assert len(view.unseen) == 39


@pytest.mark.rule("WW-T.9", "WW-3.7", "WW-3.8", "WW-21.5", "WW-D.1", "WW-D.2")
@pytest.mark.parametrize(
    ("players", "aside", "deck", "rounds"), [(5, 9, 30, 6), (4, 11, 28, 7), (3, 12, 27, 9), (2, 11, 28, 7)]
)
def test_piles_by_players(players: int, aside: int, deck: int, rounds: int) -> None:
    s = new_game(players, edition=OWN)
    assert (s.aside_size, s.deck_size) == (aside, deck)
    assert seen(s, None).rounds == rounds
    assert deck == rounds * s.sets


@pytest.mark.rule("WW-T.10", "WW-D.1", "WW-A.2")
def test_forty_cards_do_not_come_out_even(tmp_path) -> None:
    for name in ("towns.csv", "connections.csv", "cards.csv", "demand.csv", "pieces.csv"):
        (tmp_path / name).write_bytes((cards.OWN / name).read_bytes())
    with (tmp_path / "cards.csv").open("a", encoding="utf-8") as file:
        file.write("k40,general,Reading,crafts,2,owner,\n")
    with pytest.raises(EditionError, match="bad_card_count: 40 Town cards"):
        cards.load(tmp_path)


@pytest.mark.rule("WW-T.11", "WW-3.1", "WW-3.2", "WW-3.3", "WW-3.4")
def test_three_players_begin() -> None:
    s = new_game(3, edition=OWN)
    assert s.cash == [50, 50, 50]
    assert s.revenue == [0, 0, 0]
    assert sorted(s.order) == [0, 1, 2]
    assert s.supply_industry == [OWN.industries - 2] * 3
    assert s.supply_link == [OWN.links] * 3
    orders = {tuple(new_game(3, seed).order) for seed in range(60)}
    assert len(orders) == 6


@pytest.mark.rule("WW-T.12", "WW-5.1", "WW-5.2", "WW-3.11")
def test_the_set_up_cards_come_first() -> None:
    for seed in range(5):
        s = new_game(5, seed, edition=OWN)
        shown: list[list[int]] = []
        for _ in decisions(s, Random(seed)):
            for event in s.drain():
                if event.kind == "cards_turned_up" and event.facts["era"] == at.CANAL:
                    faces = event.facts["cards"]
                    assert isinstance(faces, list)
                    shown.append([OWN.card_kinds[card] for card in faces])
        assert shown[0] == [SETUP] * 5
        assert shown[1].count(SETUP) == 1
        assert all(SETUP not in faces for faces in shown[2:])


@pytest.mark.rule("WW-4.1", "WW-4.2", "WW-4.3", "WW-4.4", "WW-A.41", "WW-A.42", "WW-T.69")
def test_create_demand_1() -> None:
    s = new_game(4)
    first, second = s.order[:2]
    assert [s.held_counters(seat) for seat in range(4)] == [2] * 4
    assert sum(s.pool) == 25 - 8
    assert s.deciders() == (first,)
    assert s.refusal(first, s.space.parse("keep")).code == "MUST_PLACE_COUNTER"  # type: ignore[union-attr]
    refused(s, first, "keep", "MUST_PLACE_COUNTER", "WW-4.3")
    held = s.counters[5 * first : 5 * first + 5]
    names = ("textile", "light", "heavy", "port", "crafts")
    for t, name in enumerate(names):
        if held[t] == 0:
            refused(s, first, f"counter {name}", "COUNTER_NOT_HELD")
    own = next(t for t in range(5) if held[t])
    refused(s, second, f"counter {names[own]}", "NOT_YOUR_DECISION")
    refused(s, first, f"counter {names[own]} {names[own]}", "TOO_MANY_COUNTERS", "WW-A.42")
    play(s, first, f"counter {names[own]}")
    assert s.demand[own] == 1
    assert s.held_counters(first) == 1
    assert seen(s, second).demand[own] == 1  # the next one sees it
    assert seen(s, second).seats[first].counters is None  # but not the other counter
    assert seen(s, first).seats[first].counter_count == 1


@pytest.mark.rule("WW-2.2", "WW-2.3", "WW-2.4", "WW-2.5", "WW-16.1", "WW-A.1", "WW-11.1", "WW-11.3")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_course_of_a_game(players: int) -> None:
    s = new_game(players, edition=OWN)
    rounds = seen(s, None).rounds
    course = []
    for _ in decisions(s, Random(players)):
        course += [event.kind for event in s.drain()]
    milestones = [kind for kind in course if kind in ("cards_turned_up", "era_began", "game_ended")]
    assert milestones == ["cards_turned_up"] * rounds + ["era_began"] + ["cards_turned_up"] * rounds + ["game_ended"]
    assert course.count("revenue_collected") == 2 * players
    assert course.count("round_ended") == 2 * rounds
    assert course.index("counters_placed") < course.index("cards_turned_up")


@pytest.mark.rule("WW-T.78", "WW-14.1", "WW-14.2", "WW-14.3", "WW-14.4", "WW-14.5", "WW-A.45", "WW-A.28")
def test_the_re_set() -> None:
    s = new_game(4, 3, edition=OWN)
    before = None
    for _ in decisions(s, Random(3)):
        events = s.drain()
        if "era_began" in kinds(events):
            break
        before = s.clone()
    assert before is not None
    assert (s.deck_size, s.aside_size, s.discard) == (28, 11, [])
    assert s.industries == before.industries
    assert s.order == before.order
    assert s.owner == [at.FREE] * 53
    assert s.setup_left == []
    assert sorted(s.unseen) == list(range(39))
    assert s.revenue == [0] * 4
    assert phase(s) == "DEMAND_3"
    check_conservation(s)


@pytest.mark.rule("WW-14.3")
def test_the_set_up_cards_are_anywhere_in_the_second_deck() -> None:
    first_round = Counter[int]()
    for seed in range(200):
        s = table(4, edition=OWN)
        s.dice = FastDice(seed)
        s.era = at.RAILWAY
        s.face_up = []
        s.shuffle_all()
        s.begin_round()
        first_round[sum(OWN.card_kinds[card] == SETUP for card in s.face_up)] += 1
    assert 60 < first_round[0] < 140  # 0.52 of all: 33 * 32 * 31 * 30 / (39 * 38 * 37 * 36)


@pytest.mark.rule("WW-T.70", "WW-15.1", "WW-15.2", "WW-15.3", "WW-12.1", "WW-12.2", "WW-12.3", "WW-17.1", "WW-17.2")
@pytest.mark.rule("WW-17.3", "WW-4.4", "WW-A.49")
def test_counters_kept_and_placed() -> None:
    s = table(3, order=[A, B, C])
    s.deck_size = 0
    s.unseen = s.unseen[:12]
    s.discard = [card for card in range(39) if card not in s.unseen]
    s.face_up = []
    s.begin_demand(at.DEMAND_2)
    assert phase(s) == "DEMAND_2"
    assert legal(s, A) == ["keep", "counter textile"]
    events = play(s, A, "keep")
    assert one(events, "counters_kept").facts == {"seat": A, "number": 1}
    play(s, B, "counter light")
    events = play(s, C, "keep")
    assert "revenue_collected" in kinds(events)
    assert one(events, "era_began").facts == {"era": 1, "deck": 27, "aside": 12}
    assert phase(s) == "DEMAND_3"
    assert [s.held_counters(seat) for seat in (A, B, C)] == [3, 2, 3]
    refused(s, A, "keep", "MUST_PLACE_COUNTER", "WW-15.2")
    play(s, A, "counter textile")  # the one kept from earlier
    assert s.held_counters(A) == 2
    s.pending = 0
    s.begin_demand(at.DEMAND_4)
    own = legal(s, A)
    assert own[0] == "keep"
    play(s, A, own[1])
    assert s.held_counters(A) == 1
    assert s.deciders() == (B,)


@pytest.mark.rule("WW-T.71", "WW-A.42")
def test_one_counter_each_at_demand_2() -> None:
    s = table(4, order=[A, B, C, 3])
    s.counters[5 * A + 1] += 1
    s.pool[1] -= 1
    s.begin_demand(at.DEMAND_2)
    play(s, A, "counter textile")
    refused(s, A, "counter light", "NOT_YOUR_DECISION")
    assert s.deciders() == (B,)


@pytest.mark.rule("WW-A.43", "WW-A.44", "WW-D.4")
def test_counters_that_run_out() -> None:
    """With a small box: dealt round by round while they last; who has none is not asked."""
    small = cards.fixture(demand=(3, 2, 0, 0, 0))
    s = new_game(3, edition=small)
    held = [s.held_counters(seat) for seat in s.order]
    assert held == [2, 2, 1]
    assert sum(s.pool) == 0
    for seat in s.order:
        play(s, seat, legal(s, seat)[0])
    assert sum(s.demand) == 3
    tiny = cards.fixture(demand=(2, 0, 0, 0, 0))
    s = new_game(3, edition=tiny)
    asked = [s.order[0], s.order[1]]
    for seat in asked:
        assert s.deciders() == (seat,)
        play(s, seat, "counter textile")
    assert phase(s) == "AUCTION_SELECT"
    assert s.demand == [2, 0, 0, 0, 0]  # no limit to a space of the chart


@pytest.mark.rule("WW-D.3")
def test_supplies_last() -> None:
    """What an edition can run out of is said when it is loaded."""
    assert OWN.warnings == ()
    for players, placements in ((5, 12), (4, 14), (3, 18)):
        assert placements == 2 * (39 - at.SET_ASIDE[players]) // players
        assert placements + 2 <= OWN.industries
    assert OWN.links >= 2 * 9


@pytest.mark.rule("WW-11.2", "WW-T.29", "WW-A.14")
def test_the_markers_make_the_next_order() -> None:
    s = table(4, order=[A, B, C, 3])
    for colour, card in ((3, "Reading"), (A, "Oxford"), (C, "Southampton")):
        turn(s, colour, card)
        assert s.order == [A, B, C, 3]  # a moved marker does not disturb the current order
        play(s, colour, f"place {card}", "end turn")
    # B has taken the last card without a decision.
    play(s, B, "place Ashby", "end turn")
    assert s.order == [3, A, C, B]
    assert s.round_no == 2
    assert s.deciders() == (3,)
