"""What the viewer can decide now, by where it stands on the page: every legal action has one control."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from shopfloor.games.men_at_work import actions as a
from shopfloor.games.men_at_work import words
from shopfloor.games.men_at_work.cards import PRESETS
from shopfloor.games.men_at_work.page import drawn
from shopfloor.games.men_at_work.page.short import CLAUSES, HOW
from shopfloor.games.men_at_work.pieces import COLOURS, FIRST, GIRDER, HAT, KIND, KIND_NAMES
from shopfloor.games.men_at_work.view import MenAtWorkView, SeatView

Why = Callable[[int], dict[str, str] | None]

SAYINGS: Final = {
    "beginner": "Few girders, on supports that lie. A wide and friendly site.",
    "advanced": "Taller and crossed, the worker far out.",
    "expert": "A tower on its edge, the worker up high.",
}
CRANES: Final = {"middle": "In the middle of the site", "bottom": "In the box", "edge": "On the corner of the box"}


class Choices:
    def __init__(self, view: MenAtWorkView, why: Why, mine: bool) -> None:
        self.view = view
        self.why = why
        self.mine = mine
        self.legal = frozenset(view.legal) if mine else frozenset()
        self.shown: set[int] = set()

    def one(self, action: int, ask: bool = False) -> dict[str, Any]:
        """A control: `action` is None where it cannot be chosen, and `why` says the reason if it is asked for."""
        if action in self.legal and action not in self.shown:
            self.shown.add(action)
            return {"action": action, "text": words.action(action, self.view), "why": []}
        reason = self.why(action) if ask and self.mine and action not in self.legal else None
        return {"action": None, "text": words.action(action, self.view), "why": [reason] if reason else []}

    # -- before the first turn ------------------------------------------------------------------------------------

    def designs(self) -> list[dict[str, Any]]:
        if not self.mine or self.view.phase != "SITE_DESIGN":
            return []
        before = (
            "skyscraper_" if "skyscraper" in self.view.variants else "crane_" if "crane" in self.view.variants else ""
        )
        found = []
        for k, plan in enumerate(PRESETS):
            sketch = drawn.corner(drawn.preset(before + plan), before == "skyscraper_", "", f"The {plan} site")
            found.append(self.one(a.DESIGN + k) | {"plan": plan, "why": SAYINGS[plan], "drawing": sketch})
        free = self.one(a.DESIGN_FREE)
        return [*found, free | {"plan": "free", "why": "", "drawing": ""}]

    def cranes(self) -> list[dict[str, Any]]:
        if not self.mine or self.view.phase != "CRANE_STANDING":
            return []
        found = [(place, self.one(a.STAND_CRANE + k)) for k, place in enumerate(a.CRANE_PLACES)]
        return [one | {"place": place, "title": CRANES[place]} for place, one in found if one["action"] is not None]

    # -- the card -------------------------------------------------------------------------------------------------

    def colours(self) -> list[dict[str, Any]]:
        """The two colours of the deck's top card."""
        view = self.view
        if not self.mine or view.phase != "CHOOSE" or not view.what:
            return []
        first = a.CHOOSE_GLOVE if view.what == "helmet" else a.CHOOSE_GIRDER
        found = []
        for colour in view.what_colours:
            k = COLOURS.index(colour)
            found.append(self.one(first + k, True) | {"colour": colour, "left": view.girders[k]})
        return found

    def cards(self, me: SeatView | None) -> list[dict[str, Any]]:
        """The viewer's Foreman cards, with what they would change."""
        found = []
        for card in (me.cards or ()) if me is not None else ():
            helmet = self.view.what == "helmet"
            how = card.worker_how if helmet else card.girder_how
            found.append(
                {
                    "card": card.card,
                    "id": card.id,
                    "kind": "helmet" if card.worker else "girder",
                    "colours": list(card.colours),
                    "what_text": words.colours("helmet" if card.worker else "girder", card.colours),
                    "how": how,
                    "how_title": HOW[how],
                    "how_text": words.instruction(how),
                    "clause": CLAUSES[how],
                    "deck": self.one(a.PLAY_ON_DECK + card.card, True),
                    "discard": self.one(a.PLAY_ON_DISCARD + card.card, True),
                }
            )
        return found

    # -- building -------------------------------------------------------------------------------------------------

    def steps(self) -> list[dict[str, Any]]:
        """This turn's pieces by step; those that are taken in hand by themselves have a control."""
        view = self.view
        found = []
        for k, step in enumerate(view.steps):
            pieces = []
            for piece in step.pieces:
                worn = KIND[piece] == HAT and piece not in step.grips
                if worn:
                    continue
                held, placed = piece in view.held, piece in step.placed
                pieces.append(
                    self.one(a.GRIP + piece, k >= view.step)
                    | {
                        "piece": piece,
                        "name": words.piece(piece),
                        "kind": KIND_NAMES[KIND[piece]],
                        "ink": drawn.ink(piece),
                        "held": held,
                        "placed": placed and not held,
                        "supply": not held and not placed,
                    }
                )
            state = "now" if k == view.step else "done" if k < view.step else ""
            found.append({"n": k + 1, "state": state, "pieces": pieces})
        return found

    def buttons(self) -> dict[str, dict[str, Any]]:
        """What ends a step or a turn."""
        building = self.view.phase == "BUILD"
        more = building and self.view.step + 1 < len(self.view.steps)
        return {
            "release": self.one(a.RELEASE),
            "next": self.one(a.NEXT_PIECE, more),
            "finish": self.one(a.FINISH, building and not more),
            "give_up": self.one(a.GIVE_UP, building),
            "clean_done": self.one(a.CLEAN_DONE, self.view.phase == "CLEANUP"),
        }

    # -- cleaning up ----------------------------------------------------------------------------------------------

    def clean_up(self) -> list[dict[str, Any]]:
        """What lies where it must not, with what can be done about it."""
        view = self.view
        if view.phase != "CLEANUP":
            return []
        found = []
        for piece in view.retrieve:
            ways = [self.one(a.RETRIEVE + piece)]
            if KIND[piece] == GIRDER:
                ways.append(self.one(a.PUSH_BACK + piece - FIRST[GIRDER], True))
            found.append((piece, ways))
        found += [
            (piece, [self.one(a.RETURN_SUPPORT + piece), self.one(a.LEAVE_SUPPORT + piece, True)])
            for piece in view.supports
        ]
        return [
            {"piece": piece, "name": words.piece(piece), "ink": drawn.ink(piece), "ways": ways} for piece, ways in found
        ]

    def rest(self) -> list[dict[str, Any]]:
        """What no other part of the page has offered."""
        return [self.one(action) for action in self.view.legal if action in self.legal - self.shown]
