"""The final order as views show it, and how it came about in a sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from shopfloor.engine.state import Standing


@dataclass(frozen=True)
class RankView:
    """A seat's place, 1 for the best; shared places are equal.

    values: what was compared, in the order of the view's criteria. decided_by: the criterion that put it before the
    next one; empty for the last, and where the two share the place.
    """

    seat: int
    place: int
    values: tuple[int, ...]
    decided_by: str


def rank_views(standing: Standing | None) -> tuple[RankView, ...]:
    """The final order, best first; nothing while the game goes on."""
    if standing is None:
        return ()
    ranks = standing.ranks
    return tuple(
        RankView(r.seat, r.place, r.values, standing.decided_by(i) if i + 1 < len(ranks) else "")
        for i, r in enumerate(ranks)
    )


def tie_sentences(ranks: Sequence[RankView], names: Sequence[str], because: Callable[[str], str]) -> list[str]:
    """How each place was decided against the next.

    names: by seat, the reader's own being "You". because: what ends the sentence, by the criterion that decided.
    """
    sentences = []
    for better, worse in pairwise(ranks):
        who = names[better.seat]
        other = "you" if names[worse.seat] == "You" else names[worse.seat]
        if better.decided_by:
            sentences.append(f"{who} {'are' if who == 'You' else 'is'} before {other} {because(better.decided_by)}.")
        else:
            sentences.append(f"{who} and {other} are equal in everything and share the place.")
    return sentences
