"""The rules of Worker Placement (docs/rules/worker_placement.md): the round, its six Actions, and the end of the game.

The Actions that need more room are in modules of their own: `draft`, `auction`, `placement`, with `payment` for Jobs
and `consultants` for Management cards. `position` is the table, `reasons` says why something is not allowed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import ClassVar, Final

from shopfloor.engine.dice import Dice, decode_dice
from shopfloor.engine.refusals import IllegalAction, Refusal
from shopfloor.engine.state import Rank, Standing
from shopfloor.games.worker_placement import auction, city, consultants, draft, imagination, payment, placement, reasons
from shopfloor.games.worker_placement.actions import CARD, DONE
from shopfloor.games.worker_placement.cards import Cards
from shopfloor.games.worker_placement.effects import END_CASH, END_CASH_PER_THUMBS
from shopfloor.games.worker_placement.position import (
    AUCTION_PICK,
    BID_SECOND,
    BUILDINGS,
    CASINO,
    DRAFT_CHOOSE,
    EVERYBODY,
    FIELDS,
    GAME_OVER,
    HAND_LIMIT,
    LIFE_COACH,
    MAX_HAND,
    MIN_JOBS,
    NONE,
    PAYMENT,
    PHASE_NAMES,
    PLACE,
    SEATS,
    START_CARDS,
    WORKER,
    Position,
)

CRITERIA: Final = ("cash", "thumbs", "position")
NOTHING: Final[tuple[int, ...]] = ()


class WorkerPlacement(Position):
    """A game of Worker Placement. What the fields mean is said in `Position`."""

    __slots__ = ()

    game: ClassVar[str] = "worker_placement"

    # -- 2. Set-up --------------------------------------------------------------------------------------------

    def prepare(self) -> None:
        """Four Business cards each (WP-2.3); the rest stands as it was made. Then the first round."""
        if self.events is not None:
            self.report("game_began", "WP-2.7", {"players": self.players, "rounds": self.rounds})
        for seat in range(self.players):
            dealt = sorted([self.draw() for _ in range(START_CARDS)])
            self.hand[seat] = dealt
            for card in dealt:
                self.knows[card] = 1 << seat
            if self.events is not None:
                facts: dict[str, object] = {"seat": seat, "cards": dealt[:], "names": self.card_names(dealt)}
                self.report("hand_dealt", "WP-2.3", facts, (seat,))
        self._begin_round()

    # -- deciding ---------------------------------------------------------------------------------------------

    def deciders(self) -> tuple[int, ...]:
        return SEATS[self.pending]

    def over(self) -> bool:
        return self.phase == GAME_OVER

    def legal(self, seat: int) -> tuple[int, ...]:
        if not 0 <= seat < self.players or not self.pending >> seat & 1:
            return NOTHING
        ready = self.ready
        if ready is None or self.asked != seat:
            ready = self._legal(seat)
            self.ready = ready
            self.asked = seat
        return ready

    def _legal(self, seat: int) -> tuple[int, ...]:
        phase = self.phase
        if phase == PLACE:
            return placement.legal(self, seat)
        if phase == DRAFT_CHOOSE:
            return draft.legal_splits(self, seat)
        if phase == HAND_LIMIT:
            return self._legal_drops(seat)
        if phase <= BID_SECOND:
            return auction.legal_bids(self, seat)
        if phase == AUCTION_PICK:
            return auction.legal_picks(self)
        if phase == PAYMENT:
            return payment.legal_payment(self, seat)
        if phase == WORKER:
            return payment.legal_workers(self, seat)
        if phase == LIFE_COACH:
            return city.legal_takes(self)
        if phase == CASINO:
            return placement.legal_swaps(self, seat)
        return consultants.legal(self, seat)

    def play(self, seat: int, action: int) -> None:
        if action not in self.legal(seat):
            refusal = self.refusal(seat, action)
            assert refusal is not None, "a refused action has a reason"
            raise IllegalAction(refusal)
        self.ready = None
        phase = self.phase
        if phase == PLACE:
            if placement.place(self, seat, action):
                self._next_placement()
        elif phase <= BID_SECOND:
            if phase == DRAFT_CHOOSE:
                if draft.commit(self, seat, action):
                    draft.carry_out(self)
                    auction.open_auction(self)
            elif auction.bid(self, seat, action):
                self._begin_placing()
        elif phase == AUCTION_PICK:
            if auction.pick(self, seat, action):
                self._begin_placing()
        elif phase == HAND_LIMIT:
            self._drop(seat, action)
        elif self._choose(seat, action):
            self._next_placement()

    def _choose(self, seat: int, action: int) -> bool:
        """A small decision of a placement. True: the placement is complete."""
        phase = self.phase
        if phase in (WORKER, PAYMENT):
            return payment.choose(self, seat, action) and placement.commit_job(self, seat)
        if phase == LIFE_COACH:
            done = placement.coach(self, seat, action)
        elif phase == CASINO:
            done = placement.casino(self, seat, action)
        else:
            return consultants.choose(self, seat, action)
        if done:
            self.phase = PLACE
        return done

    def refusal(self, seat: int, action: int) -> Refusal | None:
        if self.phase == GAME_OVER:
            return Refusal("GAME_OVER", "WP-12.2", {})
        if not 0 <= seat < self.players or not self.pending >> seat & 1:
            return Refusal("NOT_YOUR_DECISION", "WP-8.1", {"seat": seat, "deciders": list(self.deciders())})
        if action in self.legal(seat):
            return None
        return reasons.why(self, seat, action)

    # -- 3. Round frame ---------------------------------------------------------------------------------------

    def _begin_round(self) -> None:
        """Actions 1 to 3, up to the drafted cards (WP-3.1)."""
        if self.events is not None:
            self.report("round_began", "WP-3.1", {"round": self.round_no, "rounds": self.rounds})
        self.free = 0
        self.recalled = 0
        self._determine_order()
        self._reveal_jobs()
        draft.deal(self)
        if self.pending == 0:  # no cards anywhere
            auction.open_auction(self)

    # -- 4. Action 1: Determine Player Order ------------------------------------------------------------------

    def _determine_order(self) -> None:
        """Order card and Thumbs together, the highest first; ties by Thumbs (WP-4.1 to WP-4.4)."""
        n = self.players
        cards = list(range(1, n + 1))
        self.order_cards = [cards.pop(self.dice.below(len(cards))) for _ in range(n)]
        self.revelations += 1
        scores = [self.order_cards[seat] + self.thumbs[seat] for seat in range(n)]
        ranked = [seat for _, _, seat in sorted([(-scores[seat], -self.thumbs[seat], seat) for seat in range(n)])]
        self.order = self._with_claims(ranked)
        for i in range(n):
            self.place_of[self.order[i]] = i + 1
        claims = self.claims
        self.claims = [0] * n
        for seat in range(n):
            self.reserve[seat] = self.reserve[seat] - 1
            self.on_track[seat] = self.on_track[seat] + 1
        if self.events is not None:
            self.report("order_dealt", "WP-4.1", {"seats": list(range(n)), "cards": self.order_cards[:]})
            facts: dict[str, object] = {
                "seats": self.order[:],
                "scores": [scores[seat] for seat in self.order],
                "claims": [claims[seat] for seat in self.order],
            }
            self.report("order_set", "WP-4.2", facts)

    def _with_claims(self, ranked: list[int]) -> list[int]:
        """Claimants first take their positions, those who miss them the next free ones (WP-A31, WP-A37)."""
        n = self.players
        if not any(self.claims):
            return ranked
        order = [NONE] * n
        late = []
        for seat in ranked:
            claim = self.claims[seat]
            if claim:
                if order[claim - 1] == NONE:
                    order[claim - 1] = seat
                else:
                    late.append(seat)
        for seat in late:
            # The next free position after the claimed one; behind the last, the first that is free.
            claim = self.claims[seat]
            for i in [*range(claim, n), *range(claim)]:
                if order[i] == NONE:
                    order[i] = seat
                    break
        rest = [seat for seat in ranked if not self.claims[seat]]
        for seat in rest:
            order[order.index(NONE)] = seat
        return order

    # -- 5. Action 2: Reveal New Jobs -------------------------------------------------------------------------

    def _reveal_jobs(self) -> None:
        """Up to max(N, 4) Jobs face up, then the preview (WP-5.1 to WP-5.4)."""
        dealt = []
        wanted = max(self.players, MIN_JOBS) - len(self.jobs)
        for _ in range(wanted):
            job = self.deal_job()
            if job == NONE:
                break
            dealt.append(job)
        self.jobs += dealt
        if dealt and self.events is not None:
            clause = "WP-5.1" if self.round_no == 1 else "WP-5.2"
            self.report("jobs_revealed", clause, {"jobs": dealt[:], "names": self.job_names(dealt)})
        self.turn_preview("WP-5.3")

    # -- 8. Action 5: Place Workers ---------------------------------------------------------------------------

    def _begin_placing(self) -> None:
        self.phase = PLACE
        self.turn = 0
        self.pending = 1 << self.order[0]

    def _next_placement(self) -> None:
        """The next in track order who has a meeple left; nobody: the round ends (WP-8.1, WP-A38)."""
        n = self.players
        for step in range(1, n + 1):
            turn = (self.turn + step) % n
            seat = self.order[turn]
            if self.reserve[seat] or self.on_track[seat]:
                self.turn = turn
                self.pending = 1 << seat
                return
        self._reset()

    # -- 12. Action 6: Reset ----------------------------------------------------------------------------------

    def _reset(self) -> None:
        """Meeples go home (WP-12.1); who has too many cards discards (WP-12.3)."""
        n = self.players
        for seat in range(n):
            for building in range(BUILDINGS):
                self.reserve[seat] = self.reserve[seat] + self.at[5 * building + seat]
            self.reserve[seat] = self.reserve[seat] + self.idle[seat]
        self.at = [0] * (5 * BUILDINGS)
        self.here = [0] * BUILDINGS
        self.idle = [0] * n
        if self.events is not None:
            self.report("meeples_returned", "WP-12.1", {})
        self.pending = 0
        for seat in range(n):
            if len(self.hand[seat]) > MAX_HAND:
                self.pending |= 1 << seat
        if self.pending:
            self.phase = HAND_LIMIT
        else:
            self._end_round()

    def _legal_drops(self, seat: int) -> tuple[int, ...]:
        drops = self.drops[seat]
        if len(drops) == len(self.hand[seat]) - MAX_HAND:
            return (DONE,)
        return tuple([CARD + card for card in self.hand[seat] if card not in drops])

    def _drop(self, seat: int, action: int) -> None:
        """Choose a card to discard, or be done; nothing is shown before all are (WP-A27)."""
        if action != DONE:
            self.drops[seat].append(action - CARD)
            return
        self.pending &= ~(1 << seat)
        if self.events is not None:
            self.report("discards_sealed", "WP-12.3", {"seat": seat})
        if self.pending:
            return
        self.revelations += 1
        for other in range(self.players):
            city.discard_from_hand(self, other, sorted(self.drops[other]), "WP-12.3")
            self.drops[other] = []
        self._end_round()

    def _end_round(self) -> None:
        if self.round_no == self.rounds:
            self._end()
            return
        self.round_no += 1
        self._begin_round()

    # -- 13. End of the game ----------------------------------------------------------------------------------

    def _end(self) -> None:
        """The final bonuses (WP-13.1 to WP-13.3)."""
        n = self.players
        self.phase = GAME_OVER
        self.pending = 0
        self.revelations += 1
        self.knows = [EVERYBODY] * len(self.knows)
        if self.events is not None:
            for seat in range(n):
                hand = self.hand[seat]
                facts: dict[str, object] = {"seat": seat, "cards": hand[:], "names": self.card_names(hand)}
                self.report("hand_shown", "WP-13.3", facts)
        most = max(self.thumbs)
        for seat in range(n):
            if self.thumbs[seat] == most:  # WP-A15: each of those on top
                self.bonus[3 * seat] = n
                self.add_cash(seat, n, "most_thumbs", "WP-13.1")
        for seat in range(n):
            self.bonus[3 * seat + 1] = sum(self.cubes[4 * seat : 4 * seat + 4]) // 2
            self.add_cash(seat, self.bonus[3 * seat + 1], "cubes", "WP-13.2")
        for seat in range(n):
            self.bonus[3 * seat + 2] = sum([self.end_bonus(card, self.thumbs[seat]) for card in self.hand[seat]])
            self.add_cash(seat, self.bonus[3 * seat + 2], "hand", "WP-13.3")
        if self.events is not None:
            self.report("game_ended", "WP-13.4", {"winners": list(self.standing().winners())})

    def end_bonus(self, card: int, thumbs: int) -> int:
        """What a card pays at the end to a hand that goes with so many Thumbs (WP-13.3)."""
        script = self.cards.scripts[card]
        total = 0
        for i in range(0, len(script), 4):
            if script[i] == END_CASH:
                total += script[i + 1]
            elif script[i] == END_CASH_PER_THUMBS:
                total += min(script[i + 3], thumbs // script[i + 1] * script[i + 2])
        return total

    def standing(self) -> Standing:
        """WP-13.4, WP-13.5: more Cash, then more Thumbs, then the earlier position in the last round."""
        if self.phase != GAME_OVER:
            raise ValueError("the game is still under way")
        order = sorted(
            range(self.players), key=lambda seat: (-self.cash[seat], -self.thumbs[seat], self.place_of[seat])
        )
        ranks = tuple(
            Rank(seat, i + 1, (self.cash[seat], self.thumbs[seat], self.place_of[seat])) for i, seat in enumerate(order)
        )
        return Standing(CRITERIA, ranks)

    def returns(self) -> list[float]:
        shares = [0.0] * self.players
        if self.phase == GAME_OVER:
            shares[self.standing().winners()[0]] = 1.0
        return shares

    # -- copies -----------------------------------------------------------------------------------------------

    def clone(self) -> WorkerPlacement:
        return WorkerPlacement(self.players, self.cards, self.dice.clone(), self)

    def imagine(self, seat: int, dice: Dice) -> WorkerPlacement:
        """Deals anew what the seat cannot know, keeping all that it has seen (see `imagination`)."""
        state = self.clone()
        imagination.imagine(state, seat, dice)
        return state

    def reopen(self) -> None:
        self.ready = None
        if self.phase == DRAFT_CHOOSE:
            for seat in range(self.players):
                self.sealed[seat] = NONE
                if draft.size(self, seat):
                    self.pending |= 1 << seat
        elif self.phase == HAND_LIMIT:
            for seat in range(self.players):
                self.drops[seat] = []
                if len(self.hand[seat]) > MAX_HAND:
                    self.pending |= 1 << seat

    def __reduce__(self) -> tuple[object, tuple[str, Cards]]:
        return (decode, (self.encode(), self.cards))

    def __repr__(self) -> str:
        lines = [
            f"Worker Placement, {self.players} players, round {self.round_no} of {self.rounds}",
            f"  {PHASE_NAMES[self.phase]}, order {' '.join('ABCDE'[seat] for seat in self.order)}",
            f"  jobs {', '.join(self.job_names(self.jobs))}; draw pile {len(self.deck)}, discards {len(self.discards)}",
        ]
        for seat in range(self.players):
            mark = "*" if self.pending >> seat & 1 else " "
            cubes = self.cubes[4 * seat : 4 * seat + 4]
            lines.append(
                f"{mark} {'ABCDE'[seat]}  cash {self.cash[seat]:2d}  thumbs {self.thumbs[seat]:2d}  cubes {cubes}"
                f"  jobs {len(self.filled[seat])}  hand {', '.join(self.card_names(self.hand[seat]))}"
            )
        return "\n".join(lines)


def start(
    players: int, dice: Dice, options: Mapping[str, str], edition: Cards, report: bool = False
) -> WorkerPlacement:
    """A new game for 2 to 5 players, up to the first draft.

    options: all that `GAME.options` lists must be given. report: report events from the first card on.
    """
    state = WorkerPlacement(players, edition, dice)
    state.rounds = int(options["rounds"])
    state.alternate = options["alternate_draft"] == "true"
    state.second_reversed = options["second_bid_order"] == "reverse"
    state.hide_discards = options["discard_public"] == "false"
    state.casino_min = int(options["casino_min"])
    state.thumbs_cap = 0 if options["thumbs_cap"] == "none" else int(options["thumbs_cap"])
    state.unlimited = options["unlimited_cubes"] == "true"
    state.at_once = options["reshuffle"] == "at_once"
    if report:
        state.listen()
    state.prepare()
    return state


def decode(text: str, edition: Cards) -> WorkerPlacement:
    """The state that `encode` wrote."""
    dice, players, *values = json.loads(text)
    state = WorkerPlacement(int(players), edition, decode_dice(dice))
    for name, value in zip(FIELDS, values, strict=True):
        setattr(state, name, value)
    return state
