"""What several processes on one database share: who thinks about what, and a secret."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "workers",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("seen_at", sa.Double, nullable=False),
    )
    op.create_table(
        "thinking",
        sa.Column("table_id", sa.String(16), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("worker", sa.String(32), nullable=False),
    )
    op.create_index("thinking_by_worker", "thinking", ["worker"])
    op.create_table(
        "shared",
        sa.Column("name", sa.String(32), primary_key=True),
        sa.Column("value", sa.String(128), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("shared")
    op.drop_table("thinking")
    op.drop_table("workers")
