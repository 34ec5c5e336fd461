"""What may be called a name, a token, a key, the id of a table."""

from __future__ import annotations

import hashlib
import re
import secrets
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from shopfloor.tables.errors import TableError, UnknownTable

NAME_LENGTH: Final = 24
TABLE_NAME_LENGTH: Final = 60
MESSAGE_LENGTH: Final = 500
# No letters and digits that are taken for one another, and no u, so that few words come up.
ID_LETTERS: Final = "23456789abcdefghjkmnpqrstvwxyz"
ID_LENGTH: Final = 10

_ID: Final = re.compile(f"[{ID_LETTERS}]{{{ID_LENGTH}}}")
_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{16,128}")
_KEY: Final = re.compile(r"[!-~](?:[ -~]{0,62}[!-~])?")
# Joiners that scripts and emoji need inside a word; all other invisible characters only deceive.
_JOINERS: Final = "\u200c\u200d"

COMPUTER_NAMES: Final = ("Ada", "Bruno", "Clara", "Dario", "Edda", "Felix", "Greta", "Hugo", "Ines", "Jonas", "Karla")


@dataclass(frozen=True)
class Member:
    """Somebody who is signed in, and so holds the seats of an account. id: the account's."""

    id: str


Token = str | Member
"""What proves who one is at a table: a secret text, or having signed in."""


def new_table_id() -> str:
    """49 random bits: nobody finds a table by guessing."""
    return "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))


def table_id(text: str) -> str:
    """The id as it is stored. Raises UnknownTable for what cannot be one."""
    plain = text.strip().lower()
    if not _ID.fullmatch(plain):
        raise UnknownTable(text)
    return plain


def new_token() -> str:
    """A secret that proves who one is: 192 random bits."""
    return secrets.token_urlsafe(24)


def well_formed(token: Token | None) -> bool:
    return isinstance(token, Member) or (token is not None and _TOKEN.fullmatch(token) is not None)


def token_hash(token: Token) -> str:
    """What is stored of a token; of an account its id, marked so that no token's hash can be the same.

    Raises BAD_TOKEN if it is not one.
    """
    if isinstance(token, Member):
        return f"@{token.id}"
    if not well_formed(token):
        raise TableError("BAD_TOKEN")
    return hashlib.sha256(token.encode()).hexdigest()


def key(text: str) -> str:
    """Raises BAD_KEY."""
    if not _KEY.fullmatch(text):
        raise TableError("BAD_KEY")
    return text


def _visible(text: str, most: int) -> str:
    plain = unicodedata.normalize("NFC", text).strip()
    bad = any(unicodedata.category(c)[0] == "C" and c not in _JOINERS for c in plain)
    lines = any(unicodedata.category(c) in ("Zl", "Zp") for c in plain)
    if bad or lines or len(plain) > most:
        raise TableError("NAME_UNFIT", most=most)
    return " ".join(plain.split())


def name(text: str) -> str:
    """A person's name, trimmed. Raises NAME_MISSING or NAME_UNFIT."""
    plain = _visible(text, NAME_LENGTH)
    if not any(unicodedata.category(c)[0] in "LNSP" for c in plain):
        raise TableError("NAME_MISSING")
    return plain


def message(text: str) -> str:
    """What somebody says, trimmed, in one line. Raises MESSAGE_UNFIT."""
    plain = " ".join(unicodedata.normalize("NFC", text).split())
    bad = any(unicodedata.category(c)[0] == "C" and c not in _JOINERS for c in plain)
    if bad or not 0 < len(plain) <= MESSAGE_LENGTH:
        raise TableError("MESSAGE_UNFIT", most=MESSAGE_LENGTH)
    return plain


def table_name(text: str) -> str:
    """A table's name, trimmed; may be empty. Raises NAME_UNFIT."""
    return _visible(text, TABLE_NAME_LENGTH)


def normal(text: str) -> str:
    """A text as it is compared: however it was put in."""
    return unicodedata.normalize("NFKC", text)


def name_key(text: str) -> str:
    """What names have in common that people would take for the same."""
    return " ".join(normal(text).casefold().split())


def same_name(a: str, b: str) -> bool:
    """Would people take these for the same name?"""
    return normal(a).casefold() == normal(b).casefold()


def computer_name(taken: Iterable[str]) -> str:
    """A name for a computer that nobody at the table has."""
    used = list(taken)
    names = [*COMPUTER_NAMES, *(f"{n} {i}" for i in range(2, 100) for n in COMPUTER_NAMES)]
    return next(n for n in names if not any(same_name(n, other) for other in used))
