"""The contract that every game's position keeps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from shopfloor.engine.actions import ActionSpace
from shopfloor.engine.dice import Dice
from shopfloor.engine.events import Event
from shopfloor.engine.native import mypyc_attr, remade
from shopfloor.engine.refusals import IllegalAction, Refusal


@dataclass(frozen=True)
class Rank:
    """A seat's final place (1 is best; shared places are equal) and its value for each criterion."""

    seat: int
    place: int
    values: tuple[int, ...]

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return remade(self)


@dataclass(frozen=True)
class Standing:
    """The final order, best first. `criteria` names what was compared, in order; the first difference decides."""

    criteria: tuple[str, ...]
    ranks: tuple[Rank, ...]

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return remade(self)

    def winners(self) -> tuple[int, ...]:
        """The seats on the first place."""
        return tuple(rank.seat for rank in self.ranks if rank.place == 1)

    def decided_by(self, i: int) -> str:
        """The criterion that put `ranks[i]` before `ranks[i + 1]`; empty if they share the place."""
        for name, a, b in zip(self.criteria, self.ranks[i].values, self.ranks[i + 1].values, strict=True):
            if a != b:
                return name
        return ""


@mypyc_attr(allow_interpreted_subclasses=True)
class State:
    """A complete position of a game, hidden things included. Programs that play get a `Seat`, never this.

    game: the id of the game in the registry.
    players: how many seats the game began with; seats are 0 to `players` - 1, clockwise.
    space: the game's actions. dice: where chance comes from.
    revelations: counts the moments at which someone learned what was hidden (a card turned over, sealed choices
      opened). A decision after which it has not grown can be taken back without anybody having gained from it.
    events: what `play` reports, or None while reporting is off (`listen` turns it on).
    """

    __slots__ = ("dice", "events", "players", "revelations", "space")

    game: ClassVar[str] = ""

    def __init__(self, players: int, space: ActionSpace, dice: Dice) -> None:
        self.players: int = players
        self.space: ActionSpace = space
        self.dice: Dice = dice
        self.revelations: int = 0
        self.events: list[Event] | None = None

    # -- deciding ---------------------------------------------------------------------------------------------

    def deciders(self) -> tuple[int, ...]:
        """The seats that must decide now, ascending. Several: their choices are sealed. None: the game is over."""
        raise NotImplementedError

    def legal(self, seat: int) -> tuple[int, ...]:
        """The action ids that this seat may choose now, ascending; empty if it has nothing to decide."""
        raise NotImplementedError

    def refusal(self, seat: int, action: int) -> Refusal | None:
        """None if `play(seat, action)` would be accepted, else the first reason why not."""
        raise NotImplementedError

    def play(self, seat: int, action: int) -> None:
        """Apply a decision and all that follows from it without another. Raises IllegalAction; then nothing changed."""
        raise NotImplementedError

    def play_outcome(self, seat: int, action: int, outcome: str) -> None:
        """Apply a decision that the world had a say in, with what came of it as the game writes it.

        Only games in which something is done with the hands have such decisions. Raises IllegalAction; then nothing
        changed.
        """
        raise IllegalAction(Refusal("MALFORMED", "", {"action": action}))

    def over(self) -> bool:
        """Is the game over?"""
        raise NotImplementedError

    def standing(self) -> Standing:
        """The final order. Raises ValueError while the game is under way."""
        raise NotImplementedError

    def returns(self) -> list[float]:
        """Each seat's share of the victory once over (they add up to 1); zeros while the game is under way."""
        raise NotImplementedError

    # -- copies -----------------------------------------------------------------------------------------------

    def clone(self) -> State:
        """An independent copy, dice included, that reports no events."""
        raise NotImplementedError

    def imagine(self, seat: int, dice: Dice) -> State:
        """A full state drawn at random from those that `seat` cannot tell from this one, going on with `dice`.

        For the game's `view`: view(state.imagine(seat, dice), seat) == view(state, seat), always.
        """
        raise NotImplementedError

    def reopen(self) -> None:
        """Take back all sealed choices that are not yet open, so that their seats decide again.

        For searches, which would rather choose for the others than guess what they have chosen.
        """

    def encode(self) -> str:
        """Text from which the game's `decode` rebuilds this state, dice included: for other processes."""
        raise NotImplementedError

    # -- reporting --------------------------------------------------------------------------------------------

    def listen(self) -> None:
        """Report events from now on."""
        if self.events is None:
            self.events = []

    def drain(self) -> list[Event]:
        """The events reported since the last call, oldest first."""
        events = self.events
        if not events:
            return []
        self.events = []
        return events
