"""Alembic's entry: runs the migrations on the connection it is handed."""

from alembic import context

from app.store.tables import metadata


def run() -> None:
    """Migrate in one transaction."""
    context.configure(
        connection=context.config.attributes["connection"],
        target_metadata=metadata,
        render_as_batch=True,
        compare_type=True,
        transactional_ddl=True,
    )
    with context.begin_transaction():
        context.run_migrations()


run()
