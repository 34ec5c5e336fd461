"""Judging what happens during a game. Each function fills a draft or raises."""

from __future__ import annotations

from shopfloor.engine.refusals import Refusal
from shopfloor.engine.world import Batch, world_of
from shopfloor.tables import agreements, seating
from shopfloor.tables.checks import Token
from shopfloor.tables.draft import Draft
from shopfloor.tables.errors import TableError, undo_refused
from shopfloor.tables.model import Answer, Table

# Keys are a seat's own: no player can use up another's.


def act(d: Draft, token: Token | None, action: int, based_on: int, key: str) -> Answer:
    seat = d.seat_of(token)
    stored = f"{seat}:{key}"
    before = d.repeated(stored, "play", key, action=action)
    if before is not None:
        return Answer(before.number, True, d.table())
    d.going_on()
    _fresh(d, seat, based_on)
    _return(d, seat)
    entry = d.add("play", key=stored, seat=seat, action=action, outcome=_measured(d, seat, action))
    return Answer(entry.number, False, d.table())


def act_for_bot(d: Draft, seat: int, action: int, based_on: int) -> Answer:
    d.existing(seat)
    stored = f"computer:{seat}:{based_on}"
    before = d.fold.keys.get(stored)
    if before is not None:
        return Answer(before.number, True, d.table())
    d.going_on()
    if d.fold.seats[seat].played_by is None or based_on != d.fold.arose[seat]:
        raise _stale(d, seat, based_on)
    outcome = _measured(d, seat, action)
    entry = d.add("play", key=stored, seat=seat, action=action, computer=True, outcome=outcome)
    return Answer(entry.number, False, d.table())


def carry_out(d: Draft, seat: int, batch: Batch, based_on: int, key: str, computer: bool) -> Answer:
    """Decisions that a hand has carried out, all of them or none."""
    d.existing(seat)
    stored = hand_key(seat, key)
    before = d.fold.keys.get(stored)
    if before is not None:
        return Answer(before.number, True, d.table())
    d.going_on()
    if computer and d.fold.seats[seat].played_by is None:
        raise _stale(d, seat, based_on)
    if based_on != d.fold.arose[seat] or not batch.decisions:
        raise _stale(d, seat, based_on)
    if not computer:
        _return(d, seat)
    for i, (action, outcome) in enumerate(batch.decisions, 1):
        last = i == len(batch.decisions)
        kept = stored if last else None
        entry = d.add("play", key=kept, seat=seat, action=action, computer=computer, outcome=outcome)
    if batch.motion:
        d.motions.append((entry.number, batch.motion))
    return Answer(entry.number, False, d.table())


def hand_key(seat: int, key: str) -> str:
    """A key of what hands have done, which nobody else's can be."""
    return f"hand:{seat}:{key}"


def _measured(d: Draft, seat: int, action: int) -> str | None:
    """What the game's world measures of an ordinary decision; None where it has no say. Raises BY_HAND."""
    world, state = world_of(d.fold.game), d.fold.state
    if world is None or state is None or state.refusal(seat, action) is not None:
        return None
    if world.by_hand(state, action):
        raise TableError("BY_HAND")
    return world.measured(state, action)


def _fresh(d: Draft, seat: int, based_on: int) -> None:
    if not d.fold.arose[seat] <= based_on <= d.fold.number:
        raise _stale(d, seat, based_on)


def _stale(d: Draft, seat: int, based_on: int) -> TableError:
    since = d.fold.lines_for(seat, based_on)
    return TableError("STALE", number=d.fold.number, based_on=based_on, since=since)


def _return(d: Draft, seat: int) -> None:
    """Who decides is back."""
    if d.fold.seats[seat].away:
        d.add("back", seat=seat)


def undo(d: Draft, token: Token | None, number: int, key: str) -> Answer:
    seat = d.seat_of(token)
    stored = f"{seat}:{key}"
    before = d.repeated(stored, "undo", key, target=number)
    if before is not None:
        return Answer(before.number, True, d.table())
    d.going_on()
    last = d.fold.last_decision(seat)
    if d.fold.undone(number):
        raise undo_refused(Refusal("UNDO_ALREADY", "", {"number": number}))
    if last is not None and number != last:
        raise undo_refused(Refusal("UNDO_NOT_LAST", "", {"number": number, "last": last}))
    refusal = d.fold.undo_refusal(seat)
    if refusal is not None:
        raise undo_refused(refusal)
    _return(d, seat)
    entry = d.add("undo", key=stored, seat=seat, target=number)
    return Answer(entry.number, False, d.table())


def leave(d: Draft, token: Token | None, level: str) -> Table:
    seat = d.seat_of(token)
    d.usable()
    if not d.fold.started:
        return seating.stand_up(d, token)
    if not d.fold.over and d.fold.seats[seat].stand_in != level:
        d.leave_to_computer(seat, level)
        agreements.settle(d)
    return d.table()


def back(d: Draft, token: Token | None) -> Table:
    seat = d.seat_of(token)
    d.started()
    _return(d, seat)
    return d.table()
