"""Action 3: three Business cards each, one kept, one passed on, one to the network (WP section 6)."""

from __future__ import annotations

from bisect import insort
from typing import Final

from shopfloor.games.worker_placement.actions import DRAFT, SPLITS
from shopfloor.games.worker_placement.position import (
    DRAFT_CARDS,
    DRAFT_CHOOSE,
    EVERYBODY,
    NONE,
    SPLIT,
    Position,
)

# The splits by the number of cards dealt: with fewer than three, first one is kept, then one passed on (WP-A25).
BY_SIZE: Final[tuple[tuple[int, ...], ...]] = (
    (),
    (DRAFT,),
    (DRAFT, DRAFT + 2),
    (DRAFT, DRAFT + 1, DRAFT + 2, DRAFT + 3, DRAFT + 4, DRAFT + 5),
)


def deal(s: Position) -> None:
    """Three cards to each player in track order; with two players one to the network (WP-6.1, WP-6.4, WP-A35)."""
    n = s.players
    s.draft = [NONE] * (DRAFT_CARDS * n)
    s.sealed = [NONE] * n
    s.pending = 0
    for seat in s.order:
        dealt = []
        for _ in range(DRAFT_CARDS):
            card = s.draw()
            if card != NONE:
                s.knows[card] = 1 << seat
                dealt.append(card)
        if not dealt:
            continue
        first = s.origin[dealt[0]]
        if any(s.origin[card] != first for card in dealt):  # seen by all: some before the shuffle, some after it
            s.blind.append([EVERYBODY & ~(1 << seat), SPLIT, *dealt])
        dealt.sort()
        b = DRAFT_CARDS * seat
        s.draft[b : b + len(dealt)] = dealt
        s.pending |= 1 << seat
        if s.events is not None:
            facts: dict[str, object] = {"seat": seat, "cards": dealt[:], "names": s.card_names(dealt)}
            s.report("draft_dealt", "WP-6.1", facts, (seat,))
    if n == 2:
        card = s.draw()
        if card != NONE:
            s.network.append(card)
            s.network_of.append(NONE)
            if s.events is not None:
                s.report("network_dealt", "WP-6.4", {})
    s.revelations += 1
    s.phase = DRAFT_CHOOSE


def size(s: Position, seat: int) -> int:
    """How many cards a seat was dealt."""
    b = DRAFT_CARDS * seat
    return DRAFT_CARDS - s.draft[b : b + DRAFT_CARDS].count(NONE)


def legal_splits(s: Position, seat: int) -> tuple[int, ...]:
    return BY_SIZE[size(s, seat)]


def neighbour(s: Position, seat: int) -> int:
    """Who gets the passed card: the left neighbour, or in turns left and right (WP-6.2, WP-6.6, WP-A34)."""
    step = s.players - 1 if s.alternate and s.round_no % 2 == 0 else 1
    return (seat + step) % s.players


def commit(s: Position, seat: int, action: int) -> bool:
    """Seal a split. True: all are sealed."""
    s.sealed[seat] = action - DRAFT
    s.pending &= ~(1 << seat)
    if s.events is not None:
        split = SPLITS[action - DRAFT]
        names = s.card_names([card for card in s.draft[DRAFT_CARDS * seat : DRAFT_CARDS * seat + 3] if card != NONE])
        parts = [names[i] if i < len(names) else "" for i in split]
        facts: dict[str, object] = {"seat": seat, "kept": parts[0], "passed": parts[1], "network": parts[2]}
        s.report("draft_chosen", "WP-6.2", facts, (seat,))
        s.report("draft_sealed", "WP-6.2", {"seat": seat})
    return s.pending == 0


def carry_out(s: Position) -> None:
    """All splits at once."""
    s.revelations += 1
    if s.events is not None:
        s.report("draft_opened", "WP-6.2", {"right": neighbour(s, 0) != 1 % s.players})
    for seat in range(s.players):
        if s.sealed[seat] == NONE:
            continue
        split = SPLITS[s.sealed[seat]]
        b = DRAFT_CARDS * seat
        kept = s.draft[b + split[0]]
        if kept != NONE:
            insort(s.hand[seat], kept)
        passed = s.draft[b + split[1]]
        if passed != NONE:
            other = neighbour(s, seat)
            insort(s.hand[other], passed)
            s.knows[passed] = s.knows[passed] | 1 << other
            if s.events is not None:
                facts: dict[str, object] = {
                    "seat": other,
                    "giver": seat,
                    "card": passed,
                    "name": s.cards.business_names[passed],
                }
                s.report("card_received", "WP-6.3", facts, (seat, other) if seat < other else (other, seat))
        networked = s.draft[b + split[2]]
        if networked != NONE:
            s.network.append(networked)
            s.network_of.append(seat)
    s.draft = [NONE] * (DRAFT_CARDS * s.players)
    s.sealed = [NONE] * s.players
