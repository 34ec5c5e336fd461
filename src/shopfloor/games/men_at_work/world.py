"""The building site as the game's world (`engine.world.World`): imported only where hands are at work."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from shopfloor.engine.refusals import IllegalAction
from shopfloor.engine.state import State
from shopfloor.engine.world import TICKS, Batch, Proposal
from shopfloor.games.men_at_work import actions as a
from shopfloor.games.men_at_work import adviser, builder, wire, words
from shopfloor.games.men_at_work.errand import Errand, number_of, pose_of, say
from shopfloor.games.men_at_work.live import Session
from shopfloor.games.men_at_work.pieces import NAMES
from shopfloor.games.men_at_work.position import BUILD
from shopfloor.games.men_at_work.rules import MenAtWork
from shopfloor.games.men_at_work.works import Works

LONGEST: Final = 180 * TICKS
"""An errand takes no longer than that."""
TRIALS: Final = 40
"""Placements that a computer tries in a second, at least; of its budget."""
LEAST_TRIALS: Final = 4


def _ours(state: State) -> MenAtWork:
    assert isinstance(state, MenAtWork)
    return state


def by_hand(state: State, action: int) -> bool:
    # What the dice have put in a hand, where there was no site yet, they also take out of it.
    return not _ours(state).held and (a.GRIP <= action <= a.RELEASE or action == a.DESIGN_FREE)


def measured(state: State, action: int) -> str | None:
    mine = _ours(state)
    if mine.held or not (action < a.DESIGN_FREE or mine.wants_outcome(action)):
        return None
    outcome = Works(mine.clone()).act(action)
    return None if outcome is None else outcome.encode()


def begin(state: State, number: int, names: Sequence[str], people: frozenset[int]) -> Session:
    return Session(_ours(state), number, names, people)


def carry(state: State, errand: object) -> Batch:
    mine = _ours(state).clone()
    session = Session(mine, 0, [f"Seat {seat + 1}" for seat in range(mine.players)], frozenset())
    session.shown = False
    session.errand(mine.hook, errand, patient=False)
    for _ in range(LONGEST):
        due = session.due()
        if due is not None:
            return due[1]
        session.tick()
    raise say("UNSETTLED")


def replay(motion: bytes) -> bytes:
    return wire.developed(motion)


def think(state: State, level: str, seed: int, budget: float) -> int | object:
    skill = next((known for known in builder.LEVELS if known.name == level), builder.LEVELS[0])
    trials = min(skill.trials, max(LEAST_TRIALS, round(budget * TRIALS)))
    plan = builder.think(_ours(state), skill.name, seed, trials)
    if plan.design is not None:
        return Errand(design=plan.design)
    return plan.action if plan.route is None else Errand(plan.action - a.GRIP, plan.route)


def propose(state: State, seed: int, spent: Callable[[], float]) -> list[Proposal]:
    return adviser.propose(_ours(state), seed, spent)


def errand(state: State, seat: int, piece: str | int, pose: Sequence[float], via: Sequence[Sequence[float]]) -> Errand:
    return _allowed(state, seat, Errand.of(piece, pose, via))


def form(state: State, seat: int, fields: Mapping[str, str]) -> Errand:
    return _allowed(state, seat, Errand.filled_in(_ours(state).cards.shapes, fields))


def _allowed(state: State, seat: int, found: Errand) -> Errand:
    refusal = _ours(state).refusal(seat, a.GRIP + found.piece)
    if refusal is not None:
        raise IllegalAction(refusal)
    return found


def arrangement(state: State, seat: int, poses: Mapping[str, Sequence[float]]) -> Errand:
    refusal = _ours(state).refusal(seat, a.DESIGN_FREE)
    if refusal is not None:
        raise IllegalAction(refusal)
    return Errand(design={number_of(piece): pose_of(pose) for piece, pose in poses.items()})


def help(state: State) -> str:  # noqa: A001
    mine = _ours(state)
    grips = [action - a.GRIP for action in mine.legal(mine.hook) if a.GRIP <= action < a.RELEASE]
    if mine.phase != BUILD or not grips:
        return ""
    return words.hand("help", {"piece": NAMES[grips[0]]})
