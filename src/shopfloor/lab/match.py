"""One game between computer players, from the first decision to the final order."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from shopfloor.bots import Bot, Seat, make_bot
from shopfloor.bots.nets import SHIPPED, Nets
from shopfloor.engine.dice import FastDice
from shopfloor.engine.game import Edition, Game
from shopfloor.engine.records import Record, record_of
from shopfloor.lab.observations import Observer


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


@dataclass
class Log:
    """What happened in a game, decision by decision: as `play_game` fills it.

    observer: fills the observations, or None if they are not wanted. record: the game's record, once it is over.
    decisions: (seat, action id). legal: the action ids that the seat could choose from. seconds: of computing.
    observations: what the seat knew before each decision, one after the other: 32-bit floats, `observer.size` each.
    """

    observer: Observer | None = None
    record: Record | None = None
    decisions: list[tuple[int, int]] = field(default_factory=list)
    legal: list[tuple[int, ...]] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    observations: bytearray = field(default_factory=bytearray)


def play_game(
    game: Game,
    edition: Edition,
    levels: Sequence[str],
    seed: int,
    budget: float | None = None,
    options: Mapping[str, str] | None = None,
    thought: int = 0,
    log: Log | None = None,
    nets: Sequence[Nets] | None = None,
    processes: int = 1,
) -> Outcome:
    """Play a game with a computer player of `levels[seat]` in every seat.

    seed: of the game's own chance; together with `thought` it seeds the players too. budget: seconds of
    computing a decision for levels that think; what else the machine does makes no player weaker. log: an empty one,
    to be filled. nets: by seat, what those that think judge with (None: what comes with the game). processes: that
    think about one decision, each for the whole budget, where the level can use them.
    Raises UnknownLevel, BadSetup and NetError.
    """
    players = len(levels)
    state = game.start(players, FastDice(seed), options, edition)
    # The players' dice must have nothing in common with the table's.
    dice = FastDice((seed << 20) + (thought << 3) + 0x5EA7)
    minds = nets if nets is not None else [SHIPPED] * players
    bots: list[Bot] = [
        make_bot(level, dice.below(2**31), budget, time.thread_time, mind, processes, edition)
        for level, mind in zip(levels, minds, strict=True)
    ]
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
            spent = seconds[seat]
            if log is not None and log.observer is not None:
                log.observations += log.observer.observe(game.view(state, seat)).tobytes()
            if len(legal) == 1:
                action = legal[0]
            elif levels[seat] == "random":
                # Looks at nothing but the legal actions, so it needs no seat made for it, which would cost most.
                choices[seat] += 1
                action = legal[dice.below(len(legal))]
            else:
                choices[seat] += 1
                started = time.thread_time()
                action = bots[seat].choose(Seat(game, state, seat, dice))
                seconds[seat] += time.thread_time() - started
            state.play(seat, action)
            if log is not None:
                log.decisions.append((seat, action))
                log.legal.append(legal)
                log.seconds.append(seconds[seat] - spent)
    standing = state.standing()
    if log is not None:
        log.record = record_of(game, edition, seed, players, dict(options or {}), log.decisions, state)
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
