"""Short names for the tests of Men at Work: positions arranged by hand, outcomes written down as contacts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from shopfloor.engine.dice import FastDice
from shopfloor.engine.refusals import IllegalAction, Refusal
from shopfloor.games.men_at_work import GAME, cards
from shopfloor.games.men_at_work import actions as a
from shopfloor.games.men_at_work.cards import GIRDER_HOW, WORKER_HOW
from shopfloor.games.men_at_work.judge import lacking
from shopfloor.games.men_at_work.outcome import Accident, Contact, Outcome
from shopfloor.games.men_at_work.pieces import (
    BEAM,
    BRICK,
    GIRDER,
    HAT,
    KIND,
    OF_COLOUR,
    OF_KIND,
    PIECES,
    SUPPORT,
    WORKER,
)
from shopfloor.games.men_at_work.position import CHOOSE, DEAD, SITE, SUPPLY
from shopfloor.games.men_at_work.rules import MenAtWork
from shopfloor.games.men_at_work.view import MenAtWorkView, view

OWN = cards.load()
LETTERS = {"K": 0, "O": 1, "P": 2, "W": 3}
A, B, C, D = 0, 1, 2, 3
MM = 1000
LENGTH = 180 * MM
MIDDLE = (85 * MM, 95 * MM)


def g(letter: str, n: int = 1) -> int:
    """The n-th girder of a colour."""
    return OF_COLOUR[LETTERS[letter]][n - 1]


def s(n: int) -> int:
    return OF_KIND[SUPPORT][n - 1]


def w(n: int) -> int:
    return OF_KIND[WORKER][n - 1]


def hat(n: int) -> int:
    return OF_KIND[HAT][n - 1]


def beam(n: int) -> int:
    return OF_KIND[BEAM][n - 1]


def brick(n: int) -> int:
    return OF_KIND[BRICK][n - 1]


def touch(
    x: int,
    y: int,
    up: int = 0,
    parts: tuple[int, int] = (0, 0),
    span_x: tuple[int, int] = MIDDLE,
    span_y: tuple[int, int] = MIDDLE,
) -> Contact:
    """x touches y, which carries so many thousandths of it."""
    sx = span_x if KIND[x] == GIRDER else (0, 0)
    sy = span_y if y >= 0 and KIND[y] == GIRDER else (0, 0)
    return Contact(x, y, parts[0], parts[1], up, 0, sx, sy)


def rest(x: int, y: int, part: int = 0, **spans) -> Contact:
    """y carries x, on this part of a worker."""
    return touch(x, y, 500, (0, part), **spans)


def standing(worker: int, girder: int, span: tuple[int, int] = MIDDLE) -> list[Contact]:
    """Both feet on a girder."""
    return [touch(worker, girder, 500, (leg, 0), span_y=span) for leg in (0, 1)]


def site(
    contacts: Iterable[Contact] = (),
    pieces: Iterable[int] = (),
    tops: dict[int, float] | None = None,
    worn: Iterable[tuple[int, int]] = (),
    covers: Iterable[tuple[int, int, int]] = (),
    settled: bool = True,
    accident: tuple[str, int, int] | None = None,
    fell: Iterable[int] = (),
    touched: Iterable[int] = (),
) -> Outcome:
    """A measurement with these contacts; all pieces that they name are there, and `pieces`. Heights in millimetres."""
    contacts = tuple(contacts)
    there = {p for c in contacts for p in (c.a, c.b) if p >= 0} | set(pieces)
    heights = {p: round(MM * (tops or {}).get(p, 50.0)) for p in there}
    return Outcome(
        poses=tuple((p, 0, 0, max(0, heights[p] - 5 * MM), 10_000_000, 0, 0, 0) for p in sorted(there)),
        tops=tuple(sorted(heights.items())),
        contacts=contacts,
        worn=tuple(worn),
        covers=tuple(covers),
        settled=settled,
        accident=Accident(*accident) if accident else None,
        fell=tuple(sorted(fell)),
        touched=tuple(touched),
    )


def also(
    outcome: Outcome, contacts: Iterable[Contact] = (), tops: dict[int, float] | None = None, **changes
) -> Outcome:
    """A measurement with more contacts, and the pieces that they name."""
    contacts = tuple(contacts)
    there = {p for c in contacts for p in (c.a, c.b) if p >= 0} | set(tops or {})
    new = site(pieces=there - set(outcome.pieces()), tops=tops)
    heights = dict(outcome.tops) | dict(new.tops) | {p: round(MM * v) for p, v in (tops or {}).items()}
    return replace(
        outcome,
        poses=tuple(sorted((*outcome.poses, *new.poses))),
        tops=tuple(sorted(heights.items())),
        contacts=(*outcome.contacts, *contacts),
        **changes,
    )


def new_game(players: int = 3, seed: int = 1, report: bool = False, **options: Any) -> MenAtWork:
    state = GAME.start(players, FastDice(seed), options, report=report)
    assert isinstance(state, MenAtWork)
    return state


def begun(players: int = 3, seed: int = 1, plan: int = 0, **options: Any) -> MenAtWork:
    """A game whose starting site stands."""
    state = new_game(players, seed, **options)
    state.play(state.hook, plan)
    return state


def card_with(what: str | None = None, how: str | None = None, other_than: Sequence[int] = ()) -> int:
    """A card with this deck side (`G K/O`, `W K/O`), or with this instruction on its discard side."""
    for card in range(cards.CARDS):
        if card in other_than:
            continue
        if what is not None:
            colours = {LETTERS[letter] for letter in what[2:].split("/")}
            if OWN.whats[card] != (what[0] == "W") or set(OWN.colours[card]) != colours:
                continue
        if how in GIRDER_HOW and OWN.girder_how[card] != GIRDER_HOW.index(how):
            continue
        if how in WORKER_HOW and OWN.worker_how[card] != WORKER_HOW.index(how):
            continue
        return card
    raise AssertionError(f"no card with {what} and {how}")


def arrange(
    what: str,
    how: str,
    outcome: Outcome | None = None,
    players: int = 3,
    hands: dict[int, list[int]] | None = None,
    supply: dict[int, int] | None = None,
    **options: Any,
) -> MenAtWork:
    """A's turn with this What and this How, the site as measured. supply: pieces by kind that are left in it."""
    state = begun(players, **options)
    for owner, hand in (hands or {}).items():
        state.hands[owner] = hand
    taken = [card for hand in state.hands for card in hand]
    how_card = card_with(how=how, other_than=taken)
    what_card = card_with(what, other_than=[*taken, how_card])
    used = [*taken, how_card, what_card]
    state.discard, state.stack, state.stack_owner = [how_card], [what_card], [-1]
    state.rest = [card for card in range(cards.CARDS) if card not in used]
    state.rita_above = -1
    if outcome is not None:
        put(state, outcome)
    for kind, left in (supply or {}).items():
        spare = [p for p in OF_KIND[kind] if state.place[p] == SUPPLY]
        for p in spare[left:]:
            state.place[p] = DEAD  # neither in the supply nor on the site
    state.phase = CHOOSE
    return state


def put(state: MenAtWork, outcome: Outcome) -> None:
    """The site becomes what was measured."""
    state.measure = state.base = outcome
    there = set(outcome.pieces())
    state.place = [SITE if p in there else SUPPLY for p in range(PIECES)]
    state.before = sorted(there)


def play(state: MenAtWork, seat: int, text: str, outcome: Outcome | None = None) -> None:
    state.play(seat, state.space.parse(text), outcome)


def refused(state: MenAtWork, seat: int, text: str, outcome: Outcome | None = None) -> Refusal:
    """The refusal of an action; the state is as it was."""
    before = state.encode()
    try:
        state.play(seat, state.space.parse(text), outcome)
    except IllegalAction as error:
        assert state.encode() == before
        return error.refusal
    raise AssertionError(f"{text} was accepted")


def code(state: MenAtWork, seat: int, text: str, outcome: Outcome | None = None) -> str:
    return refused(state, seat, text, outcome).code


def legal(state: MenAtWork) -> list[str]:
    return [state.space.name(action) for action in state.legal(state.hook)]


def build(state: MenAtWork, *contacts: Contact, **changes) -> None:
    """The hook's holder takes the pieces of the present step one after the other; after the last the contacts are."""
    seat = state.hook
    mains = [unit[0] for step, unit in state.units if step == state.step and unit[0] not in state.placed]
    for k, main in enumerate(mains):
        state.play(seat, a.GRIP + main)
        held = list(state.held)
        last = k == len(mains) - 1
        worn = [(p, q) for p in held for q in held if KIND[p] == HAT and KIND[q] == WORKER]
        base = also(state.measure, tops={p: 60.0 for p in held if p not in state.measure.pieces()})
        base = replace(base, worn=tuple(sorted({*base.worn, *worn})))
        state.play(seat, a.RELEASE, also(base, contacts if last else (), **changes))


def verdict(state: MenAtWork) -> tuple[str, ...]:
    """The reasons of the judge against the site as it is now."""
    return lacking(state.verdict())


def seen(state: MenAtWork, seat: int | None) -> MenAtWorkView:
    return view(state, seat)


def kinds(state: MenAtWork) -> list[str]:
    """The kinds of events since the last look."""
    return [event.kind for event in state.drain()]
