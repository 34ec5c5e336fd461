"""Sentences for Temp Worker Assassins, made from ids and facts by the catalogues in `messages`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Any

from shopfloor.engine.events import Event
from shopfloor.engine.options import JOIN
from shopfloor.engine.refusals import Refusal
from shopfloor.engine.views import View
from shopfloor.games.temp_worker_assassins.actions import (
    Accept,
    Attempt,
    Choose,
    Decline,
    Discard,
    Evict,
    Gain,
    Keep,
    MoveFrom,
    MoveTo,
    Occupy,
    Play,
    Recover,
    Skip,
    Swap,
    Trash,
    make_space,
)
from shopfloor.games.temp_worker_assassins.cards import loaded, own
from shopfloor.games.temp_worker_assassins.effects import BONUS, CARD, END_BONUS, SPACE, Step, read
from shopfloor.games.temp_worker_assassins.messages.en import MESSAGES
from shopfloor.games.temp_worker_assassins.view import AssassinsView

COUNTED = ("drew", "researched", "released")
WITH_NOTHING = ("research_discarded", "hand_discarded", "hand_refreshed")


def _say(key: str, **facts: object) -> str:
    return MESSAGES[key].format(**facts)


def _list(parts: Sequence[str], last: str = "list.two") -> str:
    """One text of several: a, b and c."""
    if not parts:
        return ""
    text = parts[-1]
    for i, part in enumerate(reversed(parts[:-1])):
        text = _say(last if i == 0 else "list.more", a=part, b=text)
    return text


def names(cards: Iterable[str]) -> str:
    """Card names in words; several alike are counted: 2 × Fairly Sharp Pencil and Shatterable Ruler."""
    counts = Counter(cards)
    parts = [name if n == 1 else _say("counted", n=n, name=name) for name, n in counts.items()]
    return _list(parts) or MESSAGES["nothing"]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


# -- effects -----------------------------------------------------------------------------------------------------


def tag(name: str, n: int = 1) -> str:
    """A tag's name, for one or for several."""
    key = "tag" if n == 1 else "tags"
    return MESSAGES.get(f"{key}.{name}") or _say(f"{key}.other", tag=name)


def step(step: Step) -> str:
    """One step of an effect as a phrase, e.g. `draw 2`."""
    if step.name == "choose":
        return _say("effect.choose", options=_list([steps((option,)) for option in step.options], "list.or"))
    n = step.numbers
    facts: dict[str, object] = {"n": n[-1] if n else 0, "word": step.word}
    if step.word:
        facts |= {"tag": tag(step.word), "tags": tag(step.word, 2)}
    key = f"effect.{step.name}"
    count = n[0] if n else 0
    if step.name in ("attack_per", "buff", "here_attack_per"):
        facts |= {"n": n[0], "k": n[1]}
    elif step.name == "end_per_distinct":
        facts |= {"n": n[0], "k": n[1], "most": n[2]}
    elif len(n) == 2:
        facts["m"] = n[0]
    if count == 1 and f"{key}.one" in MESSAGES:
        key = f"{key}.one"
    text = _say(key, **facts)
    return _say("effect.may", step=text) if step.may else text


def steps(found: Iterable[Step]) -> str:
    """Steps in order as one phrase."""
    return reduce(lambda a, b: _say("effects", a=a, b=b), [step(s) for s in found])


def effect(text: str, place: str = SPACE) -> str:
    """An effect as the edition writes it, in words: `Draw 3, discard 1`. Empty stays empty.

    place: what it stands on: `card`, `space`, `bonus` or `end bonus` (see `effects.py`).
    """
    return _capital(phrase(text, place))


def phrase(text: str, place: str = SPACE) -> str:
    """An effect in words within a sentence: `draw 3, discard 1`."""
    found = read(text, place)
    return steps(found) if found else ""


def step_phrase(text: str) -> str:
    """A single step, wherever it stands."""
    for place in (SPACE, CARD, BONUS, END_BONUS):
        found = phrase(text, place)
        if found:
            return found
    return text


# -- events ------------------------------------------------------------------------------------------------------


def event(event: Event, seats: Sequence[str], viewer: int | None) -> str:
    """What happened, told to `viewer` (None: a spectator); `seats` are the players' names."""
    facts: dict[str, Any] = event.facts
    key = event.kind
    words: dict[str, object] = dict(facts)
    if key in COUNTED and facts["count"] == 1:
        key = f"{key}.one"
    elif key in WITH_NOTHING and not facts["cards"]:
        key = f"{key}.none"
    elif key == "zombie_revealed" and facts["left"] < 2:
        key = f"{key}.{'one' if facts['left'] else 'none'}"
    if "name" in facts:
        words["card"] = words["target"] = words["marker"] = facts["name"]
    if "names" in facts:
        words["list"] = names(facts["names"])
    if "departments" in facts:
        words["list"] = _list(facts["departments"])
    if "effect" in facts:
        words["effect"] = phrase(facts["effect"]) or step_phrase(facts["effect"])
    if "other" in facts:
        words["other"] = MESSAGES["you"] if facts["other"] == viewer else seats[facts["other"]]
    if "bounties" in facts:
        words["list"] = _list([_say("bounty", name=seats[s], n=n) for s, n in enumerate(facts["bounties"])])
        words["names"] = _names(facts["winners"], seats, viewer)
    seat = facts.get("seat", facts.get("starting_player"))
    if seat is not None:
        words["name"] = seats[seat]
        if seat == viewer and f"{key}.you" in MESSAGES:
            key = f"{key}.you"
    return MESSAGES[key].format(**words)


def _names(which: Iterable[int], seats: Sequence[str], viewer: int | None) -> str:
    """Seats at the start of a sentence."""
    return _capital(_list([MESSAGES["you"] if s == viewer else seats[s] for s in which]))


# -- refusals ----------------------------------------------------------------------------------------------------


def refusal(refusal: Refusal, seats: Sequence[str]) -> str:
    """Why something is not allowed, and what would be."""
    facts: dict[str, Any] = refusal.facts
    key = f"refusal.{refusal.code}"
    words: dict[str, object] = dict(facts)
    if "name" in facts:
        words["card"] = words["target"] = facts["name"]
    if refusal.code == "NOT_YOUR_DECISION":
        words["names"] = _list([seats[s] for s in facts["deciders"]])
    elif refusal.code == "WRONG_PHASE":
        key = f"{key}.{facts['ask']}"
    elif refusal.code == "MALFORMED" and "options" in facts:
        key = f"{key}.option"
    elif refusal.code == "MALFORMED" and facts.get("near"):
        key = f"{key}.near"
        words["near"] = _list([str(name) for name in facts["near"]])
    elif refusal.code == "SPACE_OCCUPIED":
        words["name"] = seats[facts["seat"]]
    elif refusal.code == "CARD_NOT_IN_HAND":
        key = f"{key}.{facts['pile']}"
    elif refusal.code in ("CARD_NOT_PLAYABLE", "BAD_DEPARTMENTS"):
        key = f"{key}.{facts['why']}"
        if "tag" in facts:
            words |= {"tag": tag(facts["tag"]), "tags": tag(facts["tag"], 2)}
        if facts.get("count") == 1 and f"{key}.one" in MESSAGES:
            key = f"{key}.one"
    elif refusal.code == "BAD_OPTION" and "known" in facts:
        key = f"{key}.unknown"
    elif refusal.code == "BAD_OPTION" and "picks" in facts:
        key = f"{key}.picks" if facts["value"] else f"{key}.nothing_picked"
    for name in ("known", "allowed"):
        if name in facts:
            words[name] = _list([str(value) for value in facts[name]])
    if key not in MESSAGES:
        key = "refusal"
        words["code"] = refusal.code
    return MESSAGES[key].format(**words)


# -- buttons and questions ---------------------------------------------------------------------------------------


def action(action: int, state_view: View) -> str:
    """A button's words for an action."""
    assert isinstance(state_view, AssassinsView)
    view = state_view
    cards = loaded(view.edition)
    found = make_space(cards).decode(action)
    if isinstance(found, Play | Trash | Recover | Gain | Keep):
        return _say(f"action.{type(found).__name__.lower()}", card=found.card)
    if isinstance(found, Discard):
        identical = view.ask == "discard" and view.effect.endswith("identical")
        key = "action.discard.identical" if identical else "action.discard"
        return _say(key, card=found.card, n=view.picks_left)
    if isinstance(found, Attempt):
        return _say("action.attempt", target=found.target)
    if isinstance(found, Swap):
        return _say("action.swap", target=found.target)
    if isinstance(found, Occupy | Evict | MoveFrom | MoveTo):
        department = cards.department_names.index(found.department)
        space = cards.first_space[department] + found.space - 1
        key = {Occupy: "occupy", Evict: "evict", MoveFrom: "move_from", MoveTo: "move_to"}[type(found)]
        facts: dict[str, object] = {"department": found.department, "number": found.space}
        facts["effect"] = phrase(cards.space_effects[space])
        if len(cards.spaces_of(department)) > 1 and f"action.{key}.many" in MESSAGES:
            key = f"{key}.many"
        return _say(f"action.{key}", **facts)
    if isinstance(found, Accept):
        return _say("action.accept", effect=_offered(view)) if view.effect else MESSAGES["action.accept.plain"]
    if isinstance(found, Decline):
        return MESSAGES["action.decline"]
    if isinstance(found, Choose):
        if found.option <= len(view.options):
            return _say("action.choose", effect=step_phrase(view.options[found.option - 1]))
        return _say("action.choose.plain", n=found.option)
    return MESSAGES["action.skip" if isinstance(found, Skip) else "action.stop"]


def _offered(view: AssassinsView) -> str:
    """The step that is offered, without its `may`."""
    return step_phrase(view.effect.removeprefix("may "))


def question(view: View, seats: Sequence[str]) -> str:
    """What is asked now: of the viewer if it is their decision, else of whom."""
    assert isinstance(view, AssassinsView)
    key = f"question.{view.ask}"
    if view.ask == "nothing":
        return _say(key, names=_names([r.seat for r in view.ranks if r.place == 1], seats, view.seat))
    facts: dict[str, object] = {"n": view.picks_left, "effect": _offered(view)}
    if view.ask == "keep":
        facts["n"] = view.looked_count
    if view.attempt is not None:
        facts["target"] = view.attempt.target.name
        facts["total"] = view.attempt.total
        facts["defence"] = view.attempt.defence
    if view.seat is not None and view.seat in view.deciders:
        key = f"{key}.you"
        if view.ask == "discard" and view.effect.endswith("identical"):
            key = f"{key}.identical"
        elif view.picks_left == 1 and f"{key}.one" in MESSAGES:
            key = f"{key}.one"
    return _say(key, names=_list([seats[s] for s in view.deciders]), **facts)


def option(option: str) -> tuple[str, str]:
    """An option's title and what it is about."""
    return (MESSAGES[f"option.{option}"], MESSAGES[f"option.{option}.why"])


def option_value(option: str, value: str) -> str:
    """What a value of an option means; picked Departments are named."""
    key = f"option.{option}.{value}"
    if key in MESSAGES:
        return MESSAGES[key]
    if option == "departments":
        cards = own()
        ids = cards.department_ids
        if not value:
            return MESSAGES["nothing"]
        return _list([cards.department_names[ids.index(p)] if p in ids else p for p in value.split(JOIN)])
    return MESSAGES[value] if value in ("yes", "no") else _say(f"option.{option}.seat", n=int(value) + 1)


def pick(option: str, value: str) -> str:
    """What a pick of an option brings: what the spaces of a Department say."""
    cards = own()
    if option != "departments" or value not in cards.department_ids:
        return ""
    spaces = cards.spaces_of(cards.department_ids.index(value))
    return _say(
        "option.departments.pick", n=len(spaces), list="; ".join(effect(cards.space_effects[s]) for s in spaces)
    )


def criterion(criterion: str) -> tuple[str, str]:
    """A ranking criterion's heading, and how it breaks a tie."""
    return (MESSAGES[f"criterion.{criterion}"], MESSAGES[f"criterion.{criterion}.why"])


def criterion_value(criterion: str, value: int) -> str:
    """A value of a criterion as people say it."""
    return _say(f"value.{criterion}", n=value)


def measure(measure: str) -> str:
    """What one of the judgement's `measures` counts."""
    return MESSAGES[f"measure.{measure}"]
