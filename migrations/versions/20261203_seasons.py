"""Boards of months and weeks; lines that others do not see.

Months and weeks before this migration stay empty until `roft boards recount`.
"""

import sqlalchemy as sa
from alembic import op

revision = "20261203"
down_revision = "20261202"
branch_labels = None
depends_on = None

TOTALS = "points, n_0, n_1, n_2, n_3, n_4, n_5, n_capped, rounds, mean, lower, upper, lazy_line"
BEFORE = f"player_id, kind, mode, genre, {TOTALS}"
LISTED = {"sqlite": "is_listed = 1", "postgresql": "is_listed"}


def upgrade() -> None:
    """Apply."""
    _drop_indexes()
    op.rename_table("standing", "standing_before")
    _free_names("standing_before")
    op.create_table(
        "standing",
        *_columns(),
        sa.Column("last_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("is_listed", sa.Boolean(), nullable=False),
        sa.CheckConstraint("kind IN ('open', 'rated')", name=op.f("ck_standing_kind")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_standing_player_id_player")),
        sa.PrimaryKeyConstraint("player_id", "kind", "mode", "genre", "season", name=op.f("pk_standing")),
    )
    op.execute(
        f"INSERT INTO standing (player_id, kind, mode, genre, season, {TOTALS}, last_at, is_listed)"
        f" SELECT {', '.join(f's.{name}' for name in BEFORE.split(', ')[:4])}, '',"
        f" {', '.join(f's.{name}' for name in TOTALS.split(', '))}, COALESCE((SELECT MAX(r.closed_at)"
        " FROM round r WHERE r.player_id = s.player_id), p.created_at), p.board <> 'off'"
        " FROM standing_before s JOIN player p ON p.id = s.player_id"
    )
    op.drop_table("standing_before")
    listed = LISTED[op.get_bind().dialect.name]
    _create_index("ix_standing_ranked", "season lower player_id lazy_line", f"lower > lazy_line AND {listed}")
    _create_index("ix_standing_unranked", "season rounds player_id", f"lower <= lazy_line AND {listed}")
    where = sa.text(f"{listed} AND season = ''")
    op.create_index(
        "ix_standing_last_at", "standing", ["last_at"], sqlite_where=where, postgresql_where=where
    )


def downgrade() -> None:
    """Undo."""
    op.drop_index("ix_standing_last_at", "standing")
    _drop_indexes()
    op.rename_table("standing", "standing_before")
    _free_names("standing_before")
    op.create_table(
        "standing",
        *(column for column in _columns() if column.name != "season"),
        sa.CheckConstraint("kind IN ('open', 'rated')", name=op.f("ck_standing_kind")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_standing_player_id_player")),
        sa.PrimaryKeyConstraint("player_id", "kind", "mode", "genre", name=op.f("pk_standing")),
    )
    op.execute(f"INSERT INTO standing ({BEFORE}) SELECT {BEFORE} FROM standing_before WHERE season = ''")
    op.drop_table("standing_before")
    _create_index("ix_standing_ranked", "lower player_id lazy_line", "lower > lazy_line")
    _create_index("ix_standing_unranked", "rounds player_id", "lower <= lazy_line")


def _columns() -> list[sa.Column[object]]:
    keys = [sa.Column(name, sa.String(), nullable=False) for name in ("player_id", "kind", "mode", "genre")]
    totals = [
        sa.Column(
            name,
            sa.Float() if name in {"mean", "lower", "upper", "lazy_line"} else sa.Integer(),
            nullable=False,
        )
        for name in TOTALS.split(", ")
    ]
    return [*keys, sa.Column("season", sa.String(), nullable=False), *totals]


def _create_index(name: str, columns: str, where: str) -> None:
    op.create_index(
        name,
        "standing",
        ["kind", "mode", "genre", *columns.split()],
        sqlite_where=sa.text(where),
        postgresql_where=sa.text(where),
    )


def _drop_indexes() -> None:
    for name in ("ix_standing_ranked", "ix_standing_unranked"):
        op.drop_index(name, "standing")


def _free_names(table: str) -> None:
    """Let the new table have the names of the old one's constraints; SQLite has them per table."""
    if op.get_bind().dialect.name == "sqlite":
        return
    for name in ("pk_standing", "ck_standing_kind", "fk_standing_player_id_player"):
        op.execute(f"ALTER TABLE {table} RENAME CONSTRAINT {name} TO {name}_before")
