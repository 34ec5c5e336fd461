"""Accounts, sign-ins, passkeys; seats of guests; who blocks whom; results of games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("name_key", sa.String(512), nullable=False, unique=True),
        sa.Column("password", sa.String(256), nullable=True),
        sa.Column("created_at", sa.Double, nullable=False),
        sa.Column("admin", sa.Boolean, nullable=False),
    )
    op.create_table(
        "sign_ins",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("account_id", sa.String(32), sa.ForeignKey("accounts.id"), nullable=False),
        sa.Column("token", sa.String(64), nullable=False, unique=True),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("label", sa.String(80), nullable=False),
        sa.Column("created_at", sa.Double, nullable=False),
        sa.Column("seen_at", sa.Double, nullable=False),
    )
    op.create_index("sign_ins_by_account", "sign_ins", ["account_id"])
    op.create_table(
        "passkeys",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("account_id", sa.String(32), sa.ForeignKey("accounts.id"), nullable=False),
        sa.Column("credential", sa.LargeBinary, nullable=False),
        sa.Column("public_key", sa.LargeBinary, nullable=False),
        sa.Column("uses", sa.BigInteger, nullable=False),
        sa.Column("label", sa.String(80), nullable=False),
        sa.Column("created_at", sa.Double, nullable=False),
        sa.Column("used_at", sa.Double, nullable=True),
    )
    op.create_index("passkeys_by_account", "passkeys", ["account_id"])
    op.create_table(
        "challenges",
        sa.Column("challenge", sa.String(64), primary_key=True),
        sa.Column("purpose", sa.String(16), nullable=False),
        sa.Column("account_id", sa.String(32), nullable=True),
        sa.Column("name", sa.String(80), nullable=True),
        sa.Column("until", sa.Double, nullable=False),
    )
    op.create_table(
        "guests",
        sa.Column("token", sa.String(64), primary_key=True),
        sa.Column("browser", sa.String(64), nullable=False),
    )
    op.create_index("guests_by_browser", "guests", ["browser"])
    op.create_table(
        "blocks",
        sa.Column("who", sa.String(64), primary_key=True),
        sa.Column("whom", sa.String(64), primary_key=True),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("at", sa.Double, nullable=False),
    )
    op.create_index("blocks_by_whom", "blocks", ["whom"])
    op.create_table(
        "results",
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
    )
    op.create_index("results_by_player", "results", ["player", "at"])
    op.create_index("results_by_game", "results", ["game", "rated", "at"])


def downgrade() -> None:
    op.drop_table("results")
    op.drop_table("blocks")
    op.drop_table("guests")
    op.drop_table("challenges")
    op.drop_table("passkeys")
    op.drop_table("sign_ins")
    op.drop_table("accounts")
