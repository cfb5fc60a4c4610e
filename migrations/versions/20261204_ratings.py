"""Ratings of players and passages, and whether a player wants to see theirs."""

import sqlalchemy as sa
from alembic import op

revision = "20261204"
down_revision = "20261203"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.add_column("player", sa.Column("shows_rating", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.create_table(
        "rating",
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("subject_id", sa.String(), nullable=False),
        sa.Column("mode", sa.String(), nullable=False),
        sa.Column("mean", sa.Float(), nullable=False),
        sa.Column("deviation", sa.Float(), nullable=False),
        sa.Column("volatility", sa.Float(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("moved_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("kind IN ('player', 'passage')", name=op.f("ck_rating_kind")),
        sa.CheckConstraint("deviation > 0", name=op.f("ck_rating_deviation")),
        sa.PrimaryKeyConstraint("kind", "subject_id", "mode", name=op.f("pk_rating")),
    )


def downgrade() -> None:
    """Undo."""
    op.drop_table("rating")
    op.drop_column("player", "shows_rating")
