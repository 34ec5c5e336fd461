"""Zahltag of two cut down until it can be solved: the last Jobs before the fifth Payday, and few Worker cards.

With two players the open stacks give both hands away (ZT-A18), so nothing is hidden here but the sealed bids.
"""

from __future__ import annotations

from collections.abc import Hashable
from itertools import combinations
from typing import Final

from shopfloor.engine.dice import FastDice
from shopfloor.games.zahltag import cards, rules
from shopfloor.games.zahltag.actions import PASS
from shopfloor.games.zahltag.rules import LAST_PAYDAY, Zahltag

TYPES: Final = 2  # of Workers that are left in the game
JOBS: Final = 2  # in the stack, beside the one on offer
PAYDAYS: Final = 2  # in the stack; the first one ends the game
FEWEST_CARDS: Final = 3  # in a hand, unless the Job on offer takes more
MOST_CARDS: Final = 5
MOST_MONEY: Final = 4

OPTIONS: Final = {"setup_adjust": "block", "first_player": "0", "card_cap": "prevent", "tie_debt": "eliminate"}


def ending(seed: int, edition: cards.Cards) -> Zahltag:
    """The cut-down game of a number: a Job on offer that both can do, and both about to seal their bids.

    Four Paydays are over. The hands and the Jobs are of two types of Workers, the stacks are empty. Cards and Jobs are
    those of the edition, but for those that have been left out. Raises ValueError if its Jobs do not allow that.
    """
    dice = FastDice(seed)
    groups = [_jobs_of(types, edition) for types in combinations(range(4), TYPES)]
    enough = [n for n, group in enumerate(groups) if len(group) > JOBS]
    if not enough:
        raise ValueError(f"no {TYPES} types of Workers are enough for more than {JOBS} Jobs of this edition")
    chosen = enough[dice.below(len(enough))]
    left = list(combinations(range(4), TYPES))[chosen]
    possible = groups[chosen]
    jobs = [possible.pop(dice.below(len(possible))) for _ in range(JOBS + 1)]
    state = rules.start(2, dice, OPTIONS, edition)
    for seat in (0, 1):
        state.play(seat, PASS)
    needs = edition.job_needs(jobs[0])
    state.stacks = [0] * 4
    for seat in (0, 1):
        hand = list(needs)
        wanted = FEWEST_CARDS + dice.below(MOST_CARDS - FEWEST_CARDS + 1)
        while sum(hand) < wanted:
            hand[left[dice.below(TYPES)]] += 1
        state.hand[4 * seat : 4 * seat + 4] = hand
        state.workers[seat] = sum(hand)
        state.money[seat] = dice.below(MOST_MONEY + 1)
    state.known = state.hand[:]
    state.paydays_executed = LAST_PAYDAY - 1
    # The Job on offer is turned over by the rules: for a moment it is all that there is in the stack.
    state.job_deck = jobs[:1]
    state.deck_paydays = 0
    state.play(state.current_player, PASS)
    state.job_deck = jobs[1:]
    state.deck_paydays = PAYDAYS
    return state


def _jobs_of(types: tuple[int, ...], edition: cards.Cards) -> list[int]:
    """The Jobs that need Workers of these types alone."""
    others = [t for t in range(4) if t not in types]
    return [j for j in range(len(edition.job_ids)) if not any(edition.job_needs(j)[t] for t in others)]


def alike(state: Zahltag) -> Hashable:
    """What decides how a game of two goes on: positions in which this is the same are the same to both players."""
    if state.over():
        return tuple(state.returns())
    return (
        (state.phase, state.current_player, state.pending, state.job, state.deck_paydays, state.paydays_executed),
        (state.after_payday, len(state.job_row)),
        (tuple(state.hand), tuple(state.left), tuple(state.right), tuple(state.stacks), tuple(state.money)),
        (tuple(state.sealed), tuple(state.operations), tuple(sorted(state.job_deck))),
    )
