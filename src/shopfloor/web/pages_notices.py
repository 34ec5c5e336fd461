"""The pages about notices as HTML text, and the panel that the page of a table shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from markupsafe import Markup

from shopfloor.tables.model import Table
from shopfloor.web.notices.desk import EVERY, USUAL, Target
from shopfloor.web.pages import Ctx
from shopfloor.web.rendering import render, render_part
from shopfloor.web.together import span

FORMS: Final = {
    "ntfy": "ntfy",
    "discord": "Discord",
    "slack": "Slack, Mattermost or the like",
    "json": "a program of mine",
}


def panel(
    ctx: Ctx, table: Table, offered: Sequence[str], push_key: str, targets: Sequence[Target], problem: str = ""
) -> str:
    """How somebody is told of their turn at a table, and the forms to change it."""
    return render_part(
        "notices_panel.html",
        ctx,
        table.game,
        path=f"/t/{table.id}",
        offered=offered,
        push_key=push_key,
        targets=[{"t": target, "every": span(target.every)} for target in targets],
        forms=FORMS,
        every=[{"value": seconds, "text": span(seconds)} for seconds in EVERY],
        usual=USUAL,
        problem=problem,
    )


def page(
    ctx: Ctx, table: Table, offered: Sequence[str], push_key: str, targets: Sequence[Target], problem: str = ""
) -> str:
    """The panel as a page of its own."""
    held = Markup(panel(ctx, table, offered, push_key, targets, problem))
    return render("notices.html", ctx, table.game, table=table, path=f"/t/{table.id}", panel=held)


def letter(ctx: Ctx, kind: str, secret: str) -> str:
    """Where the links in mails lead. kind: confirm, done, gone, stop or stopped."""
    return render("letter.html", ctx, kind=kind, secret=secret)
