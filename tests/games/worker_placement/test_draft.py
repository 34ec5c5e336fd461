"""Action 3: the draft (WP section 6)."""

import pytest

from shopfloor.engine.dice import FastDice
from shopfloor.engine.refusals import IllegalAction
from shopfloor.games.worker_placement import draft
from shopfloor.games.worker_placement.position import BID_FIRST, NONE
from shopfloor.games.worker_placement.rules import WorkerPlacement
from tests.games.worker_placement.table import (
    A,
    B,
    C,
    D,
    check_conservation,
    hand,
    ids,
    kinds,
    legal,
    new_game,
    numbers,
    one,
    play,
    refused,
    seen,
    table,
)


def to_draft(*hands: str, **position: object) -> WorkerPlacement:
    """A draft that is about to be dealt."""
    s = table(*hands, **position)  # type: ignore[arg-type]
    draft.deal(s)
    s.ready = None
    s.drain()
    return s


@pytest.mark.rule("WP-6.1", "WP-6.2", "WP-6.3", "WP-A4", "WP-T12", "WP-I8")
def test_one_kept_one_passed_one_to_the_network() -> None:
    s = new_game(4)
    dealt = [s.draft[3 * seat : 3 * seat + 3] for seat in range(4)]
    before = [hand_[:] for hand_ in s.hand]
    assert [len(hand_) for hand_ in before] == [4] * 4
    assert s.deciders() == (A, B, C, D)
    play(s, A, "keep 1 pass 2 network 3")
    play(s, B, "keep 3 pass 1 network 2")
    play(s, D, "keep 2 pass 3 network 1")
    s.dice = FastDice(3)
    events = play(s, C, "keep 1 pass 2 network 3")
    assert s.hand[A] == sorted([*before[A], dealt[A][0], dealt[D][2]])
    assert s.hand[B] == sorted([*before[B], dealt[B][2], dealt[A][1]])
    assert s.hand[C] == sorted([*before[C], dealt[C][0], dealt[B][0]])
    assert s.hand[D] == sorted([*before[D], dealt[D][1], dealt[C][1]])
    network = sorted([dealt[A][2], dealt[B][1], dealt[C][2], dealt[D][0]])
    assert sorted(s.auction + s.discards) == network
    assert s.phase == BID_FIRST
    assert kinds(events)[:3] == ["draft_chosen", "draft_sealed", "draft_opened"]
    for event in events:
        if event.kind == "card_received":
            assert event.audience is not None
            assert set(event.audience) == {event.facts["seat"], event.facts["giver"]}


@pytest.mark.rule("WP-6.2", "WP-T13")
def test_only_splits_of_the_dealt_cards() -> None:
    s = new_game(3)
    for text in ("keep 1 pass 1 network 2", "keep 1 pass 2 network 4", "keep W01 pass W01"):
        with pytest.raises(IllegalAction) as caught:
            s.space.parse(text)
        assert caught.value.refusal.code == "MALFORMED"
    refused(s, A, "card W01", "WRONG_PHASE", "WP-6.2")
    refused(s, A, "done", "WRONG_PHASE", "WP-6.2")
    play(s, A, "keep 1 pass 2 network 3")
    refused(s, A, "keep 1 pass 3 network 2", "NOT_YOUR_DECISION", "WP-8.1", deciders=[B, C])
    # With fewer cards than usual the places that are empty are no choice.
    s = to_draft("", "W20", deck="W05 W06")
    assert s.draft[:3] == [*numbers("W05 W06"), NONE]
    refused(s, A, "keep 1 pass 3 network 2", "CARD_NOT_IN_HAND", "WP-6.2", dealt=2)
    assert legal(s, A) == ["keep 1 pass 2 network 3", "keep 2 pass 1 network 3"]


@pytest.mark.rule("WP-6.2", "WP-T14")
def test_a_committed_split_is_seen_by_nobody_else() -> None:
    s = new_game(3)
    s.drain()
    before = [hand_[:] for hand_ in s.hand]
    events = play(s, A, "keep 2 pass 1 network 3")
    view = seen(s, B)
    assert [seat.committed for seat in view.seats] == [True, False, False]
    assert view.chosen is None
    assert [seat.hand_count for seat in view.seats] == [4, 4, 4]
    assert s.hand == before
    assert [event.kind for event in events if event.concerns(B)] == ["draft_sealed"]
    own = seen(s, A)
    assert own.chosen == s.space.parse("keep 2 pass 1 network 3")
    assert own.passes_to == B
    assert len(own.draft) == 3


@pytest.mark.rule("WP-6.4", "WP-A35", "WP-T15", "WP-T77")
def test_two_players_send_a_third_card_to_the_network() -> None:
    s = new_game(2)
    assert len(s.deck) == 63 - 8 - 7
    extra = s.network[0]
    for seat in (A, B, None):
        view = seen(s, seat)
        assert view.network == 1
        assert extra not in {card.card for card in view.draft}
    assert s.knows[extra] == 0
    assert {s.imagine(A, FastDice(seed)).network[0] for seed in range(200)} > {extra}
    play(s, A, "keep 1 pass 2 network 3")
    play(s, B, "keep 1 pass 2 network 3")
    assert len(s.auction) == 3
    assert extra in s.auction


@pytest.mark.rule("WP-6.6", "WP-A34", "WP-T16", "WP-T76")
def test_directions() -> None:
    for alternate, to in (("false", [B, B, B]), ("true", [B, D, B])):
        for round_no in (1, 2, 3):
            s = table("", "", "", "", order="CADB", round_no=round_no, alternate_draft=alternate)
            assert draft.neighbour(s, A) == to[round_no - 1]
    s = to_draft("", "", "", order="CAB")  # seating counts, not the track
    dealt = [s.draft[3 * seat] for seat in range(3)]
    for seat in range(3):
        play(s, seat, "keep 2 pass 1 network 3")
    assert [dealt[seat] in s.hand[(seat + 1) % 3] for seat in range(3)] == [True] * 3


@pytest.mark.rule("WP-6.6")
def test_passing_to_the_right_is_told() -> None:
    s = to_draft("", "", "", round_no=2, alternate_draft="true")
    first = s.draft[0]
    for seat in range(2):
        play(s, seat, "keep 2 pass 1 network 3")
    assert seen(s, A).passes_to == C
    assert one(play(s, C, "keep 2 pass 1 network 3"), "draft_opened").facts == {"right": True}
    assert first in s.hand[C]


@pytest.mark.rule("WP-6.5", "WP-A25", "WP-T17")
@pytest.mark.parametrize("reshuffle", ["on_demand", "at_once"])
def test_the_draw_pile_runs_out_in_the_deal(reshuffle: str) -> None:
    old = "W05 W06 W07 W08"
    gone = "S07 S08 S09 S10 S11 S12 S13 S14 S15 S16"
    rest = " ".join(i for i in table("", "").cards.business_ids if i not in f"{old} {gone}".split())
    s = table("", rest, "", deck=old, discards=gone, order="CAB", reshuffle=reshuffle)
    draft.deal(s)
    assert set(ids(s.draft[6:9]).split()) | {ids(s.draft[0:1])} <= set(f"{old} {gone}".split())
    first_four = s.draft[6:9]
    assert set(ids(first_four).split()) < set(old.split())
    assert len(set(ids(s.draft[0:3]).split()) & set(old.split())) == 1
    assert not set(ids(s.draft[3:6]).split()) & set(old.split())
    assert (len(s.deck), len(s.discards)) == (5, 0)
    assert one(s.drain(), "deck_shuffled").facts == {"count": 10}
    check_conservation(s)


@pytest.mark.rule("WP-A25", "WP-T84", "WP-6.5")
def test_when_the_discards_are_shuffled() -> None:
    discards = "S07 S08 S09 S10 S11 S12 S13 S14 S15 S16"
    for reshuffle, after in (("on_demand", (0, 10)), ("at_once", (10, 0))):
        s = table("", "", deck="W05", discards=discards, reshuffle=reshuffle)
        s.draw_to_hand(A, 1, "WP-11.3")
        assert hand(s, A) == "W05"
        assert (len(s.deck), len(s.discards)) == after
    s = table("", "", deck="W05", discards="", reshuffle="at_once")
    s.draw_to_hand(A, 3, "WP-11.3")
    assert hand(s, A) == "W05"  # both piles are empty: the other draws are skipped
    s = table("", "", deck="W05", discards=discards)
    s.draw_to_hand(A, 3, "WP-11.3")
    assert (len(s.hand[A]), len(s.deck), len(s.discards)) == (3, 8, 0)


@pytest.mark.rule("WP-A25")
def test_no_cards_to_draft() -> None:
    for deck, dealt in (("", [0, 0]), ("W05", [1, 0]), ("W05 W06 W07 W08 W09", [3, 2])):
        s = to_draft("W20", "W21", deck=deck)
        s.network, s.network_of = [], []
        assert [draft.size(s, seat) for seat in (A, B)] == dealt
        assert s.deciders() == tuple(seat for seat in (A, B) if dealt[seat])
        for seat in s.deciders():
            s.play(seat, s.legal(seat)[0])
        assert len(s.hand[A]) + len(s.hand[B]) == 2 + sum(dealt) - dealt.count(3)


@pytest.mark.rule("WP-A25")
def test_a_round_without_any_card_goes_on() -> None:
    s = table("W20", "W21", deck="")
    s.network, s.network_of = [], []
    s.reserve, s.on_track = [3, 3], [0, 0]
    s._begin_round()
    assert s.phase == BID_FIRST
    assert s.auction == []
    for _ in range(2):
        s.play(s.deciders()[0], s.space.parse("pass"))
    assert seen(s, A).phase == "PLACE"
