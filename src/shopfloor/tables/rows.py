"""What is stored of a table: one header, and one entry for everything that has happened."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Header:
    """What is fixed when a table is made. seed: 32 secret bytes. status: derived from the log, for listings.

    clock: as `clock.parse` reads it.
    """

    id: str
    game: str
    rules_version: str
    edition: str
    players: int
    options: dict[str, str]
    name: str
    seed: bytes
    created_at: float
    status: str
    rematch_of: str | None
    clock: str = "none"


@dataclass(frozen=True)
class Entry:
    """One line of a table's log. Which fields are used depends on the kind:

    create (token: of the maker), sit (seat, name, token), stand_up (seat), bot (seat, name, level), remove_bot (seat),
    start, play (seat, action, computer: did one decide?, outcome: what the world measured, where it had a say, as the
    game writes it), undo (seat, target: the number of the play taken back),
    away (seat, level: of the stand-in, computer: did the clock do it?), back (seat),
    rematch (follower: the id of the new table), ask (seat, level: undo or pause, target: the number of the play),
    agree, decline (seat, target: the number of the request), rewind (seat, target: the first play taken back), pause,
    resume (seat), offer (seat), take (seat, name, token), archive, revive (seat),
    say (seat, outcome: the text), mute, unmute, silence, unsilence (seat, target: the other seat).

    no_hints (right after create, where nobody may ask for advice), rated (right after that, where the game counts for
    ratings), rekey (seat, token: who holds the seat from now on; no seat: what the maker proves themselves by).

    By the administrator: end, reopen, replace (seat, name, level: of the computer), free (seat, level: of the
    stand-in), and with the level `admin` and without a seat: rewind, silence, unsilence.

    forget (seat: of an account that was deleted; what told who it was is gone from the entries before).

    number: 1, 2, 3, ... at: seconds since 1970 (UTC). key: what makes a repeated request recognisable, or None.
    token: SHA-256 (hex) of a seat token; the token itself is never stored. Or an account: `@` and its id.
    """

    number: int
    at: float
    kind: str
    key: str | None = None
    seat: int | None = None
    action: int | None = None
    computer: bool = False
    target: int | None = None
    name: str | None = None
    level: str | None = None
    token: str | None = None
    follower: str | None = None
    outcome: str | None = None
