"""Hidden information (TA-I8, TA-I9): what a seat may not know reaches it on no way, and what it knows it keeps."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shopfloor.engine.dice import FastDice
from shopfloor.engine.events import Event
from shopfloor.engine.views import canonical
from shopfloor.games.temp_worker_assassins import rules
from shopfloor.games.temp_worker_assassins.position import NONE, OLDER
from tests.games.temp_worker_assassins.leaning import LEANS
from tests.games.temp_worker_assassins.table import (
    A,
    B,
    C,
    Rigged,
    check_conservation,
    hand,
    kinds,
    next_supply,
    office,
    on_top,
    play,
    seen,
    short,
    stand,
)
from tests.games.temp_worker_assassins.test_properties import GAMES, begin
from tests.playing import decisions


def told(events: list[Event], viewer: int | None) -> list[Event]:
    return [event for event in events if event.concerns(viewer)]


def twin(s: rules.TempWorkerAssassins, viewer: int | None, rng: Random) -> rules.TempWorkerAssassins:
    """A state that differs from `s` in what `viewer` (None: a spectator) may not know, and in nothing else.

    Hands and decks of others are dealt anew, cards that nobody has seen are swapped, no pile keeps its order. The
    cards that everybody knows to be in a hand stay there, as long as there are enough.
    """
    t = s.clone()
    t.listen()
    t.dice = FastDice(rng.getrandbits(40))
    for pile in (t.supply_deck, t.target_deck, *t.deck):
        rng.shuffle(pile)
    if s.over():
        return t
    for seat in range(s.players):
        if seat == viewer:
            continue
        loose = t.hand[seat][:]
        for k in t.known[seat]:
            loose.remove(k)
        for entry in t.secret[seat]:
            if entry % OLDER in loose:
                loose.remove(entry % OLDER)
        # Some drawn cards for others of the deck, some secret cards for others of the Supply Deck.
        for k in loose:
            if t.deck[seat] and rng.random() < 0.7:
                at = rng.randrange(len(t.deck[seat]))
                t.hand[seat].remove(k)
                t.hand[seat].append(t.deck[seat][at])
                t.deck[seat][at] = k
        kept = []
        for entry in t.secret[seat]:
            k = entry % OLDER
            if entry < OLDER and not t.shown[seat] and t.supply_deck and k in t.hand[seat] and rng.random() < 0.7:
                at = rng.randrange(len(t.supply_deck))
                t.hand[seat].remove(k)
                t.hand[seat].append(t.supply_deck[at])
                kept.append(t.supply_deck[at])
                t.supply_deck[at] = k
            else:
                kept.append(entry)
        t.secret = (*t.secret[:seat], tuple(kept), *t.secret[seat + 1 :])
        t.hand[seat].sort()
    if t.looked and viewer != t.current_player and t.supply_deck:
        looked = list(t.looked)
        for i in range(t.looked_older, len(looked)):
            at = rng.randrange(len(t.supply_deck))
            looked[i], t.supply_deck[at] = t.supply_deck[at], looked[i]
        t.looked = tuple(looked)
    t.choices = ()
    return t


@pytest.mark.rule("TA-I9", "TA-I8", "TA-2.3", "TA-A24")
@settings(max_examples=120)
@given(**GAMES, stop=st.integers(0, 250), eye=st.integers(-1, 3))
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
    check_conservation(t)
    if not t.over() and not t.legal(t.current_player):
        return  # a hand that could not be in an attempt
    assert canonical(seen(t, viewer)) == canonical(seen(s, viewer))
    # Whatever is decided next, both tell the viewer the same, until something is revealed.
    learned = s.revelations
    while s.deciders():
        seat = s.current_player
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
        if s.revelations > learned or t.revelations > learned:
            return
        if (s.target == NONE) != (t.target == NONE):
            return  # an attempt is over where nothing in the other hand can be played
        assert told(s.drain(), viewer) == told(t.drain(), viewer)
        assert seen(t, viewer) == seen(s, viewer)


@pytest.mark.rule("TA-I9")
def test_twins_are_worth_their_name() -> None:
    different: Counter[str] = Counter()
    for seed in range(150):
        rng = Random(seed)
        s = begin(rng.randint(2, 4), seed, {"departments": "random"})
        for _ in decisions(s, rng, LEANS["shop"], rng.randint(0, 200)):
            pass
        t = twin(s, A, rng)
        different["hands"] += t.hand != s.hand
        different["secrets"] += t.secret != s.secret
        different["looked"] += t.looked != s.looked
        different["decks"] += [sorted(d) for d in t.deck] != [sorted(d) for d in s.deck]
        different["views of others"] += any(seen(t, seat) != seen(s, seat) for seat in range(1, s.players))
    assert different["hands"] > 100
    assert different["decks"] > 100
    assert different["views of others"] > 100
    assert different["secrets"] > 15
    assert different["looked"] > 0


@pytest.mark.rule("TA-I9", "TA-2.2", "TA-A22")
@settings(max_examples=30)
@given(**GAMES)
def test_imagined_states_cannot_be_told_from_the_real_one(
    players: int, seed: int, lean: str, chosen: dict[str, str]
) -> None:
    rng = Random(seed)
    s = begin(players, seed, chosen)
    for n, _ in enumerate(decisions(s, rng, LEANS[lean])):
        if n % 9:
            continue
        for seat in range(players):
            before = s.encode()
            imagined = s.imagine(seat, FastDice(rng.getrandbits(40)))
            assert s.encode() == before
            assert seen(imagined, seat) == seen(s, seat)
            check_conservation(imagined)
            assert imagined.events is None
            assert imagined.known == s.known
            if not s.over():
                assert imagined.legal(s.current_player)
            # What a seat owns in sum is known but for cards kept in Research.
            for other in range(players):
                mine = Counter(s.hand[other] + s.deck[other])
                theirs = Counter(imagined.hand[other] + imagined.deck[other])
                assert ((mine - theirs).total()) <= len(s.secret[other])


@pytest.mark.rule("TA-I9")
def test_an_imagined_game_can_be_played_to_its_end() -> None:
    for seed in range(60):
        rng = Random(seed)
        s = begin(rng.randint(2, 4), seed, {"departments": "random"})
        for _ in decisions(s, rng, LEANS[rng.choice(sorted(LEANS))], rng.randint(0, 250)):
            pass
        t = s.imagine(rng.randrange(s.players), FastDice(seed))
        for _ in decisions(t, rng):
            check_conservation(t)
        assert t.over()


def hands(s: rules.TempWorkerAssassins, viewer: int, of: int, times: int = 600) -> Counter[str]:
    """What a hand may be for a viewer, by how often it is imagined."""
    return Counter(short(s.imagine(viewer, FastDice(seed)).hand[of]) for seed in range(times))


@pytest.mark.rule("TA-I9", "TA-2.4")
def test_a_hand_is_imagined_as_it_may_have_been_drawn() -> None:
    s = office("2*Pencil", "Letter Blunt", deck=["", "2*Letter Pencil"])
    found = hands(s, A, B)
    # Two cards out of Letter, Letter, Letter, Blunt, Pencil.
    expected = {"Letter Letter": 0.3, "Blunt Letter": 0.3, "Letter Pencil": 0.3, "Blunt Pencil": 0.1}
    assert found.keys() == expected.keys()
    for cards, share in expected.items():
        assert found[cards] / 600 == pytest.approx(share, abs=0.07)
    assert hands(s, B, B).keys() == {"Blunt Letter"}  # one's own
    own = s.imagine(B, FastDice(1))
    assert sorted(own.deck[B]) == sorted(s.deck[B])


@pytest.mark.rule("TA-2.2", "TA-A46")
def test_gained_and_recovered_cards_stay_known_until_they_leave() -> None:
    s = office("Pencil", "2*Pencil", deck=["9*Pencil", "9*Letter"], discard=["", "Badge"], row="4*Stamp", turn_of=B)
    play(s, B, "occupy Cupboard", "gain Stamp")
    s.current_player, s.choices = B, ()
    on_top(s, B, "Letter")
    play(s, B, "occupy Aid", "recover Badge")
    assert [card.name for card in seen(s, A).seats[B].known] == ["Rubber Stamp of Denial", "Laminated Throwing Badge"]
    for cards in hands(s, A, B, 100):
        assert cards.startswith("Badge")
        assert cards.endswith("Stamp")
    s.current_player, s.choices = B, ()
    play(s, B, "occupy Spooky", "trash Stamp")
    assert [card.name for card in seen(s, None).seats[B].known] == ["Laminated Throwing Badge"]
    assert not any("Stamp" in cards for cards in hands(s, A, B, 50))


@pytest.mark.rule("TA-8.2", "TA-I9")
def test_whoever_shuffles_shows_what_is_left_in_hand() -> None:
    """The old deck is used up: what lies neither in it nor open is in hand."""
    s = office("", "Pencil Blunt", deck=["", "Letter"], discard=["", "3*Badge"], turn_of=B)
    assert len(hands(s, A, B, 200)) > 1
    play(s, B, "occupy Statistics")  # draws the Letter, shuffles, draws a Badge
    assert hand(s, B) == "Badge Blunt Letter Pencil"
    assert hands(s, A, B, 50).keys() == {"Badge Blunt Letter Pencil"}
    assert [card.name for card in seen(s, A).seats[B].known] == [
        "Fairly Sharp Pencil",
        "Reasonably Blunt Pencil",
        "Jagged Covering Letter",
    ]


def researched(**more: str) -> rules.TempWorkerAssassins:
    """B has looked at three Supply cards, kept the Badge and discarded Stapler and Note."""
    s = office("Pencil", "Pencil", deck=["", "9*Pencil"], turn_of=B, **more)  # type: ignore[arg-type]
    next_supply(s, "Stapler", "Badge", "Note")
    play(s, B, "occupy Malevolent", "keep Badge")
    return s


@pytest.mark.rule("TA-2.3", "TA-I9")
def test_a_kept_card_may_be_any_that_nobody_has_seen() -> None:
    s = researched(row="4*Stamp", supply="Stapler Badge Note 2*Idea Shuriken")
    found = hands(s, A, B)
    expected = {"Badge Pencil": 0.25, "Idea Pencil": 0.5, "Pencil Shuriken": 0.25}
    assert found.keys() == expected.keys()
    for cards, share in expected.items():
        assert found[cards] / 600 == pytest.approx(share, abs=0.07)
    for seed in range(50):
        imagined = s.imagine(A, FastDice(seed))
        assert sorted(imagined.supply_deck + imagined.hand[B]) == sorted(s.supply_deck + s.hand[B])
        assert hand(s.imagine(B, FastDice(seed)), B) == "Badge Pencil"
    unseen = {card.name: card.count for card in seen(s, A).supply_unseen}
    assert unseen == {"Laminated Throwing Badge": 1, "Inkling of an Idea": 2, "Compact Disk Shuriken": 1}
    assert "Laminated Throwing Badge" not in {card.name for card in seen(s, B).supply_unseen}


@pytest.mark.rule("TA-2.3", "TA-6.1")
def test_a_kept_card_is_recognised_when_it_is_shown() -> None:
    s = researched()
    assert s.secret[B] == tuple(kinds("Badge"))
    s.current_player, s.choices = B, ()
    play(s, B, "attempt Zombie", "play Badge")
    assert s.secret[B] == ()  # nobody knew of a Badge in these cards
    play(s, B, "discard Pencil")


@pytest.mark.rule("TA-2.3", "TA-I9")
def test_a_shown_card_may_or_may_not_have_been_the_kept_one() -> None:
    """B is known to own a Badge besides, in hand or deck: then nobody can say which one is shown."""
    for in_hand in (True, False):
        s = office(
            "Pencil",
            "Pencil Badge" if in_hand else "Pencil Pencil",
            deck=["", "8*Pencil" if in_hand else "7*Pencil Badge"],
            turn_of=B,
            row="4*Stamp",
            supply="Stapler Badge Note 3*Idea",
        )
        if in_hand:  # kept an Idea, and shows the old Badge
            next_supply(s, "Stapler", "Idea", "Note")
            play(s, B, "occupy Malevolent", "keep Idea")
        else:  # kept the new Badge, and shows it
            next_supply(s, "Stapler", "Badge", "Note")
            play(s, B, "occupy Malevolent", "keep Badge")
            if "Badge" not in hand(s, B):
                raise AssertionError
        s.current_player, s.choices = B, ()
        play(s, B, "occupy Spooky", "trash Badge")
        assert len(s.secret[B]) == 1
        assert s.shown[B] == tuple(kinds("Badge"))
        found = hands(s, A, B, 300)
        # Either the kept card is an Idea and in hand, or it was a Badge, and a Badge is still in hand or deck.
        assert any("Idea" in cards for cards in found)
        assert any("Idea" not in cards for cards in found)
        for seed in range(100):
            check = s.imagine(A, FastDice(seed))
            everything = Counter(check.hand[B] + check.deck[B] + check.supply_deck)
            assert everything == Counter(s.hand[B] + s.deck[B] + s.supply_deck)
    # Once the whole hand has been shown, it is clear that the kept card was among it.
    s.current_player, s.choices = B, ()
    play(s, B, "attempt Zombie")
    while s.target != NONE:
        s.play(B, s.legal(B)[0])
    assert (s.secret[B], s.shown[B]) == ((), ())


@pytest.mark.rule("TA-A7", "TA-I9")
def test_a_reshuffled_supply_ends_the_doubt_about_what_was_kept_before() -> None:
    s = researched(row="4*Stamp", supply="Stapler Badge Note")
    assert s.supply_deck == []
    s.current_player, s.choices = A, ()
    play(s, A, "occupy Cupboard", "gain Stamp")  # the row is filled from the shuffled discards
    assert s.secret[B] == (kinds("Badge")[0] + OLDER,)
    assert hands(s, A, B, 50).keys() == {"Badge Pencil"}
    # With two who kept cards, it may be the one or the other.
    s = office("", "", "", row="4*Stamp", supply="Stapler Badge Idea Note")
    next_supply(s, "Stapler", "Note", "Badge")
    play(s, A, "occupy Malevolent", "keep Badge")
    play(s, B, "occupy Malevolent 2")
    assert len(s.looked) == 3  # the last card of the deck, and the two that were shuffled back
    play(s, B, "keep Idea")
    assert s.secret == (tuple(k + OLDER for k in kinds("Badge")), tuple(k + OLDER for k in kinds("Idea")), ())
    found = hands(s, C, A, 200)
    assert found.keys() == {"Badge", "Idea"}
    for seed in range(30):
        t = s.imagine(C, FastDice(seed))
        assert {short(t.hand[A]), short(t.hand[B])} == {"Badge", "Idea"}
    assert hands(s, A, B, 50).keys() == {"Idea"}  # A kept the Badge and knows it


@pytest.mark.rule("TA-2.3")
def test_what_is_looked_at_is_the_researchers_secret() -> None:
    s = office("", "", row="4*Stamp", supply="Stapler Badge Idea Note Shuriken")
    play(s, A, "occupy Malevolent")
    looks = {tuple(sorted(s.imagine(B, FastDice(seed)).looked)) for seed in range(200)}
    assert len(looks) == 10
    assert {tuple(sorted(s.imagine(A, FastDice(seed)).looked)) for seed in range(20)} == {tuple(sorted(s.looked))}
    assert seen(s, B).looked == seen(s, None).looked == ()


@pytest.mark.rule("TA-6.4", "TA-I10")
def test_an_attackers_imagined_hand_can_go_on() -> None:
    s = office("Stapler 2*Pencil", "", deck=["9*Letter", ""])
    play(s, A, "attempt " + "Zombie", "play Stapler")
    for seed in range(60):
        imagined = s.imagine(B, FastDice(seed))
        assert imagined.legal(A)  # two identical cards are in it, or the Stapler could not have been played
    s = office("Band Pencil Letter", "", deck=["9*Letter", ""])
    play(s, A, "attempt Zombie", "play Band")
    assert {short(s.imagine(B, FastDice(seed)).hand[A]) for seed in range(60)} == {"Letter Pencil"}


@pytest.mark.rule("TA-I8", "TA-I9")
def test_private_facts_only_in_events_with_an_audience() -> None:
    private = {"drew_cards", "research_seen", "research_kept"}
    for seed in range(10):
        s = begin(3, seed, {"departments": "random"})
        for _ in decisions(s, Random(seed)):
            pass
        for event in s.drain():
            if event.kind in private:
                assert event.audience == (event.facts["seat"],)
            else:
                assert event.audience is None


@pytest.mark.rule("TA-A14", "TA-6.10")
def test_choices_that_reveal_nothing_can_be_taken_back() -> None:
    """`revelations` does not grow before the last pick of a choice of many parts."""
    s = office("Stapler 2*Pencil Shuriken", deck="9*Pencil")
    before = s.revelations
    play(s, A, "attempt Zombie", "play Stapler")
    assert s.revelations == before
    s = office("Guillotine 4*Pencil", deck="9*Pencil", targets="Chairman")
    before = s.revelations
    play(s, A, "attempt Chairman", "play Guillotine", "discard Pencil", "discard Pencil", "play Pencil")
    assert s.revelations == before
    play(s, A, "play Pencil")  # the attempt is over: a new hand
    assert s.revelations > before
    s = office("Pencil", deck="9*Pencil")
    stand(s, B, "Helpdesk")
    before = s.revelations
    play(s, A, "occupy Secondment")
    assert s.revelations == before
    play(s, A, "evict Helpdesk")  # evict 1; draw 1
    assert s.revelations > before


def test_rigged_dice_can_be_cloned() -> None:
    dice = Rigged([3, 1])
    assert [dice.clone().below(4), dice.below(4), dice.below(4)] == [3, 3, 1]
    assert dice.encode().startswith("rigged:[]")
