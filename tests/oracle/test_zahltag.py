"""The fast rules of Zahltag against the slow ones: same dice, same decisions, same positions after each of them."""

from collections.abc import Iterable
from itertools import product
from random import Random
from typing import Final

import pytest

from shopfloor.engine.dice import Dice, FastDice, SealedDice
from shopfloor.games.zahltag import cards, rules
from tests.games.zahltag.leaning import LEANS
from tests.games.zahltag.table import CARDS
from tests.oracle.zahltag_slow import Crew, SlowZahltag, Worker

OPTIONS: Final = [
    dict(zip(("setup_adjust", "card_cap", "tie_debt", "first_player"), values, strict=True))
    for values in product(("block", "round_robin"), ("prevent", "penalty"), ("eliminate", "floor"), ("random", "1"))
]
EDITIONS: Final = (
    cards.load(),
    CARDS,
    cards.fixture(offer_values=(0, 1, 2, 5)),  # ties at 0, and often
    cards.fixture(needs=(1, 0, 0, 0, 0, 1, 0, 0) * 16),  # nearly everybody can do every Job
)


def counts(crews: Iterable[Crew]) -> list[int]:
    return [crew[worker] for crew in crews for worker in Worker]


def compare(fast: rules.Zahltag, slow: SlowZahltag) -> None:
    assert list(fast.deciders()) == slow.deciders()
    assert rules.PHASE_NAMES[fast.phase] == slow.phase.value
    for seat in range(fast.players):
        assert [fast.space.name(action) for action in fast.legal(seat)] == slow.choices(seat)
    assert fast.hand == counts(player.hand for player in slow.players)
    assert fast.left == counts(player.left for player in slow.players)
    assert fast.right == counts(player.right for player in slow.players)
    assert fast.stacks == counts([slow.stacks])
    assert fast.money == [player.money for player in slow.players]
    assert fast.job_row == [job.number for job in slow.jobs_since_payday]
    assert fast.job_deck == [job.number for job in slow.job_deck]
    assert (fast.deck_paydays, fast.paydays_executed) == (slow.paydays_in_stack, slow.paydays_executed)
    assert fast.current_player == slow.current.seat
    assert fast.turn == slow.turn
    assert [bool(fast.active >> player.seat & 1) for player in slow.players] == [p.active for p in slow.players]
    if fast.over():
        assert {rank.seat: rank.place for rank in fast.standing().ranks} == slow.places()


def play_both(players: int, options: dict[str, str], edition: cards.Cards, dice: Dice, lean: str, rng: Random) -> int:
    """Plays a game on both; the number of decisions."""
    needs = [edition.job_needs(job) for job in range(32)]
    slow = SlowZahltag(players, dice.clone(), options, needs, edition.offer_values)
    fast = rules.start(players, dice, options, edition)
    compare(fast, slow)
    decided = 0
    while fast.deciders():
        seat = rng.choice(fast.deciders())
        action = LEANS[lean](fast, seat, fast.legal(seat), rng)
        slow.decide(seat, fast.space.name(action))
        fast.play(seat, action)
        compare(fast, slow)
        decided += 1
    return decided


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: "-".join(options.values()))
def test_same_decisions_same_game(players: int, options: dict[str, str]) -> None:
    rng = Random(f"{players} {options}")
    for lean in LEANS:
        assert play_both(players, options, rng.choice(EDITIONS), FastDice(rng.getrandbits(60)), lean, rng) >= players


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_same_decisions_same_game_many_times(players: int) -> None:
    rng = Random(players)
    for n in range(700):
        lean = rng.choice(sorted(LEANS))
        dice: Dice = SealedDice(rng.randbytes(32)) if n % 7 == 0 else FastDice(rng.getrandbits(60))
        play_both(players, rng.choice(OPTIONS), rng.choice(EDITIONS), dice, lean, rng)
