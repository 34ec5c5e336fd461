"""Why something is not allowed: the first reason, in the order of section 3 of the specification."""

from __future__ import annotations

from shopfloor.engine.refusals import Refusal
from shopfloor.games.temp_worker_assassins.actions import (
    ACCEPT,
    DECLINE,
    FIRST_NAMED,
    OPTION,
    SKIP,
    STOP,
)
from shopfloor.games.temp_worker_assassins.attempt import NO_CARD_WITH_TAG, OBSTACLES, PLAYABLE, Attempts
from shopfloor.games.temp_worker_assassins.effects import IDENTICAL, WIDTH
from shopfloor.games.temp_worker_assassins.layout import swapped_target
from shopfloor.games.temp_worker_assassins.position import (
    ASK_CHOOSE,
    ASK_DISCARD,
    ASK_EVICT,
    ASK_GAIN,
    ASK_KEEP,
    ASK_MOVE_FROM,
    ASK_MOVE_TO,
    ASK_NAMES,
    ASK_PLACE,
    ASK_PLAY,
    ASK_RECOVER,
    ASK_SWAP,
    ASK_TRASH,
    GAME_OVER,
    NONE,
    PHASE_NAMES,
)


def refusal(state: Attempts, seat: int, action: int) -> Refusal | None:
    """None if the seat may do this now, else why not."""
    if state.phase == GAME_OVER:
        return Refusal("GAME_OVER", "TA-4.5", {})
    if seat != state.current_player:
        return Refusal("NOT_YOUR_DECISION", "TA-4.3", {"seat": seat, "deciders": [state.current_player]})
    if not 0 <= action < state.space.size:
        return Refusal("MALFORMED", "", {"action": action, "size": state.space.size})
    if action in state.legal(seat):
        return None
    if action < FIRST_NAMED:
        return _without_name(state, action)
    return _named(state, seat, action)


def _wrong_phase(state: Attempts, clause: str = "TA-5.1") -> Refusal:
    return Refusal("WRONG_PHASE", clause, {"phase": PHASE_NAMES[state.phase], "ask": ASK_NAMES[state.ask]})


def _without_name(state: Attempts, action: int) -> Refusal:
    ask = state.ask
    if action == SKIP:
        return Refusal("SKIP_NOT_ALLOWED", "TA-A26", {}) if ask == ASK_PLACE else _wrong_phase(state)
    if action == STOP:
        return Refusal("MUST_KEEP_PLAYING", "TA-A9", {}) if ask == ASK_PLAY else _wrong_phase(state)
    if action >= OPTION:
        if ask == ASK_CHOOSE:
            options = state.code[state.pc + 1]
            return Refusal("MALFORMED", "TA-A46", {"option": action - OPTION + 1, "options": options})
        return _wrong_phase(state)
    if action == DECLINE and ask == ASK_DISCARD:
        done = state.code[state.pc + 1] - state.left
        return Refusal("WRONG_DISCARD_COUNT", "TA-A3", {"done": done, "needed": state.code[state.pc + 1]})
    assert action in (ACCEPT, DECLINE)
    return _wrong_phase(state, "TA-A3")


def _named(state: Attempts, seat: int, action: int) -> Refusal:
    ask = state.ask
    cards = state.cards
    sorts = state.layout
    hand = state.hand[seat]
    if action < sorts.attempt:
        return _space(state, ask == ASK_PLACE, action - sorts.occupy)
    if action < sorts.play:
        target = action - sorts.attempt
        if ask != ASK_PLACE:
            return _wrong_phase(state, "TA-6.1")
        return Refusal("TARGET_NOT_FACE_UP", "TA-6.1", {"target": target, "name": cards.target_names[target]})
    if action < sorts.discard:
        kind = action - sorts.play
        if ask != ASK_PLAY:
            return _wrong_phase(state, "TA-5.5" if ask == ASK_PLACE else "TA-6.4")
        return _not_in_hand(state, kind, "TA-6.1") if kind not in hand else _not_playable(state, seat, kind)
    if action < sorts.trash:
        kind = action - sorts.discard
        if ask != ASK_DISCARD:
            return _wrong_phase(state, "TA-6.4")
        return _not_in_hand(state, kind, "TA-6.6") if kind not in hand else _not_discardable(state, kind)
    if action < sorts.recover:
        return _not_in_hand(state, action - sorts.trash, "TA-2.1") if ask == ASK_TRASH else _wrong_phase(state)
    if action < sorts.gain:
        if ask != ASK_RECOVER:
            return _wrong_phase(state)
        kind = action - sorts.recover
        facts: dict[str, object] = {"card": kind, "name": cards.names[kind], "pile": "discard"}
        return Refusal("CARD_NOT_IN_HAND", "TA-A46", facts)
    if action < sorts.evict:
        gaining = action < sorts.keep
        kind = action - (sorts.gain if gaining else sorts.keep)
        if ask != (ASK_GAIN if gaining else ASK_KEEP):
            return _wrong_phase(state)
        code, clause = ("NOT_IN_SUPPLY_ROW", "TA-2.2") if gaining else ("NOT_AMONG_RESEARCHED", "TA-2.3")
        return Refusal(code, clause, {"card": kind, "name": cards.names[kind]})
    if action < sorts.move_from:
        return _assassin(state, ask == ASK_EVICT, action - sorts.evict, "TA-A40")
    if action < sorts.move_to:
        return _assassin(state, ask == ASK_MOVE_FROM, action - sorts.move_from, "TA-A41")
    if action < sorts.swap:
        return _space(state, ask == ASK_MOVE_TO, action - sorts.move_to)
    if ask != ASK_SWAP:
        return _wrong_phase(state, "TA-A45")
    target = swapped_target(sorts, cards.zombie, action)
    return Refusal("TARGET_NOT_FACE_UP", "TA-A45", {"target": target, "name": cards.target_names[target]})


def _space(state: Attempts, asked: bool, space: int) -> Refusal:
    """Why an assassin cannot go to a space."""
    if not asked:
        return _wrong_phase(state, "TA-5.2")
    if space not in state.spaces:
        return Refusal("NO_SUCH_SPACE", "TA-5.2", state.at(space))
    return Refusal("SPACE_OCCUPIED", "TA-5.2", {"seat": state.occupant[space]} | state.at(space))


def _assassin(state: Attempts, asked: bool, space: int, clause: str) -> Refusal:
    """Why the assassin on a space cannot be sent away or moved."""
    if not asked:
        return _wrong_phase(state, clause)
    if space not in state.spaces:
        return Refusal("NO_SUCH_SPACE", clause, state.at(space))
    owner = state.occupant[space]
    return Refusal("NO_ASSASSIN_LEFT", clause, {"seat": owner if owner != NONE else None} | state.at(space))


def _not_in_hand(state: Attempts, kind: int, clause: str) -> Refusal:
    return Refusal("CARD_NOT_IN_HAND", clause, {"card": kind, "name": state.cards.names[kind], "pile": "hand"})


def _not_playable(state: Attempts, seat: int, kind: int) -> Refusal:
    """Which of the card's actions cannot be fulfilled."""
    obstacle = state.obstacle(seat, kind)
    assert obstacle != PLAYABLE
    cards = state.cards
    facts: dict[str, object] = {"card": kind, "name": cards.names[kind], "why": OBSTACLES[obstacle]}
    facts |= step_facts(state, kind, obstacle)
    clause = "TA-A12" if OBSTACLES[obstacle] == "draw" else "TA-6.4"
    return Refusal("CARD_NOT_PLAYABLE", clause, facts)


def step_facts(state: Attempts, kind: int, obstacle: int) -> dict[str, object]:
    """What the step that hinders needs: a number, a tag."""
    code = state.code
    pc = state.cards.programs[kind]
    wanted = OBSTACLES[obstacle]
    while code[pc]:
        text = state.cards.code_texts[pc // WIDTH]
        word = text.split(" ")[0]
        names = {"identical": "discard", "tag": "discard", "row": "gain", "supply": "research"}
        if word == names.get(wanted, wanted) or (wanted == "row" and word == "clear"):
            facts: dict[str, object] = {"count": code[pc + 1]}
            if obstacle == NO_CARD_WITH_TAG:
                facts["tag"] = state.cards.tags[code[pc + 2]]
            return facts
        pc += WIDTH
    return {"count": 1}


def _not_discardable(state: Attempts, kind: int) -> Refusal:
    """In hand, but not what the step wants to be discarded."""
    argument = state.code[state.pc + 2]
    facts: dict[str, object] = {"card": kind, "name": state.cards.names[kind]}
    if argument == IDENTICAL:
        return Refusal("NOT_IDENTICAL", "TA-6.6", facts | {"count": state.left})
    return Refusal("CARD_NOT_PLAYABLE", "TA-6.6", facts | {"why": "tag", "tag": state.cards.tags[argument], "count": 1})
