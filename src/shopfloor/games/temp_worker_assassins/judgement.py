"""What positions and decisions in Temp Worker Assassins are worth to a sensible player.

Everything is counted in bounty. The currency is attack: a hand that reaches so much attack fells a Target of so much
defence, and a point of attack brings about a third of a bounty. A card is worth what it adds to a hand; a better deck
makes every later hand better; an attempt trades the hand for a Target and five new cards.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final, NamedTuple

from shopfloor.games.temp_worker_assassins.actions import ACCEPT, DECLINE, OPTION, SKIP, STOP
from shopfloor.games.temp_worker_assassins.cards import DAYS, loaded
from shopfloor.games.temp_worker_assassins.effects import (
    CHOOSE,
    CLEAR,
    CYCLE,
    DISCARD,
    DRAW,
    END,
    EVICT,
    FLAT,
    GAIN,
    HAND_SIZE,
    HERE,
    IF_DEFENCE,
    PER_TAG,
    RECOVER,
    RELEASE,
    RELOCATE,
    RESEARCH,
    START_MARKER,
    SWAP,
    TRASH,
    WIDTH,
)
from shopfloor.games.temp_worker_assassins.layout import swapped_target
from shopfloor.games.temp_worker_assassins.outlook import prices, sure_attack
from shopfloor.games.temp_worker_assassins.position import (
    ASK_CHOOSE,
    ASK_DISCARD,
    ASK_EVICT,
    ASK_GAIN,
    ASK_KEEP,
    ASK_MAY,
    ASK_MOVE_FROM,
    ASK_MOVE_TO,
    ASK_PLACE,
    ASK_PLAY,
    ASK_RECOVER,
    ASK_SWAP,
    ASK_TRASH,
    ATTEMPT_PLAY,
    GAME_OVER,
    HAND,
    NONE,
)
from shopfloor.games.temp_worker_assassins.rules import TempWorkerAssassins


class Weights(NamedTuple):
    """What things are worth.

    attack: a point of attack, in bounty. attempts: the part of one's placements that are attempts.
    luck: how much the attack of a card to be drawn varies.
    per_tag: how many cards with a tag are usually played with one that counts them. if_: how often a condition holds.
    placement: one more assassin, in bounty. scale: how much bounty tips the balance, per root of a placement.
    """

    attack: float
    attempts: float
    luck: float
    per_tag: float
    if_: float
    placement: float
    scale: float


WEIGHTS: Final = Weights(0.33, 0.5, 0.9, 1.5, 0.6, 0.9, 1.25)
LOOK_AHEAD: Final = 12  # decisions: about a turn or two, an attempt card by card among them
MOST_ATTACK: Final = 20.0
USUAL_DEFENCE: Final = 8


@lru_cache(maxsize=64)
def card_worth(edition: str) -> tuple[float, ...]:
    """By kind: the attack that a card adds to a hand on average, with what it brings and costs."""
    cards = loaded(edition)
    w = WEIGHTS
    found = []
    for kind, price in enumerate(prices(edition)):
        worth = float(cards.flat[kind])
        terms = cards.terms[kind]
        for i in range(0, len(terms), 4):
            sort, a, b, c = terms[i : i + 4]
            if sort == PER_TAG:
                worth += b * min(w.per_tag, c)
            elif sort == FLAT:
                worth += a
            elif sort == IF_DEFENCE:
                worth += w.if_ * b
            else:
                worth += w.if_ * max(a if c == 0 and b == 0 else b, c)
        worth += 0.9 * price.brings
        worth -= 0.7 * (price.any + price.tagged) + 0.9 * price.identical
        found.append(worth)
    return tuple(found)


class Outlook:
    """What a seat's cards are worth now, and what is left to do with them.

    worth: by kind. left: placements of the seat still to come, this one among them. attempts: how many of them are
    attempts. mean, size: the seat's own cards, hand, deck, discard pile and played cards together.
    attack: what a point of attack in hand is worth. better: what a point more of the mean is worth from the next
    hand on.
    """

    __slots__ = ("attack", "attempts", "better", "left", "mean", "seat", "size", "state", "worth")

    def __init__(self, state: TempWorkerAssassins, seat: int) -> None:
        w = WEIGHTS
        self.state = state
        self.seat = seat
        self.worth: tuple[float, ...] = card_worth(state.cards.hash)
        a_day = 5 if state.players == 2 else 4
        self.left: int = state.unplaced[seat] + a_day * (DAYS - state.day)
        self.attempts: float = w.attempts * self.left
        worth = self.worth
        total = 0.0
        size = 0
        for pile in (state.hand[seat], state.deck[seat], state.discard[seat]):
            size += len(pile)
            for kind in pile:
                total += worth[kind]
        if state.target != NONE and state.current_player == seat:
            size += len(state.played)
            for kind in state.played:
                total += worth[kind]
        self.size: int = size
        self.mean: float = total / size if size else 0.0
        self.attack: float = w.attack if self.left > 0 else 0.0
        self.better: float = w.attack * HAND * max(self.attempts - 1.0, 0.0)

    def gained(self, kind: int) -> float:
        """A card more, in hand."""
        worth = self.worth[kind]
        bounty = self.state.cards.end_bounty[kind]
        return bounty + self.attack * worth + self.better * (worth - self.mean) / (self.size + 1)

    def trashed(self, kind: int) -> float:
        """A card of the hand out of the game."""
        worth = self.worth[kind]
        loss = self.state.cards.end_bounty[kind] + self.attack * worth
        return self.better * (self.mean - worth) / max(self.size - 1, 1) - loss


def rate(state: TempWorkerAssassins, seat: int) -> list[float]:
    """How good each legal decision seems, in the order of `state.legal(seat)`, in bounty."""
    legal = state.legal(seat)
    if len(legal) < 2:
        return [0.0] * len(legal)
    ask = state.ask
    outlook = Outlook(state, seat)
    if ask == ASK_PLACE:
        return _rate_places(state, seat, legal, outlook)
    if ask == ASK_PLAY:
        return _rate_plays(state, seat, legal, outlook)
    return [_rate_step(state, seat, action, outlook) for action in legal]


# -- placing -----------------------------------------------------------------------------------------------------


def _rate_places(state: TempWorkerAssassins, seat: int, legal: tuple[int, ...], outlook: Outlook) -> list[float]:
    ratings = []
    sorts = state.layout
    programs = state.cards.space_programs
    mean, spread = hand_attack(state, seat, outlook)
    for action in legal:
        if action == SKIP:
            ratings.append(0.0)
        elif action < sorts.attempt:
            space = action - sorts.occupy
            ratings.append(_program(state, seat, programs[space], outlook, mean))
        else:
            ratings.append(_attempt(state, seat, action - sorts.attempt, outlook, mean, spread))
    return ratings


def hand_attack(state: TempWorkerAssassins, seat: int, outlook: Outlook) -> tuple[float, float]:
    """What the cards that a hand would draw add to its sure attack: on average, and how much that varies."""
    table = prices(state.cards.hash)
    flat = state.cards.flat
    drawn = 0.8 * max(outlook.mean, 0.5)
    spare: list[float] = []
    cycling = 0
    draws = 0
    for kind in state.hand[seat]:
        price = table[kind]
        if not price.costly:
            draws += price.brings
            spare.append(float(flat[kind]) + 0.5 * (len(state.cards.terms[kind]) // 4))
        elif price.brings >= price.any > 0:
            cycling += 1
            draws += price.brings - price.any
            spare.append(0.0)
        else:
            spare.append(0.5)
    more = drawn * draws
    spare.sort()
    # A card that replaces another helps as far as the new one is better than the worst.
    for i in range(min(cycling, len(spare) - 1)):
        better = drawn - spare[i]
        if better > 0.0:
            more += better
            draws += 1
    return more, WEIGHTS.luck * math.sqrt(draws)


def success(sure: int, more: float, spread: float, defence: int) -> float:
    """The chance that a hand's attack reaches a defence."""
    if sure >= defence:
        return 1.0
    if spread == 0.0:
        return 0.0
    return 0.5 * math.erfc((defence - 0.5 - sure - more) / (spread * math.sqrt(2.0)))


def _attempt(state: TempWorkerAssassins, seat: int, target: int, outlook: Outlook, more: float, spread: float) -> float:
    """Chance times reward, and a new hand for the old one."""
    sure = sure_attack(state, seat, state.cards.defence[target])
    chance = success(sure, more, spread, state.cards.defence[target])
    later = outlook.attack if outlook.left > 1 else 0.0
    fresh = later * outlook.mean * state.new_hand_size(seat)
    return chance * _reward(state, seat, target, outlook, later) + fresh - later * min(sure + more, MOST_ATTACK)


def _reward(state: TempWorkerAssassins, seat: int, target: int, outlook: Outlook, later: float) -> float:
    """What a Target brings: bounty, a better hand, the open Turn Markers, its bonus."""
    cards = state.cards
    reward = float(cards.bounty[target]) + _end_bonus(state, seat, target)
    if cards.new_hand[target]:
        reward += later * outlook.mean * max(cards.new_hand[target] - state.new_hand_size(seat), 0)
    for marker in state.markers_top:
        better = outlook.better * (outlook.worth[marker] - outlook.mean) / (outlook.size + 1)
        reward += cards.end_bounty[marker] + better
    if cards.bonus_programs[target] != NONE:
        reward += _program(state, seat, cards.bonus_programs[target], outlook, 0.0)
    if cards.release_self[target]:
        reward += WEIGHTS.placement
    return reward


def _end_bonus(state: TempWorkerAssassins, seat: int, target: int) -> float:
    """What a Target adds to the sets at the end (TA-A35), as it stands."""
    had = state.trophies[seat]
    if not state.cards.end_terms[target] and not any(state.cards.end_terms[t] for t in had):
        return 0.0
    before = state.set_bounty(seat)
    state.trophies = (*state.trophies[:seat], (*had, target), *state.trophies[seat + 1 :])
    after = state.set_bounty(seat)
    state.trophies = (*state.trophies[:seat], had, *state.trophies[seat + 1 :])
    return float(after - before)


def _program(state: TempWorkerAssassins, seat: int, start: int, outlook: Outlook, more: float) -> float:
    """What instructions bring, step by step."""
    total = 0.0
    pc = start
    code = state.code
    while pc >= 0 and code[pc] != END:
        if code[pc] == CHOOSE:
            options = [_step(state, seat, code[pc + WIDTH * (i + 1) + 2], outlook, more) for i in range(code[pc + 1])]
            return total + max(options)
        worth = _step(state, seat, pc, outlook, more)
        total += max(worth, 0.0) if code[pc + 3] else worth
        pc += WIDTH
    return total


def _step(state: TempWorkerAssassins, seat: int, pc: int, outlook: Outlook, more: float) -> float:
    """What one step brings."""
    operation, number, argument = state.code[pc], state.code[pc + 1], state.code[pc + 2]
    hand = state.hand[seat]
    later = outlook.attack
    worth = outlook.worth
    attempts = max(0.0, 0.7 * (state.unplaced[seat] - 1))
    if operation == DRAW:
        return later * outlook.mean * min(number, len(state.deck[seat]) + len(state.discard[seat]))
    if operation == DISCARD:
        lowest = sorted(worth[kind] for kind in hand)[:number]
        return -later * max(0.0, sum(lowest)) if lowest else 0.0
    if operation == TRASH:
        return max((outlook.trashed(kind) for kind in hand), default=0.0)
    if operation == GAIN:
        return max((outlook.gained(kind) for kind in state.supply_row), default=0.0)
    if operation == RESEARCH:
        return _research(state, number, outlook)
    if operation == CLEAR:
        return _research(state, 4, outlook) - max((outlook.gained(kind) for kind in state.supply_row), default=0.0)
    if operation == RECOVER:
        best = sorted((worth[kind] for kind in state.discard[seat]), reverse=True)[:number]
        return later * sum(best)
    if operation == CYCLE:
        return later * max(0.0, outlook.mean * len(hand) - sum([worth[kind] for kind in hand]))
    if operation == HERE:
        return _lasting(state, state.cards.lasting[argument], outlook, attempts)
    if operation == RELEASE:
        return WEIGHTS.placement if state.security[seat] else 0.0
    if operation == RELOCATE:
        return 0.6 if seat in state.occupant else 0.0
    if operation == EVICT:
        return 0.2
    if operation == SWAP:
        return 0.2
    if operation == START_MARKER:
        return 0.2 if state.day < DAYS else 0.0
    return 0.0


def _research(state: TempWorkerAssassins, number: int, outlook: Outlook) -> float:
    """The best of so many unknown Supply cards, on average."""
    pool = state.supply_deck or state.supply_discard
    if not pool:
        return 0.0
    values = sorted(outlook.gained(kind) for kind in pool)
    # The best of n drawn lies on average at n / (n + 1) of the way up.
    n = min(number, len(values))
    return values[min(len(values) - 1, len(values) * n // (n + 1))]


def _lasting(state: TempWorkerAssassins, term: tuple[int, int, int, int], outlook: Outlook, attempts: float) -> float:
    """What a lasting effect adds to the attempts still to come today."""
    sort, a, b, c = term
    if sort == FLAT:
        return WEIGHTS.attack * a * attempts
    if sort == PER_TAG:
        masks = state.cards.tag_masks
        seat = outlook.seat
        own = state.hand[seat] + state.deck[seat] + state.discard[seat]
        share = sum(1 for kind in own if masks[kind] >> a & 1) / max(len(own), 1)
        return WEIGHTS.attack * b * min(5.0 * share, c) * attempts
    if sort == IF_DEFENCE:
        return WEIGHTS.attack * b * attempts * 0.3
    if sort == HAND_SIZE:
        return WEIGHTS.attack * outlook.mean * (a - HAND) * attempts
    return 0.0


# -- steps -------------------------------------------------------------------------------------------------------


def _rate_step(state: TempWorkerAssassins, seat: int, action: int, outlook: Outlook) -> float:
    """What a pick for an instruction brings."""
    ask = state.ask
    sorts = state.layout
    if action == DECLINE:
        return 0.0
    if action == ACCEPT:
        return _step(state, seat, state.pc, outlook, 0.0) - 0.01 if ask == ASK_MAY else 0.0
    if ask == ASK_CHOOSE:
        jump = state.pc + WIDTH * (1 + action - OPTION)
        return _step(state, seat, state.code[jump + 2], outlook, 0.0)
    if ask == ASK_DISCARD:
        return _given_up(state, seat, action - sorts.discard, outlook)
    if ask == ASK_TRASH:
        kind = action - sorts.trash
        return outlook.trashed(kind) + (_given_up(state, seat, kind, outlook) if state.phase == ATTEMPT_PLAY else 0.0)
    if ask == ASK_GAIN:
        return outlook.gained(action - sorts.gain)
    if ask == ASK_KEEP:
        return outlook.gained(action - sorts.keep)
    if ask == ASK_RECOVER:
        return outlook.attack * outlook.worth[action - sorts.recover]
    if ask == ASK_SWAP:
        return _swapped(state, seat, swapped_target(sorts, state.cards.zombie, action), outlook)
    if ask == ASK_EVICT:
        return _evicted(state, seat, action - sorts.evict)
    if ask == ASK_MOVE_FROM:
        return _moved_from(state, seat, action - sorts.move_from, outlook)
    if ask == ASK_MOVE_TO:
        program = state.cards.space_programs[action - sorts.move_to]
        return _program(state, seat, program, outlook, 0.0)
    return 0.0


def _given_up(state: TempWorkerAssassins, seat: int, kind: int, outlook: Outlook) -> float:
    """Minus what a card of the hand would still have added."""
    if state.target == NONE:
        return -outlook.attack * outlook.worth[kind]
    defence = state.cards.defence[state.face_up[state.target]]
    hand = state.hand[seat]
    hand.remove(kind)
    sure = sure_attack(state, seat, defence)
    hand.append(kind)
    hand.sort()
    return min(sure, defence) + 0.01 * sure - 0.1 * outlook.worth[kind]


def _swapped(state: TempWorkerAssassins, seat: int, target: int, outlook: Outlook) -> float:
    """A Target that one cannot fell is no loss, one that one can is."""
    cards = state.cards
    sure = sure_attack(state, seat, cards.defence[target])
    return -0.1 * cards.bounty[target] - 1.0 if sure >= cards.defence[target] else 0.1 + 0.02 * cards.bounty[target]


def _evicted(state: TempWorkerAssassins, seat: int, space: int) -> float:
    """What hurts: lasting effects of whoever leads; and a space that is free again."""
    other = state.occupant[space]
    lasting = 0.5 if space in state.lasting[1::3] and state.unplaced[other] else 0.0
    return lasting + 0.02 * state.bounty(other)


def _moved_from(state: TempWorkerAssassins, seat: int, space: int, outlook: Outlook) -> float:
    """Rather one whose space has had its effect."""
    return -1.0 if space in state.lasting[1::3] else 0.0


# -- attempts ----------------------------------------------------------------------------------------------------


def _rate_plays(state: TempWorkerAssassins, seat: int, legal: tuple[int, ...], outlook: Outlook) -> list[float]:
    """What brings cards first, then what must be paid for, then the rest: all is played in the end anyhow."""
    cards = state.cards
    table = prices(cards.hash)
    defence = cards.defence[state.face_up[state.target]]
    sure = sure_attack(state, seat, defence)
    hand = state.hand[seat]
    base = state.layout.play
    ratings = []
    for action in legal:
        if action == STOP:
            ratings.append(-9.0)
            continue
        kind = action - base
        price = table[kind]
        if not price.costly:
            # If all that is sure is enough, what is played first does not matter; else new cards come first.
            rating = 4.0 + price.brings if price.brings else 0.5 + 0.01 * cards.flat[kind]
            ratings.append(rating)
            continue
        # A costly card is worth its price only if the plan without it reaches less.
        hand.remove(kind)
        without = sure_attack(state, seat, defence)
        hand.append(kind)
        hand.sort()
        if min(without, defence) < min(sure, defence):
            ratings.append(2.0 + 0.1 * (sure - without))
        elif price.brings >= price.any + price.identical + price.tagged:
            ratings.append(3.0 if sure < defence and _has_useless(state, seat, kind, sure, defence) else 0.2)
        else:
            ratings.append(0.1)
    return ratings


def _has_useless(state: TempWorkerAssassins, seat: int, kind: int, sure: int, defence: int) -> bool:
    """Is there a card beside this one without which the hand reaches as much?"""
    hand = state.hand[seat]
    for other in sorted(set(hand)):
        if other == kind and hand.count(kind) < 2:
            continue
        hand.remove(other)
        less = sure_attack(state, seat, defence)
        hand.append(other)
        hand.sort()
        if less >= sure:
            return True
    return False


# -- positions ---------------------------------------------------------------------------------------------------


def prospects(state: TempWorkerAssassins, seat: int) -> float:
    """What a seat has and may hope for, in bounty."""
    outlook = Outlook(state, seat)
    later = outlook.attack
    worth = state.bounty(seat) + WEIGHTS.placement * outlook.left + outlook.better * outlook.mean
    lasting = state.lasting
    for i in range(0, len(lasting), 3):
        if lasting[i] == seat:
            term = state.cards.lasting[lasting[i + 2]]
            worth += _lasting(state, term, outlook, 0.7 * state.unplaced[seat])
    acting = seat == state.current_player
    more, spread = hand_attack(state, seat, outlook)
    if acting and state.target != NONE:
        target = state.face_up[state.target]
        sure = sure_attack(state, seat, state.cards.defence[target])
        if state.pc != NONE and state.code[state.pc] in (DISCARD, TRASH):
            more -= 0.7 * max(state.left, 0)  # still to be paid
        chance = success(sure, more, spread, state.cards.defence[target])
        worth += chance * _reward(state, seat, target, outlook, later)
        return worth + later * outlook.mean * state.new_hand_size(seat)
    worth += later * min(sure_attack(state, seat, USUAL_DEFENCE) + more, MOST_ATTACK)
    if acting and state.pc != NONE:
        pc = state.pc
        if state.ask == ASK_KEEP:
            worth += max(outlook.gained(kind) for kind in state.looked)
            pc += WIDTH
        worth += _program(state, seat, pc, outlook, more)
    return worth


def measures(state: TempWorkerAssassins, seat: int) -> list[tuple[str, float]]:
    """What a player counts of a seat: id and number."""
    outlook = Outlook(state, seat)
    return [
        ("bounty", float(state.bounty(seat))),
        ("targets", float(len(state.trophies[seat]))),
        ("hand", float(len(state.hand[seat]))),
        ("deck", float(outlook.size)),
        ("strength", outlook.mean),
        ("left", float(outlook.left)),
    ]


def value(state: TempWorkerAssassins) -> list[float]:
    """Each seat's expected share of the victory."""
    if state.phase == GAME_OVER:
        return state.returns()
    worth = [prospects(state, seat) for seat in range(state.players)]
    best = max(worth)
    a_day = 5 if state.players == 2 else 4
    left = sum(state.unplaced) / state.players + a_day * (DAYS - state.day)
    spread = WEIGHTS.scale * math.sqrt(1.0 + left)
    odds = [math.exp((w - best) / spread) for w in worth]
    total = sum(odds)
    return [o / total for o in odds]
