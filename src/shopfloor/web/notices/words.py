"""What a notice says. Nothing in it that only its owner may know: where it is read, others may read it too."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any, Final

from shopfloor.tables.model import Table
from shopfloor.tables.turns import Item
from shopfloor.web.notices.notice import Notice
from shopfloor.web.rendering import enumerate_words
from shopfloor.web.story import seat_names, spoken_names
from shopfloor.web.together import left_words

MOST_SENTENCES: Final = 12


def notice(recipient: str, base_url: str, items: Sequence[Item]) -> Notice:
    """Everything that a recipient is to be told now. At least one item."""
    lines, facts, since = [], [], {}
    for item in items:
        table = item.table
        link = f"{base_url}/t/{table.id}"
        lines.append((_sentence(item), link))
        if item.kind == "turn":
            since[link] = tuple(since_last_turn(table, item.seat))
        facts.append(
            {
                "kind": item.kind,
                "table": table.id,
                "name": table.name,
                "game": table.game.id,
                "seat": item.seat,
                "number": item.number,
                "link": link,
                "sentence": lines[-1][0],
            }
        )
    tables = list(dict.fromkeys(item.table.id for item in items))
    turns = sum(item.kind == "turn" for item in items)
    if len(items) == 1:
        title = lines[0][0]
    elif turns == len(items):
        title = f"It is your turn at {len(tables)} tables"
    else:
        title = f"News from {len(tables)} tables" if len(tables) > 1 else f"News from {_called(items[0].table)}"
    where = lines[0][1] if len(tables) == 1 else f"{base_url}/"
    named = json.dumps([recipient, sorted((item.table.id, item.kind, item.number) for item in items)])
    id_ = hashlib.sha256(named.encode()).hexdigest()[:32]
    return Notice(id_, title, tuple(lines), where, tuple(facts), since)


def trial(recipient: str, base_url: str, tables: Sequence[Table]) -> Notice:
    """What shows that notices arrive."""
    where = enumerate_words([_called(table) for table in tables]) or "your table"
    line = f"Here you will be told when it is your turn at {where}."
    link = f"{base_url}/t/{tables[0].id}" if len(tables) == 1 else f"{base_url}/"
    return Notice(f"trial-{recipient}", line, ((line, link),), link, (), {}, "trial")


def since_last_turn(table: Table, seat: int) -> list[str]:
    """What everybody could see since the seat's last turn, in the words of the game; the newest, if it is much."""
    names = spoken_names(seat_names(table.seats), None)
    steps = table.since(seat)
    if not steps:
        return []
    said = [
        table.game.words.event(event, names, None)
        for line in table.log(None, steps[0] - 1)
        if not line.undone
        for event in line.events
    ]
    return said[-MOST_SENTENCES:]


def _called(table: Table) -> str:
    return f"“{table.name}” ({table.game.title})" if table.name else f"a table of {table.game.title}"


def _sentence(item: Item) -> str:
    table = item.table
    names = seat_names(table.seats)
    where = f"“{table.name}” ({table.game.title})" if table.name else table.game.title
    if item.kind == "request" and table.request is not None:
        what = "pause the game" if table.request.kind == "pause" else "take back a decision"
        return f"{names[table.request.seat]} asks you to agree at {where}: to {what}."
    if item.kind == "away":
        return f"Your time was up at {where}: a computer stands in until you come back."
    if item.kind == "low":
        then = "" if table.clock.stand_in is None else " Then a computer stands in."
        return f"Your time runs out at {where}: {left_words(item.left)} left.{then}"
    if item.kind == "over":
        view: Any = table.view(None)
        best = [rank.seat for rank in view.ranks if rank.place == 1] if view is not None else []
        won = f" {enumerate_words([names[seat] for seat in best])} won." if best else ""
        return f"The game at {where} is over.{won}"
    return f"It is your turn at {where}."
