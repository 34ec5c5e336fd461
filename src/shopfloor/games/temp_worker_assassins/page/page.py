"""What the template of the office needs, made from a View, the players' names and the events so far.

Pure functions: nothing here knows a server, a table or HTML.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from shopfloor.engine.events import Event
from shopfloor.engine.ranking import tie_sentences
from shopfloor.games.temp_worker_assassins import words
from shopfloor.games.temp_worker_assassins.actions import (
    ACCEPT,
    DECLINE,
    FIRST_NAMED,
    OPTION,
    SKIP,
    STOP,
    layout,
)
from shopfloor.games.temp_worker_assassins.attempt import attack
from shopfloor.games.temp_worker_assassins.cards import Cards, loaded
from shopfloor.games.temp_worker_assassins.effects import BONUS, CARD, END_BONUS
from shopfloor.games.temp_worker_assassins.layout import Layout, swap_action
from shopfloor.games.temp_worker_assassins.outlook import prices
from shopfloor.games.temp_worker_assassins.page.short import glyphs, short
from shopfloor.games.temp_worker_assassins.view import AssassinsView, CardView, SeatView, SpaceView, TargetView

HOUSE: Final = "plum"
"""The ink of the box."""

PIECE: Final = "assassin"
"""The symbol of a player's piece, before the number of the seat."""

SUPERSEDED: Final[dict[str, str]] = {}
"""Lines of the log that say nothing any more once another kind has followed."""

OVER: Final = "GAME_OVER"
NUMBER: Final = re.compile(r" (\d)")
ZOMBIE_PLACE: Final = 3
DAY_NAMES: Final = ("Mon", "Tue", "Wed", "Thu", "Fri")
KEYS: Final = "1234567890"

SIGNS: Final = (
    ("Draw 2", "Two cards from your own deck come to your hand.", "TA-2.4"),
    ("Discard 1", "A card of your hand goes to your discard pile. You draw it again some day.", "TA-8.2"),
    ("Trash 1", "A card of your hand leaves the game: few weak cards make better hands.", "TA-2.1"),
    ("Gain 1", "A card of the open stationery supply comes to your hand, and stays in your deck.", "TA-2.2"),
    ("Research 3", "You alone look at three supply cards and keep one of them.", "TA-2.3"),
    ("Clear", "The four open supply cards make room for four new ones.", "TA-2.5"),
    ("Recover 1", "A card of your discard pile comes back to your hand.", "TA-A43"),
    ("+1 attack today", "Each of your attempts counts one more, as long as your assassin stands there.", "TA-A36"),
    ("Evict 1", "A rival's assassin is led from its space to Security.", "TA-A40"),
    ("Relocate 1", "One of your assassins moves to a free space, which takes effect.", "TA-A41"),
    ("Swap target", "A face-up target goes under its deck, and the top one takes its place.", "TA-A45"),
)
"""Newcomers' words for what stands on doors and cards."""

Why = Callable[[int], dict[str, str] | None]
"""Why the viewer may not choose an action now: `text` and `clause`; None if they may, or only watch."""

ART: Final = {
    "ST01": ("st-disc", "slate"),
    "ST02": ("st-ruler", "mustard"),
    "ST03": ("st-stapler", "plum"),
    "ST04": ("st-sharpener", "teal"),
    "ST05": ("st-heavy", "slate"),
    "ST06": ("st-blade", "leaf"),
    "ST07": ("st-clip", "slate"),
    "ST08": ("st-book", "oxide"),
    "ST09": ("st-marker", "plum"),
    "ST10": ("st-binder", "teal"),
    "ST11": ("st-sticky", "mustard"),
    "ST12": ("st-catalogue", "oxide"),
    "ST13": ("st-punch", "slate"),
    "ST14": ("st-band", "oxide"),
    "ST15": ("st-sceptre", "plum"),
    "ST16": ("st-pen", "slate"),
    "ST17": ("st-mech", "teal"),
    "ST18": ("st-cable", "leaf"),
    "ST19": ("st-fluid", "mustard"),
    "ST20": ("st-stamp", "oxide"),
    "ST21": ("st-badge", "teal"),
    "ST22": ("st-guillotine", "leaf"),
    "D1": ("st-pencil", "oxide"),
    "D2": ("st-blunt", "slate"),
    "D3": ("st-paper", "leaf"),
}
"""The drawing of a card and the ink of its field, by the card's id."""

TAG_ART: Final = {"day": ("day", "mustard"), "pencil": ("st-pencil", "oxide"), "ruler": ("st-ruler", "mustard")}
TITLES: Final = {
    "place": "Hot-desk",
    "play": "Attempt",
    "discard": "Discard",
    "trash": "Trash",
    "gain": "Gain",
    "recover": "Recover",
    "swap": "Reshuffle",
    "evict": "Security!",
    "move_from": "Relocate",
    "move_to": "Relocate",
    "keep": "Research",
    "choose": "Choose",
    "may": "If you like",
}


def context(view: AssassinsView, names: Sequence[str], events: Sequence[Event], why: Why) -> dict[str, Any]:
    """Everything that `table.html` shows. `names`: the seats' names, the viewer's own being "You"."""
    cards = loaded(view.edition)
    sorts = layout(cards)
    me = view.seats[view.seat] if view.seat is not None else None
    mine = view.seat is not None and view.seat in view.deciders
    page = _Page(view, cards, sorts, names, why, mine)
    last = _last_attempt(events)
    targets = [page.target(place, last) for place in range(len(view.targets))]
    rooms = page.rooms()
    supply = page.row(view.supply_row, sorts.gain, "gain", "gain")
    hand = page.hand(me)
    discards = page.pile(me.discard if me else (), sorts.recover, "recover", "recover")
    looked = page.row(view.looked, sorts.keep, "keep", "keep")
    return {
        "phases": _phases(view),
        "week": _week(view, names),
        "targets": targets,
        "rooms": rooms,
        "guests": [s.seat for s in view.seats for _ in range(s.security)],
        "supply": supply,
        "hand": hand,
        "discards": discards,
        "looked": looked,
        "attempt": page.attempt(),
        "plan": page.plan(),
        "answers": page.answers(),
        "prize": _prize(view),
        "rail": [_rail(view, s, names, mine) for s in _by_turn(view)],
        "me": me,
        "piles": _piles(view, me),
        "wait_why": _one(why(sorts.occupy)) if me is not None and not mine and view.phase != OVER else [],
        "place_why": page.place_why(),
        "ranking": _ranking(view, names),
        "sentences": tie_sentences(view.ranks, names, lambda c: words.criterion(c)[1]),
        "winners": [names[r.seat] for r in view.ranks if r.place == 1],
        "title": _title(view, mine),
        "last": last,
        "modes": _modes(view),
        "here": _here(view, last),
        "signs": SIGNS,
    }


def pick_drawing(option: str, pick: str) -> str:
    """The drawing of what can be picked for an option at the set-up."""
    return f"departments/{pick}" if option == "departments" else ""


def summary(view: AssassinsView) -> str:
    """Where the game stands, for lists of tables."""
    return f"{view.markers[view.day - 1].card.name}, day {view.day} of {len(view.markers)}"


def chapter(event: Event, names: Sequence[str]) -> str:
    """The heading of the log that begins with this event, or nothing."""
    if event.kind == "day_began":
        facts: dict[str, Any] = event.facts
        who = names[facts["seat"]]
        return f"{facts['name']}: {who} {'start' if who == 'You' else 'starts'}"
    return ""


class _Page:
    """What the parts of the office look like, and which of them can be clicked."""

    def __init__(
        self, view: AssassinsView, cards: Cards, sorts: Layout, names: Sequence[str], why: Why, mine: bool
    ) -> None:
        self.view = view
        self.cards = cards
        self.sorts = sorts
        self.names = names
        self.why = why
        self.mine = mine
        self.legal = frozenset(view.legal) if mine else frozenset()

    def button(self, action: int, verb: str) -> dict[str, Any]:
        """What a click on a thing does, or why it does nothing."""
        if action in self.legal:
            return {"action": action, "text": words.action(action, self.view), "verb": verb, "why": []}
        return {"action": None, "text": "", "verb": "", "why": []}

    # -- the battlements ------------------------------------------------------------------------------------------

    def target(self, place: int, last: dict[str, Any]) -> dict[str, Any]:
        view = self.view
        found = view.targets[place]
        zombie = place == len(view.targets) - 1
        base: dict[str, Any] = {"place": place, "t": found, "zombie": zombie, "aim": False, "under": 0, "stamp": None}
        base["fell"] = None
        if view.attempt is None and last and last["success"] and last["place"] == place:
            base["fell"] = last
        if found is None:
            return base | {"action": None, "why": []}
        base["bonus"] = _bonus(found)
        base["bonus_full"] = "; ".join(
            t for t in (words.effect(found.bonus, BONUS), words.effect(found.end_bonus, END_BONUS)) if t
        )
        base["under"] = view.zombie_stack if zombie and found.zombie else 0
        base["aim"] = view.attempt is not None and view.attempt.place == place
        base["sure"] = view.sure_against[place]
        if (
            view.phase != OVER
            and view.attempt is None
            and last
            and not last["success"]
            and last["target"] == found.target
        ):
            base["stamp"] = f"{last['total']} of {last['defence']}"
        verb = "Attempt"
        action = self.sorts.attempt + found.target
        if view.ask == "swap" and self.mine:
            verb = "Swap"
            if not found.zombie:
                action = swap_action(self.sorts, self.cards.zombie, found.target)
        button = self.button(action, verb)
        if self.mine and view.ask == "swap" and button["action"] is None:
            text = "Zombies stay where they are: only other targets can be swapped."
            button["why"] = [{"text": text, "clause": "TA-A45"}]
        return base | button

    # -- Departments ----------------------------------------------------------------------------------------------

    def rooms(self) -> list[dict[str, Any]]:
        return [
            {
                "id": d.id,
                "art": HARD_ART.get(d.id, d.id),
                "name": d.name,
                "security": d.security,
                "spaces": [self.space(s, d.name) for s in d.spaces],
                "here": any(s.space == self.view.here for s in d.spaces),
            }
            for d in self.view.departments
        ]

    def space(self, s: SpaceView, department: str) -> dict[str, Any]:
        view, sorts = self.view, self.sorts
        asked = {
            "place": (sorts.occupy, "Place"),
            "evict": (sorts.evict, "Evict"),
            "move_from": (sorts.move_from, "Move"),
            "move_to": (sorts.move_to, "Move here"),
        }
        first, verb = asked.get(view.ask, (sorts.occupy, ""))
        button = self.button(first + s.space, verb)
        if self.mine and view.ask in asked and button["action"] is None:
            button["why"] = _one(self.why(first + s.space))
        return button | {
            "space": s.space,
            "number": s.number,
            "short": NUMBER.sub("\N{NO-BREAK SPACE}\\1", short(s.effect)),
            "full": words.effect(s.effect),
            "occupant": s.occupant,
            "who": "" if s.occupant is None else self.names[s.occupant],
            "lasting": bool(s.lasting),
            "here": s.space == view.here,
            "moving": s.space == view.moving,
        }

    def place_why(self) -> list[dict[str, str]]:
        """Why no assassin can be placed now, though it is the viewer's decision."""
        if not self.mine or self.view.ask in ("place", "evict", "move_from", "move_to", "nothing"):
            return []
        return _one(self.why(self.sorts.occupy + self.view.departments[0].spaces[0].space))

    # -- cards ----------------------------------------------------------------------------------------------------

    def card(self, card: CardView) -> dict[str, Any]:
        symbol, ink = _art(card)
        return {
            "kind": card.card,
            "name": card.name,
            "icon": symbol,
            "ink": ink,
            "glyphs": glyphs(card.effect),
            "effect": words.effect(card.effect, CARD),
            "count": card.count,
        }

    def row(self, cards: Iterable[CardView], first: int, ask: str, verb: str) -> list[dict[str, Any]]:
        """Cards side by side."""
        supply = self.cards.supply
        found = []
        for card in cards:
            known = self.view.ask == ask and card.card < supply
            button = self.button(first + card.card, verb) if known else self.button(-1, verb)
            found.append(self.card(card) | button)
        return found

    def pile(self, cards: Iterable[CardView], first: int, ask: str, verb: str) -> list[dict[str, Any]]:
        return [
            self.card(c) | (self.button(first + c.card, verb) if self.view.ask == ask else self.button(-1, verb))
            for c in cards
        ]

    def hand(self, me: SeatView | None) -> list[dict[str, Any]]:
        """The viewer's hand, cards of a kind together."""
        if me is None or me.hand is None:
            return []
        sorts, view = self.sorts, self.view
        firsts = {"play": sorts.play, "discard": sorts.discard, "trash": sorts.trash}
        first = firsts.get(view.ask) if self.mine else None
        found = []
        counts = Counter(card.card for card in me.hand)
        for i, card in enumerate(sorted({c.card: c for c in me.hand}.values(), key=lambda c: c.card)):
            count = counts[card.card]
            button = self.button(-1, "")
            if first is not None:
                button = self.button(first + card.card, view.ask.capitalize())
                if button["action"] is None:
                    button["why"] = _one(self.why(first + card.card))
            told = self.card(card) | button | {"count": count, "nth": count, "key": KEYS[i] if i < len(KEYS) else ""}
            told["cannot"] = first is not None and button["action"] is None
            told["then"] = self.then(card.card, me) if view.ask == "play" and button["action"] is not None else None
            told["fells"] = view.attempt is not None and (told["then"] or 0) >= view.attempt.defence
            found.append(told)
        return found

    def then(self, kind: int, me: SeatView) -> int | None:
        """The total attack once a card has been played, its price paid from the hand."""
        attempt = self.view.attempt
        if attempt is None:
            return None
        price = prices(self.view.edition)[kind]
        left = me.hand_count - 1 - price.any - price.identical - price.tagged + price.brings
        played = [p.card.card for p in attempt.played] + [kind]
        cards = self.cards
        total = attack(cards.flat, cards.terms, cards.tag_masks, played, max(left, 0), attempt.defence)
        return total + attempt.lasting

    # -- the attempt ----------------------------------------------------------------------------------------------

    def attempt(self) -> dict[str, Any] | None:
        attempt = self.view.attempt
        if attempt is None:
            return None
        played = []
        done: Counter[int] = Counter()
        own = self.view.seats[attempt.seat].hand or ()
        counts = Counter(c.card for c in own) + Counter(p.card.card for p in attempt.played)
        hand = "c" if attempt.seat == self.view.seat else "o"
        for p in attempt.played:
            # The copies of a kind are numbered, so that a card that is played travels from the hand to the target;
            # another's card must not be taken for one of the viewer's own.
            nth = f"{hand}-{p.card.card}-{counts[p.card.card] - done[p.card.card]}"
            played.append(self.card(p.card) | {"attack": p.attack, "moving": nth})
            done[p.card.card] += 1
        sure = attempt.sure
        cells = []
        for i in range(attempt.defence):
            state = "full" if i < attempt.total else "sure" if sure is not None and i < sure else ""
            cells.append(state)
        return {
            "seat": attempt.seat,
            "name": self.names[attempt.seat],
            "target": attempt.target,
            "total": attempt.total,
            "defence": attempt.defence,
            "lasting": attempt.lasting,
            "played": played,
            "cells": cells,
            "sure": sure,
            "says": _attack_says(attempt.total, attempt.defence, sure),
            "new_hand": attempt.new_hand,
            # How the target looks by now: unmoved, sweating, patched up.
            "hurt": 0 if 3 * attempt.total < attempt.defence else 1 if 3 * attempt.total < 2 * attempt.defence else 2,
        }

    def plan(self) -> dict[str, Any] | None:
        """What the hand of whoever places surely does, before an assassin is spent on it."""
        sure = [
            (n, t.name, n >= t.defence)
            for n, t in zip(self.view.sure_against, self.view.targets, strict=True)
            if n is not None and t is not None
        ]
        if not sure:
            return None
        return {
            "least": min(n for n, _, _ in sure),
            "most": max(n for n, _, _ in sure),
            "enough": [name for _, name, enough in sure if enough],
        }

    def answers(self) -> list[dict[str, Any]]:
        """Decisions that belong to nothing on the table."""
        found = []
        for action in (ACCEPT, *range(OPTION, FIRST_NAMED), STOP, SKIP, DECLINE):
            if action in self.legal:
                main = action in (ACCEPT, SKIP)
                found.append({"action": action, "text": words.action(action, self.view), "main": main})
        return found


HARD_ART: Final = {"DP06": "DP01", "DP07": "DP02", "DP08": "DP03"}


def _one(reason: dict[str, str] | None) -> list[dict[str, str]]:
    return [reason] if reason is not None else []


def _art(card: CardView) -> tuple[str, str]:
    for tag in card.tags:
        if card.id not in ART and tag in TAG_ART:
            return TAG_ART[tag]
    return ART.get(card.id, ("st-paper", "leaf"))


def _bonus(target: TargetView) -> str:
    return "; ".join(t for t in (short(target.bonus, BONUS), short(target.end_bonus, END_BONUS)) if t)


def _attack_says(total: int, defence: int, sure: int | None) -> str:
    """What is there and what is lacking."""
    if total >= defence:
        return f"{total} of {defence}: it falls as soon as this card is done"
    if sure is None:
        return f"{total} of {defence}: {defence - total} short"
    if sure >= defence:
        return f"{total} played, and your hand is sure to do it"
    return f"{total} played, {sure - total} sure in hand, {defence - sure} short: draw for them"


def _last_attempt(events: Sequence[Event]) -> dict[str, Any]:
    """How the last attempt ended, until somebody places the next assassin."""
    last: dict[str, Any] = {}
    for event in events:
        facts: dict[str, Any] = event.facts
        if event.kind in ("attempt_succeeded", "attempt_failed"):
            last = {
                "seat": facts["seat"],
                "name": facts["name"],
                "target": facts["target"],
                "total": facts["total"],
                "defence": facts["defence"],
                "success": event.kind == "attempt_succeeded",
                "place": None,
            }
        elif last and event.kind in ("target_revealed", "zombie_revealed") and last["place"] is None:
            last["place"] = facts.get("place", ZOMBIE_PLACE)
        elif event.kind in ("attempt_began", "occupied", "skipped", "day_began"):
            last = {}
    return last


def _phases(view: AssassinsView) -> list[tuple[str, str]]:
    """The phases of the day. Only Hot-desk asks for decisions: it says how many assassins are still to be placed."""
    if view.phase == OVER:
        return []
    left = sum(s.unplaced for s in view.seats)
    placed = any(s.occupant is not None for d in view.departments for s in d.spaces)
    fresh = view.ask == "place" and not placed and not any(s.security or s.skipped for s in view.seats)
    hot = f"Hot-desk, {left} to place" if left else "Hot-desk, the last one"
    return [
        (f"Open shop: {DAY_NAMES[view.day - 1]}" if fresh else "Open shop", "now" if fresh else "done"),
        (hot, "" if fresh else "now"),
        ("Clocking off", ""),
    ]


def _week(view: AssassinsView, names: Sequence[str]) -> list[dict[str, Any]]:
    return [
        {
            "day": m.day,
            "short": m.card.name[:3],
            "name": m.card.name,
            "effect": words.effect(m.card.effect, CARD),
            "state": m.state,
            "today": m.day == view.day and view.phase != OVER,
            "winner": m.winner,
            "who": "" if m.winner is None else names[m.winner],
        }
        for m in view.markers
    ]


def _prize(view: AssassinsView) -> dict[str, Any] | None:
    """What the attempt brings if it succeeds."""
    if view.attempt is None:
        return None
    markers = [m.card.name for m in view.markers if m.state == "open"]
    return {"bounty": view.attempt.target.bounty, "markers": markers, "bonus": _bonus(view.attempt.target)}


def _piles(view: AssassinsView, me: SeatView | None) -> list[dict[str, Any]]:
    """Piles that can be looked through."""
    found = []
    if me is not None:
        found.append(_pile_of("deck", "Your deck, in no known order", me.deck_count, me.deck or ()))
        found.append(_pile_of("discards", "Your discard pile", sum(c.count for c in me.discard), me.discard))
    supply = sum(c.count for c in view.supply_discard)
    found.append(_pile_of("supply", "Supply discards", supply, view.supply_discard))
    found.append(_pile_of("trash", "Trashed", sum(c.count for c in view.trashed), view.trashed))
    return found


def _pile_of(id_: str, title: str, count: int, cards: Iterable[CardView]) -> dict[str, Any]:
    told = [(c.count, c.name, words.effect(c.effect, CARD)) for c in cards]
    return {"id": id_, "title": title, "count": count, "cards": told}


def _by_turn(view: AssassinsView) -> list[SeatView]:
    """The seats in the order in which they place today."""
    return [view.seats[(view.starting_player + i) % view.players] for i in range(view.players)]


def _rail(view: AssassinsView, s: SeatView, names: Sequence[str], mine: bool) -> dict[str, Any]:
    bounty = None
    if s.target_bounty is not None and s.set_bounty is not None:
        bounty = s.target_bounty + s.set_bounty + (s.card_bounty or 0)
    each = 5 if view.players == 2 else 4
    return {
        "seat": s.seat,
        "name": names[s.seat],
        "me": s.seat == view.seat,
        "now": s.seat == view.current_player and view.phase != OVER,
        "waits": s.seat in view.deciders,
        "status": _status(view, s, bounty),
        "targets": s.trophy_count,
        "bounty": bounty,
        "hand": s.hand_count,
        "deck": s.deck_count,
        "discard": sum(c.count for c in s.discard),
        "pile": [(c.count, c.name) for c in s.discard],
        "known": [c.name for c in s.known] if s.seat != view.seat else [],
        "trophies": [(t.name, t.bounty) for t in s.trophies] if s.trophies is not None else None,
        "lasting": [words.effect(text) for text in s.lasting],
        "unplaced": s.unplaced,
        "away": max(each - s.unplaced, 0),
    }


def _status(view: AssassinsView, s: SeatView, bounty: int | None) -> str:
    parts = []
    if view.phase != OVER:
        if view.attempt is not None and view.attempt.seat == s.seat:
            parts.append("Attempting")
        elif s.seat == view.starting_player:
            parts.append("Started today")
        if view.marker_claim == s.seat:
            parts.append("Starts tomorrow")
    if s.security:
        parts.append(f"{s.security} in Security")
    if bounty is not None:
        parts.append(f"Bounty {bounty}")
    return ". ".join(parts) or "At large"


def _title(view: AssassinsView, mine: bool) -> str:
    if view.phase == OVER:
        return "Weekend"
    if not mine:
        return "You watch" if view.seat is None else "Waiting"
    return TITLES.get(view.ask, "Now")


def _modes(view: AssassinsView) -> list[str]:
    """Agreements of the table that change what one may expect."""
    found = []
    if view.quick_mode:
        found.append("Quick Mode")
    if any(d.group == "hard" for d in view.departments):
        found.append("Hard Mode")
    if not any(d.name.startswith("Really Spooky") for d in view.departments):
        found.append("No Trashing")
    return found


def _here(view: AssassinsView, last: dict[str, Any]) -> str:
    """The Department, the card or the fallen target whose instruction is being followed."""
    if view.phase == "TARGET_BONUS" and last:
        return f"Bonus of {last['name']}"
    if view.attempt is not None and view.attempt.played and view.ask not in ("play", "nothing"):
        card = view.attempt.played[-1].card
        return f"{card.name}: {words.phrase(card.effect, CARD)}"
    if view.here is None:
        return ""
    for d in view.departments:
        for s in d.spaces:
            if s.space == view.here:
                return f"{d.name}: {words.phrase(s.effect)}"
    return ""


# -- the end ----------------------------------------------------------------------------------------------------------


def _ranking(view: AssassinsView, names: Sequence[str]) -> list[dict[str, Any]]:
    """Best first, with what the bounty is made of and every value that was compared."""
    found = []
    for r in view.ranks:
        s = view.seats[r.seat]
        found.append(
            {
                "seat": r.seat,
                "name": names[r.seat],
                "place": r.place,
                "me": r.seat == view.seat,
                "parts": [s.trophy_count, s.target_bounty or 0, s.set_bounty or 0, s.card_bounty or 0],
                "bounty": r.values[0],
                "trophies": [{"id": t.id, "name": t.name, "bounty": t.bounty} for t in s.trophies or ()],
            }
        )
    return found


__all__ = ["HOUSE", "PIECE", "SUPERSEDED", "chapter", "context", "pick_drawing", "summary"]
