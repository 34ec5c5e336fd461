"""Payments for a Job, told to people: which skill is met by what, and the cheapest payment with each Worker card.

Only for showing: what is legal, and what the table proposes, is the rules' business.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

from shopfloor.games.worker_placement.view import CardView, PaymentView

WILD: Final = 4
# As in the table's own proposal: a Skill card goes before a cube, what is wild comes last.
CARD, CUBE, ANY = 10, 11, 16


@dataclass(frozen=True)
class Slot:
    """A skill that a Job needs: its place among the skills, and what meets it (empty: nothing yet)."""

    skill: int
    by: str


def met(needs: Sequence[int], offers: Sequence[tuple[str, Sequence[int]]]) -> tuple[list[Slot], list[int]]:
    """The Job's slots with what meets each, in the order in which things are offered; and what is to spare by skill."""
    left: list[list[str]] = [[] for _ in range(5)]
    for name, skills in offers:
        for skill, n in enumerate(skills):
            left[skill] += [name] * n
    slots = [(skill, left[skill].pop(0) if left[skill] else "") for skill in range(4) for _ in range(needs[skill])]
    # What is to spare meets wild needs; wild skills then fill any gap.
    for _ in range(needs[WILD]):
        pile = next((left[skill] for skill in range(4) if left[skill]), None)
        slots.append((WILD, pile.pop(0) if pile else ""))
    filled = [Slot(skill, by or (left[WILD].pop(0) if left[WILD] else "")) for skill, by in slots]
    return filled, [len(pile) for pile in left]


def short(needs: Sequence[int], have: Sequence[int]) -> int:
    """How many skills `have` (5 counts) is short of."""
    gaps = spare = 0
    for k in range(4):
        left = have[k] - needs[k]
        if left < 0:
            gaps -= left
        else:
            spare += left
    return max(0, gaps + max(0, needs[WILD] - spare) - have[WILD])


def cheapest(
    needs: Sequence[int], worker: CardView, cards: Sequence[CardView], cubes: Sequence[int]
) -> PaymentView | None:
    """The cheapest payment with this Worker card, or None if there is none."""
    best: tuple[int, PaymentView] | None = None
    useful = [c for c in cards if needs[WILD] or any(c.skills[k] and (needs[k] or k == WILD) for k in range(5))]
    costs = {c.card: CARD * sum(c.skills[:4]) + ANY * c.skills[WILD] for c in useful}
    for n in range(min(len(useful), sum(needs)) + 1):
        for chosen in combinations(useful, n):
            have = [worker.skills[k] + sum([card.skills[k] for card in chosen]) for k in range(5)]
            gap = short(needs, have)
            # Every cube closes the gap by one at most.
            cost = sum([costs[card.card] for card in chosen]) + CUBE * gap
            if gap > sum(cubes) or (best is not None and cost >= best[0]):
                continue
            added = _cubes(needs, have, cubes)
            if added is not None:
                best = (cost, PaymentView(worker.card, tuple(card.card for card in chosen), tuple(added)))
    return best[1] if best else None


def _cubes(needs: Sequence[int], have: Sequence[int], cubes: Sequence[int]) -> list[int] | None:
    """The cubes that make `have` enough, as few as possible; None if they do not suffice."""
    added = [0, 0, 0, 0]
    while short(needs, [have[k] + added[k] for k in range(4)] + [have[WILD]]):
        before = short(needs, [have[k] + added[k] for k in range(4)] + [have[WILD]])
        for k in sorted(range(4), key=lambda k: cubes[k] - added[k], reverse=True):
            if added[k] >= cubes[k]:
                continue
            more = [have[j] + added[j] + (j == k) for j in range(4)] + [have[WILD]]
            if short(needs, more) < before:
                added[k] += 1
                break
        else:
            return None
    return added


def values(payment: PaymentView, card: int, cube: int) -> list[int]:
    """A payment as action ids: first the Worker card, then Skill cards and cubes."""
    chosen = [card + payment.worker, *(card + c for c in payment.cards)]
    return chosen + [cube + k for k, n in enumerate(payment.cubes) for _ in range(n)]


def slots(found: Sequence[Slot]) -> list[dict[str, Any]]:
    return [{"skill": slot.skill, "by": slot.by} for slot in found]
