"""Ratings of levels from the games of a ladder: openskill's Plackett-Luce model, as for people, on the same scale."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from openskill.models import PlackettLuce, PlackettLuceRating

# A level stays as strong as it is, so games long ago say as much about it as the last ones.
MODEL: Final = PlackettLuce(tau=0.0)


@dataclass(frozen=True)
class LevelRating:
    """How strong a level is taken to be at a number of players. mu, low, high: the middle, and the 95 % interval."""

    level: str
    mu: float
    low: float
    high: float
    games: int


def rated(games: Iterable[tuple[Sequence[str], Sequence[int]]]) -> list[LevelRating]:
    """The ratings of all that have played, the strongest first.

    games: the level and the place of each seat, in the order in which they are to count. Seats of the same level in
    one game tell of it together: it takes their mean, so that a full table is no more than one opinion.
    """
    ratings: dict[str, PlackettLuceRating] = {}
    played: dict[str, int] = {}
    for levels, places in games:
        for level in dict.fromkeys(levels):
            ratings.setdefault(level, MODEL.rating(name=level))
            played[level] = played.get(level, 0) + 1
        if len(set(levels)) == 1:
            continue  # who plays against nobody else is not measured
        teams = [[MODEL.create_rating([ratings[level].mu, ratings[level].sigma])] for level in levels]
        after = MODEL.rate(teams, ranks=[float(place) for place in places])
        for level in dict.fromkeys(levels):
            own = [team[0] for team, seat in zip(after, levels, strict=True) if seat == level]
            mu = sum(one.mu for one in own) / len(own)
            sigma = sum(one.sigma for one in own) / len(own)
            ratings[level] = MODEL.create_rating([mu, sigma], name=level)
    found = [
        LevelRating(level, one.mu, one.mu - 1.96 * one.sigma, one.mu + 1.96 * one.sigma, played[level])
        for level, one in ratings.items()
    ]
    return sorted(found, key=lambda rating: -rating.mu)
