"""Men at Work's table as text, for terminals and screen readers that prefer it."""

from __future__ import annotations

from collections.abc import Sequence

from shopfloor.engine.text import TextBoard, TextTable
from shopfloor.engine.views import View
from shopfloor.games.men_at_work.messages.en import MESSAGES
from shopfloor.games.men_at_work.pieces import COLOURS, KIND_NAMES
from shopfloor.games.men_at_work.view import MenAtWorkView
from shopfloor.games.men_at_work.words import colours, instruction, listed, piece


def _say(key: str, **facts: object) -> str:
    return MESSAGES[f"text.{key}"].format(**facts)


def board(view: View, seats: Sequence[str]) -> TextBoard:
    """What the viewer can see: the cards, the site from the top down, the supply and the players."""
    assert isinstance(view, MenAtWorkView)
    lines = []
    if view.how:
        lines.append(_say("task", what=colours(view.what, view.what_colours), how=instruction(view.how)))
    elif view.what:
        lines.append(_say("next", what=colours(view.what, view.what_colours)))
    lines.append(_say("deck", deck=view.deck, discard=view.discard))
    lines.append(_say("rita.on", left=view.awards_left) if view.rita_active else MESSAGES["text.rita.off"])
    for finding in view.findings:
        key = "met" if finding.met else "unmet"
        lines.append(_say(key, reason=MESSAGES[f"finding.{finding.code}"]))
    site = sorted((p for p in view.site if p.kind != "hat" or p.loose), key=lambda p: (-p.top, p.piece))
    rows = tuple(
        (
            p.name,
            _say("height", n=round(p.top / 1000)) if p.position else MESSAGES["text.in_hand"],
            listed([piece(c) for c in p.carried_by]),
        )
        for p in site
    )
    columns = tuple(MESSAGES[f"text.column.{c}"] for c in ("piece", "top", "rests"))
    marked = tuple(i for i, p in enumerate(site) if p.fresh)
    girders = [_say("girders", colour=c, n=n) for c, n in zip(COLOURS, view.girders, strict=True)]
    counts = [_say(f"supply.{k}", n=view.supply[i]) for i, k in enumerate(KIND_NAMES) if k != "girder"]
    lines.append(_say("supply", girders=listed(girders), pieces=listed(counts)))
    people = tuple(
        (
            seats[s.seat],
            str(s.certificates) if s.in_game else MESSAGES["text.out"],
            _say("of", n=s.awards, goal=view.award_goal),
            str(s.card_count) if "foreman" in view.variants else MESSAGES["text.dash"],
        )
        for s in view.seats
    )
    heads = tuple(MESSAGES[f"text.column.{c}"] for c in ("player", "certificates", "awards", "cards"))
    return TextBoard(
        _say("turn", n=view.turn, name=seats[view.hook]) if view.turn else MESSAGES["text.setup"],
        tuple(lines),
        (
            TextTable(MESSAGES["text.site"], columns, rows, marked),
            TextTable(MESSAGES["text.people"], heads, people, (view.hook,)),
        ),
    )
