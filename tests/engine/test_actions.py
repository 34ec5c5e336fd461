"""Action spaces: one table for ids, names, parsing and masks."""

from dataclasses import dataclass

import pytest

from shopfloor.engine.actions import Action, ActionSpace
from shopfloor.engine.refusals import IllegalAction


@dataclass(frozen=True)
class Lift(Action):
    weight: int

    def __str__(self) -> str:
        return f"lift {self.weight}"


@dataclass(frozen=True)
class Rest(Action):
    def __str__(self) -> str:
        return "rest"


SPACE = ActionSpace([Rest(), Lift(1), Lift(20)], {"sleep": 0})


def test_ids_and_actions() -> None:
    assert SPACE.size == 3
    assert [SPACE.encode(action) for action in (Rest(), Lift(1), Lift(20))] == [0, 1, 2]
    assert [SPACE.decode(i) for i in range(3)] == [Rest(), Lift(1), Lift(20)]
    assert [SPACE.name(i) for i in range(3)] == ["rest", "lift 1", "lift 20"]


@pytest.mark.parametrize("text", ["lift 20", "LIFT 20", " lift(20)", "lift: 20!", "lift_20", "Lift, 20"])
def test_names_are_read_with_patience(text: str) -> None:
    assert SPACE.parse(text) == 2


def test_aliases() -> None:
    assert SPACE.parse("Sleep") == 0


@pytest.mark.parametrize("action", [-1, 3, 10**40])
def test_ids_that_no_action_has(action: int) -> None:
    with pytest.raises(IllegalAction) as caught:
        SPACE.decode(action)
    assert caught.value.refusal.facts == {"action": action, "size": 3}


def test_actions_that_the_game_does_not_have() -> None:
    with pytest.raises(IllegalAction) as caught:
        SPACE.encode(Lift(7))
    assert caught.value.refusal.code == "MALFORMED"
    assert caught.value.refusal.facts == {"action": "lift 7"}


def test_a_slip_of_the_pen_gets_suggestions() -> None:
    with pytest.raises(IllegalAction) as caught:
        SPACE.parse("lfit 20")
    assert caught.value.refusal.code == "MALFORMED"
    assert caught.value.refusal.facts["near"] == ["lift 20", "lift 1"]
    with pytest.raises(IllegalAction) as caught:
        SPACE.parse("Z" * 10_000)
    assert caught.value.refusal.facts == {"action": "Z" * 80, "near": []}


def test_masks() -> None:
    assert SPACE.mask([0, 2]) == bytearray([1, 0, 1])
    assert SPACE.mask([]) == bytearray(3)


def test_a_table_with_two_of_the_same_is_a_mistake() -> None:
    @dataclass(frozen=True)
    class Nap(Action):
        def __str__(self) -> str:
            return "Rest!"

    for actions in ([Rest(), Rest()], [Rest(), Nap()]):
        with pytest.raises(ValueError, match="same or share a name"):
            ActionSpace(actions)
