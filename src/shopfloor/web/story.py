"""A table's log as a story: chapter by chapter, each line with the clause by which it happened."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from markupsafe import Markup, escape

from shopfloor.tables.administration import by_admin
from shopfloor.tables.model import LogLine, SeatInfo, Table
from shopfloor.web.rendering import environment, page_of


def seat_names(seats: Sequence[SeatInfo]) -> list[str]:
    """What the seats are called."""
    return [s.name or f"Seat {s.seat + 1}" for s in seats]


def spoken_names(names: Sequence[str], seat: int | None) -> list[str]:
    """The names as the viewer reads them."""
    return ["You" if s == seat else name for s, name in enumerate(names)]


def story(table: Table, lines: Sequence[LogLine], names: Sequence[str], seat: int | None) -> Markup:
    """The story as HTML, newest chapter first; within a chapter (a turn) in the order in which things happened."""
    page = page_of(table.game)
    spoken = tuple(spoken_names(names, seat))
    last = {event.kind: (line.number, i) for line in lines for i, event in enumerate(line.events) if not line.undone}
    # A step that nobody saw is taken back without a word.
    silent = {line.number for line in lines if line.kind == "play" and not line.events}
    lines = [line for line in lines if line.kind != "undo" or line.target not in silent]
    newest = max((line.number for line in lines if line.events or _told(line, names, seat)), default=0)
    chapters: list[tuple[str, str, list[str]]] = [("start", "Before the first turn", [])]
    for line in lines:
        for i, event in enumerate(line.events):
            by = page.SUPERSEDED.get(event.kind)
            if by is not None and last.get(by, (0, 0)) >= (line.number, i):
                continue
            title = "" if line.undone else page.chapter(event, spoken)
            if title:
                chapters.append((f"{line.number}-{i}", title, []))
            else:
                key = (table.id, seat, line.number, line.at, i, line.undone, line.number == newest, spoken)
                chapters[-1][2].append(_STORY.get(key, partial(_line, table, line, i, newest, names, seat)))
        if _told(line, names, seat):
            chapters[-1][2].append(_line(table, line, None, newest, names, seat))
    return Markup("\n").join(
        Markup('<li class="chapter" id="part-{}"><h3>{}</h3><ol>{}</ol></li>').format(id_, title, Markup("".join(told)))
        for id_, title, told in reversed(chapters)
        if told
    )


def steps(table: Table, seat: int) -> list[tuple[int, list[str]]]:
    """What a seat could see since its last turn, decision by decision: the log number, and a sentence for each event.

    Decisions of which nothing is to be seen (yet) are left out.
    """
    names = spoken_names(seat_names(table.seats), seat)
    numbers = table.since(seat)
    if not numbers:
        return []
    lines = {line.number: line for line in table.log(seat, numbers[0] - 1)}
    told = [
        (number, [table.game.words.event(event, names, seat) for event in lines[number].events])
        for number in numbers
        if number in lines
    ]
    return [(number, sentences) for number, sentences in told if sentences]


class _Kept:
    """The newest of what is asked for again and again; safe from any thread."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._kept: OrderedDict[object, str] = OrderedDict()

    def get(self, key: object, make: Callable[[], str]) -> str:
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
                return found
        made = make()
        with self._lock:
            self._kept[key] = made
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return made


# Lines of logs never change once they are written, and every page of a table shows them all.
_STORY: Final = _Kept(30_000)


def _line(table: Table, line: LogLine, i: int | None, newest: int, names: Sequence[str], seat: int | None) -> str:
    """A line of the log: the line's event `i`, or (None) what happened beside the game."""
    game = table.game
    if i is None:
        text, who, clause = _told(line, names, seat), line.seat, ""
    else:
        event = line.events[i]
        spoken = spoken_names(names, seat)
        text, clause = game.words.event(event, spoken, seat), event.clause
        found = event.facts.get("seat")
        who = found if isinstance(found, int) else None
    template = environment(game).get_template("logline.html")
    kind = "undone" if line.undone else "new" if line.number == newest else ""
    return template.render(
        id=f"{line.number}-{'x' if i is None else i}",
        number=line.number,
        kind=kind,
        seat=who,
        players=table.players,
        text=_bold(text, names),
        rule=clause,
    )


def _told(line: LogLine, names: Sequence[str], seat: int | None) -> str:
    """What happened at the table beside the game."""
    if by_admin(line):
        return _by_admin(line, names, seat)
    if line.kind == "forget":
        return "A player's account was deleted."
    if line.seat is None:
        return ""
    name = "You" if line.seat == seat else names[line.seat]
    have = "have" if line.seat == seat else "has"
    return {
        "away": f"{'Your' if line.seat == seat else name + chr(39) + 's'} time is up; a computer player stands in."
        if line.by_computer
        else f"{name} {have} left the table; a computer player stands in.",
        "back": f"{name} {'are' if line.seat == seat else 'is'} back at the table.",
        "undo": f"{name} took the last decision back.",
        "ask": f"{name} {'ask' if line.seat == seat else 'asks'} "
        + ("for a pause." if line.level == "pause" else "to take a decision back, and all that came after it."),
        "agree": f"{name} {'agree' if line.seat == seat else 'agrees'}.",
        "decline": f"{name} {'decline' if line.seat == seat else 'declines'}.",
        "rewind": f"{name} took a decision back; what came after it is undone.",
        "pause": "The game is paused.",
        "say": f"{name}: {line.text or '(deleted)'}",
        "silence": f"{name} {have} silenced {_other(line, names, seat)}.",
        "unsilence": f"{name} {'let' if line.seat == seat else 'lets'} {_other(line, names, seat)} speak again.",
        "resume": f"{name} {'go' if line.seat == seat else 'goes'} on with the game.",
        "offer": f"{'Your' if line.seat == seat else name + chr(39) + 's'} seat can be had by somebody else.",
        "take": f"{name} {have} taken over the seat.",
    }.get(line.kind, "")


def _by_admin(line: LogLine, names: Sequence[str], seat: int | None) -> str:
    """What the administrator did."""
    whose = "" if line.seat is None else "your" if line.seat == seat else f"{names[line.seat]}'s"
    return {
        "end": "The administrator has ended this table.",
        "reopen": "The administrator has opened this table again.",
        "rewind": "The administrator has taken back everything that was decided since.",
        "replace": f"The administrator has given a seat to a computer player, {line.name}.",
        "free": f"The administrator has made {whose} seat free for others.",
        "silence": f"The administrator has silenced {_other(line, names, seat)}.",
        "unsilence": f"The administrator lets {_other(line, names, seat)} speak again.",
    }.get(line.kind, "")


def _other(line: LogLine, names: Sequence[str], seat: int | None) -> str:
    if line.target is None or not 0 <= line.target < len(names):
        return "somebody"
    return "you" if line.target == seat else names[line.target]


def _bold(text: str, names: Sequence[str]) -> Markup:
    """A sentence with the name that it begins with in bold."""
    for name in [*sorted(names, key=len, reverse=True), "You"]:
        if text.startswith(name) and not text[len(name) : len(name) + 1].isalnum():
            return Markup("<b>{}</b>{}").format(name, text[len(name) :])
    return escape(text)
