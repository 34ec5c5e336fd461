"""Positions of Workshop of the World for tests, put down as one would put down pieces.

Players are A, B, C, D and E, clockwise. `FX` is the fixture map of the specification's test vectors (section 4), `OWN`
the edition that comes with Shopfloor.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import pytest

from shopfloor.engine.dice import Dice, FastDice
from shopfloor.engine.events import Event
from shopfloor.engine.refusals import IllegalAction
from shopfloor.games.workshop_of_the_world import GAME, cards, rules
from shopfloor.games.workshop_of_the_world.cards import GENERAL, SETUP, TYPES, WILD, Box
from shopfloor.games.workshop_of_the_world.rules import Workshop
from shopfloor.games.workshop_of_the_world.rules import position as at
from shopfloor.games.workshop_of_the_world.view import WorkshopView, view

A, B, C, D, E = range(5)
TEXTILE, LIGHT, HEAVY, PORT, CRAFTS = range(5)
A0, A1, B0, B1 = range(4)
"""The coloured sets of two players: 0a, 0b, 1a, 1b."""

OWN: Final = cards.load()

_TOWNS: Final = (
    ("Reading", "crafts"),
    ("Oxford", "crafts"),
    ("Southampton", "port"),
    ("Gloucester", "crafts"),
    ("Bristol", "port"),
    ("Portsmouth", "port"),
    ("Guildford", "crafts"),
    ("Leeds", "textile"),
    ("Manchester", "textile"),
    ("Lancaster", "textile"),
    ("Liverpool", "port"),
    ("Ashby", "textile"),
    ("Borrow", "light"),
    ("Corby", "heavy"),
)
_CONNECTIONS: Final = (
    ("Reading", "Oxford", 1),
    ("Reading", "Southampton", 1),
    ("Reading", "Gloucester", 2),
    ("Portsmouth", "Guildford", 1),
    ("Oxford", "Ashby", 1),
    ("Ashby", "Borrow", 1),
    ("Borrow", "Corby", 1),
    ("Ashby", "Corby", 2),
    ("Leeds", "Liverpool", 1),
    ("Manchester", "Lancaster", 1),
    ("Leeds", "Manchester", 1),
    ("Liverpool", "Manchester", 1),
    ("Gloucester", "Bristol", 1),
)


def fixture_map(**changes: object) -> Box:
    """The fixture map; two cards for most towns and two wild ones of each value make 39."""
    names = [name for name, _ in _TOWNS]
    kinds = [GENERAL] * 14 + [WILD] * 6 + [SETUP] * 6 + [GENERAL] * 13
    towns = [*range(14), *[-1] * 6, *range(6), *range(13)]
    values = [cards.VALUES[TYPES.index(kind)] for _, kind in _TOWNS]
    fields: dict[str, object] = {
        "hash": "fixture",
        "town_ids": tuple(f"t{i + 1}" for i in range(14)),
        "town_names": tuple(names),
        "town_types": tuple(TYPES.index(kind) for _, kind in _TOWNS),
        "town_x": tuple(float(i) for i in range(14)),
        "town_y": (0.0,) * 14,
        "town_labels": ("E",) * 14,
        "connection_ids": tuple(f"c{i + 1}" for i in range(13)),
        "ends_a": tuple(names.index(a) for a, _, _ in _CONNECTIONS),
        "ends_b": tuple(names.index(b) for _, b, _ in _CONNECTIONS),
        "capacity": tuple(links for _, _, links in _CONNECTIONS),
        "crosses": tuple({8: 9, 9: 8}.get(c, -1) for c in range(13)),
        "via": ((),) * 13,
        "card_ids": tuple(f"k{i + 1:02d}" for i in range(39)),
        "card_kinds": tuple(kinds),
        "card_towns": tuple(towns),
        "card_values": tuple(values[t] if t >= 0 else 2 + (i - 14) // 2 for i, t in enumerate(towns)),
    }
    return cards.fixture(**(fields | changes))


FX: Final = fixture_map()


class Loaded(Dice):
    """Dice that give the wanted results, and ask for no others."""

    __slots__ = ("results",)

    def __init__(self, *results: int) -> None:
        self.results = list(results)

    def below(self, n: int) -> int:
        result = self.results.pop(0)
        assert 0 <= result < n
        return result

    def clone(self) -> Loaded:
        return Loaded(*self.results)

    def encode(self) -> str:
        return f"loaded:{self.results}"


def options(**changes: str) -> dict[str, str]:
    """All options with their defaults; `changes` on top."""
    return {option.id: option.default for option in GAME.options} | changes


def new_game(players: int = 4, seed: int = 1, *, edition: Box = FX, **changes: str) -> Workshop:
    """A game at its first decision, which reports its events from the start on."""
    return rules.start(players, FastDice(seed), options(**changes), edition, report=True)


def card_of(box: Box, name: str) -> int:
    """A card by its town, or as "wild 3"."""
    if name.startswith("wild"):
        return next(k for k, v in enumerate(box.card_values) if box.card_kinds[k] == WILD and v == int(name[-1]))
    return box.card_towns.index(box.town_names.index(name))


def town_of(s: Workshop, name: str) -> int:
    return s.box.town_names.index(name)


def connection_of(s: Workshop, name: str) -> int:
    return s.box.connection_ids.index(name)


DEFAULT_FACES: Final = ("Reading", "Oxford", "Southampton", "Ashby", "Borrow", "Manchester", "Liverpool")


def table(
    players: int = 4,
    *,
    order: Sequence[int] = (),
    faces: Sequence[str] = (),
    cash: int | Sequence[int] = 50,
    revenue: int | Sequence[int] = 0,
    era: int = at.CANAL,
    demand: Sequence[int] = (0, 0, 0, 0, 0),
    edition: Box = FX,
    **changes: str,
) -> Workshop:
    """The start of a round: three to five players about to auction, two about to hold out their fists.

    faces: the Town cards face up, by town; those not given are the first of some defaults. Every player holds one
    Demand counter.
    """
    s = new_game(players, 1, edition=edition, **changes)
    s.counters = [0] * (5 * players)
    s.demand = list(demand)
    s.pool = [total - n for total, n in zip(edition.demand, demand, strict=True)]
    for seat in range(players):
        s.counters[5 * seat + seat] += 1
        s.pool[seat] -= 1
    s.queue = []
    s.sealed = [at.NONE] * players
    s.order = list(order) if order else list(range(players)) if players > 2 else []
    number = 4 if players == 2 else players
    others = [name for name in DEFAULT_FACES if name not in faces and name in edition.town_names]
    names = [*faces, *others][:number]
    s.face_up = [card_of(edition, name) for name in names]
    s.unseen = [card for card in range(len(edition.card_ids)) if card not in s.face_up]
    s.setup_left = []
    s.era = era
    s.round_no = 1
    s.deck_size = len(edition.card_ids) - s.aside_size - number
    money(s, cash, revenue)
    if players == 2:
        s._begin_fists()
    else:
        s._next_auction()
    s.drain()
    return s


def money(s: Workshop, cash: int | Sequence[int], revenue: int | Sequence[int] = 0) -> None:
    s.cash = [cash] * s.players if isinstance(cash, int) else list(cash)
    s.revenue = [revenue] * s.players if isinstance(revenue, int) else list(revenue)


def stand(s: Workshop, town: str, *colours: int) -> None:
    """Put Industries into a town."""
    for colour in colours:
        t = town_of(s, town)
        s.industries[t * s.sets + colour] += 1
        s.load[t] += 1
        s.supply_industry[colour] -= 1


def lay(s: Workshop, colour: int, *connections: str) -> None:
    """Put Links on connections."""
    for name in connections:
        c = connection_of(s, name)
        assert s.owner[c] == at.FREE
        s.owner[c] = colour
        s.supply_link[colour] -= s.capacity[c]


def turn(s: Workshop, colour: int, card: str) -> None:
    """A set has just received a card, and its turn begins; the card is among the face-up ones if it can be."""
    same = [k for k in range(len(s.box.card_ids)) if s.box.card_places(k) == s.box.card_places(card_of(s.box, card))]
    k = next((k for k in s.face_up if k in same), next((k for k in s.unseen if k in same), at.NONE))
    if k not in s.face_up:
        s.unseen.remove(k)
        s.unseen.append(s.face_up.pop())
        s.face_up.append(k)
    s._take(colour, k, 0)
    if s.players > 2:
        s.next_order.append(colour)
    elif colour not in s.order:
        s.order += [colour, 2 * (1 - s.owner_of(colour))]
    s.begin_turn(colour, k)
    s.drain()


def placed(s: Workshop, colour: int, town: str) -> None:
    """It is this set's turn, and it has just placed an Industry in the town."""
    turn(s, colour, town)
    play(s, s.owner_of(colour), f"place {town}")


def play(s: Workshop, seat: int, *actions: str) -> list[Event]:
    """Play actions by name; the events that they brought."""
    for action in actions:
        s.play(seat, s.space.parse(action))
    return s.drain()


def refused(s: Workshop, seat: int, action: str | int, code: str, clause: str = "") -> dict[str, object]:
    """The action is refused with this code (and clause), and leaves no trace; the facts."""
    number = s.space.parse(action) if isinstance(action, str) else action
    before, events = s.encode(), list(s.events or [])
    assert number not in s.legal(seat)
    refusal = s.refusal(seat, number)
    assert refusal is not None
    with pytest.raises(IllegalAction) as caught:
        s.play(seat, number)
    assert caught.value.refusal == refusal
    assert refusal.code == code
    assert not clause or refusal.clause == clause
    assert (s.encode(), list(s.events or [])) == (before, events)
    return refusal.facts


def unparsed(s: Workshop, action: str, code: str) -> None:
    """There is no such action, and this is why."""
    with pytest.raises(IllegalAction) as caught:
        s.space.parse(action)
    assert caught.value.refusal.code == code


def legal(s: Workshop, seat: int, *, raising: bool = False) -> list[str]:
    """The legal actions by name, without those that raise cash."""
    names = [s.space.name(action) for action in s.legal(seat)]
    return [name for name in names if raising or not name.startswith("raise")]


def can(s: Workshop, seat: int, action: str) -> bool:
    """Is an action among the legal ones (and then also not refused)?"""
    number = s.space.parse(action)
    allowed = number in s.legal(seat)
    assert allowed == (s.refusal(seat, number) is None)
    return allowed


def builds(s: Workshop, seat: int) -> set[str]:
    """What may be built now, by connection, and whether the turn may end."""
    found = set()
    for action in s.legal(seat):
        if action >= s.double_base:
            found.add(f"both {s.box.connection_ids[action - s.double_base]}")
        elif action >= s.build_base:
            found.add(s.box.connection_ids[action - s.build_base])
        elif s.space.name(action) == "end turn":
            found.add("end")
    return found


def phase(s: Workshop) -> str:
    return at.PHASE_NAMES[s.phase]


def seen(s: Workshop, seat: int | None) -> WorkshopView:
    return view(s, seat)


def in_town(s: Workshop, town: str) -> list[int]:
    """The sets standing in a town, each as often as it does."""
    t = town_of(s, town)
    return [colour for colour in range(s.sets) for _ in range(s.industries[t * s.sets + colour])]


def kinds(events: Iterable[Event]) -> list[str]:
    return [event.kind for event in events]


def one(events: Iterable[Event], kind: str) -> Event:
    """The only event of this kind."""
    found = [event for event in events if event.kind == kind]
    assert len(found) == 1, f"{len(found)} events {kind}"
    return found[0]


def check_conservation(s: Workshop) -> None:
    """What cannot be otherwise in any position, whatever was played (WW-I.1 to WW-I.6)."""
    box = s.box
    held = [s.held] if s.held >= 0 else []
    waiting = [s.lot] if s.lot >= 0 else []
    assert all(card in s.face_up for card in waiting)
    everywhere = s.unseen + s.setup_left + s.face_up + held + s.discard
    assert sorted(everywhere) == list(range(len(box.card_ids)))
    assert len(s.unseen) + len(s.setup_left) == s.deck_size + s.aside_size
    assert min(s.deck_size, s.aside_size) >= 0
    if s.phase in (at.DEMAND_2, at.DEMAND_4, at.GAME_OVER):
        assert (s.deck_size, s.face_up, s.held) == (0, [], at.NONE)
    for t in range(5):
        assert s.pool[t] + sum(s.counters[t::5]) + s.demand[t] == box.demand[t]
    assert min(s.pool + s.counters + s.demand) >= 0
    for colour in range(s.sets):
        markers = 2 if colour % s.mate == 0 else 1
        assert s.supply_industry[colour] + sum(s.industries[colour :: s.sets]) + markers == box.industries
        laid = sum(box.capacity[c] for c, owner in enumerate(s.owner) if owner == colour)
        assert s.supply_link[colour] + laid == box.links
    assert min(s.supply_industry + s.supply_link + s.industries) >= 0
    for t, value in enumerate(box.town_values):
        assert s.load[t] == sum(s.industries[t * s.sets : (t + 1) * s.sets]) <= value
    assert all(at.FREE <= owner < s.sets for owner in s.owner)
    assert min(s.revenue) >= 0
    assert s.debt or min(s.cash) >= 0
