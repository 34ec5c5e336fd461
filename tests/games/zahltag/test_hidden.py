"""Hidden information (ZT-I8): what a seat may not know reaches it on no way."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shopfloor.engine.dice import FastDice
from shopfloor.engine.events import Event
from shopfloor.engine.views import canonical
from shopfloor.games.zahltag import rules
from shopfloor.games.zahltag.actions import NO_BID
from tests.games.zahltag.leaning import LEANS
from tests.games.zahltag.table import A, B, C, D, bids, check_conservation, on_offer, play, seen, table, turn_up
from tests.games.zahltag.test_properties import GAMES, begin
from tests.playing import decisions


def twin(s: rules.Zahltag, viewer: int | None, rng: Random, luck: bool) -> rules.Zahltag:
    """A state that differs from `s` in what `viewer` (None: a spectator) may not know, and in nothing else.

    Hands of others are swapped card by card where nothing public tells them apart; their sealed choices are others.
    With `luck`, the dice and the order of the job stack too.
    """
    t = s.clone()
    t.listen()
    if luck:
        t.dice = FastDice(rng.getrandbits(40))
        rng.shuffle(t.job_deck)
    if s.over():
        return t
    others = [seat for seat in range(s.players) if s.active >> seat & 1 and seat != viewer]
    for _ in range(12 if len(others) > 1 else 0):
        x, y = rng.sample(others, 2)
        loose = [[u for u in range(4) if t.hand[4 * seat + u] > t.known[4 * seat + u]] for seat in (x, y)]
        if loose[0] and loose[1]:
            a, b = rng.choice(loose[0]), rng.choice(loose[1])
            for seat, given, taken in ((x, a, b), (y, b, a)):
                t.hand[4 * seat + given] -= 1
                t.hand[4 * seat + taken] += 1
    if t.phase == rules.BIDDING:
        t._find_able()
        for seat in others:
            if t.sealed[seat] != rules.NOT_CHOSEN:
                t.sealed[seat] = rng.choice([NO_BID, *range(NO_BID, t.space.size)]) if t.able >> seat & 1 else NO_BID
    check_conservation(t)
    return t


def told(events: list[Event], viewer: int | None) -> list[Event]:
    return [event for event in events if event.concerns(viewer)]


@pytest.mark.rule("ZT-I8", "ZT-2.1", "ZT-8.1", "ZT-A18", "ZT-A10")
@settings(max_examples=120)
@given(**GAMES, stop=st.integers(0, 140), eye=st.integers(-1, 3))
def test_states_that_differ_only_in_secrets_look_the_same(
    players: int, seed: int, lean: str, chosen: dict[str, str], stop: int, eye: int
) -> None:
    viewer = None if eye < 0 else eye % players
    rng = Random(seed)
    s = begin(players, seed, chosen)
    for _ in decisions(s, rng, LEANS[lean], stop):
        pass
    s.drain()
    t = twin(s, viewer, rng, luck=True)
    assert canonical(seen(t, viewer)) == canonical(seen(s, viewer))
    # Whatever is decided next, both tell the viewer the same, until a card is turned over or offers are opened.
    learned = s.revelations
    while s.deciders():
        seat = viewer if viewer in s.deciders() else s.deciders()[0]
        assert seat is not None
        if seat == viewer:
            assert s.legal(seat) == t.legal(seat)
            for action in range(-1, s.space.size + 1):
                assert s.refusal(seat, action) == t.refusal(seat, action)
        common = sorted(set(s.legal(seat)) & set(t.legal(seat)))
        if not common:
            return
        action = rng.choice(common)
        s.play(seat, action)
        t.play(seat, action)
        assert s.revelations == t.revelations
        if s.revelations > learned:
            return
        assert told(s.drain(), viewer) == told(t.drain(), viewer)
        assert canonical(seen(t, viewer)) == canonical(seen(s, viewer))


@pytest.mark.rule("ZT-I8", "ZT-9.1", "ZT-A18")
@settings(max_examples=60)
@given(**GAMES, stop=st.integers(0, 140), eye=st.integers(-1, 3))
def test_hands_that_could_be_swapped_stay_hidden_for_as_long_as_nothing_shows_them(
    players: int, seed: int, lean: str, chosen: dict[str, str], stop: int, eye: int
) -> None:
    """The same luck and decisions on both sides, over reveals, opened offers and Paydays."""
    viewer = None if eye < 0 else eye % players
    rng = Random(seed)
    s = begin(players, seed, chosen)
    for _ in decisions(s, rng, LEANS[lean], stop):
        pass
    if any(choice != rules.NOT_CHOSEN for choice in s.sealed):
        return
    s.drain()
    t = twin(s, viewer, rng, luck=False)
    while s.deciders():
        seat = rng.choice(s.deciders())
        common = sorted(set(s.legal(seat)) & set(t.legal(seat)))
        if not common:
            return
        action = rng.choice(common)
        s.play(seat, action)
        t.play(seat, action)
        if s.over() or any(event.kind == "eliminated" for event in s.events or []):
            return  # an eliminated hand goes openly to the stacks
        assert told(s.drain(), viewer) == told(t.drain(), viewer)
        assert canonical(seen(t, viewer)) == canonical(seen(s, viewer))


@pytest.mark.rule("ZT-I8")
def test_twins_are_worth_their_name() -> None:
    """The property above looks at states that do differ, often enough, in each of the secrets."""
    different: Counter[str] = Counter()
    for seed in range(200):
        rng = Random(seed)
        s = begin(rng.randint(2, 4), seed, {})
        for _ in decisions(s, rng, LEANS["all_bid"], rng.randint(0, 120)):
            pass
        t = twin(s, A, rng, luck=True)
        different["hands"] += t.hand != s.hand
        different["own view of it"] += any(
            canonical(seen(t, seat)) != canonical(seen(s, seat)) for seat in range(1, s.players)
        )
        different["sealed"] += t.sealed != s.sealed
        different["deck"] += t.job_deck != s.job_deck
        if s.players == 2:
            assert t.hand == s.hand
    assert different["hands"] > 60
    assert different["own view of it"] > 60
    assert different["sealed"] > 20
    assert different["deck"] > 100


@pytest.mark.rule("ZT-I8", "ZT-A18")
@settings(max_examples=40)
@given(**GAMES)
def test_imagined_states_cannot_be_told_from_the_real_one(
    players: int, seed: int, lean: str, chosen: dict[str, str]
) -> None:
    rng = Random(seed)
    s = begin(players, seed, chosen)
    for n, _ in enumerate(decisions(s, rng, LEANS[lean])):
        if n % 7:
            continue
        for seat in range(players):
            before = s.encode()
            imagined = s.imagine(seat, FastDice(rng.getrandbits(40)))
            assert s.encode() == before
            assert canonical(seen(imagined, seat)) == canonical(seen(s, seat))
            assert imagined.known == s.known
            check_conservation(imagined)
            assert imagined.events is None
            for other in range(players):  # what lies face down could have been played
                if imagined.sealed[other] > NO_BID:
                    assert imagined.able >> other & 1
    last = s.imagine(0, FastDice(1))
    assert canonical(seen(last, 0)) == canonical(seen(s, 0))


@pytest.mark.rule("ZT-I8")
def test_an_imagined_game_can_be_played_to_its_end() -> None:
    for seed in range(40):
        rng = Random(seed)
        s = begin(rng.randint(2, 4), seed, {})
        for _ in decisions(s, rng, most=rng.randint(0, 100)):
            pass
        t = s.imagine(rng.randrange(s.players), FastDice(seed))
        for _ in decisions(t, rng):
            check_conservation(t)
        assert t.over()


@pytest.mark.rule("ZT-I8", "ZT-A18")
def test_imagination_covers_what_is_possible_and_keeps_what_is_known() -> None:
    s = table("F1", "W1 C2", "E3", turn_of=B)
    turn_up(s, 5)
    play(s, B, "exchange crane foreman")  # all have seen the Foreman, and that it is now in B's hand
    bids(s, "00", "00", "00")
    assert seen(s, A).seats[B].known == (1, 0, 0, 0)
    hands = Counter(tuple(s.imagine(A, FastDice(seed)).hand[4:8]) for seed in range(2000))
    # B's two other cards are any two of W, C, E, E, E.
    expected = {(1, 1, 1, 0): 0.1, (1, 1, 0, 1): 0.3, (1, 0, 1, 1): 0.3, (1, 0, 0, 2): 0.3}
    assert hands.keys() == expected.keys()
    for counts, share in expected.items():
        assert hands[counts] / 2000 == pytest.approx(share, abs=0.05)


@pytest.mark.rule("ZT-I8", "ZT-8.1")
def test_imagined_sealed_choices_fit_the_imagined_hands() -> None:
    s = on_offer(0, "F1 W1", "F1 C1", "W1 E1", "E2")
    play(s, B, "00")
    play(s, C, "00")
    play(s, D, "00")
    able: Counter[tuple[bool, bool]] = Counter()
    for seed in range(500):
        t = s.imagine(A, FastDice(seed))
        able[(bool(t.able & 2), t.sealed[B] != NO_BID)] += 1
    assert able[(False, True)] == 0
    assert able[(True, True)] > 10  # one deal in 15
    assert able[(False, False)] > 100


@pytest.mark.rule("ZT-8.3", "ZT-A10")
def test_an_opened_bid_shows_that_the_workers_were_there() -> None:
    s = on_offer(0, "F2 W2 C1", "F1 W2", "E2", turn_of=C)
    bids(s, "7", "3", "00")
    view = seen(s, C)
    assert view.seats[A].known == (1, 1, 0, 0)  # bid, but did not win
    assert view.seats[B].known == (0, 0, 0, 0)  # what it had to have lies on the table now
    imagined = {tuple(s.imagine(C, FastDice(seed)).hand[0:3]) for seed in range(100)}
    assert imagined == {(2, 2, 1), (2, 3, 0), (1, 3, 1)}  # all that A may hold, F1 W1 among it


@pytest.mark.rule("ZT-I8")
def test_private_facts_only_in_events_with_an_audience() -> None:
    private = {"hand_dealt": "workers", "offer_chosen": "bid"}
    for seed in range(10):
        s = begin(3, seed, {})
        for _ in decisions(s, Random(seed)):
            pass
        for event in s.drain():
            if event.kind in private:
                assert event.audience == (event.facts["seat"],)
            else:
                assert event.audience is None


def test_reopening_takes_sealed_choices_back() -> None:
    s = on_offer(0, "F1 W1", "F1 W1", "E2")
    play(s, A, "bid 3")
    t = s.clone()
    t.reopen()
    assert (t.deciders(), t.sealed) == ((A, B, C), [rules.NOT_CHOSEN] * 3)
    assert s.deciders() == (B, C)
    other = table("F1", "W1")
    before = other.encode()
    other.reopen()
    assert other.encode() == before
