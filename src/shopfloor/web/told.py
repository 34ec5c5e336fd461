"""Games, tables and logs in the shapes of the JSON API."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Any, get_type_hints

import msgspec

from shopfloor.bots import LEVELS, level_words, sayings
from shopfloor.bots.advice import Advice
from shopfloor.engine.actions import ActionSpace
from shopfloor.engine.events import Event
from shopfloor.engine.game import Game
from shopfloor.engine.options import pick_counts
from shopfloor.engine.views import plain
from shopfloor.engine.world import Proposal
from shopfloor.games import REGISTRY
from shopfloor.tables.administration import by_admin
from shopfloor.tables.model import LogLine, Table
from shopfloor.web import problems, schemas

HOW = (
    "The commitment is the SHA-256 of the seed's 32 bytes. Export the record once the game is over and replay it "
    "(shopfloor replay FILE): the seed gives every card that was turned over."
)


def data(value: object) -> dict[str, Any]:
    """A view, or facts, as dicts, tuples and plain values: what `plain` does, many times as fast."""
    found = msgspec.to_builtins(value, str_keys=True)
    assert isinstance(found, dict)
    return found


def game_summary(game: Game) -> schemas.GameSummary:
    return schemas.GameSummary(game.id, game.title, game.blurb, game.minutes, list(game.player_counts))


@lru_cache(maxsize=32)
def game_info(game_id: str) -> schemas.GameInfo:
    """All about a game; its actions are those of the edition that comes with it. Raises UnknownGame."""
    game = REGISTRY.get(game_id)
    edition = game.edition()
    space = game.space(edition)
    return schemas.GameInfo(
        id=game.id,
        title=game.title,
        blurb=game.blurb,
        minutes=game.minutes,
        rules_version=game.rules_version,
        edition=edition.hash,
        player_counts=list(game.player_counts),
        options=[_option(game, i) for i in range(len(game.options))],
        actions=[schemas.ActionInfo(i, space.name(i)) for i in range(space.size)],
        levels=[schemas.LevelInfo(level, *level_words(level)) for level in LEVELS],
        events={kind: list(names) for kind, names in game.events.items()},
        view=msgspec.json.schema(get_type_hints(game.viewer.view)["return"]),
    )


def _option(game: Game, i: int) -> schemas.OptionInfo:
    option = game.options[i]
    title, explanation = game.words.option(option.id)
    values = [
        schemas.OptionValue(value, game.words.option_value(option.id, value), int(value))
        if value in option.seat_values
        else schemas.OptionValue(value, game.words.option_value(option.id, value))
        for value in option.values
    ]
    picks = [
        schemas.OptionPick(
            pick,
            game.words.option_value(option.id, pick),
            game.pick_words(option.id, pick),
            [players for players, closed in option.closed if closed == pick],
        )
        for pick in option.picks
    ]
    counts = [
        schemas.PickCount(found.players, dict(found.given), found.count)
        for found in pick_counts(option, game.options, game.player_counts)
    ]
    about = (option.id, title, explanation, option.clause, option.default)
    return schemas.OptionInfo(*about, values, picks, counts, list(option.counts))


def seats(table: Table) -> list[schemas.SeatInfo]:
    return [
        schemas.SeatInfo(
            *(s.seat, s.kind, s.name, s.level, s.away, s.stand_in, s.offered, s.silenced),
            table.until(s.seat),
            table.left(s.seat),
        )
        for s in table.seats
    ]


def _request(table: Table) -> schemas.RequestInfo | None:
    found = table.request
    if found is None:
        return None
    return schemas.RequestInfo(found.number, found.kind, found.seat, found.target, list(table.awaited()))


def table_summary(table: Table, seat: int | None, base_url: str) -> schemas.TableSummary:
    return schemas.TableSummary(
        id=table.id,
        game=table.game.id,
        name=table.name,
        players=table.players,
        options=dict(table.options),
        status=table.status,
        number=table.number,
        seats=seats(table),
        created_at=table.created_at,
        deciders=list(table.deciders()),
        seat=seat,
        link=f"{base_url}/t/{table.id}",
    )


def table_info(table: Table, seat: int | None, manages: bool, base_url: str) -> schemas.TableInfo:
    """A table as the one in `seat` may see it."""
    view = table.view(seat)
    undo = None
    if seat is not None and table.undo_refusal(seat) is None:
        undo = table.undo_number(seat)
    shown: dict[str, Any] | None = None
    if view is not None:
        shown = data(view)
    return schemas.TableInfo(
        id=table.id,
        game=table.game.id,
        edition=table.edition,
        name=table.name,
        players=table.players,
        options=dict(table.options),
        status=table.status,
        number=table.number,
        seats=seats(table),
        created_at=table.created_at,
        commitment=table.commitment,
        seed=table.seed,
        rematch=table.rematch,
        rematch_of=table.rematch_of,
        deciders=list(table.deciders()),
        question=table.game.words.question(view, table.names()) if view is not None else "",
        seat=seat,
        manages=manages,
        undo=undo,
        undo_by_request=table.undo_number(seat) if seat is not None and table.undo_by_request(seat) else None,
        request=_request(table),
        clock=str(table.clock),
        paused=table.paused,
        archived=table.archived,
        ended=table.ended,
        rated=table.rated,
        muted=list(table.muted(seat)) if seat is not None else [],
        hints=table.hints,
        link=f"{base_url}/t/{table.id}",
        view=shown,
    )


def legal(table: Table, seat: int) -> schemas.Legal:
    """What a seat may decide now."""
    view = table.view(seat)
    if view is None:
        return schemas.Legal(table.number, seat, [])
    space = table.space()
    words = table.game.words
    actions = [
        schemas.LegalAction(a, space.name(a), words.action(a, view), table.by_hand(a)) for a in table.legal(seat)
    ]
    return schemas.Legal(table.number, seat, actions)


def advice(table: Table, found: Advice) -> schemas.AdviceInfo:
    """Advice as data and in the words of the game."""
    view = table.view(found.seat)
    assert view is not None
    space, _words = table.space(), table.game.words
    hints = [
        schemas.HintInfo(
            action=hint.action,
            name=space.name(hint.action),
            words=sayings.title(hint, table.game, view),
            value=hint.value,
            low=hint.low,
            high=hint.high,
            worlds=hint.worlds,
            against=None if hint.against is None else found.hints[hint.against].action,
            lead=hint.lead,
            lead_low=hint.lead_low,
            lead_high=hint.lead_high,
            even=hint.even,
            reasons=[
                schemas.ReasonInfo(r.measure, sayings.measured(table.game, r), r.mean, r.other, r.low, r.high)
                for r in hint.reasons
            ],
            sentences=list(sayings.sentences(number, found, table.game, view)),
            trials=_trials(hint.proposal),
        )
        for number, hint in enumerate(found.hints)
    ]
    return schemas.AdviceInfo(table.number, found.seat, found.choices, hints)


def _trials(found: Proposal | None) -> schemas.TrialsInfo | None:
    """What was tried out by hand."""
    if found is None:
        return None
    facts = plain(dict(found.facts))
    assert isinstance(facts, dict)
    via = [list(pose) for pose in found.via]
    return schemas.TrialsInfo(found.piece, list(found.pose), via, found.exact, facts)


def why_not(table: Table, seat: int, action: int) -> schemas.WhyNot:
    found = table.refusal(seat, action)
    name = table.space().name(action)
    if found is None:
        return schemas.WhyNot(action, name, True, "", "", {}, "This can be played now.")
    problem = problems.of_refusal(found, table.game, table.names())
    return schemas.WhyNot(action, name, False, problem.code, problem.clause, problem.facts, problem.sentence)


def log(table: Table, seat: int | None, since: int, deaf: Collection[int] = ()) -> list[schemas.LogEntry]:
    """The log after `since` as a seat may know it. deaf: the seats whose talk its reader does not want to read."""
    space = table.space()
    names = table.names()
    return [_line(table, line, space, names, seat) for line in table.log(seat, since, deaf)]


def _line(
    table: Table, line: LogLine, space: ActionSpace, names: Sequence[str], viewer: int | None
) -> schemas.LogEntry:
    name = space.name(line.action) if line.action is not None else None
    events = [_event(table.game, event, names, viewer) for event in line.events]
    return schemas.LogEntry(
        line.number, line.at, line.kind, line.seat, line.action, name, line.undone, events, line.text, by_admin(line)
    )


def _event(game: Game, event: Event, names: Sequence[str], viewer: int | None) -> schemas.EventInfo:
    return schemas.EventInfo(event.kind, event.clause, data(event.facts), game.words.event(event, names, viewer))


def news(table: Table, seat: int | None, since: int, deaf: Collection[int] = ()) -> schemas.News:
    """What has happened since a number."""
    deciders = table.deciders()
    lines = log(table, seat, since, deaf)
    mine = seat is not None and seat in deciders
    return schemas.News(table.number, table.status, list(deciders), mine, table.number <= since, lines)


def fairness(table: Table) -> schemas.Fairness:
    matches = None
    if table.seed is not None:
        matches = hashlib.sha256(bytes.fromhex(table.seed)).hexdigest() == table.commitment
    return schemas.Fairness(table.commitment, table.seed, matches, HOW)
