"""A position and its story on a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from shopfloor.engine.events import Event
from shopfloor.engine.game import Game
from shopfloor.engine.state import Standing, State
from shopfloor.engine.text import TextTable


def _table(table: TextTable) -> Table:
    drawn = Table(title=table.title, title_justify="left", title_style="bold", header_style="bold")
    for column in table.columns:
        drawn.add_column(column)
    for i, row in enumerate(table.rows):
        drawn.add_row(*(Text(cell) for cell in row), style="bold" if i in table.marked else "")
    return drawn


def show_board(console: Console, game: Game, state: State, seat: int | None, names: Sequence[str]) -> None:
    """The table as `seat` (None: a spectator) sees it."""
    board = game.text.board(game.view(state, seat), names)
    console.rule(Text(board.headline), align="left")
    for line in board.lines:
        console.print(Text(line))
    for table in board.tables:
        console.print(_table(table))


def show_events(console: Console, game: Game, events: Iterable[Event], seat: int | None, names: Sequence[str]) -> None:
    """What happened, as far as `seat` may know it, each line with its clause."""
    for event in events:
        if event.concerns(seat):
            line = Text(game.words.event(event, names, seat))
            line.append(f"  {event.clause}", style="dim")
            console.print(line)


def show_standing(console: Console, game: Game, standing: Standing, names: Sequence[str]) -> None:
    """The final ranking and how each tie was broken."""
    table = Table(title="Final ranking", title_justify="left", title_style="bold", header_style="bold")
    table.add_column("Place", justify="right")
    table.add_column("Player")
    for criterion in standing.criteria:
        table.add_column(game.words.criterion(criterion)[0])
    table.add_column("Before the next")
    for i, rank in enumerate(standing.ranks):
        decided = standing.decided_by(i) if i + 1 < len(standing.ranks) else ""
        values = [game.words.criterion_value(c, v) for c, v in zip(standing.criteria, rank.values, strict=True)]
        why = game.words.criterion(decided)[1] if decided else ""
        table.add_row(str(rank.place), Text(names[rank.seat]), *values, why)
    console.print(table)
