"""A complete position of Worker Placement, and the few ways in which cards, Cash, Thumbs, cubes and meeples move.

The phases are in modules of their own (`draft`, `auction`, `placement`, `payment`, `consultants`); `rules` runs the
round. Business cards are numbers 0 to 62 (Workers, then Skills, then Management), Jobs 0 to 41, skills 0 to 3.

Both draw piles are multisets where nobody knows their order: a card is drawn at random when it is turned over. Who
knows where a hidden card is, is kept card by card (`knows`), and so is what else can be told of it (`origin`, `semi`,
`blind`), so that `imagine` keeps it.
"""

from __future__ import annotations

import json
from bisect import insort
from collections.abc import Mapping
from typing import Final

from shopfloor.engine.dice import Dice
from shopfloor.engine.events import Event
from shopfloor.engine.native import i64
from shopfloor.engine.state import State
from shopfloor.games.worker_placement.actions import BUSINESS_CARDS, JOBS, make_space
from shopfloor.games.worker_placement.cards import CUBES, Cards

# Phases in which somebody decides; the others of the specification's section 2 pass by themselves. Those from
# LIFE_COACH to RECALL are the small decisions of a placement.
DRAFT_CHOOSE: Final = 0
BID_FIRST: Final = 1
BID_SECOND: Final = 2
AUCTION_PICK: Final = 3
PLACE: Final = 4
LIFE_COACH: Final = 5
CASINO: Final = 6
WORKER: Final = 7
PAYMENT: Final = 8
TARGET: Final = 9
GAIN_CUBE: Final = 10
STEAL_CUBE: Final = 11
REFRESH: Final = 12
RECALLING: Final = 13
HAND_LIMIT: Final = 14
GAME_OVER: Final = 15

PHASE_NAMES: Final = (
    "DRAFT_CHOOSE",
    "BID_FIRST",
    "BID_SECOND",
    "AUCTION_PICK",
    "PLACE",
    "LIFE_COACH",
    "CASINO",
    "WORKER",
    "PAYMENT",
    "TARGET",
    "GAIN_CUBES",
    "STEAL_CUBES",
    "REFRESH_JOBS",
    "RECALL",
    "HAND_LIMIT",
    "GAME_OVER",
)

BUILDINGS: Final = 10
BID_VALUES: Final[tuple[int, ...]] = (1, 2, 2, 2, 3, 3, 4, 5)  # WP-7.2
START_CARDS: Final = 4
START_CASH: Final = 2
START_THUMBS: Final = 2
MEEPLES: Final = 3
DRAFT_CARDS: Final = 3
AUCTION_CARDS: Final = 3
MIN_JOBS: Final = 4
MAX_HAND: Final = 5

NONE: Final = -1
SPECTATOR: Final = 5
EVERYBODY: Final = 63  # in `knows`: a bit a seat, and one for spectators

# Kinds of blind moves (see `blind`).
SPLIT: Final = 0
THEFT: Final = 1

# The seats of a bit mask.
SEATS: Final = tuple(tuple(seat for seat in range(5) if mask >> seat & 1) for mask in range(32))

FIELDS: Final = (
    "rounds",
    "alternate",
    "second_reversed",
    "hide_discards",
    "casino_min",
    "thumbs_cap",
    "unlimited",
    "at_once",
    "phase",
    "pending",
    "round_no",
    "turn",
    "epoch",
    "revelations",
    "preview",
    "playing",
    "script_at",
    "left",
    "victim",
    "plan_card",
    "plan_job",
    "plan_worker",
    "free",
    "recalled",
    "cash",
    "thumbs",
    "reserve",
    "on_track",
    "idle",
    "at",
    "here",
    "cubes",
    "supply",
    "hand",
    "deck",
    "discards",
    "network",
    "network_of",
    "auction",
    "draft",
    "sealed",
    "spaces",
    "bidders",
    "winners",
    "order",
    "place_of",
    "order_cards",
    "claims",
    "jobs",
    "job_deck",
    "job_under",
    "filled",
    "plan_cards",
    "plan_cubes",
    "plan_jobs",
    "drops",
    "bonus",
    "knows",
    "semi",
    "origin",
    "blind",
)
"""What `encode` writes, besides the dice and the number of players."""


class Position(State):
    """All that lies on the table and in the hands. Per-seat lists hold an entry a seat, masks a bit a seat.

    Options: rounds; alternate, second_reversed, hide_discards, unlimited, at_once: flags; casino_min; thumbs_cap
    (0: none).
    phase, pending: what is decided, and a mask of who decides. round_no: from 1. turn: a place in `order`, or in
    `bidders` or `winners`.
    reserve, on_track, idle: meeples. at: those on buildings, 5 * building + seat; here: the same by building.
    cubes: 4 * seat + skill. supply: by skill. hand: ascending cards by seat.
    deck: Business cards to draw, in no order. discards: the last one on top. network, network_of: face-down cards
    at the network and who put them there. auction: face-up cards there. draft: 3 * seat + place: cards dealt and not
    yet split, or NONE. sealed: by seat the split committed, or NONE.
    spaces: by bid space the seat whose meeple is there, or NONE. bidders: who is still to bid. winners: who picks.
    order: seats by position on the track, first to last; place_of: by seat, from 1. order_cards: by seat.
    claims: by seat the position claimed for the next round, or 0.
    jobs: face up. preview: the top of the Job deck, or NONE; job_deck: the rest of it in no order; job_under: below
    that, in order. filled: Jobs by seat.
    playing: the Management card being followed, or NONE; script_at: its step; left: what is still to choose in a
    step; victim: whose cubes are taken. plan_*: choices of a placement that are not yet committed; plan_card: the
    Management card to be played with them. drops: by seat, cards chosen at the hand limit.
    free, recalled: masks: places for nothing this round; has recalled meeples this round.
    bonus: 3 * seat: final bonuses for Thumbs, cubes and cards.
    knows: by Business card, who knows where it is (bits: seats, SPECTATOR). origin: the shuffle (`epoch`) in which
    it last lay in the deck: hidden cards of one shuffle could be one another. semi: who knows all but which of two
    hands holds it since a theft. blind: hidden moves that matter for that: [mask of those who did not see it, kind,
    cards]; the cards of a SPLIT could have gone any way, the first card of a THEFT could have been any of the others.
    ready: the legal actions of a decider, once they are asked for; asked: of whom.
    """

    __slots__ = (
        *FIELDS[: FIELDS.index("revelations")],
        *FIELDS[FIELDS.index("revelations") + 1 :],
        "asked",
        "cards",
        "ready",
    )

    def __init__(self, players: int, cards: Cards, dice: Dice, source: Position | None = None) -> None:
        """A bare table, or a copy of `source`."""
        space = make_space(cards.business_ids, cards.job_ids) if source is None else source.space
        State.__init__(self, players, space, dice)
        self.cards: Cards = cards
        self.ready: tuple[int, ...] | None = None
        self.asked: i64 = NONE
        if source is not None:
            self._copy(source)
            return
        n = players
        self.rounds: int = 8
        self.alternate: bool = False
        self.second_reversed: bool = False
        self.hide_discards: bool = False
        self.casino_min: i64 = 1
        self.thumbs_cap: i64 = 0
        self.unlimited: bool = False
        self.at_once: bool = False
        self.phase: i64 = DRAFT_CHOOSE
        self.pending: i64 = 0
        self.round_no: int = 1
        self.turn: i64 = 0
        self.epoch: i64 = 0
        self.preview: i64 = NONE
        self.playing: i64 = NONE
        self.script_at: i64 = 0
        self.left: i64 = 0
        self.victim: i64 = NONE
        self.plan_card: i64 = NONE
        self.plan_job: i64 = NONE
        self.plan_worker: i64 = NONE
        self.free: i64 = 0
        self.recalled: i64 = 0
        self.cash: list[int] = [START_CASH] * n
        self.thumbs: list[int] = [START_THUMBS] * n
        self.reserve: list[int] = [MEEPLES] * n
        self.on_track: list[int] = [0] * n
        self.idle: list[int] = [0] * n
        self.at: list[int] = [0] * (5 * BUILDINGS)
        self.here: list[int] = [0] * BUILDINGS
        self.cubes: list[int] = [0] * (4 * n)
        self.supply: list[int] = [CUBES] * 4
        self.hand: list[list[int]] = [[] for _ in range(n)]
        self.deck: list[int] = list(range(BUSINESS_CARDS))
        self.discards: list[int] = []
        self.network: list[int] = []
        self.network_of: list[int] = []
        self.auction: list[int] = []
        self.draft: list[int] = [NONE] * (DRAFT_CARDS * n)
        self.sealed: list[int] = [NONE] * n
        self.spaces: list[int] = [NONE] * 8
        self.bidders: list[int] = []
        self.winners: list[int] = []
        self.order: list[int] = []
        self.place_of: list[int] = [0] * n
        self.order_cards: list[int] = [0] * n
        self.claims: list[int] = [0] * n
        self.jobs: list[int] = []
        self.job_deck: list[int] = list(range(JOBS))
        self.job_under: list[int] = []
        self.filled: list[list[int]] = [[] for _ in range(n)]
        self.plan_cards: list[int] = []
        self.plan_cubes: list[int] = [0] * 4
        self.plan_jobs: list[int] = []
        self.drops: list[list[int]] = [[] for _ in range(n)]
        self.bonus: list[int] = [0] * (3 * n)
        self.knows: list[int] = [0] * BUSINESS_CARDS
        self.semi: list[int] = [0] * BUSINESS_CARDS
        self.origin: list[int] = [0] * BUSINESS_CARDS
        self.blind: list[list[int]] = []

    # -- Cash and Thumbs: nothing else changes them (WP-I4) -----------------------------------------------------

    def add_cash(self, seat: int, amount: int, reason: str, clause: str) -> None:
        """Move a Cash token; a loss must be payable (WP-3.2) or cut off before (WP-3.3)."""
        if amount == 0:
            return
        self.cash[seat] = self.cash[seat] + amount
        if self.events is not None:
            facts: dict[str, object] = {"seat": seat, "amount": amount, "cash": self.cash[seat], "reason": reason}
            self.report("cash_changed", clause, facts)

    def add_thumbs(self, seat: int, amount: int, reason: str, clause: str) -> None:
        """Move a Thumbs token, up to the end of the track if the table agreed on one (WP-A17)."""
        if self.thumbs_cap and self.thumbs[seat] + amount > self.thumbs_cap:
            amount = self.thumbs_cap - self.thumbs[seat]
        if amount == 0:
            return
        self.thumbs[seat] = self.thumbs[seat] + amount
        if self.events is not None:
            facts: dict[str, object] = {"seat": seat, "amount": amount, "thumbs": self.thumbs[seat], "reason": reason}
            self.report("thumbs_changed", clause, facts)

    # -- cubes ----------------------------------------------------------------------------------------------------

    def has_supply(self, skill: int) -> bool:
        """May a cube of this skill be taken (WP-A18)?"""
        return self.supply[skill] > 0 or self.unlimited

    def take_cube(self, seat: int, skill: int, reason: str, clause: str) -> None:
        self.cubes[4 * seat + skill] = self.cubes[4 * seat + skill] + 1
        self.supply[skill] = self.supply[skill] - 1
        if self.events is not None:
            self.report("cube_taken", clause, {"seat": seat, "skill": skill, "reason": reason})

    # -- Business cards -------------------------------------------------------------------------------------------

    def draw(self) -> int:
        """Take a card off the draw pile, shuffling the discards if need be (WP-6.5, WP-A25). NONE: there is none."""
        deck = self.deck
        if not deck:
            if not self.discards:
                return NONE
            self.reshuffle()
            deck = self.deck
        size = len(deck)
        r = self.dice.below(size)
        card = deck[r]
        last = deck.pop()
        if r < size - 1:
            deck[r] = last
        if size == 1 and self.at_once and self.discards:
            self.reshuffle()
        return card

    def reshuffle(self) -> None:
        """The discards become the draw pile."""
        self.epoch += 1
        epoch = self.epoch
        for card in self.discards:
            self.origin[card] = epoch
            self.knows[card] = 0
            self.semi[card] = 0
            if self.blind:
                self._settle(card)
        if self.hide_discards:
            # Some of these lay face down: which cards went into the new pile and which are in hands, nobody can tell.
            self.origin = [epoch] * BUSINESS_CARDS
        self.deck = self.deck + self.discards
        self.discards = []
        if self.events is not None:
            self.report("deck_shuffled", "WP-6.5", {"count": len(self.deck)})

    def draw_to_hand(self, seat: int, number: int, clause: str) -> None:
        """Draw so many cards, as far as there are any."""
        drawn = []
        for _ in range(number):
            card = self.draw()
            if card == NONE:
                break
            self.knows[card] = 1 << seat
            insort(self.hand[seat], card)
            drawn.append(card)
        if drawn:
            self.revelations += 1
            if self.events is not None:
                self.report("cards_drawn", clause, {"seat": seat, "count": len(drawn)})
                facts: dict[str, object] = {"seat": seat, "cards": drawn[:], "names": self.card_names(drawn)}
                self.report("cards_seen", clause, facts, (seat,))

    def show(self, card: int) -> None:
        """Everybody sees this card and where it goes."""
        self.knows[card] = EVERYBODY
        self.semi[card] = 0
        if self.blind:
            self._settle(card)

    def _settle(self, card: int) -> None:
        """Hidden moves of a card that has been seen are hidden no more."""
        kept: list[list[int]] = []
        for entry in self.blind:
            if entry[1] == THEFT and entry[2] == card:
                continue
            cards = entry[2:]
            if card in cards:
                cards.remove(card)
            if len(cards) > 1:
                kept.append(entry[:2] + cards)
        self.blind = kept

    def discard(self, card: int) -> None:
        """Put a card openly on the discard pile."""
        self.show(card)
        self.discards.append(card)

    def discard_unseen(self, card: int) -> None:
        """Put a card on the discard pile that was not shown before: it is seen if discards are (WP-A9)."""
        if self.hide_discards:
            self.discards.append(card)
        else:
            self.discard(card)

    def card_names(self, cards: list[int]) -> list[str]:
        names = self.cards.business_names
        return [names[card] for card in cards]

    def job_names(self, jobs: list[int]) -> list[str]:
        names = self.cards.job_names
        return [names[job] for job in jobs]

    # -- Jobs -----------------------------------------------------------------------------------------------------

    def jobs_in_deck(self) -> int:
        """How many Job cards the deck has, the preview included."""
        return len(self.job_deck) + len(self.job_under) + (1 if self.preview != NONE else 0)

    def deal_job(self) -> int:
        """Take the top of the Job deck: the preview first. NONE: the deck is empty."""
        job = self.preview
        if job != NONE:
            self.preview = NONE
            return job
        deck = self.job_deck
        size = len(deck)
        if size:
            r = self.dice.below(size)
            job = deck[r]
            last = deck.pop()
            if r < size - 1:
                deck[r] = last
            self.revelations += 1
            return job
        if self.job_under:
            job = self.job_under[0]
            self.job_under = self.job_under[1:]
        return job

    def turn_preview(self, clause: str) -> None:
        """Turn the top card of the Job deck face up, unless it is already (WP-5.3, WP-A29)."""
        if self.preview != NONE:
            return
        job = self.deal_job()
        self.preview = job
        if job != NONE and self.events is not None:
            self.report("preview_turned", clause, {"job": job, "name": self.cards.job_names[job]})

    # -- meeples --------------------------------------------------------------------------------------------------

    def unplaced(self, seat: int) -> int:
        return self.reserve[seat] + self.on_track[seat]

    def take_meeple(self, seat: int) -> None:
        """The next meeple to place: the one on the order track comes last (WP-8.2)."""
        if self.reserve[seat]:
            self.reserve[seat] = self.reserve[seat] - 1
        else:
            self.on_track[seat] = self.on_track[seat] - 1

    # -- plans ----------------------------------------------------------------------------------------------------

    def drop_plan(self) -> None:
        """Forget the choices of a placement that are not committed."""
        self.plan_card = NONE
        self.plan_job = NONE
        self.plan_worker = NONE
        self.plan_cards = []
        self.plan_cubes = [0, 0, 0, 0]
        self.plan_jobs = []

    # -- reporting, copies ----------------------------------------------------------------------------------------

    def report(self, kind: str, clause: str, facts: Mapping[str, object], to: tuple[int, ...] | None = None) -> None:
        if self.events is not None:
            self.events.append(Event(kind, clause, dict(facts), to))

    def _copy(self, source: Position) -> None:
        self.rounds = source.rounds
        self.alternate = source.alternate
        self.second_reversed = source.second_reversed
        self.hide_discards = source.hide_discards
        self.casino_min = source.casino_min
        self.thumbs_cap = source.thumbs_cap
        self.unlimited = source.unlimited
        self.at_once = source.at_once
        self.phase = source.phase
        self.pending = source.pending
        self.round_no = source.round_no
        self.turn = source.turn
        self.epoch = source.epoch
        self.revelations = source.revelations
        self.preview = source.preview
        self.playing = source.playing
        self.script_at = source.script_at
        self.left = source.left
        self.victim = source.victim
        self.plan_card = source.plan_card
        self.plan_job = source.plan_job
        self.plan_worker = source.plan_worker
        self.free = source.free
        self.recalled = source.recalled
        self.cash = source.cash[:]
        self.thumbs = source.thumbs[:]
        self.reserve = source.reserve[:]
        self.on_track = source.on_track[:]
        self.idle = source.idle[:]
        self.at = source.at[:]
        self.here = source.here[:]
        self.cubes = source.cubes[:]
        self.supply = source.supply[:]
        self.hand = [cards[:] for cards in source.hand]
        self.deck = source.deck[:]
        self.discards = source.discards[:]
        self.network = source.network[:]
        self.network_of = source.network_of[:]
        self.auction = source.auction[:]
        self.draft = source.draft[:]
        self.sealed = source.sealed[:]
        self.spaces = source.spaces[:]
        self.bidders = source.bidders[:]
        self.winners = source.winners[:]
        self.order = source.order[:]
        self.place_of = source.place_of[:]
        self.order_cards = source.order_cards[:]
        self.claims = source.claims[:]
        self.jobs = source.jobs[:]
        self.job_deck = source.job_deck[:]
        self.job_under = source.job_under[:]
        self.filled = [jobs[:] for jobs in source.filled]
        self.plan_cards = source.plan_cards[:]
        self.plan_cubes = source.plan_cubes[:]
        self.plan_jobs = source.plan_jobs[:]
        self.drops = [cards[:] for cards in source.drops]
        self.bonus = source.bonus[:]
        self.knows = source.knows[:]
        self.semi = source.semi[:]
        self.origin = source.origin[:]
        self.blind = [entry[:] for entry in source.blind]
        self.ready = source.ready
        self.asked = source.asked

    def encode(self) -> str:
        values = [getattr(self, name) for name in FIELDS]
        return json.dumps([self.dice.encode(), self.players, *values], separators=(",", ":"))
