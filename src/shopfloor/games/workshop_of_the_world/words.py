"""Sentences for Workshop of the World, made from ids and facts by the catalogues in `messages`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from shopfloor.engine.events import Event
from shopfloor.engine.refusals import Refusal
from shopfloor.engine.views import View
from shopfloor.games.workshop_of_the_world.actions import (
    BIDS,
    K_BID,
    K_BUILD,
    K_COUNTERS,
    K_DOUBLE,
    K_END,
    K_FIST,
    K_GAMBLE,
    K_KEEP,
    K_PASS,
    K_PLACE,
    K_RAISE,
    K_RELOCATE,
    K_REMOVE,
    K_SELECT,
    K_TAKE,
    Layout,
    counters_of,
)
from shopfloor.games.workshop_of_the_world.messages.en import MESSAGES
from shopfloor.games.workshop_of_the_world.view import MapView, WorkshopView


def say(key: str, **facts: object) -> str:
    return MESSAGES[key].format(**facts)


def listed(parts: Sequence[str]) -> str:
    """One text of several: a, b and c."""
    if not parts:
        return MESSAGES["list.none"]
    text = parts[-1]
    for i, part in enumerate(reversed(parts[:-1])):
        text = say("list.two" if i == 0 else "list.more", a=part, b=text)
    return text


def started(text: str) -> str:
    """The same at the start of a sentence."""
    return text[:1].upper() + text[1:]


def type_name(t: int | str) -> str:
    """A town type, by its place or its id."""
    return MESSAGES[f"type.{t}"]


def colour_name(colour: int) -> str:
    return MESSAGES[f"colour.{colour}"]


def counters(counts: Iterable[int]) -> str:
    """Counts by type in words: 2 Textile and 1 Port."""
    parts = [say("counted", n=n, type=type_name(t)) for t, n in enumerate(counts) if n]
    return listed(parts) if parts else MESSAGES["counted.none"]


def types(which: Sequence[int]) -> str:
    """Counters one by one: Textile and Port, or two Port."""
    if len(which) == 2 and which[0] == which[1]:
        return say("twice", type=type_name(which[0]))
    return listed([type_name(t) for t in which])


def card(name: str, value: int) -> str:
    """A Town card by its town, or as a wild one."""
    return name or say("card.wild", value=value)


def _counted(key: str, n: int) -> str:
    return MESSAGES[f"{key}.one"] if n == 1 else say(key, n=n)


def _owners(colours: Iterable[int], seats: Sequence[str], players: int) -> list[str]:
    """Sets by their owners' names; with two players the colour tells a player's two apart."""
    if players > 2:
        return [seats[colour] for colour in colours]
    return [say("offered", name=seats[colour // 2], pounds=colour_name(colour)) for colour in colours]


def _variant(event: Event) -> str:
    """Which wording of an event's kind its facts ask for."""
    facts: dict[str, Any] = event.facts
    kind = event.kind
    if kind == "game_began" and facts["players"] == 2:
        return f"{kind}.two"
    if kind == "cards_turned_up" and facts["more"]:
        return f"{kind}.more"
    if kind == "fist_placed" and facts["price"] == 0:
        return f"{kind}.free"
    if kind == "link_built":
        return f"{kind}.{'railway' if facts['era'] else 'canal'}{'.two' if facts['links'] == 2 else ''}"
    if kind == "revenue_gained" and len(facts["towns"]) < 2:
        return f"{kind}.{'one' if facts['towns'] else 'none'}"
    if kind == "links_collected":
        # The set is worth telling where a player has two that are counted apart.
        apart = facts["apart"]
        key = kind if facts["network"] else f"{kind}.none"
        return f"{key}.colour" if apart else key
    if kind == "game_ended" and facts["tied"]:
        return f"{kind}.tied"
    return kind


def event(event: Event, seats: Sequence[str], viewer: int | None) -> str:
    """What happened, told to `viewer` (None: a spectator); `seats` are the players' names."""
    facts: dict[str, Any] = event.facts
    key = _variant(event)
    words: dict[str, object] = dict(facts)
    seat = facts.get("seat")
    if seat is not None:
        words["name"] = seats[seat]
        if seat == viewer and f"{key}.you" in MESSAGES:
            key = f"{key}.you"
    if "town" in facts:
        words["town"] = facts["name"]
    if "card" in facts:
        words["card"] = card(facts["name"], facts["value"])
    if "set" in facts:
        words["colour"] = colour_name(facts["set"])
        words["colour_start"] = started(colour_name(facts["set"]))
    if "order" in facts:
        words["order"] = listed(_owners(facts["order"], seats, len(seats)))
    if "counters" in facts:
        words["counters"] = counters(facts["counters"])
    if "types" in facts:
        words["types"] = types(facts["types"])
    if "number" in facts:
        words["number"] = _counted("counters", facts["number"])
    if "era" in facts:
        words["era"] = MESSAGES[f"era.{facts['era']}"]
    if event.kind == "cards_turned_up":
        pairs = zip(facts["names"], facts["values"], strict=True)
        words["cards"] = listed([card(name, value) for name, value in pairs])
    if event.kind == "fists_opened":
        parts = []
        for s, (bid, colour) in enumerate(zip(facts["bids"], facts["sets"], strict=True)):
            money = say("pounds", n=bid)
            parts.append(say("offered", name=seats[s], pounds=say("offered", name=money, pounds=colour_name(colour))))
        words["offers"] = listed(parts)
    if event.kind == "revenue_gained":
        words["towns"] = listed(facts["towns"])
    if event.kind == "game_ended":
        words["names"] = names(facts["winners"], seats, viewer)
        words["most"] = max(facts["wealth"])
    return MESSAGES[key].format(**words)


def names(which: Iterable[int], seats: Sequence[str], viewer: int | None) -> str:
    """Seats at the start of a sentence."""
    return started(listed([MESSAGES["you"] if s == viewer else seats[s] for s in which]))


def refusal(refusal: Refusal, seats: Sequence[str]) -> str:
    """Why something is not allowed, and what would be."""
    facts: dict[str, Any] = refusal.facts
    code = refusal.code
    key = f"refusal.{code}"
    words: dict[str, object] = dict(facts)
    if code == "NOT_YOUR_DECISION":
        awaited = facts.get("deciders") or []
        key = key if awaited else f"{key}.nobody"
        words["names"] = listed([seats[s] for s in awaited])
    elif code == "WRONG_PHASE":
        key = f"{key}.{facts['phase']}"
    elif facts.get("near"):
        key = f"{key}.near"
        words["near"] = listed([str(name) for name in facts["near"]])
    elif code == "BAD_OPTION" and "known" in facts:
        key = f"{key}.unknown"
        words["known"] = ", ".join(facts["known"])
    elif code == "COUNTER_NOT_HELD" and facts["held"]:
        key = f"{key}.two"
    elif code == "LINK_NOT_FROM_TOWN":
        key = key if facts["starts"] else f"{key}.none"
        words["starts"] = listed(facts["starts"])
    elif code == "NO_LINKS_LEFT":
        words["links"] = _counted("links", facts["links"])
    if "allowed" in facts:
        words["allowed"] = listed([str(value) for value in facts["allowed"]])
    if "type" in facts:
        words["type"] = type_name(facts["type"])
    if "set" in facts:
        words["colour"] = colour_name(facts["set"])
    if "card" in facts:
        words["card"] = card(facts["name"], facts["value"])
        words["card_start"] = started(card(facts["name"], facts["value"]))
    if key not in MESSAGES:
        key = "refusal"
        words["code"] = code
    return MESSAGES[key].format(**words)


# -- buttons ------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def _layout(cards: int, towns: int, connections: int) -> Layout:
    return Layout(cards, towns, connections)


def layout(printed: MapView) -> Layout:
    """Where the blocks of the action table begin for this map."""
    return _layout(len(printed.card_ids), len(printed.town_names), len(printed.connection_ids))


def map_card(printed: MapView, number: int) -> str:
    """A Town card of the map by its town, or as a wild one."""
    town = printed.card_towns[number]
    return card(printed.town_names[town] if town >= 0 else "", printed.card_values[number])


def _offered(view: WorkshopView, number: int) -> str:
    """A face-up card; where two show the same, its id tells them apart."""
    name = map_card(view.map, number)
    twins = [c for c in view.cards if c.taker is None and map_card(view.map, c.card) == name]
    return say("action.card.twin", card=name, id=view.map.card_ids[number]) if len(twins) > 1 else name


def action(action: int, state_view: View) -> str:
    """A button's words for an action."""
    assert isinstance(state_view, WorkshopView)
    printed = state_view.map
    kind, what = layout(printed).split(action)
    if kind == K_PASS:
        return MESSAGES["action.pass"]
    if kind == K_KEEP:
        return MESSAGES["action.keep"]
    if kind == K_END:
        return MESSAGES["action.end_turn.more" if state_view.fresh else "action.end_turn"]
    if kind == K_GAMBLE:
        return MESSAGES["action.gamble"]
    if kind == K_COUNTERS:
        return say("action.counters", types=types(counters_of(what)))
    if kind == K_REMOVE:
        return say("action.remove", colour=colour_name(what))
    if kind == K_RAISE:
        return say("action.raise", pounds=what)
    if kind == K_BID:
        return say("action.bid", pounds=what)
    if kind == K_FIST:
        colour = 2 * (state_view.seat or 0) + what // BIDS
        return say("action.fist", pounds=what % BIDS, colour=colour_name(colour))
    if kind in (K_SELECT, K_TAKE):
        return say("action.select" if kind == K_SELECT else "action.take", card=_offered(state_view, what))
    if kind == K_RELOCATE:
        return say("action.lift", town=printed.town_names[what])
    if kind == K_PLACE:
        place = next((p for p in state_view.places if p.action == action), None)
        key = "action.place" if place is None or not place.gain else "action.place.gain"
        gain = {"gain": place.gain, "links": _counted("links", place.links), "price": place.price} if place else {}
        return say(key, town=printed.town_names[what], **gain)
    if kind in (K_BUILD, K_DOUBLE):
        a, b = printed.ends[what]
        price = state_view.link_price * (2 if kind == K_DOUBLE else 1)
        key = "action.build" if kind == K_BUILD else "action.double"
        built = next((build for build in state_view.builds if build.action == action), None)
        text = say(key, a=printed.town_names[a], b=printed.town_names[b], price=price)
        return text if built is None else say("action.gain", text=text, gain=built.gain)
    held = state_view.held
    return say("action.use", card=card(held.name, held.value) if held else "")


# -- what is asked --------------------------------------------------------------------------------------------------


def question(view: View, seats: Sequence[str]) -> str:
    """What is asked now: of the viewer if it is their decision, else of whom."""
    assert isinstance(view, WorkshopView)
    key = f"question.{view.phase}"
    if view.phase == "GAME_OVER":
        return say(key, names=names([r.seat for r in view.ranks if r.place == 1], seats, view.seat))
    shown = ""
    if view.lot is not None:
        shown = map_card(view.map, view.lot)
    elif view.held is not None:
        shown = card(view.held.name, view.held.value)
    facts: dict[str, object] = {
        "card": shown,
        "card_start": started(shown),
        "town": view.map.town_names[view.town] if view.town is not None else "",
        "colour": colour_name(view.active) if view.active is not None else "",
        "value": view.held.value if view.held is not None else 0,
        "high": view.high,
        "price": view.link_price,
        "names": started(listed([seats[s] for s in view.deciders])),
    }
    if view.seat is None or view.seat not in view.deciders:
        return say(f"{key}.wild" if _wild(view) else key, **facts)
    return say(f"{key}.you{_manner(view)}", **facts)


def _wild(view: WorkshopView) -> bool:
    """Is an Industry to be placed by a wild card?"""
    return view.phase == "TURN_PLACE" and view.held is not None and view.held.town is None


def _manner(view: WorkshopView) -> str:
    """Which wording of a question to the viewer the position asks for."""
    phase = view.phase
    if phase.startswith("DEMAND") and view.players == 2:
        return ".two"
    if phase.startswith("FIST") and view.rebid:
        return ".again"
    if phase.startswith("TURN_LINK") and not view.builds:
        return ".none"
    if _wild(view):
        return ".wild"
    if phase == "AUCTION_BID":
        if view.must_bid:
            return ".must"
        if view.seat == view.initiator:
            return ".last"
        return "" if view.high else ".first"
    return ""


def option(option: str) -> tuple[str, str]:
    """An option's title and what it is about."""
    return (MESSAGES[f"option.{option}"], MESSAGES[f"option.{option}.why"])


def option_value(option: str, value: str) -> str:
    """What a value of an option means."""
    return MESSAGES[f"option.{option}.{value}"]


def criterion(criterion: str) -> tuple[str, str]:
    """A ranking criterion's heading, and how it breaks a tie."""
    return (MESSAGES[f"criterion.{criterion}"], MESSAGES[f"criterion.{criterion}.why"])


def criterion_value(criterion: str, value: int) -> str:
    """A value of a criterion as people say it."""
    if criterion == "cash" and value < 0:
        return say("value.cash.minus", n=-value)
    return say(f"value.{criterion}", n=value)


def measure(measure: str) -> str:
    """What one of the judgement's `measures` counts."""
    return MESSAGES[f"measure.{measure}"]
