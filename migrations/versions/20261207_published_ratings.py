"""Published ratings: runs of the nightly model, and what each says of players, passages and generators."""

import sqlalchemy as sa
from alembic import op

revision = "20261207"
down_revision = "20261205"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "rating_run",
        sa.Column("mode", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("rule", sa.String(), nullable=False),
        sa.Column("rounds_sha256", sa.String(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("telling", sa.Integer(), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("passages", sa.Integer(), nullable=False),
        sa.Column("mean", sa.Float(), nullable=False),
        sa.Column("error", sa.Float(), nullable=False),
        sa.Column("player_deviation", sa.Float(), nullable=False),
        sa.Column("generator_deviation", sa.Float(), nullable=False),
        sa.Column("passage_deviation", sa.Float(), nullable=False),
        sa.Column("round_deviation", sa.Float(), nullable=False),
        sa.CheckConstraint("number >= 0", name=op.f("ck_rating_run_number")),
        sa.PrimaryKeyConstraint("mode", "number", name=op.f("pk_rating_run")),
    )
    op.create_table(
        "estimate",
        sa.Column("mode", sa.String(), nullable=False),
        sa.Column("run", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("subject_id", sa.String(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("mean", sa.Float(), nullable=False),
        sa.Column("error", sa.Float(), nullable=False),
        sa.Column("lower", sa.Float(), nullable=False),
        sa.Column("upper", sa.Float(), nullable=False),
        sa.CheckConstraint("kind IN ('player', 'passage', 'generator')", name=op.f("ck_estimate_kind")),
        sa.CheckConstraint("error > 0", name=op.f("ck_estimate_error")),
        sa.ForeignKeyConstraint(
            ["mode", "run"],
            ["rating_run.mode", "rating_run.number"],
            name=op.f("fk_estimate_mode_run_rating_run"),
        ),
        sa.PrimaryKeyConstraint("mode", "run", "kind", "subject_id", name=op.f("pk_estimate")),
    )
    op.create_index("ix_estimate_subject_id", "estimate", ["subject_id"])


def downgrade() -> None:
    """Undo."""
    for table in ("estimate", "rating_run"):
        op.drop_table(table)
