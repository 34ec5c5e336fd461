"""A full position drawn at random from those that a seat cannot tell from the real one.

What a seat knows of hidden cards is more than its hand: cards that it passed, saw bought at the auction or taken from
it; which cards were shuffled into the draw pile and which were not; that a card stolen before all eyes is one of those
that the robbed hand held. All of that is kept.
"""

from __future__ import annotations

from shopfloor.engine.dice import Dice
from shopfloor.games.worker_placement import payment
from shopfloor.games.worker_placement.actions import BUSINESS_CARDS, DRAFT
from shopfloor.games.worker_placement.draft import legal_splits
from shopfloor.games.worker_placement.position import (
    CASINO,
    DRAFT_CARDS,
    DRAFT_CHOOSE,
    GAME_OVER,
    HAND_LIMIT,
    MAX_HAND,
    NONE,
    PAYMENT,
    PLACE,
    SEATS,
    SPLIT,
    WORKER,
    Position,
)

TRIES = 50


def imagine(s: Position, seat: int, dice: Dice) -> None:
    """Make `s` such a position, going on with `dice`."""
    s.dice = dice
    s.ready = None
    if s.phase == GAME_OVER:  # all cards are open then
        return
    s.job_deck.sort()  # its order carries nothing, not even by how it came about
    if not s.pending >> seat & 1:
        _forget_plans(s)
    _redeal(s, seat)
    if s.phase == WORKER and not s.pending >> seat & 1:
        # In the middle of an open card everybody knows that the Job can be paid.
        decider = SEATS[s.pending][0]
        for _ in range(TRIES):
            if payment.able_workers(s, decider, s.plan_job):
                break
            _redeal(s, seat)
    if s.phase == DRAFT_CHOOSE:
        for other in range(s.players):
            if other != seat and s.sealed[other] != NONE:
                splits = legal_splits(s, other)
                s.sealed[other] = splits[dice.below(len(splits))] - DRAFT
    elif s.phase == HAND_LIMIT:
        for other in range(s.players):
            if other != seat:
                s.drops[other] = [] if s.pending >> other & 1 else _some(s, other, dice)


def _forget_plans(s: Position) -> None:
    """Choices of another seat that are not committed are not known, nor that there are any."""
    if s.phase in (WORKER, PAYMENT) and s.playing != NONE:
        s.phase = WORKER
        job = s.plan_job
        s.drop_plan()
        s.plan_job = job
    elif s.phase in (WORKER, PAYMENT, CASINO):
        s.phase = PLACE
        s.drop_plan()


def _some(s: Position, seat: int, dice: Dice) -> list[int]:
    """A random choice of what a hand has too many."""
    cards = s.hand[seat][:]
    return sorted([cards.pop(dice.below(len(cards))) for _ in range(max(0, len(cards) - MAX_HAND))])


def _redeal(s: Position, seat: int) -> None:
    """Put other cards where the seat does not know which lie."""
    me = 1 << seat
    becomes = list(range(BUSINESS_CARDS))  # by the card that truly is somewhere: the card imagined there
    dice = s.dice
    for entry in reversed(s.blind):  # later moves first: earlier ones are then changed along with what followed
        if not entry[0] & me:
            continue
        cards = [card for card in entry[2:] if not s.knows[card] & me]
        if entry[1] == SPLIT:
            for i in range(len(cards) - 1, 0, -1):
                j = dice.below(i + 1)
                _exchange(becomes, cards[i], cards[j])
        elif cards and cards[0] == entry[2]:
            _exchange(becomes, cards[0], cards[dice.below(len(cards))])
    _shuffle_hidden(s, me, becomes)
    s.hand = [sorted([becomes[card] for card in cards]) for cards in s.hand]
    s.deck = sorted([becomes[card] for card in s.deck])
    s.network = [becomes[card] for card in s.network]
    if s.hide_discards:
        s.discards = [becomes[card] for card in s.discards]
    if s.phase == DRAFT_CHOOSE:
        for other in range(s.players):
            b = DRAFT_CARDS * other
            dealt = sorted([becomes[card] for card in s.draft[b : b + DRAFT_CARDS] if card != NONE])
            s.draft[b : b + len(dealt)] = dealt
    knows = s.knows[:]
    semi = s.semi[:]
    for card in range(BUSINESS_CARDS):
        # What others know belongs to the place, what this seat half knows to the card.
        s.knows[becomes[card]] = knows[card]
        s.semi[becomes[card]] = semi[card] & ~me | semi[becomes[card]] & me
    if s.blind:
        s.blind = [entry[:2] + [becomes[card] for card in entry[2:]] for entry in s.blind]


def _exchange(becomes: list[int], a: int, b: int) -> None:
    """The cards that are imagined in two places change them."""
    becomes[a], becomes[b] = becomes[b], becomes[a]


def _shuffle_hidden(s: Position, me: int, becomes: list[int]) -> None:
    """Cards of one shuffle that the seat has not seen since could be one another."""
    dice = s.dice
    hidden: list[list[int]] = [[] for _ in range(s.epoch + 1)]
    # Those outside the deck come first: once they are drawn, the deck is what remains.
    in_deck = [False] * BUSINESS_CARDS
    for card in s.deck:
        in_deck[card] = True
    outside = [0] * (s.epoch + 1)
    for card in range(BUSINESS_CARDS):
        if not in_deck[card] and not s.knows[card] & me and not s.semi[card] & me:
            hidden[s.origin[card]].append(card)
            outside[s.origin[card]] += 1
    for card in s.deck:
        hidden[s.origin[card]].append(card)
    # Where each card is imagined so far: the place (by its true card) of each imagined card.
    place = list(range(BUSINESS_CARDS))
    for true_card in range(BUSINESS_CARDS):
        place[becomes[true_card]] = true_card
    for epoch in range(s.epoch + 1):
        cards = hidden[epoch]
        size = len(cards)
        for i in range(min(outside[epoch], size - 1)):
            j = i + dice.below(size - i)
            if i != j:
                a = cards[i]
                b = cards[j]
                pa = place[a]
                pb = place[b]
                becomes[pa] = b
                becomes[pb] = a
                place[a] = pb
                place[b] = pa
                cards[i] = b
                cards[j] = a
