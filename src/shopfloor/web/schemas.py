"""What the JSON API takes and gives. Docstrings and descriptions here are what its documentation says."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from shopfloor.bots import STAND_IN

# A double holds every whole number up to here: so far, all languages agree on what JSON says.
MOST = 2**53 - 1

Count = Annotated[int, Meta(ge=0, le=MOST)]
Name = Annotated[str, Meta(description="As the others at the table see it: 1 to 24 visible characters.")]
Key = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=64,
        pattern="^[!-~]([ -~]*[!-~])?$",
        description="Printable ASCII, made up by the client, new for each decision. Again: the first answer again.",
    ),
]


# -- games ------------------------------------------------------------------------------------------------------


class GameSummary(Struct, frozen=True):
    """A game on the shelf."""

    id: str
    title: str
    blurb: str
    minutes: int
    player_counts: list[int]


class OptionValue(Struct, frozen=True):
    """A value that an option can take. needs_seat: only in games that have this seat."""

    value: str
    words: str
    needs_seat: int | None = None


class OptionPick(Struct, frozen=True):
    """One of the things that people may choose from. closed_with: numbers of players with which it cannot be."""

    value: str
    words: str
    explanation: str
    closed_with: list[int] = []


class PickCount(Struct, frozen=True):
    """How many picks it takes with so many players, where the other options have these values."""

    players: int
    options: dict[str, str]
    count: int


class OptionInfo(Struct, frozen=True):
    """What the people at a table may agree on before a game; `clause` is the rule that it bears on.

    picks: where people may also choose for themselves, what there is to choose from. Such a value is written as the
    picks with `+` between them, as many as `pick_counts` say. player_counts: the numbers of players with which it
    matters at all; empty: with any.
    """

    id: str
    title: str
    explanation: str
    clause: str
    default: str
    values: list[OptionValue]
    picks: list[OptionPick] = []
    pick_counts: list[PickCount] = []
    player_counts: list[int] = []


class ActionInfo(Struct, frozen=True):
    """A line of a game's table of actions. Both the id and the name can be played."""

    id: int
    name: str


class LevelInfo(Struct, frozen=True):
    """A level of computer players."""

    id: str
    title: str
    explanation: str


class GameInfo(Struct, frozen=True):
    """All that a program needs to know of a game.

    edition: names the contents of cards and boards. events: the kinds of events with the names of their facts.
    view: JSON Schema of what a seat may know of a position, which tables give as `view`.
    """

    id: str
    title: str
    blurb: str
    minutes: int
    rules_version: str
    edition: str
    player_counts: list[int]
    options: list[OptionInfo]
    actions: list[ActionInfo]
    levels: list[LevelInfo]
    events: dict[str, list[str]]
    view: dict[str, Any]


# -- tables -----------------------------------------------------------------------------------------------------


class CreateTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A table to be. Options that are not named take their defaults."""

    game: str
    players: Annotated[int, Meta(ge=1, le=MOST)]
    options: dict[str, str] = {}
    name: Annotated[str, Meta(description="Up to 60 visible characters; may be empty.")] = ""
    hints: Annotated[bool, Meta(description="May players ask for advice?")] = True
    rated: Annotated[bool, Meta(description="Does the game count for ratings? Then people need accounts.")] = False
    clock: Clock = "none"


Clock = Annotated[
    str,
    Meta(
        max_length=40,
        description="How time is counted: `none`; `move:SECONDS` for each decision; `bank:SECONDS:INCREMENT` for the "
        "game, with more after each turn; `day:SECONDS` as `move`, in whole days. After another colon the level of the "
        "computer that stands in when the time is up, or `-`: it is only shown.",
    ),
]


class Sit(Struct, frozen=True, forbid_unknown_fields=True):
    """Take a seat: this one, or else the first that is free."""

    name: Name
    seat: Annotated[int, Meta(ge=0, le=MOST)] | None = None
    key: Key | None = None


class AddComputer(Struct, frozen=True, forbid_unknown_fields=True):
    """Give a seat to a computer player: this one, or else the first that is free."""

    level: str
    seat: Annotated[int, Meta(ge=0, le=MOST)] | None = None


class Act(Struct, frozen=True, forbid_unknown_fields=True):
    """A decision.

    action: an id or a name from the game's table of actions. based_on: the table's `number` in the answer that the
    decision was made from.
    """

    action: int | Annotated[str, Meta(max_length=200)]
    based_on: Count
    key: Key


Pose = Annotated[
    list[float],
    Meta(
        min_length=3,
        max_length=7,
        description="x, y, z in millimetres, z upwards; then nothing (upright), a turn about the vertical in degrees, "
        "or a quaternion w, x, y, z.",
    ),
]


class Place(Struct, frozen=True, forbid_unknown_fields=True):
    """Something for the server's hand to do: take a piece, carry it, lower it until something bears it, let it go.

    piece: its number or name. pose: where it is to be. via: poses on the way; without them it is carried above all that
    stands. based_on, key: as for a decision.
    """

    piece: Annotated[int, Meta(ge=0, le=MOST)] | Annotated[str, Meta(max_length=60)]
    pose: Pose
    based_on: Count
    key: Key
    via: Annotated[list[Pose], Meta(max_length=64)] = []


class LayOut(Struct, frozen=True, forbid_unknown_fields=True):
    """A whole arrangement of one's own, where a game asks for one: poses by the names or numbers of the pieces."""

    poses: Annotated[dict[str, Pose], Meta(max_length=200)]
    based_on: Count
    key: Key


class Undo(Struct, frozen=True, forbid_unknown_fields=True):
    """Take back one's last decision; number: that of its line in the log."""

    number: Count
    key: Key


class AskPause(Struct, frozen=True, forbid_unknown_fields=True):
    """Ask the others to pause."""

    key: Key


class AnswerRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """What one says to a request."""

    agree: bool


class Say(Struct, frozen=True, forbid_unknown_fields=True):
    """Something to say, in one line."""

    text: Annotated[str, Meta(min_length=1, max_length=1000, description="Up to 500 visible characters.")]
    key: Key


class Mute(Struct, frozen=True, forbid_unknown_fields=True):
    """Mute a seat, or hear it again."""

    muted: bool = True


class Silence(Struct, frozen=True, forbid_unknown_fields=True):
    """Silence a seat, or let it speak again."""

    silenced: bool = True


class TakeSeat(Struct, frozen=True, forbid_unknown_fields=True):
    """Take an offered seat."""

    name: Name


Every = Annotated[
    int | None,
    Meta(description="At most one notice in 60, 600, 3600 or 86400 seconds; without it, the usual."),
]


class NoticeByMail(Struct, frozen=True, forbid_unknown_fields=True):
    """A mailbox to be told at. It is asked first: nothing else is sent there before its owner has said yes."""

    address: Annotated[str, Meta(max_length=320, description="Such as ann@example.org.")]
    every: Every = None


class NoticeByWebhook(Struct, frozen=True, forbid_unknown_fields=True):
    """An address that requests are sent to. It has to be public, and is not to lead on to another one."""

    url: Annotated[str, Meta(max_length=2000, description="https:// or http://")]
    form: Annotated[
        str,
        Meta(description="`json`, or as a service wants it: `ntfy`, `discord`, `slack` (Mattermost, too)."),
    ] = "json"
    every: Every = None


class NoticeByPush(Struct, frozen=True, forbid_unknown_fields=True):
    """A browser's push subscription, made with the server's `push_key`."""

    endpoint: Annotated[str, Meta(max_length=2000)]
    p256dh: Annotated[str, Meta(max_length=200, description="The browser's public key, in base64url.")]
    auth: Annotated[str, Meta(max_length=100, description="The browser's secret, in base64url.")]
    every: Every = None


class Leave(Struct, frozen=True, forbid_unknown_fields=True):
    """Leave a game under way; a computer player of this level stands in until the person is back."""

    level: str = STAND_IN


class SeatInfo(Struct, frozen=True):
    """A seat. kind: `free`, `person` or `computer`. stand_in: the level that plays while the person is away.

    offered: whoever wants it may take it. silenced: may say nothing here.
    until: when its time is up (seconds since 1970, UTC), while its clock runs;
    left: seconds left to it when that last stood still; None without a clock.
    """

    seat: int
    kind: str
    name: str
    level: str | None
    away: bool
    stand_in: str | None
    offered: bool
    silenced: bool
    until: float | None
    left: float | None


class RequestInfo(Struct, frozen=True):
    """What somebody asks the others for. number: of its line in the log. kind: `undo` or `pause`. seat: who asks.

    target: the number of the decision to be taken back, with everything since. awaited: whose agreement it needs yet.
    """

    number: int
    kind: str
    seat: int
    target: int | None
    awaited: list[int]


class TableInfo(Struct, frozen=True):
    """A table as the asker may see it.

    status: `open` (seats are being taken), `playing` or `over`. number: that of the last line of the log; it grows with
    everything that happens. deciders: the seats that decide now; several decide at once, unseen by each other.
    question: what is asked now, and of whom. seat: the asker's seat, None for a spectator. manages: may the asker add
    computers and start? undo: the number of the asker's decision that can be taken back now; undo_by_request: that
    which the others can be asked to let go. request: what somebody asks for. clock: how time is counted. paused: by
    agreement, for now. archived: put away, since nothing happened for long. ended: by the administrator. rated: does
    the game count for ratings? muted: the seats that the asker does not want to hear. hints: may players ask for
    advice? commitment: SHA-256 of the seed, from the start; seed: once the game is over. view: what the asker may know
    of the position; None before the start; its shape is in the game's
    `view`.
    """

    id: str
    game: str
    edition: str
    name: str
    players: int
    options: dict[str, str]
    status: str
    number: int
    seats: list[SeatInfo]
    created_at: float
    commitment: str | None
    seed: str | None
    rematch: str | None
    rematch_of: str | None
    deciders: list[int]
    question: str
    seat: int | None
    manages: bool
    undo: int | None
    undo_by_request: int | None
    request: RequestInfo | None
    clock: str
    paused: bool
    archived: bool
    ended: bool
    rated: bool
    muted: list[int]
    hints: bool
    link: str
    view: dict[str, Any] | None


class TableSummary(Struct, frozen=True):
    """A table in a list. seat: the asker's seat there."""

    id: str
    game: str
    name: str
    players: int
    options: dict[str, str]
    status: str
    number: int
    seats: list[SeatInfo]
    created_at: float
    deciders: list[int]
    seat: int | None
    link: str


class Created(Struct, frozen=True):
    """The new table, and the token that manages it; sitting down with the token gives it a seat as well."""

    token: str
    table: TableInfo


class Seated(Struct, frozen=True):
    """The seat that was taken, and the token that plays it. Whoever holds the token is that player: keep it."""

    seat: int
    token: str
    table: TableInfo


class Answer(Struct, frozen=True):
    """An accepted decision.

    number: that of its line in the log. repeated: the key was known, and this is what it got the first time.
    """

    number: int
    repeated: bool
    table: TableInfo


class Rematch(Struct, frozen=True):
    """The table of the next game with the same people; their tokens hold there too."""

    table: TableInfo


class LegalAction(Struct, frozen=True):
    """Something that the seat may decide now; words: for a button.

    by_hand: only a hand can do it, at the site or as `/hand` and `/arrangement` tell the server's.
    """

    id: int
    name: str
    words: str
    by_hand: bool


class Legal(Struct, frozen=True):
    """What a seat may decide now; nothing if it is not its turn. number: to send along as `based_on`."""

    number: int
    seat: int
    actions: list[LegalAction]


class ReasonInfo(Struct, frozen=True):
    """What a move brings of something that players count, a few decisions later and on average, beside another move.

    measure: what is counted; words: the same in the words of the game. mean: after this move; other: after the one
    that it is compared with. low, high: the 95 % interval of the difference.
    """

    measure: str
    words: str
    mean: float
    other: float
    low: float
    high: float


class TrialsInfo(Struct, frozen=True):
    """How something was tried out by a hand on copies of the world.

    piece, pose, via: what makes the server's hand do it (the empty string and nothing where no hand is needed).
    exact: nothing about it is left to chance, so that one trial tells all. facts: what was found, by the game: numbers
    that the sentences tell.
    """

    piece: str
    pose: list[float]
    via: list[list[float]]
    exact: bool
    facts: dict[str, object]


class HintInfo(Struct, frozen=True):
    """A move that promises much.

    value: the share of the victory that it is expected to bring, from 0 to 1; low, high: its 95 % interval. worlds: in
    how many imagined positions, or trials by hand, it was tried (0: it is the only move). against: the action that the
    reasons compare it with: the best hint with the second, the others with the best; None if there is no other.
    lead: by how much its value is above that one's (lead_low, lead_high: the 95 % interval); even: they are as good
    as each other, as far as can be told. sentences: for people. trials: where a hand has tried it out.
    """

    action: int
    name: str
    words: str
    value: float
    low: float
    high: float
    worlds: int
    against: int | None
    lead: float
    lead_low: float
    lead_high: float
    even: bool
    reasons: list[ReasonInfo]
    sentences: list[str]
    trials: TrialsInfo | None


class AdviceInfo(Struct, frozen=True):
    """Up to three moves for a seat, the best first, of `choices` legal ones. number: to send along as `based_on`."""

    number: int
    seat: int
    choices: int
    hints: list[HintInfo]


class MomentInfo(Struct, frozen=True):
    """The chances of victory after so many decisions, by seat. They add up to 1."""

    decisions: int
    chances: list[float]


class TurningInfo(Struct, frozen=True):
    """A decision after which the chances were much different. number: its line of the log.

    changes: of the chances, by seat. sentences: what happened.
    """

    decision: int
    number: int
    changes: list[float]
    sentences: list[str]


class CostlyInfo(Struct, frozen=True):
    """A decision that surely gave something away, as far as its seat could know. number: its line of the log.

    cost: in shares of the victory; low, high: its 95 % interval, over so many imagined positions (`worlds`).
    """

    decision: int
    number: int
    seat: int
    action: int
    action_name: str
    better: int
    better_name: str
    cost: float
    low: float
    high: float
    worlds: int
    sentence: str


class SlipInfo(Struct, frozen=True):
    """A decision carried out by hand that took much of its own seat's chance: what it was before, and after.

    number: its line of the log.
    """

    decision: int
    number: int
    seat: int
    action: int
    action_name: str
    before: float
    after: float
    sentence: str


class AccountInfo(Struct, frozen=True):
    """Where a seat's result came from, in shares of the victory: start + own + hand + others + luck = result.

    own: given away by its own decisions (below 0), with the 95 % interval; hand: gained and lost by its own hand, in
    games where something is done by hand; others: by the others' decisions and hands; luck: the rest.
    judged: how many of its decisions could be judged.
    """

    seat: int
    start: float
    own: float
    own_low: float
    own_high: float
    others: float
    luck: float
    result: float
    judged: int
    hand: float


class AnalysisInfo(Struct, frozen=True):
    """A finished game looked at again. numbers: the decisions' lines of the log. seconds: of computing.

    by_hand: how many decisions were carried out by hand, and so are compared with nothing; slips: those that cost most.
    """

    decisions: int
    numbers: list[int]
    moments: list[MomentInfo]
    turning: list[TurningInfo]
    costly: list[CostlyInfo]
    accounts: list[AccountInfo]
    seconds: float
    by_hand: int
    slips: list[SlipInfo]


class WhyNot(Struct, frozen=True):
    """May the seat play an action now, and if not, why not? code and clause are empty if it may."""

    action: int
    name: str
    allowed: bool
    code: str
    clause: str
    facts: dict[str, Any]
    sentence: str


class EventInfo(Struct, frozen=True):
    """Something that happened, by a rule of the game. facts: by the names in the game's `events`."""

    kind: str
    clause: str
    facts: dict[str, Any]
    sentence: str


class LogEntry(Struct, frozen=True):
    """A line of a table's log, as far as the asker may know it.

    kind: `create`, `sit`, `stand_up`, `bot`, `remove_bot`, `start`, `play`, `undo`, `away`, `back`, `rematch`,
    `ask`, `agree`, `decline`, `rewind`, `pause`, `resume`, `offer`, `take`, `archive`, `revive`, `say` (text: what was
    said), `mute`, `unmute`, `rekey` (one's own only), `silence`, `unsilence`, `no_hints`, `rated`, `forget` (of a
    deleted account); by the administrator: `end`, `reopen`, `replace`, `free`. by_admin: did the administrator do it?
    at: seconds since 1970. action, action_name: of a decision that the asker may know. undone: was taken back later.
    """

    number: int
    at: float
    kind: str
    seat: int | None
    action: int | None
    action_name: str | None
    undone: bool
    events: list[EventInfo]
    text: str = ""
    by_admin: bool = False


class News(Struct, frozen=True):
    """What has happened at a table since the number that was asked about; `number` is the one to ask about next.

    timed_out: nothing has. your_decision: is it the asker's turn?
    """

    number: int
    status: str
    deciders: list[int]
    your_decision: bool
    timed_out: bool
    lines: list[LogEntry]


class NoticeTarget(Struct, frozen=True):
    """Where the asker is told of their turn at a table.

    kind: `push`, `mail` or `webhook`. hint: enough of the address to know it by. every: seconds between two notices at
    least. confirmed: has the mailbox said yes? trouble: why nothing is sent there any more, or empty. secret: what
    requests in the form `json` are signed with (see standardwebhooks.com), else empty.
    """

    id: str
    kind: str
    hint: str
    form: str
    every: int
    confirmed: bool
    trouble: str
    secret: str


class Notices(Struct, frozen=True):
    """How this server tells people of their turn, and where it tells the asker.

    offered: some of `push`, `mail`, `webhook`. push_key: what a browser subscribes with, or empty.
    """

    offered: list[str]
    push_key: str
    targets: list[NoticeTarget]


class Fairness(Struct, frozen=True):
    """What anybody needs to check the shuffles.

    commitment: SHA-256 of the seed's 32 bytes, published before the first card. seed: 64 hex digits, published once the
    game is over. matches: does the seed fit the commitment? None while there is no seed.
    """

    commitment: str | None
    seed: str | None
    matches: bool | None
    how: str


# -- people -----------------------------------------------------------------------------------------------------


class RatingInfo(Struct, frozen=True):
    """How strong somebody is taken to be at a game: normally distributed around mu. games: how many it is made from."""

    game: str
    mu: float
    sigma: float
    games: int


class ResultInfo(Struct, frozen=True):
    """A place in a finished game, 1 for the best, shared places equal. at: when it ended (seconds since 1970).

    mu, sigma: the rating after it; None where it was not rated.
    """

    table: str
    game: str
    at: float
    place: int
    players: int
    mu: float | None
    sigma: float | None


class PersonInfo(Struct, frozen=True):
    """Somebody with an account, and their results: the newest first."""

    name: str
    ratings: list[RatingInfo]
    results: list[ResultInfo]


class BoardLine(Struct, frozen=True):
    """A line of a leaderboard, which goes by mu - 3 sigma."""

    name: str
    rating: RatingInfo


class Block(Struct, frozen=True, forbid_unknown_fields=True):
    """Read no more what the person in a seat says, at any table; or again."""

    blocked: bool = True


class Rewind(Struct, frozen=True, forbid_unknown_fields=True):
    """Take back all decisions after a line of the log."""

    line: Count


class Replace(Struct, frozen=True, forbid_unknown_fields=True):
    """Let a computer of this level play in a person's place."""

    level: str = STAND_IN


class NewToken(Struct, frozen=True):
    """The seat's token from now on; the one before is void."""

    token: str
