"""Tables, and their log."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "tables",
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
    )
    op.create_index("tables_by_age", "tables", ["created_at"])
    op.create_index("tables_by_status", "tables", ["status"])
    op.create_table(
        "log",
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
        sa.UniqueConstraint("table_id", "key", name="log_key_once"),
        sqlite_with_rowid=False,
    )
    op.create_index("log_by_token", "log", ["token"])


def downgrade() -> None:
    op.drop_table("log")
    op.drop_table("tables")
