"""Curves of a training as a picture: one panel beside the other, games trained to the right on a logarithmic axis."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log2
from typing import Final
from xml.sax.saxutils import escape

from shopfloor.lab.inks import sheet

WIDTH: Final = 900
LEFT: Final = (74, 534)  # where the panels' axes stand
PANEL: Final = 336
TOP: Final = 92
BOTTOM: Final = 352
HEIGHT: Final = 460
UNTRAINED: Final = 16  # where no training at all stands on a logarithmic axis
INKS: Final = ("brick", "teal", "blue", "ochre", "plum", "moss")
# Each series has a shape too, never an ink alone.
SHAPES: Final = (
    "M-5 0A5 5 0 1 0 5 0A5 5 0 1 0-5 0Z",
    "M-4.5-4.5H4.5V4.5H-4.5Z",
    "M0-6L5.5 4.5H-5.5Z",
    "M0-6L6 0L0 6L-6 0Z",
    "M0 6L5.5-4.5H-5.5Z",
    "M-2-6H2V-2H6V2H2V6H-2V2H-6V-2H-2Z",
)


@dataclass(frozen=True)
class Mark:
    """What was measured after so many games, with its 95 % interval."""

    trained: int
    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Panel:
    """Series over games trained. even: where nothing is gained. low, high: of the axis; None: what fits."""

    title: str
    series: Sequence[tuple[str, Sequence[Mark]]]
    even: float
    percent: bool
    low: float | None = None
    high: float | None = None


def draw(title: str, panels: Sequence[Panel], note: str) -> str:
    """The picture as SVG. At most two panels."""
    parts = [part for panel, left in zip(panels, LEFT, strict=False) for part in _panel(panel, left)]
    return sheet(WIDTH, HEIGHT, title, parts, note)


def _panel(panel: Panel, left: int) -> list[str]:
    marks = [mark for _, own in panel.series for mark in own]
    parts = [f'<text class="ink count" x="{left}" y="{TOP - 22}">{escape(panel.title)}</text>']
    if not marks:
        return [*parts, f'<text class="second" x="{left}" y="{TOP + 10}">nothing was measured</text>']
    step, low, high = _heights(panel, marks)
    places = sorted({max(mark.trained, UNTRAINED): mark.trained for mark in marks}.items())
    first, last = log2(places[0][0]), log2(places[-1][0])

    def across(trained: int) -> float:
        whole = last - first
        return left + (PANEL * (log2(max(trained, UNTRAINED)) - first) / whole if whole else PANEL / 2)

    def up(value: float) -> float:
        return BOTTOM - (BOTTOM - TOP) * (min(max(value, low), high) - low) / (high - low)

    for i in range(round((high - low) / step) + 1):
        value = low + i * step
        said = f"{100 * value:.0f} %" if panel.percent else f"{value:+.2f}" if round(value, 9) else "0"
        parts.append(f'<path class="rule" d="M{left} {up(value):.1f}h{PANEL}"/>')
        parts.append(f'<text class="second" text-anchor="end" x="{left - 12}" y="{up(value) + 5:.1f}">{said}</text>')
    parts.append(f'<path class="even" d="M{left} {up(panel.even):.1f}h{PANEL}"/>')
    parts += [
        f'<text class="second" text-anchor="middle" x="{across(place):.1f}" y="{BOTTOM + 24}">{trained:,}</text>'
        for place, trained in _apart(places, across)
    ]
    end = left + PANEL
    parts.append(f'<text class="second" text-anchor="end" x="{end}" y="{BOTTOM + 46}">games trained</text>')
    for i, (label, own) in enumerate(panel.series):
        ink, shape = INKS[i % len(INKS)], SHAPES[i % len(SHAPES)]
        points = [(across(mark.trained), mark) for mark in own]
        path = "L".join(f"{x:.1f} {up(mark.value):.1f}" for x, mark in points)
        parts.append(f'<path class="{ink} line" d="M{path}"/>')
        for x, mark in points:
            parts.append(f'<path class="bar {ink}" d="M{x:.1f} {up(mark.low):.1f}V{up(mark.high):.1f}"/>')
            parts.append(f'<path class="dot {ink}" transform="translate({x:.1f} {up(mark.value):.1f})" d="{shape}"/>')
        if label:
            at = left + 6 + 120 * i
            parts.append(f'<path class="dot {ink}" transform="translate({at} {BOTTOM + 41})" d="{shape}"/>')
            parts.append(f'<text class="ink" x="{at + 12}" y="{BOTTOM + 46}">{escape(label)}</text>')
    return parts


def _heights(panel: Panel, marks: Sequence[Mark]) -> tuple[float, float, float]:
    """The step between the lines of a panel, and its lowest and highest line."""
    low = min(panel.even, *(mark.low for mark in marks)) if panel.low is None else panel.low
    high = max(panel.even, *(mark.high for mark in marks)) if panel.high is None else panel.high
    step = 0.01
    for step in (0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0):
        if (high - low) / step <= 5:
            break
    return step, floor(low / step + 1e-9) * step, max(ceil(high / step - 1e-9), floor(low / step + 1e-9) + 1) * step


def _apart(places: Sequence[tuple[int, int]], across: Callable[[int], float]) -> list[tuple[int, int]]:
    """Those of the places whose names do not stand in each other's way, the last one first of all."""
    kept: list[tuple[int, int]] = []
    for place in reversed(places):
        if not kept or across(kept[-1][0]) - across(place[0]) >= 44:
            kept.append(place)
    return kept[::-1]
