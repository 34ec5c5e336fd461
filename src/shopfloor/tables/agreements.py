"""What people at a table agree on: to take back what is no longer free, and to pause. And seats that change hands.

A request lapses with the next decision; one who declines ends it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from shopfloor.engine.refusals import Refusal
from shopfloor.tables import checks
from shopfloor.tables.checks import Token
from shopfloor.tables.errors import TableError, undo_refused
from shopfloor.tables.model import Answer, Request, Table

if TYPE_CHECKING:
    from shopfloor.tables.draft import Draft
    from shopfloor.tables.fold import Fold
    from shopfloor.tables.rows import Entry

# Why a decision is no longer free, but may still be taken back if the others agree.
NEGOTIABLE: Final = ("UNDO_REVEALED", "UNDO_OTHERS_ACTED")
LAPSES: Final = ("play", "undo", "rewind", "pause", "decline")


def happen(fold: Fold, entry: Entry) -> bool:
    """Let an entry of these kinds happen to a position. Was it one?"""
    seat = entry.seat if entry.seat is not None else -1
    match entry.kind:
        case "ask":
            fold.request = Request(entry.number, entry.level or "", seat, entry.target, frozenset())
        case "agree":
            if fold.request is not None:
                fold.request = replace(fold.request, agreed=fold.request.agreed | {seat})
        case "decline":
            pass
        case "pause":
            fold.paused = True
        case "resume":
            fold.paused = False
        case "offer":
            fold.seats[seat] = replace(fold.seats[seat], offered=True)
        case "take":
            fold.seats[seat] = replace(
                fold.seats[seat], kind="person", name=entry.name or "", away=False, stand_in=None, offered=False
            )
            fold.tokens[seat] = entry.token
            fold.starters[seat] = None
        case "no_hints":
            fold.hints = False
        case "rated":
            fold.rated = True
        case "archive":
            fold.archived = True
        case "revive":
            fold.archived = False
        case _:
            return False
    return True


def awaited(fold: Fold) -> tuple[int, ...]:
    """The seats whose agreement a request still needs: people who are here. Computers agree to everything."""
    request = fold.request
    if request is None:
        return ()
    return tuple(
        info.seat
        for info in fold.seats
        if info.kind == "person" and not info.away and info.seat != request.seat and info.seat not in request.agreed
    )


def ask_undo(d: Draft, token: Token | None, number: int, key: str) -> Answer:
    seat = d.seat_of(token)
    stored = f"{seat}:{key}"
    before = d.repeated(stored, "ask", key, target=number)
    if before is not None:
        return Answer(before.number, True, d.table())
    d.going_on()
    refusal = d.fold.undo_refusal(seat)
    if number != d.fold.last_decision(seat):
        raise undo_refused(Refusal("UNDO_NOT_LAST", "", {"number": number, "last": d.fold.last_decision(seat)}))
    if refusal is not None and refusal.code not in NEGOTIABLE:
        raise undo_refused(refusal)
    return _ask(d, seat, "undo", stored, number)


def ask_pause(d: Draft, token: Token | None, key: str) -> Answer:
    seat = d.seat_of(token)
    stored = f"{seat}:{key}"
    before = d.repeated(stored, "ask", key, level="pause")
    if before is not None:
        return Answer(before.number, True, d.table())
    d.going_on()
    return _ask(d, seat, "pause", stored, None)


def _ask(d: Draft, seat: int, kind: str, key: str, target: int | None) -> Answer:
    request = d.fold.request
    if request is not None and (request.kind, request.seat, request.target) == (kind, seat, target):
        return Answer(request.number, True, d.table())
    if request is not None:
        raise TableError("REQUEST_PENDING", name=d.fold.seats[request.seat].name, number=request.number)
    if d.fold.seats[seat].away:
        d.add("back", seat=seat)
    entry = d.add("ask", key=key, seat=seat, level=kind, target=target)
    settle(d)
    return Answer(entry.number, False, d.table())


def answer(d: Draft, token: Token | None, number: int, agree: bool) -> Table:
    seat = d.seat_of(token)
    request = d.fold.request
    if request is None or request.number != number:
        raise TableError("NO_REQUEST", number=number)
    if seat == request.seat:
        if not agree:
            d.add("decline", seat=seat, target=number)  # thought better of it
        return d.table()
    if agree and seat in request.agreed:
        return d.table()
    d.going_on()
    d.add("agree" if agree else "decline", seat=seat, target=number)
    settle(d)
    return d.table()


def settle(d: Draft) -> None:
    """Do what is asked for, if everybody has agreed who has to."""
    request = d.fold.request
    if request is None or awaited(d.fold):
        return
    if request.kind == "undo":
        d.add("rewind", seat=request.seat, target=request.target)
    else:
        d.add("pause", seat=request.seat)


def resume(d: Draft, token: Token | None) -> Table:
    seat = d.seat_of(token)
    d.started()
    if d.fold.paused:
        d.add("resume", seat=seat)
    return d.table()


def offer(d: Draft, token: Token | None, seat: int) -> Table:
    """Let somebody else take a seat: one's own, or one whose owner is away."""
    d.started()
    d.manager(token)
    info = d.fold.seats[d.existing(seat)]
    own = token is not None and d.fold.seat_of(checks.token_hash(token)) == seat
    if d.fold.over or info.kind != "person" or not (own or info.away):
        raise TableError("NOT_TO_OFFER", name=info.name or f"Seat {seat + 1}")
    if not info.offered:
        if not info.away:
            d.leave_to_computer(seat)
        d.add("offer", seat=seat)
        settle(d)
    return d.table()


def take(d: Draft, name: str, token: str, seat: int) -> tuple[int, int]:
    """Sit down in an offered seat. The seat, and the number of the entry. `token` is hashed."""
    d.started()
    d.not_ended()
    info = d.fold.seats[d.existing(seat)]
    own = d.fold.seat_of(token)
    if own == seat and not info.offered:
        return seat, d.fold.number
    if own is not None:
        raise TableError("SEATED_ALREADY", number=own + 1)
    if not info.offered or d.fold.over:
        raise TableError("SEAT_TAKEN", seat=seat, number=seat + 1, name=info.name)
    d.member(token)
    called = checks.name(name)
    for other in d.fold.seats:
        if other.seat != seat and checks.same_name(other.name, called):
            raise TableError("NAME_TAKEN", name=other.name, seat=other.seat)
    return seat, d.add("take", seat=seat, name=called, token=token).number


def archive(d: Draft, quiet_since: float) -> Table:
    """Put a table away at which nothing has happened since a time."""
    if not d.fold.archived and not d.fold.over and d.fold.changed_at <= quiet_since:
        d.add("archive")
    return d.table()


def revive(d: Draft, token: Token | None) -> Table:
    d.manager(token)
    if d.fold.ended:
        raise TableError("ENDED")
    if d.fold.archived:
        hashed = checks.token_hash(token or "")
        d.add("revive", seat=d.fold.seat_of(hashed))
    return d.table()


def time_up(d: Draft) -> Table:
    """Computers stand in for those whose time is up."""
    level = d.fold.clocks.clock.stand_in
    if level is not None and d.fold.started and not d.fold.archived:
        for seat in d.fold.clocks.overdue(d.now):
            d.add("away", seat=seat, level=level, computer=True)
        settle(d)
    return d.table()
