"""What every game's State promises (shopfloor.engine.state), over random play."""

import pickle
from random import Random

import pytest

from shopfloor.engine.dice import FastDice, SealedDice
from shopfloor.engine.refusals import BadSetup, IllegalAction
from shopfloor.engine.views import View, canonical
from tests.conformance.cases import MOST_DECISIONS, Case, every_case, every_count, every_game, values
from tests.playing import decisions, to_the_end


@every_case
def test_random_play_comes_to_an_end(case: Case) -> None:
    for seed in range(3):
        s = case.start(seed)
        learned = 0
        assert s.players == case.players
        assert not s.over()
        while s.deciders():
            deciders = s.deciders()
            assert list(deciders) == sorted(set(deciders))
            assert all(0 <= seat < case.players for seat in deciders)
            assert s.returns() == [0.0] * case.players
            with pytest.raises(ValueError, match="under way"):
                s.standing()
            for seat in case.seats:
                legal = s.legal(seat)
                assert list(legal) == sorted(set(legal))
                assert bool(legal) == (seat in deciders)
                assert all(0 <= action < s.space.size for action in legal)
            assert s.revelations >= learned
            learned = s.revelations
            next(decisions(s, Random(learned + seed), most=1))
            assert len(s.events or []) < 100 * MOST_DECISIONS
        assert s.over()
        standing = s.standing()
        assert sorted(rank.seat for rank in standing.ranks) == list(case.seats)
        places = [rank.place for rank in standing.ranks]
        assert places == sorted(places)
        assert all(place == 1 or places.index(place) == place - 1 for place in places)
        assert all(len(rank.values) == len(standing.criteria) for rank in standing.ranks)
        for i in range(case.players - 1):
            assert (standing.decided_by(i) == "") == (places[i] == places[i + 1])
        assert sum(s.returns()) == pytest.approx(1)
        assert {seat for seat in case.seats if s.returns()[seat] > 0} == set(standing.winners())


@every_case
def test_legal_is_what_is_not_refused(case: Case) -> None:
    s = case.start(4)
    rng = Random(4)
    while True:
        before = s.encode()
        for seat in range(-2, case.players + 2):
            allowed = [action for action in range(-3, s.space.size + 11) if s.refusal(seat, action) is None]
            assert allowed == list(s.legal(seat))
            outside = [action for action in range(-3, s.space.size + 11) if action not in allowed]
            for action in rng.sample(outside, 4):
                with pytest.raises(IllegalAction) as caught:
                    s.play(seat, action)
                assert caught.value.refusal == s.refusal(seat, action)
                assert caught.value.refusal.code.isupper()
        assert s.encode() == before
        for seat in s.deciders():
            for action in s.legal(seat):
                s.clone().play(seat, action)
        if s.over():
            return
        for _ in decisions(s, rng, most=5):
            pass


@every_case
def test_masks_and_names(case: Case) -> None:
    s = case.start(5)
    for _ in decisions(s, Random(5), most=30):
        for seat in s.deciders():
            mask = s.space.mask(s.legal(seat))
            assert len(mask) == s.space.size
            assert [action for action, allowed in enumerate(mask) if allowed] == list(s.legal(seat))


@every_game
def test_names_parse_back(game) -> None:
    space = game.space(game.edition())
    for action in range(space.size):
        name = space.name(action)
        for text in (name, name.upper(), f"  {name} ", name.replace(" ", "_"), f"({name})", name.replace(" ", ", ")):
            assert space.parse(text) == action
        assert space.encode(space.decode(action)) == action
    for action in (-1, space.size, 10**30):
        with pytest.raises(IllegalAction) as caught:
            space.decode(action)
        assert caught.value.refusal.code == "MALFORMED"
    for text in ("", "   ", "wake the dragon", "\0", "x" * 10_000, "¼"):
        with pytest.raises(IllegalAction) as caught:
            space.parse(text)
        assert caught.value.refusal.code == "MALFORMED"


@every_count
def test_a_seat_that_there_is_not_has_nothing_to_decide(case: Case) -> None:
    """However large the number is: machine integers must not wrap."""
    s = case.start(7)
    for n, _ in enumerate(decisions(s, Random(7))):
        if s.over() or n == 40:
            break
        action = s.legal(s.deciders()[0])[0]
        before = s.encode()
        for seat in (-1, -(10**30), case.players, 63, 64, 64 + s.deciders()[0], 2**32 + s.deciders()[0], 10**30):
            assert s.legal(seat) == ()
            assert s.refusal(seat, action) is not None
            with pytest.raises(IllegalAction):
                s.play(seat, action)
        for odd in (-1, -(10**30), s.space.size, 2**64 + action, 10**30):
            assert s.refusal(s.deciders()[0], odd) is not None
            with pytest.raises(IllegalAction):
                s.play(s.deciders()[0], odd)
        assert s.encode() == before


@every_case
def test_clones_go_their_own_way(case: Case) -> None:
    for stop in (0, 7, 40):
        s = case.start(6)
        for _ in decisions(s, Random(6), most=stop):
            pass
        before = s.encode()
        twin = s.clone()
        assert twin.encode() == before
        assert twin.events is None
        played = to_the_end(twin, Random(1))
        assert s.encode() == before
        for seat, action in played:
            s.play(seat, action)
        assert s.encode() == twin.encode()


@every_case
def test_encoded_and_pickled_states_play_on_alike(case: Case) -> None:
    for stop, dice in ((0, FastDice(7)), (13, SealedDice(bytes(32))), (45, FastDice(8)), (MOST_DECISIONS, FastDice(9))):
        s = case.start(dice)
        for _ in decisions(s, Random(stop), most=stop):
            pass
        text = s.encode()
        copies = [case.game.rules.decode(text, case.edition()), pickle.loads(pickle.dumps(s))]
        for copy in copies:
            assert type(copy) is type(s)
            assert copy.encode() == text
        for seat, action in decisions(s, Random(3)):
            for copy in copies:
                copy.play(seat, action)
        assert {copy.encode() for copy in copies} == {s.encode()}


@every_case
def test_reporting_changes_nothing(case: Case) -> None:
    loud, quiet = case.start(10), case.start(10, report=False)
    assert loud.drain()
    assert quiet.events is None
    for seat, action in decisions(loud, Random(10)):
        quiet.play(seat, action)
        assert quiet.encode() == loud.encode()
        assert quiet.drain() == []


@every_case
def test_a_decision_is_taken_back_by_replaying_without_it(case: Case) -> None:
    s = case.start(11)
    before, played = [s.encode()], []
    for decision in decisions(s, Random(11)):
        played.append(decision)
        before.append(s.encode())
    for keep in {0, len(played) // 3, len(played) - 1}:
        again = case.start(11)
        for seat, action in played[:keep]:
            again.play(seat, action)
        assert again.encode() == before[keep]


@every_case
def test_sealed_choices_show_only_that_they_were_made(case: Case) -> None:
    s = case.start(12)
    rng = Random(12)
    while s.deciders():
        deciders = s.deciders()
        seat = rng.choice(deciders)
        outcomes: dict[tuple[bytes, ...], int] = {}
        for action in s.legal(seat) if len(deciders) > 1 and rng.random() < 0.4 else ():
            t = s.clone()
            t.listen()
            t.play(seat, action)
            if t.revelations == s.revelations and t.deciders() == tuple(d for d in deciders if d != seat):
                others = [other for other in (None, *case.seats) if other != seat]
                seen = [canonical(case.game.view(t, other)) for other in others]
                heard = [canonical(event) for event in t.drain() if any(event.concerns(other) for other in others)]
                outcomes[tuple(seen + heard)] = action
        assert len(outcomes) <= 1
        s.play(seat, rng.choice(s.legal(seat)))


@every_case
def test_an_imagined_state_is_the_same_to_its_seat(case: Case) -> None:
    s = case.start(13)
    rng = Random(13)
    while True:
        before = s.encode()
        for seat in case.seats:
            imagined = s.imagine(seat, FastDice(rng.getrandbits(40)))
            assert canonical(case.game.view(imagined, seat)) == canonical(case.game.view(s, seat))
            assert imagined.deciders() == s.deciders()
            assert imagined.revelations == s.revelations
        assert s.encode() == before
        if s.over():
            return
        to_the_end(imagined, rng)
        for _ in decisions(s, rng, most=9):
            pass


@every_count
def test_views_are_plain_and_for_seats_that_exist(case: Case) -> None:
    s = case.start(14)
    for seat in (None, *case.seats):
        view = case.game.view(s, seat)
        assert isinstance(view, View)
        assert canonical(view) == canonical(case.game.view(s.clone(), seat))
        hash(view)  # frozen, all through
    for seat in (-1, case.players, 99):
        with pytest.raises(ValueError, match="no seat"):
            case.game.view(s, seat)


@every_case
def test_both_kinds_of_dice(case: Case) -> None:
    for seed in (b"\1" * 32, b"\2" * 32):
        first, second = case.start(SealedDice(seed)), case.start(SealedDice(seed))
        played = to_the_end(first, Random(15))
        for seat, action in played:
            second.play(seat, action)
        assert first.encode() == second.encode()
        assert first.drain() == second.drain()
    assert len({case.start(seed).encode() for seed in range(20)}) == 20


@every_game
def test_set_ups_that_do_not_exist(game) -> None:
    for players in (-1, 0, max(game.player_counts) + 1, 10**9):
        with pytest.raises(BadSetup) as caught:
            game.start(players, FastDice(1))
        assert caught.value.refusal.code == "BAD_PLAYER_COUNT"
        assert caught.value.refusal.facts["allowed"] == list(game.player_counts)
    for players in game.player_counts:
        for option, allowed in values(game, players).items():
            for value in ("", "x" * 200, *({v for o in game.options for v in o.values} - set(allowed))):
                with pytest.raises(BadSetup) as caught:
                    game.start(players, FastDice(1), {option: value})
                assert caught.value.refusal.code == "BAD_OPTION"
                assert caught.value.refusal.facts["allowed"] == allowed
        with pytest.raises(BadSetup) as caught:
            game.start(players, FastDice(1), {"no such option": "1"})
        assert caught.value.refusal.code == "BAD_OPTION"


@every_case
def test_judgement(case: Case) -> None:
    """Ratings fit the legal actions, values are shares of one victory; asked of imagined states only."""
    s = case.start(16)
    rng = Random(16)
    while s.deciders():
        for seat in s.deciders():
            imagined = s.imagine(seat, FastDice(rng.getrandbits(40)))
            before = imagined.encode()
            ratings = case.game.judgement.rate(imagined, seat)
            assert len(ratings) == len(s.legal(seat))
            assert all(abs(rating) < float("inf") for rating in ratings)
            value = case.game.judgement.value(imagined)
            assert len(value) == case.players
            assert sum(value) == pytest.approx(1)
            assert all(0 <= share <= 1 for share in value)
            assert imagined.encode() == before
        for _ in decisions(s, rng, most=4):
            pass
