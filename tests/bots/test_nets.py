"""Networks: their files, what they are told, what they change in a search, and what they never see."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from shopfloor.bots import Seat, make_bot
from shopfloor.bots.master import MasterBot
from shopfloor.bots.nets import FOLDER, NONE, SHIPPED, Learned, Net, NetError, Nets, decode_net, inputs, load_net
from shopfloor.bots.search import Search, SearchBot, leaned
from shopfloor.engine.dice import FastDice
from shopfloor.engine.game import Game
from shopfloor.games import REGISTRY
from tests.conformance.cases import Case, every_count, plain_cases


def make_net(game: Game, players: int, seed: int = 1, units: int = 3, size: float = 0.0) -> Net:
    """A net that is the judgement, changed by weights of about that size."""
    dice = FastDice(seed)

    def drawn(count: int) -> list[float]:
        return [size * (dice.below(2001) - 1000) / 1000.0 for _ in range(count)]

    names = tuple(inputs(game, players)[0])
    actions = game.space(game.edition()).size
    skip = drawn(len(names))
    skip[0] += 1.0
    weights = [drawn(len(names)) for _ in range(units)]
    policy = [drawn(units + 1) for _ in range(actions)]
    return Net(game.id, game.rules_version, players, names, 0, weights, drawn(units), drawn(units), skip, policy)


def positions(case: Case, seed: int, most: int) -> list[Any]:
    """Positions of a random game in which one seat decides."""
    state = case.start(seed, report=False)
    dice = FastDice(seed + 1)
    found: list[Any] = []
    while state.deciders() and len(found) < most:
        if len(state.deciders()) == 1:
            found.append(state.clone())
        for seat in state.deciders():
            legal = state.legal(seat)
            state.play(seat, legal[dice.below(len(legal))])
    return found


@every_count
def test_the_first_input_is_the_judgement_and_a_fresh_net_is_it_too(case: Case) -> None:
    names, rows = inputs(case.game, case.players)
    judgement = Learned(case.game, make_net(case.game, case.players))
    for state in positions(case, 5, 60):
        found = rows(state)
        assert [len(row) in (0, len(names)) for row in found] == [True] * case.players
        assert all(math.isfinite(number) for row in found for number in row)
        by_hand = case.game.judgement.value(state)
        assert judgement.value(state) == pytest.approx(by_hand, abs=5e-4)
        assert all(share < 5e-4 for share, row in zip(by_hand, found, strict=True) if not row)
    assert len(set(names)) == len(names)


@every_count
def test_inputs_turn_with_the_seat(case: Case) -> None:
    """What a seat is told of itself stands first, and others follow clockwise: the same blocks for everybody."""
    names, rows = inputs(case.game, case.players)
    width = sum(name.endswith("_0") for name in names)
    start = len(names) - width * case.players
    for state in positions(case, 6, 40):
        found = [row for row in rows(state) if row]
        if len(found) < case.players:
            continue
        for seat, row in enumerate(found):
            for step in range(case.players):
                block = row[start + width * step : start + width * (step + 1)]
                assert block == found[(seat + step) % case.players][start : start + width]


@every_count
def test_a_file_gives_the_same_net_and_the_same_bytes(case: Case, tmp_path: Path) -> None:
    net = make_net(case.game, case.players, size=0.3)
    text = net.encode()
    again = decode_net(text)
    assert again.encode() == text
    assert again.names == net.names
    assert again.out == pytest.approx(net.out, rel=1e-5)
    path = tmp_path / "net.json"
    path.write_text(text, encoding="utf-8")
    assert load_net(path, case.game, case.players) == again


def test_shares_by_hand() -> None:
    net = Net("g", "1", 3, ("judgement", "a"), 0, [[0.0, 1.0]], [-1.0], [2.0], [1.0, 0.5], [[1.0, 0.25]])
    # Scores: 0.1 + 0.5 * 3 + 2 * (3 - 1); 0.2 + 0.5 * 0.5 + nothing from a unit below 0; no inputs, no share.
    one, two = math.exp(5.6), math.exp(0.45)
    assert net.shares([[0.1, 3.0], [0.2, 0.5], []]) == pytest.approx([one / (one + two), two / (one + two), 0.0])
    assert net.leaning([0.1, 3.0], (0,)) == pytest.approx([2.25])
    assert net.leaning([], (0,)) == [0.0]


def test_leaning_changes_chances() -> None:
    assert leaned([0.5, 0.25, 0.25], [0.0, math.log(2.0), 0.0]) == pytest.approx([0.4, 0.4, 0.2])
    assert leaned([1.0, 0.0], [-800.0, 800.0]) == [1.0, 0.0]  # what has no chance gets none


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": 9}, "format 9"),
        ({"bias": [1.0]}, "do not fit together"),
        ({"out": None}, "cannot be read"),
        ({"game": "go"}, "is a net for go"),
        ({"rules": "0"}, "rules version 0"),
        ({"names": ["judgement"] * 42}, "other inputs"),
        ({"policy": [[0.0] * 4]}, "other actions"),
    ],
)
def test_what_is_no_net(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    game = REGISTRY.get("zahltag")
    fields = json.loads(make_net(game, 2).encode()) | change
    path = tmp_path / "2.json"
    path.write_text(json.dumps(fields), encoding="utf-8")
    with pytest.raises(NetError, match=said):
        load_net(path, game, 2)
    path.write_text("{", encoding="utf-8")
    with pytest.raises(NetError, match=r"2\.json is no net"):
        load_net(path, game, 2)


def test_where_nets_are_found(tmp_path: Path) -> None:
    game = REGISTRY.get("zahltag")
    assert NONE.judgement(game, 2) is game.judgement
    with pytest.raises(NetError, match="cannot be read"):
        Nets(tmp_path).judgement(game, 2)
    (tmp_path / "2.json").write_text(make_net(game, 2).encode(), encoding="utf-8")
    assert isinstance(Nets(tmp_path).judgement(game, 2), Learned)
    for case in plain_cases():
        there = (case.game.folder / FOLDER / f"{case.players}.json").exists()
        found = SHIPPED.judgement(case.game, case.players)  # every net that is shipped can be loaded
        assert isinstance(found, Learned) == there
    assert make_bot("foreman", 1, nets=NONE).nets is NONE  # type: ignore[attr-defined]
    assert make_bot("foreman", 1).nets is SHIPPED  # type: ignore[attr-defined]
    master = make_bot("master", 1)
    assert isinstance(master, MasterBot)
    assert [bot.nets for bot in (master.of_two, master.of_several)] == [SHIPPED, SHIPPED]


def test_a_search_asks_the_net(tmp_path: Path) -> None:
    """The policy can turn a choice, and positions are judged by the net."""
    game = REGISTRY.get("zahltag")
    state = game.start(2, FastDice(3))
    seat = Seat(game, state, state.deciders()[0], FastDice(4))
    legal = seat.legal()
    plain = make_net(game, 2)
    for wanted in legal[:3]:
        policy = [[0.0] * 3 + [12.0 if action == wanted else 0.0] for action in range(len(plain.policy))]
        search = Search(seat, FastDice(1), judgement=Learned(game, replace(plain, policy=policy)))
        odds = search.mixer.prior
        assert legal[odds.index(max(odds))] == wanted
    told = Told(Learned(game, plain))
    search = Search(seat, FastDice(1), judgement=told)
    search.think()
    assert len(told.asked) > 0


class Told:
    """A judgement with a net that writes down what the net is told. (A compiled class has no plain subclasses.)"""

    def __init__(self, judgement: Learned) -> None:
        self.judgement = judgement
        self.rate = judgement.rate
        self.asked: list[str] = []

    def value(self, state: Any) -> list[float]:
        self.asked.append(repr(self.judgement.rows(state)))
        return self.judgement.value(state)

    def lean(self, state: Any, seat: int, actions: tuple[int, ...]) -> list[float]:
        self.asked.append(repr(self.judgement.rows(state)[seat]))
        return self.judgement.lean(state, seat, actions)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_net_sees_only_what_its_seat_could_have_imagined(players: int) -> None:
    """Two positions that a seat cannot tell apart: the net is asked the same questions, and the seat does the same."""
    game = REGISTRY.get("zahltag")
    net = make_net(game, players, size=0.2)
    compared = different = 0
    for seed in range(4):
        state: Any = game.start(players, FastDice(seed))
        dice = FastDice(seed + 50)
        while state.deciders():
            for seat in state.deciders():
                legal = state.legal(seat)
                if len(legal) > 1 and dice.below(12) == 0:
                    other = state.imagine(seat, FastDice(dice.below(2**30)))
                    asked = [_asked(game, net, each, seat) for each in (state, other)]
                    assert asked[0] == asked[1]
                    different += other.encode() != state.encode()
                    compared += 1
                state.play(seat, legal[dice.below(len(legal))])
    assert compared > 5
    assert different > 0


def _asked(game: Game, net: Net, state: Any, seat: int) -> tuple[list[str], int]:
    """All positions that the net is asked about in a search from this one, and what is chosen."""
    told = Told(Learned(game, net))
    search = Search(Seat(game, state, seat, FastDice(9)), FastDice(8), judgement=told)
    for _ in range(3):
        search.think()
    assert told.asked
    return told.asked, search.decide()


def test_an_edition_with_more_actions_plays_without_a_policy() -> None:
    game = REGISTRY.get("zahltag")
    net = make_net(game, 2, size=0.2)
    short = Learned(game, replace(net, policy=net.policy[:2]))
    state = game.start(2, FastDice(1))
    seat = state.deciders()[0]
    assert short.lean(state, seat, state.legal(seat)) == [0.0] * len(state.legal(seat))


def test_the_same_seed_plays_the_same_with_a_net(tmp_path: Path) -> None:
    game = REGISTRY.get("zahltag")
    (tmp_path / "2.json").write_text(make_net(game, 2, size=0.3).encode(), encoding="utf-8")
    state = game.start(2, FastDice(1))
    seat = Seat(game, state, state.deciders()[0], FastDice(4))
    picks = [SearchBot(3, iterations=6, nets=Nets(tmp_path)).choose(seat) for _ in range(2)]
    assert picks[0] == picks[1]
