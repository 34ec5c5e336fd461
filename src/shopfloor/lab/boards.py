"""The table as plain text, for environments that show themselves and for notebooks."""

from __future__ import annotations

from collections.abc import Sequence

from shopfloor.engine.game import Game
from shopfloor.engine.text import TextTable
from shopfloor.engine.views import View


def _table(table: TextTable) -> list[str]:
    rows = [table.columns, *table.rows]
    widths = [max(len(row[i]) for row in rows) for i in range(len(table.columns))]
    lines = [table.title]
    for i, row in enumerate(rows):
        mark = "> " if i - 1 in table.marked else "  "
        lines.append((mark + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))).rstrip())
    return lines


def board_text(game: Game, view: View, names: Sequence[str] = ()) -> str:
    """What the terminal shows of a view, without colours; rows whose turn it is begin with `>`."""
    players = int(getattr(view, "players", len(names)))
    board = game.text.board(view, list(names) or [f"Seat {seat}" for seat in range(players)])
    lines = [board.headline, *board.lines]
    for table in board.tables:
        lines += ["", *_table(table)]
    return "\n".join(lines) + "\n"
