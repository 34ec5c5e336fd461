"""Table options: what the people at a table may agree on before a game."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from shopfloor.engine.refusals import BadSetup, Refusal


@dataclass(frozen=True)
class Option:
    """One option. `values` are all that it can take; `default` is one of them; `clause` rules on it.

    A value in `seat_values` names a seat ("0", "1", ...) and is allowed only if the game has that seat.
    picks: where people may also choose for themselves, what there is to choose from. Such a value is the chosen ones
    with `+` between them, e.g. "DP14+DP16"; the rules of the game check it when it starts, since they know the
    edition and how many are wanted.
    """

    id: str
    values: tuple[str, ...]
    default: str
    clause: str
    seat_values: tuple[str, ...] = ()
    picks: tuple[str, ...] = ()


_PICKED = re.compile(r"[A-Za-z0-9_-]{1,40}(?:\+[A-Za-z0-9_-]{1,40}){1,31}", re.ASCII)


def resolve_options(options: tuple[Option, ...], given: Mapping[str, str], players: int) -> dict[str, str]:
    """Every option with its value, in the table's order. Raises BadSetup (BAD_OPTION) naming the first wrong one."""
    known = {option.id for option in options}
    for name in given:
        if name not in known:
            raise BadSetup(Refusal("BAD_OPTION", "", {"option": str(name)[:80], "known": sorted(known)}))
    resolved: dict[str, str] = {}
    for option in options:
        value = str(given.get(option.id, option.default))
        allowed = [v for v in option.values if v not in option.seat_values or int(v) < players]
        if value not in allowed and not (option.picks and _PICKED.fullmatch(value)):
            facts: dict[str, object] = {"option": option.id, "value": value[:80], "allowed": allowed}
            raise BadSetup(Refusal("BAD_OPTION", option.clause, facts))
        resolved[option.id] = value
    return resolved
