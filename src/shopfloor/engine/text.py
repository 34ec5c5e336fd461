"""A position as text: what a game hands to terminals, made from a view."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TextTable:
    """A small table. `marked` rows are those whose turn it is."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    marked: tuple[int, ...] = ()


@dataclass(frozen=True)
class TextBoard:
    """A headline, lines of plain text, and tables, from top to bottom."""

    headline: str
    lines: tuple[str, ...]
    tables: tuple[TextTable, ...]
