"""The judgement prefers what a sensible player would, and its values are shares."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from shopfloor.engine.dice import FastDice
from shopfloor.games.zahltag import judgement, rules
from shopfloor.games.zahltag.actions import BID
from shopfloor.games.zahltag.judgement import bid_values
from shopfloor.games.zahltag.rules import BIDDING, EXCESS, Zahltag
from tests.conformance.cases import Case, all_cases
from tests.games.zahltag.table import J1, A, B, bids, on_offer, options, play, table
from tests.playing import decisions

CASES = [case for case in all_cases() if case.game.id == "zahltag"]
OFFERS = (1, 2, 3, 4, 5, 6, 7, 8)


def rating(state: Zahltag, seat: int, action: str) -> float:
    return judgement.rate(state, seat)[state.legal(seat).index(state.space.parse(action))]


def best(state: Zahltag, seat: int) -> str:
    """The name of the best rated action."""
    ratings = judgement.rate(state, seat)
    return state.space.name(state.legal(seat)[max(range(len(ratings)), key=ratings.__getitem__)])


@pytest.mark.parametrize("case", CASES, ids=str)
def test_values_are_shares_and_ratings_fit_the_legal_actions(case: Case) -> None:
    s = case.start(2, report=False)
    assert isinstance(s, Zahltag)
    phases = set()
    for _ in decisions(s, Random(2)):
        phases.add(s.phase)
        values = judgement.value(s)
        assert sum(values) == pytest.approx(1.0)
        assert min(values) >= 0.0
        for seat in case.seats:
            assert len(judgement.rate(s, seat)) == len(s.legal(seat))
            if not s.active >> seat & 1 and not s.over():
                assert values[seat] == 0.0
    assert phases >= {rules.ADJUST_START, rules.ADJUST_WORKERS, BIDDING}
    assert judgement.value(s) == s.returns()


def test_values_know_who_is_ahead() -> None:
    even = judgement.value(table("F2 W3 C1 E1", "F2 W3 C1 E1"))
    assert even[A] == pytest.approx(0.5, abs=0.1)
    ahead = judgement.value(table("F2 W3 C1 E1", "F2 W3 C1 E1", money=(30, 15)))
    assert ahead[A] > even[A] + 0.1
    # The same lead means more the closer the end.
    late = judgement.value(table("F2 W3 C1 E1", "F2 W3 C1 E1", money=(30, 15), executed=4, deck=[30, 31]))
    assert late[A] > ahead[A]


def test_judging_changes_nothing() -> None:
    for s in (table("F3 W2", "C4", "E5"), on_offer(J1, "F1 W1", "F1 W2", "C2")):
        before = s.encode()
        judgement.value(s)
        for seat in s.deciders():
            judgement.rate(s, seat)
        assert s.encode() == before


def test_who_alone_can_do_the_job_asks_for_all() -> None:
    assert best(on_offer(J1, "F2 W2", "C2 E1"), A) == "bid 8"
    assert best(on_offer(J1, "F2 W2", "C2 E1", "C1 E3", "E2"), A) == "bid 8"


def test_rivals_bring_the_price_down() -> None:
    state = on_offer(J1, "F2 W2", "F2 W2", "F1 W2", "F1 W1 C1")
    assert best(state, A) in ("bid 1", "bid 2", "bid 3", "bid 4", "bid 5")
    assert rating(state, A, "bid 8") < rating(state, A, best(state, A)) - 0.5


@pytest.mark.rule("ZT-A9")
def test_a_tie_that_cannot_be_paid_is_shunned() -> None:
    hands = ("F3 W3", "F1 W1")
    poor = on_offer(J1, *hands, money=(0, 20))
    saved = on_offer(J1, *hands, money=(0, 20), tie_debt="floor")
    assert rating(poor, A, "bid 1") < rating(saved, A, "bid 1") - 0.5
    assert rating(poor, A, "bid 3") == pytest.approx(rating(saved, A, "bid 3"))


@pytest.mark.rule("ZT-9.5")
def test_a_payday_that_cannot_be_paid_is_shunned() -> None:
    # The Payday is sure to come; A has 8 cards and money for 2 more than the 5 of B.
    hands = ("F2 W2 C2 E2", "F2 W2 C1")
    poor = table(*hands, money=(2, 20), row=8)
    rich = table(*hands, money=(20, 20), row=8)
    saves = rating(poor, A, "discard crane") - rating(poor, A, "pass")
    assert saves > rating(rich, A, "discard crane") - rating(rich, A, "pass") + 10


def test_a_sure_payday_makes_cards_dear() -> None:
    # In the last turn a card only costs.
    last = table("F2 W6 C1 E1", "F2 W3", "F1 W2 C1", row=9, executed=4)
    assert best(last, A).startswith("discard")
    assert rating(last, A, best(last, A)) == pytest.approx(rating(last, A, "pass") + 1.0)
    assert rating(last, A, "add crane") < rating(last, A, "pass")


@pytest.mark.rule("ZT-A13")
def test_a_thirteenth_card_is_paid_for() -> None:
    twelve = "F3 W3 C3 E3"
    s = table(twelve, "F2 W2", "C2", card_cap="penalty")
    assert best(s, A) != "add foreman"
    assert rating(s, A, "add foreman") < rating(s, A, "pass")
    poor = table(twelve, "F2 W2", "C2", card_cap="penalty", money=(1, 20, 20))
    assert rating(poor, A, "add foreman") < rating(s, A, "add foreman") - 5
    play(s, A, "add foreman")
    assert s.phase == EXCESS
    assert len(judgement.rate(s, A)) == 4


def enumerated(worth: float, rivals: list[tuple[tuple[float, ...], float]], envy: float, money: int) -> list[float]:
    """`bid_values` by going through all that the rivals may choose, with the rules read aloud."""
    values = []
    for mine in range(len(OFFERS) + 1):
        total = 0.0
        for theirs in product(range(len(OFFERS) + 1), repeat=len(rivals)):
            chance = 1.0
            for (choices, _), choice in zip(rivals, theirs, strict=True):
                chance *= choices[choice]
            all_choices = (mine, *theirs)
            offered = [choice for choice in all_choices if choice]
            if not offered or chance == 0.0:
                continue
            lowest = min(offered)
            winners = [i for i, choice in enumerate(all_choices) if choice == lowest]
            payout = OFFERS[lowest - 1] - (2 if len(winners) > 1 else 0)
            for i in winners:
                if i:
                    total -= chance * envy * (payout + rivals[i - 1][1])
                elif money + payout < 0:
                    total -= chance * judgement.RUIN
                else:
                    total += chance * (payout + worth)
        values.append(total)
    return values


@pytest.mark.rule("ZT-8.4", "ZT-8.6", "ZT-8.7")
@pytest.mark.parametrize("count", [0, 1, 2, 3])
@pytest.mark.parametrize("money", [0, 20])
def test_bids_are_valued_as_if_all_were_tried(count: int, money: int) -> None:
    dice = FastDice(count)
    rivals = []
    for _ in range(count):
        odds = [dice.below(10) * dice.below(2) for _ in range(len(OFFERS) + 1)]
        rivals.append((tuple(x / (sum(odds) or 1) for x in odds), dice.below(9) / 2 - 2))
    found = bid_values(OFFERS, 0.7, rivals, 0.4, money)
    assert found == pytest.approx(enumerated(0.7, rivals, 0.4, money))


def test_habits_are_chances_and_nobody_gives_jobs_away_alone() -> None:
    for rivals, chance, worth in product((1, 2, 3), (0, 4, 8), (-4, 0, 4)):
        habits = judgement._habits(OFFERS, rivals, chance, worth)
        assert sum(habits) == pytest.approx(1.0)
        assert min(habits) >= 0.0
    # Where nobody else can do it, 8 is asked; where all can, the price falls.
    assert max(judgement._habits(OFFERS, 3, 0, 0)) == judgement._habits(OFFERS, 3, 0, 0)[-1]
    dear = sum(i * p for i, p in enumerate(judgement._habits(OFFERS, 3, 1, 0)))
    cheap = sum(i * p for i, p in enumerate(judgement._habits(OFFERS, 3, 8, 0)))
    assert cheap < dear - 1


@pytest.mark.rule("ZT-A10", "ZT-A18")
def test_chances_of_the_others_come_from_what_is_open() -> None:
    s = on_offer(J1, "F2 W2", "F1 C3", "W1 E3")
    chances = judgement.able_chances(s)
    assert all(0.0 < chance < 1.0 for chance in chances)
    # Hands that hold the same number of cards, nothing of them known, are the same to everybody.
    assert chances[B] == chances[A] == chances[2]
    bids(s, "8", "00", "00")
    s.job = J1  # once more: the bid has shown a Foreman and a Worker, which lie on the table now
    assert judgement.able_chances(s)[A] < chances[A]
    two = on_offer(J1, "F2 W2", "C4")
    assert judgement.able_chances(two) == [1.0, 0.0]


def test_the_ids_of_bids_are_those_of_the_edition() -> None:
    s = on_offer(J1, "F2 W2", "C1")
    assert len(judgement.rate(s, A)) == 1 + len(s.offers) == len(s.legal(A))
    assert s.legal(A)[1] == BID
    assert options()["tie_debt"] == "eliminate"
