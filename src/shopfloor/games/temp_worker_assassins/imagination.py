"""Positions that a seat cannot tell from the real one (TA section 2, the table of who knows what).

What the others cannot see of a player are the hand and the deck. Together they are known but for cards kept in
Research: everybody can count what was owned, gained, trashed and lies open. Of the hand, `known` cards are certain;
the rest was drawn from the deck, each card as likely as the other; and what was kept in Research (`secret`) is one of
the Supply cards that nobody else has seen. It is in hand until shown, and shown cards may have been it (`shown`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from shopfloor.engine.dice import Dice
from shopfloor.games.temp_worker_assassins.position import GAME_OVER, OLDER, replaced

if TYPE_CHECKING:
    from shopfloor.games.temp_worker_assassins.rules import TempWorkerAssassins

TRIES: Final = 60


def deal(state: TempWorkerAssassins, seat: int) -> None:
    """Deal anew what `seat` cannot see in `state`, with the state's dice."""
    if state.phase == GAME_OVER:  # all is open then
        return
    state.target_deck.sort()  # no order of a pile carries anything, not even by how it came about
    state.supply_deck.sort()
    for pile in state.deck:
        pile.sort()
    others = [other for other in range(state.players) if other != seat]
    actor = state.current_player
    unseen = [_unseen(state, other) for other in others]
    looking = bool(state.looked) and actor != seat
    pools = _Pools(state, others, looking)
    if actor != seat:
        state.choices = ()
    before = (state.hand, state.deck, state.supply_deck, state.secret, state.looked)
    for _ in range(TRIES):
        if pools.deal(unseen) and (actor == seat or state.legal(actor)):
            return
        state.choices = ()
    # Hardly ever: what is known fits so few deals that none was found.
    state.hand, state.deck, state.supply_deck, state.secret, state.looked = before


def _unseen(state: TempWorkerAssassins, seat: int) -> list[int]:
    """What everybody knows to be in a seat's hand or deck, without the cards known to be in the hand."""
    cards = state.deck[seat] + state.hand[seat]
    for kind in state.known[seat]:
        cards.remove(kind)
    for entry in state.secret[seat]:
        cards.remove(entry % OLDER)
    cards.sort()
    return cards


def _draw(pool: list[int], dice: Dice) -> int:
    r = dice.below(len(pool))
    kind = pool[r]
    pool[r] = pool[-1]
    pool.pop()
    return kind


class _Pools:
    """Where secret cards may come from: the Supply Deck as it is now, and what was kept before its last reshuffle."""

    def __init__(self, state: TempWorkerAssassins, others: list[int], looking: bool) -> None:
        self.state = state
        self.others = others
        self.looking = looking
        self.now: list[int] = state.supply_deck[:]
        self.older: list[int] = []
        for other in others:
            for entry in state.secret[other]:
                (self.older if entry >= OLDER else self.now).append(entry % OLDER)
        if looking:
            self.older += state.looked[: state.looked_older]
            self.now += state.looked[state.looked_older :]
        self.now.sort()
        self.older.sort()

    def deal(self, unseen: list[list[int]]) -> bool:
        """One deal; False if it does not fit what is known."""
        state = self.state
        dice = state.dice
        now = self.now[:]
        older = self.older[:]
        hands = state.hand[:]
        decks = state.deck[:]
        secrets = state.secret
        for i, other in enumerate(self.others):
            rest = unseen[i][:]
            hand = state.known[other][:]
            shown = list(state.shown[other])
            if secrets[other]:
                kept = []
                for entry in secrets[other]:
                    old = entry >= OLDER
                    kind = _draw(older if old else now, dice)
                    kept.append(kind + OLDER if old else kind)
                    if kind in shown:  # it has been seen, and a card like it is somewhere unseen
                        shown.remove(kind)
                        rest.append(kind)
                    else:
                        hand.append(kind)
                secrets = replaced(secrets, other, tuple(kept))
            missing = len(state.hand[other]) - len(hand)
            if missing < 0:
                return False
            for _ in range(missing):
                hand.append(_draw(rest, dice))
            hand.sort()
            rest.sort()
            hands[other] = hand
            decks[other] = rest
        looked = state.looked
        if self.looking:
            looked = tuple(
                [_draw(older, dice) for _ in range(state.looked_older)]
                + [_draw(now, dice) for _ in range(len(looked) - state.looked_older)]
            )
        state.hand = hands
        state.deck = decks
        state.secret = secrets
        state.supply_deck = now
        state.looked = looked
        return True
