"""A game in the terminal: people at one keyboard against computers."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.prompt import Prompt
from rich.text import Text

from shopfloor.bots import Bot, Seat, make_bot, sayings
from shopfloor.bots.advice import advise
from shopfloor.engine.dice import FastDice, Seed, make_dice
from shopfloor.engine.game import Edition, Game
from shopfloor.engine.records import dump, record_of
from shopfloor.engine.refusals import Refused
from shopfloor.engine.state import State
from shopfloor.engine.world import HandRefused
from shopfloor.terminal import hands
from shopfloor.terminal.show import show_board, show_events, show_standing

HELP = """A number, or the name of an action, plays it. Besides:
  why ACTION   why something is not possible now, e.g. why {example}
  hint         what you might do, and why; it plays nothing
  undo         take your last decision back, while nobody has learned anything from it
  board        show the table again
  quit         leave the game"""


class Quit(Exception):
    """The player has had enough."""


class TerminalGame:
    """One game at one terminal. `bots` holds a computer for each seat that is not a person's."""

    def __init__(
        self,
        console: Console,
        game: Game,
        names: Sequence[str],
        bots: Mapping[int, Bot],
        seed: Seed,
        options: Mapping[str, str],
        edition: Edition,
        levels: Mapping[int, str] | None = None,
        hints: bool = True,
    ) -> None:
        """levels: of the computers, by seat: where something is done by hand, a hand of that level does it.

        hints: may people ask what they might do?
        """
        self.console = console
        self.game = game
        self.names = list(names)
        self.bots = dict(bots)
        self.edition = edition
        self.hints = hints
        self.seed: Seed = secrets.token_bytes(32) if seed is None else seed
        self.options = dict(options)
        self.state: State = game.start(len(self.names), make_dice(self.seed), options, edition, report=True)
        self.world = hands.world_in(game)
        self.levels = dict(levels or {})
        self.decisions: list[tuple[int, int]] = []
        self.outcomes: list[tuple[int, str]] = []
        self.people = [seat for seat in range(len(self.names)) if seat not in self.bots]
        # What bots think with: never the game's own dice.
        self._thinking = FastDice(secrets.randbits(62))
        # Positions before each of a person's decisions, for undo: (seat, decisions so far, position).
        self._before: list[tuple[int, int, State]] = []

    def run(self) -> None:
        """Plays until the game is over. Raises Quit."""
        self._tell()
        while not self.state.over():
            deciders = self.state.deciders()
            # People first: a computer's sealed choice must not make anybody wait.
            waiting = [seat for seat in deciders if seat not in self.bots] or list(deciders)
            seat = waiting[0]
            done = self._think(seat) if seat in self.bots else self._ask(seat)
            if done is not None:
                hands.played(self.state, seat, done)
                for action, outcome in done:
                    self.decisions.append((seat, action))
                    if outcome is not None:
                        self.outcomes.append((len(self.decisions), outcome))
                self._tell()
        show_board(self.console, self.game, self.state, None, self.names)
        show_standing(self.console, self.game, self.state.standing(), self.names)

    def record(self) -> str:
        """The game so far as the text of a record."""
        record = record_of(
            self.game,
            self.edition,
            self.seed,
            len(self.names),
            self.options,
            self.decisions,
            self.state,
            self.names,
            self.outcomes,
        )
        return dump(record, self.state.space.name)

    def _viewer(self) -> int | None:
        """Whose eyes the common screen shows: the only person's, or a spectator's."""
        return self.people[0] if len(self.people) == 1 else None

    def _tell(self) -> None:
        show_events(self.console, self.game, self.state.drain(), self._viewer(), self.names)

    def _think(self, seat: int) -> hands.Done:
        with self.console.status(f"{self.names[seat]} is thinking"):
            place = Seat(self.game, self.state, seat, self._thinking)
            if self.world is not None:
                return hands.thought(self.world, self.state, place, self.levels.get(seat, ""), self._thinking)
            return ((self.bots[seat].choose(place), None),)

    def _ask(self, seat: int) -> hands.Done | None:
        """One answer of a person: what is to be played, or None if it was something else."""
        legal = self.state.legal(seat)
        if len(self.people) > 1:
            self.console.clear()
            Prompt.ask(f"{self.names[seat]}, press Enter when only you look", console=self.console, default="")
        show_board(self.console, self.game, self.state, seat, self.names)
        view = self.game.view(self.state, seat)
        self.console.print(Text(self.game.words.question(view, self.names), style="bold"))
        for n, choice in enumerate(legal, 1):
            self.console.print(Text(f"  {n:2d}  {self.game.words.action(choice, view)}"))
        if self.world is not None and self.world.help(self.state):
            self.console.print(Text(self.world.help(self.state)))
        while True:
            answer = Prompt.ask(f"{self.names[seat]} (help for help)", console=self.console).strip()
            plain = answer.lower()
            if plain in ("quit", "exit", "q"):
                raise Quit
            if plain == "undo":
                if self._undo(seat):
                    return None
            elif plain in ("help", "?", "h"):
                self.console.print(HELP.format(example=self.state.space.name(self.state.space.size - 1)))
            elif plain in ("hint", "hints", "advice"):
                self._advise(seat)
            elif plain == "board":
                return None
            else:
                done = self._done(seat, legal, answer)
                if done is not None:
                    self._before.append((seat, len(self.decisions), self.state.clone()))
                    return done

    def _done(self, seat: int, legal: Sequence[int], answer: str) -> hands.Done | None:
        """What an answer comes to, if it may be played; else says why not."""
        try:
            if self.world is not None:
                done = hands.understood(self.world, self.state, seat, answer)
                if done is not None:
                    return done
            action = self._understand(seat, legal, answer)
            return None if action is None else hands.ordinary(self.world, self.state, seat, action)
        except HandRefused as error:
            self.console.print(Text(error.sentence, style="red"))
        except Refused as error:
            self.console.print(Text(self.game.words.refusal(error.refusal, self.names), style="red"))
        return None

    def _advise(self, seat: int) -> None:
        """Say what the person might do, from what that seat knows."""
        if not self.hints:
            self.console.print("At this table nobody is advised: that was agreed when it was set up.")
            return
        with self.console.status("The foreman is thinking"):
            advice = advise(Seat(self.game, self.state, seat, self._thinking), self._thinking.below(2**31))
        view = self.game.view(self.state, seat)
        for number, hint in enumerate(advice.hints):
            self.console.print(Text(sayings.title(hint, self.game, view), style="bold"))
            for sentence in sayings.sentences(number, advice, self.game, view):
                self.console.print(Text(f"  {sentence}"), highlight=False)
            if hint.proposal is not None and hint.proposal.piece:
                self.console.print(Text(f"  {hands.order(hint.proposal)}", style="dim"), soft_wrap=True)

    def _understand(self, seat: int, legal: Sequence[int], answer: str) -> int | None:
        """The action that an answer means, if it may be played; else says why not."""
        why = re.fullmatch(r"why\s+(.*)", answer, re.IGNORECASE)
        text = why[1] if why else answer
        try:
            if text.isascii() and text.isdigit() and text != "00":
                if not 1 <= int(text) <= len(legal):
                    self.console.print(f"There is no number {text}; there are 1 to {len(legal)}.")
                    return None
                action = legal[int(text) - 1]
            else:
                action = self.state.space.parse(text)
        except Refused as error:
            self.console.print(Text(self.game.words.refusal(error.refusal, self.names), style="red"))
            return None
        refusal = self.state.refusal(seat, action)
        if refusal is not None:
            line = Text(self.game.words.refusal(refusal, self.names), style="red")
            line.append(f"  {refusal.clause}", style="dim")
            self.console.print(line)
            return None
        if why:
            self.console.print("This is possible now.")
            return None
        return action

    def _undo(self, seat: int) -> bool:
        while self._before and self._before[-1][1] >= len(self.decisions) + 1:
            self._before.pop()
        if self._before and self._before[-1][0] == seat and len(self.decisions) == self._before[-1][1] + 1:
            _, count, state = self._before[-1]
            by_hand = any(number > count for number, _ in self.outcomes)
            if state.revelations == self.state.revelations and not by_hand:
                self._before.pop()
                self.state = state
                self.state.listen()
                del self.decisions[count:]
                self.console.print("Taken back.")
                return True
        self.console.print("There is nothing to take back: somebody has learned something since, or acted.")
        return False


def seat_names(people: Sequence[str], levels: Sequence[str]) -> list[str]:
    """Names for the seats: the people, then the computers by level and number."""
    names = list(people)
    for level in levels:
        title = level.capitalize()
        same = sum(other == level for other in levels)
        count = sum(name.startswith(title) for name in names)
        names.append(f"{title} {count + 1}" if same > 1 else title)
    return names


def make_bots(
    people: int,
    levels: Sequence[str],
    seed: int,
    budget: float | None,
    processes: int = 1,
    edition: Edition | None = None,
) -> dict[int, Bot]:
    """Computers for the seats after the people's. processes: that think about one decision, where a level can use them.

    edition: of the game, where it is not the one that comes with it.
    """
    return {
        people + i: make_bot(level, seed + i, budget, processes=processes, edition=edition)
        for i, level in enumerate(levels)
    }


def save(text: str, path: Path) -> None:
    """Writes a record."""
    path.write_text(text, encoding="utf-8")
