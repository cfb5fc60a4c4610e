"""The index of the ranked holds all that counting places asks for, so that no row is fetched for it."""

import sqlalchemy as sa
from alembic import op

revision = "20261209"
down_revision = "20261208"
branch_labels = None
depends_on = None

COLUMNS = ["kind", "mode", "genre", "season", "lower", "player_id", "lazy_line"]
LISTED = {"sqlite": "is_listed = 1", "postgresql": "is_listed"}


def upgrade() -> None:
    """Apply."""
    _create([*COLUMNS, "last_at", "is_listed"])


def downgrade() -> None:
    """Undo."""
    _create(COLUMNS)


def _create(columns: list[str]) -> None:
    where = sa.text(f"lower > lazy_line AND {LISTED[op.get_bind().dialect.name]}")
    op.drop_index("ix_standing_ranked", "standing")
    op.create_index("ix_standing_ranked", "standing", columns, sqlite_where=where, postgresql_where=where)
