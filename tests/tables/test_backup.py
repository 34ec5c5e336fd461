"""A copy of the database, taken and put back while people play."""

import sqlite3
import threading
from pathlib import Path

import pytest
from typer.testing import CliRunner

from shopfloor.cli import app
from shopfloor.tables.backup import back_up, restore
from shopfloor.tables.errors import StorageError, UnknownTable
from shopfloor.tables.service import Tables
from shopfloor.tables.store import sqlite_url
from tests.tables.helpers import Party, database, everything, rows


def test_a_backup_is_the_tables_of_one_moment_while_people_play(tmp_path: Path) -> None:
    tables = Tables(database(tmp_path))
    party = Party(tables, 3)
    ended = threading.Event()

    def play() -> None:
        while not ended.is_set() and party.table.status != "over":
            party.random_move()

    player = threading.Thread(target=play)
    player.start()
    seen = []
    for n in range(5):
        copy = tmp_path / f"copy{n}.db"
        before = party.table.number
        assert back_up(tmp_path / "tables.db", copy) == 1
        after = party.table.number
        opened = Tables(sqlite_url(copy))
        table = opened.table(party.id)
        assert before <= table.number <= after
        assert table.rules_gone is None
        lines = party.table.log(None)[: table.number]
        assert [(line.number, line.at, line.kind) for line in table.log(None)] == [
            (line.number, line.at, line.kind) for line in lines
        ]
        seen.append(table.number)
        opened.close()
    ended.set()
    player.join()
    assert seen == sorted(seen)
    tables.close()


def test_a_running_server_goes_on_with_what_was_restored(tmp_path: Path) -> None:
    tables = Tables(database(tmp_path))
    party = Party(tables, 2)
    for _ in range(6):
        party.random_move()
    kept = everything(party.table)
    back_up(tmp_path / "tables.db", tmp_path / "copy.db")
    for _ in range(4):
        party.random_move()
    later = Party(tables, 2)
    number = party.table.number

    restored, before = restore(tmp_path / "copy.db", tmp_path / "tables.db")
    assert restored == 1
    assert everything(party.table) == kept, "without a restart"
    with pytest.raises(UnknownTable):
        tables.table(later.id)
    for _ in range(4):
        party.random_move()
    assert party.table.number == number
    again = Tables(database(tmp_path))
    assert everything(again.table(party.id)) == everything(party.table)
    again.close()
    tables.close()

    assert before is not None
    lost = Tables(sqlite_url(before))
    assert lost.table(party.id).number == number, "what was there is kept"
    assert lost.table(later.id).status == "playing"
    lost.close()


def test_a_backup_of_an_older_version_is_brought_up_to_date(tmp_path: Path) -> None:
    from alembic import command
    from alembic.config import Config
    from sqlalchemy import create_engine

    old = tmp_path / "old.db"
    config = Config()
    config.set_main_option("script_location", "shopfloor.tables:migrations")
    config.set_main_option("path_separator", "os")
    engine = create_engine(sqlite_url(old))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
    engine.dispose()
    restore(old, tmp_path / "tables.db")
    tables = Tables(database(tmp_path))
    assert tables.listing() == []
    Party(tables, 2)
    tables.close()


@pytest.mark.parametrize("content", [b"", b"no database at all" * 500])
def test_what_is_no_backup_changes_nothing(tmp_path: Path, content: bytes) -> None:
    tables = Tables(database(tmp_path))
    party = Party(tables, 2)
    before = everything(party.table)
    (tmp_path / "bad").write_bytes(content)
    with pytest.raises(StorageError, match="no database of Shopfloor"):
        restore(tmp_path / "bad", tmp_path / "tables.db")
    assert everything(party.table) == before
    assert not list(tmp_path.glob("*before*"))
    tables.close()


def test_a_damaged_backup_is_refused(tmp_path: Path) -> None:
    tables = Tables(database(tmp_path))
    Party(tables, 2).to_the_end()
    back_up(tmp_path / "tables.db", tmp_path / "copy.db")
    damaged = bytearray((tmp_path / "copy.db").read_bytes())
    assert len(damaged) > 6 * 4096
    damaged[4 * 4096 : 5 * 4096] = b"\xff" * 4096
    (tmp_path / "copy.db").write_bytes(damaged)
    with pytest.raises(StorageError, match=r"damaged|no database"):
        restore(tmp_path / "copy.db", tmp_path / "tables.db")
    tables.close()


def test_a_backup_that_fails_leaves_the_last_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Tables(database(tmp_path)).close()
    back_up(tmp_path / "tables.db", tmp_path / "copy.db")
    last = (tmp_path / "copy.db").read_bytes()

    def full(source: object, target: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("shopfloor.tables.backup.os.replace", full)
    with pytest.raises(StorageError, match="No space"):
        back_up(tmp_path / "tables.db", tmp_path / "copy.db")
    assert (tmp_path / "copy.db").read_bytes() == last
    assert {path.name for path in tmp_path.iterdir()} <= {"tables.db", "copy.db", "tables.db-wal", "tables.db-shm"}


def test_the_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SHOPFLOOR_DATABASE", raising=False)
    tables = Tables(database(tmp_path))
    party = Party(tables, 2)
    run = CliRunner()
    where = ["--database", str(tmp_path / "tables.db")]
    done = run.invoke(app, ["backup", str(tmp_path / "out" / "copy.db"), *where])
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("1 table from")
    number = party.table.number
    party.random_move()
    done = run.invoke(app, ["restore", str(tmp_path / "out" / "copy.db"), *where])
    assert done.exit_code == 0, done.output
    assert party.table.number == number
    with sqlite3.connect(tmp_path / "out" / "copy.db") as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    for command in (["restore", str(tmp_path / "none.db")], ["backup", "x", "--database", str(tmp_path / "none.db")]):
        assert run.invoke(app, [*command, *([] if "--database" in command else where)]).exit_code == 2
    monkeypatch.setenv("SHOPFLOOR_DATABASE", "postgresql://somewhere/tables")
    done = run.invoke(app, ["backup", "x"])
    assert done.exit_code == 2
    assert "pg_dump" in done.stderr
    tables.close()
    assert rows(tmp_path, "PRAGMA integrity_check") == [("ok",)]
