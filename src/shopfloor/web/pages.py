"""The site's pages as HTML text. What goes in is plain, what comes out is str: nothing here knows a request.

What a game adds lies in its folder `page/`: `page.py` (`HOUSE`, the ink of its box, and `context`, which makes what the
template needs from a View), `table.html` (extends `live.html`), `rules.html`, `style.css`, `symbols.svg`, drawings.

The forms of the pages:

    POST /tables               game, players, name (of the table), your_name, seat_1 ... (`friend` or a level of
                               computer players, for each seat after one's own), others (the same for seats that
                               are not named), option.<id>
    POST /t/{id}/sit           name, seat (may be missing)      POST /t/{id}/stand-up
    POST /t/{id}/bots          level, seat (may be missing)     POST /t/{id}/bots/{seat}/remove
    POST /t/{id}/start         POST /t/{id}/leave               POST /t/{id}/back       POST /t/{id}/rematch
    POST /t/{id}/act           action, based_on, key            POST /t/{id}/undo       number, key

All have `_csrf_token` too. Posts from a table's page by script carry the header `HX-Request`; their answer is
`table_live`, with `problem` where something was refused (script or not, the person then sees it on the table).
"""

from __future__ import annotations

import hashlib
import importlib
import json
import re
import threading
import time
import uuid
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PrefixLoader, StrictUndefined
from markupsafe import Markup, escape

from shopfloor.bots import LEVELS, level_words
from shopfloor.engine import records
from shopfloor.engine.game import Game
from shopfloor.games import REGISTRY
from shopfloor.games.announced import ANNOUNCED
from shopfloor.tables.errors import undo_words
from shopfloor.tables.model import LogLine, SeatInfo, Table
from shopfloor.web.manual import chapters
from shopfloor.web.symbols import Symbols

HERE: Final = Path(__file__).parent
BUILD: Final = HERE / "static" / "build"
STATIC: Final = "/static/build/"
PARTS: Final = ("brand", "shift", "meeple", "csrf", "why", "problem_note", "post", "copy")


@dataclass(frozen=True)
class Ctx:
    """Who looks, and from where.

    csrf: the token for forms. theme: `light` or `dark` (cookie `sf_theme`), or None to follow the system.
    base_url: scheme and host, without a slash at the end, for links to share. path: the page's own path.
    token: the person's token, for their private link back. manages: may they manage the table that is shown?
    """

    csrf: str
    theme: str | None = None
    base_url: str = ""
    path: str = "/"
    token: str | None = None
    manages: bool = False


def home(ctx: Ctx, listing: Sequence[Table], seats: Mapping[str, int | None]) -> str:
    """The shelf and the tables. `seats`: the person's seat at each table where they have one, by the table's id."""
    rows: dict[str, list[dict[str, object]]] = {"turn": [], "under_way": [], "free": [], "over": []}
    for table in listing:
        seat = seats.get(table.id)
        mine = table.id in seats and seat is not None
        if table.status == "over":
            if mine:
                rows["over"].append(_row(table, seat))
        elif table.status == "open":
            rows["turn" if mine or table.id in seats else "free"].append(_row(table, seat))
        elif mine and seat in table.deciders():
            rows["turn"].append(_row(table, seat))
        else:
            rows["under_way"].append(_row(table, seat))
    games = [_box(game) for game in REGISTRY.all() if has_page(game)]
    for game in ANNOUNCED:
        if game.id not in {box["id"] for box in games}:
            art = _art(str(game.folder / "page" / "box.svg"))
            facts = {"id": game.id, "game": game, "house": game.house, "players": game.players}
            games.append({**facts, "playable": False, "art": art})
    # The playable boxes stand in the middle of the shelf.
    middle = len(games) // 2
    playable = [g for g in games if g["playable"]]
    announced = [g for g in games if not g["playable"]]
    games = [*announced[:middle], *playable, *announced[middle:]]
    return _render("home.html", ctx, boxes=games, rows=rows, levels=_levels())


def setup(ctx: Ctx, game: Game, form: Mapping[str, str], problem: str | None = None) -> str:
    """Set up a table of a game. `form`: what was filled in before, by the names of POST /tables."""
    options: list[dict[str, object]] = []
    for option in game.options:
        title, why = game.words.option(option.id)
        values = [
            {"value": v, "text": game.words.option_value(option.id, v), "seat": v in option.seat_values}
            for v in option.values
        ]
        chosen = form.get(f"option.{option.id}", option.default)
        told: dict[str, object] = {"id": option.id, "title": title, "why": why, "values": values}
        options.append(told | {"chosen": chosen, "default": option.default, "clause": option.clause})
    return _render(
        "setup.html",
        ctx,
        game,
        form=dict(form),
        problem=problem,
        options=options,
        levels=_levels(),
        box=_box(game),
    )


def table(ctx: Ctx, table: Table, seat: int | None, problem: str | None = None) -> str:
    """The whole page of a table: lobby, game under way or game over, as `seat` (None: a spectator) may see it."""
    live = Markup(table_live(ctx, table, seat, problem))
    return _render("table.html", ctx, table.game, live=live, table=table, seat=seat)


def table_live(ctx: Ctx, table: Table, seat: int | None, problem: str | None = None) -> str:
    """The part of a table's page that is pushed to its viewers and morphed in place: one element with the id `live`."""
    if table.status == "open":
        return _live_lobby(ctx, table, seat, problem)
    if table.view(seat) is None:
        return _render_part("gone.html", ctx, table.game, **_common(ctx, table, seat, problem))
    return _live_game(ctx, table, seat, problem)


def rules(ctx: Ctx, game: Game) -> str:
    """The rules of a game in our own words, with an anchor for every clause."""
    return _render("rules.html", ctx, game)


def programs(ctx: Ctx, description: dict[str, Any]) -> str:
    """The JSON API for people who write programs; `description` is the OpenAPI document."""
    return _render("programs.html", ctx, chapters=chapters(description))


def verify(ctx: Ctx, table: Table, record: str | None = None) -> str:
    """Was the deck shuffled as promised? The commitment, the seed once the game is over, and the checks.

    record: the table's record once it is over; it is played again from the seed.
    """
    computed = _sha256(table.seed) if table.seed else None
    ranking = _ranking(table) if table.status == "over" else []
    replayed = _replayed(table, record)
    facts = {"computed": computed, "ranking": ranking, "replayed": replayed}
    return _render("verify.html", ctx, table.game, table=table, **facts)


def message(ctx: Ctx, status: int, title: str, text: str) -> str:
    """A page that says what went wrong, or that something is not there."""
    return _render("message.html", ctx, status=status, title=title, text=text)


# -- a table ------------------------------------------------------------------------------------------------------


def _live_lobby(ctx: Ctx, table: Table, seat: int | None, problem: str | None) -> str:
    game = table.game
    options = [
        {
            "title": game.words.option(option.id)[0],
            "text": game.words.option_value(option.id, table.options[option.id]),
            "clause": option.clause,
        }
        for option in game.options
    ]
    free = [s.seat for s in table.seats if s.kind == "free"]
    common = _common(ctx, table, seat, problem)
    return _render_part("lobby.html", ctx, game, **common, options=options, free=free, levels=_levels())


def _live_game(ctx: Ctx, table: Table, seat: int | None, problem: str | None) -> str:
    view: Any = table.view(seat)
    game = table.game
    names = seat_names(table.seats)
    lines = table.log(seat)
    events = [event for line in lines if not line.undone for event in line.events]

    def why(action: int) -> dict[str, str] | None:
        """Why the viewer may not choose an action now: the sentence and its clause."""
        if seat is None:
            return None
        refusal = table.refusal(seat, action)
        if refusal is None:
            return None
        return {"text": game.words.refusal(refusal, names), "clause": refusal.clause}

    spoken = _spoken(names, seat)
    facts = _page(game).context(view, spoken, events, why)
    mine = seat is not None and table.status == "playing" and seat in table.deciders()
    undo = None
    if seat is not None and table.status == "playing" and table.undo_number(seat) is not None:
        refusal = table.undo_refusal(seat)
        undo = {"number": table.undo_number(seat), "why": undo_words(refusal) if refusal else ""}
    question = facts.pop("question", None) or game.words.question(view, spoken)
    common = _common(ctx, table, seat, problem)
    lamp = "your turn" if mine else ""
    return _render_part(
        f"{game.id}/table.html",
        ctx,
        game,
        **common,
        **facts,
        v=view,
        mine=mine,
        lamp=lamp,
        undo=undo,
        question=question,
        log=_log(table, lines, names, seat),
        based_on=table.decision_number(seat) if mine and seat is not None else table.number,
        away=bool(seat is not None and table.seats[seat].away),
    )


def _common(ctx: Ctx, table: Table, seat: int | None, problem: str | None) -> dict[str, Any]:
    return {
        "table": table,
        "seat": seat,
        "problem": problem,
        "names": seat_names(table.seats),
        "path": f"/t/{table.id}",
        "key": uuid.uuid4().hex,
        "join_url": f"{ctx.base_url}/t/{table.id}",
        "seat_url": f"{ctx.base_url}/t/{table.id}/seat/{ctx.token}" if ctx.token and seat is not None else "",
    }


def seat_names(seats: Sequence[SeatInfo]) -> list[str]:
    """What the seats are called."""
    return [s.name or f"Seat {s.seat + 1}" for s in seats]


def _spoken(names: Sequence[str], seat: int | None) -> list[str]:
    """The names as the viewer reads them."""
    return ["You" if s == seat else name for s, name in enumerate(names)]


def _log(table: Table, lines: Sequence[LogLine], names: Sequence[str], seat: int | None) -> Markup:
    """The story as HTML, newest chapter first; within a chapter (a turn) in the order in which things happened."""
    page = _page(table.game)
    spoken = tuple(_spoken(names, seat))
    last = {event.kind: (line.number, i) for line in lines for i, event in enumerate(line.events) if not line.undone}
    newest = max((line.number for line in lines if line.events or _told(line, names, seat)), default=0)
    chapters: list[tuple[str, str, list[str]]] = [("start", "Before the first turn", [])]
    for line in lines:
        for i, event in enumerate(line.events):
            by = page.SUPERSEDED.get(event.kind)
            if by is not None and last.get(by, (0, 0)) >= (line.number, i):
                continue
            title = "" if line.undone else page.chapter(event, spoken)
            if title:
                chapters.append((f"{line.number}-{i}", title, []))
            else:
                key = (table.id, seat, line.number, i, line.undone, line.number == newest, spoken)
                chapters[-1][2].append(_STORY.get(key, partial(_line, table, line, i, newest, names, seat)))
        if _told(line, names, seat):
            chapters[-1][2].append(_line(table, line, None, newest, names, seat))
    return Markup("\n").join(
        Markup('<li class="chapter" id="ch-{}"><h3>{}</h3><ol>{}</ol></li>').format(id_, title, Markup("".join(told)))
        for id_, title, told in reversed(chapters)
        if told
    )


class _Kept:
    """The newest of what is asked for again and again; safe from any thread."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._kept: OrderedDict[object, str] = OrderedDict()

    def get(self, key: object, make: Callable[[], str]) -> str:
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
                return found
        made = make()
        with self._lock:
            self._kept[key] = made
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return made


# Lines of logs never change once they are written, and every page of a table shows them all.
_STORY: Final = _Kept(30_000)


def _line(table: Table, line: LogLine, i: int | None, newest: int, names: Sequence[str], seat: int | None) -> str:
    """A line of the log: the line's event `i`, or (None) what happened beside the game."""
    game = table.game
    if i is None:
        text, who, clause = _told(line, names, seat), line.seat, ""
    else:
        event = line.events[i]
        spoken = _spoken(names, seat)
        text, clause = game.words.event(event, spoken, seat), event.clause
        found = event.facts.get("seat")
        who = found if isinstance(found, int) else None
    template = _environment(game).get_template("logline.html")
    kind = "undone" if line.undone else "new" if line.number == newest else ""
    return template.render(
        id=f"{line.number}-{'x' if i is None else i}",
        number=line.number,
        kind=kind,
        seat=who,
        text=_bold(text, names),
        rule=clause,
    )


def _told(line: LogLine, names: Sequence[str], seat: int | None) -> str:
    """What happened at the table beside the game."""
    if line.seat is None:
        return ""
    name = "You" if line.seat == seat else names[line.seat]
    have = "have" if line.seat == seat else "has"
    return {
        "away": f"{name} {have} left the table; a computer player stands in.",
        "back": f"{name} {'are' if line.seat == seat else 'is'} back at the table.",
        "undo": f"{name} took the last decision back.",
    }.get(line.kind, "")


def _bold(text: str, names: Sequence[str]) -> Markup:
    """A sentence with the name that it begins with in bold."""
    for name in [*sorted(names, key=len, reverse=True), "You"]:
        if text.startswith(name) and not text[len(name) : len(name) + 1].isalnum():
            return Markup("<b>{}</b>{}").format(name, text[len(name) :])
    return escape(text)


# -- lists and small things ---------------------------------------------------------------------------------------


def _row(table: Table, seat: int | None) -> dict[str, object]:
    """A table in a list."""
    state = ""
    mine = False
    if table.status == "open":
        free = sum(s.kind == "free" for s in table.seats)
        state = f"{free} seat{'s' if free != 1 else ''} free" if free else "Ready to start"
    elif table.status == "playing":
        mine = seat is not None and seat in table.deciders()
        names = seat_names(table.seats)
        waiting = [names[s] for s in table.deciders() if s != seat]
        state = "You decide" if mine else f"{_enumerate(waiting)} {'thinks' if len(waiting) == 1 else 'think'}"
        summary = getattr(_page(table.game), "summary", None)
        if summary is not None and table.view(seat) is not None:
            state = f"{summary(table.view(seat))}. {state}"
    elif table.view(seat) is None:
        state = "Can be looked at, no longer played"
    else:
        view: Any = table.view(seat)
        best = [r.seat for r in view.ranks if r.place == 1]
        names = _spoken(seat_names(table.seats), seat)
        state = f"{_enumerate([names[s] for s in best])} won"
    return {"table": table, "seat": seat, "state": state, "mine": mine, "house": _page(table.game).HOUSE}


def _enumerate(parts: Sequence[str]) -> str:
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def _ranking(table: Table) -> list[dict[str, object]]:
    """Places and names, best first."""
    view: Any = table.view(None)
    names = seat_names(table.seats)
    return [{"place": r.place, "name": names[r.seat], "seat": r.seat} for r in view.ranks]


def _replayed(table: Table, record: str | None) -> bool | None:
    """Does the record, played again from the table's seed, come to the same final ranking? None: there is none yet."""
    if record is None or table.status != "over":
        return None
    view: Any = table.view(None)
    try:
        told = records.load(record)
        *_, last = records.replay(told, table.game)
    except records.RecordError:
        return False
    places = [(rank.seat, rank.place) for rank in last.state.standing().ranks] if last.state.over() else []
    return told.seed == table.seed and places == [(rank.seat, rank.place) for rank in view.ranks]


def _levels() -> list[dict[str, str]]:
    return [{"id": level, "title": level_words(level)[0], "why": level_words(level)[1]} for level in LEVELS]


def _box(game: Game) -> dict[str, object]:
    counts = game.player_counts
    players = f"{counts[0]}–{counts[-1]}" if len(counts) > 1 else str(counts[0])
    art = _art(str(game.folder / "page" / "box.svg"))
    facts: dict[str, object] = {"id": game.id, "game": game, "house": _page(game).HOUSE, "players": players}
    return {**facts, "playable": True, "art": art}


def _sha256(seed: str) -> str:
    return hashlib.sha256(bytes.fromhex(seed)).hexdigest()


# -- rendering ----------------------------------------------------------------------------------------------------


def _page(game: Game) -> ModuleType:
    """The game's `page/page.py`. Raises ImportError if it has none."""
    return importlib.import_module(f"shopfloor.games.{game.id}.page.page")


def has_page(game: Game) -> bool:
    """Can this game be played on the site?"""
    return (game.folder / "page" / "page.py").is_file()


@lru_cache(maxsize=256)
def _art(path: str) -> Markup:
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


def _environment(game: Game | None) -> Environment:
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
        return _art(str(game.folder / "page" / "drawings" / f"{name}.svg")) if game is not None else Markup("")

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
        enumerate_words=_enumerate,
        game=game,
        house=_page(game).HOUSE if game is not None else "oxide",
    )
    parts = environment.get_template("parts.html").module
    environment.globals.update({name: getattr(parts, name) for name in PARTS})
    return environment


def _render_part(template: str, ctx: Ctx, game: Game, **values: object) -> str:
    return _environment(game).get_template(template).render(ctx=ctx, **values)


def _render(template: str, ctx: Ctx, game: Game | None = None, **values: object) -> str:
    """A whole page, with the symbols that it uses; a table's page gets all of the game's, for what will be pushed."""
    body = _environment(game).get_template(template).render(ctx=ctx, **values)
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
