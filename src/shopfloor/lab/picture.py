"""A ladder as a picture: what each challenger won, with its interval, beside what equals would have won. SVG, by us."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from xml.sax.saxutils import escape

WIDTH: Final = 720
LEFT: Final = 236  # where 0 % is
RIGHT: Final = 656  # where 100 % is
ROW: Final = 26
HEAD: Final = 34
TOP: Final = 58
QUARTERS: Final = (0, 25, 50, 75, 100)

# Our printer's inks, by day and by night: whoever shows the picture says which by its colour scheme.
STYLE: Final = """
.paper{fill:#faf3e1} .ink{fill:#221d1a} .second{fill:#574c40} .rule{stroke:#d9ceb6;fill:none}
.even{stroke:#574c40;stroke-dasharray:3 3;fill:none} .bar{stroke-width:3;stroke-linecap:round;fill:none}
.stronger{stroke:#1d7571;fill:#1d7571} .weaker{stroke:#b23a20;fill:#b23a20} .open{stroke:#dfa423;fill:#dfa423}
.dot{stroke:#221d1a;stroke-width:1}
text{font-family:'Barlow Condensed','Arial Narrow',sans-serif;font-size:15px} .title{font-size:21px;font-weight:700}
.count{font-weight:600}
@media (prefers-color-scheme:dark){
.paper{fill:#1c273a} .ink{fill:#f5e7c6} .second{fill:#bdb59e} .rule{stroke:#39435a} .even{stroke:#bdb59e}
.stronger{stroke:#48b0a6;fill:#48b0a6} .weaker{stroke:#e8734f;fill:#e8734f} .open{stroke:#f0bd4a;fill:#f0bd4a}
.dot{stroke:#f5e7c6}
}
"""


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
    style = "".join(STYLE.splitlines())
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img"'
            f' aria-label="{escape(title)}"><style>{style}</style>',
            f'<rect class="paper" width="{WIDTH}" height="{height}"/>',
            f'<text class="ink title" x="20" y="36">{escape(title)}</text>',
            *parts,
            f'<text class="second" x="20" y="{height - 16}">{note}</text>',
            "</svg>",
            "",
        ]
    )


def _bar(bar: Bar, y: float) -> list[str]:
    return [
        f'<text class="ink" text-anchor="end" x="{LEFT - 14}" y="{y + 5:.1f}">{escape(bar.label)}</text>',
        f'<path class="bar {bar.verdict}" d="M{_x(bar.low):.1f} {y:.1f}H{_x(bar.high):.1f}"/>',
        f'<circle class="dot {bar.verdict}" cx="{_x(bar.share):.1f}" cy="{y:.1f}" r="5"/>',
        f'<text class="second" text-anchor="end" x="{WIDTH - 14}" y="{y + 5:.1f}">{bar.games:,}</text>',
    ]


def _x(share: float) -> float:
    return LEFT + (RIGHT - LEFT) * share
