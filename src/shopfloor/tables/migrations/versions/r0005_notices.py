"""Who wants to be told of their turn, where, and of what they have been told."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "notice_recipients",
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
    )
    op.create_index("notice_recipients_by_owner", "notice_recipients", ["owner"])
    op.create_index("notice_recipients_due", "notice_recipients", ["due_at"])
    op.create_table(
        "notice_wishes",
        sa.Column("table_id", sa.String(16), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column(
            "recipient", sa.String(16), sa.ForeignKey("notice_recipients.id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("told_turn", sa.Integer, nullable=False),
        sa.Column("told_request", sa.Integer, nullable=False),
        sa.Column("told_over", sa.Boolean, nullable=False),
    )
    op.create_index("notice_wishes_by_recipient", "notice_wishes", ["recipient"])


def downgrade() -> None:
    op.drop_table("notice_wishes")
    op.drop_table("notice_recipients")
