"""The fast rules of Worker Placement against the slow ones: same decisions and draws, same positions."""

import csv
from collections import Counter
from collections.abc import Iterable, Mapping
from random import Random
from typing import Any, Final

import pytest

from shopfloor.engine.dice import Dice, FastDice, SealedDice
from shopfloor.engine.events import Event
from shopfloor.games.worker_placement import GAME, cards, rules
from shopfloor.games.worker_placement.actions import Building
from shopfloor.games.worker_placement.position import NONE
from tests.games.worker_placement.leaning import LEANS
from tests.games.worker_placement.table import CARDS, EFFECTS, OWN, script
from tests.oracle.worker_placement_slow import HOUSES, SKILLS, Card, Job, Kind, SlowPlacement, Told

Box = tuple[cards.Cards, list[Card], list[Job]]
COLUMNS: Final = (*SKILLS, "wild")


def box(edition: cards.Cards, effects: Mapping[str, str]) -> Box:
    """An edition for both: for the slow rules, what the cards do is read from the text printed on them."""
    business = [
        Card(
            number,
            name,
            Kind(cards.KINDS[edition.kinds[number]]),
            _counted(edition.card_skills(number)),
            tuple(tuple(step.split()) for step in effects.get(name, "").split(";") if step.strip()),
            edition.at_end[number],
        )
        for number, name in enumerate(edition.business_ids)
    ]
    jobs = [
        Job(n, name, _counted(edition.job_needs(n)), edition.job_cash[n], edition.job_thumbs[n])
        for n, name in enumerate(edition.job_ids)
    ]
    return edition, business, jobs


def _counted(counts: Iterable[int]) -> tuple[tuple[str, int], ...]:
    return tuple((skill, n) for skill, n in zip(COLUMNS, counts, strict=True) if n)


def printed() -> dict[str, str]:
    with (cards.OWN / "management.csv").open(encoding="utf-8") as file:
        return {row["id"]: row["effect"] for row in csv.DictReader(file)}


LONG: Final = EFFECTS | {
    "M01": "claim_order 2; gain_thumbs 1",
    "M02": "pay_thumbs 1; steal_cash 2 target; steal_card 2 random target",
    "M03": "draw 1; fill_job preview; gain_cash 1",
    "M06": "gain_cubes 9 any",
    "M08": "claim_order 2; draw 1",
    "M09": "refresh_jobs 2; refresh_jobs 1; fill_job preview",
    "M11": "free_placement round; recall_meeple 1",
    "M12": "pay_cash 1; recall_meeple 3; draw 2",
    "M13": "steal_cubes 2 each; lose_thumbs 1 target",
}


def _long() -> cards.Cards:
    """The tests' edition with longer cards."""
    scripts = tuple(script(LONG[name]) if name in LONG else () for name in OWN.business_ids)
    return cards.fixture(**{name: getattr(CARDS, name) for name in CARDS.__dataclass_fields__} | {"scripts": scripts})


BOXES: Final = (box(OWN, printed()), box(CARDS, EFFECTS), box(_long(), LONG))


def tell(told: Told, events: Iterable[Event], fast: rules.WorkerPlacement) -> None:
    """What came up, from the events of the fast rules."""
    for event in events:
        facts: dict[str, Any] = event.facts
        if event.kind == "order_dealt":
            told.orders.append(facts["cards"])
        elif event.kind in ("hand_dealt", "draft_dealt", "cards_seen"):
            told.deals.append(facts["cards"])
        elif event.kind == "network_dealt":  # nobody sees this one, but it lies there
            told.deals.append([fast.network[fast.network_of.index(NONE)]])
        elif event.kind == "jobs_revealed":
            told.jobs.append(facts["jobs"])
        elif event.kind == "preview_turned":
            told.previews.append(facts["job"])
        elif event.kind == "auction_opened":
            told.auctions.append(facts["cards"])
        elif event.kind == "card_taken":
            told.stolen.append(facts["card"])
        elif event.kind == "job_filled":
            told.payments.append((facts["cards"], facts["cubes"]))


def same(pile: Iterable[int], slow: Iterable[Card | Job]) -> bool:
    return Counter(pile) == Counter(thing.number for thing in slow)


def compare(fast: rules.WorkerPlacement, slow: SlowPlacement, waiting: Mapping[int, set[str]]) -> None:
    assert fast.over() == slow.over == (not waiting)
    assert set(fast.deciders()) == set(waiting)
    for seat, choices in waiting.items():
        assert {fast.space.name(action) for action in fast.legal(seat)} == choices
        assert len(fast.legal(seat)) == len(choices)
    assert fast.round_no == slow.round
    assert fast.order == [player.seat for player in slow.order]
    assert same(fast.deck, slow.deck)
    assert same(fast.discards, slow.discards)
    assert same(fast.network, slow.network)
    assert same(fast.auction, slow.auction)
    assert fast.spaces == [slow.spaces[n].seat if n in slow.spaces else NONE for n in range(8)]
    assert fast.jobs == [job.number for job in slow.open_jobs]
    assert fast.preview == (NONE if slow.preview is None else slow.preview.number)
    assert same(fast.job_deck, slow.hidden_jobs)
    assert fast.job_under == [job.number for job in slow.jobs_below]
    assert fast.supply == [slow.supply[skill] for skill in SKILLS]
    for player in slow.players:
        seat = player.seat
        assert (fast.cash[seat], fast.thumbs[seat]) == (player.cash, player.thumbs)
        assert (fast.reserve[seat], fast.on_track[seat], fast.idle[seat]) == (
            player.reserve,
            player.on_track,
            player.idle,
        )
        assert fast.cubes[4 * seat : 4 * seat + 4] == [player.cubes[skill] for skill in SKILLS]
        assert same(fast.hand[seat], player.hand)
        assert fast.filled[seat] == [job.number for job in player.jobs]
        assert fast.claims[seat] == player.claim
        for house in HOUSES:
            building = Building[house.upper()]
            assert fast.at[5 * building + seat] == slow.standing[house].count(player)
    if slow.over:
        assert [rank.seat for rank in fast.standing().ranks] == slow.ranking()


def play_both(players: int, chosen: dict[str, str], boxed: Box, dice: Dice, lean: str, rng: Random) -> int:
    """Plays a game on both; the number of decisions."""
    edition, business, jobs = boxed
    fast = rules.start(players, dice, chosen, edition, report=True)
    told = Told()
    tell(told, fast.drain(), fast)
    slow = SlowPlacement(players, chosen, business, jobs, told)
    game = slow.game()
    waiting = next(game)
    compare(fast, slow, waiting)
    decided = 0
    while fast.deciders():
        seat = rng.choice(fast.deciders())
        action = LEANS[lean](fast, seat, fast.legal(seat), rng)
        name = fast.space.name(action)
        fast.play(seat, action)
        tell(told, fast.drain(), fast)
        try:
            waiting = game.send((seat, name))
        except StopIteration:
            waiting = {}
        assert told.all_used()
        compare(fast, slow, waiting)
        decided += 1
    return decided


def random_options(rng: Random) -> dict[str, str]:
    """All options at random; mostly short games."""
    chosen = {option.id: rng.choice(option.values) for option in GAME.options}
    return chosen | {"rounds": rng.choice(("5", "5", "8", "12"))}


@pytest.mark.parametrize("players", GAME.player_counts)
def test_same_decisions_same_game(players: int) -> None:
    rng = Random(players)
    for n, lean in enumerate(sorted(LEANS)):
        usual = {option.id: option.default for option in GAME.options} | {"rounds": "5"}
        chosen = random_options(rng) if n else usual
        dice: Dice = SealedDice(rng.randbytes(32)) if n == 0 else FastDice(rng.getrandbits(60))
        assert play_both(players, chosen, BOXES[n % 3], dice, lean, rng) > 40


@pytest.mark.slow
@pytest.mark.parametrize("players", GAME.player_counts)
def test_same_decisions_same_game_many_times(players: int) -> None:
    rng = Random(100 + players)
    for n in range(30):
        dice: Dice = SealedDice(rng.randbytes(32)) if n % 7 == 0 else FastDice(rng.getrandbits(60))
        play_both(players, random_options(rng), rng.choice(BOXES), dice, rng.choice(sorted(LEANS)), rng)
