"""Hidden information (WW-I.16): what a seat may not know reaches it on no way."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shopfloor.engine.dice import FastDice
from shopfloor.engine.events import Event
from shopfloor.engine.views import canonical
from shopfloor.games.workshop_of_the_world.rules import Workshop
from shopfloor.games.workshop_of_the_world.rules import position as at
from tests.games.workshop_of_the_world.leaning import LEANS
from tests.games.workshop_of_the_world.table import A, B, C, check_conservation, new_game, play, refused, seen, table
from tests.games.workshop_of_the_world.test_properties import GAMES, begin
from tests.playing import decisions


def twin(s: Workshop, viewer: int | None, rng: Random) -> Workshop:
    """A state that differs from `s` in what `viewer` (None: a spectator) may not know, and in nothing else.

    Counters of others are swapped among them and with the pool, cards never seen change places, what lies sealed is
    something else, and the dice are others.
    """
    t = s.clone()
    t.listen()
    t.dice = FastDice(rng.getrandbits(40))
    rng.shuffle(t.unseen)
    rng.shuffle(t.setup_left)
    if s.over():
        return t
    others = [seat for seat in range(s.players) if seat != viewer]
    loose = [u for u in range(5) for _ in range(t.pool[u] + sum(t.counters[5 * seat + u] for seat in others))]
    rng.shuffle(loose)
    for seat in others:
        held = s.held_counters(seat)
        mine = Counter(loose[:held])
        loose = loose[held:]
        t.counters[5 * seat : 5 * seat + 5] = [mine[u] for u in range(5)]
    t.pool = [loose.count(u) for u in range(5)]
    for seat in others:
        if t.sealed[seat] != at.NONE:
            choices = [a for a in t.choices(seat) if not 30 <= a < 129]
            t.sealed[seat] = rng.choice(choices)
    check_conservation(t)
    return t


def told(events: list[Event], viewer: int | None) -> list[Event]:
    return [event for event in events if event.concerns(viewer)]


@pytest.mark.rule("WW-I.16", "WW-S.31", "WW-S.32", "WW-S.33", "WW-S.34", "WW-20.1")
@settings(max_examples=60, deadline=None)
@given(**GAMES, stop=st.integers(0, 420), eye=st.integers(-1, 4))
def test_states_that_differ_only_in_secrets_look_the_same(
    players: int, seed: int, lean: str, chosen: dict[str, str], stop: int, eye: int
) -> None:
    viewer = None if eye < 0 else eye % players
    rng = Random(seed)
    s = begin(players, seed, chosen)
    for _ in decisions(s, rng, LEANS[lean], stop):
        pass
    s.drain()
    t = twin(s, viewer, rng)
    assert canonical(seen(t, viewer)) == canonical(seen(s, viewer))
    # Whatever is decided next, both tell the viewer the same, until something hidden comes to light.
    learned = s.revelations
    for _ in range(25):
        if not s.deciders():
            return
        seat = viewer if viewer in s.deciders() else s.deciders()[0]
        assert seat is not None
        if seat == viewer:
            assert s.legal(seat) == t.legal(seat)
            for action in range(-1, s.space.size + 1, 7):
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


@pytest.mark.rule("WW-A.46", "WW-20.1", "WW-D.6", "WW-I.16")
def test_cash_is_a_secret_that_can_be_worked_out() -> None:
    s = table()
    before = canonical(seen(s, A))
    assert [seat.cash for seat in seen(s, A).seats] == [50, None, None, None]
    assert [seat.cash for seat in seen(s, None).seats] == [None] * 4
    s.cash[B] += 7
    assert canonical(seen(s, A)) == before
    assert canonical(seen(s, B)) != before
    assert s.imagine(A, FastDice(1)).cash == s.cash  # the public events fix it
    s = table(cash_visible="on")
    assert [seat.cash for seat in seen(s, None).seats] == [50] * 4


@pytest.mark.rule("WW-S.32", "WW-I.16")
def test_only_the_owner_sees_the_bid_ceiling() -> None:
    s = table(order=[C, A, B, 3])
    play(s, C, "auction k01")
    play(s, 3, "pass")
    mine, other = seen(s, A), seen(s, B)
    assert (mine.most, mine.legal) == (50, s.legal(A))
    assert (other.most, other.legal, other.amounts) == (50, (), ())
    assert refused(s, B, "bid 3", "NOT_YOUR_DECISION") == {"seat": B, "deciders": [A]}


@pytest.mark.rule("WW-I.16")
@settings(max_examples=15, deadline=None)
@given(**GAMES)
def test_imagined_states_cannot_be_told_from_the_real_one(
    players: int, seed: int, lean: str, chosen: dict[str, str]
) -> None:
    rng = Random(seed)
    s = begin(players, seed, chosen)
    for n, _ in enumerate(decisions(s, rng, LEANS[lean])):
        if n % 31:
            continue
        for seat in range(players):
            before = s.encode()
            imagined = s.imagine(seat, FastDice(rng.getrandbits(40)))
            assert s.encode() == before
            assert canonical(seen(imagined, seat)) == canonical(seen(s, seat))
            assert imagined.cash == s.cash
            check_conservation(imagined)
            assert imagined.events is None
    assert canonical(seen(s.imagine(0, FastDice(1)), 0)) == canonical(seen(s, 0))


@pytest.mark.rule("WW-I.16", "WW-S.33")
def test_imagination_covers_what_is_possible() -> None:
    s = table(3)
    s.counters = [0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0]
    s.pool = [1, 0, 0, 1, 0]  # of the rest B and C hold one each: Textile, Textile, Port and Port in all
    s.demand = [3, 4, 5, 3, 5]
    hands = Counter(tuple(s.imagine(A, FastDice(seed)).counters[5:]) for seed in range(3000))
    textile, port = (1, 0, 0, 0, 0), (0, 0, 0, 1, 0)
    expected = {textile + textile: 1 / 6, textile + port: 1 / 3, port + textile: 1 / 3, port + port: 1 / 6}
    assert hands.keys() == expected.keys()
    for held, share in expected.items():
        assert hands[held] / 3000 == pytest.approx(share, abs=0.04)


@pytest.mark.rule("WW-S.34", "WW-I.16")
def test_imagined_fists_are_of_all_kinds() -> None:
    s = table(2, cash=[3, 100])
    play(s, 0, "fist 2 b")
    kinds = {s.imagine(1, FastDice(seed)).sealed[0] for seed in range(300)}
    assert kinds == {s.space.parse(f"fist {n} {which}") for n in (1, 2, 3) for which in "ab"}
    assert {s.imagine(0, FastDice(seed)).sealed[0] for seed in range(20)} == {s.space.parse("fist 2 b")}


@pytest.mark.rule("WW-S.33", "WW-I.16")
def test_the_deck_and_the_set_aside_cards_are_told_apart_by_nobody() -> None:
    s = new_game(4, 5)
    for _ in decisions(s, Random(5), most=200):
        pass
    view = seen(s, 0)
    assert len(view.unseen) == s.deck_size + s.aside_size
    assert not hasattr(view, "set_aside")


@pytest.mark.rule("WW-S.32", "WW-I.16")
def test_private_facts_only_in_events_with_an_audience() -> None:
    private = {"counters_drawn", "counters_chosen", "fist_chosen"}
    for players in (2, 4):
        s = begin(players, players, {})
        for _ in decisions(s, Random(players)):
            pass
        events = s.drain()
        for event in events:
            if event.kind in private:
                assert event.audience == (event.facts["seat"],)
            else:
                assert event.audience is None
        assert {event.kind for event in events} & private
