"""The fast rules of Men at Work against the slow ones: same decisions, draws and sites, same positions and verdicts."""

from __future__ import annotations

import json
from random import Random
from typing import Any, Final

import pytest

from shopfloor.engine.dice import Dice, FastDice, SealedDice
from shopfloor.games.men_at_work import GAME, cards, chance, rules
from shopfloor.games.men_at_work import actions as a
from shopfloor.games.men_at_work.judge import lacking
from shopfloor.games.men_at_work.outcome import Outcome, read
from shopfloor.games.men_at_work.pieces import FIRST, GIRDER, KIND, WORKER
from shopfloor.games.men_at_work.position import BUILD, CRANE_STANDING, DEAD, PHASE_NAMES, SITE, SUPPLY
from tests.games.men_at_work.leaning import LEANS
from tests.oracle.men_at_work_slow import SlowMenAtWork

OWN: Final = cards.load()
PLACES: Final = {SUPPLY: "supply", SITE: "site", DEAD: "dead"}
LENGTH: Final = 180_000


def measured(state: rules.MenAtWork, action: int, rng: Random) -> Outcome | None:
    """What the world has to say to this decision: what dice draw, with dice of its own, and often a little shaken."""
    twin = state.clone()
    twin.dice = FastDice(rng.getrandbits(60))
    if action <= a.DESIGN_FREE:
        plan = rng.randrange(3) if action == a.DESIGN_FREE else action
        return chance.design(twin, plan, twin.design_pieces())
    if action == a.RELEASE:
        outcome = chance.release(twin)
    elif a.RETRIEVE <= action < a.PUSH_BACK:
        outcome = chance.cleared(twin, twin.taken_with(action - a.RETRIEVE))
    elif a.PUSH_BACK <= action < a.RETURN_SUPPORT:
        outcome = chance.pushed(twin, action - a.PUSH_BACK + FIRST[GIRDER])
    elif a.RETURN_SUPPORT <= action < a.LEAVE_SUPPORT:
        outcome = chance.cleared(twin, [action - a.RETURN_SUPPORT])
    else:
        return None
    for _ in range(rng.choice((0, 0, 1, 3, 8))):
        outcome = shaken(outcome, state.held, rng)
    return outcome


def shaken(outcome: Outcome, fresh: list[int], rng: Random) -> Outcome:
    """One more touch or one fewer, other heights, a hat that came off: whatever makes verdicts differ."""
    value: dict[str, Any] = json.loads(outcome.encode())
    contacts: list[list[int]] = value["contacts"]
    there = list(outcome.pieces())
    new = [p for p in fresh if p in there] or there
    change = rng.randrange(12)
    if change == 0 and contacts:
        contacts.pop(rng.randrange(len(contacts)))
    elif change == 1 and contacts:
        rng.choice(contacts)[rng.choice((4, 5))] = rng.choice((0, 19, 20, 500))
    elif change in (2, 3, 4):
        first, b = rng.choice(new), rng.choice([*there, *range(-6, 0)])
        if first != b:
            contacts.append(
                [
                    first,
                    b,
                    *parts(first, b, rng),
                    rng.choice((0, 30, 900)),
                    rng.choice((0, 0, 30)),
                    *spans(first, b, rng),
                ]
            )
    elif change == 5 and contacts:
        row = rng.choice(contacts)
        row[6:] = spans(row[0], row[1], rng)
    elif change == 6 and contacts:
        row = rng.choice(contacts)
        row[2:4] = parts(row[0], row[1], rng)
    elif change == 7:
        row = value["tops"][there.index(rng.choice(new))]
        best = max(top for _, top in value["tops"])
        row[1] = max(0, best + rng.choice((-1001, -1000, -999, 0, 999, 1000, 1001)))
    elif change == 8 and value["worn"]:
        value["worn"].pop(rng.randrange(len(value["worn"])))
    elif change == 9:
        girders = [p for p in there if KIND[p] == GIRDER]
        value["covers"].append([rng.choice(girders or [8]), rng.choice(girders or [8]), rng.choice((949, 950))])
        value["covers"] = value["covers"] if girders else []
    elif change == 10 and rng.random() < 0.2:
        value |= rng.choice(({"settled": False}, {"touched": [rng.choice(there)]}))
    elif rng.random() < 0.3:
        value["fell"] = sorted({*value["fell"], rng.choice(there)})
    return read(value)


def parts(first: int, b: int, rng: Random) -> list[int]:
    return [rng.randrange(6) if p >= 0 and KIND[p] == WORKER else 0 for p in (first, b)]


def spans(first: int, b: int, rng: Random) -> list[int]:
    found = []
    for p in (first, b):
        low = rng.choice((0, 5000, 10_800, 10_801, 17_999, 18_000, 85_000, 95_000, 160_000))
        high = rng.choice((low + 1000, LENGTH - 18_000, LENGTH - 10_800, LENGTH))
        found += [low, max(low, high)] if p >= 0 and KIND[p] == GIRDER else [0, 0]
    return found


def compare(fast: rules.MenAtWork, slow: SlowMenAtWork, waiting: tuple[int, set[str]] | None) -> None:
    assert fast.over() == slow.over == (waiting is None)
    assert PHASE_NAMES[fast.phase] == slow.phase
    assert fast.cause == slow.cause
    if waiting is not None:
        seat, choices = waiting
        assert fast.deciders() == (seat,)
        assert {fast.space.name(action) for action in fast.legal(seat)} == choices
    assert [PLACES[where] for where in fast.place] == [piece.where for piece in slow.pieces]
    assert fast.measure.pieces() == tuple(sorted(slow.site.poses))
    assert fast.certificates == [player.certificates for player in slow.players]
    assert fast.awards == [player.awards for player in slow.players]
    assert fast.hands == [sorted(slow.number[card.id] for card in player.hand) for player in slow.players]
    assert [OWN.ids[card] for card in fast.discard] == [card.id for card in slow.discard]
    assert [OWN.ids[card] for card in fast.stack] == [card.id for card in slow.seen]
    assert [OWN.ids[card] for card in fast.rest] == [card.id for card in slow.hidden]
    assert fast.rita_active == slow.rita_here
    assert {slow.pieces[p] for p in fast.held} == set(slow.hand)
    if fast.phase == BUILD:
        assert {slow.pieces[p] for p in fast.placed} == slow.placed
        assert (fast.step, fast.attempts) == (slow.step, slow.tries)
        assert set(lacking(fast.verdict())) == slow.reasons()
    if fast.phase > CRANE_STANDING and not fast.over():
        assert {slow.pieces[p] for p in fast.fallen} == slow.fallen
    if fast.over():
        assert {rank.seat: rank.place for rank in fast.standing().ranks} == slow.places()


def play_both(players: int, options: dict[str, str], dice: Dice, lean: str, rng: Random) -> int:
    """Plays a game on both; the number of decisions."""
    slow = SlowMenAtWork(players, options, cards.OWN, dice.clone())
    fast = rules.start(players, dice, options, OWN)
    game = slow.game()
    waiting: tuple[int, set[str]] | None = next(game)
    compare(fast, slow, waiting)
    decided = 0
    while fast.deciders():
        action = LEANS[lean](fast, fast.hook, fast.legal(fast.hook), rng)
        outcome = measured(fast, action, rng)
        text = None if outcome is None else outcome.encode()
        fast.play(fast.hook, action, text)
        try:
            waiting = game.send((fast.space.name(action), text))
        except StopIteration:
            waiting = None
        compare(fast, slow, waiting)
        decided += 1
    return decided


def random_options(rng: Random, players: int) -> dict[str, str]:
    chosen = {option.id: rng.choice(option.values) for option in GAME.options}
    seats = [str(seat) for seat in range(players)]
    chosen["youngest"] = rng.choice(seats)
    chosen["expert"] = rng.choice(["none", "all", *seats, "+".join(seats[:2])])
    return chosen


def usual() -> dict[str, str]:
    return {option.id: option.default for option in GAME.options}


@pytest.mark.parametrize("players", GAME.player_counts)
def test_same_decisions_same_game(players: int) -> None:
    rng = Random(players)
    for n, lean in enumerate(sorted(LEANS)):
        dice: Dice = SealedDice(rng.randbytes(32)) if n == 0 else FastDice(rng.getrandbits(60))
        assert play_both(players, random_options(rng, players) if n else usual(), dice, lean, rng) > 20


@pytest.mark.slow
@pytest.mark.parametrize("players", GAME.player_counts)
def test_same_decisions_same_game_many_times(players: int) -> None:
    rng = Random(100 + players)
    for n in range(40):
        dice: Dice = SealedDice(rng.randbytes(32)) if n % 7 == 0 else FastDice(rng.getrandbits(60))
        play_both(players, random_options(rng, players), dice, rng.choice(sorted(LEANS)), rng)
