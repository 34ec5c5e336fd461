"""Who holds a seat: its secret made anew, kept by an account, or forgotten with one.

A seat belongs to a secret (whoever has it plays) or to an account. Both are one text in the log: the secret's SHA-256,
or the account's id after an `@`. What an account leaves behind when it is deleted has a text of neither kind.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from shopfloor.tables import agreements, checks
from shopfloor.tables.checks import Token
from shopfloor.tables.errors import TableError

if TYPE_CHECKING:
    from shopfloor.tables.draft import Draft
    from shopfloor.tables.fold import Fold
    from shopfloor.tables.rows import Entry

NAMELESS: Final = "Former player"


def happen(fold: Fold, entry: Entry) -> bool:
    """Let an entry of these kinds happen. Was it one?"""
    match entry.kind:
        case "rekey":
            old = fold.creator if entry.seat is None else fold.tokens[entry.seat]
            if entry.seat is not None:
                fold.tokens[entry.seat] = entry.token
            if fold.creator == old:
                fold.creator = entry.token
        case "forget":
            pass  # what there was to forget is gone from the log itself
        case _:
            return False
    return True


def renew(d: Draft, token: Token | None, fresh: str) -> None:
    """One's seat gets another secret; the one before is void. `fresh` is hashed."""
    _hand_over(d, "" if token is None else checks.token_hash(token), fresh)


def keep(d: Draft, hashes: Iterable[str], account: str) -> int:
    """An account takes over what these secrets hold here. How many seats?

    Where the account sits already, nothing changes: one person is in one seat.
    """
    if d.fold.seat_of(account) is not None:
        return 0
    held = [each for each in hashes if d.fold.seat_of(each) is not None or each == d.fold.creator]
    held.sort(key=lambda each: d.fold.seat_of(each) is None)
    if not held:
        return 0
    _hand_over(d, held[0], account)
    return int(d.fold.seat_of(account) is not None)


def _hand_over(d: Draft, old: str, new: str) -> None:
    seat = d.fold.seat_of(old)
    if seat is None and old != d.fold.creator:
        raise TableError("NOT_SEATED")
    d.add("rekey", seat=seat, token=new)


# -- forgetting ------------------------------------------------------------------------------------------------


def ghost(account: str) -> str:
    """What stands in the place of a deleted account: the same everywhere, and leading back to nobody."""
    return "!" + hashlib.sha256(f"forgotten {account}".encode()).hexdigest()[:40]


@dataclass(eq=False)
class _Hold:
    """One person's time in a seat. names, said: the numbers of the entries that tell a name, or what was said."""

    seat: int
    tokens: set[str | None]
    names: list[int] = field(default_factory=list)
    said: list[int] = field(default_factory=list)


def _holds(entries: Iterable[Entry]) -> list[_Hold]:
    all_of_them: list[_Hold] = []
    now: dict[int, _Hold] = {}
    for entry in entries:
        seat = -1 if entry.seat is None else entry.seat
        if entry.kind in ("sit", "take"):
            moved = next((at for at, hold in now.items() if entry.token in hold.tokens), None)
            hold = now.pop(moved) if moved is not None and entry.kind == "sit" else _Hold(seat, {entry.token})
            if hold not in all_of_them:
                all_of_them.append(hold)
            now[seat] = hold
            hold.names.append(entry.number)
        elif entry.kind in ("stand_up", "replace", "free"):
            now.pop(seat, None)
        elif entry.kind == "rekey" and seat in now:
            now[seat].tokens.add(entry.token)
        elif entry.kind == "say" and seat in now:
            now[seat].said.append(entry.number)
    return all_of_them


def forget(d: Draft, entries: Iterable[Entry], account: str) -> None:
    """Nothing at this table tells any more who an account was: no name, nothing said. A computer plays on.

    entries: the table's whole log.
    """
    seat = d.fold.seat_of(account)
    if seat is not None and not d.fold.rules_gone:
        if not d.fold.started:
            d.add("stand_up", seat=seat)
        elif not d.fold.over and not d.fold.ended:
            if not d.fold.seats[seat].away:
                d.leave_to_computer(seat)
            if not d.fold.seats[seat].offered:
                d.add("offer", seat=seat)
            agreements.settle(d)
    d.add("forget", seat=seat)
    taken = [info.name for info in d.fold.seats if info.seat != seat]
    name = next(n for n in (NAMELESS, *(f"{NAMELESS} {i}" for i in range(2, 99))) if n not in taken)
    d.edits = edits(entries, account, name)


def edits(entries: Iterable[Entry], account: str, name: str = NAMELESS) -> list[tuple[int, dict[str, Any]]]:
    """What the entries of a log are to hold instead, by number, so that they tell nothing of an account."""
    entries = list(entries)
    changed: dict[int, dict[str, Any]] = {}
    for hold in _holds(entries):
        if account in hold.tokens:
            for number in hold.names:
                changed.setdefault(number, {})["name"] = name
            for number in hold.said:
                changed.setdefault(number, {})["outcome"] = None
    for entry in entries:
        if entry.token == account:
            changed.setdefault(entry.number, {})["token"] = ghost(account)
    return sorted(changed.items())
