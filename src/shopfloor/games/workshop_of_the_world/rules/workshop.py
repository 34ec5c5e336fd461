"""The game as a whole: set-up, who decides, what is legal, what a seat can imagine (WW-3, section 2)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from shopfloor.engine.dice import Dice, decode_dice
from shopfloor.games.workshop_of_the_world.actions import (
    BID,
    BIDS,
    COUNTER,
    END_TURN,
    FIST,
    FIST_B,
    GAMBLE,
    MOST_BID,
    MOST_RAISED,
    PASS,
    RAISE,
    REMOVE,
    SELECT,
    USE_CARD,
)
from shopfloor.games.workshop_of_the_world.cards import Box
from shopfloor.games.workshop_of_the_world.rules.position import (
    AUCTION_BID,
    AUCTION_SELECT,
    DEMAND_1,
    FIST_1,
    FIST_2,
    FIST_PAYMENTS,
    FIST_TIES,
    GAME_OVER,
    NONE,
    PHASE_NAMES,
    PICK_CARD,
    SEATS,
    TURN_CARD,
    TURN_LINK_1,
    TURN_LINK_2,
    TURN_PLACE,
    TURN_RELOCATE,
    TURN_REMOVE,
)
from shopfloor.games.workshop_of_the_world.rules.refusing import Refusing

# Ready-made lists of which legal lists are cut.
ALL_BIDS: Final = tuple(range(BID, BID + BIDS))
ALL_RAISES: Final = tuple(range(RAISE, RAISE + MOST_RAISED))
ALL_FISTS: Final[tuple[tuple[int, ...], ...]] = (tuple(range(FIST, FIST + BIDS)), tuple(range(FIST_B, FIST_B + BIDS)))
JUST_PASS: Final[tuple[int, ...]] = (PASS,)
JUST_END: Final[tuple[int, ...]] = (END_TURN,)
NOTHING: Final[tuple[int, ...]] = ()

FAR_TOO_LARGE: Final = 1 << 30


class Workshop(Refusing):
    """A complete position of Workshop of the World; see `Position` for what it holds."""

    __slots__ = ()

    # -- 3. Set-up ----------------------------------------------------------------------------------------------

    def prepare(self) -> None:
        """Pieces, cash, markers, the deck, and Demand 1 (WW-3, WW-21.1 to WW-21.5)."""
        n = self.players
        # WW-3.3, WW-3.4, WW-A.58: one marker on the Turn order chart a set, one on the Revenue track a player.
        markers = [2 if colour % self.mate == 0 else 1 for colour in range(self.sets)]
        self.supply_industry = [self.box.industries - m for m in markers]
        if self.mate == 1:
            chart = list(range(n))
            for i in range(n - 1, 0, -1):
                j = self.dice.below(i + 1)
                chart[i], chart[j] = chart[j], chart[i]
            self.order = chart
        self.shuffle_all()
        self.unseen = list(self.box.other_cards)
        self.setup_left = list(self.box.setup_cards)
        if self.events is not None:
            facts: dict[str, object] = {"players": n, "order": self.order[:], "cash": self.cash[0]}
            self.report("game_began", "WW-3.4" if n > 2 else "WW-21.2", facts)
        self.begin_demand(DEMAND_1)

    # -- deciding ------------------------------------------------------------------------------------------------

    def deciders(self) -> tuple[int, ...]:
        return SEATS[self.pending]

    def legal(self, seat: int) -> tuple[int, ...]:
        if not 0 <= seat < self.players or not self.pending >> seat & 1:
            return NOTHING
        return self.choices(seat)

    def choices(self, seat: int) -> tuple[int, ...]:
        """What a decider may choose."""
        raises = NOTHING
        pounds = self.revenue[seat] // 2
        if pounds and (self.hand_raise or not self.auto_raise):
            raises = ALL_RAISES[: pounds if pounds < MOST_RAISED else MOST_RAISED]
        phase = self.phase
        if phase == AUCTION_BID:
            top = self.spendable(seat)
            low = self.high + 1
            bids = ALL_BIDS[low : top + 1] if top >= low else NOTHING
            if not self.must_bid():
                return JUST_PASS + raises + bids
            if not bids and self.broke(seat):
                bids = ALL_BIDS[1:2]  # WW-A.12
            return raises + bids
        if phase == TURN_LINK_1:
            found = self.buildable()
            if not found:
                return JUST_END + raises
            singles = []
            doubles = []
            for c in found:
                if self.capacity[c] == 1:
                    singles.append(self.build_base + c)
                else:
                    doubles.append(self.double_base + c)
            return JUST_END + raises + tuple(singles + doubles)
        if phase == TURN_LINK_2:
            return JUST_END + raises + tuple([self.build_base + c for c in self.buildable()])
        if phase == TURN_PLACE:
            town = self.card_towns[self.held]
            if town >= 0:
                only = (self.place_base + town,)
                return raises + only
            return raises + tuple([self.place_base + t for t in self.towns_of_value[self.card_values[self.held]]])
        if phase == AUCTION_SELECT:
            return raises + tuple([SELECT + card for card in sorted(self.face_up)])
        if phase == PICK_CARD:
            return raises + tuple([self.take_base + card for card in sorted(self.face_up)])
        if phase == TURN_REMOVE:
            return tuple([REMOVE + colour for colour in self.removable(self.town)]) + raises
        if phase == TURN_CARD:
            return (USE_CARD, GAMBLE, *raises)
        if phase in (FIST_1, FIST_2):
            return raises + self._fists(seat)
        if phase == TURN_RELOCATE:
            own = [t for t in range(len(self.load)) if self.industries[t * self.sets + self.active]]
            return raises + tuple([self.relocate_base + t for t in own])
        return tuple(self.legal_counters(seat)) + raises

    def _fists(self, seat: int) -> tuple[int, ...]:
        """Every amount that can be paid, with each set that has not played (WW-A.54, WW-A.55)."""
        low = 1
        top = min(self.spendable(seat), MOST_BID)
        if self.broke(seat):
            low = 0
            top = 0
        if top < low:
            return NOTHING
        first, second = self.fist_choices(seat)
        found = ALL_FISTS[0][low : top + 1] if first else NOTHING
        return found + ALL_FISTS[1][low : top + 1] if second else found

    def play(self, seat: int, action: int) -> None:
        # Compiled, numbers of actions are reckoned with as machine integers: what is far too large is no action.
        if not 0 <= seat < self.players or not self.pending >> seat & 1 or not 0 <= action < FAR_TOO_LARGE:
            self.refuse(seat, action)
        if RAISE <= action < BID:
            pounds = action - RAISE + 1
            if 2 * pounds > self.revenue[seat] or not self.may_raise():
                self.refuse(seat, action)
            self.raise_cash(seat, pounds, "WW-10.1")
            return
        phase = self.phase
        if phase == AUCTION_BID:
            if action == PASS:
                if self.must_bid():
                    self.refuse(seat, action)
                self.pass_bid()
                return
            pounds = action - BID
            if not BID <= action < FIST or pounds <= self.high:
                self.refuse(seat, action)
            if pounds > self.spendable(seat) and not (pounds == 1 and self.must_bid() and self.broke(seat)):
                self.refuse(seat, action)
            self.bid(pounds)
        elif phase in (TURN_LINK_1, TURN_LINK_2):
            if action == END_TURN:
                self.end_turn()
                return
            c = action - self.build_base
            links = 1
            if action >= self.double_base:
                c = action - self.double_base
                links = 2
            if c < 0 or c >= len(self.owner) or self.capacity[c] != links or c not in self.buildable():
                self.refuse(seat, action)
            self.build(c)
        elif phase == TURN_PLACE:
            town = action - self.place_base
            card_town = self.card_towns[self.held]
            if card_town >= 0:
                if town != card_town:
                    self.refuse(seat, action)
            elif not 0 <= town < len(self.load) or self.town_values[town] != self.card_values[self.held]:
                self.refuse(seat, action)
            self.place(town)
        elif phase in (FIST_1, FIST_2):
            if not FIST <= action < SELECT or self.fist_refusal(seat, action - FIST) is not None:
                self.refuse(seat, action)
            self.hold_out(seat, action)
        elif phase == AUCTION_SELECT:
            if action - SELECT not in self.face_up:
                self.refuse(seat, action)
            self.select(action - SELECT)
        else:
            self._play_rare(seat, action)

    def _play_rare(self, seat: int, action: int) -> None:
        """The decisions that come up less often."""
        if action not in self.choices(seat):
            self.refuse(seat, action)
        phase = self.phase
        if phase == PICK_CARD:
            self.take_card(action - self.take_base)
        elif phase == TURN_REMOVE:
            self.remove(action - REMOVE)
        elif phase == TURN_CARD:
            if action == GAMBLE:
                self.gamble()
            else:
                self.use_card()
        elif phase == TURN_RELOCATE:
            self.lift(action - self.relocate_base)
        else:
            self.choose_counters(seat, action)

    # -- copies --------------------------------------------------------------------------------------------------

    def clone(self) -> Workshop:
        return Workshop(self.players, self.box, self.dice.clone(), self)

    def imagine(self, seat: int, dice: Dice) -> Workshop:
        """Deals the counters that the others may hold anew, out of all that this seat has not seen.

        Cash can be added up by everybody from what is public, so it stays (WW-D.6). Choices that lie sealed are drawn
        from what the imagined seat may choose.
        """
        s = self.clone()
        s.dice = dice
        s.unseen.sort()  # its order carries nothing, not even by how it came about
        s.setup_left.sort()
        if s.phase == GAME_OVER:  # counters are shown then
            return s
        sizes = [s.held_counters(other) for other in range(s.players)]
        left = sum(s.pool)
        for other in range(s.players):
            if other != seat:
                left += sizes[other]
                for t in range(5):
                    s.pool[t] = s.pool[t] + s.counters[5 * other + t]
                    s.counters[5 * other + t] = 0
        for other in range(s.players):
            if other != seat:
                for _ in range(sizes[other]):
                    s.counters[5 * other + s.draw_counter(left)] += 1
                    left -= 1
        for other in range(s.players):
            if other != seat and s.sealed[other] != NONE:
                sealed = [action for action in s.choices(other) if COUNTER <= action < REMOVE or action >= FIST]
                s.sealed[other] = sealed[dice.below(len(sealed))]
        return s

    def reopen(self) -> None:
        for seat in range(self.players):
            if self.sealed[seat] != NONE:
                self.sealed[seat] = NONE
                self.pending |= 1 << seat

    def encode(self) -> str:
        return json.dumps(
            [
                self.dice.encode(),
                self.players,
                [
                    *(self.auto_raise, self.hand_raise, self.debt, self.opponents_first, self.relocate),
                    *(self.regamble, self.per_link, self.crossing, self.open_cash, self.finite, self.two_faces),
                    *(self.merged, self.random_demand, self.gambled, self.lifted, self.rebid),
                ],
                [
                    *(self.fist_payment, self.fist_tie, self.phase, self.pending, self.era, self.round_no),
                    *(self.turns, self.deck_size, self.aside_size, self.lot, self.high, self.high_bidder),
                    *(self.initiator, self.active, self.held, self.town, self.first, self.second),
                    *(self.last_loser, self.bank, self.revelations),
                ],
                [
                    *(self.order, self.next_order, self.queue, self.setup_left, self.unseen, self.face_up),
                    *(self.taken, self.discard, self.bids, self.sealed, self.cash, self.revenue, self.returned),
                    *(self.owed, self.counters, self.demand, self.pool, self.industries, self.load, self.owner),
                    *(self.supply_industry, self.supply_link),
                ],
            ]
        )

    def __reduce__(self) -> tuple[object, tuple[str, Box]]:
        return (decode, (self.encode(), self.box))

    def __repr__(self) -> str:
        lines = [f"Workshop of the World, {self.players} players, era {self.era}, round {self.round_no}"]
        lines.append(f"  {PHASE_NAMES[self.phase]}, to decide {list(self.deciders())}, order {self.order}")
        lines.append(f"  face up {self.face_up}, lot {self.lot}, high {self.high}, held {self.held}")
        lines.append(f"  deck {self.deck_size}, set aside {self.aside_size}, demand {self.demand}")
        for seat in range(self.players):
            held = self.counters[5 * seat : 5 * seat + 5]
            lines.append(f"  {seat}: cash {self.cash[seat]}, revenue {self.revenue[seat]}, counters {held}")
        return "\n".join(lines)


def start(players: int, dice: Dice, options: Mapping[str, str], edition: Box, report: bool = False) -> Workshop:
    """A new game for 2 to 5 players, up to the first decision of Create Demand 1.

    options: all of the game's table options. report: report events from the first card on.
    """
    s = Workshop(players, edition, dice)
    s.auto_raise = options["auto_raise"] == "on"
    s.hand_raise = options["hand_raise"] == "on"
    s.debt = options["broke_rule"] == "debt"
    s.opponents_first = options["removal"] == "opponents_first"
    s.relocate = options["industry_shortage"] == "relocate"
    s.regamble = options["regamble"] == "on"
    s.per_link = options["revenue_timing"] == "per_link"
    s.crossing = options["crossing"] == "literal"
    s.open_cash = options["cash_visible"] == "on"
    s.finite = options["finite_bank"] != "off"
    if players == 2:
        s.two_faces = options["two_player_faceup"] == "2"
        s.merged = options["two_player_sets"] == "merged"
        s.random_demand = options["demand1_two"] == "random_order"
        s.fist_payment = FIST_PAYMENTS.index(options["fist_payment"])
        s.fist_tie = FIST_TIES.index(options["fist_tie"])
    if s.finite:
        s.bank = int(options["finite_bank"]) - sum(s.cash)  # WW-A.47: the start money comes out of the box too
    if report:
        s.listen()
    s.prepare()
    return s


def decode(text: str, edition: Box) -> Workshop:
    """The state that `Workshop.encode` wrote."""
    dice, players, flags, numbers, lists = json.loads(text)
    s = Workshop(int(players), edition, decode_dice(dice))
    f = [bool(flag) for flag in flags]
    s.auto_raise, s.hand_raise, s.debt, s.opponents_first, s.relocate = f[0], f[1], f[2], f[3], f[4]
    s.regamble, s.per_link, s.crossing, s.open_cash, s.finite, s.two_faces = f[5], f[6], f[7], f[8], f[9], f[10]
    s.merged, s.random_demand, s.gambled, s.lifted, s.rebid = f[11], f[12], f[13], f[14], f[15]
    n = [int(number) for number in numbers]
    s.fist_payment, s.fist_tie, s.phase, s.pending, s.era, s.round_no = n[0], n[1], n[2], n[3], n[4], n[5]
    s.turns, s.deck_size, s.aside_size, s.lot, s.high, s.high_bidder = n[6], n[7], n[8], n[9], n[10], n[11]
    s.initiator, s.active, s.held, s.town, s.first, s.second = n[12], n[13], n[14], n[15], n[16], n[17]
    s.last_loser, s.bank, s.revelations = n[18], n[19], n[20]
    piles = [[int(v) for v in pile] for pile in lists]
    s.order, s.next_order, s.queue, s.setup_left, s.unseen, s.face_up = piles[0:6]
    s.taken, s.discard, s.bids, s.sealed, s.cash, s.revenue, s.returned = piles[6:13]
    s.owed, s.counters, s.demand, s.pool, s.industries, s.load, s.owner = piles[13:20]
    s.supply_industry, s.supply_link = piles[20:22]
    return s
