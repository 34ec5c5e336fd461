"""Records: a game as readable lines of JSON that replay to the same states and events, byte for byte.

The first line says which game, rules version, edition, options and seed; then one line a decision; the last line
says how many decisions there were, how it stands, and a digest of all lines before it, so that a record that was
cut short or edited is recognised.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from shopfloor.engine.dice import Seed, make_dice
from shopfloor.engine.events import Event
from shopfloor.engine.game import Edition, Game
from shopfloor.engine.refusals import Refused
from shopfloor.engine.state import State

FORMAT = 1
MAX_BYTES = 16_000_000


class RecordError(Exception):
    """A record cannot be used. `line` says where (0: the whole), the message what was wrong."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(f"line {line}: {what}" if line else what)
        self.line = line
        self.what = what


@dataclass(frozen=True)
class Record:
    """A game from its first card on.

    seed: an integer (fast dice) or 64 hex digits (sealed dice). decisions: (seat, action id) in the order played.
    names: what the players were called, one for each seat; may be empty.
    outcomes: for decisions that the world had a say in: (number of the decision from 1, what `play_outcome` was given).
    """

    game: str
    rules_version: str
    edition: str
    players: int
    options: dict[str, str]
    seed: int | str
    decisions: tuple[tuple[int, int], ...] = ()
    names: tuple[str, ...] = ()
    finished: bool = False
    standing: tuple[tuple[int, int], ...] = field(default=())
    outcomes: tuple[tuple[int, str], ...] = ()


# JSON leaves these as they are, but many programs end a line at them.
_LINE_ENDS = {ord(c): f"\\u{ord(c):04x}" for c in "\x85\u2028\u2029"}


def _line(value: dict[str, object]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": ")).translate(_LINE_ENDS)


def seed_text(seed: Seed) -> int | str:
    """A seed as a record holds it. Raises ValueError for None: a record needs the seed itself."""
    if seed is None:
        raise ValueError("a record needs the seed")
    return seed.hex() if isinstance(seed, bytes) else seed


def dump(record: Record, name_of: Callable[[int], str]) -> str:
    """The record as text; `name_of` gives an action's name, which makes the lines readable."""
    head: dict[str, object] = {
        "shopfloor": FORMAT,
        "game": record.game,
        "rules": record.rules_version,
        "edition": record.edition,
        "players": record.players,
        "options": record.options,
        "seed": record.seed,
    }
    if record.names:
        head["names"] = list(record.names)
    lines = [_line(head)]
    outcomes = dict(record.outcomes)
    for n, (seat, action) in enumerate(record.decisions, 1):
        line: dict[str, object] = {"n": n, "seat": seat, "action": action, "do": name_of(action)}
        if n in outcomes:
            line["outcome"] = json.loads(outcomes[n])
        lines.append(_line(line))
    body = "\n".join(lines) + "\n"
    end: dict[str, object] = {"decisions": len(record.decisions), "finished": record.finished}
    if record.finished:
        end["places"] = {str(seat): place for seat, place in record.standing}
    return body + _sealed(body, end) + "\n"


def _sealed(body: str, end: dict[str, object]) -> str:
    """The last line with its digest, for the lines before it."""
    plain = {key: value for key, value in end.items() if key != "digest"}
    digest = hashlib.sha256((body + _line(plain)).encode()).hexdigest()
    return _line({**plain, "digest": digest})


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is no number in JSON")


def _parse(number: int, line: str) -> dict[str, object]:
    try:
        value = json.loads(line, parse_constant=_no_number)
    except (ValueError, RecursionError):  # also integers of thousands of digits
        raise RecordError(number, "this is not a line of JSON; a record has one JSON object a line") from None
    if not isinstance(value, dict):
        raise RecordError(number, "a JSON object was expected")
    if "\\ud" in line.lower() and not _is_text(_line(value)):
        raise RecordError(number, "half a character (a lone surrogate) is written in this line")
    return value


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _integer(number: int, value: dict[str, object], key: str) -> int:
    found = value.get(key)
    if not isinstance(found, int) or isinstance(found, bool):
        raise RecordError(number, f"'{key}' must be a whole number")
    return found


def load(text: str) -> Record:
    """Reads a record. Raises RecordError: truncated, edited or malformed, with the line."""
    if not _is_text(text):
        raise RecordError(0, "the record is not text in UTF-8")
    if len(text) > MAX_BYTES:
        raise RecordError(0, f"a record has at most {MAX_BYTES:,} characters, this has {len(text):,}")
    # What mail and Windows do to text files is no edit.
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").rstrip("\n").split("\n")
    if lines == [""]:
        raise RecordError(0, "the record is empty")
    head = _parse(1, lines[0])
    if head.get("shopfloor") != FORMAT:
        raise RecordError(1, f'not a record of this format: the first line must say "shopfloor": {FORMAT}')
    for key in ("game", "rules", "edition"):
        if not isinstance(head.get(key), str):
            raise RecordError(1, f"'{key}' must be a text")
    players = _integer(1, head, "players")
    options = head.get("options")
    if not isinstance(options, dict) or not all(isinstance(v, str) for v in options.values()):
        raise RecordError(1, "'options' must be an object of texts")
    seed = head.get("seed")
    if not isinstance(seed, int | str) or isinstance(seed, bool):
        raise RecordError(1, "'seed' must be a whole number or 64 hexadecimal digits")
    names = head.get("names", [])
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise RecordError(1, "'names' must be a list of texts")
    end = _parse(len(lines), lines[-1])
    if "digest" not in end or len(lines) < 2:
        raise RecordError(len(lines), "the record is cut short: its last line, with the digest, is missing")
    decisions: list[tuple[int, int]] = []
    outcomes: list[tuple[int, str]] = []
    for number, line in enumerate(lines[1:-1], 2):
        value = _parse(number, line)
        if _integer(number, value, "n") != number - 1:
            raise RecordError(number, f"decision {number - 1} was expected here; a line is missing or twice")
        decisions.append((_integer(number, value, "seat"), _integer(number, value, "action")))
        if "outcome" in value:
            outcomes.append((number - 1, json.dumps(value["outcome"], ensure_ascii=False, separators=(",", ":"))))
    if _integer(len(lines), end, "decisions") != len(decisions):
        raise RecordError(len(lines), f"{end['decisions']} decisions announced, {len(decisions)} found")
    finished, standing = _ending(len(lines), end)
    if lines[-1] != _sealed("\n".join(lines[:-1]) + "\n", end):
        raise RecordError(len(lines), "the digest does not fit: the record has been edited since it was written")
    return Record(
        game=str(head["game"]),
        rules_version=str(head["rules"]),
        edition=str(head["edition"]),
        players=players,
        options={str(k): str(v) for k, v in options.items()},
        seed=seed,
        decisions=tuple(decisions),
        names=tuple(names),
        finished=finished,
        standing=standing,
        outcomes=tuple(outcomes),
    )


def _ending(number: int, end: dict[str, object]) -> tuple[bool, tuple[tuple[int, int], ...]]:
    """What the last line says: whether the game was finished, and then the seats with their places."""
    finished = end.get("finished")
    if not isinstance(finished, bool):
        raise RecordError(number, "'finished' must be true or false")
    if not finished:
        return False, ()
    places = end.get("places")
    standing: list[tuple[int, int]] = []
    for seat, place in places.items() if isinstance(places, dict) else ():
        if seat.isdecimal() and len(seat) < 5 and isinstance(place, int) and not isinstance(place, bool):
            standing.append((int(seat), place))
    if not isinstance(places, dict) or len(standing) != len(places):
        raise RecordError(number, '\'places\' must be an object with each seat\'s place, such as {"0": 2, "1": 1}')
    return True, tuple(standing)


@dataclass(frozen=True)
class Step:
    """One moment of a replay: the decision (None for the start), the state after it and the events it brought."""

    decision: tuple[int, int] | None
    state: State
    events: tuple[Event, ...]


def replay(record: Record, game: Game, edition: Edition | None = None, strict: bool = True) -> Iterator[Step]:
    """The game again, step by step; every step has a state of its own.

    edition: the edition named in the record, where it is not the one that comes with the game. strict: if not, the
    game is played by these rules and this edition whatever versions the record names.
    Raises RecordError if the rules version, the edition or a decision does not fit.
    """
    if record.game != game.id:
        raise RecordError(1, f"this is a record of '{record.game}', not of '{game.id}'")
    if strict and record.rules_version != game.rules_version:
        versions = f"{record.rules_version}; these rules are version {game.rules_version}"
        raise RecordError(1, f"played by rules version {versions}")
    cards = edition if edition is not None else game.edition()
    if strict and record.edition != cards.hash:
        raise RecordError(1, f"played with the edition {record.edition}; this one is {cards.hash}")
    try:
        state = game.start(record.players, make_dice(record.seed), record.options, cards, report=True)
    except (Refused, ValueError) as error:
        raise RecordError(1, f"no game starts like that: {error}") from None
    yield Step(None, state.clone(), tuple(state.drain()))
    outcomes = dict(record.outcomes)
    for n, (seat, action) in enumerate(record.decisions, 1):
        try:
            if n in outcomes:
                state.play_outcome(seat, action, outcomes[n])
            else:
                state.play(seat, action)
        except Refused as error:
            raise RecordError(n + 1, f"decision {n} is not allowed: {error}") from None
        yield Step((seat, action), state.clone(), tuple(state.drain()))
    end = len(record.decisions) + 2
    if record.finished:
        if not state.over():
            raise RecordError(end, "the record says that the game was finished, but it is not over")
        places = {rank.seat: rank.place for rank in state.standing().ranks}
        if places != dict(record.standing):
            raise RecordError(end, "the places do not agree with the game")


def record_of(
    game: Game,
    edition: Edition,
    seed: Seed,
    players: int,
    options: dict[str, str],
    decisions: Sequence[tuple[int, int]],
    state: State,
    names: Sequence[str] = (),
    outcomes: Sequence[tuple[int, str]] = (),
) -> Record:
    """The record of a game that has come to `state` by `decisions`."""
    over = state.over()
    return Record(
        game=game.id,
        rules_version=game.rules_version,
        edition=edition.hash,
        players=players,
        options=dict(options),
        seed=seed_text(seed),
        decisions=tuple(decisions),
        names=tuple(names),
        finished=over,
        standing=tuple(sorted((rank.seat, rank.place) for rank in state.standing().ranks)) if over else (),
        outcomes=tuple(outcomes),
    )
