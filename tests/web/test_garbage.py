"""A server looks through all that it holds when it has time, or when there has come to be far too much."""

from __future__ import annotations

import gc

import pytest

from shopfloor.web import garbage
from shopfloor.web.garbage import IDLE, LOOK_SECONDS, MOST, WORTH, Sweeper


class Server:
    """What one has done, as the test says."""

    changes = 0
    spent = 0.0

    def sweeper(self) -> Sweeper:
        return Sweeper(lambda: self.changes, lambda: self.spent)


@pytest.mark.parametrize(
    ("more", "busy", "due"),
    [
        (WORTH, 0.0, True),
        (WORTH - 1, 0.0, False),
        (WORTH, 0.5, False),
        (MOST - 1, 0.5, False),
        (MOST, 0.5, True),
        (WORTH, IDLE / 2, True),
    ],
)
def test_when_it_is_time(more: int, busy: float, due: bool) -> None:
    server = Server()
    sweeper = server.sweeper()
    for _ in range(2):
        server.spent += busy * LOOK_SECONDS
        assert sweeper.due(more) == due


def test_the_more_is_held_the_more_must_have_come() -> None:
    server = Server()
    sweeper = server.sweeper()
    sweeper._held = 4 * MOST
    assert not sweeper.due(MOST - 1)
    assert sweeper.due(MOST)
    server.spent += LOOK_SECONDS
    assert not sweeper.due(4 * MOST - 1)
    server.spent += LOOK_SECONDS
    assert sweeper.due(4 * MOST)


def test_what_has_come_is_counted_as_python_counts_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gc, "get_count", lambda: (12, 3, 40))
    monkeypatch.setattr(gc, "get_threshold", lambda: (700, 10, 1 << 30))
    assert garbage.grown() == 40 * 7000


def test_not_while_people_play() -> None:
    server = Server()
    sweeper = server.sweeper()
    for changes, due in ((1, False), (0, True), (3, False), (0, True)):
        server.changes += changes
        assert sweeper.due(WORTH) == due
    server.changes += 1
    assert sweeper.due(MOST), "there is too much to wait any longer"
