"""Action 4: the auction (WP section 7)."""

from collections.abc import Sequence

import pytest

from shopfloor.engine.dice import FastDice
from shopfloor.games.worker_placement import auction
from shopfloor.games.worker_placement.rules import WorkerPlacement
from tests.games.worker_placement.table import (
    A,
    B,
    C,
    D,
    E,
    accepted,
    at_auction,
    check_conservation,
    hand,
    ids,
    kinds,
    legal,
    numbers,
    one,
    play,
    refused,
    seen,
    table,
)


def bids(s: WorkerPlacement, *spaces: int | None) -> list[str]:
    """Everybody in turn: a space, or None to pass; the kinds of events that followed."""
    story: list[str] = []
    for space in spaces:
        (seat,) = s.deciders()
        story += kinds(play(s, seat, "pass" if space is None else f"bid {space}"))
    return story


def picks(s: WorkerPlacement) -> list[tuple[int, int]]:
    """All picks, each of the first card; who paid what."""
    paid = []
    while seen(s, None).phase == "AUCTION_PICK":
        (seat,) = s.deciders()
        won = one(s_events := play(s, seat, legal(s, seat)[0]), "card_won")
        assert s_events
        paid.append((seat, int(str(won.facts["price"]))))
    return paid


def home(s: WorkerPlacement) -> bool:
    return s.reserve == [2] * s.players and s.on_track == [1] * s.players and s.spaces == [-1] * 8


@pytest.mark.rule("WP-7.1", "WP-T18", "WP-T67", "WP-A9")
@pytest.mark.parametrize(("players", "unchosen"), [(2, 0), (3, 0), (4, 1), (5, 2)])
def test_three_random_cards_come_up(players: int, unchosen: int) -> None:
    up: set[tuple[int, ...]] = set()
    for public in ("true", "false"):
        for seed in range(20):
            s = table(*[""] * players, discard_public=public)
            s.network, s.network_of = s.deck[: 3 + unchosen], [-1] * (3 + unchosen)
            s.deck = s.deck[3 + unchosen :]
            s.dice = FastDice(seed)
            auction.open_auction(s)
            up.add(tuple(s.auction))
            assert (len(s.auction), len(s.discards)) == (3, unchosen)
            view = seen(s, A)
            assert view.discard_count == unchosen
            if public == "true":
                assert view.discards is not None
                assert [card.card for card in view.discards] == s.discards
            else:
                assert view.discards is None
            told = [event for event in s.drain() if event.kind == "network_discarded"]
            assert [event.facts["count"] for event in told] == ([unchosen] if unchosen else [])
            assert [event.facts["cards"] for event in told] == (
                [] if not unchosen else [s.discards if public == "true" else []]
            )
            check_conservation(s)
    assert len(up) > (0 if unchosen == 0 else 2)


@pytest.mark.rule("WP-7.2", "WP-7.3", "WP-7.4", "WP-7.7", "WP-7.8", "WP-7.10", "WP-A10", "WP-T19", "WP-T25")
def test_five_players_four_bids() -> None:
    s = at_auction(*[""] * 5, cash=6)
    assert bids(s, 4, 7, None, 5, 1)[-1] == "bid_made"
    view = seen(s, None)
    assert view.phase == "AUCTION_PICK"  # more than two bidders: no second bids
    assert (view.winners, view.prices) == ((B, D, A), (5, 3, 3))
    assert picks(s) == [(B, 5), (D, 3), (A, 3)]
    assert s.cash == [3, 1, 6, 3, 6]
    assert [len(cards) for cards in s.hand] == [1, 1, 0, 1, 0]
    assert home(s)
    assert seen(s, None).phase == "PLACE"


@pytest.mark.rule("WP-7.4", "WP-A7", "WP-T20", "WP-T21")
def test_any_free_space_will_do() -> None:
    s = at_auction(*[""] * 4, cash=6)
    bids(s, 1, 7)
    refused(s, C, "bid 7", "SPACE_OCCUPIED", "WP-7.4", space=7, by=B)
    refused(s, C, 999, "MALFORMED")
    assert accepted(s, C, "bid 0")
    assert accepted(s, C, "bid 2")
    with pytest.raises(Exception, match="MALFORMED"):
        s.space.parse("bid 8")
    refused(s, C, "health_spa", "WRONG_PHASE", "WP-7.3")
    refused(s, D, "bid 2", "NOT_YOUR_DECISION", "WP-8.1", deciders=[C])


@pytest.mark.rule("WP-7.6", "WP-3.2", "WP-T22")
def test_bids_must_be_payable() -> None:
    s = at_auction("", "", cash=[2, 0])
    refused(s, A, "bid 4", "CANNOT_AFFORD_BID", "WP-7.6", value=3, cash=2)
    assert accepted(s, A, "bid 3")
    play(s, A, "pass")
    assert legal(s, B) == ["pass"]


@pytest.mark.rule("WP-7.5", "WP-A5", "WP-T23")
@pytest.mark.parametrize(("order", "asked"), [("track", [A, C]), ("reverse", [C, A])])
def test_second_bids(order: str, asked: Sequence[int]) -> None:
    s = at_auction(*[""] * 4, second_bid_order=order)
    bids(s, 1, None, 0, None)
    assert seen(s, None).phase == "BID_SECOND"
    assert seen(s, None).bidders == tuple(asked)
    refused(s, B, "bid 5", "NOT_YOUR_DECISION", "WP-8.1")
    refused(s, asked[0], "card W10", "WRONG_PHASE", "WP-7.5")
    for seat in asked:
        assert s.deciders() == (seat,)
        play(s, seat, "pass")
    assert picks(s) == [(A, 2), (C, 1)]


@pytest.mark.rule("WP-7.5", "WP-A6", "WP-T24")
def test_both_bids_together_must_be_payable() -> None:
    s = at_auction(*[""] * 4, cash=5)
    bids(s, 1, None, 0, None)
    refused(s, A, "bid 6", "CANNOT_AFFORD_BID", "WP-A6", value=4, owed=2, cash=5)
    assert accepted(s, A, "bid 5")
    refused(s, A, "bid 0", "SPACE_OCCUPIED", "WP-7.4", by=C)


@pytest.mark.rule("WP-7.5", "WP-7.7", "WP-7.8", "WP-T26")
def test_two_bidders_four_bids() -> None:
    s = at_auction("", "", "", "", order="ACBD", cash=9)
    bids(s, 3, 0, None, None, 5, 6)
    assert seen(s, None).prices == (4, 3, 2)
    assert picks(s) == [(C, 4), (A, 3), (A, 2)]
    assert (s.cash[A], s.cash[C]) == (4, 5)
    assert (len(s.hand[A]), len(s.hand[C])) == (2, 1)
    assert home(s)


@pytest.mark.rule("WP-7.9", "WP-7.5", "WP-T27")
def test_one_bidder_takes_two() -> None:
    s = at_auction("", "", "")
    story = bids(s, None, 0, None, 1)
    assert story.count("bid_made") == 2
    play(s, B, "pick S10")
    events = play(s, B, "pick W10")
    assert hand(s, B) == "W10 S10"
    assert s.cash[B] == 2
    assert ids(s.discards) == "S11"
    assert one(events, "auction_closed").facts["cards"] == numbers("S11")


@pytest.mark.rule("WP-7.9", "WP-A14", "WP-T28")
def test_nobody_bids() -> None:
    s = at_auction("", "", "", cash=[0, 0, 4])
    bids(s, None, None, None)
    assert ids(s.discards) == "W10 S10 S11"
    assert s.cash == [0, 0, 4]
    assert home(s)
    assert seen(s, None).phase == "PLACE"


@pytest.mark.rule("WP-A8", "WP-T29")
def test_with_two_players_second_bids_are_open_to_both() -> None:
    s = at_auction("", "")
    bids(s, 0, 3)
    view = seen(s, None)
    assert (view.phase, view.bidders) == ("BID_SECOND", (A, B))
    bids(s, None, None)
    assert picks(s) == [(B, 2), (A, 1)]


@pytest.mark.rule("WP-7.7", "WP-A11", "WP-T30")
def test_winners_must_take_a_card_that_is_there() -> None:
    s = at_auction("", "", "")
    bids(s, 3, 4, None, None, None)
    play(s, B, "pick S10")
    refused(s, A, "pick S10", "CARD_NOT_IN_AUCTION", "WP-7.7")
    refused(s, A, "pass", "MALFORMED", "WP-7.7")
    refused(s, A, "done", "MALFORMED", "WP-7.7")
    refused(s, A, "bid 1", "WRONG_PHASE", "WP-7.7")
    assert legal(s, A) == ["card W10", "card S11"]


@pytest.mark.rule("WP-7.3", "WP-7.10", "WP-A10", "WP-T60")
def test_bids_are_asked_in_track_order_and_meeples_come_back() -> None:
    s = at_auction("", "", "", order="CAB")
    for seat, space in ((C, 0), (A, 1), (B, 2)):
        assert s.deciders() == (seat,)
        play(s, seat, f"bid {space}")
        assert seen(s, None).seats[seat].bidding == 1
        assert s.reserve[seat] == 1
    picks(s)
    assert home(s)


@pytest.mark.rule("WP-A26", "WP-T71")
def test_fewer_cards_than_bids() -> None:
    s = at_auction("", "", "", up="W10 S10")
    bids(s, 7, 6, 5)
    assert seen(s, None).winners == (A, B)
    assert picks(s) == [(A, 5), (B, 4)]
    assert s.cash == [0, 1, 5]
    assert home(s)


@pytest.mark.rule("WP-7.5")
def test_all_known_of_a_game_with_bids_is_public() -> None:
    s = at_auction(*[""] * 5)
    bids(s, 2)
    for seat in (None, A, E):
        view = seen(s, seat)
        assert view.spaces[2] == A
        assert [card.id for card in view.auction] == ["W10", "S10", "S11"]
