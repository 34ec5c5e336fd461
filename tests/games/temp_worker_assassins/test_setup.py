"""Contents, set-up and modes (sections 1 to 3 and 9)."""

from collections import Counter

import pytest

from shopfloor.engine.dice import FastDice
from shopfloor.engine.refusals import BadSetup
from shopfloor.games.temp_worker_assassins import GAME
from shopfloor.games.temp_worker_assassins.position import NONE
from tests.games.temp_worker_assassins.table import (
    OWN,
    A,
    B,
    C,
    D,
    check_conservation,
    department,
    event_kinds,
    kinds,
    new_game,
    seen,
    target,
)

STARTING = ["Really Spooky Recycling Area", "Forbidden Stationery Cupboard", "Malevolent R&D Department"]
STARTING += ["Foul First Aid Area", "Security"]
RECOMMENDED = ["Tainted Training Dept", "Sadistic Statistics Dept", "Scary Secondment Dept", "Main Reception of Doom"]


def in_play(s) -> list[str]:
    return [OWN.department_names[d] for d in s.departments]


def bad(players: int, **options: str) -> BadSetup:
    with pytest.raises(BadSetup) as caught:
        GAME.start(players, FastDice(1), options)
    return caught.value


@pytest.mark.rule("TA-T51", "TA-1.1", "TA-1.2", "TA-1.3", "TA-8.4", "TA-I1", "TA-I2")
def test_what_is_in_the_box() -> None:
    assert (len(OWN.supply_deck), len(OWN.starting_deck)) == (60, 10)
    assert (len(OWN.department_names), sum(OWN.target_copies), OWN.target_copies[OWN.zombie]) == (40, 45, 5)
    assert [OWN.names[OWN.markers + i] for i in range(5)] == ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"]
    s = new_game(3)
    check_conservation(s)
    assert sum(len(pile) for pile in s.hand + s.deck) == 30
    assert s.unplaced == [4, 4, 4]
    owned = Counter(k for seat in range(3) for k in s.hand[seat] + s.deck[seat])
    assert owned == Counter({k: 3 * n for k, n in Counter(OWN.starting_deck).items()})


@pytest.mark.rule("TA-T8", "TA-3.8", "TA-3.10", "TA-1.4")
@pytest.mark.parametrize(("players", "assassins", "hands"), [(2, 5, [5, 5]), (3, 4, [5, 5, 6]), (4, 4, [5, 5, 6, 6])])
def test_assassins_and_hands(players: int, assassins: int, hands: list[int]) -> None:
    s = new_game(players)
    assert s.unplaced == [assassins] * players
    assert [len(h) for h in s.hand] == hands
    assert [len(d) for d in s.deck] == [10 - n for n in hands]


@pytest.mark.rule("TA-T9", "TA-A17", "TA-3.9", "TA-3.10")
def test_the_third_and_fourth_in_turn_order_get_six_cards() -> None:
    s = new_game(4, starting_player="2")
    assert [len(h) for h in s.hand] == [6, 6, 5, 5]
    assert s.current_player == C
    starters = Counter(new_game(4, seed, starting_player="random").starting_player for seed in range(400))
    assert set(starters) == {A, B, C, D}
    assert min(starters.values()) > 60


@pytest.mark.rule("TA-T10", "TA-3.1", "TA-3.2", "TA-3.3")
def test_supply_and_targets() -> None:
    s = new_game(2)
    assert (len(s.supply_row), len(s.supply_deck), s.supply_discard) == (4, 56, [])
    assert len(s.target_deck) == 37
    assert s.face_up[3] == target("Zombie")
    assert s.zombie_stack == 4
    assert NONE not in s.face_up
    assert target("Zombie") not in s.face_up[:3] + s.target_deck
    rows = Counter(k for seed in range(400) for k in new_game(2, seed, report=False).supply_row)
    for k, copies in Counter(OWN.supply_deck).items():
        assert rows[k] == pytest.approx(1600 * copies / 60, abs=35)


@pytest.mark.rule("TA-3.10", "TA-3.1")
def test_hands_are_dealt_at_random_and_told_to_their_owners() -> None:
    letters = Counter(new_game(2, seed, report=False).hand[B].count(kinds("Letter")[0]) for seed in range(600))
    # Two Letters among ten cards, five of them in hand.
    assert letters[0] / 600 == pytest.approx(2 / 9, abs=0.06)
    assert letters[2] / 600 == pytest.approx(2 / 9, abs=0.06)
    events = new_game(3).drain()
    assert event_kinds(events)[:2] == ["game_began", "row_filled"]
    drawn = [event for event in events if event.kind == "drew_cards"]
    assert [event.audience for event in drawn] == [(A,), (B,), (C,)]
    assert [event.facts["count"] for event in events if event.kind == "drew"] == [5, 5, 6]


@pytest.mark.rule("TA-T52", "TA-3.4", "TA-3.5", "TA-3.6", "TA-A34")
def test_the_recommended_departments() -> None:
    for players in (2, 3, 4):
        s = new_game(players)
        assert set(in_play(s)) == {*STARTING, *RECOMMENDED, "Haunted Helpdesk"}
        assert len(s.departments) == 10
        assert in_play(s)[:5] == STARTING
    assert in_play(new_game(4))[5] == "Haunted Helpdesk"


@pytest.mark.rule("TA-3.5", "TA-A23", "TA-A34")
def test_departments_drawn_by_lot() -> None:
    found: Counter[str] = Counter()
    for seed in range(300):
        s = new_game(3, seed, departments="random", report=False)
        names = in_play(s)
        assert len(set(names)) == 10
        assert names[:5] == STARTING
        assert not any("Hard" in name for name in names)
        found.update(names[5:])
    assert len(found) == 32  # all that are not starting or Hard
    assert min(found.values()) > 20
    for seed in range(30):
        assert in_play(new_game(4, seed, departments="random")).count("Haunted Helpdesk") == 1


@pytest.mark.rule("TA-T11", "TA-3.4", "TA-3.5", "TA-A23")
def test_departments_of_ones_own_choice() -> None:
    s = new_game(3, departments="DP14+DP20+DP09+DP36+DP40")
    picked = ["Appalling Admin Dept", "Cursed Call Centre", "Haunted Helpdesk"]
    picked += ["Toxic Tea Point", "Cadaverous Car Park"]
    assert in_play(s)[5:] == picked
    assert [d.name for d in seen(s, None).departments] == in_play(s)
    wrong = {
        "DP09+DP14+DP20+DP36": "not_open",  # the Helpdesk is in play with four players
        "DP14+DP14+DP20+DP36": "twice",
        "DP14+DP20+DP36": "count",
        "DP14+DP20+DP36+DP40+DP10": "count",
        "DP14+DP20+DP36+DP01": "not_open",
        "DP14+DP20+DP36+DP06": "not_open",
        "DP14+DP20+DP36+DP99": "unknown",
    }
    for value, why in wrong.items():
        refusal = bad(4, departments=value).refusal
        assert (refusal.code, refusal.facts["why"]) == ("BAD_DEPARTMENTS", why)
    assert bad(3, departments="DP14").refusal.facts == {"why": "count", "picked": 1, "places": 5}
    assert bad(3, departments="").refusal.code == "BAD_OPTION"
    assert bad(3, departments="chess").refusal.code == "BAD_OPTION"
    assert bad(3, departments="the nice ones").refusal.code == "BAD_OPTION"


@pytest.mark.rule("TA-T12", "TA-1.4")
@pytest.mark.parametrize("players", [-1, 0, 1, 5])
def test_player_counts_that_do_not_exist(players: int) -> None:
    refusal = bad(players).refusal
    assert (refusal.code, refusal.facts) == ("BAD_PLAYER_COUNT", {"players": players, "allowed": [2, 3, 4]})


@pytest.mark.rule("TA-A5", "TA-A9", "TA-A12", "TA-A17", "TA-A19", "TA-A24", "TA-A25")
@pytest.mark.parametrize(
    ("option", "value", "clause"),
    [
        ("zombie_refill", "none", "TA-A5"),
        ("may_stop_early", "true", "TA-A9"),
        ("strict_draw", "", "TA-A12"),
        ("starting_player", "3", "TA-A17"),
        ("quick_scope", "week", "TA-A19"),
        ("open_trophies", "YES", "TA-A24"),
        ("tie_break", "age", "TA-A25"),
        ("hard_mode", "very", "TA-9.3"),
        ("quick_mode", "1", "TA-9.2"),
        ("no_trashing", "2", "TA-9.1"),
        ("departments", "+", "TA-A34"),
    ],
)
def test_option_values_that_do_not_exist(option: str, value: str, clause: str) -> None:
    refusal = bad(3, **{option: value}).refusal
    assert (refusal.code, refusal.clause, refusal.facts["value"]) == ("BAD_OPTION", clause, value)


@pytest.mark.rule("TA-T48", "TA-9.3", "TA-9.4", "TA-A21")
def test_hard_mode() -> None:
    s = new_game(3, hard_mode="yes")
    names = in_play(s)
    hard = [name for name in names if "Hard" in name]
    assert hard == [f"{name} (Hard Mode)" for name in STARTING[:3]]
    assert len(names) == 10
    for name in hard:
        normal = OWN.department_names.index(name.removesuffix(" (Hard Mode)"))
        assert len(OWN.spaces_of(OWN.department_names.index(name))) == len(OWN.spaces_of(normal)) - 1
        assert name.removesuffix(" (Hard Mode)") not in names
    one_space = "DP11+DP12+DP16+DP19"
    assert new_game(4, departments=one_space).departments
    refusal = bad(4, departments=one_space, hard_mode="yes").refusal
    assert (refusal.code, refusal.clause, refusal.facts) == ("BAD_DEPARTMENTS", "TA-9.4", {"why": "two_spaces"})
    assert new_game(3, departments=one_space + "+DP20", hard_mode="yes").departments  # only with four players
    for others in ("DP11+DP12+DP16+DP14", "DP11+DP12+DP16+DP15", "DP11+DP12+DP16+DP36"):  # three spaces serve too
        s = new_game(4, departments=others, hard_mode="yes")
        assert len(s.departments) == 10
    for seed in range(60):
        s = new_game(4, seed, departments="random", hard_mode="yes")
        assert any(len(OWN.spaces_of(d)) >= 2 for d in s.departments[6:])
    assert len(new_game(4, hard_mode="yes").departments) == 10


@pytest.mark.rule("TA-9.3", "TA-5.3", "TA-2.1", "TA-2.2", "TA-2.3")
def test_hard_mode_departments_work_like_the_others() -> None:
    s = new_game(3, hard_mode="yes")
    for seat, pick in enumerate(("trash", "gain", "keep")):
        before = len(s.hand[seat])
        s.play(seat, s.space.parse(f"occupy {STARTING[seat]} (Hard Mode) 1"))
        choices = [s.space.name(a) for a in s.legal(seat)]
        assert all(choice.startswith(pick) for choice in choices)
        s.play(seat, s.legal(seat)[0])
        assert len(s.hand[seat]) == before + (-1 if pick == "trash" else 1)
    refusal = s.refusal(A, s.space.parse("occupy Really Spooky Recycling Area 1"))
    assert refusal is not None
    assert refusal.code == "NO_SUCH_SPACE"


@pytest.mark.rule("TA-T49", "TA-9.1", "TA-A23")
def test_no_trashing() -> None:
    for players in (2, 3, 4):
        s = new_game(players, no_trashing="yes")
        assert "Really Spooky Recycling Area" not in in_play(s)
        assert len(set(in_play(s))) == 10
        assert "Appalling Admin Dept" in in_play(s)
        both = in_play(new_game(players, no_trashing="yes", hard_mode="yes"))
        assert [name for name in both if "Hard" in name] == [f"{name} (Hard Mode)" for name in STARTING[1:3]]
        assert len(set(both)) == 10
        assert len(set(in_play(new_game(players, 5, no_trashing="yes", departments="random")))) == 10
    picks = "DP10+DP11+DP12+DP13+DP09"
    assert in_play(new_game(3, no_trashing="yes", departments=picks + "+DP36"))[-1] == "Toxic Tea Point"
    assert bad(3, no_trashing="yes", departments=picks + "+DP13").refusal.facts["why"] == "twice"
    assert bad(3, no_trashing="yes", departments=picks + "+DP01").refusal.facts["why"] == "not_open"
    assert bad(3, no_trashing="yes", departments=picks).refusal.facts == {"why": "count", "picked": 5, "places": 6}


@pytest.mark.rule("TA-3.7", "TA-T13", "TA-4.2")
def test_the_week_ahead() -> None:
    s = new_game(2)
    markers = seen(s, None).markers
    assert [m.card.name for m in markers] == ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"]
    assert [m.state for m in markers] == ["open", "below", "below", "below", "below"]
    assert s.markers_top == (OWN.markers,)


@pytest.mark.rule("TA-A4", "TA-T28", "TA-5.2")
def test_security_has_no_space() -> None:
    assert list(OWN.spaces_of(department("Security"))) == []
    security = [d for d in seen(new_game(2), None).departments if d.security]
    assert [d.spaces for d in security] == [()]
