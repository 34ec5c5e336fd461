"""Tables that never lose or corrupt a move.

Every change is judged on a snapshot, stored with the number that follows, and only then told to anybody. Whoever
finds the number taken by somebody else judges again from what is there now.
"""

from __future__ import annotations

import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final, TypeVar

import structlog
from sqlalchemy.exc import DBAPIError

from shopfloor.bots import KNOWN, STAND_IN
from shopfloor.engine.dice import FastDice
from shopfloor.engine.options import resolve_options
from shopfloor.engine.records import dump, record_of
from shopfloor.engine.registry import Registry, UnknownGame
from shopfloor.engine.world import Batch
from shopfloor.games import REGISTRY
from shopfloor.tables import administration, agreements, checks, holders, play, ratings, seating, talk
from shopfloor.tables.accounts import Account, Accounts
from shopfloor.tables.blocks import Blocks
from shopfloor.tables.checks import Member, Token
from shopfloor.tables.claims import Claims
from shopfloor.tables.clock import parse
from shopfloor.tables.counts import Counts
from shopfloor.tables.draft import Draft
from shopfloor.tables.errors import AccountError, TableError, UnknownTable
from shopfloor.tables.findings import Findings
from shopfloor.tables.fold import Fold
from shopfloor.tables.kept import Folds
from shopfloor.tables.model import Answer, Created, Place, Seated, Table
from shopfloor.tables.rows import Entry
from shopfloor.tables.signals import Signals
from shopfloor.tables.store import Conflict, Store
from shopfloor.tables.wishes import Wishes

log = structlog.get_logger(__name__)

DEFAULT_URL: Final = "sqlite:///shopfloor.db"
ROOTS_KEPT: Final = 10_000
ATTEMPTS: Final = 100

T = TypeVar("T")
News = Callable[[str, int], None]
Anew = Callable[[], None]


class Tables:
    """All tables of one database, and its people. Every method may be called from any thread.

    Methods that change something raise `TableError` (or `IllegalAction`, `BadSetup` where a game's rules refuse), and
    then nothing has changed. A token is a secret text that `create` and `sit` make, or that the caller brings; who is
    signed in needs none, and comes as a `Member`.
    """

    def __init__(self, url: str = DEFAULT_URL, registry: Registry = REGISTRY) -> None:
        """Opens the database and brings it up to date. Raises StorageError."""
        self._registry = registry
        self._store = Store(url)
        self.accounts = Accounts(self._store)
        self.blocks = Blocks(self._store)
        self.ratings = ratings.Ratings(self._store)
        self._cache = Folds()
        self._count_lock = threading.Lock()
        self._roots: OrderedDict[str, str] = OrderedDict()
        # One judgement at a time for a table, so that threads seldom have to judge again.
        self._table_locks = [threading.Lock() for _ in range(64)]
        self._stored: Counter[tuple[str, bool]] = Counter()
        self._seconds_storing = 0.0
        self._listeners: dict[object, tuple[News, Anew | None]] = {}
        self._hands_full: Callable[[str], bool] | None = None
        self._signals: Signals | None = None
        self._signals_lock = threading.Lock()

    def close(self) -> None:
        """Let go of the database. What was answered is stored already."""
        self._listeners.clear()
        with self._signals_lock:
            if self._signals is not None:
                self._signals.close()
                self._signals = None
        self._store.close()

    # -- with other processes on the same database --------------------------------------------------------------

    def claims(self) -> Claims | None:
        """A new worker's claims; None where the database is one server's alone, and nobody has to agree."""
        return None if self._store.is_sqlite else Claims(self._store)

    def counts(self, secret: str) -> Counts | None:
        """Who has asked for what how often, of all servers; None where there is one, which can count by itself."""
        return None if self._store.is_sqlite else Counts(self._store, secret)

    def findings(self) -> Findings:
        """What is kept of finished games."""
        return Findings(self._store)

    def wishes(self) -> Wishes:
        """Who wants to be told of their turn."""
        return Wishes(self._store)

    def shared(self, name: str, value: str) -> str:
        """What all servers on this database agree on: `value`, unless another came first with one of its own."""
        return self._store.shared(name, value)

    # -- looking ------------------------------------------------------------------------------------------------

    def table(self, table_id: str, told: int | None = None) -> Table:
        """The table as it is now. Raises UnknownTable; RULES_GONE if the game itself is not here any more.

        told: the number that news of it have brought; where that is at hand, the database is not asked.
        """
        return self._cache.table(self._current(checks.table_id(table_id), told))

    def at_hand(self, table_id: str, number: int) -> Table | None:
        """The table as it was after log entry `number`, if that can be told at once, without the database."""
        fold = self._cache.get(table_id)
        return self._cache.table(fold) if fold is not None and fold.number == number else None

    def known(self, table_id: str) -> Table:
        """The table as it was known last: for what does not change, such as its game. Raises UnknownTable."""
        fold = self._cache.get(checks.table_id(table_id))
        return self.table(table_id) if fold is None else self._cache.table(fold)

    def seat_of(self, table_id: str, token: Token | None) -> int | None:
        """Where this token sits, or None. Raises UnknownTable."""
        return self.table(table_id).seat_of(token)

    def seat_of_hash(self, table_id: str, person: str) -> int | None:
        """Where this person (as by `person`) sits, or None. Raises UnknownTable."""
        fold = self._current(checks.table_id(table_id))
        seat = fold.seat_of(person)
        people = self.blocks.people(fold.tokens) if seat is None else []
        return people.index(person) if person in people else seat

    def person(self, token: Token) -> str:
        """Who holds a token, as one text for all of their seats: the account, the browser where it is known, or the
        token's hash."""
        [found] = self.blocks.people([checks.token_hash(token)])
        assert found is not None
        return found

    def manages(self, table_id: str, token: Token | None) -> bool:
        """May this token fill seats and start: who made the table, or sits at it? Raises UnknownTable."""
        return self.table(table_id).managed_by(token)

    def place(self, table_id: str, tokens: Sequence[Token]) -> Place:
        """What somebody is at a table who has all of these: by the first that sits there, or else made it.

        Raises UnknownTable.
        """
        fold = self._current(checks.table_id(table_id))
        hashes = [checks.token_hash(token) for token in tokens]
        for token, each in zip(tokens, hashes, strict=True):
            seat = fold.seat_of(each)
            if seat is not None:
                return Place(token, seat, True)
        made = next((token for token, each in zip(tokens, hashes, strict=True) if each == fold.creator), None)
        return Place(made, None, made is not None)

    def root(self, table_id: str) -> str:
        """The first table of those that were each the rematch of the one before."""
        with self._count_lock:
            known = self._roots.get(table_id)
        if known is not None:
            return known
        header = self._store.header(table_id)
        found = table_id if header is None or header.rematch_of is None else self.root(header.rematch_of)
        with self._count_lock:
            self._roots[table_id] = found
            while len(self._roots) > ROOTS_KEPT:
                self._roots.popitem(last=False)
        return found

    def mine(self, tokens: Sequence[Token], limit: int = 50) -> list[tuple[Table, int | None]]:
        """Tables that the holder of these made or sits at, newest first, each with their seat if they have one.

        Of a browser's own token all is found that it holds.
        """
        hashes = self._hashes(tokens)
        found: list[tuple[Table, int | None]] = []
        for fold in self._folds(limit, hashes):
            seat = next((s for each in hashes if (s := fold.seat_of(each)) is not None), None)
            if seat is not None or fold.creator in hashes:
                found.append((self._cache.table(fold), seat))
        return found

    def _hashes(self, tokens: Sequence[Token]) -> list[str]:
        hashes = [checks.token_hash(token) for token in tokens]
        return list(dict.fromkeys([*hashes, *self.blocks.tokens_of(hashes)]))

    def _folds(self, limit: int, hashes: Sequence[str]) -> list[Fold]:
        found = []
        for table_id, number in self._store.newest(limit, hashes):
            try:
                found.append(self._current(table_id, number))
            except TableError as error:  # a game that is not here any more cannot be shown
                log.warning("table_not_listed", table=table_id, reason=error.sentence)
        return found

    def listing(self, token: Token | None = None, limit: int = 50) -> list[Table]:
        """Tables, newest first; with a token those that its owner made or has sat at."""
        if token is not None and not checks.well_formed(token):
            return []
        found = []
        for table_id, number in self._store.newest(limit, [checks.token_hash(token)] if token else None):
            try:
                found.append(self._cache.table(self._current(table_id, number)))
            except TableError as error:  # a game that is not here any more cannot be shown
                log.warning("table_not_listed", table=table_id, reason=error.sentence)
        return found

    def with_computers(self) -> list[str]:
        """Ids of the tables under way at which a computer may have to decide."""
        return self._store.with_computers()

    def with_clocks(self) -> list[str]:
        """Ids of the tables under way at which time is counted."""
        return self._store.with_clocks()

    def quiet(self, open_since: float, playing_since: float) -> list[str]:
        """Ids of the tables at which nothing happened since these times: those not started, and those under way."""
        return self._store.quiet(open_since, playing_since)

    def at(self, table_id: str, number: int) -> Table:
        """A table whose game is over as it was after log entry `number`. Raises UnknownTable, STILL_RUNNING."""
        now = self._current(checks.table_id(table_id))
        if not now.over:
            raise TableError("STILL_RUNNING")
        entries = [entry for entry in self._store.entries(now.header.id) if entry.number <= number]
        return Fold.load(now.header, now.game, entries).table()

    def earlier(self, table_id: str, token: Token | None, number: int) -> Table:
        """A table as it was after log entry `number`: one of `Table.since` of the token's seat, or right before them.

        Raises NOT_SEATED, NO_SUCH_MOMENT.
        """
        now = self._current(checks.table_id(table_id))
        seat = now.seat_of(checks.token_hash(token)) if token and checks.well_formed(token) else None
        if seat is None:
            raise TableError("NOT_SEATED")
        steps = now.since(seat)
        if not steps or number not in (steps[0] - 1, *steps):
            raise TableError("NO_SUCH_MOMENT")
        entries = [entry for entry in self._store.entries(now.header.id) if entry.number <= number]
        return Fold.load(now.header, now.game, entries).table()

    def record(self, table_id: str) -> str:
        """The game as a record, with names and seed. Raises STILL_RUNNING before it is over; RULES_GONE."""
        fold = self._current(checks.table_id(table_id))
        if fold.rules_gone:
            raise fold.rules_gone
        if fold.state is None or not fold.over:
            raise TableError("STILL_RUNNING")
        header = fold.header
        decisions = [(d.seat, d.action) for d in fold.decisions]
        names = [info.name for info in fold.seats]
        seed, players, options = header.seed, header.players, header.options
        outcomes = [(i, d.outcome) for i, d in enumerate(fold.decisions, 1) if d.outcome is not None]
        record = record_of(fold.game, fold.edition, seed, players, options, decisions, fold.state, names, outcomes)
        return dump(record, fold.state.space.name)

    def count_by_status(self) -> dict[str, int]:
        """How many tables there are, by status."""
        return self._store.count_by_status()

    def stored(self) -> dict[tuple[str, bool], int]:
        """How many log entries this process has stored, by kind, and by whether a computer decided."""
        with self._count_lock:
            return dict(self._stored)

    def seconds_storing(self) -> float:
        """How long this process has waited for the database to store them, in all."""
        return self._seconds_storing

    # -- before the start -----------------------------------------------------------------------------------------

    def create(
        self,
        game: str,
        players: int,
        options: Mapping[str, str] | None = None,
        name: str = "",
        token: Token | None = None,
        clock: str = "none",
        hints: bool = True,
        rated: bool = False,
        table_id: str | None = None,
        key: str | None = None,
    ) -> Created:
        """A new table with all seats free. clock: as `clock.parse` reads it. hints: may players ask for advice?

        rated: does the game count for ratings? Then people need accounts. table_id: a new one by `checks`, or None.
        key: with the same token and key again, it is the same table. Without a token, a key says nothing.
        Raises UnknownGame, BadSetup, BAD_TOKEN, NAME_UNFIT, BAD_CLOCK, RATED_NEEDS_ACCOUNT, BAD_KEY, KEY_REUSED.
        """
        counted = str(parse(clock))
        found = self._registry.get(game)
        found.start(players, FastDice(0), options)  # the game itself says whether it can be set up like that
        resolved = resolve_options(found.options, options or {}, players)
        keyed = None
        if token is not None and key is not None:
            keyed = checks.keyed_table_id(checks.token_hash(token), checks.key(key))
        token = token or checks.new_token()
        hashed = checks.token_hash(token)
        if rated and not isinstance(token, Member):
            raise TableError("RATED_NEEDS_ACCOUNT")
        called = checks.table_name(name)
        now = time.time()
        while True:
            table_id = None if table_id is None else checks.table_id(table_id)
            header = seating.header(
                found, found.edition().hash, players, resolved, called, now, None, counted, keyed or table_id
            )
            table_id = None
            try:
                entries = [Entry(1, now, "create", token=hashed)]
                for kind in [*([] if hints else ["no_hints"]), *(["rated"] if rated else [])]:
                    entries.append(Entry(len(entries) + 1, now, kind))
                self._store.append(header.id, (), None, (header, entries))
            except Conflict:
                if keyed is None:  # an id that is taken: as good as never
                    continue
                there = self._store.header(header.id)
                wanted = (header.game, header.players, header.options, header.name, header.clock)
                if there is None or (there.game, there.players, there.options, there.name, there.clock) != wanted:
                    raise TableError("KEY_REUSED", key=key, number=1) from None
                return Created(header.id, token if isinstance(token, str) else "")
            self._tell(header.id, len(entries))
            return Created(header.id, token if isinstance(token, str) else "")

    def sit(
        self, table_id: str, name: str, token: Token | None = None, seat: int | None = None, key: str | None = None
    ) -> Seated:
        """Take a seat (None: the first free one). The same token again moves there or changes the name, before the
        start; after it, it gets the seat it has.

        Raises NAME_MISSING, NAME_UNFIT, NAME_TAKEN, SEAT_TAKEN, NO_SUCH_SEAT, TABLE_FULL, ALREADY_STARTED, KEY_REUSED.
        """
        if key is not None:
            checks.key(key)
        own = token or checks.new_token()
        hashed = checks.token_hash(own)
        called = self._called(table_id, name, own)
        taken, number = self._change(table_id, lambda d: seating.sit(d, called, hashed, seat, key))
        return Seated(taken, own if isinstance(own, str) else "", number)

    def _called(self, table_id: str, name: str, token: Token) -> str:
        """What somebody is called at a table: where it counts, as their account is."""
        if not isinstance(token, Member) or not self.table(table_id).rated:
            return name
        account = self.accounts.get(token.id)
        return name if account is None else account.name

    def stand_up(self, table_id: str, token: Token | None) -> Table:
        """Free one's seat. Raises NOT_SEATED, ALREADY_STARTED."""
        return self._change(table_id, lambda d: seating.stand_up(d, token))

    def add_bot(
        self, table_id: str, token: Token | None, level: str, seat: int | None = None, key: str | None = None
    ) -> Table:
        """A computer of this level takes a seat (None: the first free one).

        Raises UNKNOWN_LEVEL, NOT_MANAGER, SEAT_TAKEN, NO_SUCH_SEAT, TABLE_FULL, ALREADY_STARTED, KEY_REUSED.
        """
        known_level(level)
        if key is not None:
            checks.key(key)
        return self._change(table_id, lambda d: seating.add_bot(d, token, level, seat, key))

    def remove_bot(self, table_id: str, token: Token | None, seat: int) -> Table:
        """Free a computer's seat. Raises NOT_MANAGER, NO_SUCH_SEAT, SEAT_TAKEN (by a person), ALREADY_STARTED."""
        return self._change(table_id, lambda d: seating.remove_bot(d, token, seat))

    def start(self, table_id: str, token: Token | None) -> Table:
        """Begin the game; a game that has begun stays as it is. Raises NOT_MANAGER, SEATS_FREE."""
        return self._change(table_id, lambda d: seating.start(d, token))

    # -- during the game ------------------------------------------------------------------------------------------

    def act(self, table_id: str, token: Token | None, action: int, based_on: int, key: str) -> Answer:
        """Decide. based_on: the `Table.number` of the page that the decision was made on. key: of this request.

        The same key again gives the first answer. Who had left is back by this.

        Raises NOT_SEATED, NOT_STARTED, STALE (facts: number, since: the LogLines that `based_on` did not know),
        KEY_REUSED, BAD_KEY, RULES_GONE; IllegalAction. In games with a world also BY_HAND, HANDS_FULL.
        """
        checks.key(key)
        self._hands_free(table_id)
        return self._change(table_id, lambda d: play.act(d, token, action, based_on, key), self._store.is_sqlite)

    def act_for_bot(self, table_id: str, seat: int, action: int, based_on: int) -> Answer:
        """A computer decides. based_on: the `decision_number` it thought about; a second answer to it is not needed.

        Raises STALE if that is no longer the question, or no computer plays for the seat; IllegalAction.
        """
        return self._change(table_id, lambda d: play.act_for_bot(d, seat, action, based_on), self._store.is_sqlite)

    def carry_out(
        self, table_id: str, seat: int, batch: Batch, based_on: int, key: str, computer: bool = False
    ) -> Answer:
        """Store what a hand of this seat has done: all of its decisions, as one change. For the server's own use.

        based_on: the `decision_number` with which the hand began; the same key again gives the first answer.
        computer: it was a computer's hand. Raises STALE, NOT_STARTED; IllegalAction.
        """
        return self._change(table_id, lambda d: play.carry_out(d, seat, batch, based_on, key, computer))

    def carried_out(self, table_id: str, seat: int, key: str) -> Answer | None:
        """What `carry_out` has answered for this key, if it has."""
        fold = self._current(checks.table_id(table_id))
        entry = fold.keys.get(play.hand_key(seat, key))
        return None if entry is None else Answer(entry.number, True, fold.table())

    def guard(self, hands_full: Callable[[str], bool] | None) -> None:
        """Have decisions refused (HANDS_FULL) at tables of which this says that something is in a hand."""
        self._hands_full = hands_full

    def _hands_free(self, table_id: str) -> None:
        if self._hands_full is not None and self._hands_full(checks.table_id(table_id)):
            raise TableError("HANDS_FULL")

    def motions(self, table_id: str) -> list[int]:
        """The log numbers of decisions of which it was kept how they were carried out by hand, ascending."""
        return self._store.motions_of(checks.table_id(table_id))

    def motion(self, table_id: str, number: int) -> bytes:
        """How a hand moved, as the game's session wrote it down. Raises NO_MOTION."""
        found = self._store.motion(checks.table_id(table_id), number)
        if found is None:
            raise TableError("NO_MOTION", number=number)
        return found

    def undo(self, table_id: str, token: Token | None, number: int, key: str) -> Answer:
        """Take back one's own last decision, log entry `number`. It stays in the log, marked.

        Raises UNDO_REFUSED, NOT_SEATED, NOT_STARTED, KEY_REUSED, BAD_KEY, RULES_GONE.
        """
        checks.key(key)
        self._hands_free(table_id)
        return self._change(table_id, lambda d: play.undo(d, token, number, key))

    def leave(self, table_id: str, token: Token | None, level: str = STAND_IN) -> Table:
        """A computer plays on until one is `back`; before the start this is `stand_up`.

        Raises NOT_SEATED, UNKNOWN_LEVEL.
        """
        known_level(level)
        return self._change(table_id, lambda d: play.leave(d, token, level))

    def back(self, table_id: str, token: Token | None) -> Table:
        """Play oneself again. Raises NOT_SEATED, NOT_STARTED."""
        return self._change(table_id, lambda d: play.back(d, token))

    def ask_undo(self, table_id: str, token: Token | None, number: int, key: str) -> Answer:
        """Ask the others to take back everything from one's last decision on, log entry `number`. Computers agree.

        Raises UNDO_REFUSED, REQUEST_PENDING, NOT_SEATED, NOT_STARTED, PAUSED, KEY_REUSED, BAD_KEY.
        """
        checks.key(key)
        self._hands_free(table_id)
        return self._change(table_id, lambda d: agreements.ask_undo(d, token, number, key))

    def ask_pause(self, table_id: str, token: Token | None, key: str) -> Answer:
        """Ask the others to pause: clocks stand, and nobody decides. Raises as `ask_undo`."""
        checks.key(key)
        return self._change(table_id, lambda d: agreements.ask_pause(d, token, key))

    def answer_request(self, table_id: str, token: Token | None, number: int, agree: bool) -> Table:
        """Agree to the request of log entry `number`, or not; who has asked withdraws it by the latter.

        Raises NO_REQUEST, NOT_SEATED.
        """
        self._hands_free(table_id)
        return self._change(table_id, lambda d: agreements.answer(d, token, number, agree))

    def say(self, table_id: str, token: Token | None, text: str, key: str) -> Answer:
        """Say something to all at the table and all who watch.

        Raises MESSAGE_UNFIT, SILENCED, TOO_MUCH_TALK, NOT_SEATED, KEY_REUSED, BAD_KEY.
        """
        checks.key(key)
        return self._change(table_id, lambda d: talk.say(d, token, text, key))

    def mute(self, table_id: str, token: Token | None, seat: int, muted: bool) -> Table:
        """Hear no more (or again) what another seat says; nobody else learns of it. Raises NOT_SEATED, NO_SUCH_SEAT."""
        return self._change(table_id, lambda d: talk.mute(d, token, seat, muted))

    def silence(self, table_id: str, token: Token | None, seat: int, silenced: bool) -> Table:
        """Let a seat say nothing more at this table (or again). Raises NOT_MAKER, NO_SUCH_SEAT."""
        return self._change(table_id, lambda d: talk.silence(d, token, seat, silenced))

    def resume(self, table_id: str, token: Token | None) -> Table:
        """Go on after a pause. Raises NOT_SEATED, NOT_STARTED."""
        return self._change(table_id, lambda d: agreements.resume(d, token))

    def offer(self, table_id: str, token: Token | None, seat: int) -> Table:
        """Let somebody else take one's own seat, or that of somebody who is away; a computer plays until then.

        Raises NOT_TO_OFFER, NOT_MANAGER, NO_SUCH_SEAT, NOT_STARTED.
        """
        return self._change(table_id, lambda d: agreements.offer(d, token, seat))

    def take(self, table_id: str, name: str, seat: int, token: Token | None = None) -> Seated:
        """Sit down in an offered seat, whose token is void from then on.

        Raises SEAT_TAKEN, SEATED_ALREADY, NAME_MISSING, NAME_UNFIT, NAME_TAKEN, NO_SUCH_SEAT, NOT_STARTED.
        """
        own = token or checks.new_token()
        hashed = checks.token_hash(own)
        called = self._called(table_id, name, own)
        taken, number = self._change(table_id, lambda d: agreements.take(d, called, hashed, seat))
        return Seated(taken, own if isinstance(own, str) else "", number)

    def time_up(self, table_id: str) -> Table:
        """Let computers stand in for those whose time is up. For the server's own use."""
        return self._change(table_id, agreements.time_up)

    def archive(self, table_id: str, quiet_since: float) -> Table:
        """Put a table away if nothing has happened since a time. For the server's own use."""
        return self._change(table_id, lambda d: agreements.archive(d, quiet_since))

    def revive(self, table_id: str, token: Token | None) -> Table:
        """Bring back a table that was put away. Raises NOT_MANAGER."""
        return self._change(table_id, lambda d: agreements.revive(d, token))

    def rematch(self, table_id: str, token: Token | None) -> str:
        """The id of the table at which the same people and computers play again; the first who asks makes it.

        Raises NOT_MANAGER, STILL_RUNNING, RULES_GONE.
        """
        return self._change(table_id, lambda d: seating.rematch(d, token))

    # -- who holds a seat -----------------------------------------------------------------------------------------

    def renew(self, table_id: str, token: Token | None) -> str:
        """Another secret for one's seat (or for the table that one made); the one before is void. The new one.

        Raises NOT_SEATED.
        """
        fresh = checks.new_token()
        self._change(table_id, lambda d: holders.renew(d, token, checks.token_hash(fresh)))
        return fresh

    def keep(self, account: Account, tokens: Sequence[Token]) -> int:
        """An account takes over what these secrets hold, and whom their owner blocks. How many seats?"""
        hashes = self._hashes(tokens)
        seats = 0
        for fold in self._folds(1000, hashes) if hashes else ():
            seats += self._change(fold.header.id, lambda d: holders.keep(d, hashes, account.player))
        self.blocks.move(hashes, account.player)
        return seats

    def holds(self, tokens: Sequence[Token]) -> int:
        """How many seats these secrets have."""
        return sum(seat is not None for _, seat in self.mine(tokens, 1000)) if tokens else 0

    def forget(self, account: Account) -> None:
        """Delete an account. Its seats stay, each as a player without a name; computers play on where games go on."""
        self.accounts.close(account)
        while True:
            ids = [table_id for table_id, _ in self._store.newest(200, [account.player])]
            for table_id in ids:
                try:
                    self._change(table_id, lambda d: self._forgotten(d, account))
                except TableError:  # the game is not here any more; what tells a name goes all the same
                    edits = holders.edits(self._store.entries(table_id), account.player)
                    self._store.append(table_id, (), edits=edits)
            if not ids:
                break
        self.blocks.erase(account.player)
        self.accounts.erase(account, holders.ghost(account.player))

    def _forgotten(self, d: Draft, account: Account) -> None:
        holders.forget(d, self._store.entries(d.fold.header.id), account.player)

    def deaf(self, table_id: str, tokens: Sequence[Token]) -> frozenset[int]:
        """The seats of this table whose talk the holder of these does not want to read."""
        own = [checks.token_hash(token) for token in tokens]
        blocked = self.blocks.blocked(own)
        if not blocked:
            return frozenset()
        fold = self._current(checks.table_id(table_id))
        people = self.blocks.people(fold.tokens)
        return frozenset(seat for seat, person in enumerate(people) if person in blocked)

    def block(self, table_id: str, token: Token, seat: int, blocked: bool = True) -> None:
        """Read no more what the person in a seat says, at any table; or again. Nobody else learns of it.

        token: one's own, of an account or of a browser. Raises NO_SUCH_SEAT, NOTHING_TO_BLOCK.
        """
        fold = self._current(checks.table_id(table_id))
        if not 0 <= seat < fold.header.players:
            raise TableError("NO_SUCH_SEAT", seat=seat, number=seat + 1, players=fold.header.players)
        whom = self.blocks.people(fold.tokens)[seat]
        [who] = self.blocks.people([checks.token_hash(token)])
        assert who is not None
        if whom is None or whom[0] == "!" or whom == who:
            raise AccountError("NOTHING_TO_BLOCK")
        if blocked:
            self.blocks.block(who, whom, fold.seats[seat].name)
        else:
            self.blocks.unblock([who], whom)

    # -- by the administrator (who that is, the caller has to know) -------------------------------------------------

    def end(self, table_id: str) -> Table:
        """Nobody decides at this table any more. Raises GAME_OVER."""
        return self._change(table_id, administration.end)

    def reopen(self, table_id: str) -> Table:
        """Open a table that was ended again."""
        return self._change(table_id, administration.reopen)

    def rewind(self, table_id: str, line: int) -> Table:
        """Take back all decisions after a line of the log, whatever came to light. Raises NO_SUCH_LINE, NOT_STARTED."""
        self._hands_free(table_id)
        return self._change(table_id, lambda d: administration.rewind(d, line))

    def replace_seat(self, table_id: str, seat: int, level: str = STAND_IN) -> Table:
        """A computer takes the place of a person. Raises UNKNOWN_LEVEL, NO_SUCH_SEAT, NOBODY_THERE, GAME_OVER."""
        known_level(level)
        return self._change(table_id, lambda d: administration.replace_seat(d, seat, level))

    def free_seat(self, table_id: str, seat: int) -> Table:
        """Offer a person's seat to others, and void its secret. Raises NO_SUCH_SEAT, NOBODY_THERE, GAME_OVER."""
        return self._change(table_id, lambda d: administration.free(d, seat))

    def silence_seat(self, table_id: str, seat: int, silenced: bool) -> Table:
        """Let a seat say nothing more here, or again. Raises NO_SUCH_SEAT, NOBODY_THERE."""
        return self._change(table_id, lambda d: administration.silence(d, seat, silenced))

    def recount(self) -> list[ratings.Result]:
        """All results and ratings as they follow from the logs alone.

        Of games that can no longer be played again (their rules or cards are gone) the places stand as they are stored.
        """
        games: list[tuple[list[ratings.Result], bool]] = []
        for table_id in self._store.over():
            try:
                fold = self._current(table_id)
                again = not fold.rules_gone
            except TableError:
                again = False
            if again:
                games.append((ratings.results_of(fold), ratings.rated(fold)))
            else:
                kept = self.ratings.of_table(table_id)
                games.append((kept, any(one.mu is not None for one in kept)))
        return ratings.recounted(games)

    def recount_stored(self) -> tuple[int, int]:
        """Make the stored results anew from the logs. How many were different, and how many there are."""
        counted = self.recount()
        return self.ratings.replace(counted), len(counted)

    # -- news -----------------------------------------------------------------------------------------------------

    def subscribe(self, callback: News, anew: Anew | None = None) -> Callable[[], None]:
        """Have `callback(table_id, number)` called after every change, here or in another process on the database.

        anew: called when changes of other processes may have been missed: whoever watches should look again.
        Returns what ends it. Numbers of a table may arrive out of order; the highest is the newest. The calls come
        from the thread that made the change, or from one that listens to the others.
        """
        mark = object()
        self._listeners[mark] = (callback, anew)
        with self._signals_lock:
            if self._signals is None:
                self._signals = self._store.signals(self._tell, self._tell_anew)
        return lambda: self._listeners.pop(mark, None) and None

    def _tell(self, table_id: str, number: int) -> None:
        for callback, _ in list(self._listeners.values()):
            try:
                callback(table_id, number)
            except Exception:  # the move is stored; who listens badly must not make it look otherwise
                log.exception("listener_failed", table=table_id, number=number)

    def _tell_anew(self) -> None:
        for _, anew in list(self._listeners.values()):
            try:
                if anew is not None:
                    anew()
            except Exception:
                log.exception("listener_failed")

    # -- the one way to read and the one way to write ---------------------------------------------------------------

    def _current(self, table_id: str, known: int | None = None) -> Fold:
        """The position now; what other processes have written is read in. known: the number that it has."""
        fold = self._cache.get(table_id)
        if fold is not None and known is not None and fold.number == known:
            return fold
        if fold is not None:
            # The last known entry is read once more: where another stands in its place, an older copy of the database
            # was put back, and all that was known of the table is void.
            entries = self._store.entries(table_id, fold.number - 1)
            forgotten = any(entry.kind == "forget" for entry in entries[1:])  # older entries have changed
            if not entries or entries[0] != fold.last or forgotten:
                self._cache.forget(table_id)
                fold = None
        if fold is None:
            header = self._store.header(table_id)
            if header is None:
                raise UnknownTable(table_id)
            try:
                game = self._registry.get(header.game)
            except UnknownGame:
                why = f"the game “{header.game}” is not here any more"
                raise TableError("RULES_GONE", why=why, table=table_id) from None
            fold = Fold.load(header, game, self._store.entries(table_id))
        else:
            if len(entries) == 1:
                return fold
            fold = fold.copy()
            for entry in entries[1:]:
                fold.accept(entry)
        self._cache.put(table_id, fold)
        return fold

    def _count(self, entries: list[Entry], seconds: float) -> None:
        with self._count_lock:
            self._stored.update((entry.kind, entry.computer) for entry in entries)
            self._seconds_storing += seconds

    def _change(self, table_id: str, judge: Callable[[Draft], T], at_hand: bool = False) -> T:
        """Judge a change, store it, tell it. What `judge` raises goes through; then nothing was stored.

        at_hand: judge it first by what is known of the table, which is nearly always all that there is. Whether it is
        shows when it is stored. Nothing but what is stored counts: anything else is judged again by what is there.
        """
        table_id = checks.table_id(table_id)
        with self._table_locks[hash(table_id) % len(self._table_locks)]:
            known = self._cache.get(table_id) if at_hand else None
            for _ in range(ATTEMPTS):
                last = known.last if known is not None else None
                draft = Draft(known or self._current(table_id), time.time())
                try:
                    result = judge(draft)
                except Exception:
                    if known is None:
                        raise
                    known = None
                    continue
                if not draft.entries:
                    if known is None:
                        return result
                    known = None
                    continue
                known = None
                began = time.perf_counter()
                try:
                    also = partial(ratings.settle, fold=draft.fold) if draft.settles() else None
                    status, following = draft.new_status(), draft.following
                    more = draft.motions, draft.edits, also, last
                    self._store.append(table_id, draft.entries, status, following, *more)
                except Conflict:
                    continue
                except DBAPIError as error:
                    if error.connection_invalidated:  # it may be stored, and only the answer was lost: let all look
                        self._tell(table_id, draft.fold.number)
                    raise
                self._count(draft.entries, time.perf_counter() - began)
                if draft.edits:
                    self._cache.forget(table_id)
                else:
                    self._cache.put(table_id, draft.fold)
                break
            else:
                raise RuntimeError(f"table {table_id}: overtaken {ATTEMPTS} times in a row")
        self._tell(table_id, draft.fold.number)
        if draft.following is not None:
            self._tell(draft.following[0].id, len(draft.following[1]))
        return result


def known_level(level: str) -> str:
    """Raises UNKNOWN_LEVEL."""
    if level not in KNOWN:
        raise TableError("UNKNOWN_LEVEL", level=level[:40], known=", ".join(KNOWN))
    return level
