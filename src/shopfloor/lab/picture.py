"""A ladder as a picture: what each challenger won, with its interval, beside what equals would have won. SVG, by us."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from xml.sax.saxutils import escape

from shopfloor.lab.inks import sheet

WIDTH: Final = 720
LEFT: Final = 236  # where 0 % is
RIGHT: Final = 628  # where 100 % is
ROW: Final = 26
HEAD: Final = 34
TOP: Final = 58
QUARTERS: Final = (0, 25, 50, 75, 100)

# What a verdict is drawn in.
INKS: Final = {"stronger": "teal", "weaker": "brick", "open": "ochre"}


@dataclass(frozen=True)
class Bar:
    """One pairing. share, low, high, even: parts of 1. verdict: `stronger`, `weaker` or `open`."""

    players: int
    label: str
    games: int
    share: float
    low: float
    high: float
    even: float
    verdict: str


def draw(title: str, bars: Sequence[Bar]) -> str:
    """The picture as SVG, a block for each number of players."""
    parts: list[str] = []
    y = TOP
    for players in dict.fromkeys(bar.players for bar in bars):
        own = [bar for bar in bars if bar.players == players]
        top = y
        parts.append(f'<text class="ink count" x="20" y="{y + 18}">{players} players</text>')
        y += HEAD
        end = y + ROW * len(own)
        for quarter in QUARTERS:
            at = _x(quarter / 100)
            parts.append(f'<path class="rule" d="M{at:.1f} {top + 24}V{end}"/>')
            parts.append(f'<text class="second" text-anchor="middle" x="{at:.1f}" y="{top + 18}">{quarter} %</text>')
        parts.append(f'<text class="second" text-anchor="end" x="{WIDTH - 14}" y="{top + 18}">games</text>')
        at = _x(own[0].even)
        parts.append(f'<path class="even" d="M{at:.1f} {top + 24}V{end}"/>')
        for bar in own:
            parts += _bar(bar, y + ROW / 2)
            y += ROW
        y += 18
    height = y + 26
    note = "Dots: share of victories; lines: 95 % intervals; dashes: what equals would win."
    return sheet(WIDTH, height, title, parts, note)


def _bar(bar: Bar, y: float) -> list[str]:
    return [
        f'<text class="ink" text-anchor="end" x="{LEFT - 14}" y="{y + 5:.1f}">{escape(bar.label)}</text>',
        f'<path class="bar {INKS[bar.verdict]}" d="M{_x(bar.low):.1f} {y:.1f}H{_x(bar.high):.1f}"/>',
        f'<circle class="dot {INKS[bar.verdict]}" cx="{_x(bar.share):.1f}" cy="{y:.1f}" r="5"/>',
        f'<text class="second" text-anchor="end" x="{WIDTH - 14}" y="{y + 5:.1f}">{bar.games:,}</text>',
    ]


def _x(share: float) -> float:
    return LEFT + (RIGHT - LEFT) * share
