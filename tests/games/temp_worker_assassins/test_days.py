"""Days, placing, keywords in Departments, Quick Mode and the end (sections 4, 5, 8, 9.2 and 10)."""

import pytest

from shopfloor.engine.dice import FastDice
from shopfloor.engine.refusals import IllegalAction
from shopfloor.games.temp_worker_assassins.actions import Occupy
from shopfloor.games.temp_worker_assassins.position import NONE
from tests.games.temp_worker_assassins.table import (
    OWN,
    A,
    B,
    C,
    accepted,
    ask,
    check_conservation,
    counts,
    discards,
    event_kinds,
    hand,
    kinds,
    legal,
    new_game,
    next_supply,
    office,
    on_top,
    one,
    play,
    refused,
    seen,
    short,
    show_targets,
    space,
    stand,
    target,
)


def work(s) -> int:
    """The player whose turn it is takes the first free space, or failing that a Target, and is done with it."""
    seat = s.current_player
    before = sum(s.unplaced)
    while s.deciders() == (seat,) and sum(s.unplaced) == before:
        s.play(seat, s.legal(seat)[0])
    while s.deciders() == (seat,) and ask(s)[2:] != "place":
        s.play(seat, s.legal(seat)[0])
    return seat


@pytest.mark.rule("TA-T13", "TA-4.1", "TA-4.2", "TA-4.4")
def test_unclaimed_markers_stay() -> None:
    s = office("Pencil", "Pencil", unplaced=[0, 1])
    s.current_player, s.choices = B, ()
    play(s, B, "occupy Statistics")
    assert s.day == 2
    assert s.markers_top == tuple(kinds("Monday Tuesday"))
    assert [m.state for m in seen(s, A).markers] == ["open", "open", "below", "below", "below"]


@pytest.mark.rule("TA-T14", "TA-6.9", "TA-A15")
def test_all_open_markers_are_won_at_once() -> None:
    s = office("", "2*Shuriken", "2*Shuriken", markers="Monday Tuesday", day=2, turn_of=B, targets="Imp Pixie Goblin")
    s.deck = [[], kinds("9*Pencil"), kinds("9*Pencil")]
    events = play(s, B, "attempt Imp", "play Shuriken", "play Shuriken")
    assert one(events, "markers_won").facts["names"] == ["Monday", "Tuesday"]
    assert discards(s, B) == "Monday Shuriken Shuriken Tuesday"
    assert s.markers_top == ()
    assert s.marker_winner[:2] == (B, B)
    events = play(s, C, "attempt Pixie", "play Shuriken", "play Shuriken")
    assert "markers_won" not in event_kinds(events)
    assert s.marker_winner[:3] == (B, B, NONE)
    assert [m.winner for m in seen(s, A).markers] == [B, B, None, None, None]


@pytest.mark.rule("TA-T15", "TA-4.3", "TA-4.4", "TA-A18")
@pytest.mark.parametrize(
    ("players", "starters", "a_day"), [(2, [0, 1, 0, 1, 0], 10), (3, [0, 1, 2, 0, 1], 12), (4, [0, 1, 2, 3, 0], 16)]
)
def test_turn_order(players: int, starters: list[int], a_day: int) -> None:
    s = new_game(players)
    found = []
    for day in range(1, 6):
        assert s.day == day
        found.append(s.current_player)
        order = []
        while s.day == day and not s.over():
            order.append(work(s))
        assert order == [(starters[day - 1] + i) % players for i in range(a_day)]
    assert found == starters
    assert s.over()
    assert s.starting_player == (starters[4] + 1) % players  # also after day 5, without effect


@pytest.mark.rule("TA-T16", "TA-4.4", "TA-7.1", "TA-I3", "TA-I4")
def test_everybody_goes_home() -> None:
    s = office("Pencil", "Pencil", unplaced=[1, 0])
    stand(s, A, "Training")
    s.security = [2, 3]
    s.unplaced = [1, 0]
    events = play(s, A, "occupy Statistics")
    assert one(events, "clocked_off").facts == {"day": 1, "seat": B}
    assert s.security == [0, 0]
    assert set(s.occupant) == {NONE}
    assert s.unplaced == [5, 5]
    assert ask(s) == "B place"


@pytest.mark.rule("TA-T17", "TA-4.5", "TA-T53")
def test_the_game_ends_on_friday() -> None:
    s = new_game(3, starting_player="1")
    assert s.current_player == B
    days = set()
    while s.deciders():
        days.add(s.day)
        assert s.standing is not None
        with pytest.raises(ValueError, match="under way"):
            s.standing()
        work(s)
    assert days == {1, 2, 3, 4, 5}
    check_conservation(s)
    refused(s, A, 0, "GAME_OVER", "TA-4.5")
    refused(s, 99, -1, "GAME_OVER")


@pytest.mark.rule("TA-T18", "TA-5.2", "TA-A1", "TA-5.1")
def test_any_free_space() -> None:
    s = office("Pencil", "Pencil", deck="9*Pencil")
    assert accepted(s, A, "occupy Helpdesk 1")
    play(s, A, "occupy Helpdesk 2")  # the later one first
    assert s.occupant[space("Helpdesk", 2)] == A
    for wrong in (Occupy("Haunted Helpdesk", 3), Occupy("Security", 1), Occupy("Haunted Helpdesk", 0)):
        with pytest.raises(IllegalAction) as caught:
            s.space.encode(wrong)
        assert caught.value.refusal.code == "NO_SUCH_SPACE"
    for text in ("occupy haunted helpdesk 3", "occupy security 1", "(occupy, Security, 2)"):
        with pytest.raises(IllegalAction) as caught:
            s.space.parse(text)
        assert caught.value.refusal.code == "NO_SUCH_SPACE"
    play(s, A, "discard Pencil")
    refused(s, B, "occupy Boardroom", "NO_SUCH_SPACE", "TA-5.2", department="Bloodcurdling Boardroom", number=1)
    refused(s, B, "occupy Recycling Area (Hard Mode)", "NO_SUCH_SPACE")
    refused(s, B, s.space.size, "MALFORMED")
    refused(s, A, "occupy Helpdesk 1", "NOT_YOUR_DECISION", "TA-4.3")


@pytest.mark.rule("TA-T5", "TA-2.4", "TA-5.3")
def test_pete_in_statistics() -> None:
    s = office("Pencil Letter", deck="5*Blunt")
    events = play(s, A, "occupy Statistics")
    assert counts(s, A) == (4, 3, 0)
    assert one(events, "drew").facts["count"] == 2
    assert one(events, "drew_cards").audience == (A,)


@pytest.mark.rule("TA-T6", "TA-T55", "TA-5.2", "TA-5.3", "TA-5.4", "TA-A3")
def test_sarah_at_the_helpdesk() -> None:
    s = office("2*Pencil", "Shuriken Note", deck=["9*Pencil", "9*Blunt"])
    play(s, A, "occupy Helpdesk 1")
    refused(s, B, "occupy Helpdesk 1", "SPACE_OCCUPIED", "TA-5.2", seat=A)
    play(s, B, "occupy Helpdesk 2")
    assert ask(s) == "B discard"
    refused(s, B, "decline", "WRONG_DISCARD_COUNT", "TA-A3", done=0, needed=1)
    play(s, B, "discard Note")
    assert counts(s, B) == (2 + 3 - 1, 6, 1)
    assert ask(s) == "A place"  # two would be one too many
    refused(s, A, "discard Pencil", "WRONG_PHASE")
    assert not any("Helpdesk" in name for name in legal(s, A))
    s.unplaced = [0, 0]
    s._place_next(A)
    assert any("Helpdesk" in name for name in legal(s, s.current_player))


@pytest.mark.rule("TA-T19", "TA-5.6", "TA-8.1")
def test_hands_have_no_limit_and_carry_over() -> None:
    s = office("5*Pencil", deck="9*Pencil", unplaced=[1, 0])
    play(s, A, "occupy Statistics")
    assert s.day == 2
    assert len(s.hand[A]) == 7
    s = office("12*Pencil", deck="9*Pencil")
    play(s, A, "occupy Statistics")
    assert len(s.hand[A]) == 14


@pytest.mark.rule("TA-T20", "TA-5.5")
def test_cards_are_only_played_in_attempts() -> None:
    s = office("Pencil Ruler", deck="9*Pencil")
    refused(s, A, "play Pencil", "WRONG_PHASE", "TA-5.5", phase="PLACE")
    play(s, A, "occupy Spooky")
    refused(s, A, "play Pencil", "WRONG_PHASE", phase="RESOLVE_SPACE", ask="trash")


@pytest.mark.rule("TA-T21", "TA-2.2")
def test_gain() -> None:
    s = office("Pencil", row="Stamp Note Badge Shuriken")
    size = len(s.supply_deck)
    next_supply(s, "Guillotine")
    play(s, A, "occupy Cupboard")
    refused(s, A, "gain Guillotine", "NOT_IN_SUPPLY_ROW", "TA-2.2")
    events = play(s, A, "gain Badge")
    assert hand(s, A) == "Badge Pencil"
    assert [OWN.names[k] for k in s.supply_row][2] == "Guillotine (Mostly for Paper)"  # in the gap
    assert (len(s.supply_row), len(s.supply_deck)) == (4, size - 1)
    assert one(events, "gained").audience is None


@pytest.mark.rule("TA-T22", "TA-A7")
def test_gain_with_the_supply_running_out() -> None:
    s = office("Pencil", row="Stamp Note Badge Shuriken", supply="", supply_discard="3*Idea")
    events = play(s, A, "occupy Cupboard", "gain Badge")
    assert one(events, "supply_shuffled").facts["count"] == 3
    assert (len(s.supply_row), len(s.supply_deck), len(s.supply_discard)) == (4, 2, 0)
    s = office("Pencil", row="Stamp Note Badge Shuriken", supply="")
    play(s, A, "occupy Cupboard", "gain Badge")
    assert short(s.supply_row) == "Note Shuriken Stamp"


@pytest.mark.rule("TA-T23", "TA-2.3", "TA-A8")
def test_research() -> None:
    s = office("Pencil", "Pencil")
    size = len(s.supply_deck)
    next_supply(s, "Stapler", "Badge", "Badge")
    events = play(s, A, "occupy Malevolent")
    assert one(events, "research_seen").audience == (A,)
    assert legal(s, A) == ["keep Stapler", "keep Badge"]
    assert (seen(s, B).looked, seen(s, B).looked_count, len(seen(s, A).looked)) == ((), 3, 3)
    refused(s, A, "keep Note", "NOT_AMONG_RESEARCHED", "TA-2.3")
    events = play(s, A, "keep Badge")
    assert (hand(s, A), short(s.supply_discard), len(s.supply_deck)) == ("Badge Pencil", "Badge Stapler", size - 3)
    told = [event for event in events if event.concerns(B)]
    assert one(told, "research_discarded").facts["names"] == ["Fully Loaded Stapler", "Laminated Throwing Badge"]
    assert "research_kept" not in event_kinds(told)
    assert seen(s, B).seats[A].known == ()


@pytest.mark.rule("TA-T24", "TA-A7", "TA-A8", "TA-T63")
def test_research_with_the_supply_running_out() -> None:
    s = office("Pencil", row="4*Note", supply="Stapler Badge", supply_discard="5*Idea")
    play(s, A, "occupy Malevolent")
    assert (short(s.looked), len(s.supply_deck), len(s.supply_discard)) == ("Badge Idea Stapler", 4, 0)
    play(s, A, "keep Idea")
    assert (len(s.supply_deck), len(s.supply_discard)) == (4, 2)
    s = office("Pencil", row="4*Note", supply="Stapler")
    play(s, A, "occupy Malevolent")
    assert legal(s, A) == ["keep Stapler"]
    play(s, A, "keep Stapler")
    assert (hand(s, A), s.supply_deck, s.supply_discard) == ("Pencil Stapler", [], [])
    s = office("Pencil", row="4*Note", supply="")
    play(s, A, "occupy Malevolent")
    assert (ask(s), hand(s, A)) == ("B place", "Pencil")


@pytest.mark.rule("TA-T25", "TA-2.5", "TA-A33", "TA-A7")
def test_clear() -> None:
    s = office("Pencil", row="4*Note", supply="30*Idea")
    play(s, A, "occupy Cupboard 2", "accept")
    assert (short(s.supply_row), len(s.supply_deck)) == ("Idea Idea Idea Idea", 26)
    assert short(s.supply_discard) == "Note Note Note Note"
    s = office("Pencil", row="4*Note", supply="2*Idea")
    play(s, A, "occupy Cupboard 2", "accept")
    assert short(s.supply_row) == "Idea Idea Note Note"
    assert (short(s.supply_deck), s.supply_discard) == ("Note Note", [])


@pytest.mark.rule("TA-T26", "TA-2.1", "TA-A2", "TA-8.4")
def test_trash() -> None:
    s = office("6*Pencil", discard="Letter")
    play(s, A, "occupy Spooky", "trash Pencil")
    assert (counts(s, A), short(s.trashed)) == ((5, 0, 1), "Pencil")
    s = office("")
    play(s, A, "occupy Spooky")
    assert (ask(s), s.trashed) == ("B place", ())


@pytest.mark.rule("TA-T27", "TA-8.2", "TA-A2")
def test_drawing_from_a_small_deck() -> None:
    s = office("", deck="Shuriken", discard="6*Pencil")
    events = play(s, A, "occupy Helpdesk 2")
    assert counts(s, A) == (3, 4, 0)
    assert one(events, "deck_shuffled").facts == {"seat": A, "count": 6}
    s = office("", deck="Shuriken")
    play(s, A, "occupy Statistics")
    assert counts(s, A) == (1, 0, 0)


@pytest.mark.rule("TA-T44", "TA-A26")
def test_skipping_only_where_nothing_else_is_possible() -> None:
    s = office("Pencil", "Pencil")
    refused(s, A, "skip", "SKIP_NOT_ALLOWED", "TA-A26")
    for at in s.spaces:
        s.occupant[at] = B
    s.choices = ()
    refused(s, A, "skip", "SKIP_NOT_ALLOWED")  # a Target is face up
    s.face_up = [NONE] * 4
    s.choices = ()
    assert legal(s, A) == ["skip"]
    events = play(s, A, "skip")
    assert event_kinds(events) == ["skipped"]
    assert (s.unplaced[A], s.skipped[A], ask(s)) == (4, 1, "B place")
    s.occupant[s.spaces[0]] = NONE
    s.choices = ()
    refused(s, B, "skip", "SKIP_NOT_ALLOWED")


@pytest.mark.rule("TA-T46", "TA-9.2", "TA-A20", "TA-A19")
def test_quick_mode() -> None:
    s = office("4*Pencil", deck="9*Pencil", unplaced=[1, 2], quick_mode="yes")
    events = play(s, A, "occupy Statistics")
    assert counts(s, A) == (5, 2, 6)
    assert one(events, "hand_refreshed").facts["names"] == ["Fairly Sharp Pencil"] * 6
    s = office("4*Pencil", deck="9*Pencil", unplaced=2, quick_mode="yes")
    play(s, A, "occupy Statistics")
    assert counts(s, A) == (6, 7, 0)  # not the last placement
    s = office("4*Pencil", deck="9*Pencil", unplaced=[1, 2], quick_mode="yes", targets="Wraith")
    events = play(s, A, "attempt Wraith", *["play Pencil"] * 4)
    assert "hand_refreshed" not in event_kinds(events)
    assert counts(s, A) == (5, 4, 4)
    s = office("4*Pencil", deck="9*Pencil", unplaced=[1, 2])
    play(s, A, "occupy Statistics")
    assert counts(s, A) == (6, 7, 0)  # not Quick Mode


@pytest.mark.rule("TA-T47", "TA-A19", "TA-9.2")
@pytest.mark.parametrize(("scope", "fresh"), [("last", True), ("day", False)])
def test_quick_mode_after_an_attempt_earlier_that_day(scope: str, fresh: bool) -> None:
    s = office("Pencil", "", deck="20*Pencil", unplaced=[2, 0], quick_mode="yes", quick_scope=scope, targets="Wraith")
    play(s, A, "attempt Wraith", "play Pencil")
    events = play(s, A, "occupy Statistics")
    assert ("hand_refreshed" in event_kinds(events)) == fresh
    assert len(s.hand[A]) == (5 if fresh else 7)
    s.unplaced = [1, 0]  # the next day is another day
    s.current_player, s.choices = A, ()
    assert "hand_refreshed" in event_kinds(play(s, A, "occupy Statistics"))


@pytest.mark.rule("TA-T57", "TA-A20")
def test_quick_mode_keeps_a_bonus_hand() -> None:
    s = office("8*Shuriken", deck="20*Pencil", unplaced=[1, 1], quick_mode="yes", targets="Giant")
    play(s, A, "attempt Giant", *["play Shuriken"] * 7)
    assert len(s.hand[A]) == 7


@pytest.mark.rule("TA-A19", "TA-A26", "TA-A32")
def test_quick_mode_looks_at_what_is_left_after_the_effect() -> None:
    s = office("Pencil", deck="9*Pencil", unplaced=[1, 1], quick_mode="yes", picks="DP24+DP11+DP12+DP13+DP09")
    s.security[A] = 1
    events = play(s, A, "occupy Unholy")
    assert "hand_refreshed" not in event_kinds(events)  # the released assassin is still to be placed
    assert s.unplaced[A] == 1
    s = office("Pencil", deck="9*Pencil", unplaced=[1, 1], quick_mode="yes")
    for at in s.spaces:
        s.occupant[at] = B
    s.face_up = [NONE] * 4
    assert "hand_refreshed" not in event_kinds(play(s, A, "skip"))  # no occupation


@pytest.mark.rule("TA-T61", "TA-A32", "TA-4.3", "TA-A41")
def test_whoever_has_nobody_left_is_passed_over() -> None:
    s = office("Pencil", "Pencil", "Pencil", unplaced=[1, 1, 0], picks="DP24+DP11+DP12+DP13+DP09")
    s.security[A] = 1
    play(s, A, "occupy Unholy")
    play(s, B, "occupy Statistics")
    assert (ask(s), s.day) == ("A place", 1)
    play(s, A, "occupy Cupboard", "gain " + short(s.supply_row).split()[0])
    assert s.day == 2


@pytest.mark.rule("TA-T69", "TA-A42", "TA-A18")
def test_the_marker_goes_to_whoever_asked_last() -> None:
    s = office("", "", "", picks="DP39+DP11+DP12+DP13+DP10")
    play(s, A, "occupy Nap")
    s.occupant[space("Nap")] = NONE
    s.choices = ()
    s.current_player = C
    play(s, C, "occupy Nap")
    starters = []
    for _ in range(2):
        s.unplaced = [0, 0, 0]
        s._place_next(A)
        starters.append(s.starting_player)
    assert starters == [C, A]
    s.day = 5
    play(s, A, "occupy Nap")
    s.unplaced = [0, 0, 0]
    s._place_next(A)
    assert s.over()


# -- the end ------------------------------------------------------------------------------------------------------


def ended(*trophies: str, **more: str):
    s = office(*[""] * len(trophies), day=5, markers="", **more)  # type: ignore[arg-type]
    s.trophies = tuple(tuple(target(word) for word in words.split()) for words in trophies)
    s.unplaced = [0] * len(trophies)
    s._place_next(A)
    return s


@pytest.mark.rule("TA-T50", "TA-10.1", "TA-10.2")
def test_the_highest_bounty_wins() -> None:
    s = ended("Halfling Wraith Kraken", "Wraith Mimic Minotaur")
    assert [s.bounty(A), s.bounty(B)] == [10, 9]
    standing = s.standing()
    assert standing.winners() == (A,)
    assert [(r.seat, r.place, r.values) for r in standing.ranks] == [(A, 1, (10,)), (B, 2, (9,))]
    assert standing.decided_by(0) == "bounty"
    assert s.returns() == [1.0, 0.0]
    over = seen(s, B)
    assert [r.place for r in over.ranks] == [1, 2]
    assert over.seats[A].trophies is not None
    assert over.seats[A].hand is not None
    assert one(s.drain(), "game_ended").facts == {"bounties": [10, 9], "winners": [A]}


@pytest.mark.rule("TA-T50", "TA-T59", "TA-A25")
def test_ties() -> None:
    same = ("Kraken Kraken", "Kraken Wraith Halfling")
    s = ended(*same)
    assert s.standing().winners() == (A, B)
    assert [r.place for r in s.standing().ranks] == [1, 1]
    assert s.returns() == [0.5, 0.5]
    s = ended(*same, tie_break="fewest_targets")
    assert s.standing().winners() == (A,)
    assert s.standing().decided_by(0) == "targets"
    assert [r.values for r in s.standing().ranks] == [(10, 2), (10, 3)]
    s = ended("", "")
    assert s.standing().winners() == (A, B)
    assert s.bounty(A) == 0


@pytest.mark.rule("TA-T71", "TA-A44", "TA-10.1")
def test_fridays_bounty() -> None:
    for pile in ("hand", "deck", "discard"):
        s = office("", "")
        getattr(s, pile)[B] = kinds("Friday")
        assert (s.bounty(A), s.bounty(B), s.card_bounty(B)) == (0, 1, 1)
    s = office("", "Friday", deck=["", "9*Pencil"], turn_of=B)
    play(s, B, "occupy Spooky", "trash Friday")
    assert s.bounty(B) == 0


@pytest.mark.rule("TA-T58", "TA-8.3", "TA-8.4", "TA-A22")
def test_discards_and_trash_are_open() -> None:
    s = office("Pencil Letter", "", deck="3*Blunt")
    play(s, A, "occupy Spooky", "trash Letter")
    play(s, B, "occupy Statistics")
    play(s, A, "occupy Helpdesk 2", "discard Pencil")
    for viewer in (A, B, None):
        view = seen(s, viewer)
        assert [card.name for card in view.trashed] == ["Jagged Covering Letter"]
        assert [(card.name, card.count) for card in view.seats[A].discard] == [("Fairly Sharp Pencil", 1)]
    s.deck[A] = []
    s.hand[A] = []
    play(s, B, "occupy Training")
    play(s, A, "occupy Helpdesk 1")
    assert hand(s, A) == "Pencil"  # the trashed Letter is in no reshuffle


@pytest.mark.rule("TA-8.2")
def test_every_card_of_a_deck_is_as_likely() -> None:
    drawn = []
    for seed in range(300):
        s = office("", deck="Shuriken 3*Pencil")
        s.dice = FastDice(seed)
        play(s, A, "occupy Statistics")
        drawn.append("Shuriken" in hand(s, A))
    assert sum(drawn) / 300 == pytest.approx(0.5, abs=0.1)


@pytest.mark.rule("TA-5.6", "TA-7.3")
def test_only_attempts_refill_the_hand() -> None:
    s = office("Pencil", deck="9*Pencil")
    play(s, A, "occupy Training")
    assert counts(s, A) == (1, 9, 0)
    show_targets(s, "Wraith")
    s.current_player, s.choices = A, ()
    on_top(s, A, "Pencil")
    play(s, A, "attempt Wraith", "play Pencil")
    assert counts(s, A) == (5, 4, 1)
