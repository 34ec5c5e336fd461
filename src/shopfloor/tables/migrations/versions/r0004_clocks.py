"""Tables may have a clock."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("tables", sa.Column("clock", sa.String(40), nullable=False, server_default="none"))


def downgrade() -> None:
    op.drop_column("tables", "clock")
