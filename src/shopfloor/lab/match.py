"""One game between computer players, from the first decision to the final order."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from shopfloor.bots import Bot, Seat, make_bot
from shopfloor.engine.dice import FastDice
from shopfloor.engine.game import Edition, Game


@dataclass(frozen=True)
class Outcome:
    """How a game went.

    places, shares, values: by seat: the final place (1 is best), the share of the victory (they add up to 1), the
    values of the game's ranking criteria, which `criteria` names. decisions: of all seats.
    choices, seconds: by seat: decisions with more than one legal action, and the computing time spent on them.
    """

    places: tuple[int, ...]
    shares: tuple[float, ...]
    values: tuple[tuple[int, ...], ...]
    criteria: tuple[str, ...]
    decisions: int
    choices: tuple[int, ...]
    seconds: tuple[float, ...]


def play_game(
    game: Game,
    edition: Edition,
    levels: Sequence[str],
    seed: int,
    budget: float | None = None,
    options: Mapping[str, str] | None = None,
    thought: int = 0,
) -> Outcome:
    """Play a game with a computer player of `levels[seat]` in every seat.

    seed: of the game's own chance; together with `thought` it seeds the players too. budget: seconds of
    computing a decision for levels that think; what else the machine does makes no player weaker.
    Raises UnknownLevel and BadSetup.
    """
    players = len(levels)
    state = game.start(players, FastDice(seed), options, edition)
    # The players' dice must have nothing in common with the table's.
    dice = FastDice((seed << 20) + (thought << 3) + 0x5EA7)
    bots: list[Bot] = [make_bot(level, dice.below(2**31), budget, time.thread_time) for level in levels]
    choices = [0] * players
    seconds = [0.0] * players
    decisions = 0
    while True:
        deciders = state.deciders()
        if not deciders:
            break
        for seat in deciders:
            legal = state.legal(seat)
            decisions += 1
            if len(legal) == 1:
                state.play(seat, legal[0])
            elif levels[seat] == "random":
                # Looks at nothing but the legal actions, so it needs no seat made for it, which would cost most.
                choices[seat] += 1
                state.play(seat, legal[dice.below(len(legal))])
            else:
                choices[seat] += 1
                started = time.thread_time()
                action = bots[seat].choose(Seat(game, state, seat, dice))
                seconds[seat] += time.thread_time() - started
                state.play(seat, action)
    standing = state.standing()
    ranks = sorted(standing.ranks, key=lambda rank: rank.seat)
    return Outcome(
        places=tuple(rank.place for rank in ranks),
        shares=tuple(state.returns()),
        values=tuple(rank.values for rank in ranks),
        criteria=standing.criteria,
        decisions=decisions,
        choices=tuple(choices),
        seconds=tuple(seconds),
    )
