"""How strong the computer players are: tournaments with rotated seats, intervals, and a file to go on with.

A rung is one pairing at one number of players: one challenger against a table full of another level. Every deal is
played once with the challenger in each seat, so that neither the deal nor the place at the table favours anyone.
"""

from __future__ import annotations

import hashlib
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from shopfloor import bots
from shopfloor.bots import KNOWN, LEVELS, THINKING, TOGETHER, UnknownLevel, thinking_time
from shopfloor.bots.nets import FOLDER, NONE, NetError, Nets
from shopfloor.bots.search import SearchBot
from shopfloor.engine.dice import FastDice
from shopfloor.engine.game import Game
from shopfloor.engine.refusals import BadSetup, Refusal
from shopfloor.games import REGISTRY
from shopfloor.lab.intervals import mean_interval, share_interval
from shopfloor.lab.match import play_game
from shopfloor.lab.picture import Bar, draw
from shopfloor.lab.processes import spread
from shopfloor.lab.ratings import LevelRating, rated
from shopfloor.lab.results import Results, read_lines

# For an answer within minutes on two cores; a longer ladder is a matter of asking for more games.
QUICK_GAMES: Final = 400
THINKING_GAMES: Final = 60
AGAINST_RANDOM: Final = 20  # where somebody thinks and wins nearly always


@dataclass(frozen=True)
class Pairing:
    """One challenger against seats of the level `field`.

    nets: which trained net the challenger has (12 hex digits of its file), and then the field has none; empty: all have
    what comes with the game.
    """

    players: int
    challenger: str
    field: str
    nets: str = ""

    @property
    def title(self) -> str:
        """The challenger, for people."""
        return f"{self.challenger} with a net" if self.nets else self.challenger


@dataclass(frozen=True)
class Played:
    """One game of a ladder, as a line of its results file.

    minds: names the programs that played; build: how they ran, `compiled` or `interpreted`, which decides how much
    is thought in a time. budget: the most seconds that somebody could think about a decision, 0 where nobody thinks.
    thinking: in how many processes at once, each for that long, where the level could make use of them.
    deal: which deal of the ladder; seat: the challenger's.
    place, share: the challenger's. choices, seconds: its decisions with a choice and the time they took it; the
    same of the others in `field_choices` and `field_seconds`. nets: as in Pairing. places: of all seats.
    score, field_score: the challenger's by the game's own measure (`Game.score`), and the others' on average.
    """

    game: str
    rules: str
    edition: str
    minds: str
    build: str
    players: int
    challenger: str
    field: str
    budget: float
    deal: int
    seat: int
    place: int
    share: float
    choices: int
    seconds: float
    field_choices: int
    field_seconds: float
    places: list[int]
    score: float
    field_score: float
    nets: str = ""
    thinking: int = 1


@dataclass(frozen=True)
class Rung:
    """What came of a pairing. Intervals are (low, high) at 95 %.

    share: the challenger's mean share of the victory, by Wilson's interval; even: what equals would get.
    place: its mean place; ahead: the share of the others that it leaves behind, a shared place counting half, which is
    0.5 for equals at any number of players; both by the spread between deals.
    time, field_time: seconds a decision that had a choice.
    score, field_score: what the challenger and one of the others had in the end, on average.
    """

    pairing: Pairing
    games: int
    share: float
    share_interval: tuple[float, float]
    even: float
    place: float
    place_interval: tuple[float, float]
    ahead: float
    ahead_interval: tuple[float, float]
    time: float
    field_time: float
    score: float
    field_score: float

    @property
    def verdict(self) -> str:
        """Whether the share differs from an equal's: `stronger`, `weaker` or `open`."""
        low, high = self.share_interval
        return "stronger" if low > self.even else "weaker" if high < self.even else "open"


@dataclass(frozen=True)
class Ladder:
    """The rungs of a game. command: what makes it again.

    budget: the most seconds that anybody had for a decision, or None if all had what is usual for their levels.

    build: how the programs ran, `compiled` or `interpreted`. thinking: how many processes thought about one decision.
    ratings: by the number of players. score: the criterion that scores are of.
    """

    game: str
    title: str
    rules: str
    edition: str
    build: str
    budget: float | None
    rungs: tuple[Rung, ...]
    command: str
    thinking: int = 1
    ratings: tuple[tuple[int, tuple[LevelRating, ...]], ...] = ()
    score: str = ""

    def markdown(self, page: str | Path | None = None) -> str:
        """The ladder as a page, which is to stand in the file `page`, if in any."""
        lines = [
            f"# How strong the computer players are at {self.title}",
            "",
            "One challenger sits down with a table full of another level. Every deal is played once from each seat.",
            "The share of victories, and how many of the others the challenger leaves behind, have their 95 %",
            f"intervals. A shared victory counts as a part, a shared place as half.{self._times()}",
            f"Scores are means too: {self.score} in the end, of the challenger and of one of the others.",
            "The last columns are milliseconds of computing a decision that had a choice.",
            f"The programs ran {self.build}; CONTRIBUTING.md says how to compile them.",
            "",
            *([f"![Shares of victories with their intervals]({Path(page).stem}.svg)", ""] if page is not None else []),
            "| players | challenger | against | games | share of victories | equals | leaves behind "
            "| its score | their score | its ms | their ms |",
            "| ---: | --- | --- | ---: | --- | ---: | --- | ---: | ---: | ---: | ---: |",
        ]
        for rung in self.rungs:
            pair = rung.pairing
            low, high = rung.share_interval
            fewest, most = rung.ahead_interval
            lines.append(
                f"| {pair.players} | {pair.title} | {pair.players - 1} × {pair.field} | {rung.games} "
                f"| {rung.share:.1%} ({low:.1%} to {high:.1%}) | {rung.even:.1%} "
                f"| {rung.ahead:.1%} ({fewest:.1%} to {most:.1%}) | {rung.score:.1f} | {rung.field_score:.1f} "
                f"| {1000 * rung.time:.2f} | {1000 * rung.field_time:.2f} |"
            )
        lines += self._ratings()
        lines += [
            "",
            f"Rules version {self.rules}, edition {self.edition}. Made by:",
            "",
            "```",
            self.command if page is None else f"{self.command} --page {Path(page).as_posix()}",
            "```",
            "",
        ]
        return "\n".join(lines)

    def _ratings(self) -> list[str]:
        lines = [
            "",
            "## Ratings",
            "",
            "From the deals that all pairings have played, by openskill's Plackett-Luce model: 25 is where everybody",
            "begins, and of two players one with 6.5 more is expected to win three games of four. Only those in a line",
            "can be compared.",
            "",
            "| players | ratings, with 95 % intervals |",
            "| ---: | --- |",
        ]
        for players, found in self.ratings:
            cells = "; ".join(f"{one.level} {one.mu:.1f} ({one.low:.1f} to {one.high:.1f})" for one in found)
            lines.append(f"| {players} | {cells} |")
        return lines if self.ratings else []

    def picture(self) -> str:
        """The shares of victories as SVG."""
        bars = [
            Bar(
                rung.pairing.players,
                f"{rung.pairing.title} against {rung.pairing.field}",
                rung.games,
                rung.share,
                *rung.share_interval,
                rung.even,
                rung.verdict,
            )
            for rung in self.rungs
        ]
        return draw(f"{self.title}: who wins against whom", bars)

    def _times(self) -> str:
        times = [f"{level} {thinking_time(level, self.budget):g} s" for level in self._thinking()]
        if not times:
            return ""
        several = ", ".join(level for level in self._thinking() if level in TOGETHER)
        helped = f" In {self.thinking} processes at once, each with that time: {several}." if self.thinking > 1 else ""
        return f" Levels that think had no more computing a decision than this:\n{', '.join(times)}.{helped}"

    def _thinking(self) -> list[str]:
        named = {level for rung in self.rungs for level in (rung.pairing.challenger, rung.pairing.field)}
        return [level for level in THINKING if level in named]

    def write(self, path: str | Path) -> None:
        """Write the page to a file, and its picture beside it; folders are made as needed."""
        file = Path(path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(self.markdown(path), encoding="utf-8")
        file.with_suffix(".svg").write_text(self.picture(), encoding="utf-8")


def minds(game: Game) -> str:
    """Names the programs of the computer players and the game's own (12 hex digits).

    Games that other programs have played are no results of these.
    """
    return _minds(game.folder)


@lru_cache
def _minds(folder: Path) -> str:
    digest = hashlib.sha256()
    programs = [*sorted(Path(bots.__file__).parent.glob("*.py")), *sorted(folder.rglob("*.py"))]
    for file in [*programs, *sorted((folder / FOLDER).glob("*.json"))]:
        digest.update(file.name.encode() + b"\0" + file.read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return digest.hexdigest()[:12]


@lru_cache
def build(game_id: str) -> str:
    """`compiled` where both the thinking and the game's positions are, else what of them is, or `interpreted`."""
    game = REGISTRY.get(game_id)
    position = game.start(min(game.player_counts), FastDice(0))
    thinking, rules = (
        not str(sys.modules[kind.__module__].__file__).endswith(".py") for kind in (SearchBot, type(position))
    )
    if thinking == rules:
        return "compiled" if thinking else "interpreted"
    return "partly compiled (the thinking)" if thinking else "partly compiled (the game)"


@dataclass(frozen=True)
class _Task:
    game: str
    pairing: Pairing
    budget: float
    most: float | None
    deal: int
    seat: int
    folder: Path | None = None
    thinking: int = 1


_Key = tuple[Pairing, float, int, int, int]


def _key(task: _Task) -> _Key:
    """What makes a game another one than the others of its ladder."""
    return (task.pairing, task.budget, task.thinking, task.deal, task.seat)


def _play(task: _Task) -> Played:
    game = REGISTRY.get(task.game)
    edition = game.edition()
    pair = task.pairing
    levels = [pair.challenger if seat == task.seat else pair.field for seat in range(pair.players)]
    seat = task.seat
    nets = None
    if task.folder is not None:
        nets = [Nets(task.folder) if other == seat else NONE for other in range(pair.players)]
    outcome = play_game(game, edition, levels, task.deal, task.most, None, 1 + seat, nets=nets, processes=task.thinking)
    at = outcome.criteria.index(game.score) if game.score else 0
    scores = [values[at] for values in outcome.values]
    return Played(
        game=game.id,
        rules=game.rules_version,
        edition=edition.hash,
        minds=minds(game),
        build=build(game.id),
        players=pair.players,
        challenger=pair.challenger,
        field=pair.field,
        budget=task.budget,
        deal=task.deal,
        seat=seat,
        place=outcome.places[seat],
        share=outcome.shares[seat],
        choices=outcome.choices[seat],
        seconds=round(outcome.seconds[seat], 6),
        field_choices=sum(outcome.choices) - outcome.choices[seat],
        field_seconds=round(sum(outcome.seconds) - outcome.seconds[seat], 6),
        places=list(outcome.places),
        score=scores[seat],
        field_score=(sum(scores) - scores[seat]) / (pair.players - 1),
        nets=pair.nets,
        thinking=task.thinking,
    )


def read_results(path: Path) -> list[Played]:
    """The games of a results file; none if there is no file. A last line cut short by a crash does not count.

    Raises ResultsError for any other line that is no result.
    """
    return read_lines(path, Played, "result of a ladder game")


def pairings(game: Game, players: Sequence[int], levels: Sequence[str] | None = None) -> list[Pairing]:
    """Every level against every one named before it, at each number of players.

    None: all levels that people choose from, each against the one below it, and the highest against the lowest.

    Raises UnknownLevel, BadSetup (player count); ValueError for fewer than two levels or one named twice.
    """
    for level in levels or ():
        if level not in KNOWN:
            raise UnknownLevel(level, KNOWN)
    if levels is not None and (len(levels) < 2 or len(set(levels)) != len(levels)):
        raise ValueError("a ladder needs at least two levels, each named once")
    for count in players:
        if count not in game.player_counts:
            facts: dict[str, object] = {"players": count, "allowed": list(game.player_counts)}
            raise BadSetup(Refusal("BAD_PLAYER_COUNT", "", facts))
    if levels is None:
        pairs = [*zip(LEVELS[1:], LEVELS, strict=False), (LEVELS[-1], LEVELS[0])]
    else:
        pairs = [(challenger, field) for i, challenger in enumerate(levels) for field in levels[:i]]
    return [Pairing(count, challenger, field) for count in players for challenger, field in pairs]


def net_pairings(
    game: Game, folder: Path, players: Sequence[int] | None, levels: Sequence[str] | None
) -> list[Pairing]:
    """Each level with a folder's net against itself without one; the levels that think count (None: `search`).

    players: player counts (None: those that the folder has a net for). Raises NetError, UnknownLevel, and ValueError
    for a level that does not think.
    """
    for level in levels or ():
        if level not in KNOWN:
            raise UnknownLevel(level, KNOWN)
        if level not in THINKING:
            raise ValueError(f"nets are for levels that think: {', '.join(THINKING)}; {level} does not")
    counts = [n for n in game.player_counts if (folder / f"{n}.json").exists()] if players is None else list(players)
    if not counts:
        raise NetError(f"{folder} has no net for {game.title}: they are called PLAYERS.json")
    pairs = []
    for count in counts:
        Nets(folder).judgement(game, count)  # says what is wrong
        digest = hashlib.sha256((folder / f"{count}.json").read_bytes()).hexdigest()[:12]
        pairs += [Pairing(count, level, level, digest) for level in levels or ("search",)]
    return pairs


def _thinks(pair: Pairing) -> bool:
    return pair.challenger in THINKING or pair.field in THINKING


def _usual_games(pair: Pairing) -> int:
    if not _thinks(pair):
        return QUICK_GAMES
    return AGAINST_RANDOM if pair.field == "random" else THINKING_GAMES


def _tasks(
    game: Game,
    pairs: Sequence[Pairing],
    games: int | None,
    budget: float | None,
    folder: Path | None,
    thinking: int,
) -> list[_Task]:
    tasks = []
    for pair in pairs:
        wanted = games if games is not None else _usual_games(pair)
        deals = -(-wanted // pair.players)
        spent = max(thinking_time(level, budget) for level in (pair.challenger, pair.field))
        several = thinking if {pair.challenger, pair.field} & set(TOGETHER) else 1
        tasks += [
            _Task(game.id, pair, spent, budget, deal, seat, folder, several)
            for deal in range(deals)
            for seat in range(pair.players)
        ]
    # Deal by deal through all pairings, so that a ladder broken off early says something about each of them.
    tasks.sort(key=lambda task: task.deal)
    return tasks


def _whole(pair: Pairing, played: Sequence[Played]) -> list[Played]:
    """The games of deals that have been played from every seat; a ladder that has run out of time may lack some."""
    seats: dict[int, int] = {}
    for one in played:
        seats[one.deal] = seats.get(one.deal, 0) + 1
    return [one for one in played if seats[one.deal] == pair.players]


def _ratings(played: Sequence[Played]) -> tuple[tuple[int, tuple[LevelRating, ...]], ...]:
    """By the number of players, from games in the order of their deals, whatever order they ended in.

    Only deals that all pairings have played count: who had stopped early would be left behind by who played on.
    """
    order = sorted(played, key=lambda one: (one.deal, one.challenger, one.field, one.seat))
    found = []
    for players in sorted({one.players for one in played}):
        games = []
        deals: dict[tuple[str, str, str], set[int]] = {}
        for one in order:
            if one.players == players:
                deals.setdefault((one.challenger, one.field, one.nets), set()).add(one.deal)
        shared = set.intersection(*deals.values())
        for one in order:
            if one.players == players and one.deal in shared:
                own = f"{one.challenger} with a net" if one.nets else one.challenger
                levels = [own if seat == one.seat else one.field for seat in range(players)]
                games.append((levels, one.places))
        if games:
            found.append((players, tuple(rated(games))))
    return tuple(found)


def _by_deals(played: Sequence[Played], values: Sequence[float]) -> tuple[float, float, float]:
    """Mean, low and high. The games of a deal are not independent, the deals are."""
    deals: dict[int, list[float]] = {}
    for one, value in zip(played, values, strict=True):
        deals.setdefault(one.deal, []).append(value)
    return mean_interval([sum(own) / len(own) for own in deals.values()])


def _ahead(one: Played) -> float:
    """The share of the others that are behind the challenger, those beside it counting half."""
    others = [place for seat, place in enumerate(one.places) if seat != one.seat]
    return sum(1.0 if place > one.place else 0.5 if place == one.place else 0.0 for place in others) / len(others)


def _rung(pair: Pairing, played: Sequence[Played]) -> Rung | None:
    played = _whole(pair, played)
    count = len(played)
    if not count:
        return None
    share = sum(one.share for one in played) / count
    place, best, worst = _by_deals(played, [one.place for one in played])
    ahead, fewest, most = _by_deals(played, [_ahead(one) for one in played])
    return Rung(
        pairing=pair,
        games=count,
        share=share,
        share_interval=share_interval(share, count),
        even=1.0 / pair.players,
        place=place,
        place_interval=(max(1.0, best), min(float(pair.players), worst)),
        ahead=ahead,
        ahead_interval=(max(0.0, fewest), min(1.0, most)),
        time=sum(one.seconds for one in played) / max(1, sum(one.choices for one in played)),
        field_time=sum(one.field_seconds for one in played) / max(1, sum(one.field_choices for one in played)),
        score=sum(one.score for one in played) / count,
        field_score=sum(one.field_score for one in played) / count,
    )


def _command(
    game: str,
    players: Sequence[int] | None,
    levels: Sequence[str] | None,
    games: int | None,
    budget: float | None,
    minutes: float | None,
    nets: Path | None,
    ray: bool,
    thinking: int,
) -> str:
    parts = ["shopfloor", "ladder", game]
    for count in players or ():
        parts += ["--players", str(count)]
    if levels is not None:
        parts += ["--levels", ",".join(levels)]
    if games is not None:
        parts += ["--games", str(games)]
    if budget is not None:
        parts += ["--budget", f"{budget:g}"]
    if minutes is not None:
        parts += ["--minutes", f"{minutes:g}"]
    if nets is not None:
        parts += ["--nets", nets.as_posix()]
    if ray:
        parts.append("--ray")
    if thinking > 1:
        parts += ["--thinking-processes", str(thinking)]
    return " ".join(parts)


def run(
    game_id: str,
    players: Sequence[int] | None = None,
    levels: Sequence[str] | None = None,
    games: int | None = None,
    budget: float | None = None,
    processes: int = 1,
    results_path: str | Path | None = None,
    on_progress: Callable[[int, int, Played | None], None] | None = None,
    command: str | None = None,
    minutes: float | None = None,
    nets: str | Path | None = None,
    ray: bool = False,
    thinking: int = 1,
) -> Ladder:
    """Play a ladder and add it up.

    players: player counts (None: all that the game has). levels: weak to strong; each challenges all before it
    (None: all that people choose from; each challenges the one below it, and the highest the lowest). games: a
    pairing, rounded up to whole rotations (None: 400, and 60 where somebody thinks, or 20 against random).
    budget: the most seconds a decision for levels that think (None: what is usual for each). results_path: a
    JSON-lines file to which every game is added when it is over, and whose games by the same programs, rules, edition,
    pairing and budget are not played again; an interrupted ladder goes on where it was. on_progress: called with games
    done, games in all, and the last one (None for those from the file). command: what the page says made it.
    minutes: begin no game after so many; deals that have not been played from every seat by then do not count, and
    pairings without any are left out. nets: a folder of trained nets (PLAYERS.json): each level with one plays against
    itself without. ray: play on Ray (`lab.processes.Crew`). thinking: processes that think about one decision, in
    levels that can make use of several.

    Raises UnknownGame, UnknownLevel, BadSetup, ResultsError, NetError, NoRay; ValueError for numbers that make no
    sense.
    """
    game = REGISTRY.get(game_id)
    if games is not None and games < 1:
        raise ValueError(f"at least 1 game is needed, not {games}")
    if minutes is not None and minutes <= 0:
        raise ValueError(f"a ladder takes more than 0 minutes, not {minutes:g}")
    if budget is not None and budget <= 0:
        raise ValueError(f"a budget is more than 0 seconds, this one is {budget}")
    if thinking < 1:
        raise ValueError(f"at least 1 process must think, not {thinking}")
    folder = None if nets is None else Path(nets)
    if folder is not None:
        pairs = net_pairings(game, folder, players, levels)
    else:
        pairs = pairings(game, players or game.player_counts, levels)
    edition = game.edition().hash
    tasks = _tasks(game, pairs, games, budget, folder, thinking)
    wanted = {_key(task) for task in tasks}
    done: dict[_Key, Played] = {}
    path = None if results_path is None else Path(results_path)
    for played in [] if path is None else read_results(path):
        pair = Pairing(played.players, played.challenger, played.field, played.nets)
        key = (pair, played.budget, played.thinking, played.deal, played.seat)
        of = (played.game, played.rules, played.edition, played.minds, played.build)
        if of == (game.id, game.rules_version, edition, minds(game), build(game.id)) and key in wanted:
            done[key] = played
    if on_progress is not None:
        on_progress(len(done), len(tasks), None)
    left = [task for task in tasks if _key(task) not in done]
    end = None if minutes is None else time.monotonic() + 60.0 * minutes
    with Results(path) as results, closing(spread(_play, left, processes, ray)) as games_played:
        for task, played in games_played:
            results.add(played)
            done[_key(task)] = played
            if on_progress is not None:
                on_progress(len(done), len(tasks), played)
            if end is not None and time.monotonic() >= end:
                break
    of_pair = [(pair, [played for key, played in done.items() if key[0] == pair]) for pair in pairs]
    rungs = [rung for rung in [_rung(pair, games) for pair, games in of_pair] if rung is not None]
    ratings = _ratings([one for pair, games in of_pair for one in _whole(pair, games)])
    made_by = command
    if made_by is None:
        made_by = _command(game.id, players, levels, games, budget, minutes, folder, ray, thinking)
    return Ladder(
        game.id,
        game.title,
        game.rules_version,
        edition,
        build(game.id),
        budget,
        tuple(rungs),
        made_by,
        thinking,
        ratings,
        game.score or "what is compared first",
    )
