"""Tables carry what the engine's contract allows, not only what today's games do."""

import pytest

from shopfloor.engine.registry import Registry
from shopfloor.tables import fold
from shopfloor.tables.model import Table
from tests.tables.conftest import Open
from tests.tables.helpers import Party, everything, replayed
from tests.tables.test_undo import reason, undo_refused

TOY = Registry(["tests.tables.toy"])


@pytest.fixture(params=[fold.POSITIONS_KEPT, 0], ids=["positions kept", "replayed"])
def party(request: pytest.FixtureRequest, opened: Open, monkeypatch: pytest.MonkeyPatch) -> Party:
    monkeypatch.setattr(fold, "POSITIONS_KEPT", request.param)
    return Party(opened(TOY), 3, game="toy")


def sound(table: Table) -> bool:
    assert table._fold.state is not None
    return table._fold.state.encode() == replayed(table)


def test_what_led_to_sealed_choices_stands_once_one_was_made(party: Party) -> None:
    """Nothing has come to light, but another seat has acted on it: its choice would hang in the air."""
    stake = party.act(0, 1)
    assert reason(party.table, 0) is None
    party.act(2, 4)
    assert reason(party.table, 0) == "UNDO_OTHERS_ACTED"
    with undo_refused("UNDO_OTHERS_ACTED"):
        party.undo(0, stake.number)
    party.undo(2)
    party.undo(0, stake.number)
    assert party.table.deciders() == (0,)
    assert sound(party.table)


def test_ones_own_sealed_choice_comes_off_before_what_led_to_it(party: Party) -> None:
    party.act(0, 1)
    party.act(1, 5)
    party.act(0, 3)
    assert (reason(party.table, 0), reason(party.table, 1)) == (None, None)
    party.undo(0)
    assert reason(party.table, 0) == "UNDO_OTHERS_ACTED", "seat 1 has chosen, knowing the stake"
    assert party.view(1).own == 5
    assert sound(party.table)


def test_play_with_undos(party: Party, opened: Open) -> None:
    def move() -> None:
        free = [seat for seat in range(3) if reason(party.table, seat) is None]
        if free and party.random.random() < 0.45:
            party.undo(party.random.choice(free))
        else:
            party.random_move()
        assert sound(party.table)

    table = party.until(lambda table: table.status == "over", move)
    assert any(line.undone for line in table.log(None))
    assert everything(opened(TOY).table(party.id)) == everything(table)
    for viewer in (None, 0, 1, 2):
        for line in table.log(viewer):
            assert all(event.kind != "hidden" or line.seat == viewer for event in line.events)
