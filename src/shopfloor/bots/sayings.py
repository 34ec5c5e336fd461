"""Advice in sentences, in the words of the game; every number in them stands in the advice."""

from __future__ import annotations

from typing import Any

from shopfloor.bots.advice import Advice, Hint, Reason
from shopfloor.engine.game import Game
from shopfloor.engine.views import View


def percent(share: float) -> str:
    """A share of the victory as people say it."""
    return f"{100 * share:.0f} %"


def title(hint: Hint, game: Game, view: View) -> str:
    """What is to be done, in the words of the game."""
    return _tried_out(hint, game, view)[0] if hint.proposal is not None else game.words.action(hint.action, view)


def sentences(number: int, advice: Advice, game: Game, view: View) -> tuple[str, ...]:
    """All that is to be said of one of the hints: how it is done by hand, what it brings, and why."""
    hint = advice.hints[number]
    how = _tried_out(hint, game, view)[1] if hint.proposal is not None else ()
    return (*how, expected(hint, advice), *why(number, advice, game, view))


def expected(hint: Hint, advice: Advice) -> str:
    """What a move is expected to bring."""
    if hint.proposal is not None and hint.proposal.exact:
        return f"An expected {percent(hint.value)} of the victory, whatever the hand."
    if hint.proposal is not None:
        return (
            f"An expected {percent(hint.value)} of the victory ({percent(hint.low)} to {percent(hint.high)}, "
            f"{hint.worlds} rehearsals)."
        )
    if advice.choices == 1:
        return "It is the only thing that you can do now."
    if hint.worlds < 2:
        return "There was no time to try it."
    return (
        f"An expected {percent(hint.value)} of the victory ({percent(hint.low)} to {percent(hint.high)}, "
        f"{hint.worlds} imagined positions)."
    )


def why(number: int, advice: Advice, game: Game, view: View) -> tuple[str, ...]:
    """How one of the hints compares with another one: are they as good as each other, and what differs.

    A sentence for each reason that shows in the numbers as they are told.
    """
    hint = advice.hints[number]
    if hint.against is None or hint.worlds < 1:
        return ()
    compared = advice.hints[hint.against]
    other = title(compared, game, view)
    told = []
    if hint.even:
        mine, theirs = percent(hint.value), percent(compared.value)
        both = f"{mine} either way" if mine == theirs else f"{mine}, against {theirs}"
        told.append(f"As good as “{other}”, as far as can be told: {both}.")
    elif hint.lead_low <= 0.0 <= hint.lead_high and hint.worlds > 1:
        told.append(
            f"Perhaps no {'better' if hint.lead > 0 else 'worse'} than “{other}”: the difference of "
            f"{percent(abs(hint.lead))} may be chance ({_signed(hint.lead_low)} to {_signed(hint.lead_high)})."
        )
    for reason in hint.reasons:
        mine, theirs = _numbers(reason)
        if mine != theirs:
            told.append(f"{measured(game, reason)}: {mine} on average, against {theirs} after “{other}”.")
    if told or hint.worlds < 2 or hint.proposal is not None:
        return tuple(told)
    return (f"In what can be counted a few decisions later it is like “{other}”.",)


def _tried_out(hint: Hint, game: Game, view: View) -> tuple[str, tuple[str, ...]]:
    words: Any = game.words
    assert hint.proposal is not None
    found: tuple[str, tuple[str, ...]] = words.proposal(hint.action, hint.proposal.facts, view)
    return found


def _signed(share: float) -> str:
    return f"{'−' if round(100 * share) < 0 else ''}{abs(100 * share):.0f} %"


def measured(game: Game, reason: Reason) -> str:
    """What a reason counts, in the words of the game."""
    said = getattr(game.words, "measure", None)
    return str(said(reason.measure)) if said is not None else reason.measure


def _numbers(reason: Reason) -> tuple[str, str]:
    digits = 1 if abs(reason.mean - reason.other) >= 0.1 else 2
    return f"{reason.mean:.{digits}f}", f"{reason.other:.{digits}f}"
