"""Reports of passages, what came of them, and notices for players."""

import sqlalchemy as sa
from alembic import op

revision = "20261205"
down_revision = "20261204"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "report",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("round_id", sa.String(), nullable=False),
        sa.Column("player_id", sa.String(), nullable=False),
        sa.Column("passage_id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("note", sa.String(), nullable=True),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "kind IN ('broken', 'offensive', 'personal', 'seen', 'other')", name=op.f("ck_report_kind")
        ),
        sa.ForeignKeyConstraint(["round_id"], ["round.id"], name=op.f("fk_report_round_id_round")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_report_player_id_player")),
        sa.ForeignKeyConstraint(["passage_id"], ["passage.id"], name=op.f("fk_report_passage_id_passage")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_report")),
        sa.UniqueConstraint("player_id", "passage_id", name=op.f("uq_report_player_id_passage_id")),
    )
    op.create_index("ix_report_passage_id", "report", ["passage_id"])
    op.create_table(
        "hold",
        sa.Column("passage_id", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("decided_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("state IN ('suspended', 'annulled', 'cleared')", name=op.f("ck_hold_state")),
        sa.ForeignKeyConstraint(["passage_id"], ["passage.id"], name=op.f("fk_hold_passage_id_passage")),
        sa.PrimaryKeyConstraint("passage_id", name=op.f("pk_hold")),
    )
    op.create_table(
        "notice",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.String(), nullable=False),
        sa.Column("sentence", sa.String(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("read_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_notice_player_id_player")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notice")),
    )
    op.create_index("ix_notice_player_id", "notice", ["player_id"])


def downgrade() -> None:
    """Undo."""
    for table in ("notice", "hold", "report"):
        op.drop_table(table)
