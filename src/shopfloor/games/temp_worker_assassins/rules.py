"""The rules of Temp Worker Assassins (docs/rules/temp_worker_assassins.md): set-up, days, placing and the end.

The class is put together from the bottom up: `position.py` holds the table and moves cards, `resolve.py` follows
instructions, `attempt.py` has the attempts, and here are the days. `refusals.py` says why something is not allowed,
`imagination.py` draws positions that a seat cannot tell from the real one. Clauses are cited where code is not the
clause itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from shopfloor.engine.dice import Dice
from shopfloor.engine.refusals import IllegalAction, Refusal
from shopfloor.engine.state import Rank, Standing
from shopfloor.games.temp_worker_assassins import departments, imagination, refusals
from shopfloor.games.temp_worker_assassins.actions import SKIP, STOP
from shopfloor.games.temp_worker_assassins.attempt import Attempts
from shopfloor.games.temp_worker_assassins.cards import DAYS, PER_NAME, ZOMBIES, Cards
from shopfloor.games.temp_worker_assassins.position import (
    ASK_NAMES,
    ASK_NOTHING,
    ASK_PLACE,
    ASK_PLAY,
    FACE_UP,
    GAME_OVER,
    HAND,
    NOBODY,
    NONE,
    PHASE_NAMES,
    PLACE,
    RESOLVE_SPACE,
    SINGLE,
    ZOMBIE_PLACE,
    Kinds,
    Position,
    decode_into,
    stored_head,
)

ONLY_SKIP: Final = (SKIP,)


class TempWorkerAssassins(Attempts):
    """A complete position of the game, ready to be played."""

    __slots__ = ()

    # -- 3. Set-up ---------------------------------------------------------------------------------------------

    def prepare(self, first: int, in_play: list[int]) -> None:
        """Supply, Targets, Departments, assassins and hands (TA-3.1 to TA-3.10)."""
        cards = self.cards
        n = self.players
        self.departments = tuple(in_play)
        self.spaces = tuple(sorted(space for department in in_play for space in cards.spaces_of(department)))
        self.starting_player = first
        self.marker_winner = (NONE,) * DAYS
        if self.events is not None:
            facts: dict[str, object] = {"players": n, "starting_player": first}
            facts["departments"] = [cards.department_names[department] for department in in_play]
            self.report("game_began", "TA-3.9", facts)
        self.supply_deck = list(cards.supply_deck)
        self.fill_row(NONE)
        self.face_up[ZOMBIE_PLACE] = cards.zombie
        self.zombie_stack = ZOMBIES - 1
        self.target_deck = list(cards.target_deck)
        for place in range(FACE_UP):
            self.turn_up_target(place)
        for turn in range(n):
            seat = (first + turn) % n
            self.deck[seat] = list(cards.starting_deck)
            self.draw(seat, HAND if turn < 2 else HAND + 1)  # TA-3.10, TA-A17
        self._open_shop()

    # -- 4. Days -----------------------------------------------------------------------------------------------

    def _open_shop(self) -> None:
        """The next Turn Marker to the top (TA-4.2), all assassins in hand."""
        cards = self.cards
        marker = cards.markers + self.day
        self.day += 1
        self.markers_top = (*self.markers_top, marker)
        each = 5 if self.players == 2 else 4  # TA-3.8
        for seat in range(self.players):
            self.unplaced[seat] = each
        if self.events is not None:
            facts = {"day": self.day, "card": marker, "name": cards.names[marker], "seat": self.starting_player}
            self.report("day_began", "TA-4.2", facts)
        self._place_next(self.starting_player)

    def _place_next(self, seat: int) -> None:
        """This seat, or the next one clockwise with an assassin to place (TA-4.3, TA-A32)."""
        unplaced = self.unplaced
        for _ in range(self.players):
            if unplaced[seat]:
                self.current_player = seat
                self.phase = PLACE
                self.ask = ASK_PLACE
                self.choices = ()
                return
            seat = seat + 1 if seat + 1 < self.players else 0
        self._clocking_off()

    def placed(self, occupied: bool) -> None:
        seat = self.current_player
        if self.quick and occupied and self.unplaced[seat] == 0:
            tried = self.attempted >> seat & 1
            if not (tried and self.quick_day):  # TA-A19
                self._fresh_hand(seat)
        self.here = NONE
        self._place_next(seat + 1 if seat + 1 < self.players else 0)

    def finished(self) -> None:
        if self.phase == RESOLVE_SPACE:
            self.placed(True)
        elif self.target != NONE:
            self.assess()
        else:
            self.placed(False)

    def _fresh_hand(self, seat: int) -> None:
        """Quick Mode (TA-9.2)."""
        if self.events is not None:
            self.report("hand_refreshed", "TA-9.2", {"seat": seat} | self.named(self.hand[seat]))
        self.discard_hand(seat)
        self.draw(seat, HAND)

    def _clocking_off(self) -> None:
        """All assassins come home, the Starting Player Marker moves on (TA-4.4, TA-A42)."""
        for space in self.spaces:
            self.occupant[space] = NONE
        for seat in range(self.players):
            self.unplaced[seat] = 0
            self.security[seat] = 0
            self.skipped[seat] = 0
        self.lasting = ()
        self.attempted = 0
        claim = self.marker_claim
        self.marker_claim = NONE
        self.starting_player = claim if claim != NONE else (self.starting_player + 1) % self.players
        if self.events is not None:
            facts = {"day": self.day, "seat": self.starting_player}
            self.report("clocked_off", "TA-4.4" if claim == NONE else "TA-A42", facts)
        if self.day < DAYS:
            self._open_shop()
        else:
            self._end()

    # -- 5. Placing --------------------------------------------------------------------------------------------

    def _occupy(self, space: int) -> None:
        seat = self.current_player
        self.unplaced[seat] = self.unplaced[seat] - 1
        self.occupant[space] = seat
        self.here = space
        self.phase = RESOLVE_SPACE
        if self.events is not None:
            facts = {"seat": seat, "effect": self.cards.space_effects[space]} | self.at(space)
            self.report("occupied", "TA-5.2", facts)
        self.begin(self.cards.space_programs[space])

    def _skip(self) -> None:
        seat = self.current_player
        self.unplaced[seat] = self.unplaced[seat] - 1
        self.skipped[seat] = self.skipped[seat] + 1
        if self.events is not None:
            self.report("skipped", "TA-A26", {"seat": seat})
        self.placed(False)

    def _place_choices(self) -> Kinds:
        """Every free space and every face-up Target (TA-5.1); skipping only if there is neither (TA-A26)."""
        occupant = self.occupant
        base = self.layout.occupy
        found = [base + space for space in self.spaces if occupant[space] == NONE]
        base = self.layout.attempt
        targets = sorted(self.face_up)
        last = NONE
        for kind in targets:
            if kind != last:
                found.append(base + kind)
                last = kind
        return tuple(found) if found else ONLY_SKIP

    # -- deciding ----------------------------------------------------------------------------------------------

    def deciders(self) -> tuple[int, ...]:
        return NOBODY if self.phase == GAME_OVER else SINGLE[self.current_player]

    def over(self) -> bool:
        return self.phase == GAME_OVER

    def legal(self, seat: int) -> tuple[int, ...]:
        if seat != self.current_player or self.phase == GAME_OVER:
            return NOBODY
        if not self.choices:
            if self.ask == ASK_PLACE:
                self.choices = self._place_choices()
            elif self.ask == ASK_PLAY:
                self.choices = self.play_choices()
            else:
                self.choices = self.step_choices()
        return self.choices

    def play(self, seat: int, action: int) -> None:
        if action not in self.legal(seat):
            refusal = self.refusal(seat, action)
            assert refusal is not None, "a refused action has a reason"
            raise IllegalAction(refusal)
        sorts = self.layout
        if self.ask == ASK_PLACE:
            if action == SKIP:
                self._skip()
            elif action < sorts.attempt:
                self._occupy(action - sorts.occupy)
            else:
                self.begin_attempt(action - sorts.attempt)
        elif self.ask == ASK_PLAY:
            if action == STOP:
                self.stop()
            else:
                self.play_card(action - sorts.play)
        else:
            self.pick(action)

    def refusal(self, seat: int, action: int) -> Refusal | None:
        return refusals.refusal(self, seat, action)

    # -- 10. End -----------------------------------------------------------------------------------------------

    def _end(self) -> None:
        self.phase = GAME_OVER
        self.ask = ASK_NOTHING
        self.choices = ()
        self.revelations += 1  # the gained Targets are turned over
        if self.events is not None:
            bounties = [self.bounty(seat) for seat in range(self.players)]
            facts = {"bounties": bounties, "winners": list(self.standing().winners())}
            self.report("game_ended", "TA-10.2", facts)

    def bounty(self, seat: int) -> int:
        """A seat's total bounty as it stands (TA-10.1)."""
        return self.target_bounty(seat) + self.set_bounty(seat) + self.card_bounty(seat)

    def target_bounty(self, seat: int) -> int:
        """What the gained Targets are worth by themselves."""
        bounty = self.cards.bounty
        return sum([bounty[target] for target in self.trophies[seat]])

    def set_bounty(self, seat: int) -> int:
        """What the gained Targets are worth together (TA-A35)."""
        trophies = self.trophies[seat]
        total = 0
        for target in trophies:
            terms = self.cards.end_terms[target]
            for i in range(0, len(terms), 4):
                if terms[i] == PER_NAME:
                    total += terms[i + 2] * trophies.count(terms[i + 1])
                else:
                    worth = len(set(trophies)) // terms[i + 1] * terms[i + 2]
                    total += min(worth, terms[i + 3])
        return total

    def card_bounty(self, seat: int) -> int:
        """What cards in hand, deck and discard pile are worth (TA-A44)."""
        worth = self.cards.end_bounty
        return sum([worth[k] for pile in (self.hand[seat], self.deck[seat], self.discard[seat]) for k in pile])

    def standing(self) -> Standing:
        """TA-10.2, TA-A25: more bounty; ties are shared, or fewer Targets decide."""
        if self.phase != GAME_OVER:
            raise ValueError("the game is still under way")
        seats = range(self.players)
        bounties = [self.bounty(seat) for seat in seats]
        if self.fewest_targets:
            criteria: tuple[str, ...] = ("bounty", "targets")
            values: list[tuple[int, ...]] = [(bounties[s], len(self.trophies[s])) for s in seats]
            keys = [(-bounties[s], len(self.trophies[s])) for s in seats]
        else:
            criteria = ("bounty",)
            values = [(bounties[s],) for s in seats]
            keys = [(-bounties[s], 0) for s in seats]
        order = sorted(seats, key=lambda seat: (keys[seat], seat))
        return Standing(criteria, tuple(Rank(s, 1 + sum(key < keys[s] for key in keys), values[s]) for s in order))

    def returns(self) -> list[float]:
        if self.phase != GAME_OVER:
            return [0.0] * self.players
        winners = self.standing().winners()
        share = 1.0 / len(winners)
        return [share if seat in winners else 0.0 for seat in range(self.players)]

    # -- copies ------------------------------------------------------------------------------------------------

    def clone(self) -> TempWorkerAssassins:
        return TempWorkerAssassins(self.players, self.cards, self.dice.clone(), self)

    def imagine(self, seat: int, dice: Dice) -> TempWorkerAssassins:
        state = TempWorkerAssassins(self.players, self.cards, dice, self)
        imagination.deal(state, seat)
        return state

    def __reduce__(self) -> tuple[object, tuple[str, Cards]]:
        return (decode, (self.encode(), self.cards))

    def __repr__(self) -> str:
        cards = self.cards
        letters = "ABCD"
        targets = ", ".join(cards.target_names[kind] if kind != NONE else "-" for kind in self.face_up)
        lines = [
            f"Temp Worker Assassins, {self.players} players, day {self.day}, {sum(self.unplaced)} to place",
            f"  {PHASE_NAMES[self.phase]}: {ASK_NAMES[self.ask]}",
            f"  targets: {targets}",
            f"  supply: {', '.join(cards.names[kind] for kind in self.supply_row)}",
        ]
        for seat in range(self.players):
            mark = "*" if seat in self.deciders() else " "
            held = [(self.hand[seat].count(kind), cards.names[kind]) for kind in sorted(set(self.hand[seat]))]
            hand = ", ".join(f"{n} {name}" if n > 1 else name for n, name in held)
            lines.append(
                f"{mark} {letters[seat]}  {self.unplaced[seat]} to place, {self.security[seat]} in Security, "
                f"deck {len(self.deck[seat])}, discard {len(self.discard[seat])}, bounty {self.bounty(seat)}; {hand}"
            )
        if self.phase == GAME_OVER:
            lines.append("  won by " + " and ".join(letters[seat] for seat in self.standing().winners()))
        return "\n".join(lines)


def start(
    players: int, dice: Dice, options: Mapping[str, str], edition: Cards, report: bool = False
) -> TempWorkerAssassins:
    """A new game for 2 to 4 players, up to the first placement.

    options: all of the table's (see `GAME`). report: report events from the first card on.
    Raises BadSetup (BAD_DEPARTMENTS).
    """
    state = TempWorkerAssassins(players, edition, dice)
    state.quick = options["quick_mode"] == "yes"
    state.quick_day = options["quick_scope"] == "day"
    state.stack_refill = options["zombie_refill"] == "stack"
    state.strict_draw = options["strict_draw"] == "yes"
    state.may_stop = options["may_stop_early"] == "yes"
    state.open_trophies = options["open_trophies"] == "yes"
    state.fewest_targets = options["tie_break"] == "fewest_targets"
    if report:
        state.listen()
    first = options["starting_player"]
    seat = dice.below(players) if first == "random" else int(first)  # TA-A17
    hard = options["hard_mode"] == "yes"
    no_trashing = options["no_trashing"] == "yes"
    state.prepare(seat, departments.choose(edition, players, options["departments"], hard, no_trashing, dice))
    return state


def decode(text: str, edition: Cards) -> TempWorkerAssassins:
    """The state that `encode` wrote. Raises ValueError if the text is not of that form."""
    try:
        players, dice = stored_head(text)
        state = TempWorkerAssassins(players, edition, dice)
        decode_into(state, text)
    except (KeyError, TypeError) as fault:
        raise ValueError("this is no stored position of Temp Worker Assassins") from fault
    return state


__all__ = ["Position", "TempWorkerAssassins", "decode", "start"]
