"""Templates, symbols, drawings and built files: what pages are rendered with."""

from __future__ import annotations

import importlib
import json
import re
import time
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PrefixLoader, StrictUndefined
from markupsafe import Markup

from shopfloor.engine.game import Game
from shopfloor.games import REGISTRY
from shopfloor.games.announced import ANNOUNCED
from shopfloor.web.symbols import Symbols

HERE: Final = Path(__file__).parent
BUILD: Final = HERE / "static" / "build"
STATIC: Final = "/static/build/"
PARTS: Final = ("brand", "shift", "meeple", "csrf", "why", "problem_note", "post", "copy")


def page_of(game: Game) -> ModuleType:
    """The game's `page/page.py`. Raises ImportError if it has none."""
    return importlib.import_module(f"shopfloor.games.{game.id}.page.page")


def has_page(game: Game) -> bool:
    """Can this game be played on the site?"""
    return (game.folder / "page" / "page.py").is_file()


@lru_cache(maxsize=256)
def art(path: str) -> Markup:
    """A drawing of ours, as it stands in its file; empty if there is none yet."""
    file = Path(path)
    if not file.is_file():
        return Markup("")
    text = file.read_text(encoding="utf-8")
    return Markup(re.sub(r"<\?xml.*?\?>|<!--.*?-->", "", text, flags=re.DOTALL).strip())


@cache
def _symbols(folder: Path | None) -> Symbols:
    """The site's symbols, and those of the game in a folder; without one those of all games, for their boxes."""
    folders = [folder] if folder is not None else []
    if folder is None:
        folders += [game.folder for game in REGISTRY.all()]
        folders += [game.folder for game in ANNOUNCED]
    found = (at / "page" / name for at in folders for name in ("symbols.svg", "drawings/symbols.svg"))
    return Symbols([HERE / "templates" / "symbols.svg", *(file for file in found if file.is_file())])


_environments: dict[str, Environment] = {}


def environment(game: Game | None) -> Environment:
    """The templates of the site, and of a game, with what they may call."""
    key = game.id if game is not None else ""
    if key not in _environments:
        _environments[key] = _make_environment(game)
    return _environments[key]


def _make_environment(game: Game | None) -> Environment:
    loaders: list[Any] = [FileSystemLoader(HERE / "templates")]
    if game is not None:
        loaders.append(PrefixLoader({game.id: FileSystemLoader(game.folder / "page")}))
    environment = Environment(
        loader=ChoiceLoader(loaders),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    symbols = _symbols(game.folder if game is not None else None)

    def drawing(name: str) -> Markup:
        """A drawing from the game's folder, by its file's name without the ending."""
        return art(str(game.folder / "page" / "drawings" / f"{name}.svg")) if game is not None else Markup("")

    def clause(name: str) -> Markup:
        """A link to a clause of the rules."""
        if not name or game is None:
            return Markup("")
        return Markup('<a class="cl" href="/rules/{}#{}" title="Rule {}">{}</a>').format(game.id, name, name, name)

    environment.globals.update(
        icon=symbols.icon,
        drawing=drawing,
        clause=clause,
        asset=_asset,
        static=lambda name: f"/static/{name}",
        ago=_ago,
        counted=counted,
        enumerate_words=enumerate_words,
        game=game,
        house=page_of(game).HOUSE if game is not None else "oxide",
        piece=getattr(page_of(game), "PIECE", "meeple") if game is not None else "meeple",
        colour_of=partial(colour_of, game),
    )
    parts = environment.get_template("parts.html").module
    environment.globals.update({name: getattr(parts, name) for name in PARTS})
    return environment


def counted(n: int, one: str, many: str = "") -> str:
    """A number of things as a page says it: 1 card, 2 cards."""
    return f"{n} {one if n == 1 else many or one + 's'}"


def colour_of(game: Game | None, seat: int, players: int) -> int:
    """The number of the colour that stands for a seat, from 0."""
    colours: Mapping[int, Sequence[int]] = getattr(page_of(game), "COLOURS", {}) if game is not None else {}
    return colours[players][seat] if players in colours else seat


def render_part(template: str, ctx: object, game: Game, **values: object) -> str:
    return environment(game).get_template(template).render(ctx=ctx, **values)


def render(template: str, ctx: object, game: Game | None = None, **values: object) -> str:
    """A whole page, with the symbols that it uses; a table's page gets all of the game's, for what will be pushed."""
    body = environment(game).get_template(template).render(ctx=ctx, **values)
    symbols = _symbols(game.folder if game is not None else None)
    also = symbols.symbols if template == "table.html" else ()
    return body.replace("<!--sprite-->", symbols.sprite(body, also), 1)


@cache
def _manifest() -> dict[str, Any]:
    """What Vite built, by source."""
    file = BUILD / "manifest.json"
    if not file.is_file():
        raise RuntimeError(f"the browser's files are not built: {file} is missing (python3 play.py builds them)")
    manifest: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return manifest


def _asset(source: str) -> str:
    """The address of a built file; empty if there is none."""
    entry = _manifest().get(source)
    return f"{STATIC}{entry['file']}" if entry else ""


def _ago(then: float) -> str:
    """How long ago, in words."""
    minutes = int((time.time() - then) // 60)
    if minutes < 1:
        return "just now"
    if minutes < 60:
        return f"{minutes} min ago"
    if minutes < 60 * 24:
        return f"{minutes // 60} h ago"
    days = minutes // (60 * 24)
    return f"{days} day{'s' if days > 1 else ''} ago"


def enumerate_words(parts: Sequence[str]) -> str:
    """Several in one text: a, b and c."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"
