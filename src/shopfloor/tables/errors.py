"""What a table refuses: a code, the facts, and a sentence for people. Nothing has changed when one is raised.

What the rules of a game refuse is not here: those refusals are `engine.refusals.IllegalAction` and `BadSetup`.
"""

from __future__ import annotations

from typing import Final

from shopfloor.engine.refusals import Refusal

SENTENCES: Final[dict[str, str]] = {
    "UNKNOWN_TABLE": "There is no table “{table}”. A link to a table ends in ten letters and digits.",
    "NOT_SEATED": "You do not sit at this table, so you can watch but not decide.",
    "BAD_TOKEN": "That is not a seat token. A token is 16 to 128 letters, digits, dashes and underscores.",
    "BAD_KEY": "A key is 1 to 64 printable ASCII characters.",
    "SEAT_TAKEN": "Seat {number} is taken by {name}.",
    "NO_SUCH_SEAT": "There is no seat {number} at this table; it has {players} seats.",
    "TABLE_FULL": "All {players} seats are taken.",
    "NAME_MISSING": "Please give a name, so that the others know who sits there.",
    "NAME_UNFIT": "A name has at most {most} characters, all of them visible.",
    "NAME_TAKEN": "Somebody at this table is called “{name}” already.",
    "ALREADY_STARTED": "The game has started; seats can no longer be changed.",
    "NOT_STARTED": "The game has not started yet.",
    "SEATS_FREE": "The game starts once every seat is taken; {count} still free: fill with people or computers.",
    "NOT_MANAGER": "Only the one who made the table and those who sit at it can do this.",
    "STALE": "Your page showed an earlier position; the table has moved on. Look again and decide anew.",
    "UNDO_REFUSED": "This decision cannot be taken back: {why}.",
    "KEY_REUSED": "The key “{key}” was used before, for something else. Each request needs a key of its own.",
    "STILL_RUNNING": "The game is still under way; this can be had when it is over.",
    "NO_SUCH_MOMENT": "That is not a moment since your last turn; the table has moved on. Begin again at its page.",
    "RULES_GONE": "This table can be looked at but no longer played: {why}.",
    "BY_HAND": "This is done with the hands: at the site, or by telling the server's hand where to put the piece.",
    "HANDS_FULL": "Something is in the hand or still on its way. Wait until all is at rest, then decide.",
    "NO_WORLD": "Nothing at this table is done by hand: {why}.",
    "WORLD_BUSY": "Too many sites are in motion on this server ({most}). Try again in a moment.",
    "NO_MOTION": "Nothing was carried out by hand at entry {number} of this table's log.",
    "BAD_CLOCK": "A clock is none, move:SECONDS, bank:SECONDS:INCREMENT or day:SECONDS (at least 5), not “{clock}”.",
    "MESSAGE_UNFIT": "A message has 1 to {most} characters, all of them visible.",
    "SILENCED": "Whoever made this table has silenced you here.",
    "TOO_MUCH_TALK": "You have said a lot; wait a minute (at most {most} messages in one).",
    "NOT_MAKER": "Only the one who made the table can do this.",
    "REQUEST_PENDING": "{name} has asked for something; answer that first.",
    "NO_REQUEST": "That request is no longer open.",
    "PAUSED": "The game is paused. Whoever sits here can go on with it.",
    "ARCHIVED": "Nothing happened here for a long time, so the table was put away. Who sits here can bring it back.",
    "ENDED": "The administrator has ended this table.",
    "GAME_OVER": "The game is over.",
    "NO_SUCH_LINE": "The log of this table has no line {line}; it goes from 1 to {last}.",
    "NOBODY_THERE": "There is nobody in seat {number} who could be replaced or silenced.",
    "RATED_NEEDS_ACCOUNT": "This table is rated: sign in to sit down here.",
    "NOT_TO_OFFER": "{name}'s seat can be offered to others only by its owner, or while a computer stands in.",
    "SEATED_ALREADY": "You sit at this table already, in seat {number}.",
    "UNKNOWN_LEVEL": "There is no computer player “{level}”; there is {known}.",
}
"""Every code, with its sentence. The facts fill the braces."""

CODES: Final = tuple(SENTENCES)

ACCOUNT_SENTENCES: Final[dict[str, str]] = {
    "ACCOUNT_NAME_TAKEN": "Somebody has the name “{name}” already, or it is kept for the site. Choose another.",
    "ACCOUNT_NAME_UNFIT": "The name of an account has none of these: {letters}",
    "PASSWORD_UNFIT": "A password has {least} to {most} characters, and is not your name.",
    "SIGN_IN_FAILED": "Name and password do not fit together.",
    "PASSWORD_WRONG": "This is not your present password.",
    "NOT_SIGNED_IN": "Sign in first.",
    "NO_SUCH_PERSON": "There is nobody called “{name}” here.",
    "LAST_WAY_IN": "This passkey is your only way in. Give yourself a password, or add another passkey, before.",
    "PASSKEY_FAILED": "The passkey was not accepted: {why}.",
    "TOO_MANY": "You have {most} of them already. Remove one first.",
    "NOT_ADMIN": "Only the administrator of this site can do this.",
    "NOTHING_TO_BLOCK": "There is nobody in that seat whom you could block.",
}
"""What an account refuses, and what is refused to who has none."""

UNDO_REASONS: Final[dict[str, str]] = {
    "UNDO_NOTHING": "you have not decided anything yet",
    "UNDO_ALREADY": "it has been taken back already",
    "UNDO_NOT_LAST": "it is not your last decision",
    "UNDO_NOT_OWN": "a computer took it for you",
    "UNDO_BY_HAND": "what hands have done cannot be undone",
    "UNDO_REVEALED": "something hidden has come to light since",
    "UNDO_OTHERS_ACTED": "another player has acted since",
    "UNDO_OVER": "the game is over",
}
"""Why a decision stands, by the code of the refusal in `Table.undo_refusal`."""


class TableError(Exception):
    """A table refused something; nothing has changed.

    code: one of `CODES`. facts: what a program may want to know. sentence: the whole for people.
    """

    sentences = SENTENCES

    def __init__(self, code: str, **facts: object) -> None:
        self.code = code
        self.facts = facts
        self.sentence = self.sentences[code].format_map(facts)
        super().__init__(self.sentence)


class UnknownTable(TableError):
    """There is no table with this id (UNKNOWN_TABLE)."""

    def __init__(self, table_id: str) -> None:
        super().__init__("UNKNOWN_TABLE", table=table_id[:40])


class AccountError(TableError):
    """An account refused something; nothing has changed. code: one of `ACCOUNT_SENTENCES`."""

    sentences = ACCOUNT_SENTENCES


class StorageError(Exception):
    """The database cannot be used as it is; the message says what is wrong and what would be right."""


def undo_words(refusal: Refusal) -> str:
    """Why a decision cannot be taken back, as a clause of a sentence."""
    return UNDO_REASONS[refusal.code]


def undo_refused(refusal: Refusal) -> TableError:
    return TableError("UNDO_REFUSED", why=undo_words(refusal), reason=refusal.code, **refusal.facts)
