"""Draws the sheet on which the game is played: sea, coasts, hills, lettering, Revenue track. An old atlas in flat inks.

The drawing never changes, so it is kept as a symbol that a page carries once; the live part of the page refers to it.
After a change here or in the coastline: `python -m shopfloor.games.workshop_of_the_world.page.atlas`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from shopfloor.games.workshop_of_the_world.page.geometry import CHART, DEMAND, FRAME, HEIGHT, TITLE, WIDTH, Box, Point

COASTS: Final = Path(__file__).parent.parent / "data" / "coastline.json"
FILE: Final = Path(__file__).parent / "drawings" / "symbols.svg"
ORNAMENTS: Final = FILE.with_name("ornaments.svg")
"""What swims on the sea."""

TRACK: Final = 100
ACROSS: Final = 22
"""Spaces of the Revenue track along the top and along the bottom, corners included; the others stand at the sides."""

ROSE: Final[Point] = (122, 600)

# Where hills rise (with their size), and where woods are; out of the way of towns and connections.
HILLS: Final = (
    (262, 128, 1.1), (236, 146, 0.9), (286, 158, 0.8), (196, 120, 0.9), (318, 120, 1.0), (346, 98, 0.8),
    (372, 122, 1.0), (398, 142, 0.8), (416, 166, 0.7), (330, 282, 1.1), (308, 298, 0.8), (322, 312, 0.7),
    (412, 262, 0.9), (430, 288, 1.1), (410, 312, 0.9), (440, 330, 0.9), (408, 340, 0.6), (572, 300, 0.8),
    (596, 318, 0.7), (452, 484, 0.7), (440, 474, 0.6), (250, 490, 1.1), (228, 506, 0.9), (270, 516, 0.9),
    (246, 532, 0.8), (282, 552, 0.9), (258, 574, 1.0), (232, 600, 0.8), (262, 622, 1.0), (284, 644, 0.9),
    (250, 668, 0.9), (276, 700, 0.8), (222, 660, 0.7), (448, 700, 0.6), (436, 684, 0.6), (316, 858, 0.6),
    (238, 862, 0.8), (222, 880, 0.7), (252, 900, 0.7), (150, 936, 0.6),
)  # fmt: skip
WOODS: Final = (
    (690, 600), (704, 606), (720, 598), (676, 636), (700, 650), (716, 644), (772, 596), (784, 604), (690, 700),
    (706, 706), (586, 676), (600, 684), (690, 786), (704, 792), (650, 822), (664, 828), (440, 790), (452, 798),
    (466, 790), (410, 840), (396, 846), (620, 556), (636, 562), (606, 566), (470, 640), (482, 646), (644, 520),
    (540, 444), (352, 640), (364, 648), (560, 816), (548, 330), (380, 318),
)  # fmt: skip
BORDERS: Final[tuple[tuple[Point, ...], ...]] = (
    ((334, 199), (352, 184), (372, 172), (388, 150), (404, 128), (412, 100), (429, 80)),
    ((332, 486), (340, 510), (334, 536), (326, 560), (338, 590), (330, 622), (340, 652), (336, 676), (352, 700),
     (364, 732)),
)  # fmt: skip


def track() -> list[Box]:
    """The spaces of the Revenue track: 0 at the top left, then clockwise; left, top, width, height."""
    wide = (WIDTH + 2 * FRAME) / ACROSS
    sides = TRACK // 2 - ACROSS
    high = HEIGHT / sides
    spaces: list[Box] = [(-FRAME + i * wide, -FRAME, wide, FRAME) for i in range(ACROSS)]
    spaces += [(WIDTH, i * high, FRAME, high) for i in range(sides)]
    spaces += [(WIDTH + FRAME - (i + 1) * wide, HEIGHT, wide, FRAME) for i in range(ACROSS)]
    spaces += [(-FRAME, HEIGHT - (i + 1) * high, FRAME, high) for i in range(sides)]
    return spaces


def _rings(name: str) -> list[list[Point]]:
    found: list[list[Point]] = json.loads(COASTS.read_text(encoding="utf-8"))[name]
    return [[(x, y) for x, y in ring] for ring in found]


def _outline(rings: Sequence[Sequence[Point]]) -> str:
    """Rings as one path, in steps of whole units: short, and a little unsteady, like a line drawn by hand."""
    out = []
    for ring in rings:
        x, y = round(ring[0][0]), round(ring[0][1])
        out.append(f"M{x} {y}l")
        steps = []
        for u, v in ring[1:]:
            dx, dy = round(u) - x, round(v) - y
            if dx or dy:
                steps.append(f"{dx}{dy}" if dy < 0 else f"{dx} {dy}")
                x, y = x + dx, y + dy
        text = ""
        for step in steps:
            text += step if not text or step.startswith("-") else " " + step
        out.append(text + "z")
    return "".join(out)


def _hill(x: float, y: float, s: float) -> str:
    """A hill with the light from the left: hachures down its right side."""

    def p(dx: float, dy: float) -> str:
        return f"{x + dx * s:.0f} {y + dy * s:.0f}"

    shade = "".join(
        f"M{p(a, b)}L{p(a + c, b + d)}" for a, b, c, d in ((1, -11, 3, 6), (4, -9, 3, 6), (7, -6, 3, 5), (10, -3, 2, 3))
    )
    return f"M{p(-13, 1)}Q{p(-5, -4)} {p(-1, -13)}Q{p(5, -9)} {p(14, 1)}{shade}"


def _rose(x: float, y: float, r: float) -> str:
    """A compass rose: sixteen points, north with a lily."""

    def star(count: int, turn: float, long: float, short: float, cls: str) -> str:
        halves = ["", ""]
        for i in range(count):
            a = 2 * math.pi * i / count + turn
            tip = (x + long * math.sin(a), y - long * math.cos(a))
            for k, side in enumerate((-1, 1)):
                b = a + side * math.pi / count
                waist = (x + short * math.sin(b), y - short * math.cos(b))
                halves[k] += f"M{x:.0f} {y:.0f}L{tip[0]:.1f} {tip[1]:.1f} {waist[0]:.1f} {waist[1]:.1f}Z"
        return f'<path class="ra {cls}" d="{halves[0]}"/><path class="rb {cls}" d="{halves[1]}"/>'

    lily = (
        f"M{x} {y - r - 16}c5 6 5 9 1 15h-2c-4-6-4-9 1-15zM{x - 2} {y - r - 1}c-8 1-9-8-4-9c3 0 4 4 2 6"
        f"M{x + 2} {y - r - 1}c8 1 9-8 4-9c-3 0-4 4-2 6"
    )
    return (
        f'<circle class="rr" cx="{x}" cy="{y}" r="{r * 0.66:.0f}"/>'
        + f'<circle class="rr" cx="{x}" cy="{y}" r="{r * 0.6:.0f}"/>'
        + star(8, math.pi / 8, r * 0.6, r * 0.14, "r3")
        + star(4, math.pi / 4, r * 0.8, r * 0.18, "r2")
        + star(4, 0, r, r * 0.19, "r1")
        + f'<circle class="rc" cx="{x}" cy="{y}" r="{r * 0.09:.0f}"/><path class="rl" d="{lily}"/>'
    )


def _rhumbs() -> str:
    """The lines of the winds, from the rose across the sea."""
    x, y = ROSE
    return "".join(
        f"M{x} {y}L{x + 1400 * math.sin(k * math.pi / 16):.0f} {y - 1400 * math.cos(k * math.pi / 16):.0f}"
        for k in range(32)
    )


def _cartouche(box: Box) -> str:
    """The title's plate, with strapwork at its corners."""
    left, top, right, bottom = box
    w, h = right - left, bottom - top

    def plate(inset: float) -> str:
        """The outline, this far inside: waisted at the corners."""
        x, y, u, v = inset, inset * 1.1, w - inset, h - inset * 1.1
        deep, long = 14 - inset * 0.15, 38 - inset * 0.5
        return (
            f"M{x:.0f} {y + deep:.0f}c18-1 {long - 18:.0f}-{deep - 3:.0f} {long:.0f}-{deep:.0f}H{u - long:.0f}"
            f"c18 3 {long - 18:.0f} {deep - 1:.0f} {long:.0f} {deep:.0f}V{v - deep:.0f}"
            f"c-18 1-{long - 18:.0f} {deep - 3:.0f}-{long:.0f} {deep:.0f}H{x + long:.0f}"
            f"c-18-3-{long - 18:.0f}-{deep - 1:.0f}-{long:.0f}-{deep:.0f}Z"
        )

    straps = ""
    for sx, sy in ((1, 1), (-1, 1), (1, -1), (-1, -1)):
        x, y = (0 if sx > 0 else w), (0 if sy > 0 else h)
        straps += (
            f"M{x + 26 * sx:.0f} {y - 2 * sy:.0f}c{-16 * sx} {-6 * sy} {-30 * sx} {4 * sy} {-29 * sx} {16 * sy}"
            f"c{sx} {10 * sy} {15 * sx} {10 * sy} {14 * sx} {sy}"
        )
    return (
        f'<g transform="translate({left:.0f} {top:.0f})"><path class="cw" d="{straps}"/>'
        f'<path class="cb" d="{plate(0)}"/><path class="ci" d="{plate(7)}"/></g>'
    )


def _plate(box: Box) -> str:
    left, top, right, bottom = box
    w, h = right - left, bottom - top
    return (
        f'<rect class="pl1" x="{left + 3:.0f}" y="{top + 4:.0f}" width="{w:.0f}" height="{h:.0f}" rx="6"/>'
        f'<rect class="pl2" x="{left:.0f}" y="{top:.0f}" width="{w:.0f}" height="{h:.0f}" rx="6"/>'
        f'<rect class="ci" x="{left + 5:.0f}" y="{top + 5:.0f}" width="{w - 10:.0f}" height="{h - 10:.0f}" rx="3"/>'
    )


def sheet() -> str:
    """The symbol `ww-sheet`."""
    land = _outline(_rings("great_britain"))
    far = _outline([ring for name in ("ireland", "france", "man") for ring in _rings(name)])
    spaces = track()
    both = '<use href="#ww-coast"/><use href="#ww-far"/>'
    out = [f'<symbol id="ww-sheet" viewBox="{-FRAME} {-FRAME} {WIDTH + 2 * FRAME} {HEIGHT + 2 * FRAME}">']
    out.append(
        f'<defs><path id="ww-coast" d="{land}"/><path id="ww-far" d="{far}"/>'
        '<pattern id="ww-waves" width="36" height="14" patternUnits="userSpaceOnUse">'
        '<path class="wv" d="M0 7C6 2 12 2 18 7S30 12 36 7"/></pattern>'
        '<pattern id="ww-lines" width="40" height="3.4" patternUnits="userSpaceOnUse">'
        '<path class="hl" d="M0 1H40"/></pattern><clipPath id="ww-in"><use href="#ww-coast"/></clipPath>'
        f'<clipPath id="ww-page"><path d="M0 0H{WIDTH}V{HEIGHT}H0Z"/></clipPath></defs>'
    )
    for fill in ('class="sea"', 'fill="url(#ww-waves)"'):
        out.append(f'<rect {fill} width="{WIDTH}" height="{HEIGHT}"/>')
    out.append(f'<g clip-path="url(#ww-page)"><path class="rh" d="{_rhumbs()}"/>')
    out.append('<g class="wls" stroke-linejoin="round">')
    # Water lines: wide strokes one over the other leave thin ones, closer together towards the coast.
    for wide, inside in ((50, 48.6), (38, 36.4), (28, 26.4), (19.5, 17.8)):
        out.append(f'<g class="wb" stroke-width="{wide}">{both}</g><g class="wa" stroke-width="{inside}">{both}</g>')
    out.append(f'<g stroke="url(#ww-lines)" stroke-width="13">{both}</g></g>')
    out.append('<use class="far" href="#ww-far"/><use class="fl" href="#ww-far"/>')
    out.append('<use class="land" href="#ww-coast" x="2.5" y="3"/>')
    out.append('<g clip-path="url(#ww-in)"><use class="wash" href="#ww-coast"/>')
    for border in BORDERS:
        line = "M" + "L".join(f"{x} {y}" for x, y in border)
        out.append(f'<path class="bw" d="{line}"/><path class="bl" d="{line}"/>')
    out.append('</g><use class="cl1" href="#ww-coast"/>')
    hills = "".join(_hill(*hill) for hill in HILLS)
    woods = "".join(f"M{x} {y}v-4m0-8c-4 3-5 8 0 8s4-5 0-8" for x, y in WOODS)
    out.append(f'<path class="hills" d="{hills}"/><path class="woods" d="{woods}"/></g>')
    out.append(
        '<g class="sl"><text x="752" y="362" class="s2">THE</text><text x="752" y="392">NORTH SEA</text>'
        '<text x="160" y="424" class="s2">IRISH SEA</text></g>'
        '<g class="ll"><text transform="translate(256 606) rotate(-76)">WALES</text>'
        '<text transform="translate(300 96) rotate(4)">SCOTLAND</text></g>'
    )
    ornaments = ORNAMENTS.read_text(encoding="utf-8").split("\n")[1:-2]
    out.append(_rose(*ROSE, 54) + "".join(ornaments))
    out += [_cartouche(TITLE), _plate(DEMAND), _plate(CHART)]
    cells, fives, figures = "", "", ""
    for i, (x, y, w, h) in enumerate(spaces):
        cell = f"M{x:.1f} {y:.1f}h{w:.1f}v{h:.1f}h{-w:.1f}z"
        if i % 5:
            cells += cell
        else:
            fives += cell
            figures += f'<text x="{x + w / 2:.1f}" y="{y + h / 2 + 6:.1f}">{i}</text>'
    out.append(f'<path class="rv" d="{cells}"/><path class="rv5" d="{fives}"/><g class="rvt">{figures}</g>')
    out.append(
        f'<rect class="f1" x="{-FRAME}" y="{-FRAME}" width="{WIDTH + 2 * FRAME}" height="{HEIGHT + 2 * FRAME}"/>'
        f'<rect class="f2" width="{WIDTH}" height="{HEIGHT}"/>'
        f'<rect class="f3" x="5" y="5" width="{WIDTH - 10}" height="{HEIGHT - 10}"/></symbol>'
    )
    return "".join(out)


def symbols() -> str:
    """The file that pages read."""
    return f'<svg xmlns="http://www.w3.org/2000/svg">\n{sheet()}\n</svg>\n'


if __name__ == "__main__":
    FILE.write_text(symbols(), encoding="utf-8")
    print(f"{FILE}: {FILE.stat().st_size:,} bytes")
