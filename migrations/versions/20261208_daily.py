"""The daily round, days played, what others said, and how the guide was read."""

import sqlalchemy as sa
from alembic import op

revision = "20261208"
down_revision = "20261207"
branch_labels = None
depends_on = None

STAYS = "guide_reading is append-only"


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "daily",
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("passage_id", sa.String(), nullable=False),
        sa.Column("deck_id", sa.Integer(), nullable=False),
        sa.Column("drawn_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["passage_id"], ["passage.id"], name=op.f("fk_daily_passage_id_passage")),
        sa.ForeignKeyConstraint(["deck_id"], ["deck.id"], name=op.f("fk_daily_deck_id_deck")),
        sa.PrimaryKeyConstraint("day", name=op.f("pk_daily")),
        sa.UniqueConstraint("passage_id", name=op.f("uq_daily_passage_id")),
    )
    op.create_table(
        "daily_play",
        sa.Column("round_id", sa.String(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("device", sa.String(), nullable=False),
        sa.Column("is_rated", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["round_id"], ["round.id"], name=op.f("fk_daily_play_round_id_round")),
        sa.ForeignKeyConstraint(["day"], ["daily.day"], name=op.f("fk_daily_play_day_daily")),
        sa.PrimaryKeyConstraint("round_id", name=op.f("pk_daily_play")),
    )
    op.create_index("ix_daily_play_day", "daily_play", ["day"])
    op.create_index("ix_daily_play_device", "daily_play", ["device"])
    op.create_table(
        "presence",
        sa.Column("player_id", sa.String(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_presence_player_id_player")),
        sa.PrimaryKeyConstraint("player_id", "day", name=op.f("pk_presence")),
    )
    op.create_table(
        "opinion",
        sa.Column("passage_id", sa.String(), nullable=False),
        sa.Column("mode", sa.String(), nullable=False),
        sa.Column("answer", sa.String(), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["passage_id"], ["passage.id"], name=op.f("fk_opinion_passage_id_passage")),
        sa.PrimaryKeyConstraint("passage_id", "mode", "answer", name=op.f("pk_opinion")),
    )
    op.create_table(
        "guide_reading",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.String(), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("noted_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("visible_ms", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_guide_reading")),
    )
    op.create_index("ix_guide_reading_player_id", "guide_reading", ["player_id"])
    _add_trigger()
    _fill()


def _add_trigger() -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.execute(
            "CREATE TRIGGER guide_reading_no_UPDATE BEFORE UPDATE ON guide_reading"
            f" BEGIN SELECT RAISE(ABORT, '{STAYS}'); END"
        )
        return
    op.execute(
        "CREATE FUNCTION guide_reading_append_only() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
        f" RAISE EXCEPTION '{STAYS}' USING ERRCODE = 'check_violation'; END $$"
    )
    op.execute(
        "CREATE TRIGGER guide_reading_append_only BEFORE UPDATE ON guide_reading"
        " FOR EACH ROW EXECUTE FUNCTION guide_reading_append_only()"
    )


def _fill() -> None:
    """Write the days on which rounds were finished before there was a table of them."""
    day = {"sqlite": "date(closed_at)", "postgresql": "(closed_at AT TIME ZONE 'UTC')::date"}
    op.execute(
        "INSERT INTO presence (player_id, day) SELECT DISTINCT player_id,"
        f" {day[op.get_bind().dialect.name]} FROM round WHERE closed_at IS NOT NULL"
    )


def downgrade() -> None:
    """Undo."""
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION guide_reading_append_only() CASCADE")
    for table in ("guide_reading", "opinion", "presence", "daily_play", "daily"):
        op.drop_table(table)
