"""Action 4: the auction at the Peer Networking Group (WP section 7)."""

from __future__ import annotations

from bisect import insort

from shopfloor.games.worker_placement.actions import BID, CARD, PASS
from shopfloor.games.worker_placement.position import (
    AUCTION_CARDS,
    AUCTION_PICK,
    BID_FIRST,
    BID_SECOND,
    BID_VALUES,
    NONE,
    Position,
)


def open_auction(s: Position) -> None:
    """Three random cards of the network face up, the others to the discard pile (WP-7.1); then the first bids."""
    cards = s.network
    shown: list[int] = []
    while cards and len(shown) < AUCTION_CARDS:
        shown.append(cards.pop(s.dice.below(len(cards))))
    s.auction = sorted(shown)
    for card in s.auction:
        s.show(card)
    rest = sorted(cards)
    s.network = []
    s.network_of = []
    if s.events is not None:
        s.report("auction_opened", "WP-7.1", {"cards": s.auction[:], "names": s.card_names(s.auction)})
        if rest:
            seen = [] if s.hide_discards else rest
            facts: dict[str, object] = {"count": len(rest), "cards": seen[:], "names": s.card_names(seen)}
            s.report("network_discarded", "WP-7.1", facts)
    for card in rest:
        s.discard_unseen(card)
    s.phase = BID_FIRST
    s.bidders = s.order[:]
    s.turn = 0
    s.pending = 1 << s.bidders[0]


def owed(s: Position, seat: int) -> int:
    """What a seat's bids come to (WP-A6)."""
    total = 0
    for space in range(8):
        if s.spaces[space] == seat:
            total += BID_VALUES[space]
    return total


def legal_bids(s: Position, seat: int) -> tuple[int, ...]:
    money = s.cash[seat] - owed(s, seat)
    actions = [PASS]
    for space in range(8):
        if s.spaces[space] == NONE and BID_VALUES[space] <= money:
            actions.append(BID + space)
    return tuple(actions)


def legal_picks(s: Position) -> tuple[int, ...]:
    return tuple([CARD + card for card in s.auction])


def bid(s: Position, seat: int, action: int) -> bool:
    """A bid or a pass. True: the auction is over."""
    second = s.phase == BID_SECOND
    if action == PASS:
        if s.events is not None:
            s.report("bid_passed", "WP-7.5" if second else "WP-7.3", {"seat": seat, "second": second})
    else:
        space = action - BID
        s.spaces[space] = seat
        s.reserve[seat] = s.reserve[seat] - 1
        if s.events is not None:
            facts: dict[str, object] = {"seat": seat, "space": space, "value": BID_VALUES[space], "second": second}
            s.report("bid_made", "WP-7.5" if second else "WP-7.4", facts)
    s.turn += 1
    if s.turn < len(s.bidders):
        s.pending = 1 << s.bidders[s.turn]
        return False
    if not second:
        bidders = [other for other in s.order if other in s.spaces]
        if 1 <= len(bidders) <= 2:  # WP-7.5, WP-A8
            s.phase = BID_SECOND
            s.bidders = bidders[::-1] if s.second_reversed else bidders  # WP-A5
            s.turn = 0
            s.pending = 1 << s.bidders[0]
            return False
    return _resolve(s)


def _resolve(s: Position) -> bool:
    """Who picks, right to left: as many of the top bids as there are cards (WP-7.7, WP-A26)."""
    s.winners = [space for space in range(7, -1, -1) if s.spaces[space] != NONE][: len(s.auction)]
    s.bidders = []
    s.turn = 0
    if not s.winners:
        return _close(s)
    s.phase = AUCTION_PICK
    s.pending = 1 << s.spaces[s.winners[0]]
    return False


def pick(s: Position, seat: int, action: int) -> bool:
    """The next of the top bidders takes a card and pays. True: the auction is over."""
    card = action - CARD
    price = BID_VALUES[s.winners[s.turn]]
    s.auction.remove(card)
    insort(s.hand[seat], card)
    if s.events is not None:
        facts: dict[str, object] = {"seat": seat, "card": card, "name": s.cards.business_names[card], "price": price}
        s.report("card_won", "WP-7.7", facts)
    s.add_cash(seat, -price, "bid", "WP-7.7")
    s.turn += 1
    if s.turn < len(s.winners):
        s.pending = 1 << s.spaces[s.winners[s.turn]]
        return False
    return _close(s)


def _close(s: Position) -> bool:
    """What nobody took is discarded; meeples go back (WP-7.9, WP-7.10)."""
    rest = s.auction
    s.auction = []
    for card in rest:
        s.discard(card)
    for space in range(8):
        if s.spaces[space] != NONE:
            s.reserve[s.spaces[space]] = s.reserve[s.spaces[space]] + 1
            s.spaces[space] = NONE
    s.winners = []
    if s.events is not None:
        s.report("auction_closed", "WP-7.9", {"cards": rest[:], "names": s.card_names(rest)})
    return True
