"""Attempts (sections 6 and 7): which cards can be played, what they add up to, and what follows.

The attack is totalled over all played cards as they stand (TA-6.5), so it is worked out anew after each card.
"""

from __future__ import annotations

from typing import Final

from shopfloor.games.temp_worker_assassins.actions import STOP
from shopfloor.games.temp_worker_assassins.effects import (
    CLEAR,
    DISCARD,
    DRAW,
    FLAT,
    GAIN,
    HAND_SIZE,
    IDENTICAL,
    IF_DEFENCE,
    IF_EMPTY,
    IF_PLAYED,
    IF_TAG,
    RECOVER,
    RESEARCH,
    TRASH,
    WIDTH,
)
from shopfloor.games.temp_worker_assassins.position import (
    ASK_PLAY,
    ATTEMPT_PLAY,
    HAND,
    NONE,
    ROW,
    TARGET_BONUS,
    ZOMBIE_PLACE,
    Kinds,
    replaced,
)
from shopfloor.games.temp_worker_assassins.resolve import Resolution

# Why a card cannot be played (TA-6.4): facts of CARD_NOT_PLAYABLE.
PLAYABLE: Final = 0
NO_CARDS_TO_DISCARD: Final = 1
NO_IDENTICAL_CARDS: Final = 2
NO_CARD_WITH_TAG: Final = 3
NO_CARDS_TO_TRASH: Final = 4
NO_CARDS_TO_DRAW: Final = 5
NO_SUPPLY_ROW: Final = 6
NO_SUPPLY_CARDS: Final = 7
NO_CARDS_TO_RECOVER: Final = 8
OBSTACLES: Final = (
    "",
    "discard",
    "identical",
    "tag",
    "trash",
    "draw",
    "row",
    "supply",
    "recover",
)


def term_value(kind: int, a: int, b: int, c: int, masks: Kinds, played: list[int], in_hand: int, defence: int) -> int:
    """What one term adds to an attack with these played cards, so many cards left in hand, against this defence."""
    if kind == FLAT:
        return a
    if kind == IF_DEFENCE:
        return b if defence >= a else 0
    if kind == IF_PLAYED:
        return b if len(played) >= a else 0
    if kind == IF_EMPTY:
        return a if in_hand == 0 else 0
    if kind == HAND_SIZE:
        return 0
    count = 0
    for card in played:
        if masks[card] >> a & 1:
            count += 1
    if kind == IF_TAG:
        return c if count >= b else 0
    return b * (count if count < c else c)


def attack(flat: Kinds, terms: tuple[Kinds, ...], masks: Kinds, played: list[int], in_hand: int, defence: int) -> int:
    """The attack of played cards alone, without what lasts in Departments."""
    total = 0
    for card in played:
        total += flat[card]
        own = terms[card]
        if own:
            for i in range(0, len(own), 4):
                total += term_value(own[i], own[i + 1], own[i + 2], own[i + 3], masks, played, in_hand, defence)
    return total


class Attempts(Resolution):
    """A position in which assassinations can be attempted."""

    __slots__ = ()

    def placed(self, occupied: bool) -> None:
        """A placement is over, and with it everything that it brought; `occupied`: it was no attempt."""
        raise NotImplementedError

    # -- the attack --------------------------------------------------------------------------------------------

    def lasting_attack(self, seat: int, defence: int) -> int:
        """What a seat's assassins in Departments add now (TA-A36)."""
        total = 0
        lasting = self.lasting
        cards = self.cards
        in_hand = len(self.hand[seat])
        for i in range(0, len(lasting), 3):
            if lasting[i] == seat:
                kind, a, b, c = cards.lasting[lasting[i + 2]]
                total += term_value(kind, a, b, c, cards.tag_masks, self.played, in_hand, defence)
        return total

    def attack_total(self) -> int:
        """The attack of the attempt under way, as it stands (TA-6.5, TA-I6)."""
        seat = self.current_player
        cards = self.cards
        defence = cards.defence[self.face_up[self.target]]
        total = attack(cards.flat, cards.terms, cards.tag_masks, self.played, len(self.hand[seat]), defence)
        return total + self.lasting_attack(seat, defence) if self.lasting else total

    # -- which cards can be played -----------------------------------------------------------------------------

    def obstacle(self, seat: int, kind: int) -> int:
        """Why a card in a seat's hand cannot be played (TA-6.4, TA-A43), PLAYABLE if it can.

        Counts what every step leaves, in order. Cards that a step of the card itself would bring are not known yet,
        so no later step may rely on what they are.
        """
        program = self.cards.programs[kind]
        if program == NONE:
            return PLAYABLE
        code = self.code
        hand = len(self.hand[seat]) - 1
        deck = len(self.deck[seat])
        discard = len(self.discard[seat])
        row = len(self.supply_row)
        supply = len(self.supply_deck) + len(self.supply_discard)
        pc = program
        while True:
            operation = code[pc]
            number = code[pc + 1]
            if code[pc + 3]:  # what may be left out hinders nothing (TA-A30)
                pc += WIDTH
                continue
            if operation == DRAW:
                if number > deck + discard:
                    if self.strict_draw:
                        return NO_CARDS_TO_DRAW
                    number = deck + discard
                if number > deck:
                    deck += discard
                    discard = 0
                deck -= number
                hand += number
            elif operation == DISCARD:
                argument = code[pc + 2]
                if argument != -1:
                    missing = self._missing(seat, kind, argument, number)
                    if missing != PLAYABLE:
                        return missing
                if hand < number:
                    return NO_CARDS_TO_DISCARD
                hand -= number
                discard += number
            elif operation == TRASH:
                if hand < number:
                    return NO_CARDS_TO_TRASH
                hand -= number
            elif operation == GAIN:
                if row == 0:
                    return NO_SUPPLY_ROW
                if row + supply < number:
                    return NO_SUPPLY_ROW
                taken = row + supply - number
                row = taken if taken < ROW else ROW
                supply = taken - row
                hand += number
            elif operation == RESEARCH:
                if supply == 0:
                    return NO_SUPPLY_CARDS
                supply -= 1
                hand += 1
            elif operation == CLEAR:
                if row == 0:
                    return NO_SUPPLY_ROW
                supply += row
                row = supply if supply < ROW else ROW
                supply -= row
            elif operation == RECOVER:
                if discard < number:
                    return NO_CARDS_TO_RECOVER
                discard -= number
                hand += number
            else:
                return PLAYABLE
            pc += WIDTH

    def _missing(self, seat: int, kind: int, argument: int, number: int) -> int:
        """Does the hand without the card itself lack what must be discarded: identical cards, or cards with a tag?"""
        hand = self.hand[seat]
        if argument == IDENTICAL:
            for other in hand:
                if hand.count(other) - (1 if other == kind else 0) >= number:
                    return PLAYABLE
            return NO_IDENTICAL_CARDS
        masks = self.cards.tag_masks
        count = -1 if masks[kind] >> argument & 1 else 0
        for other in hand:
            if masks[other] >> argument & 1:
                count += 1
        return PLAYABLE if count >= number else NO_CARD_WITH_TAG

    def play_choices(self) -> Kinds:
        """`play` for each playable kind in hand, ascending; `stop` with the option (TA-A9)."""
        seat = self.current_player
        programs = self.cards.programs
        base = self.layout.play
        found = [STOP] if self.may_stop else []
        last = NONE
        for kind in self.hand[seat]:
            if kind != last:
                last = kind
                if programs[kind] == NONE or self.obstacle(seat, kind) == PLAYABLE:
                    found.append(base + kind)
        return tuple(found)

    # -- the attempt -------------------------------------------------------------------------------------------

    def begin_attempt(self, target: int) -> None:
        """Place an assassin on a face-up Target (TA-6.1); total and hand may decide it at once (TA-A37, TA-A11)."""
        seat = self.current_player
        self.unplaced[seat] = self.unplaced[seat] - 1
        self.attempted |= 1 << seat
        self.target = self.face_up.index(target)
        self.phase = ATTEMPT_PLAY
        if self.events is not None:
            name = self.cards.target_names[target]
            facts = {"seat": seat, "target": target, "name": name, "defence": self.cards.defence[target]}
            self.report("attempt_began", "TA-6.1", facts)
        self.assess()

    def play_card(self, kind: int) -> None:
        """A card from hand to the played cards, then its steps in order."""
        seat = self.current_player
        self.leave_hand(seat, kind)
        self.played.append(kind)
        if self.events is not None:
            facts: dict[str, object] = {"seat": seat, "card": kind, "name": self.cards.names[kind]}
            facts |= {"total": self.attack_total(), "defence": self.cards.defence[self.face_up[self.target]]}
            self.report("card_played", "TA-6.1", facts)
        program = self.cards.programs[kind]
        if program == NONE:
            self.assess()
        else:
            self.begin(program)

    def assess(self) -> None:
        """Success, failure, or the next card (TA-6.2, TA-6.3, TA-A10)."""
        total = self.attack_total()
        if total >= self.cards.defence[self.face_up[self.target]]:
            self._end_attempt(True, total)
            return
        self.ask = ASK_PLAY
        self.choices = self.play_choices()
        if len(self.choices) == (1 if self.may_stop else 0):
            self._end_attempt(False, total)

    def stop(self) -> None:
        """No further card, by choice (TA-A9)."""
        if self.events is not None:
            self.report("stopped", "TA-A9", {"seat": self.current_player})
        self._end_attempt(False, self.attack_total())

    def _end_attempt(self, success: bool, total: int) -> None:
        """Rewards, then the assassin, the cards and a new hand (TA-6.7 to TA-7.4, in the order of TA-A14)."""
        seat = self.current_player
        cards = self.cards
        target = self.face_up[self.target]
        if self.events is not None:
            facts: dict[str, object] = {"seat": seat, "target": target, "name": cards.target_names[target]}
            facts |= {"total": total, "defence": cards.defence[target], "bounty": cards.bounty[target]}
            if success:
                self.report("attempt_succeeded", "TA-6.3" if self.played else "TA-A37", facts)
            else:
                self.report("attempt_failed", "TA-6.10", facts)
        size = self.new_hand_size(seat)
        released = False
        if success:
            self._reward(seat, target)
            size = max(size, cards.new_hand[target])
            released = cards.release_self[target]
        self.target = NONE
        if released:
            self.unplaced[seat] = self.unplaced[seat] + 1
            if self.events is not None:
                self.report("assassin_returned", "TA-A38", {"seat": seat, "name": cards.target_names[target]})
        else:
            self.security[seat] = self.security[seat] + 1
            if self.events is not None:
                self.report("sent_to_security", "TA-7.1", {"seat": seat})
        left = self.hand[seat]
        if self.events is not None:
            tidied = {"seat": seat, "played": len(self.played)} | self.named(left)
            self.report("hand_discarded", "TA-7.2", tidied)
        self.discard[seat].extend(self.played)
        self.played = []
        self.discard_hand(seat)
        self.draw(seat, size)
        if success and cards.bonus_programs[target] != NONE:
            self.phase = TARGET_BONUS
            self.begin(cards.bonus_programs[target])
        else:
            self.placed(False)

    def new_hand_size(self, seat: int) -> int:
        """How many cards a seat draws after an attempt, Target bonuses apart (TA-7.3, TA-A39)."""
        size = HAND
        lasting = self.lasting
        terms = self.cards.lasting
        for i in range(0, len(lasting), 3):
            if lasting[i] == seat and terms[lasting[i + 2]][0] == HAND_SIZE and terms[lasting[i + 2]][1] > size:
                size = terms[lasting[i + 2]][1]
        return size

    def _reward(self, seat: int, target: int) -> None:
        """The Target is gained and replaced, and all open Turn Markers go to the discard pile."""
        cards = self.cards
        place = self.target
        self.trophies = replaced(self.trophies, seat, (*self.trophies[seat], target))
        if place == ZOMBIE_PLACE and target == cards.zombie and self.stack_refill:  # TA-A5
            self.face_up[place] = NONE
            if self.zombie_stack:
                self.zombie_stack -= 1
                self.face_up[place] = target
                if self.events is not None:
                    name = cards.target_names[target]
                    self.report("zombie_revealed", "TA-A5", {"target": target, "name": name, "left": self.zombie_stack})
        else:
            self.turn_up_target(place)
        markers = self.markers_top
        if markers:
            self.discard[seat].extend(markers)
            self.markers_top = ()
            winners = list(self.marker_winner)
            for marker in markers:
                winners[marker - cards.markers] = seat
            self.marker_winner = tuple(winners)
            if self.events is not None:
                self.report("markers_won", "TA-6.9", {"seat": seat} | self.named(markers))
