"""The rules of Tea Break, clause by clause (RULES.md)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import ClassVar, Final

from examples.tea_break.actions import SPACE
from examples.tea_break.cards import CARDS, PLATES, Plates
from shopfloor.engine.dice import Dice, decode_dice
from shopfloor.engine.events import Event
from shopfloor.engine.refusals import IllegalAction, Refusal
from shopfloor.engine.state import Rank, Standing, State

NOTHING: Final = -1


class TeaBreak(State):
    """A complete position.

    left: plates not yet drawn, in no order, since nobody knows it. plate: the last one drawn. table: biscuits on the
    table. hands: a bit a card, by seat. sealed: the action that a seat has face down, or NOTHING. biscuits: by seat.
    rounds: begun so far.
    """

    __slots__ = ("biscuits", "edition", "hands", "left", "plate", "rounds", "sealed", "stay", "table")

    game: ClassVar[str] = "tea_break"

    def __init__(self, players: int, dice: Dice, edition: Plates, stay: bool) -> None:
        State.__init__(self, players, SPACE, dice)
        self.edition: Plates = edition
        self.stay: bool = stay
        self.left: list[int] = list(range(PLATES))
        self.plate: int = NOTHING
        self.table: int = 0
        self.hands: list[int] = [(1 << CARDS) - 1] * players
        self.sealed: list[int] = [NOTHING] * players
        self.biscuits: list[int] = [0] * players
        self.rounds: int = 0

    # -- deciding ---------------------------------------------------------------------------------------------

    def over(self) -> bool:
        return self.rounds == PLATES and not self.hands[0]  # TB-5

    def deciders(self) -> tuple[int, ...]:
        if self.over():
            return ()
        return tuple(seat for seat in range(self.players) if self.sealed[seat] == NOTHING)

    def legal(self, seat: int) -> tuple[int, ...]:
        if not 0 <= seat < self.players or self.over() or self.sealed[seat] != NOTHING:
            return ()
        return tuple(action for action in range(CARDS) if self.hands[seat] >> action & 1)

    def refusal(self, seat: int, action: int) -> Refusal | None:
        if not 0 <= action < CARDS:
            return Refusal("MALFORMED", "", {"action": action, "size": CARDS})
        if self.over():
            return Refusal("GAME_OVER", "TB-5")
        if not 0 <= seat < self.players:
            return Refusal("NOT_YOUR_TURN", "TB-3")
        if self.sealed[seat] != NOTHING:
            return Refusal("ALREADY_HIDDEN", "TB-3")
        if not self.hands[seat] >> action & 1:
            return Refusal("CARD_IS_OUT", "TB-3", {"card": action + 1})
        return None

    def play(self, seat: int, action: int) -> None:
        refusal = self.refusal(seat, action)
        if refusal is not None:
            raise IllegalAction(refusal)
        self.sealed[seat] = action
        self._report("hidden", "TB-3", {"seat": seat, "card": action + 1}, (seat,))
        if NOTHING not in self.sealed:
            self._show()

    def _show(self) -> None:
        """All have chosen: the cards are shown, the highest that is alone takes the biscuits."""
        self.revelations += 1
        shown = self.sealed
        self.sealed = [NOTHING] * self.players
        for seat, action in enumerate(shown):
            self.hands[seat] &= ~(1 << action)
        alone = [action for action in shown if shown.count(action) == 1]
        self._report("shown", "TB-3", {"cards": [action + 1 for action in shown]})
        if alone:  # TB-4
            winner = shown.index(max(alone))
            self.biscuits[winner] += self.table
            self._report("taken", "TB-4", {"seat": winner, "card": max(alone) + 1, "biscuits": self.table})
            self.table = 0
        else:
            stay = self.stay and self.rounds < PLATES
            self._report("left", "TB-A1", {"biscuits": self.table, "stay": stay})
            if not stay:
                self.table = 0
        if self.over():
            best = max(self.biscuits)
            winners = [seat for seat in range(self.players) if self.biscuits[seat] == best]
            self._report("over", "TB-5", {"winners": winners, "biscuits": best})
        else:
            self.turn_over()

    def turn_over(self) -> None:
        """A round begins (TB-2)."""
        self.plate = self.left.pop(self.dice.below(len(self.left)))
        self.table += self.edition.biscuits[self.plate]
        self.rounds += 1
        self.revelations += 1
        biscuits = self.edition.biscuits[self.plate]
        self._report("plate", "TB-2", {"plate": self.plate, "biscuits": biscuits, "table": self.table})

    # -- the end ----------------------------------------------------------------------------------------------

    def standing(self) -> Standing:
        if not self.over():
            raise ValueError("the game is under way")
        ranks = [
            Rank(seat, 1 + sum(other > mine for other in self.biscuits), (mine,))
            for seat, mine in enumerate(self.biscuits)
        ]
        return Standing(("biscuits",), tuple(sorted(ranks, key=lambda rank: (rank.place, rank.seat))))

    def returns(self) -> list[float]:
        if not self.over():
            return [0.0] * self.players
        best = max(self.biscuits)
        winners = self.biscuits.count(best)
        return [1.0 / winners if mine == best else 0.0 for mine in self.biscuits]

    # -- copies -----------------------------------------------------------------------------------------------

    def clone(self) -> TeaBreak:
        copy = TeaBreak(self.players, self.dice.clone(), self.edition, self.stay)
        copy.revelations = self.revelations
        copy.left = self.left[:]
        copy.plate = self.plate
        copy.table = self.table
        copy.hands = self.hands[:]
        copy.sealed = self.sealed[:]
        copy.biscuits = self.biscuits[:]
        copy.rounds = self.rounds
        return copy

    def imagine(self, seat: int, dice: Dice) -> TeaBreak:
        imagined = self.clone()
        imagined.dice = dice
        for other, action in enumerate(self.sealed):
            if other != seat and action != NOTHING:  # any card of theirs may lie there
                hand = [card for card in range(CARDS) if self.hands[other] >> card & 1]
                imagined.sealed[other] = hand[dice.below(len(hand))]
        return imagined

    def reopen(self) -> None:
        self.sealed = [NOTHING] * self.players

    def encode(self) -> str:
        parts = [self.players, self.dice.encode(), self.stay, self.revelations, self.left, self.plate, self.table]
        return json.dumps([*parts, self.hands, self.sealed, self.biscuits, self.rounds], separators=(",", ":"))

    def __reduce__(self) -> tuple[object, tuple[str, Plates]]:
        return decode, (self.encode(), self.edition)

    def _report(self, kind: str, clause: str, facts: dict[str, object], to: tuple[int, ...] | None = None) -> None:
        if self.events is not None:
            self.events.append(Event(kind, clause, facts, to))


def start(players: int, dice: Dice, options: Mapping[str, str], edition: Plates, report: bool = False) -> TeaBreak:
    """A new game, up to the first choice."""
    state = TeaBreak(players, dice, edition, options["leftovers"] == "stay")
    if report:
        state.listen()
    state.turn_over()
    return state


def decode(text: str, edition: Plates) -> TeaBreak:
    """The state that `TeaBreak.encode` wrote."""
    players, dice, stay, revelations, left, plate, table, hands, sealed, biscuits, rounds = json.loads(text)
    state = TeaBreak(players, decode_dice(dice), edition, stay)
    state.revelations = revelations
    state.left, state.plate, state.table = left, plate, table
    state.hands, state.sealed, state.biscuits, state.rounds = hands, sealed, biscuits, rounds
    return state
