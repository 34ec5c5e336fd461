"""Keeps the books of a game from its public events alone: what an attentive spectator knows.

If it agrees with the state after every decision, the events leave nothing out and the state does nothing in secret.
"""

from __future__ import annotations

from typing import Any

from shopfloor.engine.events import Event
from shopfloor.games.worker_placement.rules import WorkerPlacement


class Ledger:
    def __init__(self, players: int) -> None:
        self.players = players
        self.cash = [2] * players
        self.thumbs = [2] * players
        self.cubes = [[0] * 4 for _ in range(players)]
        self.supply = [12] * 4
        self.hands = [4] * players
        self.discards = 0
        self.jobs: list[int] = []
        self.preview = -1
        self.filled: list[list[int]] = [[] for _ in range(players)]
        self.here = [[0] * players for _ in range(10)]
        self.order: list[int] = []
        self.round = 0
        self.bids: dict[int, int] = {}
        self.won = 0
        self.playing = False
        self.changes = 0

    def note(self, event: Event) -> None:
        assert event.clause.startswith("WP-")
        handler = getattr(self, f"_{event.kind}", None)
        if handler is not None:
            handler(event.facts)

    def _round_began(self, f: dict[str, Any]) -> None:
        self.round += 1
        assert f["round"] == self.round

    def _order_set(self, f: dict[str, Any]) -> None:
        assert sorted(f["seats"]) == list(range(self.players))
        self.order = f["seats"]

    def _jobs_revealed(self, f: dict[str, Any]) -> None:
        if self.preview in f["jobs"]:
            assert f["jobs"][0] == self.preview
            self.preview = -1
        self.jobs += f["jobs"]

    def _preview_turned(self, f: dict[str, Any]) -> None:
        assert self.preview == -1
        self.preview = f["job"]

    def _jobs_put_under(self, f: dict[str, Any]) -> None:
        self.jobs = [j for j in self.jobs if j not in f["jobs"]]

    def _draft_opened(self, _: dict[str, Any]) -> None:
        self.hands = [n + 2 for n in self.hands]
        self.bids = {}
        self.won = 0

    def _network_discarded(self, f: dict[str, Any]) -> None:
        self.discards += f["count"]

    def _bid_made(self, f: dict[str, Any]) -> None:
        assert f["space"] not in self.bids
        assert f["value"] == (1, 2, 2, 2, 3, 3, 4, 5)[f["space"]]
        self.bids[f["space"]] = f["seat"]
        own = [space for space, seat in self.bids.items() if seat == f["seat"]]
        assert len(own) <= 2
        assert f["second"] == (len(own) == 2)
        assert sum((1, 2, 2, 2, 3, 3, 4, 5)[space] for space in own) <= self.cash[f["seat"]]

    def _card_won(self, f: dict[str, Any]) -> None:
        best = sorted(self.bids, reverse=True)[self.won]
        assert self.bids[best] == f["seat"]
        assert f["price"] == (1, 2, 2, 2, 3, 3, 4, 5)[best]
        self.won += 1
        assert self.won <= 3
        self.hands[f["seat"]] += 1

    def _auction_closed(self, f: dict[str, Any]) -> None:
        self.discards += len(f["cards"])

    def _cash_changed(self, f: dict[str, Any]) -> None:
        assert f["amount"] != 0
        self.cash[f["seat"]] += f["amount"]
        assert self.cash[f["seat"]] == f["cash"] >= 0
        self.changes += 1

    def _thumbs_changed(self, f: dict[str, Any]) -> None:
        assert f["amount"] != 0
        self.thumbs[f["seat"]] += f["amount"]
        assert self.thumbs[f["seat"]] == f["thumbs"] >= 0
        self.changes += 1

    def _meeple_placed(self, f: dict[str, Any]) -> None:
        self.here[f["building"]][f["seat"]] += 1

    def _meeple_recalled(self, f: dict[str, Any]) -> None:
        self.here[f["building"]][f["seat"]] -= 1

    def _meeples_returned(self, _: dict[str, Any]) -> None:
        self.here = [[0] * self.players for _ in range(10)]

    def _cube_taken(self, f: dict[str, Any]) -> None:
        self.cubes[f["seat"]][f["skill"]] += 1
        self.supply[f["skill"]] -= 1

    def _cube_returned(self, f: dict[str, Any]) -> None:
        self.cubes[f["seat"]][f["skill"]] -= 1
        self.supply[f["skill"]] += 1

    def _cube_stolen(self, f: dict[str, Any]) -> None:
        self.cubes[f["seat"]][f["skill"]] += 1
        self.cubes[f["victim"]][f["skill"]] -= 1

    def _cards_discarded(self, f: dict[str, Any]) -> None:
        self.hands[f["seat"]] -= f["count"]
        self.discards += f["count"]

    def _cards_drawn(self, f: dict[str, Any]) -> None:
        self.hands[f["seat"]] += f["count"]

    def _deck_shuffled(self, _: dict[str, Any]) -> None:
        self.discards = -1  # how many were shuffled and what came after is worked out by `agrees_with`

    def _job_filled(self, f: dict[str, Any]) -> None:
        if f["job"] == self.preview:
            self.preview = -1
        else:
            self.jobs.remove(f["job"])
        self.filled[f["seat"]].append(f["job"])
        self.hands[f["seat"]] -= 1 + len(f["cards"])
        for skill, n in enumerate(f["cubes"]):
            self.cubes[f["seat"]][skill] -= n
            self.supply[skill] += n

    def _card_played(self, f: dict[str, Any]) -> None:
        self.hands[f["seat"]] -= 1

    def _card_stolen(self, f: dict[str, Any]) -> None:
        self.hands[f["seat"]] += 1
        self.hands[f["victim"]] -= 1

    def agrees_with(self, s: WorkerPlacement) -> None:
        assert self.cash == s.cash
        assert self.thumbs == s.thumbs
        assert [n for own in self.cubes for n in own] == s.cubes
        assert self.supply == s.supply
        assert self.hands == [len(hand) for hand in s.hand]
        assert sorted(self.jobs) == sorted(s.jobs)
        assert self.preview == s.preview
        assert self.filled == s.filled
        assert self.order == s.order
        assert self.round == s.round_no
        assert [self.here[b][seat] for b in range(10) for seat in range(s.players)] == [
            s.at[5 * b + seat] for b in range(10) for seat in range(s.players)
        ]
