"""The log folded into a position: who sits where, how the game stands, what was said, what may be taken back."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

import structlog

from shopfloor.engine.dice import SealedDice, commitment
from shopfloor.engine.events import Event
from shopfloor.engine.game import Edition, Game
from shopfloor.engine.refusals import Refusal, Refused
from shopfloor.engine.state import State
from shopfloor.tables import administration, agreements, clock, holders, talk
from shopfloor.tables.clock import Clocks
from shopfloor.tables.errors import TableError
from shopfloor.tables.model import LogLine, Request, SeatInfo, Table
from shopfloor.tables.rows import Entry, Header

log = structlog.get_logger(__name__)

# Positions kept for undo; an undo that reaches further back replays the game instead.
POSITIONS_KEPT = 32


@dataclass(frozen=True)
class Decision:
    """A decision that stands. sealed: a committed choice that changed nothing but that this seat has decided.

    revelations: of the state before it. outcome: what the world measured, where it had a say.
    """

    number: int
    seat: int
    action: int
    computer: bool
    sealed: bool
    revelations: int
    outcome: str | None = None


@dataclass(frozen=True)
class Kept:
    """A log line in full, and as those see it whom none of its private events concerns."""

    full: LogLine
    public: LogLine

    def told_to(self, seat: int | None) -> LogLine:
        line = self.full
        if seat is None:
            return self.public
        own = line.seat == seat
        events = tuple(event for event in line.events if event.concerns(seat))
        if own and len(events) == len(line.events):
            return line
        if not own and len(events) == len(self.public.events):
            return self.public
        return replace(line, events=events, action=line.action if own else None)


class Fold:
    """All that follows from a header and the entries applied so far.

    Grows by `apply`. Once a `Table` has been made from it, it is never changed again: `copy` it first.

    state: None before the start, and if the rules are gone. arose: for each seat the number at which its present
    decision arose. tokens: for each seat the hash of its token, or its account. starters: the same at the start, None
    where the seat changed hands since. keys: entries by key. lines: line i has number i + 1. over_at: when it ended.
    """

    def __init__(self, header: Header, game: Game) -> None:
        self.header = header
        self.game = game
        self.edition: Edition = game.edition()
        self.rules_gone: TableError | None = _gone(header, game, self.edition)
        self.number = 0
        self.last: Entry | None = None
        self.changed_at = header.created_at
        self.started = False
        self.state: State | None = None
        self.seats = [SeatInfo(seat, "free", "") for seat in range(header.players)]
        self.tokens: list[str | None] = [None] * header.players
        self.starters: list[str | None] = [None] * header.players
        self.creator: str | None = None
        self.arose = [0] * header.players
        self.decisions: list[Decision] = []
        self.before: dict[int, State] = {}
        self.lines: list[Kept] = []
        self.keys: dict[str, Entry] = {}
        self.rematch: str | None = None
        self.clocks = Clocks(clock.parse(header.clock), header.players)
        self.muted: frozenset[tuple[int, int]] = frozenset()
        self.paused = False
        self.archived = False
        self.ended = False
        self.rated = False
        self.over_at = 0.0
        self.hints = True
        self.request: Request | None = None

    @staticmethod
    def load(header: Header, game: Game, entries: Iterable[Entry]) -> Fold:
        """A whole log. Where it does not fit the rules, the table is read-only from there, never broken."""
        fold = Fold(header, game)
        for entry in entries:
            fold.accept(entry)
        return fold

    def accept(self, entry: Entry) -> None:
        """Apply an entry that is stored already: one that does not fit makes the table read-only."""
        try:
            self.apply(entry)
        except (Refused, LookupError, ValueError) as error:
            log.error("log_does_not_fit", table=self.header.id, number=entry.number, error=repr(error))
            why = f"its log does not fit the rules of {self.game.title} from entry {entry.number} on"
            self.rules_gone = TableError("RULES_GONE", why=why)
            self.state = None
            line = LogLine(entry.number, entry.at, entry.kind, entry.seat)
            self._keep(entry, Kept(line, line))

    def copy(self) -> Fold:
        fold = Fold.__new__(Fold)
        fold.__dict__.update(self.__dict__)
        for name in ("seats", "tokens", "starters", "arose", "decisions", "before", "lines", "keys"):
            setattr(fold, name, getattr(self, name).copy())
        fold.clocks = self.clocks.copy()
        return fold

    # -- growing ----------------------------------------------------------------------------------------------

    def apply(self, entry: Entry) -> None:
        """The next entry happens. Raises IllegalAction if the game refuses a decision; then throw this fold away."""
        if entry.number != self.number + 1:
            raise ValueError(f"entry {entry.number} cannot follow entry {self.number}")
        events = self._happen(entry)
        self.over_at = (self.over_at or entry.at) if self.over else 0.0
        if entry.kind in agreements.LAPSES:
            self.request = None
        self._run_clocks(entry)
        line = LogLine(
            number=entry.number,
            at=entry.at,
            kind=entry.kind,
            seat=entry.seat,
            action=entry.action,
            events=tuple(events),
            by_computer=entry.computer,
            target=entry.target,
            name=entry.name or "",
            level=entry.level,
            text=(entry.outcome or "") if entry.kind == "say" else "",
        )
        public = tuple(event for event in events if event.concerns(None))
        self._keep(entry, Kept(line, replace(line, action=None, events=public)))

    def _keep(self, entry: Entry, line: Kept) -> None:
        self.lines.append(line)
        if entry.key is not None:
            self.keys[entry.key] = entry
        self.number = entry.number
        self.last = entry
        self.changed_at = entry.at

    def _happen(self, entry: Entry) -> list[Event]:
        seat = entry.seat if entry.seat is not None else -1
        match entry.kind:
            case "create":
                self.creator = entry.token
            case "sit":
                if entry.token in self.tokens:
                    self._free(self.tokens.index(entry.token))
                self.seats[seat] = SeatInfo(seat, "person", entry.name or "")
                self.tokens[seat] = entry.token
            case "bot":
                self.seats[seat] = SeatInfo(seat, "computer", entry.name or "", entry.level)
            case "stand_up" | "remove_bot":
                self._free(seat)
            case "start":
                return self._start(entry)
            case "play":
                return self._play(entry, seat)
            case "undo":
                self._undo(entry, seat)
            case "away":
                self.seats[seat] = replace(self.seats[seat], away=True, stand_in=entry.level)
            case "back":
                self.seats[seat] = replace(self.seats[seat], away=False, stand_in=None, offered=False)
            case "rematch":
                self.rematch = entry.follower
            case "rewind":
                self._rewind(entry)
            case _ if agreements.happen(self, entry) or talk.happen(self, entry):
                pass
            case _ if holders.happen(self, entry) or administration.happen(self, entry):
                pass
            case unknown:
                raise ValueError(f"'{unknown}' is not a kind of log entry")
        return []

    def _free(self, seat: int) -> None:
        self.seats[seat] = SeatInfo(seat, "free", "")
        self.tokens[seat] = None

    def _first_state(self) -> State:
        header = self.header
        dice = SealedDice(header.seed)
        return self.game.start(header.players, dice, header.options, self.edition, report=True)

    def _start(self, entry: Entry) -> list[Event]:
        self.started = True
        self.starters = self.tokens.copy()
        if self.rules_gone:
            return []
        self.state = self._first_state()
        self.arose = [entry.number] * self.header.players
        return self.state.drain()

    def _play(self, entry: Entry, seat: int) -> list[Event]:
        if self.rules_gone:
            return []
        if self.state is None or entry.action is None:
            raise ValueError("there is no game to decide in")
        return self._decide(entry.number, seat, entry.action, entry.computer, entry.outcome)

    def _decide(self, number: int, seat: int, action: int, computer: bool, outcome: str | None) -> list[Event]:
        before = self.state
        assert before is not None
        # Every decision makes a state of its own: snapshots stay true, and undo has where to go back to.
        after = before.clone()
        after.listen()
        _play(after, seat, action, outcome)
        events = after.drain()
        asked = before.deciders()
        # What hands have done is no page that can be turned back, even where nothing hidden came to light.
        calm = after.revelations == before.revelations and outcome is None
        # A part of a seat's own choice, or the last part of it: nobody else's decision is another one by that.
        same = after.deciders() in (asked, tuple(s for s in asked if s != seat))
        sealed = calm and same and len(asked) > 1
        if sealed:
            self.arose[seat] = number
        else:
            self.arose = [number] * self.header.players
        self.decisions.append(Decision(number, seat, action, computer, sealed, before.revelations, outcome))
        if calm:
            self.before[number] = before
            if len(self.before) > POSITIONS_KEPT:
                del self.before[next(iter(self.before))]
        else:
            self.before.clear()  # what came to light cannot be taken back
        self.state = after
        return events

    def _undo(self, entry: Entry, seat: int) -> None:
        if entry.target is None or not 0 < entry.target <= self.number:
            raise ValueError(f"there is no entry {entry.target} to take back")
        kept = self.lines[entry.target - 1]
        self.lines[entry.target - 1] = Kept(replace(kept.full, undone=True), replace(kept.public, undone=True))
        if self.rules_gone:
            return
        i = next(i for i, decision in enumerate(self.decisions) if decision.number == entry.target)
        undone = self.decisions[i]
        later = self.decisions[i + 1 :]
        arose = self.arose
        self.state = self.before[undone.number] if undone.number in self.before else self._replay(self.decisions[:i])
        del self.decisions[i:]
        for decision in (undone, *later):
            self.before.pop(decision.number, None)
        for decision in later:
            self._decide(decision.number, decision.seat, decision.action, decision.computer, decision.outcome)
        if undone.sealed:
            self.arose = arose
            self.arose[seat] = entry.number
        else:
            self.arose = [entry.number] * self.header.players

    def _rewind(self, entry: Entry) -> None:
        """Everything from a decision on is taken back, whoever decided it and whatever came to light."""
        if self.rules_gone:
            return
        i = next(i for i, decision in enumerate(self.decisions) if decision.number == entry.target)
        undone = self.decisions[i:]
        first = undone[0].number
        self.state = self.before[first] if first in self.before else self._replay(self.decisions[:i])
        del self.decisions[i:]
        for decision in undone:
            self.before.pop(decision.number, None)
            kept = self.lines[decision.number - 1]
            self.lines[decision.number - 1] = Kept(replace(kept.full, undone=True), replace(kept.public, undone=True))
        self.arose = [entry.number] * self.header.players

    def _run_clocks(self, entry: Entry) -> None:
        if not self.clocks.clock.on:
            return
        asked = () if self.state is None or not self.started else self.state.deciders()
        stands = self.paused or self.archived
        mine = [info.seat in asked and info.played_by is None for info in self.seats]
        decided = entry.seat if entry.kind == "play" else None
        back = entry.seat if entry.kind in ("back", "take") else None
        self.clocks.go_on(entry.at, [m and not stands for m in mine], [m and stands for m in mine], decided, back)

    def _replay(self, decisions: list[Decision]) -> State:
        state = self._first_state()
        for decision in decisions:
            _play(state, decision.seat, decision.action, decision.outcome)
        state.drain()
        return state

    # -- asking -----------------------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        return self.header.status == "over" if self.rules_gone else self.state is not None and self.state.over()

    def awaited(self) -> tuple[int, ...]:
        """The seats whose agreement the open request needs."""
        return agreements.awaited(self)

    def undo_by_request(self, seat: int) -> bool:
        """Is this seat's last decision one that the others may agree to take back?"""
        refusal = self.undo_refusal(seat)
        return refusal is not None and refusal.code in agreements.NEGOTIABLE

    @property
    def status(self) -> str:
        """As it is stored, and looked for."""
        return "archived" if self.archived and not self.over else self.stage

    @property
    def stage(self) -> str:
        """How far the game is."""
        return "over" if self.over else "playing" if self.started else "open"

    def seat_of(self, token: str | None) -> int | None:
        """The seat of this token's hash."""
        return self.tokens.index(token) if token is not None and token in self.tokens else None

    def lines_for(self, seat: int | None, since: int = 0, deaf: Collection[int] = ()) -> list[LogLine]:
        """deaf: the seats whose talk the reader does not want to read."""
        lines = self.lines[max(0, since) :]
        return [kept.told_to(seat) for kept in lines if talk.heard(self, kept.full, seat, deaf)]

    def talked(self, since: int) -> bool:
        return any(kept.full.kind == "say" for kept in self.lines[max(0, since) :])

    def last_decision(self, seat: int) -> int | None:
        return next((d.number for d in reversed(self.decisions) if d.seat == seat), None)

    def since(self, seat: int) -> tuple[int, ...]:
        """The numbers of the decisions by others since this seat's last turn, before its present run of decisions."""
        end = len(self.decisions)
        while end and self.decisions[end - 1].seat == seat:
            end -= 1
        begin = end
        while begin and self.decisions[begin - 1].seat != seat:
            begin -= 1
        return tuple(decision.number for decision in self.decisions[begin:end])

    def undone(self, number: int) -> bool:
        return 0 < number <= self.number and self.lines[number - 1].full.undone

    def undo_refusal(self, seat: int) -> Refusal | None:
        """Free is what nobody has learned from, and on which nobody else has acted.

        Later sealed choices of other seats in the same simultaneous decision do not count: they stay as they are.
        """
        i = next((i for i in reversed(range(len(self.decisions))) if self.decisions[i].seat == seat), None)
        if i is None or self.state is None:
            return Refusal("UNDO_NOTHING")
        decision = self.decisions[i]
        if self.state.over():
            return Refusal("UNDO_OVER")
        if any(later.outcome is not None for later in self.decisions[i:]):
            return Refusal("UNDO_BY_HAND")
        if self.state.revelations != decision.revelations:
            return Refusal("UNDO_REVEALED")
        later = self.decisions[i + 1 :]
        if later and not (decision.sealed and all(d.sealed for d in later)):
            return Refusal("UNDO_OTHERS_ACTED")
        return Refusal("UNDO_NOT_OWN") if decision.computer else None

    def table(self) -> Table:
        """The snapshot for everybody."""
        header = self.header
        return Table(
            id=header.id,
            game=self.game,
            edition=header.edition,
            rules_version=header.rules_version,
            name=header.name,
            players=header.players,
            options=dict(header.options),
            status=self.stage,
            number=self.number,
            seats=tuple(self.seats),
            created_at=header.created_at,
            changed_at=self.changed_at,
            commitment=commitment(header.seed) if self.started else None,
            seed=header.seed.hex() if self.over else None,
            rematch=self.rematch,
            rematch_of=header.rematch_of,
            rules_gone=self.rules_gone,
            clock=self.clocks.clock,
            paused=self.paused,
            archived=self.archived,
            ended=self.ended,
            rated=self.rated,
            hints=self.hints,
            request=self.request,
            _fold=self,
        )


def _play(state: State, seat: int, action: int, outcome: str | None) -> None:
    if outcome is None:
        state.play(seat, action)
    else:
        state.play_outcome(seat, action, outcome)


def _gone(header: Header, game: Game, edition: Edition) -> TableError | None:
    if header.rules_version != game.rules_version:
        why = (
            f"it was set up with version {header.rules_version} of the rules of {game.title}, "
            f"and only version {game.rules_version} is here"
        )
    elif header.edition != edition.hash:
        why = (
            f"it was set up with cards that are not here any more "
            f"(edition {header.edition}; the one here is {edition.hash})"
        )
    else:
        return None
    return TableError("RULES_GONE", why=why, table=header.id)
