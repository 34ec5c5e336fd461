"""What positions and decisions in Worker Placement are worth to a sensible player."""

from __future__ import annotations

from shopfloor.games.worker_placement.rules import WorkerPlacement


def rate(state: WorkerPlacement, seat: int) -> list[float]:
    return [0.0] * len(state.legal(seat))


def value(state: WorkerPlacement) -> list[float]:
    if state.over():
        return state.returns()
    return [1.0 / state.players] * state.players
