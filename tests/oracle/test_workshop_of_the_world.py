"""The fast rules of Workshop of the World against the slow ones: same dice, same decisions, same positions."""

from random import Random
from typing import Final

import pytest

from shopfloor.engine.dice import Dice, FastDice, SealedDice
from shopfloor.games.workshop_of_the_world import GAME, rules
from shopfloor.games.workshop_of_the_world.cards import TYPES, Box
from tests.games.workshop_of_the_world.leaning import LEANS
from tests.games.workshop_of_the_world.table import FX, OWN, fixture_map
from tests.oracle.workshop_of_the_world_slow import SlowWorkshop

BOXES: Final = (OWN, FX, fixture_map(hash="small", industries=6, links=3, demand=(4, 3, 2, 1, 0)))


def compare(fast: rules.Workshop, slow: SlowWorkshop) -> None:
    assert fast.over() == slow.over
    assert set(fast.deciders()) == set(slow.waiting)
    for seat, choices in slow.waiting.items():
        assert {fast.space.name(action) for action in fast.legal(seat)} == set(choices)
        assert len(choices) == len(fast.legal(seat))
    for player in slow.players:
        seat = player.seat
        assert (fast.cash[seat], fast.revenue[seat], fast.wealth(seat)) == (player.cash, player.revenue, player.wealth)
        assert fast.counters[5 * seat : 5 * seat + 5] == [player.counters[kind] for kind in TYPES]
    assert fast.demand == [slow.demand[kind] for kind in TYPES]
    for t, town in enumerate(slow.towns.values()):
        assert fast.load[t] == len(town.industries)
        for colour in slow.colours:
            assert fast.industries[t * fast.sets + colour.number] == town.industries.count(colour)
    for c, connection in enumerate(slow.connections):
        assert fast.owner[c] == (connection.built_by.number if connection.built_by else -1)
    assert fast.supply_industry == [colour.industries for colour in slow.colours]
    assert fast.supply_link == [colour.links for colour in slow.colours]
    assert fast.unseen == [card.number for card in slow.hidden]
    assert fast.bank == slow.bank
    assert fast.round_no == 0 or fast.over() or fast.aside_size == slow.set_aside
    if slow.over:
        assert [rank.seat for rank in fast.standing().ranks] == slow.ranking()


def play_both(players: int, options: dict[str, str], box: Box, dice: Dice, lean: str, rng: Random) -> None:
    slow = SlowWorkshop(players, dice.clone(), options, box)
    fast = rules.start(players, dice, options, box)
    compare(fast, slow)
    while fast.deciders():
        seat = rng.choice(fast.deciders())
        action = LEANS[lean](fast, seat, fast.legal(seat), rng)
        slow.decide(seat, fast.space.name(action))
        fast.play(seat, action)
        compare(fast, slow)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("lean", sorted(LEANS))
def test_the_usual_rules(players: int, lean: str) -> None:
    options = {option.id: option.default for option in GAME.options}
    for seed, dice in enumerate((FastDice(players), SealedDice(bytes([players]) * 32))):
        play_both(players, options, OWN, dice, lean, Random(seed))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("seed", range(6))
def test_other_rules_and_other_boxes(players: int, seed: int) -> None:
    rng = Random(f"{players} {seed}")
    options = {option.id: rng.choice(option.values) for option in GAME.options}
    play_both(players, options, rng.choice(BOXES), FastDice(seed), rng.choice(sorted(LEANS)), rng)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_many_games(players: int) -> None:
    for seed in range(60):
        rng = Random(f"many {players} {seed}")
        options = {option.id: rng.choice((option.default, rng.choice(option.values))) for option in GAME.options}
        play_both(players, options, rng.choice(BOXES), FastDice(seed), rng.choice(sorted(LEANS)), rng)
