"""Views and events as data."""

from dataclasses import dataclass

import pytest

from shopfloor.engine.events import Event
from shopfloor.engine.refusals import IllegalAction, Refusal
from shopfloor.engine.views import View, canonical, plain


@dataclass(frozen=True)
class Inner:
    a: int


@dataclass(frozen=True)
class Outer(View):
    inner: Inner
    several: tuple[Inner | None, ...]
    text: str


def test_plain_and_canonical() -> None:
    view = Outer(Inner(1), (Inner(2), None), "é")
    assert plain(view) == {"inner": {"a": 1}, "several": [{"a": 2}, None], "text": "é"}
    assert canonical(view) == '{"inner":{"a":1},"several":[{"a":2},null],"text":"é"}'.encode()
    assert canonical({"b": 1, "a": [True, 0.5]}) == b'{"a":[true,0.5],"b":1}'


@pytest.mark.parametrize("value", [object(), {1, 2}, b"x", Inner])
def test_what_a_view_cannot_hold(value: object) -> None:
    with pytest.raises(TypeError, match="a view cannot hold"):
        plain({"x": value})


def test_whom_an_event_concerns() -> None:
    everybody, two = Event("a", "X-1"), Event("a", "X-1", {}, (0, 2))
    assert all(everybody.concerns(seat) for seat in (None, 0, 1, 2))
    assert [two.concerns(seat) for seat in (None, 0, 1, 2)] == [False, True, False, True]


def test_a_refusal_reads_well_in_a_traceback() -> None:
    refusal = Refusal("TOO_HEAVY", "XX-1.2", {"most": 3, "weight": 5})
    assert str(IllegalAction(refusal)) == "TOO_HEAVY (XX-1.2) most=3, weight=5"
    assert str(IllegalAction(Refusal("GAME_OVER"))) == "GAME_OVER"
