"""The database: made and upgraded by itself, and as safe as it says."""

import threading
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from shopfloor.tables import store
from shopfloor.tables.errors import StorageError
from shopfloor.tables.schema import METADATA
from shopfloor.tables.service import Tables
from shopfloor.tables.store import Store
from tests.postgres import Postgres
from tests.tables.helpers import Party, database, everything, rows


def test_migrations_make_what_the_code_expects(tmp_path: Path) -> None:
    Store(database(tmp_path)).close()
    engine = sa.create_engine(database(tmp_path))
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []
        keys = sa.inspect(connection).get_pk_constraint("log")["constrained_columns"]
        unique = sa.inspect(connection).get_unique_constraints("log")
    engine.dispose()
    assert keys == ["table_id", "number"]
    assert [u["column_names"] for u in unique] == [["table_id", "key"]]


def test_opening_again_changes_nothing(tmp_path: Path) -> None:
    tables = Tables(database(tmp_path))
    party = Party(tables, 2)
    before = everything(party.table)
    schema = rows(tmp_path, "SELECT sql FROM sqlite_master ORDER BY name")
    for _ in range(3):
        again = Tables(database(tmp_path))
        assert everything(again.table(party.id)) == before
        again.close()
    assert rows(tmp_path, "SELECT sql FROM sqlite_master ORDER BY name") == schema
    assert len(rows(tmp_path, "SELECT * FROM alembic_version")) == 1
    tables.close()


def test_several_processes_may_make_the_database_at_once(tmp_path: Path) -> None:
    made: list[object] = []

    def make() -> None:
        try:
            made.append(Store(database(tmp_path)))
        except BaseException as error:
            made.append(error)

    threads = [threading.Thread(target=make) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [type(m) for m in made] == [Store] * 6
    for m in made:
        m.close()  # type: ignore[attr-defined]


def test_a_file_that_survives_power_cuts(tmp_path: Path) -> None:
    opened = Store(database(tmp_path))
    with opened._engine.connect() as connection:
        found = [
            connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        ]
    assert found == ["wal", 2, 1, store.BUSY_SECONDS * 1000]
    opened.close()


def test_folders_are_made(tmp_path: Path) -> None:
    Store(store.sqlite_url(tmp_path / "deep" / "er" / "t.db")).close()
    assert (tmp_path / "deep" / "er" / "t.db").exists()


@pytest.mark.parametrize("url", ["nonsense", "sqlite://", "sqlite:///:memory:"])
def test_urls_that_cannot_be(url: str) -> None:
    with pytest.raises(StorageError, match=r"sqlite:///shopfloor\.db"):
        Store(url)


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "tables.db").write_bytes(b"not a database, but long enough to be looked at" * 100)
    with pytest.raises(StorageError, match="cannot be used"):
        Store(database(tmp_path))
    assert (tmp_path / "tables.db").read_bytes().startswith(b"not a database")


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StorageError, match="cannot be used"):
        Store(store.sqlite_url(tmp_path / "file" / "t.db"))


def test_a_database_of_a_newer_shopfloor_is_left_alone(tmp_path: Path) -> None:
    Store(database(tmp_path)).close()
    rows(tmp_path, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StorageError, match="newer"):
        Store(database(tmp_path))
    assert rows(tmp_path, "SELECT * FROM alembic_version") == [("9999",)]


def test_the_statements_are_understood_by_postgresql() -> None:
    from sqlalchemy.dialects import postgresql
    from sqlalchemy.schema import CreateIndex, CreateTable

    dialect = postgresql.dialect()
    for table in METADATA.sorted_tables:
        assert "CREATE TABLE" in str(CreateTable(table).compile(dialect=dialect))
        for index in table.indexes:
            assert "CREATE INDEX" in str(CreateIndex(index).compile(dialect=dialect))
    assert "ORDER BY log.number" in str(store.ENTRIES.compile(dialect=dialect))


@pytest.mark.slow
def test_a_postgresql_that_knows_only_bytes(pg: Postgres) -> None:
    url = pg.without_encoding()
    tables = Tables(url)
    try:
        made = tables.create("zahltag", 2)
        token = tables.sit(made.table_id, "Zoë Łuczak", seat=0).token
        tables.sit(made.table_id, "東京", seat=1)
        tables.start(made.table_id, made.token)
        assert token
    finally:
        tables.close()
    again = Tables(url)  # from what is stored
    try:
        assert [seat.name for seat in again.table(made.table_id).seats] == ["Zoë Łuczak", "東京"]
    finally:
        again.close()
