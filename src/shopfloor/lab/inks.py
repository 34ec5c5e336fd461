"""Our printer's inks for pictures of figures, by day and by night. SVG, by us.

Whoever shows a picture says by its colour scheme which it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from xml.sax.saxutils import escape

STYLE: Final = """
.paper{fill:#faf3e1} .ink{fill:#221d1a} .second{fill:#574c40} .rule{stroke:#d9ceb6;fill:none}
.even{stroke:#574c40;stroke-dasharray:3 3;fill:none} .bar{stroke-width:3;stroke-linecap:round;fill:none}
.line{stroke-width:1.5;fill:none}
.teal{stroke:#1d7571;fill:#1d7571} .brick{stroke:#b23a20;fill:#b23a20} .ochre{stroke:#dfa423;fill:#dfa423}
.blue{stroke:#345a80;fill:#345a80} .moss{stroke:#6f8f3a;fill:#6f8f3a} .plum{stroke:#74345c;fill:#74345c}
.dot{stroke:#221d1a;stroke-width:1}
text{font-family:'Barlow Condensed','Arial Narrow',sans-serif;font-size:15px} .title{font-size:21px;font-weight:700}
.count{font-weight:600}
@media (prefers-color-scheme:dark){
.paper{fill:#1c273a} .ink{fill:#f5e7c6} .second{fill:#bdb59e} .rule{stroke:#39435a} .even{stroke:#bdb59e}
.teal{stroke:#48b0a6;fill:#48b0a6} .brick{stroke:#e8734f;fill:#e8734f} .ochre{stroke:#f0bd4a;fill:#f0bd4a}
.blue{stroke:#7ba7d4;fill:#7ba7d4} .moss{stroke:#9dbb5e;fill:#9dbb5e} .plum{stroke:#cf86b0;fill:#cf86b0}
.dot{stroke:#f5e7c6}
}
.line{fill:none}
"""


def sheet(width: int, height: int, title: str, parts: Sequence[str], note: str) -> str:
    """A whole picture: paper, a title at its head, what is drawn on it, and a note at its foot."""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img"'
            f' aria-label="{escape(title, {chr(34): "&quot;"})}"><style>{"".join(STYLE.splitlines())}</style>',
            f'<rect class="paper" width="{width}" height="{height}"/>',
            f'<text class="ink title" x="20" y="36">{escape(title)}</text>',
            *parts,
            f'<text class="second" x="20" y="{height - 16}">{escape(note)}</text>',
            "</svg>",
            "",
        ]
    )
