"""The golden playthroughs are as they were. If a change is meant: `python -m tests.golden`, and read the difference."""

import pytest

from shopfloor.games import REGISTRY
from tests.golden.traces import FOLDER, TRACES, Trace, write


@pytest.mark.parametrize("trace", TRACES, ids=lambda trace: trace.name)
def test_golden_playthrough(trace: Trace) -> None:
    assert write(trace) == (FOLDER / f"{trace.name}.txt").read_text(encoding="utf-8")


def test_every_game_and_trace_has_its_file() -> None:
    assert {trace.game for trace in TRACES} == set(REGISTRY.ids())
    assert {path.stem for path in FOLDER.glob("*.txt")} == {trace.name for trace in TRACES}
    for game in REGISTRY.all():
        assert {trace.players for trace in TRACES if trace.game == game.id} == set(game.player_counts)
