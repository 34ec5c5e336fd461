"""Positions of Temp Worker Assassins for tests, put down as one would put down cards: `office(hand="Pencil Ruler")`.

Players are A, B, C and D, clockwise, as in the specification's test vectors. Cards, Targets and Departments go by a
short word of their names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

import pytest

from shopfloor.engine.dice import Dice, FastDice
from shopfloor.engine.events import Event
from shopfloor.engine.refusals import IllegalAction
from shopfloor.games.temp_worker_assassins import GAME, cards, rules
from shopfloor.games.temp_worker_assassins.position import ASK_NAMES, NONE, OLDER, PHASE_NAMES
from shopfloor.games.temp_worker_assassins.rules import TempWorkerAssassins
from shopfloor.games.temp_worker_assassins.view import AssassinsView, view

A, B, C, D = range(4)
OWN: Final = cards.load()

SHORT: Final = {
    "Pencil": "Fairly Sharp Pencil",
    "Blunt": "Reasonably Blunt Pencil",
    "Letter": "Jagged Covering Letter",
    "Shuriken": "Compact Disk Shuriken",
    "Ruler": "Shatterable Ruler",
    "Stapler": "Fully Loaded Stapler",
    "Sharpener": "Evil Pencil Sharpener",
    "Calculator": "Remarkably Heavy Calculator",
    "Scissors": "Suspiciously Clean Scissors",
    "Chain": "Weaponised Paperclip Chain",
    "Thesaurus": "Thesaurus of Pain, Ache and Ouch",
    "Marker": "Permanently Permanent Marker",
    "Binder": "Overstuffed Ring Binder",
    "Note": "Passive-Aggressive Sticky Note",
    "Catalogue": "Catalogue of Forbidden Toner",
    "Punch": "Semi-Automatic Hole Punch",
    "Band": "Catapult-Grade Elastic Band",
    "Underworld": "Ruler of the Underworld",
    "Idea": "Inkling of an Idea",
    "Mechanical": "Mechanically Superior Pencil",
    "Lead": "Unnervingly Long Extension Lead",
    "Fluid": "Correction Fluid of Oblivion",
    "Stamp": "Rubber Stamp of Denial",
    "Badge": "Laminated Throwing Badge",
    "Guillotine": "Guillotine (Mostly for Paper)",
} | {day: day for day in ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")}
LONG: Final = {long: short for short, long in SHORT.items()}

# Departments that a game begins with, besides the starting ones, in most tests.
PICKS: Final = "DP10+DP11+DP12+DP13+DP09"


class Rigged(Dice):
    """Dice that give the wanted results first, and then any."""

    __slots__ = ("results", "then")

    def __init__(self, results: Iterable[int], seed: int = 1) -> None:
        self.results = list(results)
        self.then = FastDice(seed)

    def below(self, n: int) -> int:
        if self.results:
            result = self.results.pop(0)
            assert 0 <= result < n
            return result
        return self.then.below(n)

    def clone(self) -> Rigged:
        dice = Rigged(self.results)
        dice.then = self.then.clone()
        return dice

    def encode(self) -> str:
        return f"rigged:{self.results}:{self.then.encode()}"


def options(**changes: str) -> dict[str, str]:
    """All options with their defaults, but A begins; `changes` on top."""
    return {option.id: option.default for option in GAME.options} | {"starting_player": "0"} | changes


def new_game(
    players: int = 3, seed: int = 1, edition: cards.Cards = OWN, report: bool = True, **changes: str
) -> TempWorkerAssassins:
    """A game at its first decision, which reports its events from the first card on."""
    return rules.start(players, FastDice(seed), options(**changes), edition, report=report)


def kinds(text: str, edition: cards.Cards = OWN) -> list[int]:
    """The kinds of cards by their short words; `3*Pencil` is three of them."""
    found = []
    for part in text.split():
        count, _, word = part.rpartition("*")
        found += [edition.names.index(SHORT.get(word, word))] * int(count or 1)
    return found


def kind(word: str) -> int:
    return kinds(word)[0]


def short(pile: Iterable[int], edition: cards.Cards = OWN) -> str:
    """Cards by their short words, in order of the words."""
    return " ".join(sorted(LONG.get(edition.names[k], edition.names[k]) for k in pile))


def target(word: str, edition: cards.Cards = OWN) -> int:
    """A Target by a word of its name."""
    found = [i for i, name in enumerate(edition.target_names) if word in name]
    assert len(found) == 1, f"{word}: {found}"
    return found[0]


def department(word: str, edition: cards.Cards = OWN) -> int:
    """A Department by a word of its name; the Hard Mode version only with `Hard`."""
    names = edition.department_names
    found = [i for i, name in enumerate(names) if word in name and ("Hard" in name) == ("Hard" in word)]
    assert len(found) == 1, f"{word}: {found}"
    return found[0]


def space(word: str, number: int = 1, edition: cards.Cards = OWN) -> int:
    """The number of a space of a Department."""
    return edition.first_space[department(word, edition)] + number - 1


def office(
    *hands: str,
    deck: str | Sequence[str] = "",
    discard: str | Sequence[str] = "",
    targets: str = "",
    row: str = "",
    supply: str | None = None,
    supply_discard: str = "",
    markers: str = "Monday",
    day: int = 1,
    unplaced: int | Sequence[int] | None = None,
    turn_of: int = A,
    picks: str = PICKS,
    edition: cards.Cards = OWN,
    players: int = 0,
    **changes: str,
) -> TempWorkerAssassins:
    """A position in which `turn_of` places an assassin, a hand a player (two players if there are fewer hands).

    deck, discard: A's alone, or one a player. targets: words for the three places, the others staying as dealt.
    row, supply: of the Stationery Supply (None: what is in neither). unplaced: assassins, the same for all or one by
    one.
    """
    players = players or max(2, len(hands))
    if picks == PICKS and players == 4:
        picks = "DP10+DP11+DP12+DP13"
    s = new_game(players, 1, edition, True, departments=picks, **changes)
    s.drain()
    decks = [deck] if isinstance(deck, str) else list(deck)
    piles = [discard] if isinstance(discard, str) else list(discard)
    for seat in range(players):
        s.hand[seat] = sorted(kinds(hands[seat], edition)) if seat < len(hands) else []
        s.deck[seat] = kinds(decks[seat], edition) if seat < len(decks) else []
        s.discard[seat] = kinds(piles[seat], edition) if seat < len(piles) else []
        s.known[seat] = []
    if targets:
        show_targets(s, *targets.split())
    if row:
        s.supply_row = [] if row == "-" else kinds(row, edition)
    if supply is None:
        rest = Counter(edition.supply_deck)
        rest.subtract(k for k in s.supply_row if k < edition.supply)
        rest.subtract(k for pile in s.hand + s.deck + s.discard for k in pile if k < edition.supply)
        s.supply_deck = sorted((+rest).elements())
    else:
        s.supply_deck = kinds(supply, edition)
    s.supply_discard = kinds(supply_discard, edition)
    s.day = day
    s.markers_top = tuple(kinds(markers, edition))
    if unplaced is not None:
        s.unplaced = [unplaced] * players if isinstance(unplaced, int) else list(unplaced)
    s.current_player = turn_of
    s.choices = ()
    return s


def show_targets(s: TempWorkerAssassins, *words: str) -> None:
    """Put these Targets face up in the first places; what lay there goes to the deck."""
    for place, word in enumerate(words):
        if s.face_up[place] != NONE:
            s.target_deck.append(s.face_up[place])
        s.face_up[place] = target(word, s.cards)
        if s.face_up[place] in s.target_deck:
            s.target_deck.remove(s.face_up[place])
    s.choices = ()


def on_top(s: TempWorkerAssassins, seat: int, *words: str) -> None:
    """Load the dice so that the next cards drawn from a seat's deck are these."""
    s.dice = Rigged(_draws(s.deck[seat], [kind(word) for word in words]))


def next_supply(s: TempWorkerAssassins, *words: str) -> None:
    """Load the dice so that the next cards from the Supply Deck are these."""
    s.dice = Rigged(_draws(s.supply_deck, [kind(word) for word in words]))


def next_targets(s: TempWorkerAssassins, *words: str) -> None:
    """Load the dice so that the next Targets turned up are these."""
    s.dice = Rigged(_draws(s.target_deck, [target(word) for word in words]))


def _draws(pile: Sequence[int], wanted: Sequence[int]) -> list[int]:
    """The dice with which the rules draw these out of a pile: the last card fills each gap."""
    left = list(pile)
    results = []
    for card in wanted:
        results.append(left.index(card))
        left[results[-1]] = left[-1]
        left.pop()
    return results


def stand(s: TempWorkerAssassins, seat: int, word: str, number: int = 1) -> int:
    """Put one of a seat's assassins on a space, without its effect; the space."""
    at = space(word, number, s.cards)
    assert at in s.spaces
    assert s.occupant[at] == NONE
    s.occupant[at] = seat
    s.unplaced[seat] -= 1
    s.choices = ()
    return at


VERBS: Final = ("move from", "move to", "occupy", "evict", "attempt", "swap", "choose")


def named(s: TempWorkerAssassins, text: str) -> int:
    """The id of an action written with short words: `occupy Statistics`, `occupy Helpdesk 2`, `play Ruler`."""
    for verb in VERBS:
        if text.startswith(verb + " "):
            rest = text[len(verb) + 1 :]
            if verb == "choose":
                break
            if verb in ("attempt", "swap"):
                return s.space.parse(f"{verb} {s.cards.target_names[target(rest, s.cards)]}")
            word, _, number = rest.rpartition(" ")
            word, number = (word, number) if number.isdecimal() else (rest, "1")
            return s.space.parse(f"{verb} {s.cards.department_names[department(word, s.cards)]} {number}")
    verb, _, word = text.partition(" ")
    return s.space.parse(f"{verb} {SHORT.get(word, word)}" if word else text)


def play(s: TempWorkerAssassins, seat: int, *actions: str) -> list[Event]:
    """Play actions by name; the events that they brought."""
    for action in actions:
        s.play(seat, named(s, action))
    return s.drain()


def refused(
    s: TempWorkerAssassins, seat: int, action: str | int, code: str, clause: str = "", /, **facts: object
) -> None:
    """The action is refused with this code, clause and at least these facts, and leaves no trace."""
    number = named(s, action) if isinstance(action, str) else action
    before, events, learned = s.encode(), list(s.events or []), s.revelations
    assert number not in s.legal(seat)
    refusal = s.refusal(seat, number)
    assert refusal is not None
    with pytest.raises(IllegalAction) as caught:
        s.play(seat, number)
    assert caught.value.refusal == refusal
    assert refusal.code == code
    assert not clause or refusal.clause == clause
    assert {name: refusal.facts.get(name) for name in facts} == facts
    assert (s.encode(), list(s.events or []), s.revelations) == (before, events, learned)


def accepted(s: TempWorkerAssassins, seat: int, action: str) -> bool:
    """Is an action among the legal ones (and then also not refused)?"""
    number = named(s, action)
    legal = number in s.legal(seat)
    assert legal == (s.refusal(seat, number) is None)
    return legal


def legal(s: TempWorkerAssassins, seat: int) -> list[str]:
    """The legal actions by name, cards by their short words."""
    names = [s.space.name(action) for action in s.legal(seat)]
    found = []
    for name in names:
        verb, _, rest = name.partition(" ")
        found.append(f"{verb} {LONG[rest]}" if rest in LONG else name)
    return found


def ask(s: TempWorkerAssassins) -> str:
    """Who is asked what: `A place`."""
    return f"{'ABCD'[s.current_player]} {ASK_NAMES[s.ask]}" if s.deciders() else "over"


def phase(s: TempWorkerAssassins) -> str:
    return PHASE_NAMES[s.phase]


def seen(s: TempWorkerAssassins, seat: int | None) -> AssassinsView:
    return view(s, seat)


def hand(s: TempWorkerAssassins, seat: int) -> str:
    return short(s.hand[seat], s.cards)


def discards(s: TempWorkerAssassins, seat: int) -> str:
    return short(s.discard[seat], s.cards)


def counts(s: TempWorkerAssassins, seat: int) -> tuple[int, int, int]:
    """Cards in hand, deck and discard pile."""
    return len(s.hand[seat]), len(s.deck[seat]), len(s.discard[seat])


def event_kinds(events: Iterable[Event]) -> list[str]:
    return [event.kind for event in events]


def one(events: Iterable[Event], kind: str) -> Event:
    """The only event of this kind."""
    found = [event for event in events if event.kind == kind]
    assert len(found) == 1, f"{len(found)} events {kind}"
    return found[0]


def check_conservation(s: TempWorkerAssassins) -> None:
    """What cannot be otherwise in any position of a game, whatever was played (TA-I1 to TA-I4)."""
    c = s.cards
    owned = [k for pile in (*s.hand, *s.deck, *s.discard) for k in pile] + s.played
    all_cards = Counter(owned + s.supply_deck + s.supply_discard + s.supply_row + list(s.looked) + list(s.trashed))
    all_cards.update(s.markers_top)
    expected = Counter(c.supply_deck)
    for _ in range(s.players):
        expected.update(c.starting_deck)
    expected.update(range(c.markers, c.markers + s.day))
    assert all_cards == expected
    assert len(s.supply_row) <= 4
    if len(s.supply_row) < 4:
        assert not s.supply_deck
        assert not s.supply_discard
    targets = Counter(list(s.target_deck) + list(s.target_under) + [k for t in s.trophies for k in t])
    targets.update(k for k in s.face_up if k != NONE)
    targets[c.zombie] += s.zombie_stack
    assert targets == Counter(dict(enumerate(c.target_copies)))
    assert c.zombie not in s.face_up[:3]
    each = 5 if s.players == 2 else 4
    for seat in range(s.players):
        on_spaces = sum(1 for at in s.spaces if s.occupant[at] == seat)
        attempting = int(s.target != NONE and s.current_player == seat)
        away = s.security[seat] + s.skipped[seat]
        if not s.over():
            assert s.unplaced[seat] + on_spaces + away + attempting == each
        assert min(s.unplaced[seat], s.security[seat]) >= 0
        assert s.hand[seat] == sorted(s.hand[seat])
        # What others are sure of is so, and does not say twice the same.
        loose = Counter(s.hand[seat])
        loose.subtract(s.known[seat])
        assert min(loose.values(), default=0) >= 0
        unseen = loose + Counter(s.deck[seat])
        unseen.subtract(k % OLDER for k in s.secret[seat])
        assert min(unseen.values(), default=0) >= 0
    assert all(s.occupant[at] == NONE for at in range(len(s.occupant)) if at not in s.spaces)
    for i in range(0, len(s.lasting), 3):
        assert s.occupant[s.lasting[i + 1]] == s.lasting[i]
