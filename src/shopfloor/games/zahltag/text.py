"""Zahltag's table as text, for terminals and screen readers that prefer it."""

from __future__ import annotations

from collections.abc import Sequence

from shopfloor.engine.text import TextBoard, TextTable
from shopfloor.engine.views import View
from shopfloor.games.zahltag.messages.en import MESSAGES
from shopfloor.games.zahltag.view import SeatView, ZahltagView
from shopfloor.games.zahltag.words import type_name, workers


def _say(key: str, **facts: object) -> str:
    return MESSAGES[f"text.{key}"].format(**facts)


def _pile(counts: Sequence[int]) -> str:
    """Worker cards in short, e.g. F2 W1; the hiring hall's columns say which letter is which."""
    parts = [_say("short", letter=MESSAGES[f"text.letter.{t}"], n=n) for t, n in enumerate(counts) if n]
    return " ".join(parts) or MESSAGES["text.dash"]


def _hand(seat: SeatView) -> str:
    if seat.hand is not None:
        return _say("hand", n=seat.hand_count, workers=_pile(seat.hand))
    if any(seat.known):
        return _say("hand.known", n=seat.hand_count, workers=_pile(seat.known))
    return str(seat.hand_count)


def _offer(view: ZahltagView, seat: SeatView) -> str:
    if not seat.active:
        return MESSAGES["text.out"]
    if view.phase != "BIDDING":
        return ""
    return MESSAGES["text.sealed" if seat.committed else "text.thinking"]


def board(view: View, seats: Sequence[str]) -> TextBoard:
    """What the viewer can see, from the job on offer down to every firm's plot."""
    assert isinstance(view, ZahltagView)
    lines = []
    if view.job is not None:
        lines.append(_say("job", job=view.job.name, needs=workers(view.job.needs), n=len(view.job_row)))
    lines.append(_say("paydays", n=view.paydays_executed, jobs=len(view.job_row), limit=view.job_limit))
    lines.append(_say("stack", jobs=len(view.jobs_left), paydays=view.paydays_left))
    stacks = TextTable(
        MESSAGES["text.stacks"],
        tuple(_say("type", letter=MESSAGES[f"text.letter.{t}"], types=type_name(t, 2)) for t in range(4)),
        (tuple(str(n) for n in view.stacks),),
    )
    rows = tuple(
        (
            seats[s.seat],
            _say("money", n=s.money),
            _hand(s),
            _pile(s.left),
            _pile(s.right),
            _say("total", n=s.workers),
            _offer(view, s),
        )
        for s in view.seats
    )
    heads = ("firm", "money", "hand", "left", "right", "all", "offer")
    columns = tuple(MESSAGES[f"text.column.{name}"] for name in heads)
    plots = TextTable(MESSAGES["text.plots"], columns, rows, view.deciders)
    headline = _say("turn", n=view.turn, name=seats[view.current_player]) if view.turn else MESSAGES["text.setup"]
    return TextBoard(headline, tuple(lines), (stacks, plots))
