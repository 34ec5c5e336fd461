"""Table options: what the people at a table may agree on before a game."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

from shopfloor.engine.refusals import BadSetup, Refusal

JOIN: Final = "+"
"""Stands between the picks of a value that people chose for themselves."""


@dataclass(frozen=True)
class Option:
    """One option. `values` are all that it can take; `default` is one of them; `clause` rules on it.

    A value in `seat_values` names a seat ("0", "1", ...) and is allowed only if the game has that seat.
    picks: where people may also choose for themselves, what there is to choose from. Such a value is the chosen ones
    with `+` between them, e.g. "DP14+DP16"; the rules of the game check it when it starts, since they know the
    edition. wanted: how many picks a game with so many players and these options (all of them) takes.
    closed: pairs of a number of players and a pick that cannot be made with so many.
    counts: the numbers of players with which it matters at all; empty: with any.
    """

    id: str
    values: tuple[str, ...]
    default: str
    clause: str
    seat_values: tuple[str, ...] = ()
    picks: tuple[str, ...] = ()
    wanted: Callable[[int, Mapping[str, str]], int] | None = None
    closed: tuple[tuple[int, str], ...] = ()
    counts: tuple[int, ...] = ()

    def matters(self, players: int) -> bool:
        """Does it make a difference with so many players?"""
        return not self.counts or players in self.counts


@dataclass(frozen=True)
class PickCount:
    """How many picks an option takes. given: the values of the other options that it depends on."""

    players: int
    given: tuple[tuple[str, str], ...]
    count: int


def pick_counts(option: Option, options: Sequence[Option], player_counts: Sequence[int]) -> list[PickCount]:
    """How many picks an option takes, for every number of players and all values of the options that matter to it."""
    wanted = option.wanted
    if wanted is None:
        return []
    usual = {other.id: other.default for other in options}
    matter = [
        other
        for other in options
        if other is not option
        and any(
            wanted(n, usual | {other.id: value}) != wanted(n, usual) for n in player_counts for value in other.values
        )
    ]
    found = []
    for players in player_counts:
        for values in product(*(other.values for other in matter)):
            given = tuple(zip((other.id for other in matter), values, strict=True))
            found.append(PickCount(players, given, wanted(players, usual | dict(given))))
    return found


_PICKED = re.compile(r"[A-Za-z0-9_-]{1,40}(?:\+[A-Za-z0-9_-]{1,40}){1,31}", re.ASCII)


def picked(option: Option, value: str) -> bool:
    """Is this a choice of people's own, right or wrong? A single pick is one, too."""
    return bool(option.picks) and (value in option.picks or bool(_PICKED.fullmatch(value)))


def resolve_options(options: tuple[Option, ...], given: Mapping[str, str], players: int) -> dict[str, str]:
    """Every option with its value, in the table's order. Raises BadSetup (BAD_OPTION) naming the first wrong one."""
    known = {option.id for option in options}
    for name in given:
        if name not in known:
            raise BadSetup(Refusal("BAD_OPTION", "", {"option": str(name)[:80], "known": sorted(known)}))
    resolved: dict[str, str] = {}
    for option in options:
        value = str(given.get(option.id, option.default))
        allowed = list(_allowed(option, players))
        if value not in allowed and not picked(option, value):
            facts: dict[str, object] = {"option": option.id, "value": value[:80], "allowed": allowed}
            if option.picks:
                facts["picks"] = list(option.picks)
            raise BadSetup(Refusal("BAD_OPTION", option.clause, facts))
        resolved[option.id] = value
    return resolved


def _allowed(option: Option, players: int) -> Iterator[str]:
    return (v for v in option.values if v not in option.seat_values or int(v) < players)
