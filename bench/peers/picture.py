"""The picture: decisions a second over the length of the game, a mark for each game of each maker.

Games of like size stand above each other. One file for day and night: whoever shows it says which by its colour
scheme.
"""

from __future__ import annotations

import base64
import io
from dataclasses import dataclass
from math import hypot
from pathlib import Path
from typing import Any, Final

import matplotlib
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, NullLocator

from bench.peers.comparing import rates, spread
from bench.peers.measuring import DECISIONS, OBSERVED
from bench.peers.running import Row

ROOT: Final = Path(__file__).resolve().parents[2]

# Our printer's inks: by day, and what becomes of them at night.
PAPER: Final = "#faf3e1"
INK: Final = "#221d1a"
SECOND: Final = "#574c40"
RULE: Final = "#d9ceb6"
NIGHT: Final = {
    PAPER: "#1c273a",
    INK: "#f5e7c6",
    SECOND: "#bdb59e",
    RULE: "#39435a",
    "#b23a20": "#e8734f",
    "#dfa423": "#f0bd4a",
    "#1d7571": "#48b0a6",
    "#6f8f3a": "#9dbb5e",
    "#345a80": "#7ba7d4",
    "#74345c": "#cf86b0",
}
WATCHED: Final = "Shopfloor, with observations"
# Each maker has an ink and a shape, never an ink alone; those who always make observations say so.
MARKS: Final = {
    "Shopfloor, compiled": ("#b23a20", "o", 70),
    "Shopfloor, interpreted": ("#dfa423", "s", 55),
    WATCHED: (PAPER, "o", 45),
    "OpenSpiel": ("#345a80", "^", 34),
    "PettingZoo": ("#1d7571", "D", 26),
    "RLCard": ("#6f8f3a", "v", 34),
    "Catanatron": ("#74345c", "P", 40),
    "pgx": ("#574c40", "X", 36),
    "pgx, 256 at once": ("#574c40", "*", 60),
}
FONT: Final = "Barlow Condensed"
FAMILY: Final = f"'{FONT}', 'Arial Narrow', sans-serif"
SIZE: Final = 9.0
# Where a name may stand from its mark, in pixels of the drawing, the best place first.
PLACES: Final = (
    *((8, 0, "left"), (-8, 0, "right"), (0, 11, "center"), (0, -11, "center")),
    *((7, 8, "left"), (7, -8, "left"), (-7, 8, "right"), (-7, -8, "right")),
)
LENGTHS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000)


def draw(rows: list[Row]) -> str:
    """The picture as SVG."""
    settings: dict[Any, Any] = {
        "svg.fonttype": "none",
        "svg.hashsalt": "peers",
        "font.family": "sans-serif",
        "font.size": 10,
    }
    with matplotlib.rc_context(settings):
        figure = Figure(figsize=(9.6, 7.2), facecolor=PAPER)
        axes = figure.add_axes((0.075, 0.075, 0.905, 0.775), facecolor=PAPER)
        _frame(axes)
        shown = [mark for row in rows if row.length for mark in marks(row)]
        for maker, (ink, shape, size) in MARKS.items():
            group = [mark for mark in shown if mark.maker == maker]
            if not group:
                continue
            for mark in group:
                axes.plot([mark.length] * 2, [mark.low, mark.high], color=_line(ink), linewidth=1.6, zorder=2)
            always = not any(DECISIONS in mark.row.rates for mark in group)
            axes.scatter(
                [mark.length for mark in group],
                [mark.middle for mark in group],
                s=size,
                c=ink,
                marker=shape,
                edgecolors=INK,
                linewidths=0.8,
                label=f"{maker}, with observations" if always else maker,
                zorder=3,
            )
        figure.text(0.075, 0.955, "DECISIONS A SECOND", fontsize=17, color=INK, fontweight="bold")
        axes.set_xlabel("decisions in a game, played at random", color=SECOND)
        if shown:
            figure.legend(
                loc="upper left", bbox_to_anchor=(0.066, 0.945), ncols=3, frameon=False, labelcolor=INK, fontsize=9.5
            )
            _name(figure, axes, shown)
        out = io.StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    return _dressed(out.getvalue())


@dataclass(frozen=True)
class Mark:
    """One rate of a row. length: decisions a game; low, middle, high: decisions a second."""

    row: Row
    maker: str
    length: float
    low: float
    middle: float
    high: float

    @property
    def ours(self) -> bool:
        return self.maker.startswith("Shopfloor")


def marks(row: Row) -> list[Mark]:
    """A row's rate, and for ours the one with observations too."""
    found = [(f"{row.maker}, {row.note}" if row.batch else row.maker, rates(row))]
    if row.maker.startswith("Shopfloor"):
        found.append((WATCHED, row.rates.get(OBSERVED, [])))
    made = []
    for maker, these in found:
        if these:
            middle, low, high = spread(these)
            made.append(Mark(row, maker, row.length, low, middle, high))
    return made


def _line(ink: str) -> str:
    return SECOND if ink == PAPER else ink


def _frame(axes: Any) -> None:
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.grid(True, which="major", color=RULE, linewidth=0.8, zorder=0)
    axes.tick_params(which="both", color=SECOND, labelcolor=SECOND, length=3)
    axes.tick_params(which="minor", length=0)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(INK)
    axes.xaxis.set_major_locator(FixedLocator(LENGTHS))
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.xaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_minor_formatter(lambda _value, _: "")


def _name(figure: Any, axes: Any, shown: list[Mark]) -> None:
    """Write each game's name beside its mark where it hides no other; ours first, then what stands alone."""
    figure.canvas.draw()
    points = {id(mark): axes.transData.transform((mark.length, mark.middle)) for mark in shown}
    scale = figure.dpi / 72
    taken: list[tuple[float, float, float, float]] = [(x - 5, y - 5, x + 5, y + 5) for x, y in points.values()]
    left, bottom, right, top = axes.bbox.extents
    order = sorted(shown, key=lambda mark: (not mark.ours, _rank(mark), _crowd(points[id(mark)], points)))
    for mark in order:
        x, y = points[id(mark)]
        text = f"{mark.row.game}, {mark.row.players}" if mark.ours else mark.row.game
        wide = (0.45 if mark.ours else 0.42) * SIZE * scale * len(text)
        high = SIZE * scale
        for dx, dy, align in PLACES:
            at = {"left": x + dx, "right": x + dx - wide, "center": x - wide / 2}[align]
            box = (at, y + dy - high / 2, at + wide, y + dy + high / 2)
            inside = left <= box[0] and box[2] <= right + 12 and bottom <= box[1] and box[3] <= top
            if inside and not any(_meet(box, other) for other in taken):
                taken.append(box)
                axes.annotate(
                    text,
                    (mark.length, mark.middle),
                    xytext=(dx / scale, dy / scale),
                    textcoords="offset points",
                    ha=align,
                    va="center_baseline",
                    fontsize=SIZE,
                    color=INK if mark.ours else SECOND,
                    fontweight="bold" if mark.ours else "normal",
                )
                break


def _rank(mark: Mark) -> int:
    """Of the marks of one game of ours, the fastest build is named first."""
    return list(MARKS).index(mark.maker) if mark.ours else 0


def _crowd(point: Any, points: dict[int, Any]) -> int:
    """How many marks stand close by."""
    return sum(hypot(point[0] - x, point[1] - y) < 30 for x, y in points.values())


def _meet(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _dressed(svg: str) -> str:
    """With our lettering, where it has been built, and the night's inks for those who look at night."""
    rules = []
    for number, file in ((500, "barlow-condensed-latin-500-*.woff2"), (600, "barlow-condensed-latin-600-*.woff2")):
        for font in sorted((ROOT / "src/shopfloor/web/static/build/assets").glob(file))[:1]:
            data = base64.b64encode(font.read_bytes()).decode("ascii")
            rules.append(
                f"@font-face{{font-family:'{FONT}';font-weight:{number};"
                f"src:url(data:font/woff2;base64,{data}) format('woff2')}}"
            )
    rules.append(f"text{{font-family:{FAMILY} !important;font-weight:500}}")
    night = []
    for day, dark in NIGHT.items():
        night += [f'[style*="{part}: {day}"]{{{part}:{dark} !important}}' for part in ("fill", "stroke")]
    rules.append(f"@media (prefers-color-scheme: dark){{{''.join(night)}}}")
    return svg.replace("<defs>", f"<style>{''.join(rules)}</style>\n <defs>", 1)
