"""Accounts: for people who want their tables, results and ratings on every device. Nobody needs one to play.

Passwords are kept as Argon2 makes them, tokens as their SHA-256. No address of a person or a machine is kept.
"""

from __future__ import annotations

import secrets
import threading
import time
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from shopfloor.tables import checks
from shopfloor.tables.checks import Member
from shopfloor.tables.errors import AccountError, TableError
from shopfloor.tables.schema import ACCOUNTS, CHALLENGES, PASSKEYS, RESULTS, SIGN_INS
from shopfloor.tables.store import Store

PASSWORD_LEAST: Final = 10
PASSWORD_MOST: Final = 200
# What would stand in the way in an address, or be read as something else there.
UNFIT: Final = '/ \\ ? # % @ ! < > "'
RESERVED: Final = ("admin", "administrator", "the administrator", "shopfloor", "foreman", "former player", "you")
UNSEEN_DAYS: Final = 180
DAY: Final = 24 * 3600.0
CHALLENGE_SECONDS: Final = 300.0
MOST_KEYS: Final = 20
PROGRAM: Final = "sf_account_"
"""What the tokens of programs that act for an account begin with."""

BROWSER_KIND: Final = "browser"
PROGRAM_KIND: Final = "program"


@dataclass(frozen=True)
class Account:
    """A person's account. admin: by `Accounts.grant`. has_password: else passkeys alone lead in."""

    id: str
    name: str
    created_at: float
    admin: bool
    has_password: bool

    @property
    def member(self) -> Member:
        """Who they are at tables."""
        return Member(self.id)

    @property
    def player(self) -> str:
        """How their seats and results are marked."""
        return checks.token_hash(self.member)


@dataclass(frozen=True)
class SignIn:
    """A browser that is signed in, or a program that may act for the account. seen_at: to the day."""

    id: str
    kind: str
    label: str
    created_at: float
    seen_at: float


@dataclass(frozen=True)
class Passkey:
    """A passkey. id: names it here. credential: names it to the browser. uses: as its authenticator counts them."""

    id: str
    account_id: str
    credential: bytes
    public_key: bytes
    uses: int
    label: str
    created_at: float
    used_at: float | None


@dataclass(frozen=True)
class Challenge:
    """What a passkey was asked for. purpose: sign-in, sign-up or add. name: of the account to be."""

    purpose: str
    account_id: str | None
    name: str | None


COLUMNS: Final = (ACCOUNTS.c.id, ACCOUNTS.c.name, ACCOUNTS.c.created_at, ACCOUNTS.c.admin, ACCOUNTS.c.password)
SIGN_IN: Final = tuple(SIGN_INS.c[name] for name in ("id", "kind", "label", "created_at", "seen_at"))
PASSKEY: Final = tuple(PASSKEYS.c[name] for name in Passkey.__dataclass_fields__)


def _account(row: Any) -> Account:
    return Account(row.id, row.name, row.created_at, row.admin, row.password is not None)


def account_name(text: str) -> str:
    """The name of an account, trimmed. Raises NAME_MISSING, NAME_UNFIT, ACCOUNT_NAME_UNFIT, ACCOUNT_NAME_TAKEN."""
    name = checks.name(text)
    if any(letter in name for letter in UNFIT.split()):
        raise AccountError("ACCOUNT_NAME_UNFIT", letters=UNFIT)
    if checks.name_key(name) in RESERVED:
        raise AccountError("ACCOUNT_NAME_TAKEN", name=name)
    return name


class Accounts:
    """The accounts of one database. Every method may be called from any thread. They raise AccountError."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._hasher = PasswordHasher()
        # What is compared where there is no password: it takes as long, and fits nothing.
        self._decoy = self._hasher.hash(secrets.token_urlsafe(32))
        # Each of them takes 64 MiB for a moment: few at once, whatever comes in.
        self._hashing = threading.BoundedSemaphore(2)

    # -- getting in -----------------------------------------------------------------------------------------------

    def sign_up(self, name: str, password: str) -> Account:
        """A new account with a password. Raises PASSWORD_UNFIT, ACCOUNT_NAME_TAKEN and what `account_name` raises."""
        called = account_name(name)
        _fit(password, called)
        self.free(called)
        return self._make(called, self._hash(password))

    def free(self, name: str) -> None:
        """Raises ACCOUNT_NAME_TAKEN if somebody has the name."""
        if self.by_name(name) is not None:
            raise AccountError("ACCOUNT_NAME_TAKEN", name=name)

    def check(self, name: str, password: str) -> Account:
        """The account of this name and password; takes as long whether or not there is one. Raises SIGN_IN_FAILED."""
        row = self._row(name)
        known = row is not None and row.password is not None
        stored = str(row.password) if row is not None and known else self._decoy
        right = self._fits(stored, password)
        if row is None or not known or not right:
            raise AccountError("SIGN_IN_FAILED")
        if self._hasher.check_needs_rehash(stored):
            self._update(row.id, password=self._hash(password))
        return _account(row)

    def set_password(self, account: Account, old: str, new: str, session: str | None) -> None:
        """Another password, or the first one. All browsers but that of `session` are signed out.

        Raises PASSWORD_WRONG, PASSWORD_UNFIT.
        """
        self.prove(account, old)
        _fit(new, account.name)
        self._update(account.id, password=self._hash(new))
        with self._store.writing() as connection:
            others = sa.and_(SIGN_INS.c.account_id == account.id, SIGN_INS.c.kind == BROWSER_KIND)
            connection.execute(SIGN_INS.delete().where(others, SIGN_INS.c.id != (session or "")))

    def prove(self, account: Account, password: str) -> None:
        """Is it really them, where there is a password to be asked for? Raises PASSWORD_WRONG."""
        query = sa.select(ACCOUNTS.c.password).where(ACCOUNTS.c.id == account.id)
        with self._store.reading() as connection:
            stored = connection.execute(query).scalar()
        if stored is not None and not self._fits(str(stored), password):
            raise AccountError("PASSWORD_WRONG")

    def _hash(self, password: str) -> str:
        with self._hashing:
            return self._hasher.hash(_bytes(password))

    def _fits(self, stored: str, password: str) -> bool:
        with self._hashing:
            try:
                return self._hasher.verify(stored, _bytes(password))
            except (VerificationError, InvalidHashError):
                return False

    def _make(self, name: str, password: str | None, account_id: str | None = None) -> Account:
        made = Account(account_id or new_id(), name, time.time(), False, password is not None)
        row = {
            "id": made.id,
            "name": name,
            "name_key": checks.name_key(name),
            "password": password,
            "created_at": made.created_at,
            "admin": False,
        }
        try:
            with self._store.writing() as connection:
                connection.execute(ACCOUNTS.insert(), row)
        except sa.exc.IntegrityError:
            raise AccountError("ACCOUNT_NAME_TAKEN", name=name) from None
        return made

    def _update(self, account_id: str, **values: Any) -> None:
        with self._store.writing() as connection:
            connection.execute(ACCOUNTS.update().where(ACCOUNTS.c.id == account_id).values(values))

    # -- who is who -----------------------------------------------------------------------------------------------

    def by_name(self, name: str) -> Account | None:
        """The account that people would call so."""
        row = self._row(name)
        return None if row is None else _account(row)

    def _row(self, name: str) -> Any:
        try:
            key = checks.name_key(checks.name(name))
        except TableError:  # nobody can be called that
            return None
        with self._store.reading() as connection:
            return connection.execute(sa.select(*COLUMNS).where(ACCOUNTS.c.name_key == key)).first()

    def get(self, account_id: str) -> Account | None:
        """The account with this id."""
        with self._store.reading() as connection:
            row = connection.execute(sa.select(*COLUMNS).where(ACCOUNTS.c.id == account_id)).first()
        return None if row is None else _account(row)

    def names(self, players: list[str]) -> dict[str, str]:
        """Names by how seats and results are marked (`Account.player`); those who are gone are not among them."""
        ids = [player[1:] for player in players if player.startswith("@")]
        with self._store.reading() as connection:
            rows = connection.execute(sa.select(ACCOUNTS.c.id, ACCOUNTS.c.name).where(ACCOUNTS.c.id.in_(ids)))
            return {f"@{row.id}": row.name for row in rows}

    def grant(self, name: str, admin: bool = True) -> Account:
        """Make an account an administrator's, or an ordinary one again. Raises NO_SUCH_PERSON."""
        found = self.by_name(name)
        if found is None:
            raise AccountError("NO_SUCH_PERSON", name=name)
        self._update(found.id, admin=admin)
        return found

    def admins(self) -> list[Account]:
        """The administrators by `grant`."""
        with self._store.reading() as connection:
            rows = connection.execute(sa.select(*COLUMNS).where(ACCOUNTS.c.admin).order_by(ACCOUNTS.c.name))
            return [_account(row) for row in rows]

    # -- being signed in ------------------------------------------------------------------------------------------

    def sign_in(self, account: Account, label: str) -> str:
        """A browser is signed in from now on. The token that it keeps."""
        token = secrets.token_urlsafe(32)
        self._add_sign_in(account, BROWSER_KIND, label, token)
        return token

    def new_program(self, account: Account, label: str) -> str:
        """A token with which a program acts for the account. Raises TOO_MANY, NAME_MISSING, NAME_UNFIT."""
        called = checks.name(label)
        if sum(one.kind == PROGRAM_KIND for one in self.sign_ins(account)) >= MOST_KEYS:
            raise AccountError("TOO_MANY", most=MOST_KEYS)
        token = PROGRAM + secrets.token_urlsafe(32)
        self._add_sign_in(account, PROGRAM_KIND, called, token)
        return token

    def _add_sign_in(self, account: Account, kind: str, label: str, token: str) -> None:
        now = time.time()
        row = {
            "id": secrets.token_hex(8),
            "account_id": account.id,
            "token": checks.token_hash(token),
            "kind": kind,
            "label": label[:80],
            "created_at": now,
            "seen_at": now,
        }
        with self._store.writing() as connection:
            unseen = sa.and_(SIGN_INS.c.kind == BROWSER_KIND, SIGN_INS.c.seen_at < now - UNSEEN_DAYS * DAY)
            connection.execute(SIGN_INS.delete().where(unseen))
            connection.execute(SIGN_INS.insert(), row)

    def signed_in(self, token: str | None, kind: str = BROWSER_KIND) -> tuple[Account, SignIn] | None:
        """Whose token it is, and which of their sign-ins; None if it is nobody's, or no longer."""
        if token is None or not checks.well_formed(token):
            return None
        query = (
            sa.select(*COLUMNS, *(column.label(f"s_{column.name}") for column in SIGN_IN))
            .join(SIGN_INS, SIGN_INS.c.account_id == ACCOUNTS.c.id)
            .where(SIGN_INS.c.token == checks.token_hash(token), SIGN_INS.c.kind == kind)
        )
        with self._store.reading() as connection:
            row = connection.execute(query).first()
        if row is None:
            return None
        found = SignIn(row.s_id, row.s_kind, row.s_label, row.s_created_at, row.s_seen_at)
        now = time.time()
        if kind == BROWSER_KIND and found.seen_at < now - UNSEEN_DAYS * DAY:
            return None
        if found.seen_at < now - DAY:
            with self._store.writing() as connection:
                connection.execute(SIGN_INS.update().where(SIGN_INS.c.id == found.id).values(seen_at=now))
        return _account(row), found

    def sign_ins(self, account: Account) -> list[SignIn]:
        """Where the account is signed in, and its programs, the newest first."""
        query = sa.select(*SIGN_IN).where(SIGN_INS.c.account_id == account.id).order_by(SIGN_INS.c.created_at.desc())
        with self._store.reading() as connection:
            return [SignIn(*row) for row in connection.execute(query)]

    def sign_out(self, account: Account, sign_in: str) -> None:
        """End one of the account's sign-ins, or take a program's token away."""
        with self._store.writing() as connection:
            own = sa.and_(SIGN_INS.c.id == sign_in, SIGN_INS.c.account_id == account.id)
            connection.execute(SIGN_INS.delete().where(own))

    # -- passkeys -------------------------------------------------------------------------------------------------

    def challenge(self, purpose: str, account_id: str | None = None, name: str | None = None) -> bytes:
        """Something new for a passkey to sign. It can be answered once, within five minutes."""
        made = secrets.token_bytes(32)
        now = time.time()
        row = {
            "challenge": made.hex(),
            "purpose": purpose,
            "account_id": account_id,
            "name": name,
            "until": now + CHALLENGE_SECONDS,
        }
        with self._store.writing() as connection:
            connection.execute(CHALLENGES.delete().where(CHALLENGES.c.until < now))
            connection.execute(CHALLENGES.insert(), row)
        return made

    def answered(self, challenge: bytes, purpose: str) -> Challenge | None:
        """What the challenge was made for; None if it was not, or was answered before, or too long ago."""
        one = sa.and_(CHALLENGES.c.challenge == challenge.hex(), CHALLENGES.c.purpose == purpose)
        with self._store.writing() as connection:
            row = connection.execute(sa.select(CHALLENGES).where(one)).first()
            gone = connection.execute(CHALLENGES.delete().where(one)).rowcount
        if row is None or not gone or row.until < time.time():
            return None
        return Challenge(row.purpose, row.account_id, row.name)

    def passkeys(self, account: Account) -> list[Passkey]:
        """The account's passkeys, the oldest first."""
        query = sa.select(*PASSKEY).where(PASSKEYS.c.account_id == account.id).order_by(PASSKEYS.c.created_at)
        with self._store.reading() as connection:
            return [_passkey(row) for row in connection.execute(query)]

    def passkey(self, passkey_id: str) -> tuple[Account, Passkey] | None:
        """A passkey with its account."""
        query = sa.select(*PASSKEY).where(PASSKEYS.c.id == passkey_id)
        with self._store.reading() as connection:
            row = connection.execute(query).first()
        account = None if row is None else self.get(row.account_id)
        return None if account is None else (account, _passkey(row))

    def sign_up_by_passkey(self, name: str, account_id: str, passkey: Passkey) -> Account:
        """A new account without a password. Raises ACCOUNT_NAME_TAKEN."""
        self.free(account_name(name))
        if self.passkey(passkey.id) is not None:
            raise AccountError("PASSKEY_FAILED", why="it is another account's")
        made = self._make(account_name(name), None, account_id)
        self.add_passkey(made, passkey)
        return made

    def add_passkey(self, account: Account, passkey: Passkey) -> None:
        """One more way in. Raises TOO_MANY, PASSKEY_FAILED."""
        if len(self.passkeys(account)) >= MOST_KEYS:
            raise AccountError("TOO_MANY", most=MOST_KEYS)
        try:
            with self._store.writing() as connection:
                connection.execute(PASSKEYS.insert(), {**passkey.__dict__, "account_id": account.id})
        except sa.exc.IntegrityError:
            raise AccountError("PASSKEY_FAILED", why="it is known here already") from None

    def passkey_used(self, passkey: Passkey, uses: int) -> None:
        """It has led somebody in; `uses` as its authenticator counts."""
        with self._store.writing() as connection:
            one = PASSKEYS.update().where(PASSKEYS.c.id == passkey.id)
            connection.execute(one.values(uses=uses, used_at=time.time()))

    def remove_passkey(self, account: Account, passkey_id: str) -> None:
        """Raises LAST_WAY_IN."""
        keys = self.passkeys(account)
        if [key.id for key in keys] == [passkey_id] and not account.has_password:
            raise AccountError("LAST_WAY_IN")
        with self._store.writing() as connection:
            own = sa.and_(PASSKEYS.c.id == passkey_id, PASSKEYS.c.account_id == account.id)
            connection.execute(PASSKEYS.delete().where(own))

    # -- leaving --------------------------------------------------------------------------------------------------

    def close(self, account: Account) -> None:
        """End all sign-ins, so that nothing more is done for the account."""
        with self._store.writing() as connection:
            connection.execute(SIGN_INS.delete().where(SIGN_INS.c.account_id == account.id))

    def erase(self, account: Account, gone: str) -> None:
        """Delete what is known of the account but its tables. gone: what stands for it in results from now on."""
        with self._store.writing() as connection:
            for table in (SIGN_INS, PASSKEYS):
                connection.execute(table.delete().where(table.c.account_id == account.id))
            connection.execute(CHALLENGES.delete().where(CHALLENGES.c.account_id == account.id))
            connection.execute(RESULTS.update().where(RESULTS.c.player == account.player).values(player=gone))
            connection.execute(ACCOUNTS.delete().where(ACCOUNTS.c.id == account.id))


def new_id() -> str:
    """A name for an account that tells nothing: 128 random bits."""
    return secrets.token_hex(16)


def _passkey(row: Any) -> Passkey:
    values = dict(row._mapping)
    return Passkey(**{**values, "credential": bytes(row.credential), "public_key": bytes(row.public_key)})


def _bytes(password: str) -> bytes:
    """A password as it is hashed; nothing, which is nobody's, where it is longer than any."""
    plain = checks.normal(password)
    return plain.encode("utf-8", "surrogatepass") if len(plain) <= PASSWORD_MOST else b""


def _fit(password: str, name: str) -> None:
    plain = checks.normal(password)
    if not PASSWORD_LEAST <= len(plain) <= PASSWORD_MOST or checks.same_name(plain.strip(), name):
        raise AccountError("PASSWORD_UNFIT", least=PASSWORD_LEAST, most=PASSWORD_MOST)
