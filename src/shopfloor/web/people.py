"""The pages about people as HTML text: getting in, one's own account, what everybody may know, administration."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from shopfloor.bots import KNOWN, STAND_IN, level_words
from shopfloor.games import REGISTRY
from shopfloor.tables.accounts import PASSWORD_LEAST, PASSWORD_MOST, Account, Passkey, SignIn
from shopfloor.tables.blocks import Block
from shopfloor.tables.model import Table
from shopfloor.tables.ratings import FEW, Rating, Result
from shopfloor.web.pages import Ctx
from shopfloor.web.rendering import page_of, render
from shopfloor.web.story import seat_names

DECISIONS: Final = 60
"""So many can be chosen from when a table is rewound."""
ORDINALS: Final = {1: "1st", 2: "2nd", 3: "3rd"}


def sign_in(
    ctx: Ctx,
    seats: int,
    blocks: Sequence[Block],
    passkeys: bool,
    going: str,
    name: str = "",
    problem: str | None = None,
) -> str:
    """Sign in, or make an account. seats: those that the browser's guest has. going: where to go on after it."""
    facts: dict[str, Any] = {"seats": seats, "blocks": blocks, "passkeys": passkeys, "going": going, "name": name}
    return render("sign_in.html", ctx, problem=problem, least=PASSWORD_LEAST, most=PASSWORD_MOST, **facts)


def account(
    ctx: Ctx,
    own: Account,
    session: str,
    sign_ins: Sequence[SignIn],
    keys: Sequence[Passkey],
    blocks: Sequence[Block],
    results: Sequence[Result],
    ratings: Sequence[Rating],
    seats: int,
    passkeys: bool,
    problem: str | None = None,
    token: str = "",
    done: str = "",
) -> str:
    """One's own account. token: of a program, just made, to be copied now. done: what was just done."""
    return render(
        "account.html",
        ctx,
        own=own,
        session=session,
        browsers=[one for one in sign_ins if one.kind == "browser"],
        programs=[one for one in sign_ins if one.kind != "browser"],
        keys=keys,
        blocks=blocks,
        results=[_result(result) for result in results],
        ratings=[_rating(rating) for rating in ratings],
        seats=seats,
        passkeys=passkeys,
        problem=problem,
        token=token,
        done=done,
        least=PASSWORD_LEAST,
        most=PASSWORD_MOST,
    )


def person(ctx: Ctx, found: Account, results: Sequence[Result], ratings: Sequence[Rating]) -> str:
    """What everybody may know of somebody: ratings and rated games."""
    facts: dict[str, Any] = {"results": [_result(r) for r in results], "ratings": [_rating(r) for r in ratings]}
    return render("person.html", ctx, found=found, **facts)


def everybody(ctx: Ctx, boards: Sequence[tuple[str, Sequence[tuple[str, Rating]]]]) -> str:
    """Leaderboards, by game: names with ratings."""
    told = [
        {"title": _title(game), "house": _house(game), "rows": [(name, _rating(rating)) for name, rating in rows]}
        for game, rows in boards
        if rows
    ]
    return render("people.html", ctx, boards=told, few=FEW)


def administration(ctx: Ctx, table: Table, problem: str | None = None) -> str:
    """What the administrator can do at a table."""
    names = seat_names(table.seats)
    facts: dict[str, Any] = {"table": table, "names": names, "path": f"/t/{table.id}", "problem": problem}
    levels = [{"id": level, "title": level_words(level)[0]} for level in KNOWN]
    facts["decisions"] = _decisions(table, names)
    return render("administration.html", ctx, table.game, levels=levels, usual=STAND_IN, **facts)


def _decisions(table: Table, names: Sequence[str]) -> list[tuple[int, str]]:
    """The last decisions that stand, the newest first: their lines of the log, and what everybody may know of them."""
    lines = {line.number: line for line in table.log(None)}
    told = []
    for number in reversed(table.decision_numbers()[-DECISIONS:]):
        line = lines[number]
        said = [table.game.words.event(event, names, None) for event in line.events]
        who = names[line.seat] if line.seat is not None else "Somebody"
        told.append((number, f"Line {number}: {said[0] if said else f'{who} has decided'}"))
    return told


def _title(game: str) -> str:
    return REGISTRY.get(game).title if game in REGISTRY.ids() else game


def _house(game: str) -> str:
    return str(page_of(REGISTRY.get(game)).HOUSE) if game in REGISTRY.ids() else "oxide"


def _rating(rating: Rating) -> dict[str, object]:
    return {
        "title": _title(rating.game),
        "house": _house(rating.game),
        "value": f"{rating.mu:.1f}",
        "spread": f"{2 * rating.sigma:.1f}",
        "surely": f"{rating.surely:.1f}",
        "games": rating.games,
    }


def _result(result: Result) -> dict[str, object]:
    return {
        "table": result.table_id,
        "title": _title(result.game),
        "house": _house(result.game),
        "place": f"{ORDINALS.get(result.place, f'{result.place}th')} of {result.players}",
        "rated": result.mu is not None,
        "rating": "" if result.mu is None else f"{result.mu:.1f}",
        "at": result.at,
    }
