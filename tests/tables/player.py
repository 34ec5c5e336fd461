"""A process that plays at a table until it is killed: says what it is about to do, does it, says what it was told.

python -m tests.tables.player URL TABLE ROUND TOKEN...
"""

import os
import random
import sys

from shopfloor.tables.errors import TableError
from shopfloor.tables.service import Tables


def say(*words: object) -> None:
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


def main(url: str, table_id: str, play_round: str, *tokens: str) -> None:
    tables = Tables(url)
    chance = random.Random(play_round)
    say("ready")
    while True:
        table = tables.table(table_id)
        if not table.deciders():
            say("over")
            return
        seat = chance.choice(table.deciders())
        last, key = table.undo_number(seat), f"{play_round}-{table.number}"
        if last is not None and chance.random() < 0.2 and table.undo_refusal(seat) is None:
            say("undo", seat, last, table.number, key)
            try:
                say("done", key, tables.undo(table_id, tokens[seat], last, key).number)
            except TableError as error:
                say("refused", key, error.code)
            continue
        action = chance.choice(table.view(seat).legal)  # type: ignore[union-attr]
        say("play", seat, action, table.number, key)
        say("done", key, tables.act(table_id, tokens[seat], action, table.number, key).number)


if __name__ == "__main__":
    main(*sys.argv[1:])
