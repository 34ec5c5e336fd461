"""What a hand is good for, as far as that is certain: for the meter on the page and for computer players."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from shopfloor.games.temp_worker_assassins.attempt import PLAYABLE, Attempts, attack
from shopfloor.games.temp_worker_assassins.cards import loaded
from shopfloor.games.temp_worker_assassins.effects import (
    DISCARD,
    DRAW,
    END,
    GAIN,
    IDENTICAL,
    RECOVER,
    RESEARCH,
    TRASH,
    WIDTH,
)

MOST_COSTLY: Final = 6


class Price(NamedTuple):
    """What playing a card costs and brings, all its steps together.

    any, identical, tagged: cards to give up, of which kind; tag: -1 or the tag. brings: cards that come to hand.
    draws: how many of them from the own deck. costly: is there a price at all?
    """

    any: int
    identical: int
    tagged: int
    tag: int
    brings: int
    draws: int
    costly: bool


@lru_cache(maxsize=64)
def prices(edition: str) -> tuple[Price, ...]:
    """The price of each kind of an edition."""
    cards = loaded(edition)
    found = []
    for program in cards.programs:
        loose = identical = tagged = brings = draws = 0
        tag = -1
        pc = program
        while pc >= 0 and cards.code[pc] != END:
            operation, number, argument, may = cards.code[pc : pc + WIDTH]
            pc += WIDTH
            if may:
                continue
            if operation == DISCARD and argument == IDENTICAL:
                identical += number
            elif operation == DISCARD and argument >= 0:
                tagged += number
                tag = argument
            elif operation in (DISCARD, TRASH):
                loose += number
            elif operation in (DRAW, GAIN, RECOVER):
                brings += number
                draws += number if operation == DRAW else 0
            elif operation == RESEARCH:
                brings += 1
        found.append(Price(loose, identical, tagged, tag, brings, draws, loose + identical + tagged > 0))
    return tuple(found)


def sure_attack(state: Attempts, seat: int, defence: int) -> int:
    """An attack that the seat's hand surely reaches against this defence, whatever cards are drawn on the way.

    With what is already played, if an attempt of the seat is under way, and what lasts in Departments. Cards that are
    to come count for nothing, but they can be discarded for others (TA-6.12).
    """
    cards = state.cards
    table = prices(cards.hash)
    hand = state.hand[seat]
    playable = [k for k in hand if cards.programs[k] < 0 or _could_ever(state, seat, k, table[k])]
    useless = len(hand) - len(playable)
    free = [k for k in playable if not table[k].costly]
    costly = sorted((k for k in playable if table[k].costly), key=lambda k: -cards.flat[k])[:MOST_COSTLY]
    useless += len(playable) - len(free) - len(costly)
    played = state.played if state.target >= 0 and state.current_player == seat else []
    lasting = state.lasting_attack(seat, defence) if state.lasting else 0
    best = 0
    for mask in range(1 << len(costly)):
        chosen = [k for i, k in enumerate(costly) if mask >> i & 1]
        rest = [k for i, k in enumerate(costly) if not mask >> i & 1]
        plan = _pay(state, free, chosen, rest, useless, table)
        if plan is not None:
            cards_played, left = plan
            total = attack(cards.flat, cards.terms, cards.tag_masks, played + cards_played, left, defence)
            best = max(best, total)
    return best + lasting


def _could_ever(state: Attempts, seat: int, kind: int, price: Price) -> bool:
    """Playable now, or as soon as there are cards to pay with."""
    obstacle = state.obstacle(seat, kind)
    return obstacle == PLAYABLE or (price.costly and obstacle <= 4)


def _pay(
    state: Attempts, free: list[int], chosen: list[int], rest: list[int], useless: int, table: tuple[Price, ...]
) -> tuple[list[int], int] | None:
    """The cards that get played, and how many are left in hand, if all chosen cards are to be paid; None: too dear."""
    flat = state.cards.flat
    terms = state.cards.terms
    masks = state.cards.tag_masks
    keep = sorted(free, key=lambda k: (table[k].brings, flat[k] + len(terms[k]) // 4))
    loose = rest[:]
    need = 0
    for kind in chosen:
        price = table[kind]
        need += price.any
        if price.identical:
            found = next((k for k in loose + keep if (loose + keep).count(k) >= price.identical), None)
            if found is None:
                return None
            for _ in range(price.identical):
                (loose if found in loose else keep).remove(found)
        for _ in range(price.tagged):
            found = next((k for k in loose + keep if masks[k] >> price.tag & 1), None)
            if found is None:
                return None
            (loose if found in loose else keep).remove(found)
    blanks = useless + len(loose)
    while True:
        have = blanks + sum(table[k].brings for k in keep) + sum(table[k].brings for k in chosen)
        if have >= need:
            return keep + chosen, have - need
        if not keep:
            return None
        # A card is given up as soon as it costs least; each one also stands for a card to discard.
        keep.pop(0)
        blanks += 1
