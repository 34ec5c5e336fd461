"""What positions and decisions in Men at Work are worth to a sensible player, as far as the rules go.

Where to build and how steadily is the builder's business (`builder.py`), which tries placements on a site; here it is
only told which colour gives more to build on, when to finish, and what certificates and awards are worth.
"""

from __future__ import annotations

import math
from typing import Final

from shopfloor.games.men_at_work import actions as a
from shopfloor.games.men_at_work.cards import GIRDER_HOW, HELMET, WORKER_HOW
from shopfloor.games.men_at_work.judge import lacking
from shopfloor.games.men_at_work.position import AWARD_GOAL, BUILD, CLEANUP, HALT, Position
from shopfloor.games.men_at_work.rules import MenAtWork
from shopfloor.games.men_at_work.turn import duties

# How hard an instruction is on a hand, in failed tries and accidents; from trials on simulated sites.
HARDSHIP: Final = {
    "BALANCE": 1.0,
    "SAME_COLOUR": 0.4,
    "TWO_OTHER_COLOURS": 0.7,
    "TOUCH_HIGHEST": 0.4,
    "WITH_WORKER": 0.8,
    "STRONG_WORKER": 1.6,
    "NEW_SUPPORT_SAME": 0.6,
    "NEW_SUPPORT_DIFFERENT": 0.6,
    "NEW_SUPPORT_ON_GIRDER": 1.2,
    "TOUCH_SUPPORT": 0.4,
    "TRANSPORT_BRICK": 0.6,
    "HIGHEST_GIRDER": 0.5,
    "ONE_BRICK": 0.6,
    "TWO_BRICKS": 0.9,
    "ONE_BEAM": 0.8,
    "TWO_BEAMS": 1.2,
    "BRICK_AND_BEAM": 1.1,
    "NEAR_EDGE": 0.7,
    "TRANSPORT_BEAM": 0.8,
    "CONNECT": 1.8,
    "ADDITIONAL_WORKER": 0.8,
}
AWARD_WORTH: Final = 1.0
CERTIFICATE_WORTH: Final = 0.8
# What a turn may still cost, in certificates: a piece to be placed, a failed try, something to be cleared away.
PIECE_RISK: Final = 0.12
TRY_RISK: Final = 0.1
CLEANING_RISK: Final = 0.05


def hardship(state: Position, worker: bool, card: int) -> float:
    """How hard the instruction of a card's discard side is."""
    cards = state.cards
    name = WORKER_HOW[cards.worker_how[card]] if worker else GIRDER_HOW[cards.girder_how[card]]
    return HARDSHIP[name]


def rate(state: MenAtWork, seat: int) -> list[float]:
    """How good each of `state.legal(seat)` seems, in that order."""
    good = state.phase == BUILD and not lacking(state.verdict())
    read = state.reading()
    return [_rate(state, action, good, dict(read.tops)) for action in state.legal(seat)]


def _rate(state: MenAtWork, action: int, good: bool, tops: dict[int, int]) -> float:
    if action < a.CHOOSE_GIRDER:
        return {0: 1.0, 1: 0.6, 2: 0.2, 3: -1.0, 4: 1.0, 5: 1.0, 6: 0.3}[action]
    if action < a.PLAY_ON_DECK:
        colour = (action - a.CHOOSE_GIRDER) % 4
        helmet = action >= a.CHOOSE_GLOVE
        best = max((tops.get(g, 0) for g in state.girders_of(colour)), default=0)
        spare = 0 if helmet else state.girder_supply(colour)
        return best / 400_000 + spare / 10
    if action < a.GO_ON:
        on_discard = action >= a.PLAY_ON_DISCARD
        card = action - (a.PLAY_ON_DISCARD if on_discard else a.PLAY_ON_DECK)
        worker = state.what()[0] == HELMET
        now = hardship(state, worker, state.discard[-1])
        if on_discard:
            return now - hardship(state, worker, card) - 0.7
        return now - hardship(state, state.whats[card] == HELMET, state.discard[-1]) - 0.7
    if action == a.GO_ON:
        return 0.0
    if action == a.FINISH:
        return 5.0 if good or _stalls(state) else -1.0
    if action == a.GIVE_UP:
        return 6.0 if _stalls(state) else -5.0
    if action == a.RELEASE:
        return 3.0
    if action == a.NEXT_PIECE:
        return 4.0
    if action < a.RELEASE:
        # What lies well is left alone; the piece that is due is taken.
        piece = action - a.GRIP
        return 0.5 if piece in state.placed else 2.0
    if action == a.CLEAN_DONE:
        return 5.0
    if a.PUSH_BACK <= action < a.RETURN_SUPPORT:
        return 0.5
    return 1.2 if action >= a.LEAVE_SUPPORT else 1.0  # what is not touched brings nothing down


def _stalls(state: MenAtWork) -> bool:
    """Is it better to fail on purpose than to build?

    Only where that costs nothing (table option stuck_penalty): building is a risk then, and an award is far. Who is
    ahead of nobody builds now and then all the same, so that games among those who judge like this come to an end.
    """
    if state.options["stuck_penalty"] == "certificate":
        return False
    if state.options["attempt_limit"] == "off" and state.options["give_up_after"] == "off":
        return False
    ahead = state.certificates[state.hook] > min(n for n in state.certificates if n)
    return ahead or state.turn % 4 > 0


def value(state: MenAtWork) -> list[float]:
    """Each seat's expected share of the victory."""
    return _shares(state, 0.0 if state.over() else _risk(state))


def chances(state: MenAtWork) -> list[float]:
    """The same by what each seat has: whose turn it is, and what that may bring, is left out."""
    return _shares(state, 0.0)


def _shares(state: MenAtWork, risk: float) -> list[float]:
    """risk: how much of a certificate the turn of the hook's holder may still cost."""
    if state.over():
        return state.returns()
    goal = AWARD_GOAL[state.players]
    worth = []
    for seat in range(state.players):
        if not state.in_game(seat):
            worth.append(-math.inf)
            continue
        near = state.awards[seat] / goal
        certificates = state.certificates[seat] - (risk if seat == state.hook else 0.0)
        worth.append(AWARD_WORTH * 3 * near * near + CERTIFICATE_WORTH * certificates)
    weights = [math.exp(w) for w in worth]
    total = sum(weights)
    return [w / total for w in weights]


def measures(state: MenAtWork, seat: int) -> list[tuple[str, float]]:
    """What a player counts of a seat: id and number."""
    others = [state.certificates[s] + state.awards[s] for s in range(state.players) if s != seat and state.in_game(s)]
    return [
        ("certificates", float(state.certificates[seat])),
        ("awards", float(state.awards[seat])),
        ("rival", float(max(others, default=0))),
        ("cards", float(len(state.hands[seat]))),
    ]


def by_hand(state: MenAtWork, action: int, after: MenAtWork | None = None) -> bool:
    """Does what came of this decision show how good a hand was, and not how good the decision?

    So it is with all of building and cleaning up, the choice of a colour included: what that brings depends on what is
    then built. That construction halts is nobody's hand.
    """
    of_cards = a.PLAY_ON_DECK <= action <= a.GO_ON
    halts = after is not None and after.cause == HALT
    return not of_cards and not a.STAND_CRANE <= action < a.CHOOSE_GIRDER and not halts


def _risk(state: MenAtWork) -> float:
    """How much of a certificate the turn of the hook's holder may still cost."""
    if state.phase == CLEANUP:
        return 2 * PIECE_RISK + CLEANING_RISK * len(duties(state)[0])
    if state.phase != BUILD:
        return 2 * PIECE_RISK
    left = 0.0
    for _, unit in state.units:
        if unit[0] not in state.placed:
            left += 1.0
    if left == 0.0 and lacking(state.verdict()):
        left = 1.0
    return PIECE_RISK * left + TRY_RISK * min(state.attempts, 5)
