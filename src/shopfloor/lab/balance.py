"""Whether a game is fair to its seats: one level in all of them, and who wins from where.

Where the people at a table may say who begins, every seat begins equally often, so that what a seat wins and what
beginning brings are told apart. Editions can be compared with the one that comes with the game.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from shopfloor.bots import KNOWN, STAND_IN, UnknownLevel, thinking_time
from shopfloor.engine.game import Edition, Game
from shopfloor.engine.options import Option, resolve_options
from shopfloor.engine.refusals import BadSetup, Refusal
from shopfloor.games import REGISTRY
from shopfloor.lab.intervals import share_interval
from shopfloor.lab.ladder import build, minds
from shopfloor.lab.match import play_game
from shopfloor.lab.processes import spread
from shopfloor.lab.results import Results, read_lines

GAMES: Final = 400
NOT_SAID: Final = -1
PLACES: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


@dataclass(frozen=True)
class Played:
    """One game, as a line of the results file. start: the seat that began; -1 where the game draws it itself.

    options: others than the usual, NAME=VALUE. shares: of the victory, by seat.
    """

    game: str
    rules: str
    edition: str
    minds: str
    build: str
    players: int
    level: str
    budget: float
    options: list[str]
    deal: int
    start: int
    shares: list[float]


@dataclass(frozen=True)
class Part:
    """What somebody at the table wins. who: a seat, or when it has its turn. interval: 95 %."""

    who: str
    share: float
    interval: tuple[float, float]
    even: float

    @property
    def verdict(self) -> str:
        """Whether it differs from an even share: `favoured`, `put back` or `even`, as far as can be seen."""
        low, high = self.interval
        return "favoured" if low > self.even else "put back" if high < self.even else "even"


@dataclass(frozen=True)
class Group:
    """The games of one number of players with one edition. seats, order: by seat, and from who begins onwards."""

    players: int
    edition: str
    own: bool
    games: int
    seats: tuple[Part, ...]
    order: tuple[Part, ...]


@dataclass(frozen=True)
class Balance:
    """All groups of a game. options: others than the usual. command: what makes it again."""

    game: str
    title: str
    rules: str
    build: str
    level: str
    options: tuple[str, ...]
    groups: tuple[Group, ...]
    command: str

    def markdown(self, page: str | Path | None = None) -> str:
        """The balance as a page, which is to stand in the file `page`, if in any."""
        command = self.command if page is None else f"{self.command} --page {Path(page).as_posix()}"
        parts = [part for group in self.groups for part in (*group.seats, *group.order)]
        outside = sum(part.verdict != "even" for part in parts)
        lines = [
            f"# Whether {self.title} is fair to its seats",
            "",
            f"A {self.level} sits in every seat, and every seat begins equally often where that can be said. Shares of",
            "victories with their 95 % intervals; a shared victory counts as a part. One interval in twenty misses an",
            f"even share by chance alone: of these {len(parts)}, {outside} do.",
            "",
            "| players | edition | games | who | share of victories | even | |",
            "| ---: | --- | ---: | --- | --- | ---: | --- |",
        ]
        for group in self.groups:
            for part in (*group.order, *group.seats):
                low, high = part.interval
                lines.append(
                    f"| {group.players} | {group.edition}{' (its own)' if group.own else ''} | {group.games} "
                    f"| {part.who} | {part.share:.1%} ({low:.1%} to {high:.1%}) | {part.even:.1%} | {part.verdict} |"
                )
        lines += [
            "",
            f"Rules version {self.rules}{', ' + ', '.join(self.options) if self.options else ''}. The programs ran "
            f"{self.build}. Made by:",
            "",
            "```",
            command,
            "```",
            "",
        ]
        return "\n".join(lines)

    def write(self, path: str | Path) -> None:
        """Write the page to a file; folders are made as needed."""
        file = Path(path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(self.markdown(path), encoding="utf-8")


def start_option(game: Game) -> Option | None:
    """The option by which people at a table say who begins, if the game has one."""
    return next((option for option in game.options if option.seat_values), None)


@dataclass(frozen=True)
class _Task:
    game: str
    players: int
    folder: str  # of the edition; empty: the game's own
    edition: str
    level: str
    budget: float
    options: tuple[tuple[str, str], ...]
    deal: int
    start: int


def _play(task: _Task) -> Played:
    game = REGISTRY.get(task.game)
    options = dict(task.options)
    begins = start_option(game)
    if begins is not None and task.start != NOT_SAID:
        options[begins.id] = str(task.start)
    edition = game.edition(task.folder or None)
    outcome = play_game(game, edition, [task.level] * task.players, task.deal, task.budget or None, options)
    return Played(
        game=game.id,
        rules=game.rules_version,
        edition=edition.hash,
        minds=minds(game),
        build=build(game.id),
        players=task.players,
        level=task.level,
        budget=task.budget,
        options=_named(task.options),
        deal=task.deal,
        start=task.start,
        shares=list(outcome.shares),
    )


def _named(options: Sequence[tuple[str, str]]) -> list[str]:
    return [f"{name}={value}" for name, value in sorted(options)]


def run(
    game_id: str,
    players: Sequence[int] | None = None,
    level: str = STAND_IN,
    games: int = GAMES,
    budget: float | None = None,
    options: Mapping[str, str] | None = None,
    editions: Sequence[str | Path] = (),
    processes: int = 1,
    results_path: str | Path | None = None,
    on_progress: Callable[[int, int], None] | None = None,
    minutes: float | None = None,
) -> Balance:
    """Play a level against itself and add up who wins.

    players: player counts (None: all). games: for each of them and each edition, rounded up so that every seat begins
    equally often. editions: folders, beside the game's own. results_path: a JSON-lines file to which every game is
    added, and whose games by the same programs, rules, editions and options are not played again. on_progress: called
    with games done and in all. minutes: begin no game after so many.

    Raises UnknownGame, UnknownLevel, BadSetup, EditionError, ResultsError; ValueError for numbers that make no sense.
    """
    game = REGISTRY.get(game_id)
    if level not in KNOWN:
        raise UnknownLevel(level, KNOWN)
    if games < 1:
        raise ValueError(f"at least 1 game is needed, not {games}")
    counts = players or game.player_counts
    for number in counts:
        if number not in game.player_counts:
            facts: dict[str, object] = {"players": number, "allowed": list(game.player_counts)}
            raise BadSetup(Refusal("BAD_PLAYER_COUNT", game.players_clause, facts))
        resolve_options(game.options, options or {}, number)  # refused here rather than in a process of many
    begins = start_option(game)
    chosen = tuple(sorted((options or {}).items()))
    said = begins is not None and begins.id not in dict(chosen)
    sets: list[tuple[str, Edition]] = [("", game.edition())]
    sets += [(str(folder), game.edition(folder)) for folder in editions]
    tasks = [
        _Task(
            game.id,
            number,
            folder,
            edition.hash,
            level,
            thinking_time(level, budget),
            chosen,
            deal,
            deal % number if said else NOT_SAID,
        )
        for number in counts
        for folder, edition in sets
        for deal in range(-(-games // number) * number)
    ]
    tasks.sort(key=lambda task: task.deal)
    path = None if results_path is None else Path(results_path)
    done = _known(game, path, tasks)
    left = [task for task in tasks if task not in done]
    if on_progress is not None:
        on_progress(len(done), len(tasks))
    end = None if minutes is None else time.monotonic() + 60.0 * minutes
    with Results(path) as results, closing(spread(_play, left, processes)) as games_played:
        for task, one in games_played:
            results.add(one)
            done[task] = one
            if on_progress is not None:
                on_progress(len(done), len(tasks))
            if end is not None and time.monotonic() >= end:
                break
    groups = [
        _group(number, edition, not folder, [one for task, one in done.items() if _of(task, number, folder)])
        for number in counts
        for folder, edition in sets
    ]
    made_by = _command(game.id, players, level, games, budget, chosen, editions, minutes)
    found = tuple(group for group in groups if group.games)
    return Balance(
        game.id, game.title, game.rules_version, build(game.id), level, tuple(_named(chosen)), found, made_by
    )


def _of(task: _Task, players: int, folder: str) -> bool:
    return (task.players, task.folder) == (players, folder)


def _known(game: Game, path: Path | None, tasks: Sequence[_Task]) -> dict[_Task, Played]:
    """The tasks whose games are in the file."""
    played = {}
    for one in [] if path is None else read_lines(path, Played, "result of a balance game"):
        if (one.game, one.rules, one.minds, one.build) == (game.id, game.rules_version, minds(game), build(game.id)):
            key = (one.players, one.edition, one.level, one.budget, tuple(one.options), one.deal, one.start)
            played[key] = one
    done = {}
    for task in tasks:
        options = tuple(_named(task.options))
        key = (task.players, task.edition, task.level, task.budget, options, task.deal, task.start)
        if key in played:
            done[task] = played[key]
    return done


def _group(players: int, edition: Edition, own: bool, played: Sequence[Played]) -> Group:
    # Games count when every seat has begun as often; a balance that has run out of time may lack some.
    rounds: dict[int, int] = {}
    for one in played:
        rounds[one.deal // players] = rounds.get(one.deal // players, 0) + 1
    played = [one for one in played if rounds[one.deal // players] == players]
    count = len(played)
    seats: list[Part] = []
    order: list[Part] = []
    if count:
        for seat in range(players):
            seats.append(_part(f"seat {seat + 1}", sum(one.shares[seat] for one in played), count, players))
        if played[0].start != NOT_SAID:
            for turn in range(players):
                won = sum(one.shares[(one.start + turn) % players] for one in played)
                order.append(_part(f"{PLACES[turn]} to move", won, count, players))
    return Group(players, edition.hash, own, count, tuple(seats), tuple(order))


def _part(who: str, won: float, count: int, players: int) -> Part:
    share = won / count
    return Part(who, share, share_interval(share, count), 1.0 / players)


def _command(
    game: str,
    players: Sequence[int] | None,
    level: str,
    games: int,
    budget: float | None,
    options: Sequence[tuple[str, str]],
    editions: Sequence[str | Path],
    minutes: float | None,
) -> str:
    parts = ["shopfloor", "ladder", game, "--balance", "--levels", level, "--games", str(games)]
    for count in players or ():
        parts += ["--players", str(count)]
    if budget is not None:
        parts += ["--budget", f"{budget:g}"]
    for one in _named(options):
        parts += ["--option", one]
    for folder in editions:
        parts += ["--edition", Path(folder).as_posix()]
    if minutes is not None:
        parts += ["--minutes", f"{minutes:g}"]
    return " ".join(parts)
