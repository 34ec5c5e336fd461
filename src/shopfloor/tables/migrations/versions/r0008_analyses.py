"""What is said of finished games, so that it need not be worked out again."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.create_table(
        "analyses",
        sa.Column("table_id", sa.String(16), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("rules_version", sa.String(32), primary_key=True),
        sa.Column("version", sa.String(16), primary_key=True),
        sa.Column("data", sa.LargeBinary, nullable=True),
        sa.Column("made_at", sa.Double, nullable=False),
        sa.Column("worker", sa.String(32), nullable=True),
        sa.Column("claimed_until", sa.Double, nullable=True),
    )
    op.create_index("analyses_by_age", "analyses", ["made_at"])


def downgrade() -> None:
    op.drop_table("analyses")
