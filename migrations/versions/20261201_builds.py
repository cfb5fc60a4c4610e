"""Builds of passages, what models wrote for them, keys to sign in with, and the queue.

On PostgreSQL the queue is procrastinate's, in a schema of its own; it is made by the SQL
that the pinned release ships. A later release needs a migration that runs its deltas.
"""

import sqlalchemy as sa
from alembic import op
from procrastinate.schema import SchemaManager

revision = "20261201"
down_revision = "20261130"
branch_labels = None
depends_on = None

SQLITE_TRIGGERS = {
    "batch_no_UPDATE": "BEFORE UPDATE ON batch BEGIN SELECT RAISE(ABORT, 'batch is append-only'); END",
    "batch_no_DELETE": "BEFORE DELETE ON batch BEGIN SELECT RAISE(ABORT, 'batch is append-only'); END",
    "build_no_DELETE": "BEFORE DELETE ON build BEGIN SELECT RAISE(ABORT, 'a build stays'); END",
    "build_ended": (
        "BEFORE UPDATE ON build WHEN OLD.ended_at IS NOT NULL"
        " BEGIN SELECT RAISE(ABORT, 'an ended build stays as it is'); END"
    ),
}

POSTGRESQL_TRIGGERS = {
    "batch_append_only": ("BEFORE UPDATE OR DELETE ON batch", "TRUE", "batch is append-only"),
    "build_no_delete": ("BEFORE DELETE ON build", "TRUE", "a build stays"),
    "build_ended": ("BEFORE UPDATE ON build", "OLD.ended_at IS NOT NULL", "an ended build stays as it is"),
}


def upgrade() -> None:
    """Apply."""
    op.add_column("deck", sa.Column("retired_at", sa.DateTime(timezone=True), nullable=True))
    op.create_table(
        "sign_in_key",
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("player_id", sa.String(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_sign_in_key_player_id_player")),
        sa.PrimaryKeyConstraint("sha256", name=op.f("pk_sign_in_key")),
    )
    op.create_table(
        "build",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("player_id", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("plan", sa.String(), nullable=False),
        sa.Column("outline", sa.JSON(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("submitted_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("begun_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("holder", sa.String(), nullable=True),
        sa.Column("not_before", sa.DateTime(timezone=True), nullable=True),
        sa.Column("cancel_asked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("sentence", sa.String(), nullable=True),
        sa.Column("progress", sa.JSON(), nullable=True),
        sa.Column("manifest", sa.JSON(), nullable=True),
        sa.CheckConstraint(
            "status IN ('waiting', 'running', 'done', 'failed', 'cancelled')", name=op.f("ck_build_status")
        ),
        sa.CheckConstraint(
            "(ended_at IS NULL) = (status IN ('waiting', 'running'))", name=op.f("ck_build_ended")
        ),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_build_player_id_player")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_build")),
    )
    op.create_index("ix_build_submitted_at", "build", ["submitted_at"], unique=False)
    op.create_table(
        "batch",
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("texts", sa.JSON(), nullable=False),
        sa.Column("tokens", sa.Integer(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_batch")),
    )
    op.create_table(
        "build_passage",
        sa.Column("build_id", sa.String(), nullable=False),
        sa.Column("condition", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("passage_id", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["build_id"], ["build.id"], name=op.f("fk_build_passage_build_id_build")),
        sa.ForeignKeyConstraint(
            ["passage_id"], ["passage.id"], name=op.f("fk_build_passage_passage_id_passage")
        ),
        sa.PrimaryKeyConstraint("build_id", "condition", "number", name=op.f("pk_build_passage")),
    )
    if op.get_bind().dialect.name == "sqlite":
        for name, rule in SQLITE_TRIGGERS.items():
            op.execute(f"CREATE TRIGGER {name} {rule}")
        return
    for name, (when, wrong, rule) in POSTGRESQL_TRIGGERS.items():
        op.execute(
            f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            f" IF {wrong} THEN RAISE EXCEPTION '{rule}' USING ERRCODE = 'check_violation'; END IF;"
            " RETURN NEW; END $$"
        )
        op.execute(f"CREATE TRIGGER {name} {when} FOR EACH ROW EXECUTE FUNCTION {name}()")
    op.execute("CREATE SCHEMA queue")
    op.execute("SET LOCAL search_path TO queue")
    op.get_bind().exec_driver_sql(SchemaManager.get_schema().replace("%", "%%"))
    op.execute("SET LOCAL search_path TO DEFAULT")


def downgrade() -> None:
    """Undo."""
    op.drop_table("build_passage")
    op.drop_table("batch")
    op.drop_index("ix_build_submitted_at", "build")
    op.drop_table("build")
    op.drop_table("sign_in_key")
    op.drop_column("deck", "retired_at")
    if op.get_bind().dialect.name != "sqlite":
        op.execute("DROP SCHEMA queue CASCADE")
        for name in POSTGRESQL_TRIGGERS:
            op.execute(f"DROP FUNCTION {name}()")
