"""Does anything that the web answers depend on what its reader may not know?

A pair: one position of a random game and one reader (a seat, or a spectator). Everything that the server answers to
that reader is fetched twice: as it is, and with all dealt anew that the reader cannot know (other hands, the deck's
order, sealed choices). The two must be the same, byte for byte. None may hold the seed or anybody else's token.

    python -m tests.web.hidden worker_placement --pairs 10000
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from shopfloor.engine.dice import FastDice
from shopfloor.games import REGISTRY
from shopfloor.tables.fold import Fold, Kept
from shopfloor.tables.service import Tables
from shopfloor.web.app import create_app
from shopfloor.web.live import Live
from shopfloor.web.settings import Settings
from tests.tables.helpers import Party
from tests.web.asked import Asker

# What differs from one answer to the next by nature: keys and tokens of forms, times of the answer.
FLEETING = re.compile(
    r'name="(?:key|_csrf_token)" value="[^"]*"|name="now" content="[^"]*"|just now|\d+ min ago|(?<=<b>)\d+:\d\d(?=</b>)'
)
GAMES = REGISTRY.ids()
UNDOING = 0.4  # entries of the log that are taken back for each step, at most, on average


@dataclass
class Found:
    """What was compared. wrong: sentences about what should not be."""

    pairs: int
    answers: int
    readers: int
    wrong: list[str]


def answers(asker: Asker, table: str, token: str | None, actions: list[int], number: int) -> Iterator[tuple[str, str]]:
    """Everything that the server answers to a reader, each with its address; what is fleeting is left out.

    number: of the log's last entry. actions: some that are asked about.
    """
    api, page = f"/api/tables/{table}", f"/t/{table}"
    paths = [api, *(f"{api}/{name}" for name in ("view", "log", "fairness", "record", "analysis", "wait?number=0"))]
    if token:
        paths += [f"{api}/legal", f"{api}/notices", *(f"{api}/refusal?action={action}" for action in actions)]
    for path in paths:
        yield path, asker.ask(path, bearer=token)
    yield "a stream from the beginning", asker.ask(f"{api}/events?since=0", bearer=token, stream=True)
    yield "a stream resumed", asker.ask(f"{api}/events?since={number // 2}", bearer=token, stream=True)
    if token:
        stale = {"action": 0, "based_on": 0, "key": "stale"}
        yield "a stale decision", asker.ask(f"{api}/actions", bearer=token, body=stale)
        undo = {"number": 1, "key": "undo"}
        yield "an undo that is refused", asker.ask(f"{api}/undo", bearer=token, body=undo)
    paths = [page, *(f"{page}/{name}" for name in ("verify", "record", "since", f"at/{number // 2}", f"then/{number}"))]
    for path in paths:
        yield path, FLEETING.sub("", asker.ask(path, player=token))
    yield "a page's stream", FLEETING.sub("", asker.ask(f"{page}/stream", player=token, stream=True))


def _dealt_anew(fold: Fold, reader: int | None, dice: FastDice) -> Fold:
    """The table as it could be just as well for all that the reader may know, its log without what others were told."""
    state: Any = fold.state
    other = state.imagine(0 if reader is None else reader, dice)
    if reader is None:  # nobody's knowledge is kept
        other = other.imagine(1, dice)
    twin = fold.copy()
    twin.state = other
    for i, kept in enumerate(fold.lines):
        line = kept.full
        events = tuple(event for event in line.events if event.concerns(reader))
        action = line.action if reader is not None and line.seat == reader else None
        twin.lines[i] = Kept(replace(line, events=events, action=action), kept.public)
    return twin


def check(game: str, pairs: int, seed: int, folder: Path, players: int | None = None) -> Found:
    """Sample pairs of a game, and compare. players: how many play; None: now so many, now so many."""
    counts = REGISTRY.get(game).player_counts if players is None else (players,)
    chance = random.Random(seed)
    found = Found(0, 0, 0, [])
    settings = Settings(database=str(folder / f"{game}.db"), tables_a_minute=0, tries_a_minute=0, changes_a_minute=0)
    readers: set[object] = set()
    with _by_dice(game), Asker(create_app(settings)) as asker:
        tables: Tables = asker.app.state.services.tables
        party: Party | None = None
        while found.pairs < pairs:
            if party is None or party.table.status == "over":
                party = Party(tables, chance.choice(counts), game=game)
                party.random = random.Random(chance.random())
            for _ in range(chance.randint(1, 12)):
                if party.table.status != "over":
                    _step(party, chance)
            if party.table.status != "over":
                reader = chance.choice([None, *range(party.table.players)])
                readers.add(reader)
                _pair(asker, tables, party, reader, chance, found)
    found.readers = len(readers)
    return found


@contextmanager
def _by_dice(game: str) -> Iterator[None]:
    """What hands do is left to the dice, which is quicker and shows the same."""
    played = REGISTRY.get(game)
    world = played.world
    object.__setattr__(played, "world", "")
    try:
        yield
    finally:
        object.__setattr__(played, "world", world)


def _step(party: Party, chance: random.Random) -> None:
    """A random decision, or one taken back, where that is free or all agree."""
    seat = chance.randrange(party.table.players)
    last = party.table.undo_number(seat)
    # The further back, the rarer: else a game in which much happens between two turns of a seat would never end.
    if last is not None and chance.random() < UNDOING / (party.table.number - last + 1):
        if party.table.undo_refusal(seat) is None:
            party.undo(seat)
            return
        if party.table.undo_by_request(seat):
            asked = party.tables.ask_undo(party.id, party.tokens[seat], last, f"ask-{next(party.keys)}").number
            for other in party.table.awaited():
                party.tables.answer_request(party.id, party.tokens[other], asked, True)
            return
    party.random_move()


def _pair(
    asker: Asker,
    tables: Tables,
    party: Party,
    reader: int | None,
    chance: random.Random,
    found: Found,
) -> None:
    fold = tables._current(party.id)
    token = None if reader is None else party.tokens[reader]
    size = party.table.space().size
    actions = [chance.randrange(size) for _ in range(4)]
    as_it_is = dict(answers(asker, party.id, token, actions, fold.number))
    twin = _dealt_anew(fold, reader, FastDice(chance.getrandbits(60)))
    tables._cache.exchange(party.id, twin)
    services: Any = asker.app.state.services
    object.__setattr__(services, "live", Live())
    try:
        dealt_anew = dict(answers(asker, party.id, token, actions, fold.number))
    finally:
        tables._cache.exchange(party.id, fold)
        object.__setattr__(services, "live", Live())
    secrets = [fold.header.seed.hex(), *(t for t in (*party.tokens, party.creator) if t != token)]
    who = "a spectator" if reader is None else f"seat {reader}"
    for path, text in as_it_is.items():
        found.answers += 1
        if text != dealt_anew[path]:
            found.wrong.append(f"{path} tells {who} what it may not know at entry {fold.number}")
        if text.startswith("5"):
            found.wrong.append(f"{path} fails, for {who}, at entry {fold.number}")
        if any(secret in text for secret in secrets):
            found.wrong.append(f"{path} holds a secret, for {who}, at entry {fold.number}")
    found.pairs += 1


def main() -> int:
    """Print what was compared; 1 if something was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="*", default=GAMES)
    parser.add_argument("--pairs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    wrong = 0
    for game in given.game:
        with tempfile.TemporaryDirectory() as folder:
            found = check(game, given.pairs, given.seed, Path(folder))
        print(f"{game}: {found.pairs} pairs, {found.answers} answers, {len(found.wrong)} differences", flush=True)
        for sentence in found.wrong[:20]:
            print(f"  {sentence}")
        wrong += len(found.wrong)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
