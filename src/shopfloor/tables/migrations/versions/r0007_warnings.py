"""Of which decision somebody was told that their time for it runs out."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("notice_wishes", sa.Column("told_low", sa.Integer, nullable=False, server_default="0"))
