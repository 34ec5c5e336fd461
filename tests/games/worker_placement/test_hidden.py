"""Hidden information (WP-I9): what a seat may not know reaches it on no way, and what it knows is kept."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shopfloor.engine.dice import FastDice
from shopfloor.engine.events import Event
from shopfloor.engine.views import canonical
from shopfloor.games.worker_placement import draft
from shopfloor.games.worker_placement.position import DRAFT_CHOOSE, HAND_LIMIT, NONE
from shopfloor.games.worker_placement.rules import WorkerPlacement
from tests.games.worker_placement.leaning import LEANS
from tests.games.worker_placement.table import (
    A,
    B,
    C,
    at_auction,
    card,
    check_conservation,
    hand,
    ids,
    job_ids,
    new_game,
    numbers,
    play,
    seen,
    table,
)
from tests.games.worker_placement.test_properties import GAMES, begin
from tests.playing import decisions


def told(events: list[Event], viewer: int | None) -> list[Event]:
    return [event for event in events if event.concerns(viewer)]


def swapped(s: WorkerPlacement, viewer: int | None, rng: Random) -> WorkerPlacement:
    """A state that differs from `s` in what `viewer` (None: a spectator) may not know, and in nothing else.

    Made without any of the bookkeeping of who knows what: cards are exchanged between the hands of others and the
    draw pile where nobody but their owners has ever seen them, since they were dealt at the start.
    """
    t = s.clone()
    t.listen()
    t.dice = FastDice(rng.getrandbits(40))
    rng.shuffle(t.job_deck)
    rng.shuffle(t.deck)
    for _ in range(8):
        places = [(t.hand[seat], i) for seat in range(s.players) if seat != viewer for i in range(len(t.hand[seat]))]
        places += [(t.draft, i) for i in range(3 * s.players) if i // 3 != viewer and t.draft[i] != NONE]
        places += [(t.deck, i) for i in range(len(t.deck))]
        hidden = [(pile, i) for pile, i in places if t.knows[pile[i]].bit_count() <= 1 and not t.semi[pile[i]]]
        if len(hidden) < 2:
            break
        (p, i), (q, j) = rng.sample(hidden, 2)
        a, b = p[i], q[j]
        if t.origin[a] != t.origin[b]:
            continue
        t.knows[a], t.knows[b] = t.knows[b], t.knows[a]
        p[i], q[j] = b, a
    t.hand = [sorted(cards) for cards in t.hand]
    for seat in range(s.players):
        trio = t.draft[3 * seat : 3 * seat + 3]
        if NONE not in trio:
            t.draft[3 * seat : 3 * seat + 3] = sorted(trio)
        if seat != viewer:
            if t.sealed[seat] != NONE:
                t.sealed[seat] = rng.randrange(6)
            if t.phase == HAND_LIMIT:
                picks = 0 if t.pending >> seat & 1 else max(0, len(t.hand[seat]) - 5)
                t.drops[seat] = rng.sample(t.hand[seat], picks)
    if viewer is None or not t.pending >> viewer & 1:
        t.drop_plan() if t.playing == NONE else None
        if t.playing == NONE and t.phase in (6, 7, 8):
            t.phase = 4
    t.ready = None
    check_conservation(t)
    return t


@pytest.mark.rule("WP-I9", "WP-A9", "WP-A35", "WP-6.2", "WP-5.3")
@settings(max_examples=120)
@given(**GAMES, stop=st.integers(0, 350), eye=st.integers(-1, 4))
def test_states_that_differ_only_in_secrets_look_the_same(
    players: int, seed: int, lean: str, chosen: dict[str, str], stop: int, eye: int
) -> None:
    viewer = None if eye < 0 else eye % players
    rng = Random(seed)
    s = begin(players, seed, chosen)
    for _ in decisions(s, rng, LEANS[lean], stop):
        pass
    if s.over():
        return
    s.drain()
    t = swapped(s, viewer, rng)
    assert canonical(seen(t, viewer)) == canonical(seen(s, viewer))
    if viewer is not None:
        assert s.legal(viewer) == t.legal(viewer)
        for action in range(-1, s.space.size + 1):
            assert s.refusal(viewer, action) == t.refusal(viewer, action)
    # Whatever is decided next, both tell the viewer the same, until something comes to light.
    learned = s.revelations
    while s.deciders():
        seat = viewer if viewer in s.deciders() else s.deciders()[0]
        assert seat is not None
        common = sorted(set(s.legal(seat)) & set(t.legal(seat)))
        if not common or s.phase != t.phase:
            return
        action = rng.choice(common)
        s.play(seat, action)
        t.play(seat, action)
        if s.revelations > learned:
            return
        told_by_s, told_by_t = told(s.drain(), viewer), told(t.drain(), viewer)
        if seat != viewer and any(event.kind in ("job_filled", "cards_discarded") for event in told_by_s):
            return  # somebody has laid open cards of the hand
        assert told_by_s == told_by_t
        assert canonical(seen(t, viewer)) == canonical(seen(s, viewer))


@pytest.mark.rule("WP-I9")
def test_swapped_states_are_worth_their_name() -> None:
    different: Counter[str] = Counter()
    for seed in range(150):
        rng = Random(seed)
        s = begin(rng.randint(2, 5), seed, {})
        for _ in decisions(s, rng, LEANS["anything"], rng.randint(0, 120)):
            pass
        t = swapped(s, A, rng)
        different["hands"] += t.hand != s.hand
        different["views of others"] += any(
            canonical(seen(t, seat)) != canonical(seen(s, seat)) for seat in range(1, s.players)
        )
        different["drafts"] += t.draft != s.draft
        different["sealed"] += t.sealed != s.sealed
    assert different["hands"] > 100
    assert different["views of others"] > 100
    assert different["drafts"] > 5
    assert different["sealed"] > 3


@pytest.mark.rule("WP-I9")
@settings(max_examples=30)
@given(**GAMES)
def test_imagined_states_cannot_be_told_from_the_real_one(
    players: int, seed: int, lean: str, chosen: dict[str, str]
) -> None:
    rng = Random(seed)
    s = begin(players, seed, chosen)
    for n, _ in enumerate(decisions(s, rng, LEANS[lean])):
        if n % 17:
            continue
        for seat in [rng.randrange(players)]:
            before = s.encode()
            first = s.imagine(seat, FastDice(rng.getrandbits(40)))
            again = first.imagine(seat, FastDice(rng.getrandbits(40)))
            assert s.encode() == before
            for imagined in (first, again):
                assert canonical(seen(imagined, seat)) == canonical(seen(s, seat))
                assert imagined.legal(seat) == s.legal(seat)
                assert imagined.deciders() == s.deciders()
                check_conservation(imagined)
                for c in range(63):  # all that the seat knows of stays where it is
                    if s.knows[c] >> seat & 1:
                        assert place(imagined, c) == place(s, c)
                for other in imagined.deciders():
                    assert imagined.legal(other)
                if s.epoch and not s.hide_discards and not s.blind:
                    # What was shuffled in, lies in the pile or has been drawn from it since.
                    fresh = [c for c in imagined.deck if imagined.origin[c] == s.epoch]
                    assert len(fresh) == len([c for c in s.deck if s.origin[c] == s.epoch])
    last = s.imagine(0, FastDice(1))
    assert canonical(seen(last, 0)) == canonical(seen(s, 0))


def place(s: WorkerPlacement, c: int) -> str:
    for seat in range(s.players):
        if c in s.hand[seat]:
            return f"hand {seat}"
    for name, pile in (("discards", s.discards), ("auction", s.auction), ("network", s.network), ("draft", s.draft)):
        if c in pile:
            return name
    return "playing" if c == s.playing else "deck"


@pytest.mark.rule("WP-I9")
def test_an_imagined_game_can_be_played_to_its_end() -> None:
    for seed in range(30):
        rng = Random(seed)
        s = begin(rng.randint(2, 5), seed, {"rounds": "5"})
        for _ in decisions(s, rng, most=rng.randint(0, 250)):
            pass
        t = s.imagine(rng.randrange(s.players), FastDice(seed))
        for _ in decisions(t, rng):
            check_conservation(t)
        assert t.over()


def imagined_hands(s: WorkerPlacement, viewer: int, seat: int, times: int = 200) -> Counter[str]:
    found: Counter[str] = Counter()
    for seed in range(times):
        found.update(hand(s.imagine(viewer, FastDice(seed)), seat).split())
    return found


@pytest.mark.rule("WP-6.3", "WP-I9")
def test_a_passed_card_is_known_to_both() -> None:
    s = new_game(3)
    passed = ids([s.draft[1]])
    for seat in range(3):
        play(s, seat, "keep 1 pass 2 network 3")
    assert [c.id for c in seen(s, A).seats[B].known] == [passed]
    assert seen(s, C).seats[B].known == ()
    assert seen(s, None).seats[B].known == ()
    assert imagined_hands(s, A, B)[passed] == 200
    assert imagined_hands(s, C, B)[passed] < 60


@pytest.mark.rule("WP-7.7", "WP-I9")
def test_a_card_won_at_the_auction_is_known_to_all() -> None:
    s = at_auction("", "", "")
    play(s, A, "bid 0")
    play(s, B, "pass")
    play(s, C, "pass")
    play(s, A, "pass")
    play(s, A, "pick S10")
    for viewer in (B, C, None):
        assert [c.id for c in seen(s, viewer).seats[A].known] == ["S10"]
    assert imagined_hands(s, B, A)["S10"] == 200


@pytest.mark.rule("WP-6.5", "WP-I9")
def test_what_was_shuffled_in_is_not_in_older_hands() -> None:
    """B's card came from the old pile: it is none of those that lie in the new one."""
    old = "W05 W06 W07"
    discards = "S07 S08 S09 S10 S11 S12"
    s = table("W20", "W05", "W06 W07", deck="", discards=discards)
    s.draw_to_hand(C, 1, "WP-11.3")
    assert s.epoch == 1
    assert len(s.deck) == 5
    unseen = [c for c in range(63) if c not in (*numbers(f"{old} {discards}"), card("W20"))]
    assert sorted(s.network) == sorted(unseen)  # cards that nobody has seen, from the old pile too
    found = imagined_hands(s, A, B, 300)
    assert not set(found) & set(discards.split())
    assert len(found) > 40
    drawn = imagined_hands(s, A, C, 300)
    assert sum(drawn[c] for c in discards.split()) == 300
    # Whose own cards they are knows better: for B the discards are where they were, and W06 may be anywhere.
    assert imagined_hands(s, B, B)["W05"] == 200


@pytest.mark.rule("WP-A41", "WP-I9")
def test_after_a_theft_a_known_card_is_in_one_of_two_hands() -> None:
    s = table("M07", "W05 W06 W07", "W20", deck="M16", cash=9)
    s.knows[card("W05")] |= 1 << C
    s.dice = FastDice(1)
    play(s, A, "consult M07", "target 1")
    stolen = next(i for i in hand(s, A).split() if i != "M16")
    assert seen(s, C).seats[A].known == seen(s, C).seats[B].known == ()
    in_a, in_b, twice_a = Counter(), Counter(), Counter()  # type: ignore[var-annotated]
    for seed in range(300):
        t = s.imagine(C, FastDice(seed))
        in_a.update(hand(t, A).split())
        in_b.update(hand(t, B).split())
        twice_a.update(hand(t.imagine(C, FastDice(seed + 1000)), A).split())
    assert in_a["W05"] + in_b["W05"] == 300
    assert 70 < in_a["W05"] < 130  # one of three cards was taken
    assert 70 < twice_a["W05"] < 130
    assert len(in_a) > 30  # the others could be any card that C has not seen
    # The two who know, know.
    for viewer in (A, B):
        assert imagined_hands(s, viewer, A)[stolen] == 200
    # Once it is seen, all is clear.
    s.hand[A].remove(card(stolen))
    s.discard(card(stolen))
    assert s.blind == []


@pytest.mark.rule("WP-A25", "WP-I9")
def test_cards_dealt_across_a_shuffle_could_have_gone_any_way() -> None:
    """B was dealt one old card and two new ones; which of them was kept, passed or networked, A cannot tell."""
    old, new = "W05", "S07 S08 S09 S10 S11 S12 S13 S14"
    rest = " ".join(i for i in new_game(3).cards.business_ids if i not in f"{old} {new} W20 W21".split())
    s = table(rest, "W20", "W21", deck=old, discards=new, order="BCA")
    draft.deal(s)
    s.ready = None
    assert s.blind
    assert card("W05") in s.draft[3:6]
    for seat in (A, C):
        s.play(seat, s.legal(seat)[0])
    play(s, B, "keep 3 pass 1 network 2")
    where = Counter(place(s.imagine(A, FastDice(seed)), card("W05")) for seed in range(300))
    if s.knows[card("W05")] & 1:
        assert set(where) == {"auction"}
    else:
        assert {"hand 1", "hand 2"} <= set(where)


@pytest.mark.rule("WP-A39", "WP-5.3", "WP-I9")
def test_jobs_in_the_deck() -> None:
    s = table("M09", "", jobs="J21 J22 J23", preview="J30", job_deck="J31 J32 J33 J34")
    play(s, A, "consult M09", "job J23", "job J21", "done")
    for seed in range(20):
        t = s.imagine(B, FastDice(seed))
        assert (t.preview, job_ids(t.job_under), sorted(t.job_deck)) == (s.preview, "J23 J21", sorted(s.job_deck))
    tops = {s.imagine(B, FastDice(seed)).deal_job() for seed in range(20)}
    assert tops == {s.preview}
    second = set()
    for seed in range(50):
        t = s.imagine(B, FastDice(seed))
        t.deal_job()
        second.add(t.deal_job())
    assert second == set(s.job_deck)


@pytest.mark.rule("WP-I9", "WP-6.2", "WP-12.3")
def test_private_facts_only_in_events_with_an_audience() -> None:
    private = {"hand_dealt", "draft_dealt", "draft_chosen", "card_received", "own_discards", "cards_seen", "card_taken"}
    for seed in range(12):
        s = begin(2 + seed % 4, seed, {"rounds": "5", "discard_public": ("true", "false")[seed % 2]})
        for _ in decisions(s, Random(seed), LEANS["consult"]):
            pass
        for event in s.drain():
            if event.kind in private:
                assert event.audience is not None
                assert event.facts["seat"] in event.audience
            else:
                assert event.audience is None


def test_reopening_takes_sealed_choices_back() -> None:
    s = new_game(3)
    play(s, A, "keep 1 pass 2 network 3")
    t = s.clone()
    t.reopen()
    assert t.deciders() == (A, B, C)
    assert t.sealed == [NONE] * 3
    assert (s.deciders(), s.phase) == ((B, C), DRAFT_CHOOSE)
    s = table("W05 W06 W07 W08 W09 S07", "W10 W11 W12 W13 W14 S10 S11")
    s.reserve, s.on_track, s.idle = [0, 0], [0, 0], [3, 3]
    s._reset()
    play(s, A, "discard W05", "done")
    play(s, B, "discard W10")
    t = s.clone()
    t.reopen()
    assert (t.deciders(), t.drops) == ((A, B), [[], []])
    for seed in range(10):
        u = s.imagine(B, FastDice(seed))
        assert len(u.drops[A]) == 1
        assert set(u.drops[A]) <= set(u.hand[A])
        assert u.drops[B] == s.drops[B]
    other = table("W05", "")
    before = other.encode()
    other.reopen()
    assert other.encode() == before
