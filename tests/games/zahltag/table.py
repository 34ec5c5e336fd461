"""Positions of Zahltag for tests, put down as one would put down cards: `table("F2 W3", "C1", ...)`.

Players are A, B, C and D, clockwise, as in the specification's test vectors; the first three Jobs of the edition used
here are its fixtures J1 to J3.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import pytest

from shopfloor.engine.dice import Dice, FastDice
from shopfloor.engine.events import Event
from shopfloor.engine.refusals import IllegalAction
from shopfloor.games.zahltag import GAME, cards, rules
from shopfloor.games.zahltag.rules import Zahltag
from shopfloor.games.zahltag.view import ZahltagView, view

A, B, C, D = range(4)
FOREMAN, WORKER, CRANE, EXCAVATOR = range(4)
LETTERS: Final = "FWCE"

J1, J2, J3 = range(3)
FIXTURE_NEEDS: Final = (1, 1, 0, 0, 0, 2, 0, 1, 0, 0, 0, 2)
"""J1 = F1 W1; J2 = W2 E1; J3 = E2."""

OWN: Final = cards.load()
CARDS: Final = cards.fixture(
    job_ids=("J1", "J2", "J3", *OWN.job_ids[3:]),
    job_names=("Job One", "Job Two", "Job Three", *OWN.job_names[3:]),
    needs=FIXTURE_NEEDS + OWN.needs[12:],
)
PAYDAY: Final = -1
"""For `turn_up`: the next card is a Payday."""


class Loaded(Dice):
    """Dice that give the wanted results, and ask for no others."""

    __slots__ = ("results",)

    def __init__(self, results: Iterable[int]) -> None:
        self.results = list(results)

    def below(self, n: int) -> int:
        result = self.results.pop(0)
        assert 0 <= result < n
        return result

    def clone(self) -> Loaded:
        return Loaded(self.results)

    def encode(self) -> str:
        return f"loaded:{self.results}"


def counts(text: str) -> list[int]:
    """Worker cards by type, from the short form: "F2 W3" is [2, 3, 0, 0]."""
    found = [0] * 4
    for part in text.split():
        found[LETTERS.index(part[0])] += int(part[1:])
    return found


def options(**changes: str) -> dict[str, str]:
    """All options with their defaults, but A begins; `changes` on top."""
    return {option.id: option.default for option in GAME.options} | {"first_player": "0"} | changes


def new_game(players: int = 3, seed: int = 1, *, edition: cards.Cards = CARDS, **changes: str) -> Zahltag:
    """A game at its first decision, which reports its events from the first card on."""
    return rules.start(players, FastDice(seed), options(**changes), edition, report=True)


def table(
    *hands: str,
    turn_of: int = A,
    left: Sequence[str] = (),
    right: Sequence[str] = (),
    money: int | Sequence[int] = 20,
    row: int | Sequence[int] = (),
    deck: Sequence[int] | None = None,
    executed: int = 0,
    after_payday: bool = False,
    out: Sequence[int] = (),
    edition: cards.Cards = CARDS,
    **changes: str,
) -> Zahltag:
    """A position in step 2 of a turn, one hand a player.

    left, right: cards on the table, player by player. money: the same for all, or one by one.
    row: the Jobs turned over since the last Payday (a number: so many, none of the fixtures).
    deck: the Jobs in the stack (None: all that do not lie in the row); executed: Paydays so far; the other Paydays are
    in the stack. out: players eliminated earlier.
    """
    players = len(hands)
    s = new_game(players, 1, edition=edition, **changes)
    s.drain()
    for seat in range(players):
        put_down(s, seat, hands[seat], left[seat] if seat < len(left) else "", right[seat] if seat < len(right) else "")
        s.operations[seat] = 0
        s.known[4 * seat : 4 * seat + 4] = [0] * 4
    s.money = [money] * players if isinstance(money, int) else list(money)
    for seat in out:
        assert s.workers[seat] == 0
        s.active &= ~(1 << seat)
        s.money[seat] = 0
    s.bank_delta = sum(s.money) - 20 * players
    s.job_row = list(range(31, 31 - row, -1)) if isinstance(row, int) else list(row)
    s.job_deck = [job for job in range(32) if job not in s.job_row] if deck is None else list(deck)
    s.paydays_executed = executed
    s.deck_paydays = cards.PAYDAYS - executed
    s.after_payday = after_payday
    s.turn = 1
    s.phase = rules.ADJUST_WORKERS
    s.current_player = turn_of
    s.pending = 1 << turn_of
    check_conservation(s)
    return s


def put_down(s: Zahltag, seat: int, hand: str, left: str = "", right: str = "") -> None:
    """Give a player these cards, and the stacks what is left over."""
    here = slice(4 * seat, 4 * seat + 4)
    s.hand[here], s.left[here], s.right[here] = counts(hand), counts(left), counts(right)
    s.workers[seat] = sum(s.hand[here] + s.left[here] + s.right[here])
    refill_stacks(s)


def refill_stacks(s: Zahltag) -> None:
    for t in range(4):
        s.stacks[t] = cards.SUPPLY[t] - sum(s.hand[t::4]) - sum(s.left[t::4]) - sum(s.right[t::4])


def turn_up(s: Zahltag, *what: int) -> None:
    """Load the dice so that the next reveals bring these cards: Jobs, or PAYDAY."""
    deck = s.job_deck[:]
    results = []
    for card in what:
        results.append(len(deck) if card == PAYDAY else deck.index(card))
        if card != PAYDAY:  # as the rules take a card out of the stack: the last one fills the gap
            deck[results[-1]] = deck[-1]
            deck.pop()
    s.dice = Loaded(results)


def on_offer(job: int, *hands: str, **position: object) -> Zahltag:
    """A position with a Job just turned over by `turn_of` (default A), who passed in step 2."""
    s = table(*hands, **position)  # type: ignore[arg-type]
    turn_up(s, job)
    play(s, s.current_player, "pass")
    s.dice = FastDice(1)
    s.drain()
    return s


def to_turn_of(s: Zahltag, seat: int) -> None:
    """Begin a player's turn: step 1 is done, step 2 waits."""
    s._begin_turn(seat)


def play(s: Zahltag, seat: int, *actions: str) -> list[Event]:
    """Play actions by name; the events that they brought."""
    for action in actions:
        s.play(seat, s.space.parse(action))
    return s.drain()


def bids(s: Zahltag, *names: str) -> list[Event]:
    """Everybody's card for the Job on offer, active player by active player: a value, or "00"."""
    deciders = s.deciders()
    assert s.phase == rules.BIDDING
    assert len(deciders) == len(names)
    for seat, name in zip(deciders, names, strict=True):
        s.play(seat, s.space.parse(name if name == "00" else f"bid {name}"))
    return s.drain()


def refused(s: Zahltag, seat: int, action: str | int, code: str, clause: str = "", /, **facts: object) -> None:
    """The action is refused with this code, clause and facts, and leaves no trace."""
    number = s.space.parse(action) if isinstance(action, str) else action
    before, events, money = s.encode(), list(s.events or []), s.revelations
    assert number not in s.legal(seat)
    refusal = s.refusal(seat, number)
    assert refusal is not None
    with pytest.raises(IllegalAction) as caught:
        s.play(seat, number)
    assert caught.value.refusal == refusal
    assert (refusal.code, refusal.clause) == (code, clause)
    assert refusal.facts == facts
    assert (s.encode(), list(s.events or []), s.revelations) == (before, events, money)


def accepted(s: Zahltag, seat: int, action: str) -> bool:
    """Is an action among the legal ones (and then also not refused)?"""
    number = s.space.parse(action)
    legal = number in s.legal(seat)
    assert legal == (s.refusal(seat, number) is None)
    return legal


def legal(s: Zahltag, seat: int) -> list[str]:
    """The legal actions by name."""
    return [s.space.name(action) for action in s.legal(seat)]


def seen(s: Zahltag, seat: int | None) -> ZahltagView:
    return view(s, seat)


def short(pile: Sequence[int], seat: int) -> str:
    """A player's part of a pile in the short form: "F2 W3"."""
    return " ".join(f"{LETTERS[t]}{pile[4 * seat + t]}" for t in range(4) if pile[4 * seat + t])


def hand(s: Zahltag, seat: int) -> str:
    return short(s.hand, seat)


def left(s: Zahltag, seat: int) -> str:
    return short(s.left, seat)


def right(s: Zahltag, seat: int) -> str:
    return short(s.right, seat)


def kinds(events: Iterable[Event]) -> list[str]:
    return [event.kind for event in events]


def one(events: Iterable[Event], kind: str) -> Event:
    """The only event of this kind."""
    found = [event for event in events if event.kind == kind]
    assert len(found) == 1, f"{len(found)} events {kind}"
    return found[0]


def check_conservation(s: Zahltag) -> None:
    """What cannot be otherwise in any position, whatever was played (ZT-I1 to ZT-I5)."""
    for t in range(4):
        piles = [sum(pile[t::4]) for pile in (s.hand, s.left, s.right)]
        assert sum(piles) + s.stacks[t] == (14, 16, 10, 12)[t]
    assert min(s.hand + s.left + s.right + s.stacks) >= 0
    for seat in range(s.players):
        here = slice(4 * seat, 4 * seat + 4)
        total = sum(s.hand[here]) + sum(s.left[here]) + sum(s.right[here])
        assert total == s.workers[seat]
        assert total <= (13 if s.phase == rules.EXCESS and s.pending >> seat & 1 else 12)
        assert s.money[seat] >= 0
        assert all(0 <= k <= h for k, h in zip(s.known[here], s.hand[here], strict=True))
        if not s.active >> seat & 1:
            assert (total, s.money[seat]) == (0, 0)
    assert sum(s.money) == 20 * s.players + s.bank_delta
    assert s.paydays_executed <= 5
    assert s.deck_paydays == 6 - s.paydays_executed
    assert len(s.job_row) <= (9 if s.players > 2 else 8)
    assert sorted(set(s.job_deck + s.job_row)) == sorted(s.job_deck + s.job_row)
    if s.job >= 0:
        assert s.job_row[-1] == s.job
