"""How Alembic runs the revisions: on the connection, and in the transaction, that `tables.store` hands over."""

from alembic import context

from shopfloor.tables.schema import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    transactional_ddl=False,  # the transaction around all revisions is ours
    render_as_batch=True,
)
context.run_migrations()
