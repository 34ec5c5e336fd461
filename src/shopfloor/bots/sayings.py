"""Advice in sentences, in the words of the game; every number in them stands in the advice."""

from __future__ import annotations

from shopfloor.bots.advice import Advice, Hint, Reason
from shopfloor.engine.game import Game
from shopfloor.engine.views import View


def percent(share: float) -> str:
    """A share of the victory as people say it."""
    return f"{100 * share:.0f} %"


def expected(hint: Hint, advice: Advice) -> str:
    """What a move is expected to bring."""
    if advice.choices == 1:
        return "It is the only thing that you can do now."
    if hint.worlds < 2:
        return "There was no time to try it."
    return (
        f"An expected {percent(hint.value)} of the victory ({percent(hint.low)} to {percent(hint.high)}, "
        f"{hint.worlds} imagined positions)."
    )


def why(hint: Hint, game: Game, view: View) -> tuple[str, ...]:
    """A sentence for each reason that shows in the numbers as they are told."""
    if hint.against is None:
        return ()
    other = game.words.action(hint.against, view)
    told = []
    for reason in hint.reasons:
        mine, theirs = _numbers(reason)
        if mine != theirs:
            told.append(f"{measured(game, reason)}: {mine} on average, against {theirs} after “{other}”.")
    if told or hint.worlds < 2:
        return tuple(told)
    return (f"In what can be counted a few decisions later it is like “{other}”.",)


def measured(game: Game, reason: Reason) -> str:
    """What a reason counts, in the words of the game."""
    said = getattr(game.words, "measure", None)
    return str(said(reason.measure)) if said is not None else reason.measure


def _numbers(reason: Reason) -> tuple[str, str]:
    digits = 1 if abs(reason.mean - reason.other) >= 0.1 else 2
    return f"{reason.mean:.{digits}f}", f"{reason.other:.{digits}f}"
