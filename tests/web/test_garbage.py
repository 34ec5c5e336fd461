"""A server looks through all that it holds when it has time, or when there has come to be far too much."""

from __future__ import annotations

import gc

import pytest

from shopfloor.web import garbage
from shopfloor.web.garbage import IDLE, LOOK_SECONDS, MOST, WORTH, Sweeper


class Processor:
    """Seconds of it that were spent, as the test says."""

    spent = 0.0

    def __call__(self) -> float:
        return self.spent


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
    processor = Processor()
    sweeper = Sweeper(spent=processor)
    for _ in range(2):
        processor.spent += busy * LOOK_SECONDS
        assert sweeper.due(more) == due


def test_the_more_is_held_the_more_must_have_come() -> None:
    processor = Processor()
    sweeper = Sweeper(spent=processor)
    sweeper._held = 4 * MOST
    assert not sweeper.due(MOST - 1)
    assert sweeper.due(MOST)
    processor.spent += LOOK_SECONDS
    assert not sweeper.due(4 * MOST - 1)
    processor.spent += LOOK_SECONDS
    assert sweeper.due(4 * MOST)


def test_what_has_come_is_counted_as_python_counts_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gc, "get_count", lambda: (12, 3, 40))
    monkeypatch.setattr(gc, "get_threshold", lambda: (700, 10, 1 << 30))
    assert garbage.grown() == 40 * 7000
