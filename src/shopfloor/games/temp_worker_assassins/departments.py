"""Which Departments lie on the table (TA-3.4 to TA-3.6, and the modes of section 9)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from shopfloor.engine.dice import Dice
from shopfloor.engine.options import JOIN
from shopfloor.engine.refusals import BadSetup, Refusal
from shopfloor.games.temp_worker_assassins.cards import HARD, RECYCLING, Cards

RECOMMENDED: Final = "recommended"
RANDOM: Final = "random"
PICKABLE: Final = ("first_game", "four_player", "other")


@lru_cache(maxsize=64)
def fixed(cards: Cards, players: int, hard: bool, no_trashing: bool) -> tuple[int, ...]:
    """The Departments in play by the rules: the starting ones, as Hard Mode has them, and the Helpdesk."""
    names = cards.department_names
    groups = cards.department_groups
    found = []
    for i, name in enumerate(names):
        if groups[i] == "starting" and not (no_trashing and name == RECYCLING):  # TA-9.1, TA-A23
            hard_name = name + HARD
            found.append(names.index(hard_name) if hard and hard_name in names else i)  # TA-9.3
    return tuple(found + ([groups.index("four_player")] if players == 4 else []))


def open_places(players: int, no_trashing: bool) -> int:
    """How many other Departments are to be picked; the one instead of the Recycling Area is among them."""
    return (4 if players == 4 else 5) + (1 if no_trashing else 0)


def pickable(cards: Cards, players: int) -> list[int]:
    """The Departments that may be picked, in the order of the edition (TA-A23)."""
    groups = cards.department_groups
    return [i for i, group in enumerate(groups) if group in PICKABLE and not (players == 4 and group == "four_player")]


def two_spaced(cards: Cards, picks: Sequence[int]) -> bool:
    """Is there a Department with two spaces or more among the picks (TA-9.4, TA-A21)?"""
    return any(len(cards.spaces_of(pick)) >= 2 for pick in picks)


@lru_cache(maxsize=64)
def recommended(cards: Cards, players: int, no_trashing: bool) -> tuple[int, ...]:
    """The picks for a first game, and after them the next ones in the order of the edition."""
    groups = cards.department_groups
    candidates = pickable(cards, players)
    first = [i for i in candidates if groups[i] == "first_game"] + [i for i in candidates if groups[i] == "four_player"]
    others = [i for i in candidates if groups[i] == "other"]
    return tuple((first + others)[: open_places(players, no_trashing)])


def choose(cards: Cards, players: int, wanted: str, hard: bool, no_trashing: bool, dice: Dice) -> list[int]:
    """The Departments in play, in their order on the table.

    wanted: `recommended`, `random`, or the ids of the picks with `+` between them.
    Raises BadSetup (BAD_DEPARTMENTS).
    """
    places = open_places(players, no_trashing)
    needs_two = hard and players == 4
    if wanted == RECOMMENDED:
        picks = list(recommended(cards, players, no_trashing))
    elif wanted == RANDOM:
        candidates = pickable(cards, players)
        picks = _drawn(candidates, places, dice)
        while needs_two and not two_spaced(cards, picks) and two_spaced(cards, candidates):
            picks = _drawn(candidates, places, dice)
    else:
        picks = _named(cards, wanted, pickable(cards, players), places)
    if needs_two and not two_spaced(cards, picks):
        raise _bad("two_spaces", "TA-9.4", {})
    return [*fixed(cards, players, hard, no_trashing), *picks]


def _drawn(candidates: list[int], count: int, dice: Dice) -> list[int]:
    pool = candidates[:]
    picks = []
    for _ in range(count):
        picks.append(pool.pop(dice.below(len(pool))))
    return sorted(picks)


def _named(cards: Cards, wanted: str, candidates: list[int], places: int) -> list[int]:
    names = cards.department_names
    picks: list[int] = []
    for part in wanted.split(JOIN):
        if part not in cards.department_ids:
            known = [cards.department_ids[i] for i in candidates]
            raise _bad("unknown", "TA-3.5", {"id": part[:40], "known": known})
        pick = cards.department_ids.index(part)
        if pick in picks:
            raise _bad("twice", "TA-3.5", {"id": part, "name": names[pick]})
        if pick not in candidates:
            raise _bad("not_open", "TA-A23", {"id": part, "name": names[pick]})
        picks.append(pick)
    if len(picks) != places:
        raise _bad("count", "TA-3.5", {"picked": len(picks), "places": places})
    return picks


def _bad(why: str, clause: str, facts: dict[str, object]) -> BadSetup:
    return BadSetup(Refusal("BAD_DEPARTMENTS", clause, {"why": why} | facts))
