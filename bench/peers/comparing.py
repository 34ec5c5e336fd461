"""Which games are of like size, and how the rates stand to each other."""

from __future__ import annotations

from statistics import median
from typing import Final

from bench.peers.measuring import DECISIONS, OBSERVED
from bench.peers.running import Row

LIKE: Final = 2.0  # games of like size: the longer has at most so many times the decisions of the shorter

Range = tuple[float, float, float]
"""Median, lowest and highest."""


def spread(found: list[float]) -> Range:
    return median(found), min(found), max(found)


def rates(row: Row) -> list[float]:
    """Decisions a second as its makers' users get them, at their best: chance nodes count as decisions."""
    for measure in (f"{DECISIONS}, chance", DECISIONS, OBSERVED):
        if row.rates.get(measure):
            return row.rates[measure]
    return []


def like(row: Row, peers: list[Row]) -> list[Row]:
    """The peers' games of like size that were measured, the fastest first."""
    found = [
        peer
        for peer in peers
        if rates(peer) and row.length and peer.length and 1 / LIKE <= peer.length / row.length <= LIKE
    ]
    return sorted(found, key=lambda peer: -median(rates(peer)))


def akin(row: Row, peer: Row) -> bool:
    """Are both played with some of the same things, such as cards?"""
    return bool(set(row.kind.split(", ")) & set(peer.kind.split(", ")))


def ratio(above: list[float], below: list[float]) -> Range | None:
    """One rate against another, round by round; None where either was not measured."""
    if not above or not below:
        return None
    return spread([a / b for a, b in zip(above, below, strict=False)])
