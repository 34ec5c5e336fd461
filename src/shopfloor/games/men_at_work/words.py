"""Sentences for Men at Work, made from ids and facts by the catalogues in `messages`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from shopfloor.engine.events import Event
from shopfloor.engine.options import JOIN
from shopfloor.engine.refusals import Refusal
from shopfloor.engine.views import View
from shopfloor.games.men_at_work import actions as a
from shopfloor.games.men_at_work.cards import PRESETS
from shopfloor.games.men_at_work.messages.en import MESSAGES
from shopfloor.games.men_at_work.pieces import COLOURS, FIRST, GIRDER, KIND, KIND_NAMES, NAMES, SUPPORT
from shopfloor.games.men_at_work.view import MenAtWorkView


def _say(key: str, **facts: object) -> str:
    return MESSAGES[key].format(**facts)


def listed(parts: Sequence[str]) -> str:
    """One text of several: a, b and c."""
    if not parts:
        return MESSAGES["none"]
    text = parts[-1]
    for i, part in enumerate(reversed(parts[:-1])):
        text = _say("list.two" if i == 0 else "list.more", a=part, b=text)
    return text


def piece(number: int) -> str:
    """A piece, or something fixed, inside a sentence."""
    if number < 0:
        return MESSAGES[f"fixed.{number}"]
    return _say(f"piece.{KIND_NAMES[KIND[number]]}", name=NAMES[number], n=number - FIRST[KIND[number]] + 1)


def pieces(numbers: Iterable[int]) -> str:
    return listed([piece(number) for number in numbers])


def colours(what: str, shown: Sequence[str]) -> str:
    """What the deck's top card asks for."""
    first, second = shown
    return _say(f"what.{what}", a_first=MESSAGES[f"colour.{first}.a"], second=MESSAGES[f"colour.{second}"])


def instruction(name: str) -> str:
    """An instruction in a few words."""
    return MESSAGES[f"how.{name}"]


def reasons(codes: Iterable[str]) -> str:
    return listed([MESSAGES[f"reason.{code}"] for code in codes])


def finding(code: str, met: bool, concerned: Sequence[int]) -> str:
    """One line of the judge's verdict, with the pieces that it is about."""
    if met:
        return _say("verdict.met", finding=MESSAGES[f"finding.{code}"])
    if not concerned:
        return _say("verdict.unmet", reason=MESSAGES[f"reason.{code}"])
    return _say("verdict.unmet.pieces", reason=MESSAGES[f"reason.{code}"], pieces=pieces(concerned))


def hand(code: str, facts: Mapping[str, object]) -> str:
    """Why the hand cannot do what it was told (the code and facts of `site.SiteError`)."""
    return MESSAGES[f"hand.{code}"].format(**facts)


def _names(which: Iterable[int], seats: Sequence[str], viewer: int | None) -> str:
    names = listed([MESSAGES["you"] if s == viewer else seats[s] for s in which])
    return names[:1].upper() + names[1:]


def _variant(event: Event) -> str:
    """Which wording of an event's kind its facts ask for."""
    facts: dict[str, Any] = event.facts
    kind = event.kind
    if kind == "site_designed":
        return f"{kind}.again" if facts["again"] else f"{kind}.{facts['plan']}"
    if kind == "card_revealed":
        return f"{kind}.nothing" if not facts["colours"] else f"{kind}.worker" if facts["worker"] else kind
    if kind == "colour_chosen" and facts["worker"]:
        return f"{kind}.worker"
    if kind == "card_played":
        return f"{kind}.deck" if facts["on_deck"] else f"{kind}.discard"
    if kind == "accident":
        return f"{kind}.{facts['how']}"
    if kind in ("pushed_back", "support_decided") and not facts["back"]:
        return f"{kind}.not"
    if kind == "clean_up_began" and not facts["pieces"]:
        return f"{kind}.nothing"
    if kind == "game_ended":
        return f"{kind}.{facts['cause']}"
    return kind


def event(event: Event, seats: Sequence[str], viewer: int | None) -> str:
    """What happened, told to `viewer` (None: a spectator); `seats` are the players' names."""
    facts: dict[str, Any] = event.facts
    key = _variant(event)
    words: dict[str, object] = dict(facts)
    seat = facts.get("seat", facts.get("youngest"))
    if seat is not None:
        words["name"] = seats[seat]
        if seat == viewer and f"{key}.you" in MESSAGES:
            key = f"{key}.you"
    if "piece" in facts:
        words["piece"] = piece(facts["piece"])
        words["Piece"] = piece(facts["piece"])[:1].upper() + piece(facts["piece"])[1:]
    if "on" in facts:
        words["on"] = piece(facts["on"])
    if "pieces" in facts:
        words["pieces"] = pieces(facts["pieces"])
    if "colour" in facts:
        words["a_colour"] = MESSAGES[f"colour.{facts['colour']}.a"]
    if event.kind == "card_revealed" and facts["colours"]:
        words["what"] = colours("helmet" if facts["worker"] else "girder", facts["colours"])
        words["how"] = instruction(facts["worker_how" if facts["worker"] else "girder_how"])
    if "reasons" in facts:
        words["reasons"] = reasons(facts["reasons"])
    if "instruction" in facts:
        words["how"] = instruction(facts["instruction"])
    if event.kind == "cards_dealt":
        shown = zip(facts["workers"], facts["colours"], strict=True)
        words["cards"] = listed([colours("helmet" if worker else "girder", two) for worker, two in shown])
    if "place" in facts:
        words["place"] = MESSAGES[f"crane.{facts['place']}"]
    if "winners" in facts:
        words["names"] = _names(facts["winners"], seats, viewer)
    return MESSAGES[key].format(**words)


def refusal(refusal: Refusal, seats: Sequence[str]) -> str:
    """Why something is not allowed, and what would be."""
    facts: dict[str, Any] = refusal.facts
    key = f"refusal.{refusal.code}"
    words: dict[str, object] = dict(facts)
    if refusal.code == "NOT_YOUR_DECISION":
        words["names"] = listed([seats[s] for s in facts["deciders"]])
    elif refusal.code == "WRONG_PHASE":
        key = f"{key}.{facts['phase']}"
    elif refusal.code == "MALFORMED" and facts.get("near"):
        key = f"{key}.near"
        words["near"] = listed([str(name) for name in facts["near"]])
    elif refusal.code == "BAD_OPTION" and "known" in facts:
        key = f"{key}.unknown"
        words["known"] = ", ".join(facts["known"])
    elif refusal.code == "COLOUR_NOT_ON_CARD":
        words["shown"] = listed([MESSAGES[f"colour.{c}"] for c in facts["shown"]])
    if isinstance(facts.get("piece"), int):
        words["piece"] = piece(facts["piece"])
    if "held" in facts:
        words["held"] = piece(facts["held"])
    if "pieces" in facts:
        words["pieces"] = pieces(facts["pieces"])
    if "reasons" in facts:
        words["reasons"] = reasons(facts["reasons"])
    if "colour" in facts:
        words["colour"] = MESSAGES[f"colour.{facts['colour']}"]
    if "allowed" in facts:
        words["allowed"] = listed([str(value) for value in facts["allowed"]])
    if key not in MESSAGES:
        key = "refusal"
        words["code"] = refusal.code
    return MESSAGES[key].format(**words)


def action(action: int, state_view: View) -> str:
    """A button's words for an action."""
    assert isinstance(state_view, MenAtWorkView)
    if action < a.DESIGN_FREE:
        return MESSAGES[f"action.design.{PRESETS[action]}"]
    if action == a.DESIGN_FREE:
        return MESSAGES["action.design.free"]
    if action < a.CHOOSE_GIRDER:
        return _say("action.crane", place=MESSAGES[f"crane.{a.CRANE_PLACES[action - a.STAND_CRANE]}"])
    if action < a.PLAY_ON_DECK:
        helmet = action >= a.CHOOSE_GLOVE
        a_colour = MESSAGES[f"colour.{COLOURS[(action - a.CHOOSE_GIRDER) % 4]}.a"]
        return _say("action.glove" if helmet else "action.girder", a_colour=a_colour)
    if action < a.GO_ON:
        return _card_button(action, state_view)
    fixed = {
        a.GO_ON: "go_on",
        a.RELEASE: "release",
        a.NEXT_PIECE: "next_piece",
        a.FINISH: "finish",
        a.GIVE_UP: "give_up",
        a.CLEAN_DONE: "clean_done",
    }
    if action in fixed:
        return MESSAGES[f"action.{fixed[action]}"]
    if action < a.RELEASE:
        return _say("action.grip", piece=piece(action - a.GRIP))
    if action < a.PUSH_BACK:
        return _say("action.retrieve", piece=piece(action - a.RETRIEVE))
    if action < a.RETURN_SUPPORT:
        return _say("action.push_back", piece=piece(action - a.PUSH_BACK + FIRST[GIRDER]))
    if action < a.LEAVE_SUPPORT:
        return _say("action.return", piece=piece(action - a.RETURN_SUPPORT))
    return _say("action.leave", piece=piece(action - a.LEAVE_SUPPORT))


def _card_button(action: int, view: MenAtWorkView) -> str:
    on_deck = action < a.PLAY_ON_DISCARD
    card = action - (a.PLAY_ON_DECK if on_deck else a.PLAY_ON_DISCARD)
    own = view.seats[view.seat].cards if view.seat is not None else None
    for c in own or ():
        if c.card == card:
            if on_deck:
                what = colours("helmet" if c.worker else "girder", c.colours)
                return _say("action.card.deck", what=what, id=c.id)
            how = instruction(c.worker_how if view.what == "helmet" else c.girder_how)
            return _say("action.card.discard", how=how, id=c.id)
    return _say("action.card", n=card + 1, pile=MESSAGES["deck" if on_deck else "discard"])


def question(view: View, seats: Sequence[str]) -> str:
    """What is asked now: of the viewer if it is their decision, else of whom."""
    assert isinstance(view, MenAtWorkView)
    key = f"question.{view.phase}"
    if view.phase == "GAME_OVER":
        return _say(key, names=_names([r.seat for r in view.ranks if r.place == 1], seats, view.seat))
    if view.phase == "SITE_DESIGN" and view.rebuilding:
        key = f"{key}.again"
    if view.phase == "CLEANUP" and not (view.retrieve or view.supports):
        key = f"{key}.done"
    facts: dict[str, object] = {"name": seats[view.hook]}
    if view.how:
        facts |= {"what": colours(view.what, view.what_colours), "how": instruction(view.how)}
    elif view.phase in ("CHOOSE", "BUILD"):
        facts |= {"what": MESSAGES["none"], "how": MESSAGES["none"]}
    if view.seat == view.hook:
        key = f"{key}.you"
        if view.phase == "CHOOSE" and a.GO_ON in view.legal:
            key = f"{key}.stuck"
        elif view.phase == "BUILD" and view.held:
            key = f"{key}.held"
            facts["pieces"] = pieces(view.held)
    return _say(key, **facts)


def option(option: str) -> tuple[str, str]:
    """An option's title and what it is about."""
    return (MESSAGES[f"option.{option}"], MESSAGES[f"option.{option}.why"])


def option_value(option: str, value: str) -> str:
    """What a value of an option means."""
    key = f"option.{option}.{value}"
    if key in MESSAGES:
        return MESSAGES[key]
    if option in ("expert", "youngest"):
        return listed([_say("seat", n=int(seat) + 1) for seat in value.split(JOIN)])
    return MESSAGES[f"value.{value}"]


def criterion(criterion: str) -> tuple[str, str]:
    """A ranking criterion's heading, and how it breaks a tie."""
    return (MESSAGES[f"criterion.{criterion}"], MESSAGES[f"criterion.{criterion}.why"])


def criterion_value(criterion: str, value: int) -> str:
    """A value of a criterion as people say it."""
    key = f"value.{criterion}.{value}"
    return MESSAGES[key] if key in MESSAGES else _say(f"value.{criterion}", n=value)


def measure(measure: str) -> str:
    """What one of the judgement's `measures` counts."""
    return MESSAGES[f"measure.{measure}"]


def proposal(number: int, facts: Mapping[str, Any], view: View) -> tuple[str, tuple[str, ...]]:
    """What was found by trials on copies of the site (`engine.world.Proposal`): a title and sentences."""
    kind = facts["kind"]
    title = action(number, view)
    if kind == "clear":
        fell = facts["fell"]
        return title, (MESSAGES["advice.clear"] if fell < 0 else _say("advice.clear.falls", piece=piece(fell)),)
    if "piece" not in facts:
        return title, (MESSAGES[f"advice.{kind}"],) if f"advice.{kind}" in MESSAGES else ()
    return _tried(title, facts)


def _tried(title: str, facts: Mapping[str, Any]) -> tuple[str, tuple[str, ...]]:
    """What came of looking for a place for a piece."""
    kind, number = facts["kind"], facts["piece"]
    nothing = _say("advice.nothing", looked=facts["looked"])
    broke = _say("advice.broke", broke=facts["broke"]) if facts["broke"] else ""
    told: dict[str, Any] = {**facts, "piece": piece(number), "on": pieces(facts["on"]), "broke": broke}
    if kind == "colourless":
        return title, (nothing,)
    if kind == "colour":
        return title, (_say("advice.colour", **told),)
    right, away = ("right" if facts["x"] >= 0 else "left"), ("away" if facts["y"] >= 0 else "near")
    spot = {"x": abs(facts["x"]), "right": MESSAGES[f"advice.{right}"]}
    spot |= {"y": abs(facts["y"]), "away": MESSAGES[f"advice.{away}"]}
    told["spot"] = _say("advice.spot", **spot)
    told["turned"] = _say("advice.tipped" if facts["tipped"] else "advice.turned", turn=facts["turn"])
    if facts["lean"]:
        told["turned"] += _say("advice.leaning", lean=abs(facts["lean"]))
    where, held = _say("advice.where", **told), _say("advice.held", **told)
    if kind == "nowhere":
        return _say("advice.nowhere", **told), (nothing, where, held)
    lying = ".lying" if KIND[number] == SUPPORT and facts["tipped"] else ""
    way = _say("advice.aside", **told) if facts["aside"] else MESSAGES["advice.above"]
    return _say(f"advice.place.{KIND_NAMES[KIND[number]]}{lying}", **told), (where, way, held)
