"""Following instructions: the one interpreter for spaces (TA-5.3), played cards (TA-6.4) and Target bonuses (TA-A38).

Instructions are done in order. Those that need picks are asked for one pick at a time; the others happen by
themselves. Spaces do as much as possible (TA-A2); cards are only played if all can be fulfilled (TA-6.4).
"""

from __future__ import annotations

from bisect import insort
from typing import Final

from shopfloor.games.temp_worker_assassins.actions import ACCEPT, DECLINE, OPTION
from shopfloor.games.temp_worker_assassins.effects import (
    CHOOSE,
    CLEAR,
    CYCLE,
    DISCARD,
    DRAW,
    END,
    EVICT,
    GAIN,
    HERE,
    IDENTICAL,
    JUMP,
    LAST_PICK,
    RECOVER,
    RELEASE,
    RESEARCH,
    START_MARKER,
    SWAP,
    TRASH,
    WIDTH,
)
from shopfloor.games.temp_worker_assassins.layout import swap_action, swapped_target
from shopfloor.games.temp_worker_assassins.position import (
    ASK_CHOOSE,
    ASK_DISCARD,
    ASK_EVICT,
    ASK_GAIN,
    ASK_KEEP,
    ASK_MAY,
    ASK_MOVE_FROM,
    ASK_MOVE_TO,
    ASK_RECOVER,
    ASK_SWAP,
    ASK_TRASH,
    ATTEMPT_PLAY,
    NONE,
    OLDER,
    TARGET_BONUS,
    Kinds,
    Position,
    replaced,
)

# What is asked for each operation that needs picks, by its number.
ASKS: Final[tuple[int, ...]] = (NONE, ASK_DISCARD, ASK_TRASH, ASK_GAIN, ASK_RECOVER, ASK_SWAP, ASK_EVICT, ASK_MOVE_FROM)


class Resolution(Position):
    """A position whose instructions can be followed. `current_player` follows them."""

    __slots__ = ()

    def finished(self) -> None:
        """The instructions have been followed to their end."""
        raise NotImplementedError

    def begin(self, program: int) -> None:
        """Follow the instructions from here; -1: there are none."""
        if program == NONE:
            self.finished()
            return
        self.pc = program
        self.left = NONE
        self.agreed = False
        self.run()

    def run(self) -> None:
        """Go on until somebody has to choose, or all is done."""
        code = self.code
        while True:
            pc = self.pc
            operation = code[pc]
            if operation <= LAST_PICK:
                if operation == END:
                    if not self.returns_to:
                        self.pc = NONE
                        self.finished()
                        return
                    back = self.returns_to
                    self.here = back[-3]
                    self.pc = back[-2]
                    self.left = back[-1]
                    self.returns_to = back[:-3]
                    continue
                if self.left == NONE:
                    self.left = code[pc + 1]
                if self.left > 0 and self.can_pick(operation, code[pc + 2]):
                    self.ask = ASKS[operation]
                    self.choices = ()
                    return
            elif operation == JUMP:
                self.pc = code[pc + 2]
                continue
            elif operation == CHOOSE:
                self.ask = ASK_CHOOSE
                self.choices = ()
                return
            elif self.could_do(operation):
                if code[pc + 3] and not self.agreed:
                    self.ask = ASK_MAY
                    self.choices = ()
                    return
                if operation == RESEARCH:
                    self._look(code[pc + 1])
                    self.ask = ASK_KEEP
                    self.choices = ()
                    return
                self._do(operation, code[pc + 1], code[pc + 2])
            self._next_step(pc + WIDTH)

    def _next_step(self, pc: int) -> None:
        self.pc = pc
        self.left = NONE
        self.agreed = False

    # -- what can be picked --------------------------------------------------------------------------------------

    def can_pick(self, operation: int, argument: int) -> bool:
        """Is there anything to pick for the step?"""
        seat = self.current_player
        if operation == DISCARD:
            if argument == IDENTICAL:
                return bool(self._identical(self.left))
            if argument >= 0:
                masks = self.cards.tag_masks
                return any(masks[kind] >> argument & 1 for kind in self.hand[seat])
            return bool(self.hand[seat])
        if operation == TRASH:
            return bool(self.hand[seat])
        if operation == GAIN:
            return bool(self.supply_row)
        if operation == RECOVER:
            return bool(self.discard[seat])
        if operation == SWAP:
            return any(kind not in (NONE, self.cards.zombie) for kind in self.face_up)
        if operation == EVICT:
            return any(self.occupant[space] not in (NONE, seat) for space in self.spaces)
        return bool(self._movable()) and any(self.occupant[space] == NONE for space in self.spaces)

    def _identical(self, count: int) -> list[int]:
        """The kinds of which so many are in hand (TA-A28), ascending."""
        hand = self.hand[self.current_player]
        return [k for i, k in enumerate(hand) if hand.count(k) >= count and (i == 0 or hand[i - 1] != k)]

    def _movable(self) -> list[int]:
        """Spaces of other Departments on which an own assassin stands (TA-A41), ascending."""
        departments = self.cards.space_department
        seat = self.current_player
        here = departments[self.here]
        return [s for s in self.spaces if self.occupant[s] == seat and departments[s] != here]

    def free_spaces(self) -> list[int]:
        """Spaces in play without an assassin, ascending."""
        occupant = self.occupant
        return [space for space in self.spaces if occupant[space] == NONE]

    def step_choices(self) -> Kinds:
        """The legal actions for what the instructions ask."""
        ask = self.ask
        seat = self.current_player
        sorts = self.layout
        found: list[int] = []
        if ask == ASK_DISCARD:
            base = sorts.discard
            found = [base + kind for kind in self.discardable()]
        elif ask == ASK_TRASH:
            base = sorts.trash
            found = [base + kind for kind in distinct(self.hand[seat])]
        elif ask == ASK_GAIN:
            base = sorts.gain
            found = [base + kind for kind in distinct(sorted(self.supply_row))]
        elif ask == ASK_KEEP:
            base = sorts.keep
            return tuple([base + kind for kind in distinct(sorted(self.looked))])
        elif ask == ASK_RECOVER:
            base = sorts.recover
            found = [base + kind for kind in distinct(sorted(self.discard[seat]))]
        elif ask == ASK_CHOOSE:
            return tuple([OPTION + i for i in range(self.code[self.pc + 1])])
        elif ask == ASK_MAY:
            return (ACCEPT, DECLINE)
        elif ask == ASK_SWAP:
            zombie = self.cards.zombie
            targets = sorted({kind for kind in self.face_up if kind not in (NONE, zombie)})
            found = [swap_action(sorts, zombie, kind) for kind in targets]
        elif ask == ASK_EVICT:
            base = sorts.evict
            found = [base + space for space in self.spaces if self.occupant[space] not in (NONE, seat)]
        elif ask == ASK_MOVE_FROM:
            base = sorts.move_from
            found = [base + space for space in self._movable()]
        else:
            base = sorts.move_to
            return tuple([base + space for space in self.free_spaces()])
        return (DECLINE, *found) if self.code[self.pc + 3] else tuple(found)

    def discardable(self) -> list[int]:
        """The kinds in hand that the step may discard, ascending."""
        argument = self.code[self.pc + 2]
        if argument == IDENTICAL:
            return self._identical(self.left)
        hand = distinct(self.hand[self.current_player])
        if argument >= 0:
            masks = self.cards.tag_masks
            return [kind for kind in hand if masks[kind] >> argument & 1]
        return hand

    # -- picks ---------------------------------------------------------------------------------------------------

    def pick(self, action: int) -> None:
        """Do what was picked, which is one of `step_choices`, and go on."""
        ask = self.ask
        sorts = self.layout
        if ask == ASK_CHOOSE:
            self.pc = self.pc + WIDTH * (1 + action - OPTION)
            if self.events is not None:
                facts = {"seat": self.current_player, "effect": self.cards.code_texts[self.pc // WIDTH]}
                self.report("option_chosen", "TA-A46", facts)
        elif action == DECLINE:
            if self.events is not None:
                facts = {"seat": self.current_player, "effect": self.cards.code_texts[self.pc // WIDTH]}
                self.report("declined", "TA-A38" if self.phase == TARGET_BONUS else "TA-A46", facts)
            self._next_step(self.pc + WIDTH)
        elif ask == ASK_MAY:
            self.agreed = True
        elif ask == ASK_KEEP:
            self._keep(action - sorts.keep)
            self._next_step(self.pc + WIDTH)
        elif ask == ASK_MOVE_FROM:
            self.moving = action - sorts.move_from
            self.ask = ASK_MOVE_TO
            self.choices = ()
            return
        elif ask == ASK_MOVE_TO:
            self._move(self.moving, action - sorts.move_to)
        else:
            self.left -= 1
            if ask == ASK_DISCARD:
                self._discard(action - sorts.discard)
            elif ask == ASK_TRASH:
                self._trash(action - sorts.trash)
            elif ask == ASK_GAIN:
                self._gain(action - sorts.gain)
            elif ask == ASK_RECOVER:
                self._recover(action - sorts.recover)
            elif ask == ASK_SWAP:
                self._swap(swapped_target(sorts, self.cards.zombie, action))
            else:
                self._evict(action - sorts.evict)
        self.run()

    def clause(self, keyword: str) -> str:
        """The clause by which a keyword is done: on a card, on a Target or in a Department."""
        if self.phase == ATTEMPT_PLAY:
            return "TA-6.6" if keyword == "discard" else "TA-6.4"
        return "TA-A38" if self.phase == TARGET_BONUS else "TA-5.3"

    def _discard(self, kind: int) -> None:
        seat = self.current_player
        count = 1
        if self.code[self.pc + 2] == IDENTICAL:  # all of them at once: the first leaves no choice for the others
            count = self.left + 1
            self.left = 0
        for _ in range(count):
            self.leave_hand(seat, kind)
            self.discard[seat].append(kind)
        if self.events is not None:
            self.report("discarded", self.clause("discard"), {"seat": seat} | self.named([kind] * count))

    def _trash(self, kind: int) -> None:
        seat = self.current_player
        self.leave_hand(seat, kind)
        self.trashed = (*self.trashed, kind)
        if self.events is not None:
            self.report("trashed", "TA-2.1", self._one(kind))

    def _one(self, kind: int) -> dict[str, object]:
        return {"seat": self.current_player, "card": kind, "name": self.cards.names[kind]}

    def _gain(self, kind: int) -> None:
        seat = self.current_player
        place = self.supply_row.index(kind)
        del self.supply_row[place]
        insort(self.hand[seat], kind)
        self.known[seat].append(kind)
        if self.events is not None:
            self.report("gained", "TA-2.2", self._one(kind))
        self.fill_row(place)

    def _recover(self, kind: int) -> None:
        seat = self.current_player
        self.discard[seat].remove(kind)
        insort(self.hand[seat], kind)
        self.known[seat].append(kind)
        if self.events is not None:
            self.report("recovered", self.clause("recover"), self._one(kind))

    def _swap(self, target: int) -> None:
        """Under the Target Deck, and the top card in its place (TA-A45)."""
        place = self.face_up.index(target)
        self.target_under = (*self.target_under, target)
        if self.events is not None:
            name = self.cards.target_names[target]
            self.report("target_swapped", "TA-A45", {"seat": self.current_player, "target": target, "name": name})
        self.turn_up_target(place)

    def _evict(self, space: int) -> None:
        """To Security; the space is free and what lasted there ends (TA-A40)."""
        other = self.occupant[space]
        self.security[other] = self.security[other] + 1
        self._vacate(space)
        if self.events is not None:
            self.report("evicted", "TA-A40", {"seat": self.current_player, "other": other} | self.at(space))

    def _vacate(self, space: int) -> None:
        self.occupant[space] = NONE
        lasting = self.lasting
        if space in lasting[1::3]:
            kept: list[int] = []
            for i in range(0, len(lasting), 3):
                if lasting[i + 1] != space:
                    kept += lasting[i : i + 3]
            self.lasting = tuple(kept)

    def at(self, space: int) -> dict[str, object]:
        """Facts about a space: its number in the edition, its Department's name, its number there."""
        cards = self.cards
        name = cards.department_names[cards.space_department[space]]
        return {"space": space, "department": name, "number": cards.space_number[space]}

    def _move(self, origin: int, space: int) -> None:
        """An own assassin to a free space, whose instruction is then followed (TA-A41)."""
        seat = self.current_player
        self._vacate(origin)
        self.occupant[space] = seat
        self.moving = NONE
        if self.events is not None:
            left = self.cards.department_names[self.cards.space_department[origin]]
            self.report("relocated", "TA-A41", {"seat": seat, "origin": origin, "left": left} | self.at(space))
        self.returns_to = (*self.returns_to, self.here, self.pc, self.left - 1)
        self.here = space
        self._next_step(self.cards.space_programs[space])

    # -- what happens by itself ----------------------------------------------------------------------------------

    def could_do(self, operation: int) -> bool:
        """Would the step change anything? (TA-A2: what cannot be done is left out.)"""
        seat = self.current_player
        if operation == DRAW:
            return bool(self.deck[seat]) or bool(self.discard[seat])
        if operation == RESEARCH:
            return bool(self.supply_deck) or bool(self.supply_discard)
        if operation == CLEAR:
            return bool(self.supply_row)
        if operation == CYCLE:
            return bool(self.hand[seat])
        if operation == RELEASE:
            return self.security[seat] > 0
        return True

    def _do(self, operation: int, number: int, argument: int) -> None:
        seat = self.current_player
        if operation == DRAW:
            self.draw(seat, number)
        elif operation == CLEAR:
            self._clear()
        elif operation == CYCLE:
            self._cycle()
        elif operation == RELEASE:
            count = min(number, self.security[seat])
            self.security[seat] = self.security[seat] - count
            self.unplaced[seat] = self.unplaced[seat] + count
            if self.events is not None:
                self.report("released", "TA-A41", {"seat": seat, "count": count})
        elif operation == START_MARKER:
            self.marker_claim = seat  # TA-A42: the last use of a day counts
            if self.events is not None:
                self.report("start_marker_claimed", "TA-A42", {"seat": seat})
        elif operation == HERE:
            self.lasting = (*self.lasting, seat, self.here, argument)
            if self.events is not None:
                effect = self.cards.code_texts[self.pc // WIDTH]
                self.report("lasting_began", "TA-A36", {"seat": seat, "effect": effect} | self.at(self.here))

    def _clear(self) -> None:
        """The open row to the Supply discard pile, and four new cards (TA-2.5, TA-A33)."""
        cleared = self.supply_row
        self.supply_discard += cleared
        self.supply_row = []
        if self.events is not None:
            self.report("cleared", "TA-2.5", {"seat": self.current_player} | self.named(cleared))
        self.fill_row(NONE)

    def _cycle(self) -> None:
        """Discard the hand and draw as many (TA-A46)."""
        seat = self.current_player
        hand = self.hand[seat][:]
        if self.events is not None:
            self.report("cycled", "TA-A46", {"seat": seat} | self.named(hand))
        self.discard_hand(seat)
        self.draw(seat, len(hand))

    # -- Research ------------------------------------------------------------------------------------------------

    def _look(self, count: int) -> None:
        """The top cards of the Supply Deck, for the current player alone (TA-2.3, TA-A8)."""
        looked: list[int] = []
        older = 0
        while len(looked) < count:
            if not self.supply_deck and self.supply_discard:
                older = len(looked)
            kind = self.supply_card()
            if kind == NONE:
                break
            looked.append(kind)
        self.looked = tuple(looked)
        self.looked_older = older
        self.revelations += 1
        if self.events is not None:
            seat = self.current_player
            self.report("researched", "TA-2.3", {"seat": seat, "count": len(looked)})
            self.report("research_seen", "TA-2.3", {"seat": seat} | self.named(looked), (seat,))

    def _keep(self, kind: int) -> None:
        seat = self.current_player
        at = self.looked.index(kind)
        rest = [*self.looked[:at], *self.looked[at + 1 :]]
        entry = kind + OLDER if at < self.looked_older else kind
        insort(self.hand[seat], kind)
        self.secret = replaced(self.secret, seat, (*self.secret[seat], entry))
        self.supply_discard += rest
        self.looked = ()
        self.looked_older = 0
        self.revelations += 1
        if self.events is not None:
            self.report("research_kept", "TA-2.3", self._one(kind), (seat,))
            self.report("research_discarded", "TA-2.3", {"seat": seat} | self.named(rest))


def distinct(pile: list[int]) -> list[int]:
    """Each kind of an ordered pile once."""
    found: list[int] = []
    last = NONE
    for kind in pile:
        if kind != last:
            found.append(kind)
            last = kind
    return found
