"""What the page makes of views and events."""

from __future__ import annotations

from typing import Any

import pytest

from shopfloor.engine.events import Event
from shopfloor.games.zahltag import rules
from shopfloor.games.zahltag.page import page
from tests.games.zahltag.table import J1, A, B, C, D, bids, play, seen, table, turn_up

NAMES = ("Ada", "Bo", "Cy", "Dee")


def shows(s: rules.Zahltag, seat: int | None, events: list[Event]) -> dict[str, Any]:
    mine = [event for event in events if event.concerns(seat)]
    return page.context(seen(s, seat), NAMES, mine, lambda action: None)


@pytest.mark.rule("ZT-8.3", "ZT-10.2")
def test_offers_lie_with_who_made_them_when_somebody_is_out_of_business() -> None:
    s = table("", "F2 W3", "C2", "F2 W3", out=[A], turn_of=B)
    turn_up(s, J1)
    events = play(s, B, "pass") + bids(s, "5", "00", "7")
    assert s.current_player != B  # the next turn has begun, the offers still lie there
    for viewer in (B, C, D, None):
        slips = {plot["seat"]: plot["slip"] for plot in shows(s, viewer, events)["plots"]}
        assert slips[A]["kind"] == "out"
        offers = {seat: slip["bid"] for seat, slip in slips.items() if slip["kind"] == "open"}
        # Who decides now has no offer lying there any more.
        expected = {B: "5", C: "00", D: "7"}
        expected.pop(s.current_player)
        assert offers == expected
        assert slips[B]["won"]
