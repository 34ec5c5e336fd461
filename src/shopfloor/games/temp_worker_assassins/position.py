"""A complete position of Temp Worker Assassins: what lies where, and how cards move between the piles.

Cards are kinds, Targets and spaces are numbers (see `cards.py`). Hands are kept in order; all decks are multisets,
since nobody knows their order (a card is drawn at random), but for Targets that were openly put under their deck.

What the others can be sure of is kept with the piles: `known`, `secret` and `shown` (see `imagination.py`, which
needs them). They are worked out from what is open to everybody, and never say more.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import ClassVar, Final

from shopfloor.engine.dice import Dice, decode_dice
from shopfloor.engine.events import Event
from shopfloor.engine.state import State
from shopfloor.games.temp_worker_assassins.actions import layout, make_space
from shopfloor.games.temp_worker_assassins.cards import Cards
from shopfloor.games.temp_worker_assassins.layout import Layout

# Phases in which somebody decides (section 2 of the specification); the others pass by themselves.
PLACE: Final = 0
RESOLVE_SPACE: Final = 1
ATTEMPT_PLAY: Final = 2
TARGET_BONUS: Final = 3
GAME_OVER: Final = 4
PHASE_NAMES: Final = ("PLACE", "RESOLVE_SPACE", "ATTEMPT_PLAY", "TARGET_BONUS", "GAME_OVER")

# What is asked.
ASK_PLACE: Final = 0
ASK_PLAY: Final = 1
ASK_DISCARD: Final = 2
ASK_TRASH: Final = 3
ASK_GAIN: Final = 4
ASK_RECOVER: Final = 5
ASK_SWAP: Final = 6
ASK_EVICT: Final = 7
ASK_MOVE_FROM: Final = 8
ASK_MOVE_TO: Final = 9
ASK_KEEP: Final = 10
ASK_CHOOSE: Final = 11
ASK_MAY: Final = 12
ASK_NOTHING: Final = 13
ASK_NAMES: Final = (
    "place",
    "play",
    "discard",
    "trash",
    "gain",
    "recover",
    "swap",
    "evict",
    "move_from",
    "move_to",
    "keep",
    "choose",
    "may",
    "nothing",
)

NONE: Final = -1
HAND: Final = 5
ROW: Final = 4
FACE_UP: Final = 3
ZOMBIE_PLACE: Final = 3
# A secret card from before the last reshuffle of the Supply is written as its kind + OLDER.
OLDER: Final = 100_000

SINGLE: Final[tuple[tuple[int, ...], ...]] = ((0,), (1,), (2,), (3,))
NOBODY: Final[tuple[int, ...]] = ()

Kinds = tuple[int, ...]


class Position(State):
    """The fields of a game, and moving cards.

    quick, quick_day, stack_refill, strict_draw, may_stop, open_trophies, fewest_targets: options.
    departments: numbers of those in play, in their order on the table; spaces: the numbers of their spaces, ascending.
    day: 1 to 5. marker_claim: the seat that gets the Starting Player Marker by TA-A42, or NONE.
    occupant: by space, the seat or NONE. unplaced, security, skipped: assassins by seat.
    lasting: seat, space and number of the term, for each `here_...` in force. attempted: seats with an attempt today.
    supply_deck, supply_discard, supply_row; target_deck (in no order), target_under (its bottom cards, the upper
    first), face_up (three places and the Zombie's; NONE: empty), zombie_stack: Zombies still in it.
    markers_top: Turn Markers to be won. marker_winner: by day, the seat or NONE.
    hand, deck, discard: by seat. trophies: gained Targets. trashed: cards out of the game. played: of this attempt.
    known: cards that everybody knows to be in a hand. secret: kept in Research and not yet recognised by the others.
    shown: kinds seen from a hand since that may have been one of the secret cards.
    target: the place attempted or NONE. here: the space whose instructions are followed, or NONE.
    pc, left, agreed, returns_to: where the instructions are; picks left of the step (NONE: not begun); `may` was
    accepted; where to go on after a relocated assassin's space (here, pc, left). looked: cards of a Research,
    the first `looked_older` of them from before a reshuffle. moving: the space that an assassin is leaving, or NONE.
    """

    __slots__ = (
        "agreed",
        "ask",
        "attempted",
        "cards",
        "choices",
        "code",
        "current_player",
        "day",
        "deck",
        "departments",
        "discard",
        "face_up",
        "fewest_targets",
        "hand",
        "here",
        "known",
        "lasting",
        "layout",
        "left",
        "looked",
        "looked_older",
        "marker_claim",
        "marker_winner",
        "markers_top",
        "may_stop",
        "moving",
        "occupant",
        "open_trophies",
        "pc",
        "phase",
        "played",
        "quick",
        "quick_day",
        "returns_to",
        "secret",
        "security",
        "shown",
        "skipped",
        "spaces",
        "stack_refill",
        "starting_player",
        "strict_draw",
        "supply_deck",
        "supply_discard",
        "supply_row",
        "target",
        "target_deck",
        "target_under",
        "trashed",
        "trophies",
        "unplaced",
        "zombie_stack",
    )

    game: ClassVar[str] = "temp_worker_assassins"

    def __init__(self, players: int, cards: Cards, dice: Dice, source: Position | None = None) -> None:
        """A bare table (`prepare` lays it), or a copy of `source`."""
        State.__init__(self, players, make_space(cards) if source is None else source.space, dice)
        self.cards: Cards = cards
        if source is not None:
            self.copy_from(source)
            return
        self.code: Kinds = cards.code
        self.layout: Layout = layout(cards)
        self.quick: bool = False
        self.quick_day: bool = False
        self.stack_refill: bool = True
        self.strict_draw: bool = True
        self.may_stop: bool = False
        self.open_trophies: bool = False
        self.fewest_targets: bool = False
        self.departments: Kinds = ()
        self.spaces: Kinds = ()
        self.phase: int = PLACE
        self.ask: int = ASK_PLACE
        self.choices: Kinds = ()
        self.day: int = 0
        self.starting_player: int = 0
        self.current_player: int = 0
        self.marker_claim: int = NONE
        self.attempted: int = 0
        self.occupant: list[int] = [NONE] * len(cards.space_department)
        self.unplaced: list[int] = [0] * players
        self.security: list[int] = [0] * players
        self.skipped: list[int] = [0] * players
        self.lasting: Kinds = ()
        self.supply_deck: list[int] = []
        self.supply_discard: list[int] = []
        self.supply_row: list[int] = []
        self.target_deck: list[int] = []
        self.target_under: Kinds = ()
        self.face_up: list[int] = [NONE] * (FACE_UP + 1)
        self.zombie_stack: int = 0
        self.markers_top: Kinds = ()
        self.marker_winner: Kinds = ()
        self.hand: list[list[int]] = [[] for _ in range(players)]
        self.deck: list[list[int]] = [[] for _ in range(players)]
        self.discard: list[list[int]] = [[] for _ in range(players)]
        self.trophies: tuple[Kinds, ...] = ((),) * players
        self.trashed: Kinds = ()
        self.played: list[int] = []
        self.known: list[list[int]] = [[] for _ in range(players)]
        self.secret: tuple[Kinds, ...] = ((),) * players
        self.shown: tuple[Kinds, ...] = ((),) * players
        self.target: int = NONE
        self.here: int = NONE
        self.pc: int = NONE
        self.left: int = NONE
        self.agreed: bool = False
        self.returns_to: Kinds = ()
        self.looked: Kinds = ()
        self.looked_older: int = 0
        self.moving: int = NONE

    # -- own decks ---------------------------------------------------------------------------------------------

    def draw(self, seat: int, count: int) -> None:
        """The top cards of the own deck to hand (TA-2.4); the discard pile becomes the deck on demand (TA-8.2)."""
        hand = self.hand[seat]
        deck = self.deck[seat]
        drawn: list[int] = []
        listening = self.events is not None
        while count > 0:
            size = len(deck)
            if size == 0:
                if not self.discard[seat]:
                    break  # TA-A2, TA-A31
                if drawn:
                    self.tell_drawn(seat, drawn)
                    drawn = []
                hand.sort()
                self._reshuffle(seat)
                deck = self.deck[seat]
                size = len(deck)
            r = self.dice.below(size)
            kind = deck[r]
            last = deck.pop()
            if r < size - 1:
                deck[r] = last
            hand.append(kind)
            if listening:
                drawn.append(kind)
            count -= 1
        hand.sort()
        self.revelations += 1
        if drawn:
            self.tell_drawn(seat, drawn)

    def tell_drawn(self, seat: int, drawn: list[int]) -> None:
        """Report cards that were drawn: how many to all, which to their owner."""
        self.report("drew", "TA-2.4", {"seat": seat, "count": len(drawn)})
        self.report("drew_cards", "TA-2.4", {"seat": seat} | self.named(sorted(drawn)), (seat,))

    def _reshuffle(self, seat: int) -> None:
        """The own discard pile becomes the deck (TA-8.2)."""
        pile = self.discard[seat]
        deck = self.deck[seat]
        self.deck[seat] = pile
        self.discard[seat] = deck
        # The old deck is used up, so all that is not open is in hand: everybody can work out what, but for
        # what was kept in Research.
        known = self.hand[seat][:]
        for kind in self.secret[seat]:
            known.remove(kind % OLDER)
        self.known[seat] = known
        if self.shown[seat]:
            self.shown = _replaced(self.shown, seat, ())
        if self.events is not None:
            self.report("deck_shuffled", "TA-8.2", {"seat": seat, "count": len(pile)})

    def discard_hand(self, seat: int) -> None:
        """The whole hand to the own discard pile."""
        hand = self.hand[seat]
        if self.secret[seat]:
            for kind in hand[:]:
                self.leave_hand(seat, kind)
                self.discard[seat].append(kind)
            self.settle_secrets(seat)
        else:
            self.discard[seat].extend(hand)
            self.hand[seat] = []
        if self.known[seat]:
            self.known[seat] = []

    def leave_hand(self, seat: int, kind: int) -> None:
        """A card leaves the hand, seen by all."""
        self.hand[seat].remove(kind)
        known = self.known[seat]
        if kind in known:
            known.remove(kind)
        elif self.secret[seat]:
            self._may_be_secret(seat, kind)

    # -- what was kept in Research ------------------------------------------------------------------------------

    def _may_be_secret(self, seat: int, kind: int) -> None:
        """A card of this kind has just left the hand: was it one that was kept in Research?"""
        unseen = self.hand[seat].count(kind) + self.deck[seat].count(kind)
        secret = self.secret[seat]
        alike = secret.count(kind) + secret.count(kind + OLDER)
        if alike > unseen:
            # There are more in sight than everybody knew of, so it was.
            self._forget_secret(seat, kind if kind in secret else kind + OLDER)
        elif kind < self.cards.supply and self._could_be_kept(kind):
            self.shown = _replaced(self.shown, seat, (*self.shown[seat], kind))

    def _could_be_kept(self, kind: int) -> bool:
        """For all that everybody knows, is a card of this kind in the Supply Deck or kept from it?"""
        if kind in self.supply_deck:
            return True
        return any(kind in secret or kind + OLDER in secret for secret in self.secret)

    def _forget_secret(self, seat: int, entry: int) -> None:
        """One of the secret cards has been recognised."""
        left = list(self.secret[seat])
        left.remove(entry)
        self.secret = _replaced(self.secret, seat, tuple(left))
        shown = list(self.shown[seat])
        if not left:
            shown = []
        elif entry % OLDER in shown:
            shown.remove(entry % OLDER)
        self.shown = _replaced(self.shown, seat, tuple(shown))

    def settle_secrets(self, seat: int) -> None:
        """The whole hand has been shown, and what was kept in Research with it."""
        if len(self.shown[seat]) == len(self.secret[seat]):
            self.secret = _replaced(self.secret, seat, ())
            self.shown = _replaced(self.shown, seat, ())

    # -- the Stationery Supply -----------------------------------------------------------------------------------

    def supply_card(self) -> int:
        """The top card of the Supply Deck; its discard pile becomes the deck on demand (TA-A7). NONE: none is left."""
        deck = self.supply_deck
        size = len(deck)
        if size == 0:
            if not self.supply_discard:
                return NONE
            self.supply_deck = self.supply_discard
            self.supply_discard = deck
            deck = self.supply_deck
            size = len(deck)
            if any(self.secret):
                # What was kept so far came from the deck that is used up.
                self.secret = tuple(tuple(k % OLDER + OLDER for k in secret) for secret in self.secret)
            if self.events is not None:
                self.report("supply_shuffled", "TA-A7", {"count": size})
        r = self.dice.below(size)
        kind = deck[r]
        last = deck.pop()
        if r < size - 1:
            deck[r] = last
        return kind

    def fill_row(self, place: int) -> None:
        """Turn up cards until four lie in the Supply row, the first of them at `place` (NONE: at the end)."""
        row = self.supply_row
        new: list[int] = []
        while len(row) < ROW:
            kind = self.supply_card()
            if kind == NONE:
                break
            row.insert(place if place != NONE else len(row), kind)
            new.append(kind)
        self.revelations += 1
        if self.events is not None and new:
            self.report("row_filled", "TA-2.2", self.named(new))

    # -- Targets -------------------------------------------------------------------------------------------------

    def next_target(self) -> int:
        """The top card of the Target Deck; NONE if it is empty (TA-A6)."""
        deck = self.target_deck
        size = len(deck)
        if size == 0:
            under = self.target_under
            if not under:
                return NONE
            self.target_under = under[1:]
            return under[0]
        r = self.dice.below(size)
        kind = deck[r]
        last = deck.pop()
        if r < size - 1:
            deck[r] = last
        return kind

    def turn_up_target(self, place: int) -> None:
        """The top card of the Target Deck to a place."""
        self.revelations += 1
        kind = self.next_target()
        self.face_up[place] = kind
        if self.events is not None and kind != NONE:
            facts: dict[str, object] = {"target": kind, "name": self.cards.target_names[kind], "place": place}
            self.report("target_revealed", "TA-6.8", facts)

    # -- copies --------------------------------------------------------------------------------------------------

    def copy_from(self, source: Position) -> None:
        """Take over all fields."""
        self.code = source.code
        self.layout = source.layout
        self.quick = source.quick
        self.quick_day = source.quick_day
        self.stack_refill = source.stack_refill
        self.strict_draw = source.strict_draw
        self.may_stop = source.may_stop
        self.open_trophies = source.open_trophies
        self.fewest_targets = source.fewest_targets
        self.departments = source.departments
        self.spaces = source.spaces
        self.phase = source.phase
        self.ask = source.ask
        self.choices = source.choices
        self.day = source.day
        self.starting_player = source.starting_player
        self.current_player = source.current_player
        self.marker_claim = source.marker_claim
        self.attempted = source.attempted
        self.occupant = source.occupant[:]
        self.unplaced = source.unplaced[:]
        self.security = source.security[:]
        self.skipped = source.skipped[:]
        self.lasting = source.lasting
        self.supply_deck = source.supply_deck[:]
        self.supply_discard = source.supply_discard[:]
        self.supply_row = source.supply_row[:]
        self.target_deck = source.target_deck[:]
        self.target_under = source.target_under
        self.face_up = source.face_up[:]
        self.zombie_stack = source.zombie_stack
        self.markers_top = source.markers_top
        self.marker_winner = source.marker_winner
        self.hand = [pile[:] for pile in source.hand]
        self.deck = [pile[:] for pile in source.deck]
        self.discard = [pile[:] for pile in source.discard]
        self.trophies = source.trophies
        self.trashed = source.trashed
        self.played = source.played[:]
        self.known = [pile[:] for pile in source.known]
        self.secret = source.secret
        self.shown = source.shown
        self.target = source.target
        self.here = source.here
        self.pc = source.pc
        self.left = source.left
        self.agreed = source.agreed
        self.returns_to = source.returns_to
        self.looked = source.looked
        self.looked_older = source.looked_older
        self.moving = source.moving
        self.revelations = source.revelations

    def encode(self) -> str:
        return json.dumps(
            {
                "dice": self.dice.encode(),
                "players": self.players,
                "revelations": self.revelations,
                **{name: getattr(self, name) for name in STORED},
            }
        )

    def fill(self, stored: Mapping[str, object]) -> None:
        """Take over all fields from what `encode` wrote."""
        revelations = stored["revelations"]
        assert isinstance(revelations, int)
        self.revelations = revelations
        for name in STORED:
            value = stored[name]
            if name in ("trophies", "secret", "shown"):
                assert isinstance(value, list)
                value = tuple(tuple(pile) for pile in value)
            elif name in TUPLES:
                assert isinstance(value, list)
                value = tuple(value)
            setattr(self, name, value)

    # -- reporting -----------------------------------------------------------------------------------------------

    def report(self, kind: str, clause: str, facts: Mapping[str, object], to: Kinds | None = None) -> None:
        """An event, if somebody listens."""
        if self.events is not None:
            self.events.append(Event(kind, clause, dict(facts), to))

    def named(self, kinds: list[int] | Kinds) -> dict[str, object]:
        """Facts about several cards: their kinds and names."""
        names = self.cards.names
        return {"cards": list(kinds), "names": [names[kind] for kind in kinds]}


def _replaced(piles: tuple[Kinds, ...], seat: int, pile: Kinds) -> tuple[Kinds, ...]:
    """The piles with one seat's replaced."""
    return (*piles[:seat], pile, *piles[seat + 1 :])


replaced = _replaced

TUPLES: Final = (
    "departments",
    "spaces",
    "lasting",
    "target_under",
    "markers_top",
    "marker_winner",
    "trashed",
    "returns_to",
    "looked",
)
STORED: Final = (
    "agreed",
    "ask",
    "attempted",
    "current_player",
    "day",
    "deck",
    "departments",
    "discard",
    "face_up",
    "fewest_targets",
    "hand",
    "here",
    "known",
    "lasting",
    "left",
    "looked",
    "looked_older",
    "marker_claim",
    "marker_winner",
    "markers_top",
    "may_stop",
    "moving",
    "occupant",
    "open_trophies",
    "pc",
    "phase",
    "played",
    "quick",
    "quick_day",
    "returns_to",
    "secret",
    "security",
    "shown",
    "skipped",
    "spaces",
    "stack_refill",
    "starting_player",
    "strict_draw",
    "supply_deck",
    "supply_discard",
    "supply_row",
    "target",
    "target_deck",
    "target_under",
    "trashed",
    "trophies",
    "unplaced",
    "zombie_stack",
)


def decode_into(position: Position, text: str) -> None:
    """Fill a bare position with what `encode` wrote."""
    position.fill(json.loads(text))


def stored_head(text: str) -> tuple[int, Dice]:
    """How many players a stored position has, and its dice."""
    stored = json.loads(text)
    return int(stored["players"]), decode_dice(str(stored["dice"]))
