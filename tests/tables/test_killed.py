"""Killed at any moment, the log holds every answered move once, and nothing half."""

import contextlib
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from shopfloor.tables.service import Tables
from tests.tables.helpers import Party, database, everything, replayed, rows

ROUNDS = 15


def _killed(url: str, party: Party, number: int, seconds: float) -> list[list[str]]:
    """What a playing process said until it was killed, `seconds` after it was ready."""
    command = [sys.executable, "-m", "tests.tables.player", url, party.id, f"round{number}", *party.tokens]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(["src", "."])}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        said = [process.stdout.readline()]

        def kill() -> None:
            time.sleep(seconds)
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(signal.SIGKILL)

        killer = threading.Thread(target=kill)
        killer.start()
        said += process.stdout.readlines()
        killer.join()
    whole = [line for line in said if line.endswith(b"\n")]
    assert whole[0] == b"ready\n"
    return [line.decode().split() for line in whole[1:]]


@pytest.mark.slow
def test_nothing_answered_is_lost_and_nothing_comes_twice(tmp_path: Path) -> None:
    url = database(tmp_path)
    setting_up = Tables(url)
    party = Party(setting_up, 4, card_cap="penalty")
    chance = random.Random(11)
    answered: dict[tuple[str, str], int] = {}
    unanswered = moves = 0
    for number in range(10 * ROUNDS):
        if number >= ROUNDS and moves > 50:  # a busy machine gets less done before it is killed
            break
        if party.table.status == "over":
            party = Party(setting_up, 4)
        said = _killed(url, party, number, chance.uniform(0.0, 0.4))
        done = {words[1]: int(words[2]) for words in said if words[0] == "done"}
        answered |= {(party.id, key): log_number for key, log_number in done.items()}
        moves += len(done)
        with contextlib.closing(Tables(url)) as tables:
            table = tables.table(party.id)
            assert table.rules_gone is None
            assert table._fold.state is not None
            assert table._fold.state.encode() == replayed(table)
            kept = {key.partition(":")[2]: entry for key, entry in table._fold.keys.items()}
            for words in said:
                if words[0] in ("play", "undo") and words[-1] in done:
                    entry = kept[words[-1]]
                    assert (entry.kind, str(entry.seat), entry.number) == (words[0], words[1], done[words[-1]])
                    assert words[2] == str(entry.action if words[0] == "play" else entry.target)
            last = said[-1] if said else ["nothing"]
            if last[0] in ("play", "undo"):  # killed before the answer: sent again, it lands exactly once
                unanswered += 1
                stored = last[4] in kept
                again = (tables.act if last[0] == "play" else _undo(tables))(
                    party.id, party.tokens[int(last[1])], int(last[2]), int(last[3]), last[4]
                )
                assert again.repeated == stored
                assert tables.table(party.id).number == table.number + (0 if stored else 1)
    assert moves > 50
    found = rows(tmp_path, "SELECT table_id, key, count(*) FROM log WHERE key IS NOT NULL GROUP BY table_id, key")
    assert all(count == 1 for _, _, count in found)
    keys = {(table_id, key.partition(":")[2]) for table_id, key, _ in found}
    assert keys >= set(answered)
    assert rows(tmp_path, "PRAGMA integrity_check") == [("ok",)]
    print(f"{ROUNDS} kills, {moves} answered moves, {unanswered} killed before the answer")
    setting_up.close()


def _undo(tables: Tables):
    return lambda table_id, token, number, _based_on, key: tables.undo(table_id, token, number, key)


def test_a_write_that_dies_in_the_middle_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table that follows and the line that names it are stored together or not at all."""
    tables = Tables(database(tmp_path))
    party = Party(tables, 2)
    party.to_the_end()
    before = everything(party.table)
    fault = "SELECT abs(-9223372036854775807 - 1)"  # the one sum that SQLite refuses to do
    rows(tmp_path, f"CREATE TRIGGER bad BEFORE INSERT ON log WHEN NEW.kind = 'rematch' BEGIN {fault}; END")
    with pytest.raises(Exception, match="overflow"):
        tables.rematch(party.id, party.creator)
    rows(tmp_path, "DROP TRIGGER bad")
    assert everything(party.table) == before
    assert rows(tmp_path, "SELECT count(*) FROM tables") == [(1,)]
    assert tables.rematch(party.id, party.creator) == party.table.rematch
    tables.close()
