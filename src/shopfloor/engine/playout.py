"""Random play to the end: the cheapest answer to how a position may go on. It knows nothing of any game.

On a compiled build these loops are compiled with the games, so that nothing between two decisions is interpreted.
"""

from __future__ import annotations

from shopfloor.engine.dice import FastDice
from shopfloor.engine.state import State


def play_out(state: State, dice: FastDice) -> int:
    """Play `state` itself to its end, each seat taking any of its legal actions with equal chances drawn from `dice`.

    The game's own chance goes on being drawn from the state's dice. Returns how many decisions that took;
    `state.returns()` has each seat's share of the victory then.
    """
    decisions = 0
    while True:
        deciders = state.deciders()
        if not deciders:
            return decisions
        # All who decide at the same time choose before the next moment is asked for; none of them sees a choice.
        for seat in deciders:
            actions = state.legal(seat)
            state.play(seat, actions[dice.below(len(actions))])
            decisions += 1


def rollouts(state: State, seat: int, times: int, dice: FastDice) -> list[float]:
    """Each seat's mean share of the victory over `times` random games from here, as far as `seat` can know.

    Each game starts in another position drawn from those that `seat` cannot tell from `state`, which stays as it is.
    """
    total = [0.0] * state.players
    for _ in range(times):
        world = state.imagine(seat, FastDice(dice.below(1 << 31)))
        play_out(world, dice)
        for other, share in enumerate(world.returns()):
            total[other] += share
    return [share / times for share in total]
