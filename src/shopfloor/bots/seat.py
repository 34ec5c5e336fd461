"""What a computer player gets: a seat at the table, never the table itself."""

from __future__ import annotations

from shopfloor.engine.dice import Dice, FastDice
from shopfloor.engine.game import Edition, Game
from shopfloor.engine.state import State
from shopfloor.engine.views import View


class Seat:
    """All that a bot may know of a game under way.

    The true position is replaced at once by one imagined from what this seat knows, and only that is kept: there
    is nothing behind a Seat that could be looked up.

    game: what is played. seat: whose place this is. players: how many seats the game began with.
    """

    __slots__ = ("_imagined", "game", "players", "seat")

    def __init__(self, game: Game, state: State, seat: int, dice: Dice) -> None:
        """`dice` draw the imagined position; they must not be the table's own. Raises ValueError for no such seat."""
        if not 0 <= seat < state.players:
            raise ValueError(f"there is no seat {seat} in a game of {state.players}")
        self.game: Game = game
        self.seat: int = seat
        self.players: int = state.players
        # The imagined position goes on with dice of its own, so that it draws nothing from those of its maker.
        self._imagined: State = state.imagine(seat, FastDice(dice.below(2**31)))

    def legal(self) -> tuple[int, ...]:
        """The action ids that this seat may choose now, ascending; empty if it has nothing to decide."""
        return self._imagined.legal(self.seat)

    def view(self) -> View:
        """What the game shows to this seat."""
        return self.game.view(self._imagined, self.seat)

    def name(self, action: int) -> str:
        """The name of an action id, e.g. for a log."""
        return self._imagined.space.name(action)

    def imagine(self, dice: Dice) -> State:
        """A full position drawn at random from those that this seat cannot tell from the real one; yours to keep."""
        return self._imagined.imagine(self.seat, dice)

    def rate(self) -> list[float]:
        """How good each of `legal()` seems by the game's own judgement in one imagined position; any scale."""
        return self.game.judgement.rate(self._imagined, self.seat)

    def encode(self) -> str:
        """Text from which `decode_seat` rebuilds this seat in another process."""
        return f"{self.seat}\n{self._imagined.encode()}"


def decode_seat(game: Game, text: str, edition: Edition | None = None) -> Seat:
    """The seat that `Seat.encode` wrote; `edition` where it is not the one that comes with the game.

    Raises ValueError if the text is not of that form.
    """
    number, _, state = text.partition("\n")
    rebuilt = game.rules.decode(state, edition if edition is not None else game.edition())
    seat = int(number)
    # Imagining once more is as good a draw as the first, and keeps the one way in.
    return Seat(game, rebuilt, seat, rebuilt.dice)
