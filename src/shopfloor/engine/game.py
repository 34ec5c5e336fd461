"""What a game hands to the rest of Shopfloor: its rules, words, judgement and page behind common names."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from shopfloor.engine.actions import ActionSpace
from shopfloor.engine.dice import Dice
from shopfloor.engine.events import Event, EventTable
from shopfloor.engine.options import Option, resolve_options
from shopfloor.engine.refusals import BadSetup, Refusal
from shopfloor.engine.state import State
from shopfloor.engine.text import TextBoard
from shopfloor.engine.views import View


class Edition(Protocol):
    """What is printed on a game's cards and boards. `hash` names the contents."""

    @property
    def hash(self) -> str: ...


class Rules(Protocol):
    """A game's rules.py."""

    def start(self, players: int, dice: Dice, options: Mapping[str, str], edition: Any, report: bool) -> State:
        """A new game; `options` are resolved; `report`: events from the first card on."""
        ...

    def decode(self, text: str, edition: Any) -> State:
        """The state that `State.encode` wrote."""
        ...


class Words(Protocol):
    """A game's words.py: sentences from ids and facts. `seats` are the names to use for the seats."""

    def event(self, event: Event, seats: Sequence[str], viewer: int | None) -> str: ...

    def refusal(self, refusal: Refusal, seats: Sequence[str]) -> str: ...

    def action(self, action: int, state_view: View) -> str:
        """A button's words for an action in the position of this view."""
        ...

    def question(self, view: View, seats: Sequence[str]) -> str:
        """What is asked now, of whom."""
        ...

    def option(self, option: str) -> tuple[str, str]:
        """An option's title and the sentence that explains it."""
        ...

    def option_value(self, option: str, value: str) -> str: ...

    def criterion(self, criterion: str) -> tuple[str, str]:
        """A ranking criterion's heading, and how it breaks a tie in a clause of a sentence."""
        ...

    def criterion_value(self, criterion: str, value: int) -> str: ...


class Text(Protocol):
    """A game's text.py: the table for terminals."""

    def board(self, view: View, seats: Sequence[str]) -> TextBoard: ...


class Judgement(Protocol):
    """A game's judgement.py: what positions and decisions are worth. Called on imagined states only.

    It may say, as `LOOK_AHEAD`, over how many moments of decision a player should think before `value` is asked: a
    game whose turns consist of many small decisions needs more of them than one of few and large ones. And as
    `FORGIVING`, how many times less care its weaker computer players take than elsewhere: where mistakes cost little, a
    few of them hardly show.
    """

    def rate(self, state: Any, seat: int) -> list[float]:
        """How good each of `state.legal(seat)` seems to a sensible player in that seat, in that order; any scale."""
        ...

    def value(self, state: Any) -> list[float]:
        """Each seat's expected share of the victory, in [0, 1]; they add up to 1."""
        ...

    # Optional: measures(state, seat) -> list[tuple[str, float]], what a player counts of a seat in a position; always
    # the same ids in the same order. The game's words name them with `measure(id)`. Advice gives its reasons with them.
    # Optional: plausibility(state, seat) -> float above 0, how well an imagined position explains, to that seat, what
    # the others have openly done; those that explain it better are then thought about more often. Alike for all
    # positions before anybody has decided anything, and no matter what is to come or lies sealed.
    # Optional: by_hand(state, action, after) -> bool, does what came of this decision show how good a hand was, and not
    # how good the decision? When a game is looked at again, such decisions are not weighed; what came of them (after is
    # the position then; None: whatever may come) is told apart from luck.
    # Optional, in features.py beside it: names(players) and features(state), what networks are told (`bots.nets`).
    # Optional: chances(state) -> list[float], as `value`, for the picture of a finished game, where that says too much.


class Viewer(Protocol):
    """A game's view.py: the one door for what a seat (None: a spectator) may know."""

    def view(self, state: Any, seat: int | None) -> View: ...


class Endings(Protocol):
    """A game's endings.py: positions of two in which nothing is hidden but sealed choices, with little to come."""

    def ending(self, seed: int, edition: Any) -> State:
        """The position of a number."""
        ...

    def alike(self, state: Any) -> Hashable:
        """What decides how the game goes on: positions in which this is the same are the same to both players."""
        ...


@dataclass(frozen=True)
class Game:
    """A game in the registry. `load_edition` takes a folder of CSV files, or None for our own edition."""

    id: str
    title: str
    blurb: str
    minutes: int
    rules_version: str
    player_counts: tuple[int, ...]
    options: tuple[Option, ...]
    events: EventTable
    folder: Path
    rules: Rules
    viewer: Viewer
    words: Words
    text: Text
    judgement: Judgement
    load_edition: Any
    make_space: Any
    players_clause: str = ""
    """The clause that says how many can play."""
    world: str = ""
    """The module of the game's world (`engine.world`), where something is done by hand; imported when it is needed."""
    endings: str = ""
    """The module of positions of two cut down until they can be solved; see `Endings`. Imported when it is needed."""
    score: str = ""
    """The criterion of the final standing that says how far somebody got; the first one where it is empty."""

    def edition(self, folder: Path | str | None = None) -> Edition:
        """The edition in a folder, or the one that comes with the game. Raises EditionError."""
        edition: Edition = self.load_edition(Path(folder) if folder is not None else None)
        return edition

    def space(self, edition: Edition) -> ActionSpace:
        """The table of actions with this edition."""
        space: ActionSpace = self.make_space(edition)
        return space

    def pick_words(self, option: str, pick: str) -> str:
        """What one of an option's picks is about, beside its name (`words.pick`, where the game has it)."""
        said = getattr(self.words, "pick", None)
        return str(said(option, pick)) if said is not None else ""

    def start(
        self,
        players: int,
        dice: Dice,
        options: Mapping[str, str] | None = None,
        edition: Edition | None = None,
        report: bool = False,
    ) -> State:
        """A new game; with `report` it reports events from the first card on.

        Raises BadSetup (BAD_PLAYER_COUNT, BAD_OPTION).
        """
        if players not in self.player_counts:
            facts: dict[str, object] = {"players": players, "allowed": list(self.player_counts)}
            raise BadSetup(Refusal("BAD_PLAYER_COUNT", self.players_clause, facts))
        resolved = resolve_options(self.options, options or {}, players)
        return self.rules.start(players, dice, resolved, edition if edition is not None else self.edition(), report)

    def view(self, state: State, seat: int | None) -> View:
        """What `seat` may know of `state`. Raises ValueError if the game has no such seat."""
        if seat is not None and not 0 <= seat < state.players:
            raise ValueError(f"there is no seat {seat} in a game of {state.players}")
        return self.viewer.view(state, seat)
