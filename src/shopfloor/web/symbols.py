"""The printer's symbols: drawings that a page names and that travel with it once, in one hidden picture."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from markupsafe import Markup, escape

_SYMBOL = re.compile(r'<symbol id="([\w-]+)" viewBox="([-\d. ]+)".*?</symbol>', re.DOTALL)
_USED = re.compile(r'href="#([\w-]+)"')


@dataclass(frozen=True)
class Symbol:
    id: str
    width: float
    height: float
    text: str


class Symbols:
    """The symbols of one or several files; the first file's `<defs>` (patterns) go with every sprite."""

    def __init__(self, files: Iterable[Path]) -> None:
        self.defs = ""
        self.symbols: dict[str, Symbol] = {}
        # Pages draw the same few symbols again and again.
        self.icon = lru_cache(maxsize=4096)(self._icon)
        for file in files:
            text = file.read_text(encoding="utf-8")
            if not self.defs and "<defs>" in text:
                self.defs = text[text.index("<defs>") : text.index("</defs>") + len("</defs>")]
            for match in _SYMBOL.finditer(text):
                _, _, width, height = (float(v) for v in match[2].split())
                self.symbols.setdefault(match[1], Symbol(match[1], width, height, match[0]))

    def _icon(
        self, name: str, size: float = 20, f: str = "", label: str = "", cls: str = "", style: str = ""
    ) -> Markup:
        """A symbol, `size` pixels wide. f: the spot ink of its area. label: what it says to those who do not see it."""
        symbol = self.symbols[name]
        height = size * symbol.height / symbol.width
        inline = (f"--f:{f};" if f else "") + style
        role = f'role="img" aria-label="{escape(label)}"' if label else 'aria-hidden="true"'
        return Markup(
            f'<svg class="i {escape(cls)}" width="{size:g}" height="{height:g}" {role}'
            + (f' style="{escape(inline)}"' if inline else "")
            + f'><use href="#{symbol.id}"/></svg>'
        )

    def sprite(self, html: str, also: Iterable[str] = ()) -> Markup:
        """The hidden picture with the symbols that `html` uses, those in `also`, and those which they use in turn."""
        wanted = {*_USED.findall(html), *also} & self.symbols.keys()
        while True:
            more = {u for name in wanted for u in _USED.findall(self.symbols[name].text)} & self.symbols.keys()
            if more <= wanted:
                break
            wanted |= more
        body = "".join(self.symbols[name].text for name in self.symbols if name in wanted)
        return Markup(f'<svg class="sprite" width="0" height="0" aria-hidden="true">{self.defs}{body}</svg>')
