"""The database's tables as SQLAlchemy knows them; `migrations` makes them."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

METADATA: Final = sa.MetaData()

TABLES: Final = sa.Table(
    "tables",
    METADATA,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("game", sa.String(64), nullable=False),
    sa.Column("rules_version", sa.String(32), nullable=False),
    sa.Column("edition", sa.String(64), nullable=False),
    sa.Column("players", sa.Integer, nullable=False),
    sa.Column("options", sa.JSON, nullable=False),
    sa.Column("name", sa.String(80), nullable=False),
    sa.Column("seed", sa.LargeBinary(32), nullable=False),
    sa.Column("created_at", sa.Double, nullable=False),
    sa.Column("status", sa.String(16), nullable=False),
    sa.Column("rematch_of", sa.String(16), nullable=True),
    sa.Column("clock", sa.String(40), nullable=False, server_default="none"),
    sa.Index("tables_by_age", "created_at"),
    sa.Index("tables_by_status", "status"),
)

LOG: Final = sa.Table(
    "log",
    METADATA,
    sa.Column("table_id", sa.String(16), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("at", sa.Double, nullable=False),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("key", sa.String(80), nullable=True),
    sa.Column("seat", sa.Integer, nullable=True),
    sa.Column("action", sa.Integer, nullable=True),
    sa.Column("computer", sa.Boolean, nullable=False),
    sa.Column("target", sa.Integer, nullable=True),
    sa.Column("name", sa.String(80), nullable=True),
    sa.Column("level", sa.String(32), nullable=True),
    sa.Column("token", sa.String(64), nullable=True),
    sa.Column("follower", sa.String(16), nullable=True),
    sa.Column("outcome", sa.Text, nullable=True),
    sa.UniqueConstraint("table_id", "key", name="log_key_once"),
    sa.Index("log_by_token", "token"),
    # The rows of a table lie together, in order: a cold table is one sweep.
    sqlite_with_rowid=False,
)

# How a decision was carried out by hand, to be looked at again; apart from the log, which is read whole.
MOTIONS: Final = sa.Table(
    "motions",
    METADATA,
    sa.Column("table_id", sa.String(16), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("data", sa.LargeBinary, nullable=False),
)

# What is said of finished games, as `findings` writes it; None while it is worked out, by whoever has the claim.
ANALYSES: Final = sa.Table(
    "analyses",
    METADATA,
    sa.Column("table_id", sa.String(16), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("rules_version", sa.String(32), primary_key=True),
    sa.Column("version", sa.String(16), primary_key=True),
    sa.Column("data", sa.LargeBinary, nullable=True),
    sa.Column("made_at", sa.Double, nullable=False),
    sa.Column("worker", sa.String(32), nullable=True),
    sa.Column("claimed_until", sa.Double, nullable=True),
    sa.Index("analyses_by_age", "made_at"),
)

# The processes in which computers think, and when each was last heard of.
WORKERS: Final = sa.Table(
    "workers",
    METADATA,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("seen_at", sa.Double, nullable=False),
)

# Which worker thinks, or thought last, about a seat's decision.
THINKING: Final = sa.Table(
    "thinking",
    METADATA,
    sa.Column("table_id", sa.String(16), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("worker", sa.String(32), nullable=False),
    sa.Index("thinking_by_worker", "worker"),
)

# What all servers on one database need to agree on.
SHARED: Final = sa.Table(
    "shared",
    METADATA,
    sa.Column("name", sa.String(32), primary_key=True),
    sa.Column("value", sa.String(128), nullable=False),
)

# Where somebody wants to be told of their turn: a browser, a mailbox, an address of a program.
RECIPIENTS: Final = sa.Table(
    "notice_recipients",
    METADATA,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("owner", sa.String(64), nullable=False),
    sa.Column("kind", sa.String(8), nullable=False),
    sa.Column("address", sa.Text, nullable=False),
    sa.Column("form", sa.String(16), nullable=False),
    sa.Column("secret", sa.String(64), nullable=False),
    sa.Column("base_url", sa.Text, nullable=False),
    sa.Column("every", sa.Integer, nullable=False),
    sa.Column("made_at", sa.Double, nullable=False),
    sa.Column("confirmed_at", sa.Double, nullable=True),
    sa.Column("trial", sa.Boolean, nullable=False),
    sa.Column("due_at", sa.Double, nullable=True),
    sa.Column("sent_at", sa.Double, nullable=True),
    sa.Column("failures", sa.Integer, nullable=False),
    sa.Column("claimed_until", sa.Double, nullable=True),
    sa.Column("trouble", sa.String(24), nullable=True),
    sa.Index("notice_recipients_by_owner", "owner"),
    sa.Index("notice_recipients_due", "due_at"),
)

# At which tables, and of what they have been told there already.
WISHES: Final = sa.Table(
    "notice_wishes",
    METADATA,
    sa.Column("table_id", sa.String(16), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("recipient", sa.String(16), sa.ForeignKey("notice_recipients.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("told_turn", sa.Integer, nullable=False),
    sa.Column("told_request", sa.Integer, nullable=False),
    sa.Column("told_over", sa.Boolean, nullable=False),
    sa.Column("told_low", sa.Integer, nullable=False, server_default="0"),
    sa.Index("notice_wishes_by_recipient", "recipient"),
)

# People who want to be known again on another device. password: as argon2 writes it; None where there are passkeys.
ACCOUNTS: Final = sa.Table(
    "accounts",
    METADATA,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("name", sa.String(80), nullable=False),
    # The name as people would take it for the same.
    sa.Column("name_key", sa.String(512), nullable=False, unique=True),
    sa.Column("password", sa.String(256), nullable=True),
    sa.Column("created_at", sa.Double, nullable=False),
    sa.Column("admin", sa.Boolean, nullable=False),
)

# Where an account is signed in (kind: browser), and what programs may act for it (kind: program).
SIGN_INS: Final = sa.Table(
    "sign_ins",
    METADATA,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("account_id", sa.String(32), sa.ForeignKey("accounts.id"), nullable=False),
    sa.Column("token", sa.String(64), nullable=False, unique=True),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("label", sa.String(80), nullable=False),
    sa.Column("created_at", sa.Double, nullable=False),
    sa.Column("seen_at", sa.Double, nullable=False),
    sa.Index("sign_ins_by_account", "account_id"),
)

PASSKEYS: Final = sa.Table(
    "passkeys",
    METADATA,
    # Credential ids have up to 1023 bytes; what is looked for is their SHA-256.
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("account_id", sa.String(32), sa.ForeignKey("accounts.id"), nullable=False),
    sa.Column("credential", sa.LargeBinary, nullable=False),
    sa.Column("public_key", sa.LargeBinary, nullable=False),
    sa.Column("uses", sa.BigInteger, nullable=False),
    sa.Column("label", sa.String(80), nullable=False),
    sa.Column("created_at", sa.Double, nullable=False),
    sa.Column("used_at", sa.Double, nullable=True),
    sa.Index("passkeys_by_account", "account_id"),
)

# What a passkey is asked to sign, once, within some minutes.
CHALLENGES: Final = sa.Table(
    "challenges",
    METADATA,
    sa.Column("challenge", sa.String(64), primary_key=True),
    sa.Column("purpose", sa.String(16), nullable=False),
    sa.Column("account_id", sa.String(32), nullable=True),
    sa.Column("name", sa.String(80), nullable=True),
    sa.Column("until", sa.Double, nullable=False),
)

# The secrets of seats that one browser holds, each of them and the browser's own by its hash.
GUESTS: Final = sa.Table(
    "guests",
    METADATA,
    sa.Column("token", sa.String(64), primary_key=True),
    sa.Column("browser", sa.String(64), nullable=False),
    sa.Index("guests_by_browser", "browser"),
)

# Who does not want to read what somebody says: accounts, or browsers by the hash of their secret.
BLOCKS: Final = sa.Table(
    "blocks",
    METADATA,
    sa.Column("who", sa.String(64), primary_key=True),
    sa.Column("whom", sa.String(64), primary_key=True),
    sa.Column("name", sa.String(80), nullable=False),
    sa.Column("at", sa.Double, nullable=False),
    sa.Index("blocks_by_whom", "whom"),
)

# How finished games ended for accounts. They follow from the logs, and can be made anew from them.
RESULTS: Final = sa.Table(
    "results",
    METADATA,
    sa.Column("table_id", sa.String(16), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("player", sa.String(64), nullable=False),
    sa.Column("game", sa.String(64), nullable=False),
    sa.Column("at", sa.Double, nullable=False),
    sa.Column("place", sa.Integer, nullable=False),
    sa.Column("players", sa.Integer, nullable=False),
    sa.Column("rated", sa.Boolean, nullable=False),
    sa.Column("mu", sa.Double, nullable=True),
    sa.Column("sigma", sa.Double, nullable=True),
    sa.Index("results_by_player", "player", "at"),
    sa.Index("results_by_game", "game", "rated", "at"),
)
