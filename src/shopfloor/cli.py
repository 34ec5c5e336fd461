"""The command `shopfloor`."""

from __future__ import annotations

import secrets
import shutil
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Protocol

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

import shopfloor
from shopfloor.bots import KNOWN, LEVELS, STAND_IN, UnknownLevel
from shopfloor.engine.edition import EditionError
from shopfloor.engine.game import Edition, Game
from shopfloor.engine.options import JOIN, pick_counts
from shopfloor.engine.records import RecordError, load, replay
from shopfloor.engine.refusals import BadSetup
from shopfloor.engine.registry import UnknownGame
from shopfloor.games import REGISTRY
from shopfloor.terminal.play import Quit, TerminalGame, make_bots, save, seat_names
from shopfloor.terminal.show import show_board, show_events, show_standing

if TYPE_CHECKING:
    from shopfloor.tables.service import Tables

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Board games about work, to play and to study.")
editions = typer.Typer(no_args_is_help=True, help="The cards of a game as files, for owners of the printed game.")
app.add_typer(editions, name="editions")
admin = typer.Typer(no_args_is_help=True, help="What the administrator of a site does, beside the site itself.")
app.add_typer(admin, name="admin")

console = Console()
errors = Console(stderr=True)

GameArgument = Annotated[str, typer.Argument(help="The game, e.g. one that `shopfloor games` lists.")]
PlayersOption = Annotated[int, typer.Option("--players", "-p", help="How many seats.")]
OptionOption = Annotated[
    list[str] | None, typer.Option("--option", "-o", help="A table option as NAME=VALUE; may be given several times.")
]
EditionOption = Annotated[Path | None, typer.Option("--edition", help="A folder with an edition of your own.")]
BudgetOption = Annotated[
    float, typer.Option("--budget", help="Seconds that a thinking computer takes a move.", min=0.01)
]
MostOption = Annotated[
    float | None,
    typer.Option(
        "--budget", help="Most seconds that a computer thinks about a move; else as its level does.", min=0.01
    ),
]
RayOption = Annotated[
    bool, typer.Option("--ray", help="Spread the games with Ray (shopfloor[ray]): RAY_ADDRESS, or this machine.")
]
ProcessesOption = Annotated[int, typer.Option("--processes", help="Games played side by side.", min=1)]


ThinkingOption = Annotated[
    int,
    typer.Option("--thinking-processes", help="Processes that think about one move, at the level foreman.", min=1),
]


def _fail(message: str) -> typer.Exit:
    errors.print(Text(message, style="red"))
    return typer.Exit(2)


def _game(name: str) -> Game:
    try:
        return REGISTRY.get(name)
    except UnknownGame as error:
        raise _fail(f"There is no game '{error.game}'. There is: {', '.join(error.known)}.") from None


def _edition(game: Game, folder: Path | None) -> Edition:
    try:
        return game.edition(folder)
    except EditionError as error:
        raise _fail(f"The edition in {folder} cannot be used:\n{error}") from None


def _options(given: list[str] | None) -> dict[str, str]:
    options = {}
    for item in given or []:
        name, equals, value = item.partition("=")
        if not equals:
            raise _fail(f"An option is written NAME=VALUE, not '{item}'.")
        options[name.strip()] = value.strip()
    return options


def _levels(text: str, count: int) -> list[str]:
    """The computers' levels: one for all, or one each, separated by commas."""
    levels = [level.strip() for level in text.split(",") if level.strip()]
    for level in levels:
        if level not in KNOWN:
            raise _fail(f"There is no computer player '{level}'. There is: {', '.join(KNOWN)}.")
    if len(levels) == 1:
        return levels * count
    if len(levels) != count:
        raise _fail(f"{count} computers play, but {len(levels)} levels are given: give one for all, or one each.")
    return levels


def _refused(game: Game, error: BadSetup) -> typer.Exit:
    return _fail(game.words.refusal(error.refusal, []))


@app.callback(invoke_without_command=True)
def root(
    version: Annotated[bool, typer.Option("--version", help="Say which version this is, and leave.")] = False,
) -> None:
    if version:
        build = "compiled" if _compiled() else "interpreted"
        console.print(
            f"Shopfloor {shopfloor.__version__}, rules {build}, Python {sys.version.split()[0]}", highlight=False
        )
        raise typer.Exit


def _compiled() -> bool:
    """Do the rules run as machine code?"""
    from shopfloor.engine import state

    return not str(getattr(state, "__file__", "")).endswith(".py")


@app.command()
def games(
    game: Annotated[str | None, typer.Argument(help="Only this game, with all that can be agreed.")] = None,
) -> None:
    """List the games; with a game's name, what can be agreed at its tables."""
    if game is not None:
        _agreements(_game(game))
        return
    table = Table(header_style="bold")
    for column in ("Game", "", "Players", "Minutes", "Options"):
        table.add_column(column)
    for found in REGISTRY.all():
        players = f"{min(found.player_counts)} to {max(found.player_counts)}"
        options = "\n".join(
            f"{o.id}={'|'.join([*o.values, *(['ID+ID+...'] if o.picks else [])])}" for o in found.options
        )
        table.add_row(found.id, found.title, players, str(found.minutes), Text(options))
    console.print(table)
    console.print("What the options mean: shopfloor games GAME", highlight=False)


def _agreements(game: Game) -> None:
    """What can be agreed at a table of a game, each value with its meaning."""
    for option in game.options:
        title, why = game.words.option(option.id)
        if option.counts:
            why = f"{why} (Only with {' or '.join(map(str, option.counts))} players.)"
        console.print(Text.assemble((title, "bold"), f": {why}"), highlight=False)
        lines = Table.grid(padding=(0, 2), pad_edge=True)
        lines.add_column(no_wrap=True)
        for value in option.values:
            usual = " (usual)" if value == option.default else ""
            lines.add_row(f"  {option.id}={value}", Text(f"{game.words.option_value(option.id, value)}{usual}"))
        if option.picks:
            example = JOIN.join(option.picks[:2])
            lines.add_row(f"  {option.id}={example}{JOIN}...", "your own choice, with + between the picks:")
        for pick in option.picks:
            name = game.words.option_value(option.id, pick)
            lines.add_row(f"    {pick}", Text(f"{name}: {game.pick_words(option.id, pick)}"))
        for found in pick_counts(option, game.options, game.player_counts):
            given = "".join(f", {name}={value}" for name, value in found.given)
            lines.add_row("", f"{found.count} picks with {found.players} players{given}")
        console.print(lines, highlight=False)


@app.command()
def play(
    game: GameArgument,
    players: PlayersOption = 3,
    bots: Annotated[
        str,
        typer.Option("--bots", "-b", help=f"Level of the computers, {', '.join(LEVELS)}: one for all, or one each."),
    ] = STAND_IN,
    people: Annotated[int, typer.Option("--people", help="How many people play at this keyboard.", min=0)] = 1,
    name: Annotated[
        list[str] | None, typer.Option("--name", help="A person's name; may be given several times.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="The same seed deals the same game; without it, a secret one.")
    ] = None,
    option: OptionOption = None,
    edition: EditionOption = None,
    budget: MostOption = None,
    thinking_processes: ThinkingOption = 1,
    hints: Annotated[bool, typer.Option("--hints/--no-hints", help="May people ask what they might do?")] = True,
    record: Annotated[Path | None, typer.Option("--save", help="Write the game's record to this file.")] = None,
) -> None:
    """Play in the terminal."""
    found = _game(game)
    if not 0 <= people <= players:
        raise _fail(f"{people} people cannot sit on {players} seats.")
    given = [n for n in name or [] if n.strip()]
    persons = (given + [f"Player {i + 1}" for i in range(len(given), people)])[:people]
    levels = _levels(bots, players - people) if players > people else []
    cards = _edition(found, edition)
    names = seat_names(persons, levels)
    computers = make_bots(people, levels, secrets.randbits(31), budget, thinking_processes, cards)
    try:
        table = TerminalGame(
            console, found, names, computers, seed, _options(option), cards, dict(enumerate(levels, people)), hints
        )
    except BadSetup as error:
        raise _refused(found, error) from None
    try:
        table.run()
    except (Quit, EOFError, KeyboardInterrupt):
        console.print("The game was left before its end.")
    if record is not None:
        try:
            save(table.record(), record)
        except OSError as error:
            raise _fail(f"The record could not be written to {record}: {error.strerror}.") from None
        console.print(f"The record is in {record}.", highlight=False)


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="Where to listen; 0.0.0.0 lets others in the network in.")] = None,
    port: Annotated[int | None, typer.Option(help="The port; 0 takes any; else 8000 or the next free one.")] = None,
    database: Annotated[str | None, typer.Option(help="A file for SQLite, or a database URL.")] = None,
    base_url: Annotated[str | None, typer.Option(help="The address that people use, if another than this.")] = None,
    pace: Annotated[float | None, typer.Option(help="Least seconds that computers take for a move (0.8).")] = None,
    budget: Annotated[float | None, typer.Option(help="Most seconds that a computer thinks about a move (5).")] = None,
    workers: Annotated[int | None, typer.Option(help="Processes for the computers' thinking (1).")] = None,
    thinking_processes: Annotated[
        int | None, typer.Option(help="Of each of them, processes that think about one move of the foreman (1).")
    ] = None,
    smtp: Annotated[str | None, typer.Option(help="The mail server for notices: smtp://user:password@host.")] = None,
    mail_from: Annotated[str | None, typer.Option(help="Whom mails come from.")] = None,
    webhooks: Annotated[bool | None, typer.Option(help="Send notices to addresses that players give.")] = None,
    push: Annotated[str | None, typer.Option(help="Notices by web push; whom to turn to: mailto:... .")] = None,
    open_: Annotated[bool, typer.Option("--open", help="Open the site in the browser.")] = False,
) -> None:
    """Open the site. Every option can also be set as a variable, e.g. SHOPFLOOR_PORT."""
    from shopfloor.web.serve import CannotServe, run
    from shopfloor.web.settings import BadSetting, Settings

    try:
        told = {"smtp": smtp, "mail_from": mail_from, "webhooks": webhooks, "push": push}
        settings = Settings.from_environment(
            host=host,
            port=port,
            database=database,
            base_url=base_url,
            pace=pace,
            budget=budget,
            workers=workers,
            thinking_processes=thinking_processes,
            **told,
        )
        run(settings, open_browser=open_)
    except (BadSetting, CannotServe) as error:
        raise _fail(str(error)) from None


@app.command()
def bots(
    database: Annotated[str | None, typer.Option(help="The URL of the database that the servers share.")] = None,
    pace: Annotated[float | None, typer.Option(help="Least seconds that computers take for a move (0.8).")] = None,
    budget: Annotated[float | None, typer.Option(help="Most seconds that a computer thinks about a move (5).")] = None,
    workers: Annotated[int | None, typer.Option(help="Processes for the thinking (1).")] = None,
    thinking_processes: Annotated[
        int | None, typer.Option(help="Of each of them, processes that think about one move of the foreman (1).")
    ] = None,
) -> None:
    """Let computers think for the tables of servers on the same PostgreSQL, until stopped."""
    from shopfloor.web.bots import run
    from shopfloor.web.serve import CannotServe
    from shopfloor.web.settings import BadSetting, Settings

    try:
        told = {"workers": workers, "thinking_processes": thinking_processes}
        run(Settings.from_environment(database=database, pace=pace, budget=budget, **told))
    except (BadSetting, CannotServe) as error:
        raise _fail(str(error)) from None


DatabaseFile = Annotated[Path | None, typer.Option("--database", help="The file; without it the usual one.")]


def _database_file(given: Path | None) -> Path:
    from shopfloor.web.settings import Settings

    file = Settings.from_environment(database=None if given is None else str(given)).file
    if file is None:
        raise _fail("These tables are in PostgreSQL, which has programs of its own for this: pg_dump and pg_restore.")
    return file


@app.command()
def backup(
    target: Annotated[Path, typer.Argument(help="The file to write; one that is there is replaced.")],
    database: DatabaseFile = None,
) -> None:
    """Copy all tables to a file, while servers go on."""
    from shopfloor.tables.backup import back_up
    from shopfloor.tables.errors import StorageError

    file = _database_file(database)
    try:
        tables = back_up(file, target.absolute())
    except StorageError as error:
        raise _fail(str(error)) from None
    console.print(f"{tables} table{'' if tables == 1 else 's'} from {file} saved to {target}.", highlight=False)


@app.command()
def restore(
    source: Annotated[Path, typer.Argument(help="A file that `shopfloor backup` has written.")],
    database: DatabaseFile = None,
) -> None:
    """Put a backup back. What is there now is kept beside it; servers go on with what the backup holds."""
    from shopfloor.tables.backup import restore as put_back
    from shopfloor.tables.errors import StorageError

    file = _database_file(database)
    try:
        tables, before = put_back(source.absolute(), file)
    except StorageError as error:
        raise _fail(str(error)) from None
    console.print(f"{tables} table{'' if tables == 1 else 's'} from {source} restored to {file}.", highlight=False)
    if before is not None:
        console.print(f"What was there before is in {before}.", highlight=False)


DatabaseOption = Annotated[str | None, typer.Option("--database", help="A file for SQLite, or a database URL.")]
TableArgument = Annotated[str, typer.Argument(help="The table's id: the last part of its address.")]
SeatArgument = Annotated[int, typer.Argument(help="The seat, from 1.", min=1)]


@contextmanager
def _tables(database: str | None) -> Iterator[Tables]:
    """The tables of a server; what they refuse is said, and ends the command."""
    from shopfloor.tables.errors import StorageError, TableError
    from shopfloor.web.app import open_tables
    from shopfloor.web.settings import Settings

    try:
        tables = open_tables(Settings.from_environment(database=database))
    except (StorageError, OSError) as error:
        raise _fail(str(error)) from None
    try:
        yield tables
    except TableError as error:
        raise _fail(error.sentence) from None
    finally:
        tables.close()


@admin.command()
def grant(
    name: Annotated[str, typer.Argument(help="The name of an account.")], database: DatabaseOption = None
) -> None:
    """Make an account an administrator's."""
    with _tables(database) as tables:
        found = tables.accounts.grant(name)
    console.print(f"{found.name} is an administrator now.", highlight=False)


@admin.command()
def revoke(
    name: Annotated[str, typer.Argument(help="The name of an account.")], database: DatabaseOption = None
) -> None:
    """Make an administrator's account an ordinary one again."""
    with _tables(database) as tables:
        found = tables.accounts.grant(name, False)
    console.print(f"{found.name} is no administrator any more.", highlight=False)


@admin.command(name="list")
def list_(database: DatabaseOption = None) -> None:
    """The administrators by `grant`."""
    with _tables(database) as tables:
        for found in tables.accounts.admins():
            console.print(found.name, highlight=False)


@admin.command()
def end(table: TableArgument, database: DatabaseOption = None) -> None:
    """End a table: nobody decides there any more. Nothing is deleted."""
    with _tables(database) as tables:
        found = tables.end(table)
    console.print(f"Table {found.id} is ended.", highlight=False)


@admin.command()
def reopen(table: TableArgument, database: DatabaseOption = None) -> None:
    """Open a table again that was ended."""
    with _tables(database) as tables:
        found = tables.reopen(table)
    console.print(f"Table {found.id} goes on.", highlight=False)


@admin.command()
def rewind(
    table: TableArgument,
    line: Annotated[int, typer.Argument(help="The last line of its log that stays as it is.", min=1)],
    database: DatabaseOption = None,
) -> None:
    """Take back all decisions after a line of a table's log."""
    with _tables(database) as tables:
        found = tables.rewind(table, line)
    console.print(f"Table {found.id} is as it was after line {line}.", highlight=False)


@admin.command(name="replace")
def replace_(
    table: TableArgument,
    seat: SeatArgument,
    level: Annotated[str, typer.Option(help=f"Level of the computer: {', '.join(KNOWN)}.")] = STAND_IN,
    database: DatabaseOption = None,
) -> None:
    """Let a computer play in a person's place, for good."""
    with _tables(database) as tables:
        found = tables.replace_seat(table, seat - 1, level)
    console.print(f"{found.seats[seat - 1].name} plays in seat {seat} of table {found.id}.", highlight=False)


@admin.command()
def free(table: TableArgument, seat: SeatArgument, database: DatabaseOption = None) -> None:
    """Let somebody else have a person's seat."""
    with _tables(database) as tables:
        found = tables.free_seat(table, seat - 1)
    console.print(f"Seat {seat} of table {found.id} can be had.", highlight=False)


@admin.command()
def silence(
    table: TableArgument,
    seat: SeatArgument,
    off: Annotated[bool, typer.Option("--off", help="Let them speak again.")] = False,
    database: DatabaseOption = None,
) -> None:
    """Let a person say nothing more at a table."""
    with _tables(database) as tables:
        found = tables.silence_seat(table, seat - 1, not off)
    name = found.seats[seat - 1].name
    console.print(f"{name} {'may speak' if off else 'is silenced'} at table {found.id}.", highlight=False)


@admin.command()
def recount(database: DatabaseOption = None) -> None:
    """Make all results and ratings anew from the logs, and say what was different."""
    with _tables(database) as tables:
        different, all_of_them = tables.recount_stored()
    console.print(f"{all_of_them} results, of which {different} were different.", highlight=False)


@app.command(name="replay")
def replay_(
    file: Annotated[Path, typer.Argument(help="A record, as `shopfloor play --save` or the site writes it.")],
    at: Annotated[int | None, typer.Option(help="Show the table after this many decisions, and stop.", min=0)] = None,
    seat: Annotated[int | None, typer.Option(help="See it with the eyes of a seat (from 1).", min=1)] = None,
    check: Annotated[bool, typer.Option("--check", help="Only say whether the record holds.")] = False,
    edition: EditionOption = None,
) -> None:
    """Tell a recorded game again, checking every decision."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise _fail(
            f"{file} cannot be read: {getattr(error, 'strerror', None) or 'it is not text in UTF-8'}."
        ) from None
    try:
        record = load(text)
        found = _game(record.game)
        names = list(record.names) or [f"Seat {i + 1}" for i in range(record.players)]
        viewer = None if seat is None else seat - 1
        if viewer is not None and viewer >= record.players:
            raise _fail(f"There is no seat {seat} in a game of {record.players}.")
        if at is not None and at > len(record.decisions):
            raise _fail(f"The game has {len(record.decisions)} decisions, not {at}.")
        state = None
        for n, step in enumerate(replay(record, found, _edition(found, edition))):
            state = step.state
            if not check:
                show_events(console, found, step.events, viewer, names)
            if n == at:
                break
    except RecordError as error:
        raise _fail(f"{file} is no record that can be played: {error}") from None
    assert state is not None
    if check:
        console.print(f"{file}: {len(record.decisions)} decisions, all of them right.", highlight=False)
    elif state.over():
        show_standing(console, found, state.standing(), names)
    else:
        show_board(console, found, state, viewer, names)


@app.command(name="corpus")
def corpus_(
    folder: Annotated[Path, typer.Argument(help="Records (.jsonl), in this folder and those in it.")],
    keep: Annotated[
        bool, typer.Option("--keep", help="Keep what follows from each record by these rules, in a file beside it.")
    ] = False,
    edition: EditionOption = None,
) -> None:
    """Play records by the rules as they are now, and say which games go another way than they went, and where.

    What followed when the records were made is read from the files beside them that --keep has written.
    """
    from shopfloor.engine import corpus

    files = sorted(folder.rglob("*.jsonl"))
    if not files:
        raise _fail(f"There is no record in {folder}: the files of records end in .jsonl.")
    different = 0
    for file in files:
        kept = corpus.beside(file)
        try:
            record = load(file.read_text(encoding="utf-8"))
            found = _game(record.game)
            cards = _edition(found, edition)
            if keep:
                kept.write_text(corpus.write(corpus.trace(record, found, cards)), encoding="utf-8")
                continue
            if not kept.exists():
                raise _fail(f"{kept} is missing: write it with --keep, by the rules that the record was made with.")
            one = corpus.difference(record, found, corpus.read(kept.read_text(encoding="utf-8")), cards)
        except (OSError, UnicodeDecodeError) as error:
            raise _fail(
                f"{file} cannot be read or written: {getattr(error, 'strerror', None) or 'not UTF-8'}."
            ) from None
        except RecordError as error:
            raise _fail(f"{file} is no record that can be played: {error}") from None
        except corpus.TraceError as error:
            raise _fail(f"{kept} is not what followed from {file}: {error}.") from None
        if one is not None:
            different += 1
            where = f"decision {one.decision} of {len(record.decisions)}" if one.decision else "the start"
            versions = f"rules {record.rules_version}, now {found.rules_version}"
            console.print(f"{file}: from {where} on: {one.why} ({versions}).", highlight=False, soft_wrap=True)
    if keep:
        console.print(f"{len(files)} records, and what follows from them.", highlight=False)
        return
    console.print(f"{len(files)} records, of which {different} go another way.", highlight=False)
    if different:
        raise typer.Exit(1)


@editions.command(name="check")
def check_edition(
    folder: Annotated[Path, typer.Argument(help="The folder with the CSV files.")],
    game: Annotated[
        str | None, typer.Option("--game", "-g", help="Which game it is for; else found by its files.")
    ] = None,
) -> None:
    """Check an edition: every fault with file, line, what is wrong and why."""
    found = _game(game) if game else _game_of(folder)
    try:
        cards = found.edition(folder)
    except EditionError as error:
        for problem in error.problems:
            errors.print(Text(str(problem), style="red"))
        count = len(error.problems)
        raise _fail(
            f"{count} fault{'s' if count > 1 else ''}; {found.title} cannot be played with this edition."
        ) from None
    console.print(f"Good: an edition of {found.title}, named {cards.hash}.", highlight=False)


def _game_of(folder: Path) -> Game:
    """The game whose edition has the files of this folder."""
    if not folder.is_dir():
        raise _fail(f"{folder} is not a folder.")
    there = {path.name for path in folder.iterdir()}
    matches = [(len(_data_files(game) & there), game) for game in REGISTRY.all()]
    count, best = max(matches, key=lambda match: match[0])
    if count == 0:
        raise _fail(f"No file in {folder} belongs to an edition. Say which game it is for with --game.")
    return best


def _data_files(game: Game) -> set[str]:
    return {path.name for path in (game.folder / "data").iterdir() if path.suffix in (".csv", ".json")}


@editions.command(name="copy")
def copy_edition(
    game: GameArgument,
    folder: Annotated[Path, typer.Argument(help="A new folder.")],
) -> None:
    """Copy the edition that comes with a game, to be filled with the real cards."""
    found = _game(game)
    try:
        folder.mkdir(parents=True)
        for name in sorted(_data_files(found)):
            shutil.copy(found.folder / "data" / name, folder / name)
    except FileExistsError:
        raise _fail(f"{folder} is there already; nothing was changed.") from None
    except OSError as error:
        raise _fail(f"{folder} cannot be written: {error.strerror}.") from None
    console.print(f"The files are in {folder}. After editing: shopfloor editions check {folder}", highlight=False)


@app.command()
def simulate(
    game: GameArgument,
    games_: Annotated[int, typer.Option("--games", "-n", help="How many games.", min=1)] = 1000,
    players: Annotated[int | None, typer.Option("--players", "-p", help="How many seats; else the most.")] = None,
    bots: Annotated[str, typer.Option("--bots", "-b", help="Level of the seats: one for all, or one each.")] = "random",
    seed: Annotated[int, typer.Option(help="The first game's seed; the others follow.", min=0)] = 0,
    option: OptionOption = None,
    edition: EditionOption = None,
    budget: BudgetOption = 0.1,
    processes: ProcessesOption = 1,
    parquet: Annotated[
        Path | None, typer.Option("--parquet", help="Write a table to this file, one row a decision (shopfloor[lab]).")
    ] = None,
    observations: Annotated[
        bool, typer.Option("--observations", help="With --parquet: also what the seat knew, as numbers.")
    ] = False,
    records: Annotated[Path | None, typer.Option("--records", help="Write each game's record to this folder.")] = None,
) -> None:
    """Play many games between computers and add them up."""
    from shopfloor.lab import simulate as play_many
    from shopfloor.lab.recording import RecordSink
    from shopfloor.lab.simulate import Sink

    found = _game(game)
    seats = players if players is not None else max(found.player_counts)
    levels = _levels(bots, seats)
    cards = _edition(found, edition)
    if observations and parquet is None:
        raise _fail("--observations is about the table of --parquet.")
    sinks: list[Sink] = []
    try:
        with ExitStack() as open_files, _progress() as progress:
            if parquet is not None:
                try:
                    from shopfloor.lab.parquet import ParquetSink
                except ImportError as error:
                    raise _fail(f"{error}.") from None
                table_sink = ParquetSink(parquet, found, seats, _options(option), cards, observations)
                sinks.append(open_files.enter_context(table_sink))
            if records is not None:
                sinks.append(RecordSink(records, found, cards))
            task = progress.add_task(found.title, total=games_)
            result = play_many(
                found.id,
                seats,
                games_,
                seed,
                levels,
                _options(option),
                edition,
                on_progress=lambda done, _: progress.update(task, completed=done),
                processes=processes,
                budget=budget,
                sinks=sinks,
            )
    except BadSetup as error:
        raise _refused(found, error) from None
    except OSError as error:
        raise _fail(f"{error.filename} cannot be written: {error.strerror}.") from None
    table = Table(title=f"{result.games:,} games of {found.title}", header_style="bold")
    table.add_column("")
    for seat in result.seats:
        table.add_column(f"Seat {seat.seat + 1}, {seat.level}", justify="right")
    table.add_row("Victories", *(f"{seat.share:.1%}" for seat in result.seats))
    for k in range(seats):
        table.add_row(f"Place {k + 1}", *(f"{seat.places[k] / result.games:.1%}" for seat in result.seats))
    table.add_row("Mean place", *(f"{seat.place:.2f}" for seat in result.seats), end_section=True)
    for i, criterion in enumerate(result.criteria):
        title = f"{found.words.criterion(criterion)[0]}, mean"
        table.add_row(title, *(f"{seat.values[i]:.2f}" for seat in result.seats))
    console.print(table)
    mean, least, most = result.decisions
    console.print(
        f"{mean:.1f} decisions a game ({least} to {most}); {result.games_per_second:,.0f} games "
        f"and {result.decisions_per_second:,.0f} decisions a second. Edition {cards.hash}.",
        highlight=False,
    )
    if parquet is not None:
        console.print(f"The decisions are in {parquet}.", highlight=False)
    if records is not None:
        console.print(f"The records are in {records}.", highlight=False)


@app.command()
def ladder(
    game: GameArgument,
    players: Annotated[list[int] | None, typer.Option("--players", "-p", help="Player counts; else all.")] = None,
    levels: Annotated[
        str | None,
        typer.Option(help="Levels from weak to strong, each against all before it; else all, against the one below."),
    ] = None,
    games_: Annotated[int | None, typer.Option("--games", "-n", help="Games a pairing.", min=1)] = None,
    budget: MostOption = None,
    processes: ProcessesOption = 2,
    thinking_processes: ThinkingOption = 1,
    results: Annotated[Path | None, typer.Option(help="Keep every game in this file, and go on from it.")] = None,
    page: Annotated[Path | None, typer.Option(help="Also write the table as Markdown to this file.")] = None,
    minutes: Annotated[float | None, typer.Option(help="Begin no game after so many minutes.")] = None,
    exact: Annotated[
        bool,
        typer.Option(
            "--exact",
            help="Instead: what levels lose to who knows them, in so many solved positions (shopfloor[exact]).",
        ),
    ] = False,
    balance: Annotated[
        bool, typer.Option("--balance", help="Instead: one level in all seats; who wins from where.")
    ] = False,
    option: OptionOption = None,
    edition: Annotated[
        list[Path] | None, typer.Option("--edition", help="With --balance: another edition's folder, beside its own.")
    ] = None,
    nets: Annotated[
        Path | None,
        typer.Option("--nets", help="A folder of trained nets: each level with one, against itself without."),
    ] = None,
    ray: RayOption = False,
) -> None:
    """Measure how strong the computers are: rotated seats, with 95 % intervals."""
    from shopfloor.bots.nets import NetError
    from shopfloor.lab import ladder as rungs
    from shopfloor.lab.processes import NoRay
    from shopfloor.lab.results import ResultsError

    found = _game(game)
    chosen = None if levels is None else [level.strip() for level in levels.split(",") if level.strip()]
    if exact and balance:
        raise _fail("--exact and --balance are two measurements; ask for one at a time.")
    if (option or edition) and not balance:
        raise _fail("--option and --edition are about --balance.")
    if (exact or balance) and (nets is not None or ray):
        raise _fail("--nets and --ray are about ladders, not about --exact and --balance.")
    if thinking_processes > 1 and (exact or balance):
        raise _fail("--thinking-processes is about ladders of levels against each other.")
    if exact:
        if players and players != [2]:
            raise _fail("--exact is about games of two.")
        _exact(found, chosen, games_, budget, processes, results, page, minutes)
        return
    if balance:
        _balance(found, players, chosen, games_, budget, _options(option), edition, processes, results, page, minutes)
        return
    try:
        with _progress() as progress:
            task = progress.add_task(found.title)
            made = rungs.run(
                found.id,
                players or None,
                chosen,
                games_,
                budget,
                processes,
                results,
                on_progress=lambda done, total, _: progress.update(task, completed=done, total=total),
                minutes=minutes,
                nets=nets,
                ray=ray,
                thinking=thinking_processes,
            )
    except BadSetup as error:
        raise _refused(found, error) from None
    except (UnknownLevel, ResultsError, NetError, NoRay, ValueError) as error:
        raise _fail(f"{error}.") from None
    table = Table(title=f"{found.title}, edition {made.edition}", header_style="bold")
    for column in ("Players", "Challenger against field", "Games", "Victories (95 %)", "Equals", "Mean place", "ms"):
        table.add_column(column)
    for rung in made.rungs:
        pair = rung.pairing
        table.add_row(
            str(pair.players),
            f"{pair.title} against {pair.players - 1} {pair.field}",
            str(rung.games),
            f"{rung.share:.1%}\n{rung.share_interval[0]:.1%} to {rung.share_interval[1]:.1%}",
            f"{rung.even:.1%}\n{rung.verdict}",
            f"{rung.place:.2f}\n{rung.place_interval[0]:.2f} to {rung.place_interval[1]:.2f}",
            f"{1000 * rung.time:.1f}",
        )
    console.print(table)
    ratings = Table(title="Ratings by openskill (95 %)", header_style="bold")
    for column in ("Players", "Level", "Rating", "Games"):
        ratings.add_column(column)
    for count, rated in made.ratings:
        for one in rated:
            ratings.add_row(str(count), one.level, f"{one.mu:.1f}, {one.low:.1f} to {one.high:.1f}", str(one.games))
    console.print(ratings)
    _written(made, page)


@app.command()
def train(
    game: GameArgument,
    players: Annotated[int, typer.Option("--players", "-p", help="How many seats.")],
    out: Annotated[Path, typer.Option("--out", help="The folder of the training; one that is there is gone on with.")],
    hours: Annotated[
        float | None, typer.Option("--hours", help="Train until so many hours have gone into it, earlier runs counted.")
    ] = None,
    games_: Annotated[
        int | None, typer.Option("--games", "-n", help="Train until so many games have been played, likewise.")
    ] = None,
    processes: ProcessesOption = 1,
    ray: RayOption = False,
    seed: Annotated[int, typer.Option(help="The first game's seed; far from those of ladders.", min=0)] = 10**9,
    blank: Annotated[
        bool, typer.Option("--blank", help="Learn from nothing, without the hand-made judgement's opinion.")
    ] = False,
) -> None:
    """Train a network for the computers that think, by self-play (shopfloor[learning]).

    It can be stopped or killed at any moment: the same command goes on.
    """
    from shopfloor.lab.processes import NoRay

    try:
        from shopfloor.lab.learning.training import CHECKPOINT, Round, Settings, Trainer, TrainingError
        from shopfloor.lab.learning.training import train as train_net
    except ImportError as error:
        raise _fail(f"Training needs {error.name}, which is missing: pip install 'shopfloor[learning]'.") from None
    found = _game(game)

    def say(trainer: Trainer, done: Round) -> None:
        console.print(
            f"{done.games:,} games, {done.seconds / 60:.1f} min; positions {done.value:.4f} (by hand "
            f"{done.judgement:.4f}), decisions {done.policy:.4f} (by hand {done.ratings:.4f})",
            highlight=False,
            soft_wrap=True,
        )

    if (out / CHECKPOINT).exists():
        console.print(f"Going on with what is in {out}.", highlight=False)
    try:
        trainer = train_net(
            out, Settings(found.id, players, seed=seed, blank=blank), games_, hours, processes, ray, say
        )
    except BadSetup as error:
        raise _refused(found, error) from None
    except (TrainingError, NoRay, ValueError) as error:
        raise _fail(f"{error}.") from None
    except OSError as error:
        raise _fail(f"{error.filename or out} cannot be read or written: {error.strerror}.") from None
    except KeyboardInterrupt:
        console.print("Stopped; the same command goes on.")
        raise typer.Exit(130) from None
    console.print(
        f"The net of {trainer.games:,} games is {out / f'{players}.json'}. To measure it: "
        f"shopfloor ladder {found.id} --nets {out}",
        highlight=False,
        soft_wrap=True,
    )


def _exact(
    found: Game,
    levels: list[str] | None,
    positions: int | None,
    budget: float | None,
    processes: int,
    results: Path | None,
    page: Path | None,
    minutes: float | None,
) -> None:
    try:
        import scipy.optimize  # noqa: F401
    except ImportError:
        raise _fail(
            "Positions are solved with scipy, which is not installed: pip install 'shopfloor[exact]'."
        ) from None
    from shopfloor.lab import exploit
    from shopfloor.lab.results import ResultsError

    try:
        with _progress() as progress:
            task = progress.add_task(found.title)
            made = exploit.run(
                found.id,
                levels,
                positions,
                budget,
                processes,
                results,
                on_progress=lambda done, total: progress.update(task, completed=done, total=total),
                minutes=minutes,
            )
    except (UnknownLevel, ResultsError, ValueError) as error:
        raise _fail(f"{error}.") from None
    table = Table(title=f"{found.title}: what levels lose to who knows them", header_style="bold")
    for column in ("Level", "Positions", "Loses at least (95 %)", "Loses at most (95 %)"):
        table.add_column(column)
    for row in made.rows:
        table.add_row(exploit.named(row), str(row.positions), exploit.told(row.sure), exploit.told(row.seems))
    console.print(table)
    console.print(f"Positions of two, cut down and solved to within {made.gap:.0e} of a victory.", highlight=False)
    _written(made, page)


def _balance(
    found: Game,
    players: list[int] | None,
    levels: list[str] | None,
    games_: int | None,
    budget: float | None,
    options: dict[str, str],
    editions_: list[Path] | None,
    processes: int,
    results: Path | None,
    page: Path | None,
    minutes: float | None,
) -> None:
    from shopfloor.lab import balance
    from shopfloor.lab.results import ResultsError

    if levels is not None and len(levels) != 1:
        raise _fail("With --balance one level sits in all seats: name one.")
    for folder in editions_ or ():
        _edition(found, folder)
    try:
        with _progress() as progress:
            task = progress.add_task(found.title)
            made = balance.run(
                found.id,
                players or None,
                levels[0] if levels else STAND_IN,
                balance.GAMES if games_ is None else games_,
                budget,
                options,
                editions_ or (),
                processes,
                results,
                on_progress=lambda done, total: progress.update(task, completed=done, total=total),
                minutes=minutes,
            )
    except BadSetup as error:
        raise _refused(found, error) from None
    except (UnknownLevel, ResultsError, ValueError) as error:
        raise _fail(f"{error}.") from None
    table = Table(title=f"{found.title}: {made.level} in every seat", header_style="bold")
    for column in ("Players", "Edition", "Games", "Who", "Victories (95 %)", "Even"):
        table.add_column(column)
    for group in made.groups:
        for part in (*group.order, *group.seats):
            low, high = part.interval
            table.add_row(
                str(group.players),
                group.edition,
                str(group.games),
                part.who,
                f"{part.share:.1%} ({low:.1%} to {high:.1%})",
                f"{part.even:.1%}, {part.verdict}",
            )
    console.print(table)
    _written(made, page)


class _Page(Protocol):
    def write(self, path: str | Path) -> None: ...


def _written(made: _Page, page: Path | None) -> None:
    if page is not None:
        made.write(page)
        console.print(f"The page is {page}.", highlight=False)


def _progress() -> Progress:
    return Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=console
    )


def main() -> None:
    """Entry point."""
    try:
        app()
    except UnknownLevel as error:
        raise SystemExit(str(error)) from None
