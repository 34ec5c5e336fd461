"""The fast rules of Temp Worker Assassins against the slow ones: same decisions and draws, same positions."""

from collections import Counter
from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

from shopfloor.engine.dice import Dice, FastDice, SealedDice
from shopfloor.engine.events import Event
from shopfloor.games.temp_worker_assassins import GAME, cards, rules
from shopfloor.games.temp_worker_assassins.position import NONE
from tests.games.temp_worker_assassins.leaning import LEANS
from tests.games.temp_worker_assassins.table import options
from tests.oracle.temp_worker_assassins_slow import Card, SlowAssassins, Told

OWN = cards.load()
NAMES = OWN.names


def tell(told: Told, events: Iterable[Event]) -> None:
    """What came up, from the events of the fast rules."""
    for event in events:
        facts: dict[str, Any] = event.facts
        if event.kind == "drew_cards":
            told.own.extend(facts["names"])
        elif event.kind in ("row_filled", "research_seen"):
            told.supply.extend(facts["names"])
        elif event.kind == "target_revealed":
            told.targets.append(facts["name"])


def same(pile: Iterable[int], slow: Iterable[Card]) -> bool:
    return Counter(NAMES[k] for k in pile) == Counter(card.name for card in slow)


def compare(fast: rules.TempWorkerAssassins, slow: SlowAssassins, pending: tuple[int, list[str]] | None) -> None:
    assert fast.over() == slow.over == (pending is None)
    if pending is not None:
        seat, choices = pending
        assert fast.deciders() == (seat,)
        assert sorted(fast.space.name(action) for action in fast.legal(seat)) == sorted(choices)
    assert fast.day == slow.day
    assert same(fast.supply_row, slow.row)
    assert same(fast.supply_deck, slow.supply)
    assert same(fast.supply_discard, slow.supply_discard)
    assert same(fast.trashed, slow.trashed)
    assert same(fast.markers_top, slow.open_markers)
    targets = OWN.target_names
    assert [None if k == NONE else targets[k] for k in fast.face_up] == [t and t.name for t in slow.face_up]
    assert Counter(targets[k] for k in fast.target_deck) == Counter(t.name for t in slow.target_deck)
    assert [targets[k] for k in fast.target_under] == [t.name for t in slow.bottom]
    assert fast.zombie_stack == slow.zombies_left
    standing = {
        f"{OWN.department_names[OWN.space_department[at]]} {OWN.space_number[at]}": seat
        for at, seat in enumerate(fast.occupant)
        if seat != NONE
    }
    assert standing == {str(space): player.seat for space, player in slow.standing.items()}
    for player in slow.players:
        seat = player.seat
        assert same(fast.hand[seat], player.hand)
        assert same(fast.deck[seat], player.deck)
        assert same(fast.discard[seat], player.discard)
        assert [targets[k] for k in fast.trophies[seat]] == [t.name for t in player.trophies]
        assert (fast.unplaced[seat], fast.security[seat]) == (player.unplaced, player.in_security)
        assert fast.skipped[seat] == player.skipped
        assert fast.bounty(seat) == slow.bounty(player)
        assert fast.lasting.count(seat) >= len(player.lasting)
        if slow.attempt is not None and fast.current_player == seat:
            assert same(fast.played, player.played)
            assert fast.attack_total() == slow.attack(player)
    if pending is None:
        assert {rank.seat: rank.place for rank in fast.standing().ranks} == slow.places()


def play_both(players: int, chosen: dict[str, str], dice: Dice, lean: str, rng: Random) -> int:
    """Plays a game on both; the number of decisions."""
    fast = rules.start(players, dice, chosen, OWN, report=True)
    told = Told()
    tell(told, fast.drain())
    departments = [OWN.department_names[d] for d in fast.departments]
    slow = SlowAssassins(players, chosen, cards.OWN, fast.starting_player, departments, told)
    week = slow.week()
    pending: tuple[int, list[str]] | None = next(week)
    compare(fast, slow, pending)
    decided = 0
    while fast.deciders():
        seat = fast.current_player
        action = LEANS[lean](fast, seat, fast.legal(seat), rng)
        fast.play(seat, action)
        tell(told, fast.drain())
        try:
            pending = week.send(fast.space.name(action))
        except StopIteration:
            pending = None
        assert not told.own
        assert not told.supply
        assert not told.targets
        compare(fast, slow, pending)
        decided += 1
    return decided


def random_options(rng: Random) -> dict[str, str]:
    chosen = {option.id: rng.choice(option.values) for option in GAME.options}
    chosen["starting_player"] = "random"
    if rng.random() < 0.5:
        chosen["departments"] = "random"
    return options(**chosen)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_same_decisions_same_game(players: int) -> None:
    rng = Random(players)
    for n in range(12):
        chosen = random_options(rng) if n else options(starting_player="random")
        lean = sorted(LEANS)[n % len(LEANS)]
        assert play_both(players, chosen, FastDice(rng.getrandbits(60)), lean, rng) > 50


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_same_decisions_same_game_many_times(players: int) -> None:
    rng = Random(100 + players)
    for n in range(150):
        dice: Dice = SealedDice(rng.randbytes(32)) if n % 7 == 0 else FastDice(rng.getrandbits(60))
        play_both(players, random_options(rng), dice, rng.choice(sorted(LEANS)), rng)
