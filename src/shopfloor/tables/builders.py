"""Computers that do things by hand: they think in worker processes, and are watched while they work.

Where nobody looks on, the worker process carries its thought out itself; what it measured is stored like any other
decision. Where somebody does, the thought comes back, and the table's session carries it out before everybody's eyes.
"""

from __future__ import annotations

import secrets
from concurrent.futures import Future

from shopfloor.bots import decode_seat
from shopfloor.engine.dice import FastDice
from shopfloor.engine.world import Batch, find_world, world_of
from shopfloor.games import REGISTRY
from shopfloor.tables.model import Answer, Table
from shopfloor.tables.pool import Pool
from shopfloor.tables.service import Tables
from shopfloor.tables.sessions import Sessions


def think(game: str, seat: str, level: str, budget: float, dice_seed: int, at_once: bool) -> object:
    """In a worker process: an action, an errand, or (at_once) the batch that an errand came to.

    seat: as `Seat.encode` writes it; budget: seconds, about.
    """
    found = REGISTRY.get(game)
    world = find_world(found)
    state = decode_seat(found, seat).imagine(FastDice(dice_seed))
    thought = world.think(state, level, dice_seed, budget)
    return thought if isinstance(thought, int) or not at_once else world.carry(state, thought)


class Builders:
    """The hands of all computers of a server. sessions: where they are watched; None: nobody ever looks on."""

    def __init__(self, tables: Tables, sessions: Sessions | None) -> None:
        self._tables = tables
        self._sessions = sessions

    def work_at(self, table: Table) -> bool:
        """Is there something to do by hand at this table?"""
        return world_of(table.game) is not None

    def watched(self, table_id: str) -> bool:
        """Does anybody look on at this table here?"""
        return self._sessions is not None and self._sessions.watched(table_id)

    def think(self, pool: Pool, table: Table, seat: int, level: str, budget: float) -> Future[object]:
        """Begin to think about this seat's decision; the future has what `act` takes."""
        # What leaves for the worker is imagined, with dice of its own: neither the seed nor anybody's hand goes along.
        text = table.bot_seat(seat, FastDice(secrets.randbits(63))).encode()
        at_once = not self.watched(table.id)
        return pool.submit(think, table.game.id, text, level, budget, secrets.randbits(63), at_once)

    def act(self, table_id: str, seat: int, thought: object, number: int) -> Future[Answer]:
        """Carry a thought out. number: the `decision_number` that it was about.

        The future fails with TableError, Refused or HandRefused where that is no longer the question.
        """
        key = f"computer:{number}"
        if not isinstance(thought, Batch) and self._sessions is not None:
            return self._sessions.carry(table_id, seat, thought, number, key, computer=True)
        future: Future[Answer] = Future()
        try:
            assert isinstance(thought, Batch)
            future.set_result(self._tables.carry_out(table_id, seat, thought, number, key, computer=True))
        except Exception as error:
            future.set_exception(error)
        return future
