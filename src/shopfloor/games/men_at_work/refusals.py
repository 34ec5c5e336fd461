"""Why something is not allowed now: the first reason, in the order of section 7 of the specification."""

from __future__ import annotations

from typing import Final

from shopfloor.engine.refusals import Refusal
from shopfloor.games.men_at_work import compliance
from shopfloor.games.men_at_work.actions import (
    CHOOSE_GIRDER,
    CHOOSE_GLOVE,
    CLEAN_DONE,
    CRANE_PLACES,
    FINISH,
    GIVE_UP,
    GO_ON,
    GRIP,
    LEAVE_SUPPORT,
    NEXT_PIECE,
    PLAY_ON_DECK,
    PLAY_ON_DISCARD,
    PUSH_BACK,
    RELEASE,
    RETRIEVE,
    RETURN_SUPPORT,
    SIZE,
    STAND_CRANE,
)
from shopfloor.games.men_at_work.cards import BLANK, CARDS, HELMET
from shopfloor.games.men_at_work.judge import lacking
from shopfloor.games.men_at_work.pieces import COLOURS, FIRST, GIRDER
from shopfloor.games.men_at_work.position import (
    BUILD,
    CHOOSE,
    CLEANUP,
    CRANE_STANDING,
    GAME_OVER,
    PHASE_NAMES,
    SITE_DESIGN,
    Position,
)
from shopfloor.games.men_at_work.turn import duties, foreman_limit, valid

NOTHING: Final[dict[str, object]] = {}


def phase_of(action: int) -> int:
    """The phase in which an action has its place."""
    if action < STAND_CRANE:
        return SITE_DESIGN
    if action < CHOOSE_GIRDER:
        return CRANE_STANDING
    if action < GRIP:
        return CHOOSE
    return BUILD if action < RETRIEVE else CLEANUP


def refusal(state: Position, seat: int, action: int) -> Refusal | None:
    """None if the action would be accepted."""
    if not 0 <= action < SIZE:
        return Refusal("MALFORMED", "", {"action": action, "size": SIZE})
    if state.phase == GAME_OVER:
        return Refusal("GAME_OVER", "MW-S.13")
    early = state.phase == BUILD and not state.gripped and PLAY_ON_DECK <= action < GO_ON
    if phase_of(action) != state.phase and not early:
        return Refusal("WRONG_PHASE", "MW-S.7", {"phase": PHASE_NAMES[state.phase]})
    if seat != state.hook:
        return Refusal("NOT_YOUR_DECISION", "MW-4.3", {"deciders": [state.hook]})
    if state.phase == SITE_DESIGN:
        return None
    if state.phase == CRANE_STANDING:
        place = action - STAND_CRANE
        allowed = (1, 2) if state.on("skyscraper") else (0,)
        if place in allowed:
            return None
        facts: dict[str, object] = {"place": CRANE_PLACES[place], "allowed": [CRANE_PLACES[p] for p in allowed]}
        return Refusal("BAD_CRANE_POSITION", "MW-14.5", facts)
    if action < GRIP:
        return _choosing(state, seat, action)
    return _building(state, action) if state.phase == BUILD else _cleaning(state, action)


def _choosing(state: Position, seat: int, action: int) -> Refusal | None:
    if action < PLAY_ON_DECK:
        helmet = action >= CHOOSE_GLOVE
        return _colour(state, helmet, action - (CHOOSE_GLOVE if helmet else CHOOSE_GIRDER))
    if action == GO_ON:
        return Refusal("CAN_COMPLY", "MW-16.6") if compliance.colours(state) else None
    card = action - (PLAY_ON_DECK if action < PLAY_ON_DISCARD else PLAY_ON_DISCARD)
    if card not in state.hands[seat]:
        return Refusal("CARD_NOT_IN_HAND", "MW-13.2", {"card": state.cards.ids[card % CARDS]})
    limit = foreman_limit(state)
    if state.plays >= limit:
        return Refusal("FOREMAN_LIMIT", "MW-A.53", {"limit": limit})
    return None


def _colour(state: Position, helmet: bool, colour: int) -> Refusal | None:
    kind, first, second = state.what()
    facts: dict[str, object] = {"colour": COLOURS[colour]}
    if kind == BLANK or helmet != (kind == HELMET) or colour not in (first, second):
        shown = [] if kind == BLANK else [COLOURS[first], COLOURS[second]]
        return Refusal("COLOUR_NOT_ON_CARD", "MW-5.2" if helmet else "MW-5.1", facts | {"shown": shown})
    code = compliance.obstacle(state, colour)
    if code:
        return Refusal(code, "MW-7.2" if code == "COLOUR_RUN_OUT" else "MW-A.10", facts)
    return None


def _building(state: Position, action: int) -> Refusal | None:
    if action == RELEASE:
        return None if state.held else Refusal("NOTHING_HELD", "MW-6.1")
    if action == NEXT_PIECE:
        return _next_piece(state)
    if action == FINISH:
        return None if state.gripped else Refusal("NOTHING_PLACED", "MW-16.3")
    if action == GIVE_UP:
        after = state.options["give_up_after"]
        if after == "off" or state.attempts < int(after):
            facts: dict[str, object] = {"tries": state.attempts, "after": after}
            return Refusal("GIVE_UP_TOO_EARLY", "MW-A.60", facts)
        return None
    piece = action - GRIP
    step = state.step_of(piece)
    named: dict[str, object] = {"piece": piece}
    if step < 0 or not (state.unit(piece) or step > state.step or _leader(state, piece)):
        return Refusal("NOT_THIS_TURNS_PIECE", "MW-6.2", named)
    if state.held:
        return Refusal("ONE_HAND_ONLY", "MW-6.1", {"piece": piece, "held": state.held[0]})
    if step > state.step or not state.unit(piece) or (step < state.step and valid(state, step)):
        return Refusal("WRONG_PIECE_ORDER", "MW-A.20", named)
    return None


def _leader(state: Position, piece: int) -> bool:
    """Does the piece go with another one that is to be gripped?"""
    return any(piece in unit and piece != unit[0] for _, unit in state.units)


def _next_piece(state: Position) -> Refusal | None:
    last = state.units[-1][0]
    if state.step >= last:
        return Refusal("NO_NEXT_PIECE", "MW-A.20")
    if not valid(state, state.step):
        reasons = lacking(state.verdict(state.step))
        return Refusal("PIECE_NOT_VALID", "MW-A.20", {"reasons": list(reasons)})
    return None


def _cleaning(state: Position, action: int) -> Refusal | None:
    retrieve, supports = duties(state)
    if action == CLEAN_DONE:
        left = [*retrieve, *supports]
        return Refusal("NOT_TIDY", "MW-10.6", {"pieces": left}) if left else None
    if action >= RETURN_SUPPORT:
        leave = action >= LEAVE_SUPPORT
        piece = action - (LEAVE_SUPPORT if leave else RETURN_SUPPORT)
        if piece not in supports:
            return Refusal("NOT_FALLEN_TO_SURFACE", "MW-10.5", {"piece": piece})
        if leave and state.on("skyscraper"):
            return Refusal("SUPPORT_MUST_RETURN", "MW-15.9", {"piece": piece})
        return None
    if action >= PUSH_BACK:
        girder = action - PUSH_BACK + FIRST[GIRDER]
        if girder not in retrieve:
            return Refusal("NOT_FALLEN_TO_SURFACE", "MW-10.4", {"piece": girder})
        if not state.reading().one_end(girder):
            return Refusal("NOT_ONE_END", "MW-A.28", {"piece": girder})
        limit = int(state.options["push_limit"])
        if state.pushes[action - PUSH_BACK] >= limit:
            return Refusal("PUSH_LIMIT_REACHED", "MW-A.28", {"piece": girder, "limit": limit})
        return None
    piece = action - RETRIEVE
    return None if piece in retrieve else Refusal("NOT_FALLEN_TO_SURFACE", "MW-10.2", {"piece": piece})
