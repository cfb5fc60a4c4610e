"""Accounts, sessions, consents; handles that look alike; guests that merge; people who leave."""

import sqlalchemy as sa
from alembic import op

revision = "20261202"
down_revision = "20261201"
branch_labels = None
depends_on = None

LOOK_ALIKES = str.maketrans("0125i", "olzsl", "-")

RAW = {"move": "round_id", "event": "round_id", "mark": "round_id", "round": "id"}
"""Tables that keep what was played, and the column that names the round."""

OF_THE_ERASED = (
    "EXISTS (SELECT 1 FROM round JOIN player ON player.id = round.player_id"
    " WHERE round.id = OLD.{key} AND player.erased_at IS NOT NULL)"
)
SAME = " AND ".join(
    f"OLD.{name} = NEW.{name}"
    for name in ("id", "passage_id", "deck_id", "mode", "genre", "started_at", "closed_at")
)
SAME_RESULT = " AND ".join(
    f"(OLD.{name} = NEW.{name} OR OLD.{name} IS NULL AND NEW.{name} IS NULL)"
    for name in ("asked_genre", "points", "guess")
)
SAME_POLICY = {"sqlite": "OLD.policy = NEW.policy", "postgresql": "OLD.policy::text = NEW.policy::text"}
CHANGES_HANDS = (
    "EXISTS (SELECT 1 FROM merger WHERE guest_id = OLD.player_id AND player_id = NEW.player_id"
    " OR guest_id = NEW.player_id AND player_id = OLD.player_id)"
)
STAYS = "a closed round stays as it is"


def upgrade() -> None:
    """Apply."""
    op.execute("ALTER TABLE player ADD COLUMN skeleton VARCHAR NOT NULL DEFAULT ''")
    op.execute(
        "ALTER TABLE player ADD COLUMN board VARCHAR NOT NULL DEFAULT 'named'"
        " CONSTRAINT ck_player_board CHECK (board IN ('named', 'anonymous', 'off'))"
    )
    op.add_column("player", sa.Column("erased_at", sa.DateTime(timezone=True), nullable=True))
    _fill_skeletons()
    op.create_index("uq_player_skeleton", "player", ["skeleton"], unique=True)
    _create_tables()
    op.execute("ALTER TABLE sign_in_key ADD COLUMN purpose VARCHAR NOT NULL DEFAULT 'sign-in'")
    op.add_column("sign_in_key", sa.Column("email", sa.String(), nullable=True))
    with op.batch_alter_table("sign_in_key") as batch:
        batch.create_check_constraint("purpose", "purpose IN ('sign-in', 'confirm')")
        batch.create_check_constraint("email", "(purpose = 'confirm') = (email IS NOT NULL)")
    op.create_index("ix_sign_in_key_player_id", "sign_in_key", ["player_id"])
    _replace_triggers()


def _fill_skeletons() -> None:
    """Fold the look-alikes of handles; where two are then the same, the id tells them apart."""
    db = op.get_bind()
    taken: set[str] = set()
    for player_id, handle in db.execute(
        sa.text("SELECT id, handle FROM player ORDER BY created_at, id")
    ).all():
        skeleton = handle.translate(LOOK_ALIKES).replace("rn", "m").replace("vv", "w")
        if skeleton in taken:
            skeleton = f"{skeleton} {player_id}"
        taken.add(skeleton)
        db.execute(
            sa.text("UPDATE player SET skeleton = :skeleton WHERE id = :id"),
            {"skeleton": skeleton, "id": player_id},
        )


def _create_tables() -> None:
    op.create_table(
        "account",
        sa.Column("player_id", sa.String(), nullable=False),
        sa.Column("password_hash", sa.String(), nullable=True),
        sa.Column("email", sa.String(), nullable=True),
        sa.Column("email_confirmed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_account_player_id_player")),
        sa.PrimaryKeyConstraint("player_id", name=op.f("pk_account")),
    )
    op.create_index(
        "uq_account_email",
        "account",
        ["email"],
        unique=True,
        sqlite_where=sa.text("email_confirmed_at IS NOT NULL"),
        postgresql_where=sa.text("email_confirmed_at IS NOT NULL"),
    )
    op.create_table(
        "identity",
        sa.Column("issuer", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("player_id", sa.String(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_identity_player_id_player")),
        sa.PrimaryKeyConstraint("issuer", "subject", name=op.f("pk_identity")),
    )
    op.create_table(
        "session",
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("player_id", sa.String(), nullable=False),
        sa.Column("device", sa.String(), nullable=False),
        sa.Column("way", sa.String(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "way IN ('password', 'link', 'key', 'provider', 'script')", name=op.f("ck_session_way")
        ),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_session_player_id_player")),
        sa.PrimaryKeyConstraint("sha256", name=op.f("pk_session")),
        sa.UniqueConstraint("id", name=op.f("uq_session_id")),
    )
    op.create_table(
        "merger",
        sa.Column("guest_id", sa.String(), nullable=False),
        sa.Column("player_id", sa.String(), nullable=False),
        sa.Column("merged_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["guest_id"], ["player.id"], name=op.f("fk_merger_guest_id_player")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_merger_player_id_player")),
        sa.PrimaryKeyConstraint("guest_id", name=op.f("pk_merger")),
    )
    op.create_table(
        "former_handle",
        sa.Column("skeleton", sa.String(), nullable=False),
        sa.Column("handle", sa.String(), nullable=False),
        sa.Column("player_id", sa.String(), nullable=False),
        sa.Column("given_up_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_former_handle_player_id_player")),
        sa.PrimaryKeyConstraint("skeleton", name=op.f("pk_former_handle")),
    )
    op.create_table(
        "consent",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.String(), nullable=False),
        sa.Column("purpose", sa.String(), nullable=False),
        sa.Column("granted", sa.Boolean(), nullable=False),
        sa.Column("given_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "purpose IN ('research', 'free-text', 'contact')", name=op.f("ck_consent_purpose")
        ),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_consent_player_id_player")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_consent")),
    )
    op.create_table(
        "throttle",
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_throttle")),
    )
    for table in ("identity", "session", "merger", "former_handle", "consent"):
        op.create_index(f"ix_{table}_player_id", table, ["player_id"])


def _replace_triggers() -> None:
    """Let through what an erased player has played, and rounds that change hands in a merger."""
    dialect = op.get_bind().dialect.name
    moved = f"{SAME} AND {SAME_RESULT} AND {SAME_POLICY[dialect]} AND {CHANGES_HANDS}"
    erased = {table: OF_THE_ERASED.format(key=key) for table, key in RAW.items()}
    if dialect == "sqlite":
        for table, is_erased in erased.items():
            rule = "a round stays" if table == "round" else f"{table} is append-only"
            op.execute(f"DROP TRIGGER {table}_no_DELETE")
            op.execute(
                f"CREATE TRIGGER {table}_no_DELETE BEFORE DELETE ON {table} WHEN NOT {is_erased}"
                f" BEGIN SELECT RAISE(ABORT, '{rule}'); END"
            )
        op.execute("DROP TRIGGER move_no_UPDATE")
        op.execute(
            f"CREATE TRIGGER move_no_UPDATE BEFORE UPDATE ON move WHEN NOT {erased['move']}"
            " BEGIN SELECT RAISE(ABORT, 'move is append-only'); END"
        )
        op.execute("DROP TRIGGER round_closed")
        op.execute(
            f"CREATE TRIGGER round_closed BEFORE UPDATE ON round WHEN OLD.closed_at IS NOT NULL AND NOT ({moved})"
            f" BEGIN SELECT RAISE(ABORT, '{STAYS}'); END"
        )
        op.execute(
            "CREATE TRIGGER consent_no_UPDATE BEFORE UPDATE ON consent"
            " BEGIN SELECT RAISE(ABORT, 'consent is append-only'); END"
        )
        return
    for table, is_erased in erased.items():
        name, rule = (
            ("round_no_delete", "a round stays")
            if table == "round"
            else (f"{table}_append_only", f"{table} is append-only")
        )
        changed = "FALSE" if table == "move" else "TG_OP = 'UPDATE'"  # notes may be cut out
        _replace_function(name, f"{changed} OR NOT {is_erased}", rule, back="COALESCE(NEW, OLD)")
    _replace_function("round_closed", f"OLD.closed_at IS NOT NULL AND NOT ({moved})", STAYS)
    _replace_function("consent_append_only", "TRUE", "consent is append-only")
    op.execute(
        "CREATE TRIGGER consent_append_only BEFORE UPDATE ON consent"
        " FOR EACH ROW EXECUTE FUNCTION consent_append_only()"
    )


def _replace_function(name: str, wrong: str, rule: str, *, back: str = "NEW") -> None:
    op.execute(
        f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
        f" IF {wrong} THEN RAISE EXCEPTION '{rule}' USING ERRCODE = 'check_violation'; END IF;"
        f" RETURN {back}; END $$"
    )


def downgrade() -> None:
    """Undo."""
    _restore_triggers()
    for table in ("throttle", "consent", "former_handle", "merger", "session", "identity", "account"):
        op.drop_table(table)
    op.drop_index("ix_sign_in_key_player_id", "sign_in_key")
    op.execute("DELETE FROM sign_in_key WHERE purpose <> 'sign-in'")
    with op.batch_alter_table("sign_in_key") as batch:
        batch.drop_constraint(op.f("ck_sign_in_key_email"), type_="check")
        batch.drop_constraint(op.f("ck_sign_in_key_purpose"), type_="check")
        batch.drop_column("email")
        batch.drop_column("purpose")
    op.drop_index("uq_player_skeleton", "player")
    for column in ("erased_at", "board", "skeleton"):
        op.drop_column("player", column)


def _restore_triggers() -> None:
    if op.get_bind().dialect.name == "sqlite":
        for table in RAW:
            rule = "a round stays" if table == "round" else f"{table} is append-only"
            op.execute(f"DROP TRIGGER {table}_no_DELETE")
            op.execute(
                f"CREATE TRIGGER {table}_no_DELETE BEFORE DELETE ON {table} BEGIN SELECT RAISE(ABORT, '{rule}'); END"
            )
        op.execute("DROP TRIGGER move_no_UPDATE")
        op.execute(
            "CREATE TRIGGER move_no_UPDATE BEFORE UPDATE ON move"
            " BEGIN SELECT RAISE(ABORT, 'move is append-only'); END"
        )
        op.execute("DROP TRIGGER round_closed")
        op.execute(
            "CREATE TRIGGER round_closed BEFORE UPDATE ON round WHEN OLD.closed_at IS NOT NULL"
            f" BEGIN SELECT RAISE(ABORT, '{STAYS}'); END"
        )
        op.execute("DROP TRIGGER consent_no_UPDATE")
        return
    for table in RAW:
        name = "round_no_delete" if table == "round" else f"{table}_append_only"
        rule = "a round stays" if table == "round" else f"{table} is append-only"
        _replace_function(name, "TRUE", rule)
    _replace_function("round_closed", "OLD.closed_at IS NOT NULL", STAYS)
    op.execute("DROP FUNCTION consent_append_only() CASCADE")
