"""The site's pages as HTML text. What goes in is plain, what comes out is str: nothing here knows a request.

What a game adds lies in its folder `page/`: `page.py` (`HOUSE`, the ink of its box, and `context`, which makes what the
template needs from a View), `table.html` (extends `live.html`), `rules.html`, `style.css`, `symbols.svg`, drawings.
`page.py` may also have `PIECE`, the symbol of a player's piece before the number of the colour (else `meeple`),
`COLOURS`, for some player counts the number of the colour that stands for each seat (else the seat's own), and
`pick_drawing`, the drawing of what can be picked for an option.

The forms of the pages:

    POST /tables               game, players, name (of the table), your_name, seat_1 ... (`friend` or a level of
                               computer players, for each seat after one's own), others (the same for seats that
                               are not named), option.<id> (`+`: people's own choice, which is ticked in the
                               fields pick.<id>), no_hints (if nobody may ask for advice),
                               rated (if the game counts), clock, time_up (stand_in, or show)
    POST /t/{id}/sit           name, seat (may be missing)      POST /t/{id}/stand-up
    POST /t/{id}/bots          level, seat (may be missing)     POST /t/{id}/bots/{seat}/remove
    POST /t/{id}/ask-undo      number, key                  POST /t/{id}/ask-pause      key
    POST /t/{id}/say           text, key                    POST /t/{id}/seats/{seat}/mute, /silence    on (yes or no)
    POST /t/{id}/answer        request, agree (yes or no)   POST /t/{id}/resume         POST /t/{id}/revive
    POST /t/{id}/seats/{seat}/offer                         POST /t/{id}/seats/{seat}/take     name
    POST /t/{id}/new-link                                   POST /t/{id}/seats/{seat}/block    on (yes or no)
    POST /t/{id}/start         POST /t/{id}/leave               POST /t/{id}/back       POST /t/{id}/rematch
    POST /t/{id}/act           action, based_on, key            POST /t/{id}/undo       number, key

All have `_csrf_token` too. Posts from a table's page by script carry the header `HX-Request`; their answer is
`table_live`, with `problem` where something was refused (script or not, the person then sees it on the table).
"""

from __future__ import annotations

import hashlib
import json
import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from markupsafe import Markup

from shopfloor.bots import KNOWN, LEVELS, STAND_IN, level_words
from shopfloor.bots.sayings import percent
from shopfloor.engine import records
from shopfloor.engine.game import Game
from shopfloor.engine.options import JOIN, Option, pick_counts
from shopfloor.games import REGISTRY
from shopfloor.games.announced import ANNOUNCED
from shopfloor.tables.clock import parse
from shopfloor.tables.errors import undo_words
from shopfloor.tables.model import Table
from shopfloor.web import together
from shopfloor.web.afterwards import curve
from shopfloor.web.manual import chapters
from shopfloor.web.rendering import art, colour_of, enumerate_words, has_page, page_of, render, render_part
from shopfloor.web.schemas import AdviceInfo, AnalysisInfo
from shopfloor.web.story import seat_names, spoken_names, steps, story

# Of what people at a table ask of each other, nothing is answered in a moment that has passed.
STILL: Final[dict[str, Any]] = {"asked": None, "offered": [], "to_offer": [], "may_talk": False, "ask_undo": False}
PICK: Final = "pick."
"""What the names of the fields begin with that hold people's own picks."""


@dataclass(frozen=True)
class Ctx:
    """Who looks, and from where.

    csrf: the token for forms. theme: `light` or `dark` (cookie `sf_theme`), or None to follow the system.
    base_url: scheme and host, without a slash at the end, for links to share. path: the page's own path.
    token: the person's token, for their private link back. manages: may they manage the table that is shown?
    account: the name of who is signed in. kept: does their account hold the seat that is shown? deaf: the seats whose
    talk they do not want to read. admin: are they the site's administrator?
    """

    csrf: str
    theme: str | None = None
    base_url: str = ""
    path: str = "/"
    token: str | None = None
    manages: bool = False
    account: str = ""
    kept: bool = False
    deaf: frozenset[int] = frozenset()
    admin: bool = False


def home(ctx: Ctx, listing: Sequence[Table], seats: Mapping[str, int | None], chosen: str = "") -> str:
    """The shelf and the tables.

    seats: the person's seat at each table where they have one, by the table's id. chosen: the id of the game whose box
    is taken off the shelf; of none that can be played: the one the person was last at, or the one in the middle.
    """
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
    playable = [str(box["id"]) for box in games]
    if chosen not in playable:
        own = [table.game.id for table in listing if table.id in seats and table.game.id in playable]
        chosen = own[0] if own else playable[len(playable) // 2]
    for game in ANNOUNCED:
        if game.id not in playable:
            drawn = art(str(game.folder / "page" / "box.svg"))
            facts = {"id": game.id, "game": game, "house": game.house, "players": game.players}
            place = playable.index(game.before) if game.before in playable else len(games)
            games.insert(place, {**facts, "playable": False, "art": drawn})
    return render("home.html", ctx, boxes=games, chosen=chosen, rows=rows, levels=_levels(), usual=STAND_IN)


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
        told |= _picks(game, option, form) | {"matters": option.counts}
        options.append(told | {"chosen": chosen, "default": option.default, "clause": option.clause})
    return render(
        "setup.html",
        ctx,
        game,
        form=dict(form),
        problem=problem,
        options=options,
        levels=_levels(),
        usual=STAND_IN,
        clock_choices=[{"value": c, "text": together.clock_words(parse(c))} for c in together.CHOICES],
        box=_box(game),
    )


def _picks(game: Game, option: Option, form: Mapping[str, str]) -> dict[str, object]:
    """What people may choose from by themselves, what of it they have ticked, and how many it takes."""
    ticked = form.get(f"{PICK}{option.id}", "").split(JOIN)
    drawn = getattr(page_of(game), "pick_drawing", None)
    picks = [
        {
            "value": pick,
            "text": game.words.option_value(option.id, pick),
            "why": game.pick_words(option.id, pick),
            "drawing": drawn(option.id, pick) if drawn is not None else "",
            "ticked": pick in ticked,
            "closed": [players for players, closed in option.closed if closed == pick],
        }
        for pick in option.picks
    ]
    counts = [
        {"players": found.players, "given": dict(found.given), "count": found.count}
        for found in pick_counts(option, game.options, game.player_counts)
    ]
    return {"picks": picks, "counts": json.dumps(counts)}


def table(ctx: Ctx, table: Table, seat: int | None, problem: str | None = None, advised: str = "") -> str:
    """The whole page of a table: lobby, game under way or game over, as `seat` (None: a spectator) may see it.

    advised: what `advice` made, where it is to be read at once.
    """
    live = Markup(table_live(ctx, table, seat, problem, advised))
    return render("table.html", ctx, table.game, live=live, table=table, seat=seat, now=time.time())


def table_live(ctx: Ctx, table: Table, seat: int | None, problem: str | None = None, advised: str = "") -> str:
    """The part of a table's page that is pushed to its viewers and morphed in place: one element with the id `live`."""
    if table.status == "open":
        return _live_lobby(ctx, table, seat, problem)
    if table.view(seat) is None:
        return render_part("gone.html", ctx, table.game, **_common(ctx, table, seat, problem))
    return _live_game(ctx, table, seat, problem, advised)


def advice(ctx: Ctx, table: Table, found: AdviceInfo | None, problem: str = "") -> str:
    """What stands under the dock when a player has asked for advice: the moves, or why there are none."""
    return render_part("advice.html", ctx, table.game, found=found, problem=problem, path=f"/t/{table.id}")


def rules(ctx: Ctx, game: Game) -> str:
    """The rules of a game in our own words, with an anchor for every clause."""
    return render("rules.html", ctx, game)


def programs(ctx: Ctx, description: dict[str, Any]) -> str:
    """The JSON API for people who write programs; `description` is the OpenAPI document."""
    return render("programs.html", ctx, chapters=chapters(description))


def verify(ctx: Ctx, table: Table, record: str | None = None) -> str:
    """Was the deck shuffled as promised? The commitment, the seed once the game is over, and the checks.

    record: the table's record once it is over; it is played again from the seed.
    """
    computed = _sha256(table.seed) if table.seed else None
    ranking = _ranking(table) if table.status == "over" else []
    replayed = _replayed(table, record)
    facts = {"computed": computed, "ranking": ranking, "replayed": replayed}
    return render("verify.html", ctx, table.game, table=table, **facts)


def afterwards(ctx: Ctx, table: Table, found: AnalysisInfo | None, at: int) -> str:
    """A finished game looked at again; None: it is still being worked out. at: after how many decisions it is shown."""
    names = seat_names(table.seats)
    facts: dict[str, Any] = {"table": table, "names": names, "path": f"/t/{table.id}", "found": found, "at": at}
    if found is not None:
        at = min(max(0, at), found.decisions)
        colours = [colour_of(table.game, seat, table.players) for seat in range(table.players)]
        number = found.numbers[at - 1] if at else found.numbers[0] - 1
        drawn = curve(found, colours, names, at)
        facts |= {"at": at, "number": number, "curve": drawn, "pct": percent, "signed": _signed}
    return render("analysis.html", ctx, table.game, **facts)


def _signed(share: float) -> str:
    return f"{'+' if share >= 0.005 else '−' if share <= -0.005 else '±'}{abs(100 * share):.0f} %"


def moment(ctx: Ctx, table: Table, seat: int | None = None) -> str:
    """A table as it was at some moment, for a seat's eyes or everybody's, to be set into another page.

    There is nothing to be decided in it.
    """
    if table.status == "open" or table.view(seat) is None:
        live = table_live(ctx, table, seat)
    else:
        live = _live_game(ctx, table, seat, None, "", still=True)
    return render("moment.html", ctx, table.game, table=table, live=Markup(live))


def since(ctx: Ctx, table: Table, seat: int, at: int) -> str:
    """What has happened since a seat's last turn, to be read and stepped through. at: after how many of the steps."""
    told = steps(table, seat)
    at = min(max(0, at), len(told))
    numbers = table.since(seat)
    number = told[at - 1][0] if at else numbers[0] - 1 if numbers else 0
    facts = {"table": table, "path": f"/t/{table.id}", "steps": told, "at": at, "number": number}
    mine = table.status == "playing" and seat in table.deciders()
    return render("since.html", ctx, table.game, **facts, mine=mine)


def message(ctx: Ctx, status: int, title: str, text: str) -> str:
    """A page that says what went wrong, or that something is not there."""
    return render("message.html", ctx, status=status, title=title, text=text)


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
        if option.matters(table.players)
    ]
    free = [s.seat for s in table.seats if s.kind == "free"]
    common = _common(ctx, table, seat, problem)
    levels = {"levels": _levels(), "known": _levels(KNOWN)}
    clock = together.clock_words(table.clock)
    if table.clock.on:
        clock += f". {together.then_words(table.clock)}"
    return render_part("lobby.html", ctx, game, **common, clock_told=clock, options=options, free=free, **levels)


def _live_game(ctx: Ctx, table: Table, seat: int | None, problem: str | None, advised: str, still: bool = False) -> str:
    """still: it is only to be looked at."""
    view: Any = table.view(seat)
    game = table.game
    names = seat_names(table.seats)
    lines = table.log(seat, deaf=ctx.deaf)
    events = [event for line in lines if not line.undone for event in line.events]

    def why(action: int) -> dict[str, str] | None:
        """Why the viewer may not choose an action now: the sentence and its clause."""
        if seat is None:
            return None
        refusal = table.refusal(seat, action)
        if refusal is None:
            return None
        return {"text": game.words.refusal(refusal, names), "clause": refusal.clause}

    spoken = spoken_names(names, seat)
    facts = page_of(game).context(view, spoken, events, why)
    mine = not still and seat is not None and table.status == "playing" and seat in table.deciders()
    undo = None
    if not still and seat is not None and table.status == "playing" and table.undo_number(seat) is not None:
        refusal = table.undo_refusal(seat)
        undo = {"number": table.undo_number(seat), "why": undo_words(refusal) if refusal else ""}
    question = facts.pop("question", None) or game.words.question(view, spoken)
    common = _common(ctx, table, seat, problem)
    lamp = "your turn" if mine else ""
    return render_part(
        f"{game.id}/table.html",
        ctx,
        game,
        **common,
        **facts,
        v=view,
        mine=mine,
        lamp=lamp,
        undo=undo,
        advisable=mine and table.hints,
        advised=Markup(advised),
        question=question,
        log=story(table, lines, names, seat),
        based_on=table.decision_number(seat) if mine and seat is not None else table.number,
        away=bool(not still and seat is not None and table.seats[seat].away),
        since=0 if still or seat is None else len(steps(table, seat)),
        **(together.facts(table, seat, names, time.time()) | (STILL if still else {})),
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
        "sits": seat is not None,
    }


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
        state = "You decide" if mine else f"{enumerate_words(waiting)} {'thinks' if len(waiting) == 1 else 'think'}"
        summary = getattr(page_of(table.game), "summary", None)
        if summary is not None and table.view(seat) is not None:
            state = f"{summary(table.view(seat))}. {state}"
    elif table.view(seat) is None:
        state = "Can be looked at, no longer played"
    else:
        view: Any = table.view(seat)
        best = [r.seat for r in view.ranks if r.place == 1]
        names = spoken_names(seat_names(table.seats), seat)
        state = f"{enumerate_words([names[s] for s in best])} won"
    return {"table": table, "seat": seat, "state": state, "mine": mine, "house": page_of(table.game).HOUSE}


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


def _levels(levels: Sequence[str] = LEVELS) -> list[dict[str, str]]:
    return [{"id": level, "title": level_words(level)[0], "why": level_words(level)[1]} for level in levels]


def _box(game: Game) -> dict[str, object]:
    counts = game.player_counts
    players = f"{counts[0]}–{counts[-1]}" if len(counts) > 1 else str(counts[0])
    drawn = art(str(game.folder / "page" / "box.svg"))
    facts: dict[str, object] = {"id": game.id, "game": game, "house": page_of(game).HOUSE, "players": players}
    return {**facts, "playable": True, "art": drawn}


def _sha256(seed: str) -> str:
    return hashlib.sha256(bytes.fromhex(seed)).hexdigest()
