"""First tables, and the triggers that keep raw data raw."""

import sqlalchemy as sa
from alembic import op

revision = "20261130"
down_revision = None
branch_labels = None
depends_on = None


MOVE_RULE = "a move follows the one before it, in an open round"
MOVE_IS_WRONG = """
NOT EXISTS (SELECT 1 FROM move WHERE round_id = NEW.round_id AND number = NEW.number)
AND (
    EXISTS (SELECT 1 FROM round WHERE id = NEW.round_id AND closed_at IS NOT NULL)
    OR NEW.number > 0 AND NOT EXISTS (
        SELECT 1 FROM move WHERE round_id = NEW.round_id AND number = NEW.number - 1
    )
)
"""

APPEND_ONLY = ("passage", "move", "event", "mark")

SQLITE_TRIGGERS = {
    **{
        f"{table}_no_{deed}": f"BEFORE {deed} ON {table} BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
        for table in APPEND_ONLY
        for deed in ("UPDATE", "DELETE")
    },
    "round_no_DELETE": "BEFORE DELETE ON round BEGIN SELECT RAISE(ABORT, 'a round stays'); END",
    "round_closed": (
        "BEFORE UPDATE ON round WHEN OLD.closed_at IS NOT NULL"
        " BEGIN SELECT RAISE(ABORT, 'a closed round stays as it is'); END"
    ),
    "move_follows": f"BEFORE INSERT ON move WHEN {MOVE_IS_WRONG} BEGIN SELECT RAISE(ABORT, '{MOVE_RULE}'); END",
}

POSTGRESQL_TRIGGERS = {
    **{
        f"{table}_append_only": (f"BEFORE UPDATE OR DELETE ON {table}", "TRUE", f"{table} is append-only")
        for table in APPEND_ONLY
    },
    "round_no_delete": ("BEFORE DELETE ON round", "TRUE", "a round stays"),
    "round_closed": ("BEFORE UPDATE ON round", "OLD.closed_at IS NOT NULL", "a closed round stays as it is"),
    "move_follows": ("BEFORE INSERT ON move", MOVE_IS_WRONG, MOVE_RULE),
}


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "deck",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("kind IN ('open', 'rated')", name=op.f("ck_deck_kind")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_deck")),
        sa.UniqueConstraint("slug", name=op.f("uq_deck_slug")),
    )
    op.create_table(
        "passage",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("genre", sa.String(), nullable=False),
        sa.Column("boundary", sa.Integer(), nullable=False),
        sa.Column("sentences", sa.JSON(), nullable=False),
        sa.Column("mode_data", sa.JSON(), nullable=True),
        sa.Column("source", sa.JSON(), nullable=False),
        sa.Column("other", sa.JSON(), nullable=True),
        sa.Column("generator", sa.JSON(), nullable=True),
        sa.Column("licence", sa.String(), nullable=False),
        sa.Column("imported_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_passage")),
    )
    op.create_table(
        "player",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("handle", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "role IN ('guest', 'player', 'instructor', 'researcher', 'admin')", name=op.f("ck_player_role")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_player")),
        sa.UniqueConstraint("handle", name=op.f("uq_player_handle")),
    )
    op.create_table(
        "deck_passage",
        sa.Column("deck_id", sa.Integer(), nullable=False),
        sa.Column("genre", sa.String(), nullable=False),
        sa.Column("passage_id", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["deck_id"], ["deck.id"], name=op.f("fk_deck_passage_deck_id_deck")),
        sa.ForeignKeyConstraint(
            ["passage_id"], ["passage.id"], name=op.f("fk_deck_passage_passage_id_passage")
        ),
        sa.PrimaryKeyConstraint("deck_id", "genre", "passage_id", name=op.f("pk_deck_passage")),
    )
    op.create_table(
        "lazy_line",
        sa.Column("deck_id", sa.Integer(), nullable=False),
        sa.Column("genre", sa.String(), nullable=False),
        sa.Column("points", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["deck_id"], ["deck.id"], name=op.f("fk_lazy_line_deck_id_deck")),
        sa.PrimaryKeyConstraint("deck_id", "genre", name=op.f("pk_lazy_line")),
    )
    op.create_table(
        "round",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("player_id", sa.String(), nullable=False),
        sa.Column("passage_id", sa.String(), nullable=False),
        sa.Column("deck_id", sa.Integer(), nullable=False),
        sa.Column("mode", sa.String(), nullable=False),
        sa.Column("genre", sa.String(), nullable=False),
        sa.Column("asked_genre", sa.String(), nullable=True),
        sa.Column("policy", sa.JSON(), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("closing", sa.Integer(), nullable=True),
        sa.Column("points", sa.Integer(), nullable=True),
        sa.Column("guess", sa.Integer(), nullable=True),
        sa.CheckConstraint("(closed_at IS NULL) = (closing IS NULL)", name=op.f("ck_round_closing")),
        sa.CheckConstraint(
            "closed_at IS NOT NULL OR (points IS NULL AND guess IS NULL)", name=op.f("ck_round_open")
        ),
        sa.CheckConstraint("points BETWEEN 0 AND 5", name=op.f("ck_round_points")),
        sa.ForeignKeyConstraint(["deck_id"], ["deck.id"], name=op.f("fk_round_deck_id_deck")),
        sa.ForeignKeyConstraint(["passage_id"], ["passage.id"], name=op.f("fk_round_passage_id_passage")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_round_player_id_player")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_round")),
        sa.UniqueConstraint("player_id", "mode", "closing", name=op.f("uq_round_player_id_mode_closing")),
        sa.UniqueConstraint(
            "player_id", "passage_id", "mode", name=op.f("uq_round_player_id_passage_id_mode")
        ),
    )
    op.create_index("ix_round_passage_id", "round", ["passage_id"], unique=False)
    op.create_index(
        "uq_round_open",
        "round",
        ["player_id", "mode", "genre"],
        unique=True,
        sqlite_where=sa.text("closed_at IS NULL"),
        postgresql_where=sa.text("closed_at IS NULL"),
    )

    op.create_table(
        "standing",
        sa.Column("player_id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("mode", sa.String(), nullable=False),
        sa.Column("genre", sa.String(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("n_0", sa.Integer(), nullable=False),
        sa.Column("n_1", sa.Integer(), nullable=False),
        sa.Column("n_2", sa.Integer(), nullable=False),
        sa.Column("n_3", sa.Integer(), nullable=False),
        sa.Column("n_4", sa.Integer(), nullable=False),
        sa.Column("n_5", sa.Integer(), nullable=False),
        sa.Column("n_capped", sa.Integer(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("mean", sa.Float(), nullable=False),
        sa.Column("lower", sa.Float(), nullable=False),
        sa.Column("upper", sa.Float(), nullable=False),
        sa.Column("lazy_line", sa.Float(), nullable=False),
        sa.CheckConstraint("kind IN ('open', 'rated')", name=op.f("ck_standing_kind")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_standing_player_id_player")),
        sa.PrimaryKeyConstraint("player_id", "kind", "mode", "genre", name=op.f("pk_standing")),
    )
    op.create_index(
        "ix_standing_ranked",
        "standing",
        ["kind", "mode", "genre", "lower", "player_id", "lazy_line"],
        unique=False,
        sqlite_where=sa.text("lower > lazy_line"),
        postgresql_where=sa.text("lower > lazy_line"),
    )
    op.create_index(
        "ix_standing_unranked",
        "standing",
        ["kind", "mode", "genre", "rounds", "player_id"],
        unique=False,
        sqlite_where=sa.text("lower <= lazy_line"),
        postgresql_where=sa.text("lower <= lazy_line"),
    )

    op.create_table(
        "event",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("round_id", sa.String(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("client_ms", sa.Integer(), nullable=True),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("kind IN ('decided', 'back', 'hidden', 'shown')", name=op.f("ck_event_kind")),
        sa.ForeignKeyConstraint(["round_id"], ["round.id"], name=op.f("fk_event_round_id_round")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_event")),
    )
    op.create_index("ix_event_round_id", "event", ["round_id"], unique=False)

    op.create_table(
        "mark",
        sa.Column("round_id", sa.String(), nullable=False),
        sa.Column("rule", sa.String(), nullable=False),
        sa.Column("marked_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["round_id"], ["round.id"], name=op.f("fk_mark_round_id_round")),
        sa.PrimaryKeyConstraint("round_id", "rule", name=op.f("pk_mark")),
    )
    op.create_table(
        "move",
        sa.Column("round_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("form", sa.JSON(), nullable=False),
        sa.Column("shown_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("decided_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("client_ms", sa.Integer(), nullable=True),
        sa.Column("hidden_ms", sa.Integer(), nullable=True),
        sa.Column("confidence", sa.Integer(), nullable=True),
        sa.CheckConstraint("confidence BETWEEN 50 AND 100", name=op.f("ck_move_confidence")),
        sa.CheckConstraint("number >= 0", name=op.f("ck_move_number")),
        sa.ForeignKeyConstraint(["round_id"], ["round.id"], name=op.f("fk_move_round_id_round")),
        sa.PrimaryKeyConstraint("round_id", "number", name=op.f("pk_move")),
    )
    if op.get_bind().dialect.name == "sqlite":
        for name, rule in SQLITE_TRIGGERS.items():
            op.execute(f"CREATE TRIGGER {name} {rule}")
    else:
        for name, (when, wrong, rule) in POSTGRESQL_TRIGGERS.items():
            op.execute(
                f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                f" IF {wrong} THEN RAISE EXCEPTION '{rule}' USING ERRCODE = 'check_violation'; END IF;"
                " RETURN NEW; END $$"
            )
            op.execute(f"CREATE TRIGGER {name} {when} FOR EACH ROW EXECUTE FUNCTION {name}()")


def downgrade() -> None:
    """Undo."""
    op.drop_table("move")
    op.drop_table("mark")
    op.drop_index("ix_event_round_id", "event")

    op.drop_table("event")
    op.drop_index(
        "ix_standing_unranked",
        "standing",
        sqlite_where=sa.text("lower <= lazy_line"),
        postgresql_where=sa.text("lower <= lazy_line"),
    )
    op.drop_index(
        "ix_standing_ranked",
        "standing",
        sqlite_where=sa.text("lower > lazy_line"),
        postgresql_where=sa.text("lower > lazy_line"),
    )

    op.drop_table("standing")
    op.drop_index(
        "uq_round_open",
        "round",
        sqlite_where=sa.text("closed_at IS NULL"),
        postgresql_where=sa.text("closed_at IS NULL"),
    )
    op.drop_index("ix_round_passage_id", "round")

    op.drop_table("round")
    op.drop_table("lazy_line")
    op.drop_table("deck_passage")
    op.drop_table("player")
    op.drop_table("passage")
    op.drop_table("deck")
    if op.get_bind().dialect.name != "sqlite":
        for name in POSTGRESQL_TRIGGERS:
            op.execute(f"DROP FUNCTION {name}()")
