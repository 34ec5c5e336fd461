"""Judging who sits where, the start, and the table after this one. Each function fills a draft or raises."""

from __future__ import annotations

import secrets
from typing import Any

from shopfloor.engine.game import Game
from shopfloor.tables import checks
from shopfloor.tables.checks import Token
from shopfloor.tables.draft import Draft
from shopfloor.tables.errors import TableError
from shopfloor.tables.model import Table
from shopfloor.tables.rows import Entry, Header


def header(
    game: Game,
    edition: str,
    players: int,
    options: dict[str, str],
    name: str,
    now: float,
    rematch_of: str | None = None,
    clock: str = "none",
) -> Header:
    """A new table's header, with a fresh id and secret seed."""
    seed = secrets.token_bytes(32)
    new_id = checks.new_table_id()
    rules = game.rules_version
    return Header(new_id, game.id, rules, edition, players, options, name, seed, now, "open", rematch_of, clock)


def sit(d: Draft, name: str, token: str, seat: int | None, key: str | None) -> tuple[int, int]:
    """The seat and the number of the entry that gave it. `token` is hashed."""
    stored = None if key is None else f"sit:{key}"
    entry = d.repeated(stored, "sit", key or "", token=token) if stored else None
    if entry is not None and entry.seat is not None:
        return entry.seat, entry.number
    own = d.fold.seat_of(token)
    if own is not None and (d.fold.started or d.fold.rules_gone):
        return own, d.fold.number
    d.open()
    d.member(token)
    called = checks.name(name)
    for info in d.fold.seats:
        if info.kind != "free" and info.seat != own and checks.same_name(info.name, called):
            raise TableError("NAME_TAKEN", name=info.name, seat=info.seat)
    wanted = own if own is not None and seat in (None, own) else d.free_seat(seat)
    if wanted == own and d.fold.seats[own].name == called:
        return own, d.fold.number
    return wanted, d.add("sit", key=stored, seat=wanted, name=called, token=token).number


def stand_up(d: Draft, token: Token | None) -> Table:
    seat = d.seat_of(token)
    d.open()
    d.add("stand_up", seat=seat)
    return d.table()


def add_bot(d: Draft, token: Token | None, level: str, seat: int | None, key: str | None) -> Table:
    d.manager(token)
    stored = None if key is None or token is None else f"bot:{checks.token_hash(token)[:12]}:{key}"
    if stored and d.repeated(stored, "bot", key or "", level=level):
        return d.table()
    d.open()
    wanted = d.free_seat(seat)
    name = checks.computer_name(info.name for info in d.fold.seats)
    d.add("bot", key=stored, seat=wanted, name=name, level=level)
    return d.table()


def remove_bot(d: Draft, token: Token | None, seat: int) -> Table:
    d.manager(token)
    d.open()
    info = d.fold.seats[d.existing(seat)]
    if info.kind == "person":
        raise TableError("SEAT_TAKEN", seat=seat, number=seat + 1, name=info.name)
    if info.kind == "computer":
        d.add("remove_bot", seat=seat)
    return d.table()


def start(d: Draft, token: Token | None) -> Table:
    d.manager(token)
    d.usable()
    if d.fold.started:
        return d.table()
    free = [info.seat for info in d.fold.seats if info.kind == "free"]
    if free:
        raise TableError("SEATS_FREE", count=len(free), seats=free)
    d.not_ended()
    d.add("start")
    return d.table()


def rematch(d: Draft, token: Token | None) -> str:
    """The follower's id."""
    d.manager(token)
    if d.fold.rematch is not None:
        return d.fold.rematch
    d.usable()
    if not d.fold.over:
        raise TableError("STILL_RUNNING")
    old = d.fold.header
    new = header(d.fold.game, old.edition, old.players, old.options, old.name, d.now, old.id, old.clock)
    d.add("rematch", follower=new.id)
    entries = [Entry(1, d.now, "create", token=d.fold.creator)]

    def add(kind: str, **fields: Any) -> None:
        entries.append(Entry(len(entries) + 1, d.now, kind, **fields))

    if not d.fold.hints:
        add("no_hints")
    if d.fold.rated:
        add("rated")
    for info in d.fold.seats:
        if info.kind == "person":
            add("sit", seat=info.seat, name=info.name, token=d.fold.tokens[info.seat])
        else:
            add("bot", seat=info.seat, name=info.name, level=info.level)
    d.following = (new, entries)
    return new.id
